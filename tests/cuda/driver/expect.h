/* SPDX-License-Identifier: BSD-3-Clause */
/* What a test expects of calls of the driver API; it prints the others, and counts them. */
#ifndef EXPECT_H
#define EXPECT_H

#include <cuda.h>
#include <stdio.h>

static int failures;
#define EXPECT(call, expected)                                                                     \
    do {                                                                                           \
        const char *name_ = "unknown";                                                             \
        const CUresult error_ = (call);                                                            \
        if (error_ != (expected)) {                                                                \
            cuGetErrorName(error_, &name_);                                                        \
            printf("line %d: %s: %s\n", __LINE__, #call, name_);                                   \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)
#define OK(call) EXPECT(call, CUDA_SUCCESS)
#define TRUE(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

#endif
