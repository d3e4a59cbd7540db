/* SPDX-License-Identifier: BSD-3-Clause */
/* The tiled matrix multiply with a block of 8 x 8. */
#define MATMUL_TILE 8
#define MATMUL_ROWS 0
#define MATMUL_SUFFIX "_8"
#define matmul_naive matmul_naive_8
#define matmul_tiled matmul_tiled_8
#define matmul_registers matmul_registers_8
#include "host/cases/matmul.c"
