/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuFFT's calls that name types by cudaDataType, and callbacks, which are refused: there is one
 * device, and kernels and FFTW do not call each other.
 */
#ifndef PORTABLE_CUDA_CUFFTXT_H
#define PORTABLE_CUDA_CUFFTXT_H
#define _CUFFTXT_H_

#include "cufft.h"

typedef enum cufftXtWorkAreaPolicy_t {
    CUFFT_WORKAREA_MINIMAL = 0,
    CUFFT_WORKAREA_USER = 1,
    CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX = 0,
    CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
    CUFFT_CB_LD_REAL = 2,
    CUFFT_CB_LD_REAL_DOUBLE = 3,
    CUFFT_CB_ST_COMPLEX = 4,
    CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
    CUFFT_CB_ST_REAL = 6,
    CUFFT_CB_ST_REAL_DOUBLE = 7,
    CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;
#define PORTABLE_CUDA_CALLBACKS_(letter, type)                                                     \
    typedef type (*cufftCallbackLoad##letter)(void *input, size_t offset, void *info,              \
                                              void *shared);                                       \
    typedef void (*cufftCallbackStore##letter)(void *output, size_t offset, type element,          \
                                               void *info, void *shared);                          \
    typedef type (*cufftJITCallbackLoad##letter)(void *input, unsigned long long offset,           \
                                                 void *info, void *shared);                        \
    typedef void (*cufftJITCallbackStore##letter)(void *output, unsigned long long offset,         \
                                                  type element, void *info, void *shared);
PORTABLE_CUDA_CALLBACKS_(C, cufftComplex)
PORTABLE_CUDA_CALLBACKS_(Z, cufftDoubleComplex)
PORTABLE_CUDA_CALLBACKS_(R, cufftReal)
PORTABLE_CUDA_CALLBACKS_(D, cufftDoubleReal)
#undef PORTABLE_CUDA_CALLBACKS_

#if defined(__cplusplus)
extern "C" {
#endif

PORTABLE_CUDA_FFT_(cufftXtMakePlanMany, cufftHandle plan, int rank, long long *n,
                   long long *inembed, long long istride, long long idist, cudaDataType input_type,
                   long long *onembed, long long ostride, long long odist, cudaDataType output_type,
                   long long batch, size_t *bytes, cudaDataType execution_type);
PORTABLE_CUDA_FFT_(cufftXtGetSizeMany, cufftHandle plan, int rank, long long *n, long long *inembed,
                   long long istride, long long idist, cudaDataType input_type, long long *onembed,
                   long long ostride, long long odist, cudaDataType output_type, long long batch,
                   size_t *bytes, cudaDataType execution_type);
PORTABLE_CUDA_FFT_(cufftXtExec, cufftHandle plan, void *input, void *output, int direction);
PORTABLE_CUDA_FFT_(cufftXtSetGPUs, cufftHandle plan, int count, int *devices);
PORTABLE_CUDA_FFT_(cufftXtSetWorkArea, cufftHandle plan, void **areas);
PORTABLE_CUDA_FFT_(cufftXtSetWorkAreaPolicy, cufftHandle plan, cufftXtWorkAreaPolicy policy,
                   size_t *bytes);
PORTABLE_CUDA_FFT_(cufftXtSetCallback, cufftHandle plan, void **callbacks, cufftXtCallbackType type,
                   void **info);
PORTABLE_CUDA_FFT_(cufftXtClearCallback, cufftHandle plan, cufftXtCallbackType type);
PORTABLE_CUDA_FFT_(cufftXtSetCallbackSharedSize, cufftHandle plan, cufftXtCallbackType type,
                   size_t bytes);

#if defined(__cplusplus)
}
#endif

#endif
