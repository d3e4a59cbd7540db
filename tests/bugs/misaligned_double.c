/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: doubles follow a 4-byte int without the padding that their alignment needs
 * found by: memcheck
 * expect memcheck: error in kernel halves
 * expect memcheck: misaligned
 */
#include "bug.h"

#define N 64
#if FIXED
#define HEADER 8
#else
#define HEADER 4
#endif

KERNEL(halves)(char *buffer)
{
    double *const values = (double *)(void *)(buffer + HEADER);
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        *(int *)(void *)buffer = N;
    values[i] = 0.5 * i;
}

int main(void)
{
    char out[HEADER + N * sizeof(double)], *buffer;

    ALLOCATE(buffer, sizeof out);
    ZERO(buffer, sizeof out);
    LAUNCH(halves, 2, 32, 0, 0, buffer);
    COPY_OUT(out, buffer);
    for (int i = 0; i < N; i++) {
        double value;
        memcpy(&value, out + HEADER + (size_t)i * sizeof value, sizeof value);
        EXPECT(value == 0.5 * i);
    }
    RELEASE(buffer);
    return 0;
}
