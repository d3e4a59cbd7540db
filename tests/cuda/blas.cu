// SPDX-License-Identifier: BSD-3-Clause
// cuBLAS and cuBLASLt on small integers, whose sums are exact in any order.
#include <cstdio>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const int status_ = (int)(call);                                                           \
        if (status_ != 0)                                                                          \
            printf("line %d: %d\n", __LINE__, status_);                                            \
    } while (0)

static float small(int i)
{
    return (float)(i * 7 % 11 - 5);
}
template <class T> static T *device(int count, bool is_zero = false)
{
    T *memory, *host = new T[count];
    for (int i = 0; i < count; i++)
        host[i] = T(is_zero ? 0.0f : small(i));
    CHECK(cudaMalloc(&memory, count * sizeof(T)));
    CHECK(cudaMemcpy(memory, host, count * sizeof(T), cudaMemcpyHostToDevice));
    delete[] host;
    return memory;
}
template <class T> static void show(const char *what, const T *memory, int count)
{
    T *host = new T[count];
    CHECK(cudaMemcpy(host, memory, count * sizeof(T), cudaMemcpyDeviceToHost));
    printf("%s:", what);
    for (int i = 0; i < count; i++)
        printf(" %g", (double)(float)host[i]);
    printf("\n");
    delete[] host;
}

static void vectors(cublasHandle_t blas)
{
    float *x = device<float>(12), *y = device<float>(12), *sum = device<float>(1, true);
    const float two = 2;
    float result = 0;
    int index = 0;
    CHECK(cublasSaxpy(blas, 4, &two, x, 2, y, -1));
    show("axpy", y, 12);
    CHECK(cublasSscal(blas, 6, &two, y, 2));
    show("scal", y, 12);
    CHECK(cublasSdot(blas, 12, x, 1, y, 1, &result));
    printf("dot: %g\n", result);
    CHECK(cublasSasum(blas, 12, x, 1, &result));
    printf("asum: %g\n", result);
    CHECK(cublasIsamax(blas, 12, y, 1, &index));
    printf("amax: %d\n", index);
    CHECK(cublasIsamin(blas, 12, x, 1, &index));
    printf("amin: %d\n", index);
    CHECK(cublasSswap(blas, 3, x, 1, y, 4));
    CHECK(cublasScopy(blas, 3, x, 1, x + 6, 1));
    show("x", x, 12);
    show("y", y, 12);
    const float hypotenuse[2] = {3, 4};
    CHECK(cublasSetVector(2, sizeof(float), hypotenuse, 1, x, 1));
    CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    CHECK(cublasSnrm2(blas, 2, x, 1, sum));
    CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
    show("nrm2", sum, 1);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(sum));
}

static void matrices(cublasHandle_t blas)
{
    enum { M = 3, N = 2, K = 4 };
    const double one = 1, two = 2;
    double *a = device<double>(M * K), *b = device<double>(K * N), *c = device<double>(M * N);
    double *x = device<double>(K), *y = device<double>(M);
    CHECK(cublasDgemv(blas, CUBLAS_OP_N, M, K, &two, a, M, x, 1, &one, y, 1));
    show("gemv", y, M);
    CHECK(cublasDgemv(blas, CUBLAS_OP_T, M, K, &one, a, M, y, 1, &two, x, 1));
    show("gemv T", x, K);
    CHECK(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &two, a, M, b, K, &one, c, M));
    show("gemm", c, M * N);
    CHECK(cublasDgemm(blas, CUBLAS_OP_T, CUBLAS_OP_T, M, N, K, &one, a, K, b, N, &two, c, M));
    show("gemm TT", c, M * N);
    CHECK(cublasDger(blas, M, N, &one, y, 1, x, 2, c, M));
    show("ger", c, M * N);
    CHECK(cublasDgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, N, M, &one, c, M, &two, a, N, b, N));
    show("geam", b, M * N);
    const double triangle[4] = {1, 3, 0, 2}, right[4] = {2, 10, 4, 20};
    CHECK(cublasSetMatrix(2, 2, sizeof(double), triangle, 2, a, 2));
    CHECK(cublasSetMatrix(2, 2, sizeof(double), right, 2, b, 2));
    CHECK(cublasDtrsm(blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                      CUBLAS_DIAG_NON_UNIT, 2, 2, &two, a, 2, b, 2));
    show("trsm", b, 4);
    CHECK(cublasDtrsm(blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                      CUBLAS_DIAG_UNIT, 2, 2, &one, a, 2, b, 2));
    show("trsm right", b, 4);
    double back[4];
    CHECK(cublasGetMatrix(2, 2, sizeof(double), b, 2, back, 2));
    printf("back: %g %g %g %g\n", back[0], back[1], back[2], back[3]);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
}

template <class T> static void batches(cublasHandle_t blas, const char *name, cudaDataType type)
{
    enum { SIZE = 8, COUNT = 3, ALL = SIZE * SIZE * COUNT };
    const float one = 1, zero = 0;
    T *a = device<T>(ALL), *b = device<T>(ALL), *c = device<T>(ALL, true);
    printf("%s\n", name);
    CHECK(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_T, SIZE, SIZE, SIZE, &one, a, type, SIZE, b,
                       type, SIZE, &zero, c, type, SIZE, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    show("one", c, SIZE);
    CHECK(cublasGemmStridedBatchedEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, SIZE, SIZE, SIZE, &one, a,
                                     type, SIZE, SIZE * SIZE, b, type, SIZE, SIZE * SIZE, &one, c,
                                     type, SIZE, SIZE * SIZE, COUNT, CUBLAS_COMPUTE_32F,
                                     CUBLAS_GEMM_DEFAULT));
    show("strided", c + 2 * SIZE * SIZE, SIZE);
    const void *list[3][COUNT];
    void **lists;
    for (int i = 0; i < COUNT; i++) {
        list[0][i] = a + (COUNT - 1 - i) * SIZE * SIZE;
        list[1][i] = b + i * SIZE * SIZE;
        list[2][i] = c + i * SIZE * SIZE;
    }
    CHECK(cudaMalloc(&lists, sizeof list));
    CHECK(cudaMemcpy(lists, list, sizeof list, cudaMemcpyHostToDevice));
    CHECK(cublasGemmBatchedEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, SIZE, SIZE, SIZE, &one, lists, type,
                              SIZE, lists + COUNT, type, SIZE, &zero, lists + 2 * COUNT, type, SIZE,
                              COUNT, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    show("pointers", c, SIZE);
    CHECK(cudaFree(lists));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
}

template <class T>
static void epilogue(cublasLtHandle_t light, const char *name, cudaDataType type,
                     cublasLtEpilogue_t kind)
{
    enum { M = 16, N = 8, K = 16 };
    const float one = 1, zero = 0;
    T *a = device<T>(M * K), *b = device<T>(K * N), *d = device<T>(M * N, true);
    T *bias = device<T>(M);
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t layout_a, layout_b, layout_d;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t found;
    const cublasOperation_t transposed = CUBLAS_OP_T;
    size_t workspace = 0;
    int count = 0;
    CHECK(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                         sizeof transposed));
    CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &kind,
                                         sizeof kind));
    if (kind != CUBLASLT_EPILOGUE_DEFAULT)
        CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias,
                                             sizeof bias));
    CHECK(cublasLtMatrixLayoutCreate(&layout_a, type, K, M, K));
    CHECK(cublasLtMatrixLayoutCreate(&layout_b, type, K, N, K));
    CHECK(cublasLtMatrixLayoutCreate(&layout_d, type, M, N, M));
    CHECK(cublasLtMatmulPreferenceCreate(&preference));
    CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                               &workspace, sizeof workspace));
    CHECK(cublasLtMatmulAlgoGetHeuristic(light, operation, layout_a, layout_b, layout_d, layout_d,
                                         preference, 1, &found, &count));
    printf("%s, %d found\n", name, count);
    CHECK(cublasLtMatmul(light, operation, &one, a, layout_a, b, layout_b, &zero, d, layout_d, d,
                         layout_d, &found.algo, nullptr, 0, 0));
    if (kind == CUBLASLT_EPILOGUE_GELU_BIAS) {
        T *host = new T[M * N];
        CHECK(cudaMemcpy(host, d, M * N * sizeof(T), cudaMemcpyDeviceToHost));
        printf("gelu of:");
        for (int i = 0; i < M; i++)
            printf(" %d", (int)(float)host[i]);
        printf("\n");
        delete[] host;
    } else {
        show("sums", d, M);
    }
    CHECK(cublasLtMatmulPreferenceDestroy(preference));
    CHECK(cublasLtMatrixLayoutDestroy(layout_a));
    CHECK(cublasLtMatrixLayoutDestroy(layout_b));
    CHECK(cublasLtMatrixLayoutDestroy(layout_d));
    CHECK(cublasLtMatmulDescDestroy(operation));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(d));
    CHECK(cudaFree(bias));
}

int main()
{
    cublasHandle_t blas;
    cublasLtHandle_t light;
    CHECK(cublasCreate(&blas));
    CHECK(cublasSetMathMode(blas, CUBLAS_DEFAULT_MATH));
    vectors(blas);
    matrices(blas);
    batches<float>(blas, "float", CUDA_R_32F);
    batches<__half>(blas, "half", CUDA_R_16F);
    batches<__nv_bfloat16>(blas, "bfloat16", CUDA_R_16BF);
    CHECK(cublasDestroy(blas));
    CHECK(cublasLtCreate(&light));
    epilogue<float>(light, "float", CUDA_R_32F, CUBLASLT_EPILOGUE_DEFAULT);
    epilogue<float>(light, "float, bias", CUDA_R_32F, CUBLASLT_EPILOGUE_BIAS);
    epilogue<__half>(light, "half, bias", CUDA_R_16F, CUBLASLT_EPILOGUE_RELU_BIAS);
    epilogue<__nv_bfloat16>(light, "bfloat16, gelu", CUDA_R_16BF, CUBLASLT_EPILOGUE_GELU_BIAS);
    CHECK(cublasLtDestroy(light));
    return 0;
}
