/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a pipeline copies the next tile ahead and then waits for all groups but one less than it
 *     should: the tile that it reads may not have arrived
 * found by: initcheck compare
 * expect initcheck: at tests/bugs/copy_waits_for_too_few.c:
 */
#include "bug.h"

enum { TILES = 4 };

#if FIXED
#define WAIT COPY_WAIT(1)
#else
#define WAIT COPY_WAIT(2)
#endif

KERNEL(add_tiles)(const float *x, float *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(float, tiles, [3][64]);
        for (int ahead = 0; ahead < 2; ahead++) {
            FOR_EACH_THREAD
                COPY_ASYNC(&tiles[ahead][threadIdx.x], &x[ahead * 64 + (int)threadIdx.x], 4);
            COPY_COMMIT();
        }
        for (int t = 0; t < TILES; t++) {
            WAIT;
            SYNC_THREADS();
            FOR_EACH_THREAD {
                const int next = (t + 2) * 64 + (int)threadIdx.x;
                COPY_ASYNC_IF(t + 2 < TILES, &tiles[(t + 2) % 3][threadIdx.x], &x[next], 4);
            }
            COPY_COMMIT();
            FOR_EACH_THREAD
                y[threadIdx.x] += tiles[t % 3][63 - threadIdx.x];
        }
    }
}

int main(void)
{
    float host[64 * TILES], *x, *y;

    for (int i = 0; i < 64 * TILES; i++)
        host[i] = (float)i;
    PORTABLE_CHECK(portable_malloc(&x, sizeof host));
    PORTABLE_CHECK(portable_malloc(&y, 64 * sizeof *y));
    PORTABLE_CHECK(portable_copy_to_device(x, host, sizeof host));
    PORTABLE_CHECK(portable_memset(y, 0, 64 * sizeof *y));
    PORTABLE_CHECK(KERNEL_LAUNCH(add_tiles, 1, 64, 0, 0, x, y));
    PORTABLE_CHECK(portable_copy_to_host(host, y, 64 * sizeof *y));
    for (int i = 0; i < 64; i++)
        printf("%g\n", (double)host[i]);
    PORTABLE_CHECK(portable_free(x));
    PORTABLE_CHECK(portable_free(y));
    return 0;
}
