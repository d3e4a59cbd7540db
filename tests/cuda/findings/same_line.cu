// SPDX-License-Identifier: BSD-3-Clause
// Two wrong reads in one line, by threads with different stacks, and the same write in each launch,
// which has its own shared memory: they are reported once.
__global__ void sum(int *a)
{
    __syncthreads();
    a[0] += threadIdx.x == 1 ? a[33] : threadIdx.x == 2 ? a[34] : 0;
}

__global__ void past_end()
{
    extern __shared__ int own[];

    own[blockDim.x + threadIdx.x / 32] = 0;
}

int main()
{
    int *a;
    cudaMalloc(&a, 32 * sizeof *a);
    cudaMemset(a, 0, 32 * sizeof *a);
    sum<<<1, 32>>>(a);
    for (int launch = 0; launch < 3; launch++)
        past_end<<<1, 32, 32 * sizeof *a>>>();
    cudaDeviceSynchronize();
    cudaFree(a);
}
// memcheck exits with 1:
//     memcheck: error in kernel sum: a read of 4 bytes by block (0, 0, 0), thread (1, 0, 0) at same_line.cu:7,
//         4 bytes after device array a of 128 bytes, allocated at same_line.cu:20
//     memcheck: error in kernel past_end: a write of 4 bytes by block (0, 0, 0), thread (0, 0, 0) at same_line.cu:14,
//         0 bytes after dynamic shared memory of 128 bytes
//     memcheck: 2 errors in 2 kernels
