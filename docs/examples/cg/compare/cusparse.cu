/* SPDX-License-Identifier: 0BSD */
/* The same iteration by cuSPARSE and cuBLAS, for Poisson's equation: microseconds per iteration.
 *     nvcc -O3 -std=c++17 -arch=native compare/cusparse.cu -lcusparse -lcublas -o cusparse
 *     ./cusparse 101          in double precision; with -DSINGLE in single
 * Scalars stay on the device, as in cg, so that the host never waits. */
#include <cublas_v2.h>
#include <cusparse.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifdef SINGLE
typedef float real;
#define CUDA_REAL CUDA_R_32F
#define DOT cublasSdot
#define AXPY cublasSaxpy
#define SCAL cublasSscal
#define DIAGONAL cublasSdgmm
#else
typedef double real;
#define CUDA_REAL CUDA_R_64F
#define DOT cublasDdot
#define AXPY cublasDaxpy
#define SCAL cublasDscal
#define DIAGONAL cublasDdgmm
#endif

static void require(int failed, const char *what)
{
    if (failed) {
        std::fprintf(stderr, "cusparse: %s failed with status %d\n", what, failed);
        std::exit(1);
    }
}
#define REQUIRE(call) require((int)(call), #call)

enum { PQ, RZ, NEXT_RZ, RR, ALPHA, MINUS, BETA, ONE, SCALARS };

__global__ void divide(real *s, int alpha)
{
    if (alpha) {
        s[ALPHA] = s[RZ] / s[PQ];
        s[MINUS] = -s[ALPHA];
    } else {
        s[BETA] = s[NEXT_RZ] / s[RZ];
        s[RZ] = s[NEXT_RZ];
    }
}

template <typename T> static T *upload(const std::vector<T> &host)
{
    T *device;

    REQUIRE(cudaMalloc(&device, host.size() * sizeof(T)));
    REQUIRE(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 101, rows = n * n * n, iterations = 100;
    std::vector<int> row_offsets(1, 0), columns;
    std::vector<real> values, ones(rows, 1), sixths(rows, (real)(1.0 / 6)), scalars(SCALARS, 1);

    for (int row = 0; row < rows; row++) {
        const int at[3] = {row / (n * n), row / n % n, row % n}, stride[3] = {n * n, n, 1};

        for (int axis = 0; axis < 3; axis++)
            if (at[axis] > 0)
                columns.push_back(row - stride[axis]), values.push_back(-1);
        columns.push_back(row), values.push_back(6);
        for (int axis = 2; axis >= 0; axis--)
            if (at[axis] < n - 1)
                columns.push_back(row + stride[axis]), values.push_back(-1);
        row_offsets.push_back((int)columns.size());
    }
    int *const offsets = upload(row_offsets), *const indices = upload(columns);
    real *const entries = upload(values), *const inverse = upload(sixths),
                *const s = upload(scalars);
    real *const x = upload(ones), *const r = upload(ones), *const z = upload(ones);
    real *const p = upload(ones), *const q = upload(ones);
    cublasHandle_t blas;
    cusparseHandle_t sparse;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t from, to;
    size_t bytes;
    void *work;

    REQUIRE(cublasCreate(&blas));
    REQUIRE(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    REQUIRE(cusparseCreate(&sparse));
    REQUIRE(cusparseSetPointerMode(sparse, CUSPARSE_POINTER_MODE_DEVICE));
    REQUIRE(cusparseCreateCsr(&a, rows, rows, (int64_t)columns.size(), offsets, indices, entries,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                              CUDA_REAL));
    REQUIRE(cusparseCreateDnVec(&from, rows, p, CUDA_REAL));
    REQUIRE(cusparseCreateDnVec(&to, rows, q, CUDA_REAL));
    real *zero;
    REQUIRE(cudaMalloc(&zero, sizeof *zero));
    REQUIRE(cudaMemset(zero, 0, sizeof *zero));
    REQUIRE(cusparseSpMV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, s + ONE, a, from,
                                    zero, to, CUDA_REAL, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    REQUIRE(cudaMalloc(&work, bytes + 1));
    REQUIRE(cusparseSpMV_preprocess(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, s + ONE, a, from,
                                    zero, to, CUDA_REAL, CUSPARSE_SPMV_ALG_DEFAULT, work));
    std::vector<float> times;
    for (int repeat = 0; repeat < 11; repeat++) {
        cudaEvent_t start, stop;
        float milliseconds;

        REQUIRE(cudaMemcpy(s, scalars.data(), SCALARS * sizeof *s, cudaMemcpyHostToDevice));
        REQUIRE(cudaMemcpy(r, ones.data(), (size_t)rows * sizeof *r, cudaMemcpyHostToDevice));
        REQUIRE(cudaMemset(p, 0, (size_t)rows * sizeof *p));
        REQUIRE(cudaEventCreate(&start));
        REQUIRE(cudaEventCreate(&stop));
        REQUIRE(cudaEventRecord(start));
        for (int k = 0; k < iterations; k++) {
            REQUIRE(DIAGONAL(blas, CUBLAS_SIDE_LEFT, rows, 1, r, rows, inverse, 1, z, rows));
            REQUIRE(DOT(blas, rows, r, 1, z, 1, s + NEXT_RZ));
            REQUIRE(DOT(blas, rows, r, 1, r, 1, s + RR));
            divide<<<1, 1>>>(s, 0);
            REQUIRE(SCAL(blas, rows, s + BETA, p, 1));
            REQUIRE(AXPY(blas, rows, s + ONE, z, 1, p, 1));
            REQUIRE(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, s + ONE, a, from, zero,
                                 to, CUDA_REAL, CUSPARSE_SPMV_ALG_DEFAULT, work));
            REQUIRE(DOT(blas, rows, p, 1, q, 1, s + PQ));
            divide<<<1, 1>>>(s, 1);
            REQUIRE(AXPY(blas, rows, s + ALPHA, p, 1, x, 1));
            REQUIRE(AXPY(blas, rows, s + MINUS, q, 1, r, 1));
        }
        REQUIRE(cudaEventRecord(stop));
        REQUIRE(cudaEventSynchronize(stop));
        REQUIRE(cudaEventElapsedTime(&milliseconds, start, stop));
        times.push_back(milliseconds * 1000 / iterations);
    }
    std::sort(times.begin(), times.end());
    REQUIRE(cudaMemcpy(scalars.data(), s, SCALARS * sizeof *s, cudaMemcpyDeviceToHost));
    std::printf("cuSPARSE and cuBLAS, %s, %d^3: %.1f us per iteration; r . r = %.3g\n",
                sizeof(real) == sizeof(double) ? "double" : "single", n, times[times.size() / 2],
                (double)scalars[RR]);
    return 0;
}
