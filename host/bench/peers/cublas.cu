/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/bench/peers/peer.h"

#include <cublas_v2.h>
#include <math.h> /* fabs */

static portable_status from_cublas(cublasStatus_t status, const char *call)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return PORTABLE_SUCCESS;
    return portable_fail_(PORTABLE_ERROR_DEVICE, "%s: %s", call, cublasGetStatusString(status));
}

/* One for the program, which keeps it: NULL after a failure. Scalars are on the host. */
static cublasHandle_t handle(void)
{
    static cublasHandle_t handle;

    if (!handle && from_cublas(cublasCreate(&handle), "cublasCreate") != PORTABLE_SUCCESS)
        handle = NULL;
    return handle;
}

/* The routines by the type of REAL: a build uses one of each. */
[[maybe_unused]] static cublasStatus_t axpy(int n, const float *a, const float *x, float *y)
{
    return cublasSaxpy(handle(), n, a, x, 1, y, 1);
}

[[maybe_unused]] static cublasStatus_t axpy(int n, const double *a, const double *x, double *y)
{
    return cublasDaxpy(handle(), n, a, x, 1, y, 1);
}

[[maybe_unused]] static cublasStatus_t asum(int n, const float *x, float *sum)
{
    return cublasSasum(handle(), n, x, 1, sum);
}

[[maybe_unused]] static cublasStatus_t asum(int n, const double *x, double *sum)
{
    return cublasDasum(handle(), n, x, 1, sum);
}

/* cuBLAS has its matrices by columns, where ours are their transposes: C' = B' A'. */
[[maybe_unused]] static cublasStatus_t gemm(const struct run *run, const float *a, const float *b,
                                            float *c)
{
    const float one = 1, zero = 0;

    return cublasSgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, run->columns, run->rows, run->depth,
                       &one, b, run->columns, a, run->depth, &zero, c, run->columns);
}

[[maybe_unused]] static cublasStatus_t gemm(const struct run *run, const double *a, const double *b,
                                            double *c)
{
    const double one = 1, zero = 0;

    return cublasDgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, run->columns, run->rows, run->depth,
                       &one, b, run->columns, a, run->depth, &zero, c, run->columns);
}

PEER_OF(saxpy)
PEER_REFERENCE(saxpy)
PEER_OF(sum_atomic)
PEER_OF(matmul_naive)
PEER_REFERENCE(matmul_naive)
PEER_OF(matmul_tensor)
PEER_REFERENCE(matmul_tensor)

/* The a of host/cases/vector.c. */
static const REAL factor = (REAL)1.75;

static portable_status launch_axpy(struct run *run)
{
    return from_cublas(axpy(run->n, &factor, DEVICE_REALS("x"), DEVICE_REALS("y")), "cublas axpy");
}

/* The sum of the magnitudes is the nearest that cuBLAS has to a sum; the result stays on the
 * device, so that the call does not wait for it. */
static portable_status launch_asum(struct run *run)
{
    portable_status status =
        from_cublas(cublasSetPointerMode(handle(), CUBLAS_POINTER_MODE_DEVICE), "cublas mode");

    if (status == PORTABLE_SUCCESS)
        status = from_cublas(asum(run->n, DEVICE_REALS("x"), DEVICE_REALS("total")), "cublas asum");
    if (status == PORTABLE_SUCCESS)
        status =
            from_cublas(cublasSetPointerMode(handle(), CUBLAS_POINTER_MODE_HOST), "cublas mode");
    return status;
}

/* Of multiples of 1/64, whose sums are exact. */
static void reference_asum(struct run *run)
{
    const REAL *x = HOST_REALS("x");
    double sum = 0;

    for (int i = 0; i < run->n; i++)
        sum += fabs((double)x[i]);
    run_expect(run, "total", 0, sum, 0);
}

static portable_status launch_gemm(struct run *run)
{
    return from_cublas(gemm(run, DEVICE_REALS("a"), DEVICE_REALS("b"), DEVICE_REALS("c")),
                       "cublas gemm");
}

static portable_status launch_half_gemm(struct run *run)
{
    const float one = 1, zero = 0;

    return from_cublas(cublasGemmEx(handle(), CUBLAS_OP_N, CUBLAS_OP_N, run->columns, run->rows,
                                    run->depth, &one, run_device(run, "b"), CUDA_R_16F,
                                    run->columns, run_device(run, "a"), CUDA_R_16F, run->depth,
                                    &zero, run_device(run, "c"), CUDA_R_32F, run->columns,
                                    CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                       "cublasGemmEx");
}

/* clang-format off */
#define LIBRARY_ORDER CASE_ABSREL(1e-3, 0, "the library's order of additions")
#define LINE {{256}}
#define PLANE {{32, 8}}
#define LINE_SIZES {1, 31, 33, 1000, 65537}
#define PLANE_SIZES {1, 16, 33, 100}

static const struct gallery_case cases[] = {
    {.family = "vector", .name = "cublas:saxpy", .summary = "axpy", .problem = "saxpy",
     .policy = LIBRARY_ORDER, .blocks = LINE, .sizes = LINE_SIZES, .timing_n = 1 << 24,
     .prepare = prepare_saxpy, .launch = launch_axpy, .reference = reference_saxpy},
    {.family = "reduce", .name = "cublas:sum", .summary = "asum", .problem = "sum",
     .policy = LIBRARY_ORDER, .blocks = LINE, .sizes = LINE_SIZES, .timing_n = 1 << 24,
     .prepare = prepare_sum_atomic, .launch = launch_asum, .reference = reference_asum},
    {.family = "matmul", .name = "cublas:matmul", .summary = "gemm", .problem = "matmul",
     .policy = LIBRARY_ORDER,
     .blocks = PLANE, .sizes = PLANE_SIZES, .timing_n = 512, .counts = CASE_EDGE,
     .prepare = prepare_matmul_naive, .launch = launch_gemm, .reference = reference_matmul_naive},
    {.family = "tensor", .name = "cublas:matmul_tensor",
     .summary = "gemm of halves, summed as floats", .problem = "matmul_half",
     .policy = LIBRARY_ORDER,
     .blocks = {{128}}, .sizes = PLANE_SIZES, .timing_n = 512, .counts = CASE_EDGE,
     .prepare = prepare_matmul_tensor, .launch = launch_half_gemm,
     .reference = reference_matmul_tensor},
};
/* clang-format on */
GALLERY_CASES(cases)
