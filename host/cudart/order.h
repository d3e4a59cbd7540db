/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the runtime tells the check of the order of work, if there is one. For files with CUDA's
 * types and for those with portable.h's; streams.c has the functions.
 */
#ifndef PORTABLE_HOST_CUDART_ORDER_H
#define PORTABLE_HOST_CUDART_ORDER_H

#include "host/emulate/order.h"

struct CUstream_st;

/* NULL without such a check; of host/emulate/check.h. */
#define ORDER (emulate_check.order)

/* The calling thread begins, and ends, work of the stream. caller: emulate_caller's at a launch. */
void portable_cuda_begin_work_(struct CUstream_st *stream, enum emulate_work kind,
                               const char *call);
void portable_cuda_begin_kernel_(struct CUstream_st *stream, const char *kernel,
                                 const void *caller);
void portable_cuda_end_work_(void);
/* The work, or with the name of its call the host, reads or writes `height` rows in each of `depth`
 * slices. */
void portable_cuda_touch_(const char *call, const void *memory, size_t pitch, size_t slice,
                          size_t width, size_t height, size_t depth, int writes);
void portable_cuda_host_waits_(struct CUstream_st *stream);
/* If work is late, adds run(a copy of the data) to the stream, and returns 1; else 0. call: as in
 * late.h. */
int portable_cuda_defer_(struct CUstream_st *stream, enum emulate_work kind, const char *call,
                         void (*run)(void *data), const void *data, size_t bytes);
/* Runs late work of the stream, or all, before a call that does its own at once. */
void portable_cuda_catch_up_(struct CUstream_st *stream);
void portable_cuda_catch_up_all_(void);
/* The stream that the running call of a library works on. */
struct CUstream_st **portable_cuda_library_stream_(void);

#endif
