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

/* Four neighbours in a row: one access of a thread. */
struct ALIGNED(4 * sizeof(REAL)) four {
    REAL x, y, z, w;
};

/* A block of laplacian_planes: threads along x and y, and the planes that it marches through. Of
 * floats, 32 registers for each thread let four blocks run on a multiprocessor, which has 64 K. */
#define BOX_X 64
#define BOX_Y 8
#define BOX_PLANES 16
#define BOX_BLOCKS (16 / sizeof(REAL))

/* The same, reading each element from memory about once: a block marches up through its planes,
 * and each thread keeps the four elements that it has read of this plane and of the one below.
 * The rows to the north and the south come from the cache. The grid is ceil(nx / 4 / BOX_X) x
 * ceil(ny / BOX_Y) x ceil(nz / BOX_PLANES). On an H200, with 512^3 elements, 3849 GB/s, against
 * 1817 for laplacian_3d and 3980 for a device-to-device copy of as much.
 * nx: a multiple of 4; u, laplacian: as above, aligned to four elements */
KERNEL_LAUNCH_BOUNDS(laplacian_planes, BOX_X *BOX_Y, BOX_BLOCKS)
(int nx, int ny, int nz, const REAL *RESTRICT u, REAL *RESTRICT laplacian)
{
    FOR_EACH_BLOCK(BOX_X, BOX_Y) {
        PRIVATE(struct four, below);
        PRIVATE(struct four, here);
        const struct four zero = {0, 0, 0, 0};
        const struct four *RESTRICT from = (const struct four *)u;
        struct four *RESTRICT to = (struct four *)laplacian;
        const int width = nx / 4; /* of a row, in fours */
        const size_t row = (size_t)width, plane = row * (size_t)ny;
        const int first_x = (int)blockIdx.x * BOX_X, first_y = (int)blockIdx.y * BOX_Y;
        const int first_z = (int)blockIdx.z * BOX_PLANES;
        const int end_z = first_z + BOX_PLANES < nz ? first_z + BOX_PLANES : nz;
        FOR_EACH_THREAD {
            const int x = first_x + (int)threadIdx.x, y = first_y + (int)threadIdx.y;
            MINE(below) = zero;
            MINE(here) = zero;
            if (x < width && y < ny && first_z < nz) {
                const size_t i = (size_t)first_z * plane + (size_t)y * row + (size_t)x;
                MINE(below) = first_z > 0 ? from[i - plane] : zero;
                MINE(here) = from[i];
            }
        }
        UNROLL(1)
        for (int z = first_z; z < end_z; z++) {
            const size_t start = (size_t)z * plane + (size_t)first_y * row + (size_t)first_x;
            FOR_EACH_THREAD {
                const int x = first_x + (int)threadIdx.x, y = first_y + (int)threadIdx.y;
                if (x < width && y < ny) {
                    const size_t i = start + threadIdx.y * row + threadIdx.x;
                    const struct four *const at = from + i;
                    const struct four b = MINE(below), h = MINE(here);
                    const struct four west = {x > 0 ? at[-1].w : 0, h.x, h.y, h.z};
                    const struct four east = {h.y, h.z, h.w, x < width - 1 ? at[1].x : 0};
                    const struct four north = y > 0 ? *(at - row) : zero;
                    const struct four south = y < ny - 1 ? *(at + row) : zero;
                    const struct four above = z < nz - 1 ? *(at + plane) : zero;
                    const struct four result = {
                        west.x + east.x + north.x + south.x + b.x + above.x - 6 * h.x,
                        west.y + east.y + north.y + south.y + b.y + above.y - 6 * h.y,
                        west.z + east.z + north.z + south.z + b.z + above.z - 6 * h.z,
                        west.w + east.w + north.w + south.w + b.w + above.w - 6 * h.w};
                    to[i] = result;
                    MINE(below) = h;
                    MINE(here) = above;
                }
            }
        }
    }
}
