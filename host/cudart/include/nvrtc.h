/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVRTC, which compiles kernels in a program: here by portable-nvcc, which must be installed where
 * the program runs, with its C++ compiler. The calls are in libnvrtc.so.13, for -lnvrtc.
 */
#ifndef PORTABLE_CUDA_NVRTC_H
#define PORTABLE_CUDA_NVRTC_H
#define __NVRTC_H__ /* NVIDIA's guard, which programs ask for */

/* CUDA's own brings it. */
#include <stdlib.h>

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16,
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

#if defined(__cplusplus)
extern "C" {
#endif

const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *count);
nvrtcResult nvrtcGetSupportedArchs(int *architectures);

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                               int header_count, const char *const *headers,
                               const char *const *header_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);

/* The same image in each case, for cuModuleLoadData and the linkers. */
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *image);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *image);
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t *size);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char *image);

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name);

#if defined(__cplusplus)
}

#if defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>
#include <string>
#include <typeinfo>

/* The type's name, for a name expression. */
static inline nvrtcResult nvrtcGetTypeName(const std::type_info &type, std::string *result)
{
    int status = 0;
    char *const name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
    if (name)
        *result = name;
    std::free(name);
    return status == 0    ? NVRTC_SUCCESS
           : status == -1 ? NVRTC_ERROR_OUT_OF_MEMORY
                          : NVRTC_ERROR_INTERNAL_ERROR;
}

template <class T> struct portable_nvrtc_type_ {
};
template <class T> static inline nvrtcResult nvrtcGetTypeName(std::string *result)
{
    /* typeid drops references and qualifiers, unless they are within another type. */
    static const char before[] = "portable_nvrtc_type_<";
    const nvrtcResult error = nvrtcGetTypeName(typeid(portable_nvrtc_type_<T>), result);
    if (error == NVRTC_SUCCESS) {
        *result = result->substr(sizeof before - 1, result->size() - sizeof before);
        while (!result->empty() && result->back() == ' ')
            result->pop_back();
    }
    return error;
}
#endif
#endif

#endif
