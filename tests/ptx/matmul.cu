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

struct __align__(16) vector
{
    REAL x[4];
};

/* 2 x 4 vectors per thread. */
extern "C" __global__ void __launch_bounds__(64, 1)
    matmul_registers(int m, int n, int k, const REAL *__restrict__ a, const REAL *__restrict__ b,
                     REAL *__restrict__ c)
{
    __shared__ __align__(16) REAL b_tile[64][64];
    vector sum[2][4];
    const int first_row = blockIdx.y * 32, first_column = blockIdx.x * 64;
    const int rows = m - first_row, columns = n - first_column < 64 ? n - first_column : 64;
    for (int r = 0; r < 2; r++)
        for (int v = 0; v < 4; v++)
            sum[r][v] = {};
    for (int i = 0; i < 64 && columns < 64; i++)
        b_tile[i][threadIdx.x] = 0;
    for (int first = 0; first < k && rows > 0; first += 64) {
        const int depth = k - first < 64 ? k - first : 64;
        __syncthreads();
        for (int i = 0; i < depth; i++)
            if ((int)threadIdx.x < columns)
                b_tile[i][threadIdx.x] =
                    b[(size_t)(first + i) * n + (size_t)first_column + threadIdx.x];
        __syncthreads();
        const int column = (int)threadIdx.x % 4 * 4;
        const REAL *of_a[2];
        for (int r = 0; r < 2; r++) {
            const int row = (int)threadIdx.x / 4 * 2 + r;
            of_a[r] = a + (size_t)(first_row + (row < rows ? row : 0)) * k + first;
        }
        for (int i = 0; i < depth; i++) {
#pragma unroll
            for (int v = 0; v < 4; v++) {
                vector of_b;
#pragma unroll
                for (int l = 0; l < 4; l++)
                    of_b.x[l] = b_tile[i][v * 16 + column + l];
#pragma unroll
                for (int r = 0; r < 2; r++)
#pragma unroll
                    for (int l = 0; l < 4; l++)
                        sum[r][v].x[l] += of_a[r][i] * of_b.x[l];
            }
        }
    }
    for (int r = 0; r < 2; r++) {
        const int row = (int)threadIdx.x / 4 * 2 + r;
        for (int v = 0; v < 4; v++)
            for (int l = 0; l < 4; l++) {
                const int column = v * 16 + (int)threadIdx.x % 4 * 4 + l;
                if (row < rows && column < columns)
                    c[(size_t)(first_row + row) * n + (size_t)(first_column + column)] =
                        sum[r][v].x[l];
            }
    }
}

__device__ __forceinline__ void copy_4(bool condition, void *to, const void *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(condition ? 4 : 0)
                 : "memory");
}

static __device__ void copy(int t, int rows, int columns, int depth, int n, int k, const REAL *a,
                            const REAL *b, REAL (*a_tile)[132], REAL (*b_tile)[128], int check)
{
#pragma unroll
    for (int e = 0; e < 8; e++) {
        const int row = (t / 8 + e * 32) % 128, ahead = e / 4 * 8, i = t % 8 + ahead;
        copy_4(!check || (row < rows && i < depth), &a_tile[i][row],
               a + (size_t)(e * 32 % 128) * k + ahead);
    }
#pragma unroll
    for (int e = 0; e < 8; e++) {
        const int column = t % 128, i = t / 128 + e * 2;
        copy_4(!check || (column < columns && i < depth), &b_tile[i][column],
               b + (size_t)(e * 2) * n);
    }
}

/* 8 x 8 elements per thread, 128 x 128 per block. */
extern "C" __global__ void __launch_bounds__(256, 2)
    matmul_async(int m, int n, int k, const REAL *__restrict__ a, const REAL *__restrict__ b,
                 REAL *__restrict__ c)
{
    __shared__ __align__(16) REAL a_tiles[2][16][132], b_tiles[2][16][128];
    REAL sum[8][8];
    const int t = threadIdx.x;
    const int first_row = blockIdx.y * 128, rows = m - first_row;
    const int first_column = blockIdx.x * 128, columns = n - first_column;
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
        for (int q = 0; q < 8; q++)
            sum[r][q] = 0;
    const int y = t / 128 * 64 + t % 32 / 4 * 4, x = t / 32 % 4 * 32 + t % 4 * 4;
    const REAL *of_a = a + ((size_t)first_row + threadIdx.x / 8) * k + threadIdx.x % 8;
    const REAL *of_b =
        b + (size_t)(threadIdx.x / 128) * n + (size_t)first_column + threadIdx.x % 128;
    copy(t, rows, columns, k, n, k, of_a, of_b, a_tiles[0], b_tiles[0], 1);
    asm volatile("cp.async.commit_group;" ::: "memory");
    unsigned half = 0;
    int depth = k;
    do {
        depth -= 16;
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        of_a += 16;
        of_b += (size_t)16 * n;
        if (rows >= 128 && columns >= 128 && depth >= 16)
            copy(t, rows, columns, depth, n, k, of_a, of_b, a_tiles[1 - half], b_tiles[1 - half],
                 0);
        else
            copy(t, rows, columns, depth, n, k, of_a, of_b, a_tiles[1 - half], b_tiles[1 - half],
                 1);
        asm volatile("cp.async.commit_group;" ::: "memory");
        const REAL *const a_part = &a_tiles[half][0][y], *const b_part = &b_tiles[half][0][x];
#pragma unroll
        for (int i = 0; i < 16; i++) {
            REAL column[8], row[8];
#pragma unroll
            for (int r = 0; r < 8; r++)
                column[r] = a_part[i * 132 + r / 4 * 32 + r % 4];
#pragma unroll
            for (int q = 0; q < 8; q++)
                row[q] = b_part[i * 128 + q / 4 * 16 + q % 4];
#pragma unroll
            for (int r = 0; r < 8; r++)
#pragma unroll
                for (int there = 0; there < 8; there++) {
                    const int q = r % 2 ? 7 - there : there;
                    sum[r][q] += column[r] * row[q];
                }
        }
        half = 1 - half;
    } while (depth > 0);
#pragma unroll
    for (int r = 0; r < 8; r++) {
        const int row = y + r / 4 * 32 + r % 4;
#pragma unroll
        for (int q = 0; q < 8; q++) {
            const int column = x + q / 4 * 16 + q % 4;
            if (row < rows && column < columns)
                c[(size_t)(first_row + row) * n + (size_t)(first_column + column)] = sum[r][q];
        }
    }
}
