/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/histogram.c"

#include "host/case.h"

/* Low bytes are the most frequent, as in a dark image. */
static int prepare(struct run *run, struct io_error *error)
{
    const size_t shape = (size_t)run->n;
    unsigned char *x = run_input_bytes(run, "x", 1, &shape);

    RUN_FILL(x, i, shape) {
        const unsigned random = run_random(run, "x", i);
        x[i] = (unsigned char)((random & 255) * (random >> 8 & 255) >> 8);
    }
    run_output_array(run, "bins", ARRAY_UINT32, HISTOGRAM_BINS, OWNER_NONE);
    run_stride(run, run->n);
    run->bytes = run->n;
    return run_ready(run, error);
}

/* Sixteen bytes per thread and turn. */
static int prepare_lanes(struct run *run, struct io_error *error)
{
    const int status = prepare(run, error);

    run_stride(run, run->n / 16 + 1);
    return status;
}

/* The lanes' kernel starts at an unaligned byte, except to time. */
static int skipped(const struct run *run)
{
    return run->timing || run->n < 5 ? 0 : 5;
}

/* first: the byte to begin with */
#define LAUNCH(kernel, first)                                                                      \
    static portable_status launch_##kernel(struct run *run)                                        \
    {                                                                                              \
        const portable_status status =                                                             \
            portable_memset(run_device(run, "bins"), 0, HISTOGRAM_BINS * sizeof(unsigned));        \
                                                                                                   \
        if (status != PORTABLE_SUCCESS)                                                            \
            return status;                                                                         \
        return KERNEL_LAUNCH(kernel, run->grid, run->block, 0, 0, run->n - (first),                \
                             DEVICE_BYTES("x") + (first), DEVICE_WORDS("bins"));                   \
    }
LAUNCH(histogram_global, 0)
LAUNCH(histogram_shared, 0)
LAUNCH(histogram_lanes, skipped(run))

static void expect_counts(struct run *run, int first)
{
    const unsigned char *x = HOST_BYTES("x");
    int counts[HISTOGRAM_BINS] = {0};

    for (int i = first; i < run->n; i++)
        counts[x[i]]++;
    for (int bin = 0; bin < HISTOGRAM_BINS; bin++)
        run_expect(run, "bins", (size_t)bin, counts[bin], 0);
}

static void reference(struct run *run)
{
    expect_counts(run, 0);
}

static void reference_lanes(struct run *run)
{
    expect_counts(run, skipped(run));
}

static void baseline(struct run *run)
{
    const int n = run->n;
    const unsigned char *RESTRICT x = HOST_BYTES("x");
    unsigned *RESTRICT bins = HOST_WORDS("bins");

    for (int bin = 0; bin < HISTOGRAM_BINS; bin++)
        bins[bin] = 0;
    for (int i = 0; i < n; i++)
        bins[x[i]]++;
}

/* clang-format off */
#define LINES_FROM_1024 {{1024}, {32}, {96}, {1000}}

static const struct gallery_case cases[] = {
    {.family = "histogram", .name = "histogram_global", .summary = "a global atomic per byte",
     .problem = "histogram", .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare, .launch = launch_histogram_global, .reference = reference, .baseline = baseline},
    {.family = "histogram", .name = "histogram_shared", .summary = "counts in shared memory first",
     .problem = "histogram", .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare, .launch = launch_histogram_shared, .reference = reference, .baseline = baseline},
    {.family = "histogram", .name = "histogram_lanes",
     .summary = "a column of counts for each lane", .problem = "histogram",
     .takes = CASE_LINES, .blocks = LINES_FROM_1024, .timing_n = 1 << 24,
     .prepare = prepare_lanes, .launch = launch_histogram_lanes, .reference = reference_lanes,
     .baseline = baseline},
};
/* clang-format on */
GALLERY_CASES(cases)
