/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L

#include "host/timer.h"

#include <math.h>   /* fabs */
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

/* Sorts the values. */
static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2.0;
}

struct timer_summary timer_summarise(double *samples, size_t count)
{
    struct timer_summary summary;

    summary.median = median_of(samples, count);
    summary.minimum = samples[0];
    for (size_t i = 0; i < count; i++)
        samples[i] = fabs(samples[i] - summary.median);
    summary.deviation = median_of(samples, count);
    return summary;
}
