/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a block fetches items through one shared value, and the next fetch may overtake a reader
 * found by: racecheck
 * expect racecheck: race in kernel persistent
 * expect racecheck: of shared array fetched, with no barrier between them
 */
#include "bug.h"

#define ITEMS 7u

KERNEL(persistent)(unsigned items, unsigned *queue, int *done)
{
    FOR_EACH_BLOCK(64) {
        SHARED(unsigned, fetched, [1]);
        for (;;) {
            FOR_THREADS_BELOW(1)
                fetched[0] = ATOMIC_ADD(queue, 1u);
            SYNC_THREADS();
            const unsigned item = fetched[0];
#if FIXED
            SYNC_THREADS();
#endif
            if (item >= items)
                break;
            FOR_EACH_THREAD
                done[item * 64 + threadIdx.x] = (int)item;
        }
    }
}

int main(void)
{
    int out[ITEMS * 64], *done;
    unsigned *queue;

    ALLOCATE(queue, 1);
    ALLOCATE(done, ITEMS * 64);
    ZERO(queue, 1);
    LAUNCH(persistent, 2, 64, 0, 0, ITEMS, queue, done);
    COPY_OUT(out, done);
    for (int i = 0; i < (int)ITEMS * 64; i++)
        EXPECT(out[i] == i / 64);
    RELEASE(queue);
    RELEASE(done);
    return 0;
}
