/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles a source for the check that was asked for. */
#ifndef PORTABLE_HOST_NVCC_COMPILE_H
#define PORTABLE_HOST_NVCC_COMPILE_H

/* Only preprocesses: -E, -M, -MM. */
void preprocess(const char *source);

/* Returns the path of the object, which the caller frees. */
char *compile(const char *source);

/* Likewise of what -c, or -ptx and its kin, make of the source. */
char *output_of(const char *source);

#endif
