/* SPDX-License-Identifier: BSD-3-Clause */
#include "smooth.cuh"

#include <cassert>

constexpr int block = 64;

__global__ void smooth_kernel(const float *in, float *out, int n, bug planted)
{
    __shared__ float tile[block];
    const int x = threadIdx.x, i = blockIdx.x * block + x;
    assert(blockDim.x == block);
    tile[x] = in[within(i, planted == BOUNDS ? n + 1 : n)]; // memcheck, initcheck, streamcheck
    if (planted == BARRIER ? x < block / 2 : planted != RACE)
        __syncthreads();                          // synccheck
    const float before = tile[x > 0 ? x - 1 : 0]; // racecheck
    if (i < n)
        out[i] = mixed(tile[x], before);
}

cudaError_t smooth(const float *in, float *out, int n, bug planted)
{
    cudaStream_t stream = nullptr;
    if (planted == STREAM) // which does not wait for the copy of `in`
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    smooth_kernel<<<(n + block - 1) / block, block, 0, stream>>>(in, out, n, planted);
    return cudaGetLastError();
}

const char *built()
{
#ifdef NDEBUG
    return "release";
#else
    return "debug";
#endif
}
