/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches, as the runtime API and graphs start them, and what is kept about a kernel.
 */
#ifndef PORTABLE_HOST_CUDART_LAUNCH_H
#define PORTABLE_HOST_CUDART_LAUNCH_H

#include "host/cudart/capture.h"
#include "host/cudart/protocol.h"

/* cudaLaunchKernel: calls the kernel, whatever its parameters are, with the arguments. With a graph
 * it becomes a node of that. */
void portable_cuda_launch_function_(portable_function_ kernel, const dim3 *grid, const dim3 *block,
                                    void **arguments, size_t shared_bytes,
                                    struct CUstream_st *stream, int cooperative,
                                    struct CUgraph_st *graph);
/* The name, __launch_bounds__ and -arch of a kernel; no name if the function is none. */
void portable_cuda_query_(portable_function_ kernel, const char **name, unsigned *max_threads,
                          int *capability);
/* Its parameters; NULL if the function is none. */
const struct portable_cuda_parameter_ *portable_cuda_parameters_(portable_function_ kernel);
/* A launch from a graph. */
void portable_cuda_replay_(const struct portable_cuda_kernel_ *kernel, struct CUstream_st *stream);

/* The attributes that the program has set for a kernel, by name. */
struct portable_cuda_settings_ {
    struct portable_cuda_settings_ *next;
    const char *kernel;
    size_t shared_limit; /* atomic, as the next: host threads set it while others launch */
    int carveout;
};
/* Returns NULL if the kernel has no settings, or, with `make`, if there is no memory for them. */
struct portable_cuda_settings_ *portable_cuda_settings_of_(const char *kernel, int make);
/* Raises the kernel's limit on dynamic shared memory; 0 if that is too much. */
int portable_cuda_raise_shared_(const char *kernel, size_t bytes);

#endif
