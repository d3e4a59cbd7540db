/* SPDX-License-Identifier: BSD-3-Clause */
/* misuse NAME: makes the mistakes of that name and prints the header's messages about them, for
 * docs/kernel-language.md to quote. */
#include "portable.h"

#include <string.h> /* strcmp */

static float *device, *more;
static float host[64];

KERNEL(line)(int n, float *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = 1;
}

KERNEL_LAUNCH_BOUNDS(smooth, 128, 2)(int n, const float *x, float *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = 0.5f * (x[i] + y[i]);
}

#ifndef __CUDACC__ /* nvcc refuses the loop in the DEVICE function */
DEVICE void clear(int n, float *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = 0;
}

KERNEL(k)(int n, float *y)
{
    FOR_EACH_BLOCK(0)
        FOR_EACH_THREAD
            clear(n, y);
}
#endif

KERNEL(leave)(int n, float *y)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            if ((int)threadIdx.x == n)
                return;
            y[threadIdx.x] = 2;
        }
    }
}

KERNEL(leave_loop)(int n, float *y)
{
    GRID_STRIDE_LOOP(i, n) {
        if (i == 5)
            break;
        y[i] = 3;
    }
}

KERNEL(el)(int n, float *y)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_ELEMENT(i, n)
            y[i] = 4;
    }
}

KERNEL(dyn)(float *y)
{
    FOR_EACH_BLOCK(0) {
        SHARED_DYNAMIC(float, cache);
        FOR_EACH_THREAD
            cache[threadIdx.x] = 5;
        FOR_EACH_THREAD
            y[threadIdx.x] = cache[threadIdx.x];
    }
}

KERNEL(copy_from)(const float *x, float *y)
{
    FOR_EACH_BLOCK(4) {
        ALIGNED(16) SHARED(float, tile, [20]);
        FOR_EACH_THREAD
            COPY_ASYNC(&tile[4 * threadIdx.x], &x[4 * threadIdx.x + 1], 16);
        COPY_COMMIT();
        COPY_WAIT(0);
        FOR_EACH_THREAD
            y[threadIdx.x] = tile[4 * threadIdx.x];
    }
}

KERNEL(syncs)(float *y)
{
    FOR_EACH_BLOCK(0)
        FOR_EACH_THREAD
            y[threadIdx.x] = 6;
    SYNC_GRID();
    FOR_EACH_BLOCK(0)
        FOR_EACH_THREAD
            y[threadIdx.x] += 1;
}

CONSTANT(float, w, [4]);

/* Prints the error of a wrong call. */
static void say(portable_status status)
{
    if (status == PORTABLE_SUCCESS)
        status = portable_synchronize();
    puts(status == PORTABLE_SUCCESS ? "nothing was said" : portable_last_message());
    (void)portable_last_error();
}

static void say_launches(void)
{
    say(KERNEL_LAUNCH(line, 0, 256, 0, 0, 64, device));
    say(KERNEL_LAUNCH(line, 1, 2048, 0, 0, 64, device));
    say(KERNEL_LAUNCH(line, 1, DIM3(32, 33, 1), 0, 0, 64, device));
    say(KERNEL_LAUNCH(line, 2147483648u, 256, 0, 0, 64, device));
    say(KERNEL_LAUNCH(line, 4194304, 1024, 0, 0, 64, device));
    say(KERNEL_LAUNCH(line, 1, 256, 65536, 0, 64, device));
}

static void say_memory(void)
{
    say(portable_copy_to_device(host, host, sizeof host));
    say(portable_copy_to_host(device, device, sizeof host));
    say(portable_copy_to_device(device + 32, host, sizeof host));
    say(portable_free(device + 1));
    say(portable_copy_to_constant(w, host, sizeof host));
}

static void say_array(void)
{
    portable_array v;

    PORTABLE_CHECK(portable_array_create(&v, 64, sizeof(float)));
    if (!portable_array_read_device(&v))
        say(portable_last_error());
    PORTABLE_CHECK(portable_array_destroy(&v));
}

int main(int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : "";

    PORTABLE_CHECK(portable_malloc(&device, sizeof host));
    PORTABLE_CHECK(portable_malloc(&more, sizeof host));
    PORTABLE_CHECK(portable_memset(device, 0, sizeof host));
    if (strcmp(name, "KERNEL_LAUNCH_BOUNDS") == 0)
        say(KERNEL_LAUNCH(smooth, 1, 256, 0, 0, 64, device, more));
#ifndef __CUDACC__
    else if (strcmp(name, "DEVICE") == 0)
        say(KERNEL_LAUNCH(k, 1, 64, 0, 0, 64, device));
#endif
    else if (strcmp(name, "FOR_EACH_BLOCK") == 0)
        say(KERNEL_LAUNCH(leave, 1, 32, 0, 0, 64, device));
    else if (strcmp(name, "FOR_EACH_ELEMENT") == 0)
        say(KERNEL_LAUNCH(el, DIM3(1, 2, 1), 4, 0, 0, 64, device));
    else if (strcmp(name, "GRID_STRIDE_LOOP") == 0)
        say(KERNEL_LAUNCH(leave_loop, 1, 64, 0, 0, 64, device));
    else if (strcmp(name, "return") == 0)
        say(KERNEL_LAUNCH(leave, 1, 64, 0, 0, 5, device));
    else if (strcmp(name, "SHARED_DYNAMIC") == 0)
        say(KERNEL_LAUNCH(dyn, 1, 64, 0, 0, device));
    else if (strcmp(name, "SYNC_GRID") == 0)
        say(KERNEL_LAUNCH(syncs, 1, 64, 0, 0, device));
    else if (strcmp(name, "COPY_ASYNC") == 0)
        say(KERNEL_LAUNCH(copy_from, 1, 4, 0, 0, device, more));
    else if (strcmp(name, "KERNEL_LAUNCH") == 0)
        say_launches();
    else if (strcmp(name, "KERNEL_LAUNCH_AUTO") == 0)
        say(KERNEL_LAUNCH_AUTO(leave, 64, 64, device));
    else if (strcmp(name, "KERNEL_SHARED_LIMIT") == 0)
        say(KERNEL_SHARED_LIMIT(dyn, 307200));
    else if (strcmp(name, "PORTABLE_CHECK") == 0)
        PORTABLE_CHECK(KERNEL_LAUNCH(line, 0, 256, 0, 0, 64, device));
    else if (strcmp(name, "memory") == 0)
        say_memory();
    else if (strcmp(name, "array") == 0)
        say_array();
    else {
        fprintf(stderr, "usage: misuse NAME, of the misuses in misuse.c\n");
        return 2;
    }
    return 0;
}
