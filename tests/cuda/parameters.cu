// SPDX-License-Identifier: BSD-3-Clause
// Parameters of every kind: references in each form, by value without a copy constructor, aligned to
// more than 16 bytes; in launches, cudaLaunchKernel, graphs, and from other kernels.
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <type_traits>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess) {                                                               \
            printf("%s:%d: error %d\n", __FILE__, __LINE__, (int)error_);                          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct Cell {
    int value, other;
};
typedef Cell &CellReference;
using Row = int[4];

__global__ void plain(Cell &c)
{
    c.value++;
}
__global__ void hidden(CellReference c, const int &by)
{
    c.value += by;
}
__global__ void array(int (&row)[4], const Row &from)
{
    static_assert(sizeof row == sizeof(Row));
    row[threadIdx.x] += from[3 - threadIdx.x];
}
template <class T> __global__ void generic(T x)
{
    x.value += 10;
}
template <class... T> __global__ void pack(int n, T... cells)
{
    (void)std::initializer_list<int>{(cells.value += n++, 0)...};
}
template <class... T> __global__ void references(const T &...from, int *to)
{
    *to = (from.value + ... + (int)sizeof...(from));
}
template <class T, int... N> __global__ void arrays(T (&...rows)[N])
{
    ((rows[N - 1] += N), ...);
}
__device__ int twice(int x)
{
    return 2 * x;
}
typedef int function(int);
__device__ function *chosen = twice;
__global__ void choose(function **f)
{
    *f = chosen;
}
__global__ void called(function &f, int *out)
{
    *out = f(21);
}

/* CUDA copies an argument to the device bit by bit. */
struct Counted {
    int copies, values[100];
    __host__ __device__ explicit Counted(int first) : copies(0)
    {
        for (int i = 0; i < 100; i++)
            values[i] = first + i;
    }
    __host__ __device__ Counted(const Counted &c) : copies(c.copies + 1)
    {
        for (int i = 0; i < 100; i++)
            values[i] = c.values[i];
    }
    __host__ __device__ ~Counted()
    {
        copies = -1;
    }
};
__global__ void counted(Counted c, const Counted d, int *out)
{
    c.values[threadIdx.x] += c.copies + d.values[1]; /* a thread's own */
    out[threadIdx.x] = c.values[0] + c.values[1];
}
/* Each thread changes its own copy. */
__global__ void changed(Cell c, int n, const int first, volatile int last, int *out)
{
    static_assert(std::is_same<decltype(c), Cell>::value, "");
    static_assert(std::is_same<decltype(first), const int>::value, "");
    auto add = [=](int x) { return x + n; };
    n += threadIdx.x;
    c.value += add(threadIdx.x);
    last += n + first;
    out[threadIdx.x] = c.value + last;
}

struct alignas(32) Wide {
    double x[4];
};
struct alignas(64) Line {
    int x[16];
    __host__ __device__ Line(int first)
    {
        for (int i = 0; i < 16; i++)
            x[i] = first + i;
    }
    __host__ __device__ Line(const Line &other)
    {
        for (int i = 0; i < 16; i++)
            x[i] = other.x[i];
    }
};
__device__ int misaligned(const void *p, size_t n)
{
    return reinterpret_cast<uintptr_t>(p) % n != 0;
}
__global__ void aligned(char c, Wide w, char d, Line l, char e, int *out)
{
    out[threadIdx.x] = misaligned(&w, 32) + misaligned(&l, 64);
    l.x[threadIdx.x]++;
    w.x[1] += threadIdx.x;
    out[threadIdx.x] += l.x[0] + l.x[1] + (int)w.x[1] + c + d + e;
}

/* Names and types that are hard to tell apart. */
namespace space
{
struct Type {
    int member, second;
    template <class T> struct Inner {
        T value;
        typedef T type;
    };
};
} // namespace space
__global__ void declarators(struct space::Type a, const space::Type::Inner<int> b, int *const out,
                            unsigned long long int c, int (*d)[2], int const e, ::space::Type g,
                            decltype(1 + 1) h, [[maybe_unused]] int, float,
                            space::Type::Inner<space::Type>, long i[3], const int *__restrict__ j,
                            const int *const *k)
{
    out[0] = a.member + b.value + (int)c + d[1][1] + e + g.second + h + (int)i[2] + j[1] + **k;
}
template <class T>
__global__ void dependent(typename T::template Inner<int>::type a,
                          const typename T::template Inner<T> &b, int *out, int n = (3 > 2))
{
    *out = a + b.value.member + n;
}

__global__ void parent(Cell &c, Wide w)
{
    plain<<<1, 1>>>(c);
    hidden<<<1, 1>>>(c, c.other);
    generic<Cell &><<<1, 1>>>(c);
    w.x[0]++;
}

static int *out;
static void show(const char *name, int n)
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("%-14s", name);
    for (int i = 0; i < n; i++)
        printf(" %d", out[i]);
    printf("\n");
}

int main()
{
    Cell *c;
    CHECK(cudaMallocManaged(&out, 64 * sizeof *out));
    CHECK(cudaMallocManaged(&c, 4 * sizeof *c));
    for (int i = 0; i < 4; i++)
        c[i] = Cell{10 * i, i + 1};
    plain<<<1, 1>>>(c[0]);
    hidden<<<1, 1>>>(c[0], c[1].other);
    CHECK(cudaDeviceSynchronize()); // the host reads c[0] for the next
    generic<<<1, 1>>>(c[0]);
    generic<Cell &><<<1, 1>>>(c[0]);
    CHECK(cudaDeviceSynchronize());
    pack<<<1, 1>>>(100, c[0], c[1]);
    pack<Cell &, Cell, CellReference><<<1, 1>>>(100, c[0], c[1], c[2]);
    CHECK(cudaDeviceSynchronize());
    printf("references     %d %d %d\n", c[0].value, c[1].value, c[2].value);
    references<Cell, Cell><<<1, 1>>>(c[0], c[2], out);
    show("pack", 1);

    int *rows;
    CHECK(cudaMallocManaged(&rows, 8 * sizeof *rows));
    for (int i = 0; i < 8; i++)
        rows[i] = i;
    Row &first = *reinterpret_cast<Row *>(rows), &second = *reinterpret_cast<Row *>(rows + 4);
    array<<<1, 4>>>(first, second);
    arrays<<<1, 1>>>(first, second);
    CHECK(cudaDeviceSynchronize());
    printf("arrays         %d %d %d %d %d\n", rows[0], rows[1], rows[2], rows[3], rows[7]);

    function **f;
    CHECK(cudaMallocManaged(&f, sizeof *f));
    choose<<<1, 1>>>(f);
    CHECK(cudaDeviceSynchronize());
    called<<<1, 1>>>(**f, out);
    show("function", 1);

    Counted counted_by(5);
    counted<<<1, 3>>>(counted_by, counted_by, out);
    show("counted", 3);
    changed<<<1, 4>>>(Cell{1, 2}, 3, 4, 5, out);
    show("changed", 4);
    aligned<<<1, 3>>>(1, Wide{{1, 2, 3, 4}}, 2, Line(20), 3, out);
    show("aligned", 3);

    int(*pairs)[2] = reinterpret_cast<int(*)[2]>(rows);
    long *longs;
    int **pointers;
    CHECK(cudaMallocManaged(&longs, 3 * sizeof *longs));
    CHECK(cudaMallocManaged(&pointers, sizeof *pointers));
    longs[2] = 1000;
    *pointers = rows + 6;
    declarators<<<1, 1>>>(space::Type{1, 2}, space::Type::Inner<int>{3}, out, 4, pairs, 5,
                          space::Type{6, 7}, 8, 0, 0, {}, longs, rows, pointers);
    show("declarators", 1);
    space::Type::Inner<space::Type> *inner;
    CHECK(cudaMallocManaged(&inner, sizeof *inner));
    inner->value.member = 40;
    dependent<space::Type><<<1, 1>>>(2, *inner, out);
    show("dependent", 1);

    /* The argument of a reference is the address of an address. */
    Cell *address = c;
    const int *by = &c[3].other;
    void *arguments[] = {&address, &by};
    CHECK(cudaLaunchKernel((const void *)hidden, 1, 1, arguments, 0, 0));
    CHECK(cudaDeviceSynchronize());
    printf("launched       %d\n", c[0].value);
    char one = 1, two = 2, three = 3;
    Wide wide = {{1, 2, 3, 4}};
    Line line(30);
    void *others[] = {&one, &wide, &two, &line, &three, &out};
    CHECK(cudaLaunchKernel((const void *)aligned, 1, 3, others, 0, 0));
    show("aligned", 3);
    void *more[] = {&counted_by, &counted_by, &out};
    CHECK(cudaLaunchKernel((const void *)counted, 1, 2, more, 0, 0));
    show("counted", 2);
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, (const void *)counted));

    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    plain<<<1, 1, 0, stream>>>(c[0]);
    hidden<<<1, 1, 0, stream>>>(c[0], c[3].other);
    aligned<<<1, 3, 0, stream>>>(1, wide, 2, line, 3, out);
    CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphNode_t node;
    cudaKernelNodeParams parameters = {};
    parameters.func = (void *)hidden;
    parameters.gridDim = parameters.blockDim = 1;
    Cell *second_address = c + 1; /* this node may run beside the others */
    void *of_node[] = {&second_address, &by};
    parameters.kernelParams = of_node;
    CHECK(cudaGraphAddKernelNode(&node, graph, NULL, 0, &parameters));
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    out[0] = out[1] = 0;
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaGraphLaunch(run, stream));
    show("graph", 2);
    printf("graph          %d %d\n", c[0].value, c[1].value);
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    parent<<<1, 1>>>(c[0], wide);
    CHECK(cudaDeviceSynchronize());
    printf("children       %d\n", c[0].value);
    void *const owned[] = {out, c, rows, f, longs, pointers, inner};
    for (void *memory : owned)
        CHECK(cudaFree(memory));
}
