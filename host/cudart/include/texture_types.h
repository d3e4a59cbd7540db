/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of textures, for C and C++, and the host's calls for textures and surfaces. */
#ifndef PORTABLE_CUDA_TEXTURE_TYPES_H
#define PORTABLE_CUDA_TEXTURE_TYPES_H
/* CUDA's own guard, which other code asks for. */
#define __TEXTURE_TYPES_H__

#include "driver_types.h"
#include "surface_types.h"

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0c
#define cudaTextureType1DLayered 0xf1
#define cudaTextureType2DLayered 0xf2
#define cudaTextureTypeCubemapLayered 0xfc

enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

typedef unsigned long long cudaTextureObject_t;

#if defined(__cplusplus)
extern "C" {
#endif
#define PORTABLE_CUDA_TEXTURE_CALL_(name, ...)                                                     \
    cudaError_t name(__VA_ARGS__) __asm__("portable_" #name)
PORTABLE_CUDA_TEXTURE_CALL_(cudaCreateTextureObject, cudaTextureObject_t *texture,
                            const struct cudaResourceDesc *resource,
                            const struct cudaTextureDesc *description,
                            const struct cudaResourceViewDesc *view);
PORTABLE_CUDA_TEXTURE_CALL_(cudaDestroyTextureObject, cudaTextureObject_t texture);
PORTABLE_CUDA_TEXTURE_CALL_(cudaGetTextureObjectResourceDesc, struct cudaResourceDesc *resource,
                            cudaTextureObject_t texture);
PORTABLE_CUDA_TEXTURE_CALL_(cudaGetTextureObjectTextureDesc, struct cudaTextureDesc *description,
                            cudaTextureObject_t texture);
PORTABLE_CUDA_TEXTURE_CALL_(cudaGetTextureObjectResourceViewDesc, struct cudaResourceViewDesc *view,
                            cudaTextureObject_t texture);
PORTABLE_CUDA_TEXTURE_CALL_(cudaCreateSurfaceObject, cudaSurfaceObject_t *surface,
                            const struct cudaResourceDesc *resource);
PORTABLE_CUDA_TEXTURE_CALL_(cudaDestroySurfaceObject, cudaSurfaceObject_t surface);
PORTABLE_CUDA_TEXTURE_CALL_(cudaGetSurfaceObjectResourceDesc, struct cudaResourceDesc *resource,
                            cudaSurfaceObject_t surface);
#undef PORTABLE_CUDA_TEXTURE_CALL_

/* ---- What the functions of kernels call, in host/cudart/texture.c ---- */

enum portable_cuda_shape_ {
    PORTABLE_CUDA_FETCH_, /* tex1Dfetch */
    PORTABLE_CUDA_1D_,
    PORTABLE_CUDA_2D_,
    PORTABLE_CUDA_3D_,
    PORTABLE_CUDA_1D_LAYERED_,
    PORTABLE_CUDA_2D_LAYERED_,
    PORTABLE_CUDA_CUBEMAP_,
    PORTABLE_CUDA_CUBEMAP_LAYERED_,
    PORTABLE_CUDA_GATHER_ /* tex2Dgather */
};
/* The texels that a read combines, and how they are encoded. */
struct portable_cuda_texels_ {
    int count, channels, channel_bytes, is_normalised;
    enum cudaChannelFormatKind kind;
    const char *texel[8]; /* NULL: the border */
    float weight[8], border[4];
};
void portable_cuda_texture_(struct portable_cuda_texels_ *texels, enum portable_cuda_shape_ shape,
                            cudaTextureObject_t texture, float x, float y, float z, int layer,
                            const char *name, const char *file, int line);
/* The element at byte x of a row, or NULL for one outside that is to be ignored. */
char *portable_cuda_surface_(cudaSurfaceObject_t surface, enum portable_cuda_shape_ shape,
                             size_t bytes, int x, int y, int z,
                             enum cudaSurfaceBoundaryMode boundary, const char *name,
                             const char *file, int line);
#if defined(__cplusplus)
}
#endif

#endif
