/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a thread writes past the end of a local array
 * found by: memcheck
 * expect memcheck: error in kernel count_residues
 */
#include "bug.h"

#define N 128
#if FIXED
#define RESIDUES 5
#else
#define RESIDUES 4
#endif

KERNEL(count_residues)(const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const int first = (int)(blockIdx.x * 64 + threadIdx.x) * 8;
            int counts[RESIDUES] = {0};
            for (int k = 0; k < 8; k++)
                counts[x[first + k] % 5]++;
            y[first / 8] = counts[1] + counts[3];
        }
    }
}

int main(void)
{
    int in[8 * N], out[N], *x, *y;

    count_up(in, 8 * N);
    ALLOCATE(x, 8 * N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(count_residues, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++) {
        int expected = 0;
        for (int k = 8 * i; k < 8 * i + 8; k++)
            expected += k % 5 == 1 || k % 5 == 3;
        EXPECT(out[i] == expected);
    }
    RELEASE(x);
    RELEASE(y);
    return 0;
}
