/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libnvJitLink.so, on the linker of cuLinkComplete.
 */
#include "host/cudart/include/nvJitLink.h"

#include "host/cudart/linker.h"
#include "host/cudart/tool.h"

#include <string.h>

struct nvJitLink {
    struct portable_linker_ *linker;
    int is_complete;
};

/* Those that are known and do nothing. */
static int is_option(const char *option)
{
    static const char *const whole[] = {
        "-lto",     "-g", "-lineinfo", "-time", "-verbose", "-ptx", "-optimize-unused-variables",
        "-no-cache"};
    static const char *const with_value[] = {"-maxrregcount=",
                                             "-ftz=",
                                             "-prec-div=",
                                             "-prec-sqrt=",
                                             "-fma=",
                                             "-kernels-used=",
                                             "-Xptxas=",
                                             "-variables-used=",
                                             "-Xnvvm=",
                                             "-split-compile=",
                                             "-split-compile-extended=",
                                             "-O"};
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
        if (strcmp(option, whole[k]) == 0)
            return 1;
    for (size_t k = 0; k < sizeof with_value / sizeof *with_value; k++)
        if (strncmp(option, with_value[k], strlen(with_value[k])) == 0)
            return 1;
    return 0;
}

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t count, const char **options)
{
    static const char arch[] = "-arch=";
    int has_architecture = 0;
    if (!handle || (count > 0 && !options))
        return NVJITLINK_ERROR_NULL_INPUT;
    for (uint32_t k = 0; k < count; k++) {
        const char *const option = options[k];
        if (!option)
            return NVJITLINK_ERROR_NULL_INPUT;
        if (strncmp(option, arch, strlen(arch)) == 0) {
            const char *const name = option + strlen(arch);
            if (strncmp(name, "sm_", 3) != 0 && strncmp(name, "compute_", 8) != 0)
                return NVJITLINK_ERROR_UNRECOGNIZED_ARCH;
            has_architecture = 1;
        } else if (!is_option(option)) {
            return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
        }
    }
    if (!has_architecture)
        return NVJITLINK_ERROR_MISSING_ARCH;
    nvJitLinkHandle const made = (nvJitLinkHandle)calloc(1, sizeof *made);
    struct portable_linker_ *const linker = portable_linker_begin_();
    if (!made || !linker) {
        free(made);
        portable_linker_end_(linker);
        return NVJITLINK_ERROR_INTERNAL;
    }
    made->linker = linker;
    *handle = made;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle)
{
    if (!handle || !*handle)
        return NVJITLINK_ERROR_NULL_INPUT;
    portable_linker_end_((*handle)->linker);
    free(*handle);
    *handle = NULL;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type, const void *data,
                                 size_t size, const char *name)
{
    (void)name;
    if (!handle || !data)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (type == NVJITLINK_INPUT_NONE || size == 0 || handle->is_complete)
        return NVJITLINK_ERROR_INVALID_INPUT;
    const cudaError_t error = portable_linker_add_("nvJitLinkAddData", handle->linker, data, size);
    return error == cudaSuccess                 ? NVJITLINK_SUCCESS
           : error == cudaErrorOperatingSystem  ? NVJITLINK_ERROR_INTERNAL
           : error == cudaErrorMemoryAllocation ? NVJITLINK_ERROR_INTERNAL
                                                : NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type, const char *file)
{
    size_t bytes;
    if (!handle || !file)
        return NVJITLINK_ERROR_NULL_INPUT;
    char *const data = portable_read_file_(file, &bytes);
    if (!data)
        return NVJITLINK_ERROR_INVALID_INPUT;
    const nvJitLinkResult result = nvJitLinkAddData(handle, type, data, bytes, file);
    free(data);
    return result;
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle)
{
    if (!handle)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (handle->is_complete)
        return NVJITLINK_ERROR_INVALID_INPUT;
    if (portable_linker_complete_(handle->linker) != cudaSuccess)
        return NVJITLINK_ERROR_FINALIZE;
    handle->is_complete = 1;
    return NVJITLINK_SUCCESS;
}

/* ---- results: strings, whose sizes count the zero byte ---- */

static nvJitLinkResult get_size(nvJitLinkHandle handle, const char *text, size_t *size)
{
    if (!handle || !size)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (!text)
        return NVJITLINK_ERROR_INVALID_INPUT;
    *size = strlen(text) + 1;
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult get(nvJitLinkHandle handle, const char *text, void *result)
{
    size_t size;
    const nvJitLinkResult error = get_size(handle, text, &size);
    if (error != NVJITLINK_SUCCESS)
        return error;
    if (!result)
        return NVJITLINK_ERROR_NULL_INPUT;
    memcpy(result, text, size);
    return NVJITLINK_SUCCESS;
}

static const char *image_of(nvJitLinkHandle handle)
{
    return handle && handle->is_complete ? portable_linker_image_(handle->linker) : NULL;
}

/* Programs take a log with a size for one with a message. */
static const char *error_log_of(nvJitLinkHandle handle)
{
    return handle && !handle->is_complete ? portable_linker_log_(handle->linker) : "";
}

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size)
{
    return get_size(handle, image_of(handle), size);
}

nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *image)
{
    return get(handle, image_of(handle), image);
}

nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size)
{
    return get_size(handle, image_of(handle), size);
}

nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *image)
{
    return get(handle, image_of(handle), image);
}

nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size)
{
    const char *const log = error_log_of(handle);
    const nvJitLinkResult error = get_size(handle, log, size);
    if (error == NVJITLINK_SUCCESS && !log[0])
        *size = 0;
    return error;
}

nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log)
{
    return get(handle, error_log_of(handle), log);
}

nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size)
{
    const nvJitLinkResult error = get_size(handle, "", size);
    if (error == NVJITLINK_SUCCESS)
        *size = 0;
    return error;
}

nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log)
{
    return get(handle, "", log);
}

nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor)
{
    if (!major || !minor)
        return NVJITLINK_ERROR_NULL_INPUT;
    *major = 13;
    *minor = 0;
    return NVJITLINK_SUCCESS;
}
