/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * portable-nvcc: compiles CUDA C++ for the CPU, with the command line of nvcc.
 *
 * A .cu file goes through the preprocessor of g++ or clang++, through translate.c, and through the
 * compiler; a .c or .cpp file through the compiler alone. What the compilers are called, their
 * flags for each check, and where the headers and the runtime are, is in portable-nvcc.conf, which
 * make writes.
 */
#define _GNU_SOURCE /* readlink, mkdtemp, strndup */

#include "host/cuda/translate.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h> /* PATH_MAX */
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h> /* waitpid */
#include <unistd.h>

extern char **environ;

static const char program[] = "portable-nvcc";

/* ---- text ---- */

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
}

static void *checked(void *memory)
{
    if (!memory)
        fail("out of memory");
    return memory;
}

static char *copied(const char *string)
{
    return (char *)checked(strdup(string));
}

__attribute__((format(printf, 1, 2))) static char *text(const char *format, ...)
{
    char *result = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&result, format, arguments) < 0)
        fail("out of memory");
    va_end(arguments);
    return result;
}

/* A list of strings, which ends with NULL; lists live as long as the program. */
struct list {
    char **item;
    size_t count;
};

static void add(struct list *list, const char *item)
{
    list->item = (char **)checked(realloc(list->item, (list->count + 2) * sizeof *list->item));
    list->item[list->count++] = copied(item);
    list->item[list->count] = NULL;
}

static void add_all(struct list *list, const struct list *more)
{
    for (size_t k = 0; k < more->count; k++)
        add(list, more->item[k]);
}

/* Adds the parts of a text between separators. A backslash keeps the next character. */
static void add_split(struct list *list, const char *words, const char *separators)
{
    char *const word = (char *)checked(malloc(strlen(words) + 1));
    for (const char *c = words; *c;) {
        size_t length = 0;
        c += strspn(c, separators);
        while (*c && !strchr(separators, *c)) {
            c += *c == '\\' && c[1];
            word[length++] = *c++;
        }
        word[length] = '\0';
        if (length > 0)
            add(list, word);
    }
    free(word);
}

static int begins(const char *string, const char *prefix)
{
    return strncmp(string, prefix, strlen(prefix)) == 0;
}

static int is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return 1;
    return 0;
}

/* ---- the configuration ---- */

static struct {
    char *self; /* this program */
    char *home; /* the directory of portable-nvcc.conf, to which its paths are relative */
    char **names, **values;
    size_t count;
} conf;

static void read_configuration(void)
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    char *line = NULL;
    size_t capacity = 0;
    if (length < 0)
        fail("cannot read /proc/self/exe: %s", strerror(errno));
    path[length] = '\0';
    conf.self = copied(path);
    for (int up = 0; up < 2; up++)
        *strrchr(path, '/') = '\0';
    conf.home = text("%s/lib/portable", path);
    char *const name = text("%s/portable-nvcc.conf", conf.home);
    FILE *const file = fopen(name, "r");
    if (!file)
        fail("cannot read %s: %s", name, strerror(errno));
    while (getline(&line, &capacity, file) > 0) {
        char *const equals = strchr(line, '=');
        if (line[0] == '#' || !equals)
            continue;
        for (char *end = equals + strlen(equals); end[-1] == '\n' || end[-1] == ' ';)
            *--end = '\0';
        *equals = '\0';
        conf.names = (char **)checked(realloc(conf.names, (conf.count + 1) * sizeof(char *)));
        conf.values = (char **)checked(realloc(conf.values, (conf.count + 1) * sizeof(char *)));
        conf.names[conf.count] = copied(line);
        conf.values[conf.count++] = copied(equals + 1);
    }
    free(line);
    fclose(file);
}

/* The value of a name, or NULL. */
static const char *setting_or_null(const char *name)
{
    for (size_t k = 0; k < conf.count; k++)
        if (strcmp(conf.names[k], name) == 0)
            return conf.values[k];
    return NULL;
}

__attribute__((format(printf, 1, 2))) static const char *setting(const char *format, ...)
{
    char name[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    const char *const value = setting_or_null(name);
    if (!value)
        fail("%s/portable-nvcc.conf has no %s", conf.home, name);
    return value;
}

/* A path of the configuration. */
static char *place(const char *path)
{
    return path[0] == '/' ? copied(path) : text("%s/%s", conf.home, path);
}

/* ---- the command line ---- */

enum stage { LINK, COMPILE, PREPROCESS, DEPENDENCIES, ARCHIVE, DEVICE_LINK };

static struct {
    enum stage stage;
    const char *output, *language, *check, *compiler, *dependencies_file;
    int shared, preload; /* link a library; print the value of LD_PRELOAD */
    int clang, verbose, dry_run, relocatable, run, capability, write_dependencies, keep_warnings;
    char level[8]; /* -O2, or "" */
    struct list inputs;
    struct list preprocessor; /* -I -D -U -include */
    struct list dependencies; /* -MF -MT and so on */
    struct list host;         /* for compiling and linking */
    struct list linker;       /* in their order, with the inputs that are objects */
    struct list run_arguments;
    char *standard;
} given;

/* Options that only mean something to a GPU, its assembler or nvcc itself. */
static const char *const ignored[] = {"-G",
                                      "--device-debug",
                                      "-lineinfo",
                                      "--generate-line-info",
                                      "-use_fast_math",
                                      "--use_fast_math",
                                      "-restrict",
                                      "--restrict",
                                      "-extended-lambda",
                                      "--extended-lambda",
                                      "-expt-extended-lambda",
                                      "--expt-extended-lambda",
                                      "-expt-relaxed-constexpr",
                                      "--expt-relaxed-constexpr",
                                      "-m64",
                                      "--m64",
                                      "-res-usage",
                                      "--resource-usage",
                                      "-src-in-ptx",
                                      "--source-in-ptx",
                                      "-dlto",
                                      "--dlink-time-opt",
                                      "-keep",
                                      "--keep",
                                      "-clean",
                                      "--clean-targets",
                                      "-Wno-deprecated-gpu-targets",
                                      "-Wreorder",
                                      "-Wdefault-stream-launch",
                                      "-Wmissing-launch-bounds",
                                      "-Wext-lambda-captures-this",
                                      "-ewp",
                                      "-forward-unknown-to-host-compiler",
                                      "--forward-unknown-to-host-compiler",
                                      "-forward-unknown-to-host-linker",
                                      "--forward-unknown-to-host-linker",
                                      "-nodlink",
                                      "-noprof",
                                      "--no-compress",
                                      "-no-compress",
                                      "-cudadevrt",
                                      "-allow-unsupported-compiler",
                                      "--allow-unsupported-compiler",
                                      "-err-no",
                                      "--display-error-number",
                                      "-no-err-no",
                                      "--no-display-error-number",
                                      "-brief-diag",
                                      NULL};
static const char *const ignored_with_value[] = {"-code",
                                                 "--gpu-code",
                                                 "-maxrregcount",
                                                 "--maxrregcount",
                                                 "-Xptxas",
                                                 "--ptxas-options",
                                                 "-Xcudafe",
                                                 "-Xnvlink",
                                                 "--nvlink-options",
                                                 "-Xfatbin",
                                                 "--fatbin-options",
                                                 "-Xarchive",
                                                 "--archive-options",
                                                 "-ftz",
                                                 "--ftz",
                                                 "-prec-div",
                                                 "--prec-div",
                                                 "-prec-sqrt",
                                                 "--prec-sqrt",
                                                 "-fmad",
                                                 "--fmad",
                                                 "-default-stream",
                                                 "--default-stream",
                                                 "-t",
                                                 "--threads",
                                                 "-keep-dir",
                                                 "--keep-dir",
                                                 "-diag-suppress",
                                                 "--diag-suppress",
                                                 "-diag-warn",
                                                 "--diag-warn",
                                                 "-diag-error",
                                                 "--diag-error",
                                                 "-diag_suppress",
                                                 "-cudart",
                                                 "--cudart",
                                                 "-cudadevrt",
                                                 "--cudadevrt",
                                                 "-Werror",
                                                 "--Werror",
                                                 "-split-compile",
                                                 "--split-compile",
                                                 "-jump-table-density",
                                                 "-opt-info",
                                                 "-static-global-template-stub",
                                                 "-brief-diagnostics",
                                                 "-ldir",
                                                 "--library-directory",
                                                 "-idp",
                                                 "-ddp",
                                                 "-Ofast-compile",
                                                 NULL};
static const char *const refused[] = {"-ptx",     "--ptx",     "-cubin",     "--cubin", "-fatbin",
                                      "--fatbin", "-optix-ir", "--optix-ir", "-ltoir",  "--ltoir",
                                      "-cuda",    "--cuda",    NULL};
/* Libraries that the runtime takes the place of, and those that it does not. */
static const char *const own_libraries[] = {
    "cudart",        "cudart_static", "cudadevrt",       "cuda",         "nvToolsExt", "cublas",
    "cublas_static", "cublasLt",      "cublasLt_static", "nvtx3interop", "culibos",    NULL};
static const char *const foreign_libraries[] = {"cublas",
                                                "cublas_static",
                                                "cublasLt",
                                                "cufft",
                                                "cufft_static",
                                                "cufftw",
                                                "curand",
                                                "curand_static",
                                                "cusparse",
                                                "cusparse_static",
                                                "cusolver",
                                                "cusolver_static",
                                                "cudnn",
                                                "nvrtc",
                                                "nvjpeg",
                                                "npp",
                                                "nppc",
                                                "nppi",
                                                "nppial",
                                                "nppicc",
                                                "nppidei",
                                                "nppif",
                                                "nppig",
                                                "nppim",
                                                "nppist",
                                                "nppisu",
                                                "nppitc",
                                                "npps",
                                                "nccl",
                                                "cufile",
                                                "cupti",
                                                "nvml",
                                                "nvidia-ml",
                                                "nvJitLink",
                                                NULL};

/* The value of an option that is at *k, as -option=value, -option value or, if `joined`,
 * -optionvalue; NULL if the argument is another option. */
static const char *value_of(char **arguments, int *k, const char *option, int joined)
{
    const char *const argument = arguments[*k];
    const size_t length = strlen(option);
    if (strncmp(argument, option, length) != 0)
        return NULL;
    if (argument[length] == '=')
        return argument + length + 1;
    if (argument[length] == '\0') {
        if (!arguments[*k + 1])
            fail("%s needs a value", option);
        return arguments[++*k];
    }
    return joined ? argument + length : NULL;
}

static const char *value_of_any(char **arguments, int *k, const char *const *options)
{
    for (; *options; options++) {
        const char *const value = value_of(arguments, k, *options, 0);
        if (value)
            return value;
    }
    return NULL;
}

static int has_suffix(const char *name, const char *suffix)
{
    const size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

/* sm_75, compute_90, 80: the number; 0 for native, all and the like. */
static int capability_of(const char *name)
{
    const char *const digits = name + strcspn(name, "0123456789");
    const int number = atoi(digits);
    return number >= 50 && number <= 130 ? number : 0;
}

static void take_library(const char *name)
{
    if (is_one_of(name, own_libraries))
        return;
    if (is_one_of(name, foreign_libraries))
        fail("-l%s: this library of CUDA's has no counterpart on the CPU", name);
    char *const option = text("-l%s", name);
    add(&given.linker, option);
    free(option);
}

static void take_host_options(const char *options)
{
    struct list words = {NULL, 0};
    add_split(&words, options, ",");
    for (size_t k = 0; k < words.count; k++)
        given.keep_warnings |= begins(words.item[k], "-W");
    add_all(&given.host, &words);
}

static void usage(void)
{
    puts("portable-nvcc [options] files: compiles CUDA C++ for the CPU, with nvcc's command line\n"
         "\n"
         "  --check=memcheck|racecheck|initcheck|synccheck\n"
         "                     build a program that checks itself; also PORTABLE_CHECK=...\n"
         "  -c, -dc            compile to an object file\n"
         "  -o FILE            name the output\n"
         "  -I -D -U -include -isystem -std -O -g -L -l -shared -lib -dlink -run\n"
         "  -E -M -MM -MD -MMD -MF -MT -MP   preprocess; dependencies\n"
         "  -x cu|c|c++        the language of the files\n"
         "  -Xcompiler, -Xlinker   options for the compiler, the linker\n"
         "  -ccbin COMPILER    g++ or clang++\n"
         "  -arch=sm_NN        the value of __CUDA_ARCH__: NN0; 750 without it\n"
         "  -v, --dryrun       print the commands\n"
         "  --preload          print the value of LD_PRELOAD with which a program of another "
         "linker,\n"
         "                     such as Python, loads libraries that were built with the check\n"
         "  -rdc=true          names of __device__ variables and functions span files\n"
         "\n"
         "Options that only mean something to a GPU are accepted and do nothing. -ptx, -cubin and\n"
         "-fatbin are refused: there is no GPU code.");
}

/* What CMake reads from nvcc -v: where the toolkit is, and what every link line has. */
static void show_places(void)
{
    given.verbose = 1;
    fprintf(stderr,
            "#$ TOP=%s/cuda\n#$ NVVMIR_LIBRARY_DIR=%s/cuda/nvvm/libdevice\n#$ PATH=%s\n"
            "#$ INCLUDES=-I%s/cuda/include\n#$ LIBRARIES=-L%s/cuda/lib64\n",
            conf.home, conf.home, getenv("PATH") ? getenv("PATH") : "", conf.home, conf.home);
}

/* The number in -arch and -gencode: the highest counts. */
static void take_architecture(const char *name)
{
    struct list parts = {NULL, 0};
    add_split(&parts, name, ",=[]\"");
    for (size_t k = 0; k < parts.count; k++)
        if (capability_of(parts.item[k]) > given.capability)
            given.capability = capability_of(parts.item[k]);
}

static void take_standard(const char *name)
{
    const char *const digits = name + strcspn(name, "0123456789");
    /* The headers are C++17. */
    const int year = atoi(digits);
    given.standard = text("-std=gnu++%s", year >= 20 && year < 90 ? digits : "17");
}

static void take_options(char **arguments);

static void take_options_file(const char *name)
{
    FILE *const file = fopen(name, "r");
    struct list words = {NULL, 0};
    char *line = NULL;
    size_t capacity = 0;
    if (!file)
        fail("cannot read %s: %s", name, strerror(errno));
    while (getline(&line, &capacity, file) > 0)
        add_split(&words, line, " \t\r\n\"");
    free(line);
    fclose(file);
    if (words.count > 0)
        take_options(words.item);
}

static void take_option(char **arguments, int *k)
{
    static const char *const architecture[] = {"-arch", "--gpu-architecture", "-gencode",
                                               "--generate-code", NULL};
    static const char *const output[] = {"-o", "--output-file", NULL};
    static const char *const compiler_options[] = {"-Xcompiler", "--compiler-options", NULL};
    static const char *const linker_options[] = {"-Xlinker", "--linker-options", NULL};
    static const char *const host_compiler[] = {"-ccbin", "--compiler-bindir", NULL};
    static const char *const language[] = {"-x", "--x", NULL};
    static const char *const standard[] = {"-std", "--std", NULL};
    static const char *const rdc[] = {"-rdc", "--relocatable-device-code", NULL};
    static const char *const options_file[] = {"-optf", "--options-file", NULL};
    static const char *const preprocessor[] = {"-include", "--pre-include", "-isystem",
                                               "--system-include", NULL};
    static const char *const dependencies[] = {
        "-MF", "-MT", "-MQ", "--dependency-output", "--dependency-target-name", NULL};
    /* nvcc takes these through -Xcompiler alone; CMake links with them. */
    static const char *const for_host[] = {"-fopenmp", "-fPIC",    "-fPIE", "-pie",
                                           "-no-pie",  "-pthread", NULL};
    static const char *const long_names[][2] = {
        {"--include-path", "-I"}, {"--define-macro", "-D"}, {"--undefine-macro", "-U"},
        {"--library-path", "-L"}, {"--library", "-l"},      {"--optimize", "-O"}};
    const char *const argument = arguments[*k];
    const char *value;

    for (size_t n = 0; n < sizeof long_names / sizeof long_names[0]; n++)
        if ((value = value_of(arguments, k, long_names[n][0], 0)) != NULL) {
            char *const shorter[] = {text("%s%s", long_names[n][1], value), NULL};
            int first = 0;
            take_option((char **)shorter, &first);
            return;
        }
    if ((value = value_of_any(arguments, k, output)) != NULL) {
        given.output = value;
    } else if (is_one_of(argument, refused)) {
        fail("%s: there is no GPU code to write; the output is for the CPU", argument);
    } else if (strcmp(argument, "-h") == 0 || strcmp(argument, "--help") == 0) {
        usage();
        exit(EXIT_SUCCESS);
    } else if (strcmp(argument, "-V") == 0 || strcmp(argument, "--version") == 0) {
        /* CMake looks for nvcc's first line. */
        printf("portable-nvcc %s: CUDA C++ for the CPU, in the place of\n"
               "nvcc: NVIDIA (R) Cuda compiler driver\n"
               "Cuda compilation tools, release 13.0, V13.0.0\n",
               setting("version"));
        exit(EXIT_SUCCESS);
    } else if (is_one_of(argument, ignored)) {
        return;
    } else if (strcmp(argument, "-c") == 0 || strcmp(argument, "--compile") == 0) {
        given.stage = COMPILE;
    } else if (strcmp(argument, "-dc") == 0 || strcmp(argument, "--device-c") == 0) {
        given.stage = COMPILE;
        given.relocatable = 1;
    } else if (strcmp(argument, "-dw") == 0 || strcmp(argument, "--device-w") == 0) {
        given.stage = COMPILE;
    } else if (strcmp(argument, "-dlink") == 0 || strcmp(argument, "--device-link") == 0) {
        given.stage = DEVICE_LINK;
    } else if (strcmp(argument, "-link") == 0 || strcmp(argument, "--link") == 0) {
        given.stage = LINK;
    } else if (strcmp(argument, "-lib") == 0 || strcmp(argument, "--lib") == 0) {
        given.stage = ARCHIVE;
    } else if (strcmp(argument, "-E") == 0 || strcmp(argument, "--preprocess") == 0) {
        given.stage = PREPROCESS;
    } else if (strcmp(argument, "-M") == 0 || strcmp(argument, "-MM") == 0 ||
               strcmp(argument, "--generate-dependencies") == 0 ||
               strcmp(argument, "--generate-nonsystem-dependencies") == 0) {
        given.stage = DEPENDENCIES;
        add(&given.dependencies,
            strstr(argument, "nonsystem") || strcmp(argument, "-MM") == 0 ? "-MM" : "-M");
    } else if (strcmp(argument, "-MD") == 0 || strcmp(argument, "-MMD") == 0 ||
               strcmp(argument, "--generate-dependencies-with-compile") == 0 ||
               strcmp(argument, "--generate-nonsystem-dependencies-with-compile") == 0) {
        given.write_dependencies = 1;
        add(&given.dependencies,
            strstr(argument, "nonsystem") || strcmp(argument, "-MMD") == 0 ? "-MMD" : "-MD");
    } else if (strcmp(argument, "-MP") == 0 ||
               strcmp(argument, "--generate-dependency-targets") == 0) {
        add(&given.dependencies, "-MP");
    } else if ((value = value_of_any(arguments, k, dependencies)) != NULL) {
        if (begins(argument, "-MF") || begins(argument, "--dependency-output"))
            given.dependencies_file = value;
        else {
            add(&given.dependencies, begins(argument, "-MQ") ? "-MQ" : "-MT");
            add(&given.dependencies, value);
        }
    } else if (strcmp(argument, "-run") == 0 || strcmp(argument, "--run") == 0) {
        given.run = 1;
    } else if ((value = value_of(arguments, k, "-run-args", 0)) != NULL ||
               (value = value_of(arguments, k, "--run-args", 0)) != NULL) {
        add_split(&given.run_arguments, value, ",");
    } else if (strcmp(argument, "-v") == 0 || strcmp(argument, "--verbose") == 0) {
        show_places();
    } else if (strcmp(argument, "-dryrun") == 0 || strcmp(argument, "--dryrun") == 0) {
        show_places();
        given.dry_run = 1;
    } else if (strcmp(argument, "-w") == 0 || strcmp(argument, "--disable-warnings") == 0) {
        add(&given.host, "-w");
    } else if (strcmp(argument, "-shared") == 0 || strcmp(argument, "--shared") == 0) {
        add(&given.linker, "-shared");
        given.shared = 1;
    } else if (strcmp(argument, "-g") == 0 || strcmp(argument, "--debug") == 0 ||
               strcmp(argument, "-pg") == 0 || strcmp(argument, "--profile") == 0) {
        add(&given.host, begins(argument, "-pg") || begins(argument, "--profile") ? "-pg" : "-g");
    } else if (begins(argument, "-O")) {
        snprintf(given.level, sizeof given.level, "-O%.4s",
                 argument[2]       ? argument + 2
                 : arguments[++*k] ? arguments[*k]
                                   : "3");
    } else if (begins(argument, "-W") && !begins(argument, "-Werror") &&
               !begins(argument, "-Wl,") && !is_one_of(argument, ignored)) {
        fail("%s: give it to the host's compiler: -Xcompiler %s", argument, argument);
    } else if (strcmp(argument, "--preload") == 0) {
        given.preload = 1;
    } else if ((value = value_of(arguments, k, "--check", 0)) != NULL) {
        given.check = value;
    } else if ((value = value_of_any(arguments, k, architecture)) != NULL) {
        take_architecture(value);
    } else if ((value = value_of_any(arguments, k, compiler_options)) != NULL) {
        take_host_options(value);
    } else if ((value = value_of_any(arguments, k, linker_options)) != NULL) {
        char *const option = text("-Wl,%s", value);
        add(&given.linker, option);
        free(option);
    } else if ((value = value_of_any(arguments, k, host_compiler)) != NULL) {
        given.compiler = value;
    } else if ((value = value_of_any(arguments, k, language)) != NULL) {
        if (strcmp(value, "cu") != 0 && strcmp(value, "c") != 0 && strcmp(value, "c++") != 0)
            fail("-x takes cu, c or c++, not %s", value);
        given.language = value;
    } else if ((value = value_of_any(arguments, k, standard)) != NULL) {
        take_standard(value);
    } else if ((value = value_of_any(arguments, k, rdc)) != NULL) {
        given.relocatable = strcmp(value, "true") == 0;
    } else if ((value = value_of_any(arguments, k, options_file)) != NULL) {
        take_options_file(value);
    } else if ((value = value_of_any(arguments, k, preprocessor)) != NULL) {
        add(&given.preprocessor, strstr(argument, "include") && argument[1] == 'i' ? "-include"
                                 : strcmp(argument, "--pre-include") == 0          ? "-include"
                                                                                   : "-isystem");
        add(&given.preprocessor, value);
    } else if (value_of_any(arguments, k, ignored_with_value) != NULL) {
        return;
    } else if (begins(argument, "-I") || begins(argument, "-D") || begins(argument, "-U") ||
               begins(argument, "-L") || begins(argument, "-l")) {
        value = argument[2] ? argument + 2 : arguments[++*k];
        if (!value)
            fail("%s needs a value", argument);
        if (argument[1] == 'l') {
            take_library(value);
            return;
        }
        char *const option = text("%.2s%s", argument, value);
        add(argument[1] == 'L' ? &given.linker : &given.preprocessor, option);
        free(option);
    } else if (is_one_of(argument, for_host) || begins(argument, "-static-lib")) {
        add(&given.host, argument);
    } else if (begins(argument, "-Wl,") || strcmp(argument, "-rdynamic") == 0) {
        add(&given.linker, argument);
    } else {
        fail("unknown option %s; portable-nvcc --help lists the options", argument);
    }
}

static int is_source(const char *name)
{
    static const char *const suffixes[] = {".cu", ".c", ".cpp", ".cc", ".cxx", ".C", ".c++", NULL};
    for (const char *const *suffix = suffixes; *suffix; suffix++)
        if (has_suffix(name, *suffix))
            return 1;
    return given.language != NULL && !has_suffix(name, ".o") && !has_suffix(name, ".a") &&
           !has_suffix(name, ".so");
}

static void take_options(char **arguments)
{
    for (int k = 0; arguments[k]; k++) {
        if (arguments[k][0] == '@') {
            take_options_file(arguments[k] + 1);
        } else if (arguments[k][0] == '-' && arguments[k][1]) {
            take_option(arguments, &k);
        } else {
            if (access(arguments[k], R_OK) != 0)
                fail("cannot read %s: %s", arguments[k], strerror(errno));
            add(&given.inputs, arguments[k]);
            if (!is_source(arguments[k]))
                add(&given.linker, arguments[k]);
        }
    }
}

/* ---- processes ---- */

static char *scratch; /* a directory of this run's own, removed at its end */
static struct list scratch_names;

static void remove_scratch(void)
{
    for (size_t k = 0; scratch && k < scratch_names.count; k++)
        unlink(scratch_names.item[k]);
    if (scratch)
        rmdir(scratch);
    scratch = NULL;
}

static void on_signal(int number)
{
    remove_scratch();
    signal(number, SIG_DFL);
    raise(number);
}

/* The name of a new file in the scratch directory. */
static char *scratch_file(const char *suffix)
{
    if (!scratch) {
        const char *const base = getenv("TMPDIR");
        scratch = text("%s/portable-nvcc-XXXXXX", base && base[0] ? base : "/tmp");
        if (!mkdtemp(scratch))
            fail("cannot make %s: %s", scratch, strerror(errno));
        atexit(remove_scratch);
        signal(SIGINT, on_signal);
        signal(SIGTERM, on_signal);
        signal(SIGHUP, on_signal);
    }
    char *const name = text("%s/%zu%s", scratch, scratch_names.count, suffix);
    add(&scratch_names, name);
    return name;
}

static void show(const struct list *command)
{
    fputs("#$", stderr);
    for (size_t k = 0; k < command->count; k++) {
        const int plain = strpbrk(command->item[k], " \"'\\$*;&|<>()") == NULL;
        fprintf(stderr, plain ? " %s" : " '%s'", command->item[k]);
    }
    fputc('\n', stderr);
}

/* Runs the command and returns its exit status. With names of files, its output goes to `output`,
 * and its messages, in English, to `errors`. */
static int status_of(const struct list *command, const char *output, const char *errors)
{
    posix_spawn_file_actions_t actions;
    pid_t process;
    int status;
    if (given.verbose)
        show(command);
    if (given.dry_run)
        return 0;
    posix_spawn_file_actions_init(&actions);
    if (output) {
        setenv("LC_ALL", "C", 1);
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    }
    const int error =
        posix_spawnp(&process, command->item[0], &actions, NULL, command->item, environ);
    if (error != 0)
        fail("cannot run %s: %s", command->item[0], strerror(error));
    posix_spawn_file_actions_destroy(&actions);
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            fail("waiting for %s: %s", command->item[0], strerror(errno));
    if (WIFSIGNALED(status))
        fail("%s ended by signal %d", command->item[0], WTERMSIG(status));
    return WEXITSTATUS(status);
}

/* Runs the command; ends the program if it fails, with its exit status. */
static void run(const struct list *command)
{
    const int status = status_of(command, NULL, NULL);
    if (status != 0)
        exit(status);
}

/* ---- compiling ---- */

static const char *family(void)
{
    return given.clang ? "clang" : "gcc";
}

/* Whether a program of that name can be run. */
static int in_path(const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0;
    struct list directories = {NULL, 0};
    const char *const path = getenv("PATH");
    add_split(&directories, path ? path : "/usr/bin:/bin", ":");
    for (size_t k = 0; k < directories.count; k++) {
        char *const whole = text("%s/%s", directories.item[k], name);
        const int found = access(whole, X_OK) == 0;
        free(whole);
        if (found)
            return 1;
    }
    return 0;
}

/* Settles which compiler it is: -ccbin, NVCC_CCBIN, or the first that is installed. */
static void choose_compiler(void)
{
    const char *const asked = given.compiler ? given.compiler : getenv("NVCC_CCBIN");
    struct stat status;
    if (asked && asked[0]) {
        const char *const slash = strrchr(asked, '/');
        given.compiler = asked;
        given.clang = strstr(slash ? slash : asked, "clang") != NULL;
        if (stat(asked, &status) == 0 && S_ISDIR(status.st_mode))
            given.compiler = text("%s/g++", asked);
        if (!in_path(given.compiler))
            fail("-ccbin: there is no compiler %s", given.compiler);
        return;
    }
    for (given.clang = strcmp(setting("first"), "clang") == 0;; given.clang = !given.clang) {
        given.compiler = setting("cxx.%s", family());
        if (in_path(given.compiler))
            return;
        if (given.clang != (strcmp(setting("first"), "clang") == 0))
            fail("there is neither %s nor %s: install one of them", setting("cxx.gcc"),
                 setting("cxx.clang"));
    }
}

/* The C compiler that belongs to the C++ compiler. */
static const char *c_compiler(void)
{
    char *const name = copied(given.compiler);
    char *const plus = strstr(name, "++");
    if (!plus)
        return setting("cc.%s", family());
    if (given.clang)
        memmove(plus, plus + 2, strlen(plus + 2) + 1);
    else
        memcpy(plus, "cc", 2); /* g++-12: gcc-12 */
    return name;
}

/* What a check's flags are for: the preprocessor, or the compiler and the linker. clang warns of
 * those that a step does not use. */
enum { MACROS = 1, OTHERS = 2 };

static void add_setting(struct list *command, const char *what, int parts)
{
    struct list flags = {NULL, 0};
    add_split(&flags, setting("%s.%s.%s", what, given.check, family()), " ");
    for (size_t k = 0; k < flags.count; k++) {
        const int is_macro = begins(flags.item[k], "-D") || begins(flags.item[k], "-U");
        if (parts & (is_macro ? MACROS : OTHERS))
            add(command, flags.item[k]);
    }
}

/* The compute capability, times ten. */
static int capability(void)
{
    return given.capability ? given.capability : 75;
}

/* What the preprocessor is told of CUDA. */
static void add_preprocessor(struct list *command, int is_cuda)
{
    char *const headers = place(setting("include"));
    add_all(command, &given.preprocessor);
    add(command, "-isystem");
    add(command, headers);
    free(headers);
    add_setting(command, "compile", MACROS);
    add_split(command,
              "-D__NVCC__=1 -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 "
              "-D__CUDACC_VER_BUILD__=0 -D__CUDA_API_VER_MAJOR__=13 -D__CUDA_API_VER_MINOR__=0",
              " ");
    if (!is_cuda)
        return;
    add_setting(command, "instrument", MACROS);
    char *const architecture = text("-D__CUDA_ARCH__=%d0", capability());
    add(command, architecture);
    free(architecture);
    add(command, "-D__CUDACC__=1");
    if (given.relocatable)
        add(command, "-D__CUDACC_RDC__=1");
    add(command, "-include");
    add(command, "cuda_runtime.h");
}

/* The flags of the compilation proper. */
static void add_compilation(struct list *command, int is_cuda)
{
    if (strcmp(given.check, "emulate") == 0)
        add(command, given.level[0] ? given.level : "-O2");
    if (is_cuda)
        add_split(command, setting("cuda.%s", family()), " ");
    add_all(command, &given.host);
    if (given.shared && given.stage == LINK)
        add(command, "-fPIC");
    add_setting(command, "compile", OTHERS);
    if (!given.keep_warnings)
        add_split(command, setting("quiet.%s", family()), " ");
}

/* Whether the objects are for a library. */
static int is_position_independent(void)
{
    for (size_t k = 0; k < given.host.count; k++)
        if (strcmp(given.host.item[k], "-fPIC") == 0 || strcmp(given.host.item[k], "-fpic") == 0)
            return 1;
    return given.shared && given.stage == LINK;
}

/* clang instruments kernels before it optimises them: in two steps. */
static void compile_in_two(const struct list *command, const char *output)
{
    struct list first = {NULL, 0}, second = {NULL, 0};
    char *const middle = scratch_file(".bc");
    add_all(&first, command);
    add_setting(&first, "instrument", OTHERS);
    add_split(&first, "-emit-llvm -c -o", " ");
    add(&first, middle);
    run(&first);
    add(&second, given.compiler);
    add_setting(&second, "compile", OTHERS);
    if (is_position_independent())
        add(&second, "-fPIC");
    add_split(&second, "-fno-sanitize=all -Qunused-arguments -x ir -c", " ");
    add(&second, middle);
    add(&second, "-o");
    add(&second, output);
    for (size_t k = 0; k < given.host.count; k++)
        if (begins(given.host.item[k], "-f") || begins(given.host.item[k], "-m"))
            add(&second, given.host.item[k]);
    run(&second);
    free(middle);
}

/* The language of a source: cu, c or c++. */
static const char *language_of(const char *source)
{
    return given.language              ? given.language
           : has_suffix(source, ".cu") ? "cu"
           : has_suffix(source, ".c")  ? "c"
                                       : "c++";
}

/* The preprocessor of a source, and its options. */
static struct list preprocessor_of(const char *source)
{
    const char *const language = language_of(source);
    const int is_c = strcmp(language, "c") == 0;
    struct list command = {NULL, 0};
    add(&command, is_c ? c_compiler() : given.compiler);
    add_split(&command, is_c ? "-E -x c" : "-E -x c++", " ");
    if (!is_c)
        add(&command, given.standard);
    add_all(&command, &given.host);
    add_preprocessor(&command, strcmp(language, "cu") == 0);
    return command;
}

/* ---- headers that are not here ---- */

/* CUDA's headers that have no counterpart here, by how their names begin; the first that fits. */
static const struct {
    const char *sentence;
    const char *prefixes[7]; /* at most six, then NULL */
} refusals[] = {
    {"portable-nvcc does not have Thrust: use kernels and cudaMalloc, or build this file with nvcc",
     {"thrust/"}},
    {"portable-nvcc does not have CUB: use cooperative groups and warp functions, or build this "
     "file with nvcc",
     {"cub/"}},
    {"portable-nvcc has only those headers of cuda/std that C++17 has too", {"cuda/std/"}},
    {"portable-nvcc does not have this header", {"cuda/"}},
    {"portable-nvcc has cuBLAS for one device (cublas_v2.h), not this: use cublas_v2.h, or build "
     "this file with nvcc",
     {"cublasXt.h"}},
    {"portable-nvcc does not have cuFFT: use a CPU library such as FFTW, or build this file with "
     "nvcc",
     {"cufft"}},
    {"portable-nvcc does not have cuSPARSE: write the product as a kernel, or build this file with "
     "nvcc",
     {"cusparse"}},
    {"portable-nvcc does not have cuSOLVER: use a CPU library such as LAPACK, or build this file "
     "with nvcc",
     {"cusolver"}},
    {"portable-nvcc has no MTGP32; use curandStatePhilox4_32_10_t or XORWOW", {"curand_mtgp32"}},
    {"portable-nvcc does not have cuDNN: use a CPU library, or build this file with nvcc",
     {"cudnn"}},
    {"portable-nvcc does not have NCCL, as there is one device: leave out its calls, or build this "
     "file with nvcc",
     {"nccl.h"}},
    {"portable-nvcc does not have NPP: write the filter as a kernel, or build this file with nvcc",
     {"npp"}},
    {"portable-nvcc does not have nvJPEG: use a CPU library such as libjpeg, or build this file "
     "with nvcc",
     {"nvjpeg.h"}},
    {"portable-nvcc does not compile at run time: put the kernel into the source, or build this "
     "file with nvcc",
     {"nvrtc.h", "nvJitLink.h"}},
    {"portable-nvcc does not have 8-bit floats: use cuda_fp16.h or cuda_bf16.h, or build this file "
     "with nvcc",
     {"cuda_fp4.h", "cuda_fp6.h", "cuda_fp8.h"}},
    {"portable-nvcc does not share memory with graphics: copy with cudaMemcpy, or build this file "
     "with nvcc",
     {"cudaEGL.h", "cudaGL.h", "cudaVDPAU.h", "cuda_egl_interop.h", "cuda_gl_interop.h",
      "cuda_vdpau_interop.h"}},
};

/* The sentence for a header, by its name in the #include; NULL for one that is not in the table. */
static const char *refusal_of(const char *header)
{
    for (size_t k = 0; k < sizeof refusals / sizeof refusals[0]; k++)
        for (const char *const *prefix = refusals[k].prefixes; *prefix; prefix++)
            if (begins(header, *prefix))
                return refusals[k].sentence;
    return NULL;
}

/* Whether an option names the directory. gcc may write its path in another way. */
static int is_named(const char *directory, const struct list *options)
{
    struct stat wanted, named;
    if (stat(directory, &wanted) != 0)
        return 0;
    for (size_t k = 0; k < options->count; k++)
        if (stat(options->item[k] + 2 * begins(options->item[k], "-I"), &named) == 0 &&
            named.st_dev == wanted.st_dev && named.st_ino == wanted.st_ino)
            return 1;
    return 0;
}

/* A CUDA toolkit in the system's directories, as some distributions have it, does not go with the
 * headers here. Ends the program if a header of the table comes from there, and not from a
 * directory that an option names. */
static void refuse_headers_of_system(FILE *preprocessed)
{
    static const char include[] = "/include/", triplet[] = "-linux-gnu";
    struct list options = {NULL, 0};
    char name[PATH_MAX], from[PATH_MAX] = "", *line = NULL;
    size_t capacity = 0;
    int number = 0;
    add_preprocessor(&options, 1);
    add_all(&options, &given.host);
    while (getline(&line, &capacity, preprocessed) > 0) {
        const char *header = name;
        int marker, flags = 0;
        if (sscanf(line, "# %d \"%4095[^\"]\" %n", &marker, name, &flags) != 2 || flags == 0) {
            number++;
            continue;
        }
        for (const char *c = strstr(name, include); c; c = strstr(c + 1, include))
            header = c + strlen(include);
        /* Debian's /usr/include/x86_64-linux-gnu */
        const size_t component = strcspn(header, "/");
        if (header > name && header[component] == '/' && component > strlen(triplet) &&
            begins(header + component - strlen(triplet), triplet))
            header += component + 1;
        /* 1: a file begins; 3: it is the system's, or from -isystem */
        if (begins(line + flags, "1 3") && header > name && refusal_of(header) &&
            !is_named(text("%.*s", (int)(header - name), name), &options)) {
            fprintf(stderr, "%s:%d: error: %s: %s\n", from, number, header, refusal_of(header));
            exit(EXIT_FAILURE);
        }
        number = marker;
        memcpy(from, name, sizeof from);
    }
    free(line);
    rewind(preprocessed);
}

/* Runs a command that preprocesses `source`; ends the program if it fails, with its exit status. If
 * a header of the table is why, its sentence follows the compiler's messages. They are read in a
 * second run, as the user's may be in another language and in colours. */
static void run_on(const char *source, const struct list *command)
{
    static const char before[] = "fatal error: ";
    const int status = status_of(command, NULL, NULL);
    if (status == 0)
        return;
    char *const output = scratch_file(".ii"), *const errors = scratch_file(".errors");
    char *line = NULL;
    size_t capacity = 0;
    struct list again = preprocessor_of(source);
    add(&again, "-fdiagnostics-color=never");
    add(&again, source);
    status_of(&again, output, errors);
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
    refuse_headers_of_system(preprocessed);
    exit(status);
}

static void translate_file(const char *from, const char *to)
{
    const struct translate_options options = {given.clang, given.relocatable};
    struct stat status;
    if (given.verbose)
        fprintf(stderr, "#$ translate -arch compute_%d %s %s\n", capability(), from, to);
    if (given.dry_run)
        return;
    FILE *const in = fopen(from, "r"), *const out = fopen(to, "w");
    if (!in || !out || fstat(fileno(in), &status) != 0)
        fail("cannot open %s: %s", in ? to : from, strerror(errno));
    refuse_headers_of_system(in);
    char *const source = (char *)checked(malloc((size_t)status.st_size + 1));
    const size_t size = fread(source, 1, (size_t)status.st_size, in);
    source[size] = '\0';
    if (ferror(in))
        fail("cannot read %s: %s", from, strerror(errno));
    fclose(in);
    const int errors = translate(source, size, &options, out);
    free(source);
    if (fclose(out) != 0)
        fail("cannot write %s: %s", to, strerror(errno));
    if (errors > 0)
        exit(EXIT_FAILURE);
}

/* The file name without its folders and its suffix. */
static char *stem_of(const char *source)
{
    const char *const slash = strrchr(source, '/');
    char *const stem = copied(slash ? slash + 1 : source);
    char *const dot = strrchr(stem, '.');
    if (dot && dot > stem)
        *dot = '\0';
    return stem;
}

static void add_dependencies(struct list *command, const char *source, const char *object)
{
    char *const stem = stem_of(source);
    char *const beside =
        given.output && given.stage == COMPILE
            ? text("%.*s.d",
                   (int)(strrchr(given.output, '.') ? strrchr(given.output, '.') - given.output
                                                    : (ptrdiff_t)strlen(given.output)),
                   given.output)
            : text("%s.d", stem);
    int target = 0;
    for (size_t k = 0; k < given.dependencies.count; k++)
        target |=
            begins(given.dependencies.item[k], "-MT") || begins(given.dependencies.item[k], "-MQ");
    add_all(command, &given.dependencies);
    if (!target) {
        add(command, "-MT");
        add(command, object);
    }
    if (given.write_dependencies || given.dependencies_file) {
        add(command, "-MF");
        add(command, given.dependencies_file ? given.dependencies_file : beside);
    }
    free(stem);
    free(beside);
}

/* Only preprocesses: -E, -M, -MM. */
static void preprocess(const char *source)
{
    struct list command = preprocessor_of(source);
    char *const stem = stem_of(source), *const object = text("%s.o", stem);
    if (given.stage == DEPENDENCIES)
        add_dependencies(&command, source, object);
    if (given.output) {
        add(&command, "-o");
        add(&command, given.output);
    }
    add(&command, source);
    run_on(source, &command);
    free(stem);
    free(object);
}

static void compile(const char *source, const char *object, const char *target)
{
    struct list command = {NULL, 0};
    const char *const language = language_of(source);
    const int is_cuda = strcmp(language, "cu") == 0, is_c = strcmp(language, "c") == 0;
    char *preprocessed = NULL, *translated = NULL;
    if (is_cuda) {
        struct list first = preprocessor_of(source);
        preprocessed = scratch_file(".ii");
        translated = scratch_file(".cu.ii");
        if (given.write_dependencies)
            add_dependencies(&first, source, target);
        add(&first, source);
        add(&first, "-o");
        add(&first, preprocessed);
        run_on(source, &first);
        translate_file(preprocessed, translated);
    }
    add(&command, is_c ? c_compiler() : given.compiler);
    if (!is_c)
        add(&command, given.standard);
    add_compilation(&command, is_cuda);
    if (!is_cuda) {
        add_preprocessor(&command, 0);
        if (given.write_dependencies)
            add_dependencies(&command, source, target);
    }
    add(&command, "-x");
    add(&command, is_cuda ? "c++-cpp-output" : language);
    add(&command, is_cuda ? translated : source);
    if (is_cuda && given.clang && setting("instrument.%s.clang", given.check)[0]) {
        compile_in_two(&command, object);
    } else {
        if (is_cuda)
            add_setting(&command, "instrument", OTHERS);
        add(&command, "-c");
        add(&command, "-o");
        add(&command, object);
        if (is_cuda)
            run(&command);
        else
            run_on(source, &command);
    }
    free(preprocessed);
    free(translated);
}

/* ---- linking ---- */

/* The directory of the runtime of the check, or of that without one. */
static char *library_directory(void)
{
    return strcmp(given.check, "emulate") == 0 ? text("%s/cuda/lib64", conf.home)
                                               : text("%s/cuda/lib64/%s", conf.home, given.check);
}

/* The compiler's own path of a file; NULL if it has none. */
static char *path_of_compiler(const char *name)
{
    struct list command = {NULL, 0};
    char *const output = scratch_file(".path"), *const option = text("-print-file-name=%s", name);
    char path[PATH_MAX] = "";
    add(&command, given.compiler);
    add(&command, option);
    free(option);
    if (given.dry_run || status_of(&command, output, "/dev/null") != 0)
        return NULL;
    FILE *const file = fopen(output, "r");
    if (file && !fgets(path, sizeof path, file))
        path[0] = '\0';
    if (file)
        fclose(file);
    path[strcspn(path, "\n")] = '\0';
    return path[0] == '/' ? copied(path) : NULL;
}

/* The libraries of the sanitizers that a check needs. */
static struct list sanitizers(void)
{
    static const char *const names[][3] = {
        {"libasan.so", "libubsan.so", NULL},
        {"libclang_rt.asan-x86_64.so", "libclang_rt.asan-aarch64.so", NULL}};
    struct list paths = {NULL, 0};
    for (size_t k = 0; strcmp(given.check, "memcheck") == 0 && names[given.clang][k]; k++) {
        char *const path = path_of_compiler(names[given.clang][k]);
        if (path)
            add(&paths, path);
        free(path);
    }
    return paths;
}

static void add_search_path(struct list *command, const char *directory)
{
    char *const option = text("-Wl,-rpath,%s", directory);
    add(command, option);
    free(option);
}

/* The runtime is found by its path, whatever LD_LIBRARY_PATH says: DT_RPATH comes before it. Where
 * the sanitizers are is for the sentence of refuse.c, and, under clang, for the program. */
static void add_runtime(struct list *command, int shared)
{
    char *const directory = library_directory();
    char *const runtime = text("%s/libcudart.so.13", directory);
    const struct list libraries = sanitizers();
    add_split(command, "-Wl,--push-state,--no-as-needed", " ");
    add(command, runtime);
    if (shared && libraries.count > 0) {
        char *const stubs = text("%s/cuda/lib64/libportable_stubs.so", conf.home);
        add(command, stubs);
        free(stubs);
    }
    add_split(command, "-Wl,--pop-state -Wl,--disable-new-dtags", " ");
    add_search_path(command, directory);
    if (shared && libraries.count > 0)
        add_search_path(command, text("%s/cuda/lib64", conf.home));
    for (size_t k = 0; k < libraries.count; k++) {
        *strrchr(libraries.item[k], '/') = '\0';
        if (k == 0 || strcmp(libraries.item[k], libraries.item[k - 1]) != 0)
            add_search_path(command, libraries.item[k]);
    }
    free(directory);
    free(runtime);
}

/* Prints what LD_PRELOAD must be for a program of another linker, such as Python, that loads
 * libraries with the check. */
static void show_preload(void)
{
    char *const directory = library_directory();
    const struct list libraries = sanitizers();
    printf("%s/libcudart.so.13", directory);
    for (size_t k = 0; k < libraries.count; k++)
        printf(":%s", libraries.item[k]);
    puts("");
    free(directory);
}

static void link_program(const struct list *objects, const char *output)
{
    struct list command = {NULL, 0};
    char *const merge = place(setting("merge")), *const script = text("-Wl,-T,%s", merge);
    const char *const module = setting("module.%s", given.check);
    if (given.verbose) {
        /* The same as a command of portable-nvcc, which CMake takes for the linker. */
        struct list again = {NULL, 0};
        char *const library = text("-L%s/cuda/lib64", conf.home);
        add(&again, conf.self);
        add_all(&again, objects);
        add_all(&again, &given.linker);
        add(&again, library);
        add(&again, "-o");
        add(&again, output);
        show(&again);
        free(library);
    }
    add(&command, given.compiler);
    add_all(&command, &given.host);
    add_setting(&command, "compile", OTHERS);
    add_setting(&command, "link", OTHERS);
    /* A program has the sanitizers; a library finds them in the process, or refuse.c says how. */
    if (strcmp(given.check, "memcheck") == 0 && (given.shared || given.clang))
        add(&command, given.shared ? "-fno-sanitize=all" : "-shared-libsan");
    /* First, because memcheck's guards precede all other objects of their sections. */
    if (module[0]) {
        char *const path = place(module);
        add(&command, path);
        free(path);
    }
    add_all(&command, objects);
    add_all(&command, &given.linker);
    add(&command, script);
    add_runtime(&command, given.shared);
    add_split(&command, "-lm -lpthread -o", " ");
    add(&command, output);
    run(&command);
    free(merge);
    free(script);
}

static void archive(const struct list *objects, const char *output)
{
    struct list command = {NULL, 0};
    add_split(&command, "ar rcs", " ");
    add(&command, output);
    add_all(&command, objects);
    for (size_t k = 0; k < given.linker.count; k++)
        if (has_suffix(given.linker.item[k], ".o"))
            add(&command, given.linker.item[k]);
    run(&command);
}

/* There is nothing to link for the device: the output is an empty object. */
static void device_link(const char *output)
{
    struct list command = {NULL, 0};
    add(&command, c_compiler());
    add_split(&command, "-x c -c /dev/null -o", " ");
    add(&command, output);
    run(&command);
}

static void run_program(const char *output)
{
    struct list command = {NULL, 0};
    char *const name = strchr(output, '/') ? copied(output) : text("./%s", output);
    add(&command, name);
    add_all(&command, &given.run_arguments);
    run(&command);
    free(name);
}

int main(int count, char **arguments)
{
    static const char *const checks[] = {"memcheck", "racecheck", "initcheck", "synccheck", NULL};
    struct list sources = {NULL, 0}, objects = {NULL, 0};

    read_configuration();
    if (count < 2) {
        usage();
        return EXIT_FAILURE;
    }
    given.standard = copied("-std=gnu++17");
    take_options(arguments + 1);
    choose_compiler();
    if (!given.check && getenv("PORTABLE_CHECK"))
        given.check = getenv("PORTABLE_CHECK");
    if (!given.check || !given.check[0])
        given.check = "emulate";
    else if (!is_one_of(given.check, checks))
        fail("--check takes memcheck, racecheck, initcheck or synccheck, not %s", given.check);
    if (!setting_or_null(text("module.%s", given.check)))
        fail("--check=%s: the checks need glibc", given.check);
    for (size_t k = 0; k < given.inputs.count; k++)
        if (is_source(given.inputs.item[k]))
            add(&sources, given.inputs.item[k]);
    if (given.preload) {
        show_preload();
        return EXIT_SUCCESS;
    }
    if (given.inputs.count == 0)
        fail("no input files");
    if (given.stage == COMPILE && given.output && sources.count > 1)
        fail("-c with -o takes one source, not %zu", sources.count);

    if (given.stage == DEVICE_LINK) {
        device_link(given.output ? given.output : "a_dlink.o");
        return EXIT_SUCCESS;
    }
    for (size_t k = 0; k < sources.count; k++) {
        const char *const source = sources.item[k];
        if (given.stage == PREPROCESS || given.stage == DEPENDENCIES) {
            preprocess(source);
            continue;
        }
        char *const stem = stem_of(source), *const beside = text("%s.o", stem);
        const char *const target = given.output && given.stage == COMPILE ? given.output : beside;
        char *const object = given.stage == COMPILE ? copied(target) : scratch_file(".o");
        compile(source, object, target);
        add(&objects, object);
        free(object);
        free(beside);
        free(stem);
    }
    if (given.stage == LINK) {
        const char *const output = given.output ? given.output : "a.out";
        link_program(&objects, output);
        if (given.run)
            run_program(output);
    } else if (given.stage == ARCHIVE) {
        archive(&objects, given.output ? given.output : "a.a");
    }
    return EXIT_SUCCESS;
}
