/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a barrier follows the asynchronous copies of a tile, but no COPY_WAIT: the tile may not have
 *     arrived
 * found by: initcheck compare
 * expect initcheck: at tests/bugs/copy_without_wait.c:
 */
#include "bug.h"

KERNEL(reverse)(const float *x, float *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(float, tile, [64]);
        FOR_EACH_THREAD
            COPY_ASYNC(&tile[threadIdx.x], &x[threadIdx.x], sizeof *x);
        COPY_COMMIT();
#if FIXED
        COPY_WAIT(0);
#endif
        SYNC_THREADS();
        FOR_EACH_THREAD
            y[threadIdx.x] = tile[63 - threadIdx.x];
    }
}

int main(void)
{
    float host[64], *x, *y;

    for (int i = 0; i < 64; i++)
        host[i] = (float)i;
    PORTABLE_CHECK(portable_malloc(&x, sizeof host));
    PORTABLE_CHECK(portable_malloc(&y, sizeof host));
    PORTABLE_CHECK(portable_copy_to_device(x, host, sizeof host));
    PORTABLE_CHECK(KERNEL_LAUNCH(reverse, 1, 64, 0, 0, x, y));
    PORTABLE_CHECK(portable_copy_to_host(host, y, sizeof host));
    for (int i = 0; i < 64; i++)
        printf("%g\n", (double)host[i]);
    PORTABLE_CHECK(portable_free(x));
    PORTABLE_CHECK(portable_free(y));
    return 0;
}
