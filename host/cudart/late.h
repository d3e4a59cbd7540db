/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PORTABLE_STREAMS=late: queued work runs as late as CUDA allows, when something waits for it.
 *
 * late.c then is the check of the order of work (order.h), whose timelines are queues and whose
 * clocks are places in them. For files with CUDA's types and for those with portable.h's.
 */
#ifndef PORTABLE_HOST_CUDART_LATE_H
#define PORTABLE_HOST_CUDART_LATE_H

#include "host/emulate/order.h"

/* Whether work runs late. */
int portable_cuda_is_late_(void);
/* Adds run(a copy of the data) to the timeline. call: the function that enqueues it, or the kernel;
 * NULL for what nobody misses if it never runs. */
void portable_cuda_enqueue_(unsigned timeline, enum emulate_work kind, const char *call,
                            void (*run)(void *data), const void *data, size_t bytes);
/* Whether all work of the timeline, or up to the clock, is done. Each query after the first runs a
 * piece. */
int portable_cuda_query_timeline_(unsigned timeline);
int portable_cuda_query_clock_(const struct emulate_clock *clock);
/* Whether all work up to the clock is done. */
int portable_cuda_is_past_(const struct emulate_clock *clock);

#endif
