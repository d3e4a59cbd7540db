/* SPDX-License-Identifier: BSD-3-Clause */
/* Every function of one half, of all 65536 values: a hash of the results, and a few of them. */
#include <cuda_fp16.h>
#include <stdio.h>

/* clang-format off */
#define FUNCTIONS(X)                                                                               \
    X(hsqrt) X(hrsqrt) X(hrcp) X(hlog) X(hlog2) X(hlog10) X(hexp) X(hexp2) X(hexp10) X(hsin)       \
    X(hcos) X(htanh) X(hceil) X(hfloor) X(htrunc) X(hrint) X(__hneg) X(__habs)
/* clang-format on */

#define DEFINE(f)                                                                                  \
    __global__ void kernel_##f(unsigned short *out)                                                \
    {                                                                                              \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                  \
        out[i] = __half_as_ushort(f(__ushort_as_half((unsigned short)i)));                         \
    }
FUNCTIONS(DEFINE)

static unsigned short results[65536];

static void show(const char *name)
{
    unsigned hash = 2166136261u;
    for (int i = 0; i < 65536; i++)
        hash = (hash ^ results[i]) * 16777619u;
    printf("%-8s %08x: 0.5 -> %04x, 3 -> %04x, -1 -> %04x, inf -> %04x, nan -> %04x\n", name, hash,
           results[0x3800], results[0x4200], results[0xbc00], results[0x7c00], results[0x7e01]);
}

int main()
{
    unsigned short *out;
    cudaMalloc(&out, sizeof results);
#define RUN(f)                                                                                     \
    kernel_##f<<<256, 256>>>(out);                                                                 \
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);                              \
    show(#f);
    FUNCTIONS(RUN)
    cudaFree(out);
    return cudaGetLastError() != cudaSuccess;
}
