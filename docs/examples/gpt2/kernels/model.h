/* SPDX-License-Identifier: 0BSD */
/* The model: where its weights are, and one pass through its layers. */
#ifndef GPT2_MODEL_H
#define GPT2_MODEL_H

#include "kernels/layers.c"

enum { BYTES = 256 };

struct model {
    int layers, heads, context; /* context: the most positions */
};

static inline size_t model_channels(const struct model *m)
{
    return (size_t)m->heads * HEAD;
}

/* The weights are one array of floats: bytes, BYTES x C; places, context x C; the layers; the last
 * gain and bias, C each. C is the channels. Of each layer: */
struct layer {
    const float *gain_1, *bias_1, *qkv, *qkv_bias, *project, *project_bias; /* qkv: 3C x C; C x C */
    const float *gain_2, *bias_2, *widen, *widen_bias, *narrow, *narrow_bias; /* 4C x C; C x 4C */
};

static inline size_t layer_weights(const struct model *m)
{
    return model_channels(m) * (12 * model_channels(m) + 13);
}

static inline size_t model_weights(const struct model *m)
{
    return model_channels(m) * (size_t)(BYTES + m->context + 2) +
           (size_t)m->layers * layer_weights(m);
}

static inline const float *model_places(const struct model *m, const float *weights)
{
    return weights + BYTES * model_channels(m);
}

static inline const float *model_last(const struct model *m, const float *weights)
{
    return weights + model_weights(m) - 2 * model_channels(m);
}

static inline struct layer model_layer(const struct model *m, const float *weights, int number)
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

/* Device memory of a pass of up to `rows` positions. cache: 3C floats for each position of each
 * layer, which are kept from pass to pass; x, normed, mixed: rows x C; wide: rows x 4C; logits:
 * BYTES for the last position */
struct pass {
    float *cache, *x, *normed, *mixed, *wide, *logits;
};

static inline portable_status model_linear(int rows, size_t inputs, size_t outputs, int finish,
                                           const float *x, const float *w, const float *bias,
                                           float *y)
{
    return KERNEL_LAUNCH(linear, DIM3((unsigned)rows, (unsigned)outputs / WARPS, 1),
                         DIM3(LANES, WARPS, 1), 0, 0, (int)inputs, (int)outputs, finish, x, w, bias,
                         y);
}

/* Layer `number` on the positions from `first` to first + rows - 1, whose state is pass.x. */
static inline portable_status model_run_layer(const struct model *m, const float *weights,
                                              struct pass pass, int number, int first, int rows)
{
    const struct layer l = model_layer(m, weights, number);
    const size_t c = model_channels(m);
    float *const cache = pass.cache + (size_t)number * (size_t)m->context * 3 * c;
    const portable_status status[] = {
        KERNEL_LAUNCH(layer_norm, rows, 128, 0, 0, (int)c, pass.x, l.gain_1, l.bias_1, pass.normed),
        model_linear(rows, c, 3 * c, STORE, pass.normed, l.qkv, l.qkv_bias,
                     cache + (size_t)first * 3 * c),
        KERNEL_LAUNCH(attention, DIM3((unsigned)m->heads, (unsigned)rows, 1), HEAD, 0, 0, first,
                      (int)c, cache, pass.mixed),
        model_linear(rows, c, c, ADD, pass.mixed, l.project, l.project_bias, pass.x),
        KERNEL_LAUNCH(layer_norm, rows, 128, 0, 0, (int)c, pass.x, l.gain_2, l.bias_2, pass.normed),
        model_linear(rows, c, 4 * c, STORE_GELU, pass.normed, l.widen, l.widen_bias, pass.wide),
        model_linear(rows, 4 * c, c, ADD, pass.wide, l.narrow, l.narrow_bias, pass.x),
    };

    for (size_t k = 0; k < sizeof status / sizeof status[0]; k++)
        if (status[k] != PORTABLE_SUCCESS)
            return status[k];
    return PORTABLE_SUCCESS;
}

/* The state of `rows` positions from `first` before the first layer. */
static inline portable_status model_embed(const struct model *m, const float *weights,
                                          struct pass pass, const int *tokens, int first, int rows)
{
    return KERNEL_LAUNCH(embed, rows, 128, 0, 0, rows, first, (int)model_channels(m), tokens,
                         weights, model_places(m, weights), pass.x);
}

/* After the last layer: the logits of the last of `rows` positions. */
static inline portable_status model_finish(const struct model *m, const float *weights,
                                           struct pass pass, int rows)
{
    const size_t c = model_channels(m);
    const float *const gain = model_last(m, weights);
    const portable_status status =
        KERNEL_LAUNCH(layer_norm, 1, 128, 0, 0, (int)c, pass.x + (size_t)(rows - 1) * c, gain,
                      gain + c, pass.normed);

    if (status != PORTABLE_SUCCESS)
        return status;
    return model_linear(1, c, BYTES, STORE, pass.normed, weights, NULL, pass.logits);
}

#endif
