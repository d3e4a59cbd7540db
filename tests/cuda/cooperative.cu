// SPDX-License-Identifier: BSD-3-Clause
// Cooperative launches whose blocks keep their shared memory over a barrier of the grid, static and
// dynamic, of sizes that are multiples of no power of two.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <int Bytes> __global__ void keep(int *out, int *arrived)
{
    __shared__ unsigned char fixed[Bytes];
    extern __shared__ unsigned char raised[];
    cg::grid_group grid = cg::this_grid();
    const int t = threadIdx.x, b = blockIdx.x;
    if (t < Bytes)
        fixed[t] = (unsigned char)(b * 16 + t);
    for (int k = t; k < 264; k += blockDim.x)
        raised[k] = (unsigned char)(b + k);
    atomicAdd(arrived, 1);
    grid.sync();
    const int all = *arrived;
    grid.sync();
    out[b * blockDim.x + t] = fixed[t % Bytes] + 1000 * raised[263 - t] + 1000000 * all;
}

template <int Bytes> static int run()
{
    int *out, *arrived, host[12], blocks = 3, threads = 4;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&arrived, sizeof *arrived);
    cudaMemset(arrived, 0, sizeof *arrived);
    void *arguments[] = {&out, &arrived};
    cudaLaunchCooperativeKernel((void *)keep<Bytes>, dim3(blocks), dim3(threads), arguments, 264,
                                0);
    const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%2d bytes:", Bytes);
    for (int value : host)
        printf(" %d", value);
    printf("\n");
    cudaFree(out);
    cudaFree(arrived);
    return error;
}

int main()
{
    return run<1>() + run<3>() + run<8>() + run<17>();
}
