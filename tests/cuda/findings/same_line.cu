// SPDX-License-Identifier: BSD-3-Clause
// Two wrong reads in one line, by threads with different stacks: they are reported once.
__global__ void sum(int *a)
{
    __syncthreads();
    a[0] += threadIdx.x == 1 ? a[33] : threadIdx.x == 2 ? a[34] : 0;
}

int main()
{
    int *a;
    cudaMalloc(&a, 32 * sizeof *a);
    cudaMemset(a, 0, 32 * sizeof *a);
    sum<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
}
// memcheck exits with 1:
//     memcheck: error in kernel sum: a read of 4 bytes by block (0, 0, 0), thread (1, 0, 0) at same_line.cu:6,
//         4 bytes after device array a of 128 bytes, allocated at same_line.cu:12
//     memcheck: 1 error in 1 kernel
