// SPDX-License-Identifier: BSD-3-Clause
// Thrust: algorithms on device_vector, with functors of the device alone, and fancy iterators.
#include <cstdio>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

constexpr int N = 1000;

struct twice {
    __device__ int operator()(int x) const
    {
        return 2 * x;
    }
};
struct is_odd {
    __device__ bool operator()(int x) const
    {
        return x % 2 != 0;
    }
};
struct hash {
    __host__ __device__ int operator()(int x) const
    {
        return (int)((unsigned)x * 2654435761u >> 24);
    }
};
struct backwards {
    __device__ bool operator()(int a, int b) const
    {
        return a > b;
    }
};
struct sum_of_pair {
    __device__ int operator()(const thrust::tuple<int, int> &pair) const
    {
        return thrust::get<0>(pair) + 10 * thrust::get<1>(pair);
    }
};

// The values at both ends and a sum that depends on their order.
static void print(const char *name, const thrust::device_vector<int> &values, int count)
{
    const thrust::host_vector<int> host = values;
    unsigned sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum * 31 + (unsigned)host[i];
    printf("%-22s %4d values: %d %d ... %d, %08x\n", name, count, host[0], host[1], host[count - 1],
           sum);
}

int main()
{
    thrust::device_vector<int> numbers(N), mixed(N), out(N), other(N);
    const auto zero = thrust::make_counting_iterator(0);

    thrust::sequence(numbers.begin(), numbers.end());
    thrust::transform(numbers.begin(), numbers.end(), out.begin(), twice());
    print("transform", out, N);
    thrust::transform(zero, zero + N, mixed.begin(), hash());
    print("mixed", mixed, N);

    printf("%-22s %d %d\n", "reduce", thrust::reduce(mixed.begin(), mixed.end()),
           thrust::reduce(mixed.begin(), mixed.end(), -1, thrust::maximum<int>()));
    printf("%-22s %d\n", "transform_reduce",
           thrust::transform_reduce(mixed.begin(), mixed.end(), twice(), 1, thrust::plus<int>()));
    printf("%-22s %d\n", "inner_product",
           thrust::inner_product(numbers.begin(), numbers.end(), mixed.begin(), 0));
    printf("%-22s %d\n", "count_if", (int)thrust::count_if(mixed.begin(), mixed.end(), is_odd()));
    printf("%-22s %d %d\n", "find, extrema",
           (int)(thrust::find(mixed.begin(), mixed.end(), hash()(700)) - mixed.begin()),
           (int)(thrust::max_element(mixed.begin(), mixed.end()) - mixed.begin()));
    printf("%-22s %d %d\n", "logical", (int)thrust::all_of(out.begin(), out.end(), is_odd()),
           (int)thrust::any_of(mixed.begin(), mixed.end(), is_odd()));

    thrust::inclusive_scan(mixed.begin(), mixed.end(), out.begin());
    print("inclusive_scan", out, N);
    thrust::transform_exclusive_scan(mixed.begin(), mixed.end(), out.begin(), twice(), 7,
                                     thrust::plus<int>());
    print("transform_scan", out, N);
    thrust::adjacent_difference(mixed.begin(), mixed.end(), out.begin());
    print("adjacent_difference", out, N);

    out = mixed;
    thrust::sort(out.begin(), out.end());
    print("sort", out, N);
    thrust::lower_bound(out.begin(), out.end(), zero, zero + N, other.begin());
    print("lower_bound", other, N);
    int count = (int)(thrust::unique(out.begin(), out.end()) - out.begin());
    print("unique", out, count);
    out = mixed;
    other = numbers;
    thrust::stable_sort_by_key(out.begin(), out.end(), other.begin(), backwards());
    print("stable_sort_by_key", other, N);

    count = (int)(thrust::copy_if(mixed.begin(), mixed.end(), out.begin(), is_odd()) - out.begin());
    print("copy_if", out, count);
    out = mixed;
    count = (int)(thrust::remove_if(out.begin(), out.end(), is_odd()) - out.begin());
    print("remove_if", out, count);
    out = mixed;
    count = (int)(thrust::stable_partition(out.begin(), out.end(), is_odd()) - out.begin());
    print("stable_partition", out, N);
    thrust::reverse(out.begin(), out.end());
    print("reverse", out, N);

    // Ten values each of 0, 1, 2, ...
    const auto keys =
        thrust::make_transform_iterator(zero, [] __host__ __device__(int i) { return i / 10; });
    count = (int)(thrust::reduce_by_key(keys, keys + N, mixed.begin(),
                                        thrust::make_discard_iterator(), out.begin())
                      .second -
                  out.begin());
    print("reduce_by_key", out, count);
    thrust::exclusive_scan_by_key(keys, keys + N, mixed.begin(), out.begin());
    print("scan_by_key", out, N);

    thrust::gather(numbers.rbegin(), numbers.rend(), mixed.begin(), out.begin());
    print("gather", out, N);
    thrust::scatter(mixed.begin(), mixed.end(), numbers.rbegin(), out.begin());
    print("scatter", out, N);
    const auto backward = thrust::make_permutation_iterator(mixed.begin(), numbers.rbegin());
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(numbers.begin(), backward));
    thrust::transform(pairs, pairs + N, out.begin(), sum_of_pair());
    print("zip, permutation", out, N);

    thrust::merge(numbers.begin(), numbers.begin() + 500, keys, keys + 500, out.begin());
    print("merge", out, N);
    count =
        (int)(thrust::set_difference(numbers.begin(), numbers.begin() + 300, numbers.begin() + 100,
                                     numbers.begin() + 200, out.begin()) -
              out.begin());
    print("set_difference", out, count);
    thrust::fill_n(out.begin(), 5, 3);
    thrust::copy_n(thrust::make_constant_iterator(4), 5, out.begin() + 5);
    print("fill, constant", out, 10);
    return 0;
}
