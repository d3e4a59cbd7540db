/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of histograms. Each block counts in shared memory, each lane of its warps, or as many as
 * there is room for, in its own column, so that equal elements of a warp do not wait for each other, as
 * histogram_lanes in kernels/histogram.c. */
#define HISTOGRAM_THREADS 1024
#define HISTOGRAM_WORDS 8192 /* of shared memory */
#define HISTOGRAM_BYTES 256

/* Counts four bytes in a lane's column, whose bins are WARP_SIZE words apart: a byte moved to bits 5 to
 * 12 is the place of its bin. */
DEVICE void histogram_word(unsigned *column, unsigned word)
{
    const unsigned place = (HISTOGRAM_BYTES - 1) * WARP_SIZE;
    ATOMIC_ADD_BLOCK(&column[word << 5 & place], 1u);
    ATOMIC_ADD_BLOCK(&column[word >> 3 & place], 1u);
    ATOMIC_ADD_BLOCK(&column[word >> 11 & place], 1u);
    ATOMIC_ADD_BLOCK(&column[word >> 19 & place], 1u);
}

/* Sixteen bytes per load; those before the first aligned and after the last aligned sixteen are counted
 * singly. At the end each thread sums the row of a bin, from a different column than its neighbours, to
 * use different banks. x: n bytes; counts: HISTOGRAM_BYTES, 0 at first */
KERNEL(portable_histogram_of_bytes)
(size_t n, const unsigned char *RESTRICT x, unsigned long long *RESTRICT counts)
{
    FOR_EACH_BLOCK(HISTOGRAM_THREADS) {
        SHARED(unsigned, columns, [HISTOGRAM_WORDS]);
        const size_t to_aligned = (16 - (size_t)x % 16) % 16;
        const size_t head = to_aligned < n ? to_aligned : n;
        const size_t vectors = (n - head) / 16, tail = head + 16 * vectors;
        const uint4 *const x16 = (const uint4 *)(const void *)(x + head);
        for (unsigned k = 0; k < HISTOGRAM_WORDS; k += HISTOGRAM_THREADS) {
            FOR_EACH_THREAD
                columns[k + threadIdx.x] = 0;
        }
        SYNC_THREADS();
        FOR_EACH_ELEMENT(i, vectors) {
            unsigned *const column = &columns[threadIdx.x % WARP_SIZE];
            const uint4 bytes = x16[i];
            histogram_word(column, bytes.x);
            histogram_word(column, bytes.y);
            histogram_word(column, bytes.z);
            histogram_word(column, bytes.w);
        }
        FOR_EACH_ELEMENT(i, head + (n - tail)) {
            const size_t at = i < head ? i : tail + (i - head);
            ATOMIC_ADD_BLOCK(&columns[x[at] * WARP_SIZE + threadIdx.x % WARP_SIZE], 1u);
        }
        SYNC_THREADS();
        FOR_THREADS_BELOW(HISTOGRAM_BYTES) {
            unsigned sum = 0;
            for (unsigned k = 0; k < WARP_SIZE; k++)
                sum += columns[threadIdx.x * WARP_SIZE + (threadIdx.x + k) % WARP_SIZE];
            ATOMIC_ADD(&counts[threadIdx.x], (unsigned long long)sum);
        }
    }
}

/* The bin of x, or `bins` if it is in none. */
DEVICE unsigned histogram_bin(float x, float low, float high, float scale, unsigned bins)
{
    if (!(x >= low && x < high))
        return bins;
    const unsigned bin = (unsigned)((x - low) * scale);
    return bin < bins ? bin : bins - 1;
}

/* Even bins. columns: copies of the bins in shared memory, a power of two up to WARP_SIZE, or 0 if not
 * even one fits. x: n; counts: bins, 0 at first */
KERNEL(portable_histogram_of_floats)
(size_t n, const float *RESTRICT x, float low, float high, float scale, unsigned bins,
 unsigned columns, unsigned long long *RESTRICT counts)
{
    FOR_EACH_BLOCK(HISTOGRAM_THREADS) {
        SHARED(unsigned, counted, [HISTOGRAM_WORDS]);
        if (columns == 0) {
            FOR_EACH_ELEMENT(i, n) {
                const unsigned bin = histogram_bin(x[i], low, high, scale, bins);
                if (bin < bins)
                    ATOMIC_ADD(&counts[bin], 1ull);
            }
            continue;
        }
        for (unsigned k = 0; k < HISTOGRAM_WORDS; k += HISTOGRAM_THREADS) {
            FOR_EACH_THREAD
                counted[k + threadIdx.x] = 0;
        }
        SYNC_THREADS();
        FOR_EACH_ELEMENT(i, n) {
            const unsigned bin = histogram_bin(x[i], low, high, scale, bins);
            if (bin < bins)
                ATOMIC_ADD_BLOCK(&counted[bin * columns + (threadIdx.x & (columns - 1))], 1u);
        }
        SYNC_THREADS();
        for (unsigned first = 0; first < bins; first += HISTOGRAM_THREADS) {
            FOR_THREADS_BELOW(bins - first) {
                const unsigned bin = first + threadIdx.x;
                unsigned sum = 0;
                for (unsigned k = 0; k < columns; k++)
                    sum += counted[bin * columns + ((bin + k) & (columns - 1))];
                if (sum > 0)
                    ATOMIC_ADD(&counts[bin], (unsigned long long)sum);
            }
        }
    }
}
