// SPDX-License-Identifier: BSD-3-Clause
// A library, built twice, with NAME first and second: each has its own variables, and all share one
// device with the program.
#include "library.h"

#define JOINED_(a, b) a##_##b
#define JOINED(a, b) JOINED_(a, b)
#define OF(name) JOINED(NAME, name)

__device__ int counter = START;
__constant__ int weights[3] = {START, 2 * START, 3 * START};

namespace // as two libraries may have kernels of one name
{
template <int N> __global__ void reversed(int *out)
{
    __shared__ int tile[N];
    tile[threadIdx.x] = (int)threadIdx.x + weights[threadIdx.x % 3];
    __syncthreads();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x] + counter;
    __syncthreads();
    if (threadIdx.x == 0)
        counter++;
}

__global__ void added(int *to)
{
    extern __shared__ int dynamic[];
    __shared__ int each;
    if (threadIdx.x == 0)
        each = counter;
    dynamic[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    to[threadIdx.x] +=
        dynamic[threadIdx.x] + each + 1000 * (__isShared(&each) && __isShared(dynamic));
}

// Bugs, one for each check.
__global__ void races(int *out)
{
    __shared__ int total;
    total = (int)threadIdx.x; // race
    out[0] = total;
}
__global__ void goes_beyond(int *out, int index)
{
    __shared__ int tile[8];
    tile[threadIdx.x % 8] = 1;
    if (threadIdx.x == 0)
        tile[index] = 2; // beyond shared
    out[threadIdx.x] = tile[threadIdx.x % 8];
}
__global__ void reads_unwritten(int *out)
{
    __shared__ int tile[32];
    out[threadIdx.x] = tile[threadIdx.x]; // unwritten
}
__global__ void diverges(int *out)
{
    if (threadIdx.x < 16)
        __syncthreads(); // divergence
    out[threadIdx.x] = 1;
}
__global__ void overwrites(int *out)
{
    out[threadIdx.x] = 2; // early
}
void does_not_wait(int *out)
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemsetAsync(out, 1, 32 * sizeof *out, stream);
    overwrites<<<1, 32>>>(out);
    cudaStreamDestroy(stream);
}
void launch_bug(const char *check, int *out)
{
    switch (check[0]) {
    case 'r': races<<<1, 32>>>(out); break;
    case 'm': goes_beyond<<<1, 32>>>(out, 8); break;
    case 'i': reads_unwritten<<<1, 32>>>(out); break;
    case 's':
        if (check[1] == 'y')
            diverges<<<1, 32>>>(out);
        else
            does_not_wait(out);
        break;
    }
}

} // namespace

extern "C" {
int OF(reversed)(void)
{
    int *out, host[32];
    cudaMalloc(&out, sizeof host);
    reversed<32><<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return host[0];
}
void OF(add)(int *to)
{
    added<<<1, 32, 32 * sizeof(int)>>>(to);
}
int OF(error)(void)
{
    return (int)cudaGetLastError();
}
void OF(fail)(void)
{
    reversed<32><<<1, 5000>>>(nullptr);
}
void OF(bug)(const char *check)
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    launch_bug(check, out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
}
