/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of a program, as a table of its options. An entry's name is what the help
 * prints: "--steps N" is the option --steps with a value, "--quiet" a flag, and "IMAGE", without
 * dashes, the argument that belongs to no option. The pointed-to value is the default.
 */
#ifndef PORTABLE_HOST_OPTIONS_H
#define PORTABLE_HOST_OPTIONS_H

#include "host/io.h"

#ifdef __cplusplus
extern "C" {
#endif

enum options_kind { OPTIONS_FLAG, OPTIONS_TEXT, OPTIONS_NUMBER, OPTIONS_WHOLE, OPTIONS_POWER };

struct options_entry {
    const char *name, *help;
    enum options_kind kind;
    void *value; /* an int, but const char * for text and double for a number */
    double least, most;
};

/* Entries of each kind: 1 if the flag is given; a text that is not empty; a number from least to
 * most; a whole one; a power of two. */
static inline struct options_entry options_flag(const char *name, int *value, const char *help)
{
    const struct options_entry entry = {name, help, OPTIONS_FLAG, value, 0, 0};
    return entry;
}

static inline struct options_entry options_text(const char *name, const char **value,
                                                const char *help)
{
    const struct options_entry entry = {name, help, OPTIONS_TEXT, (void *)value, 0, 0};
    return entry;
}

static inline struct options_entry options_number(const char *name, double *value, double least,
                                                  double most, const char *help)
{
    const struct options_entry entry = {name, help, OPTIONS_NUMBER, value, least, most};
    return entry;
}

static inline struct options_entry options_whole(const char *name, int *value, double least,
                                                 double most, const char *help)
{
    const struct options_entry entry = {name, help, OPTIONS_WHOLE, value, least, most};
    return entry;
}

static inline struct options_entry options_power(const char *name, int *value, double least,
                                                 double most, const char *help)
{
    const struct options_entry entry = {name, help, OPTIONS_POWER, value, least, most};
    return entry;
}

/*
 * Reads a command line, argv[0] excluded, into the values. If an option is repeated, the last one
 * counts. Returns 0, or IO_BAD with a sentence that names the option; values may have changed even
 * so.
 */
int options_parse(int count, char *const *words, const struct options_entry *entries,
                  size_t entry_count, struct io_error *error);

/* Prints the usage line, `about`, and a line for each entry with its range and its default, if that
 * is in the range. Call it before options_parse, which overwrites the defaults. */
void options_print_help(FILE *stream, const char *program, const char *about,
                        const struct options_entry *entries, size_t entry_count);

#ifdef __cplusplus
}
#endif

#endif
