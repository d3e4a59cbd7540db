/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one member of each structure is never written
 * found by: initcheck
 * expect initcheck: copy to the host of uninitialised memory: 4 bytes from byte 8
 */
#include "bug.h"

#define N 128

struct body {
    int x, y, mass;
};

KERNEL(place)(int n, struct body *bodies)
{
    GRID_STRIDE_LOOP(i, n) {
        bodies[i].x = i;
        bodies[i].y = -i;
#if FIXED
        bodies[i].mass = 1;
#endif
    }
}

int main(void)
{
    struct body out[N], *bodies;

    ALLOCATE(bodies, N);
    LAUNCH(place, 2, 64, 0, 0, N, bodies);
    COPY_OUT(out, bodies);
    for (int i = 0; i < N; i++)
        EXPECT(out[i].x == i && out[i].y == -i && out[i].mass == 1);
    RELEASE(bodies);
    return 0;
}
