// SPDX-License-Identifier: BSD-3-Clause
// __shared__, __constant__, __device__ and __managed__ variables in every form.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess) {                                                               \
            printf("%s:%d: error %d\n", __FILE__, __LINE__, (int)error_);                          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__constant__ float weights[4];
__constant__ const int primes[] = {2, 3, 5, 7};
static __constant__ double scale = 0.5;
__device__ int counter;
__device__ float table[3] = {1.0f, 2.0f, 3.0f};
__device__ static unsigned long long big = 1ull << 40;
__managed__ int shared_by_both = 5;
const int on_both_sides = 12;

namespace space
{
__device__ int inside = 3;
__constant__ int limits[2] = {10, 20};
} // namespace space

struct Settings {
    static constexpr int size = 16;
    int a;
    float b[2];
};
__constant__ Settings settings;

extern __shared__ int of_the_file[];

__device__ __forceinline__ int next(int &value)
{
    return value++;
}

__global__ void constants(double *out)
{
    out[0] = weights[1] + primes[3] + scale + space::limits[1];
    out[1] = settings.a + settings.b[1];
    out[2] = table[2] + space::inside + (double)big + on_both_sides;
    out[3] = shared_by_both;
    shared_by_both = 6;
    next(counter);
}

template <class T, int N> __global__ void statics(T *out)
{
    static __shared__ T tile[N];
    __shared__ __align__(16) unsigned char bytes[N * sizeof(T)];
    volatile __shared__ T last, first[2];
    T *const view = reinterpret_cast<T *>(bytes);
    const int t = threadIdx.x;
    tile[t] = T(t);
    view[t] = T(2 * t);
    if (t == 0) {
        last = T(N);
        first[0] = first[1] = T(1);
    }
    __syncthreads();
    out[t] = tile[N - 1 - t] + view[N - 1 - t] + last + first[1];
}

template <class T> __global__ void dynamic(T *out, int n)
{
    extern __shared__ __align__(16) unsigned char raw[];
    extern __shared__ char again[];
    T *const values = reinterpret_cast<T *>(raw);
    values[threadIdx.x] = T(threadIdx.x) / 2;
    __syncthreads();
    out[threadIdx.x] = values[n - 1 - threadIdx.x] + T((void *)again == (void *)raw);
}

__global__ void dynamic_rows(int *out)
{
    extern __shared__ int rows[][4];
    rows[threadIdx.x / 4][threadIdx.x % 4] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = rows[1 - threadIdx.x / 4][threadIdx.x % 4];
}

__global__ void dynamic_of_the_file(int *out)
{
    of_the_file[threadIdx.x] = 3 * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = of_the_file[blockDim.x - 1 - threadIdx.x];
}

static __device__ int through_a_function(int value)
{
    int __shared__ buffer[32];
    buffer[threadIdx.x] = value;
    __syncthreads();
    const int result = buffer[31 - threadIdx.x];
    __syncthreads();
    return result;
}
class Tool
{
  public:
    __device__ static int reversed(int value)
    {
        static __shared__ int buffer[32];
        buffer[threadIdx.x] = 10 * value;
        __syncthreads();
        return buffer[31 - threadIdx.x];
    }
    __host__ __device__ explicit Tool(int v) : value_(v)
    {
    }
    __host__ __device__ int operator()(int x) const
    {
        return x * value_;
    }

  private:
    int value_;
};

__global__ void functions(int *out, Tool tool)
{
    auto twice = [=] __device__(int x) { return 2 * x; };
    out[threadIdx.x] = tool(twice(through_a_function(threadIdx.x))) + Tool::reversed(threadIdx.x);
}

template <class T> static void print(const char *name, const T *device, int n)
{
    T host[32];
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
    printf("%-10s", name);
    for (int i = 0; i < n; i++)
        printf(" %g", (double)host[i]);
    printf("\n");
}

int main()
{
    double *reals;
    int *integers, zero = 0, count = -1;
    float *floats;
    const float given[4] = {0.25f, 1.25f, 2.25f, 3.25f};
    const Settings chosen = {7, {1.5f, 2.5f}};
    CHECK(cudaMalloc(&reals, 32 * sizeof *reals));
    CHECK(cudaMalloc(&integers, 32 * sizeof *integers));
    CHECK(cudaMalloc(&floats, 32 * sizeof *floats));
    CHECK(cudaMemcpyToSymbol(weights, given, sizeof given));
    CHECK(cudaMemcpyToSymbol(settings, &chosen, sizeof chosen));
    CHECK(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
    CHECK(cudaMemcpyToSymbol(table, &given[3], sizeof(float), 2 * sizeof(float)));
    constants<<<1, 1>>>(reals);
    print("constants", reals, 4);
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    printf("counter %d, managed %d\n", count, shared_by_both);
    void *address;
    size_t bytes;
    CHECK(cudaGetSymbolAddress(&address, counter));
    CHECK(cudaMemset(address, 0, sizeof(int)));
    CHECK(cudaGetSymbolSize(&bytes, table));
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    printf("counter %d, table of %d bytes\n", count, (int)bytes);
    statics<float, 8><<<1, 8>>>(floats);
    print("float", floats, 8);
    statics<int, 4><<<1, 4>>>(integers);
    print("int", integers, 4);
    dynamic<float><<<1, 8, 8 * sizeof(float)>>>(floats, 8);
    print("dynamic", floats, 8);
    dynamic<double><<<1, 8, 8 * sizeof(double)>>>(reals, 8);
    print("double", reals, 8);
    dynamic_rows<<<1, 8, 8 * sizeof(int)>>>(integers);
    print("rows", integers, 8);
    dynamic_of_the_file<<<1, 8, 8 * sizeof(int)>>>(integers);
    print("file", integers, 8);
    functions<<<1, 32>>>(integers, Tool(3));
    print("functions", integers, 32);
    CHECK(cudaFree(reals));
    CHECK(cudaFree(integers));
    CHECK(cudaFree(floats));
    return 0;
}
