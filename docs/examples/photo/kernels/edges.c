/* SPDX-License-Identifier: 0BSD */
/* Candidates for edges, the first half of J. Canny, "A computational approach to edge detection",
 * IEEE Trans. PAMI 8(6), 1986: maxima of the gradient along its direction. */
#include "kernels/pixels.h"

/* The gradients of a block, in strips of a thread, and the pixels that it marks. */
#define GRADIENT_WIDTH 32
#define GRADIENT_HEIGHT 64
#define STRIP 8
#define EDGE_WIDTH (GRADIENT_WIDTH - 2)
#define EDGE_HEIGHT (GRADIENT_HEIGHT - 2)
#define SOURCE_WIDTH (GRADIENT_WIDTH + 2)
#define SOURCE_HEIGHT (GRADIENT_HEIGHT + 2)

/* What a gradient is stored as: its magnitude |x| + |y|, times 256; plus 128 if its direction,
 * rounded to a multiple of 45 degrees, is that of a row or a column; plus the distance to its
 * neighbour in that direction. tan 22.5 degrees is 13573 / 2^15. */
DEVICE int polar(int gx, int gy)
{
    const int x = absolute(gx), y = absolute(gy), flat = 13573 * x, above = y << 15;
    const int slanted = (gx ^ gy) < 0 ? GRADIENT_WIDTH - 1 : GRADIENT_WIDTH + 1;
    const int steep = above > flat + (x << 16) ? 128 + GRADIENT_WIDTH : slanted;
    return (x + y) * 256 + (above < flat ? 128 + 1 : steep);
}

/* Whether the gradient is at its largest at m, against its neighbours on both sides in its
 * direction. Of two equal neighbours in a row or a column the first is the maximum. */
DEVICE int is_ridge(const int *m)
{
    const int step = *m & 127, own = *m >> 8;
    return own > m[-step] >> 8 && own + (*m >> 7 & 1) > m[step] >> 8;
}

/* marks: STRONG_EDGE and WEAK_EDGE for ridges whose gradient, |x| + |y|, is above high and low. The
 * gradients are by Sobel's operator: a difference in the row or the column, smoothed in the other.
 * grid: covers width x height; image, marks: height x width bytes; outside the nearest pixel
 * counts, and there are no ridges */
KERNEL(mark_edges)(int width, int height, int low, int high, const unsigned char *RESTRICT image,
                   unsigned char *RESTRICT marks)
{
    FOR_EACH_BLOCK(GRADIENT_WIDTH, GRADIENT_HEIGHT / STRIP) {
        SHARED(unsigned char, tile, [SOURCE_HEIGHT][SOURCE_WIDTH]);
        SHARED(int, gradient, [GRADIENT_HEIGHT * GRADIENT_WIDTH]);
        const int left = (int)blockIdx.x * EDGE_WIDTH - 1, top = (int)blockIdx.y * EDGE_HEIGHT - 1;
        FOR_EACH_THREAD {
            const int x = (int)threadIdx.x, rank = (int)threadIdx.y * GRADIENT_WIDTH + x;
            const int column = clamp(left - 1 + x, width - 1);
            for (int y = (int)threadIdx.y; y < SOURCE_HEIGHT; y += GRADIENT_HEIGHT / STRIP)
                tile[y][x] = image[clamp(top - 1 + y, height - 1) * width + column];
            if (rank < 2 * SOURCE_HEIGHT) { /* the last two columns */
                const int y = rank / 2, last = GRADIENT_WIDTH + rank % 2;
                tile[y][last] = image[clamp(top - 1 + y, height - 1) * width +
                                      clamp(left - 1 + last, width - 1)];
            }
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            const int x = (int)threadIdx.x, first = (int)threadIdx.y * STRIP;
            const int is_column = left + x >= 0 && left + x < width;
            int across[STRIP + 2], along[STRIP + 2];
            UNROLL(STRIP + 2)
            for (int k = 0; k < STRIP + 2; k++) {
                const unsigned char *const p = &tile[first + k][x];
                across[k] = p[2] - p[0];
                along[k] = p[0] + 2 * p[1] + p[2];
            }
            UNROLL(STRIP)
            for (int k = 0; k < STRIP; k++) {
                const int row = top + first + k;
                const int gx = across[k] + 2 * across[k + 1] + across[k + 2];
                const int gy = along[k + 2] - along[k];
                gradient[(first + k) * GRADIENT_WIDTH + x] =
                    is_column & (row >= 0) & (row < height) ? polar(gx, gy) : 0;
            }
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            const int x = (int)threadIdx.x, column = left + x;
            if (x < 1 || x > EDGE_WIDTH || column >= width)
                continue;
            for (int y = 1 + (int)threadIdx.y; y <= EDGE_HEIGHT && top + y < height;
                 y += GRADIENT_HEIGHT / STRIP) {
                const int *const m = &gradient[y * GRADIENT_WIDTH + x];
                const int strength = *m >> 8;
                marks[(top + y) * width + column] =
                    (unsigned char)(strength <= low || !is_ridge(m) ? NO_EDGE
                                    : strength > high               ? STRONG_EDGE
                                                                    : WEAK_EDGE);
            }
        }
    }
}
