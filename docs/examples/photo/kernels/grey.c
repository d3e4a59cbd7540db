/* SPDX-License-Identifier: 0BSD */
/* Grey levels of a colour image. */
#include "kernels/pixels.h"

/* Luma by Recommendation ITU-R BT.601, 0.299 R + 0.587 G + 0.114 B, with weights of 8 bits.
 * colour: n pixels of red, green and blue; grey: n bytes */
KERNEL(grey_levels)(int n, const unsigned char *RESTRICT colour, unsigned char *RESTRICT grey)
{
    GRID_STRIDE_LOOP(i, n) {
        const size_t red = 3 * (size_t)i;
        grey[i] = (unsigned char)((77 * colour[red] + 150 * colour[red + 1] + 29 * colour[red + 2] +
                                   128) >>
                                  8);
    }
}
