// SPDX-License-Identifier: BSD-3-Clause
// Thrust: arrays of structures, tuples of three arrays, output iterators, sets and keys.
#include <cstdio>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/replace.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include <thrust/zip_function.h>

constexpr int N = 600;

struct particle {
    char kind; // with padding behind it
    double mass;
    int cell;
};
struct make_particle {
    __host__ __device__ particle operator()(int i) const
    {
        return {(char)('a' + i * 7 % 3), i * .5, (int)((unsigned)i * 2654435761u >> 27)};
    }
};
struct by_cell {
    __host__ __device__ bool operator()(const particle &a, const particle &b) const
    {
        return a.cell != b.cell ? a.cell < b.cell : a.mass > b.mass;
    }
};
struct mass_of {
    __host__ __device__ double operator()(const particle &p) const
    {
        return p.mass;
    }
};
struct is_heavy {
    __host__ __device__ bool operator()(const particle &p) const
    {
        return p.mass > 100;
    }
};
struct dot {
    __host__ __device__ int operator()(int x, int y, int z) const
    {
        return x + 10 * y + 100 * z;
    }
};
struct halved {
    __host__ __device__ int operator()(int x) const
    {
        return x / 2;
    }
};
struct nearest {
    __host__ __device__ thrust::tuple<int, int> operator()(const thrust::tuple<int, int> &a,
                                                           const thrust::tuple<int, int> &b) const
    {
        return thrust::get<0>(a) <= thrust::get<0>(b) ? a : b;
    }
};

// The values at both ends and a sum that depends on their order.
static void print(const char *name, const thrust::device_vector<int> &values, long count)
{
    const thrust::host_vector<int> host = values;
    unsigned sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum * 31 + (unsigned)host[i];
    printf("%-24s %4ld values: %d %d ... %d, %08x\n", name, count, host[0], host[1],
           host[count - 1], sum);
}

int main()
{
    // structures
    thrust::device_vector<particle> particles(N);
    thrust::tabulate(particles.begin(), particles.end(), make_particle());
    thrust::sort(particles.begin(), particles.end(), by_cell());
    const particle first = particles[0], last = particles.back();
    printf("%-24s %c %g %d, %c %g %d, %s\n", "sort of structures", first.kind, first.mass,
           first.cell, last.kind, last.mass, last.cell,
           thrust::is_sorted(particles.begin(), particles.end(), by_cell()) ? "sorted" : "not");
    printf("%-24s %g\n", "their masses",
           thrust::transform_reduce(particles.begin(), particles.end(), mass_of(), 0.,
                                    thrust::plus<double>()));
    const thrust::device_vector<particle>::iterator lightest =
        thrust::min_element(particles.begin(), particles.end(), by_cell());
    thrust::device_vector<particle> heavy(N), light(N);
    const auto ends = thrust::partition_copy(particles.begin(), particles.end(), heavy.begin(),
                                             light.begin(), is_heavy());
    printf("%-24s %ld, %ld %ld\n", "the first, partition_copy",
           (long)(lightest - particles.begin()), (long)(ends.first - heavy.begin()),
           (long)(ends.second - light.begin()));

    // tuples
    thrust::host_vector<int> host(N);
    unsigned state = 1;
    thrust::generate(host.begin(), host.end(),
                     [&state] { return (int)((state = state * 1103515245u + 12345) >> 22); });
    thrust::device_vector<int> x = host, y(N), z(N, 2), out(N), other(N);
    thrust::sequence(y.begin(), y.end());
    const auto three = thrust::make_zip_iterator(x.begin(), y.begin(), z.begin());
    thrust::transform(three, three + N, out.begin(), thrust::make_zip_function(dot()));
    print("zip of three", out, N);
    const thrust::tuple<int, int> least = thrust::reduce(
        thrust::make_zip_iterator(x.begin(), y.begin()),
        thrust::make_zip_iterator(x.end(), y.end()), thrust::make_tuple(9999, 0), nearest());
    printf("%-24s %d at %d\n", "least with its place", thrust::get<0>(least),
           thrust::get<1>(least));
    const auto extremes = thrust::minmax_element(x.begin(), x.end());
    printf("%-24s %d %d\n", "minmax_element", (int)*extremes.first, (int)*extremes.second);

    // output iterators and conditions
    thrust::transform(x.begin(), x.end(), y.begin(),
                      thrust::make_transform_output_iterator(out.begin(), halved()),
                      thrust::plus<int>());
    print("transform_output", out, N);
    thrust::replace_if(out.begin(), out.end(), thrust::placeholders::_1 == 0, 7);
    thrust::transform_if(x.begin(), x.end(), y.begin(), out.begin(), thrust::negate<int>(),
                         [] __host__ __device__(int i) { return i % 3 == 0; });
    print("transform_if", out, N);
    out = x;
    out[400] = -1;
    printf("%-24s %ld\n", "mismatch",
           (long)(thrust::mismatch(out.begin(), out.end(), x.begin()).first - out.begin()));

    // keys
    thrust::device_vector<int> keys = x;
    thrust::stable_sort_by_key(keys.begin(), keys.end(), y.begin(), thrust::greater<int>());
    print("stable_sort, greater", y, N);
    out = keys;
    const auto unique = thrust::unique_by_key(out.begin(), out.end(), y.begin());
    print("unique_by_key", y, unique.second - y.begin());
    const auto reduced =
        thrust::reduce_by_key(keys.begin(), keys.end(), z.begin(), out.begin(), other.begin());
    print("reduce_by_key", other, reduced.second - other.begin());
    thrust::stable_sort(keys.begin(), keys.end());
    const auto range = thrust::equal_range(keys.begin(), keys.end(), host[5]);
    printf("%-24s %ld %ld\n", "equal_range", (long)(range.first - keys.begin()),
           (long)(range.second - keys.begin()));

    // sets
    thrust::device_vector<int> evens(N), threes(N), both(2 * N), values(2 * N);
    thrust::tabulate(evens.begin(), evens.end(), 2 * thrust::placeholders::_1);
    thrust::tabulate(threes.begin(), threes.end(), 3 * thrust::placeholders::_1);
    print(
        "set_union", both,
        thrust::set_union(evens.begin(), evens.end(), threes.begin(), threes.end(), both.begin()) -
            both.begin());
    print("set_intersection", both,
          thrust::set_intersection(evens.begin(), evens.end(), threes.begin(), threes.end(),
                                   both.begin()) -
              both.begin());
    print("set_symmetric_difference", both,
          thrust::set_symmetric_difference(evens.begin(), evens.end(), threes.begin(), threes.end(),
                                           both.begin()) -
              both.begin());
    thrust::merge_by_key(evens.begin(), evens.end(), threes.begin(), threes.end(), x.begin(),
                         z.begin(), both.begin(), values.begin());
    print("merge_by_key", values, 2 * N);
    return 0;
}
