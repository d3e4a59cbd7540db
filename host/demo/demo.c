/* SPDX-License-Identifier: BSD-3-Clause */
/* gallery demo: sparse matrices, images and sums from tests/data, one line for each job. */
#include "host/bench/bench.h"
#include "host/check.h"
#include "host/programs/gallery.h"
#include "host/outputs.h"

#include <stdio.h>  /* printf, snprintf */
#include <string.h> /* memset, strcspn, strrchr */

/* A case, and its input file or its size. */
static const struct {
    const char *name, *file;
    int n;
} jobs[] = {
    {"csr_spmv", "mtx/west0067.mtx", 0},
    {"csr_spmv", "mtx/karate.mtx", 0},
    {"csr_spmv", "mtx/lp_e226.mtx", 0},
    {"csr_spmv", "mtx/watt_2.mtx", 0},
    {"csr_spmv", "mtx/bcsstk13.mtx", 0},
    {"csr_spmv", "mtx/bayer10.mtx", 0},
    {"csr_spmv_cached", "mtx/bcsstk13.mtx", 0},
    {"csr_spmv_cached", "mtx/bayer10.mtx", 0},
    {"residual", "mtx/bcsstk13.mtx", 0},
    {"residual", "mtx/bayer10.mtx", 0},
    {"blur", "img/camera.pgm", 0},
    {"blur", "img/chelsea.ppm", 0},
    {"sum_one_thread", NULL, 1000000},
    {"sum_atomic", NULL, 1000000},
    {"sum_tree", NULL, 1000000},
    {"sum_tree_any", NULL, 1000000},
    {"sum_butterfly", NULL, 1000000},
    {"sum_warp", NULL, 1000000},
    {"sum_two_level", NULL, 1000000},
    {"sum_collective", NULL, 1000000},
    {"statistics", NULL, 1000000},
};

static int demo_job(size_t k, const struct gallery_options *options)
{
    const struct gallery_case *test_case = case_find(jobs[k].name);
    struct check_options check = {.every_run = 1};
    const struct bench_options how = {11, 0, 0};
    struct check_result result;
    struct bench_result times;
    struct io_error error;
    struct gallery_options run_options = *options;
    struct run run;
    char input[4096], directory[256], what[64], share[SHARE_TEXT_SIZE];
    enum verdict verdict;

    if (!test_case)
        return gallery_fail("the demo's case %s is not in this gallery", jobs[k].name);
    if (jobs[k].file) {
        const char *base = strrchr(jobs[k].file, '/') + 1;

        snprintf(input, sizeof input, "%s/%s", options->names.texts[0], jobs[k].file);
        run_options.input = input;
        snprintf(what, sizeof what, "%.*s", (int)strcspn(base, "."), base);
    } else {
        run_options.n = jobs[k].n;
        snprintf(what, sizeof what, "n = %d", jobs[k].n);
    }
    snprintf(directory, sizeof directory, "%s-%.*s", test_case->name, (int)strcspn(what, " "),
             jobs[k].file ? what : "n");
    progress("%s %s", test_case->name, what);
    memset(&result, 0, sizeof result);
    check.dump = options->dump;
    check.against = options->against;
    check.against_name = options->against_name;
    run = gallery_run(test_case, &run_options);
    verdict = check_run(&run, directory, &check, &result, &error);
    if (verdict != VERDICT_ERROR) {
        run = gallery_run(test_case, &run_options);
        if (bench_run(&run, &how, &times, &error) != 0)
            verdict = VERDICT_ERROR;
    }
    progress_end();
    if (verdict == VERDICT_ERROR)
        return gallery_fail("%s", error.text);
    printf("%-16s %-12s %-7s", test_case->name, what, PORTABLE_TARGET_NAME);
    printf(" %10.1f %9.1f %9.1f", 1e6 * times.kernel.median,
           1e-9 * times.bytes / times.kernel.median, 1e-9 * times.flops / times.kernel.median);
    printf(" %9s %s", share_text(result.rows[0].worst.share, 1, share),
           result.rows[0].failures ? "FAILED" : "ok    ");
    if (options->against)
        printf("  %.3g ULP from %s, %s", result.rows[1].worst.worst_ulp, options->against_name,
               result.rows[1].failures ? "FAILED" : "ok");
    putchar('\n');
    fflush(stdout);
    return verdict_failure(verdict);
}

static int demo(const struct gallery_options *options)
{
    struct io_error error;
    int status, worst = 0;

    if (options->names.count != 1)
        return gallery_fail("demo takes the directory of the data");
    status = gallery_need_device();
    if (status != 0)
        return status;
    if (!options->against)
        printf("%-16s %-12s %-7s %10s %9s %9s  %s\n", "case", "input", "target", "us", "GB/s",
               "GFLOP/s", "of the reference's bound; other target");
    for (size_t k = 0; k < sizeof jobs / sizeof jobs[0]; k++) {
        status = demo_job(k, options);
        if (status > worst)
            worst = status;
    }
    if (options->dump && write_manifest(options->dump, &error) != 0)
        return gallery_fail("%s", error.text);
    return worst;
}

static const struct gallery_command command = {
    .name = "demo",
    .operands = "DATA_DIR",
    .options = "--dump --against",
    .help = "real matrices and images of DATA_DIR, timed and compared",
    .call = demo,
    .in_child = 1,
};
GALLERY_COMMAND(command)
