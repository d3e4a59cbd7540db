/* SPDX-License-Identifier: 0BSD */
/* Constants and functions of a pixel, for the kernels and for plain C. */
#ifndef PHOTO_PIXELS_H
#define PHOTO_PIXELS_H

#include "portable.h"

#include <limits.h> /* INT_MAX */

/* The bilateral filter's window. Weights are at most 256, so that the weighted sum of a window,
 * 121 * 256 * 256 * 255, fits into 32 bits. */
#define RADIUS 5
#define DIAMETER (2 * RADIUS + 1)

/* The label of pixels outside of all components; every other label is the index of a pixel. */
#define BACKGROUND INT_MAX

/* Clamps to 0...last. */
DEVICE int clamp(int i, int last)
{
    const int above = i > 0 ? i : 0;
    return above < last ? above : last;
}

/* The words of a row of bits, 32 to a word. */
DEVICE int words_of(int width)
{
    return (width + 31) / 32;
}

DEVICE int absolute(int i)
{
    return i < 0 ? -i : i;
}

#endif
