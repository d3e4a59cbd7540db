// SPDX-License-Identifier: BSD-3-Clause
// error: cublasCgemm: portable-nvcc does not have this call of cuBLAS: docs/cuda-api.md lists those that it has
#include <cublas_v2.h>

int main()
{
    cublasHandle_t handle;
    cublasCreate(&handle);
    return cublasCgemm(handle, CUBLAS_OP_N);
}
