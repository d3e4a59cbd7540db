/* SPDX-License-Identifier: BSD-3-Clause */
/* What a project has of its own: a kernel behind a function of C. */
#ifndef SUMS_H
#define SUMS_H

#include "portable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sum of 1 to n, each added by a thread of its own, to total[0]: on the device, zeroed. */
portable_status sum_to(int n, unsigned long long *total);

/* The target that the kernel was compiled for. */
const char *target_of_kernel(void);

#ifdef __cplusplus
}
#endif

#endif
