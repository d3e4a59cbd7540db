/* SPDX-License-Identifier: 0BSD */
/* The bilateral filter removes noise and keeps edges: C. Tomasi and R. Manduchi, "Bilateral
 * filtering for gray and color images", ICCV 1998. */
#include "kernels/pixels.h"

#define TILE_WIDTH 32
#define TILE_HEIGHT 8
#define HALO_WIDTH (TILE_WIDTH + 2 * RADIUS)
#define HALO_HEIGHT (TILE_HEIGHT + 2 * RADIUS)

/* Weights by the distance between two pixels: 0 to 256, row by row. */
CONSTANT(unsigned, near_weights, [DIAMETER * DIAMETER]);

/* Each pixel becomes the mean of its window, weighted by nearness times likeness, rounded. Weights
 * are integers from tables that the host computes, so every target has the same sums.
 * grid: covers width x height; like_weights: 256, by the difference of two levels, 0 to 256, the
 * first above 0; image, smooth: height x width bytes; outside the nearest pixel counts */
KERNEL(bilateral)(int width, int height, const unsigned *RESTRICT like_weights,
                  const unsigned char *RESTRICT image, unsigned char *RESTRICT smooth)
{
    FOR_EACH_BLOCK(TILE_WIDTH, TILE_HEIGHT) {
        SHARED(unsigned char, tile, [HALO_HEIGHT][HALO_WIDTH]);
        SHARED(unsigned, like, [TILE_WIDTH * TILE_HEIGHT]);
        const int left = (int)blockIdx.x * TILE_WIDTH, top = (int)blockIdx.y * TILE_HEIGHT;
        FOR_EACH_THREAD {
            const unsigned rank = threadIdx.y * TILE_WIDTH + threadIdx.x;
            like[rank] = like_weights[rank];
            for (unsigned y = threadIdx.y; y < HALO_HEIGHT; y += TILE_HEIGHT) {
                const int row = clamp(top + (int)y - RADIUS, height - 1);
                for (unsigned x = threadIdx.x; x < HALO_WIDTH; x += TILE_WIDTH)
                    tile[y][x] = image[row * width + clamp(left + (int)x - RADIUS, width - 1)];
            }
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            const int x = left + (int)threadIdx.x, y = top + (int)threadIdx.y;
            const int centre = tile[threadIdx.y + RADIUS][threadIdx.x + RADIUS];
            unsigned sum = 0, weights = 0;
            for (unsigned v = 0; v < DIAMETER; v++) {
                for (unsigned u = 0; u < DIAMETER; u++) {
                    const int level = tile[threadIdx.y + v][threadIdx.x + u];
                    const unsigned weight =
                        near_weights[v * DIAMETER + u] * like[absolute(level - centre)];
                    sum += weight * (unsigned)level;
                    weights += weight;
                }
            }
            if (x < width && y < height)
                smooth[y * width + x] = (unsigned char)((sum + weights / 2) / weights);
        }
    }
}
