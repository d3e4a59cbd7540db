/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: host threads launch and copy while another computes, and the kernel lacks a
 *     barrier
 * found by: racecheck
 * expect racecheck: race in kernel shift
 * expect racecheck: shared array tile
 */
#include "bug.h"

#include <pthread.h>

#define BLOCK 256

KERNEL(shift)(int by, int *y)
{
    FOR_EACH_BLOCK(BLOCK) {
        SHARED(int, tile, [BLOCK]);
        FOR_EACH_THREAD
            tile[threadIdx.x] = by + (int)threadIdx.x;
#if FIXED
        SYNC_THREADS();
#endif
        FOR_EACH_THREAD
            y[blockIdx.x * BLOCK + threadIdx.x] = tile[(threadIdx.x + 1) % BLOCK];
    }
}

static volatile int stop;
static int numbers[1024];

/* Called by all host threads; no kernel has these lines. */
static void *compute(void *unused)
{
    while (!stop)
        for (int i = 0; i < 1024; i++)
            numbers[i] += i;
    return unused;
}

static void *launch(void *by)
{
    for (int i = 0; i < 200; i++) {
        int out[4 * BLOCK], *y;

        ALLOCATE(y, 4 * BLOCK);
        ZERO(y, 4 * BLOCK);
        LAUNCH(shift, 4, BLOCK, 0, 0, *(int *)by, y);
        COPY_OUT(out, y);
        for (int k = 0; k < 4 * BLOCK; k++)
            EXPECT(out[k] == *(int *)by + (k + 1) % BLOCK);
        RELEASE(y);
    }
    return NULL;
}

int main(void)
{
    pthread_t computing[2], launching[3];
    int by[3] = {1, 2, 3};

    for (int i = 0; i < 2; i++)
        pthread_create(&computing[i], NULL, compute, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&launching[i], NULL, launch, &by[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(launching[i], NULL);
    stop = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(computing[i], NULL);
    return 0;
}
