// SPDX-License-Identifier: BSD-3-Clause
// A search without an end: the array's end is reported, and the launch ends where memory does.
#include <cstdio>

__global__ void find(const int *x, int *out)
{
    int i = 0;
    while (x[i] != 7)
        i++;
    *out = i;
}

int main()
{
    int *x, *out;
    cudaMalloc(&x, 4096);
    cudaMalloc(&out, 4);
    cudaMemset(x, 0, 4096);
    find<<<1, 1>>>(x, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
// memcheck exits with 1:
//     memcheck: error in kernel find: a read of 4 bytes by block (0, 0, 0), thread (0, 0, 0) at far_past_end.cu:8,
//         0 bytes after device array x of 4096 bytes, allocated at far_past_end.cu:16
//     memcheck: error in kernel find: a read of 4 bytes by block (0, 0, 0), thread (0, 0, 0) at far_past_end.cu:8,
//         of address 0x..., where no object is: 5120 bytes after device array x of 4096 bytes, allocated at far_past_end.cu:16
//     kernel find: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     an illegal memory access was encountered
//     memcheck: 2 errors in 1 kernel, 1 kernel not checked to its end
