/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exact sum: one binary tree over the elements of a distributed vector, whatever their
 * partition. A node of size 2^k covers the 2^k elements from a multiple of 2^k on, and is the sum
 * of its two halves; a node without a second half, at the end, is its first half.
 *
 * A rank computes the largest nodes that lie within its part, at most two of each size: kernels
 * those of whole aligned runs of RANKS_LEAVES, in levels, the host the rest. All ranks then combine
 * the nodes of all. This file and kernels.c are compiled without contraction (FMA), which would
 * depend on where a part ends.
 */
#include "internal.h"

enum {
    MAX_NODES = 2 * 63, /* of a part */
    DIRECT = 1024,      /* up to this many values go to the host without another level of kernels */
    MAX_LEVELS = 8,     /* RANKS_LEAVES^8 elements */
    MAX_VALUES = DIRECT + 2 * RANKS_LEAVES * MAX_LEVELS
};

struct node {
    long long start, size;
    REAL value;
};

/* Adjacent nodes in ascending order, none of which has its other half beside it. */
struct tree {
    int count;
    struct node nodes[MAX_NODES];
};

/* Adds the node after the last one. */
static void push(struct tree *tree, long long start, long long size, REAL value)
{
    while (tree->count > 0 && tree->nodes[tree->count - 1].size == size && (start & size) != 0) {
        const struct node *left = &tree->nodes[--tree->count];

        start = left->start;
        value = left->value + value;
        size *= 2;
    }
    tree->nodes[tree->count].start = start;
    tree->nodes[tree->count].size = size;
    tree->nodes[tree->count++].value = value;
}

/* The sum of a tree that begins at element 0. */
static REAL fold(const struct tree *tree)
{
    REAL sum = tree->count > 0 ? tree->nodes[tree->count - 1].value : 0;

    for (int k = tree->count - 2; k >= 0; k--)
        sum = tree->nodes[k].value + sum;
    return sum;
}

/* The size of the largest node that begins at `start` and ends within `end`. */
static long long largest_node(long long start, long long end)
{
    /* Of the largest power of two that divides `start`. */
    long long size = start > 0 ? start & -start : 1LL << 62;

    while (size > end - start)
        size /= 2;
    return size;
}

/* Values on their way to the host: `count` nodes of one size, from node number `index` on. */
struct segment {
    long long index, size;
    int count, offset; /* in `values` */
    int has_factors;
};

static struct {
    REAL *values, *factors; /* page-locked, MAX_VALUES each */
    REAL *sums;             /* device memory for the nodes of the levels */
    long long sums_count;
    portable_event fetched;
    int has_event, is_begun;
    const long long *starts; /* of a sum that has begun */
    int value_count, segment_count;
    struct segment segments[2 * MAX_LEVELS + 1];
} work;

static portable_status fetch(const REAL *x, const REAL *y, long long index, long long count,
                             long long size, portable_stream stream)
{
    struct segment *segment = &work.segments[work.segment_count];
    const size_t bytes = (size_t)count * sizeof *x;
    portable_status status;

    if (count <= 0)
        return PORTABLE_SUCCESS;
    segment->index = index;
    segment->size = size;
    segment->count = (int)count;
    segment->offset = work.value_count;
    segment->has_factors = y != NULL;
    work.segment_count++;
    work.value_count += segment->count;
    status = portable_copy_to_host_async(work.values + segment->offset, x, bytes, stream);
    if (status == PORTABLE_SUCCESS && y)
        status = portable_copy_to_host_async(work.factors + segment->offset, y, bytes, stream);
    return status;
}

/* Queues copies to the host of nodes begin...end - 1 of a size, or of the larger nodes that contain
 * them. x[0] is the first; sums: room for the larger ones. */
static portable_status fetch_nodes(const REAL *x, const REAL *y, long long begin, long long end,
                                   long long size, REAL *sums, portable_stream stream)
{
    const long long first = (begin + RANKS_LEAVES - 1) / RANKS_LEAVES, last = end / RANKS_LEAVES;
    portable_status status;

    if (end - begin <= DIRECT)
        return fetch(x, y, begin, end - begin, size, stream);
    const long long before = first * RANKS_LEAVES - begin, until = last * RANKS_LEAVES - begin;
    status = ranks_trees(last - first, x + before, y ? y + before : NULL, sums, stream);
    if (status == PORTABLE_SUCCESS)
        status = fetch(x, y, begin, before, size, stream);
    if (status == PORTABLE_SUCCESS)
        status = fetch_nodes(sums, NULL, first, last, size * RANKS_LEAVES, sums + (last - first),
                             stream);
    if (status == PORTABLE_SUCCESS)
        status = fetch(x + until, y ? y + until : NULL, last * RANKS_LEAVES,
                       end - last * RANKS_LEAVES, size, stream);
    return status;
}

/* Memory for a part of n elements. */
static portable_status reserve(long long n)
{
    const long long sums = n / (RANKS_LEAVES - 1) + 1;
    portable_status status = PORTABLE_SUCCESS;

    if (!work.values) {
        status = portable_malloc_host(&work.values, 2 * MAX_VALUES * sizeof *work.values);
        work.factors = work.values ? work.values + MAX_VALUES : NULL;
    }
    if (status == PORTABLE_SUCCESS && !work.has_event) {
        status = portable_event_create(&work.fetched);
        work.has_event = status == PORTABLE_SUCCESS;
    }
    if (status == PORTABLE_SUCCESS && sums > work.sums_count) {
        status = portable_free(work.sums);
        work.sums_count = 0;
        if (status == PORTABLE_SUCCESS)
            status = portable_malloc(&work.sums, (size_t)sums * sizeof *work.sums);
        if (status == PORTABLE_SUCCESS)
            work.sums_count = sums;
    }
    return status;
}

portable_status ranks_sum_end(void)
{
    const portable_status freed[] = {portable_free_host(work.values), portable_free(work.sums),
                                     work.has_event ? portable_event_destroy(work.fetched)
                                                    : PORTABLE_SUCCESS};

    work.values = work.factors = work.sums = NULL;
    work.sums_count = 0;
    work.has_event = work.is_begun = 0;
    for (int k = 0; k < 3; k++)
        if (freed[k] != PORTABLE_SUCCESS)
            return freed[k];
    return PORTABLE_SUCCESS;
}

portable_status portable_ranks_sum_begin(const REAL *x, const REAL *y, const long long *starts,
                                         portable_stream stream)
{
    portable_status status = ranks_ready(__func__);

    if (status == PORTABLE_SUCCESS && work.is_begun)
        status = portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                                "%s: a sum has begun already: portable_ranks_sum_wait ends it",
                                __func__);
    if (status != PORTABLE_SUCCESS)
        return status;
    const long long begin = starts[ranks_here.rank], end = starts[ranks_here.rank + 1];
    status = reserve(end - begin);
    work.value_count = work.segment_count = 0;
    if (status == PORTABLE_SUCCESS && end > begin)
        status = fetch_nodes(x, y, begin, end, 1, work.sums, stream);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_record(work.fetched, stream);
    work.starts = starts;
    work.is_begun = status == PORTABLE_SUCCESS;
    return status;
}

/* The nodes of this rank's part, from the values that were fetched. */
static void own_nodes(struct tree *tree)
{
    tree->count = 0;
    for (int s = 0; s < work.segment_count; s++) {
        const struct segment *segment = &work.segments[s];

        for (int k = 0; k < segment->count; k++) {
            const int at = segment->offset + k;
            const REAL value =
                segment->has_factors ? work.values[at] * work.factors[at] : work.values[at];

            push(tree, (segment->index + k) * segment->size, segment->size, value);
        }
    }
}

portable_status portable_ranks_sum_wait(REAL *sum)
{
    const long long *starts = work.starts;
    struct tree own, all;
    REAL values[MAX_NODES] = {0}, *of_ranks;
    portable_status status;

    *sum = 0;
    if (!work.is_begun)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: no sum has begun: portable_ranks_sum_begin starts one",
                              __func__);
    work.is_begun = 0;
    status = portable_event_synchronize(work.fetched);
    if (ranks_measured)
        ranks_measured->sums++;
    if (status != PORTABLE_SUCCESS)
        return status;
    own_nodes(&own);
    if (ranks_here.count == 1) {
        *sum = fold(&own);
        return PORTABLE_SUCCESS;
    }
    const double since = ranks_seconds();
    /* The other ranks know the nodes of a part: only values are sent, as many as the longest part
     * has. */
    int longest = 0;
    for (int r = 0; r < ranks_here.count; r++) {
        int count = 0;

        for (long long at = starts[r]; at < starts[r + 1]; at += largest_node(at, starts[r + 1]))
            count++;
        longest = count > longest ? count : longest;
    }
    for (int k = 0; k < own.count; k++)
        values[k] = own.nodes[k].value;
    of_ranks = (REAL *)malloc(((size_t)longest * (size_t)ranks_here.count + 1) * sizeof *of_ranks);
    if (!of_ranks)
        portable_ranks_stop(EXIT_FAILURE, "no memory for the sum of %d ranks", ranks_here.count);
    ranks_gather_hosts(values, of_ranks, (size_t)longest * sizeof *of_ranks);
    all.count = 0;
    for (int r = 0; r < ranks_here.count; r++) {
        const REAL *value = of_ranks + (size_t)r * (size_t)longest;

        for (long long at = starts[r], size; at < starts[r + 1]; at += size) {
            size = largest_node(at, starts[r + 1]);
            push(&all, at, size, *value++);
        }
    }
    *sum = fold(&all);
    free(of_ranks);
    if (ranks_measured) {
        ranks_measured->messages++;
        ranks_measured->bytes += (long long)((size_t)longest * sizeof *values);
        ranks_measured->communication += ranks_seconds() - since;
    }
    return PORTABLE_SUCCESS;
}

portable_status portable_ranks_sum(const REAL *x, const REAL *y, const long long *starts,
                                   portable_stream stream, REAL *sum)
{
    const portable_status status = portable_ranks_sum_begin(x, y, starts, stream);

    *sum = 0;
    return status == PORTABLE_SUCCESS ? portable_ranks_sum_wait(sum) : status;
}
