/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rewrites preprocessed CUDA C++ as C++ for the emulate target: CUDA's declaration specifiers and
 * launches, which C++ lacks. Everything else stays as it is, on its own line.
 */
#ifndef PORTABLE_HOST_NVCC_TRANSLATE_H
#define PORTABLE_HOST_NVCC_TRANSLATE_H

#include <stddef.h> /* size_t */
#include <stdio.h>  /* FILE */

struct translate_options {
    int clang;       /* the C++ compiler is clang, else gcc */
    int relocatable; /* -rdc=true: __device__ names have external linkage */
    int lockstep;    /* --warps=lockstep: loops count their iterations */
    int image;       /* static variables have external linkage too, for cuModuleGetGlobal */
    int contracts;   /* clang is to contract a * b + c in device code */
    int workers;     /* several OS threads run blocks, each with its shared memory */
};

/* Reads `size` bytes of preprocessed source and writes the C++ to `out`. Returns the number of
 * errors; each is printed to stderr as FILE:LINE: error: SENTENCE. The caller owns `text`, and
 * checks `out` for write errors. */
int translate(const char *text, size_t size, const struct translate_options *options, FILE *out);

#endif
