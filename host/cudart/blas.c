/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuBLAS and cuBLASLt on the CPU: plain loops, as a reference for tests, not for speed. Sums are
 * made in double and rounded once, in an order that need not be cuBLAS's; TF32 and the math modes
 * change nothing. All operands are checked against their allocations.
 */
#include "host/cudart/include/cublasLt.h"
#include "host/cudart/blas.h"
#include "host/cudart/copies.h"
#include "host/cudart/numbers.h"
#include "host/cudart/streams.h"

#include <math.h>   /* fabs, frexp, ldexp, rint, sqrt, tanh */
#include <stdlib.h> /* calloc, free, malloc */
#include <string.h> /* memcpy */

/* ---- operands ---- */

/* Element (i, j) is at data[i * row + j * column]; data has rows x columns as they are stored. */
struct matrix {
    const char *role;
    void *data;
    cudaDataType type;
    long row, column;
    size_t run, runs, pitch; /* contiguous elements, how often, elements from one to the next */
};

static struct matrix matrix_of(const char *role, const void *data, cudaDataType type, long ld,
                               long stored_rows, long stored_columns, int is_transposed)
{
    const struct matrix matrix = {role,
                                  (void *)(size_t)data,
                                  type,
                                  is_transposed ? ld : 1,
                                  is_transposed ? 1 : ld,
                                  (size_t)stored_rows,
                                  (size_t)stored_columns,
                                  (size_t)ld};
    return matrix;
}
/* A column of n elements. A negative increment begins at the end. */
static struct matrix vector_of(const char *role, const void *data, cudaDataType type, int n,
                               int increment)
{
    struct matrix vector = matrix_of(role, data, type, 0, n, 1, 0);
    vector.row = increment;
    if (increment != 1) {
        vector.run = 1;
        vector.runs = (size_t)n;
        vector.pitch = (size_t)labs((long)increment);
    }
    return vector;
}
static long first_of(int n, int increment)
{
    return increment < 0 ? (long)(1 - n) * increment : 0;
}

enum { READS = 1, WRITES = 2 };
/* Whether the operand is in memory of the device; tells the checks that the call uses it. */
static int portable_cuda_opens_(const char *call, const struct matrix *matrix, int use)
{
    const size_t bytes = size_of(matrix->type);
    if (matrix->run == 0 || matrix->runs == 0)
        return 1;
    return portable_cuda_operand_(call, matrix->role, matrix->data, matrix->pitch * bytes,
                                  matrix->run * bytes, matrix->runs, (use & READS) != 0,
                                  (use & WRITES) != 0) == cudaSuccess;
}
#define OPEN(matrix, use)                                                                          \
    do {                                                                                           \
        if (!portable_cuda_opens_(call, &(matrix), (use)))                                         \
            return CUBLAS_STATUS_EXECUTION_FAILED;                                                 \
    } while (0)

static double get(const struct matrix *matrix, long i, long j)
{
    return load(matrix->type, matrix->data, i * matrix->row + j * matrix->column);
}
static void put(const struct matrix *matrix, long i, long j, double x)
{
    store(matrix->type, matrix->data, i * matrix->row + j * matrix->column, x);
}

/* ---- handles ---- */

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    REQUIRE(handle);
    if (portable_cuda_enter_(0) != cudaSuccess)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = (cublasHandle_t)calloc(1, sizeof **handle);
    return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version)
{
    (void)handle;
    REQUIRE(version);
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    REQUIRE(value && (unsigned)type <= PATCH_LEVEL);
    *value = parts[type];
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes)
{
    (void)workspace;
    (void)bytes;
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
#define SETTING(Name, type, member)                                                                \
    cublasStatus_t cublasSet##Name(cublasHandle_t handle, type value)                              \
    {                                                                                              \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        handle->member = value;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublasGet##Name(cublasHandle_t handle, type *value)                             \
    {                                                                                              \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        REQUIRE(value);                                                                            \
        *value = handle->member;                                                                   \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
SETTING(Stream, cudaStream_t, stream)
SETTING(PointerMode, cublasPointerMode_t, pointer_mode)
SETTING(AtomicsMode, cublasAtomicsMode_t, atomics_mode)
SETTING(MathMode, cublasMath_t, math_mode)

const char *cublasGetStatusName(cublasStatus_t status)
{
    switch (status) {
#define CASE(name)                                                                                 \
    case name: return #name;
        CASE(CUBLAS_STATUS_SUCCESS)
        CASE(CUBLAS_STATUS_NOT_INITIALIZED)
        CASE(CUBLAS_STATUS_ALLOC_FAILED)
        CASE(CUBLAS_STATUS_INVALID_VALUE)
        CASE(CUBLAS_STATUS_ARCH_MISMATCH)
        CASE(CUBLAS_STATUS_MAPPING_ERROR)
        CASE(CUBLAS_STATUS_EXECUTION_FAILED)
        CASE(CUBLAS_STATUS_INTERNAL_ERROR)
        CASE(CUBLAS_STATUS_NOT_SUPPORTED)
        CASE(CUBLAS_STATUS_LICENSE_ERROR)
#undef CASE
    }
    return "unknown status";
}
const char *cublasGetStatusString(cublasStatus_t status)
{
    return cublasGetStatusName(status);
}

/* ---- copies ---- */

static cublasStatus_t portable_cuda_transfer_(int rows, int columns, int size, const void *from,
                                              int from_ld, void *to, int to_ld, int to_device,
                                              cudaStream_t stream)
{
    REQUIRE(rows >= 0 && columns >= 0 && size > 0 && from_ld >= rows && to_ld >= rows);
    if (rows == 0 || columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    const size_t bytes = (size_t)size;
    const cudaError_t error = cudaMemcpy2DAsync(
        to, (size_t)to_ld * bytes, from, (size_t)from_ld * bytes, (size_t)rows * bytes,
        (size_t)columns, to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
/* The end of a call that waits for its copy. */
static cublasStatus_t portable_cuda_transferred_(cublasStatus_t status)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        portable_cuda_host_waits_(NULL);
    return status;
}
#define TRANSFER(Set, to_device)                                                                   \
    cublasStatus_t cublas##Set##VectorAsync(int n, int size, const void *x, int incx, void *y,     \
                                            int incy, cudaStream_t stream)                         \
    {                                                                                              \
        REQUIRE(incx > 0 && incy > 0);                                                             \
        return incx == 1 && incy == 1                                                              \
                   ? portable_cuda_transfer_(n, 1, size, x, n, y, n, to_device, stream)            \
                   : portable_cuda_transfer_(1, n, size, x, incx, y, incy, to_device, stream);     \
    }                                                                                              \
    cublasStatus_t cublas##Set##Vector(int n, int size, const void *x, int incx, void *y,          \
                                       int incy)                                                   \
    {                                                                                              \
        return portable_cuda_transferred_(cublas##Set##VectorAsync(n, size, x, incx, y, incy, 0)); \
    }                                                                                              \
    cublasStatus_t cublas##Set##MatrixAsync(int rows, int columns, int size, const void *A,        \
                                            int lda, void *B, int ldb, cudaStream_t stream)        \
    {                                                                                              \
        return portable_cuda_transfer_(rows, columns, size, A, lda, B, ldb, to_device, stream);    \
    }                                                                                              \
    cublasStatus_t cublas##Set##Matrix(int rows, int columns, int size, const void *A, int lda,    \
                                       void *B, int ldb)                                           \
    {                                                                                              \
        return portable_cuda_transferred_(                                                         \
            portable_cuda_transfer_(rows, columns, size, A, lda, B, ldb, to_device, 0));           \
    }
TRANSFER(Set, 1)
TRANSFER(Get, 0)

/* The calls' arguments, for blas.h. */
/* clang-format off */
#define VECTORS_LIST(V, S, M, R)                                                                   \
    V(enum vector_operation, operation) V(cudaDataType, type) V(int, n) S(alpha, size_of(type))    \
    S(beta, size_of(type)) V(const void *, from) V(int, incx) V(const void *, to) V(int, incy)     \
    R(result)
#define GEMM_LIST(V, S, M, R)                                                                      \
    V(cublasOperation_t, op_a) V(cublasOperation_t, op_b) V(int, m) V(int, n) V(int, k)            \
    S(alpha, size_of(scale)) V(const void *, a) V(cudaDataType, type_a) V(int, lda)                \
    V(const void *, b) V(cudaDataType, type_b) V(int, ldb) S(beta, size_of(scale)) V(void *, c)    \
    V(cudaDataType, type_c) V(int, ldc) V(cudaDataType, scale) V(struct batch, batch)
#define GEMV_LIST(V, S, M, R)                                                                      \
    V(cudaDataType, type) V(cublasOperation_t, trans) V(int, m) V(int, n) S(alpha, size_of(type))  \
    V(const void *, from) V(int, lda) V(const void *, in) V(int, incx) S(beta, size_of(type))      \
    V(void *, out) V(int, incy)
#define GER_LIST(V, S, M, R)                                                                       \
    V(cudaDataType, type) V(int, m) V(int, n) S(alpha, size_of(type)) V(const void *, left)        \
    V(int, incx) V(const void *, right) V(int, incy) V(void *, to) V(int, lda)
#define GEAM_LIST(V, S, M, R)                                                                      \
    V(cudaDataType, type) V(cublasOperation_t, op_a) V(cublasOperation_t, op_b) V(int, m)          \
    V(int, n) S(alpha, size_of(type)) V(const void *, left) V(int, lda) S(beta, size_of(type))     \
    V(const void *, right) V(int, ldb) V(void *, to) V(int, ldc)
#define TRSM_LIST(V, S, M, R)                                                                      \
    V(cudaDataType, type) V(cublasSideMode_t, side) V(cublasFillMode_t, fill)                      \
    V(cublasOperation_t, trans) V(cublasDiagType_t, diagonal) V(int, m) V(int, n)                  \
    S(alpha, size_of(type)) V(const void *, from) V(int, lda) V(void *, to) V(int, ldb)
#define MATMUL_LIST(V, S, M, R)                                                                    \
    M(struct problem, problem) S(alpha, size_of((cudaDataType)problem->operation.scale))           \
    V(const void *, A) V(const void *, B)                                                          \
    S(beta, size_of((cudaDataType)problem->operation.scale)) V(const void *, C) V(void *, D)
/* clang-format on */

/* ---- vectors ---- */

enum vector_operation { AXPY, SCAL, COPY, SWAP, ROT, DOT, NRM2, ASUM, IAMAX, IAMIN };

/* The scalar that a call takes by address, or returns there. */
static struct matrix scalar_of(const void *data, cudaDataType type)
{
    return matrix_of("scalar", data, type, 1, 1, 1, 0);
}
CALL(vectors, VECTORS_LIST)
{
    static const struct {
        int x, y, uses_alpha, uses_beta;
    } uses[] = {{READS, READS | WRITES, 1, 0},
                {READS | WRITES, 0, 1, 0},
                {READS, WRITES, 0, 0},
                {READS | WRITES, READS | WRITES, 0, 0},
                {READS | WRITES, READS | WRITES, 1, 1},
                {READS, READS, 0, 0},
                {READS, 0, 0, 0},
                {READS, 0, 0, 0},
                {READS, 0, 0, 0},
                {READS, 0, 0, 0}};
    REQUIRE((!uses[operation].uses_alpha || alpha) && (!uses[operation].uses_beta || beta) &&
            (operation < DOT || result));
    CHECKED(handle);
    const cudaDataType result_type = operation >= IAMAX ? CUDA_R_32I : type;
    const struct matrix x = vector_of("vector x", from, type, n > 0 ? n : 0, incx);
    const struct matrix y = vector_of("vector y", to, type, n > 0 ? n : 0, incy);
    const struct matrix out = scalar_of(result, result_type);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        const struct matrix a = scalar_of(alpha, type), b = scalar_of(beta, type);
        if (uses[operation].uses_alpha)
            OPEN(a, READS);
        if (uses[operation].uses_beta)
            OPEN(b, READS);
        if (result)
            OPEN(out, WRITES);
    }
    if (uses[operation].x)
        OPEN(x, uses[operation].x);
    if (uses[operation].y)
        OPEN(y, uses[operation].y);

    const double a = uses[operation].uses_alpha ? load(type, alpha, 0) : 0;
    const double b = uses[operation].uses_beta ? load(type, beta, 0) : 0;
    const long x0 = incx ? first_of(n, incx) / incx : 0, y0 = incy ? first_of(n, incy) / incy : 0;
    double sum = 0, best = 0;
    long index = 0;
    for (long i = 0; i < n; i++) {
        const double u = get(&x, x0 + i, 0), v = uses[operation].y ? get(&y, y0 + i, 0) : 0;
        switch (operation) {
        case AXPY: put(&y, y0 + i, 0, a * u + v); break;
        case SCAL: put(&x, x0 + i, 0, a * u); break;
        case COPY: put(&y, y0 + i, 0, u); break;
        case SWAP:
            put(&x, x0 + i, 0, v);
            put(&y, y0 + i, 0, u);
            break;
        case ROT:
            put(&x, x0 + i, 0, a * u + b * v);
            put(&y, y0 + i, 0, a * v - b * u);
            break;
        case DOT: sum += u * v; break;
        case NRM2: sum += u * u; break;
        case ASUM: sum += fabs(u); break;
        case IAMAX:
        case IAMIN:
            if (index == 0 || (operation == IAMAX ? fabs(u) > best : fabs(u) < best)) {
                best = fabs(u);
                index = i + 1;
            }
            break;
        }
    }
    if (operation >= IAMAX)
        put(&out, 0, 0, (double)index);
    else if (operation >= DOT)
        put(&out, 0, 0, operation == NRM2 ? sqrt(sum) : sum);
    return CUBLAS_STATUS_SUCCESS;
}

#define VECTORS(S, s, T, type)                                                                     \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x,       \
                                   int incx, T *y, int incy)                                       \
    {                                                                                              \
        return portable_cuda_vectors_("cublas" #S "axpy", handle, AXPY, type, n, alpha, NULL, x,   \
                                      incx, y, incy, NULL);                                        \
    }                                                                                              \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx)   \
    {                                                                                              \
        return portable_cuda_vectors_("cublas" #S "scal", handle, SCAL, type, n, alpha, NULL, x,   \
                                      incx, NULL, 1, NULL);                                        \
    }                                                                                              \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y,       \
                                   int incy)                                                       \
    {                                                                                              \
        return portable_cuda_vectors_("cublas" #S "copy", handle, COPY, type, n, NULL, NULL, x,    \
                                      incx, y, incy, NULL);                                        \
    }                                                                                              \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy)   \
    {                                                                                              \
        return portable_cuda_vectors_("cublas" #S "swap", handle, SWAP, type, n, NULL, NULL, x,    \
                                      incx, y, incy, NULL);                                        \
    }                                                                                              \
    cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy,    \
                                  const T *c, const T *sine)                                       \
    {                                                                                              \
        return portable_cuda_vectors_("cublas" #S "rot", handle, ROT, type, n, c, sine, x, incx,   \
                                      y, incy, NULL);                                              \
    }                                                                                              \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y,  \
                                  int incy, T *result)                                             \
    {                                                                                              \
        return portable_cuda_vectors_("cublas" #S "dot", handle, DOT, type, n, NULL, NULL, x,      \
                                      incx, y, incy, result);                                      \
    }                                                                                              \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T *x, int incx, T *result)  \
    {                                                                                              \
        return portable_cuda_vectors_("cublas" #S "nrm2", handle, NRM2, type, n, NULL, NULL, x,    \
                                      incx, NULL, 1, result);                                      \
    }                                                                                              \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T *x, int incx, T *result)  \
    {                                                                                              \
        return portable_cuda_vectors_("cublas" #S "asum", handle, ASUM, type, n, NULL, NULL, x,    \
                                      incx, NULL, 1, result);                                      \
    }                                                                                              \
    cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n, const T *x, int incx,            \
                                    int *result)                                                   \
    {                                                                                              \
        return portable_cuda_vectors_("cublasI" #s "amax", handle, IAMAX, type, n, NULL, NULL, x,  \
                                      incx, NULL, 1, result);                                      \
    }                                                                                              \
    cublasStatus_t cublasI##s##amin(cublasHandle_t handle, int n, const T *x, int incx,            \
                                    int *result)                                                   \
    {                                                                                              \
        return portable_cuda_vectors_("cublasI" #s "amin", handle, IAMIN, type, n, NULL, NULL, x,  \
                                      incx, NULL, 1, result);                                      \
    }
VECTORS(S, s, float, CUDA_R_32F)
VECTORS(D, d, double, CUDA_R_64F)

/* ---- products of matrices ---- */

/* cuBLASLt's epilogue: the operations on each sum. */
struct epilogue {
    unsigned kind; /* cublasLtEpilogue_t, or 0 */
    struct matrix bias, aux;
};
/* D = alpha A B + beta C: A is m x k, B is k x n. */
struct product {
    long m, n, k;
    double alpha, beta;
    struct matrix a, b, c, d;
    struct epilogue epilogue;
};

static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}
static double gelu_slope(double x)
{
    const double t = tanh(0.7978845608028654 * (x + 0.044715 * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
}
static double finish(const struct epilogue *epilogue, long i, long j, double x)
{
    const unsigned kind = epilogue->kind;
    if (kind & CUBLASLT_EPILOGUE_BIAS)
        x += get(&epilogue->bias, i, 0);
    if ((kind & CUBLASLT_EPILOGUE_GELU_AUX) == CUBLASLT_EPILOGUE_GELU_AUX)
        put(&epilogue->aux, i, j, x);
    if (kind & CUBLASLT_EPILOGUE_GELU)
        x = gelu(x);
    if (kind & CUBLASLT_EPILOGUE_RELU)
        x = x > 0 ? x : 0;
    if ((kind & CUBLASLT_EPILOGUE_DGELU) == CUBLASLT_EPILOGUE_DGELU)
        x *= gelu_slope(get(&epilogue->aux, i, j));
    return x;
}

static cublasStatus_t multiply(const struct product *p)
{
    enum { ROWS = 64 };
    const long k = p->alpha == 0 ? 0 : p->k;
    double *const rows = (double *)malloc(((size_t)k * (ROWS + 1) + 1) * sizeof *rows);
    if (!rows)
        return CUBLAS_STATUS_ALLOC_FAILED;
    double *const column = rows + k * ROWS;
    for (long first = 0; first < p->m; first += ROWS) {
        const long count = p->m - first < ROWS ? p->m - first : ROWS;
        for (long l = 0; l < k; l++)
            for (long i = 0; i < ROWS; i++)
                rows[l * ROWS + i] = i < count ? get(&p->a, first + i, l) : 0;
        for (long j = 0; j < p->n; j++) {
            double sums[ROWS] = {0};
            for (long l = 0; l < k; l++)
                column[l] = get(&p->b, l, j);
            for (long l = 0; l < k; l++)
                for (long i = 0; i < ROWS; i++)
                    sums[i] += rows[l * ROWS + i] * column[l];
            for (long i = 0; i < count; i++) {
                double x = p->alpha * sums[i];
                if (p->beta != 0)
                    x += p->beta * get(&p->c, first + i, j);
                put(&p->d, first + i, j, finish(&p->epilogue, first + i, j, x));
            }
        }
    }
    free(rows);
    return CUBLAS_STATUS_SUCCESS;
}

/* Sums over k, of A's rows or B's columns; over n, of D's rows. */
static void sum_gradient(const struct product *p)
{
    const unsigned kind = p->epilogue.kind;
    const int of_b = (kind & CUBLASLT_EPILOGUE_BGRADB) != 0, of_d = (kind & 16) != 0;
    for (long i = 0; i < (of_b ? p->n : p->m); i++) {
        double sum = 0;
        for (long l = 0; l < (of_d ? p->n : p->k); l++)
            sum += of_b ? get(&p->b, l, i) : of_d ? get(&p->d, i, l) : get(&p->a, i, l);
        put(&p->epilogue.bias, i, 0, sum);
    }
}

static cublasStatus_t portable_cuda_multiply_(const char *call, const struct product *p)
{
    const unsigned kind = p->epilogue.kind;
    if (p->m == 0 || p->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (p->alpha != 0 && p->k > 0) {
        OPEN(p->a, READS);
        OPEN(p->b, READS);
    }
    if (p->beta != 0)
        OPEN(p->c, READS);
    OPEN(p->d, WRITES);
    if (kind & (CUBLASLT_EPILOGUE_BIAS | 16 | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB))
        OPEN(p->epilogue.bias, kind & CUBLASLT_EPILOGUE_BIAS ? READS : WRITES);
    if (kind & 128)
        OPEN(p->epilogue.aux, kind & CUBLASLT_EPILOGUE_GELU ? WRITES : READS);
    const cublasStatus_t status = multiply(p);
    if (kind & (16 | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB))
        sum_gradient(p);
    return status;
}

/* One of three kinds of batches: pointers (A[] and so on), strides, or just one product. */
struct batch {
    const void *const *a;
    const void *const *b;
    void *const *c;
    long long stride_a, stride_b, stride_c;
    int count;
};
static const struct batch one = {NULL, NULL, NULL, 0, 0, 0, 1};

static const char *at(const void *data, const void *const *list, cudaDataType type,
                      long long stride, int index)
{
    return list ? (const char *)((const void *const volatile *)list)[index]
                : (const char *)data + (long long)size_of(type) * stride * index;
}
CALL(gemm, GEMM_LIST)
{
    const int rows_a = op_a == CUBLAS_OP_N ? m : k, rows_b = op_b == CUBLAS_OP_N ? k : n;
    REQUIRE(m >= 0 && n >= 0 && k >= 0 && batch.count >= 0 && alpha && beta);
    REQUIRE((unsigned)op_a <= CUBLAS_OP_CONJG && (unsigned)op_b <= CUBLAS_OP_CONJG);
    REQUIRE(lda >= (rows_a > 1 ? rows_a : 1) && ldb >= (rows_b > 1 ? rows_b : 1) &&
            ldc >= (m > 1 ? m : 1));
    if (!size_of(type_a) || !size_of(type_b) || !size_of(type_c))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    CHECKED(handle);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        const struct matrix first = scalar_of(alpha, scale), second = scalar_of(beta, scale);
        OPEN(first, READS);
        OPEN(second, READS);
    }
    if (batch.a &&
        (portable_cuda_operand_(call, "list of A", batch.a, 0, (size_t)batch.count * sizeof a, 1, 1,
                                0) != cudaSuccess ||
         portable_cuda_operand_(call, "list of B", batch.b, 0, (size_t)batch.count * sizeof a, 1, 1,
                                0) != cudaSuccess ||
         portable_cuda_operand_(call, "list of C", batch.c, 0, (size_t)batch.count * sizeof a, 1, 1,
                                0) != cudaSuccess))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    for (int i = 0; i < batch.count; i++) {
        struct product product = {.m = m, .n = n, .k = k};
        product.alpha = load(scale, alpha, 0);
        product.beta = load(scale, beta, 0);
        product.a = matrix_of("matrix A", at(a, batch.a, type_a, batch.stride_a, i), type_a, lda,
                              rows_a, op_a == CUBLAS_OP_N ? k : m, op_a != CUBLAS_OP_N);
        product.b = matrix_of("matrix B", at(b, batch.b, type_b, batch.stride_b, i), type_b, ldb,
                              rows_b, op_b == CUBLAS_OP_N ? n : k, op_b != CUBLAS_OP_N);
        product.c =
            matrix_of("matrix C", at(c, (const void *const *)batch.c, type_c, batch.stride_c, i),
                      type_c, ldc, m, n, 0);
        product.d = product.c;
        const cublasStatus_t status = portable_cuda_multiply_(call, &product);
        if (status != CUBLAS_STATUS_SUCCESS)
            return status;
    }
    return CUBLAS_STATUS_SUCCESS;
}

/* The type of alpha and beta. */
static cudaDataType scale_of(cublasComputeType_t compute)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return CUDA_R_32I;
    default: return CUDA_R_32F;
    }
}

#define PRODUCTS(S, T, type)                                                                       \
    cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, int k, const T *alpha,  \
                                   const T *A, int lda, const T *B, int ldb, const T *beta, T *C,  \
                                   int ldc)                                                        \
    {                                                                                              \
        return portable_cuda_gemm_("cublas" #S "gemm", handle, transa, transb, m, n, k, alpha, A,  \
                                   type, lda, B, type, ldb, beta, C, type, ldc, type, one);        \
    }                                                                                              \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const T *alpha, const T *A, int lda, long long strideA, const T *B, int ldb,        \
        long long strideB, const T *beta, T *C, int ldc, long long strideC, int count)             \
    {                                                                                              \
        const struct batch batch = {NULL, NULL, NULL, strideA, strideB, strideC, count};           \
        return portable_cuda_gemm_("cublas" #S "gemmStridedBatched", handle, transa, transb, m, n, \
                                   k, alpha, A, type, lda, B, type, ldb, beta, C, type, ldc, type, \
                                   batch);                                                         \
    }                                                                                              \
    cublasStatus_t cublas##S##gemmBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const T *alpha, const T *const A[], int lda, const T *const B[], int ldb,           \
        const T *beta, T *const C[], int ldc, int count)                                           \
    {                                                                                              \
        const struct batch batch = {                                                               \
            (const void *const *)A, (const void *const *)B, (void *const *)C, 0, 0, 0, count};     \
        REQUIRE(A &&B &&C);                                                                        \
        return portable_cuda_gemm_("cublas" #S "gemmBatched", handle, transa, transb, m, n, k,     \
                                   alpha, NULL, type, lda, NULL, type, ldb, beta, NULL, type, ldc, \
                                   type, batch);                                                   \
    }
PRODUCTS(S, float, CUDA_R_32F)
PRODUCTS(D, double, CUDA_R_64F)
PRODUCTS(H, struct __half, CUDA_R_16F)

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float *alpha,
                             const void *A, cudaDataType Atype, int lda, const void *B,
                             cudaDataType Btype, int ldb, const float *beta, void *C,
                             cudaDataType Ctype, int ldc)
{
    return portable_cuda_gemm_("cublasSgemmEx", handle, transa, transb, m, n, k, alpha, A, Atype,
                               lda, B, Btype, ldb, beta, C, Ctype, ldc, CUDA_R_32F, one);
}
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType Atype, int lda, const void *B,
                            cudaDataType Btype, int ldb, const void *beta, void *C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm)
{
    (void)algorithm;
    return portable_cuda_gemm_("cublasGemmEx", handle, transa, transb, m, n, k, alpha, A, Atype,
                               lda, B, Btype, ldb, beta, C, Ctype, ldc, scale_of(compute), one);
}
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType Atype, int lda, long long strideA, const void *B,
    cudaDataType Btype, int ldb, long long strideB, const void *beta, void *C, cudaDataType Ctype,
    int ldc, long long strideC, int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    const struct batch batch = {NULL, NULL, NULL, strideA, strideB, strideC, count};
    (void)algorithm;
    return portable_cuda_gemm_("cublasGemmStridedBatchedEx", handle, transa, transb, m, n, k, alpha,
                               A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc, scale_of(compute),
                               batch);
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *const A[], cudaDataType Atype, int lda,
                                   const void *const B[], cudaDataType Btype, int ldb,
                                   const void *beta, void *const C[], cudaDataType Ctype, int ldc,
                                   int count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm)
{
    const struct batch batch = {A, B, C, 0, 0, 0, count};
    (void)algorithm;
    REQUIRE(A && B && C);
    return portable_cuda_gemm_("cublasGemmBatchedEx", handle, transa, transb, m, n, k, alpha, NULL,
                               Atype, lda, NULL, Btype, ldb, beta, NULL, Ctype, ldc,
                               scale_of(compute), batch);
}

/* ---- one matrix ---- */

CALL(gemv, GEMV_LIST)
{
    REQUIRE(m >= 0 && n >= 0 && incx && incy && alpha && beta && lda >= (m > 1 ? m : 1));
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    CHECKED(handle);
    const int is_transposed = trans != CUBLAS_OP_N;
    const int rows = is_transposed ? n : m, columns = is_transposed ? m : n;
    const struct matrix a = matrix_of("matrix A", from, type, lda, m, n, is_transposed);
    const struct matrix x = vector_of("vector x", in, type, columns, incx);
    const struct matrix y = vector_of("vector y", out, type, rows, incy);
    const struct matrix first = scalar_of(alpha, type), second = scalar_of(beta, type);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        OPEN(first, READS);
        OPEN(second, READS);
    }
    const double factor = get(&first, 0, 0), keep = get(&second, 0, 0);
    if (factor != 0) {
        OPEN(a, READS);
        OPEN(x, READS);
    }
    OPEN(y, WRITES | (keep != 0 ? READS : 0));
    const long x0 = first_of(columns, incx) / incx, y0 = first_of(rows, incy) / incy;
    for (long i = 0; i < rows; i++) {
        double sum = 0;
        for (long j = 0; factor != 0 && j < columns; j++)
            sum += get(&a, i, j) * get(&x, x0 + j, 0);
        put(&y, y0 + i, 0, factor * sum + (keep != 0 ? keep * get(&y, y0 + i, 0) : 0));
    }
    return CUBLAS_STATUS_SUCCESS;
}

CALL(ger, GER_LIST)
{
    REQUIRE(m >= 0 && n >= 0 && incx && incy && alpha && lda >= (m > 1 ? m : 1));
    CHECKED(handle);
    const struct matrix a = matrix_of("matrix A", to, type, lda, m, n, 0);
    const struct matrix x = vector_of("vector x", left, type, m, incx);
    const struct matrix y = vector_of("vector y", right, type, n, incy);
    const struct matrix scalar = scalar_of(alpha, type);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        OPEN(scalar, READS);
    OPEN(x, READS);
    OPEN(y, READS);
    OPEN(a, READS | WRITES);
    const double factor = get(&scalar, 0, 0);
    const long x0 = first_of(m, incx) / incx, y0 = first_of(n, incy) / incy;
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++)
            put(&a, i, j, get(&a, i, j) + factor * get(&x, x0 + i, 0) * get(&y, y0 + j, 0));
    return CUBLAS_STATUS_SUCCESS;
}

/* C may be A or B if that one is not transposed. */
CALL(geam, GEAM_LIST)
{
    REQUIRE(m >= 0 && n >= 0 && alpha && beta && ldc >= (m > 1 ? m : 1));
    CHECKED(handle);
    const int flip_a = op_a != CUBLAS_OP_N, flip_b = op_b != CUBLAS_OP_N;
    const struct matrix a =
        matrix_of("matrix A", left, type, lda, flip_a ? n : m, flip_a ? m : n, flip_a);
    const struct matrix b =
        matrix_of("matrix B", right, type, ldb, flip_b ? n : m, flip_b ? m : n, flip_b);
    const struct matrix c = matrix_of("matrix C", to, type, ldc, m, n, 0);
    const struct matrix first = scalar_of(alpha, type), second = scalar_of(beta, type);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        OPEN(first, READS);
        OPEN(second, READS);
    }
    const double u = get(&first, 0, 0), v = get(&second, 0, 0);
    REQUIRE((u == 0 || lda >= (flip_a ? n : m)) && (v == 0 || ldb >= (flip_b ? n : m)));
    if (u != 0)
        OPEN(a, READS);
    if (v != 0)
        OPEN(b, READS);
    OPEN(c, WRITES);
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++)
            put(&c, i, j, (u != 0 ? u * get(&a, i, j) : 0) + (v != 0 ? v * get(&b, i, j) : 0));
    return CUBLAS_STATUS_SUCCESS;
}

/* op(A) X = alpha B, or X op(A) = alpha B, which is the transposed of the first. */
CALL(trsm, TRSM_LIST)
{
    const int is_right = side == CUBLAS_SIDE_RIGHT, size = is_right ? n : m;
    const int is_transposed = (trans != CUBLAS_OP_N) != is_right;
    const int is_lower = (fill == CUBLAS_FILL_MODE_LOWER) != is_transposed;
    REQUIRE(m >= 0 && n >= 0 && alpha && lda >= (size > 1 ? size : 1) && ldb >= (m > 1 ? m : 1));
    CHECKED(handle);
    struct matrix a = matrix_of("matrix A", from, type, lda, size, size, is_transposed);
    struct matrix b = matrix_of("matrix B", to, type, ldb, m, n, is_right);
    const struct matrix scalar = scalar_of(alpha, type);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        OPEN(scalar, READS);
    for (long j = 0; j < size; j++) { /* the triangle alone */
        struct matrix column = a;
        const long first = fill == CUBLAS_FILL_MODE_LOWER ? j : 0;
        column.data = (char *)a.data + (size_t)(j * lda + first) * size_of(type);
        column.run = (size_t)(fill == CUBLAS_FILL_MODE_LOWER ? size - j : j + 1);
        column.runs = 1;
        OPEN(column, READS);
    }
    OPEN(b, READS | WRITES);
    const double factor = get(&scalar, 0, 0);
    for (long j = 0; j < (is_right ? m : n); j++)
        for (long step = 0; step < size; step++) {
            const long i = is_lower ? step : size - 1 - step;
            double x = factor * get(&b, i, j);
            for (long l = is_lower ? 0 : i + 1; l < (is_lower ? i : size); l++)
                x -= get(&a, i, l) * get(&b, l, j);
            put(&b, i, j, diagonal == CUBLAS_DIAG_UNIT ? x : x / get(&a, i, i));
        }
    return CUBLAS_STATUS_SUCCESS;
}

#define MATRICES(S, T, type)                                                                       \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                   const T *alpha, const T *A, int lda, const T *x, int incx,      \
                                   const T *beta, T *y, int incy)                                  \
    {                                                                                              \
        return portable_cuda_gemv_("cublas" #S "gemv", handle, type, trans, m, n, alpha, A, lda,   \
                                   x, incx, beta, y, incy);                                        \
    }                                                                                              \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, \
                                  int incx, const T *y, int incy, T *A, int lda)                   \
    {                                                                                              \
        return portable_cuda_ger_("cublas" #S "ger", handle, type, m, n, alpha, x, incx, y, incy,  \
                                  A, lda);                                                         \
    }                                                                                              \
    cublasStatus_t cublas##S##geam(                                                                \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc)    \
    {                                                                                              \
        return portable_cuda_geam_("cublas" #S "geam", handle, type, transa, transb, m, n, alpha,  \
                                   A, lda, beta, B, ldb, C, ldc);                                  \
    }                                                                                              \
    cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side,                   \
                                   cublasFillMode_t uplo, cublasOperation_t trans,                 \
                                   cublasDiagType_t diag, int m, int n, const T *alpha,            \
                                   const T *A, int lda, T *B, int ldb)                             \
    {                                                                                              \
        return portable_cuda_trsm_("cublas" #S "trsm", handle, type, side, uplo, trans, diag, m,   \
                                   n, alpha, A, lda, B, ldb);                                      \
    }
MATRICES(S, float, CUDA_R_32F)
MATRICES(D, double, CUDA_R_64F)

/* ---- cuBLASLt ---- */

struct layout {
    cudaDataType type;
    int order, count;
    uint64_t rows, columns;
    int64_t ld, stride;
};
struct operation {
    int compute, scale, pointer_mode, transa, transb, transc, epilogue, bias_type, aux_type;
    void *bias, *aux;
    int64_t bias_stride, aux_ld, aux_stride;
    const void *unsupported; /* a scale of 8-bit floats */
};
_Static_assert(sizeof(struct layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "it fits");
_Static_assert(sizeof(struct operation) <= sizeof(cublasLtMatmulDescOpaque_t), "it fits");

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    return cublasCreate((cublasHandle_t *)handle);
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    return cublasDestroy((cublasHandle_t)handle);
}
size_t cublasLtGetVersion(void)
{
    return CUBLAS_VERSION;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld)
{
    const struct layout made = {type, CUBLASLT_ORDER_COL, 1, rows, columns, ld, 0};
    REQUIRE(layout);
    *layout = (cublasLtMatrixLayout_t)calloc(1, sizeof **layout);
    if (!*layout)
        return CUBLAS_STATUS_ALLOC_FAILED;
    memcpy(*layout, &made, sizeof made);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    free(layout);
    return CUBLAS_STATUS_SUCCESS;
}

/* Takes a value of the member's size. */
#define TAKE(member)                                                                               \
    do {                                                                                           \
        REQUIRE(value &&bytes == sizeof(member));                                                  \
        memcpy(&(member), value, sizeof(member));                                                  \
    } while (0)

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *value, size_t bytes)
{
    struct layout it;
    REQUIRE(layout);
    memcpy(&it, layout, sizeof it);
    switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: TAKE(it.type); break;
    case CUBLASLT_MATRIX_LAYOUT_ORDER: TAKE(it.order); break;
    case CUBLASLT_MATRIX_LAYOUT_ROWS: TAKE(it.rows); break;
    case CUBLASLT_MATRIX_LAYOUT_COLS: TAKE(it.columns); break;
    case CUBLASLT_MATRIX_LAYOUT_LD: TAKE(it.ld); break;
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: TAKE(it.count); break;
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: TAKE(it.stride); break;
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (it.order != CUBLASLT_ORDER_COL && it.order != CUBLASLT_ORDER_ROW)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    memcpy(layout, &it, sizeof it);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *operation,
                                        cublasComputeType_t compute, cudaDataType_t scale)
{
    struct operation made = {.compute = (int)compute, .scale = (int)scale};
    made.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    made.bias_type = made.aux_type = -1;
    REQUIRE(operation);
    *operation = (cublasLtMatmulDesc_t)calloc(1, sizeof **operation);
    if (!*operation)
        return CUBLAS_STATUS_ALLOC_FAILED;
    memcpy(*operation, &made, sizeof made);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation)
{
    free(operation);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, size_t bytes)
{
    struct operation it;
    signed char fast;
    int ignored;
    REQUIRE(operation);
    memcpy(&it, operation, sizeof it);
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: TAKE(it.compute); break;
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: TAKE(it.scale); break;
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: TAKE(it.pointer_mode); break;
    case CUBLASLT_MATMUL_DESC_TRANSA: TAKE(it.transa); break;
    case CUBLASLT_MATMUL_DESC_TRANSB: TAKE(it.transb); break;
    case CUBLASLT_MATMUL_DESC_TRANSC: TAKE(it.transc); break;
    case CUBLASLT_MATMUL_DESC_EPILOGUE: TAKE(it.epilogue); break;
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: TAKE(it.bias); break;
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE: TAKE(it.bias_stride); break;
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: TAKE(it.bias_type); break;
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: TAKE(it.aux); break;
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: TAKE(it.aux_ld); break;
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE: TAKE(it.aux_stride); break;
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE: TAKE(it.aux_type); break;
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
    case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER:
    case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER: TAKE(it.unsupported); break;
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM: TAKE(fast); break;
    case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET: TAKE(ignored); break;
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    memcpy(operation, &it, sizeof it);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    REQUIRE(preference);
    *preference = (cublasLtMatmulPreference_t)calloc(1, sizeof **preference);
    return *preference ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    free(preference);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void *value, size_t bytes)
{
    (void)attribute;
    REQUIRE(preference && value && bytes > 0);
    return CUBLAS_STATUS_SUCCESS;
}

static int is_supported(unsigned epilogue)
{
    switch (epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU_AUX:
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_DGELU:
    case CUBLASLT_EPILOGUE_DGELU_BGRAD:
    case CUBLASLT_EPILOGUE_BGRADA:
    case CUBLASLT_EPILOGUE_BGRADB: return 1;
    default: return 0;
    }
}

static struct matrix matrix_in(const char *role, const void *data, const struct layout *layout,
                               int is_transposed, int index)
{
    const int by_rows = layout->order == CUBLASLT_ORDER_ROW;
    return matrix_of(role,
                     (const char *)data + (long)size_of(layout->type) * layout->stride * index,
                     layout->type, layout->ld, (long)(by_rows ? layout->columns : layout->rows),
                     (long)(by_rows ? layout->rows : layout->columns), is_transposed != by_rows);
}

struct problem {
    struct operation operation;
    struct layout a, b, c, d;
};

/* Reads the descriptors, and checks that they go together and are supported. */
static cublasStatus_t read_problem(cublasLtMatmulDesc_t operation, cublasLtMatrixLayout_t a,
                                   cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                   cublasLtMatrixLayout_t d, struct problem *p)
{
    memcpy(&p->operation, operation, sizeof p->operation);
    memcpy(&p->a, a, sizeof p->a);
    memcpy(&p->b, b, sizeof p->b);
    memcpy(&p->c, c, sizeof p->c);
    memcpy(&p->d, d, sizeof p->d);
    const struct operation *const it = &p->operation;
    const uint64_t k = it->transa ? p->a.rows : p->a.columns;
    REQUIRE(p->d.rows == (it->transa ? p->a.columns : p->a.rows) &&
            p->d.columns == (it->transb ? p->b.rows : p->b.columns) &&
            k == (it->transb ? p->b.columns : p->b.rows) && p->c.rows == p->d.rows &&
            p->c.columns == p->d.columns);
    if (!size_of(p->a.type) || !size_of(p->b.type) || !size_of(p->c.type) || !size_of(p->d.type) ||
        !size_of((cudaDataType)it->scale) || it->transc || it->unsupported ||
        it->pointer_mode > CUBLASLT_POINTER_MODE_DEVICE || !is_supported((unsigned)it->epilogue))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                               cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                               cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                               cublasLtMatmulPreference_t preference, int requested,
                               cublasLtMatmulHeuristicResult_t results[], int *returned)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    REQUIRE(operation && Adesc && Bdesc && Cdesc && Ddesc && preference && requested > 0 &&
            results && returned);
    struct problem problem;
    *returned = 0;
    const cublasStatus_t status = read_problem(operation, Adesc, Bdesc, Cdesc, Ddesc, &problem);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    memset(results, 0, sizeof *results);
    results->wavesCount = 1;
    *returned = 1;
    return CUBLAS_STATUS_SUCCESS;
}

CALL(matmul, MATMUL_LIST)
{
    const struct operation it = problem->operation;
    const struct layout a = problem->a, b = problem->b, c = problem->c, d = problem->d;
    const cudaDataType scale = (cudaDataType)it.scale;
    const cudaDataType bias_type = it.bias_type < 0 ? d.type : (cudaDataType)it.bias_type;
    const cudaDataType aux_type = it.aux_type < 0 ? d.type : (cudaDataType)it.aux_type;
    const unsigned kind = it.epilogue == CUBLASLT_EPILOGUE_DEFAULT ? 0 : (unsigned)it.epilogue;
    const unsigned with_bias =
        CUBLASLT_EPILOGUE_BIAS | 16 | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB;
    REQUIRE((!(kind & with_bias) || it.bias) && (!(kind & 128) || it.aux));
    CHECKED(handle);
    if (it.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE) {
        const struct matrix first = scalar_of(alpha, scale), second = scalar_of(beta, scale);
        OPEN(first, READS);
        OPEN(second, READS);
    }
    for (int i = 0; i < d.count; i++) {
        struct product product = {.m = (long)d.rows, .n = (long)d.columns};
        product.k = (long)(it.transa ? a.rows : a.columns);
        product.alpha = load(scale, alpha, 0);
        product.beta = load(scale, beta, 0);
        product.a = matrix_in("matrix A", A, &a, it.transa != CUBLAS_OP_N, i);
        product.b = matrix_in("matrix B", B, &b, it.transb != CUBLAS_OP_N, i);
        product.c = matrix_in("matrix C", C, &c, 0, i);
        product.d = matrix_in("matrix D", D, &d, 0, i);
        product.epilogue.kind = kind;
        product.epilogue.bias =
            vector_of("bias", (const char *)it.bias + (long)size_of(bias_type) * it.bias_stride * i,
                      bias_type, (int)(kind & CUBLASLT_EPILOGUE_BGRADB ? product.n : product.m), 1);
        product.epilogue.aux = matrix_of(
            "auxiliary matrix", (const char *)it.aux + (long)size_of(aux_type) * it.aux_stride * i,
            aux_type, it.aux_ld, product.m, product.n, 0);
        const cublasStatus_t done = portable_cuda_multiply_(call, &product);
        if (done != CUBLAS_STATUS_SUCCESS)
            return done;
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                              const void *alpha, const void *A, cublasLtMatrixLayout_t Adesc,
                              const void *B, cublasLtMatrixLayout_t Bdesc, const void *beta,
                              const void *C, cublasLtMatrixLayout_t Cdesc, void *D,
                              cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t *algorithm,
                              void *workspace, size_t bytes, cudaStream_t stream)
{
    struct problem problem;
    (void)algorithm;
    (void)workspace;
    (void)bytes;
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    REQUIRE(operation && alpha && beta && A && B && C && D && Adesc && Bdesc && Cdesc && Ddesc);
    TRY(read_problem(operation, Adesc, Bdesc, Cdesc, Ddesc, &problem));
    struct cublasContext context = {
        .stream = stream, .pointer_mode = (cublasPointerMode_t)problem.operation.pointer_mode};
    return portable_cuda_matmul_(__func__, &context, &problem, alpha, A, B, beta, C, D);
}
