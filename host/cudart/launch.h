/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of errors.c that launch.c calls, and the parts of portable.h that both use.
 * protocol.h has the rest.
 */
#ifndef PORTABLE_HOST_CUDART_LAUNCH_H
#define PORTABLE_HOST_CUDART_LAUNCH_H

#include "portable.h"

/* Notes the result of a launch or a call for cudaGetLastError, as CUDA's error; sticky ones stay
 * until cudaDeviceReset. Returns the error. */
int portable_cuda_record_(portable_status status);

#endif
