/* SPDX-License-Identifier: BSD-3-Clause */
/* Every atomic, for every type, in both scopes: results of one thread on edge values, against plain
 * C models, and combined results of many threads. */
#include "test.h"

/* X(suffix, type) for the types of an operation. */
#define FOR_UNSIGNED(X)                                                                            \
    X(uint, unsigned)                                                                              \
    X(ull, unsigned long long)
#define FOR_INTEGERS(X)                                                                            \
    X(int, int)                                                                                    \
    FOR_UNSIGNED(X)
#define FOR_NUMBERS(X)                                                                             \
    FOR_INTEGERS(X)                                                                                \
    X(float, float)                                                                                \
    X(double, double)

/* clang-format off */
/* ---- edge values ---- */

static const int edges_int[] = {0, 1, -1, 2, 7, -13, INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1};
static const unsigned edges_uint[] = {0, 1, 2, 7, 0x55555555u, UINT_MAX, UINT_MAX - 1, 1u << 31};
static const unsigned long long edges_ull[] = {
    0, 1, 2, 7, UINT_MAX, 1ULL << 32, ULLONG_MAX, ULLONG_MAX - 1, 1ULL << 63,
    0x5555555555555555ULL};
/* No subnormal numbers: the GPU's atomic addition of floats in global memory flushes them to 0. */
static const float edges_float[] = {0.0f,     -0.0f,    1.0f,     -1.0f,   0.1f,
                                    1e-30f,   -FLT_MAX, FLT_MAX,  FLT_MIN, 16777216.0f,
                                    __builtin_inff(), -__builtin_inff(), __builtin_nanf("")};
static const double edges_double[] = {0.0,     -0.0,     1.0,     -1.0,    0.1,
                                      1e-300,  -DBL_MAX, DBL_MAX, DBL_MIN, 9007199254740992.0,
                                      __builtin_inf(), -__builtin_inf(), __builtin_nan("")};

/* ---- the models: the value after an operation, from the value before and the operand ---- */

#define ADD_SUB_INTEGER(suffix, type, wide)                                                        \
    static type leave_ADD_##suffix(type old, type v) { return (type)((wide)old + (wide)v); }       \
    static type leave_SUB_##suffix(type old, type v) { return (type)((wide)old - (wide)v); }
ADD_SUB_INTEGER(int, int, unsigned)
ADD_SUB_INTEGER(uint, unsigned, unsigned)
ADD_SUB_INTEGER(ull, unsigned long long, unsigned long long)

#define EXCHANGE_ANY(suffix, type)                                                                 \
    static type leave_EXCHANGE_##suffix(type old, type v)                                          \
    {                                                                                              \
        (void)old;                                                                                 \
        return v;                                                                                  \
    }
FOR_NUMBERS(EXCHANGE_ANY)

#define INTEGER_MODELS(suffix, type)                                                               \
    static type leave_MIN_##suffix(type old, type v) { return v < old ? v : old; }                 \
    static type leave_MAX_##suffix(type old, type v) { return v > old ? v : old; }                 \
    static type leave_AND_##suffix(type old, type v) { return old & v; }                           \
    static type leave_OR_##suffix(type old, type v) { return old | v; }                            \
    static type leave_XOR_##suffix(type old, type v) { return old ^ v; }
FOR_INTEGERS(INTEGER_MODELS)

#define UNSIGNED_MODELS(suffix, type)                                                              \
    static type leave_INC_##suffix(type old, type v) { return old >= v ? 0 : old + 1; }            \
    static type leave_DEC_##suffix(type old, type v)                                               \
    {                                                                                              \
        return old == 0 || old > v ? v : old - 1;                                                  \
    }
FOR_UNSIGNED(UNSIGNED_MODELS)

/* NaN loses against a number, and -0 is below +0. */
#define REAL_MODELS(suffix, type)                                                                  \
    static type leave_ADD_##suffix(type old, type v) { return old + v; }                           \
    static type leave_SUB_##suffix(type old, type v) { return old - v; }                           \
    static type leave_MIN_##suffix(type old, type v)                                               \
    {                                                                                              \
        if (old != old || v != v)                                                                  \
            return old != old ? v : old;                                                           \
        return v < old || (v == old && __builtin_signbit(v)) ? v : old;                            \
    }                                                                                              \
    static type leave_MAX_##suffix(type old, type v)                                               \
    {                                                                                              \
        if (old != old || v != v)                                                                  \
            return old != old ? v : old;                                                           \
        return v > old || (v == old && !__builtin_signbit(v)) ? v : old;                           \
    }
REAL_MODELS(float, float)
REAL_MODELS(double, double)

/* Bitwise equal, except that all NaNs are equal. */
#define SAME(suffix, type)                                                                         \
    static int same_##suffix(type a, type b)                                                       \
    {                                                                                              \
        return memcmp(&a, &b, sizeof a) == 0 ||                                                    \
               (__builtin_isnan((double)a) && __builtin_isnan((double)b));                         \
    }
FOR_NUMBERS(SAME)

/* ---- one thread per cell: every pair of edge values ---- */

enum { EDGES = 16, CELLS = EDGES * EDGES };

/* Three cells for each pair: one for the device's scope, one for the block's, and a copy in shared
 * memory for the block's, whose result is copied back. olds: the values that each returned. */
#define EDGE_TEST(op, suffix, type)                                                                \
    KERNEL(edge_##op##_##suffix)(int n, const type *operands, type *cells, type *olds)             \
    {                                                                                              \
        FOR_EACH_BLOCK(32) {                                                                       \
            SHARED(type, scratch, [32]);                                                           \
            FOR_EACH_ELEMENT(i, n) {                                                               \
                olds[i] = ATOMIC_##op(&cells[i], operands[i]);                                     \
                olds[CELLS + i] = ATOMIC_##op##_BLOCK(&cells[CELLS + i], operands[i]);             \
                scratch[threadIdx.x] = cells[2 * CELLS + i];                                       \
                olds[2 * CELLS + i] = ATOMIC_##op##_BLOCK(&scratch[threadIdx.x], operands[i]);     \
                cells[2 * CELLS + i] = scratch[threadIdx.x];                                       \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void test_edge_##op##_##suffix(void **state)                                            \
    {                                                                                              \
        static type before[3 * CELLS], operands[CELLS], after[3 * CELLS], olds[3 * CELLS];         \
        type *device_operands, *device_cells, *device_olds;                                        \
        const int edges = (int)COUNT_OF(edges_##suffix);                                           \
        const int n = edges * edges;                                                               \
                                                                                                   \
        (void)state;                                                                               \
        NEEDS_DEVICE();                                                                            \
        for (int i = 0; i < n; i++) {                                                              \
            operands[i] = edges_##suffix[i % edges];                                               \
            for (int way = 0; way < 3; way++)                                                      \
                before[way * CELLS + i] = edges_##suffix[i / edges];                               \
        }                                                                                          \
        device_operands = (type *)device_from(operands, sizeof operands);                          \
        device_cells = (type *)device_from(before, sizeof before);                                 \
        device_olds = (type *)device_from(NULL, sizeof olds);                                      \
        assert_ok(KERNEL_LAUNCH(edge_##op##_##suffix, 2, 32, 0, 0, n, device_operands,             \
                                device_cells, device_olds));                                       \
        assert_ok(portable_copy_to_host(after, device_cells, sizeof after));                       \
        assert_ok(portable_copy_to_host(olds, device_olds, sizeof olds));                          \
        for (int way = 0; way < 3; way++)                                                          \
            for (int i = 0; i < n; i++) {                                                          \
                const type old = before[way * CELLS + i];                                          \
                const type left = leave_##op##_##suffix(old, operands[i]);                         \
                if (!same_##suffix(olds[way * CELLS + i], old) ||                                  \
                    !same_##suffix(after[way * CELLS + i], left))                                  \
                    fail_msg("ATOMIC_" #op "%s of " #type " (%s): %.17g with %.17g returned "      \
                             "%.17g and left %.17g, expected %.17g",                               \
                             way ? "_BLOCK" : "", way == 2 ? "shared" : "global", (double)old,     \
                             (double)operands[i], (double)olds[way * CELLS + i],                   \
                             (double)after[way * CELLS + i], (double)left);                        \
            }                                                                                      \
    }
#define EDGE_NUMBER_TESTS(suffix, type)                                                            \
    EDGE_TEST(ADD, suffix, type)                                                                   \
    EDGE_TEST(SUB, suffix, type)                                                                   \
    EDGE_TEST(MIN, suffix, type)                                                                   \
    EDGE_TEST(MAX, suffix, type)                                                                   \
    EDGE_TEST(EXCHANGE, suffix, type)
#define EDGE_INTEGER_TESTS(suffix, type)                                                           \
    EDGE_TEST(AND, suffix, type)                                                                   \
    EDGE_TEST(OR, suffix, type)                                                                    \
    EDGE_TEST(XOR, suffix, type)
#define EDGE_UNSIGNED_TESTS(suffix, type)                                                          \
    EDGE_TEST(INC, suffix, type)                                                                   \
    EDGE_TEST(DEC, suffix, type)
FOR_NUMBERS(EDGE_NUMBER_TESTS)
FOR_INTEGERS(EDGE_INTEGER_TESTS)
FOR_UNSIGNED(EDGE_UNSIGNED_TESTS)

/* Each edge value in the cell, with each as the comparand: bits are compared, so -0 differs from +0
 * and a NaN equals itself. */
#define CAS_TEST(suffix, type)                                                                     \
    KERNEL(edge_CAS_##suffix)(int n, type value, const type *compares, type *cells, type *olds)    \
    {                                                                                              \
        GRID_STRIDE_LOOP(i, n) {                                                                   \
            olds[i] = ATOMIC_CAS(&cells[i], compares[i], value);                                   \
            olds[CELLS + i] = ATOMIC_CAS_BLOCK(&cells[CELLS + i], compares[i], value);             \
        }                                                                                          \
    }                                                                                              \
    static void test_edge_CAS_##suffix(void **state)                                               \
    {                                                                                              \
        static type before[2 * CELLS], compares[CELLS], after[2 * CELLS], olds[2 * CELLS];         \
        type *device_compares, *device_cells, *device_olds;                                        \
        const int edges = (int)COUNT_OF(edges_##suffix);                                           \
        const int n = edges * edges;                                                               \
        const type value = (type)42;                                                               \
                                                                                                   \
        (void)state;                                                                               \
        NEEDS_DEVICE();                                                                            \
        for (int i = 0; i < n; i++) {                                                              \
            before[i] = before[CELLS + i] = edges_##suffix[i / edges];                             \
            compares[i] = edges_##suffix[i % edges];                                               \
        }                                                                                          \
        device_compares = (type *)device_from(compares, sizeof compares);                          \
        device_cells = (type *)device_from(before, sizeof before);                                 \
        device_olds = (type *)device_from(NULL, sizeof olds);                                      \
        assert_ok(KERNEL_LAUNCH(edge_CAS_##suffix, 2, 32, 0, 0, n, value, device_compares,         \
                                device_cells, device_olds));                                       \
        assert_ok(portable_copy_to_host(after, device_cells, sizeof after));                       \
        assert_ok(portable_copy_to_host(olds, device_olds, sizeof olds));                          \
        for (int way = 0; way < 2; way++)                                                          \
            for (int i = 0; i < n; i++) {                                                          \
                const int equal = i / edges == i % edges;                                          \
                const type *const left = equal ? &value : &before[i];                              \
                if (memcmp(&olds[way * CELLS + i], &before[i], sizeof(type)) != 0 ||               \
                    memcmp(&after[way * CELLS + i], left, sizeof(type)) != 0)                      \
                    fail_msg("ATOMIC_CAS%s of " #type ": %.17g with %.17g returned %.17g and "     \
                             "left %.17g",                                                         \
                             way ? "_BLOCK" : "", (double)before[i], (double)compares[i],          \
                             (double)olds[way * CELLS + i], (double)after[way * CELLS + i]);       \
            }                                                                                      \
    }
FOR_NUMBERS(CAS_TEST)

/* ---- many threads on one cell ---- */

enum { GRID = 40, BLOCK = 128, MANY = GRID * BLOCK };

/* One cell per operation; the numbers stay small enough to be exact in a float. */
enum { SUM, DIFFERENCE, SMALLEST, LARGEST, LAST, BY_CAS, NUMBER_CELLS };

/* A different value for each thread: 0 to MANY - 1, out of order. */
DEVICE unsigned scattered(unsigned thread)
{
    return (unsigned)((thread * 2477ull + 13) % MANY);
}

/* Adds 1 as a compare-and-swap loop. */
#define CONTEND_NUMBERS(suffix, type)                                                              \
    KERNEL(contend_##suffix)(type *cells, int *swaps)                                              \
    {                                                                                              \
        FOR_EACH_BLOCK(128) {                                                                      \
            FOR_EACH_THREAD {                                                                      \
                const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;                     \
                const type mine = (type)scattered(thread);                                         \
                ATOMIC_ADD(&cells[SUM], (type)(thread % 4));                                       \
                ATOMIC_SUB(&cells[DIFFERENCE], (type)(thread % 2));                                \
                ATOMIC_MIN(&cells[SMALLEST], mine);                                                \
                ATOMIC_MAX(&cells[LARGEST], mine);                                                 \
                const type before = ATOMIC_EXCHANGE(&cells[LAST], mine);                           \
                ATOMIC_ADD(&swaps[(int)before], 1);                                                \
                type seen = ATOMIC_ADD(&cells[BY_CAS], (type)0), assumed;                          \
                do {                                                                               \
                    assumed = seen;                                                                \
                    seen = ATOMIC_CAS(&cells[BY_CAS], assumed, assumed + (type)1);                 \
                } while (seen != assumed);                                                         \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void test_contend_##suffix(void **state)                                                \
    {                                                                                              \
        type cells[NUMBER_CELLS], *device_cells;                                                   \
        static int swaps[MANY + 1];                                                                \
        int *device_swaps;                                                                         \
                                                                                                   \
        (void)state;                                                                               \
        NEEDS_DEVICE();                                                                            \
        memset(cells, 0, sizeof cells);                                                            \
        cells[DIFFERENCE] = (type)MANY;                                                            \
        cells[SMALLEST] = (type)(2 * MANY);                                                        \
        cells[LAST] = (type)MANY;                                                                  \
        device_cells = (type *)device_from(cells, sizeof cells);                                   \
        device_swaps = (int *)device_from(NULL, sizeof swaps);                                     \
        assert_ok(KERNEL_LAUNCH(contend_##suffix, GRID, BLOCK, 0, 0, device_cells, device_swaps)); \
        assert_ok(portable_copy_to_host(cells, device_cells, sizeof cells));                       \
        assert_ok(portable_copy_to_host(swaps, device_swaps, sizeof swaps));                       \
        assert_true(cells[SUM] == (type)(MANY / 4 * 6));                                           \
        assert_true(cells[DIFFERENCE] == (type)(MANY / 2));                                        \
        assert_true(cells[SMALLEST] == (type)0);                                                   \
        assert_true(cells[LARGEST] == (type)(MANY - 1));                                           \
        assert_true(cells[BY_CAS] == (type)MANY);                                                  \
        /* Each value was stored once, and returned once, except the remaining one. */             \
        for (int v = 0; v <= MANY; v++)                                                            \
            assert_int_equal(swaps[v], (type)v != cells[LAST]);                                    \
    }
FOR_NUMBERS(CONTEND_NUMBERS)

enum { ALL_BITS, NO_BITS, ODD_BITS, BIT_CELLS };

/* Each bit is set, cleared and flipped by many threads; it is flipped an odd number of times if its
 * index is a multiple of 3. */
#define CONTEND_BITS(suffix, type)                                                                 \
    KERNEL(contend_bits_##suffix)(type *cells)                                                     \
    {                                                                                              \
        FOR_EACH_BLOCK(128) {                                                                      \
            FOR_EACH_THREAD {                                                                      \
                const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;                     \
                const unsigned index = thread % (8 * sizeof(type));                                \
                const type bit = (type)((unsigned long long)1 << index);                           \
                ATOMIC_OR(&cells[ALL_BITS], bit);                                                  \
                ATOMIC_AND(&cells[NO_BITS], (type)~bit);                                           \
                if (index % 3 != 0 || thread >= 8 * sizeof(type))                                  \
                    ATOMIC_XOR(&cells[ODD_BITS], bit);                                             \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void test_contend_bits_##suffix(void **state)                                           \
    {                                                                                              \
        type cells[BIT_CELLS], odd = 0, *device;                                                   \
        const int bits = 8 * (int)sizeof(type);                                                    \
                                                                                                   \
        (void)state;                                                                               \
        NEEDS_DEVICE();                                                                            \
        memset(cells, 0, sizeof cells);                                                            \
        memset(&cells[NO_BITS], 0xff, sizeof(type));                                               \
        device = (type *)device_from(cells, sizeof cells);                                         \
        assert_ok(KERNEL_LAUNCH(contend_bits_##suffix, GRID, BLOCK, 0, 0, device));                \
        assert_ok(portable_copy_to_host(cells, device, sizeof cells));                             \
        assert_int_equal(MANY / bits % 2, 0);                                                      \
        for (int k = 0; k < bits; k += 3)                                                          \
            odd |= (type)((unsigned long long)1 << k);                                             \
        assert_true(cells[ALL_BITS] == (type)~(type)0);                                            \
        assert_true(cells[NO_BITS] == 0);                                                          \
        assert_true(cells[ODD_BITS] == odd);                                                       \
    }
FOR_INTEGERS(CONTEND_BITS)

enum { RING = 1000 };

/* Counters that wrap: all values of the ring are returned equally often, to within one. */
#define CONTEND_RING(suffix, type)                                                                 \
    KERNEL(contend_ring_##suffix)(type *cells, int *up, int *down)                                 \
    {                                                                                              \
        FOR_EACH_BLOCK(128) {                                                                      \
            FOR_EACH_THREAD {                                                                      \
                const type before_up = ATOMIC_INC(&cells[0], (type)(RING - 1));                    \
                const type before_down = ATOMIC_DEC(&cells[1], (type)(RING - 1));                  \
                ATOMIC_ADD(&up[(int)before_up], 1);                                                \
                ATOMIC_ADD(&down[(int)before_down], 1);                                            \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void test_contend_ring_##suffix(void **state)                                           \
    {                                                                                              \
        type cells[2] = {0, RING - 1}, *device_cells;                                              \
        int up[RING], down[RING], *device_up, *device_down;                                        \
                                                                                                   \
        (void)state;                                                                               \
        NEEDS_DEVICE();                                                                            \
        device_cells = (type *)device_from(cells, sizeof cells);                                   \
        device_up = (int *)device_from(NULL, sizeof up);                                           \
        device_down = (int *)device_from(NULL, sizeof down);                                       \
        assert_ok(KERNEL_LAUNCH(contend_ring_##suffix, GRID, BLOCK, 0, 0, device_cells, device_up, \
                                device_down));                                                     \
        assert_ok(portable_copy_to_host(cells, device_cells, sizeof cells));                       \
        assert_ok(portable_copy_to_host(up, device_up, sizeof up));                                \
        assert_ok(portable_copy_to_host(down, device_down, sizeof down));                          \
        assert_true(cells[0] == MANY % RING);                                                      \
        assert_true(cells[1] == RING - 1 - MANY % RING);                                           \
        for (int k = 0; k < RING; k++) {                                                           \
            assert_int_equal(up[k], MANY / RING + (k < MANY % RING));                              \
            assert_int_equal(down[k], MANY / RING + (k >= RING - MANY % RING));                    \
        }                                                                                          \
    }
FOR_UNSIGNED(CONTEND_RING)

/* ---- block scope: a histogram in shared memory, and the order seen by other blocks ---- */

enum { BINS = 7 };

#define HISTOGRAM(suffix, type)                                                                    \
    KERNEL(histogram_##suffix)(int n, type *bins, type *extremes)                                  \
    {                                                                                              \
        FOR_EACH_BLOCK(128) {                                                                      \
            SHARED(type, counts, [BINS]);                                                          \
            SHARED(type, ends, [2]);                                                               \
            FOR_THREADS_BELOW(BINS)                                                                \
                counts[threadIdx.x] = 0;                                                           \
            FOR_THREADS_BELOW(1) {                                                                 \
                ends[0] = (type)n;                                                                 \
                ends[1] = 0;                                                                       \
            }                                                                                      \
            SYNC_THREADS();                                                                        \
            FOR_EACH_ELEMENT(i, n) {                                                               \
                ATOMIC_ADD_BLOCK(&counts[scattered((unsigned)i) % BINS], (type)1);                 \
                ATOMIC_MIN_BLOCK(&ends[0], (type)scattered((unsigned)i));                          \
                ATOMIC_MAX_BLOCK(&ends[1], (type)scattered((unsigned)i));                          \
            }                                                                                      \
            SYNC_THREADS();                                                                        \
            FOR_THREADS_BELOW(BINS)                                                                \
                ATOMIC_ADD(&bins[threadIdx.x], counts[threadIdx.x]);                               \
            FOR_THREADS_BELOW(1) {                                                                 \
                ATOMIC_MIN(&extremes[0], ends[0]);                                                 \
                ATOMIC_MAX(&extremes[1], ends[1]);                                                 \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void test_histogram_##suffix(void **state)                                              \
    {                                                                                              \
        type bins[BINS], extremes[2] = {(type)MANY, 0}, *device_bins, *device_extremes;            \
        int expected[BINS] = {0}; /* scattered() gives each of 0 to MANY - 1 once */               \
                                                                                                   \
        (void)state;                                                                               \
        NEEDS_DEVICE();                                                                            \
        for (int v = 0; v < MANY; v++)                                                             \
            expected[v % BINS]++;                                                                  \
        device_bins = (type *)device_from(NULL, sizeof bins);                                      \
        device_extremes = (type *)device_from(extremes, sizeof extremes);                          \
        assert_ok(KERNEL_LAUNCH(histogram_##suffix, 3, BLOCK, 0, 0, MANY, device_bins,             \
                                device_extremes));                                                 \
        assert_ok(portable_copy_to_host(bins, device_bins, sizeof bins));                          \
        assert_ok(portable_copy_to_host(extremes, device_extremes, sizeof extremes));              \
        for (int k = 0; k < BINS; k++)                                                             \
            assert_true(bins[k] == (type)expected[k]);                                             \
        assert_true(extremes[0] == (type)0);                                                       \
        assert_true(extremes[1] == (type)(MANY - 1));                                              \
    }
FOR_NUMBERS(HISTOGRAM)
/* clang-format on */

/* ---- loads and stores: every edge value through both, and blocks that pass on values ---- */

/* clang-format off */
#define LOAD_STORE(suffix, type)                                                                   \
    KERNEL(load_store_##suffix)(int n, const type *values, type *cells, type *seen)                \
    {                                                                                              \
        FOR_EACH_BLOCK(32) {                                                                       \
            SHARED(type, scratch, [32]);                                                           \
            FOR_EACH_ELEMENT(i, n) {                                                               \
                ATOMIC_STORE(&cells[i], ATOMIC_LOAD(&values[i]));                                  \
                ATOMIC_STORE(&scratch[threadIdx.x], ATOMIC_LOAD(&cells[i]));                       \
                seen[i] = ATOMIC_LOAD(&scratch[threadIdx.x]);                                      \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void test_load_store_##suffix(void **state)                                             \
    {                                                                                              \
        enum { N = (int)COUNT_OF(edges_##suffix) };                                                \
        type cells[N], seen[N], *device_values, *device_cells, *device_seen;                       \
                                                                                                   \
        (void)state;                                                                               \
        NEEDS_DEVICE();                                                                            \
        device_values = (type *)device_from(edges_##suffix, sizeof edges_##suffix);                \
        device_cells = (type *)device_from(NULL, sizeof cells);                                    \
        device_seen = (type *)device_from(NULL, sizeof seen);                                      \
        assert_ok(KERNEL_LAUNCH(load_store_##suffix, 1, 32, 0, 0, N, device_values, device_cells,  \
                                device_seen));                                                     \
        assert_ok(portable_copy_to_host(cells, device_cells, sizeof cells));                       \
        assert_ok(portable_copy_to_host(seen, device_seen, sizeof seen));                          \
        assert_memory_equal(cells, edges_##suffix, sizeof cells);                                  \
        assert_memory_equal(seen, edges_##suffix, sizeof seen);                                    \
    }
FOR_NUMBERS(LOAD_STORE)
/* clang-format on */

/* A chain of blocks: each waits for the value of the ticket before its own, and adds to it. */
KERNEL(pass_on)(unsigned *queue, unsigned long long *words)
{
    FOR_EACH_BLOCK(32) {
        FOR_THREADS_BELOW(1) {
            const unsigned ticket = ATOMIC_ADD(queue, 1u);
            unsigned long long before = 1;
            while (ticket > 0 && (before = ATOMIC_LOAD(&words[ticket - 1])) == 0) {
            }
            ATOMIC_STORE(&words[ticket], before + ticket);
        }
    }
}

static void test_wait_for_earlier_tickets(void **state)
{
    enum { BLOCKS = 3000 };
    unsigned long long words[BLOCKS], expected = 1, *device_words;
    unsigned *queue;

    (void)state;
    NEEDS_DEVICE();
    queue = (unsigned *)device_from(NULL, sizeof *queue);
    device_words = (unsigned long long *)device_from(NULL, sizeof words);
    assert_ok(KERNEL_LAUNCH(pass_on, BLOCKS, 32, 0, 0, queue, device_words));
    assert_ok(portable_copy_to_host(words, device_words, sizeof words));
    for (unsigned k = 0; k < BLOCKS; k++) {
        expected += k;
        assert_true(words[k] == expected);
    }
}

/* A DEVICE function with an atomic, called by the host: a plain operation on every target. */
DEVICE unsigned next_ticket(unsigned *counter)
{
    return ATOMIC_INC(counter, 2u) * 10 + ATOMIC_ADD(counter, 0u);
}

static void test_atomic_in_host_code(void **state)
{
    unsigned counter = 1;

    (void)state;
    NEEDS_DEVICE();
    assert_int_equal(next_ticket(&counter), 12);
    assert_int_equal(next_ticket(&counter), 20);
    assert_int_equal(counter, 0);
}

#define EDGE_ENTRY(op, suffix) TEST(test_edge_##op##_##suffix),
#define NUMBER_ENTRIES(suffix, type)                                                               \
    EDGE_ENTRY(ADD, suffix)                                                                        \
    EDGE_ENTRY(SUB, suffix)                                                                        \
    EDGE_ENTRY(MIN, suffix)                                                                        \
    EDGE_ENTRY(MAX, suffix)                                                                        \
    EDGE_ENTRY(EXCHANGE, suffix)                                                                   \
    EDGE_ENTRY(CAS, suffix)                                                                        \
    TEST(test_contend_##suffix), TEST(test_histogram_##suffix), TEST(test_load_store_##suffix),
#define INTEGER_ENTRIES(suffix, type)                                                              \
    EDGE_ENTRY(AND, suffix)                                                                        \
    EDGE_ENTRY(OR, suffix)                                                                         \
    EDGE_ENTRY(XOR, suffix)                                                                        \
    TEST(test_contend_bits_##suffix),
#define UNSIGNED_ENTRIES(suffix, type)                                                             \
    EDGE_ENTRY(INC, suffix)                                                                        \
    EDGE_ENTRY(DEC, suffix)                                                                        \
    TEST(test_contend_ring_##suffix),

/* clang-format off */
int main(void)
{
    const struct CMUnitTest tests[] = {
        FOR_NUMBERS(NUMBER_ENTRIES)
        FOR_INTEGERS(INTEGER_ENTRIES)
        FOR_UNSIGNED(UNSIGNED_ENTRIES)
        TEST(test_wait_for_earlier_tickets),
        TEST(test_atomic_in_host_code),
    };
    /* clang-format on */

    return cmocka_run_group_tests_name("atomics/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
