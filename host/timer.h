/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PORTABLE_HOST_TIMER_H
#define PORTABLE_HOST_TIMER_H

#include <stddef.h> /* size_t */

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds since some fixed moment. Never goes back, whatever happens to the time of day. */
double timer_seconds(void);

/* What is left of repeated measurements. Outliers hardly move it, as they would mean and sigma. */
struct timer_summary {
    double median;
    double minimum;
    double deviation; /* median of |sample - median| */
};

/* `count` is 1 or more. The samples serve as scratch memory: their values are lost. */
struct timer_summary timer_summarise(double *samples, size_t count);

#ifdef __cplusplus
}
#endif

#endif
