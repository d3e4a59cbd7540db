/* SPDX-License-Identifier: 0BSD */
/* The stages of photo, by the kernels and in plain C. Included, as kernels are. */
#include "kernels/bilateral.c"
#include "kernels/components.c"
#include "kernels/edges.c"
#include "kernels/equalise.c"
#include "kernels/grey.c"
#include "plain.c"

#include <math.h> /* exp */

enum { GREY, EQUALISE, BILATERAL, EDGES, COMPONENTS, STAGES };

/* Inputs, results and scratch of the stages: all in device memory, or all in host memory. */
struct photo {
    int width, height, low, high;
    unsigned char *colour; /* 3 bytes for each pixel; NULL if the photograph is grey */
    unsigned char *grey, *equal, *smooth;
    unsigned *edges, *strong; /* height x words, a bit for each pixel */
    int *kept;
    unsigned *like, *counts; /* 256 each */
    unsigned char *levels;   /* 256 */
    int *ends;               /* rows_of(width, height) */
    int *runs;               /* as many, times ROW_RUNS */
    int *stack;              /* of plain C: height x width */
};

/* The blocks of label_tiles, and the rows of their tiles. */
static dim3 blocks_of(int width, int height)
{
    return DIM3((width + BLOCK_ROWS - 1) / BLOCK_ROWS, (height + TILE_EDGE - 1) / TILE_EDGE, 1);
}
static size_t rows_of(int width, int height)
{
    const dim3 blocks = blocks_of(width, height);

    return (size_t)blocks.x * blocks.y * BLOCK_ROWS;
}

/* The bilateral filter's weights: gaussians of 3 pixels and of 20 levels, in 256ths. */
static unsigned near_table[DIAMETER * DIAMETER], like_table[256];

/* Fills the tables. On the device near_weights is constant memory, and `like` of a photo the
 * rest. */
static portable_status set_weights(void)
{
    for (int v = -RADIUS; v <= RADIUS; v++)
        for (int u = -RADIUS; u <= RADIUS; u++)
            near_table[(v + RADIUS) * DIAMETER + u + RADIUS] =
                (unsigned)(256 * exp(-(u * u + v * v) / (2 * 3.0 * 3.0)) + 0.5);
    for (int k = 0; k < 256; k++)
        like_table[k] = (unsigned)(256 * exp(-k * k / (2 * 20.0 * 20.0)) + 0.5);
    return portable_copy_to_constant(near_weights, near_table, sizeof near_table);
}

/* One stage on the device. */
static portable_status run_kernels(int stage, const struct photo *p)
{
    const int n = p->width * p->height, blocks = n / 4096 < 1024 ? n / 4096 + 1 : 1024;
    const int width = p->width, height = p->height;
    const dim3 threads = DIM3(32, 8, 1), windows = DIM3((width + 31) / 32, (height + 7) / 8, 1);
    const dim3 marked = DIM3(words_of(width), (height + EDGE_HEIGHT - 1) / EDGE_HEIGHT, 1);
    const dim3 tiles = blocks_of(width, height);

    switch (stage) {
    case GREY:
        if (p->colour)
            KERNEL_LAUNCH_AUTO(grey_levels, n, n, p->colour, p->grey);
        break;
    case EQUALISE:
        portable_memset(p->counts, 0, 256 * sizeof *p->counts);
        KERNEL_LAUNCH(count_levels, blocks, 256, 0, 0, n, p->grey, p->counts);
        KERNEL_LAUNCH(spread_levels, 1, 256, 0, 0, n, p->counts, p->levels);
        KERNEL_LAUNCH_AUTO(look_up, n, n, p->levels, p->grey, p->equal);
        break;
    case BILATERAL:
        KERNEL_LAUNCH(bilateral, windows, threads, 0, 0, width, height, p->like, p->equal,
                      p->smooth);
        break;
    case EDGES:
        KERNEL_LAUNCH(mark_edges, marked, threads, 0, 0, width, height, p->low, p->high, p->smooth,
                      p->edges, p->strong);
        break;
    case COMPONENTS:
        KERNEL_LAUNCH(label_tiles, tiles, threads, 0, 0, width, height, p->edges, p->strong,
                      p->ends, p->runs, p->kept);
        KERNEL_LAUNCH(join_tiles, DIM3(tiles.x, tiles.y, 2), threads, 0, 0, width, height, p->edges,
                      p->ends, p->runs, p->kept);
        KERNEL_LAUNCH(find_labels, tiles, threads, 0, 0, width, p->ends, p->runs, p->kept);
        KERNEL_LAUNCH(write_labels, tiles, threads, 0, 0, width, height, p->ends, p->runs, p->kept);
    }
    return portable_last_error();
}

/* The same stage in plain C, in host memory. */
static void run_plain(int stage, const struct photo *p)
{
    const int n = p->width * p->height;

    switch (stage) {
    case GREY:
        if (p->colour)
            plain_grey(n, p->colour, p->grey);
        break;
    case EQUALISE: plain_equalise(n, p->grey, p->equal); break;
    case BILATERAL:
        plain_bilateral(p->width, p->height, near_table, like_table, p->equal, p->smooth);
        break;
    case EDGES:
        plain_mark_edges(p->width, p->height, p->low, p->high, p->smooth, p->edges, p->strong);
        break;
    case COMPONENTS: plain_components(p->width, p->height, p->edges, p->strong, p->stack, p->kept);
    }
}
