/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
/*
 * The command line of a program, or of one of its commands, as a table of its options. An entry's
 * name is what the help prints: "--steps N" is the option --steps with a value, "--quiet" a flag,
 * and "IMAGE", without dashes, takes the arguments that belong to no option. The pointed-to value
 * is the default. The help may be NULL if options_print_help is not used.
 */
#ifndef PORTABLE_HOST_OPTIONS_H
#define PORTABLE_HOST_OPTIONS_H

#include "host/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most entries of a table, and the most texts of a list. */
enum { OPTIONS_MOST = 64 };

struct options_texts {
    const char *texts[OPTIONS_MOST];
    int count;
};

enum options_kind { OPTIONS_FLAG, OPTIONS_TEXT, OPTIONS_TEXTS, OPTIONS_NUMBER, OPTIONS_WHOLE };

struct options_entry {
    const char *name, *help;
    enum options_kind kind;
    void *value; /* what the function for the kind takes */
    double minimum, maximum;
};

/* Entries of each kind: 1 if the flag is given; a text; the texts of an entry that may be repeated,
 * added to the list; a number from minimum to maximum; an integer. They are functions for the types
 * of the values, which the compiler checks. */
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

static inline struct options_entry options_texts(const char *name, struct options_texts *value,
                                                 const char *help)
{
    const struct options_entry entry = {name, help, OPTIONS_TEXTS, value, 0, 0};
    return entry;
}

static inline struct options_entry options_number(const char *name, double *value, double minimum,
                                                  double maximum, const char *help)
{
    const struct options_entry entry = {name, help, OPTIONS_NUMBER, value, minimum, maximum};
    return entry;
}

static inline struct options_entry options_whole(const char *name, int *value, double minimum,
                                                 double maximum, const char *help)
{
    const struct options_entry entry = {name, help, OPTIONS_WHOLE, value, minimum, maximum};
    return entry;
}

/*
 * Reads a command line into the values. A value is the next argument, or follows a '='; one that
 * begins with two dashes must follow a '='. After "--" there are no more options. Returns 0, or
 * IO_BAD with a sentence to follow argv[0], such as "takes no --step" or "--steps needs a value";
 * values may have changed even so.
 */
int options_parse(int argc, char *const *argv, const struct options_entry *entries,
                  size_t entry_count, struct io_error *error);

/* Prints `before`, such as "usage: waves", and the entries behind it. */
void options_print_usage(FILE *stream, const char *before, const struct options_entry *entries,
                         size_t entry_count);

/* Prints the usage, `about`, and a line for each entry with its range and its default, if that
 * is in the range. Call it before options_parse, which overwrites the defaults. */
void options_print_help(FILE *stream, const char *program, const char *about,
                        const struct options_entry *entries, size_t entry_count);

#ifdef __cplusplus
}
#endif

#endif
