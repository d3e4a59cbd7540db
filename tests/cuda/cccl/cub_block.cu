// SPDX-License-Identifier: BSD-3-Clause
// CUB in kernels: blocks, warps and threads.
#include <cstdio>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_store.cuh>
#include <cub/util_ptx.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>

constexpr int THREADS = 128, ITEMS = 4, N = THREADS * ITEMS;

struct largest {
    __device__ int operator()(int a, int b) const
    {
        return a > b ? a : b;
    }
};
struct less {
    __device__ bool operator()(int a, int b) const
    {
        return a < b;
    }
};
struct differ {
    __device__ bool operator()(int a, int b) const
    {
        return a / 100 != b / 100;
    }
};
struct minus {
    __device__ int operator()(int a, int b) const
    {
        return a - b;
    }
};

template <cub::BlockReduceAlgorithm Algorithm> __global__ void reduces(const int *in, int *out)
{
    typedef cub::BlockReduce<int, THREADS, Algorithm> reduce;
    __shared__ typename reduce::TempStorage storage;
    const int sum = reduce(storage).Sum(in[threadIdx.x]);
    __syncthreads();
    const int most = reduce(storage).Reduce(in[threadIdx.x], largest());
    __syncthreads();
    const int part = reduce(storage).Sum(in[threadIdx.x], 77);
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = most;
        out[2] = part;
    }
}

template <cub::BlockScanAlgorithm Algorithm> __global__ void scans(const int *in, int *out)
{
    typedef cub::BlockScan<int, THREADS, Algorithm> scan;
    __shared__ typename scan::TempStorage storage;
    int items[ITEMS], sums[ITEMS], total;
    for (int i = 0; i < ITEMS; i++)
        items[i] = in[threadIdx.x * ITEMS + i];
    scan(storage).ExclusiveSum(items, sums, total);
    __syncthreads();
    int most;
    scan(storage).InclusiveScan(in[threadIdx.x], most, largest());
    for (int i = 0; i < ITEMS; i++)
        out[threadIdx.x * ITEMS + i] = sums[i] + most + total;
}

// Striped loads, a sort by key, blocked stores.
__global__ void sorts(const int *in, int *keys_out, int *values_out)
{
    typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE> load;
    typedef cub::BlockRadixSort<int, THREADS, ITEMS, int> sort;
    typedef cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE> store;
    __shared__ union {
        typename load::TempStorage of_load;
        typename sort::TempStorage of_sort;
        typename store::TempStorage of_store;
    } storage;
    int keys[ITEMS], values[ITEMS];
    load(storage.of_load).Load(in, keys);
    for (int i = 0; i < ITEMS; i++)
        values[i] = threadIdx.x * ITEMS + i;
    __syncthreads();
    sort(storage.of_sort).Sort(keys, values);
    __syncthreads();
    store(storage.of_store).Store(keys_out, keys);
    __syncthreads();
    store(storage.of_store).Store(values_out, values);
}

__global__ void merge_sorts(const int *in, int *out)
{
    typedef cub::BlockMergeSort<int, THREADS, ITEMS> sort;
    typedef cub::BlockExchange<int, THREADS, ITEMS> exchange;
    __shared__ typename sort::TempStorage storage;
    __shared__ typename exchange::TempStorage exchanged;
    int items[ITEMS];
    cub::LoadDirectStriped<THREADS>(threadIdx.x, in, items);
    sort(storage).Sort(items, less());
    exchange(exchanged).BlockedToStriped(items, items);
    cub::StoreDirectStriped<THREADS>(threadIdx.x, out, items);
}

__global__ void neighbours(const int *in, int *out)
{
    typedef cub::BlockDiscontinuity<int, THREADS> discontinuity;
    typedef cub::BlockAdjacentDifference<int, THREADS> difference;
    typedef cub::BlockShuffle<int, THREADS> shuffle;
    __shared__ typename discontinuity::TempStorage a;
    __shared__ typename difference::TempStorage b;
    __shared__ typename shuffle::TempStorage c;
    int item[1] = {in[threadIdx.x]}, flag[1], change[1], next = -1;
    discontinuity(a).FlagHeads(flag, item, differ());
    difference(b).SubtractLeft(item, change, minus());
    shuffle(c).Offset(item[0], next, 1);
    out[threadIdx.x] = flag[0] + 2 * change[0] + 3 * (threadIdx.x < THREADS - 1 ? next : 0);
}

template <cub::BlockHistogramAlgorithm Algorithm>
__global__ void histograms(const int *in, int *out)
{
    typedef cub::BlockHistogram<unsigned char, THREADS, ITEMS, 16, Algorithm> histogram;
    __shared__ typename histogram::TempStorage storage;
    __shared__ int bins[16];
    unsigned char items[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = (unsigned char)(in[threadIdx.x * ITEMS + i] % 16);
    histogram(storage).Histogram(items, bins);
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void warps(const int *in, int *out)
{
    typedef cub::WarpReduce<int> reduce;
    typedef cub::WarpReduce<int, 16> half_reduce;
    typedef cub::WarpScan<int> scan;
    typedef cub::WarpMergeSort<int, ITEMS, 32> sort;
    typedef cub::WarpExchange<int, ITEMS> exchange;
    __shared__ typename reduce::TempStorage reduces[THREADS / 32];
    __shared__ typename half_reduce::TempStorage half_reduces[THREADS / 16];
    __shared__ typename scan::TempStorage scans[THREADS / 32];
    __shared__ typename sort::TempStorage sorts[THREADS / 32];
    __shared__ typename exchange::TempStorage exchanges[THREADS / 32];
    const int warp = threadIdx.x / 32, value = in[threadIdx.x];
    int before, upto, items[ITEMS];
    const int sum = reduce(reduces[warp]).Sum(value);
    const int half = half_reduce(half_reduces[threadIdx.x / 16]).Reduce(value, largest());
    scan(scans[warp]).ExclusiveSum(value, before);
    __syncwarp();
    scan(scans[warp]).InclusiveScan(value, upto, largest());
    for (int i = 0; i < ITEMS; i++)
        items[i] = in[threadIdx.x * ITEMS + i];
    sort(sorts[warp]).Sort(items, less());
    exchange(exchanges[warp]).BlockedToStriped(items, items);
    out[threadIdx.x] = before + upto + items[0] + 7 * items[ITEMS - 1] +
                       (threadIdx.x % 32 == 0 ? sum : 0) + (threadIdx.x % 16 == 0 ? half : 0);
}

__global__ void threads(const int *in, int *out)
{
    const cub::CacheModifiedInputIterator<cub::LOAD_LDG, int> iterator(in);
    const int a = cub::ThreadLoad<cub::LOAD_CG>(in + threadIdx.x), b = iterator[threadIdx.x];
    const int low = cub::ThreadLoad<cub::LOAD_CV>(in + threadIdx.x) & 0xff;
    cub::ThreadStore<cub::STORE_WB>(out + threadIdx.x,
                                    a + b + low + (int)cub::ShuffleIndex<32>(a, 5, 0xffffffff) +
                                        (int)cub::ShuffleDown<32>(a, 1, 31, 0xffffffff));
}

static int *in, *out, *more;

static void print(const char *name, const int *array, int count)
{
    static int host[N];
    unsigned sum = 0;
    const cudaError_t error = cudaMemcpy(host, array, count * sizeof *host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        sum = sum * 31 + (unsigned)host[i];
    printf("%-20s %d %d %d ... %d, %08x%s\n", name, host[0], host[1], host[2], host[count - 1], sum,
           error == cudaSuccess ? "" : cudaGetErrorString(error));
}

int main()
{
    static int host[N];
    for (int i = 0; i < N; i++)
        host[i] = (int)((unsigned)i * 2654435761u >> 22);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&more, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);

    reduces<cub::BLOCK_REDUCE_RAKING><<<1, THREADS>>>(in, out);
    print("reduce, raking", out, 3);
    reduces<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY><<<1, THREADS>>>(in, out);
    print("reduce, commutative", out, 3);
    reduces<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, THREADS>>>(in, out);
    print("reduce, warps", out, 3);
    scans<cub::BLOCK_SCAN_RAKING><<<1, THREADS>>>(in, out);
    print("scan, raking", out, N);
    scans<cub::BLOCK_SCAN_RAKING_MEMOIZE><<<1, THREADS>>>(in, out);
    print("scan, memoize", out, N);
    scans<cub::BLOCK_SCAN_WARP_SCANS><<<1, THREADS>>>(in, out);
    print("scan, warps", out, N);
    sorts<<<1, THREADS>>>(in, out, more);
    print("radix sort, keys", out, N);
    print("radix sort, values", more, N);
    merge_sorts<<<1, THREADS>>>(in, out);
    print("merge sort", out, N);
    neighbours<<<1, THREADS>>>(in, out);
    print("neighbours", out, THREADS);
    histograms<cub::BLOCK_HISTO_SORT><<<1, THREADS>>>(in, out);
    print("histogram, sort", out, 16);
    histograms<cub::BLOCK_HISTO_ATOMIC><<<1, THREADS>>>(in, out);
    print("histogram, atomic", out, 16);
    warps<<<1, THREADS>>>(in, out);
    print("warps", out, THREADS);
    threads<<<1, THREADS>>>(in, out);
    print("threads", out, THREADS);
    cudaFree(in);
    cudaFree(out);
    cudaFree(more);
    return 0;
}
