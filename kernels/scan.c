/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefix sums and what they are for: stream compaction. An array of any size is scanned in three
 * steps: each block scans its own elements, one block scans the blocks' sums, and each block adds
 * what comes before it. G. E. Blelloch, "Prefix sums and their applications", 1990. */
#include "portable.h"

/* 1. Each block's inclusive scan of its own elements, one per thread: the grid must cover n.
 *    x, scanned: n; sums: one per block */
KERNEL(scan_inclusive_blocks)(int n, const REAL *RESTRICT x, REAL *RESTRICT scanned,
                              REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, value);
        const int first = (int)(blockIdx.x * blockDim.x);
        FOR_EACH_THREAD {
            const int i = first + (int)threadIdx.x;
            MINE(value) = i < n ? x[i] : 0;
        }
        BLOCK_SCAN_ADD_INCLUSIVE(value, value);
        FOR_EACH_THREAD {
            const int i = first + (int)threadIdx.x;
            if (i < n)
                scanned[i] = MINE(value);
            if (threadIdx.x == blockDim.x - 1)
                sums[blockIdx.x] = MINE(value);
        }
    }
}

/* 1. The same, exclusive: element i is the sum of those before it. */
KERNEL(scan_exclusive_blocks)(int n, const REAL *RESTRICT x, REAL *RESTRICT scanned,
                              REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, value);
        PRIVATE(REAL, before);
        const int first = (int)(blockIdx.x * blockDim.x);
        FOR_EACH_THREAD {
            const int i = first + (int)threadIdx.x;
            MINE(value) = i < n ? x[i] : 0;
        }
        BLOCK_SCAN_ADD_EXCLUSIVE(before, value);
        FOR_EACH_THREAD {
            const int i = first + (int)threadIdx.x;
            if (i < n)
                scanned[i] = MINE(before);
            if (threadIdx.x == blockDim.x - 1)
                sums[blockIdx.x] = MINE(before) + MINE(value);
        }
    }
}

/* 2. The exclusive scan of the blocks' sums, in place, by one block that carries its running total
 *    from one stretch to the next.  sums: n elements */
KERNEL(scan_sums)(int n, REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        SHARED(REAL, carry, [1]);
        PRIVATE(REAL, value);
        PRIVATE(REAL, before);
        PRIVATE(REAL, carried);
        FOR_THREADS_BELOW(1)
            carry[0] = 0;
        SYNC_THREADS();
        for (int first = 0; first < n; first += (int)blockDim.x) {
            FOR_EACH_THREAD {
                const int i = first + (int)threadIdx.x;
                MINE(value) = i < n ? sums[i] : 0;
                MINE(carried) = carry[0];
            }
            BLOCK_SCAN_ADD_EXCLUSIVE(before, value);
            FOR_EACH_THREAD {
                const int i = first + (int)threadIdx.x;
                if (i < n)
                    sums[i] = MINE(carried) + MINE(before);
                if (threadIdx.x == blockDim.x - 1)
                    carry[0] = MINE(carried) + (MINE(before) + MINE(value));
            }
            SYNC_THREADS();
        }
    }
}

/* 3. Adds to each element the sum of the blocks before its own. The grid and the block are those
 *    of step 1.  scanned: n; sums: one per block */
KERNEL(scan_add_sums)(int n, const REAL *RESTRICT sums, REAL *RESTRICT scanned)
{
    FOR_EACH_BLOCK(0) {
        const int first = (int)(blockIdx.x * blockDim.x);
        FOR_EACH_THREAD {
            const int i = first + (int)threadIdx.x;
            if (i < n)
                scanned[i] = sums[blockIdx.x] + scanned[i];
        }
    }
}

/* Stream compaction keeps, in their order, the elements that are above the threshold. First, how
 * many each block keeps.  x: n; kept: one per block; the grid must cover n */
KERNEL(compact_count)(int n, REAL threshold, const REAL *RESTRICT x, int *RESTRICT kept)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(int, keep);
        const int first = (int)(blockIdx.x * blockDim.x);
        FOR_EACH_THREAD {
            const int i = first + (int)threadIdx.x;
            MINE(keep) = i < n && x[i] > threshold;
        }
        BLOCK_REDUCE_ADD(keep, keep);
        FOR_THREADS_BELOW(1)
            kept[blockIdx.x] = MINE(keep);
    }
}

/* Then where each block begins, by one block: the exclusive scan of the counts, in place, and after
 * them the number of all.  counts: n + 1 elements */
KERNEL(compact_offsets)(int n, int *RESTRICT counts)
{
    FOR_EACH_BLOCK(0) {
        SHARED(int, carry, [1]);
        PRIVATE(int, value);
        PRIVATE(int, before);
        PRIVATE(int, carried);
        FOR_THREADS_BELOW(1)
            carry[0] = 0;
        SYNC_THREADS();
        for (int first = 0; first < n; first += (int)blockDim.x) {
            FOR_EACH_THREAD {
                const int i = first + (int)threadIdx.x;
                MINE(value) = i < n ? counts[i] : 0;
                MINE(carried) = carry[0];
            }
            BLOCK_SCAN_ADD_EXCLUSIVE(before, value);
            FOR_EACH_THREAD {
                const int i = first + (int)threadIdx.x;
                if (i < n)
                    counts[i] = MINE(carried) + MINE(before);
                if (threadIdx.x == blockDim.x - 1)
                    carry[0] = MINE(carried) + MINE(before) + MINE(value);
            }
            SYNC_THREADS();
        }
        FOR_THREADS_BELOW(1)
            counts[n] = carry[0];
    }
}

/* Last, the elements. By scan: a thread's place in its block is the exclusive scan of the flags.
 * What lies beyond n counts as the threshold itself, which is not above it.
 * offsets: one per block; packed: as many elements as are kept */
KERNEL(compact_by_scan)(int n, REAL threshold, const REAL *RESTRICT x, const int *RESTRICT offsets,
                        REAL *RESTRICT packed)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, value);
        PRIVATE(int, keep);
        PRIVATE(int, place);
        const int first = (int)(blockIdx.x * blockDim.x);
        FOR_EACH_THREAD {
            const int i = first + (int)threadIdx.x;
            MINE(value) = i < n ? x[i] : threshold;
            MINE(keep) = MINE(value) > threshold;
        }
        BLOCK_SCAN_ADD_EXCLUSIVE(place, keep);
        FOR_EACH_THREAD {
            if (MINE(keep))
                packed[offsets[blockIdx.x] + MINE(place)] = MINE(value);
        }
    }
}

/* The same by ballot: a lane's place in its warp is the number of set bits below its own, and only
 * the warps' counts are scanned. */
KERNEL(compact_by_ballot)(int n, REAL threshold, const REAL *RESTRICT x,
                          const int *RESTRICT offsets, REAL *RESTRICT packed)
{
    FOR_EACH_BLOCK(0) {
        SHARED(int, warp_count, [WARP_SIZE]);
        PRIVATE(REAL, value);
        PRIVATE(int, keep);
        PRIVATE(unsigned, votes);
        PRIVATE(unsigned, warp);
        const int first = (int)(blockIdx.x * blockDim.x);
        FOR_EACH_THREAD {
            const int i = first + (int)threadIdx.x;
            MINE(value) = i < n ? x[i] : threshold;
            MINE(keep) = MINE(value) > threshold;
            MINE(warp) = threadIdx.x / WARP_SIZE;
        }
        BALLOT(votes, MINE(keep));
        FOR_EACH_THREAD {
            if (threadIdx.x % WARP_SIZE == 0)
                warp_count[MINE(warp)] = POPCOUNT(MINE(votes));
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            if (MINE(keep)) {
                const unsigned lane = threadIdx.x % WARP_SIZE;
                int place = POPCOUNT(MINE(votes) & ((1u << lane) - 1));
                for (unsigned w = 0; w < MINE(warp); w++)
                    place += warp_count[w];
                packed[offsets[blockIdx.x] + place] = MINE(value);
            }
        }
    }
}
