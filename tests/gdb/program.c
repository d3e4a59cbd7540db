/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/gdb/run.sh stops in this kernel: 4 blocks of 8 threads, each of which stores the square of
 * its index in the grid. */
#include "portable.h"

enum { GRID = 4, BLOCK = 8 };

KERNEL(square)(int *squares)
{
    FOR_EACH_BLOCK(8) {
        FOR_EACH_THREAD {
            const int number = (int)(blockIdx.x * blockDim.x + threadIdx.x);
            squares[number] = number * number; /* the breakpoint is here */
        }
    }
}

int main(void)
{
    int squares[GRID * BLOCK], *device;

    PORTABLE_CHECK(portable_malloc(&device, sizeof squares));
    PORTABLE_CHECK(KERNEL_LAUNCH(square, GRID, BLOCK, 0, 0, device));
    PORTABLE_CHECK(portable_copy_to_host(squares, device, sizeof squares));
    PORTABLE_CHECK(portable_free(device));
    for (int k = 0; k < GRID * BLOCK; k++)
        if (squares[k] != k * k)
            return EXIT_FAILURE;
    puts("all squares are right");
    return EXIT_SUCCESS;
}
