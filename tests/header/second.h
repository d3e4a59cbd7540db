/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared declarations of first.c and second.c. */
#ifndef PORTABLE_TESTS_HEADER_SECOND_H
#define PORTABLE_TESTS_HEADER_SECOND_H

#include "portable.h"

/* first.c's kernels. */
KERNEL(add)(int n, float what, float *x);
KERNEL(at_most_128)(int *count);

/* second.c's kernel: its last byte of dynamic shared memory, which it sets to 1. */
KERNEL(count_shared)(size_t bytes, int *count);

#ifdef __cplusplus
extern "C" {
#endif

/* Launches add. */
portable_status second_add(int n, float what, float *x);
/* Launches at_most_128 with 129 threads. */
portable_status second_too_many_threads(int *count);
/* Raises count_shared's limit to 64 KiB. */
portable_status second_raise_shared_limit(void);

#ifdef __cplusplus
}
#endif

#endif
