/* SPDX-License-Identifier: BSD-3-Clause */
/* CUDA's headers before portable.h (FIRST=1) and after it (FIRST=0). weight.sh compiles this file
 * with each header (FP16, BF16, MMA, GROUPS) and with all four. The two files with all four make
 * one program: each launches its own kernels and the other's on the same arrays, and the results
 * must agree. Exits with 77 without a device. */

#if !defined(FIRST) || !defined(FP16) || !defined(BF16) || !defined(MMA) || !defined(GROUPS)
#error "compile this with FIRST, FP16, BF16, MMA and GROUPS as 0 or 1"
#endif

#if !FIRST
#include "portable.h"
#endif
#if FP16
#include <cuda_fp16.h>
#endif
#if BF16
#include <cuda_bf16.h>
#endif
#if MMA
#include <mma.h>
#endif
#if GROUPS
#include <cooperative_groups.h>
#endif
#if FIRST
#include "portable.h"
#endif

/* Kernels and functions of this file, and of the other one. */
#if FIRST
#define OWN(name) name##_first
#define OTHER(name) name##_later
#else
#define OWN(name) name##_later
#define OTHER(name) name##_first
#endif

static_assert(__is_trivial(half) && sizeof(half) == 2 && alignof(half) == 2, "half is trivial");
static_assert(__is_trivial(bfloat16) && sizeof(bfloat16) == 2 && alignof(bfloat16) == 2,
              "bfloat16 is trivial");

/* ---- portable.h's own functions, with any other headers ---- */

#define COPIES(name)                                                                               \
    KERNEL(name)(int n, half h, bfloat16 b, const float *in, half *halves, bfloat16 *bfloats)
COPIES(OTHER(convert));
COPIES(OWN(convert))
{
    FOR_EACH_BLOCK(64) {
        SHARED(half, kept, [64]);
        SHARED(bfloat16, kept_too, [64]);
        for (int first = (int)blockIdx.x * 64; first < n; first += (int)gridDim.x * 64) {
            FOR_EACH_THREAD {
                const int i = first + (int)threadIdx.x;
                kept[threadIdx.x] = i % 5 == 0 ? h : float_to_half(i < n ? in[i] : 0);
                kept_too[threadIdx.x] = i % 5 == 0 ? b : float_to_bfloat16(i < n ? in[i] : 0);
            }
            SYNC_THREADS();
            FOR_EACH_THREAD {
                const int i = first + 63 - (int)threadIdx.x;
                if (i < n) {
                    halves[i] = float_to_half(2 * half_to_float(kept[63 - threadIdx.x]));
                    bfloats[i] =
                        float_to_bfloat16(2 * bfloat16_to_float(kept_too[63 - threadIdx.x]));
                }
            }
            SYNC_THREADS();
        }
    }
}

/* Values go through C functions of the other file too. */
extern "C" half OTHER(twice)(half h, bfloat16 b, bfloat16 *twice_b);
extern "C" half OWN(twice)(half h, bfloat16 b, bfloat16 *twice_b)
{
    *twice_b = float_to_bfloat16(2 * bfloat16_to_float(b));
    return float_to_half(2 * half_to_float(h));
}

/* ---- functions of CUDA's headers on half and bfloat16 ---- */

#if FP16
#define HALVES(name) KERNEL(name)(int n, half a, const half *x, half *y)
HALVES(OTHER(halves));
HALVES(OWN(halves))
{
    GRID_STRIDE_LOOP(i, n) {
        half sum = __hadd(__hmul(a, x[i]), y[i]);
        sum = sum - x[i] * a;
        const __half2 pair = __halves2half2(sum, x[i]);
        const half2 same = __half2half2(a);
        const half low = __low2half(__hadd2(pair, same));
        if (__hlt(low, a) || low == a || __hisnan(x[i]))
            y[i] = hsqrt(__habs(low));
        else
            y[i] = __float2half_rn(__half2float(low) + 1);
    }
}
[[maybe_unused]] static float of_half(half h)
{
    const __half theirs = h;
    half ours = theirs;
    ours = __float2half(__half2float(ours) + 1);
    return __half2float(static_cast<__half>(ours)) - 1;
}
#endif

#if BF16
#define BFLOATS(name) KERNEL(name)(int n, bfloat16 a, const bfloat16 *x, bfloat16 *y)
BFLOATS(OTHER(bfloats));
BFLOATS(OWN(bfloats))
{
    GRID_STRIDE_LOOP(i, n) {
        bfloat16 sum = __hadd(__hmul(a, x[i]), y[i]);
        sum = sum - x[i] * a;
        const __nv_bfloat162 pair = __halves2bfloat162(sum, x[i]);
        const nv_bfloat162 same = __bfloat162bfloat162(a);
        const bfloat16 low = __low2bfloat16(__hadd2(pair, same));
        if (__hlt(low, a) || low == a || __hisnan(x[i]))
            y[i] = hsqrt(__habs(low));
        else
            y[i] = __float2bfloat16_rn(__bfloat162float(low) + 1);
    }
}
[[maybe_unused]] static float of_bfloat16(bfloat16 b)
{
    const nv_bfloat16 theirs = b;
    bfloat16 ours = theirs;
    ours = __float2bfloat16(__bfloat162float(ours) + 1);
    return __bfloat162float(static_cast<__nv_bfloat16>(ours)) - 1;
}
#endif

/* ---- fragments: portable.h's beside those of mma.h ---- */

#define TILES(name) KERNEL(name)(const half *a, const half *b, float *c)
TILES(OTHER(tiles));
TILES(OWN(tiles))
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_WARP
        {
            FRAGMENT_A(a_tile);
            FRAGMENT_B(b_tile);
            FRAGMENT_B(ones);
            FRAGMENT_C(sum);
            FRAGMENT_LOAD(a_tile, a, FRAGMENT_SIZE);
            FRAGMENT_LOAD(b_tile, b, FRAGMENT_SIZE);
            FRAGMENT_FILL(ones, 1.0f);
            FRAGMENT_FILL(sum, 0.5f);
            FRAGMENT_MULTIPLY_ADD(sum, a_tile, b_tile, sum);
            FRAGMENT_MULTIPLY_ADD(sum, a_tile, ones, sum);
            FRAGMENT_STORE(c, sum, FRAGMENT_SIZE);
        }
    }
}
#if MMA
TILES(OTHER(fragments));
TILES(OWN(fragments))
{
    namespace wmma = nvcuda::wmma;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_tile;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b_tile, ones;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::load_matrix_sync(a_tile, reinterpret_cast<const __half *>(a), 16);
    wmma::load_matrix_sync(b_tile, reinterpret_cast<const __half *>(b), 16);
    wmma::fill_fragment(ones, half_from_bits(0x3c00));
    wmma::fill_fragment(sum, 0.5f);
    wmma::mma_sync(sum, a_tile, b_tile, sum);
    wmma::mma_sync(sum, a_tile, ones, sum);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
#endif

/* ---- the barrier of the grid, alternating with that of cooperative_groups ---- */

#if GROUPS
#define SYNC_ALSO() cooperative_groups::this_grid().sync()
#else
#define SYNC_ALSO() SYNC_GRID()
#endif

/* In each turn, each block stores the turn's number, and reads those of all others.  left: 2 arrays
 * with a number for each block; wrong: how many numbers differed */
#define TURNS(name) KERNEL(name)(int turns, int *left, int *wrong)
TURNS(OTHER(turns));
TURNS(OWN(turns))
{
    const int blocks = (int)(gridDim.x * gridDim.y * gridDim.z);
    for (int turn = 1; turn <= turns; turn++) {
        int *const now = left + turn % 2 * blocks;
        FOR_EACH_BLOCK() {
            const int block = (int)(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
            FOR_THREADS_BELOW(1)
                now[block] = turn;
        }
        if (turn % 3 == 0)
            SYNC_ALSO();
        else
            SYNC_GRID();
        FOR_EACH_BLOCK() {
            FOR_EACH_THREAD {
                const unsigned thread =
                    threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
                for (int i = (int)thread; i < blocks;
                     i += (int)(blockDim.x * blockDim.y * blockDim.z))
                    if (now[i] != turn)
                        ATOMIC_ADD(wrong, 1);
            }
        }
    }
}

#if FP16 && BF16 && MMA && GROUPS

extern "C" int OTHER(failures)(void);
static int failed;

static void check(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "orders.cu, FIRST=%d: %s (%s)\n", FIRST, what, portable_last_message());
        failed++;
    }
}

/* The values, in device memory that is never freed. */
template <typename Type> static Type *device(const Type *host, size_t count)
{
    Type *copy;
    PORTABLE_CHECK(portable_malloc(&copy, count * sizeof *copy));
    PORTABLE_CHECK(portable_copy_to_device(copy, host, count * sizeof *copy));
    return copy;
}
/* Whether device memory has the same values. */
template <typename Type> static int same(const Type *a, const Type *b, size_t count)
{
    char *const host = (char *)malloc(2 * count * sizeof *a);
    PORTABLE_CHECK(portable_copy_to_host(host, a, count * sizeof *a));
    PORTABLE_CHECK(portable_copy_to_host(host + count * sizeof *a, b, count * sizeof *a));
    const int is = memcmp(host, host + count * sizeof *a, count * sizeof *a) == 0;
    free(host);
    return is;
}

static void numbers(void)
{
    enum { N = 1000 };
    static float in[N];
    static half x[N], twice[N];
    static bfloat16 b[N], twice_b[N];
    static const unsigned ends[] = {0x7f800000u, 0x7fc00001u, 0xff812345u, 0x80000000u,
                                    0x477fefffu, 0x477ff000u, 0x33000000u, 0x33000001u,
                                    0x387fe000u, 0x7f7fffffu, 0x3f808000u, 0x3f818000u};
    for (int i = 0; i < N; i++) {
        const unsigned bits = i < 12 ? ends[i] : 0x3c000000u + 0x00654321u * (unsigned)(i % 61);
        memcpy(&in[i], &bits, sizeof bits);
        x[i] = float_to_half(in[i]);
        b[i] = float_to_bfloat16(in[i]);
        const int fifth = i % 5 == 0;
        twice[i] = OTHER(twice)(fifth ? float_to_half(3) : x[i],
                                fifth ? float_to_bfloat16(3) : b[i], &twice_b[i]);
    }
    const float *const device_in = device(in, N);
    half *const y = device(x, N), *const other_y = device(x, N);
    bfloat16 *const z = device(b, N), *const other_z = device(b, N);
    check(KERNEL_LAUNCH(OWN(convert), 3, 64, 0, 0, N, float_to_half(3), float_to_bfloat16(3),
                        device_in, y, z) == PORTABLE_SUCCESS &&
              KERNEL_LAUNCH(OTHER(convert), 3, 64, 0, 0, N, float_to_half(3), float_to_bfloat16(3),
                            device_in, other_y, other_z) == PORTABLE_SUCCESS,
          "conversions are launched");
    check(same(y, other_y, N) && same(z, other_z, N), "both files convert alike");
    check(same(y, device(twice, N), N) && same(z, device(twice_b, N), N),
          "the host converts as the device does");

    const half *const device_x = device(x, N);
    const bfloat16 *const device_b = device(b, N);
    check(KERNEL_LAUNCH(OWN(halves), 2, 64, 0, 0, N, float_to_half(1.5f), device_x, y) ==
                  PORTABLE_SUCCESS &&
              KERNEL_LAUNCH(OTHER(halves), 2, 64, 0, 0, N, float_to_half(1.5f), device_x,
                            other_y) == PORTABLE_SUCCESS &&
              same(y, other_y, N),
          "functions of cuda_fp16.h give the same in both files");
    check(KERNEL_LAUNCH(OWN(bfloats), 2, 64, 0, 0, N, float_to_bfloat16(1.5f), device_b, z) ==
                  PORTABLE_SUCCESS &&
              KERNEL_LAUNCH(OTHER(bfloats), 2, 64, 0, 0, N, float_to_bfloat16(1.5f), device_b,
                            other_z) == PORTABLE_SUCCESS &&
              same(z, other_z, N),
          "functions of cuda_bf16.h give the same in both files");
    check(of_half(float_to_half(1.5f)) == 1.5f && of_bfloat16(float_to_bfloat16(1.5f)) == 1.5f,
          "values convert to CUDA's types and back");
}

static void products(void)
{
    enum { N = FRAGMENT_SIZE * FRAGMENT_SIZE };
    static half a[N], b[N];
    static float zero[N], expected[N];
    for (int i = 0; i < N; i++) {
        a[i] = float_to_half((float)(i * 7 % 17 - 8) / 2);
        b[i] = float_to_half((float)(i * 5 % 13 - 6));
    }
    for (int i = 0; i < N; i++) {
        expected[i] = 0.5f;
        for (int k = 0; k < FRAGMENT_SIZE; k++) {
            const float left = half_to_float(a[i / FRAGMENT_SIZE * FRAGMENT_SIZE + k]);
            expected[i] += left * half_to_float(b[k * FRAGMENT_SIZE + i % FRAGMENT_SIZE]) + left;
        }
    }
    const half *const device_a = device(a, N), *const device_b = device(b, N);
    float *const c = device(zero, N), *const d = device(zero, N), *const e = device(zero, N);
    check(KERNEL_LAUNCH(OWN(tiles), 1, 32, 0, 0, device_a, device_b, c) == PORTABLE_SUCCESS &&
              KERNEL_LAUNCH(OTHER(tiles), 1, 32, 0, 0, device_a, device_b, d) == PORTABLE_SUCCESS &&
              KERNEL_LAUNCH(OWN(fragments), 1, 32, 0, 0, device_a, device_b, e) == PORTABLE_SUCCESS,
          "products are launched");
    check(same(c, device(expected, N), N), "a product of tiles is exact");
    check(same(c, d, N) && same(c, e, N), "tiles and wmma's fragments give the same product");
}

static void barriers(void)
{
    enum { TURNS_ = 3000, MOST = 4096 };
    static int zero[2 * MOST];
    const dim3 block = DIM3(8, 4, 2);
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0) ==
              cudaSuccess,
          "the device has multiprocessors");
    if (multiprocessors > MOST)
        multiprocessors = MOST;
    int *const wrong = device(zero, 1), *const left = device(zero, 2 * MOST);

    /* One block; a block for each multiprocessor; a three-dimensional grid; two grids at once. */
    check(KERNEL_LAUNCH_COOPERATIVE(OWN(turns), 1, block, 0, 0, TURNS_, left, wrong) ==
              PORTABLE_SUCCESS,
          "one block is launched");
    check(KERNEL_LAUNCH_COOPERATIVE(OWN(turns), multiprocessors, block, 0, 0, TURNS_, left,
                                    wrong) == PORTABLE_SUCCESS,
          "as many blocks as fit are launched");
    check(KERNEL_LAUNCH_COOPERATIVE(OTHER(turns), DIM3(2, 3, 2), block, 0, 0, TURNS_, left,
                                    wrong) == PORTABLE_SUCCESS,
          "a grid of three extents is launched");
    check(portable_synchronize() == PORTABLE_SUCCESS && same(wrong, device(zero, 1), 1),
          "no block reads what an earlier turn left");

    portable_stream streams[2];
    int *lefts[2] = {device(zero, 2 * MOST), device(zero, 2 * MOST)};
    const int half_of_them = multiprocessors / 2 > 0 ? multiprocessors / 2 : 1;
    for (int i = 0; i < 2; i++)
        check(portable_stream_create(&streams[i]) == PORTABLE_SUCCESS, "a stream is created");
    for (int repeat = 0; repeat < 4; repeat++)
        for (int i = 0; i < 2; i++) {
            int turns = TURNS_, *own_left = lefts[i], *own_wrong = wrong;
            void *arguments[] = {&turns, &own_left, &own_wrong};
            check(repeat % 2
                      ? cudaLaunchCooperativeKernel((const void *)OTHER(turns),
                                                    DIM3(half_of_them, 1, 1), block, arguments, 0,
                                                    streams[i]) == cudaSuccess
                      : KERNEL_LAUNCH_COOPERATIVE(OWN(turns), half_of_them, block, 0, streams[i],
                                                  TURNS_, lefts[i], wrong) == PORTABLE_SUCCESS,
                  "two kernels are launched at once");
        }
    check(portable_synchronize() == PORTABLE_SUCCESS && same(wrong, device(zero, 1), 1),
          "barriers of two grids at once are apart");
}

extern "C" int OWN(failures)(void)
{
    numbers();
    products();
    barriers();
    return failed;
}

#if FIRST
KERNEL(sync_of_groups)(int turns, int *left, int *wrong)
{
    (void)turns, (void)left, (void)wrong;
    cooperative_groups::this_grid().sync();
}

/* SYNC_GRID in a launch that is not cooperative: the effect is that of CUDA's own barrier, which
 * depends on the driver. The device may be unusable after it. */
static int no_barrier(const char *whose)
{
    static const int zero[2] = {0, 0};
    int *const wrong = device(zero, 1), *const left = device(zero, 2);
    const int launched = strcmp(whose, "ours") == 0
                             ? KERNEL_LAUNCH(OWN(turns), 1, 32, 0, 0, 1, left, wrong)
                             : KERNEL_LAUNCH(sync_of_groups, 1, 32, 0, 0, 1, left, wrong);
    printf("launched: %d; synchronized: %d\n", launched, portable_synchronize());
    return EXIT_SUCCESS;
}

/* orders [ours|theirs] */
int main(int argc, char **argv)
{
    int devices;
    if (portable_device_count(&devices) != PORTABLE_SUCCESS) {
        printf("# SKIP orders: %s\n", portable_last_message());
        return 77;
    }
    if (argc > 1)
        return no_barrier(argv[1]);
    const int all = OWN(failures)() + OTHER(failures)();
    if (all == 0)
        puts("CUDA's headers before portable.h and after it make one program");
    return all == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif

#endif
