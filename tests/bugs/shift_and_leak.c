/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: 1 is shifted by the thread index, and then host memory is never freed: neither report may
 *     hide the other
 * found by: memcheck
 * expect memcheck: shift
 * expect memcheck: leak: host memory
 * expect memcheck: Direct leak of 512 byte
 * expect memcheck: tests/bugs/shift_and_leak.c:27
 * reason: a GPU shifts by 32 or more without an error, and host memory is not checked
 */
#include "bug.h"

#define N 128

KERNEL(masks)(unsigned *y)
{
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
#if FIXED
    y[i] = 1u << t % 32;
#else
    y[i] = 1u << t;
#endif
}

int main(void)
{
    unsigned *out = (unsigned *)malloc(N * sizeof *out), *y;

    ALLOCATE(y, N);
    LAUNCH(masks, 2, 64, 0, 0, y);
    PORTABLE_CHECK(portable_copy_to_host(out, y, N * sizeof *out));
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 1u << i % 32);
    RELEASE(y);
#if FIXED
    free(out);
#endif
    out = NULL;
    return 0;
}
