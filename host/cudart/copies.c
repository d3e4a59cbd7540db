/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies and memset: of memory, of variables of the device, and of CUDA arrays.
 *
 * Everything is done when the call returns, unless work is late (late.h).
 */
#include "host/cudart/copies.h"
#include "host/cudart/runtime.h"
#include "host/cudart/array.h"
#include "host/cudart/late.h"
#include "host/cudart/memory.h"
#include "host/cudart/nodes.h"
#include "host/cudart/streams.h"
#include "host/emulate/check.h"

#include <stdint.h> /* uintptr_t */
#include <stdlib.h> /* free, malloc */
#include <string.h> /* memcpy, memmove, memset */

/* Variables of the program may be the device's. */
static int is_variable(const void *address)
{
    return emulate_is_in(EMULATE_LOADED, address);
}

/* How far the rows reach from the first byte; SIZE_MAX on overflow. */
static size_t reach(size_t pitch, size_t slice, size_t width, size_t height, size_t depth)
{
    if (width == 0 || height == 0 || depth == 0)
        return 0;
    if ((pitch && height - 1 > (SIZE_MAX / 4 - width) / pitch) ||
        (slice && depth - 1 > SIZE_MAX / 4 / slice))
        return SIZE_MAX;
    return (depth - 1) * slice + (height - 1) * pitch + width;
}

/* One side of a copy. */
static cudaError_t portable_cuda_check_side_(const char *call, const char *role,
                                             const void *address, size_t bytes, int on_device,
                                             int on_host, int writes)
{
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(address);

    if (!address)
        return cudaErrorInvalidValue;
    if (found.bytes > 0) {
        const size_t offset = (size_t)((const char *)address - found.base);
        if (bytes > found.bytes - offset) {
            portable_cuda_fault_(PORTABLE_CUDA_OUT_OF_RANGE_,
                                 "%s: %zu bytes from byte %zu of the %s, which has %zu", call,
                                 bytes, offset, role, found.bytes);
            return cudaErrorInvalidValue;
        }
        if (on_host && found.kind == MEMORY_DEVICE) /* a GPU copies all the same */
            portable_cuda_fault_(PORTABLE_CUDA_NOT_HOST_, "%s: the %s, %p, is device memory", call,
                                 role, address);
        return writes && found.tag & PORTABLE_CUDA_READ_ONLY_ ? cudaErrorInvalidValue : cudaSuccess;
    }
    if (on_device && !is_variable(address) && !portable_cuda_graph_owns_(address, bytes)) {
        portable_cuda_fault_(PORTABLE_CUDA_NOT_DEVICE_,
                             "%s: the %s, %p, is not (or no longer) device memory", call, role,
                             address);
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

cudaError_t portable_cuda_check_copy_(const char *call, const struct portable_cuda_copy_ *copy,
                                      enum cudaMemcpyKind kind)
{
    const size_t to_bytes =
        reach(copy->to_pitch, copy->to_slice, copy->width, copy->height, copy->depth);
    const size_t from_bytes =
        reach(copy->from_pitch, copy->from_slice, copy->width, copy->height, copy->depth);

    if (to_bytes == 0)
        return cudaSuccess;
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (copy->height > 1 && (copy->to_pitch < copy->width || copy->from_pitch < copy->width))
        return cudaErrorInvalidPitchValue;
    if (to_bytes == SIZE_MAX || from_bytes == SIZE_MAX)
        return cudaErrorInvalidValue;
    const cudaError_t error = portable_cuda_check_side_(
        call, "destination", copy->to, to_bytes,
        kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
        kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost, 1);
    if (error != cudaSuccess)
        return error;
    return portable_cuda_check_side_(
        call, "source", copy->from, from_bytes,
        kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice,
        kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost, 0);
}

static int is_device(const void *address)
{
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(address);
    return found.bytes > 0 && found.kind == MEMORY_DEVICE;
}

/* The memory that a copy is to read: no kernel has written outside of it. */
static void verify(const void *address)
{
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(address);
    portable_cuda_record_(portable_cuda_verify_(&found));
}

cudaError_t portable_cuda_operand_(const char *call, const char *role, const void *address,
                                   size_t pitch, size_t width, size_t height, int reads, int writes)
{
    const size_t bytes = reach(pitch, 0, width, height, 1);
    const cudaError_t error = portable_cuda_check_side_(call, role, address, bytes, 1, 0, writes);

    REQUIRE(error == cudaSuccess, error);
    portable_cuda_begin_work_(*portable_cuda_library_stream_(), EMULATE_CALL, call);
    if (reads)
        portable_cuda_touch_(NULL, address, pitch, 0, width, height, 1, 0);
    if (writes)
        portable_cuda_touch_(NULL, address, pitch, 0, width, height, 1, 1);
    portable_cuda_end_work_();
    if (!is_device(address))
        return cudaSuccess;
    for (size_t y = 0; y < height; y++) {
        const char *const row = (const char *)address + y * pitch;
        if (reads) {
            portable_emulate_memory_(PORTABLE_MEMORY_READ_, row, width);
            portable_emulate_memory_(PORTABLE_MEMORY_DONE_, row, width);
        }
        if (writes) {
            portable_emulate_memory_(PORTABLE_MEMORY_WRITE_, row, width);
            portable_emulate_memory_(PORTABLE_MEMORY_DONE_, row, width);
        }
    }
    return cudaSuccess;
}

static void portable_cuda_copy_now_(const struct portable_cuda_copy_ *copy)
{
    const int reads = is_device(copy->from), writes = is_device(copy->to);

    verify(copy->from);
    for (size_t z = 0; z < copy->depth; z++)
        for (size_t y = 0; y < copy->height; y++) {
            char *const to = copy->to + z * copy->to_slice + y * copy->to_pitch;
            const char *const from = copy->from + z * copy->from_slice + y * copy->from_pitch;
            if (reads)
                portable_emulate_memory_(PORTABLE_MEMORY_READ_, from, copy->width);
            if (writes)
                portable_emulate_memory_(PORTABLE_MEMORY_WRITE_, to, copy->width);
            memmove(to, from, copy->width);
            if (reads)
                portable_emulate_memory_(PORTABLE_MEMORY_DONE_, from, copy->width);
            if (writes)
                portable_emulate_memory_(PORTABLE_MEMORY_DONE_, to, copy->width);
        }
}

/* ---- the order of copies: "API synchronization behavior" in the manual of the runtime API ---- */

enum side { ON_DEVICE, PAGEABLE, PINNED, MANAGED };
/* kind: the direction of the copy tells the device's variables from the host's; without one the
 * copy counts as one that waits. */
static enum side side_of(const void *address, enum cudaMemcpyKind kind, int is_target)
{
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(address);
    const enum cudaMemcpyKind to_host = is_target ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;

    if (found.bytes == 0 && portable_cuda_graph_owns_(address, 1))
        return ON_DEVICE;
    if (found.bytes == 0 && kind != to_host && kind != cudaMemcpyHostToHost && is_variable(address))
        return kind == cudaMemcpyDefault ? MANAGED : ON_DEVICE;
    if (found.bytes == 0)
        return PAGEABLE;
    if (found.kind == MEMORY_MANAGED)
        return MANAGED;
    return found.kind == MEMORY_DEVICE ? ON_DEVICE : PINNED;
}

static void touch_target(const struct portable_cuda_copy_ *copy)
{
    portable_cuda_touch_(NULL, copy->to, copy->to_pitch, copy->to_slice, copy->width, copy->height,
                         copy->depth, 1);
}
static void touch_source(const char *call, const struct portable_cuda_copy_ *copy)
{
    portable_cuda_touch_(call, copy->from, copy->from_pitch, copy->from_slice, copy->width,
                         copy->height, copy->depth, 0);
}

/* A copy that runs late. */
struct late_copy {
    struct portable_cuda_copy_ copy;
    const char *call;
    char *staged;      /* owned: the source, if it was read at the call */
    int reads, writes; /* device memory */
};

/* Whether device memory that work was given is there no longer. */
static int portable_cuda_is_gone_(const char *call, const char *role, const void *address,
                                  int was_device)
{
    if (!was_device || is_device(address))
        return 0;
    portable_cuda_fault_(PORTABLE_CUDA_NOT_DEVICE_,
                         "%s: the %s, %p, is no longer device memory when its stream gets there",
                         call, role, address);
    portable_cuda_error_(cudaErrorInvalidValue);
    return 1;
}

static void portable_cuda_copy_late_(void *data)
{
    const struct late_copy *const late = (const struct late_copy *)data;

    if (!portable_cuda_is_gone_(late->call, "destination", late->copy.to, late->writes) &&
        !portable_cuda_is_gone_(late->call, "source", late->copy.from, late->reads))
        portable_cuda_copy_now_(&late->copy);
    free(late->staged);
}

static void portable_cuda_defer_copy_(cudaStream_t stream, const char *call,
                                      const struct portable_cuda_copy_ *copy, char *staged)
{
    const struct late_copy late = {*copy, call, staged, is_device(copy->from), is_device(copy->to)};
    portable_cuda_defer_(stream, EMULATE_CALL, call, portable_cuda_copy_late_, &late, sizeof late);
}

void portable_cuda_copy_in_(cudaStream_t stream, const char *call,
                            const struct portable_cuda_copy_ *copy)
{
    if (portable_cuda_is_late_()) {
        portable_cuda_defer_copy_(stream, call, copy, NULL);
        return;
    }
    portable_cuda_begin_work_(stream, EMULATE_CALL, call);
    touch_source(NULL, copy);
    touch_target(copy);
    portable_cuda_copy_now_(copy);
    portable_cuda_end_work_();
}

/* The rows of a source, one after another; NULL without memory. */
static char *portable_cuda_stage_(struct portable_cuda_copy_ *copy)
{
    struct portable_cuda_copy_ to_stage = *copy;
    char *const staged = (char *)malloc(copy->width * copy->height * copy->depth);

    if (!staged)
        return NULL;
    to_stage.to = staged;
    copy->from = staged;
    to_stage.to_pitch = copy->from_pitch = copy->width;
    to_stage.to_slice = copy->from_slice = copy->width * copy->height;
    portable_cuda_copy_now_(&to_stage);
    return staged;
}

/* Pageable memory is read when the call is made. */
static void portable_cuda_copy_staged_(cudaStream_t stream, const char *call,
                                       const struct portable_cuda_copy_ *copy)
{
    if (portable_cuda_is_late_()) {
        struct portable_cuda_copy_ of_stage = *copy;
        char *const staged = portable_cuda_stage_(&of_stage);
        portable_cuda_defer_copy_(stream, call, &of_stage, staged);
        if (!staged) /* then it reads the source itself, now */
            portable_cuda_catch_up_(stream);
        return;
    }
    touch_source(call, copy);
    portable_cuda_begin_work_(stream, EMULATE_CALL, call);
    touch_target(copy);
    portable_cuda_copy_now_(copy);
    portable_cuda_end_work_();
}

/* An asynchronous copy that reads pageable memory when its stream gets there, too. */
enum { UNSTAGED = 2 };

static void portable_cuda_copy_ordered_(cudaStream_t stream, const char *call,
                                        const struct portable_cuda_copy_ *copy,
                                        enum cudaMemcpyKind kind, int asynchronous)
{
    const enum side to = side_of(copy->to, kind, 1), from = side_of(copy->from, kind, 0);
    const int is_on_host = to != ON_DEVICE && from != ON_DEVICE && to != MANAGED && from != MANAGED;

    if (from == PAGEABLE && !is_on_host && asynchronous != UNSTAGED) {
        if (!asynchronous)
            portable_cuda_host_waits_(stream);
        portable_cuda_copy_staged_(stream, call, copy);
    } else {
        portable_cuda_copy_in_(stream, call, copy);
        if (is_on_host || (!asynchronous && (to != ON_DEVICE || from != ON_DEVICE)))
            portable_cuda_host_waits_(stream);
    }
}

/* The end of each copying call: does it, or adds it to the graph that captures the stream. */
static cudaError_t portable_cuda_copy_(const char *call, const struct portable_cuda_copy_ *copy,
                                       enum cudaMemcpyKind kind, int asynchronous,
                                       cudaStream_t stream)
{
    struct CUgraph_st *const graph = portable_cuda_capture_of_(stream);

    if (emulate_running) { /* in a kernel */
        for (size_t y = 0; y < copy->height; y++)
            memmove(copy->to + y * copy->to_pitch, copy->from + y * copy->from_pitch, copy->width);
        return cudaSuccess;
    }
    ENTER(!asynchronous);
    if (!asynchronous)
        REQUIRE_NO_CAPTURE();
    REQUIRE(portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    REQUIRE(!graph || !portable_cuda_is_invalidated_(graph), cudaErrorStreamCaptureInvalidated);
    const cudaError_t error = portable_cuda_check_copy_(call, copy, kind);
    REQUIRE(error == cudaSuccess, error);
    if (graph)
        portable_cuda_capture_copy_(graph, copy);
    else if (ORDER)
        portable_cuda_copy_ordered_(stream, call, copy, kind, asynchronous);
    else
        portable_cuda_copy_now_(copy);
    ENTER(!asynchronous);
    return cudaSuccess;
}

static cudaError_t portable_cuda_copy_2d_(const char *call, void *to, size_t to_pitch,
                                          const void *from, size_t from_pitch, size_t width,
                                          size_t height, enum cudaMemcpyKind kind, int asynchronous,
                                          cudaStream_t stream)
{
    const struct portable_cuda_copy_ copy = {
        (char *)to, to_pitch, 0, (const char *)from, from_pitch, 0, width, height, 1};
    REQUIRE(width == 0 || height == 0 || (to_pitch >= width && from_pitch >= width),
            cudaErrorInvalidPitchValue);
    return portable_cuda_copy_(call, &copy, kind, asynchronous, stream);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return portable_cuda_copy_2d_("cudaMemcpy", to, bytes, from, bytes, bytes, 1, kind, 0, 0);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return portable_cuda_copy_2d_("cudaMemcpyAsync", to, bytes, from, bytes, bytes, 1, kind, 1,
                                  stream);
}

cudaError_t portable_cuda_copy_unstaged_(const char *call, void *to, const void *from, size_t bytes,
                                         cudaStream_t stream)
{
    return portable_cuda_copy_2d_(call, to, bytes, from, bytes, bytes, 1, cudaMemcpyDefault,
                                  UNSTAGED, stream);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    REQUIRE_DEVICE(to_device);
    REQUIRE_DEVICE(from_device);
    return portable_cuda_copy_2d_("cudaMemcpyPeer", to, bytes, from, bytes, bytes, 1,
                                  cudaMemcpyDeviceToDevice, 0, 0);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    REQUIRE_DEVICE(to_device);
    REQUIRE_DEVICE(from_device);
    return portable_cuda_copy_2d_("cudaMemcpyPeerAsync", to, bytes, from, bytes, bytes, 1,
                                  cudaMemcpyDeviceToDevice, 1, stream);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return portable_cuda_copy_2d_("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height,
                                  kind, 0, 0);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    return portable_cuda_copy_2d_("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width,
                                  height, kind, 1, stream);
}

cudaError_t portable_cuda_copy_3d_(const struct cudaMemcpy3DParms *p,
                                   struct portable_cuda_copy_ *copy)
{
    const struct cudaArray *const to = p->dstArray, *const from = p->srcArray;

    if (!!to == !!p->dstPtr.ptr || !!from == !!p->srcPtr.ptr)
        return cudaErrorInvalidValue;
    if (to && from && to->element_bytes != from->element_bytes)
        return cudaErrorInvalidValue;
    /* Elements if an array takes part. */
    size_t unit = 1;
    if (to)
        unit = to->element_bytes;
    else if (from)
        unit = from->element_bytes;
    copy->width = p->extent.width * unit;
    copy->height = p->extent.height;
    copy->depth = p->extent.depth;
    if (to) {
        if (p->dstPos.x + p->extent.width > to->width || p->dstPos.y + copy->height > rows_of(to) ||
            p->dstPos.z + copy->depth > slices_of(to))
            return cudaErrorInvalidValue;
        copy->to = to->data + p->dstPos.x * unit;
        copy->to_pitch = to->pitch;
        copy->to_slice = to->slice;
    } else {
        copy->to = (char *)p->dstPtr.ptr + p->dstPos.x;
        copy->to_pitch = p->dstPtr.pitch;
        copy->to_slice = p->dstPtr.pitch * p->dstPtr.ysize;
        if (copy->width > 0 && copy->height > 0 && copy->depth > 0 &&
            (copy->to_pitch < copy->width || (copy->depth > 1 && p->dstPtr.ysize < copy->height)))
            return cudaErrorInvalidPitchValue;
    }
    if (from) {
        if (p->srcPos.x + p->extent.width > from->width ||
            p->srcPos.y + copy->height > rows_of(from) ||
            p->srcPos.z + copy->depth > slices_of(from))
            return cudaErrorInvalidValue;
        copy->from = from->data + p->srcPos.x * unit;
        copy->from_pitch = from->pitch;
        copy->from_slice = from->slice;
    } else {
        copy->from = (const char *)p->srcPtr.ptr + p->srcPos.x;
        copy->from_pitch = p->srcPtr.pitch;
        copy->from_slice = p->srcPtr.pitch * p->srcPtr.ysize;
        if (copy->width > 0 && copy->height > 0 && copy->depth > 0 &&
            (copy->from_pitch < copy->width || (copy->depth > 1 && p->srcPtr.ysize < copy->height)))
            return cudaErrorInvalidPitchValue;
    }
    copy->to += p->dstPos.y * copy->to_pitch + p->dstPos.z * copy->to_slice;
    copy->from += p->srcPos.y * copy->from_pitch + p->srcPos.z * copy->from_slice;
    return cudaSuccess;
}

static cudaError_t portable_cuda_copy_parameters_(const char *call,
                                                  const struct cudaMemcpy3DParms *parameters,
                                                  int asynchronous, cudaStream_t stream)
{
    struct portable_cuda_copy_ copy;

    REQUIRE(parameters, cudaErrorInvalidValue);
    const cudaError_t error = portable_cuda_copy_3d_(parameters, &copy);
    REQUIRE(error == cudaSuccess, error);
    return portable_cuda_copy_(call, &copy, parameters->kind, asynchronous, stream);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy)
{
    return portable_cuda_copy_parameters_("cudaMemcpy3D", copy, 0, 0);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
    return portable_cuda_copy_parameters_("cudaMemcpy3DAsync", copy, 1, stream);
}

static struct cudaMemcpy3DParms of_peer(const struct cudaMemcpy3DPeerParms *copy)
{
    const struct cudaMemcpy3DParms parameters = {
        copy->srcArray, copy->srcPos, copy->srcPtr, copy->dstArray,
        copy->dstPos,   copy->dstPtr, copy->extent, cudaMemcpyDeviceToDevice};
    return parameters;
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy)
{
    REQUIRE(copy && copy->srcDevice == 0 && copy->dstDevice == 0, cudaErrorInvalidDevice);
    const struct cudaMemcpy3DParms parameters = of_peer(copy);
    return portable_cuda_copy_parameters_("cudaMemcpy3DPeer", &parameters, 0, 0);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy, cudaStream_t stream)
{
    REQUIRE(copy && copy->srcDevice == 0 && copy->dstDevice == 0, cudaErrorInvalidDevice);
    const struct cudaMemcpy3DParms parameters = of_peer(copy);
    return portable_cuda_copy_parameters_("cudaMemcpy3DPeerAsync", &parameters, 1, stream);
}

/* ---- memset ---- */

cudaError_t portable_cuda_check_set_(const char *call, const struct portable_cuda_set_ *set)
{
    const size_t bytes = reach(set->pitch, set->slice, set->width, set->height, set->depth);

    if (bytes == 0)
        return cudaSuccess;
    if (bytes == SIZE_MAX || (set->height > 1 && set->pitch < set->width))
        return cudaErrorInvalidValue;
    return portable_cuda_check_side_(call, "target", set->to, bytes, 1, 0, 1);
}

static void portable_cuda_set_now_(const struct portable_cuda_set_ *set)
{
    const int writes = is_device(set->to);

    for (size_t z = 0; z < set->depth; z++)
        for (size_t y = 0; y < set->height; y++) {
            char *const to = set->to + z * set->slice + y * set->pitch;
            if (writes)
                portable_emulate_memory_(PORTABLE_MEMORY_WRITE_, to, set->width);
            if (set->element == 1)
                memset(to, (int)set->value, set->width);
            else
                for (size_t x = 0; x + set->element <= set->width; x += set->element)
                    memcpy(to + x, &set->value, set->element); /* little-endian */
            if (writes)
                portable_emulate_memory_(PORTABLE_MEMORY_DONE_, to, set->width);
        }
}

/* A memset that runs late. */
struct late_set {
    struct portable_cuda_set_ set;
    const char *call;
    int writes; /* device memory */
};

static void portable_cuda_set_late_(void *data)
{
    const struct late_set *const late = (const struct late_set *)data;

    if (!portable_cuda_is_gone_(late->call, "target", late->set.to, late->writes))
        portable_cuda_set_now_(&late->set);
}

void portable_cuda_set_in_(cudaStream_t stream, const char *call,
                           const struct portable_cuda_set_ *set)
{
    if (portable_cuda_is_late_()) {
        const struct late_set late = {*set, call, is_device(set->to)};
        portable_cuda_defer_(stream, EMULATE_CALL, call, portable_cuda_set_late_, &late,
                             sizeof late);
        return;
    }
    portable_cuda_begin_work_(stream, EMULATE_CALL, call);
    portable_cuda_touch_(NULL, set->to, set->pitch, set->slice, set->width, set->height, set->depth,
                         1);
    portable_cuda_set_now_(set);
    portable_cuda_end_work_();
}

cudaError_t portable_cuda_set_all_(const char *call, const struct portable_cuda_set_ *set,
                                   int asynchronous, cudaStream_t stream)
{
    struct CUgraph_st *const graph = portable_cuda_capture_of_(stream);

    ENTER(0);
    if (!asynchronous)
        REQUIRE_NO_CAPTURE();
    REQUIRE(portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    REQUIRE(!graph || !portable_cuda_is_invalidated_(graph), cudaErrorStreamCaptureInvalidated);
    const cudaError_t error = portable_cuda_check_set_(call, set);
    REQUIRE(error == cudaSuccess, error);
    if (graph)
        portable_cuda_capture_set_(graph, set);
    else
        portable_cuda_set_in_(stream, call, set);
    if (ORDER && !graph && !asynchronous &&
        side_of(set->to, cudaMemcpyDeviceToDevice, 1) != ON_DEVICE)
        portable_cuda_host_waits_(stream);
    return cudaSuccess;
}

static cudaError_t portable_cuda_set_(const char *call, void *memory, size_t pitch, size_t slice,
                                      int value, size_t width, size_t height, size_t depth,
                                      int asynchronous, cudaStream_t stream)
{
    const struct portable_cuda_set_ set = {(char *)memory, pitch, slice,           width,
                                           height,         depth, (unsigned)value, 1};

    if (emulate_running) {
        for (size_t y = 0; y < height; y++)
            memset((char *)memory + y * pitch, value, width);
        return cudaSuccess;
    }
    return portable_cuda_set_all_(call, &set, asynchronous, stream);
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    return portable_cuda_set_("cudaMemset", memory, bytes, 0, value, bytes, 1, 1, 0, 0);
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    return portable_cuda_set_("cudaMemsetAsync", memory, bytes, 0, value, bytes, 1, 1, 1, stream);
}

cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height)
{
    return portable_cuda_set_("cudaMemset2D", memory, pitch, 0, value, width, height, 1, 0, 0);
}

cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    return portable_cuda_set_("cudaMemset2DAsync", memory, pitch, 0, value, width, height, 1, 1,
                              stream);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr memory, int value, struct cudaExtent extent)
{
    return portable_cuda_set_("cudaMemset3D", memory.ptr, memory.pitch, memory.pitch * memory.ysize,
                              value, extent.width, extent.height, extent.depth, 0, 0);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr memory, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    return portable_cuda_set_("cudaMemset3DAsync", memory.ptr, memory.pitch,
                              memory.pitch * memory.ysize, value, extent.width, extent.height,
                              extent.depth, 1, stream);
}

/* ---- variables of the device ---- */

cudaError_t portable_cuda_check_symbol_(void *symbol)
{
    REQUIRE(is_variable(symbol), cudaErrorInvalidSymbol);
    return cudaSuccess;
}

/* The size of the variable that starts there; 0 if there is none. */
static size_t symbol_size(const void *symbol)
{
    struct emulate_object object;

    if (is_variable(symbol) && (emulate_object_at(EMULATE_CONSTANT, symbol, &object) ||
                                emulate_variable_at(symbol, &object)))
        return object.address == (const char *)symbol ? object.bytes : 0;
    return 0;
}

cudaError_t portable_cuda_symbol_copy_(void *symbol, size_t symbol_bytes, void *memory,
                                       size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                       int to_symbol, int asynchronous, cudaStream_t stream)
{
    static const char *const calls[2][2] = {{"cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync"},
                                            {"cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync"}};
    const char *const call = calls[to_symbol][asynchronous];
    const size_t size = symbol_bytes ? symbol_bytes : symbol_size(symbol);
    char *const at = (char *)symbol + offset;

    REQUIRE(is_variable(symbol) && size > 0, cudaErrorInvalidSymbol);
    REQUIRE((unsigned)kind <= cudaMemcpyDefault &&
                kind != (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice) &&
                kind != cudaMemcpyHostToHost,
            cudaErrorInvalidMemcpyDirection);
    if (offset > size || bytes > size - offset) {
        portable_cuda_fault_(PORTABLE_CUDA_OUT_OF_RANGE_,
                             "%s: %zu bytes from byte %zu of the symbol, which has %zu", call,
                             bytes, offset, size);
        return portable_cuda_error_(cudaErrorInvalidValue);
    }
    return to_symbol ? portable_cuda_copy_2d_(call, at, bytes, memory, bytes, bytes, 1, kind,
                                              asynchronous, stream)
                     : portable_cuda_copy_2d_(call, memory, bytes, at, bytes, bytes, 1, kind,
                                              asynchronous, stream);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return portable_cuda_symbol_copy_((void *)(uintptr_t)symbol, 0, (void *)(uintptr_t)from, bytes,
                                      offset, kind, 1, 0, 0);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return portable_cuda_symbol_copy_((void *)(uintptr_t)symbol, 0, (void *)(uintptr_t)from, bytes,
                                      offset, kind, 1, 1, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    return portable_cuda_symbol_copy_((void *)(uintptr_t)symbol, 0, to, bytes, offset, kind, 0, 0,
                                      0);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return portable_cuda_symbol_copy_((void *)(uintptr_t)symbol, 0, to, bytes, offset, kind, 0, 1,
                                      stream);
}

cudaError_t cudaGetSymbolAddress(void **memory, const void *symbol)
{
    REQUIRE(memory, cudaErrorInvalidValue);
    REQUIRE(symbol_size(symbol) > 0, cudaErrorInvalidSymbol);
    *memory = (void *)(uintptr_t)symbol;
    return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    REQUIRE(bytes, cudaErrorInvalidValue);
    REQUIRE(symbol_size(symbol) > 0, cudaErrorInvalidSymbol);
    *bytes = symbol_size(symbol);
    return cudaSuccess;
}

/* ---- arrays ---- */

/* Offsets and widths are in bytes. */
static cudaError_t portable_cuda_copy_array_(const char *call, cudaArray_const_t array,
                                             size_t x_bytes, size_t y, void *memory, size_t pitch,
                                             size_t width, size_t height, enum cudaMemcpyKind kind,
                                             int to_array, int asynchronous, cudaStream_t stream)
{
    REQUIRE(array, cudaErrorInvalidResourceHandle);
    if (width == 0 || height == 0)
        return cudaSuccess;
    REQUIRE(kind == (to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost) ||
                kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
            cudaErrorInvalidMemcpyDirection);
    REQUIRE(pitch >= width, cudaErrorInvalidPitchValue);
    REQUIRE(x_bytes <= array->pitch && width <= array->pitch - x_bytes && y <= rows_of(array) &&
                height <= rows_of(array) - y,
            cudaErrorInvalidValue);
    char *const at = array->data + y * array->pitch + x_bytes;
    return to_array ? portable_cuda_copy_2d_(call, at, array->pitch, memory, pitch, width, height,
                                             kind, asynchronous, stream)
                    : portable_cuda_copy_2d_(call, memory, pitch, at, array->pitch, width, height,
                                             kind, asynchronous, stream);
}

/* Bytes that run on from one row of the array to the next. */
static cudaError_t portable_cuda_copy_run_(const char *call, cudaArray_const_t array,
                                           size_t x_bytes, size_t y, char *memory, size_t bytes,
                                           enum cudaMemcpyKind kind, int to_array)
{
    REQUIRE(array, cudaErrorInvalidResourceHandle);
    while (bytes > 0) {
        REQUIRE(x_bytes < array->pitch, cudaErrorInvalidValue);
        const size_t row = bytes < array->pitch - x_bytes ? bytes : array->pitch - x_bytes;
        const cudaError_t error = portable_cuda_copy_array_(call, array, x_bytes, y, memory, row,
                                                            row, 1, kind, to_array, 0, 0);
        if (error != cudaSuccess)
            return error;
        memory += row;
        bytes -= row;
        x_bytes = 0;
        y++;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x_bytes, size_t y, const void *from,
                              size_t bytes, enum cudaMemcpyKind kind)
{
    return portable_cuda_copy_run_("cudaMemcpyToArray", to, x_bytes, y, (char *)(uintptr_t)from,
                                   bytes, kind, 1);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x_bytes, size_t y,
                                size_t bytes, enum cudaMemcpyKind kind)
{
    return portable_cuda_copy_run_("cudaMemcpyFromArray", from, x_bytes, y, (char *)to, bytes, kind,
                                   0);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x_bytes, size_t y, const void *from,
                                size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return portable_cuda_copy_array_("cudaMemcpy2DToArray", to, x_bytes, y, (void *)(uintptr_t)from,
                                     pitch, width, height, kind, 1, 0, 0);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x_bytes, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return portable_cuda_copy_array_("cudaMemcpy2DToArrayAsync", to, x_bytes, y,
                                     (void *)(uintptr_t)from, pitch, width, height, kind, 1, 1,
                                     stream);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x_bytes,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return portable_cuda_copy_array_("cudaMemcpy2DFromArray", from, x_bytes, y, to, pitch, width,
                                     height, kind, 0, 0, 0);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from,
                                       size_t x_bytes, size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return portable_cuda_copy_array_("cudaMemcpy2DFromArrayAsync", from, x_bytes, y, to, pitch,
                                     width, height, kind, 0, 1, stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x_bytes, size_t to_y,
                                     cudaArray_const_t from, size_t from_x_bytes, size_t from_y,
                                     size_t width, size_t height, enum cudaMemcpyKind kind)
{
    REQUIRE(to && from, cudaErrorInvalidResourceHandle);
    REQUIRE(to_x_bytes <= to->pitch && width <= to->pitch - to_x_bytes && to_y <= rows_of(to) &&
                height <= rows_of(to) - to_y,
            cudaErrorInvalidValue);
    return portable_cuda_copy_array_("cudaMemcpy2DArrayToArray", from, from_x_bytes, from_y,
                                     to->data + to_y * to->pitch + to_x_bytes, to->pitch, width,
                                     height, kind, 0, 0, 0);
}
