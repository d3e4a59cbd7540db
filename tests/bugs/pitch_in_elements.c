/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the pitch, in bytes, is added to a pointer to int
 * found by: memcheck
 * expect memcheck: error in kernel ramp: a write of 4 bytes
 */
#include "bug.h"

#define WIDTH 32
#define HEIGHT 4

KERNEL(ramp)(size_t pitch, int *image)
{
    const unsigned row = blockIdx.x;
#if FIXED
    int *const start = (int *)((char *)image + row * pitch);
#else
    int *const start = image + row * pitch;
#endif
    start[threadIdx.x] = (int)(row * WIDTH + threadIdx.x);
}

int main(void)
{
    int out[WIDTH * HEIGHT], *image;
    size_t pitch;

    PORTABLE_CHECK(portable_malloc_pitch(&image, &pitch, WIDTH * sizeof *image, HEIGHT));
    LAUNCH(ramp, HEIGHT, WIDTH, 0, 0, pitch, image);
    PORTABLE_CHECK(portable_copy_to_host_2d(out, WIDTH * sizeof *out, image, pitch,
                                            WIDTH * sizeof *out, HEIGHT));
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        EXPECT(out[i] == i);
    RELEASE(image);
    return 0;
}
