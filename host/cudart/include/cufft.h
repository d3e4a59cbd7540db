/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuFFT on the CPU, for C and C++: the calls of host/cudart/fft.c, on FFTW, for -lcufft.
 * docs/cuda-api.md lists them.
 */
#ifndef PORTABLE_CUDA_CUFFT_H
#define PORTABLE_CUDA_CUFFT_H
#define _CUFFT_H_

#include <stdio.h> /* CUDA's own brings it */

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUFFTAPI
#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VER_BUILD 0
#define CUFFT_VERSION (CUFFT_VER_MAJOR * 1000 + CUFFT_VER_MINOR * 100 + CUFFT_VER_PATCH)

typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_INCOMPLETE_PARAMETER_LIST = 10, /* until CUDA 12 */
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_PARSE_ERROR = 12, /* until CUDA 12 */
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_LICENSE_ERROR = 15, /* until CUDA 12 */
    CUFFT_NOT_SUPPORTED = 16,
    CUFFT_MISSING_DEPENDENCY = 17,
    CUFFT_NVRTC_FAILURE = 18,
    CUFFT_NVJITLINK_FAILURE = 19,
    CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
typedef enum cufftType_t {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
} cufftType;
typedef enum cufftCompatibility_t { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING
typedef enum cufftProperty_t {
    NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT = 1,
    NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS = 2
} cufftProperty;
typedef int cufftHandle;
#define CUFFT_PLAN_NULL -1

/* A call. Its symbol begins with portable_, so that the checks report the line that calls it. */
#define PORTABLE_CUDA_FFT_(name, ...) cufftResult name(__VA_ARGS__) __asm__("portable_" #name)

#if defined(__cplusplus)
extern "C" {
#endif

PORTABLE_CUDA_FFT_(cufftPlan1d, cufftHandle *plan, int nx, cufftType type, int batch);
PORTABLE_CUDA_FFT_(cufftPlan2d, cufftHandle *plan, int nx, int ny, cufftType type);
PORTABLE_CUDA_FFT_(cufftPlan3d, cufftHandle *plan, int nx, int ny, int nz, cufftType type);
PORTABLE_CUDA_FFT_(cufftPlanMany, cufftHandle *plan, int rank, int *n, int *inembed, int istride,
                   int idist, int *onembed, int ostride, int odist, cufftType type, int batch);

PORTABLE_CUDA_FFT_(cufftCreate, cufftHandle *plan);
PORTABLE_CUDA_FFT_(cufftDestroy, cufftHandle plan);
PORTABLE_CUDA_FFT_(cufftMakePlan1d, cufftHandle plan, int nx, cufftType type, int batch,
                   size_t *bytes);
PORTABLE_CUDA_FFT_(cufftMakePlan2d, cufftHandle plan, int nx, int ny, cufftType type,
                   size_t *bytes);
PORTABLE_CUDA_FFT_(cufftMakePlan3d, cufftHandle plan, int nx, int ny, int nz, cufftType type,
                   size_t *bytes);
PORTABLE_CUDA_FFT_(cufftMakePlanMany, cufftHandle plan, int rank, int *n, int *inembed, int istride,
                   int idist, int *onembed, int ostride, int odist, cufftType type, int batch,
                   size_t *bytes);
PORTABLE_CUDA_FFT_(cufftMakePlanMany64, cufftHandle plan, int rank, long long *n,
                   long long *inembed, long long istride, long long idist, long long *onembed,
                   long long ostride, long long odist, cufftType type, long long batch,
                   size_t *bytes);

PORTABLE_CUDA_FFT_(cufftEstimate1d, int nx, cufftType type, int batch, size_t *bytes);
PORTABLE_CUDA_FFT_(cufftEstimate2d, int nx, int ny, cufftType type, size_t *bytes);
PORTABLE_CUDA_FFT_(cufftEstimate3d, int nx, int ny, int nz, cufftType type, size_t *bytes);
PORTABLE_CUDA_FFT_(cufftEstimateMany, int rank, int *n, int *inembed, int istride, int idist,
                   int *onembed, int ostride, int odist, cufftType type, int batch, size_t *bytes);
PORTABLE_CUDA_FFT_(cufftGetSize1d, cufftHandle plan, int nx, cufftType type, int batch,
                   size_t *bytes);
PORTABLE_CUDA_FFT_(cufftGetSize2d, cufftHandle plan, int nx, int ny, cufftType type, size_t *bytes);
PORTABLE_CUDA_FFT_(cufftGetSize3d, cufftHandle plan, int nx, int ny, int nz, cufftType type,
                   size_t *bytes);
PORTABLE_CUDA_FFT_(cufftGetSizeMany, cufftHandle plan, int rank, int *n, int *inembed, int istride,
                   int idist, int *onembed, int ostride, int odist, cufftType type, int batch,
                   size_t *bytes);
PORTABLE_CUDA_FFT_(cufftGetSizeMany64, cufftHandle plan, int rank, long long *n, long long *inembed,
                   long long istride, long long idist, long long *onembed, long long ostride,
                   long long odist, cufftType type, long long batch, size_t *bytes);
PORTABLE_CUDA_FFT_(cufftGetSize, cufftHandle plan, size_t *bytes);
PORTABLE_CUDA_FFT_(cufftSetWorkArea, cufftHandle plan, void *area);
PORTABLE_CUDA_FFT_(cufftSetAutoAllocation, cufftHandle plan, int automatic);

PORTABLE_CUDA_FFT_(cufftExecC2C, cufftHandle plan, cufftComplex *input, cufftComplex *output,
                   int direction);
PORTABLE_CUDA_FFT_(cufftExecR2C, cufftHandle plan, cufftReal *input, cufftComplex *output);
PORTABLE_CUDA_FFT_(cufftExecC2R, cufftHandle plan, cufftComplex *input, cufftReal *output);
PORTABLE_CUDA_FFT_(cufftExecZ2Z, cufftHandle plan, cufftDoubleComplex *input,
                   cufftDoubleComplex *output, int direction);
PORTABLE_CUDA_FFT_(cufftExecD2Z, cufftHandle plan, cufftDoubleReal *input,
                   cufftDoubleComplex *output);
PORTABLE_CUDA_FFT_(cufftExecZ2D, cufftHandle plan, cufftDoubleComplex *input,
                   cufftDoubleReal *output);

PORTABLE_CUDA_FFT_(cufftSetStream, cufftHandle plan, cudaStream_t stream);
PORTABLE_CUDA_FFT_(cufftGetVersion, int *version);
PORTABLE_CUDA_FFT_(cufftGetProperty, libraryPropertyType type, int *value);
PORTABLE_CUDA_FFT_(cufftSetPlanPropertyInt64, cufftHandle plan, cufftProperty property,
                   long long value);
PORTABLE_CUDA_FFT_(cufftGetPlanPropertyInt64, cufftHandle plan, cufftProperty property,
                   long long *value);
PORTABLE_CUDA_FFT_(cufftResetPlanProperty, cufftHandle plan, cufftProperty property);

#if defined(__cplusplus)
}
#endif

#endif
