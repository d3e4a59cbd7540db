/* SPDX-License-Identifier: BSD-3-Clause */
/* Three files that include portable.h make one program: they share the table of allocations, the
 * last error and the kernels' limits. Exits with 77 without a device. */
#include "host_only.h"
#include "second.h"

KERNEL(add)(int n, float what, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] += what;
}

KERNEL_LAUNCH_BOUNDS(at_most_128, 128, 1)(int *count)
{
    FOR_EACH_BLOCK() {
        PRIVATE(int, own);
        PRIVATE(int, sum);
        FOR_EACH_THREAD
            MINE(own) = 1;
        BLOCK_REDUCE_ADD(sum, own);
        FOR_THREADS_BELOW(1)
            ATOMIC_ADD(count, MINE(sum));
    }
}

static int failures;

/* Reports a condition that does not hold. */
static void check(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "first.c: %s (%s)\n", what, portable_last_message());
        failures++;
    }
}

int main(void)
{
    enum { N = 1000 };
    float host[N], *x;
    int count = 0, devices, *device_count;
    size_t before, left;

    if (portable_device_count(&devices) != PORTABLE_SUCCESS) {
        printf("# SKIP first: %s\n", portable_last_message());
        return 77;
    }
    portable_memory_in_use(NULL, &before);

    /* Allocated there, changed from both files, copied here, freed there. */
    x = host_only_new(N, 1.5f);
    check(x != NULL, "host_only.c allocates");
    check(KERNEL_LAUNCH(add, 2, 64, 0, 0, N, 1.0f, x) == PORTABLE_SUCCESS, "first.c launches");
    check(second_add(N, 2.0f, x) == PORTABLE_SUCCESS, "second.c launches");
    check(portable_copy_to_host(host, x, sizeof host) == PORTABLE_SUCCESS,
          "first.c copies what host_only.c allocated");
    for (int i = 0; i < N; i++)
        if (host[i] < 4.5f || host[i] > 4.5f)
            check(0, "the values are those that the three files made");
    check(host_only_free(x) == before, "host_only.c frees");
    check(portable_free(x) == PORTABLE_ERROR_INVALID_FREE, "first.c knows that it is free");

    /* Allocated here and freed there. */
    check(portable_malloc(&x, sizeof host) == PORTABLE_SUCCESS, "first.c allocates");
    check(host_only_free(x) == before, "host_only.c frees what first.c allocated");

    /* A failure there is the last error here. */
    portable_last_error();
    check(host_only_fail() == PORTABLE_ERROR_NOT_DEVICE_MEMORY, "host_only.c fails");
    check(portable_last_error() == PORTABLE_ERROR_NOT_DEVICE_MEMORY, "first.c sees it");

    /* So is a failed launch, which also fails later waits; KERNEL_LAUNCH_BOUNDS hold there, too. */
    check(portable_malloc(&device_count, sizeof count) == PORTABLE_SUCCESS &&
              portable_memset(device_count, 0, sizeof count) == PORTABLE_SUCCESS,
          "first.c allocates a counter");
    check(second_too_many_threads(device_count) == PORTABLE_ERROR_INVALID_LAUNCH,
          "second.c keeps to the bounds");
    check(strstr(portable_last_message(), "at_most_128") != NULL, "first.c has the sentence");
    check(portable_synchronize() == PORTABLE_ERROR_INVALID_LAUNCH,
          "first.c sees the failed launch");
    check(portable_last_error() == PORTABLE_ERROR_INVALID_LAUNCH, "first.c takes it");
    check(portable_synchronize() == PORTABLE_SUCCESS, "it is then forgotten");
    check(KERNEL_LAUNCH(at_most_128, 1, 128, 0, 0, device_count) == PORTABLE_SUCCESS &&
              portable_copy_to_host(&count, device_count, sizeof count) == PORTABLE_SUCCESS &&
              count == 128,
          "first.c launches with as many threads as the bounds allow");

    /* A limit raised there holds here. */
    check(KERNEL_LAUNCH(count_shared, 1, 1, 65536, 0, 65536, device_count) ==
              PORTABLE_ERROR_INVALID_LAUNCH,
          "the limit of shared memory is not raised yet");
    portable_last_error();
    check(second_raise_shared_limit() == PORTABLE_SUCCESS, "second.c raises the limit");
    check(KERNEL_LAUNCH(count_shared, 1, 1, 65536, 0, 65536, device_count) == PORTABLE_SUCCESS &&
              portable_copy_to_host(&count, device_count, sizeof count) == PORTABLE_SUCCESS &&
              count == 1,
          "first.c has the raised limit");
    check(portable_free(device_count) == PORTABLE_SUCCESS, "first.c frees the counter");
    portable_memory_in_use(NULL, &left);
    check(left == before, "nothing is left");

    if (failures == 0)
        puts("three files share one state");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
