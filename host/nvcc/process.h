/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the compilers, in a separate process group, and keeps their temporary files. With
 * --verbose it prints the commands; with --dryrun it runs none.
 */
#ifndef PORTABLE_HOST_NVCC_PROCESS_H
#define PORTABLE_HOST_NVCC_PROCESS_H

#include "host/nvcc/text.h"

/* The path of a new temporary file, which is removed when the program ends. The caller frees it. */
char *scratch_file(const char *suffix);

void show_command(const struct list *command);

/* Runs the command and returns its exit status. With names of files, its output goes to `output`,
 * and its messages, in English, to `errors`. */
int command_status(const struct list *command, const char *output, const char *errors);

/* Runs the command; ends the program if it fails, with its exit status. */
void run_command(const struct list *command);

/* Calls the function in a child process and returns its exit status, which is 0 if the function
 * returned. Its messages go to the file `errors`. */
int status_of_child(void (*function)(const void *), const void *argument, const char *errors);

/* Replaces this process by the command. */
void become_command(const struct list *command);

#endif
