/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The errors of the runtime API, for all its files.
 *
 * The files of the runtime stand on each other in this order, and call only those below them:
 *
 *     blas_xt
 *     blas, blas_structured, driver (a library of its own), graph, libraries
 *     load, linker, tool, image: kernels that are loaded at run time
 *     kernels        what a program asks about kernels, and cudaLaunchKernel
 *     launch         <<<>>>
 *     copies, texture, device
 *     memory         allocation
 *     streams        streams, events and captures
 *     late           work that runs when something waits for it
 *     nodes          the nodes of graphs
 *     allocations    portable.h's table of them
 *     errors
 *
 * errors, allocations, late and launch are compiled with portable.h, where an error is a number;
 * the others with CUDA's headers, which define some of the same names. Functions whose names begin
 * with portable_ are skipped by the checks when they look for the line of a call.
 */
#ifndef PORTABLE_HOST_CUDART_ERRORS_H
#define PORTABLE_HOST_CUDART_ERRORS_H

#if defined(PORTABLE_H)
typedef int cudaError_t;
#else
#include "host/cudart/include/driver_types.h"
#endif

/* Notes an error for cudaGetLastError, and returns it. */
cudaError_t portable_cuda_error_(cudaError_t error);
/* At the start of a call: the error of a failed kernel, which every later call returns. A call that
 * waits for the device is the first to learn of it. */
cudaError_t portable_cuda_enter_(int waits);
/* Whether this thread has called the runtime API, which makes the primary context current. */
int *portable_cuda_used_(void);
/* Forgets that a kernel failed. */
void portable_cuda_reset_errors_(void);
/* Whether a kernel failed; if that was reported, it is the last error again. */
int portable_cuda_has_failed_(void);

/* Sets the error that the running kernel is about to fail with. */
void portable_cuda_kernel_error_(cudaError_t error);
/* The calling OS thread has opened a launch. */
void portable_cuda_launching_(void);
/* Notes the result of a launch, a portable_status, for cudaGetLastError, as CUDA's error; those of
 * a kernel that failed stay until cudaDeviceReset. Prints portable.h's message. */
void portable_cuda_record_(int status);

/* Tells memcheck of memory of the wrong kind. */
enum portable_cuda_fault_ {
    PORTABLE_CUDA_NOT_DEVICE_,
    PORTABLE_CUDA_NOT_HOST_,
    PORTABLE_CUDA_OUT_OF_RANGE_,
    PORTABLE_CUDA_WRONG_FREE_
};
__attribute__((format(printf, 2, 3))) void portable_cuda_fault_(enum portable_cuda_fault_ fault,
                                                                const char *format, ...);

#endif
