/* SPDX-License-Identifier: BSD-3-Clause */
/* Makers of the structures of copies in three dimensions. */
#ifndef PORTABLE_CUDA_DRIVER_FUNCTIONS_H
#define PORTABLE_CUDA_DRIVER_FUNCTIONS_H

#include "driver_types.h"

static __inline__ struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz,
                                                            size_t ysz)
{
    struct cudaPitchedPtr memory;
    memory.ptr = d;
    memory.pitch = p;
    memory.xsize = xsz;
    memory.ysize = ysz;
    return memory;
}

static __inline__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos position;
    position.x = x;
    position.y = y;
    position.z = z;
    return position;
}

static __inline__ struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent extent;
    extent.width = w;
    extent.height = h;
    extent.depth = d;
    return extent;
}

#endif
