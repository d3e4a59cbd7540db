/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Objects are linked by portable-nvcc to one library. Libraries stay as they are: an image may have
 * several.
 */
#define _GNU_SOURCE /* strdup */

#include "host/cudart/linker.h"

#include "host/cudart/image.h"
#include "host/cudart/tool.h"

#include <elf.h>
#include <stdint.h> /* SIZE_MAX */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIXED = 4, MOST = 1000 }; /* arguments of portable-nvcc, and files */

struct portable_linker_ {
    struct portable_tool_ tool;
    int has_tool;
    char *files[MOST];
    size_t count;
    char *image; /* the libraries so far */
    size_t bytes;
};

struct portable_linker_ *portable_linker_begin_(void)
{
    return (struct portable_linker_ *)calloc(1, sizeof(struct portable_linker_));
}

void portable_linker_end_(struct portable_linker_ *linker)
{
    if (!linker)
        return;
    if (linker->has_tool)
        portable_tool_end_(&linker->tool);
    for (size_t k = 0; k < linker->count; k++)
        free(linker->files[k]);
    free(linker->image);
    free(linker);
}

static cudaError_t add_file(struct portable_linker_ *linker, const char *suffix, const void *data,
                            size_t bytes)
{
    char name[64];
    if (!linker->has_tool && !portable_tool_begin_(&linker->tool))
        return cudaErrorOperatingSystem;
    linker->has_tool = 1;
    if (linker->count == MOST)
        return cudaErrorInvalidValue;
    snprintf(name, sizeof name, "%zu%s", linker->count, suffix);
    if (!portable_tool_write_(&linker->tool, name, data, bytes))
        return cudaErrorOperatingSystem;
    linker->files[linker->count] = strdup(portable_tool_path_(&linker->tool, name));
    if (!linker->files[linker->count])
        return cudaErrorMemoryAllocation;
    linker->count++;
    return cudaSuccess;
}

/* Where a + stands if another image follows. */
static const size_t follows = sizeof PORTABLE_IMAGE_MAGIC_ PORTABLE_IMAGE_LIBRARY_ - 1;

/* Appends an image to those before it. */
static cudaError_t add_library(struct portable_linker_ *linker, const char *text, size_t bytes)
{
    char *const whole = (char *)realloc(linker->image, linker->bytes + bytes + 2);
    if (!whole)
        return cudaErrorMemoryAllocation;
    memcpy(whole + linker->bytes, text, bytes);
    whole[linker->bytes + follows] = '+';
    linker->image = whole;
    linker->bytes += bytes;
    whole[linker->bytes] = '\0';
    return cudaSuccess;
}

static cudaError_t add_object(struct portable_linker_ *linker, const struct portable_image_ *image)
{
    unsigned char *const data = (unsigned char *)malloc(image->bytes);
    cudaError_t error = cudaErrorMemoryAllocation;
    if (data)
        error = portable_image_decode_(image, data) ? add_file(linker, ".o", data, image->bytes)
                                                    : cudaErrorInvalidKernelImage;
    free(data);
    return error;
}

cudaError_t portable_linker_add_(const char *call, struct portable_linker_ *linker,
                                 const void *data, size_t size)
{
    static const char archive[] = "!<arch>\n";
    const char *const text = (const char *)data;
    struct portable_image_ image;
    cudaError_t error = cudaSuccess;
    size_t at = 0;
    if (size != SIZE_MAX && size > sizeof(Elf64_Ehdr) && memcmp(text, ELFMAG, SELFMAG) == 0 &&
        ((const Elf64_Ehdr *)data)->e_type == ET_REL)
        return add_file(linker, ".o", data, size);
    if (size != SIZE_MAX && size >= strlen(archive) && memcmp(text, archive, strlen(archive)) == 0)
        return add_file(linker, ".a", data, size);
    do {
        if (!portable_image_find_(text + at, size - at, &image))
            return portable_image_refuse_(call, text + at, size - at);
        error = image.is_object ? add_object(linker, &image)
                                : add_library(linker, text + at, image.size);
        at += image.size;
    } while (error == cudaSuccess && image.is_followed);
    return error;
}

cudaError_t portable_linker_complete_(struct portable_linker_ *linker)
{
    const char *arguments[FIXED + MOST + 1] = {"-dlink", "-cubin", "-o"};
    if (linker->count > 0) {
        char *const output = strdup(portable_tool_path_(&linker->tool, "linked"));
        size_t bytes;
        if (!output)
            return cudaErrorMemoryAllocation;
        arguments[FIXED - 1] = output;
        memcpy(arguments + FIXED, linker->files, linker->count * sizeof *linker->files);
        const int status = portable_tool_run_(&linker->tool, arguments);
        char *const text = status == 0 ? portable_read_file_(output, &bytes) : NULL;
        cudaError_t error = status == 0  ? cudaErrorOperatingSystem
                            : status < 0 ? cudaErrorJitCompilerNotFound
                                         : cudaErrorInvalidPtx;
        if (text)
            error = add_library(linker, text, bytes);
        free(text);
        free(output);
        if (error != cudaSuccess)
            return error;
    }
    if (linker->bytes == 0)
        return cudaErrorInvalidKernelImage;
    /* Nothing follows the last. */
    char *last = linker->image;
    for (char *at = last; (at = strstr(at, PORTABLE_IMAGE_MAGIC_)); at++)
        last = at;
    last[follows] = ' ';
    return cudaSuccess;
}

const char *portable_linker_image_(const struct portable_linker_ *linker)
{
    return linker->image;
}

const char *portable_linker_log_(const struct portable_linker_ *linker)
{
    return linker->has_tool && linker->tool.log ? linker->tool.log : "";
}
