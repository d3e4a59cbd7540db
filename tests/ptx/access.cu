/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/access.c as CUDA written by hand. */
#include "loops.h"

struct particle {
    float x, y, z, mass;
};

struct aligned_particle {
    float4 position_mass;
};

extern "C" __global__ void copy_coalesced(int n, const float *__restrict__ x, float *__restrict__ y)
{
    FOR_PAIRS(i, n)
        y[i] = x[i];
}

extern "C" __global__ void copy_strided(int n, int stride, const float *__restrict__ x,
                                        float *__restrict__ y)
{
    const int columns = n / stride;
    FOR_PAIRS(i, n) {
        const int at = i % columns * stride + i / columns;
        y[at] = x[at];
    }
}

extern "C" __global__ void copy_misaligned(int n, int offset, const float *__restrict__ x,
                                           float *__restrict__ y)
{
    FOR_PAIRS(i, n)
        y[i] = x[i + offset];
}

extern "C" __global__ void masses_of_structures(int n, const particle *__restrict__ particles,
                                                float *__restrict__ mass)
{
    FOR_PAIRS(i, n)
        mass[i] = particles[i].mass;
}

extern "C" __global__ void masses_of_arrays(int n, const float *__restrict__ masses,
                                            float *__restrict__ mass)
{
    FOR_PAIRS(i, n)
        mass[i] = masses[i];
}

extern "C" __global__ void moments_of_structures(int n,
                                                 const aligned_particle *__restrict__ particles,
                                                 float *__restrict__ moment)
{
    FOR_PAIRS(i, n) {
        const float4 p = particles[i].position_mass;
        moment[i] = p.w * (p.x * p.x + p.y * p.y + p.z * p.z);
    }
}

/* The block has 256 threads. */
extern "C" __global__ void shared_banks(int step, int turns, const float *__restrict__ x,
                                        float *__restrict__ y)
{
    __shared__ float words[256 * 32];
    const int i = blockIdx.x * 256 + threadIdx.x;
    words[threadIdx.x * step] = x[i];
    __syncthreads();
    float sum = 0;
    for (int turn = 0; turn < turns; turn++)
        sum += words[(threadIdx.x + turn) % 256 * step];
    y[i] = sum;
}

/* The logistic map, `steps` times. */
static __device__ float work(float x, float rate, int steps)
{
    for (int k = 0; k < steps; k++)
        x = rate * x * (1 - x);
    return x;
}

extern "C" __global__ void branch_divergent(int n, int steps, const float *__restrict__ x,
                                            float *__restrict__ y)
{
    FOR_PAIRS(i, n) {
        if (i % 2 == 0)
            y[i] = work(x[i], 2.5f, steps);
        else
            y[i] = work(x[i], 1.5f, steps);
    }
}

extern "C" __global__ void branch_uniform(int n, int steps, const float *__restrict__ x,
                                          float *__restrict__ y)
{
    FOR_PAIRS(i, n) {
        if (i / 32 % 2 == 0)
            y[i] = work(x[i], 2.5f, steps);
        else
            y[i] = work(x[i], 1.5f, steps);
    }
}
