/* SPDX-License-Identifier: BSD-3-Clause */
/* CUDA's headers that have no counterpart here, each with a sentence that names a way out. */
#ifndef PORTABLE_HOST_NVCC_REFUSALS_H
#define PORTABLE_HOST_NVCC_REFUSALS_H

#include "host/nvcc/text.h"

#include <stdio.h> /* FILE */

/* The sentence for a header, by its name in the #include; NULL for one that is not in the table. */
const char *refusal_of(const char *header);

/* A CUDA toolkit in the system's directories, as some distributions have it, does not go with the
 * headers here. Ends the program if the preprocessed source has a header of the table from there,
 * and not from a directory that a flag of the compiler names. */
void refuse_system_headers(FILE *preprocessed, const struct list *flags);

#endif
