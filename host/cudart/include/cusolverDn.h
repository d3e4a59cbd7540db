/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuSOLVER's dense calls on the CPU, for C and C++: those of host/cudart/solver.c, on LAPACKE, for
 * -lcusolver. docs/cuda-api.md lists them.
 */
#ifndef PORTABLE_CUDA_CUSOLVERDN_H
#define PORTABLE_CUDA_CUSOLVERDN_H
#define CUSOLVERDN_H_

#include <stdint.h> /* int64_t */

#include "cuComplex.h"
#include "cusolver_common.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1 } cusolverDnFunction_t;

#if defined(__cplusplus)
extern "C" {
#endif

PORTABLE_CUDA_SOLVER_(cusolverDnCreate, cusolverDnHandle_t *handle);
PORTABLE_CUDA_SOLVER_(cusolverDnDestroy, cusolverDnHandle_t handle);
PORTABLE_CUDA_SOLVER_(cusolverDnSetStream, cusolverDnHandle_t handle, cudaStream_t stream);
PORTABLE_CUDA_SOLVER_(cusolverDnGetStream, cusolverDnHandle_t handle, cudaStream_t *stream);
PORTABLE_CUDA_SOLVER_(cusolverDnCreateParams, cusolverDnParams_t *parameters);
PORTABLE_CUDA_SOLVER_(cusolverDnDestroyParams, cusolverDnParams_t parameters);
PORTABLE_CUDA_SOLVER_(cusolverDnSetAdvOptions, cusolverDnParams_t parameters,
                      cusolverDnFunction_t function, cusolverAlgMode_t algorithm);
PORTABLE_CUDA_SOLVER_(cusolverDnCreateSyevjInfo, syevjInfo_t *info);
PORTABLE_CUDA_SOLVER_(cusolverDnDestroySyevjInfo, syevjInfo_t info);
PORTABLE_CUDA_SOLVER_(cusolverDnXsyevjSetTolerance, syevjInfo_t info, double tolerance);
PORTABLE_CUDA_SOLVER_(cusolverDnXsyevjSetMaxSweeps, syevjInfo_t info, int sweeps);
PORTABLE_CUDA_SOLVER_(cusolverDnXsyevjSetSortEig, syevjInfo_t info, int sorts);
PORTABLE_CUDA_SOLVER_(cusolverDnXsyevjGetResidual, cusolverDnHandle_t handle, syevjInfo_t info,
                      double *residual);
PORTABLE_CUDA_SOLVER_(cusolverDnXsyevjGetSweeps, cusolverDnHandle_t handle, syevjInfo_t info,
                      int *sweeps);
PORTABLE_CUDA_SOLVER_(cusolverDnCreateGesvdjInfo, gesvdjInfo_t *info);
PORTABLE_CUDA_SOLVER_(cusolverDnDestroyGesvdjInfo, gesvdjInfo_t info);
PORTABLE_CUDA_SOLVER_(cusolverDnXgesvdjSetTolerance, gesvdjInfo_t info, double tolerance);
PORTABLE_CUDA_SOLVER_(cusolverDnXgesvdjSetMaxSweeps, gesvdjInfo_t info, int sweeps);
PORTABLE_CUDA_SOLVER_(cusolverDnXgesvdjSetSortEig, gesvdjInfo_t info, int sorts);
PORTABLE_CUDA_SOLVER_(cusolverDnXgesvdjGetResidual, cusolverDnHandle_t handle, gesvdjInfo_t info,
                      double *residual);
PORTABLE_CUDA_SOLVER_(cusolverDnXgesvdjGetSweeps, cusolverDnHandle_t handle, gesvdjInfo_t info,
                      int *sweeps);

/* For each type L of S, D, C, Z; Q is or or un, E is sy or he. */
#define PORTABLE_CUDA_SOLVERS_(L, Q, E, type, real)                                                \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##potrf_bufferSize, cusolverDnHandle_t handle,              \
                          cublasFillMode_t uplo, int n, type *A, int lda, int *lwork);             \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##potrf, cusolverDnHandle_t handle, cublasFillMode_t uplo,  \
                          int n, type *A, int lda, type *work, int lwork, int *info);              \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##potrs, cusolverDnHandle_t handle, cublasFillMode_t uplo,  \
                          int n, int nrhs, const type *A, int lda, type *B, int ldb, int *info);   \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##potri_bufferSize, cusolverDnHandle_t handle,              \
                          cublasFillMode_t uplo, int n, type *A, int lda, int *lwork);             \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##potri, cusolverDnHandle_t handle, cublasFillMode_t uplo,  \
                          int n, type *A, int lda, type *work, int lwork, int *info);              \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##potrfBatched, cusolverDnHandle_t handle,                  \
                          cublasFillMode_t uplo, int n, type *A[], int lda, int *infos,            \
                          int batch);                                                              \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##potrsBatched, cusolverDnHandle_t handle,                  \
                          cublasFillMode_t uplo, int n, int nrhs, type *A[], int lda, type *B[],   \
                          int ldb, int *info, int batch);                                          \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##getrf_bufferSize, cusolverDnHandle_t handle, int m,       \
                          int n, type *A, int lda, int *lwork);                                    \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##getrf, cusolverDnHandle_t handle, int m, int n, type *A,  \
                          int lda, type *work, int *pivots, int *info);                            \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##getrs, cusolverDnHandle_t handle, cublasOperation_t op,   \
                          int n, int nrhs, const type *A, int lda, const int *pivots, type *B,     \
                          int ldb, int *info);                                                     \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##L##gesv_bufferSize, cusolverDnHandle_t handle, int n,     \
                          int nrhs, type *A, int lda, int *pivots, type *B, int ldb, type *X,      \
                          int ldx, void *work, size_t *bytes);                                     \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##L##gesv, cusolverDnHandle_t handle, int n, int nrhs,      \
                          type *A, int lda, int *pivots, type *B, int ldb, type *X, int ldx,       \
                          void *work, size_t bytes, int *iterations, int *info);                   \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##geqrf_bufferSize, cusolverDnHandle_t handle, int m,       \
                          int n, type *A, int lda, int *lwork);                                    \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##geqrf, cusolverDnHandle_t handle, int m, int n, type *A,  \
                          int lda, type *tau, type *work, int lwork, int *info);                   \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##Q##gqr_bufferSize, cusolverDnHandle_t handle, int m,      \
                          int n, int k, const type *A, int lda, const type *tau, int *lwork);      \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##Q##gqr, cusolverDnHandle_t handle, int m, int n, int k,   \
                          type *A, int lda, const type *tau, type *work, int lwork, int *info);    \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##Q##mqr_bufferSize, cusolverDnHandle_t handle,             \
                          cublasSideMode_t side, cublasOperation_t op, int m, int n, int k,        \
                          const type *A, int lda, const type *tau, const type *C, int ldc,         \
                          int *lwork);                                                             \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##Q##mqr, cusolverDnHandle_t handle, cublasSideMode_t side, \
                          cublasOperation_t op, int m, int n, int k, const type *A, int lda,       \
                          const type *tau, type *C, int ldc, type *work, int lwork, int *info);    \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##E##evd_bufferSize, cusolverDnHandle_t handle,             \
                          cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const type *A,     \
                          int lda, const real *W, int *lwork);                                     \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##E##evd, cusolverDnHandle_t handle,                        \
                          cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, type *A, int lda,  \
                          real *W, type *work, int lwork, int *info);                              \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##E##evj_bufferSize, cusolverDnHandle_t handle,             \
                          cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const type *A,     \
                          int lda, const real *W, int *lwork, syevjInfo_t parameters);             \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##E##evj, cusolverDnHandle_t handle,                        \
                          cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, type *A, int lda,  \
                          real *W, type *work, int lwork, int *info, syevjInfo_t parameters);      \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##E##gvd_bufferSize, cusolverDnHandle_t handle,             \
                          cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo,  \
                          int n, const type *A, int lda, const type *B, int ldb, const real *W,    \
                          int *lwork);                                                             \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##E##gvd, cusolverDnHandle_t handle,                        \
                          cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo,  \
                          int n, type *A, int lda, type *B, int ldb, real *W, type *work,          \
                          int lwork, int *info);                                                   \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##gesvd_bufferSize, cusolverDnHandle_t handle, int m,       \
                          int n, int *lwork);                                                      \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##gesvd, cusolverDnHandle_t handle, signed char jobu,       \
                          signed char jobvt, int m, int n, type *A, int lda, real *S, type *U,     \
                          int ldu, type *VT, int ldvt, type *work, int lwork, real *rwork,         \
                          int *info);                                                              \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##gesvdj_bufferSize, cusolverDnHandle_t handle,             \
                          cusolverEigMode_t jobz, int econ, int m, int n, const type *A, int lda,  \
                          const real *S, const type *U, int ldu, const type *V, int ldv,           \
                          int *lwork, gesvdjInfo_t parameters);                                    \
    PORTABLE_CUDA_SOLVER_(cusolverDn##L##gesvdj, cusolverDnHandle_t handle,                        \
                          cusolverEigMode_t jobz, int econ, int m, int n, type *A, int lda,        \
                          real *S, type *U, int ldu, type *V, int ldv, type *work, int lwork,      \
                          int *info, gesvdjInfo_t parameters);
PORTABLE_CUDA_SOLVERS_(S, or, sy, float, float)
PORTABLE_CUDA_SOLVERS_(D, or, sy, double, double)
PORTABLE_CUDA_SOLVERS_(C, un, he, cuComplex, float)
PORTABLE_CUDA_SOLVERS_(Z, un, he, cuDoubleComplex, double)
#undef PORTABLE_CUDA_SOLVERS_

/* With 64-bit sizes, for each type. */
PORTABLE_CUDA_SOLVER_(cusolverDnXpotrf_bufferSize, cusolverDnHandle_t handle,
                      cusolverDnParams_t parameters, cublasFillMode_t uplo, int64_t n,
                      cudaDataType type, const void *A, int64_t lda, cudaDataType compute_type,
                      size_t *device_bytes, size_t *host_bytes);
PORTABLE_CUDA_SOLVER_(cusolverDnXpotrf, cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                      cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A, int64_t lda,
                      cudaDataType compute_type, void *device_work, size_t device_bytes,
                      void *host_work, size_t host_bytes, int *info);
PORTABLE_CUDA_SOLVER_(cusolverDnXpotrs, cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                      cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType type,
                      const void *A, int64_t lda, cudaDataType type_b, void *B, int64_t ldb,
                      int *info);
PORTABLE_CUDA_SOLVER_(cusolverDnXgetrf_bufferSize, cusolverDnHandle_t handle,
                      cusolverDnParams_t parameters, int64_t m, int64_t n, cudaDataType type,
                      const void *A, int64_t lda, cudaDataType compute_type, size_t *device_bytes,
                      size_t *host_bytes);
PORTABLE_CUDA_SOLVER_(cusolverDnXgetrf, cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                      int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,
                      int64_t *pivots, cudaDataType compute_type, void *device_work,
                      size_t device_bytes, void *host_work, size_t host_bytes, int *info);
PORTABLE_CUDA_SOLVER_(cusolverDnXgetrs, cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                      cublasOperation_t op, int64_t n, int64_t nrhs, cudaDataType type,
                      const void *A, int64_t lda, const int64_t *pivots, cudaDataType type_b,
                      void *B, int64_t ldb, int *info);
PORTABLE_CUDA_SOLVER_(cusolverDnXgeqrf_bufferSize, cusolverDnHandle_t handle,
                      cusolverDnParams_t parameters, int64_t m, int64_t n, cudaDataType type,
                      const void *A, int64_t lda, cudaDataType type_tau, const void *tau,
                      cudaDataType compute_type, size_t *device_bytes, size_t *host_bytes);
PORTABLE_CUDA_SOLVER_(cusolverDnXgeqrf, cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                      int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,
                      cudaDataType type_tau, void *tau, cudaDataType compute_type,
                      void *device_work, size_t device_bytes, void *host_work, size_t host_bytes,
                      int *info);
PORTABLE_CUDA_SOLVER_(cusolverDnXsyevd_bufferSize, cusolverDnHandle_t handle,
                      cusolverDnParams_t parameters, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                      int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType type_w,
                      const void *W, cudaDataType compute_type, size_t *device_bytes,
                      size_t *host_bytes);
PORTABLE_CUDA_SOLVER_(cusolverDnXsyevd, cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                      cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType type,
                      void *A, int64_t lda, cudaDataType type_w, void *W, cudaDataType compute_type,
                      void *device_work, size_t device_bytes, void *host_work, size_t host_bytes,
                      int *info);
PORTABLE_CUDA_SOLVER_(cusolverDnXgesvd_bufferSize, cusolverDnHandle_t handle,
                      cusolverDnParams_t parameters, signed char jobu, signed char jobvt, int64_t m,
                      int64_t n, cudaDataType type, const void *A, int64_t lda, cudaDataType type_s,
                      const void *S, cudaDataType type_u, const void *U, int64_t ldu,
                      cudaDataType type_vt, const void *VT, int64_t ldvt, cudaDataType compute_type,
                      size_t *device_bytes, size_t *host_bytes);
PORTABLE_CUDA_SOLVER_(cusolverDnXgesvd, cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                      signed char jobu, signed char jobvt, int64_t m, int64_t n, cudaDataType type,
                      void *A, int64_t lda, cudaDataType type_s, void *S, cudaDataType type_u,
                      void *U, int64_t ldu, cudaDataType type_vt, void *VT, int64_t ldvt,
                      cudaDataType compute_type, void *device_work, size_t device_bytes,
                      void *host_work, size_t host_bytes, int *info);

#if defined(__cplusplus)
}
#endif

#endif
