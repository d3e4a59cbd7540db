/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about devices that the runtime does not report: rates, limits, how many blocks fill one. */
#ifndef PORTABLE_HOST_DEVICES_H
#define PORTABLE_HOST_DEVICES_H

#include "portable.h"

#include <stddef.h> /* size_t */

#ifdef __cplusplus
extern "C" {
#endif

/* The largest block that CUDA launches, in threads and along z. */
enum { DEVICE_BLOCK_THREADS = 1024, DEVICE_BLOCK_Z = 64 };

/*
 * The size to time on this target where `n` is one for a CPU. n is the extent of a problem of so
 * many dimensions, or not an extent if they are 0. On a GPU it grows, because arrays should be many
 * times as large as the cache; on `emulate`, where a thread costs a hundred times as much as an
 * iteration of a loop, it shrinks.
 */
int device_timing_size(int n, int dimensions);

/* Bytes of an array that no cache holds: a GPU's has tens of megabytes, a CPU's up to 32. */
#define DEVICE_UNCACHED_BYTES ((size_t)1 << (PORTABLE_TARGET_CUDA ? 30 : 28))

/* Peak rates of a GPU, in operations per second; 0 is unknown. */
struct device_rates {
    double real;   /* on REAL; a fused multiply-add counts twice */
    double tensor; /* of the tensor cores, on halves summed as floats */
};
struct device_rates device_rates(const struct portable_device *device);

/* Blocks of `threads` threads that keep the current device busy: as many as the multiprocessors
 * of a GPU hold at once, or one for each core of a CPU. At least 1. */
unsigned device_blocks(unsigned threads);

#ifdef __cplusplus
}
#endif

#endif
