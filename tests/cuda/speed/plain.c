/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops that kernels.cu is measured against. -fopenmp -DPREFIX=openmp compiles them for all
 * cores, -DPREFIX=plain for one.
 */
#include "plain.h"

#include <string.h>

#define PASTE(prefix, name) prefix##_##name
#define NAME(prefix, name) PASTE(prefix, name)
#define LOOP(name) NAME(PREFIX, name)

void LOOP(saxpy)(int n, float a, const float *restrict x, float *restrict out)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] += a * x[i];
}

void LOOP(stencil)(int n, const float *restrict x, float *restrict out)
{
    out[0] = x[0] + x[1];
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        out[i] = x[i - 1] + x[i] + x[i + 1];
    out[n - 1] = x[n - 2] + x[n - 1];
}

/* In as many partial sums as vectorise: one sum of floats has one order. */
void LOOP(sum)(int n, const float *restrict x, float *restrict out)
{
    enum { PARTS = 32 };
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int block = 0; block < n; block += 4096) {
        float parts[PARTS] = {0};
        for (int i = block; i < block + 4096; i += PARTS)
            for (int k = 0; k < PARTS; k++)
                parts[k] += x[i + k];
        for (int k = 0; k < PARTS; k++)
            sum += parts[k];
    }
    *out += sum;
}

void LOOP(product)(int n, const float *restrict a, const float *restrict b, float *restrict out)
{
#pragma omp parallel for
    for (int row = 0; row < n; row++) {
        float *const to = out + (size_t)row * n;
        memset(to, 0, (size_t)n * sizeof *to);
        for (int k = 0; k < n; k++)
            for (int column = 0; column < n; column++)
                to[column] += a[(size_t)row * n + k] * b[(size_t)k * n + column];
    }
}

void LOOP(early)(int n, const float *restrict x, float *restrict out)
{
#pragma omp parallel for schedule(dynamic, 4096)
    for (int i = 0; i < n - 77; i++) {
        float re = 0, im = 0;
        int k = 0;
        if (x[i] < 0.3f)
            continue;
        for (; k < 64; k++) {
            const float next = re * re - im * im + x[i] * 2 - 1.5f;
            im = 2 * re * im + (x[i] - 0.5f);
            re = next;
            if (re * re + im * im > 4)
                break;
        }
        out[i] += (float)k;
    }
}

void LOOP(histogram)(int n, const unsigned *restrict x, unsigned *restrict out)
{
#pragma omp parallel
    {
        unsigned bins[256] = {0};
#pragma omp for
        for (int i = 0; i < n; i++)
            bins[x[i] >> 24]++;
#pragma omp critical
        for (int k = 0; k < 256; k++)
            out[k] += bins[k];
    }
}
