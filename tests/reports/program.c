/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what its arguments name, in turn. The comments at the ends of lines name the places of the
 * findings. */
#define _GNU_SOURCE /* fork */
#include "portable.h"

#include <signal.h>   /* raise */
#include <stdlib.h>   /* abort, exit, malloc */
#include <string.h>   /* strcmp */
#include <sys/wait.h> /* waitpid */
#include <unistd.h>   /* _exit, chdir, execl, fork */

enum { THREADS = 64 };

__global__ void races(int *out)
{
    __shared__ int tile[THREADS];
    tile[threadIdx.x] = 1;                     /* store */
    out[threadIdx.x] = tile[63 - threadIdx.x]; /* load */
}

__global__ void races_again(int *out)
{
    __shared__ int tile[THREADS];
    tile[threadIdx.x] = 2;                     /* store again */
    out[threadIdx.x] = tile[63 - threadIdx.x]; /* load again */
}

__global__ void tickets(int *out)
{
    out[1 + atomicAdd(out, 1) % 2] = 1; /* ticket */
}

__global__ void too_far(int *out)
{
    out[threadIdx.x + 1] = 1; /* write */
}

__global__ void shifts(int *out)
{
    out[threadIdx.x] = 1 << (32 + out[threadIdx.x] % 2); /* shift */
}

__global__ void reads(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x]; /* read */
}

__global__ void strides(int *out)
{
    __shared__ int tile[8 * THREADS];
    if (threadIdx.x % 8 == 0)
        out[threadIdx.x] = 1;  /* sectors */
    tile[8 * threadIdx.x] = 2; /* banks */
    atomicAdd(out, 3);         /* atomics */
    (void)tile;
}

__global__ void divides(int *out)
{
    const float zero = (float)out[threadIdx.x];
    const float infinity = 1 / zero;                          /* infinity */
    const float nan = zero * infinity;                        /* nan */
    const float small = 1e-30f * (nan < zero ? zero : 1e-9f); /* subnormal */
    out[threadIdx.x] = small < zero;
}

__global__ void diverges(int *out)
{
    if (threadIdx.x < 32)
        __syncthreads(); /* one barrier */
    else
        __syncthreads(); /* another barrier */
    out[threadIdx.x] = 1;
}

__global__ void crashes(int *out)
{
    out[threadIdx.x] = 1;
    if (threadIdx.x == 3)
        abort(); /* abort */
}

static int *volatile nowhere = (int *)16;

__global__ void faults(int *out)
{
    out[threadIdx.x] = 1;
    if (threadIdx.x == 3)
        *nowhere = 1; /* fault */
}

__global__ void exits(int *out, int at_once)
{
    out[threadIdx.x] = 1;
    if (threadIdx.x == 3 && at_once)
        _exit(0);
    if (threadIdx.x == 3)
        exit(0);
}

__global__ void works(int *out)
{
    out[threadIdx.x] = 1;
}

static int act(const char *what, int *out, int *in)
{
    if (strcmp(what, "race") == 0)
        return KERNEL_LAUNCH(races, 1, THREADS, 0, 0, out);
    if (strcmp(what, "race-again") == 0)
        return KERNEL_LAUNCH(races_again, 1, THREADS, 0, 0, out);
    if (strcmp(what, "ticket") == 0)
        return KERNEL_LAUNCH(tickets, 1, THREADS, 0, 0, out);
    if (strcmp(what, "too-far") == 0)
        return KERNEL_LAUNCH(too_far, 1, THREADS, 0, 0, out);
    if (strcmp(what, "shift") == 0)
        return KERNEL_LAUNCH(shifts, 1, THREADS, 0, 0, out);
    if (strcmp(what, "read") == 0)
        return KERNEL_LAUNCH(reads, 1, THREADS, 0, 0, out, in);
    if (strcmp(what, "stride") == 0)
        return KERNEL_LAUNCH(strides, 1, THREADS, 0, 0, out);
    if (strcmp(what, "divide") == 0)
        return KERNEL_LAUNCH(divides, 1, THREADS, 0, 0, out);
    if (strcmp(what, "diverge") == 0)
        return KERNEL_LAUNCH(diverges, 1, THREADS, 0, 0, out) && 0;
    if (strcmp(what, "crash") == 0)
        return KERNEL_LAUNCH(crashes, 1, THREADS, 0, 0, out);
    if (strcmp(what, "fault") == 0)
        return KERNEL_LAUNCH(faults, 1, THREADS, 0, 0, out) && 0;
    if (strcmp(what, "exits") == 0)
        return KERNEL_LAUNCH(exits, 1, THREADS, 0, 0, out, 0);
    if (strcmp(what, "_exits") == 0)
        return KERNEL_LAUNCH(exits, 1, THREADS, 0, 0, out, 1);
    if (strcmp(what, "work") == 0)
        return KERNEL_LAUNCH(works, 1, THREADS, 0, 0, out);
    if (strcmp(what, "host") == 0)
        return out[0] = 1, 0; /* host write */
    if (strcmp(what, "leak") == 0)
        return (int)portable_malloc(&out, 8); /* leak */
    if (strcmp(what, "heap-leak") == 0) {
        char *volatile lost = (char *)malloc(100); /* heap leak */
        const int failed = lost == NULL;
        lost = NULL;
        return failed;
    }
    if (strcmp(what, "chdir") == 0)
        return chdir("/");
    if (strcmp(what, "_exit") == 0)
        _exit(0);
    if (strcmp(what, "exit-3") == 0)
        exit(3);
    if (strcmp(what, "kill") == 0)
        return raise(SIGKILL);
    if (strcmp(what, "terminate") == 0)
        return raise(SIGTERM);
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "no-exec") == 0) { /* what a child does that cannot run another program */
        const pid_t child = fork();
        int status;

        if (child == 0 && execl("/nonexistent", "nonexistent", (char *)NULL) != 0)
            exit(7);
        waitpid(child, &status, 0);
        return !WIFEXITED(status) || WEXITSTATUS(status) != 7;
    }
    if (strcmp(what, "fork") == 0) { /* a child that does what comes next, and ends the parent */
        const pid_t child = fork();
        int status;

        if (child == 0)
            return 0;
        waitpid(child, &status, 0);
        exit(WIFEXITED(status) ? 10 + WEXITSTATUS(status) : 9);
    }
    fprintf(stderr, "there is no %s\n", what);
    return 2;
}

int main(int argc, char **argv)
{
    int *out, *in, status = 0;

    PORTABLE_CHECK(portable_malloc(&out, THREADS * sizeof *out)); /* out */
    PORTABLE_CHECK(portable_malloc(&in, THREADS * sizeof *in));   /* in */
    PORTABLE_CHECK(portable_memset(out, 0, THREADS * sizeof *out));
    for (int i = 1; i < argc && status == 0; i++)
        status = act(argv[i], out, in);
    portable_free(out);
    portable_free(in);
    return status;
}
