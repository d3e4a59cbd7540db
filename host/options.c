/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/options.h"

#include <stdlib.h> /* strtod */
#include <string.h> /* strcspn, strlen, strncmp */

/* The entry of a word: an option by its name, another word by the entry without dashes. */
static const struct options_entry *find(const char *word, const struct options_entry *entries,
                                        size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const size_t length = strcspn(entries[k].name, " ");

        if (word[0] == '-' ? strlen(word) == length && strncmp(word, entries[k].name, length) == 0
                           : entries[k].name[0] != '-')
            return &entries[k];
    }
    return NULL;
}

static double value_of(const struct options_entry *entry)
{
    return entry->kind == OPTIONS_NUMBER ? *(double *)entry->value : *(int *)entry->value;
}

static int in_range(const struct options_entry *entry, double value)
{
    if (!(value >= entry->least && value <= entry->most))
        return 0;
    if (entry->kind == OPTIONS_NUMBER)
        return 1;
    const int whole = (int)value;

    return whole == value && (entry->kind == OPTIONS_WHOLE || (whole & (whole - 1)) == 0);
}

static int read_number(const struct options_entry *entry, const char *text, struct io_error *error)
{
    static const char *const what[] = {"", "", "a number", "a whole number", "a power of two"};
    char *end;
    const double value = strtod(text, &end);

    if (end == text || *end || !in_range(entry, value))
        return io_fail(error, "%.*s %s: expected %s from %.10g to %.10g",
                       (int)strcspn(entry->name, " "), entry->name, text, what[entry->kind],
                       entry->least, entry->most);
    if (entry->kind == OPTIONS_NUMBER)
        *(double *)entry->value = value;
    else
        *(int *)entry->value = (int)value;
    return 0;
}

int options_parse(int count, char *const *words, const struct options_entry *entries,
                  size_t entry_count, struct io_error *error)
{
    int arguments = 0;

    for (int i = 0; i < count; i++) {
        const struct options_entry *const entry = find(words[i], entries, entry_count);

        if (!entry)
            return io_fail(error, words[i][0] == '-' ? "unknown option %s" : "unexpected %s",
                           words[i]);
        if (entry->kind == OPTIONS_FLAG) {
            *(int *)entry->value = 1;
            continue;
        }
        if (words[i][0] != '-') {
            if (arguments++)
                return io_fail(error, "%s: expected one %s", words[i], entry->name);
        } else if (++i == count || (words[i][0] == '-' && find(words[i], entries, entry_count)))
            return io_fail(error, "%s needs a value", words[i - 1]);
        if (entry->kind != OPTIONS_TEXT) {
            if (read_number(entry, words[i], error) != 0)
                return IO_BAD;
        } else if (words[i][0])
            *(const char **)entry->value = words[i];
        else
            return io_fail(error, "%s: the value is empty", entry->name);
    }
    return 0;
}

void options_print_help(FILE *stream, const char *program, const char *about,
                        const struct options_entry *entries, size_t entry_count)
{
    int widest = 0, column = fprintf(stream, "usage: %s", program);
    const int indent = column;

    for (size_t k = 0; k < entry_count; k++) {
        const int length = (int)strlen(entries[k].name);

        widest = length > widest ? length : widest;
        if (column + length + 3 > 96)
            column = fprintf(stream, "\n%*s", indent, "") - 1;
        column += fprintf(stream, " [%s]", entries[k].name);
    }
    fprintf(stream, "\n\n%s\n\n", about);
    for (size_t k = 0; k < entry_count; k++) {
        const struct options_entry *const entry = &entries[k];
        const char *const *const text = (const char *const *)entry->value;

        fprintf(stream, "  %-*s  %s", widest, entry->name, entry->help);
        if (entry->kind >= OPTIONS_NUMBER) {
            fprintf(stream, " (%.10g to %.10g", entry->least, entry->most);
            if (in_range(entry, value_of(entry)))
                fprintf(stream, ", default %.10g", value_of(entry));
            putc(')', stream);
        } else if (entry->kind == OPTIONS_TEXT && *text)
            fprintf(stream, " (default %s)", *text);
        putc('\n', stream);
    }
}
