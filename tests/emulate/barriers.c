/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the cost of a barrier on the emulate target, per thread; see tests/emulate/cost.sh. With
 * the threads of a block and the number of barriers as arguments, runs one launch, for valgrind to
 * count. Without, prints the threads of a block and the nanoseconds of CPU time for each size. */
#include "portable.h"

/* The number of barriers that count as one. */
#ifndef MEETS
#define MEETS 1
#endif

enum { REPEATS = 3 };

__global__ void meets(unsigned turns, unsigned *out)
{
    for (unsigned turn = 0; turn < turns; turn++)
        for (int k = 0; k < MEETS; k++)
            __syncthreads();
    out[threadIdx.x] = turns;
}

/* CPU time, which other programs on the machine do not affect. */
static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

int main(int count, char **arguments)
{
    unsigned *out;

    PORTABLE_CHECK(portable_malloc(&out, 1024 * sizeof *out));
    if (count == 3)
        PORTABLE_CHECK(KERNEL_LAUNCH(meets, 1, (unsigned)atoi(arguments[1]), 0, 0,
                                     (unsigned)atoi(arguments[2]), out));
    for (unsigned threads = 32; count < 3 && threads <= 1024; threads *= 2) {
        const unsigned turns = (1 << 20) / threads;
        double best = 1e9;

        for (int k = 0; k < REPEATS; k++) {
            const double start = seconds();

            PORTABLE_CHECK(KERNEL_LAUNCH(meets, 1, threads, 0, 0, turns, out));
            const double took = seconds() - start;
            best = took < best ? took : best;
        }
        printf("%u %.1f\n", threads, best * 1e9 / ((double)turns * threads));
    }
    PORTABLE_CHECK(portable_free(out));
    return EXIT_SUCCESS;
}
