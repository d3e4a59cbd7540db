// SPDX-License-Identifier: BSD-3-Clause
// nvcc's built-in atomics with an order and a scope.
#include <cstdio>

struct alignas(16) Wide {
    long long a, b;
};
struct State {
    int sum, last, least, most, locked, guarded, all, any, odd, subtracted;
    unsigned long long wide;
    float real;
    double precise;
    unsigned long long negative;
    Wide pair;
    int ready, message[64], seen, tried, failed, swapped, taken, own[64];
    unsigned char byte;
};

__global__ void operations(State *s)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_atomic_fetch_add(&s->sum, t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(&s->wide, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_add(&s->real, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_sub(&s->precise, 2, __NV_ATOMIC_ACQ_REL);
    __nv_atomic_fetch_sub(&s->negative, 3, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_min(&s->least, -t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_max(&s->most, t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_and(&s->all, ~(1 << t % 8), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_or(&s->any, 1 << t % 8, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_xor(&s->odd, t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_sub(&s->subtracted, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_add(&s->own[t], t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_THREAD);

    /* A lock, whose holder changes a variable. */
    int expected = 0;
    while (!__nv_atomic_compare_exchange_n(&s->locked, &expected, 1, false, __NV_ATOMIC_ACQUIRE,
                                           __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
        expected = 0;
        __nanosleep(1);
    }
    s->guarded++;
    __nv_atomic_store_n(&s->locked, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void others(State *s)
{
    Wide one = {1, 2}, read, old;
    int expected = 5, desired = 6;
    __nv_atomic_store(&s->pair, &one, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_load(&s->pair, &read, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    read.a += 10;
    __nv_atomic_exchange(&s->pair, &read, &old, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
    s->seen = (int)(old.a + old.b);
    s->tried = __nv_atomic_compare_exchange(&s->last, &expected, &desired, true,
                                            __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE);
    s->failed = expected;
    s->swapped =
        __nv_atomic_compare_exchange(&s->last, &expected, &desired, false, __NV_ATOMIC_ACQ_REL,
                                     __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_CLUSTER);
    s->taken = __nv_atomic_exchange_n(&s->last, 7, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_store_n(&s->byte, 44, __NV_ATOMIC_RELAXED);
    s->byte += __nv_atomic_load_n(&s->byte, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
}

/* The last block reads what the others wrote before their release. */
__global__ void message(State *s)
{
    s->message[blockIdx.x] = blockIdx.x + 1;
    __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    const int before =
        __nv_atomic_fetch_add(&s->ready, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    if (before == (int)gridDim.x - 1) {
        __nv_atomic_thread_fence(__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += s->message[i];
        s->last = sum;
    }
}

int main()
{
    State *s;
    cudaMallocManaged(&s, sizeof *s);
    *s = State();
    s->all = 255;
    operations<<<2, 32>>>(s);
    printf("%d\n", cudaDeviceSynchronize());
    printf("%d %llu %g %g %lld\n", s->sum, s->wide, s->real, s->precise, (long long)s->negative);
    printf("%d %d %d %d %d %d %d %d\n", s->least, s->most, s->all, s->any, s->odd, s->subtracted,
           s->guarded, s->own[63]);
    others<<<1, 1>>>(s);
    cudaDeviceSynchronize();
    printf("%lld %lld %d %d %d %d %d %d %d\n", s->pair.a, s->pair.b, s->seen, s->tried, s->failed,
           s->swapped, s->taken, s->last, s->byte);
    message<<<64, 1>>>(s);
    cudaDeviceSynchronize();
    printf("%d\n", s->last);
    cudaFree(s);
}
