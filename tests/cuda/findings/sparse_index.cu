/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lcusparse
/* An index outside the matrix. */
#include <cuda_runtime.h>
#include <cusparse.h>

template <class T> static T *on_device(const T *values, size_t n)
{
    T *memory;
    cudaMalloc(&memory, n * sizeof(T));
    cudaMemcpy(memory, values, n * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}

int main()
{
    const int offsets[] = {0, 1, 2}, columns[] = {0, 2};
    const float values[] = {1, 2}, one = 1;
    int *const o = on_device(offsets, 3), *const c = on_device(columns, 2);
    float *const v = on_device(values, 2), *const x = on_device(values, 2);
    cusparseHandle_t handle;
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t X;
    cusparseCreate(&handle);
    cusparseCreateCsr(&A, 2, 2, 2, o, c, v, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateDnVec(&X, 2, x, CUDA_R_32F);
    cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &one, X, CUDA_R_32F,
                 CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
    cusparseDestroyDnVec(X);
    cusparseDestroySpMat(A);
    cusparseDestroy(handle);
    cudaFree(o);
    cudaFree(c);
    cudaFree(v);
    cudaFree(x);
}
// memcheck exits with 1:
//     memcheck: error in host code: cusparseSpMV: column index 1 is 2, out of range, at sparse_index.cu:28
//     memcheck: 1 error in host code
