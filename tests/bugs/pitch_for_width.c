/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: rows are copied to a pitched image as if they were contiguous there
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel row_sums
 */
#include "bug.h"

#define WIDTH 100
#define HEIGHT 4

KERNEL(row_sums)(int width, size_t pitch, const int *image, int *sums)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(int, sum);
        FOR_EACH_THREAD {
            const int *const row = (const int *)((const char *)image + blockIdx.x * pitch);
            MINE(sum) = 0;
            for (int i = (int)threadIdx.x; i < width; i += 32)
                MINE(sum) += row[i];
        }
        WARP_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = MINE(sum);
    }
}

int main(void)
{
    int in[WIDTH * HEIGHT], out[HEIGHT], *image, *sums;
    size_t pitch;

    count_up(in, WIDTH * HEIGHT);
    PORTABLE_CHECK(portable_malloc_pitch(&image, &pitch, WIDTH * sizeof *image, HEIGHT));
    ALLOCATE(sums, HEIGHT);
#if FIXED
    PORTABLE_CHECK(portable_copy_to_device_2d(image, pitch, in, WIDTH * sizeof *in,
                                              WIDTH * sizeof *in, HEIGHT));
#else
    PORTABLE_CHECK(portable_copy_to_device_2d(image, WIDTH * sizeof *in, in, WIDTH * sizeof *in,
                                              WIDTH * sizeof *in, HEIGHT));
#endif
    LAUNCH(row_sums, HEIGHT, 32, 0, 0, WIDTH, pitch, image, sums);
    COPY_OUT(out, sums);
    for (int r = 0; r < HEIGHT; r++)
        EXPECT(out[r] == WIDTH * WIDTH * r + WIDTH * (WIDTH - 1) / 2);
    RELEASE(image);
    RELEASE(sums);
    return 0;
}
