/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "host/report/page.h"

#include "host/compare.h"
#include "host/html.h"
#include "host/report/figures.h"
#include "host/report/summary.h"
#include "page_css.h" /* page_css: host/report/page.css, by the build */

#include <stdio.h>  /* open_memstream */
#include <stdlib.h> /* free */
#include <string.h> /* strcmp, strncmp, strstr */

/* ------------------------------------------------------------------------------------------------
 * The header
 * --------------------------------------------------------------------------------------------- */

struct totals {
    enum verdict verdict;
    double runs;
    int cases, failed_cases;
};

static int is_failed(const struct summary *summary, const char *name)
{
    return verdict_is_failure(summary_verdict(summary, name));
}

static struct totals total(const struct summary *summary, const struct page_options *options)
{
    struct totals totals = {VERDICT_NOT_RUN, 0, summary->name_count, 0};

    for (int k = 0; k < summary->name_count; k++)
        totals.failed_cases += is_failed(summary, summary->names[k]);
    for (int f = 0; f < summary->count; f++) {
        totals.runs += summary->results[f].runs;
        totals.verdict = verdict_worse(totals.verdict, summary->results[f].verdict);
    }
    if (options->failed.count > 0)
        totals.verdict = verdict_worse(totals.verdict, VERDICT_ERROR);
    return totals;
}

/* "serial, openmp and emulate" */
static void list_texts(FILE *stream, const char *const *texts, int count)
{
    for (int k = 0; k < count; k++) {
        if (k > 0)
            fputs(k + 1 < count ? ", " : " and ", stream);
        html_text(stream, texts[k]);
    }
}

/* The value of the note "KEY: VALUE", or "". */
static const char *note(const struct page_options *options, const char *key)
{
    const size_t length = strlen(key);

    for (int k = 0; k < options->notes.count; k++)
        if (strncmp(options->notes.texts[k], key, length) == 0 &&
            strncmp(options->notes.texts[k] + length, ": ", 2) == 0)
            return options->notes.texts[k] + length + 2;
    return "";
}

/* A fact of the first results that have it, or "". */
static const char *any_fact(const struct summary *summary, const char *key)
{
    for (int f = 0; f < summary->count; f++)
        if (results_fact(&summary->results[f], key))
            return results_fact(&summary->results[f], key);
    return "";
}

/* "portable.h 0.1.0", or "waves, with portable.h 0.1.0": what the kernels belong to. */
static void project(FILE *stream, const struct summary *summary, const struct page_options *options)
{
    const char *const title = note(options, "project"), *const version =
                                                            any_fact(summary, "version");
    const size_t length = strcspn(title, ":");

    if (length > 0 && (length != strlen("portable.h") || strncmp(title, "portable.h", length) != 0))
        html_print(stream, "%.*s, with ", (int)length, title);
    html_print(stream, "portable.h%s%s", version[0] ? " " : "", version);
}

static void headline(FILE *stream, const struct totals *totals)
{
    if (totals->failed_cases > 0)
        fprintf(stream, "%d of %d cases %s", totals->failed_cases, totals->cases,
                totals->failed_cases == 1 ? "fails" : "fail");
    else if (verdict_is_failure(totals->verdict))
        fputs("Not everything could be checked", stream);
    else if (totals->verdict == VERDICT_AGREES)
        fputs("All results agree", stream);
    else
        fputs("Nothing was compared", stream);
}

static void verdict(FILE *stream, const struct summary *summary, const struct totals *totals,
                    const struct page_options *options)
{
    const char *const *const names = summary->names;
    int listed = 0;

    if (totals->verdict == VERDICT_AGREES)
        fputs("<div class=\"verdict\"><strong>&#10003; ", stream);
    else
        fputs("<div class=\"verdict failed\"><strong>&#10007; ", stream);
    headline(stream, totals);
    fputs("</strong><p>", stream);
    fprintf(stream, "%d case%s on ", totals->cases, totals->cases == 1 ? "" : "s");
    list_texts(stream, summary->targets, summary->target_count);
    fputs(": ", stream);
    html_count(stream, totals->runs);
    fputs(" runs", stream);
    if (summary->record_count > 0) {
        fputs(", also compared with the recorded results of ", stream);
        list_texts(stream, summary->records, summary->record_count);
    }
    fputs(".</p>", stream);
    for (int k = 0; k < totals->cases; k++)
        if (is_failed(summary, names[k])) {
            fputs(listed++ ? ", " : "<p>Look at ", stream);
            html_print(stream, "<a href=\"#case-%d\">%s</a>", k, names[k]);
            for (int f = 0, first = 1; f < summary->count; f++) {
                const struct results_case *const entry =
                    results_find(&summary->results[f], names[k]);

                if (!entry || !verdict_is_failure(entry->verdict))
                    continue;
                html_print(stream, "%s%s%s", first ? " (" : ", ", summary->results[f].target,
                           results_case_is_record(entry) ? " against a record" : "");
                first = 0;
            }
            fputs(")", stream);
        }
    fputs(listed ? ".</p>" : "", stream);
    for (int k = 0; k < options->failed.count; k++)
        html_print(stream, "<p class=\"problem\">&#10007; %s</p>", options->failed.texts[k]);
    for (int f = 0; f < summary->count; f++)
        for (int k = 0; k < summary->results[f].problem_count; k++)
            html_print(stream, "<p class=\"problem\">&#10007; %s: %s</p>",
                       summary->results[f].target, summary->results[f].problems[k]);
    for (int k = 0; k < options->missing.count; k++)
        html_print(stream, "<p>Not run: %s</p>", options->missing.texts[k]);
    fputs("</div>\n", stream);
}

/* Where the results come from, and where the project is. */
static void origin(FILE *stream, const struct summary *summary, const struct page_options *options)
{
    const char *const commit = note(options, "commit"), *const url = note(options, "repository");

    fputs("<p class=\"mute\">", stream);
    if (commit[0] && strcmp(commit, "unknown") != 0)
        html_print(stream, "Commit %s. ", commit);
    html_print(stream, "%.*s, %s. ", 10, any_fact(summary, "date"), any_fact(summary, "CPU"));
    if (url[0])
        html_print(stream, "Made with <a href=\"%s\">portable.h</a>. ", url);
    fputs("</p>\n", stream);
}

/* ------------------------------------------------------------------------------------------------
 * The table
 * --------------------------------------------------------------------------------------------- */

static void chip(FILE *stream, enum verdict verdict)
{
    if (verdict_is_failure(verdict))
        fputs("<span class=\"chip bad\">&#10007; fails</span>", stream);
    else if (verdict == VERDICT_AGREES)
        fputs("<span class=\"chip ok\">&#10003; agrees</span>", stream);
    else
        fputs("<span class=\"chip none\">&#8211; not compared</span>", stream);
}

/* "36% of the bound" */
static void share(FILE *stream, double part, const char *whole)
{
    char text[SHARE_TEXT_SIZE];

    if (part > 0 && part < 0.01)
        html_print(stream, "below 1%% of the %s", whole);
    else
        html_print(stream, part > 1000 ? "%s the %s" : "%s of the %s", share_text(part, 0, text),
                   whole);
}

/* The distance between results and their reference, in one line. */
static void distance(FILE *stream, const struct results_row *row, const char *policy)
{
    const int exact = strcmp(policy, "exact") == 0;

    fputs("<small>", stream);
    if (row->kind == RESULTS_REFERENCE && row->elements == 0)
        fputs("nothing to compare", stream);
    else if (row->kind == RESULTS_REFERENCE && row->share == 0)
        fputs("= reference", stream);
    else if (row->kind == RESULTS_REFERENCE)
        share(stream, row->share, "bound");
    else if (row->ulp == 0 && row->failures == 0)
        html_print(stream, row->kind == RESULTS_TARGET ? "= %s" : "identical", row->against);
    else {
        html_print(stream, "%.3g ULP, %.2g", row->ulp, row->absolute);
        if (row->kind == RESULTS_TARGET)
            html_print(stream, " from %s", row->against);
        if (!exact) {
            fputs("; ", stream);
            share(stream, row->share, "tolerance");
        }
    }
    fputs("</small>", stream);
}

static void cell_begin(FILE *stream, const char *of, int failed)
{
    html_print(stream, failed ? "<td data-of=\"%s\" class=\"bad\">" : "<td data-of=\"%s\">", of);
}

static const char not_run[] = "<span class=\"chip none\">&#8211; not run</span>";

static void target_cell(FILE *stream, const struct summary *summary, const char *target,
                        const char *name)
{
    const struct results_case *const entry = summary_case(summary, target, name);

    cell_begin(stream, target, entry && verdict_is_failure(entry->verdict));
    if (entry) {
        chip(stream, entry->verdict);
        for (int r = 0; r < entry->row_count; r++)
            distance(stream, &entry->rows[r], entry->policy);
        if (entry->row_count == 0)
            fputs("<small>no reference</small>", stream);
    } else
        fputs(not_run, stream);
    fputs("</td>", stream);
}

/* The worst of all targets against a device's record. */
static void record_cell(FILE *stream, const struct summary *summary, const char *device,
                        const char *name)
{
    const struct results_row *worst = NULL;
    const struct results_case *of = NULL;
    const char *target = NULL;
    char heading[160];

    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const entry = results_find(&summary->results[f], name);

        for (int r = 0; entry && r < entry->row_count; r++) {
            const struct results_row *const row = &entry->rows[r];

            if (row->kind == RESULTS_RECORD && strcmp(row->against, device) == 0 &&
                (!worst || row->failures > worst->failures ||
                 (row->failures == worst->failures && row->ulp > worst->ulp))) {
                worst = row;
                of = entry;
                target = summary->results[f].target;
            }
        }
    }
    snprintf(heading, sizeof heading, "%s, recorded", device);
    cell_begin(stream, heading, worst && verdict_is_failure(worst->verdict));
    if (worst) {
        chip(stream, worst->verdict);
        if (worst->ulp > 0 || verdict_is_failure(worst->verdict))
            html_print(stream, "<small>%s</small>", target);
        distance(stream, worst, of->policy);
    } else
        fputs("<span class=\"chip none\">&#8211; no record</span>", stream);
    fputs("</td>", stream);
}

/* Every comparison of a case, in full. */
static void comparisons(FILE *stream, const struct summary *summary, const char *name)
{
    fputs("<ul>", stream);
    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const entry = results_find(&summary->results[f], name);

        for (int r = 0; entry && r < entry->row_count; r++) {
            const struct results_row *const row = &entry->rows[r];

            html_print(stream, "<li><b>%s</b> against %s%s: ", summary->results[f].target,
                       row->kind == RESULTS_REFERENCE ? "the reference" : row->against,
                       row->kind == RESULTS_RECORD ? ", recorded" : "");
            html_count(stream, row->runs);
            fprintf(stream, " run%s, ", row->runs == 1 ? "" : "s");
            html_count(stream, row->elements);
            fputs(" elements", stream);
            if (row->mismatches > 0) {
                fputs(", of which ", stream);
                html_count(stream, row->mismatches);
                fputs(" differ", stream);
            }
            if (row->ulp == 0 && row->absolute == 0 && row->failures == 0) {
                fputs("; identical</li>", stream);
                continue;
            }
            html_print(stream, "; worst %.3g ULP, %.3g", row->ulp, row->absolute);
            if (row->kind == RESULTS_REFERENCE || strcmp(entry->policy, "exact") != 0) {
                fputs(", ", stream);
                share(stream, row->share, row->kind == RESULTS_REFERENCE ? "bound" : "tolerance");
            }
            if (row->where[0])
                html_print(stream, ", at %s, n = %s, block %s", row->where, row->n, row->block);
            fputs("</li>", stream);
        }
    }
    fputs("</ul>", stream);
}

/* Whether a case was compared with its reference, or with another target, on one of two targets; if
 * `failed`, whether it failed there. */
static int compared_on(const struct summary *summary, const char *name, enum results_kind kind,
                       const char *first, const char *second, int failed)
{
    for (int f = 0; f < summary->count; f++) {
        const char *const target = results_fact(&summary->results[f], "target");
        const struct results_case *const entry = results_find(&summary->results[f], name);

        for (int r = 0; entry && r < entry->row_count; r++)
            if (entry->rows[r].kind == kind && (!failed || entry->rows[r].failures > 0) &&
                (strcmp(target, first) == 0 || strcmp(target, second) == 0))
                return 1;
    }
    return 0;
}

/* A goal of make, and what it is for. */
struct step {
    const char *goal, *why;
};

/* What finds the cause of values that differ. Threads are loops on serial and openmp. */
static struct step step_of_values(const struct summary *summary, const char *name)
{
    const enum results_kind by_reference = RESULTS_REFERENCE;
    const int serial = compared_on(summary, name, by_reference, "serial", "serial", 0),
              loops = compared_on(summary, name, by_reference, "serial", "openmp", 0),
              threads = compared_on(summary, name, by_reference, "emulate", "cuda", 0),
              serial_fails = compared_on(summary, name, by_reference, "serial", "serial", 1),
              loops_fail = compared_on(summary, name, by_reference, "serial", "openmp", 1),
              threads_fail = compared_on(summary, name, by_reference, "emulate", "cuda", 1);

    if (threads_fail && loops && !loops_fail)
        return (struct step){"racecheck", "loops over the threads give the right values, and "
                                          "threads do not. Usually a barrier is missing."};
    if (loops_fail && serial && !serial_fails)
        return (struct step){"racecheck", "blocks that run one after the other give the right "
                                          "values, and blocks that run at once do not."};
    if (serial_fails && threads && !threads_fail)
        return (struct step){"debug", "threads give the right values, and loops over them do not. "
                                      "Usually a variable at block scope should be a PRIVATE."};
    if (loops_fail || threads_fail)
        return (struct step){"checks", "if they report nothing, the kernel computes something else "
                                       "than its reference."};
    if (compared_on(summary, name, RESULTS_TARGET, "serial", "openmp", 1) ||
        compared_on(summary, name, RESULTS_TARGET, "emulate", "cuda", 1))
        return loops || threads
                   ? (struct step){"ordercheck", "the targets differ, each within the bound of the "
                                                 "reference. It tells where the order of the "
                                                 "threads decides."}
                   : (struct step){"checks", "the targets differ, and no reference tells which of "
                                             "them is wrong."};
    return (struct step){NULL, NULL};
}

/* What finds the cause of a case's failure; nothing if its messages tell what is wrong. */
static struct step next_step(const struct summary *summary, const char *name)
{
    enum verdict verdict = VERDICT_NOT_RUN;

    /* A launch that fails on one target may crash on another, which tells more. */
    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const entry = results_find(&summary->results[f], name);

        if (entry && entry->verdict != VERDICT_ERROR)
            verdict = verdict_worse(verdict, entry->verdict);
    }
    switch (verdict) {
    case VERDICT_CRASHED:
        return (struct step){"memcheck",
                             "it tells where it crashes or does not end, with the line and the "
                             "thread."};
    case VERDICT_UNWRITTEN:
        return (struct step){"initcheck",
                             "it reports the bytes of the output that nothing wrote, at each "
                             "size."};
    case VERDICT_DIFFERS: return step_of_values(summary, name);
    case VERDICT_NOT_RUN:
    case VERDICT_NOTHING_COMPARED:
    case VERDICT_AGREES:
    case VERDICT_ERROR:
    case VERDICT_COUNT_: break;
    }
    return (struct step){NULL, NULL};
}

/* The messages about a case that failed, and the next command. */
static void diagnostics(FILE *stream, const struct summary *summary, const char *name)
{
    const int columns = 3 + summary->target_count + summary->record_count;
    const struct step next = next_step(summary, name);

    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const entry = results_find(&summary->results[f], name);

        if (!entry || entry->diagnostic_count == 0)
            continue;
        html_print(stream, "<tr class=\"told\"><td colspan=\"%d\"><b>%s</b><pre>", columns,
                   summary->results[f].target);
        for (int k = 0; k < entry->diagnostic_count; k++)
            html_print(stream, "%s\n", entry->diagnostics[k]);
        fputs("</pre></td></tr>\n", stream);
    }
    if (next.goal)
        html_print(
            stream,
            "<tr class=\"told\"><td colspan=\"%d\"><b>Next:</b> <code>make %s CASES=%s</code>: "
            "%s</td></tr>\n",
            columns, next.goal, name, next.why);
}

static void case_row(FILE *stream, const struct summary *summary, const char *name, int number)
{
    const struct results_case *const entry = summary_any_case(summary, name);
    const int failed = is_failed(summary, name);
    double runs = 0;

    fputs(failed ? "<tr class=\"bad\"" : "<tr", stream);
    html_print(stream,
               " id=\"case-%d\"><th scope=\"row\"><details><summary><span class=\"name\">%s</span>"
               "</summary>",
               number, name);
    comparisons(stream, summary, name);
    html_print(stream, "</details><small>%s</small></th><td data-of=\"runs\" class=\"runs\">",
               entry->summary);
    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const here = results_find(&summary->results[f], name);

        runs += here ? here->runs : 0;
    }
    html_count(stream, runs);
    html_print(stream, "</td><td data-of=\"between targets\">%s", entry->policy);
    if (entry->reason[0])
        html_print(stream, "<small>%s</small>", entry->reason);
    fputs("</td>", stream);
    for (int t = 0; t < summary->target_count; t++)
        target_cell(stream, summary, summary->targets[t], name);
    for (int r = 0; r < summary->record_count; r++)
        record_cell(stream, summary, summary->records[r], name);
    fputs("</tr>\n", stream);
    diagnostics(stream, summary, name);
}

static void table_begin(FILE *stream, const struct summary *summary)
{
    fputs("<table class=\"checks cards\"><thead><tr><th scope=\"col\">case</th><th "
          "scope=\"col\">runs</th><th scope=\"col\">between targets</th>",
          stream);
    for (int t = 0; t < summary->target_count; t++)
        html_print(stream, "<th scope=\"col\">%s</th>", summary->targets[t]);
    for (int r = 0; r < summary->record_count; r++)
        html_print(stream, "<th scope=\"col\">%s, recorded</th>", summary->records[r]);
    fputs("</tr></thead><tbody>\n", stream);
}

/* Adds a case's runs, and its worst share of a bound. */
static void add_case(const struct summary *summary, const char *name, double *runs, double *worst)
{
    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const entry = results_find(&summary->results[f], name);

        *runs += entry ? entry->runs : 0;
        for (int r = 0; entry && r < entry->row_count; r++)
            if (entry->rows[r].kind == RESULTS_REFERENCE && entry->rows[r].share > *worst)
                *worst = entry->rows[r].share;
    }
}

/* The cases of a family that agree, on one line that opens. */
static void family_row(FILE *stream, const struct summary *summary, const char *family)
{
    double runs = 0, worst = -1; /* no reference */
    int agree = 0, not_compared = 0;

    for (int k = 0; k < summary->name_count; k++)
        if (strcmp(summary_any_case(summary, summary->names[k])->family, family) == 0 &&
            !is_failed(summary, summary->names[k])) {
            add_case(summary, summary->names[k], &runs, &worst);
            if (summary_verdict(summary, summary->names[k]) == VERDICT_AGREES)
                agree++;
            else
                not_compared++;
        }
    if (agree + not_compared == 0)
        return;
    html_print(stream, "<details class=\"family\"><summary><b>%s</b> ", family);
    if (agree > 0)
        fprintf(stream, "<span class=\"chip ok\">&#10003; %d agree%s</span> ", agree,
                agree == 1 ? "s" : "");
    if (not_compared > 0)
        fprintf(stream, "<span class=\"chip none\">&#8211; %d not compared</span> ", not_compared);
    fputs("<small>", stream);
    html_count(stream, runs);
    fputs(" runs", stream);
    if (worst >= 0) {
        fputs("; ", stream);
        share(stream, worst, "bound");
        fputs(" at most", stream);
    }
    fputs("</small></summary>\n", stream);
    table_begin(stream, summary);
    for (int k = 0; k < summary->name_count; k++)
        if (strcmp(summary_any_case(summary, summary->names[k])->family, family) == 0 &&
            !is_failed(summary, summary->names[k]))
            case_row(stream, summary, summary->names[k], k);
    fputs("</tbody></table></details>\n", stream);
}

static void table(FILE *stream, const struct summary *summary)
{
    const char *const *const names = summary->names;
    const int count = summary->name_count;
    int failed = 0;

    fputs(
        "<section id=\"checks\"><h2>Cross-validation</h2>\n"
        "<p>Each case ran at several sizes and block shapes on each target. Against the reference, "
        "in double precision, each element may use all of the bound that the reference gives it: "
        "the worst of all elements is shown. Between targets results must be the same bit for bit, "
        "unless the case gives a reason. Cases that agree are folded away by family: open a family "
        "for its cases, and a case for all its comparisons.</p>\n",
        stream);
    for (int k = 0; k < count; k++)
        if (is_failed(summary, names[k])) {
            if (failed++ == 0)
                table_begin(stream, summary);
            case_row(stream, summary, names[k], k);
        }
    if (failed > 0)
        fputs("</tbody></table>\n", stream);
    for (int k = 0; k < count; k++) {
        const char *const family = summary_any_case(summary, names[k])->family;
        int known = 0;

        for (int j = 0; j < k && !known; j++)
            known = strcmp(summary_any_case(summary, names[j])->family, family) == 0;
        if (!known)
            family_row(stream, summary, family);
    }
    fputs("</section>\n", stream);
}

/* ------------------------------------------------------------------------------------------------
 * The builds
 * --------------------------------------------------------------------------------------------- */

/* Facts that differ between targets have a column. */
static int is_column(const char *key)
{
    static const char *const columns[] = {"target", "device", "host compiler", "flags"};

    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++)
        if (strcmp(columns[k], key) == 0)
            return 1;
    return 0;
}

/* A line breaks between two flags, not after the dash of one. */
static void flags(FILE *stream, const char *text)
{
    fputs("<td data-of=\"flags\">", stream);
    while (text && *text) {
        const size_t length = strcspn(text, " ");

        html_print(stream, "<code>%.*s</code> ", (int)length, text);
        text += length + (text[length] == ' ');
    }
    fputs("</td>", stream);
}

static void built(FILE *stream, const struct summary *summary, const struct page_options *options)
{
    fputs("<section id=\"built\"><h2>How it was built</h2>\n<table class=\"built cards\">"
          "<thead><tr><th scope=\"col\">target</th><th scope=\"col\">device</th>"
          "<th scope=\"col\">compiler of the host</th><th scope=\"col\">flags</th></tr></thead>"
          "<tbody>\n",
          stream);
    for (int t = 0; t < summary->target_count; t++)
        for (int f = 0; f < summary->count; f++)
            if (strcmp(summary->results[f].target, summary->targets[t]) == 0) {
                html_print(stream,
                           "<tr><th scope=\"row\">%s</th><td data-of=\"device\">%s</td>"
                           "<td data-of=\"compiler\">%s</td>",
                           summary->targets[t], results_fact(&summary->results[f], "device"),
                           results_fact(&summary->results[f], "host compiler"));
                flags(stream, results_fact(&summary->results[f], "flags"));
                fputs("</tr>\n", stream);
                break;
            }
    fputs("</tbody></table>\n<dl>\n", stream);
    for (int k = 0; k < options->notes.count; k++) {
        const char *const text = options->notes.texts[k];
        const char *const colon = strstr(text, ": ");

        if (!colon || colon[2])
            html_print(stream, "<dt>%.*s</dt><dd>%s</dd>\n", colon ? (int)(colon - text) : 0, text,
                       colon ? colon + 2 : text);
    }
    /* Each fact once, and again with its target where the target's value differs. */
    for (int f = 0; f < summary->count; f++)
        for (int k = 0; k < summary->results[f].fact_count; k++) {
            const char *const name = summary->results[f].facts[2 * k];
            const char *const value = summary->results[f].facts[2 * k + 1];
            int known = is_column(name), is_repeated = 0;

            for (int e = 0; e < f && !known; e++) {
                const char *const earlier = results_fact(&summary->results[e], name);

                known = earlier && (strcmp(earlier, value) == 0 || strcmp(name, "date") == 0);
                is_repeated |= earlier != NULL;
            }
            if (!known)
                html_print(stream, "<dt>%s%s%s</dt><dd>%s</dd>\n", name, is_repeated ? ", " : "",
                           is_repeated ? summary->results[f].target : "", value);
        }
    fputs("</dl></section>\n", stream);
}

/* ------------------------------------------------------------------------------------------------
 * The page
 * --------------------------------------------------------------------------------------------- */

/* docs/report.md in short: an installation does not have it. */
static void reading(FILE *stream)
{
    static const char *const terms[][2] = {
        {"36% of the bound", "The reference computes each element in double precision, and how far "
                             "rounding may take the result from it: its bound. The worst element "
                             "uses this part of its bound. Above 100% it fails."},
        {"= reference", "Every element is exactly that of the reference."},
        {"3 ULP, 1e-07 from serial", "The worst element's distance from the result on the first "
                                     "target, in units in the last place and as a number. After "
                                     "it stands the part of the tolerance, if there is one."},
        {"= serial", "Every bit is that of the first target."},
        {"exact", "Between targets every bit must be the same. Otherwise the column has the "
                  "tolerance, ulp(N) or absrel(T, R) = T + R times the value, and its reason."},
        {"recorded", "Compared with the results of a GPU that make record has kept."},
        {"Next", "The command that finds the cause. Its ARGS=\"--n N --block B\" make it one run."},
    };

    fputs("<section id=\"reading\"><h2>How to read this page</h2>\n<dl>\n", stream);
    for (size_t k = 0; k < sizeof terms / sizeof terms[0]; k++)
        html_print(stream, "<dt>%s</dt><dd>%s</dd>\n", terms[k][0], terms[k][1]);
    fputs("</dl></section>\n", stream);
}

/* The sections, and in *images and *plots whether there are these. */
static void sections(FILE *stream, const struct summary *summary,
                     const struct page_options *options, int *images, int *plots)
{
    table(stream, summary);
    figures_histograms(stream, summary);
    *images = figures_images(stream, summary);
    *plots = figures_plots(stream, options->plots.texts, options->plots.count);
    built(stream, summary, options);
    reading(stream);
}

/* What comes before the sections. */
static void head(FILE *stream, const struct summary *summary, const struct page_options *options,
                 const struct totals *totals, int images, int plots)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          stream);
    headline(stream, totals);
    fputs(": ", stream);
    project(stream, summary, options);
    fprintf(stream, "</title>\n<style>\n%s</style></head>\n<body>\n<header><h1>", page_css);
    project(stream, summary, options);
    fputs(": results on ", stream);
    list_texts(stream, summary->targets, summary->target_count);
    fputs("</h1>\n", stream);
    verdict(stream, summary, totals, options);
    origin(stream, summary, options);
    fprintf(stream,
            "<nav aria-label=\"Sections\"><a href=\"#checks\">Cross-validation</a>"
            "<a href=\"#errors\">Errors</a>%s%s<a href=\"#built\">How it was built</a>"
            "<a href=\"#reading\">How to read this page</a></nav></header>\n",
            images ? "<a href=\"#images\">Images</a>" : "",
            plots ? "<a href=\"#speed\">Speed</a>" : "");
}

int page_write(const char *path, const struct results *results, int count,
               const struct page_options *options, struct io_error *error)
{
    struct summary summary;
    struct io_writer writer;
    int images, plots;
    char *text = NULL;
    size_t size;

    if (summary_make(&summary, results, count, error) != 0)
        return IO_BAD;
    FILE *const memory = open_memstream(&text, &size);
    int status = memory ? 0 : IO_BAD;

    if (memory) {
        sections(memory, &summary, options, &images, &plots);
        status = ferror(memory) ? IO_BAD : 0;
        status = fclose(memory) == 0 ? status : IO_BAD;
    }
    if (status != 0)
        io_fail(error, "no memory for the page");
    else
        status = io_write_begin(&writer, path, error);
    const struct totals totals = total(&summary, options);

    if (status == 0) {
        head(writer.stream, &summary, options, &totals, images, plots);
        fprintf(writer.stream, "<main>\n%s</main>\n</body></html>\n", text);
        status = io_write_commit(&writer, error);
    }
    free(text);
    summary_free(&summary);
    if (status != 0)
        return IO_BAD;
    return totals.verdict != VERDICT_AGREES;
}
