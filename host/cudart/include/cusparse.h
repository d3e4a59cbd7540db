/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuSPARSE on the CPU, for C and C++: the calls of host/cudart/sparse.c, for -lcusparse.
 * docs/cuda-api.md lists them.
 */
#ifndef PORTABLE_CUDA_CUSPARSE_H
#define PORTABLE_CUDA_CUSPARSE_H
#define CUSPARSE_H_

#include <stddef.h> /* size_t */
#include <stdint.h> /* int64_t */
#include <stdio.h>  /* CUDA's own brings it */

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#if defined(__cplusplus)
#include "cuda_fp16.h"
#endif

#define CUSPARSEAPI
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 0
#define CUSPARSE_VER_BUILD 0
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;

typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum {
    CUSPARSE_POINTER_MODE_HOST = 0,
    CUSPARSE_POINTER_MODE_DEVICE = 1
} cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL = 0,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
    CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
    CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum {
    CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
    CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cusparseSolvePolicy_t;
typedef enum {
    CUSPARSE_FORMAT_CSR = 1,
    CUSPARSE_FORMAT_CSC = 2,
    CUSPARSE_FORMAT_COO = 3,
    CUSPARSE_FORMAT_BLOCKED_ELL = 5,
    CUSPARSE_FORMAT_BSR = 6,
    CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
    CUSPARSE_INDEX_16U = 1,
    CUSPARSE_INDEX_32I = 2,
    CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum {
    CUSPARSE_SPMAT_FILL_MODE = 0,
    CUSPARSE_SPMAT_DIAG_TYPE = 1
} cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_MV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_SPMV_CSR_ALG2 = 3,
    CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_COO_ALG2 = 4,
    CUSPARSE_SPMV_SELL_ALG1 = 5,
    CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12,
    CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
    CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT = 0,
    CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
    CUSPARSE_SPGEMM_ALG1 = 3,
    CUSPARSE_SPGEMM_ALG2 = 4,
    CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;

/* A call. Its symbol begins with portable_, so that the checks report the line that calls it. */
#define PORTABLE_CUDA_SPARSE_(name, ...)                                                           \
    cusparseStatus_t name(__VA_ARGS__) __asm__("portable_" #name)

#if defined(__cplusplus)
extern "C" {
#endif

PORTABLE_CUDA_SPARSE_(cusparseCreate, cusparseHandle_t *handle);
PORTABLE_CUDA_SPARSE_(cusparseDestroy, cusparseHandle_t handle);
PORTABLE_CUDA_SPARSE_(cusparseGetVersion, cusparseHandle_t handle, int *version);
PORTABLE_CUDA_SPARSE_(cusparseGetProperty, libraryPropertyType type, int *value);
const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);
PORTABLE_CUDA_SPARSE_(cusparseSetStream, cusparseHandle_t handle, cudaStream_t stream);
PORTABLE_CUDA_SPARSE_(cusparseGetStream, cusparseHandle_t handle, cudaStream_t *stream);
PORTABLE_CUDA_SPARSE_(cusparseSetPointerMode, cusparseHandle_t handle, cusparsePointerMode_t mode);
PORTABLE_CUDA_SPARSE_(cusparseGetPointerMode, cusparseHandle_t handle, cusparsePointerMode_t *mode);

/* Descriptors of the calls without a type of their own. */
PORTABLE_CUDA_SPARSE_(cusparseCreateMatDescr, cusparseMatDescr_t *descriptor);
PORTABLE_CUDA_SPARSE_(cusparseDestroyMatDescr, cusparseMatDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSetMatType, cusparseMatDescr_t descriptor,
                      cusparseMatrixType_t value);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSetMatFillMode, cusparseMatDescr_t descriptor,
                      cusparseFillMode_t value);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSetMatDiagType, cusparseMatDescr_t descriptor,
                      cusparseDiagType_t value);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSetMatIndexBase, cusparseMatDescr_t descriptor,
                      cusparseIndexBase_t value);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descriptor);

/* Vectors and matrices. */
PORTABLE_CUDA_SPARSE_(cusparseCreateSpVec, cusparseSpVecDescr_t *vector, int64_t size, int64_t nnz,
                      void *indices, void *values, cusparseIndexType_t index_type,
                      cusparseIndexBase_t base, cudaDataType type);
PORTABLE_CUDA_SPARSE_(cusparseSpVecGet, cusparseSpVecDescr_t vector, int64_t *size, int64_t *nnz,
                      void **indices, void **values, cusparseIndexType_t *index_type,
                      cusparseIndexBase_t *base, cudaDataType *type);
PORTABLE_CUDA_SPARSE_(cusparseSpVecGetValues, cusparseSpVecDescr_t vector, void **values);
PORTABLE_CUDA_SPARSE_(cusparseCreateDnVec, cusparseDnVecDescr_t *vector, int64_t size, void *values,
                      cudaDataType type);
PORTABLE_CUDA_SPARSE_(cusparseDnVecGet, cusparseDnVecDescr_t vector, int64_t *size, void **values,
                      cudaDataType *type);
PORTABLE_CUDA_SPARSE_(cusparseDnVecGetValues, cusparseDnVecDescr_t vector, void **values);
PORTABLE_CUDA_SPARSE_(cusparseCreateDnMat, cusparseDnMatDescr_t *matrix, int64_t rows,
                      int64_t columns, int64_t ld, void *values, cudaDataType type,
                      cusparseOrder_t order);
PORTABLE_CUDA_SPARSE_(cusparseDnMatGet, cusparseDnMatDescr_t matrix, int64_t *rows,
                      int64_t *columns, int64_t *ld, void **values, cudaDataType *type,
                      cusparseOrder_t *order);
PORTABLE_CUDA_SPARSE_(cusparseDnMatGetValues, cusparseDnMatDescr_t matrix, void **values);
PORTABLE_CUDA_SPARSE_(cusparseSpMatGetValues, cusparseSpMatDescr_t matrix, void **values);
PORTABLE_CUDA_SPARSE_(cusparseCreateCsr, cusparseSpMatDescr_t *matrix, int64_t rows,
                      int64_t columns, int64_t nnz, void *offsets, void *indices, void *values,
                      cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                      cusparseIndexBase_t base, cudaDataType type);
PORTABLE_CUDA_SPARSE_(cusparseCsrGet, cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                      int64_t *nnz, void **offsets, void **indices, void **values,
                      cusparseIndexType_t *offset_type, cusparseIndexType_t *index_type,
                      cusparseIndexBase_t *base, cudaDataType *type);
PORTABLE_CUDA_SPARSE_(cusparseCreateCsc, cusparseSpMatDescr_t *matrix, int64_t rows,
                      int64_t columns, int64_t nnz, void *offsets, void *indices, void *values,
                      cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                      cusparseIndexBase_t base, cudaDataType type);
PORTABLE_CUDA_SPARSE_(cusparseCscGet, cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                      int64_t *nnz, void **offsets, void **indices, void **values,
                      cusparseIndexType_t *offset_type, cusparseIndexType_t *index_type,
                      cusparseIndexBase_t *base, cudaDataType *type);
PORTABLE_CUDA_SPARSE_(cusparseCreateCoo, cusparseSpMatDescr_t *matrix, int64_t rows,
                      int64_t columns, int64_t nnz, void *row_indices, void *column_indices,
                      void *values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                      cudaDataType type);
PORTABLE_CUDA_SPARSE_(cusparseCooGet, cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                      int64_t *nnz, void **row_indices, void **column_indices, void **values,
                      cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                      cudaDataType *type);
PORTABLE_CUDA_SPARSE_(cusparseCreateConstSpVec, cusparseConstSpVecDescr_t *vector, int64_t size,
                      int64_t nnz, const void *indices, const void *values,
                      cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
PORTABLE_CUDA_SPARSE_(cusparseConstSpVecGet, cusparseConstSpVecDescr_t vector, int64_t *size,
                      int64_t *nnz, const void **indices, const void **values,
                      cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                      cudaDataType *type);
PORTABLE_CUDA_SPARSE_(cusparseConstSpVecGetValues, cusparseConstSpVecDescr_t vector,
                      const void **values);
PORTABLE_CUDA_SPARSE_(cusparseCreateConstDnVec, cusparseConstDnVecDescr_t *vector, int64_t size,
                      const void *values, cudaDataType type);
PORTABLE_CUDA_SPARSE_(cusparseConstDnVecGet, cusparseConstDnVecDescr_t vector, int64_t *size,
                      const void **values, cudaDataType *type);
PORTABLE_CUDA_SPARSE_(cusparseConstDnVecGetValues, cusparseConstDnVecDescr_t vector,
                      const void **values);
PORTABLE_CUDA_SPARSE_(cusparseCreateConstDnMat, cusparseConstDnMatDescr_t *matrix, int64_t rows,
                      int64_t columns, int64_t ld, const void *values, cudaDataType type,
                      cusparseOrder_t order);
PORTABLE_CUDA_SPARSE_(cusparseConstDnMatGet, cusparseConstDnMatDescr_t matrix, int64_t *rows,
                      int64_t *columns, int64_t *ld, const void **values, cudaDataType *type,
                      cusparseOrder_t *order);
PORTABLE_CUDA_SPARSE_(cusparseConstDnMatGetValues, cusparseConstDnMatDescr_t matrix,
                      const void **values);
PORTABLE_CUDA_SPARSE_(cusparseConstSpMatGetValues, cusparseConstSpMatDescr_t matrix,
                      const void **values);
PORTABLE_CUDA_SPARSE_(cusparseCreateConstCsr, cusparseConstSpMatDescr_t *matrix, int64_t rows,
                      int64_t columns, int64_t nnz, const void *offsets, const void *indices,
                      const void *values, cusparseIndexType_t offset_type,
                      cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
PORTABLE_CUDA_SPARSE_(cusparseConstCsrGet, cusparseConstSpMatDescr_t matrix, int64_t *rows,
                      int64_t *columns, int64_t *nnz, const void **offsets, const void **indices,
                      const void **values, cusparseIndexType_t *offset_type,
                      cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                      cudaDataType *type);
PORTABLE_CUDA_SPARSE_(cusparseCreateConstCsc, cusparseConstSpMatDescr_t *matrix, int64_t rows,
                      int64_t columns, int64_t nnz, const void *offsets, const void *indices,
                      const void *values, cusparseIndexType_t offset_type,
                      cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
PORTABLE_CUDA_SPARSE_(cusparseConstCscGet, cusparseConstSpMatDescr_t matrix, int64_t *rows,
                      int64_t *columns, int64_t *nnz, const void **offsets, const void **indices,
                      const void **values, cusparseIndexType_t *offset_type,
                      cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                      cudaDataType *type);
PORTABLE_CUDA_SPARSE_(cusparseCreateConstCoo, cusparseConstSpMatDescr_t *matrix, int64_t rows,
                      int64_t columns, int64_t nnz, const void *row_indices,
                      const void *column_indices, const void *values,
                      cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
PORTABLE_CUDA_SPARSE_(cusparseConstCooGet, cusparseConstSpMatDescr_t matrix, int64_t *rows,
                      int64_t *columns, int64_t *nnz, const void **row_indices,
                      const void **column_indices, const void **values,
                      cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                      cudaDataType *type);
PORTABLE_CUDA_SPARSE_(cusparseDestroySpVec, cusparseConstSpVecDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSpVecSetValues, cusparseSpVecDescr_t descriptor, void *values);
PORTABLE_CUDA_SPARSE_(cusparseDestroyDnVec, cusparseConstDnVecDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseDnVecSetValues, cusparseDnVecDescr_t descriptor, void *values);
PORTABLE_CUDA_SPARSE_(cusparseDestroyDnMat, cusparseConstDnMatDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseDnMatSetValues, cusparseDnMatDescr_t descriptor, void *values);
PORTABLE_CUDA_SPARSE_(cusparseDestroySpMat, cusparseConstSpMatDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSpMatSetValues, cusparseSpMatDescr_t descriptor, void *values);
PORTABLE_CUDA_SPARSE_(cusparseSpVecGetIndexBase, cusparseConstSpVecDescr_t vector,
                      cusparseIndexBase_t *base);
PORTABLE_CUDA_SPARSE_(cusparseSpMatGetFormat, cusparseConstSpMatDescr_t matrix,
                      cusparseFormat_t *format);
PORTABLE_CUDA_SPARSE_(cusparseSpMatGetIndexBase, cusparseConstSpMatDescr_t matrix,
                      cusparseIndexBase_t *base);
PORTABLE_CUDA_SPARSE_(cusparseSpMatGetSize, cusparseConstSpMatDescr_t matrix, int64_t *rows,
                      int64_t *columns, int64_t *nnz);
PORTABLE_CUDA_SPARSE_(cusparseSpMatGetAttribute, cusparseConstSpMatDescr_t matrix,
                      cusparseSpMatAttribute_t attribute, void *data, size_t bytes);
PORTABLE_CUDA_SPARSE_(cusparseSpMatSetAttribute, cusparseSpMatDescr_t matrix,
                      cusparseSpMatAttribute_t attribute, void *data, size_t bytes);
PORTABLE_CUDA_SPARSE_(cusparseCsrSetPointers, cusparseSpMatDescr_t matrix, void *offsets,
                      void *indices, void *values);
PORTABLE_CUDA_SPARSE_(cusparseCscSetPointers, cusparseSpMatDescr_t matrix, void *offsets,
                      void *indices, void *values);
PORTABLE_CUDA_SPARSE_(cusparseCooSetPointers, cusparseSpMatDescr_t matrix, void *row_indices,
                      void *column_indices, void *values);
PORTABLE_CUDA_SPARSE_(cusparseDnMatSetStridedBatch, cusparseDnMatDescr_t matrix, int count,
                      int64_t stride);
PORTABLE_CUDA_SPARSE_(cusparseDnMatGetStridedBatch, cusparseConstDnMatDescr_t matrix, int *count,
                      int64_t *stride);

/* Sparse and dense vectors. */
PORTABLE_CUDA_SPARSE_(cusparseAxpby, cusparseHandle_t handle, const void *alpha,
                      cusparseConstSpVecDescr_t x, const void *beta, cusparseDnVecDescr_t y);
PORTABLE_CUDA_SPARSE_(cusparseGather, cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                      cusparseSpVecDescr_t x);
PORTABLE_CUDA_SPARSE_(cusparseScatter, cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                      cusparseDnVecDescr_t y);
PORTABLE_CUDA_SPARSE_(cusparseRot, cusparseHandle_t handle, const void *c, const void *s,
                      cusparseSpVecDescr_t x, cusparseDnVecDescr_t y);
PORTABLE_CUDA_SPARSE_(cusparseSpVV_bufferSize, cusparseHandle_t handle, cusparseOperation_t op,
                      cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, const void *result,
                      cudaDataType compute_type, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseSpVV, cusparseHandle_t handle, cusparseOperation_t op,
                      cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, void *result,
                      cudaDataType compute_type, void *buffer);

/* Conversions. */
PORTABLE_CUDA_SPARSE_(cusparseSparseToDense_bufferSize, cusparseHandle_t handle,
                      cusparseConstSpMatDescr_t A, cusparseDnMatDescr_t B,
                      cusparseSparseToDenseAlg_t algorithm, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseSparseToDense, cusparseHandle_t handle, cusparseConstSpMatDescr_t A,
                      cusparseDnMatDescr_t B, cusparseSparseToDenseAlg_t algorithm, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseDenseToSparse_bufferSize, cusparseHandle_t handle,
                      cusparseConstDnMatDescr_t A, cusparseSpMatDescr_t B,
                      cusparseDenseToSparseAlg_t algorithm, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseDenseToSparse_analysis, cusparseHandle_t handle,
                      cusparseConstDnMatDescr_t A, cusparseSpMatDescr_t B,
                      cusparseDenseToSparseAlg_t algorithm, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseDenseToSparse_convert, cusparseHandle_t handle,
                      cusparseConstDnMatDescr_t A, cusparseSpMatDescr_t B,
                      cusparseDenseToSparseAlg_t algorithm, void *buffer);

/* Products and triangular systems. */
PORTABLE_CUDA_SPARSE_(cusparseSpMV_bufferSize, cusparseHandle_t handle, cusparseOperation_t op,
                      const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                      const void *beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
                      cusparseSpMVAlg_t algorithm, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseSpMV_preprocess, cusparseHandle_t handle, cusparseOperation_t op,
                      const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                      const void *beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
                      cusparseSpMVAlg_t algorithm, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSpMV, cusparseHandle_t handle, cusparseOperation_t op,
                      const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                      const void *beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
                      cusparseSpMVAlg_t algorithm, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSpMM_bufferSize, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t A,
                      cusparseConstDnMatDescr_t B, const void *beta, cusparseDnMatDescr_t C,
                      cudaDataType compute_type, cusparseSpMMAlg_t algorithm, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseSpMM_preprocess, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t A,
                      cusparseConstDnMatDescr_t B, const void *beta, cusparseDnMatDescr_t C,
                      cudaDataType compute_type, cusparseSpMMAlg_t algorithm, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSpMM, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t A,
                      cusparseConstDnMatDescr_t B, const void *beta, cusparseDnMatDescr_t C,
                      cudaDataType compute_type, cusparseSpMMAlg_t algorithm, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSDDMM_bufferSize, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t A,
                      cusparseConstDnMatDescr_t B, const void *beta, cusparseSpMatDescr_t C,
                      cudaDataType compute_type, cusparseSDDMMAlg_t algorithm, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseSDDMM_preprocess, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t A,
                      cusparseConstDnMatDescr_t B, const void *beta, cusparseSpMatDescr_t C,
                      cudaDataType compute_type, cusparseSDDMMAlg_t algorithm, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSDDMM, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t A,
                      cusparseConstDnMatDescr_t B, const void *beta, cusparseSpMatDescr_t C,
                      cudaDataType compute_type, cusparseSDDMMAlg_t algorithm, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSpSV_createDescr, cusparseSpSVDescr_t *descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSpSV_destroyDescr, cusparseSpSVDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSpSV_bufferSize, cusparseHandle_t handle, cusparseOperation_t op,
                      const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                      cusparseDnVecDescr_t y, cudaDataType compute_type,
                      cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseSpSV_analysis, cusparseHandle_t handle, cusparseOperation_t op,
                      const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                      cusparseDnVecDescr_t y, cudaDataType compute_type,
                      cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSpSV_solve, cusparseHandle_t handle, cusparseOperation_t op,
                      const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                      cusparseDnVecDescr_t y, cudaDataType compute_type,
                      cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSpSM_createDescr, cusparseSpSMDescr_t *descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSpSM_destroyDescr, cusparseSpSMDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSpSM_bufferSize, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t A,
                      cusparseConstDnMatDescr_t B, cusparseDnMatDescr_t C,
                      cudaDataType compute_type, cusparseSpSMAlg_t algorithm,
                      cusparseSpSMDescr_t descriptor, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseSpSM_analysis, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t A,
                      cusparseConstDnMatDescr_t B, cusparseDnMatDescr_t C,
                      cudaDataType compute_type, cusparseSpSMAlg_t algorithm,
                      cusparseSpSMDescr_t descriptor, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSpSM_solve, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t A,
                      cusparseConstDnMatDescr_t B, cusparseDnMatDescr_t C,
                      cudaDataType compute_type, cusparseSpSMAlg_t algorithm,
                      cusparseSpSMDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSpGEMM_createDescr, cusparseSpGEMMDescr_t *descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSpGEMM_destroyDescr, cusparseSpGEMMDescr_t descriptor);
PORTABLE_CUDA_SPARSE_(cusparseSpGEMM_workEstimation, cusparseHandle_t handle,
                      cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                      cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B, const void *beta,
                      cusparseSpMatDescr_t C, cudaDataType compute_type,
                      cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descriptor,
                      size_t *bytes, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSpGEMM_compute, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t A,
                      cusparseConstSpMatDescr_t B, const void *beta, cusparseSpMatDescr_t C,
                      cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
                      cusparseSpGEMMDescr_t descriptor, size_t *bytes, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSpGEMM_copy, cusparseHandle_t handle, cusparseOperation_t op_a,
                      cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t A,
                      cusparseConstSpMatDescr_t B, const void *beta, cusparseSpMatDescr_t C,
                      cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
                      cusparseSpGEMMDescr_t descriptor);

/* Indices, of int. */
PORTABLE_CUDA_SPARSE_(cusparseXcoo2csr, cusparseHandle_t handle, const int *row_indices, int nnz,
                      int rows, int *offsets, cusparseIndexBase_t base);
PORTABLE_CUDA_SPARSE_(cusparseXcsr2coo, cusparseHandle_t handle, const int *offsets, int nnz,
                      int rows, int *row_indices, cusparseIndexBase_t base);
PORTABLE_CUDA_SPARSE_(cusparseCreateIdentityPermutation, cusparseHandle_t handle, int n,
                      int *permutation);
PORTABLE_CUDA_SPARSE_(cusparseXcoosort_bufferSizeExt, cusparseHandle_t handle, int rows,
                      int columns, int nnz, const int *row_indices, const int *column_indices,
                      size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseXcoosortByRow, cusparseHandle_t handle, int rows, int columns,
                      int nnz, int *row_indices, int *column_indices, int *permutation,
                      void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseXcoosortByColumn, cusparseHandle_t handle, int rows, int columns,
                      int nnz, int *row_indices, int *column_indices, int *permutation,
                      void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseXcsrsort_bufferSizeExt, cusparseHandle_t handle, int rows,
                      int columns, int nnz, const int *offsets, const int *indices, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseXcsrsort, cusparseHandle_t handle, int rows, int columns, int nnz,
                      const cusparseMatDescr_t descriptor, const int *offsets, int *indices,
                      int *permutation, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseXcscsort_bufferSizeExt, cusparseHandle_t handle, int rows,
                      int columns, int nnz, const int *offsets, const int *indices, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseXcscsort, cusparseHandle_t handle, int rows, int columns, int nnz,
                      const cusparseMatDescr_t descriptor, const int *offsets, int *indices,
                      int *permutation, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseCsr2cscEx2_bufferSize, cusparseHandle_t handle, int rows, int columns,
                      int nnz, const void *csr_values, const int *csr_offsets,
                      const int *csr_indices, void *csc_values, int *csc_offsets, int *csc_indices,
                      cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
                      cusparseCsr2CscAlg_t algorithm, size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseCsr2cscEx2, cusparseHandle_t handle, int rows, int columns, int nnz,
                      const void *csr_values, const int *csr_offsets, const int *csr_indices,
                      void *csc_values, int *csc_offsets, int *csc_indices, cudaDataType type,
                      cusparseAction_t action, cusparseIndexBase_t base,
                      cusparseCsr2CscAlg_t algorithm, void *buffer);

/* Tridiagonal systems. */
PORTABLE_CUDA_SPARSE_(cusparseSgtsv2_bufferSizeExt, cusparseHandle_t handle, int m, int n,
                      const float *dl, const float *d, const float *du, const float *B, int ldb,
                      size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseSgtsv2, cusparseHandle_t handle, int m, int n, const float *dl,
                      const float *d, const float *du, float *B, int ldb, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseSgtsv2_nopivot_bufferSizeExt, cusparseHandle_t handle, int m, int n,
                      const float *dl, const float *d, const float *du, const float *B, int ldb,
                      size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseSgtsv2_nopivot, cusparseHandle_t handle, int m, int n,
                      const float *dl, const float *d, const float *du, float *B, int ldb,
                      void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseDgtsv2_bufferSizeExt, cusparseHandle_t handle, int m, int n,
                      const double *dl, const double *d, const double *du, const double *B, int ldb,
                      size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseDgtsv2, cusparseHandle_t handle, int m, int n, const double *dl,
                      const double *d, const double *du, double *B, int ldb, void *buffer);
PORTABLE_CUDA_SPARSE_(cusparseDgtsv2_nopivot_bufferSizeExt, cusparseHandle_t handle, int m, int n,
                      const double *dl, const double *d, const double *du, const double *B, int ldb,
                      size_t *bytes);
PORTABLE_CUDA_SPARSE_(cusparseDgtsv2_nopivot, cusparseHandle_t handle, int m, int n,
                      const double *dl, const double *d, const double *du, double *B, int ldb,
                      void *buffer);

/* Incomplete factorisations. */
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;
PORTABLE_CUDA_SPARSE_(cusparseCreateCsrilu02Info, csrilu02Info_t *info);
PORTABLE_CUDA_SPARSE_(cusparseDestroyCsrilu02Info, csrilu02Info_t info);
PORTABLE_CUDA_SPARSE_(cusparseXcsrilu02_zeroPivot, cusparseHandle_t handle, csrilu02Info_t info,
                      int *position);
PORTABLE_CUDA_SPARSE_(cusparseCreateCsric02Info, csric02Info_t *info);
PORTABLE_CUDA_SPARSE_(cusparseDestroyCsric02Info, csric02Info_t info);
PORTABLE_CUDA_SPARSE_(cusparseXcsric02_zeroPivot, cusparseHandle_t handle, csric02Info_t info,
                      int *position);
#define PORTABLE_CUDA_FACTORISATION_(call, element, info_t)                                        \
    PORTABLE_CUDA_SPARSE_(call##_bufferSize, cusparseHandle_t handle, int m, int nnz,              \
                          const cusparseMatDescr_t descriptor, element *values,                    \
                          const int *offsets, const int *columns, info_t info, int *bytes);        \
    PORTABLE_CUDA_SPARSE_(call##_bufferSizeExt, cusparseHandle_t handle, int m, int nnz,           \
                          const cusparseMatDescr_t descriptor, element *values,                    \
                          const int *offsets, const int *columns, info_t info, size_t *bytes);     \
    PORTABLE_CUDA_SPARSE_(call##_analysis, cusparseHandle_t handle, int m, int nnz,                \
                          const cusparseMatDescr_t descriptor, const element *values,              \
                          const int *offsets, const int *columns, info_t info,                     \
                          cusparseSolvePolicy_t policy, void *buffer);                             \
    PORTABLE_CUDA_SPARSE_(call, cusparseHandle_t handle, int m, int nnz,                           \
                          const cusparseMatDescr_t descriptor, element *values,                    \
                          const int *offsets, const int *columns, info_t info,                     \
                          cusparseSolvePolicy_t policy, void *buffer)
#define PORTABLE_CUDA_FACTORISATIONS_(letter, element)                                             \
    PORTABLE_CUDA_FACTORISATION_(cusparse##letter##csrilu02, element, csrilu02Info_t);             \
    PORTABLE_CUDA_FACTORISATION_(cusparse##letter##csric02, element, csric02Info_t);               \
    PORTABLE_CUDA_SPARSE_(cusparse##letter##csrilu02_numericBoost, cusparseHandle_t handle,        \
                          csrilu02Info_t info, int enable, double *tolerance, element *boost)
PORTABLE_CUDA_FACTORISATIONS_(S, float);
PORTABLE_CUDA_FACTORISATIONS_(D, double);
PORTABLE_CUDA_FACTORISATIONS_(C, cuComplex);
PORTABLE_CUDA_FACTORISATIONS_(Z, cuDoubleComplex);
#undef PORTABLE_CUDA_FACTORISATIONS_
#undef PORTABLE_CUDA_FACTORISATION_

#if defined(__cplusplus)
}
#endif
#undef PORTABLE_CUDA_SPARSE_

#endif
