/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work in child processes, so that a crash of a kernel ends one step and not the program.
 *
 * A child starts with a copy of the program's memory; only isolate_shared is common to both. On the
 * CPU each step has a child. On CUDA, where a child takes a while to initialise the device, one
 * child does all remaining steps until it crashes or loses the device; the program itself must not
 * use the device before. There are no children in a debugger, nor under the four checks, which
 * report crashes themselves.
 *
 * The program watches its child: a run that takes long is named on stderr, and one that does not
 * end within the limit crashes. Under the checks the emulate target's runtime does so.
 */
#ifndef PORTABLE_HOST_ISOLATE_H
#define PORTABLE_HOST_ISOLATE_H

#include "host/case.h"
#include "host/verdict.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zeroed memory that the program and its children share, for as long as the program runs.
 * Without memory the program exits with a sentence. */
void *isolate_shared(size_t size);

enum { ISOLATE_MOST_SECONDS = 1000000 };

/* For the start of the program: the limit of a run, in seconds; 0: none; -1: PORTABLE_LIMIT in the
 * environment, or 600. PORTABLE_NOTICE is the time after which it is named, 10. */
void isolate_limit(int seconds);

/*
 * Calls step(0) to step(count - 1), and crashed(k, verdict, sentence), in the program, after step k
 * crashed, or ended because of a mistake in its case, which is VERDICT_ERROR; the sentence names
 * the run, how it ended, and a command that shows more, or is that of the mistake. Results of the
 * steps go to isolate_shared memory. Returns 0, or IO_BAD after a sentence on stderr if the system
 * has no further process. A child that exits with status 2 before any kernel has run found an
 * invalid environment variable and has reported it: the program exits with 2 too.
 */
int isolate(int count, void (*step)(int k, void *context),
            void (*crashed)(int k, enum verdict verdict, const char *sentence, void *context),
            void *context);

/* The run in progress, which the sentence names, or NULL; and that a kernel has run. Either begins
 * the time of the limit again. */
void isolate_note(const struct run *run);
void isolate_note_launch(void);

/* The step has found that memory of its process may be damaged, for this cause: a child crashes.
 * Without children it returns the sentence in *error. */
void isolate_crash(const char *cause, struct io_error *error);
/* The command that shows more of the run in progress, or NULL. */
const char *isolate_command(void);

#ifdef __cplusplus
}
#endif

#endif
