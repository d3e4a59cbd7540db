/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs show besides their tables: progress, results as files, the build. */
#ifndef PORTABLE_HOST_REPORT_H
#define PORTABLE_HOST_REPORT_H

#include "host/case.h"

#include <stdio.h> /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

/* One line on stderr that the next one replaces, on a terminal only. progress_end clears it. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

/* Whether the array is an image: bytes in two dimensions, or in three with three channels. */
int is_image(const struct array *array);

/* The file that write_outputs writes of an image, or of what it was before the launch. */
void image_path(const struct run_array *array, const char *directory, int before, char *path,
                size_t size);

/* Writes every output of a fetched run to directory/NAME.npy, and to NAME.pgm or NAME.ppm what is
 * an image, an input too; of an image that is updated NAME-before.pgm is the initial one. Makes the
 * directory. */
int write_outputs(const struct run *run, const char *directory, struct io_error *error);

/* Writes directory/manifest.txt: target, device, driver, compiler, flags, precision. */
int write_manifest(const char *directory, struct io_error *error);

/* The same to a stream, as "key: value" lines. */
void print_manifest(FILE *stream);

/* The manifest, and what the results do not depend on: the processor, its cores, the caches and the
 * clock of a GPU, the day. */
void print_machine(FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
