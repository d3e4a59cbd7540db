/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls between a program of CUDA C++ on the emulate target and its runtime: launches. Whoever
 * includes this has a dim3 of portable.h or of CUDA's headers: both have the same layout.
 */
#ifndef PORTABLE_HOST_CUDART_PROTOCOL_H
#define PORTABLE_HOST_CUDART_PROTOCOL_H

#include "../emulate/protocol.h" /* portable_function_ */
#include "../emulate/thread_loop.h"

#include <stddef.h> /* size_t */

/* The extents and options of the next launch by this OS thread. */
void portable_cuda_configure_(const dim3 *grid, const dim3 *block, size_t shared_bytes,
                              void *stream);
/* The result of a call of the kernel. max_threads: that of __launch_bounds__, or 0;
 * capability: that of -arch. */
enum portable_cuda_action_ {
    PORTABLE_CUDA_REFUSED_, /* nothing: the error is recorded */
    PORTABLE_CUDA_RUN_,     /* run the threads, then end the launch */
    PORTABLE_CUDA_QUEUE_    /* queue it: the caller is a kernel, or the stream is captured */
};
enum portable_cuda_action_ portable_cuda_begin_(const char *kernel, unsigned max_threads,
                                                int capability);
void portable_cuda_end_(void);
void portable_cuda_child_(void (*run)(const void *body), const void *body, size_t bytes);
/* The size and the alignment of each parameter of a kernel; zeros after the last. */
struct portable_cuda_parameter_ {
    unsigned short bytes, alignment;
};
/* The arguments of cudaLaunchKernel, or NULL for a launch by <<<>>>. */
void **portable_cuda_arguments_(const struct portable_cuda_parameter_ *parameters);
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
/* The address in shared memory whose lower half this is, or may have been before an overrun. */
char *portable_cuda_shared_address_(unsigned low);
/* Sets the carry flag of inline PTX; returns the one before. */
unsigned portable_cuda_carry_(unsigned carry);
/* Whether a kernel runs. */
extern __thread int emulate_running;
/* Ends the launch with a failure, from within a kernel. */
__attribute__((noreturn)) void portable_cuda_fail_(int error, const char *sentence,
                                                   const char *file, int line);

#endif
