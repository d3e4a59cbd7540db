// SPDX-License-Identifier: BSD-3-Clause
// What accesscheck reports: of each kernel's lines the worst first.
#include <cuda_runtime.h>

__device__ float total;

// The loops over rows have different lengths in the lanes of a warp, which meet at the store.
__global__ void row_sums(int n, const int *begins, const float *values, float *sums)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float sum = 0;
        for (int k = begins[i]; k < begins[i + 1]; k++)
            sum += values[k];
        sums[i] = sum;
    }
}

template <int Width> __global__ void transpose(int n, const float *x, float *y)
{
    __shared__ float tile[32][Width];
    const int column = threadIdx.x, row = threadIdx.y;
    tile[row][column] = x[(32 * blockIdx.y + row) * n + 32 * blockIdx.x + column];
    __syncthreads();
    y[(32 * blockIdx.x + row) * n + 32 * blockIdx.y + column] = tile[column][row];
}

__global__ void scale(float4 *x, const double2 *factor)
{
    const float4 v = x[threadIdx.x];
    const float f = (float)factor->x;
    x[threadIdx.x] = make_float4(f * v.x, f * v.y, f * v.z, f * v.w);
    if (threadIdx.x % 2)
        atomicAdd(&total, v.x);
}

int main()
{
    int *begins;
    float *x, *y;
    cudaMallocManaged(&begins, 65 * sizeof *begins);
    cudaMalloc(&x, 64 * 64 * sizeof *x);
    cudaMalloc(&y, 64 * 64 * sizeof *y);
    cudaMemset(x, 0, 64 * 64 * sizeof *x);
    for (int i = 0; i < 64; i++)
        begins[i + 1] = begins[i] + i % 4;
    row_sums<<<1, 32>>>(64, begins, x, y);
    transpose<32><<<dim3(2, 2), dim3(32, 32)>>>(64, x, y);
    transpose<33><<<dim3(2, 2), dim3(32, 32)>>>(64, x, y);
    scale<<<1, 64>>>((float4 *)x, (double2 *)y);
    scale<<<1, 16>>>((float4 *)x, (double2 *)y);
    cudaFree(begins);
    cudaFree(x);
    cudaFree(y);
    return cudaDeviceSynchronize();
}
// accesscheck exits with 0:
//     accesscheck: kernel row_sums: 1 launch, 18 requests, avg. active threads per warp 21.3
//         access_costs.cu:13: global load: 6 requests, 6.3 sectors/request, ideal 2.0, 26 excessive sectors, 32% of bytes used, avg. active threads 16.0
//         access_costs.cu:12: global load: 10 requests, 4.8 sectors/request, ideal 2.8, 20 excessive sectors, 58% of bytes used, avg. active threads 22.4
//         access_costs.cu:14: global store: 2 requests, 4.0 sectors/request, ideal 4.0, 0 excessive sectors, 100% of bytes used, avg. active threads 32.0
//     accesscheck: kernel transpose: 2 launches, 1024 requests, avg. active threads per warp 32.0
//         access_costs.cu:24: shared load: 256 requests, 16.5 wavefronts/request, ideal 1.0, 3968 bank conflicts, avg. active threads 32.0
//         access_costs.cu:22: global load: 256 requests, 4.0 sectors/request, ideal 4.0, 0 excessive sectors, 100% of bytes used, avg. active threads 32.0
//         access_costs.cu:22: shared store: 256 requests, 1.0 wavefronts/request, ideal 1.0, 0 bank conflicts, avg. active threads 32.0
//         access_costs.cu:24: global store: 256 requests, 4.0 sectors/request, ideal 4.0, 0 excessive sectors, 100% of bytes used, avg. active threads 32.0
//     accesscheck: kernel scale: 2 launches, 12 requests, avg. active threads per warp 23.3
//         access_costs.cu:33: global atomic: 3 requests, 13.3 threads on one address, avg. active threads 13.3
//         access_costs.cu:29: global load: 3 requests, 13.3 sectors/request, ideal 13.3, 0 excessive sectors, 100% of bytes used, avg. active threads 26.7
//         access_costs.cu:30: global load: 3 requests, 1.0 sectors/request, ideal 1.0, 0 excessive sectors, 25% of bytes used, avg. active threads 26.7
//         access_costs.cu:31: global store: 3 requests, 13.3 sectors/request, ideal 13.3, 0 excessive sectors, 100% of bytes used, avg. active threads 26.7
//     accesscheck: no exceeded limits in 3 kernels
// accesscheck PORTABLE_ACCESS_LINES=1 PORTABLE_ACCESS_LIMITS=wavefronts=4,sectors=3,threads=15 exits with 1:
//     accesscheck: excessive sectors in kernel row_sums: the global load at access_costs.cu:13
//         moves 3.17 times the ideal number of sectors; the limit is 3
//     accesscheck: bank conflicts in kernel transpose: the shared load at access_costs.cu:24
//         takes 32.00 times the ideal number of wavefronts; the limit is 4
//     accesscheck: inactive threads in kernel scale: the global atomic at access_costs.cu:33
//         has 13.33 avg. active threads per warp; the limit is 15
//     accesscheck: kernel row_sums: 1 launch, 18 requests, avg. active threads per warp 21.3
//         access_costs.cu:13: global load: 6 requests, 6.3 sectors/request, ideal 2.0, 26 excessive sectors, 32% of bytes used, avg. active threads 16.0
//         and 2 more lines
//     accesscheck: kernel transpose: 2 launches, 1024 requests, avg. active threads per warp 32.0
//         access_costs.cu:24: shared load: 256 requests, 16.5 wavefronts/request, ideal 1.0, 3968 bank conflicts, avg. active threads 32.0
//         and 3 more lines
//     accesscheck: kernel scale: 2 launches, 12 requests, avg. active threads per warp 23.3
//         access_costs.cu:33: global atomic: 3 requests, 13.3 threads on one address, avg. active threads 13.3
//         and 3 more lines
//     accesscheck: 3 exceeded limits in 3 kernels
