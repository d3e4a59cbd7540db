/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "host/check.h"

#include "host/isolate.h"
#include "host/npy.h"
#include "host/outputs.h"
#include "host/results.h"

#include <math.h>   /* fabs */
#include <stdarg.h> /* va_list */
#include <stdio.h>  /* printf */
#include <stdlib.h> /* free, malloc, realloc */
#include <string.h> /* memcpy, memset, strrchr, strstr */

enum { POISON = 0xff, OTHER_POISON = 0x5a, SEED = 1 };

void check_diagnose(struct check_diagnostics *diagnostics, const char *format, ...)
{
    const size_t space = sizeof diagnostics->text - diagnostics->length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    length = vsnprintf(diagnostics->text + diagnostics->length, space, format, arguments);
    va_end(arguments);
    if (length > 0)
        diagnostics->length += (size_t)length < space ? (size_t)length : space - 1;
}

/* "y[7] block (0, 0, 0) thread (7, 0, 0)" */
static void where_text(const struct run *run, const struct run_array *array, size_t index,
                       char *text, size_t size)
{
    char place[ARRAY_TEXT_SIZE], owner[96];

    array_index_text(&array->host, index, place, sizeof place);
    run_owner_text(run, array, index, owner, sizeof owner);
    snprintf(text, size, "%s%s%s%s", array->name, place, owner[0] ? " " : "", owner);
}

/* Adds a comparison to the row. */
static void add_comparison(struct check_row *row, const struct run *run,
                           const struct run_array *array, const struct comparison *comparison)
{
    const int worse =
        comparison->share > row->worst.share ||
        (comparison->share == row->worst.share && comparison->worst_ulp > row->worst.worst_ulp);

    row->worst.count += comparison->count;
    row->worst.mismatches += comparison->mismatches;
    error_histogram_add(&row->worst.shares, &comparison->shares);
    error_histogram_add(&row->worst.ulps, &comparison->ulps);
    if (worse) {
        row->worst.share = comparison->share;
        row->worst.worst_ulp = comparison->worst_ulp;
        row->worst.worst_absolute = comparison->worst_absolute;
        where_text(run, array, comparison->worst_index, row->where, sizeof row->where);
    }
    if (worse || row->worst.share == 0) {
        row->n = run->n;
        row->block = run->block;
    }
}

/* Whether the bytes of an element are all the same. */
static int all_bytes(const unsigned char *element, size_t size, int byte)
{
    for (size_t k = 0; k < size; k++)
        if (element[k] != byte)
            return 0;
    return 1;
}

/* Whether an element of an output still has the poison of the launch. */
static int has_poison(const struct run *run)
{
    for (int k = 0; k < run->array_count; k++) {
        const struct run_array *array = &run->arrays[k];
        const size_t size = array_type_size(array->host.type), count = array_count(&array->host);

        if (array->role != ROLE_OUTPUT)
            continue;
        for (size_t i = 0; i < count; i++)
            if (all_bytes((unsigned char *)array->host.data + i * size, size, POISON))
                return 1;
    }
    return 0;
}

/* Copies what the run's arrays hold. */
static int copy_arrays(const struct run *run, unsigned char *copies[RUN_ARRAYS],
                       struct io_error *error)
{
    for (int k = 0; k < run->array_count; k++) {
        const struct array *host = &run->arrays[k].host;
        const size_t bytes = array_count(host) * array_type_size(host->type);

        copies[k] = (unsigned char *)malloc(bytes + 1);
        if (!copies[k])
            return io_fail(error, "case %s, n = %d, array %s: no memory for %zu bytes",
                           run->test_case->name, run->n, run->arrays[k].name, bytes);
        memcpy(copies[k], host->data, bytes);
    }
    return 0;
}

/* Reports the elements of an output that kept the poison of both launches. */
static enum verdict report_unwritten(const struct run *run, const struct run_array *array,
                                     const unsigned char *first_launch,
                                     struct check_diagnostics *diagnostics)
{
    const size_t size = array_type_size(array->host.type), count = array_count(&array->host);
    size_t unwritten = 0, first = 0;
    char where[192], block[48];

    for (size_t i = 0; i < count; i++)
        if (all_bytes(first_launch + i * size, size, POISON) &&
            all_bytes((unsigned char *)array->host.data + i * size, size, OTHER_POISON) &&
            unwritten++ == 0)
            first = i;
    if (unwritten == 0)
        return VERDICT_NOTHING_COMPARED;
    if (diagnostics) {
        where_text(run, array, first, where, sizeof where);
        block_text(run->block, block, sizeof block);
        check_diagnose(diagnostics,
                       "  %s, n = %d, block %s: %zu of %zu elements were never written; the first "
                       "is %s\n",
                       run->test_case->name, run->n, block, unwritten, count, where);
    }
    return VERDICT_UNWRITTEN;
}

/* The first mismatches, and whether rounding alone can explain them: both values lie within the
 * reference's bound, as they do when one side contracts or reorders. */
static void explain(const struct run *run, const struct run_array *array,
                    const struct array *expected, const double *values, const char *pair,
                    const struct comparison *comparison, struct check_diagnostics *diagnostics)
{
    char block[48];
    size_t shown = 0;
    int rounding = array->expected != NULL && expected != NULL;

    block_text(run->block, block, sizeof block);
    check_diagnose(diagnostics, "  %s, n = %d, block %s, %s: %zu of %zu elements of %s differ\n",
                   run->test_case->name, run->n, block, pair, comparison->mismatches,
                   comparison->count, array->name);
    for (; shown < comparison->mismatches && shown < COMPARISON_FIRST; shown++) {
        const size_t at = comparison->first[shown];
        char where[192], want[ARRAY_TEXT_SIZE], have[ARRAY_TEXT_SIZE];

        where_text(run, array, at, where, sizeof where);
        array_element_text(&array->host, at, have, sizeof have);
        if (values)
            snprintf(want, sizeof want, "%.17g", values[at]);
        else
            array_element_text(expected, at, want, sizeof want);
        check_diagnose(diagnostics, "    %s: %s, expected %s\n", where, have, want);
        if (rounding)
            rounding =
                fabs(array_get(&array->host, at) - array->expected[at]) <= array->bound[at] &&
                fabs(array_get(expected, at) - array->expected[at]) <= array->bound[at];
    }
    if (comparison->mismatches > shown)
        check_diagnose(diagnostics, "    and %zu more\n", comparison->mismatches - shown);
    if (expected && array->expected)
        check_diagnose(diagnostics, "    %s\n",
                       rounding ? "both sides lie within the reference's rounding bound: "
                                  "contraction (FMA) or another order can explain this"
                                : "rounding does not explain this");
}

enum verdict check_array(const struct run *run, const struct run_array *array,
                         const struct array *expected, struct check_row *row,
                         struct check_diagnostics *diagnostics, struct io_error *error)
{
    struct comparison comparison;

    if (compare_arrays(expected, &array->host, run->test_case->policy, &comparison, error) != 0)
        return VERDICT_ERROR;
    add_comparison(row, run, array, &comparison);
    if (comparison.mismatches > 0 && diagnostics)
        explain(run, array, expected, NULL, row->pair, &comparison, diagnostics);
    return verdict_of(comparison.count, comparison.mismatches);
}

/* A case without a result would always pass. */
static int has_results(const struct run *run, struct io_error *error)
{
    for (int k = 0; k < run->array_count; k++)
        if (run_array_is_result(&run->arrays[k]))
            return 0;
    return io_fail(error, "case %s has no output and no updated array: nothing can be compared",
                   run->test_case->name);
}

/* A run while it is checked. */
struct checking {
    struct run *run;
    const char *directory;
    const struct check_options *options;
    struct check_result *result;
    struct check_row *reference, *target; /* of the result, or NULL */
    struct io_error *error;
};

/* NULL after the first failure, which is printed in full. */
static struct check_diagnostics *diagnostics_of(const struct checking *checking)
{
    return checking->result->is_diagnosed ? NULL : &checking->result->diagnostics;
}

/* Of a phase without comparisons. */
static enum verdict completed(int status)
{
    return status == 0 ? VERDICT_NOTHING_COMPARED : VERDICT_ERROR;
}

static enum verdict prepare(struct checking *checking)
{
    struct run *const run = checking->run;
    int status;

    isolate_note(run);
    status = run_prepare(run, checking->error);
    if (status == 0)
        status = has_results(run, checking->error);
    if (status == 0)
        status = run_reference(run, checking->error);
    return completed(status);
}

/* Launches and fetches the results. Memory that a kernel may have damaged is not compared. */
static int compute(struct checking *checking, int poison)
{
    const char *const command = isolate_command();
    int status = run_launch(checking->run, poison, checking->error);

    if (checking->run->status == PORTABLE_ERROR_DEVICE && command) {
        const struct io_error error = *checking->error;

        io_fail(checking->error, "%s; to see where: %s", error.text, command);
    }
    isolate_note_launch();
    if (status == 0)
        status = run_fetch(checking->run, checking->error);
    if (status == RUN_DAMAGED)
        isolate_crash(portable_last_message(), checking->error);
    return status;
}

static enum verdict launch(struct checking *checking)
{
    return completed(compute(checking, POISON));
}

/* An element that still has the poison after a launch may have been computed so: a second launch
 * over other poison tells. */
static enum verdict find_unwritten(struct checking *checking)
{
    struct run *const run = checking->run;
    unsigned char *first_launch[RUN_ARRAYS] = {NULL};
    enum verdict verdict = VERDICT_NOTHING_COMPARED;
    int status;

    if (!has_poison(run))
        return verdict;
    status = copy_arrays(run, first_launch, checking->error);
    if (status == 0)
        status = compute(checking, OTHER_POISON);
    for (int k = 0; k < run->array_count && status == 0; k++) {
        struct array *const host = &run->arrays[k].host;

        if (run->arrays[k].role == ROLE_OUTPUT)
            verdict = verdict_worse(verdict, report_unwritten(run, &run->arrays[k], first_launch[k],
                                                              diagnostics_of(checking)));
        memcpy(host->data, first_launch[k], array_count(host) * array_type_size(host->type));
    }
    for (int k = 0; k < run->array_count; k++)
        free(first_launch[k]);
    return verdict_worse(verdict, completed(status));
}

static enum verdict compare_with_reference(struct checking *checking)
{
    struct check_row *const row = checking->reference;
    enum verdict verdict = VERDICT_NOTHING_COMPARED;

    for (int k = 0; row && k < checking->run->array_count; k++) {
        const struct run_array *array = &checking->run->arrays[k];
        struct comparison comparison;

        if (!run_array_is_result(array) || !array->expected)
            continue;
        compare_bounded(array->expected, array->bound, &array->host, &comparison);
        add_comparison(row, checking->run, array, &comparison);
        if (comparison.mismatches > 0 && diagnostics_of(checking))
            explain(checking->run, array, NULL, array->expected, row->pair, &comparison,
                    diagnostics_of(checking));
        verdict = verdict_worse(verdict, verdict_of(comparison.count, comparison.mismatches));
    }
    return verdict;
}

/* Adds the pictures of a run to its result, if the kernel computed one of them. */
static int add_pictures(const struct run *run, const struct image_files *images,
                        struct check_result *result, struct io_error *error)
{
    const size_t capacity = (size_t)(result->picture_count + images->count);
    struct check_picture *pictures;
    int is_shown = 0;

    for (int k = 0; k < images->count; k++)
        is_shown |= images->files[k].is_picture && !images->files[k].is_initial;
    if (!is_shown)
        return 0;
    pictures = (struct check_picture *)realloc(result->pictures, capacity * sizeof *pictures);
    if (!pictures)
        return io_fail(error, "case %s: no memory for the names of %zu images",
                       run->test_case->name, capacity);
    result->pictures = pictures;
    for (int k = 0; k < images->count; k++) {
        struct check_picture *const picture = &pictures[result->picture_count];

        if (!images->files[k].is_picture)
            continue;
        picture->file = images->files[k];
        if (run->input)
            snprintf(picture->label, sizeof picture->label, "%s", io_base_name(run->input));
        else
            snprintf(picture->label, sizeof picture->label, "n = %d", run->n);
        result->picture_count++;
    }
    return 0;
}

static enum verdict dump(struct checking *checking)
{
    const struct check_options *const options = checking->options;
    struct image_files images;
    char path[4096];
    int status;

    if (!options->dump)
        return VERDICT_NOTHING_COMPARED;
    snprintf(path, sizeof path, "%s/%s", options->dump, checking->directory);
    status = write_outputs(checking->run, path, &images, checking->error);
    if (status == 0 && options->results && options->show_pictures)
        status = add_pictures(checking->run, &images, checking->result, checking->error);
    return completed(status);
}

static enum verdict compare_with_target(struct checking *checking)
{
    enum verdict verdict = VERDICT_NOTHING_COMPARED;

    for (int k = 0; checking->target && k < checking->run->array_count; k++) {
        const struct run_array *array = &checking->run->arrays[k];
        struct array expected;
        char path[4300];

        if (!run_array_is_result(array))
            continue;
        snprintf(path, sizeof path, "%s/%s/%s.npy", checking->options->against, checking->directory,
                 array->name);
        if (npy_read(path, &expected, checking->error) != 0)
            return VERDICT_ERROR;
        verdict =
            verdict_worse(verdict, check_array(checking->run, array, &expected, checking->target,
                                               diagnostics_of(checking), checking->error));
        array_free(&expected);
        if (verdict == VERDICT_ERROR)
            return verdict;
    }
    return verdict;
}

static enum verdict visit(struct checking *checking)
{
    const struct check_options *const options = checking->options;

    if (!options->visit)
        return VERDICT_NOTHING_COMPARED;
    return options->visit(checking->run, options->context, checking->error);
}

/* The phases of a run, in order, and the rows that a failure counts in. An error ends the run. */
enum { REFERENCE = 1, TARGET = 2 };

static const struct phase {
    enum verdict (*call)(struct checking *checking);
    int rows;
} phases[] = {
    {prepare, REFERENCE | TARGET},
    {launch, REFERENCE | TARGET},
    {find_unwritten, REFERENCE | TARGET},
    {compare_with_reference, REFERENCE},
    {dump, TARGET},
    {compare_with_target, TARGET},
    {visit, TARGET},
};

enum verdict check_run(struct run *run, const char *directory, const struct check_options *options,
                       struct check_result *result, struct io_error *error)
{
    struct checking checking = {run, directory, options, result, NULL, NULL, error};
    enum verdict verdict = VERDICT_NOTHING_COMPARED;
    int failed_rows = 0;

    result->row_count = 0;
    if (run->test_case->reference) {
        checking.reference = &result->rows[result->row_count++];
        checking.reference->pair = PORTABLE_TARGET_NAME " : reference";
        checking.reference->bounded = 1;
        checking.reference->runs++;
    }
    if (options->against) {
        checking.target = &result->rows[result->row_count++];
        checking.target->pair = options->against_name;
        checking.target->policy = run->test_case->policy;
        checking.target->runs++;
    }
    for (size_t k = 0; k < sizeof phases / sizeof phases[0] && verdict != VERDICT_ERROR; k++) {
        const enum verdict found = phases[k].call(&checking);

        verdict = verdict_worse(verdict, found);
        if (!verdict_is_failure(found))
            continue;
        failed_rows |= phases[k].rows;
        if (found != VERDICT_ERROR) /* the caller prints its sentence */
            result->is_diagnosed = 1;
    }
    if (checking.reference)
        checking.reference->failures += (failed_rows & REFERENCE) != 0;
    if (checking.target)
        checking.target->failures += (failed_rows & TARGET) != 0;
    run_release(run);
    isolate_note(NULL);
    result->compared_runs += result->row_count > 0;
    result->verdict = verdict_worse(result->verdict, verdict);
    return verdict;
}

void check_print_heading(void)
{
    printf("%-22s %5s  %-20s %-22s %9s %10s %6s  %-7s %s\n", "case", "runs", "compared", "policy",
           "worst ULP", "worst abs", "share", "verdict", "worst at");
}

void check_print(const char *name, const struct check_result *result)
{
    if (result->row_count == 0)
        printf("%-22s %5d  not compared: no reference, and no results of another target\n", name,
               result->runs);
    for (int k = 0; k < result->row_count; k++) {
        const struct check_row *row = &result->rows[k];
        char policy[64] = "bound of each element", block[48], pair[48],
             share[SHARE_TEXT_SIZE] = "-";

        if (!row->bounded)
            policy_text(row->policy, policy, sizeof policy);
        if (row->bounded)
            snprintf(pair, sizeof pair, "%s", row->pair);
        else
            snprintf(pair, sizeof pair, "%s : %s", PORTABLE_TARGET_NAME, row->pair);
        if (row->bounded || row->policy.kind != POLICY_EXACT)
            share_text(row->worst.share, 0, share);
        block_text(row->block, block, sizeof block);
        printf("%-22s %5d  %-20s %-22s %9.3g %10.3g %6s  %-7s", name, row->runs, pair, policy,
               row->worst.worst_ulp, row->worst.worst_absolute, share,
               row->failures ? "FAILED" : "ok");
        if (row->where[0])
            printf(" %s, n = %d, block %s", row->where, row->n, block);
        if (!row->bounded && row->policy.kind != POLICY_EXACT)
            printf(" (%s)", row->policy.reason);
        if (row->failures > 1)
            printf("; %d of %d runs fail; first failure shown above", row->failures, row->runs);
        putchar('\n');
    }
}

int check_takes(const struct gallery_case *test_case, const char *input)
{
    const char *const ending = strrchr(io_base_name(input), '.');
    const char *place =
        ending && test_case->extension ? strstr(test_case->extension, ending) : NULL;

    return place && (place[strlen(ending)] == '\0' || place[strlen(ending)] == ' ');
}

static struct run run_of(const struct gallery_case *test_case, int n, dim3 block)
{
    struct run run;

    memset(&run, 0, sizeof run);
    run.test_case = test_case;
    run.n = n;
    run.block = block;
    run.seed = SEED;
    return run;
}

/* One run of check_case. */
static void check_one_run(struct run *run, const char *name, const struct check_options *options,
                          struct check_result *result)
{
    struct io_error error;
    char directory[512], block[48];

    block_text(run->block, block, sizeof block);
    snprintf(directory, sizeof directory, "%s/%.*s-%s", run->test_case->name, 200, name, block);
    progress("%s, %s%s, block %s", run->test_case->name, run->input ? "" : "n = ", name, block);
    if (options->every_run)
        *result = (struct check_result){.verdict = result->verdict,
                                        .runs = result->runs,
                                        .compared_runs = result->compared_runs};
    result->runs++;
    if (check_run(run, directory, options, result, &error) == VERDICT_ERROR) {
        progress_end();
        if (!result->is_diagnosed)
            check_diagnose(&result->diagnostics, "  %s\n", error.text);
        result->is_diagnosed = 1;
    }
    progress_end();
    if (options->every_run)
        check_print(run->test_case->name, result);
}

/* The runs of each size and block, and then of each input file. */
static void check_runs(const struct gallery_case *test_case, const struct check_options *options,
                       struct check_result *result)
{
    struct check_options of_run = *options;
    struct run run;
    char name[16];
    int files = 0;

    if (options->only) {
        run = *options->only;
        snprintf(name, sizeof name, "%d", run.n);
        check_one_run(&run, run.input ? io_base_name(run.input) : name, options, result);
        return;
    }
    for (int k = 0; k < options->input_count; k++)
        files += check_takes(test_case, options->inputs[k]);
    for (int s = 0; s < case_size_count(test_case); s++)
        for (int b = 0; b < case_block_count(test_case); b++) {
            if (options->quick && s > 0 && s + 1 == case_size_count(test_case) && b > 0)
                break;
            run = run_of(test_case, case_size(test_case, s), case_block(test_case, b));
            snprintf(name, sizeof name, "%d", run.n);
            /* The report shows the pictures of one run: of a file, or else of the last size. */
            of_run.show_pictures = options->show_pictures && files == 0 &&
                                   s + 1 == case_size_count(test_case) && b == 0;
            check_one_run(&run, name, &of_run, result);
        }
    for (int k = 0; k < options->input_count; k++)
        if (check_takes(test_case, options->inputs[k])) {
            run = run_of(test_case, case_size(test_case, 0), case_block(test_case, 0));
            run.input = options->inputs[k];
            check_one_run(&run, io_base_name(run.input), options, result);
        }
}

/* Prints the rows that are not printed yet, and writes the result. */
static void end_case(const struct gallery_case *test_case, const struct check_options *options,
                     int is_printed, struct check_result *result)
{
    if (!is_printed)
        check_print(test_case->name, result);
    if (options->results)
        results_write_case(options->results, test_case, result);
    free(result->pictures);
    result->pictures = NULL;
    result->picture_count = 0;
}

void check_case(const struct gallery_case *test_case, const struct check_options *options,
                struct check_result *result)
{
    *result = (struct check_result){.runs = 0};
    check_runs(test_case, options, result);
    end_case(test_case, options, options->every_run, result);
}

void check_case_crashed(const struct gallery_case *test_case, const struct check_options *options,
                        enum verdict verdict, const char *sentence, struct check_result *result)
{
    check_diagnose(&result->diagnostics, "  %s (the case's remaining runs were skipped)\n",
                   sentence);
    for (int k = 0; k < result->row_count; k++)
        result->rows[k].failures++;
    result->compared_runs += result->row_count > 0;
    result->verdict = verdict_worse(verdict, result->verdict);
    result->pictures = NULL; /* they were in the memory of the process that crashed */
    result->picture_count = 0;
    end_case(test_case, options, 0, result);
}
