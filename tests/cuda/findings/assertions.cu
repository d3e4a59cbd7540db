// SPDX-License-Identifier: BSD-3-Clause
// Each thread of the warp whose assertion fails prints its line.
#include <cassert>
#include <cstdio>

__device__ int x[96];

__global__ void kernel()
{
    __syncthreads();
    assert(x[threadIdx.x] != 1 || threadIdx.x == 31);
    __syncwarp();
    assert(threadIdx.x < 99);
}

int main()
{
    int host[96] = {};
    host[5] = host[6] = host[31] = host[70] = host[83] = 1;
    cudaMemcpyToSymbol(x, host, sizeof host);
    kernel<<<2, 96>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
// emulate exits with 0:
//     assertions.cu:11: void kernel(): block: [0,0,0], thread: [5,0,0] Assertion `x[threadIdx.x] != 1 || threadIdx.x == 31` failed.
//     assertions.cu:11: void kernel(): block: [0,0,0], thread: [6,0,0] Assertion `x[threadIdx.x] != 1 || threadIdx.x == 31` failed.
//     kernel kernel: block (0, 0, 0), thread (5, 0, 0): assertion `x[threadIdx.x] != 1 || threadIdx.x == 31` failed, assertions.cu:11
//     cudaErrorAssert
// emulate ORDER=reverse exits with 0:
//     assertions.cu:11: void kernel(): block: [1,0,0], thread: [83,0,0] Assertion `x[threadIdx.x] != 1 || threadIdx.x == 31` failed.
//     assertions.cu:11: void kernel(): block: [1,0,0], thread: [70,0,0] Assertion `x[threadIdx.x] != 1 || threadIdx.x == 31` failed.
//     kernel kernel: block (1, 0, 0), thread (83, 0, 0): assertion `x[threadIdx.x] != 1 || threadIdx.x == 31` failed, assertions.cu:11
//     cudaErrorAssert
