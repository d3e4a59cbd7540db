/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings as files, besides stderr. Used by findings.c alone.
 *
 *     PORTABLE_SARIF=FILE  SARIF 2.1.0
 *     PORTABLE_JUNIT=FILE  JUnit's XML: a suite for each run of a program
 *
 * A report is written when the program starts, and again with each new finding and kernel, so that
 * it is complete however the program ends. Programs that run one after another, or side by side,
 * share a file: each adds its part. %p in its name is replaced by the process's number, for one
 * file per process. A new version of the file replaces the old one as a whole.
 */
#ifndef PORTABLE_HOST_CHECKS_REPORTS_H
#define PORTABLE_HOST_CHECKS_REPORTS_H

#include "host/checks/finding.h"

/* A finding whose strings are kept. */
struct record {
    struct finding finding;
    const char *text;
    const char *suppression; /* the name of the one that matches, or NULL */
};

/* Reads the environment. An invalid value ends the program, with a sentence and status 2. */
void reports_open(const char *tool);

/* A kernel that has not been launched before. */
void reports_kernel(const char *name);
void reports_add(const struct record *record);
/* The program ends with this status; -1: by the signal. Only the process that found something
 * writes. */
void reports_end(int status, int signal_number);

#endif
