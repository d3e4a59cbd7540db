/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases whose time grows with their elements, with their square, and with a cliff: for
 * tests/growth/run.sh, which knows what bench --growth says of each. */
#include "host/case.h"

#include <stdlib.h> /* malloc */
#include <string.h> /* memset */

/* i after `turns` steps of a generator, whose period is 2^32: no compiler leaves one out. */
DEVICE unsigned turned(unsigned i, int turns)
{
    for (int k = 0; k < turns; k++)
        i = i * 1664525u + 1013904223u;
    return i;
}

KERNEL(turns_of_all)(int n, int turns, unsigned *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = turned((unsigned)i, turns);
}

static int prepare(struct run *run, struct io_error *error)
{
    run_output_array(run, "y", ARRAY_UINT32, (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    run->bytes = 4.0 * run->n;
    return run_ready(run, error);
}

static portable_status launch_turns(struct run *run, int turns)
{
    return KERNEL_LAUNCH(turns_of_all, run->grid, run->block, 0, 0, run->n, turns,
                         DEVICE_WORDS("y"));
}

static portable_status launch_steady(struct run *run)
{
    return launch_turns(run, 64);
}

static portable_status launch_quadratic(struct run *run)
{
    return launch_turns(run, (int)(1024LL * run->n / case_timing_size(run->which)));
}

/* From half of the largest size on, an element takes eight times as long. */
static portable_status launch_cliff(struct run *run)
{
    return launch_turns(run, 2 * run->n < case_timing_size(run->which) ? 64 : 512);
}

/* One block, and from a thirty-second of the largest size on all blocks and sixteen times the work
 * for an element: a team has begun, and time per element before that says nothing of it. */
static portable_status launch_joined(struct run *run)
{
    const int alone = 32 * run->n < case_timing_size(run->which);
    const dim3 grid = alone ? DIM3(1, 1, 1) : run->grid;

    return KERNEL_LAUNCH(turns_of_all, grid, run->block, 0, 0, run->n, alone ? 16 : 256,
                         DEVICE_WORDS("y"));
}

/* Memory that no array accounts for, and that stays. */
static portable_status launch_hoarder(struct run *run)
{
    static char *hoard;
    const size_t bytes = (size_t)96 << 20;

    if (!hoard && (hoard = (char *)malloc(bytes)) != NULL)
        memset(hoard, 1, bytes);
    return launch_turns(run, hoard ? 64 + (hoard[bytes - 1] != 1) : 0);
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "growth", .name = "steady", .summary = "as much work for each element",
     .takes = CASE_LINES, .timing_n = 1 << 17, .prepare = prepare, .launch = launch_steady},
    {.family = "growth", .name = "quadratic", .summary = "the work for an element grows too",
     .takes = CASE_LINES, .timing_n = 1 << 17, .prepare = prepare, .launch = launch_quadratic},
    {.family = "growth", .name = "cliff", .summary = "from one size on eight times the work",
     .takes = CASE_LINES, .timing_n = 1 << 17, .prepare = prepare, .launch = launch_cliff},
    {.family = "growth", .name = "joined", .summary = "larger sizes are for all threads",
     .takes = CASE_LINES, .timing_n = 1 << 17, .prepare = prepare, .launch = launch_joined},
    {.family = "growth", .name = "hoarder", .summary = "96 MiB beyond its arrays",
     .takes = CASE_LINES, .timing_n = 1 << 17, .prepare = prepare, .launch = launch_hoarder},
};
/* clang-format on */
GALLERY_CASES(cases)
