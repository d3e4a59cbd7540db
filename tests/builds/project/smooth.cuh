/* SPDX-License-Identifier: BSD-3-Clause */
// What main.cpp, compiled by the host's compiler, shares with the kernels.
#pragma once

#include <cuda_runtime.h>

// A mistake to plant.
enum bug { NO_BUG, BOUNDS, RACE, UNWRITTEN, BARRIER, STREAM };

__host__ __device__ inline float mixed(float a, float b)
{
    return (a + b) / 2;
}

// Writes to out[i] the mean of in[i] and in[i - 1], within blocks of 64. Device memory.
cudaError_t smooth(const float *in, float *out, int n, bug planted);

// The sum of device memory.
cudaError_t total(const float *values, int n, float *sum);

// "debug" or "release"
const char *built();

// With -rdc=true it is in total.cu.
#ifdef __CUDACC_RDC__
extern __device__ int within(int i, int n);
#elif defined(__CUDACC__)
static __device__ int within(int i, int n)
{
    return i < n ? i : n - 1;
}
#endif
