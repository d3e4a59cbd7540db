// SPDX-License-Identifier: BSD-3-Clause
// Kernels whose names need escapes in JSON and XML.
#include <cstdio>

namespace a_namespace {
template <char C, class T> __global__ void writes(T *out)
{
    out[threadIdx.x / 2] = C; // write
}
} // namespace a_namespace

int main()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    a_namespace::writes<'"', int><<<1, 64>>>(out);
    a_namespace::writes<'&', int><<<1, 64>>>(out);
    a_namespace::writes<'\\', int><<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
