/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/tensor.c as CUDA written by hand. */
#include <mma.h>

namespace wmma = nvcuda::wmma;

typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> tile_a;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> tile_b;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> tile_c;

extern "C" __global__ void matmul_tensor(int m, int n, int k, const half *__restrict__ a,
                                         const half *__restrict__ b, float *__restrict__ c)
{
    const int columns = n / 16, tiles = m / 16 * columns;
    const int warps = blockDim.x / 32, stride = gridDim.x * warps;
    for (int tile = blockIdx.x * warps + threadIdx.x / 32; tile < tiles; tile += stride) {
        const half *const rows = a + (size_t)(tile / columns * 16) * k;
        const int column = tile % columns * 16;
        tile_c sum;
        wmma::fill_fragment(sum, 0.0f);
        for (int i = 0; i < k; i += 16) {
            tile_a of_a;
            tile_b of_b;
            wmma::load_matrix_sync(of_a, rows + i, k);
            wmma::load_matrix_sync(of_b, b + (size_t)i * n + column, n);
            wmma::mma_sync(sum, of_a, of_b, sum);
        }
        wmma::store_matrix_sync(c + (size_t)(tile / columns * 16) * n + column, sum, n,
                                wmma::mem_row_major);
    }
}

extern "C" __global__ void matmul_tensor_shared(int m, int n, int k, const half *__restrict__ a,
                                                const half *__restrict__ b, float *__restrict__ c)
{
    __shared__ __align__(32) half b_shared[16 * 16];
    const int column = blockIdx.x * 16;
    const int row = (int)blockIdx.y * 64 + (int)(threadIdx.x / 32) * 16;
    tile_c sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k; i += 16) {
        for (int e = threadIdx.x; e < 16 * 16; e += 128)
            b_shared[e] = b[(size_t)(i + e / 16) * n + (size_t)(column + e % 16)];
        __syncthreads();
        if (row < m) {
            tile_a of_a;
            tile_b of_b;
            wmma::load_matrix_sync(of_a, a + (size_t)row * k + i, k);
            wmma::load_matrix_sync(of_b, b_shared, 16);
            wmma::mma_sync(sum, of_a, of_b, sum);
        }
        __syncthreads();
    }
    if (row < m)
        wmma::store_matrix_sync(c + (size_t)row * n + column, sum, n, wmma::mem_row_major);
}

__device__ __forceinline__ void copy_16(bool condition, void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(condition ? 16 : 0)
                 : "memory");
}

static __device__ void copy(int t, int step, half *stage, int rows, int columns, int depth, int n,
                            int k, const half *a, const half *b)
{
#pragma unroll
    for (int e = step; e < step + 1; e++) {
        const int i = t % 8 * 8, row = t / 8 + e * 32;
        copy_16(row < rows && i < depth, stage + row * 72 + i, a + (size_t)(e * 32) * k);
    }
#pragma unroll
    for (int e = step * 2; e < step * 2 + 2; e++) {
        const int column = t % 32 * 8, i = t / 32 + e * 8;
        copy_16(column < columns && i < depth, stage + 128 * 72 + i * 264 + column,
                b + (size_t)(e * 8) * n);
    }
}

/* 64 x 64 elements per warp, 128 x 256 per block, three stages of 64. */
extern "C" __global__ void __launch_bounds__(256, 1)
    matmul_tensor_pipeline(int m, int n, int k, const half *__restrict__ a,
                           const half *__restrict__ b, float *__restrict__ c)
{
    extern __shared__ __align__(16) unsigned char dynamic[];
    half *const stages = reinterpret_cast<half *>(dynamic);
    const int t = threadIdx.x, warp = threadIdx.x / 32, stage = 128 * 72 + 64 * 264;
    const int first_row = (int)blockIdx.y * 128, rows = m - first_row;
    const int first_column = (int)blockIdx.x * 256, columns = n - first_column;
    const int a_offset = warp / 4 * 64 * 72, b_offset = 128 * 72 + warp % 4 * 64;
    int put = 0, get = 0;
    const half *of_a = a + (size_t)(first_row + t / 8) * k + t % 8 * 8;
    const half *of_b = b + (size_t)(t / 32) * n + first_column + t % 32 * 8;
    tile_a a_tiles[2][4];
    tile_b b_tiles[2][4];
    tile_c sum[4][4];
    for (int next = 0; next < 2 * 64; next += 64) {
#pragma unroll
        for (int step = 0; step < 4; step++)
            copy(t, step, stages + put * stage, rows, columns, k - next, n, k, of_a, of_b);
        of_a += 64;
        of_b += (size_t)64 * n;
        asm volatile("cp.async.commit_group;" ::: "memory");
        put++;
    }
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; r++) {
        wmma::load_matrix_sync(a_tiles[0][r], stages + a_offset + r * 16 * 72, 72);
        wmma::load_matrix_sync(b_tiles[0][r], stages + b_offset + r * 16, 264);
#pragma unroll
        for (int q = 0; q < 4; q++)
            wmma::fill_fragment(sum[r][q], 0.0f);
    }
    for (int first = 0; first < k; first += 64) {
        const int depth = k - first - 2 * 64;
#pragma unroll
        for (int step = 0; step < 4; step++) {
            if (step == 3) {
                asm volatile("cp.async.commit_group;" ::: "memory");
                asm volatile("cp.async.wait_group 1;" ::: "memory");
                __syncthreads();
                put = put + 1 == 3 ? 0 : put + 1;
                get = get + 1 == 3 ? 0 : get + 1;
            }
            const int ahead = (step + 1) % 4;
#pragma unroll
            for (int r = 0; r < 4; r++)
                wmma::load_matrix_sync(a_tiles[ahead % 2][r],
                                       stages + get * stage + a_offset + ahead * 16 + r * 16 * 72,
                                       72);
#pragma unroll
            for (int q = 0; q < 4; q++)
                wmma::load_matrix_sync(b_tiles[ahead % 2][q],
                                       stages + get * stage + b_offset + ahead * 16 * 264 + q * 16,
                                       264);
            if (step < 3)
                copy(t, step, stages + put * stage, rows, columns, depth, n, k, of_a, of_b);
            if (step == 2) {
                copy(t, 3, stages + put * stage, rows, columns, depth, n, k, of_a, of_b);
                of_a += 64;
                of_b += (size_t)64 * n;
            }
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    wmma::mma_sync(sum[r][q], a_tiles[step % 2][r], b_tiles[step % 2][q],
                                   sum[r][q]);
        }
    }
    const int row = warp / 4 * 64, column = warp % 4 * 64;
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row + r * 16 < rows && column + q * 16 < columns)
                wmma::store_matrix_sync(c + (size_t)(first_row + row + r * 16) * n +
                                            (first_column + column + q * 16),
                                        sum[r][q], n, wmma::mem_row_major);
}
