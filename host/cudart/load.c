/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library in an image is loaded from a file in memory, one for each time that it is loaded, so
 * that its variables are separate ones. Its symbols are read from its own table: variables are
 * hidden from other libraries.
 */
#define _GNU_SOURCE /* dlinfo, memfd_create */

#include "host/cudart/load.h"

#include "host/cudart/elf_file.h"
#include "host/cudart/image.h"
#include "host/cudart/linker.h"
#include "host/cudart/order.h"
#include "host/cudart/tool.h"
#include "host/emulate/check.h"

#include <dlfcn.h>
#include <link.h> /* struct link_map */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* One image. */
struct part {
    struct part *next;
    int file;
    struct elf_file image; /* what the file has */
    void *handle;
    char *bias; /* where it was loaded */
    char path[64];
};
struct portable_loaded_ {
    struct portable_loaded_ *next;
    struct part *parts;
};

static struct portable_loaded_ *all;
static char all_lock;

static void lock(void)
{
    while (__atomic_exchange_n(&all_lock, 1, __ATOMIC_ACQUIRE))
        ;
}

static void unlock(void)
{
    __atomic_store_n(&all_lock, 0, __ATOMIC_RELEASE);
}

/* ---- loading ---- */

static cudaError_t refuse(const char *call, const char *sentence, const char *more,
                          cudaError_t error)
{
    fflush(stdout);
    fprintf(stderr, "%s: %s%s\n", call, sentence, more ? more : "");
    return error;
}

static void close_part(struct part *part)
{
    if (part->handle)
        dlclose(part->handle);
    /* One with a check stays loaded, and reports read it. */
    void *const stays = part->handle ? dlopen(part->path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (stays)
        dlclose(stays);
    if (part->image.data)
        munmap((void *)(uintptr_t)part->image.data, part->image.bytes);
    if (part->file >= 0 && !stays)
        close(part->file);
    free(part);
}

static cudaError_t open_part(const char *call, const struct portable_image_ *image,
                             struct part *part)
{
    struct link_map *map;
    part->image.bytes = image->bytes;
    part->file = memfd_create("portable-image", MFD_CLOEXEC);
    if (part->file < 0 || ftruncate(part->file, (off_t)part->image.bytes) != 0)
        return refuse(call, "cannot make a file in memory", "", cudaErrorOperatingSystem);
    void *const data =
        mmap(NULL, part->image.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, part->file, 0);
    if (data == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    part->image.data = (const char *)data;
    if (!portable_image_decode_(image, (unsigned char *)data) || !elf_is(&part->image, ET_DYN))
        return refuse(call, "the image is damaged, or is of another machine", "",
                      cudaErrorInvalidKernelImage);
    /* Not /proc/self, for the programs that reports ask for a line. */
    snprintf(part->path, sizeof part->path, "/proc/%ld/fd/%d", (long)getpid(), part->file);
    part->handle = dlopen(part->path, RTLD_LAZY | RTLD_LOCAL);
    if (!part->handle || dlinfo(part->handle, RTLD_DI_LINKMAP, &map) != 0)
        return refuse(call, "cannot load the kernels: ", dlerror(),
                      cudaErrorSharedObjectInitFailed);
    part->bias = (char *)map->l_addr;
    return cudaSuccess;
}

/* Links what has objects; returns an image that the caller frees. */
static char *linked(const char *call, const char *text, cudaError_t *error)
{
    struct portable_linker_ *const linker = portable_linker_begin_();
    char *result = NULL;
    *error =
        linker ? portable_linker_add_(call, linker, text, SIZE_MAX) : cudaErrorMemoryAllocation;
    if (*error == cudaSuccess)
        *error = portable_linker_complete_(linker);
    if (*error != cudaSuccess)
        refuse(call, "cannot link the image: ", linker ? portable_linker_log_(linker) : NULL,
               *error);
    else if (!(result = strdup(portable_linker_image_(linker))))
        *error = cudaErrorMemoryAllocation;
    portable_linker_end_(linker);
    return result;
}

static cudaError_t load_parts(const char *call, const char *text, size_t size,
                              struct portable_loaded_ *loaded)
{
    struct portable_image_ image;
    cudaError_t error = cudaSuccess;
    size_t at = 0;
    do {
        if (!portable_image_find_(text + at, size - at, &image))
            return portable_image_refuse_(call, text + at, size - at);
        if (image.is_object) {
            char *const libraries = linked(call, text, &error);
            if (libraries)
                error = load_parts(call, libraries, SIZE_MAX, loaded);
            free(libraries);
            return error;
        }
        struct part *const part = (struct part *)calloc(1, sizeof *part);
        if (!part)
            return cudaErrorMemoryAllocation;
        part->file = -1;
        part->next = loaded->parts;
        loaded->parts = part;
        error = open_part(call, &image, part);
        at += image.size;
    } while (error == cudaSuccess && image.is_followed);
    return error;
}

static void close_parts(struct portable_loaded_ *loaded)
{
    while (loaded->parts) {
        struct part *const part = loaded->parts;
        loaded->parts = part->next;
        close_part(part);
    }
    free(loaded);
}

static cudaError_t load(const char *call, const char *text, size_t size,
                        struct portable_loaded_ **result)
{
    struct portable_loaded_ *const loaded = (struct portable_loaded_ *)calloc(1, sizeof *loaded);
    if (!loaded)
        return cudaErrorMemoryAllocation;
    const cudaError_t error = load_parts(call, text, size, loaded);
    if (error != cudaSuccess) {
        close_parts(loaded);
        return error;
    }
    lock();
    loaded->next = all;
    all = loaded;
    unlock();
    *result = loaded;
    return cudaSuccess;
}

cudaError_t portable_load_(const char *call, const void *image, struct portable_loaded_ **loaded)
{
    return load(call, (const char *)image, SIZE_MAX, loaded);
}

cudaError_t portable_load_file_(const char *call, const char *file,
                                struct portable_loaded_ **loaded)
{
    size_t bytes;
    char *const text = portable_read_file_(file, &bytes);
    if (!text)
        return cudaErrorFileNotFound;
    const cudaError_t error = load(call, text, bytes, loaded);
    free(text);
    return error;
}

struct portable_loaded_ *portable_loaded_with_(const void *kernel)
{
    struct portable_loaded_ *found;
    Dl_info info;
    if (!dladdr(kernel, &info))
        return NULL;
    lock();
    for (found = all; found; found = found->next) {
        const struct part *part = found->parts;
        while (part && part->bias != (const char *)info.dli_fbase)
            part = part->next;
        if (part)
            break;
    }
    unlock();
    return found;
}

int portable_is_loaded_(const struct portable_loaded_ *loaded)
{
    lock();
    const struct portable_loaded_ *entry = all;
    while (entry && entry != loaded)
        entry = entry->next;
    unlock();
    return entry != NULL;
}

void portable_unload_(struct portable_loaded_ *loaded)
{
    portable_cuda_catch_up_all_();
    lock();
    struct portable_loaded_ **entry = &all;
    while (*entry != loaded)
        entry = &(*entry)->next;
    *entry = loaded->next;
    unlock();
    close_parts(loaded);
}

/* ---- symbols ---- */

/* Whether a place that is noted in launch.h is in the function. */
static int is_kernel(const struct part *part, const Elf64_Sym *function)
{
    struct elf_file places;
    const Elf64_Shdr *const header =
        elf_find_section(&part->image, NULL, SHT_PROGBITS, ".portable_kernels", &places);
    for (size_t at = 0; header && at + sizeof(int32_t) <= places.bytes; at += sizeof(int32_t)) {
        int32_t offset;
        memcpy(&offset, places.data + at, sizeof offset);
        if (header->sh_addr + at + (uint64_t)(int64_t)offset - function->st_value <
            function->st_size)
            return 1;
    }
    return 0;
}

const void *portable_loaded_kernel_(const struct portable_loaded_ *loaded, const char *name)
{
    for (const struct part *part = loaded->parts; part; part = part->next) {
        const Elf64_Sym *const symbol = elf_find_symbol(&part->image, name, STT_FUNC);
        if (symbol && is_kernel(part, symbol))
            return part->bias + symbol->st_value;
    }
    return NULL;
}

/* AddressSanitizer's: the first byte of a region that must not be accessed, or NULL. */
__attribute__((weak)) void *__asan_region_is_poisoned(void *begin, size_t bytes);

/* clang's symbols count the padding behind a variable, which a check poisons. */
static size_t size_of(const struct part *part, const Elf64_Sym *variable)
{
    char *const begin = part->bias + variable->st_value;
    const char *const padding =
        emulate_check.pads ? (const char *)__asan_region_is_poisoned(begin, variable->st_size)
                           : NULL;
    return padding > begin ? (size_t)(padding - begin) : variable->st_size;
}

void *portable_loaded_variable_(const struct portable_loaded_ *loaded, const char *name,
                                size_t *bytes)
{
    for (const struct part *part = loaded->parts; part; part = part->next) {
        const Elf64_Sym *const symbol = elf_find_symbol(&part->image, name, STT_OBJECT);
        if (symbol) {
            *bytes = size_of(part, symbol);
            return part->bias + symbol->st_value;
        }
    }
    return NULL;
}
