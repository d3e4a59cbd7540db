// SPDX-License-Identifier: BSD-3-Clause
// Whom and what ordercheck's reports name: the kernel that launches kernels, not those that it
// launched; an array once whose sums of floats are rounded, however many lines add to it, and each of
// two that one line allocates; and bits that are set in words of two sizes, in any order. A program
// that dies gets no proof.
#include <cstdlib>
#include <cstring>

__device__ float bins[4];
__device__ int counts[8];

__global__ void child(int number)
{
    atomicAdd(&counts[number], (int)threadIdx.x);
}
__global__ void parent()
{
    child<<<1, 32>>>(0);
    child<<<2, 32>>>(1);
    child<<<1, 64>>>(2);
}
static void children()
{
    parent<<<1, 1>>>();
}

__global__ void spread(int from)
{
    const float weight = 0.1f * (float)(from + (int)threadIdx.x);

    atomicAdd(&bins[threadIdx.x % 4], weight);
    atomicAdd(&bins[(threadIdx.x + 1) % 4], weight / 3);
    atomicAdd(&bins[(threadIdx.x + 2) % 4], weight / 7);
    atomicAdd(&counts[threadIdx.x % 8], 1);
}
static void sums()
{
    spread<<<1, 32>>>(1);
    spread<<<1, 64>>>(2);
}

__global__ void add_to_both(float *a, float *b)
{
    atomicAdd(a, 0.1f * (float)threadIdx.x);
    atomicAdd(b, 0.1f * (float)threadIdx.x);
}
static void arrays()
{
    float *two[2];

    for (int i = 0; i < 2; i++) {
        for (float *&one : two)
            cudaMalloc(&one, sizeof *one);
        for (float *one : two)
            cudaMemset(one, 0, sizeof *one);
        add_to_both<<<1, 32>>>(two[0], two[1]);
    }
}

__global__ void set(unsigned long long *bits)
{
    __shared__ unsigned long long own;

    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
    if (threadIdx.x % 2 == 0)
        atomicOr(&own, 1ull << threadIdx.x);
    else
        atomicOr((unsigned *)&own + threadIdx.x / 32, 1u << threadIdx.x % 32);
    __syncthreads();
    if (threadIdx.x == 0)
        *bits = own;
}
static void sizes()
{
    unsigned long long *bits;

    cudaMallocManaged(&bits, sizeof *bits);
    set<<<1, 64>>>(bits);
    cudaDeviceSynchronize();
    if (*bits != ~0ull)
        abort();
}

static void death()
{
    child<<<1, 32>>>(0);
    abort();
}

#define RUN(name) (strcmp(getenv("BUG"), #name) == 0 ? name() : (void)0)
int main()
{
    RUN(children);
    RUN(sums);
    RUN(arrays);
    RUN(sizes);
    RUN(death);
    return cudaDeviceSynchronize();
}
// ordercheck BUG=children exits with 1:
//     ordercheck: not proven in kernel parent: it launches kernels, whose order ordercheck does not follow
//     ordercheck: 1 order dependence in 1 kernel
// ordercheck BUG=sums exits with 1:
//     ordercheck: order decides in kernel spread: an atomic sum of floats by block (0, 0, 0), thread (0, 0, 0) at order_reports.cu:32
//         and an atomic sum of floats by block (0, 0, 0), thread (1, 0, 0) at order_reports.cu:31,
//         4 bytes at byte 4 of variable bins, whose sum is rounded differently in another order
//         and 91 similar pairs
//     ordercheck: 1 order dependence in 1 kernel
// ordercheck BUG=arrays exits with 1:
//     ordercheck: order decides in kernel add_to_both: an atomic sum of floats by block (0, 0, 0), thread (0, 0, 0) at order_reports.cu:44
//         and an atomic sum of floats by block (0, 0, 0), thread (2, 0, 0) at order_reports.cu:44,
//         4 bytes at byte 0 of device array one of 4 bytes, allocated at order_reports.cu:53, whose sum is rounded differently in another order
//         and 29 similar pairs
//     ordercheck: order decides in kernel add_to_both: an atomic sum of floats by block (0, 0, 0), thread (0, 0, 0) at order_reports.cu:45
//         and an atomic sum of floats by block (0, 0, 0), thread (2, 0, 0) at order_reports.cu:45,
//         4 bytes at byte 0 of device array one of 4 bytes, allocated at order_reports.cu:53, whose sum is rounded differently in another order
//         and 29 similar pairs
//     ordercheck: 2 order dependences in 1 kernel
// ordercheck BUG=sizes exits with 1:
//     ordercheck: not proven in kernel set: an atomic or by block (0, 0, 0), thread (0, 0, 0) at order_reports.cu:68
//         and an atomic or by block (0, 0, 0), thread (1, 0, 0) at order_reports.cu:70,
//         4 bytes at byte 0 of shared array own, of different sizes: the bits commute, but PTX does not define such a pair
//         and 62 similar pairs
//     ordercheck: 1 order dependence in 1 kernel
// ordercheck BUG=death exits with 134:
//     ordercheck: no order dependence found, the program not checked to its end: Aborted
