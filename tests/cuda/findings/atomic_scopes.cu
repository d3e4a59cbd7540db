// SPDX-License-Identifier: BSD-3-Clause
// nvcc's built-in atomics at scopes that are too small.
#include <cstdio>

__global__ void of_threads(int *x)
{
    __nv_atomic_add(x, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_THREAD);
}
__global__ void of_blocks(int *x)
{
    __nv_atomic_add(x, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
}
__global__ void of_device(int *x)
{
    __nv_atomic_add(x, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

int main()
{
    int *x;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, 0, sizeof *x);
    of_device<<<2, 2>>>(x);
    of_blocks<<<2, 1>>>(x);
    of_threads<<<1, 2>>>(x);
    cudaFree(x);
    return cudaDeviceSynchronize();
}
// racecheck exits with 1:
//     racecheck: race in kernel of_blocks: an atomic by block (0, 0, 0), thread (0, 0, 0) at atomic_scopes.cu:11
//         and an atomic by block (1, 0, 0), thread (0, 0, 0) at atomic_scopes.cu:11,
//         4 bytes at byte 0 of device array x of 4 bytes, allocated at atomic_scopes.cu:21, by concurrent blocks
//         and 2 similar races
//     racecheck: race in kernel of_threads: a write by block (0, 0, 0), thread (0, 0, 0) at atomic_scopes.cu:7
//         and a read by block (0, 0, 0), thread (1, 0, 0) at atomic_scopes.cu:7,
//         4 bytes at byte 0 of device array x of 4 bytes, allocated at atomic_scopes.cu:21, with no barrier between them
//         and 2 similar races
//     racecheck: 2 races in 2 kernels
