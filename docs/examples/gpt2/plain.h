/* SPDX-License-Identifier: 0BSD */
/* The same model as loops in plain C, of NUMBER, float or double, with the library's functions. To
 * be included for each of them, with a NAME for its functions:
 *     #define NUMBER double
 *     #define NAME(function) function##_in_double */

#include <math.h> /* exp, sqrt, tanh */

static inline void NAME(plain_norm)(size_t channels, const NUMBER *x, const float *gain,
                                    const float *bias, NUMBER *y)
{
    NUMBER mean = 0, variance = 0;

    for (size_t c = 0; c < channels; c++)
        mean += x[c] / (NUMBER)channels;
    for (size_t c = 0; c < channels; c++)
        variance += (x[c] - mean) * (x[c] - mean) / (NUMBER)channels;
    for (size_t c = 0; c < channels; c++)
        y[c] = (x[c] - mean) / (NUMBER)sqrt((double)variance + 1e-5) * (NUMBER)gain[c] +
               (NUMBER)bias[c];
}

static inline void NAME(plain_linear)(size_t inputs, size_t outputs, int finish, const NUMBER *x,
                                      const float *w, const float *bias, NUMBER *y)
{
    for (size_t o = 0; o < outputs; o++) {
        NUMBER sum = bias ? (NUMBER)bias[o] : 0;

        for (size_t i = 0; i < inputs; i++)
            sum += x[i] * (NUMBER)w[o * inputs + i];
        if (finish == STORE_GELU)
            sum *= (1 + (NUMBER)tanh(0.7978845608028654 *
                                     (double)(sum + (NUMBER)0.044715 * sum * sum * sum))) /
                   2;
        y[o] = finish == ADD ? y[o] + sum : sum;
    }
}

/* At the position whose queries, keys and values end the `positions` of the cache. */
static inline void NAME(plain_attention)(int heads, int positions, const NUMBER *cache, NUMBER *y)
{
    const size_t channels = (size_t)heads * HEAD;

    for (size_t head = 0; head < channels; head += HEAD) {
        const NUMBER *const query = cache + (size_t)(positions - 1) * 3 * channels + head;
        NUMBER highest = 0, total = 0, weight[4096];

        for (int p = 0; p < positions; p++) {
            const NUMBER *const key = cache + (size_t)p * 3 * channels + channels + head;

            weight[p] = 0;
            for (int c = 0; c < HEAD; c++)
                weight[p] += query[c] * key[c] / 8;
            highest = p == 0 || weight[p] > highest ? weight[p] : highest;
        }
        for (int c = 0; c < HEAD; c++)
            y[head + (size_t)c] = 0;
        for (int p = 0; p < positions; p++) {
            weight[p] = (NUMBER)exp((double)(weight[p] - highest));
            total += weight[p];
        }
        for (int p = 0; p < positions; p++)
            for (int c = 0; c < HEAD; c++)
                y[head + (size_t)c] +=
                    weight[p] / total *
                    cache[(size_t)p * 3 * channels + 2 * channels + head + (size_t)c];
    }
}

/* Layer `number` on one position; cache: of that layer, context x 3C; x: C */
static inline void NAME(plain_layer)(const struct model *m, const float *weights, int number,
                                     int position, NUMBER *cache, NUMBER *x)
{
    const struct layer l = model_layer(m, weights, number);
    const size_t c = model_channels(m);
    NUMBER *const normed = (NUMBER *)malloc(6 * c * sizeof *x), *const mixed = normed + c;
    NUMBER *const wide = mixed + c;

    NAME(plain_norm)(c, x, l.gain_1, l.bias_1, normed);
    NAME(plain_linear)
    (c, 3 * c, STORE, normed, l.qkv, l.qkv_bias, cache + (size_t)position * 3 * c);
    NAME(plain_attention)(m->heads, position + 1, cache, mixed);
    NAME(plain_linear)(c, c, ADD, mixed, l.project, l.project_bias, x);
    NAME(plain_norm)(c, x, l.gain_2, l.bias_2, normed);
    NAME(plain_linear)(c, 4 * c, STORE_GELU, normed, l.widen, l.widen_bias, wide);
    NAME(plain_linear)(4 * c, c, ADD, wide, l.narrow, l.narrow_bias, x);
    free(normed);
}

#undef NUMBER
#undef NAME
