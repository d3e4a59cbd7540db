// SPDX-License-Identifier: BSD-3-Clause
// An assertion that fails in a kernel prints a line to stderr and fails the launch.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void check(int limit)
{
    assert(limit > 0);
    assert((int)threadIdx.x < limit);
}

#define NDEBUG
#include <cassert>
__global__ void unchecked(int limit)
{
    assert((int)threadIdx.x < limit && limit > 0);
}
#undef NDEBUG
#include <cassert>

int main()
{
    assert(sizeof(int) == 4);
    check<<<1, 32>>>(32);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    unchecked<<<1, 32>>>(-1);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    check<<<1, 32>>>(31);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
