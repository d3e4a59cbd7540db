/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix multiply by copied tiles, with tiles of 64 rows. */
#define MATMUL_ROWS 64
#define MATMUL_SUFFIX "_64"
#define matmul_naive matmul_naive_64
#define matmul_tiled matmul_tiled_64
#define matmul_registers matmul_registers_64
#define matmul_async matmul_async_64
#include "host/cases/matmul.c"
