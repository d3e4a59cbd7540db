// SPDX-License-Identifier: BSD-3-Clause
// An access far from its array is explained by the program's nearest object, and not by memory that
// the runtime has for itself.
#include <cstdlib>

int main(int count, char **)
{
    char *rows = (char *)malloc(12250), *pinned;
    int *device;
    cudaMalloc(&device, 4);
    cudaMallocHost(&pinned, 100);
    volatile char c = rows[count * 12250 + 8000];
    c = pinned[count * 100];
    cudaFreeHost(pinned);
    c = pinned[count * 10];
    free(rows);
    cudaFree(device);
    (void)c;
}
// memcheck exits with 1:
//     memcheck: error in host code: a read of 1 byte at far_access.cu:12, of address 0x..., where no object is: 8000 bytes after host memory of 12250 bytes, allocated at far_access.cu:8
//     memcheck: error in host code: a read of 1 byte at far_access.cu:13, 0 bytes after host memory of 100 bytes, allocated at far_access.cu:11
//     memcheck: error in host code: a read of 1 byte at far_access.cu:15, of host memory of 100 bytes, allocated at far_access.cu:11 and freed at far_access.cu:14
//     memcheck: 3 errors in host code
