/* SPDX-License-Identifier: BSD-3-Clause */
/* Resampling: arrays and images read through a texture between and outside their elements. The
 * texture's modes define those values. */
#include "portable.h"

/* Maps row and column of the result to the texture: u = a x + b y + c, v = d x + e y + f. */
typedef struct affine {
    float a, b, c, d, e, f;
} affine;

/* out[i] = texture at scale i + shift.  out: n elements */
KERNEL(resample_line)(int n, portable_texture texture, float scale, float shift,
                      float *RESTRICT out)
{
    GRID_STRIDE_LOOP(i, n)
        out[i] = TEXTURE_1D(texture, scale * (float)i + shift);
}

/* out(x, y) = texture at map(x, y).  out: height x width elements, row-major */
KERNEL(resample_plane)(int width, int height, portable_texture texture, affine map,
                       float *RESTRICT out)
{
    GRID_STRIDE_LOOP_2D(x, y, width, height) {
        const float u = map.a * (float)x + map.b * (float)y + map.c;
        const float v = map.d * (float)x + map.e * (float)y + map.f;
        out[(size_t)y * (size_t)width + (size_t)x] = TEXTURE_2D(texture, u, v);
    }
}

/* The same for a grey image, rounded to the nearest, half up: the texture returns 0 to 1. */
KERNEL(resample_image)(int width, int height, portable_texture image, affine map,
                       unsigned char *RESTRICT out)
{
    GRID_STRIDE_LOOP_2D(x, y, width, height) {
        const float u = map.a * (float)x + map.b * (float)y + map.c;
        const float v = map.d * (float)x + map.e * (float)y + map.f;
        out[(size_t)y * (size_t)width + (size_t)x] =
            (unsigned char)(TEXTURE_2D(image, u, v) * 255 + 0.5f);
    }
}
