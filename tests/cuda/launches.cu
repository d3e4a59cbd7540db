// SPDX-License-Identifier: BSD-3-Clause
// Launches in every form: templates, namespaces, pointers, macros, commas, comments, defaults.
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

__global__ void plain(int *out)
{
    out[threadIdx.x] = threadIdx.x + 1;
}

template <class T> __global__ void deduced(T *out, T value)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

template <class T, int N, bool Twice = false>
__global__ __launch_bounds__(N) void explicit_arguments(T *out)
{
    if (Twice)
        out[threadIdx.x] *= 2;
    else
        out[threadIdx.x] = N;
}

template <> __global__ void explicit_arguments<int, 7, false>(int *out)
{
    out[threadIdx.x] = -7;
}

namespace outer
{
namespace inner
{
static __global__ void hidden(int *out, const int n = 3)
{
    if (threadIdx.x < n)
        out[threadIdx.x] += 100;
}
} // namespace inner
template <typename... Values> __global__ void variadic(int *out, Values... values)
{
    int sum = 0;
    const int list[] = {values...};
    for (int value : list)
        sum += value;
    out[threadIdx.x] = sum;
}
} // namespace outer

extern "C" __global__ void c_linkage(int *out, int (*table)[2])
{
    out[0] = table[1][1];
}

struct Point {
    double x, y;
    int tag;
};
template <class T> int operator<<(Point p, T n)
{
    return p.tag << n;
}
__global__ void by_value(Point p, int *out, Point *q)
{
    p.x += threadIdx.x; /* a thread's own copy */
    out[threadIdx.x] = (int)(p.x + p.y) + p.tag;
    q[threadIdx.x] = p;
}

__global__ void declared_before(int *out, float, int last);

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define GRID 1, 4

typedef void (*kernel_pointer)(int *);
static kernel_pointer choose(bool first)
{
    return first ? plain : explicit_arguments<int, 4>;
}

struct Launcher {
    kernel_pointer kernel;
    template <int N> void go(int *out) const
    {
        kernel<<<1, N>>>(out);
        this->kernel<<<1, N>>>(out);
    }
};

static int *out, host[64];
static void show(const char *name, int n)
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%-20s", name);
    for (int i = 0; i < n; i++)
        printf(" %d", host[i]);
    printf("\n");
}

int main()
{
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMemset(out, 0, sizeof host));
    plain<<<1, 4>>>(out);
    show("plain", 4);
    plain<<<dim3(1), dim3(2, 1, 1), 0>>>(out);
    plain<<<dim3{1, 1, 1}, (2 > 1 ? 3 : 1), 0, 0>>>(out);
    show("dim3", 4);
    deduced<<<2, 2>>>(out, 5);
    show("deduced", 4);
    deduced<int><<<(4 + 1) / 4, /* a comment, with >>> */ 4>>>(out, 6); // <<<
    show("explicit", 4);
    explicit_arguments<int, 8><<<1, 8>>>(out);
    show("template bounds", 8);
    explicit_arguments<int, 8, true><<<1, 8>>>(out);
    show("template of three", 8);
    // clang-format off
    plain<<<1, operator<< <int>(Point{0, 0, 2}, 1)>>>(out);
    explicit_arguments<int, 7> << <1, (7 >> 0) >> > (out); // as formatters that know no CUDA have it
    // clang-format on
    show("specialised", 8);
    outer::inner::hidden<<<1, 8>>>(out);
    show("default argument", 8);
    outer::inner::hidden<<<1, 8>>>(out, 5);
    show("hidden", 8);
    ::outer::variadic<<<1, 2>>>(out, 1, 2, 3);
    show("variadic", 2);
    LAUNCH(plain, 1, 8, out);
    LAUNCH((explicit_arguments<int, 16>), 1, 4, out);
    show("by a macro", 8);
    plain<<<GRID>>>(out);
    show("macro in the middle", 4);
    choose(true)<<<1, 4>>>(out);
    show("function's result", 4);
    const kernel_pointer kernels[] = {choose(false), plain};
    kernels[0]<<<1, 4>>>(out);
    show("array of pointers", 4);
    (*kernels[1])<<<1, 4>>>(out);
    show("dereferenced", 4);
    Launcher{plain}.go<6>(out);
    show("member", 6);
    for (int i = 0; i < 2; i++)
        if (i == 1)
            deduced<<<1, 4>>>(out, i++);
        else
            deduced<<<1, 4>>>(out, 50);
    show("statement", 4);
    int(*table)[2];
    const int values[2][2] = {{1, 2}, {3, 4}};
    CHECK(cudaMalloc((void **)&table, sizeof values));
    CHECK(cudaMemcpy(table, values, sizeof values, cudaMemcpyHostToDevice));
    c_linkage<<<1, 1>>>(out, table);
    show("C linkage", 1);
    Point p = {0.5, 2.5, 10}, *q;
    CHECK(cudaMalloc(&q, 4 * sizeof *q));
    by_value<<<1, 4>>>(p, out, q);
    show("structure", 4);
    declared_before<<<1, 1>>>(out, 1.5f, 9);
    show("declared before", 1);
    void *arguments[] = {&p, &out, &q};
    p.tag = 20;
    CHECK(cudaLaunchKernel((void *)by_value, dim3(1), dim3(4), arguments, 0, 0));
    show("cudaLaunchKernel", 4);
    const char *raw = R"(not a <<<launch>>>(x) and not a " quote)";
    printf("%s %c\n", raw, '"');
    plain<<<0, 1>>>(out);
    printf("empty grid: error %d\n", (int)cudaGetLastError());
    plain<<<1, 2048>>>(out);
    printf("large block: error %d\n", (int)cudaGetLastError());
    explicit_arguments<int, 8><<<1, 16>>>(out);
    printf("over the bounds: %s\n", cudaGetLastError() != cudaSuccess ? "error" : "no error");
    CHECK(cudaFree(q));
    CHECK(cudaFree(table));
    CHECK(cudaFree(out));
    return 0;
}

__global__ void declared_before(int *result, float, int last)
{
    *result = last;
}
