/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/histogram.c as CUDA written by hand. */

extern "C" __global__ void histogram_global(int n, const unsigned char *__restrict__ x,
                                            unsigned *__restrict__ bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[x[i]], 1);
}

extern "C" __global__ void histogram_shared(int n, const unsigned char *__restrict__ x,
                                            unsigned *__restrict__ bins)
{
    __shared__ unsigned counts[256];
    for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x)
        counts[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[x[i]], 1);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x)
        atomicAdd(&bins[bin], counts[bin]);
}
