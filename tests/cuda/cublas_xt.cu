/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lcublas
/* cublasXt: products and systems on matrices of the host, one on the device, against loops; what is
 * refused. */
#include <cublasXt.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

enum { N = 7, M = 5, K = 6, LD = 9 };
typedef std::vector<double> Matrix; /* columns of LD elements */

static Matrix matrix(int seed)
{
    Matrix x(LD * LD);
    for (int i = 0; i < LD * LD; i++)
        x[(size_t)i] = ((i * 37 + seed * 11) % 19 - 9) / 8.0;
    return x;
}
static double at(const Matrix &x, int i, int j, bool is_transposed = false)
{
    return x[(size_t)(is_transposed ? j + i * LD : i + j * LD)];
}
static void judge(const char *what, const Matrix &got, const Matrix &want, int status)
{
    double worst = 0;
    for (size_t i = 0; i < got.size(); i++)
        worst = std::fmax(worst, std::fabs(got[i] - want[i]));
    printf("%-12s status %d, %s\n", what, status, worst < 1e-9 ? "ok" : "wrong");
}

static void products(cublasXtHandle_t handle)
{
    const double alpha = 1.5, beta = -.5;
    for (int a_transposed = 0; a_transposed < 2; a_transposed++)
        for (int b_transposed = 0; b_transposed < 2; b_transposed++) {
            const Matrix a = matrix(1), b = matrix(2);
            Matrix c = matrix(3), want = c;
            for (int j = 0; j < N; j++)
                for (int i = 0; i < M; i++) {
                    double sum = 0;
                    for (int k = 0; k < K; k++)
                        sum += at(a, i, k, a_transposed) * at(b, k, j, b_transposed);
                    want[(size_t)(i + j * LD)] = alpha * sum + beta * at(c, i, j);
                }
            const int status =
                cublasXtDgemm(handle, a_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                              b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, M, N, K, &alpha, a.data(),
                              LD, b.data(), LD, &beta, c.data(), LD);
            judge("gemm", c, want, status);
        }
}

/* The upper triangle of C, and a product with a symmetric matrix of which the lower one is read. */
static void symmetric(cublasXtHandle_t handle)
{
    const double alpha = 1.5, beta = -.5;
    const Matrix a = matrix(4), b = matrix(5);
    Matrix c = matrix(6), want = c;
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= j; i++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += at(a, i, k) * at(a, j, k);
            want[(size_t)(i + j * LD)] = alpha * sum + beta * at(c, i, j);
        }
    int status = cublasXtDsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, N, K, &alpha, a.data(),
                               LD, &beta, c.data(), LD);
    judge("syrk", c, want, status);
    c = want = matrix(6);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double sum = 0;
            for (int k = 0; k < M; k++)
                sum += (k <= i ? at(a, i, k) : at(a, k, i)) * at(b, k, j);
            want[(size_t)(i + j * LD)] = alpha * sum + beta * at(c, i, j);
        }
    status = cublasXtDsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, M, N, &alpha, a.data(),
                           LD, b.data(), LD, &beta, c.data(), LD);
    judge("symm", c, want, status);
}

/* B is on the device. */
static void triangular(cublasXtHandle_t handle)
{
    const double alpha = 2;
    Matrix a = matrix(7);
    const Matrix b = matrix(8);
    Matrix x(b.size());
    for (int i = 0; i < LD; i++)
        a[(size_t)(i + i * LD)] = 4 + i;
    double *device;
    cudaMalloc(&device, b.size() * sizeof(double));
    cudaMemcpy(device, b.data(), b.size() * sizeof(double), cudaMemcpyHostToDevice);
    const int status = cublasXtDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                                     CUBLAS_DIAG_NON_UNIT, M, N, &alpha, a.data(), LD, device, LD);
    cudaMemcpy(x.data(), device, x.size() * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(device);
    Matrix product = x, want = b;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double sum = 0;
            for (int k = 0; k <= i; k++)
                sum += at(a, i, k) * at(x, k, j);
            product[(size_t)(i + j * LD)] = sum;
            want[(size_t)(i + j * LD)] = alpha * at(b, i, j);
        }
    judge("trsm", product, want, status);
}

int main()
{
    cublasXtHandle_t handle;
    int devices[1] = {0}, block = 0;
    printf("create %d\n", cublasXtCreate(&handle));
    printf("select %d\n", cublasXtDeviceSelect(handle, 1, devices));
    printf("block %d", cublasXtSetBlockDim(handle, 64));
    printf(" %d", cublasXtGetBlockDim(handle, &block));
    printf(" %d\n", block);
    products(handle);
    symmetric(handle);
    triangular(handle);
    printf("block of 0: %d\n", cublasXtSetBlockDim(handle, 0));
    printf("destroy %d\n", cublasXtDestroy(handle));
    return 0;
}
