/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/stencil.c as CUDA written by hand. */
#include "loops.h"

typedef float REAL;

extern "C" __global__ void neighbour_sum(int n, const REAL *__restrict__ x, REAL *__restrict__ y)
{
    FOR_PAIRS(i, n) {
        const REAL left = i > 0 ? x[i - 1] : 0;
        const REAL right = i < n - 1 ? x[i + 1] : 0;
        y[i] = left + x[i] + right;
    }
}

/* The grid covers n. */
extern "C" __global__ void neighbour_sum_shared(int n, const REAL *__restrict__ x,
                                                REAL *__restrict__ y)
{
    __shared__ REAL tile[1 + 1024 + 1];
    const int first = blockIdx.x * blockDim.x;
    const int count = min(n - first, (int)blockDim.x);
    const int i = first + threadIdx.x, t = 1 + threadIdx.x;
    REAL own;
    if (i < n)
        tile[t] = own = x[i];
    if (threadIdx.x == 0 && count > 0) {
        tile[0] = first > 0 ? x[first - 1] : 0;
        tile[1 + count] = first + count < n ? x[first + count] : 0;
    }
    __syncthreads();
    if (i < n)
        y[i] = tile[t - 1] + own + tile[t + 1];
}

#define BLUR_RADIUS 2
#define BLUR_WIDTH (2 * BLUR_RADIUS + 1)

static __constant__ float blur_weights[BLUR_WIDTH * BLUR_WIDTH];

extern "C" __global__ void blur(int width, int height, int channels,
                                const unsigned char *__restrict__ image,
                                unsigned char *__restrict__ blurred)
{
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width;
             x += gridDim.x * blockDim.x) {
            for (int channel = 0; channel < channels; channel++) {
                float sum = 0;
                for (int v = -BLUR_RADIUS; v <= BLUR_RADIUS; v++) {
                    const int row = min(max(y + v, 0), height - 1);
                    for (int u = -BLUR_RADIUS; u <= BLUR_RADIUS; u++) {
                        const int column = min(max(x + u, 0), width - 1);
                        const float weight =
                            blur_weights[(v + BLUR_RADIUS) * BLUR_WIDTH + u + BLUR_RADIUS];
                        sum += weight * image[((size_t)row * width + column) * channels + channel];
                    }
                }
                blurred[((size_t)y * width + x) * channels + channel] = (unsigned char)(sum + 0.5f);
            }
        }
    }
}

#define BLUR_ROWS 8

struct pixel_pairs {
    unsigned even, odd;
};

static __device__ unsigned binomial(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e)
{
    return (a + e) + 4 * (b + d) + 6 * c;
}

static __device__ pixel_pairs pairs_of(unsigned word)
{
    return {word & 0x00ff00ff, word >> 8 & 0x00ff00ff};
}

extern "C" __global__ void blur_words(int width, int height, const unsigned *__restrict__ image,
                                      unsigned *__restrict__ blurred)
{
    const int words = width / 4, parts = height / BLUR_ROWS + (height % BLUR_ROWS != 0);
    for (int part = blockIdx.y * blockDim.y + threadIdx.y; part < parts;
         part += gridDim.y * blockDim.y) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
             i += gridDim.x * blockDim.x) {
            const int top = part * BLUR_ROWS;
            pixel_pairs sums[BLUR_ROWS + 2 * BLUR_RADIUS];
#pragma unroll
            for (int r = 0; r < BLUR_ROWS + 2 * BLUR_RADIUS; r++) {
                const unsigned *row =
                    image + (size_t)min(max(top + r - BLUR_RADIUS, 0), height - 1) * words;
                const unsigned here = row[i];
                const unsigned left = i > 0 ? row[i - 1] : (here & 0xff) * 0x01010101;
                const unsigned right = i < words - 1 ? row[i + 1] : (here >> 24) * 0x01010101;
                const pixel_pairs l = pairs_of(left >> 16 | here << 16);
                const pixel_pairs h = pairs_of(here);
                const pixel_pairs g = pairs_of(here >> 16 | right << 16);
                sums[r] = {binomial(l.even, l.odd, h.even, h.odd, g.even),
                           binomial(l.odd, h.even, h.odd, g.even, g.odd)};
            }
#pragma unroll
            for (int r = 0; r < BLUR_ROWS; r++) {
                const pixel_pairs *s = sums + r;
                if (top + r < height)
                    blurred[(size_t)(top + r) * words + i] =
                        (binomial(s[0].even, s[1].even, s[2].even, s[3].even, s[4].even) +
                         0x00800080) >>
                                8 &
                            0x00ff00ff |
                        (binomial(s[0].odd, s[1].odd, s[2].odd, s[3].odd, s[4].odd) + 0x00800080) &
                            0xff00ff00;
            }
        }
    }
}
