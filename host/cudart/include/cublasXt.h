/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cublasXt: cuBLAS's level 3 on matrices of the host or of the device, which the call copies.
 */
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include "cublas_v2.h"

typedef struct cublasXtContext *cublasXtHandle_t;
typedef enum {
    CUBLASXT_PINNING_DISABLED = 0,
    CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;
typedef enum {
    CUBLASXT_FLOAT = 0,
    CUBLASXT_DOUBLE = 1,
    CUBLASXT_COMPLEX = 2,
    CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;
typedef enum {
    CUBLASXT_GEMM = 0,
    CUBLASXT_SYRK = 1,
    CUBLASXT_HERK = 2,
    CUBLASXT_SYMM = 3,
    CUBLASXT_HEMM = 4,
    CUBLASXT_TRSM = 5,
    CUBLASXT_SYR2K = 6,
    CUBLASXT_HER2K = 7,
    CUBLASXT_SPMM = 8,
    CUBLASXT_SYRKX = 9,
    CUBLASXT_HERKX = 10,
    CUBLASXT_TRMM = 11,
    CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

#if defined(__cplusplus)
extern "C" {
#endif

/* Its symbol begins with portable_, so that the checks report the line that calls it. */
#define PORTABLE_CUDA_XT_(name, ...) cublasStatus_t name(__VA_ARGS__) __asm__("portable_" #name)

PORTABLE_CUDA_XT_(cublasXtCreate, cublasXtHandle_t *handle);
PORTABLE_CUDA_XT_(cublasXtDestroy, cublasXtHandle_t handle);
PORTABLE_CUDA_XT_(cublasXtGetNumBoards, int count, int devices[], int *boards);
PORTABLE_CUDA_XT_(cublasXtMaxBoards, int *boards);
PORTABLE_CUDA_XT_(cublasXtDeviceSelect, cublasXtHandle_t handle, int count, int devices[]);
PORTABLE_CUDA_XT_(cublasXtSetBlockDim, cublasXtHandle_t handle, int block);
PORTABLE_CUDA_XT_(cublasXtGetBlockDim, cublasXtHandle_t handle, int *block);
PORTABLE_CUDA_XT_(cublasXtSetPinningMemMode, cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
PORTABLE_CUDA_XT_(cublasXtGetPinningMemMode, cublasXtHandle_t handle,
                  cublasXtPinnedMemMode_t *mode);
/* The CPU's own share of the work: none, as all of it is the CPU's. */
PORTABLE_CUDA_XT_(cublasXtSetCpuRoutine, cublasXtHandle_t handle, cublasXtBlasOp_t operation,
                  cublasXtOpType_t type, void *routine);
PORTABLE_CUDA_XT_(cublasXtSetCpuRatio, cublasXtHandle_t handle, cublasXtBlasOp_t operation,
                  cublasXtOpType_t type, float ratio);

#define PORTABLE_CUDA_XT_SYMMETRIC_(L, T, ALPHA, BETA, kind)                                       \
    PORTABLE_CUDA_XT_(cublasXt##L##kind##rk, cublasXtHandle_t handle, cublasFillMode_t uplo,       \
                      cublasOperation_t trans, size_t n, size_t k, const ALPHA *alpha, const T *A, \
                      size_t lda, const BETA *beta, T *C, size_t ldc);                             \
    PORTABLE_CUDA_XT_(cublasXt##L##kind##r2k, cublasXtHandle_t handle, cublasFillMode_t uplo,      \
                      cublasOperation_t trans, size_t n, size_t k, const T *alpha, const T *A,     \
                      size_t lda, const T *B, size_t ldb, const BETA *beta, T *C, size_t ldc);     \
    PORTABLE_CUDA_XT_(cublasXt##L##kind##rkx, cublasXtHandle_t handle, cublasFillMode_t uplo,      \
                      cublasOperation_t trans, size_t n, size_t k, const T *alpha, const T *A,     \
                      size_t lda, const T *B, size_t ldb, const BETA *beta, T *C, size_t ldc)
#define PORTABLE_CUDA_XT_OF_(L, T)                                                                 \
    PORTABLE_CUDA_XT_(cublasXt##L##gemm, cublasXtHandle_t handle, cublasOperation_t transa,        \
                      cublasOperation_t transb, size_t m, size_t n, size_t k, const T *alpha,      \
                      const T *A, size_t lda, const T *B, size_t ldb, const T *beta, T *C,         \
                      size_t ldc);                                                                 \
    PORTABLE_CUDA_XT_(cublasXt##L##symm, cublasXtHandle_t handle, cublasSideMode_t side,           \
                      cublasFillMode_t uplo, size_t m, size_t n, const T *alpha, const T *A,       \
                      size_t lda, const T *B, size_t ldb, const T *beta, T *C, size_t ldc);        \
    PORTABLE_CUDA_XT_(cublasXt##L##trsm, cublasXtHandle_t handle, cublasSideMode_t side,           \
                      cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,       \
                      size_t m, size_t n, const T *alpha, const T *A, size_t lda, T *B,            \
                      size_t ldb);                                                                 \
    PORTABLE_CUDA_XT_(cublasXt##L##trmm, cublasXtHandle_t handle, cublasSideMode_t side,           \
                      cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,       \
                      size_t m, size_t n, const T *alpha, const T *A, size_t lda, const T *B,      \
                      size_t ldb, T *C, size_t ldc);                                               \
    PORTABLE_CUDA_XT_SYMMETRIC_(L, T, T, T, sy)
PORTABLE_CUDA_XT_OF_(S, float);
PORTABLE_CUDA_XT_OF_(D, double);
PORTABLE_CUDA_XT_OF_(C, cuComplex);
PORTABLE_CUDA_XT_OF_(Z, cuDoubleComplex);
#define PORTABLE_CUDA_XT_HERMITIAN_(L, T, real)                                                    \
    PORTABLE_CUDA_XT_(cublasXt##L##hemm, cublasXtHandle_t handle, cublasSideMode_t side,           \
                      cublasFillMode_t uplo, size_t m, size_t n, const T *alpha, const T *A,       \
                      size_t lda, const T *B, size_t ldb, const T *beta, T *C, size_t ldc);        \
    PORTABLE_CUDA_XT_SYMMETRIC_(L, T, real, real, he)
PORTABLE_CUDA_XT_HERMITIAN_(C, cuComplex, float);
PORTABLE_CUDA_XT_HERMITIAN_(Z, cuDoubleComplex, double);
#undef PORTABLE_CUDA_XT_HERMITIAN_
#undef PORTABLE_CUDA_XT_OF_
#undef PORTABLE_CUDA_XT_SYMMETRIC_
#undef PORTABLE_CUDA_XT_

#if defined(__cplusplus)
}
#endif

#endif
