// SPDX-License-Identifier: BSD-3-Clause
// One object read and written through pointers to several types, as vector loads and bit tricks do.
#include <cstdio>
#include <cuda_fp16.h>

__global__ void twice(const float4 *in, float4 *out)
{
    float4 v = in[threadIdx.x], r;
    half2 *h = reinterpret_cast<half2 *>(&v), *o = reinterpret_cast<half2 *>(&r);
    for (int i = 0; i < 4; i++)
        o[i] = __hadd2(h[i], h[i]);
    out[threadIdx.x] = r;
}

/* The int is read again after the store of a float. */
__device__ int punned(int *i, float *f)
{
    *i = 1;
    *f = 2;
    return *i;
}
__global__ void bits(int *memory, int *out)
{
    *out = punned(memory, reinterpret_cast<float *>(memory));
}

/* The fast inverse square root. */
__global__ void inverse_square_root(float *x)
{
    float y = *x;
    long long wide[1];
    int *const i = reinterpret_cast<int *>(&y);
    *i = 0x5f3759df - (*i >> 1);
    y *= 1.5f - 0.5f * *x * y * y;
    *reinterpret_cast<double *>(wide) = y;
    *x = static_cast<float>(static_cast<double>(*reinterpret_cast<double *>(wide)));
    wide[0] = 0;
}

int main()
{
    half *p;
    int *i;
    float *f;
    cudaMallocManaged(&p, 16 * sizeof *p);
    cudaMallocManaged(&i, 2 * sizeof *i);
    cudaMallocManaged(&f, sizeof *f);
    for (int k = 0; k < 8; k++)
        p[k] = __float2half(k);
    *f = 4;
    twice<<<1, 1>>>(reinterpret_cast<float4 *>(p), reinterpret_cast<float4 *>(p + 8));
    bits<<<1, 1>>>(i, i + 1);
    inverse_square_root<<<1, 1>>>(f);
    cudaDeviceSynchronize();
    for (int k = 8; k < 16; k++)
        printf("%g ", __half2float(p[k]));
    printf("\n%08x\n%.4f\n", i[1], *f);
    cudaFree(p);
    cudaFree(i);
    cudaFree(f);
}
