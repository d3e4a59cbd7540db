// expect: in a CUDA build a file with a kernel must be compiled by nvcc -x cu, not cc
/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -DPORTABLE_TARGET_CUDA=1
// needs: cuda
#include "portable.h"

#ifdef CORRECTED
portable_status wait(void)
{
    return portable_synchronize();
}
#else
KERNEL(probe)(int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 0;
}
#endif
