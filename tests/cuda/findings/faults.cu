// SPDX-License-Identifier: BSD-3-Clause
// Faults end their launches with CUDA's errors, which stay until the device is reset.
#include <cstdio>
#include <cstring>

struct page {
    char bytes[4096];
};

__global__ void store(int *p)
{
    if (threadIdx.x == 5)
        *p = 1;
}

__global__ void copy(page *to, const page *from)
{
    memcpy(to, from, sizeof *to);
}

__device__ __attribute__((noinline)) int deep(int n)
{
    volatile char room[1000];
    room[n % 1000] = n;
    return n ? deep(n - 1) + room[n % 1000] : 0;
}

__global__ void recurse(int *p)
{
    *p = deep(1 << 20);
}

__global__ void wild(int *const *p)
{
    **p = 3;
}

__global__ void fine(int *p)
{
    *p = 4;
}

// Prints the errors of the launch, of the calls after it, and of a launch after a reset.
static void say()
{
    int *p;
    printf("%s, ", cudaGetErrorName(cudaGetLastError()));
    printf("%s, ", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s, ", cudaGetErrorName(cudaMalloc(&p, 4)));
    cudaDeviceReset();
    cudaMalloc(&p, 4);
    fine<<<1, 1>>>(p);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(p);
}

int main()
{
    int *p, *nowhere = (int *)0x7123456789abcd00;
    page *pages;
    cudaMalloc(&p, 8);
    store<<<2, 8>>>(nullptr);
    say();
    cudaMalloc(&pages, sizeof *pages);
    copy<<<1, 1>>>(pages, (page *)16);
    say();
    cudaMalloc(&p, 8);
    recurse<<<1, 1>>>(p);
    say();
    cudaMalloc(&p, 8);
    cudaMemcpy(p, &nowhere, 8, cudaMemcpyHostToDevice);
    wild<<<1, 1>>>((int *const *)p);
    say();
    return 0;
}
// emulate exits with 0:
//     kernel store: invalid access in block (0, 0, 0), thread (5, 0, 0): address 0x...
//     cudaSuccess, cudaErrorIllegalAddress, cudaErrorIllegalAddress, cudaSuccess
//     kernel copy: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     cudaSuccess, cudaErrorIllegalAddress, cudaErrorIllegalAddress, cudaSuccess
//     kernel recurse: stack overflow in block (0, 0, 0), thread (0, 0, 0): over 256 KiB; PORTABLE_STACK=1024 in the environment gives each thread more
//     cudaSuccess, cudaErrorHardwareStackError, cudaErrorHardwareStackError, cudaSuccess
//     kernel wild: invalid access in block (0, 0, 0), thread (0, 0, 0): an address that no memory has
//     cudaSuccess, cudaErrorIllegalAddress, cudaErrorIllegalAddress, cudaSuccess
// memcheck exits with 1:
//     memcheck: error in kernel store: block (0, 0, 0), thread (5, 0, 0) at faults.cu:13: store to null pointer of type 'int'
//     kernel store: invalid access in block (0, 0, 0), thread (5, 0, 0): address 0x...
//     cudaSuccess, cudaErrorIllegalAddress, cudaErrorIllegalAddress, cudaSuccess
//     memcheck: error in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at faults.cu:18,
//         of address 0x..., where no object is
//     kernel copy: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     cudaSuccess, cudaErrorIllegalAddress, cudaErrorIllegalAddress, cudaSuccess
//     memcheck: error in kernel recurse: block (0, 0, 0), thread (0, 0, 0) at faults.cu:22: stack overflow
//     kernel recurse: stack overflow in block (0, 0, 0), thread (0, 0, 0): over 256 KiB; PORTABLE_STACK=1024 in the environment gives each thread more
//     cudaSuccess, cudaErrorHardwareStackError, cudaErrorHardwareStackError, cudaSuccess
//     memcheck: error in kernel wild: block (0, 0, 0), thread (0, 0, 0) at faults.cu:35: an access to an address that no memory has
//     kernel wild: invalid access in block (0, 0, 0), thread (0, 0, 0): an address that no memory has
//     cudaSuccess, cudaErrorIllegalAddress, cudaErrorIllegalAddress, cudaSuccess
//     memcheck: 4 errors in 4 kernels, 4 kernels not checked to their end
