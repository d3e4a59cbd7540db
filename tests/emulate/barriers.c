/* SPDX-License-Identifier: BSD-3-Clause */
/* What a barrier costs on the emulate target, per thread: tests/emulate/cost.sh says why. Prints the
 * threads of a block and the nanoseconds, a line for each size. */
#include "portable.h"

enum { REPEATS = 9 };

__global__ void meets(unsigned turns, unsigned *out)
{
    for (unsigned turn = 0; turn < turns; turn++)
        __syncthreads();
    out[threadIdx.x] = turns;
}

static double seconds(void)
{
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int main(void)
{
    unsigned *out;

    PORTABLE_CHECK(portable_malloc(&out, 1024 * sizeof *out));
    for (unsigned threads = 32; threads <= 1024; threads *= 2) {
        const unsigned turns = (1 << 20) / threads;
        double times[REPEATS];

        for (int k = 0; k < REPEATS; k++) {
            const double start = seconds();

            PORTABLE_CHECK(KERNEL_LAUNCH(meets, 1, threads, 0, 0, turns, out));
            times[k] = seconds() - start;
        }
        qsort(times, REPEATS, sizeof *times, compare);
        printf("%u %.1f\n", threads, times[REPEATS / 2] * 1e9 / ((double)turns * threads));
    }
    PORTABLE_CHECK(portable_free(out));
    return EXIT_SUCCESS;
}
