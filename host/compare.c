/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/compare.h"

#include <math.h>   /* fabs, fabsl, fmax, INFINITY, isfinite, isnan, nextafter */
#include <stdint.h> /* int64_t, uint32_t, uint64_t */
#include <stdio.h>  /* snprintf */
#include <string.h> /* memcmp, memcpy, memset, strcmp */

/* A value, and its place among all the values of its type. */
struct number {
    double value;
    uint64_t rank;
};

/* How far apart two numbers are. */
struct gap {
    double ulp;
    double absolute;
};

void policy_text(struct policy policy, char *buffer, size_t size)
{
    switch (policy.kind) {
    case POLICY_EXACT: snprintf(buffer, size, "exact"); break;
    case POLICY_ULP: snprintf(buffer, size, "ulp(%.15g)", policy.ulp); break;
    case POLICY_ABSREL:
        snprintf(buffer, size, "absrel(%.15g, %.15g)", policy.absolute, policy.relative);
        break;
    }
}

/*
 * Ranks number the values of a type in ascending order without gaps, so that the difference of two
 * ranks is the ULP distance. For integers a rank is the value with an offset. Floating-point
 * numbers are a sign and a magnitude: the magnitudes count up or down from the middle, where both
 * zeros are (B. Dawson, "Comparing Floating Point Numbers", 2012).
 */
static uint64_t signed_rank(int64_t value)
{
    return (uint64_t)value + (UINT64_C(1) << 63);
}

static struct number float32_number(float value)
{
    struct number number;
    uint32_t bits;
    int64_t magnitude;

    memcpy(&bits, &value, sizeof bits);
    magnitude = bits & UINT32_C(0x7fffffff);
    number.value = value;
    number.rank = signed_rank(bits >> 31 ? -magnitude : magnitude);
    return number;
}

static struct number float64_number(double value)
{
    struct number number;
    uint64_t bits;
    int64_t magnitude;

    memcpy(&bits, &value, sizeof bits);
    magnitude = (int64_t)(bits & (UINT64_MAX >> 1));
    number.value = value;
    number.rank = signed_rank(bits >> 63 ? -magnitude : magnitude);
    return number;
}

static struct number element_at(const struct array *array, size_t index)
{
    double value = array_get(array, index);
    struct number number;

    if (array->type == ARRAY_FLOAT32)
        return float32_number((float)value);
    if (array->type == ARRAY_FLOAT64)
        return float64_number(value);
    number.value = value;
    if (array->type == ARRAY_UINT64)
        number.rank = ((const uint64_t *)array->data)[index];
    else if (array->type == ARRAY_INT64)
        number.rank = signed_rank(((const int64_t *)array->data)[index]);
    else
        number.rank = signed_rank((int64_t)value);
    return number;
}

static struct gap measure(struct number expected, struct number actual)
{
    struct gap gap = {0.0, 0.0};

    if ((isnan(expected.value) && isnan(actual.value)) || expected.rank == actual.rank)
        return gap;
    if (!isfinite(expected.value) || !isfinite(actual.value)) {
        gap.ulp = INFINITY;
        gap.absolute = INFINITY;
        return gap;
    }
    gap.ulp = (double)(expected.rank > actual.rank ? expected.rank - actual.rank
                                                   : actual.rank - expected.rank);
    gap.absolute = fabs(actual.value - expected.value);
    return gap;
}

/*
 * The share of the tolerance that a difference uses. It is above 1 exactly if the difference is
 * above the tolerance: next to 1 the quotient of two doubles never rounds to 1 unless it is 1. An
 * infinite difference is too much for any tolerance.
 */
static double share_of(double difference, double tolerance)
{
    if (difference == 0.0)
        return 0.0;
    if (!isfinite(difference) || !(tolerance > 0.0))
        return INFINITY;
    return difference / tolerance;
}

/* Adds element `index` to the result. *worst_gap is the gap at worst_index. */
static void record(struct comparison *result, struct gap *worst_gap, size_t index, struct gap gap,
                   double share)
{
    if (share > result->share || (share == result->share && gap.ulp > worst_gap->ulp)) {
        result->share = share;
        result->worst_index = index;
        *worst_gap = gap;
    }
    result->worst_ulp = fmax(result->worst_ulp, gap.ulp);
    result->worst_absolute = fmax(result->worst_absolute, gap.absolute);
    if (share > 1.0) {
        if (result->mismatches < COMPARISON_FIRST)
            result->first[result->mismatches] = index;
        result->mismatches++;
    }
}

/* Whether the bits of element `index` are the same. */
static int same_bits(const struct array *expected, const struct array *actual, size_t index)
{
    size_t size = array_type_size(expected->type);

    return memcmp((const char *)expected->data + index * size,
                  (const char *)actual->data + index * size, size) == 0;
}

static int is_tolerance(double value)
{
    return isfinite(value) && value >= 0.0;
}

int compare_arrays(const struct array *expected, const struct array *actual, struct policy policy,
                   struct comparison *result, struct io_error *error)
{
    struct gap worst_gap = {0.0, 0.0};
    int is_float = expected->type == ARRAY_FLOAT32 || expected->type == ARRAY_FLOAT64;
    int same_shape = expected->rank == actual->rank;
    char expected_shape[ARRAY_TEXT_SIZE], found[ARRAY_TEXT_SIZE];

    memset(result, 0, sizeof *result);
    for (int d = 0; same_shape && d < expected->rank; d++)
        same_shape = expected->shape[d] == actual->shape[d];
    if (expected->type != actual->type || !same_shape) {
        array_shape_text(expected->rank, expected->shape, expected_shape, sizeof expected_shape);
        array_shape_text(actual->rank, actual->shape, found, sizeof found);
        return io_fail(error, "expected %s of shape %s, found %s of shape %s",
                       array_type_name(expected->type), expected_shape,
                       array_type_name(actual->type), found);
    }
    if (!is_tolerance(policy.ulp) || !is_tolerance(policy.absolute) ||
        !is_tolerance(policy.relative)) {
        policy_text(policy, found, sizeof found);
        return io_fail(error, "expected a finite tolerance of 0 or more, found %s", found);
    }

    result->count = array_count(expected);
    for (size_t i = 0; i < result->count; i++) {
        struct number e = element_at(expected, i);
        struct number a = element_at(actual, i);
        struct gap gap = measure(e, a);
        double share = 0.0;

        if (!is_float)
            gap.absolute = gap.ulp; /* exact, where large integers are rounded to the same double */
        switch (policy.kind) {
        case POLICY_EXACT:
            if (!same_bits(expected, actual, i) && !(isnan(e.value) && isnan(a.value)))
                share = INFINITY;
            break;
        case POLICY_ULP: share = share_of(gap.ulp, policy.ulp); break;
        case POLICY_ABSREL:
            share = share_of(gap.absolute, policy.absolute + policy.relative * fabs(e.value));
            break;
        }
        record(result, &worst_gap, i, gap, share);
    }
    return 0;
}

/* An error in units of the spacing of a type's numbers at the expected magnitude. */
static double spacings(double difference, double expected, enum array_type type)
{
    const double magnitude = fabs(expected);
    double spacing = 1.0;

    if (difference == 0.0)
        return 0.0;
    if (type == ARRAY_FLOAT32)
        spacing = (double)nextafterf((float)magnitude, INFINITY) - (double)(float)magnitude;
    else if (type == ARRAY_FLOAT64)
        spacing = nextafter(magnitude, INFINITY) - magnitude;
    if (isinf(spacing)) /* above the largest number there is none */
        spacing = type == ARRAY_FLOAT32 ? magnitude - (double)nextafterf((float)magnitude, 0.0F)
                                        : magnitude - nextafter(magnitude, 0.0);
    return difference / spacing;
}

/* How far a 64-bit integer is from the double nearest to it: 0 up to 2^53. */
static double rounding_of(const struct array *array, size_t index)
{
    if (array->type == ARRAY_INT64) {
        const int64_t value = ((const int64_t *)array->data)[index];
        return (double)fabsl((long double)value - (long double)(double)value);
    }
    if (array->type == ARRAY_UINT64) {
        const uint64_t value = ((const uint64_t *)array->data)[index];
        return (double)fabsl((long double)value - (long double)(double)value);
    }
    return 0;
}

void compare_bounded(const double *expected, const double *bound, const struct array *actual,
                     struct comparison *result)
{
    struct gap worst_gap = {0.0, 0.0};

    memset(result, 0, sizeof *result);
    result->count = array_count(actual);
    for (size_t i = 0; i < result->count; i++) {
        double a = array_get(actual, i);
        struct gap gap = measure(float64_number(expected[i]), float64_number(a));

        gap.absolute += rounding_of(actual, i);
        if (actual->type == ARRAY_FLOAT32)
            gap.ulp = measure(float32_number((float)expected[i]), float32_number((float)a)).ulp;
        else if (actual->type != ARRAY_FLOAT64)
            gap.ulp = gap.absolute;
        const double share = share_of(gap.absolute, bound[i]);

        record(result, &worst_gap, i, gap, share);
        result->shares.bins[error_bin(share, ERROR_SHARES)]++;
        result->ulps
            .bins[error_bin(spacings(gap.absolute, expected[i], actual->type), ERROR_ULPS)]++;
    }
}

const char *share_text(double share, int decimals, char text[SHARE_TEXT_SIZE])
{
    char whole[SHARE_TEXT_SIZE - 1];

    if (!(share <= 1000.0)) {
        snprintf(text, SHARE_TEXT_SIZE, ">1000x");
        return text;
    }
    snprintf(text, SHARE_TEXT_SIZE, "%.*f%%", decimals, 100 * share);
    snprintf(whole, sizeof whole, "%.*f%%", decimals, 100.0);
    if (share > 1.0 && strcmp(text, whole) == 0)
        snprintf(text, SHARE_TEXT_SIZE, ">%s", whole);
    return text;
}
