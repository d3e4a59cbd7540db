/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers stored in 16 bits, with arithmetic in float: half the memory traffic of float. */
#include "portable.h"

/* y = a x + y in float, rounded to half.  x, y: n elements */
KERNEL(half_saxpy)(int n, float a, const half *RESTRICT x, half *RESTRICT y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = float_to_half(a * half_to_float(x[i]) + half_to_float(y[i]));
}

/* The same for bfloat16. */
KERNEL(bfloat16_saxpy)(int n, float a, const bfloat16 *RESTRICT x, bfloat16 *RESTRICT y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = float_to_bfloat16(a * bfloat16_to_float(x[i]) + bfloat16_to_float(y[i]));
}

/* out = in, exactly.  in, out: n elements */
KERNEL(half_unpack)(int n, const half *RESTRICT in, float *RESTRICT out)
{
    GRID_STRIDE_LOOP(i, n)
        out[i] = half_to_float(in[i]);
}

KERNEL(bfloat16_unpack)(int n, const bfloat16 *RESTRICT in, float *RESTRICT out)
{
    GRID_STRIDE_LOOP(i, n)
        out[i] = bfloat16_to_float(in[i]);
}

/* out = in, rounded.  in, out: n elements */
KERNEL(half_pack)(int n, const float *RESTRICT in, half *RESTRICT out)
{
    GRID_STRIDE_LOOP(i, n)
        out[i] = float_to_half(in[i]);
}

KERNEL(bfloat16_pack)(int n, const float *RESTRICT in, bfloat16 *RESTRICT out)
{
    GRID_STRIDE_LOOP(i, n)
        out[i] = float_to_bfloat16(in[i]);
}
