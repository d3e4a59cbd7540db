/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the known bugs share: short forms of the host calls that every program makes.
 *
 * Each program of this directory has one planted bug when FIXED is 0, and is right when FIXED is 1.
 * The first comment of each says what the bug is and which tool finds it with which words;
 * tests/bugs/run.sh reads it.
 */
#ifndef TESTS_BUGS_BUG_H
#define TESTS_BUGS_BUG_H

#include "portable.h"

#ifndef FIXED
#define FIXED 0
#endif

/* Device memory of `count` elements, of the type that `device` points to. Nothing has written it. */
#define ALLOCATE(device, count)                                                                    \
    PORTABLE_CHECK(portable_malloc(&(device), (count) * sizeof *(device)))
#define ZERO(device, count) PORTABLE_CHECK(portable_memset(device, 0, (count) * sizeof *(device)))
/* All of a host array to device memory, and from it. */
#define COPY_IN(device, array) PORTABLE_CHECK(portable_copy_to_device(device, array, sizeof(array)))
#define COPY_OUT(array, device) PORTABLE_CHECK(portable_copy_to_host(array, device, sizeof(array)))
#define RELEASE(device) PORTABLE_CHECK(portable_free(device))
#define LAUNCH(...) PORTABLE_CHECK(KERNEL_LAUNCH(__VA_ARGS__))
#define LAUNCH_COOPERATIVE(...) PORTABLE_CHECK(KERNEL_LAUNCH_COOPERATIVE(__VA_ARGS__))

/* What holds for the results of the corrected program. Those of the bug are not looked at: that it
 * is found is the tool's merit. */
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

/* A comparison of results needs them: one line of them. */
static inline void print_ints(const int *array, int count)
{
    for (int i = 0; i < count; i++)
        printf("%d%c", array[i], i == count - 1 ? '\n' : ' ');
}

#endif
