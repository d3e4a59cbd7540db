/* SPDX-License-Identifier: BSD-3-Clause */
/* A histogram of bytes, with 256 bins. Integer counts do not depend on the order of the atomics,
 * so the result is exact. */
#include "portable.h"

#define HISTOGRAM_BINS 256

/* 1. One global atomic per byte.  x: n bytes; bins: HISTOGRAM_BINS counts, 0 at first */
KERNEL(histogram_global)(int n, const unsigned char *RESTRICT x, unsigned *RESTRICT bins)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(&bins[x[i]], 1u);
}

/* 2. Each block counts in shared memory, with contention among its own threads only, and
 *    adds its counts to the global ones at the end: one global atomic per bin and block. */
KERNEL(histogram_shared)(int n, const unsigned char *RESTRICT x, unsigned *RESTRICT bins)
{
    FOR_EACH_BLOCK(0) {
        SHARED(unsigned, counts, [HISTOGRAM_BINS]);
        FOR_EACH_THREAD {
            for (unsigned bin = threadIdx.x; bin < HISTOGRAM_BINS; bin += blockDim.x)
                counts[bin] = 0;
        }
        SYNC_THREADS();
        FOR_EACH_ELEMENT(i, n)
            ATOMIC_ADD_BLOCK(&counts[x[i]], 1u);
        SYNC_THREADS();
        FOR_EACH_THREAD {
            for (unsigned bin = threadIdx.x; bin < HISTOGRAM_BINS; bin += blockDim.x)
                ATOMIC_ADD(&bins[bin], counts[bin]);
        }
    }
}

/* Counts the four bytes of a word in a column. The bins are 2^bits words apart: a byte moved to bit
 * `bits` and above is the place of its bin. */
DEVICE void histogram_word(const unsigned bits, unsigned *column, unsigned word)
{
    const unsigned place = (HISTOGRAM_BINS - 1u) << bits;
    ATOMIC_ADD_BLOCK(&column[word << bits & place], 1u);
    ATOMIC_ADD_BLOCK(&column[word >> (8 - bits) & place], 1u);
    ATOMIC_ADD_BLOCK(&column[word >> (16 - bits) & place], 1u);
    ATOMIC_ADD_BLOCK(&column[word >> (24 - bits) & place], 1u);
}

/* Counts in 2^bits columns, sixteen bytes per load; bytes before the first aligned and after the
 * last aligned sixteen are counted singly, in the first column. At the end each thread sums the row
 * of a bin, starting at a different column from its neighbours, to use different banks. */
BLOCK_FUNCTION(void, histogram_columns, (0), const unsigned bits, int n,
               const unsigned char *RESTRICT x, unsigned *RESTRICT bins)
{
    SHARED(unsigned, counts, [HISTOGRAM_BINS * WARP_SIZE]);
    const unsigned columns = 1u << bits;
    const int to_aligned = (int)((16 - (size_t)x % 16) % 16);
    const int head = to_aligned < n ? to_aligned : n;
    const int vectors = (n - head) / 16, tail = head + 16 * vectors;
    const uint4 *x16 = (const uint4 *)(const void *)(x + head);
    FOR_EACH_THREAD {
        for (unsigned k = threadIdx.x; k < HISTOGRAM_BINS * columns; k += blockDim.x)
            counts[k] = 0;
    }
    SYNC_THREADS();
    FOR_EACH_ELEMENT(i, vectors) {
        unsigned *column = &counts[threadIdx.x % columns];
        const uint4 bytes = x16[i];
        histogram_word(bits, column, bytes.x);
        histogram_word(bits, column, bytes.y);
        histogram_word(bits, column, bytes.z);
        histogram_word(bits, column, bytes.w);
    }
    FOR_EACH_ELEMENT(i, head + (n - tail)) {
        const int at = i < head ? i : tail + (i - head);
        ATOMIC_ADD_BLOCK(&counts[x[at] * columns], 1u);
    }
    SYNC_THREADS();
    FOR_EACH_THREAD {
        for (unsigned bin = threadIdx.x; bin < HISTOGRAM_BINS; bin += blockDim.x) {
            unsigned sum = 0;
            for (unsigned k = 0; k < columns; k++)
                sum += counts[bin * columns + (bin + k) % columns];
            ATOMIC_ADD(&bins[bin], sum);
        }
    }
}

/* 3. Each lane of a warp counts in its own column, which is one bank of shared memory, so no atomic
 *    waits for another lane's, whatever the bytes are. On an H200, with 2^28 bytes, 3843 GB/s
 *    against 702 in step 2: colliding shared atomics of a warp are serialised. A CPU needs two
 *    columns, for neighbours; 32 would fill its innermost cache.
 *    lanes: 1 if each lane has a column, 0 for two */
KERNEL(histogram_lanes)
(int n, int lanes, const unsigned char *RESTRICT x, unsigned *RESTRICT bins)
{
    FOR_EACH_BLOCK(0) {
        if (lanes)
            BLOCK_CALL(histogram_columns, 5, n, x, bins);
        else
            BLOCK_CALL(histogram_columns, 1, n, x, bins);
    }
}
