/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA arrays as memory.c allocates them, for texture.c. Kernels may read these structures.
 *
 * Element (x, y, z) is at data + z * slice + y * pitch + x * element_bytes; a layer of a layered
 * array and a face of a cubemap are a slice. width, height and depth are as the program gave them:
 * the height of a 1D array and the depth of a 2D array are 0.
 */
#ifndef PORTABLE_HOST_CUDART_ARRAY_H
#define PORTABLE_HOST_CUDART_ARRAY_H

#include "host/cudart/include/driver_types.h"

struct cudaArray {
    char *data; /* owned, unless it is a level of a mipmapped array */
    size_t element_bytes, pitch, slice;
    size_t width, height, depth; /* in elements */
    struct cudaChannelFormatDesc format;
    unsigned flags; /* cudaArrayLayered and the like */
};

/* At least 1. */
static inline size_t rows_of(const struct cudaArray *array)
{
    return array->height ? array->height : 1;
}
static inline size_t slices_of(const struct cudaArray *array)
{
    return array->depth ? array->depth : 1;
}

enum { PORTABLE_CUDA_LEVELS_ = 32 };
struct cudaMipmappedArray {
    unsigned levels;
    struct cudaArray *level[PORTABLE_CUDA_LEVELS_];
};

#endif
