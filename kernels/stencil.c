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
 * side go through shared memory. A thread keeps its own, which also lets clang add whole registers:
 * of three neighbours in one array it would carry two over from one thread to the next. One element
 * per thread: the grid must cover n. */
KERNEL(neighbour_sum_shared)(int n, const REAL *RESTRICT x, REAL *RESTRICT y)
{
    FOR_EACH_BLOCK(0) {
        SHARED(REAL, tile, [1 + 1024 + 1]);
        PRIVATE(REAL, own);
        const int first = (int)(blockIdx.x * blockDim.x);
        const int count = n - first < (int)blockDim.x ? n - first : (int)blockDim.x;
        FOR_THREADS_BELOW(count) {
            MINE(own) = x[first + (int)threadIdx.x];
            tile[1 + threadIdx.x] = MINE(own);
        }
        FOR_THREADS_BELOW(count < 1 ? count : 1) {
            tile[0] = first > 0 ? x[first - 1] : 0;
            tile[1 + count] = first + count < n ? x[first + count] : 0;
        }
        SYNC_THREADS();
        FOR_THREADS_BELOW(count)
            y[first + (int)threadIdx.x] = tile[threadIdx.x] + MINE(own) + tile[threadIdx.x + 2];
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

/* The rows that a thread of blur_words computes. */
#define BLUR_ROWS 8

/* The four pixels of a word, or a sum for each of them, in 16 bits each: 0 and 2 in `even`, 1 and 3
 * in `odd`. One addition adds two pixels. The largest sum, 16 * 16 * 255 + 128, fits. */
struct pixel_pairs {
    unsigned even, odd;
};

/* The lowest byte of a word is the leftmost pixel. */
DEVICE struct pixel_pairs pairs_of(unsigned word)
{
    const struct pixel_pairs pairs = {word & 0x00ff00ff, word >> 8 & 0x00ff00ff};
    return pairs;
}

/* Two pixels at a time, weighted by the binomials, which sum to 16. */
DEVICE unsigned binomial(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e)
{
    return (a + e) + 4 * (b + d) + 6 * c;
}

/* For each pixel of word i of a row, the weighted sum of the five around it.  row: `words` words */
DEVICE struct pixel_pairs sums_along_row(const unsigned *RESTRICT row, int i, int words)
{
    const unsigned word = row[i];
    const unsigned left = i > 0 ? row[i - 1] : (word & 0xff) * 0x01010101;
    const unsigned right = i < words - 1 ? row[i + 1] : (word >> 24) * 0x01010101;
    const struct pixel_pairs before = pairs_of(left >> 16 | word << 16); /* pixels -2 to 1 */
    const struct pixel_pairs here = pairs_of(word);                      /* pixels 0 to 3 */
    const struct pixel_pairs after = pairs_of(word >> 16 | right << 16); /* pixels 2 to 5 */
    const struct pixel_pairs sums = {
        binomial(before.even, before.odd, here.even, here.odd, after.even),
        binomial(before.odd, here.even, here.odd, after.even, after.odd)};
    return sums;
}

/* The blur of a grey image by one set of weights, products of the binomials 1, 4, 6, 4, 1 over
 * 256, with the same results, in integers. The weights are products, so a sum along a row serves
 * five rows of results: a thread sums along BLUR_ROWS + 4 rows, for the four pixels of a word,
 * and then along the columns. On an H200, 219 us for 16384 x 16384 pixels, against 13243 for
 * blur and 625 for NPP's FilterGaussAdvancedBorder.
 * width: a multiple of 4; image, blurred: height x width bytes, row-major, aligned to words */
KERNEL(blur_words)(int width, int height, const unsigned *RESTRICT image,
                   unsigned *RESTRICT blurred)
{
    const int words = width / 4;
    GRID_STRIDE_LOOP_2D(i, part, words, height / BLUR_ROWS + (height % BLUR_ROWS != 0)) {
        const int top = part * BLUR_ROWS;
        struct pixel_pairs sums[BLUR_ROWS + 2 * BLUR_RADIUS];
        UNROLL(BLUR_ROWS + 2 * BLUR_RADIUS)
        for (int r = 0; r < BLUR_ROWS + 2 * BLUR_RADIUS; r++) {
            const size_t row = (size_t)clamp(top + r - BLUR_RADIUS, height - 1);
            sums[r] = sums_along_row(image + row * (size_t)words, i, words);
        }
        UNROLL(BLUR_ROWS)
        for (int r = 0; r < BLUR_ROWS; r++) {
            const struct pixel_pairs *s = sums + r;
            const unsigned half = 0x00800080; /* to round */
            const unsigned even =
                binomial(s[0].even, s[1].even, s[2].even, s[3].even, s[4].even) + half;
            const unsigned odd = binomial(s[0].odd, s[1].odd, s[2].odd, s[3].odd, s[4].odd) + half;
            if (top + r < height)
                blurred[(size_t)(top + r) * (size_t)words + (size_t)i] =
                    (even >> 8 & 0x00ff00ff) | (odd & 0xff00ff00);
        }
    }
}
