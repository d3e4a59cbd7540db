// SPDX-License-Identifier: BSD-3-Clause
// error: wmma::fragment: portable-nvcc has 16x16x16, 32x8x16 and 8x32x16
#include <mma.h>

__global__ void kernel()
{
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 8, 8, 128,
                           nvcuda::wmma::experimental::precision::b1, nvcuda::wmma::row_major>
        fragment;
    (void)fragment;
}

int main()
{
    kernel<<<1, 32>>>();
    return 0;
}
