/* SPDX-License-Identifier: BSD-3-Clause */
/* Histogram and inclusive scan of a distributed array of n elements. The counts are added over the
 * ranks. The scan has fixed blocks of the whole array, and fixed groups of blocks: each rank scans
 * its blocks, and the sums of blocks in its groups; every rank scans the sums of all groups. A rank
 * has whole groups, so the order of additions does not depend on the ranks. */
#include "kernels/histogram.c"
#include "kernels/scan.c"

#include "cases.h"

#include <math.h> /* fabs */

enum { BLOCK = 256, GROUP = BLOCK * BLOCK /* elements */ };

/* A block of threads for each group: sums[b] becomes the sum of the blocks before b in its group.
 * sums: blocks elements; of_groups: one element for each group */
KERNEL(scan_groups)(int blocks, REAL *RESTRICT sums, REAL *RESTRICT of_groups)
{
    FOR_EACH_BLOCK(BLOCK) {
        PRIVATE(REAL, value);
        PRIVATE(REAL, before);
        const int first = (int)blockIdx.x * BLOCK;
        FOR_EACH_THREAD {
            const int b = first + (int)threadIdx.x;
            MINE(value) = b < blocks ? sums[b] : 0;
        }
        BLOCK_SCAN_ADD_EXCLUSIVE(before, value);
        FOR_EACH_THREAD {
            const int b = first + (int)threadIdx.x;
            if (b < blocks)
                sums[b] = MINE(before);
            if (threadIdx.x == BLOCK - 1)
                of_groups[blockIdx.x] = MINE(before) + MINE(value);
        }
    }
}

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
        /* An element is a sum of three: within its block, of blocks and of groups. Each is a tree,
         * and 256 groups after each other. */
        case_expect("scan", k, (double)scanned[k], sum,
                    (60 + n / (256.0 * GROUP)) * REAL_EPSILON * magnitude);
        counts[byte_of(k)]++;
    }
    for (int k = 0; k < HISTOGRAM_BINS; k++)
        case_expect("scan: histogram", k, bins[k], counts[k], 0);
}

static double run(const struct rank_options *options)
{
    const struct portable_ranks *me = &options->me;
    const int n = options->n, groups = (n + GROUP - 1) / GROUP;
    /* Parts of groups, and of elements. */
    long long *of_groups = (long long *)case_memory(2 * ((size_t)me->count + 1), sizeof *of_groups);
    long long *starts = of_groups + me->count + 1;

    portable_partition_even(groups, me->count, of_groups);
    for (int r = 0; r <= me->count; r++)
        starts[r] = of_groups[r] * GROUP < n ? of_groups[r] * GROUP : n;
    const long long first = starts[me->rank], first_group = of_groups[me->rank];
    const int mine = (int)(starts[me->rank + 1] - first), blocks = (mine + BLOCK - 1) / BLOCK;
    const int own_groups = (int)(of_groups[me->rank + 1] - first_group);
    REAL *host = (REAL *)case_memory((size_t)mine, sizeof *host);
    for (int k = 0; k < mine; k++)
        host[k] = case_random((unsigned long long)(first + k));
    REAL *x = case_device_reals((size_t)mine, host);
    REAL *scanned = case_device_reals((size_t)mine, NULL);
    REAL *sums = case_device_reals((size_t)blocks, NULL);
    REAL *group_sums = case_device_reals((size_t)groups, NULL);
    unsigned char *bytes = make_bytes(first, mine);
    unsigned bins[HISTOGRAM_BINS], *device_bins;

    PORTABLE_RANKS_CHECK(portable_malloc(&device_bins, sizeof bins));
    for (int k = 0; case_goes_on(options, k); k++) {
        if (mine > 0) {
            PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(scan_inclusive_blocks, (unsigned)blocks, BLOCK, 0, 0,
                                               mine, x, scanned, sums));
            PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(scan_groups, (unsigned)own_groups, BLOCK, 0, 0,
                                               blocks, sums, group_sums + first_group));
        }
        PORTABLE_RANKS_CHECK(portable_ranks_all_gather(group_sums, sizeof *sums, of_groups, 0));
        PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(scan_sums, 1, BLOCK, 0, 0, groups, group_sums));
        if (mine > 0) {
            PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(scan_add_sums, (unsigned)own_groups, BLOCK, 0, 0,
                                               blocks, group_sums + first_group, sums));
            PORTABLE_RANKS_CHECK(
                KERNEL_LAUNCH(scan_add_sums, (unsigned)blocks, BLOCK, 0, 0, mine, sums, scanned));
        }
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
    PORTABLE_RANKS_CHECK(portable_free(group_sums));
    PORTABLE_RANKS_CHECK(portable_free(bytes));
    PORTABLE_RANKS_CHECK(portable_free(device_bins));
    free(whole);
    free(host);
    free(of_groups);
    return last;
}

static double work(int n)
{
    return n;
}

const struct rank_case case_scan = {
    "scan", "histogram and inclusive scan of a distributed array: the last sum",
    300001, 0,
    NULL,   0,
    work,   "elements",
    1,      run};
