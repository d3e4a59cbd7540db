/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/reduce.c"

#include "host/case.h"

#include <float.h> /* FLT_EPSILON */
#include <math.h>  /* fabs, sqrt */

/* Every kernel of the series gets x, leaves one sum per thread group of its kind, and sums those
 * in a second launch of one block; these set the number of sums. */
static int prepare_sums(struct run *run, struct io_error *error, int sums, enum owner owner)
{
    run_input_real(run, "x", (size_t)run->n);
    run_output_real(run, "sums", (size_t)sums, owner);
    run_output_real(run, "total", 1, OWNER_BLOCK);
    run->rows = sums;
    run->bytes = (double)run->n * sizeof(REAL);
    run->flops = run->n;
    return run_ready(run, error);
}

static int prepare_per_block(struct run *run, struct io_error *error)
{
    run_stride(run, run->n);
    return prepare_sums(run, error, (int)run->grid.x, OWNER_BLOCK);
}

static int prepare_per_warp(struct run *run, struct io_error *error)
{
    run_stride(run, run->n);
    return prepare_sums(run, error, (int)(run->grid.x * run->block.x / WARP_SIZE), OWNER_WARP);
}

static int prepare_per_thread(struct run *run, struct io_error *error)
{
    run_stride(run, run->n);
    return prepare_sums(run, error, (int)(run->grid.x * run->block.x), OWNER_ELEMENT);
}

static int prepare_total(struct run *run, struct io_error *error)
{
    run_input_real(run, "x", (size_t)run->n);
    run_output_real(run, "total", 1, OWNER_NONE);
    run_stride(run, run->n);
    run->bytes = (double)run->n * sizeof(REAL);
    run->flops = run->n;
    return run_ready(run, error);
}

static int prepare_one_thread(struct run *run, struct io_error *error)
{
    const int status = prepare_total(run, error);

    run->grid = DIM3(1, 1, 1);
    return status;
}

static portable_status launch_one_thread(struct run *run)
{
    return KERNEL_LAUNCH(sum_one_thread, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("x"),
                         DEVICE_REALS("total"));
}

static portable_status launch_atomic(struct run *run)
{
    const portable_status status = portable_memset(run_device(run, "total"), 0, sizeof(REAL));

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(sum_atomic, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("x"),
                         DEVICE_REALS("total"));
}

#define LAUNCH_TWICE(kernel)                                                                       \
    static portable_status launch_##kernel(struct run *run)                                        \
    {                                                                                              \
        const portable_status status = KERNEL_LAUNCH(kernel, run->grid, run->block, 0, 0, run->n,  \
                                                     DEVICE_REALS("x"), DEVICE_REALS("sums"));     \
        if (status != PORTABLE_SUCCESS)                                                            \
            return status;                                                                         \
        return KERNEL_LAUNCH(kernel, 1, run->block, 0, 0, run->rows, DEVICE_REALS("sums"),         \
                             DEVICE_REALS("total"));                                               \
    }
LAUNCH_TWICE(sum_tree)
LAUNCH_TWICE(sum_tree_any)
LAUNCH_TWICE(sum_two_level)
LAUNCH_TWICE(sum_collective)
LAUNCH_TWICE(sum_quarters)

/* These two leave more sums than blocks: the tree sums them up. */
static portable_status launch_sum_butterfly(struct run *run)
{
    const portable_status status = KERNEL_LAUNCH(sum_butterfly, run->grid, run->block, 0, 0, run->n,
                                                 DEVICE_REALS("x"), DEVICE_REALS("sums"));

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(sum_tree, 1, run->block, 0, 0, run->rows, DEVICE_REALS("sums"),
                         DEVICE_REALS("total"));
}

static portable_status launch_sum_warp(struct run *run)
{
    const portable_status status = KERNEL_LAUNCH(sum_warp, run->grid, run->block, 0, 0, run->n,
                                                 DEVICE_REALS("x"), DEVICE_REALS("sums"));

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(sum_tree_any, 1, run->block, 0, 0, run->rows, DEVICE_REALS("sums"),
                         DEVICE_REALS("total"));
}

/* Errors of a sum in sequence: one of each partial sum s, at most u |s|, and independent of one
 * another (Higham and Mary, as for run_roundings): 8 u times the root of their squares' sum. */
static void reference_one_thread(struct run *run)
{
    const REAL *x = HOST_REALS("x");
    double sum = 0, squares = 0;

    for (int i = 0; i < run->n; i++) {
        sum += (double)x[i];
        squares += sum * sum;
    }
    run_expect(run, "total", 0, sum, run_roundings(1) * 8 * sqrt(squares));
}

/* Multiples of 1/64, whose sums are exact in whatever order they are added. */
static int prepare_atomic(struct run *run, struct io_error *error)
{
    const int status = prepare_total(run, error);
    REAL *x = status == 0 ? HOST_REALS("x") : NULL;

    RUN_FILL(x, i, run->n)
        x[i] = (REAL)((int)(run_random(run, "x", i) % 129) - 64) / 64;
    return status;
}

static void reference_atomic(struct run *run)
{
    const REAL *x = HOST_REALS("x");
    double sum = 0;

    for (int i = 0; i < run->n; i++)
        sum += (double)x[i];
    run_expect(run, "total", 0, sum, 0);
}

/* The longest chain of additions behind a sum of n elements by that many threads: a thread's own,
 * then a tree over at most 1024. */
static double chain(double n, double threads)
{
    return n / threads + 10;
}

/* The sum of each group of `group` neighbouring threads, which `copies` elements repeat. Their sum
 * is the total as often. */
static void reference_groups(struct run *run, unsigned group, int copies)
{
    const REAL *x = HOST_REALS("x");
    const int stride = (int)(run->grid.x * run->block.x);
    const double first_chain = chain(run->n, stride);
    double all = 0, all_magnitude = 0;

    for (int s = 0; s < run->rows / copies; s++) {
        double sum = 0, magnitude = 0;

        for (int thread = s * (int)group; thread < (s + 1) * (int)group; thread++)
            for (int i = thread; i < run->n; i += stride) {
                sum += (double)x[i];
                magnitude += fabs((double)x[i]);
            }
        for (int copy = 0; copy < copies; copy++)
            run_expect(run, "sums", (size_t)(s * copies + copy), sum,
                       run_roundings(first_chain) * magnitude);
        all += copies * sum;
        all_magnitude += copies * magnitude;
    }
    run_expect(run, "total", 0, all,
               run_roundings(first_chain + chain(run->rows, run->block.x)) * all_magnitude);
}

static void reference_per_block(struct run *run)
{
    reference_groups(run, run->block.x, 1);
}

static void reference_per_warp(struct run *run)
{
    reference_groups(run, WARP_SIZE, 1);
}

static void reference_per_thread(struct run *run)
{
    reference_groups(run, run->block.x, (int)run->block.x);
}

static void baseline_sum(struct run *run)
{
    const int n = run->n;
    const REAL *x = HOST_REALS("x");
    REAL sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i];
    HOST_REALS("total")[0] = sum;
}

static int prepare_quarters(struct run *run, struct io_error *error)
{
    run_stride(run, (run->n + 3) / 4);
    return prepare_sums(run, error, (int)run->grid.x, OWNER_BLOCK);
}

static int prepare_sum_float4(struct run *run, struct io_error *error)
{
    run_stride(run, (run->n + 15) / 16);
    const size_t sums = run->grid.x, one = 1;
    run_input_float(run, "x", (size_t)run->n);
    run_output_float(run, "sums", 1, &sums, OWNER_BLOCK);
    run_output_float(run, "total", 1, &one, OWNER_NONE);
    run->bytes = (double)run->n * sizeof(float);
    run->flops = run->n;
    return run_ready(run, error);
}

static portable_status launch_sum_float4(struct run *run)
{
    const portable_status status = KERNEL_LAUNCH(sum_float4, run->grid, run->block, 0, 0, run->n,
                                                 DEVICE_FLOATS("x"), DEVICE_FLOATS("sums"));

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(sum_float4, 1, run->block, 0, 0, (int)run->grid.x, DEVICE_FLOATS("sums"),
                         DEVICE_FLOATS("total"));
}

/* The block's threads take i of each quarter, in pieces of `width` elements, and then the
 * remainder of n. */
static void reference_in_quarters(struct run *run, int width)
{
    const float *floats = HOST_FLOATS("x");
    const REAL *reals = HOST_REALS("x");
    const int quarter = run->n / (4 * width), block = (int)run->block.x, blocks = (int)run->grid.x;
    const double unit = width == 1 ? 1 : (double)FLT_EPSILON / (double)REAL_EPSILON;
    /* A turn's sum of four, the turns, the sum of a thread's, what is left over, the tree. */
    const double links = chain(run->n / (4.0 * width), (double)blocks * block) + 6;
    const double more_links = chain(blocks / (4.0 * width), block) + 6;
    double all = 0, all_magnitude = 0;

    for (int b = 0; b < blocks; b++) {
        double sum = 0, magnitude = 0;

        for (int e = 0; e < run->n; e++) {
            const int in_quarters = 4 * width * quarter;
            const int i = e < in_quarters ? e / width % quarter : e - in_quarters;
            const double value = width == 1 ? (double)reals[e] : (double)floats[e];

            if (i / block % blocks != b)
                continue;
            sum += value;
            magnitude += fabs(value);
        }
        run_expect(run, "sums", (size_t)b, sum, unit * run_roundings(links) * magnitude);
        all += sum;
        all_magnitude += magnitude;
    }
    run_expect(run, "total", 0, all, unit * run_roundings(links + more_links) * all_magnitude);
}

static void reference_sum_quarters(struct run *run)
{
    reference_in_quarters(run, 1);
}

static void reference_sum_float4(struct run *run)
{
    reference_in_quarters(run, 4);
}

static void baseline_sum_float4(struct run *run)
{
    const int n = run->n;
    const float *x = HOST_FLOATS("x");
    float sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i];
    HOST_FLOATS("total")[0] = sum;
}

static int prepare_statistics(struct run *run, struct io_error *error)
{
    run_stride(run, run->n);
    run_input_real(run, "x", (size_t)run->n);
    run_scratch_real(run, "lows", run->grid.x);
    run_scratch_real(run, "highs", run->grid.x);
    run_scratch_real(run, "sums", run->grid.x);
    run_output_real(run, "result", 4, OWNER_NONE);
    run->bytes = (double)run->n * sizeof(REAL);
    run->flops = 3.0 * run->n;
    return run_ready(run, error);
}

static portable_status launch_statistics(struct run *run)
{
    const portable_status status =
        KERNEL_LAUNCH(statistics, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("x"),
                      DEVICE_REALS("lows"), DEVICE_REALS("highs"), DEVICE_REALS("sums"));

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(statistics_of_blocks, 1, run->block, 0, 0, run->n, (int)run->grid.x,
                         DEVICE_REALS("lows"), DEVICE_REALS("highs"), DEVICE_REALS("sums"),
                         DEVICE_REALS("result"));
}

static void reference_statistics(struct run *run)
{
    const REAL *x = HOST_REALS("x");
    double low = (double)x[0], high = (double)x[0], sum = 0, magnitude = 0;

    for (int i = 0; i < run->n; i++) {
        low = (double)x[i] < low ? (double)x[i] : low;
        high = (double)x[i] > high ? (double)x[i] : high;
        sum += (double)x[i];
        magnitude += fabs((double)x[i]);
    }
    run_expect(run, "result", 0, low, 0);
    run_expect(run, "result", 1, high, 0);
    const double links =
        chain(run->n, (double)run->grid.x * run->block.x) + chain(run->grid.x, run->block.x);
    run_expect(run, "result", 2, sum, run_roundings(links) * magnitude);
    run_expect(run, "result", 3, sum / run->n, run_roundings(links + 1) * magnitude / run->n);
}

static void baseline_statistics(struct run *run)
{
    const int n = run->n;
    const REAL *x = HOST_REALS("x");
    REAL low = x[0], high = x[0], sum = 0;

    for (int i = 0; i < n; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
        sum += x[i];
    }
    HOST_REALS("result")[0] = low;
    HOST_REALS("result")[1] = high;
    HOST_REALS("result")[2] = sum;
    HOST_REALS("result")[3] = sum / (REAL)n;
}

/* clang-format off */
#define LINES_TO_1024 {{256}, {32}, {96}, {1024}}

static const struct gallery_case cases[] = {
    {.family = "reduce", .name = "sum_one_thread", .summary = "1. one thread", .problem = "sum",
     .blocks = {{1}}, .timing_n = 1 << 16,
     .prepare = prepare_one_thread, .launch = launch_one_thread, .reference = reference_one_thread,
     .baseline = baseline_sum},
    {.family = "reduce", .name = "sum_atomic",
     .summary = "2. one atomic per element, of sums that are exact", .problem = "sum",
     .takes = CASE_LINES, .blocks = LINES_TO_1024, .timing_n = 1 << 20,
     .prepare = prepare_atomic, .launch = launch_atomic, .reference = reference_atomic,
     .baseline = baseline_sum},
    {.family = "reduce", .name = "sum_tree", .summary = "3. a tree in shared memory",
     .problem = "sum", .takes = CASE_POWERS_OF_TWO, .timing_n = 1 << 24,
     .prepare = prepare_per_block, .launch = launch_sum_tree, .reference = reference_per_block,
     .baseline = baseline_sum},
    {.family = "reduce", .name = "sum_tree_any", .summary = "4. the tree for a block of any size",
     .problem = "sum", .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_per_block, .launch = launch_sum_tree_any, .reference = reference_per_block,
     .baseline = baseline_sum},
    {.family = "reduce", .name = "sum_butterfly",
     .summary = "5. a butterfly: every thread has the sum", .problem = "sum",
     .takes = CASE_POWERS_OF_TWO, .timing_n = 1 << 24,
     .prepare = prepare_per_thread, .launch = launch_sum_butterfly,
     .reference = reference_per_thread, .baseline = baseline_sum},
    {.family = "reduce", .name = "sum_warp", .summary = "6. warp shuffles, one sum per warp",
     .problem = "sum", .takes = CASE_WARPS, .timing_n = 1 << 24,
     .prepare = prepare_per_warp, .launch = launch_sum_warp, .reference = reference_per_warp,
     .baseline = baseline_sum},
    {.family = "reduce", .name = "sum_two_level", .summary = "7. warps, then the first warp",
     .problem = "sum", .takes = CASE_WARPS, .timing_n = 1 << 24,
     .prepare = prepare_per_block, .launch = launch_sum_two_level, .reference = reference_per_block,
     .baseline = baseline_sum},
    {.family = "reduce", .name = "sum_collective", .summary = "8. BLOCK_REDUCE_ADD",
     .problem = "sum", .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_per_block, .launch = launch_sum_collective,
     .reference = reference_per_block, .baseline = baseline_sum},
    {.family = "reduce", .name = "sum_quarters", .summary = "9. four loads under way",
     .problem = "sum", .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_quarters, .launch = launch_sum_quarters,
     .reference = reference_sum_quarters, .baseline = baseline_sum},
    {.family = "reduce", .name = "sum_float4", .summary = "10. four loads of 16 bytes under way",
     .problem = "sum", .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_sum_float4, .launch = launch_sum_float4, .reference = reference_sum_float4,
     .baseline = baseline_sum_float4},
    {.family = "reduce", .name = "statistics",
     .summary = "minimum, maximum, sum and mean in one pass",
     .takes = CASE_LINES, .sizes = {1, 2, 31, 32, 33, 1000, 65537}, .timing_n = 1 << 24,
     .prepare = prepare_statistics, .launch = launch_statistics, .reference = reference_statistics,
     .baseline = baseline_statistics},
};
/* clang-format on */
GALLERY_CASES(cases)
