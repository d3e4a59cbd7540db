/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libcusolver: the dense calls of cuSOLVER on LAPACKE. Each operand is copied from the device's
 * memory into a packed array of the host's, and back. No work area is used.
 */
#include "host/cudart/include/cusolverDn.h"
#include "host/cudart/complex_numbers.h"
#include "host/cudart/library.h"

#include <lapacke.h>
#include <stdlib.h> /* calloc, free, malloc */

struct cusolverDnContext {
    cudaStream_t stream;
};
struct cusolverDnParams {
    cusolverAlgMode_t algorithm;
};
struct syevjInfo {
    double tolerance;
    int sweeps, sorts;
};
struct gesvdjInfo {
    double tolerance;
    int sweeps, sorts;
};

#define REQUIRE(condition, error)                                                                  \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return error;                                                                          \
    } while (0)
#define REQUIRE_HANDLE(handle) REQUIRE(handle, CUSOLVER_STATUS_NOT_INITIALIZED)
#define REQUIRE_VALUE(condition) REQUIRE(condition, CUSOLVER_STATUS_INVALID_VALUE)

/* ---- calls and their operands ---- */

enum { OPERANDS = 6, READS = 1, WRITES = 2 };
struct operand {
    void *host, *device;
    int64_t rows, columns, ld;
    cudaDataType type;
    int writes;
};
struct work {
    const char *call;
    cusolverStatus_t status;
    int count;
    struct operand operands[OPERANDS];
};

static struct work portable_cuda_begin_solver_(const char *call, cusolverDnHandle_t handle)
{
    struct work work = {.call = call, .status = CUSOLVER_STATUS_SUCCESS};
    if (!handle)
        work.status = CUSOLVER_STATUS_NOT_INITIALIZED;
    else if (portable_cuda_begin_library_(handle->stream) != cudaSuccess)
        work.status = CUSOLVER_STATUS_EXECUTION_FAILED;
    return work;
}
static void copy(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(unsigned); i++)
        ((volatile unsigned *)to)[i] = ((const volatile unsigned *)from)[i];
}
static void copy_columns(void *to, int64_t to_ld, const void *from, int64_t from_ld, int64_t rows,
                         int64_t columns, size_t element)
{
    for (int64_t j = 0; j < columns; j++)
        copy((char *)to + (size_t)(j * to_ld) * element,
             (const char *)from + (size_t)(j * from_ld) * element, (size_t)rows * element);
}
/* Part L or U is a triangle; the others are the whole matrix. */
static int portable_cuda_open_part_(const char *call, const char *role, const struct operand *x,
                                    char part, int use)
{
    const size_t element = bytes_of(x->type);
    if (x->rows == 0 || x->columns == 0)
        return 1;
    if (part != 'L' && part != 'U')
        return portable_cuda_operand_(call, role, x->device, (size_t)x->ld * element,
                                      (size_t)x->rows * element, (size_t)x->columns,
                                      (use & READS) != 0, (use & WRITES) != 0) == cudaSuccess;
    for (int64_t j = 0; j < x->columns; j++) {
        const int64_t first = part == 'L' ? j : 0, count = part == 'L' ? x->rows - j : j + 1;
        if (portable_cuda_operand_(
                call, role, (char *)x->device + (size_t)(first + j * x->ld) * element, 0,
                (size_t)count * element, 1, (use & READS) != 0, (use & WRITES) != 0) != cudaSuccess)
            return 0;
    }
    return 1;
}
/* A copy of the operand, or NULL if the call has failed. reads, writes: a part, or 0. */
static void *portable_cuda_take_(struct work *work, const char *role, cudaDataType type,
                                 const void *device, int64_t rows, int64_t columns, int64_t ld,
                                 char reads, char writes)
{
    if (work->status != CUSOLVER_STATUS_SUCCESS)
        return NULL;
    struct operand *const x = &work->operands[work->count];
    const struct operand operand = {NULL, (void *)(size_t)device, rows, columns, ld, type, writes};
    *x = operand;
    if (rows < 0 || columns < 0 || ld < (rows > 1 ? rows : 1)) {
        work->status = CUSOLVER_STATUS_INVALID_VALUE;
        return NULL;
    }
    if ((reads && !portable_cuda_open_part_(work->call, role, x, reads, READS)) ||
        (writes && !portable_cuda_open_part_(work->call, role, x, writes, WRITES))) {
        work->status = CUSOLVER_STATUS_EXECUTION_FAILED;
        return NULL;
    }
    x->host = calloc((size_t)(rows * columns) + 1, bytes_of(type));
    if (!x->host) {
        work->status = CUSOLVER_STATUS_ALLOC_FAILED;
        return NULL;
    }
    work->count++;
    if (reads)
        copy_columns(x->host, rows, device, ld, rows, columns, bytes_of(type));
    return x->host;
}
/* Writes the results and LAPACK's info, and ends the call. A wrong argument is a status, too. */
static cusolverStatus_t portable_cuda_finish_(struct work *work, int *info, int value)
{
    if (work->status == CUSOLVER_STATUS_SUCCESS) {
        if (!portable_cuda_opens_array_(work->call, "info", info, 1, sizeof *info, 0, 1))
            work->status = CUSOLVER_STATUS_EXECUTION_FAILED;
        else
            *(volatile int *)info = value;
    }
    for (int k = 0; k < work->count; k++) {
        const struct operand *const x = &work->operands[k];
        if (x->writes && work->status == CUSOLVER_STATUS_SUCCESS)
            copy_columns(x->device, x->ld, x->host, x->rows, x->rows, x->columns,
                         bytes_of(x->type));
        free(x->host);
    }
    if (work->status == CUSOLVER_STATUS_SUCCESS && value < 0)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return work->status;
}
#define BEGIN(handle) struct work work = portable_cuda_begin_solver_(call, handle)
#define TAKE(...) portable_cuda_take_(&work, __VA_ARGS__)
#define FINISH(info, value) return portable_cuda_finish_(&work, info, value)
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (work.status == CUSOLVER_STATUS_SUCCESS && !(condition))                                \
            work.status = CUSOLVER_STATUS_INVALID_VALUE;                                           \
    } while (0)

/* LAPACKE's function for a type. */
#define LAPACK(type, name, ...) LAPACK2(type, name, name, __VA_ARGS__)
#define LAPACK2(type, real, complex, ...)                                                          \
    ((type) == CUDA_R_32F   ? LAPACKE_s##real(LAPACK_COL_MAJOR, __VA_ARGS__)                       \
     : (type) == CUDA_R_64F ? LAPACKE_d##real(LAPACK_COL_MAJOR, __VA_ARGS__)                       \
     : (type) == CUDA_C_32F ? LAPACKE_c##complex(LAPACK_COL_MAJOR, __VA_ARGS__)                    \
                            : LAPACKE_z##complex(LAPACK_COL_MAJOR, __VA_ARGS__))
static cudaDataType real_of(cudaDataType type)
{
    return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}
static int is_type(cudaDataType type)
{
    return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_C_32F || type == CUDA_C_64F;
}
static int is_complex(cudaDataType type)
{
    return type != real_of(type);
}
static char part_of_fill(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_LOWER ? 'L' : uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 0;
}
static char letter_of(cublasOperation_t op, cudaDataType type)
{
    switch (op) {
    case CUBLAS_OP_N: return 'N';
    case CUBLAS_OP_T: return 'T';
    case CUBLAS_OP_C: return is_complex(type) ? 'C' : 'T';
    default: return 0;
    }
}
/* A leading dimension of a packed array. */
static int ld_of(int64_t rows)
{
    return rows > 1 ? (int)rows : 1;
}

/* ---- handles and parameters ---- */

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
    REQUIRE_VALUE(value && (unsigned)type <= PATCH_LEVEL);
    *value = parts[type];
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetVersion(int *version)
{
    REQUIRE_VALUE(version);
    *version = CUSOLVER_VERSION;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    REQUIRE_VALUE(handle);
    REQUIRE(portable_cuda_enter_(0) == cudaSuccess, CUSOLVER_STATUS_NOT_INITIALIZED);
    LAPACKE_set_nancheck(0); /* cuSOLVER has none */
    *handle = (cusolverDnHandle_t)calloc(1, sizeof **handle);
    return *handle ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
    REQUIRE_HANDLE(handle);
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
    REQUIRE_HANDLE(handle);
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream)
{
    REQUIRE_HANDLE(handle);
    REQUIRE_VALUE(stream);
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *parameters)
{
    REQUIRE_VALUE(parameters);
    *parameters = (cusolverDnParams_t)calloc(1, sizeof **parameters);
    return *parameters ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t parameters)
{
    REQUIRE_VALUE(parameters);
    free(parameters);
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t parameters,
                                         cusolverDnFunction_t function, cusolverAlgMode_t algorithm)
{
    REQUIRE_VALUE(parameters && (unsigned)function <= CUSOLVERDN_POTRF);
    parameters->algorithm = algorithm;
    return CUSOLVER_STATUS_SUCCESS;
}
/* Jacobi's methods: LAPACK's others are as exact, so that tolerance and sweeps change nothing. */
#define JACOBI(Name, name)                                                                         \
    cusolverStatus_t cusolverDnCreate##Name##Info(name##Info_t *info)                              \
    {                                                                                              \
        REQUIRE_VALUE(info);                                                                       \
        *info = (name##Info_t)calloc(1, sizeof **info);                                            \
        return *info ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;                     \
    }                                                                                              \
    cusolverStatus_t cusolverDnDestroy##Name##Info(name##Info_t info)                              \
    {                                                                                              \
        free(info);                                                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##SetTolerance(name##Info_t info, double tolerance)          \
    {                                                                                              \
        REQUIRE_VALUE(info);                                                                       \
        info->tolerance = tolerance;                                                               \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##SetMaxSweeps(name##Info_t info, int sweeps)                \
    {                                                                                              \
        REQUIRE_VALUE(info);                                                                       \
        info->sweeps = sweeps;                                                                     \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##SetSortEig(name##Info_t info, int sorts)                   \
    {                                                                                              \
        REQUIRE_VALUE(info);                                                                       \
        info->sorts = sorts;                                                                       \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##GetResidual(cusolverDnHandle_t handle, name##Info_t info,  \
                                                    double *residual)                              \
    {                                                                                              \
        REQUIRE_HANDLE(handle);                                                                    \
        REQUIRE_VALUE(info &&residual);                                                            \
        *residual = 0;                                                                             \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##GetSweeps(cusolverDnHandle_t handle, name##Info_t info,    \
                                                  int *sweeps)                                     \
    {                                                                                              \
        REQUIRE_HANDLE(handle);                                                                    \
        REQUIRE_VALUE(info &&sweeps);                                                              \
        *sweeps = 1;                                                                               \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }
JACOBI(Syevj, syevj)
JACOBI(Gesvdj, gesvdj)

/* ---- Cholesky ---- */

static cusolverStatus_t portable_cuda_potrf_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, cublasFillMode_t uplo, int64_t n,
                                             void *A, int64_t lda, int *info)
{
    const char part = part_of_fill(uplo);
    int value = 0;
    BEGIN(handle);
    CHECK(part && is_type(type));
    void *const a = TAKE("A", type, A, n, n, lda, part, part);
    if (a)
        value = LAPACK(type, potrf, part, (int)n, a, ld_of(n));
    FINISH(info, value);
}
static cusolverStatus_t portable_cuda_potri_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, cublasFillMode_t uplo, int64_t n,
                                             void *A, int64_t lda, int *info)
{
    const char part = part_of_fill(uplo);
    int value = 0;
    BEGIN(handle);
    CHECK(part);
    void *const a = TAKE("A", type, A, n, n, lda, part, part);
    if (a)
        value = LAPACK(type, potri, part, (int)n, a, ld_of(n));
    FINISH(info, value);
}
static cusolverStatus_t portable_cuda_potrs_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, cublasFillMode_t uplo, int64_t n,
                                             int64_t nrhs, const void *A, int64_t lda, void *B,
                                             int64_t ldb, int *info)
{
    const char part = part_of_fill(uplo);
    int value = 0;
    BEGIN(handle);
    CHECK(part && is_type(type));
    void *const a = TAKE("A", type, A, n, n, lda, part, 0);
    void *const b = TAKE("B", type, B, n, nrhs, ldb, 'G', 'G');
    if (b)
        value = LAPACK(type, potrs, part, (int)n, (int)nrhs, a, ld_of(n), b, ld_of(n));
    FINISH(info, value);
}
/* The addresses of the matrices, from the device. */
static void **portable_cuda_addresses_(const char *call, const char *role, void *const *array,
                                       int batch)
{
    if (batch < 0 ||
        !portable_cuda_opens_array_(call, role, array, (size_t)batch, sizeof *array, 1, 0))
        return NULL;
    void **const addresses = (void **)malloc(((size_t)batch + 1) * sizeof *addresses);
    for (int k = 0; addresses && k < batch; k++)
        addresses[k] = ((void *const volatile *)array)[k];
    return addresses;
}
static cusolverStatus_t portable_cuda_potrf_batched_(const char *call, cusolverDnHandle_t handle,
                                                     cudaDataType type, cublasFillMode_t uplo,
                                                     int n, void *const *A, int lda, int *infos,
                                                     int batch)
{
    REQUIRE_HANDLE(handle);
    void **const a = portable_cuda_addresses_(call, "A", A, batch);
    cusolverStatus_t status = a ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
    for (int k = 0; status == CUSOLVER_STATUS_SUCCESS && k < batch; k++)
        status = portable_cuda_potrf_(call, handle, type, uplo, n, a[k], lda, &infos[k]);
    free(a);
    return status;
}
static cusolverStatus_t portable_cuda_potrs_batched_(const char *call, cusolverDnHandle_t handle,
                                                     cudaDataType type, cublasFillMode_t uplo,
                                                     int n, int nrhs, void *const *A, int lda,
                                                     void *const *B, int ldb, int *info, int batch)
{
    REQUIRE_HANDLE(handle);
    REQUIRE(nrhs == 1, CUSOLVER_STATUS_NOT_SUPPORTED);
    void **const a = portable_cuda_addresses_(call, "A", A, batch);
    void **const b = portable_cuda_addresses_(call, "B", B, batch);
    cusolverStatus_t status = a && b ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
    for (int k = 0; status == CUSOLVER_STATUS_SUCCESS && k < batch; k++)
        status =
            portable_cuda_potrs_(call, handle, type, uplo, n, nrhs, a[k], lda, b[k], ldb, info);
    free(a);
    free(b);
    return status;
}

/* ---- LU ---- */

/* Without pivots. Returns the number of the first diagonal element of U that is zero, or 0. */
static int factorise(cudaDataType type, int64_t m, int64_t n, void *a)
{
    int info = 0;
    for (int64_t k = 0; k < m && k < n; k++) {
        const struct number pivot = get(type, a, k + k * m);
        if (is_zero(pivot)) {
            info = info ? info : (int)k + 1;
            continue;
        }
        for (int64_t i = k + 1; i < m; i++) {
            const struct number factor = over(get(type, a, i + k * m), pivot);
            put(type, a, i + k * m, factor);
            for (int64_t j = k + 1; j < n; j++)
                put(type, a, i + j * m,
                    minus(get(type, a, i + j * m), times(factor, get(type, a, k + j * m))));
        }
    }
    return info;
}
/* wide: pivots are int64_t, else int; NULL: none */
static cusolverStatus_t portable_cuda_getrf_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, int64_t m, int64_t n, void *A,
                                             int64_t lda, void *pivots, int wide, int *info)
{
    const int64_t count = m < n ? m : n;
    int value = 0;
    BEGIN(handle);
    CHECK(is_type(type));
    void *const a = TAKE("A", type, A, m, n, lda, 'G', 'G');
    if (a && !pivots) {
        value = factorise(type, m, n, a);
    } else if (a) {
        int *const places = (int *)malloc(((size_t)count + 1) * sizeof *places);
        if (!places)
            work.status = CUSOLVER_STATUS_ALLOC_FAILED;
        else if (!portable_cuda_opens_array_(call, "pivots", pivots, (size_t)count,
                                             wide ? sizeof(int64_t) : sizeof(int), 0, 1))
            work.status = CUSOLVER_STATUS_EXECUTION_FAILED;
        else
            value = LAPACK(type, getrf, (int)m, (int)n, a, ld_of(m), places);
        for (int64_t i = 0; work.status == CUSOLVER_STATUS_SUCCESS && i < count; i++)
            if (wide)
                ((volatile int64_t *)pivots)[i] = places[i];
            else
                ((volatile int *)pivots)[i] = places[i];
        free(places);
    }
    FINISH(info, value);
}
static cusolverStatus_t portable_cuda_getrs_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, cublasOperation_t op, int64_t n,
                                             int64_t nrhs, const void *A, int64_t lda,
                                             const void *pivots, int wide, void *B, int64_t ldb,
                                             int *info)
{
    const char letter = letter_of(op, type);
    int value = 0;
    BEGIN(handle);
    CHECK(letter && is_type(type));
    void *const a = TAKE("A", type, A, n, n, lda, 'G', 0);
    void *const b = TAKE("B", type, B, n, nrhs, ldb, 'G', 'G');
    if (b) {
        int *const places = (int *)malloc(((size_t)n + 1) * sizeof *places);
        if (!places)
            work.status = CUSOLVER_STATUS_ALLOC_FAILED;
        else if (pivots && !portable_cuda_opens_array_(call, "pivots", pivots, (size_t)n,
                                                       wide ? sizeof(int64_t) : sizeof(int), 1, 0))
            work.status = CUSOLVER_STATUS_EXECUTION_FAILED;
        for (int64_t i = 0; work.status == CUSOLVER_STATUS_SUCCESS && i < n; i++) {
            const int64_t place = !pivots ? i + 1
                                  : wide  ? ((const volatile int64_t *)pivots)[i]
                                          : ((const volatile int *)pivots)[i];
            CHECK(place >= 1 && place <= n);
            places[i] = (int)place;
        }
        if (work.status == CUSOLVER_STATUS_SUCCESS)
            value =
                LAPACK(type, getrs, letter, (int)n, (int)nrhs, a, ld_of(n), places, b, ld_of(n));
        free(places);
    }
    FINISH(info, value);
}
static cusolverStatus_t portable_cuda_gesv_(const char *call, cusolverDnHandle_t handle,
                                            cudaDataType type, int n, int nrhs, const void *A,
                                            int lda, int *pivots, const void *B, int ldb, void *X,
                                            int ldx, int *iterations, int *info)
{
    int value = 0;
    BEGIN(handle);
    CHECK(iterations);
    void *const a = TAKE("A", type, A, n, n, lda, 'G', 0);
    void *const b = TAKE("B", type, B, n, nrhs, ldb, 'G', 0);
    void *const x = TAKE("X", type, X, n, nrhs, ldx, 0, 'G');
    int *const places = (int *)TAKE("pivots", CUDA_R_32I, pivots, n, 1, n, 0, 'G');
    if (places) {
        copy(x, b, (size_t)n * (size_t)nrhs * bytes_of(type));
        value = LAPACK(type, gesv, n, nrhs, a, ld_of(n), places, x, ld_of(n));
        *iterations = 0;
    }
    FINISH(info, value);
}

/* ---- QR ---- */

static cusolverStatus_t portable_cuda_geqrf_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, int64_t m, int64_t n, void *A,
                                             int64_t lda, void *tau, int *info)
{
    const int64_t count = m < n ? m : n;
    int value = 0;
    BEGIN(handle);
    CHECK(is_type(type));
    void *const a = TAKE("A", type, A, m, n, lda, 'G', 'G');
    void *const t = TAKE("tau", type, tau, count, 1, ld_of(count), 0, 'G');
    if (t)
        value = LAPACK(type, geqrf, (int)m, (int)n, a, ld_of(m), t);
    FINISH(info, value);
}
static cusolverStatus_t portable_cuda_orgqr_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, int m, int n, int k, void *A,
                                             int lda, const void *tau, int *info)
{
    int value = 0;
    BEGIN(handle);
    CHECK(n <= m && k >= 0 && k <= n);
    void *const a = TAKE("A", type, A, m, n, lda, 'G', 'G');
    void *const t = TAKE("tau", type, tau, k, 1, ld_of(k), 'G', 0);
    if (t)
        value = LAPACK2(type, orgqr, ungqr, m, n, k, a, ld_of(m), t);
    FINISH(info, value);
}
static cusolverStatus_t portable_cuda_ormqr_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, cublasSideMode_t side,
                                             cublasOperation_t op, int m, int n, int k,
                                             const void *A, int lda, const void *tau, void *C,
                                             int ldc, int *info)
{
    const int is_left = side == CUBLAS_SIDE_LEFT, order = is_left ? m : n;
    const char letter = letter_of(op, type);
    int value = 0;
    BEGIN(handle);
    CHECK(op == CUBLAS_OP_N || op == (is_complex(type) ? CUBLAS_OP_C : CUBLAS_OP_T));
    CHECK(k >= 0 && k <= order);
    void *const a = TAKE("A", type, A, order, k, lda, 'G', 0);
    void *const t = TAKE("tau", type, tau, k, 1, ld_of(k), 'G', 0);
    void *const c = TAKE("C", type, C, m, n, ldc, 'G', 'G');
    if (c)
        value = LAPACK2(type, ormqr, unmqr, is_left ? 'L' : 'R', letter, m, n, k, a, ld_of(order),
                        t, c, ld_of(m));
    FINISH(info, value);
}

/* ---- eigenvalues and singular values ---- */

static cusolverStatus_t portable_cuda_syevd_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int64_t n, void *A, int64_t lda,
                                             void *W, int *info)
{
    const char part = part_of_fill(uplo), job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    int value = 0;
    BEGIN(handle);
    CHECK(part && (unsigned)jobz <= CUSOLVER_EIG_MODE_VECTOR && is_type(type));
    void *const a = TAKE("A", type, A, n, n, lda, part, job == 'V' ? 'G' : part);
    void *const w = TAKE("W", real_of(type), W, n, 1, ld_of(n), 0, 'G');
    if (w)
        value = LAPACK2(type, syevd, heevd, job, part, (int)n, a, ld_of(n), w);
    FINISH(info, value);
}
static cusolverStatus_t portable_cuda_sygvd_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, cusolverEigType_t itype,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                             void *A, int lda, void *B, int ldb, void *W, int *info)
{
    const char part = part_of_fill(uplo), job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    int value = 0;
    BEGIN(handle);
    CHECK(part && itype >= CUSOLVER_EIG_TYPE_1 && itype <= CUSOLVER_EIG_TYPE_3);
    void *const a = TAKE("A", type, A, n, n, lda, part, job == 'V' ? 'G' : part);
    void *const b = TAKE("B", type, B, n, n, ldb, part, part);
    void *const w = TAKE("W", real_of(type), W, n, 1, ld_of(n), 0, 'G');
    if (w)
        value = LAPACK2(type, sygvd, hegvd, (int)itype, job, part, n, a, ld_of(n), b, ld_of(n), w);
    FINISH(info, value);
}
static cusolverStatus_t portable_cuda_gesvd_(const char *call, cusolverDnHandle_t handle,
                                             cudaDataType type, char jobu, char jobvt, int64_t m,
                                             int64_t n, void *A, int64_t lda, void *S, void *U,
                                             int64_t ldu, void *VT, int64_t ldvt, int *info)
{
    const int64_t count = m < n ? m : n;
    const int has_u = jobu == 'A' || jobu == 'S', has_vt = jobvt == 'A' || jobvt == 'S';
    const int64_t vt_rows = jobvt == 'A' ? n : count;
    int value = 0;
    void *u = NULL, *vt = NULL;
    BEGIN(handle);
    CHECK(is_type(type) && (has_u || jobu == 'O' || jobu == 'N') &&
          (has_vt || jobvt == 'O' || jobvt == 'N') && (jobu != 'O' || jobvt != 'O'));
    CHECK(m >= n); /* as cuSOLVER */
    void *const a = TAKE("A", type, A, m, n, lda, 'G', 'G');
    void *const s = TAKE("S", real_of(type), S, count, 1, ld_of(count), 0, 'G');
    if (has_u)
        u = TAKE("U", type, U, m, jobu == 'A' ? m : count, ldu, 0, 'G');
    if (has_vt)
        vt = TAKE("VT", type, VT, vt_rows, n, ldvt, 0, 'G');
    double *const rest = (double *)malloc(((size_t)count + 1) * sizeof *rest);
    if (!rest && work.status == CUSOLVER_STATUS_SUCCESS)
        work.status = CUSOLVER_STATUS_ALLOC_FAILED;
    if (work.status == CUSOLVER_STATUS_SUCCESS)
        value = LAPACK(type, gesvd, jobu, jobvt, (int)m, (int)n, a, ld_of(m), s, u, ld_of(m), vt,
                       ld_of(vt_rows), (void *)rest);
    free(rest);
    FINISH(info, value);
}
/* V, not its transpose, and any shape. */
static cusolverStatus_t portable_cuda_gesvdj_(const char *call, cusolverDnHandle_t handle,
                                              cudaDataType type, cusolverEigMode_t jobz, int econ,
                                              int m, int n, void *A, int lda, void *S, void *U,
                                              int ldu, void *V, int ldv, int *info)
{
    const int count = m < n ? m : n, has_vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
    const int u_columns = econ ? count : m, v_columns = econ ? count : n;
    const char job = has_vectors ? econ ? 'S' : 'A' : 'N';
    int value = 0;
    void *u = NULL, *v = NULL, *vt = NULL;
    BEGIN(handle);
    void *const a = TAKE("A", type, A, m, n, lda, 'G', 'G');
    void *const s = TAKE("S", real_of(type), S, count, 1, ld_of(count), 0, 'G');
    if (has_vectors) {
        u = TAKE("U", type, U, m, u_columns, ldu, 0, 'G');
        v = TAKE("V", type, V, n, v_columns, ldv, 0, 'G');
        vt = malloc(((size_t)v_columns * (size_t)n + 1) * bytes_of(type));
    }
    double *const rest = (double *)malloc(((size_t)count + 1) * sizeof *rest);
    if ((!rest || (has_vectors && !vt)) && work.status == CUSOLVER_STATUS_SUCCESS)
        work.status = CUSOLVER_STATUS_ALLOC_FAILED;
    if (work.status == CUSOLVER_STATUS_SUCCESS) {
        value = LAPACK(type, gesvd, job, job, m, n, a, ld_of(m), s, u, ld_of(m), vt,
                       ld_of(v_columns), (void *)rest);
        for (int i = 0; has_vectors && i < n; i++)
            for (int j = 0; j < v_columns; j++)
                put(type, v, (int64_t)j * n + i,
                    conjugate(get(type, vt, (int64_t)i * v_columns + j), 1));
    }
    free(rest);
    free(vt);
    FINISH(info, value);
}

/* ---- the calls ---- */

/* No work area is used, but programs allocate what these calls say. */
static cusolverStatus_t give_size(cusolverDnHandle_t handle, int64_t m, int64_t n, int *lwork)
{
    REQUIRE_HANDLE(handle);
    REQUIRE_VALUE(m >= 0 && n >= 0 && lwork);
    *lwork = m > n ? (int)m + 1 : (int)n + 1;
    return CUSOLVER_STATUS_SUCCESS;
}
static cusolverStatus_t give_sizes(cusolverDnHandle_t handle, int64_t m, int64_t n,
                                   size_t *device_bytes, size_t *host_bytes)
{
    REQUIRE_HANDLE(handle);
    REQUIRE_VALUE(m >= 0 && n >= 0 && device_bytes && host_bytes);
    *device_bytes = sizeof(double);
    *host_bytes = 0;
    return CUSOLVER_STATUS_SUCCESS;
}
#define UNUSED2(a, b)                                                                              \
    do {                                                                                           \
        (void)(a);                                                                                 \
        (void)(b);                                                                                 \
    } while (0)
#define UNUSED4(a, b, c, d)                                                                        \
    do {                                                                                           \
        UNUSED2(a, b);                                                                             \
        UNUSED2(c, d);                                                                             \
    } while (0)

#define CALLS(L, Q, E, type, real, TYPE)                                                           \
    cusolverStatus_t cusolverDn##L##potrf_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, type *A, int lda, int *lwork)     \
    {                                                                                              \
        UNUSED2(A, uplo);                                                                          \
        REQUIRE_VALUE(lda >= n);                                                                   \
        return give_size(handle, n, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          type *A, int lda, type *work, int lwork, int *info)      \
    {                                                                                              \
        UNUSED2(work, lwork);                                                                      \
        return portable_cuda_potrf_(__func__, handle, TYPE, uplo, n, A, lda, info);                \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          int nrhs, const type *A, int lda, type *B, int ldb,      \
                                          int *info)                                               \
    {                                                                                              \
        return portable_cuda_potrs_(__func__, handle, TYPE, uplo, n, nrhs, A, lda, B, ldb, info);  \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##potri_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, type *A, int lda, int *lwork)     \
    {                                                                                              \
        UNUSED2(A, uplo);                                                                          \
        REQUIRE_VALUE(lda >= n);                                                                   \
        return give_size(handle, n, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          type *A, int lda, type *work, int lwork, int *info)      \
    {                                                                                              \
        UNUSED2(work, lwork);                                                                      \
        return portable_cuda_potri_(__func__, handle, TYPE, uplo, n, A, lda, info);                \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, \
                                                 int n, type *A[], int lda, int *infos, int batch) \
    {                                                                                              \
        return portable_cuda_potrf_batched_(__func__, handle, TYPE, uplo, n, (void *const *)A,     \
                                            lda, infos, batch);                                    \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, \
                                                 int n, int nrhs, type *A[], int lda, type *B[],   \
                                                 int ldb, int *info, int batch)                    \
    {                                                                                              \
        return portable_cuda_potrs_batched_(__func__, handle, TYPE, uplo, n, nrhs,                 \
                                            (void *const *)A, lda, (void *const *)B, ldb, info,    \
                                            batch);                                                \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     type *A, int lda, int *lwork)                 \
    {                                                                                              \
        (void)A;                                                                                   \
        REQUIRE_VALUE(lda >= m);                                                                   \
        return give_size(handle, m, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##getrf(cusolverDnHandle_t handle, int m, int n, type *A,        \
                                          int lda, type *work, int *pivots, int *info)             \
    {                                                                                              \
        (void)work;                                                                                \
        return portable_cuda_getrf_(__func__, handle, TYPE, m, n, A, lda, pivots, 0, info);        \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n,  \
                                          int nrhs, const type *A, int lda, const int *pivots,     \
                                          type *B, int ldb, int *info)                             \
    {                                                                                              \
        return portable_cuda_getrs_(__func__, handle, TYPE, op, n, nrhs, A, lda, pivots, 0, B,     \
                                    ldb, info);                                                    \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##L##gesv_bufferSize(                                            \
        cusolverDnHandle_t handle, int n, int nrhs, type *A, int lda, int *pivots, type *B,        \
        int ldb, type *X, int ldx, void *work, size_t *bytes)                                      \
    {                                                                                              \
        UNUSED4(A, pivots, B, ldb);                                                                \
        UNUSED4(X, ldx, work, lda);                                                                \
        REQUIRE_HANDLE(handle);                                                                    \
        REQUIRE_VALUE(n >= 0 && nrhs >= 0 && bytes);                                               \
        *bytes = sizeof(type);                                                                     \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##L##gesv(                                                       \
        cusolverDnHandle_t handle, int n, int nrhs, type *A, int lda, int *pivots, type *B,        \
        int ldb, type *X, int ldx, void *work, size_t bytes, int *iterations, int *info)           \
    {                                                                                              \
        UNUSED2(work, bytes);                                                                      \
        return portable_cuda_gesv_(__func__, handle, TYPE, n, nrhs, A, lda, pivots, B, ldb, X,     \
                                   ldx, iterations, info);                                         \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     type *A, int lda, int *lwork)                 \
    {                                                                                              \
        (void)A;                                                                                   \
        REQUIRE_VALUE(lda >= m);                                                                   \
        return give_size(handle, m, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##geqrf(cusolverDnHandle_t handle, int m, int n, type *A,        \
                                          int lda, type *tau, type *work, int lwork, int *info)    \
    {                                                                                              \
        UNUSED2(work, lwork);                                                                      \
        return portable_cuda_geqrf_(__func__, handle, TYPE, m, n, A, lda, tau, info);              \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##Q##gqr_bufferSize(cusolverDnHandle_t handle, int m, int n,     \
                                                      int k, const type *A, int lda,               \
                                                      const type *tau, int *lwork)                 \
    {                                                                                              \
        UNUSED4(A, tau, lda, k);                                                                   \
        return give_size(handle, m, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##Q##gqr(cusolverDnHandle_t handle, int m, int n, int k,         \
                                           type *A, int lda, const type *tau, type *work,          \
                                           int lwork, int *info)                                   \
    {                                                                                              \
        UNUSED2(work, lwork);                                                                      \
        return portable_cuda_orgqr_(__func__, handle, TYPE, m, n, k, A, lda, tau, info);           \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##Q##mqr_bufferSize(                                             \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int m, int n,      \
        int k, const type *A, int lda, const type *tau, const type *C, int ldc, int *lwork)        \
    {                                                                                              \
        UNUSED4(side, op, k, A);                                                                   \
        UNUSED4(lda, tau, C, ldc);                                                                 \
        return give_size(handle, m, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##Q##mqr(cusolverDnHandle_t handle, cublasSideMode_t side,       \
                                           cublasOperation_t op, int m, int n, int k,              \
                                           const type *A, int lda, const type *tau, type *C,       \
                                           int ldc, type *work, int lwork, int *info)              \
    {                                                                                              \
        UNUSED2(work, lwork);                                                                      \
        return portable_cuda_ormqr_(__func__, handle, TYPE, side, op, m, n, k, A, lda, tau, C,     \
                                    ldc, info);                                                    \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##E##evd_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const type *A, int lda, const real *W, int *lwork)                                         \
    {                                                                                              \
        UNUSED4(jobz, uplo, A, W);                                                                 \
        REQUIRE_VALUE(lda >= n);                                                                   \
        return give_size(handle, n, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##E##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,      \
                                           cublasFillMode_t uplo, int n, type *A, int lda,         \
                                           real *W, type *work, int lwork, int *info)              \
    {                                                                                              \
        UNUSED2(work, lwork);                                                                      \
        return portable_cuda_syevd_(__func__, handle, TYPE, jobz, uplo, n, A, lda, W, info);       \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##E##evj_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const type *A, int lda, const real *W, int *lwork, syevjInfo_t parameters)                 \
    {                                                                                              \
        UNUSED4(jobz, uplo, A, W);                                                                 \
        REQUIRE_VALUE(lda >= n && parameters);                                                     \
        return give_size(handle, n, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##E##evj(                                                        \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, type *A,  \
        int lda, real *W, type *work, int lwork, int *info, syevjInfo_t parameters)                \
    {                                                                                              \
        UNUSED2(work, lwork);                                                                      \
        REQUIRE_VALUE(parameters);                                                                 \
        return portable_cuda_syevd_(__func__, handle, TYPE, jobz, uplo, n, A, lda, W, info);       \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##E##gvd_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                \
        cublasFillMode_t uplo, int n, const type *A, int lda, const type *B, int ldb,              \
        const real *W, int *lwork)                                                                 \
    {                                                                                              \
        UNUSED4(jobz, uplo, A, W);                                                                 \
        UNUSED2(itype, B);                                                                         \
        REQUIRE_VALUE(lda >= n && ldb >= n);                                                       \
        return give_size(handle, n, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##E##gvd(cusolverDnHandle_t handle, cusolverEigType_t itype,     \
                                           cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,   \
                                           type *A, int lda, type *B, int ldb, real *W,            \
                                           type *work, int lwork, int *info)                       \
    {                                                                                              \
        UNUSED2(work, lwork);                                                                      \
        return portable_cuda_sygvd_(__func__, handle, TYPE, itype, jobz, uplo, n, A, lda, B, ldb,  \
                                    W, info);                                                      \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int *lwork)                                   \
    {                                                                                              \
        return give_size(handle, m, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##gesvd(cusolverDnHandle_t handle, signed char jobu,             \
                                          signed char jobvt, int m, int n, type *A, int lda,       \
                                          real *S, type *U, int ldu, type *VT, int ldvt,           \
                                          type *work, int lwork, real *rwork, int *info)           \
    {                                                                                              \
        UNUSED2(work, lwork);                                                                      \
        (void)rwork;                                                                               \
        return portable_cuda_gesvd_(__func__, handle, TYPE, (char)jobu, (char)jobvt, m, n, A, lda, \
                                    S, U, ldu, VT, ldvt, info);                                    \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##gesvdj_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const type *A,  \
        int lda, const real *S, const type *U, int ldu, const type *V, int ldv, int *lwork,        \
        gesvdjInfo_t parameters)                                                                   \
    {                                                                                              \
        UNUSED4(jobz, econ, A, S);                                                                 \
        UNUSED4(U, ldu, V, ldv);                                                                   \
        REQUIRE_VALUE(lda >= m && parameters);                                                     \
        return give_size(handle, m, n, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##L##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,      \
                                           int econ, int m, int n, type *A, int lda, real *S,      \
                                           type *U, int ldu, type *V, int ldv, type *work,         \
                                           int lwork, int *info, gesvdjInfo_t parameters)          \
    {                                                                                              \
        UNUSED2(work, lwork);                                                                      \
        REQUIRE_VALUE(parameters);                                                                 \
        return portable_cuda_gesvdj_(__func__, handle, TYPE, jobz, econ, m, n, A, lda, S, U, ldu,  \
                                     V, ldv, info);                                                \
    }
CALLS(S, or, sy, float, float, CUDA_R_32F)
CALLS(D, or, sy, double, double, CUDA_R_64F)
CALLS(C, un, he, cuComplex, float, CUDA_C_32F)
CALLS(Z, un, he, cuDoubleComplex, double, CUDA_C_64F)

/* ---- with 64-bit sizes ---- */

#define UNUSED_WORK UNUSED4(device_work, device_bytes, host_work, host_bytes)

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t parameters, cublasFillMode_t uplo,
                                             int64_t n, cudaDataType type, const void *A,
                                             int64_t lda, cudaDataType compute_type,
                                             size_t *device_bytes, size_t *host_bytes)
{
    UNUSED4(parameters, uplo, A, compute_type);
    REQUIRE_VALUE(lda >= n && is_type(type));
    return give_sizes(handle, n, n, device_bytes, host_bytes);
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A,
                                  int64_t lda, cudaDataType compute_type, void *device_work,
                                  size_t device_bytes, void *host_work, size_t host_bytes,
                                  int *info)
{
    UNUSED2(parameters, compute_type);
    UNUSED_WORK;
    return portable_cuda_potrf_(__func__, handle, type, uplo, n, A, lda, info);
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType type,
                                  const void *A, int64_t lda, cudaDataType type_b, void *B,
                                  int64_t ldb, int *info)
{
    (void)parameters;
    REQUIRE_VALUE(type_b == type);
    return portable_cuda_potrs_(__func__, handle, type, uplo, n, nrhs, A, lda, B, ldb, info);
}
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t parameters, int64_t m, int64_t n,
                                             cudaDataType type, const void *A, int64_t lda,
                                             cudaDataType compute_type, size_t *device_bytes,
                                             size_t *host_bytes)
{
    UNUSED2(parameters, compute_type);
    (void)A;
    REQUIRE_VALUE(lda >= m && is_type(type));
    return give_sizes(handle, m, n, device_bytes, host_bytes);
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                  int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,
                                  int64_t *pivots, cudaDataType compute_type, void *device_work,
                                  size_t device_bytes, void *host_work, size_t host_bytes,
                                  int *info)
{
    UNUSED2(parameters, compute_type);
    UNUSED_WORK;
    return portable_cuda_getrf_(__func__, handle, type, m, n, A, lda, pivots, 1, info);
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                  cublasOperation_t op, int64_t n, int64_t nrhs, cudaDataType type,
                                  const void *A, int64_t lda, const int64_t *pivots,
                                  cudaDataType type_b, void *B, int64_t ldb, int *info)
{
    (void)parameters;
    REQUIRE_VALUE(type_b == type);
    return portable_cuda_getrs_(__func__, handle, type, op, n, nrhs, A, lda, pivots, 1, B, ldb,
                                info);
}
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t parameters, int64_t m, int64_t n,
                                             cudaDataType type, const void *A, int64_t lda,
                                             cudaDataType type_tau, const void *tau,
                                             cudaDataType compute_type, size_t *device_bytes,
                                             size_t *host_bytes)
{
    UNUSED4(parameters, compute_type, A, tau);
    (void)type_tau;
    REQUIRE_VALUE(lda >= m && is_type(type));
    return give_sizes(handle, m, n, device_bytes, host_bytes);
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                  int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,
                                  cudaDataType type_tau, void *tau, cudaDataType compute_type,
                                  void *device_work, size_t device_bytes, void *host_work,
                                  size_t host_bytes, int *info)
{
    UNUSED2(parameters, compute_type);
    UNUSED_WORK;
    REQUIRE_VALUE(type_tau == type);
    return portable_cuda_geqrf_(__func__, handle, type, m, n, A, lda, tau, info);
}
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t parameters, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType type,
                                             const void *A, int64_t lda, cudaDataType type_w,
                                             const void *W, cudaDataType compute_type,
                                             size_t *device_bytes, size_t *host_bytes)
{
    UNUSED4(parameters, compute_type, A, W);
    UNUSED2(jobz, uplo);
    REQUIRE_VALUE(lda >= n && is_type(type) && type_w == real_of(type));
    return give_sizes(handle, n, n, device_bytes, host_bytes);
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType type, void *A, int64_t lda, cudaDataType type_w,
                                  void *W, cudaDataType compute_type, void *device_work,
                                  size_t device_bytes, void *host_work, size_t host_bytes,
                                  int *info)
{
    UNUSED2(parameters, compute_type);
    UNUSED_WORK;
    REQUIRE_VALUE(type_w == real_of(type));
    return portable_cuda_syevd_(__func__, handle, type, jobz, uplo, n, A, lda, W, info);
}
cusolverStatus_t
cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                            signed char jobu, signed char jobvt, int64_t m, int64_t n,
                            cudaDataType type, const void *A, int64_t lda, cudaDataType type_s,
                            const void *S, cudaDataType type_u, const void *U, int64_t ldu,
                            cudaDataType type_vt, const void *VT, int64_t ldvt,
                            cudaDataType compute_type, size_t *device_bytes, size_t *host_bytes)
{
    UNUSED4(parameters, compute_type, A, S);
    UNUSED4(jobu, jobvt, U, VT);
    UNUSED2(ldu, ldvt);
    REQUIRE_VALUE(lda >= m && is_type(type) && type_s == real_of(type) && type_u == type &&
                  type_vt == type);
    return give_sizes(handle, m, n, device_bytes, host_bytes);
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                  signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                  cudaDataType type, void *A, int64_t lda, cudaDataType type_s,
                                  void *S, cudaDataType type_u, void *U, int64_t ldu,
                                  cudaDataType type_vt, void *VT, int64_t ldvt,
                                  cudaDataType compute_type, void *device_work, size_t device_bytes,
                                  void *host_work, size_t host_bytes, int *info)
{
    UNUSED2(parameters, compute_type);
    UNUSED_WORK;
    REQUIRE_VALUE(type_s == real_of(type) && type_u == type && type_vt == type);
    return portable_cuda_gesvd_(__func__, handle, type, (char)jobu, (char)jobvt, m, n, A, lda, S, U,
                                ldu, VT, ldvt, info);
}
