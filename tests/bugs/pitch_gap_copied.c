/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a pitched image is copied to the host with the gaps after its rows
 * found by: initcheck
 * expect initcheck: copy to the host of uninitialised memory
 */
#include "bug.h"

#define WIDTH 100
#define HEIGHT 4

KERNEL(ramp)(int width, int height, size_t pitch, int *image)
{
    GRID_STRIDE_LOOP_2D(column, row, width, height) {
        int *const start = (int *)((char *)image + (size_t)row * pitch);
        start[column] = row * width + column;
    }
}

int main(void)
{
    int *image, *out;
    size_t pitch;

    PORTABLE_CHECK(portable_malloc_pitch(&image, &pitch, WIDTH * sizeof *image, HEIGHT));
    out = (int *)calloc(HEIGHT, pitch);
    LAUNCH(ramp, DIM3(2, 1, 1), DIM3(16, 4, 1), 0, 0, WIDTH, HEIGHT, pitch, image);
#if FIXED
    PORTABLE_CHECK(portable_copy_to_host_2d(out, pitch, image, pitch, WIDTH * sizeof *out, HEIGHT));
#else
    PORTABLE_CHECK(portable_copy_to_host(out, image, HEIGHT * pitch));
#endif
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        EXPECT(out[(size_t)(i / WIDTH) * (pitch / sizeof *out) + (size_t)(i % WIDTH)] == i);
    RELEASE(image);
    free(out);
    return 0;
}
