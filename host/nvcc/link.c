/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* PATH_MAX */

#include "host/nvcc/link.h"

#include "host/nvcc/compilers.h"
#include "host/nvcc/options.h"
#include "host/nvcc/process.h"
#include "host/nvcc/settings.h"

#include <limits.h> /* PATH_MAX */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The directory of the runtime of the check, or of that without one. */
static char *library_directory(void)
{
    if (!has_check())
        return format_text("%s/cuda/lib64", installation.directory);
    return format_text("%s/cuda/lib64/%s", installation.directory, options.check);
}

/* The compiler's own path of a file; NULL if it has none. */
static char *compiler_file(const char *name)
{
    struct list command = {NULL, 0};
    char *const output = scratch_file(".path");
    char *const option = format_text("-print-file-name=%s", name);
    char path[PATH_MAX] = "";
    list_add(&command, compiler.name);
    list_add(&command, option);
    free(option);
    if (options.dry_run || command_status(&command, output, "/dev/null") != 0)
        return NULL;
    FILE *const file = fopen(output, "r");
    if (file && !fgets(path, sizeof path, file))
        path[0] = '\0';
    if (file)
        fclose(file);
    path[strcspn(path, "\n")] = '\0';
    return path[0] == '/' ? copy_text(path) : NULL;
}

/* The libraries of the sanitizers that a check needs. */
static struct list sanitizers(void)
{
    static const char *const names[][3] = {
        {"libasan.so", "libubsan.so", NULL},
        {"libclang_rt.asan-x86_64.so", "libclang_rt.asan-aarch64.so", NULL}};
    struct list paths = {NULL, 0};
    for (size_t k = 0; strcmp(options.check, "memcheck") == 0 && names[compiler.is_clang][k]; k++) {
        char *const path = compiler_file(names[compiler.is_clang][k]);
        if (path)
            list_add(&paths, path);
        free(path);
    }
    return paths;
}

static void add_rpath(struct list *command, const char *directory)
{
    char *const option = format_text("-Wl,-rpath,%s", directory);
    list_add(command, option);
    free(option);
}

/* The runtime is found by its path, whatever LD_LIBRARY_PATH says: DT_RPATH comes before it. Where
 * the sanitizers are is for the sentence of refuse.c. */
static void add_runtime(struct list *command, int shared)
{
    char *const directory = library_directory();
    char *const runtime = format_text("%s/libcudart.so.13", directory);
    const struct list libraries = sanitizers();
    list_add_split(command, "-Wl,--push-state,--no-as-needed", " ");
    list_add(command, runtime);
    if (shared && libraries.count > 0) {
        char *const fallbacks =
            format_text("%s/cuda/lib64/libportable_fallbacks.so", installation.directory);
        list_add(command, fallbacks);
        free(fallbacks);
    }
    list_add_split(command, "-Wl,--pop-state -Wl,--disable-new-dtags", " ");
    add_rpath(command, directory);
    if (has_check()) /* for libraries that have no check */
        add_rpath(command, format_text("%s/cuda/lib64", installation.directory));
    for (size_t k = 0; k < libraries.count; k++) {
        *strrchr(libraries.item[k], '/') = '\0';
        if (k == 0 || strcmp(libraries.item[k], libraries.item[k - 1]) != 0)
            add_rpath(command, libraries.item[k]);
    }
    free(directory);
    free(runtime);
}

void show_preload(void)
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
    list_add_split(&files, names, " ");
    for (size_t k = 0; k < files.count; k++) {
        char *const path = installed_path(files.item[k]);
        list_add(command, path);
        free(path);
    }
}

/* Shows the link as a command of portable-nvcc, which CMake takes for the linker: it is the last
 * that names lib64, as the linker's own does if LIBRARY_PATH has it. CMake gives the libraries to
 * the linker of C++, where a program has files of both. */
static void show_link(const struct list *objects, const char *output)
{
    struct list command = {NULL, 0};
    char *const directory = format_text("-L%s/cuda/lib64", installation.directory);
    list_add(&command, installation.program);
    list_add_all(&command, objects);
    list_add_all(&command, &options.linker);
    list_add(&command, directory);
    list_add_split(&command, "-lcudadevrt -lcudart_static -lrt -lpthread -ldl -o", " ");
    list_add(&command, output);
    show_command(&command);
    free(directory);
}

void link_program(const struct list *objects, const char *output)
{
    struct list command = {NULL, 0};
    char *const merge = installed_path(setting("merge"));
    char *const script = format_text("-Wl,-T,%s", merge);
    list_add(&command, compiler.name);
    /* CMake reads the libraries and directories of the linker's own line. */
    if (options.verbose && !options.dry_run)
        list_add(&command, "-v");
    list_add_all(&command, &options.host);
    add_check_flags(&command, "compile", OTHERS);
    add_check_flags(&command, "link", OTHERS);
    if (options.lockstep)
        add_check_flags(&command, "linkstep", OTHERS);
    if (options.stores)
        add_check_flags(&command, "linkstores", OTHERS);
    /* A program is linked with the sanitizers. A library uses those of the process; if it has none,
     * refuse.c prints how to preload them. */
    if (strcmp(options.check, "memcheck") == 0 && options.shared)
        list_add(&command, "-fno-sanitize=all");
    /* First, because memcheck's guards precede all other objects of their sections. */
    add_modules(&command, setting("module.%s", options.check));
    if (options.lockstep)
        add_modules(&command, setting("modulestep.%s", options.check));
    list_add_all(&command, objects);
    list_add_all(&command, &options.linker);
    list_add(&command, script);
    /* An image's own variables and functions come before the program's of the same names. Host code
     * beside the kernels may call what the program does not have; linked objects may not. */
    if (options.image) {
        list_add(&command, "-Wl,-Bsymbolic");
        list_add(&command, options.stage == DEVICE_LINK ? "-Wl,-z,defs" : "-Wl,-z,lazy");
    }
    /* Reports at the end of the process name lines of the library. */
    if (options.shared && setting("module.%s", options.check)[0])
        list_add(&command, "-Wl,-z,nodelete");
    add_runtime(&command, options.shared);
    list_add_split(&command, "-lm -lpthread -o", " ");
    list_add(&command, output);
    run_command(&command);
    if (options.verbose)
        show_link(objects, output);
    free(merge);
    free(script);
}

void archive(const struct list *objects, const char *output)
{
    struct list command = {NULL, 0};
    list_add(&command, options.archiver ? options.archiver : "ar");
    list_add(&command, "rcs");
    list_add_all(&command, &options.archive);
    list_add(&command, output);
    list_add_all(&command, objects);
    for (size_t k = 0; k < options.linker.count; k++)
        if (ends_with(options.linker.item[k], ".o"))
            list_add(&command, options.linker.item[k]);
    run_command(&command);
}

void link_device(const char *output)
{
    struct list command = {NULL, 0};
    list_add(&command, c_compiler());
    list_add_split(&command, "-x c -c /dev/null -o", " ");
    list_add(&command, output);
    run_command(&command);
}

void run_program(const char *name)
{
    struct list command = {NULL, 0};
    char *const path = strchr(name, '/') ? copy_text(name) : format_text("./%s", name);
    list_add(&command, path);
    list_add_all(&command, &options.run_arguments);
    become_command(&command);
    free(path);
}
