// SPDX-License-Identifier: BSD-3-Clause
// error: curandCreateGenerator: portable-nvcc has cuRAND's device functions only (curand_kernel.h), not its host library
#include <curand.h>

int main()
{
    curandGenerator_t generator;
    return curandCreateGenerator(&generator, 100);
}
