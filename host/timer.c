/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L

#include "host/timer.h"

#include <stdlib.h> /* qsort */
#include <time.h>   /* clock_gettime */

double timer_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

static double quantile(const double *sorted, size_t count, double share)
{
    const double place = share * (double)(count - 1);
    const size_t below = (size_t)place;
    const size_t above = below + 1 < count ? below + 1 : below;

    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

struct timer_summary timer_summarise(double *samples, size_t count)
{
    struct timer_summary summary;

    qsort(samples, count, sizeof *samples, compare_doubles);
    summary.minimum = samples[0];
    summary.lower = quantile(samples, count, 0.25);
    summary.median = quantile(samples, count, 0.5);
    summary.upper = quantile(samples, count, 0.75);
    return summary;
}
