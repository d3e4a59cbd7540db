/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a row of a pitched image is read beyond its width, in the gap before the next row
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel right_neighbours
 */
#include "bug.h"

#define WIDTH 100
#define HEIGHT 4

KERNEL(right_neighbours)(unsigned width, size_t pitch, const int *image, int *y)
{
    const unsigned column = threadIdx.x, row = blockIdx.x;
    const int *const start = (const int *)((const char *)image + row * pitch);
#if FIXED
    y[row * width + column] = start[column + 1 < width ? column + 1 : column];
#else
    y[row * width + column] = start[column + 1];
#endif
}

int main(void)
{
    int in[WIDTH * HEIGHT], out[WIDTH * HEIGHT], *image, *y;
    size_t pitch;

    count_up(in, WIDTH * HEIGHT);
    PORTABLE_CHECK(portable_malloc_pitch(&image, &pitch, WIDTH * sizeof *image, HEIGHT));
    ALLOCATE(y, WIDTH * HEIGHT);
    PORTABLE_CHECK(portable_copy_to_device_2d(image, pitch, in, WIDTH * sizeof *in,
                                              WIDTH * sizeof *in, HEIGHT));
    LAUNCH(right_neighbours, HEIGHT, WIDTH, 0, 0, WIDTH, pitch, image, y);
    COPY_OUT(out, y);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        EXPECT(out[i] == (i % WIDTH + 1 < WIDTH ? i + 1 : i));
    RELEASE(image);
    RELEASE(y);
    return 0;
}
