/* SPDX-License-Identifier: BSD-3-Clause */
/* cuBLAS's handle, for blas.c and blas_structured.c. */
#ifndef PORTABLE_HOST_CUDART_BLAS_H
#define PORTABLE_HOST_CUDART_BLAS_H

#include "host/cudart/include/cublas_api.h"

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics_mode;
    cublasMath_t math_mode;
};

#endif
