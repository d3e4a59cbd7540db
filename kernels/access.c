/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of a warp's access pattern: the same copy or sum in pairs of patterns. The results are
 * the same; on a GPU the times differ: `gallery bench` shows by how much. */
#include "portable.h"

/* Coalesced: neighbouring lanes access neighbouring words, and a warp's 128 bytes are one request.
 * x, y: n elements */
KERNEL(copy_coalesced)(int n, const float *RESTRICT x, float *RESTRICT y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = x[i];
}

/* Strided: neighbouring lanes are `stride` words apart, so each needs its own sector.
 * n is a multiple of stride; element i goes where the plain copy puts it */
KERNEL(copy_strided)(int n, int stride, const float *RESTRICT x, float *RESTRICT y)
{
    const int columns = n / stride;
    GRID_STRIDE_LOOP(i, n) {
        const int at = i % columns * stride + i / columns;
        y[at] = x[at];
    }
}

/* Misaligned: each warp's words begin `offset` words past a boundary, and touch one extra sector.
 * x: n + offset; y: n elements */
KERNEL(copy_misaligned)(int n, int offset, const float *RESTRICT x, float *RESTRICT y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = x[i + offset];
}

/* A particle, as an element of an array of structures. */
struct particle {
    float x, y, z, mass;
};

/* The same as one 16-byte word, so that a lane reads it in one access. */
struct ALIGNED(16) aligned_particle {
    float4 position_mass;
};

/* Array of structures, one member: a warp reads four times the bytes it uses. */
KERNEL(masses_of_structures)(int n, const struct particle *RESTRICT particles, float *RESTRICT mass)
{
    GRID_STRIDE_LOOP(i, n)
        mass[i] = particles[i].mass;
}

/* Structure of arrays: the masses are contiguous. */
KERNEL(masses_of_arrays)(int n, const float *RESTRICT masses, float *RESTRICT mass)
{
    GRID_STRIDE_LOOP(i, n)
        mass[i] = masses[i];
}

/* All four members of an aligned structure: one 16-byte access per lane, as good as four arrays. */
KERNEL(moments_of_structures)(int n, const struct aligned_particle *RESTRICT particles,
                              float *RESTRICT moment)
{
    GRID_STRIDE_LOOP(i, n) {
        const float4 p = particles[i].position_mass;
        moment[i] = p.w * (p.x * p.x + p.y * p.y + p.z * p.z);
    }
}

/* Each thread rotates its word through shared memory `turns` times, by `step` words: with step 32
 * all lanes of a warp access one bank; with 1 each lane has a different bank.
 * The block has 256 threads; x, y: n elements, the grid covers n, a multiple of 256 */
#define BANK_WORDS (256 * 32)
KERNEL(shared_banks)(int step, int turns, const float *RESTRICT x, float *RESTRICT y)
{
    FOR_EACH_BLOCK(256) {
        SHARED(float, words, [BANK_WORDS]);
        PRIVATE(float, sum);
        FOR_EACH_THREAD {
            words[threadIdx.x * (unsigned)step] = x[blockIdx.x * blockDim.x + threadIdx.x];
            MINE(sum) = 0;
        }
        SYNC_THREADS();
        for (int turn = 0; turn < turns; turn++) {
            FOR_EACH_THREAD
                MINE(sum) += words[(threadIdx.x + (unsigned)turn) % 256 * (unsigned)step];
        }
        FOR_EACH_THREAD
            y[blockIdx.x * blockDim.x + threadIdx.x] = MINE(sum);
    }
}

#define WORK_RATE_A 2.5f
#define WORK_RATE_B 1.5f

/* The logistic map, `steps` times: arithmetic that the compiler cannot simplify. */
DEVICE float work(float x, float rate, int steps)
{
    for (int k = 0; k < steps; k++)
        x = rate * x * (1 - x);
    return x;
}

/* Two kinds of work, chosen by lane: each warp does both, one after the other. */
KERNEL(branch_divergent)(int n, int steps, const float *RESTRICT x, float *RESTRICT y)
{
    GRID_STRIDE_LOOP(i, n) {
        if (i % 2 == 0)
            y[i] = work(x[i], WORK_RATE_A, steps);
        else
            y[i] = work(x[i], WORK_RATE_B, steps);
    }
}

/* The same number of elements of each kind, chosen by warp: each warp does one. */
KERNEL(branch_uniform)(int n, int steps, const float *RESTRICT x, float *RESTRICT y)
{
    GRID_STRIDE_LOOP(i, n) {
        if (i / WARP_SIZE % 2 == 0)
            y[i] = work(x[i], WORK_RATE_A, steps);
        else
            y[i] = work(x[i], WORK_RATE_B, steps);
    }
}
