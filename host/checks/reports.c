/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports in SARIF 2.1.0 (OASIS Standard) and in JUnit's XML. A process adds each element as one
 * line, so adding to a file of others needs no parser.
 */
#define _GNU_SOURCE /* getline, open_memstream */
#include "host/checks/reports.h"
#include "portable.h"

#include <errno.h>    /* errno */
#include <fcntl.h>    /* open */
#include <limits.h>   /* PATH_MAX */
#include <signal.h>   /* SIGABRT and the like */
#include <stdint.h>   /* uint64_t */
#include <stdio.h>    /* fopen, getline, open_memstream */
#include <stdlib.h>   /* getenv, realloc */
#include <string.h>   /* memcmp, strdup, strsignal */
#include <sys/file.h> /* flock */
#include <sys/stat.h> /* lstat */
#include <time.h>     /* clock_gettime, gmtime_r */
#include <unistd.h>   /* access, getcwd, getpid, readlink */

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define VERSION                                                                                    \
    TEXT(PORTABLE_VERSION_MAJOR) "." TEXT(PORTABLE_VERSION_MINOR) "." TEXT(PORTABLE_VERSION_PATCH)

/* ---------------------------------------------------------------------------------------------
 * Text
 * ------------------------------------------------------------------------------------------- */

static const char *tool;

static void die(const char *why) __attribute__((noreturn));
static void die(const char *why)
{
    fprintf(stderr, "%s: %s\n", tool, why);
    abort();
}

static void *grown(void *array, size_t bytes)
{
    array = realloc(array, bytes);
    if (array == NULL)
        die("out of memory");
    return array;
}

static char *copy_of(const char *text)
{
    char *const copy = strdup(text);

    if (copy == NULL)
        die("out of memory");
    return copy; /* cppcheck-suppress memleak */
}

static const char *copy_or_null(const char *text)
{
    return text != NULL ? copy_of(text) : NULL;
}

/* A line as a stream, whose text line_end returns. */
static char *line_text;
static size_t line_size;
static FILE *line_begin(void)
{
    FILE *const line = open_memstream(&line_text, &line_size);

    if (line == NULL)
        die("out of memory");
    return line;
}
static char *line_end(FILE *line)
{
    if (fclose(line) != 0)
        die("out of memory");
    return line_text;
}

/* The length of a UTF-8 character by its first byte; 0 if no character begins with that byte. */
static size_t character_length(unsigned char byte)
{
    if (byte < 0x80)
        return 1;
    if (byte < 0xC2 || byte >= 0xF5)
        return 0;
    if (byte < 0xE0)
        return 2;
    return byte < 0xF0 ? 3 : 4;
}

/* The length of the UTF-8 character at `text`, and its code; 1 and U+FFFD for bytes that are
 * none. */
static size_t character(const char *text, unsigned *code)
{
    static const unsigned minimum[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *const bytes = (const unsigned char *)text;
    const size_t length = character_length(bytes[0]);

    *code = length < 2 ? bytes[0] : bytes[0] & (0x7Fu >> length);
    for (size_t k = 1; k < length; k++) {
        if ((bytes[k] & 0xC0) != 0x80) {
            *code = 0xFFFD;
            return 1;
        }
        *code = *code << 6 | (bytes[k] & 0x3F);
    }
    if (length > 0 && *code >= minimum[length] && (*code < 0xD800 || *code > 0xDFFF) &&
        *code <= 0x10FFFF)
        return length;
    *code = 0xFFFD;
    return 1;
}

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

static void json_part(FILE *line, const char *text, size_t length)
{
    unsigned code;

    for (size_t at = 0, next; at < length; at += next) {
        next = character(text + at, &code);
        if (code == '"' || code == '\\')
            fprintf(line, "\\%c", (int)code);
        else if (code < 0x20 || code == 0x7F)
            fprintf(line, "\\u%04x", code);
        else if (code == 0xFFFD)
            fputs(replacement, line);
        else
            fwrite(text + at, 1, next, line);
    }
}

static void json(FILE *line, const char *text)
{
    fputc('"', line);
    json_part(line, text, strlen(text));
    fputc('"', line);
}

/* For attributes and content. XML has no control characters. */
static void xml(FILE *line, const char *text)
{
    unsigned code;

    for (size_t next; *text != '\0'; text += next) {
        next = character(text, &code);
        switch (code) {
        case '&': fputs("&amp;", line); break;
        case '<': fputs("&lt;", line); break;
        case '>': fputs("&gt;", line); break;
        case '"': fputs("&quot;", line); break;
        case '\t':
        case '\n': fprintf(line, "&#%u;", code); break;
        default:
            if (code < 0x20 || (code >= 0xFFFD && code <= 0xFFFF))
                fputs(replacement, line);
            else
                fwrite(text, 1, next, line);
        }
    }
}

/* ---------------------------------------------------------------------------------------------
 * Places
 * ------------------------------------------------------------------------------------------- */

/* The directory where the program started, and the root of the checkout around it, or the same
 * directory. */
static char start[PATH_MAX], root[PATH_MAX], executable[PATH_MAX];

static void read_directories(void)
{
    char git[PATH_MAX + 8];
    ssize_t length;

    if (getcwd(start, sizeof start) == NULL)
        strcpy(start, "/");
    length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    executable[length > 0 ? length : 0] = '\0';
    for (strcpy(root, start); root[0] != '\0'; *strrchr(root, '/') = '\0') {
        snprintf(git, sizeof git, "%s/.git", root);
        if (access(git, F_OK) == 0)
            return;
    }
    strcpy(root, strcmp(start, "/") == 0 ? "" : start);
}

/* The absolute path, without . and .. in it. */
static void absolute(char path[2 * PATH_MAX], const char *text, size_t length)
{
    char *end = path;

    if (length >= PATH_MAX)
        length = PATH_MAX - 1;
    if (text[0] == '/')
        snprintf(path, 2 * PATH_MAX, "%.*s", (int)length, text);
    else
        snprintf(path, 2 * PATH_MAX, "%s/%.*s", start, (int)length, text);
    for (const char *part = path; *part != '\0';) {
        const size_t size = 1 + strcspn(part + 1, "/"); /* with the slash before it */

        if (size == 3 && part[1] == '.' && part[2] == '.') {
            while (end > path && *--end != '/')
                ;
        } else if (size > 1 && !(size == 2 && part[1] == '.')) {
            memmove(end, part, size);
            end += size;
        }
        part += size;
    }
    *end = '\0';
}

static void uri(FILE *line, const char *path)
{
    static const char plain[] = "-._~/+@:,=";

    for (; *path != '\0'; path++)
        if ((*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
            (*path >= '0' && *path <= '9') || strchr(plain, *path) != NULL)
            fputc(*path, line);
        else
            fprintf(line, "%%%02X", (unsigned char)*path);
}

/* The path below the root; NULL if it is elsewhere. */
static const char *below_root(const char *path)
{
    const size_t length = strlen(root);

    return strncmp(path, root, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

static void artifact(FILE *line, const char *path)
{
    const char *const below = below_root(path), *prefix = "";

    if (below == NULL)
        prefix = "file://";
    else if (strcspn(below, ":") < strcspn(below, "/"))
        prefix = "./"; /* a relative reference must not look like one with a scheme */
    fprintf(line, "\"artifactLocation\":{\"uri\":\"%s", prefix);
    uri(line, below != NULL ? below : path);
    fputs(below != NULL ? "\",\"uriBaseId\":\"%SRCROOT%\"}" : "\"}", line);
}

/* Returns 0 if the text names no line. */
static int physical(FILE *line, const char *place)
{
    char path[2 * PATH_MAX];
    unsigned long number;
    const size_t length = finding_line_split(place, &number);

    if (length == 0)
        return 0;
    absolute(path, place, length);
    fputs("\"physicalLocation\":{", line);
    artifact(line, path);
    fprintf(line, ",\"region\":{\"startLine\":%lu}}", number);
    return 1;
}

static uint64_t mixed(uint64_t hash, const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++)
        hash = (hash ^ (unsigned char)text[k]) * 1099511628211u;
    return hash * 1099511628211u;
}

/* Mixes in the file and the text of a line, which stay when lines above it come and go; without the
 * file, the line's number. */
static uint64_t mixed_line(uint64_t hash, const char *place)
{
    char path[2 * PATH_MAX], *text = NULL;
    unsigned long number, at = 0;
    size_t size = 0;
    const size_t length = finding_line_split(place, &number);

    if (length == 0)
        return hash;
    absolute(path, place, length);
    const char *const below = below_root(path);
    hash = mixed(hash, below != NULL ? below : path, strlen(below != NULL ? below : path));
    FILE *const file = fopen(path, "re");
    while (file != NULL && at < number && getline(&text, &size, file) > 0)
        at++;
    if (at == number) {
        const char *const begin = text + strspn(text, " \t");

        hash = mixed(hash, begin, strcspn(begin, "\r\n"));
    } else {
        hash = mixed(hash, place + length, strlen(place + length));
    }
    free(text);
    if (file != NULL)
        fclose(file);
    return hash;
}

/* ---------------------------------------------------------------------------------------------
 * Files that several processes add to
 * ------------------------------------------------------------------------------------------- */

struct lines {
    char **list;
    size_t count;
};

static void insert(struct lines *lines, size_t at, char *text)
{
    lines->list = (char **)grown(lines->list, (lines->count + 1) * sizeof *lines->list);
    memmove(&lines->list[at + 1], &lines->list[at], (lines->count - at) * sizeof *lines->list);
    lines->list[at] = text;
    lines->count++;
}

/* The first line from `from` with this text, after a comma or none; else the number of lines. */
static size_t find(const struct lines *lines, size_t from, const char *text)
{
    while (from < lines->count &&
           strcmp(lines->list[from] + (lines->list[from][0] == ','), text) != 0)
        from++;
    return from;
}

static void free_lines(struct lines *lines)
{
    for (size_t k = 0; k < lines->count; k++)
        free(lines->list[k]);
    free(lines->list);
    lines->list = NULL;
    lines->count = 0;
}

struct report {
    const char *variable;
    char *pattern;            /* an absolute path with %p; NULL: no report */
    char *line;               /* this process's line in the file as it wrote it last, or NULL */
    size_t record_count;      /* in the file */
    const char *const *frame; /* an empty file: its first lines, NULL, and its last line */
    void (*merge)(struct report *report, struct lines *lines);
};

/* Copies the path, with the number of the process in the place of %p, and % in that of %%. */
static void path_of(const struct report *report, char path[PATH_MAX])
{
    size_t length = 0;

    for (const char *at = report->pattern; *at != '\0' && length + 16 < PATH_MAX; at++)
        if (at[0] == '%' && at[1] == 'p') {
            length += (size_t)snprintf(path + length, 16, "%d", (int)getpid());
            at++;
        } else {
            path[length++] = *at;
            at += at[0] == '%' && at[1] == '%';
        }
    path[length] = '\0';
}

/* Reads the file, or makes an empty one. Returns a sentence if it is something else. */
static const char *read_report(const struct report *report, const char *path, struct lines *lines)
{
    /* Before fopen, which waits for the writer of a FIFO. A link, as /dev/stdout is, would be
     * replaced. */
    struct stat about;
    const int is_file = lstat(path, &about) != 0 || S_ISREG(about.st_mode);
    FILE *const file = is_file ? fopen(path, "re") : NULL;
    size_t head = 0, size = 0;
    char *text = NULL;
    ssize_t length;

    while (report->frame[head] != NULL)
        head++;
    if (!is_file)
        return "must be a regular file";
    while (file != NULL && (length = getline(&text, &size, file)) > 0) {
        text[strcspn(text, "\n")] = '\0';
        insert(lines, lines->count, copy_of(text));
    }
    free(text);
    if (file != NULL)
        fclose(file);
    else if (errno != ENOENT)
        return strerror(errno);
    if (lines->count == 0) { /* as mktemp makes one */
        for (size_t k = 0; k < head; k++)
            insert(lines, k, copy_of(report->frame[k]));
        insert(lines, head, copy_of(report->frame[head + 1]));
        return NULL;
    }
    for (size_t k = 0; k < head; k++)
        if (lines->count <= head || strcmp(lines->list[k], report->frame[k]) != 0)
            return "must be a new file, or a report of a check";
    return strcmp(lines->list[lines->count - 1], report->frame[head + 1]) == 0
               ? NULL
               : "must be a new file, or a report of a check";
}

static const char *replace(const char *path, const struct lines *lines)
{
    char temporary[PATH_MAX + 24];
    FILE *file;
    int failed;

    snprintf(temporary, sizeof temporary, "%s.%d.tmp", path, (int)getpid());
    file = fopen(temporary, "we");
    if (file == NULL)
        return strerror(errno);
    for (size_t k = 0; k < lines->count; k++) {
        fputs(lines->list[k], file);
        fputc('\n', file);
    }
    failed = ferror(file);
    if (fclose(file) != 0 || failed || rename(temporary, path) != 0) {
        const char *const why = strerror(errno);

        unlink(temporary);
        return why;
    }
    return NULL;
}

/* Adds this process's part to the file. Returns a sentence if that fails. Processes wait for each
 * other by a lock on the directory, because the file is replaced. */
static const char *write_report(struct report *report)
{
    char path[PATH_MAX], directory[PATH_MAX];
    struct lines lines = {NULL, 0};
    const char *why;

    path_of(report, path);
    strcpy(directory, path);
    directory[strrchr(directory, '/') > directory ? strrchr(directory, '/') - directory : 1] = '\0';
    const int lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0)
        while (flock(lock, LOCK_EX) != 0 && errno == EINTR)
            ;
    why = read_report(report, path, &lines);
    if (why == NULL) {
        report->merge(report, &lines);
        why = replace(path, &lines);
    }
    if (lock >= 0)
        close(lock);
    free_lines(&lines);
    return why;
}

/* ---------------------------------------------------------------------------------------------
 * This process: its arguments, kernels and findings
 * ------------------------------------------------------------------------------------------- */

static struct record *records;
static size_t record_count;
static const char **kernels;
static size_t kernel_count;
static struct lines arguments;
static char started[40];
static int exit_status = -1; /* -1: the program runs, or died */
static int death;            /* the signal that it died of, or 0 */

static const char *signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"},
                 {SIGBUS, "SIGBUS"},
                 {SIGFPE, "SIGFPE"},
                 {SIGILL, "SIGILL"},
                 {SIGABRT, "SIGABRT"}};
    size_t k = 0;

    while (k < sizeof names / sizeof names[0] - 1 && names[k].number != number)
        k++;
    return names[k].name;
}

static void read_arguments(void)
{
    FILE *const file = fopen("/proc/self/cmdline", "re");
    char *text = NULL;
    size_t size = 0;

    while (file != NULL && getdelim(&text, &size, '\0', file) > 0)
        insert(&arguments, arguments.count, copy_of(text));
    free(text);
    if (file != NULL)
        fclose(file);
}

/* With milliseconds, so that no two runs are alike. */
static void read_clock(void)
{
    struct timespec now;
    struct tm utc;
    size_t length;

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    length = strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(started + length, sizeof started - length, ".%03ldZ", now.tv_nsec / 1000000);
}

/* ---------------------------------------------------------------------------------------------
 * SARIF
 * ------------------------------------------------------------------------------------------- */

static int is_of_tool(const struct finding_rule *rule)
{
    return rule->tool == NULL || strcmp(rule->tool, tool) == 0;
}

static void text_property(FILE *line, const char *name, const char *text)
{
    fprintf(line, "\"%s\":{\"text\":", name);
    json(line, text);
    fputc('}', line);
}

/* The first line of this check's run in the file. */
static char *sarif_run(void)
{
    FILE *const line = line_begin();
    int count = 0;

    fprintf(line, "{\"tool\":{\"driver\":{\"name\":\"portable.h %s\",\"semanticVersion\":\"%s\",",
            tool, VERSION);
    fputs("\"rules\":[", line);
    for (int k = 0; k < FINDING_KINDS; k++) {
        const struct finding_rule *const rule = &finding_rules[k];
        char help[512];

        if (!is_of_tool(rule))
            continue;
        fprintf(line, "%s{\"id\":\"%s\",", count++ > 0 ? "," : "", rule->name);
        text_property(line, "shortDescription", rule->summary);
        fputc(',', line);
        text_property(line, "fullDescription", rule->help);
        fprintf(line, ",\"defaultConfiguration\":{\"level\":\"%s\"},", rule->level);
        snprintf(help, sizeof help, "%s. %s docs/checks.md of portable.h explains %s.",
                 rule->summary, rule->help, tool);
        text_property(line, "help", help);
        fputs(",\"properties\":{\"tags\":[\"correctness\",\"CUDA\"],\"precision\":\"very-high\"}}",
              line);
    }
    fputs("]}},\"invocations\":[", line);
    return line_end(line);
}

static char *sarif_invocation(void)
{
    FILE *const line = line_begin();

    fputs("{\"executableLocation\":{\"uri\":\"file://", line);
    uri(line, executable);
    fputs("\"},\"arguments\":[", line);
    for (size_t k = 1; k < arguments.count; k++) {
        fputs(k > 1 ? "," : "", line);
        json(line, arguments.list[k]);
    }
    fputs("],\"workingDirectory\":{\"uri\":\"file://", line);
    uri(line, start);
    fprintf(line, "\"},\"processId\":%d,\"startTimeUtc\":\"%s\",", (int)getpid(), started);
    if (exit_status >= 0)
        fprintf(line, "\"exitCode\":%d,", exit_status);
    if (death != 0)
        fprintf(line, "\"exitSignalNumber\":%d,\"exitSignalName\":\"%s\",", death,
                signal_name(death));
    fprintf(line, "\"executionSuccessful\":%s}", exit_status >= 0 ? "true" : "false");
    return line_end(line);
}

/* The text of a finding on one line. The other places are links to relatedLocations. */
static void sarif_message(FILE *line, const struct record *record)
{
    const char *text = record->text;
    int linked[FINDING_PLACES] = {0};

    fputs("\"message\":{\"text\":\"", line);
    while (*text != '\0') {
        size_t step = strcspn(text, "\n");
        int link = 0;

        for (int k = 1; k < FINDING_PLACES; k++) {
            const char *const place = record->finding.places[k].line;
            unsigned long number;
            const char *const found =
                !linked[k] && finding_line_split(place, &number) > 0 ? strstr(text, place) : NULL;

            if (found == NULL || (size_t)(found - text) >= step || found == text ||
                found[-1] != ' ' || strchr("0123456789", found[strlen(place)]) != NULL)
                continue;
            step = (size_t)(found - text);
            link = k;
        }
        json_part(line, text, step);
        text += step;
        if (link > 0) {
            const char *const place = record->finding.places[link].line;

            fputc('[', line);
            json_part(line, place, strlen(place));
            fprintf(line, "](%d)", link);
            text += strlen(place);
            linked[link] = 1;
        } else if (*text == '\n') {
            fputc(' ', line);
            text += 1 + strspn(text + 1, " ");
        }
    }
    fputs("\"}", line);
}

/* The finding's line and kernel. Consumers need a file: without a line of its own, a finding is at
 * another of its lines, or in the program. */
static void sarif_location(FILE *line, const struct finding *finding)
{
    int place = 0;

    fputs("\"locations\":[{", line);
    while (place < FINDING_PLACES - 1 &&
           finding_line_split(finding->places[place].line, &(unsigned long){0}) == 0)
        place++;
    if (!physical(line, finding->places[place].line)) {
        fputs("\"physicalLocation\":{", line);
        artifact(line, executable);
        fputc('}', line);
    }
    if (finding->kernel != NULL) {
        fputs(",\"logicalLocations\":[{\"fullyQualifiedName\":", line);
        json(line, finding->kernel);
        fputs(",\"kind\":\"function\"}]", line);
    }
    fputs("}]", line);
}

static void sarif_related_locations(FILE *line, const struct finding *finding)
{
    int count = 0;

    for (int k = 1; k < FINDING_PLACES; k++) {
        const char *const what = finding->places[k].what;

        if (finding_line_split(finding->places[k].line, &(unsigned long){0}) == 0)
            continue;
        fprintf(line, "%s{\"id\":%d,", count++ > 0 ? "," : ",\"relatedLocations\":[", k);
        physical(line, finding->places[k].line);
        fputc(',', line);
        text_property(line, "message", what != NULL ? what : "");
        fputc('}', line);
    }
    fputs(count > 0 ? "]" : "", line);
}

static uint64_t fingerprint(const struct finding *finding)
{
    const char *const name = finding_rules[finding->kind].name;
    uint64_t hash = mixed(14695981039346656037u, name, strlen(name));

    for (int k = 0; k < FINDING_PLACES; k++)
        hash = mixed_line(hash, finding->places[k].line);
    if (finding->kernel != NULL)
        hash = mixed(hash, finding->kernel, strlen(finding->kernel));
    return hash;
}

static void sarif_properties(FILE *line, const struct finding *finding)
{
    if (finding->kernel == NULL)
        return;
    fputs(",\"properties\":{\"kernel\":", line);
    json(line, finding->kernel);
    if (finding->thread != NULL) {
        fputs(",\"thread\":", line);
        json(line, finding->thread);
    }
    fputc('}', line);
}

static char *sarif_result(const struct record *record)
{
    const struct finding *const finding = &record->finding;
    const struct finding_rule *const rule = &finding_rules[finding->kind];
    FILE *const line = line_begin();
    int index = 0;

    for (const struct finding_rule *other = finding_rules; other < rule; other++)
        index += is_of_tool(other);
    fprintf(line, "{\"ruleId\":\"%s\",\"ruleIndex\":%d,\"level\":\"%s\",", rule->name, index,
            rule->level);
    sarif_message(line, record);
    fputc(',', line);
    sarif_location(line, finding);
    sarif_related_locations(line, finding);
    fprintf(line, ",\"partialFingerprints\":{\"portableFinding/v1\":\"%016llx\"}",
            (unsigned long long)fingerprint(finding));
    if (record->suppression != NULL) {
        fputs(",\"suppressions\":[{\"kind\":\"external\",\"justification\":", line);
        json(line, record->suppression);
        fputs("}]", line);
    }
    sarif_properties(line, finding);
    fputc('}', line);
    return line_end(line);
}

static const char sarif_results[] = "],\"results\":[", sarif_run_end[] = "]}";

/* The line, with a comma before it if it is not the first of its array. */
static char *element(const struct lines *lines, size_t at, const char *text)
{
    const char *const before = lines->list[at - 1];
    FILE *const line = line_begin();

    fprintf(line, "%s%s", before[strlen(before) - 1] == '[' ? "" : ",", text);
    return line_end(line);
}

static void sarif_merge(struct report *report, struct lines *lines)
{
    char *const head = sarif_run(), *const invocation = sarif_invocation();
    size_t run = find(lines, 1, head), end;

    if (run == lines->count) {
        run = lines->count - 1;
        insert(lines, run, element(lines, run, head));
        insert(lines, run + 1, copy_of(sarif_results));
        insert(lines, run + 2, copy_of(sarif_run_end));
    }
    free(head);
    end = find(lines, run, sarif_results);
    const size_t at = report->line != NULL ? find(lines, run, report->line) : end;
    if (at < end) {
        free(lines->list[at]);
        lines->list[at] = element(lines, at, invocation);
    } else {
        insert(lines, end, element(lines, end, invocation));
    }
    free(report->line);
    report->line = invocation;
    for (; report->record_count < record_count; report->record_count++) {
        char *const result = sarif_result(&records[report->record_count]);

        end = find(lines, run, sarif_run_end);
        if (find(lines, run, result) > end) /* another run has found the same */
            insert(lines, end, element(lines, end, result));
        free(result);
    }
}

/* ---------------------------------------------------------------------------------------------
 * JUnit
 * ------------------------------------------------------------------------------------------- */

/* Whether it is a failure of the kernel, or of host code for NULL. */
static int is_failure(const struct record *record, const char *kernel)
{
    const char *const found_in = record->finding.kernel;

    return record->suppression == NULL &&
           (kernel == NULL || found_in == NULL ? kernel == found_in
                                               : strcmp(found_in, kernel) == 0);
}

/* The findings of a kernel, or of host code, as one test; returns 1 if there are any. */
static int junit_case(FILE *line, const char *kernel, const char *program)
{
    int failed = 0;

    fprintf(line, "<testcase classname=\"%s.", tool);
    xml(line, program);
    fputs("\" name=\"", line);
    xml(line, kernel != NULL ? kernel : "host code");
    fputs("\">", line);
    for (size_t k = 0; k < record_count; k++) {
        if (!is_failure(&records[k], kernel))
            continue;
        if (!failed) { /* many readers show one failure of a test */
            char *const sentence = copy_of(records[k].text);

            sentence[strcspn(sentence, "\n")] = '\0';
            fprintf(line, "<failure type=\"%s\" message=\"",
                    finding_rules[records[k].finding.kind].name);
            xml(line, sentence);
            fputs("\">", line);
            free(sentence);
        }
        failed = 1;
        xml(line, records[k].text);
        xml(line, "\n");
    }
    fputs(failed ? "</failure>" : "", line);
    if (kernel == NULL && !failed && exit_status < 0 && death != 0)
        fprintf(line,
                "<error type=\"crash\" message=\"the program is not checked to its end: %s\"/>",
                strsignal(death));
    else if (kernel == NULL && !failed && exit_status < 0)
        fputs("<error type=\"crash\" message=\"the program did not end by itself\"/>", line);
    fputs("</testcase>", line);
    return failed;
}

static void junit_merge(struct report *report, struct lines *lines)
{
    const char *const program =
        below_root(executable) != NULL ? below_root(executable) : executable;
    FILE *line = line_begin();
    int failures = junit_case(line, NULL, program);
    const int errors = exit_status < 0 && !failures;

    for (size_t k = 0; k < kernel_count; k++)
        failures += junit_case(line, kernels[k], program);
    char *const cases = line_end(line);
    line = line_begin();
    fprintf(line, "<testsuite name=\"%s ", tool);
    xml(line, program);
    for (size_t k = 1; k < arguments.count; k++) {
        fputc(' ', line);
        xml(line, arguments.list[k]);
    }
    fprintf(line,
            "\" tests=\"%zu\" failures=\"%d\" errors=\"%d\" skipped=\"0\" timestamp=\"%.19s\">"
            "<properties><property name=\"process\" value=\"%d\"/></properties>%s</testsuite>",
            kernel_count + 1, failures, errors, started, (int)getpid(), cases);
    free(cases);
    char *const suite = line_end(line);
    const size_t at = report->line != NULL ? find(lines, 0, report->line) : lines->count;
    if (at < lines->count) {
        free(lines->list[at]);
        lines->list[at] = copy_of(suite);
    } else {
        insert(lines, lines->count - 1, copy_of(suite));
    }
    free(report->line);
    report->line = suite;
}

/* ---------------------------------------------------------------------------------------------
 * Both
 * ------------------------------------------------------------------------------------------- */

static const char *const sarif_frame[] = {"{\"$schema\":\"https://json.schemastore.org/"
                                          "sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[",
                                          NULL, "]}"};
static const char *const junit_frame[] = {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
                                          "<testsuites>", NULL, "</testsuites>"};
static struct report reports[] = {
    {"PORTABLE_SARIF", NULL, NULL, 0, sarif_frame, sarif_merge},
    {"PORTABLE_JUNIT", NULL, NULL, 0, junit_frame, junit_merge},
};
enum { REPORTS = sizeof reports / sizeof reports[0] };
static int is_enabled;
static pid_t writer;
static size_t written; /* the records that the files have */

static void write_reports(void)
{
    for (int k = 0; k < REPORTS; k++) {
        const char *const why = reports[k].pattern != NULL ? write_report(&reports[k]) : NULL;

        if (why == NULL)
            continue;
        fprintf(stderr, "%s: cannot write %s: %s\n", tool, reports[k].pattern, why);
        reports[k].pattern = NULL;
    }
    written = record_count;
}

/* A child of fork is another run, without its parent's findings. */
static void become_writer(void)
{
    if (writer == getpid())
        return;
    writer = getpid();
    read_clock();
    record_count = kernel_count = written = 0;
    for (int k = 0; k < REPORTS; k++) {
        reports[k].line = NULL;
        reports[k].record_count = 0;
    }
}

void reports_open(const char *name)
{
    tool = name;
    for (int k = 0; k < REPORTS; k++) {
        const char *const path = getenv(reports[k].variable);
        char absolute_path[2 * PATH_MAX];

        if (path == NULL || path[0] == '\0')
            continue;
        if (!is_enabled) {
            read_directories();
            read_arguments();
            become_writer();
        }
        is_enabled = 1;
        absolute(absolute_path, path, strlen(path));
        reports[k].pattern = copy_of(absolute_path);
        const char *const why =
            strlen(path) >= PATH_MAX - 64 ? "the name is too long" : write_report(&reports[k]);
        if (why != NULL)
            portable_bad_value_(reports[k].variable, path, why);
    }
}

void reports_kernel(const char *name)
{
    if (!is_enabled)
        return;
    become_writer();
    kernels = (const char **)grown((void *)kernels, (kernel_count + 1) * sizeof *kernels);
    kernels[kernel_count++] = copy_of(name);
    write_reports();
}

/* Beyond the first hundred, not each new record is written, because the whole file would be. */
void reports_add(const struct record *record)
{
    if (!is_enabled)
        return;
    become_writer();
    records = (struct record *)grown(records, (record_count + 1) * sizeof *records);
    struct record *const copy = &records[record_count++];
    *copy = *record;
    copy->text = copy_of(record->text);
    copy->finding.kernel = copy_or_null(record->finding.kernel);
    copy->finding.thread = copy_or_null(record->finding.thread);
    for (int k = 0; k < FINDING_PLACES; k++) {
        copy->finding.places[k].line = copy_or_null(record->finding.places[k].line);
        copy->finding.places[k].what = copy_or_null(record->finding.places[k].what);
    }
    if (record_count <= 100 || record_count - written > record_count / 10)
        write_reports();
}

void reports_end(int status, int signal_number)
{
    if (!is_enabled)
        return;
    become_writer();
    exit_status = status;
    death = signal_number;
    write_reports();
}
