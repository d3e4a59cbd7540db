/* SPDX-License-Identifier: BSD-3-Clause */
/* More work per thread: coarsening, unrolling, launch bounds; launches with one to three axes. */
#include "portable.h"

#define COARSE 4

/* c = a + b, four elements per thread, a block's width apart so that each access is coalesced. Only
 * the last block checks each element. The grid is ceil(n / (4 block)).  a, b, c: n elements */
KERNEL(vector_add_coarse)(int n, const REAL *RESTRICT a, const REAL *RESTRICT b, REAL *RESTRICT c)
{
    FOR_EACH_BLOCK(0) {
        const int first = (int)(blockIdx.x * blockDim.x) * COARSE;
        if (n - first >= (int)blockDim.x * COARSE) {
            UNROLL(COARSE)
            for (int k = 0; k < COARSE; k++) {
                FOR_EACH_THREAD {
                    const int i = first + k * (int)blockDim.x + (int)threadIdx.x;
                    c[i] = a[i] + b[i];
                }
            }
        } else {
            for (int k = 0; k < COARSE; k++) {
                const int start = first + k * (int)blockDim.x;
                FOR_EACH_THREAD {
                    const int i = start + (int)threadIdx.x;
                    if (i < n)
                        c[i] = a[i] + b[i];
                }
            }
        }
    }
}

/* A polynomial of degree 15 by Horner's rule, with an unrolled loop, in a kernel that promises at
 * most 256 threads per block and asks for four blocks per multiprocessor, to limit its registers.
 * y = c[0] + c[1] x + ... + c[15] x^15.  coefficients: 16; x, y: n elements */
#define DEGREE 15
KERNEL_LAUNCH_BOUNDS(polynomial, 256, 4)(int n, const REAL *RESTRICT coefficients, const REAL *RESTRICT x,
                                  REAL *RESTRICT y)
{
    GRID_STRIDE_LOOP(i, n) {
        REAL sum = coefficients[DEGREE];
        UNROLL(DEGREE)
        for (int k = DEGREE - 1; k >= 0; k--)
            sum = sum * x[i] + coefficients[k];
        y[i] = sum;
    }
}

/* The 7-point Laplacian of a box, zero outside: one loop over three axes.
 * u, laplacian: nz x ny x nx elements, x fastest */
KERNEL(laplacian_3d)(int nx, int ny, int nz, const REAL *RESTRICT u, REAL *RESTRICT laplacian)
{
    GRID_STRIDE_LOOP_3D(x, y, z, nx, ny, nz) {
        const size_t row = (size_t)nx, plane = (size_t)nx * (size_t)ny;
        const size_t i = (size_t)z * plane + (size_t)y * row + (size_t)x;
        const REAL west = x > 0 ? u[i - 1] : 0, east = x < nx - 1 ? u[i + 1] : 0;
        const REAL north = y > 0 ? u[i - row] : 0, south = y < ny - 1 ? u[i + row] : 0;
        const REAL below = z > 0 ? u[i - plane] : 0, above = z < nz - 1 ? u[i + plane] : 0;
        laplacian[i] = west + east + north + south + below + above - 6 * u[i];
    }
}
