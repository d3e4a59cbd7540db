/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Common code of the known bugs: short forms of the host calls that every program makes.
 *
 * Each program of this directory has one planted bug if FIXED is 0, and is correct if FIXED is 1.
 * Its first comment describes the bug, the tools that must find it, and their output;
 * tests/bugs/run.sh reads it.
 */
#ifndef TESTS_BUGS_BUG_H
#define TESTS_BUGS_BUG_H

#include "portable.h"

#ifndef FIXED
#define FIXED 0
#endif

/* Allocates uninitialised device memory for `count` elements of the type that `device` points
 * to. */
#define ALLOCATE(device, count)                                                                    \
    PORTABLE_CHECK(portable_malloc(&(device), (count) * sizeof *(device)))
#define ZERO(device, count) PORTABLE_CHECK(portable_memset(device, 0, (count) * sizeof *(device)))
/* Copy a whole host array to device memory, and back. */
#define COPY_IN(device, array) PORTABLE_CHECK(portable_copy_to_device(device, array, sizeof(array)))
#define COPY_OUT(array, device) PORTABLE_CHECK(portable_copy_to_host(array, device, sizeof(array)))
#define RELEASE(device) PORTABLE_CHECK(portable_free(device))
#define LAUNCH(...) PORTABLE_CHECK(KERNEL_LAUNCH(__VA_ARGS__))
#define LAUNCH_COOPERATIVE(...) PORTABLE_CHECK(KERNEL_LAUNCH_COOPERATIVE(__VA_ARGS__))

/* A condition on the results of the corrected program. The bug's results are not checked: the tool
 * alone must find it. */
#define EXPECT(condition)                                                                          \
    ((condition) || !FIXED ? (void)0 : bug_unexpected(#condition, __FILE__, __LINE__))
static inline void bug_unexpected(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    exit(2);
}

/* 0, 1, 2, ... */
static inline void count_up(int *array, int count)
{
    for (int i = 0; i < count; i++)
        array[i] = i;
}

/* Prints the results on one line, to compare them. */
static inline void print_ints(const int *array, int count)
{
    for (int i = 0; i < count; i++)
        printf("%d%c", array[i], i == count - 1 ? '\n' : ' ');
}

#endif
