/* SPDX-License-Identifier: 0BSD */
/* Connected components of edge pixels by label propagation, and hysteresis, the second half of
 * Canny's method: a component stays if one of its pixels is strong. */
#include "kernels/pixels.h"

/* Each edge pixel is a component of its own.  marks: n bytes; labels: n */
KERNEL(start_labels)(int n, const unsigned char *RESTRICT marks, int *RESTRICT labels)
{
    GRID_STRIDE_LOOP(i, n)
        labels[i] = marks[i] == NO_EDGE ? BACKGROUND : i;
}

/* Joins touching components. A pixel and the pixel that its label names take the least label around
 * them, and then the label of the pixel that this names. Reads `labels` and lowers `next`, so that
 * no pixel depends on the order of others. When nothing changes, all pixels of a component have the
 * index of its first pixel.
 * labels, next: height x width, the same values; changed: becomes 1 if a label changes */
KERNEL(join_labels)(int width, int height, const int *RESTRICT labels, int *RESTRICT next,
                    int *RESTRICT changed)
{
    GRID_STRIDE_LOOP_2D(x, y, width, height) {
        const int i = y * width + x, own = labels[i];
        int least = own;
        if (own == BACKGROUND)
            continue;
        for (int row = clamp(y - 1, height - 1); row <= clamp(y + 1, height - 1); row++) {
            for (int column = clamp(x - 1, width - 1); column <= clamp(x + 1, width - 1);
                 column++) {
                const int label = labels[row * width + column];
                least = label < least ? label : least;
            }
        }
        least = labels[least];
        if (least < own) {
            ATOMIC_MIN(&next[i], least);
            ATOMIC_MIN(&next[own], least);
            ATOMIC_MAX(changed, 1);
        }
    }
}

/* strong[k] = 1 if a pixel with label k is strong.  marks, labels: n; strong: n, 0 at first */
KERNEL(find_strong)(int n, const unsigned char *RESTRICT marks, const int *RESTRICT labels,
                    int *RESTRICT strong)
{
    GRID_STRIDE_LOOP(i, n) {
        if (marks[i] == STRONG_EDGE)
            ATOMIC_MAX(&strong[labels[i]], 1);
    }
}

/* labels, strong, kept: n */
KERNEL(keep_strong)(int n, const int *RESTRICT labels, const int *RESTRICT strong,
                    int *RESTRICT kept)
{
    GRID_STRIDE_LOOP(i, n)
        kept[i] = labels[i] != BACKGROUND && strong[labels[i]] ? labels[i] : BACKGROUND;
}
