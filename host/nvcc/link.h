/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a program or a library of objects, and runs a program. */
#ifndef PORTABLE_HOST_NVCC_LINK_H
#define PORTABLE_HOST_NVCC_LINK_H

#include "host/nvcc/text.h"

void link_program(const struct list *objects, const char *output);
void archive(const struct list *objects, const char *output);
/* Nothing is linked for the device: the output is an empty object. */
void link_device(const char *output);

/* Replaces this process by the program, for -run. */
void run_program(const char *name);

/* Prints what LD_PRELOAD must be for a program of another linker, such as Python, that loads
 * libraries with the check. */
void show_preload(void);

#endif
