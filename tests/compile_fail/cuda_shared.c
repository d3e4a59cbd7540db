// expect: CUDA C needs nvcc, or make run TARGET=emulate SOURCES=file.c
/* SPDX-License-Identifier: BSD-3-Clause */
// errors: 1
#include "portable.h"

KERNEL(probe)(float *x)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        SHARED(float, tile, [32]);
#else
        __shared__ float tile[32];
#endif
        FOR_EACH_THREAD
            tile[threadIdx.x] = x[threadIdx.x];
        SYNC_THREADS();
        FOR_EACH_THREAD
            x[threadIdx.x] = tile[31 - threadIdx.x];
    }
}
