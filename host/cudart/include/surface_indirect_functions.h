/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes of surface objects in kernels. x counts bytes, and y and z elements. */
#ifndef PORTABLE_CUDA_SURFACE_INDIRECT_FUNCTIONS_H
#define PORTABLE_CUDA_SURFACE_INDIRECT_FUNCTIONS_H

#include "texture_types.h"

#if defined(__cplusplus)
/* Inlined, so that the checks see the store of a result that the caller returns through memory. */
#define PORTABLE_CUDA_INLINE_ static inline __attribute__((always_inline))
#define PORTABLE_CUDA_PLACE_ const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define PORTABLE_CUDA_SURFACE_(name, shape, x, y, z, ...)                                          \
    template <class T>                                                                             \
    PORTABLE_CUDA_INLINE_ T name##read(cudaSurfaceObject_t surface, __VA_ARGS__,                   \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,        \
                                       PORTABLE_CUDA_PLACE_)                                       \
    {                                                                                              \
        const char *const from = portable_cuda_surface_(surface, shape, sizeof(T), x, y, z, mode,  \
                                                        #name "read", file, line);                 \
        return from ? *reinterpret_cast<const T *>(from) : T();                                    \
    }                                                                                              \
    template <class T>                                                                             \
    PORTABLE_CUDA_INLINE_ void name##read(T *result, cudaSurfaceObject_t surface, __VA_ARGS__,     \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,     \
                                          PORTABLE_CUDA_PLACE_)                                    \
    {                                                                                              \
        const char *const from = portable_cuda_surface_(surface, shape, sizeof(T), x, y, z, mode,  \
                                                        #name "read", file, line);                 \
        *result = from ? *reinterpret_cast<const T *>(from) : T();                                 \
    }                                                                                              \
    template <class T>                                                                             \
    PORTABLE_CUDA_INLINE_ void name##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,      \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,    \
                                           PORTABLE_CUDA_PLACE_)                                   \
    {                                                                                              \
        char *const to = portable_cuda_surface_(surface, shape, sizeof(T), x, y, z, mode,          \
                                                #name "write", file, line);                        \
        if (to)                                                                                    \
            *reinterpret_cast<T *>(to) = value;                                                    \
    }
PORTABLE_CUDA_SURFACE_(surf1D, PORTABLE_CUDA_1D_, x, 0, 0, int x)
PORTABLE_CUDA_SURFACE_(surf2D, PORTABLE_CUDA_2D_, x, y, 0, int x, int y)
PORTABLE_CUDA_SURFACE_(surf3D, PORTABLE_CUDA_3D_, x, y, z, int x, int y, int z)
PORTABLE_CUDA_SURFACE_(surf1DLayered, PORTABLE_CUDA_1D_LAYERED_, x, 0, layer, int x, int layer)
PORTABLE_CUDA_SURFACE_(surf2DLayered, PORTABLE_CUDA_2D_LAYERED_, x, y, layer, int x, int y,
                       int layer)
PORTABLE_CUDA_SURFACE_(surfCubemap, PORTABLE_CUDA_CUBEMAP_, x, y, face, int x, int y, int face)
PORTABLE_CUDA_SURFACE_(surfCubemapLayered, PORTABLE_CUDA_CUBEMAP_LAYERED_, x, y, layer_face, int x,
                       int y, int layer_face)
#undef PORTABLE_CUDA_SURFACE_
#undef PORTABLE_CUDA_PLACE_
#undef PORTABLE_CUDA_INLINE_
#endif

#endif
