/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/bench/peers/peer.h"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

static const int bins = 256;

/* Each asks for its memory when `memory` is NULL, and else computes. */
static cudaError_t sum(struct run *run, void *memory, size_t *bytes)
{
    return cub::DeviceReduce::Sum(memory, *bytes, DEVICE_REALS("x"), DEVICE_REALS("total"), run->n);
}

static cudaError_t scan(struct run *run, void *memory, size_t *bytes)
{
    return cub::DeviceScan::InclusiveSum(memory, *bytes, DEVICE_REALS("x"), DEVICE_REALS("scanned"),
                                         run->n);
}

static cudaError_t histogram(struct run *run, void *memory, size_t *bytes)
{
    return cub::DeviceHistogram::HistogramEven(memory, *bytes, DEVICE_BYTES("x"),
                                               DEVICE_WORDS("bins"), bins + 1, 0, bins, run->n);
}

/* The threshold of host/cases/scan.c. */
struct above {
    __device__ bool operator()(float x) const
    {
        return x > 0.25f;
    }
};

/* A check expects zeros in place of the elements left out. */
static cudaError_t compact(struct run *run, void *memory, size_t *bytes)
{
    if (memory && !run->timing)
        cudaMemsetAsync(DEVICE_FLOATS("packed"), 0, (size_t)run->n * sizeof(float));
    return cub::DeviceSelect::If(memory, *bytes, DEVICE_FLOATS("x"), DEVICE_FLOATS("packed"),
                                 DEVICE_WORDS("kept"), run->n, above());
}

/* Those of host/cases/algorithms.c, whose arrays for the baseline's copies are the second ones
 * here. */
static cudaError_t array_sum(struct run *run, void *memory, size_t *bytes)
{
    return cub::DeviceReduce::Sum(memory, *bytes, DEVICE_FLOATS("x"), DEVICE_FLOATS("sum"), run->n);
}

static cudaError_t array_max(struct run *run, void *memory, size_t *bytes)
{
    return cub::DeviceReduce::Max(memory, *bytes, DEVICE_FLOATS("x"), DEVICE_FLOATS("most"),
                                  run->n);
}

static cudaError_t array_scan(struct run *run, void *memory, size_t *bytes)
{
    return cub::DeviceScan::InclusiveSum(memory, *bytes, DEVICE_FLOATS("x"), DEVICE_FLOATS("sums"),
                                         run->n);
}

static cudaError_t array_select(struct run *run, void *memory, size_t *bytes)
{
    return cub::DeviceSelect::If(memory, *bytes, DEVICE_FLOATS("x"), DEVICE_FLOATS("packed"),
                                 (unsigned long long *)run_device(run, "count"), run->n, above());
}

static cudaError_t array_histogram(struct run *run, void *memory, size_t *bytes)
{
    return cub::DeviceHistogram::HistogramEven(memory, *bytes, DEVICE_BYTES("x"),
                                               (unsigned long long *)run_device(run, "counts"),
                                               bins + 1, 0, bins, run->n);
}

/* Of keys alone CUB sorts 2^28 in 5.5 ms if their number is a size_t, in 6.3 ms if it is an int;
 * pairs the other way round. */
static cudaError_t array_sort(struct run *run, void *memory, size_t *bytes)
{
    cub::DoubleBuffer<unsigned> keys(DEVICE_WORDS("keys"), DEVICE_WORDS("baseline"));

    return cub::DeviceRadixSort::SortKeys(memory, *bytes, keys, (size_t)run->n);
}

static cudaError_t array_sort_pairs(struct run *run, void *memory, size_t *bytes)
{
    cub::DoubleBuffer<unsigned> keys(DEVICE_WORDS("keys"), DEVICE_WORDS("baseline"));
    cub::DoubleBuffer<unsigned> values(DEVICE_WORDS("values"), DEVICE_WORDS("baseline_values"));

    return cub::DeviceRadixSort::SortPairs(memory, *bytes, keys, values, run->n);
}

typedef cudaError_t algorithm(struct run *run, void *memory, size_t *bytes);

static size_t memory_bytes; /* of the run being timed */

static int prepare_peer(const char *ours, algorithm *f, struct run *run, struct io_error *error)
{
    if (peer_prepare(ours, run, error) != 0)
        return IO_BAD;
    memory_bytes = 0;
    if (portable_from_cuda_(f(run, NULL, &memory_bytes), run->test_case->name) != PORTABLE_SUCCESS)
        return io_fail(error, "case %s: %s", run->test_case->name, portable_last_message());
    memory_bytes = memory_bytes > 0 ? memory_bytes : 1;
    run_scratch_array(run, "peer_memory", ARRAY_UINT8, memory_bytes);
    return run_ready(run, error);
}

#define PEER(ours, f)                                                                              \
    static int prepare_##f(struct run *run, struct io_error *error)                                \
    {                                                                                              \
        return prepare_peer(#ours, f, run, error);                                                 \
    }                                                                                              \
    static portable_status launch_##f(struct run *run)                                             \
    {                                                                                              \
        return portable_from_cuda_(f(run, DEVICE_BYTES("peer_memory"), &memory_bytes),             \
                                   run->test_case->name);                                          \
    }                                                                                              \
    PEER_REFERENCE(ours)
PEER(sum_atomic, sum)
PEER(scan_inclusive, scan)
PEER(compact_single_pass, compact)
PEER(histogram_shared, histogram)

/* Peers of the algorithms are timed alone: a check of our cases has more types than one. */
#define PEER_OF_ALGORITHM(f)                                                                       \
    static int prepare_##f(struct run *run, struct io_error *error)                                \
    {                                                                                              \
        run->timing = 1;                                                                           \
        return prepare_peer(#f, f, run, error);                                                    \
    }                                                                                              \
    static portable_status launch_##f(struct run *run)                                             \
    {                                                                                              \
        return portable_from_cuda_(f(run, DEVICE_BYTES("peer_memory"), &memory_bytes),             \
                                   run->test_case->name);                                          \
    }
PEER_OF_ALGORITHM(array_sum)
PEER_OF_ALGORITHM(array_max)
PEER_OF_ALGORITHM(array_scan)
PEER_OF_ALGORITHM(array_select)
PEER_OF_ALGORITHM(array_histogram)
PEER_OF_ALGORITHM(array_sort)
PEER_OF_ALGORITHM(array_sort_pairs)

/* clang-format off */
#define LIBRARY_ORDER CASE_ABSREL(1e-3, 0, "the library's order of additions")
#define LINE {{256}}
#define SIZES {1, 31, 33, 1000, 65537}

static const struct gallery_case cases[] = {
    {.family = "reduce", .name = "cub:sum", .summary = "DeviceReduce::Sum", .problem = "sum",
     .policy = LIBRARY_ORDER, .blocks = LINE, .sizes = SIZES, .timing_n = 1 << 24,
     .prepare = prepare_sum, .launch = launch_sum, .reference = reference_sum_atomic},
    {.family = "scan", .name = "cub:scan", .summary = "DeviceScan::InclusiveSum", .problem = "scan",
     .policy = LIBRARY_ORDER, .blocks = LINE, .sizes = SIZES, .timing_n = 1 << 24,
     .prepare = prepare_scan, .launch = launch_scan, .reference = reference_scan_inclusive},
    {.family = "scan", .name = "cub:compact", .summary = "DeviceSelect::If", .problem = "compact",
     .blocks = LINE, .sizes = SIZES, .timing_n = 1 << 24,
     .prepare = prepare_compact, .launch = launch_compact,
     .reference = reference_compact_single_pass},
    {.family = "histogram", .name = "cub:histogram", .summary = "DeviceHistogram::HistogramEven",
     .problem = "histogram",
     .policy = LIBRARY_ORDER, .blocks = LINE, .sizes = SIZES, .timing_n = 1 << 24,
     .prepare = prepare_histogram, .launch = launch_histogram,
     .reference = reference_histogram_shared},
#define ALGORITHM(f, summary_of)                                                                   \
    {.family = "algorithms", .name = "cub:" #f, .summary = summary_of, .problem = #f,              \
     .policy = LIBRARY_ORDER, .blocks = LINE, .sizes = SIZES, .timing_n = 1 << 24,                 \
     .prepare = prepare_##f, .launch = launch_##f}
    ALGORITHM(array_sum, "DeviceReduce::Sum"),
    ALGORITHM(array_max, "DeviceReduce::Max"),
    ALGORITHM(array_scan, "DeviceScan::InclusiveSum"),
    ALGORITHM(array_select, "DeviceSelect::If"),
    ALGORITHM(array_histogram, "DeviceHistogram::HistogramEven"),
    ALGORITHM(array_sort, "DeviceRadixSort::SortKeys"),
    ALGORITHM(array_sort_pairs, "DeviceRadixSort::SortPairs"),
};
/* clang-format on */
GALLERY_CASES(cases)
