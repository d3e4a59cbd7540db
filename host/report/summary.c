/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/report/summary.h"

#include <stdlib.h> /* free, malloc */
#include <string.h> /* memset, strcmp */

/* With no room left, *count becomes SUMMARY_TARGETS + 1. */
static void add_once(const char **texts, int *count, const char *text)
{
    for (int k = 0; k < *count && k < SUMMARY_TARGETS; k++)
        if (strcmp(texts[k], text) == 0)
            return;
    if (*count < SUMMARY_TARGETS)
        texts[*count] = text;
    if (*count <= SUMMARY_TARGETS)
        ++*count;
}

static int add_names(struct summary *summary, struct io_error *error)
{
    int capacity = 1;

    for (int f = 0; f < summary->count; f++)
        capacity += summary->results[f].case_count;
    summary->names = (const char **)malloc((size_t)capacity * sizeof *summary->names);
    if (!summary->names)
        return io_fail(error, "no memory for the names of %d cases", capacity);
    for (int f = 0; f < summary->count; f++)
        for (int c = 0; c < summary->results[f].case_count; c++) {
            const char *const name = summary->results[f].cases[c].name;
            int known = 0;

            for (int k = 0; k < summary->name_count && !known; k++)
                known = strcmp(summary->names[k], name) == 0;
            if (!known)
                summary->names[summary->name_count++] = name;
        }
    return 0;
}

int summary_make(struct summary *summary, const struct results *results, int count,
                 struct io_error *error)
{
    memset(summary, 0, sizeof *summary);
    summary->results = results;
    summary->count = count;
    for (int f = 0; f < count; f++) {
        add_once(summary->targets, &summary->target_count, results[f].target);
        for (int c = 0; c < results[f].case_count; c++)
            for (int r = 0; r < results[f].cases[c].row_count; r++)
                if (results[f].cases[c].rows[r].kind == RESULTS_RECORD)
                    add_once(summary->records, &summary->record_count,
                             results[f].cases[c].rows[r].against);
    }
    if (summary->target_count > SUMMARY_TARGETS || summary->record_count > SUMMARY_TARGETS)
        return io_fail(error, "a page has at most %d targets and %d devices", SUMMARY_TARGETS,
                       SUMMARY_TARGETS);
    return add_names(summary, error);
}

void summary_free(struct summary *summary)
{
    free(summary->names);
    memset(summary, 0, sizeof *summary);
}

const struct results_case *summary_case(const struct summary *summary, const char *target,
                                        const char *name)
{
    for (int k = 0; k < summary->count; k++)
        if (strcmp(summary->results[k].target, target) == 0) {
            const struct results_case *const entry = results_find(&summary->results[k], name);

            if (entry && !results_case_is_record(entry))
                return entry;
        }
    return NULL;
}

const struct results_case *summary_any_case(const struct summary *summary, const char *name)
{
    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const entry = results_find(&summary->results[f], name);

        if (entry)
            return entry;
    }
    return NULL;
}

enum verdict summary_verdict(const struct summary *summary, const char *name)
{
    enum verdict verdict = VERDICT_NOT_RUN;

    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const entry = results_find(&summary->results[f], name);

        if (entry)
            verdict = verdict_worse(verdict, entry->verdict);
    }
    return verdict;
}
