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
#include <stdlib.h> /* malloc */
#include <string.h> /* memcpy, memset, strrchr, strstr */
#include <unistd.h> /* ftruncate, lseek */

enum { POISON = 0xff, OTHER_POISON = 0x5a, SEED = 1 };

void check_tell(struct check_told *told, const char *format, ...)
{
    const size_t room = sizeof told->text - told->length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    length = vsnprintf(told->text + told->length, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        told->length += (size_t)length < room ? (size_t)length : room - 1;
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

/* Adds a comparison to the row, which keeps the worst. */
static void note(struct check_row *row, const struct run *run, const struct run_array *array,
                 const struct comparison *comparison)
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

/*
 * An element that still has the poison after a launch may have been computed so: a second launch
 * over other poison tells. Sets *found, and reports the elements, when some were not written.
 */
static int find_unwritten(struct run *run, struct check_told *told, struct io_error *error,
                          int *found)
{
    unsigned char *before[RUN_ARRAYS] = {NULL};
    int suspicious = 0, status = 0;

    *found = 0;
    for (int k = 0; k < run->array_count; k++) {
        const struct run_array *array = &run->arrays[k];
        const size_t size = array_type_size(array->host.type), count = array_count(&array->host);

        if (array->role != ROLE_OUTPUT)
            continue;
        for (size_t i = 0; i < count && !suspicious; i++)
            suspicious = all_bytes((unsigned char *)array->host.data + i * size, size, POISON);
    }
    if (!suspicious)
        return 0;
    for (int k = 0; k < run->array_count; k++) {
        const size_t bytes =
            array_count(&run->arrays[k].host) * array_type_size(run->arrays[k].host.type);

        before[k] = (unsigned char *)malloc(bytes + 1);
        if (before[k])
            memcpy(before[k], run->arrays[k].host.data, bytes);
        else
            status = io_fail(error, "case %s, n = %d, array %s: no memory for %zu bytes",
                             run->which->name, run->n, run->arrays[k].name, bytes);
    }
    if (status == 0)
        status = run_launch(run, OTHER_POISON, error);
    if (status == 0)
        status = run_fetch(run, error);
    for (int k = 0; k < run->array_count && status == 0; k++) {
        struct run_array *array = &run->arrays[k];
        const size_t size = array_type_size(array->host.type), count = array_count(&array->host);
        size_t unwritten = 0, first = 0;

        if (array->role == ROLE_OUTPUT)
            for (size_t i = 0; i < count; i++)
                if (all_bytes(before[k] + i * size, size, POISON) &&
                    all_bytes((unsigned char *)array->host.data + i * size, size, OTHER_POISON) &&
                    unwritten++ == 0)
                    first = i;
        if (unwritten > 0 && told) {
            char where[192], block[48];

            where_text(run, array, first, where, sizeof where);
            block_text(run->block, block, sizeof block);
            check_tell(told,
                       "  %s, n = %d, block %s: %zu of %zu elements were never written; the first "
                       "is %s\n",
                       run->which->name, run->n, block, unwritten, count, where);
        }
        *found |= unwritten > 0;
        memcpy(array->host.data, before[k], count * size);
    }
    for (int k = 0; k < run->array_count; k++)
        free(before[k]);
    return status;
}

/* The first mismatches, and whether rounding alone can explain them: both values lie within the
 * reference's bound, as they do when one side contracts or reorders. */
static void explain(const struct run *run, const struct run_array *array,
                    const struct array *expected, const double *values, const char *pair,
                    const struct comparison *comparison, struct check_told *told)
{
    char block[48];
    size_t shown = 0;
    int rounding = array->expected != NULL && expected != NULL;

    block_text(run->block, block, sizeof block);
    check_tell(told, "  %s, n = %d, block %s, %s: %zu of %zu elements of %s differ\n",
               run->which->name, run->n, block, pair, comparison->mismatches, comparison->count,
               array->name);
    for (; shown < comparison->mismatches && shown < COMPARISON_FIRST; shown++) {
        const size_t at = comparison->first[shown];
        char where[192], want[ARRAY_TEXT_SIZE], have[ARRAY_TEXT_SIZE];

        where_text(run, array, at, where, sizeof where);
        array_element_text(&array->host, at, have, sizeof have);
        if (values)
            snprintf(want, sizeof want, "%.17g", values[at]);
        else
            array_element_text(expected, at, want, sizeof want);
        check_tell(told, "    %s: %s, expected %s\n", where, have, want);
        if (rounding)
            rounding =
                fabs(array_get(&array->host, at) - array->expected[at]) <= array->bound[at] &&
                fabs(array_get(expected, at) - array->expected[at]) <= array->bound[at];
    }
    if (comparison->mismatches > shown)
        check_tell(told, "    and %zu more\n", comparison->mismatches - shown);
    if (expected && array->expected)
        check_tell(told, "    %s\n",
                   rounding ? "both sides lie within the reference's rounding bound: "
                              "contraction (FMA) or another order can explain this"
                            : "rounding does not explain this");
}

/* A result without an expectation would always pass. */
static int expects_all(const struct run *run, struct io_error *error)
{
    for (int k = 0; run->which->reference && k < run->array_count; k++) {
        const struct run_array *array = &run->arrays[k];

        if (run_array_is_result(array) && !array->expected && !array->elsewhere &&
            array_count(&array->host) > 0)
            return io_fail(error, "case %s, n = %d: its reference expects nothing of array %s",
                           run->which->name, run->n, array->name);
    }
    return 0;
}

static int compare_reference(const struct run *run, struct check_row *row, struct check_told *told)
{
    int failed = 0;

    for (int k = 0; k < run->array_count; k++) {
        const struct run_array *array = &run->arrays[k];
        struct comparison comparison;

        if (!run_array_is_result(array) || !array->expected)
            continue;
        compare_bounded(array->expected, array->bound, &array->host, &comparison);
        note(row, run, array, &comparison);
        failed |= comparison.mismatches > 0;
        if (comparison.mismatches > 0 && told)
            explain(run, array, NULL, array->expected, row->pair, &comparison, told);
    }
    return failed;
}

int check_array(const struct run *run, const struct run_array *array, const struct array *expected,
                struct check_row *row, struct check_told *told, struct io_error *error)
{
    struct comparison comparison;

    if (compare_arrays(expected, &array->host, run->which->policy, &comparison, error) != 0)
        return IO_BAD;
    note(row, run, array, &comparison);
    if (comparison.mismatches == 0)
        return 0;
    if (told)
        explain(run, array, expected, NULL, row->pair, &comparison, told);
    return 1;
}

static int compare_dump(const struct run *run, const char *directory, struct check_row *row,
                        struct check_told *told, struct io_error *error)
{
    int failed = 0;

    for (int k = 0; k < run->array_count; k++) {
        const struct run_array *array = &run->arrays[k];
        struct array other;
        char path[4200];
        int status;

        if (!run_array_is_result(array))
            continue;
        snprintf(path, sizeof path, "%s/%s.npy", directory, array->name);
        if (npy_read(path, &other, error) != 0)
            return IO_BAD;
        status = check_array(run, array, &other, row, told, error);
        array_free(&other);
        if (status == IO_BAD)
            return IO_BAD;
        failed |= status;
    }
    return failed;
}

/* Bytes in few columns are numbers, not a picture. */
static int is_picture(const struct array *array)
{
    return is_image(array) && array->shape[0] >= 8 && array->shape[1] >= 8;
}

/* Names the dumped images of a run in the results, if it has any. */
static void name_images(const struct run *run, const char *directory, FILE *results)
{
    char path[4200], what[256];
    int pictures = 0;

    for (int k = 0; k < run->array_count; k++)
        pictures += run_array_is_result(&run->arrays[k]) && is_picture(&run->arrays[k].host);
    if (pictures == 0)
        return;
    if (run->input)
        snprintf(what, sizeof what, "%s", io_base_name(run->input));
    else
        snprintf(what, sizeof what, "n = %d", run->n);
    for (int k = 0; k < run->array_count; k++) {
        const struct run_array *array = &run->arrays[k];

        if (!is_picture(&array->host))
            continue;
        for (int before = 1; before >= 0; before--)
            if (before ? run_array_is_given(array) : run_array_is_result(array)) {
                image_path(array, directory, before, path, sizeof path);
                results_write_image(results, before ? "before" : "after", array->name, what, path);
            }
    }
}

static size_t compared_elements(const struct check_result *result)
{
    size_t count = 0;

    for (int k = 0; k < CHECK_PAIRS; k++)
        count += result->rows[k].worst.count;
    return count;
}

/* A case without a result would always pass. */
static int has_results(const struct run *run, struct io_error *error)
{
    for (int k = 0; k < run->array_count; k++)
        if (run_array_is_result(&run->arrays[k]))
            return 0;
    return io_fail(error, "case %s has no output and no updated array: nothing can be compared",
                   run->which->name);
}

int check_run(struct run *run, const char *directory, const struct check_options *options,
              struct check_result *result, struct io_error *error)
{
    struct check_row *reference = run->which->reference ? &result->rows[0] : NULL;
    struct check_row *other = options->against ? &result->rows[reference != NULL] : NULL;
    struct check_told *const told = result->told_one ? NULL : &result->told;
    int status, failed = 0, unwritten = 0, differs = 0, visited = 0;
    char path[4096];

    result->row_count = (reference != NULL) + (other != NULL);
    if (reference) {
        reference->pair = PORTABLE_TARGET_NAME " : reference";
        reference->bounded = 1;
        reference->runs++;
    }
    if (other) {
        other->pair = options->against_name;
        other->policy = run->which->policy;
        other->runs++;
    }
    const size_t before = compared_elements(result);

    isolate_note(run);
    status = run_prepare(run, error);
    if (status == 0)
        status = has_results(run, error);
    if (status == 0)
        status = run_reference(run, error);
    if (status == 0)
        status = expects_all(run, error);
    if (status == 0) {
        status = run_launch(run, POISON, error);
        isolate_note_launch();
    }
    if (status == 0)
        status = run_fetch(run, error);
    if (status == 0)
        status = find_unwritten(run, told, error, &unwritten);
    if (status == 0 && reference)
        failed = compare_reference(run, reference, unwritten ? NULL : told);
    if (reference)
        reference->failures += status != 0 || failed || unwritten;
    if (status == 0 && options->dump) {
        snprintf(path, sizeof path, "%s/%s", options->dump, directory);
        status = write_outputs(run, path, error);
        if (status == 0 && options->results && options->show_images)
            name_images(run, path, options->results);
    }
    if (status == 0 && other) {
        snprintf(path, sizeof path, "%s/%s", options->against, directory);
        differs = compare_dump(run, path, other, unwritten || failed ? NULL : told, error);
        if (differs == IO_BAD)
            status = IO_BAD;
    }
    if (status == 0 && options->visit) {
        visited = options->visit(run, options->context, error);
        if (visited == IO_BAD)
            status = IO_BAD;
    }
    run_release(run);
    isolate_note(NULL);
    result->elements += compared_elements(result) - before;
    result->compared_runs += result->row_count > 0;
    if (other)
        other->failures += status != 0 || differs;
    if (failed || unwritten || (status == 0 && (differs || visited)))
        result->told_one = 1;
    return status != 0 ? status : failed || unwritten || differs || visited;
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
        char policy[64] = "bound of each element", block[48], pair[48], share[16] = "-";

        if (!row->bounded)
            policy_text(row->policy, policy, sizeof policy);
        if (row->bounded)
            snprintf(pair, sizeof pair, "%s", row->pair);
        else
            snprintf(pair, sizeof pair, "%s : %s", PORTABLE_TARGET_NAME, row->pair);
        if (row->bounded || row->policy.kind != POLICY_EXACT)
            snprintf(share, sizeof share, "%.0f%%", 100 * row->worst.share);
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

int check_takes(const struct gallery_case *which, const char *input)
{
    const char *const ending = strrchr(io_base_name(input), '.');
    const char *place = ending && which->extension ? strstr(which->extension, ending) : NULL;

    return place && (place[strlen(ending)] == '\0' || place[strlen(ending)] == ' ');
}

static struct run run_of(const struct gallery_case *which, int n, dim3 block)
{
    struct run run;

    memset(&run, 0, sizeof run);
    run.which = which;
    run.n = n;
    run.block = block;
    run.seed = SEED;
    return run;
}

/* One run of check_case. Returns the worse of its status and `status`. */
static int check_one_run(struct run *run, const char *name, const struct check_options *options,
                         struct check_result *result, int status)
{
    struct io_error error;
    char directory[512], block[48];

    block_text(run->block, block, sizeof block);
    snprintf(directory, sizeof directory, "%s/%.*s-%s", run->which->name, 200, name, block);
    progress("%s, %s%s, block %s", run->which->name, run->input ? "" : "n = ", name, block);
    if (options->every_run)
        *result = (struct check_result){.runs = result->runs,
                                        .compared_runs = result->compared_runs,
                                        .elements = result->elements};
    result->runs++;
    switch (check_run(run, directory, options, result, &error)) {
    case 0: break;
    case 1: status = status ? status : 1; break;
    default:
        progress_end();
        if (!result->told_one)
            check_tell(&result->told, "  %s\n", error.text);
        result->told_one = 1;
        status = IO_BAD;
    }
    progress_end();
    if (options->every_run)
        check_print(run->which->name, result);
    return status;
}

/* The runs of each size and block, and then of each input file. */
static int check_runs(const struct gallery_case *which, const struct check_options *options,
                      struct check_result *result)
{
    struct check_options how = *options;
    struct run run;
    char name[16];
    int status = 0, files = 0;

    if (options->only) {
        run = *options->only;
        snprintf(name, sizeof name, "%d", run.n);
        return check_one_run(&run, run.input ? io_base_name(run.input) : name, &how, result, 0);
    }
    for (int k = 0; k < options->input_count; k++)
        files += check_takes(which, options->inputs[k]);
    for (int s = 0; s < case_size_count(which); s++)
        for (int b = 0; b < case_block_count(which); b++) {
            run = run_of(which, case_size(which, s), case_block(which, b));
            snprintf(name, sizeof name, "%d", run.n);
            /* The report shows the images of one run: of a file, or else of the last size. */
            how.show_images =
                options->show_images && files == 0 && s + 1 == case_size_count(which) && b == 0;
            status = check_one_run(&run, name, &how, result, status);
        }
    how.show_images = options->show_images;
    for (int k = 0; k < options->input_count; k++)
        if (check_takes(which, options->inputs[k])) {
            run = run_of(which, case_size(which, 0), case_block(which, 0));
            run.input = options->inputs[k];
            status = check_one_run(&run, io_base_name(run.input), &how, result, status);
        }
    return status;
}

static void finish_case(const struct gallery_case *which, const struct check_options *options,
                        const struct check_result *result, int status)
{
    if (!options->every_run)
        check_print(which->name, result);
    if (options->results)
        results_write_result(options->results, result, result->compared_runs, status);
}

int check_case(const struct gallery_case *which, const struct check_options *options,
               struct check_result *result)
{
    int status;

    *result = (struct check_result){.runs = 0};
    if (options->results) {
        fflush(options->results);
        result->begins = (long)lseek(fileno(options->results), 0, SEEK_CUR);
        results_write_case(options->results, which);
    }
    status = check_runs(which, options, result);
    finish_case(which, options, result, status);
    return status;
}

void check_case_crashed(const struct gallery_case *which, const struct check_options *options,
                        const char *sentence, struct check_result *result)
{
    check_tell(&result->told, "  %s (the case's remaining runs were skipped)\n", sentence);
    for (int k = 0; k < result->row_count; k++)
        result->rows[k].failures++;
    result->compared_runs += result->row_count > 0;
    if (options->every_run)
        check_print(which->name, result);
    /* The file may hold a part of the case. */
    if (options->results && ftruncate(fileno(options->results), result->begins) == 0) {
        lseek(fileno(options->results), result->begins, SEEK_SET);
        results_write_case(options->results, which);
    }
    finish_case(which, options, result, ISOLATE_CRASHED);
}
