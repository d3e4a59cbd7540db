/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Links images: for cuLinkComplete, for nvJitLink.h, and for cuModuleLoad.
 */
#ifndef PORTABLE_HOST_CUDART_LINKER_H
#define PORTABLE_HOST_CUDART_LINKER_H

#include "host/cudart/include/driver_types.h"

#include <stddef.h> /* size_t */

struct portable_linker_;
/* NULL without memory. */
struct portable_linker_ *portable_linker_begin_(void);
void portable_linker_end_(struct portable_linker_ *linker);

/* Adds an image, an object of the linker, or an archive of such. size: SIZE_MAX if it is not known,
 * as of an image. `call` names the caller in the sentence about what cannot be linked. */
cudaError_t portable_linker_add_(const char *call, struct portable_linker_ *linker,
                                 const void *data, size_t size);
cudaError_t portable_linker_complete_(struct portable_linker_ *linker);
/* The result, a string, which is valid until the end; and what the linker said. */
const char *portable_linker_image_(const struct portable_linker_ *linker);
const char *portable_linker_log_(const struct portable_linker_ *linker);

#endif
