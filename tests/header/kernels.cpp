/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in C++17 and C: kernels.c has kernels, which this file launches; on emulate this file has
 * some, too. Exits with 0 if all results are right. */
#include "kernels.h"

#include <vector> /* std::vector */

namespace
{

int failures;

/* Reports a condition that does not hold. */
void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "kernels.cpp: %s (%s)\n", what, portable_last_message());
        failures++;
    }
}

/* Device memory as an object. */
template <class T> struct device_array {
    T *data = nullptr;
    explicit device_array(const std::vector<T> &from)
    {
        PORTABLE_CHECK(portable_malloc(&data, from.size() * sizeof(T)));
        PORTABLE_CHECK(portable_copy_to_device(data, from.data(), from.size() * sizeof(T)));
    }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
    ~device_array()
    {
        PORTABLE_CHECK(portable_free(data));
    }
    std::vector<T> host(size_t count) const
    {
        std::vector<T> to(count);
        PORTABLE_CHECK(portable_copy_to_host(to.data(), data, count * sizeof(T)));
        return to;
    }
};

template <class T> bool all_are(const std::vector<T> &values, T value)
{
    for (const T &v : values)
        if (v < value || v > value)
            return false;
    return true;
}

void launches_of_c_kernels()
{
    enum { N = 1000 };
    const device_array<float> x(std::vector<float>(N, 2.0f));
    const device_array<int> count(std::vector<int>(1, 0));
    const dim3 grid(3), block = {64, 1, 1};
    int blocks = 0;

    check(KERNEL_LAUNCH(c_scale, grid, block, 0, 0, N, 3, x.data) == PORTABLE_SUCCESS, "a launch");
    check(KERNEL_LAUNCH_AUTO(c_scale, N, N, 2.0, x.data) == PORTABLE_SUCCESS, "an auto launch");
    check(KERNEL_LAUNCH_COOPERATIVE(c_scale, 1L, 32u, 0, 0, N, 0.5f, x.data) == PORTABLE_SUCCESS,
          "a cooperative launch");
    check(all_are(x.host(N), 6.0f), "the kernels of C have run");
    check(c_scale_launched(N, 2.0f, x.data) == PORTABLE_SUCCESS, "a launch by C");
    check(all_are(x.host(N), PORTABLE_TARGET_EMULATE ? 14.0f : 12.0f), "and its kernels");
    check(KERNEL_LAUNCH(c_at_most_64, 2, 64, 0, 0, count.data) == PORTABLE_SUCCESS &&
              count.host(1)[0] == 128,
          "a block within the bounds");
    check(KERNEL_LAUNCH(c_at_most_64, 1, 65, 0, 0, count.data) == PORTABLE_ERROR_INVALID_LAUNCH,
          "bounds declared in C hold");
    portable_last_error();
    check(portable_occupancy(c_scale, 64, 0, &blocks) == PORTABLE_SUCCESS && blocks == 1,
          "occupancy");
    check(KERNEL_SHARED_LIMIT(c_scale, 65536) == PORTABLE_SUCCESS, "a shared limit");
}

void host_calls()
{
    const float texels[4] = {1, 2, 3, 4};
    const portable_texture_settings settings = {};
    struct portable_device device;
    portable_array array;
    portable_stream stream;
    portable_event begin, end;
    portable_texture texture;
    float milliseconds = -1, *rows = nullptr;
    size_t pitch = 0;

    check(portable_device_properties(&device) == PORTABLE_SUCCESS && device.warp_size == WARP_SIZE,
          "the device");
    check(portable_stream_create(&stream) == PORTABLE_SUCCESS, "a stream");
    check(portable_event_create(&begin) == PORTABLE_SUCCESS, "an event");
    check(portable_event_create(&end) == PORTABLE_SUCCESS, "another");
    check(portable_event_record(begin, stream) == PORTABLE_SUCCESS, "its record");
    check(portable_event_record(end, stream) == PORTABLE_SUCCESS, "the other's");
    check(portable_event_elapsed(&milliseconds, begin, end) == PORTABLE_SUCCESS &&
              milliseconds >= 0,
          "the time between them");
    check(portable_event_destroy(begin) == PORTABLE_SUCCESS, "its end");
    check(portable_event_destroy(end) == PORTABLE_SUCCESS, "the other's end");
    check(portable_stream_destroy(stream) == PORTABLE_SUCCESS, "the stream's end");
    check(portable_malloc_pitch(&rows, &pitch, 100, 4) == PORTABLE_SUCCESS && pitch == 512,
          "rows with a pitch");
    check(portable_free(rows) == PORTABLE_SUCCESS, "their end");
    check(portable_texture_create_1d(&texture, texels, 4, &settings) == PORTABLE_SUCCESS,
          "a texture");
    check(portable_texture_destroy(texture) == PORTABLE_SUCCESS, "its end");
    check(portable_array_create(&array, 10, sizeof(int)) == PORTABLE_SUCCESS, "an array");
    check(portable_array_read_host(&array) == nullptr, "which has not been written");
    check(portable_last_error() == PORTABLE_ERROR_STALE_ARRAY, "as it says");
    check(portable_array_destroy(&array) == PORTABLE_SUCCESS, "its end");
    check(half_to_float(float_to_half(1.5f)) == 1.5f && POPCOUNT(7u) == 3, "DEVICE functions");
}

} // namespace

#if PORTABLE_TARGET_EMULATE

KERNEL(cpp_add)(int n, float what, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] += what;
}

KERNEL_LAUNCH_BOUNDS(cpp_at_most_96, 96, 1)(int *count)
{
    FOR_EACH_BLOCK(0) {
        FOR_EACH_THREAD
            ATOMIC_ADD_BLOCK(count, 1);
    }
}

/* What C has not: templates, also with shared memory, references, overloads. */
template <class T> __device__ void swap_values(T &a, T &b)
{
    const T old = a;
    a = b;
    b = old;
}

template <class T, int SIZE> __device__ T of_the_mirror(const T &mine)
{
    __shared__ T values[SIZE];
    values[threadIdx.x] = mine;
    __syncthreads();
    return values[SIZE - 1 - threadIdx.x];
}

__device__ inline int next_of(int x)
{
    return x + 1;
}

CONSTANT(int, offsets, [2]);
__constant__ const int fixed[2] = {1000, 2000};

struct results {
    int sum, up, most, scanned, votes, mirror;
};

KERNEL(every_kind)(results *out, float *mirrored, int *total)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, tile, [64]);
        PRIVATE(int, own);
        PRIVATE(int, sum);
        PRIVATE(short, small);
        PRIVATE(long, up);
        PRIVATE(long, wide);
        PRIVATE(double, most);
        PRIVATE(double, real);
        PRIVATE(int, scanned);
        PRIVATE(unsigned, votes);
        FOR_EACH_THREAD {
            int (*const next)(int) = next_of;
            int a = next(0), b = (int)threadIdx.x;
            swap_values(a, b);
            MINE(own) = a + b;
            MINE(real) = a;
            MINE(wide) = (long)a << 40;
            MINE(small) = (short)a;
            tile[threadIdx.x] = a;
        }
        BLOCK_REDUCE_ADD(sum, own);
        BLOCK_SCAN_ADD_EXCLUSIVE(scanned, own);
        WARP_REDUCE_MAX(most, real);
        SHUFFLE_UP(up, wide, 1);
        SHUFFLE(small, small, 3);
        BALLOT(votes, threadIdx.x % 2);
        SYNC_THREADS();
        FOR_EACH_THREAD {
            out[threadIdx.x] = {MINE(sum),        (int)(MINE(up) >> 40) + MINE(small),
                                (int)MINE(most),  MINE(scanned),
                                (int)MINE(votes), tile[63 - threadIdx.x]};
            mirrored[threadIdx.x] = of_the_mirror<float, 64>((float)threadIdx.x) +
                                    (float)of_the_mirror<int, 64>(1) + (float)offsets[1] +
                                    (float)fixed[1];
            ATOMIC_MAX(total, (int)threadIdx.x);
        }
    }
}

KERNEL_CHILD(child, int, float, float *);
KERNEL(child)(int n, float what, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = what;
}
KERNEL(parent)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, 2)
        DEVICE_LAUNCH(child, 1, 32, 0, n, 2 * i, x + i * n);
}

namespace
{

void kernels_of_cpp()
{
    const device_array<results> out(std::vector<results>(64));
    const device_array<float> mirrored(std::vector<float>(64, 0.0f));
    const device_array<int> total(std::vector<int>(1, 0));
    const int given[2] = {100, 200};

    check(portable_copy_to_constant(offsets, given, sizeof given) == PORTABLE_SUCCESS, "constants");
    check(KERNEL_LAUNCH(every_kind, 1, 64, 0, 0, out.data, mirrored.data, total.data) ==
              PORTABLE_SUCCESS,
          "a kernel of C++");
    const auto got = out.host(64);
    const auto mirror = mirrored.host(64);
    for (int t = 0; t < 64; t++) {
        const int lane = t % 32, first = t - lane;
        const results &r = got[(size_t)t];
        check(r.sum == 64 + 63 * 32, "a sum of the block");
        check(r.up == (lane ? t - 1 : t) + first + 3, "two shuffles");
        check(r.most == first + 31, "a maximum of the warp");
        check(r.scanned == t + t * (t - 1) / 2, "a scan");
        check((unsigned)r.votes == 0xaaaaaaaau, "a vote");
        check(r.mirror == 63 - t, "shared memory");
        check(mirror[(size_t)t] == (float)(63 - t) + 1 + 200 + 2000, "that of templates");
    }
    check(total.host(1)[0] == 63, "an atomic");

    const device_array<float> x(std::vector<float>(200, 1.0f));
    check(KERNEL_LAUNCH(parent, 1, 32, 0, 0, 100, x.data) == PORTABLE_SUCCESS, "children");
    check(x.host(200)[99] == 0.0f && x.host(200)[100] == 2.0f, "their results");
    check(KERNEL_LAUNCH(cpp_at_most_96, 1, 97, 0, 0, total.data) == PORTABLE_ERROR_INVALID_LAUNCH,
          "bounds declared in C++ hold");
    portable_last_error();
    void (*const kernel)(int, float, float *) = cpp_add;
    check(KERNEL_LAUNCH(kernel, 1, 32, 0, 0, 200, 1, x.data) == PORTABLE_SUCCESS, "a pointer");
    check(x.host(200)[150] == 3.0f, "and its kernel");
}

} // namespace

#else

namespace
{
void kernels_of_cpp()
{
}
} // namespace

#endif

/* In a function of C linkage, too. */
extern "C" portable_status launched_as_c(int n, float *x)
{
    return KERNEL_LAUNCH(c_scale, 1, 32, 0, 0, n, 1.0f, x);
}

int main()
{
    launches_of_c_kernels();
    host_calls();
    kernels_of_cpp();
    check(launched_as_c(0, nullptr) == PORTABLE_SUCCESS, "a launch in a function of C linkage");
    if (failures == 0)
        puts("C++ and C make one program");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
