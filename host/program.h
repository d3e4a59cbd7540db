/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
/*
 * Shared by programs that verify their own results: options, memory, checks and the last line.
 * Bad input ends it with exit status 2 and a sentence on stderr, a failed check with status 1.
 */
#ifndef PORTABLE_HOST_PROGRAM_H
#define PORTABLE_HOST_PROGRAM_H

#include "host/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Call at the start of main: reads the command line into the values of the entries. --help prints
 * `about` and the options, and ends the program; so does bad input, and a target whose device is
 * missing. */
void program_begin(const char *name, const char *about, const struct options_entry *entries,
                   size_t entry_count, int argc, char **argv);

/* Ends the program for bad input: prints its name and the sentence on stderr. */
void program_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Ends the program with the sentence of a call that failed, whose status is not 0. */
void program_check(int status, const struct io_error *error);

/* Zeroed host or device memory, and a device copy of host memory; program_end frees them. Out of
 * memory ends the program. */
void *program_host(size_t count, size_t size);
void *program_device(size_t count, size_t size);
void *program_upload(const void *host, size_t bytes);

/* 64 random bits, and the next state, which begins as any seed: S. Vigna's SplitMix64,
 * prng.di.unimi.it. */
unsigned long long splitmix64(unsigned long long *state);

/* Prints a line, "  ok: ..." or "  WRONG: ...", and counts it. */
void verify(int holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The larger of two errors. A NaN is the largest and stays: fmax would drop it, and the check that
 * follows would hold. */
double larger_error(double worst, double error);

/*
 * Call at the end of main: prints "NAME: verified: ..." and returns 0 if at least one check was
 * made and all hold, otherwise prints "NAME: FAILED: ..." and returns 1. Returns IO_BAD if
 * something printed was not written.
 */
int program_end(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
