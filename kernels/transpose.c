/* SPDX-License-Identifier: BSD-3-Clause */
/* Transpose in steps: out[x][y] = in[y][x].
 * in: height x width; out: width x height elements, row-major */
#include "portable.h"

/* The edge of a tile; the block is as wide, and its height divides it. */
#define TRANSPOSE_TILE 32

/* 1. One element per thread: reads run along rows, writes jump from row to row. */
KERNEL(transpose_naive)(int width, int height, const REAL *RESTRICT in, REAL *RESTRICT out)
{
    GRID_STRIDE_LOOP_2D(x, y, width, height)
        out[(size_t)x * (size_t)height + (size_t)y] = in[(size_t)y * (size_t)width + (size_t)x];
}

/* 2. A tile is transposed in shared memory, so that reads and writes are both contiguous. Each
 *    column of the tile is in one bank: 32 lanes that read a column conflict. */
KERNEL(transpose_tiled)(int width, int height, const REAL *RESTRICT in, REAL *RESTRICT out)
{
    FOR_EACH_BLOCK(TRANSPOSE_TILE, 0) {
        SHARED(REAL, tile, [TRANSPOSE_TILE][TRANSPOSE_TILE]);
        const int first_x = (int)blockIdx.x * TRANSPOSE_TILE;
        const int first_y = (int)blockIdx.y * TRANSPOSE_TILE;
        for (unsigned row = 0; row < TRANSPOSE_TILE; row += blockDim.y) {
            FOR_EACH_THREAD {
                const unsigned j = row + threadIdx.y;
                const int x = first_x + (int)threadIdx.x, y = first_y + (int)j;
                if (x < width && y < height)
                    tile[j][threadIdx.x] = in[(size_t)y * (size_t)width + (size_t)x];
            }
        }
        SYNC_THREADS();
        for (unsigned row = 0; row < TRANSPOSE_TILE; row += blockDim.y) {
            FOR_EACH_THREAD {
                const unsigned j = row + threadIdx.y;
                const int x = first_x + (int)j, y = first_y + (int)threadIdx.x;
                if (x < width && y < height)
                    out[(size_t)x * (size_t)height + (size_t)y] = tile[threadIdx.x][j];
            }
        }
    }
}

/* 3. One column of padding shifts each row by one bank, so a column has each bank once. */
KERNEL(transpose_padded)(int width, int height, const REAL *RESTRICT in, REAL *RESTRICT out)
{
    FOR_EACH_BLOCK(TRANSPOSE_TILE, 0) {
        SHARED(REAL, tile, [TRANSPOSE_TILE][TRANSPOSE_TILE + 1]);
        const int first_x = (int)blockIdx.x * TRANSPOSE_TILE;
        const int first_y = (int)blockIdx.y * TRANSPOSE_TILE;
        for (unsigned row = 0; row < TRANSPOSE_TILE; row += blockDim.y) {
            FOR_EACH_THREAD {
                const unsigned j = row + threadIdx.y;
                const int x = first_x + (int)threadIdx.x, y = first_y + (int)j;
                if (x < width && y < height)
                    tile[j][threadIdx.x] = in[(size_t)y * (size_t)width + (size_t)x];
            }
        }
        SYNC_THREADS();
        for (unsigned row = 0; row < TRANSPOSE_TILE; row += blockDim.y) {
            FOR_EACH_THREAD {
                const unsigned j = row + threadIdx.y;
                const int x = first_x + (int)j, y = first_y + (int)threadIdx.x;
                if (x < width && y < height)
                    out[(size_t)x * (size_t)height + (size_t)y] = tile[threadIdx.x][j];
            }
        }
    }
}
