/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cublasXt: each call copies its matrices to the device, calls cuBLAS, and copies the result back.
 */
#include "host/cudart/include/cublasXt.h"

#include <limits.h> /* INT_MAX */
#include <stdint.h> /* SIZE_MAX */
#include <stdlib.h> /* calloc, free */

struct cublasXtContext {
    cublasHandle_t cublas;
    int block;
    cublasXtPinnedMemMode_t mode;
};

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
    } while (0)

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle)
{
    REQUIRE(handle);
    struct cublasXtContext *const made = (struct cublasXtContext *)calloc(1, sizeof *made);
    if (!made)
        return CUBLAS_STATUS_ALLOC_FAILED;
    const cublasStatus_t status = cublasCreate(&made->cublas);
    if (status != CUBLAS_STATUS_SUCCESS) {
        free(made);
        return status;
    }
    made->block = 2048;
    *handle = made;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const cublasStatus_t status = cublasDestroy(handle->cublas);
    free(handle);
    return status;
}

static int are_devices(int count, const int *devices)
{
    for (int k = 0; k < count; k++)
        if (devices[k] != 0)
            return 0;
    return count > 0;
}

cublasStatus_t cublasXtGetNumBoards(int count, int devices[], int *boards)
{
    REQUIRE(devices && boards && are_devices(count, devices));
    *boards = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtMaxBoards(int *boards)
{
    REQUIRE(boards);
    *boards = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[])
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    REQUIRE(devices && count == 1 && are_devices(count, devices));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int block)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    REQUIRE(block > 0);
    handle->block = block;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *block)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    REQUIRE(block);
    *block = handle->block;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    REQUIRE((unsigned)mode <= CUBLASXT_PINNING_ENABLED);
    handle->mode = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    REQUIRE(mode);
    *mode = handle->mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t operation,
                                     cublasXtOpType_t type, void *routine)
{
    (void)routine;
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    REQUIRE((unsigned)operation < CUBLASXT_ROUTINE_MAX && (unsigned)type <= CUBLASXT_DOUBLECOMPLEX);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t operation,
                                   cublasXtOpType_t type, float ratio)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    REQUIRE((unsigned)operation < CUBLASXT_ROUTINE_MAX &&
            (unsigned)type <= CUBLASXT_DOUBLECOMPLEX && ratio >= 0 && ratio <= 1);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- matrices ---- */

/* A matrix of the caller and its copy on the device, whose leading dimension is its height. */
struct copy {
    const void *from;
    void *to; /* where the result goes, or NULL */
    void *device;
    size_t element, rows, columns, ld;
};
enum { OPERANDS = 3 };
struct call {
    struct copy copies[OPERANDS];
    int count;
    cublasStatus_t status;
};

/* The copy on the device, or NULL: the call has a status then. */
static void *portable_cuda_stage_(struct call *call, const void *from, void *to, size_t element,
                                  size_t rows, size_t columns, size_t ld)
{
    struct copy *const copy = &call->copies[call->count++];
    copy->from = from;
    copy->to = to;
    copy->element = element;
    copy->rows = rows;
    copy->columns = columns;
    copy->ld = ld;
    copy->device = NULL;
    if (call->status != CUBLAS_STATUS_SUCCESS || rows == 0 || columns == 0)
        return NULL;
    if (rows > INT_MAX || columns > INT_MAX || ld < rows || !from)
        call->status = CUBLAS_STATUS_INVALID_VALUE;
    else if (ld > SIZE_MAX / 2 / element ||
             cudaMalloc(&copy->device, rows * columns * element) != cudaSuccess)
        call->status = CUBLAS_STATUS_ALLOC_FAILED;
    else if (cudaMemcpy2D(copy->device, rows * element, from, ld * element, rows * element, columns,
                          cudaMemcpyDefault) != cudaSuccess)
        call->status = CUBLAS_STATUS_EXECUTION_FAILED;
    return copy->device;
}

static cublasStatus_t portable_cuda_finish_(struct call *call)
{
    for (int k = 0; k < call->count; k++) {
        const struct copy *const copy = &call->copies[k];
        if (call->status == CUBLAS_STATUS_SUCCESS && copy->to && copy->device &&
            cudaMemcpy2D(copy->to, copy->ld * copy->element, copy->device,
                         copy->rows * copy->element, copy->rows * copy->element, copy->columns,
                         cudaMemcpyDefault) != cudaSuccess)
            call->status = CUBLAS_STATUS_EXECUTION_FAILED;
        if (copy->device)
            cudaFree(copy->device);
    }
    return call->status;
}

static int leading(size_t rows)
{
    return rows > 0 ? (int)rows : 1;
}

#define BEGIN(handle, m, n, k)                                                                     \
    struct call call = {.status = CUBLAS_STATUS_SUCCESS};                                          \
    if (!handle)                                                                                   \
        return CUBLAS_STATUS_NOT_INITIALIZED;                                                      \
    REQUIRE((m) <= INT_MAX && (n) <= INT_MAX && (k) <= INT_MAX)
#define STAGE(T, X, rows, columns, ld)                                                             \
    T *const device_##X = (T *)portable_cuda_stage_(&call, X, NULL, sizeof(T), rows, columns, ld)
#define STAGE_RESULT(T, X, rows, columns, ld)                                                      \
    T *const device_##X = (T *)portable_cuda_stage_(&call, X, X, sizeof(T), rows, columns, ld)
#define FINISH(cublas_call)                                                                        \
    if (call.status == CUBLAS_STATUS_SUCCESS)                                                      \
        call.status = cublas_call;                                                                 \
    return portable_cuda_finish_(&call)

#define GEMM(L, T)                                                                                 \
    cublasStatus_t cublasXt##L##gemm(cublasXtHandle_t handle, cublasOperation_t transa,            \
                                     cublasOperation_t transb, size_t m, size_t n, size_t k,       \
                                     const T *alpha, const T *A, size_t lda, const T *B,           \
                                     size_t ldb, const T *beta, T *C, size_t ldc)                  \
    {                                                                                              \
        const size_t rows_a = transa == CUBLAS_OP_N ? m : k,                                       \
                     rows_b = transb == CUBLAS_OP_N ? k : n;                                       \
        BEGIN(handle, m, n, k);                                                                    \
        STAGE(T, A, rows_a, transa == CUBLAS_OP_N ? k : m, lda);                                   \
        STAGE(T, B, rows_b, transb == CUBLAS_OP_N ? n : k, ldb);                                   \
        STAGE_RESULT(T, C, m, n, ldc);                                                             \
        FINISH(cublas##L##gemm(handle->cublas, transa, transb, (int)m, (int)n, (int)k, alpha,      \
                               device_A, leading(rows_a), device_B, leading(rows_b), beta,         \
                               device_C, leading(m)));                                             \
    }
#define PRODUCT(L, T, name)                                                                        \
    cublasStatus_t cublasXt##L##name(cublasXtHandle_t handle, cublasSideMode_t side,               \
                                     cublasFillMode_t uplo, size_t m, size_t n, const T *alpha,    \
                                     const T *A, size_t lda, const T *B, size_t ldb,               \
                                     const T *beta, T *C, size_t ldc)                              \
    {                                                                                              \
        const size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                                     \
        BEGIN(handle, m, n, 0);                                                                    \
        STAGE(T, A, order, order, lda);                                                            \
        STAGE(T, B, m, n, ldb);                                                                    \
        STAGE_RESULT(T, C, m, n, ldc);                                                             \
        FINISH(cublas##L##name(handle->cublas, side, uplo, (int)m, (int)n, alpha, device_A,        \
                               leading(order), device_B, leading(m), beta, device_C, leading(m))); \
    }
#define RANK_K(L, T, ALPHA, BETA, name)                                                            \
    cublasStatus_t cublasXt##L##name(                                                              \
        cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n,         \
        size_t k, const ALPHA *alpha, const T *A, size_t lda, const BETA *beta, T *C, size_t ldc)  \
    {                                                                                              \
        const size_t rows = trans == CUBLAS_OP_N ? n : k, columns = trans == CUBLAS_OP_N ? k : n;  \
        BEGIN(handle, n, n, k);                                                                    \
        STAGE(T, A, rows, columns, lda);                                                           \
        STAGE_RESULT(T, C, n, n, ldc);                                                             \
        FINISH(cublas##L##name(handle->cublas, uplo, trans, (int)n, (int)k, alpha, device_A,       \
                               leading(rows), beta, device_C, leading(n)));                        \
    }
#define RANK_2K(L, T, BETA, name)                                                                  \
    cublasStatus_t cublasXt##L##name(cublasXtHandle_t handle, cublasFillMode_t uplo,               \
                                     cublasOperation_t trans, size_t n, size_t k, const T *alpha,  \
                                     const T *A, size_t lda, const T *B, size_t ldb,               \
                                     const BETA *beta, T *C, size_t ldc)                           \
    {                                                                                              \
        const size_t rows = trans == CUBLAS_OP_N ? n : k, columns = trans == CUBLAS_OP_N ? k : n;  \
        BEGIN(handle, n, n, k);                                                                    \
        STAGE(T, A, rows, columns, lda);                                                           \
        STAGE(T, B, rows, columns, ldb);                                                           \
        STAGE_RESULT(T, C, n, n, ldc);                                                             \
        FINISH(cublas##L##name(handle->cublas, uplo, trans, (int)n, (int)k, alpha, device_A,       \
                               leading(rows), device_B, leading(rows), beta, device_C,             \
                               leading(n)));                                                       \
    }
#define TRIANGULAR(L, T)                                                                           \
    cublasStatus_t cublasXt##L##trsm(cublasXtHandle_t handle, cublasSideMode_t side,               \
                                     cublasFillMode_t uplo, cublasOperation_t trans,               \
                                     cublasDiagType_t diag, size_t m, size_t n, const T *alpha,    \
                                     const T *A, size_t lda, T *B, size_t ldb)                     \
    {                                                                                              \
        const size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                                     \
        BEGIN(handle, m, n, 0);                                                                    \
        STAGE(T, A, order, order, lda);                                                            \
        STAGE_RESULT(T, B, m, n, ldb);                                                             \
        FINISH(cublas##L##trsm(handle->cublas, side, uplo, trans, diag, (int)m, (int)n, alpha,     \
                               device_A, leading(order), device_B, leading(m)));                   \
    }                                                                                              \
    cublasStatus_t cublasXt##L##trmm(                                                              \
        cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                     \
        cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const T *alpha,        \
        const T *A, size_t lda, const T *B, size_t ldb, T *C, size_t ldc)                          \
    {                                                                                              \
        const size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                                     \
        BEGIN(handle, m, n, 0);                                                                    \
        STAGE(T, A, order, order, lda);                                                            \
        STAGE(T, B, m, n, ldb);                                                                    \
        STAGE_RESULT(T, C, m, n, ldc);                                                             \
        FINISH(cublas##L##trmm(handle->cublas, side, uplo, trans, diag, (int)m, (int)n, alpha,     \
                               device_A, leading(order), device_B, leading(m), device_C,           \
                               leading(m)));                                                       \
    }
#define SYMMETRIC(L, T, ALPHA, BETA, kind)                                                         \
    RANK_K(L, T, ALPHA, BETA, kind##rk)                                                            \
    RANK_2K(L, T, BETA, kind##r2k)                                                                 \
    RANK_2K(L, T, BETA, kind##rkx)
#define LEVEL_3(L, T)                                                                              \
    GEMM(L, T)                                                                                     \
    PRODUCT(L, T, symm)                                                                            \
    TRIANGULAR(L, T)                                                                               \
    SYMMETRIC(L, T, T, T, sy)
LEVEL_3(S, float)
LEVEL_3(D, double)
LEVEL_3(C, cuComplex)
LEVEL_3(Z, cuDoubleComplex)
#define HERMITIAN(L, T, real)                                                                      \
    PRODUCT(L, T, hemm)                                                                            \
    SYMMETRIC(L, T, real, real, he)
HERMITIAN(C, cuComplex, float)
HERMITIAN(Z, cuDoubleComplex, double)
