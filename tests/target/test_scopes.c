/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements, threads and blocks that loops visit, on which grids, and how often. */
#include "test.h"

/* Elements with hit counters; a loop that overruns its bound shows in the surplus ones. */
enum { ROOM = 1100 };

static const struct {
    unsigned grid, block;
} lines[] = {{1, 1}, {1, 32}, {3, 5}, {2, 128}, {7, 33}, {1, 1024}, {40, 64}};

/* ---- one axis: GRID_STRIDE_LOOP at both scopes, by hand, and FOR_EACH_ELEMENT ---- */

/* clang-format off */
/* One kernel for each way to iterate over [0, n), for each possible type of n. */
#define LINE_KERNELS(suffix, type)                                                                 \
    KERNEL(line_kernel_##suffix)(type n, int *hits)                                                \
    {                                                                                              \
        GRID_STRIDE_LOOP(i, n)                                                                     \
            ATOMIC_ADD(&hits[i], 1);                                                               \
    }                                                                                              \
    KERNEL(line_thread_##suffix)(type n, int *hits)                                                \
    {                                                                                              \
        FOR_EACH_BLOCK() {                                                                         \
            FOR_EACH_THREAD {                                                                      \
                GRID_STRIDE_LOOP(i, n)                                                             \
                    ATOMIC_ADD(&hits[i], 1);                                                       \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    KERNEL(line_element_##suffix)(type n, int *hits)                                               \
    {                                                                                              \
        FOR_EACH_BLOCK(0) {                                                                        \
            FOR_EACH_ELEMENT(i, n) {                                                               \
                if (sizeof(i) != sizeof(n + 0))                                                    \
                    continue;                                                                      \
                ATOMIC_ADD(&hits[i], 1);                                                           \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    KERNEL(line_hand_##suffix)(type n, int *hits)                                                  \
    {                                                                                              \
        for (long long i = ELEMENT_OFFSET(); i < (long long)n; i += ELEMENT_STRIDE())              \
            ATOMIC_ADD(&hits[i], 1);                                                               \
    }                                                                                              \
    KERNEL(line_hand_thread_##suffix)(type n, int *hits)                                           \
    {                                                                                              \
        FOR_EACH_BLOCK() {                                                                         \
            FOR_EACH_THREAD {                                                                      \
                for (long long i = ELEMENT_OFFSET(); i < (long long)n; i += ELEMENT_STRIDE())      \
                    ATOMIC_ADD(&hits[i], 1);                                                       \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static portable_status launch_line_##suffix(int way, unsigned grid, unsigned block,            \
                                                long long n, int *hits)                            \
    {                                                                                              \
        switch (way) {                                                                             \
        case 0: return KERNEL_LAUNCH(line_kernel_##suffix, grid, block, 0, 0, (type)n, hits);      \
        case 1: return KERNEL_LAUNCH(line_thread_##suffix, grid, block, 0, 0, (type)n, hits);      \
        case 2: return KERNEL_LAUNCH(line_element_##suffix, grid, block, 0, 0, (type)n, hits);     \
        case 3: return KERNEL_LAUNCH(line_hand_##suffix, grid, block, 0, 0, (type)n, hits);        \
        case 4:                                                                                    \
            return KERNEL_LAUNCH(line_hand_thread_##suffix, grid, block, 0, 0, (type)n, hits);     \
        }                                                                                          \
        return PORTABLE_ERROR_INVALID_VALUE;                                                       \
    }
LINE_KERNELS(short, short)
LINE_KERNELS(int, int)
LINE_KERNELS(unsigned, unsigned)
LINE_KERNELS(long, long)
LINE_KERNELS(ulong, unsigned long)
LINE_KERNELS(ll, long long)
LINE_KERNELS(ull, unsigned long long)
/* clang-format on */

static const char *const line_ways[] = {
    "GRID_STRIDE_LOOP at kernel scope", "GRID_STRIDE_LOOP at thread scope", "FOR_EACH_ELEMENT",
    "ELEMENT_OFFSET at kernel scope", "ELEMENT_OFFSET at thread scope"};

static const struct {
    const char *name;
    int is_signed;
    portable_status (*launch)(int way, unsigned grid, unsigned block, long long n, int *hits);
} line_types[] = {{"short", 1, launch_line_short},           {"int", 1, launch_line_int},
                  {"unsigned", 0, launch_line_unsigned},     {"long", 1, launch_line_long},
                  {"unsigned long", 0, launch_line_ulong},   {"long long", 1, launch_line_ll},
                  {"unsigned long long", 0, launch_line_ull}};

static void test_line_visits_each_element_once(void **state)
{
    static const long long bounds[] = {LLONG_MIN, INT_MIN, -1, 0, 1, 31, 32, 33, 1000};
    static int hits[ROOM];
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof hits);
    for (size_t type = 0; type < COUNT_OF(line_types); type++)
        for (size_t way = 0; way < COUNT_OF(line_ways); way++)
            for (size_t line = 0; line < COUNT_OF(lines); line++)
                for (size_t b = 0; b < COUNT_OF(bounds); b++) {
                    const long long n = bounds[b];

                    if (n < 0 && !line_types[type].is_signed)
                        continue;
                    assert_ok(portable_memset(device, 0, sizeof hits));
                    assert_ok(line_types[type].launch((int)way, lines[line].grid, lines[line].block,
                                                      n, device));
                    assert_ok(portable_copy_to_host(hits, device, sizeof hits));
                    for (long long i = 0; i < ROOM; i++)
                        if (hits[i] != (i < n))
                            fail_msg("%s, n of type %s = %lld, %u blocks of %u: element %lld was "
                                     "visited %d times",
                                     line_ways[way], line_types[type].name, n, lines[line].grid,
                                     lines[line].block, i, hits[i]);
                }
}

/* ---- two and three axes ---- */

KERNEL(plane_kernel)(int nx, int ny, int *hits)
{
    GRID_STRIDE_LOOP_2D(x, y, nx, ny)
        ATOMIC_ADD(&hits[y * nx + x], 1);
}
KERNEL(plane_thread)(int nx, int ny, int *hits)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_THREAD {
            GRID_STRIDE_LOOP_2D(x, y, nx, ny)
                ATOMIC_ADD(&hits[y * nx + x], 1);
        }
    }
}
KERNEL(space_kernel)(unsigned nx, long long ny, int nz, int *hits)
{
    GRID_STRIDE_LOOP_3D(x, y, z, nx, ny, nz)
        ATOMIC_ADD(&hits[(z * ny + y) * nx + x], 1);
}
KERNEL(space_thread)(unsigned nx, long long ny, int nz, int *hits)
{
    FOR_EACH_BLOCK(0, 0, 0) {
        FOR_EACH_THREAD {
            GRID_STRIDE_LOOP_3D(x, y, z, nx, ny, nz)
                ATOMIC_ADD(&hits[(z * ny + y) * nx + x], 1);
        }
    }
}

static const struct {
    dim3 grid, block;
} planes[] = {{{1, 1, 1}, {1, 1, 1}},
              {{1, 1, 1}, {32, 32, 1}},
              {{3, 2, 1}, {4, 3, 1}},
              {{1, 5, 1}, {33, 1, 1}},
              {{2, 2, 1}, {1, 16, 1}}};
static const struct {
    dim3 grid, block;
} spaces[] = {{{1, 1, 1}, {1, 1, 1}},
              {{2, 3, 2}, {4, 2, 3}},
              {{1, 1, 4}, {1, 1, 64}},
              {{1, 1, 1}, {8, 8, 16}},
              {{5, 1, 1}, {3, 1, 1}}};
static const int extents[][3] = {{0, 0, 0},  {0, 3, 2},  {3, 0, 2},  {3, 2, 0},
                                 {-1, 3, 2}, {3, -7, 2}, {2, 3, -1}, {1, 1, 1},
                                 {31, 3, 2}, {5, 33, 4}, {9, 7, 16}};

static long long positive(long long n)
{
    return n > 0 ? n : 0;
}

static void check_hits(const char *what, size_t shape, size_t extent, long long elements,
                       const int *device)
{
    static int hits[ROOM];

    assert_ok(portable_copy_to_host(hits, device, sizeof hits));
    for (long long i = 0; i < ROOM; i++)
        if (hits[i] != (i < elements))
            fail_msg("%s, shape %zu, extents %zu: element %lld was visited %d times", what, shape,
                     extent, i, hits[i]);
}

static void test_plane_visits_each_element_once(void **state)
{
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, ROOM * sizeof *device);
    for (size_t s = 0; s < COUNT_OF(planes); s++)
        for (size_t e = 0; e < COUNT_OF(extents); e++) {
            const int nx = extents[e][0], ny = extents[e][1];

            assert_ok(portable_memset(device, 0, ROOM * sizeof *device));
            assert_ok(
                KERNEL_LAUNCH(plane_kernel, planes[s].grid, planes[s].block, 0, 0, nx, ny, device));
            check_hits("2D at kernel scope", s, e, positive(nx) * positive(ny), device);
            assert_ok(portable_memset(device, 0, ROOM * sizeof *device));
            assert_ok(
                KERNEL_LAUNCH(plane_thread, planes[s].grid, planes[s].block, 0, 0, nx, ny, device));
            check_hits("2D at thread scope", s, e, positive(nx) * positive(ny), device);
        }
}

static void test_space_visits_each_element_once(void **state)
{
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, ROOM * sizeof *device);
    for (size_t s = 0; s < COUNT_OF(spaces); s++)
        for (size_t e = 0; e < COUNT_OF(extents); e++) {
            const unsigned nx = (unsigned)positive(extents[e][0]);
            const long long ny = extents[e][1];
            const int nz = extents[e][2];
            const long long elements = nx * positive(ny) * positive(nz);

            assert_ok(portable_memset(device, 0, ROOM * sizeof *device));
            assert_ok(KERNEL_LAUNCH(space_kernel, spaces[s].grid, spaces[s].block, 0, 0, nx, ny, nz,
                                    device));
            check_hits("3D at kernel scope", s, e, elements, device);
            assert_ok(portable_memset(device, 0, ROOM * sizeof *device));
            assert_ok(KERNEL_LAUNCH(space_thread, spaces[s].grid, spaces[s].block, 0, 0, nx, ny, nz,
                                    device));
            check_hits("3D at thread scope", s, e, elements, device);
        }
}

/* ---- bounds near the largest value of their type: nothing overflows, nothing hangs ---- */

enum { TURNS = 4 };

/* clang-format off */
/* Thread 0 of the first and the last of the blocks, and the last thread of each, iterate over [0,
 * n), at most TURNS times: for these four, the number of iterations and the index in each. */
#define EDGE_KERNEL(suffix, type)                                                                  \
    KERNEL(edge_##suffix)(type n, unsigned long long *indices, int *turns)                         \
    {                                                                                              \
        FOR_EACH_BLOCK(0) {                                                                        \
            if (blockIdx.x != 0 && blockIdx.x != gridDim.x - 1)                                    \
                continue;                                                                          \
            FOR_EACH_THREAD {                                                                      \
                if (threadIdx.x != 0 && threadIdx.x != blockDim.x - 1)                             \
                    continue;                                                                      \
                const int walker = (blockIdx.x != 0) * 2 + (threadIdx.x != 0);                     \
                int turn = 0;                                                                      \
                GRID_STRIDE_LOOP(i, n) {                                                           \
                    if (turn == TURNS)                                                             \
                        break;                                                                     \
                    indices[walker * TURNS + turn++] = (unsigned long long)i;                      \
                }                                                                                  \
                turns[walker] = turn;                                                              \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static portable_status launch_edge_##suffix(unsigned grid, unsigned block,                     \
                                                unsigned long long n,                              \
                                                unsigned long long *indices, int *turns)           \
    {                                                                                              \
        return KERNEL_LAUNCH(edge_##suffix, grid, block, 0, 0, (type)n, indices, turns);           \
    }
EDGE_KERNEL(int, int)
EDGE_KERNEL(unsigned, unsigned)
EDGE_KERNEL(ll, long long)
EDGE_KERNEL(ull, unsigned long long)
/* clang-format on */

static const struct {
    const char *name;
    unsigned long long n;
    portable_status (*launch)(unsigned grid, unsigned block, unsigned long long n,
                              unsigned long long *indices, int *turns);
} edges[] = {{"INT_MAX", INT_MAX, launch_edge_int},
             {"INT_MAX - 1", INT_MAX - 1, launch_edge_int},
             {"UINT_MAX", UINT_MAX, launch_edge_unsigned},
             {"UINT_MAX - 1", UINT_MAX - 1, launch_edge_unsigned},
             {"INT_MAX + 1u", (unsigned)INT_MAX + 1u, launch_edge_unsigned},
             {"LLONG_MAX", LLONG_MAX, launch_edge_ll},
             {"2^31 as long long", 2147483648ULL, launch_edge_ll},
             {"2^33 + 1 as long long", (1ULL << 33) + 1, launch_edge_ll},
             {"ULLONG_MAX", ULLONG_MAX, launch_edge_ull},
             {"2^63 as unsigned long long", 1ULL << 63, launch_edge_ull}};

/* Strides of 2^31, the largest possible, slightly less, and of two. */
static const struct {
    unsigned grid, block;
} wide_lines[] = {{2097152, 1024}, {2097151, 1024}, {2147483, 1000},
                  {65536, 1024},   {127, 1000},     {2, 1}};

static void test_bounds_near_the_largest_value(void **state)
{
    unsigned long long indices[4 * TURNS], *device_indices;
    int turns[4], *device_turns;

    (void)state;
    NEEDS_DEVICE();
    device_indices = (unsigned long long *)device_from(NULL, sizeof indices);
    device_turns = (int *)device_from(NULL, sizeof turns);
    for (size_t e = 0; e < COUNT_OF(edges); e++)
        for (size_t line = 0; line < COUNT_OF(wide_lines); line++) {
            const unsigned grid = wide_lines[line].grid, block = wide_lines[line].block;
            const unsigned long long stride = (unsigned long long)grid * block, n = edges[e].n;

            if (on_emulate() && stride > 1 << 17)
                continue; /* 2^31 threads, one by one, would take a minute */
            assert_ok(edges[e].launch(grid, block, n, device_indices, device_turns));
            assert_ok(portable_copy_to_host(indices, device_indices, sizeof indices));
            assert_ok(portable_copy_to_host(turns, device_turns, sizeof turns));
            for (unsigned walker = 0; walker < 4; walker++) {
                const unsigned long long start =
                    (walker & 2 ? stride - block : 0) + (walker & 1 ? block - 1 : 0);
                const unsigned long long all = start < n ? (n - start - 1) / stride + 1 : 0;
                const int expected = all < TURNS ? (int)all : (int)TURNS;

                if (block == 1 && walker & 1)
                    continue; /* the same thread as the one before */
                if (turns[walker] != expected)
                    fail_msg("n = %s, %u blocks of %u, walker %u: %d turns, expected %d",
                             edges[e].name, grid, block, walker, turns[walker], expected);
                for (int turn = 0; turn < expected; turn++)
                    if (indices[walker * TURNS + turn] != start + turn * stride)
                        fail_msg("n = %s, %u blocks of %u, walker %u, turn %d: index %llu, "
                                 "expected %llu",
                                 edges[e].name, grid, block, walker, turn,
                                 indices[walker * TURNS + turn], start + turn * stride);
            }
        }
}

/* ---- bounds and counts are evaluated once ---- */

/* Counts its calls and returns n. */
DEVICE int counted(int *calls, int n)
{
    ATOMIC_ADD(calls, 1);
    return n;
}

enum { CALLERS = 10 };

KERNEL(evaluate)(int *calls, int *sink)
{
    GRID_STRIDE_LOOP(i, counted(&calls[0], 3))
        sink[i] = i;
    GRID_STRIDE_LOOP_2D(x, y, counted(&calls[1], 3), counted(&calls[2], 3))
        sink[x + y] = x;
    GRID_STRIDE_LOOP_3D(x, y, z, counted(&calls[3], 2), counted(&calls[4], 2),
                        counted(&calls[5], 2))
        sink[x + y + z] = x;
    FOR_EACH_BLOCK(0) {
        FOR_EACH_THREAD {
            GRID_STRIDE_LOOP(i, counted(&calls[6], 3))
                sink[i] = i;
            GRID_STRIDE_LOOP_2D(x, y, counted(&calls[7], 3), 3)
                sink[x + y] = y;
        }
        FOR_EACH_ELEMENT(i, counted(&calls[8], 3))
            sink[i] = i;
        FOR_THREADS_BELOW(counted(&calls[9], 1))
            sink[0] = 0;
    }
}

static void test_bounds_are_evaluated_once(void **state)
{
    int calls[CALLERS], *device_calls, *sink;

    (void)state;
    NEEDS_DEVICE();
    device_calls = (int *)device_from(NULL, sizeof calls);
    sink = (int *)device_from(NULL, 16 * sizeof *sink);
    assert_ok(KERNEL_LAUNCH(evaluate, 1, 1, 0, 0, device_calls, sink));
    assert_ok(portable_copy_to_host(calls, device_calls, sizeof calls));
    for (int caller = 0; caller < CALLERS; caller++)
        if (calls[caller] != 1)
            fail_msg("bound %d was evaluated %d times", caller, calls[caller]);
}

/* ---- FOR_THREADS_BELOW ---- */

/* clang-format off */
/* hits has a counter for each thread of the block, in linear order. */
#define BELOW_BODY(count)                                                                          \
    {                                                                                              \
        FOR_THREADS_BELOW(count) {                                                                 \
            const unsigned rank =                                                                  \
                (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;               \
            ATOMIC_ADD(&hits[rank], 1);                                                            \
        }                                                                                          \
    }
#define BELOW_KERNELS(suffix, type)                                                                \
    KERNEL(below_any_##suffix)(type count, int *hits)                                              \
    {                                                                                              \
        FOR_EACH_BLOCK() BELOW_BODY(count)                                                         \
    }                                                                                              \
    KERNEL(below_line_##suffix)(type count, int *hits)                                             \
    {                                                                                              \
        FOR_EACH_BLOCK(0) BELOW_BODY(count)                                                        \
    }                                                                                              \
    KERNEL(below_plane_##suffix)(type count, int *hits)                                            \
    {                                                                                              \
        FOR_EACH_BLOCK(0, 0) BELOW_BODY(count)                                                     \
    }                                                                                              \
    KERNEL(below_fixed_##suffix)(type count, int *hits)                                            \
    {                                                                                              \
        FOR_EACH_BLOCK(5, 3, 2) BELOW_BODY(count)                                                  \
    }                                                                                              \
    static portable_status launch_below_##suffix(int shape, dim3 block, long long count,           \
                                                 int *hits)                                        \
    {                                                                                              \
        switch (shape) {                                                                           \
        case 0: return KERNEL_LAUNCH(below_any_##suffix, 1, block, 0, 0, (type)count, hits);       \
        case 1: return KERNEL_LAUNCH(below_line_##suffix, 1, block, 0, 0, (type)count, hits);      \
        case 2: return KERNEL_LAUNCH(below_plane_##suffix, 1, block, 0, 0, (type)count, hits);     \
        default: return KERNEL_LAUNCH(below_fixed_##suffix, 1, block, 0, 0, (type)count, hits);    \
        }                                                                                          \
    }
BELOW_KERNELS(short, short)
BELOW_KERNELS(int, int)
BELOW_KERNELS(unsigned, unsigned)
BELOW_KERNELS(long, long)
BELOW_KERNELS(ulong, unsigned long)
BELOW_KERNELS(ll, long long)
BELOW_KERNELS(ull, unsigned long long)
/* clang-format on */

static const struct {
    const char *name;
    long long min, max; /* the type's range, as far as a long long reaches */
    portable_status (*launch)(int shape, dim3 block, long long count, int *hits);
} below_types[] = {{"short", SHRT_MIN, SHRT_MAX, launch_below_short},
                   {"int", INT_MIN, INT_MAX, launch_below_int},
                   {"unsigned", 0, UINT_MAX, launch_below_unsigned},
                   {"long", LONG_MIN, LONG_MAX, launch_below_long},
                   {"unsigned long", 0, LLONG_MAX, launch_below_ulong},
                   {"long long", LLONG_MIN, LLONG_MAX, launch_below_ll},
                   {"unsigned long long", 0, LLONG_MAX, launch_below_ull}};

/* The form of FOR_EACH_BLOCK, as numbered in launch_below, and a block that fits it. */
static const struct {
    int shape;
    dim3 block;
} below_blocks[] = {{0, {1, 1, 1}}, {0, {70, 1, 1}}, {0, {6, 5, 1}}, {0, {4, 3, 5}},
                    {1, {1, 1, 1}}, {1, {33, 1, 1}}, {2, {6, 5, 1}}, {3, {5, 3, 2}}};

static void test_threads_below(void **state)
{
    /* clang-format off */
    static const long long counts[] = {
        LLONG_MIN, INT_MIN, SHRT_MIN, -1, 0, 1, 4, 5, 6, 7, 15, 29, 30, 31, 60, 70,
        1025, SHRT_MAX, INT_MAX, UINT_MAX, 1LL << 32, (1LL << 32) + 3, LLONG_MAX};
    /* clang-format on */
    int hits[128], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof hits);
    for (size_t type = 0; type < COUNT_OF(below_types); type++)
        for (size_t b = 0; b < COUNT_OF(below_blocks); b++)
            for (size_t c = 0; c < COUNT_OF(counts); c++) {
                const dim3 block = below_blocks[b].block;
                const long long threads = (long long)block.x * block.y * block.z;
                const long long count = counts[c], below = count < threads ? count : threads;

                if (count < below_types[type].min || count > below_types[type].max)
                    continue;
                assert_ok(portable_memset(device, 0, sizeof hits));
                assert_ok(below_types[type].launch(below_blocks[b].shape, block, count, device));
                assert_ok(portable_copy_to_host(hits, device, sizeof hits));
                for (long long t = 0; t < (long long)COUNT_OF(hits); t++)
                    if (hits[t] != (t < below))
                        fail_msg("FOR_THREADS_BELOW(%lld) of type %s, block (%u, %u, %u): thread "
                                 "%lld ran %d times",
                                 count, below_types[type].name, block.x, block.y, block.z, t,
                                 hits[t]);
            }
}

/* ---- the indices, under every form of FOR_EACH_BLOCK ---- */

enum { SEEN = 13 };

/* clang-format off */
/* The indices that a thread sees, stored at its place in the grid's linear order. */
#define SEE_KERNEL(name, ...)                                                                      \
    KERNEL(name)(unsigned *seen, int *visits)                                                      \
    {                                                                                              \
        FOR_EACH_BLOCK(__VA_ARGS__) {                                                              \
            const unsigned block =                                                                 \
                (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;                    \
            FOR_EACH_THREAD {                                                                      \
                const unsigned thread =                                                            \
                    (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;           \
                const unsigned place = block * blockDim.x * blockDim.y * blockDim.z + thread;      \
                unsigned *const mine = seen + (size_t)place * SEEN;                                \
                mine[0] = threadIdx.x;                                                             \
                mine[1] = threadIdx.y;                                                             \
                mine[2] = threadIdx.z;                                                             \
                mine[3] = blockIdx.x;                                                              \
                mine[4] = blockIdx.y;                                                              \
                mine[5] = blockIdx.z;                                                              \
                mine[6] = blockDim.x;                                                              \
                mine[7] = blockDim.y;                                                              \
                mine[8] = blockDim.z;                                                              \
                mine[9] = gridDim.x;                                                               \
                mine[10] = gridDim.y;                                                              \
                mine[11] = gridDim.z;                                                              \
                mine[12] = (unsigned)ATOMIC_ADD(&visits[place], 1);                                \
            }                                                                                      \
        }                                                                                          \
    }
SEE_KERNEL(see_any, )
SEE_KERNEL(see_line, 0)
SEE_KERNEL(see_fixed_line, 96)
SEE_KERNEL(see_tall, 32, 0)
SEE_KERNEL(see_wide, 0, 2)
SEE_KERNEL(see_free, 0, 0, 0)
SEE_KERNEL(see_fixed, 8, 4, 2)
SEE_KERNEL(see_one, 1)
/* clang-format on */

static portable_status launch_see(int shape, dim3 grid, dim3 block, unsigned *seen, int *visits)
{
    switch (shape) {
    case 0: return KERNEL_LAUNCH(see_any, grid, block, 0, 0, seen, visits);
    case 1: return KERNEL_LAUNCH(see_line, grid, block, 0, 0, seen, visits);
    case 2: return KERNEL_LAUNCH(see_fixed_line, grid, block, 0, 0, seen, visits);
    case 3: return KERNEL_LAUNCH(see_tall, grid, block, 0, 0, seen, visits);
    case 4: return KERNEL_LAUNCH(see_wide, grid, block, 0, 0, seen, visits);
    case 5: return KERNEL_LAUNCH(see_free, grid, block, 0, 0, seen, visits);
    case 6: return KERNEL_LAUNCH(see_fixed, grid, block, 0, 0, seen, visits);
    default: return KERNEL_LAUNCH(see_one, grid, block, 0, 0, seen, visits);
    }
}

static const struct {
    int shape;
    dim3 block;
} see_blocks[] = {{0, {1, 1, 1}},   {0, {7, 3, 2}},  {0, {1, 1, 64}}, {1, {1, 1, 1}},
                  {1, {100, 1, 1}}, {2, {96, 1, 1}}, {3, {32, 1, 1}}, {3, {32, 5, 1}},
                  {4, {1, 2, 1}},   {4, {9, 2, 1}},  {5, {2, 3, 4}},  {6, {8, 4, 2}},
                  {7, {1, 1, 1}}};
static const dim3 see_grids[] = {{1, 1, 1}, {5, 1, 1}, {1, 3, 1}, {3, 2, 4}};

static void test_indices(void **state)
{
    enum { PLACES = 24 * 160 };
    static unsigned seen[PLACES * SEEN];
    unsigned *device_seen;
    int *visits;

    (void)state;
    NEEDS_DEVICE();
    device_seen = (unsigned *)device_from(NULL, sizeof seen);
    visits = (int *)device_from(NULL, PLACES * sizeof *visits);
    for (size_t s = 0; s < COUNT_OF(see_blocks); s++)
        for (size_t g = 0; g < COUNT_OF(see_grids); g++) {
            const dim3 grid = see_grids[g], block = see_blocks[s].block;
            unsigned place = 0;

            assert_ok(portable_memset(device_seen, 0xff, sizeof seen));
            assert_ok(portable_memset(visits, 0, PLACES * sizeof *visits));
            assert_ok(launch_see(see_blocks[s].shape, grid, block, device_seen, visits));
            assert_ok(portable_copy_to_host(seen, device_seen, sizeof seen));
            for (unsigned b = 0; b < grid.x * grid.y * grid.z; b++)
                for (unsigned t = 0; t < block.x * block.y * block.z; t++, place++) {
                    const unsigned expected[SEEN] = {t % block.x,
                                                     t / block.x % block.y,
                                                     t / block.x / block.y,
                                                     b % grid.x,
                                                     b / grid.x % grid.y,
                                                     b / grid.x / grid.y,
                                                     block.x,
                                                     block.y,
                                                     block.z,
                                                     grid.x,
                                                     grid.y,
                                                     grid.z,
                                                     0};
                    for (unsigned k = 0; k < SEEN; k++)
                        if (seen[place * SEEN + k] != expected[k])
                            fail_msg("shape %d, block %zu, grid %zu, block %u, thread %u: value "
                                     "%u is %u, expected %u",
                                     see_blocks[s].shape, s, g, b, t, k, seen[place * SEEN + k],
                                     expected[k]);
                }
            if (place < PLACES && seen[place * SEEN] != 0xffffffffu)
                fail_msg("shape %d, block %zu, grid %zu: more threads than the launch has",
                         see_blocks[s].shape, s, g);
        }
}

/* ---- continue and break ---- */

enum { SKIPPED = 64 };

KERNEL(turns)(int n, int *by_kernel, int *by_thread, int *by_element, int *by_below, int *by_block,
              int *by_plane, int *by_break)
{
    GRID_STRIDE_LOOP(i, n) {
        if (i % 3 == 1)
            continue;
        ATOMIC_ADD(&by_kernel[i], 1);
    }
    FOR_EACH_BLOCK(0) {
        FOR_EACH_THREAD {
            if (threadIdx.x % 2 == 1)
                continue;
            GRID_STRIDE_LOOP(i, n) {
                if (i % 4 == 2)
                    continue;
                ATOMIC_ADD(&by_thread[i], 1);
            }
        }
        FOR_EACH_ELEMENT(i, n) {
            if (i % 5 == 0)
                continue;
            ATOMIC_ADD(&by_element[i], 1);
        }
        FOR_THREADS_BELOW(6) {
            if (threadIdx.x == 2)
                continue;
            ATOMIC_ADD(&by_below[threadIdx.x], 1);
        }
        FOR_EACH_THREAD {
            GRID_STRIDE_LOOP_2D(x, y, 4, 4) {
                if (x == y)
                    continue;
                ATOMIC_ADD(&by_plane[4 * y + x], 1);
            }
            GRID_STRIDE_LOOP(i, n) {
                if (i >= 40)
                    break;
                ATOMIC_ADD(&by_break[i], 1);
            }
        }
        if (blockIdx.x == 1)
            continue;
        FOR_THREADS_BELOW(1)
            ATOMIC_ADD(&by_block[blockIdx.x], 1);
    }
}

static void test_continue_ends_a_turn(void **state)
{
    enum { WAYS = 7, GRID = 3, BLOCK = 8 };
    int hits[WAYS][SKIPPED], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof hits);
    assert_ok(KERNEL_LAUNCH(turns, GRID, BLOCK, 0, 0, SKIPPED, device, device + SKIPPED,
                            device + 2 * SKIPPED, device + 3 * SKIPPED, device + 4 * SKIPPED,
                            device + 5 * SKIPPED, device + 6 * SKIPPED));
    assert_ok(portable_copy_to_host(hits, device, sizeof hits));
    for (int i = 0; i < SKIPPED; i++) {
        const int expected[WAYS] = {
            i % 3 != 1, i % 2 == 0 && i % 4 != 2, /* even threads have even elements */
            i % 5 != 0, i < 6 && i != 2 ? GRID : 0, i < GRID && i != 1, i < 16 && i % 4 != i / 4,
            i < 40};
        for (int way = 0; way < WAYS; way++)
            if (hits[way][i] != expected[way])
                fail_msg("way %d, element %d: visited %d times, expected %d", way, i, hits[way][i],
                         expected[way]);
    }
}

/* Several loops in one function, some inside a plain loop at block scope: all of them run. */
KERNEL(sequence)(int rounds, int *count)
{
    FOR_EACH_BLOCK(4) {
        for (int round = 0; round < rounds; round++) {
            FOR_EACH_THREAD
                ATOMIC_ADD(count, 1);
            SYNC_THREADS();
            if (round == 1)
                continue;
            FOR_THREADS_BELOW(2)
                ATOMIC_ADD(count, 100);
            SYNC_THREADS();
            if (round == 3)
                break;
        }
    }
    FOR_EACH_BLOCK(0) {
        FOR_EACH_THREAD
            ATOMIC_ADD(count, 10000);
    }
}

static void test_loops_follow_each_other(void **state)
{
    int count, *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof count);
    assert_ok(KERNEL_LAUNCH(sequence, 2, 4, 0, 0, 10, device));
    assert_ok(portable_copy_to_host(&count, device, sizeof count));
    assert_int_equal(count, 2 * (4 * 4 + 3 * 2 * 100 + 4 * 10000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_line_visits_each_element_once),
        TEST(test_plane_visits_each_element_once),
        TEST(test_space_visits_each_element_once),
        TEST(test_bounds_near_the_largest_value),
        TEST(test_bounds_are_evaluated_once),
        TEST(test_threads_below),
        TEST(test_indices),
        TEST(test_continue_ends_a_turn),
        TEST(test_loops_follow_each_other),
    };

    return cmocka_run_group_tests_name("scopes/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
