/* SPDX-License-Identifier: BSD-3-Clause */
/* The vector types have CUDA's size, alignment and members, and the host and the device agree;
 * REAL, DIM3, DEVICE, ALIGNED, RESTRICT, UNROLL, the version. */
#include "test.h"

/* X(type, member's type, members, alignment): sizes follow. The alignments are CUDA's. */
#define FOR_VECTORS(X)                                                                             \
    X(float2, float, 2, 8)                                                                         \
    X(float3, float, 3, 4)                                                                         \
    X(float4, float, 4, 16)                                                                        \
    X(double2, double, 2, 16)                                                                      \
    X(double3, double, 3, 8)                                                                       \
    X(double4, double, 4, 16)                                                                      \
    X(int2, int, 2, 8)                                                                             \
    X(int3, int, 3, 4)                                                                             \
    X(int4, int, 4, 16)                                                                            \
    X(uint2, unsigned, 2, 8)                                                                       \
    X(uint3, unsigned, 3, 4)                                                                       \
    X(uint4, unsigned, 4, 16)

/* A vector after one byte is at its alignment. */
#define BEHIND(type, member, members, alignment)                                                   \
    struct behind_##type {                                                                         \
        char byte;                                                                                 \
        type vector;                                                                               \
    };
FOR_VECTORS(BEHIND)
struct ALIGNED(64) line {
    int value;
};

#define MEASURES(type, member, members, alignment)                                                 \
    sizeof(type), offsetof(struct behind_##type, vector),
#define EXPECTED(type, member, members, alignment) (members) * sizeof(member), alignment,

enum { MEASURED = 12 * 2 + 3 };

static const unsigned long long on_host[MEASURED] = {FOR_VECTORS(MEASURES) sizeof(dim3),
                                                     sizeof(REAL), sizeof(struct line)};

KERNEL(measure)(unsigned long long *out)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD {
            const unsigned long long on_device[MEASURED] = {FOR_VECTORS(MEASURES) sizeof(dim3),
                                                            sizeof(REAL), sizeof(struct line)};
            for (int k = 0; k < MEASURED; k++)
                out[k] = on_device[k];
        }
    }
}

static void test_sizes_and_alignments(void **state)
{
    static const unsigned long long expected[MEASURED] = {FOR_VECTORS(EXPECTED) 12,
                                                          PORTABLE_PRECISION_DOUBLE ? 8 : 4, 64};

    (void)state;
    for (int k = 0; k < MEASURED; k++)
        if (on_host[k] != expected[k])
            fail_msg("measure %d is %llu, expected %llu", k, on_host[k], expected[k]);
}

static void test_the_device_measures_the_same(void **state)
{
    unsigned long long out[MEASURED], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (unsigned long long *)device_from(NULL, sizeof out);
    assert_ok(KERNEL_LAUNCH(measure, 1, 1, 0, 0, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    assert_memory_equal(out, on_host, sizeof out);
}

/* make_* stores each argument in its member, on both sides. */
#define CHECK_2(type)                                                                              \
    {                                                                                              \
        const type##2 v = make_##type##2(1, 2);                                                    \
        wrong += v.x != 1 || v.y != 2;                                                             \
    }
#define CHECK_3(type)                                                                              \
    {                                                                                              \
        const type##3 v = make_##type##3(1, 2, 3);                                                 \
        wrong += v.x != 1 || v.y != 2 || v.z != 3;                                                 \
    }
#define CHECK_4(type)                                                                              \
    {                                                                                              \
        const type##4 v = make_##type##4(1, 2, 3, 4);                                              \
        wrong += v.x != 1 || v.y != 2 || v.z != 3 || v.w != 4;                                     \
    }
#define CHECK_VECTORS(type) CHECK_2(type) CHECK_3(type) CHECK_4(type)

DEVICE int wrong_vectors(void)
{
    int wrong = 0;

    CHECK_VECTORS(float)
    CHECK_VECTORS(double)
    CHECK_VECTORS(int)
    CHECK_VECTORS(uint)
    return wrong;
}

/* A vector in global, shared and private memory, as a parameter and as a result. */
DEVICE float4 reversed(float4 v)
{
    return make_float4(v.w, v.z, v.y, v.x);
}

KERNEL(use_vectors)(float4 parameter, const float4 *in, float4 *out, int *wrong)
{
    FOR_EACH_BLOCK(4) {
        SHARED(float4, shared, [4]);
        PRIVATE(float4, mine);
        FOR_EACH_THREAD {
            shared[threadIdx.x] = reversed(in[threadIdx.x]);
            MINE(mine) = parameter;
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            float4 sum = shared[3 - threadIdx.x];
            sum.x += MINE(mine).x;
            sum.w += MINE(mine).w;
            out[threadIdx.x] = sum;
        }
        FOR_THREADS_BELOW(1)
            *wrong = wrong_vectors();
    }
}

static void test_vectors(void **state)
{
    float4 in[4], out[4], *device_in, *device_out;
    int wrong = -1, *device_wrong;

    (void)state;
    assert_int_equal(wrong_vectors(), 0);
    NEEDS_DEVICE();
    for (int k = 0; k < 4; k++)
        in[k] =
            make_float4((float)(4 * k), (float)(4 * k + 1), (float)(4 * k + 2), (float)(4 * k + 3));
    device_in = (float4 *)device_from(in, sizeof in);
    device_out = (float4 *)device_from(NULL, sizeof out);
    device_wrong = (int *)device_from(NULL, sizeof wrong);
    assert_ok(KERNEL_LAUNCH(use_vectors, 1, 4, 0, 0, make_float4(100, 0, 0, 1000), device_in,
                            device_out, device_wrong));
    assert_ok(portable_copy_to_host(out, device_out, sizeof out));
    assert_ok(portable_copy_to_host(&wrong, device_wrong, sizeof wrong));
    assert_int_equal(wrong, 0);
    for (int k = 0; k < 4; k++) {
        const float4 v = in[3 - k];

        assert_true(out[k].x == v.w + 100 && out[k].y == v.z && out[k].z == v.y &&
                    out[k].w == v.x + 1000);
    }
}

static void test_dim3(void **state)
{
    const dim3 extents = DIM3(1 + 1, 3u, 4);

    (void)state;
    assert_int_equal(extents.x, 2);
    assert_int_equal(extents.y, 3);
    assert_int_equal(extents.z, 4);
}

static void test_real(void **state)
{
    const REAL one = 1;

    (void)state;
    assert_true(one + REAL_EPSILON > one);
    assert_true((REAL)(one + REAL_EPSILON / 2) == one);
}

/* q = x / y, in a kernel and on the host. */
KERNEL(divide)(int n, const REAL *x, const REAL *y, REAL *q)
{
    GRID_STRIDE_LOOP(i, n)
        q[i] = fast_divide(x[i], y[i]);
}

static void test_fast_divide_is_within_two_units(void **state)
{
    enum { N = 4096 };
    static REAL x[N], y[N], q[N];
    REAL *device_x, *device_y, *device_q, power = 1;

    (void)state;
    NEEDS_DEVICE();
    for (int i = 0; i < N; i++) {
        const REAL sign = i % 3 == 0 ? (REAL)-1 : (REAL)1;

        power = i % 64 == 0 ? (REAL)1 / 4294967296 : 2 * power; /* 2^-32 to 2^31 */
        x[i] = (REAL)(i * 37 % 101 + 1) / 64;
        y[i] = sign * power * (1 + (REAL)(i * 1009 % N) / N);
        assert_true(fast_divide(x[i], y[i]) == x[i] / y[i]);
    }
    device_x = (REAL *)device_from(x, sizeof x);
    device_y = (REAL *)device_from(y, sizeof y);
    device_q = (REAL *)device_from(NULL, sizeof q);
    assert_ok(KERNEL_LAUNCH(divide, 4, 64, 0, 0, N, (const REAL *)device_x, (const REAL *)device_y,
                            device_q));
    assert_ok(portable_copy_to_host(q, device_q, sizeof q));
    for (int i = 0; i < N; i++) {
        const REAL exact = x[i] / y[i], error = q[i] < exact ? exact - q[i] : q[i] - exact;
        const REAL size = exact < 0 ? -exact : exact;

        if (error > (on_cuda() ? 2 * REAL_EPSILON * size : 0))
            fail_msg("%g / %g is %.9g, not %.9g", (double)x[i], (double)y[i], (double)q[i],
                     (double)exact);
    }
}

/* UNROLL before a loop of constant and of variable length, RESTRICT on parameters. */
KERNEL(unrolled)(int n, const int *RESTRICT in, int *RESTRICT out)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD {
            int sum = 0;
            UNROLL(4)
            for (int k = 0; k < 8; k++)
                sum += in[k];
            UNROLL(3)
            for (int k = 0; k < n; k++)
                sum += in[k];
            *out = sum;
        }
    }
}

static void test_unroll(void **state)
{
    static const int in[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    int sum, *device_in, *device_out;

    (void)state;
    NEEDS_DEVICE();
    device_in = (int *)device_from(in, sizeof in);
    device_out = (int *)device_from(NULL, sizeof sum);
    assert_ok(KERNEL_LAUNCH(unrolled, 1, 1, 0, 0, 10, device_in, device_out));
    assert_ok(portable_copy_to_host(&sum, device_out, sizeof sum));
    assert_int_equal(sum, 36 + 55);
}

#define VERSION_IS_GE(a, b, c) (PORTABLE_VERSION_GE(a, b, c) ? 1 : 0)

static void test_version(void **state)
{
    const int major = PORTABLE_VERSION_MAJOR, minor = PORTABLE_VERSION_MINOR;
    const int patch = PORTABLE_VERSION_PATCH;

    (void)state;
    assert_int_equal(VERSION_IS_GE(major, minor, patch), 1);
    assert_int_equal(VERSION_IS_GE(major, minor, patch + 1), 0);
    assert_int_equal(VERSION_IS_GE(major, minor + 1, 0), 0);
    assert_int_equal(VERSION_IS_GE(major + 1, 0, 0), 0);
    assert_int_equal(VERSION_IS_GE(major - 1, minor + 7, patch + 7), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_sizes_and_alignments),
        TEST(test_the_device_measures_the_same),
        TEST(test_vectors),
        TEST(test_dim3),
        TEST(test_real),
        TEST(test_fast_divide_is_within_two_units),
        TEST(test_unroll),
        TEST(test_version),
    };

    return cmocka_run_group_tests_name("types/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
