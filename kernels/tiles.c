/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense matrix multiply C = A B by tiles: half products, float sums; all matrices are row-major.
 * A: m x k; B: k x n halves; C: m x n floats; k and n are multiples of 8 */
#include "portable.h"

#include "portable_tiles.h"

/* A block computes a tile of C. Blocks that run at the same time compute tiles near each other, in
 * strips of STRIP_TILES rows of tiles, so that they find each other's parts of A and B in the
 * cache. The grid is a block for each TILE_ROWS x TILE_COLUMNS elements of C, and the block has
 * TILE_BYTES of dynamic shared memory: KERNEL_SHARED_LIMIT. */
enum { STRIP_TILES = 8 };

KERNEL_LAUNCH_BOUNDS(matmul_tiles, TILE_THREADS, 1)
(int m, int n, int k, TILE_MATRIX(a), TILE_MATRIX(b), float *RESTRICT c)
{
    FOR_EACH_BLOCK(TILE_THREADS) {
        TILE_PRODUCT(product, a, b);
        const int across = (n + TILE_COLUMNS - 1) / TILE_COLUMNS;
        const int strip = (int)blockIdx.x / (STRIP_TILES * across) * STRIP_TILES;
        const int left = (m + TILE_ROWS - 1) / TILE_ROWS - strip;
        const int height = left < STRIP_TILES ? left : STRIP_TILES;
        const int place = (int)blockIdx.x % (STRIP_TILES * across);
        const int row = (strip + place % height) * TILE_ROWS;
        const int column = place / height * TILE_COLUMNS;
        for (int i = 0; i < TILE_AHEAD; i++)
            TILE_PUSH(product, row, i * TILE_DEPTH, column);
        for (int i = 0; i < k; i += TILE_DEPTH) {
            TILE_MULTIPLY_ADD(product);
            TILE_PUSH(product, row, i + TILE_AHEAD * TILE_DEPTH, column);
        }
        TILE_STORE(product, c + (size_t)row * (size_t)n + column, n, m - row, n - column);
    }
}
