/* SPDX-License-Identifier: BSD-3-Clause */
/* A project's own code: a kernel behind a C function. */
#ifndef SUMS_H
#define SUMS_H

#include "portable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds 1 to n, each in its own thread, to total[0], which is in device memory and zero. */
portable_status sum_to(int n, unsigned long long *total);

/* The target that the kernel was compiled for. */
const char *target_of_kernel(void);

#ifdef __cplusplus
}
#endif

#endif
