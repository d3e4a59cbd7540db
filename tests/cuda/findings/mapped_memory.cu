// SPDX-License-Identifier: BSD-3-Clause
// Memory that the program maps by itself: a write behind it, one after it was unmapped, host code
// that reads it, cudaFree of it, a copy that is too long, and a mapping that is left.
// link: -lcuda
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>

__global__ void put(int *x, size_t index)
{
    x[index] = 1;
}

static CUmemAllocationProp properties;

static int *make(size_t bytes)
{
    CUmemGenericAllocationHandle memory;
    CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUdeviceptr address;
    if (cuMemAddressReserve(&address, 4 * bytes, 0, 0, 0) ||
        cuMemCreate(&memory, bytes, &properties, 0))
        return nullptr;
    cuMemMap(address, bytes, 0, memory, 0);
    cuMemRelease(memory);
    cuMemSetAccess(address, bytes, &access, 1);
    return (int *)address;
}

int main()
{
    static char host[4096];
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    const size_t bytes = 2 << 20;
    cudaFree(nullptr);
    int *const x = make(bytes);
    const char *const bug = getenv("BUG");
    if (!strcmp(bug, "behind"))
        put<<<1, 1>>>(x, bytes / sizeof *x);
    else if (!strcmp(bug, "host"))
        printf("%d\n", x[3] == -1);
    else if (!strcmp(bug, "free"))
        cudaFree(x);
    else if (!strcmp(bug, "copy"))
        cudaMemcpy((char *)x + bytes - sizeof host / 2, host, sizeof host, cudaMemcpyHostToDevice);
    if (strcmp(bug, "leak"))
        cuMemUnmap((CUdeviceptr)x, bytes);
    if (!strcmp(bug, "unmapped"))
        put<<<1, 1>>>(x, 5);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
// memcheck BUG=behind exits with 1:
//     memcheck: error in kernel put: a write by block (0, 0, 0), thread (0, 0, 0) at mapped_memory.cu:12,
//         0 bytes after device memory of 2097152 bytes, allocated at mapped_memory.cu:25
//     kernel put: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     cudaErrorIllegalAddress
//     memcheck: 1 error in 1 kernel, 1 kernel not checked to its end
// memcheck BUG=unmapped exits with 1:
//     memcheck: error in kernel put: a write by block (0, 0, 0), thread (0, 0, 0) at mapped_memory.cu:12,
//         of device memory of 2097152 bytes, allocated at mapped_memory.cu:25 and freed at mapped_memory.cu:49
//     kernel put: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     cudaErrorIllegalAddress
//     memcheck: 1 error in 1 kernel, 1 kernel not checked to its end
// memcheck BUG=host exits with 1:
//     memcheck: error in host code: a read of 4 bytes at mapped_memory.cu:43, of device memory of 2097152 bytes, allocated at mapped_memory.cu:25
//     1
//     cudaSuccess
//     memcheck: 1 error in host code
// memcheck BUG=free exits with 1:
//     memcheck: error in host code: cudaFree: 0x... is mapped memory: cuMemUnmap unmaps it, at mapped_memory.cu:45
//     cudaSuccess
//     memcheck: 1 error in host code
// memcheck BUG=copy exits with 1:
//     memcheck: error in host code: cudaMemcpy: 4096 bytes from byte 2095104 of the destination, which has 2097152, at mapped_memory.cu:47
//     cudaSuccess
//     memcheck: 1 error in host code
// memcheck BUG=leak exits with 1:
//     cudaSuccess
//     memcheck: leak: device memory of 2097152 bytes, allocated at mapped_memory.cu:25
//     memcheck: 1 error in host code
// memcheck BUG=none exits with 0:
//     cudaSuccess
//     memcheck: no errors, and no kernel was launched
