/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/pipeline.c as CUDA written by hand. */
typedef float REAL;

extern "C" __global__ void saxpy_chunk(int n, REAL a, const REAL *__restrict__ x,
                                       REAL *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void mirror_difference(int n, const REAL *__restrict__ y,
                                             REAL *__restrict__ z)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = y[i] - y[n - 1 - i];
}
