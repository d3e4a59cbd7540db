// SPDX-License-Identifier: BSD-3-Clause
// What atomics return and leave in edge cases, float2 and float4 sums, and 128-bit exchanges.
#include <cstdio>
#include <cuda_runtime.h>

struct alignas(16) pair {
    unsigned long long low, high;
};
struct wide {
    float2 two;
    float4 four;
    pair both, before, after;
    int misses;
};

__global__ void one_thread(unsigned *out)
{
    unsigned u = 9;
    __shared__ unsigned word[4];
    __shared__ float number;
    __shared__ int mark;
    word[0] = 8;
    word[1] = 0;
    word[2] = 100;
    word[3] = 5;
    number = -0.0f;
    mark = -5;
    out[0] = atomicInc(&word[0], 9);     // 8 to 9
    out[1] = atomicInc(&word[0], 9);     // 9 to 0
    out[2] = atomicInc(&word[2], 9);     // 100 to 0
    out[3] = atomicDec(&word[1], 9);     // 0 to 9
    out[4] = atomicDec(&word[1], u - 1); // 9 is above 8, to 8
    out[5] = atomicDec(&word[3], 9);     // 5 to 4
    out[6] = word[0];
    out[7] = word[1];
    out[8] = word[2];
    out[9] = word[3];
    out[10] = __float_as_uint(atomicAdd(&number, 0.0f));
    out[11] = __float_as_uint(atomicExch(&number, 2.5f));
    out[12] = __float_as_uint(number);
    out[13] = (unsigned)atomicMin(&mark, -7);
    out[14] = (unsigned)atomicMax(&mark, 3);
    out[15] = (unsigned)atomicCAS(&mark, 4, 11);
    out[16] = (unsigned)atomicCAS(&mark, 3, 11);
    out[17] = (unsigned)mark;
    out[18] = (unsigned)atomicSub(&mark, 12);
    out[19] = (unsigned)mark;
}

__global__ void many(wide *w)
{
    atomicAdd(&w->two, make_float2(1, (float)threadIdx.x));
    atomicAdd(&w->four, make_float4(1, 2, 3, (float)threadIdx.x));
    if (threadIdx.x == 0) {
        w->before = atomicExch(&w->both, pair{1, 2});
        w->after = atomicCAS(&w->both, pair{1, 2}, pair{3, 4});
        const pair seen = atomicCAS(&w->both, pair{3, 5}, pair{7, 7});
        w->misses = seen.low == 3 && seen.high == 4;
    }
}

int main()
{
    unsigned out[20], *device;
    wide w = {{0, 0}, {0, 0, 0, 0}, {10, 20}, {0, 0}, {0, 0}, 0}, *device_wide;
    cudaMalloc(&device, sizeof out);
    one_thread<<<1, 1>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 20; i++)
        printf("%d: %08x\n", i, out[i]);
    cudaMalloc(&device_wide, sizeof w);
    cudaMemcpy(device_wide, &w, sizeof w, cudaMemcpyHostToDevice);
    many<<<1, 64>>>(device_wide);
    cudaMemcpy(&w, device_wide, sizeof w, cudaMemcpyDeviceToHost);
    printf("%g %g, %g %g %g %g\n", w.two.x, w.two.y, w.four.x, w.four.y, w.four.z, w.four.w);
    printf("%llu %llu, %llu %llu, %llu %llu, %d\n", w.before.low, w.before.high, w.after.low,
           w.after.high, w.both.low, w.both.high, w.misses);
    cudaFree(device);
    cudaFree(device_wide);
    return cudaDeviceSynchronize() != cudaSuccess;
}
