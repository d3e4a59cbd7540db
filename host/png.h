/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
/* Images as PNG, for browsers. */
#ifndef PORTABLE_HOST_PNG_H
#define PORTABLE_HOST_PNG_H

#include "host/array.h"
#include "host/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Encodes a uint8 array of shape {height, width} or {height, width, 3}: W3C's Portable Network
 * Graphics, 8 bits a sample, without compression (stored blocks of RFC 1951). *data has *size
 * bytes, which the caller frees.
 */
int png_encode(const struct array *image, unsigned char **data, size_t *size,
               struct io_error *error);

/* Writes an image to the file `name` in the directory. */
int png_write(const char *directory, const char *name, const struct array *image,
              struct io_error *error);

#ifdef __cplusplus
}
#endif

#endif
