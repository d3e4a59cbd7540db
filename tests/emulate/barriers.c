/* SPDX-License-Identifier: BSD-3-Clause */
/* barriers THREADS BARRIERS: one launch, for tests/emulate/cost.sh to count its instructions. */
#include "portable.h"

/* The number of barriers that count as one. */
#ifndef MEETS
#define MEETS 1
#endif

__global__ void meets(unsigned turns, unsigned *out)
{
    for (unsigned turn = 0; turn < turns; turn++)
        for (int k = 0; k < MEETS; k++)
            __syncthreads();
    out[threadIdx.x] = turns;
}

int main(int count, char **arguments)
{
    unsigned *out;

    if (count != 3)
        return EXIT_FAILURE;
    PORTABLE_CHECK(portable_malloc(&out, 1024 * sizeof *out));
    PORTABLE_CHECK(KERNEL_LAUNCH(meets, 1, (unsigned)atoi(arguments[1]), 0, 0,
                                 (unsigned)atoi(arguments[2]), out));
    PORTABLE_CHECK(portable_free(out));
    return EXIT_SUCCESS;
}
