/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suppressions: findings that do not count. Used by findings.c alone.
 *
 *     PORTABLE_SUPPRESSIONS=FILE[:FILE...]  the suppressions
 *     PORTABLE_GEN_SUPPRESSIONS=1           prints a suppression for each finding, once
 */
#ifndef PORTABLE_HOST_CHECKS_SUPPRESSIONS_H
#define PORTABLE_HOST_CHECKS_SUPPRESSIONS_H

#include "host/checks/finding.h"

/* Reads the environment. An invalid value ends the program, with a sentence and status 2. */
void suppressions_open(const char *tool);

/* The name of the first suppression that matches, or NULL. */
const char *suppression_of(const struct finding *finding);
/* Prints a suppression for this finding to stderr, if the user asked for them and it is a new
 * one. */
void suppression_print(const struct finding *finding);
/* One line on stderr for each suppression of this tool that matched nothing. */
void suppressions_print_unused(void);

#endif
