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
