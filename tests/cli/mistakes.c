/* SPDX-License-Identifier: BSD-3-Clause */
/* A case with the mistake that WRONG in the environment names, and a case behind it that is right.
 * For tests/cli/mistakes.sh, which knows the sentence for each. */
#include "host/case.h"

#include <math.h>   /* INFINITY, ldexp */
#include <stdio.h>  /* snprintf */
#include <stdlib.h> /* getenv */
#include <string.h> /* strcmp */

KERNEL(doubles)(int n, const REAL *x, REAL *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = 2 * x[i];
}

KERNEL(counts)(int n, unsigned *marks, unsigned long long *sums)
{
    GRID_STRIDE_LOOP(i, n) {
        marks[i]++;
        sums[i] = (unsigned long long)marks[i] << 40;
    }
}

KERNEL(writes_to_nowhere)(int n, REAL *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = 1;
}

static int is_wrong(const char *mistake)
{
    const char *const wrong = getenv("WRONG");

    return wrong && strcmp(wrong, mistake) == 0;
}

/* One of two, of which the second is a mistake. */
#define OR(right, mistake, wrong) (is_wrong(mistake) ? (wrong) : (right))

static int prepare_right(struct run *run, struct io_error *error)
{
    run_input_real(run, "x", (size_t)run->n);
    run_output_real(run, "y", (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    return run_ready(run, error);
}

static portable_status launch_right(struct run *run)
{
    return KERNEL_LAUNCH(doubles, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("x"),
                         DEVICE_REALS("y"));
}

static void reference_right(struct run *run)
{
    for (int i = 0; i < run->n; i++)
        run_expect(run, "y", (size_t)i, 2 * (double)HOST_REALS("x")[i], 0);
}

static int prepare(struct run *run, struct io_error *error)
{
    static char names[RUN_ARRAYS + 1][4];
    const size_t n = (size_t)run->n;
    REAL *const x = run_input_real(run, "x", n);
    unsigned *marks;

    if (is_wrong("prepare-beyond"))
        x[n] = 1;
    if (is_wrong("two-names"))
        run_input_real(run, "x", n);
    if (is_wrong("many-arrays"))
        for (int k = 0; k <= RUN_ARRAYS; k++) {
            snprintf(names[k], sizeof names[k], "a%d", k);
            run_input_real(run, names[k], n);
        }
    if (is_wrong("negative-count"))
        run_input_real(run, "more", (size_t)(run->n - 4));
    if (is_wrong("pinned"))
        run_pinned_real(run, RUN_PINNED, n);
    if (!is_wrong("no-result"))
        run_output_real(run, "y", n, OWNER_ELEMENT);
    marks = (unsigned *)run_update_array(run, "marks", ARRAY_UINT32, n, OWNER_ELEMENT);
    for (size_t k = 0; k < n; k++)
        marks[k] = 2;
    run_output_array(run, "sums", ARRAY_UINT64, n, OWNER_ELEMENT);
    run_scratch_array(run, "rest", ARRAY_FLOAT64, n);
    if (!is_wrong("no-grid"))
        run_stride(run, run->n);
    if (is_wrong("no-sentence"))
        return -1;
    if (is_wrong("not-ready"))
        run_input_real(run, "large", (size_t)1 << 60);
    return is_wrong("not-ready") ? 0 : run_ready(run, error);
}

static portable_status launch(struct run *run)
{
    portable_status status;

    if (is_wrong("swallows"))
        return PORTABLE_SUCCESS;
    if (is_wrong("device-type"))
        DEVICE_REALS("marks")[0] = 1;
    if (is_wrong("device-bytes"))
        DEVICE_BYTES("sums")[0] = 1;
    if (is_wrong("nowhere"))
        return KERNEL_LAUNCH(writes_to_nowhere, run->grid, run->block, 0, 0, run->n, (REAL *)NULL);
    status =
        KERNEL_LAUNCH(doubles, run->grid, OR(run->block, "large-block", DIM3(2048, 1, 1)), 0, 0,
                      run->n, DEVICE_REALS("x"), DEVICE_REALS(OR("y", "device-name", "values")));
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(counts, run->grid, run->block, 0, 0, run->n, DEVICE_WORDS("marks"),
                               DEVICE_LONG_WORDS("sums"));
    return status;
}

static void reference(struct run *run)
{
    const REAL *const x = HOST_REALS(OR("x", "host-name", "X"));
    const unsigned *const marks = HOST_WORDS("marks");
    const char *const y = OR("y", "expect-name", "Y");
    const double bound = OR(OR(0, "bound-negative", -1.0), "bound-infinite", (double)INFINITY);
    const int first = is_wrong("first") ? 1 : 0, last = is_wrong("last") ? run->n - 1 : run->n;

    if (is_wrong("host-type"))
        HOST_INTS("marks")[0] = 2;
    if (is_wrong("host-doubles"))
        HOST_DOUBLES("sums")[0] = 2;
    if (is_wrong("host-reals"))
        HOST_REALS("sums")[0] = 2;
    if (is_wrong("reference-beyond"))
        HOST_DOUBLES("rest")[run->n] = 1;
    for (int i = first; i < last && !is_wrong("nothing"); i++)
        run_expect(run, y, (size_t)i, 2 * (double)x[i], bound);
    for (int i = 0; i < run->n; i++) {
        run_expect(run, "marks", (size_t)i, marks[i] + 1.0, 0);
        run_expect(run, "sums", (size_t)i, ldexp(marks[i] + 1.0, 40), 0);
    }
    if (is_wrong("index"))
        run_expect(run, "sums", (size_t)run->n, 1, 0);
    if (is_wrong("expect-input"))
        run_expect(run, "x", 0, 1, 0);
    if (is_wrong("expect-scratch"))
        run_expect(run, "rest", 0, 1, 0);
    if (is_wrong("elsewhere"))
        run_expect_elsewhere(run, "z");
}

#define SIZES                                                                                      \
    {                                                                                              \
        3, 5                                                                                       \
    }
static struct gallery_case cases[] = {
    {.family = "mistakes",
     .name = "wrong",
     .summary = "what WRONG names",
     .takes = CASE_LINES,
     .sizes = SIZES,
     .timing_n = 5,
     .prepare = prepare,
     .launch = launch,
     .reference = reference},
    {.family = "mistakes",
     .name = "after",
     .summary = "y = 2 x",
     .takes = CASE_LINES,
     .sizes = SIZES,
     .timing_n = 5,
     .prepare = prepare_right,
     .launch = launch_right,
     .reference = reference_right},
};
#ifndef FORGOTTEN
GALLERY_CASES(cases)
#endif

/* Mistakes in the table, before its cases are registered or after. */
__attribute__((constructor(101))) static void change_table(void)
{
    struct gallery_case *const row = &cases[0];

    row->name = is_wrong("row-name") ? NULL : is_wrong("row-blank") ? "two words" : row->name;
    row->name = is_wrong("row-twice") ? "after" : row->name;
    row->family = is_wrong("row-family") ? NULL : row->family;
    row->summary = is_wrong("row-summary") ? NULL : row->summary;
    row->takes = is_wrong("row-takes") ? CASE_LISTED_BLOCKS : row->takes;
    row->timing_n = is_wrong("row-timing") ? 0 : row->timing_n;
    row->prepare = is_wrong("row-prepare") ? NULL : row->prepare;
    row->launch = is_wrong("row-launch") ? NULL : row->launch;
    if (is_wrong("row-sizes"))
        row->sizes[1] = 2;
    if (is_wrong("row-blocks"))
        row->blocks[0][0] = row->blocks[0][1] = 8;
}
