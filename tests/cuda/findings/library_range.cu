/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lcurand
/* A library's call is checked as a copy is. */
#include <cuda_runtime.h>
#include <curand.h>

int main()
{
    curandGenerator_t generator;
    float *x, host[128];
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    cudaMalloc(&x, 100 * sizeof(float));
    curandGenerateUniform(generator, x, 128);
    curandGenerateUniform(generator, host, 128);
    curandGenerateUniform(generator, x, 100);
    cudaFree(x);
    curandDestroyGenerator(generator);
}
// memcheck exits with 1:
//     memcheck: error in host code: curandGenerateUniform: 512 bytes from byte 0 of the output, which has 400, at library_range.cu:13
//     memcheck: error in host code: curandGenerateUniform: the output, 0x..., is not (or no longer) device memory, at library_range.cu:14
//     memcheck: 2 errors in host code
