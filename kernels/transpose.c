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

/* The edge of a tile of transpose_wide. */
#define TRANSPOSE_WIDE 64

/* 4. A larger tile, and a block of 32 x 8 threads that the compiler knows: it unrolls the loops, so
 *    a thread has 16 loads in flight instead of one. Bytes in flight hide the latency of memory. */
KERNEL(transpose_wide)(int width, int height, const REAL *RESTRICT in, REAL *RESTRICT out)
{
    FOR_EACH_BLOCK(32, 8) {
        SHARED(REAL, tile, [TRANSPOSE_WIDE][TRANSPOSE_WIDE + 1]);
        const int first_x = (int)blockIdx.x * TRANSPOSE_WIDE;
        const int first_y = (int)blockIdx.y * TRANSPOSE_WIDE;
        UNROLL(8)
        for (int row = 0; row < TRANSPOSE_WIDE; row += 8) {
            UNROLL(2)
            for (int column = 0; column < TRANSPOSE_WIDE; column += 32) {
                FOR_EACH_THREAD {
                    const int x = first_x + (int)threadIdx.x + column;
                    const int y = first_y + (int)threadIdx.y + row;
                    if (x < width && y < height)
                        tile[(int)threadIdx.y + row][(int)threadIdx.x + column] =
                            in[(size_t)y * (size_t)width + (size_t)x];
                }
            }
        }
        SYNC_THREADS();
        UNROLL(8)
        for (int row = 0; row < TRANSPOSE_WIDE; row += 8) {
            UNROLL(2)
            for (int column = 0; column < TRANSPOSE_WIDE; column += 32) {
                FOR_EACH_THREAD {
                    const int x = first_x + (int)threadIdx.y + row;
                    const int y = first_y + (int)threadIdx.x + column;
                    if (x < width && y < height)
                        out[(size_t)x * (size_t)height + (size_t)y] =
                            tile[(int)threadIdx.x + column][(int)threadIdx.y + row];
                }
            }
        }
    }
}
