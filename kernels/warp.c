/* SPDX-License-Identifier: BSD-3-Clause */
/* Warps as a whole: reductions, scans, votes and exchanges among 32 lanes, without shared memory
 * and barriers. The last warp may be partial; only existing lanes are read. */
#include "portable.h"

/* Each lane's warp sum, minimum and maximum, in all lanes of the warp.
 * x, sums, lows, highs: one element per thread of the grid */
KERNEL(warp_reduce_real)(const REAL *RESTRICT x, REAL *RESTRICT sums, REAL *RESTRICT lows,
                         REAL *RESTRICT highs)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, value);
        PRIVATE(REAL, sum);
        PRIVATE(REAL, low);
        PRIVATE(REAL, high);
        FOR_EACH_THREAD
            MINE(value) = x[blockIdx.x * blockDim.x + threadIdx.x];
        WARP_REDUCE_ADD(sum, value);
        WARP_REDUCE_MIN(low, value);
        WARP_REDUCE_MAX(high, value);
        FOR_EACH_THREAD {
            const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            sums[i] = MINE(sum);
            lows[i] = MINE(low);
            highs[i] = MINE(high);
        }
    }
}

/* The sum by shuffles, for integers of 32 and 64 bits: lane 0 has the result.
 * x: one element per thread; sums: one per thread, valid for lane 0 */
KERNEL(warp_sum_int)(const int *RESTRICT x, int *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(int, sum);
        PRIVATE(int, other);
        FOR_EACH_THREAD
            MINE(sum) = x[blockIdx.x * blockDim.x + threadIdx.x];
        for (unsigned delta = WARP_SIZE / 2; delta > 0; delta /= 2) {
            SHUFFLE_DOWN(other, sum, delta);
            FOR_EACH_THREAD {
                if (threadIdx.x + delta < blockDim.x)
                    MINE(sum) += MINE(other);
            }
        }
        FOR_EACH_THREAD
            sums[blockIdx.x * blockDim.x + threadIdx.x] =
                threadIdx.x % WARP_SIZE == 0 ? MINE(sum) : 0;
    }
}

KERNEL(warp_sum_ull)(const unsigned long long *RESTRICT x, unsigned long long *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(unsigned long long, sum);
        PRIVATE(unsigned long long, other);
        FOR_EACH_THREAD
            MINE(sum) = x[blockIdx.x * blockDim.x + threadIdx.x];
        for (unsigned delta = WARP_SIZE / 2; delta > 0; delta /= 2) {
            SHUFFLE_DOWN(other, sum, delta);
            FOR_EACH_THREAD {
                if (threadIdx.x + delta < blockDim.x)
                    MINE(sum) += MINE(other);
            }
        }
        FOR_EACH_THREAD
            sums[blockIdx.x * blockDim.x + threadIdx.x] =
                threadIdx.x % WARP_SIZE == 0 ? MINE(sum) : 0;
    }
}

/* The inclusive scan of each warp by SHUFFLE_UP (W. D. Hillis and G. L. Steele, "Data parallel
 * algorithms", 1986), in double precision whatever REAL is.  x, scanned: one element per thread */
KERNEL(warp_scan_double)(const double *RESTRICT x, double *RESTRICT scanned)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(double, sum);
        PRIVATE(double, other);
        FOR_EACH_THREAD
            MINE(sum) = x[blockIdx.x * blockDim.x + threadIdx.x];
        for (unsigned delta = 1; delta < WARP_SIZE; delta *= 2) {
            SHUFFLE_UP(other, sum, delta);
            FOR_EACH_THREAD {
                if (threadIdx.x % WARP_SIZE >= delta)
                    MINE(sum) += MINE(other);
            }
        }
        FOR_EACH_THREAD
            scanned[blockIdx.x * blockDim.x + threadIdx.x] = MINE(sum);
    }
}

/* The votes of each warp on x > 0.  x, ballots, anys, alls: one element per thread */
KERNEL(warp_votes)(const REAL *RESTRICT x, unsigned *RESTRICT ballots, int *RESTRICT anys,
                   int *RESTRICT alls)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(unsigned, ballot);
        PRIVATE(int, any);
        PRIVATE(int, all);
        BALLOT(ballot, x[blockIdx.x * blockDim.x + threadIdx.x] > 0);
        ANY(any, x[blockIdx.x * blockDim.x + threadIdx.x] > 0);
        ALL(all, x[blockIdx.x * blockDim.x + threadIdx.x] > 0);
        FOR_EACH_THREAD {
            const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            ballots[i] = MINE(ballot);
            anys[i] = MINE(any);
            alls[i] = MINE(all);
        }
    }
}

/* Each lane reads from a lane of its choice, here a random one: SHUFFLE with a source per lane.
 * The last, partial warp reads only existing lanes.
 * x, lanes, y: one element per thread; lanes in [0, 32) */
KERNEL(warp_gather)(const REAL *RESTRICT x, const int *RESTRICT lanes, REAL *RESTRICT y)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, value);
        PRIVATE(REAL, got);
        PRIVATE(int, source);
        FOR_EACH_THREAD {
            const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            const unsigned warp = threadIdx.x / WARP_SIZE * WARP_SIZE;
            const unsigned exist = blockDim.x - warp < WARP_SIZE ? blockDim.x - warp : WARP_SIZE;
            MINE(value) = x[i];
            MINE(source) = (int)((unsigned)lanes[i] % exist);
        }
        SHUFFLE(got, value, MINE(source));
        FOR_EACH_THREAD
            y[blockIdx.x * blockDim.x + threadIdx.x] = MINE(got);
    }
}
