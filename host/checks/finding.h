/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A finding of a check, and the rule that it breaks: SARIF's word for a kind of finding.
 */
#ifndef PORTABLE_HOST_CHECKS_FINDING_H
#define PORTABLE_HOST_CHECKS_FINDING_H

#include <stddef.h> /* size_t */

/* The kinds of findings. */
enum finding_kind {
    FINDING_OUT_OF_BOUNDS,
    FINDING_USE_AFTER_FREE,
    FINDING_HOST_MEMORY,
    FINDING_DEVICE_MEMORY,
    FINDING_INVALID_CALL,
    FINDING_UNDEFINED_BEHAVIOUR,
    FINDING_SANITIZER,
    FINDING_LEAK,
    FINDING_CRASH,
    FINDING_RACE,
    FINDING_UNINITIALISED_READ,
    FINDING_UNINITIALISED_COPY,
    FINDING_DIVERGENCE,
    FINDING_UNORDERED_WORK,
    FINDING_EARLY_ACCESS,
    FINDING_EARLY_FREE,
    FINDING_EXCESSIVE_SECTORS,
    FINDING_UNUSED_BYTES,
    FINDING_BANK_CONFLICTS,
    FINDING_ATOMICS,
    FINDING_INACTIVE_THREADS,
    FINDING_ORDER,
    FINDING_UNPROVEN,
    FINDING_NAN,
    FINDING_INFINITY,
    FINDING_SUBNORMAL,
    FINDING_OTHER_VALUE,
    FINDING_NOT_CHECKED,
    FINDING_KINDS
};

/* A source line that belongs to a finding, as findings_line gives it, and what happened there. */
struct finding_place {
    const char *line; /* NULL: none */
    const char *what;
};
enum { FINDING_PLACES = 3 };
struct finding {
    enum finding_kind kind;
    const char *kernel;                          /* NULL: host code */
    const char *thread;                          /* "block (0, 0, 0), thread (1, 0, 0)", or NULL */
    struct finding_place places[FINDING_PLACES]; /* the finding's own line first */
};

/* The rule of a kind of finding. */
struct finding_rule {
    const char *tool; /* NULL: any */
    const char *name, *level, *summary, *help;
};
extern const struct finding_rule finding_rules[FINDING_KINDS];

/* Splits "x.c:12": the length of the path, and the line; 0 if the text names no line. */
size_t finding_line_split(const char *place, unsigned long *line);

#endif
