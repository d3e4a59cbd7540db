// SPDX-License-Identifier: BSD-3-Clause
// failures KIND THREAD: a kernel that fails in that thread of 64. loops.sh compares what is said
// where each thread has a stack with what is said where threads begin in a loop.
#include <cassert>
#include <cstdio>
#include <cstdlib>

__device__ int deep(volatile int *p, int n)
{
    volatile int a[1000];
    a[n % 1000] = n;
    return n > 1000000 ? a[3] : deep(p, n + 1) + a[n % 7];
}

__global__ void faults(int *x, int bad)
{
    const int t = threadIdx.x + threadIdx.y * blockDim.x;
    x[t] = 1;
    if (t == bad)
        *(int *)(long)(16 * t) = x[t];
    x[t] = 2;
}
__global__ void overflows(int *x, int bad)
{
    const int t = threadIdx.x;
    if (t == bad)
        x[t] = deep(x, 0);
}
__global__ void asserts(int *x, int bad)
{
    const int t = threadIdx.x;
    x[t] = t;
    assert(t != bad && t != bad + 2);
}
__global__ void diverges(int *, int bad)
{
    const int t = threadIdx.x;
    if (t == bad)
        __syncthreads();
    else
        __syncwarp();
    if (t > bad)
        __syncthreads();
}
__global__ void divides(int *x, int bad)
{
    const int t = threadIdx.x;
    x[t] = 100 / (t - bad);
}
__global__ void misses(int *x, int bad)
{
    const int t = threadIdx.x;
    if (t == bad)
        return;
    if (t == bad + 1)
        __syncwarp(3);
    else if (t < 20)
        __syncwarp();
    x[t] = t;
}
__global__ void absent(int *x, int bad)
{
    const int t = threadIdx.x;
    if (t == bad)
        return;
    x[t] = __shfl_xor_sync(~0u, x[t], 1) + __shfl_down_sync(~0u, t, 2);
}
__global__ void at_barriers(int *x, int bad)
{
    const int t = threadIdx.x;
    if (t < bad)
        __syncthreads();
    else if (t % 8 > 0)
        x[t] = 1 + __syncthreads_count(t & 1);
    if (t == 3)
        return;
    __syncthreads();
}

int main(int, char **arguments)
{
    int *x;
    const int kind = atoi(arguments[1]), bad = atoi(arguments[2]);
    cudaMalloc(&x, 4096);
    switch (kind) {
    case 0: faults<<<3, dim3(16, 4)>>>(x, bad); break;
    case 1: overflows<<<3, 64>>>(x, bad); break;
    case 2: asserts<<<3, 64>>>(x, bad); break;
    case 3: diverges<<<3, 64>>>(x, bad); break;
    case 4: divides<<<3, 64>>>(x, bad); break;
    case 5: misses<<<3, 64>>>(x, bad); break;
    case 6: absent<<<3, 64>>>(x, bad); break;
    case 7: at_barriers<<<3, 64>>>(x, bad); break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
