// SPDX-License-Identifier: BSD-3-Clause
// Thrust: containers, pointers and references, policies with streams and allocators, futures,
// complex numbers, random numbers.
#include <cstdio>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/mr/allocator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform_reduce.h>
#include <thrust/universal_vector.h>
#if __has_include(<thrust/async/reduce.h>) // until CCCL 3
#include <thrust/async/reduce.h>
#include <thrust/async/transform.h>
#endif

constexpr int N = 256;

__global__ void add(int *values, int by)
{
    values[threadIdx.x] += by;
}

struct square {
    __device__ int operator()(int x) const
    {
        return x * x;
    }
};
struct draw {
    __device__ float operator()(int i) const
    {
        thrust::default_random_engine engine;
        thrust::uniform_real_distribution<float> unit(0, 1);
        engine.discard(i);
        return unit(engine);
    }
};
struct magnitude {
    __host__ __device__ float operator()(thrust::complex<float> z) const
    {
        return thrust::norm(z * thrust::conj(z) + thrust::complex<float>(0, 1));
    }
};

// Gives the memory of one array to every caller, and counts.
struct one_array {
    typedef char value_type;
    char *bytes;
    int *calls;

    char *allocate(std::ptrdiff_t count)
    {
        ++*calls;
        return count <= 1 << 16 ? bytes : nullptr;
    }
    void deallocate(char *, size_t)
    {
        ++*calls;
    }
};

static void containers()
{
    thrust::device_vector<int> values(4, 7);
    values.push_back(1);
    values.insert(values.begin(), 2);
    values[1] = values[5] + 40;
    ++values[2];
    values[3] += 10;
    thrust::device_reference<int> first = values[0], fifth = values[4];
    swap(first, fifth);
    values.erase(values.end() - 2);
    printf("vector      ");
    for (size_t i = 0; i < values.size(); i++)
        printf(" %d", (int)values[i]);
    values.resize(8, -1);
    printf(", %d of %zu, front %d\n", (int)values.back(), values.size(), (int)values.front());
    const thrust::host_vector<int> host(values.begin(), values.begin() + 3);
    const thrust::device_vector<int> copy = host;
    printf("equal        %d %d\n", copy == host, values == copy);

    thrust::universal_vector<int> shared(N, 1);
    add<<<1, N>>>(thrust::raw_pointer_cast(shared.data()), 5);
    cudaDeviceSynchronize();
    printf("universal    %d\n", shared[N - 1]);

    const thrust::device_ptr<int> pointer = thrust::device_malloc<int>(N);
    thrust::sequence(pointer, pointer + N);
    add<<<1, N>>>(pointer.get(), 1);
    const thrust::device_reference<int> last = pointer[N - 1];
    printf("device_ptr   %d %d\n", (int)last, thrust::reduce(pointer, pointer + N));
    thrust::device_free(pointer);

    int *raw;
    cudaMalloc(&raw, N * sizeof *raw);
    const thrust::device_ptr<int> wrapped(raw);
    thrust::fill(wrapped, wrapped + N, 3);
    thrust::inclusive_scan(thrust::device, raw, raw + N, raw);
    printf("raw          %d\n", (int)wrapped[N - 1]);
    cudaFree(raw);
}

static void policies()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    thrust::device_vector<int> values(N);
    thrust::sequence(thrust::cuda::par.on(stream), values.begin(), values.end());
    thrust::for_each(thrust::cuda::par_nosync.on(stream), values.begin(), values.end(),
                     [] __device__(int &x) { x += 1; });
    cudaStreamSynchronize(stream);
    printf("streams      %d\n",
           thrust::reduce(thrust::cuda::par.on(stream), values.begin(), values.end()));

    int calls = 0;
    thrust::device_vector<char> bytes(1 << 16);
    one_array memory = {thrust::raw_pointer_cast(bytes.data()), &calls};
    printf("allocator    %d",
           thrust::reduce(thrust::cuda::par(memory), values.begin(), values.end()));
    printf(", %s\n", calls > 0 && calls % 2 == 0 ? "used" : "not used");

    printf("host         %d %d\n",
           thrust::reduce(thrust::host, thrust::make_counting_iterator(0),
                          thrust::make_counting_iterator(N)),
           thrust::reduce(thrust::seq, thrust::make_counting_iterator(0),
                          thrust::make_counting_iterator(N)));
    cudaStreamDestroy(stream);
}

static void futures()
{
    thrust::device_vector<int> values(N, 3), squares(N);
#if __has_include(<thrust/async/reduce.h>)
    auto done = thrust::async::transform(values.begin(), values.end(), squares.begin(), square());
    auto sum = thrust::async::reduce(thrust::device.after(done), squares.begin(), squares.end(), 0,
                                     thrust::plus<int>());
    printf("async        %d\n", sum.get());
#else
    thrust::transform(values.begin(), values.end(), squares.begin(), square());
    printf("async        %d\n", thrust::reduce(squares.begin(), squares.end()));
#endif
}

// A sum in each thread, by Thrust's sequential policy.
__global__ void sums(const int *values, int *results)
{
    results[threadIdx.x] =
        thrust::reduce(thrust::seq, values, values + threadIdx.x + 1, 0, thrust::plus<int>());
}

int main()
{
    containers();
    policies();
    futures();

    thrust::device_vector<float> uniform(N);
    thrust::transform(thrust::make_counting_iterator(0), thrust::make_counting_iterator(N),
                      uniform.begin(), draw());
    printf("random       %a %a\n", (float)uniform[0], (float)uniform[N - 1]);
    thrust::device_vector<thrust::complex<float>> z(N, thrust::complex<float>(1, 2));
    printf("complex      %g\n",
           thrust::transform_reduce(z.begin(), z.end(), magnitude(), 0.0f, thrust::plus<float>()));
    thrust::device_vector<int> numbers(32), results(32);
    thrust::sequence(numbers.begin(), numbers.end());
    sums<<<1, 32>>>(thrust::raw_pointer_cast(numbers.data()),
                    thrust::raw_pointer_cast(results.data()));
    printf("in a kernel  %d\n", (int)results[31]);
    return 0;
}
