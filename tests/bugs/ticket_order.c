/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: positions in a list are taken from an atomic counter, in whatever order the threads run
 * found by: order ordercheck
 * expect ordercheck: so that the result is a ticket
 * proven: sums of integers commute
 * reason: no access is invalid: only the order of the list varies
 */
#include "bug.h"

#define N 128

KERNEL(odd_numbers)(const int *x, int *count, int *list)
{
    FOR_EACH_BLOCK(64) {
#if FIXED
        PRIVATE(int, place);
        FOR_EACH_THREAD
            MINE(place) = x[blockIdx.x * 64 + threadIdx.x] % 2;
        BLOCK_SCAN_ADD_EXCLUSIVE(place, place);
#endif
        FOR_EACH_THREAD {
            const int value = x[blockIdx.x * 64 + threadIdx.x];
            if (value % 2 != 0) {
                const int ticket = ATOMIC_ADD(&count[blockIdx.x], 1);
#if FIXED
                list[(int)blockIdx.x * 32 + MINE(place)] = value;
                (void)ticket;
#else
                list[(int)blockIdx.x * 32 + ticket] = value;
#endif
            }
        }
    }
}

int main(void)
{
    int in[N], out[N / 2], *x, *count, *list;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(count, N / 64);
    ALLOCATE(list, N / 2);
    ZERO(count, N / 64);
    COPY_IN(x, in);
    LAUNCH(odd_numbers, N / 64, 64, 0, 0, x, count, list);
    COPY_OUT(out, list);
    print_ints(out, N / 2);
    RELEASE(x);
    RELEASE(count);
    RELEASE(list);
    return 0;
}
