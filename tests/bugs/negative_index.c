/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a window of seven elements is not clipped at the left end
 * found by: memcheck
 * expect memcheck: error in kernel windows: a read of 4 bytes
 * expect memcheck: 12 bytes before device array x of 512 bytes
 */
#include "bug.h"

#define N 128
#define RADIUS 3

KERNEL(windows)(int n, const int *x, int *y)
{
    GRID_STRIDE_LOOP(i, n) {
        int sum = 0;
        for (int k = i - RADIUS; k <= i + RADIUS; k++) {
#if FIXED
            if (k >= 0 && k < n)
#else
            if (k < n)
#endif
                sum += x[k];
        }
        y[i] = sum;
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(windows, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = RADIUS; i < N - RADIUS; i++)
        EXPECT(out[i] == 7 * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
