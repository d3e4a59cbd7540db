/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases that crash in different ways at n = 32 and blocks of 64 threads, between two that do not.
 * For tests/cli/crash.sh. */
#include "host/case.h"

#include <stdlib.h> /* abort, exit */

/* Hidden from the compiler. */
static int *volatile nowhere = (int *)0x1230;
static volatile int zero, quit = 3;

KERNEL(doubles)(int n, const REAL *x, REAL *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = 2 * x[i];
}

KERNEL(writes_to_nowhere)(int n, int *wrong, const REAL *x, REAL *y)
{
    GRID_STRIDE_LOOP(i, n) {
        if (wrong)
            *wrong = 1;
        y[i] = 2 * x[i];
    }
}

static int overflow(int depth)
{
    volatile char room[4096];

    room[0] = (char)depth;
    return depth < 0 ? 0 : overflow(depth + 1) + room[0];
}

static int prepare(struct run *run, struct io_error *error)
{
    run_input_real(run, "x", (size_t)run->n);
    run_output_real(run, "y", (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    return run_ready(run, error);
}

static portable_status launch(struct run *run)
{
    return KERNEL_LAUNCH(doubles, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("x"),
                         DEVICE_REALS("y"));
}

static int is_bad(const struct run *run)
{
    return run->n == 32 && run->block.x == 64;
}

static portable_status launch_nowhere(struct run *run)
{
    return KERNEL_LAUNCH(writes_to_nowhere, run->grid, run->block, 0, 0, run->n,
                         is_bad(run) ? nowhere : NULL, DEVICE_REALS("x"), DEVICE_REALS("y"));
}

static portable_status launch_division(struct run *run)
{
    if (is_bad(run))
        run->rows = run->n / zero;
    return launch(run);
}

static portable_status launch_abort(struct run *run)
{
    if (is_bad(run))
        abort();
    return launch(run);
}

static portable_status launch_overflow(struct run *run)
{
    if (is_bad(run))
        run->rows = overflow(0);
    return launch(run);
}

static portable_status launch_exit(struct run *run)
{
    if (is_bad(run))
        exit(quit);
    return launch(run);
}

static portable_status launch_success(struct run *run)
{
    if (is_bad(run))
        exit(0);
    return launch(run);
}

static void reference(struct run *run)
{
    for (int i = 0; i < run->n; i++)
        run_expect(run, "y", (size_t)i, 2 * (double)HOST_REALS("x")[i], 0);
}

#define CRASHES(title, how)                                                                        \
    {                                                                                              \
        .family = "crashes", .name = title, .summary = "y = 2 x", .blocks = {{32}, {64}},          \
        .sizes = {1, 32, 33}, .timing_n = 1000, .prepare = prepare, .launch = how,                 \
        .reference = reference                                                                     \
    }

static const struct gallery_case cases[] = {
    CRASHES("before", launch),
    CRASHES("nowhere", launch_nowhere),
    CRASHES("divides", launch_division),
    CRASHES("aborts", launch_abort),
    CRASHES("overflows", launch_overflow),
    CRASHES("exits", launch_exit),
    CRASHES("succeeds", launch_success),
    CRASHES("after", launch),
};
GALLERY_CASES(cases)
