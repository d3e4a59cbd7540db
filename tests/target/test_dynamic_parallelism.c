/* SPDX-License-Identifier: BSD-3-Clause */
/* DEVICE_LAUNCH: arguments of children, when they run, and refused launches. */
#include "test.h"

enum { ROOM = 256 };

/* ---- arguments of a child ---- */

struct pair {
    int first;
    double second;
};

KERNEL_CHILD(keep_one, int *);
KERNEL_CHILD(keep, char, short, unsigned long long, float, double, struct pair, double4,
             const int *RESTRICT, int *RESTRICT, int, int, int);

KERNEL(keep_one)(int *out)
{
    GRID_STRIDE_LOOP(i, 1)
        out[i] = 1;
}
KERNEL(keep)(char a, short b, unsigned long long c, float d, double e, struct pair f, double4 g,
             const int *RESTRICT in, int *RESTRICT out, int x, int y, int z)
{
    FOR_EACH_BLOCK() {
        SHARED_DYNAMIC(int, dynamic);
        FOR_EACH_THREAD
            dynamic[threadIdx.x] = a == 'a' && b == -2 && c == 1ULL << 40 && d == 0.5f &&
                                   e == 0.1 && f.first == 7 && f.second == 0.2 && g.x == 1 &&
                                   g.w == 4 && x == 10 && y == 20 && z == 30;
        SYNC_THREADS();
        FOR_EACH_THREAD
            out[blockIdx.x * blockDim.x + threadIdx.x] =
                dynamic[blockDim.x - 1 - threadIdx.x] * (in[blockIdx.x] + (int)threadIdx.x);
    }
}
KERNEL(parent_of_keep)(const int *in, int *out)
{
    GRID_STRIDE_LOOP(i, 1) {
        char a = 'a';
        struct pair f;
        double4 g = make_double4(1, 2, 3, 4);
        f.first = 7 + i;
        f.second = 0.2;
        DEVICE_LAUNCH(keep, DIM3(2, 1, 1), 8, 8 * sizeof(int), a, -2, 1ULL << 40, 0.5f, 0.1, f, g,
                      in, out, 10, 20, 30);
        a = 'z';
        f.first = 0;
        g.x = g.w = 0;
        DEVICE_LAUNCH(keep_one, 1, 1, 0, out + 16);
    }
}

static void test_child_has_its_arguments(void **state)
{
    static const int in[] = {100, 200};
    int out[17];
    int *device_in, *device_out;

    (void)state;
    NEEDS_DEVICE();
    device_in = (int *)device_from(in, sizeof in);
    device_out = (int *)device_from(NULL, sizeof out);
    assert_ok(KERNEL_LAUNCH(parent_of_keep, 1, 32, 0, 0, (const int *)device_in, device_out));
    assert_ok(portable_copy_to_host(out, device_out, sizeof out));
    for (int i = 0; i < 16; i++)
        assert_int_equal(out[i], in[i / 8] + i % 8);
    assert_int_equal(out[16], 1);
}

/* ---- when children run ---- */

/* A child stores its number in the next free entry, and the last write of its parent that it
 * saw. */
KERNEL_CHILD(note, int, int, int *, int *);
KERNEL(note)(int number, int generations, int *count, int *log)
{
    GRID_STRIDE_LOOP(i, 1) {
        log[ATOMIC_ADD(count, 1 + i)] = number;
        if (generations > 0) {
            DEVICE_LAUNCH(note, 1, 1, 0, 10 * number + 1, generations - 1, count, log);
            DEVICE_LAUNCH(note, 1, 1, 0, 10 * number + 2, generations - 1, count, log);
        }
    }
}
KERNEL(start_notes)(int n, int *count, int *log)
{
    GRID_STRIDE_LOOP(i, n)
        DEVICE_LAUNCH(note, 1, 1, 0, i + 1, 2, count, log);
    GRID_STRIDE_LOOP(j, n)
        ATOMIC_ADD(&count[1], 1);
}
/* The children of one block run one after the other. */
KERNEL_CHILD(double_and_add, int, int *);
KERNEL(double_and_add)(int digit, int *value)
{
    GRID_STRIDE_LOOP(i, 1)
        value[i] = 2 * value[i] + digit;
}
KERNEL(start_in_order)(int *value)
{
    FOR_EACH_BLOCK(32) {
        FOR_THREADS_BELOW(1) {
            DEVICE_LAUNCH(double_and_add, 1, 1, 0, 1, value);
            DEVICE_LAUNCH(double_and_add, 1, 1, 0, 0, value);
            DEVICE_LAUNCH(double_and_add, 1, 1, 0, 1, value);
            DEVICE_LAUNCH(double_and_add, 1, 1, 0, 1, value);
        }
    }
}

/* All have run when the launch is done: three children, two of each, and two of those. */
static void test_launch_ends_with_its_descendants(void **state)
{
    int count[2], log[ROOM], sum = 0;
    int *device_count, *device_log;

    (void)state;
    NEEDS_DEVICE();
    device_count = (int *)device_from(NULL, sizeof count);
    device_log = (int *)device_from(NULL, sizeof log);
    assert_ok(KERNEL_LAUNCH(start_notes, 2, 32, 0, 0, 3, device_count, device_log));
    assert_ok(portable_copy_to_host(count, device_count, sizeof count));
    assert_ok(portable_copy_to_host(log, device_log, sizeof log));
    assert_int_equal(count[0], 3 + 6 + 12);
    assert_int_equal(count[1], 3);
    for (int i = 0; i < count[0]; i++)
        sum += log[i];
    assert_int_equal(sum, 6 + (2 * 60 + 3 * 3) + (4 * 600 + 2 * 3 * 30 + 6 * 3));
    if (on_cuda())
        return;
    /* The CPU's order: one launch after another. */
    static const int expected[] = {1,   2,   3,   11,  12,  21,  22,  31,  32,  111, 112,
                                   121, 122, 211, 212, 221, 222, 311, 312, 321, 322};
    assert_memory_equal(log, expected, sizeof expected);
}

static void test_children_of_a_block_run_in_order(void **state)
{
    int value;
    int *device_value;

    (void)state;
    NEEDS_DEVICE();
    device_value = (int *)device_from(NULL, sizeof value);
    assert_ok(KERNEL_LAUNCH(start_in_order, 1, 32, 0, 0, device_value));
    assert_ok(portable_copy_to_host(&value, device_value, sizeof value));
    assert_int_equal(value, 11);
}

/* ---- as late as possible, on the CPU: a parent does not see its children's writes ---- */

KERNEL_CHILD(raise_flag, int *, int *);
KERNEL(raise_flag)(int *flag, int *seen)
{
    GRID_STRIDE_LOOP(i, 1) {
        flag[i] = 1;
        seen[1] = seen[2];
    }
}
KERNEL(look_at_flag)(int *flag, int *seen)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD {
            if (blockIdx.x == 0)
                DEVICE_LAUNCH(raise_flag, 1, 1, 0, flag, seen);
            ATOMIC_ADD(&seen[0], flag[0]);
            ATOMIC_ADD(&seen[2], 1);
        }
    }
}

static void test_cpu_runs_children_after_their_parent(void **state)
{
    int seen[3];
    int *device_flag, *device_seen;

    (void)state;
    if (on_cuda())
        return;
    device_flag = (int *)device_from(NULL, sizeof *device_flag);
    device_seen = (int *)device_from(NULL, sizeof seen);
    assert_ok(KERNEL_LAUNCH(look_at_flag, 5, 1, 0, 0, device_flag, device_seen));
    assert_ok(portable_copy_to_host(seen, device_seen, sizeof seen));
    assert_int_equal(seen[0], 0); /* no block saw the flag */
    assert_int_equal(seen[1], 5); /* and the child saw every block */
}

/* ---- refused launches ---- */

KERNEL_CHILD(of_64, int *);
KERNEL(of_64)(int *out)
{
    FOR_EACH_BLOCK(64) {
        FOR_THREADS_BELOW(1)
            out[0] = 1;
    }
}
/* Stores the status of the launch in out[1]; then a valid one, which must not run after a
 * failure. */
KERNEL(launch_child_of)(int grid, int block, int shared_bytes, int *out)
{
    GRID_STRIDE_LOOP(i, 1) {
        out[1 + i] = (int)DEVICE_LAUNCH(of_64, grid, block, (size_t)shared_bytes, out);
        DEVICE_LAUNCH(of_64, 1, 64, 0, out);
    }
}
KERNEL_CHILD(dig, int, int *);
KERNEL(dig)(int depth, int *deepest)
{
    GRID_STRIDE_LOOP(i, 1) {
        deepest[i] = depth;
        DEVICE_LAUNCH(dig, 1, 1, 0, depth + 1, deepest);
    }
}

static void test_cpu_refuses_what_a_gpu_refuses(void **state)
{
    int out[2];
    int *device_out;

    (void)state;
    if (on_cuda())
        return;
    device_out = (int *)device_from(NULL, sizeof out);
    assert_ok(KERNEL_LAUNCH(launch_child_of, 1, 1, 0, 0, 2, 64, 0, device_out));
    assert_refused(KERNEL_LAUNCH(launch_child_of, 1, 1, 0, 0, 0, 64, 0, device_out),
                   PORTABLE_ERROR_INVALID_LAUNCH, "kernel of_64: grid (0, 1, 1)");
    assert_ok(portable_memset(device_out, 0, sizeof out));
    assert_refused(KERNEL_LAUNCH(launch_child_of, 1, 1, 0, 0, 1, 1025, 0, device_out),
                   PORTABLE_ERROR_INVALID_LAUNCH, "kernel of_64: block (1025, 1, 1)");
    assert_ok(portable_copy_to_host(out, device_out, sizeof out));
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], PORTABLE_ERROR_INVALID_LAUNCH);
    assert_refused(KERNEL_LAUNCH(launch_child_of, 1, 1, 0, 0, 1, 64, 1 << 20, device_out),
                   PORTABLE_ERROR_INVALID_LAUNCH, "kernel of_64: 1048576 bytes");
    assert_refused(KERNEL_LAUNCH(launch_child_of, 1, 1, 0, 0, 1, 32, 0, device_out),
                   PORTABLE_ERROR_INVALID_LAUNCH, "kernel of_64: block (32, 1, 1) does not match");
    assert_refused(KERNEL_LAUNCH(dig, 1, 1, 0, 0, 0, device_out), PORTABLE_ERROR_INVALID_LAUNCH,
                   "kernel dig: DEVICE_LAUNCH more than 24 deep");
    assert_ok(portable_copy_to_host(out, device_out, sizeof out));
    assert_int_equal(out[0], 24);
    /* The next launch is unaffected. */
    assert_ok(portable_memset(device_out, 0, sizeof out));
    assert_ok(KERNEL_LAUNCH(keep_one, 1, 1, 0, 0, device_out));
    assert_ok(portable_copy_to_host(out, device_out, sizeof out));
    assert_int_equal(out[0], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_child_has_its_arguments),
        TEST(test_launch_ends_with_its_descendants),
        TEST(test_children_of_a_block_run_in_order),
        TEST(test_cpu_runs_children_after_their_parent),
        TEST(test_cpu_refuses_what_a_gpu_refuses),
    };

    return cmocka_run_group_tests_name("dynamic_parallelism/" PORTABLE_TARGET_NAME, tests, NULL,
                                       NULL) != 0;
}
