// SPDX-License-Identifier: BSD-3-Clause
// Reported once: two wrong reads in one line, by threads with different stacks; the same write in
// each launch, which has its own shared memory; and in each of the arrays that a loop allocates. A read
// and a write of two arrays that one line allocates are two errors.
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

__global__ void copy(int *to, const int *from, int n)
{
    to[n] = from[n];
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
    int *two[2];
    for (int *&one : two)
        cudaMalloc(&one, 16 * sizeof *one);
    copy<<<1, 1>>>(two[1], two[0], 16);
    cudaDeviceSynchronize();
    for (int *one : two)
        cudaFree(one);
}
// memcheck exits with 1:
//     memcheck: error in kernel sum: a read of 4 bytes by block (0, 0, 0), thread (1, 0, 0) at same_line.cu:8,
//         4 bytes after device array a of 128 bytes, allocated at same_line.cu:30
//     memcheck: error in kernel past_end: a write of 4 bytes by block (0, 0, 0), thread (0, 0, 0) at same_line.cu:15,
//         0 bytes after dynamic shared memory of 128 bytes
//     memcheck: error in kernel past_end_of: a write of 4 bytes by block (0, 0, 0), thread (0, 0, 0) at same_line.cu:19,
//         0 bytes after device array a of 32 bytes, allocated at same_line.cu:38
//     memcheck: error in host code: a read of 4 bytes at same_line.cu:43, 0 bytes after host memory of 16 bytes, allocated at same_line.cu:42
//     memcheck: error in kernel copy: a read of 4 bytes by block (0, 0, 0), thread (0, 0, 0) at same_line.cu:24,
//         0 bytes after device array one of 64 bytes, allocated at same_line.cu:48
//     memcheck: error in kernel copy: a write of 4 bytes by block (0, 0, 0), thread (0, 0, 0) at same_line.cu:24,
//         0 bytes after device array one of 64 bytes, allocated at same_line.cu:48
//     memcheck: 6 errors in 4 kernels and host code
