// SPDX-License-Identifier: BSD-3-Clause
// Operations that make a NaN or an infinity. BUG names one mistake; with FIXED=1 it is corrected.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { N = 64 };
static const bool fixed = getenv("FIXED") != nullptr;
static float *x, *y;

// The norm of a vector of zeros is 0.
__global__ void normalise(float *v, bool correct)
{
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += v[i] * v[i];
    const float norm = sqrtf(sum);
    if (threadIdx.x < 3 && !(correct && norm == 0))
        v[threadIdx.x] = v[threadIdx.x] / norm;
}
static void zero_norm()
{
    normalise<<<1, 32>>>(x, fixed);
}

// Masked elements are -infinity: a row with nothing else has no maximum to subtract.
__global__ void mask(float *out, bool correct)
{
    const float score = -INFINITY, most = correct ? 0.0f : -INFINITY;
    out[threadIdx.x] = expf(score - most);
}
static void masked_row()
{
    mask<<<1, 32>>>(y, fixed);
}

__global__ void weigh(float *out, const float *weights)
{
    out[threadIdx.x] = weights[threadIdx.x] * INFINITY;
}
static void zero_times_infinity()
{
    if (fixed)
        cudaMemset(x, 1, N * sizeof *x);
    weigh<<<1, 32>>>(y, x);
}

// The mean of the squares less the square of the mean, of numbers that are nearly equal.
__global__ void deviate(float *out, float mean, bool correct)
{
    float sum = 0, squares = 0;
    for (int i = 0; i < 3; i++) {
        const float value = mean + (i == 0 ? 0.01f : 0);
        sum += value;
        squares += value * value;
    }
    const float variance = squares / 3 - (sum / 3) * (sum / 3);
    out[threadIdx.x] = sqrtf(correct ? fmaxf(variance, 0) : variance);
}
static void cancelled_variance()
{
    deviate<<<2, 8>>>(y, 100.2f, fixed);
}

__global__ void entropy(const float *p, float *out, bool correct)
{
    const float q = p[threadIdx.x];
    out[threadIdx.x] = correct && q == 0 ? 0 : -q * logf(q);
}
static void log_of_zero()
{
    entropy<<<1, 32>>>(x, y, fixed);
}

__device__ double logarithm(double number)
{
    return log(number);
}
__global__ void measure(double *out, double from, double to)
{
    out[threadIdx.x] = logarithm(to - from);
}
static void log_of_negative()
{
    measure<<<1, 1>>>((double *)y, fixed ? 1 : 2, fixed ? 2 : 1);
}

__global__ void determinant(float *out, float scale, bool correct)
{
    float product = 1;
    double wide = 1;
    for (int i = 0; i < 8; i++)
        if (correct)
            wide *= scale;
        else
            product *= scale;
    out[threadIdx.x] = correct ? (float)log(wide) : product;
}
static void overflow_of_product()
{
    determinant<<<1, 2>>>(y, 1e6f, fixed);
}

// Without its largest element subtracted.
__global__ void softmax(const float *scores, float *out, bool correct)
{
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    const float value = expf(scores[threadIdx.x] - (correct ? 300 : 0));
    atomicAdd(&sum, value);
    __syncthreads();
    out[threadIdx.x] = value / sum;
}
static void softmax_overflows()
{
    float scores[32];
    for (int i = 0; i < 32; i++)
        scores[i] = 300 - (float)i;
    cudaMemcpy(x, scores, sizeof scores, cudaMemcpyHostToDevice);
    softmax<<<1, 32>>>(x, y, fixed);
}

// The cosine between equal directions, slightly over 1.
__global__ void angle(double *out, double cosine, bool correct)
{
    out[threadIdx.x] = acos(correct ? fmin(cosine, 1.0) : cosine);
}
static void acos_over_one()
{
    angle<<<1, 1>>>((double *)y, 1 + DBL_EPSILON, fixed);
}

__global__ void invert(double *out, const double *diagonal)
{
    out[threadIdx.x] = 1.0 / diagonal[threadIdx.x];
    out[threadIdx.x] = rsqrt(diagonal[threadIdx.x]);
}
static void reciprocal_of_zero()
{
    if (fixed)
        cudaMemset(x, 1, N * sizeof *x);
    invert<<<1, N / 2>>>((double *)y, (double *)x);
}

__global__ void narrow(float *out, double value)
{
    out[threadIdx.x] = (float)value;
}
static void double_to_float()
{
    narrow<<<1, 1>>>(y, fixed ? 1e38 : 1e39);
}

__global__ void to_half(__half *out, float value)
{
    out[threadIdx.x] = __float2half(value);
}
static void half_at_65520()
{
    to_half<<<1, 1>>>((__half *)y, fixed ? 65519 : 65520);
}

__global__ void add_halves(__half *out, __half a, __half b)
{
    out[threadIdx.x] = a * b + a;
}
static void half_product()
{
    add_halves<<<1, 1>>>((__half *)y, __float2half(-256), __float2half(fixed ? 128 : 256));
}
static void half_difference()
{
    const __half infinity = __ushort_as_half(0x7c00);
    add_halves<<<1, 1>>>((__half *)y, infinity, fixed ? infinity : -infinity);
}
__global__ void divide_halves(__half2 *out, __half2 a, __half2 b)
{
    out[threadIdx.x] = __h2div(a, b);
}
static void half_zeros()
{
    divide_halves<<<1, 1>>>((__half2 *)y, __floats2half2_rn(1, 0),
                            __floats2half2_rn(2, fixed ? 1 : 0));
}

__global__ void add_bfloats(__nv_bfloat16 *out, float value)
{
    const __nv_bfloat16 b = __float2bfloat16(value);
    out[threadIdx.x] = b + b;
}
static void bfloat_sum()
{
    add_bfloats<<<1, 1>>>((__nv_bfloat16 *)y, fixed ? 1e38f : 2e38f);
}
__global__ void root_of_bfloat(__nv_bfloat16 *out, float value)
{
    out[threadIdx.x] = hsqrt(__float2bfloat16(value));
}
static void bfloat_root()
{
    root_of_bfloat<<<1, 1>>>((__nv_bfloat16 *)y, fixed ? 4 : -4);
}

// With -ftz=true a GPU makes it 0.
__global__ void decay(float *out, float value, int steps)
{
    for (int i = 0; i < steps; i++)
        value *= 0.001f;
    out[threadIdx.x] = value;
}
static void subnormal()
{
    decay<<<1, 1>>>(y, 1, fixed ? 12 : 13);
}

// So it does with an operand, though the result is large enough.
__global__ void scale_up(float *out, const float *in)
{
    out[threadIdx.x] = in[threadIdx.x] * 1e10f;
}
static void subnormal_operand()
{
    const float in = fixed ? FLT_MIN : FLT_MIN / 4;
    cudaMemcpy(x, &in, sizeof in, cudaMemcpyHostToDevice);
    scale_up<<<1, 1>>>(y, x);
}

// A NaN goes through shared memory, to another thread's sum.
__global__ void sum_shared(float *out, const float *in, bool correct)
{
    __shared__ float parts[32];
    const unsigned i = threadIdx.x;
    parts[i] = correct && in[i] < 0 ? 0 : sqrtf(in[i]);
    for (unsigned half = 16; half > 0; half /= 2) {
        __syncthreads();
        if (i < half)
            parts[i] += parts[i + half];
    }
    if (i == 0)
        *out = parts[0];
}
static void nan_in_shared()
{
    const float in = -1;
    cudaMemcpy(x + 5, &in, sizeof in, cudaMemcpyHostToDevice);
    sum_shared<<<1, 32>>>(y, x, fixed);
}

// An infinity by an atomic, and as a double.
__device__ double total;
__global__ void accumulate(const float *in)
{
    atomicAdd(&total, (double)(in[threadIdx.x] * 1e20f));
}
static void infinity_in_sum()
{
    const float in[2] = {1, fixed ? 2 : 1e20f};
    cudaMemcpy(x, in, sizeof in, cudaMemcpyHostToDevice);
    accumulate<<<1, 2>>>(x);
}

// A NaN that is compared, and never stored. An array has an integer that looks like one.
__global__ void threshold(int *out, const float *in, bool correct)
{
    const float ratio = in[0] / (correct ? 1 : in[1]);
    out[threadIdx.x] = ratio > 1 ? 1 : 2;
}
static void nan_compared()
{
    const int like_nan = 0x7fc00000;
    cudaMemcpy(x + 8, &like_nan, sizeof like_nan, cudaMemcpyHostToDevice);
    threshold<<<1, 4>>>((int *)y, x, fixed);
}

// None of these makes a NaN or an infinity.
__global__ void pass_on(float *out, double *wide, float nan, float signalling, float infinity)
{
    out[0] = nan + 1;
    out[1] = nan * infinity;
    out[2] = signalling + 1;
    out[3] = signalling < 1 ? 1 : 2;
    out[4] = nan < 1 ? 1 : 2;
    out[5] = fmaxf(nan, 1);
    out[6] = (float)(int)1.5f + (float)isnan(nan);
    out[7] = infinity + 1;
    out[8] = expf(-infinity);
    out[9] = logf(infinity);
    out[10] = 1 / infinity;
    out[11] = nan == nan ? sqrtf(nan) : cosf(nan);
    out[12] = __fadd_rz(FLT_MAX, out[8] + FLT_MAX);
    out[13] = (float)__float2int_rn(nan);
    out[14] = out[0] > infinity ? 1 / out[10] : 0;
    wide[16] = (double)signalling;
    printf("%g %g\n", (double)infinity, wide[16]);
}
static void quiet()
{
    const unsigned bits = 0x7f800001;
    float signalling;
    memcpy(&signalling, &bits, sizeof bits);
    pass_on<<<1, 1>>>(y, (double *)y, NAN, signalling, INFINITY);
}

// A pair of lines of one kernel, in a loop with more exceptions than are looked at.
__global__ void repeat(float *out, float zero)
{
    float sum = 0;
    for (int i = 1; i <= 300; i++)
        sum = fmaxf(sum, 1 / (zero * i));
    out[threadIdx.x] = sum - sum;
}
static void many()
{
    repeat<<<N, 1>>>(y, fixed ? 1 : 0);
}

int main()
{
#define BUG(name)                                                                                  \
    {                                                                                              \
#name, name                                                                                \
    }
    static const struct {
        const char *name;
        void (*run)();
    } bugs[] = {BUG(zero_norm),
                BUG(masked_row),
                BUG(zero_times_infinity),
                BUG(cancelled_variance),
                BUG(log_of_zero),
                BUG(log_of_negative),
                BUG(overflow_of_product),
                BUG(softmax_overflows),
                BUG(acos_over_one),
                BUG(reciprocal_of_zero),
                BUG(double_to_float),
                BUG(half_at_65520),
                BUG(half_product),
                BUG(half_difference),
                BUG(half_zeros),
                BUG(bfloat_sum),
                BUG(bfloat_root),
                BUG(subnormal),
                BUG(subnormal_operand),
                BUG(nan_in_shared),
                BUG(infinity_in_sum),
                BUG(nan_compared),
                BUG(quiet),
                BUG(many)};
    const char *const name = getenv("BUG");
    cudaMalloc(&x, N * sizeof *x);
    cudaMalloc(&y, N * 2 * sizeof *y);
    for (const auto &bug : bugs) {
        cudaMemset(x, 0, N * sizeof *x);
        cudaMemset(y, 0, N * 2 * sizeof *y);
        if (!name || strcmp(bug.name, name) == 0)
            bug.run();
    }
    cudaFree(x);
    cudaFree(y);
    return cudaDeviceSynchronize();
}
// fpcheck PORTABLE_FP_SUBNORMALS=1 exits with 1:
//     fpcheck: NaN in kernel normalise: 0 / 0 at floats.cu:23
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//         then stored at floats.cu:23, in 4 bytes at byte 0 of device array x of 256 bytes, allocated at floats.cu:357
//         then 3 NaNs are in memory, the first in 4 bytes at byte 0 of device array x of 256 bytes, allocated at floats.cu:357
//     fpcheck: NaN in kernel mask: -inf - -inf at floats.cu:34
//         first by block (0, 0, 0), thread (0, 0, 0); 32 times in this launch
//         then stored at floats.cu:34, in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//         then 32 NaNs are in memory, the first in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: NaN in kernel weigh: 0 * inf at floats.cu:43
//         first by block (0, 0, 0), thread (0, 0, 0); 32 times in this launch
//         then stored at floats.cu:43, in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//         then 32 NaNs are in memory, the first in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: NaN in kernel deviate: the square root of -0.0009765625 at floats.cu:62
//         first by block (0, 0, 0), thread (0, 0, 0); 16 times in this launch
//         then stored at floats.cu:62, in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//         then 8 NaNs are in memory, the first in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: infinity in kernel entropy: a pole of a math function at floats.cu:72
//         first by block (0, 0, 0), thread (0, 0, 0); 32 times in this launch
//     fpcheck: NaN in kernel entropy: -0 * -inf at floats.cu:72
//         first by block (0, 0, 0), thread (0, 0, 0); 32 times in this launch
//         then stored at floats.cu:72, in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//         then 32 NaNs are in memory, the first in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: NaN in kernel measure: an argument outside the domain of a math function at floats.cu:81
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//         then stored at floats.cu:85, in 8 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//         then 1 NaN is in memory, the first in 8 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: infinity in kernel determinant: 1e+06 * 1.00000004e+36 at floats.cu:100
//         first by block (0, 0, 0), thread (0, 0, 0); 2 times in this launch
//         then stored at floats.cu:101, in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: infinity in kernel softmax: an overflow in a math function at floats.cu:115
//         first by block (0, 0, 0), thread (0, 0, 0); 32 times in this launch
//         then stored at floats.cu:116, in 4 bytes at byte 0 of shared array sum
//     fpcheck: NaN in kernel softmax: inf / inf at floats.cu:118
//         first by block (0, 0, 0), thread (0, 0, 0); 32 times in this launch
//         then stored at floats.cu:118, in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//         then 32 NaNs are in memory, the first in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: NaN in kernel angle: an argument outside the domain of a math function at floats.cu:132
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//         then stored at floats.cu:132, in 8 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//         then 1 NaN is in memory, the first in 8 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: infinity in kernel invert: 1 / 0 at floats.cu:141
//         first by block (0, 0, 0), thread (0, 0, 0); 32 times in this launch
//         then stored at floats.cu:141, in 8 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: infinity in kernel invert: 1 / 0 at floats.cu:142
//         first by block (0, 0, 0), thread (0, 0, 0); 32 times in this launch
//         then stored at floats.cu:142, in 8 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: infinity in kernel narrow: 1e+39 as a float at floats.cu:153
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//         then stored at floats.cu:153, in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: infinity in kernel to_half: 65520 as a half at floats.cu:162
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//         then stored at floats.cu:162, in 2 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: infinity in kernel add_halves: -65536 as a half at floats.cu:171
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//     fpcheck: NaN in kernel add_halves: -inf + inf at floats.cu:171
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//         then stored at floats.cu:171, in 2 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: NaN in kernel divide_halves: 0 / 0 at floats.cu:184
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//         then stored at floats.cu:184, in 2 bytes at byte 2 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: infinity in kernel add_bfloats: 4e+38 as a bfloat16 at floats.cu:195
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//         then stored at floats.cu:195, in 2 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: NaN in kernel root_of_bfloat: the square root of -4 at floats.cu:203
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//         then stored at floats.cu:203, in 2 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: subnormal float in kernel decay: 1.0000004e-36 * 0.001 at floats.cu:214
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//         then stored at floats.cu:215, in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: subnormal float in kernel scale_up: 2.938736e-39 * 1e+10 at floats.cu:225
//         first by block (0, 0, 0), thread (0, 0, 0); 1 time in this launch
//     fpcheck: NaN in kernel sum_shared: the square root of -1 at floats.cu:239
//         first by block (0, 0, 0), thread (5, 0, 0); 1 time in this launch
//         then stored at floats.cu:239, in 4 bytes at byte 20 of shared array parts
//         then 1 NaN is in memory, the first in 4 bytes at byte 0 of device array y of 512 bytes, allocated at floats.cu:358
//     fpcheck: infinity in kernel accumulate: 1e+20 * 1e+20 at floats.cu:259
//         first by block (0, 0, 0), thread (1, 0, 0); 1 time in this launch
//         then stored at floats.cu:259, in 8 bytes at byte 0 of variable total
//     fpcheck: NaN in kernel threshold: 0 / 0 at floats.cu:271
//         first by block (0, 0, 0), thread (0, 0, 0); 4 times in this launch
//     inf nan
//     fpcheck: infinity in kernel repeat: 1 / 0 at floats.cu:315
//         first by block (0, 0, 0), thread (0, 0, 0); at least 4096 times in this launch
//     fpcheck: 1 of 24 launches had too many exceptions: after 256 in a block, or 4096 in a launch, the rest of it was not watched; after 65536 in all, 64 in a launch
//     fpcheck: 26 exceptions in 22 kernels
// fpcheck FIXED=1 PORTABLE_FP_SUBNORMALS=1 exits with 0:
//     inf nan
//     fpcheck: no exceptions in 23 kernels
// fpcheck BUG=subnormal exits with 0:
//     fpcheck: no exceptions in 1 kernel
// fpcheck BUG=quiet exits with 0:
//     inf nan
//     fpcheck: no exceptions in 1 kernel
