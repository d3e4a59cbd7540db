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

/* Threads outside of the box stay in the loop, as in the portable kernel, whose loop is the
 * block's. If they returned before it, 60 instructions and 4% of the time would be saved. */
#define BOX_X 64
#define BOX_Y 8
#define BOX_PLANES 16
#define BOX_BLOCKS (16 / sizeof(REAL))

struct __align__(16) four
{
    REAL x, y, z, w;
};

extern "C" __global__ void __launch_bounds__(BOX_X *BOX_Y, BOX_BLOCKS)
    laplacian_planes(int nx, int ny, int nz, const REAL *__restrict__ u,
                     REAL *__restrict__ laplacian)
{
    const four zero = {0, 0, 0, 0};
    const four *from = (const four *)u;
    four *to = (four *)laplacian;
    const int width = nx / 4;
    const size_t row = width, plane = row * ny;
    const int first_x = blockIdx.x * BOX_X, x = first_x + threadIdx.x;
    const int first_y = blockIdx.y * BOX_Y, y = first_y + threadIdx.y;
    const int first_z = blockIdx.z * BOX_PLANES, end_z = min(nz, first_z + BOX_PLANES);
    const bool inside = x < width && y < ny;
    four below = zero, here = zero;
    if (inside && first_z < nz) {
        const size_t i = first_z * plane + y * row + x;
        below = first_z > 0 ? from[i - plane] : zero;
        here = from[i];
    }
#pragma unroll 1
    for (int z = first_z; z < end_z; z++) {
        if (inside) {
            const size_t start = z * plane + first_y * row + first_x; /* of the block */
            const size_t i = start + threadIdx.y * row + threadIdx.x;
            const REAL west = x > 0 ? from[i - 1].w : 0, east = x < width - 1 ? from[i + 1].x : 0;
            const four north = y > 0 ? from[i - row] : zero;
            const four south = y < ny - 1 ? from[i + row] : zero;
            const four above = z < nz - 1 ? from[i + plane] : zero;
            to[i] = {west + here.y + north.x + south.x + below.x + above.x - 6 * here.x,
                     here.x + here.z + north.y + south.y + below.y + above.y - 6 * here.y,
                     here.y + here.w + north.z + south.z + below.z + above.z - 6 * here.z,
                     here.z + east + north.w + south.w + below.w + above.w - 6 * here.w};
            below = here;
            here = above;
        }
    }
}
