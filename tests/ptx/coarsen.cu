/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/coarsen.c as CUDA written by hand. */
#include "loops.h"

typedef float REAL;

extern "C" __global__ void vector_add_coarse(int n, const REAL *__restrict__ a,
                                             const REAL *__restrict__ b, REAL *__restrict__ c)
{
    const int first = blockIdx.x * blockDim.x * 4;
    if (n - first >= (int)blockDim.x * 4) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int i = first + k * blockDim.x + threadIdx.x;
            c[i] = a[i] + b[i];
        }
    } else {
        for (int k = 0; k < 4; k++) {
            const int i = first + k * blockDim.x + threadIdx.x;
            if (i < n)
                c[i] = a[i] + b[i];
        }
    }
}

extern "C" __global__ void __launch_bounds__(256, 4)
    polynomial(int n, const REAL *__restrict__ coefficients, const REAL *__restrict__ x,
               REAL *__restrict__ y)
{
    FOR_PAIRS(i, n) {
        const REAL value = x[i];
        REAL sum = coefficients[15];
#pragma unroll
        for (int k = 14; k >= 0; k--)
            sum = sum * value + coefficients[k];
        y[i] = sum;
    }
}

extern "C" __global__ void laplacian_3d(int nx, int ny, int nz, const REAL *__restrict__ u,
                                        REAL *__restrict__ laplacian)
{
    const size_t row = nx, plane = (size_t)nx * ny;
    for (int z = blockIdx.z * blockDim.z + threadIdx.z; z < nz; z += gridDim.z * blockDim.z)
        for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < ny; y += gridDim.y * blockDim.y)
            for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < nx;
                 x += gridDim.x * blockDim.x) {
                const size_t i = z * plane + y * row + x;
                const REAL west = x > 0 ? u[i - 1] : 0, east = x < nx - 1 ? u[i + 1] : 0;
                const REAL north = y > 0 ? u[i - row] : 0, south = y < ny - 1 ? u[i + row] : 0;
                const REAL below = z > 0 ? u[i - plane] : 0;
                const REAL above = z < nz - 1 ? u[i + plane] : 0;
                laplacian[i] = west + east + north + south + below + above - 6 * u[i];
            }
}
