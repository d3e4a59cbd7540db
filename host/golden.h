/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Golden results: what the cases computed on one device, kept so that any other machine can compare
 * with it, above all one without a GPU with what a GPU computed. A record is
 *
 *     ROOT/DEVICE/PRECISION/manifest.txt      where and how it was made, the cases, the runs
 *     ROOT/DEVICE/PRECISION/CASE/ARRAY.npy    an output of all the case's runs, one after another
 *
 * DEVICE is the device's name, such as NVIDIA-H200; PRECISION is single or double. The manifest has
 * a line for each run, with the part of each file that is its:
 *
 *     run: saxpy n=32 block=256 y[128:160]
 */
#ifndef PORTABLE_HOST_GOLDEN_H
#define PORTABLE_HOST_GOLDEN_H

#include "host/io.h"

#include <stdio.h> /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

/* What is recorded: of each case the sizes up to the largest and the first block shapes, but no run
 * with more results than that. One record may have so many bytes per byte of a REAL: 1 MiB in single
 * precision, 2 MiB in double. */
enum {
    GOLDEN_LARGEST_SIZE = 1000,
    GOLDEN_BLOCKS = 2,
    GOLDEN_RUN_ELEMENTS = 4096,
    GOLDEN_BYTES_PER_REAL_BYTE = 1 << 18
};

/*
 * Runs all cases and records them under root, in place of an older record of this device and
 * precision. `notes` are "key: value" lines for the manifest. Each run must agree with its
 * reference: returns 1 when one does not, and IO_BAD with a sentence when it cannot be recorded. The new
 * record grows in a hidden directory beside the older one and takes its place at the end: until then,
 * and after a failure or a kill, the older one is as it was. Files that are not of a record are an error
 * before anything is written.
 */
int golden_record(const char *root, const char *const *notes, int note_count,
                  struct io_error *error);

/*
 * Compares every record under root of this precision, or those cases of it that `names` has (all
 * when there are none), prints a table and what is wrong, and adds the runs to *runs. Returns 0
 * when all agree, 1 when something differs, and IO_BAD when something is missing, is too much or
 * cannot be read. A case that a record lacks is told, and is no failure: new cases come without.
 * `results` is an open file for what host/results.h says, or NULL. Cases run as host/isolate.h says, and
 * *runs lies in isolate_shared.
 */
int golden_check(const char *root, const char *const *names, int name_count, FILE *results,
                 int *runs);

#ifdef __cplusplus
}
#endif

#endif
