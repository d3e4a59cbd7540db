/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: two threads write one element of a shared array whose values are never read: a compiler may
 *     remove such writes, but a tool must still see them
 * found by: racecheck
 * expect racecheck: race in kernel element
 * expect racecheck: of shared array only_written, with no barrier between them
 * expect racecheck: race in kernel local_sum
 * expect racecheck: of shared array sums, with no barrier between them
 * expect racecheck: race in kernel member
 * expect racecheck: of shared array pairs, with no barrier between them
 * expect racecheck: race in kernel fill
 * expect racecheck: of shared array filled, with no barrier between them
 * expect racecheck: race in kernel copy
 * expect racecheck: of shared array copied, with no barrier between them
 * expect racecheck: race in kernel overwritten
 * expect racecheck: of shared array twice, with no barrier between them
 * expect racecheck: race in kernel by_function
 * expect racecheck: of shared array by_pointer, with no barrier between them
 */
#include "bug.h"

#include <string.h> /* memcpy, memset */

#if FIXED
#define OWN(i) (i)
#else
#define OWN(i) ((i) / 2)
#endif

struct pair {
    int a, b;
};

KERNEL(element)(const int *x)
{
    SHARED(int, only_written, [64]);
    only_written[OWN(threadIdx.x)] = x[threadIdx.x];
}

/* The sum is in a shared array where a variable would be enough. */
KERNEL(local_sum)(const int *x)
{
    SHARED(int, sums, [64]);
    sums[OWN(threadIdx.x)] = 0;
    for (int k = 0; k < 4; k++)
        sums[OWN(threadIdx.x)] += x[k];
}

KERNEL(member)(const int *x)
{
    SHARED(struct pair, pairs, [64]);
    pairs[OWN(threadIdx.x)].b = x[threadIdx.x];
}

KERNEL(fill)(void)
{
    SHARED(int, filled, [64]);
    memset(&filled[OWN(threadIdx.x)], 0, sizeof filled[0]);
}

KERNEL(copy)(const struct pair *x)
{
    SHARED(struct pair, copied, [64]);
    copied[OWN(threadIdx.x)] = x[threadIdx.x / 2];
}

/* The first write is the race; the second, after the barrier, overwrites it. */
KERNEL(overwritten)(const int *x, int *y)
{
    SHARED(int, twice, [64]);
    twice[OWN(threadIdx.x)] = x[threadIdx.x];
    SYNC_THREADS();
    twice[threadIdx.x] = x[threadIdx.x] + 1;
    y[threadIdx.x] = twice[threadIdx.x];
}

DEVICE void put(int *place, int value)
{
    *place = value;
}

KERNEL(by_function)(const int *x)
{
    SHARED(int, by_pointer, [64]);
    put(&by_pointer[OWN(threadIdx.x)], x[threadIdx.x]);
}

int main(void)
{
    int in[64], out[64], *x, *y;

    count_up(in, 64);
    ALLOCATE(x, 64);
    ALLOCATE(y, 64);
    COPY_IN(x, in);
    LAUNCH(element, 1, 64, 0, 0, x);
    LAUNCH(local_sum, 1, 64, 0, 0, x);
    LAUNCH(member, 1, 64, 0, 0, x);
    LAUNCH(fill, 1, 64, 0, 0);
    LAUNCH(copy, 1, 64, 0, 0, (const struct pair *)x);
    LAUNCH(overwritten, 1, 64, 0, 0, x, y);
    LAUNCH(by_function, 1, 64, 0, 0, x);
    COPY_OUT(out, y);
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == i + 1);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
