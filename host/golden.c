/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "host/golden.h"

#include "host/check.h"
#include "host/isolate.h"
#include "host/npy.h"
#include "host/report.h"
#include "host/results.h"

#include <ctype.h>  /* isalnum */
#include <dirent.h> /* scandir */
#include <stdarg.h> /* va_list */
#include <stdio.h>  /* sscanf */
#include <stdlib.h> /* free, realloc */
#include <string.h> /* strcmp */
#include <unistd.h> /* access, rmdir, unlink */

enum { SEED = 1, PATH_SIZE = 4096, NAME_SIZE = 64 };

static const char *precision(void)
{
    return sizeof(REAL) == sizeof(double) ? "double" : "single";
}

/* An output of all the runs of a case. */
struct kept {
    const char *name;
    struct array values; /* rank 1 */
    size_t used;         /* elements that runs so far have */
};

/* One case of a record, while it is written or read. */
struct record {
    char directory[PATH_SIZE - 2 * NAME_SIZE];
    struct kept kept[RUN_ARRAYS];
    int kept_count;
    FILE *manifest;       /* when writing */
    size_t bytes, runs;   /* written, of all cases */
    FILE *results;        /* when comparing, or NULL */
    struct check_row row; /* when comparing */
    struct check_told told;
};

static void forget(struct record *record)
{
    for (int k = 0; k < record->kept_count; k++)
        array_free(&record->kept[k].values);
    record->kept_count = 0;
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

/* Removes an older record: its manifest, and the .npy files one level below. */
static int remove_record(const char *directory, struct io_error *error)
{
    struct dirent **cases, **files;
    char path[PATH_SIZE], inner[PATH_SIZE];
    const int case_count = entries_of(directory, &cases);

    snprintf(path, sizeof path, "%s/manifest.txt", directory);
    unlink(path);
    for (int c = 0; c < case_count; c++) {
        snprintf(inner, sizeof inner, "%.3800s/%.255s", directory, cases[c]->d_name);
        const int file_count = entries_of(inner, &files);

        for (int f = 0; f < file_count; f++)
            if (io_ends_with(files[f]->d_name, ".npy")) {
                snprintf(path, sizeof path, "%.3800s/%.255s", inner, files[f]->d_name);
                unlink(path);
            }
        free_entries(files, file_count);
        rmdir(inner);
    }
    free_entries(cases, case_count);
    const int left = entries_of(directory, &cases);

    free_entries(cases, left);
    return left > 0 ? io_fail(error, "%s holds files that are not of a record", directory) : 0;
}

static struct kept *kept_of(struct record *record, const char *name)
{
    for (int k = 0; k < record->kept_count; k++)
        if (strcmp(record->kept[k].name, name) == 0)
            return &record->kept[k];
    return NULL;
}

/* Appends a run's outputs, unless there are too many. */
static int keep_run(struct run *run, void *context, struct io_error *error)
{
    struct record *const record = (struct record *)context;
    char block[48];
    size_t elements = 0;

    for (int a = 0; a < run->array_count; a++)
        if (run->arrays[a].role != ROLE_INPUT)
            elements += array_count(&run->arrays[a].host);
    if (elements > GOLDEN_RUN_ELEMENTS)
        return 0;
    block_text(run->block, block, sizeof block);
    fprintf(record->manifest, "run: %s n=%d block=%s", run->which->name, run->n, block);
    for (int a = 0; a < run->array_count; a++) {
        const struct run_array *array = &run->arrays[a];
        const size_t count = array_count(&array->host), size = array_type_size(array->host.type);
        struct kept *kept = kept_of(record, array->name);

        if (array->role == ROLE_INPUT)
            continue;
        if (!kept) {
            kept = &record->kept[record->kept_count++];
            memset(kept, 0, sizeof *kept);
            kept->name = array->name;
            kept->values.type = array->host.type;
            kept->values.rank = 1;
        }
        void *const grown = realloc(kept->values.data, (kept->used + count + 1) * size);

        if (!grown || kept->values.type != array->host.type)
            return io_fail(error, "case %s, array %s: no memory for it, or its type changes",
                           run->which->name, array->name);
        kept->values.data = grown;
        if (count > 0)
            memcpy((char *)grown + kept->used * size, array->host.data, count * size);
        fprintf(record->manifest, " %s[%zu:%zu]", array->name, kept->used, kept->used + count);
        kept->used += count;
        kept->values.shape[0] = kept->used;
    }
    fputc('\n', record->manifest);
    record->runs++;
    return 0;
}

static int record_case(const struct gallery_case *which, struct record *record,
                       struct io_error *error)
{
    struct check_options options = {.every_run = 1, .visit = keep_run};
    struct check_result result;
    char policy[64], path[PATH_SIZE];
    int status = 0;

    options.context = record;
    policy_text(which->policy, policy, sizeof policy);
    fprintf(record->manifest, "case: %s %s\n", which->name, policy);
    for (const int *n = case_sizes(which); *n >= 0 && status == 0; n++)
        for (int b = 0; b < GOLDEN_BLOCKS && which->blocks[b].x > 0 && status == 0; b++) {
            struct run run;

            if (*n > GOLDEN_LARGEST_SIZE)
                continue;
            memset(&run, 0, sizeof run);
            memset(&result, 0, sizeof result);
            run.which = which;
            run.n = *n;
            run.block = which->blocks[b];
            run.seed = SEED;
            progress("%s, n = %d", which->name, *n);
            status = check_run(&run, "", &options, &result, error);
            progress_end();
        }
    snprintf(path, sizeof path, "%s/%.63s", record->directory, which->name);
    if (status == 0 && record->kept_count > 0)
        status = io_make_directory(path, error);
    for (int k = 0; k < record->kept_count && status == 0; k++) {
        struct array *const values = &record->kept[k].values;

        record->bytes += 128 + array_count(values) * array_type_size(values->type);
        path_of(record, which->name, record->kept[k].name, path);
        status = npy_write(path, values, error);
    }
    forget(record);
    return status;
}

int golden_record(const char *root, const char *const *notes, int note_count,
                  struct io_error *error)
{
    const size_t limit = (size_t)GOLDEN_BYTES_PER_REAL_BYTE * sizeof(REAL);
    const struct gallery_case *which;
    struct io_writer manifest;
    struct record record;
    char device[NAME_SIZE], path[PATH_SIZE];
    int status = device_directory(device, sizeof device, error);

    memset(&record, 0, sizeof record);
    memset(&manifest, 0, sizeof manifest);
    if (status == 0 && strlen(root) + 2 * NAME_SIZE > sizeof record.directory)
        status = io_fail(error, "the directory's name is too long");
    if (status != 0)
        return status;
    snprintf(record.directory, sizeof record.directory, "%.3700s/%s/%s", root, device, precision());
    snprintf(path, sizeof path, "%s/manifest.txt", record.directory);
    status = io_make_directory(record.directory, error);
    if (status == 0)
        status = remove_record(record.directory, error);
    if (status == 0)
        status = io_write_begin(&manifest, path, error);
    if (status != 0)
        return status;
    record.manifest = manifest.stream;
    print_manifest(manifest.stream);
    for (int k = 0; k < note_count; k++)
        fprintf(manifest.stream, "%s\n", notes[k]);
    for (int k = 0; (which = case_at(k)) != NULL && status == 0; k++)
        status = record_case(which, &record, error);
    if (status == 0 && record.bytes > limit)
        status = io_fail(error, "the record has %zu bytes, and may have %zu: take smaller sizes",
                         record.bytes, limit);
    if (status != 0) {
        io_write_abort(&manifest);
        remove_record(record.directory, &(struct io_error){""});
        rmdir(record.directory);
        return status;
    }
    if (io_write_commit(&manifest, error) != 0)
        return IO_BAD;
    printf("%s: %zu runs, %zu bytes\n", record.directory, record.runs, record.bytes);
    return 0;
}

/* ---- check ---- */

/* Compares a run with the next part of each file. */
static int compare_run(struct run *run, void *context, struct io_error *error)
{
    struct record *const record = (struct record *)context;
    int differs = 0;

    for (int a = 0; a < run->array_count; a++) {
        const struct run_array *array = &run->arrays[a];
        const size_t count = array_count(&array->host);
        struct kept *kept = kept_of(record, array->name);
        char path[PATH_SIZE];
        int status;

        if (array->role == ROLE_INPUT)
            continue;
        path_of(record, run->which->name, array->name, path);
        if (!kept) {
            kept = &record->kept[record->kept_count];
            memset(kept, 0, sizeof *kept);
            if (npy_read(path, &kept->values, error) != 0)
                return IO_BAD;
            kept->name = array->name;
            record->kept_count++;
        }
        if (kept->values.rank != 1 || count > kept->values.shape[0] - kept->used)
            return io_fail(error, "%s: ends before the %zu elements of n = %d", path, count,
                           run->n);
        struct array part = array->host;

        part.type = kept->values.type;
        part.data = (char *)kept->values.data + kept->used * array_type_size(part.type);
        if (part.type != array->host.type)
            return io_fail(error, "%s: holds %s, and the case computes %s", path,
                           array_type_name(part.type), array_type_name(array->host.type));
        status = check_array(run, array, &part, &record->row,
                             record->row.worst.mismatches == 0 ? &record->told : NULL, error);
        if (status == IO_BAD)
            return IO_BAD;
        if (array->expected) {
            struct comparison errors;

            compare_bounded(array->expected, array->bound, &part, &errors);
            error_histogram_add(&record->row.worst.shares, &errors.shares);
            error_histogram_add(&record->row.worst.ulps, &errors.ulps);
        }
        differs |= status;
        kept->used += count;
    }
    return differs;
}

/* After the last run of a case: every file was read to its end, and there is no other. */
static int finish_case(struct record *record, const char *name, struct io_error *error)
{
    struct dirent **files;
    char path[PATH_SIZE];
    int status = 0;

    for (int k = 0; k < record->kept_count && status == 0; k++) {
        const struct kept *kept = &record->kept[k];

        path_of(record, name, kept->name, path);
        if (kept->used != kept->values.shape[0])
            status = io_fail(error, "%s: has %zu elements, and the runs of manifest.txt use %zu",
                             path, kept->values.shape[0], kept->used);
    }
    snprintf(path, sizeof path, "%s/%.63s", record->directory, name);
    const int count = entries_of(path, &files);

    for (int f = 0; f < count && status == 0; f++) {
        char array[NAME_SIZE];

        snprintf(array, sizeof array, "%.63s", files[f]->d_name);
        if (io_ends_with(array, ".npy"))
            array[strlen(array) - 4] = '\0';
        if (!io_ends_with(files[f]->d_name, ".npy") || !kept_of(record, array))
            status =
                io_fail(error, "%s/%s: case %s has no such output", path, files[f]->d_name, name);
    }
    free_entries(files, count);
    return status;
}

static int wanted(const char *name, const char *const *names, int name_count)
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

/* Says what is wrong with a record as a whole. Returns IO_BAD. */
__attribute__((format(printf, 2, 3))) static int problem(FILE *results, const char *format, ...)
{
    struct io_error error;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error.text, sizeof error.text, format, arguments);
    va_end(arguments);
    printf("  %s\n", error.text);
    if (results)
        results_write_line(results, "problem", error.text);
    return IO_BAD;
}

/* The runs of a case that the manifest has. */
static int check_case_runs(struct record *record, const char *text,
                           const struct gallery_case *which, int *runs, struct io_error *error)
{
    struct check_options options = {.every_run = 1, .visit = compare_run};
    struct check_result ignored;
    int status = 0;

    options.context = record;
    for (const char *line = text; line && status != IO_BAD; line = strchr(line, '\n')) {
        struct run run;
        char name[NAME_SIZE];

        line += *line == '\n';
        memset(&run, 0, sizeof run);
        memset(&ignored, 0, sizeof ignored);
        run.block = DIM3(0, 1, 1);
        if (sscanf(line, "run: %63s n=%d block=%ux%ux%u", name, &run.n, &run.block.x, &run.block.y,
                   &run.block.z) < 1 ||
            strcmp(name, which->name) != 0)
            continue;
        run.which = which;
        run.seed = SEED;
        if (run.n < 0 || run.n > GOLDEN_LARGEST_SIZE || run.block.x < 1 || run.block.x > 1024) {
            status = io_fail(error, "%s/manifest.txt: a run of %s has no n or no block",
                             record->directory, name);
            break;
        }
        progress("%s, n = %d", which->name, run.n);
        record->row.runs++;
        ++*runs;
        switch (check_run(&run, "", &options, &ignored, error)) {
        case 0: break;
        case 1:
            status = 1;
            record->row.failures++;
            break;
        default: status = IO_BAD;
        }
        progress_end();
    }
    return status;
}

/* Every directory of a record is that of a case of its manifest. */
static int find_strangers(const struct record *record, const char *text, struct io_error *error)
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

/* What the steps of a record need: a step is a case that its manifest has and that is wanted. */
struct comparing {
    struct record *record; /* isolate_shared */
    const char *device, *text;
    const char *const *names;
    int name_count;
    int *runs; /* isolate_shared */
};

/* The name of step k; 0 when there is none. */
static int wanted_case(const struct comparing *comparing, int k, char *name)
{
    for (const char *line = comparing->text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (sscanf(line, "case: %63s", name) == 1 &&
            wanted(name, comparing->names, comparing->name_count) && k-- == 0)
            return 1;
    }
    return 0;
}

static void print_case(struct record *record, const char *name, int status)
{
    struct check_result result;

    if (status != 0 && record->row.failures == 0)
        record->row.failures = 1;
    memset(&result, 0, sizeof result);
    result.rows[0] = record->row;
    result.row_count = 1;
    result.told = record->told;
    check_print(name, &result);
    if (record->results) {
        results_write_case(record->results, case_find(name));
        results_write_result(record->results, &result, record->row.runs, status);
    }
}

static int compare_case(int k, void *context)
{
    const struct comparing *const comparing = (const struct comparing *)context;
    struct record *const record = comparing->record;
    const struct gallery_case *which;
    struct io_error error;
    char name[NAME_SIZE] = "";
    int status;

    wanted_case(comparing, k, name);
    which = case_find(name);
    if (!which)
        return problem(record->results,
                       "%s/manifest.txt: this gallery has no case %s: record again",
                       record->directory, name);
    record->kept_count = 0;
    memset(&record->row, 0, sizeof record->row);
    memset(&record->told, 0, sizeof record->told);
    record->row.recorded = 1;
    record->row.pair = comparing->device;
    record->row.policy = which->policy;
    status = check_case_runs(record, comparing->text, which, comparing->runs, &error);
    if (status != IO_BAD && finish_case(record, name, &error) != 0)
        status = IO_BAD;
    if (status == IO_BAD)
        check_tell(&record->told, "  %s\n", error.text);
    forget(record);
    print_case(record, name, status);
    return status;
}

static void case_crashed(int k, const char *sentence, void *context)
{
    const struct comparing *const comparing = (const struct comparing *)context;
    char name[NAME_SIZE] = "";

    wanted_case(comparing, k, name);
    check_tell(&comparing->record->told, "  %s (the case's other runs were left out)\n", sentence);
    print_case(comparing->record, name, ISOLATE_CRASHED);
}

static int check_record(const char *device, struct record *record, const char *text,
                        const char *const *names, int name_count, int *runs, struct io_error *error)
{
    struct comparing comparing;
    const struct gallery_case *which;
    char is[32], name[NAME_SIZE];
    int cases = 0, worst = find_strangers(record, text, error);

    snprintf(is, sizeof is, "\nprecision: %s\n", precision());
    if (worst == 0 && !strstr(text, is))
        worst = io_fail(error, "%s/manifest.txt: it is not of %s precision", record->directory,
                        precision());
    if (worst != 0)
        return problem(record->results, "%s", error->text);
    comparing.record = record;
    comparing.device = device;
    comparing.text = text;
    comparing.names = names;
    comparing.name_count = name_count;
    comparing.runs = runs;
    while (wanted_case(&comparing, cases, name))
        cases++;
    worst = isolate(cases, compare_case, case_crashed, &comparing);
    for (int k = 0; (which = case_at(k)) != NULL; k++)
        if (wanted(which->name, names, name_count) && !names_case(text, which->name))
            printf("%-22s was not recorded on %s\n", which->name, device);
    return worst;
}

int golden_check(const char *root, const char *const *names, int name_count, FILE *results,
                 int *runs)
{
    struct dirent **devices;
    const int count = entries_of(root, &devices);
    struct record *const record = (struct record *)isolate_shared(sizeof *record);
    struct io_error error;
    int worst = 0, records = 0;

    check_print_heading();
    for (int k = 0; k < count; k++) {
        char path[PATH_SIZE], *text;
        size_t size;
        int status;

        memset(record, 0, sizeof *record);
        record->results = results;
        snprintf(record->directory, sizeof record->directory, "%.3600s/%.255s/%s", root,
                 devices[k]->d_name, precision());
        snprintf(path, sizeof path, "%s/manifest.txt", record->directory);
        if (access(record->directory, F_OK) != 0)
            continue;
        records++;
        if (io_read_file(path, &text, &size, &error) != 0) {
            worst = problem(results, "%s", error.text);
            continue;
        }
        status = check_record(devices[k]->d_name, record, text, names, name_count, runs, &error);
        free(text);
        if (status > worst)
            worst = status;
    }
    free_entries(devices, count);
    if (records == 0)
        problem(results,
                "%s holds no record in %s precision: make record makes one on a machine with a GPU",
                root, precision());
    return records == 0 ? IO_BAD : worst;
}
