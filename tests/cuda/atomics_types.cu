// SPDX-License-Identifier: BSD-3-Clause
// Every atomic of every type, at its three scopes: 256 threads in 4 blocks, or in one.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

struct state {
    int i[8];
    unsigned u[10];
    long long l[5];
    unsigned long long ul[7];
    float f[2];
    double d[1];
    unsigned short h[4];
};

// Each thread's number n from 0 to 255; none of the results depends on the order.
#define EACH(suffix)                                                                               \
    atomicAdd##suffix(&s->i[0], n);                                                                \
    atomicSub##suffix(&s->i[1], n);                                                                \
    atomicMin##suffix(&s->i[2], 5 - n);                                                            \
    atomicMax##suffix(&s->i[3], n - 9);                                                            \
    atomicAnd##suffix(&s->i[4], ~(n & 0x55));                                                      \
    atomicOr##suffix(&s->i[5], n << 3);                                                            \
    atomicXor##suffix(&s->i[6], n * 77);                                                           \
    atomicAdd##suffix(&s->u[0], 0x7fffffffu);                                                      \
    atomicSub##suffix(&s->u[1], (unsigned)n);                                                      \
    atomicMin##suffix(&s->u[2], 0u - (unsigned)n - 1);                                             \
    atomicMax##suffix(&s->u[3], 0u - (unsigned)n - 1);                                             \
    atomicAnd##suffix(&s->u[4], ~(unsigned)(n & 0x2a));                                            \
    atomicOr##suffix(&s->u[5], (unsigned)n << 20);                                                 \
    atomicXor##suffix(&s->u[6], (unsigned)n * 2654435761u);                                        \
    atomicInc##suffix(&s->u[7], 9u);                                                               \
    atomicDec##suffix(&s->u[8], 9u);                                                               \
    atomicMin##suffix(&s->l[0], -(long long)n * 5000000000ll);                                     \
    atomicMax##suffix(&s->l[1], (long long)n * 5000000000ll);                                      \
    atomicAnd##suffix(&s->l[2], ~((long long)n << 36));                                            \
    atomicOr##suffix(&s->l[3], (long long)n << 36);                                                \
    atomicXor##suffix(&s->l[4], (long long)n << 40);                                               \
    atomicAdd##suffix(&s->ul[0], (unsigned long long)n << 40);                                     \
    atomicMin##suffix(&s->ul[1], ~0ull - (unsigned long long)n);                                   \
    atomicMax##suffix(&s->ul[2], ~0ull - (unsigned long long)n);                                   \
    atomicAnd##suffix(&s->ul[3], ~((unsigned long long)n << 50));                                  \
    atomicOr##suffix(&s->ul[4], (unsigned long long)n << 50);                                      \
    atomicXor##suffix(&s->ul[5], (unsigned long long)n << 51);                                     \
    atomicAdd##suffix(&s->f[0], (float)n);                                                         \
    atomicAdd##suffix(&s->d[0], n + 0.5);                                                          \
    /* swaps: the sum of what is taken out and what stays is the sum of what is put in */          \
    taken = atomicExch##suffix(&s->i[7], n);                                                       \
    taken += (int)atomicExch##suffix(&s->u[9], (unsigned)n);                                       \
    taken += (int)atomicExch##suffix(&s->ul[6], (unsigned long long)n);                            \
    taken += (int)atomicExch##suffix(&s->f[1], (float)n);

__device__ void swap_and_count(state *s, int n, int taken, int *sums)
{
    // a counter by compare-and-swap, in each width
    int i;
    do
        i = atomicAdd(&sums[1], 0);
    while (atomicCAS(&sums[1], i, i + n) != i);
    unsigned u;
    do
        u = atomicOr((unsigned *)&sums[2], 0u);
    while (atomicCAS((unsigned *)&sums[2], u, u + 2u * (unsigned)n) != u);
    unsigned long long l;
    do
        l = atomicAdd((unsigned long long *)&sums[4], 0ull);
    while (atomicCAS((unsigned long long *)&sums[4], l, l + 3000000000ull) != l);
    atomicCAS(&s->h[n % 4], (unsigned short)(n % 4), (unsigned short)(1000 + n % 4));
    atomicAdd(&sums[0], taken);
}

__global__ void at_device(state *s, int *sums)
{
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    int taken;
    EACH()
    swap_and_count(s, n, taken, sums);
}
__global__ void at_block(state *s, int *sums)
{
    const int n = (int)threadIdx.x;
    int taken;
    EACH(_block)
    swap_and_count(s, n, taken, sums);
    int i;
    do
        i = atomicAdd_block(&sums[6], 0);
    while (atomicCAS_block(&sums[6], i, i + 1) != i);
}
__global__ void at_system(state *s, int *sums)
{
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    int taken;
    EACH(_system)
    swap_and_count(s, n, taken, sums);
    int i;
    do
        i = atomicAdd_system(&sums[6], 0);
    while (atomicCAS_system(&sums[6], i, i + 1) != i);
}

static void show(const char *name, void (*kernel)(state *, int *), int blocks)
{
    state s, *device;
    int sums[7], *device_sums;
    memset(&s, 0, sizeof s);
    s.i[4] = -1;
    s.u[2] = s.u[4] = 0xffffffffu;
    s.l[2] = -1;
    s.ul[1] = s.ul[3] = ~0ull;
    for (int k = 0; k < 4; k++)
        s.h[k] = (unsigned short)k;
    cudaMalloc(&device, sizeof s);
    cudaMalloc(&device_sums, sizeof sums);
    cudaMemcpy(device, &s, sizeof s, cudaMemcpyHostToDevice);
    cudaMemset(device_sums, 0, sizeof sums);
    kernel<<<blocks, 256 / blocks>>>(device, device_sums);
    cudaMemcpy(&s, device, sizeof s, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost);
    printf("%s\n int:", name);
    for (int k = 0; k < 7; k++)
        printf(" %d", s.i[k]);
    printf("\n unsigned:");
    for (int k = 0; k < 9; k++)
        printf(" %u", s.u[k]);
    printf("\n long long:");
    for (int k = 0; k < 5; k++)
        printf(" %lld", s.l[k]);
    printf("\n unsigned long long:");
    for (int k = 0; k < 6; k++)
        printf(" %llu", s.ul[k]);
    printf("\n float, double: %g %g\n", (double)s.f[0], s.d[0]);
    printf(" short: %u %u %u %u\n", s.h[0], s.h[1], s.h[2], s.h[3]);
    printf(" exchanged: %d\n", sums[0] + s.i[7] + (int)s.u[9] + (int)s.ul[6] + (int)s.f[1]);
    unsigned long long wide;
    memcpy(&wide, sums + 4, sizeof wide);
    printf(" compared: %d %d %llu %d\n", sums[1], sums[2], wide, sums[6]);
    cudaFree(device);
    cudaFree(device_sums);
}

int main()
{
    show("device", at_device, 4);
    show("block", at_block, 1);
    show("system", at_system, 4);
    return cudaDeviceSynchronize() != cudaSuccess;
}
