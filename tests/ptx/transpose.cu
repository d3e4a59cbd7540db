/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/transpose.c as CUDA written by hand. */
typedef float REAL;

#define TILE 32

extern "C" __global__ void transpose_naive(int width, int height, const REAL *__restrict__ in,
                                           REAL *__restrict__ out)
{
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
            out[(size_t)x * height + y] = in[(size_t)y * width + x];
}

extern "C" __global__ void transpose_tiled(int width, int height, const REAL *__restrict__ in,
                                           REAL *__restrict__ out)
{
    __shared__ REAL tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += blockDim.y)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += blockDim.y)
        if (x < height && y + j < width)
            out[(size_t)(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void transpose_padded(int width, int height, const REAL *__restrict__ in,
                                            REAL *__restrict__ out)
{
    __shared__ REAL tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += blockDim.y)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += blockDim.y)
        if (x < height && y + j < width)
            out[(size_t)(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

#define WIDE 64

extern "C" __global__ void __launch_bounds__(256)
    transpose_wide(int width, int height, const REAL *__restrict__ in, REAL *__restrict__ out)
{
    __shared__ REAL tile[WIDE][WIDE + 1];
    int x = blockIdx.x * WIDE + threadIdx.x, y = blockIdx.y * WIDE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < WIDE; j += 8)
#pragma unroll
        for (int k = 0; k < WIDE; k += 32)
            if (x + k < width && y + j < height)
                tile[threadIdx.y + j][threadIdx.x + k] = in[(size_t)(y + j) * width + x + k];
    __syncthreads();
    x = blockIdx.y * WIDE + threadIdx.x;
    y = blockIdx.x * WIDE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < WIDE; j += 8)
#pragma unroll
        for (int k = 0; k < WIDE; k += 32)
            if (x + k < height && y + j < width)
                out[(size_t)(y + j) * height + x + k] = tile[threadIdx.x + k][threadIdx.y + j];
}
