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
    if (i < n)
        tile[t] = x[i];
    if (threadIdx.x == 0 && count > 0) {
        tile[0] = first > 0 ? x[first - 1] : 0;
        tile[1 + count] = first + count < n ? x[first + count] : 0;
    }
    __syncthreads();
    if (i < n)
        y[i] = tile[t - 1] + tile[t] + tile[t + 1];
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
