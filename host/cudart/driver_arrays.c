/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libcuda.so: arrays, the copies that may have one as a side, textures and surfaces.
 */
#include "host/cudart/driver.h"
#include "host/cudart/array.h"
#include "host/cudart/include/texture_types.h"

#include <stddef.h> /* size_t */
#include <string.h> /* memcpy, memset */

static struct cudaArray *runtime_array(CUarray array)
{
    return (struct cudaArray *)(void *)array;
}

static CUarray driver_array(struct cudaArray *array)
{
    return (CUarray)(void *)array;
}

/* ---- formats ---- */

static const struct {
    CUarray_format format;
    int bits;
    enum cudaChannelFormatKind kind;
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* An unknown format has no bits, which the runtime refuses. */
static struct cudaChannelFormatDesc channels(CUarray_format format, unsigned count)
{
    struct cudaChannelFormatDesc made = {0, 0, 0, 0, cudaChannelFormatKindNone};
    for (size_t k = 0; k < FORMATS; k++)
        if (formats[k].format == format) {
            const int bits = formats[k].bits;
            made.x = count >= 1 && count <= 4 ? bits : 0;
            made.y = count >= 2 ? bits : 0;
            made.z = count >= 3 ? bits : 0;
            made.w = count >= 4 ? bits : 0;
            made.f = formats[k].kind;
        }
    return made;
}

static CUarray_format format_of(const struct cudaChannelFormatDesc *description, unsigned *count)
{
    *count = (unsigned)((description->x > 0) + (description->y > 0) + (description->z > 0) +
                        (description->w > 0));
    for (size_t k = 0; k < FORMATS; k++)
        if (formats[k].bits == description->x && formats[k].kind == description->f)
            return formats[k].format;
    return CU_AD_FORMAT_MAX;
}

/* ---- arrays ---- */

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *description)
{
    ENTER_CONTEXT();
    REQUIRE(array && description, CUDA_ERROR_INVALID_VALUE);
    const struct cudaChannelFormatDesc format =
        channels(description->Format, description->NumChannels);
    const struct cudaExtent extent = {description->Width, description->Height, description->Depth};
    struct cudaArray *made = NULL;
    const struct before was = before();
    const CUresult result =
        result_of(was, cudaMalloc3DArray(&made, &format, extent, description->Flags));
    if (result == CUDA_SUCCESS)
        *array = driver_array(made);
    return result;
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *description)
{
    REQUIRE(description, CUDA_ERROR_INVALID_VALUE);
    const CUDA_ARRAY3D_DESCRIPTOR all = {description->Width,  description->Height,      0,
                                         description->Format, description->NumChannels, 0};
    return cuArray3DCreate(array, &all);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *description, CUarray array)
{
    ENTER_CONTEXT();
    REQUIRE(description, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(array, CUDA_ERROR_INVALID_HANDLE);
    const struct cudaArray *const found = runtime_array(array);
    description->Width = found->width;
    description->Height = found->height;
    description->Depth = found->depth;
    description->Format = format_of(&found->format, &description->NumChannels);
    description->Flags = found->flags;
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *description, CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR all;
    REQUIRE(description, CUDA_ERROR_INVALID_VALUE);
    const CUresult result = cuArray3DGetDescriptor(&all, array);
    if (result == CUDA_SUCCESS) {
        description->Width = all.Width;
        description->Height = all.Height;
        description->Format = all.Format;
        description->NumChannels = all.NumChannels;
    }
    return result;
}

CUresult cuArrayDestroy(CUarray array)
{
    ENTER_CONTEXT();
    REQUIRE(array, CUDA_ERROR_INVALID_HANDLE);
    RUN(cudaFreeArray(runtime_array(array)));
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *description,
                                unsigned int levels)
{
    ENTER_CONTEXT();
    REQUIRE(array && description, CUDA_ERROR_INVALID_VALUE);
    const struct cudaChannelFormatDesc format =
        channels(description->Format, description->NumChannels);
    const struct cudaExtent extent = {description->Width, description->Height, description->Depth};
    struct cudaMipmappedArray *made = NULL;
    const struct before was = before();
    const CUresult result = result_of(
        was, cudaMallocMipmappedArray(&made, &format, extent, levels, description->Flags));
    if (result == CUDA_SUCCESS)
        *array = (CUmipmappedArray)(void *)made;
    return result;
}

CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray array, unsigned int number)
{
    ENTER_CONTEXT();
    REQUIRE(level, CUDA_ERROR_INVALID_VALUE);
    struct cudaArray *found = NULL;
    const struct before was = before();
    const CUresult result = result_of(
        was, cudaGetMipmappedArrayLevel(&found, (cudaMipmappedArray_t)(void *)array, number));
    if (result == CUDA_SUCCESS)
        *level = driver_array(found);
    return result;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array)
{
    ENTER_CONTEXT();
    REQUIRE(array, CUDA_ERROR_INVALID_HANDLE);
    RUN(cudaFreeMipmappedArray((cudaMipmappedArray_t)(void *)array));
}

/* ---- copies ---- */

enum side { HOST_SIDE, DEVICE_SIDE, EITHER_SIDE, NO_SIDE };

/* One side of a copy as the runtime has it: an array, at an element, or memory, at a byte. */
struct place {
    struct cudaArray *array;
    struct cudaPitchedPtr memory;
    struct cudaPos position;
};

static enum side place_of(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array,
                          struct cudaPos position, size_t pitch, size_t rows,
                          const CUDA_MEMCPY3D *copy, struct place *place)
{
    memset(place, 0, sizeof *place);
    place->position = position;
    if (type == CU_MEMORYTYPE_ARRAY) {
        place->array = runtime_array(array);
        if (!array || position.x % place->array->element_bytes != 0 ||
            copy->WidthInBytes % place->array->element_bytes != 0)
            return NO_SIDE;
        place->position.x /= place->array->element_bytes;
        return DEVICE_SIDE;
    }
    if ((unsigned)type < CU_MEMORYTYPE_HOST || (unsigned)type > CU_MEMORYTYPE_UNIFIED)
        return NO_SIDE;
    place->memory.ptr = type == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)host : at(device);
    /* A pitch of 0 is that of rows without gaps, and no height that of the slice. */
    place->memory.pitch = pitch ? pitch : position.x + copy->WidthInBytes;
    place->memory.xsize = copy->WidthInBytes;
    place->memory.ysize = rows ? rows : position.y + copy->Height;
    if (!place->memory.ptr || (!rows && copy->Depth > 1))
        return NO_SIDE;
    return type == CU_MEMORYTYPE_HOST     ? HOST_SIDE
           : type == CU_MEMORYTYPE_DEVICE ? DEVICE_SIDE
                                          : EITHER_SIDE;
}

static CUresult copy_3d(const CUDA_MEMCPY3D *copy, int asynchronous, CUstream stream)
{
    static const enum cudaMemcpyKind kinds[3][3] = {
        {cudaMemcpyHostToHost, cudaMemcpyDeviceToHost, cudaMemcpyDefault},
        {cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice, cudaMemcpyDefault},
        {cudaMemcpyDefault, cudaMemcpyDefault, cudaMemcpyDefault}};
    struct cudaMemcpy3DParms parameters;
    struct place to, from;
    ENTER_CONTEXT();
    REQUIRE(copy && copy->srcLOD == 0 && copy->dstLOD == 0, CUDA_ERROR_INVALID_VALUE);
    const enum side to_side =
        place_of(copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstArray,
                 make_cudaPos(copy->dstXInBytes, copy->dstY, copy->dstZ), copy->dstPitch,
                 copy->dstHeight, copy, &to);
    const enum side from_side =
        place_of(copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcArray,
                 make_cudaPos(copy->srcXInBytes, copy->srcY, copy->srcZ), copy->srcPitch,
                 copy->srcHeight, copy, &from);
    REQUIRE(to_side != NO_SIDE && from_side != NO_SIDE, CUDA_ERROR_INVALID_VALUE);
    memset(&parameters, 0, sizeof parameters);
    parameters.dstArray = to.array;
    parameters.dstPtr = to.memory;
    parameters.dstPos = to.position;
    parameters.srcArray = from.array;
    parameters.srcPtr = from.memory;
    parameters.srcPos = from.position;
    const struct cudaArray *const array = to.array ? to.array : from.array;
    parameters.extent = make_cudaExtent(copy->WidthInBytes / (array ? array->element_bytes : 1),
                                        copy->Height, copy->Depth);
    parameters.kind = kinds[to_side][from_side];
    RUN(asynchronous ? cudaMemcpy3DAsync(&parameters, stream) : cudaMemcpy3D(&parameters));
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy)
{
    return copy_3d(copy, 0, NULL);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    return copy_3d(copy, 1, stream);
}

static CUresult copy_2d(const CUDA_MEMCPY2D *copy, int asynchronous, CUstream stream)
{
    CUDA_MEMCPY3D all;
    REQUIRE(copy, CUDA_ERROR_INVALID_VALUE);
    memset(&all, 0, sizeof all);
    all.srcXInBytes = copy->srcXInBytes;
    all.srcY = copy->srcY;
    all.srcMemoryType = copy->srcMemoryType;
    all.srcHost = copy->srcHost;
    all.srcDevice = copy->srcDevice;
    all.srcArray = copy->srcArray;
    all.srcPitch = copy->srcPitch;
    all.dstXInBytes = copy->dstXInBytes;
    all.dstY = copy->dstY;
    all.dstMemoryType = copy->dstMemoryType;
    all.dstHost = copy->dstHost;
    all.dstDevice = copy->dstDevice;
    all.dstArray = copy->dstArray;
    all.dstPitch = copy->dstPitch;
    all.WidthInBytes = copy->WidthInBytes;
    all.Height = copy->Height;
    all.Depth = 1;
    return copy_3d(&all, asynchronous, stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy)
{
    return copy_2d(copy, 0, NULL);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy)
{
    return copy_2d(copy, 0, NULL);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    return copy_2d(copy, 1, stream);
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t bytes)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpyToArray(runtime_array(to), offset, 0, from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t bytes)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpyFromArray(to, runtime_array(from), offset, 0, bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpyToArray(runtime_array(to), offset, 0, at(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpyFromArray(at(to), runtime_array(from), offset, 0, bytes,
                            cudaMemcpyDeviceToDevice));
}

/* ---- textures and surfaces ---- */

static CUresult runtime_resource(const CUDA_RESOURCE_DESC *given, struct cudaResourceDesc *resource)
{
    REQUIRE(given && given->flags == 0, CUDA_ERROR_INVALID_VALUE);
    memset(resource, 0, sizeof *resource);
    resource->resType = (enum cudaResourceType)given->resType;
    switch (given->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        resource->res.array.array = runtime_array(given->res.array.hArray);
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        resource->res.mipmap.mipmap =
            (cudaMipmappedArray_t)(void *)given->res.mipmap.hMipmappedArray;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
        resource->res.linear.devPtr = at(given->res.linear.devPtr);
        resource->res.linear.desc =
            channels(given->res.linear.format, given->res.linear.numChannels);
        resource->res.linear.sizeInBytes = given->res.linear.sizeInBytes;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_PITCH2D:
        resource->res.pitch2D.devPtr = at(given->res.pitch2D.devPtr);
        resource->res.pitch2D.desc =
            channels(given->res.pitch2D.format, given->res.pitch2D.numChannels);
        resource->res.pitch2D.width = given->res.pitch2D.width;
        resource->res.pitch2D.height = given->res.pitch2D.height;
        resource->res.pitch2D.pitchInBytes = given->res.pitch2D.pitchInBytes;
        return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

static void driver_resource(const struct cudaResourceDesc *resource, CUDA_RESOURCE_DESC *made)
{
    memset(made, 0, sizeof *made);
    made->resType = (CUresourcetype)resource->resType;
    switch (resource->resType) {
    case cudaResourceTypeArray:
        made->res.array.hArray = driver_array(resource->res.array.array);
        break;
    case cudaResourceTypeLinear:
        made->res.linear.devPtr = (uintptr_t)resource->res.linear.devPtr;
        made->res.linear.format =
            format_of(&resource->res.linear.desc, &made->res.linear.numChannels);
        made->res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
        break;
    default: /* no object has a mipmapped array */
        made->res.pitch2D.devPtr = (uintptr_t)resource->res.pitch2D.devPtr;
        made->res.pitch2D.format =
            format_of(&resource->res.pitch2D.desc, &made->res.pitch2D.numChannels);
        made->res.pitch2D.width = resource->res.pitch2D.width;
        made->res.pitch2D.height = resource->res.pitch2D.height;
        made->res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
        break;
    }
}

/* Integers of 8 and 16 bits are read as numbers from 0 or -1 to 1, unless a flag says otherwise. */
static int is_normalised(const struct cudaResourceDesc *resource, unsigned flags)
{
    const struct cudaChannelFormatDesc *format = NULL;
    switch (resource->resType) {
    case cudaResourceTypeArray:
        format = resource->res.array.array ? &resource->res.array.array->format : NULL;
        break;
    case cudaResourceTypeLinear: format = &resource->res.linear.desc; break;
    case cudaResourceTypePitch2D: format = &resource->res.pitch2D.desc; break;
    default: break;
    }
    return format && format->f != cudaChannelFormatKindFloat && format->x < 32 &&
           (flags & CU_TRSF_READ_AS_INTEGER) == 0;
}

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *reading, const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct cudaResourceDesc of_runtime;
    struct cudaTextureDesc made;
    struct cudaResourceViewDesc made_view;
    ENTER_CONTEXT();
    REQUIRE(reading && (unsigned)reading->filterMode <= CU_TR_FILTER_MODE_LINEAR,
            CUDA_ERROR_INVALID_VALUE);
    const CUresult result = runtime_resource(resource, &of_runtime);
    REQUIRE(result == CUDA_SUCCESS, result);
    memset(&made, 0, sizeof made);
    for (int k = 0; k < 3; k++) {
        REQUIRE((unsigned)reading->addressMode[k] <= CU_TR_ADDRESS_MODE_BORDER,
                CUDA_ERROR_INVALID_VALUE);
        made.addressMode[k] = (enum cudaTextureAddressMode)reading->addressMode[k];
    }
    made.filterMode = (enum cudaTextureFilterMode)reading->filterMode;
    made.readMode = is_normalised(&of_runtime, reading->flags) ? cudaReadModeNormalizedFloat
                                                               : cudaReadModeElementType;
    made.sRGB = (reading->flags & CU_TRSF_SRGB) != 0;
    memcpy(made.borderColor, reading->borderColor, sizeof made.borderColor);
    made.normalizedCoords = (reading->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    made.maxAnisotropy = reading->maxAnisotropy;
    made.mipmapFilterMode = (enum cudaTextureFilterMode)reading->mipmapFilterMode;
    made.mipmapLevelBias = reading->mipmapLevelBias;
    made.minMipmapLevelClamp = reading->minMipmapLevelClamp;
    made.maxMipmapLevelClamp = reading->maxMipmapLevelClamp;
    made.disableTrilinearOptimization =
        (reading->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
    made.seamlessCubemap = (reading->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
    memset(&made_view, 0, sizeof made_view);
    if (view) {
        made_view.format = (enum cudaResourceViewFormat)view->format;
        made_view.width = view->width;
        made_view.height = view->height;
        made_view.depth = view->depth;
        made_view.firstMipmapLevel = view->firstMipmapLevel;
        made_view.lastMipmapLevel = view->lastMipmapLevel;
        made_view.firstLayer = view->firstLayer;
        made_view.lastLayer = view->lastLayer;
    }
    RUN(cudaCreateTextureObject(texture, &of_runtime, &made, view ? &made_view : NULL));
}

CUresult cuTexObjectDestroy(CUtexObject texture)
{
    ENTER_CONTEXT();
    RUN(cudaDestroyTextureObject(texture));
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject texture)
{
    struct cudaResourceDesc found;
    ENTER_CONTEXT();
    REQUIRE(resource, CUDA_ERROR_INVALID_VALUE);
    const struct before was = before();
    const CUresult result = result_of(was, cudaGetTextureObjectResourceDesc(&found, texture));
    if (result == CUDA_SUCCESS)
        driver_resource(&found, resource);
    return result;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *reading, CUtexObject texture)
{
    struct cudaTextureDesc found;
    struct cudaResourceDesc resource;
    ENTER_CONTEXT();
    REQUIRE(reading, CUDA_ERROR_INVALID_VALUE);
    const struct before was = before();
    CUresult result = result_of(was, cudaGetTextureObjectTextureDesc(&found, texture));
    if (result == CUDA_SUCCESS)
        result = result_of(was, cudaGetTextureObjectResourceDesc(&resource, texture));
    REQUIRE(result == CUDA_SUCCESS, result);
    memset(reading, 0, sizeof *reading);
    for (int k = 0; k < 3; k++)
        reading->addressMode[k] = (CUaddress_mode)found.addressMode[k];
    reading->filterMode = (CUfilter_mode)found.filterMode;
    if (found.readMode == cudaReadModeElementType && is_normalised(&resource, 0))
        reading->flags |= CU_TRSF_READ_AS_INTEGER;
    if (found.normalizedCoords)
        reading->flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (found.sRGB)
        reading->flags |= CU_TRSF_SRGB;
    if (found.disableTrilinearOptimization)
        reading->flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    if (found.seamlessCubemap)
        reading->flags |= CU_TRSF_SEAMLESS_CUBEMAP;
    memcpy(reading->borderColor, found.borderColor, sizeof reading->borderColor);
    reading->maxAnisotropy = found.maxAnisotropy;
    reading->mipmapFilterMode = (CUfilter_mode)found.mipmapFilterMode;
    reading->mipmapLevelBias = found.mipmapLevelBias;
    reading->minMipmapLevelClamp = found.minMipmapLevelClamp;
    reading->maxMipmapLevelClamp = found.maxMipmapLevelClamp;
    return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject texture)
{
    struct cudaResourceViewDesc found;
    ENTER_CONTEXT();
    REQUIRE(view, CUDA_ERROR_INVALID_VALUE);
    const struct before was = before();
    const CUresult result = result_of(was, cudaGetTextureObjectResourceViewDesc(&found, texture));
    REQUIRE(result == CUDA_SUCCESS, result);
    memset(view, 0, sizeof *view);
    view->format = (CUresourceViewFormat)found.format;
    view->width = found.width;
    view->height = found.height;
    view->depth = found.depth;
    view->firstMipmapLevel = found.firstMipmapLevel;
    view->lastMipmapLevel = found.lastMipmapLevel;
    view->firstLayer = found.firstLayer;
    view->lastLayer = found.lastLayer;
    return CUDA_SUCCESS;
}

CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource)
{
    struct cudaResourceDesc of_runtime;
    ENTER_CONTEXT();
    const CUresult result = runtime_resource(resource, &of_runtime);
    REQUIRE(result == CUDA_SUCCESS, result);
    RUN(cudaCreateSurfaceObject(surface, &of_runtime));
}

CUresult cuSurfObjectDestroy(CUsurfObject surface)
{
    ENTER_CONTEXT();
    RUN(cudaDestroySurfaceObject(surface));
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject surface)
{
    struct cudaResourceDesc found;
    ENTER_CONTEXT();
    REQUIRE(resource, CUDA_ERROR_INVALID_VALUE);
    const struct before was = before();
    const CUresult result = result_of(was, cudaGetSurfaceObjectResourceDesc(&found, surface));
    if (result == CUDA_SUCCESS)
        driver_resource(&found, resource);
    return result;
}
