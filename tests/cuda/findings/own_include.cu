// SPDX-License-Identifier: BSD-3-Clause
// A line of a project's own header, whose directory has the name that CUDA's has.
#include <cuda_runtime.h>

#line 1 "project/cuda/include/double_all.cuh"
__global__ void double_all(int *x)
{
    x[threadIdx.x] *= 2;
}
#line 12 "own_include.cu"

int main()
{
    int *x;
    cudaMalloc(&x, 31 * sizeof(int));
    cudaMemset(x, 0, 31 * sizeof(int));
    double_all<<<1, 32>>>(x);
    cudaFree(x);
    return 0;
}
// memcheck exits with 1:
//     memcheck: error in kernel double_all: a read of 4 bytes by block (0, 0, 0), thread (31, 0, 0) at project/cuda/include/double_all.cuh:3,
//         0 bytes after device array x of 124 bytes, allocated at own_include.cu:16
//     memcheck: 1 error in 1 kernel
