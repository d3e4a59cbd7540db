/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime API's libraries of kernels: what cuModuleLoad loads. A cudaKernel_t is the address of
 * a kernel.
 */
#include "host/cudart/load.h"
#include "host/cudart/runtime.h"

#include <stdint.h> /* uintptr_t */

static struct portable_loaded_ *loaded_of(cudaLibrary_t library)
{
    struct portable_loaded_ *const loaded = (struct portable_loaded_ *)(void *)library;
    return portable_is_loaded_(loaded) ? loaded : NULL;
}

/* The options are about code for a GPU. */
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *image,
                                enum cudaJitOption *options, void **values, unsigned int count,
                                enum cudaLibraryOption *library_options, void **library_values,
                                unsigned int library_count)
{
    struct portable_loaded_ *loaded = NULL;
    (void)options;
    (void)values;
    (void)count;
    (void)library_options;
    (void)library_values;
    (void)library_count;
    ENTER(0);
    REQUIRE(library && image, cudaErrorInvalidValue);
    const cudaError_t error = portable_load_("cudaLibraryLoadData", image, &loaded);
    REQUIRE(error == cudaSuccess, error);
    *library = (cudaLibrary_t)(void *)loaded;
    return cudaSuccess;
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file,
                                    enum cudaJitOption *options, void **values, unsigned int count,
                                    enum cudaLibraryOption *library_options, void **library_values,
                                    unsigned int library_count)
{
    struct portable_loaded_ *loaded = NULL;
    (void)options;
    (void)values;
    (void)count;
    (void)library_options;
    (void)library_values;
    (void)library_count;
    ENTER(0);
    REQUIRE(library && file, cudaErrorInvalidValue);
    const cudaError_t error = portable_load_file_("cudaLibraryLoadFromFile", file, &loaded);
    REQUIRE(error == cudaSuccess, error);
    *library = (cudaLibrary_t)(void *)loaded;
    return cudaSuccess;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    ENTER(0);
    REQUIRE(loaded_of(library), cudaErrorInvalidResourceHandle);
    portable_unload_(loaded_of(library));
    return cudaSuccess;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    ENTER(0);
    REQUIRE(kernel && name, cudaErrorInvalidValue);
    REQUIRE(loaded_of(library), cudaErrorInvalidResourceHandle);
    const void *const found = portable_loaded_kernel_(loaded_of(library), name);
    REQUIRE(found, cudaErrorSymbolNotFound);
    *kernel = (cudaKernel_t)(uintptr_t)found;
    return cudaSuccess;
}

cudaError_t cudaLibraryGetGlobal(void **memory, size_t *bytes, cudaLibrary_t library,
                                 const char *name)
{
    size_t size;
    ENTER(0);
    REQUIRE((memory || bytes) && name, cudaErrorInvalidValue);
    REQUIRE(loaded_of(library), cudaErrorInvalidResourceHandle);
    void *const variable = portable_loaded_variable_(loaded_of(library), name, &size);
    REQUIRE(variable, cudaErrorSymbolNotFound);
    if (memory)
        *memory = variable;
    if (bytes)
        *bytes = size;
    return cudaSuccess;
}

cudaError_t cudaLibraryGetManaged(void **memory, size_t *bytes, cudaLibrary_t library,
                                  const char *name)
{
    return cudaLibraryGetGlobal(memory, bytes, library, name);
}
