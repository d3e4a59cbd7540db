/* SPDX-License-Identifier: 0BSD */
/* Connected components of edge pixels, and hysteresis, the second half of Canny's method: a
 * component stays if one of its pixels is strong.
 *
 * What is joined are runs: edge pixels next to each other, as bits of a word for 32 pixels of a
 * row. Each has a label, the number of an earlier run of its component, or its own number if it is
 * a root. All threads read and lower labels at once, atomically: D. P. Playne and K. Hawick, "A new
 * algorithm for parallel connected-component labelling on GPUs", IEEE Transactions on Parallel and
 * Distributed Systems 29(6), 2018. In any order, all runs of a component come to lead to its first
 * one. Each tile is joined within itself, in shared memory, and then to those before it. */
#include "kernels/pixels.h"

/* A tile's edge, in pixels; the most runs of a word; the rows of threads of a block. */
#define TILE_EDGE 32
#define WORD_RUNS 16
#define TILE_THREADS 8

/* The verdict on a run that is not the first of a component within its tile. */
#define NO_VERDICT (-1)

/* The root that run i leads to. Runs on the way lead to the one after the next from now on: J.
 * Jaiganesh and M. Burtscher, "A high-performance connected components implementation for GPUs",
 * HPDC 2018. */
DEVICE int find_root(int *labels, int i)
{
    int label = ATOMIC_LOAD(&labels[i]);
    while (label != i) {
        const int next = ATOMIC_LOAD(&labels[label]);
        if (next != label)
            ATOMIC_STORE(&labels[i], next);
        i = label;
        label = next;
    }
    return i;
}

/* Makes the later of the roots of runs a and b lead to the earlier one. If another thread has
 * meanwhile joined the later root to a third run, continues with that. */
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

/* The number of the lowest set bit. */
DEVICE int lowest_bit(unsigned word)
{
    return POPCOUNT((word & -word) - 1);
}

/* The bits where runs begin. */
DEVICE unsigned run_starts(unsigned row)
{
    return row & ~(row << 1);
}

/* The number, in its row, of the run that has bit x. */
DEVICE int run_at(unsigned row, int x)
{
    return POPCOUNT(run_starts(row) & ((2u << x) - 1)) - 1;
}

/* The bits of the run that begins at bit x: the carry ends it. */
DEVICE unsigned run_bits(unsigned row, int x)
{
    return row & ~(row + (1u << x)) & ~0u << x;
}

/* The bits of row y - 1 that touch the run of row y which begins at bit x. */
DEVICE unsigned touched_above(const unsigned *row, int x, int y)
{
    const unsigned bits = run_bits(row[y], x);
    return y > 0 ? row[y - 1] & (bits | bits << 1 | bits >> 1) : 0;
}

/* The first run of row y - 1 that has one of the touched bits. */
DEVICE int run_above(unsigned above, int y, unsigned touched)
{
    return (y - 1) * WORD_RUNS + run_at(above, lowest_bit(touched));
}

/* Four bytes, of 0 or 1 each, as bits. */
DEVICE unsigned pack(unsigned bytes)
{
    return bytes * 0x10204080u >> 28;
}

/* The marks of four pixels from (x, y) on, the first in the lowest byte; outside of the image
 * NO_EDGE. */
DEVICE unsigned four_marks(const unsigned char *marks, int width, int height, int x, int y)
{
    const int left = width - x, i = y * width + x;
    if (y >= height || left <= 0)
        return 0;
    if (width % 4 == 0)
        return *(const unsigned *)(const void *)&marks[i];
    unsigned word = marks[i];
    for (int k = 1; k < 4 && k < left; k++)
        word |= (unsigned)marks[i + k] << 8 * k;
    return word;
}

/* The labels of each tile by itself. The verdict on the first run of a component within the tile is
 * its first pixel if a pixel of it is strong, and BACKGROUND if not; on other runs NO_VERDICT.
 * grid: a block for each tile; marks: height x width bytes, at an address that is a multiple of 4;
 * edges: height x words, a bit for each pixel, the lowest first; labels, verdicts: height x words x
 * WORD_RUNS, set for the runs that there are */
KERNEL(label_tiles)(int width, int height, const unsigned char *RESTRICT marks,
                    unsigned *RESTRICT edges, int *RESTRICT labels, int *RESTRICT verdicts)
{
    FOR_EACH_BLOCK(TILE_EDGE, TILE_THREADS) {
        SHARED(unsigned char, edge_bits, [TILE_EDGE * 8]); /* of four pixels each */
        SHARED(unsigned char, strong_bits, [TILE_EDGE * 8]);
        SHARED(unsigned, row, [TILE_EDGE]);
        SHARED(unsigned, strong_row, [TILE_EDGE]);
        SHARED(int, label, [TILE_EDGE * WORD_RUNS]);
        SHARED(int, strong, [TILE_EDGE * WORD_RUNS]);
        SHARED(int, first_bit, [TILE_EDGE * WORD_RUNS]);
        SHARED(int, runs, [TILE_EDGE * WORD_RUNS]); /* those that there are */
        SHARED(int, count, [1]);
        const int left = (int)blockIdx.x * TILE_EDGE, top = (int)blockIdx.y * TILE_EDGE;
        const int words = (int)gridDim.x, word = top * words + (int)blockIdx.x;
        FOR_EACH_THREAD {
            const int rank = (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
            const unsigned four =
                four_marks(marks, width, height, left + rank % 8 * 4, top + rank / 8);
            edge_bits[rank] = (unsigned char)pack((four | four >> 1) & 0x01010101);
            strong_bits[rank] = (unsigned char)pack(four >> 1 & 0x01010101);
            if (rank == 0)
                count[0] = 0;
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            const int y = (int)(threadIdx.y * TILE_EDGE + threadIdx.x);
            if (y < TILE_EDGE) {
                unsigned of_edges = 0, of_strong = 0;
                for (int k = 0; k < 8; k++) {
                    of_edges |= (unsigned)edge_bits[8 * y + k] << 4 * k;
                    of_strong |= (unsigned)strong_bits[8 * y + k] << 4 * k;
                }
                row[y] = of_edges;
                strong_row[y] = of_strong;
                if (top + y < height)
                    edges[word + y * words] = of_edges;
                unsigned starts = run_starts(of_edges);
                int k = ATOMIC_ADD(&count[0], POPCOUNT(starts));
                for (int run = y * WORD_RUNS; starts; run++) {
                    first_bit[run] = lowest_bit(starts);
                    strong[run] = 0;
                    runs[k++] = run;
                    starts &= starts - 1;
                }
            }
        }
        SYNC_THREADS();
        /* A run leads to the first that touches it in the row above: these are joined already. */
        FOR_EACH_THREAD {
            for (int k = (int)(threadIdx.y * TILE_EDGE + threadIdx.x); k < count[0];
                 k += TILE_EDGE * TILE_THREADS) {
                const int run = runs[k], y = run / WORD_RUNS;
                const unsigned touched = touched_above(row, first_bit[run], y);
                label[run] = touched ? run_above(row[y - 1], y, touched) : run;
            }
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            for (int k = (int)(threadIdx.y * TILE_EDGE + threadIdx.x); k < count[0];
                 k += TILE_EDGE * TILE_THREADS) {
                const int run = runs[k], y = run / WORD_RUNS;
                unsigned touched = touched_above(row, first_bit[run], y);
                while (touched) {
                    const unsigned above = row[y - 1];
                    const int other = run_above(above, y, touched);
                    touched &= ~run_bits(above, first_bit[other]);
                    if (touched)
                        join(label, other, run_above(above, y, touched));
                }
            }
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            for (int k = (int)(threadIdx.y * TILE_EDGE + threadIdx.x); k < count[0];
                 k += TILE_EDGE * TILE_THREADS) {
                const int run = runs[k], y = run / WORD_RUNS, root = find_root(label, run);
                labels[(word + y * words) * WORD_RUNS + run % WORD_RUNS] =
                    (word + root / WORD_RUNS * words) * WORD_RUNS + root % WORD_RUNS;
                if (strong_row[y] & run_bits(row[y], first_bit[run]))
                    ATOMIC_STORE(&strong[root], 1);
            }
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            for (int k = (int)(threadIdx.y * TILE_EDGE + threadIdx.x); k < count[0];
                 k += TILE_EDGE * TILE_THREADS) {
                const int run = runs[k], y = run / WORD_RUNS;
                const int pixel = (top + y) * width + left + first_bit[run];
                verdicts[(word + y * words) * WORD_RUNS + run % WORD_RUNS] =
                    label[run] != run ? NO_VERDICT
                    : strong[run]     ? pixel
                                      : BACKGROUND;
            }
        }
    }
}

/* Whether the pixel is in the image and an edge. */
DEVICE int is_edge(const unsigned *edges, int words, int height, int x, int y)
{
    return x >= 0 && x / 32 < words && y >= 0 && y < height &&
           (edges[y * words + x / 32] >> x % 32 & 1);
}

/* The number of an edge pixel's run. */
DEVICE int run_of(const unsigned *edges, int words, int x, int y)
{
    const int word = y * words + x / 32;
    return word * WORD_RUNS + run_at(edges[word], x % 32);
}

/* Joins the runs at the upper and the left border of each tile to those of other tiles. A pair of
 * pixels is left out if a third is next to both, or if the pair before it joins the same runs.
 * grid: 8 words of a row of tiles for a block; edges, labels: of label_tiles */
KERNEL(join_tiles)(int words, int height, const unsigned *RESTRICT edges, int *labels)
{
    FOR_EACH_BLOCK(TILE_EDGE, TILE_THREADS) {
        FOR_EACH_THREAD {
            const int left = (int)(blockIdx.x * TILE_THREADS + threadIdx.y) * TILE_EDGE;
            const int top = (int)blockIdx.y * TILE_EDGE;
            for (int side = 0; side < 2; side++) {
                /* The pixel, and the step to the one before it along the border. */
                const int x = left + (side == 0 ? (int)threadIdx.x : 0), dx = side == 0;
                const int y = top + (side == 1 ? (int)threadIdx.x : 0), dy = side == 1;
                if ((side == 0 ? y : x) == 0 || !is_edge(edges, words, height, x, y))
                    continue;
                const int ox = x - dy, oy = y - dx; /* across the border */
                const int run = run_of(edges, words, x, y);
                const int before = is_edge(edges, words, height, x - dx, y - dy);
                const int corner = is_edge(edges, words, height, ox - dx, oy - dy);
                if (is_edge(edges, words, height, ox, oy)) {
                    /* Where four tiles meet, either pair would be left out for the other's. */
                    if (!(before && corner) || (side == 1 && threadIdx.x == 0))
                        join(labels, run, run_of(edges, words, ox, oy));
                    continue;
                }
                if (corner && !before)
                    join(labels, run, run_of(edges, words, ox - dx, oy - dy));
                if (is_edge(edges, words, height, ox + dx, oy + dy))
                    join(labels, run, run_of(edges, words, ox + dx, oy + dy));
            }
        }
    }
}

/* Finds the root of each run that has a verdict, and makes the verdict on the root that of a strong
 * one, if this is strong.  edges, labels, verdicts: of label_tiles; roots: as labels */
KERNEL(find_roots)(int width, int words, int height, const unsigned *RESTRICT edges,
                   const int *RESTRICT labels, int *verdicts, int *RESTRICT roots)
{
    FOR_EACH_BLOCK(0) {
        SHARED(int, latest, [1]); /* root that a thread has made strong: others need not */
        FOR_EACH_THREAD {
            if (threadIdx.x == 0)
                ATOMIC_STORE(&latest[0], -1);
        }
        SYNC_THREADS();
        FOR_EACH_ELEMENT(word, words * height) {
            const int end = word * WORD_RUNS + POPCOUNT(run_starts(edges[word]));
            for (int run = word * WORD_RUNS; run < end; run++) {
                const int verdict = ATOMIC_LOAD(&verdicts[run]);
                if (verdict == NO_VERDICT)
                    continue;
                int root = run;
                while (labels[root] != root)
                    root = labels[root];
                roots[run] = root;
                if (verdict == BACKGROUND || root == run || ATOMIC_LOAD(&latest[0]) == root)
                    continue;
                const int first = root / WORD_RUNS;
                unsigned starts = run_starts(edges[first]);
                for (int k = root % WORD_RUNS; k > 0; k--)
                    starts &= starts - 1;
                ATOMIC_STORE(&verdicts[root],
                             first / words * width + first % words * 32 + lowest_bit(starts));
                ATOMIC_STORE(&latest[0], root);
            }
        }
    }
}

/* The label of a pixel is the verdict on its component.
 * grid: a block for each tile; edges, labels, verdicts, roots: of the kernels above; kept: height x
 * width */
KERNEL(keep_strong)(int width, int height, const unsigned *RESTRICT edges,
                    const int *RESTRICT labels, const int *RESTRICT verdicts,
                    const int *RESTRICT roots, int *RESTRICT kept)
{
    FOR_EACH_BLOCK(TILE_EDGE, TILE_THREADS) {
        FOR_EACH_THREAD {
            const int x = (int)(blockIdx.x * TILE_EDGE + threadIdx.x);
            const int top = (int)(blockIdx.y * TILE_EDGE + threadIdx.y);
            if (x >= width)
                continue;
            UNROLL(TILE_EDGE / TILE_THREADS)
            for (int k = 0; k < TILE_EDGE / TILE_THREADS; k++) {
                const int y = top + k * TILE_THREADS, word = y * (int)gridDim.x + (int)blockIdx.x;
                const unsigned row = y < height ? edges[word] : 0;
                int label = BACKGROUND;
                if (row >> threadIdx.x & 1)
                    label = verdicts[roots[labels[word * WORD_RUNS + run_at(row, x % 32)]]];
                if (y < height)
                    kept[y * width + x] = label;
            }
        }
    }
}
