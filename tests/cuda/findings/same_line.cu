// SPDX-License-Identifier: BSD-3-Clause
// Reported once: two wrong reads in one line, by threads with different stacks; the same write in
// each launch, which has its own shared memory; and in each of the arrays that a loop allocates.
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
__global__ void past_end_of(int *a, int n)
{
    a[n] = 0;
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
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&a, 8 * sizeof *a);
        past_end_of<<<1, 1>>>(a, 8);
        cudaDeviceSynchronize();
        cudaFree(a);
        a = new int[4];
        a[0] = ((volatile int *)a)[4];
        delete[] a;
    }
}
// memcheck exits with 1:
//     memcheck: error in kernel sum: a read of 4 bytes by block (0, 0, 0), thread (1, 0, 0) at same_line.cu:7,
//         4 bytes after device array a of 128 bytes, allocated at same_line.cu:24
//     memcheck: error in kernel past_end: a write of 4 bytes by block (0, 0, 0), thread (0, 0, 0) at same_line.cu:14,
//         0 bytes after dynamic shared memory of 128 bytes
//     memcheck: error in kernel past_end_of: a write of 4 bytes by block (0, 0, 0), thread (0, 0, 0) at same_line.cu:18,
//         0 bytes after device array a of 32 bytes, allocated at same_line.cu:32
//     memcheck: error in host code: a read of 4 bytes at same_line.cu:37, 0 bytes after host memory of 16 bytes, allocated at same_line.cu:36
//     memcheck: 4 errors in 3 kernels and host code
