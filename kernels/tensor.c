/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense matrix multiply C = A B on tensor cores: halves multiplied, floats added; all matrices row
 * after row, their extents multiples of 16.  A: m x k; B: k x n halves; C: m x n floats */
#include "portable.h"

/* 1. A warp computes one tile of C at a time, and reads its tiles of A and B from memory. */
KERNEL(matmul_tensor)(int m, int n, int k, const half *RESTRICT a, const half *RESTRICT b,
                      float *RESTRICT c)
{
    FOR_EACH_BLOCK(0) {
        FOR_EACH_WARP
        {
            const int columns = n / TILE_SIZE, tiles = m / TILE_SIZE * columns;
            const int warps = (int)(blockDim.x / WARP_SIZE), stride = (int)gridDim.x * warps;
            for (int tile = (int)blockIdx.x * warps + (int)WARP_INDEX(); tile < tiles;
                 tile += stride) {
                const half *const rows = a + (size_t)(tile / columns * TILE_SIZE) * (size_t)k;
                const int column = tile % columns * TILE_SIZE;
                TILE_A(a_tile);
                TILE_B(b_tile);
                TILE_C(sum);
                TILE_FILL(sum, 0.0f);
                for (int i = 0; i < k; i += TILE_SIZE) {
                    TILE_LOAD(a_tile, rows + i, k);
                    TILE_LOAD(b_tile, b + (size_t)i * (size_t)n + column, n);
                    TILE_MULTIPLY_ADD(sum, a_tile, b_tile, sum);
                }
                TILE_STORE(c + (size_t)(tile / columns * TILE_SIZE) * (size_t)n + column, sum, n);
            }
        }
    }
}

/* The warps of a block, each with a tile of C one below the other. */
#define STRIP_WARPS 4

/* 2. The warps of a block share each tile of B: it goes to shared memory once per block instead of
 *    once per warp. A strip of STRIP_WARPS tiles is a block's share of C; warps whose
 *    tile would lie below C only help to copy. The grid is n / 16 x ceil(m / 16 / STRIP_WARPS). */
KERNEL(matmul_tensor_shared)(int m, int n, int k, const half *RESTRICT a, const half *RESTRICT b,
                             float *RESTRICT c)
{
    FOR_EACH_BLOCK(STRIP_WARPS *WARP_SIZE) {
        ALIGNED(32) SHARED(half, b_shared, [TILE_SIZE * TILE_SIZE]);
        TILE_C(sum);
        const int column = (int)blockIdx.x * TILE_SIZE;
        const int first_row = (int)blockIdx.y * STRIP_WARPS * TILE_SIZE;
        FOR_EACH_WARP
        {
            const int row = first_row + (int)WARP_INDEX() * TILE_SIZE;
            if (row < m)
                TILE_FILL(sum, 0.0f);
        }
        for (int i = 0; i < k; i += TILE_SIZE) {
            FOR_EACH_THREAD {
                for (int e = (int)threadIdx.x; e < TILE_SIZE * TILE_SIZE;
                     e += STRIP_WARPS * WARP_SIZE)
                    b_shared[e] = b[(size_t)(i + e / TILE_SIZE) * (size_t)n +
                                    (size_t)(column + e % TILE_SIZE)];
            }
            SYNC_THREADS();
            FOR_EACH_WARP
            {
                const int row = first_row + (int)WARP_INDEX() * TILE_SIZE;
                if (row < m) {
                    TILE_A(a_tile);
                    TILE_B(b_tile);
                    TILE_LOAD(a_tile, a + (size_t)row * (size_t)k + i, k);
                    TILE_LOAD(b_tile, b_shared, TILE_SIZE);
                    TILE_MULTIPLY_ADD(sum, a_tile, b_tile, sum);
                }
            }
            SYNC_THREADS();
        }
        FOR_EACH_WARP
        {
            const int row = first_row + (int)WARP_INDEX() * TILE_SIZE;
            if (row < m)
                TILE_STORE(c + (size_t)row * (size_t)n + column, sum, n);
        }
    }
}
