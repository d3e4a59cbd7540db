/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* renameat2 */
#include "host/golden.h"

#include "host/check.h"
#include "host/devices.h"
#include "host/isolate.h"
#include "host/npy.h"
#include "host/outputs.h"
#include "host/results.h"

#include <ctype.h>    /* isalnum */
#include <dirent.h>   /* scandir */
#include <errno.h>    /* errno */
#include <fcntl.h>    /* AT_FDCWD, open */
#include <limits.h>   /* UINT_MAX */
#include <stdarg.h>   /* va_list */
#include <stdio.h>    /* rename, renameat2, sscanf */
#include <stdlib.h>   /* free, realloc */
#include <string.h>   /* strcmp, strerror */
#include <sys/file.h> /* flock */
#include <sys/stat.h> /* lstat */
#include <unistd.h>   /* access, close, rmdir, unlink */

enum { SEED = 1, PATH_SIZE = 4096, NAME_SIZE = 64, ROOT_LENGTH = 3600 };

static const char *precision(void)
{
    return sizeof(REAL) == sizeof(double) ? "double" : "single";
}

/* The values of one output in all runs of a case. */
struct output {
    const char *name;
    struct array values; /* rank 1 */
    size_t used;         /* elements of the runs so far */
};

/* One case of a record, while it is written or read. */
struct record {
    char directory[PATH_SIZE - 2 * NAME_SIZE];
    struct output outputs[RUN_ARRAYS];
    int output_count;
    FILE *manifest;     /* when writing */
    size_t bytes, runs; /* written, of all cases */
    /* When comparing: */
    FILE *results; /* or NULL */
    struct check_result result;
    enum verdict verdict; /* of all cases so far */
    const char *parts;    /* what is left of the manifest's line of the run... */
    int line;             /* ...and its number */
};

static void free_outputs(struct record *record)
{
    for (int k = 0; k < record->output_count; k++)
        array_free(&record->outputs[k].values);
    record->output_count = 0;
}

static void path_of(const struct record *record, const char *name, const char *array, char *path)
{
    snprintf(path, PATH_SIZE, "%s/%.63s/%.58s.npy", record->directory, name, array);
}

/* The entries of a directory but those that begin with a dot, sorted; -1 when there is none. */
static int entries_of(const char *directory, struct dirent ***entries)
{
    return scandir(directory, entries, io_is_visible, alphasort);
}
static void free_entries(struct dirent **entries, int count)
{
    for (int k = 0; k < count; k++)
        free(entries[k]);
    if (count >= 0)
        free(entries);
}

/* ---- record ---- */

/* "NVIDIA-H200": what is not a letter, a digit, a dot or an underscore is a dash. */
static int device_directory(char *name, size_t size, struct io_error *error)
{
    struct portable_device device;

    if (portable_device_properties(&device) != PORTABLE_SUCCESS)
        return io_fail(error, "%s", portable_last_message());
    snprintf(name, size, "%.63s", device.name);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && (*c != '.' || c == name))
            *c = '-';
    return 0;
}

/* For scandir: all but the directory and its parent. */
static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int is_directory(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Whether record writes a file of this name, in a record's directory or in one of a case; or a
 * killed one left its temporary, NAME.PROCESS-ATTEMPT.tmp. */
static int is_part(const char *name, int of_case)
{
    char whole[256];

    snprintf(whole, sizeof whole, "%.255s", name);
    if (io_ends_with(whole, ".tmp"))
        for (int k = 0; k < 2; k++)
            if (strrchr(whole, '.'))
                *strrchr(whole, '.') = '\0';
    return of_case ? io_ends_with(whole, ".npy") : strcmp(whole, "manifest.txt") == 0;
}

/* Removes what a directory of a record holds, or, unless `removing`, reports the first file that
 * belongs to no record. `of_case`: a directory in it, which goes too. */
static int walk_record(const char *directory, int of_case, int removing, struct io_error *error)
{
    struct dirent **entries;
    const int count = scandir(directory, &entries, is_entry, alphasort);
    int status = 0;

    if (count < 0)
        return errno == ENOENT ? 0
                               : io_fail(error, "%s: cannot read: %s", directory, strerror(errno));
    for (int k = 0; k < count && status == 0; k++) {
        char path[PATH_SIZE];

        snprintf(path, sizeof path, "%.3800s/%.255s", directory, entries[k]->d_name);
        if (!of_case && is_directory(path))
            status = walk_record(path, 1, removing, error);
        else if (is_directory(path) || !is_part(entries[k]->d_name, of_case))
            status = io_fail(
                error, "%s belongs to no record, and gallery record replaces nothing else", path);
        else if (removing && unlink(path) != 0)
            status = io_fail(error, "%s: cannot remove: %s", path, strerror(errno));
    }
    free_entries(entries, count);
    if (status == 0 && of_case && removing && rmdir(directory) != 0)
        status = io_fail(error, "%s: cannot remove: %s", directory, strerror(errno));
    return status;
}

static int remove_record(const char *directory, struct io_error *error)
{
    const int status = walk_record(directory, 0, 1, error);

    rmdir(directory);
    return status;
}

/* A record is written beside the older one and moved into place at the end: a killed program
 * leaves the older record intact, and the next one clears up. */
struct places {
    char next[PATH_SIZE - 2 * NAME_SIZE], previous[PATH_SIZE - 2 * NAME_SIZE];
    char current[PATH_SIZE - 2 * NAME_SIZE];
    int lock;
};

/* Makes an empty directory for the new record. On failure nothing has changed. */
static int begin_places(struct places *places, const char *root, const char *device,
                        struct io_error *error)
{
    char parent[PATH_SIZE - 4 * NAME_SIZE];
    int status = IO_BAD;

    snprintf(parent, sizeof parent, "%.3600s/%.63s", root, device);
    snprintf(places->current, sizeof places->current, "%s/%s", parent, precision());
    snprintf(places->next, sizeof places->next, "%s/.%s.new", parent, precision());
    snprintf(places->previous, sizeof places->previous, "%s/.%s.old", parent, precision());
    if (io_make_directory(parent, error) != 0)
        return IO_BAD;
    places->lock = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (places->lock < 0)
        return io_fail(error, "%s: cannot open: %s", parent, strerror(errno));
    if (flock(places->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        status = io_fail(error, "%s: another gallery record writes there", parent);
    else if (walk_record(places->current, 0, 0, error) == 0 &&
             walk_record(places->next, 0, 0, error) == 0 &&
             walk_record(places->previous, 0, 0, error) == 0) {
        /* A program was killed after it moved the older record aside: see exchange. */
        if (access(places->current, F_OK) != 0)
            rename(places->previous, places->current);
        status = remove_record(places->previous, error);
        if (status == 0)
            status = walk_record(places->next, 0, 1, error);
        if (status == 0)
            status = io_make_directory(places->next, error);
    }
    if (status != 0)
        close(places->lock);
    return status;
}

/* Puts the new record in the place of the older one, which is then in next. */
static int exchange(const struct places *places)
{
    if (rename(places->next, places->current) == 0)
        return 0;
    if (errno != EEXIST && errno != ENOTEMPTY)
        return IO_BAD;
#if defined(RENAME_EXCHANGE)
    if (renameat2(AT_FDCWD, places->next, AT_FDCWD, places->current, RENAME_EXCHANGE) == 0)
        return 0;
#endif
    /* For file systems without renameat2. */
    if (rename(places->current, places->previous) != 0)
        return IO_BAD;
    if (rename(places->next, places->current) != 0) {
        const int cause = errno;

        rename(places->previous, places->current);
        errno = cause;
        return IO_BAD;
    }
    return rename(places->previous, places->next) == 0 ? 0 : IO_BAD;
}

static struct output *find_output(struct record *record, const char *name)
{
    for (int k = 0; k < record->output_count; k++)
        if (strcmp(record->outputs[k].name, name) == 0)
            return &record->outputs[k];
    return NULL;
}

/* Appends a run's outputs, unless there are too many. */
static enum verdict record_run(struct run *run, void *context, struct io_error *error)
{
    struct record *const record = (struct record *)context;
    char block[48];
    size_t elements = 0;

    for (int a = 0; a < run->array_count; a++)
        if (run_array_is_result(&run->arrays[a]))
            elements += array_count(&run->arrays[a].host);
    if (elements > GOLDEN_RUN_ELEMENTS)
        return VERDICT_NOTHING_COMPARED;
    block_text(run->block, block, sizeof block);
    fprintf(record->manifest, "run: %s n=%d block=%s", run->test_case->name, run->n, block);
    for (int a = 0; a < run->array_count; a++) {
        const struct run_array *array = &run->arrays[a];
        const size_t count = array_count(&array->host), size = array_type_size(array->host.type);
        struct output *output = find_output(record, array->name);

        if (!run_array_is_result(array))
            continue;
        if (!output) {
            output = &record->outputs[record->output_count++];
            memset(output, 0, sizeof *output);
            output->name = array->name;
            output->values.type = array->host.type;
            output->values.rank = 1;
        }
        void *const grown = realloc(output->values.data, (output->used + count + 1) * size);

        if (!grown || output->values.type != array->host.type) {
            io_fail(error, "case %s, array %s: no memory for it, or its type changes",
                    run->test_case->name, array->name);
            return VERDICT_ERROR;
        }
        output->values.data = grown;
        if (count > 0)
            memcpy((char *)grown + output->used * size, array->host.data, count * size);
        fprintf(record->manifest, " %s[%zu:%zu]", array->name, output->used, output->used + count);
        output->used += count;
        output->values.shape[0] = output->used;
    }
    fputc('\n', record->manifest);
    record->runs++;
    return VERDICT_NOTHING_COMPARED;
}

static int record_case(const struct gallery_case *test_case, struct record *record,
                       struct io_error *error)
{
    struct check_options options = {.every_run = 1, .visit = record_run};
    struct check_result result;
    char policy[64], path[PATH_SIZE];
    int status = 0;

    options.context = record;
    policy_text(test_case->policy, policy, sizeof policy);
    fprintf(record->manifest, "case: %s %s\n", test_case->name, policy);
    for (int s = 0; s < case_size_count(test_case) && status == 0; s++)
        for (int b = 0; b < GOLDEN_BLOCKS && b < case_block_count(test_case) && status == 0; b++) {
            struct run run;

            if (case_size(test_case, s) > GOLDEN_LARGEST_SIZE)
                continue;
            memset(&run, 0, sizeof run);
            memset(&result, 0, sizeof result);
            run.test_case = test_case;
            run.n = case_size(test_case, s);
            run.block = case_block(test_case, b);
            run.seed = SEED;
            progress("%s, n = %d", test_case->name, run.n);
            status = verdict_failure(check_run(&run, "", &options, &result, error));
            progress_end();
        }
    snprintf(path, sizeof path, "%s/%.63s", record->directory, test_case->name);
    if (status == 0 && record->output_count > 0)
        status = io_make_directory(path, error);
    for (int k = 0; k < record->output_count && status == 0; k++) {
        struct array *const values = &record->outputs[k].values;

        record->bytes += 128 + array_count(values) * array_type_size(values->type);
        path_of(record, test_case->name, record->outputs[k].name, path);
        status = npy_write(path, values, error);
    }
    free_outputs(record);
    return status;
}

static int write_record(struct record *record, const char *const *notes, int note_count,
                        struct io_error *error)
{
    const size_t limit = (size_t)GOLDEN_BYTES_PER_REAL_BYTE * sizeof(REAL);
    const struct gallery_case *test_case;
    struct io_writer manifest;
    char path[PATH_SIZE];
    int status;

    snprintf(path, sizeof path, "%s/manifest.txt", record->directory);
    if (io_write_begin(&manifest, path, error) != 0)
        return IO_BAD;
    record->manifest = manifest.stream;
    print_manifest(manifest.stream);
    for (int k = 0; k < note_count; k++)
        fprintf(manifest.stream, "%s\n", notes[k]);
    status = 0;
    for (int k = 0; (test_case = case_at(k)) != NULL && status == 0; k++)
        status = record_case(test_case, record, error);
    if (status == 0 && record->bytes > limit)
        status = io_fail(error, "the record has %zu bytes, and may have %zu: take smaller sizes",
                         record->bytes, limit);
    if (status == 0)
        return io_write_commit(&manifest, error);
    io_write_abort(&manifest);
    return status;
}

int golden_record(const char *root, const char *const *notes, int note_count,
                  struct io_error *error)
{
    struct places places;
    struct record record;
    char device[NAME_SIZE];
    int status = device_directory(device, sizeof device, error);

    memset(&record, 0, sizeof record);
    if (status == 0 && strlen(root) > ROOT_LENGTH)
        status = io_fail(error, "the directory's name is too long");
    if (status == 0)
        status = begin_places(&places, root, device, error);
    if (status != 0)
        return status;
    snprintf(record.directory, sizeof record.directory, "%s", places.next);
    status = write_record(&record, notes, note_count, error);
    if (status == 0 && walk_record(places.current, 0, 0, error) != 0)
        status = IO_BAD;
    if (status == 0 && exchange(&places) != 0)
        status =
            io_fail(error, "%s: cannot put the record there: %s", places.current, strerror(errno));
    if (status == 0)
        printf("%s: %zu runs, %zu bytes\n", places.current, record.runs, record.bytes);
    /* The unfinished record, or the older one. */
    if (remove_record(places.next, status == 0 ? error : &(struct io_error){""}) != 0 &&
        status == 0)
        status = IO_BAD;
    close(places.lock);
    return status;
}

/* ---- check ---- */

/* The manifest's line continues with a part of an array: " y[64:96]". */
static int expect_part(struct record *record, const char *array, size_t from, size_t to,
                       struct io_error *error)
{
    char part[128];

    snprintf(part, sizeof part, " %.63s[%zu:%zu]", array, from, to);
    if (strncmp(record->parts, part, strlen(part)) != 0)
        return io_fail(
            error, "%s/manifest.txt:%d: expected \"%s\", found \"%.*s\"", record->directory,
            record->line, part + 1,
            (int)(strcspn(record->parts, "\n") < 100 ? strcspn(record->parts, "\n") : 100),
            record->parts);
    record->parts += strlen(part);
    return 0;
}

/* Compares an output of a run with the next part of its file, and adds to *verdict. */
static int compare_part(const struct run *run, const struct run_array *array, struct record *record,
                        enum verdict *verdict, struct io_error *error)
{
    struct check_result *const result = &record->result;
    const size_t count = array_count(&array->host);
    struct output *output = find_output(record, array->name);
    struct array part = array->host;
    char path[PATH_SIZE];

    path_of(record, run->test_case->name, array->name, path);
    if (!output) {
        output = &record->outputs[record->output_count];
        memset(output, 0, sizeof *output);
        if (npy_read(path, &output->values, error) != 0)
            return IO_BAD;
        output->name = array->name;
        record->output_count++;
    }
    if (output->values.rank != 1 || count > output->values.shape[0] - output->used)
        return io_fail(error, "%s: ends before the %zu elements of n = %d", path, count, run->n);
    if (expect_part(record, array->name, output->used, output->used + count, error) != 0)
        return IO_BAD;
    part.type = output->values.type;
    part.data = (char *)output->values.data + output->used * array_type_size(part.type);
    if (part.type != array->host.type)
        return io_fail(error, "%s: holds %s, and the case computes %s", path,
                       array_type_name(part.type), array_type_name(array->host.type));
    *verdict = verdict_worse(
        *verdict,
        check_array(run, array, &part, &result->rows[0],
                    result->rows[0].worst.mismatches == 0 ? &result->diagnostics : NULL, error));
    if (*verdict == VERDICT_ERROR)
        return IO_BAD;
    if (array->expected) {
        struct comparison errors;

        compare_bounded(array->expected, array->bound, &part, &errors);
        error_histogram_add(&result->rows[0].worst.shares, &errors.shares);
        error_histogram_add(&result->rows[0].worst.ulps, &errors.ulps);
    }
    output->used += count;
    return 0;
}

/* Compares a run with the next part of each file. */
static enum verdict compare_run(struct run *run, void *context, struct io_error *error)
{
    struct record *const record = (struct record *)context;
    enum verdict verdict = VERDICT_NOTHING_COMPARED;

    for (int a = 0; a < run->array_count; a++)
        if (run_array_is_result(&run->arrays[a]) &&
            compare_part(run, &run->arrays[a], record, &verdict, error) != 0)
            return VERDICT_ERROR;
    if (*record->parts != '\n') {
        io_fail(error, "%s/manifest.txt:%d: case %s has no such output: %.*s", record->directory,
                record->line, run->test_case->name, (int)strcspn(record->parts, "\n"),
                record->parts);
        return VERDICT_ERROR;
    }
    return verdict;
}

/* After the last run of a case: every file was read to its end, and there are no others. */
static int finish_case(struct record *record, const char *name, struct io_error *error)
{
    struct dirent **files;
    char path[PATH_SIZE];
    int status = 0;

    for (int k = 0; k < record->output_count && status == 0; k++) {
        const struct output *output = &record->outputs[k];

        path_of(record, name, output->name, path);
        if (output->used != output->values.shape[0])
            status = io_fail(error, "%s: has %zu elements, and the runs of manifest.txt use %zu",
                             path, output->values.shape[0], output->used);
    }
    snprintf(path, sizeof path, "%s/%.63s", record->directory, name);
    const int count = entries_of(path, &files);

    for (int f = 0; f < count && status == 0; f++) {
        char array[NAME_SIZE];

        snprintf(array, sizeof array, "%.63s", files[f]->d_name);
        if (io_ends_with(array, ".npy"))
            array[strlen(array) - 4] = '\0';
        if (!io_ends_with(files[f]->d_name, ".npy") || !find_output(record, array))
            status =
                io_fail(error, "%s/%s: case %s has no such output", path, files[f]->d_name, name);
    }
    free_entries(files, count);
    return status;
}

static int is_selected(const char *name, const char *const *names, int name_count)
{
    for (int k = 0; k < name_count; k++)
        if (strcmp(names[k], name) == 0)
            return 1;
    return name_count == 0;
}

/* The lines of a manifest that name a case: "case: NAME policy". */
static int names_case(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "case: ", 6) == 0 && strncmp(line + 6, name, length) == 0 &&
            line[6 + length] == ' ')
            return 1;
    }
    return 0;
}

/* Reports an error of the record as a whole. */
__attribute__((format(printf, 2, 3))) static enum verdict report_problem(FILE *results,
                                                                         const char *format, ...)
{
    struct io_error error;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error.text, sizeof error.text, format, arguments);
    va_end(arguments);
    printf("  %s\n", error.text);
    if (results)
        results_write_line(results, "problem", error.text);
    return VERDICT_ERROR;
}

/* A line of a manifest: "run: saxpy n=32 block=256 y[64:96]". */
struct line {
    char name[NAME_SIZE];
    size_t n;
    dim3 block;
    const char *parts; /* what follows the block */
};

static int read_run(const char *text, struct line *line)
{
    const char *const end = text + strcspn(text, "\n");
    size_t length, extents[3] = {1, 1, 1};

    if (sscanf(text, "run: %63s", line->name) != 1)
        return IO_BAD;
    length = strlen("run: ") + strlen(line->name);
    if ((size_t)(end - text) < length || strncmp(text + length, " n=", 3) != 0)
        return IO_BAD;
    text += length + 3;
    if (io_parse_size(&text, end, &line->n) != 0 || strncmp(text, " block=", 7) != 0)
        return IO_BAD;
    text += 6;
    for (int axis = 0; axis < 3 && (axis == 0 || *text == 'x'); axis++) {
        text++;
        if (io_parse_size(&text, end, &extents[axis]) != 0 || extents[axis] > UINT_MAX)
            return IO_BAD;
    }
    line->block = DIM3((unsigned)extents[0], (unsigned)extents[1], (unsigned)extents[2]);
    line->parts = text;
    return *text == ' ' || text == end ? 0 : IO_BAD;
}

/* Whether this gallery can repeat the run. */
static int can_run(const struct gallery_case *test_case, const struct line *line, const char *path,
                   int number, struct io_error *error)
{
    struct io_error cause;
    char block[48];

    if (line->n > GOLDEN_LARGEST_SIZE || line->n < (size_t)case_size(test_case, 0))
        return io_fail(error, "%s:%d: n is %zu; a record of %s has n from %d to %d", path, number,
                       line->n, test_case->name, case_size(test_case, 0), GOLDEN_LARGEST_SIZE);
    if (line->block.x > DEVICE_BLOCK_THREADS || line->block.y > DEVICE_BLOCK_THREADS ||
        line->block.z > DEVICE_BLOCK_Z ||
        line->block.x * line->block.y * line->block.z > DEVICE_BLOCK_THREADS) {
        block_text(line->block, block, sizeof block);
        return io_fail(error, "%s:%d: block %s has too many threads; a block has at most %d", path,
                       number, block, DEVICE_BLOCK_THREADS);
    }
    if (case_takes_block(test_case, line->block, &cause) != 0)
        return io_fail(error, "%s:%d: %.400s", path, number, cause.text);
    return 0;
}

/* Whether the line's fact ("precision: single") stands in an earlier line, too. */
static int fact_precedes(const char *facts, const char *line)
{
    const size_t length = strcspn(line, ":\n");

    for (; facts < line; facts += strcspn(facts, "\n") + 1)
        if (strcspn(facts, ":\n") == length && strncmp(facts, line, length) == 0)
            return 1;
    return 0;
}

/* Checks that the lines of cases and runs are well-formed, and that each run belongs to the case
 * above it. */
static int check_manifest(const char *path, const char *text, size_t size, struct io_error *error)
{
    char name[NAME_SIZE] = "";
    int number = 1;
    const char *const facts = text;

    if (strlen(text) != size || size == 0 || text[size - 1] != '\n')
        return io_fail(error, "%s: is cut, or is no text: record again", path);
    for (; *text; text += strcspn(text, "\n") + 1, number++) {
        const struct gallery_case *test_case;
        struct line line;

        const int is_case = strncmp(text, "case:", 5) == 0, is_run = strncmp(text, "run:", 4) == 0;

        if (is_case && sscanf(text, "case:%*1[ ]%63[^ \n]", name) != 1)
            return io_fail(error, "%s:%d: expected \"case: NAME POLICY\"", path, number);
        if (!is_case && !is_run && name[0])
            return io_fail(error, "%s:%d: expected \"case: \" or \"run: \" after the first case",
                           path, number);
        if (!is_case && !is_run && fact_precedes(facts, text))
            return io_fail(error, "%s:%d: %.*s is given twice", path, number,
                           (int)strcspn(text, ":\n"), text);
        if (!is_run)
            continue;
        if (read_run(text, &line) != 0)
            return io_fail(error, "%s:%d: expected \"run: NAME n=N block=BLOCK ARRAY[FROM:TO]...\"",
                           path, number);
        if (strcmp(line.name, name) != 0)
            return io_fail(error, "%s:%d: a run of %s is among those of %s", path, number,
                           line.name, name[0] ? name : "no case");
        test_case = case_find(line.name);
        if (!test_case) /* reported when the cases are compared */
            continue;
        if (can_run(test_case, &line, path, number, error) != 0)
            return IO_BAD;
    }
    return 0;
}

/* The runs of a case that the manifest has. VERDICT_ERROR comes with a sentence. */
static enum verdict check_case_runs(struct record *record, const char *text,
                                    const struct gallery_case *test_case, int *runs,
                                    struct io_error *error)
{
    struct check_options options = {.every_run = 1, .visit = compare_run};
    struct check_row *const row = &record->result.rows[0];
    struct check_result of_reference;
    enum verdict verdict = VERDICT_NOT_RUN;

    options.context = record;
    record->line = 1;
    for (; *text && verdict != VERDICT_ERROR; text += strcspn(text, "\n") + 1, record->line++) {
        struct line line;
        struct run run;

        if (read_run(text, &line) != 0 || strcmp(line.name, test_case->name) != 0)
            continue;
        memset(&run, 0, sizeof run);
        memset(&of_reference, 0, sizeof of_reference);
        run.test_case = test_case;
        run.n = (int)line.n;
        run.block = line.block;
        run.seed = SEED;
        record->parts = line.parts;
        progress("%s, n = %d", test_case->name, run.n);
        row->runs++;
        record->result.compared_runs++;
        ++*runs;
        const enum verdict found = check_run(&run, "", &options, &of_reference, error);

        row->failures += verdict_is_failure(found);
        verdict = verdict_worse(verdict, found);
        progress_end();
    }
    return verdict;
}

/* Checks that every directory of a record belongs to a case of its manifest. */
static int find_unknown_cases(const struct record *record, const char *text, struct io_error *error)
{
    struct dirent **entries;
    const int count = entries_of(record->directory, &entries);
    int status = 0;

    for (int k = 0; k < count && status == 0; k++)
        if (strcmp(entries[k]->d_name, "manifest.txt") != 0 &&
            !names_case(text, entries[k]->d_name))
            status = io_fail(error, "%s/%s: manifest.txt does not name it", record->directory,
                             entries[k]->d_name);
    free_entries(entries, count);
    return status;
}

/* For the steps of a record: each is a case that its manifest has and the caller wants. */
struct comparing {
    struct record *record; /* isolate_shared */
    const char *device, *text;
    const char *const *names;
    int name_count;
    int *runs; /* isolate_shared */
};

/* The name of step k; 0 when there is none. */
static int selected_case(const struct comparing *comparing, int k, char *name)
{
    for (const char *line = comparing->text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (sscanf(line, "case: %63s", name) == 1 &&
            is_selected(name, comparing->names, comparing->name_count) && k-- == 0)
            return 1;
    }
    return 0;
}

/* Completes the result of a case, prints it and writes it. */
static void end_case(struct record *record, const char *name, enum verdict verdict)
{
    struct check_result *const result = &record->result;

    result->verdict = verdict_worse(result->verdict, verdict);
    if (verdict_is_failure(result->verdict) && result->rows[0].failures == 0)
        result->rows[0].failures = 1;
    record->verdict = verdict_worse(record->verdict, result->verdict);
    check_print(name, result);
    if (record->results)
        results_write_case(record->results, case_find(name), result);
    result->compared_runs = 0; /* written once, even if the child crashes at its end */
}

static void compare_case(int k, void *context)
{
    const struct comparing *const comparing = (const struct comparing *)context;
    struct record *const record = comparing->record;
    const struct gallery_case *test_case;
    enum verdict verdict;
    struct io_error error;
    char name[NAME_SIZE] = "";

    selected_case(comparing, k, name);
    test_case = case_find(name);
    if (!test_case) {
        record->verdict =
            report_problem(record->results,
                           "%s/manifest.txt: this gallery has no case %s: record again, "
                           "or see by make info what was left out of it",
                           record->directory, name);
        return;
    }
    record->output_count = 0;
    memset(&record->result, 0, sizeof record->result);
    record->result.row_count = 1;
    record->result.rows[0].recorded = 1;
    record->result.rows[0].pair = comparing->device;
    record->result.rows[0].policy = test_case->policy;
    verdict = check_case_runs(record, comparing->text, test_case, comparing->runs, &error);
    if (verdict != VERDICT_ERROR && finish_case(record, name, &error) != 0)
        verdict = VERDICT_ERROR;
    if (verdict == VERDICT_ERROR)
        check_diagnose(&record->result.diagnostics, "  %s\n", error.text);
    free_outputs(record);
    if (verdict == VERDICT_NOT_RUN)
        printf("%-22s has no run in the record of %s\n", name, comparing->device);
    else
        end_case(record, name, verdict);
}

static void case_crashed(int k, enum verdict verdict, const char *sentence, void *context)
{
    const struct comparing *const comparing = (const struct comparing *)context;
    char name[NAME_SIZE] = "";

    selected_case(comparing, k, name);
    check_diagnose(&comparing->record->result.diagnostics,
                   "  %s (the case's remaining runs were skipped)\n", sentence);
    end_case(comparing->record, name, verdict);
}

static void check_record(const char *device, struct record *record, const char *text,
                         const char *const *names, int name_count, int *runs)
{
    struct comparing comparing = {record, device, text, names, name_count, runs};
    const struct gallery_case *test_case;
    struct io_error error;
    char is[32], name[NAME_SIZE];
    int cases = 0, status = find_unknown_cases(record, text, &error);

    snprintf(is, sizeof is, "\nprecision: %s\n", precision());
    if (status == 0 && !strstr(text, is))
        status = io_fail(&error, "%s/manifest.txt: it is not of %s precision", record->directory,
                         precision());
    if (status != 0) {
        record->verdict = report_problem(record->results, "%s", error.text);
        return;
    }
    while (selected_case(&comparing, cases, name))
        cases++;
    if (isolate(cases, compare_case, case_crashed, &comparing) != 0)
        record->verdict = VERDICT_ERROR;
    for (int k = 0; (test_case = case_at(k)) != NULL; k++)
        if (is_selected(test_case->name, names, name_count) && !names_case(text, test_case->name))
            printf("%-22s was not recorded on %s\n", test_case->name, device);
}

enum verdict golden_check(const char *root, const char *const *names, int name_count, FILE *results,
                          int *runs)
{
    struct dirent **devices;
    const int count = entries_of(root, &devices);
    struct record *const record = (struct record *)isolate_shared(sizeof *record);
    enum verdict verdict = VERDICT_NOT_RUN;
    struct io_error error;
    int records = 0;

    check_print_heading();
    for (int k = 0; k < count; k++) {
        char path[PATH_SIZE], *text;
        size_t size;

        memset(record, 0, sizeof *record);
        record->results = results;
        snprintf(record->directory, sizeof record->directory, "%.3600s/%.255s/%s", root,
                 devices[k]->d_name, precision());
        snprintf(path, sizeof path, "%s/manifest.txt", record->directory);
        if (access(record->directory, F_OK) != 0)
            continue;
        records++;
        if (io_read_file(path, &text, &size, &error) != 0) {
            verdict = report_problem(results, "%s", error.text);
            continue;
        }
        if (check_manifest(path, text, size, &error) != 0)
            record->verdict = report_problem(results, "%s", error.text);
        else
            check_record(devices[k]->d_name, record, text, names, name_count, runs);
        free(text);
        verdict = verdict_worse(verdict, record->verdict);
    }
    free_entries(devices, count);
    if (records == 0)
        verdict = report_problem(
            results,
            "%s holds no record in %s precision: make record makes one on a machine with a GPU",
            root, precision());
    return verdict;
}
