/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a 2D grid lacks the bounds check for the last row of blocks
 * found by: memcheck
 * expect memcheck: error in kernel negative: a read of 1 byte
 * expect memcheck: after device array x of 800 bytes
 */
#include "bug.h"

#define WIDTH 40
#define HEIGHT 20

KERNEL(negative)(unsigned width, unsigned height, const unsigned char *x, unsigned char *y)
{
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
#if FIXED
    if (column < width && row < height)
#else
    if (column < width)
#endif
        y[row * width + column] = (unsigned char)(255 - x[row * width + column]);
    (void)height;
}

int main(void)
{
    unsigned char in[WIDTH * HEIGHT], out[WIDTH * HEIGHT], *x, *y;

    memset(in, 7, sizeof in);
    ALLOCATE(x, WIDTH * HEIGHT);
    ALLOCATE(y, WIDTH * HEIGHT);
    COPY_IN(x, in);
    LAUNCH(negative, DIM3(3, 2, 1), DIM3(16, 16, 1), 0, 0, WIDTH, HEIGHT, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        EXPECT(out[i] == 248);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
