/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: functions that return and take structures by value, small ones in registers and large ones
 *     in memory, store into shared memory and read from there, with no barrier between
 * found by: racecheck
 * expect racecheck: race in kernel exchange_small
 * expect racecheck: race in kernel exchange_large
 * expect racecheck: a read by block (0, 0, 0), thread (31, 0, 0)
 * expect racecheck: of shared array small, with no barrier between them
 * expect racecheck: of shared array large, with no barrier between them
 * expect racecheck: race in kernel store_twice
 * expect racecheck: 8 bytes at byte 0 of device array to
 */
#include "bug.h"

#define N 64

struct pair {
    int a, b;
};
struct row {
    int x[6];
};

static __device__ struct pair pair_of(int i)
{
    struct pair p = {i, 2 * i};

    return p;
}

static __device__ struct row row_of(int i)
{
    struct row r;

    for (int k = 0; k < 6; k++)
        r.x[k] = k * i;
    return r;
}

static __device__ int sum_of_pair(struct pair p)
{
    return p.a + p.b;
}

static __device__ int sum_of_row(struct row r)
{
    int sum = 0;

    for (int k = 0; k < 6; k++)
        sum += r.x[k];
    return sum;
}

KERNEL(exchange_small)(int *sums)
{
    FOR_EACH_BLOCK(64) {
        SHARED(struct pair, small, [64]);
        FOR_EACH_THREAD
            small[threadIdx.x] = pair_of((int)threadIdx.x);
#if FIXED
        SYNC_THREADS();
#endif
        FOR_EACH_THREAD
            sums[threadIdx.x] = sum_of_pair(small[63 - threadIdx.x]) + small[63 - threadIdx.x].a;
    }
}

KERNEL(exchange_large)(int *sums)
{
    FOR_EACH_BLOCK(64) {
        SHARED(struct row, large, [64]);
        FOR_EACH_THREAD
            large[threadIdx.x] = row_of((int)threadIdx.x);
#if FIXED
        SYNC_THREADS();
#endif
        FOR_EACH_THREAD
            sums[threadIdx.x] = sum_of_row(large[63 - threadIdx.x]) + large[63 - threadIdx.x].x[1];
    }
}

KERNEL(store_twice)(struct pair *to)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD
            to[FIXED ? threadIdx.x : threadIdx.x / 2] = pair_of((int)threadIdx.x);
    }
}

int main(void)
{
    int small[N], large[N], *sums;
    struct pair out[N], *to;

    ALLOCATE(sums, N);
    ALLOCATE(to, N);
    LAUNCH(exchange_small, 1, 64, 0, 0, sums);
    COPY_OUT(small, sums);
    LAUNCH(exchange_large, 1, 64, 0, 0, sums);
    COPY_OUT(large, sums);
    LAUNCH(store_twice, 1, 64, 0, 0, to);
#if FIXED
    COPY_OUT(out, to);
    for (int i = 0; i < N; i++) {
        EXPECT(small[i] == 4 * (63 - i));
        EXPECT(large[i] == 16 * (63 - i));
        EXPECT(out[i].a == i && out[i].b == 2 * i);
    }
#else
    (void)out;
#endif
    RELEASE(sums);
    RELEASE(to);
    return 0;
}
