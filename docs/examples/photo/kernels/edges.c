/* SPDX-License-Identifier: 0BSD */
/* Candidates for edges, the first half of J. Canny, "A computational approach to edge detection",
 * IEEE Trans. PAMI 8(6), 1986: maxima of the gradient along its direction. */
#include "kernels/pixels.h"

#define EDGE_WIDTH 32
#define EDGE_HEIGHT 8

/* The gradient at p by Sobel's operator. p: a pixel with neighbours; pitch: from row to row */
DEVICE int2 gradient(const unsigned char *p, int pitch)
{
    const unsigned char *above = p - pitch, *below = p + pitch;
    const int right = above[1] + 2 * p[1] + below[1], left = above[-1] + 2 * p[-1] + below[-1];
    const int down = below[-1] + 2 * below[0] + below[1], up = above[-1] + 2 * above[0] + above[1];
    return make_int2(right - left, down - up);
}

/* Whether the gradient is at its largest at m, against its neighbours on both sides in the
 * direction of g, rounded to a multiple of 45 degrees; tan 22.5 degrees is 13573 / 2^15. Of two
 * equal neighbours in a row or a column the first is the maximum. m: magnitudes; pitch: from row to
 * row */
DEVICE int is_ridge(const int *m, int pitch, int2 g)
{
    const int x = absolute(g.x), y = absolute(g.y) << 15, flat = 13573 * x;
    const int slope = (g.x ^ g.y) < 0 ? -1 : 1;

    if (y < flat)
        return m[0] > m[-1] && m[0] >= m[1];
    if (y > flat + (x << 16))
        return m[0] > m[-pitch] && m[0] >= m[pitch];
    return m[0] > m[-pitch - slope] && m[0] > m[pitch + slope];
}

/* marks: STRONG_EDGE and WEAK_EDGE for ridges whose gradient, |x| + |y|, is above high and low.
 * grid: covers width x height; image, marks: height x width bytes; outside the nearest pixel
 * counts, and there are no ridges */
KERNEL(mark_edges)(int width, int height, int low, int high, const unsigned char *RESTRICT image,
                   unsigned char *RESTRICT marks)
{
    FOR_EACH_BLOCK(EDGE_WIDTH, EDGE_HEIGHT) {
        SHARED(unsigned char, tile, [EDGE_HEIGHT + 4][EDGE_WIDTH + 4]);
        SHARED(int, magnitude, [EDGE_HEIGHT + 2][EDGE_WIDTH + 2]);
        const int left = (int)blockIdx.x * EDGE_WIDTH, top = (int)blockIdx.y * EDGE_HEIGHT;
        FOR_EACH_THREAD {
            for (unsigned y = threadIdx.y; y < EDGE_HEIGHT + 4; y += EDGE_HEIGHT) {
                const int row = clamp(top + (int)y - 2, height - 1);
                for (unsigned x = threadIdx.x; x < EDGE_WIDTH + 4; x += EDGE_WIDTH)
                    tile[y][x] = image[row * width + clamp(left + (int)x - 2, width - 1)];
            }
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            for (unsigned y = threadIdx.y; y < EDGE_HEIGHT + 2; y += EDGE_HEIGHT) {
                const int row = top + (int)y - 1;
                for (unsigned x = threadIdx.x; x < EDGE_WIDTH + 2; x += EDGE_WIDTH) {
                    const int column = left + (int)x - 1;
                    const int2 g = gradient(&tile[y + 1][x + 1], EDGE_WIDTH + 4);
                    const int inside = row >= 0 && row < height && column >= 0 && column < width;
                    magnitude[y][x] = inside ? absolute(g.x) + absolute(g.y) : 0;
                }
            }
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            const int x = left + (int)threadIdx.x, y = top + (int)threadIdx.y;
            const int *m = &magnitude[threadIdx.y + 1][threadIdx.x + 1];
            const int2 g = gradient(&tile[threadIdx.y + 2][threadIdx.x + 2], EDGE_WIDTH + 4);
            if (x < width && y < height)
                marks[y * width + x] =
                    (unsigned char)(*m <= low || !is_ridge(m, EDGE_WIDTH + 2, g) ? NO_EDGE
                                    : *m > high                                  ? STRONG_EDGE
                                                                                 : WEAK_EDGE);
        }
    }
}
