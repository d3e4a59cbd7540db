/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils: each element from its neighbours; outside the array is zero (1-D), or the nearest
 * pixel (images). */
#include "portable.h"

/* Clamps to 0...last. */
DEVICE int clamp(int i, int last)
{
    const int above = i > 0 ? i : 0;
    return above < last ? above : last;
}

/* y[i] = x[i - 1] + x[i] + x[i + 1].  x, y: n elements */
KERNEL(neighbour_sum)(int n, const REAL *RESTRICT x, REAL *RESTRICT y)
{
    GRID_STRIDE_LOOP(i, n) {
        const REAL left = i > 0 ? x[i - 1] : 0;
        const REAL right = i < n - 1 ? x[i + 1] : 0;
        y[i] = left + x[i] + right;
    }
}

/* The same, reading each element from memory once: the block's elements and a halo of one on each
 * side go through shared memory. One element per thread: the grid must cover n. */
KERNEL(neighbour_sum_shared)(int n, const REAL *RESTRICT x, REAL *RESTRICT y)
{
    FOR_EACH_BLOCK(0) {
        SHARED(REAL, tile, [1 + 1024 + 1]);
        const int first = (int)(blockIdx.x * blockDim.x);
        const int count = n - first < (int)blockDim.x ? n - first : (int)blockDim.x;
        FOR_THREADS_BELOW(count)
            tile[1 + threadIdx.x] = x[first + (int)threadIdx.x];
        FOR_THREADS_BELOW(count < 1 ? count : 1) {
            tile[0] = first > 0 ? x[first - 1] : 0;
            tile[1 + count] = first + count < n ? x[first + count] : 0;
        }
        SYNC_THREADS();
        FOR_THREADS_BELOW(count)
            y[first + (int)threadIdx.x] =
                tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];
    }
}

#define BLUR_RADIUS 2
#define BLUR_WIDTH (2 * BLUR_RADIUS + 1)

/* Row-major; they sum to 1. */
CONSTANT(float, blur_weights, [BLUR_WIDTH * BLUR_WIDTH]);

/* An image convolved with blur_weights and rounded to the nearest grey level, half up.
 * image, blurred: height x width x channels bytes, row-major */
KERNEL(blur)(int width, int height, int channels, const unsigned char *RESTRICT image,
             unsigned char *RESTRICT blurred)
{
    GRID_STRIDE_LOOP_2D(x, y, width, height) {
        for (int channel = 0; channel < channels; channel++) {
            float sum = 0;
            for (int v = -BLUR_RADIUS; v <= BLUR_RADIUS; v++) {
                const int row = clamp(y + v, height - 1);
                for (int u = -BLUR_RADIUS; u <= BLUR_RADIUS; u++) {
                    const int column = clamp(x + u, width - 1);
                    const float weight =
                        blur_weights[(v + BLUR_RADIUS) * BLUR_WIDTH + u + BLUR_RADIUS];
                    const size_t pixel = (size_t)row * (size_t)width + (size_t)column;
                    sum += weight * (float)image[pixel * (size_t)channels + (size_t)channel];
                }
            }
            const size_t pixel = (size_t)y * (size_t)width + (size_t)x;
            blurred[pixel * (size_t)channels + (size_t)channel] = (unsigned char)(sum + 0.5f);
        }
    }
}
