/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory: the calls that allocate, free and describe it, and CUDA arrays.
 *
 * Device memory is closed to the host under memcheck. Pinned, managed and registered memory is open
 * to both sides.
 */
#define _GNU_SOURCE /* posix_memalign, sysconf */
#include "host/cudart/memory.h"
#include "host/cudart/runtime.h"
#include "host/cudart/array.h"
#include "host/cudart/nodes.h"
#include "host/cudart/streams.h"
#include "host/emulate/check.h"

#include <stdint.h> /* uintptr_t */
#include <stdlib.h> /* free, malloc, posix_memalign */
#include <string.h> /* memcpy, memset */
#include <unistd.h> /* sysconf */

/* An allocation's tag: the flags that the program gave, whether a graph keeps the address, the bits
 * of allocations.h, and from bit POOL on the number of its pool, or 0. */
enum { FLAGS = 15, OF_GRAPH = 16, POOL = 8 };

struct CUmemPoolHandle_st {
    struct CUmemPoolHandle_st *next;
    unsigned number;
    unsigned long long used, used_high, threshold;
    int reuse[3];
};
static struct CUmemPoolHandle_st default_pool = {NULL, 1, 0, 0, 0, {1, 1, 1}};
static cudaMemPool_t pools = &default_pool, current_pool = &default_pool;

/* Of all but registered memory. Under the lock, as the pools. */
static size_t allocated_bytes;

static size_t allocated(void)
{
    portable_cuda_lock_();
    const size_t bytes = allocated_bytes;
    portable_cuda_unlock_();
    return bytes;
}

static int insert(void *base, size_t bytes, enum portable_cuda_kind_ kind, unsigned tag)
{
    const struct portable_cuda_allocation_ added = {(char *)base, bytes, kind, tag};

    if (!portable_cuda_insert_(added))
        return 0;
    portable_cuda_lock_();
    if (kind != MEMORY_REGISTERED)
        allocated_bytes += bytes;
    for (cudaMemPool_t pool = pools; pool; pool = pool->next)
        if (pool->number == tag >> POOL) {
            pool->used += bytes;
            pool->used_high = pool->used > pool->used_high ? pool->used : pool->used_high;
        }
    portable_cuda_unlock_();
    return 1;
}

/* Removes the allocation that starts there, of a kind in the set; its bytes are 0 without one. */
static struct portable_cuda_allocation_ remove_allocation(const void *base, unsigned kinds)
{
    const struct portable_cuda_allocation_ found = portable_cuda_remove_(base, kinds);

    portable_cuda_lock_();
    if (found.kind != MEMORY_REGISTERED)
        allocated_bytes -= found.bytes;
    for (cudaMemPool_t pool = pools; pool; pool = pool->next)
        if (pool->number == found.tag >> POOL)
            pool->used -= found.bytes;
    portable_cuda_unlock_();
    return found;
}

size_t portable_cuda_total_bytes_(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Memory that both sides may use. */
static void *portable_cuda_open_memory_(size_t alignment, size_t bytes)
{
    void *memory = NULL;

    emulate_opens = 1;
    if (posix_memalign(&memory, alignment, bytes) != 0)
        memory = NULL;
    emulate_opens = 0;
    return memory;
}

/* NULL if there is no memory. */
static void *portable_cuda_new_memory_(enum portable_cuda_kind_ kind, size_t bytes, unsigned tag)
{
    const size_t total = portable_cuda_total_bytes_(), before = allocated();
    if (before > total || bytes > total - before)
        return NULL;
    emulate_opens = kind != MEMORY_DEVICE; /* both sides may use it */
    void *const memory = portable_cuda_guarded_(bytes);
    emulate_opens = 0;
    if (!memory)
        return NULL;
    portable_cuda_fill_(memory, bytes);
    if (!insert(memory, bytes, kind, tag | portable_cuda_guarded_tag_())) {
        portable_cuda_guarded_free_(memory);
        return NULL;
    }
    if (kind == MEMORY_DEVICE)
        portable_emulate_memory_(PORTABLE_MEMORY_NEW_, memory, bytes);
    else if (ORDER)
        ORDER->allocated(kind == MEMORY_PINNED ? EMULATE_PINNED : EMULATE_MANAGED, memory, bytes);
    return memory;
}

/* A call's allocation: sets *memory to NULL first. */
static cudaError_t portable_cuda_allocate_(void **memory, enum portable_cuda_kind_ kind,
                                           size_t bytes, unsigned tag)
{
    REQUIRE(memory, cudaErrorInvalidValue);
    *memory = NULL;
    if (bytes == 0)
        return cudaSuccess;
    *memory = portable_cuda_new_memory_(kind, bytes, tag);
    REQUIRE(*memory, cudaErrorMemoryAllocation);
    return cudaSuccess;
}

/* How a call frees memory: in the order of its stream; after a wait for all work, except of memory
 * of a pool, which must not be in use; or without a wait. */
enum how { IN_STREAM, AFTER_ALL, AT_ONCE };
static void portable_cuda_order_free_(const char *call,
                                      const struct portable_cuda_allocation_ *found, enum how how,
                                      cudaStream_t stream)
{
    if (!ORDER)
        return;
    if (how == IN_STREAM) {
        portable_cuda_begin_work_(stream, EMULATE_FREE, call);
        portable_cuda_touch_(NULL, found->base, 0, 0, found->bytes, 1, 1, 1);
        portable_cuda_end_work_();
    } else if (how == AFTER_ALL && found->tag >> POOL == 0) {
        ORDER->host_waits_for_all();
    }
    ORDER->freed(how == IN_STREAM ? NULL : call, found->base, found->bytes);
}

static cudaError_t portable_cuda_free_(const char *call, void *memory, unsigned kinds, enum how how,
                                       cudaStream_t stream)
{
    if (!memory)
        return cudaSuccess;
    const struct portable_cuda_allocation_ in = portable_cuda_allocation_of_(memory);
    if (in.bytes > 0 && in.tag & PORTABLE_CUDA_MAPPED_) {
        portable_cuda_fault_(PORTABLE_CUDA_WRONG_FREE_,
                             "%s: %p is mapped memory: cuMemUnmap unmaps it", call, memory);
        return portable_cuda_error_(cudaErrorInvalidValue);
    }
    if (how != IN_STREAM) /* late work may still use it */
        portable_cuda_catch_up_all_();
    const struct portable_cuda_allocation_ found = remove_allocation(memory, kinds);
    if (found.bytes == 0) {
        static const char *const names[] = {
            [MEMORY_DEVICE] = "device memory: cudaFree frees it",
            [MEMORY_PINNED] = "pinned host memory: cudaFreeHost frees it",
            [MEMORY_MANAGED] = "managed memory: cudaFree frees it",
            [MEMORY_REGISTERED] = "registered host memory: its owner frees it"};
        if (in.bytes > 0 && in.base == (char *)memory)
            portable_cuda_fault_(PORTABLE_CUDA_WRONG_FREE_, "%s: %p is %s", call, memory,
                                 names[in.kind]);
        else if (in.bytes > 0)
            portable_cuda_fault_(PORTABLE_CUDA_WRONG_FREE_,
                                 "%s: %p is %zu bytes after the start of its allocation", call,
                                 memory, (size_t)((char *)memory - in.base));
        else
            portable_cuda_fault_(PORTABLE_CUDA_WRONG_FREE_,
                                 "%s: %p is not the start of a live allocation", call, memory);
        return portable_cuda_error_(cudaErrorInvalidValue);
    }
    portable_cuda_order_free_(call, &found, how, stream);
    if (found.kind == MEMORY_DEVICE)
        portable_emulate_memory_(PORTABLE_MEMORY_FREE_, memory, 0);
    portable_cuda_record_(portable_cuda_verify_(&found));
    if (found.tag & OF_GRAPH)
        portable_cuda_count_graph_memory_(-(long long)found.bytes, 0);
    else
        portable_cuda_guarded_free_(memory);
    return cudaSuccess;
}

int portable_cuda_graph_has_(const void *memory)
{
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(memory);
    return found.bytes > 0 && found.base == (const char *)memory;
}
int portable_cuda_graph_allocate_(void *memory, size_t bytes)
{
    if (!insert(memory, bytes, MEMORY_DEVICE, OF_GRAPH | portable_cuda_guarded_tag_()))
        return 0;
    portable_cuda_fill_(memory, bytes);
    portable_emulate_memory_(PORTABLE_MEMORY_NEW_, memory, bytes);
    return 1;
}
cudaError_t portable_cuda_graph_free_(void *memory, cudaStream_t stream)
{
    return portable_cuda_free_("a graph's cudaFreeAsync", memory,
                               1u << MEMORY_DEVICE | 1u << MEMORY_MANAGED, IN_STREAM, stream);
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    if (emulate_running) { /* in a kernel: from the device's heap */
        *memory = bytes ? malloc(bytes) : NULL;
        return *memory || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
    }
    ENTER(0);
    REQUIRE_NO_CAPTURE();
    return portable_cuda_allocate_(memory, MEMORY_DEVICE, bytes, 0);
}

cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned int flags)
{
    ENTER(0);
    REQUIRE_NO_CAPTURE();
    REQUIRE(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost, cudaErrorInvalidValue);
    return portable_cuda_allocate_(memory, MEMORY_MANAGED, bytes, flags);
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    return cudaHostAlloc(memory, bytes, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned int flags)
{
    ENTER(0);
    REQUIRE_NO_CAPTURE();
    REQUIRE(flags <= 7, cudaErrorInvalidValue);
    return portable_cuda_allocate_(memory, MEMORY_PINNED, bytes, flags);
}

cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height)
{
    ENTER(0);
    REQUIRE_NO_CAPTURE();
    REQUIRE(memory && pitch, cudaErrorInvalidValue);
    *memory = NULL;
    *pitch = 0;
    if (width == 0 || height == 0)
        return cudaSuccess;
    REQUIRE(width <= SIZE_MAX / 2 && (width + 511) / 512 * 512 <= SIZE_MAX / 2 / height,
            cudaErrorMemoryAllocation);
    const size_t stride = (width + 511) / 512 * 512;
    const cudaError_t error = portable_cuda_allocate_(memory, MEMORY_DEVICE, stride * height, 0);
    if (error == cudaSuccess)
        *pitch = stride;
    return error;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *memory, struct cudaExtent extent)
{
    REQUIRE(memory, cudaErrorInvalidValue);
    memory->ptr = NULL;
    memory->pitch = 0;
    memory->xsize = extent.width;
    memory->ysize = extent.height;
    REQUIRE(extent.depth == 0 || extent.height <= SIZE_MAX / extent.depth,
            cudaErrorMemoryAllocation);
    return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width,
                           extent.height * extent.depth);
}

cudaError_t cudaFree(void *memory)
{
    if (emulate_running) {
        free(memory);
        return cudaSuccess;
    }
    ENTER(1);
    REQUIRE_NO_CAPTURE();
    const cudaError_t error = portable_cuda_free_(
        "cudaFree", memory, 1u << MEMORY_DEVICE | 1u << MEMORY_MANAGED, AFTER_ALL, NULL);
    ENTER(1);
    return error;
}

cudaError_t cudaFreeHost(void *memory)
{
    ENTER(1);
    REQUIRE_NO_CAPTURE();
    return portable_cuda_free_("cudaFreeHost", memory, 1u << MEMORY_PINNED, AT_ONCE, NULL);
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned int flags)
{
    ENTER(0);
    REQUIRE(memory && bytes > 0 && flags <= 15, cudaErrorInvalidValue);
    REQUIRE(portable_cuda_allocation_of_(memory).bytes == 0, cudaErrorHostMemoryAlreadyRegistered);
    REQUIRE(insert(memory, bytes, MEMORY_REGISTERED, flags), cudaErrorMemoryAllocation);
    if (ORDER)
        ORDER->allocated(EMULATE_REGISTERED, memory, bytes);
    /* memcheck forgets that host code allocated it. */
    portable_emulate_memory_(PORTABLE_MEMORY_NEW_, memory, bytes);
    portable_emulate_memory_(PORTABLE_MEMORY_FREE_, memory, 0);
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
    ENTER(1);
    REQUIRE(memory, cudaErrorInvalidValue);
    portable_cuda_catch_up_all_();
    const struct portable_cuda_allocation_ found =
        remove_allocation(memory, 1u << MEMORY_REGISTERED);
    REQUIRE(found.bytes > 0, cudaErrorHostMemoryNotRegistered);
    portable_cuda_order_free_("cudaHostUnregister", &found, AT_ONCE, NULL);
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(host);

    ENTER(0);
    REQUIRE(device && flags == 0, cudaErrorInvalidValue);
    REQUIRE(found.bytes > 0 && (found.kind == MEMORY_PINNED || found.kind == MEMORY_REGISTERED),
            cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(host);

    ENTER(0);
    REQUIRE(flags && found.bytes > 0 &&
                (found.kind == MEMORY_PINNED || found.kind == MEMORY_REGISTERED),
            cudaErrorInvalidValue);
    *flags = (found.tag & FLAGS) | cudaHostAllocMapped; /* all is, with unified addresses */
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    const size_t all = portable_cuda_total_bytes_();
    const size_t available = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);

    const size_t left = all - allocated();

    ENTER(0);
    if (free_bytes)
        *free_bytes = available < left ? available : left;
    if (total)
        *total = all;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *memory)
{
    static const enum cudaMemoryType types[] = {[MEMORY_DEVICE] = cudaMemoryTypeDevice,
                                                [MEMORY_PINNED] = cudaMemoryTypeHost,
                                                [MEMORY_MANAGED] = cudaMemoryTypeManaged,
                                                [MEMORY_REGISTERED] = cudaMemoryTypeHost};
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(memory);

    ENTER(0);
    REQUIRE(attributes, cudaErrorInvalidValue);
    memset(attributes, 0, sizeof *attributes);
    attributes->type = found.bytes > 0 ? types[found.kind] : cudaMemoryTypeUnregistered;
    attributes->device = found.bytes > 0 ? 0 : cudaInvalidDeviceId;
    if (found.bytes > 0)
        attributes->devicePointer = (void *)(uintptr_t)memory;
    if (found.bytes == 0 || found.kind != MEMORY_DEVICE)
        attributes->hostPointer = (void *)(uintptr_t)memory;
    return cudaSuccess;
}

/* Prefetches and advice are for managed memory. */
static cudaError_t advise(const void *memory, size_t bytes)
{
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(memory);

    ENTER(0);
    REQUIRE(found.bytes > 0 && found.kind == MEMORY_MANAGED && bytes > 0 &&
                bytes <= found.bytes - (size_t)((const char *)memory - found.base),
            cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream)
{
    REQUIRE(flags == 0 && portable_cuda_is_stream_(stream), cudaErrorInvalidValue);
    REQUIRE(location.type != cudaMemLocationTypeDevice || location.id == 0, cudaErrorInvalidDevice);
    return advise(memory, bytes);
}

cudaError_t cudaMemAdvise(const void *memory, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    (void)location;
    REQUIRE(advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy,
            cudaErrorInvalidValue);
    return advise(memory, bytes);
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, enum cudaMemRangeAttribute attribute,
                                     const void *memory, size_t bytes)
{
    (void)data;
    (void)size;
    (void)attribute;
    (void)memory;
    (void)bytes;
    return portable_cuda_error_(cudaErrorNotSupported);
}

/* ---- in stream order ---- */

cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    ENTER(0);
    REQUIRE(pool, cudaErrorInvalidValue);
    REQUIRE(portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    REQUIRE(memory, cudaErrorInvalidValue);
    if (portable_cuda_capture_of_(stream))
        return portable_cuda_capture_allocation_(portable_cuda_capture_of_(stream), memory, bytes);
    const cudaError_t error =
        portable_cuda_allocate_(memory, MEMORY_DEVICE, bytes, pool->number << POOL);
    if (error == cudaSuccess && *memory) {
        portable_cuda_begin_work_(stream, EMULATE_ALLOCATION, "cudaMallocAsync");
        portable_cuda_touch_(NULL, *memory, 0, 0, bytes, 1, 1, 1);
        portable_cuda_end_work_();
    }
    return error;
}

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync(memory, bytes, __atomic_load_n(&current_pool, __ATOMIC_ACQUIRE),
                                   stream);
}

static void portable_cuda_free_late_(void *data)
{
    portable_cuda_free_("cudaFreeAsync", *(void **)data, 1u << MEMORY_DEVICE | 1u << MEMORY_MANAGED,
                        IN_STREAM, NULL);
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    ENTER(0);
    REQUIRE(portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    if (portable_cuda_capture_of_(stream))
        return portable_cuda_capture_free_(portable_cuda_capture_of_(stream), memory);
    if (portable_cuda_graph_has_(memory) && /* or it fails now */
        portable_cuda_defer_(stream, EMULATE_FREE, NULL, portable_cuda_free_late_, &memory,
                             sizeof memory))
        return cudaSuccess;
    return portable_cuda_free_("cudaFreeAsync", memory, 1u << MEMORY_DEVICE | 1u << MEMORY_MANAGED,
                               IN_STREAM, stream);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    REQUIRE_DEVICE(device);
    REQUIRE(pool, cudaErrorInvalidValue);
    *pool = &default_pool;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    REQUIRE_DEVICE(device);
    REQUIRE(pool, cudaErrorInvalidValue);
    *pool = __atomic_load_n(&current_pool, __ATOMIC_ACQUIRE);
    return cudaSuccess;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    REQUIRE_DEVICE(device);
    REQUIRE(pool, cudaErrorInvalidValue);
    __atomic_store_n(&current_pool, pool, __ATOMIC_RELEASE);
    return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
{
    static unsigned numbers = 1; /* of the pools so far: the default one */

    ENTER(0);
    REQUIRE(pool && properties && properties->allocType == cudaMemAllocationTypePinned,
            cudaErrorInvalidValue);
    REQUIRE(properties->handleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported);
    *pool = (cudaMemPool_t)malloc(sizeof **pool);
    REQUIRE(*pool, cudaErrorMemoryAllocation);
    portable_cuda_lock_();
    **pool = default_pool;
    (*pool)->used = (*pool)->used_high = (*pool)->threshold = 0;
    (*pool)->number = ++numbers;
    (*pool)->next = pools;
    pools = *pool;
    portable_cuda_unlock_();
    return cudaSuccess;
}

/* Its allocations stay until they are freed. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    ENTER(0);
    REQUIRE(pool && pool != &default_pool, cudaErrorInvalidValue);
    portable_cuda_lock_();
    for (cudaMemPool_t *link = &pools; *link; link = &(*link)->next)
        if (*link == pool) {
            *link = pool->next;
            break;
        }
    portable_cuda_unlock_();
    cudaMemPool_t destroyed = pool;
    __atomic_compare_exchange_n(&current_pool, &destroyed, &default_pool, 0, __ATOMIC_ACQ_REL,
                                __ATOMIC_ACQUIRE);
    free(pool);
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
    (void)bytes;
    REQUIRE(pool, cudaErrorInvalidValue);
    return cudaSuccess;
}

/* The first three attributes are int, the others 64 bits. A pool holds nothing in reserve. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    REQUIRE(pool && value, cudaErrorInvalidValue);
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        memcpy(&pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies], value,
               sizeof(int));
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        memcpy(&pool->threshold, value, sizeof pool->threshold);
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        portable_cuda_lock_();
        pool->used_high = pool->used;
        portable_cuda_unlock_();
        return cudaSuccess;
    default: return portable_cuda_error_(cudaErrorInvalidValue);
    }
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    REQUIRE(pool && value, cudaErrorInvalidValue);
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        memcpy(value, &pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies],
               sizeof(int));
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        memcpy(value, &pool->threshold, sizeof pool->threshold);
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
        portable_cuda_lock_();
        memcpy(value, &pool->used, sizeof pool->used);
        portable_cuda_unlock_();
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        portable_cuda_lock_();
        memcpy(value, &pool->used_high, sizeof pool->used_high);
        portable_cuda_unlock_();
        return cudaSuccess;
    default: return portable_cuda_error_(cudaErrorInvalidValue);
    }
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    REQUIRE(pool && (list || count == 0), cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
    REQUIRE(flags && pool && location, cudaErrorInvalidValue);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *memory, size_t bytes,
                                     unsigned int flags)
{
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(memory);

    (void)bytes;
    REQUIRE_STREAM(stream);
    REQUIRE(found.bytes > 0 && found.kind == MEMORY_MANAGED &&
                (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ||
                 flags == cudaMemAttachSingle),
            cudaErrorInvalidValue);
    return cudaSuccess;
}

/* ===============================================================================================
 * Arrays
 * ============================================================================================== */

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    const struct cudaChannelFormatDesc format = {x, y, z, w, f};
    return format;
}

/* Bytes of an element of the format; 0 if no array can have it: 1, 2 or 4 components of equal
 * size. */
static size_t format_bytes(const struct cudaChannelFormatDesc *format)
{
    const int bits = format->x;
    const int count = (format->x > 0) + (format->y > 0) + (format->z > 0) + (format->w > 0);

    if ((bits != 8 && bits != 16 && bits != 32) || count == 3 ||
        (unsigned)format->f > cudaChannelFormatKindFloat ||
        (format->f == cudaChannelFormatKindFloat && bits == 8))
        return 0;
    if ((format->y && format->y != bits) || (format->z && format->z != bits) ||
        (format->w && format->w != bits) || (format->z && !format->y) || (format->w && !format->z))
        return 0;
    return (size_t)(bits / 8 * count);
}

static struct cudaArray *portable_cuda_new_array_(const struct cudaChannelFormatDesc *format,
                                                  struct cudaExtent extent, unsigned flags)
{
    struct cudaArray array;

    memset(&array, 0, sizeof array);
    array.element_bytes = format_bytes(format);
    array.width = extent.width;
    array.height = extent.height;
    array.depth = extent.depth;
    array.format = *format;
    array.flags = flags;
    array.pitch = array.width * array.element_bytes;
    array.slice = array.pitch * rows_of(&array);
    if (extent.width > (size_t)1 << 27 || rows_of(&array) > 1 << 17 || slices_of(&array) > 1 << 14)
        return NULL;
    struct cudaArray *const made = (struct cudaArray *)portable_cuda_open_memory_(16, sizeof array);
    if (!made)
        return NULL;
    array.data =
        (char *)portable_cuda_new_memory_(MEMORY_DEVICE, array.slice * slices_of(&array), 0);
    if (!array.data) {
        free(made);
        return NULL;
    }
    *made = array;
    return made;
}

static cudaError_t check_array(const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                               unsigned flags)
{
    if (!format || extent.width == 0 || flags & ~0xfu)
        return cudaErrorInvalidValue;
    if (flags & cudaArrayCubemap &&
        (extent.width != extent.height || extent.depth % 6 != 0 || extent.depth == 0))
        return cudaErrorInvalidValue;
    if (extent.depth > 0 && extent.height == 0 && !(flags & cudaArrayLayered))
        return cudaErrorInvalidValue;
    return format_bytes(format) > 0 ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned int flags)
{
    ENTER(0);
    REQUIRE_NO_CAPTURE();
    REQUIRE(array, cudaErrorInvalidValue);
    *array = NULL;
    const cudaError_t error = check_array(format, extent, flags);
    REQUIRE(error == cudaSuccess, error);
    *array = portable_cuda_new_array_(format, extent, flags);
    REQUIRE(*array, cudaErrorMemoryAllocation);
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned int flags)
{
    const struct cudaExtent extent = {width, height, 0};
    return cudaMalloc3DArray(array, format, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    ENTER(1);
    REQUIRE_NO_CAPTURE();
    if (!array)
        return cudaSuccess;
    const cudaError_t error =
        portable_cuda_free_("cudaFreeArray", array->data, 1u << MEMORY_DEVICE, AFTER_ALL, NULL);
    if (error == cudaSuccess)
        free(array);
    return error;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array)
{
    REQUIRE(format && array, cudaErrorInvalidValue);
    *format = array->format;
    return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array)
{
    REQUIRE(array, cudaErrorInvalidResourceHandle);
    if (format)
        *format = array->format;
    if (extent) {
        extent->width = array->width;
        extent->height = array->height;
        extent->depth = array->depth;
    }
    if (flags)
        *flags = array->flags;
    return cudaSuccess;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
                                     const struct cudaChannelFormatDesc *format,
                                     struct cudaExtent extent, unsigned int levels,
                                     unsigned int flags)
{
    ENTER(0);
    REQUIRE_NO_CAPTURE();
    REQUIRE(array && levels > 0, cudaErrorInvalidValue);
    *array = NULL;
    const cudaError_t error = check_array(format, extent, flags);
    REQUIRE(error == cudaSuccess, error);
    struct cudaMipmappedArray *const made =
        (struct cudaMipmappedArray *)portable_cuda_open_memory_(16, sizeof *made);
    REQUIRE(made, cudaErrorMemoryAllocation);
    made->levels = 0;
    while (made->levels < levels && made->levels < PORTABLE_CUDA_LEVELS_) {
        made->level[made->levels] = portable_cuda_new_array_(format, extent, flags);
        if (!made->level[made->levels]) {
            cudaFreeMipmappedArray(made);
            return portable_cuda_error_(cudaErrorMemoryAllocation);
        }
        made->levels++;
        const int layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
        if (extent.width <= 1 && extent.height <= 1 && (layered || extent.depth <= 1))
            break;
        extent.width = extent.width > 1 ? extent.width / 2 : 1;
        extent.height = extent.height > 1 ? extent.height / 2 : extent.height;
        if (!layered)
            extent.depth = extent.depth > 1 ? extent.depth / 2 : extent.depth;
    }
    *array = made;
    return cudaSuccess;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t mipmapped,
                                       unsigned int level)
{
    REQUIRE(array && mipmapped && level < mipmapped->levels, cudaErrorInvalidValue);
    *array = mipmapped->level[level];
    return cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
    if (!array)
        return cudaSuccess;
    for (unsigned k = 0; k < array->levels; k++)
        cudaFreeArray(array->level[k]);
    free(array);
    return cudaSuccess;
}
