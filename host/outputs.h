/* SPDX-License-Identifier: BSD-3-Clause */
/* Output besides the tables: progress, dumped results, and the build. */
#ifndef PORTABLE_HOST_OUTPUTS_H
#define PORTABLE_HOST_OUTPUTS_H

#include "host/case.h"

#include <stdio.h> /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

/* One line on stderr that the next one replaces, on a terminal only. progress_end clears it. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

/* An image file that write_outputs wrote. */
struct image_file {
    const char *array;
    int is_initial; /* the values before the launch */
    int is_picture; /* at least 8 x 8: bytes in few columns are numbers */
    char path[IO_PATH_SIZE];
};

struct image_files {
    struct image_file files[2 * RUN_ARRAYS];
    int count;
};

/*
 * Writes every output of a fetched run to directory/NAME.npy, and every image, also an input, to
 * NAME.pgm or NAME.ppm; the initial values of an updated image go to NAME-before.pgm. An image is
 * an array of bytes in two dimensions, or in three with three channels. Makes the directory, and
 * lists the images in *written.
 */
int write_outputs(const struct run *run, const char *directory, struct image_files *written,
                  struct io_error *error);

/* Writes directory/manifest.txt: target, device, driver, compiler, flags, precision. */
int write_manifest(const char *directory, struct io_error *error);

/* The same to a stream, as "key: value" lines. */
void print_manifest(FILE *stream);

/* The manifest and facts that results do not depend on: the processor, its cores, the cache and
 * clock of a GPU, the date. */
void print_machine(FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
