/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/peers/peer.h"

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
#define LINE {{256, 1, 1}, {0, 0, 0}}
#define PLANE {{32, 8, 1}, {0, 0, 0}}
#define LINE_SIZES {1, 31, 33, 1000, 65537, -1}
#define PLANE_SIZES {1, 16, 33, 100, -1}

static const struct gallery_case cases[] = {
    {"vector", "cublas:saxpy", "axpy", LIBRARY_ORDER, LINE, LINE_SIZES, 1 << 24, NULL,
     prepare_saxpy, launch_axpy, reference_saxpy, NULL},
    {"reduce", "cublas:sum", "asum", LIBRARY_ORDER, LINE, LINE_SIZES, 1 << 24, NULL,
     prepare_sum_atomic, launch_asum, reference_asum, NULL},
    {"matmul", "cublas:matmul", "gemm", LIBRARY_ORDER, PLANE, PLANE_SIZES, 512, NULL,
     prepare_matmul_naive, launch_gemm, reference_matmul_naive, NULL},
    {"tensor", "cublas:matmul_tensor", "gemm of halves, summed as floats", LIBRARY_ORDER,
     {{128, 1, 1}, {0, 0, 0}}, PLANE_SIZES, 512, NULL, prepare_matmul_tensor, launch_half_gemm,
     reference_matmul_tensor, NULL},
};
/* clang-format on */
GALLERY_CASES(cases)
