/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Golden results: the results of the cases on one device, recorded so that any other machine can
 * compare with them, above all one without a GPU with those of a GPU. A record is
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
#include "host/verdict.h"

#include <stdio.h> /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

/* The limits of a record: the largest size, the number of blocks of a case, the results of one
 * run, and the bytes of a record per byte of a REAL: 1 MiB in single precision, 2 MiB in double. */
enum {
    GOLDEN_LARGEST_SIZE = 1000,
    GOLDEN_BLOCKS = 2,
    GOLDEN_RUN_ELEMENTS = 4096,
    GOLDEN_BYTES_PER_REAL_BYTE = 1 << 18
};

/*
 * Runs all cases and records their results under root, replacing an older record of this device and
 * precision. `notes` are "key: value" lines for the manifest. Each run must agree with its
 * reference: returns 1 if one does not, and IO_BAD with a sentence if it cannot be recorded.
 * The new record is written to a hidden directory beside the older one and replaces it at the end:
 * until then, and after a failure or a kill, the older one is intact. A file that belongs to no
 * record is an error before anything is written.
 */
int golden_record(const char *root, const char *const *notes, int note_count,
                  struct io_error *error);

/*
 * Compares every record under root of this precision, or those cases of it that `names` has (all
 * when there are none), prints a table and the mismatches, and adds the runs to *runs. A file that
 * is missing, unexpected or unreadable is VERDICT_ERROR; records without these cases are
 * VERDICT_NOT_RUN. A case that a record lacks is reported and is no failure: new cases have no
 * record. `results` is an open file, for host/results.h, or NULL. Cases run under host/isolate.h,
 * and *runs must lie in isolate_shared.
 */
enum verdict golden_check(const char *root, const char *const *names, int name_count, FILE *results,
                          int *runs);

#ifdef __cplusplus
}
#endif

#endif
