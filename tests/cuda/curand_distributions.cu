/* SPDX-License-Identifier: BSD-3-Clause */
/* Normal, log-normal and Poisson numbers: within rounding, so with three digits. */
#include <curand_kernel.h>
#include <stdio.h>

enum { NUMBERS = 12 };

template <class State> __global__ void draw(double *out)
{
    State state;
    curand_init(2026, threadIdx.x, 11, &state);
    double *const o = out + threadIdx.x * NUMBERS;
    o[0] = curand_normal(&state);
    o[1] = curand_normal(&state);
    const float2 pair = curand_normal2(&state);
    o[2] = pair.x, o[3] = pair.y;
    o[4] = curand_normal_double(&state);
    o[5] = curand_normal_double(&state);
    const double2 pair_double = curand_normal2_double(&state);
    o[6] = pair_double.x, o[7] = pair_double.y;
    o[8] = curand_log_normal(&state, 0.5f, 0.25f);
    o[9] = curand_log_normal_double(&state, 0.5, 0.25);
    o[10] = curand_poisson(&state, 300);
    o[11] = curand_poisson(&state, 5000);
}
__global__ void sums(float *out)
{
    curandStatePhilox4_32_10_t state;
    curand_init(1, threadIdx.x, 0, &state);
    float sum = 0, squares = 0;
    for (int i = 0; i < 64; i++) {
        const float4 x = curand_normal4(&state);
        sum += x.x + x.y + x.z + x.w;
        squares += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
    }
    out[2 * threadIdx.x] = sum;
    out[2 * threadIdx.x + 1] = squares;
}
__global__ void quasi(double *out)
{
    curandStateSobol32_t state;
    unsigned vectors[32];
    for (int i = 0; i < 32; i++)
        vectors[i] = 1u << (31 - i);
    curand_init(vectors, 1u, &state);
    for (int i = 0; i < 6; i++)
        out[i] = curand_normal(&state);
    for (int i = 6; i < NUMBERS; i++)
        out[i] = curand_normal_double(&state);
}

static double results[32 * NUMBERS];
static void show(const char *name, const double *out, int threads)
{
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int thread = 0; thread < threads; thread += 13) {
        printf("%s %d:", name, thread);
        for (int i = 0; i < NUMBERS; i++)
            printf(" %.3f", results[thread * NUMBERS + i]);
        printf("\n");
    }
}

int main()
{
    double *out;
    float moments[64], *out_sums, sum = 0, squares = 0;
    cudaMalloc(&out, sizeof results);
    cudaMalloc(&out_sums, sizeof moments);
    cudaMemset(out, 0, sizeof results);
    draw<curandStateXORWOW_t><<<1, 32>>>(out);
    show("XORWOW", out, 32);
    draw<curandStatePhilox4_32_10_t><<<1, 32>>>(out);
    show("Philox", out, 32);
    draw<curandStateMRG32k3a_t><<<1, 32>>>(out);
    show("MRG32k3a", out, 32);
    quasi<<<1, 1>>>(out);
    show("Sobol", out, 1);
    sums<<<1, 32>>>(out_sums);
    cudaMemcpy(moments, out_sums, sizeof moments, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        sum += moments[2 * i], squares += moments[2 * i + 1];
    printf("mean %.2f, variance %.2f\n", sum / 8192, squares / 8192);
    cudaFree(out);
    cudaFree(out_sums);
    return cudaGetLastError() != cudaSuccess;
}
