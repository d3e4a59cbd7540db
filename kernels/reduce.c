/* SPDX-License-Identifier: BSD-3-Clause */
/* Sum of n elements in ten steps, each with its change explained; then four statistics in one pass.
 *
 * All but the first two make one sum per block (or per warp): a second launch of the kernel, with
 * one block, sums those. The order of the additions is fixed by grid and block, so the result is
 * the same, bit for bit, on every target and in every run. */
#include "portable.h"

/* The smallest power of two that is at least n; 1 for n = 0. n is at most 2^31. */
DEVICE unsigned next_power_of_two(unsigned n)
{
    unsigned power = 1;
    while (power < n)
        power *= 2;
    return power;
}

/* 1. One thread adds up everything: the baseline.  x: n; total: 1 element */
KERNEL(sum_one_thread)(int n, const REAL *RESTRICT x, REAL *RESTRICT total)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD {
            REAL sum = 0;
            for (int i = 0; i < n; i++)
                sum += x[i];
            total[0] = sum;
        }
    }
}

/* 2. Every thread adds its elements to one counter. The whole device works, but serially, and in
 *    no fixed order.  x: n; total: 1 element, 0 at first */
KERNEL(sum_atomic)(int n, const REAL *RESTRICT x, REAL *RESTRICT total)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(total, x[i]);
}

/* 3. Each thread sums its elements first, then the block sums its threads as a tree in shared
 *    memory: half as many threads in each step. The block is a power of two.
 *    x: n; sums: one per block */
KERNEL(sum_tree)(int n, const REAL *RESTRICT x, REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        SHARED(REAL, partial, [1024]);
        PRIVATE(REAL, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n)
            MINE(sum) += x[i];
        FOR_EACH_THREAD
            partial[threadIdx.x] = MINE(sum);
        SYNC_THREADS();
        for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
            FOR_THREADS_BELOW(half)
                partial[threadIdx.x] += partial[threadIdx.x + half];
            SYNC_THREADS();
        }
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = partial[0];
    }
}

/* 4. The same tree for a block of any size: it starts from the next power of two, and the first
 *    step adds only what exists.  x: n; sums: one per block */
KERNEL(sum_tree_any)(int n, const REAL *RESTRICT x, REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        SHARED(REAL, partial, [1024]);
        PRIVATE(REAL, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n)
            MINE(sum) += x[i];
        FOR_EACH_THREAD
            partial[threadIdx.x] = MINE(sum);
        SYNC_THREADS();
        unsigned count = blockDim.x;
        while (count > 1) {
            const unsigned half = next_power_of_two(count) / 2;
            FOR_THREADS_BELOW(count - half)
                partial[threadIdx.x] += partial[threadIdx.x + half];
            SYNC_THREADS();
            count = half;
        }
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = partial[0];
    }
}

/* 5. A butterfly instead of a tree: no thread idles, and every thread ends with the sum, ready for
 *    use. The block is a power of two.  x: n; sums: one per thread of the grid */
KERNEL(sum_butterfly)(int n, const REAL *RESTRICT x, REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        SHARED(REAL, partial, [1024]);
        PRIVATE(REAL, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n)
            MINE(sum) += x[i];
        for (unsigned mask = blockDim.x / 2; mask > 0; mask /= 2) {
            FOR_EACH_THREAD
                partial[threadIdx.x] = MINE(sum);
            SYNC_THREADS();
            FOR_EACH_THREAD
                MINE(sum) += partial[threadIdx.x ^ mask];
            SYNC_THREADS();
        }
        FOR_EACH_THREAD
            sums[blockIdx.x * blockDim.x + threadIdx.x] = MINE(sum);
    }
}

/* 6. Warps exchange registers: no shared memory and no barrier. The block is whole warps.
 *    x: n; sums: one per warp of the grid */
KERNEL(sum_warp)(int n, const REAL *RESTRICT x, REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, sum);
        PRIVATE(REAL, other);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n)
            MINE(sum) += x[i];
        for (unsigned delta = WARP_SIZE / 2; delta > 0; delta /= 2) {
            SHUFFLE_DOWN(other, sum, delta);
            FOR_EACH_THREAD
                MINE(sum) += MINE(other);
        }
        FOR_EACH_THREAD {
            if (threadIdx.x % WARP_SIZE == 0)
                sums[(blockIdx.x * blockDim.x + threadIdx.x) / WARP_SIZE] = MINE(sum);
        }
    }
}

/* 7. Two levels: the warps store their sums in shared memory and the first warp sums them. One
 *    barrier, one result per block. The block is whole warps.  x: n; sums: one per block */
KERNEL(sum_two_level)(int n, const REAL *RESTRICT x, REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        SHARED(REAL, of_warp, [WARP_SIZE]);
        PRIVATE(REAL, sum);
        PRIVATE(REAL, other);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n)
            MINE(sum) += x[i];
        for (unsigned delta = WARP_SIZE / 2; delta > 0; delta /= 2) {
            SHUFFLE_DOWN(other, sum, delta);
            FOR_EACH_THREAD
                MINE(sum) += MINE(other);
        }
        FOR_EACH_THREAD {
            if (threadIdx.x % WARP_SIZE == 0)
                of_warp[threadIdx.x / WARP_SIZE] = MINE(sum);
        }
        SYNC_THREADS();
        FOR_EACH_THREAD
            MINE(sum) = threadIdx.x < blockDim.x / WARP_SIZE ? of_warp[threadIdx.x] : 0;
        for (unsigned delta = WARP_SIZE / 2; delta > 0; delta /= 2) {
            SHUFFLE_DOWN(other, sum, delta);
            FOR_EACH_THREAD
                MINE(sum) += MINE(other);
        }
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = MINE(sum);
    }
}

/* 8. The same as one collective, for a block of any size.  x: n; sums: one per block */
KERNEL(sum_collective)(int n, const REAL *RESTRICT x, REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n)
            MINE(sum) += x[i];
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = MINE(sum);
    }
}

/* 9. Each thread has four loads in flight, one from each quarter of x: bytes in flight hide memory
 *    latency, not threads. On a CPU these are four streams to prefetch, and one addition to a sum
 *    in memory in place of four: 0.8 of the time of step 8.
 *    x: n; sums: one per block */
KERNEL(sum_quarters)(int n, const REAL *RESTRICT x, REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, sum);
        const int quarter = n / 4;
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, quarter)
            MINE(sum) += (x[i] + x[quarter + i]) + (x[2 * quarter + i] + x[3 * quarter + i]);
        FOR_EACH_ELEMENT(i, n % 4)
            MINE(sum) += x[4 * quarter + i];
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = MINE(sum);
    }
}

/* 10. The same with sixteen bytes per load. On an H200, with 2^28 elements, 4366 to 4488 GB/s,
 *    against 4150 in step 8 and 4340 in step 9.
 *    x: n floats, aligned to 16 bytes; sums: one per block */
KERNEL(sum_float4)(int n, const float *RESTRICT x, float *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(float4, four);
        PRIVATE(float, sum);
        const float4 *x4 = (const float4 *)x;
        const int quarter = n / 16;
        FOR_EACH_THREAD
            MINE(four) = make_float4(0, 0, 0, 0);
        FOR_EACH_ELEMENT(i, quarter) {
            const float4 a = x4[i], b = x4[quarter + i];
            const float4 c = x4[2 * quarter + i], d = x4[3 * quarter + i];
            MINE(four).x += (a.x + b.x) + (c.x + d.x);
            MINE(four).y += (a.y + b.y) + (c.y + d.y);
            MINE(four).z += (a.z + b.z) + (c.z + d.z);
            MINE(four).w += (a.w + b.w) + (c.w + d.w);
        }
        FOR_EACH_THREAD
            MINE(sum) = (MINE(four).x + MINE(four).y) + (MINE(four).z + MINE(four).w);
        FOR_EACH_ELEMENT(i, n % 16)
            MINE(sum) += x[16 * quarter + i];
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = MINE(sum);
    }
}

/* Minimum, maximum and sum of the elements of the block, of three arrays of n elements or of one
 * array three times; n >= 1. A block without elements stores the first ones and 0.
 * low, high, sum: element `at` is the result */
BLOCK_FUNCTION(void, statistics_of_block, (0), int n, const REAL *RESTRICT lows,
               const REAL *RESTRICT highs, const REAL *RESTRICT sums, unsigned at,
               REAL *RESTRICT low_at, REAL *RESTRICT high_at, REAL *RESTRICT sum_at)
{
    PRIVATE(REAL, low);
    PRIVATE(REAL, high);
    PRIVATE(REAL, sum);
    FOR_EACH_THREAD {
        MINE(low) = lows[0];
        MINE(high) = highs[0];
        MINE(sum) = 0;
    }
    FOR_EACH_ELEMENT(i, n) {
        MINE(low) = lows[i] < MINE(low) ? lows[i] : MINE(low);
        MINE(high) = highs[i] > MINE(high) ? highs[i] : MINE(high);
        MINE(sum) += sums[i];
    }
    BLOCK_REDUCE_MIN(low, low);
    BLOCK_REDUCE_MAX(high, high);
    BLOCK_REDUCE_ADD(sum, sum);
    FOR_THREADS_BELOW(1) {
        low_at[at] = MINE(low);
        high_at[at] = MINE(high);
        sum_at[at] = MINE(sum);
    }
}

/* Minimum, maximum and sum of each block's elements, in one pass over x; n >= 1.
 * x: n; lows, highs, sums: one per block. A block without elements stores x[0], x[0] and 0. */
KERNEL(statistics)(int n, const REAL *RESTRICT x, REAL *RESTRICT lows, REAL *RESTRICT highs,
                   REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0)
        BLOCK_CALL(statistics_of_block, n, x, x, x, blockIdx.x, lows, highs, sums);
}

/* Combines the blocks' statistics: minimum, maximum, sum, and the mean as the sum divided by the
 * count, by one block.  lows, highs, sums: one per block; result: 4 elements */
KERNEL(statistics_of_blocks)(int n, int blocks, const REAL *RESTRICT lows,
                             const REAL *RESTRICT highs, const REAL *RESTRICT sums,
                             REAL *RESTRICT result)
{
    FOR_EACH_BLOCK(0) {
        BLOCK_CALL(statistics_of_block, blocks, lows, highs, sums, 0, &result[0], &result[1],
                   &result[2]);
        FOR_THREADS_BELOW(1)
            result[3] = result[2] / (REAL)n;
    }
}
