/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a KERNEL_LAUNCH of an empty kernel costs the host beside <<<>>>, and beside <<<>>> with the
 * check that every launch should have, cudaGetLastError.
 *
 *     overhead            exit status 1 if a KERNEL_LAUNCH takes over 3% longer than <<<>>>
 *     overhead careless   must exit with 1: each KERNEL_LAUNCH also asks for the kernel's
 *                         attributes
 *
 * Issue: the time of one of 200 launches in a row; the queue of a stream holds more, so that the
 * host never waits for the device. With wait: one launch and cudaStreamSynchronize. The ways take
 * turns in each round, each first equally often; a ratio is the median of the rounds' ratios. Other
 * programs can only make a measurement worse, so one that exceeds the bound is repeated.
 */
#include "portable.h"

#include <stdio.h>  /* printf */
#include <stdlib.h> /* qsort */
#include <string.h> /* strcmp */
#include <time.h>   /* clock_gettime */

#define MOST_RATIO 1.03
enum { LAUNCHES = 200, ISSUES = 501, WAITS = 5001, ATTEMPTS = 5 };

KERNEL(nothing)(int n, const float *x, float *y)
{
    (void)n;
    (void)x;
    (void)y;
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The ways: `count` launches each, and 0 or a number that is not. */
static int by_cuda(int count)
{
    for (int k = 0; k < count; k++)
        nothing<<<1, 32, 0, 0>>>(k, NULL, NULL);
    return 0;
}

static int by_cuda_checked(int count)
{
    int failed = 0;

    for (int k = 0; k < count; k++) {
        nothing<<<1, 32, 0, 0>>>(k, NULL, NULL);
        failed |= cudaGetLastError() != cudaSuccess;
    }
    return failed;
}

static int by_kernel_launch(int count)
{
    int failed = 0;

    for (int k = 0; k < count; k++)
        failed |= KERNEL_LAUNCH(nothing, 1, 32, 0, 0, k, NULL, NULL) != PORTABLE_SUCCESS;
    return failed;
}

static int by_careless_launch(int count)
{
    int failed = 0;

    for (int k = 0; k < count; k++) {
        cudaFuncAttributes attributes;

        failed |= cudaFuncGetAttributes(&attributes, nothing) != cudaSuccess;
        failed |= KERNEL_LAUNCH(nothing, 1, 32, 0, 0, k, NULL, NULL) != PORTABLE_SUCCESS;
    }
    return failed;
}

static int by_kernel_launch_auto(int count)
{
    int failed = 0;

    for (int k = 0; k < count; k++)
        failed |= KERNEL_LAUNCH_AUTO(nothing, 32, k, NULL, NULL) != PORTABLE_SUCCESS;
    return failed;
}

struct way {
    const char *name;
    int (*launch)(int count);
};
enum { WAYS = 4, PLAIN = 0, JUDGED = 2 };

static int rising(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, rising);
    return values[count / 2];
}

/* Times `rounds` turns of all ways, `launches` in each. Sets the median seconds of one launch and
 * its ratio to <<<>>>. Returns 0, or 1 after a failure. */
static int measure(const struct way *ways, int rounds, int launches, int waits, double *seconds,
                   double *ratios)
{
    static double samples[WAYS][WAITS], quotients[WAITS];
    int failed = 0;

    for (int round = -20; round < rounds; round++)
        for (int turn = 0; turn < WAYS; turn++) {
            const int w = (turn + round + 20) % WAYS;

            failed |= cudaDeviceSynchronize() != cudaSuccess;
            const double start = now();
            failed |= ways[w].launch(launches);
            if (waits)
                failed |= cudaStreamSynchronize(0) != cudaSuccess;
            samples[w][round < 0 ? 0 : round] = (now() - start) / launches;
        }
    for (int w = 0; w < WAYS; w++) {
        for (int round = 0; round < rounds; round++)
            quotients[round] = samples[w][round] / samples[PLAIN][round];
        ratios[w] = median(quotients, rounds);
    }
    for (int w = 0; w < WAYS; w++)
        seconds[w] = median(samples[w], rounds);
    return failed;
}

/* Returns 1 after a failure; the ratios of the judged way are in `judged`. */
static int attempt(const struct way *ways, double *judged)
{
    double issue[WAYS], issue_ratio[WAYS], wait[WAYS], wait_ratio[WAYS];
    const int failed = measure(ways, ISSUES, LAUNCHES, 0, issue, issue_ratio) ||
                       measure(ways, WAITS, 1, 1, wait, wait_ratio);

    printf("%-28s %10s %7s %12s %7s\n", "an empty kernel", "issue us", "ratio", "with wait us",
           "ratio");
    for (int w = 0; w < WAYS; w++)
        printf("%-28s %10.3f %7.3f %12.3f %7.3f\n", ways[w].name, 1e6 * issue[w], issue_ratio[w],
               1e6 * wait[w], wait_ratio[w]);
    judged[0] = issue_ratio[JUDGED];
    judged[1] = wait_ratio[JUDGED];
    return failed;
}

int main(int count, char **arguments)
{
    const int careless = count > 1 && strcmp(arguments[1], "careless") == 0;
    const struct way ways[WAYS] = {
        {"<<<>>>", by_cuda},
        {"<<<>>>, cudaGetLastError", by_cuda_checked},
        {careless ? "careless" : "KERNEL_LAUNCH", careless ? by_careless_launch : by_kernel_launch},
        {"KERNEL_LAUNCH_AUTO", by_kernel_launch_auto},
    };
    double judged[2] = {0, 0};

    for (int k = 0; k < ATTEMPTS; k++) {
        if (attempt(ways, judged) != 0) {
            fprintf(stderr, "overhead: a launch failed: %s\n",
                    cudaGetErrorString(cudaGetLastError()));
            return 2;
        }
        if (judged[0] <= MOST_RATIO && judged[1] <= MOST_RATIO) {
            printf("ok: within %.0f%% of <<<>>>\n", 100 * (MOST_RATIO - 1));
            return 0;
        }
    }
    printf("more than %.0f%% over <<<>>>, %d times\n", 100 * (MOST_RATIO - 1), (int)ATTEMPTS);
    return 1;
}
