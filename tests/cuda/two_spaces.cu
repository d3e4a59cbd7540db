// SPDX-License-Identifier: BSD-3-Clause
// Variables that name two memory spaces, __device__ and another, in any order.
#include <cstdio>

__device__ __constant__ int weights[4] = {1, 2, 3, 4};
__constant__ __device__ unsigned char bytes[] = "ab", more = 3;
__device__ __managed__ int total;
__managed__ __device__ int total_2;
__device__ __shared__ int tile[4];
__shared__ __device__ int tile_2;
static __device__ __constant__ float scale = 2;
__constant__ static __device__ float bias = 3;
namespace space
{
namespace
{
__device__ __constant__ int hidden = 5;
}
__constant__ __device__ const int table[] = {1, 6};
__device__ constexpr __constant__ int fixed = 7;
} // namespace space
template <class T> __device__ __constant__ T generic = 8;
template <class T> __constant__ __device__ T generic_2 = 9;
extern "C" {
__device__ __managed__ int in_c = 10;
}
__device__ int add(int a, int b)
{
    return a + b;
}
__constant__ __device__ int (*pointer)(int, int);

template <class T> __device__ T both(T x)
{
    __device__ __shared__ T first[2];
    __shared__ __device__ T second;
    first[threadIdx.x] = x;
    if (threadIdx.x == 0)
        second = 2 * x;
    __syncthreads();
    return first[1 - threadIdx.x] + second;
}

__global__ void sum()
{
    extern __shared__ __device__ int dynamic[];
    static __device__ __constant__ int within = 11;
    tile[threadIdx.x] = weights[2 + threadIdx.x];
    dynamic[threadIdx.x] = bytes[threadIdx.x] + more;
    __syncthreads();
    const int both_of_int = both<int>(1) + (int)both<double>(0.5);
    if (threadIdx.x == 0) {
        tile_2 = tile[0] + tile[1] + dynamic[0] + dynamic[1];
        total += tile_2 + (int)(scale + bias);
        total_2 += both_of_int + space::hidden + space::table[1] + space::fixed + generic<int> +
                   generic_2<int> + in_c + within;
    }
}

int main()
{
    const int others[] = {1, 2, 3, 50};
    const float four = 4;
    const int nine = 90;
    sum<<<1, 2, 2 * sizeof(int)>>>();
    cudaDeviceSynchronize();
    printf("%d %d\n", total, total_2);
    printf("%d", cudaMemcpyToSymbol(weights, others, sizeof others));
    printf(" %d", cudaMemcpyToSymbol(scale, &four, sizeof four));
    printf(" %d\n", cudaMemcpyToSymbol(generic_2<int>, &nine, sizeof nine));
    in_c++;
    sum<<<1, 2, 2 * sizeof(int)>>>();
    printf("%d", cudaDeviceSynchronize());
    printf(" %d %d\n", total, total_2);
    return !isdigit('7'); /* a name that every .cu file has without an #include */
}
