/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads images: the modules and libraries of the driver API, and the libraries of the runtime API.
 */
#ifndef PORTABLE_HOST_CUDART_LOAD_H
#define PORTABLE_HOST_CUDART_LOAD_H

#include "host/cudart/include/driver_types.h"

#include <stddef.h> /* size_t */

struct portable_loaded_;
/* Loads an image from memory, or from a file. `call` names the caller in the sentence about one
 * that cannot be loaded. */
cudaError_t portable_load_(const char *call, const void *image, struct portable_loaded_ **loaded);
cudaError_t portable_load_file_(const char *call, const char *file,
                                struct portable_loaded_ **loaded);
/* Whether it was loaded by the calls above, and is. */
int portable_is_loaded_(const struct portable_loaded_ *loaded);
/* That with the kernel, or NULL. */
struct portable_loaded_ *portable_loaded_with_(const void *kernel);
void portable_unload_(struct portable_loaded_ *loaded);

/* By the name of the symbol, which C++ mangles; NULL if there is none. */
const void *portable_loaded_kernel_(const struct portable_loaded_ *loaded, const char *name);
void *portable_loaded_variable_(const struct portable_loaded_ *loaded, const char *name,
                                size_t *bytes);

#endif
