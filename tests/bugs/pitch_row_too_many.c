/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the row after the last row of a pitched image is written
 * found by: memcheck
 * expect memcheck: error in kernel ramp: a write of 4 bytes
 * expect memcheck: 0 bytes after device array image of
 */
#include "bug.h"

#define WIDTH 100
#define HEIGHT 12

KERNEL(ramp)(int width, int height, size_t pitch, int *image)
{
#if FIXED
    GRID_STRIDE_LOOP_2D(column, row, width, height) {
#else
    GRID_STRIDE_LOOP_2D(column, row, width, height + 1) {
#endif
        int *const start = (int *)((char *)image + (size_t)row * pitch);
        start[column] = row * width + column;
    }
}

int main(void)
{
    int out[WIDTH * HEIGHT], *image;
    size_t pitch;

    PORTABLE_CHECK(portable_malloc_pitch(&image, &pitch, WIDTH * sizeof *image, HEIGHT));
    LAUNCH(ramp, DIM3(2, 2, 1), DIM3(16, 4, 1), 0, 0, WIDTH, HEIGHT, pitch, image);
    PORTABLE_CHECK(portable_copy_to_host_2d(out, WIDTH * sizeof *out, image, pitch,
                                            WIDTH * sizeof *out, HEIGHT));
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        EXPECT(out[i] == i);
    RELEASE(image);
    return 0;
}
