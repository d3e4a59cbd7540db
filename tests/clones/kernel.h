/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(multiply_add)
(int n, float (*of)(float), const float *RESTRICT x, float *RESTRICT y, void **RESTRICT where);
KERNEL(bounded)(int *count);
KERNEL_CHILD(halve, int, float *);
KERNEL(declared_and_never_defined)(int n);
