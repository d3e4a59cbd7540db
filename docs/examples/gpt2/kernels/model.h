/* SPDX-License-Identifier: 0BSD */
/* The model: where its weights are, and one pass through its layers. */
#ifndef GPT2_MODEL_H
#define GPT2_MODEL_H

#include "kernels/layers.c"

struct model {
    int layers, heads, context; /* context: the most positions */
};

DEVICE size_t model_channels(const struct model *m)
{
    return (size_t)m->heads * HEAD;
}

/* The weights are one array of floats: bytes, BYTES x C; places, context x C; the layers; the last
 * gain and bias, C each. C is the channels. Of each layer: */
struct layer {
    const float *gain_1, *bias_1, *qkv, *qkv_bias, *project, *project_bias; /* qkv: 3C x C; C x C */
    const float *gain_2, *bias_2, *widen, *widen_bias, *narrow, *narrow_bias; /* 4C x C; C x 4C */
};

DEVICE size_t layer_weights(const struct model *m)
{
    return model_channels(m) * (12 * model_channels(m) + 13);
}

DEVICE size_t model_weights(const struct model *m)
{
    return model_channels(m) * (size_t)(BYTES + m->context + 2) +
           (size_t)m->layers * layer_weights(m);
}

DEVICE const float *model_places(const struct model *m, const float *weights)
{
    return weights + BYTES * model_channels(m);
}

DEVICE const float *model_last(const struct model *m, const float *weights)
{
    return weights + model_weights(m) - 2 * model_channels(m);
}

DEVICE struct layer model_layer(const struct model *m, const float *weights, int number)
{
    const size_t c = model_channels(m);
    const float *at =
        model_places(m, weights) + (size_t)m->context * c + (size_t)number * layer_weights(m);
    struct layer l;

    l.gain_1 = at, l.bias_1 = at += c;
    l.qkv = at += c, l.qkv_bias = at += 3 * c * c;
    l.project = at += 3 * c, l.project_bias = at += c * c;
    l.gain_2 = at += c, l.bias_2 = at += c;
    l.widen = at += c, l.widen_bias = at += 4 * c * c;
    l.narrow = at += 4 * c, l.narrow_bias = at + 4 * c * c;
    return l;
}

/* Device memory of a pass of up to `rows` positions, and the blocks that share it. cache: 3C floats
 * for each position of each layer, which are kept from pass to pass; x: rows x C; sums: rows x
 * model_sums; wide: rows x 4C; logits: BYTES */
struct pass {
    float *cache, *x, *sums, *wide, *logits;
    int blocks;
};

/* The tiles of `positions`. */
DEVICE int model_tiles(int positions)
{
    return (positions + HEAD - 1) / HEAD;
}

/* The floats that attention to `positions` leaves for a position: those of each tile. */
DEVICE size_t model_sums(const struct model *m, int positions)
{
    return (size_t)(model_tiles(positions) * m->heads * (HEAD + 2));
}

/* The state of the positions from `first` to first + rows - 1, pass.x, through the layers from
 * `from` to `to` - 1. Before layer 0 it is made from the tokens; after the last layer come the
 * logits of the last position.  tokens: context
 * A layer is x += project(attention(qkv(norm(x)))), then x += narrow(gelu(widen(norm(x)))): the
 * paper that layers.c names. Blocks share the outputs of each product, so each step ends at a
 * barrier of the grid; but each block does norm and `combine` for itself, which saves a barrier. Of
 * the sums, each tile has those of all heads, then their highest scores, then their totals. */
KERNEL_LAUNCH_BOUNDS(transformer, THREADS, 2)
(struct model m, const float *RESTRICT weights, struct pass pass, const int *RESTRICT tokens,
 int first, int rows, int from, int to)
{
    const int heads = m.heads, c = HEAD * heads;
    const int tiles = model_tiles(first + rows), tile_size = heads * (HEAD + 2);
    if (from == 0) {
        GRID_STRIDE_LOOP_2D(i, row, c, rows)
            pass.x[row * c + i] = weights[tokens[first + row] * c + i] +
                                  model_places(&m, weights)[(first + row) * c + i];
        SYNC_GRID();
    }
    for (int number = from; number < to; number++) {
        const struct layer l = model_layer(&m, weights, number);
        float *const cache = pass.cache + (size_t)number * (size_t)m.context * (size_t)(3 * c);
        FOR_EACH_BLOCK(LANES, WARPS) {
            SHARED_DYNAMIC(float, normed);
            for (int row = 0; row < rows; row++) {
                BLOCK_CALL(layer_norm, c, pass.x + row * c, l.gain_1, l.bias_1, normed);
                BLOCK_CALL(linear, c, 1, 3 * c, STORE, normed, l.qkv, l.qkv_bias,
                           cache + (first + row) * 3 * c);
            }
        }
        SYNC_GRID();
        FOR_EACH_BLOCK(LANES, WARPS) {
            for (int i = (int)blockIdx.x; i < rows * tiles * heads; i += (int)gridDim.x) {
                const int head = i % heads, tile = i / heads % tiles, row = i / heads / tiles;
                const int left = first + row + 1 - tile * HEAD;
                float *const sums = pass.sums + (size_t)(i / heads) * (size_t)tile_size;
                if (left > 0)
                    BLOCK_CALL(attend, left < HEAD ? left : HEAD, c,
                               cache + (first + row) * 3 * c + head * HEAD,
                               cache + tile * HEAD * 3 * c + head * HEAD, sums + head * HEAD,
                               sums + c + head, sums + c + heads + head);
            }
        }
        SYNC_GRID(); /* the sums of the tiles are complete */
        FOR_EACH_BLOCK(LANES, WARPS) {
            SHARED_DYNAMIC(float, mixed);
            for (int row = 0; row < rows; row++) {
                BLOCK_CALL(combine, heads, model_tiles(first + row + 1),
                           pass.sums + (size_t)(row * tiles) * (size_t)tile_size, mixed);
                BLOCK_CALL(linear, c, 1, c, ADD, mixed, l.project, l.project_bias,
                           pass.x + row * c);
            }
        }
        SYNC_GRID();
        FOR_EACH_BLOCK(LANES, WARPS) {
            SHARED_DYNAMIC(float, normed);
            for (int row = 0; row < rows; row++) {
                BLOCK_CALL(layer_norm, c, pass.x + row * c, l.gain_2, l.bias_2, normed);
                BLOCK_CALL(linear, c, 1, 4 * c, STORE_GELU, normed, l.widen, l.widen_bias,
                           pass.wide + row * 4 * c);
            }
        }
        SYNC_GRID();
        FOR_EACH_BLOCK(LANES, WARPS) {
            for (int row = 0; row < rows; row++)
                BLOCK_CALL(linear, 4 * c, 4, c, ADD, pass.wide + row * 4 * c, l.narrow,
                           l.narrow_bias, pass.x + row * c);
        }
        SYNC_GRID();
    }
    if (to == m.layers) {
        const float *const gain = model_last(&m, weights);
        FOR_EACH_BLOCK(LANES, WARPS) {
            SHARED_DYNAMIC(float, normed);
            BLOCK_CALL(layer_norm, c, pass.x + (rows - 1) * c, gain, gain + c, normed);
            BLOCK_CALL(linear, c, 1, BYTES, STORE, normed, weights, NULL, pass.logits);
        }
    }
}

/* Sets *blocks to what the widest product of a position takes, at most what fits on the device. */
static inline portable_status model_blocks(const struct model *m, int *blocks)
{
    const int widest = 4 * m->heads * HEAD / WARPS;
    struct portable_device device;
    const portable_status status = portable_device_properties(&device);

    if (status != PORTABLE_SUCCESS)
        return status;
    const portable_status found = portable_occupancy(transformer, DIM3(LANES, WARPS, 1),
                                                     model_channels(m) * sizeof(float), blocks);
    *blocks *= device.multiprocessors;
    *blocks = *blocks < widest ? *blocks : widest;
    return found;
}

/* Launches `transformer`. */
static inline portable_status model_run(const struct model *m, const float *weights,
                                        struct pass pass, const int *tokens, int first, int rows,
                                        int from, int to)
{
    return KERNEL_LAUNCH_COOPERATIVE(transformer, pass.blocks, DIM3(LANES, WARPS, 1),
                                     model_channels(m) * sizeof(float), 0, *m, weights, pass,
                                     tokens, first, rows, from, to);
}

#endif
