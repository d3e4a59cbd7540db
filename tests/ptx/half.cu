/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/half.c as CUDA written by hand. */
#include "loops.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void half_saxpy(int n, float a, const __half *__restrict__ x,
                                      __half *__restrict__ y)
{
    FOR_PAIRS(i, n)
        y[i] = __float2half_rn(a * __half2float(x[i]) + __half2float(y[i]));
}

extern "C" __global__ void bfloat16_saxpy(int n, float a, const __nv_bfloat16 *__restrict__ x,
                                          __nv_bfloat16 *__restrict__ y)
{
    FOR_PAIRS(i, n)
        y[i] = __float2bfloat16_rn(a * __bfloat162float(x[i]) + __bfloat162float(y[i]));
}

extern "C" __global__ void half_unpack(int n, const __half *__restrict__ in,
                                       float *__restrict__ out)
{
    FOR_PAIRS(i, n)
        out[i] = __half2float(in[i]);
}

extern "C" __global__ void bfloat16_unpack(int n, const __nv_bfloat16 *__restrict__ in,
                                           float *__restrict__ out)
{
    FOR_PAIRS(i, n)
        out[i] = __bfloat162float(in[i]);
}

extern "C" __global__ void half_pack(int n, const float *__restrict__ in, __half *__restrict__ out)
{
    FOR_PAIRS(i, n)
        out[i] = __float2half_rn(in[i]);
}

extern "C" __global__ void bfloat16_pack(int n, const float *__restrict__ in,
                                         __nv_bfloat16 *__restrict__ out)
{
    FOR_PAIRS(i, n)
        out[i] = __float2bfloat16_rn(in[i]);
}
