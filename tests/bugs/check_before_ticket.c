/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the check for room in a list is a plain read before the atomic that takes a slot
 * found by: racecheck
 * expect racecheck: race in kernel append
 */
#include "bug.h"

#define N 256
#define CAPACITY 100

KERNEL(append)(int *next, int *list)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
#if FIXED
            const int place = ATOMIC_ADD(next, 1);
            if (place < CAPACITY)
                list[place] = 7;
#else
            if (next[0] < CAPACITY)
                list[ATOMIC_ADD(next, 1)] = 7;
#endif
        }
    }
}

int main(void)
{
    int out[CAPACITY], *next, *list;

    ALLOCATE(next, 1);
    ALLOCATE(list, N);
    ZERO(next, 1);
    LAUNCH(append, N / 64, 64, 0, 0, next, list);
    COPY_OUT(out, list);
    for (int i = 0; i < CAPACITY; i++)
        EXPECT(out[i] == 7);
    RELEASE(next);
    RELEASE(list);
    return 0;
}
