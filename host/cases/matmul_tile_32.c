/* SPDX-License-Identifier: BSD-3-Clause */
/* The tiled matrix multiply with a block of 32 x 32. */
#define MATMUL_TILE 32
#define MATMUL_ROWS 0
#define MATMUL_SUFFIX "_32"
#define matmul_naive matmul_naive_32
#define matmul_tiled matmul_tiled_32
#define matmul_registers matmul_registers_32
#include "host/cases/matmul.c"
