/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/program.h"

#include "host/output.h"
#include "host/verdict.h"
#include "portable.h"

#include <math.h>   /* isnan */
#include <stdarg.h> /* va_list */
#include <stdio.h>  /* fprintf, printf, putc, vfprintf */
#include <stdlib.h> /* calloc, exit, free, realloc */
#include <string.h> /* strcmp */

static const char *name_of_program;
static int checks, wrong;

/* Memory that program_end frees. */
struct held {
    void *memory;
    int on_device;
};
static struct held *all_held;
static size_t held_count;

void program_begin(const char *name, const char *about, const struct options_entry *entries,
                   size_t entry_count, int argc, char **argv)
{
    struct io_error error;
    int devices;

    name_of_program = name;
    checks = wrong = 0;
    output_begin();
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--help") == 0) {
            options_print_help(stdout, name, about, entries, entry_count);
            exit(output_end(name, 0));
        }
    if (options_parse(argc, argv, entries, entry_count, &error) != 0)
        program_fail("%s; see %s --help", error.text, name);
    if (portable_device_count(&devices) != PORTABLE_SUCCESS)
        program_fail("%s", portable_last_message());
}

void program_fail(const char *format, ...)
{
    va_list arguments;

    fflush(stdout);
    fprintf(stderr, "%s: ", name_of_program);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    putc('\n', stderr);
    exit(IO_BAD);
}

void program_check(int status, const struct io_error *error)
{
    if (status != 0)
        program_fail("%s", error->text);
}

static void *hold(void *memory, int on_device)
{
    struct held *const grown =
        (struct held *)realloc(all_held, (held_count + 1) * sizeof *all_held);

    if (!memory || !grown)
        program_fail("not enough memory");
    all_held = grown;
    all_held[held_count].memory = memory;
    all_held[held_count++].on_device = on_device;
    return memory;
}

void *program_host(size_t count, size_t size)
{
    return hold(calloc(count ? count : 1, size), 0);
}

void *program_device(size_t count, size_t size)
{
    const size_t bytes = count * size > 0 ? count * size : 1;
    void *memory;

    PORTABLE_CHECK(portable_malloc(&memory, bytes));
    PORTABLE_CHECK(portable_memset(memory, 0, bytes));
    return hold(memory, 1);
}

void *program_upload(const void *host, size_t bytes)
{
    void *const copy = program_device(1, bytes);

    PORTABLE_CHECK(portable_copy_to_device(copy, host, bytes));
    return copy;
}

unsigned long long splitmix64(unsigned long long *state)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void verify(int holds, const char *format, ...)
{
    va_list arguments;

    checks++;
    wrong += !holds;
    printf("  %s: ", holds ? "ok" : "WRONG");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

double larger_error(double worst, double error)
{
    return isnan(worst) || error <= worst ? worst : error;
}

int program_end(const char *format, ...)
{
    va_list arguments;

    while (held_count > 0)
        if (all_held[--held_count].on_device)
            PORTABLE_CHECK(portable_free(all_held[held_count].memory));
        else
            free(all_held[held_count].memory);
    free(all_held);
    all_held = NULL;
    if (verdict_of((size_t)checks, (size_t)wrong) != VERDICT_AGREES) {
        printf("%s: FAILED: %d of %d checks\n", name_of_program, wrong, checks);
        return output_end(name_of_program, 1);
    }
    printf("%s: verified: ", name_of_program);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    return output_end(name_of_program, 0);
}
