/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands of the gallery, the program that lists, runs, checks and times the cases of one target.
 * host/programs/gallery.c has those of every project. A file that adds one registers it before main
 * and is linked with the program; here that is host/demo/demo.c.
 */
#ifndef PORTABLE_HOST_PROGRAMS_GALLERY_H
#define PORTABLE_HOST_PROGRAMS_GALLERY_H

#include "host/case.h"
#include "host/report/page.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parsed command line. A text is NULL, and a flag 0, without its option. */
struct gallery_options {
    struct options_texts names; /* the operands */
    int n;                      /* -1 without --n */
    dim3 block;                 /* 0 x 0 x 0 without --block */
    int seed;                   /* -1 without --seed */
    const char *block_text;
    const char *input, *dump, *against, *against_name, *golden, *results, *inputs;
    struct page_options page;
    int repeats, budget, every, quick, sweep, growth, itself;
    int limit; /* -1 without --limit */
};

/* The usage, the parsing and the refusal of options all derive from this. */
struct gallery_command {
    const char *name;
    const char *operands; /* for the usage: "CASE", "[CASE...]", or "" */
    const char *options;  /* "--n --block"; an option that is not among them is an error */
    const char *help;     /* its lines, with '\n' between them */
    int (*call)(const struct gallery_options *options); /* returns the exit status */
    /* 1: on a CPU it runs in a child, so that a crash is reported with its run. For commands
     * that go through the cases and keep results in memory. */
    int in_child;
};

void gallery_register(const struct gallery_command *command);
#define GALLERY_COMMAND(command)                                                                   \
    __attribute__((constructor)) static void register_command(void)                                \
    {                                                                                              \
        gallery_register(&(command));                                                              \
    }

/* Prints "gallery: " and the sentence on stderr. Returns IO_BAD, which is the exit status of bad
 * input. */
__attribute__((format(printf, 1, 2))) int gallery_fail(const char *format, ...);

/* 0 if there is a device; otherwise an exit status, after a sentence that no device was found. */
int gallery_need_device(void);

/* The run of a case that the options describe: by default at the size to time and the first
 * block. */
struct run gallery_run(const struct gallery_case *test_case, const struct gallery_options *options);

#ifdef __cplusplus
}
#endif

#endif
