/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime's C side of CUDA C++ on the emulate target: launches (launch.c) and the runtime API's
 * errors (errors.c), both on portable.h. include/portable_cuda/launch.h declares what programs
 * call.
 */
#ifndef PORTABLE_HOST_CUDA_LAUNCH_H
#define PORTABLE_HOST_CUDA_LAUNCH_H

#include "portable.h"

/* Notes the result of a launch or a call for cudaGetLastError, as CUDA's error; sticky ones stay
 * until cudaDeviceReset. Returns the error. */
int portable_cuda_record_(portable_status status);

void portable_cuda_configure_(const dim3 *grid, const dim3 *block, size_t shared_bytes,
                              portable_stream stream);
/* cudaLaunchKernel: calls the kernel, whatever its parameters are, and gives it the arguments. */
void portable_cuda_launch_function_(portable_function_ kernel, const dim3 *grid, const dim3 *block,
                                    void **arguments, size_t shared_bytes, portable_stream stream,
                                    int cooperative);
enum portable_cuda_do_ { PORTABLE_CUDA_REFUSED_, PORTABLE_CUDA_RUN_, PORTABLE_CUDA_QUEUE_ };
enum portable_cuda_do_ portable_cuda_begin_(const char *kernel, unsigned max_threads);
void portable_cuda_end_(void);
void portable_cuda_child_(void (*run)(const void *body), const void *body, size_t bytes);
void **portable_cuda_arguments_(void);
void *portable_cuda_dynamic_shared_(void);
/* The kind of memory that an address is in. */
enum {
    PORTABLE_CUDA_GLOBAL_,
    PORTABLE_CUDA_SHARED_,
    PORTABLE_CUDA_CONSTANT_,
    PORTABLE_CUDA_STACK_
};
int portable_cuda_space_(const void *address);
__attribute__((noreturn)) void portable_cuda_fail_(int error, const char *sentence,
                                                   const char *file, int line);

#endif
