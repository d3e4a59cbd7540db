/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libcuda.so: modules, libraries and the linker.
 */
#define _GNU_SOURCE /* strdup */
#include "host/cudart/driver.h"

#include "host/cudart/launch.h"
#include "host/cudart/linker.h"
#include "host/cudart/load.h"
#include "host/cudart/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h> /* clock_gettime */

/* ---- options of the calls that compile and link on a GPU ---- */

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Writes a log to the buffer of an option, if both it and its size are given; the size becomes that
 * of the log. */
static void write_log(unsigned count, const CUjit_option *options, void **values,
                      CUjit_option which, const char *log)
{
    char *buffer = NULL;
    void **size = NULL;
    for (unsigned k = 0; k < count; k++)
        if (options[k] == which)
            buffer = (char *)values[k];
        else if (options[k] == which + 1)
            size = &values[k];
    const unsigned capacity = size ? (unsigned)(uintptr_t)*size : 0;
    if (!buffer || capacity == 0)
        return;
    snprintf(buffer, capacity, "%s", log);
    *size = (void *)(uintptr_t)strlen(buffer);
}

/* What the options get back. Those about code for a GPU do nothing. */
static void write_results(unsigned count, const CUjit_option *options, void **values, double began,
                          const char *log)
{
    const float time = (float)(milliseconds() - began);
    for (unsigned k = 0; k < count; k++)
        if (options[k] == CU_JIT_WALL_TIME)
            memcpy(&values[k], &time, sizeof time);
    write_log(count, options, values, CU_JIT_INFO_LOG_BUFFER, "");
    write_log(count, options, values, CU_JIT_ERROR_LOG_BUFFER, log);
}

/* ---- modules ---- */

static struct portable_loaded_ *loaded_of(CUmodule module)
{
    return (struct portable_loaded_ *)(void *)module;
}

static CUresult load(const char *call, CUmodule *module, const void *image, unsigned count,
                     CUjit_option *options, void **values)
{
    const double began = milliseconds();
    struct portable_loaded_ *loaded;
    ENTER_CONTEXT();
    REQUIRE(module && image && (count == 0 || (options && values)), CUDA_ERROR_INVALID_VALUE);
    const CUresult error = number_of(portable_load_(call, image, &loaded));
    write_results(count, options, values, began,
                  error == CUDA_SUCCESS ? "" : "the image cannot be loaded");
    REQUIRE(error == CUDA_SUCCESS, error);
    *module = (CUmodule)(void *)loaded;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoad(CUmodule *module, const char *file)
{
    struct portable_loaded_ *loaded;
    ENTER_CONTEXT();
    REQUIRE(module && file, CUDA_ERROR_INVALID_VALUE);
    const CUresult error = number_of(portable_load_file_("cuModuleLoad", file, &loaded));
    REQUIRE(error == CUDA_SUCCESS, error);
    *module = (CUmodule)(void *)loaded;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return load("cuModuleLoadData", module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count,
                            CUjit_option *options, void **values)
{
    return load("cuModuleLoadDataEx", module, image, count, options, values);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return load("cuModuleLoadFatBinary", module, image, 0, NULL, NULL);
}

CUresult cuModuleUnload(CUmodule module)
{
    ENTER_CONTEXT();
    REQUIRE(portable_is_loaded_(loaded_of(module)), CUDA_ERROR_INVALID_HANDLE);
    portable_unload_(loaded_of(module));
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    ENTER_CONTEXT();
    REQUIRE(function && name, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(portable_is_loaded_(loaded_of(module)), CUDA_ERROR_INVALID_HANDLE);
    const void *const kernel = portable_loaded_kernel_(loaded_of(module), name);
    REQUIRE(kernel, CUDA_ERROR_NOT_FOUND);
    *function = (CUfunction)(uintptr_t)kernel;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *memory, size_t *bytes, CUmodule module, const char *name)
{
    size_t size;
    ENTER_CONTEXT();
    REQUIRE((memory || bytes) && name, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(portable_is_loaded_(loaded_of(module)), CUDA_ERROR_INVALID_HANDLE);
    void *const variable = portable_loaded_variable_(loaded_of(module), name, &size);
    REQUIRE(variable || !portable_loaded_kernel_(loaded_of(module), name),
            CUDA_ERROR_INVALID_VALUE);
    REQUIRE(variable, CUDA_ERROR_NOT_FOUND);
    if (memory)
        *memory = (uintptr_t)variable;
    if (bytes)
        *bytes = size;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    ENTER();
    REQUIRE(mode, CUDA_ERROR_INVALID_VALUE);
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
    union {
        CUfunction function;
        portable_function_ kernel;
    } both;
    size_t begin = 0;
    ENTER();
    REQUIRE(offset, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(function, CUDA_ERROR_INVALID_HANDLE);
    both.function = function;
    const struct portable_cuda_parameter_ *parameter = portable_cuda_parameters_(both.kernel);
    REQUIRE(parameter, CUDA_ERROR_INVALID_HANDLE);
    for (size_t k = 0; parameter->bytes; k++, parameter++) {
        begin = (begin + parameter->alignment - 1) / parameter->alignment * parameter->alignment;
        if (k == index) {
            *offset = begin;
            if (bytes)
                *bytes = parameter->bytes;
            return CUDA_SUCCESS;
        }
        begin += parameter->bytes;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

/* ---- libraries: a CUlibrary is a module that needs no context ---- */

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options,
                           void **values, unsigned int count, CUlibraryOption *library_options,
                           void **library_values, unsigned int library_count)
{
    const double began = milliseconds();
    struct portable_loaded_ *loaded;
    (void)library_options;
    (void)library_values;
    (void)library_count;
    ENTER();
    REQUIRE(library && image && (count == 0 || (options && values)), CUDA_ERROR_INVALID_VALUE);
    const CUresult error = number_of(portable_load_("cuLibraryLoadData", image, &loaded));
    write_results(count, options, values, began,
                  error == CUDA_SUCCESS ? "" : "the image cannot be loaded");
    REQUIRE(error == CUDA_SUCCESS, error);
    *library = (CUlibrary)(void *)loaded;
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *options,
                               void **values, unsigned int count, CUlibraryOption *library_options,
                               void **library_values, unsigned int library_count)
{
    size_t bytes;
    ENTER();
    REQUIRE(library && file, CUDA_ERROR_INVALID_VALUE);
    char *const image = portable_read_file_(file, &bytes);
    REQUIRE(image, CUDA_ERROR_FILE_NOT_FOUND);
    const CUresult error = cuLibraryLoadData(library, image, options, values, count,
                                             library_options, library_values, library_count);
    free(image);
    return error;
}

static struct portable_loaded_ *loaded_library(CUlibrary library)
{
    struct portable_loaded_ *const loaded = (struct portable_loaded_ *)(void *)library;
    return portable_is_loaded_(loaded) ? loaded : NULL;
}

CUresult cuLibraryUnload(CUlibrary library)
{
    ENTER();
    REQUIRE(loaded_library(library), CUDA_ERROR_INVALID_HANDLE);
    portable_unload_(loaded_library(library));
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    ENTER();
    REQUIRE(kernel && name, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(loaded_library(library), CUDA_ERROR_INVALID_HANDLE);
    const void *const found = portable_loaded_kernel_(loaded_library(library), name);
    REQUIRE(found, CUDA_ERROR_NOT_FOUND);
    *kernel = (CUkernel)(uintptr_t)found;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    ENTER_CONTEXT();
    REQUIRE(module, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(loaded_library(library), CUDA_ERROR_INVALID_HANDLE);
    *module = (CUmodule)(void *)library;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *memory, size_t *bytes, CUlibrary library, const char *name)
{
    ENTER_CONTEXT();
    return cuModuleGetGlobal(memory, bytes, (CUmodule)(void *)library, name);
}

CUresult cuLibraryGetManaged(CUdeviceptr *memory, size_t *bytes, CUlibrary library,
                             const char *name)
{
    ENTER_CONTEXT();
    return cuModuleGetGlobal(memory, bytes, (CUmodule)(void *)library, name);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    ENTER_CONTEXT();
    REQUIRE(function, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(kernel, CUDA_ERROR_INVALID_HANDLE);
    *function = (CUfunction)(void *)kernel;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
    ENTER();
    REQUIRE(name, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(kernel, CUDA_ERROR_INVALID_HANDLE);
    RUN(cudaFuncGetName(name, kernel));
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    return cuKernelGetName(name, (CUkernel)(void *)function);
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
    ENTER();
    REQUIRE(library, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(kernel, CUDA_ERROR_INVALID_HANDLE);
    struct portable_loaded_ *const found = portable_loaded_with_((const void *)kernel);
    REQUIRE(found, CUDA_ERROR_NOT_FOUND); /* a kernel of the program */
    *library = (CUlibrary)(void *)found;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice device)
{
    ENTER_DEVICE(device);
    return cuFuncGetAttribute(value, attribute, (CUfunction)(void *)kernel);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice device)
{
    ENTER_DEVICE(device);
    return cuFuncSetAttribute((CUfunction)(void *)kernel, attribute, value);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes)
{
    return cuFuncGetParamInfo((CUfunction)(void *)kernel, index, offset, bytes);
}

/* ---- the linker ---- */

struct CUlinkState_st {
    struct portable_linker_ *linker;
    double began;
    unsigned count; /* of options, which the program keeps until the end */
    CUjit_option *options;
    void **values;
};

CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state)
{
    ENTER_CONTEXT();
    REQUIRE(state && (count == 0 || (options && values)), CUDA_ERROR_INVALID_VALUE);
    struct CUlinkState_st *const made = (struct CUlinkState_st *)calloc(1, sizeof *made);
    struct portable_linker_ *const linker = portable_linker_begin_();
    if (!made || !linker) {
        free(made);
        portable_linker_end_(linker);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    made->linker = linker;
    made->began = milliseconds();
    made->count = count;
    made->options = options;
    made->values = values;
    *state = made;
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes,
                       const char *name, unsigned int count, CUjit_option *options, void **values)
{
    (void)name;
    (void)count;
    (void)options;
    (void)values;
    ENTER_CONTEXT();
    REQUIRE(state && data && bytes > 0 && type <= CU_JIT_INPUT_NVVM, CUDA_ERROR_INVALID_VALUE);
    const CUresult error =
        number_of(portable_linker_add_("cuLinkAddData", state->linker, data, bytes));
    return error;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *file, unsigned int count,
                       CUjit_option *options, void **values)
{
    size_t bytes;
    ENTER_CONTEXT();
    REQUIRE(state && file, CUDA_ERROR_INVALID_VALUE);
    char *const data = portable_read_file_(file, &bytes);
    REQUIRE(data, CUDA_ERROR_FILE_NOT_FOUND);
    const CUresult error = cuLinkAddData(state, type, data, bytes, file, count, options, values);
    free(data);
    return error;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
    ENTER_CONTEXT();
    REQUIRE(state && image, CUDA_ERROR_INVALID_VALUE);
    const CUresult error = number_of(portable_linker_complete_(state->linker));
    write_results(state->count, state->options, state->values, state->began,
                  portable_linker_log_(state->linker));
    REQUIRE(error == CUDA_SUCCESS, error);
    *image = (void *)(uintptr_t)portable_linker_image_(state->linker);
    if (bytes)
        *bytes = strlen((const char *)*image) + 1;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    ENTER_CONTEXT();
    REQUIRE(state, CUDA_ERROR_INVALID_HANDLE);
    portable_linker_end_(state->linker);
    free(state);
    return CUDA_SUCCESS;
}
