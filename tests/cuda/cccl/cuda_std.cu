// SPDX-License-Identifier: BSD-3-Clause
// libcu++ in kernels: cuda::std, and what only cuda:: has.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/bitset>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/expected>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>

static_assert(alignof(double4_16a) == 16 && alignof(long4_32a) == 32 && sizeof(long4_32a) == 32,
              "vector types");

__host__ __device__ static cuda::std::expected<int, float> half_of(int x)
{
    if (x % 2 != 0)
        return cuda::std::unexpected<float>(x / 2.0f);
    return x / 2;
}

template <class T> __host__ __device__ static int sum(cuda::std::span<T> values)
{
    int total = 0;
    for (const T &value : values)
        total += (int)value;
    return total;
}

__host__ __device__ static void values(int *out)
{
    const cuda::std::tuple<int, float> pair(3, 2.5f);
    out[0] = cuda::std::get<0>(pair) + (int)cuda::std::get<1>(pair);
    out[1] = half_of(10).value_or(0) + (int)(4 * half_of(7).error());
    cuda::std::array<int, 4> array = {4, 1, 3, 2};
    out[2] = sum(cuda::std::span<int>(array.data(), 3));
    const cuda::std::mdspan<int, cuda::std::extents<int, 2, 2>> square(array.data());
    out[3] = square.data_handle()[square.mapping()(1, 0)] * 10 + square.extent(1);
    cuda::std::optional<int> maybe;
    out[4] = maybe.value_or(5) + maybe.has_value();
    const cuda::std::variant<int, float> either = 1.5f;
    out[5] = cuda::std::visit([](auto x) { return (int)(2 * x); }, either);
    const cuda::std::complex<float> product =
        cuda::std::complex<float>(1, 2) * cuda::std::complex<float>(3, 4);
    out[6] = (int)product.real() * 100 + (int)product.imag();
    out[7] = cuda::std::popcount(0xf0u) + cuda::std::countl_zero(1u) + cuda::std::bit_width(9u);
    out[8] = cuda::std::numeric_limits<int>::max() / 2 + cuda::ceil_div(10, 3);
    const cuda::std::bitset<8> bits(0xa5);
    out[9] = (int)bits.count() + bits.test(7);
    out[10] = cuda::std::plus<int>()(2, 3) + cuda::maximum<int>()(4, 6) + cuda::minimum<>()(4, 6);
    out[11] = (int)cuda::std::chrono::duration_cast<cuda::std::chrono::milliseconds>(
                  cuda::std::chrono::seconds(2))
                  .count();
    out[12] = cuda::std::max(cuda::std::gcd(12, 18), cuda::std::min(3, 4));
    out[13] =
        (int)sizeof(cuda::std::conditional_t<cuda::std::is_same<int, float>::value, char, short>);
}

__global__ void on_the_device(int *out)
{
    values(out);
}

__global__ void together(int *out)
{
    typedef cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ alignas(barrier) char storage[sizeof(barrier)];
    __shared__ int slots[64];
    barrier *const meeting = reinterpret_cast<barrier *>(storage);
    if (threadIdx.x == 0)
        init(meeting, blockDim.x);
    __syncthreads();
    slots[threadIdx.x] = (int)threadIdx.x;
    meeting->arrive_and_wait();
    cuda::atomic_ref<int, cuda::thread_scope_device> total(out[0]);
    total.fetch_add(slots[63 - threadIdx.x], cuda::memory_order_relaxed);
    // Each thread takes one of three permits, and gives it back.
    typedef cuda::counting_semaphore<cuda::thread_scope_block, 3> semaphore;
    typedef cuda::latch<cuda::thread_scope_block> latch;
    __shared__ alignas(semaphore) char permits[sizeof(semaphore)];
    __shared__ alignas(latch) char done[sizeof(latch)];
    if (threadIdx.x == 0) {
        new (permits) semaphore(3);
        new (done) latch(blockDim.x);
    }
    __syncthreads();
    reinterpret_cast<semaphore *>(permits)->acquire();
    total.fetch_add(1);
    reinterpret_cast<semaphore *>(permits)->release();
    reinterpret_cast<latch *>(done)->arrive_and_wait();
    cuda::atomic_ref<int, cuda::thread_scope_device>(out[1]).fetch_max((int)threadIdx.x);
}

int main()
{
    enum { VALUES = 14 };
    int *out, host[VALUES], device[VALUES];
    cudaMalloc(&out, sizeof host);
    on_the_device<<<1, 1>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
    values(host);
    for (int i = 0; i < VALUES; i++)
        printf("%d%s", device[i], host[i] == device[i] ? " " : " differs ");
    cudaMemset(out, 0, sizeof host);
    together<<<2, 64>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
    printf("\n%d %d\n", device[0], device[1]);
    cudaFree(out);
    return 0;
}
