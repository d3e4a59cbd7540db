/* SPDX-License-Identifier: BSD-3-Clause */
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
 * Graphics, 8 bits a sample, each row as its difference from the row above, deflated (RFC 1951)
 * with the fixed codes. *data has *size bytes, which the caller frees.
 */
int png_encode(const struct array *image, unsigned char **data, size_t *size,
               struct io_error *error);

/*
 * Writes an image to the file `name` in the directory, or `count` images of one size as an
 * animation that repeats: each for 1/12 second, the last for 3 seconds (W3C's Portable Network
 * Graphics, 3rd edition).
 */
int png_write(const char *directory, const char *name, const struct array *images, int count,
              struct io_error *error);

#ifdef __cplusplus
}
#endif

#endif
