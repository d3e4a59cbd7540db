/* SPDX-License-Identifier: BSD-3-Clause */
/* The sum of f(a[i], b[j]) over all pairs, in six steps.
 * a: na; b: nb elements; total: 1 element, 0 at first */
#include "portable.h"

/* f(a, b) = 1 / (1 + (a - b)^2) */
DEVICE REAL pair_value(REAL a, REAL b)
{
    const REAL d = a - b;
    return 1 / (1 + d * d);
}

/* 1. A double loop: one atomic per pair. */
KERNEL(pairs_loop)(int na, int nb, const REAL *RESTRICT a, const REAL *RESTRICT b,
                   REAL *RESTRICT total)
{
    GRID_STRIDE_LOOP_2D(j, i, nb, na)
        ATOMIC_ADD(total, pair_value(a[i], b[j]));
}

/* 2. Each thread takes one a and a strip of b, sums in a register, and adds once. The grid is
 *    ceil(na / block) x the number of strips. */
KERNEL(pairs_strip)(int na, int nb, const REAL *RESTRICT a, const REAL *RESTRICT b,
                    REAL *RESTRICT total)
{
    FOR_EACH_BLOCK(0) {
        const int strip = (nb + (int)gridDim.y - 1) / (int)gridDim.y;
        const int first = (int)blockIdx.y * strip;
        const int end = first + strip < nb ? first + strip : nb;
        FOR_EACH_THREAD {
            const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
            if (i < na) {
                REAL sum = 0;
                for (int j = first; j < end; j++)
                    sum += pair_value(a[i], b[j]);
                ATOMIC_ADD(total, sum);
            }
        }
    }
}

/* The tiles of 3 and 4: sets each thread's sum to that of its a and the block's strip of b. The
 * strip goes through shared memory, tile by tile, one load per thread and tile; the threads read it
 * diagonally, each starting at a different element, so that no two lanes of a warp read the same
 * word at the same time. */
BLOCK_FUNCTION(void, pairs_of_block, (0), int na, int nb, const REAL *RESTRICT a,
               const REAL *RESTRICT b, PRIVATE_PARAMETER(REAL, sum, [1]))
{
    SHARED(REAL, tile, [1024]);
    PRIVATE(int, i);
    const int strip = (nb + (int)gridDim.y - 1) / (int)gridDim.y;
    const int first = (int)blockIdx.y * strip;
    const int end = first + strip < nb ? first + strip : nb;
    FOR_EACH_THREAD {
        MINE(i) = (int)(blockIdx.x * blockDim.x + threadIdx.x);
        MINE(sum)[0] = 0;
    }
    for (int base = first; base < end; base += (int)blockDim.x) {
        const int count = end - base < (int)blockDim.x ? end - base : (int)blockDim.x;
        FOR_THREADS_BELOW(count)
            tile[threadIdx.x] = b[base + (int)threadIdx.x];
        SYNC_THREADS();
        FOR_EACH_THREAD {
            if (MINE(i) < na) {
                int k = (int)threadIdx.x % count;
                for (int step = 0; step < count; step++) {
                    MINE(sum)[0] += pair_value(a[MINE(i)], tile[k]);
                    k = k + 1 < count ? k + 1 : 0;
                }
            }
        }
        SYNC_THREADS();
    }
}

/* 3. Tiles in shared memory. The grid is as for 2. */
KERNEL(pairs_tiled)(int na, int nb, const REAL *RESTRICT a, const REAL *RESTRICT b,
                    REAL *RESTRICT total)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, sum, [1]);
        BLOCK_CALL(pairs_of_block, na, nb, a, b, sum);
        FOR_EACH_THREAD
            ATOMIC_ADD(total, MINE(sum)[0]);
    }
}

/* 4. Each warp sums its lanes by shuffles before its one atomic. The grid is as for 2. */
KERNEL(pairs_warp)(int na, int nb, const REAL *RESTRICT a, const REAL *RESTRICT b,
                   REAL *RESTRICT total)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, sum, [1]);
        PRIVATE(REAL, of_warp);
        BLOCK_CALL(pairs_of_block, na, nb, a, b, sum);
        FOR_EACH_THREAD
            MINE(of_warp) = MINE(sum)[0];
        WARP_REDUCE_ADD(of_warp, of_warp);
        FOR_EACH_THREAD {
            if (threadIdx.x % WARP_SIZE == 0)
                ATOMIC_ADD(total, MINE(of_warp));
        }
    }
}

/* 5. All threads of the block read the same element of the tile at the same time, which shared
 *    memory broadcasts. So the block runs the loop over the tile, and the threads are the inner
 *    loop, which cc vectorises: 0.4 of the time of 2 on a CPU. The grid is as
 *    for 2. */
KERNEL(pairs_broadcast)(int na, int nb, const REAL *RESTRICT a, const REAL *RESTRICT b,
                        REAL *RESTRICT total)
{
    FOR_EACH_BLOCK(0) {
        SHARED(REAL, tile, [1024]);
        PRIVATE(int, i);
        PRIVATE(REAL, value);
        PRIVATE(REAL, sum);
        const int strip = (nb + (int)gridDim.y - 1) / (int)gridDim.y;
        const int first = (int)blockIdx.y * strip;
        const int end = first + strip < nb ? first + strip : nb;
        FOR_EACH_THREAD {
            MINE(i) = (int)(blockIdx.x * blockDim.x + threadIdx.x);
            MINE(value) = MINE(i) < na ? a[MINE(i)] : 0;
            MINE(sum) = 0;
        }
        for (int base = first; base < end; base += (int)blockDim.x) {
            const int count = end - base < (int)blockDim.x ? end - base : (int)blockDim.x;
            FOR_THREADS_BELOW(count)
                tile[threadIdx.x] = b[base + (int)threadIdx.x];
            SYNC_THREADS();
            for (int k = 0; k < count; k++) {
                FOR_EACH_THREAD
                    MINE(sum) += pair_value(MINE(value), tile[k]);
            }
            SYNC_THREADS();
        }
        FOR_EACH_THREAD {
            if (MINE(i) >= na)
                MINE(sum) = 0;
        }
        WARP_REDUCE_ADD(sum, sum);
        FOR_EACH_THREAD {
            if (threadIdx.x % WARP_SIZE == 0)
                ATOMIC_ADD(total, MINE(sum));
        }
    }
}

/* f(a, b[0]) + ... + f(a, b[PAIRS_AT_ONCE - 1]), with one division: over / under + 1 / x =
 * (over x + under) / (under x). In float the distances must be below 5e4, so that under, a product
 * of four squares, is one that fast_divide takes. */
#define PAIRS_AT_ONCE 4
DEVICE REAL pair_values(REAL a, const REAL *b)
{
    const REAL d = a - b[0];
    REAL over = 1, under = 1 + d * d;

    UNROLL(PAIRS_AT_ONCE)
    for (int k = 1; k < PAIRS_AT_ONCE; k++) {
        const REAL e = a - b[k], x = 1 + e * e;
        over = over * x + under;
        under = under * x;
    }
    return fast_divide(over, under);
}

/* 6. Four pairs at a time, with one division: 4.4 instructions per pair on a GPU, where 5 takes 13,
 *    of which ten are for an IEEE division. One atomic per block. 65536 x 65536 on an
 *    H200: 691 us, against 2101 for 5; on a CPU 0.83 to 0.9 of the time of 5. The grid is as for
 *    2. */
KERNEL(pairs_fractions)(int na, int nb, const REAL *RESTRICT a, const REAL *RESTRICT b,
                        REAL *RESTRICT total)
{
    FOR_EACH_BLOCK(0) {
        ALIGNED(16) SHARED(REAL, tile, [1024]);
        PRIVATE(REAL, value);
        PRIVATE(REAL, sum);
        const int strip = (nb + (int)gridDim.y - 1) / (int)gridDim.y;
        const int first = (int)blockIdx.y * strip;
        const int end = first + strip < nb ? first + strip : nb;
        const int row = (int)(blockIdx.x * blockDim.x), rows = na - row;
        FOR_EACH_THREAD {
            MINE(value) = (int)threadIdx.x < rows ? a[row + (int)threadIdx.x] : 0;
            MINE(sum) = 0;
        }
        for (int base = first; base < end; base += (int)blockDim.x) {
            const int count = end - base < (int)blockDim.x ? end - base : (int)blockDim.x;
            const int together = count / PAIRS_AT_ONCE * PAIRS_AT_ONCE;
            FOR_THREADS_BELOW(count)
                tile[threadIdx.x] = b[base + (int)threadIdx.x];
            SYNC_THREADS();
            for (int k = 0; k < together; k += PAIRS_AT_ONCE) {
                FOR_EACH_THREAD
                    MINE(sum) += pair_values(MINE(value), &tile[k]);
            }
            for (int k = together; k < count; k++) {
                FOR_EACH_THREAD
                    MINE(sum) += pair_value(MINE(value), tile[k]);
            }
            SYNC_THREADS();
        }
        FOR_EACH_THREAD {
            if ((int)threadIdx.x >= rows)
                MINE(sum) = 0;
        }
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            ATOMIC_ADD(total, MINE(sum));
    }
}
