/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/pairs.c"

#include "host/case.h"

/* Zeros and ones. */
static void input_flags(struct run *run, const char *name, size_t count)
{
    REAL *flags = run_input_real(run, name, count);

    RUN_FILL(flags, i, count)
        flags[i] = (REAL)(run_random(run, name, i) >> 31);
}

/* rows values of a, columns of b. */
static int prepare(struct run *run, struct io_error *error)
{
    run->rows = run->n;
    run->columns = run->timing ? run->n : run->n - run->n / 3;
    run_input_real(run, "a", (size_t)run->rows);
    run_input_real(run, "b", (size_t)run->columns);
    run_output_real(run, "total", 1, OWNER_NONE);
    if (!run->timing) {
        input_flags(run, "a_flags", (size_t)run->rows);
        input_flags(run, "b_flags", (size_t)run->columns);
        run_output_real(run, "total_of_flags", 1, OWNER_NONE);
    }
    run->bytes = ((double)run->rows + run->columns) * sizeof(REAL);
    run->flops = 5.0 * run->rows * run->columns;
    run_cover_plane(run, run->columns, run->rows);
    return run_ready(run, error);
}

/* Blocks along a, and strips of b: two to check, and to time as many as b has blocks. */
static int prepare_strips(struct run *run, struct io_error *error)
{
    const int status = prepare(run, error);

    run_cover(run, run->timing ? run->columns : 2 * (int)run->block.x);
    const unsigned strips = run->grid.x;
    run_cover(run, run->rows);
    run->grid.y = strips;
    return status;
}

/* To time, strips of four tiles: a block's start and end then cost less. */
static int prepare_long_strips(struct run *run, struct io_error *error)
{
    const int status = prepare_strips(run, error);

    if (run->timing && run->grid.y >= 4)
        run->grid.y /= 4;
    return status;
}

/* The second time on flags: pairs count 1 or 1/2, so that their sum is exact in any order, and
 * no pair is so small that a bound on roundings hides it. */
#define LAUNCH(kernel)                                                                             \
    static portable_status launch_##kernel(struct run *run)                                        \
    {                                                                                              \
        portable_status status = portable_memset(run_device(run, "total"), 0, sizeof(REAL));       \
                                                                                                   \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = KERNEL_LAUNCH(kernel, run->grid, run->block, 0, 0, run->rows, run->columns,   \
                                   DEVICE_REALS("a"), DEVICE_REALS("b"), DEVICE_REALS("total"));   \
        if (status != PORTABLE_SUCCESS || run->timing)                                             \
            return status;                                                                         \
        status = portable_memset(run_device(run, "total_of_flags"), 0, sizeof(REAL));              \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = KERNEL_LAUNCH(kernel, run->grid, run->block, 0, 0, run->rows, run->columns,   \
                                   DEVICE_REALS("a_flags"), DEVICE_REALS("b_flags"),               \
                                   DEVICE_REALS("total_of_flags"));                                \
        return status;                                                                             \
    }
LAUNCH(pairs_loop)
LAUNCH(pairs_strip)
LAUNCH(pairs_tiled)
LAUNCH(pairs_warp)
LAUNCH(pairs_broadcast)
LAUNCH(pairs_fractions)

/* Each term has four roundings, or up to 17 where four share a division. In sequence come a
 * thread's own terms, and every atomic. The terms have one sign and like sizes, so that the errors
 * of a growing sum do not cancel: the bound is the worst case, k u. */
static void reference(struct run *run)
{
    const REAL *a = HOST_REALS("a"), *b = HOST_REALS("b");
    const REAL *a_flags = HOST_REALS("a_flags"), *b_flags = HOST_REALS("b_flags");
    const double strip = run->grid.y > 0 ? (double)run->columns / run->grid.y : 0;
    const double pairs = (double)run->rows * run->columns;
    const double chain = strip + (double)run->rows * run->grid.y;
    double sum = 0, of_flags = 0;

    for (int i = 0; i < run->rows; i++)
        for (int j = 0; j < run->columns; j++) {
            const double d = (double)a[i] - (double)b[j];
            sum += 1 / (1 + d * d);
            of_flags += a_flags[i] == b_flags[j] ? 1 : 0.5;
        }
    run_expect(run, "total_of_flags", 0, of_flags, 0);
    run_expect(run, "total", 0, sum,
               (double)REAL_EPSILON * ((pairs < chain ? pairs : chain) + 9) * sum);
}

static void baseline(struct run *run)
{
    const int rows = run->rows, columns = run->columns;
    const REAL *RESTRICT a = HOST_REALS("a"), *RESTRICT b = HOST_REALS("b");
    REAL total = 0;

    for (int i = 0; i < rows; i++) {
        REAL sum = 0;
        for (int j = 0; j < columns; j++) {
            const REAL d = a[i] - b[j];
            sum += 1 / (1 + d * d);
        }
        total += sum;
    }
    HOST_REALS("total")[0] = total;
}

/* clang-format off */
#define SIZES {0, 1, 31, 32, 33, 257, 1000}
#define FREE_ORDER CASE_ABSREL(0, 1e-4, "an atomic sum of floats, whose order is free")

static const struct gallery_case cases[] = {
    {.family = "pairs", .name = "pairs_loop", .summary = "1. an atomic per pair",
     .problem = "pairs", .policy = FREE_ORDER,
     .takes = CASE_PLANES, .sizes = SIZES, .timing_n = 2048, .counts = CASE_EDGE,
     .prepare = prepare, .launch = launch_pairs_loop, .reference = reference, .baseline = baseline},
    {.family = "pairs", .name = "pairs_strip", .summary = "2. an a and a strip of b per thread",
     .problem = "pairs", .policy = FREE_ORDER,
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 8192, .counts = CASE_EDGE,
     .prepare = prepare_strips, .launch = launch_pairs_strip, .reference = reference,
     .baseline = baseline},
    {.family = "pairs", .name = "pairs_tiled",
     .summary = "3. b tiled through shared memory, diagonally", .problem = "pairs",
     .policy = FREE_ORDER,
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 8192, .counts = CASE_EDGE,
     .prepare = prepare_strips, .launch = launch_pairs_tiled, .reference = reference,
     .baseline = baseline},
    {.family = "pairs", .name = "pairs_warp", .summary = "4. a warp sum before each atomic",
     .problem = "pairs", .policy = FREE_ORDER,
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 8192, .counts = CASE_EDGE,
     .prepare = prepare_strips, .launch = launch_pairs_warp, .reference = reference,
     .baseline = baseline},
    {.family = "pairs", .name = "pairs_broadcast",
     .summary = "5. all threads at the same b, at the same time", .problem = "pairs",
     .policy = FREE_ORDER,
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 8192, .counts = CASE_EDGE,
     .prepare = prepare_strips, .launch = launch_pairs_broadcast, .reference = reference,
     .baseline = baseline},
    {.family = "pairs", .name = "pairs_fractions",
     .summary = "6. four pairs over one denominator", .problem = "pairs",
     .policy = FREE_ORDER,
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 8192, .counts = CASE_EDGE,
     .prepare = prepare_long_strips, .launch = launch_pairs_fractions, .reference = reference,
     .baseline = baseline},
};
/* clang-format on */
GALLERY_CASES(cases)
