// expect: implicit declaration of function
/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -DPORTABLE_TARGET_EMULATE=1 -Werror=implicit-function-declaration
#include "portable.h"

__global__ void probe(unsigned *x)
{
#ifdef CORRECTED
    x[0] = (unsigned)__popc(x[0]);
#else
    x[0] = __brev(x[0]);
#endif
}
