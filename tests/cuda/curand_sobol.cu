/* SPDX-License-Identifier: BSD-3-Clause */
/* cuRAND's Sobol generators, with the direction vectors of the first dimension: bit k. */
#include <curand_kernel.h>
#include <stdio.h>

__global__ void sobol32(unsigned *vectors, unsigned offset, unsigned *out)
{
    curandStateSobol32_t state;
    curand_init(vectors, offset, &state);
    for (int i = 0; i < 6; i++)
        out[i] = curand(&state);
    skipahead(10u, &state);
    out[6] = __float_as_uint(curand_uniform(&state));
    curandStateScrambledSobol32_t scrambled;
    curand_init(vectors, 0x12345678u, offset, &scrambled);
    out[7] = curand(&scrambled);
    out[8] = curand(&scrambled);
    out[9] = curand_poisson(&scrambled, 40.0);
}
__global__ void sobol64(unsigned long long *vectors, unsigned long long offset,
                        unsigned long long *out)
{
    curandStateSobol64_t state;
    curand_init(vectors, offset, &state);
    for (int i = 0; i < 6; i++)
        out[i] = curand(&state);
    out[6] = (unsigned long long)__double_as_longlong(curand_uniform_double(&state));
    curandStateScrambledSobol64_t scrambled;
    curand_init(vectors, 0x123456789abcdefull, offset, &scrambled);
    out[7] = curand(&scrambled);
    out[8] = curand(&scrambled);
    out[9] = curand_poisson(&scrambled, 40.0);
}

int main()
{
    unsigned vectors32[32], results32[10], *in32, *out32;
    unsigned long long vectors64[64], results64[10], *in64, *out64;
    for (int i = 0; i < 32; i++)
        vectors32[i] = 1u << (31 - i);
    for (int i = 0; i < 64; i++)
        vectors64[i] = 1ull << (63 - i);
    cudaMalloc(&in32, sizeof vectors32);
    cudaMalloc(&out32, sizeof results32);
    cudaMalloc(&in64, sizeof vectors64);
    cudaMalloc(&out64, sizeof results64);
    cudaMemcpy(in32, vectors32, sizeof vectors32, cudaMemcpyHostToDevice);
    cudaMemcpy(in64, vectors64, sizeof vectors64, cudaMemcpyHostToDevice);
    for (unsigned offset = 0; offset < 2000; offset += 999) {
        sobol32<<<1, 1>>>(in32, offset, out32);
        sobol64<<<1, 1>>>(in64, offset, out64);
        cudaMemcpy(results32, out32, sizeof results32, cudaMemcpyDeviceToHost);
        cudaMemcpy(results64, out64, sizeof results64, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 10; i++)
            printf("%u %d: %08x %016llx\n", offset, i, results32[i], results64[i]);
    }
    cudaFree(in32);
    cudaFree(out32);
    cudaFree(in64);
    cudaFree(out64);
    return cudaGetLastError() != cudaSuccess;
}
