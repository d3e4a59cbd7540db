/* SPDX-License-Identifier: BSD-3-Clause */
/* The host's compilers, and their flags for a check. */
#ifndef PORTABLE_HOST_NVCC_COMPILERS_H
#define PORTABLE_HOST_NVCC_COMPILERS_H

#include "host/nvcc/text.h"

/* The compiler of C++. */
extern struct compiler {
    const char *name;
    int is_clang; /* else g++ */
} compiler;

/* clang++, which can split kernels into loops over threads, if nobody asked for a compiler and the
 * first that is installed is g++; else its name is NULL. */
extern struct compiler splitter;

/* Finds both: -ccbin, NVCC_CCBIN, or the first that is installed. */
void choose_compiler(void);
/* The compiler of C that belongs to it. */
const char *c_compiler(void);
/* "gcc" or "clang", as in the names of settings. */
const char *family(void);

/* A check's flags, for the preprocessor or for the compiler and the linker: clang warns of flags
 * that a step does not use. */
enum { MACROS = 1, OTHERS = 2 };
/* Adds the flags of the setting KIND.CHECK.FAMILY, for the check that was asked for. */
void add_check_flags(struct list *command, const char *kind, int parts);

#endif
