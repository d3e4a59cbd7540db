/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libnvrtc.so: compiles by portable-nvcc, from files that are removed in any case. What the program
 * calls the source and its headers is in #line directives, so that messages and findings name it.
 */
#define _GNU_SOURCE /* strdup */

#include "host/cudart/include/nvrtc.h"

#include "host/cudart/elf_file.h"
#include "host/cudart/image.h"
#include "host/cudart/tool.h"

#include <stdarg.h>
#include <stdio.h>

struct text {
    char *text;
    size_t bytes; /* without the zero byte at the end */
};

struct expression {
    char *text, *name; /* as given, and its symbol, or NULL */
};

struct _nvrtcProgram {
    char *source, *name;
    char **headers, **header_names;
    int header_count;
    struct expression *expressions;
    size_t expression_count;
    int is_compiled, is_virtual; /* of compute_NN, for which there is no cubin */
    int is_alone;                /* #include does not look in the source's directory */
    struct text log, image;
};

/* ---- errors and versions ---- */

const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {"NVRTC_SUCCESS",
                                        "NVRTC_ERROR_OUT_OF_MEMORY",
                                        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT",
                                        "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION",
                                        "NVRTC_ERROR_COMPILATION",
                                        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                        "NVRTC_ERROR_INTERNAL_ERROR",
                                        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                        "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                        "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                        "NVRTC_ERROR_PCH_CREATE",
                                        "NVRTC_ERROR_CANCELLED",
                                        "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};
    return (unsigned)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    *major = 13;
    *minor = 0;
    return NVRTC_SUCCESS;
}

/* As portable-nvcc --list-gpu-arch has them. */
static const int architectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    if (!count)
        return NVRTC_ERROR_INVALID_INPUT;
    *count = (int)(sizeof architectures / sizeof *architectures);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *result)
{
    if (!result)
        return NVRTC_ERROR_INVALID_INPUT;
    memcpy(result, architectures, sizeof architectures);
    return NVRTC_SUCCESS;
}

/* ---- programs ---- */

static void free_program(nvrtcProgram program)
{
    for (int k = 0; k < program->header_count; k++) {
        free(program->headers ? program->headers[k] : NULL);
        free(program->header_names ? program->header_names[k] : NULL);
    }
    for (size_t k = 0; k < program->expression_count; k++) {
        free(program->expressions[k].text);
        free(program->expressions[k].name);
    }
    free((void *)program->headers);
    free((void *)program->header_names);
    free(program->expressions);
    free(program->source);
    free(program->name);
    free(program->log.text);
    free(program->image.text);
    free(program);
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *result, const char *source, const char *name,
                               int header_count, const char *const *headers,
                               const char *const *header_names)
{
    if (!result || !source || header_count < 0 || (header_count > 0 && (!headers || !header_names)))
        return NVRTC_ERROR_INVALID_INPUT;
    nvrtcProgram const program = (nvrtcProgram)calloc(1, sizeof *program);
    if (!program)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    program->source = strdup(source);
    program->name = strdup(name && name[0] ? name : "default_program");
    program->headers = (char **)calloc((size_t)header_count + 1, sizeof *program->headers);
    program->header_names =
        (char **)calloc((size_t)header_count + 1, sizeof *program->header_names);
    program->header_count = header_count;
    int complete = program->source && program->name && program->headers && program->header_names;
    for (int k = 0; complete && k < header_count; k++) {
        program->headers[k] = headers[k] ? strdup(headers[k]) : NULL;
        program->header_names[k] = header_names[k] ? strdup(header_names[k]) : NULL;
        complete = program->headers[k] && program->header_names[k];
    }
    if (!complete) {
        free_program(program);
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    *result = program;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    if (!program || !*program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    free_program(*program);
    *program = NULL;
    return NVRTC_SUCCESS;
}

/* ---- options ---- */

/* The options of NVRTC: what takes a value, and what means nothing here, or is not nvcc's. */
enum { ALONE = 0, VALUE = 1, ATTACHED = 2, IGNORED = 4 };
/* clang-format off */
static const struct option {
    const char *long_name, *short_name;
    int form;
} table[] = {
    {"--gpu-architecture", "-arch", VALUE},
    {"--device-c", "-dc", ALONE},
    {"--device-w", "-dw", ALONE},
    {"--relocatable-device-code", "-rdc", VALUE},
    {"--extensible-whole-program", "-ewp", ALONE},
    {"--device-debug", "-G", ALONE},
    {"--generate-line-info", "-lineinfo", ALONE},
    {"--dopt", "-dopt", VALUE | IGNORED},
    {"--Ofast-compile", "-Ofc", VALUE},
    {"--ptxas-options", "-Xptxas", VALUE},
    {"--maxrregcount", "-maxrregcount", VALUE},
    {"--ftz", "-ftz", VALUE},
    {"--prec-sqrt", "-prec-sqrt", VALUE},
    {"--prec-div", "-prec-div", VALUE},
    {"--fmad", "-fmad", VALUE},
    {"--use_fast_math", "-use_fast_math", ALONE},
    {"--extra-device-vectorization", "-extra-device-vectorization", ALONE},
    {"--modify-stack-limit", "-modify-stack-limit", VALUE | IGNORED},
    {"--dlink-time-opt", "-dlto", ALONE},
    {"--gen-opt-lto", "-gen-opt-lto", ALONE},
    {"--jump-table-density", "-jtd", VALUE},
    {"--device-stack-protector", "-device-stack-protector", VALUE},
    {"--no-cache", "-no-cache", IGNORED},
    {"--frandom-seed", "-frandom-seed", VALUE},
    {"--define-macro", "-D", VALUE | ATTACHED},
    {"--undefine-macro", "-U", VALUE | ATTACHED},
    {"--include-path", "-I", VALUE | ATTACHED},
    {"--pre-include", "-include", VALUE},
    {"--no-source-include", "-no-source-include", IGNORED},
    {"--std", "-std", VALUE},
    {"--builtin-move-forward", "-builtin-move-forward", VALUE | IGNORED},
    {"--builtin-initializer-list", "-builtin-initializer-list", VALUE | IGNORED},
    {"--disable-warnings", "-w", ALONE},
    {"--Wreorder", "-Wreorder", ALONE},
    {"--warning-as-error", "-Werror", VALUE},
    {"--restrict", "-restrict", ALONE},
    {"--device-as-default-execution-space", "-default-device", IGNORED},
    {"--device-int128", "-device-int128", IGNORED},
    {"--device-float128", "-device-float128", IGNORED},
    {"--optimization-info", "-opt-info", VALUE},
    {"--display-error-number", "-err-no", ALONE},
    {"--no-display-error-number", "-no-err-no", ALONE},
    {"--diag-error", "-diag-error", VALUE},
    {"--diag-suppress", "-diag-suppress", VALUE},
    {"--diag-warn", "-diag-warn", VALUE},
    {"--brief-diagnostics", "-brief-diag", VALUE},
    {"--time", "-time", VALUE | IGNORED},
    {"--split-compile", "-split-compile", VALUE},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", ALONE},
    {"--minimal", "-minimal", IGNORED},
    {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", VALUE},
};
/* clang-format on */

/* Appends to the log. */
__attribute__((format(printf, 2, 3))) static void say(nvrtcProgram program, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t more = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *const text = (char *)realloc(program->log.text, program->log.bytes + more + 1);
    if (text) {
        vsnprintf(text + program->log.bytes, more + 1, format, arguments);
        program->log.text = text;
        program->log.bytes += more;
    }
    va_end(arguments);
}

static const struct option *find_option(const char *text, const char **value)
{
    const size_t length = strcspn(text, "=");
    *value = text[length] ? text + length + 1 : NULL;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const char *const names[] = {table[k].long_name, table[k].short_name};
        for (int n = 0; n < 2; n++)
            if (strlen(names[n]) == length && strncmp(text, names[n], length) == 0)
                return &table[k];
    }
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if ((table[k].form & ATTACHED) && strncmp(text, table[k].short_name, 2) == 0) {
            *value = text + 2 + strspn(text + 2, " ");
            return &table[k];
        }
    return NULL;
}

/* Adds the options that portable-nvcc gets to the arguments, which have room for two each. */
static nvrtcResult add_options(nvrtcProgram program, int count, const char *const *options,
                               const char **arguments)
{
    for (int k = 0; k < count; k++) {
        const char *value;
        const struct option *const option = options[k] ? find_option(options[k], &value) : NULL;
        if (!option) {
            say(program, "nvrtc: error: unrecognized option %s found\n",
                options[k] ? options[k] : "NULL");
            return NVRTC_ERROR_INVALID_OPTION;
        }
        if ((option->form & VALUE) && !value && k + 1 < count)
            value = options[++k];
        if (!(option->form & VALUE) != !value) {
            say(program, "nvrtc: error: %s %s\n", option->long_name,
                value ? "takes no value" : "needs a value");
            return NVRTC_ERROR_INVALID_OPTION;
        }
        if (strcmp(option->short_name, "-arch") == 0) {
            program->is_virtual = strncmp(value, "compute_", 8) == 0;
            if (!program->is_virtual && strncmp(value, "sm_", 3) != 0 &&
                strncmp(value, "lto_", 4) != 0) {
                say(program, "nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
                return NVRTC_ERROR_INVALID_OPTION;
            }
        }
        program->is_alone |= strcmp(option->short_name, "-no-source-include") == 0;
        if (option->form & IGNORED)
            continue;
        *arguments++ = option->short_name;
        if (value)
            *arguments++ = value;
    }
    *arguments = NULL;
    return NVRTC_SUCCESS;
}

/* ---- files ---- */

/* Appends #line with this name, and the text. */
static int append_file(struct text *file, const char *name, const char *text)
{
    char *const larger = (char *)realloc(file->text, file->bytes + sizeof "\n#line 1 \"\"\n\n" +
                                                         2 * strlen(name) + strlen(text));
    if (!larger)
        return 0;
    file->text = larger;
    char *at = stpcpy(larger + file->bytes, file->bytes ? "\n#line 1 \"" : "#line 1 \"");
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            *at++ = '\\';
        *at++ = *name;
    }
    at = stpcpy(at, "\"\n");
    at = stpcpy(at, text);
    file->bytes = (size_t)(at - larger);
    return 1;
}

/* A header's place below the directory: "../" and "/" at its beginning would lead out of it. */
static int is_below(const char *name)
{
    return name[0] && name[0] != '/' && strncmp(name, "../", 3) != 0 && !strstr(name, "/../");
}

/* The source, and a pointer for each name expression, which instantiates it and tells its name. */
static nvrtcResult write_source(nvrtcProgram program, struct portable_tool_ *tool)
{
    struct text source = {NULL, 0};
    int complete = append_file(&source, program->name, program->source);
    for (size_t k = 0; complete && k < program->expression_count; k++) {
        const char *const expression = program->expressions[k].text;
        const size_t size = strlen(expression) + 128;
        char *const line = (char *)malloc(size);
        if (line)
            snprintf(line, size,
                     "extern \"C\" { __attribute__((used)) auto *portable_lowered_%zu = (%s); }", k,
                     expression);
        complete = line && append_file(&source, "name expression", line);
        free(line);
    }
    const nvrtcResult result = !complete ? NVRTC_ERROR_OUT_OF_MEMORY
                               : portable_tool_write_(tool, "source.cu", source.text, source.bytes)
                                   ? NVRTC_SUCCESS
                                   : NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    free(source.text);
    return result;
}

static nvrtcResult write_headers(nvrtcProgram program, struct portable_tool_ *tool)
{
    for (int k = 0; k < program->header_count; k++) {
        struct text header = {NULL, 0};
        char name[512];
        if (!is_below(program->header_names[k]) ||
            snprintf(name, sizeof name, "headers/%s", program->header_names[k]) >=
                (int)sizeof name) {
            say(program, "nvrtc: error: %s: this name of a header leads out of the headers\n",
                program->header_names[k]);
            return NVRTC_ERROR_INVALID_INPUT;
        }
        const int complete = append_file(&header, program->header_names[k], program->headers[k]);
        const int written = complete && portable_tool_write_(tool, name, header.text, header.bytes);
        free(header.text);
        if (!written)
            return complete ? NVRTC_ERROR_BUILTIN_OPERATION_FAILURE : NVRTC_ERROR_OUT_OF_MEMORY;
    }
    return NVRTC_SUCCESS;
}

/* ---- names ---- */

/* The name of the symbol at a place: in a section of an object, or anywhere in a library. */
static const char *name_at(const struct elf_file *file, unsigned section, uint64_t value)
{
    const char *found = NULL;
    struct elf_file names;
    size_t count;
    const Elf64_Sym *const symbols = elf_symbols(file, &count, &names);
    for (size_t k = 0; k < count; k++) {
        const unsigned type = ELF64_ST_TYPE(symbols[k].st_info);
        if ((type == STT_FUNC || type == STT_OBJECT) && symbols[k].st_value == value &&
            symbols[k].st_shndx != SHN_UNDEF &&
            (section == SHN_UNDEF || symbols[k].st_shndx == section) &&
            (!found || ELF64_ST_BIND(symbols[k].st_info) != STB_LOCAL))
            found = elf_string(names, symbols[k].st_name);
    }
    return found;
}

/* The name of what a pointer that write_source adds points to, from its relocation. */
static const char *lowered_name(const struct elf_file *file, size_t index)
{
    char pointer[64];
    struct elf_file entries = {"", 0};
    const int is_object = elf_is(file, ET_REL);
    snprintf(pointer, sizeof pointer, "portable_lowered_%zu", index);
    const Elf64_Sym *const symbol = elf_find_symbol(file, pointer, STT_OBJECT);
    const Elf64_Shdr *header = NULL;
    while (symbol && (header = elf_find_section(file, header, SHT_RELA, NULL, &entries))) {
        const struct elf_file content = elf_section(file, header->sh_link);
        const Elf64_Sym *const symbols = (const Elf64_Sym *)(const void *)content.data;
        if (is_object && header->sh_info != symbol->st_shndx)
            continue;
        for (size_t k = 0; k < entries.bytes / sizeof(Elf64_Rela); k++) {
            const Elf64_Rela *const entry = (const Elf64_Rela *)(const void *)entries.data + k;
            const size_t target = ELF64_R_SYM(entry->r_info);
            if (entry->r_offset != symbol->st_value)
                continue;
            if (target == 0 || target >= content.bytes / sizeof *symbols)
                return name_at(file, SHN_UNDEF, (uint64_t)entry->r_addend);
            if (ELF64_ST_TYPE(symbols[target].st_info) == STT_SECTION)
                return name_at(file, symbols[target].st_shndx, (uint64_t)entry->r_addend);
            return elf_string(elf_section(file, elf_section_header(file, header->sh_link)->sh_link),
                              symbols[target].st_name);
        }
    }
    return NULL;
}

static nvrtcResult read_names(nvrtcProgram program)
{
    struct portable_image_ image;
    if (program->expression_count == 0)
        return NVRTC_SUCCESS;
    if (!portable_image_find_(program->image.text, program->image.bytes, &image))
        return NVRTC_ERROR_INTERNAL_ERROR;
    unsigned char *const data = (unsigned char *)malloc(image.bytes);
    if (!data)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    const struct elf_file file = {(const char *)data, image.bytes};
    int complete =
        portable_image_decode_(&image, data) && elf_is(&file, image.is_object ? ET_REL : ET_DYN);
    for (size_t k = 0; complete && k < program->expression_count; k++) {
        const char *const name = lowered_name(&file, k);
        program->expressions[k].name = name && name[0] ? strdup(name) : NULL;
        complete = program->expressions[k].name != NULL;
    }
    free(data);
    return complete ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---- compiling ---- */

static nvrtcResult compile(nvrtcProgram program, struct portable_tool_ *tool,
                           const char *const *arguments)
{
    nvrtcResult result = write_source(program, tool);
    if (result == NVRTC_SUCCESS)
        result = write_headers(program, tool);
    if (result != NVRTC_SUCCESS)
        return result;
    const int status = portable_tool_run_(tool, arguments);
    say(program, "%s", tool->log ? tool->log : "");
    if (status != 0)
        return status < 0 ? NVRTC_ERROR_BUILTIN_OPERATION_FAILURE : NVRTC_ERROR_COMPILATION;
    program->image.text =
        portable_read_file_(portable_tool_path_(tool, "image"), &program->image.bytes);
    return program->image.text ? read_names(program) : NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
}

/* Owned words at the beginning of the arguments. */
struct list {
    char *words[32];
    const char **arguments;
    size_t count;
    int failed;
};

static void add_word(struct list *list, const char *word)
{
    list->words[list->count] = strdup(word);
    list->failed |= !list->words[list->count];
    list->arguments[list->count] = list->words[list->count];
    list->count++;
}

/* Adds a directory of #include, in quotes as of a shell. */
static void add_directories(struct list *list, const char *directory)
{
    char quoted[4200];
    if (strchr(directory, '\'') ||
        snprintf(quoted, sizeof quoted, "'%s'", directory) >= (int)sizeof quoted)
        return;
    static const char *const kinds[] = {"-iquote", "-idirafter"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        add_word(list, "-Xcompiler");
        add_word(list, kinds[k]);
        add_word(list, "-Xcompiler");
        add_word(list, quoted);
    }
}

/* Adds that of the source, by its name. */
static void add_source_directory(struct list *list, const char *name)
{
    const char *const slash = strrchr(name, '/');
    char *const directory = slash ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
    list->failed |= !directory;
    if (directory)
        add_directories(list, directory);
    free(directory);
}

static void forget_results(nvrtcProgram program)
{
    free(program->log.text);
    free(program->image.text);
    program->log.text = program->image.text = NULL;
    program->log.bytes = program->image.bytes = 0;
    program->is_virtual = 1; /* compute_75 */
    program->is_alone = 0;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options)
{
    enum { OWN = 32 };
    struct portable_tool_ tool;
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count > 0 && !options))
        return NVRTC_ERROR_INVALID_INPUT;
    forget_results(program);
    const char **const arguments =
        (const char **)calloc(OWN + 2 * (size_t)count + 1, sizeof *arguments);
    if (!arguments)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    nvrtcResult result = add_options(program, count, options, arguments + OWN);
    if (result == NVRTC_SUCCESS && !portable_tool_begin_(&tool)) {
        say(program, "nvrtc: error: cannot make a directory of temporary files\n");
        result = NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    } else if (result == NVRTC_SUCCESS) {
        struct list own = {{NULL}, arguments, 0, 0};
        add_word(&own, "-x");
        add_word(&own, "cu");
        add_word(&own, portable_tool_path_(&tool, "source.cu"));
        add_word(&own, "-ptx");
        add_word(&own, "-o");
        add_word(&own, portable_tool_path_(&tool, "image"));
        add_word(&own, "-Xlinker");
        add_word(&own, "-z,defs");
        add_word(&own, "-D__CUDACC_RTC__=1");
        /* Behind the host's: headers may stand for standard ones that NVRTC lacks. */
        add_directories(&own, portable_tool_path_(&tool, "headers"));
        if (!program->is_alone)
            add_source_directory(&own, program->name);
        memmove(arguments + own.count, arguments + OWN,
                (2 * (size_t)count + 1) * sizeof *arguments);
        result = own.failed ? NVRTC_ERROR_OUT_OF_MEMORY : compile(program, &tool, arguments);
        for (size_t k = 0; k < own.count; k++)
            free(own.words[k]);
        portable_tool_end_(&tool);
    }
    free((void *)arguments);
    program->is_compiled = 1;
    return result;
}

/* ---- results ---- */

static nvrtcResult get_size(nvrtcProgram program, const struct text *text, size_t *size)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!size)
        return NVRTC_ERROR_INVALID_INPUT;
    *size = text ? text->bytes + 1 : 0;
    return NVRTC_SUCCESS;
}

static nvrtcResult get(nvrtcProgram program, const struct text *text, char *result)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!result)
        return NVRTC_ERROR_INVALID_INPUT;
    if (text)
        memcpy(result, text->text ? text->text : "", text->bytes + 1);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size)
{
    return get_size(program, program ? &program->log : NULL, size);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    return get(program, program ? &program->log : NULL, log);
}

/* The image of a program that was compiled; NULL if there is none. */
static const struct text *image_of(nvrtcProgram program)
{
    return program && program->image.text ? &program->image : NULL;
}

/* There is none for a virtual architecture. */
static const struct text *cubin_of(nvrtcProgram program)
{
    return program && !program->is_virtual ? image_of(program) : NULL;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size)
{
    return !program || image_of(program) ? get_size(program, image_of(program), size)
                                         : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *image)
{
    return !program || image_of(program) ? get(program, image_of(program), image)
                                         : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size)
{
    return get_size(program, cubin_of(program), size);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *image)
{
    return get(program, cubin_of(program), image);
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t *size)
{
    return nvrtcGetPTXSize(program, size);
}

nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char *image)
{
    return nvrtcGetPTX(program, image);
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *text)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!text)
        return NVRTC_ERROR_INVALID_INPUT;
    if (program->is_compiled)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    struct expression expression = {strdup(text), NULL};
    struct expression *const all = (struct expression *)realloc(
        program->expressions, (program->expression_count + 1) * sizeof *all);
    if (all)
        program->expressions = all;
    if (!all || !expression.text) {
        free(expression.text);
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    all[program->expression_count++] = expression;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *text, const char **name)
{
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!text || !name)
        return NVRTC_ERROR_INVALID_INPUT;
    if (!program->is_compiled)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (size_t k = 0; k < program->expression_count; k++)
        if (strcmp(program->expressions[k].text, text) == 0 && program->expressions[k].name) {
            *name = program->expressions[k].name;
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
