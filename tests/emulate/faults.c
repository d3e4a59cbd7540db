/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
/* For tests/emulate/faults.sh: faults.c WHAT runs one kernel, named after what it does. */
#include "portable.h"

#include <signal.h> /* signal */
#include <stdint.h> /* uintptr_t */
#include <unistd.h> /* alarm */

enum { BLOCKS = 4, THREADS = 40 };

/* Takes about 1 KiB of stack per level. */
static __attribute__((noinline)) int descend(int levels)
{
    volatile char room[1000];

    room[levels % 1000] = (char)levels;
    return levels > 0 ? descend(levels - 1) + room[levels % 1000] : 0;
}

__global__ void descends(int *out, int levels)
{
    __syncthreads();
    if (blockIdx.x == 2 && threadIdx.x == 33)
        out[0] = descend(levels);
}

/* The array ends far below the stack and its guard page. */
__global__ void has_a_large_array(int *out, unsigned at)
{
    volatile char large[8 << 20];

    large[at] = (char)at;
    out[0] = large[at];
}

__global__ void writes_to_nowhere(int *out)
{
    __syncthreads();
    if (blockIdx.x == 1 && blockIdx.y == 2 && threadIdx.x == 3 && threadIdx.y == 4)
        *(volatile int *)(uintptr_t)0x1230 = 1;
    out[0] = 1;
}

static const void *nowhere = (const void *)0x10;

__global__ void copies_from_nowhere(int *out)
{
    if (threadIdx.x == 3)
        memcpy(out, *(const void *volatile *)&nowhere, 4096);
}

__global__ void divides(int *out, int by)
{
    out[threadIdx.x] = (int)blockIdx.x / (by - (int)threadIdx.x);
}

/* Which of its threads never ends. */
enum { ENDLESS = 33 };

/* Threads before it have ended, and those behind it have not started. */
__global__ void spins(volatile int *out)
{
    while (threadIdx.x == ENDLESS && out[0] == 0) {
    }
}

/* Those behind it have passed the first barrier, and others wait at the second. */
__global__ void spins_between(volatile int *out)
{
    __syncthreads();
    while (blockIdx.x == 1 && threadIdx.x == ENDLESS && out[0] == 0) {
    }
    __syncthreads();
}

/* All come to the barrier again and again. */
__global__ void meets_again(volatile int *out)
{
    while (out[0] == 0)
        __syncthreads();
}

/* Blocks of a grid that has passed its barrier. */
KERNEL(spins_in_grid)(volatile int *out)
{
    FOR_EACH_BLOCK(THREADS) {
        SYNC_GRID();
        FOR_EACH_THREAD {
            while (blockIdx.x == 1 && threadIdx.x == ENDLESS && out[0] == 0) {
            }
        }
    }
}

/* Ends by itself, or by the signal of the program. */
static volatile sig_atomic_t alarmed;
static void on_alarm(int number)
{
    (void)number;
    alarmed = 1;
}
static volatile sig_atomic_t urgent;
static void on_urgent(int number)
{
    (void)number;
    urgent++;
}
__global__ void waits_for_alarm(int *out)
{
    while (!alarmed) {
    }
    out[threadIdx.x] = 1;
}

__global__ void squares(int *out)
{
    const int number = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    out[number] = number;
    __syncthreads();
    out[number] *= number; /* a breakpoint is here */
}

DEVICE void meet(void)
{
    SYNC_THREADS();
}

static int squares_are_right(const int *device)
{
    int out[BLOCKS * THREADS];

    PORTABLE_CHECK(portable_copy_to_host(out, device, sizeof out));
    for (int k = 0; k < BLOCKS * THREADS; k++)
        if (out[k] != k * k)
            return 0;
    return 1;
}

int main(int count, char **arguments)
{
    const char *const what = count > 1 ? arguments[1] : "";
    int *device;

    PORTABLE_CHECK(portable_malloc(&device, BLOCKS * THREADS * sizeof *device));
    if (strcmp(what, "deep") == 0) {
        PORTABLE_CHECK(KERNEL_LAUNCH(descends, BLOCKS, THREADS, 0, 0, device, 500));
        puts("it was deep");
    } else if (strcmp(what, "overflow") == 0) {
        PORTABLE_CHECK(KERNEL_LAUNCH(descends, BLOCKS, THREADS, 0, 0, device, 1 << 30));
    } else if (strcmp(what, "array") == 0) {
        PORTABLE_CHECK(KERNEL_LAUNCH(has_a_large_array, 1, 1, 0, 0, device, 1));
    } else if (strcmp(what, "nowhere") == 0) {
        PORTABLE_CHECK(
            KERNEL_LAUNCH(writes_to_nowhere, DIM3(2, 3, 1), DIM3(8, 5, 1), 0, 0, device));
    } else if (strcmp(what, "copy") == 0) {
        PORTABLE_CHECK(KERNEL_LAUNCH(copies_from_nowhere, BLOCKS, THREADS, 0, 0, device));
    } else if (strcmp(what, "host") == 0) {
        PORTABLE_CHECK(KERNEL_LAUNCH(squares, BLOCKS, THREADS, 0, 0, device));
        *(volatile int *)(uintptr_t)0x1230 = 1;
    } else if (strcmp(what, "again") == 0) {
        const portable_status status =
            KERNEL_LAUNCH(writes_to_nowhere, DIM3(2, 3, 1), DIM3(8, 5, 1), 0, 0, device);
        if (status == PORTABLE_ERROR_DEVICE && strstr(portable_last_message(), "invalid access"))
            printf("invalid access, and then ");
        portable_last_error();
        PORTABLE_CHECK(KERNEL_LAUNCH(squares, BLOCKS, THREADS, 0, 0, device));
        puts(squares_are_right(device) ? "all squares are right" : "a square is wrong");
    } else if (strcmp(what, "divide") == 0) {
        PORTABLE_CHECK(KERNEL_LAUNCH(divides, BLOCKS, THREADS, 0, 0, device, 7));
    } else if (strcmp(what, "squares") == 0) {
        PORTABLE_CHECK(KERNEL_LAUNCH(squares, BLOCKS, THREADS, 0, 0, device));
        puts(squares_are_right(device) ? "all squares are right" : "a square is wrong");
    } else if (strcmp(what, "spins") == 0) {
        PORTABLE_CHECK(KERNEL_LAUNCH(squares, BLOCKS, THREADS, 0, 0, device));
        PORTABLE_CHECK(KERNEL_LAUNCH(spins, BLOCKS, THREADS, 0, 0, device));
    } else if (strcmp(what, "spins-between") == 0) {
        PORTABLE_CHECK(portable_memset(device, 0, sizeof *device));
        PORTABLE_CHECK(KERNEL_LAUNCH(spins_between, BLOCKS, THREADS, 0, 0, device));
    } else if (strcmp(what, "meets-again") == 0) {
        PORTABLE_CHECK(portable_memset(device, 0, sizeof *device));
        PORTABLE_CHECK(KERNEL_LAUNCH(meets_again, BLOCKS, THREADS, 0, 0, device));
    } else if (strcmp(what, "spins-in-grid") == 0) {
        PORTABLE_CHECK(portable_memset(device, 0, sizeof *device));
        PORTABLE_CHECK(KERNEL_LAUNCH_COOPERATIVE(spins_in_grid, BLOCKS, THREADS, 0, 0, device));
    } else if (strcmp(what, "alarm") == 0 || strcmp(what, "urgent") == 0) {
        /* The program's own handlers. */
        signal(SIGALRM, on_alarm);
        if (what[0] == 'u')
            signal(SIGURG, on_urgent);
        alarm(2);
        PORTABLE_CHECK(KERNEL_LAUNCH(waits_for_alarm, 1, THREADS, 0, 0, device));
        printf("alarmed, and urgent %d times\n", (int)urgent);
    } else if (strcmp(what, "barrier") == 0) {
        meet();
    } else if (strcmp(what, "raw-barrier") == 0) {
        void (*const volatile called)(int *) = squares; /* by name it would not compile */
        called(device);
    } else if (strcmp(what, "vote") == 0) {
        printf("%d\n", __any_sync(0xffffffff, 1));
    } else if (strcmp(what, "grid-barrier") == 0) {
        SYNC_GRID();
    } else {
        fprintf(stderr, "faults: there is no \"%s\"\n", what);
        return 3;
    }
    PORTABLE_CHECK(portable_free(device));
    return EXIT_SUCCESS;
}
