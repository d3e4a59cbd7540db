/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "host/programs/gallery.h"

#include "host/accuracy.h"
#include "host/bench/bench_report.h"
#include "host/check.h"
#include "host/checks/counts.h"
#include "host/golden.h"
#include "host/isolate.h"
#include "host/output.h"
#include "host/outputs.h"
#include "host/results.h"

#include <ctype.h>    /* isdigit */
#include <dirent.h>   /* scandir */
#include <errno.h>    /* errno */
#include <limits.h>   /* INT_MAX */
#include <math.h>     /* fmax, INFINITY, log */
#include <stdarg.h>   /* va_list */
#include <stdio.h>    /* printf */
#include <stdlib.h>   /* abort, free, getenv, realloc */
#include <string.h>   /* strcmp, strdup, strerror */
#include <sys/stat.h> /* stat */

/* The largest --n: cases make extents of up to 1.5 n from it, as ints. */
enum { LARGEST_N = 1 << 30 };

int gallery_fail(const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "gallery: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    return IO_BAD;
}

/* The table of a command, which sets *options; returns the number of its entries. */
static size_t entries_of(const struct gallery_command *command, struct gallery_options *options,
                         struct options_entry entries[OPTIONS_MOST])
{
    const struct options_entry all[] = {
        options_whole("--n N", &options->n, 0, LARGEST_N, NULL),
        options_text("--block X[xY[xZ]]", &options->block_text, NULL),
        options_whole("--seed S", &options->seed, 0, INT_MAX, NULL),
        options_text("--input FILE", &options->input, NULL),
        options_text("--inputs DIR", &options->inputs, NULL),
        options_text("--dump DIR", &options->dump, NULL),
        options_text("--against TARGET=DIR", &options->against, NULL),
        options_text("--golden DIR", &options->golden, NULL),
        options_flag("--every", &options->every, NULL),
        options_whole("--limit SECONDS", &options->limit, 0, ISOLATE_MOST_SECONDS, NULL),
        options_flag("--quick", &options->quick, NULL),
        options_text("--results FILE", &options->results, NULL),
        options_whole("--repeats R", &options->repeats, 1, 100000, NULL),
        options_whole("--budget SECONDS", &options->budget, 0, 1000000, NULL),
        options_flag("--sweep", &options->sweep, NULL),
        options_flag("--growth", &options->growth, NULL),
        options_flag("--itself", &options->itself, NULL),
        options_texts("--plots DIR", &options->page.plots, NULL),
        options_texts("--note \"KEY: VALUE\"", &options->page.notes, NULL),
        options_texts("--missing \"TARGET: WHY\"", &options->page.missing, NULL),
        options_texts("--failed \"TARGET: WHY\"", &options->page.failed, NULL),
    };
    size_t count = 0;

    if (command->operands[0])
        entries[count++] = options_texts(command->operands, &options->names, NULL);
    for (const char *name = command->options; *name; name += strspn(name, " ")) {
        const size_t length = strcspn(name, " ");

        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
            if (strcspn(all[k].name, " ") == length && strncmp(all[k].name, name, length) == 0)
                entries[count++] = all[k];
        name += length;
    }
    return count;
}

/* "256", "32x8", "8x8x4" */
static int parse_block(const char *text, dim3 *block)
{
    unsigned extents[3] = {1, 1, 1};
    char *end = NULL;

    for (int axis = 0; axis < 3; axis++, text = end + 1) {
        const unsigned long extent = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;

        if (extent < 1 || extent > 1024)
            return IO_BAD;
        extents[axis] = (unsigned)extent;
        if (!*end) {
            *block = DIM3(extents[0], extents[1], extents[2]);
            return 0;
        }
        if (*end != 'x')
            return IO_BAD;
    }
    return IO_BAD;
}

/* Whether each text is a key and a value. */
static int check_texts(const char *option, const char *form, const struct options_texts *texts)
{
    for (int k = 0; k < texts->count; k++)
        if (!strstr(texts->texts[k], ": ") || strchr(texts->texts[k], '\n'))
            return gallery_fail("%s takes %s, not %s", option, form, texts->texts[k]);
    return 0;
}

static int is_same_file(const char *first, const char *second)
{
    struct stat first_status, second_status;

    return strcmp(first, second) == 0 ||
           (stat(first, &first_status) == 0 && stat(second, &second_status) == 0 &&
            first_status.st_dev == second_status.st_dev &&
            first_status.st_ino == second_status.st_ino);
}

static int parse(const struct gallery_command *command, int count, char **arguments,
                 struct gallery_options *options)
{
    static char target[32];
    struct options_entry entries[OPTIONS_MOST];
    const size_t entry_count = entries_of(command, options, entries);
    struct io_error error;

    memset(options, 0, sizeof *options);
    options->n = options->seed = -1;
    options->repeats = 21;
    options->budget = options->limit = -1;
    if (options_parse(count, arguments, entries, entry_count, &error) != 0)
        return gallery_fail("%s %s; see gallery --help", command->name, error.text);
    if (options->block_text && parse_block(options->block_text, &options->block) != 0)
        return gallery_fail("--block takes X, XxY or XxYxZ, each from 1 to 1024, not %s",
                            options->block_text);
    if (options->against) {
        const size_t length = strcspn(options->against, "=");

        if (!options->against[length] || length == 0 || length >= sizeof target)
            return gallery_fail("--against takes TARGET=DIR, not %s", options->against);
        snprintf(target, sizeof target, "%.*s", (int)length, options->against);
        options->against_name = target;
        options->against += length + 1;
    }
    if (check_texts("--note", "\"KEY: VALUE\"", &options->page.notes) != 0 ||
        check_texts("--missing", "\"TARGET: WHY\"", &options->page.missing) != 0 ||
        check_texts("--failed", "\"TARGET: WHY\"", &options->page.failed) != 0)
        return IO_BAD;
    if (options->dump && options->against && is_same_file(options->dump, options->against))
        return gallery_fail(
            "--dump and --against name one directory, %s: results would be compared "
            "with themselves",
            options->dump);
    return 0;
}

int gallery_need_device(void)
{
    int devices;

    if (portable_device_count(&devices) == PORTABLE_SUCCESS)
        return 0;
    fprintf(stderr, "gallery: the %s target was not run: %s\n", PORTABLE_TARGET_NAME,
            portable_last_message());
    return verdict_exit_status(VERDICT_NOT_RUN);
}

static int list(const struct gallery_options *options)
{
    const struct gallery_case *test_case;
    const char *family = "";

    (void)options;
    for (int k = 0; (test_case = case_at(k)) != NULL; k++) {
        char policy[64];

        policy_text(test_case->policy, policy, sizeof policy);
        if (strcmp(family, test_case->family) != 0)
            printf("%s%s\n", k > 0 ? "\n" : "", test_case->family);
        family = test_case->family;
        printf("  %-22s %-46s %s", test_case->name, test_case->summary, policy);
        if (test_case->policy.kind != POLICY_EXACT)
            printf(": %s", test_case->policy.reason);
        if (test_case->extension)
            printf("; --input takes %s", test_case->extension);
        putchar('\n');
    }
    return 0;
}

/* A function that runs in a child, and the exit status it returned, in isolate_shared. */
struct call {
    int (*call)(const void *context);
    const void *context;
    int status;
};

static void call(int k, void *context)
{
    struct call *const job = (struct call *)context;

    (void)k;
    job->status = job->call(job->context);
}

static void report_crash(int k, enum verdict verdict, const char *sentence, void *context)
{
    (void)k;
    gallery_fail("%s", sentence);
    ((struct call *)context)->status = verdict_exit_status(verdict);
}

/* Calls the function in a child. Returns its exit status, or that of a crash, which is reported. */
static int call_in_child(int (*function)(const void *context), const void *context)
{
    struct call *const job = (struct call *)isolate_shared(sizeof *job);

    job->call = function;
    job->context = context;
    return isolate(1, call, report_crash, job) == 0 ? job->status : (int)IO_BAD;
}

struct run gallery_run(const struct gallery_case *test_case, const struct gallery_options *options)
{
    struct run run;

    memset(&run, 0, sizeof run);
    run.test_case = test_case;
    run.n = options->n >= 0 ? options->n : case_timing_size(test_case);
    run.block = options->block.x > 0 ? options->block : case_block(test_case, 0);
    run.seed = options->seed >= 0 ? (unsigned long long)options->seed : 1;
    run.input = options->input;
    return run;
}

static int check_options(const struct gallery_case *test_case,
                         const struct gallery_options *options)
{
    struct io_error error;

    if (options->input && !test_case->extension)
        return gallery_fail("case %s takes no --input", test_case->name);
    if (options->input && options->n >= 0)
        return gallery_fail("case %s: --n and --input exclude each other", test_case->name);
    if (options->n >= 0 && options->n < case_size(test_case, 0))
        return gallery_fail("case %s needs a larger --n", test_case->name);
    if (options->block.x > 0 && case_takes_block(test_case, options->block, &error) != 0)
        return gallery_fail("%s", error.text);
    return 0;
}

static int run_one(const struct gallery_options *options)
{
    const struct gallery_case *test_case;
    struct check_options check = {.every_run = 1};
    struct check_result result;
    struct io_error error;
    struct run run;
    enum verdict verdict;
    int status;

    if (options->names.count != 1)
        return gallery_fail("run takes one case; gallery list shows them");
    test_case = case_find(options->names.texts[0]);
    if (!test_case)
        return gallery_fail("there is no case %s; gallery list shows them",
                            options->names.texts[0]);
    status = check_options(test_case, options);
    if (status == 0)
        status = gallery_need_device();
    if (status != 0)
        return status;
    run = gallery_run(test_case, options);
    memset(&result, 0, sizeof result);
    check.dump = options->dump;
    verdict = check_run(&run, ".", &check, &result, &error);
    if (verdict == VERDICT_ERROR)
        return gallery_fail("%s", error.text);
    check_print_heading();
    check_print(test_case->name, &result);
    if (options->dump && write_manifest(options->dump, &error) != 0)
        return gallery_fail("%s", error.text);
    return verdict_failure(verdict);
}

/* 0, or a sentence that names the first unknown case from name `first` on. */
static int check_names(const struct gallery_options *options, int first)
{
    for (int k = first; k < options->names.count; k++)
        if (!case_find(options->names.texts[k]))
            return gallery_fail("there is no case %s; gallery list shows them",
                                options->names.texts[k]);
    return 0;
}

/* The k-th of the cases named from name `first` on, or of all cases if there are none; NULL
 * beyond the last. */
static const struct gallery_case *selected_case(const struct gallery_options *options, int first,
                                                int k)
{
    if (options->names.count <= first)
        return case_at(k);
    return first + k < options->names.count ? case_find(options->names.texts[first + k]) : NULL;
}

/* The files under a directory, and one level below, that cases take, in the order of their
 * names. */
struct inputs {
    char **paths;
    int count;
};

static int gather(const char *directory, int levels, struct inputs *inputs, struct io_error *error)
{
    struct dirent **entries;
    const int count = scandir(directory, &entries, io_is_visible, alphasort);
    int status = count < 0 ? io_fail(error, "%s: cannot read: %s", directory, strerror(errno)) : 0;

    for (int k = 0; k < count; k++) {
        const struct gallery_case *test_case;
        struct stat file;
        char path[4096];
        int taken = 0;

        snprintf(path, sizeof path, "%.3800s/%.255s", directory, entries[k]->d_name);
        free(entries[k]);
        if (status != 0 || stat(path, &file) != 0)
            continue;
        if (S_ISDIR(file.st_mode)) {
            if (levels > 0)
                status = gather(path, levels - 1, inputs, error);
            continue;
        }
        for (int c = 0; !taken && (test_case = case_at(c)) != NULL; c++)
            taken = check_takes(test_case, path);
        if (!taken)
            continue;
        /* Results are stored by file name. */
        for (int previous = 0; previous < inputs->count && status == 0; previous++)
            if (strcmp(io_base_name(inputs->paths[previous]), io_base_name(path)) == 0)
                status = io_fail(error, "%s and %s have one name", inputs->paths[previous], path);
        if (status != 0)
            continue;
        char **const grown =
            (char **)realloc(inputs->paths, ((size_t)inputs->count + 1) * sizeof *grown);

        if (grown)
            inputs->paths = grown;
        if (grown && (grown[inputs->count] = strdup(path)) != NULL)
            inputs->count++;
        else
            status = io_fail(error, "no memory for the names of the files in %s", directory);
    }
    if (count >= 0)
        free(entries);
    return status;
}

static void free_inputs(struct inputs *inputs)
{
    for (int k = 0; k < inputs->count; k++)
        free(inputs->paths[k]);
    free(inputs->paths);
}

/* The state of a check, in isolate_shared. */
struct checking {
    const struct gallery_options *options;
    FILE *results;
    struct inputs inputs;
    enum verdict verdict;       /* of the cases so far */
    int runs;                   /* that were compared with something */
    struct check_result result; /* of the case that runs */
};

/* The options of a case; *only holds its single run if the command line describes one. */
static struct check_options options_of(const struct checking *checking,
                                       const struct gallery_case *test_case, struct run *only)
{
    const struct gallery_options *const options = checking->options;
    struct check_options of_case = {.every_run = options->every};

    of_case.quick = options->quick;
    of_case.dump = options->dump;
    of_case.against = options->against;
    of_case.against_name = options->against_name;
    of_case.results = checking->results;
    of_case.inputs = (const char *const *)checking->inputs.paths;
    of_case.input_count = checking->inputs.count;
    of_case.show_pictures = 1;
    if (options->n >= 0 || options->block.x > 0 || options->input) {
        *only = gallery_run(test_case, options);
        of_case.only = only;
    }
    return of_case;
}

/* Runs in a child, because it uses the device. */
static int begin_check(const void *context)
{
    const struct checking *const checking = (const struct checking *)context;
    const int status = gallery_need_device();

    if (status == 0 && checking->results)
        results_write_head(checking->results);
    return status;
}

static void count_case(struct checking *checking)
{
    checking->verdict = verdict_worse(checking->verdict, checking->result.verdict);
    checking->runs += checking->result.compared_runs;
    checking->result.compared_runs = 0; /* counted once, even if the child crashes at its end */
}

static void check_one(int k, void *context)
{
    struct checking *const checking = (struct checking *)context;
    const struct gallery_case *const test_case = selected_case(checking->options, 0, k);
    struct run only;
    const struct check_options options = options_of(checking, test_case, &only);

    if (check_options(test_case, checking->options) != 0) {
        checking->verdict = VERDICT_ERROR;
        return;
    }
    check_case(test_case, &options, &checking->result);
    count_case(checking);
}

static void check_one_crashed(int k, enum verdict verdict, const char *sentence, void *context)
{
    struct checking *const checking = (struct checking *)context;
    const struct gallery_case *const test_case = selected_case(checking->options, 0, k);
    struct run only;
    const struct check_options options = options_of(checking, test_case, &only);

    check_case_crashed(test_case, &options, verdict, sentence, &checking->result);
    count_case(checking);
}

static int end_check(const void *context)
{
    const struct checking *const checking = (const struct checking *)context;
    struct io_error error;

    if (checking->options->dump && write_manifest(checking->options->dump, &error) != 0)
        return gallery_fail("%s", error.text);
    return 0;
}

/* The last line of a check, and how to reproduce a failure. Returns the exit status. */
static int print_verdict(const struct checking *checking)
{
    const char *const order = getenv("ORDER");

    printf("%s: %d runs, %s\n", PORTABLE_TARGET_NAME, checking->runs,
           verdict_text(checking->verdict));
    if (verdict_is_failure(checking->verdict) && order && order[0])
        printf("to replay: ORDER=%s\n", order);
    return verdict_exit_status(checking->verdict);
}

static int inputs_are_taken(const struct checking *checking)
{
    const struct gallery_case *test_case;

    for (int c = 0; (test_case = selected_case(checking->options, 0, c)) != NULL; c++)
        for (int k = 0; k < checking->inputs.count; k++)
            if (check_takes(test_case, checking->inputs.paths[k]))
                return 1;
    return 0;
}

static int check_into(struct checking *checking, struct io_writer *writer)
{
    const struct gallery_options *const options = checking->options;
    struct io_error error;
    int status, cases = 0;

    if (options->inputs && gather(options->inputs, 1, &checking->inputs, &error) != 0)
        return gallery_fail("%s", error.text);
    if (options->inputs && !inputs_are_taken(checking))
        return gallery_fail("--inputs: no file in %s is input of the checked cases",
                            options->inputs);
    /* Opened first: a path that cannot be written is an error before any work. */
    if (options->results && io_write_begin(writer, options->results, &error) != 0)
        return gallery_fail("%s", error.text);
    checking->results = writer->stream;
    status = call_in_child(begin_check, checking);
    if (status != 0)
        return status;
    for (int k = 0; checking->results && k < checking->inputs.count; k++)
        results_write_line(checking->results, "input", checking->inputs.paths[k]);
    if (options->golden)
        checking->verdict = golden_check(options->golden, options->names.texts,
                                         options->names.count, checking->results, &checking->runs);
    else {
        checking->verdict = VERDICT_NOTHING_COMPARED;
        check_print_heading();
        while (selected_case(options, 0, cases))
            cases++;
        if (isolate(cases, check_one, check_one_crashed, checking) != 0)
            checking->verdict = VERDICT_ERROR;
    }
    if (checking->results)
        results_write_end(checking->results, checking->runs, checking->verdict);
    if (call_in_child(end_check, checking) != 0)
        return IO_BAD;
    if (checking->results && io_write_commit(writer, &error) != 0)
        return gallery_fail("%s", error.text);
    return print_verdict(checking);
}

static int check(const struct gallery_options *options)
{
    const int one_run = options->n >= 0 || options->block.x > 0 || options->input;
    struct checking *const checking = (struct checking *)isolate_shared(sizeof *checking);
    struct io_writer writer = {NULL, NULL, NULL};
    int status;

    if (options->golden &&
        (options->dump || options->against || options->every || options->inputs || one_run))
        return gallery_fail(
            "--golden excludes --dump, --against, --every, --inputs, --n, --block and "
            "--input");
    if (options->inputs && one_run)
        return gallery_fail("--inputs excludes --n, --block and --input");
    if (options->seed >= 0 && !one_run)
        return gallery_fail("--seed goes with --n, --block or --input");
    if (options->quick && (options->golden || one_run))
        return gallery_fail("--quick excludes --golden, --n, --block and --input");
    if (options->every && options->results)
        return gallery_fail("--every excludes --results, which have a row for each case");
    if (check_names(options, 0) != 0)
        return IO_BAD;
    checking->options = options;
    status = check_into(checking, &writer);
    free_inputs(&checking->inputs);
    io_write_abort(&writer);
    return status;
}

static int report(const struct gallery_options *options)
{
    enum { RESULTS_LIMIT = 32 };
    struct results results[RESULTS_LIMIT];
    char targets[RESULTS_LIMIT][32];
    struct io_error error;
    int count = 0, status = 0;

    if (options->names.count < 2)
        return gallery_fail("report takes the page to write and the results to show");
    if (options->names.count - 1 > RESULTS_LIMIT)
        return gallery_fail("report takes 32 results at most");
    for (; count < options->names.count - 1 && status == 0; count++) {
        const char *const name = options->names.texts[count + 1];
        const size_t length = strcspn(name, "=");

        if (length == 0 || length >= sizeof targets[0] || !name[length])
            status = io_fail(&error, "expected TARGET=RESULTS, found %s", name);
        else
            status = results_read(name + length + 1, &results[count], &error);
        for (int k = 0; k < count && status == 0; k++)
            if (strcmp(options->names.texts[k + 1], name) == 0) {
                results_free(&results[count]);
                status = io_fail(&error, "%s is given twice", name);
            }
        if (status != 0)
            break;
        memcpy(targets[count], name, length);
        targets[count][length] = '\0';
        results[count].target = targets[count];
    }
    if (status == 0)
        status = page_write(options->names.texts[0], results, count, &options->page, &error);
    for (int k = 0; k < count; k++)
        results_free(&results[k]);
    return status == IO_BAD ? gallery_fail("%s", error.text) : status;
}

static int record(const struct gallery_options *options)
{
    struct io_error error = {""};
    int status;

    if (options->names.count != 1)
        return gallery_fail("record takes the directory of the records");
    status = gallery_need_device();
    if (status != 0)
        return status;
    status = golden_record(options->names.texts[0], options->page.notes.texts,
                           options->page.notes.count, &error);
    if (status == 1)
        return gallery_fail("a case does not agree with its reference: nothing was recorded"), 1;
    return status == IO_BAD ? gallery_fail("%s", error.text) : status;
}

static int dump_one(const struct gallery_case *test_case, const struct gallery_options *options)
{
    struct check_options check = {.every_run = 1};
    struct check_result result;
    struct io_error error;
    struct gallery_options run_options = *options;
    struct run run;
    enum verdict verdict;

    run_options.n = case_size(test_case, case_size_count(test_case) - 1);
    run = gallery_run(test_case, &run_options);
    check.dump = options->names.texts[0];
    memset(&result, 0, sizeof result);
    progress("%s, n = %d", test_case->name, run.n);
    verdict = check_run(&run, test_case->name, &check, &result, &error);
    progress_end();
    return verdict == VERDICT_ERROR ? gallery_fail("%s", error.text) : verdict_failure(verdict);
}

static int dump(const struct gallery_options *options)
{
    const struct gallery_case *test_case;
    struct io_error error;
    int status, worst = 0, count = 0;

    if (options->names.count < 1)
        return gallery_fail("dump takes a directory");
    status = check_names(options, 1);
    if (status == 0)
        status = gallery_need_device();
    if (status != 0)
        return status;
    for (int k = 0; (test_case = selected_case(options, 1, k)) != NULL; k++) {
        status = dump_one(test_case, options);
        count += status == 0;
        if (status > worst)
            worst = status;
    }
    if (write_manifest(options->names.texts[0], &error) != 0)
        return gallery_fail("%s", error.text);
    printf("%s: %d cases\n", options->names.texts[0], count);
    return worst;
}

static int accuracy(const struct gallery_options *options)
{
    const struct gallery_case *test_case;
    struct io_error error;
    int status;

    if (options->names.count < 2)
        return gallery_fail("accuracy takes two directories that gallery dump made");
    if (check_names(options, 2) != 0)
        return IO_BAD;
    status = accuracy_print_heading(options->names.texts[0], options->names.texts[1], &error);
    for (int k = 0; status == 0 && (test_case = selected_case(options, 2, k)) != NULL; k++)
        status = accuracy_print_case(test_case->name, options->names.texts[0],
                                     options->names.texts[1], &error);
    return status == 0 ? 0 : gallery_fail("%s", error.text);
}

/* `end`: the timer_seconds() at which the case should be done; 0: no limit. `rest`: what the
 * progress line begins with. */
static int bench_one(const struct gallery_case *test_case, const struct gallery_options *options,
                     double end, const char *rest, struct bench_report *report)
{
    struct bench_options bench_options = {options->repeats, options->itself, 0};
    struct bench_result result, largest;
    struct io_error error;
    struct gallery_options run_options = *options;
    int status = check_options(test_case, options);

    for (int round = 0; status == 0; round++) {
        struct run run = gallery_run(test_case, &run_options);
        const double start = timer_seconds();

        /* Half of what is left, so that smaller sizes have their turn. */
        bench_options.until = end > 0 ? start + (end - start) / (options->sweep ? 2 : 1) : 0;
        progress("%s: %s, n = %d", rest, test_case->name, run.n);
        status = bench_run(&run, &bench_options, &result, &error);
        progress_end();
        if (status == 0)
            status = bench_report_add(report, test_case, &result, &error);
        if (status != 0)
            return gallery_fail("%s", error.text);
        if (round == 0) {
            largest = result;
            bench_print_row(&report->machine, test_case, &result);
        }
        const double now = timer_seconds(), left = now < end ? end - now : 0;

        run_options.n =
            bench_next_size(test_case, &largest, &result, now - start, end > 0 ? left : -1);
        if (run_options.n < 0 || !options->sweep)
            break;
    }
    return status;
}

/* Whether the file can be written, and that a run that was interrupted left it. */
static int begin_results(const struct gallery_options *options)
{
    struct io_writer writer;
    struct io_error error;
    char *text;
    size_t size;

    if (io_write_begin(&writer, options->results, &error) != 0)
        return gallery_fail("%s", error.text);
    io_write_abort(&writer);
    if (io_read_text(options->results, &text, &size, &error) != 0)
        return 0;
    if (strstr(text, BENCH_INCOMPLETE))
        printf("%s has the results of a run that was interrupted: this one starts again\n",
               options->results);
    free(text);
    return 0;
}

/* After each case, so that a run that is interrupted leaves what it has measured. */
static int save_results(const struct gallery_options *options, const struct bench_report *report)
{
    struct io_writer writer;
    struct io_error error;

    if (!options->results)
        return 0;
    if (io_write_begin(&writer, options->results, &error) != 0 ||
        bench_report_write(report, &writer, options->page.notes.texts, options->page.notes.count,
                           &error) != 0)
        return gallery_fail("%s", error.text);
    return 0;
}

static int bench(const struct gallery_options *options)
{
    const struct gallery_case *test_case;
    struct bench_report report;
    struct io_error error;
    const double budget = options->budget >= 0 ? options->budget : 150, start = timer_seconds();
    int status = gallery_need_device(), count = 0;

    if (status != 0)
        return status;
    memset(&report, 0, sizeof report);
    if (options->sweep && (options->n >= 0 || options->input))
        return gallery_fail("--sweep chooses the sizes: it excludes --n and --input");
    if (options->page.notes.count > 0 && !options->results)
        return gallery_fail("--note goes with --results");
    if (PORTABLE_TARGET_CUDA && options->itself)
        return gallery_fail("--itself is for the CPU targets, which have the plain loops");
    if (check_names(options, 0) != 0)
        return IO_BAD;
    /* Invalid options are errors before any work. */
    for (int k = 0; k < options->names.count; k++)
        if (check_options(case_find(options->names.texts[k]), options) != 0)
            return IO_BAD;
    if (options->results && begin_results(options) != 0)
        return IO_BAD;
    if (options->repeats > 1) { /* one is a trial */
        progress("the speed of the memory");
        status = bench_machine_measure(&report.machine, &error);
        progress_end();
        if (status != 0)
            return gallery_fail("%s", error.text);
    }
    bench_print_heading(&report.machine);
    while (selected_case(options, 0, count))
        count++;
    for (int k = 0; (test_case = selected_case(options, 0, k)) != NULL; k++) {
        const double end = bench_share(timer_seconds(), budget > 0 ? start + budget : 0, count - k);
        char rest[80];

        snprintf(rest, sizeof rest, "%d of %d cases", k, count);
        const int ended = bench_one(test_case, options, end, rest, &report);

        status = ended > status ? ended : status;
        if (save_results(options, &report) != 0)
            return bench_report_free(&report), IO_BAD;
    }
    bench_print_peers(&report);
    bench_print_total(&report, timer_seconds() - start);
    report.complete = 1;
    if (save_results(options, &report) != 0)
        status = IO_BAD;
    bench_report_free(&report);
    return status;
}

/* More declared work than this, in bytes and operations, would take long to count. */
static const double work_limit = 1 << 24;

/* A launch of a case that was counted: its size, 0 for none, and what the case declares. */
struct counted {
    int n;
    double work;
    struct emulate_counts counts;
};

/* Takes away those of earlier launches. */
static void subtract_counts(struct emulate_counts *counts, const struct emulate_counts *before)
{
    counts->accesses -= before->accesses;
    counts->used -= before->used;
    counts->moved -= before->moved;
    counts->turns -= before->turns;
    counts->least_turns -= before->least_turns;
    counts->active -= before->active;
    counts->existing -= before->existing;
    counts->atomics -= before->atomics;
}

/* Counts a launch at n or, halved until it declares at most `limit` work, at a smaller size. */
static int count_launch(const struct gallery_case *test_case, const struct gallery_options *options,
                        int n, double limit, struct counted *counted)
{
    struct gallery_options run_options = *options;
    struct emulate_counts before;
    struct io_error error;
    int status = 0, is_small = 0;

    for (memset(counted, 0, sizeof *counted); !is_small && status == 0; n /= 2) {
        if (n < case_size(test_case, 0) || (n == 0 && options->n != 0))
            return 0;
        run_options.n = n;
        struct run run = gallery_run(test_case, &run_options);
        status = run_prepare(&run, &error);
        counted->work = run.bytes + run.flops > 0 ? run.bytes + run.flops : n;
        is_small = counted->work <= limit;
        if (status == 0 && is_small) {
            emulate_read_counts(&before);
            status = run_launch(&run, 0xff, &error);
            counted->n = n;
            emulate_read_counts(&counted->counts);
            subtract_counts(&counted->counts, &before);
        }
        run_release(&run);
    }
    return status == 0 ? 0 : gallery_fail("%s", error.text);
}

static int print_counts(const struct gallery_case *test_case, const struct gallery_options *options)
{
    const int is_given = options->n >= 0;
    struct counted counted;
    const struct emulate_counts *const found = &counted.counts;
    const int status =
        count_launch(test_case, options, is_given ? options->n : case_timing_size(test_case),
                     is_given ? INFINITY : work_limit, &counted);

    if (status == 0)
        printf("%-22s %10d %11.0f %11.0f %11.0f %9.0f %9.0f %5.1f %9.0f\n", test_case->name,
               counted.n, found->accesses, found->used, found->moved, found->turns,
               found->least_turns, found->existing > 0 ? 32 * found->active / found->existing : 0,
               found->atomics);
    return status;
}

/* The most that the logarithm of the accesses may rise with that of the work. */
static const double growth_limit = 1.25;

static double growth_of(const struct counted *from, const struct counted *to)
{
    return log(to->counts.accesses / from->counts.accesses) / log(to->work / from->work);
}

/* Counts the case in *judged and, if its accesses grow faster than its work, in *broken. */
static int print_growth(const struct gallery_case *test_case, const struct gallery_options *options,
                        int *judged, int *broken)
{
    struct counted at[3] = {
        {.n = 0}, {.n = 0}, {.n = 2 * case_timing_size(test_case), .work = 4 * work_limit}};
    int status = 0;

    for (int k = 2; k >= 0 && status == 0; k--) {
        const struct counted *const larger = &at[k < 2 ? k + 1 : 2];

        status = count_launch(test_case, options, larger->n / 2, larger->work / 4, &at[k]);
    }
    if (status != 0)
        return status;
    printf("%-22s %8d %8d %8d %10.0f %10.0f %10.0f", test_case->name, at[0].n, at[1].n, at[2].n,
           at[0].counts.accesses, at[1].counts.accesses, at[2].counts.accesses);
    if (at[0].n > 0 && at[0].counts.accesses > 0) {
        const double slope = fmax(growth_of(&at[0], &at[1]), growth_of(&at[1], &at[2]));

        printf(" %6.2f%s\n", slope, slope > growth_limit ? "  TOO STEEP" : "");
        *broken += slope > growth_limit;
        ++*judged;
    } else
        printf("  not judged\n");
    return 0;
}

static int counts(const struct gallery_options *options)
{
    const struct gallery_case *test_case;
    int status = check_names(options, 0), count = 0, judged = 0, broken = 0;

    if (emulate_read_counts == NULL)
        return gallery_fail("this program counts no accesses: see make counts");
    if (options->growth && options->n >= 0)
        return gallery_fail("--growth chooses the sizes: it excludes --n");
    for (int k = 0; k < options->names.count && status == 0; k++)
        status = check_options(case_find(options->names.texts[k]), options);
    if (status == 0 && options->growth)
        printf("%-22s %26s %32s %6s\n", "case", "n", "accesses", "slope");
    else if (status == 0)
        printf("%-22s %10s %11s %11s %11s %9s %9s %5s %9s\n", "case", "n", "accesses", "bytes used",
               "moved", "turns", "least", "lanes", "atomics");
    for (; status == 0 && (test_case = selected_case(options, 0, count)) != NULL; count++)
        status = options->growth ? print_growth(test_case, options, &judged, &broken)
                                 : print_counts(test_case, options);
    if (status != 0 || !options->growth)
        return status;
    printf("%d of %d cases judged; %d with accesses that grow faster than their work (slope above "
           "%.2f)\n",
           judged, count, broken, growth_limit);
    return verdict_exit_status(verdict_of((size_t)judged, (size_t)broken));
}

static int info(const struct gallery_options *options)
{
    (void)options;
    print_manifest(stdout);
    return 0;
}

static const struct gallery_command commands[] = {
    {.name = "list",
     .operands = "",
     .options = "",
     .help = "the cases by family, with the policy under which targets must agree",
     .call = list},
    {.name = "info",
     .operands = "",
     .options = "",
     .help = "the target, the device, the compiler and its flags",
     .call = info},
    {.name = "run",
     .operands = "CASE",
     .options = "--n --block --seed --input --dump --limit",
     .help = "one run of a case, compared with its reference\n"
             "--dump: its results to DIR, as .npy",
     .call = run_one,
     .in_child = 1},
    {.name = "check",
     .operands = "[CASE...]",
     .options =
         "--n --block --seed --input --inputs --dump --against --golden --every --quick --results "
         "--limit",
     .help = "every case at every size and block, compared with its reference\n"
             "--against: and with the results that another target dumped to DIR\n"
             "--inputs: also on the files under DIR that a case takes\n"
             "--n, --block, --input: one run of each case instead, as of gallery run\n"
             "--golden: compared with what each device recorded under DIR instead\n"
             "--every: a row for each run; --results: a file for gallery report\n"
             "--quick: the largest size with the first block alone\n"
             "--limit: a longer run is ended, as a crash; the default is 600, or\n"
             "PORTABLE_LIMIT in the environment; 0 for none",
     .call = check},
    {.name = "report",
     .operands = "PAGE TARGET=RESULTS...",
     .options = "--plots --note --missing --failed",
     .help = "a web page of each target's results, with the .svg files of --plots\n"
             "--missing: a target that was not run; --failed: the same, as a failure",
     .call = report},
    {.name = "record",
     .operands = "DIR",
     .options = "--note",
     .help = "writes every case's results at small sizes to DIR/DEVICE/PRECISION",
     .call = record,
     .in_child = 1},
    {.name = "dump",
     .operands = "DIR [CASE...]",
     .options = "",
     .help = "writes the results of each case at its largest size to DIR",
     .call = dump,
     .in_child = 1},
    {.name = "accuracy",
     .operands = "SINGLE_DIR DOUBLE_DIR [CASE...]",
     .options = "",
     .help = "how many digits single precision keeps, from two dumps",
     .call = accuracy},
    {.name = "bench",
     .operands = "[CASE...]",
     .options = "--n --block --input --repeats --budget --sweep --itself --results --note",
     .help = "times each case and the plain C loop alternately\n"
             "--repeats: medians of R runs, 21 by default; 1 is a trial, without the\n"
             "limits of the machine\n"
             "--budget: seconds for all cases, 150 by default, 0 for no limit; they\n"
             "limit the repeats, to no fewer than three, and the sizes of --sweep\n"
             "--sweep: also at smaller sizes, over four decades of work\n"
             "--itself: the kernel in place of the plain loop: the noise of a ratio\n"
             "--results: all results to a file",
     .call = bench,
     .in_child = 1},
    {.name = "counts",
     .operands = "[CASE...]",
     .options = "--n --block --growth",
     .help = "the accesses to memory of each case, by the program of make counts\n"
             "--growth: at three sizes; exit status 1 if they grow faster than work",
     .call = counts,
     .in_child = 1},
};

/* Those of other files. */
static const struct gallery_command *registered[4];
static int registered_count;

void gallery_register(const struct gallery_command *command)
{
    if (registered_count == (int)(sizeof registered / sizeof registered[0])) {
        fprintf(stderr, "gallery: no room for the command %s\n", command->name);
        abort();
    }
    registered[registered_count++] = command;
}

/* All commands, those of other files last; NULL beyond the last. */
static const struct gallery_command *command_at(int k)
{
    const int own = (int)(sizeof commands / sizeof commands[0]);

    if (k < own)
        return &commands[k];
    return k - own < registered_count ? registered[k - own] : NULL;
}

static const struct gallery_command *find_command(const char *name)
{
    const struct gallery_command *command;

    for (int k = 0; (command = command_at(k)) != NULL; k++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static void print_usage(FILE *stream)
{
    const struct gallery_command *command;
    struct gallery_options options;
    struct options_entry entries[OPTIONS_MOST];

    for (int k = 0; (command = command_at(k)) != NULL; k++) {
        char before[64];

        snprintf(before, sizeof before, "%s gallery %s", k == 0 ? "usage:" : "      ",
                 command->name);
        options_print_usage(stream, before, entries, entries_of(command, &options, entries));
    }
    putc('\n', stream);
    for (int k = 0; (command = command_at(k)) != NULL; k++) {
        const char *name = command->name;

        for (const char *line = command->help; *line; name = "") {
            const size_t length = strcspn(line, "\n");

            fprintf(stream, "%-8s  %.*s\n", name, (int)length, line);
            line += length + (line[length] != '\0');
        }
    }
    fputs("\nExit status: 0 all agree, 1 something differs or crashed, 2 bad input, 77 no\n"
          "device, or no record of these cases.\n",
          stream);
}

/* A command with its options. */
struct command_line {
    const struct gallery_command *command;
    struct gallery_options options;
};

static int run_command(const void *context)
{
    const struct command_line *const line = (const struct command_line *)context;

    return line->command->call(&line->options);
}

/* On CUDA, where a fault in a kernel is a status, commands run in the program itself, as
 * profilers expect. */
static int gallery(int count, char **arguments)
{
    const char *const name = count > 1 ? arguments[1] : "";
    struct command_line line;
    struct io_error error;

    if (strcmp(name, "--help") == 0 || strcmp(name, "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    line.command = find_command(name);
    if (!line.command) {
        print_usage(stderr);
        return IO_BAD;
    }
    if (case_check_all(&error) != 0)
        return gallery_fail("%s", error.text);
    if (parse(line.command, count - 1, arguments + 1, &line.options) != 0)
        return IO_BAD;
    isolate_limit(line.options.limit);
    if (line.command->in_child && !PORTABLE_TARGET_CUDA)
        return call_in_child(run_command, &line);
    return run_command(&line);
}

int main(int count, char **arguments)
{
    output_begin();
    /* Line buffered, so that output before a crash is not lost. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    return output_end("gallery", gallery(count, arguments));
}
