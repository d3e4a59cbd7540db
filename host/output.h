/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard streams that are closed, and output that cannot be written: a program whose words nobody
 * can read has not succeeded. */
#ifndef PORTABLE_HOST_OUTPUT_H
#define PORTABLE_HOST_OUTPUT_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * For the start of main. A closed standard stream leaves its number to the next file that is
 * opened, and what is printed would go into that file: puts /dev/null there, opened so that
 * printing still fails.
 */
void output_begin(void);

/* For the end of main: flushes stdout. Returns `status`, or IO_BAD after a sentence that begins
 * with the program's name when something printed was not written. */
int output_end(const char *program, int status);

/* Whether this process could not write something that it printed; and that a child could not. */
int output_failed(void);
void output_note_failed(void);

#ifdef __cplusplus
}
#endif

#endif
