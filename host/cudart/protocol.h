/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls between a program of CUDA C++ on the emulate target and its runtime, and in the runtime
 * between launches (launch.c), on portable.h, and the runtime API (errors.c, graph.c, runtime.c),
 * on CUDA's headers. Whoever includes this has a dim3 of one or the other: both have the same
 * layout. A stream is a pointer, an error its number.
 */
#ifndef PORTABLE_HOST_CUDART_PROTOCOL_H
#define PORTABLE_HOST_CUDART_PROTOCOL_H

#include "../emulate/protocol.h" /* portable_function_ */

#include <stddef.h> /* size_t */

/* ---- what programs call ---- */

/* The extents and options of the next launch by this OS thread. */
void portable_cuda_configure_(const dim3 *grid, const dim3 *block, size_t shared_bytes,
                              void *stream);
/* The result of a call of the kernel. max_threads: that of __launch_bounds__, or 0. */
enum portable_cuda_do_ {
    PORTABLE_CUDA_REFUSED_, /* nothing: the error is recorded */
    PORTABLE_CUDA_RUN_,     /* run the threads, then end the launch */
    PORTABLE_CUDA_QUEUE_    /* queue it: the caller is a kernel, or the stream is captured */
};
enum portable_cuda_do_ portable_cuda_begin_(const char *kernel, unsigned max_threads);
void portable_cuda_end_(void);
void portable_cuda_child_(void (*run)(const void *body), const void *body, size_t bytes);
/* The arguments of cudaLaunchKernel, or NULL for a launch by <<<>>>. */
void **portable_cuda_arguments_(void);
/* The dynamic shared memory of the running block. */
void *portable_cuda_dynamic_shared_(void);
/* The kind of memory that an address is in. */
enum portable_cuda_space_ {
    PORTABLE_CUDA_GLOBAL_, /* or none */
    PORTABLE_CUDA_SHARED_,
    PORTABLE_CUDA_CONSTANT_,
    PORTABLE_CUDA_STACK_ /* of a thread */
};
enum portable_cuda_space_ portable_cuda_space_(const void *address);
/* Ends the launch with a failure, from within a kernel. */
__attribute__((noreturn)) void portable_cuda_fail_(int error, const char *sentence,
                                                   const char *file, int line);

/* ---- what the runtime API calls of launch.c ---- */

/* cudaLaunchKernel: calls the kernel, whatever its parameters are, and gives it the arguments. */
void portable_cuda_launch_function_(portable_function_ kernel, const dim3 *grid, const dim3 *block,
                                    void **arguments, size_t shared_bytes, void *stream,
                                    int cooperative);
/* The name and __launch_bounds__ of a kernel. */
void portable_cuda_ask_(portable_function_ kernel, const char **name, unsigned *max_threads);
/* A launch from a graph: as portable_cuda_begin_, run(body) and portable_cuda_end_. */
void portable_cuda_replay_(const char *kernel, unsigned max_threads, void (*run)(const void *body),
                           const dim3 *grid, const dim3 *block, size_t shared_bytes,
                           int cooperative, const void *body);

/* ---- what launch.c calls of the runtime API ---- */

/* Whether a launch on the stream is noted in a graph, in place of being run. */
int portable_cuda_captures_(void *stream);
void portable_cuda_capture_launch_(void *stream, const char *kernel, unsigned max_threads,
                                   void (*run)(const void *body), const dim3 *grid,
                                   const dim3 *block, size_t shared_bytes, int cooperative,
                                   const void *body, size_t bytes);
/* 0 if a launch must be refused: an earlier kernel failed, or the kernel's own limit on dynamic
 * shared memory is lower. The error is noted. */
int portable_cuda_may_launch_(const char *kernel, size_t shared_bytes);
/* Sets the error that the running kernel is about to fail with. */
void portable_cuda_reason_(int error);

#endif
