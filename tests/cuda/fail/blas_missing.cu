// SPDX-License-Identifier: BSD-3-Clause
// error: cublasSgelsBatched: portable-nvcc does not have this call of cuBLAS: docs/cuda-api.md lists those that it has
#include <cublas_v2.h>
int main()
{
    cublasHandle_t blas;
    cublasCreate(&blas);
    return cublasSgelsBatched(blas, CUBLAS_OP_N, 1, 1, 1, nullptr, 1, nullptr, 1, nullptr, nullptr,
                              1);
}
