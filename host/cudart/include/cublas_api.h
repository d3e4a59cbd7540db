/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuBLAS on the CPU, for C and C++: the calls of host/cudart/blas.c, plain loops for tests, not for
 * speed. docs/cuda-api.md lists them. Sums are made in double and rounded once.
 */
#ifndef PORTABLE_CUDA_CUBLAS_API_H
#define PORTABLE_CUDA_CUBLAS_API_H
#define CUBLAS_API_H_

#include <stddef.h> /* size_t */
#include <stdint.h> /* int64_t */

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#if defined(__cplusplus)
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#define CUBLASWINAPI
#define CUBLASAPI
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
#define PORTABLE_CUDA_ALGORITHM_(n) CUBLAS_GEMM_ALGO##n = n
#define PORTABLE_CUDA_ALGORITHM_TENSOR_(n) CUBLAS_GEMM_ALGO##n##_TENSOR_OP = 100 + n
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    PORTABLE_CUDA_ALGORITHM_(0),
    PORTABLE_CUDA_ALGORITHM_(1),
    PORTABLE_CUDA_ALGORITHM_(2),
    PORTABLE_CUDA_ALGORITHM_(3),
    PORTABLE_CUDA_ALGORITHM_(4),
    PORTABLE_CUDA_ALGORITHM_(5),
    PORTABLE_CUDA_ALGORITHM_(6),
    PORTABLE_CUDA_ALGORITHM_(7),
    PORTABLE_CUDA_ALGORITHM_(8),
    PORTABLE_CUDA_ALGORITHM_(9),
    PORTABLE_CUDA_ALGORITHM_(10),
    PORTABLE_CUDA_ALGORITHM_(11),
    PORTABLE_CUDA_ALGORITHM_(12),
    PORTABLE_CUDA_ALGORITHM_(13),
    PORTABLE_CUDA_ALGORITHM_(14),
    PORTABLE_CUDA_ALGORITHM_(15),
    PORTABLE_CUDA_ALGORITHM_(16),
    PORTABLE_CUDA_ALGORITHM_(17),
    PORTABLE_CUDA_ALGORITHM_(18),
    PORTABLE_CUDA_ALGORITHM_(19),
    PORTABLE_CUDA_ALGORITHM_(20),
    PORTABLE_CUDA_ALGORITHM_(21),
    PORTABLE_CUDA_ALGORITHM_(22),
    PORTABLE_CUDA_ALGORITHM_(23),
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    PORTABLE_CUDA_ALGORITHM_TENSOR_(0),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(1),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(2),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(3),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(4),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(5),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(6),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(7),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(8),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(9),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(10),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(11),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(12),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(13),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(14),
    PORTABLE_CUDA_ALGORITHM_TENSOR_(15)
} cublasGemmAlgo_t;
#undef PORTABLE_CUDA_ALGORITHM_TENSOR_
#undef PORTABLE_CUDA_ALGORITHM_
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;
struct __half;

#if defined(__cplusplus)
extern "C" {
#endif
/* Its symbol begins with portable_, so that the checks report the line that calls it. NAME_v2 is
 * CUDA's own name for the call. */
#define PORTABLE_CUDA_BLAS_(name, ...)                                                             \
    cublasStatus_t name(__VA_ARGS__) __asm__("portable_" #name);                                   \
    cublasStatus_t name##_v2(__VA_ARGS__) __asm__("portable_" #name)

PORTABLE_CUDA_BLAS_(cublasCreate, cublasHandle_t *handle);
PORTABLE_CUDA_BLAS_(cublasDestroy, cublasHandle_t handle);
PORTABLE_CUDA_BLAS_(cublasGetVersion, cublasHandle_t handle, int *version);
PORTABLE_CUDA_BLAS_(cublasGetProperty, libraryPropertyType type, int *value);
PORTABLE_CUDA_BLAS_(cublasSetStream, cublasHandle_t handle, cudaStream_t stream);
PORTABLE_CUDA_BLAS_(cublasGetStream, cublasHandle_t handle, cudaStream_t *stream);
PORTABLE_CUDA_BLAS_(cublasSetWorkspace, cublasHandle_t handle, void *workspace, size_t bytes);
PORTABLE_CUDA_BLAS_(cublasSetPointerMode, cublasHandle_t handle, cublasPointerMode_t mode);
PORTABLE_CUDA_BLAS_(cublasGetPointerMode, cublasHandle_t handle, cublasPointerMode_t *mode);
PORTABLE_CUDA_BLAS_(cublasSetAtomicsMode, cublasHandle_t handle, cublasAtomicsMode_t mode);
PORTABLE_CUDA_BLAS_(cublasGetAtomicsMode, cublasHandle_t handle, cublasAtomicsMode_t *mode);
PORTABLE_CUDA_BLAS_(cublasSetMathMode, cublasHandle_t handle, cublasMath_t mode);
PORTABLE_CUDA_BLAS_(cublasGetMathMode, cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

PORTABLE_CUDA_BLAS_(cublasSetVector, int n, int size, const void *x, int incx, void *y, int incy);
PORTABLE_CUDA_BLAS_(cublasGetVector, int n, int size, const void *x, int incx, void *y, int incy);
PORTABLE_CUDA_BLAS_(cublasSetMatrix, int rows, int columns, int size, const void *A, int lda,
                    void *B, int ldb);
PORTABLE_CUDA_BLAS_(cublasGetMatrix, int rows, int columns, int size, const void *A, int lda,
                    void *B, int ldb);
PORTABLE_CUDA_BLAS_(cublasSetVectorAsync, int n, int size, const void *x, int incx, void *y,
                    int incy, cudaStream_t stream);
PORTABLE_CUDA_BLAS_(cublasGetVectorAsync, int n, int size, const void *x, int incx, void *y,
                    int incy, cudaStream_t stream);
PORTABLE_CUDA_BLAS_(cublasSetMatrixAsync, int rows, int columns, int size, const void *A, int lda,
                    void *B, int ldb, cudaStream_t stream);
PORTABLE_CUDA_BLAS_(cublasGetMatrixAsync, int rows, int columns, int size, const void *A, int lda,
                    void *B, int ldb, cudaStream_t stream);

/* The calls for float (S) and double (D). */
#define PORTABLE_CUDA_BLAS_OF_(S, s, T)                                                            \
    PORTABLE_CUDA_BLAS_(cublas##S##axpy, cublasHandle_t handle, int n, const T *alpha, const T *x, \
                        int incx, T *y, int incy);                                                 \
    PORTABLE_CUDA_BLAS_(cublas##S##scal, cublasHandle_t handle, int n, const T *alpha, T *x,       \
                        int incx);                                                                 \
    PORTABLE_CUDA_BLAS_(cublas##S##copy, cublasHandle_t handle, int n, const T *x, int incx, T *y, \
                        int incy);                                                                 \
    PORTABLE_CUDA_BLAS_(cublas##S##swap, cublasHandle_t handle, int n, T *x, int incx, T *y,       \
                        int incy);                                                                 \
    PORTABLE_CUDA_BLAS_(cublas##S##rot, cublasHandle_t handle, int n, T *x, int incx, T *y,        \
                        int incy, const T *c, const T *s);                                         \
    PORTABLE_CUDA_BLAS_(cublas##S##dot, cublasHandle_t handle, int n, const T *x, int incx,        \
                        const T *y, int incy, T *result);                                          \
    PORTABLE_CUDA_BLAS_(cublas##S##nrm2, cublasHandle_t handle, int n, const T *x, int incx,       \
                        T *result);                                                                \
    PORTABLE_CUDA_BLAS_(cublas##S##asum, cublasHandle_t handle, int n, const T *x, int incx,       \
                        T *result);                                                                \
    PORTABLE_CUDA_BLAS_(cublasI##s##amax, cublasHandle_t handle, int n, const T *x, int incx,      \
                        int *result);                                                              \
    PORTABLE_CUDA_BLAS_(cublasI##s##amin, cublasHandle_t handle, int n, const T *x, int incx,      \
                        int *result);                                                              \
    PORTABLE_CUDA_BLAS_(cublas##S##gemv, cublasHandle_t handle, cublasOperation_t trans, int m,    \
                        int n, const T *alpha, const T *A, int lda, const T *x, int incx,          \
                        const T *beta, T *y, int incy);                                            \
    PORTABLE_CUDA_BLAS_(cublas##S##ger, cublasHandle_t handle, int m, int n, const T *alpha,       \
                        const T *x, int incx, const T *y, int incy, T *A, int lda);                \
    PORTABLE_CUDA_BLAS_(cublas##S##geam, cublasHandle_t handle, cublasOperation_t transa,          \
                        cublasOperation_t transb, int m, int n, const T *alpha, const T *A,        \
                        int lda, const T *beta, const T *B, int ldb, T *C, int ldc);               \
    PORTABLE_CUDA_BLAS_(cublas##S##trsm, cublasHandle_t handle, cublasSideMode_t side,             \
                        cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,     \
                        int m, int n, const T *alpha, const T *A, int lda, T *B, int ldb);
PORTABLE_CUDA_BLAS_OF_(S, s, float)
PORTABLE_CUDA_BLAS_OF_(D, d, double)
#undef PORTABLE_CUDA_BLAS_OF_

/* Products of matrices; T is struct __half, too. */
#define PORTABLE_CUDA_BLAS_OF_(S, T)                                                               \
    PORTABLE_CUDA_BLAS_(cublas##S##gemm, cublasHandle_t handle, cublasOperation_t transa,          \
                        cublasOperation_t transb, int m, int n, int k, const T *alpha, const T *A, \
                        int lda, const T *B, int ldb, const T *beta, T *C, int ldc);               \
    PORTABLE_CUDA_BLAS_(cublas##S##gemmStridedBatched, cublasHandle_t handle,                      \
                        cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,   \
                        const T *alpha, const T *A, int lda, long long strideA, const T *B,        \
                        int ldb, long long strideB, const T *beta, T *C, int ldc,                  \
                        long long strideC, int count);                                             \
    PORTABLE_CUDA_BLAS_(cublas##S##gemmBatched, cublasHandle_t handle, cublasOperation_t transa,   \
                        cublasOperation_t transb, int m, int n, int k, const T *alpha,             \
                        const T *const A[], int lda, const T *const B[], int ldb, const T *beta,   \
                        T *const C[], int ldc, int count);
PORTABLE_CUDA_BLAS_OF_(S, float)
PORTABLE_CUDA_BLAS_OF_(D, double)
PORTABLE_CUDA_BLAS_OF_(H, struct __half)
#undef PORTABLE_CUDA_BLAS_OF_
PORTABLE_CUDA_BLAS_(cublasSgemmEx, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, int k, const float *alpha,
                    const void *A, cudaDataType Atype, int lda, const void *B, cudaDataType Btype,
                    int ldb, const float *beta, void *C, cudaDataType Ctype, int ldc);
PORTABLE_CUDA_BLAS_(cublasGemmEx, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, int k, const void *alpha, const void *A,
                    cudaDataType Atype, int lda, const void *B, cudaDataType Btype, int ldb,
                    const void *beta, void *C, cudaDataType Ctype, int ldc,
                    cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
PORTABLE_CUDA_BLAS_(cublasGemmStridedBatchedEx, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, int k, const void *alpha, const void *A,
                    cudaDataType Atype, int lda, long long strideA, const void *B,
                    cudaDataType Btype, int ldb, long long strideB, const void *beta, void *C,
                    cudaDataType Ctype, int ldc, long long strideC, int count,
                    cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
PORTABLE_CUDA_BLAS_(cublasGemmBatchedEx, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, int k, const void *alpha,
                    const void *const A[], cudaDataType Atype, int lda, const void *const B[],
                    cudaDataType Btype, int ldb, const void *beta, void *const C[],
                    cudaDataType Ctype, int ldc, int count, cublasComputeType_t compute,
                    cublasGemmAlgo_t algorithm);
/* Symmetric, Hermitian, triangular, banded and packed matrices; T is also a complex type. */
#define PORTABLE_CUDA_SYMMETRIC_(L, T, S)                                                          \
    PORTABLE_CUDA_BLAS_(cublas##L##S##mv, cublasHandle_t handle, cublasFillMode_t uplo, int n,     \
                        const T *alpha, const T *A, int lda, const T *x, int incx, const T *beta,  \
                        T *y, int incy);                                                           \
    PORTABLE_CUDA_BLAS_(cublas##L##S##mm, cublasHandle_t handle, cublasSideMode_t side,            \
                        cublasFillMode_t uplo, int m, int n, const T *alpha, const T *A, int lda,  \
                        const T *B, int ldb, const T *beta, T *C, int ldc);
#define PORTABLE_CUDA_STORED_(L, T, SB, SP)                                                        \
    PORTABLE_CUDA_BLAS_(cublas##L##SB##mv, cublasHandle_t handle, cublasFillMode_t uplo, int n,    \
                        int k, const T *alpha, const T *A, int lda, const T *x, int incx,          \
                        const T *beta, T *y, int incy);                                            \
    PORTABLE_CUDA_BLAS_(cublas##L##SP##mv, cublasHandle_t handle, cublasFillMode_t uplo, int n,    \
                        const T *alpha, const T *A, const T *x, int incx, const T *beta, T *y,     \
                        int incy);
#define PORTABLE_CUDA_TRIANGULAR_(L, T, V)                                                         \
    PORTABLE_CUDA_BLAS_(cublas##L##tr##V, cublasHandle_t handle, cublasFillMode_t uplo,            \
                        cublasOperation_t trans, cublasDiagType_t diag, int n, const T *A,         \
                        int lda, T *x, int incx);                                                  \
    PORTABLE_CUDA_BLAS_(cublas##L##tb##V, cublasHandle_t handle, cublasFillMode_t uplo,            \
                        cublasOperation_t trans, cublasDiagType_t diag, int n, int k, const T *A,  \
                        int lda, T *x, int incx);                                                  \
    PORTABLE_CUDA_BLAS_(cublas##L##tp##V, cublasHandle_t handle, cublasFillMode_t uplo,            \
                        cublasOperation_t trans, cublasDiagType_t diag, int n, const T *A, T *x,   \
                        int incx);
#define PORTABLE_CUDA_RANK_(L, T, TA, name)                                                        \
    PORTABLE_CUDA_BLAS_(cublas##L##name, cublasHandle_t handle, cublasFillMode_t uplo, int n,      \
                        const TA *alpha, const T *x, int incx, T *A, int lda);
#define PORTABLE_CUDA_PACKED_RANK_(L, T, TA, packed_name)                                          \
    PORTABLE_CUDA_BLAS_(cublas##L##packed_name, cublasHandle_t handle, cublasFillMode_t uplo,      \
                        int n, const TA *alpha, const T *x, int incx, T *A);
#define PORTABLE_CUDA_RANK_2_(L, T, name)                                                          \
    PORTABLE_CUDA_BLAS_(cublas##L##name, cublasHandle_t handle, cublasFillMode_t uplo, int n,      \
                        const T *alpha, const T *x, int incx, const T *y, int incy, T *A,          \
                        int lda);
#define PORTABLE_CUDA_PACKED_RANK_2_(L, T, packed_name)                                            \
    PORTABLE_CUDA_BLAS_(cublas##L##packed_name, cublasHandle_t handle, cublasFillMode_t uplo,      \
                        int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *A);
#define PORTABLE_CUDA_RANK_2K_(L, T, TB, name)                                                     \
    PORTABLE_CUDA_BLAS_(cublas##L##name, cublasHandle_t handle, cublasFillMode_t uplo,             \
                        cublasOperation_t trans, int n, int k, const T *alpha, const T *A,         \
                        int lda, const T *B, int ldb, const TB *beta, T *C, int ldc);
#define PORTABLE_CUDA_RANK_K_(L, T, TA, TB, S)                                                     \
    PORTABLE_CUDA_BLAS_(cublas##L##S##rk, cublasHandle_t handle, cublasFillMode_t uplo,            \
                        cublasOperation_t trans, int n, int k, const TA *alpha, const T *A,        \
                        int lda, const TB *beta, T *C, int ldc);                                   \
    PORTABLE_CUDA_RANK_2K_(L, T, TB, S##r2k)                                                       \
    PORTABLE_CUDA_RANK_2K_(L, T, TB, S##rkx)
#define PORTABLE_CUDA_BLAS_OF_(L, T)                                                               \
    PORTABLE_CUDA_BLAS_(cublas##L##gbmv, cublasHandle_t handle, cublasOperation_t trans, int m,    \
                        int n, int kl, int ku, const T *alpha, const T *A, int lda, const T *x,    \
                        int incx, const T *beta, T *y, int incy);                                  \
    PORTABLE_CUDA_BLAS_(cublas##L##trmm, cublasHandle_t handle, cublasSideMode_t side,             \
                        cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,     \
                        int m, int n, const T *alpha, const T *A, int lda, const T *B, int ldb,    \
                        T *C, int ldc);                                                            \
    PORTABLE_CUDA_BLAS_(cublas##L##trsmBatched, cublasHandle_t handle, cublasSideMode_t side,      \
                        cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,     \
                        int m, int n, const T *alpha, const T *const A[], int lda, T *const B[],   \
                        int ldb, int count);                                                       \
    PORTABLE_CUDA_BLAS_(cublas##L##dgmm, cublasHandle_t handle, cublasSideMode_t mode, int m,      \
                        int n, const T *A, int lda, const T *x, int incx, T *C, int ldc);          \
    PORTABLE_CUDA_BLAS_(cublas##L##gemvBatched, cublasHandle_t handle, cublasOperation_t trans,    \
                        int m, int n, const T *alpha, const T *const A[], int lda,                 \
                        const T *const x[], int incx, const T *beta, T *const y[], int incy,       \
                        int count);                                                                \
    PORTABLE_CUDA_BLAS_(cublas##L##gemvStridedBatched, cublasHandle_t handle,                      \
                        cublasOperation_t trans, int m, int n, const T *alpha, const T *A,         \
                        int lda, long long strideA, const T *x, int incx, long long stridex,       \
                        const T *beta, T *y, int incy, long long stridey, int count);              \
    PORTABLE_CUDA_BLAS_(cublas##L##getrfBatched, cublasHandle_t handle, int n, T *const A[],       \
                        int lda, int *pivots, int *infos, int count);                              \
    PORTABLE_CUDA_BLAS_(cublas##L##getrsBatched, cublasHandle_t handle, cublasOperation_t trans,   \
                        int n, int nrhs, const T *const A[], int lda, const int *pivots,           \
                        T *const B[], int ldb, int *info, int count);                              \
    PORTABLE_CUDA_BLAS_(cublas##L##getriBatched, cublasHandle_t handle, int n, const T *const A[], \
                        int lda, const int *pivots, T *const C[], int ldc, int *infos, int count); \
    PORTABLE_CUDA_BLAS_(cublas##L##matinvBatched, cublasHandle_t handle, int n,                    \
                        const T *const A[], int lda, T *const C[], int ldc, int *infos,            \
                        int count);                                                                \
    PORTABLE_CUDA_SYMMETRIC_(L, T, sy)                                                             \
    PORTABLE_CUDA_TRIANGULAR_(L, T, mv)                                                            \
    PORTABLE_CUDA_TRIANGULAR_(L, T, sv)                                                            \
    PORTABLE_CUDA_RANK_(L, T, T, syr)                                                              \
    PORTABLE_CUDA_RANK_2_(L, T, syr2)                                                              \
    PORTABLE_CUDA_RANK_K_(L, T, T, T, sy)
PORTABLE_CUDA_BLAS_OF_(S, float)
PORTABLE_CUDA_BLAS_OF_(D, double)
PORTABLE_CUDA_BLAS_OF_(C, cuComplex)
PORTABLE_CUDA_BLAS_OF_(Z, cuDoubleComplex)
#undef PORTABLE_CUDA_BLAS_OF_
#define PORTABLE_CUDA_BLAS_OF_(L, T)                                                               \
    PORTABLE_CUDA_STORED_(L, T, sb, sp)                                                            \
    PORTABLE_CUDA_PACKED_RANK_(L, T, T, spr)                                                       \
    PORTABLE_CUDA_PACKED_RANK_2_(L, T, spr2)
PORTABLE_CUDA_BLAS_OF_(S, float)
PORTABLE_CUDA_BLAS_OF_(D, double)
#undef PORTABLE_CUDA_BLAS_OF_
PORTABLE_CUDA_BLAS_(cublasSrotg, cublasHandle_t handle, float *a, float *b, float *c, float *s);
PORTABLE_CUDA_BLAS_(cublasDrotg, cublasHandle_t handle, double *a, double *b, double *c, double *s);
#define PORTABLE_CUDA_BLAS_OF_(L, l, T, R, r, real)                                                \
    PORTABLE_CUDA_BLAS_(cublas##L##axpy, cublasHandle_t handle, int n, const T *alpha, const T *x, \
                        int incx, T *y, int incy);                                                 \
    PORTABLE_CUDA_BLAS_(cublas##L##scal, cublasHandle_t handle, int n, const T *alpha, T *x,       \
                        int incx);                                                                 \
    PORTABLE_CUDA_BLAS_(cublas##L##r##scal, cublasHandle_t handle, int n, const real *alpha, T *x, \
                        int incx);                                                                 \
    PORTABLE_CUDA_BLAS_(cublas##L##copy, cublasHandle_t handle, int n, const T *x, int incx, T *y, \
                        int incy);                                                                 \
    PORTABLE_CUDA_BLAS_(cublas##L##swap, cublasHandle_t handle, int n, T *x, int incx, T *y,       \
                        int incy);                                                                 \
    PORTABLE_CUDA_BLAS_(cublas##L##dotu, cublasHandle_t handle, int n, const T *x, int incx,       \
                        const T *y, int incy, T *result);                                          \
    PORTABLE_CUDA_BLAS_(cublas##L##dotc, cublasHandle_t handle, int n, const T *x, int incx,       \
                        const T *y, int incy, T *result);                                          \
    PORTABLE_CUDA_BLAS_(cublas##R##l##nrm2, cublasHandle_t handle, int n, const T *x, int incx,    \
                        real *result);                                                             \
    PORTABLE_CUDA_BLAS_(cublas##R##l##asum, cublasHandle_t handle, int n, const T *x, int incx,    \
                        real *result);                                                             \
    PORTABLE_CUDA_BLAS_(cublasI##l##amax, cublasHandle_t handle, int n, const T *x, int incx,      \
                        int *result);                                                              \
    PORTABLE_CUDA_BLAS_(cublasI##l##amin, cublasHandle_t handle, int n, const T *x, int incx,      \
                        int *result);                                                              \
    PORTABLE_CUDA_BLAS_(cublas##L##rot, cublasHandle_t handle, int n, T *x, int incx, T *y,        \
                        int incy, const real *c, const T *s);                                      \
    PORTABLE_CUDA_BLAS_(cublas##L##r##rot, cublasHandle_t handle, int n, T *x, int incx, T *y,     \
                        int incy, const real *c, const real *s);                                   \
    PORTABLE_CUDA_BLAS_(cublas##L##rotg, cublasHandle_t handle, T *a, T *b, real *c, T *s);        \
    PORTABLE_CUDA_BLAS_(cublas##L##gemv, cublasHandle_t handle, cublasOperation_t trans, int m,    \
                        int n, const T *alpha, const T *A, int lda, const T *x, int incx,          \
                        const T *beta, T *y, int incy);                                            \
    PORTABLE_CUDA_BLAS_(cublas##L##geru, cublasHandle_t handle, int m, int n, const T *alpha,      \
                        const T *x, int incx, const T *y, int incy, T *A, int lda);                \
    PORTABLE_CUDA_BLAS_(cublas##L##gerc, cublasHandle_t handle, int m, int n, const T *alpha,      \
                        const T *x, int incx, const T *y, int incy, T *A, int lda);                \
    PORTABLE_CUDA_BLAS_(cublas##L##geam, cublasHandle_t handle, cublasOperation_t transa,          \
                        cublasOperation_t transb, int m, int n, const T *alpha, const T *A,        \
                        int lda, const T *beta, const T *B, int ldb, T *C, int ldc);               \
    PORTABLE_CUDA_BLAS_(cublas##L##trsm, cublasHandle_t handle, cublasSideMode_t side,             \
                        cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,     \
                        int m, int n, const T *alpha, const T *A, int lda, T *B, int ldb);         \
    PORTABLE_CUDA_BLAS_(cublas##L##gemm, cublasHandle_t handle, cublasOperation_t transa,          \
                        cublasOperation_t transb, int m, int n, int k, const T *alpha, const T *A, \
                        int lda, const T *B, int ldb, const T *beta, T *C, int ldc);               \
    PORTABLE_CUDA_BLAS_(cublas##L##gemm3m, cublasHandle_t handle, cublasOperation_t transa,        \
                        cublasOperation_t transb, int m, int n, int k, const T *alpha, const T *A, \
                        int lda, const T *B, int ldb, const T *beta, T *C, int ldc);               \
    PORTABLE_CUDA_BLAS_(cublas##L##gemmStridedBatched, cublasHandle_t handle,                      \
                        cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,   \
                        const T *alpha, const T *A, int lda, long long strideA, const T *B,        \
                        int ldb, long long strideB, const T *beta, T *C, int ldc,                  \
                        long long strideC, int count);                                             \
    PORTABLE_CUDA_BLAS_(cublas##L##gemmBatched, cublasHandle_t handle, cublasOperation_t transa,   \
                        cublasOperation_t transb, int m, int n, int k, const T *alpha,             \
                        const T *const A[], int lda, const T *const B[], int ldb, const T *beta,   \
                        T *const C[], int ldc, int count);                                         \
    PORTABLE_CUDA_SYMMETRIC_(L, T, he)                                                             \
    PORTABLE_CUDA_STORED_(L, T, hb, hp)                                                            \
    PORTABLE_CUDA_RANK_(L, T, real, her)                                                           \
    PORTABLE_CUDA_PACKED_RANK_(L, T, real, hpr)                                                    \
    PORTABLE_CUDA_RANK_2_(L, T, her2)                                                              \
    PORTABLE_CUDA_PACKED_RANK_2_(L, T, hpr2)                                                       \
    PORTABLE_CUDA_RANK_K_(L, T, real, real, he)
PORTABLE_CUDA_BLAS_OF_(C, c, cuComplex, S, s, float)
PORTABLE_CUDA_BLAS_OF_(Z, z, cuDoubleComplex, D, d, double)
#undef PORTABLE_CUDA_BLAS_OF_
#undef PORTABLE_CUDA_SYMMETRIC_
#undef PORTABLE_CUDA_STORED_
#undef PORTABLE_CUDA_PACKED_RANK_
#undef PORTABLE_CUDA_PACKED_RANK_2_
#undef PORTABLE_CUDA_TRIANGULAR_
#undef PORTABLE_CUDA_RANK_
#undef PORTABLE_CUDA_RANK_2_
#undef PORTABLE_CUDA_RANK_2K_
#undef PORTABLE_CUDA_RANK_K_

PORTABLE_CUDA_BLAS_(cublasAxpyEx, cublasHandle_t handle, int n, const void *alpha,
                    cudaDataType alpha_type, const void *x, cudaDataType x_type, int incx, void *y,
                    cudaDataType y_type, int incy, cudaDataType execution_type);
PORTABLE_CUDA_BLAS_(cublasScalEx, cublasHandle_t handle, int n, const void *alpha,
                    cudaDataType alpha_type, void *x, cudaDataType x_type, int incx,
                    cudaDataType execution_type);
PORTABLE_CUDA_BLAS_(cublasNrm2Ex, cublasHandle_t handle, int n, const void *x, cudaDataType x_type,
                    int incx, void *result, cudaDataType result_type, cudaDataType execution_type);
PORTABLE_CUDA_BLAS_(cublasDotEx, cublasHandle_t handle, int n, const void *x, cudaDataType x_type,
                    int incx, const void *y, cudaDataType y_type, int incy, void *result,
                    cudaDataType result_type, cudaDataType execution_type);
PORTABLE_CUDA_BLAS_(cublasDotcEx, cublasHandle_t handle, int n, const void *x, cudaDataType x_type,
                    int incx, const void *y, cudaDataType y_type, int incy, void *result,
                    cudaDataType result_type, cudaDataType execution_type);
#if defined(__cplusplus)
}

/* The others end in a sentence. */
#define PORTABLE_CUDA_BLAS_MISSING_(name)                                                          \
    template <class... Arguments> static inline cublasStatus_t name(Arguments...)                  \
    {                                                                                              \
        static_assert(sizeof...(Arguments) > 1000,                                                 \
                      #name ": portable-nvcc does not have this call of cuBLAS: docs/cuda-api.md " \
                            "lists those that it has");                                            \
        return CUBLAS_STATUS_NOT_SUPPORTED;                                                        \
    }
#define PORTABLE_CUDA_BLAS_MISSING_OF_(type)                                                       \
    PORTABLE_CUDA_BLAS_MISSING_(cublas##type##geqrfBatched)                                        \
    PORTABLE_CUDA_BLAS_MISSING_(cublas##type##gelsBatched)                                         \
    PORTABLE_CUDA_BLAS_MISSING_(cublas##type##tpttr)                                               \
    PORTABLE_CUDA_BLAS_MISSING_(cublas##type##trttp)
PORTABLE_CUDA_BLAS_MISSING_OF_(S)
PORTABLE_CUDA_BLAS_MISSING_OF_(D)
PORTABLE_CUDA_BLAS_MISSING_OF_(C)
PORTABLE_CUDA_BLAS_MISSING_OF_(Z)
#undef PORTABLE_CUDA_BLAS_MISSING_OF_
PORTABLE_CUDA_BLAS_MISSING_(cublasSrotm)
PORTABLE_CUDA_BLAS_MISSING_(cublasDrotm)
PORTABLE_CUDA_BLAS_MISSING_(cublasSrotmg)
PORTABLE_CUDA_BLAS_MISSING_(cublasDrotmg)
PORTABLE_CUDA_BLAS_MISSING_(cublasCgemmEx)
PORTABLE_CUDA_BLAS_MISSING_(cublasRotEx)
#undef PORTABLE_CUDA_BLAS_MISSING_
#endif

#endif
