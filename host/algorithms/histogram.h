/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of histograms. Each block counts in columns of shared memory. On a GPU each lane of
 * its warps has one, as histogram_lanes in kernels/histogram.c, or as many lanes as there is room
 * for share them, so that equal elements of a warp do not wait for each other. A CPU needs two, for
 * neighbours; more would fill its innermost cache. */
#define HISTOGRAM_THREADS 1024
#define HISTOGRAM_WORDS 8192 /* of shared memory */
#define HISTOGRAM_BYTES 256

/* Counts four bytes in a column. The bins are 2^bits words apart: a byte moved to bit `bits` and
 * above is the place of its bin. */
DEVICE void histogram_word(const unsigned bits, unsigned *column, unsigned word)
{
    const unsigned place = (unsigned)(HISTOGRAM_BYTES - 1) << bits;
    ATOMIC_ADD_BLOCK(&column[word << bits & place], 1u);
    ATOMIC_ADD_BLOCK(&column[word >> (8 - bits) & place], 1u);
    ATOMIC_ADD_BLOCK(&column[word >> (16 - bits) & place], 1u);
    ATOMIC_ADD_BLOCK(&column[word >> (24 - bits) & place], 1u);
}

/* Counts in 2^bits columns, sixteen bytes per load; those before the first aligned and after the
 * last aligned sixteen are counted singly. At the end each thread sums the row of a bin, from a
 * different column than its neighbours, to use different banks. */
BLOCK_FUNCTION(void, histogram_bytes, (HISTOGRAM_THREADS), const unsigned bits, size_t n,
               const unsigned char *RESTRICT x, unsigned long long *RESTRICT counts)
{
    SHARED(unsigned, columns, [HISTOGRAM_WORDS]);
    const unsigned last = (1u << bits) - 1, words = (unsigned)HISTOGRAM_BYTES << bits;
    const size_t to_aligned = (16 - (size_t)x % 16) % 16;
    const size_t head = to_aligned < n ? to_aligned : n;
    const size_t vectors = (n - head) / 16, tail = head + 16 * vectors;
    const uint4 *const x16 = (const uint4 *)(const void *)(x + head);
    for (unsigned k = 0; k < words; k += HISTOGRAM_THREADS) {
        FOR_THREADS_BELOW(words - k)
            columns[k + threadIdx.x] = 0;
    }
    SYNC_THREADS();
    FOR_EACH_ELEMENT(i, vectors) {
        unsigned *const column = &columns[threadIdx.x & last];
        const uint4 bytes = x16[i];
        histogram_word(bits, column, bytes.x);
        histogram_word(bits, column, bytes.y);
        histogram_word(bits, column, bytes.z);
        histogram_word(bits, column, bytes.w);
    }
    FOR_EACH_ELEMENT(i, head + (n - tail)) {
        const size_t at = i < head ? i : tail + (i - head);
        ATOMIC_ADD_BLOCK(&columns[(x[at] << bits) + (threadIdx.x & last)], 1u);
    }
    SYNC_THREADS();
    FOR_THREADS_BELOW(HISTOGRAM_BYTES) {
        unsigned sum = 0;
        for (unsigned k = 0; k <= last; k++)
            sum += columns[(threadIdx.x << bits) + ((threadIdx.x + k) & last)];
        ATOMIC_ADD(&counts[threadIdx.x], (unsigned long long)sum);
    }
}

/* x: n bytes; lanes: 1 if each lane has a column, 0 for two; counts: HISTOGRAM_BYTES, 0 at first */
KERNEL(portable_histogram_of_bytes)
(size_t n, int lanes, const unsigned char *RESTRICT x, unsigned long long *RESTRICT counts)
{
    FOR_EACH_BLOCK(HISTOGRAM_THREADS) {
        if (lanes)
            BLOCK_CALL(histogram_bytes, 5, n, x, counts);
        else
            BLOCK_CALL(histogram_bytes, 1, n, x, counts);
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

/* Even bins. columns: copies of the bins in shared memory, a power of two up to WARP_SIZE, or 0 if
 * not even one fits. x: n; counts: bins, 0 at first */
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
