/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work in child processes, so that a kernel that crashes ends one step of it and not the program.
 *
 * A child has the program's memory as it was, but only what lies in isolate_shared comes back from it.
 * On the CPU each step has a child. On CUDA, where a child takes a while to find the device, one does all
 * that are left, until it crashes or loses the device: so the program itself must not use the device
 * before. There are no children in a debugger, nor under the four checks, which report crashes themselves.
 */
#ifndef PORTABLE_HOST_ISOLATE_H
#define PORTABLE_HOST_ISOLATE_H

#include "host/case.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ISOLATE_CRASHED = 1 };

/* Zeroed memory that the program and its children share, for as long as the program runs. Without memory
 * the program ends with a sentence. */
void *isolate_shared(size_t size);

/*
 * Calls step(0) to step(count - 1), and crashed(k, sentence) after step k crashed: in the program, with
 * which run it was, how it ended, and the command that shows more. Returns the worst status of the steps,
 * a crash's being ISOLATE_CRASHED. A child that exits with status 2 before any kernel has run did not
 * understand a variable of the environment, and has told so: the program exits likewise.
 */
int isolate(int count, int (*step)(int k, void *context),
            void (*crashed)(int k, const char *sentence, void *context), void *context);

/* What runs from here on, for the sentence; NULL: nothing. And that a kernel has run. */
void isolate_note(const struct run *run);
void isolate_note_launch(void);

#ifdef __cplusplus
}
#endif

#endif
