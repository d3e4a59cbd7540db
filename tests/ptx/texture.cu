/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/texture.c as CUDA written by hand. */
#include "loops.h"
struct affine {
    float a, b, c, d, e, f;
};

extern "C" __global__ void resample_line(int n, cudaTextureObject_t texture, float scale,
                                         float shift, float *__restrict__ out)
{
    FOR_PAIRS(i, n)
        out[i] = tex1D<float>(texture, scale * i + shift);
}

extern "C" __global__ void resample_plane(int width, int height, cudaTextureObject_t texture,
                                          affine map, float *__restrict__ out)
{
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width;
             x += gridDim.x * blockDim.x) {
            const float u = map.a * x + map.b * y + map.c;
            const float v = map.d * x + map.e * y + map.f;
            out[(size_t)y * width + x] = tex2D<float>(texture, u, v);
        }
    }
}

extern "C" __global__ void resample_image(int width, int height, cudaTextureObject_t image,
                                          affine map, unsigned char *__restrict__ out)
{
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width;
             x += gridDim.x * blockDim.x) {
            const float u = map.a * x + map.b * y + map.c;
            const float v = map.d * x + map.e * y + map.f;
            out[(size_t)y * width + x] = (unsigned char)(tex2D<float>(image, u, v) * 255 + 0.5f);
        }
    }
}
