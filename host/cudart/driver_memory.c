/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libcuda.so: memory that a program maps by itself, and pools.
 *
 * Addresses that are reserved are pages that nobody may access. Memory is a part of a file without
 * a name, so that it can be mapped at several addresses, and by other processes. A mapping is
 * device memory in portable.h's table from the moment that the device may access it; mappings
 * without a gap between them are one entry, because a program uses them as one array.
 */
#define _GNU_SOURCE /* fallocate, memfd_create */
#include "host/cudart/driver.h"
#include "host/cudart/allocations.h"
#include "host/cudart/memory.h"
#include "host/emulate/protocol.h"

#include <fcntl.h>    /* F_DUPFD_CLOEXEC, F_GET_SEALS, fallocate */
#include <pthread.h>  /* pthread_mutex_t */
#include <stdlib.h>   /* calloc, free */
#include <string.h>   /* memset */
#include <sys/mman.h> /* memfd_create, mmap */
#include <sys/stat.h> /* fstat */
#include <unistd.h>   /* close, ftruncate */

enum { GRANULARITY = 2 << 20 };

/* What cuMemCreate made; its handle is its address. */
struct memory {
    CUmemAllocationProp properties;
    size_t bytes;
    int file;     /* its own, or the common one */
    off_t offset; /* in that */
    int is_exportable, is_written;
    unsigned handles, mappings;
    struct memory *next;
};
struct mapping {
    char *address;
    size_t bytes;
    struct memory *memory;
    CUmemAccess_flags access;
    size_t run; /* bytes of the entry of the table that starts here; 0: none */
    struct mapping *next;
};
struct reservation {
    char *address;
    size_t bytes;
    struct mapping *mappings; /* by address */
    struct reservation *next;
};
static struct memory *memories;
static struct reservation *reservations;
static size_t created_bytes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The lock is not held in the checks. */
#define LOCKED(result, call)                                                                       \
    do {                                                                                           \
        pthread_mutex_lock(&lock);                                                                 \
        (result) = (call);                                                                         \
        pthread_mutex_unlock(&lock);                                                               \
    } while (0)

static int is_multiple(unsigned long long bytes)
{
    return bytes % GRANULARITY == 0;
}

/* The device, or the host. */
static int is_location(const CUmemLocation *location)
{
    return location->type == CU_MEM_LOCATION_TYPE_DEVICE
               ? location->id == 0
               : location->type >= CU_MEM_LOCATION_TYPE_HOST &&
                     location->type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
}

static CUresult check_properties(const CUmemAllocationProp *properties)
{
    REQUIRE(properties && properties->type == CU_MEM_ALLOCATION_TYPE_PINNED,
            CUDA_ERROR_INVALID_VALUE);
    REQUIRE(properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
                properties->location.id == 0,
            CUDA_ERROR_INVALID_DEVICE);
    REQUIRE(is_location(&properties->location), CUDA_ERROR_INVALID_VALUE);
    REQUIRE(properties->requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE ||
                properties->requestedHandleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
            CUDA_ERROR_NOT_SUPPORTED);
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option)
{
    ENTER();
    REQUIRE(granularity && (unsigned)option <= CU_MEM_ALLOC_GRANULARITY_RECOMMENDED,
            CUDA_ERROR_INVALID_VALUE);
    const CUresult error = check_properties(properties);
    REQUIRE(error == CUDA_SUCCESS, error);
    *granularity = GRANULARITY;
    return CUDA_SUCCESS;
}

/* ---- addresses ---- */

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags)
{
    ENTER();
    REQUIRE(address && bytes > 0 && is_multiple(bytes) && (alignment & (alignment - 1)) == 0 &&
                flags == 0,
            CUDA_ERROR_INVALID_VALUE);
    const size_t step = alignment > GRANULARITY ? alignment : GRANULARITY;
    REQUIRE(step <= SIZE_MAX / 4 && bytes <= SIZE_MAX / 4, CUDA_ERROR_OUT_OF_MEMORY);
    struct reservation *const made = (struct reservation *)calloc(1, sizeof *made);
    REQUIRE(made, CUDA_ERROR_OUT_OF_MEMORY);
    char *const begin = (char *)mmap(at(wish), bytes + step, PROT_NONE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED) {
        free(made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    const size_t before = (step - (uintptr_t)begin % step) % step;
    made->address = begin + before;
    made->bytes = bytes;
    if (before > 0)
        munmap(begin, before);
    munmap(made->address + bytes, step - before);
    pthread_mutex_lock(&lock);
    made->next = reservations;
    reservations = made;
    pthread_mutex_unlock(&lock);
    *address = (uintptr_t)made->address;
    return CUDA_SUCCESS;
}

static CUresult address_free(const char *address, size_t bytes)
{
    struct reservation **link = &reservations;
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    struct reservation *const found = *link;
    REQUIRE(found && found->bytes == bytes && !found->mappings, CUDA_ERROR_INVALID_VALUE);
    *link = found->next;
    munmap(found->address, found->bytes);
    free(found);
    return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    CUresult result;
    ENTER();
    LOCKED(result, address_free((const char *)at(address), bytes));
    return result;
}

static struct reservation *reservation_of(const char *address, size_t bytes)
{
    struct reservation *found = reservations;
    while (found && (address < found->address || address >= found->address + found->bytes))
        found = found->next;
    return found && bytes <= found->bytes - (size_t)(address - found->address) ? found : NULL;
}

static struct mapping *mapping_of(const char *address)
{
    const struct reservation *const in = reservation_of(address, 0);
    struct mapping *found = in ? in->mappings : NULL;
    while (found && address >= found->address + found->bytes)
        found = found->next;
    return found && address >= found->address ? found : NULL;
}

/* ---- memory ---- */

/* Of all memory that is not exported, so that programs do not run out of files. */
static int common_file = -1;
static off_t common_end;

/* All ones, as cudaMalloc's. 0 without memory. */
static int fill(const struct memory *memory)
{
    void *const mapped =
        mmap(NULL, memory->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory->file, memory->offset);
    if (mapped == MAP_FAILED)
        return 0;
    portable_cuda_fill_(mapped, memory->bytes);
    return munmap(mapped, memory->bytes) == 0;
}

static int open_file(struct memory *memory)
{
    if (memory->is_exportable)
        memory->file = memfd_create("cuMemCreate", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    else {
        if (common_file < 0)
            common_file = memfd_create("cuMemCreate", MFD_CLOEXEC);
        memory->file = common_file;
        memory->offset = common_end;
        common_end += (off_t)memory->bytes;
    }
    return memory->file >= 0 &&
           ftruncate(memory->file, memory->offset + (off_t)memory->bytes) == 0 && fill(memory);
}

static void give_back(struct memory *memory)
{
    struct memory **link = &memories;
    if (memory->handles > 0 || memory->mappings > 0)
        return;
    while (*link && *link != memory)
        link = &(*link)->next;
    if (*link)
        *link = memory->next;
    created_bytes -= memory->bytes;
    if (memory->is_exportable && memory->file >= 0)
        close(memory->file);
    else if (memory->file >= 0)
        fallocate(memory->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, memory->offset,
                  (off_t)memory->bytes);
    free(memory);
}

/* The memory that a handle names; NULL if all handles were released. */
static struct memory *memory_of(CUmemGenericAllocationHandle handle)
{
    struct memory *found = memories;
    while (found && (uintptr_t)found != handle)
        found = found->next;
    return found && found->handles > 0 ? found : NULL;
}

static CUresult create(struct memory *made, CUmemGenericAllocationHandle *memory)
{
    made->handles = 1;
    made->next = memories;
    memories = made;
    created_bytes += made->bytes;
    if (created_bytes > portable_cuda_total_bytes_() || (made->file < 0 && !open_file(made))) {
        made->handles = 0;
        give_back(made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *memory = (uintptr_t)made;
    return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *memory, size_t bytes,
                     const CUmemAllocationProp *properties, unsigned long long flags)
{
    CUresult result;
    ENTER();
    REQUIRE(memory && bytes > 0 && is_multiple(bytes) && flags == 0, CUDA_ERROR_INVALID_VALUE);
    result = check_properties(properties);
    REQUIRE(result == CUDA_SUCCESS, result);
    REQUIRE(bytes <= portable_cuda_total_bytes_(), CUDA_ERROR_OUT_OF_MEMORY);
    struct memory *const made = (struct memory *)calloc(1, sizeof *made);
    REQUIRE(made, CUDA_ERROR_OUT_OF_MEMORY);
    made->properties = *properties;
    made->bytes = bytes;
    made->file = -1;
    made->is_exportable =
        properties->requestedHandleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    LOCKED(result, create(made, memory));
    return result;
}

static CUresult release(struct memory *memory)
{
    REQUIRE(memory, CUDA_ERROR_INVALID_VALUE);
    memory->handles--;
    give_back(memory);
    return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle memory)
{
    CUresult result;
    ENTER();
    LOCKED(result, release(memory_of(memory)));
    return result;
}

static CUresult retain(CUmemGenericAllocationHandle *memory, const struct mapping *mapping)
{
    REQUIRE(mapping, CUDA_ERROR_INVALID_VALUE);
    mapping->memory->handles++;
    *memory = (uintptr_t)mapping->memory;
    return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *memory, void *address)
{
    CUresult result;
    ENTER();
    REQUIRE(memory, CUDA_ERROR_INVALID_VALUE);
    LOCKED(result, retain(memory, mapping_of((const char *)address)));
    return result;
}

static CUresult copy_properties(CUmemAllocationProp *properties, const struct memory *memory)
{
    REQUIRE(properties && memory, CUDA_ERROR_INVALID_VALUE);
    *properties = memory->properties;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                CUmemGenericAllocationHandle memory)
{
    CUresult result;
    ENTER();
    LOCKED(result, copy_properties(properties, memory_of(memory)));
    return result;
}

static CUresult export_file(int *file, const struct memory *memory)
{
    REQUIRE(memory && memory->is_exportable, CUDA_ERROR_INVALID_VALUE);
    const int made = fcntl(memory->file, F_DUPFD_CLOEXEC, 0);
    REQUIRE(made >= 0, CUDA_ERROR_OPERATING_SYSTEM);
    *file = made;
    return CUDA_SUCCESS;
}

CUresult cuMemExportToShareableHandle(void *file, CUmemGenericAllocationHandle memory,
                                      CUmemAllocationHandleType type, unsigned long long flags)
{
    CUresult result;
    ENTER();
    REQUIRE(file && flags == 0, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CUDA_ERROR_NOT_SUPPORTED);
    LOCKED(result, export_file((int *)file, memory_of(memory)));
    return result;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *memory, void *file,
                                        CUmemAllocationHandleType type)
{
    const int given = (int)(intptr_t)file;
    struct stat status;
    CUresult result;
    ENTER();
    REQUIRE(memory, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CUDA_ERROR_NOT_SUPPORTED);
    REQUIRE(fcntl(given, F_GET_SEALS) >= 0 && fstat(given, &status) == 0 && status.st_size > 0 &&
                is_multiple((unsigned long long)status.st_size),
            CUDA_ERROR_INVALID_VALUE);
    struct memory *const made = (struct memory *)calloc(1, sizeof *made);
    REQUIRE(made, CUDA_ERROR_OUT_OF_MEMORY);
    made->properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    made->properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    made->properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    made->bytes = (size_t)status.st_size;
    made->is_exportable = made->is_written = 1;
    made->file = fcntl(given, F_DUPFD_CLOEXEC, 0);
    if (made->file < 0) {
        free(made);
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    LOCKED(result, create(made, memory));
    return result;
}

/* ---- mappings ---- */

static int is_device(const struct mapping *mapping)
{
    return mapping->memory->properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE;
}

/* Whether the two are parts of one entry of the table. */
static int are_joined(const struct mapping *a, const struct mapping *b)
{
    return b && a->address + a->bytes == b->address && a->access == b->access &&
           is_device(a) == is_device(b);
}

static size_t length_of_run(const struct mapping *mapping)
{
    size_t bytes = mapping->bytes;
    for (; are_joined(mapping, mapping->next); mapping = mapping->next)
        bytes += mapping->next->bytes;
    return bytes;
}

/* Enters the runs of mappings that may be accessed. Entries that grow or are new come first: memory
 * that stays accessible is never without one. */
static void enter_runs(struct reservation *reservation)
{
    const struct mapping *previous = NULL;
    for (int pass = 0; pass < 2; pass++)
        for (struct mapping *m = reservation->mappings; m; previous = m, m = m->next) {
            const int starts = m == reservation->mappings || !are_joined(previous, m);
            const size_t bytes =
                starts && m->access != CU_MEM_ACCESS_FLAGS_PROT_NONE ? length_of_run(m) : 0;
            const enum portable_cuda_kind_ kind = is_device(m) ? MEMORY_DEVICE : MEMORY_PINNED;
            const unsigned tag = m->access == CU_MEM_ACCESS_FLAGS_PROT_READ
                                     ? PORTABLE_CUDA_MAPPED_ | PORTABLE_CUDA_READ_ONLY_
                                     : PORTABLE_CUDA_MAPPED_;
            if (pass == 0 && bytes > 0) {
                const struct portable_cuda_allocation_ entry = {m->address, bytes, kind, tag};
                if (m->run > 0)
                    portable_cuda_change_(entry);
                else
                    portable_cuda_insert_(entry);
            } else if (pass == 1 && bytes == 0 && m->run > 0)
                portable_cuda_remove_(m->address, 1u << kind);
            if (pass == 1)
                m->run = bytes;
        }
}

static CUresult map(char *address, size_t bytes, struct memory *memory, int *is_new)
{
    struct reservation *const in = reservation_of(address, bytes);
    REQUIRE(memory && in && bytes <= memory->bytes, CUDA_ERROR_INVALID_VALUE);
    struct mapping **link = &in->mappings;
    while (*link && (*link)->address + (*link)->bytes <= address)
        link = &(*link)->next;
    REQUIRE(!*link || address + bytes <= (*link)->address, CUDA_ERROR_INVALID_VALUE);
    struct mapping *const made = (struct mapping *)calloc(1, sizeof *made);
    REQUIRE(made, CUDA_ERROR_OUT_OF_MEMORY);
    if (mmap(address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->file, memory->offset) ==
        MAP_FAILED) {
        free(made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    made->address = address;
    made->bytes = bytes;
    made->memory = memory;
    made->next = *link;
    *link = made;
    memory->mappings++;
    *is_new = !memory->is_written;
    memory->is_written = 1;
    return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle memory, unsigned long long flags)
{
    int is_new = 0;
    CUresult result;
    ENTER();
    REQUIRE(address && bytes > 0 && is_multiple(address) && is_multiple(bytes) && offset == 0 &&
                flags == 0,
            CUDA_ERROR_INVALID_VALUE);
    LOCKED(result, map((char *)at(address), bytes, memory_of(memory), &is_new));
    REQUIRE(result == CUDA_SUCCESS, result);
    pthread_mutex_lock(&lock);
    const struct mapping *const made = mapping_of((const char *)at(address));
    const int of_device = made && is_device(made);
    pthread_mutex_unlock(&lock);
    if (of_device)
        portable_emulate_memory_(PORTABLE_MEMORY_NEW_, at(address), bytes);
    if (of_device && !is_new) { /* what it holds was written elsewhere */
        portable_emulate_memory_(PORTABLE_MEMORY_WRITE_, at(address), bytes);
        portable_emulate_memory_(PORTABLE_MEMORY_DONE_, at(address), bytes);
    }
    return CUDA_SUCCESS;
}

/* Whether the range is that of whole mappings without a gap; *first is the first of them. */
static int are_whole(const char *address, size_t bytes, struct mapping **first)
{
    const char *end = address;
    *first = mapping_of(address);
    for (struct mapping *m = *first; m && m->address == end && end < address + bytes; m = m->next)
        end += m->bytes;
    return *first && end == address + bytes;
}

static CUresult set_access(const char *address, size_t bytes, const CUmemAccessDesc *access)
{
    struct mapping *first;
    REQUIRE(are_whole(address, bytes, &first), CUDA_ERROR_INVALID_VALUE);
    REQUIRE(access->location.type == CU_MEM_LOCATION_TYPE_DEVICE || !is_device(first),
            CUDA_ERROR_NOT_SUPPORTED);
    const int protection = access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                               ? PROT_READ | PROT_WRITE
                           : access->flags == CU_MEM_ACCESS_FLAGS_PROT_READ ? PROT_READ
                                                                            : PROT_NONE;
    REQUIRE(mprotect((void *)(uintptr_t)address, bytes, protection) == 0,
            CUDA_ERROR_OPERATING_SYSTEM);
    for (struct mapping *m = first; m && m->address < address + bytes; m = m->next)
        m->access = access->flags;
    enter_runs(reservation_of(address, bytes));
    return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *accesses,
                        size_t count)
{
    CUresult result = CUDA_SUCCESS;
    ENTER();
    REQUIRE(bytes > 0 && accesses && count > 0, CUDA_ERROR_INVALID_VALUE);
    for (size_t k = 0; k < count && result == CUDA_SUCCESS; k++) {
        const CUmemAccess_flags flags = accesses[k].flags;
        REQUIRE(is_location(&accesses[k].location) && (flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ||
                                                       flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
                                                       flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE),
                CUDA_ERROR_INVALID_VALUE);
        LOCKED(result, set_access((const char *)at(address), bytes, &accesses[k]));
    }
    return result;
}

static CUresult get_access(unsigned long long *flags, const struct mapping *mapping)
{
    REQUIRE(mapping, CUDA_ERROR_INVALID_VALUE);
    *flags = (unsigned long long)mapping->access;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                        CUdeviceptr address)
{
    CUresult result;
    ENTER();
    REQUIRE(flags && location && is_location(location), CUDA_ERROR_INVALID_VALUE);
    LOCKED(result, get_access(flags, mapping_of((const char *)at(address))));
    return result;
}

/* The end of the first mapping, or NULL unless the range is that of whole ones. */
static const char *first_end(const char *address, size_t bytes, int *of_device)
{
    struct mapping *first;
    if (!are_whole(address, bytes, &first))
        return NULL;
    *of_device = is_device(first);
    return first->address + first->bytes;
}

static CUresult unmap(char *address)
{
    struct reservation *const in = reservation_of(address, 0);
    struct mapping **link = &in->mappings;
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    struct mapping *const found = *link;
    REQUIRE(found, CUDA_ERROR_INVALID_VALUE);
    found->access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    enter_runs(in);
    /* Reserved again. */
    if (mmap(address, found->bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        return CUDA_ERROR_OPERATING_SYSTEM;
    *link = found->next;
    found->memory->mappings--;
    give_back(found->memory);
    free(found);
    return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    char *begin = (char *)at(address);
    char *const end = begin + bytes;
    CUresult result = CUDA_SUCCESS;
    ENTER();
    REQUIRE(bytes > 0, CUDA_ERROR_INVALID_VALUE);
    while (begin < end && result == CUDA_SUCCESS) {
        int of_device = 0;
        const char *next;
        LOCKED(next, first_end(begin, (size_t)(end - begin), &of_device));
        REQUIRE(next, CUDA_ERROR_INVALID_VALUE);
        if (of_device)
            portable_emulate_memory_(PORTABLE_MEMORY_FREE_, begin, 0);
        LOCKED(result, unmap(begin));
        begin += next - begin;
    }
    return result;
}

/* ---- pools: those of the runtime ---- */

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    ENTER_DEVICE(device);
    RUN(cudaDeviceGetDefaultMemPool(pool, device));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    ENTER_DEVICE(device);
    RUN(cudaDeviceGetMemPool(pool, device));
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
    ENTER_DEVICE(device);
    RUN(cudaDeviceSetMemPool(device, pool));
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location,
                                CUmemAllocationType type)
{
    ENTER();
    REQUIRE(location, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(location->type == CU_MEM_LOCATION_TYPE_DEVICE && type == CU_MEM_ALLOCATION_TYPE_PINNED,
            CUDA_ERROR_NOT_SUPPORTED);
    return cuDeviceGetDefaultMemPool(pool, location->id);
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties)
{
    struct cudaMemPoolProps of_runtime;
    ENTER();
    REQUIRE(properties && properties->location.type != CU_MEM_LOCATION_TYPE_INVALID,
            CUDA_ERROR_INVALID_VALUE);
    REQUIRE(properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE, CUDA_ERROR_NOT_SUPPORTED);
    REQUIRE(properties->location.id == 0, CUDA_ERROR_INVALID_DEVICE);
    memset(&of_runtime, 0, sizeof of_runtime);
    of_runtime.allocType = (enum cudaMemAllocationType)properties->allocType;
    of_runtime.handleTypes = (enum cudaMemAllocationHandleType)properties->handleTypes;
    of_runtime.location.type = cudaMemLocationTypeDevice;
    of_runtime.maxSize = properties->maxSize;
    RUN(cudaMemPoolCreate(pool, &of_runtime));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    ENTER();
    RUN(cudaMemPoolDestroy(pool));
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes)
{
    ENTER();
    RUN(cudaMemPoolTrimTo(pool, bytes));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    ENTER();
    RUN(cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attribute, value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    ENTER();
    RUN(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attribute, value));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *accesses, size_t count)
{
    ENTER();
    REQUIRE(pool && (accesses || count == 0), CUDA_ERROR_INVALID_VALUE);
    for (size_t k = 0; k < count; k++)
        REQUIRE(is_location(&accesses[k].location), CUDA_ERROR_INVALID_DEVICE);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location)
{
    ENTER();
    REQUIRE(flags && pool && location && is_location(location), CUDA_ERROR_INVALID_VALUE);
    *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *memory, size_t bytes, CUmemoryPool pool,
                                 CUstream stream)
{
    const struct before was = before();
    void *address = NULL;
    ENTER_CONTEXT();
    REQUIRE(memory && bytes > 0, CUDA_ERROR_INVALID_VALUE);
    const CUresult result = result_of(was, cudaMallocFromPoolAsync(&address, bytes, pool, stream));
    if (result == CUDA_SUCCESS)
        *memory = (uintptr_t)address;
    return result;
}
