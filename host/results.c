/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/results.h"

#include "host/case.h"
#include "host/check_result.h"
#include "host/outputs.h"

#include <stdlib.h> /* free, realloc, strtod */
#include <string.h> /* memcpy, memset, strchr, strcmp, strncmp */

static const char heading[] = "portable.h results 1";

/* In the order of enum results_kind. */
static const char *const kinds[] = {"reference", "target", "record"};

/* ------------------------------------------------------------------------------------------------
 * Writing
 * --------------------------------------------------------------------------------------------- */

static void write_text(FILE *stream, const char *before, const char *text)
{
    fputs(before, stream);
    for (; text && *text; text++) {
        const unsigned char c = (unsigned char)*text;

        putc(c < ' ' || c == 127 ? '?' : c, stream);
    }
}

void results_write_head(FILE *stream)
{
    fprintf(stream, "%s\n", heading);
    print_machine(stream);
    putc('\n', stream);
}

void results_write_line(FILE *stream, const char *kind, const char *text)
{
    write_text(stream, "", kind);
    write_text(stream, "\t", text);
    putc('\n', stream);
}

static void write_bins(FILE *stream, const char *kind, const struct error_histogram *histogram)
{
    fputs(kind, stream);
    for (int k = 0; k < ERROR_BINS; k++)
        fprintf(stream, "\t%zu", histogram->bins[k]);
    putc('\n', stream);
}

static void write_row(FILE *stream, const struct check_row *row)
{
    enum results_kind kind = RESULTS_TARGET;
    char block[48];

    if (row->bounded)
        kind = RESULTS_REFERENCE;
    else if (row->recorded)
        kind = RESULTS_RECORD;
    block_text(row->block, block, sizeof block);
    fprintf(stream, "%s\t", kinds[kind]);
    write_text(stream, "", kind == RESULTS_REFERENCE ? PORTABLE_TARGET_NAME : row->pair);
    fprintf(stream, "\t%d\t%d\t%zu\t%zu\t%.17g\t%.17g\t%.17g\t%d\t%s", row->runs, row->failures,
            row->worst.count, row->worst.mismatches, row->worst.worst_ulp,
            row->worst.worst_absolute, row->worst.share, row->n, block);
    write_text(stream, "\t", row->where);
    putc('\n', stream);
    if (row->bounded || error_histogram_count(&row->worst.shares) > 0) {
        write_bins(stream, "shares", &row->worst.shares);
        write_bins(stream, "ulps", &row->worst.ulps);
    }
}

static void write_picture(FILE *stream, const struct check_picture *picture)
{
    write_text(stream, "image\t", picture->file.is_initial ? "before" : "after");
    write_text(stream, "\t", picture->file.array);
    write_text(stream, "\t", picture->label);
    write_text(stream, "\t", picture->file.path);
    putc('\n', stream);
}

void results_write_case(FILE *stream, const struct gallery_case *test_case,
                        const struct check_result *result)
{
    char policy[64], line[sizeof result->diagnostics.text];

    policy_text(test_case->policy, policy, sizeof policy);
    write_text(stream, "case\t", test_case->family);
    write_text(stream, "\t", test_case->name);
    write_text(stream, "\t", test_case->summary);
    write_text(stream, "\t", policy);
    write_text(stream, "\t", test_case->policy.reason);
    putc('\n', stream);
    for (int k = 0; k < result->picture_count; k++)
        write_picture(stream, &result->pictures[k]);
    for (int k = 0; k < result->row_count; k++)
        write_row(stream, &result->rows[k]);
    for (const char *text = result->diagnostics.text; *text;) {
        const size_t length = strcspn(text, "\n");

        snprintf(line, sizeof line, "%.*s", (int)length, text);
        results_write_line(stream, "told", line);
        text += length + (text[length] != '\0');
    }
    fprintf(stream, "done\t%d\t%d%s%s\n", result->compared_runs, verdict_failure(result->verdict),
            verdict_is_failure(result->verdict) ? "\t" : "",
            verdict_is_failure(result->verdict) ? verdict_name(result->verdict) : "");
}

void results_write_end(FILE *stream, int runs, enum verdict verdict)
{
    fprintf(stream, "end\t%d\t%d\n", runs, verdict_failure(verdict));
}

/* ------------------------------------------------------------------------------------------------
 * Reading
 * --------------------------------------------------------------------------------------------- */

enum { FIELDS = ERROR_BINS + 1 };

/* Adds a zeroed element of `size` bytes to the array of `count` whose pointer is at `where`.
 * Returns the element, or NULL without memory. */
static void *grow(void *where, int *count, size_t size)
{
    char *old, *grown;

    memcpy(&old, where, sizeof old);
    grown = (char *)realloc(old, ((size_t)*count + 1) * size);
    if (!grown)
        return NULL;
    memcpy(where, &grown, sizeof grown);
    memset(grown + (size_t)*count * size, 0, size);
    return grown + (size_t)(*count)++ * size;
}

#define GROW(array, count) grow(&(array), &(count), sizeof *(array))

static int append(const char ***texts, int *count, const char *text)
{
    const char **const place = (const char **)grow(texts, count, sizeof **texts);

    if (place)
        *place = text;
    return place ? 0 : IO_BAD;
}

static int is_number(const char *text, double *value)
{
    char *end;

    *value = strtod(text, &end);
    return end != text && *end == '\0';
}

/* A count: a whole number that a double holds. */
static int is_count(const char *text, double *value)
{
    return is_number(text, value) && *value >= 0 && *value <= 9007199254740992.0 &&
           *value == (double)(long long)*value;
}

/* Adds the verdict of a STATUS: the first with it, or the one with this name. For 0 it is that
 * nothing was compared: the rows know better. */
static int add_status(const char *text, const char *name, enum verdict *verdict)
{
    double status;

    if (!is_count(text, &status))
        return IO_BAD;
    for (int k = VERDICT_NOTHING_COMPARED; k < VERDICT_COUNT_; k++)
        if (verdict_failure((enum verdict)k) == status &&
            (!name || strcmp(name, verdict_name((enum verdict)k)) == 0)) {
            *verdict = verdict_worse(*verdict, (enum verdict)k);
            return 0;
        }
    return IO_BAD;
}

static int read_bins(char **fields, int count, struct error_histogram *histogram)
{
    struct error_histogram read;
    double value;

    if (count != ERROR_BINS + 1)
        return IO_BAD;
    for (int k = 0; k < ERROR_BINS; k++) {
        if (!is_count(fields[k + 1], &value))
            return IO_BAD;
        read.bins[k] = (size_t)value;
    }
    error_histogram_add(histogram, &read);
    return 0;
}

static int read_row(char **fields, int count, struct results_case *of, enum results_kind kind)
{
    struct results_row *const row =
        count == 12 ? (struct results_row *)GROW(of->rows, of->row_count) : NULL;

    if (!row)
        return IO_BAD;
    row->kind = kind;
    row->against = fields[1];
    row->n = fields[9];
    row->block = fields[10];
    row->where = fields[11];
    if (!is_count(fields[2], &row->runs) || !is_count(fields[3], &row->failures) ||
        !is_count(fields[4], &row->elements) || !is_count(fields[5], &row->mismatches) ||
        !is_number(fields[6], &row->ulp) || !(row->ulp >= 0) ||
        !is_number(fields[7], &row->absolute) || !(row->absolute >= 0) ||
        !is_number(fields[8], &row->share) || !(row->share >= 0))
        return IO_BAD;
    /* A mismatch is a failure, and a share of more than the bound is a mismatch. */
    if (row->failures > row->runs || row->mismatches > row->elements ||
        (row->mismatches > 0 && row->failures == 0) || (row->share > 1 && row->mismatches == 0))
        return IO_BAD;
    row->verdict = verdict_of((size_t)row->elements, (size_t)row->failures);
    of->verdict = verdict_worse(of->verdict, row->verdict);
    return 0;
}

/* A case comes once for each device whose record it is compared with. */
static struct results_case *case_of(struct results *results, char **fields)
{
    struct results_case *of = (struct results_case *)results_find(results, fields[2]);

    if (of)
        return of;
    of = (struct results_case *)GROW(results->cases, results->case_count);
    if (of) {
        of->family = fields[1];
        of->name = fields[2];
        of->summary = fields[3];
        of->policy = fields[4];
        of->reason = fields[5];
    }
    return of;
}

/* One line of a case, or of none. */
static int read_line(char **fields, int count, struct results *results, struct results_case **of)
{
    const char *const kind = fields[0];
    double runs;

    if (strcmp(kind, "case") == 0 && count == 6)
        return (*of = case_of(results, fields)) != NULL ? 0 : IO_BAD;
    if (strcmp(kind, "input") == 0 && count == 2)
        return append(&results->inputs, &results->input_count, fields[1]);
    if (strcmp(kind, "problem") == 0 && count == 2) {
        results->verdict = verdict_worse(results->verdict, VERDICT_ERROR);
        return append(&results->problems, &results->problem_count, fields[1]);
    }
    if (!*of)
        return IO_BAD;
    for (int k = 0; k < (int)(sizeof kinds / sizeof kinds[0]); k++)
        if (strcmp(kind, kinds[k]) == 0)
            return read_row(fields, count, *of, (enum results_kind)k);
    struct results_row *const row =
        (*of)->row_count > 0 ? &(*of)->rows[(*of)->row_count - 1] : NULL;

    if (row && strcmp(kind, "shares") == 0)
        return read_bins(fields, count, &row->shares);
    if (row && strcmp(kind, "ulps") == 0) {
        row->has_histograms = 1;
        return read_bins(fields, count, &row->ulps);
    }
    if (strcmp(kind, "told") == 0 && count == 2)
        return append(&(*of)->diagnostics, &(*of)->diagnostic_count, fields[1]);
    if (strcmp(kind, "image") == 0 && count == 5) {
        struct results_image *const image =
            (struct results_image *)GROW((*of)->images, (*of)->image_count);

        if (!image)
            return IO_BAD;
        image->role = fields[1];
        image->array = fields[2];
        image->what = fields[3];
        image->file = fields[4];
        return 0;
    }
    if (strcmp(kind, "done") == 0 && (count == 3 || count == 4) && is_count(fields[1], &runs)) {
        enum verdict verdict = VERDICT_NOT_RUN;

        if (add_status(fields[2], count == 4 ? fields[3] : NULL, &verdict) != 0)
            return IO_BAD;
        /* Only a failure has diagnostics. */
        if (!verdict_is_failure(verdict) && (*of)->diagnostic_count > (*of)->read_count)
            return IO_BAD;
        (*of)->read_count = (*of)->diagnostic_count;
        results->done_runs += runs;
        (*of)->runs += runs;
        (*of)->verdict = verdict_worse((*of)->verdict, verdict);
        results->verdict = verdict_worse(results->verdict, (*of)->verdict);
        *of = NULL;
        return 0;
    }
    return IO_BAD;
}

/* "key: value" */
static int read_fact(char *line, struct results *results)
{
    char *const colon = strstr(line, ": ");
    int count = 2 * results->fact_count;

    if (!colon)
        return IO_BAD;
    *colon = '\0';
    if (append(&results->facts, &count, line) != 0 ||
        append(&results->facts, &count, colon + 2) != 0)
        return IO_BAD;
    results->fact_count++;
    return 0;
}

static int read_lines(const char *path, struct results *results, struct io_error *error)
{
    struct results_case *of = NULL;
    char *line = results->text, *next;
    int number = 1, facts = 1, ended = 0;

    if (strncmp(line, heading, strlen(heading)) != 0 || line[strlen(heading)] != '\n')
        return io_fail(error, "%s: expected results of gallery check, which begin with \"%s\"",
                       path, heading);
    for (; *line; line = next, number++) {
        char *fields[FIELDS];
        int count = 1, status;

        next = strchr(line, '\n');
        if (!next)
            break;
        *next++ = '\0';
        if (number == 1)
            continue;
        if (ended)
            return io_fail(error, "%s: line %d follows the end", path, number);
        if (facts && !*line) {
            facts = 0;
            continue;
        }
        fields[0] = line;
        for (char *c = line; *c && !facts; c++)
            if (*c == '\t' && count < FIELDS) {
                *c = '\0';
                fields[count++] = c + 1;
            }
        if (!facts && strcmp(fields[0], "end") == 0 && count == 3) {
            ended = is_count(fields[1], &results->runs) &&
                    add_status(fields[2], NULL, &results->verdict) == 0;
            status = ended && !of ? 0 : IO_BAD;
        } else
            status = facts ? read_fact(line, results) : read_line(fields, count, results, &of);
        if (status != 0)
            return io_fail(error, "%s: line %d is not a line of results: %.100s", path, number,
                           fields[0]);
    }
    if (!ended)
        return io_fail(error, "%s: the results have no end: the file is cut", path);
    results->target = results_fact(results, "target");
    if (!results->target)
        return io_fail(error, "%s: the results name no target", path);
    if (results->runs != results->done_runs)
        return io_fail(error, "%s: %g runs at the end, but its cases have %g: lines are missing",
                       path, results->runs, results->done_runs);
    return 0;
}

int results_read(const char *path, struct results *results, struct io_error *error)
{
    size_t size;

    memset(results, 0, sizeof *results);
    if (io_read_text(path, &results->text, &size, error) != 0)
        return IO_BAD;
    if (read_lines(path, results, error) == 0)
        return 0;
    results_free(results);
    return IO_BAD;
}

void results_free(struct results *results)
{
    for (int k = 0; k < results->case_count; k++) {
        free(results->cases[k].rows);
        free(results->cases[k].images);
        free(results->cases[k].diagnostics);
    }
    free(results->cases);
    free(results->facts);
    free(results->inputs);
    free(results->problems);
    free(results->text);
    memset(results, 0, sizeof *results);
}

int results_case_is_record(const struct results_case *entry)
{
    for (int k = 0; k < entry->row_count; k++)
        if (entry->rows[k].kind == RESULTS_RECORD)
            return 1;
    return 0;
}

const char *results_fact(const struct results *results, const char *key)
{
    for (int k = 0; k < results->fact_count; k++)
        if (strcmp(results->facts[2 * k], key) == 0)
            return results->facts[2 * k + 1];
    return NULL;
}

const struct results_case *results_find(const struct results *results, const char *name)
{
    for (int k = 0; k < results->case_count; k++)
        if (strcmp(results->cases[k].name, name) == 0)
            return &results->cases[k];
    return NULL;
}
