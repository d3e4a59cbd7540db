/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suppressions, in blocks like valgrind's:
 *
 *     {
 *         the library polls its own flag      # its name
 *         racecheck:race                      the check and the kind; * is any
 *         kernel:reduce*                      or `host`, for host code
 *         file:queue.cuh:40-60
 *     }
 *
 * A finding is suppressed if the kernel is its kernel, and each file: is one of its lines. Patterns
 * are those of fnmatch. That of a file must match its path, or the end of it after a slash.
 */
#define _GNU_SOURCE /* open_memstream, strndup, strsep */
#include "host/checks/suppressions.h"
#include "portable.h" /* portable_bad_value_ */

#include <errno.h>   /* errno */
#include <fnmatch.h> /* fnmatch */
#include <limits.h>  /* PATH_MAX */
#include <stdio.h>   /* fopen, fread, open_memstream */
#include <stdlib.h>  /* getenv, malloc, realloc */
#include <string.h>  /* strchr, strdup, strsep */

enum { MAX_FILES = 8, MAX_BYTES = 1 << 20, MAX_LOCATION = PATH_MAX + 160 };
struct suppression {
    char *place; /* "ci.supp:3" */
    char *name, *tool, *kind, *kernel;
    int host; /* only host code */
    struct {
        char *path;
        unsigned long first, last; /* 0: any line */
    } files[MAX_FILES];
    int file_count;
    int used;
};
static struct suppression *suppressions;
static size_t suppression_count;
static const char *check;
static int is_printing;

static const char variable[] = "PORTABLE_SUPPRESSIONS";
static const char *const checks[] = {"memcheck",    "racecheck",  "initcheck",   "synccheck",
                                     "streamcheck", "ordercheck", "accesscheck", "fpcheck"};

/* Whether a check has a kind that matches. */
static int is_kind(const char *tool, const char *kind)
{
    for (int k = 0; k < FINDING_KINDS; k++)
        if ((finding_rules[k].tool == NULL || fnmatch(tool, finding_rules[k].tool, 0) == 0) &&
            fnmatch(kind, finding_rules[k].name, 0) == 0)
            return 1;
    return 0;
}

static int is_check(const char *tool)
{
    for (size_t k = 0; k < sizeof checks / sizeof checks[0]; k++)
        if (fnmatch(tool, checks[k], 0) == 0)
            return 1;
    return 0;
}

/* Reads "12" or "12-20" to the end of the text; returns 0 for anything else. */
static int read_range(const char *text, unsigned long *first, unsigned long *last)
{
    char *end;

    if (*text < '1' || *text > '9')
        return 0;
    *first = *last = strtoul(text, &end, 10);
    if (*end == '-' && end[1] >= '1' && end[1] <= '9')
        *last = strtoul(end + 1, &end, 10);
    return *end == '\0' && *first <= *last;
}

static char *copy_of(const char *text)
{
    char *const copy = strdup(text);

    if (copy == NULL)
        portable_bad_value_(variable, text, "out of memory");
    return copy;
}

/* Returns a sentence if the line of a block is invalid. */
static const char *read_line(struct suppression *s, const char *text)
{
    const char *const colon = strchr(text, ':');

    if (s->name == NULL) {
        s->name = copy_of(text);
        return NULL;
    }
    if (s->tool == NULL) {
        if (colon == NULL)
            return "the second line of a suppression must be CHECK:KIND";
        s->tool = copy_of(text);
        s->tool[colon - text] = '\0';
        s->kind = s->tool + (colon - text) + 1;
        if (!is_check(s->tool))
            return "the check must be memcheck, racecheck, initcheck, synccheck, streamcheck, "
                   "ordercheck, accesscheck, fpcheck or *";
        return is_kind(s->tool, s->kind) ? NULL : "the check has no such kind of finding";
    }
    if (strcmp(text, "host") == 0) {
        s->host = 1;
        return s->kernel == NULL ? NULL : "a suppression is of host code or of a kernel";
    }
    if (strncmp(text, "kernel:", 7) == 0 && text[7] != '\0') {
        if (s->kernel != NULL)
            return "a suppression can have one kernel: line";
        s->kernel = copy_of(text + 7);
        return s->host ? "a suppression is of host code or of a kernel" : NULL;
    }
    if (strncmp(text, "file:", 5) == 0 && text[5] != '\0') {
        if (s->file_count == MAX_FILES)
            return "a suppression can have eight file: lines";
        const int index = s->file_count++;
        char *const path = s->files[index].path = copy_of(text + 5);
        char *const last = strrchr(path, ':');
        if (last == NULL)
            return NULL;
        *last = '\0';
        return read_range(last + 1, &s->files[index].first, &s->files[index].last)
                   ? NULL
                   : "a file: line must end with a line, as :12, a range of lines, as :12-20, or "
                     "neither";
    }
    return "a line of a suppression must be kernel:PATTERN, host or file:PATTERN";
}

/* Removes a comment, which begins with # at the line's begin or after a blank, and blanks at both
 * ends. */
static char *trimmed(char *text)
{
    for (char *at = text; *at; at++)
        if (*at == '#' && (at == text || at[-1] == ' ' || at[-1] == '\t')) {
            *at = '\0';
            break;
        }
    text += strspn(text, " \t");
    for (size_t end = strlen(text); end > 0 && strchr(" \t\r\n", text[end - 1]) != NULL; end--)
        text[end - 1] = '\0';
    return text;
}

/* Returns the whole text, which the caller frees, or NULL with a sentence in `why`. A file without
 * an end, such as /dev/zero, is too large. */
static char *read_text(FILE *file, const char **why)
{
    char *const text = (char *)malloc(MAX_BYTES + 2);

    *why = "out of memory";
    if (text == NULL)
        return NULL;
    const size_t length = fread(text, 1, MAX_BYTES + 1, file);
    text[length] = '\0';
    if (ferror(file))
        *why = "cannot be read";
    else if (length > MAX_BYTES)
        *why = "must be at most 1 MiB";
    else if (strlen(text) != length)
        *why = "must be text, without zero bytes";
    else
        return text;
    free(text);
    return NULL;
}

/* Reads a file; returns a sentence about the first invalid line, with its number and text in
 * `location`. */
static const char *read_suppressions(const char *path, FILE *file, char location[MAX_LOCATION])
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    const size_t mark = sizeof byte_order_mark - 1;
    const char *why = NULL;
    char *const text = read_text(file, &why), *next;
    struct suppression *open = NULL;
    size_t number = 0;

    snprintf(location, MAX_LOCATION, "%s", path);
    if (text == NULL)
        return why;
    why = NULL;
    next = text + (strncmp(text, byte_order_mark, mark) == 0 ? mark : 0);
    while (why == NULL && next != NULL && *next != '\0') {
        const char *const line = trimmed(strsep(&next, "\n"));

        number++;
        snprintf(location, MAX_LOCATION, "%s:%zu: \"%.100s\"", path, number, line);
        if (line[0] == '\0')
            continue;
        if (open == NULL && strcmp(line, "{") != 0) {
            why = "a suppression must begin with { on its own line";
        } else if (open == NULL) {
            suppressions = (struct suppression *)realloc(suppressions, (suppression_count + 1) *
                                                                           sizeof *suppressions);
            if (suppressions == NULL)
                portable_bad_value_(variable, path, "out of memory");
            open = &suppressions[suppression_count++];
            memset(open, 0, sizeof *open);
            open->place = copy_of(location);
            *strrchr(open->place, ':') = '\0';
        } else if (strcmp(line, "}") != 0) {
            why = read_line(open, line);
        } else {
            why = open->tool == NULL ? "a suppression must have a name and CHECK:KIND" : NULL;
            open = NULL;
        }
    }
    if (why == NULL && open != NULL)
        why = "the last suppression must end with } on its own line";
    free(text);
    return why;
}

void suppressions_open(const char *tool)
{
    const char *const paths = getenv(variable);
    const char *const text = getenv("PORTABLE_GEN_SUPPRESSIONS");
    char location[MAX_LOCATION] = "";

    check = tool;
    is_printing = text != NULL && strcmp(text, "1") == 0;
    if (text != NULL && text[0] != '\0' && !is_printing && strcmp(text, "0") != 0)
        portable_bad_value_("PORTABLE_GEN_SUPPRESSIONS", text, "must be 0 or 1");
    for (const char *at = paths; at != NULL && *at != '\0';) {
        char path[PATH_MAX];
        const size_t length = strcspn(at, ":");

        snprintf(path, sizeof path, "%.*s", (int)length, at);
        FILE *const file = length > 0 ? fopen(path, "re") : NULL;
        if (file == NULL)
            portable_bad_value_(variable, length > 0 ? path : paths,
                                length > 0 ? strerror(errno)
                                           : "must be files with colons between them");
        const char *const why = read_suppressions(path, file, location);
        fclose(file);
        if (why != NULL)
            portable_bad_value_(variable, location, why);
        at += length;
        at += *at == ':';
    }
}

/* Whether the pattern matches the path or the end of it after a slash. */
static int is_path(const char *pattern, const char *path)
{
    for (;;) {
        if (fnmatch(pattern, path, 0) == 0)
            return 1;
        path = strchr(path, '/');
        if (path == NULL)
            return 0;
        path++;
    }
}

static int has_file(const struct suppression *s, int index, const struct finding *finding)
{
    for (int k = 0; k < FINDING_PLACES; k++) {
        unsigned long line = 0;
        const size_t length = finding_line_split(finding->places[k].line, &line);
        char *const path = length > 0 ? strndup(finding->places[k].line, length) : NULL;
        const int matches = path != NULL && is_path(s->files[index].path, path) &&
                            (s->files[index].first == 0 ||
                             (line >= s->files[index].first && line <= s->files[index].last));

        free(path);
        if (matches)
            return 1;
    }
    return 0;
}

static int matches(const struct suppression *s, const struct finding *finding)
{
    if (fnmatch(s->tool, check, 0) != 0 ||
        fnmatch(s->kind, finding_rules[finding->kind].name, 0) != 0 ||
        (s->host && finding->kernel != NULL))
        return 0;
    if (s->kernel != NULL &&
        (finding->kernel == NULL || fnmatch(s->kernel, finding->kernel, 0) != 0))
        return 0;
    for (int k = 0; k < s->file_count; k++)
        if (!has_file(s, k, finding))
            return 0;
    return 1;
}

const char *suppression_of(const struct finding *finding)
{
    for (size_t k = 0; k < suppression_count; k++)
        if (matches(&suppressions[k], finding)) {
            suppressions[k].used = 1;
            return suppressions[k].name;
        }
    return NULL;
}

void suppressions_print_unused(void)
{
    for (size_t k = 0; k < suppression_count; k++)
        if (!suppressions[k].used && fnmatch(suppressions[k].tool, check, 0) == 0)
            fprintf(stderr, "%s: unused suppression at %s: %s\n", check, suppressions[k].place,
                    suppressions[k].name);
}

/* As a pattern that matches this text alone. */
static void print_pattern(FILE *block, const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++) {
        if (strchr("*?[\\", text[k]) != NULL)
            fputc('\\', block);
        fputc(text[k], block);
    }
}

static void print_block(FILE *block, const struct finding *finding)
{
    const char *const name = finding_rules[finding->kind].name;

    fprintf(block, "{\n    %s\n    %s:%s\n", name, check, name);
    if (finding->kernel != NULL) {
        fputs("    kernel:", block);
        print_pattern(block, finding->kernel, strlen(finding->kernel));
        fputc('\n', block);
    } else {
        fputs("    host\n", block);
    }
    for (int k = 0; k < FINDING_PLACES; k++) {
        unsigned long line;
        const size_t length = finding_line_split(finding->places[k].line, &line);

        if (length == 0)
            continue;
        fputs("    file:", block);
        print_pattern(block, finding->places[k].line, length);
        fprintf(block, ":%lu\n", line);
    }
    fputs("}\n", block);
}

void suppression_print(const struct finding *finding)
{
    static char **printed;
    static size_t printed_count;
    char *text = NULL;
    size_t size;
    FILE *const block = is_printing ? open_memstream(&text, &size) : NULL;

    if (block == NULL)
        return;
    print_block(block, finding);
    if (fclose(block) != 0)
        return;
    for (size_t k = 0; k < printed_count; k++)
        if (strcmp(printed[k], text) == 0) {
            free(text);
            return;
        }
    fputs(text, stderr);
    printed = (char **)realloc(printed, (printed_count + 1) * sizeof *printed);
    if (printed == NULL)
        portable_bad_value_("PORTABLE_GEN_SUPPRESSIONS", "1", "out of memory");
    printed[printed_count++] = text;
}
