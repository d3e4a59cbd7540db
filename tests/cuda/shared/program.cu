// SPDX-License-Identifier: BSD-3-Clause
// A program and two libraries in one process; with the name of a check, a library's bug for it.
#include "library.h"

#include <cstdio>

__global__ void own(int *to)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = 7;
    __syncthreads();
    to[threadIdx.x] = tile[31 - threadIdx.x];
}

int main(int count, char **arguments)
{
    int *memory, host[32];
    if (count > 1) {
        second_bug(arguments[1]);
        return 0;
    }
    for (int round = 0; round < 2; round++) {
        std::printf("%d", first_reversed());
        std::printf(" %d\n", second_reversed());
    }
    cudaMalloc(&memory, sizeof host);
    own<<<1, 32>>>(memory);
    first_add(memory);
    second_add(memory);
    cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", host[0], host[31]);
    second_fail();
    std::printf("%s\n", cudaGetErrorName((cudaError_t)first_error()));
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(memory);
}
