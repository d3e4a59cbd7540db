/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/error_histogram.h"

#include <math.h> /* frexp, isfinite */

int error_bin(double value, int lowest)
{
    const int last = ERROR_BINS - 1;
    int exponent;

    if (value == 0)
        return 0;
    if (!isfinite(value))
        return last;
    /* value = m 2^exponent, 0.5 <= m < 1: the least 2^k that is not below is 2^exponent, but for
     * m = 0.5, a power itself. */
    if (frexp(value, &exponent) == 0.5)
        exponent--;
    exponent -= lowest;
    if (exponent < 0)
        return 1;
    return exponent + 1 < last ? exponent + 1 : last;
}

void error_histogram_add(struct error_histogram *sum, const struct error_histogram *addend)
{
    for (int k = 0; k < ERROR_BINS; k++)
        sum->bins[k] += addend->bins[k];
}

size_t error_histogram_count(const struct error_histogram *histogram)
{
    size_t count = 0;

    for (int k = 0; k < ERROR_BINS; k++)
        count += histogram->bins[k];
    return count;
}
