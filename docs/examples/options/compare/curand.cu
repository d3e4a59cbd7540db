/* SPDX-License-Identifier: 0BSD */
/* The usual way on a GPU: cuRAND fills an array with normal numbers, 16 for each path, and a kernel
 * makes prices of them. nvcc -O3 compare/curand.cu -lcurand -o curand && ./curand 1048576 */
#include <curand.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

enum { DATES = 16 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != 0) {                                                                         \
            fprintf(stderr, "%s failed\n", #call);                                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* z: DATES rows of n; the sums of the European and of the Asian payoffs */
__global__ void payoffs(int n, const float *z, float spot, float strike, float drift, float spread,
                        double *sums)
{
    double european = 0, asian = 0;
    __shared__ double part[2][8];

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float logarithm = 0, mean = 0, price = spot;
        for (int d = 0; d < DATES; d++) {
            logarithm += drift + spread * z[(size_t)d * n + i];
            price = spot * expf(logarithm);
            mean += price / DATES;
        }
        european += fmaxf(price - strike, 0);
        asian += fmaxf(mean - strike, 0);
    }
    for (int lane = 16; lane > 0; lane /= 2) {
        european += __shfl_xor_sync(~0u, european, lane);
        asian += __shfl_xor_sync(~0u, asian, lane);
    }
    if (threadIdx.x % 32 == 0) {
        part[0][threadIdx.x / 32] = european;
        part[1][threadIdx.x / 32] = asian;
    }
    __syncthreads();
    if (threadIdx.x < 2) {
        double sum = 0;
        for (int w = 0; w < 8; w++)
            sum += part[threadIdx.x][w];
        atomicAdd(&sums[threadIdx.x], sum);
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    const float rate = 0.04f, volatility = 0.534f, years = 0.25f, step = years / DATES;
    float *z;
    double *sums, host[2];

    CHECK(cudaMalloc(&z, sizeof(float) * DATES * n));
    CHECK(cudaMalloc(&sums, sizeof host));
    for (int sobol = 0; sobol < 2; sobol++) {
        float times[21];
        curandGenerator_t generator;
        cudaEvent_t begin, end;

        CHECK(curandCreateGenerator(&generator, sobol ? CURAND_RNG_QUASI_SCRAMBLED_SOBOL32
                                                      : CURAND_RNG_PSEUDO_PHILOX4_32_10));
        if (sobol)
            CHECK(curandSetQuasiRandomGeneratorDimensions(generator, DATES));
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
        for (int r = 0; r < 21; r++) {
            CHECK(curandSetGeneratorOffset(generator, 0));
            CHECK(cudaMemset(sums, 0, sizeof host));
            CHECK(cudaEventRecord(begin));
            CHECK(curandGenerateNormal(generator, z, (size_t)DATES * n, 0, 1));
            payoffs<<<2048, 256>>>(n, z, 86.48f, 85, (rate - volatility * volatility / 2) * step,
                                   volatility * sqrtf(step), sums);
            CHECK(cudaEventRecord(end));
            CHECK(cudaEventSynchronize(end));
            CHECK(cudaEventElapsedTime(&times[r], begin, end));
        }
        std::sort(times, times + 21);
        CHECK(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
        printf("cuRAND %s: %d paths, European %.5f, Asian %.5f, %.1f us\n",
               sobol ? "scrambled Sobol" : "Philox", n, exp(-rate * years) * host[0] / n,
               exp(-rate * years) * host[1] / n, 1e3 * times[10]);
        CHECK(curandDestroyGenerator(generator));
    }
    return 0;
}
