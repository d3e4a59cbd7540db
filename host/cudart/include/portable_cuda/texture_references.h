/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Texture references, which CUDA 12 took out: variables texture<T, dimensions, mode>. Each has a
 * texture object while it is bound. A program that has another use for the name `texture` in the
 * global namespace defines PORTABLE_CUDA_NO_TEXTURE_REFERENCES.
 */
#ifndef PORTABLE_CUDA_TEXTURE_REFERENCES_H
#define PORTABLE_CUDA_TEXTURE_REFERENCES_H

#include "../channel_descriptor.h"
#include "../cuda_runtime_api.h"
#include "../texture_indirect_functions.h"
#include "synchronisation.h"

struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    enum cudaTextureReadMode portable_cuda_mode_;
    mutable cudaTextureObject_t portable_cuda_object_; /* 0: not bound */
};

template <class T, int dimensions = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : public textureReference {
    texture(int is_normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
            enum cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(is_normalized, filter, address, cudaCreateChannelDesc<T>())
    {
    }
    texture(int is_normalized, enum cudaTextureFilterMode filter,
            enum cudaTextureAddressMode address, cudaChannelFormatDesc format)
        : textureReference{is_normalized,
                           filter,
                           {address, address, address},
                           format,
                           0,
                           0,
                           cudaFilterModePoint,
                           0,
                           0,
                           0,
                           mode,
                           0}
    {
    }
};

/* ---- the host's calls ---- */

static inline cudaError_t cudaUnbindTexture(const textureReference *reference)
{
    const cudaError_t error = cudaDestroyTextureObject(reference->portable_cuda_object_);
    reference->portable_cuda_object_ = 0;
    return error;
}
namespace portable_cuda
{
static inline cudaError_t bind(const textureReference *reference, const cudaResourceDesc &resource)
{
    cudaTextureDesc reading = {};
    for (int i = 0; i < 3; i++)
        reading.addressMode[i] = reference->addressMode[i];
    reading.filterMode =
        resource.resType == cudaResourceTypeLinear ? cudaFilterModePoint : reference->filterMode;
    reading.readMode = reference->portable_cuda_mode_;
    reading.normalizedCoords = reference->normalized;
    const cudaError_t error = cudaUnbindTexture(reference);
    if (error != cudaSuccess)
        return error;
    return cudaCreateTextureObject(&reference->portable_cuda_object_, &resource, &reading, nullptr);
}
} // namespace portable_cuda

static inline cudaError_t cudaBindTexture(size_t *offset, const textureReference *reference,
                                          const void *memory, const cudaChannelFormatDesc *format,
                                          size_t bytes = 0xffffffffu)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void *>(memory);
    resource.res.linear.desc = *format;
    resource.res.linear.sizeInBytes = bytes;
    if (offset)
        *offset = 0;
    return portable_cuda::bind(reference, resource);
}
static inline cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *reference,
                                            const void *memory, const cudaChannelFormatDesc *format,
                                            size_t width, size_t height, size_t pitch)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<void *>(memory);
    resource.res.pitch2D.desc = *format;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    if (offset)
        *offset = 0;
    return portable_cuda::bind(reference, resource);
}
static inline cudaError_t cudaBindTextureToArray(const textureReference *reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc *)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return portable_cuda::bind(reference, resource);
}
static inline cudaError_t cudaGetTextureReference(const textureReference **reference,
                                                  const void *symbol)
{
    *reference = static_cast<const textureReference *>(symbol);
    return cudaSuccess;
}
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const textureReference *)
{
    *offset = 0;
    return cudaSuccess;
}

#define PORTABLE_CUDA_TEMPLATE_ template <class T, int dimensions, enum cudaTextureReadMode mode>
#define PORTABLE_CUDA_REFERENCE_ const texture<T, dimensions, mode> &reference
PORTABLE_CUDA_TEMPLATE_ static inline cudaError_t
cudaBindTexture(size_t *offset, PORTABLE_CUDA_REFERENCE_, const void *memory,
                const cudaChannelFormatDesc &format, size_t bytes = 0xffffffffu)
{
    return cudaBindTexture(offset, &reference, memory, &format, bytes);
}
PORTABLE_CUDA_TEMPLATE_ static inline cudaError_t cudaBindTexture(size_t *offset,
                                                                  PORTABLE_CUDA_REFERENCE_,
                                                                  const void *memory,
                                                                  size_t bytes = 0xffffffffu)
{
    return cudaBindTexture(offset, &reference, memory, &reference.channelDesc, bytes);
}
PORTABLE_CUDA_TEMPLATE_ static inline cudaError_t
cudaBindTexture2D(size_t *offset, PORTABLE_CUDA_REFERENCE_, const void *memory,
                  const cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, &reference, memory, &format, width, height, pitch);
}
PORTABLE_CUDA_TEMPLATE_ static inline cudaError_t
cudaBindTexture2D(size_t *offset, PORTABLE_CUDA_REFERENCE_, const void *memory, size_t width,
                  size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, &reference, memory, &reference.channelDesc, width, height,
                             pitch);
}
PORTABLE_CUDA_TEMPLATE_ static inline cudaError_t
cudaBindTextureToArray(PORTABLE_CUDA_REFERENCE_, cudaArray_const_t array,
                       const cudaChannelFormatDesc &format)
{
    return cudaBindTextureToArray(&reference, array, &format);
}
PORTABLE_CUDA_TEMPLATE_ static inline cudaError_t cudaBindTextureToArray(PORTABLE_CUDA_REFERENCE_,
                                                                         cudaArray_const_t array)
{
    return cudaBindTextureToArray(&reference, array, &reference.channelDesc);
}
PORTABLE_CUDA_TEMPLATE_ static inline cudaError_t cudaUnbindTexture(PORTABLE_CUDA_REFERENCE_)
{
    return cudaUnbindTexture(static_cast<const textureReference *>(&reference));
}
PORTABLE_CUDA_TEMPLATE_ static inline cudaError_t
cudaGetTextureAlignmentOffset(size_t *offset, PORTABLE_CUDA_REFERENCE_)
{
    return cudaGetTextureAlignmentOffset(offset, &reference);
}
#undef PORTABLE_CUDA_REFERENCE_
#undef PORTABLE_CUDA_TEMPLATE_

/* ---- reads in kernels ---- */

namespace portable_cuda
{
/* What a read returns: an element, or the numbers from 0 or -1 to 1 that it stands for. */
template <class T, enum cudaTextureReadMode mode, int count = textures::components<T>::count>
struct texel {
    typedef T type;
};
template <class T> struct texel<T, cudaReadModeNormalizedFloat, 1> {
    typedef float type;
};
template <class T> struct texel<T, cudaReadModeNormalizedFloat, 2> {
    typedef float2 type;
};
template <class T> struct texel<T, cudaReadModeNormalizedFloat, 4> {
    typedef float4 type;
};
} // namespace portable_cuda

/* Inlined, so that the checks see the store of a result that the caller returns through memory. */
#define PORTABLE_CUDA_READ_(name, dimensions, shape, x, y, z, layer, ...)                          \
    template <class T, enum cudaTextureReadMode mode>                                              \
    __attribute__((always_inline)) static inline typename portable_cuda::texel<T, mode>::type      \
    name(const texture<T, dimensions, mode> &reference, __VA_ARGS__, PORTABLE_CUDA_HERE_)          \
    {                                                                                              \
        return portable_cuda::textures::read<typename portable_cuda::texel<T, mode>::type>(        \
            shape, reference.portable_cuda_object_, x, y, z, layer, #name, file, line);            \
    }
PORTABLE_CUDA_READ_(tex1Dfetch, cudaTextureType1D, PORTABLE_CUDA_FETCH_, 0, 0, 0, i, int i)
PORTABLE_CUDA_READ_(tex1D, cudaTextureType1D, PORTABLE_CUDA_1D_, x, 0, 0, 0, float x)
PORTABLE_CUDA_READ_(tex2D, cudaTextureType2D, PORTABLE_CUDA_2D_, x, y, 0, 0, float x, float y)
PORTABLE_CUDA_READ_(tex3D, cudaTextureType3D, PORTABLE_CUDA_3D_, x, y, z, 0, float x, float y,
                    float z)
PORTABLE_CUDA_READ_(tex1DLayered, cudaTextureType1DLayered, PORTABLE_CUDA_1D_LAYERED_, x, 0, 0,
                    layer, float x, int layer)
PORTABLE_CUDA_READ_(tex2DLayered, cudaTextureType2DLayered, PORTABLE_CUDA_2D_LAYERED_, x, y, 0,
                    layer, float x, float y, int layer)
PORTABLE_CUDA_READ_(texCubemap, cudaTextureTypeCubemap, PORTABLE_CUDA_CUBEMAP_, x, y, z, 0, float x,
                    float y, float z)
#undef PORTABLE_CUDA_READ_

#endif
