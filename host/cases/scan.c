/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/scan.c"

#include "host/case.h"

#include <float.h> /* FLT_EPSILON */
#include <math.h>  /* fabs */

/* run_roundings, of floats whatever REAL is. */
#define FLOAT_ROUNDINGS(k) (run_roundings(k) * ((double)FLT_EPSILON / (double)REAL_EPSILON))

#define THRESHOLD ((REAL)0.25)

static int prepare_scan(struct run *run, struct io_error *error)
{
    run_cover(run, run->n);
    run_input_real(run, "x", (size_t)run->n);
    run_output_real(run, "scanned", (size_t)run->n, OWNER_ELEMENT);
    run_scratch_real(run, "sums", run->grid.x);
    run->bytes = 2.0 * run->n * sizeof(REAL);
    run->flops = run->n;
    return run_ready(run, error);
}

/* The second and third step, after either first one. */
static portable_status finish_scan(struct run *run, portable_status status)
{
    if (status == PORTABLE_SUCCESS)
        status =
            KERNEL_LAUNCH(scan_sums, 1, run->block, 0, 0, (int)run->grid.x, DEVICE_REALS("sums"));
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(scan_add_sums, run->grid, run->block, 0, 0, run->n,
                               DEVICE_REALS("sums"), DEVICE_REALS("scanned"));
    return status;
}

static portable_status launch_inclusive(struct run *run)
{
    return finish_scan(run, KERNEL_LAUNCH(scan_inclusive_blocks, run->grid, run->block, 0, 0,
                                          run->n, DEVICE_REALS("x"), DEVICE_REALS("scanned"),
                                          DEVICE_REALS("sums")));
}

static portable_status launch_exclusive(struct run *run)
{
    return finish_scan(run, KERNEL_LAUNCH(scan_exclusive_blocks, run->grid, run->block, 0, 0,
                                          run->n, DEVICE_REALS("x"), DEVICE_REALS("scanned"),
                                          DEVICE_REALS("sums")));
}

static void expect_scan(struct run *run, int inclusive)
{
    const REAL *x = HOST_REALS("x");
    double sum = 0, magnitude = 0;

    for (int i = 0; i < run->n; i++) {
        if (!inclusive)
            run_expect(run, "scanned", (size_t)i, sum, run_roundings(i) * magnitude);
        sum += (double)x[i];
        magnitude += fabs((double)x[i]);
        if (inclusive)
            run_expect(run, "scanned", (size_t)i, sum, run_roundings(i) * magnitude);
    }
}

static void reference_inclusive(struct run *run)
{
    expect_scan(run, 1);
}

static void reference_exclusive(struct run *run)
{
    expect_scan(run, 0);
}

static void baseline_inclusive(struct run *run)
{
    const int n = run->n;
    const REAL *RESTRICT x = HOST_REALS("x");
    REAL *RESTRICT scanned = HOST_REALS("scanned");
    REAL sum = 0;

    for (int i = 0; i < n; i++)
        scanned[i] = sum += x[i];
}

static void baseline_exclusive(struct run *run)
{
    const int n = run->n;
    const REAL *RESTRICT x = HOST_REALS("x");
    REAL *RESTRICT scanned = HOST_REALS("scanned");
    REAL sum = 0;

    for (int i = 0; i < n; i++) {
        scanned[i] = sum;
        sum += x[i];
    }
}

/* One array for the queue, the tiles' sums and the groups', so that one fill clears all. */
static int scan_tiles(const struct run *run)
{
    return (run->n + SCAN_TILE - 1) / SCAN_TILE;
}

static size_t scan_words(const struct run *run)
{
    return 1 + (size_t)scan_tiles(run) + (size_t)(scan_tiles(run) / SCAN_GROUP);
}

/* As many blocks as the device runs at a time: those that come later would find nothing to do.
 * blocks: of a multiprocessor. */
static void fill_device(struct run *run, portable_status status, int blocks)
{
    struct portable_device device;

    if (status == PORTABLE_SUCCESS && portable_device_properties(&device) == PORTABLE_SUCCESS)
        run->grid = DIM3((unsigned)(blocks * device.multiprocessors), 1, 1);
}

static int prepare_single_pass(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;

    run_stride(run, scan_tiles(run) * SCAN_THREADS);
    if (run->timing) {
        int blocks;
        const portable_status status =
            portable_occupancy(scan_single_pass, SCAN_THREADS, 0, &blocks);

        fill_device(run, status, blocks);
    }
    run_input_float(run, "x", n);
    run_output_float(run, "scanned", 1, &n, OWNER_NONE);
    run_scratch_array(run, "words", ARRAY_UINT64, scan_words(run));
    if (!run->timing) {
        float *steps = run_input_float(run, "steps", n);

        RUN_FILL(steps, i, n)
            steps[i] = (float)(run_random(run, "steps", i) % 7) - 3;
        run_output_float(run, "walk", 1, &n, OWNER_NONE);
    }
    run->bytes = 2.0 * run->n * sizeof(float);
    run->flops = run->n;
    return run_ready(run, error);
}

static portable_status launch_once(struct run *run, const char *x, const char *scanned)
{
    unsigned long long *words = DEVICE_LONG_WORDS("words");
    portable_status status = portable_memset(words, 0, scan_words(run) * sizeof *words);

    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(scan_single_pass, run->grid, run->block, 0, 0, run->n,
                               DEVICE_FLOATS(x), DEVICE_FLOATS(scanned), (unsigned *)words,
                               words + 1, words + 1 + scan_tiles(run));
    return status;
}

/* The second time on whole numbers from -3 to 3, whose sums are exact in any order: no step is so
 * small that a bound on roundings hides it. */
static portable_status launch_single_pass(struct run *run)
{
    const portable_status status = launch_once(run, "x", "scanned");

    if (status != PORTABLE_SUCCESS || run->timing)
        return status;
    return launch_once(run, "steps", "walk");
}

static void reference_single_pass(struct run *run)
{
    const float *x = HOST_FLOATS("x"), *steps = HOST_FLOATS("steps");
    double sum = 0, magnitude = 0, place = 0;

    for (int i = 0; i < run->n; i++) {
        sum += (double)x[i];
        magnitude += fabs((double)x[i]);
        place += (double)steps[i];
        run_expect(run, "scanned", (size_t)i, sum, FLOAT_ROUNDINGS(i) * magnitude);
        run_expect(run, "walk", (size_t)i, place, 0);
    }
}

static void baseline_single_pass(struct run *run)
{
    const int n = run->n;
    const float *RESTRICT x = HOST_FLOATS("x");
    float *RESTRICT scanned = HOST_FLOATS("scanned");
    float sum = 0;

    for (int i = 0; i < n; i++)
        scanned[i] = sum += x[i];
}

/* A check fills the places of the elements left out with zeros; what is timed does not. */
static portable_status clear_packed(struct run *run, size_t bytes)
{
    return run->timing ? PORTABLE_SUCCESS : portable_memset(run_device(run, "packed"), 0, bytes);
}

/* Elements are uniform in [-1, 1): so many bytes are read, and of those that are kept written. */
static double compact_bytes(const struct run *run, size_t size)
{
    return (1 + (1 - (double)THRESHOLD) / 2) * run->n * (double)size;
}

static int prepare_compact(struct run *run, struct io_error *error)
{
    run_cover(run, run->n);
    run_input_real(run, "x", (size_t)run->n);
    run_output_array(run, "offsets", ARRAY_INT32, (size_t)run->grid.x + 1, OWNER_NONE);
    run_output_real(run, "packed", (size_t)run->n, OWNER_NONE);
    run->bytes = compact_bytes(run, sizeof(REAL));
    return run_ready(run, error);
}

static portable_status launch_offsets(struct run *run)
{
    portable_status status = clear_packed(run, (size_t)run->n * sizeof(REAL));

    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(compact_count, run->grid, run->block, 0, 0, run->n, THRESHOLD,
                               DEVICE_REALS("x"), DEVICE_INTS("offsets"));
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(compact_offsets, 1, run->block, 0, 0, (int)run->grid.x,
                               DEVICE_INTS("offsets"));
    return status;
}

static portable_status launch_by_scan(struct run *run)
{
    const portable_status status = launch_offsets(run);

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(compact_by_scan, run->grid, run->block, 0, 0, run->n, THRESHOLD,
                         DEVICE_REALS("x"), DEVICE_INTS("offsets"), DEVICE_REALS("packed"));
}

static portable_status launch_by_ballot(struct run *run)
{
    const portable_status status = launch_offsets(run);

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(compact_by_ballot, run->grid, run->block, 0, 0, run->n, THRESHOLD,
                         DEVICE_REALS("x"), DEVICE_INTS("offsets"), DEVICE_REALS("packed"));
}

static void reference_compact(struct run *run)
{
    const REAL *x = HOST_REALS("x");
    size_t kept = 0;

    run_expect(run, "offsets", 0, 0, 0); /* of a grid for no elements, too */
    for (int i = 0; i < run->n; i++) {
        if ((unsigned)i % run->block.x == 0)
            run_expect(run, "offsets", (unsigned)i / run->block.x, (double)kept, 0);
        if (x[i] > THRESHOLD)
            run_expect(run, "packed", kept++, (double)x[i], 0);
    }
    run_expect(run, "offsets", run->grid.x, (double)kept, 0);
    for (; kept < (size_t)run->n; kept++)
        run_expect(run, "packed", kept, 0, 0);
}

static void baseline_compact(struct run *run)
{
    const int n = run->n;
    const REAL *RESTRICT x = HOST_REALS("x");
    REAL *RESTRICT packed = HOST_REALS("packed");
    int kept = 0;

    for (int i = 0; i < n; i++)
        if (x[i] > THRESHOLD)
            packed[kept++] = x[i];
    HOST_INTS("offsets")[run->grid.x] = kept;
}

static int prepare_compact_once(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;

    run_stride(run, scan_tiles(run) * SCAN_THREADS);
    if (run->timing) {
        int blocks;
        const portable_status status =
            portable_occupancy(compact_single_pass, SCAN_THREADS, 0, &blocks);

        fill_device(run, status, blocks);
    }
    run_input_float(run, "x", n);
    run_output_array(run, "kept", ARRAY_UINT32, 1, OWNER_NONE);
    run_output_float(run, "packed", 1, &n, OWNER_NONE);
    run_scratch_array(run, "words", ARRAY_UINT64, scan_words(run));
    run->bytes = compact_bytes(run, sizeof(float));
    return run_ready(run, error);
}

static portable_status launch_compact_once(struct run *run)
{
    unsigned long long *words = DEVICE_LONG_WORDS("words");
    portable_status status = clear_packed(run, (size_t)run->n * sizeof(float));

    if (status == PORTABLE_SUCCESS)
        status = portable_memset(run_device(run, "kept"), 0, sizeof(unsigned));
    if (status == PORTABLE_SUCCESS)
        status = portable_memset(words, 0, scan_words(run) * sizeof *words);
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(compact_single_pass, run->grid, run->block, 0, 0, run->n,
                               (float)THRESHOLD, DEVICE_FLOATS("x"), DEVICE_FLOATS("packed"),
                               DEVICE_WORDS("kept"), (unsigned *)words, words + 1,
                               words + 1 + scan_tiles(run));
    return status;
}

static void reference_compact_once(struct run *run)
{
    const float *x = HOST_FLOATS("x");
    size_t kept = 0;

    for (int i = 0; i < run->n; i++)
        if (x[i] > (float)THRESHOLD)
            run_expect(run, "packed", kept++, (double)x[i], 0);
    run_expect(run, "kept", 0, (double)kept, 0);
    for (; kept < (size_t)run->n; kept++)
        run_expect(run, "packed", kept, 0, 0);
}

static void baseline_compact_once(struct run *run)
{
    const int n = run->n;
    const float threshold = (float)THRESHOLD, *RESTRICT x = HOST_FLOATS("x");
    float *RESTRICT packed = HOST_FLOATS("packed");
    unsigned kept = 0;

    for (int i = 0; i < n; i++)
        if (x[i] > threshold)
            packed[kept++] = x[i];
    HOST_WORDS("kept")[0] = kept;
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "scan", .name = "scan_inclusive", .summary = "prefix sums of an array of any size",
     .problem = "scan", .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_scan, .launch = launch_inclusive, .reference = reference_inclusive,
     .baseline = baseline_inclusive},
    {.family = "scan", .name = "scan_exclusive", .summary = "the sums of what comes before",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_scan, .launch = launch_exclusive, .reference = reference_exclusive,
     .baseline = baseline_exclusive},
    {.family = "scan", .name = "scan_single_pass", .summary = "prefix sums in one pass over memory",
     .problem = "scan", .blocks = {{SCAN_THREADS}}, .sizes = {0, 1, 33, 8191, 8192, 65537, 4300003},
     .timing_n = 1 << 24,
     .prepare = prepare_single_pass, .launch = launch_single_pass,
     .reference = reference_single_pass, .baseline = baseline_single_pass},
    {.family = "scan", .name = "compact_by_scan", .summary = "stream compaction by block scans",
     .problem = "compact", .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_compact, .launch = launch_by_scan, .reference = reference_compact,
     .baseline = baseline_compact},
    {.family = "scan", .name = "compact_by_ballot", .summary = "stream compaction by ballots",
     .problem = "compact", .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_compact, .launch = launch_by_ballot, .reference = reference_compact,
     .baseline = baseline_compact},
    {.family = "scan", .name = "compact_single_pass",
     .summary = "stream compaction in one pass over memory", .problem = "compact",
     .blocks = {{SCAN_THREADS}}, .sizes = {0, 1, 33, 8191, 8192, 65537, 4300003},
     .timing_n = 1 << 24,
     .prepare = prepare_compact_once, .launch = launch_compact_once,
     .reference = reference_compact_once, .baseline = baseline_compact_once},
};
/* clang-format on */
GALLERY_CASES(cases)
