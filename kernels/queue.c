/* SPDX-License-Identifier: BSD-3-Clause */
/* Work taken from a queue in an unspecified order, with results that do not depend on it. */
#include "portable.h"

/* Every element claims a slot of a ring of `capacity` slots: ATOMIC_INC moves the ring's pointer,
 * which each block keeps in shared memory for its own elements, and wraps it at the end. Which
 * element gets which slot is unspecified; how often each slot is claimed is not.
 * marks: n; claims: capacity counts per block of the grid, 0 at first */
KERNEL(queue_claim)(int n, unsigned capacity, const int *RESTRICT marks, unsigned *RESTRICT claims)
{
    FOR_EACH_BLOCK(0) {
        SHARED(unsigned, next, [1]);
        FOR_THREADS_BELOW(1)
            next[0] = 0;
        SYNC_THREADS();
        FOR_EACH_ELEMENT(i, n) {
            if (marks[i] != 0) {
                const unsigned slot = ATOMIC_INC(&next[0], capacity - 1);
                ATOMIC_ADD(&claims[blockIdx.x * capacity + slot], 1u);
            }
        }
    }
}

/* The number of steps of the Collatz iteration from `start` to 1: an item's uneven cost. */
DEVICE int collatz_steps(unsigned long long start)
{
    int steps = 0;
    while (start > 1) {
        start = start % 2 == 0 ? start / 2 : 3 * start + 1;
        steps++;
    }
    return steps;
}

/* Persistent threads: as many blocks as fit on the device fetch items until none is left. An item
 * is a block's worth of starts; one thread fetches its index, and the block reads it from shared
 * memory, between two barriers: the second keeps the next fetch from overtaking a reader.
 * queue: 1 element, 0 at first; steps: n elements */
KERNEL(persistent_threads)(int n, unsigned *RESTRICT queue, int *RESTRICT steps)
{
    FOR_EACH_BLOCK(0) {
        SHARED(unsigned, fetched, [1]);
        const unsigned items = ((unsigned)n + blockDim.x - 1) / blockDim.x;
        for (;;) {
            FOR_THREADS_BELOW(1)
                fetched[0] = ATOMIC_ADD(queue, 1u);
            SYNC_THREADS();
            const unsigned item = fetched[0];
            SYNC_THREADS();
            if (item >= items)
                break;
            FOR_EACH_THREAD {
                const unsigned i = item * blockDim.x + threadIdx.x;
                if (i < (unsigned)n)
                    steps[i] = collatz_steps((unsigned long long)i + 1);
            }
        }
    }
}
