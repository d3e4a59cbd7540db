/* SPDX-License-Identifier: BSD-3-Clause */
/* Block functions: what their bodies may hold, where they are called from, and what they take and
 * return. */
#include "test.h"

enum { WIDTH = 64, BLOCKS = 3 };

/* ---- a call is the same as its body: barriers, shared memory, collectives, calls ---- */

BLOCK_FUNCTION(float, block_sum, (WIDTH), const float *in, float *all);

/* Any shape, the arguments used as an inlined body would: by linear rank. */
BLOCK_FUNCTION(void, load, (), float *RESTRICT to, const float *RESTRICT from)
{
    FOR_EACH_THREAD {
        const unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        to[rank] = from[rank];
    }
    SYNC_THREADS();
}

/* A block scan by hand, in shared memory of the function, with early return. */
BLOCK_FUNCTION(int, scan_in_place, (0), int n, float *values)
{
    SHARED(float, other, [1024]);
    if (n <= 1)
        return 0;
    int steps = 0;
    for (int delta = 1; delta < n; delta *= 2) {
        FOR_THREADS_BELOW(n)
            other[threadIdx.x] = values[threadIdx.x] +
                                 ((int)threadIdx.x >= delta ? values[(int)threadIdx.x - delta] : 0);
        SYNC_THREADS();
        BLOCK_CALL(load, values, other);
        steps++;
    }
    return steps;
}

KERNEL(sums)(const float *x, float *total, float *scanned, int *steps)
{
    FOR_EACH_BLOCK(WIDTH) {
        SHARED(float, tile, [WIDTH]);
        SHARED(float, all, [WIDTH]);
        BLOCK_CALL(load, tile, x + blockIdx.x * WIDTH);
        const float sum = BLOCK_CALL(block_sum, tile, all);
        const int turns = BLOCK_CALL(scan_in_place, WIDTH, tile);
        const int none = BLOCK_CALL(scan_in_place, 1, tile);
        FOR_EACH_THREAD
            scanned[blockIdx.x * WIDTH + threadIdx.x] = tile[threadIdx.x];
        FOR_THREADS_BELOW(1) {
            total[blockIdx.x] = sum;
            steps[blockIdx.x] = turns * 10 + none;
        }
    }
}

BLOCK_FUNCTION(float, block_sum, (WIDTH), const float *in, float *all)
{
    PRIVATE(float, value);
    FOR_EACH_THREAD
        MINE(value) = in[threadIdx.x];
    BLOCK_REDUCE_ADD(value, value);
    FOR_EACH_THREAD
        all[threadIdx.x] = MINE(value);
    SYNC_THREADS();
    return all[WIDTH - 1];
}

static void test_calls_in_a_block(void **state)
{
    float x[BLOCKS * WIDTH], total[BLOCKS], scanned[BLOCKS * WIDTH];
    float *device_x, *device_total, *device_scanned;
    int steps[BLOCKS], *device_steps;

    (void)state;
    NEEDS_DEVICE();
    for (int i = 0; i < BLOCKS * WIDTH; i++)
        x[i] = (float)(i % 7 + i / WIDTH);
    device_x = (float *)device_from(x, sizeof x);
    device_total = (float *)device_from(NULL, sizeof total);
    device_scanned = (float *)device_from(NULL, sizeof scanned);
    device_steps = (int *)device_from(NULL, sizeof steps);
    assert_ok(KERNEL_LAUNCH(sums, BLOCKS, WIDTH, 0, 0, (const float *)device_x, device_total,
                            device_scanned, device_steps));
    assert_ok(portable_copy_to_host(total, device_total, sizeof total));
    assert_ok(portable_copy_to_host(scanned, device_scanned, sizeof scanned));
    assert_ok(portable_copy_to_host(steps, device_steps, sizeof steps));
    for (int block = 0; block < BLOCKS; block++) {
        float sum = 0;
        for (int t = 0; t < WIDTH; t++) {
            sum += x[block * WIDTH + t];
            if (scanned[block * WIDTH + t] != sum)
                fail_msg("block %d, thread %d: %g, expected %g", block, t,
                         (double)scanned[block * WIDTH + t], (double)sum);
        }
        if (total[block] != sum || steps[block] != 60)
            fail_msg("block %d: sum %g and %d, expected %g and 60", block, (double)total[block],
                     steps[block], (double)sum);
    }
}

/* ---- the indices of the caller, in all dimensions, and in every loop over threads ---- */

/* Counts what each loop visits; the function fixes one extent of three. */
BLOCK_FUNCTION(void, count_visits, (0, 2, 0), int n, int *visits, int *elements, int *warps)
{
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned size = blockDim.x * blockDim.y * blockDim.z;
    FOR_EACH_THREAD {
        const unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        ATOMIC_ADD(&visits[block * size + rank], 1);
        GRID_STRIDE_LOOP_3D(i, j, k, n, 1, 1)
            ATOMIC_ADD(&elements[i + j + k], 1);
    }
    FOR_THREADS_BELOW(5) {
        const unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        ATOMIC_ADD(&visits[block * size + rank], 10);
    }
    FOR_EACH_WARP
    {
        FRAGMENT_C(sum);
        FRAGMENT_FILL(sum, 1.0f);
    }
    FOR_EACH_THREAD
        ATOMIC_ADD(&warps[block], 1);
}

KERNEL(visit)(int n, int *visits, int *elements, int *warps)
{
    FOR_EACH_BLOCK(16, 2, 3)
        BLOCK_CALL(count_visits, n, visits, elements, warps);
}

static void test_indices_of_the_caller(void **state)
{
    enum { SIZE = 16 * 2 * 3, GRID = 2 * 3 * 2, ELEMENTS = 100 };
    int visits[GRID * SIZE], elements[ELEMENTS], warps[GRID];
    int *device_visits, *device_elements, *device_warps;

    (void)state;
    NEEDS_DEVICE();
    device_visits = (int *)device_from(NULL, sizeof visits);
    device_elements = (int *)device_from(NULL, sizeof elements);
    device_warps = (int *)device_from(NULL, sizeof warps);
    assert_ok(KERNEL_LAUNCH(visit, DIM3(2, 3, 2), DIM3(16, 2, 3), 0, 0, ELEMENTS, device_visits,
                            device_elements, device_warps));
    assert_ok(portable_copy_to_host(visits, device_visits, sizeof visits));
    assert_ok(portable_copy_to_host(elements, device_elements, sizeof elements));
    assert_ok(portable_copy_to_host(warps, device_warps, sizeof warps));
    for (int i = 0; i < GRID * SIZE; i++)
        if (visits[i] != (i % SIZE < 5 ? 11 : 1))
            fail_msg("thread %d of block %d: %d visits", i % SIZE, i / SIZE, visits[i]);
    for (int i = 0; i < ELEMENTS; i++)
        if (elements[i] != 1)
            fail_msg("element %d: %d visits", i, elements[i]);
    for (int block = 0; block < GRID; block++)
        assert_int_equal(warps[block], SIZE);
}

/* ---- PRIVATE variables of the caller ---- */

typedef const float *pointer;

/* Each thread's values in, its sums out; the value goes through a shuffle and a reduction. */
BLOCK_FUNCTION(void, add_own, (0), PRIVATE_PARAMETER(float, value),
               PRIVATE_PARAMETER(pointer, from), PRIVATE_PARAMETER(float, sums, [2][2]),
               PRIVATE_PARAMETER(unsigned, last, [1]))
{
    PRIVATE(float, sum);
    PRIVATE(float, next);
    SHUFFLE_DOWN(next, value, 1);
    BLOCK_REDUCE_ADD(sum, value);
    FOR_EACH_THREAD {
        MINE(sums)[0][1] += MINE(value) + *MINE(from);
        MINE(sums)[1][0] = MINE(sum);
        MINE(sums)[1][1] = MINE(next);
        MINE(last)[0] = threadIdx.x;
    }
}

KERNEL(own)(const float *x, float *y)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(float, value);
        PRIVATE(pointer, from);
        PRIVATE(float, sums, [2][2]);
        PRIVATE(unsigned, last, [1]);
        FOR_EACH_THREAD {
            MINE(value) = x[threadIdx.x];
            MINE(from) = &x[threadIdx.x];
            MINE(sums)[0][0] = 5;
            MINE(sums)[0][1] = 7;
        }
        for (int turn = 0; turn < 2; turn++)
            BLOCK_CALL(add_own, value, from, sums, last);
        FOR_EACH_THREAD {
            float *const of_thread = &y[5 * threadIdx.x];
            for (int k = 0; k < 4; k++)
                of_thread[k] = MINE(sums)[k / 2][k % 2];
            of_thread[4] = (float)MINE(last)[0];
        }
    }
}

static void test_private_parameters(void **state)
{
    float x[WIDTH], y[5 * WIDTH], sum = 0, *device_x, *device_y;

    (void)state;
    NEEDS_DEVICE();
    for (int i = 0; i < WIDTH; i++)
        sum += x[i] = (float)(i + 1);
    device_x = (float *)device_from(x, sizeof x);
    device_y = (float *)device_from(NULL, sizeof y);
    assert_ok(KERNEL_LAUNCH(own, 1, WIDTH, 0, 0, (const float *)device_x, device_y));
    assert_ok(portable_copy_to_host(y, device_y, sizeof y));
    for (int i = 0; i < WIDTH; i++) {
        const float expected[5] = {5, 7 + 4 * x[i], sum, i % 32 == 31 ? x[i] : x[i] + 1, (float)i};

        for (int k = 0; k < 5; k++)
            if (y[5 * i + k] != expected[k])
                fail_msg("thread %d, value %d: %g, expected %g", i, k, (double)y[5 * i + k],
                         (double)expected[k]);
    }
}

/* ---- a return that leaves a scope of the function is reported ---- */

BLOCK_FUNCTION(int, leave_early, (0), int thread, int *visits)
{
    FOR_EACH_THREAD {
        if ((int)threadIdx.x == thread)
            return 1;
        ATOMIC_ADD(visits, 1);
    }
    return 0;
}

KERNEL(leave)(int thread, int *visits)
{
    FOR_EACH_BLOCK(0) {
        const int left = BLOCK_CALL(leave_early, thread, visits);
        FOR_THREADS_BELOW(left)
            ATOMIC_ADD(visits, 100);
    }
}

static void test_leaving_a_scope_of_the_function(void **state)
{
    int *visits, count;

    (void)state;
    NEEDS_DEVICE();
    visits = (int *)device_from(NULL, sizeof *visits);
    assert_ok(KERNEL_LAUNCH(leave, 2, 8, 0, 0, 8, visits));
    assert_ok(portable_copy_to_host(&count, visits, sizeof count));
    assert_int_equal(count, 16);
    if (on_loops())
        assert_refused(KERNEL_LAUNCH(leave, 2, 8, 0, 0, 5, visits), PORTABLE_ERROR_LEFT_SCOPE,
                       "kernel leave: return or break left FOR_EACH_THREAD in block (0, 0, 0), "
                       "thread (5, 0, 0)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_calls_in_a_block),
        TEST(test_indices_of_the_caller),
        TEST(test_private_parameters),
        TEST(test_leaving_a_scope_of_the_function),
    };

    return cmocka_run_group_tests_name("block_functions/" PORTABLE_TARGET_NAME, tests, NULL,
                                       NULL) != 0;
}
