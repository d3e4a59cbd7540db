// SPDX-License-Identifier: BSD-3-Clause
// Seven kernels beside the loops of plain.c: the least milliseconds of each in one process.
//   kernels [LAUNCHES]   prints for each its name, the times of plain C, of OpenMP and of the
//                        kernel, and a hash of what the kernel leaves
#include "plain.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { N = 1 << 20, SIZE = 512, THREADS = 256, TILE = 16 };

__global__ void saxpy(int n, float a, const float *x, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + out[i];
}

__global__ void stencil(int n, const float *x, float *out)
{
    __shared__ float tile[THREADS + 2];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + 1;
    tile[at] = i < n ? x[i] : 0;
    if (threadIdx.x == 0) {
        tile[0] = i > 0 ? x[i - 1] : 0;
        tile[THREADS + 1] = i + THREADS < n ? x[i + THREADS] : 0;
    }
    __syncthreads();
    if (i < n)
        out[i] = tile[at - 1] + tile[at] + tile[at + 1];
}

__global__ void sum(int n, const float *x, float *out)
{
    __shared__ float sums[THREADS];
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += x[i];
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sums[0];
}

__global__ void product(int n, const float *a, const float *b, float *out)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int j = 0; j < TILE; j++)
            sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
        __syncthreads();
    }
    out[row * n + column] = sum;
}

__global__ void early(int n, const float *x, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 77 || x[i] < 0.3f)
        return;
    float re = 0, im = 0;
    int k = 0;
    for (; k < 64; k++) {
        const float next = re * re - im * im + x[i] * 2 - 1.5f;
        im = 2 * re * im + (x[i] - 0.5f);
        re = next;
        if (re * re + im * im > 4)
            break;
    }
    out[i] += k;
}

__global__ void histogram(int n, const unsigned *x, unsigned *out)
{
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[x[i] >> 24], 1u);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

__global__ void shuffles(int n, const float *x, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? x[i] : 0;
    for (int by = 16; by > 0; by /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, by);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, mine);
}

static float *x, *out;
static unsigned *bits;

static double milliseconds(void)
{
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// The least time of so many calls, which follow each other: threads that wait for work stay awake.
template <class Work> static double least(int calls, Work work)
{
    double best = 1e9;
    for (int k = 0; k < calls; k++) {
        const double start = milliseconds();
        work();
        best = std::min(best, milliseconds() - start);
    }
    return best;
}

template <class Plain, class Openmp, class Kernel>
static void compare(const char *name, int launches, Plain plain, Openmp openmp, Kernel kernel)
{
    const double by_plain = least(launches, plain), by_openmp = least(launches, openmp);
    const double by_kernel = least(launches, [=] {
        kernel();
        cudaDeviceSynchronize();
    });
    unsigned long long hash = 14695981039346656037ull;
    memset(out, 0, N * sizeof *out);
    kernel();
    cudaDeviceSynchronize();
    for (int k = 0; k < N; k++) {
        unsigned word;
        memcpy(&word, &out[k], sizeof word);
        hash = (hash ^ word) * 1099511628211ull;
    }
    printf("%s %.4f %.4f %.4f %016llx\n", name, by_plain, by_openmp, by_kernel, hash);
    fflush(stdout);
}

int main(int count, char **words)
{
    const int launches = count > 1 ? atoi(words[1]) : 40;
    unsigned seed = 12345;
    if (cudaMallocManaged(&x, N * sizeof *x) || cudaMallocManaged(&out, N * sizeof *out) ||
        cudaMallocManaged(&bits, N * sizeof *bits) || launches < 1)
        return EXIT_FAILURE;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (float)(seed >> 8) / (1 << 24);
        bits[i] = seed;
    }
    unsigned *const counts = (unsigned *)out;
    compare(
        "saxpy", launches, [] { plain_saxpy(N, 2, x, out); }, [] { openmp_saxpy(N, 2, x, out); },
        [] { saxpy<<<N / THREADS, THREADS>>>(N, 2, x, out); });
    compare(
        "stencil", launches, [] { plain_stencil(N, x, out); }, [] { openmp_stencil(N, x, out); },
        [] { stencil<<<N / THREADS, THREADS>>>(N, x, out); });
    compare(
        "sum", launches, [] { plain_sum(N, x, out); }, [] { openmp_sum(N, x, out); },
        [] { sum<<<64, THREADS>>>(N, x, out); });
    compare(
        "product", std::max(1, launches / 8), [] { plain_product(SIZE, x, x, out); },
        [] { openmp_product(SIZE, x, x, out); },
        [] { product<<<dim3(SIZE / TILE, SIZE / TILE), dim3(TILE, TILE)>>>(SIZE, x, x, out); });
    compare(
        "shuffles", launches, [] { plain_sum(N, x, out); }, [] { openmp_sum(N, x, out); },
        [] { shuffles<<<N / THREADS, THREADS>>>(N, x, out); });
    compare(
        "early", std::max(1, launches / 8), [] { plain_early(N, x, out); },
        [] { openmp_early(N, x, out); }, [] { early<<<N / THREADS, THREADS>>>(N, x, out); });
    compare(
        "histogram", launches, [=] { plain_histogram(N, bits, counts); },
        [=] { openmp_histogram(N, bits, counts); },
        [=] { histogram<<<64, THREADS>>>(N, bits, counts); });
    return 0;
}
