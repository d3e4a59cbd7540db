/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * portable-nvcc: compiles CUDA C++ for the CPU, with the command line of nvcc.
 *
 * A .cu file goes through the preprocessor of g++ or clang++, through translate.c, and through the
 * compiler; a .c or .cpp file through the compiler alone. portable-nvcc.conf, which make writes,
 * has the names of the compilers, their flags for each check, and the paths of the headers and the
 * runtime.
 */
#define _GNU_SOURCE /* readlink, mkdtemp, nftw */

#include "host/nvcc/translate.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h> /* PATH_MAX */
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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

static void drop(struct list *list, const char *item)
{
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->item[k], item) != 0)
            list->item[kept++] = list->item[k];
    list->count = kept;
}

/* Adds the parts of a text between separators; with `quotes`, between those that are not in double
 * quotes, which stay. A backslash keeps the next character. */
static void add_parts(struct list *list, const char *words, const char *separators, int quotes)
{
    char *const word = (char *)checked(malloc(strlen(words) + 1));
    int quoted = 0;
    for (const char *c = words; *c;) {
        size_t length = 0;
        c += strspn(c, separators);
        while (*c && (quoted || !strchr(separators, *c))) {
            quoted ^= quotes && *c == '"';
            c += *c == '\\' && c[1];
            word[length++] = *c++;
        }
        word[length] = '\0';
        if (length > 0)
            add(list, word);
    }
    free(word);
}

static void add_split(struct list *list, const char *words, const char *separators)
{
    add_parts(list, words, separators, 0);
}

static void add_quoted(struct list *list, const char *words, const char *separators)
{
    add_parts(list, words, separators, 1);
}

/* The word as a shell makes it, if `quotes` are those of a shell. */
static char *without_quotes(const char *word, const char *quotes)
{
    char *const result = copied(word), *end = result, quote = '\0';
    for (const char *c = word; *c; c++) {
        if (quote ? *c == quote : *c && strchr(quotes, *c) != NULL) {
            quote = quote ? '\0' : *c;
            continue;
        }
        c += *c == '\\' && c[1] && quotes[1] && quote != '\'';
        *end++ = *c;
    }
    *end = '\0';
    return result;
}

static int begins(const char *string, const char *prefix)
{
    return strncmp(string, prefix, strlen(prefix)) == 0;
}

/* For messages. */
static const char *shown(const char *word)
{
    return word[0] ? word : "\"\"";
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
    char *home; /* the directory of portable-nvcc.conf; its paths are relative to it */
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
    const char *output, *output_directory, *language, *check, *compiler, *archiver;
    const char *dependencies_file, *keep_directory, *level; /* of optimisation, or NULL */
    int clang, verbose, dry_run, relocatable, run, capability, write_dependencies, keep_warnings;
    int shared, preload, keep, beside_object, device_debug, list_architectures, list_codes;
    int lockstep;     /* of warps */
    unsigned forward; /* what is unknown: 1, to the compiler; 2, to the linker */
    struct list inputs;
    struct list preprocessor; /* -I -D -U -include */
    struct list dependencies; /* -MT and so on */
    struct list host;         /* for compiling and linking */
    struct list linker;       /* in their order, with the inputs that are objects */
    struct list archive;
    struct list run_arguments;
    struct list unknown;
    const char *standard, *host_standard; /* of .cu files, and of others, or NULL */
} given;

/* Libraries that the runtime takes the place of, and those that it does not. */
/* clang-format off */
static const char *const own_libraries[] = {
    "cudart", "cudart_static", "cudadevrt", "nvToolsExt", "cublas", "cublas_static",
    "cublasLt", "cublasLt_static", "nvtx3interop", "culibos", NULL};
static const char *const foreign_libraries[] = {
    "cufft", "cufft_static", "cufftw", "curand", "curand_static", "cusparse", "cusparse_static",
    "cusolver", "cusolver_static", "cudnn", "nvrtc", "nvjpeg", "npp", "nppc", "nppi", "nppial",
    "nppicc", "nppidei", "nppif", "nppig", "nppim", "nppist", "nppisu", "nppitc", "npps", "nccl",
    "cufile", "cupti", "nvml", "nvidia-ml", "nvJitLink", NULL};
/* clang-format on */

static int has_suffix(const char *name, const char *suffix)
{
    const size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

static void usage(void)
{
    puts("portable-nvcc [options] files: compiles CUDA C++ for the CPU, with nvcc's command line\n"
         "\n"
         "  --check=memcheck|racecheck|initcheck|synccheck\n"
         "                     build a program that checks itself; also PORTABLE_CHECK=...\n"
         "  --warps=lockstep   the lanes of a warp run together from access to access, as on GPUs\n"
         "                     before Volta; --warps=independent is the default\n"
         "  -c, -dc            compile to an object file\n"
         "  -o FILE, -odir DIRECTORY   name the output\n"
         "  -I -D -U -include -isystem -std -O -g -G -L -l -shared -lib -dlink -run\n"
         "  -E -M -MM -MD -MMD -MF -MT -MP   preprocess; dependencies\n"
         "  -x cu|c|c++        the language of the files\n"
         "  -Xcompiler, -Xlinker, -Xarchive   options for the compiler, the linker, ar\n"
         "  -ccbin COMPILER    g++ or clang++\n"
         "  -arch=sm_NN        the value of __CUDA_ARCH__: NN0; 750 without it\n"
         "  -optf FILE         a file with options\n"
         "  -v, --dryrun       print the commands\n"
         "  --preload          print LD_PRELOAD's value for a program of another linker, such as\n"
         "                     Python, that loads libraries built with the check\n"
         "  -keep, -keep-dir DIRECTORY   keep what is between the source and the object\n"
         "  -rdc=true          names of __device__ variables and functions span files\n"
         "\n"
         "nvcc's other options are accepted and do nothing, as they only mean something to a GPU "
         "or\n"
         "to its tools. -ptx, -cubin and -fatbin are refused: there is no GPU code.");
}

/* The values of an option: none, one (-option value, -option=value), or several separated by
 * commas. Some options of one letter take the value attached, as -DNAME. */
enum { ALONE = 0, VALUE = 1, VALUES = 3, ATTACHED = 4 };

struct option {
    const char *longer, *shorter;
    int form;
    /* NULL: the option only means something to a GPU or to CUDA's tools. `value` is NULL for one
     * that stands alone. */
    void (*take)(const struct option *option, const char *value);
    const char *with;
    void *to; /* the list, the text or the flag that is set */
    int number;
};

static void set_flag(const struct option *option, const char *value)
{
    (void)value;
    *(int *)option->to = 1;
}
static void set_text(const struct option *option, const char *value)
{
    *(const char **)option->to = value;
}
/* with, and the value right after it */
static void add_option(const struct option *option, const char *value)
{
    char *const whole = text("%s%s", option->with, value ? value : "");
    add((struct list *)option->to, whole);
    free(whole);
}
/* with and the value, as two words */
static void add_option_and_value(const struct option *option, const char *value)
{
    add((struct list *)option->to, option->with);
    add((struct list *)option->to, value);
}
static void set_stage(const struct option *option, const char *value)
{
    (void)value;
    given.stage = (enum stage)option->number;
    if (option->with)
        add(&given.dependencies, option->with);
}
static void set_device_compilation(const struct option *option, const char *value)
{
    (void)value;
    given.stage = COMPILE;
    given.relocatable = option->number;
}
static void set_forwarding(const struct option *option, const char *value)
{
    (void)value;
    given.forward |= (unsigned)option->number;
}
static void set_dependencies(const struct option *option, const char *value)
{
    (void)value;
    given.write_dependencies = 1;
    add(&given.dependencies, option->with);
}
static void refuse_gpu_code(const struct option *option, const char *value)
{
    (void)value;
    fail("%s: there is no GPU code to write; the output is for the CPU", option->shorter);
}
static void refuse(const struct option *option, const char *value)
{
    (void)value;
    fail("%s: %s", option->shorter, option->with);
}
static void check_number(const struct option *option, const char *value)
{
    if (!value[0] || value[strspn(value, "0123456789")])
        fail("%s takes a number, not %s", option->shorter, value);
}
static void set_level(const struct option *option, const char *value)
{
    check_number(option, value);
    given.level = text("-O%s", value);
}
static void set_warps(const struct option *option, const char *value)
{
    given.lockstep = strcmp(value, "lockstep") == 0;
    if (!given.lockstep && strcmp(value, "independent") != 0)
        fail("%s takes lockstep or independent, not %s", option->shorter, value);
}
static int is_true(const struct option *option, const char *value)
{
    const int yes = strcmp(value, "true") == 0;
    if (!yes && strcmp(value, "false") != 0)
        fail("%s takes true or false, not %s", option->shorter, value);
    return yes;
}
static void check_truth(const struct option *option, const char *value)
{
    is_true(option, value);
}
static void set_relocatable(const struct option *option, const char *value)
{
    given.relocatable = is_true(option, value);
}
static void set_device_debug(const struct option *option, const char *value)
{
    add_option(option, value);
    given.device_debug = 1;
}
static void set_shared(const struct option *option, const char *value)
{
    add_option(option, value);
    given.shared = 1;
}
static void keep_in(const struct option *option, const char *value)
{
    set_text(option, value);
    given.keep = 1;
}
static void take_library(const struct option *option, const char *name)
{
    if (is_one_of(name, own_libraries))
        return;
    if (strcmp(name, "cuda") == 0) {
        char *const driver = text("%s/cuda/lib64/libcuda.so.1", conf.home);
        add((struct list *)option->to, driver);
        free(driver);
        return;
    }
    if (is_one_of(name, foreign_libraries))
        fail("-l%s: this library of CUDA's has no counterpart on the CPU", name);
    add_option(option, name);
}
static void take_language(const struct option *option, const char *value)
{
    (void)option;
    if (strcmp(value, "cu") != 0 && strcmp(value, "c") != 0 && strcmp(value, "c++") != 0)
        fail("-x takes cu, c or c++, not %s", value);
    given.language = value;
}
/* The headers are C++17 in CUDA C++, and C++11 for others. */
static void take_standard(const struct option *option, const char *value)
{
    static const char *const years[] = {"03", "11", "14", "17", "20", "23", "26", NULL};
    const char *const year = value + strcspn(value, "0123456789");
    (void)option;
    if ((!begins(value, "c++") && !begins(value, "gnu++")) || !is_one_of(year, years))
        fail("-std takes c++03, c++11, c++14, c++17, c++20 or newer, not %s", value);
    given.standard = text("-std=gnu++%s", atoi(year) > 17 ? year : "17");
    given.host_standard = strcmp(year, "03") == 0 ? "-std=c++11" : text("-std=%s", value);
}
/* sm_75, compute_90a, lto_80: the number; 0 for one that the machine or the version determines. */
static int architecture(const struct option *option, const char *name)
{
    const char *const digits = name + strcspn(name, "0123456789");
    const int number = atoi(digits);
    const char *const end = digits + strspn(digits, "0123456789");
    if (strcmp(name, "native") == 0 || strcmp(name, "all") == 0 || strcmp(name, "all-major") == 0)
        return 0;
    if ((!begins(name, "sm_") && !begins(name, "compute_") && !begins(name, "lto_")) ||
        digits[-1] != '_' || number < 10 || number > 200 ||
        (end[0] && strcmp(end, "a") != 0 && strcmp(end, "f") != 0))
        fail("unknown architecture %s: %s takes sm_NN or compute_NN, native, all or all-major",
             shown(name), option->shorter);
    return number;
}
/* The highest counts. Those that CUDA no longer supports are taken for 75. */
static void take_architecture(const struct option *option, const char *name)
{
    const int number = architecture(option, name);
    if (number >= 50 && number > given.capability)
        given.capability = number;
}
static void check_architecture(const struct option *option, const char *name)
{
    architecture(option, name);
}
/* arch=compute_90,code=[sm_90,compute_90]; quotes may take the place of the brackets. */
static void take_code_generation(const struct option *option, const char *value)
{
    struct list words = {NULL, 0};
    add_split(&words, value, ",[]\"\\");
    if (words.count == 0 || !begins(words.item[0], "arch="))
        fail("%s takes arch=compute_NN,code=sm_NN, not %s", option->shorter, shown(value));
    for (size_t k = 0; k < words.count; k++) {
        const char *const word = words.item[k];
        if (begins(word, "arch="))
            take_architecture(option, word + strlen("arch="));
        else if (strcmp(word, "code=") != 0)
            check_architecture(option, word + (begins(word, "code=") ? strlen("code=") : 0));
    }
}
static void take_warnings(const struct option *option, const char *kind)
{
    static const char *const kinds[] = {"all-warnings",
                                        "cross-execution-space-call",
                                        "default-stream-launch",
                                        "deprecated-declarations",
                                        "ext-lambda-captures-this",
                                        "missing-launch-bounds",
                                        "reorder",
                                        NULL};
    if (!is_one_of(kind, kinds))
        fail("%s does not take %s", option->shorter, kind);
    if (strcmp(kind, kinds[0]) == 0)
        add(&given.host, "-Werror");
}
static void take_stream(const struct option *option, const char *value)
{
    static const char *const streams[] = {"legacy", "null", "per-thread", NULL};
    if (!is_one_of(value, streams))
        fail("%s takes legacy, null or per-thread, not %s", option->shorter, value);
    if (strcmp(value, "per-thread") == 0)
        add(&given.preprocessor, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
}
static void take_linker_script(const struct option *option, const char *value)
{
    if (strcmp(value, "use-lcs") != 0)
        fail("%s=%s: there is no GPU code that needs a linker script", option->shorter, value);
}
/* Options of another tool, as nvcc's: with commas or blanks between them, and, as it calls the tool
 * by a shell, quotes in each. */
static void take_tool_options(const struct option *option, const char *value)
{
    struct list words = {NULL, 0};
    add_quoted(&words, value, ", \t\n");
    for (size_t k = 0; k < words.count; k++) {
        char *const word = without_quotes(words.item[k], "\"'");
        if (option->with)
            add((struct list *)option->to, option->with);
        add((struct list *)option->to, word);
        given.keep_warnings |= option->to == &given.host && begins(word, "-W");
        free(word);
    }
}
static void take_options(char **arguments);

/* Blanks separate options; quotes are taken away. */
static void take_options_file(const struct option *option, const char *name)
{
    FILE *const file = fopen(name, "r");
    struct list words = {NULL, 0};
    char *line = NULL;
    size_t capacity = 0;
    (void)option;
    if (!file)
        fail("cannot read %s: %s", name, strerror(errno));
    while (getline(&line, &capacity, file) > 0)
        add_quoted(&words, line, " \t\r\n");
    free(line);
    fclose(file);
    for (size_t k = 0; k < words.count; k++)
        words.item[k] = without_quotes(words.item[k], "\"");
    if (words.count > 0)
        take_options(words.item);
}
/* NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS */
static void take_variable(const char *name)
{
    struct list words = {NULL, 0};
    add_quoted(&words, getenv(name) ? getenv(name) : "", " \t\n");
    if (words.count > 0)
        take_options(words.item);
}
/* CMake reads from nvcc -v where the toolkit is, and what every link line has. */
static void show_places(const struct option *option, const char *value)
{
    const int shown = given.verbose;
    set_flag(option, value);
    given.verbose = 1;
    if (!shown)
        fprintf(stderr,
                "#$ TOP=%s/cuda\n#$ NVVMIR_LIBRARY_DIR=%s/cuda/nvvm/libdevice\n#$ PATH=%s\n"
                "#$ INCLUDES=-I%s/cuda/include\n#$ LIBRARIES=-L%s/cuda/lib64\n",
                conf.home, conf.home, getenv("PATH") ? getenv("PATH") : "", conf.home, conf.home);
}
static void show_version(const struct option *option, const char *value)
{
    (void)option;
    (void)value;
    /* CMake looks for nvcc's first line. */
    printf("portable-nvcc %s: CUDA C++ for the CPU, in the place of\n"
           "nvcc: NVIDIA (R) Cuda compiler driver\n"
           "Cuda compilation tools, release 13.0, V13.0.0\n",
           setting("version"));
    exit(EXIT_SUCCESS);
}
static void show_help(const struct option *option, const char *value)
{
    (void)option;
    (void)value;
    usage();
    exit(EXIT_SUCCESS);
}
/* The architectures of CUDA 13, as nvcc lists them. */
static void show_architectures(void)
{
    static const int numbers[] = {75, 80, 86, 87, 88, 89, 90, 100, 110, 103, 120, 121};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        if (given.list_architectures && given.list_codes)
            printf("arch=compute_%d,code=sm_%d\n", numbers[k], numbers[k]);
        else
            printf("%s_%d\n", given.list_codes ? "sm" : "compute", numbers[k]);
    }
    exit(EXIT_SUCCESS);
}

/* nvcc's options, in the order of its help, and after them those that it does not have. */
/* clang-format off */
static const struct option known[] = {
    {"--cuda", "-cuda", ALONE, .take = refuse_gpu_code},
    {"--cubin", "-cubin", ALONE, .take = refuse_gpu_code},
    {"--fatbin", "-fatbin", ALONE, .take = refuse_gpu_code},
    {"--ptx", "-ptx", ALONE, .take = refuse_gpu_code},
    {"--optix-ir", "-optix-ir", ALONE, .take = refuse_gpu_code},
    {"--ltoir", "-ltoir", ALONE, .take = refuse_gpu_code},
    {"--preprocess", "-E", ALONE, .take = set_stage, .number = PREPROCESS},
    {"--generate-dependencies", "-M", ALONE,
     .take = set_stage, .with = "-M", .number = DEPENDENCIES},
    {"--generate-nonsystem-dependencies", "-MM", ALONE,
     .take = set_stage, .with = "-MM", .number = DEPENDENCIES},
    {"--generate-dependencies-with-compile", "-MD", ALONE, .take = set_dependencies, .with = "-MD"},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD", ALONE,
     .take = set_dependencies, .with = "-MMD"},
    {"--dependency-output", "-MF", VALUE, .take = set_text, .to = &given.dependencies_file},
    {"--generate-dependency-targets", "-MP", ALONE,
     .take = add_option, .with = "-MP", .to = &given.dependencies},
    {"--compile", "-c", ALONE, .take = set_stage, .number = COMPILE},
    {"--device-c", "-dc", ALONE, .take = set_device_compilation, .number = 1},
    {"--device-w", "-dw", ALONE, .take = set_device_compilation, .number = 0},
    {"--device-link", "-dlink", ALONE, .take = set_stage, .number = DEVICE_LINK},
    {"--link", "-link", ALONE, .take = set_stage, .number = LINK},
    {"--lib", "-lib", ALONE, .take = set_stage, .number = ARCHIVE},
    {"--run", "-run", ALONE, .take = set_flag, .to = &given.run},
    {"--output-file", "-o", VALUE, .take = set_text, .to = &given.output},
    {"--pre-include", "-include", VALUES,
     .take = add_option_and_value, .with = "-include", .to = &given.preprocessor},
    {"--objdir-as-tempdir", "-objtemp", ALONE, .take = set_flag, .to = &given.beside_object},
    {"--library", "-l", VALUES | ATTACHED, .take = take_library, .with = "-l", .to = &given.linker},
    {"--define-macro", "-D", VALUES | ATTACHED,
     .take = add_option, .with = "-D", .to = &given.preprocessor},
    {"--undefine-macro", "-U", VALUES | ATTACHED,
     .take = add_option, .with = "-U", .to = &given.preprocessor},
    {"--include-path", "-I", VALUES | ATTACHED,
     .take = add_option, .with = "-I", .to = &given.preprocessor},
    {"--system-include", "-isystem", VALUES,
     .take = add_option_and_value, .with = "-isystem", .to = &given.preprocessor},
    {"--library-path", "-L", VALUES | ATTACHED,
     .take = add_option, .with = "-L", .to = &given.linker},
    {"--output-directory", "-odir", VALUE, .take = set_text, .to = &given.output_directory},
    {"--compiler-bindir", "-ccbin", VALUE, .take = set_text, .to = &given.compiler},
    {"--allow-unsupported-compiler", "-allow-unsupported-compiler", ALONE, .take = NULL},
    {"--archiver-binary", "-arbin", VALUE, .take = set_text, .to = &given.archiver},
    {"--cudart", "-cudart", VALUE, .take = NULL},
    {"--cudadevrt", "-cudadevrt", VALUE, .take = NULL},
    {"--libdevice-directory", "-ldir", VALUE, .take = NULL},
    {"--target-directory", "-target-dir", VALUE, .take = NULL},
    {"--use-local-env", "-use-local-env", ALONE, .take = NULL},
    {"--force-cl-env-setup", "-force-cl-env-setup", ALONE, .take = NULL},
    {"--profile", "-pg", ALONE, .take = add_option, .with = "-pg", .to = &given.host},
    {"--debug", "-g", ALONE, .take = add_option, .with = "-g", .to = &given.host},
    {"--device-debug", "-G", ALONE, .take = set_device_debug, .with = "-g", .to = &given.host},
    {"--generate-line-info", "-lineinfo", ALONE, .take = NULL},
    {"--optimization-info", "-opt-info", VALUES, .take = NULL},
    {"--optimize", "-O", VALUE | ATTACHED, .take = set_level},
    {"--Ofast-compile", "-Ofc", VALUE, .take = NULL},
    {"--dopt", "-dopt", VALUE, .take = NULL},
    {"--dlink-time-opt", "-dlto", ALONE, .take = NULL},
    {"--lto", "-lto", ALONE, .take = NULL},
    {"--gen-opt-lto", "-gen-opt-lto", ALONE, .take = NULL},
    {"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", VALUE,
     .take = add_option, .with = "-ftemplate-backtrace-limit=", .to = &given.host},
    {"--ftemplate-depth", "-ftemplate-depth", VALUE,
     .take = add_option, .with = "-ftemplate-depth=", .to = &given.host},
    {"--no-exceptions", "-noeh", ALONE, .take = NULL},
    {"--shared", "-shared", ALONE, .take = set_shared, .with = "-shared", .to = &given.linker},
    {"--x", "-x", VALUE, .take = take_language},
    {"--std", "-std", VALUE, .take = take_standard},
    {"--no-host-device-initializer-list", "-nohdinitlist", ALONE, .take = NULL},
    {"--no-host-device-move-forward", "-nohdmoveforward", ALONE, .take = NULL},
    {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", ALONE, .take = NULL},
    {"--extended-lambda", "-extended-lambda", ALONE, .take = NULL},
    {"--expt-extended-lambda", "-expt-extended-lambda", ALONE, .take = NULL},
    {"--machine", "-m", VALUE, .take = NULL},
    {"--m64", "-m64", ALONE, .take = NULL},
    {"--compiler-options", "-Xcompiler", VALUE, .take = take_tool_options, .to = &given.host},
    {"--linker-options", "-Xlinker", VALUE,
     .take = take_tool_options, .with = "-Xlinker", .to = &given.linker},
    {"--archive-options", "-Xarchive", VALUE, .take = take_tool_options, .to = &given.archive},
    {"--ptxas-options", "-Xptxas", VALUE, .take = NULL},
    {"--nvlink-options", "-Xnvlink", VALUE, .take = NULL},
    {"--static-global-template-stub", "-static-global-template-stub", VALUE, .take = check_truth},
    {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", VALUE,
     .take = check_truth},
    {"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", ALONE,
     .take = set_forwarding, .number = 1},
    {"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker", ALONE,
     .take = set_forwarding, .number = 2},
    {"--forward-unknown-opts", "-forward-unknown-opts", ALONE, .take = set_forwarding, .number = 3},
    {"--dont-use-profile", "-noprof", ALONE, .take = NULL},
    {"--dryrun", "-dryrun", ALONE, .take = show_places, .to = &given.dry_run},
    {"--verbose", "-v", ALONE, .take = show_places, .to = &given.verbose},
    {"--threads", "-t", VALUE | ATTACHED, .take = check_number},
    {"--split-compile", "-split-compile", VALUE, .take = check_number},
    {"--split-compile-extended", "-split-compile-extended", VALUE, .take = check_number},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", ALONE, .take = NULL},
    {"--fdevice-time-trace", "-fdevice-time-trace", VALUE, .take = NULL},
    {"--keep", "-keep", ALONE, .take = set_flag, .to = &given.keep},
    {"--keep-dir", "-keep-dir", VALUE, .take = keep_in, .to = &given.keep_directory},
    {"--save-temps", "-save-temps", ALONE, .take = set_flag, .to = &given.keep},
    {"--clean-targets", "-clean", ALONE, .take = refuse, .with = "remove the outputs by rm"},
    {"--time", "-time", VALUE, .take = NULL},
    {"--run-args", "-run-args", VALUE, .take = take_tool_options, .to = &given.run_arguments},
    {"--input-drive-prefix", "-idp", VALUE, .take = NULL},
    {"--dependency-drive-prefix", "-ddp", VALUE, .take = NULL},
    {"--drive-prefix", "-dp", VALUE, .take = NULL},
    {"--dependency-target-name", "-MT", VALUE,
     .take = add_option_and_value, .with = "-MT", .to = &given.dependencies},
    {"--no-align-double", "--no-align-double", ALONE, .take = NULL},
    {"--no-device-link", "-nodlink", ALONE, .take = NULL},
    {"--gpu-architecture", "-arch", VALUE, .take = take_architecture},
    {"--gpu-code", "-code", VALUES, .take = check_architecture},
    {"--generate-code", "-gencode", VALUE, .take = take_code_generation},
    {"--relocatable-device-code", "-rdc", VALUE, .take = set_relocatable},
    {"--entries", "-e", VALUES, .take = NULL},
    {"--maxrregcount", "-maxrregcount", VALUE, .take = NULL},
    {"--use_fast_math", "-use_fast_math", ALONE, .take = NULL},
    {"--ftz", "-ftz", VALUE, .take = check_truth},
    {"--prec-div", "-prec-div", VALUE, .take = check_truth},
    {"--prec-sqrt", "-prec-sqrt", VALUE, .take = check_truth},
    {"--fmad", "-fmad", VALUE, .take = check_truth},
    {"--extra-device-vectorization", "-extra-device-vectorization", ALONE, .take = NULL},
    {"--default-stream", "-default-stream", VALUE, .take = take_stream},
    {"--disable-warnings", "-w", ALONE, .take = add_option, .with = "-w", .to = &given.host},
    {"--keep-device-functions", "-keep-device-functions", ALONE, .take = NULL},
    {"--source-in-ptx", "-src-in-ptx", ALONE, .take = NULL},
    {"--restrict", "-restrict", ALONE, .take = NULL},
    {"--Wreorder", "-Wreorder", ALONE, .take = add_option, .with = "-Wreorder", .to = &given.host},
    {"--Wdefault-stream-launch", "-Wdefault-stream-launch", ALONE, .take = NULL},
    {"--Wmissing-launch-bounds", "-Wmissing-launch-bounds", ALONE, .take = NULL},
    {"--Wext-lambda-captures-this", "-Wext-lambda-captures-this", ALONE, .take = NULL},
    {"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", ALONE,
     .take = add_option, .with = "-Wno-deprecated-declarations", .to = &given.host},
    {"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", ALONE, .take = NULL},
    {"--Werror", "-Werror", VALUES, .take = take_warnings},
    {"--resource-usage", "-res-usage", ALONE, .take = NULL},
    {"--extensible-whole-program", "-ewp", ALONE, .take = NULL},
    {"--no-compress", "-no-compress", ALONE, .take = NULL},
    {"--qpp-config", "-qpp-config", VALUE, .take = NULL},
    {"--compile-as-tools-patch", "-astoolspatch", ALONE, .take = refuse_gpu_code},
    {"--list-gpu-code", "-code-ls", ALONE, .take = set_flag, .to = &given.list_codes},
    {"--list-gpu-arch", "-arch-ls", ALONE, .take = set_flag, .to = &given.list_architectures},
    {"--display-error-number", "-err-no", ALONE, .take = NULL},
    {"--no-display-error-number", "-no-err-no", ALONE, .take = NULL},
    {"--diag-error", "-diag-error", VALUES, .take = NULL},
    {"--diag-suppress", "-diag-suppress", VALUES, .take = NULL},
    {"--diag-warn", "-diag-warn", VALUES, .take = NULL},
    {"--host-linker-script", "-hls", VALUE, .take = take_linker_script},
    {"--augment-host-linker-script", "-aug-hls", ALONE, .take = NULL},
    {"--relocatable-link", "-r", ALONE, .take = refuse, .with = "link the objects by ld -r"},
    {"--brief-diagnostics", "-brief-diag", VALUE, .take = check_truth},
    {"--jump-table-density", "-jtd", VALUE, .take = check_number},
    {"--relocatable-ptx", "-reloc-ptx", ALONE, .take = NULL},
    {"--device-stack-protector", "-device-stack-protector", VALUE, .take = check_truth},
    {"--compress-mode", "-compress-mode", VALUE, .take = NULL},
    {"--frandom-seed", "-frandom-seed", VALUE,
     .take = add_option, .with = "-frandom-seed=", .to = &given.host},
    {"--sanitize", "-sanitize", VALUE, .take = set_text, .to = &given.check},
    {"--jobserver", "-jobserver", ALONE, .take = NULL},
    {"--help", "-h", ALONE, .take = show_help},
    {"--version", "-V", ALONE, .take = show_version},
    {"--options-file", "-optf", VALUES, .take = take_options_file},
    /* of earlier versions */
    {"--fatbin-options", "-Xfatbin", VALUE, .take = NULL},
    {"--cudafe-options", "-Xcudafe", VALUE, .take = NULL},
    {"--diag_suppress", "-diag_suppress", VALUES, .take = NULL},
    /* of the host's compiler, which nvcc takes by -Xcompiler alone; CMake links with them */
    {"-fopenmp", "-fopenmp", ALONE, .take = add_option, .with = "-fopenmp", .to = &given.host},
    {"-fPIC", "-fpic", ALONE, .take = add_option, .with = "-fPIC", .to = &given.host},
    {"-fPIE", "-fpie", ALONE, .take = add_option, .with = "-fPIE", .to = &given.host},
    {"-pie", "-pie", ALONE, .take = add_option, .with = "-pie", .to = &given.host},
    {"-no-pie", "-no-pie", ALONE, .take = add_option, .with = "-no-pie", .to = &given.host},
    {"-pthread", "-pthread", ALONE, .take = add_option, .with = "-pthread", .to = &given.host},
    {"-static-libgcc", "-static-libgcc", ALONE,
     .take = add_option, .with = "-static-libgcc", .to = &given.host},
    {"-static-libstdc++", "-static-libstdc++", ALONE,
     .take = add_option, .with = "-static-libstdc++", .to = &given.host},
    {"-rdynamic", "-rdynamic", ALONE, .take = add_option, .with = "-rdynamic", .to = &given.linker},
    {"-MQ", "-MQ", VALUE, .take = add_option_and_value, .with = "-MQ", .to = &given.dependencies},
    /* of portable-nvcc */
    {"--preload", "--preload", ALONE, .take = set_flag, .to = &given.preload},
    {"--check", "--check", VALUE, .take = set_text, .to = &given.check},
    {"--warps", "--warps", VALUE, .take = set_warps},
};
/* clang-format on */

/* The option of an argument, and where its value begins, or NULL. */
static const struct option *option_of(const char *argument, const char **value)
{
    const size_t length = strcspn(argument, "=");
    const struct option *attached = NULL;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const struct option *const option = &known[k];
        const char *const names[] = {option->longer, option->shorter};
        for (int n = 0; n < 2; n++)
            if (strlen(names[n]) == length && strncmp(names[n], argument, length) == 0) {
                *value = argument[length] ? argument + length + 1 : NULL;
                return option;
            }
        if ((option->form & ATTACHED) && begins(argument, option->shorter))
            attached = option;
    }
    *value = attached ? argument + 2 : NULL;
    return attached;
}

static void take_option(char **arguments, int *k)
{
    const char *const argument = arguments[*k], *value;
    const struct option *const option = option_of(argument, &value);
    struct list values = {NULL, 0};
    if (!option) {
        add(begins(argument, "-Wl,") ? &given.linker : &given.unknown, argument);
        return;
    }
    if (option->form == ALONE && value)
        fail("%.*s takes no value", (int)strcspn(argument, "="), argument);
    if (option->form != ALONE && !value && !(value = arguments[++*k]))
        fail("%s needs a value", argument);
    if (!option->take)
        return;
    if ((option->form & VALUES) != VALUES) {
        option->take(option, value);
        return;
    }
    add_quoted(&values, value, ",");
    for (size_t n = 0; n < values.count; n++)
        option->take(option, values.item[n]);
}

static int is_source(const char *name)
{
    static const char *const suffixes[] = {".cu", ".c",   ".cpp", ".cc", ".cxx",
                                           ".C",  ".c++", ".i",   ".ii", NULL};
    for (const char *const *suffix = suffixes; *suffix; suffix++)
        if (has_suffix(name, *suffix))
            return 1;
    return given.language != NULL && !has_suffix(name, ".o") && !has_suffix(name, ".a") &&
           !has_suffix(name, ".so");
}

static void take_input(const char *argument)
{
    static const char *const of_gpu[] = {".ptx", ".cubin", ".fatbin", ".gpu", NULL};
    /* nvcc's own commands go through a shell: Meson quotes the name of a program. */
    const char *const name =
        access(argument, R_OK) == 0 ? argument : without_quotes(argument, "\"'");
    for (const char *const *suffix = of_gpu; *suffix; suffix++)
        if (has_suffix(name, *suffix))
            fail("%s: GPU code does not run on the CPU; compile the source that it is made of",
                 name);
    if (access(name, R_OK) != 0)
        fail("cannot read %s: %s", name, strerror(errno));
    add(&given.inputs, name);
    if (!is_source(name))
        add(&given.linker, name);
}

static void take_options(char **arguments)
{
    for (int k = 0; arguments[k]; k++) {
        if (arguments[k][0] == '@')
            take_options_file(NULL, arguments[k] + 1);
        else if (arguments[k][0] == '-' && arguments[k][1])
            take_option(arguments, &k);
        else
            take_input(arguments[k]);
    }
}

/* Gives the options that are not nvcc's to the host's compiler and linker, if asked for. */
static void forward_unknown_options(void)
{
    for (size_t k = 0; k < given.unknown.count; k++) {
        const char *const option = given.unknown.item[k];
        if (given.forward & 1) {
            add(&given.host, option);
            given.keep_warnings |= begins(option, "-W");
        }
        if (given.forward & 2) {
            add(&given.linker, "-Xlinker");
            add(&given.linker, option);
        }
        if (given.forward)
            continue;
        if (begins(option, "-W"))
            fail("%s: give it to the host's compiler: -Xcompiler %s", option, option);
        fail("unknown option %s; portable-nvcc --help lists the options", option);
    }
}

/* ---- processes ---- */

/* Another process removes the directory of temporary files, and ends the compilers, as soon as this
 * one has ended, whatever ended it. It leads the process group that the compilers are in. */
static struct {
    pid_t process;
    int socket; /* its other end is the guard's */
    char directory[PATH_MAX];
    char *base; /* TMPDIR of this process, or NULL */
} guard;

static int remove_entry(const char *name, const struct stat *status, int kind, struct FTW *place_of)
{
    (void)status;
    (void)kind;
    (void)place_of;
    return remove(name);
}

__attribute__((noreturn)) static void keep_guard(int socket)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    char byte;
    ssize_t got;
    for (size_t k = 0; k < sizeof ignored / sizeof ignored[0]; k++)
        signal(ignored[k], SIG_IGN);
    if (!mkdtemp(guard.directory)) {
        fprintf(stderr, "%s: cannot make %s: %s\n", program, guard.directory, strerror(errno));
        _exit(EXIT_FAILURE);
    }
    if (write(socket, guard.directory, sizeof guard.directory) == sizeof guard.directory) {
        while ((got = read(socket, &byte, 1)) < 0 && errno == EINTR)
            ;
        if (got <= 0)
            kill(0, SIGTERM);
    }
    /* A compiler that is about to end may still write. */
    for (int tries = 0; tries < 1000; tries++) {
        if (nftw(guard.directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0)
            break;
        usleep(10000);
    }
    _exit(EXIT_SUCCESS);
}

static void end_guard(void)
{
    const ssize_t ignored = write(guard.socket, "", 1);
    (void)ignored;
    close(guard.socket);
    while (waitpid(guard.process, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Where the directory is made: for -objtemp beside the output. */
static char *temporary_directory(void)
{
    const char *const slash = given.output ? strrchr(given.output, '/') : NULL;
    if (given.beside_object && given.output)
        return slash ? text("%.*s", (int)(slash - given.output), given.output) : copied(".");
    return copied(guard.base && guard.base[0] ? guard.base : "/tmp");
}

static void start_guard(void)
{
    int sockets[2];
    if (guard.directory[0])
        return;
    guard.base = getenv("TMPDIR") ? copied(getenv("TMPDIR")) : NULL;
    char *const base = temporary_directory();
    if (snprintf(guard.directory, sizeof guard.directory, "%s/portable-nvcc-XXXXXX", base) >=
        (int)sizeof guard.directory)
        fail("%s: the name is too long", base);
    free(base);
    if (given.dry_run)
        return;
    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 ||
        (guard.process = fork()) < 0)
        fail("cannot start a process: %s", strerror(errno));
    setpgid(guard.process, guard.process);
    if (guard.process == 0) {
        close(sockets[0]);
        keep_guard(sockets[1]);
    }
    close(sockets[1]);
    guard.socket = sockets[0];
    if (recv(guard.socket, guard.directory, sizeof guard.directory, MSG_WAITALL) !=
        sizeof guard.directory)
        exit(EXIT_FAILURE);
    atexit(end_guard);
    setenv("TMPDIR", guard.directory, 1); /* the compilers' files too */
}

/* The name of a new temporary file. */
static char *scratch_file(const char *suffix)
{
    static int count;
    start_guard();
    return text("%s/%d%s", guard.directory, count++, suffix);
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
    posix_spawnattr_t attributes;
    pid_t process;
    int status;
    if (given.verbose)
        show(command);
    if (given.dry_run)
        return 0;
    start_guard();
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, guard.process);
    posix_spawn_file_actions_init(&actions);
    if (output) {
        setenv("LC_ALL", "C", 1);
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    }
    const int error =
        posix_spawnp(&process, command->item[0], &actions, &attributes, command->item, environ);
    if (error != 0)
        fail("cannot run %s: %s", command->item[0], strerror(error));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
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

/* Becomes the command. */
static void become(const struct list *command)
{
    if (given.verbose)
        show(command);
    if (given.dry_run)
        return;
    if (guard.process) {
        end_guard();
        if (guard.base)
            setenv("TMPDIR", guard.base, 1);
        else
            unsetenv("TMPDIR");
    }
    execvp(command->item[0], command->item);
    fprintf(stderr, "%s: cannot run %s: %s\n", program, command->item[0], strerror(errno));
    _exit(EXIT_FAILURE);
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

/* The C++ compiler that belongs to a C compiler, such as g++-12 to gcc-12; else the name itself. */
static char *cxx_of(const char *name)
{
    static const char *const names[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}};
    const char *const slash = strrchr(name, '/');
    for (size_t k = 0; k < 3 && !strstr(slash ? slash : name, "++"); k++) {
        const char *const found = strstr(slash ? slash : name, names[k][0]);
        if (!found)
            continue;
        char *const cxx =
            text("%.*s%s%s", (int)(found - name), name, names[k][1], found + strlen(names[k][0]));
        if (in_path(cxx))
            return cxx;
        free(cxx);
    }
    return copied(name);
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
        else
            given.compiler = cxx_of(asked);
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
    else if (plus > name && plus[-1] == 'c')
        memmove(plus, "c", 2); /* c++: cc */
    else
        memcpy(plus, "cc", 2); /* g++-12: gcc-12 */
    return name;
}

/* A check's flags, for the preprocessor or for the compiler and the linker: clang warns of flags
 * that a step does not use. */
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

/* The flags of kernels. */
static void add_instrumentation(struct list *command, int parts)
{
    add_setting(command, "instrument", parts);
    if (given.lockstep)
        add_setting(command, "step", parts);
}

/* The compute capability, times ten. */
static int capability(void)
{
    return given.capability ? given.capability : 75;
}

/* Adds the preprocessor's options: the headers' directories and CUDA's macros. */
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
    char *const list = text("-D__CUDA_ARCH_LIST__=%d0", capability());
    add(command, list);
    free(list);
    if (!is_cuda)
        return;
    add_instrumentation(command, MACROS);
    char *const architecture = text("-D__CUDA_ARCH__=%d0", capability());
    add(command, architecture);
    free(architecture);
    add(command, "-D__CUDACC__=1");
    if (given.relocatable)
        add(command, "-D__CUDACC_RDC__=1");
    add(command, "-include");
    add(command, "cuda_runtime.h");
}

/* The level of optimisation; a check has its own. */
static void add_level(struct list *command)
{
    if (strcmp(given.check, "emulate") == 0)
        add(command, given.level ? given.level : given.device_debug ? "-O0" : "-O2");
}

/* Whether the sources become a library, in one step. */
static int is_library(void)
{
    return given.shared && given.stage == LINK;
}

/* The flags of the compilation proper. */
static void add_compilation(struct list *command, int is_cuda)
{
    add_level(command);
    if (is_cuda)
        add_split(command, setting("cuda.%s", family()), " ");
    add_all(command, &given.host);
    if (is_library())
        add(command, "-fPIC");
    add_setting(command, "compile", OTHERS);
    if (!given.keep_warnings)
        add_split(command, setting("quiet.%s", family()), " ");
}

/* clang instruments kernels before it optimises them: in two steps. */
static void compile_in_two(const struct list *command, const char *output)
{
    struct list first = {NULL, 0}, second = {NULL, 0};
    char *const middle = scratch_file(".bc");
    add_all(&first, command);
    add_instrumentation(&first, OTHERS);
    add_split(&first, "-emit-llvm -c -o", " ");
    add(&first, middle);
    run(&first);
    add(&second, given.compiler);
    add_level(&second);
    add_setting(&second, "compile", OTHERS);
    if (is_library())
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

/* The language of a source, as -x has it. */
static const char *language_of(const char *source)
{
    return given.language              ? given.language
           : has_suffix(source, ".cu") ? "cu"
           : has_suffix(source, ".c")  ? "c"
           : has_suffix(source, ".i")  ? "cpp-output"
           : has_suffix(source, ".ii") ? "c++-cpp-output"
                                       : "c++";
}

/* The compiler of a language, and the standard, if it has one. */
static void add_compiler(struct list *command, const char *language)
{
    const int is_c = strcmp(language, "c") == 0 || strcmp(language, "cpp-output") == 0;
    add(command, is_c ? c_compiler() : given.compiler);
    if (strcmp(language, "cu") == 0)
        add(command, given.standard);
    else if (!is_c && given.host_standard)
        add(command, given.host_standard);
}

/* The preprocessor of a source, and its options. */
static struct list preprocessor_of(const char *source)
{
    const char *const language = language_of(source);
    const int is_cuda = strcmp(language, "cu") == 0;
    struct list command = {NULL, 0};
    add_compiler(&command, language);
    add_split(&command, "-E -x", " ");
    add(&command, is_cuda ? "c++" : language);
    add_all(&command, &given.host);
    add_preprocessor(&command, is_cuda);
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
    const struct translate_options options = {given.clang, given.relocatable, given.lockstep};
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
    /* Wherever it is linked, the object must find the check's runtime. An instrumented object calls
     * functions that no other runtime has (host/cudart/refuse.c). */
    if (strcmp(given.check, "emulate") != 0 &&
        !setting("instrument.%s.%s", given.check, family())[0])
        fprintf(out,
                "\nextern \"C\" void portable_module_(const char *, const void *);\n"
                "__attribute__((constructor(101))) static void portable_needs_check_()\n"
                "{ portable_module_(\"%s\", (const void *)&portable_needs_check_); }\n",
                given.check);
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

/* A name in the directory that -odir names. */
static char *in_output_directory(const char *name)
{
    return given.output_directory ? text("%s/%s", given.output_directory, name) : copied(name);
}

static void add_dependencies(struct list *command, const char *source, const char *object)
{
    char *const stem = stem_of(source), *const name = text("%s.d", stem);
    char *beside = in_output_directory(name);
    int target = 0;
    if (given.output && given.stage == COMPILE) {
        const char *const dot = strrchr(given.output, '.');
        beside = text("%.*s.d", dot ? (int)(dot - given.output) : (int)strlen(given.output),
                      given.output);
    }
    for (size_t k = 0; k < given.dependencies.count; k++)
        target |=
            begins(given.dependencies.item[k], "-MT") || begins(given.dependencies.item[k], "-MQ");
    add_all(command, &given.dependencies);
    if (!target) {
        add(command, "-MT");
        add(command, object);
    }
    if (given.stage != DEPENDENCIES) {
        add(command, "-MF");
        add(command, given.dependencies_file ? given.dependencies_file : beside);
    }
    free(stem);
    free(name);
    free(beside);
}

/* Writes make's rules as nvcc does, with one file a line, which CMake's FindCUDA reads. */
static void write_rules(FILE *in, FILE *out)
{
    int before = '\n', blank = 0, is_target = 1;
    for (int c; (c = getc(in)) != EOF; before = c) {
        const int next = getc(in);
        ungetc(next, in);
        if (c == '\\' && next == '\n') {
            c = getc(in);
            blank = 1;
        } else if (c == ' ' && before != '\\') {
            blank = 1;
        } else if (c == '\n') {
            putc(c, out);
            blank = 0;
            is_target = 1;
        } else if (is_target && c == ':' && next == ' ') {
            fputs(" :", out);
            is_target = -1;
        } else {
            if (blank)
                fputs(is_target ? " " : " \\\n    ", out);
            is_target += is_target < 0;
            blank = 0;
            putc(c, out);
        }
    }
}

/* Only preprocesses: -E, -M, -MM. */
static void preprocess(const char *source)
{
    struct list command = preprocessor_of(source);
    const char *const output = given.stage == DEPENDENCIES && given.dependencies_file
                                   ? given.dependencies_file
                                   : given.output;
    char *const stem = stem_of(source), *const name = text("%s.o", stem);
    char *const object = in_output_directory(name);
    char *rules = NULL;
    if (given.stage == DEPENDENCIES) {
        add_dependencies(&command, source, object);
        rules = scratch_file(".d");
    }
    if (rules || output) {
        add(&command, "-o");
        add(&command, rules ? rules : output);
    }
    add(&command, source);
    run_on(source, &command);
    if (rules && !given.dry_run) {
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
    free(rules);
    free(stem);
    free(name);
    free(object);
}

/* The name of a file between the source and the object, which -keep keeps. */
static char *name_between(const char *source, const char *suffix)
{
    if (!given.keep)
        return scratch_file(suffix);
    char *const stem = stem_of(source);
    char *const name =
        text("%s/%s%s", given.keep_directory ? given.keep_directory : ".", stem, suffix);
    free(stem);
    return name;
}

static void compile(const char *source, const char *object, const char *target)
{
    struct list command = {NULL, 0};
    const char *const language = language_of(source);
    const int is_cuda = strcmp(language, "cu") == 0;
    char *preprocessed = NULL, *translated = NULL;
    if (is_cuda) {
        struct list first = preprocessor_of(source);
        preprocessed = name_between(source, ".cpp1.ii");
        translated = name_between(source, ".cu.cpp.ii");
        if (given.write_dependencies)
            add_dependencies(&first, source, target);
        add(&first, source);
        add(&first, "-o");
        add(&first, preprocessed);
        run_on(source, &first);
        translate_file(preprocessed, translated);
    }
    add_compiler(&command, language);
    add_compilation(&command, is_cuda);
    if (!is_cuda) {
        add_preprocessor(&command, 0);
        if (given.write_dependencies)
            add_dependencies(&command, source, target);
    }
    add(&command, "-x");
    add(&command, is_cuda ? "c++-cpp-output" : language);
    add(&command, is_cuda ? translated : source);
    if (is_cuda && given.clang &&
        (given.lockstep || setting("instrument.%s.clang", given.check)[0])) {
        compile_in_two(&command, object);
    } else {
        if (is_cuda)
            add_instrumentation(&command, OTHERS);
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
 * the sanitizers are is for the sentence of refuse.c. */
static void add_runtime(struct list *command, int shared)
{
    char *const directory = library_directory();
    char *const runtime = text("%s/libcudart.so.13", directory);
    const struct list libraries = sanitizers();
    add_split(command, "-Wl,--push-state,--no-as-needed", " ");
    add(command, runtime);
    if (shared && libraries.count > 0) {
        char *const fallbacks = text("%s/cuda/lib64/libportable_fallbacks.so", conf.home);
        add(command, fallbacks);
        free(fallbacks);
    }
    add_split(command, "-Wl,--pop-state -Wl,--disable-new-dtags", " ");
    add_search_path(command, directory);
    if (strcmp(given.check, "emulate") != 0) /* for libraries that have no check */
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

static void add_modules(struct list *command, const char *names)
{
    struct list files = {NULL, 0};
    add_split(&files, names, " ");
    for (size_t k = 0; k < files.count; k++) {
        char *const path = place(files.item[k]);
        add(command, path);
        free(path);
    }
}

static void link_program(const struct list *objects, const char *output)
{
    struct list command = {NULL, 0};
    char *const merge = place(setting("merge")), *const script = text("-Wl,-T,%s", merge);
    add(&command, given.compiler);
    if (given.verbose &&
        !given.dry_run) /* CMake reads the libraries and directories of the linker's own line */
        add(&command, "-v");
    add_all(&command, &given.host);
    add_setting(&command, "compile", OTHERS);
    add_setting(&command, "link", OTHERS);
    if (given.lockstep)
        add_setting(&command, "linkstep", OTHERS);
    /* A program is linked with the sanitizers. A library uses those of the process; if it has none,
     * refuse.c prints how to preload them. */
    if (strcmp(given.check, "memcheck") == 0 && given.shared)
        add(&command, "-fno-sanitize=all");
    /* First, because memcheck's guards precede all other objects of their sections. */
    add_modules(&command, setting("module.%s", given.check));
    if (given.lockstep)
        add_modules(&command, setting("modulestep.%s", given.check));
    add_all(&command, objects);
    add_all(&command, &given.linker);
    add(&command, script);
    /* Reports at the end of the process name lines of the library. */
    if (given.shared && setting("module.%s", given.check)[0])
        add(&command, "-Wl,-z,nodelete");
    add_runtime(&command, given.shared);
    add_split(&command, "-lm -lpthread -o", " ");
    add(&command, output);
    run(&command);
    if (given.verbose) {
        /* The same as a command of portable-nvcc, which CMake takes for the linker: the last that
         * names lib64, as the linker's own does if LIBRARY_PATH has it. */
        struct list again = {NULL, 0};
        char *const library = text("-L%s/cuda/lib64", conf.home);
        add(&again, conf.self);
        add_all(&again, objects);
        add_all(&again, &given.linker);
        add(&again, library);
        /* and gives to the linker of C++, where a program has files of both */
        add_split(&again, "-lcudadevrt -lcudart_static -lrt -lpthread -ldl -o", " ");
        add(&again, output);
        show(&again);
        free(library);
    }
    free(merge);
    free(script);
}

static void archive(const struct list *objects, const char *output)
{
    struct list command = {NULL, 0};
    add(&command, given.archiver ? given.archiver : "ar");
    add(&command, "rcs");
    add_all(&command, &given.archive);
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
    become(&command);
    free(name);
}

/* For -run with a program that is built already. */
static int is_program(const char *name)
{
    return !is_source(name) && !has_suffix(name, ".o") && !has_suffix(name, ".a") &&
           !strstr(name, ".so") && access(name, X_OK) == 0;
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
    given.standard = "-std=gnu++17";
    take_variable("NVCC_PREPEND_FLAGS");
    take_options(arguments + 1);
    take_variable("NVCC_APPEND_FLAGS");
    forward_unknown_options();
    if (given.list_architectures || given.list_codes)
        show_architectures();
    choose_compiler();
    if (!given.check && getenv("PORTABLE_CHECK") && getenv("PORTABLE_CHECK")[0])
        given.check = getenv("PORTABLE_CHECK");
    if (!given.check)
        given.check = "emulate";
    else if (!is_one_of(given.check, checks))
        fail("--check takes memcheck, racecheck, initcheck or synccheck, not %s",
             shown(given.check));
    if (!setting_or_null(text("module.%s", given.check)))
        fail("--check=%s: the checks need glibc", given.check);
    if (given.preload) {
        show_preload();
        return EXIT_SUCCESS;
    }
    if (given.inputs.count == 0)
        fail("no input files");
    if (given.run && given.inputs.count == 1 && is_program(given.inputs.item[0])) {
        run_program(given.inputs.item[0]);
        return EXIT_SUCCESS;
    }
    for (size_t k = 0; k < given.inputs.count; k++)
        if (is_source(given.inputs.item[k])) {
            add(&sources, given.inputs.item[k]);
            drop(&given.linker, given.inputs.item[k]); /* -x came later */
        }
    struct stat status;
    if (given.output && stat(given.output, &status) == 0 && S_ISDIR(status.st_mode))
        fail("-o %s: this is a directory; -odir names one", given.output);
    if (given.stage == COMPILE && given.output && sources.count > 1)
        fail("-c with -o takes one source, not %zu", sources.count);

    if (given.stage == DEVICE_LINK) {
        device_link(given.output ? given.output : in_output_directory("a_dlink.o"));
        return EXIT_SUCCESS;
    }
    for (size_t k = 0; k < sources.count; k++) {
        const char *const source = sources.item[k];
        if (given.stage == PREPROCESS || given.stage == DEPENDENCIES) {
            preprocess(source);
            continue;
        }
        char *const stem = stem_of(source), *const name = text("%s.o", stem);
        char *const beside = in_output_directory(name);
        const char *const target = given.output && given.stage == COMPILE ? given.output : beside;
        char *const object = given.stage == COMPILE ? copied(target) : name_between(source, ".o");
        compile(source, object, target);
        add(&objects, object);
        free(object);
        free(beside);
        free(name);
        free(stem);
    }
    if (given.stage == LINK) {
        const char *const output = given.output ? given.output : in_output_directory("a.out");
        link_program(&objects, output);
        if (given.run)
            run_program(output);
    } else if (given.stage == ARCHIVE) {
        archive(&objects, given.output ? given.output : in_output_directory("a.a"));
    }
    return EXIT_SUCCESS;
}
