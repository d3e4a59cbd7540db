/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
/*
 * Netpbm's raw grey and colour images, as the manual pages pgm(5) and ppm(5) define them: a magic
 * "P5" or "P6", width, height and the largest sample in decimal, one blank, the samples.
 */
#ifndef PORTABLE_HOST_PNM_H
#define PORTABLE_HOST_PNM_H

#include "host/array.h"
#include "host/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads P5 as a uint8 array of shape {height, width}, P6 as {height, width, 3}, row by row from
 * the top, whose samples are those of the file: they are not scaled when its largest sample (1 to
 * 255) is below 255. One image a file: it must end exactly where the samples do. The caller frees
 * *image.
 */
int pnm_read(const char *path, struct array *image, struct io_error *error);

/* Writes a uint8 array of one of those shapes, with 255 as the largest sample. */
int pnm_write(const char *path, const struct array *image, struct io_error *error);

#ifdef __cplusplus
}
#endif

#endif
