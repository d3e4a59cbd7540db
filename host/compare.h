/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether two arrays agree, and if not, where and by how much. NaN never slips through: under
 * every policy a NaN equals only a NaN (their payloads are not compared) and an infinity only the
 * same infinity.
 */
#ifndef PORTABLE_HOST_COMPARE_H
#define PORTABLE_HOST_COMPARE_H

#include "host/array.h"
#include "host/error_histogram.h"
#include "host/io.h"

#include <stddef.h> /* NULL, size_t */

#ifdef __cplusplus
extern "C" {
#endif

enum policy_kind {
    POLICY_EXACT, /* every bit: -0 and +0 differ */
    POLICY_ULP,   /* at most `ulp` representable numbers apart: -0 and +0 are the same number */
    POLICY_ABSREL /* |actual - expected| <= absolute + relative * |expected| */
};

/* How close is close enough. For integers a ULP is 1. `reason` explains why it is not exact. */
struct policy {
    enum policy_kind kind;
    double ulp;
    double absolute;
    double relative;
    const char *reason;
};

static inline struct policy policy_exact(void)
{
    struct policy policy = {POLICY_EXACT, 0.0, 0.0, 0.0, NULL};

    return policy;
}

static inline struct policy policy_ulp(double ulp, const char *reason)
{
    struct policy policy = {POLICY_ULP, ulp, 0.0, 0.0, reason};

    return policy;
}

static inline struct policy policy_absrel(double absolute, double relative, const char *reason)
{
    struct policy policy = {POLICY_ABSREL, 0.0, absolute, relative, reason};

    return policy;
}

/* "exact", "ulp(4)" or "absrel(1e-06, 1e-05)", cut if buffer[size] is too small. */
void policy_text(struct policy policy, char *buffer, size_t size);

enum { COMPARISON_FIRST = 8 };

/*
 * The outcome of a comparison: the arrays agree if mismatches is 0. The worst distances are those
 * of any element, and infinite if a NaN or an infinity met anything else.
 */
struct comparison {
    size_t count;                   /* elements compared: 0 of 0 proves nothing */
    size_t mismatches;              /* elements beyond the tolerance */
    size_t first[COMPARISON_FIRST]; /* the first of these, in ascending order */
    size_t worst_index;             /* the largest share, of these the most ULPs, then the first */
    double worst_ulp;
    double worst_absolute;
    double share; /* the largest share of the tolerance that any element uses: above 1 fails */
    /* By compare_bounded: each element's share of its bound, and its error in units of the
     * spacing of numbers there. One rounding costs at most half a spacing. */
    struct error_histogram shares, ulps;
};

/*
 * Compares element by element. IO_BAD, with a sentence, if types or shapes differ or if the
 * policy's tolerance is negative or not finite; 0 if the comparison was made, whatever it found.
 * Under absrel a difference that overflows is a mismatch.
 */
int compare_arrays(const struct array *expected, const struct array *actual, struct policy policy,
                   struct comparison *result, struct io_error *error);

/*
 * Each element against its bound: |actual - expected| <= bound, as doubles. `expected` and `bound`
 * have as many elements as `actual`. The same value always agrees; a bound that is 0, negative or
 * NaN allows nothing else. ULPs are measured between float32 numbers if `actual` holds those,
 * between doubles if it holds those; of integers a ULP is 1.
 */
void compare_bounded(const double *expected, const double *bound, const struct array *actual,
                     struct comparison *result);

enum { SHARE_TEXT_SIZE = 24 };

/*
 * A share of a bound or a tolerance for a table: "36%", or ">1000x" if it is above 1000 or no
 * number, so that it fits into a column. A share above 1 never reads as 100%, but as ">100%".
 */
const char *share_text(double share, int decimals, char text[SHARE_TEXT_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
