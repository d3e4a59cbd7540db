/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvJitLink, which links at run time what nvrtc.h and portable-nvcc compile with -rdc=true. The
 * calls are in libnvJitLink.so.13, for -lnvJitLink.
 */
#ifndef PORTABLE_CUDA_NVJITLINK_H
#define PORTABLE_CUDA_NVJITLINK_H
#define nvJitLink_INCLUDED__ /* NVIDIA's guard, which programs ask for */

/* CUDA's own brings them. */
#include <stdint.h>
#include <stdlib.h>

typedef enum {
    NVJITLINK_SUCCESS = 0,
    NVJITLINK_ERROR_UNRECOGNIZED_OPTION = 1,
    NVJITLINK_ERROR_MISSING_ARCH = 2,
    NVJITLINK_ERROR_INVALID_INPUT = 3,
    NVJITLINK_ERROR_PTX_COMPILE = 4,
    NVJITLINK_ERROR_NVVM_COMPILE = 5,
    NVJITLINK_ERROR_INTERNAL = 6,
    NVJITLINK_ERROR_THREADPOOL = 7,
    NVJITLINK_ERROR_UNRECOGNIZED_INPUT = 8,
    NVJITLINK_ERROR_FINALIZE = 9,
    NVJITLINK_ERROR_NULL_INPUT = 10,
    NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS = 11,
    NVJITLINK_ERROR_INCORRECT_INPUT_TYPE = 12,
    NVJITLINK_ERROR_ARCH_MISMATCH = 13,
    NVJITLINK_ERROR_OUTDATED_LIBRARY = 14,
    NVJITLINK_ERROR_MISSING_FATBIN = 15,
    NVJITLINK_ERROR_UNRECOGNIZED_ARCH = 16,
    NVJITLINK_ERROR_UNSUPPORTED_ARCH = 17,
    NVJITLINK_ERROR_LTO_NOT_ENABLED = 18
} nvJitLinkResult;

typedef enum {
    NVJITLINK_INPUT_NONE = 0,
    NVJITLINK_INPUT_CUBIN = 1,
    NVJITLINK_INPUT_PTX = 2,
    NVJITLINK_INPUT_LTOIR = 3,
    NVJITLINK_INPUT_FATBIN = 4,
    NVJITLINK_INPUT_OBJECT = 5,
    NVJITLINK_INPUT_LIBRARY = 6,
    NVJITLINK_INPUT_INDEX = 7,
    NVJITLINK_INPUT_ANY = 10
} nvJitLinkInputType;

typedef struct nvJitLink *nvJitLinkHandle;

#if defined(__cplusplus)
extern "C" {
#endif

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t count, const char **options);
nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle);
nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type, const void *data,
                                 size_t size, const char *name);
nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type, const char *file);
nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle);
/* The same image in each case, for cuModuleLoadData. */
nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *image);
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *image);
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log);
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log);
nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor);

#if defined(__cplusplus)
}
#endif

#endif
