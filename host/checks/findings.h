/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The findings of a check: printed when they are found, counted, and summed up when the program
 * ends.
 *
 *     racecheck: race in kernel sum_tree: ...
 *     racecheck: 2 races in 1 kernel
 *
 * A program with a finding exits with its own status if that is not 0, else with 1. A program
 * without findings prints one line, with the number of kernels:
 *
 *     racecheck: no races in 3 kernels
 *
 * The last line also tells what is not checked: kernels that a fault or a divergence ended, which
 * are no findings but fail the program, too, and the rest of a program that a signal ends.
 *
 *     racecheck: 2 races in 1 kernel, 1 kernel not checked to its end
 *     racecheck: no race found, the program not checked to its end: Aborted
 */
#ifndef PORTABLE_HOST_CHECKS_FINDINGS_H
#define PORTABLE_HOST_CHECKS_FINDINGS_H

#include "host/checks/finding.h"

#include <stdlib.h> /* __GLIBC__ */

#if !defined(__GLIBC__)
#error "the checks need glibc; the emulate target does not"
#endif

/* Sets the check's words for its findings: "racecheck", "race", "races". Before main. */
void findings_open(const char *tool, const char *singular, const char *plural);

/* Has a function called before the program's last lines, in which it may add findings. If it
 * returns 0, a program without findings prints no last line. */
void findings_before_summary(int (*function)(void));

/* Prints "TOOL: " and the sentence, and ends it with a newline; the caller indents further lines.
 * Counts it for the kernel, or for host code. Returns 0 if it is suppressed or beyond the limit,
 * and so not printed. */
int findings_add(const struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends a program of status 0 from inside an exit handler that cannot return. */
void findings_end(void) __attribute__((noreturn));

/* Called after the last line of a program without findings that has launched a kernel. */
void findings_certify(void (*print)(void));

/* Prints the last lines of a program that is about to die by the signal. */
void findings_died(int number);
/* Dies of the signal with the last line alone, while locks may be held. */
void findings_died_suddenly(int number) __attribute__((noreturn));

/* A launch of this kernel begins. */
void findings_launch(const char *kernel);

/* For struct emulate_check's diverged: a divergence is a finding; or, in checks that stop at one,
 * that the rest of the launch stays unchecked is. */
void findings_diverged(const char *message);
void findings_given_up(const char *message);
/* Counts the running kernel as not checked to its end, for a check that has reported why. */
void findings_unfinished(void);

/* The source position of a return address, "kernels/reduce.c:31"; "an unknown line" if the program
 * has no line numbers. Kept until the program ends. The first call for an address takes
 * milliseconds: it runs addr2line, once for all `count` addresses. */
const char *findings_line(const void *return_address);
void findings_lines(const void *const *return_addresses, int count);
/* Whether it is of a library's headers, such as <vector>, Thrust or CUB: the user's line is that of
 * the outermost function inlined there, or of the caller. */
int findings_is_of_library(const char *line);
/* Whether a line is known, as "x.c:12" is, but not "malloc+0xaf" or "an unknown line". */
int findings_is_known(const char *line);
/* Whether it is in the directory: "DIR/host/emulate/objects.c:47" in "host/emulate/". */
int findings_is_in(const char *line, const char *directory);
/* The line of the innermost of these return addresses outside the runtime and the headers of
 * libraries; else of the innermost with a line. */
const char *findings_outer_line(const void *const *return_addresses, int count);
/* For struct emulate_check's call: that line, if the file is a library's. */
const char *findings_call(const char *file, const void *const *return_addresses, int count);
/* Whether a library reads past the last element here, and ignores the value. */
int findings_ignores_value(const void *return_address);
/* Whether a library copies structures as words here, with the padding between members. */
int findings_ignores_padding(const void *return_address);

#endif
