/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -DPORTABLE_TARGET_EMULATE=1 -Werror=implicit-function-declaration
#include "wrong.h"

// case: implicit_cuda_function
// expect-gcc: implicit declaration of function
// expect-clang: function '__brev'
__global__ void probe(unsigned *x)
{
    x[0] = (unsigned)WRONG(__brev) RIGHT(__popc)(x[0]);
}
