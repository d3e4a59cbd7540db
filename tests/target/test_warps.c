/* SPDX-License-Identifier: BSD-3-Clause */
/* Shuffles, votes, reductions and scans, against plain C models of the documented order, bit for
 * bit, for blocks of whole and of partial warps. */
#include "test.h"

enum { THREADS = 1024, WARP = 32 };

/* The blocks of every test; each shape known at compile time has its own kernel. */
static const dim3 blocks[] = {{1, 1, 1},   {31, 1, 1},   {32, 1, 1}, {33, 1, 1}, {96, 1, 1},
                              {100, 1, 1}, {1024, 1, 1}, {12, 5, 1}, {5, 4, 3},  {32, 32, 1}};

/* The X macros of this file: X(suffix, type). */
#define FOR_TYPES(X)                                                                               \
    X(int, int)                                                                                    \
    X(uint, unsigned)                                                                              \
    X(ll, long long)                                                                               \
    X(ull, unsigned long long)                                                                     \
    X(float, float)                                                                                \
    X(double, double)

static unsigned threads_of(dim3 block)
{
    return block.x * block.y * block.z;
}

/* A linear congruential generator: the same numbers in every run. */
static unsigned long long random_bits(void)
{
    static unsigned long long bits = 12345;

    bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
    return bits ^ bits >> 29;
}

/* ---- the values: any bits for integers; floats that round, cancel and are special ---- */

/* clang-format off */
#define INTEGER_VALUE(suffix, type)                                                                \
    static type value_##suffix(int odd)                                                            \
    {                                                                                              \
        (void)odd;                                                                                 \
        return (type)random_bits();                                                                \
    }
#define REAL_VALUE(suffix, type)                                                                   \
    static type value_##suffix(int odd)                                                            \
    {                                                                                              \
        const unsigned long long bits = random_bits();                                             \
        const type plain = ((type)(bits % 2000001) - 1000000) / (type)(1 + bits % 977);            \
                                                                                                   \
        if (!odd)                                                                                  \
            return plain;                                                                          \
        switch (bits % 5) {                                                                        \
        case 0: return (type)__builtin_nanf("");                                                   \
        case 1: return (type)-0.0f;                                                                \
        case 2: return (type)0.0f;                                                                 \
        case 3: return (bits & 256) ? (type)__builtin_inff() : -(type)__builtin_inff();            \
        default: return (bits & 256) ? plain : (type)0.0f;                                         \
        }                                                                                          \
    }
INTEGER_VALUE(int, int)
INTEGER_VALUE(uint, unsigned)
INTEGER_VALUE(ll, long long)
INTEGER_VALUE(ull, unsigned long long)
REAL_VALUE(float, float)
REAL_VALUE(double, double)
/* clang-format on */

/* ---- the operations of the models ---- */

enum operation { OP_ADD, OP_MIN, OP_MAX };

/* clang-format off */
/* Signed sums wrap. */
#define INTEGER_OPERATION(suffix, type, wide)                                                      \
    static type apply_##suffix(enum operation op, type a, type b)                                  \
    {                                                                                              \
        if (op == OP_ADD)                                                                          \
            return (type)((wide)a + (wide)b);                                                      \
        return (op == OP_MIN) == (a < b) ? a : b;                                                  \
    }
/* NaN loses against a number, and -0 is below +0. */
#define REAL_OPERATION(suffix, type)                                                               \
    static type apply_##suffix(enum operation op, type a, type b)                                  \
    {                                                                                              \
        if (op == OP_ADD)                                                                          \
            return a + b;                                                                          \
        if (a != a)                                                                                \
            return b;                                                                              \
        if (b != b)                                                                                \
            return a;                                                                              \
        if (a == b)                                                                                \
            return (__builtin_signbit(a) != 0) == (op == OP_MIN) ? a : b;                          \
        return (op == OP_MIN) == (a < b) ? a : b;                                                  \
    }
INTEGER_OPERATION(int, int, unsigned)
INTEGER_OPERATION(uint, unsigned, unsigned)
INTEGER_OPERATION(ll, long long, unsigned long long)
INTEGER_OPERATION(ull, unsigned long long, unsigned long long)
REAL_OPERATION(float, float)
REAL_OPERATION(double, double)

/* Bitwise equal, except that all NaNs are equal. */
#define SAME(suffix, type)                                                                         \
    static int same_##suffix(type a, type b)                                                       \
    {                                                                                              \
        return memcmp(&a, &b, sizeof a) == 0 ||                                                    \
               (__builtin_isnan((double)a) && __builtin_isnan((double)b));                         \
    }
FOR_TYPES(SAME)

/* ---- the models: a lane's value after a step, from the lanes' values before it ---- */

#define MODELS(suffix, type)                                                                       \
    /* A butterfly with the distances 16, 8, 4, 2, 1, among existing lanes. */                     \
    static type butterfly_##suffix(enum operation op, const type *x, unsigned lanes,               \
                                   unsigned lane, unsigned distance)                               \
    {                                                                                              \
        if (distance == WARP)                                                                      \
            return x[lane];                                                                        \
        const type own = butterfly_##suffix(op, x, lanes, lane, 2 * distance);                     \
        if ((lane ^ distance) >= lanes)                                                            \
            return own;                                                                            \
        return apply_##suffix(op, own,                                                             \
                              butterfly_##suffix(op, x, lanes, lane ^ distance, 2 * distance));    \
    }                                                                                              \
    /* Kogge-Stone with the distances 1, 2, 4, 8, 16. */                                           \
    static type kogge_stone_##suffix(const type *x, unsigned lane, unsigned distance)              \
    {                                                                                              \
        if (distance == 0)                                                                         \
            return x[lane];                                                                        \
        const type own = kogge_stone_##suffix(x, lane, distance / 2);                              \
        if (lane < distance)                                                                       \
            return own;                                                                            \
        return apply_##suffix(OP_ADD, kogge_stone_##suffix(x, lane - distance, distance / 2),      \
                              own);                                                                \
    }                                                                                              \
    static unsigned lanes_##suffix(unsigned threads, unsigned warp)                                \
    {                                                                                              \
        return threads - warp * WARP < WARP ? threads - warp * WARP : (unsigned)WARP;              \
    }                                                                                              \
    static type model_warp_##suffix(enum operation op, const type *x, unsigned threads,            \
                                    unsigned t)                                                    \
    {                                                                                              \
        const unsigned lanes = lanes_##suffix(threads, t / WARP);                                  \
                                                                                                   \
        return butterfly_##suffix(op, x + t / WARP * WARP, lanes, 0, 1);                           \
    }                                                                                              \
    static type model_block_##suffix(enum operation op, const type *x, unsigned threads)           \
    {                                                                                              \
        type of_warp[WARP];                                                                        \
        unsigned warps = 0;                                                                        \
                                                                                                   \
        for (unsigned t = 0; t < threads; t += WARP)                                               \
            of_warp[warps++] = model_warp_##suffix(op, x, threads, t);                             \
        return butterfly_##suffix(op, of_warp, warps, 0, 1);                                       \
    }                                                                                              \
    static void model_scan_##suffix(const type *x, unsigned threads, type *inclusive,              \
                                    type *exclusive)                                               \
    {                                                                                              \
        type of_warp[WARP];                                                                        \
                                                                                                   \
        for (unsigned t = 0; t < threads; t++) {                                                   \
            const unsigned warp = t / WARP, lane = t % WARP;                                       \
            const type within = kogge_stone_##suffix(x + warp * WARP, lane, WARP / 2);             \
                                                                                                   \
            if (lane + 1 == lanes_##suffix(threads, warp))                                         \
                of_warp[warp] = within;                                                            \
            inclusive[t] = within;                                                                 \
            exclusive[t] = lane > 0 ? inclusive[t - 1] : 0;                                        \
        }                                                                                          \
        for (unsigned t = threads; t-- > WARP;) {                                                  \
            const type before = kogge_stone_##suffix(of_warp, t / WARP - 1, WARP / 2);             \
                                                                                                   \
            exclusive[t] = t % WARP == 0                                                           \
                               ? before                                                            \
                               : apply_##suffix(OP_ADD, before, exclusive[t]);                     \
            inclusive[t] = apply_##suffix(OP_ADD, before, inclusive[t]);                           \
        }                                                                                          \
    }
FOR_TYPES(MODELS)
/* clang-format on */

/* ---- reductions and scans ---- */

enum {
    WARP_ADD,
    WARP_MIN,
    WARP_MAX,
    BLOCK_ADD,
    BLOCK_MIN,
    BLOCK_MAX,
    SCAN_INCLUSIVE,
    SCAN_EXCLUSIVE,
    COLLECTIVES
};
static const char *const collectives[] = {
    "WARP_REDUCE_ADD",  "WARP_REDUCE_MIN",  "WARP_REDUCE_MAX",          "BLOCK_REDUCE_ADD",
    "BLOCK_REDUCE_MIN", "BLOCK_REDUCE_MAX", "BLOCK_SCAN_ADD_INCLUSIVE", "BLOCK_SCAN_ADD_EXCLUSIVE"};

/* clang-format off */
#define LINEAR_RANK ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)

/* All eight, one after another without a barrier between; then again in place, to check that
 * nothing of the first use interferes.
 * out: COLLECTIVES times THREADS per round and block */
#define COLLECT_KERNEL(name, type, ...)                                                            \
    KERNEL(name)(const type *x, type *out)                                                         \
    {                                                                                              \
        FOR_EACH_BLOCK(__VA_ARGS__) {                                                              \
            PRIVATE(type, source);                                                                 \
            PRIVATE(type, result, [COLLECTIVES]);                                                  \
            PRIVATE(type, r);                                                                      \
            FOR_EACH_THREAD                                                                        \
                MINE(source) = x[blockIdx.x * THREADS + LINEAR_RANK];                              \
            for (int round = 0; round < 2; round++) {                                              \
                COLLECT_ONE(WARP_ADD, WARP_REDUCE_ADD)                                             \
                COLLECT_ONE(WARP_MIN, WARP_REDUCE_MIN)                                             \
                COLLECT_ONE(WARP_MAX, WARP_REDUCE_MAX)                                             \
                COLLECT_ONE(BLOCK_ADD, BLOCK_REDUCE_ADD)                                           \
                COLLECT_ONE(BLOCK_MIN, BLOCK_REDUCE_MIN)                                           \
                COLLECT_ONE(BLOCK_MAX, BLOCK_REDUCE_MAX)                                           \
                COLLECT_ONE(SCAN_INCLUSIVE, BLOCK_SCAN_ADD_INCLUSIVE)                              \
                COLLECT_ONE(SCAN_EXCLUSIVE, BLOCK_SCAN_ADD_EXCLUSIVE)                              \
                FOR_EACH_THREAD {                                                                  \
                    for (int k = 0; k < COLLECTIVES; k++)                                          \
                        out[((blockIdx.x * 2 + round) * COLLECTIVES + k) * THREADS +               \
                            LINEAR_RANK] = MINE(result)[k];                                        \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#define COLLECT_ONE(which, operation)                                                              \
    if (round == 0) {                                                                              \
        operation(r, source);                                                                      \
    } else {                                                                                       \
        FOR_EACH_THREAD                                                                            \
            MINE(r) = MINE(source);                                                                \
        operation(r, r);                                                                           \
    }                                                                                              \
    FOR_EACH_THREAD                                                                                \
        MINE(result)[which] = MINE(r);

#define COLLECT_TEST(suffix, type)                                                                 \
    COLLECT_KERNEL(collect_any_##suffix, type, )                                                   \
    COLLECT_KERNEL(collect_line_##suffix, type, 0)                                                 \
    COLLECT_KERNEL(collect_96_##suffix, type, 96)                                                  \
    COLLECT_KERNEL(collect_100_##suffix, type, 100)                                                \
    COLLECT_KERNEL(collect_5_4_3_##suffix, type, 5, 4, 3)                                          \
    COLLECT_KERNEL(collect_1024_##suffix, type, 1024)                                              \
    static portable_status collect_##suffix(int shape, dim3 block, const type *x, type *out)       \
    {                                                                                              \
        switch (shape) {                                                                           \
        case 0: return KERNEL_LAUNCH(collect_any_##suffix, 2, block, 0, 0, x, out);                \
        case 1: return KERNEL_LAUNCH(collect_line_##suffix, 2, block, 0, 0, x, out);               \
        case 96: return KERNEL_LAUNCH(collect_96_##suffix, 2, block, 0, 0, x, out);                \
        case 100: return KERNEL_LAUNCH(collect_100_##suffix, 2, block, 0, 0, x, out);              \
        case 60: return KERNEL_LAUNCH(collect_5_4_3_##suffix, 2, block, 0, 0, x, out);             \
        default: return KERNEL_LAUNCH(collect_1024_##suffix, 2, block, 0, 0, x, out);              \
        }                                                                                          \
    }                                                                                              \
    static void check_collect_##suffix(int shape, dim3 block, int odd)                             \
    {                                                                                              \
        static type x[2 * THREADS], out[2][2][COLLECTIVES][THREADS];                               \
        static type expected[COLLECTIVES][THREADS];                                                \
        const unsigned threads = threads_of(block);                                                \
        type *device_x, *device_out;                                                               \
                                                                                                   \
        for (int k = 0; k < 2 * THREADS; k++)                                                      \
            x[k] = value_##suffix(odd);                                                            \
        device_x = (type *)device_from(x, sizeof x);                                               \
        device_out = (type *)device_from(NULL, sizeof out);                                        \
        assert_ok(collect_##suffix(shape, block, device_x, device_out));                           \
        assert_ok(portable_copy_to_host(out, device_out, sizeof out));                             \
        for (int b = 0; b < 2; b++) {                                                              \
            const type *const own = x + b * THREADS;                                               \
                                                                                                   \
            for (unsigned t = 0; t < threads; t++)                                                 \
                for (int op = OP_ADD; op <= OP_MAX; op++) {                                        \
                    expected[WARP_ADD + op][t] =                                                   \
                        t % WARP ? expected[WARP_ADD + op][t - 1]                                  \
                                 : model_warp_##suffix((enum operation)op, own, threads, t);       \
                    expected[BLOCK_ADD + op][t] =                                                  \
                        t ? expected[BLOCK_ADD + op][0]                                            \
                          : model_block_##suffix((enum operation)op, own, threads);                \
                }                                                                                  \
            model_scan_##suffix(own, threads, expected[SCAN_INCLUSIVE],                            \
                                expected[SCAN_EXCLUSIVE]);                                         \
            for (int round = 0; round < 2; round++)                                                \
                for (int k = 0; k < COLLECTIVES; k++)                                              \
                    for (unsigned t = 0; t < threads; t++)                                         \
                        if (!same_##suffix(out[b][round][k][t], expected[k][t]))                   \
                            fail_msg("%s of " #type "%s%s, block (%u, %u, %u), thread %u: %.17g, " \
                                     "expected %.17g",                                             \
                                     collectives[k], odd ? " with NaN, infinities and -0" : "",    \
                                     round ? ", in place" : "", block.x, block.y, block.z, t,      \
                                     (double)out[b][round][k][t], (double)expected[k][t]);         \
        }                                                                                          \
    }                                                                                              \
    static void test_collect_##suffix(void **state)                                                \
    {                                                                                              \
        (void)state;                                                                               \
        NEEDS_DEVICE();                                                                            \
        for (int odd = 0; odd < 2; odd++) {                                                        \
            for (size_t k = 0; k < COUNT_OF(blocks); k++) {                                        \
                check_collect_##suffix(0, blocks[k], odd);                                         \
                if (blocks[k].y == 1)                                                              \
                    check_collect_##suffix(1, blocks[k], odd);                                     \
                test_teardown(state);                                                              \
            }                                                                                      \
            check_collect_##suffix(96, DIM3(96, 1, 1), odd);                                       \
            check_collect_##suffix(100, DIM3(100, 1, 1), odd);                                     \
            check_collect_##suffix(60, DIM3(5, 4, 3), odd);                                        \
            check_collect_##suffix(1024, DIM3(1024, 1, 1), odd);                                   \
        }                                                                                          \
    }
FOR_TYPES(COLLECT_TEST)
/* clang-format on */

/* Minimum and maximum of difficult values, spelled out. */
static void test_min_and_max_of_odd_values(void **state)
{
    const float nan_value = __builtin_nanf(""), infinite = __builtin_inff();
    const struct {
        float a, b, min, max;
    } cases[] = {{nan_value, 1, 1, 1},
                 {1, nan_value, 1, 1},
                 {nan_value, nan_value, nan_value, nan_value},
                 {nan_value, -infinite, -infinite, -infinite},
                 {-0.0f, 0.0f, -0.0f, 0.0f},
                 {0.0f, -0.0f, -0.0f, 0.0f},
                 {-0.0f, nan_value, -0.0f, -0.0f},
                 {infinite, -infinite, -infinite, infinite},
                 {FLT_MIN / 4, 0.0f, 0.0f, FLT_MIN / 4}};
    float x[2 * THREADS], *device_x, *device_out;
    static float out[2][2][COLLECTIVES][THREADS];

    (void)state;
    NEEDS_DEVICE();
    device_x = (float *)device_from(NULL, sizeof x);
    device_out = (float *)device_from(NULL, sizeof out);
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        memset(x, 0, sizeof x);
        x[0] = cases[k].a;
        x[1] = cases[k].b;
        assert_ok(portable_copy_to_device(device_x, x, sizeof x));
        assert_ok(collect_float(1, DIM3(2, 1, 1), device_x, device_out));
        assert_ok(portable_copy_to_host(out, device_out, sizeof out));
        for (unsigned t = 0; t < 2; t++) {
            assert_true(same_float(out[0][0][WARP_MIN][t], cases[k].min));
            assert_true(same_float(out[0][0][WARP_MAX][t], cases[k].max));
            assert_true(same_float(out[0][0][BLOCK_MIN][t], cases[k].min));
            assert_true(same_float(out[0][0][BLOCK_MAX][t], cases[k].max));
        }
    }
}

/* ---- shuffles ---- */

enum {
    BY_CONSTANT,   /* lane 3 */
    BY_EXPRESSION, /* each lane has its own source */
    BY_PRIVATE,    /* from a PRIVATE, also negative and over 31 */
    UP_1,
    UP_PER_LANE,
    DOWN_5,
    DOWN_31,
    XOR_1,
    XOR_21,
    IN_PLACE, /* source and destination are the same */
    SHUFFLES
};

/* The source lane of `lane`; WARP if it keeps its own value. */
static unsigned source_lane(int shuffle, unsigned lane)
{
    switch (shuffle) {
    case BY_CONSTANT: return 3;
    case BY_EXPRESSION: return (lane * 7 + 2) % WARP;
    case BY_PRIVATE: return lane % 2 ? (WARP - lane) % WARP : (lane + 5) % WARP;
    case UP_1: return lane >= 1 ? lane - 1 : (unsigned)WARP;
    case UP_PER_LANE: return lane >= lane % 4 ? lane - lane % 4 : (unsigned)WARP;
    case DOWN_5: return lane + 5 < WARP ? lane + 5 : (unsigned)WARP;
    case DOWN_31: return lane == 0 ? 31 : (unsigned)WARP;
    case XOR_1: return lane ^ 1;
    case XOR_21: return lane ^ 21;
    default: return WARP - 1 - lane;
    }
}

/* clang-format off */
#define SHUFFLE_KERNEL(suffix, type)                                                               \
    KERNEL(shuffle_##suffix)(const type *x, type *out)                                             \
    {                                                                                              \
        FOR_EACH_BLOCK() {                                                                         \
            PRIVATE(type, source);                                                                 \
            PRIVATE(type, result, [SHUFFLES]);                                                     \
            PRIVATE(type, r);                                                                      \
            PRIVATE(int, lane);                                                                    \
            FOR_EACH_THREAD {                                                                      \
                const int own = (int)(LINEAR_RANK % WARP);                                         \
                MINE(source) = x[blockIdx.x * THREADS + LINEAR_RANK];                              \
                MINE(lane) = own % 2 ? -own : own + 5 + 3 * WARP;                                  \
            }                                                                                      \
            SHUFFLE(r, source, 3);                                                                 \
            KEEP(BY_CONSTANT)                                                                      \
            SHUFFLE(r, source, LINEAR_RANK * 7 + 2);                                               \
            KEEP(BY_EXPRESSION)                                                                    \
            SHUFFLE(r, source, MINE(lane));                                                        \
            KEEP(BY_PRIVATE)                                                                       \
            SHUFFLE_UP(r, source, 1);                                                              \
            KEEP(UP_1)                                                                             \
            SHUFFLE_UP(r, source, LINEAR_RANK % 4);                                                \
            KEEP(UP_PER_LANE)                                                                      \
            SHUFFLE_DOWN(r, source, 5);                                                            \
            KEEP(DOWN_5)                                                                           \
            SHUFFLE_DOWN(r, source, 31);                                                           \
            KEEP(DOWN_31)                                                                          \
            SHUFFLE_XOR(r, source, 1);                                                             \
            KEEP(XOR_1)                                                                            \
            SHUFFLE_XOR(r, source, 21);                                                            \
            KEEP(XOR_21)                                                                           \
            SHUFFLE(source, source, WARP - 1 - LINEAR_RANK % WARP);                                \
            FOR_EACH_THREAD                                                                        \
                MINE(result)[IN_PLACE] = MINE(source);                                             \
            FOR_EACH_THREAD {                                                                      \
                for (int k = 0; k < SHUFFLES; k++)                                                 \
                    out[(blockIdx.x * SHUFFLES + k) * THREADS + LINEAR_RANK] = MINE(result)[k];    \
            }                                                                                      \
        }                                                                                          \
    }
#define KEEP(which)                                                                                \
    FOR_EACH_THREAD                                                                                \
        MINE(result)[which] = MINE(r);

#define SHUFFLE_TEST(suffix, type)                                                                 \
    SHUFFLE_KERNEL(suffix, type)                                                                   \
    static void test_shuffle_##suffix(void **state)                                                \
    {                                                                                              \
        static type x[2 * THREADS], out[2][SHUFFLES][THREADS];                                     \
        type *device_x, *device_out, poison;                                                       \
                                                                                                   \
        (void)state;                                                                               \
        NEEDS_DEVICE();                                                                            \
        memset(&poison, 0xff, sizeof poison);                                                      \
        for (int k = 0; k < 2 * THREADS; k++)                                                      \
            x[k] = value_##suffix(0);                                                              \
        device_x = (type *)device_from(x, sizeof x);                                               \
        device_out = (type *)device_from(NULL, sizeof out);                                        \
        for (size_t s = 0; s < COUNT_OF(blocks); s++) {                                            \
            const unsigned threads = threads_of(blocks[s]);                                        \
                                                                                                   \
            assert_ok(KERNEL_LAUNCH(shuffle_##suffix, 2, blocks[s], 0, 0, device_x, device_out));  \
            assert_ok(portable_copy_to_host(out, device_out, sizeof out));                         \
            for (unsigned b = 0; b < 2; b++)                                                       \
                for (int k = 0; k < SHUFFLES; k++)                                                 \
                    for (unsigned t = 0; t < threads; t++) {                                       \
                        const unsigned lane = source_lane(k, t % WARP);                            \
                        const unsigned from = lane == WARP ? t : t / WARP * WARP + lane;           \
                        const type expected = from < threads ? x[b * THREADS + from] : poison;     \
                                                                                                   \
                        if (from >= threads && on_cuda())                                          \
                            continue; /* an absent lane: any value */                              \
                        if (memcmp(&out[b][k][t], &expected, sizeof expected) != 0)                \
                            fail_msg("shuffle %d of " #type ", block %zu, thread %u: %.17g, "      \
                                     "expected thread %u's %.17g",                                 \
                                     k, s, t, (double)out[b][k][t], from, (double)expected);       \
                    }                                                                              \
        }                                                                                          \
    }
FOR_TYPES(SHUFFLE_TEST)
/* clang-format on */

/* Distances are modulo 32: 33 is 1, and with 32 every lane keeps its own value. */
KERNEL(shuffle_far)(int *out)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(int, source);
        PRIVATE(int, up);
        PRIVATE(int, down);
        PRIVATE(int, across);
        FOR_EACH_THREAD
            MINE(source) = 100 + (int)threadIdx.x;
        SHUFFLE_UP(up, source, 32);
        SHUFFLE_DOWN(down, source, 32);
        FOR_EACH_THREAD
            out[threadIdx.x] = MINE(up) * 1000 + MINE(down);
        SHUFFLE_UP(up, source, 0);
        SHUFFLE_DOWN(down, source, 0);
        FOR_EACH_THREAD
            out[32 + threadIdx.x] = MINE(up) * 1000 + MINE(down);
        SHUFFLE_UP(up, source, 33);
        SHUFFLE_DOWN(down, source, 33);
        SHUFFLE_XOR(across, source, 33);
        FOR_EACH_THREAD {
            out[64 + threadIdx.x] = MINE(up) * 1000 + MINE(down);
            out[96 + threadIdx.x] = MINE(across);
        }
    }
}

static void test_shuffle_far(void **state)
{
    int out[128], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof out);
    assert_ok(KERNEL_LAUNCH(shuffle_far, 1, 32, 0, 0, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int t = 0; t < 64; t++)
        assert_int_equal(out[t], 1001 * (100 + t % 32));
    for (int t = 0; t < 32; t++) {
        const int up = t > 0 ? t - 1 : 0, down = t < 31 ? t + 1 : 31;
        assert_int_equal(out[64 + t], 1000 * (100 + up) + 100 + down);
        assert_int_equal(out[96 + t], 100 + (t ^ 1));
    }
}

/* ---- votes ---- */

enum { VOTERS = 4 }; /* no thread, every thread, some, the last thread of the block only */

KERNEL(votes)(const int *flags, unsigned *ballots, int *any, int *all)
{
    FOR_EACH_BLOCK() {
        PRIVATE(unsigned, ballot);
        PRIVATE(int, some);
        PRIVATE(int, every);
        for (int who = 0; who < VOTERS; who++) {
            BALLOT(ballot, flags[who * THREADS + LINEAR_RANK]);
            ANY(some, flags[who * THREADS + LINEAR_RANK] > 0);
            ALL(every, flags[who * THREADS + LINEAR_RANK] && threadIdx.x < 1024);
            FOR_EACH_THREAD {
                ballots[who * THREADS + LINEAR_RANK] = MINE(ballot);
                any[who * THREADS + LINEAR_RANK] = MINE(some);
                all[who * THREADS + LINEAR_RANK] = MINE(every);
            }
        }
    }
}

static void test_votes(void **state)
{
    static int flags[VOTERS][THREADS], any[VOTERS][THREADS], all[VOTERS][THREADS];
    static unsigned ballots[VOTERS][THREADS];
    int *device_flags, *device_any, *device_all;
    unsigned *device_ballots;

    (void)state;
    NEEDS_DEVICE();
    device_flags = (int *)device_from(NULL, sizeof flags);
    device_any = (int *)device_from(NULL, sizeof any);
    device_all = (int *)device_from(NULL, sizeof all);
    device_ballots = (unsigned *)device_from(NULL, sizeof ballots);
    for (size_t s = 0; s < COUNT_OF(blocks); s++) {
        const unsigned threads = threads_of(blocks[s]);

        for (unsigned t = 0; t < THREADS; t++) {
            flags[0][t] = 0;
            flags[1][t] = 1 + (int)t; /* any value but 0 is true */
            flags[2][t] = (int)(t * t % 7 % 2);
            flags[3][t] = t == threads - 1;
        }
        assert_ok(portable_copy_to_device(device_flags, flags, sizeof flags));
        assert_ok(KERNEL_LAUNCH(votes, 1, blocks[s], 0, 0, device_flags, device_ballots, device_any,
                                device_all));
        assert_ok(portable_copy_to_host(ballots, device_ballots, sizeof ballots));
        assert_ok(portable_copy_to_host(any, device_any, sizeof any));
        assert_ok(portable_copy_to_host(all, device_all, sizeof all));
        for (int who = 0; who < VOTERS; who++)
            for (unsigned t = 0; t < threads; t++) {
                unsigned word = 0, lanes = 0;

                for (unsigned lane = 0; lane < WARP; lane++)
                    if (t / WARP * WARP + lane < threads) {
                        lanes |= 1u << lane;
                        word |= (unsigned)(flags[who][t / WARP * WARP + lane] != 0) << lane;
                    }
                if (ballots[who][t] != word || any[who][t] != (word != 0) ||
                    all[who][t] != (word == lanes))
                    fail_msg("voters %d, block %zu, thread %u: ballot %08x (expected %08x), any "
                             "%d, all %d (of lanes %08x)",
                             who, s, t, ballots[who][t], word, any[who][t], all[who][t], lanes);
            }
    }
}

#define COLLECT_ENTRY(suffix, type) TEST(test_collect_##suffix),
#define SHUFFLE_ENTRY(suffix, type) TEST(test_shuffle_##suffix),

/* clang-format off */
int main(void)
{
    const struct CMUnitTest tests[] = {
        FOR_TYPES(COLLECT_ENTRY)
        FOR_TYPES(SHUFFLE_ENTRY)
        TEST(test_min_and_max_of_odd_values),
        TEST(test_shuffle_far),
        TEST(test_votes),
    };
    /* clang-format on */

    return cmocka_run_group_tests_name("warps/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
