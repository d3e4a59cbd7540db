/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/bench/peers/peer.h"

#include <cusparse.h>

#include <string.h> /* strchr */

static portable_status from_cusparse(cusparseStatus_t status, const char *call)
{
    if (status == CUSPARSE_STATUS_SUCCESS)
        return PORTABLE_SUCCESS;
    return portable_fail_(PORTABLE_ERROR_DEVICE, "%s: %s", call, cusparseGetErrorString(status));
}

/* cuSPARSE's descriptors of the run's matrix and vectors; those of the last run are freed. */
static cusparseHandle_t handle;
static cusparseSpMatDescr_t matrix;
static cusparseDnVecDescr_t x, y;

static const cudaDataType type = sizeof(REAL) == sizeof(double) ? CUDA_R_64F : CUDA_R_32F;
static const REAL one = 1, zero = 0;

static portable_status describe(struct run *run)
{
    const int entries = HOST_INTS("row_offsets")[run->rows];
    portable_status status = PORTABLE_SUCCESS;

    if (matrix) {
        cusparseDestroySpMat(matrix);
        cusparseDestroyDnVec(x);
        cusparseDestroyDnVec(y);
        matrix = NULL;
    }
    if (!handle)
        status = from_cusparse(cusparseCreate(&handle), "cusparseCreate");
    if (status == PORTABLE_SUCCESS)
        status = from_cusparse(cusparseCreateDnVec(&x, run->columns, DEVICE_REALS("x"), type),
                               "cusparseCreateDnVec");
    if (status == PORTABLE_SUCCESS)
        status = from_cusparse(cusparseCreateDnVec(&y, run->rows, DEVICE_REALS("y"), type),
                               "cusparseCreateDnVec");
    if (status == PORTABLE_SUCCESS)
        status = from_cusparse(
            cusparseCreateCsr(&matrix, run->rows, run->columns, entries, DEVICE_INTS("row_offsets"),
                              DEVICE_INTS("column_indices"), DEVICE_REALS("values"),
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                              type),
            "cusparseCreateCsr");
    return status;
}

static int prepare(struct run *run, struct io_error *error)
{
    size_t bytes = 0;
    portable_status status;

    if (peer_prepare(strchr(run->test_case->name, ':') + 1, run, error) != 0)
        return IO_BAD;
    status = describe(run);
    if (status == PORTABLE_SUCCESS)
        status = from_cusparse(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                       &one, matrix, x, &zero, y, type,
                                                       CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
                               "cusparseSpMV_bufferSize");
    if (status != PORTABLE_SUCCESS)
        return io_fail(error, "case %s: %s", run->test_case->name, portable_last_message());
    run_scratch_array(run, "buffer", ARRAY_UINT8, bytes > 0 ? bytes : 1);
    return run_ready(run, error);
}

static portable_status launch(struct run *run)
{
    return from_cusparse(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x,
                                      &zero, y, type, CUSPARSE_SPMV_ALG_DEFAULT,
                                      DEVICE_BYTES("buffer")),
                         "cusparseSpMV");
}

PEER_REFERENCE(csr_spmv)

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "sparse", .name = "cusparse:csr_spmv", .summary = "SpMV", .problem = "csr_spmv",
     .policy = CASE_ABSREL(1e-4, 0, "the library's order of additions"),
     .blocks = {{256}}, .sizes = {31, 33, 1000, 65537}, .timing_n = 1000000,
     .extension = ".mtx",
     .prepare = prepare, .launch = launch, .reference = reference_csr_spmv},
    {.family = "sparse", .name = "cusparse:laplacian", .summary = "SpMV of a five-point Laplacian",
     .problem = "laplacian", .policy = CASE_ABSREL(1e-4, 0, "the library's order of additions"),
     .blocks = {{256}}, .sizes = {31, 33, 1000, 65537}, .timing_n = 1 << 20,
     .prepare = prepare, .launch = launch, .reference = reference_csr_spmv},
};
/* clang-format on */
GALLERY_CASES(cases)
