/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Texture and surface objects of CUDA C++ on the emulate target. This file finds the elements that
 * a read combines; include/texture_indirect_functions.h reads them in the kernel, so that the
 * checks see the reads.
 *
 * Coordinates and filtering follow the appendix "Texture Fetching" of the CUDA C++ Programming
 * Guide, with weights rounded to 1/256, as portable.h's textures do.
 */
#include <math.h>   /* floorf, fabsf */
#include <stdio.h>  /* snprintf */
#include <stdlib.h> /* calloc, free */
#include <string.h> /* memset */

#include "host/cudart/allocations.h"
#include "host/cudart/array.h"
#include "host/cudart/include/texture_types.h"
#include "host/cudart/order.h"
#include "host/cudart/runtime.h"

__attribute__((noreturn)) void portable_cuda_fail_(int error, const char *sentence,
                                                   const char *file, int line);

/* Its handle is its address; portable.h's table has it, with is_surface as the tag. */
struct object {
    int is_surface;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc reading;
    struct cudaResourceViewDesc view;
    /* The resource's elements. height and depth: at least 1; depth: of one layer. */
    const char *data;
    size_t element_bytes, pitch, slice;
    size_t width, height, depth, layers;
    int dimensions, is_layered, is_cubemap;
    struct cudaChannelFormatDesc format;
};

static unsigned long destroyed; /* so many objects have been */

static struct object *find(unsigned long long handle, int is_surface)
{
    /* A kernel reads one texture many times, on all cores: they would wait for the lock. */
    static __thread struct {
        unsigned long long handle;
        unsigned long destroyed;
        int is_surface;
    } latest;
    void *const object = (void *)(size_t)handle;
    const unsigned long before = __atomic_load_n(&destroyed, __ATOMIC_ACQUIRE);
    if (handle && latest.handle == handle && latest.is_surface == is_surface &&
        latest.destroyed == before)
        return (struct object *)object;
    if (portable_cuda_texture_tag_(object) != is_surface)
        return NULL;
    latest.handle = handle;
    latest.is_surface = is_surface;
    latest.destroyed = before;
    return (struct object *)object;
}

static size_t bytes_of(const struct cudaChannelFormatDesc *format)
{
    return (size_t)(format->x + format->y + format->z + format->w) / 8;
}

/* 0 for an invalid resource. */
static int open_resource(struct object *object)
{
    const struct cudaResourceDesc *const resource = &object->resource;
    const struct cudaArray *array;
    object->height = object->depth = object->layers = 1;
    switch (resource->resType) {
    case cudaResourceTypeArray:
        array = resource->res.array.array;
        if (!array)
            return 0;
        object->data = array->data;
        object->element_bytes = array->element_bytes;
        object->pitch = array->pitch;
        object->slice = array->slice;
        object->format = array->format;
        object->width = array->width;
        object->is_layered = (array->flags & cudaArrayLayered) != 0;
        object->is_cubemap = (array->flags & cudaArrayCubemap) != 0;
        object->dimensions = 1;
        if (array->height) {
            object->height = array->height;
            object->dimensions = 2;
        }
        if (array->depth && (object->is_layered || object->is_cubemap))
            object->layers = array->depth;
        else if (array->depth) {
            object->depth = array->depth;
            object->dimensions = 3;
        }
        return 1;
    case cudaResourceTypeLinear:
        object->data = (const char *)resource->res.linear.devPtr;
        object->format = resource->res.linear.desc;
        object->element_bytes = bytes_of(&object->format);
        if (!object->data || !object->element_bytes)
            return 0;
        object->width = resource->res.linear.sizeInBytes / object->element_bytes;
        return 1;
    case cudaResourceTypePitch2D:
        object->data = (const char *)resource->res.pitch2D.devPtr;
        object->format = resource->res.pitch2D.desc;
        object->element_bytes = bytes_of(&object->format);
        object->width = resource->res.pitch2D.width;
        object->height = resource->res.pitch2D.height;
        object->pitch = resource->res.pitch2D.pitchInBytes;
        object->dimensions = 2;
        return object->data && object->element_bytes && object->width && object->height &&
               object->pitch >= object->width * object->element_bytes;
    default: return 0;
    }
}

static cudaError_t check_reading(const struct object *object, const struct cudaTextureDesc *reading)
{
    const int is_float = object->format.f == cudaChannelFormatKindFloat;
    const int is_normalised = reading->readMode == cudaReadModeNormalizedFloat;
    if (is_normalised && !is_float && object->format.x > 16)
        return cudaErrorInvalidNormSetting;
    if (reading->filterMode == cudaFilterModeLinear && !is_float && !is_normalised)
        return cudaErrorInvalidFilterSetting;
    return cudaSuccess;
}

static cudaError_t create(unsigned long long *handle, const struct cudaResourceDesc *resource,
                          const struct cudaTextureDesc *reading,
                          const struct cudaResourceViewDesc *view, int is_surface)
{
    const cudaError_t earlier = portable_cuda_enter_(0);
    if (earlier != cudaSuccess)
        return earlier;
    if (!handle || !resource || (!reading && !is_surface))
        return portable_cuda_error_(cudaErrorInvalidValue);
    if (resource->resType == cudaResourceTypeMipmappedArray)
        return portable_cuda_error_(cudaErrorNotSupported);
    if (is_surface && resource->resType != cudaResourceTypeArray)
        return portable_cuda_error_(cudaErrorInvalidChannelDescriptor);
    if (view && (resource->resType != cudaResourceTypeArray || is_surface))
        return portable_cuda_error_(cudaErrorInvalidValue);

    struct object *const object = (struct object *)calloc(1, sizeof *object);
    if (!object)
        return portable_cuda_error_(cudaErrorMemoryAllocation);
    object->is_surface = is_surface;
    object->resource = *resource;
    if (reading)
        object->reading = *reading;
    if (view)
        object->view = *view;
    cudaError_t error = cudaSuccess;
    if (!open_resource(object))
        error = cudaErrorInvalidValue;
    else if (reading)
        error = check_reading(object, reading);
    if (error != cudaSuccess) {
        free(object);
        return portable_cuda_error_(error);
    }
    const struct portable_cuda_allocation_ entry = {(char *)object, sizeof *object, MEMORY_TEXTURE,
                                                    (unsigned)is_surface};
    if (!portable_cuda_insert_(entry)) {
        free(object);
        return portable_cuda_error_(cudaErrorMemoryAllocation);
    }
    *handle = (unsigned long long)(size_t)object;
    return cudaSuccess;
}

static cudaError_t destroy(unsigned long long handle, int is_surface)
{
    const cudaError_t earlier = portable_cuda_enter_(0);
    if (earlier != cudaSuccess)
        return earlier;
    if (!handle)
        return cudaSuccess;
    struct object *const object = find(handle, is_surface);
    if (!object)
        return portable_cuda_error_(cudaErrorInvalidValue);
    portable_cuda_catch_up_all_();
    portable_cuda_remove_texture_(object);
    __atomic_add_fetch(&destroyed, 1, __ATOMIC_ACQ_REL);
    free(object);
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *description,
                                    const struct cudaResourceViewDesc *view)
{
    return create(texture, resource, description, view, 0);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    return destroy(texture, 0);
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource)
{
    return create(surface, resource, NULL, NULL, 1);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    return destroy(surface, 1);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture)
{
    const struct object *const object = find(texture, 0);
    if (!object || !resource)
        return portable_cuda_error_(cudaErrorInvalidValue);
    *resource = object->resource;
    return cudaSuccess;
}
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *description,
                                            cudaTextureObject_t texture)
{
    const struct object *const object = find(texture, 0);
    if (!object || !description)
        return portable_cuda_error_(cudaErrorInvalidValue);
    *description = object->reading;
    return cudaSuccess;
}
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view,
                                                 cudaTextureObject_t texture)
{
    const struct object *const object = find(texture, 0);
    if (!object || !view || !object->view.width)
        return portable_cuda_error_(cudaErrorInvalidValue);
    *view = object->view;
    return cudaSuccess;
}
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t surface)
{
    const struct object *const object = find(surface, 1);
    if (!object || !resource)
        return portable_cuda_error_(cudaErrorInvalidValue);
    *resource = object->resource;
    return cudaSuccess;
}

/* ---- Reads in kernels ---- */

/* Ends the kernel's launch. */
__attribute__((noreturn)) static void refuse(const char *name, const char *what, const char *file,
                                             int line)
{
    char sentence[160];
    snprintf(sentence, sizeof sentence, "%s: %s", name, what);
    portable_cuda_fail_(cudaErrorLaunchFailure, sentence, file, line);
}

/* The texels along one dimension: `first` alone, or (1 - weight) of it and weight of `second`; -1
 * is the border. */
struct span {
    long first, second;
    float weight;
};

static long index_of(long i, size_t extent, enum cudaTextureAddressMode mode)
{
    const long last = (long)extent - 1;
    if (i >= 0 && i <= last)
        return i;
    switch (mode) {
    case cudaAddressModeBorder: return -1;
    case cudaAddressModeWrap: return i < 0 ? last : 0; /* one texel outside at most */
    case cudaAddressModeMirror:                        /* from -1 to 2 extent */
        if (i > last)
            i = 2 * last + 1 - i;
        if (i < 0)
            i = -1 - i;
        return i;
    default: return i < 0 ? 0 : last;
    }
}

static struct span span_of(const struct object *object, int dimension, float x, size_t extent,
                           int is_linear, int is_normalised)
{
    float end = (float)extent + 2;
    enum cudaTextureAddressMode mode = object->reading.addressMode[dimension];
    if (is_normalised) {
        if (mode == cudaAddressModeWrap)
            x -= floorf(x);
        else if (mode == cudaAddressModeMirror) {
            x -= 2 * floorf(x / 2);
            end += (float)extent;
        }
        x *= (float)extent;
    } else if (mode != cudaAddressModeBorder)
        mode = cudaAddressModeClamp;
    /* Two texels outside of the array everything is as far. */
    if (isnan(x))
        x = 0;
    else if (x <= -2)
        x = -2;
    else if (x >= end)
        x = end;
    if (is_linear)
        x -= 0.5f;
    const float whole = floorf(x);
    struct span span = {index_of((long)whole, extent, mode),
                        index_of((long)whole + 1, extent, mode), 0};
    if (is_linear)
        span.weight = floorf((x - whole) * 256 + 0.5f) / 256;
    return span;
}

/* The face of a cubemap that a direction meets, and where on it, from 0 to 1. */
static int face_of(float *x, float *y, float z)
{
    const float ax = fabsf(*x), ay = fabsf(*y), az = fabsf(z);
    float s, t, m;
    int face;
    if (ax >= ay && ax >= az) {
        face = *x < 0;
        m = ax;
        s = face ? z : -z;
        t = -*y;
    } else if (ay >= az) {
        face = 2 + (*y < 0);
        m = ay;
        s = *x;
        t = face == 3 ? -z : z;
    } else {
        face = 4 + (z < 0);
        m = az;
        s = face == 5 ? -*x : *x;
        t = -*y;
    }
    *x = (s / m + 1) / 2;
    *y = (t / m + 1) / 2;
    return face;
}

/* What a resource must be for a read of a shape. */
static const struct {
    int dimensions, is_layered, is_cubemap;
} shapes[] = {
    [PORTABLE_CUDA_1D_] = {1, 0, 0},         [PORTABLE_CUDA_2D_] = {2, 0, 0},
    [PORTABLE_CUDA_3D_] = {3, 0, 0},         [PORTABLE_CUDA_1D_LAYERED_] = {1, 1, 0},
    [PORTABLE_CUDA_2D_LAYERED_] = {2, 1, 0}, [PORTABLE_CUDA_CUBEMAP_] = {2, 0, 1},
    [PORTABLE_CUDA_GATHER_] = {2, 0, 0},     [PORTABLE_CUDA_CUBEMAP_LAYERED_] = {2, 1, 1},
};

static const char *mismatch(const struct object *object, enum portable_cuda_shape_ shape)
{
    static const char *const dimensions[] = {"", "the resource has one dimension",
                                             "the resource has two dimensions",
                                             "the resource has three dimensions"};
    if (object->resource.resType == cudaResourceTypeLinear) {
        if (shape == PORTABLE_CUDA_FETCH_)
            return NULL;
        return "the resource is linear memory: use tex1Dfetch";
    }
    if (shape == PORTABLE_CUDA_FETCH_)
        return "the resource is not linear memory";
    if (shapes[shape].is_cubemap && !object->is_cubemap)
        return "the resource is not a cubemap";
    if (!shapes[shape].is_cubemap && object->is_cubemap)
        return "the resource is a cubemap";
    if (shapes[shape].is_layered && !object->is_layered)
        return "the resource has no layers";
    if (!shapes[shape].is_layered && object->is_layered)
        return "the resource has layers";
    if (shapes[shape].dimensions != object->dimensions)
        return dimensions[object->dimensions];
    return NULL;
}

static size_t clamped(long layer, size_t layers)
{
    if (layer < 0)
        return 0;
    if ((size_t)layer >= layers)
        return layers - 1;
    return (size_t)layer;
}

/* Channels come in the order x, y, z, w. */
static int channels_of(const struct cudaChannelFormatDesc *format)
{
    if (format->w)
        return 4;
    if (format->z)
        return 3;
    return format->y ? 2 : 1;
}

void portable_cuda_texture_(struct portable_cuda_texels_ *texels, enum portable_cuda_shape_ shape,
                            cudaTextureObject_t texture, float x, float y, float z, int layer,
                            const char *name, const char *file, int line)
{
    const struct object *const object = find(texture, 0);
    if (!object)
        refuse(name, "not a texture object, or a destroyed one", file, line);
    const char *const wrong = mismatch(object, shape);
    if (wrong)
        refuse(name, wrong, file, line);

    const struct cudaChannelFormatDesc *const format = &object->format;
    memset(texels, 0, sizeof *texels);
    texels->kind = format->f;
    texels->channel_bytes = format->x / 8;
    texels->channels = channels_of(format);
    texels->is_normalised = object->reading.readMode == cudaReadModeNormalizedFloat;
    for (int i = 0; i < 4; i++)
        texels->border[i] = object->reading.borderColor[i];
    if (shape == PORTABLE_CUDA_FETCH_) {
        texels->count = 1;
        if (layer >= 0 && (size_t)layer < object->width)
            texels->texel[0] = object->data + (size_t)layer * object->element_bytes;
        else
            memset(texels->border, 0, sizeof texels->border);
        return;
    }

    const int is_linear =
        object->reading.filterMode == cudaFilterModeLinear || shape == PORTABLE_CUDA_GATHER_;
    int is_normalised = object->reading.normalizedCoords;
    size_t slice = 0;
    if (shape == PORTABLE_CUDA_CUBEMAP_ || shape == PORTABLE_CUDA_CUBEMAP_LAYERED_) {
        slice = (size_t)face_of(&x, &y, z) + 6 * clamped(layer, object->layers / 6);
        is_normalised = 1;
    } else
        slice = clamped(layer, object->layers);
    const int dimensions = object->dimensions;
    const float position[] = {x, y, z};
    const size_t extent[] = {object->width, object->height, object->depth};
    /* A dimension that the texture lacks is one texel, 0. */
    struct span spans[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < dimensions; k++)
        spans[k] = span_of(object, k, position[k], extent[k], is_linear, is_normalised);
    texels->count = is_linear ? 1 << dimensions : 1;
    for (int i = 0; i < texels->count; i++) {
        long index[3]; /* column, row, plane */
        float weight[3];
        for (int k = 0; k < 3; k++) {
            const int is_second = i >> k & 1;
            index[k] = is_second ? spans[k].second : spans[k].first;
            weight[k] = is_second ? spans[k].weight : 1 - spans[k].weight;
        }
        texels->weight[i] = weight[0] * weight[1] * weight[2];
        if (index[0] >= 0 && index[1] >= 0 && index[2] >= 0)
            texels->texel[i] = object->data + ((size_t)index[2] + slice) * object->slice +
                               (size_t)index[1] * object->pitch +
                               (size_t)index[0] * object->element_bytes;
    }
}

/* Whether i is below extent, after clamping it there if that is asked for. */
static int bounded(long *i, size_t extent, enum cudaSurfaceBoundaryMode boundary)
{
    if (*i >= 0 && *i < (long)extent)
        return 1;
    if (boundary != cudaBoundaryModeClamp)
        return 0;
    *i = (long)clamped(*i, extent);
    return 1;
}

char *portable_cuda_surface_(cudaSurfaceObject_t surface, enum portable_cuda_shape_ shape,
                             size_t bytes, int x, int y, int z,
                             enum cudaSurfaceBoundaryMode boundary, const char *name,
                             const char *file, int line)
{
    const struct object *const object = find(surface, 1);
    if (!object)
        refuse(name, "not a surface object, or a destroyed one", file, line);
    const char *const wrong = mismatch(object, shape);
    if (wrong)
        refuse(name, wrong, file, line);
    if (x % (int)bytes != 0)
        refuse(name, "x, in bytes, is not a multiple of the element's size", file, line);
    long column = x / (long)bytes - (x < 0 && x % (long)bytes != 0), row = y, slice = z;
    const size_t slices = object->dimensions == 3 ? object->depth : object->layers;
    if (bounded(&column, object->width * object->element_bytes / bytes, boundary) &&
        bounded(&row, object->height, boundary) && bounded(&slice, slices, boundary))
        return (char *)object->data + (size_t)slice * object->slice + (size_t)row * object->pitch +
               (size_t)column * bytes;
    if (boundary == cudaBoundaryModeTrap)
        refuse(name, "outside of the surface", file, line);
    return NULL;
}
