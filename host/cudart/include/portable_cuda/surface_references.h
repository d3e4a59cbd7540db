/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Surface references, which CUDA 12 took out: variables surface<void, dimensions>. Each has a
 * surface object, which the functions for surfaces take, once it is bound.
 */
#ifndef PORTABLE_CUDA_SURFACE_REFERENCES_H
#define PORTABLE_CUDA_SURFACE_REFERENCES_H

#include "../cuda_runtime_api.h"
#include "../surface_types.h"

struct surfaceReference {
    struct cudaChannelFormatDesc channelDesc;
    mutable cudaSurfaceObject_t portable_cuda_object_; /* 0: not bound */
};

template <class T, int dimensions = cudaSurfaceType1D> struct surface : public surfaceReference {
    surface() : surfaceReference{}
    {
    }
    operator cudaSurfaceObject_t() const
    {
        return portable_cuda_object_;
    }
};

static inline cudaError_t cudaBindSurfaceToArray(const surfaceReference *reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc *)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    const cudaError_t error = cudaDestroySurfaceObject(reference->portable_cuda_object_);
    reference->portable_cuda_object_ = 0;
    if (error != cudaSuccess)
        return error;
    return cudaCreateSurfaceObject(&reference->portable_cuda_object_, &resource);
}
template <class T, int dimensions>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, dimensions> &reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &format)
{
    return cudaBindSurfaceToArray(&reference, array, &format);
}
template <class T, int dimensions>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, dimensions> &reference,
                                                 cudaArray_const_t array)
{
    return cudaBindSurfaceToArray(&reference, array, &reference.channelDesc);
}
static inline cudaError_t cudaGetSurfaceReference(const surfaceReference **reference,
                                                  const void *symbol)
{
    *reference = static_cast<const surfaceReference *>(symbol);
    return cudaSuccess;
}

#endif
