/* SPDX-License-Identifier: 0BSD */
/* Connected components of edge pixels, and hysteresis, the second half of Canny's method: a
 * component stays if one of its pixels is strong.
 *
 * Each pixel has a label, the index of an earlier pixel of its component, or its own index if it is
 * a root. All threads read and lower labels at once, atomically: D. P. Playne and K. Hawick, "A new
 * algorithm for parallel connected-component labelling on GPUs", IEEE Transactions on Parallel and
 * Distributed Systems 29(6), 2018. In any order, all pixels of a component come to lead to its
 * first pixel. */
#include "kernels/pixels.h"

/* The root that pixel i leads to. */
DEVICE int find_root(int *labels, int i)
{
    for (int label = ATOMIC_LOAD(&labels[i]); label != i; label = ATOMIC_LOAD(&labels[i]))
        i = label;
    return i;
}

/* Makes the later of the roots of pixels a and b lead to the earlier one. If another thread has
 * meanwhile joined the later root to a third pixel, continues with that pixel. */
DEVICE void join(int *labels, int a, int b)
{
    for (;;) {
        a = find_root(labels, a);
        b = find_root(labels, b);
        const int later = a > b ? a : b, earlier = a > b ? b : a;
        if (later == earlier)
            return;
        a = ATOMIC_MIN(&labels[later], earlier);
        if (a == later)
            return;
        b = earlier;
    }
}

/* Each edge pixel is a root.  marks: n bytes; labels, strong: n */
KERNEL(start_labels)(int n, const unsigned char *RESTRICT marks, int *RESTRICT labels,
                     int *RESTRICT strong)
{
    GRID_STRIDE_LOOP(i, n) {
        labels[i] = marks[i] == NO_EDGE ? BACKGROUND : i;
        strong[i] = 0;
    }
}

/* Joins each edge pixel to those before it among its eight neighbours.
 * marks: height x width bytes; labels: height x width */
KERNEL(join_neighbours)(int width, int height, const unsigned char *RESTRICT marks, int *labels)
{
    GRID_STRIDE_LOOP_2D(x, y, width, height) {
        const int i = y * width + x;
        if (marks[i] == NO_EDGE)
            continue;
        if (x > 0 && marks[i - 1] != NO_EDGE)
            join(labels, i, i - 1);
        for (int column = x > 0 ? -1 : 0; y > 0 && column <= 1 && x + column < width; column++) {
            if (marks[i - width + column] != NO_EDGE)
                join(labels, i, i - width + column);
        }
    }
}

/* Each edge pixel gets its root as its label; strong[k] becomes 1 if a pixel of root k is strong.
 * marks: n bytes; labels, strong: n */
KERNEL(settle_labels)(int n, const unsigned char *RESTRICT marks, int *labels, int *RESTRICT strong)
{
    GRID_STRIDE_LOOP(i, n) {
        if (marks[i] == NO_EDGE)
            continue;
        const int root = find_root(labels, i);
        ATOMIC_STORE(&labels[i], root);
        if (marks[i] == STRONG_EDGE)
            ATOMIC_STORE(&strong[root], 1);
    }
}

/* labels, strong, kept: n */
KERNEL(keep_strong)(int n, const int *RESTRICT labels, const int *RESTRICT strong,
                    int *RESTRICT kept)
{
    GRID_STRIDE_LOOP(i, n)
        kept[i] = labels[i] != BACKGROUND && strong[labels[i]] ? labels[i] : BACKGROUND;
}
