/* SPDX-License-Identifier: BSD-3-Clause
 *
 * portable_algorithms.h: sums, scans, selections, histograms and sorts of whole arrays, on every
 * target of portable.h.
 *
 *     float total;
 *     PORTABLE_CHECK(portable_sum_float(n, x, &total, NULL, 0));
 *     PORTABLE_CHECK(portable_sort_float(n, x, NULL, 0));
 *
 * Rules for all calls:
 *
 * Arrays are in device memory, of any alignment that their type has, and of any length: n is a
 * size_t. An array that is read must not overlap one that is written.
 *
 * A single result (a sum, a count) is stored where its pointer points: in device memory, or in host
 * memory, and then the call waits for it. Everything else is queued on the stream, after its
 * earlier work, and may not have run when the call returns.
 *
 * Temporary memory comes from a struct portable_workspace, which the caller owns: zero at first,
 * grown by the calls that need more, kept for the next call, freed by portable_workspace_free. One
 * workspace serves the calls of one stream and one device, in their order. With NULL the call
 * allocates its memory and frees it, for which it waits for the device.
 *
 * Results have the same bits on every target, GPU and number of threads: the order of additions
 * depends on n alone. Sums of integers wrap.
 *
 * A call returns PORTABLE_ERROR_INVALID_VALUE, PORTABLE_ERROR_NOT_DEVICE_MEMORY or
 * PORTABLE_ERROR_OUT_OF_RANGE for bad arguments and then does nothing; PORTABLE_ERROR_OUT_OF_MEMORY
 * without memory for the workspace; and the errors of a launch.
 *
 * Link host/algorithms/algorithms.c; portable.mk does. The page is docs/algorithms.md.
 */
#ifndef PORTABLE_ALGORITHMS_H
#define PORTABLE_ALGORITHMS_H

#include "portable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Workspace
 * ============================================================================================== */

/** Temporary device memory for the calls below: struct portable_workspace work = {0}; */
struct portable_workspace {
    void *memory; /* from portable_malloc, or NULL */
    size_t bytes;
};

/** Frees the workspace's memory after the work that uses it; it can then be used again. */
portable_status portable_workspace_free(struct portable_workspace *workspace);

/* ===============================================================================================
 * Sums, minima and maxima.  x: n elements; result: 1, on the device or the host
 *
 * A float sum is a tree: its rounding error grows with the logarithm of n. The sum of nothing is 0.
 *
 * Minimum and maximum prefer a number to a NaN and order -0 below +0, as IEEE 754-2019's
 * minimumNumber does. Of nothing but NaNs, or of nothing, they are a NaN; of no integers, the
 * largest value of the type (minimum) or the least (maximum).
 * ============================================================================================== */

portable_status portable_sum_float(size_t n, const float *x, float *sum,
                                   struct portable_workspace *workspace, portable_stream stream);
portable_status portable_sum_double(size_t n, const double *x, double *sum,
                                    struct portable_workspace *workspace, portable_stream stream);
/** The sum of 32-bit integers has 64 bits. */
portable_status portable_sum_int(size_t n, const int *x, long long *sum,
                                 struct portable_workspace *workspace, portable_stream stream);
portable_status portable_sum_unsigned(size_t n, const unsigned *x, unsigned long long *sum,
                                      struct portable_workspace *workspace, portable_stream stream);

portable_status portable_min_float(size_t n, const float *x, float *min,
                                   struct portable_workspace *workspace, portable_stream stream);
portable_status portable_min_double(size_t n, const double *x, double *min,
                                    struct portable_workspace *workspace, portable_stream stream);
portable_status portable_min_int(size_t n, const int *x, int *min,
                                 struct portable_workspace *workspace, portable_stream stream);
portable_status portable_min_unsigned(size_t n, const unsigned *x, unsigned *min,
                                      struct portable_workspace *workspace, portable_stream stream);

portable_status portable_max_float(size_t n, const float *x, float *max,
                                   struct portable_workspace *workspace, portable_stream stream);
portable_status portable_max_double(size_t n, const double *x, double *max,
                                    struct portable_workspace *workspace, portable_stream stream);
portable_status portable_max_int(size_t n, const int *x, int *max,
                                 struct portable_workspace *workspace, portable_stream stream);
portable_status portable_max_unsigned(size_t n, const unsigned *x, unsigned *max,
                                      struct portable_workspace *workspace, portable_stream stream);

/* ===============================================================================================
 * Prefix sums.  x, sums: n elements
 *
 * inclusive: sums[i] = x[0] + ... + x[i]; exclusive: sums[i] = x[0] + ... + x[i - 1], and 0 for
 * i = 0. One pass over memory; sums of integers wrap.
 * ============================================================================================== */

portable_status portable_scan_inclusive_float(size_t n, const float *x, float *sums,
                                              struct portable_workspace *workspace,
                                              portable_stream stream);
portable_status portable_scan_inclusive_double(size_t n, const double *x, double *sums,
                                               struct portable_workspace *workspace,
                                               portable_stream stream);
portable_status portable_scan_inclusive_int(size_t n, const int *x, int *sums,
                                            struct portable_workspace *workspace,
                                            portable_stream stream);
portable_status portable_scan_inclusive_unsigned(size_t n, const unsigned *x, unsigned *sums,
                                                 struct portable_workspace *workspace,
                                                 portable_stream stream);
portable_status portable_scan_exclusive_float(size_t n, const float *x, float *sums,
                                              struct portable_workspace *workspace,
                                              portable_stream stream);
portable_status portable_scan_exclusive_double(size_t n, const double *x, double *sums,
                                               struct portable_workspace *workspace,
                                               portable_stream stream);
portable_status portable_scan_exclusive_int(size_t n, const int *x, int *sums,
                                            struct portable_workspace *workspace,
                                            portable_stream stream);
portable_status portable_scan_exclusive_unsigned(size_t n, const unsigned *x, unsigned *sums,
                                                 struct portable_workspace *workspace,
                                                 portable_stream stream);

/* ===============================================================================================
 * Selection: the elements to keep, in their order.  x: n elements; packed: at least as many as are
 * kept; count: how many those are, on the device or the host
 *
 * portable_select_TYPE keeps x[i] where flags[i] is not 0; portable_select_where_TYPE where the
 * comparison is true, as x[i] > value for PORTABLE_GREATER. A NaN is only PORTABLE_NOT_EQUAL. For
 * any other predicate let a kernel write the flags.
 * ============================================================================================== */

typedef enum portable_comparison {
    PORTABLE_LESS = 0,
    PORTABLE_LESS_EQUAL,
    PORTABLE_GREATER,
    PORTABLE_GREATER_EQUAL,
    PORTABLE_EQUAL,
    PORTABLE_NOT_EQUAL
} portable_comparison;

portable_status portable_select_float(size_t n, const float *x, const unsigned char *flags,
                                      float *packed, unsigned long long *count,
                                      struct portable_workspace *workspace, portable_stream stream);
portable_status portable_select_double(size_t n, const double *x, const unsigned char *flags,
                                       double *packed, unsigned long long *count,
                                       struct portable_workspace *workspace,
                                       portable_stream stream);
portable_status portable_select_int(size_t n, const int *x, const unsigned char *flags, int *packed,
                                    unsigned long long *count, struct portable_workspace *workspace,
                                    portable_stream stream);
portable_status portable_select_unsigned(size_t n, const unsigned *x, const unsigned char *flags,
                                         unsigned *packed, unsigned long long *count,
                                         struct portable_workspace *workspace,
                                         portable_stream stream);

portable_status portable_select_where_float(size_t n, const float *x,
                                            portable_comparison comparison, float value,
                                            float *packed, unsigned long long *count,
                                            struct portable_workspace *workspace,
                                            portable_stream stream);
portable_status portable_select_where_double(size_t n, const double *x,
                                             portable_comparison comparison, double value,
                                             double *packed, unsigned long long *count,
                                             struct portable_workspace *workspace,
                                             portable_stream stream);
portable_status portable_select_where_int(size_t n, const int *x, portable_comparison comparison,
                                          int value, int *packed, unsigned long long *count,
                                          struct portable_workspace *workspace,
                                          portable_stream stream);
portable_status portable_select_where_unsigned(size_t n, const unsigned *x,
                                               portable_comparison comparison, unsigned value,
                                               unsigned *packed, unsigned long long *count,
                                               struct portable_workspace *workspace,
                                               portable_stream stream);

/* ===============================================================================================
 * Histograms.  x: n elements; counts: one per bin, in device memory, set to the counts
 * ============================================================================================== */

/** counts: 256, of the bytes 0 to 255. */
portable_status portable_histogram_bytes(size_t n, const unsigned char *x,
                                         unsigned long long *counts, portable_stream stream);

/** Bins of equal width from low to below high, low < high, both finite, 1 <= bins <= 2^24. x[i] is
 *  in bin (x[i] - low) * (bins / (high - low)), computed in float, rounded down, and at most the
 *  last bin; an x[i] outside, or a NaN, in none. */
portable_status portable_histogram_float(size_t n, const float *x, float low, float high,
                                         unsigned bins, unsigned long long *counts,
                                         portable_stream stream);

/* ===============================================================================================
 * Sorts, ascending and stable.  keys: n elements, sorted in place; values: n, one for each key
 *
 * Floats are in IEEE 754's total order: -NaN, -infinity, ..., -0, +0, ..., infinity, NaN. The
 * workspace holds a copy of keys and values.
 * ============================================================================================== */

portable_status portable_sort_unsigned(size_t n, unsigned *keys,
                                       struct portable_workspace *workspace,
                                       portable_stream stream);
portable_status portable_sort_int(size_t n, int *keys, struct portable_workspace *workspace,
                                  portable_stream stream);
portable_status portable_sort_float(size_t n, float *keys, struct portable_workspace *workspace,
                                    portable_stream stream);
portable_status portable_sort_unsigned_long_long(size_t n, unsigned long long *keys,
                                                 struct portable_workspace *workspace,
                                                 portable_stream stream);
portable_status portable_sort_long_long(size_t n, long long *keys,
                                        struct portable_workspace *workspace,
                                        portable_stream stream);
portable_status portable_sort_double(size_t n, double *keys, struct portable_workspace *workspace,
                                     portable_stream stream);

portable_status portable_sort_pairs_unsigned(size_t n, unsigned *keys, unsigned *values,
                                             struct portable_workspace *workspace,
                                             portable_stream stream);
portable_status portable_sort_pairs_int(size_t n, int *keys, unsigned *values,
                                        struct portable_workspace *workspace,
                                        portable_stream stream);
portable_status portable_sort_pairs_float(size_t n, float *keys, unsigned *values,
                                          struct portable_workspace *workspace,
                                          portable_stream stream);
portable_status portable_sort_pairs_unsigned_long_long(size_t n, unsigned long long *keys,
                                                       unsigned *values,
                                                       struct portable_workspace *workspace,
                                                       portable_stream stream);
portable_status portable_sort_pairs_long_long(size_t n, long long *keys, unsigned *values,
                                              struct portable_workspace *workspace,
                                              portable_stream stream);
portable_status portable_sort_pairs_double(size_t n, double *keys, unsigned *values,
                                           struct portable_workspace *workspace,
                                           portable_stream stream);

#ifdef __cplusplus
}
#endif

#endif
