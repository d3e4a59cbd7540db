/* SPDX-License-Identifier: BSD-3-Clause */
/* Warp scope, and tensor core fragments of numbers whose products and sums are exact in any
 * order. */
#include "test.h"

enum { EDGE = FRAGMENT_SIZE, ELEMENTS = EDGE * EDGE, WARPS = 4, STRIDE = 48 };

/* ---- warp scope ---- */

KERNEL(count_warps)(int *turns, int *firsts)
{
    FOR_EACH_BLOCK() {
        SHARED(int, seen, [32]);
        FOR_THREADS_BELOW(32)
            seen[threadIdx.x + threadIdx.y * blockDim.x] = 0;
        SYNC_THREADS();
        FOR_EACH_WARP
        {
            if (WARP_INDEX() == 1)
                continue;
            seen[WARP_INDEX()] = 1 + (int)blockIdx.x;
        }
        SYNC_THREADS();
        FOR_THREADS_BELOW(1) {
            firsts[blockIdx.x] = seen[0];
            for (int w = 0; w < 32; w++)
                turns[blockIdx.x * 32 + (unsigned)w] = seen[w];
        }
    }
}

static void test_warp_scope_visits_each_warp(void **state)
{
    static const dim3 blocks[] = {{32, 1, 1}, {33, 1, 1}, {96, 1, 1}, {1024, 1, 1}, {32, 5, 1}};
    int turns[2 * 32], firsts[2];
    int *device_turns, *device_firsts;

    (void)state;
    NEEDS_DEVICE();
    device_turns = (int *)device_from(NULL, sizeof turns);
    device_firsts = (int *)device_from(NULL, sizeof firsts);
    for (size_t s = 0; s < COUNT_OF(blocks); s++) {
        const int warps = (int)((blocks[s].x * blocks[s].y * blocks[s].z + 31) / 32);

        assert_ok(KERNEL_LAUNCH(count_warps, 2, blocks[s], 0, 0, device_turns, device_firsts));
        assert_ok(portable_copy_to_host(turns, device_turns, sizeof turns));
        for (int b = 0; b < 2; b++)
            for (int w = 0; w < 32; w++)
                assert_int_equal(turns[b * 32 + w], w < warps && w != 1 ? 1 + b : 0);
    }
}

/* ---- fragments ---- */

/* Each warp multiplies its own fragments, d = a b + c, with fragments that live across a
 * barrier. */
KERNEL(multiply)(const half *a, const half *b, const float *c, float *d)
{
    FOR_EACH_BLOCK(0) {
        FRAGMENT_A(a_tile);
        FRAGMENT_B(b_tile);
        FRAGMENT_C(c_tile);
        FOR_EACH_WARP
        {
            FRAGMENT_LOAD(a_tile, a + WARP_INDEX() * EDGE * STRIDE, STRIDE);
            FRAGMENT_LOAD(b_tile, b + WARP_INDEX() * EDGE * STRIDE, STRIDE);
        }
        SYNC_THREADS();
        FOR_EACH_WARP
        {
            FRAGMENT_C(d_tile);
            FRAGMENT_LOAD(c_tile, c + WARP_INDEX() * EDGE * STRIDE, STRIDE);
            FRAGMENT_MULTIPLY_ADD(d_tile, a_tile, b_tile, c_tile);
            FRAGMENT_STORE(d + WARP_INDEX() * EDGE * STRIDE, d_tile, STRIDE);
        }
    }
}

/* The same with a block shape known at compile time, each product an operand of the next. */
KERNEL(fill_and_repeat)(float *d)
{
    FOR_EACH_BLOCK(WARPS *WARP_SIZE) {
        FRAGMENT_C(sum);
        FOR_EACH_WARP
        {
            FRAGMENT_A(a_tile);
            FRAGMENT_B(b_tile);
            FRAGMENT_FILL(a_tile, 1.0f);
            FRAGMENT_FILL(b_tile, 0.5f);
            FRAGMENT_FILL(sum, (float)WARP_INDEX());
            for (int times = 0; times < 3; times++)
                FRAGMENT_MULTIPLY_ADD(sum, a_tile, b_tile, sum);
        }
        FOR_EACH_WARP
        FRAGMENT_STORE(d + WARP_INDEX() * ELEMENTS, sum, EDGE);
    }
}

/* Arrays of fragments, at block scope and at warp scope: the sum of a[i] b[i] over the even i, and
 * over the odd ones. */
KERNEL(multiply_arrays)(const half *a, const half *b, float *d)
{
    FOR_EACH_BLOCK(WARPS *WARP_SIZE) {
        FRAGMENT_A(a_fragments, [2][2]);
        FRAGMENT_C(sums, [2]);
        FOR_EACH_WARP
        {
            for (int i = 0; i < 4; i++)
                FRAGMENT_LOAD(a_fragments[i / 2][i % 2], a + (i * EDGE) * STRIDE, STRIDE);
            FRAGMENT_FILL(sums[0], 0.0f);
            FRAGMENT_FILL(sums[1], (float)WARP_INDEX());
        }
        SYNC_THREADS();
        FOR_EACH_WARP
        {
            FRAGMENT_B(b_fragments, [4]);
            for (int i = 0; i < 4; i++) {
                FRAGMENT_LOAD(b_fragments[i], b + (i * EDGE) * STRIDE, STRIDE);
                FRAGMENT_MULTIPLY_ADD(sums[i % 2], a_fragments[i / 2][i % 2], b_fragments[i],
                                      sums[i % 2]);
            }
            FRAGMENT_STORE(d + WARP_INDEX() * 2 * ELEMENTS, sums[0], EDGE);
            FRAGMENT_STORE(d + (WARP_INDEX() * 2 + 1) * ELEMENTS, sums[1], EDGE);
        }
    }
}

/* Small integers and halves of them. */
static float number(int matrix, int warp, int row, int column)
{
    return (float)((matrix * 7 + warp * 5 + row * 3 + column * column) % 17 - 8) / 2;
}

static void test_tile_products_are_exact(void **state)
{
    static half a[WARPS * EDGE * STRIDE], b[WARPS * EDGE * STRIDE];
    static float c[WARPS * EDGE * STRIDE], d[WARPS * EDGE * STRIDE];
    half *device_a, *device_b;
    float *device_c, *device_d;

    (void)state;
    NEEDS_DEVICE();
    for (int warp = 0; warp < WARPS; warp++)
        for (int row = 0; row < EDGE; row++)
            for (int column = 0; column < STRIDE; column++) {
                const int at = (warp * EDGE + row) * STRIDE + column;

                a[at] = float_to_half(number(0, warp, row, column));
                b[at] = float_to_half(number(1, warp, row, column));
                c[at] = number(2, warp, row, column);
            }
    device_a = (half *)device_from(a, sizeof a);
    device_b = (half *)device_from(b, sizeof b);
    device_c = (float *)device_from(c, sizeof c);
    device_d = (float *)device_from(NULL, sizeof d);
    assert_ok(KERNEL_LAUNCH(multiply, 1, WARPS * WARP_SIZE, 0, 0, (const half *)device_a,
                            (const half *)device_b, (const float *)device_c, device_d));
    assert_ok(portable_copy_to_host(d, device_d, sizeof d));
    for (int warp = 0; warp < WARPS; warp++)
        for (int row = 0; row < EDGE; row++)
            for (int column = 0; column < STRIDE; column++) {
                float expected = column < EDGE ? number(2, warp, row, column) : 0;

                for (int i = 0; i < EDGE && column < EDGE; i++)
                    expected += number(0, warp, row, i) * number(1, warp, i, column);
                if (d[(warp * EDGE + row) * STRIDE + column] != expected)
                    fail_msg("warp %d, row %d, column %d: %g, expected %g", warp, row, column,
                             (double)d[(warp * EDGE + row) * STRIDE + column], (double)expected);
            }
}

static void test_fragments_fill_and_repeat(void **state)
{
    static float d[WARPS * ELEMENTS];
    float *device_d;

    (void)state;
    NEEDS_DEVICE();
    device_d = (float *)device_from(NULL, sizeof d);
    assert_ok(KERNEL_LAUNCH(fill_and_repeat, 1, WARPS * WARP_SIZE, 0, 0, device_d));
    assert_ok(portable_copy_to_host(d, device_d, sizeof d));
    for (int i = 0; i < WARPS * ELEMENTS; i++)
        if (d[i] != (float)(i / ELEMENTS) + 3 * EDGE * 0.5f)
            fail_msg("element %d: %g", i, (double)d[i]);
}

static void test_arrays_of_fragments(void **state)
{
    static half a[4 * EDGE * STRIDE], b[4 * EDGE * STRIDE];
    static float d[WARPS * 2 * ELEMENTS];
    half *device_a, *device_b;
    float *device_d;

    (void)state;
    NEEDS_DEVICE();
    for (int fragment = 0; fragment < 4; fragment++)
        for (int row = 0; row < EDGE; row++)
            for (int column = 0; column < STRIDE; column++) {
                a[(fragment * EDGE + row) * STRIDE + column] =
                    float_to_half(number(0, fragment, row, column));
                b[(fragment * EDGE + row) * STRIDE + column] =
                    float_to_half(number(1, fragment, row, column));
            }
    device_a = (half *)device_from(a, sizeof a);
    device_b = (half *)device_from(b, sizeof b);
    device_d = (float *)device_from(NULL, sizeof d);
    assert_ok(KERNEL_LAUNCH(multiply_arrays, 1, WARPS * WARP_SIZE, 0, 0, (const half *)device_a,
                            (const half *)device_b, device_d));
    assert_ok(portable_copy_to_host(d, device_d, sizeof d));
    for (int i = 0; i < WARPS * 2 * ELEMENTS; i++) {
        const int warp = i / (2 * ELEMENTS), sum = i / ELEMENTS % 2;
        const int row = i % ELEMENTS / EDGE, column = i % EDGE;
        float expected = sum ? (float)warp : 0;

        for (int fragment = sum; fragment < 4; fragment += 2)
            for (int k = 0; k < EDGE; k++)
                expected += number(0, fragment, row, k) * number(1, fragment, k, column);
        if (d[i] != expected)
            fail_msg("warp %d, sum %d, row %d, column %d: %g, expected %g", warp, sum, row, column,
                     (double)d[i], (double)expected);
    }
}

/* ---- mistakes that a GPU would not report ---- */

KERNEL(load_at)(int offset, int stride, const half *from)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_WARP
        {
            FRAGMENT_A(fragment);
            FRAGMENT_LOAD(fragment, from + offset, stride);
        }
    }
}
KERNEL(store_at)(int offset, int stride, float *to)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_WARP
        {
            FRAGMENT_C(fragment);
            FRAGMENT_FILL(fragment, 0.0f);
            FRAGMENT_STORE(to + offset, fragment, stride);
        }
    }
}
#if !PORTABLE_TARGET_CUDA
KERNEL(leave)(void)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_WARP
        break;
    }
}
#endif

static void test_cpu_refuses_what_tiles_cannot_take(void **state)
{
    half *from;
    float *to;

    (void)state;
    if (on_cuda())
        return;
    from = (half *)device_from(NULL, 2 * EDGE * STRIDE * sizeof *from);
    to = (float *)device_from(NULL, 2 * EDGE * STRIDE * sizeof *to);
    assert_ok(KERNEL_LAUNCH(load_at, 1, 32, 0, 0, 16, 24, (const half *)from));
    assert_ok(KERNEL_LAUNCH(store_at, 1, 32, 0, 0, 8, 20, to));
    assert_refused(KERNEL_LAUNCH(load_at, 1, 33, 0, 0, 0, 16, (const half *)from),
                   PORTABLE_ERROR_INVALID_LAUNCH, "FRAGMENT_LOAD in a block of 33 threads");
    assert_refused(KERNEL_LAUNCH(load_at, 1, 32, 0, 0, 8, 16, (const half *)from),
                   PORTABLE_ERROR_INVALID_VALUE, "no multiple of 32");
    assert_refused(KERNEL_LAUNCH(load_at, 1, 32, 0, 0, 0, 20, (const half *)from),
                   PORTABLE_ERROR_INVALID_VALUE, "rows 40 bytes apart");
    assert_refused(KERNEL_LAUNCH(store_at, 1, 16, 0, 0, 0, 16, to), PORTABLE_ERROR_INVALID_LAUNCH,
                   "FRAGMENT_STORE in a block of 16 threads");
    assert_refused(KERNEL_LAUNCH(store_at, 1, 32, 0, 0, 0, 18, to), PORTABLE_ERROR_INVALID_VALUE,
                   "rows 72 bytes apart");
#if !PORTABLE_TARGET_CUDA
    if (on_loops())
        assert_refused(KERNEL_LAUNCH(leave, 1, 32, 0, 0), PORTABLE_ERROR_LEFT_SCOPE,
                       "FOR_EACH_WARP");
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_warp_scope_visits_each_warp),        TEST(test_tile_products_are_exact),
        TEST(test_fragments_fill_and_repeat),          TEST(test_arrays_of_fragments),
        TEST(test_cpu_refuses_what_tiles_cannot_take),
    };

    return cmocka_run_group_tests_name("fragments/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
