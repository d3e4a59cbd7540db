/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime API but for its errors (errors.c) and graphs (graph.c).
 *
 * Everything is done when the call returns: a stream is only a handle. Device memory is closed to
 * the host under memcheck. Pinned, managed and registered memory is open to both sides.
 */
#define _GNU_SOURCE /* posix_memalign, sysconf, clock_gettime */
#include "host/cudart/runtime.h"
#include "host/cudart/array.h"
#include "host/emulate/emulate.h"

#include <stdint.h> /* uintptr_t */
#include <stdio.h>  /* snprintf */
#include <stdlib.h> /* malloc, free, realloc */
#include <string.h> /* memcpy, memmove, memset */
#include <time.h>   /* clock_gettime */
#include <unistd.h> /* sysconf */

/* The compute capability, 10 * major + minor; portable-nvcc's -arch may set another. */
__attribute__((weak)) int portable_cuda_capability_ = 75;

enum { SHARED_BYTES = 48 * 1024, SHARED_RAISED_BYTES = 227 * 1024, BLOCK_THREADS = 1024 };

/* Begins each call: the error of a failed kernel ends it. */
#define ENTER(waits)                                                                               \
    do {                                                                                           \
        const cudaError_t entered_ = portable_cuda_enter_(waits);                                  \
        if (entered_ != cudaSuccess)                                                               \
            return entered_;                                                                       \
    } while (0)
/* Ends the call with the error if the condition does not hold. */
#define REQUIRE(condition, error)                                                                  \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return portable_cuda_error_(error);                                                    \
    } while (0)
/* Of a call that a capture does not allow. */
#define REQUIRE_NO_CAPTURE()                                                                       \
    do {                                                                                           \
        const cudaError_t unsafe_ = portable_cuda_unsafe_();                                       \
        if (unsafe_ != cudaSuccess)                                                                \
            return portable_cuda_error_(unsafe_);                                                  \
    } while (0)
#define REQUIRE_DEVICE(device) REQUIRE((device) == 0, cudaErrorInvalidDevice)

static char lock_;
static void lock(void)
{
    while (__atomic_exchange_n(&lock_, 1, __ATOMIC_ACQUIRE))
        ;
}
static void unlock(void)
{
    __atomic_store_n(&lock_, 0, __ATOMIC_RELEASE);
}

/* ===============================================================================================
 * The table of allocations
 * ============================================================================================== */

enum kind { DEVICE, PINNED, MANAGED, REGISTERED };
enum { OF_GRAPH = 1 << 16 }; /* a flag: the graph keeps the address */
struct memory {
    char *base;
    size_t bytes; /* 0: no allocation */
    enum kind kind;
    unsigned flags;
    cudaMemPool_t pool;
};
/* Sorted by address. */
static struct {
    struct memory *list;
    size_t count, capacity, bytes; /* bytes: of all but registered memory */
} table;

struct CUmemPoolHandle_st {
    unsigned long long used, used_high, threshold;
    int reuse[3];
};
static struct CUmemPoolHandle_st default_pool = {0, 0, 0, {1, 1, 1}};
static cudaMemPool_t current_pool = &default_pool;

/* How many begin at or below the address. */
static size_t below(const void *address)
{
    size_t low = 0, high = table.count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)table.list[middle].base <= (uintptr_t)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct memory memory_of(const void *address)
{
    struct memory found = {NULL, 0, DEVICE, 0, NULL};

    lock();
    const size_t k = below(address);
    if (k > 0 && (uintptr_t)address - (uintptr_t)table.list[k - 1].base < table.list[k - 1].bytes)
        found = table.list[k - 1];
    unlock();
    return found;
}

static int insert(struct memory memory)
{
    lock();
    if (table.count == table.capacity) {
        const size_t capacity = table.capacity ? 2 * table.capacity : 64;
        struct memory *const list = (struct memory *)realloc(table.list, capacity * sizeof *list);
        if (list) {
            table.list = list;
            table.capacity = capacity;
        }
    }
    const int fits = table.count < table.capacity;
    if (fits) {
        const size_t at = below(memory.base);
        memmove(table.list + at + 1, table.list + at, (table.count - at) * sizeof *table.list);
        table.list[at] = memory;
        table.count++;
        if (memory.kind != REGISTERED)
            table.bytes += memory.bytes;
        if (memory.pool) {
            memory.pool->used += memory.bytes;
            if (memory.pool->used > memory.pool->used_high)
                memory.pool->used_high = memory.pool->used;
        }
    }
    unlock();
    return fits;
}

/* Removes the allocation that starts there, of a kind in the set; its bytes are 0 without one. */
static struct memory take(const void *base, unsigned kinds)
{
    struct memory found = {NULL, 0, DEVICE, 0, NULL};

    lock();
    const size_t k = below(base);
    if (k > 0 && table.list[k - 1].base == (const char *)base &&
        (kinds >> table.list[k - 1].kind & 1)) {
        found = table.list[k - 1];
        memmove(table.list + k - 1, table.list + k, (table.count - k) * sizeof *table.list);
        table.count--;
        if (found.kind != REGISTERED)
            table.bytes -= found.bytes;
        if (found.pool)
            found.pool->used -= found.bytes;
    }
    if (table.count == 0) {
        free(table.list);
        table.list = NULL;
        table.capacity = 0;
    }
    unlock();
    return found;
}

static size_t total_bytes(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Memory that both sides may use: memcheck closes only what host code allocates. */
static void *portable_cuda_open_memory_(size_t alignment, size_t bytes)
{
    const char *const kernel = emulate.kernel;
    void *memory = NULL;

    emulate.kernel = kernel ? kernel : "";
    if (posix_memalign(&memory, alignment, bytes) != 0)
        memory = NULL;
    emulate.kernel = kernel;
    return memory;
}

/* NULL if there is no memory. Contents are all ones, a NaN, so that a forgotten copy shows. */
static void *portable_cuda_allocate_(enum kind kind, size_t bytes, unsigned flags,
                                     cudaMemPool_t pool)
{
    void *memory = NULL;

    if (bytes > total_bytes() - (table.bytes < total_bytes() ? table.bytes : total_bytes()))
        return NULL;
    if (kind != DEVICE)
        memory = portable_cuda_open_memory_(256, bytes);
    else if (posix_memalign(&memory, 256, bytes) != 0)
        memory = NULL;
    if (!memory)
        return NULL;
    memset(memory, 0xff, bytes);
    const struct memory entry = {(char *)memory, bytes, kind, flags, pool};
    if (!insert(entry)) {
        free(memory);
        return NULL;
    }
    if (kind == DEVICE)
        portable_emulate_memory_(PORTABLE_MEMORY_NEW_, memory, bytes);
    return memory;
}

/* A call's allocation: sets *memory to NULL first. */
static cudaError_t portable_cuda_give_(void **memory, enum kind kind, size_t bytes, unsigned flags,
                                       cudaMemPool_t pool)
{
    REQUIRE(memory, cudaErrorInvalidValue);
    *memory = NULL;
    if (bytes == 0)
        return cudaSuccess;
    *memory = portable_cuda_allocate_(kind, bytes, flags, pool);
    REQUIRE(*memory, cudaErrorMemoryAllocation);
    return cudaSuccess;
}

static cudaError_t portable_cuda_take_back_(const char *call, void *memory, unsigned kinds)
{
    if (!memory)
        return cudaSuccess;
    const struct memory found = take(memory, kinds);
    if (found.bytes == 0) {
        const struct memory in = memory_of(memory);
        static const char *const names[] = {
            "device memory: cudaFree frees it", "pinned host memory: cudaFreeHost frees it",
            "managed memory: cudaFree frees it", "registered host memory: its owner frees it"};
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
    if (found.kind == DEVICE)
        portable_emulate_memory_(PORTABLE_MEMORY_FREE_, memory, 0);
    if (found.flags & OF_GRAPH)
        portable_cuda_graph_freed_(found.bytes);
    else
        free(memory);
    return cudaSuccess;
}

int portable_cuda_graph_has_(const void *memory)
{
    const struct memory found = memory_of(memory);
    return found.bytes > 0 && found.base == (const char *)memory;
}
int portable_cuda_graph_allocate_(void *memory, size_t bytes)
{
    const struct memory entry = {(char *)memory, bytes, DEVICE, OF_GRAPH, NULL};
    if (!insert(entry))
        return 0;
    memset(memory, 0xff, bytes);
    portable_emulate_memory_(PORTABLE_MEMORY_NEW_, memory, bytes);
    return 1;
}
cudaError_t portable_cuda_graph_free_(void *memory)
{
    return portable_cuda_take_back_("a graph's cudaFreeAsync", memory,
                                    1u << DEVICE | 1u << MANAGED);
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    if (emulate_running) { /* in a kernel: from the device's heap */
        *memory = bytes ? malloc(bytes) : NULL;
        return *memory || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
    }
    ENTER(0);
    REQUIRE_NO_CAPTURE();
    return portable_cuda_give_(memory, DEVICE, bytes, 0, NULL);
}

cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned int flags)
{
    ENTER(0);
    REQUIRE_NO_CAPTURE();
    REQUIRE(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost, cudaErrorInvalidValue);
    return portable_cuda_give_(memory, MANAGED, bytes, flags, NULL);
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
    return portable_cuda_give_(memory, PINNED, bytes, flags, NULL);
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
    const cudaError_t error = portable_cuda_give_(memory, DEVICE, stride * height, 0, NULL);
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
    return portable_cuda_take_back_("cudaFree", memory, 1u << DEVICE | 1u << MANAGED);
}

cudaError_t cudaFreeHost(void *memory)
{
    ENTER(1);
    REQUIRE_NO_CAPTURE();
    return portable_cuda_take_back_("cudaFreeHost", memory, 1u << PINNED);
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned int flags)
{
    ENTER(0);
    REQUIRE(memory && bytes > 0 && flags <= 15, cudaErrorInvalidValue);
    REQUIRE(memory_of(memory).bytes == 0, cudaErrorHostMemoryAlreadyRegistered);
    const struct memory entry = {(char *)memory, bytes, REGISTERED, flags, NULL};
    REQUIRE(insert(entry), cudaErrorMemoryAllocation);
    /* memcheck forgets that host code allocated it. */
    portable_emulate_memory_(PORTABLE_MEMORY_NEW_, memory, bytes);
    portable_emulate_memory_(PORTABLE_MEMORY_FREE_, memory, 0);
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
    ENTER(1);
    REQUIRE(memory, cudaErrorInvalidValue);
    REQUIRE(take(memory, 1u << REGISTERED).bytes > 0, cudaErrorHostMemoryNotRegistered);
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    const struct memory found = memory_of(host);

    ENTER(0);
    REQUIRE(device && flags == 0, cudaErrorInvalidValue);
    REQUIRE(found.bytes > 0 && (found.kind == PINNED || found.kind == REGISTERED),
            cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    const struct memory found = memory_of(host);

    ENTER(0);
    REQUIRE(flags && found.bytes > 0 && (found.kind == PINNED || found.kind == REGISTERED),
            cudaErrorInvalidValue);
    *flags = found.flags | cudaHostAllocMapped; /* all is, with unified addresses */
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    const size_t all = total_bytes();
    const size_t available = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);

    ENTER(0);
    if (free_bytes)
        *free_bytes = available < all - table.bytes ? available : all - table.bytes;
    if (total)
        *total = all;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *memory)
{
    static const enum cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeHost,
                                                cudaMemoryTypeManaged, cudaMemoryTypeHost};
    const struct memory found = memory_of(memory);

    ENTER(0);
    REQUIRE(attributes, cudaErrorInvalidValue);
    memset(attributes, 0, sizeof *attributes);
    attributes->type = found.bytes > 0 ? types[found.kind] : cudaMemoryTypeUnregistered;
    attributes->device = found.bytes > 0 ? 0 : cudaInvalidDeviceId;
    if (found.bytes > 0)
        attributes->devicePointer = (void *)(uintptr_t)memory;
    if (found.bytes == 0 || found.kind != DEVICE)
        attributes->hostPointer = (void *)(uintptr_t)memory;
    return cudaSuccess;
}

/* Prefetches and advice are for managed memory. */
static cudaError_t advise(const void *memory, size_t bytes)
{
    const struct memory found = memory_of(memory);

    ENTER(0);
    REQUIRE(found.bytes > 0 && found.kind == MANAGED && bytes > 0 &&
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
    return portable_cuda_give_(memory, DEVICE, bytes, 0, pool);
}

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync(memory, bytes, current_pool, stream);
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    ENTER(0);
    REQUIRE(portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    if (portable_cuda_capture_of_(stream))
        return portable_cuda_capture_free_(portable_cuda_capture_of_(stream), memory);
    return portable_cuda_take_back_("cudaFreeAsync", memory, 1u << DEVICE | 1u << MANAGED);
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
    *pool = current_pool;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    REQUIRE_DEVICE(device);
    REQUIRE(pool, cudaErrorInvalidValue);
    current_pool = pool;
    return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
{
    ENTER(0);
    REQUIRE(pool && properties && properties->allocType == cudaMemAllocationTypePinned,
            cudaErrorInvalidValue);
    REQUIRE(properties->handleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported);
    *pool = (cudaMemPool_t)malloc(sizeof **pool);
    REQUIRE(*pool, cudaErrorMemoryAllocation);
    **pool = default_pool;
    (*pool)->used = (*pool)->used_high = (*pool)->threshold = 0;
    return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    ENTER(0);
    REQUIRE(pool && pool != &default_pool, cudaErrorInvalidValue);
    lock();
    for (size_t k = 0; k < table.count; k++)
        if (table.list[k].pool == pool)
            table.list[k].pool = NULL; /* stays until it is freed */
    unlock();
    if (current_pool == pool)
        current_pool = &default_pool;
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
    case cudaMemPoolAttrUsedMemHigh: pool->used_high = pool->used; return cudaSuccess;
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
        memcpy(value, &pool->used, sizeof pool->used);
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        memcpy(value, &pool->used_high, sizeof pool->used_high);
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

/* ===============================================================================================
 * Copies
 * ============================================================================================== */

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
                                             int on_host)
{
    const struct memory found = memory_of(address);

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
        if (on_host && found.kind == DEVICE) /* a GPU copies all the same */
            portable_cuda_fault_(PORTABLE_CUDA_NOT_HOST_, "%s: the %s, %p, is device memory", call,
                                 role, address);
        return cudaSuccess;
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
        kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost);
    if (error != cudaSuccess)
        return error;
    return portable_cuda_check_side_(
        call, "source", copy->from, from_bytes,
        kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice,
        kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost);
}

static int is_device(const void *address)
{
    const struct memory found = memory_of(address);
    return found.bytes > 0 && found.kind == DEVICE;
}

cudaError_t portable_cuda_operand_(const char *call, const char *role, const void *address,
                                   size_t pitch, size_t width, size_t height, int reads, int writes)
{
    const size_t bytes = reach(pitch, 0, width, height, 1);
    const cudaError_t error = portable_cuda_check_side_(call, role, address, bytes, 1, 0);

    REQUIRE(error == cudaSuccess, error);
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

void portable_cuda_copy_now_(const struct portable_cuda_copy_ *copy)
{
    const int reads = is_device(copy->from), writes = is_device(copy->to);

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
    REQUIRE(!graph || !portable_cuda_is_spoilt_(graph), cudaErrorStreamCaptureInvalidated);
    const cudaError_t error = portable_cuda_check_copy_(call, copy, kind);
    REQUIRE(error == cudaSuccess, error);
    if (graph)
        portable_cuda_capture_copy_(graph, copy);
    else
        portable_cuda_copy_now_(copy);
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

/* The rows of an array, those of all its slices. */
static size_t rows_of(const struct cudaArray *array)
{
    return array->height ? array->height : 1;
}
static size_t slices_of(const struct cudaArray *array)
{
    return array->depth ? array->depth : 1;
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
    const size_t unit = to ? to->element_bytes : from ? from->element_bytes : 1;
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
    const struct cudaMemcpy3DParms plain = {
        copy->srcArray, copy->srcPos, copy->srcPtr, copy->dstArray,
        copy->dstPos,   copy->dstPtr, copy->extent, cudaMemcpyDeviceToDevice};
    return plain;
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy)
{
    REQUIRE(copy && copy->srcDevice == 0 && copy->dstDevice == 0, cudaErrorInvalidDevice);
    const struct cudaMemcpy3DParms plain = of_peer(copy);
    return portable_cuda_copy_parameters_("cudaMemcpy3DPeer", &plain, 0, 0);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy, cudaStream_t stream)
{
    REQUIRE(copy && copy->srcDevice == 0 && copy->dstDevice == 0, cudaErrorInvalidDevice);
    const struct cudaMemcpy3DParms plain = of_peer(copy);
    return portable_cuda_copy_parameters_("cudaMemcpy3DPeerAsync", &plain, 1, stream);
}

/* ---- memset ---- */

cudaError_t portable_cuda_check_set_(const char *call, const struct portable_cuda_set_ *set)
{
    const size_t bytes = reach(set->pitch, set->slice, set->width, set->height, set->depth);

    if (bytes == 0)
        return cudaSuccess;
    if (bytes == SIZE_MAX || (set->height > 1 && set->pitch < set->width))
        return cudaErrorInvalidValue;
    return portable_cuda_check_side_(call, "target", set->to, bytes, 1, 0);
}

void portable_cuda_set_now_(const struct portable_cuda_set_ *set)
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

cudaError_t portable_cuda_set_all_(const char *call, const struct portable_cuda_set_ *set,
                                   int asynchronous, cudaStream_t stream)
{
    struct CUgraph_st *const graph = portable_cuda_capture_of_(stream);

    ENTER(0);
    if (!asynchronous)
        REQUIRE_NO_CAPTURE();
    REQUIRE(portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    REQUIRE(!graph || !portable_cuda_is_spoilt_(graph), cudaErrorStreamCaptureInvalidated);
    const cudaError_t error = portable_cuda_check_set_(call, set);
    REQUIRE(error == cudaSuccess, error);
    if (graph)
        portable_cuda_capture_set_(graph, set);
    else
        portable_cuda_set_now_(set);
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

cudaError_t portable_cuda_symbol_copy_(void *symbol, size_t symbol_bytes, void *other, size_t bytes,
                                       size_t offset, enum cudaMemcpyKind kind, int to_symbol,
                                       int asynchronous, cudaStream_t stream)
{
    const size_t size = symbol_bytes ? symbol_bytes : symbol_size(symbol);
    char *const at = (char *)symbol + offset;

    REQUIRE(is_variable(symbol) && size > 0, cudaErrorInvalidSymbol);
    REQUIRE((unsigned)kind <= cudaMemcpyDefault &&
                kind != (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice) &&
                kind != cudaMemcpyHostToHost,
            cudaErrorInvalidMemcpyDirection);
    if (offset > size || bytes > size - offset) {
        portable_cuda_fault_(
            PORTABLE_CUDA_OUT_OF_RANGE_, "%s: %zu bytes from byte %zu of the symbol, which has %zu",
            to_symbol ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol", bytes, offset, size);
        return portable_cuda_error_(cudaErrorInvalidValue);
    }
    return to_symbol ? portable_cuda_copy_2d_("cudaMemcpyToSymbol", at, bytes, other, bytes, bytes,
                                              1, kind, asynchronous, stream)
                     : portable_cuda_copy_2d_("cudaMemcpyFromSymbol", other, bytes, at, bytes,
                                              bytes, 1, kind, asynchronous, stream);
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
    array.data = (char *)portable_cuda_allocate_(DEVICE, array.slice * slices_of(&array), 0, NULL);
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
    const cudaError_t error = portable_cuda_take_back_("cudaFreeArray", array->data, 1u << DEVICE);
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

/* Offsets and widths are in bytes. */
static cudaError_t portable_cuda_copy_array_(const char *call, cudaArray_const_t array,
                                             size_t x_bytes, size_t y, void *other, size_t pitch,
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
    return to_array ? portable_cuda_copy_2d_(call, at, array->pitch, other, pitch, width, height,
                                             kind, asynchronous, stream)
                    : portable_cuda_copy_2d_(call, other, pitch, at, array->pitch, width, height,
                                             kind, asynchronous, stream);
}

/* Bytes that run on from one row of the array to the next. */
static cudaError_t portable_cuda_copy_run_(const char *call, cudaArray_const_t array,
                                           size_t x_bytes, size_t y, char *other, size_t bytes,
                                           enum cudaMemcpyKind kind, int to_array)
{
    REQUIRE(array, cudaErrorInvalidResourceHandle);
    while (bytes > 0) {
        REQUIRE(x_bytes < array->pitch, cudaErrorInvalidValue);
        const size_t row = bytes < array->pitch - x_bytes ? bytes : array->pitch - x_bytes;
        const cudaError_t error = portable_cuda_copy_array_(call, array, x_bytes, y, other, row,
                                                            row, 1, kind, to_array, 0, 0);
        if (error != cudaSuccess)
            return error;
        other += row;
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

/* ===============================================================================================
 * Streams and events
 * ============================================================================================== */

static cudaStream_t streams;
static cudaEvent_t events;

static int is_default(cudaStream_t stream)
{
    return (uintptr_t)stream <= (uintptr_t)cudaStreamPerThread;
}

int portable_cuda_is_stream_(cudaStream_t stream)
{
    if (is_default(stream) || emulate_running)
        return 1;
    lock();
    cudaStream_t found = streams;
    while (found && found != stream)
        found = found->next;
    unlock();
    return found != NULL;
}

struct CUgraph_st *portable_cuda_capture_of_(cudaStream_t stream)
{
    if (!stream || is_default(stream) || !portable_cuda_is_stream_(stream) || emulate_running)
        return NULL;
    return stream->graph;
}

static int is_event(cudaEvent_t event)
{
    lock();
    cudaEvent_t found = events;
    while (found && found != event)
        found = found->next;
    unlock();
    return found != NULL;
}

#define REQUIRE_STREAM(stream)                                                                     \
    REQUIRE(portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle)
#define REQUIRE_EVENT(event) REQUIRE(is_event(event), cudaErrorInvalidResourceHandle)

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    static unsigned long long ids = 16;

    ENTER(0);
    REQUIRE(stream && flags <= cudaStreamNonBlocking, cudaErrorInvalidValue);
    cudaStream_t const made = (cudaStream_t)calloc(1, sizeof *made);
    REQUIRE(made, cudaErrorMemoryAllocation);
    made->flags = flags;
    made->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
    lock();
    made->id = ++ids;
    made->next = streams;
    streams = made;
    unlock();
    *stream = made;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    ENTER(0);
    REQUIRE_STREAM(stream);
    REQUIRE(!is_default(stream), cudaErrorInvalidResourceHandle);
    lock();
    for (cudaStream_t *link = &streams; *link; link = &(*link)->next)
        if (*link == stream) {
            *link = stream->next;
            break;
        }
    unlock();
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    REQUIRE_STREAM(stream);
    REQUIRE(priority, cudaErrorInvalidValue);
    *priority = is_default(stream) ? 0 : stream->priority;
    return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    REQUIRE_STREAM(stream);
    REQUIRE(flags, cudaErrorInvalidValue);
    *flags = is_default(stream) ? 0 : stream->flags;
    return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    REQUIRE_STREAM(stream);
    REQUIRE(id, cudaErrorInvalidValue);
    *id = is_default(stream) ? 1 + (uintptr_t)stream : stream->id;
    return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    REQUIRE_STREAM(stream);
    REQUIRE(device, cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    REQUIRE_STREAM(to);
    REQUIRE_STREAM(from);
    return cudaSuccess;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value)
{
    (void)attribute;
    REQUIRE_STREAM(stream);
    REQUIRE(value, cudaErrorInvalidValue);
    memset(value, 0, sizeof *value);
    if (attribute == cudaLaunchAttributePriority && !is_default(stream))
        value->priority = stream->priority;
    return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value)
{
    (void)attribute;
    REQUIRE_STREAM(stream);
    REQUIRE(value, cudaErrorInvalidValue);
    return cudaSuccess;
}

static cudaError_t portable_cuda_wait_(cudaStream_t stream)
{
    ENTER(1);
    REQUIRE_STREAM(stream);
    if (portable_cuda_capture_of_(stream))
        return portable_cuda_error_(portable_cuda_spoil_(portable_cuda_capture_of_(stream)));
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return portable_cuda_wait_(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return portable_cuda_wait_(stream);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *memory, size_t bytes,
                                     unsigned int flags)
{
    const struct memory found = memory_of(memory);

    (void)bytes;
    REQUIRE_STREAM(stream);
    REQUIRE(found.bytes > 0 && found.kind == MANAGED &&
                (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ||
                 flags == cudaMemAttachSingle),
            cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    struct CUgraph_st *const graph = portable_cuda_capture_of_(stream);

    ENTER(0);
    REQUIRE_STREAM(stream);
    REQUIRE(function, cudaErrorInvalidValue);
    if (graph)
        portable_cuda_capture_host_(graph, function, data);
    else
        function(data);
    return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags)
{
    ENTER(0);
    REQUIRE_STREAM(stream);
    REQUIRE(callback && flags == 0, cudaErrorInvalidValue);
    REQUIRE(!portable_cuda_capture_of_(stream),
            portable_cuda_spoil_(portable_cuda_capture_of_(stream)));
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}

/* ---- events ---- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    ENTER(0);
    REQUIRE(event && flags <= 7, cudaErrorInvalidValue);
    REQUIRE(!(flags & cudaEventInterprocess) || flags & cudaEventDisableTiming,
            cudaErrorInvalidValue);
    cudaEvent_t const made = (cudaEvent_t)calloc(1, sizeof *made);
    REQUIRE(made, cudaErrorMemoryAllocation);
    made->flags = flags;
    lock();
    made->next = events;
    events = made;
    unlock();
    *event = made;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    ENTER(0);
    REQUIRE_EVENT(event);
    lock();
    for (cudaEvent_t *link = &events; *link; link = &(*link)->next)
        if (*link == event) {
            *link = event->next;
            break;
        }
    unlock();
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    struct timespec now;

    ENTER(0);
    REQUIRE_EVENT(event);
    REQUIRE_STREAM(stream);
    REQUIRE(flags <= cudaEventRecordExternal, cudaErrorInvalidValue);
    event->graph = portable_cuda_capture_of_(stream);
    if (!event->graph) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        event->nanoseconds = now.tv_sec * 1000000000LL + now.tv_nsec;
        event->recorded = 1;
    }
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecordWithFlags(event, stream, 0);
}

/* A stream that waits for an event of a capture joins it. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    ENTER(0);
    REQUIRE_STREAM(stream);
    REQUIRE_EVENT(event);
    REQUIRE(flags <= cudaEventWaitExternal, cudaErrorInvalidValue);
    if (event->graph) {
        REQUIRE(!is_default(stream), cudaErrorStreamCaptureImplicit);
        REQUIRE(!stream->graph || stream->graph == event->graph, cudaErrorStreamCaptureMerge);
        stream->graph = event->graph;
    }
    return cudaSuccess;
}

static cudaError_t portable_cuda_wait_event_(cudaEvent_t event)
{
    ENTER(1);
    REQUIRE_EVENT(event);
    REQUIRE_NO_CAPTURE();
    REQUIRE(!event->graph, cudaErrorCapturedEvent);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return portable_cuda_wait_event_(event);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return portable_cuda_wait_event_(event);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    ENTER(1);
    REQUIRE(milliseconds, cudaErrorInvalidValue);
    REQUIRE_EVENT(from);
    REQUIRE_EVENT(to);
    REQUIRE(from->recorded && to->recorded && !((from->flags | to->flags) & cudaEventDisableTiming),
            cudaErrorInvalidResourceHandle);
    *milliseconds = (float)((double)(to->nanoseconds - from->nanoseconds) * 1e-6);
    return cudaSuccess;
}

/* Ends a capture: no stream and no event belongs to it any more. */
void portable_cuda_forget_capture_(const struct CUgraph_st *graph)
{
    lock();
    for (cudaStream_t stream = streams; stream; stream = stream->next)
        if (stream->graph == graph) {
            stream->graph = NULL;
            stream->is_origin = 0;
        }
    for (cudaEvent_t event = events; event; event = event->next)
        if (event->graph == graph)
            event->graph = NULL;
    unlock();
}

/* ===============================================================================================
 * The device
 * ============================================================================================== */

static unsigned device_flags = cudaDeviceMapHost;
static enum cudaFuncCache device_cache = cudaFuncCachePreferNone;
static size_t limits[] = {1024, 8650752, 8388608, 0, 2048, 64, 0};

cudaError_t cudaDeviceSynchronize(void)
{
    if (emulate_running)
        portable_emulate_stop_(1, "cudaDeviceSynchronize in a kernel: CUDA 12 removed it");
    ENTER(1);
    REQUIRE_NO_CAPTURE();
    return cudaSuccess;
}

/* Memory stays allocated, so that memcheck reports what was not freed. */
cudaError_t cudaDeviceReset(void)
{
    portable_cuda_reset_errors_();
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    ENTER(0);
    REQUIRE((unsigned)limit <= cudaLimitPersistingL2CacheSize, cudaErrorInvalidValue);
    REQUIRE(limit != cudaLimitDevRuntimeSyncDepth, cudaErrorUnsupportedLimit);
    limits[limit] = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    REQUIRE(value && (unsigned)limit <= cudaLimitPersistingL2CacheSize, cudaErrorInvalidValue);
    REQUIRE(limit != cudaLimitDevRuntimeSyncDepth, cudaErrorUnsupportedLimit);
    *value = limits[limit];
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    REQUIRE((unsigned)config <= cudaFuncCachePreferEqual, cudaErrorInvalidValue);
    device_cache = config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    REQUIRE(config, cudaErrorInvalidValue);
    *config = device_cache;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    REQUIRE((unsigned)config <= cudaSharedMemBankSizeEightByte, cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    REQUIRE(config, cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    REQUIRE(count, cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    REQUIRE_DEVICE(device);
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    REQUIRE(device, cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned int flags, unsigned int valid)
{
    REQUIRE_DEVICE(device);
    if (valid & cudaInitDeviceFlagsAreValid)
        device_flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    REQUIRE(devices || count == 0, cudaErrorInvalidValue);
    for (int k = 0; k < count; k++)
        REQUIRE_DEVICE(devices[k]);
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    REQUIRE(!(flags & ~(unsigned)cudaDeviceMask), cudaErrorInvalidValue);
    device_flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    REQUIRE(flags, cudaErrorInvalidValue);
    *flags = device_flags;
    return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties)
{
    REQUIRE(device && properties, cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    REQUIRE(p, cudaErrorInvalidValue);
    REQUIRE_DEVICE(device);
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "CPU (portable-nvcc)");
    p->totalGlobalMem = total_bytes();
    p->sharedMemPerBlock = SHARED_BYTES;
    p->sharedMemPerBlockOptin = SHARED_RAISED_BYTES;
    p->sharedMemPerMultiprocessor = SHARED_RAISED_BYTES;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->memPitch = 2147483647;
    p->maxThreadsPerBlock = p->maxThreadsPerMultiProcessor = BLOCK_THREADS;
    p->maxBlocksPerMultiProcessor = 1;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = portable_cuda_capability_ / 10;
    p->minor = portable_cuda_capability_ % 10;
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->surfaceAlignment = 512;
    p->multiProcessorCount = 1;
    p->integrated = 1;
    p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = 1;
    p->hostNativeAtomicSupported = p->cooperativeLaunch = p->streamPrioritiesSupported = 1;
    p->concurrentManagedAccess = p->canUseHostPointerForRegisteredMem = 1;
    p->hostRegisterSupported = p->memoryPoolsSupported = p->unifiedFunctionPointers = 1;
    p->concurrentKernels = 0; /* one kernel at a time */
    p->asyncEngineCount = 0;
    p->maxTexture1D = p->maxSurface1D = 131072;
    p->maxTexture1DMipmap = 32768;
    p->maxTexture2D[0] = p->maxSurface2D[0] = 131072;
    p->maxTexture2D[1] = p->maxSurface2D[1] = 65536;
    p->maxTexture2DLinear[0] = 131072;
    p->maxTexture2DLinear[1] = 65000;
    p->maxTexture2DLinear[2] = 2097120;
    p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 16384;
    p->maxSurface3D[0] = p->maxSurface3D[1] = p->maxSurface3D[2] = 16384;
    p->maxTextureCubemap = p->maxSurfaceCubemap = 32768;
    p->maxTexture1DLayered[0] = 32768;
    p->maxTexture1DLayered[1] = 2048;
    p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] = 32768;
    p->maxTexture2DLayered[2] = 2048;
    p->hostNumaId = -1;
    p->deviceNumaId = -1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct cudaDeviceProp p;

    REQUIRE(value, cudaErrorInvalidValue);
    const cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error != cudaSuccess)
        return error;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)p.sharedMemPerBlockOptin; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)p.sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrTotalConstantMemory: *value = (int)p.totalConstMem; break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxPitch: *value = (int)p.memPitch; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrTextureAlignment: *value = (int)p.textureAlignment; break;
    case cudaDevAttrTexturePitchAlignment: *value = (int)p.texturePitchAlignment; break;
    case cudaDevAttrSurfaceAlignment: *value = (int)p.surfaceAlignment; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: *value = 2; break;
    case cudaDevAttrMaxTexture1DWidth: *value = p.maxTexture1D; break;
    case cudaDevAttrMaxTexture2DWidth: *value = p.maxTexture2D[0]; break;
    case cudaDevAttrMaxTexture2DHeight: *value = p.maxTexture2D[1]; break;
    case cudaDevAttrMaxTexture3DWidth: *value = p.maxTexture3D[0]; break;
    case cudaDevAttrMaxTexture3DHeight: *value = p.maxTexture3D[1]; break;
    case cudaDevAttrMaxTexture3DDepth: *value = p.maxTexture3D[2]; break;
    case cudaDevAttrIntegrated:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrHostNativeAtomicSupported:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    case cudaDevAttrHostNumaId:
    case cudaDevAttrNumaId: *value = -1; break;
    default:
        REQUIRE(attribute >= 1 && attribute < cudaDevAttrMax, cudaErrorInvalidValue);
        *value = 0; /* the device has none of it */
        break;
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to)
{
    (void)attribute;
    REQUIRE(value, cudaErrorInvalidValue);
    REQUIRE(from == 0 && to == 0, cudaErrorInvalidDevice);
    return portable_cuda_error_(cudaErrorInvalidDevice); /* the two must differ */
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    REQUIRE(can, cudaErrorInvalidValue);
    REQUIRE_DEVICE(device);
    REQUIRE_DEVICE(peer);
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    (void)flags;
    REQUIRE_DEVICE(peer);
    return portable_cuda_error_(cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    REQUIRE_DEVICE(peer);
    return portable_cuda_error_(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    REQUIRE(id && length > 0, cudaErrorInvalidValue);
    REQUIRE_DEVICE(device);
    snprintf(id, (size_t)length, "0000:00:00.0");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    REQUIRE(device && id, cudaErrorInvalidValue);
    REQUIRE(strcmp(id, "0000:00:00.0") == 0, cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    REQUIRE(version, cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    return cudaDriverGetVersion(version);
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}

/* ---- other processes ---- */

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    (void)handle;
    (void)event;
    return portable_cuda_error_(cudaErrorNotSupported);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    (void)event;
    (void)handle;
    return portable_cuda_error_(cudaErrorNotSupported);
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *memory)
{
    (void)handle;
    (void)memory;
    return portable_cuda_error_(cudaErrorNotSupported);
}

cudaError_t cudaIpcOpenMemHandle(void **memory, cudaIpcMemHandle_t handle, unsigned int flags)
{
    (void)memory;
    (void)handle;
    (void)flags;
    return portable_cuda_error_(cudaErrorNotSupported);
}

cudaError_t cudaIpcCloseMemHandle(void *memory)
{
    (void)memory;
    return portable_cuda_error_(cudaErrorNotSupported);
}

/* ===============================================================================================
 * Kernels
 * ============================================================================================== */

/* The attributes that the program has set for a kernel, by name. */
struct settings {
    struct settings *next;
    const char *kernel;
    size_t shared_limit;
    int carveout, cluster_scheduling, cluster_nonportable;
};
static struct settings *all_settings;

/* Returns NULL if the kernel has no settings, or, with `make`, if there is no memory for them. */
static struct settings *settings_of(const char *kernel, int make)
{
    lock();
    struct settings *found = all_settings;
    while (found && strcmp(found->kernel, kernel) != 0)
        found = found->next;
    if (!found && make && (found = (struct settings *)calloc(1, sizeof *found)) != NULL) {
        found->kernel = kernel;
        found->shared_limit = SHARED_BYTES;
        found->carveout = -1;
        found->next = all_settings;
        all_settings = found;
    }
    unlock();
    return found;
}

int portable_cuda_may_launch_(const char *kernel, size_t shared_bytes)
{
    const struct settings *const settings = settings_of(kernel, 0);

    if (portable_cuda_has_failed_())
        return 0;
    if (settings && shared_bytes > settings->shared_limit) {
        portable_cuda_error_(cudaErrorInvalidValue);
        return 0;
    }
    return 1;
}

static portable_function_ kernel_of(const void *address)
{
    union {
        const void *address;
        portable_function_ kernel;
    } both;
    both.address = address;
    return both.kernel;
}

static cudaError_t ask(const void *kernel, const char **name, unsigned *max_threads)
{
    *name = NULL;
    *max_threads = 0;
    ENTER(0);
    REQUIRE(kernel, cudaErrorInvalidDeviceFunction);
    portable_cuda_ask_(kernel_of(kernel), name, max_threads);
    REQUIRE(*name, cudaErrorInvalidDeviceFunction);
    return cudaSuccess;
}

static cudaError_t launch(const void *kernel, const dim3 *grid, const dim3 *block, void **arguments,
                          size_t shared_bytes, cudaStream_t stream, int cooperative)
{
    if (!emulate_running) {
        ENTER(0);
        REQUIRE(kernel, cudaErrorInvalidDeviceFunction);
        REQUIRE_STREAM(stream);
    }
    const cudaError_t before = cudaGetLastError();
    portable_cuda_launch_function_(kernel_of(kernel), grid, block, arguments, shared_bytes, stream,
                                   cooperative);
    const cudaError_t error = cudaPeekAtLastError();
    if (error == cudaSuccess)
        portable_cuda_error_(before);
    return error;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream)
{
    return launch(kernel, &grid, &block, arguments, shared_bytes, stream, 0);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream)
{
    return launch(kernel, &grid, &block, arguments, shared_bytes, stream, 1);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **arguments)
{
    int cooperative = 0;

    REQUIRE(config && (config->attrs || config->numAttrs == 0), cudaErrorInvalidValue);
    for (unsigned k = 0; k < config->numAttrs; k++) {
        const cudaLaunchAttribute *const attribute = &config->attrs[k];
        if (attribute->id == cudaLaunchAttributeCooperative)
            cooperative = attribute->val.cooperative != 0;
        else if (attribute->id == cudaLaunchAttributeClusterDimension)
            REQUIRE(attribute->val.clusterDim.x * attribute->val.clusterDim.y *
                            attribute->val.clusterDim.z <=
                        1,
                    cudaErrorNotSupported);
    }
    return launch(kernel, &config->gridDim, &config->blockDim, arguments, config->dynamicSmemBytes,
                  config->stream, cooperative);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config)
{
    REQUIRE(kernel, cudaErrorInvalidDeviceFunction);
    REQUIRE((unsigned)config <= cudaFuncCachePreferEqual, cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config)
{
    REQUIRE(kernel, cudaErrorInvalidDeviceFunction);
    REQUIRE((unsigned)config <= cudaSharedMemBankSizeEightByte, cudaErrorInvalidValue);
    return cudaSuccess;
}

/* The driver API's handle is the kernel's address. */
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel)
{
    const char *name;
    unsigned max_threads;

    REQUIRE(function, cudaErrorInvalidValue);
    const cudaError_t error = ask(kernel, &name, &max_threads);
    if (error == cudaSuccess)
        *function = (cudaFunction_t)(uintptr_t)kernel;
    return error;
}

cudaError_t cudaFuncGetName(const char **name, const void *kernel)
{
    unsigned max_threads;

    REQUIRE(name, cudaErrorInvalidValue);
    return ask(kernel, name, &max_threads);
}

/* Registers and memory of the compiled kernel are unknown: no registers would divide by 0. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    const char *name;
    unsigned max_threads;

    REQUIRE(attributes, cudaErrorInvalidValue);
    const cudaError_t error = ask(kernel, &name, &max_threads);
    if (error != cudaSuccess)
        return error;
    const struct settings *const settings = settings_of(name, 0);
    memset(attributes, 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = max_threads ? (int)max_threads : BLOCK_THREADS;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = portable_cuda_capability_;
    attributes->maxDynamicSharedSizeBytes =
        settings ? (int)settings->shared_limit : (int)SHARED_BYTES;
    attributes->preferredShmemCarveout = settings ? settings->carveout : -1;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    const char *name;
    unsigned max_threads;

    const cudaError_t error = ask(kernel, &name, &max_threads);
    if (error != cudaSuccess)
        return error;
    struct settings *const settings = settings_of(name, 1);
    REQUIRE(settings, cudaErrorMemoryAllocation);
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        REQUIRE(value >= 0 && value <= SHARED_RAISED_BYTES &&
                    portable_cuda_raise_shared_(name, (size_t)value),
                cudaErrorInvalidValue);
        settings->shared_limit = (size_t)value;
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        REQUIRE(value >= -1 && value <= 100, cudaErrorInvalidValue);
        settings->carveout = value;
        return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
    case cudaFuncAttributeClusterSchedulingPolicyPreference: return cudaSuccess;
    default: return portable_cuda_error_(cudaErrorInvalidValue);
    }
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int flags)
{
    struct cudaFuncAttributes attributes;

    REQUIRE(blocks && block_size > 0 && flags <= cudaOccupancyDisableCachingOverride,
            cudaErrorInvalidValue);
    *blocks = 0;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error == cudaSuccess)
        *blocks = block_size <= attributes.maxThreadsPerBlock &&
                  shared_bytes <= (size_t)attributes.maxDynamicSharedSizeBytes;
    return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int block_size, size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size,
                                                                  shared_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks,
                                                      int block_size)
{
    struct cudaFuncAttributes attributes;

    REQUIRE(bytes && blocks > 0 && block_size > 0, cudaErrorInvalidValue);
    *bytes = 0;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error == cudaSuccess && blocks == 1)
        *bytes = (size_t)attributes.maxDynamicSharedSizeBytes;
    return error;
}
