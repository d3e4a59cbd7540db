/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of texture objects in kernels: tex2D<T>(texture, x, y) and the like, and tex2D(&result,
 * texture, x, y). Textures have one level, so the functions with a level of detail ignore it.
 */
#ifndef PORTABLE_CUDA_TEXTURE_INDIRECT_FUNCTIONS_H
#define PORTABLE_CUDA_TEXTURE_INDIRECT_FUNCTIONS_H

#include "texture_types.h"
#include "vector_types.h"

#if defined(__cplusplus)
#include "portable_cuda/small_float.h"

/* Inlined, so that the checks see the store of a result that the caller returns through memory. */
#define PORTABLE_CUDA_INLINE_ static inline __attribute__((always_inline))

namespace portable_cuda
{
namespace textures
{
/* The components of a type that a read returns. */
template <class T> struct components {
    static_assert(sizeof(T) < 0, "a texture or surface has elements of char, short, int or float, "
                                 "or vectors of 1, 2 or 4 of them");
};
#define PORTABLE_CUDA_COMPONENTS_(type, base_type, number)                                         \
    template <> struct components<type> {                                                          \
        typedef base_type base;                                                                    \
        static constexpr int count = number;                                                       \
    };
#define PORTABLE_CUDA_VECTORS_(name, base_type)                                                    \
    PORTABLE_CUDA_COMPONENTS_(base_type, base_type, 1)                                             \
    PORTABLE_CUDA_COMPONENTS_(name##1, base_type, 1)                                               \
    PORTABLE_CUDA_COMPONENTS_(name##2, base_type, 2)                                               \
    PORTABLE_CUDA_COMPONENTS_(name##4, base_type, 4)
PORTABLE_CUDA_COMPONENTS_(char, char, 1)
PORTABLE_CUDA_VECTORS_(char, signed char)
PORTABLE_CUDA_VECTORS_(uchar, unsigned char)
PORTABLE_CUDA_VECTORS_(short, short)
PORTABLE_CUDA_VECTORS_(ushort, unsigned short)
PORTABLE_CUDA_VECTORS_(int, int)
PORTABLE_CUDA_VECTORS_(uint, unsigned int)
PORTABLE_CUDA_VECTORS_(long, long)
PORTABLE_CUDA_VECTORS_(ulong, unsigned long)
PORTABLE_CUDA_VECTORS_(float, float)
#undef PORTABLE_CUDA_VECTORS_
#undef PORTABLE_CUDA_COMPONENTS_

template <class Base> static inline Base element(const char *texel, int channel)
{
    return reinterpret_cast<const Base *>(texel)[channel];
}

/* One component of a texel as the number it stands for. */
static inline float number(const portable_cuda_texels_ &texels, const char *texel, int channel)
{
    const int bytes = texels.channel_bytes;
    float x = 0;
    switch (texels.kind) {
    case cudaChannelFormatKindFloat:
        return bytes == 4
                   ? element<float>(texel, channel)
                   : small::small_float<5, 10>::to_float(element<unsigned short>(texel, channel));
    case cudaChannelFormatKindSigned:
        x = bytes == 1   ? (float)element<signed char>(texel, channel) / 127.0f
            : bytes == 2 ? (float)element<short>(texel, channel) / 32767.0f
                         : (float)element<int>(texel, channel);
        return texels.is_normalised && x < -1 ? -1.0f : x;
    default:
        return bytes == 1   ? (float)element<unsigned char>(texel, channel) / 255.0f
               : bytes == 2 ? (float)element<unsigned short>(texel, channel) / 65535.0f
                            : (float)element<unsigned>(texel, channel);
    }
}
/* One component of a read: a float, or an integer read as it is. */
static inline float component(const portable_cuda_texels_ &texels, int channel, float)
{
    float sum = 0;
    for (int i = 0; i < texels.count; i++) {
        const float x =
            texels.texel[i] ? number(texels, texels.texel[i], channel) : texels.border[channel];
        if (texels.count == 1)
            return x;
        sum += texels.weight[i] * x;
    }
    return sum;
}
template <class Base>
static inline Base component(const portable_cuda_texels_ &texels, int channel, Base)
{
    const char *const texel = texels.texel[0];
    if (!texel)
        return Base(texels.border[channel]);
    const bool has_sign = texels.kind == cudaChannelFormatKindSigned;
    switch (texels.channel_bytes) {
    case 1:
        return has_sign ? Base(element<signed char>(texel, channel))
                        : Base(element<unsigned char>(texel, channel));
    case 2:
        return has_sign ? Base(element<short>(texel, channel))
                        : Base(element<unsigned short>(texel, channel));
    default:
        return has_sign ? Base(element<int>(texel, channel))
                        : Base(element<unsigned>(texel, channel));
    }
}

template <class T>
PORTABLE_CUDA_INLINE_ T read(enum portable_cuda_shape_ shape, cudaTextureObject_t texture, float x,
                             float y, float z, int layer, const char *name, const char *file,
                             int line)
{
    typedef typename components<T>::base Base;
    constexpr int count = components<T>::count;
    portable_cuda_texels_ texels;
    portable_cuda_texture_(&texels, shape, texture, x, y, z, layer, name, file, line);
    Base result[count] = {};
    for (int channel = 0; channel < count; channel++)
        if (channel < texels.channels)
            result[channel] = component(texels, channel, Base());
    T value;
    memcpy(static_cast<void *>(&value), result, sizeof value);
    return value;
}
/* A component of the four texels that a linear read would combine. */
template <class T>
PORTABLE_CUDA_INLINE_ T gather(cudaTextureObject_t texture, float x, float y, int channel,
                               const char *file, int line)
{
    typedef typename components<T>::base Base;
    static_assert(components<T>::count == 4, "tex2Dgather returns a vector of 4");
    portable_cuda_texels_ texels;
    portable_cuda_texture_(&texels, PORTABLE_CUDA_GATHER_, texture, x, y, 0, 0, "tex2Dgather", file,
                           line);
    Base result[4] = {};
    static const int order[4] = {2, 3, 1, 0};
    portable_cuda_texels_ single = texels;
    single.count = 1;
    for (int i = 0; i < 4; i++) {
        single.texel[0] = texels.texel[order[i]];
        if (channel >= 0 && channel < texels.channels)
            result[i] = component(single, channel, Base());
    }
    T value;
    memcpy(static_cast<void *>(&value), result, sizeof value);
    return value;
}
} // namespace textures
} // namespace portable_cuda

#define PORTABLE_CUDA_PLACE_ const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define PORTABLE_CUDA_TEXTURE_(name, shape, x, y, z, layer, ...)                                   \
    template <class T>                                                                             \
    PORTABLE_CUDA_INLINE_ T name(cudaTextureObject_t texture, __VA_ARGS__, PORTABLE_CUDA_PLACE_)   \
    {                                                                                              \
        return portable_cuda::textures::read<T>(shape, texture, x, y, z, layer, #name, file,       \
                                                line);                                             \
    }                                                                                              \
    template <class T>                                                                             \
    PORTABLE_CUDA_INLINE_ void name(T *result, cudaTextureObject_t texture, __VA_ARGS__,           \
                                    PORTABLE_CUDA_PLACE_)                                          \
    {                                                                                              \
        *result =                                                                                  \
            portable_cuda::textures::read<T>(shape, texture, x, y, z, layer, #name, file, line);   \
    }
PORTABLE_CUDA_TEXTURE_(tex1Dfetch, PORTABLE_CUDA_FETCH_, 0, 0, 0, x, int x)
PORTABLE_CUDA_TEXTURE_(tex1D, PORTABLE_CUDA_1D_, x, 0, 0, 0, float x)
PORTABLE_CUDA_TEXTURE_(tex1DLod, PORTABLE_CUDA_1D_, x, 0, 0, 0, float x, float)
PORTABLE_CUDA_TEXTURE_(tex1DGrad, PORTABLE_CUDA_1D_, x, 0, 0, 0, float x, float, float)
PORTABLE_CUDA_TEXTURE_(tex2D, PORTABLE_CUDA_2D_, x, y, 0, 0, float x, float y)
PORTABLE_CUDA_TEXTURE_(tex2DLod, PORTABLE_CUDA_2D_, x, y, 0, 0, float x, float y, float)
PORTABLE_CUDA_TEXTURE_(tex2DGrad, PORTABLE_CUDA_2D_, x, y, 0, 0, float x, float y, float2, float2)
PORTABLE_CUDA_TEXTURE_(tex3D, PORTABLE_CUDA_3D_, x, y, z, 0, float x, float y, float z)
PORTABLE_CUDA_TEXTURE_(tex3DLod, PORTABLE_CUDA_3D_, x, y, z, 0, float x, float y, float z, float)
PORTABLE_CUDA_TEXTURE_(tex3DGrad, PORTABLE_CUDA_3D_, x, y, z, 0, float x, float y, float z, float4,
                       float4)
PORTABLE_CUDA_TEXTURE_(tex1DLayered, PORTABLE_CUDA_1D_LAYERED_, x, 0, 0, layer, float x, int layer)
PORTABLE_CUDA_TEXTURE_(tex1DLayeredLod, PORTABLE_CUDA_1D_LAYERED_, x, 0, 0, layer, float x,
                       int layer, float)
PORTABLE_CUDA_TEXTURE_(tex2DLayered, PORTABLE_CUDA_2D_LAYERED_, x, y, 0, layer, float x, float y,
                       int layer)
PORTABLE_CUDA_TEXTURE_(tex2DLayeredLod, PORTABLE_CUDA_2D_LAYERED_, x, y, 0, layer, float x, float y,
                       int layer, float)
PORTABLE_CUDA_TEXTURE_(texCubemap, PORTABLE_CUDA_CUBEMAP_, x, y, z, 0, float x, float y, float z)
PORTABLE_CUDA_TEXTURE_(texCubemapLod, PORTABLE_CUDA_CUBEMAP_, x, y, z, 0, float x, float y, float z,
                       float)
PORTABLE_CUDA_TEXTURE_(texCubemapLayered, PORTABLE_CUDA_CUBEMAP_LAYERED_, x, y, z, layer, float x,
                       float y, float z, int layer)
#undef PORTABLE_CUDA_TEXTURE_

template <class T>
PORTABLE_CUDA_INLINE_ T tex2Dgather(cudaTextureObject_t texture, float x, float y, int comp = 0,
                                    PORTABLE_CUDA_PLACE_)
{
    return portable_cuda::textures::gather<T>(texture, x, y, comp, file, line);
}
template <class T>
PORTABLE_CUDA_INLINE_ void tex2Dgather(T *result, cudaTextureObject_t texture, float x, float y,
                                       int comp = 0, PORTABLE_CUDA_PLACE_)
{
    *result = portable_cuda::textures::gather<T>(texture, x, y, comp, file, line);
}
#undef PORTABLE_CUDA_PLACE_
#undef PORTABLE_CUDA_INLINE_
#endif

#endif
