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

/* Joins touching components: a pixel, and the pixel that its label names, take the label of the pixel
 * that the least label around names. All threads read and lower labels at once, and some may miss
 * what others do; but labels only fall, and when a launch changes none, all pixels of a component
 * have the index of its first pixel, on every target and in any order.
 * labels: height x width; changed: becomes 1 if a label changes */
KERNEL(join_labels)(int width, int height, int *labels, int *changed)
{
    GRID_STRIDE_LOOP_2D(x, y, width, height) {
        const int i = y * width + x, own = ATOMIC_LOAD(&labels[i]);
        int least = own;
        if (own == BACKGROUND)
            continue;
        for (int row = clamp(y - 1, height - 1); row <= clamp(y + 1, height - 1); row++) {
            for (int column = clamp(x - 1, width - 1); column <= clamp(x + 1, width - 1);
                 column++) {
                const int label = ATOMIC_LOAD(&labels[row * width + column]);
                least = label < least ? label : least;
            }
        }
        least = ATOMIC_LOAD(&labels[least]);
        if (least < own) {
            ATOMIC_MIN(&labels[i], least);
            ATOMIC_MIN(&labels[own], least);
            ATOMIC_STORE(changed, 1);
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
