/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/access.c"

#include "host/case.h"

#include <math.h> /* fabs */

enum { STRIDE = 32, TURNS = 64, STEPS = 256 };

static int prepare_copy(struct run *run, struct io_error *error)
{
    run_input_float(run, "x", (size_t)run->n + 1);
    run_output_array(run, "y", ARRAY_FLOAT32, (size_t)run->n, OWNER_NONE);
    run_stride(run, run->n);
    run->bytes = 2.0 * run->n * sizeof(float);
    return run_ready(run, error);
}

static int prepare_strided(struct run *run, struct io_error *error)
{
    if (run->n % STRIDE != 0)
        return io_fail(error, "case %s needs a multiple of %d elements", run->test_case->name,
                       STRIDE);
    return prepare_copy(run, error);
}

static portable_status launch_coalesced(struct run *run)
{
    return KERNEL_LAUNCH(copy_coalesced, run->grid, run->block, 0, 0, run->n, DEVICE_FLOATS("x"),
                         DEVICE_FLOATS("y"));
}

static portable_status launch_strided(struct run *run)
{
    return KERNEL_LAUNCH(copy_strided, run->grid, run->block, 0, 0, run->n, STRIDE,
                         DEVICE_FLOATS("x"), DEVICE_FLOATS("y"));
}

static portable_status launch_misaligned(struct run *run)
{
    return KERNEL_LAUNCH(copy_misaligned, run->grid, run->block, 0, 0, run->n, 1,
                         DEVICE_FLOATS("x"), DEVICE_FLOATS("y"));
}

static void reference_copy(struct run *run)
{
    for (int i = 0; i < run->n; i++)
        run_expect(run, "y", (size_t)i, (double)HOST_FLOATS("x")[i], 0);
}

static void reference_shifted(struct run *run)
{
    for (int i = 0; i < run->n; i++)
        run_expect(run, "y", (size_t)i, (double)HOST_FLOATS("x")[i + 1], 0);
}

static void baseline_copy(struct run *run)
{
    const int n = run->n;
    const float *RESTRICT x = HOST_FLOATS("x");
    float *RESTRICT y = HOST_FLOATS("y");

    for (int i = 0; i < n; i++)
        y[i] = x[i];
}

/* n particles of four floats. */
static int prepare_structures(struct run *run, struct io_error *error)
{
    run_input_float(run, "particles", 4 * (size_t)run->n);
    run_output_array(run, "y", ARRAY_FLOAT32, (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    run->bytes = 2.0 * run->n * sizeof(float);
    return run_ready(run, error);
}

static int prepare_moments(struct run *run, struct io_error *error)
{
    const int status = prepare_structures(run, error);

    run->bytes = 5.0 * run->n * sizeof(float);
    return status;
}

static portable_status launch_masses_of_structures(struct run *run)
{
    return KERNEL_LAUNCH(masses_of_structures, run->grid, run->block, 0, 0, run->n,
                         (struct particle *)run_device(run, "particles"), DEVICE_FLOATS("y"));
}

/* The first n floats serve as the array of the masses. */
static portable_status launch_masses_of_arrays(struct run *run)
{
    return KERNEL_LAUNCH(masses_of_arrays, run->grid, run->block, 0, 0, run->n,
                         DEVICE_FLOATS("particles"), DEVICE_FLOATS("y"));
}

static portable_status launch_moments(struct run *run)
{
    return KERNEL_LAUNCH(moments_of_structures, run->grid, run->block, 0, 0, run->n,
                         (struct aligned_particle *)run_device(run, "particles"),
                         DEVICE_FLOATS("y"));
}

static void reference_masses_of_structures(struct run *run)
{
    for (int i = 0; i < run->n; i++)
        run_expect(run, "y", (size_t)i, (double)HOST_FLOATS("particles")[4 * i + 3], 0);
}

static void reference_masses_of_arrays(struct run *run)
{
    for (int i = 0; i < run->n; i++)
        run_expect(run, "y", (size_t)i, (double)HOST_FLOATS("particles")[i], 0);
}

static void reference_moments(struct run *run)
{
    for (int i = 0; i < run->n; i++) {
        const float *p = HOST_FLOATS("particles") + 4 * (size_t)i;
        const double square =
            (double)p[0] * (double)p[0] + (double)p[1] * (double)p[1] + (double)p[2] * (double)p[2];
        const double moment = (double)p[3] * square;

        run_expect(run, "y", (size_t)i, moment, 2 * (double)FLT_EPSILON * fabs(moment));
    }
}

static void baseline_masses_of_structures(struct run *run)
{
    const int n = run->n;
    const float *RESTRICT particles = HOST_FLOATS("particles");
    float *RESTRICT y = HOST_FLOATS("y");

    for (int i = 0; i < n; i++)
        y[i] = particles[4 * (size_t)i + 3];
}

static void baseline_masses_of_arrays(struct run *run)
{
    const int n = run->n;
    const float *RESTRICT masses = HOST_FLOATS("particles");
    float *RESTRICT y = HOST_FLOATS("y");

    for (int i = 0; i < n; i++)
        y[i] = masses[i];
}

static void baseline_moments(struct run *run)
{
    const int n = run->n;
    const float *RESTRICT particles = HOST_FLOATS("particles");
    float *RESTRICT y = HOST_FLOATS("y");

    for (int i = 0; i < n; i++) {
        const float *const p = particles + 4 * (size_t)i;

        y[i] = p[3] * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
}

/* n is a number of blocks' worth: it is rounded up to whole blocks of 256. */
static int prepare_banks(struct run *run, struct io_error *error)
{
    run_cover(run, run->n);
    const size_t count = (size_t)run->grid.x * run->block.x;

    run_input_float(run, "x", count);
    run_output_array(run, "y", ARRAY_FLOAT32, count, OWNER_ELEMENT);
    run->bytes = (double)TURNS * (double)count * sizeof(float);
    return run_ready(run, error);
}

static portable_status launch_banks_free(struct run *run)
{
    return KERNEL_LAUNCH(shared_banks, run->grid, run->block, 0, 0, 1, TURNS, DEVICE_FLOATS("x"),
                         DEVICE_FLOATS("y"));
}

static portable_status launch_banks_conflict(struct run *run)
{
    return KERNEL_LAUNCH(shared_banks, run->grid, run->block, 0, 0, STRIDE, TURNS,
                         DEVICE_FLOATS("x"), DEVICE_FLOATS("y"));
}

static void reference_banks(struct run *run)
{
    const float *x = HOST_FLOATS("x");

    for (size_t first = 0; first < (size_t)run->grid.x * 256; first += 256)
        for (size_t t = 0; t < 256; t++) {
            double sum = 0, magnitude = 0;

            for (size_t turn = 0; turn < TURNS; turn++) {
                sum += (double)x[first + (t + turn) % 256];
                magnitude += fabs((double)x[first + (t + turn) % 256]);
            }
            run_expect(run, "y", first + t, sum, TURNS * (double)FLT_EPSILON * magnitude);
        }
}

/* Values in [0, 1), which the iteration keeps there. */
static int prepare_branches(struct run *run, struct io_error *error)
{
    float *x = run_input_float(run, "x", (size_t)run->n);

    for (int i = 0; x && i < run->n; i++)
        x[i] = (x[i] + 1) / 2;
    run_output_array(run, "y", ARRAY_FLOAT32, (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    run->bytes = 2.0 * run->n * sizeof(float);
    run->flops = 3.0 * STEPS * run->n;
    return run_ready(run, error);
}

static portable_status launch_divergent(struct run *run)
{
    return KERNEL_LAUNCH(branch_divergent, run->grid, run->block, 0, 0, run->n, STEPS,
                         DEVICE_FLOATS("x"), DEVICE_FLOATS("y"));
}

static portable_status launch_uniform(struct run *run)
{
    return KERNEL_LAUNCH(branch_uniform, run->grid, run->block, 0, 0, run->n, STEPS,
                         DEVICE_FLOATS("x"), DEVICE_FLOATS("y"));
}

/* The logistic map, with the error that each step hands on: the derivative of r x (1 - x) at worst
 * within the error so far, and three roundings of a value below 1. */
static void expect_branch(struct run *run, int i, double rate)
{
    double x = (double)HOST_FLOATS("x")[i], error = 0;

    for (int step = 0; step < STEPS; step++) {
        error = rate * (fabs(1 - 2 * x) + error) * error + 2 * (double)FLT_EPSILON;
        error = error < 1 ? error : 1;
        x = rate * x * (1 - x);
    }
    run_expect(run, "y", (size_t)i, x, error);
}

static void reference_divergent(struct run *run)
{
    for (int i = 0; i < run->n; i++)
        expect_branch(run, i, i % 2 == 0 ? WORK_RATE_A : WORK_RATE_B);
}

static void reference_uniform(struct run *run)
{
    for (int i = 0; i < run->n; i++)
        expect_branch(run, i, i / WARP_SIZE % 2 == 0 ? WORK_RATE_A : WORK_RATE_B);
}

/* clang-format off */
#define STRIDED_SIZES {0, 32, 64, 1024, 65536}
#define BANK_SIZES {1, 256, 1000, 65537}

static const struct gallery_case cases[] = {
    {.family = "access", .name = "copy_coalesced",
     .summary = "neighbouring lanes, neighbouring words: the most there is", .problem = "copy",
     .takes = CASE_LINES, .timing_n = 1 << 26,
     .prepare = prepare_copy, .launch = launch_coalesced, .reference = reference_copy,
     .baseline = baseline_copy},
    {.family = "access", .name = "copy_strided",
     .summary = "lanes 32 words apart: a 32-byte sector moves for each 4 bytes", .problem = "copy",
     .takes = CASE_LINES, .sizes = STRIDED_SIZES, .timing_n = 1 << 26,
     .prepare = prepare_strided, .launch = launch_strided, .reference = reference_copy,
     .baseline = baseline_copy},
    {.family = "access", .name = "copy_misaligned",
     .summary = "one word off: one sector more per warp, mostly from the cache", .problem = "copy",
     .takes = CASE_LINES, .timing_n = 1 << 26,
     .prepare = prepare_copy, .launch = launch_misaligned, .reference = reference_shifted,
     .baseline = baseline_copy},
    {.family = "access", .name = "masses_of_structures",
     .summary = "one member of four: three quarters of what moves is waste", .problem = "masses",
     .takes = CASE_LINES, .timing_n = 1 << 25,
     .prepare = prepare_structures, .launch = launch_masses_of_structures,
     .reference = reference_masses_of_structures, .baseline = baseline_masses_of_structures},
    {.family = "access", .name = "masses_of_arrays",
     .summary = "the same from an array of its own: nothing is wasted", .problem = "masses",
     .takes = CASE_LINES, .timing_n = 1 << 25,
     .prepare = prepare_structures, .launch = launch_masses_of_arrays,
     .reference = reference_masses_of_arrays, .baseline = baseline_masses_of_arrays},
    {.family = "access", .name = "moments_of_structures",
     .summary = "all members, as one aligned float4: structures cost nothing",
     .takes = CASE_LINES, .timing_n = 1 << 25,
     .prepare = prepare_moments, .launch = launch_moments, .reference = reference_moments,
     .baseline = baseline_moments},
    {.family = "access", .name = "shared_banks_free",
     .summary = "lanes one word apart in shared memory: a bank for each", .problem = "shared_banks",
     .blocks = {{256}}, .sizes = BANK_SIZES, .timing_n = 1 << 22,
     .prepare = prepare_banks, .launch = launch_banks_free, .reference = reference_banks},
    {.family = "access", .name = "shared_banks_conflict",
     .summary = "lanes 32 words apart: one bank, 32 turns", .problem = "shared_banks",
     .blocks = {{256}}, .sizes = BANK_SIZES, .timing_n = 1 << 22,
     .prepare = prepare_banks, .launch = launch_banks_conflict, .reference = reference_banks},
    {.family = "access", .name = "branch_divergent",
     .summary = "both branches in each warp: twice the time",
     .takes = CASE_LINES, .timing_n = 1 << 20,
     .prepare = prepare_branches, .launch = launch_divergent, .reference = reference_divergent},
    {.family = "access", .name = "branch_uniform",
     .summary = "one branch in each warp: nothing is lost",
     .takes = CASE_LINES, .timing_n = 1 << 20,
     .prepare = prepare_branches, .launch = launch_uniform, .reference = reference_uniform},
};
/* clang-format on */
GALLERY_CASES(cases)
