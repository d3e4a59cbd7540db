// SPDX-License-Identifier: BSD-3-Clause
// Prints the same in every way to run kernels, but for a time, and where it is.
#include <cstdio>

__global__ void reverse(int *out)
{
    __shared__ int row[64];
    const int i = threadIdx.x;
    row[i] = blockIdx.x * 64 + i;
    __syncthreads();
    out[blockIdx.x * 64 + i] = row[63 - i];
}

int main(int, char **name)
{
    int *out = nullptr, sum = 0;
    cudaMallocManaged(&out, 16 * 64 * sizeof *out);
    reverse<<<16, 64>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16 * 64; i++)
        sum += i * out[i] % 1001;
    std::printf("%s: %d\ntime: %p\n", name[0], sum, static_cast<void *>(out));
    return cudaFree(out);
}
