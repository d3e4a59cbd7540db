/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings as files, besides stderr, and the suppressions. Used by findings.c alone.
 *
 *     PORTABLE_SARIF=FILE                   SARIF 2.1.0
 *     PORTABLE_JUNIT=FILE                   JUnit's XML: a suite for each run of a program
 *     PORTABLE_SUPPRESSIONS=FILE[:FILE...]  findings that do not count
 *     PORTABLE_GEN_SUPPRESSIONS=1           prints a suppression for each finding, once
 *
 * A report is written when the program starts, and again with each new finding and kernel, so that
 * it is complete however the program ends. Programs that run one after another, or side by side,
 * share a file: each adds its part. %p in its name is replaced by the process's number, for one
 * file per process. A new version of the file replaces the old one as a whole.
 */
#ifndef PORTABLE_HOST_CHECKS_REPORTS_H
#define PORTABLE_HOST_CHECKS_REPORTS_H

#include "host/checks/findings.h"

/* A finding whose strings are kept. */
struct record {
    struct finding finding;
    const char *text;
    const char *suppression; /* the name of the one that matches, or NULL */
};

/* The name and the description of a kind of finding. */
struct finding_rule {
    const char *tool; /* NULL: any */
    const char *name, *level, *summary, *help;
};
extern const struct finding_rule finding_rules[FINDING_KINDS];

/* Read the environment. A wrong value ends the program, with a sentence and status 2. */
void reports_open(const char *tool);
void suppressions_open(const char *tool);

/* A kernel that has not been launched before. */
void reports_kernel(const char *name);
void reports_add(const struct record *record);
/* The program ends with this status; -1: by a signal. Only the process that found something
 * writes. */
void reports_end(int status);

/* The name of the first suppression that matches, or NULL. */
const char *suppression_of(const struct finding *finding);
/* Prints a suppression for this finding to stderr, if the user wants that and it is a new one. */
void suppression_print(const struct finding *finding);
/* One line on stderr for each suppression of this tool that matched nothing. */
void suppressions_print_unused(void);

/* Splits "x.c:12": the length of the path, and the line; 0 if the text names no line. */
size_t place_split(const char *place, unsigned long *line);

#endif
