/* SPDX-License-Identifier: BSD-3-Clause */
/* portable_algorithms.h: the checks of arguments, the workspace, and the launches. The kernels are
 * in the headers beside this file, which it includes once for each type. */
#include "portable_algorithms.h"

#include <float.h>  /* FLT_MAX */
#include <limits.h> /* INT_MAX, INT_MIN, LLONG_MAX, UINT_MAX */
#include <math.h>   /* INFINITY, NAN */
#include <stdint.h> /* uintptr_t */

#if defined(__GNUC__) && !defined(__clang__)
/* Shared variables that one thread sets: gcc does not always see that this thread has a turn. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* ---- arguments and workspace ---------------------------------------------------------------- */

/* Checks that an argument is device memory for n elements of `size` bytes. */
static portable_status check_array(const char *call, const char *name, const void *array, size_t n,
                                   size_t size)
{
    if (n == 0)
        return PORTABLE_SUCCESS;
    if (n > (size_t)-1 / size)
        return PORTABLE_INVALID_("%s: %zu elements of %zu bytes overflow", call, n, size);
    if ((uintptr_t)array % (size < 8 ? size : 8) != 0)
        return PORTABLE_INVALID_("%s: %s, %p, is not aligned to its type", call, name, array);
    return portable_side_check_(call, name, PORTABLE_DEVICE_MEMORY_, (void *)array, n * size);
}

/* Checks that two arrays have no byte in common. */
static portable_status check_apart(const char *call, const char *a_name, const void *a,
                                   size_t a_bytes, const char *b_name, const void *b,
                                   size_t b_bytes)
{
    const uintptr_t a_at = (uintptr_t)a, b_at = (uintptr_t)b;

    if (a_bytes > 0 && b_bytes > 0 && a_at < b_at + b_bytes && b_at < a_at + a_bytes)
        return PORTABLE_INVALID_("%s: %s and %s overlap", call, a_name, b_name);
    return PORTABLE_SUCCESS;
}

portable_status portable_workspace_free(struct portable_workspace *workspace)
{
    portable_status status = PORTABLE_SUCCESS;

    if (workspace) {
        status = portable_free(workspace->memory);
        workspace->memory = NULL;
        workspace->bytes = 0;
    }
    return status;
}

/* A call's temporary memory: the caller's workspace, or its own. */
struct scratch {
    struct portable_workspace *workspace, own;
};

/* Finds `bytes` bytes, aligned to 256, in *memory. */
static portable_status scratch_begin(struct scratch *scratch, struct portable_workspace *workspace,
                                     size_t bytes, char **memory)
{
    portable_status status = PORTABLE_SUCCESS;

    scratch->own.memory = NULL;
    scratch->own.bytes = 0;
    scratch->workspace = workspace ? workspace : &scratch->own;
    workspace = scratch->workspace;
    if (workspace->bytes < bytes) {
        status = portable_workspace_free(workspace);
        if (status == PORTABLE_SUCCESS)
            status = portable_malloc(&workspace->memory, bytes);
        if (status == PORTABLE_SUCCESS)
            workspace->bytes = bytes;
    }
    *memory = (char *)workspace->memory;
    return status;
}

/* Frees memory of the call's own; CUDA waits for the device first. */
static portable_status scratch_end(struct scratch *scratch, portable_status status)
{
    const portable_status freed = portable_workspace_free(&scratch->own);

    return status == PORTABLE_SUCCESS ? freed : status;
}

/* Bytes up to the next multiple of 256, so that parts of a workspace are aligned. */
static size_t rounded(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* The result of a call: where kernels store it, and where the caller wants it. */
struct result {
    void *device, *host; /* host: NULL if the caller's pointer is device memory */
    size_t bytes;
};

/* A result that fits into this is kept in the workspace on its way to the host. */
enum { RESULT_BYTES = 256 };

static portable_status result_begin(const char *call, const char *name, void *to, size_t bytes,
                                    struct result *result)
{
    const struct portable_allocation_ found = portable_allocation_of_(to);
    int on_device = found.bytes > 0 && found.kind == PORTABLE_DEVICE_MEMORY_;

    if (!to)
        return PORTABLE_INVALID_("%s: no place for the %s", call, name);
#if PORTABLE_TARGET_CUDA
    if (found.bytes == 0) {
        struct cudaPointerAttributes attributes;
        on_device =
            cudaPointerGetAttributes(&attributes, to) == cudaSuccess &&
            (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged);
        cudaGetLastError();
    }
#endif
    result->device = on_device ? to : NULL;
    result->host = on_device ? NULL : to;
    result->bytes = bytes;
    return on_device ? check_array(call, name, to, 1, bytes) : PORTABLE_SUCCESS;
}

/* Where kernels store the result; `memory` are RESULT_BYTES of the workspace. */
static void *result_place(const struct result *result, char *memory)
{
    return result->host ? memory : result->device;
}

/* Brings the result to the host, if that is where it belongs, and waits for it. */
static portable_status result_end(const struct result *result, const char *memory,
                                  portable_stream stream, portable_status status)
{
    if (status == PORTABLE_SUCCESS && result->host)
        status = portable_copy_to_host_async(result->host, memory, result->bytes, stream);
    if (status == PORTABLE_SUCCESS && result->host)
        status = portable_stream_synchronize(stream);
    return status;
}

static int aligned_to(const void *pointer, size_t bytes)
{
    return (uintptr_t)pointer % bytes == 0;
}

/* ---- sums, minima, maxima ------------------------------------------------------------------- */

/* Integers in the order of the floats with these bits: order_TYPE, where NaNs are beyond both
 * infinities; reduce_order_TYPE, where a NaN is the largest, and back. */
#define ORDER_OF_REALS(real, integer, name, largest, largest_number, sign_shift)                   \
    DEVICE integer order_##name(real x)                                                            \
    {                                                                                              \
        integer bits;                                                                              \
        memcpy(&bits, &x, sizeof bits);                                                            \
        return bits ^ ((bits >> (sign_shift)) & (largest));                                        \
    }                                                                                              \
    DEVICE integer reduce_order_##name(real x, integer flip)                                       \
    {                                                                                              \
        integer bits;                                                                              \
        memcpy(&bits, &x, sizeof bits);                                                            \
        return (bits & (largest)) > (largest_number) ? (largest) : order_##name(x) ^ flip;         \
    }                                                                                              \
    DEVICE real reduce_real_##name(integer key, integer flip)                                      \
    {                                                                                              \
        const integer back = key ^ flip;                                                           \
        const integer bits = key == (largest) ? key : back ^ ((back >> (sign_shift)) & (largest)); \
        real x;                                                                                    \
        memcpy(&x, &bits, sizeof x);                                                               \
        return x;                                                                                  \
    }
ORDER_OF_REALS(float, int, float, INT_MAX, 0x7f800000, 31)
ORDER_OF_REALS(double, long long, double, LLONG_MAX, 0x7ff0000000000000, 63)

#define REDUCE_NAME(kernel) kernel##_float
#define REDUCE_TYPE float
#define REDUCE_SUM float
#define REDUCE_ORDERED int
#define REDUCE_LARGEST INT_MAX
#define REDUCE_TO_ORDER(x, flip) reduce_order_float(x, flip)
#define REDUCE_FROM_ORDER(k, flip) reduce_real_float(k, flip)
#include "reduce.h"

#define REDUCE_NAME(kernel) kernel##_double
#define REDUCE_TYPE double
#define REDUCE_SUM double
#define REDUCE_ORDERED long long
#define REDUCE_LARGEST LLONG_MAX
#define REDUCE_TO_ORDER(x, flip) reduce_order_double(x, flip)
#define REDUCE_FROM_ORDER(k, flip) reduce_real_double(k, flip)
#include "reduce.h"

#define REDUCE_NAME(kernel) kernel##_int
#define REDUCE_TYPE int
#define REDUCE_SUM unsigned long long
#define REDUCE_ORDERED int
#define REDUCE_LARGEST INT_MAX
#define REDUCE_TO_ORDER(x, flip) ((x) ^ (flip))
#define REDUCE_FROM_ORDER(k, flip) ((k) ^ (flip))
#include "reduce.h"

#define REDUCE_NAME(kernel) kernel##_unsigned
#define REDUCE_TYPE unsigned
#define REDUCE_SUM unsigned long long
#define REDUCE_ORDERED int
#define REDUCE_LARGEST INT_MAX
#define REDUCE_TO_ORDER(x, flip) ((int)((x) ^ 1u << 31) ^ (flip))
#define REDUCE_FROM_ORDER(k, flip) ((unsigned)((k) ^ (flip)) ^ 1u << 31)
#include "reduce.h"

/* The sums of tiles of integers. */
#define REDUCE_NAME(kernel) kernel##_long
#define REDUCE_TYPE unsigned long long
#define REDUCE_SUM unsigned long long
#include "reduce.h"

static size_t reduce_tiles(size_t n)
{
    return n / REDUCE_TILE + (n % REDUCE_TILE != 0) + (n == 0);
}

/* The results of all levels of tiles: of the first, then of its tiles, until there is one. */
static size_t reduce_values(size_t n)
{
    size_t values = 0;

    for (n = reduce_tiles(n); n > 1; n = reduce_tiles(n))
        values += n;
    return values;
}

/* Kernels whose grids are tiles: a grid has at most 2^31 - 1 blocks. */
static portable_status check_tiles(const char *call, size_t tiles)
{
    return tiles <= INT_MAX ? PORTABLE_SUCCESS : PORTABLE_INVALID_("%s: n is too large", call);
}

/* Defines CALL(n, x, to, workspace, stream): LEVEL(tiles, n, from, to) launches the kernel of the
 * first level, and FURTHER that of the next ones. */
#define REDUCTION(call, type, result_type, place_type, level, further)                             \
    portable_status call(size_t n, const type *x, result_type *to,                                 \
                         struct portable_workspace *workspace, portable_stream stream)             \
    {                                                                                              \
        struct scratch scratch;                                                                    \
        struct result result;                                                                      \
        char *memory;                                                                              \
        portable_status status = check_array(#call, "x", x, n, sizeof *x);                         \
                                                                                                   \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = check_tiles(#call, reduce_tiles(n));                                          \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = result_begin(#call, "result", to, sizeof *to, &result);                       \
        if (status != PORTABLE_SUCCESS)                                                            \
            return status;                                                                         \
        status = scratch_begin(&scratch, workspace,                                                \
                               RESULT_BYTES + reduce_values(n) * sizeof(place_type), &memory);     \
        if (status == PORTABLE_SUCCESS) {                                                          \
            place_type *const last = (place_type *)result_place(&result, memory);                  \
            place_type *next = (place_type *)(memory + RESULT_BYTES), *values;                     \
            size_t left = n, tiles = reduce_tiles(n);                                              \
                                                                                                   \
            values = tiles > 1 ? next : last;                                                      \
            status = level((unsigned)tiles, left, x, values);                                      \
            while (tiles > 1 && status == PORTABLE_SUCCESS) {                                      \
                left = tiles;                                                                      \
                tiles = reduce_tiles(left);                                                        \
                next += left;                                                                      \
                status = further((unsigned)tiles, left, values, tiles > 1 ? next : last);          \
                values = next;                                                                     \
            }                                                                                      \
            status = result_end(&result, memory, stream, status);                                  \
        }                                                                                          \
        return scratch_end(&scratch, status);                                                      \
    }

#define SUM_LEVEL(name, tiles, n, from, to)                                                        \
    KERNEL_LAUNCH(portable_sum_tiles_##name, tiles, REDUCE_THREADS, 0, stream, n,                  \
                  aligned_to(from, 16), from, to)
#define SUM_FLOATS(tiles, n, from, to) SUM_LEVEL(float, tiles, n, from, to)
#define SUM_DOUBLES(tiles, n, from, to) SUM_LEVEL(double, tiles, n, from, to)
#define SUM_INTS(tiles, n, from, to) SUM_LEVEL(int, tiles, n, from, to)
#define SUM_UNSIGNEDS(tiles, n, from, to) SUM_LEVEL(unsigned, tiles, n, from, to)
#define SUM_LONGS(tiles, n, from, to) SUM_LEVEL(long, tiles, n, from, to)
REDUCTION(portable_sum_float, float, float, float, SUM_FLOATS, SUM_FLOATS)
REDUCTION(portable_sum_double, double, double, double, SUM_DOUBLES, SUM_DOUBLES)
REDUCTION(portable_sum_int, int, long long, unsigned long long, SUM_INTS, SUM_LONGS)
REDUCTION(portable_sum_unsigned, unsigned, unsigned long long, unsigned long long, SUM_UNSIGNEDS,
          SUM_LONGS)

#define LEAST_LEVEL(name, flip, none, tiles, n, from, to)                                          \
    KERNEL_LAUNCH(portable_least_of_tiles_##name, tiles, REDUCE_THREADS, 0, stream, n,             \
                  aligned_to(from, 16), flip, none, from, to)
#define MIN_FLOATS(tiles, n, from, to) LEAST_LEVEL(float, 0, NAN, tiles, n, from, to)
#define MAX_FLOATS(tiles, n, from, to) LEAST_LEVEL(float, -1, NAN, tiles, n, from, to)
#define MIN_DOUBLES(tiles, n, from, to) LEAST_LEVEL(double, 0, (double)NAN, tiles, n, from, to)
#define MAX_DOUBLES(tiles, n, from, to) LEAST_LEVEL(double, -1, (double)NAN, tiles, n, from, to)
#define MIN_INTS(tiles, n, from, to) LEAST_LEVEL(int, 0, INT_MAX, tiles, n, from, to)
#define MAX_INTS(tiles, n, from, to) LEAST_LEVEL(int, -1, INT_MIN, tiles, n, from, to)
#define MIN_UNSIGNEDS(tiles, n, from, to) LEAST_LEVEL(unsigned, 0, UINT_MAX, tiles, n, from, to)
#define MAX_UNSIGNEDS(tiles, n, from, to) LEAST_LEVEL(unsigned, -1, 0u, tiles, n, from, to)
REDUCTION(portable_min_float, float, float, float, MIN_FLOATS, MIN_FLOATS)
REDUCTION(portable_max_float, float, float, float, MAX_FLOATS, MAX_FLOATS)
REDUCTION(portable_min_double, double, double, double, MIN_DOUBLES, MIN_DOUBLES)
REDUCTION(portable_max_double, double, double, double, MAX_DOUBLES, MAX_DOUBLES)
REDUCTION(portable_min_int, int, int, int, MIN_INTS, MIN_INTS)
REDUCTION(portable_max_int, int, int, int, MAX_INTS, MAX_INTS)
REDUCTION(portable_min_unsigned, unsigned, unsigned, unsigned, MIN_UNSIGNEDS, MIN_UNSIGNEDS)
REDUCTION(portable_max_unsigned, unsigned, unsigned, unsigned, MAX_UNSIGNEDS, MAX_UNSIGNEDS)

/* ---- single-pass scans and selections ------------------------------------------------------- */

#include "look_back.h"
#include "order.h"

/* The words of a pass over `tiles` tiles: the queue, the tiles with values of of_tile words, the
 * groups with values of of_group words. */
struct look_back {
    unsigned *queue;
    unsigned long long *tiles, *groups;
    size_t bytes;
};

static struct look_back look_back_words(size_t tiles, size_t of_tile, size_t of_group)
{
    struct look_back of = {NULL, NULL, NULL, 0};

    of.bytes = (1 + tiles * of_tile + tiles / LOOK_BACK_GROUP * of_group) * sizeof *of.tiles;
    return of;
}

/* Places them in memory, and clears them. */
static portable_status look_back_begin(struct look_back *of, char *memory, size_t tiles,
                                       size_t of_tile, portable_stream stream)
{
    of->queue = (unsigned *)memory;
    of->tiles = (unsigned long long *)memory + 1;
    of->groups = of->tiles + tiles * of_tile;
    return portable_memset_async(memory, 0, of->bytes, stream);
}

/* As many blocks as run at a time, `blocks` on a multiprocessor, but no more than tiles. */
static portable_status resident_blocks(portable_status status, int blocks, size_t tiles,
                                       unsigned *grid)
{
    struct portable_device device;

    if (status == PORTABLE_SUCCESS)
        status = portable_device_properties(&device);
    if (status == PORTABLE_SUCCESS) {
        const size_t most = (size_t)blocks * (size_t)device.multiprocessors;
        *grid = (unsigned)(tiles < most ? tiles : most > 0 ? most : 1);
    }
    return status;
}

/* The same for blocks that count, in 32 bits: each has fewer than 2^32 of the n elements. */
static portable_status counting_blocks(portable_status status, int blocks, size_t tiles, size_t n,
                                       unsigned *grid)
{
    const size_t least = n / ((size_t)1 << 31) + 1;

    status = resident_blocks(status, blocks, tiles, grid);
    if (status == PORTABLE_SUCCESS && *grid < least)
        *grid = (unsigned)least;
    return status;
}

#define SCAN_NAME(kernel) kernel##_float
#define SCAN_TYPE float
#define SCAN_OF(function) function##_float
#include "scan.h"

#define SCAN_NAME(kernel) kernel##_double
#define SCAN_TYPE double
#define SCAN_OF(function) function##_double
#include "scan.h"

/* Also of signed integers, which wrap in the same way. */
#define SCAN_NAME(kernel) kernel##_unsigned
#define SCAN_TYPE unsigned
#define SCAN_OF(function) function##_unsigned
#include "scan.h"

#define SCAN(call, type, kernel_type, name, exclusive)                                             \
    portable_status call(size_t n, const type *x, type *sums,                                      \
                         struct portable_workspace *workspace, portable_stream stream)             \
    {                                                                                              \
        const size_t tiles = n / SCAN_TILE + (n % SCAN_TILE != 0);                                 \
        const size_t words = LOOK_BACK_WORDS(type);                                                \
        const int aligned = aligned_to(x, 16) && aligned_to(sums, 16);                             \
        struct look_back of = look_back_words(tiles, words, words);                                \
        struct scratch scratch;                                                                    \
        char *memory;                                                                              \
        int blocks = 0;                                                                            \
        unsigned grid = 1;                                                                         \
        portable_status status = check_array(#call, "x", x, n, sizeof *x);                         \
                                                                                                   \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = check_array(#call, "sums", sums, n, sizeof *sums);                            \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = check_tiles(#call, tiles);                                                    \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = check_apart(#call, "x", x, n * sizeof *x, "sums", sums, n * sizeof *sums);    \
        if (status != PORTABLE_SUCCESS || n == 0)                                                  \
            return status;                                                                         \
        status = portable_occupancy(portable_scan_tiles_##name, SCAN_THREADS, 0, &blocks);         \
        status = resident_blocks(status, blocks, tiles, &grid);                                    \
        if (status != PORTABLE_SUCCESS)                                                            \
            return status;                                                                         \
        status = scratch_begin(&scratch, workspace, of.bytes, &memory);                            \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = look_back_begin(&of, memory, tiles, words, stream);                           \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = KERNEL_LAUNCH(portable_scan_tiles_##name, grid, SCAN_THREADS, 0, stream, n,   \
                                   aligned, exclusive, (const kernel_type *)x,                     \
                                   (kernel_type *)sums, of.queue, of.tiles, of.groups);            \
        return scratch_end(&scratch, status);                                                      \
    }
SCAN(portable_scan_inclusive_float, float, float, float, 0)
SCAN(portable_scan_exclusive_float, float, float, float, 1)
SCAN(portable_scan_inclusive_double, double, double, double, 0)
SCAN(portable_scan_exclusive_double, double, double, double, 1)
SCAN(portable_scan_inclusive_int, int, unsigned, unsigned, 0)
SCAN(portable_scan_exclusive_int, int, unsigned, unsigned, 1)
SCAN(portable_scan_inclusive_unsigned, unsigned, unsigned, unsigned, 0)
SCAN(portable_scan_exclusive_unsigned, unsigned, unsigned, unsigned, 1)

#define SELECT_NAME(kernel) kernel##_float
#define SELECT_TYPE float
#define SELECT_BITS unsigned
#define SELECT_ORDER(x) order_float(x)
#include "select.h"

#define SELECT_NAME(kernel) kernel##_double
#define SELECT_TYPE double
#define SELECT_BITS unsigned long long
#define SELECT_ORDER(x) order_double(x)
#include "select.h"

#define SELECT_NAME(kernel) kernel##_int
#define SELECT_TYPE int
#define SELECT_BITS unsigned
#define SELECT_ORDER(x) (x)
#include "select.h"

#define SELECT_NAME(kernel) kernel##_unsigned
#define SELECT_TYPE unsigned
#define SELECT_BITS unsigned
#define SELECT_ORDER(x) (x)
#include "select.h"

/* Of the values from `least` to `most`, which are all numbers of a type as integers in their order,
 * those that compare in this way with the ones from `low` to `high`, which are equal. */
static portable_status what_compares(const char *call, portable_comparison comparison,
                                     long long least, long long low, long long high, long long most,
                                     struct select_what *what)
{
    const int below = comparison == PORTABLE_LESS || comparison == PORTABLE_LESS_EQUAL;
    const int above = comparison == PORTABLE_GREATER || comparison == PORTABLE_GREATER_EQUAL;
    const int strict = comparison == PORTABLE_LESS || comparison == PORTABLE_GREATER;

    if ((unsigned)comparison > PORTABLE_NOT_EQUAL)
        return PORTABLE_INVALID_("%s: %d is not a portable_comparison", call, (int)comparison);
    what->flagged = 0;
    what->nothing = 0;
    what->low = above ? (strict ? high : low) : below ? least : low;
    what->range = (unsigned long long)(above             ? most
                                       : below && strict ? low
                                                         : high) -
                  (unsigned long long)what->low;
    if (comparison == PORTABLE_NOT_EQUAL) { /* from the next one up to the one before */
        what->low = (long long)((unsigned long long)high + 1);
        what->range = ~0ull - 1 - what->range;
    } else if (strict && what->range == 0) {
        what->nothing = 1;
    } else if (strict) {
        what->low = (long long)((unsigned long long)what->low + (above ? 1u : 0u));
        what->range--;
    }
    return PORTABLE_SUCCESS;
}

/* With a NaN only "not equal" is true, for every value. */
static void what_compares_with_nan(portable_comparison comparison, struct select_what *what)
{
    what->nothing = comparison != PORTABLE_NOT_EQUAL;
    what->range = ~0ull;
}

#define ORDER_INTEGER(x) (x)
#define IS_NAN(x) ((x) != (x))
#define IS_NO_NAN(x) ((void)(x), 0)

#define SELECT(name, type, order, least, zero, most, nan_of)                                       \
    static portable_status select_##name(                                                          \
        const char *call, size_t n, const type *x, const unsigned char *flags,                     \
        struct select_what what, type *packed, unsigned long long *count,                          \
        struct portable_workspace *workspace, portable_stream stream)                              \
    {                                                                                              \
        const size_t tile = 4 * (8192 / sizeof *x);                                                \
        const size_t tiles = n / tile + (n % tile != 0);                                           \
        const int aligned = aligned_to(x, 16) && (!what.flagged || aligned_to(flags, 4));          \
        struct look_back of = look_back_words(tiles, 1, 2);                                        \
        struct scratch scratch;                                                                    \
        struct result result;                                                                      \
        char *memory;                                                                              \
        int blocks = 0;                                                                            \
        unsigned grid = 1;                                                                         \
        portable_status status = check_array(call, "x", x, n, sizeof *x);                          \
                                                                                                   \
        if (status == PORTABLE_SUCCESS && what.flagged)                                            \
            status = check_array(call, "flags", flags, n, 1);                                      \
        if (status == PORTABLE_SUCCESS && n > 0)                                                   \
            status = check_array(call, "packed", packed, 1, sizeof *packed);                       \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = check_tiles(call, tiles);                                                     \
        if (status == PORTABLE_SUCCESS && n > 0)                                                   \
            status = check_apart(call, "x", x, n * sizeof *x, "packed", packed, sizeof *packed);   \
        if (what.nothing)                                                                          \
            n = 0;                                                                                 \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = result_begin(call, "count", count, sizeof *count, &result);                   \
        if (status == PORTABLE_SUCCESS && n > 0) {                                                 \
            status = portable_occupancy(portable_select_tiles_##name, SELECT_THREADS, 0, &blocks); \
            status = resident_blocks(status, blocks, tiles, &grid);                                \
        }                                                                                          \
        if (status != PORTABLE_SUCCESS)                                                            \
            return status;                                                                         \
        status = scratch_begin(&scratch, workspace, RESULT_BYTES + of.bytes, &memory);             \
        if (status == PORTABLE_SUCCESS && n == 0)                                                  \
            status =                                                                               \
                portable_memset_async(result_place(&result, memory), 0, sizeof *count, stream);    \
        if (status == PORTABLE_SUCCESS && n > 0)                                                   \
            status = look_back_begin(&of, memory + RESULT_BYTES, tiles, 1, stream);                \
        if (status == PORTABLE_SUCCESS && n > 0)                                                   \
            status = KERNEL_LAUNCH(portable_select_tiles_##name, grid, SELECT_THREADS, 0, stream,  \
                                   n, aligned, what, x, flags, packed,                             \
                                   (unsigned long long *)result_place(&result, memory), of.queue,  \
                                   of.tiles, of.groups);                                           \
        status = result_end(&result, memory, stream, status);                                      \
        return scratch_end(&scratch, status);                                                      \
    }                                                                                              \
    portable_status portable_select_##name(                                                        \
        size_t n, const type *x, const unsigned char *flags, type *packed,                         \
        unsigned long long *count, struct portable_workspace *workspace, portable_stream stream)   \
    {                                                                                              \
        const struct select_what what = {1, 0, 0, 0};                                              \
                                                                                                   \
        return select_##name("portable_select_" #name, n, x, flags, what, packed, count,           \
                             workspace, stream);                                                   \
    }                                                                                              \
    portable_status portable_select_where_##name(                                                  \
        size_t n, const type *x, portable_comparison comparison, type value, type *packed,         \
        unsigned long long *count, struct portable_workspace *workspace, portable_stream stream)   \
    {                                                                                              \
        const char *const call = "portable_select_where_" #name;                                   \
        struct select_what what;                                                                   \
        const int of_zero = value == 0;                                                            \
        const portable_status status =                                                             \
            what_compares(call, comparison, order(least), order(of_zero ? zero : value),           \
                          order(of_zero ? 0 : value), order(most), &what);                         \
                                                                                                   \
        if (nan_of(value))                                                                         \
            what_compares_with_nan(comparison, &what);                                             \
                                                                                                   \
        if (status != PORTABLE_SUCCESS)                                                            \
            return status;                                                                         \
        return select_##name(call, n, x, NULL, what, packed, count, workspace, stream);            \
    }
SELECT(float, float, order_float, -(float)INFINITY, -0.0f, (float)INFINITY, IS_NAN)
SELECT(double, double, order_double, -(double)INFINITY, -0.0, (double)INFINITY, IS_NAN)
SELECT(int, int, ORDER_INTEGER, INT_MIN, 0, INT_MAX, IS_NO_NAN)
SELECT(unsigned, unsigned, ORDER_INTEGER, 0u, 0u, UINT_MAX, IS_NO_NAN)

/* ---- histograms ----------------------------------------------------------------------------- */

#include "histogram.h"

portable_status portable_histogram_bytes(size_t n, const unsigned char *x,
                                         unsigned long long *counts, portable_stream stream)
{
    const char *const call = "portable_histogram_bytes";
    const size_t bytes = HISTOGRAM_BYTES * sizeof *counts;
    struct portable_device device;
    unsigned grid = 1;
    int blocks = 0;
    portable_status status = check_array(call, "x", x, n, 1);

    if (status == PORTABLE_SUCCESS)
        status = check_array(call, "counts", counts, HISTOGRAM_BYTES, sizeof *counts);
    if (status == PORTABLE_SUCCESS)
        status = check_apart(call, "x", x, n, "counts", counts, bytes);
    if (status == PORTABLE_SUCCESS) {
        status = portable_occupancy(portable_histogram_of_bytes, HISTOGRAM_THREADS, 0, &blocks);
        status = counting_blocks(status, blocks, n / (16 * HISTOGRAM_THREADS) + 1, n, &grid);
    }
    if (status == PORTABLE_SUCCESS)
        status = portable_device_properties(&device);
    if (status == PORTABLE_SUCCESS)
        status = portable_memset_async(counts, 0, bytes, stream);
    if (status == PORTABLE_SUCCESS && n > 0)
        status = KERNEL_LAUNCH(portable_histogram_of_bytes, grid, HISTOGRAM_THREADS, 0, stream, n,
                               PORTABLE_TARGET_EMULATE || device.major > 0, x, counts);
    return status;
}

portable_status portable_histogram_float(size_t n, const float *x, float low, float high,
                                         unsigned bins, unsigned long long *counts,
                                         portable_stream stream)
{
    const char *const call = "portable_histogram_float";
    const float width = high - low, scale = (float)bins / width;
    unsigned columns = WARP_SIZE, grid = 1;
    int blocks = 0;
    portable_status status = PORTABLE_SUCCESS;

    if (bins < 1 || bins > 1u << 24)
        return PORTABLE_INVALID_("%s: %u bins; there can be 1 to 2^24", call, bins);
    if (!(low < high) || !(scale > 0) || !(scale <= FLT_MAX))
        return PORTABLE_INVALID_("%s: no even bins from %g to %g", call, (double)low, (double)high);
    while (columns > 0 && bins * columns > HISTOGRAM_WORDS)
        columns /= 2;
    status = check_array(call, "x", x, n, sizeof *x);
    if (status == PORTABLE_SUCCESS)
        status = check_array(call, "counts", counts, bins, sizeof *counts);
    if (status == PORTABLE_SUCCESS)
        status = check_apart(call, "x", x, n * sizeof *x, "counts", counts, bins * sizeof *counts);
    if (status == PORTABLE_SUCCESS) {
        status = portable_occupancy(portable_histogram_of_floats, HISTOGRAM_THREADS, 0, &blocks);
        status = counting_blocks(status, blocks, n / (4 * HISTOGRAM_THREADS) + 1, n, &grid);
    }
    if (status == PORTABLE_SUCCESS)
        status = portable_memset_async(counts, 0, bins * sizeof *counts, stream);
    if (status == PORTABLE_SUCCESS && n > 0)
        status = KERNEL_LAUNCH(portable_histogram_of_floats, grid, HISTOGRAM_THREADS, 0, stream, n,
                               x, low, high, scale, bins, columns, counts);
    return status;
}

/* ---- sorts ---------------------------------------------------------------------------------- */

/* Keys per thread in a tile: tuning. The small tiles are for GPUs whose blocks have less than
 * SORT_SHARED bytes of shared memory, as those of compute capability 7.5. */
#define SORT_SHARED (96 * 1024)
#define SORT_ITEMS_32 28
#define SORT_ITEMS_PAIRS_32 26
#define SORT_ITEMS_SMALL_PAIRS_32 16
#define SORT_ITEMS_64 16
#define SORT_ITEMS_PAIRS_64 18
#define SORT_ITEMS_SMALL_PAIRS_64 10

#define SORT_KEY unsigned
#define SORT_OF_KEY(name) name##_32
#define SORT_NAME(name) name##_32
#define SORT_PAIRS 0
#define SORT_ITEMS SORT_ITEMS_32
#include "sort.h"

#define SORT_NAME(name) name##_pairs_32
#define SORT_PAIRS 1
#define SORT_ITEMS SORT_ITEMS_PAIRS_32
#include "sort.h"

#define SORT_NAME(name) name##_small_pairs_32
#define SORT_PAIRS 1
#define SORT_ITEMS SORT_ITEMS_SMALL_PAIRS_32
#include "sort.h"

#undef SORT_KEY
#undef SORT_OF_KEY
#define SORT_KEY unsigned long long
#define SORT_OF_KEY(name) name##_64
#define SORT_NAME(name) name##_64
#define SORT_PAIRS 0
#define SORT_ITEMS SORT_ITEMS_64
#include "sort.h"

#define SORT_NAME(name) name##_pairs_64
#define SORT_PAIRS 1
#define SORT_ITEMS SORT_ITEMS_PAIRS_64
#include "sort.h"

#define SORT_NAME(name) name##_small_pairs_64
#define SORT_PAIRS 1
#define SORT_ITEMS SORT_ITEMS_SMALL_PAIRS_64
#include "sort.h"

/* How the keys of a type become unsigned numbers in the same order: which bits to flip in a key
 * without and with the sign bit, on the way in and on the way out. */
struct sort_order {
    unsigned long long positive, negative, positive_back, negative_back;
};

static struct sort_order order_unsigned(void)
{
    const struct sort_order order = {0, 0, 0, 0};
    return order;
}

static struct sort_order order_signed(unsigned long long sign)
{
    const struct sort_order order = {sign, sign, sign, sign};
    return order;
}

static struct sort_order order_floating(unsigned long long sign)
{
    const struct sort_order order = {sign, 2 * sign - 1, 2 * sign - 1, sign};
    return order;
}

/* What the kernels of a sort of n keys work on. */
struct sort {
    size_t n, portion;
    struct sort_order order;
    portable_stream stream;
    void *keys, *other_keys; /* taking turns */
    unsigned *values, *other_values;
    unsigned long long *starts[2]; /* of the digits: of all passes; and for the next portion */
    unsigned *words;               /* the queue and the tiles' counts */
};

/* How many columns of counts fit into shared memory: as many as lanes, or half of them for 64-bit
 * keys, where a block can have so much, so that hardly a lane waits for another's increment; else,
 * and in a CPU's cache, 16 KiB. */
static portable_status sort_columns(unsigned passes, unsigned *columns)
{
    const size_t column = passes * SORT_DIGITS * sizeof(unsigned), much = 128 * 1024;
    struct portable_device device;
    const portable_status status = portable_device_properties(&device);

    if (status == PORTABLE_SUCCESS) {
        const int gpu = device.major > 0;
        *columns =
            (unsigned)((gpu && device.shared_raised_bytes >= much ? much : 16 * 1024) / column);
    }
    return status;
}

/* The passes of a sort: `name` and `of_key` are the suffixes of its kernels, `items` is
 * SORT_ITEMS. */
#define SORT_PASSES_OF(name, of_key, key, items, value_bytes)                                      \
    static portable_status sort_passes_##name(struct sort *sort)                                   \
    {                                                                                              \
        const struct sort_order order = sort->order;                                               \
        const size_t tile = SORT_THREADS * (items);                                                \
        const size_t shared = tile * (sizeof(key) + (value_bytes));                                \
        const unsigned passes = sizeof(key);                                                       \
        unsigned columns = 1, grid = 1;                                                            \
        size_t count_shared;                                                                       \
        int blocks = 0;                                                                            \
        portable_status status = shared > 32 * 1024                                                \
                                     ? KERNEL_SHARED_LIMIT(portable_sort_pass_##name, shared)      \
                                     : PORTABLE_SUCCESS;                                           \
                                                                                                   \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = portable_memset_async(sort->starts[0], 0, passes * 256 * sizeof(long long),   \
                                           sort->stream);                                          \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = sort_columns(passes, &columns);                                               \
        count_shared = (size_t)columns * passes * SORT_DIGITS * sizeof(unsigned);                  \
        if (status == PORTABLE_SUCCESS && count_shared > 48 * 1024)                                \
            status = KERNEL_SHARED_LIMIT(portable_sort_count_##of_key, count_shared);              \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = portable_occupancy(portable_sort_count_##of_key, SORT_COUNT_THREADS,          \
                                        count_shared, &blocks);                                    \
        status = counting_blocks(status, blocks, sort->n / (4 * SORT_COUNT_THREADS) + 1, sort->n,  \
                                 &grid);                                                           \
        if (status == PORTABLE_SUCCESS)                                                            \
            status =                                                                               \
                KERNEL_LAUNCH(portable_sort_count_##of_key, grid, SORT_COUNT_THREADS,              \
                              count_shared, sort->stream, sort->n, columns, (key)order.positive,   \
                              (key)order.negative, (const key *)sort->keys, sort->starts[0]);      \
        if (status == PORTABLE_SUCCESS)                                                            \
            status = KERNEL_LAUNCH(portable_sort_starts, 1, 256, 0, sort->stream, passes,          \
                                   sort->starts[0]);                                               \
        for (unsigned pass = 0; pass < passes && status == PORTABLE_SUCCESS; pass++) {             \
            const int first = pass == 0, last = pass == passes - 1;                                \
            unsigned long long *starts = sort->starts[0] + 256 * pass, *next = sort->starts[1];    \
            void *const keys = sort->keys;                                                         \
            unsigned *const values = sort->values;                                                 \
                                                                                                   \
            for (size_t done = 0; done < sort->n && status == PORTABLE_SUCCESS;) {                 \
                const size_t left = sort->n - done;                                                \
                const size_t n = left < sort->portion ? left : sort->portion;                      \
                const size_t tiles = (n + tile - 1) / tile;                                        \
                                                                                                   \
                status = portable_memset_async(sort->words, 0, (1 + 256 * tiles) * sizeof(int),    \
                                               sort->stream);                                      \
                if (status == PORTABLE_SUCCESS)                                                    \
                    status = KERNEL_LAUNCH(                                                        \
                        portable_sort_pass_##name, (unsigned)tiles, SORT_THREADS, shared,          \
                        sort->stream, (unsigned)n, 8 * pass, (key)(first ? order.positive : 0),    \
                        (key)(first ? order.negative : 0), (key)(last ? order.positive_back : 0),  \
                        (key)(last ? order.negative_back : 0), (const key *)keys + done,           \
                        values ? values + done : NULL, (key *)sort->other_keys,                    \
                        sort->other_values, starts, next, sort->words, sort->words + 1);           \
                done += n;                                                                         \
                {                                                                                  \
                    unsigned long long *const swap = starts;                                       \
                    starts = next;                                                                 \
                    next = swap;                                                                   \
                }                                                                                  \
            }                                                                                      \
            sort->keys = sort->other_keys;                                                         \
            sort->other_keys = keys;                                                               \
            sort->values = sort->other_values;                                                     \
            sort->other_values = values;                                                           \
        }                                                                                          \
        return status;                                                                             \
    }
SORT_PASSES_OF(32, 32, unsigned, SORT_ITEMS_32, 0)
SORT_PASSES_OF(pairs_32, 32, unsigned, SORT_ITEMS_PAIRS_32, 4)
SORT_PASSES_OF(small_pairs_32, 32, unsigned, SORT_ITEMS_SMALL_PAIRS_32, 4)
SORT_PASSES_OF(64, 64, unsigned long long, SORT_ITEMS_64, 0)
SORT_PASSES_OF(pairs_64, 64, unsigned long long, SORT_ITEMS_PAIRS_64, 4)
SORT_PASSES_OF(small_pairs_64, 64, unsigned long long, SORT_ITEMS_SMALL_PAIRS_64, 4)

enum { SORT_LEAST_TILE = SORT_THREADS * SORT_ITEMS_SMALL_PAIRS_64 };
/* A multiple of every tile, below 2^30. */
#define SORT_PORTION ((size_t)SORT_THREADS * 65520 * 42)

/* Sorts keys of key_bytes bytes, and values if `pairs`, `portion` keys at a time; `small`: in small
 * tiles, even if larger ones fit. */
static portable_status sort(const char *call, size_t portion, int small, size_t n, size_t key_bytes,
                            struct sort_order order, void *keys, int pairs, unsigned *values,
                            struct portable_workspace *workspace, portable_stream stream)
{
    const size_t most = n < portion ? n : portion;
    const size_t tiles = most / SORT_LEAST_TILE + 1;
    const size_t starts_bytes = rounded((key_bytes + 1) * 256 * sizeof(unsigned long long));
    const size_t words_bytes = rounded((1 + 256 * tiles) * sizeof(unsigned));
    struct sort sort = {n, portion, order, stream, keys, NULL, values, NULL, {NULL, NULL}, NULL};
    struct scratch scratch;
    struct portable_device device;
    char *memory;
    portable_status status = check_array(call, "keys", keys, n, key_bytes);

    if (status == PORTABLE_SUCCESS && pairs)
        status = check_array(call, "values", values, n, sizeof *values);
    if (status == PORTABLE_SUCCESS && pairs)
        status =
            check_apart(call, "keys", keys, n * key_bytes, "values", values, n * sizeof *values);
    if (status != PORTABLE_SUCCESS || n < 2)
        return status;
    status = portable_device_properties(&device);
    if (status != PORTABLE_SUCCESS)
        return status;
    small = small || device.shared_raised_bytes < SORT_SHARED;
    status = scratch_begin(&scratch, workspace,
                           starts_bytes + words_bytes + rounded(n * key_bytes) +
                               (pairs ? n * sizeof *values : 0),
                           &memory);
    if (status == PORTABLE_SUCCESS) {
        sort.starts[0] = (unsigned long long *)memory;
        sort.starts[1] = sort.starts[0] + key_bytes * 256;
        sort.words = (unsigned *)(memory + starts_bytes);
        sort.other_keys = memory + starts_bytes + words_bytes;
        if (pairs)
            sort.other_values = (unsigned *)((char *)sort.other_keys + rounded(n * key_bytes));
        if (key_bytes == 4)
            status = !pairs  ? sort_passes_32(&sort)
                     : small ? sort_passes_small_pairs_32(&sort)
                             : sort_passes_pairs_32(&sort);
        else
            status = !pairs  ? sort_passes_64(&sort)
                     : small ? sort_passes_small_pairs_64(&sort)
                             : sort_passes_pairs_64(&sort);
    }
    return scratch_end(&scratch, status);
}

#define SORT_OF(name, type, order)                                                                 \
    portable_status portable_sort_##name(                                                          \
        size_t n, type *keys, struct portable_workspace *workspace, portable_stream stream)        \
    {                                                                                              \
        return sort("portable_sort_" #name, SORT_PORTION, 0, n, sizeof *keys, order, keys, 0,      \
                    NULL, workspace, stream);                                                      \
    }                                                                                              \
    portable_status portable_sort_pairs_##name(size_t n, type *keys, unsigned *values,             \
                                               struct portable_workspace *workspace,               \
                                               portable_stream stream)                             \
    {                                                                                              \
        return sort("portable_sort_pairs_" #name, SORT_PORTION, 0, n, sizeof *keys, order, keys,   \
                    1, values, workspace, stream);                                                 \
    }
SORT_OF(unsigned, unsigned, order_unsigned())
SORT_OF(int, int, order_signed(1ull << 31))
SORT_OF(float, float, order_floating(1ull << 31))
SORT_OF(unsigned_long_long, unsigned long long, order_unsigned())
SORT_OF(long_long, long long, order_signed(1ull << 63))
SORT_OF(double, double, order_floating(1ull << 63))

/* For the tests, portable_sort_pairs_TYPE of unsigned keys of key_bytes bytes as on a GPU with
 * little shared memory, `portion` keys at a time: a multiple of the small tile. */
PORTABLE_EXTERN_ portable_status portable_sort_small_(size_t portion, size_t n, size_t key_bytes,
                                                      void *keys, unsigned *values,
                                                      struct portable_workspace *workspace,
                                                      portable_stream stream);
portable_status portable_sort_small_(size_t portion, size_t n, size_t key_bytes, void *keys,
                                     unsigned *values, struct portable_workspace *workspace,
                                     portable_stream stream)
{
    return sort("portable_sort_small_", portion, 1, n, key_bytes, order_unsigned(), keys, 1, values,
                workspace, stream);
}
