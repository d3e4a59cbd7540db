/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefix sums and an application: stream compaction. An array of any size is scanned in three
 * steps: each block scans its own elements, one block scans the blocks' sums, and each block adds
 * the sum before it. G. E. Blelloch, "Prefix sums and their applications", 1990. Or in one step,
 * where blocks wait for the sums of others: it reads and writes each element once. */
#include "portable.h"

#include <string.h> /* memcpy */

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

/* 1. The same, exclusive: element i is the sum of all elements before it. */
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

/* 2. The exclusive scan of the blocks' sums, in place, by one block that carries a running total
 *    from one segment to the next.  sums: n elements */
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

/* In one step: the inclusive scan of tiles, which blocks take from a queue. A tile's sum is
 * published as soon as it is known; then the block waits for the sums of the tiles before it, and
 * adds them up. It never waits for a block with a later ticket, so any number of blocks, in any
 * order, terminates. D. Merrill and M. Garland, "Single-pass parallel prefix scan with decoupled
 * look-back", 2016; but there a block adds up whatever sums it finds, in an order that varies from
 * run to run, and here the order is fixed: SCAN_GROUP tiles form a group, and the sum before a tile
 * is that of all groups up to the last but one, plus the tiles since then. */
#define SCAN_THREADS 512
#define SCAN_RUN 8 /* consecutive float4 of a thread */
#define SCAN_TILE (4 * SCAN_RUN * SCAN_THREADS)
#define SCAN_GROUP 64

/* A sum and its ready flag in one word, so the order of two stores does not matter. */
DEVICE void scan_publish(unsigned long long *word, float sum)
{
    unsigned bits;
    memcpy(&bits, &sum, sizeof bits);
    ATOMIC_STORE(word, 1ull << 32 | bits);
}

DEVICE float scan_await(const unsigned long long *word)
{
    unsigned long long seen;
    do
        seen = ATOMIC_LOAD(word);
    while (seen >> 32 == 0);
    const unsigned bits = (unsigned)seen;
    float sum;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

/* The place of the i-th float4 of a tile in shared memory: neighbouring threads use different banks
 * both when each takes the next float4 and when each takes the next run. */
DEVICE unsigned scan_slot(unsigned i)
{
    return i ^ i / SCAN_RUN % 8;
}

/* The tile waits in shared memory, not in registers, so that many are in flight: 192 KiB per
 * multiprocessor. One warp per block polls the sums, because polling takes bandwidth too. On an
 * H200, with 2^28 elements, 3470 GB/s, against 459 for the three steps; 3290 if all warps poll,
 * 2690 with tiles in registers, half as many in flight; without waiting it would be 4000.
 * x, scanned: n floats, aligned to 16 bytes; queue: 1, tile_sums: one per tile, group_sums: one per
 * group, the sum of everything through that group; all 0 at first. Shared memory: one tile, 64 KiB,
 * available from compute capability 8.0 on */
KERNEL_LAUNCH_BOUNDS(scan_single_pass, 512, 3)(int n, const float *RESTRICT x, float *RESTRICT scanned,
                                        unsigned *RESTRICT queue,
                                        unsigned long long *RESTRICT tile_sums,
                                        unsigned long long *RESTRICT group_sums)
{
    FOR_EACH_BLOCK(SCAN_THREADS) {
        SHARED_DYNAMIC(float4, tile);
        SHARED(unsigned, ticket, [1]);
        PRIVATE(float, sum);
        PRIVATE(float, before);
        PRIVATE(float, prefix);
        const unsigned tiles = n > 0 ? ((unsigned)n + SCAN_TILE - 1) / SCAN_TILE : 0;
        for (;;) {
            FOR_THREADS_BELOW(1)
                ticket[0] = ATOMIC_ADD(queue, 1u);
            SYNC_THREADS();
            const unsigned t = ticket[0];
            if (t >= tiles)
                break;
            const unsigned first = t * SCAN_TILE;
            const unsigned count =
                (unsigned)n - first < SCAN_TILE ? (unsigned)n - first : SCAN_TILE;
            if (count == SCAN_TILE) {
                UNROLL(SCAN_RUN)
                for (unsigned k = 0; k < SCAN_TILE / 4; k += SCAN_THREADS) {
                    FOR_EACH_THREAD
                        tile[scan_slot(k + threadIdx.x)] =
                            ((const float4 *)x)[first / 4 + k + threadIdx.x];
                }
            } else {
                FOR_EACH_THREAD {
                    for (unsigned i = threadIdx.x; i < SCAN_TILE; i += SCAN_THREADS)
                        ((float *)&tile[scan_slot(i / 4)])[i % 4] = i < count ? x[first + i] : 0;
                }
            }
            SYNC_THREADS();
            FOR_EACH_THREAD {
                float4 four = make_float4(0, 0, 0, 0);
                UNROLL(SCAN_RUN)
                for (unsigned k = 0; k < SCAN_RUN; k++) {
                    const float4 v = tile[scan_slot(threadIdx.x * SCAN_RUN + k)];
                    four = make_float4(four.x + v.x, four.y + v.y, four.z + v.z, four.w + v.w);
                }
                MINE(sum) = (four.x + four.y) + (four.z + four.w);
            }
            BLOCK_SCAN_ADD_EXCLUSIVE(before, sum);
            const unsigned group = t / SCAN_GROUP;
            const unsigned window = group > 0 ? (group - 1) * SCAN_GROUP : 0;
            FOR_EACH_THREAD {
                if (threadIdx.x == SCAN_THREADS - 1)
                    scan_publish(&tile_sums[t], MINE(before) + MINE(sum));
                MINE(prefix) = 0;
                if (threadIdx.x >= SCAN_THREADS - WARP_SIZE) {
                    const unsigned lane = threadIdx.x % WARP_SIZE;
                    UNROLL(4)
                    for (unsigned k = lane; k < 2 * SCAN_GROUP; k += WARP_SIZE)
                        MINE(prefix) += window + k < t ? scan_await(&tile_sums[window + k]) : 0;
                    if (lane == WARP_SIZE - 1 && group > 1)
                        MINE(prefix) += scan_await(&group_sums[group - 2]);
                }
            }
            BLOCK_REDUCE_ADD(prefix, prefix);
            FOR_EACH_THREAD {
                if (threadIdx.x == SCAN_THREADS - 1 && t % SCAN_GROUP == SCAN_GROUP - 1)
                    scan_publish(&group_sums[group], MINE(prefix) + (MINE(before) + MINE(sum)));
                float through = MINE(prefix) + MINE(before);
                UNROLL(SCAN_RUN)
                for (unsigned k = 0; k < SCAN_RUN; k++) {
                    float4 v = tile[scan_slot(threadIdx.x * SCAN_RUN + k)];
                    v.x = through + v.x;
                    v.y = v.x + v.y;
                    v.z = v.y + v.z;
                    v.w = v.z + v.w;
                    tile[scan_slot(threadIdx.x * SCAN_RUN + k)] = v;
                    through = v.w;
                }
            }
            SYNC_THREADS();
            if (count == SCAN_TILE) {
                UNROLL(SCAN_RUN)
                for (unsigned k = 0; k < SCAN_TILE / 4; k += SCAN_THREADS) {
                    FOR_EACH_THREAD
                        ((float4 *)scanned)[first / 4 + k + threadIdx.x] =
                            tile[scan_slot(k + threadIdx.x)];
                }
            } else {
                FOR_EACH_THREAD {
                    for (unsigned i = threadIdx.x; i < count; i += SCAN_THREADS)
                        scanned[first + i] = ((float *)&tile[scan_slot(i / 4)])[i % 4];
                }
            }
        }
    }
}

/* Stream compaction keeps the elements above the threshold, in order. First, the number that
 * each block keeps.  x: n; kept: one per block; the grid must cover n */
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

/* Then the start of each block, by one block: the exclusive scan of the counts, in place, followed
 * by the total.  counts: n + 1 elements */
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
 * Elements beyond n count as the threshold itself, which is not above it.
 * offsets: one per block; packed: the elements that are kept */
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
