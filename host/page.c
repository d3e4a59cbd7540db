/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/page.h"

#include "host/figures.h"
#include "host/html.h"
#include "host/summary.h"

#include <math.h>   /* isfinite */
#include <string.h> /* strcmp, strstr */

static const char style[] =
    ":root{--bg:#fff;--fg:#1c2024;--mute:#5a6370;--line:#d9dee4;--soft:#f4f6f8;--ok:#116329;"
    "--okbg:#dcf5e3;--bad:#fff;--badbg:#c1121f;--badsoft:#fde8e8;--badfg:#a40e19;--link:#0a58b8;"
    "--t0:#0969a8;--t1:#d97a00;--t2:#0a8f5b;--t3:#b0459b;--t4:#6b5bd2;--t5:#7a6a00;"
    "color-scheme:light dark}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e6e9ec;--mute:#a2abb6;"
    "--line:#363d45;--soft:#1d2126;--ok:#8fe3a8;--okbg:#153822;--bad:#fff;--badbg:#c62a35;"
    "--badsoft:#40191c;--badfg:#ff9b9b;--link:#79b8ff;--t0:#58b2f0;--t1:#f5a742;--t2:#3ecf92;"
    "--t3:#e58bd3;--t4:#a99cff;--t5:#d3c04a}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1.5rem 1.25rem 4rem;max-width:78rem;background:var(--bg);"
    "color:var(--fg);font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",\"DejaVu "
    "Sans\",sans-serif}\n"
    "h1{font-size:1.6rem;margin:0 0 .75rem}h2{font-size:1.3rem;margin:2.75rem 0 .5rem;"
    "padding-top:.75rem;border-top:1px solid var(--line)}h3{font-size:1rem;margin:1.5rem 0 .5rem}\n"
    "p{max-width:62rem;margin:.5rem 0}a{color:var(--link)}small,.mute{color:var(--mute)}"
    "small{font-size:.82rem}\n"
    "code,pre{font-family:ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;"
    "font-size:.88em}\n"
    "nav{margin:1rem 0 0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}\n"
    ".verdict{border-radius:10px;padding:1rem 1.25rem;border:1px solid var(--line);"
    "background:var(--okbg);color:var(--fg)}.verdict strong{display:block;font-size:1.35rem;"
    "line-height:1.3;color:var(--ok)}.verdict p{margin:.25rem 0 0}\n"
    ".verdict.failed{background:var(--badsoft);border-color:var(--badbg)}"
    ".verdict.failed strong{color:var(--badfg)}\n"
    ".problem{color:var(--badfg)}\n"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;"
    "padding:.4rem .6rem;border-bottom:1px solid var(--line)}thead th{border-bottom:2px solid "
    "var(--mute);font-size:.9rem}\n"
    ".built{font-size:.9rem}.built td{overflow-wrap:anywhere;"
    "min-width:6rem}.built code{display:inline-block}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.75rem 0;"
    "font-size:.9rem}dt{color:var(--mute)}dd{margin:0;overflow-wrap:anywhere}\n"
    ".checks{font-size:.9rem}.checks thead th{position:sticky;top:0;background:var(--bg);"
    "z-index:1}.checks tbody th[scope=row]{font-weight:400;width:27%}.checks thead "
    "th:nth-child(3){width:17%}\n"
    ".checks tr.family th{background:var(--soft);font-weight:600;font-size:1rem;"
    "padding-top:.6rem;border-bottom:1px solid var(--mute)}\n"
    ".checks td small{display:block}.checks .name{font-weight:600}.checks td.runs{"
    "white-space:nowrap}\n"
    ".chip{display:inline-block;border-radius:1rem;padding:0 .55rem;font-size:.85rem;"
    "white-space:nowrap;font-weight:600}.chip.ok{background:var(--okbg);color:var(--ok)}"
    ".chip.bad{background:var(--badbg);color:var(--bad)}.chip.none{background:var(--soft);"
    "color:var(--mute);font-weight:400}\n"
    "tr.bad>th,tr.bad>td,tr.told>td{background:var(--badsoft)}tr.bad>th{box-shadow:inset 4px 0 "
    "var(--badbg)}tr.told>td{box-shadow:inset 4px 0 var(--badbg)}\n"
    "pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}\n"
    "details>summary{cursor:pointer}details ul{margin:.35rem 0 .35rem;padding-left:1.1rem;"
    "font-size:.85rem;color:var(--mute);overflow-wrap:anywhere}\n"
    ".legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:.9rem}.key{"
    "display:inline-block;width:1.4rem;height:.3rem;border-radius:2px;vertical-align:middle;"
    "margin-right:.4rem;background:currentColor}\n"
    ".t0{--c:var(--t0)}.t1{--c:var(--t1)}.t2{--c:var(--t2)}.t3{--c:var(--t3)}.t4{--c:var(--t4)}"
    ".t5,.t6,.t7{--c:var(--t5)}.r0{--c:var(--t4)}.r1{--c:var(--t5)}.key{color:var(--c)}\n"
    ".histograms{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,34rem),1fr));"
    "gap:1rem}\n"
    "figure{margin:0}.histograms figure{border:1px solid var(--line);border-radius:8px;"
    "padding:.6rem .75rem;break-inside:avoid}figcaption{font-size:.85rem;color:var(--mute);"
    "line-height:1.35}figcaption b{color:var(--fg)}\n"
    ".same{color:var(--ok);font-weight:600}.differ{color:var(--fg);font-weight:600}\n"
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.25rem .75rem;"
    "margin-top:.4rem}\n"
    "svg{width:100%;height:auto;display:block}svg text{font-size:11.5px;fill:var(--mute)}svg "
    "tspan.up{font-size:9px}"
    ".axis path{stroke:var(--mute);stroke-width:1;fill:none}.axis path.grid{stroke:var(--line)}\n"
    ".curve{fill:none;stroke:var(--c);stroke-width:1.2}.curve.t0{fill:var(--c);fill-opacity:.18;"
    "stroke-width:6}.curve.t1{stroke-width:3.6}.curve.t2{stroke-width:1.6}"
    ".curve.t3{stroke-width:.6}.curve.r0,.curve.r1{stroke-width:1.6;stroke-dasharray:4 2}\n"
    ".bound{stroke:var(--badfg);stroke-width:1.2;stroke-dasharray:4 3}svg text.boundtext{"
    "fill:var(--badfg)}\n"
    ".strip{display:flex;flex-wrap:wrap;gap:.9rem}.shot{width:17.5rem;max-width:100%}.shot img{"
    "width:100%;height:auto;display:block;border:1px solid var(--line);border-radius:4px;"
    "image-rendering:auto}.matrices .shot{width:11rem}.matrices .shot img{background:#fff;"
    "image-rendering:pixelated}.shot figcaption{margin-top:.3rem;color:var(--fg)}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr));"
    "gap:1rem}.plots img{width:100%;height:auto;background:#fff;border:1px solid var(--line);"
    "border-radius:6px}\n"
    "@media(max-width:46rem){body{padding:1rem .75rem 3rem}.cards thead{position:absolute;"
    "width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.cards,.cards tbody,.cards tr,"
    ".cards th,.cards td{display:block;width:100%!important}.cards tr{padding:.4rem 0;"
    "border-bottom:1px solid var(--line)}.cards th,.cards td{border:0;padding:.15rem .5rem}"
    ".cards "
    "td[data-of]::before{content:attr(data-of);display:inline-block;vertical-align:top;width:7."
    "5rem;"
    "color:var(--mute);font-size:.85rem}.cards td[data-of] small{padding-left:7.5rem}"
    ".shot,.matrices .shot{width:calc(50% - .45rem)}.checks tr.family{padding:0}.checks tr.family "
    "th{padding:.4rem .5rem}}\n"
    "@media print{body{max-width:none;font-size:10pt;padding:0}.checks thead th{"
    "position:static}tr,figure,.verdict{break-inside:avoid}tr.family,h2,h3{break-after:avoid}nav{"
    "display:none}"
    "*{print-color-adjust:exact}details>summary{list-style:none}}\n";

/* ------------------------------------------------------------------------------------------------
 * The header
 * --------------------------------------------------------------------------------------------- */

struct totals {
    double runs, comparisons;
    int cases, failed_cases, problems;
};

static struct totals total(const struct summary *summary, const struct page_options *options)
{
    struct totals totals = {0, 0, 0, 0, 0};
    int explained = 0;

    totals.cases = summary->name_count;
    for (int k = 0; k < summary->name_count; k++)
        totals.failed_cases += summary_failed(summary, summary->names[k]);
    explained = totals.failed_cases;
    for (int f = 0; f < summary->count; f++) {
        const struct results *const results = &summary->results[f];

        totals.runs += results->runs;
        totals.problems += results->problem_count;
        explained += results->problem_count;
        for (int c = 0; c < results->case_count; c++)
            totals.comparisons += results->cases[c].row_count;
        /* A check that failed without a reason in its results is a failure too. */
        totals.problems += results->status != 0 && explained == 0;
    }
    totals.problems += options->failed.count;
    return totals;
}

/* "serial, openmp and emulate" */
static void list_texts(FILE *stream, const char *const *texts, int count)
{
    for (int k = 0; k < count; k++) {
        fputs(k == 0 ? "" : k + 1 < count ? ", " : " and ", stream);
        html_text(stream, texts[k]);
    }
}

static void verdict(FILE *stream, const struct summary *summary, const struct totals *totals,
                    const struct page_options *options)
{
    const char *const *const names = summary->names;
    const int bad = totals->failed_cases > 0 || totals->problems > 0 || totals->comparisons == 0;
    int listed = 0;

    fprintf(stream, "<div class=\"verdict%s\"><strong>", bad ? " failed" : "");
    if (totals->failed_cases > 0)
        fprintf(stream, "&#10007; %d of %d cases %s", totals->failed_cases, totals->cases,
                totals->failed_cases == 1 ? "fails" : "fail");
    else if (totals->comparisons == 0)
        fputs("&#10007; Nothing was compared", stream);
    else if (totals->problems > 0)
        fputs("&#10007; Not everything could be checked", stream);
    else
        fputs("&#10003; All results agree", stream);
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
        if (summary_failed(summary, names[k])) {
            fprintf(stream, "%s<a href=\"#case-%d\">", listed++ ? ", " : "<p>Look at ", k);
            html_text(stream, names[k]);
            fputs("</a>", stream);
            for (int f = 0, first = 1; f < summary->count; f++) {
                const struct results_case *const one = results_find(&summary->results[f], names[k]);

                if (!one || !results_case_failed(one))
                    continue;
                fputs(first ? " (" : ", ", stream);
                html_print(stream, "%s%s", summary->results[f].target,
                           results_case_is_record(one) ? " against a record" : "");
                first = 0;
            }
            fputs(")", stream);
        }
    fputs(listed ? ".</p>" : "", stream);
    for (int k = 0; k < options->failed.count; k++) {
        fputs("<p class=\"problem\">&#10007; ", stream);
        html_text(stream, options->failed.texts[k]);
        fputs("</p>", stream);
    }
    for (int f = 0; f < summary->count; f++)
        for (int k = 0; k < summary->results[f].problem_count; k++) {
            fputs("<p class=\"problem\">&#10007; ", stream);
            html_print(stream, "%s: %s", summary->results[f].target,
                       summary->results[f].problems[k]);
            fputs("</p>", stream);
        }
    for (int k = 0; k < options->missing.count; k++) {
        fputs("<p>Not run: ", stream);
        html_text(stream, options->missing.texts[k]);
        fputs("</p>", stream);
    }
    fputs("</div>\n", stream);
}

/* Facts that differ between targets have a column. */
static int is_column(const char *key)
{
    static const char *const columns[] = {"target", "device", "host compiler", "flags"};

    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++)
        if (strcmp(columns[k], key) == 0)
            return 1;
    return 0;
}

static void cell_text(FILE *stream, const char *of, const char *text)
{
    fprintf(stream, "<td data-of=\"%s\">", of);
    html_text(stream, text);
    fputs("</td>", stream);
}

/* A line breaks between two flags, not after the dash of one. */
static void flags(FILE *stream, const char *text)
{
    fputs("<td data-of=\"flags\">", stream);
    while (text && *text) {
        const size_t length = strcspn(text, " ");

        fputs("<code>", stream);
        html_print(stream, "%.*s", (int)length, text);
        fputs("</code> ", stream);
        text += length + (text[length] == ' ');
    }
    fputs("</td>", stream);
}

/* The cell of a target that did not run: "TARGET: WHY". */
static void absent_row(FILE *stream, const char *text)
{
    const char *const colon = strstr(text, ": ");

    fputs("<tr><th scope=\"row\">", stream);
    html_print(stream, "%.*s", colon ? (int)(colon - text) : 0, text);
    fputs("</th><td colspan=\"3\">", stream);
    html_text(stream, colon ? colon + 2 : text);
    fputs("</td></tr>\n", stream);
}

static void pair(FILE *stream, const char *key, const char *value)
{
    fputs("<dt>", stream);
    html_text(stream, key);
    fputs("</dt><dd>", stream);
    html_text(stream, value);
    fputs("</dd>\n", stream);
}

static void built(FILE *stream, const struct summary *summary, const struct page_options *options)
{
    char key[128];

    fputs("<section id=\"built\"><h2>What was built</h2>\n<table class=\"built cards\">"
          "<thead><tr><th scope=\"col\">target</th><th scope=\"col\">device</th>"
          "<th scope=\"col\">compiler of the host</th><th scope=\"col\">flags</th></tr></thead>"
          "<tbody>\n",
          stream);
    for (int t = 0; t < summary->target_count; t++)
        for (int f = 0; f < summary->count; f++)
            if (strcmp(summary->results[f].target, summary->targets[t]) == 0) {
                fputs("<tr><th scope=\"row\">", stream);
                html_text(stream, summary->targets[t]);
                fputs("</th>", stream);
                cell_text(stream, "device", results_fact(&summary->results[f], "device"));
                cell_text(stream, "compiler", results_fact(&summary->results[f], "host compiler"));
                flags(stream, results_fact(&summary->results[f], "flags"));
                fputs("</tr>\n", stream);
                break;
            }
    for (int k = 0; k < options->failed.count; k++)
        absent_row(stream, options->failed.texts[k]);
    for (int k = 0; k < options->missing.count; k++)
        absent_row(stream, options->missing.texts[k]);
    fputs("</tbody></table>\n<dl>\n", stream);
    for (int k = 0; k < options->notes.count; k++) {
        const char *const note = options->notes.texts[k];
        const char *const colon = strstr(note, ": ");

        snprintf(key, sizeof key, "%.*s", colon ? (int)(colon - note) : 0, note);
        pair(stream, key, colon ? colon + 2 : note);
    }
    /* Each fact once, and again with its target where the target's value differs. */
    for (int f = 0; f < summary->count; f++)
        for (int k = 0; k < summary->results[f].fact_count; k++) {
            const char *const name = summary->results[f].facts[2 * k];
            const char *const value = summary->results[f].facts[2 * k + 1];
            int known = is_column(name), other = 0;

            for (int e = 0; e < f && !known; e++) {
                const char *const earlier = results_fact(&summary->results[e], name);

                known = earlier && (strcmp(earlier, value) == 0 || strcmp(name, "date") == 0);
                other |= earlier != NULL;
            }
            snprintf(key, sizeof key, "%.60s%s%.60s", name, other ? ", " : "",
                     other ? summary->results[f].target : "");
            if (!known)
                pair(stream, key, value);
        }
    fputs("</dl></section>\n", stream);
}

/* ------------------------------------------------------------------------------------------------
 * The table
 * --------------------------------------------------------------------------------------------- */

static void chip(FILE *stream, int failed)
{
    fputs(failed ? "<span class=\"chip bad\">&#10007; fails</span>"
                 : "<span class=\"chip ok\">&#10003; agrees</span>",
          stream);
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
        html_print(stream, row->kind == RESULTS_TARGET ? "= %s" : "identical", row->other);
    else {
        html_print(stream, "%.3g ULP, %.2g", row->ulp, row->absolute);
        if (row->kind == RESULTS_TARGET)
            html_print(stream, " from %s", row->other);
        if (!exact)
            html_print(stream, "; %s of the tolerance",
                       share_text(row->share, share, sizeof share));
    }
    fputs("</small>", stream);
}

static void cell_begin(FILE *stream, const char *of, int failed)
{
    fputs("<td data-of=\"", stream);
    html_text(stream, of);
    fprintf(stream, "\"%s>", failed ? " class=\"bad\"" : "");
}

static const char not_run[] = "<span class=\"chip none\">&#8211; not run</span>";

static void target_cell(FILE *stream, const struct summary *summary, const char *target,
                        const char *name)
{
    const struct results_case *const one = summary_case(summary, target, name);

    cell_begin(stream, target, one && results_case_failed(one));
    if (one) {
        if (one->row_count > 0 || results_case_failed(one))
            chip(stream, results_case_failed(one));
        else
            fputs("<span class=\"chip none\">&#8211; not compared</span>", stream);
        for (int r = 0; r < one->row_count; r++)
            distance(stream, &one->rows[r], one->policy);
        if (one->row_count == 0)
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
        const struct results_case *const one = results_find(&summary->results[f], name);

        for (int r = 0; one && r < one->row_count; r++) {
            const struct results_row *const row = &one->rows[r];

            if (row->kind == RESULTS_RECORD && strcmp(row->other, device) == 0 &&
                (!worst || row->failures > worst->failures ||
                 (row->failures == worst->failures && row->ulp > worst->ulp))) {
                worst = row;
                of = one;
                target = summary->results[f].target;
            }
        }
    }
    snprintf(heading, sizeof heading, "%s, recorded", device);
    cell_begin(stream, heading, worst && worst->failures > 0);
    if (worst) {
        chip(stream, worst->failures > 0);
        if (worst->ulp > 0 || worst->failures > 0) {
            fputs("<small>", stream);
            html_text(stream, target);
            fputs("</small>", stream);
        }
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
        const struct results_case *const one = results_find(&summary->results[f], name);

        for (int r = 0; one && r < one->row_count; r++) {
            const struct results_row *const row = &one->rows[r];
            char share[32];

            fputs("<li><b>", stream);
            html_text(stream, summary->results[f].target);
            fputs("</b> ", stream);
            html_print(stream, "against %s%s: ",
                       row->kind == RESULTS_REFERENCE ? "the reference" : row->other,
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
            if (row->kind == RESULTS_REFERENCE || strcmp(one->policy, "exact") != 0)
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
static void told(FILE *stream, const struct summary *summary, const char *name)
{
    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const one = results_find(&summary->results[f], name);

        if (!one || one->told_count == 0)
            continue;
        fprintf(stream, "<tr class=\"told\"><td colspan=\"%d\"><b>",
                3 + summary->target_count + summary->record_count);
        html_text(stream, summary->results[f].target);
        fputs("</b><pre>", stream);
        for (int k = 0; k < one->told_count; k++) {
            html_text(stream, one->told[k]);
            putc('\n', stream);
        }
        fputs("</pre></td></tr>\n", stream);
    }
}

static void case_row(FILE *stream, const struct summary *summary, const char *name, int number)
{
    const struct results_case *const one = summary_any_case(summary, name);
    const int failed = summary_failed(summary, name);
    double runs = 0;

    fprintf(stream,
            "<tr%s id=\"case-%d\"><th scope=\"row\"><details><summary><span "
            "class=\"name\">",
            failed ? " class=\"bad\"" : "", number);
    html_text(stream, name);
    fputs("</span></summary>", stream);
    comparisons(stream, summary, name);
    fputs("</details><small>", stream);
    html_text(stream, one->summary);
    fputs("</small></th><td data-of=\"runs\" class=\"runs\">", stream);
    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const here = results_find(&summary->results[f], name);

        runs += here ? here->runs : 0;
    }
    html_count(stream, runs);
    fputs("</td><td data-of=\"between targets\">", stream);
    html_text(stream, one->policy);
    if (one->reason[0]) {
        fputs("<small>", stream);
        html_text(stream, one->reason);
        fputs("</small>", stream);
    }
    fputs("</td>", stream);
    for (int t = 0; t < summary->target_count; t++)
        target_cell(stream, summary, summary->targets[t], name);
    for (int r = 0; r < summary->record_count; r++)
        record_cell(stream, summary, summary->records[r], name);
    fputs("</tr>\n", stream);
    told(stream, summary, name);
}

static void table(FILE *stream, const struct summary *summary)
{
    const char *const *const names = summary->names;
    const int count = summary->name_count;
    const int columns = 3 + summary->target_count + summary->record_count;
    const char *family = "";

    fputs(
        "<section id=\"checks\"><h2>Cross-validation</h2>\n"
        "<p>Each case ran at several sizes and block shapes on each target. Against the reference, "
        "in double precision, each element may use all of the bound that the reference gives it: "
        "the worst of all elements is shown. Between targets results must be the same bit for bit, "
        "unless the case gives a reason. Open a case for all its comparisons.</p>\n"
        "<table class=\"checks cards\"><thead><tr><th scope=\"col\">case</th><th "
        "scope=\"col\">runs</th>"
        "<th scope=\"col\">between targets</th>",
        stream);
    for (int t = 0; t < summary->target_count; t++) {
        fputs("<th scope=\"col\">", stream);
        html_text(stream, summary->targets[t]);
        fputs("</th>", stream);
    }
    for (int r = 0; r < summary->record_count; r++) {
        fputs("<th scope=\"col\">", stream);
        html_print(stream, "%s, recorded", summary->records[r]);
        fputs("</th>", stream);
    }
    fputs("</tr></thead>\n", stream);
    for (int k = 0; k < count; k++) {
        const struct results_case *const one = summary_any_case(summary, names[k]);

        if (k == 0 || strcmp(family, one->family) != 0) {
            fprintf(stream, "%s<tbody><tr class=\"family\"><th scope=\"rowgroup\" colspan=\"%d\">",
                    k ? "</tbody>\n" : "", columns);
            html_text(stream, one->family);
            fputs("</th></tr>\n", stream);
            family = one->family;
        }
        case_row(stream, summary, names[k], k);
    }
    fputs(count > 0 ? "</tbody></table></section>\n" : "</table></section>\n", stream);
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
          "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Results on ",
          stream);
    list_texts(stream, summary.targets, summary.target_count);
    fprintf(stream, "</title>\n<style>\n%s</style></head>\n<body>\n<header><h1>Results on ", style);
    list_texts(stream, summary.targets, summary.target_count);
    fputs("</h1>\n", stream);
    verdict(stream, &summary, &totals, options);
    fputs("<nav aria-label=\"Sections\"><a href=\"#built\">What was built</a><a "
          "href=\"#checks\">Cross-validation</a><a href=\"#errors\">Errors</a><a "
          "href=\"#images\">Images</a><a href=\"#speed\">Speed</a></nav></header>\n<main>\n",
          stream);
    built(stream, &summary, options);
    table(stream, &summary);
    figures_histograms(stream, &summary);
    figures_images(stream, &summary);
    figures_plots(stream, options->plots.texts, options->plots.count);
    fputs("</main>\n</body></html>\n", stream);
    summary_free(&summary);
    if (io_write_commit(&writer, error) != 0)
        return IO_BAD;
    return totals.failed_cases > 0 || totals.problems > 0 || totals.comparisons == 0;
}
