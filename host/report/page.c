/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/report/page.h"

#include "host/html.h"
#include "host/report/figures.h"
#include "host/report/summary.h"
#include "page_css.h" /* page_css: host/report/page.css, by the build */

#include <math.h>   /* isfinite */
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
    if (commit[0])
        html_print(stream, "Commit %s. ", commit);
    html_print(stream, "%.*s, %s. Explained in docs/report.md", 10, any_fact(summary, "date"),
               any_fact(summary, "CPU"));
    if (url[0])
        html_print(stream, " of <a href=\"%s\">portable.h</a>", url);
    fputs(".</p>\n", stream);
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

static const char *share_text(double share, char *text, size_t size)
{
    if (share == 0)
        snprintf(text, size, "0%%");
    else if (!isfinite(share))
        snprintf(text, size, "beyond any share");
    else if (share < 0.01)
        snprintf(text, size, "below 1%%");
    else if (share > 1 && share < 1.005)
        snprintf(text, size, "over 100%%");
    else
        snprintf(text, size, "%.0f%%", 100 * share);
    return text;
}

/* The distance between results and their reference, in one line. */
static void distance(FILE *stream, const struct results_row *row, const char *policy)
{
    const int exact = strcmp(policy, "exact") == 0;
    char share[32];

    fputs("<small>", stream);
    if (row->kind == RESULTS_REFERENCE && row->elements == 0)
        fputs("nothing to compare", stream);
    else if (row->kind == RESULTS_REFERENCE && row->share == 0)
        fputs("= reference", stream);
    else if (row->kind == RESULTS_REFERENCE)
        html_print(stream, "%s of the bound", share_text(row->share, share, sizeof share));
    else if (row->ulp == 0 && row->failures == 0)
        html_print(stream, row->kind == RESULTS_TARGET ? "= %s" : "identical", row->against);
    else {
        html_print(stream, "%.3g ULP, %.2g", row->ulp, row->absolute);
        if (row->kind == RESULTS_TARGET)
            html_print(stream, " from %s", row->against);
        if (!exact)
            html_print(stream, "; %s of the tolerance",
                       share_text(row->share, share, sizeof share));
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
            char share[32];

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
            if (row->kind == RESULTS_REFERENCE || strcmp(entry->policy, "exact") != 0)
                html_print(stream, ", %s of the %s", share_text(row->share, share, sizeof share),
                           row->kind == RESULTS_REFERENCE ? "bound" : "tolerance");
            if (row->where[0])
                html_print(stream, ", at %s, n = %s, block %s", row->where, row->n, row->block);
            fputs("</li>", stream);
        }
    }
    fputs("</ul>", stream);
}

/* The messages about a case that failed. */
static void diagnostics(FILE *stream, const struct summary *summary, const char *name)
{
    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const entry = results_find(&summary->results[f], name);

        if (!entry || entry->diagnostic_count == 0)
            continue;
        html_print(stream, "<tr class=\"told\"><td colspan=\"%d\"><b>%s</b><pre>",
                   3 + summary->target_count + summary->record_count, summary->results[f].target);
        for (int k = 0; k < entry->diagnostic_count; k++)
            html_print(stream, "%s\n", entry->diagnostics[k]);
        fputs("</pre></td></tr>\n", stream);
    }
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
    char share[32];

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
    if (worst >= 0)
        fprintf(stream, "; %s of the bound at most", share_text(worst, share, sizeof share));
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

int page_write(const char *path, const struct results *results, int count,
               const struct page_options *options, struct io_error *error)
{
    struct summary summary;
    struct io_writer writer;
    struct totals totals;

    if (summary_make(&summary, results, count, error) != 0)
        return IO_BAD;
    if (io_write_begin(&writer, path, error) != 0) {
        summary_free(&summary);
        return IO_BAD;
    }
    totals = total(&summary, options);

    FILE *const stream = writer.stream;

    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          stream);
    headline(stream, &totals);
    fputs(": ", stream);
    project(stream, &summary, options);
    fprintf(stream, "</title>\n<style>\n%s</style></head>\n<body>\n<header><h1>", page_css);
    project(stream, &summary, options);
    fputs(": results on ", stream);
    list_texts(stream, summary.targets, summary.target_count);
    fputs("</h1>\n", stream);
    verdict(stream, &summary, &totals, options);
    origin(stream, &summary, options);
    fputs("<nav aria-label=\"Sections\"><a href=\"#checks\">Cross-validation</a><a "
          "href=\"#errors\">Errors</a><a href=\"#images\">Images</a><a "
          "href=\"#speed\">Speed</a><a href=\"#built\">How it was built</a></nav></header>\n"
          "<main>\n",
          stream);
    table(stream, &summary);
    figures_histograms(stream, &summary);
    figures_images(stream, &summary);
    figures_plots(stream, options->plots.texts, options->plots.count);
    built(stream, &summary, options);
    fputs("</main>\n</body></html>\n", stream);
    summary_free(&summary);
    if (io_write_commit(&writer, error) != 0)
        return IO_BAD;
    return totals.verdict != VERDICT_AGREES;
}
