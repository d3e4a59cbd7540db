/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies and memset in parts: from a call's parameters, checked, done. For graphs and libraries.
 */
#ifndef PORTABLE_HOST_CUDART_COPIES_H
#define PORTABLE_HOST_CUDART_COPIES_H

#include "host/cudart/include/cuda_runtime_api.h"

#include "host/cudart/capture.h" /* struct portable_cuda_copy_ */

/* As work of the stream. call: the function that enqueued it. */
void portable_cuda_copy_in_(cudaStream_t stream, const char *call,
                            const struct portable_cuda_copy_ *copy);
void portable_cuda_set_in_(cudaStream_t stream, const char *call,
                           const struct portable_cuda_set_ *set);
cudaError_t portable_cuda_check_copy_(const char *call, const struct portable_cuda_copy_ *copy,
                                      enum cudaMemcpyKind kind);
/* As cudaMemcpyAsync, but also pageable memory is read when the stream gets there. */
cudaError_t portable_cuda_copy_unstaged_(const char *call, void *to, const void *from, size_t bytes,
                                         cudaStream_t stream);
cudaError_t portable_cuda_set_all_(const char *call, const struct portable_cuda_set_ *set,
                                   int asynchronous, cudaStream_t stream);
cudaError_t portable_cuda_check_set_(const char *call, const struct portable_cuda_set_ *set);
cudaError_t portable_cuda_copy_3d_(const struct cudaMemcpy3DParms *parameters,
                                   struct portable_cuda_copy_ *copy);
/* An operand of a library's call, height rows of width bytes of the device's memory: checks its
 * range, and reports to the checks that the call reads or writes it. */
cudaError_t portable_cuda_operand_(const char *call, const char *role, const void *address,
                                   size_t pitch, size_t width, size_t height, int reads,
                                   int writes);

#endif
