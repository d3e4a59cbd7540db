/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * portable-nvcc: compiles CUDA C++ for the CPU, with the command line of nvcc. compile.c has what
 * happens to a source, link.c what happens to its objects.
 */
#include "host/cudart/image.h"
#include "host/nvcc/compile.h"
#include "host/nvcc/compilers.h"
#include "host/nvcc/image.h"
#include "host/nvcc/link.h"
#include "host/nvcc/options.h"
#include "host/nvcc/settings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h> /* access */

/* For -run with a program that is built already. */
static int is_program(const char *name)
{
    return !language_of(name) && !ends_with(name, ".o") && !ends_with(name, ".a") &&
           !strstr(name, ".so") && access(name, X_OK) == 0;
}

/* The inputs that are compiled. */
static struct list sources(void)
{
    struct list result = {NULL, 0};
    for (size_t k = 0; k < options.inputs.count; k++)
        if (language_of(options.inputs.item[k])) {
            list_add(&result, options.inputs.item[k]);
            list_remove(&options.linker, options.inputs.item[k]); /* -x came later */
        }
    return result;
}

static void check_output(const struct list *inputs)
{
    struct stat status;
    if (options.output && stat(options.output, &status) == 0 && S_ISDIR(status.st_mode))
        fail("-o %s: this is a directory; -odir names one", options.output);
    if (options.stage == COMPILE && options.output && inputs->count > 1)
        fail("-c with -o takes one source, not %zu", inputs->count);
    if (options.stage == IMAGE && (options.output ? inputs->count != 1 : inputs->count == 0))
        fail("-%s%s takes %s, not %zu", options.image + 1, options.output ? " with -o" : "",
             options.output ? "one source" : "sources", inputs->count);
}

static struct list compile_all(const struct list *inputs)
{
    struct list objects = {NULL, 0};
    for (size_t k = 0; k < inputs->count; k++) {
        char *const object = compile(inputs->item[k]);
        list_add(&objects, object);
        free(object);
    }
    return objects;
}

/* With -rdc=true it is the object, which cuLinkAddData or cuModuleLoad link. */
static void make_image(const char *source)
{
    struct list objects = {NULL, 0};
    char *const object = compile(source), *const output = output_of(source);
    list_add(&objects, object);
    if (options.relocatable)
        write_image(object, PORTABLE_IMAGE_OBJECT_, output);
    else
        link_image(&objects, output);
    free(object);
    free(output);
}

int main(int count, char **arguments)
{
    (void)count;
    read_settings();
    parse_command_line(arguments);
    choose_compiler();
    if (options.preload) {
        show_preload();
        return EXIT_SUCCESS;
    }
    if (options.inputs.count == 0)
        fail("no input files");
    if (options.run && options.inputs.count == 1 && is_program(options.inputs.item[0])) {
        run_program(options.inputs.item[0]);
        return EXIT_SUCCESS;
    }

    const struct list inputs = sources();
    struct list objects = {NULL, 0};
    check_output(&inputs);
    switch (options.stage) {
    case PREPROCESS:
    case DEPENDENCIES:
        for (size_t k = 0; k < inputs.count; k++)
            preprocess(inputs.item[k]);
        break;
    case COMPILE: compile_all(&inputs); break;
    case IMAGE:
        for (size_t k = 0; k < inputs.count; k++)
            make_image(inputs.item[k]);
        break;
    case DEVICE_LINK:
        if (options.image)
            link_image(&objects, output_or("a_dlink.cubin"));
        else
            link_device(output_or("a_dlink.o"));
        break;
    case ARCHIVE:
        objects = compile_all(&inputs);
        archive(&objects, output_or("a.a"));
        break;
    case LINK:
        objects = compile_all(&inputs);
        link_program(&objects, output_or("a.out"));
        if (options.run)
            run_program(output_or("a.out"));
        break;
    }
    return EXIT_SUCCESS;
}
