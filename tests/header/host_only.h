/* SPDX-License-Identifier: BSD-3-Clause */
/* host_only.c's functions: C, also if first.c is CUDA C++. */
#ifndef PORTABLE_TESTS_HEADER_HOST_ONLY_H
#define PORTABLE_TESTS_HEADER_HOST_ONLY_H

#include "portable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Device memory of n floats, all `value`; NULL on failure. The caller frees it. */
float *host_only_new(int n, float value);
/* Frees it; returns the number of remaining allocations. */
size_t host_only_free(float *x);
/* Fails; returns the status. */
portable_status host_only_fail(void);

#ifdef __cplusplus
}
#endif

#endif
