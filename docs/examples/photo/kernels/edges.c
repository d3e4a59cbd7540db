/* SPDX-License-Identifier: 0BSD */
/* Candidates for edges, the first half of J. Canny, "A computational approach to edge detection",
 * IEEE Trans. PAMI 8(6), 1986: maxima of the gradient along its direction. */
#include "kernels/pixels.h"

/* The pixels of a block, in strips of a thread; their gradients and those around; the pixels around
 * these, in words of four, and how many of these a thread loads. */
#define EDGE_WIDTH 32
#define EDGE_HEIGHT 64
#define STRIP 8
#define GRADIENT_WIDTH (EDGE_WIDTH + 2)
#define GRADIENT_HEIGHT (EDGE_HEIGHT + 2)
#define SOURCE_WORDS (EDGE_WIDTH / 4 + 2)
#define SOURCE_HEIGHT (EDGE_HEIGHT + 4)
#define SOURCE_LOADS 3
#define SOURCE_ROWS ((SOURCE_HEIGHT + SOURCE_LOADS - 1) / SOURCE_LOADS)
#define SOURCE_THREADS (SOURCE_ROWS * SOURCE_WORDS)

/* From a row of marks to the next, in words: odd, so that rows are in different banks. */
#define MARK_WORDS (EDGE_WIDTH / 4 + 1)

/* What a gradient is stored as: its magnitude |x| + |y|, times 256; plus AXIS if its direction,
 * rounded to a multiple of 45 degrees, is that of a row or a column; plus SECOND if it is that of a
 * column, or up to the right. tan 22.5 degrees is 13573 / 2^15. */
#define AXIS 128
#define SECOND 1
DEVICE int polar(int gx, int gy)
{
    const int x = absolute(gx), y = absolute(gy), flat = 13573 * x, above = y << 15;
    const int slanted = (gx ^ gy) < 0 ? SECOND : 0;
    const int steep = above > flat + (x << 16) ? AXIS + SECOND : slanted;
    return (x + y) * 256 + (above < flat ? AXIS : steep);
}

/* The gradient in the middle of three rows of three pixels, the first at p. */
DEVICE int gradient_of(const unsigned char *p)
{
    const unsigned char *const q = p + 4 * SOURCE_WORDS, *const r = q + 4 * SOURCE_WORDS;
    return polar(p[2] - p[0] + 2 * (q[2] - q[0]) + r[2] - r[0],
                 r[0] + 2 * r[1] + r[2] - p[0] - 2 * p[1] - p[2]);
}

/* Four pixels from column x of a row on, the first in the lowest byte; outside the nearest. */
DEVICE unsigned four_pixels(const unsigned char *row, int width, int x)
{
    const int last = width - 1;
    if (x < 0 || x + 3 > last)
        return row[clamp(x, last)] | (unsigned)row[clamp(x + 1, last)] << 8 |
               (unsigned)row[clamp(x + 2, last)] << 16 | (unsigned)row[clamp(x + 3, last)] << 24;
    const unsigned char *const p = row + x;
    if (width % 4 == 0)
        return *(const unsigned *)(const void *)p;
    return p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16 | (unsigned)p[3] << 24;
}

/* Four bytes, of 0 or 1 each, as bits. */
DEVICE unsigned pack(unsigned bytes)
{
    return bytes * 0x10204080u >> 28;
}

/* edges, strong: the ridges whose gradient, |x| + |y|, is above low, and above high. The gradients
 * are by Sobel's operator: a difference in the row or the column, smoothed in the other. Of two
 * equal neighbours in a row or a column the first is the ridge.
 * grid: covers width x height; image: height x width bytes, at an address that is a multiple of 4;
 * edges, strong: height rows, a bit for each pixel, the lowest first, in words; outside the nearest
 * pixel counts, and there are no ridges */
KERNEL(mark_edges)(int width, int height, int low, int high, const unsigned char *RESTRICT image,
                   unsigned *RESTRICT edges, unsigned *RESTRICT strong)
{
    FOR_EACH_BLOCK(EDGE_WIDTH, EDGE_HEIGHT / STRIP) {
        SHARED(unsigned, source, [SOURCE_HEIGHT][SOURCE_WORDS]);
        SHARED(int, gradient, [GRADIENT_HEIGHT][GRADIENT_WIDTH]);
        SHARED(unsigned, marks, [EDGE_HEIGHT][MARK_WORDS]); /* a byte for each pixel */
        const int left = (int)blockIdx.x * EDGE_WIDTH, top = (int)blockIdx.y * EDGE_HEIGHT;
        FOR_THREADS_BELOW(SOURCE_THREADS) {
            const int rank = (int)threadIdx.y * EDGE_WIDTH + (int)threadIdx.x;
            const int column = rank % SOURCE_WORDS, first = rank / SOURCE_WORDS;
            UNROLL(SOURCE_LOADS)
            for (int k = 0; k < SOURCE_LOADS; k++) {
                const int y = first + k * SOURCE_ROWS;
                if (y < SOURCE_HEIGHT)
                    source[y][column] = four_pixels(image + clamp(top - 2 + y, height - 1) * width,
                                                    width, left - 4 + 4 * column);
            }
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            const int x = (int)threadIdx.x, first = (int)threadIdx.y * STRIP;
            const int rows = left + x > 0 && left + x <= width ? height : 0;
            int across[STRIP + 2], along[STRIP + 2];
            UNROLL(STRIP + 2)
            for (int k = 0; k < STRIP + 2; k++) {
                const unsigned char *const p = (const unsigned char *)source[first + k] + x + 2;
                across[k] = p[2] - p[0];
                along[k] = p[0] + 2 * p[1] + p[2];
            }
            UNROLL(STRIP)
            for (int k = 0; k < STRIP; k++) {
                const int gx = across[k] + 2 * across[k + 1] + across[k + 2];
                const int gy = along[k + 2] - along[k];
                gradient[first + k][x] =
                    polar(gx, gy) & -((unsigned)(top - 1 + first + k) < (unsigned)rows);
            }
        }
        FOR_THREADS_BELOW(2 * EDGE_WIDTH) { /* the last two rows */
            const int x = (int)threadIdx.x, y = EDGE_HEIGHT + (int)threadIdx.y;
            const int is_inside = (left + x > 0) & (left + x <= width) & (top + y <= height);
            gradient[y][x] = gradient_of((const unsigned char *)source[y] + x + 2) & -is_inside;
        }
        FOR_THREADS_BELOW(2 * GRADIENT_HEIGHT) { /* the last two columns */
            const int rank = (int)threadIdx.y * EDGE_WIDTH + (int)threadIdx.x;
            const int x = EDGE_WIDTH + rank % 2, y = rank / 2;
            const int is_inside = (left + x <= width) & (top + y > 0) & (top + y <= height);
            gradient[y][x] = gradient_of((const unsigned char *)source[y] + x + 2) & -is_inside;
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            const int x = (int)threadIdx.x, first = (int)threadIdx.y * STRIP;
            const int weak = (low + 1) * 256, firm = (high + 1) * 256;
            int g[STRIP + 2][3];
            UNROLL(STRIP + 2)
            for (int k = 0; k < STRIP + 2; k++) {
                UNROLL(3)
                for (int n = 0; n < 3; n++)
                    g[k][n] = gradient[first + k][x + n];
            }
            UNROLL(STRIP)
            for (int k = 0; k < STRIP; k++) {
                const int own = g[k + 1][1], axis = own & AXIS, second = own & SECOND;
                const int before_axis = second ? g[k][1] : g[k + 1][0];
                const int after_axis = second ? g[k + 2][1] : g[k + 1][2];
                const int before = axis ? before_axis : second ? g[k][2] : g[k][0];
                const int after = axis ? after_axis : second ? g[k + 2][0] : g[k + 2][2];
                const int size = own & ~255;
                const int is_edge = (own >= weak) & (size > before) & (size + 2 * axis > after);
                ((unsigned char *)marks[first + k])[x] =
                    (unsigned char)(is_edge ? (own >= firm ? 3 : 1) : 0);
            }
        }
        SYNC_THREADS();
        FOR_THREADS_BELOW(2 * EDGE_HEIGHT) {
            const int rank = (int)threadIdx.y * EDGE_WIDTH + (int)threadIdx.x, y = rank / 2;
            const int word = (top + y) * (int)gridDim.x + (int)blockIdx.x;
            unsigned bits = 0;
            UNROLL(EDGE_WIDTH / 4)
            for (int k = 0; k < EDGE_WIDTH / 4; k++)
                bits |= pack(marks[y][k] >> rank % 2 & 0x01010101) << 4 * k;
            if (top + y < height)
                (rank % 2 ? strong : edges)[word] = bits;
        }
    }
}
