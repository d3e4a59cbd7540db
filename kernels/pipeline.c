/* SPDX-License-Identifier: BSD-3-Clause */
/* host/cases/pipeline.c runs these on two streams, overlapped with copies: an array in chunks, and
 * then a kernel that needs all of them. */
#include "portable.h"

/* y = a x + y.  x, y: the n elements of a chunk */
KERNEL(saxpy_chunk)(int n, REAL a, const REAL *RESTRICT x, REAL *RESTRICT y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = a * x[i] + y[i];
}

/* z[i] = y[i] - y[n - 1 - i]: each element needs one from the other end.  y, z: n elements */
KERNEL(mirror_difference)(int n, const REAL *RESTRICT y, REAL *RESTRICT z)
{
    GRID_STRIDE_LOOP(i, n)
        z[i] = y[i] - y[n - 1 - i];
}
