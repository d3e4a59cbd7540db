/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* getline */

#include "host/nvcc/compile.h"

#include "host/cudart/note.h"
#include "host/nvcc/cccl.h"
#include "host/nvcc/compilers.h"
#include "host/nvcc/options.h"
#include "host/nvcc/process.h"
#include "host/nvcc/refusals.h"
#include "host/nvcc/settings.h"
#include "host/nvcc/translate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h> /* isatty */

/* The source text of an expanded macro. */
#define QUOTE(text) QUOTE_(text)
#define QUOTE_(text) #text

/* ---- names ---- */

/* The file name without its folders and its suffix, but with this one. */
static char *name_with(const char *suffix, const char *source)
{
    const char *const slash = strrchr(source, '/');
    const char *const name = slash ? slash + 1 : source;
    const char *const dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return format_text("%.*s%s", (int)length, name, suffix);
}

/* That name in the directory that -odir names. */
static char *output_beside(const char *source, const char *suffix)
{
    char *const name = name_with(suffix, source), *const path = in_output_directory(name);
    free(name);
    return path;
}

/* The name of a file between the source and the object, which -keep keeps. */
static char *intermediate_file(const char *source, const char *suffix)
{
    if (!options.keep)
        return scratch_file(suffix);
    char *const name = name_with(suffix, source);
    char *const path =
        format_text("%s/%s", options.keep_directory ? options.keep_directory : ".", name);
    free(name);
    return path;
}

/* ---- flags ---- */

static int is_cuda(const char *source)
{
    return strcmp(language_of(source), "cu") == 0;
}

/* PORTABLE_APPROXIMATES_; the compiler's assembler must be the system's, which has macros. */
static int approximates(void)
{
    return options.stores ? options.rough_division | options.rough_root << 1 : 0;
}

/* Adds the check's flags for kernels. */
static void add_instrumentation(struct list *command, int parts)
{
    add_check_flags(command, options.stores ? "stores" : "instrument", parts);
    if (options.contract && options.stores)
        list_add(command, parts == MACROS ? "-DPORTABLE_CONTRACT_=1" : "-mfma");
    if (options.lockstep)
        add_check_flags(command, "step", parts);
}

static void add_system_directory(struct list *command, const char *directory)
{
    list_add(command, "-isystem");
    list_add(command, directory);
}

/* The level of optimisation; a check has its own. */
static const char *level(void)
{
    return options.level ? options.level : options.device_debug ? "-O0" : "-O2";
}

/* Whether the options allow clang to split kernels, if it has the plugin. */
static int options_allow_splitting(void)
{
    static const char *const others[] = {"-flto",      "-fsanitize=", "-fprofile",
                                         "-fcoverage", "--coverage",  "-emit-llvm",
                                         "-S",         "-pg",         NULL};
    if (has_check() || options.lockstep || strcmp(level(), "-O0") == 0)
        return 0;
    for (size_t k = 0; k < options.host.count; k++)
        for (const char *const *other = others; *other; other++)
            if (starts_with(options.host.item[k], *other))
                return 0;
    return 1;
}

/* Whether kernels are to become loops over threads, by a plugin for one version of clang, which the
 * headers ask for. */
static int may_split(void)
{
    return compiler.is_clang && setting("split")[0] && options_allow_splitting();
}

/* Adds the directories of CUDA's headers, and the macros of nvcc. */
static void add_preprocessor(struct list *command, int of_cuda)
{
    char *const headers = installed_path(setting("include"));
    list_add_all(command, &options.preprocessor);
    if (cccl_directory()) {
        char *const before = installed_path(setting("cccl"));
        if (of_cuda)
            add_system_directory(command, before);
        add_system_directory(command, cccl_directory());
        list_add_split(command, setting("cccl.macros"), " ");
        free(before);
    }
    add_system_directory(command, headers);
    free(headers);
    add_check_flags(command, "compile", MACROS);
    const int major = cuda_version() / 1000, minor = cuda_version() % 1000 / 10;
    char *const versions =
        format_text("-D__NVCC__=1 -D__CUDACC_VER_MAJOR__=%d -D__CUDACC_VER_MINOR__=%d "
                    "-D__CUDACC_VER_BUILD__=0 -D__CUDA_API_VER_MAJOR__=%d "
                    "-D__CUDA_API_VER_MINOR__=%d",
                    major, minor, major, minor);
    list_add_split(command, versions, " ");
    free(versions);
    if (options.cuda_version) {
        char *const version = format_text("-DPORTABLE_CUDA_VERSION=%d", options.cuda_version);
        list_add(command, version);
        free(version);
    }
    char *const architectures = format_text("-D__CUDA_ARCH_LIST__=%d0", options.capability);
    list_add(command, architectures);
    free(architectures);
    if (!of_cuda)
        return;
    add_instrumentation(command, MACROS);
    char *const architecture = format_text("-D__CUDA_ARCH__=%d0", options.capability);
    list_add(command, architecture);
    free(architecture);
    list_add(command, "-D__CUDACC__=1");
    list_add(command, "-DPORTABLE_WORKERS_=1");
    if (options.stores) {
        char *const how = format_text("-DPORTABLE_MATH_=%d,%d", options.flush, options.fast_math);
        list_add(command, how);
        free(how);
        char *const off = format_text("-DPORTABLE_APPROXIMATES_=%d", approximates());
        if (approximates())
            list_add(command, off);
        free(off);
    }
    if (!has_check() && !options.lockstep)
        list_add(command, "-DPORTABLE_PLAIN_=1");
    if (!options.lockstep && !options.stores &&
        (has_check() ? strcmp(options.check, "fpcheck") == 0 : strcmp(level(), "-O0") != 0))
        list_add(command, "-DPORTABLE_LOOPS_=1");
    if (may_split()) {
        char *const version = format_text("-DPORTABLE_SPLIT_=%s", setting("split"));
        list_add(command, version);
        free(version);
    }
    if (options.relocatable)
        list_add(command, "-D__CUDACC_RDC__=1");
    list_add(command, "-include");
    list_add(command, "cuda_runtime.h");
}

static void add_level(struct list *command)
{
    if (!has_check())
        list_add(command, level());
}

/* Whether the sources become a library, in one step. */
static int is_library(void)
{
    return options.shared && (options.stage == LINK || options.stage == IMAGE);
}

/* Adds the flags of the compilation proper. */
static void add_compilation(struct list *command, int of_cuda)
{
    add_level(command);
    if (of_cuda)
        list_add_split(command, setting("cuda.%s", family()), " ");
    list_add_all(command, &options.host);
    if (is_library())
        list_add(command, "-fPIC");
    if (options.stage == IMAGE && !compiler.is_clang)
        list_add(command, "-fno-gnu-unique"); /* each image has its own variables */
    add_check_flags(command, "compile", OTHERS);
    if (!options.keep_warnings)
        list_add_split(command, setting("quiet.%s", family()), " ");
}

/* Adds the compiler of a language, and the standard, if it has one. */
static void add_compiler(struct list *command, const char *language)
{
    const int is_c = strcmp(language, "c") == 0 || strcmp(language, "cpp-output") == 0;
    list_add(command, is_c ? c_compiler() : compiler.name);
    if (strcmp(language, "cu") == 0)
        list_add(command, options.standard);
    else if (!is_c && options.host_standard)
        list_add(command, options.host_standard);
}

/* Adds the options that have the compiler write make's rules for a target. */
static void add_dependencies(struct list *command, const char *source, const char *target)
{
    int has_target = 0;
    for (size_t k = 0; k < options.dependencies.count; k++) {
        const char *const option = options.dependencies.item[k];
        has_target |= starts_with(option, "-MT") || starts_with(option, "-MQ");
    }
    list_add_all(command, &options.dependencies);
    if (!has_target) {
        list_add(command, "-MT");
        list_add(command, target);
    }
    if (options.stage == DEPENDENCIES)
        return;
    list_add(command, "-MF");
    if (options.dependencies_file) {
        list_add(command, options.dependencies_file);
        return;
    }
    char *file;
    if (options.output && (options.stage == COMPILE || options.stage == IMAGE)) {
        const char *const dot = strrchr(options.output, '.');
        const size_t length = dot ? (size_t)(dot - options.output) : strlen(options.output);
        file = format_text("%.*s.d", (int)length, options.output);
    } else {
        file = output_beside(source, ".d");
    }
    list_add(command, file);
    free(file);
}

/* ---- preprocessing ---- */

/* The preprocessor of a source, and its options. */
static struct list preprocessor_of(const char *source)
{
    struct list command = {NULL, 0};
    add_compiler(&command, language_of(source));
    list_add_split(&command, "-E -x", " ");
    list_add(&command, is_cuda(source) ? "c++" : language_of(source));
    list_add_all(&command, &options.host);
    add_preprocessor(&command, is_cuda(source));
    return command;
}

static void refuse_headers(FILE *preprocessed)
{
    struct list flags = {NULL, 0};
    add_preprocessor(&flags, 1);
    list_add_all(&flags, &options.host);
    refuse_system_headers(preprocessed, &flags);
}

/* Runs a command that preprocesses `source`; ends the program if it fails, with its exit status. If
 * a header that is refused is why, its sentence follows the compiler's messages. They are read in a
 * second run, as the user's may be in another language and in colours. */
static void run_on_source(const char *source, const struct list *command)
{
    static const char before[] = "fatal error: ";
    const int status = command_status(command, NULL, NULL);
    if (status == 0)
        return;
    char *const output = scratch_file(".ii"), *const errors = scratch_file(".errors");
    char *line = NULL;
    size_t capacity = 0;
    struct list again = preprocessor_of(source);
    list_add(&again, "-fdiagnostics-color=never");
    list_add(&again, source);
    command_status(&again, output, errors);
    FILE *const preprocessed = fopen(output, "r"), *const messages = fopen(errors, "r");
    if (!preprocessed || !messages)
        fail("cannot open %s: %s", preprocessed ? errors : output, strerror(errno));
    while (getline(&line, &capacity, messages) > 0) {
        /* gcc: FILE:LINE:COLUMN: fatal error: NAME: No such..., clang: 'NAME' file not found. */
        char *const message = strstr(line, before);
        if (!message)
            continue;
        char *name = message + strlen(before);
        name += *name == '\'';
        name[strcspn(name, ":'")] = '\0';
        if (refusal_of(name))
            fprintf(stderr, "%.*serror: %s: %s\n", (int)(message - line), line, name,
                    refusal_of(name));
    }
    refuse_headers(preprocessed);
    exit(status);
}

/* Writes make's rules as nvcc does, with one file a line, which CMake's FindCUDA reads. */
static void write_rules(FILE *in, FILE *out)
{
    enum { TARGET, AFTER_COLON, PREREQUISITES } part = TARGET;
    int previous = '\n', has_blank = 0;
    for (int c; (c = getc(in)) != EOF; previous = c) {
        const int next = getc(in);
        ungetc(next, in);
        if (c == '\\' && next == '\n') {
            c = getc(in);
            has_blank = 1;
        } else if (c == ' ' && previous != '\\') {
            has_blank = 1;
        } else if (c == '\n') {
            putc(c, out);
            has_blank = 0;
            part = TARGET;
        } else if (part == TARGET && c == ':' && next == ' ') {
            fputs(" :", out);
            part = AFTER_COLON;
        } else {
            if (has_blank)
                fputs(part == PREREQUISITES ? " \\\n    " : " ", out);
            if (part == AFTER_COLON)
                part = PREREQUISITES;
            has_blank = 0;
            putc(c, out);
        }
    }
}

/* Copies the compiler's rules to the file, or to stdout. */
static void copy_rules(const char *rules, const char *output)
{
    FILE *const in = fopen(rules, "r"), *const out = output ? fopen(output, "w") : stdout;
    if (!in || !out)
        fail("cannot open %s: %s", in ? output : rules, strerror(errno));
    write_rules(in, out);
    fclose(in);
    int failed = fflush(out) != 0;
    if (output)
        failed |= fclose(out) != 0;
    if (failed)
        fail("cannot write %s: %s", output ? output : "the output", strerror(errno));
}

static void write_dependencies(const char *source)
{
    struct list command = preprocessor_of(source);
    char *const target = output_beside(source, ".o"), *const rules = scratch_file(".d");
    add_dependencies(&command, source, target);
    list_add(&command, "-o");
    list_add(&command, rules);
    list_add(&command, source);
    run_on_source(source, &command);
    if (!options.dry_run)
        copy_rules(rules, options.dependencies_file ? options.dependencies_file : options.output);
    free(rules);
    free(target);
}

void preprocess(const char *source)
{
    if (options.stage == DEPENDENCIES) {
        write_dependencies(source);
        return;
    }
    struct list command = preprocessor_of(source);
    if (options.output) {
        list_add(&command, "-o");
        list_add(&command, options.output);
    }
    list_add(&command, source);
    run_on_source(source, &command);
}

/* ---- compiling ---- */

/* What a source uses, as is seen after preprocessing. */
struct uses {
    int cccl;
    int split; /* kernels that may be split */
};

static struct uses translate_file(const char *from, const char *to)
{
    struct uses uses = {0, 0};
    const int is_image = options.stage == IMAGE;
    const struct translate_options how = {compiler.is_clang,
                                          options.relocatable || is_image,
                                          options.lockstep,
                                          is_image && !options.relocatable,
                                          options.contract && options.stores && compiler.is_clang,
                                          !has_check() && !options.lockstep};
    struct stat status;
    if (options.verbose)
        fprintf(stderr, "#$ translate -arch compute_%d %s %s\n", options.capability, from, to);
    if (options.dry_run)
        return uses;
    FILE *const in = fopen(from, "r"), *const out = fopen(to, "w");
    if (!in || !out || fstat(fileno(in), &status) != 0)
        fail("cannot open %s: %s", in ? to : from, strerror(errno));
    refuse_headers(in);
    char *const source = (char *)check_memory(malloc((size_t)status.st_size + 1));
    const size_t size = fread(source, 1, (size_t)status.st_size, in);
    source[size] = '\0';
    if (ferror(in))
        fail("cannot read %s: %s", from, strerror(errno));
    fclose(in);
    const int errors = translate(source, size, &how, out);
    uses.cccl = strstr(source, "/nv/target\"") || strstr(source, "/cub/version.cuh\"") ||
                strstr(source, "/thrust/version.h\"");
    uses.split = strstr(source, "portable_emulate_splits_") && strstr(source, "__global__");
    free(source);
    /* Wherever it is linked, the object must find the check's runtime. An instrumented object calls
     * functions that no other runtime has (host/cudart/refuse.c). */
    if (has_check())
        fprintf(out, "\n" QUOTE(PORTABLE_NOTE("%s")) ";\n", options.check);
    if (has_check() && !setting("instrument.%s.%s", options.check, family())[0])
        fprintf(out,
                "\nextern \"C\" void portable_module_(const char *, const void *);\n"
                "__attribute__((constructor(101))) static void portable_needs_check_()\n"
                "{ portable_module_(\"%s\", (const void *)&portable_needs_check_); }\n",
                options.check);
    if (fclose(out) != 0)
        fail("cannot write %s: %s", to, strerror(errno));
    if (errors > 0)
        exit(EXIT_FAILURE);
    return uses;
}

/* Whether each kernel gets a line that says whether it was split. */
static int reports(void)
{
    const char *const report = getenv("PORTABLE_REPORT");
    return report && strcmp(report, "1") == 0;
}

/* Adds the options for kernels that are split in the second step: the first inlines and simplifies,
 * but vectorises nothing. All functions count as convergent: one that contains a barrier is not to
 * be copied either. */
static void add_simplification(struct list *command)
{
    list_add_split(command, "-flto=thin -Xclang -fconvergent-functions", " ");
    if (reports())
        list_add(command, "-gline-tables-only");
}

/* clang instruments kernels before it optimises them, and splits them after: in two steps. */
static void compile_in_two_steps(const struct list *command, const char *object, int split)
{
    struct list first = {NULL, 0}, second = {NULL, 0};
    char *const bitcode = scratch_file(".bc");
    list_add_all(&first, command);
    if (split)
        add_simplification(&first);
    else
        add_instrumentation(&first, OTHERS);
    list_add_split(&first, "-emit-llvm -c -o", " ");
    list_add(&first, bitcode);
    run_command(&first);
    list_add(&second, compiler.name);
    add_level(&second);
    add_check_flags(&second, "compile", OTHERS);
    if (is_library())
        list_add(&second, "-fPIC");
    /* Splitting may take a loop apart that `#pragma unroll` is about: no reason to warn. */
    list_add_split(&second, "-fno-sanitize=all -Qunused-arguments -Wno-pass-failed -x ir -c", " ");
    list_add(&second, bitcode);
    list_add(&second, "-o");
    list_add(&second, object);
    for (size_t k = 0; k < options.host.count; k++)
        if (starts_with(options.host.item[k], "-f") || starts_with(options.host.item[k], "-m"))
            list_add(&second, options.host.item[k]);
    list_add(&second, "-fno-lto"); /* as the first step of the checks */
    if (approximates())
        list_add(&second, "-fno-integrated-as");
    if (split) {
        char *const name = format_text("split-%s.so", setting("split"));
        char *const plugin = installed_path(name);
        char *const option = format_text("-fpass-plugin=%s", plugin);
        list_add(&second, option);
        free(option);
        free(plugin);
        free(name);
    }
    run_command(&second);
    free(bitcode);
}

/* The exit status of clang's attempt if it finds nothing to split. */
enum { NO_KERNELS = 3 };

/* What is compiled, to which object, and the object's name in make's rules. */
struct job {
    const char *source, *object, *target;
    int is_for_terminal; /* the messages, which may have colours */
};

/* A .cu file goes through the preprocessor, through translate.c, and through the compiler. */
static void compile_cuda(const struct job *job)
{
    const char *const source = job->source;
    struct list first = preprocessor_of(source), second = {NULL, 0};
    char *const preprocessed = intermediate_file(source, ".cpp1.ii");
    char *const translated = intermediate_file(source, ".cu.cpp.ii");
    if (options.write_dependencies)
        add_dependencies(&first, source, job->target);
    list_add(&first, source);
    list_add(&first, "-o");
    list_add(&first, preprocessed);
    run_on_source(source, &first);
    const struct uses uses = translate_file(preprocessed, translated);
    if (splitter.name && compiler.is_clang && !uses.split && !options.dry_run)
        exit(NO_KERNELS); /* of the child */
    if (uses.cccl && cccl_major() == 1) {
        list_add_split(&first, "-include portable_cccl_1.h", " ");
        run_on_source(source, &first);
        translate_file(preprocessed, translated);
    }

    const int is_instrumented =
        options.lockstep || setting("instrument.%s.%s", options.check, family())[0];
    add_compiler(&second, "cu");
    add_compilation(&second, 1);
    if (compiler.is_clang) /* those of the preprocessor, which has had them */
        list_add(&second, "-Qunused-arguments");
    if (uses.cccl)
        list_add_split(&second, setting("cccl.%s", family()), " ");
    list_add_split(&second, "-x c++-cpp-output", " ");
    list_add(&second, translated);
    if (compiler.is_clang && (is_instrumented || uses.split)) {
        compile_in_two_steps(&second, job->object, uses.split);
    } else {
        add_instrumentation(&second, OTHERS);
        list_add_split(&second, "-c -o", " ");
        list_add(&second, job->object);
        run_command(&second);
    }
    free(preprocessed);
    free(translated);
}

static void show_file(const char *name)
{
    FILE *const file = fopen(name, "r");
    for (int c; file && (c = getc(file)) != EOF;)
        putc(c, stderr);
    if (file)
        fclose(file);
}

/* As the user may have written options and sources for g++, options that clang does not know are no
 * reason to warn, and what g++ only warns about is no error. Parentheses may come from a macro. */
static void compile_by_splitter(const void *argument)
{
    const struct job *const job = (const struct job *)argument;
    const struct list users = options.host;
    options.host = (struct list){NULL, 0};
    if (job->is_for_terminal)
        list_add(&options.host, "-fdiagnostics-color=always"); /* the user's own follow */
    list_add_all(&options.host, &users);
    list_add_split(&options.host,
                   "-Wno-unknown-warning-option -Wno-ignored-optimization-argument "
                   "-Qunused-arguments -Wno-error=register -Wno-error=c++11-narrowing "
                   "-Wno-error=reserved-user-defined-literal -Wno-parentheses-equality",
                   " ");
    compiler = splitter;
    compile_cuda(job);
}

/* Whether clang is to try the file. g++ links another runtime for OpenMP; without optimisation a
 * debugger shows the kernels' threads; a pipe can be read once. */
static int is_for_splitter(const char *source)
{
    struct stat status;
    int is_debug = 0, is_optimised = options.level != NULL;
    if (!options_allow_splitting() || stat(source, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    for (size_t k = 0; k < options.host.count; k++) {
        if (starts_with(options.host.item[k], "-fopenmp"))
            return 0;
        is_debug |= starts_with(options.host.item[k], "-g");
        is_optimised |= starts_with(options.host.item[k], "-O");
    }
    return !is_debug || is_optimised;
}

/* Compiles the file by clang, which splits kernels, if the user left the choice open. Returns
 * whether it did: what clang does not accept is g++'s to compile, or to refuse. */
static int was_compiled_by_splitter(const struct job *job)
{
    if (!splitter.name)
        return 0;
    if (!is_for_splitter(job->source)) {
        if (reports())
            fprintf(stderr,
                    "portable-nvcc: %s: left to g++ with these options, so its kernels are not "
                    "split\n",
                    job->source);
        return 0;
    }
    char *const errors = scratch_file(".errors");
    const int failed = status_of_child(compile_by_splitter, job, errors);
    const int is_refused = failed && failed != NO_KERNELS;
    if (is_refused && reports())
        fprintf(stderr, "portable-nvcc: %s: not by %s, so its kernels are not split:\n",
                job->source, splitter.name);
    if (!failed || options.verbose || (is_refused && reports()))
        show_file(errors);
    free(errors);
    return !failed;
}

/* Any other goes through the compiler alone. */
static void compile_host(const struct job *job)
{
    const char *const language = language_of(job->source);
    struct list command = {NULL, 0};
    add_compiler(&command, language);
    add_compilation(&command, 0);
    add_check_flags(&command, "host", OTHERS);
    add_preprocessor(&command, 0);
    if (options.write_dependencies)
        add_dependencies(&command, job->source, job->target);
    list_add(&command, "-x");
    list_add(&command, language);
    list_add(&command, job->source);
    list_add_split(&command, "-c -o", " ");
    list_add(&command, job->object);
    run_on_source(job->source, &command);
}

char *output_of(const char *source)
{
    return options.output ? copy_text(options.output)
                          : output_beside(source, options.image ? options.image : ".o");
}

char *compile(const char *source)
{
    const int is_output = options.stage == COMPILE;
    char *const target =
        is_output || options.stage == IMAGE ? output_of(source) : output_beside(source, ".o");
    char *const object = is_output ? copy_text(target) : intermediate_file(source, ".o");
    const char *const terminal = getenv("TERM");
    const struct job job = {source, object, target,
                            isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0};
    if (!is_cuda(source))
        compile_host(&job);
    else if (!was_compiled_by_splitter(&job))
        compile_cuda(&job);
    free(target);
    return object;
}
