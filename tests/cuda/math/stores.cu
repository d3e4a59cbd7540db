// SPDX-License-Identifier: BSD-3-Clause
// Kernels whose results depend on the compiler's options for mathematics. With -DFIXED=1 they do not.
#include <cstdio>
#include <cuda_fp16.h>

#if !defined(FIXED)
#define FIXED 0
#endif
enum { N = 64 };

// The difference of two products that are equal: contracted, the rounding error of one remains.
__device__ float determinant(float a, float b, float c, float d)
{
    return FIXED ? __fsub_rn(__fmul_rn(a, b), c * d) : a * b - c * d;
}
__global__ void determinants(const float *a, const float *b, float *out)
{
    const unsigned i = threadIdx.x;
    out[i] = determinant(a[i], a[i], b[i], b[i]);
}

// The same in double, in a function.
__device__ double residual(double x, double y)
{
    return FIXED ? fma(x, y, -1.0) : x * y - 1.0;
}
__global__ void residuals(const double *a, double *out)
{
    out[threadIdx.x] = residual(a[threadIdx.x], 1 / a[threadIdx.x]);
}

// What follows from another kernel's results, and from another thread's by shared memory.
__global__ void sum(const float *in, float *out)
{
    __shared__ float parts[N];
    const unsigned i = threadIdx.x;
    parts[i] = in[i];
    for (unsigned half = N / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i < half)
            parts[i] += parts[i + half];
    }
    if (i == 0)
        *out = parts[0];
}

// Weights that -ftz=true makes 0.
__global__ void weigh(const float *in, float *out)
{
    const float weight = FIXED ? 1e-30f : 1e-39f;
    out[threadIdx.x] = in[threadIdx.x] * weight;
}

// A large argument, whose product with log2(e) is rounded before the function is computed.
__global__ void exponentials(const float *in, float *out)
{
    out[threadIdx.x] = FIXED ? __expf(in[threadIdx.x]) : expf(in[threadIdx.x]);
}
__global__ void sines(const float *in, float *out)
{
    const float x = in[threadIdx.x];
    if (FIXED)
        out[threadIdx.x] = __sinf(x) + __cosf(x) + __powf(x, 2.5f);
    else
        out[threadIdx.x] = std::sin(x) + pow(x, 2.5f);
}

// A store of four floats, and sums by atomics.
__global__ void quads(const float *in, float4 *out, float *total)
{
    const unsigned i = threadIdx.x;
    const float x = in[i], y = FIXED ? fmaf(x, 0.1f, 0.7f) : x * 0.1f + 0.7f;
    out[i] = make_float4(x, y, y, 1);
    atomicAdd(total, y);
}

// Threads that take another way: the exact build has a difference of 0.
__global__ void refine(const float *a, const float *b, int *steps)
{
    const unsigned i = threadIdx.x;
    if (determinant(a[i], a[i], b[i], b[i]) != 0)
        steps[2 * i] = 1;
    steps[2 * i + 1] = 2;
}

// Quotients that are nearly whole numbers, and roots.
__global__ void bins(const float *in, int *counts, float *out)
{
    const unsigned i = threadIdx.x;
    const float x = in[i];
    counts[i] = (int)(FIXED ? __fdiv_rn(x, 0.1f) : x / 0.1f);
    out[i] = FIXED ? __fsqrt_rn(x) : sqrtf(x);
    out[N + i] = FIXED ? __frcp_rn(x) : 1 / x;
    out[2 * N + i] = (float)(1 / (double)x + sqrt((double)x)); // of doubles, which stay exact
}

int main()
{
    float *a, *b, *out, in[N];
    double *d, wide[N];
    cudaMalloc(&a, N * sizeof *a);
    cudaMalloc(&b, N * sizeof *b);
    cudaMalloc(&d, N * sizeof *d);
    cudaMalloc(&out, 5 * N * sizeof *out);
    for (int i = 0; i < N; i++) {
        in[i] = 1 + (float)i * 0.1f; // host code is not contracted
        wide[i] = in[i];
    }
    cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(b, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(d, wide, sizeof wide, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 5 * N * sizeof *out);
    determinants<<<1, N>>>(a, b, out);
    sum<<<1, N>>>(out, out + N);
    residuals<<<1, N>>>(d, d);
    weigh<<<1, N>>>(a, out);
    exponentials<<<1, N>>>(a, out);
    sines<<<1, N>>>(a, out);
    quads<<<1, N>>>(a, (float4 *)out, out + 4 * N);
    refine<<<2, N / 2>>>(a, b, (int *)out);
    bins<<<1, N>>>(a, (int *)out, out + N);
    cudaFree(a);
    cudaFree(b);
    cudaFree(d);
    cudaFree(out);
    return cudaDeviceSynchronize();
}
// -fmad=true FIXED=0
//     fpcheck: other values in kernel determinants: 51 of 64 stores at stores.cu:19, by more than 1000000 ulps
//         which arise here, as by block (0, 0, 0), thread (63, 0, 0): 1.8692017e-06 for 0,
//         in 4 bytes at byte 252 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel residuals: 61 of 64 stores at stores.cu:29, by more than 1000000 ulps
//         which arise here, as by block (0, 0, 0), thread (9, 0, 0): 9.3154301258863799e-17 for 0,
//         in 8 bytes at byte 72 of device array d of 512 bytes, allocated at stores.cu:103
//     fpcheck: other values in kernel quads: 10 of 256 stores at stores.cu:73, by at most 1 ulp
//         which arise here, as by block (0, 0, 0), thread (5, 0, 0): 0.849999964 for 0.850000024,
//         in 4 bytes at byte 84 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel sum: 51 of 64 stores at stores.cu:37, by more than 1000000 ulps
//         which may follow from others, as by block (0, 0, 0), thread (63, 0, 0): 1.8692017e-06 for 0,
//         in 4 bytes at byte 252 of shared array parts
//     fpcheck: other values in kernel sum: 63 of 63 stores at stores.cu:41, by more than 1000000 ulps
//         which may follow from others, as by block (0, 0, 0), thread (0, 0, 0): 6.87599231e-06 for 0,
//         in 4 bytes at byte 0 of shared array parts
//     fpcheck: other values in kernel sum: 1 of 1 stores at stores.cu:44, by more than 1000000 ulps
//         which may follow from others, as by block (0, 0, 0), thread (0, 0, 0): 6.87599231e-06 for 0,
//         in 4 bytes at byte 256 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: 50 times a thread stores at other lines than in the exact build, first in kernel refine: at stores.cu:82 and not at stores.cu:83
//     fpcheck: 1038 stores were compared, and 100 were not
//     fpcheck: 6 differences in 4 kernels
//     exits with 1
// -fmad=true FIXED=1
//     fpcheck: no differences in 9 kernels
//     exits with 0
// -ftz=true FIXED=0
//     fpcheck: other values in kernel weigh: 64 of 64 stores at stores.cu:51, by more than 1000000 ulps
//         which arise here, as by block (0, 0, 0), thread (63, 0, 0): 0 for 7.30000129e-39,
//         in 4 bytes at byte 252 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: 1 difference in 1 kernel
//     exits with 1
// -ftz=true FIXED=1
//     fpcheck: no differences in 9 kernels
//     exits with 0
// -prec-div=false FIXED=0
//     fpcheck: other values in kernel bins: 25 of 64 stores at stores.cu:91, by at most 1 ulp
//         which arise here, as by block (0, 0, 0), thread (0, 0, 0): 9 for 10,
//         in 4 bytes at byte 0 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel bins: 52 of 64 stores at stores.cu:93, by at most 2 ulps
//         which arise here, as by block (0, 0, 0), thread (6, 0, 0): 0.625000119 for 0.625,
//         in 4 bytes at byte 536 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: 2 differences in 1 kernel
//     exits with 1
// -prec-div=false FIXED=1
//     fpcheck: no differences in 9 kernels
//     exits with 0
// -prec-sqrt=false FIXED=0
//     fpcheck: other values in kernel bins: 46 of 64 stores at stores.cu:92, by at most 1 ulp
//         which arise here, as by block (0, 0, 0), thread (0, 0, 0): 0.99999994 for 1,
//         in 4 bytes at byte 256 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: 1 difference in 1 kernel
//     exits with 1
// -prec-sqrt=false FIXED=1
//     fpcheck: no differences in 9 kernels
//     exits with 0
// -use_fast_math FIXED=0
//     fpcheck: other values in kernel determinants: 51 of 64 stores at stores.cu:19, by more than 1000000 ulps
//         which arise here, as by block (0, 0, 0), thread (63, 0, 0): 1.8692017e-06 for 0,
//         in 4 bytes at byte 252 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel residuals: 61 of 64 stores at stores.cu:29, by more than 1000000 ulps
//         which arise here, as by block (0, 0, 0), thread (9, 0, 0): 9.3154301258863799e-17 for 0,
//         in 8 bytes at byte 72 of device array d of 512 bytes, allocated at stores.cu:103
//     fpcheck: other values in kernel weigh: 64 of 64 stores at stores.cu:51, by more than 1000000 ulps
//         which arise here, as by block (0, 0, 0), thread (63, 0, 0): 0 for 7.30000129e-39,
//         in 4 bytes at byte 252 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel exponentials: 46 of 64 stores at stores.cu:57, by at most 5 ulps
//         which arise here, as by block (0, 0, 0), thread (57, 0, 0): 812.405762 for 812.406067,
//         in 4 bytes at byte 228 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel sines: 49 of 64 stores at stores.cu:65, by at most 5 ulps
//         which arise here, as by block (0, 0, 0), thread (58, 0, 0): 121.073326 for 121.073288,
//         in 4 bytes at byte 232 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel quads: 10 of 256 stores at stores.cu:73, by at most 1 ulp
//         which arise here, as by block (0, 0, 0), thread (5, 0, 0): 0.849999964 for 0.850000024,
//         in 4 bytes at byte 84 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel bins: 25 of 64 stores at stores.cu:91, by at most 1 ulp
//         which arise here, as by block (0, 0, 0), thread (0, 0, 0): 9 for 10,
//         in 4 bytes at byte 0 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel bins: 46 of 64 stores at stores.cu:92, by at most 1 ulp
//         which arise here, as by block (0, 0, 0), thread (2, 0, 0): 1.09544528 for 1.09544516,
//         in 4 bytes at byte 264 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel bins: 52 of 64 stores at stores.cu:93, by at most 2 ulps
//         which arise here, as by block (0, 0, 0), thread (1, 0, 0): 0.909090817 for 0.909090877,
//         in 4 bytes at byte 516 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: other values in kernel sum: 51 of 64 stores at stores.cu:37, by more than 1000000 ulps
//         which may follow from others, as by block (0, 0, 0), thread (63, 0, 0): 1.8692017e-06 for 0,
//         in 4 bytes at byte 252 of shared array parts
//     fpcheck: other values in kernel sum: 63 of 63 stores at stores.cu:41, by more than 1000000 ulps
//         which may follow from others, as by block (0, 0, 0), thread (0, 0, 0): 6.87599231e-06 for 0,
//         in 4 bytes at byte 0 of shared array parts
//     fpcheck: other values in kernel sum: 1 of 1 stores at stores.cu:44, by more than 1000000 ulps
//         which may follow from others, as by block (0, 0, 0), thread (0, 0, 0): 6.87599231e-06 for 0,
//         in 4 bytes at byte 256 of device array out of 1280 bytes, allocated at stores.cu:104
//     fpcheck: 50 times a thread stores at other lines than in the exact build, first in kernel refine: at stores.cu:82 and not at stores.cu:83
//     fpcheck: 1038 stores were compared, and 100 were not
//     fpcheck: 12 differences in 8 kernels
//     exits with 1
// -use_fast_math FIXED=1
//     fpcheck: no differences in 9 kernels
//     exits with 0
