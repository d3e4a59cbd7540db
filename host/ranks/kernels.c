/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of the ranks: elements of a region to and from a contiguous buffer, and the trees of
 * the exact sum. */
#include "internal.h"

/* Where word k of a region's elements is in its array: `words` words in an element, runs of
 * `length` elements that are `stride` apart. */
DEVICE long long word_of_run(long long k, long long words, long long first, long long length,
                             long long stride)
{
    const long long element = k / words, run = element / length;
    return (first + run * stride + (element - run * length)) * words + (k - element * words);
}

/* The same for elements first + indices[...]. */
DEVICE long long word_of_list(long long k, long long words, long long first,
                              const int *RESTRICT indices)
{
    const long long element = k / words;
    return (first + indices[element]) * words + (k - element * words);
}

/* packed: n words; array: at least those that the region names */
KERNEL(ranks_pack_runs)
(long long n, long long words, long long first, long long length, long long stride,
 const unsigned *RESTRICT array, unsigned *RESTRICT packed)
{
    GRID_STRIDE_LOOP(k, n)
        packed[k] = array[word_of_run(k, words, first, length, stride)];
}

KERNEL(ranks_unpack_runs)
(long long n, long long words, long long first, long long length, long long stride,
 const unsigned *RESTRICT packed, unsigned *RESTRICT array)
{
    GRID_STRIDE_LOOP(k, n)
        array[word_of_run(k, words, first, length, stride)] = packed[k];
}

/* indices: n / words elements */
KERNEL(ranks_pack_list)
(long long n, long long words, long long first, const int *RESTRICT indices,
 const unsigned *RESTRICT array, unsigned *RESTRICT packed)
{
    GRID_STRIDE_LOOP(k, n)
        packed[k] = array[word_of_list(k, words, first, indices)];
}

KERNEL(ranks_unpack_list)
(long long n, long long words, long long first, const int *RESTRICT indices,
 const unsigned *RESTRICT packed, unsigned *RESTRICT array)
{
    GRID_STRIDE_LOOP(k, n)
        array[word_of_list(k, words, first, indices)] = packed[k];
}

/* The binary tree over each RANKS_LEAVES elements: neighbours first, then neighbouring pairs, and
 * so on. Eight elements per thread, 32 threads per tree.
 * x, y (or NULL): nodes * RANKS_LEAVES; sums: nodes elements */
KERNEL(ranks_tree)
(long long nodes, const REAL *RESTRICT x, const REAL *RESTRICT y, REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(256) {
        PRIVATE(REAL, sum);
        PRIVATE(REAL, other);
        FOR_EACH_THREAD {
            const long long thread = (long long)blockIdx.x * 256 + threadIdx.x;
            REAL leaf[8];
            MINE(sum) = 0;
            if (thread < nodes * WARP_SIZE) {
                for (int k = 0; k < 8; k++)
                    leaf[k] = y ? x[8 * thread + k] * y[8 * thread + k] : x[8 * thread + k];
                MINE(sum) = ((leaf[0] + leaf[1]) + (leaf[2] + leaf[3])) +
                            ((leaf[4] + leaf[5]) + (leaf[6] + leaf[7]));
            }
        }
        for (unsigned mask = 1; mask < WARP_SIZE; mask *= 2) {
            SHUFFLE_XOR(other, sum, mask);
            FOR_EACH_THREAD
                MINE(sum) += MINE(other);
        }
        FOR_EACH_THREAD {
            const long long node = ((long long)blockIdx.x * 256 + threadIdx.x) / WARP_SIZE;
            if (threadIdx.x % WARP_SIZE == 0 && node < nodes)
                sums[node] = MINE(sum);
        }
    }
}

size_t ranks_elements(const struct portable_region *region)
{
    return region->length * (region->runs > 1 && !region->indices ? region->runs : 1);
}

/* Blocks of 256 threads for n words; the kernels stride over more. */
static unsigned grid_of(long long n)
{
    return n > 256 * 65536LL ? 65536 : (unsigned)((n + 255) / 256);
}

portable_status ranks_pack(void *packed, const void *array, const struct portable_region *region,
                           size_t words, portable_stream stream)
{
    const long long n = (long long)(ranks_elements(region) * words),
                    first = (long long)region->first;

    if (n == 0)
        return PORTABLE_SUCCESS;
    if (region->indices)
        return KERNEL_LAUNCH(ranks_pack_list, grid_of(n), 256, 0, stream, n, (long long)words,
                             first, region->indices, (const unsigned *)array, (unsigned *)packed);
    return KERNEL_LAUNCH(ranks_pack_runs, grid_of(n), 256, 0, stream, n, (long long)words, first,
                         (long long)region->length, (long long)region->stride,
                         (const unsigned *)array, (unsigned *)packed);
}

portable_status ranks_unpack(void *array, const void *packed, const struct portable_region *region,
                             size_t words, portable_stream stream)
{
    const long long n = (long long)(ranks_elements(region) * words),
                    first = (long long)region->first;

    if (n == 0)
        return PORTABLE_SUCCESS;
    if (region->indices)
        return KERNEL_LAUNCH(ranks_unpack_list, grid_of(n), 256, 0, stream, n, (long long)words,
                             first, region->indices, (const unsigned *)packed, (unsigned *)array);
    return KERNEL_LAUNCH(ranks_unpack_runs, grid_of(n), 256, 0, stream, n, (long long)words, first,
                         (long long)region->length, (long long)region->stride,
                         (const unsigned *)packed, (unsigned *)array);
}

portable_status ranks_trees(long long nodes, const REAL *x, const REAL *y, REAL *sums,
                            portable_stream stream)
{
    return KERNEL_LAUNCH(ranks_tree, (unsigned)((nodes + 7) / 8), 256, 0, stream, nodes, x, y,
                         sums);
}
