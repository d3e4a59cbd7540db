/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* getline */

#include "host/nvcc/options.h"

#include "host/nvcc/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h> /* access */

struct options options = {.standard = "-std=gnu++17"};

/* Options that are not in the table, and where they go. */
enum { TO_COMPILER = 1, TO_LINKER = 2 };
static struct list unknown;
static int forwarding;

static int list_architectures, list_codes;

/* Libraries that the runtime replaces, those beside it, and those that have no counterpart. */
/* clang-format off */
static const char *const own_libraries[] = {
    "cudart", "cudart_static", "cudadevrt", "nvToolsExt", "cublas", "cublas_static",
    "cublasLt", "cublasLt_static", "nvtx3interop", "culibos", "nvrtc-builtins",
    "nvrtc-builtins_static", "nvptxcompiler_static", NULL};
static const struct {
    const char *name, *file, *package; /* that it is built with */
} host_libraries[] = {
    {"cuda", "libcuda.so.1", NULL},
    {"cufft", "libcufft.so.12", "FFTW (Debian: libfftw3-dev)"},
    {"curand", "libcurand.so.10", "a C++ compiler"},
    {"cusolver", "libcusolver.so.12", "LAPACKE (Debian: liblapacke-dev)"},
    {"cusparse", "libcusparse.so.12", NULL},
    {"nccl", "libnccl.so.2", NULL},
    {"nvidia-ml", "libnvidia-ml.so.1", NULL},
    {"nvrtc", "libnvrtc.so.13", NULL},
    {"nvJitLink", "libnvJitLink.so.13", NULL},
};
static const char *const foreign_libraries[] = {
    "cufftw", "cudnn", "nvjpeg", "npp", "nppc", "nppi", "nppial",
    "nppicc", "nppidei", "nppif", "nppig", "nppim", "nppist", "nppisu", "nppitc", "npps",
    "cufile", "cupti", NULL};
/* clang-format on */

static void usage(void)
{
    puts("portable-nvcc [options] files: compiles CUDA C++ for the CPU, with nvcc's command line\n"
         "\n"
         "  --check=memcheck|racecheck|initcheck|synccheck|\n"
         "          streamcheck|ordercheck|accesscheck|fpcheck\n"
         "                     build a program that checks itself; also PORTABLE_CHECK=...\n"
         "  --stores           with --check=fpcheck: the program records the values that its "
         "kernels\n"
         "                     store, or compares them with a record; -fmad=true, -ftz=true,\n"
         "                     -prec-div=false, -prec-sqrt=false and -use_fast_math have\n"
         "                     their effect\n"
         "  --warps=lockstep   the lanes of a warp run together from access to access, as on GPUs\n"
         "                     before Volta; --warps=independent is the default\n"
         "  --cccl=DIRECTORY   where Thrust, CUB and cuda::std are: of a toolkit, a package or a\n"
         "                     checkout of CCCL; --cccl=none: nowhere\n"
         "  -c, -dc            compile to an object file\n"
         "  -ptx, -cubin, -fatbin   compile to a file for cuModuleLoad, which no GPU can run\n"
         "  -o FILE, -odir DIRECTORY   name the output\n"
         "  -I -D -U -include -isystem -std -O -g -G -L -l -shared -lib -dlink -run\n"
         "  -E -M -MM -MD -MMD -MF -MT -MP   preprocess; dependencies\n"
         "  -x cu|c|c++        the language of the files\n"
         "  -Xcompiler, -Xlinker, -Xarchive   options for the compiler, the linker, ar\n"
         "  -ccbin COMPILER    g++ or clang++\n"
         "  -arch=sm_NN        the value of __CUDA_ARCH__: NN0; 750 without it\n"
         "  --cuda-version=12.4   what an older CUDA had, 11.0 or newer, and its version numbers\n"
         "  -optf FILE         a file with options\n"
         "  -v, --dryrun       print the commands\n"
         "  --preload          print LD_PRELOAD's value for a program of another linker, such as\n"
         "                     Python, that loads libraries built with the check\n"
         "  -keep, -keep-dir DIRECTORY   keep what is between the source and the object\n"
         "  -rdc=true          names of __device__ variables and functions span files\n"
         "\n"
         "nvcc's other options are accepted and do nothing, as they only mean something to a GPU "
         "or\n"
         "to its tools.");
}

/* The values of an option: none, one (-option value, -option=value), or several separated by
 * commas. Some options of one letter take the value attached, as -DNAME. */
enum { ALONE = 0, VALUE = 1, VALUES = 3, ATTACHED = 4 };

struct option {
    const char *long_name, *short_name;
    int form;
    /* Called for the option, with each of its values, or with NULL if it is ALONE. NULL: the option
     * only means something to a GPU or to CUDA's tools. */
    void (*handle)(const struct option *option, const char *value);
    /* Arguments of the handler: */
    const char *text;
    void *to; /* the list, the string or the flag that it changes */
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
/* The text and the value, as one word. */
static void add_option(const struct option *option, const char *value)
{
    char *const whole = format_text("%s%s", option->text, value ? value : "");
    list_add((struct list *)option->to, whole);
    free(whole);
}
/* The text and the value, as two words. */
static void add_option_and_value(const struct option *option, const char *value)
{
    list_add((struct list *)option->to, option->text);
    list_add((struct list *)option->to, value);
}
static void set_stage(const struct option *option, const char *value)
{
    (void)value;
    options.stage = (enum stage)option->number;
    if (option->text)
        list_add(&options.dependencies, option->text);
}
static void set_device_compilation(const struct option *option, const char *value)
{
    (void)value;
    options.stage = COMPILE;
    options.relocatable = option->number;
}
static void set_forwarding(const struct option *option, const char *value)
{
    (void)value;
    forwarding |= option->number;
}
static void set_dependencies(const struct option *option, const char *value)
{
    (void)value;
    options.write_dependencies = 1;
    list_add(&options.dependencies, option->text);
}
static void set_image(const struct option *option, const char *value)
{
    (void)value;
    options.image = option->text;
}
static void refuse_gpu_code(const struct option *option, const char *value)
{
    (void)value;
    fail("%s: there is no GPU code to write; the output is for the CPU", option->short_name);
}
static void refuse(const struct option *option, const char *value)
{
    (void)value;
    fail("%s: %s", option->short_name, option->text);
}
static void check_number(const struct option *option, const char *value)
{
    if (!value[0] || value[strspn(value, "0123456789")])
        fail("%s takes a number, not %s", option->short_name, value);
}
static void set_level(const struct option *option, const char *value)
{
    check_number(option, value);
    options.level = format_text("-O%s", value);
}
static void set_warps(const struct option *option, const char *value)
{
    options.lockstep = strcmp(value, "lockstep") == 0;
    if (!options.lockstep && strcmp(value, "independent") != 0)
        fail("%s takes lockstep or independent, not %s", option->short_name, value);
}
static void set_cuda_version(const struct option *option, const char *value)
{
    const int minor = strlen(value) == 4 && value[2] == '.' ? value[3] - '0' : -1;
    options.cuda_version = atoi(value) * 1000 + minor * 10;
    if (minor < 0 || minor > 9 || options.cuda_version < 11000 || options.cuda_version > 13000)
        fail("%s takes a version of CUDA from 11.0 to 13.0, such as 12.4, not %s",
             option->short_name, shown(value));
}
static int is_true(const struct option *option, const char *value)
{
    const int yes = strcmp(value, "true") == 0;
    if (!yes && strcmp(value, "false") != 0)
        fail("%s takes true or false, not %s", option->short_name, value);
    return yes;
}
static void set_truth(const struct option *option, const char *value)
{
    *(int *)option->to = is_true(option, value);
}
static void set_untruth(const struct option *option, const char *value)
{
    *(int *)option->to = !is_true(option, value);
}
static void set_fast_math(const struct option *option, const char *value)
{
    (void)option;
    (void)value;
    options.contract = options.flush = options.fast_math = 1;
    options.rough_division = options.rough_root = 1;
}
static void check_truth(const struct option *option, const char *value)
{
    is_true(option, value);
}
static void set_relocatable(const struct option *option, const char *value)
{
    options.relocatable = is_true(option, value);
}
static void set_device_debug(const struct option *option, const char *value)
{
    add_option(option, value);
    options.device_debug = 1;
}
static void set_shared(const struct option *option, const char *value)
{
    add_option(option, value);
    options.shared = 1;
}
static void set_keep_directory(const struct option *option, const char *value)
{
    set_text(option, value);
    options.keep = 1;
}
/* Whether it is the library, or the static form of it. */
static int is_library(const char *name, const char *library)
{
    return starts_with(name, library) &&
           (name[strlen(library)] == '\0' || strcmp(name + strlen(library), "_static") == 0);
}
static void add_library(const struct option *option, const char *name)
{
    if (is_one_of(name, own_libraries))
        return;
    for (size_t k = 0; k < sizeof host_libraries / sizeof host_libraries[0]; k++)
        if (is_library(name, host_libraries[k].name)) {
            char *const path =
                format_text("%s/cuda/lib64/%s", installation.directory, host_libraries[k].file);
            if (host_libraries[k].package && access(path, R_OK) != 0)
                fail("-l%s: portable-nvcc was built without %s: install it and build "
                     "portable-nvcc again",
                     name, host_libraries[k].package);
            list_add((struct list *)option->to, path);
            free(path);
            return;
        }
    if (is_one_of(name, foreign_libraries))
        fail("-l%s: this library of CUDA's has no counterpart on the CPU", name);
    add_option(option, name);
}
static void set_language(const struct option *option, const char *value)
{
    (void)option;
    if (strcmp(value, "cu") != 0 && strcmp(value, "c") != 0 && strcmp(value, "c++") != 0)
        fail("-x takes cu, c or c++, not %s", value);
    options.language = value;
}
/* The headers are C++17 in CUDA C++, and C++11 for others. */
static void set_standard(const struct option *option, const char *value)
{
    static const char *const years[] = {"03", "11", "14", "17", "20", "23", "26", NULL};
    const char *const year = value + strcspn(value, "0123456789");
    (void)option;
    if ((!starts_with(value, "c++") && !starts_with(value, "gnu++")) || !is_one_of(year, years))
        fail("-std takes c++03, c++11, c++14, c++17, c++20 or newer, not %s", value);
    options.standard = format_text("-std=gnu++%s", atoi(year) > 17 ? year : "17");
    options.host_standard = strcmp(year, "03") == 0 ? "-std=c++11" : format_text("-std=%s", value);
}
/* sm_75, compute_90a, lto_80: the number; 0 for one that the machine or the version determines. */
static int architecture(const struct option *option, const char *name)
{
    const char *const digits = name + strcspn(name, "0123456789");
    const int number = atoi(digits);
    const char *const end = digits + strspn(digits, "0123456789");
    if (strcmp(name, "native") == 0 || strcmp(name, "all") == 0 || strcmp(name, "all-major") == 0)
        return 0;
    if ((!starts_with(name, "sm_") && !starts_with(name, "compute_") &&
         !starts_with(name, "lto_")) ||
        digits[-1] != '_' || number < 10 || number > 200 ||
        (end[0] && strcmp(end, "a") != 0 && strcmp(end, "f") != 0))
        fail("unknown architecture %s: %s takes sm_NN or compute_NN, native, all or all-major",
             shown(name), option->short_name);
    return number;
}
/* The highest counts. Those that CUDA no longer supports are taken for 75. */
static void set_architecture(const struct option *option, const char *name)
{
    const int number = architecture(option, name);
    if (number >= 50 && number > options.capability)
        options.capability = number;
}
static void check_architecture(const struct option *option, const char *name)
{
    architecture(option, name);
}
/* arch=compute_90,code=[sm_90,compute_90]; quotes may take the place of the brackets. */
static void set_code_generation(const struct option *option, const char *value)
{
    struct list words = {NULL, 0};
    int codes = 0;
    list_add_split(&words, value, ",[]\"\\");
    for (size_t k = 0; k < words.count && starts_with(words.item[0], "arch="); k++) {
        const char *const word = words.item[k];
        const char *const code = word + (starts_with(word, "code=") ? strlen("code=") : 0);
        if (starts_with(word, "arch="))
            set_architecture(option, word + strlen("arch="));
        else if (code[0]) {
            check_architecture(option, code);
            codes++;
        }
    }
    if (codes == 0)
        fail("%s takes arch=compute_NN,code=sm_NN, not %s", option->short_name, shown(value));
}
static void set_warnings(const struct option *option, const char *kind)
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
        fail("%s does not take %s", option->short_name, kind);
    if (strcmp(kind, kinds[0]) == 0)
        list_add(&options.host, "-Werror");
}
static void set_default_stream(const struct option *option, const char *value)
{
    static const char *const streams[] = {"legacy", "null", "per-thread", NULL};
    if (!is_one_of(value, streams))
        fail("%s takes legacy, null or per-thread, not %s", option->short_name, value);
    if (strcmp(value, "per-thread") == 0)
        list_add(&options.preprocessor, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
}
static void check_linker_script(const struct option *option, const char *value)
{
    if (strcmp(value, "use-lcs") != 0)
        fail("%s=%s: there is no GPU code that needs a linker script", option->short_name, value);
}
/* Options of another tool, as nvcc's: with commas or blanks between them, and, as it calls the tool
 * by a shell, quotes in each. */
static void add_tool_options(const struct option *option, const char *value)
{
    struct list words = {NULL, 0};
    list_add_quoted(&words, value, ", \t\n");
    for (size_t k = 0; k < words.count; k++) {
        char *const word = unquote(words.item[k], "\"'");
        if (option->text)
            list_add((struct list *)option->to, option->text);
        list_add((struct list *)option->to, word);
        options.keep_warnings |= option->to == &options.host && starts_with(word, "-W");
        free(word);
    }
}
static void parse_options(char **arguments);

/* Blanks separate options; quotes are taken away. */
static void parse_options_file(const struct option *option, const char *name)
{
    FILE *const file = fopen(name, "r");
    struct list words = {NULL, 0};
    char *line = NULL;
    size_t capacity = 0;
    (void)option;
    if (!file)
        fail("cannot read %s: %s", name, strerror(errno));
    while (getline(&line, &capacity, file) > 0)
        list_add_quoted(&words, line, " \t\r\n");
    free(line);
    fclose(file);
    for (size_t k = 0; k < words.count; k++)
        words.item[k] = unquote(words.item[k], "\"");
    if (words.count > 0)
        parse_options(words.item);
}
/* CMake reads from nvcc -v where the toolkit is, and what every link line has. */
static void show_places(const struct option *option, const char *value)
{
    const int is_shown = options.verbose;
    set_flag(option, value);
    options.verbose = 1;
    if (!is_shown)
        fprintf(stderr,
                "#$ TOP=%s/cuda\n#$ NVVMIR_LIBRARY_DIR=%s/cuda/nvvm/libdevice\n#$ PATH=%s\n"
                "#$ INCLUDES=-I%s/cuda/include\n#$ LIBRARIES=-L%s/cuda/lib64\n",
                installation.directory, installation.directory,
                getenv("PATH") ? getenv("PATH") : "", installation.directory,
                installation.directory);
}
static void show_version(const struct option *option, const char *value)
{
    (void)option;
    (void)value;
    /* CMake looks for nvcc's first line. */
    const int major = cuda_version() / 1000, minor = cuda_version() % 1000 / 10;
    printf("portable-nvcc %s: CUDA C++ for the CPU, in the place of\n"
           "nvcc: NVIDIA (R) Cuda compiler driver\n"
           "Cuda compilation tools, release %d.%d, V%d.%d.0\n",
           setting("version"), major, minor, major, minor);
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
__attribute__((noreturn)) static void show_architectures(void)
{
    static const int numbers[] = {75, 80, 86, 87, 88, 89, 90, 100, 110, 103, 120, 121};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        if (list_architectures && list_codes)
            printf("arch=compute_%d,code=sm_%d\n", numbers[k], numbers[k]);
        else
            printf("%s_%d\n", list_codes ? "sm" : "compute", numbers[k]);
    }
    exit(EXIT_SUCCESS);
}

/* nvcc's options, in the order of its help, and after them those that it does not have. */
/* clang-format off */
static const struct option table[] = {
    {"--cuda", "-cuda", ALONE, .handle = refuse_gpu_code},
    {"--cubin", "-cubin", ALONE, .handle = set_image, .text = ".cubin"},
    {"--fatbin", "-fatbin", ALONE, .handle = set_image, .text = ".fatbin"},
    {"--ptx", "-ptx", ALONE, .handle = set_image, .text = ".ptx"},
    {"--optix-ir", "-optix-ir", ALONE, .handle = refuse_gpu_code},
    {"--ltoir", "-ltoir", ALONE, .handle = refuse_gpu_code},
    {"--preprocess", "-E", ALONE, .handle = set_stage, .number = PREPROCESS},
    {"--generate-dependencies", "-M", ALONE,
     .handle = set_stage, .text = "-M", .number = DEPENDENCIES},
    {"--generate-nonsystem-dependencies", "-MM", ALONE,
     .handle = set_stage, .text = "-MM", .number = DEPENDENCIES},
    {"--generate-dependencies-with-compile", "-MD", ALONE,
     .handle = set_dependencies, .text = "-MD"},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD", ALONE,
     .handle = set_dependencies, .text = "-MMD"},
    {"--dependency-output", "-MF", VALUE, .handle = set_text, .to = &options.dependencies_file},
    {"--generate-dependency-targets", "-MP", ALONE,
     .handle = add_option, .text = "-MP", .to = &options.dependencies},
    {"--compile", "-c", ALONE, .handle = set_stage, .number = COMPILE},
    {"--device-c", "-dc", ALONE, .handle = set_device_compilation, .number = 1},
    {"--device-w", "-dw", ALONE, .handle = set_device_compilation, .number = 0},
    {"--device-link", "-dlink", ALONE, .handle = set_stage, .number = DEVICE_LINK},
    {"--link", "-link", ALONE, .handle = set_stage, .number = LINK},
    {"--lib", "-lib", ALONE, .handle = set_stage, .number = ARCHIVE},
    {"--run", "-run", ALONE, .handle = set_flag, .to = &options.run},
    {"--output-file", "-o", VALUE, .handle = set_text, .to = &options.output},
    {"--pre-include", "-include", VALUES,
     .handle = add_option_and_value, .text = "-include", .to = &options.preprocessor},
    {"--objdir-as-tempdir", "-objtemp", ALONE,
     .handle = set_flag, .to = &options.temporaries_beside},
    {"--library", "-l", VALUES | ATTACHED,
     .handle = add_library, .text = "-l", .to = &options.linker},
    {"--define-macro", "-D", VALUES | ATTACHED,
     .handle = add_option, .text = "-D", .to = &options.preprocessor},
    {"--undefine-macro", "-U", VALUES | ATTACHED,
     .handle = add_option, .text = "-U", .to = &options.preprocessor},
    {"--include-path", "-I", VALUES | ATTACHED,
     .handle = add_option, .text = "-I", .to = &options.preprocessor},
    {"--system-include", "-isystem", VALUES,
     .handle = add_option_and_value, .text = "-isystem", .to = &options.preprocessor},
    {"--library-path", "-L", VALUES | ATTACHED,
     .handle = add_option, .text = "-L", .to = &options.linker},
    {"--output-directory", "-odir", VALUE, .handle = set_text, .to = &options.output_directory},
    {"--compiler-bindir", "-ccbin", VALUE, .handle = set_text, .to = &options.compiler},
    {"--allow-unsupported-compiler", "-allow-unsupported-compiler", ALONE, .handle = NULL},
    {"--archiver-binary", "-arbin", VALUE, .handle = set_text, .to = &options.archiver},
    {"--cudart", "-cudart", VALUE, .handle = NULL},
    {"--cudadevrt", "-cudadevrt", VALUE, .handle = NULL},
    {"--libdevice-directory", "-ldir", VALUE, .handle = NULL},
    {"--target-directory", "-target-dir", VALUE, .handle = NULL},
    {"--use-local-env", "-use-local-env", ALONE, .handle = NULL},
    {"--force-cl-env-setup", "-force-cl-env-setup", ALONE, .handle = NULL},
    {"--profile", "-pg", ALONE, .handle = add_option, .text = "-pg", .to = &options.host},
    {"--debug", "-g", ALONE, .handle = add_option, .text = "-g", .to = &options.host},
    {"--device-debug", "-G", ALONE, .handle = set_device_debug, .text = "-g", .to = &options.host},
    {"--generate-line-info", "-lineinfo", ALONE, .handle = NULL},
    {"--optimization-info", "-opt-info", VALUES, .handle = NULL},
    {"--optimize", "-O", VALUE | ATTACHED, .handle = set_level},
    {"--Ofast-compile", "-Ofc", VALUE, .handle = NULL},
    {"--dopt", "-dopt", VALUE, .handle = NULL},
    {"--dlink-time-opt", "-dlto", ALONE, .handle = NULL},
    {"--lto", "-lto", ALONE, .handle = NULL},
    {"--gen-opt-lto", "-gen-opt-lto", ALONE, .handle = NULL},
    {"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", VALUE,
     .handle = add_option, .text = "-ftemplate-backtrace-limit=", .to = &options.host},
    {"--ftemplate-depth", "-ftemplate-depth", VALUE,
     .handle = add_option, .text = "-ftemplate-depth=", .to = &options.host},
    {"--no-exceptions", "-noeh", ALONE, .handle = NULL},
    {"--shared", "-shared", ALONE, .handle = set_shared, .text = "-shared", .to = &options.linker},
    {"--x", "-x", VALUE, .handle = set_language},
    {"--std", "-std", VALUE, .handle = set_standard},
    {"--no-host-device-initializer-list", "-nohdinitlist", ALONE, .handle = NULL},
    {"--no-host-device-move-forward", "-nohdmoveforward", ALONE, .handle = NULL},
    {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", ALONE, .handle = NULL},
    {"--extended-lambda", "-extended-lambda", ALONE, .handle = NULL},
    {"--expt-extended-lambda", "-expt-extended-lambda", ALONE, .handle = NULL},
    {"--machine", "-m", VALUE, .handle = NULL},
    {"--m64", "-m64", ALONE, .handle = NULL},
    {"--compiler-options", "-Xcompiler", VALUE, .handle = add_tool_options, .to = &options.host},
    {"--linker-options", "-Xlinker", VALUE,
     .handle = add_tool_options, .text = "-Xlinker", .to = &options.linker},
    {"--archive-options", "-Xarchive", VALUE, .handle = add_tool_options, .to = &options.archive},
    {"--ptxas-options", "-Xptxas", VALUE, .handle = NULL},
    {"--nvlink-options", "-Xnvlink", VALUE, .handle = NULL},
    {"--static-global-template-stub", "-static-global-template-stub", VALUE, .handle = check_truth},
    {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", VALUE,
     .handle = check_truth},
    {"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", ALONE,
     .handle = set_forwarding, .number = TO_COMPILER},
    {"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker", ALONE,
     .handle = set_forwarding, .number = TO_LINKER},
    {"--forward-unknown-opts", "-forward-unknown-opts", ALONE,
     .handle = set_forwarding, .number = TO_COMPILER | TO_LINKER},
    {"--dont-use-profile", "-noprof", ALONE, .handle = NULL},
    {"--dryrun", "-dryrun", ALONE, .handle = show_places, .to = &options.dry_run},
    {"--verbose", "-v", ALONE, .handle = show_places, .to = &options.verbose},
    {"--threads", "-t", VALUE | ATTACHED, .handle = check_number},
    {"--split-compile", "-split-compile", VALUE, .handle = check_number},
    {"--split-compile-extended", "-split-compile-extended", VALUE, .handle = check_number},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", ALONE, .handle = NULL},
    {"--fdevice-time-trace", "-fdevice-time-trace", VALUE, .handle = NULL},
    {"--keep", "-keep", ALONE, .handle = set_flag, .to = &options.keep},
    {"--keep-dir", "-keep-dir", VALUE, .handle = set_keep_directory, .to = &options.keep_directory},
    {"--save-temps", "-save-temps", ALONE, .handle = set_flag, .to = &options.keep},
    {"--clean-targets", "-clean", ALONE, .handle = refuse, .text = "remove the outputs by rm"},
    {"--time", "-time", VALUE, .handle = NULL},
    {"--run-args", "-run-args", VALUE, .handle = add_tool_options, .to = &options.run_arguments},
    {"--input-drive-prefix", "-idp", VALUE, .handle = NULL},
    {"--dependency-drive-prefix", "-ddp", VALUE, .handle = NULL},
    {"--drive-prefix", "-dp", VALUE, .handle = NULL},
    {"--dependency-target-name", "-MT", VALUE,
     .handle = add_option_and_value, .text = "-MT", .to = &options.dependencies},
    {"--no-align-double", "--no-align-double", ALONE, .handle = NULL},
    {"--no-device-link", "-nodlink", ALONE, .handle = NULL},
    {"--gpu-architecture", "-arch", VALUE, .handle = set_architecture},
    {"--gpu-code", "-code", VALUES, .handle = check_architecture},
    {"--generate-code", "-gencode", VALUE, .handle = set_code_generation},
    {"--relocatable-device-code", "-rdc", VALUE, .handle = set_relocatable},
    {"--entries", "-e", VALUES, .handle = NULL},
    {"--maxrregcount", "-maxrregcount", VALUE, .handle = NULL},
    {"--use_fast_math", "-use_fast_math", ALONE, .handle = set_fast_math},
    {"--ftz", "-ftz", VALUE, .handle = set_truth, .to = &options.flush},
    {"--prec-div", "-prec-div", VALUE, .handle = set_untruth, .to = &options.rough_division},
    {"--prec-sqrt", "-prec-sqrt", VALUE, .handle = set_untruth, .to = &options.rough_root},
    {"--fmad", "-fmad", VALUE, .handle = set_truth, .to = &options.contract},
    {"--extra-device-vectorization", "-extra-device-vectorization", ALONE, .handle = NULL},
    {"--default-stream", "-default-stream", VALUE, .handle = set_default_stream},
    {"--disable-warnings", "-w", ALONE, .handle = add_option, .text = "-w", .to = &options.host},
    {"--keep-device-functions", "-keep-device-functions", ALONE, .handle = NULL},
    {"--source-in-ptx", "-src-in-ptx", ALONE, .handle = NULL},
    {"--restrict", "-restrict", ALONE, .handle = NULL},
    {"--Wreorder", "-Wreorder", ALONE,
     .handle = add_option, .text = "-Wreorder", .to = &options.host},
    {"--Wdefault-stream-launch", "-Wdefault-stream-launch", ALONE, .handle = NULL},
    {"--Wmissing-launch-bounds", "-Wmissing-launch-bounds", ALONE, .handle = NULL},
    {"--Wext-lambda-captures-this", "-Wext-lambda-captures-this", ALONE, .handle = NULL},
    {"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", ALONE,
     .handle = add_option, .text = "-Wno-deprecated-declarations", .to = &options.host},
    {"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", ALONE, .handle = NULL},
    {"--Werror", "-Werror", VALUES, .handle = set_warnings},
    {"--resource-usage", "-res-usage", ALONE, .handle = NULL},
    {"--extensible-whole-program", "-ewp", ALONE, .handle = NULL},
    {"--no-compress", "-no-compress", ALONE, .handle = NULL},
    {"--qpp-config", "-qpp-config", VALUE, .handle = NULL},
    {"--compile-as-tools-patch", "-astoolspatch", ALONE, .handle = refuse_gpu_code},
    {"--list-gpu-code", "-code-ls", ALONE, .handle = set_flag, .to = &list_codes},
    {"--list-gpu-arch", "-arch-ls", ALONE, .handle = set_flag, .to = &list_architectures},
    {"--display-error-number", "-err-no", ALONE, .handle = NULL},
    {"--no-display-error-number", "-no-err-no", ALONE, .handle = NULL},
    {"--diag-error", "-diag-error", VALUES, .handle = NULL},
    {"--diag-suppress", "-diag-suppress", VALUES, .handle = NULL},
    {"--diag-warn", "-diag-warn", VALUES, .handle = NULL},
    {"--host-linker-script", "-hls", VALUE, .handle = check_linker_script},
    {"--augment-host-linker-script", "-aug-hls", ALONE, .handle = NULL},
    {"--relocatable-link", "-r", ALONE, .handle = refuse, .text = "link the objects by ld -r"},
    {"--brief-diagnostics", "-brief-diag", VALUE, .handle = check_truth},
    {"--jump-table-density", "-jtd", VALUE, .handle = check_number},
    {"--relocatable-ptx", "-reloc-ptx", ALONE, .handle = NULL},
    {"--device-stack-protector", "-device-stack-protector", VALUE, .handle = check_truth},
    {"--compress-mode", "-compress-mode", VALUE, .handle = NULL},
    {"--frandom-seed", "-frandom-seed", VALUE,
     .handle = add_option, .text = "-frandom-seed=", .to = &options.host},
    {"--sanitize", "-sanitize", VALUE, .handle = set_text, .to = &options.check},
    {"--jobserver", "-jobserver", ALONE, .handle = NULL},
    {"--help", "-h", ALONE, .handle = show_help},
    {"--version", "-V", ALONE, .handle = show_version},
    {"--options-file", "-optf", VALUES, .handle = parse_options_file},
    /* of earlier versions */
    {"--fatbin-options", "-Xfatbin", VALUE, .handle = NULL},
    {"--cudafe-options", "-Xcudafe", VALUE, .handle = NULL},
    {"--diag_suppress", "-diag_suppress", VALUES, .handle = NULL},
    /* of the host's compiler, which nvcc takes by -Xcompiler alone; CMake links with them */
    {"-fopenmp", "-fopenmp", ALONE, .handle = add_option, .text = "-fopenmp", .to = &options.host},
    {"-fPIC", "-fpic", ALONE, .handle = add_option, .text = "-fPIC", .to = &options.host},
    {"-fPIE", "-fpie", ALONE, .handle = add_option, .text = "-fPIE", .to = &options.host},
    {"-pie", "-pie", ALONE, .handle = add_option, .text = "-pie", .to = &options.host},
    {"-no-pie", "-no-pie", ALONE, .handle = add_option, .text = "-no-pie", .to = &options.host},
    {"-pthread", "-pthread", ALONE, .handle = add_option, .text = "-pthread", .to = &options.host},
    {"-static-libgcc", "-static-libgcc", ALONE,
     .handle = add_option, .text = "-static-libgcc", .to = &options.host},
    {"-static-libstdc++", "-static-libstdc++", ALONE,
     .handle = add_option, .text = "-static-libstdc++", .to = &options.host},
    {"-rdynamic", "-rdynamic", ALONE,
     .handle = add_option, .text = "-rdynamic", .to = &options.linker},
    {"-MQ", "-MQ", VALUE,
     .handle = add_option_and_value, .text = "-MQ", .to = &options.dependencies},
    /* of portable-nvcc */
    {"--preload", "--preload", ALONE, .handle = set_flag, .to = &options.preload},
    {"--check", "--check", VALUE, .handle = set_text, .to = &options.check},
    {"--stores", "--stores", ALONE, .handle = set_flag, .to = &options.stores},
    {"--warps", "--warps", VALUE, .handle = set_warps},
    {"--cuda-version", "--cuda-version", VALUE, .handle = set_cuda_version},
    {"--cccl", "--cccl", VALUE, .handle = set_text, .to = &options.cccl},
};
/* clang-format on */

/* The option of an argument, and where its value begins, or NULL. */
static const struct option *find_option(const char *argument, const char **value)
{
    const size_t length = strcspn(argument, "=");
    const struct option *attached = NULL;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        const struct option *const option = &table[k];
        const char *const names[] = {option->long_name, option->short_name};
        for (int n = 0; n < 2; n++)
            if (strlen(names[n]) == length && strncmp(names[n], argument, length) == 0) {
                *value = argument[length] ? argument + length + 1 : NULL;
                return option;
            }
        if ((option->form & ATTACHED) && starts_with(argument, option->short_name))
            attached = option;
    }
    *value = attached ? argument + strlen(attached->short_name) : NULL;
    return attached;
}

static void parse_option(char **arguments, int *k)
{
    const char *const argument = arguments[*k], *value;
    const struct option *const option = find_option(argument, &value);
    struct list values = {NULL, 0};
    if (!option) {
        list_add(starts_with(argument, "-Wl,") ? &options.linker : &unknown, argument);
        return;
    }
    if (option->form == ALONE && value)
        fail("%.*s takes no value", (int)strcspn(argument, "="), argument);
    if (option->form != ALONE && !value && !(value = arguments[++*k]))
        fail("%s needs a value", argument);
    if (!option->handle)
        return;
    if ((option->form & VALUES) != VALUES) {
        option->handle(option, value);
        return;
    }
    list_add_quoted(&values, value, ",");
    for (size_t n = 0; n < values.count; n++)
        option->handle(option, values.item[n]);
}

const char *language_of(const char *input)
{
    static const char *const languages[][2] = {
        {".cu", "cu"},   {".c", "c"},    {".i", "cpp-output"}, {".ii", "c++-cpp-output"},
        {".cpp", "c++"}, {".cc", "c++"}, {".cxx", "c++"},      {".C", "c++"},
        {".c++", "c++"}};
    if (options.language && !ends_with(input, ".o") && !ends_with(input, ".a") &&
        !ends_with(input, ".so"))
        return options.language;
    for (size_t k = 0; k < sizeof languages / sizeof languages[0]; k++)
        if (ends_with(input, languages[k][0]))
            return languages[k][1];
    return NULL;
}

static void add_input(const char *argument)
{
    static const char *const of_gpu[] = {".ptx", ".cubin", ".fatbin", ".gpu", NULL};
    /* nvcc's own commands go through a shell: Meson quotes the name of a program. */
    const char *const name = access(argument, R_OK) == 0 ? argument : unquote(argument, "\"'");
    for (const char *const *suffix = of_gpu; *suffix; suffix++)
        if (ends_with(name, *suffix))
            fail("%s: GPU code does not run on the CPU; compile the source that it is made of",
                 name);
    if (access(name, R_OK) != 0)
        fail("cannot read %s: %s", name, strerror(errno));
    list_add(&options.inputs, name);
    if (!language_of(name))
        list_add(&options.linker, name);
}

static void parse_options(char **arguments)
{
    for (int k = 0; arguments[k]; k++) {
        if (arguments[k][0] == '@')
            parse_options_file(NULL, arguments[k] + 1);
        else if (arguments[k][0] == '-' && arguments[k][1])
            parse_option(arguments, &k);
        else
            add_input(arguments[k]);
    }
}

/* Gives the options that are not nvcc's to the host's compiler and linker, if asked for. */
static void forward_unknown_options(void)
{
    for (size_t k = 0; k < unknown.count; k++) {
        const char *const option = unknown.item[k];
        if (forwarding & TO_COMPILER) {
            list_add(&options.host, option);
            options.keep_warnings |= starts_with(option, "-W");
        }
        if (forwarding & TO_LINKER) {
            list_add(&options.linker, "-Xlinker");
            list_add(&options.linker, option);
        }
        if (forwarding)
            continue;
        if (starts_with(option, "-W"))
            fail("%s: give it to the host's compiler: -Xcompiler %s", option, option);
        fail("unknown option %s; portable-nvcc --help lists the options", option);
    }
}

/* NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS */
static void parse_variable(const char *name)
{
    const char *const value = getenv(name);
    struct list words = {NULL, 0};
    list_add_quoted(&words, value ? value : "", " \t\n");
    if (words.count > 0)
        parse_options(words.item);
}

/* --check, PORTABLE_CHECK, or none. */
static void choose_check(void)
{
    static const char *const checks[] = {"memcheck",    "racecheck",   "initcheck",
                                         "synccheck",   "streamcheck", "ordercheck",
                                         "accesscheck", "fpcheck",     NULL};
    const char *const variable = getenv("PORTABLE_CHECK");
    if (!options.check && variable && variable[0])
        options.check = variable;
    if (!options.check)
        options.check = "emulate";
    else if (!is_one_of(options.check, checks))
        fail("--check takes memcheck, racecheck, initcheck, synccheck, streamcheck, ordercheck, "
             "accesscheck or fpcheck, not %s",
             shown(options.check));
    char *const module = format_text("module.%s", options.check);
    if (!setting_or_null(module))
        fail("--check=%s: %s", options.check,
             strcmp(options.check, "fpcheck") == 0
                 ? "it needs glibc on x86-64, whose processors trap floating-point exceptions"
                 : "the checks need glibc");
    free(module);
}

void parse_command_line(char **arguments)
{
    if (!arguments[1]) {
        usage();
        exit(EXIT_FAILURE);
    }
    parse_variable("NVCC_PREPEND_FLAGS");
    parse_options(arguments + 1);
    parse_variable("NVCC_APPEND_FLAGS");
    forward_unknown_options();
    if (options.image && (options.stage == LINK || options.stage == COMPILE))
        options.stage = IMAGE;
    if (options.image) { /* in it is a library */
        options.shared = 1;
        list_add(&options.linker, "-shared");
    }
    if (list_architectures || list_codes)
        show_architectures();
    if (!options.capability) /* nvcc's default */
        options.capability = cuda_version() < 13000 ? 52 : 75;
    choose_check();
    if (options.stores && (strcmp(options.check, "fpcheck") != 0 || options.lockstep))
        fail("--stores is for --check=fpcheck%s",
             options.lockstep ? " without --warps=lockstep" : "");
}

int cuda_version(void)
{
    return options.cuda_version ? options.cuda_version : 13000;
}

int has_check(void)
{
    return strcmp(options.check, "emulate") != 0;
}

char *in_output_directory(const char *name)
{
    return options.output_directory ? format_text("%s/%s", options.output_directory, name)
                                    : copy_text(name);
}

const char *output_or(const char *name)
{
    return options.output ? options.output : in_output_directory(name);
}
