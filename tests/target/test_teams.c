/* SPDX-License-Identifier: BSD-3-Clause */
/* Several OS threads share a launch: each block and each element runs once, grid barriers hold all
 * threads and release them when one has exited, failures and children are in the order of the
 * blocks. Other targets must give the same results. */
#include "test.h"
#if PORTABLE_TARGET_OPENMP
#include <omp.h>
#endif

enum { MOST = 2000 };

KERNEL(count_elements)(int nx, int ny, int nz, unsigned *counts)
{
    GRID_STRIDE_LOOP_3D(x, y, z, nx, ny, nz)
        ATOMIC_ADD(&counts[(z * ny + y) * nx + x], 1u);
}

KERNEL(count_plane)(int nx, int ny, unsigned *counts)
{
    GRID_STRIDE_LOOP_2D(x, y, nx, ny)
        ATOMIC_ADD(&counts[y * nx + x], 1u);
}

KERNEL(count_line)(long long n, unsigned *counts)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(&counts[i], 1u);
}

KERNEL(count_by_hand)(unsigned n, unsigned *counts)
{
    for (unsigned i = ELEMENT_OFFSET(); i < n; i += ELEMENT_STRIDE())
        ATOMIC_ADD(&counts[i], 1u);
}

KERNEL(count_blocks)(unsigned *counts)
{
    FOR_EACH_BLOCK() {
        FOR_THREADS_BELOW(1)
            ATOMIC_ADD(&counts[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x], 1u);
    }
}

static void assert_once(unsigned *device, int n, const char *what)
{
    static unsigned counts[MOST];

    assert_ok(portable_copy_to_host(counts, device, sizeof counts));
    for (int i = 0; i < MOST; i++)
        if (counts[i] != (i < n))
            fail_msg("%s of %d: %d was taken %u times", what, n, i, counts[i]);
    assert_ok(portable_memset(device, 0, sizeof counts));
}

/* Few and many iterations per OS thread, along each axis. */
static void test_each_turn_is_taken_once(void **state)
{
    static const int extents[][3] = {{0, 3, 3},   {1, 1, 1},   {2, 1, 1},   {1, 2, 1},  {1, 1, 2},
                                     {7, 5, 3},   {1, 1, 40},  {1, 40, 1},  {40, 1, 1}, {3, 100, 2},
                                     {100, 2, 2}, {2, 3, 100}, {13, 11, 1}, {-1, 2, 2}};
    unsigned *counts;

    (void)state;
    NEEDS_DEVICE();
    counts = (unsigned *)device_from(NULL, MOST * sizeof *counts);
    assert_ok(portable_memset(counts, 0, MOST * sizeof *counts));
    for (size_t k = 0; k < COUNT_OF(extents); k++) {
        const int nx = extents[k][0], ny = extents[k][1], nz = extents[k][2];
        const int all = nx > 0 ? nx * ny * nz : 0;

        assert_ok(
            KERNEL_LAUNCH(count_elements, DIM3(2, 2, 2), DIM3(4, 2, 2), 0, 0, nx, ny, nz, counts));
        assert_once(counts, all, "3D");
        assert_ok(KERNEL_LAUNCH(count_plane, DIM3(3, 2, 1), DIM3(4, 2, 1), 0, 0, nx, ny, counts));
        assert_once(counts, nx > 0 ? nx * ny : 0, "2D");
        if (all == 0)
            continue;
        assert_ok(KERNEL_LAUNCH(count_blocks, DIM3(nx, ny, nz), 32, 0, 0, counts));
        assert_once(counts, all, "blocks");
    }
    for (int n = -1; n < 50; n++) {
        assert_ok(KERNEL_LAUNCH(count_line, 5, 4, 0, 0, n, counts));
        assert_once(counts, n, "1D");
        assert_ok(KERNEL_LAUNCH(count_by_hand, 5, 4, 0, 0, n > 0 ? (unsigned)n : 0, counts));
        assert_once(counts, n, "by hand");
    }
}

/* On CUDA the thread that reads x[i] and y[i] is the one that wrote them, whatever the lengths of
 * the two loops. */
KERNEL(loops_of_two_lengths)(int n, int *x, int *y, int *z)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = i % 1000 * (i % 7) + 1;
    GRID_STRIDE_LOOP(i, n / 3)
        y[i] = x[i];
    for (unsigned i = ELEMENT_OFFSET(); i < (unsigned)n; i += ELEMENT_STRIDE())
        z[i] = x[i] + (i < (unsigned)n / 3 ? y[i] : 0);
}

KERNEL(blocks_then_elements)(int n, int *x, int *y, int *z)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_ELEMENT(i, n)
            x[i] = i % 1000 * (i % 7) + 1;
    }
    GRID_STRIDE_LOOP(i, n)
        y[i] = x[i];
    FOR_EACH_BLOCK(32) {
        FOR_EACH_ELEMENT(i, n)
            z[i] = x[i] + (i < n / 3 ? y[i] : 0);
    }
}

static void test_a_loop_finds_what_the_one_before_wrote(void **state)
{
    enum { N = 100000, ROUNDS = 20 };
    static int got[N];
    int *x, *y, *z;

    (void)state;
    NEEDS_DEVICE();
    x = (int *)device_from(NULL, sizeof got);
    y = (int *)device_from(NULL, sizeof got);
    z = (int *)device_from(NULL, sizeof got);
    for (int round = 0; round < ROUNDS; round++) {
        assert_ok(portable_memset(x, 0, sizeof got));
        assert_ok(portable_memset(y, 0, sizeof got));
        if (round % 2 == 0)
            assert_ok(KERNEL_LAUNCH(loops_of_two_lengths, 7, 32, 0, 0, N, x, y, z));
        else
            assert_ok(KERNEL_LAUNCH(blocks_then_elements, 7, 32, 0, 0, N, x, y, z));
        assert_ok(portable_copy_to_host(got, z, sizeof got));
        for (int i = 0; i < N; i++)
            assert_int_equal(got[i], (i % 1000 * (i % 7) + 1) * (i < N / 3 ? 2 : 1));
    }
}

/* Each sweep reads what all blocks wrote in the previous one, so that a barrier that releases one
 * early, or withholds its writes, shows. */
KERNEL(spread)(int n, int sweeps, unsigned *a, unsigned *b)
{
    for (int s = 0; s < sweeps; s++) {
        FOR_EACH_BLOCK(0) {
            FOR_EACH_ELEMENT(i, n)
                b[i] = a[i] + a[(i + 1) % n] + a[(i + n - 1) % n];
        }
        SYNC_GRID();
        FOR_EACH_BLOCK(0) {
            FOR_EACH_ELEMENT(i, n)
                a[i] = b[i] * 3 + (unsigned)i;
        }
        SYNC_GRID();
    }
}

static void test_a_grid_barrier_holds_everyone(void **state)
{
    enum { N = 512, SWEEPS = 100 };
    static unsigned expected[N], next[N], got[N];
    unsigned *a, *b;

    (void)state;
    NEEDS_DEVICE();
    for (unsigned i = 0; i < N; i++)
        expected[i] = i * i;
    a = (unsigned *)device_from(expected, sizeof expected);
    b = (unsigned *)device_from(NULL, sizeof expected);
    assert_ok(KERNEL_LAUNCH_COOPERATIVE(spread, 8, 32, 0, 0, N, SWEEPS, a, b));
    assert_ok(portable_copy_to_host(got, a, sizeof got));
    for (int s = 0; s < SWEEPS; s++) {
        for (int i = 0; i < N; i++)
            next[i] = expected[i] + expected[(i + 1) % N] + expected[(i + N - 1) % N];
        for (unsigned i = 0; i < N; i++)
            expected[i] = next[i] * 3 + i;
    }
    assert_memory_equal(got, expected, sizeof got);
}

#if !PORTABLE_TARGET_CUDA

/* The returning block takes its OS thread along; the others must not wait for it. */
KERNEL(leave_before_the_barrier)(int *x)
{
    FOR_EACH_BLOCK(0) {
        if (blockIdx.x == 5)
            return;
        FOR_THREADS_BELOW(1)
            x[blockIdx.x] = 1;
    }
    SYNC_GRID();
    FOR_EACH_BLOCK(0) {
        FOR_THREADS_BELOW(1)
            x[blockIdx.x] = 2;
    }
    SYNC_GRID();
}

KERNEL(each_block_fails)(void)
{
    FOR_EACH_BLOCK(0) {
        FOR_EACH_THREAD {
            if (blockIdx.x >= 3)
                break;
        }
    }
}

static void test_failures_come_in_the_order_of_blocks(void **state)
{
    int *x;

    (void)state;
    if (!on_loops())
        return;
    x = (int *)device_from(NULL, 8 * sizeof *x);
    assert_refused(KERNEL_LAUNCH_COOPERATIVE(leave_before_the_barrier, 8, 4, 0, 0, x),
                   PORTABLE_ERROR_LEFT_SCOPE, "FOR_EACH_BLOCK in block (5, 0, 0)");
    for (int k = 0; k < 50; k++)
        assert_refused(KERNEL_LAUNCH(each_block_fails, 16, 4, 0, 0), PORTABLE_ERROR_LEFT_SCOPE,
                       "in block (3, 0, 0), thread (0, 0, 0)");
}

/* Children run in the order of the blocks that launched them. */
KERNEL_CHILD(note, int, int *, int *);
KERNEL(note)(int who, int *order, int *count)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD
            order[ATOMIC_ADD(count, 1)] = who;
    }
}

KERNEL(launch_notes)(int *order, int *count)
{
    FOR_EACH_BLOCK(0) {
        FOR_EACH_THREAD
            DEVICE_LAUNCH(note, 1, 1, 0, (int)(blockIdx.x * blockDim.x + threadIdx.x), order,
                          count);
    }
}

/* A child that launches children, which run after its own siblings. */
KERNEL_CHILD(launch_on, int, int *, int *);
KERNEL(launch_on)(int who, int *order, int *count)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD
            DEVICE_LAUNCH(note, 1, 1, 0, who * (int)gridDim.x + (int)blockIdx.x, order, count);
    }
}

KERNEL(launch_launchers)(int *order, int *count)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD
            DEVICE_LAUNCH(launch_on, 5, 1, 0, (int)blockIdx.x, order, count);
    }
}

/* The launch recorded `notes` notes, in the order of their numbers. */
#define ASSERT_IN_ORDER(kernel, grid, block, notes)                                                \
    do {                                                                                           \
        int order_[notes], *const device_ = (int *)device_from(NULL, sizeof order_);               \
        int *const count_ = (int *)device_from(NULL, sizeof *count_);                              \
                                                                                                   \
        assert_ok(portable_memset(count_, 0, sizeof *count_));                                     \
        assert_ok(KERNEL_LAUNCH(kernel, grid, block, 0, 0, device_, count_));                      \
        assert_ok(portable_copy_to_host(order_, device_, sizeof order_));                          \
        for (int k_ = 0; k_ < (notes); k_++)                                                       \
            assert_int_equal(order_[k_], k_);                                                      \
    } while (0)

static void test_grandchildren_come_after_their_parents_siblings(void **state)
{
    (void)state;
    if (on_loops())
        ASSERT_IN_ORDER(launch_launchers, 30, 1, 30 * 5);
}

static void test_children_come_in_the_order_of_blocks(void **state)
{
    (void)state;
    if (on_loops())
        ASSERT_IN_ORDER(launch_notes, 13, 3, 13 * 3);
}

/* Each OS thread has dynamic shared memory of its own. */
KERNEL(fill_shared)(unsigned *sums)
{
    FOR_EACH_BLOCK(0) {
        SHARED_DYNAMIC(unsigned, words);
        for (int round = 0; round < 20; round++) {
            FOR_EACH_THREAD
                words[threadIdx.x] = blockIdx.x;
            SYNC_THREADS();
            FOR_THREADS_BELOW(1) {
                unsigned sum = 0;
                for (unsigned t = 0; t < blockDim.x; t++)
                    sum += words[t] == blockIdx.x;
                sums[blockIdx.x] = sum;
            }
            SYNC_THREADS();
        }
    }
}

static void test_shared_memory_is_the_blocks_own(void **state)
{
    enum { BLOCKS = 200, THREADS = 256 };
    unsigned sums[BLOCKS], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (unsigned *)device_from(NULL, sizeof sums);
    assert_ok(KERNEL_LAUNCH(fill_shared, BLOCKS, THREADS, THREADS * sizeof(unsigned), 0, device));
    assert_ok(portable_copy_to_host(sums, device, sizeof sums));
    for (int b = 0; b < BLOCKS; b++)
        assert_int_equal(sums[b], THREADS);
}

/* Up to 32 arguments, each evaluated once. */
KERNEL(no_arguments)(void)
{
    FOR_EACH_BLOCK(1) {
    }
}

KERNEL(many_arguments)(int *sum, int a, int b, int c, int d, int e, int f, int g, int h, int i,
                       int j, int k, int l, int m, int n, int o, int p, int q, int r, int s, int t,
                       int u, int v, int w, int x, int y, int z, float aa, double bb,
                       unsigned char cc, short dd, const int *ee)
{
    FOR_EACH_BLOCK(0) {
        FOR_THREADS_BELOW(1)
            sum[blockIdx.x] = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i +
                              10 * j + 11 * k + 12 * l + 13 * m + 14 * n + 15 * o + 16 * p +
                              17 * q + 18 * r + 19 * s + 20 * t + 21 * u + 22 * v + 23 * w +
                              24 * x + 25 * y + 26 * z + (int)aa + (int)bb + cc + dd + (ee != sum);
    }
}

static void test_arguments_are_evaluated_once(void **state)
{
    int sums[4], next = 0, *device;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(KERNEL_LAUNCH(no_arguments, 4, 1, 0, 0));
    device = (int *)device_from(NULL, sizeof sums);
    assert_ok(KERNEL_LAUNCH(many_arguments, 4, 32, 0, 0, device, next++, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1000, 2000, 200, 7,
                            device));
    assert_int_equal(next, 1);
    assert_ok(portable_copy_to_host(sums, device, sizeof sums));
    for (int k = 0; k < 4; k++)
        assert_int_equal(sums[k], 26 * 27 / 2 - 1 + 3000 + 200 + 7);
}

/* All kinds of arguments of a call: a bit-field, a 0 for a pointer, an array, a string, a compound
 * literal. The emulate target takes sizeof of an argument, which fails for a bit-field. */
#if PORTABLE_TARGET_EMULATE
#define OF_BITS(field) (+(field))
#else
#define OF_BITS(field) field
#endif
struct bit_fields {
    unsigned low : 3;
    int high : 5;
};

KERNEL(take_anything)(unsigned low, int high, const int *nothing, const int *array,
                      const char *text, const int *literal, double wide, int *result)
{
    FOR_EACH_BLOCK(0) {
        FOR_THREADS_BELOW(1)
            result[blockIdx.x] =
                nothing ? -1 : (int)low + high + array[1] + text[1] - 'b' + literal[1] + (int)wide;
    }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wint-conversion"
#pragma GCC diagnostic error "-Wall"
static void test_arguments_are_whatever_a_call_takes(void **state)
{
    const struct bit_fields fields = {5, -3};
    const int array[2] = {1, 20};
    int results[4], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof results);
    assert_ok(KERNEL_LAUNCH(take_anything, 4, 1, 0, 0, OF_BITS(fields.low), OF_BITS(fields.high), 0,
                            array, "ab", ((const int[2]){3, 400}), 1000.5f, device));
    assert_ok(portable_copy_to_host(results, device, sizeof results));
    for (int k = 0; k < 4; k++)
        assert_int_equal(results[k], 1422);
}
#pragma GCC diagnostic pop

#endif

/* A launch inside a user's parallel region runs on one OS thread. */
static void test_launches_of_the_users_own_threads(void **state)
{
    enum { LAUNCHES = 40 };
    unsigned *counts;
    int failures = 0;

    (void)state;
    NEEDS_DEVICE();
    counts = (unsigned *)device_from(NULL, MOST * sizeof *counts);
    assert_ok(portable_memset(counts, 0, MOST * sizeof *counts));
#if PORTABLE_TARGET_OPENMP
#pragma omp parallel for reduction(+ : failures) num_threads(4)
#endif
    for (int k = 0; k < LAUNCHES; k++)
        failures += KERNEL_LAUNCH(count_line, 4, 8, 0, 0, 20, counts + 20 * k) != PORTABLE_SUCCESS;
    assert_int_equal(failures, 0);
    assert_once(counts, 20 * LAUNCHES, "launches");
}

/* Host threads call a DEVICE function: on openmp its atomics are atomic among them, too. */
DEVICE void add_one(unsigned *counter, double *sum)
{
    ATOMIC_ADD(counter, 1u);
    ATOMIC_ADD(sum, 1.0);
}

static void test_atomics_of_the_users_own_threads(void **state)
{
    enum { TIMES = 400000 };
    unsigned counter = 0;
    double sum = 0;

    (void)state;
#if PORTABLE_TARGET_OPENMP
#pragma omp parallel for num_threads(4)
#endif
    for (int k = 0; k < TIMES; k++)
        add_one(&counter, &sum);
    assert_int_equal(counter, TIMES);
    assert_true(sum == TIMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_each_turn_is_taken_once),
        TEST(test_a_loop_finds_what_the_one_before_wrote),
        TEST(test_a_grid_barrier_holds_everyone),
#if !PORTABLE_TARGET_CUDA
        TEST(test_failures_come_in_the_order_of_blocks),
        TEST(test_children_come_in_the_order_of_blocks),
        TEST(test_grandchildren_come_after_their_parents_siblings),
        TEST(test_shared_memory_is_the_blocks_own),
        TEST(test_arguments_are_evaluated_once),
        TEST(test_arguments_are_whatever_a_call_takes),
#endif
        TEST(test_launches_of_the_users_own_threads),
        TEST(test_atomics_of_the_users_own_threads),
    };
    return cmocka_run_group_tests_name("teams/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
