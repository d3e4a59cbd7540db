/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a copy to the second half of an array has the length of the whole array
 * found by: memcheck
 * expect memcheck: error in host code
 * expect memcheck: portable_copy_to_device: 512 bytes from byte 256
 */
#include "bug.h"

#define N 128

KERNEL(doubled)(const int *x, int *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    ZERO(x, N);
#if FIXED
    PORTABLE_CHECK(portable_copy_to_device(x + N / 2, in, sizeof in / 2));
#else
    PORTABLE_CHECK(portable_copy_to_device(x + N / 2, in, sizeof in));
#endif
    LAUNCH(doubled, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i < N / 2 ? 0 : 2 * (i - N / 2)));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
