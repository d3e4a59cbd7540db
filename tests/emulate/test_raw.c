/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels in CUDA's own spelling on the emulate target: their results, and the launch's error if
 * threads diverge at a barrier. Each expected value is computed by other means than the
 * kernel's. */
#include "tests/target/test.h"

/* gcc warns that version 4.5 passed arguments with 32-byte alignment differently. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* A program's own constant, which changes neither warpSize nor the warp operations. */
#undef WARP_SIZE
#define WARP_SIZE 8

enum { MOST_THREADS = 1024 };

/* ---- indices, barriers and shared memory ---- */

/* Reverses a block through the shared memory of another function. */
__device__ static void reverse_tile(int *values, int turn_it)
{
    __shared__ int tile[MOST_THREADS];
    const unsigned t = threadIdx.x;

    if (turn_it) {
        tile[t] = values[t];
        __syncthreads();
        values[t] = tile[blockDim.x - 1 - t];
        __syncthreads();
    }
}

__global__ void reverse_blocks(int *values, const int *which)
{
    reverse_tile(values + blockIdx.x * blockDim.x, which[blockIdx.x]);
}

/* Everything that may stand before __shared__. */
__global__ void spellings(int *out)
{
    static __shared__ int tile[MOST_THREADS], last;
    volatile __shared__ int count;
    ALIGNED(64) __shared__ char first[3];
    static ALIGNED(128) __shared__ char second[3];
    __shared__ ALIGNED(256) char third[3];
    const unsigned t = threadIdx.x;

    tile[t] = (int)t;
    if (t == 0) {
        last = (int)blockDim.x - 1;
        count = 3;
        first[0] = second[0] = third[0] = 1;
    }
    __syncthreads();
    out[t] = tile[last - (int)t] + count - first[0] - second[0] - third[0];
    if ((uintptr_t)first % 64 + (uintptr_t)second % 128 + (uintptr_t)third % 256 > 0)
        out[t] = -1;
}

static void shared_memory_in_any_spelling(void **state)
{
    int out[64], *const device = (int *)device_from(NULL, sizeof out);

    (void)state;
    assert_ok(KERNEL_LAUNCH(spellings, 1, 64, 0, 0, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int t = 0; t < 64; t++)
        assert_int_equal(out[t], 63 - t);
}

static const int block_sizes[] = {1, 2, 31, 32, 33, 64, 255, 1000, 1024};

static void blocks_of_any_size_reverse(void **state)
{
    enum { BLOCKS = 5 };
    static const int which[BLOCKS] = {1, 0, 1, 1, 0};
    static int values[BLOCKS * MOST_THREADS];
    const int *const device_which = (const int *)device_from(which, sizeof which);

    (void)state;
    for (size_t s = 0; s < COUNT_OF(block_sizes); s++) {
        const int threads = block_sizes[s];
        const size_t bytes = sizeof(int) * BLOCKS * (size_t)threads;
        int *device;

        for (int k = 0; k < BLOCKS * threads; k++)
            values[k] = 7 * k + 3;
        device = (int *)device_from(values, bytes);
        assert_ok(KERNEL_LAUNCH(reverse_blocks, BLOCKS, threads, 0, 0, device, device_which));
        assert_ok(portable_copy_to_host(values, device, bytes));
        for (int b = 0; b < BLOCKS; b++)
            for (int t = 0; t < threads; t++)
                assert_int_equal(values[b * threads + t],
                                 7 * (b * threads + (which[b] ? threads - 1 - t : t)) + 3);
    }
}

/* Doubles distances until they reach the end: only the block knows how often. */
__global__ void scan_block(int *values, int *rounds)
{
    __shared__ int two[2][MOST_THREADS];
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
    int from = 0, count = 0;

    two[0][t] = values[first + t];
    __syncthreads();
    for (unsigned reach = 1; reach < blockDim.x >> blockIdx.x; reach *= 2) {
        two[!from][t] = two[from][t] + (t >= reach ? two[from][t - reach] : 0);
        from = !from;
        count++;
        __syncthreads();
    }
    values[first + t] = two[from][t];
    rounds[first + t] = count;
}

static void loops_turn_as_often_as_their_block_says(void **state)
{
    enum { BLOCKS = 3 };
    static int values[BLOCKS * MOST_THREADS], rounds[BLOCKS * MOST_THREADS];

    (void)state;
    for (size_t s = 0; s < COUNT_OF(block_sizes); s++) {
        const int threads = block_sizes[s];
        const size_t bytes = sizeof(int) * BLOCKS * (size_t)threads;
        int *device, *device_rounds;

        for (int k = 0; k < BLOCKS * threads; k++)
            values[k] = k % 13;
        device = (int *)device_from(values, bytes);
        device_rounds = (int *)device_from(NULL, bytes);
        assert_ok(KERNEL_LAUNCH(scan_block, BLOCKS, threads, 0, 0, device, device_rounds));
        assert_ok(portable_copy_to_host(values, device, bytes));
        assert_ok(portable_copy_to_host(rounds, device_rounds, bytes));
        for (int b = 0; b < BLOCKS; b++) {
            int doublings = 0, reached = 1, sum = 0;

            while (reached < threads >> b) {
                doublings++;
                reached *= 2;
            }
            for (int t = 0; t < threads; t++) {
                sum += (b * threads + t) % 13;
                if (t >= reached)
                    sum -= (b * threads + t - reached) % 13;
                assert_int_equal(rounds[b * threads + t], doublings);
                assert_int_equal(values[b * threads + t], sum);
            }
        }
    }
}

/* Each iteration ends with a vote of the block, and each thread has a different amount of work. */
__global__ void work_until_none_has_any(const int *amounts, int *out)
{
    int left = amounts[threadIdx.x], turns = 0, busy = 0, all_busy = 0;

    while (__syncthreads_or(left > 0)) {
        busy += __syncthreads_count(left > 0);
        all_busy += __syncthreads_and(left & 255);
        left -= left > 0;
        turns++;
    }
    out[3 * threadIdx.x] = turns;
    out[3 * threadIdx.x + 1] = busy;
    out[3 * threadIdx.x + 2] = all_busy;
}

static void blocks_vote_at_barriers(void **state)
{
    static int amounts[MOST_THREADS], out[3 * MOST_THREADS];

    (void)state;
    for (size_t s = 0; s < COUNT_OF(block_sizes); s++) {
        const int threads = block_sizes[s];
        const size_t bytes = sizeof(int) * (size_t)threads;
        int sum = 0, most = 0, least = 1 << 30, *device;

        for (int t = 0; t < threads; t++) {
            amounts[t] = 2 + (t * 37 + 11) % 9;
            sum += amounts[t];
            most = amounts[t] > most ? amounts[t] : most;
            least = amounts[t] < least ? amounts[t] : least;
        }
        device = (int *)device_from(NULL, 3 * bytes);
        assert_ok(KERNEL_LAUNCH(work_until_none_has_any, 1, threads, 0, 0,
                                (const int *)device_from(amounts, bytes), device));
        assert_ok(portable_copy_to_host(out, device, 3 * bytes));
        for (int t = 0; t < threads; t++) {
            assert_int_equal(out[3 * t], most);
            assert_int_equal(out[3 * t + 1], sum);
            assert_int_equal(out[3 * t + 2], least);
        }
    }
}

__global__ void note_indices(int *out)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int *const mine = out + 6 * (block * blockDim.x * blockDim.y * blockDim.z + thread);

    mine[0] = (int)threadIdx.x;
    mine[1] = (int)threadIdx.y;
    mine[2] = (int)threadIdx.z;
    __syncthreads(); /* the indices are unchanged after others have run */
    mine[3] = (int)blockIdx.x;
    mine[4] = (int)blockIdx.y;
    mine[5] = (int)blockIdx.z;
    mine[0] += 100 * (int)(threadIdx.x + blockDim.x);
    mine[1] += 100 * (int)(threadIdx.y + blockDim.y);
    mine[2] += 100 * (int)(threadIdx.z + blockDim.z);
}

static void indices_have_three_dimensions(void **state)
{
    static const int shapes[][6] = {
        {7, 1, 1, 33, 1, 1}, {3, 2, 1, 16, 4, 1}, {2, 3, 4, 5, 6, 7}, {1, 1, 3, 1, 1, 64}};
    static int out[6 * 24 * 210];

    (void)state;
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        const int *const g = shapes[s], *const b = shapes[s] + 3;
        const size_t bytes = sizeof(int) * 6 * (size_t)(g[0] * g[1] * g[2] * b[0] * b[1] * b[2]);
        int *const device = (int *)device_from(NULL, bytes), *at = out;

        assert_true(bytes <= sizeof out);
        assert_ok(KERNEL_LAUNCH(note_indices, DIM3((unsigned)g[0], (unsigned)g[1], (unsigned)g[2]),
                                DIM3((unsigned)b[0], (unsigned)b[1], (unsigned)b[2]), 0, 0,
                                device));
        assert_ok(portable_copy_to_host(out, device, bytes));
        for (int block = 0; block < g[0] * g[1] * g[2]; block++)
            for (int z = 0; z < b[2]; z++)
                for (int y = 0; y < b[1]; y++)
                    for (int x = 0; x < b[0]; x++, at += 6) {
                        assert_int_equal(at[0], x + 100 * (x + b[0]));
                        assert_int_equal(at[1], y + 100 * (y + b[1]));
                        assert_int_equal(at[2], z + 100 * (z + b[2]));
                        assert_int_equal(at[3], block % g[0]);
                        assert_int_equal(at[4], block / g[0] % g[1]);
                        assert_int_equal(at[5], block / g[0] / g[1]);
                    }
    }
}

/* Whole warps exit; the remaining ones meet at barriers, as on Volta and later. */
__global__ void first_warps_stay(int *out, unsigned staying)
{
    __shared__ int tile[MOST_THREADS];

    if (threadIdx.x >= 32 * staying)
        return;
    tile[threadIdx.x] = (int)(threadIdx.x * threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = tile[32 * staying - 1 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x % 2 == 0)
        return;
    out[threadIdx.x] += __shfl_xor_sync(0xaaaaaaaau, (int)threadIdx.x, 2);
}

static void warps_may_leave_before_a_barrier(void **state)
{
    static int out[MOST_THREADS];
    int *const device = (int *)device_from(NULL, sizeof out);

    (void)state;
    for (int staying = 1; staying <= 32; staying *= 2) {
        assert_ok(portable_memset(device, 0, sizeof out));
        assert_ok(
            KERNEL_LAUNCH(first_warps_stay, 1, MOST_THREADS, 0, 0, device, (unsigned)staying));
        assert_ok(portable_copy_to_host(out, device, sizeof out));
        for (int t = 0; t < MOST_THREADS; t++) {
            const int mirror = 32 * staying - 1 - t;
            const int other = t % 4 == 1 ? t + 2 : t - 2;

            assert_int_equal(out[t], t < 32 * staying ? mirror * mirror + (t % 2 ? other : 0) : 0);
        }
    }
}

/* ---- warps ---- */

enum { KINDS = 4, WIDTHS = 4, OPERANDS = 5 };
static const int widths[WIDTHS] = {32, 16, 8, 1};
static const int operands[OPERANDS] = {0, 1, 3, 7, 13};

#define DEFINE_SHUFFLES(type, name)                                                                \
    __global__ void shuffles_##name(const type *in, type *out)                                     \
    {                                                                                              \
        static const int by[OPERANDS] = {0, 1, 3, 7, 13};                                          \
        const type mine = in[threadIdx.x];                                                         \
        for (int k = 0; k < OPERANDS; k++) {                                                       \
            type *const at = out + (size_t)k * KINDS * WIDTHS * blockDim.x + threadIdx.x;          \
            const unsigned n = blockDim.x;                                                         \
            at[0 * n] = __shfl_sync(0xffffffff, mine, by[k]);                                      \
            at[1 * n] = __shfl_up_sync(0xffffffff, mine, by[k]);                                   \
            at[2 * n] = __shfl_down_sync(0xffffffff, mine, by[k]);                                 \
            at[3 * n] = __shfl_xor_sync(0xffffffff, mine, by[k]);                                  \
            at[4 * n] = __shfl_sync(0xffffffff, mine, by[k], 16);                                  \
            at[5 * n] = __shfl_up_sync(0xffffffff, mine, by[k], 16);                               \
            at[6 * n] = __shfl_down_sync(0xffffffff, mine, by[k], 16);                             \
            at[7 * n] = __shfl_xor_sync(0xffffffff, mine, by[k], 16);                              \
            at[8 * n] = __shfl_sync(0xffffffff, mine, by[k], 8);                                   \
            at[9 * n] = __shfl_up_sync(0xffffffff, mine, by[k], 8);                                \
            at[10 * n] = __shfl_down_sync(0xffffffff, mine, by[k], 8);                             \
            at[11 * n] = __shfl_xor_sync(0xffffffff, mine, by[k], 8);                              \
            at[12 * n] = __shfl_sync(0xffffffff, mine, by[k], 1);                                  \
            at[13 * n] = __shfl_up_sync(0xffffffff, mine, by[k], 1);                               \
            at[14 * n] = __shfl_down_sync(0xffffffff, mine, by[k], 1);                             \
            at[15 * n] = __shfl_xor_sync(0xffffffff, mine, by[k], 1);                              \
        }                                                                                          \
    }                                                                                              \
    static void shuffle_##name(void **state)                                                       \
    {                                                                                              \
        enum { THREADS = 96, OUT = OPERANDS * KINDS * WIDTHS * THREADS };                          \
        static type in[THREADS], out[OUT];                                                         \
        type *const device = (type *)device_from(NULL, sizeof out);                                \
        (void)state;                                                                               \
        for (int t = 0; t < THREADS; t++)                                                          \
            in[t] = (type)((type)(t * t - 1000) * (type)1000003);                                  \
        assert_ok(KERNEL_LAUNCH(shuffles_##name, 1, THREADS, 0, 0,                                 \
                                (const type *)device_from(in, sizeof in), device));                \
        assert_ok(portable_copy_to_host(out, device, sizeof out));                                 \
        for (int k = 0; k < OUT; k++) {                                                            \
            const int t = k % THREADS, kind = k / THREADS % KINDS;                                 \
            const int width = widths[k / THREADS / KINDS % WIDTHS];                                \
            const int by = operands[k / THREADS / KINDS / WIDTHS];                                 \
            if (memcmp(&out[k], &in[source_of(t, kind, width, by)], sizeof out[k]) != 0)           \
                fail_msg("thread %d, kind %d, width %d, by %d: not that of thread %d", t, kind,    \
                         width, by, source_of(t, kind, width, by));                                \
        }                                                                                          \
    }

/* The source lane of a shuffle, found by walking through the segment, as in CUDA's guide. */
static int source_of(int t, int kind, int width, int by)
{
    const int first = t - t % width, last = first + width - 1, warp = t - t % 32;
    int source = t;

    switch (kind) {
    case 0:
        source = first;
        for (int k = 0; k < by; k++)
            source = source == last ? first : source + 1;
        break;
    case 1: source = t - first < by ? t : t - by; break;
    case 2: source = last - t < by ? t : t + by; break;
    default:
        /* Lanes in earlier segments may be read, lanes in later ones not. */
        source = warp + ((t - warp) ^ by);
        source = source > last ? t : source;
    }
    return source;
}

DEFINE_SHUFFLES(int, int)
DEFINE_SHUFFLES(unsigned, unsigned)
DEFINE_SHUFFLES(long long, long_long)
DEFINE_SHUFFLES(unsigned long long, unsigned_long_long)
DEFINE_SHUFFLES(float, float)
DEFINE_SHUFFLES(double, double)
DEFINE_SHUFFLES(long, long)
DEFINE_SHUFFLES(size_t, size)
DEFINE_SHUFFLES(short, short)
DEFINE_SHUFFLES(unsigned short, unsigned_short)
DEFINE_SHUFFLES(char, char)
DEFINE_SHUFFLES(unsigned char, unsigned_char)

/* The halves of a warp do different things, a different number of times. */
__global__ void halves_part(int *out)
{
    const int lane = (int)(threadIdx.x % warpSize);
    int value = (int)threadIdx.x;

    if (lane < 16) {
        for (int delta = 8; delta > 0; delta /= 2)
            value += __shfl_xor_sync(0x0000ffff, value, delta);
    } else {
        value = __shfl_down_sync(0xffff0000, value, 1, 16);
        value += 1000 * __shfl_sync(0xffff0000, value, 2, 16);
    }
    __syncwarp();
    out[threadIdx.x] = value;
}

static void halves_of_a_warp_shuffle_apart(void **state)
{
    enum { THREADS = 128 };
    int out[THREADS], *const device = (int *)device_from(NULL, sizeof out);

    (void)state;
    assert_ok(KERNEL_LAUNCH(halves_part, 1, THREADS, 0, 0, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int t = 0; t < THREADS; t++) {
        const int warp = t / 32 * 32;

        if (t % 32 < 16)
            assert_int_equal(out[t], 16 * warp + 15 * 16 / 2);
        else
            assert_int_equal(out[t], (t % 32 == 31 ? t : t + 1) + 1000 * (warp + 16 + 3));
    }
}

/* A sum over each warp, and one over each of its halves, by shared memory and warp barriers. */
__global__ void warp_trees(int *sums, int *half_sums)
{
    __shared__ int tile[MOST_THREADS];
    const int t = (int)threadIdx.x, lane = t % 32;

    tile[t] = t * t;
    __syncwarp();
    for (int delta = 16; delta > 0; delta /= 2) {
        int other = tile[t - lane + (lane + delta) % 32];
        __syncwarp();
        tile[t] += other;
        __syncwarp();
    }
    sums[t] = tile[t];
    tile[t] = t;
    if (lane < 16) {
        __syncwarp(0x0000ffff);
        for (int delta = 8; delta > 0; delta /= 2) {
            if (lane < delta)
                tile[t] += tile[t + delta];
            __syncwarp(0x0000ffff);
        }
    } else {
        __syncwarp(0xffff0000);
        if (lane == 16)
            for (int k = 1; k < 16; k++)
                tile[t] += 3 * tile[t + k];
        __syncwarp(0xffff0000);
    }
    half_sums[t] = tile[t - lane % 16];
}

static void warps_meet_at_their_own_barriers(void **state)
{
    enum { THREADS = 256 };
    int sums[THREADS], half_sums[THREADS];
    int *const device = (int *)device_from(NULL, sizeof sums);
    int *const device_half = (int *)device_from(NULL, sizeof half_sums);

    (void)state;
    assert_ok(KERNEL_LAUNCH(warp_trees, 1, THREADS, 0, 0, device, device_half));
    assert_ok(portable_copy_to_host(sums, device, sizeof sums));
    assert_ok(portable_copy_to_host(half_sums, device_half, sizeof half_sums));
    for (int t = 0; t < THREADS; t++) {
        int of_warp = 0, of_half = 0;

        for (int k = t - t % 32; k < t - t % 32 + 32; k++)
            of_warp += k * k;
        for (int k = t - t % 16; k < t - t % 16 + 16; k++)
            of_half += t % 32 >= 16 && k % 16 != 0 ? 3 * k : k;
        assert_int_equal(sums[t], of_warp);
        assert_int_equal(half_sums[t], of_half);
    }
}

/* Lanes vote in thirds: lanes 0, 3, 6..., lanes 1, 4..., lanes 2, 5... */
__global__ void vote_in_thirds(const int *in, unsigned *out)
{
    const unsigned thirds[3] = {0x49249249u, 0x92492492u, 0x24924924u};
    const unsigned t = threadIdx.x, lane = t % 32;
    const int mine = in[t];

    if (lane % 3 == 0) {
        out[4 * t] = __ballot_sync(thirds[0], mine & 1);
        out[4 * t + 1] = (unsigned)__any_sync(thirds[0], mine & 2);
        out[4 * t + 2] = (unsigned)__all_sync(thirds[0], mine & 4);
    } else if (lane % 3 == 1) {
        out[4 * t + 2] = (unsigned)__all_sync(thirds[1], mine & 4);
        out[4 * t] = __ballot_sync(thirds[1], mine & 1);
        out[4 * t + 1] = (unsigned)__any_sync(thirds[1], mine & 2);
    } else {
        out[4 * t + 1] = (unsigned)__any_sync(thirds[2], mine & 2);
        out[4 * t + 2] = (unsigned)__all_sync(thirds[2], mine & 4);
        out[4 * t] = __ballot_sync(thirds[2], mine & 1);
    }
    out[4 * t + 3] = __ballot_sync(0xffffffff, mine & 8);
}

static void lanes_vote_among_those_of_a_mask(void **state)
{
    int in[MOST_THREADS];
    unsigned out[4 * MOST_THREADS];
    unsigned *const device = (unsigned *)device_from(NULL, sizeof out);

    (void)state;
    for (size_t s = 0; s < COUNT_OF(block_sizes); s++) {
        const int threads = block_sizes[s];

        for (int t = 0; t < threads; t++)
            in[t] = (t * 2654435 >> 7 & 9) | (t / 3 % 11 == 5 ? 2 : 0) | (t / 32 % 2 ? 4 : t & 4);
        assert_ok(KERNEL_LAUNCH(vote_in_thirds, 1, threads, 0, 0,
                                (const int *)device_from(in, sizeof in), device));
        assert_ok(portable_copy_to_host(out, device, 16 * (size_t)threads));
        for (int t = 0; t < threads; t++) {
            unsigned ballot = 0, any = 0, all = 1, of_warp = 0;

            for (int lane = 0; lane < 32 && t - t % 32 + lane < threads; lane++) {
                const int other = in[t - t % 32 + lane];

                of_warp |= (unsigned)((other & 8) != 0) << lane;
                if (lane % 3 != t % 32 % 3)
                    continue;
                ballot |= (unsigned)(other & 1) << lane;
                any |= (unsigned)((other & 2) != 0);
                all &= (unsigned)((other & 4) != 0);
            }
            assert_int_equal(out[4 * t], ballot);
            assert_int_equal(out[4 * t + 1], any);
            assert_int_equal(out[4 * t + 2], all);
            assert_int_equal(out[4 * t + 3], of_warp);
        }
    }
}

/* ---- device and constant variables, atomics ---- */

__device__ int visits;
__device__ static unsigned tickets = 5;
__constant__ float weights[4];

__device__ static float weigh(float x)
{
    return x * weights[threadIdx.x % 4];
}

__global__ void use_variables(float *out, unsigned *ticket)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = weigh((float)i);
    atomicAdd(&visits, 1);
    ticket[i] = atomicInc(&tickets, 9);
}

static void variables_of_the_device(void **state)
{
    enum { BLOCKS = 3, THREADS = 50, ALL = BLOCKS * THREADS };
    static const float host_weights[4] = {0.5f, 2, -1, 4};
    float out[ALL], *const device = (float *)device_from(NULL, sizeof out);
    unsigned ticket[ALL], *const device_ticket = (unsigned *)device_from(NULL, sizeof ticket);
    int seen[10] = {0};

    (void)state;
    visits = 1000;
    assert_ok(portable_copy_to_constant(weights, host_weights, sizeof host_weights));
    assert_ok(KERNEL_LAUNCH(use_variables, BLOCKS, THREADS, 0, 0, device, device_ticket));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    assert_ok(portable_copy_to_host(ticket, device_ticket, sizeof ticket));
    assert_int_equal(visits, 1000 + ALL);
    for (int i = 0; i < ALL; i++) {
        assert_true(out[i] == (float)i * host_weights[i % THREADS % 4]);
        assert_true(ticket[i] <= 9);
        seen[ticket[i]]++;
    }
    for (int k = 0; k < 10; k++) /* 150 tickets of 10 kinds, in any order */
        assert_int_equal(seen[k], ALL / 10);
}

struct totals {
    int add, sub, least, most;
    unsigned all_bits, any_bits, odd_bits, down;
    unsigned long long wide;
    float real;
    double wide_real;
    int exchanged, swapped, in_block;
};

__global__ void count_all(struct totals *totals, const int *in, int *replaced)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = in[i];
    int old, assumed;

    atomicAdd(&totals->add, mine);
    atomicSub(&totals->sub, mine);
    atomicMin(&totals->least, mine);
    atomicMax(&totals->most, mine);
    atomicAnd(&totals->all_bits, ~(1u << i % 16));
    atomicOr(&totals->any_bits, 1u << i % 8);
    atomicXor(&totals->odd_bits, 1u << mine % 8);
    atomicDec(&totals->down, 6);
    atomicAdd(&totals->wide, 1ull << 33);
    atomicAdd(&totals->real, 0.5f);
    atomicAdd(&totals->wide_real, 0.25);
    replaced[i] = atomicExch(&totals->exchanged, (int)i);
    old = totals->swapped;
    do {
        assumed = old;
        old = atomicCAS(&totals->swapped, assumed, assumed + 3);
    } while (assumed != old);
    atomicAdd_block(&totals->in_block, 2);
}

/* The forms of one block, each on a counter of its own: what one thread leaves. */
__global__ void count_in_a_block(unsigned *counters)
{
    atomicAdd_block(&counters[0], 3u);
    atomicSub_block(&counters[1], 3u);
    atomicMin_block(&counters[2], 3u);
    atomicMax_block(&counters[3], 3u);
    atomicExch_block(&counters[4], 3u);
    atomicAnd_block(&counters[5], 3u);
    atomicOr_block(&counters[6], 3u);
    atomicXor_block(&counters[7], 3u);
    atomicInc_block(&counters[8], 3u);
    atomicDec_block(&counters[9], 3u);
    atomicCAS_block(&counters[10], 9u, 3u);
}

static void every_atomic_has_a_form_for_one_block(void **state)
{
    static const unsigned left[] = {12, 6, 3, 9, 3, 1, 11, 10, 0, 3, 3};
    enum { FORMS = sizeof left / sizeof *left };
    unsigned counters[FORMS], *device;

    (void)state;
    for (int i = 0; i < FORMS; i++)
        counters[i] = 9;
    device = (unsigned *)device_from(counters, sizeof counters);
    assert_ok(KERNEL_LAUNCH(count_in_a_block, 1, 1, 0, 0, device));
    assert_ok(portable_copy_to_host(counters, device, sizeof counters));
    for (int i = 0; i < FORMS; i++)
        assert_int_equal(counters[i], left[i]);
}

static void atomics_lose_nothing(void **state)
{
    enum { BLOCKS = 3, THREADS = 64, ALL = BLOCKS * THREADS };
    struct totals totals;
    int in[ALL], replaced[ALL], found[ALL + 1] = {0}, sum = 0, least = 1 << 30, most = 0;
    unsigned odd = 0;
    struct totals *device;
    int *device_replaced;

    (void)state;
    memset(&totals, 0, sizeof totals);
    totals.least = 1 << 30;
    totals.all_bits = 0xffffffffu;
    totals.exchanged = ALL;
    for (int i = 0; i < ALL; i++) {
        in[i] = 5 + i * 31 % 97;
        sum += in[i];
        least = in[i] < least ? in[i] : least;
        most = in[i] > most ? in[i] : most;
        odd ^= 1u << in[i] % 8;
    }
    device = (struct totals *)device_from(&totals, sizeof totals);
    device_replaced = (int *)device_from(NULL, sizeof replaced);
    assert_ok(KERNEL_LAUNCH(count_all, BLOCKS, THREADS, 0, 0, device,
                            (const int *)device_from(in, sizeof in), device_replaced));
    assert_ok(portable_copy_to_host(&totals, device, sizeof totals));
    assert_ok(portable_copy_to_host(replaced, device_replaced, sizeof replaced));
    assert_int_equal(totals.add, sum);
    assert_int_equal(totals.sub, -sum);
    assert_int_equal(totals.least, least);
    assert_int_equal(totals.most, most);
    assert_int_equal(totals.all_bits, 0xffff0000u);
    assert_int_equal(totals.any_bits, 0xffu);
    assert_int_equal(totals.odd_bits, odd);
    assert_int_equal(totals.down, (7 - ALL % 7) % 7); /* 0, 6, 5, ..., 1, 0, 6 */
    assert_true(totals.wide == (unsigned long long)ALL << 33);
    assert_true(totals.real == 0.5f * ALL);
    assert_true(totals.wide_real == 0.25 * ALL);
    assert_int_equal(totals.swapped, 3 * ALL);
    assert_int_equal(totals.in_block, 2 * ALL);
    /* Each value was stored once and taken once, or is the remaining one. */
    for (int i = 0; i < ALL; i++)
        found[replaced[i]]++;
    found[totals.exchanged]++;
    for (int i = 0; i <= ALL; i++)
        assert_int_equal(found[i], 1);
}

/* ---- a barrier of the grid ---- */

/* Passes each block's dynamic and static shared memory across barriers of the grid, and each
 * block's sum to the next one. */
__global__ void pass_around(int *sums, int *out, int rounds)
{
    SHARED_DYNAMIC(int, dynamic);
    __shared__ int fixed[4];
    const unsigned t = threadIdx.x, b = blockIdx.x, next = (b + 1) % gridDim.x;

    dynamic[t] = (int)(100 * b + t);
    if (t < 4)
        fixed[t] = (int)(1000 * b + t);
    for (int round = 0; round < rounds; round++) {
        __syncthreads();
        if (t == 0) {
            int sum = 0;
            for (unsigned k = 0; k < blockDim.x; k++)
                sum += dynamic[k];
            sums[b] = sum;
        }
        SYNC_GRID();
        dynamic[t] += sums[next] % 10 + fixed[t % 4];
        SYNC_GRID();
    }
    out[b * blockDim.x + t] = dynamic[t];
}

static void blocks_keep_their_shared_memory_across_the_grid(void **state)
{
    enum { BLOCKS = 7, THREADS = 40, ROUNDS = 3 };
    int out[BLOCKS][THREADS], expected[BLOCKS][THREADS], sums[BLOCKS];
    int *const device = (int *)device_from(NULL, sizeof out);
    int *const device_sums = (int *)device_from(NULL, sizeof sums);

    (void)state;
    assert_ok(KERNEL_LAUNCH_COOPERATIVE(pass_around, BLOCKS, THREADS, THREADS * sizeof(int), 0,
                                        device_sums, device, ROUNDS));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int b = 0; b < BLOCKS; b++)
        for (int t = 0; t < THREADS; t++)
            expected[b][t] = 100 * b + t;
    for (int round = 0; round < ROUNDS; round++) {
        memset(sums, 0, sizeof sums);
        for (int b = 0; b < BLOCKS; b++)
            for (int t = 0; t < THREADS; t++)
                sums[b] += expected[b][t];
        for (int b = 0; b < BLOCKS; b++)
            for (int t = 0; t < THREADS; t++)
                expected[b][t] += sums[(b + 1) % BLOCKS] % 10 + 1000 * b + t % 4;
    }
    assert_memory_equal(out, expected, sizeof out);
}

/* ---- arguments ---- */

struct three {
    float x, y, z;
};
struct hundred {
    int values[25];
};
struct mixed {
    double real;
    long long integer;
};
struct ALIGNED(32) wide {
    int values[8];
};

__global__ void no_argument(void)
{
    atomicAdd(&visits, (int)(1 + threadIdx.x));
}

static void a_kernel_without_arguments(void **state)
{
    (void)state;
    visits = 0;
    assert_ok(KERNEL_LAUNCH(no_argument, 4, 10, 0, 0));
    assert_int_equal(visits, 4 * (10 + 45));
}

/* More than 6 integers and 8 reals: some of each are in registers and some on the stack. */
__global__ void every_type(char c, short s, int i, long long l, float f, double d, float2 f2,
                           float4 f4, double4 d4, dim3 e, struct three t, struct hundred h,
                           int *out, struct mixed m, unsigned char u, float g0, float g1, float g2,
                           float g3, double g4, const int *in, signed char last)
{
    int *const at = out + 40 * threadIdx.x;
    int k = 0;

    __syncthreads();
    at[k++] = c;
    at[k++] = s;
    at[k++] = i;
    at[k++] = (int)(l >> 32);
    at[k++] = (int)(2 * f);
    at[k++] = (int)(4 * d);
    at[k++] = (int)(f2.x + 10 * f2.y);
    at[k++] = (int)(f4.x + 10 * f4.y + 100 * f4.z + 1000 * f4.w);
    at[k++] = (int)(d4.x + 10 * d4.y + 100 * d4.z + 1000 * d4.w);
    at[k++] = (int)(e.x + 10 * e.y + 100 * e.z);
    at[k++] = (int)(t.x + 10 * t.y + 100 * t.z);
    at[k++] = (int)(m.real * 8) + (int)m.integer;
    at[k++] = u;
    at[k++] = (int)(g0 + 10 * g1 + 100 * g2 + 1000 * g3 + 10000 * g4);
    at[k++] = in[threadIdx.x];
    at[k++] = last;
    for (int j = 0; j < 24; j++)
        at[k++] = h.values[j] + h.values[24];
}

static void arguments_of_every_type(void **state)
{
    enum { THREADS = 70, MEMBERS = 40 };
    static int out[THREADS * MEMBERS], in[THREADS];
    const float2 f2 = {1, 2};
    const float4 f4 = {3, 4, 5, 6};
    const double4 d4 = {7, 8, 9, 1};
    const struct three t = {2, 3, 4};
    const struct mixed m = {0.125, -77};
    struct hundred h;
    int *const device = (int *)device_from(NULL, sizeof out);

    (void)state;
    for (int k = 0; k < 25; k++)
        h.values[k] = 11 * k * k;
    for (int k = 0; k < THREADS; k++)
        in[k] = -k;
    assert_ok(KERNEL_LAUNCH(every_type, 1, THREADS, 0, 0, 'q', -12345, 1234567890, 5ll << 32, 2.5f,
                            -0.75, f2, f4, d4, DIM3(5, 6, 7), t, h, device, m, 200, 1, 2, 3, 4, 5,
                            (const int *)device_from(in, sizeof in), -100));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int thread = 0; thread < THREADS; thread++) {
        const int expected[] = {'q',  -12345, 1234567890, 5,   5,   -3,    21,      6543,
                                1987, 765,    432,        -76, 200, 54321, -thread, -100};
        const int *const at = out + MEMBERS * thread;

        for (size_t k = 0; k < COUNT_OF(expected); k++)
            assert_int_equal(at[k], expected[k]);
        for (int k = 0; k < 24; k++)
            assert_int_equal(at[16 + k], 11 * (k * k + 24 * 24));
    }
}

/* On aarch64 a structure of more than 16 bytes is passed as the address of the caller's copy, which
 * all threads share. */
#if defined(__aarch64__)
enum { LARGE_STRUCTURES_ARE_SHARED = 1 };
#else
enum { LARGE_STRUCTURES_ARE_SHARED = 0 };
#endif

/* Each thread has its own parameters: a change by one thread is invisible to the others. */
__global__ void change_parameters(struct hundred h, struct three t, int i, struct wide w, char c,
                                  struct wide v, int *out)
{
    if (!LARGE_STRUCTURES_ARE_SHARED) {
        h.values[3] += (int)threadIdx.x;
        w.values[7]++;
        v.values[0]++;
    }
    t.y += 1;
    i++;
    __syncthreads();
    if (!LARGE_STRUCTURES_ARE_SHARED)
        h.values[3] += 1000;
    out[3 * threadIdx.x] = h.values[3] + (int)t.y + i;
    out[3 * threadIdx.x + 1] = w.values[7] + v.values[0] + c;
    out[3 * threadIdx.x + 2] = (int)((uintptr_t)&w % 32 + (uintptr_t)&v % 32);
}

struct table {
    int values[2000];
};
struct too_much {
    int values[9000];
};

__global__ void keep_table(struct table table, int *values)
{
    for (unsigned k = threadIdx.x; k < COUNT_OF(table.values); k += blockDim.x)
        values[k] = table.values[k];
}
__global__ void keep_too_much(struct too_much much, int *values)
{
    values[0] = much.values[0];
}

/* Newer GPUs take 32764 bytes. */
static void arguments_of_many_bytes(void **state)
{
    static struct table table, kept;
    static struct too_much much;
    int *const values = (int *)device_from(&kept, sizeof kept);

    (void)state;
    for (size_t k = 0; k < COUNT_OF(table.values); k++)
        table.values[k] = 3 * (int)k + 1;
    assert_ok(KERNEL_LAUNCH(keep_table, 1, 33, 0, 0, table, values));
    assert_ok(portable_copy_to_host(kept.values, values, sizeof kept));
    assert_memory_equal(&kept, &table, sizeof table);
    assert_int_equal(KERNEL_LAUNCH(keep_too_much, 1, 1, 0, 0, much, values),
                     PORTABLE_ERROR_INVALID_LAUNCH);
}

static void parameters_are_their_threads_own(void **state)
{
    enum { THREADS = 64 };
    int out[3 * THREADS], *const device = (int *)device_from(NULL, sizeof out);
    const struct three t = {1, 2, 3};
    struct hundred h;
    struct wide w, v;

    (void)state;
    memset(&h, 0, sizeof h);
    memset(&w, 0, sizeof w);
    memset(&v, 0, sizeof v);
    h.values[3] = 7;
    w.values[7] = 50;
    v.values[0] = 500;
    assert_ok(KERNEL_LAUNCH(change_parameters, 2, THREADS, 0, 0, h, t, 100, w, 1, v, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int k = 0; k < THREADS; k++) {
        const int changed = !LARGE_STRUCTURES_ARE_SHARED;

        assert_int_equal(out[3 * k], 7 + changed * (k + 1000) + 3 + 101);
        assert_int_equal(out[3 * k + 1], 50 + 500 + 2 * changed + 1);
        assert_int_equal(out[3 * k + 2], 0); /* aligned as its type requires */
    }
    assert_int_equal(h.values[3], 7);
}

static int times_asked;

static int ask(int value)
{
    times_asked++;
    return value;
}

__global__ void add_to_all(int *out, int a, long long b)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] += a + (int)b;
}

static void arguments_are_evaluated_once(void **state)
{
    enum { ALL = 96 };
    int out[ALL], turn = 10, grid = 3, *const device = (int *)device_from(NULL, sizeof out);

    (void)state;
    times_asked = 0;
    assert_ok(KERNEL_LAUNCH(add_to_all, grid++, ask(32), 0, 0, device, turn++, ask(1000)));
    assert_int_equal(turn, 11);
    assert_int_equal(grid, 4);
    assert_int_equal(times_asked, 2);
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int k = 0; k < ALL; k++)
        assert_int_equal(out[k], 1010);
    /* A refused launch has run nothing. */
    assert_refused(KERNEL_LAUNCH(add_to_all, 0, 32, 0, 0, device, 1, 1),
                   PORTABLE_ERROR_INVALID_LAUNCH, "add_to_all");
    assert_refused(KERNEL_LAUNCH(add_to_all, 1, 1025, 0, 0, device, 1, 1),
                   PORTABLE_ERROR_INVALID_LAUNCH, "add_to_all");
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    assert_int_equal(out[0], 1010);
}

/* ---- threads that diverge ---- */

__global__ void different_barriers(int *out)
{
    if (threadIdx.x < 5)
        __syncthreads();
    else
        out[threadIdx.x] = __syncthreads_count(1);
}

/* The first lane of the mask stays away, and waits for the block instead. */
__global__ void lane_stays_away(int *out)
{
    if (threadIdx.x > 0)
        out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 1);
    __syncthreads();
}

__global__ void masks_differ(unsigned *out)
{
    out[threadIdx.x] = __ballot_sync(threadIdx.x < 8 ? 0xffffu : 0xfffffffeu, 1);
}

__global__ void operations_differ(int *out)
{
    if (threadIdx.x % 2)
        out[threadIdx.x] = __any_sync(0xffffffff, 1);
    else
        __syncwarp();
}

/* A lane outside its own mask. */
__global__ void not_of_its_mask(unsigned *out)
{
    out[threadIdx.x] = __ballot_sync(0x0000ffff, 1);
    __syncthreads();
    out[threadIdx.x] += __ballot_sync(0xffffffff, 1);
}

__global__ void empty_mask(int *out)
{
    __syncwarp(0);
    __syncthreads();
    out[threadIdx.x] = 1;
}

__global__ void reads_an_absent_lane(int *out)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_sync(0x0000ffff, (int)threadIdx.x, 20);
}

__global__ void block_and_grid(int *out)
{
    if (threadIdx.x == 7)
        SYNC_GRID();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}

__global__ void one_block_ends(int *out)
{
    if (blockIdx.x != 1)
        SYNC_GRID();
    out[threadIdx.x] = 1;
}

__global__ void grid_without_leave(int *out)
{
    SYNC_GRID();
    out[threadIdx.x] = 1;
}

/* The launch reports the divergence, with all parts of the block; the next launch is unaffected. */
#define assert_parted(launch, ...)                                                                 \
    do {                                                                                           \
        static const char *const parts[] = {__VA_ARGS__};                                          \
        const portable_status status = (launch);                                                   \
        if (status != PORTABLE_ERROR_DIVERGED)                                                     \
            fail_msg("%s: %s: %s", #launch, portable_status_string(status),                        \
                     portable_last_message());                                                     \
        for (size_t part = 0; part < COUNT_OF(parts); part++)                                      \
            if (!strstr(portable_last_message(), parts[part]))                                     \
                fail_msg("%s: \"%s\" lacks \"%s\"", #launch, portable_last_message(),              \
                         parts[part]);                                                             \
        portable_last_error();                                                                     \
        assert_ok(KERNEL_LAUNCH(add_to_all, 1, 64, 0, 0, device, 0, 0));                           \
    } while (0)

static void threads_that_part_fail_their_launch(void **state)
{
    int *const device = (int *)device_from(NULL, 256 * sizeof(int));
    unsigned *const words = (unsigned *)device_from(NULL, 256 * sizeof *words);

    (void)state;
    assert_parted(KERNEL_LAUNCH(different_barriers, 1, 48, 0, 0, device),
                  "kernel different_barriers: block (0, 0, 0): its threads wait at different "
                  "barriers",
                  "\n    block (0, 0, 0), thread (0, 0, 0) and 4 more wait at __syncthreads, ",
                  "\n    block (0, 0, 0), thread (5, 0, 0) and 42 more wait at "
                  "__syncthreads_count, ",
                  "test_raw.c:");
    assert_parted(KERNEL_LAUNCH(lane_stays_away, 1, 64, 0, 0, device),
                  "kernel lane_stays_away: block (0, 0, 0): not all lanes named by __shfl_sync "
                  "reach it with the same mask",
                  "\n    block (0, 0, 0), thread (0, 0, 0) waits at __syncthreads, ",
                  "\n    block (0, 0, 0), thread (1, 0, 0) and 30 more wait at __shfl_sync, ");
    assert_parted(KERNEL_LAUNCH(masks_differ, 1, 32, 0, 0, words),
                  "not all lanes named by __ballot_sync reach it with the same mask");
    assert_parted(KERNEL_LAUNCH(operations_differ, 1, 32, 0, 0, device),
                  "thread (0, 0, 0) and 15 more wait at __syncwarp, ",
                  "thread (1, 0, 0) and 15 more wait at __any_sync, ");
    assert_parted(KERNEL_LAUNCH(not_of_its_mask, 1, 32, 0, 0, words),
                  "not all lanes named by __ballot_sync reach it with the same mask");
    assert_parted(KERNEL_LAUNCH(empty_mask, 1, 32, 0, 0, device), "__syncwarp");
    assert_parted(KERNEL_LAUNCH(reads_an_absent_lane, 1, 32, 0, 0, device),
                  "kernel reads_an_absent_lane: block (0, 0, 0), thread (0, 0, 0): __shfl_sync "
                  "reads lane 20, which does not take part");
    assert_parted(KERNEL_LAUNCH_COOPERATIVE(block_and_grid, 1, 40, 0, 0, device),
                  "kernel block_and_grid: block (0, 0, 0): some threads wait for the block, some "
                  "for the grid",
                  "thread (7, 0, 0) waits at SYNC_GRID, ",
                  "thread (0, 0, 0) and 38 more wait at __syncthreads, ");
    assert_parted(
        KERNEL_LAUNCH_COOPERATIVE(one_block_ends, 4, 8, 0, 0, device),
        "kernel one_block_ends: block (0, 0, 0): it waits for the grid, and 1 of 4 blocks "
        "have ended, the first of them block 1");
    assert_refused(KERNEL_LAUNCH(grid_without_leave, 2, 8, 0, 0, device),
                   PORTABLE_ERROR_INVALID_LAUNCH, "SYNC_GRID needs KERNEL_LAUNCH_COOPERATIVE");
}

/* ---- spellings that C and CUDA C++ take differently ---- */

__global__ void note_warp_size(int *out)
{
    out[0] = warpSize;
    out[1] = WARP_SIZE;
}

static void warps_keep_their_size(void **state)
{
    int out[2], *const device = (int *)device_from(NULL, sizeof out);

    (void)state;
    assert_ok(KERNEL_LAUNCH(note_warp_size, 1, 1, 0, 0, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    assert_int_equal(out[0], 32);
    assert_int_equal(out[1], 8);
}

/* Inline without static: C alone would look for another definition of them. */
__device__ inline int twice(int x)
{
    return 2 * x;
}
inline __device__ int count_down(int n)
{
    return n > 0 ? 1 + count_down(n - 1) : 0;
}
__host__ __device__ static inline int one_more(int x)
{
    return x + 1;
}
__device__ int declared_first(int x);
__device__ int declared_first(int x)
{
    return 3 * x;
}

__global__ void call_inline_functions(int *out)
{
    int (*const called)(int) = twice;

    out[threadIdx.x] = called(one_more((int)threadIdx.x)) + count_down(4) + declared_first(100);
}

static void inline_functions_of_the_device(void **state)
{
    enum { THREADS = 3 };
    int out[THREADS], *const device = (int *)device_from(NULL, sizeof out);

    (void)state;
    assert_ok(KERNEL_LAUNCH(call_inline_functions, 1, THREADS, 0, 0, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(out[k], 2 * (k + 1) + 4 + 300);
}

__constant__ const int fixed[3] = {5, 7, 11};
__constant__ int filled[3];
static __constant__ const int one_fixed = 13;
__constant__ int started[2] = {17, 19};

__global__ void sum_constants(int *out)
{
    out[0] = fixed[2] + filled[1] + one_fixed + started[0];
}

static void constants_of_both_kinds(void **state)
{
    static const int given[3] = {100, 200, 300};
    int out, *const device = (int *)device_from(NULL, sizeof out);

    (void)state;
    assert_ok(portable_copy_to_constant(filled, given, sizeof given));
    assert_ok(KERNEL_LAUNCH(sum_constants, 1, 1, 0, 0, device));
    assert_ok(portable_copy_to_host(&out, device, sizeof out));
    assert_int_equal(out, 11 + 200 + 13 + 17);
}

static void launches_through_a_pointer(void **state)
{
    void (*const kernels[2])(int *, int, long long) = {add_to_all, add_to_all};
    int out, *const device = (int *)device_from(NULL, sizeof out);

    (void)state;
    for (int k = 0; k < 2; k++) {
        void (*const kernel)(int *, int, long long) = kernels[k];

        assert_ok(KERNEL_LAUNCH(kernel, 1, 1, 0, 0, device, 20, k));
    }
    assert_ok(portable_copy_to_host(&out, device, sizeof out));
    assert_int_equal(out, 41);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(blocks_of_any_size_reverse),
        TEST(shared_memory_in_any_spelling),
        TEST(loops_turn_as_often_as_their_block_says),
        TEST(blocks_vote_at_barriers),
        TEST(indices_have_three_dimensions),
        TEST(warps_may_leave_before_a_barrier),
        TEST(shuffle_int),
        TEST(shuffle_unsigned),
        TEST(shuffle_long_long),
        TEST(shuffle_unsigned_long_long),
        TEST(shuffle_float),
        TEST(shuffle_double),
        TEST(shuffle_long),
        TEST(shuffle_size),
        TEST(shuffle_short),
        TEST(shuffle_unsigned_short),
        TEST(shuffle_char),
        TEST(shuffle_unsigned_char),
        TEST(warps_keep_their_size),
        TEST(inline_functions_of_the_device),
        TEST(constants_of_both_kinds),
        TEST(launches_through_a_pointer),
        TEST(halves_of_a_warp_shuffle_apart),
        TEST(warps_meet_at_their_own_barriers),
        TEST(lanes_vote_among_those_of_a_mask),
        TEST(variables_of_the_device),
        TEST(atomics_lose_nothing),
        TEST(every_atomic_has_a_form_for_one_block),
        TEST(blocks_keep_their_shared_memory_across_the_grid),
        TEST(a_kernel_without_arguments),
        TEST(arguments_of_every_type),
        TEST(arguments_of_many_bytes),
        TEST(parameters_are_their_threads_own),
        TEST(arguments_are_evaluated_once),
        TEST(threads_that_part_fail_their_launch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
