// SPDX-License-Identifier: BSD-3-Clause
// A module, for calls.c.
__constant__ int factor = 3;
__device__ int counter;
__managed__ int managed = 5;
namespace n
{
__device__ float table[4] = {1, 2, 3, 4};
}

__device__ int scaled(int x)
{
    return factor * x;
}

extern "C" __global__ void scale(int *x, char tag, double addend)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = scaled(tile[blockDim.x - 1 - threadIdx.x]) + tag + (int)addend;
    atomicAdd(&counter, 1);
}

template <class T> __global__ void __launch_bounds__(64) fill(T *x, T value)
{
    x[threadIdx.x] = value + n::table[1];
}
template __global__ void fill<float>(float *, float);

__global__ void plain()
{
}

extern "C" __global__ void bug(int *x, int which)
{
    __shared__ int tile[64];
    if (which == 'm')
        x[threadIdx.x + 1] = 1; // beyond
    if (which == 'r')
        tile[threadIdx.x % 2] = (int)threadIdx.x; // race
    if (which == 'i')
        x[threadIdx.x] += 1; // unwritten
    if (which == 's' && threadIdx.x < 3)
        __syncthreads(); // divergence
    if (which == 't')
        x[threadIdx.x] = 2; // early
    if (which == 'r')
        x[threadIdx.x] = tile[0];
}
