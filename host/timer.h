/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
#ifndef PORTABLE_HOST_TIMER_H
#define PORTABLE_HOST_TIMER_H

#include <stddef.h> /* size_t */

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds since some fixed moment. Never goes back, whatever happens to the time of day. */
double timer_seconds(void);

/* A summary of repeated measurements that, unlike mean and sigma, outliers hardly affect. */
struct timer_summary {
    double minimum;
    double lower; /* the first quartile */
    double median;
    double upper; /* the third quartile */
};

/* Sorts the samples; there must be at least one. Between two samples a quantile is interpolated:
 * type 7 in R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American
 * Statistician 50, 1996, which is also NumPy's. */
struct timer_summary timer_summarise(double *samples, size_t count);

#ifdef __cplusplus
}
#endif

#endif
