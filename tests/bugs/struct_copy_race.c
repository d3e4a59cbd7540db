/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: structures are copied to shared memory and read by other threads, with no barrier between
 * found by: racecheck
 * expect racecheck: race in kernel swap_halves
 * expect racecheck: of shared array bodies, with no barrier between them
 */
#include "bug.h"

#define N 128

struct body {
    int x, y, mass;
};

KERNEL(swap_halves)(const struct body *from, struct body *to)
{
    FOR_EACH_BLOCK(64) {
        SHARED(struct body, bodies, [64]);
        FOR_EACH_THREAD
            bodies[threadIdx.x] = from[blockIdx.x * 64 + threadIdx.x];
#if FIXED
        SYNC_THREADS();
#endif
        FOR_EACH_THREAD
            to[blockIdx.x * 64 + threadIdx.x] = bodies[threadIdx.x ^ 32];
    }
}

int main(void)
{
    struct body in[N], out[N], *from, *to;

    for (int i = 0; i < N; i++)
        in[i].x = in[i].y = in[i].mass = i;
    ALLOCATE(from, N);
    ALLOCATE(to, N);
    COPY_IN(from, in);
    LAUNCH(swap_halves, 2, 64, 0, 0, from, to);
    COPY_OUT(out, to);
    for (int i = 0; i < N; i++)
        EXPECT(out[i].x == (i ^ 32) && out[i].y == (i ^ 32) && out[i].mass == (i ^ 32));
    RELEASE(from);
    RELEASE(to);
    return 0;
}
