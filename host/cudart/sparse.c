/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libcusparse: cuSPARSE on the CPU, plain loops, as a reference for tests, not for speed. Sums are
 * made in double and rounded once, in an order that need not be cuSPARSE's; algorithms change
 * nothing, and no buffer is used. All operands are checked against their allocations, and the
 * indices of a matrix against its size.
 */
#include "host/cudart/include/cusparse.h"
#include "host/cudart/complex_numbers.h"
#include "host/cudart/library.h"

#include <stdlib.h> /* calloc, free, malloc, qsort, realloc */
#include <string.h> /* memcpy */

/* The size of every buffer: the program needs a pointer to pass. */
enum { BUFFER_BYTES = 8 };

struct cusparseContext {
    cudaStream_t stream;
    cusparsePointerMode_t pointer_mode;
};
struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    cusparseIndexBase_t base;
};
struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
};
struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};
/* first: the offsets of CSR and CSC, the row indices of COO; second: the other indices. */
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, columns, nnz;
    void *first, *second, *values;
    cusparseIndexType_t first_type, second_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
};
struct cusparseDnMatDescr {
    int64_t rows, columns, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
    int batches;
    int64_t batch_stride;
};
struct cusparseSpSVDescr {
    int is_analysed;
};
struct cusparseSpSMDescr {
    int is_analysed;
};

#define REQUIRE(condition, error)                                                                  \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return error;                                                                          \
    } while (0)
#define REQUIRE_VALUE(condition) REQUIRE(condition, CUSPARSE_STATUS_INVALID_VALUE)
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const cusparseStatus_t tried_ = call;                                                      \
        if (tried_ != CUSPARSE_STATUS_SUCCESS)                                                     \
            return tried_;                                                                         \
    } while (0)

/* ---- indices ---- */

static size_t index_bytes(cusparseIndexType_t type)
{
    switch (type) {
    case CUSPARSE_INDEX_16U: return 2;
    case CUSPARSE_INDEX_32I: return 4;
    case CUSPARSE_INDEX_64I: return 8;
    }
    return 0;
}
static int64_t get_index(cusparseIndexType_t type, const void *from, int64_t k)
{
    switch (type) {
    case CUSPARSE_INDEX_16U: return ((const volatile unsigned short *)from)[k];
    case CUSPARSE_INDEX_32I: return ((const volatile int *)from)[k];
    case CUSPARSE_INDEX_64I: return ((const volatile int64_t *)from)[k];
    }
    return 0;
}
static void put_index(cusparseIndexType_t type, void *to, int64_t k, int64_t index)
{
    switch (type) {
    case CUSPARSE_INDEX_16U: ((volatile unsigned short *)to)[k] = (unsigned short)index; break;
    case CUSPARSE_INDEX_32I: ((volatile int *)to)[k] = (int)index; break;
    case CUSPARSE_INDEX_64I: ((volatile int64_t *)to)[k] = index; break;
    }
}

/* ---- calls and their operands ---- */

static cusparseStatus_t portable_cuda_begin_sparse_(cusparseHandle_t handle)
{
    REQUIRE_VALUE(handle);
    REQUIRE(portable_cuda_begin_library_(handle->stream) == cudaSuccess,
            CUSPARSE_STATUS_EXECUTION_FAILED);
    return CUSPARSE_STATUS_SUCCESS;
}
#define BEGIN(handle) TRY(portable_cuda_begin_sparse_(handle))

enum { READS = 1, WRITES = 2 };
static cusparseStatus_t portable_cuda_open_(const char *call, const char *role, const void *data,
                                            int64_t n, size_t element, int use)
{
    REQUIRE(portable_cuda_opens_array_(call, role, data, (size_t)n, element, (use & READS) != 0,
                                       (use & WRITES) != 0),
            CUSPARSE_STATUS_EXECUTION_FAILED);
    return CUSPARSE_STATUS_SUCCESS;
}
#define OPEN(role, data, n, element, use)                                                          \
    TRY(portable_cuda_open_(call, role, data, n, element, use))
static cusparseStatus_t portable_cuda_open_dense_(const char *call, const char *role,
                                                  const struct cusparseDnMatDescr *matrix, int use)
{
    const int by_rows = matrix->order == CUSPARSE_ORDER_ROW;
    const size_t element = bytes_of(matrix->type);
    const int64_t run = by_rows ? matrix->columns : matrix->rows;
    const int64_t runs = by_rows ? matrix->rows : matrix->columns;
    for (int b = 0; run > 0 && runs > 0 && b < matrix->batches; b++)
        REQUIRE(portable_cuda_operand_(
                    call, role,
                    (char *)matrix->values + (size_t)(b * matrix->batch_stride) * element,
                    (size_t)matrix->ld * element, (size_t)run * element, (size_t)runs,
                    (use & READS) != 0, (use & WRITES) != 0) == cudaSuccess,
                CUSPARSE_STATUS_EXECUTION_FAILED);
    return CUSPARSE_STATUS_SUCCESS;
}
static int64_t dense_index(const struct cusparseDnMatDescr *matrix, int batch, int64_t i, int64_t j)
{
    return batch * matrix->batch_stride +
           (matrix->order == CUSPARSE_ORDER_ROW ? i * matrix->ld + j : i + j * matrix->ld);
}

/* alpha and beta, on the host or on the device. */
static cusparseStatus_t portable_cuda_scalar_(const char *call,
                                              const struct cusparseContext *handle,
                                              const char *role, cudaDataType type, const void *from,
                                              struct number *scalar)
{
    REQUIRE_VALUE(from);
    REQUIRE(bytes_of(type) > 0, CUSPARSE_STATUS_NOT_SUPPORTED);
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
        OPEN(role, from, 1, bytes_of(type), READS);
    *scalar = get(type, from, 0);
    return CUSPARSE_STATUS_SUCCESS;
}
#define SCALAR(type, name)                                                                         \
    struct number name##_value;                                                                    \
    TRY(portable_cuda_scalar_(call, handle, #name, type, name, &name##_value))

static cusparseStatus_t portable_cuda_bad_index_(const char *call, const char *what, int64_t k,
                                                 int64_t value)
{
    portable_cuda_fault_(PORTABLE_CUDA_OUT_OF_RANGE_, "%s: %s %lld is %lld, out of range", call,
                         what, (long long)k, (long long)value);
    return CUSPARSE_STATUS_EXECUTION_FAILED;
}

/* The indices of a matrix's elements, from 0. */
struct entries {
    int64_t n, *row, *column;
};
static void release(struct entries *entries)
{
    free(entries->row);
    free(entries->column);
}
static cusparseStatus_t portable_cuda_read_offsets_(const char *call, cusparseIndexType_t type,
                                                    const void *offsets, int64_t rows, int64_t nnz,
                                                    int64_t base, int64_t *row_of)
{
    int64_t end = get_index(type, offsets, 0) - base;
    if (end != 0)
        return portable_cuda_bad_index_(call, "offset", 0, end + base);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t begin = end;
        end = get_index(type, offsets, i + 1) - base;
        if (end < begin || end > nnz)
            return portable_cuda_bad_index_(call, "offset", i + 1, end + base);
        for (int64_t k = begin; k < end; k++)
            row_of[k] = i;
    }
    if (end != nnz)
        return portable_cuda_bad_index_(call, "offset", rows, end + base);
    return CUSPARSE_STATUS_SUCCESS;
}
/* use: of the values */
static cusparseStatus_t portable_cuda_read_entries_(const char *call, const char *role,
                                                    const struct cusparseSpMatDescr *matrix,
                                                    int use, struct entries *entries)
{
    const int is_csc = matrix->format == CUSPARSE_FORMAT_CSC;
    const int is_coo = matrix->format == CUSPARSE_FORMAT_COO;
    const int64_t majors = is_csc ? matrix->columns : matrix->rows;
    const int64_t minors = is_csc ? matrix->rows : matrix->columns;
    OPEN(role, matrix->first, is_coo ? matrix->nnz : majors + 1, index_bytes(matrix->first_type),
         READS);
    OPEN(role, matrix->second, matrix->nnz, index_bytes(matrix->second_type), READS);
    OPEN(role, matrix->values, matrix->nnz, bytes_of(matrix->type), use);
    entries->n = matrix->nnz;
    entries->row = (int64_t *)malloc(((size_t)matrix->nnz + 1) * sizeof(int64_t));
    entries->column = (int64_t *)malloc(((size_t)matrix->nnz + 1) * sizeof(int64_t));
    cusparseStatus_t status =
        entries->row && entries->column ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
    int64_t *const major = is_csc ? entries->column : entries->row;
    int64_t *const minor = is_csc ? entries->row : entries->column;
    if (status == CUSPARSE_STATUS_SUCCESS && !is_coo)
        status = portable_cuda_read_offsets_(call, matrix->first_type, matrix->first, majors,
                                             matrix->nnz, matrix->base, major);
    for (int64_t k = 0; status == CUSPARSE_STATUS_SUCCESS && k < matrix->nnz; k++) {
        if (is_coo)
            major[k] = get_index(matrix->first_type, matrix->first, k) - matrix->base;
        minor[k] = get_index(matrix->second_type, matrix->second, k) - matrix->base;
        if (major[k] < 0 || major[k] >= majors)
            status = portable_cuda_bad_index_(call, "row index", k, major[k] + matrix->base);
        else if (minor[k] < 0 || minor[k] >= minors)
            status = portable_cuda_bad_index_(call, is_csc ? "row index" : "column index", k,
                                              minor[k] + matrix->base);
    }
    if (status != CUSPARSE_STATUS_SUCCESS)
        release(entries);
    return status;
}
static void transpose(struct entries *entries, cusparseOperation_t op)
{
    int64_t *const row = entries->row;
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return;
    entries->row = entries->column;
    entries->column = row;
}
/* The elements by rows: those of row i are order[starts[i]] and so on; in a row as they are. */
static int64_t *order_by_rows(const struct entries *entries, int64_t rows, int64_t *starts)
{
    int64_t *const order = (int64_t *)malloc(((size_t)entries->n + 1) * sizeof *order);
    for (int64_t i = 0; i <= rows; i++)
        starts[i] = 0;
    for (int64_t k = 0; k < entries->n; k++)
        starts[entries->row[k] + 1]++;
    for (int64_t i = 0; i < rows; i++)
        starts[i + 1] += starts[i];
    for (int64_t k = 0; order && k < entries->n; k++)
        order[starts[entries->row[k]]++] = k;
    for (int64_t i = rows; i > 0; i--)
        starts[i] = starts[i - 1];
    starts[0] = 0;
    return order;
}

/* ---- handles ---- */

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    REQUIRE_VALUE(handle);
    REQUIRE(portable_cuda_enter_(0) == cudaSuccess, CUSPARSE_STATUS_NOT_INITIALIZED);
    *handle = (cusparseHandle_t)calloc(1, sizeof **handle);
    return *handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    REQUIRE_VALUE(handle);
    free(handle);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    REQUIRE_VALUE(handle);
    REQUIRE_VALUE(version);
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
    REQUIRE_VALUE(value && (unsigned)type <= PATCH_LEVEL);
    *value = parts[type];
    return CUSPARSE_STATUS_SUCCESS;
}
static const struct {
    const char *name, *text;
} statuses[] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "texture mapping error"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};
const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return (unsigned)status < sizeof statuses / sizeof statuses[0] ? statuses[status].name
                                                                   : "unrecognized error code";
}
const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return (unsigned)status < sizeof statuses / sizeof statuses[0] ? statuses[status].text
                                                                   : "unrecognized error code";
}
#define SETTING(Name, type, member)                                                                \
    cusparseStatus_t cusparseSet##Name(cusparseHandle_t handle, type value)                        \
    {                                                                                              \
        REQUIRE_VALUE(handle);                                                                     \
        handle->member = value;                                                                    \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparseGet##Name(cusparseHandle_t handle, type *value)                       \
    {                                                                                              \
        REQUIRE_VALUE(handle);                                                                     \
        REQUIRE_VALUE(value);                                                                      \
        *value = handle->member;                                                                   \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }
SETTING(Stream, cudaStream_t, stream)
SETTING(PointerMode, cusparsePointerMode_t, pointer_mode)

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descriptor)
{
    REQUIRE_VALUE(descriptor);
    *descriptor = (cusparseMatDescr_t)calloc(1, sizeof **descriptor);
    return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor)
{
    free(descriptor);
    return CUSPARSE_STATUS_SUCCESS;
}
#define DESCRIBES(Name, enumeration, member, last)                                                 \
    cusparseStatus_t cusparseSetMat##Name(cusparseMatDescr_t descriptor, enumeration value)        \
    {                                                                                              \
        REQUIRE_VALUE(descriptor && (unsigned)value <= last);                                      \
        descriptor->member = value;                                                                \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    enumeration cusparseGetMat##Name(const cusparseMatDescr_t descriptor)                          \
    {                                                                                              \
        return descriptor->member;                                                                 \
    }
DESCRIBES(Type, cusparseMatrixType_t, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR)
DESCRIBES(FillMode, cusparseFillMode_t, fill, CUSPARSE_FILL_MODE_UPPER)
DESCRIBES(DiagType, cusparseDiagType_t, diagonal, CUSPARSE_DIAG_TYPE_UNIT)
DESCRIBES(IndexBase, cusparseIndexBase_t, base, CUSPARSE_INDEX_BASE_ONE)

/* ---- vectors and matrices: each Const call is the other one with const ---- */

static void *without_const(const void *memory)
{
    return (void *)(size_t)memory;
}
static int is_base(cusparseIndexBase_t base)
{
    return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}

static cusparseStatus_t make_sparse_vector(const struct cusparseSpVecDescr **vector, int64_t size,
                                           int64_t nnz, const void *indices, const void *values,
                                           cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                           cudaDataType type)
{
    REQUIRE_VALUE(vector && size >= 0 && nnz >= 0 && nnz <= size && is_base(base));
    REQUIRE_VALUE(nnz == 0 || (indices && values));
    REQUIRE(bytes_of(type) > 0 && index_bytes(index_type) > 0, CUSPARSE_STATUS_NOT_SUPPORTED);
    struct cusparseSpVecDescr *const made = (struct cusparseSpVecDescr *)malloc(sizeof *made);
    REQUIRE(made, CUSPARSE_STATUS_ALLOC_FAILED);
    const struct cusparseSpVecDescr value = {
        size, nnz, without_const(indices), without_const(values), index_type, base, type};
    *made = value;
    *vector = made;
    return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t make_dense_vector(const struct cusparseDnVecDescr **vector, int64_t size,
                                          const void *values, cudaDataType type)
{
    REQUIRE_VALUE(vector && size >= 0 && (size == 0 || values));
    REQUIRE(bytes_of(type) > 0, CUSPARSE_STATUS_NOT_SUPPORTED);
    struct cusparseDnVecDescr *const made = (struct cusparseDnVecDescr *)malloc(sizeof *made);
    REQUIRE(made, CUSPARSE_STATUS_ALLOC_FAILED);
    const struct cusparseDnVecDescr value = {size, without_const(values), type};
    *made = value;
    *vector = made;
    return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t make_dense_matrix(const struct cusparseDnMatDescr **matrix, int64_t rows,
                                          int64_t columns, int64_t ld, const void *values,
                                          cudaDataType type, cusparseOrder_t order)
{
    REQUIRE_VALUE(matrix && rows >= 0 && columns >= 0);
    REQUIRE_VALUE(order == CUSPARSE_ORDER_ROW || order == CUSPARSE_ORDER_COL);
    REQUIRE_VALUE(ld >= (order == CUSPARSE_ORDER_ROW ? columns : rows));
    REQUIRE_VALUE(rows == 0 || columns == 0 || values);
    REQUIRE(bytes_of(type) > 0, CUSPARSE_STATUS_NOT_SUPPORTED);
    struct cusparseDnMatDescr *const made = (struct cusparseDnMatDescr *)malloc(sizeof *made);
    REQUIRE(made, CUSPARSE_STATUS_ALLOC_FAILED);
    const struct cusparseDnMatDescr value = {rows, columns, ld, without_const(values),
                                             type, order,   1,  0};
    *made = value;
    *matrix = made;
    return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t make_sparse_matrix(const struct cusparseSpMatDescr **matrix,
                                           cusparseFormat_t format, int64_t rows, int64_t columns,
                                           int64_t nnz, const void *first, const void *second,
                                           const void *values, cusparseIndexType_t first_type,
                                           cusparseIndexType_t second_type,
                                           cusparseIndexBase_t base, cudaDataType type)
{
    REQUIRE_VALUE(matrix && rows >= 0 && columns >= 0 && nnz >= 0 && is_base(base));
    REQUIRE_VALUE(nnz == 0 || (first && second && values));
    REQUIRE(bytes_of(type) > 0 && index_bytes(first_type) > 0 && index_bytes(second_type) > 0,
            CUSPARSE_STATUS_NOT_SUPPORTED);
    struct cusparseSpMatDescr *const made = (struct cusparseSpMatDescr *)malloc(sizeof *made);
    REQUIRE(made, CUSPARSE_STATUS_ALLOC_FAILED);
    const struct cusparseSpMatDescr value = {format,
                                             rows,
                                             columns,
                                             nnz,
                                             without_const(first),
                                             without_const(second),
                                             without_const(values),
                                             first_type,
                                             second_type,
                                             base,
                                             type,
                                             CUSPARSE_FILL_MODE_LOWER,
                                             CUSPARSE_DIAG_TYPE_NON_UNIT};
    *made = value;
    *matrix = made;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Results that are not asked for. */
#define GIVE(pointer, value)                                                                       \
    do {                                                                                           \
        if (pointer)                                                                               \
            *(pointer) = value;                                                                    \
    } while (0)
#define VARIANT(Const, constant)                                                                   \
    cusparseStatus_t cusparseCreate##Const##SpVec(                                                 \
        cusparse##Const##SpVecDescr_t *vector, int64_t size, int64_t nnz, constant void *indices,  \
        constant void *values, cusparseIndexType_t index_type, cusparseIndexBase_t base,           \
        cudaDataType type)                                                                         \
    {                                                                                              \
        return make_sparse_vector((const struct cusparseSpVecDescr **)vector, size, nnz, indices,  \
                                  values, index_type, base, type);                                 \
    }                                                                                              \
    cusparseStatus_t cusparse##Const##SpVecGet(                                                    \
        cusparse##Const##SpVecDescr_t vector, int64_t *size, int64_t *nnz,                         \
        constant void **indices, constant void **values, cusparseIndexType_t *index_type,          \
        cusparseIndexBase_t *base, cudaDataType *type)                                             \
    {                                                                                              \
        REQUIRE_VALUE(vector);                                                                     \
        GIVE(size, vector->size);                                                                  \
        GIVE(nnz, vector->nnz);                                                                    \
        GIVE(indices, vector->indices);                                                            \
        GIVE(values, vector->values);                                                              \
        GIVE(index_type, vector->index_type);                                                      \
        GIVE(base, vector->base);                                                                  \
        GIVE(type, vector->type);                                                                  \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparseCreate##Const##DnVec(cusparse##Const##DnVecDescr_t *vector,           \
                                                  int64_t size, constant void *values,             \
                                                  cudaDataType type)                               \
    {                                                                                              \
        return make_dense_vector((const struct cusparseDnVecDescr **)vector, size, values, type);  \
    }                                                                                              \
    cusparseStatus_t cusparse##Const##DnVecGet(cusparse##Const##DnVecDescr_t vector,               \
                                               int64_t *size, constant void **values,              \
                                               cudaDataType *type)                                 \
    {                                                                                              \
        REQUIRE_VALUE(vector);                                                                     \
        GIVE(size, vector->size);                                                                  \
        GIVE(values, vector->values);                                                              \
        GIVE(type, vector->type);                                                                  \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparseCreate##Const##DnMat(                                                 \
        cusparse##Const##DnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t ld,          \
        constant void *values, cudaDataType type, cusparseOrder_t order)                           \
    {                                                                                              \
        return make_dense_matrix((const struct cusparseDnMatDescr **)matrix, rows, columns, ld,    \
                                 values, type, order);                                             \
    }                                                                                              \
    cusparseStatus_t cusparse##Const##DnMatGet(                                                    \
        cusparse##Const##DnMatDescr_t matrix, int64_t *rows, int64_t *columns, int64_t *ld,        \
        constant void **values, cudaDataType *type, cusparseOrder_t *order)                        \
    {                                                                                              \
        REQUIRE_VALUE(matrix);                                                                     \
        GIVE(rows, matrix->rows);                                                                  \
        GIVE(columns, matrix->columns);                                                            \
        GIVE(ld, matrix->ld);                                                                      \
        GIVE(values, matrix->values);                                                              \
        GIVE(type, matrix->type);                                                                  \
        GIVE(order, matrix->order);                                                                \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    VARIANT_OF_VALUES(Const, constant, SpVec)                                                      \
    VARIANT_OF_VALUES(Const, constant, DnVec)                                                      \
    VARIANT_OF_VALUES(Const, constant, DnMat)                                                      \
    VARIANT_OF_VALUES(Const, constant, SpMat)                                                      \
    VARIANT_OF_OFFSETS(Const, constant, Csr, CUSPARSE_FORMAT_CSR)                                  \
    VARIANT_OF_OFFSETS(Const, constant, Csc, CUSPARSE_FORMAT_CSC)                                  \
    cusparseStatus_t cusparseCreate##Const##Coo(                                                   \
        cusparse##Const##SpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nnz,         \
        constant void *row_indices, constant void *column_indices, constant void *values,          \
        cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)               \
    {                                                                                              \
        return make_sparse_matrix((const struct cusparseSpMatDescr **)matrix, CUSPARSE_FORMAT_COO, \
                                  rows, columns, nnz, row_indices, column_indices, values,         \
                                  index_type, index_type, base, type);                             \
    }                                                                                              \
    cusparseStatus_t cusparse##Const##CooGet(                                                      \
        cusparse##Const##SpMatDescr_t matrix, int64_t *rows, int64_t *columns, int64_t *nnz,       \
        constant void **row_indices, constant void **column_indices, constant void **values,       \
        cusparseIndexType_t *index_type, cusparseIndexBase_t *base, cudaDataType *type)            \
    {                                                                                              \
        return portable_cuda_describe_(matrix, CUSPARSE_FORMAT_COO, rows, columns, nnz,            \
                                       (const void **)row_indices, (const void **)column_indices,  \
                                       (const void **)values, index_type, NULL, base, type);       \
    }
#define VARIANT_OF_VALUES(Const, constant, Kind)                                                   \
    cusparseStatus_t cusparse##Const##Kind##GetValues(cusparse##Const##Kind##Descr_t descriptor,   \
                                                      constant void **values)                      \
    {                                                                                              \
        REQUIRE_VALUE(descriptor &&values);                                                        \
        *values = descriptor->values;                                                              \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }
#define VARIANT_OF_OFFSETS(Const, constant, Name, FORMAT)                                          \
    cusparseStatus_t cusparseCreate##Const##Name(                                                  \
        cusparse##Const##SpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nnz,         \
        constant void *offsets, constant void *indices, constant void *values,                     \
        cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base, \
        cudaDataType type)                                                                         \
    {                                                                                              \
        return make_sparse_matrix((const struct cusparseSpMatDescr **)matrix, FORMAT, rows,        \
                                  columns, nnz, offsets, indices, values, offset_type, index_type, \
                                  base, type);                                                     \
    }                                                                                              \
    cusparseStatus_t cusparse##Const##Name##Get(                                                   \
        cusparse##Const##SpMatDescr_t matrix, int64_t *rows, int64_t *columns, int64_t *nnz,       \
        constant void **offsets, constant void **indices, constant void **values,                  \
        cusparseIndexType_t *offset_type, cusparseIndexType_t *index_type,                         \
        cusparseIndexBase_t *base, cudaDataType *type)                                             \
    {                                                                                              \
        return portable_cuda_describe_(matrix, FORMAT, rows, columns, nnz, (const void **)offsets, \
                                       (const void **)indices, (const void **)values, offset_type, \
                                       index_type, base, type);                                    \
    }
static cusparseStatus_t portable_cuda_describe_(const struct cusparseSpMatDescr *matrix,
                                                cusparseFormat_t format, int64_t *rows,
                                                int64_t *columns, int64_t *nnz, const void **first,
                                                const void **second, const void **values,
                                                cusparseIndexType_t *first_type,
                                                cusparseIndexType_t *second_type,
                                                cusparseIndexBase_t *base, cudaDataType *type)
{
    REQUIRE_VALUE(matrix && matrix->format == format);
    GIVE(rows, matrix->rows);
    GIVE(columns, matrix->columns);
    GIVE(nnz, matrix->nnz);
    GIVE(first, matrix->first);
    GIVE(second, matrix->second);
    GIVE(values, matrix->values);
    GIVE(first_type, matrix->first_type);
    GIVE(second_type, matrix->second_type);
    GIVE(base, matrix->base);
    GIVE(type, matrix->type);
    return CUSPARSE_STATUS_SUCCESS;
}
VARIANT(, )
VARIANT(Const, const)

#define KIND(Kind)                                                                                 \
    cusparseStatus_t cusparseDestroy##Kind(cusparseConst##Kind##Descr_t descriptor)                \
    {                                                                                              \
        free(without_const(descriptor));                                                           \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparse##Kind##SetValues(cusparse##Kind##Descr_t descriptor, void *values)   \
    {                                                                                              \
        REQUIRE_VALUE(descriptor &&values);                                                        \
        descriptor->values = values;                                                               \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }
KIND(SpVec)
KIND(DnVec)
KIND(DnMat)
KIND(SpMat)

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector,
                                           cusparseIndexBase_t *base)
{
    REQUIRE_VALUE(vector && base);
    *base = vector->base;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t *format)
{
    REQUIRE_VALUE(matrix && format);
    *format = matrix->format;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t *base)
{
    REQUIRE_VALUE(matrix && base);
    *base = matrix->base;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *columns, int64_t *nnz)
{
    REQUIRE_VALUE(matrix && rows && columns && nnz);
    *rows = matrix->rows;
    *columns = matrix->columns;
    *nnz = matrix->nnz;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes)
{
    REQUIRE_VALUE(matrix && data && bytes == sizeof(int));
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        *(cusparseFillMode_t *)data = matrix->fill;
    else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE)
        *(cusparseDiagType_t *)data = matrix->diagonal;
    else
        return CUSPARSE_STATUS_INVALID_VALUE;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes)
{
    REQUIRE_VALUE(matrix && data && bytes == sizeof(int));
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        matrix->fill = *(cusparseFillMode_t *)data;
    else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE)
        matrix->diagonal = *(cusparseDiagType_t *)data;
    else
        return CUSPARSE_STATUS_INVALID_VALUE;
    return CUSPARSE_STATUS_SUCCESS;
}
#define SET_POINTERS(Name, FORMAT)                                                                 \
    cusparseStatus_t cusparse##Name##SetPointers(cusparseSpMatDescr_t matrix, void *first,         \
                                                 void *second, void *values)                       \
    {                                                                                              \
        REQUIRE_VALUE(matrix && matrix->format == FORMAT && first && second && values);            \
        matrix->first = first;                                                                     \
        matrix->second = second;                                                                   \
        matrix->values = values;                                                                   \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }
SET_POINTERS(Csr, CUSPARSE_FORMAT_CSR)
SET_POINTERS(Csc, CUSPARSE_FORMAT_CSC)
SET_POINTERS(Coo, CUSPARSE_FORMAT_COO)
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count,
                                              int64_t stride)
{
    REQUIRE_VALUE(matrix && count > 0 && stride >= 0);
    matrix->batches = count;
    matrix->batch_stride = stride;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int *count,
                                              int64_t *stride)
{
    REQUIRE_VALUE(matrix && count && stride);
    *count = matrix->batches;
    *stride = matrix->batch_stride;
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- sparse and dense vectors ---- */

/* The indices of a sparse vector, from 0, checked. */
static cusparseStatus_t portable_cuda_open_vector_(const char *call,
                                                   const struct cusparseSpVecDescr *x, int use,
                                                   const struct cusparseDnVecDescr *y)
{
    REQUIRE_VALUE(x && y && x->size == y->size && x->type == y->type);
    OPEN("indices", x->indices, x->nnz, index_bytes(x->index_type), READS);
    OPEN("x", x->values, x->nnz, bytes_of(x->type), use);
    for (int64_t k = 0; k < x->nnz; k++) {
        const int64_t i = get_index(x->index_type, x->indices, k) - x->base;
        if (i < 0 || i >= x->size)
            return portable_cuda_bad_index_(call, "index", k, i + x->base);
    }
    return CUSPARSE_STATUS_SUCCESS;
}
#define PLACE(k) (get_index(x->index_type, x->indices, k) - x->base)
/* Opens only those elements of y that x has. */
#define OPEN_PLACES(use)                                                                           \
    do {                                                                                           \
        for (int64_t k_ = 0; k_ < x->nnz; k_++)                                                    \
            OPEN("y", (char *)y->values + (size_t)PLACE(k_) * bytes_of(y->type), 1,                \
                 bytes_of(y->type), use);                                                          \
    } while (0)

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y)
{
    const char *const call = __func__;
    BEGIN(handle);
    TRY(portable_cuda_open_vector_(call, x, READS, y));
    SCALAR(y->type, alpha);
    SCALAR(y->type, beta);
    OPEN("y", y->values, y->size, bytes_of(y->type), READS | WRITES);
    for (int64_t i = 0; i < y->size; i++)
        put(y->type, y->values, i, times(beta_value, get(y->type, y->values, i)));
    for (int64_t k = 0; k < x->nnz; k++)
        put(y->type, y->values, PLACE(k),
            plus(get(y->type, y->values, PLACE(k)),
                 times(alpha_value, get(x->type, x->values, k))));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x)
{
    const char *const call = __func__;
    BEGIN(handle);
    TRY(portable_cuda_open_vector_(call, x, WRITES, y));
    OPEN_PLACES(READS);
    for (int64_t k = 0; k < x->nnz; k++)
        put(x->type, x->values, k, get(y->type, y->values, PLACE(k)));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y)
{
    const char *const call = __func__;
    BEGIN(handle);
    TRY(portable_cuda_open_vector_(call, x, READS, y));
    OPEN_PLACES(WRITES);
    for (int64_t k = 0; k < x->nnz; k++)
        put(y->type, y->values, PLACE(k), get(x->type, x->values, k));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c, const void *s,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    const char *const call = __func__;
    BEGIN(handle);
    TRY(portable_cuda_open_vector_(call, x, READS | WRITES, y));
    SCALAR(y->type, c);
    SCALAR(y->type, s);
    OPEN_PLACES(READS | WRITES);
    for (int64_t k = 0; k < x->nnz; k++) {
        const struct number p = get(x->type, x->values, k), q = get(y->type, y->values, PLACE(k));
        put(x->type, x->values, k, plus(times(c_value, p), times(s_value, q)));
        put(y->type, y->values, PLACE(k), minus(times(c_value, q), times(s_value, p)));
    }
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void *result, cudaDataType compute_type,
                                         size_t *bytes)
{
    (void)op;
    (void)compute_type;
    REQUIRE_VALUE(handle);
    REQUIRE_VALUE(x && y && result && bytes);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void *result, cudaDataType compute_type, void *buffer)
{
    const char *const call = __func__;
    struct number sum = {0, 0};
    (void)buffer;
    BEGIN(handle);
    REQUIRE_VALUE(result && bytes_of(compute_type) > 0);
    TRY(portable_cuda_open_vector_(call, x, READS, y));
    OPEN_PLACES(READS);
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
        OPEN("result", result, 1, bytes_of(compute_type), WRITES);
    for (int64_t k = 0; k < x->nnz; k++)
        sum = plus(sum, times(conjugate(get(x->type, x->values, k),
                                        op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE),
                              get(y->type, y->values, PLACE(k))));
    put(compute_type, result, 0, sum);
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- conversions ---- */

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t A,
                                                  cusparseDnMatDescr_t B,
                                                  cusparseSparseToDenseAlg_t algorithm,
                                                  size_t *bytes)
{
    (void)algorithm;
    REQUIRE_VALUE(handle);
    REQUIRE_VALUE(A && B && bytes);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t A,
                                       cusparseDnMatDescr_t B, cusparseSparseToDenseAlg_t algorithm,
                                       void *buffer)
{
    const char *const call = __func__;
    const struct number zero = {0, 0};
    struct entries entries;
    (void)algorithm;
    (void)buffer;
    BEGIN(handle);
    REQUIRE_VALUE(A && B && A->rows == B->rows && A->columns == B->columns && A->type == B->type);
    TRY(portable_cuda_open_dense_(call, "B", B, WRITES));
    TRY(portable_cuda_read_entries_(call, "A", A, READS, &entries));
    for (int64_t i = 0; i < B->rows; i++)
        for (int64_t j = 0; j < B->columns; j++)
            put(B->type, B->values, dense_index(B, 0, i, j), zero);
    for (int64_t k = 0; k < entries.n; k++)
        put(B->type, B->values, dense_index(B, 0, entries.row[k], entries.column[k]),
            get(A->type, A->values, k));
    release(&entries);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t A,
                                                  cusparseSpMatDescr_t B,
                                                  cusparseDenseToSparseAlg_t algorithm,
                                                  size_t *bytes)
{
    (void)algorithm;
    REQUIRE_VALUE(handle);
    REQUIRE_VALUE(A && B && bytes);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
/* Counts the elements that are not zero and writes the offsets; also writes the elements. */
static cusparseStatus_t portable_cuda_to_sparse_(const char *call, cusparseHandle_t handle,
                                                 const struct cusparseDnMatDescr *A,
                                                 struct cusparseSpMatDescr *B, int converts)
{
    BEGIN(handle);
    REQUIRE_VALUE(A && B && A->rows == B->rows && A->columns == B->columns && A->type == B->type);
    const int is_csc = B->format == CUSPARSE_FORMAT_CSC, is_coo = B->format == CUSPARSE_FORMAT_COO;
    const int64_t majors = is_csc ? A->columns : A->rows, minors = is_csc ? A->rows : A->columns;
    int64_t n = 0;
    TRY(portable_cuda_open_dense_(call, "A", A, READS));
    if (!is_coo)
        OPEN("offsets", B->first, majors + 1, index_bytes(B->first_type), WRITES);
    if (converts) {
        if (is_coo)
            OPEN("row indices", B->first, B->nnz, index_bytes(B->first_type), WRITES);
        OPEN("indices", B->second, B->nnz, index_bytes(B->second_type), WRITES);
        OPEN("values", B->values, B->nnz, bytes_of(B->type), WRITES);
    }
    for (int64_t i = 0; i < majors; i++) {
        if (!is_coo)
            put_index(B->first_type, B->first, i, n + B->base);
        for (int64_t j = 0; j < minors; j++) {
            const struct number x =
                get(A->type, A->values, is_csc ? dense_index(A, 0, j, i) : dense_index(A, 0, i, j));
            if (is_zero(x))
                continue;
            if (converts) {
                REQUIRE_VALUE(n < B->nnz);
                if (is_coo)
                    put_index(B->first_type, B->first, n, i + B->base);
                put_index(B->second_type, B->second, n, j + B->base);
                put(B->type, B->values, n, x);
            }
            n++;
        }
    }
    if (!is_coo)
        put_index(B->first_type, B->first, majors, n + B->base);
    B->nnz = n;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t A, cusparseSpMatDescr_t B,
                                                cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
    (void)algorithm;
    (void)buffer;
    return portable_cuda_to_sparse_(__func__, handle, A, B, 0);
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t A,
                                               cusparseSpMatDescr_t B,
                                               cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
    (void)algorithm;
    (void)buffer;
    return portable_cuda_to_sparse_(__func__, handle, A, B, 1);
}

/* ---- products ---- */

static int is_operation(cusparseOperation_t op)
{
    return (unsigned)op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
static cusparseStatus_t check_product(cusparseHandle_t handle, cusparseOperation_t op,
                                      const struct cusparseSpMatDescr *A,
                                      const struct cusparseDnVecDescr *x,
                                      const struct cusparseDnVecDescr *y)
{
    REQUIRE_VALUE(handle);
    REQUIRE_VALUE(is_operation(op) && A && x && y);
    const int is_transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    REQUIRE_VALUE(x->size == (is_transposed ? A->rows : A->columns) &&
                  y->size == (is_transposed ? A->columns : A->rows));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseConstSpMatDescr_t A,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute_type,
                                         cusparseSpMVAlg_t algorithm, size_t *bytes)
{
    (void)compute_type;
    (void)algorithm;
    TRY(check_product(handle, op, A, x, y));
    REQUIRE_VALUE(alpha && beta && bytes);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseConstSpMatDescr_t A,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute_type,
                                         cusparseSpMVAlg_t algorithm, void *buffer)
{
    (void)compute_type;
    (void)algorithm;
    (void)buffer;
    TRY(check_product(handle, op, A, x, y));
    REQUIRE_VALUE(alpha && beta);
    return CUSPARSE_STATUS_SUCCESS;
}
/* A call of cusparseSpMV. */
struct product {
    struct cusparseContext handle;
    cusparseOperation_t op;
    const void *alpha, *beta;
    double kept[2][2]; /* alpha and beta of the host, at a capture */
    struct cusparseSpMatDescr A;
    struct cusparseDnVecDescr x, y;
    cudaDataType type;
};
static cusparseStatus_t portable_cuda_product_(const struct product *p, const void *alpha,
                                               const void *beta)
{
    static const char call[] = "cusparseSpMV";
    const struct cusparseContext *const handle = &p->handle;
    const struct cusparseSpMatDescr *const A = &p->A;
    const struct cusparseDnVecDescr *const x = &p->x, *const y = &p->y;
    const cusparseOperation_t op = p->op;
    struct entries entries;
    SCALAR(p->type, alpha);
    SCALAR(p->type, beta);
    OPEN("x", x->values, x->size, bytes_of(x->type), READS);
    OPEN("y", y->values, y->size, bytes_of(y->type), is_zero(beta_value) ? WRITES : READS | WRITES);
    TRY(portable_cuda_read_entries_(call, "A", A, READS, &entries));
    struct number *const sums = (struct number *)calloc((size_t)y->size + 1, sizeof *sums);
    if (sums) {
        transpose(&entries, op);
        for (int64_t k = 0; k < entries.n; k++) {
            struct number *const sum = &sums[entries.row[k]];
            const struct number a =
                conjugate(get(A->type, A->values, k), op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
            *sum = plus(*sum, times(a, get(x->type, x->values, entries.column[k])));
        }
        for (int64_t i = 0; i < y->size; i++) {
            struct number result = times(alpha_value, sums[i]);
            if (!is_zero(beta_value))
                result = plus(result, times(beta_value, get(y->type, y->values, i)));
            put(y->type, y->values, i, result);
        }
    }
    release(&entries);
    free(sums);
    return sums ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
static void portable_cuda_product_again_(void *data)
{
    const struct product *const p = (const struct product *)data;
    const int is_kept = p->handle.pointer_mode == CUSPARSE_POINTER_MODE_HOST;
    if (portable_cuda_product_(p, is_kept ? p->kept[0] : p->alpha,
                               is_kept ? p->kept[1] : p->beta) != CUSPARSE_STATUS_SUCCESS)
        portable_cuda_error_(cudaErrorUnknown);
}
/* A capture makes a node of it. */
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                              const void *beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
                              cusparseSpMVAlg_t algorithm, void *buffer)
{
    (void)algorithm;
    (void)buffer;
    TRY(check_product(handle, op, A, x, y));
    REQUIRE_VALUE(alpha && beta);
    REQUIRE(bytes_of(compute_type) > 0, CUSPARSE_STATUS_NOT_SUPPORTED);
    struct product product = {*handle, op, alpha, beta, {{0, 0}, {0, 0}}, *A, *x, *y, compute_type};
    struct CUgraph_st *const graph = portable_cuda_capture_of_(handle->stream);
    if (!graph) {
        BEGIN(handle);
        return portable_cuda_product_(&product, alpha, beta);
    }
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST) {
        memcpy(product.kept[0], alpha, bytes_of(compute_type));
        memcpy(product.kept[1], beta, bytes_of(compute_type));
    }
    portable_cuda_capture_host_(graph, portable_cuda_product_again_, &product, sizeof product);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Element (i, j) of op(matrix). */
static struct number dense_get(const struct cusparseDnMatDescr *matrix, cusparseOperation_t op,
                               int batch, int64_t i, int64_t j)
{
    const int is_transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int64_t place =
        is_transposed ? dense_index(matrix, batch, j, i) : dense_index(matrix, batch, i, j);
    return conjugate(get(matrix->type, matrix->values, place),
                     op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
}
static int64_t rows_of(int64_t rows, int64_t columns, cusparseOperation_t op)
{
    return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? rows : columns;
}
static cusparseStatus_t check_products(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       cusparseOperation_t op_b, const struct cusparseSpMatDescr *A,
                                       const struct cusparseDnMatDescr *B,
                                       const struct cusparseDnMatDescr *C)
{
    REQUIRE_VALUE(handle);
    REQUIRE_VALUE(is_operation(op_a) && is_operation(op_b) && A && B && C);
    REQUIRE_VALUE(rows_of(A->rows, A->columns, op_a) == C->rows &&
                  rows_of(A->columns, A->rows, op_a) == rows_of(B->rows, B->columns, op_b) &&
                  rows_of(B->columns, B->rows, op_b) == C->columns);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void *alpha,
                                         cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                         const void *beta, cusparseDnMatDescr_t C,
                                         cudaDataType compute_type, cusparseSpMMAlg_t algorithm,
                                         size_t *bytes)
{
    (void)compute_type;
    (void)algorithm;
    TRY(check_products(handle, op_a, op_b, A, B, C));
    REQUIRE_VALUE(alpha && beta && bytes);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void *alpha,
                                         cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                         const void *beta, cusparseDnMatDescr_t C,
                                         cudaDataType compute_type, cusparseSpMMAlg_t algorithm,
                                         void *buffer)
{
    (void)compute_type;
    (void)algorithm;
    (void)buffer;
    TRY(check_products(handle, op_a, op_b, A, B, C));
    REQUIRE_VALUE(alpha && beta);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                              cusparseOperation_t op_b, const void *alpha,
                              cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                              const void *beta, cusparseDnMatDescr_t C, cudaDataType compute_type,
                              cusparseSpMMAlg_t algorithm, void *buffer)
{
    const char *const call = __func__;
    struct entries entries;
    (void)algorithm;
    (void)buffer;
    TRY(check_products(handle, op_a, op_b, A, B, C));
    BEGIN(handle);
    SCALAR(compute_type, alpha);
    SCALAR(compute_type, beta);
    REQUIRE_VALUE(B->batches == C->batches || B->batches == 1);
    TRY(portable_cuda_open_dense_(call, "B", B, READS));
    TRY(portable_cuda_open_dense_(call, "C", C, is_zero(beta_value) ? WRITES : READS | WRITES));
    TRY(portable_cuda_read_entries_(call, "A", A, READS, &entries));
    struct number *const sums = (struct number *)malloc(((size_t)C->rows + 1) * sizeof *sums);
    transpose(&entries, op_a);
    for (int b = 0; sums && b < C->batches; b++)
        for (int64_t j = 0; j < C->columns; j++) {
            const struct number zero = {0, 0};
            for (int64_t i = 0; i < C->rows; i++)
                sums[i] = zero;
            for (int64_t k = 0; k < entries.n; k++) {
                struct number *const sum = &sums[entries.row[k]];
                const struct number a = conjugate(get(A->type, A->values, k),
                                                  op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
                *sum = plus(*sum, times(a, dense_get(B, op_b, B->batches == 1 ? 0 : b,
                                                     entries.column[k], j)));
            }
            for (int64_t i = 0; i < C->rows; i++) {
                const int64_t place = dense_index(C, b, i, j);
                struct number result = times(alpha_value, sums[i]);
                if (!is_zero(beta_value))
                    result = plus(result, times(beta_value, get(C->type, C->values, place)));
                put(C->type, C->values, place, result);
            }
        }
    release(&entries);
    free(sums);
    return sums ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

static cusparseStatus_t check_sampled(cusparseHandle_t handle, cusparseOperation_t op_a,
                                      cusparseOperation_t op_b, const struct cusparseDnMatDescr *A,
                                      const struct cusparseDnMatDescr *B,
                                      const struct cusparseSpMatDescr *C)
{
    REQUIRE_VALUE(handle);
    REQUIRE_VALUE(is_operation(op_a) && is_operation(op_b) && A && B && C);
    REQUIRE_VALUE(rows_of(A->rows, A->columns, op_a) == C->rows &&
                  rows_of(A->columns, A->rows, op_a) == rows_of(B->rows, B->columns, op_b) &&
                  rows_of(B->columns, B->rows, op_b) == C->columns);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void *alpha,
                                          cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B,
                                          const void *beta, cusparseSpMatDescr_t C,
                                          cudaDataType compute_type, cusparseSDDMMAlg_t algorithm,
                                          size_t *bytes)
{
    (void)compute_type;
    (void)algorithm;
    TRY(check_sampled(handle, op_a, op_b, A, B, C));
    REQUIRE_VALUE(alpha && beta && bytes);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void *alpha,
                                          cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B,
                                          const void *beta, cusparseSpMatDescr_t C,
                                          cudaDataType compute_type, cusparseSDDMMAlg_t algorithm,
                                          void *buffer)
{
    (void)compute_type;
    (void)algorithm;
    (void)buffer;
    TRY(check_sampled(handle, op_a, op_b, A, B, C));
    REQUIRE_VALUE(alpha && beta);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                               cusparseOperation_t op_b, const void *alpha,
                               cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B,
                               const void *beta, cusparseSpMatDescr_t C, cudaDataType compute_type,
                               cusparseSDDMMAlg_t algorithm, void *buffer)
{
    const char *const call = __func__;
    struct entries entries;
    (void)algorithm;
    (void)buffer;
    TRY(check_sampled(handle, op_a, op_b, A, B, C));
    BEGIN(handle);
    SCALAR(compute_type, alpha);
    SCALAR(compute_type, beta);
    TRY(portable_cuda_open_dense_(call, "A", A, READS));
    TRY(portable_cuda_open_dense_(call, "B", B, READS));
    TRY(portable_cuda_read_entries_(call, "C", C, is_zero(beta_value) ? WRITES : READS | WRITES,
                                    &entries));
    const int64_t inner = rows_of(A->columns, A->rows, op_a);
    for (int64_t k = 0; k < entries.n; k++) {
        struct number sum = {0, 0};
        for (int64_t i = 0; i < inner; i++)
            sum = plus(sum, times(dense_get(A, op_a, 0, entries.row[k], i),
                                  dense_get(B, op_b, 0, i, entries.column[k])));
        sum = times(alpha_value, sum);
        if (!is_zero(beta_value))
            sum = plus(sum, times(beta_value, get(C->type, C->values, k)));
        put(C->type, C->values, k, sum);
    }
    release(&entries);
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- triangular systems ---- */

/* op(A) without what is not in its triangle, by rows. */
struct triangle {
    struct entries entries;
    int64_t rows, *starts, *order;
    int is_lower, is_conjugate;
    const struct cusparseSpMatDescr *A;
};
static cusparseStatus_t portable_cuda_read_triangle_(const char *call, cusparseOperation_t op,
                                                     const struct cusparseSpMatDescr *A,
                                                     struct triangle *triangle)
{
    TRY(portable_cuda_read_entries_(call, "A", A, READS, &triangle->entries));
    transpose(&triangle->entries, op);
    triangle->A = A;
    triangle->rows = A->rows;
    triangle->is_lower =
        (A->fill == CUSPARSE_FILL_MODE_LOWER) == (op == CUSPARSE_OPERATION_NON_TRANSPOSE);
    triangle->is_conjugate = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    triangle->starts = (int64_t *)malloc(((size_t)A->rows + 1) * sizeof(int64_t));
    triangle->order =
        triangle->starts ? order_by_rows(&triangle->entries, A->rows, triangle->starts) : NULL;
    if (triangle->order)
        return CUSPARSE_STATUS_SUCCESS;
    free(triangle->starts);
    release(&triangle->entries);
    return CUSPARSE_STATUS_ALLOC_FAILED;
}
static void release_triangle(struct triangle *triangle)
{
    release(&triangle->entries);
    free(triangle->starts);
    free(triangle->order);
}
static void solve_triangle(const struct triangle *triangle, struct number *x)
{
    for (int64_t step = 0; step < triangle->rows; step++) {
        const int64_t i = triangle->is_lower ? step : triangle->rows - 1 - step;
        struct number sum = x[i], diagonal = {0, 0};
        for (int64_t k = triangle->starts[i]; k < triangle->starts[i + 1]; k++) {
            const int64_t entry = triangle->order[k], j = triangle->entries.column[entry];
            const struct number a = conjugate(get(triangle->A->type, triangle->A->values, entry),
                                              triangle->is_conjugate);
            if (j == i)
                diagonal = plus(diagonal, a);
            else if ((j < i) == triangle->is_lower)
                sum = minus(sum, times(a, x[j]));
        }
        x[i] = triangle->A->diagonal == CUSPARSE_DIAG_TYPE_UNIT ? sum : over(sum, diagonal);
    }
}

#define DESCRIPTOR(Name)                                                                           \
    cusparseStatus_t cusparse##Name##_createDescr(cusparse##Name##Descr_t *descriptor)             \
    {                                                                                              \
        REQUIRE_VALUE(descriptor);                                                                 \
        *descriptor = (cusparse##Name##Descr_t)calloc(1, sizeof **descriptor);                     \
        return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;               \
    }
DESCRIPTOR(SpSV)
DESCRIPTOR(SpSM)
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor)
{
    free(descriptor);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor)
{
    free(descriptor);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseConstSpMatDescr_t A,
                                         cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                         cudaDataType compute_type, cusparseSpSVAlg_t algorithm,
                                         cusparseSpSVDescr_t descriptor, size_t *bytes)
{
    (void)compute_type;
    (void)algorithm;
    TRY(check_product(handle, op, A, x, y));
    REQUIRE_VALUE(A->rows == A->columns && alpha && descriptor && bytes);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op,
                                       const void *alpha, cusparseConstSpMatDescr_t A,
                                       cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType compute_type, cusparseSpSVAlg_t algorithm,
                                       cusparseSpSVDescr_t descriptor, void *buffer)
{
    (void)compute_type;
    (void)algorithm;
    (void)buffer;
    TRY(check_product(handle, op, A, x, y));
    REQUIRE_VALUE(A->rows == A->columns && alpha && descriptor);
    descriptor->is_analysed = 1;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                    const void *alpha, cusparseConstSpMatDescr_t A,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType compute_type, cusparseSpSVAlg_t algorithm,
                                    cusparseSpSVDescr_t descriptor)
{
    const char *const call = __func__;
    struct triangle triangle;
    (void)algorithm;
    TRY(check_product(handle, op, A, x, y));
    REQUIRE_VALUE(A->rows == A->columns && descriptor && descriptor->is_analysed);
    BEGIN(handle);
    SCALAR(compute_type, alpha);
    OPEN("x", x->values, x->size, bytes_of(x->type), READS);
    OPEN("y", y->values, y->size, bytes_of(y->type), WRITES);
    TRY(portable_cuda_read_triangle_(call, op, A, &triangle));
    struct number *const solution =
        (struct number *)malloc(((size_t)y->size + 1) * sizeof *solution);
    if (solution) {
        for (int64_t i = 0; i < y->size; i++)
            solution[i] = times(alpha_value, get(x->type, x->values, i));
        solve_triangle(&triangle, solution);
        for (int64_t i = 0; i < y->size; i++)
            put(y->type, y->values, i, solution[i]);
    }
    release_triangle(&triangle);
    free(solution);
    return solution ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void *alpha,
                                         cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                         cusparseDnMatDescr_t C, cudaDataType compute_type,
                                         cusparseSpSMAlg_t algorithm,
                                         cusparseSpSMDescr_t descriptor, size_t *bytes)
{
    (void)compute_type;
    (void)algorithm;
    TRY(check_products(handle, op_a, op_b, A, B, C));
    REQUIRE_VALUE(A->rows == A->columns && alpha && descriptor && bytes);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       cusparseOperation_t op_b, const void *alpha,
                                       cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                       cusparseDnMatDescr_t C, cudaDataType compute_type,
                                       cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor,
                                       void *buffer)
{
    (void)compute_type;
    (void)algorithm;
    (void)buffer;
    TRY(check_products(handle, op_a, op_b, A, B, C));
    REQUIRE_VALUE(A->rows == A->columns && alpha && descriptor);
    descriptor->is_analysed = 1;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                    cusparseOperation_t op_b, const void *alpha,
                                    cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                    cusparseDnMatDescr_t C, cudaDataType compute_type,
                                    cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor)
{
    const char *const call = __func__;
    struct triangle triangle;
    (void)algorithm;
    TRY(check_products(handle, op_a, op_b, A, B, C));
    REQUIRE_VALUE(A->rows == A->columns && descriptor && descriptor->is_analysed);
    BEGIN(handle);
    SCALAR(compute_type, alpha);
    TRY(portable_cuda_open_dense_(call, "B", B, READS));
    TRY(portable_cuda_open_dense_(call, "C", C, WRITES));
    TRY(portable_cuda_read_triangle_(call, op_a, A, &triangle));
    struct number *const solution =
        (struct number *)malloc(((size_t)C->rows + 1) * sizeof *solution);
    for (int64_t j = 0; solution && j < C->columns; j++) {
        for (int64_t i = 0; i < C->rows; i++)
            solution[i] = times(alpha_value, dense_get(B, op_b, 0, i, j));
        solve_triangle(&triangle, solution);
        for (int64_t i = 0; i < C->rows; i++)
            put(C->type, C->values, dense_index(C, 0, i, j), solution[i]);
    }
    release_triangle(&triangle);
    free(solution);
    return solution ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

/* ---- the product of two sparse matrices ---- */

/* It keeps the product from compute to copy. */
struct cusparseSpGEMMDescr {
    int64_t rows, nnz, *offsets, *columns;
    struct number *values;
};
DESCRIPTOR(SpGEMM)
static void release_product(cusparseSpGEMMDescr_t product)
{
    free(product->offsets);
    free(product->columns);
    free(product->values);
    product->offsets = product->columns = NULL;
    product->values = NULL;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descriptor)
{
    REQUIRE_VALUE(descriptor);
    release_product(descriptor);
    free(descriptor);
    return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t
check_sparse_product(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                     const struct cusparseSpMatDescr *A, const struct cusparseSpMatDescr *B,
                     const struct cusparseSpMatDescr *C, cusparseSpGEMMDescr_t descriptor)
{
    REQUIRE_VALUE(handle);
    REQUIRE_VALUE(A && B && C && descriptor);
    REQUIRE(op_a == CUSPARSE_OPERATION_NON_TRANSPOSE && op_b == CUSPARSE_OPERATION_NON_TRANSPOSE &&
                A->format == CUSPARSE_FORMAT_CSR && B->format == CUSPARSE_FORMAT_CSR &&
                C->format == CUSPARSE_FORMAT_CSR,
            CUSPARSE_STATUS_NOT_SUPPORTED);
    REQUIRE_VALUE(A->columns == B->rows && A->rows == C->rows && B->columns == C->columns);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
    cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B, const void *beta,
    cusparseSpMatDescr_t C, cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t descriptor, size_t *bytes, void *buffer)
{
    (void)compute_type;
    (void)algorithm;
    TRY(check_sparse_product(handle, op_a, op_b, A, B, C, descriptor));
    REQUIRE_VALUE(alpha && beta && bytes);
    if (!buffer)
        *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
static int compare_indices(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}
/* Row by row: the sums of a row are kept by column; marks has the columns that it has. */
static int multiply(cusparseSpGEMMDescr_t product, const struct cusparseSpMatDescr *A,
                    const struct entries *a, const struct cusparseSpMatDescr *B,
                    const struct entries *b, struct number alpha)
{
    int64_t *const b_starts = (int64_t *)malloc(((size_t)B->rows + 1) * sizeof *b_starts);
    int64_t *const b_order = b_starts ? order_by_rows(b, B->rows, b_starts) : NULL;
    int64_t *const marks = (int64_t *)calloc((size_t)B->columns + 1, sizeof *marks);
    struct number *const sums = (struct number *)malloc(((size_t)B->columns + 1) * sizeof *sums);
    int64_t capacity = 0, next = 0;
    int done = b_order && marks && sums;
    product->rows = A->rows;
    product->nnz = 0;
    product->offsets = (int64_t *)calloc((size_t)A->rows + 1, sizeof(int64_t));
    done = done && product->offsets;
    for (int64_t i = 0; done && i < A->rows; i++) {
        const int64_t start = product->nnz;
        if (capacity - start < B->columns) {
            capacity = 2 * capacity + B->columns;
            int64_t *const columns =
                (int64_t *)realloc(product->columns, (size_t)capacity * sizeof *columns);
            if (columns)
                product->columns = columns;
            struct number *const values =
                (struct number *)realloc(product->values, (size_t)capacity * sizeof *values);
            if (values)
                product->values = values;
            done = columns && values;
            if (!done)
                break;
        }
        for (; next < a->n && a->row[next] == i; next++)
            for (int64_t k = b_starts[a->column[next]]; k < b_starts[a->column[next] + 1]; k++) {
                const int64_t j = b->column[b_order[k]];
                const struct number term =
                    times(get(A->type, A->values, next), get(B->type, B->values, b_order[k]));
                if (marks[j] != i + 1) {
                    marks[j] = i + 1;
                    product->columns[product->nnz++] = j;
                    sums[j] = term;
                } else {
                    sums[j] = plus(sums[j], term);
                }
            }
        qsort(product->columns + start, (size_t)(product->nnz - start), sizeof(int64_t),
              compare_indices);
        for (int64_t k = start; k < product->nnz; k++)
            product->values[k] = times(alpha, sums[product->columns[k]]);
        product->offsets[i + 1] = product->nnz;
    }
    free(b_starts);
    free(b_order);
    free(marks);
    free(sums);
    return done;
}
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void *alpha,
                                        cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
                                        const void *beta, cusparseSpMatDescr_t C,
                                        cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
                                        cusparseSpGEMMDescr_t descriptor, size_t *bytes,
                                        void *buffer)
{
    const char *const call = __func__;
    struct entries a, b;
    (void)algorithm;
    TRY(check_sparse_product(handle, op_a, op_b, A, B, C, descriptor));
    REQUIRE_VALUE(alpha && beta && bytes);
    if (!buffer) {
        *bytes = BUFFER_BYTES;
        return CUSPARSE_STATUS_SUCCESS;
    }
    BEGIN(handle);
    SCALAR(compute_type, alpha);
    TRY(portable_cuda_read_entries_(call, "A", A, READS, &a));
    const cusparseStatus_t status = portable_cuda_read_entries_(call, "B", B, READS, &b);
    if (status != CUSPARSE_STATUS_SUCCESS) {
        release(&a);
        return status;
    }
    release_product(descriptor);
    const int done = multiply(descriptor, A, &a, B, &b, alpha_value);
    C->nnz = descriptor->nnz;
    release(&a);
    release(&b);
    return done ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void *alpha,
                                     cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
                                     const void *beta, cusparseSpMatDescr_t C,
                                     cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
                                     cusparseSpGEMMDescr_t descriptor)
{
    const char *const call = __func__;
    (void)alpha;
    (void)algorithm;
    TRY(check_sparse_product(handle, op_a, op_b, A, B, C, descriptor));
    REQUIRE_VALUE(descriptor->offsets && C->nnz == descriptor->nnz);
    BEGIN(handle);
    SCALAR(compute_type, beta);
    const int use = is_zero(beta_value) ? WRITES : READS | WRITES;
    OPEN("C", C->first, C->rows + 1, index_bytes(C->first_type), WRITES);
    OPEN("C", C->second, C->nnz, index_bytes(C->second_type), WRITES);
    OPEN("C", C->values, C->nnz, bytes_of(C->type), use);
    for (int64_t i = 0; i <= C->rows; i++)
        put_index(C->first_type, C->first, i, descriptor->offsets[i] + C->base);
    for (int64_t k = 0; k < C->nnz; k++) {
        struct number x = descriptor->values[k];
        if (!is_zero(beta_value))
            x = plus(x, times(beta_value, get(C->type, C->values, k)));
        put_index(C->second_type, C->second, k, descriptor->columns[k] + C->base);
        put(C->type, C->values, k, x);
    }
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- calls for indices of int ---- */

#define INT CUSPARSE_INDEX_32I
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *row_indices, int nnz,
                                  int rows, int *offsets, cusparseIndexBase_t base)
{
    const char *const call = __func__;
    BEGIN(handle);
    REQUIRE_VALUE(nnz >= 0 && rows >= 0 && is_base(base));
    OPEN("row indices", row_indices, nnz, sizeof(int), READS);
    OPEN("offsets", offsets, rows + 1, sizeof(int), WRITES);
    int next = 0;
    for (int k = 0; k < nnz; k++) {
        const int64_t row = get_index(INT, row_indices, k) - base;
        if (row < 0 || row >= rows)
            return portable_cuda_bad_index_(call, "row index", k, row + base);
        for (; next <= row; next++)
            put_index(INT, offsets, next, k + base);
    }
    for (; next <= rows; next++)
        put_index(INT, offsets, next, nnz + base);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int rows,
                                  int *row_indices, cusparseIndexBase_t base)
{
    const char *const call = __func__;
    BEGIN(handle);
    REQUIRE_VALUE(nnz >= 0 && rows >= 0 && is_base(base));
    OPEN("offsets", offsets, rows + 1, sizeof(int), READS);
    OPEN("row indices", row_indices, nnz, sizeof(int), WRITES);
    int64_t *const row_of = (int64_t *)malloc(((size_t)nnz + 1) * sizeof *row_of);
    REQUIRE(row_of, CUSPARSE_STATUS_ALLOC_FAILED);
    const cusparseStatus_t status =
        portable_cuda_read_offsets_(call, INT, offsets, rows, nnz, base, row_of);
    for (int k = 0; status == CUSPARSE_STATUS_SUCCESS && k < nnz; k++)
        put_index(INT, row_indices, k, row_of[k] + base);
    free(row_of);
    return status;
}
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *permutation)
{
    const char *const call = __func__;
    BEGIN(handle);
    REQUIRE_VALUE(n >= 0);
    OPEN("permutation", permutation, n, sizeof(int), WRITES);
    for (int i = 0; i < n; i++)
        put_index(INT, permutation, i, i);
    return CUSPARSE_STATUS_SUCCESS;
}

/* An element's place: sorted by major, minor, and where it was. */
struct place {
    int64_t major, minor, was, permutation;
};
static int compare_places(const void *a, const void *b)
{
    const struct place *const x = (const struct place *)a, *const y = (const struct place *)b;
    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    return x->was < y->was ? -1 : 1;
}
/* majors is written unless it is NULL, where row_of has them. */
static cusparseStatus_t portable_cuda_sort_(const char *call, int nnz, int *majors,
                                            const int64_t *row_of, int *minors, int *permutation)
{
    if (majors)
        OPEN("indices", majors, nnz, sizeof(int), READS | WRITES);
    OPEN("indices", minors, nnz, sizeof(int), READS | WRITES);
    if (permutation)
        OPEN("permutation", permutation, nnz, sizeof(int), READS | WRITES);
    struct place *const places = (struct place *)malloc(((size_t)nnz + 1) * sizeof *places);
    REQUIRE(places, CUSPARSE_STATUS_ALLOC_FAILED);
    for (int k = 0; k < nnz; k++) {
        const struct place place = {majors ? get_index(INT, majors, k) : row_of[k],
                                    get_index(INT, minors, k), k,
                                    permutation ? get_index(INT, permutation, k) : 0};
        places[k] = place;
    }
    qsort(places, (size_t)nnz, sizeof *places, compare_places);
    for (int k = 0; k < nnz; k++) {
        if (majors)
            put_index(INT, majors, k, places[k].major);
        put_index(INT, minors, k, places[k].minor);
        if (permutation)
            put_index(INT, permutation, k, places[k].permutation);
    }
    free(places);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int rows, int columns,
                                                int nnz, const int *row_indices,
                                                const int *column_indices, size_t *bytes)
{
    (void)row_indices;
    (void)column_indices;
    REQUIRE_VALUE(handle);
    REQUIRE_VALUE(rows >= 0 && columns >= 0 && nnz >= 0 && bytes);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int rows, int columns, int nnz,
                                       int *row_indices, int *column_indices, int *permutation,
                                       void *buffer)
{
    (void)buffer;
    BEGIN(handle);
    REQUIRE_VALUE(rows >= 0 && columns >= 0 && nnz >= 0);
    return portable_cuda_sort_(__func__, nnz, row_indices, NULL, column_indices, permutation);
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int rows, int columns, int nnz,
                                          int *row_indices, int *column_indices, int *permutation,
                                          void *buffer)
{
    (void)buffer;
    BEGIN(handle);
    REQUIRE_VALUE(rows >= 0 && columns >= 0 && nnz >= 0);
    return portable_cuda_sort_(__func__, nnz, column_indices, NULL, row_indices, permutation);
}
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int rows, int columns,
                                                int nnz, const int *offsets, const int *indices,
                                                size_t *bytes)
{
    return cusparseXcoosort_bufferSizeExt(handle, rows, columns, nnz, offsets, indices, bytes);
}
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int rows, int columns,
                                                int nnz, const int *offsets, const int *indices,
                                                size_t *bytes)
{
    return cusparseXcoosort_bufferSizeExt(handle, rows, columns, nnz, offsets, indices, bytes);
}
static cusparseStatus_t portable_cuda_sort_runs_(const char *call, cusparseHandle_t handle,
                                                 int majors, int nnz,
                                                 const struct cusparseMatDescr *descriptor,
                                                 const int *offsets, int *indices, int *permutation)
{
    BEGIN(handle);
    REQUIRE_VALUE(majors >= 0 && nnz >= 0 && descriptor);
    OPEN("offsets", offsets, majors + 1, sizeof(int), READS);
    int64_t *const row_of = (int64_t *)malloc(((size_t)nnz + 1) * sizeof *row_of);
    REQUIRE(row_of, CUSPARSE_STATUS_ALLOC_FAILED);
    cusparseStatus_t status =
        portable_cuda_read_offsets_(call, INT, offsets, majors, nnz, descriptor->base, row_of);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = portable_cuda_sort_(call, nnz, NULL, row_of, indices, permutation);
    free(row_of);
    return status;
}
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int rows, int columns, int nnz,
                                  const cusparseMatDescr_t descriptor, const int *offsets,
                                  int *indices, int *permutation, void *buffer)
{
    (void)columns;
    (void)buffer;
    return portable_cuda_sort_runs_(__func__, handle, rows, nnz, descriptor, offsets, indices,
                                    permutation);
}
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int rows, int columns, int nnz,
                                  const cusparseMatDescr_t descriptor, const int *offsets,
                                  int *indices, int *permutation, void *buffer)
{
    (void)rows;
    (void)buffer;
    return portable_cuda_sort_runs_(__func__, handle, columns, nnz, descriptor, offsets, indices,
                                    permutation);
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int rows, int columns,
                                               int nnz, const void *csr_values,
                                               const int *csr_offsets, const int *csr_indices,
                                               void *csc_values, int *csc_offsets, int *csc_indices,
                                               cudaDataType type, cusparseAction_t action,
                                               cusparseIndexBase_t base,
                                               cusparseCsr2CscAlg_t algorithm, size_t *bytes)
{
    (void)csr_values;
    (void)csr_offsets;
    (void)csr_indices;
    (void)csc_values;
    (void)csc_offsets;
    (void)csc_indices;
    (void)type;
    (void)action;
    (void)base;
    (void)algorithm;
    REQUIRE_VALUE(handle);
    REQUIRE_VALUE(rows >= 0 && columns >= 0 && nnz >= 0 && bytes);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int rows, int columns, int nnz,
                                    const void *csr_values, const int *csr_offsets,
                                    const int *csr_indices, void *csc_values, int *csc_offsets,
                                    int *csc_indices, cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm,
                                    void *buffer)
{
    const char *const call = __func__;
    const int has_values = action == CUSPARSE_ACTION_NUMERIC;
    struct cusparseSpMatDescr A = {
        .format = CUSPARSE_FORMAT_CSR, .first_type = INT, .second_type = INT};
    struct entries entries;
    (void)algorithm;
    (void)buffer;
    BEGIN(handle);
    REQUIRE_VALUE(rows >= 0 && columns >= 0 && nnz >= 0 && is_base(base));
    REQUIRE(!has_values || bytes_of(type) > 0, CUSPARSE_STATUS_NOT_SUPPORTED);
    OPEN("CSC offsets", csc_offsets, columns + 1, sizeof(int), WRITES);
    OPEN("CSC indices", csc_indices, nnz, sizeof(int), WRITES);
    if (has_values)
        OPEN("CSC values", csc_values, nnz, bytes_of(type), WRITES);
    A.rows = rows;
    A.columns = columns;
    A.nnz = nnz;
    A.first = without_const(csr_offsets);
    A.second = without_const(csr_indices);
    /* Without values, the indices are opened once more. */
    A.values = has_values ? without_const(csr_values) : A.second;
    A.base = base;
    A.type = has_values ? type : CUDA_R_32I;
    TRY(portable_cuda_read_entries_(call, "A", &A, READS, &entries));
    transpose(&entries, CUSPARSE_OPERATION_TRANSPOSE);
    int64_t *const starts = (int64_t *)malloc(((size_t)columns + 1) * sizeof *starts);
    int64_t *const order = starts ? order_by_rows(&entries, columns, starts) : NULL;
    for (int j = 0; order && j <= columns; j++)
        put_index(INT, csc_offsets, j, starts[j] + base);
    for (int k = 0; order && k < nnz; k++) {
        put_index(INT, csc_indices, k, entries.column[order[k]] + base);
        if (has_values)
            put(type, csc_values, k, get(type, csr_values, order[k]));
    }
    release(&entries);
    free(starts);
    free(order);
    return order ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

/* ---- tridiagonal systems ---- */

/* Gauss's elimination; with pivots a second superdiagonal fills in. Destroys the diagonals. */
static void solve_tridiagonal(int m, double *dl, double *d, double *du, double *du2, double *b,
                              int has_pivots)
{
    for (int i = 0; i < m; i++)
        du2[i] = 0;
    for (int i = 0; i + 1 < m; i++) {
        if (has_pivots && fabs(dl[i + 1]) > fabs(d[i])) {
            const double row[] = {d[i], du[i], b[i]};
            d[i] = dl[i + 1];
            du[i] = d[i + 1];
            du2[i] = du[i + 1];
            b[i] = b[i + 1];
            const double factor = row[0] / d[i];
            d[i + 1] = row[1] - factor * du[i];
            du[i + 1] = -factor * du2[i];
            b[i + 1] = row[2] - factor * b[i];
        } else {
            const double factor = dl[i + 1] / d[i];
            d[i + 1] -= factor * du[i];
            b[i + 1] -= factor * b[i];
        }
    }
    for (int i = m - 1; i >= 0; i--) {
        double x = b[i];
        if (i + 1 < m)
            x -= du[i] * b[i + 1];
        if (i + 2 < m)
            x -= du2[i] * b[i + 2];
        b[i] = x / d[i];
    }
}
static cusparseStatus_t portable_cuda_tridiagonal_(const char *call, cusparseHandle_t handle, int m,
                                                   int n, cudaDataType type, const void *dl,
                                                   const void *d, const void *du, void *B, int ldb,
                                                   int has_pivots)
{
    const size_t element = size_of(type);
    BEGIN(handle);
    REQUIRE_VALUE(m >= 3 && n >= 0 && ldb >= m);
    OPEN("lower diagonal", dl, m, element, READS);
    OPEN("diagonal", d, m, element, READS);
    OPEN("upper diagonal", du, m, element, READS);
    if (n > 0)
        REQUIRE(portable_cuda_operand_(call, "B", B, (size_t)ldb * element, (size_t)m * element,
                                       (size_t)n, 1, 1) == cudaSuccess,
                CUSPARSE_STATUS_EXECUTION_FAILED);
    double *const work = (double *)malloc(5 * (size_t)m * sizeof *work);
    REQUIRE(work, CUSPARSE_STATUS_ALLOC_FAILED);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            work[i] = load(type, dl, i);
            work[m + i] = load(type, d, i);
            work[2 * m + i] = i + 1 < m ? load(type, du, i) : 0;
            work[4 * m + i] = load(type, B, (long)j * ldb + i);
        }
        solve_tridiagonal(m, work, work + m, work + 2 * m, work + 3 * m, work + 4 * m, has_pivots);
        for (int i = 0; i < m; i++)
            store(type, B, (long)j * ldb + i, work[4 * m + i]);
    }
    free(work);
    return CUSPARSE_STATUS_SUCCESS;
}
#define TRIDIAGONAL(name, element, TYPE, has_pivots)                                               \
    cusparseStatus_t name##_bufferSizeExt(cusparseHandle_t handle, int m, int n,                   \
                                          const element *dl, const element *d, const element *du,  \
                                          const element *B, int ldb, size_t *bytes)                \
    {                                                                                              \
        (void)dl;                                                                                  \
        (void)d;                                                                                   \
        (void)du;                                                                                  \
        (void)B;                                                                                   \
        REQUIRE_VALUE(handle);                                                                     \
        REQUIRE_VALUE(m >= 3 && n >= 0 && ldb >= m && bytes);                                      \
        *bytes = BUFFER_BYTES;                                                                     \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t name(cusparseHandle_t handle, int m, int n, const element *dl,                \
                          const element *d, const element *du, element *B, int ldb, void *buffer)  \
    {                                                                                              \
        (void)buffer;                                                                              \
        return portable_cuda_tridiagonal_(__func__, handle, m, n, TYPE, dl, d, du, B, ldb,         \
                                          has_pivots);                                             \
    }
TRIDIAGONAL(cusparseSgtsv2, float, CUDA_R_32F, 1)
TRIDIAGONAL(cusparseDgtsv2, double, CUDA_R_64F, 1)
TRIDIAGONAL(cusparseSgtsv2_nopivot, float, CUDA_R_32F, 0)
TRIDIAGONAL(cusparseDgtsv2_nopivot, double, CUDA_R_64F, 0)

/* ---- incomplete factorisations, in the place of the matrix's own elements ---- */

/* What the calls keep of a matrix. */
struct factors {
    int zero_pivot; /* row, with the matrix's base, of the first pivot that is 0; -1: none */
    int is_analysed, boosts;
    double tolerance;
    struct number boost;
};
struct csrilu02Info {
    struct factors factors;
};
struct csric02Info {
    struct factors factors;
};

/* A matrix in CSR, with its values as numbers. diagonal: where that of a row is, or -1. */
struct rows {
    int64_t m, *offsets, *column, *diagonal, *place;
    struct number *value;
};
static void release_rows(struct rows *rows)
{
    free(rows->offsets);
    free(rows->column);
    free(rows->diagonal);
    free(rows->place);
    free(rows->value);
}
static int allocate_rows(struct rows *rows, int m, int nnz)
{
    const size_t n = (size_t)m + 1, elements = (size_t)nnz + 1;
    rows->m = m;
    rows->offsets = (int64_t *)malloc(n * sizeof(int64_t));
    rows->column = (int64_t *)malloc(elements * sizeof(int64_t));
    rows->diagonal = (int64_t *)malloc(n * sizeof(int64_t));
    rows->place = (int64_t *)malloc(n * sizeof(int64_t));
    rows->value = (struct number *)malloc(elements * sizeof(struct number));
    return rows->offsets && rows->column && rows->diagonal && rows->place && rows->value;
}
/* Columns must be in order. */
static cusparseStatus_t portable_cuda_read_rows_(const char *call, int nnz, int base,
                                                 cudaDataType type, const void *values,
                                                 const int *offsets, const int *columns,
                                                 struct rows *rows)
{
    rows->offsets[0] = get_index(INT, offsets, 0) - base;
    if (rows->offsets[0] != 0)
        return portable_cuda_bad_index_(call, "offset", 0, rows->offsets[0] + base);
    for (int64_t i = 0; i < rows->m; i++) {
        const int64_t begin = rows->offsets[i], end = get_index(INT, offsets, i + 1) - base;
        rows->diagonal[i] = rows->place[i] = -1;
        rows->offsets[i + 1] = end;
        if (end < begin || end > nnz || (i + 1 == rows->m && end != nnz))
            return portable_cuda_bad_index_(call, "offset", i + 1, end + base);
        for (int64_t k = begin; k < end; k++) {
            const int64_t column = get_index(INT, columns, k) - base;
            if (column < 0 || column >= rows->m)
                return portable_cuda_bad_index_(call, "column index", k, column + base);
            if (k > begin && column <= rows->column[k - 1]) {
                portable_cuda_fault_(PORTABLE_CUDA_OUT_OF_RANGE_,
                                     "%s: column index %lld is %lld, after %lld in its row", call,
                                     (long long)k, (long long)(column + base),
                                     (long long)(rows->column[k - 1] + base));
                return CUSPARSE_STATUS_EXECUTION_FAILED;
            }
            rows->column[k] = column;
            rows->value[k] = get(type, values, k);
            if (column == i)
                rows->diagonal[i] = k;
        }
    }
    return CUSPARSE_STATUS_SUCCESS;
}

static void note_zero(struct factors *factors, int64_t row, int base)
{
    if (factors->zero_pivot < 0)
        factors->zero_pivot = (int)row + base;
}
static double size_of_number(struct number x)
{
    return hypot(x.re, x.im);
}
/* L and U, whose rows are made one by one; L's diagonal is 1 and not kept. */
static void factor_lu(struct rows *a, struct factors *factors, int base)
{
    for (int64_t i = 0; i < a->m; i++) {
        for (int64_t k = a->offsets[i]; k < a->offsets[i + 1]; k++)
            a->place[a->column[k]] = k;
        for (int64_t k = a->offsets[i]; k < a->offsets[i + 1] && a->column[k] < i; k++) {
            const int64_t j = a->column[k], pivot = a->diagonal[j];
            if (pivot < 0)
                continue;
            a->value[k] = over(a->value[k], a->value[pivot]);
            for (int64_t l = pivot + 1; l < a->offsets[j + 1]; l++) {
                const int64_t at = a->place[a->column[l]];
                if (at >= 0)
                    a->value[at] = minus(a->value[at], times(a->value[k], a->value[l]));
            }
        }
        for (int64_t k = a->offsets[i]; k < a->offsets[i + 1]; k++)
            a->place[a->column[k]] = -1;
        if (a->diagonal[i] < 0) {
            note_zero(factors, i, base);
            continue;
        }
        struct number *const pivot = &a->value[a->diagonal[i]];
        if (factors->boosts && size_of_number(*pivot) <= factors->tolerance)
            *pivot = factors->boost;
        if (is_zero(*pivot))
            note_zero(factors, i, base);
    }
}
/* L of L times its conjugate transpose, in the lower triangle. */
static void factor_cholesky(struct rows *a, struct factors *factors, int base)
{
    for (int64_t i = 0; i < a->m; i++) {
        double squares = 0;
        for (int64_t k = a->offsets[i]; k < a->offsets[i + 1] && a->column[k] < i; k++) {
            const int64_t j = a->column[k];
            for (int64_t l = a->offsets[j]; l < a->offsets[j + 1] && a->column[l] < j; l++) {
                const int64_t at = a->place[a->column[l]];
                if (at >= 0)
                    a->value[k] =
                        minus(a->value[k], times(a->value[at], conjugate(a->value[l], 1)));
            }
            if (a->diagonal[j] >= 0)
                a->value[k] = over(a->value[k], a->value[a->diagonal[j]]);
            a->place[j] = k;
            squares += a->value[k].re * a->value[k].re + a->value[k].im * a->value[k].im;
        }
        for (int64_t k = a->offsets[i]; k < a->offsets[i + 1] && a->column[k] < i; k++)
            a->place[a->column[k]] = -1;
        if (a->diagonal[i] < 0) {
            note_zero(factors, i, base);
            continue;
        }
        struct number *const pivot = &a->value[a->diagonal[i]];
        const double rest = pivot->re - squares;
        if (!(rest > 0))
            note_zero(factors, i, base);
        pivot->re = sqrt(rest);
        pivot->im = 0;
    }
}

/* Both phases: the analysis looks for elements that are not there, and changes nothing. */
typedef void factor(struct rows *a, struct factors *factors, int base);
static cusparseStatus_t portable_cuda_factor_(const char *call, cusparseHandle_t handle, int m,
                                              int nnz, cusparseMatDescr_t descriptor,
                                              cudaDataType type, void *values, const int *offsets,
                                              const int *columns, struct factors *factors,
                                              cusparseSolvePolicy_t policy, factor *run)
{
    struct rows rows;
    BEGIN(handle);
    REQUIRE_VALUE(m >= 0 && nnz >= 0 && descriptor && factors &&
                  (unsigned)policy <= CUSPARSE_SOLVE_POLICY_USE_LEVEL);
    REQUIRE(descriptor->type == CUSPARSE_MATRIX_TYPE_GENERAL,
            CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    REQUIRE_VALUE(!run || factors->is_analysed);
    if (m == 0)
        return CUSPARSE_STATUS_SUCCESS;
    OPEN("offsets", offsets, (int64_t)m + 1, sizeof(int), READS);
    OPEN("column indices", columns, nnz, sizeof(int), READS);
    OPEN("values", values, nnz, bytes_of(type), run ? READS | WRITES : READS);
    cusparseStatus_t status =
        allocate_rows(&rows, m, nnz) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = portable_cuda_read_rows_(call, nnz, descriptor->base, type, values, offsets,
                                          columns, &rows);
    factors->zero_pivot = -1;
    if (status == CUSPARSE_STATUS_SUCCESS && run) {
        run(&rows, factors, descriptor->base);
        for (int64_t k = 0; k < nnz; k++)
            put(type, values, k, rows.value[k]);
    } else if (status == CUSPARSE_STATUS_SUCCESS) {
        for (int64_t i = 0; i < m; i++)
            if (rows.diagonal[i] < 0)
                note_zero(factors, i, descriptor->base);
        factors->is_analysed = 1;
    }
    release_rows(&rows);
    return status;
}

static cusparseStatus_t portable_cuda_zero_pivot_(const char *call, cusparseHandle_t handle,
                                                  const struct factors *factors, int *position)
{
    BEGIN(handle);
    REQUIRE_VALUE(factors && position);
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
        OPEN("position", position, 1, sizeof *position, WRITES);
    put_index(INT, position, 0, factors->zero_pivot);
    return factors->zero_pivot < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

#define FACTORS(name)                                                                              \
    cusparseStatus_t cusparseCreateCs##name##Info(cs##name##Info_t *info)                          \
    {                                                                                              \
        REQUIRE_VALUE(info);                                                                       \
        *info = (cs##name##Info_t)calloc(1, sizeof **info);                                        \
        REQUIRE(*info, CUSPARSE_STATUS_ALLOC_FAILED);                                              \
        (*info)->factors.zero_pivot = -1;                                                          \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparseDestroyCs##name##Info(cs##name##Info_t info)                          \
    {                                                                                              \
        free(info);                                                                                \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparseXcs##name##_zeroPivot(cusparseHandle_t handle, cs##name##Info_t info, \
                                                   int *position)                                  \
    {                                                                                              \
        return portable_cuda_zero_pivot_(__func__, handle, info ? &info->factors : NULL,           \
                                         position);                                                \
    }
FACTORS(rilu02)
FACTORS(ric02)

#define FACTOR_BYTES(letter, name, element, suffix, integer)                                       \
    cusparseStatus_t cusparse##letter##cs##name##_bufferSize##suffix(                              \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor,              \
        element *values, const int *offsets, const int *columns, cs##name##Info_t info,            \
        integer *bytes)                                                                            \
    {                                                                                              \
        (void)values;                                                                              \
        (void)offsets;                                                                             \
        (void)columns;                                                                             \
        REQUIRE_VALUE(handle &&m >= 0 && nnz >= 0 && descriptor && info && bytes);                 \
        *bytes = BUFFER_BYTES;                                                                     \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }

#define FACTORISATION(letter, name, element, TYPE, run)                                            \
    FACTOR_BYTES(letter, name, element, , int)                                                     \
    FACTOR_BYTES(letter, name, element, Ext, size_t)                                               \
    cusparseStatus_t cusparse##letter##cs##name##_analysis(                                        \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor,              \
        const element *values, const int *offsets, const int *columns, cs##name##Info_t info,      \
        cusparseSolvePolicy_t policy, void *buffer)                                                \
    {                                                                                              \
        (void)buffer;                                                                              \
        return portable_cuda_factor_(__func__, handle, m, nnz, descriptor, TYPE,                   \
                                     without_const(values), offsets, columns,                      \
                                     info ? &info->factors : NULL, policy, NULL);                  \
    }                                                                                              \
    cusparseStatus_t cusparse##letter##cs##name(                                                   \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor,              \
        element *values, const int *offsets, const int *columns, cs##name##Info_t info,            \
        cusparseSolvePolicy_t policy, void *buffer)                                                \
    {                                                                                              \
        (void)buffer;                                                                              \
        return portable_cuda_factor_(__func__, handle, m, nnz, descriptor, TYPE, values, offsets,  \
                                     columns, info ? &info->factors : NULL, policy, run);          \
    }
#define BOOST(letter, element, TYPE)                                                               \
    cusparseStatus_t cusparse##letter##csrilu02_numericBoost(cusparseHandle_t handle,              \
                                                             csrilu02Info_t info, int enable,      \
                                                             double *tolerance, element *boost)    \
    {                                                                                              \
        const char *const call = __func__;                                                         \
        BEGIN(handle);                                                                             \
        REQUIRE_VALUE(info);                                                                       \
        info->factors.boosts = enable;                                                             \
        if (enable) {                                                                              \
            SCALAR(CUDA_R_64F, tolerance);                                                         \
            SCALAR(TYPE, boost);                                                                   \
            info->factors.tolerance = tolerance_value.re;                                          \
            info->factors.boost = boost_value;                                                     \
        }                                                                                          \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }
#define FACTORISATIONS(letter, element, TYPE)                                                      \
    FACTORISATION(letter, rilu02, element, TYPE, factor_lu)                                        \
    FACTORISATION(letter, ric02, element, TYPE, factor_cholesky)                                   \
    BOOST(letter, element, TYPE)
FACTORISATIONS(S, float, CUDA_R_32F)
FACTORISATIONS(D, double, CUDA_R_64F)
FACTORISATIONS(C, cuComplex, CUDA_C_32F)
FACTORISATIONS(Z, cuDoubleComplex, CUDA_C_64F)
