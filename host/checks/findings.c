/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* asprintf, dladdr1, on_exit, vasprintf */
#include "host/checks/findings.h"

#include "host/checks/reports.h"
#include "host/checks/suppressions.h"
#include "host/checks/text_set.h"
#include "host/emulate/check.h" /* emulate.kernel */
#include "portable.h"           /* portable_bad_value_ */

#include <dlfcn.h>       /* dladdr1, dlsym */
#include <fcntl.h>       /* O_WRONLY */
#include <limits.h>      /* PATH_MAX */
#include <link.h>        /* struct link_map */
#include <signal.h>      /* alarm, sigaction */
#include <spawn.h>       /* posix_spawnp */
#include <stdarg.h>      /* va_list */
#include <stdint.h>      /* uintptr_t */
#include <stdio.h>       /* fprintf, getline */
#include <stdlib.h>      /* getenv, on_exit, realloc */
#include <string.h>      /* strcmp, strdup, strrchr */
#include <sys/syscall.h> /* SYS_exit_group */
#include <sys/wait.h>    /* waitpid */
#include <unistd.h>      /* getpid, pipe, syscall */

extern char **environ;

static const char *tool = "check", *singular = "finding", *plural = "findings";
static char rank[48]; /* see name_rank */
static int findings, found_in_host, suppressed, reported, beyond_limit, limit = INT_MAX;
/* The names of kernels. */
static struct text_set kernels_with_findings, launched, unfinished;
static pid_t owner; /* the process that launched or found something last */

static void *grown(void *array, size_t count, size_t size)
{
    /* Doubles at powers of two, so the caller stores no capacity. */
    if (count != 0 && (count & (count - 1)) != 0)
        return array;
    array = realloc(array, (count != 0 ? 2 * count : 1) * size);
    if (array == NULL) {
        fprintf(stderr, "%s: out of memory\n", tool);
        abort();
    }
    return array;
}

/* In a program that MPI started as one of several ranks: "rank 1 of 4: ", from the environment that
 * Open MPI, MPICH and its derivatives, or Slurm set up. */
static void name_rank(void)
{
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"SLURM_PROCID", "SLURM_NTASKS"}};

    rank[0] = '\0';
    for (size_t k = 0; k < sizeof names / sizeof names[0] && rank[0] == '\0'; k++) {
        const char *const number = getenv(names[k][0]), *const count = getenv(names[k][1]);

        if (number != NULL && count != NULL && atoi(count) > 1)
            snprintf(rank, sizeof rank, "rank %d of %d: ", atoi(number), atoi(count));
    }
}

static void end_now(int status) __attribute__((noreturn));
static void end_now(int status)
{
    syscall(SYS_exit_group, status);
    abort();
}

static void read_limit(void)
{
    const char *const text = getenv("PORTABLE_FINDINGS_LIMIT");
    char *end;

    if (text == NULL || text[0] == '\0')
        return;
    const unsigned long number = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || number > 1000000)
        portable_bad_value_("PORTABLE_FINDINGS_LIMIT", text,
                            "must be a number of findings, 0 to 1000000");
    limit = (int)number;
}

static void catch_deaths(void);

void findings_open(const char *name, const char *name_of_one, const char *name_of_many)
{
    tool = name;
    singular = name_of_one;
    plural = name_of_many;
    owner = getpid();
    name_rank();
    if (rank[0] != '\0') /* whole lines, between which those of other ranks may come */
        setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    read_limit();
    suppressions_open(tool);
    reports_open(tool);
    catch_deaths();
}

static int (*before_summary)(void);
void findings_before_summary(int (*function)(void))
{
    before_summary = function;
}

void findings_launch(const char *kernel)
{
    owner = getpid();
    if (text_set_add(&launched, kernel))
        reports_kernel(kernel);
}

/* Counts a finding that is not suppressed. Returns 0 beyond the limit. */
static int count(const struct finding *finding)
{
    const int is_within = reported < limit;

    reported += is_within;
    if (finding->kind == FINDING_NOT_CHECKED) {
        text_set_add(&unfinished, finding->kernel);
        return is_within;
    }
    findings++;
    beyond_limit += !is_within;
    if (finding->kernel != NULL)
        text_set_add(&kernels_with_findings, finding->kernel);
    else
        found_in_host = 1;
    return is_within;
}

/* Adds the user's line to a finding inside a library: that of the launch. */
static void add_launch(char **text, const struct finding *finding)
{
    const char *const at = finding->places[0].line;
    char *longer;

    if (*text == NULL || finding->kernel == NULL || emulate.kernel == NULL ||
        emulate.caller == NULL || at == NULL || !findings_is_of_library(at))
        return;
    const char *const line = findings_line(emulate.caller);
    if (findings_is_of_library(line) || !findings_is_known(line) ||
        asprintf(&longer, "%s\n    in a launch at %s", *text, line) < 0)
        return;
    free(*text);
    *text = longer;
}

int findings_add(const struct finding *finding, const char *format, ...)
{
    struct record record = {*finding, NULL, suppression_of(finding)};
    char *text = NULL;
    va_list arguments;

    owner = getpid();
    if (record.suppression != NULL)
        suppressed++;
    else if (!count(finding))
        return 0;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    add_launch(&text, finding);
    record.text = text != NULL ? text : format;
    if (record.suppression == NULL) {
        fflush(stdout); /* earlier output of the program comes first */
        fprintf(stderr, "%s: %s%s\n", tool, rank, record.text);
        suppression_print(finding);
    }
    reports_add(&record);
    free(text);
    return record.suppression == NULL;
}

/* The places in the lines below the first of a message: "block (0, 0, 0), thread (1, 0, 0) waits at
 * SYNC_THREADS, x.c:12". */
static void read_places(char *message, struct finding *finding)
{
    char *line = strchr(message, '\n');

    for (int count = 0; line != NULL && count < FINDING_PLACES;) {
        char *const text = line + 1;
        line = strchr(text, '\n');
        if (line != NULL)
            *line = '\0';
        char *const at = strstr(text, " at "), *const comma = at != NULL ? strstr(at, ", ") : NULL;
        if (comma == NULL)
            continue;
        *comma = '\0';
        char *const call = strstr(comma + 1, ", called at "); /* of a library */
        finding->places[count].line = call != NULL ? strrchr(call, ' ') + 1 : comma + 2;
        finding->places[count++].what = text + strspn(text, " ");
    }
}

static void add_divergence(enum finding_kind kind, const char *before, const char *after,
                           const char *message)
{
    struct finding finding = {.kind = kind, .kernel = emulate.kernel};
    char *const places = strdup(message);

    if (places != NULL)
        read_places(places, &finding);
    if (finding.places[0].line == NULL && emulate_fault.number && emulate_fault.frame_count > 0)
        finding.places[0].line = findings_line(emulate_fault.frames[0]);
    findings_add(&finding, "%skernel %s%s: %s", before, emulate.kernel, after, message);
    free(places);
}

void findings_diverged(const char *message)
{
    add_divergence(FINDING_DIVERGENCE, "divergence in ", "", message);
}

void findings_given_up(const char *message)
{
    add_divergence(FINDING_NOT_CHECKED, "", " is not checked to its end", message);
}

void findings_unfinished(void)
{
    text_set_add(&unfinished, emulate.kernel);
}

/* What is found or not checked makes a program fail. */
static int status_after(int status)
{
    return status == 0 && (findings > 0 || unfinished.count > 0) ? 1 : status;
}

static int says_nothing;  /* if nothing was found */
static const char *death; /* "Aborted", the signal that ends the program, or NULL */
static void (*certify)(void);

void findings_certify(void (*print)(void))
{
    certify = print;
}

static const char *many(size_t count, const char *one, const char *several)
{
    return count == 1 ? one : several;
}

/* The kernels that are not checked to their end; one that the program dies in, too. */
static size_t count_unfinished(void)
{
    const char *const running = death != NULL ? emulate.kernel : NULL;

    return unfinished.count + (running != NULL && !text_set_has(&unfinished, running));
}

/* What was found: "no races in 2 kernels", "2 races in 1 kernel and host code", or, as not all has
 * been looked at, "no race found". */
static void append_found(char *line, size_t size)
{
    char *const end = line + strlen(line);
    const size_t left = size - strlen(line), in = kernels_with_findings.count;
    char kernels[64] = "";

    if (in > 0)
        snprintf(kernels, sizeof kernels, "%zu %s%s", in, many(in, "kernel", "kernels"),
                 found_in_host ? " and " : "");
    if (findings > 0)
        snprintf(end, left, "%d %s in %s%s", findings, many((size_t)findings, singular, plural),
                 kernels, found_in_host ? "host code" : "");
    else if (count_unfinished() > 0 || death != NULL)
        snprintf(end, left, "no %s found", singular);
    else if (launched.count > 0)
        snprintf(end, left, "no %s in %zu %s", plural, launched.count,
                 many(launched.count, "kernel", "kernels"));
    else
        snprintf(end, left, "no %s, and no kernel was launched", plural);
}

/* The program's last line. Allocates nothing: the program may die of damaged memory. */
static const char *last_line(void)
{
    static char line[600];
    const char *const order = getenv("ORDER");
    const size_t kernels = count_unfinished();
    size_t length;

    snprintf(line, sizeof line, "%s: %s", tool, rank);
    append_found(line, sizeof line);
    length = strlen(line);
    if (suppressed > 0)
        snprintf(line + length, sizeof line - length, ", %d suppressed", suppressed);
    length = strlen(line);
    if (kernels > 0)
        snprintf(line + length, sizeof line - length, ", %zu %s not checked to %s end", kernels,
                 many(kernels, "kernel", "kernels"), many(kernels, "its", "their"));
    length = strlen(line);
    if (death != NULL)
        snprintf(line + length, sizeof line - length, "%s: %s",
                 emulate.kernel != NULL ? "" : ", the program not checked to its end", death);
    length = strlen(line);
    if (findings > 0 && order != NULL && order[0] != '\0')
        snprintf(line + length, sizeof line - length, " (to replay: ORDER=%.40s)", order);
    strcat(line, "\n");
    return line;
}

static void print_summary(void)
{
    const int is_clean = findings == 0 && unfinished.count == 0 && death == NULL;

    if ((is_clean && says_nothing) || (findings == 0 && launched.count == 0 &&
                                       emulate_uses.is_library && emulate_uses.modules == 0))
        return;
    if (beyond_limit > 0)
        fprintf(stderr, "%s: %s%d more %s left out by PORTABLE_FINDINGS_LIMIT=%d\n", tool, rank,
                beyond_limit, many((size_t)beyond_limit, singular, plural), limit);
    suppressions_print_unused();
    fputs(last_line(), stderr);
    if (certify != NULL && is_clean && launched.count > 0 && suppressed == 0)
        certify();
}

/* Once: a signal may come meanwhile. */
static void call_before_summary(void)
{
    int (*const function)(void) = before_summary;

    before_summary = NULL;
    if (function != NULL)
        says_nothing = !function();
}

/* The kernel that runs is not checked to its end. */
static void add_unfinished(const char *why)
{
    const struct finding finding = {.kind = FINDING_NOT_CHECKED, .kernel = emulate.kernel};

    if (emulate.kernel != NULL)
        findings_add(&finding, "kernel %s is not checked to its end: %s", emulate.kernel, why);
}

/* The program's last lines; returns its exit status. A child that has launched and found nothing
 * has none: its parent has them. */
static int end(int status)
{
    if (owner != getpid())
        return status;
    emulate_running = 0;
    call_before_summary();
    add_unfinished("the program exits during it");
    status = status_after(status);
    print_summary();
    reports_end(status, 0);
    return status;
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    fflush(stdout);
    if (end(status) == status)
        return;
    fflush(NULL);
    end_now(1);
}

void findings_end(void)
{
    at_exit(0, NULL);
    fflush(NULL);
    end_now(0);
}

/* The program's own calls, which run no exit handlers; libc's do not come here. */
static void leave(int status) __attribute__((noreturn));
static void leave(int status)
{
    end_now(launched.count > 0 || findings > 0 ? end(status) : status);
}
__attribute__((weak)) void _exit(int status)
{
    leave(status);
}
__attribute__((weak)) void _Exit(int status)
{
    leave(status);
}

/* quick_exit does not tell its handlers the status. */
static int quick_status;
static void at_quick_exit_last(void)
{
    leave(quick_status);
}
__attribute__((weak)) void quick_exit(int status)
{
    typedef void quick_exit_function(int);
    union {
        void *symbol;
        quick_exit_function *call;
    } const libc = {dlsym(RTLD_NEXT, "quick_exit")};

    quick_status = status;
    if (libc.symbol != NULL)
        libc.call(status);
    leave(status);
}

static int death_number;
static int is_summed_up; /* the last line of a program that dies is there */

static void note_death(int number)
{
    death_number = number;
#if __GLIBC_PREREQ(2, 32)
    death = sigdescr_np(number); /* may be called whichever locks are held */
#else
    death = strsignal(number);
#endif
}

static void die(void) __attribute__((noreturn));
static void die(void)
{
    signal(death_number, SIG_DFL);
    raise(death_number);
    end_now(128 + death_number);
}

/* The signal came from outside, or while the program's death was reported, or that takes too
 * long. */
void findings_died_suddenly(int number)
{
    if (death == NULL)
        note_death(number);
    if (!is_summed_up && owner == getpid() && (launched.count > 0 || findings > 0)) {
        const char *const line = last_line();

        is_summed_up = 1;
        const ssize_t written = write(STDERR_FILENO, line, strlen(line));
        (void)written;
    }
    die();
}

void findings_died(int number)
{
    note_death(number);
    if (owner != getpid())
        return;
    call_before_summary();
    print_summary();
    is_summed_up = 1;
    reports_end(-1, number);
}

/* The program dies by a signal that it does not handle: in host code, or by abort. After half a
 * minute without the last lines, because a lock is held, or by another signal meanwhile, it dies
 * with the last one alone. */
static void on_death(int number)
{
    if (death != NULL)
        findings_died_suddenly(number);
    note_death(number);
    emulate_running = 0;
    signal(SIGALRM, findings_died_suddenly);
    alarm(30);
    if (owner == getpid()) {
        call_before_summary();
        add_unfinished(death);
    }
    findings_died(number);
    alarm(0);
    die();
}

static void catch_deaths(void)
{
    static const struct {
        int number;
        void (*handler)(int number);
    } deaths[] = {
        {SIGSEGV, on_death},
        {SIGBUS, on_death},
        {SIGFPE, on_death},
        {SIGILL, on_death},
        {SIGABRT, on_death},
        {SIGINT, findings_died_suddenly},
        {SIGTERM, findings_died_suddenly},
        {SIGHUP, findings_died_suddenly},
        {SIGQUIT, findings_died_suddenly},
        {SIGXCPU, findings_died_suddenly},
        {SIGPIPE, findings_died_suddenly},
    };
    struct sigaction action, before;

    memset(&action, 0, sizeof action);
    action.sa_flags = SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof deaths / sizeof deaths[0]; k++) {
        action.sa_handler = deaths[k].handler;
        if (sigaction(deaths[k].number, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(deaths[k].number, &action, NULL);
    }
}

/* Exit handlers run in reverse order: this one after the program's own and the checks'. */
__attribute__((constructor(101))) static void register_exit_handlers(void)
{
    on_exit(at_exit, NULL);
    at_quick_exit(at_quick_exit_last);
}

/* ---------------------------------------------------------------------------------------------
 * Source lines
 * ------------------------------------------------------------------------------------------- */

/* Kept sorted by address. */
struct line {
    uintptr_t address;
    const char *text;
    int ignores_value, ignores_padding;
};
static struct line *lines;
static size_t line_count;

/* The index of an address among the lines: its own, or where to insert it. */
static size_t index_of(uintptr_t address)
{
    size_t low = 0, high = line_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (lines[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_known(uintptr_t address)
{
    size_t index = index_of(address);

    return index < line_count && lines[index].address == address;
}

static void add_line(uintptr_t address, const char *text, int ignores_value)
{
    size_t index = index_of(address);

    lines = (struct line *)grown(lines, line_count, sizeof *lines);
    memmove(&lines[index + 1], &lines[index], (line_count - index) * sizeof *lines);
    lines[index].address = address;
    lines[index].text = text;
    lines[index].ignores_value = ignores_value;
    lines[index].ignores_padding = findings_is_of_library(text);
    line_count++;
}

static const char *copy_of(const char *text)
{
    const char *copy = strdup(text);

    if (copy == NULL)
        return "an unknown line";
    return copy; /* cppcheck-suppress memleak */
}

/* A return address and its module. addr2line is asked about the call, one byte earlier. */
struct place {
    uintptr_t address; /* in the process */
    uintptr_t offset;  /* of the call, in its file */
    const char *file;  /* of the module */
};

/* Returns 0 if no module contains the address. */
static int locate(uintptr_t address, struct place *place)
{
    static const struct link_map *named;
    static const char *name; /* of that module, which was given by a relative path */
    struct link_map *module = NULL;
    char path[PATH_MAX];
    Dl_info info;

    if (!dladdr1((const void *)(address - 1), &info, (void **)&module, RTLD_DL_LINKMAP) ||
        module == NULL)
        return 0;
    place->address = address;
    place->offset = address - 1 - (uintptr_t)module->l_addr;
    place->file = module->l_name;
    if (module->l_name[0] != '/') { /* the program itself, or a library */
        if (named != module) {
            if (emulate_file((const void *)(address - 1), path, sizeof path) == NULL)
                return 0;
            name = copy_of(path);
            named = module;
        }
        place->file = name;
    }
    return 1;
}

/* The environment without LD_PRELOAD, which may bring this check into another program. */
static char **environment(void)
{
    size_t count = 0, kept_count = 0;
    char **variables;

    while (environ[count] != NULL)
        count++;
    variables = (char **)malloc((count + 1) * sizeof *variables);
    for (size_t k = 0; variables != NULL && k < count; k++)
        if (strncmp(environ[k], "LD_PRELOAD=", strlen("LD_PRELOAD=")) != 0)
            variables[kept_count++] = environ[k];
    if (variables != NULL)
        variables[kept_count] = NULL;
    return variables;
}

static const char *fallback(uintptr_t address)
{
    char text[256];
    Dl_info info;

    if (address == 0 || !dladdr((const void *)(address - 1), &info) || info.dli_sname == NULL)
        return "an unknown line";
    snprintf(text, sizeof text, "%s+%#zx", info.dli_sname,
             (size_t)(address - (uintptr_t)info.dli_saddr));
    return copy_of(text);
}

/* The path as the compiler was given it. Debug information has it absolute, or relative to the
 * compiler's directory, which is usually the one that the program runs in. */
static char *as_written(char *path)
{
    static char directory[PATH_MAX];
    size_t length;

    if (directory[0] == '\0' && getcwd(directory, sizeof directory) == NULL)
        directory[0] = '\0';
    length = strlen(directory);
    if (length > 1 && strncmp(path, directory, length) == 0 && path[length] == '/')
        path += length + 1;
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    return path;
}

/* Whether the path is of CUDA's headers for the CPU: below a directory that has one which nobody
 * else has. A project's own directory may be called cuda/include, too. */
static int is_of_cuda(const char *path)
{
    static const char *const directories[] = {"/cuda/include/", "/cudart/include/"};
    char file[PATH_MAX];

    for (size_t k = 0; k < sizeof directories / sizeof directories[0]; k++)
        for (const char *at = path; (at = strstr(at, directories[k])) != NULL; at++) {
            snprintf(file, sizeof file, "%.*s%sportable_cuda/launch.h", (int)(at - path), path,
                     directories[k]);
            if (access(file, F_OK) == 0)
                return 1;
        }
    return 0;
}

/* A macro of portable.h may call one of its functions, which is then inlined, as those of CUDA's
 * headers are: the user's line is the caller's. Such functions are recognised by name, because gcc
 * does not always give the file of a line in a system header, and by file, because addr2line does
 * not always find inlined functions. */
static int is_of_the_header(const char *function, const char *path)
{
    static const char *const names[] = {"/portable.h", "/host/emulate/protocol.h",
                                        "/host/emulate/overflow.h"};
    const char *colon = strrchr(path, ':');
    size_t end = colon != NULL ? (size_t)(colon - path) : strlen(path);

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (end >= strlen(names[k]) &&
            strncmp(path + end - strlen(names[k]), names[k], strlen(names[k])) == 0)
            return 1;
    return strncmp(function, "portable_", 9) == 0 || is_of_cuda(path);
}

/* Whether the path is of CCCL: below a directory that has the version of this part of it. A
 * project's own include/cuda has none. */
static int is_of_cccl(const char *path)
{
    static const char *const parts[][2] = {{"/thrust/", "/thrust/version.h"},
                                           {"/cub/", "/cub/version.cuh"},
                                           {"/cuda/", "/cuda/std/version"}};
    char file[PATH_MAX];

    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        for (const char *at = path; (at = strstr(at, parts[k][0])) != NULL; at++) {
            snprintf(file, sizeof file, "%.*s%s", (int)(at - path), path, parts[k][1]);
            if (access(file, F_OK) == 0)
                return 1;
        }
    return 0;
}

int findings_is_of_library(const char *line)
{
    return strstr(line, "/include/c++/") != NULL || strstr(line, "/cudart/cccl/") != NULL ||
           is_of_cccl(line);
}

/* addr2line prints "??:0", "??:?" or "reduce.c:?" for an unknown line. */
static int is_no_line(const char *text)
{
    const char *colon = strrchr(text, ':');

    return text[0] == '?' || colon == NULL || colon[1] == '?' ||
           (colon[1] == '0' && colon[2] == '\0');
}

/* Removes the newline and " (discriminator 3)". */
static int read_line(FILE *answers, char **text, size_t *size)
{
    static const char mark[] = " (discriminator ";

    if (getline(text, size, answers) <= 0)
        return 0;
    (*text)[strcspn(*text, "\n")] = '\0';
    char *const last = strrchr(*text, '('); /* a path may contain blanks and parentheses */
    if (last != NULL && last > *text && strncmp(last - 1, mark, strlen(mark)) == 0)
        last[-1] = '\0';
    return 1;
}

/* Reads the output of `addr2line -a -i -f`: for each address a line with it, then two lines, the
 * function and the source position, then those of the calls it was inlined at, innermost first. */
static void read_answers(FILE *answers, const struct place *places, int count)
{
    char *text = NULL, *function = NULL, header[400] = "";
    size_t text_size = 0, function_size = 0;
    int index = -1, has_more, ignores_value = 0;

    do {
        has_more = read_line(answers, &function, &function_size);
        if (!has_more || (function[0] == '0' && function[1] == 'x')) {
            /* A function of the header that was not inlined, or no line at all. */
            if (index >= 0 && header[0] != '\0' && !is_known(places[index].address))
                add_line(places[index].address, copy_of(header), ignores_value);
            header[0] = '\0';
            ignores_value = 0;
            index++;
            continue;
        }
        has_more = index >= 0 && index < count && read_line(answers, &text, &text_size);
        if (!has_more || is_known(places[index].address))
            continue;
        ignores_value |= strstr(function, "SerialMerge") != NULL && is_of_cccl(text);
        /* clang gives merged instructions no line. Without a file, the function is only the nearest
         * symbol. */
        if (is_no_line(text)) {
            if (header[0] == '\0' && text[0] != '?')
                snprintf(header, sizeof header, "an unknown line of %s", function);
            continue;
        }
        if (findings_is_of_library(text)) {
            if (!findings_is_of_library(header))
                snprintf(header, sizeof header, "%s", as_written(text));
            continue;
        }
        if (!is_of_the_header(function, text))
            add_line(places[index].address, copy_of(as_written(text)), ignores_value);
        else if (findings_is_of_library(header))
            continue;
        else if (strncmp(function, "portable_", 9) == 0)
            snprintf(header, sizeof header, "%s of portable.h", function);
        else
            snprintf(header, sizeof header, "a line of portable.h in %s", function);
    } while (has_more);
    free(text);
    free(function);
}

/* All places must be in one file. */
static void ask(const struct place *places, int count)
{
    enum { FIXED = 6 }; /* arguments before the addresses */
    char **arguments = (char **)malloc(((size_t)count + FIXED + 1) * sizeof *arguments);
    char(*texts)[24] = (char(*)[24])malloc((size_t)count * sizeof *texts);
    int ends[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    char **const variables = environment();
    FILE *answers;
    pid_t child;

    if (arguments == NULL || texts == NULL || variables == NULL || pipe(ends) != 0)
        goto out;
    arguments[0] = (char *)"addr2line";
    arguments[1] = (char *)"-a";
    arguments[2] = (char *)"-i";
    arguments[3] = (char *)"-f";
    arguments[4] = (char *)"-e";
    arguments[5] = (char *)places[0].file;
    for (int i = 0; i < count; i++) {
        snprintf(texts[i], sizeof texts[i], "%#zx", (size_t)places[i].offset);
        arguments[FIXED + i] = texts[i];
    }
    arguments[FIXED + count] = NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&child, arguments[0], &actions, NULL, arguments, variables) != 0)
        child = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    answers = fdopen(ends[0], "r");
    if (answers != NULL) {
        if (child > 0)
            read_answers(answers, places, count);
        fclose(answers);
    } else {
        close(ends[0]);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
out:
    free(arguments);
    free(texts);
    free(variables);
}

static int by_file(const void *a, const void *b)
{
    const struct place *left = (const struct place *)a, *right = (const struct place *)b;
    int order = strcmp(left->file, right->file);

    return order != 0 ? order : (left->address > right->address) - (left->address < right->address);
}

void findings_lines(const void *const *return_addresses, int count)
{
    enum { AT_ONCE = 1024 }; /* on one command line */
    struct place *places = (struct place *)malloc(((size_t)count + 1) * sizeof *places);
    int unknown = 0;

    for (int i = 0; places != NULL && i < count; i++)
        if (return_addresses[i] != NULL && !is_known((uintptr_t)return_addresses[i]) &&
            locate((uintptr_t)return_addresses[i], &places[unknown]))
            unknown++;
    if (unknown > 0)
        qsort(places, (size_t)unknown, sizeof *places, by_file);
    for (int begin = 0, end; begin < unknown; begin = end) {
        for (end = begin + 1; end < unknown && end - begin < AT_ONCE &&
                              strcmp(places[end].file, places[begin].file) == 0;)
            end++;
        ask(&places[begin], end - begin);
    }
    free(places);
    for (int i = 0; i < count; i++)
        if (!is_known((uintptr_t)return_addresses[i]))
            add_line((uintptr_t)return_addresses[i], fallback((uintptr_t)return_addresses[i]), 0);
}

const char *findings_line(const void *return_address)
{
    findings_lines(&return_address, 1);
    return lines[index_of((uintptr_t)return_address)].text;
}

int findings_is_known(const char *line)
{
    const char *const colon = strrchr(line, ':');

    return colon && colon[1] >= '0' && colon[1] <= '9';
}

/* "DIR/portable.h:12", but not "DIR/myportable.h:12" or "portable.h: a copy/x.c:12". */
static int in_portable_h(const char *line)
{
    static const char name[] = "portable.h";
    const size_t end = (size_t)(strrchr(line, ':') - line), length = strlen(name);

    return end >= length && strncmp(line + end - length, name, length) == 0 &&
           (end == length || line[end - length - 1] == '/');
}

int findings_is_in(const char *line, const char *directory)
{
    const char *const at = strstr(line, directory);

    return at && (at == line || at[-1] == '/');
}

static int in_runtime(const char *line)
{
    return in_portable_h(line) || findings_is_in(line, "host/emulate/") ||
           findings_is_in(line, "host/checks/") || findings_is_in(line, "host/cudart/");
}

const char *findings_outer_line(const void *const *return_addresses, int count)
{
    const char *best = "an unknown line";

    findings_lines(return_addresses, count);
    for (int k = 0; k < count; k++) {
        const char *const line = findings_line(return_addresses[k]);
        if (findings_is_known(line) && !in_runtime(line) && !findings_is_of_library(line))
            return line;
        if (k == 0 || !findings_is_known(best) ||
            (in_runtime(best) && findings_is_of_library(line)))
            best = line;
    }
    return best;
}

const char *findings_call(const char *file, const void *const *return_addresses, int count)
{
    if (!findings_is_of_library(file))
        return NULL;
    const char *const line = findings_outer_line(return_addresses, count);
    return findings_is_known(line) && !in_runtime(line) && !findings_is_of_library(line) ? line
                                                                                         : NULL;
}

int findings_ignores_value(const void *return_address)
{
    findings_lines(&return_address, 1);
    return lines[index_of((uintptr_t)return_address)].ignores_value;
}

int findings_ignores_padding(const void *return_address)
{
    findings_lines(&return_address, 1);
    return lines[index_of((uintptr_t)return_address)].ignores_padding;
}
