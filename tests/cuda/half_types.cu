/* SPDX-License-Identifier: BSD-3-Clause */
/* The types half and half2, and bfloat16's: operators, conversions, shared memory, shuffles and
 * atomics, in kernels and on the host. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>

template <class T> __global__ void operators(float *out)
{
    T a = T(1.5f), b = T(2);
    int n = 0;
    out[n++] = (float)(a + b);
    out[n++] = (float)(a - b);
    out[n++] = (float)(a * b);
    out[n++] = (float)(a / b);
    a += b;
    out[n++] = (float)a;
    a -= T(0.25);
    out[n++] = (float)a;
    a *= b;
    out[n++] = (float)a;
    a /= T(4);
    out[n++] = (float)a;
    out[n++] = (float)(a++);
    out[n++] = (float)(--a);
    out[n++] = (float)-a;
    out[n++] = (float)(a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b);
    out[n++] = (float)(int)(a * b);
    out[n++] = a ? 1.0f : 0.0f;
    b = 7;
    out[n++] = b;
}

__global__ void assign(float *out)
{
    half2 h = __floats2half2_rn(1, 2);
    nv_bfloat162 b = __floats2bfloat162_rn(3, 4);
    h = {};
    b = {};
    out[0] = __low2float(h) + __high2float(h);
    out[1] = __low2float(b) + __high2float(b);
    h = {__float2half(5), __float2half(6)};
    b = {__float2bfloat16(7), __float2bfloat16(8)};
    out[2] = __low2float(h);
    out[3] = __high2float(h);
    out[4] = __low2float(b);
    out[5] = __high2float(b);
    h = __half2_raw{0x3c00, 0x4000};
    b = __nv_bfloat162_raw{0x3f80, 0x4000};
    out[6] = __high2float(h);
    out[7] = __low2float(b);
}

/* Sums 64 elements of a block in shared memory, then in a warp. */
template <class T> __global__ void reduce(const float *in, float *out, T *total)
{
    __shared__ T tile[64];
    tile[threadIdx.x] = T(in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x < 32) {
        T sum = tile[threadIdx.x] + tile[threadIdx.x + 32];
        for (int offset = 16; offset > 0; offset /= 2)
            sum = sum + __shfl_down_sync(0xffffffffu, sum, offset);
        if (threadIdx.x == 0) {
            out[0] = (float)sum;
            atomicAdd(total, sum);
        }
    }
    __syncthreads();
    atomicAdd(total, T(1));
}

template <class T2, class T> __global__ void pairs(float *out, T2 *total)
{
    const T2 a = T2(T(1), T((float)threadIdx.x)), b = T2(T(2), T(3));
    T2 c = a * b;
    c += a;
    const T2 d = __shfl_xor_sync(0xffffffffu, c, 1);
    const T2 e = __lowhigh2highlow(d);
    if (threadIdx.x == 4) {
        out[0] = __low2float(c), out[1] = __high2float(c);
        out[2] = __low2float(d), out[3] = __high2float(d);
        out[4] = (float)e.x, out[5] = (float)e.y;
        out[6] = (float)(a == a) + 2 * (a < b) + 4 * (a != b);
        out[7] = __high2float(__hfma2(a, b, c));
    }
    atomicAdd(total, T2(T(1), T(2)));
}

static float results[64];
static void show(const char *name, const float *out, int count)
{
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (int i = 0; i < count; i++)
        printf(" %g", results[i]);
    printf("\n");
}

int main()
{
    float *in, *out, numbers[64];
    void *total;
    for (int i = 0; i < 64; i++)
        numbers[i] = (float)(i % 8) * 0.25f;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof results);
    cudaMalloc(&total, 16);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof results);

    operators<half><<<1, 1>>>(out);
    show("half", out, 15);
    operators<nv_bfloat16><<<1, 1>>>(out);
    show("bfloat16", out, 15);

    half h;
    cudaMemset(total, 0, 16);
    reduce<half><<<1, 64>>>(in, out, (half *)total);
    show("sum of half", out, 1);
    cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost);
    printf("total %g\n", __half2float(h));
    nv_bfloat16 b;
    cudaMemset(total, 0, 16);
    reduce<nv_bfloat16><<<1, 64>>>(in, out, (nv_bfloat16 *)total);
    show("sum of bfloat16", out, 1);
    cudaMemcpy(&b, total, sizeof b, cudaMemcpyDeviceToHost);
    printf("total %g\n", __bfloat162float(b));

    half2 h2;
    cudaMemset(total, 0, 16);
    pairs<half2, half><<<1, 32>>>(out, (half2 *)total);
    show("half2", out, 8);
    cudaMemcpy(&h2, total, sizeof h2, cudaMemcpyDeviceToHost);
    printf("total %g %g\n", __low2float(h2), __high2float(h2));
    nv_bfloat162 b2;
    cudaMemset(total, 0, 16);
    pairs<nv_bfloat162, nv_bfloat16><<<1, 32>>>(out, (nv_bfloat162 *)total);
    show("bfloat162", out, 8);
    cudaMemcpy(&b2, total, sizeof b2, cudaMemcpyDeviceToHost);
    printf("total %g %g\n", __low2float(b2), __high2float(b2));

    const half x = 0.1f, y = __float2half_rz(0.1f);
    const __half_raw raw = x;
    const float2 both = __half22float2(__floats2half2_rn(1.5f, -2.0f));
    printf("host: %04x %04x %g %g %g %zu %zu\n", raw.x, __half_as_ushort(y), __half2float(x),
           both.x, both.y, sizeof(half2), alignof(half2));
    assign<<<1, 1>>>(out);
    show("assigned", out, 8);
    cudaFree(in);
    cudaFree(out);
    cudaFree(total);
    return cudaGetLastError() != cudaSuccess;
}
