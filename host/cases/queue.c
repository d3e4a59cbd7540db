/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/queue.c"

#include "host/case.h"

enum { CAPACITY = 37 };

static int prepare_claim(struct run *run, struct io_error *error)
{
    int *marks = run_input_int(run, "marks", (size_t)run->n);

    RUN_FILL(marks, i, run->n)
        marks[i] = run_random(run, "marks", i) % 3 == 0;
    run_stride(run, run->n);
    run_output_array(run, "claims", ARRAY_UINT32, (size_t)run->grid.x * CAPACITY, OWNER_NONE);
    run->bytes = (double)run->n * sizeof(int);
    return run_ready(run, error);
}

static portable_status launch_claim(struct run *run)
{
    const portable_status status =
        portable_memset(run_device(run, "claims"), 0, run->grid.x * CAPACITY * sizeof(unsigned));

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(queue_claim, run->grid, run->block, 0, 0, run->n, CAPACITY,
                         DEVICE_INTS("marks"), DEVICE_WORDS("claims"));
}

/* The slots of a block are claimed in turn: the first ones once more than the rest. */
static void reference_claim(struct run *run)
{
    const int *marks = HOST_INTS("marks");
    const int blocks = (int)run->grid.x, block = (int)run->block.x;

    for (int b = 0; b < blocks; b++) {
        int marked = 0;

        for (int i = 0; i < run->n; i++)
            marked += i / block % blocks == b && marks[i];
        for (int slot = 0; slot < CAPACITY; slot++)
            run_expect(run, "claims", (size_t)(b * CAPACITY + slot),
                       marked / CAPACITY + (slot < marked % CAPACITY), 0);
    }
}

/* One queue for all: the serial target times one block. */
static void baseline_claim(struct run *run)
{
    const int n = run->n;
    const int *RESTRICT marks = HOST_INTS("marks");
    unsigned *RESTRICT claims = HOST_WORDS("claims");
    unsigned next = 0;

    for (int slot = 0; slot < CAPACITY; slot++)
        claims[slot] = 0;
    for (int i = 0; i < n; i++)
        if (marks[i] != 0) {
            claims[next]++;
            next = next == CAPACITY - 1 ? 0 : next + 1;
        }
}

static int prepare_persistent(struct run *run, struct io_error *error)
{
    run_scratch_array(run, "queue", ARRAY_UINT32, 1);
    run_output_array(run, "steps", ARRAY_INT32, (size_t)run->n, OWNER_NONE);
    run_stride(run, run->n);
    run->bytes = (double)run->n * sizeof(int);
    return run_ready(run, error);
}

static portable_status launch_persistent(struct run *run)
{
    const portable_status status = portable_memset(run_device(run, "queue"), 0, sizeof(unsigned));

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(persistent_threads, run->grid, run->block, 0, 0, run->n,
                         DEVICE_WORDS("queue"), DEVICE_INTS("steps"));
}

static int steps_from(unsigned long long start)
{
    int steps = 0;

    for (; start != 1; steps++)
        start = start & 1 ? 3 * start + 1 : start >> 1;
    return steps;
}

static void reference_persistent(struct run *run)
{
    for (int i = 0; i < run->n; i++)
        run_expect(run, "steps", (size_t)i, steps_from((unsigned long long)i + 1), 0);
}

static void baseline_persistent(struct run *run)
{
    const int n = run->n;
    int *steps = HOST_INTS("steps");

    for (int i = 0; i < n; i++)
        steps[i] = steps_from((unsigned long long)i + 1);
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "queue", .name = "queue_claim",
     .summary = "ATOMIC_INC on a queue pointer in shared memory",
     .takes = CASE_LINES, .timing_n = 1 << 22,
     .prepare = prepare_claim, .launch = launch_claim, .reference = reference_claim,
     .baseline = baseline_claim},
    {.family = "queue", .name = "persistent_threads",
     .summary = "blocks fetch uneven items until none is left",
     .takes = CASE_LINES, .timing_n = 1 << 20,
     .prepare = prepare_persistent, .launch = launch_persistent, .reference = reference_persistent,
     .baseline = baseline_persistent},
};
/* clang-format on */
GALLERY_CASES(cases)
