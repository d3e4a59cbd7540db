/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -DPORTABLE_TARGET_CUDA=1
#include "wrong.h"

// case: kernel_in_a_host_file_of_a_cuda_build
// expect: in a CUDA build a file with a kernel must be compiled by nvcc -x cu, not cc
portable_status wait(void)
{
    return portable_synchronize();
}
WRONG(KERNEL(probe)(int n, float *x) {
    for (int i = 0; i < n; i++)
        x[i] = 0;
})
