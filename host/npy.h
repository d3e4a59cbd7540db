/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
/*
 * NumPy's .npy files, as NEP 1 and the documentation of numpy.lib.format define them: a magic
 * string, a version, the length of a header, the header (a Python dict with the dtype, the order
 * and the shape), the data.
 */
#ifndef PORTABLE_HOST_NPY_H
#define PORTABLE_HOST_NPY_H

#include "host/array.h"
#include "host/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads versions 1.0, 2.0 and 3.0: little-endian numbers of the types in enum array_type, in C
 * order, up to ARRAY_MAX_RANK dimensions. The file must end exactly where its data do. The caller
 * frees *array.
 */
int npy_read(const char *path, struct array *array, struct io_error *error);

/* Writes version 1.0, with the data aligned to 64 bytes. */
int npy_write(const char *path, const struct array *array, struct io_error *error);

#ifdef __cplusplus
}
#endif

#endif
