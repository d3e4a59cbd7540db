// SPDX-License-Identifier: BSD-3-Clause
// A thread whose state is always new: no deadlock can be proven, and it never ends.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void endless(unsigned long long *out)
{
    unsigned long long x = threadIdx.x;
    __syncthreads();
    while (blockIdx.x == 2 && threadIdx.x == 5 && x != 1ull << 63)
        x = x * 2862933555777941757ull + 3037000493ull;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main()
{
    unsigned long long *out;
    cudaMalloc(&out, 4 * 64 * sizeof *out);
    endless<<<4, 64>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(out);
}
