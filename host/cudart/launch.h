/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What launch.c calls of errors.c, and both have of portable.h: protocol.h has the rest.
 */
#ifndef PORTABLE_HOST_CUDART_LAUNCH_H
#define PORTABLE_HOST_CUDART_LAUNCH_H

#include "portable.h"

/* Notes the result of a launch or a call for cudaGetLastError, as CUDA's error; sticky ones stay
 * until cudaDeviceReset. Returns the error. */
int portable_cuda_record_(portable_status status);

#endif
