/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one member of each structure is read: sectors are full of the others
 * found by: accesscheck
 * limits: sectors=2
 * expect accesscheck: excessive sectors in kernel add_masses: the global load at
 * expect accesscheck: moves 4.00 times the ideal number of sectors; the limit is 2
 * reason: no access is invalid: it is slow
 */
#include "bug.h"

#define N 128

struct body {
    float x, y, z, mass;
};
struct bodies {
    float x[N], y[N], z[N], mass[N];
};
#if FIXED
#define BODIES struct bodies
#define MASS(p, i) (p)->mass[i]
#else
#define BODIES struct body
#define MASS(p, i) (p)[i].mass
#endif

KERNEL(add_masses)(const BODIES *p, float *sums)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = sums[i] + MASS(p, i);
}

int main(void)
{
    static struct body in[N];
    BODIES *p;
    float out[N], *sums;

    for (int i = 0; i < N; i++)
        MASS((BODIES *)(void *)in, i) = (float)i;
    PORTABLE_CHECK(portable_malloc(&p, sizeof in));
    PORTABLE_CHECK(portable_copy_to_device(p, in, sizeof in));
    ALLOCATE(sums, N);
    ZERO(sums, N);
    LAUNCH(add_masses, N / 64, 64, 0, 0, p, sums);
    COPY_OUT(out, sums);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (float)i);
    RELEASE(p);
    RELEASE(sums);
    return 0;
}
