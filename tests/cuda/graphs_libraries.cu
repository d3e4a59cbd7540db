// SPDX-License-Identifier: BSD-3-Clause
// Calls of cuBLAS and cuSPARSE in captured streams, on small integers, whose sums are exact.
// link: -lcusparse
#include <cstdio>
#include <vector>
#include <cublas_v2.h>
#include <cusparse.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const int status_ = (int)(call);                                                           \
        if (status_ != 0)                                                                          \
            printf("line %d: %d\n", __LINE__, status_);                                            \
    } while (0)

enum { N = 4 };

static std::vector<void *> arrays; // to free at the end

template <class T> static T *device(const T *from, int count)
{
    T *memory;
    CHECK(cudaMalloc(&memory, count * sizeof(T)));
    arrays.push_back(memory);
    CHECK(cudaMemcpy(memory, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}
template <class T> static void show(const char *what, const T *memory, int count)
{
    T host[N * N];
    CHECK(cudaMemcpy(host, memory, count * sizeof(T), cudaMemcpyDeviceToHost));
    printf("%s:", what);
    for (int i = 0; i < count; i++)
        printf(" %g", (double)host[i]);
    printf("\n");
}
static cudaGraphExec_t end_capture(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return executable;
}
static void launch(cudaGraphExec_t executable, cudaStream_t stream)
{
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
}

// Numbers of the host are those at the capture, numbers of the device those at the launch.
static void vectors(cublasHandle_t handle, cudaStream_t stream)
{
    const float ones[N] = {1, 1, 1, 1}, steps[N] = {1, 2, 3, 4}, two = 2;
    float *const x = device(steps, N), *const y = device(ones, N), *const factor = device(&two, 1);
    float *const result = device(ones, 1), alpha = 10;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cublasSaxpy_v2(handle, N, &alpha, x, 1, y, 1));
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CHECK(cublasSscal(handle, N, factor, x, 1));
    CHECK(cublasSdot(handle, N, x, 1, y, 1, result));
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    const cudaGraphExec_t executable = end_capture(stream);
    alpha = 1000;
    show("captured", y, N);
    for (int i = 0; i < 2; i++) {
        launch(executable, stream);
        show("y", y, N);
        show("x y", result, 1);
    }
    const float three = 3;
    CHECK(cudaMemcpy(factor, &three, sizeof three, cudaMemcpyHostToDevice));
    launch(executable, stream);
    show("x", x, N);
    CHECK(cudaGraphExecDestroy(executable));
}

static void matrices(cublasHandle_t handle, cudaStream_t stream)
{
    double a[N * N], b[N * N], zeros[N * N] = {};
    for (int i = 0; i < N * N; i++) {
        a[i] = i % 3 - 1;
        b[i] = i % 5 - 2;
    }
    double *const A = device(a, N * N), *const B = device(b, N * N),
                  *const C = device(zeros, N * N);
    double *const y = device(zeros, N);
    double alpha = 1, beta = 1;
    cuDoubleComplex z[2] = {{1, 2}, {3, -1}}, factor = {0, 1};
    cuDoubleComplex *const Z = device(z, 2);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(
        cublasDgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_T, N, N, N, &alpha, A, N, B, N, &beta, C, N));
    CHECK(cublasDgemv(handle, CUBLAS_OP_N, N, N, &alpha, C, N, A, 1, &beta, y, 1));
    CHECK(cublasDsymv(handle, CUBLAS_FILL_MODE_LOWER, N, &alpha, A, N, B, 1, &beta, y, 1));
    CHECK(cublasZscal(handle, 2, &factor, Z, 1));
    alpha = beta = 0;
    factor.y = 0;
    const cudaGraphExec_t executable = end_capture(stream);
    launch(executable, stream);
    launch(executable, stream);
    show("C", C, N * N);
    show("y", y, N);
    show("z", (const double *)Z, 4);
    CHECK(cudaGraphExecDestroy(executable));
}

// The descriptors may go after the capture.
static void products(cudaStream_t stream)
{
    const int offsets[N + 1] = {0, 2, 3, 5, 6}, columns[] = {0, 3, 1, 0, 2, 3};
    const float values[] = {2, 1, 3, -1, 4, 5}, steps[N] = {1, 2, 3, 4}, zeros[N] = {};
    int *const rows = device(offsets, N + 1), *const places = device(columns, 6);
    float *const A = device(values, 6), *const x = device(steps, N), *const y = device(zeros, N);
    float alpha = 2, beta = 1;
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t in, out;
    void *buffer;
    size_t bytes = 0;
    CHECK(cusparseCreate(&handle));
    CHECK(cusparseSetStream(handle, stream));
    CHECK(cusparseCreateCsr(&matrix, N, N, 6, rows, places, A, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    CHECK(cusparseCreateDnVec(&in, N, x, CUDA_R_32F));
    CHECK(cusparseCreateDnVec(&out, N, y, CUDA_R_32F));
    CHECK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, in,
                                  &beta, out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    CHECK(cudaMalloc(&buffer, bytes + 1));
    arrays.push_back(buffer);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, in, &beta, out,
                       CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
    alpha = 0;
    const cudaGraphExec_t executable = end_capture(stream);
    CHECK(cusparseDestroyDnVec(in));
    CHECK(cusparseDestroyDnVec(out));
    CHECK(cusparseDestroySpMat(matrix));
    for (int i = 0; i < 2; i++) {
        launch(executable, stream);
        show("A x", y, N);
    }
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cusparseDestroy(handle));
}

int main()
{
    cublasHandle_t handle;
    cudaStream_t stream;
    CHECK(cublasCreate(&handle));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cublasSetStream(handle, stream));
    vectors(handle, stream);
    matrices(handle, stream);
    products(stream);
    CHECK(cublasDestroy(handle));
    CHECK(cudaStreamDestroy(stream));
    for (void *const array : arrays)
        CHECK(cudaFree(array));
    return 0;
}
