/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes images of kernels: host/cudart/image.h has their format. */
#ifndef PORTABLE_HOST_NVCC_IMAGE_H
#define PORTABLE_HOST_NVCC_IMAGE_H

#include "host/nvcc/text.h"

/* kind: of the file, as in the image's header. */
void write_image(const char *file, const char *kind, const char *output);
/* Links the objects to a library, and makes an image of it. */
void link_image(const struct list *objects, const char *output);

#endif
