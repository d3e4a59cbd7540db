/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense matrix multiply C = A B in steps; all matrices row after row.
 * A: m x k; B: k x n; C: m x n elements */
#include "portable.h"

/* The edge of a tile, and of the block that computes it. */
#ifndef MATMUL_TILE
#define MATMUL_TILE 16
#endif

/* 1. One element of C per thread: every thread reads a whole row of A and a whole column of B. */
KERNEL(matmul_naive)(int m, int n, int k, const REAL *RESTRICT a, const REAL *RESTRICT b,
                     REAL *RESTRICT c)
{
    GRID_STRIDE_LOOP_2D(column, row, n, m) {
        REAL sum = 0;
        for (int i = 0; i < k; i++)
            sum +=
                a[(size_t)row * (size_t)k + (size_t)i] * b[(size_t)i * (size_t)n + (size_t)column];
        c[(size_t)row * (size_t)n + (size_t)column] = sum;
    }
}

/* 2. A block computes one tile of C from tiles of A and B in shared memory, so that each element
 *    is read from memory once per tile instead of once per element of C. Tiles that hang over an
 *    edge are filled up with zeros. The grid is ceil(n / tile) x ceil(m / tile). */
KERNEL(matmul_tiled)(int m, int n, int k, const REAL *RESTRICT a, const REAL *RESTRICT b,
                     REAL *RESTRICT c)
{
    FOR_EACH_BLOCK(MATMUL_TILE, MATMUL_TILE) {
        SHARED(REAL, a_tile, [MATMUL_TILE][MATMUL_TILE]);
        SHARED(REAL, b_tile, [MATMUL_TILE][MATMUL_TILE]);
        PRIVATE(int, row);
        PRIVATE(int, column);
        PRIVATE(REAL, sum);
        FOR_EACH_THREAD {
            MINE(row) = (int)(blockIdx.y * MATMUL_TILE + threadIdx.y);
            MINE(column) = (int)(blockIdx.x * MATMUL_TILE + threadIdx.x);
            MINE(sum) = 0;
        }
        for (int first = 0; first < k; first += MATMUL_TILE) {
            FOR_EACH_THREAD {
                const int i = first + (int)threadIdx.x;
                a_tile[threadIdx.y][threadIdx.x] =
                    MINE(row) < m && i < k ? a[(size_t)MINE(row) * (size_t)k + (size_t)i] : 0;
            }
            FOR_EACH_THREAD {
                const int i = first + (int)threadIdx.y;
                b_tile[threadIdx.y][threadIdx.x] =
                    i < k && MINE(column) < n ? b[(size_t)i * (size_t)n + (size_t)MINE(column)] : 0;
            }
            SYNC_THREADS();
            for (int i = 0; i < MATMUL_TILE; i++) {
                FOR_EACH_THREAD
                    MINE(sum) += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
            }
            SYNC_THREADS();
        }
        FOR_EACH_THREAD {
            if (MINE(row) < m && MINE(column) < n)
                c[(size_t)MINE(row) * (size_t)n + (size_t)MINE(column)] = MINE(sum);
        }
    }
}
