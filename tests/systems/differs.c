/* SPDX-License-Identifier: BSD-3-Clause */
/* Features that portable.h needs from the system and that have different names there: aligned
 * memory, the clock, sizes in messages, bounds of a kernel that is declared before it is
 * defined. */
#if defined(_WIN32)
#include <windows.h> /* it defines far, near and more; the header must compile after it */
#endif
#include "portable.h"

KERNEL_CHILD(child, int, int *);
KERNEL_LAUNCH_BOUNDS(child, 64, 1)(int n, int *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] += 1;
}

KERNEL(parent)(int n, int *x)
{
    FOR_EACH_BLOCK(0) {
        FOR_THREADS_BELOW(1)
            DEVICE_LAUNCH(child, 1, 64, 0, n, x);
    }
}

KERNEL(scratch)(int *x)
{
    FOR_EACH_BLOCK(0) {
        SHARED_DYNAMIC(int, own);
        FOR_EACH_THREAD {
            own[threadIdx.x] = 1;
            x[threadIdx.x] = own[threadIdx.x];
        }
    }
}

static int failures;

static void check(int holds, const char *what)
{
    if (!holds) {
        printf("differs.c: %s (%s)\n", what, portable_last_message());
        failures++;
    }
}

static void says(const char *sentence)
{
    check(strcmp(portable_last_message(), sentence) == 0, sentence);
    portable_last_error();
}

int main(void)
{
    enum { N = 100 };
    int host[N], *x;
    float milliseconds = -1;
    portable_event from, to;

    PORTABLE_CHECK(portable_malloc(&x, sizeof host));
    check((size_t)x % 256 == 0, "device memory begins at a multiple of 256 bytes");
    PORTABLE_CHECK(portable_memset(x, 0, sizeof host));
    check(portable_memset(x, 0, sizeof host + 1) == PORTABLE_ERROR_OUT_OF_RANGE, "fills too much");
    says("portable_memset: 401 bytes from byte 0 of the target, which has 400");
    check(portable_malloc(&x, (size_t)-1 / 2) == PORTABLE_ERROR_OUT_OF_MEMORY, "gets all memory");

    PORTABLE_CHECK(portable_malloc(&x, sizeof host));
    PORTABLE_CHECK(portable_memset(x, 0, sizeof host));
    PORTABLE_CHECK(portable_event_create(&from));
    PORTABLE_CHECK(portable_event_create(&to));
    PORTABLE_CHECK(portable_event_record(from, 0));
    PORTABLE_CHECK(KERNEL_LAUNCH(parent, 1, 32, 0, 0, N, x));
    do {
        PORTABLE_CHECK(portable_event_record(to, 0));
        PORTABLE_CHECK(portable_event_elapsed(&milliseconds, from, to));
    } while (milliseconds < 2);
    check(milliseconds < 10000, "the clock counts milliseconds");
    PORTABLE_CHECK(portable_event_destroy(from));
    PORTABLE_CHECK(portable_event_destroy(to));

    check(KERNEL_LAUNCH(child, 1, 65, 0, 0, N, x) == PORTABLE_ERROR_INVALID_LAUNCH, "no bounds");
    says("kernel child: block (65, 1, 1) has 65 threads; its KERNEL_LAUNCH_BOUNDS allow 64");
    check(KERNEL_LAUNCH(scratch, 1, 1025, 0, 0, x) == PORTABLE_ERROR_INVALID_LAUNCH, "no limit");
    portable_last_error();
    check(KERNEL_LAUNCH(scratch, 1, 32, 0, 0, x) == PORTABLE_ERROR_INVALID_LAUNCH, "no scratch");
    says("kernel scratch: uses SHARED_DYNAMIC, but the launch passes 0 bytes");
    PORTABLE_CHECK(KERNEL_LAUNCH(scratch, 1, 32, 32 * sizeof(int), 0, x));
    PORTABLE_CHECK(portable_copy_to_host(host, x, sizeof host));
    for (int i = 0; i < N; i++)
        check(host[i] == 1, "the kernels wrote a 1 everywhere");
    PORTABLE_CHECK(portable_free(x));
    if (failures == 0)
        puts("nothing differs");
    return failures != 0;
}
