// SPDX-License-Identifier: BSD-3-Clause
// cudaLaunchKernelEx of a kernel with references: CUDA's own passes the object for its address.
#include <cstdio>

__global__ void add(int &to, const int &by, int times)
{
    to += by * times;
}

int main()
{
    int *p;
    cudaMallocManaged(&p, 2 * sizeof *p);
    p[0] = 1;
    p[1] = 10;
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 1;
    cudaLaunchKernelEx(&config, add, p[0], p[1], 3);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%d %d\n", error, p[0]);
    cudaFree(p);
}
