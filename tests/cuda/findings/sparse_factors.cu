/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lcusparse
/* A factorisation of a row whose columns are not in order, and one of too few values. */
#include <cuda_runtime.h>
#include <cusparse.h>

template <int N> static int *on_device(const int (&x)[N])
{
    int *memory;
    cudaMalloc(&memory, sizeof x);
    cudaMemcpy(memory, x, sizeof x, cudaMemcpyHostToDevice);
    return memory;
}

int main()
{
    int *const offsets = on_device({0, 2, 4}), *const columns = on_device({0, 1, 1, 0});
    cusparseHandle_t handle;
    cusparseMatDescr_t descriptor;
    csrilu02Info_t info;
    float *values, *few;
    cudaMalloc(&values, 4 * sizeof(float));
    cudaMemset(values, 0, 4 * sizeof(float));
    cudaMalloc(&few, 3 * sizeof(float));
    cudaMemset(few, 0, 3 * sizeof(float));
    cusparseCreate(&handle);
    cusparseCreateMatDescr(&descriptor);
    cusparseCreateCsrilu02Info(&info);
    const cusparseSolvePolicy_t policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
    cusparseScsrilu02_analysis(handle, 2, 4, descriptor, values, offsets, columns, info, policy,
                               nullptr);
    cusparseScsrilu02_analysis(handle, 2, 4, descriptor, few, offsets, columns, info, policy,
                               nullptr);
    cusparseDestroyCsrilu02Info(info);
    cusparseDestroyMatDescr(descriptor);
    cusparseDestroy(handle);
    cudaFree(values);
    cudaFree(few);
    cudaFree(columns);
    cudaFree(offsets);
    return 0;
}
// memcheck exits with 1:
//     memcheck: error in host code: cusparseScsrilu02_analysis: column index 3 is 0, after 1 in its row, at sparse_factors.cu:30
//     memcheck: error in host code: cusparseScsrilu02_analysis: 16 bytes from byte 0 of the values, which has 12, at sparse_factors.cu:32
//     memcheck: 2 errors in host code
