/* SPDX-License-Identifier: BSD-3-Clause */
/* Histogram and inclusive scan of a distributed array of n elements. The counts are added over the
 * ranks. The scan has fixed blocks of the whole array: each rank scans its own blocks, every rank
 * scans the sums of all blocks, and adds to each of its blocks the sum before it, so the order of
 * additions does not depend on the ranks. */
#include "kernels/histogram.c"
#include "kernels/scan.c"

#include "cases.h"

#include <math.h> /* fabs */

enum { BLOCK = 256 };

static unsigned char byte_of(long long k)
{
    return (unsigned char)((case_random((unsigned long long)k + (1ULL << 40)) + 1) * 100);
}

/* This rank's bytes, on the device. */
static unsigned char *make_bytes(long long first, int n)
{
    unsigned char *host = (unsigned char *)case_memory((size_t)n, 1), *device;

    for (int k = 0; k < n; k++)
        host[k] = byte_of(first + k);
    PORTABLE_RANKS_CHECK(portable_malloc(&device, (size_t)n));
    if (n > 0)
        PORTABLE_RANKS_CHECK(portable_copy_to_device(device, host, (size_t)n));
    free(host);
    return device;
}

/* bins: the counts of all ranks' bytes */
static void count_bytes(int n, const unsigned char *bytes, unsigned *bins)
{
    PORTABLE_RANKS_CHECK(portable_memset(bins, 0, HISTOGRAM_BINS * sizeof *bins));
    if (n > 0)
        PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(histogram_shared, (unsigned)((n + 4095) / 4096), 256, 0,
                                           0, n, bytes, bins));
    PORTABLE_RANKS_CHECK(portable_ranks_all_reduce(bins, HISTOGRAM_BINS, PORTABLE_RANKS_UNSIGNED,
                                                   PORTABLE_RANKS_SUM, 0));
}

static void check(int n, const REAL *scanned, const unsigned *bins)
{
    unsigned counts[HISTOGRAM_BINS] = {0};
    double sum = 0, magnitude = 0;

    for (int k = 0; k < n; k++) {
        const double x = (double)case_random((unsigned long long)k);

        sum += x;
        magnitude += fabs(x);
        /* An element is a sum in a tree within its block, then in one over blocks. */
        case_expect("scan", k, (double)scanned[k], sum,
                    (60 + n / 65536.0) * REAL_EPSILON * magnitude);
        counts[byte_of(k)]++;
    }
    for (int k = 0; k < HISTOGRAM_BINS; k++)
        case_expect("scan: histogram", k, bins[k], counts[k], 0);
}

static double run(const struct rank_options *options)
{
    const struct portable_ranks *me = &options->me;
    const int n = options->n, blocks = (n + BLOCK - 1) / BLOCK;
    /* Parts of blocks, and of elements. */
    long long *of_blocks = (long long *)case_memory(2 * ((size_t)me->count + 1), sizeof *of_blocks);
    long long *starts = of_blocks + me->count + 1;

    portable_partition_even(blocks, me->count, of_blocks);
    for (int r = 0; r <= me->count; r++)
        starts[r] = of_blocks[r] * BLOCK < n ? of_blocks[r] * BLOCK : n;
    const long long first = starts[me->rank], first_block = of_blocks[me->rank];
    const int mine = (int)(starts[me->rank + 1] - first);
    const unsigned grid = (unsigned)(of_blocks[me->rank + 1] - first_block);
    REAL *host = (REAL *)case_memory((size_t)mine, sizeof *host);
    for (int k = 0; k < mine; k++)
        host[k] = case_random((unsigned long long)(first + k));
    REAL *x = case_device_reals((size_t)mine, host);
    REAL *scanned = case_device_reals((size_t)mine, NULL);
    REAL *sums = case_device_reals((size_t)blocks, NULL);
    unsigned char *bytes = make_bytes(first, mine);
    unsigned bins[HISTOGRAM_BINS], *device_bins;

    PORTABLE_RANKS_CHECK(portable_malloc(&device_bins, sizeof bins));
    for (int k = 0; case_goes_on(options, k); k++) {
        if (mine > 0)
            PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(scan_inclusive_blocks, grid, BLOCK, 0, 0, mine, x,
                                               scanned, sums + first_block));
        PORTABLE_RANKS_CHECK(portable_ranks_all_gather(sums, sizeof *sums, of_blocks, 0));
        PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(scan_sums, 1, BLOCK, 0, 0, blocks, sums));
        if (mine > 0)
            PORTABLE_RANKS_CHECK(
                KERNEL_LAUNCH(scan_add_sums, grid, BLOCK, 0, 0, mine, sums + first_block, scanned));
        count_bytes(mine, bytes, device_bins);
    }

    PORTABLE_RANKS_CHECK(portable_copy_to_host(bins, device_bins, sizeof bins));
    case_dump(options, "scan", scanned, starts, 1);
    REAL *whole = case_whole(scanned, starts, 1, me);
    const double last = (double)whole[n - 1];
    if (me->rank == 0 && !options->bench)
        check(n, whole, bins);
    PORTABLE_RANKS_CHECK(portable_free(x));
    PORTABLE_RANKS_CHECK(portable_free(scanned));
    PORTABLE_RANKS_CHECK(portable_free(sums));
    PORTABLE_RANKS_CHECK(portable_free(bytes));
    PORTABLE_RANKS_CHECK(portable_free(device_bins));
    free(whole);
    free(host);
    free(of_blocks);
    return last;
}

static double work(int n)
{
    return n;
}

const struct rank_case case_scan = {
    "scan", "histogram and inclusive scan of a distributed array: the last sum",
    100001, 0,
    NULL,   0,
    work,   "elements",
    1,      run};
