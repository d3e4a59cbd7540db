/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/matmul.c as CUDA written by hand. */
typedef float REAL;

#define TILE 16

extern "C" __global__ void matmul_naive(int m, int n, int k, const REAL *__restrict__ a,
                                        const REAL *__restrict__ b, REAL *__restrict__ c)
{
    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < m; row += gridDim.y * blockDim.y) {
        for (int column = blockIdx.x * blockDim.x + threadIdx.x; column < n;
             column += gridDim.x * blockDim.x) {
            REAL sum = 0;
            for (int i = 0; i < k; i++)
                sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
            c[(size_t)row * n + column] = sum;
        }
    }
}

extern "C" __global__ void matmul_tiled(int m, int n, int k, const REAL *__restrict__ a,
                                        const REAL *__restrict__ b, REAL *__restrict__ c)
{
    __shared__ REAL a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int column = blockIdx.x * TILE + threadIdx.x;
    REAL sum = 0;
    for (int first = 0; first < k; first += TILE) {
        const int a_column = first + threadIdx.x, b_row = first + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] =
            row < m && a_column < k ? a[(size_t)row * k + a_column] : 0;
        b_tile[threadIdx.y][threadIdx.x] =
            b_row < k && column < n ? b[(size_t)b_row * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
