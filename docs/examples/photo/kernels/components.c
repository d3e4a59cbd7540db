/* SPDX-License-Identifier: 0BSD */
/* Connected components of edge pixels, and hysteresis, the second half of Canny's method: a
 * component stays if one of its pixels is strong.
 *
 * Sets of pixels are trees: each member leads to an earlier one, and the first, the root, to itself
 * if the set is strong and to BACKGROUND if it is weak. All threads read and lower these labels at
 * once, atomically: D. P. Playne and K. Hawick, "A new algorithm for parallel connected-component
 * labelling on GPUs", IEEE Transactions on Parallel and Distributed Systems 29(6), 2018. In any
 * order, all of a component come to lead to its first pixel.
 *
 * Within a tile of 32 x 32 pixels the members are runs: edge pixels next to each other in a row, as
 * bits of a word. A block joins those of a few tiles side by side, in shared memory. Then only the
 * first pixels of the tiles' components are members; their labels are in the image of labels. */
#include "kernels/pixels.h"

/* A tile's edge, in pixels; the tiles of a block; their rows; the most runs in a row and in all. */
#define TILE_EDGE 32
#define TILES 8
#define BLOCK_ROWS (TILES * TILE_EDGE)
#define ROW_RUNS (TILE_EDGE / 2)
#define BLOCK_RUNS (BLOCK_ROWS * ROW_RUNS)

/* What a run is stored as: its place, which is its row in the block times 32, plus its first bit;
 * the place of the first run of its component in the tile; and its length, less 1. */
#define FIRST_SHIFT 13
#define LENGTH_SHIFT 26
#define PLACE_MASK ((1 << FIRST_SHIFT) - 1)

/* The root that i leads to, and its label. Members on the way lead to the one after the next from
 * now on: J. Jaiganesh and M. Burtscher, "A high-performance connected components implementation
 * for GPUs", HPDC 2018. */
DEVICE int find_root(int *labels, int i, int *label)
{
    *label = ATOMIC_LOAD(&labels[i]);
    while (*label < i) {
        const int next = ATOMIC_LOAD(&labels[*label]);
        if (next < *label)
            ATOMIC_STORE(&labels[i], next);
        i = *label;
        *label = next;
    }
    return i;
}

/* Makes the root of i strong. */
DEVICE void strengthen(int *labels, int i)
{
    for (;;) {
        int label = ATOMIC_LOAD(&labels[i]);
        if (label > i)
            label = ATOMIC_MIN(&labels[i], i);
        if (label >= i)
            return;
        i = label;
    }
}

/* Makes the later of the roots of a and b lead to the earlier one, and this strong if that was. If
 * it has been strong already, whoever joins it to another root does so. If another thread has
 * meanwhile joined the later root to a third member, continues with that. */
DEVICE void join(int *labels, int a, int b)
{
    while (a != b) {
        int label_a, label_b;
        a = find_root(labels, a, &label_a);
        b = find_root(labels, b, &label_b);
        if (a == b)
            return;
        const int later = a > b ? a : b, earlier = a > b ? b : a;
        const int is_strong = (a > b ? label_b : label_a) == earlier;
        a = ATOMIC_MIN(&labels[later], earlier);
        b = earlier;
        if (a == later && !is_strong)
            strengthen(labels, earlier);
        if (a >= later)
            return;
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

/* The bits from the lowest to the end of its run in the row: a carry ends it. */
DEVICE unsigned run_bits(unsigned row, unsigned bits)
{
    return row & ~(row + (bits & -bits)) & -(bits & -bits);
}

/* The number of the run that has the lowest of the bits, in a row whose runs end before `end`. */
DEVICE int run_at(unsigned row, int end, unsigned bits)
{
    return end - 1 - POPCOUNT(run_starts(row) & -(2 * (bits & -bits)));
}

/* The bits in the row above that touch the run at a place. */
DEVICE unsigned touched_above(const unsigned *rows, int place)
{
    const int row = place / TILE_EDGE;
    const unsigned bits = run_bits(rows[row], 1u << place % TILE_EDGE);
    return row % TILE_EDGE > 0 ? rows[row - 1] & (bits | bits << 1 | bits >> 1) : 0;
}

/* The index of the pixel at a place, in the tiles from column `left` and row `top` on. */
DEVICE int pixel_at(int width, int left, int top, int place)
{
    const int x = left + place / (TILE_EDGE * TILE_EDGE) * TILE_EDGE + place % TILE_EDGE;
    return (top + place / TILE_EDGE % TILE_EDGE) * width + x;
}

/* The word at column x and row y; outside of the image 0. */
DEVICE unsigned word_at(const unsigned *edges, int width, int height, int x, int y)
{
    const int words = words_of(width);
    return x >= 0 && x < words && y >= 0 && y < height ? edges[y * words + x] : 0;
}

/* The components of each tile by itself.
 * grid: a block for TILES tiles of a row; edges, strong: height x words, a bit for each pixel, the
 * lowest first; for each block, ends: of each row of each tile, the number of runs up to its last;
 * runs: the runs in this order; kept: of the first pixel of each component in a tile, the root */
KERNEL(label_tiles)(int width, int height, const unsigned *RESTRICT edges,
                    const unsigned *RESTRICT strong, int *RESTRICT ends, int *RESTRICT runs,
                    int *RESTRICT kept)
{
    FOR_EACH_BLOCK(TILE_EDGE, TILES) {
        SHARED(unsigned, rows, [BLOCK_ROWS]);
        SHARED(unsigned, firm, [BLOCK_ROWS]);
        SHARED(int, end, [BLOCK_ROWS]);
        SHARED(unsigned short, places, [BLOCK_RUNS]);
        SHARED(int, label, [BLOCK_RUNS]);
        PRIVATE(int, upto);
        const int top = (int)blockIdx.y * TILE_EDGE, left = (int)blockIdx.x * BLOCK_ROWS;
        const int block = (int)(blockIdx.y * gridDim.x + blockIdx.x);
        FOR_EACH_THREAD {
            const int x = left / TILE_EDGE + (int)threadIdx.y, y = top + (int)threadIdx.x;
            const int row = (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
            rows[row] = word_at(edges, width, height, x, y);
            firm[row] = word_at(strong, width, height, x, y);
            MINE(upto) = POPCOUNT(run_starts(rows[row]));
        }
        BLOCK_SCAN_ADD_INCLUSIVE(upto, upto);
        FOR_EACH_THREAD {
            const int row = (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
            unsigned starts = run_starts(rows[row]);
            end[row] = ends[block * BLOCK_ROWS + row] = MINE(upto);
            for (int run = MINE(upto) - POPCOUNT(starts); starts; run++) {
                places[run] = (unsigned short)(row * TILE_EDGE + lowest_bit(starts));
                starts &= starts - 1;
            }
        }
        SYNC_THREADS();
        const int count = end[BLOCK_ROWS - 1];
        /* A run leads to the first that touches it in the row above: these are joined already. */
        for (int base = 0; base < count; base += BLOCK_ROWS) {
            FOR_THREADS_BELOW(count - base) {
                const int run = base + (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
                const int above = places[run] / TILE_EDGE - 1;
                const unsigned touched = touched_above(rows, places[run]);
                label[run] = touched ? run_at(rows[above], end[above], touched) : BACKGROUND;
            }
        }
        SYNC_THREADS();
        /* It leads to its root, so that the joins are short. Each loop ends with a barrier because
         * lanes that find their roots at different times would run the next turn one by one. */
        for (int base = 0; base < count; base += BLOCK_ROWS) {
            FOR_THREADS_BELOW(count - base) {
                const int run = base + (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
                int unused;
                const int root = find_root(label, run, &unused);
                if (root != run)
                    ATOMIC_STORE(&label[run], root);
            }
            SYNC_WARP();
        }
        SYNC_THREADS();
        /* It joins the others in the row above that touch it. */
        for (int base = 0; base < count; base += BLOCK_ROWS) {
            FOR_THREADS_BELOW(count - base) {
                const int run = base + (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
                const int above = places[run] / TILE_EDGE - 1;
                unsigned touched = touched_above(rows, places[run]);
                if (touched) {
                    int other = run_at(rows[above], end[above], touched);
                    touched &= ~run_bits(rows[above], touched);
                    for (; touched; other++) {
                        join(label, other, other + 1);
                        touched &= ~run_bits(rows[above], touched);
                    }
                }
            }
            SYNC_WARP();
        }
        SYNC_THREADS();
        /* Its root is that of its component in the tile, and strong if one of its pixels is. */
        for (int base = 0; base < count; base += BLOCK_ROWS) {
            FOR_THREADS_BELOW(count - base) {
                const int run = base + (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
                const int place = places[run], row = place / TILE_EDGE;
                const unsigned bits = run_bits(rows[row], 1u << place % TILE_EDGE);
                int unused;
                const int root = find_root(label, run, &unused);
                runs[block * BLOCK_RUNS + run] =
                    place | places[root] << FIRST_SHIFT | (POPCOUNT(bits) - 1) << LENGTH_SHIFT;
                if (bits & firm[row])
                    ATOMIC_STORE(&label[root], root);
            }
            SYNC_WARP();
        }
        SYNC_THREADS();
        for (int base = 0; base < count; base += BLOCK_ROWS) {
            FOR_THREADS_BELOW(count - base) {
                const int run = base + (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
                if (label[run] >= run) {
                    const int pixel = pixel_at(width, left, top, places[run]);
                    kept[pixel] = label[run] == run ? pixel : BACKGROUND;
                }
            }
        }
    }
}

/* The first pixel, in its tile, of the component of the edge pixel at column x and row y. */
DEVICE int first_at(const unsigned *edges, const int *ends, const int *runs, int width, int x,
                    int y)
{
    const int left = x / BLOCK_ROWS, top = y / TILE_EDGE;
    const int block = top * ((width + BLOCK_ROWS - 1) / BLOCK_ROWS) + left;
    const int row = x / TILE_EDGE % TILES * TILE_EDGE + y % TILE_EDGE;
    const int run = run_at(edges[y * words_of(width) + x / TILE_EDGE],
                           ends[block * BLOCK_ROWS + row], 1u << x % TILE_EDGE);
    return pixel_at(width, left * BLOCK_ROWS, top * TILE_EDGE,
                    runs[block * BLOCK_RUNS + run] >> FIRST_SHIFT & PLACE_MASK);
}

/* Joins the components at the upper and the left border of each tile to those across it. Of four
 * pixels, two on each side, a thread joins the second ones, unless all four are edges: then the
 * first ones are joined. It joins those on a diagonal if they alone are edges.
 * grid: of label_tiles, twice: for upper and for left borders; edges, ends, runs, kept: of
 * label_tiles */
KERNEL(join_tiles)(int width, int height, const unsigned *RESTRICT edges, const int *RESTRICT ends,
                   const int *RESTRICT runs, int *kept)
{
    FOR_EACH_BLOCK(TILE_EDGE, TILES) {
        PRIVATE(unsigned, along); /* pixels of the border, as bits, and those across it */
        PRIVATE(unsigned, across);
        const int is_left = (int)blockIdx.z, top = (int)blockIdx.y * TILE_EDGE;
        FOR_EACH_THREAD {
            const int x = (int)(blockIdx.x * TILES + threadIdx.y), y = top + (int)threadIdx.x;
            MINE(along) = is_left ? word_at(edges, width, height, x, y) & 1
                                  : word_at(edges, width, height, x, top);
            MINE(across) = is_left ? word_at(edges, width, height, x - 1, y) >> 31
                                   : word_at(edges, width, height, x, top - 1);
        }
        if (is_left) {
            BALLOT(along, MINE(along));
            BALLOT(across, MINE(across));
        }
        FOR_EACH_THREAD {
            const int word = (int)(blockIdx.x * TILES + threadIdx.y), i = (int)threadIdx.x;
            const unsigned a = MINE(along), b = MINE(across);
            const unsigned a_before =
                a << 1 | (is_left ? 0 : word_at(edges, width, height, word - 1, top) >> 31);
            const unsigned b_before =
                b << 1 | (is_left ? 0 : word_at(edges, width, height, word - 1, top - 1) >> 31);
            const unsigned straight = a & b & ~(a_before & b_before);
            const unsigned falling = a & b_before & ~(a_before | b);
            const unsigned rising = b & a_before & ~(b_before | a);
            if ((straight | falling | rising) >> i & 1) {
                const int k = i - (int)(rising >> i & 1), m = i - (int)(falling >> i & 1);
                const int x = word * TILE_EDGE;
                join(kept,
                     first_at(edges, ends, runs, width, is_left ? x : x + k,
                              is_left ? top + k : top),
                     first_at(edges, ends, runs, width, is_left ? x - 1 : x + m,
                              is_left ? top + m : top - 1));
            }
        }
    }
}

/* Labels the first pixel of each component in a tile with that of the whole component, if this is
 * strong, and otherwise with BACKGROUND. Threads may find the labels of others on their way: from
 * there they come to the same.
 * grid, ends, runs, kept: of label_tiles */
KERNEL(find_labels)(int width, const int *RESTRICT ends, const int *RESTRICT runs, int *kept)
{
    FOR_EACH_BLOCK(TILE_EDGE, TILES) {
        const int top = (int)blockIdx.y * TILE_EDGE, left = (int)blockIdx.x * BLOCK_ROWS;
        const int block = (int)(blockIdx.y * gridDim.x + blockIdx.x);
        const int count = ends[block * BLOCK_ROWS + BLOCK_ROWS - 1];
        for (int base = 0; base < count; base += BLOCK_ROWS) {
            FOR_THREADS_BELOW(count - base) {
                const int run = base + (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
                const int stored = runs[block * BLOCK_RUNS + run], place = stored & PLACE_MASK;
                if ((stored >> FIRST_SHIFT & PLACE_MASK) == place) {
                    const int first = pixel_at(width, left, top, place);
                    int i = first, label = ATOMIC_LOAD(&kept[i]);
                    while (label < i) {
                        i = label;
                        label = ATOMIC_LOAD(&kept[i]);
                    }
                    ATOMIC_STORE(&kept[first], label);
                }
            }
            SYNC_WARP();
        }
    }
}

/* Labels all pixels: those of a run as the first of its component in the tile, others with
 * BACKGROUND.
 * grid, ends, runs: of label_tiles; kept: height x width */
KERNEL(write_labels)(int width, int height, const int *RESTRICT ends, const int *RESTRICT runs,
                     int *RESTRICT kept)
{
    FOR_EACH_BLOCK(TILE_EDGE, TILES) {
        SHARED(int, label, [BLOCK_RUNS]);
        const int top = (int)blockIdx.y * TILE_EDGE, left = (int)blockIdx.x * BLOCK_ROWS;
        const int block = (int)(blockIdx.y * gridDim.x + blockIdx.x);
        const int count = ends[block * BLOCK_ROWS + BLOCK_ROWS - 1];
        for (int base = 0; base < count; base += BLOCK_ROWS) {
            FOR_THREADS_BELOW(count - base) {
                const int run = base + (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
                const int first = runs[block * BLOCK_RUNS + run] >> FIRST_SHIFT & PLACE_MASK;
                label[run] = kept[pixel_at(width, left, top, first)];
            }
        }
        SYNC_THREADS();
        for (int y = top; y < top + TILE_EDGE && y < height; y++) {
            FOR_THREADS_BELOW(width - left) {
                const int x = left + (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
                kept[y * width + x] = BACKGROUND;
            }
        }
        SYNC_THREADS();
        for (int base = 0; base < count; base += BLOCK_ROWS) {
            FOR_THREADS_BELOW(count - base) {
                const int run = base + (int)threadIdx.y * TILE_EDGE + (int)threadIdx.x;
                const int stored = runs[block * BLOCK_RUNS + run];
                int *const pixels = &kept[pixel_at(width, left, top, stored & PLACE_MASK)];
                for (int k = 0; k <= stored >> LENGTH_SHIFT; k++)
                    pixels[k] = label[run];
            }
        }
    }
}
