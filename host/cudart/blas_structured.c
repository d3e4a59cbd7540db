/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuBLAS's calls for complex numbers, for symmetric, triangular, banded and packed matrices, and
 * its factorisations in batches. As blas.c: plain loops, sums in double, rounded once.
 */
#include "host/cudart/blas.h"
#include "host/cudart/complex_numbers.h"
#include "host/cudart/library.h"

#include <stdlib.h> /* calloc, free, malloc */

enum { READS = 1, WRITES = 2 };
static cublasStatus_t portable_cuda_open_run_(const char *call, const char *role, const void *data,
                                              long n, size_t element, int use)
{
    return portable_cuda_opens_array_(call, role, data, (size_t)n, element, (use & READS) != 0,
                                      (use & WRITES) != 0)
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
}
/* A number that the call takes by address. */
static cublasStatus_t portable_cuda_read_scalar_(const char *call,
                                                 const struct cublasContext *handle,
                                                 cudaDataType type, const void *from,
                                                 struct number *scalar)
{
    REQUIRE(from);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        TRY(portable_cuda_open_run_(call, "scalar", from, 1, bytes_of(type), READS));
    *scalar = get(type, from, 0);
    return CUBLAS_STATUS_SUCCESS;
}
/* Opens a number that the call writes. */
static cublasStatus_t portable_cuda_open_result_(const char *call,
                                                 const struct cublasContext *handle, size_t bytes,
                                                 const void *result, int use)
{
    REQUIRE(result);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        TRY(portable_cuda_open_run_(call, "result", result, 1, bytes, use));
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- vectors ---- */

struct vector {
    cudaDataType type;
    void *data;
    long n, increment;
};
static long vector_place(const struct vector *x, long i)
{
    return x->increment > 0 ? i * x->increment : (i - (x->n - 1)) * x->increment;
}
static struct number vector_get(const struct vector *x, long i)
{
    return get(x->type, x->data, vector_place(x, i));
}
static void vector_put(const struct vector *x, long i, struct number value)
{
    put(x->type, x->data, vector_place(x, i), value);
}
static cublasStatus_t portable_cuda_open_vector_(const char *call, const char *role,
                                                 cudaDataType type, const void *data, long n,
                                                 long increment, int use, struct vector *x)
{
    const struct vector vector = {type, (void *)(size_t)data, n > 0 ? n : 0, increment};
    const size_t element = bytes_of(type);
    *x = vector;
    if (x->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (increment == 1)
        return portable_cuda_open_run_(call, role, data, n, element, use);
    return portable_cuda_operand_(call, role, data, (size_t)labs(increment) * element, element,
                                  (size_t)n, (use & READS) != 0, (use & WRITES) != 0) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
}

/* ---- matrices ---- */

enum kind { GENERAL, SYMMETRIC, HERMITIAN, TRIANGULAR };
enum storage { FULL, BAND, PACKED };
struct structured {
    cudaDataType type;
    void *data;
    long rows, columns, ld;
    enum kind kind;
    enum storage storage;
    int is_upper, is_unit; /* of all kinds but GENERAL */
    long lower, upper;     /* diagonals of a band */
};

static struct structured general(cudaDataType type, const void *data, long rows, long columns,
                                 long ld)
{
    const struct structured a = {
        .type = type, .data = (void *)(size_t)data, .rows = rows, .columns = columns, .ld = ld};
    return a;
}
static struct structured square(cudaDataType type, const void *data, long n, long ld,
                                enum kind kind, cublasFillMode_t uplo)
{
    struct structured a = general(type, data, n, n, ld);
    a.kind = kind;
    a.is_upper = uplo == CUBLAS_FILL_MODE_UPPER;
    return a;
}
static struct structured banded(struct structured a, long k)
{
    a.storage = BAND;
    a.lower = a.is_upper ? 0 : k;
    a.upper = a.is_upper ? k : 0;
    return a;
}
static struct structured packed(struct structured a)
{
    a.storage = PACKED;
    return a;
}
static int is_fill(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}
static int is_operation(cublasOperation_t op)
{
    return (unsigned)op <= CUBLAS_OP_C;
}

/* The rows of a column that are stored, first to last; none if last < first. */
static void stored_rows(const struct structured *a, long j, long *first, long *last)
{
    *first = 0;
    *last = a->rows - 1;
    if (a->kind != GENERAL && a->is_upper)
        *last = j;
    if (a->kind != GENERAL && !a->is_upper)
        *first = j;
    if (a->storage == BAND) {
        *first = j - a->upper > *first ? j - a->upper : *first;
        *last = j + a->lower < *last ? j + a->lower : *last;
    }
}
static long place_of(const struct structured *a, long i, long j)
{
    switch (a->storage) {
    case BAND: return a->upper + i - j + j * a->ld;
    case PACKED: return a->is_upper ? i + j * (j + 1) / 2 : i + (2 * a->rows - j - 1) * j / 2;
    default: return i + j * a->ld;
    }
}
static struct number element(const struct structured *a, long i, long j)
{
    const struct number zero = {0, 0}, unit = {1, 0};
    const int is_mirrored =
        (a->kind == SYMMETRIC || a->kind == HERMITIAN) && (a->is_upper ? i > j : i < j);
    const long row = is_mirrored ? j : i, column = is_mirrored ? i : j;
    long first, last;
    if (a->kind == TRIANGULAR && a->is_unit && i == j)
        return unit;
    stored_rows(a, column, &first, &last);
    if (row < first || row > last)
        return zero;
    struct number x = get(a->type, a->data, place_of(a, row, column));
    if (a->kind == HERMITIAN && i == j)
        x.im = 0;
    return conjugate(x, a->kind == HERMITIAN && is_mirrored);
}
/* Element (i, j) of op(A). */
static struct number op_element(const struct structured *a, cublasOperation_t op, long i, long j)
{
    return op == CUBLAS_OP_N ? element(a, i, j) : conjugate(element(a, j, i), op == CUBLAS_OP_C);
}
static void set_element(const struct structured *a, long i, long j, struct number x)
{
    if (a->kind == HERMITIAN && i == j)
        x.im = 0;
    put(a->type, a->data, place_of(a, i, j), x);
}
static cublasStatus_t portable_cuda_open_matrix_(const char *call, const char *role,
                                                 const struct structured *a, int use)
{
    const size_t bytes = bytes_of(a->type);
    if (a->rows == 0 || a->columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (a->storage == PACKED)
        return portable_cuda_open_run_(call, role, a->data, a->rows * (a->rows + 1) / 2, bytes,
                                       use);
    if (a->storage == FULL && a->kind == GENERAL)
        return portable_cuda_operand_(call, role, a->data, (size_t)a->ld * bytes,
                                      (size_t)a->rows * bytes, (size_t)a->columns,
                                      (use & READS) != 0, (use & WRITES) != 0) == cudaSuccess
                   ? CUBLAS_STATUS_SUCCESS
                   : CUBLAS_STATUS_EXECUTION_FAILED;
    for (long j = 0; j < a->columns; j++) {
        long first, last;
        stored_rows(a, j, &first, &last);
        /* A diagonal of ones is not read. */
        if (a->kind == TRIANGULAR && a->is_unit && a->is_upper)
            last--;
        if (a->kind == TRIANGULAR && a->is_unit && !a->is_upper)
            first++;
        if (first <= last)
            TRY(portable_cuda_open_run_(call, role,
                                        (char *)a->data + (size_t)place_of(a, first, j) * bytes,
                                        last - first + 1, bytes, use));
    }
    return CUBLAS_STATUS_SUCCESS;
}
#define OPEN_VECTOR(name, data, n, increment, use)                                                 \
    struct vector name;                                                                            \
    TRY(portable_cuda_open_vector_(call, "vector " #name, type, data, n, increment, use, &name))
#define OPEN_MATRIX(role, matrix, use) TRY(portable_cuda_open_matrix_(call, role, &(matrix), use))
#define SCALAR(name, type, from)                                                                   \
    struct number name;                                                                            \
    TRY(portable_cuda_read_scalar_(call, handle, type, from, &name))

static long at_least_1(long n)
{
    return n > 1 ? n : 1;
}

/* The calls' arguments, for blas.h. */
/* clang-format off */
#define AXPY_LIST(V, S, M, R)                                                                      \
    V(cudaDataType, type) V(int, n) S(alpha, bytes_of(alpha_type)) V(cudaDataType, alpha_type)     \
    V(const void *, from) V(int, incx) V(cudaDataType, y_type) V(void *, to) V(int, incy)
#define SCAL_LIST(V, S, M, R)                                                                      \
    V(cudaDataType, type) V(int, n) S(alpha, bytes_of(alpha_type)) V(cudaDataType, alpha_type)     \
    V(void *, to) V(int, incx)
#define EXCHANGE_LIST(V, S, M, R)                                                                  \
    V(cudaDataType, type) V(int, n) V(const void *, from) V(int, incx) V(void *, to) V(int, incy)  \
    V(int, both)
#define DOT_LIST(V, S, M, R)                                                                       \
    V(cudaDataType, type) V(int, n) V(const void *, from) V(int, incx) V(cudaDataType, y_type)     \
    V(const void *, other) V(int, incy) V(cudaDataType, result_type) R(result) V(int, conjugates)
#define NORM_LIST(V, S, M, R)                                                                      \
    V(cudaDataType, type) V(int, n) V(const void *, from) V(int, incx)                             \
    V(cudaDataType, result_type) R(result) V(int, is_sum)
#define EXTREME_LIST(V, S, M, R)                                                                   \
    V(cudaDataType, type) V(int, n) V(const void *, from) V(int, incx) R(result) V(int, is_least)
#define ROT_LIST(V, S, M, R)                                                                       \
    V(cudaDataType, type) V(int, n) V(void *, left) V(int, incx) V(void *, right) V(int, incy)     \
    S(cosine, bytes_of(c_type)) V(cudaDataType, c_type) S(sine, bytes_of(s_type))                  \
    V(cudaDataType, s_type)
#define ROTG_LIST(V, S, M, R)                                                                      \
    V(cudaDataType, type) V(cudaDataType, real) R(a) R(b) R(c) R(s)
#define MV_LIST(V, S, M, R)                                                                        \
    M(struct structured, a) V(cublasOperation_t, op) S(alpha, bytes_of(a->type))                   \
    V(const void *, from) V(int, incx) S(beta, bytes_of(a->type)) V(void *, to) V(int, incy)
#define TRIANGLE_LIST(V, S, M, R)                                                                  \
    V(struct structured, a) V(cublasOperation_t, op) V(cublasDiagType_t, diagonal)                 \
    V(void *, data) V(int, incx) V(int, solves)
#define RANK_LIST(V, S, M, R)                                                                      \
    M(struct structured, a) S(alpha, bytes_of(alpha_type)) V(cudaDataType, alpha_type)             \
    V(const void *, left) V(int, incx) V(const void *, right) V(int, incy) V(int, conjugates)      \
    V(int, both)
#define MM_LIST(V, S, M, R)                                                                        \
    M(struct structured, a) V(cublasOperation_t, op_a) M(struct structured, b)                     \
    V(cublasOperation_t, op_b) M(struct structured, c) S(alpha, bytes_of(c->type))                 \
    S(beta, bytes_of(c->type))
#define RANK_K_LIST(V, S, M, R)                                                                    \
    M(struct structured, c) V(cublasOperation_t, op) M(struct structured, a)                       \
    M(struct structured, b) S(alpha, bytes_of(alpha_type)) V(cudaDataType, alpha_type)             \
    S(beta, bytes_of(beta_type)) V(cudaDataType, beta_type) V(int, both)
#define TRIANGLES_LIST(V, S, M, R)                                                                 \
    V(cublasSideMode_t, side) V(struct structured, a) V(cublasOperation_t, op)                     \
    V(cublasDiagType_t, diagonal) M(struct structured, b) M(struct structured, c)                  \
    S(alpha, bytes_of(c->type)) V(int, solves)
#define ADD_LIST(V, S, M, R)                                                                       \
    V(cublasOperation_t, op_a) V(cublasOperation_t, op_b) M(struct structured, a)                  \
    M(struct structured, b) M(struct structured, c) S(alpha, bytes_of(c->type))                    \
    S(beta, bytes_of(c->type))
#define SCALE_LIST(V, S, M, R)                                                                     \
    V(cublasSideMode_t, side) M(struct structured, a) V(const void *, from) V(int, incx)           \
    M(struct structured, c)
/* clang-format on */

/* ---- level 1 ---- */

CALL(axpy, AXPY_LIST)
{
    CHECKED(handle);
    SCALAR(a, alpha_type, alpha);
    OPEN_VECTOR(x, from, n, incx, READS);
    struct vector y;
    TRY(portable_cuda_open_vector_(call, "vector y", y_type, to, n, incy, READS | WRITES, &y));
    for (long i = 0; i < n; i++)
        vector_put(&y, i, plus(times(a, vector_get(&x, i)), vector_get(&y, i)));
    return CUBLAS_STATUS_SUCCESS;
}
CALL(scal, SCAL_LIST)
{
    CHECKED(handle);
    SCALAR(a, alpha_type, alpha);
    OPEN_VECTOR(x, to, n, incx, READS | WRITES);
    for (long i = 0; i < n; i++)
        vector_put(&x, i, times(a, vector_get(&x, i)));
    return CUBLAS_STATUS_SUCCESS;
}
/* copy, or with both swap */
CALL(exchange, EXCHANGE_LIST)
{
    CHECKED(handle);
    OPEN_VECTOR(x, from, n, incx, both ? READS | WRITES : READS);
    OPEN_VECTOR(y, to, n, incy, both ? READS | WRITES : WRITES);
    for (long i = 0; i < n; i++) {
        const struct number u = vector_get(&x, i);
        if (both)
            vector_put(&x, i, vector_get(&y, i));
        vector_put(&y, i, u);
    }
    return CUBLAS_STATUS_SUCCESS;
}
CALL(dot, DOT_LIST)
{
    struct number sum = {0, 0};
    CHECKED(handle);
    TRY(portable_cuda_open_result_(call, handle, bytes_of(result_type), result, WRITES));
    OPEN_VECTOR(x, from, n, incx, READS);
    struct vector y;
    TRY(portable_cuda_open_vector_(call, "vector y", y_type, other, n, incy, READS, &y));
    for (long i = 0; i < n; i++)
        sum = plus(sum, times(conjugate(vector_get(&x, i), conjugates), vector_get(&y, i)));
    put(result_type, result, 0, sum);
    return CUBLAS_STATUS_SUCCESS;
}
/* The norm, or the sum of absolute values of the parts */
CALL(norm, NORM_LIST)
{
    struct number sum = {0, 0};
    CHECKED(handle);
    TRY(portable_cuda_open_result_(call, handle, bytes_of(result_type), result, WRITES));
    OPEN_VECTOR(x, from, n, incx, READS);
    for (long i = 0; i < n; i++) {
        const struct number u = vector_get(&x, i);
        sum.re += is_sum ? fabs(u.re) + fabs(u.im) : u.re * u.re + u.im * u.im;
    }
    if (!is_sum)
        sum.re = sqrt(sum.re);
    put(result_type, result, 0, sum);
    return CUBLAS_STATUS_SUCCESS;
}
CALL(extreme, EXTREME_LIST)
{
    double best = 0;
    int index = 0;
    CHECKED(handle);
    TRY(portable_cuda_open_result_(call, handle, sizeof(int), result, WRITES));
    OPEN_VECTOR(x, from, n, incx, READS);
    for (int i = 0; i < n; i++) {
        const struct number u = vector_get(&x, i);
        const double size = fabs(u.re) + fabs(u.im);
        if (index == 0 || (is_least ? size < best : size > best)) {
            best = size;
            index = i + 1;
        }
    }
    *(volatile int *)result = index;
    return CUBLAS_STATUS_SUCCESS;
}
CALL(rot, ROT_LIST)
{
    CHECKED(handle);
    SCALAR(c, c_type, cosine);
    SCALAR(s, s_type, sine);
    OPEN_VECTOR(x, left, n, incx, READS | WRITES);
    OPEN_VECTOR(y, right, n, incy, READS | WRITES);
    for (long i = 0; i < n; i++) {
        const struct number u = vector_get(&x, i), v = vector_get(&y, i);
        vector_put(&x, i, plus(times(c, u), times(s, v)));
        vector_put(&y, i, minus(times(c, v), times(conjugate(s, 1), u)));
    }
    return CUBLAS_STATUS_SUCCESS;
}
/* As BLAS: (a, b) becomes (r, z); for complex numbers b stays. */
CALL(rotg, ROTG_LIST)
{
    CHECKED(handle);
    TRY(portable_cuda_open_result_(call, handle, bytes_of(type), a, READS | WRITES));
    TRY(portable_cuda_open_result_(call, handle, bytes_of(type), b,
                                   type == real ? READS | WRITES : READS));
    TRY(portable_cuda_open_result_(call, handle, bytes_of(real), c, WRITES));
    TRY(portable_cuda_open_result_(call, handle, bytes_of(type), s, WRITES));
    const struct number u = get(type, a, 0), v = get(type, b, 0);
    const double size_u = sqrt(u.re * u.re + u.im * u.im), size_v = sqrt(v.re * v.re + v.im * v.im);
    const double size = sqrt(size_u * size_u + size_v * size_v);
    struct number cosine = {1, 0}, sine = {0, 0}, r = u;
    if (type != real) {
        if (size_u == 0) {
            cosine.re = 0;
            sine.re = 1;
            r = v;
        } else {
            const struct number direction = {u.re / size_u, u.im / size_u}, scale = {size, 0};
            cosine.re = size_u / size;
            sine = over(times(direction, conjugate(v, 1)), scale);
            r = times(direction, scale);
        }
    } else if (size != 0) {
        const double sign = (size_u > size_v ? u.re : v.re) < 0 ? -1 : 1;
        struct number z = {1, 0};
        r.re = sign * size;
        cosine.re = u.re / r.re;
        sine.re = v.re / r.re;
        if (size_u > size_v)
            z.re = sine.re;
        else if (cosine.re != 0)
            z.re = 1 / cosine.re;
        put(type, b, 0, z);
    } else {
        put(type, b, 0, sine);
    }
    put(type, a, 0, r);
    put(real, c, 0, cosine);
    put(type, s, 0, sine);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- level 2 ---- */

/* y = alpha op(A) x + beta y */
CALL(mv, MV_LIST)
{
    const cudaDataType type = a->type;
    const long m = op == CUBLAS_OP_N ? a->rows : a->columns;
    const long n = op == CUBLAS_OP_N ? a->columns : a->rows;
    REQUIRE(is_operation(op) && a->rows >= 0 && a->columns >= 0 && incx && incy);
    REQUIRE(a->storage == PACKED ||
            a->ld >= at_least_1(a->storage == BAND ? a->lower + a->upper + 1 : a->rows));
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    CHECKED(handle);
    SCALAR(factor, type, alpha);
    SCALAR(keep, type, beta);
    if (!is_zero(factor))
        OPEN_MATRIX("matrix A", *a, READS);
    OPEN_VECTOR(x, from, n, incx, is_zero(factor) ? 0 : READS);
    OPEN_VECTOR(y, to, m, incy, is_zero(keep) ? WRITES : READS | WRITES);
    for (long i = 0; i < m; i++) {
        struct number sum = {0, 0};
        for (long j = 0; !is_zero(factor) && j < n; j++)
            sum = plus(sum, times(op_element(a, op, i, j), vector_get(&x, j)));
        sum = times(factor, sum);
        vector_put(&y, i, is_zero(keep) ? sum : plus(sum, times(keep, vector_get(&y, i))));
    }
    return CUBLAS_STATUS_SUCCESS;
}
/* Solves op(A) x = b in place. */
static void substitute(const struct structured *a, cublasOperation_t op, struct number *x)
{
    const int is_upper = a->is_upper == (op == CUBLAS_OP_N);
    for (long step = 0; step < a->rows; step++) {
        const long i = is_upper ? a->rows - 1 - step : step;
        for (long j = is_upper ? i + 1 : 0; j < (is_upper ? a->rows : i); j++)
            x[i] = minus(x[i], times(op_element(a, op, i, j), x[j]));
        if (!a->is_unit)
            x[i] = over(x[i], op_element(a, op, i, i));
    }
}
/* x = op(A) x, or the solution of op(A) y = x */
CALL(triangle, TRIANGLE_LIST)
{
    const cudaDataType type = a.type;
    REQUIRE(is_operation(op) && a.rows >= 0 && incx);
    REQUIRE(a.storage == PACKED ||
            a.ld >= at_least_1(a.storage == BAND ? a.lower + a.upper + 1 : a.rows));
    CHECKED(handle);
    a.is_unit = diagonal == CUBLAS_DIAG_UNIT;
    OPEN_MATRIX("matrix A", a, READS);
    OPEN_VECTOR(x, data, a.rows, incx, READS | WRITES);
    struct number *const old = (struct number *)malloc(((size_t)a.rows + 1) * sizeof *old);
    if (!old)
        return CUBLAS_STATUS_ALLOC_FAILED;
    for (long i = 0; i < a.rows; i++)
        old[i] = vector_get(&x, i);
    if (solves)
        substitute(&a, op, old);
    for (long i = 0; i < a.rows; i++) {
        struct number sum = {0, 0};
        for (long j = 0; !solves && j < a.rows; j++)
            sum = plus(sum, times(op_element(&a, op, i, j), old[j]));
        vector_put(&x, i, solves ? old[i] : sum);
    }
    free(old);
    return CUBLAS_STATUS_SUCCESS;
}
/* A += alpha x y', and with both alpha' y x', in the elements that A stores; y is x if NULL. */
CALL(rank, RANK_LIST)
{
    const cudaDataType type = a->type;
    REQUIRE(a->rows >= 0 && a->columns >= 0 && incx && incy);
    REQUIRE(a->storage == PACKED || a->ld >= at_least_1(a->rows));
    CHECKED(handle);
    SCALAR(factor, alpha_type, alpha);
    OPEN_VECTOR(x, left, a->rows, incx, READS);
    OPEN_VECTOR(y, right ? right : left, a->columns, right ? incy : incx, READS);
    OPEN_MATRIX("matrix A", *a, READS | WRITES);
    for (long j = 0; j < a->columns; j++) {
        long first, last;
        stored_rows(a, j, &first, &last);
        for (long i = first; i <= last; i++) {
            struct number sum =
                times(factor, times(vector_get(&x, i), conjugate(vector_get(&y, j), conjugates)));
            if (both)
                sum = plus(
                    sum, times(conjugate(factor, conjugates),
                               times(vector_get(&y, i), conjugate(vector_get(&x, j), conjugates))));
            set_element(a, i, j, plus(sum, get(a->type, a->data, place_of(a, i, j))));
        }
    }
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- level 3 ---- */

static long columns_of(const struct structured *a, cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? a->columns : a->rows;
}
/* C = alpha op(A) op(B) + beta C */
CALL(mm, MM_LIST)
{
    const cudaDataType type = c->type;
    const long k = columns_of(a, op_a);
    REQUIRE(is_operation(op_a) && is_operation(op_b) && c->rows >= 0 && c->columns >= 0 && k >= 0);
    REQUIRE(a->ld >= at_least_1(a->rows) && b->ld >= at_least_1(b->rows) &&
            c->ld >= at_least_1(c->rows));
    CHECKED(handle);
    SCALAR(factor, type, alpha);
    SCALAR(keep, type, beta);
    if (c->rows == 0 || c->columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!is_zero(factor)) {
        OPEN_MATRIX("matrix A", *a, READS);
        OPEN_MATRIX("matrix B", *b, READS);
    }
    OPEN_MATRIX("matrix C", *c, is_zero(keep) ? WRITES : READS | WRITES);
    for (long j = 0; j < c->columns; j++)
        for (long i = 0; i < c->rows; i++) {
            struct number sum = {0, 0};
            for (long l = 0; !is_zero(factor) && l < k; l++)
                sum = plus(sum, times(op_element(a, op_a, i, l), op_element(b, op_b, l, j)));
            sum = times(factor, sum);
            set_element(c, i, j, is_zero(keep) ? sum : plus(sum, times(keep, element(c, i, j))));
        }
    return CUBLAS_STATUS_SUCCESS;
}
/* C = alpha op(A) op(B)' + beta C in a triangle, and with both alpha' op(B) op(A)'. */
CALL(rank_k, RANK_K_LIST)
{
    const int conjugates = c->kind == HERMITIAN;
    REQUIRE(is_operation(op) && c->rows >= 0 && columns_of(a, op) >= 0);
    REQUIRE(c->type == CUDA_R_32F || c->type == CUDA_R_64F || op == CUBLAS_OP_N ||
            op == (conjugates ? CUBLAS_OP_C : CUBLAS_OP_T));
    REQUIRE(a->ld >= at_least_1(a->rows) && b->ld >= at_least_1(b->rows) &&
            c->ld >= at_least_1(c->rows));
    CHECKED(handle);
    SCALAR(factor, alpha_type, alpha);
    SCALAR(keep, beta_type, beta);
    OPEN_MATRIX("matrix A", *a, READS);
    if (b != a)
        OPEN_MATRIX("matrix B", *b, READS);
    OPEN_MATRIX("matrix C", *c, is_zero(keep) ? WRITES : READS | WRITES);
    for (long j = 0; j < c->columns; j++) {
        long first, last;
        stored_rows(c, j, &first, &last);
        for (long i = first; i <= last; i++) {
            struct number sum = {0, 0}, other = {0, 0};
            for (long l = 0; l < columns_of(a, op); l++) {
                sum = plus(sum, times(op_element(a, op, i, l),
                                      conjugate(op_element(b, op, j, l), conjugates)));
                if (both)
                    other = plus(other, times(op_element(b, op, i, l),
                                              conjugate(op_element(a, op, j, l), conjugates)));
            }
            sum = plus(times(factor, sum), times(conjugate(factor, conjugates), other));
            set_element(c, i, j, is_zero(keep) ? sum : plus(sum, times(keep, element(c, i, j))));
        }
    }
    return CUBLAS_STATUS_SUCCESS;
}
/* C = alpha op(A) B, or B op(A), or with solves the X of op(A) X = alpha B, or X op(A) = alpha B.
 * C may be B. */
CALL(triangles, TRIANGLES_LIST)
{
    const int is_left = side == CUBLAS_SIDE_LEFT;
    REQUIRE(is_operation(op) && b->rows >= 0 && b->columns >= 0);
    REQUIRE(a.ld >= at_least_1(a.rows) && b->ld >= at_least_1(b->rows) &&
            c->ld >= at_least_1(c->rows));
    CHECKED(handle);
    a.is_unit = diagonal == CUBLAS_DIAG_UNIT;
    SCALAR(factor, c->type, alpha);
    if (!is_zero(factor)) {
        OPEN_MATRIX("matrix A", a, READS);
        OPEN_MATRIX("matrix B", *b, READS);
    }
    OPEN_MATRIX(solves ? "matrix B" : "matrix C", *c, WRITES);
    struct number *const line = (struct number *)malloc(((size_t)a.rows + 1) * sizeof *line);
    if (!line)
        return CUBLAS_STATUS_ALLOC_FAILED;
    for (long j = 0; j < (is_left ? c->columns : c->rows); j++) {
        for (long i = 0; i < a.rows; i++) {
            const struct number zero = {0, 0};
            line[i] = is_zero(factor)
                          ? zero
                          : times(factor, is_left ? element(b, i, j) : element(b, j, i));
        }
        /* x op(A) = b is op(A)' x' = b', and b of a conjugate transpose is conjugated. */
        const cublasOperation_t turned = is_left             ? op
                                         : op == CUBLAS_OP_N ? CUBLAS_OP_T
                                                             : CUBLAS_OP_N;
        const int conjugates = !is_left && op == CUBLAS_OP_C;
        for (long i = 0; conjugates && i < a.rows; i++)
            line[i] = conjugate(line[i], 1);
        if (solves && !is_zero(factor))
            substitute(&a, turned, line);
        for (long i = 0; i < a.rows; i++) {
            struct number x = solves ? line[i] : (struct number){0, 0};
            for (long l = 0; !solves && l < a.rows; l++)
                x = plus(x, times(op_element(&a, turned, i, l), line[l]));
            x = conjugate(x, conjugates);
            set_element(c, is_left ? i : j, is_left ? j : i, x);
        }
    }
    free(line);
    return CUBLAS_STATUS_SUCCESS;
}
CALL(add, ADD_LIST)
{
    REQUIRE(is_operation(op_a) && is_operation(op_b) && c->rows >= 0 && c->columns >= 0 &&
            c->ld >= at_least_1(c->rows));
    CHECKED(handle);
    SCALAR(u, c->type, alpha);
    SCALAR(v, c->type, beta);
    if (!is_zero(u))
        OPEN_MATRIX("matrix A", *a, READS);
    if (!is_zero(v))
        OPEN_MATRIX("matrix B", *b, READS);
    OPEN_MATRIX("matrix C", *c, WRITES);
    for (long j = 0; j < c->columns; j++)
        for (long i = 0; i < c->rows; i++) {
            struct number x = {0, 0};
            if (!is_zero(u))
                x = times(u, op_element(a, op_a, i, j));
            if (!is_zero(v))
                x = plus(x, times(v, op_element(b, op_b, i, j)));
            set_element(c, i, j, x);
        }
    return CUBLAS_STATUS_SUCCESS;
}
/* C = A diag(x), or diag(x) A */
CALL(scale, SCALE_LIST)
{
    const cudaDataType type = c->type;
    const int is_left = side == CUBLAS_SIDE_LEFT;
    REQUIRE(c->rows >= 0 && c->columns >= 0 && a->ld >= at_least_1(a->rows) &&
            c->ld >= at_least_1(c->rows));
    CHECKED(handle);
    OPEN_MATRIX("matrix A", *a, READS);
    OPEN_VECTOR(x, from, is_left ? c->rows : c->columns, incx, READS);
    OPEN_MATRIX("matrix C", *c, WRITES);
    for (long j = 0; j < c->columns; j++)
        for (long i = 0; i < c->rows; i++)
            set_element(c, i, j, times(element(a, i, j), vector_get(&x, is_left ? i : j)));
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- batches ---- */

static void *address_at(const void *list, int k)
{
    return ((void *const volatile *)list)[k];
}
static cublasStatus_t portable_cuda_open_list_(const char *call, const char *role, const void *list,
                                               int count)
{
    REQUIRE(list && count >= 0);
    return portable_cuda_open_run_(call, role, list, count, sizeof(void *), READS);
}
#define OPEN_LIST(role, list) TRY(portable_cuda_open_list_(call, role, list, count))

/* LU in a packed array of n x n; without places no pivots. Returns the first zero pivot, or 0. */
static int factorise(struct number *a, int n, int *places)
{
    int info = 0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; places && i < n; i++)
            if (fabs(a[i + k * n].re) + fabs(a[i + k * n].im) >
                fabs(a[best + k * n].re) + fabs(a[best + k * n].im))
                best = i;
        if (places)
            places[k] = best + 1;
        for (int j = 0; best != k && j < n; j++) {
            const struct number x = a[k + j * n];
            a[k + j * n] = a[best + j * n];
            a[best + j * n] = x;
        }
        if (is_zero(a[k + k * n])) {
            info = info ? info : k + 1;
            continue;
        }
        for (int i = k + 1; i < n; i++) {
            a[i + k * n] = over(a[i + k * n], a[k + k * n]);
            for (int j = k + 1; j < n; j++)
                a[i + j * n] = minus(a[i + j * n], times(a[i + k * n], a[k + j * n]));
        }
    }
    return info;
}
/* Solves op(P L U) x = b in place. */
static void solve(const struct number *lu, int n, const int *places, cublasOperation_t op,
                  struct number *x)
{
    struct structured a = {.type = CUDA_C_64F,
                           .data = (void *)(size_t)lu,
                           .rows = n,
                           .columns = n,
                           .ld = n,
                           .kind = TRIANGULAR};
    for (int half = 0; half < 2; half++) {
        a.is_upper = (op == CUBLAS_OP_N) == (half == 1);
        a.is_unit = !a.is_upper;
        for (int k = 0; places && half == 0 && op == CUBLAS_OP_N && k < n; k++) {
            const struct number y = x[k];
            x[k] = x[places[k] - 1];
            x[places[k] - 1] = y;
        }
        substitute(&a, op, x);
    }
    for (int k = n - 1; places && op != CUBLAS_OP_N && k >= 0; k--) {
        const struct number y = x[k];
        x[k] = x[places[k] - 1];
        x[places[k] - 1] = y;
    }
}
static cublasStatus_t portable_cuda_load_(const char *call, const char *role,
                                          const struct structured *a, struct number *to)
{
    OPEN_MATRIX(role, *a, READS);
    for (long j = 0; j < a->columns; j++)
        for (long i = 0; i < a->rows; i++)
            to[i + j * a->rows] = element(a, i, j);
    return CUBLAS_STATUS_SUCCESS;
}
static cublasStatus_t portable_cuda_store_(const char *call, const char *role,
                                           const struct structured *a, const struct number *from)
{
    OPEN_MATRIX(role, *a, WRITES);
    for (long j = 0; j < a->columns; j++)
        for (long i = 0; i < a->rows; i++)
            set_element(a, i, j, from[i + j * a->rows]);
    return CUBLAS_STATUS_SUCCESS;
}
/* What a call for a batch of factorisations does with each matrix A. */
enum factorisation { GETRF, GETRS, GETRI, MATINV };
static cublasStatus_t portable_cuda_factor_one_(const char *call, enum factorisation what,
                                                cudaDataType type, cublasOperation_t op, int n,
                                                int nrhs, void *A, int lda, int *pivots, void *B,
                                                int ldb, int *info, struct number *work,
                                                int *places)
{
    const struct structured a = general(type, A, n, n, lda), b = general(type, B, n, nrhs, ldb);
    struct number *const x = work + (size_t)n * (size_t)n;
    int value = 0;
    TRY(portable_cuda_load_(call, "matrix A", &a, work));
    if (what == GETRF || what == MATINV) {
        value = factorise(work, n, what == MATINV || pivots ? places : NULL);
    } else {
        for (int i = 0; i < n; i++) {
            places[i] = pivots ? ((const volatile int *)pivots)[i] : i + 1;
            REQUIRE(places[i] >= 1 && places[i] <= n);
        }
        for (int i = 0; what == GETRI && value == 0 && i < n; i++)
            value = is_zero(work[i + i * n]) ? i + 1 : 0;
    }
    if (what == GETRF) {
        TRY(portable_cuda_store_(call, "matrix A", &a, work));
        for (int i = 0; pivots && i < n; i++)
            ((volatile int *)pivots)[i] = places[i];
    } else if (value == 0) {
        const int *const order = what == MATINV || pivots ? places : NULL;
        if (what == GETRS)
            TRY(portable_cuda_load_(call, "matrix B", &b, x));
        for (int j = 0; j < nrhs; j++) {
            for (int i = 0; what != GETRS && i < n; i++) {
                const struct number unit = {i == j, 0};
                x[i + j * n] = unit;
            }
            solve(work, n, order, op, x + (size_t)j * (size_t)n);
        }
        TRY(portable_cuda_store_(call, what == GETRS ? "matrix B" : "inverse", &b, x));
    }
    if (info)
        *(volatile int *)info = value;
    return CUBLAS_STATUS_SUCCESS;
}
static cublasStatus_t portable_cuda_factor_(const char *call, cublasHandle_t handle,
                                            enum factorisation what, cudaDataType type,
                                            cublasOperation_t op, int n, int nrhs, const void *A,
                                            int lda, const int *pivots, const void *B, int ldb,
                                            int *infos, int count)
{
    const long all = (long)n * count;
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    BEGIN(handle);
    REQUIRE(n >= 0 && nrhs >= 0 && count >= 0 && lda >= at_least_1(n) && ldb >= at_least_1(n) &&
            infos);
    OPEN_LIST("list of A", A);
    if (what != GETRF)
        OPEN_LIST("list of B", B);
    if (pivots)
        TRY(portable_cuda_open_run_(call, "pivots", pivots, all, sizeof(int),
                                    what == GETRF ? WRITES : READS));
    /* The info of getrs is the host's. */
    if (what != GETRS)
        TRY(portable_cuda_open_run_(call, "info", infos, count, sizeof(int), WRITES));
    else
        *infos = 0;
    struct number *const work =
        (struct number *)malloc(((size_t)n * ((size_t)n + (size_t)nrhs) + 1) * sizeof *work);
    int *const places = (int *)malloc(((size_t)n + 1) * sizeof *places);
    if (!work || !places)
        status = CUBLAS_STATUS_ALLOC_FAILED;
    for (int k = 0; status == CUBLAS_STATUS_SUCCESS && k < count; k++)
        status = portable_cuda_factor_one_(call, what, type, op, n, nrhs, address_at(A, k), lda,
                                           pivots ? (int *)(size_t)pivots + (long)k * n : NULL,
                                           what == GETRF ? NULL : address_at(B, k), ldb,
                                           what == GETRS ? NULL : infos + k, work, places);
    free(work);
    free(places);
    return status;
}

/* ---- the calls ---- */

/* For every type */
#define FOR_ALL(L, T)                                                                              \
    cublasStatus_t cublas##L##gbmv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                   int kl, int ku, const T *alpha, const T *A, int lda,            \
                                   const T *x, int incx, const T *beta, T *y, int incy)            \
    {                                                                                              \
        struct structured a = general(TYPE_##L, A, m, n, lda);                                     \
        REQUIRE(kl >= 0 && ku >= 0);                                                               \
        a.storage = BAND;                                                                          \
        a.lower = kl;                                                                              \
        a.upper = ku;                                                                              \
        return portable_cuda_mv_(__func__, handle, &a, trans, alpha, x, incx, beta, y, incy);      \
    }                                                                                              \
    SYMMETRIC_CALLS(L, T, sy, SYMMETRIC)                                                           \
    TRIANGULAR_CALLS(L, T, mv, 0)                                                                  \
    TRIANGULAR_CALLS(L, T, sv, 1)                                                                  \
    RANK_CALL(L, T, T, syr, SYMMETRIC, TYPE_##L, 0)                                                \
    RANK_2_CALL(L, T, syr2, SYMMETRIC, 0)                                                          \
    RANK_K_CALLS(L, T, T, T, sy, SYMMETRIC, TYPE_##L, TYPE_##L)                                    \
    cublasStatus_t cublas##L##trmm(cublasHandle_t handle, cublasSideMode_t side,                   \
                                   cublasFillMode_t uplo, cublasOperation_t trans,                 \
                                   cublasDiagType_t diag, int m, int n, const T *alpha,            \
                                   const T *A, int lda, const T *B, int ldb, T *C, int ldc)        \
    {                                                                                              \
        const struct structured b = general(TYPE_##L, B, m, n, ldb);                               \
        const struct structured c = general(TYPE_##L, C, m, n, ldc);                               \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_triangles_(                                                           \
            __func__, handle, side,                                                                \
            square(TYPE_##L, A, side == CUBLAS_SIDE_LEFT ? m : n, lda, TRIANGULAR, uplo), trans,   \
            diag, &b, &c, alpha, 0);                                                               \
    }                                                                                              \
    cublasStatus_t cublas##L##trsmBatched(                                                         \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
        cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T *alpha,              \
        const T *const A[], int lda, T *const B[], int ldb, int count)                             \
    {                                                                                              \
        const char *const call = __func__;                                                         \
        BEGIN(handle);                                                                             \
        REQUIRE(is_fill(uplo));                                                                    \
        OPEN_LIST("list of A", A);                                                                 \
        OPEN_LIST("list of B", B);                                                                 \
        for (int k = 0; k < count; k++) {                                                          \
            const struct structured b = general(TYPE_##L, address_at(B, k), m, n, ldb);            \
            TRY(portable_cuda_triangles_(call, handle, side,                                       \
                                         square(TYPE_##L, address_at(A, k),                        \
                                                side == CUBLAS_SIDE_LEFT ? m : n, lda, TRIANGULAR, \
                                                uplo),                                             \
                                         trans, diag, &b, &b, alpha, 1));                          \
        }                                                                                          \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##L##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n,     \
                                   const T *A, int lda, const T *x, int incx, T *C, int ldc)       \
    {                                                                                              \
        const struct structured a = general(TYPE_##L, A, m, n, lda);                               \
        const struct structured c = general(TYPE_##L, C, m, n, ldc);                               \
        return portable_cuda_scale_(__func__, handle, mode, &a, x, incx, &c);                      \
    }                                                                                              \
    cublasStatus_t cublas##L##gemvBatched(cublasHandle_t handle, cublasOperation_t trans, int m,   \
                                          int n, const T *alpha, const T *const A[], int lda,      \
                                          const T *const x[], int incx, const T *beta,             \
                                          T *const y[], int incy, int count)                       \
    {                                                                                              \
        const char *const call = __func__;                                                         \
        BEGIN(handle);                                                                             \
        OPEN_LIST("list of A", A);                                                                 \
        OPEN_LIST("list of x", x);                                                                 \
        OPEN_LIST("list of y", y);                                                                 \
        for (int k = 0; k < count; k++) {                                                          \
            const struct structured a = general(TYPE_##L, address_at(A, k), m, n, lda);            \
            TRY(portable_cuda_mv_(call, handle, &a, trans, alpha, address_at(x, k), incx, beta,    \
                                  address_at(y, k), incy));                                        \
        }                                                                                          \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##L##gemvStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha, const T *A,  \
        int lda, long long strideA, const T *x, int incx, long long stridex, const T *beta, T *y,  \
        int incy, long long stridey, int count)                                                    \
    {                                                                                              \
        REQUIRE(count >= 0);                                                                       \
        for (int k = 0; k < count; k++) {                                                          \
            const struct structured a = general(TYPE_##L, A + k * strideA, m, n, lda);             \
            TRY(portable_cuda_mv_(__func__, handle, &a, trans, alpha, x + k * stridex, incx, beta, \
                                  y + k * stridey, incy));                                         \
        }                                                                                          \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##L##getrfBatched(cublasHandle_t handle, int n, T *const A[], int lda,    \
                                           int *pivots, int *infos, int count)                     \
    {                                                                                              \
        return portable_cuda_factor_(__func__, handle, GETRF, TYPE_##L, CUBLAS_OP_N, n, 0, A, lda, \
                                     pivots, NULL, lda, infos, count);                             \
    }                                                                                              \
    cublasStatus_t cublas##L##getrsBatched(                                                        \
        cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T *const A[],       \
        int lda, const int *pivots, T *const B[], int ldb, int *info, int count)                   \
    {                                                                                              \
        REQUIRE(is_operation(trans));                                                              \
        return portable_cuda_factor_(__func__, handle, GETRS, TYPE_##L, trans, n, nrhs, A, lda,    \
                                     pivots, B, ldb, info, count);                                 \
    }                                                                                              \
    cublasStatus_t cublas##L##getriBatched(cublasHandle_t handle, int n, const T *const A[],       \
                                           int lda, const int *pivots, T *const C[], int ldc,      \
                                           int *infos, int count)                                  \
    {                                                                                              \
        return portable_cuda_factor_(__func__, handle, GETRI, TYPE_##L, CUBLAS_OP_N, n, n, A, lda, \
                                     pivots, C, ldc, infos, count);                                \
    }                                                                                              \
    cublasStatus_t cublas##L##matinvBatched(cublasHandle_t handle, int n, const T *const A[],      \
                                            int lda, T *const C[], int ldc, int *infos, int count) \
    {                                                                                              \
        REQUIRE(n <= 32);                                                                          \
        return portable_cuda_factor_(__func__, handle, MATINV, TYPE_##L, CUBLAS_OP_N, n, n, A,     \
                                     lda, NULL, C, ldc, infos, count);                             \
    }

/* Products with symmetric or Hermitian matrices: names begin with S, with SB for bands, with SP for
 * packed ones. */
#define SYMMETRIC_CALLS(L, T, S, kind)                                                             \
    cublasStatus_t cublas##L##S##mv(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T *alpha, const T *A, int lda, const T *x, int incx,     \
                                    const T *beta, T *y, int incy)                                 \
    {                                                                                              \
        const struct structured a = square(TYPE_##L, A, n, lda, kind, uplo);                       \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_mv_(__func__, handle, &a, CUBLAS_OP_N, alpha, x, incx, beta, y,       \
                                 incy);                                                            \
    }                                                                                              \
    cublasStatus_t cublas##L##S##mm(                                                               \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,         \
        const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc)    \
    {                                                                                              \
        const int is_left = side == CUBLAS_SIDE_LEFT;                                              \
        const struct structured a = square(TYPE_##L, A, is_left ? m : n, lda, kind, uplo);         \
        const struct structured b = general(TYPE_##L, B, m, n, ldb);                               \
        const struct structured c = general(TYPE_##L, C, m, n, ldc);                               \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_mm_(__func__, handle, is_left ? &a : &b, CUBLAS_OP_N,                 \
                                 is_left ? &b : &a, CUBLAS_OP_N, &c, alpha, beta);                 \
    }
#define STORED_CALLS(L, T, SB, SP, kind)                                                           \
    cublasStatus_t cublas##L##SB##mv(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k,   \
                                     const T *alpha, const T *A, int lda, const T *x, int incx,    \
                                     const T *beta, T *y, int incy)                                \
    {                                                                                              \
        const struct structured a = banded(square(TYPE_##L, A, n, lda, kind, uplo), k);            \
        REQUIRE(is_fill(uplo) && k >= 0);                                                          \
        return portable_cuda_mv_(__func__, handle, &a, CUBLAS_OP_N, alpha, x, incx, beta, y,       \
                                 incy);                                                            \
    }                                                                                              \
    cublasStatus_t cublas##L##SP##mv(cublasHandle_t handle, cublasFillMode_t uplo, int n,          \
                                     const T *alpha, const T *A, const T *x, int incx,             \
                                     const T *beta, T *y, int incy)                                \
    {                                                                                              \
        const struct structured a = packed(square(TYPE_##L, A, n, 1, kind, uplo));                 \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_mv_(__func__, handle, &a, CUBLAS_OP_N, alpha, x, incx, beta, y,       \
                                 incy);                                                            \
    }
#define TRIANGULAR_CALLS(L, T, V, solves)                                                          \
    cublasStatus_t cublas##L##tr##V(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                    cublasOperation_t trans, cublasDiagType_t diag, int n,         \
                                    const T *A, int lda, T *x, int incx)                           \
    {                                                                                              \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_triangle_(__func__, handle,                                           \
                                       square(TYPE_##L, A, n, lda, TRIANGULAR, uplo), trans, diag, \
                                       x, incx, solves);                                           \
    }                                                                                              \
    cublasStatus_t cublas##L##tb##V(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                    cublasOperation_t trans, cublasDiagType_t diag, int n, int k,  \
                                    const T *A, int lda, T *x, int incx)                           \
    {                                                                                              \
        REQUIRE(is_fill(uplo) && k >= 0);                                                          \
        return portable_cuda_triangle_(__func__, handle,                                           \
                                       banded(square(TYPE_##L, A, n, lda, TRIANGULAR, uplo), k),   \
                                       trans, diag, x, incx, solves);                              \
    }                                                                                              \
    cublasStatus_t cublas##L##tp##V(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                    cublasOperation_t trans, cublasDiagType_t diag, int n,         \
                                    const T *A, T *x, int incx)                                    \
    {                                                                                              \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_triangle_(__func__, handle,                                           \
                                       packed(square(TYPE_##L, A, n, 1, TRIANGULAR, uplo)), trans, \
                                       diag, x, incx, solves);                                     \
    }
#define RANK_CALL(L, T, TA, name, kind, alpha_type, conjugates)                                    \
    cublasStatus_t cublas##L##name(cublasHandle_t handle, cublasFillMode_t uplo, int n,            \
                                   const TA *alpha, const T *x, int incx, T *A, int lda)           \
    {                                                                                              \
        const struct structured a = square(TYPE_##L, A, n, lda, kind, uplo);                       \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_rank_(__func__, handle, &a, alpha, alpha_type, x, incx, NULL, 1,      \
                                   conjugates, 0);                                                 \
    }
#define PACKED_RANK_CALL(L, T, TA, packed_name, kind, alpha_type, conjugates)                      \
    cublasStatus_t cublas##L##packed_name(cublasHandle_t handle, cublasFillMode_t uplo, int n,     \
                                          const TA *alpha, const T *x, int incx, T *A)             \
    {                                                                                              \
        const struct structured a = packed(square(TYPE_##L, A, n, 1, kind, uplo));                 \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_rank_(__func__, handle, &a, alpha, alpha_type, x, incx, NULL, 1,      \
                                   conjugates, 0);                                                 \
    }
#define RANK_2_CALL(L, T, name, kind, conjugates)                                                  \
    cublasStatus_t cublas##L##name(cublasHandle_t handle, cublasFillMode_t uplo, int n,            \
                                   const T *alpha, const T *x, int incx, const T *y, int incy,     \
                                   T *A, int lda)                                                  \
    {                                                                                              \
        const struct structured a = square(TYPE_##L, A, n, lda, kind, uplo);                       \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_rank_(__func__, handle, &a, alpha, TYPE_##L, x, incx, y, incy,        \
                                   conjugates, 1);                                                 \
    }
#define PACKED_RANK_2_CALL(L, T, packed_name, kind, conjugates)                                    \
    cublasStatus_t cublas##L##packed_name(cublasHandle_t handle, cublasFillMode_t uplo, int n,     \
                                          const T *alpha, const T *x, int incx, const T *y,        \
                                          int incy, T *A)                                          \
    {                                                                                              \
        const struct structured a = packed(square(TYPE_##L, A, n, 1, kind, uplo));                 \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_rank_(__func__, handle, &a, alpha, TYPE_##L, x, incx, y, incy,        \
                                   conjugates, 1);                                                 \
    }
#define TALL(data, ld)                                                                             \
    general(c.type, data, trans == CUBLAS_OP_N ? n : k, trans == CUBLAS_OP_N ? k : n, ld)
#define RANK_K_CALLS(L, T, TA, TB, S, kind, alpha_type, beta_type)                                 \
    cublasStatus_t cublas##L##S##rk(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                    cublasOperation_t trans, int n, int k, const TA *alpha,        \
                                    const T *A, int lda, const TB *beta, T *C, int ldc)            \
    {                                                                                              \
        const struct structured c = square(TYPE_##L, C, n, ldc, kind, uplo), a = TALL(A, lda);     \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_rank_k_(__func__, handle, &c, trans, &a, &a, alpha, alpha_type, beta, \
                                     beta_type, 0);                                                \
    }                                                                                              \
    RANK_2K_CALL(L, T, TB, S##r2k, kind, beta_type, 1)                                             \
    RANK_2K_CALL(L, T, TB, S##rkx, kind, beta_type, 0)
#define RANK_2K_CALL(L, T, TB, name, kind, beta_type, both)                                        \
    cublasStatus_t cublas##L##name(                                                                \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,       \
        const T *alpha, const T *A, int lda, const T *B, int ldb, const TB *beta, T *C, int ldc)   \
    {                                                                                              \
        const struct structured c = square(TYPE_##L, C, n, ldc, kind, uplo), a = TALL(A, lda),     \
                                b = TALL(B, ldb);                                                  \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_rank_k_(__func__, handle, &c, trans, &a, &b, alpha, TYPE_##L, beta,   \
                                     beta_type, both);                                             \
    }
#define TYPE_S CUDA_R_32F
#define TYPE_D CUDA_R_64F
#define TYPE_C CUDA_C_32F
#define TYPE_Z CUDA_C_64F
FOR_ALL(S, float)
FOR_ALL(D, double)
FOR_ALL(C, cuComplex)
FOR_ALL(Z, cuDoubleComplex)

/* For real types alone; the complex ones have Hermitian forms. */
#define FOR_REAL(L, T)                                                                             \
    STORED_CALLS(L, T, sb, sp, SYMMETRIC)                                                          \
    PACKED_RANK_CALL(L, T, T, spr, SYMMETRIC, TYPE_##L, 0)                                         \
    PACKED_RANK_2_CALL(L, T, spr2, SYMMETRIC, 0)
FOR_REAL(S, float)
FOR_REAL(D, double)

cublasStatus_t cublasSrotg(cublasHandle_t handle, float *a, float *b, float *c, float *s)
{
    return portable_cuda_rotg_(__func__, handle, TYPE_S, TYPE_S, a, b, c, s);
}
cublasStatus_t cublasDrotg(cublasHandle_t handle, double *a, double *b, double *c, double *s)
{
    return portable_cuda_rotg_(__func__, handle, TYPE_D, TYPE_D, a, b, c, s);
}

/* For complex types alone: what blas.c has for the others. R, l and r are the real type's. */
#define FOR_COMPLEX(L, l, T, R, r, real, TYPE_REAL)                                                \
    SYMMETRIC_CALLS(L, T, he, HERMITIAN)                                                           \
    STORED_CALLS(L, T, hb, hp, HERMITIAN)                                                          \
    RANK_CALL(L, T, real, her, HERMITIAN, TYPE_REAL, 1)                                            \
    PACKED_RANK_CALL(L, T, real, hpr, HERMITIAN, TYPE_REAL, 1)                                     \
    RANK_2_CALL(L, T, her2, HERMITIAN, 1)                                                          \
    PACKED_RANK_2_CALL(L, T, hpr2, HERMITIAN, 1)                                                   \
    RANK_K_CALLS(L, T, real, real, he, HERMITIAN, TYPE_REAL, TYPE_REAL)                            \
    cublasStatus_t cublas##L##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x,       \
                                   int incx, T *y, int incy)                                       \
    {                                                                                              \
        return portable_cuda_axpy_(__func__, handle, TYPE_##L, n, alpha, TYPE_##L, x, incx,        \
                                   TYPE_##L, y, incy);                                             \
    }                                                                                              \
    cublasStatus_t cublas##L##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx)   \
    {                                                                                              \
        return portable_cuda_scal_(__func__, handle, TYPE_##L, n, alpha, TYPE_##L, x, incx);       \
    }                                                                                              \
    cublasStatus_t cublas##L##r##scal(cublasHandle_t handle, int n, const real *alpha, T *x,       \
                                      int incx)                                                    \
    {                                                                                              \
        return portable_cuda_scal_(__func__, handle, TYPE_##L, n, alpha, TYPE_REAL, x, incx);      \
    }                                                                                              \
    cublasStatus_t cublas##L##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y,       \
                                   int incy)                                                       \
    {                                                                                              \
        return portable_cuda_exchange_(__func__, handle, TYPE_##L, n, x, incx, y, incy, 0);        \
    }                                                                                              \
    cublasStatus_t cublas##L##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy)   \
    {                                                                                              \
        return portable_cuda_exchange_(__func__, handle, TYPE_##L, n, x, incx, y, incy, 1);        \
    }                                                                                              \
    cublasStatus_t cublas##L##dotu(cublasHandle_t handle, int n, const T *x, int incx, const T *y, \
                                   int incy, T *result)                                            \
    {                                                                                              \
        return portable_cuda_dot_(__func__, handle, TYPE_##L, n, x, incx, TYPE_##L, y, incy,       \
                                  TYPE_##L, result, 0);                                            \
    }                                                                                              \
    cublasStatus_t cublas##L##dotc(cublasHandle_t handle, int n, const T *x, int incx, const T *y, \
                                   int incy, T *result)                                            \
    {                                                                                              \
        return portable_cuda_dot_(__func__, handle, TYPE_##L, n, x, incx, TYPE_##L, y, incy,       \
                                  TYPE_##L, result, 1);                                            \
    }                                                                                              \
    cublasStatus_t cublas##R##l##nrm2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      real *result)                                                \
    {                                                                                              \
        return portable_cuda_norm_(__func__, handle, TYPE_##L, n, x, incx, TYPE_REAL, result, 0);  \
    }                                                                                              \
    cublasStatus_t cublas##R##l##asum(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      real *result)                                                \
    {                                                                                              \
        return portable_cuda_norm_(__func__, handle, TYPE_##L, n, x, incx, TYPE_REAL, result, 1);  \
    }                                                                                              \
    cublasStatus_t cublasI##l##amax(cublasHandle_t handle, int n, const T *x, int incx,            \
                                    int *result)                                                   \
    {                                                                                              \
        return portable_cuda_extreme_(__func__, handle, TYPE_##L, n, x, incx, result, 0);          \
    }                                                                                              \
    cublasStatus_t cublasI##l##amin(cublasHandle_t handle, int n, const T *x, int incx,            \
                                    int *result)                                                   \
    {                                                                                              \
        return portable_cuda_extreme_(__func__, handle, TYPE_##L, n, x, incx, result, 1);          \
    }                                                                                              \
    cublasStatus_t cublas##L##rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy,    \
                                  const real *c, const T *s)                                       \
    {                                                                                              \
        return portable_cuda_rot_(__func__, handle, TYPE_##L, n, x, incx, y, incy, c, TYPE_REAL,   \
                                  s, TYPE_##L);                                                    \
    }                                                                                              \
    cublasStatus_t cublas##L##r##rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, \
                                     const real *c, const real *s)                                 \
    {                                                                                              \
        return portable_cuda_rot_(__func__, handle, TYPE_##L, n, x, incx, y, incy, c, TYPE_REAL,   \
                                  s, TYPE_REAL);                                                   \
    }                                                                                              \
    cublasStatus_t cublas##L##rotg(cublasHandle_t handle, T *a, T *b, real *c, T *s)               \
    {                                                                                              \
        return portable_cuda_rotg_(__func__, handle, TYPE_##L, TYPE_REAL, a, b, c, s);             \
    }                                                                                              \
    cublasStatus_t cublas##L##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                   const T *alpha, const T *A, int lda, const T *x, int incx,      \
                                   const T *beta, T *y, int incy)                                  \
    {                                                                                              \
        const struct structured a = general(TYPE_##L, A, m, n, lda);                               \
        return portable_cuda_mv_(__func__, handle, &a, trans, alpha, x, incx, beta, y, incy);      \
    }                                                                                              \
    cublasStatus_t cublas##L##geru(cublasHandle_t handle, int m, int n, const T *alpha,            \
                                   const T *x, int incx, const T *y, int incy, T *A, int lda)      \
    {                                                                                              \
        const struct structured a = general(TYPE_##L, A, m, n, lda);                               \
        return portable_cuda_rank_(__func__, handle, &a, alpha, TYPE_##L, x, incx, y, incy, 0, 0); \
    }                                                                                              \
    cublasStatus_t cublas##L##gerc(cublasHandle_t handle, int m, int n, const T *alpha,            \
                                   const T *x, int incx, const T *y, int incy, T *A, int lda)      \
    {                                                                                              \
        const struct structured a = general(TYPE_##L, A, m, n, lda);                               \
        return portable_cuda_rank_(__func__, handle, &a, alpha, TYPE_##L, x, incx, y, incy, 1, 0); \
    }                                                                                              \
    cublasStatus_t cublas##L##geam(                                                                \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc)    \
    {                                                                                              \
        const int flip_a = transa != CUBLAS_OP_N, flip_b = transb != CUBLAS_OP_N;                  \
        const struct structured a = general(TYPE_##L, A, flip_a ? n : m, flip_a ? m : n, lda);     \
        const struct structured b = general(TYPE_##L, B, flip_b ? n : m, flip_b ? m : n, ldb);     \
        const struct structured c = general(TYPE_##L, C, m, n, ldc);                               \
        return portable_cuda_add_(__func__, handle, transa, transb, &a, &b, &c, alpha, beta);      \
    }                                                                                              \
    cublasStatus_t cublas##L##trsm(cublasHandle_t handle, cublasSideMode_t side,                   \
                                   cublasFillMode_t uplo, cublasOperation_t trans,                 \
                                   cublasDiagType_t diag, int m, int n, const T *alpha,            \
                                   const T *A, int lda, T *B, int ldb)                             \
    {                                                                                              \
        const struct structured b = general(TYPE_##L, B, m, n, ldb);                               \
        REQUIRE(is_fill(uplo));                                                                    \
        return portable_cuda_triangles_(                                                           \
            __func__, handle, side,                                                                \
            square(TYPE_##L, A, side == CUBLAS_SIDE_LEFT ? m : n, lda, TRIANGULAR, uplo), trans,   \
            diag, &b, &b, alpha, 1);                                                               \
    }                                                                                              \
    cublasStatus_t cublas##L##gemm(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, int k, const T *alpha,  \
                                   const T *A, int lda, const T *B, int ldb, const T *beta, T *C,  \
                                   int ldc)                                                        \
    {                                                                                              \
        return portable_cuda_gemm_of_(__func__, handle, TYPE_##L, transa, transb, m, n, k, alpha,  \
                                      A, lda, B, ldb, beta, C, ldc);                               \
    }                                                                                              \
    cublasStatus_t cublas##L##gemm3m(cublasHandle_t handle, cublasOperation_t transa,              \
                                     cublasOperation_t transb, int m, int n, int k,                \
                                     const T *alpha, const T *A, int lda, const T *B, int ldb,     \
                                     const T *beta, T *C, int ldc)                                 \
    {                                                                                              \
        return portable_cuda_gemm_of_(__func__, handle, TYPE_##L, transa, transb, m, n, k, alpha,  \
                                      A, lda, B, ldb, beta, C, ldc);                               \
    }                                                                                              \
    cublasStatus_t cublas##L##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const T *alpha, const T *A, int lda, long long strideA, const T *B, int ldb,        \
        long long strideB, const T *beta, T *C, int ldc, long long strideC, int count)             \
    {                                                                                              \
        REQUIRE(count >= 0);                                                                       \
        for (int i = 0; i < count; i++)                                                            \
            TRY(portable_cuda_gemm_of_(__func__, handle, TYPE_##L, transa, transb, m, n, k, alpha, \
                                       A + i * strideA, lda, B + i * strideB, ldb, beta,           \
                                       C + i * strideC, ldc));                                     \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##L##gemmBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const T *alpha, const T *const A[], int lda, const T *const B[], int ldb,           \
        const T *beta, T *const C[], int ldc, int count)                                           \
    {                                                                                              \
        const char *const call = __func__;                                                         \
        BEGIN(handle);                                                                             \
        OPEN_LIST("list of A", A);                                                                 \
        OPEN_LIST("list of B", B);                                                                 \
        OPEN_LIST("list of C", C);                                                                 \
        for (int i = 0; i < count; i++)                                                            \
            TRY(portable_cuda_gemm_of_(call, handle, TYPE_##L, transa, transb, m, n, k, alpha,     \
                                       address_at(A, i), lda, address_at(B, i), ldb, beta,         \
                                       address_at(C, i), ldc));                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
static cublasStatus_t portable_cuda_gemm_of_(const char *call, cublasHandle_t handle,
                                             cudaDataType type, cublasOperation_t op_a,
                                             cublasOperation_t op_b, int m, int n, int k,
                                             const void *alpha, const void *A, int lda,
                                             const void *B, int ldb, const void *beta, void *C,
                                             int ldc)
{
    const int flip_a = op_a != CUBLAS_OP_N, flip_b = op_b != CUBLAS_OP_N;
    const struct structured a = general(type, A, flip_a ? k : m, flip_a ? m : k, lda);
    const struct structured b = general(type, B, flip_b ? n : k, flip_b ? k : n, ldb);
    const struct structured c = general(type, C, m, n, ldc);
    return portable_cuda_mm_(call, handle, &a, op_a, &b, op_b, &c, alpha, beta);
}
FOR_COMPLEX(C, c, cuComplex, S, s, float, TYPE_S)
FOR_COMPLEX(Z, z, cuDoubleComplex, D, d, double, TYPE_D)

/* The calls that name their types. */
static int has_type(cudaDataType type)
{
    return bytes_of(type) > 0;
}
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha,
                            cudaDataType alpha_type, const void *x, cudaDataType x_type, int incx,
                            void *y, cudaDataType y_type, int incy, cudaDataType execution_type)
{
    if (!has_type(alpha_type) || !has_type(x_type) || !has_type(y_type) ||
        !has_type(execution_type))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return portable_cuda_axpy_(__func__, handle, x_type, n, alpha, alpha_type, x, incx, y_type, y,
                               incy);
}
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha,
                            cudaDataType alpha_type, void *x, cudaDataType x_type, int incx,
                            cudaDataType execution_type)
{
    if (!has_type(alpha_type) || !has_type(x_type) || !has_type(execution_type))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return portable_cuda_scal_(__func__, handle, x_type, n, alpha, alpha_type, x, incx);
}
#define DOT_EX(name, conjugates)                                                                   \
    cublasStatus_t name(cublasHandle_t handle, int n, const void *x, cudaDataType x_type,          \
                        int incx, const void *y, cudaDataType y_type, int incy, void *result,      \
                        cudaDataType result_type, cudaDataType execution_type)                     \
    {                                                                                              \
        if (!has_type(x_type) || !has_type(y_type) || !has_type(result_type) ||                    \
            !has_type(execution_type))                                                             \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                    \
        return portable_cuda_dot_(__func__, handle, x_type, n, x, incx, y_type, y, incy,           \
                                  result_type, result, conjugates);                                \
    }
DOT_EX(cublasDotEx, 0)
DOT_EX(cublasDotcEx, 1)
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType x_type,
                            int incx, void *result, cudaDataType result_type,
                            cudaDataType execution_type)
{
    if (!has_type(x_type) || !has_type(result_type) || !has_type(execution_type))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return portable_cuda_norm_(__func__, handle, x_type, n, x, incx, result_type, result, 0);
}
