/* SPDX-License-Identifier: BSD-3-Clause */
/* What a test expects of calls of the driver API; it prints the others, and counts them. */
#ifndef EXPECT_H
#define EXPECT_H

#include <cuda.h>
#include <stdio.h>

static int failures;
static inline const char *error_name(CUresult error)
{
    const char *name = "unknown";
    cuGetErrorName(error, &name);
    return name;
}
#define EXPECT_OF(result, name_of, call, expected)                                                 \
    do {                                                                                           \
        const result error_ = (call);                                                              \
        if (error_ != (expected)) {                                                                \
            printf("line %d: %s: %s\n", __LINE__, #call, name_of(error_));                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)
#define EXPECT(call, expected) EXPECT_OF(CUresult, error_name, call, expected)
#define OK(call) EXPECT(call, CUDA_SUCCESS)
#define TRUE(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

#endif
