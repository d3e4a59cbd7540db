// SPDX-License-Identifier: BSD-3-Clause
// Kernels that become loops over the threads of a block, and kernels that do not: the comment before
// each has the words of the report. Each launch prints a hash of what the kernel leaves in memory.
#include <cassert>
#include <cstdio>
#include <cstring>

static const int N = 6000, SIZE = 1 << 14;
__constant__ int weights[4] = {3, 1, 4, 1};
__device__ int counter;

__device__ __forceinline__ void barrier()
{
    __syncthreads();
}

// guarded: loops
__global__ void guarded(int n, float a, const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
// guarded_twice: loops
__global__ void guarded_twice(int n, const unsigned *x, unsigned *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)n)
        return;
    unsigned s = x[i];
    if (i > 0)
        s += x[i - 1];
    if (i + 1 < (unsigned)n)
        s ^= x[i + 1];
    y[i] = s;
}
// guarded_wide: loops
__global__ void guarded_wide(long n, const unsigned *x, unsigned *y)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if ((long)i < n)
        y[i] += x[i] * 3;
}
// The index wraps in some rows.
// guarded_wrapping: loops
__global__ void guarded_wrapping(unsigned from, unsigned to, unsigned *y)
{
    const unsigned i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to)
        y[i % SIZE] += i;
    if ((int)i > -40)
        y[(i + 7) % SIZE] ^= 5;
}
// strided: loops
__global__ void strided(int n, const unsigned *x, unsigned *y)
{
    unsigned s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        s = s * 31 + x[i];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
// reversed: loops
__global__ void reversed(unsigned *y)
{
    __shared__ unsigned s[128];
    unsigned *const of_block = y + blockIdx.x * 128;
    s[threadIdx.x] = of_block[threadIdx.x];
    __syncthreads();
    of_block[threadIdx.x] = s[127 - threadIdx.x] * 3 + threadIdx.x;
}
// reduced: loops
__global__ void reduced(const float *x, float *y)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}
// Threads leave before barriers.
// leaving: loops
__global__ void leaving(int n, unsigned *x)
{
    __shared__ unsigned s[128];
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    const unsigned kept = x[i] * 7;
    s[t] = 1;
    if (i >= n || x[i] % 5 == 0)
        return;
    s[t] = x[i];
    __syncthreads();
    if (t > 0)
        x[i] += s[t - 1];
    if (kept % 7 == 3)
        return;
    __syncthreads();
    s[t] = x[i] + kept;
    __syncthreads();
    x[i] ^= s[(t + 1) % 128];
}
// Guards that differ within a row, in blocks of which no thread has left, or some have.
// uneven: loops
__global__ void uneven(unsigned odd, unsigned *x)
{
    __shared__ unsigned s[96];
    const unsigned t = threadIdx.x, i = blockIdx.x * 96 + t;
    s[t] = x[i];
    __syncthreads();
    if (s[0] % 2 == odd && x[i] % 3 == 0)
        return;
    if (t < 40)
        x[i] += s[t + 50];
    __syncthreads();
    if (t < 70)
        s[t] = x[i] * 5;
    __syncthreads();
    x[i] ^= s[(t * 7) % 96];
}
// Constants, and counts, that depend on the way that a thread took.
// joined: loops
__global__ void joined(unsigned *x)
{
    __shared__ unsigned s[64];
    const unsigned t = threadIdx.x;
    unsigned *const mine = x + 64 * blockIdx.x + t;
    unsigned by = 3, times = 0, at = *mine;
    if (at & 1) {
        *mine = at * 7 + t;
        by = 5;
    }
    do {
        at = at * 5 + 1;
        times += 3;
    } while (at % 7 != 0);
    s[t] = *mine;
    __syncthreads();
    *mine ^= s[(t + by) % 64] * by + times;
}
// By an argument, which is the same in all lanes.
// chosen: loops
__global__ void chosen(int kind, unsigned *x)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = x[i];
    if (kind > 0)
        value += __shfl_up_sync(~0u, value * 3, 1);
    else
        value ^= __shfl_down_sync(~0u, value + 5, 2);
    x[i] = value;
}
// kept_arrays: loops
__global__ void kept_arrays(unsigned *x)
{
    __shared__ unsigned s[64];
    unsigned a[8];
    const int t = threadIdx.x;
    unsigned *const of_block = x + blockIdx.x * 64;
    for (int k = 0; k < 8; k++)
        a[k] = of_block[(t * k + k) % 64];
    s[t] = a[t % 8];
    __syncthreads();
    for (int k = 0; k < 8; k++)
        a[(k * 3 + t) % 8] += s[(t + k) % 64];
    __syncthreads();
    unsigned r = 0;
    for (int k = 0; k < 8; k++)
        r = r * 31 + a[k];
    of_block[t] = r;
}
__device__ unsigned scan(unsigned v, unsigned *s)
{
    const int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        const unsigned u = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += u;
        __syncthreads();
    }
    return s[t];
}
// calling: loops
__global__ void calling(unsigned *x)
{
    __shared__ unsigned s[64];
    const unsigned i = blockIdx.x * 64 + threadIdx.x, a = scan(x[i], s);
    __syncthreads();
    x[i] = scan(a & 255, s) - a;
}
__device__ __noinline__ unsigned index_of_thread(unsigned k)
{
    return threadIdx.x * 3 + threadIdx.y * k + blockIdx.x + blockDim.y * gridDim.x;
}
// indices: loops
__global__ void indices(unsigned *x, unsigned k)
{
    __shared__ unsigned s[6][5][4];
    unsigned *const of_block = x + blockIdx.x * 120;
    const unsigned t = (threadIdx.z * 5 + threadIdx.y) * 4 + threadIdx.x;
    s[threadIdx.z][threadIdx.y][threadIdx.x] = index_of_thread(k) + of_block[t];
    for (unsigned round = 0; round < k; round++) {
        __syncthreads();
        const unsigned v = s[5 - threadIdx.z][4 - threadIdx.y][3 - threadIdx.x];
        if (round % 3 == 1) {
            __syncthreads();
            s[threadIdx.z][threadIdx.y][threadIdx.x] ^= v + index_of_thread(round);
        }
        of_block[t] += v;
    }
}
// counting: loops
__global__ void counting(int n, unsigned *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 11 == 10)
        return;
    const int odd = __syncthreads_count(x[i] & 1), all = __syncthreads_and((int)x[i] != n);
    const int any = __syncthreads_or(x[i] % 97 == 5);
    for (int k = 0; k < (odd & 3); k++) {
        __syncthreads();
        x[i] += (unsigned)k;
    }
    x[i] += (unsigned)(odd * 4 + all * 2 + any);
}
// The order of the threads shows.
// ordered: loops
__global__ void ordered(const float *x, float *sum, unsigned *last)
{
    __shared__ float of_block;
    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();
    atomicAdd(&of_block, x[blockIdx.x * blockDim.x + threadIdx.x] / 3);
    __syncthreads();
    atomicAdd(sum + threadIdx.x % 3, of_block / (float)(threadIdx.x + 1));
    *last = atomicExch(last + 1, blockIdx.x * 1000 + threadIdx.x) + atomicInc(last + 2, 77);
}
// histogram: loops
__global__ void histogram(int n, const unsigned *x, unsigned *out)
{
    __shared__ unsigned h[64];
    if (threadIdx.x < 64)
        h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&h[x[i] % 64], 1u);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}
// printing: loops
__global__ void printing(const unsigned *x)
{
    if (threadIdx.x % 16 == 3)
        printf("thread %u of block %u has %u\n", threadIdx.x, blockIdx.x, x[threadIdx.x] % 10);
    __syncthreads();
    if (threadIdx.x % 16 == 4)
        printf("then thread %u of block %u\n", threadIdx.x, blockIdx.x);
}
// asserting: loops
__global__ void asserting(unsigned *x)
{
    assert(x[threadIdx.x] < 4000000000u || threadIdx.x < 200);
    x[threadIdx.x] += 1;
}
// dynamic: loops
__global__ void dynamic(unsigned *x)
{
    extern __shared__ unsigned s[];
    const int t = threadIdx.x, n = blockDim.x;
    s[t] = x[blockIdx.x * n + t];
    s[t + n] = s[t] * 3;
    __syncthreads();
    x[blockIdx.x * n + t] = s[n - 1 - t] + s[n + (t + 1) % n] * (unsigned)weights[t % 4];
}
// Its end depends on memory, and each iteration reads elsewhere.
// walking: loops
__global__ void walking(const unsigned *next, unsigned *x)
{
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x, length = 0;
    while (next[at] % 8 != 3 && length < 100) {
        at = next[at] % N;
        length++;
    }
    x[blockIdx.x * blockDim.x + threadIdx.x] = at + length;
}
// escaping: loops
__global__ void escaping(const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    int k = 0;
    while (a * a + b * b < 4 && k < 50) {
        const float c = a * a - b * b + x[i];
        b = 2 * a * b + 0.3f;
        a = c;
        k++;
    }
    y[i] = (float)k + a;
}
__device__ unsigned power(unsigned x, unsigned n)
{
    return n == 0 ? 1 : n % 2 ? x * power(x, n - 1) : power(x * x, n / 2);
}
// recursive: loops
__global__ void recursive(unsigned *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = power(x[i], x[i] % 20);
    __syncthreads();
    x[i] += power(3, x[(i + 1) % N] % 9) & 1;
}
struct pairs {
    const unsigned *a;
    unsigned b[3];
};
// structures: loops
__global__ void structures(pairs p, unsigned *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    p.b[i % 3] += (unsigned)i;
    __syncthreads();
    x[i] += p.a[i] + p.b[0] + 2 * p.b[1] + 3 * p.b[2];
}
// The same in all threads, which the compiler cannot know.
// loaded_bound: loops
__global__ void loaded_bound(const unsigned *bounds, unsigned *x)
{
    __shared__ unsigned s[64];
    const unsigned t = threadIdx.x, bound = bounds[blockIdx.x] % 5;
    unsigned v = x[blockIdx.x * 64 + t];
    for (unsigned k = 0; k < bound; k++) {
        s[t] = v;
        __syncthreads();
        v += s[(t * 3 + k) % 64];
        __syncthreads();
    }
    if (bounds[blockIdx.x] % 2) {
        s[t] = v;
        __syncthreads();
        v ^= s[63 - t];
    }
    x[blockIdx.x * 64 + t] = v;
}
// switching: loops
__global__ void switching(int kind, unsigned *x)
{
    __shared__ unsigned s[64];
    const unsigned t = threadIdx.x;
    unsigned v = x[blockIdx.x * 64 + t];
    switch (kind) {
    case 0:
        s[t] = v;
        __syncthreads();
        v = s[t ^ 1];
        break;
    case 1:
        s[t] = v + 1;
        __syncthreads();
        v = s[t ^ 2];
        __syncthreads();
    case 2:
        s[t] = v + 2;
        __syncthreads();
        v += s[t ^ 4];
        break;
    default: v *= 5;
    }
    x[blockIdx.x * 64 + t] = v;
}
// summing: loops
__global__ void summing(const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(y + i % 3, v);
}
template <class T> __device__ T mix(T v, unsigned lane)
{
    v += __shfl_xor_sync(~0u, v, 5);
    v ^= __shfl_up_sync(~0u, v, 3, 16);
    v += __shfl_sync(~0u, v, (int)(lane * 7 + 3), 8);
    v ^= __shfl_down_sync(~0u, v, lane % 9);
    return v + __shfl_sync(~0u, v, 7);
}
// shuffling: loops
__global__ void shuffling(unsigned *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned v = x[i], lane = threadIdx.x % 32;
    unsigned r = mix(v, lane) + mix((unsigned char)v, lane) + mix((unsigned short)v, lane);
    const unsigned long long wide = mix(v * 0x100000001ull, lane);
    const double d = __shfl_xor_sync(~0u, v * 0.37, 9);
    r += (unsigned)wide + (unsigned)(wide >> 32) * 3 + (unsigned)d;
    x[i] = r;
}
// The index wraps in the first warp, and has wrapped in the others.
// guarded_warps: loops
__global__ void guarded_warps(unsigned n, const unsigned *x, unsigned *y)
{
    const unsigned i = threadIdx.x - 5;
    unsigned v = 0;
    if (i < n) {
        v = x[i] + (i < 40u ? 1000 : 2000);
        v += min(i, 50u);
    }
    v += __shfl_down_sync(~0u, v, 1);
    if (i < n)
        y[i] = v;
}
// voting: loops
__global__ void voting(unsigned *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = x[i], rank = __popc(__ballot_sync(~0u, v & 1) & ((1u << threadIdx.x % 32) - 1));
    for (unsigned round = 0; __any_sync(~0u, v % 3 == 1) && round < 9; round++)
        v = v / 2 + rank;
    if (__all_sync(~0u, v > 3))
        rank += __ballot_sync(~0u, v % 5 == 0);
    x[i] = v * 32 + rank;
}
// The number of warp operations depends on the warp.
// apart: loops
__global__ void apart(unsigned *x)
{
    __shared__ unsigned s[128];
    const unsigned t = threadIdx.x, warp = t / 32;
    unsigned v = x[blockIdx.x * 128 + t];
    for (unsigned k = 0; k < warp * 2 + 1; k++) {
        s[t] = v;
        __syncwarp();
        v += s[t ^ 3] * (k + 1);
        __syncwarp();
        if (warp == 2)
            v ^= __shfl_xor_sync(~0u, v, 8);
    }
    s[t] = v;
    __syncthreads();
    v += s[(t + 40) % 128];
    if (warp == 3)
        return;
    v += __shfl_up_sync(~0u, v, 1);
    __syncthreads();
    x[blockIdx.x * 128 + t] = v + __shfl_sync(~0u, v, (int)(t + blockIdx.x));
}
// A warp ends behind an operation of its own, beside a barrier of the others.
// leaving_warps: loops
__global__ void leaving_warps(unsigned *x)
{
    __shared__ unsigned s[128];
    const unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
    unsigned v = x[i];
    s[t] = v;
    if (t / 32 == blockIdx.x % 5) {
        x[i] = __shfl_xor_sync(~0u, v, 4);
        return;
    }
    __syncthreads();
    v += s[127 - t];
    __syncthreads();
    x[i] += v;
}
// barriers_of_warps: no loops: a barrier that warps reach on different ways
__global__ void barriers_of_warps(unsigned *x)
{
    const unsigned t = threadIdx.x;
    unsigned v = x[t];
    if (t / 32 == 1) {
        v += __shfl_xor_sync(~0u, v, 4);
        barrier();
    } else {
        v += __shfl_xor_sync(~0u, v, 8);
        barrier();
        v *= 3;
    }
    x[t] = v;
}
// Lanes that have ended do not vote, and whole warps end.
// ending: loops
__global__ void ending(unsigned *x)
{
    __shared__ unsigned s[100];
    const unsigned t = threadIdx.x, i = blockIdx.x * 100 + t;
    s[t] = x[i];
    if (x[i] % 7 == 1 || (t / 32 == 1 && blockIdx.x % 3 == 0))
        return;
    unsigned v = __ballot_sync(~0u, x[i] & 2) + __shfl_sync(~0u, x[i], (int)(t % 32));
    v += (unsigned)__syncthreads_count(v & 1);
    if (v % 11 == 3)
        return;
    const unsigned all = __all_sync(~0u, v & 4) + __ballot_sync(~0u, 1);
    __syncthreads();
    x[i] = v * 3 + all + s[(t * 3) % 100];
}
// The order of the warps shows.
// ordered_warps: loops
__global__ void ordered_warps(const float *x, float *sum, unsigned *last)
{
    float v = x[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(sum, v / 3);
    v += __shfl_xor_sync(~0u, v, 16);
    atomicAdd(sum, v / 7);
    __syncwarp();
    *last = atomicExch(last + 1, blockIdx.x * 1000 + threadIdx.x) * 3 + *last;
}
// rows: loops
__global__ void rows(unsigned *x)
{
    const unsigned of_block = blockDim.x * blockDim.y * blockDim.z;
    const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned i = blockIdx.x * of_block + t;
    unsigned v = x[i] + threadIdx.x * 3 + threadIdx.y * 5 + threadIdx.z * 7;
    v += __shfl_xor_sync(~0u, v, 1) + threadIdx.y;
    __syncthreads();
    x[i] = v ^ __shfl_down_sync(~0u, v, 2);
}
// in_part: no loops: a warp operation of a part of the warp, or of a mask that is not known
__global__ void in_part(unsigned *x)
{
    if (threadIdx.x < 16)
        x[threadIdx.x] += __shfl_xor_sync(0xffff, x[threadIdx.x], 1);
}
// lanes_apart: no loops: a warp operation that lanes may reach on different ways
__global__ void lanes_apart(unsigned *x)
{
    unsigned v = x[threadIdx.x];
    if (v & 1)
        v = v * 3 + __shfl_xor_sync(~0u, v, 1);
    else
        v = v * 5 + __shfl_down_sync(~0u, v, 3);
    __syncwarp();
    x[threadIdx.x] = v;
}
// active: no loops: a call of portable_emulate_active_, which may wait
__global__ void active(unsigned *x)
{
    x[threadIdx.x] += __activemask();
}

// polling: no loops: a loop that may wait for another thread
__global__ void polling(volatile unsigned *x)
{
    if (threadIdx.x == 0)
        while (x[1] == 0)
            ;
    else if (threadIdx.x == 1)
        x[1] = 1;
}
// locking: no loops: a loop that may wait for another thread
__global__ void locking(unsigned *lock, unsigned *x)
{
    while (atomicCAS(lock, 0u, 1u) != 0)
        ;
    *x = *x * 3 + threadIdx.x;
    atomicExch(lock, 0u);
}
typedef unsigned function(unsigned);
__device__ unsigned twice(unsigned x)
{
    return 2 * x;
}
__device__ function *volatile pointer = twice;
// by_pointer: no loops: a call by a pointer
__global__ void by_pointer(unsigned *x)
{
    x[threadIdx.x] = pointer(x[threadIdx.x]);
}
// named: no loops: a call of portable_emulate_sync_named_, which may wait
__global__ void named(unsigned *x)
{
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 64;");
    x[threadIdx.x]++;
}
// asserting_later: no loops: an assertion or a trap behind a wait
__global__ void asserting_later(unsigned *x)
{
    __syncthreads();
    assert(x[threadIdx.x] < 4000000000u || threadIdx.x < 200);
    x[threadIdx.x] += 2;
}
// timing: no loops: a call of portable_emulate_clock_, which may wait
__global__ void timing(unsigned *x)
{
    const long long start = clock64();
    x[threadIdx.x] += (unsigned)(clock64() - start < 0);
}
__device__ unsigned descend(unsigned v, unsigned n, unsigned *s)
{
    if (n == 0)
        return v;
    s[threadIdx.x] = v;
    __syncthreads();
    v += s[(threadIdx.x + n) % 64];
    __syncthreads();
    return v ^ descend(v * 3, n - 1, s) ^ descend(v, n / 2, s);
}
// descending: no loops: a recursive function that waits
__global__ void descending(unsigned *x)
{
    __shared__ unsigned s[64];
    x[threadIdx.x] = descend(x[threadIdx.x], 5, s);
}
// One barrier, in two calls.
// two_ways: no loops: a barrier that threads reach on different ways
__global__ void two_ways(unsigned *x)
{
    const unsigned v = x[threadIdx.x];
    if (v % 2) {
        x[threadIdx.x] = v * 3;
        barrier();
        x[threadIdx.x] += x[(threadIdx.x + 1) % 64] == 1;
    } else {
        x[threadIdx.x] = v + 7;
        barrier();
        x[threadIdx.x] ^= 5;
    }
}
// keeping_much: no loops: each thread keeps
__global__ void keeping_much(unsigned *x)
{
    unsigned a[20000];
    for (unsigned k = 0; k < 20000; k++)
        a[k] = x[k % 64] + k;
    __syncthreads();
    x[threadIdx.x] = a[x[threadIdx.x] % 20000];
}

// Loops of which all threads make each iteration together: a loop more for each.
// turned: 2 loops
__global__ void turned(int n, const float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = 2 * x[i] + y[i];
}
// turned_wide: 3 loops
__global__ void turned_wide(size_t n, const unsigned *x, unsigned *y)
{
    __shared__ unsigned last;
    unsigned s = 0, count = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        s = s * 31 + x[i];
        if (s & 1)
            count++;
    }
    if (threadIdx.x == blockDim.x - 1)
        last = s;
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = s + count + last;
}
// Columns, of which all threads have as many rows.
// turned_columns: 2 loops
__global__ void turned_columns(int rows, int columns, const float *x, float *y)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns)
        return;
    float s = 0;
    for (int row = 0; row < rows; row++)
        s = s * 0.5f + x[row * columns + column];
    y[column] = s;
}
// Twice behind a barrier, and for some threads alone.
// turned_in_part: 4 loops
__global__ void turned_in_part(int n, const unsigned *x, unsigned *y)
{
    unsigned s = 0;
    if (threadIdx.x % 3 == 1)
        return;
    __syncthreads();
    if (threadIdx.x >= 10)
        for (int i = threadIdx.x - 10; i < n; i += 96)
            s += x[i] ^ i;
    for (int i = threadIdx.x; i <= n - 8; i += 96)
        s = s * 5 + x[i + 7];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
// turned_atomic: 4 loops
__global__ void turned_atomic(int n, const unsigned *x, unsigned *y)
{
    __shared__ unsigned bins[64];
    if (threadIdx.x < 64)
        bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[x[i] % 64], 3u);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);
}
// Behind the return of some threads, all others make as many iterations.
// turned_behind_return: 4 loops
__global__ void turned_behind_return(int rows, int threads, const unsigned *x, unsigned *y)
{
    __shared__ unsigned s[96];
    const int t = threadIdx.x;
    if (t >= threads)
        return;
    s[t] = y[t];
    __syncthreads();
    unsigned a = s[(t + 1) % threads];
    __syncthreads();
    for (int row = 0; row < rows; row++)
        a = a * 3 + x[row * 96 + t];
    y[blockIdx.x * 96 + t] = a;
}
// A value that is the same in all threads, of which only some compute it.
// turned_for_some: 4 loops
__global__ void turned_for_some(int n, int rounds, const float *x, float *y)
{
    __shared__ float s[96];
    float sum = 1;
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x < 50 && (int)threadIdx.x < n) {
            const float rest = (float)(n % (r + 7));
            y[2048 + blockIdx.x * 96 + threadIdx.x] = rest;
            int i = threadIdx.x;
            do {
                sum += x[i] * rest;
                i += 64;
            } while (i < n);
        }
        s[threadIdx.x] = sum;
        __syncthreads();
        sum += s[95 - threadIdx.x];
        __syncthreads();
    }
    y[blockIdx.x * 96 + threadIdx.x] = sum;
}
// The loop that comes first in the text is the second.
// turned_in_order: 3 loops
__global__ void turned_in_order(int n, const unsigned *x, unsigned *y)
{
    unsigned a = 1;
    int i;
    if (n > -5)
        goto first;
second:
    for (i = threadIdx.x; i < n; i += 96)
        a = a * 5 + x[i];
    goto end;
first:
    for (i = threadIdx.x + 7; i < 2 * n; i += 96)
        a = a * 7 + x[i];
    y[blockIdx.x * 96 + threadIdx.x] = a;
    goto second;
end:
    y[1024 + blockIdx.x * 96 + threadIdx.x] = a;
}
// Not these: sums are used, threads add behind the loop, or make different numbers of iterations.
// not_turned_tickets: 2 loops
__global__ void not_turned_tickets(int n, const unsigned *x, unsigned *y)
{
    __shared__ unsigned next;
    next = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (x[i] % 3 == 0)
            y[atomicAdd(&next, 1u)] = x[i];
}
// not_turned_adding: 1 loop
__global__ void not_turned_adding(int n, const float *x, float *y)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i] * 0.37f;
    atomicAdd(y, sum);
}
// not_turned_uneven: 1 loop
__global__ void not_turned_uneven(int n, const unsigned *x, unsigned *y)
{
    unsigned s = 0;
    for (int i = threadIdx.x; i < n / (int)(1 + threadIdx.x % 32); i += 96)
        s += x[i];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
// Rows of threads in parts: one thread, the first, the last, all but one.
// in_parts: 3 loops
__global__ void in_parts(int n, int one, const float *x, float *y)
{
    __shared__ float tile[200];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + 1;
    tile[at - 1] = -1;
    __syncthreads();
    tile[at] = i < n ? x[i] : 0;
    if (threadIdx.x == (unsigned)one)
        tile[0] = i > 0 ? x[i - 1] : 5;
    if (threadIdx.x + 1 == blockDim.x)
        tile[at + 1] = i + 1 < n ? x[i + 1] : 3;
    __syncthreads();
    if (at != one && i < n)
        y[i] = tile[at - 1] + 2 * tile[at] + tile[at + 1];
    if ((int)threadIdx.x >= one && 20 > (int)threadIdx.x)
        y[i] *= 3;
}
// in_unequal_parts: 1 loop
__global__ void in_unequal_parts(int one, unsigned *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((int)threadIdx.x != one)
        y[i] = y[i] * 3 + 1;
    else
        y[i] = 5;
}
// The address of a variable is not the same in all threads.
__device__ __noinline__ void put(unsigned *to, unsigned value)
{
    for (int k = 0; k < 4; k++)
        to[k] = value + k;
}
// addressed: loops
__global__ void addressed(int n, unsigned *x)
{
    const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned own[4];
    put(own, threadIdx.x);
    __syncthreads();
    if ((int)((size_t)own >> 6 & 7) + (int)threadIdx.y > n)
        x[i] = 3;
    __syncthreads();
    x[i] += own[i & 3];
}
// of_rows: 1 loop
__global__ void of_rows(int columns, int rows, const unsigned *x, unsigned *y)
{
    const uint3 at = make_uint3(threadIdx.x - 2, threadIdx.y + blockIdx.y, threadIdx.z);
    const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if ((int)at.x < columns && (int)at.y < rows)
        y[i] = x[(int)at.y * 40 + (int)at.x + 2] * 3;
    else
        y[i] = 5;
    if (threadIdx.y == 2 || (threadIdx.y & 1 && threadIdx.x - 3u < (unsigned)columns))
        y[i] += x[i];
    if (!(threadIdx.z == 1 || (int)threadIdx.x == columns) && y[i] % 3)
        y[i] ^= 77;
}
// Two words of two indices each, whose lower halves carry.
// halves: 1 loop
__global__ void halves(unsigned high, unsigned *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, low = threadIdx.x - 2;
    const unsigned long long a = (unsigned long long)i << 32 | low;
    const unsigned long long b = (unsigned long long)high << 32 | low;
    y[i] = (unsigned)(((long long)(a + b) >> 32) % 1000003);
}

// adding_zeros: loops
__global__ void adding_zeros(int n, const unsigned *x, unsigned *y)
{
    __shared__ unsigned sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&sum, x[i] % 96 == 5 ? i : 0);
        atomicSub(&y[i % 7], x[i] & 1);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&y[8 + blockIdx.x % 2], sum);
}

// keeping_largest: loops
__global__ void keeping_largest(int n, const unsigned *x, unsigned *y)
{
    __shared__ unsigned most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicMax(&most, x[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(&y[blockIdx.x % 2], most);
}

// adding_floats: loops
__global__ void adding_floats(int n, const float *x, float *y)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&y[i % 3], x[i] < 0.9f ? 0 : x[i]);
}

/* On stacks a thread lets others go on after 64 sums of zero: they are first then. */
// zeros_and_tickets: no loops: an atomic that may change nothing, in a long loop, and one by which
__global__ void zeros_and_tickets(int n, const unsigned *x, unsigned *y)
{
    for (int i = threadIdx.x % 3; i < n; i += 3 - threadIdx.x % 3)
        atomicAdd(y, x[i] >> 30);
    y[8 + threadIdx.x] = atomicAdd(y + 1, 1);
}

// zeros_and_others: no loops: an atomic that may change nothing, in a long loop, and one by which
__global__ void zeros_and_others(int n, const unsigned *x, unsigned *y)
{
    for (int i = threadIdx.x % 3; i < n; i += 3 - threadIdx.x % 3)
        atomicAdd(y, x[i] >> 30);
    atomicXor(y, x[threadIdx.x] % 50);
    atomicAdd(y, 1);
}

// zeros_by_function: no loops: an atomic that may change nothing, in a long loop, and one by which
__device__ __noinline__ unsigned counted(unsigned *sum, unsigned by)
{
    return atomicAdd(sum, by);
}
__global__ void zeros_by_function(int n, unsigned *y)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        counted(y, 0);
        y[2 + i] = counted(y + 1, 1);
    }
}

/* The end of the loop is not what reads the flag. */
// waiting_to_end: no loops: a loop that may wait for another thread
__global__ void waiting_to_end(unsigned n, unsigned *y)
{
    __shared__ volatile int flag;
    flag = 0;
    __syncthreads();
    if (threadIdx.x == 1)
        flag = 1;
    for (unsigned k = 1; threadIdx.x == 0; k++)
        if (flag) {
            y[0] = 1;
            if (k >= n)
                break;
        }
}

struct count_down {
    __device__ ~count_down()
    {
        --*left;
    }
    unsigned *left;
};
// destroying: no loops: a call that may throw
__global__ void destroying(int n, unsigned *y)
{
    const count_down down{y + threadIdx.x};
    for (int i = threadIdx.x; i < n; i++)
        atomicAdd(y + 96, i);
}

static unsigned *x, *y;
static float *f, *g;

template <class Launch> static void run(const char *name, Launch launch)
{
    unsigned state = 7;
    for (int i = 0; i < SIZE; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = state >> 8;
        y[i] = state >> 3;
        f[i] = (float)(state >> 8) / 16777216.0f;
        g[i] = f[i] * 3 - 1;
    }
    memset(y, 0, 64 * sizeof *y);
    fflush(stdout);
    launch();
    const cudaError_t error = cudaDeviceSynchronize();
    unsigned long long hash = 14695981039346656037ull;
    for (int i = 0; i < SIZE; i++) {
        unsigned bits;
        memcpy(&bits, &g[i], sizeof bits);
        hash = ((hash ^ x[i]) * 1099511628211ull ^ y[i]) * 1099511628211ull ^ bits;
    }
    printf("%-20s %016llx %d\n", name, hash, (int)error);
}

int main()
{
    cudaMallocManaged(&x, SIZE * sizeof *x);
    cudaMallocManaged(&y, SIZE * sizeof *y);
    cudaMallocManaged(&f, SIZE * sizeof *f);
    cudaMallocManaged(&g, SIZE * sizeof *g);
    for (int n : {N, N - 1, 77, 0, -3})
        run("guarded", [=] { guarded<<<25, 256>>>(n, 2, f, g); });
    run("guarded", [=] { guarded<<<25, dim3(15, 3)>>>(200, 2, f, g); });
    run("guarded_twice", [=] { guarded_twice<<<94, 64>>>(N - 5, x, y); });
    run("guarded_wide", [=] { guarded_wide<<<47, 128>>>(N - 70, x, y); });
    run("guarded_wrapping", [=] { guarded_wrapping<<<4, 100>>>(-150u, 90u, y); });
    run("guarded_wrapping", [=] { guarded_wrapping<<<4, 100>>>(0x7fffff80u, 0x80000010u, y); });
    run("strided", [=] { strided<<<7, 96>>>(N, x, y); });
    run("reversed", [=] { reversed<<<47, 128>>>(y); });
    run("reduced", [=] { reduced<<<23, 256>>>(f, g); });
    run("leaving", [=] { leaving<<<47, 128>>>(N - 333, x); });
    for (unsigned odd = 0; odd < 3; odd++)
        run("uneven", [=] { uneven<<<60, 96>>>(odd, x); });
    run("joined", [=] { joined<<<93, 64>>>(x); });
    run("chosen", [=] { chosen<<<93, 64>>>(0, x); });
    run("chosen", [=] { chosen<<<93, 64>>>(1, x); });
    run("kept_arrays", [=] { kept_arrays<<<93, 64>>>(x); });
    run("calling", [=] { calling<<<93, 64>>>(x); });
    run("indices", [=] { indices<<<50, dim3(4, 5, 6)>>>(x, 7); });
    run("counting", [=] { counting<<<60, 100>>>(3, x); });
    run("ordered", [=] { ordered<<<60, 100>>>(f, g, y); });
    run("histogram", [=] { histogram<<<20, 96>>>(N, x, y); });
    run("printing", [=] { printing<<<3, 40>>>(x); });
    run("asserting", [=] { asserting<<<1, 100>>>(x); });
    run("dynamic", [=] { dynamic<<<47, 128, 1024>>>(x); });
    run("walking", [=] { walking<<<93, 64>>>(x, y); });
    run("escaping", [=] { escaping<<<93, 64>>>(f, g); });
    run("recursive", [=] { recursive<<<1, 1000>>>(x); });
    run("structures", [=] { structures<<<60, 100>>>({x, {1, 2, 3}}, y); });
    run("loaded_bound", [=] { loaded_bound<<<93, 64>>>(y, x); });
    for (int kind = 0; kind < 4; kind++)
        run("switching", [=] { switching<<<93, 64>>>(kind, x); });
    run("summing", [=] { summing<<<50, 96>>>(f, g); });
    run("summing", [=] { summing<<<50, 100>>>(f, g); });
    run("shuffling", [=] { shuffling<<<50, 96>>>(x); });
    run("shuffling", [=] { shuffling<<<50, 75>>>(x); });
    run("guarded_warps", [=] { guarded_warps<<<1, 128>>>(2000, x, y); });
    run("voting", [=] { voting<<<50, 128>>>(x); });
    run("voting", [=] { voting<<<50, 20>>>(x); });
    run("apart", [=] { apart<<<46, 128>>>(x); });
    run("leaving_warps", [=] { leaving_warps<<<46, 128>>>(x); });
    run("barriers_of_warps", [=] { barriers_of_warps<<<1, 128>>>(x); });
    run("ending", [=] { ending<<<50, 100>>>(x); });
    run("ordered_warps", [=] { ordered_warps<<<50, 100>>>(f, g, x); });
    for (dim3 shape : {dim3(100, 1, 1), dim3(32, 3, 2), dim3(64, 2, 1), dim3(7, 5, 3)})
        run("rows", [=] { rows<<<20, shape>>>(x); });
    for (int n : {N, N - 1, 200, 5, 0, -7}) {
        run("turned", [=] { turned<<<7, 96>>>(n, f, g); });
        run("turned_wide", [=] { turned_wide<<<5, dim3(24, 2, 3)>>>(n < 0 ? 0 : n, x, y); });
        run("turned_columns", [=] { turned_columns<<<3, 64>>>(n / 100, 100, f, g); });
        run("turned_in_part", [=] { turned_in_part<<<5, 96>>>(n, x, y); });
        run("turned_atomic", [=] { turned_atomic<<<7, 96>>>(n, x, y); });
        run("turned_behind_return",
            [=] { turned_behind_return<<<3, 96>>>(n / 96, 50 + n % 7, x, y); });
        run("turned_for_some", [=] { turned_for_some<<<3, 96>>>(n / 8, 7, f, g); });
        run("turned_in_order", [=] { turned_in_order<<<3, 96>>>(n, x, y); });
        run("not_turned_adding", [=] { not_turned_adding<<<3, 96>>>(n, f, g); });
        run("not_turned_tickets", [=] { not_turned_tickets<<<1, 96>>>(n, x, y); });
        run("not_turned_uneven", [=] { not_turned_uneven<<<5, 96>>>(n, x, y); });
    }
    for (int one : {0, 1, 50, 95, 96, -1})
        run("in_parts", [=] { in_parts<<<63, 96>>>(N - 20, one, f, g); });
    for (int one : {0, 1, 50, 95, 96, -1})
        run("in_unequal_parts", [=] { in_unequal_parts<<<63, 96>>>(one, y); });
    run("addressed", [=] { addressed<<<20, dim3(20, 5)>>>(99, x); });
    for (dim3 shape : {dim3(1, 7), dim3(7, 5, 2), dim3(33, 3), dim3(40, 4, 2)})
        for (int n : {-1, 0, 2, 3, 50})
            run("of_rows", [=] { of_rows<<<9, shape>>>(n, n / 2 + 1, x, y); });
    for (unsigned high : {0u, 7u, 1u << 31})
        run("halves", [=] { halves<<<20, 50>>>(high, y); });
    for (int n : {N, 300, 0}) {
        run("adding_zeros", [=] { adding_zeros<<<5, 96>>>(n, x, y); });
        run("keeping_largest", [=] { keeping_largest<<<5, 96>>>(n, x, y); });
        run("adding_floats", [=] { adding_floats<<<5, 96>>>(n, f, g); });
        run("zeros_and_tickets", [=] { zeros_and_tickets<<<1, 96>>>(n, x, y); });
        run("zeros_and_others", [=] { zeros_and_others<<<1, 96>>>(n, x, y); });
        run("zeros_by_function", [=] { zeros_by_function<<<1, 96>>>(n, y); });
        run("waiting_to_end", [=] { waiting_to_end<<<1, 96>>>(n, y); });
        run("destroying", [=] { destroying<<<1, 96>>>(n, y); });
    }
    run("in_part", [=] { in_part<<<1, 64>>>(x); });
    run("active", [=] { active<<<1, 64>>>(x); });
    run("polling", [=] { polling<<<1, 64>>>(y); });
    run("locking", [=] { locking<<<5, 64>>>(y, y + 1); });
    run("by_pointer", [=] { by_pointer<<<1, 64>>>(x); });
    run("named", [=] { named<<<1, 96>>>(x); });
    run("asserting_later", [=] { asserting_later<<<1, 100>>>(x); });
    run("timing", [=] { timing<<<1, 64>>>(x); });
    run("descending", [=] { descending<<<1, 64>>>(x); });
    run("two_ways", [=] { two_ways<<<1, 64>>>(x); });
    run("keeping_much", [=] { keeping_much<<<1, 64>>>(x); });
    return 0;
}
