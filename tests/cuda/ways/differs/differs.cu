// SPDX-License-Identifier: BSD-3-Clause
// Prints which compiler compiled it; its kernel is not split.
#include <cstdio>

__global__ void wait(volatile int *flag)
{
    while (*flag == 0)
        continue;
}

int main()
{
#ifdef __clang__
    std::printf("by clang\n");
#else
    std::printf("by gcc\n");
#endif
    int *flag = nullptr;
    cudaMallocManaged(&flag, sizeof *flag);
    *flag = 1;
    wait<<<1, 32>>>(flag);
    return cudaDeviceSynchronize() || cudaFree(flag);
}
