/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/gdb/run.sh inspects this with the commands of host/project/gdb/portable.py: threads that
 * wait at a barrier of the block, and blocks that wait at one of the grid. It finds lines by their
 * comments. */
#include "portable.h"

#include <pthread.h> /* pthread_create, pthread_join */

enum { GRID = 3, BLOCK = 8, N = GRID * BLOCK };

DEVICE int plus(int a, int b)
{
    return a + b; /* in a function */
}

KERNEL(turned)(const int *x, int *y, half *h)
{
    FOR_EACH_BLOCK(8) {
        SHARED(int, tile, [8]);
        PRIVATE(int, mine);
        PRIVATE(int, pair, [2]);
        FOR_EACH_THREAD {
            const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
            MINE(mine) = 10 * i;
            MINE(pair)[0] = i;
            MINE(pair)[1] = -i;
            tile[threadIdx.x] = x[i]; /* before the barrier */
        }
        SYNC_THREADS(); /* the barrier */
        FOR_EACH_THREAD {
            const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
            const int other = tile[BLOCK - 1 - threadIdx.x];
            y[i] = plus(other, MINE(mine)) + MINE(pair)[0] + MINE(pair)[1]; /* after it */
            h[i] = float_to_half((float)i / 4);
        }
    }
}

KERNEL(summed)(const int *x, int *sums, int *total)
{
    FOR_EACH_BLOCK(8) {
        FOR_THREADS_BELOW(1) {
            int sum = 0;
            for (unsigned t = 0; t < BLOCK; t++)
                sum += x[blockIdx.x * BLOCK + t];
            sums[blockIdx.x] = sum;
        }
    }
    SYNC_GRID(); /* the grid's barrier */
    FOR_EACH_BLOCK(8) {
        FOR_THREADS_BELOW(1) {
            if (blockIdx.x == 1)
                *total = sums[0] + sums[1] + sums[2]; /* after the grid's */
        }
    }
}

static int *x, *y, *total;
static half *h;

static void *launch(void *nothing)
{
    PORTABLE_CHECK(KERNEL_LAUNCH(turned, GRID, BLOCK, 0, 0, x, y, h));
    return nothing;
}

/* With an argument, another OS thread launches. */
int main(int count, char **arguments)
{
    int host[N], sum = -1;
    pthread_t other;
    const bfloat16 b = float_to_bfloat16(-1.5f);

    for (int i = 0; i < N; i++)
        host[i] = i;
    PORTABLE_CHECK(portable_malloc(&x, sizeof host));
    PORTABLE_CHECK(portable_malloc(&y, sizeof host));
    PORTABLE_CHECK(portable_malloc(&h, N * sizeof *h));
    PORTABLE_CHECK(portable_malloc(&total, sizeof *total));
    PORTABLE_CHECK(portable_copy_to_device(x, host, sizeof host));
    (void)arguments;
    if (count < 2)
        launch(NULL);
    else if (pthread_create(&other, NULL, launch, NULL) != 0 || pthread_join(other, NULL) != 0)
        return EXIT_FAILURE;
    PORTABLE_CHECK(portable_copy_to_host(host, y, sizeof host)); /* in host code */
    PORTABLE_CHECK(KERNEL_LAUNCH_COOPERATIVE(summed, GRID, BLOCK, 0, 0, x, y, total));
    PORTABLE_CHECK(portable_copy_to_host(&sum, total, sizeof sum));
    PORTABLE_CHECK(portable_free(x));
    PORTABLE_CHECK(portable_free(y));
    PORTABLE_CHECK(portable_free(h));
    PORTABLE_CHECK(portable_free(total));
    for (int i = 0; i < N; i++) {
        const int t = i % BLOCK, turned = i - t + BLOCK - 1 - t;
        if (host[i] != turned + 10 * i)
            return EXIT_FAILURE;
    }
    if (sum != N * (N - 1) / 2 || bfloat16_to_float(b) != -1.5f)
        return EXIT_FAILURE;
    puts("all is right");
    return EXIT_SUCCESS;
}
