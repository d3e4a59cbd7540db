/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels and functions that kernels.cpp and kernels.c have from each other. */
#ifndef PORTABLE_TESTS_HEADER_KERNELS_H
#define PORTABLE_TESTS_HEADER_KERNELS_H

#include "portable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* kernels.c */
KERNEL(c_scale)(int n, float by, float *x);
KERNEL(c_at_most_64)(int *count);
portable_status c_scale_launched(int n, float by, float *x);

#if PORTABLE_TARGET_EMULATE
/* kernels.cpp */
KERNEL(cpp_add)(int n, float what, float *x);
KERNEL(cpp_at_most_96)(int *count);
#endif

#ifdef __cplusplus
}
#endif

#endif
