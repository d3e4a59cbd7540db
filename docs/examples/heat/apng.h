/* SPDX-License-Identifier: 0BSD */
/* Animated PNG: W3C's Portable Network Graphics, 3rd edition, which every browser plays. */
#ifndef HEAT_APNG_H
#define HEAT_APNG_H

#include "host/array.h"
#include "host/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes `count` images of one size, each shown for 1/12 second, the last for 3 seconds; forever.
 * The file is written whole or not at all. Returns 0, or IO_BAD with a sentence. */
int apng_write(const char *path, const struct array *frames, int count, struct io_error *error);

#ifdef __cplusplus
}
#endif

#endif
