// SPDX-License-Identifier: BSD-3-Clause
// CUB's algorithms on whole arrays, in two phases, with its caching allocator and iterators.
#include <cstdio>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <cub/util_allocator.cuh>
#include <cub/util_debug.cuh>

constexpr int N = 20000, BINS = 8;

static cub::CachingDeviceAllocator allocator(8, 3, 9);

struct less {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return a < b;
    }
};
struct is_even {
    __device__ bool operator()(int x) const
    {
        return x % 2 == 0;
    }
};
struct largest {
    __device__ int operator()(int a, int b) const
    {
        return a > b ? a : b;
    }
};

// Calls an algorithm twice: for the size of its temporary storage, and with it.
template <class Algorithm> static void run(Algorithm algorithm)
{
    void *storage = nullptr;
    size_t bytes = 0;
    CubDebugExit(algorithm(storage, bytes));
    CubDebugExit(allocator.DeviceAllocate(&storage, bytes));
    CubDebugExit(algorithm(storage, bytes));
    CubDebugExit(allocator.DeviceFree(storage));
}

static int *in, *out, *more, *counts;

static void print(const char *name, const int *array, int count)
{
    static int host[N];
    unsigned sum = 0;
    CubDebugExit(cudaMemcpy(host, array, count * sizeof *host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++)
        sum = sum * 31 + (unsigned)host[i];
    printf("%-20s %5d values: %d ... %d, %08x\n", name, count, host[0], host[count - 1], sum);
}

static int one(const int *value)
{
    int host;
    CubDebugExit(cudaMemcpy(&host, value, sizeof host, cudaMemcpyDeviceToHost));
    return host;
}

int main()
{
    static int host[N];
    for (int i = 0; i < N; i++)
        host[i] = (int)((unsigned)i * 2654435761u >> 18);
    CubDebugExit(cudaMalloc(&in, sizeof host));
    CubDebugExit(cudaMalloc(&out, sizeof host));
    CubDebugExit(cudaMalloc(&more, sizeof host));
    CubDebugExit(cudaMalloc(&counts, sizeof host));
    CubDebugExit(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));

    run([](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, in, out, N); });
    print("reduce", out, 1);
    run([](void *t, size_t &b) {
        return cub::DeviceReduce::Reduce(t, b, in, out, N, largest(), -1);
    });
    print("reduce, largest", out, 1);
    run([](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, in, out, N); });
    print("inclusive sum", out, N);
    run([](void *t, size_t &b) {
        return cub::DeviceScan::ExclusiveScan(t, b, in, out, largest(), -1, N);
    });
    print("exclusive scan", out, N);
    run([](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, in, out, N); });
    print("radix sort", out, N);
    run([](void *t, size_t &b) {
        return cub::DeviceRadixSort::SortKeysDescending(t, b, in, out, N, 3, 9);
    });
    print("radix sort of 6 bits", out, N);
    CubDebugExit(cudaMemcpy(out, in, sizeof host, cudaMemcpyDeviceToDevice));
    run([](void *t, size_t &b) { return cub::DeviceMergeSort::SortKeys(t, b, out, N, less()); });
    print("merge sort", out, N);
    run([](void *t, size_t &b) {
        return cub::DeviceRunLengthEncode::Encode(t, b, out, more, counts, counts + N - 1, N);
    });
    print("run lengths", counts, one(counts + N - 1));
    run([](void *t, size_t &b) {
        return cub::DeviceSelect::If(t, b, in, out, counts, N, is_even());
    });
    print("select", out, one(counts));
    run([](void *t, size_t &b) {
        return cub::DevicePartition::If(t, b, in, out, counts, N, is_even());
    });
    print("partition", out, N);
    run([](void *t, size_t &b) {
        return cub::DeviceHistogram::HistogramEven(t, b, in, counts, BINS + 1, 0, 1 << 14, N);
    });
    print("histogram", counts, BINS);
    static const int offsets[] = {0, 5, 5, 7000, N};
    CubDebugExit(cudaMemcpy(more, offsets, sizeof offsets, cudaMemcpyHostToDevice));
    run([](void *t, size_t &b) {
        return cub::DeviceSegmentedReduce::Sum(t, b, in, out, 4, more, more + 1);
    });
    print("segmented reduce", out, 4);
    run([](void *t, size_t &b) {
        return cub::DeviceSegmentedRadixSort::SortKeys(t, b, in, out, N, 4, more, more + 1);
    });
    print("segmented sort", out, N);

    CubDebugExit(allocator.FreeAllCached());
    CubDebugExit(cudaFree(in));
    CubDebugExit(cudaFree(out));
    CubDebugExit(cudaFree(more));
    CubDebugExit(cudaFree(counts));
    return 0;
}
