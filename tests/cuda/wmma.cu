// SPDX-License-Identifier: BSD-3-Clause
// Products of small matrices by a warp, of small integers, whose sums are exact in any order.
#include <cstdio>
#include <mma.h>

using namespace nvcuda;

template <class T> __host__ __device__ T number(int i)
{
    return T((float)(i * 5 % 7 - 3));
}
template <> __host__ __device__ signed char number<signed char>(int i)
{
    return (signed char)(i * 5 % 7 - 3);
}
template <> __host__ __device__ unsigned char number<unsigned char>(int i)
{
    return (unsigned char)(i * 5 % 7);
}
__host__ __device__ double plain(__half x)
{
    return (double)__half2float(x);
}
__host__ __device__ double plain(__nv_bfloat16 x)
{
    return (double)__bfloat162float(x);
}
template <class T> __host__ __device__ double plain(T x)
{
    return (double)x;
}

template <int m, int n, int k, class T, class S, class D, class LayoutA, class LayoutB>
__global__ void multiply(D *to, const S *a, const S *b, const D *c)
{
    wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> fragment_a;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> fragment_b;
    wmma::fragment<wmma::accumulator, m, n, k, D> sum, other;
    const bool rows_a = std::is_same<LayoutA, wmma::row_major>::value;
    const bool rows_b = std::is_same<LayoutB, wmma::row_major>::value;
    wmma::load_matrix_sync(fragment_a, a, rows_a ? k : m);
    wmma::load_matrix_sync(fragment_b, b, rows_b ? n : k);
    wmma::load_matrix_sync(sum, c, n, wmma::mem_row_major);
    wmma::mma_sync(sum, fragment_a, fragment_b, sum);
    wmma::fill_fragment(other, D(1.0f));
    for (int e = 0; e < sum.num_elements; e++)
        sum.x[e] = D(sum.x[e]) + D(other.x[e]);
    wmma::store_matrix_sync(to, sum, m, wmma::mem_col_major);
}

template <int m, int n, int k, class T, class S, class D, class LayoutA, class LayoutB>
static void test(const char *name)
{
    S host_a[m * k], host_b[k * n], *a, *b;
    D host_c[m * n], host_d[m * n], *c, *d;
    for (int i = 0; i < m * k; i++)
        host_a[i] = number<S>(i);
    for (int i = 0; i < k * n; i++)
        host_b[i] = number<S>(i + 3);
    for (int i = 0; i < m * n; i++)
        host_c[i] = D((float)(i % 5));
    cudaMalloc(&a, sizeof host_a);
    cudaMalloc(&b, sizeof host_b);
    cudaMalloc(&c, sizeof host_c);
    cudaMalloc(&d, sizeof host_d);
    cudaMemcpy(a, host_a, sizeof host_a, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host_b, sizeof host_b, cudaMemcpyHostToDevice);
    cudaMemcpy(c, host_c, sizeof host_c, cudaMemcpyHostToDevice);
    multiply<m, n, k, T, S, D, LayoutA, LayoutB><<<1, 32>>>(d, a, b, c);
    cudaMemcpy(host_d, d, sizeof host_d, cudaMemcpyDeviceToHost);
    int wrong = 0;
    double all = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = plain(host_c[i * n + j]) + 1;
            for (int l = 0; l < k; l++) {
                const bool rows_a = std::is_same<LayoutA, wmma::row_major>::value;
                const bool rows_b = std::is_same<LayoutB, wmma::row_major>::value;
                sum += plain(host_a[rows_a ? i * k + l : l * m + i]) *
                       plain(host_b[rows_b ? l * n + j : j * k + l]);
            }
            wrong += plain(host_d[j * m + i]) != sum;
            all += plain(host_d[j * m + i]);
        }
    printf("%s: %d wrong, sum %g\n", name, wrong, all);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
}

__global__ void round_tf32(unsigned *to)
{
    const float numbers[4] = {1.0f + 1.0f / 2048, 1.0f + 1.0f / 4096, -3.1415927f, 1e-30f};
    for (int i = 0; i < 4; i++)
        to[i] = __float_as_uint(wmma::__float_to_tf32(numbers[i]));
}

int main()
{
    using wmma::col_major;
    using wmma::row_major;
    test<16, 16, 16, __half, __half, float, row_major, row_major>("half, float");
    test<16, 16, 16, __half, __half, float, col_major, row_major>("half, float, A by columns");
    test<32, 8, 16, __half, __half, float, row_major, col_major>("half, float, 32x8");
    test<8, 32, 16, __half, __half, __half, row_major, col_major>("half, half, 8x32");
    test<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, row_major, col_major>("bfloat16");
    test<16, 16, 16, signed char, signed char, int, row_major, col_major>("signed char");
    test<32, 8, 16, unsigned char, unsigned char, int, row_major, col_major>("unsigned char");
    test<16, 16, 8, wmma::precision::tf32, float, float, row_major, col_major>("tf32");
    test<8, 8, 4, double, double, double, row_major, col_major>("double");
    unsigned *device, host[4];
    cudaMalloc(&device, sizeof host);
    round_tf32<<<1, 1>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("to tf32: %08x %08x %08x %08x\n", host[0], host[1], host[2], host[3]);
    cudaFree(device);
    return 0;
}
