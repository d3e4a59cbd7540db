/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a row's start is computed with the number of rows instead of columns
 * found by: memcheck
 * expect memcheck: error in kernel ramp: a write of 4 bytes
 * expect memcheck: after device array y of 3072 bytes
 */
#include "bug.h"

#define WIDTH 16
#define HEIGHT 48

KERNEL(ramp)(int width, int height, int *y)
{
    FOR_EACH_BLOCK(16, 16) {
        FOR_EACH_THREAD {
            const int column = (int)threadIdx.x, row = (int)(blockIdx.y * 16 + threadIdx.y);
#if FIXED
            y[row * width + column] = row + column;
#else
            y[row * height + column] = row + column;
#endif
        }
    }
    (void)width, (void)height;
}

int main(void)
{
    int out[WIDTH * HEIGHT], *y;

    ALLOCATE(y, WIDTH * HEIGHT);
    LAUNCH(ramp, DIM3(1, 3, 1), DIM3(16, 16, 1), 0, 0, WIDTH, HEIGHT, y);
    COPY_OUT(out, y);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        EXPECT(out[i] == i / WIDTH + i % WIDTH);
    RELEASE(y);
    return 0;
}
