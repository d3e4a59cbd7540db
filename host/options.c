/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/options.h"

#include <getopt.h> /* getopt_long */
#include <stdlib.h> /* strtod, strtol */
#include <string.h> /* memset, strcspn, strlen, strncmp */

/* What getopt_long returns for the first entry: more than any character. */
enum { FIRST = 256 };

/* The length of an entry's name without that of its value. */
static int length_of(const struct options_entry *entry)
{
    return (int)strcspn(entry->name, " ");
}

static int in_range(const struct options_entry *entry, double value)
{
    return value >= entry->minimum && value <= entry->maximum;
}

static int store(const struct options_entry *entry, const char *text, struct io_error *error)
{
    struct options_texts *const list = (struct options_texts *)entry->value;
    const int is_whole = entry->kind == OPTIONS_WHOLE;
    char *end;

    if (entry->kind == OPTIONS_FLAG)
        *(int *)entry->value = 1;
    else if (entry->kind == OPTIONS_TEXT)
        *(const char **)entry->value = text;
    else if (entry->kind == OPTIONS_TEXTS) {
        if (list->count == OPTIONS_MOST)
            return io_fail(error, "takes %d of %s at most", OPTIONS_MOST, entry->name);
        list->texts[list->count++] = text;
    } else {
        const double value = is_whole ? (double)strtol(text, &end, 10) : strtod(text, &end);

        if (end == text || *end || !in_range(entry, value))
            return io_fail(error, "%.*s takes %s from %.10g to %.10g, not %s", length_of(entry),
                           entry->name, is_whole ? "an integer" : "a number", entry->minimum,
                           entry->maximum, text);
        if (is_whole)
            *(int *)entry->value = (int)value;
        else
            *(double *)entry->value = value;
    }
    return 0;
}

int options_parse(int argc, char *const *argv, const struct options_entry *entries,
                  size_t entry_count, struct io_error *error)
{
    char names[OPTIONS_MOST][32], is_given[OPTIONS_MOST] = {0};
    struct option known[OPTIONS_MOST + 1], *next = known;
    int code = 0, status = 0, operand = -1;

    if (entry_count > OPTIONS_MOST)
        return io_fail(error, "has more than %d options", OPTIONS_MOST);
    memset(known, 0, sizeof known);
    for (int k = 0; k < (int)entry_count; k++) {
        if (entries[k].name[0] != '-') {
            operand = k;
            continue;
        }
        snprintf(names[k], sizeof names[k], "%.*s", length_of(&entries[k]) - 2,
                 entries[k].name + 2);
        next->name = names[k];
        next->has_arg = entries[k].kind != OPTIONS_FLAG;
        next++->val = FIRST + k;
    }
    optind = 0; /* from the start, even if it has parsed another command line */
    opterr = 0;
    while (status == 0) {
        const int at = optind > 0 ? optind : 1;

        /* "-": arguments in their order, as 1. -1: at the end, or at what follows "--". */
        if (code != -1)
            code = getopt_long(argc, argv, "-:", known, NULL);
        if (code == -1 && optind == argc)
            break;
        const int is_operand = code == 1 || code == -1;
        const char *const text = code == -1 ? argv[optind++] : optarg;
        const int k = is_operand ? operand : (code == ':' ? optopt : code) - FIRST;

        /* getopt_long takes abbreviations, which another option would make ambiguous. */
        if (k < 0 || (!is_operand && length_of(&entries[k]) != (int)strcspn(argv[at], "=")))
            status = io_fail(error, "takes no %s", is_operand ? text : argv[at]);
        else if (code == ':' || (text && (!*text || (!is_operand && text == argv[at + 1] &&
                                                     strncmp(text, "--", 2) == 0))))
            status = io_fail(error, "%.*s needs a value", length_of(&entries[k]), entries[k].name);
        else if (is_given[k]++ && entries[k].kind != OPTIONS_TEXTS)
            status = io_fail(error, "%.*s is given twice", length_of(&entries[k]), entries[k].name);
        else
            status = store(&entries[k], text, error);
    }
    return status;
}

void options_print_usage(FILE *stream, const char *before, const struct options_entry *entries,
                         size_t entry_count)
{
    const int indent = fprintf(stream, "%s", before);
    int column = indent;

    for (size_t k = 0; k < entry_count; k++) {
        const char *form = " [%s]";
        char word[128];

        if (entries[k].kind == OPTIONS_TEXTS)
            form = entries[k].name[0] == '-' ? " [%s]..." : " %s";
        const int length = snprintf(word, sizeof word, form, entries[k].name);

        if (column + length > 80)
            column = fprintf(stream, "\n%*s", indent, "") - 1;
        column += fprintf(stream, "%s", word);
    }
    putc('\n', stream);
}

void options_print_help(FILE *stream, const char *program, const char *about,
                        const struct options_entry *entries, size_t entry_count)
{
    int widest = 0;
    char before[80];

    snprintf(before, sizeof before, "usage: %s", program);
    options_print_usage(stream, before, entries, entry_count);
    fprintf(stream, "\n%s\n\n", about);
    for (size_t k = 0; k < entry_count; k++) {
        const int length = (int)strlen(entries[k].name);

        widest = length > widest ? length : widest;
    }
    for (size_t k = 0; k < entry_count; k++) {
        const struct options_entry *const entry = &entries[k];
        const char *const *const text = (const char *const *)entry->value;

        fprintf(stream, "  %-*s  %s", widest, entry->name, entry->help);
        if (entry->kind >= OPTIONS_NUMBER) {
            const double value =
                entry->kind == OPTIONS_NUMBER ? *(double *)entry->value : *(int *)entry->value;

            fprintf(stream, " (%.10g to %.10g", entry->minimum, entry->maximum);
            if (in_range(entry, value))
                fprintf(stream, ", default %.10g", value);
            putc(')', stream);
        } else if (entry->kind == OPTIONS_TEXT && *text)
            fprintf(stream, " (default %s)", *text);
        putc('\n', stream);
    }
}
