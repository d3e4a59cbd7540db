/* SPDX-License-Identifier: 0BSD */
/* The layers of GPT-2: A. Radford et al., "Language Models are Unsupervised Multitask Learners",
 * 2019. Matrices are row-major. A position of the text is a row of `channels` floats; a matrix of
 * weights has one row for each output. Everything is float in every precision, and the same bits on
 * every target. */
#include "portable.h"

#include <math.h> /* sqrtf */

enum {
    BYTES = 256 /* the vocabulary */,
    HEAD = 64 /* channels of a head, as in all sizes of GPT-2 */,
    LANES = 32,
    WARPS = 16,
    THREADS = LANES * WARPS
};

/* e^x for x <= 80, below -80 as at -80: 2^k e^r with an integer k and |r| at most log(2) / 2, by
 * Taylor's series. The upper part of log(2) has 15 bits, so that its product with k is exact.
 * Within 1 ULP; the library's expf differs between targets in the last bit. */
DEVICE float exact_exp(float x)
{
    const float above = x > -80 ? x : -80;
    const int k = (int)(above * 1.44269504f + (above < 0 ? -0.5f : 0.5f));
    const float r = above - (float)k * 0x1.62e4p-1f - (float)k * 0x1.7f7d1cp-20f;
    const int bits = (k + 127) << 23;
    float power, sum = 1;
    UNROLL(7)
    for (int i = 7; i > 0; i--)
        sum = 1 + r * (1.0f / (float)i) * sum;
    memcpy(&power, &bits, sizeof power);
    return power * sum;
}

/* The random number of `position`, in [0, 1): the output of G. L. Steele Jr., D. Lea and C. H.
 * Flood's SplitMix64, "Fast splittable pseudorandom number generators", 2014. */
DEVICE float random_share(unsigned long long seed, int position)
{
    unsigned long long z = seed + (unsigned long long)position * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (float)((z ^ z >> 31) >> 40) * 0x1p-24f;
}

/* The Gaussian error linear unit by its tanh, x (1 + tanh z) / 2 = x / (1 + e^(-2 z)).
 * D. Hendrycks and K. Gimpel, arXiv:1606.08415. */
DEVICE float gelu(float x)
{
    const float z = 0.7978845608f * (x + 0.044715f * x * x * x);

    return x / (1 + exact_exp(z > -40 ? -2 * z : 80));
}

/* The channels with mean 0 and variance 1, times gain, plus bias: J. L. Ba, J. R. Kiros and G. E.
 * Hinton, arXiv:1607.06450.  All: channels */
BLOCK_FUNCTION(void, layer_norm, (LANES, WARPS), int channels, const float *x, const float *gain,
               const float *bias, float *y)
{
    PRIVATE(float, mean);
    PRIVATE(float, variance);
    FOR_EACH_THREAD
        MINE(mean) = MINE(variance) = 0;
    UNROLL(1)
    for (int first = 0; first < channels; first += THREADS) {
        FOR_THREADS_BELOW(channels - first)
            MINE(mean) += x[first + (int)(threadIdx.y * LANES + threadIdx.x)];
    }
    BLOCK_REDUCE_ADD(mean, mean);
    FOR_EACH_THREAD
        MINE(mean) /= (float)channels;
    UNROLL(1)
    for (int first = 0; first < channels; first += THREADS) {
        FOR_THREADS_BELOW(channels - first) {
            const int c = first + (int)(threadIdx.y * LANES + threadIdx.x);
            const float off = x[c] - MINE(mean);
            MINE(variance) += off * off;
        }
    }
    BLOCK_REDUCE_ADD(variance, variance);
    FOR_EACH_THREAD
        MINE(variance) = 1 / sqrtf(MINE(variance) / (float)channels + 1e-5f);
    UNROLL(1)
    for (int first = 0; first < channels; first += THREADS) {
        FOR_THREADS_BELOW(channels - first) {
            const int c = first + (int)(threadIdx.y * LANES + threadIdx.x);
            y[c] = (x[c] - MINE(mean)) * MINE(variance) * gain[c] + bias[c];
        }
    }
    SYNC_THREADS(); /* y is complete */
}

/* The last step of `linear`: y = the product; y = gelu(the product); y += the product */
enum finish { STORE, STORE_GELU, ADD };

/* y = x w^T + bias. A warp adds up the products of an element, or of one of its `parts`, a power of
 * 2 up to WARPS: its lanes read x and a row of w in step. The blocks take turns.  inputs: a
 * multiple of 2 LANES parts; outputs: of WARPS.
 * x: inputs; w: outputs x inputs; bias: outputs, or NULL; y: outputs */
BLOCK_FUNCTION(void, linear, (LANES, WARPS), int inputs, int parts, int outputs, int finish,
               const float *x, const float *w, const float *bias, float *y)
{
    SHARED(float, sums, [WARPS]);
    PRIVATE(float, sum);
    PRIVATE(float, value);
    const int part = inputs / parts, at_once = WARPS / parts;
    FOR_EACH_THREAD
        MINE(value) = 0;
    for (int first = (int)blockIdx.x * at_once; first < outputs;
         first += (int)gridDim.x * at_once) {
        const float *const weights = w + (size_t)first * (size_t)inputs;
        FOR_THREADS_BELOW(at_once) {
            const int output = first + (int)threadIdx.x;
            MINE(value) = (bias ? bias[output] : 0) + (finish == ADD ? y[output] : 0);
        }
        FOR_EACH_THREAD
            MINE(sum) = -0.0f; /* for 0, gcc would clear each row by a slow `rep stos` */
        UNROLL(6)
        for (int i = 0; i < part; i += 2 * LANES) {
            FOR_EACH_THREAD {
                const float *const a = x + (int)threadIdx.y % parts * part + i + threadIdx.x;
                const float *const b = weights + (int)threadIdx.y * part + i + threadIdx.x;
                MINE(sum) += a[0] * b[0] + a[LANES] * b[LANES];
            }
        }
        WARP_REDUCE_ADD(sum, sum);
        FOR_EACH_THREAD {
            if (threadIdx.x == 0)
                sums[threadIdx.y] = MINE(sum);
        }
        SYNC_THREADS(); /* the parts are complete */
        FOR_THREADS_BELOW(at_once) {
            for (int k = 0; k < parts; k++)
                MINE(value) += sums[(int)threadIdx.x * parts + k];
            y[first + (int)threadIdx.x] = finish == STORE_GELU ? gelu(MINE(value)) : MINE(value);
        }
        SYNC_THREADS(); /* the parts have been read */
    }
}

/* Attention of one head of a position to a tile of `count` positions, 1 to HEAD: the sum of their
 * values, each times e^(score - the highest score), with score = query . key / sqrt(HEAD); then
 * that highest score, and the sum of the powers. */
BLOCK_FUNCTION(void, attend, (LANES, WARPS), int count, int channels, const float *query,
               const float *tile, float *sum, float *highest, float *total)
{
    SHARED(float, scores, [HEAD]);
    SHARED(float, weights, [HEAD]);
    SHARED(float, sums, [WARPS][HEAD]);
    PRIVATE(float, score);
    PRIVATE(float, low);
    PRIVATE(float, high);
    UNROLL(HEAD / WARPS)
    for (int first = 0; first < HEAD; first += WARPS) {
        FOR_EACH_THREAD {
            const int i = first + (int)threadIdx.y;
            const float *const q = query + threadIdx.x;
            const float *const k = tile + (3 * i + 1) * channels + (int)threadIdx.x;
            MINE(score) = i < count ? q[0] * k[0] + q[LANES] * k[LANES] : -FLT_MAX / HEAD;
        }
        WARP_REDUCE_ADD(score, score);
        FOR_EACH_THREAD {
            if (threadIdx.x == 0)
                scores[first + (int)threadIdx.y] = MINE(score) * 0.125f; /* 1 / sqrt(HEAD) */
        }
    }
    SYNC_THREADS(); /* the scores are complete */
    FOR_EACH_THREAD {
        MINE(low) = MINE(high) = 0;
        MINE(score) = scores[threadIdx.x] > scores[LANES + threadIdx.x]
                          ? scores[threadIdx.x]
                          : scores[LANES + threadIdx.x];
    }
    WARP_REDUCE_MAX(score, score);
    FOR_THREADS_BELOW(HEAD) {
        const int i = (int)(threadIdx.y * LANES + threadIdx.x);
        weights[i] = i < count ? exact_exp(scores[i] - MINE(score)) : 0;
    }
    FOR_THREADS_BELOW(1)
        *highest = MINE(score);
    SYNC_THREADS(); /* the weights are complete */
    UNROLL(HEAD / WARPS)
    for (int first = 0; first < HEAD; first += WARPS) {
        FOR_THREADS_BELOW((count - first) * LANES) {
            const int i = first + (int)threadIdx.y;
            const float *const v = tile + (3 * i + 2) * channels + (int)threadIdx.x;
            MINE(low) += weights[i] * v[0];
            MINE(high) += weights[i] * v[LANES];
        }
    }
    FOR_EACH_THREAD {
        sums[threadIdx.y][threadIdx.x] = MINE(low);
        sums[threadIdx.y][threadIdx.x + LANES] = MINE(high);
        MINE(score) = weights[threadIdx.x] + weights[LANES + threadIdx.x];
    }
    WARP_REDUCE_ADD(score, score);
    FOR_THREADS_BELOW(1)
        *total = MINE(score);
    SYNC_THREADS(); /* the sums are complete */
    FOR_THREADS_BELOW(HEAD) {
        const int c = (int)(threadIdx.y * LANES + threadIdx.x);
        MINE(low) = 0;
        UNROLL(WARPS)
        for (int warp = 0; warp < WARPS; warp++)
            MINE(low) += sums[warp][c];
        sum[c] = MINE(low);
    }
    SYNC_THREADS(); /* sums and weights have been read */
}

/* The mean of all positions from the sums of their tiles. A warp takes a head. */
BLOCK_FUNCTION(void, combine, (LANES, WARPS), int heads, int tiles, const float *sums, float *mean)
{
    PRIVATE(float, most);
    PRIVATE(float, total);
    PRIVATE(float, low);
    PRIVATE(float, high);
    const int channels = heads * HEAD, pitch = channels + 2 * heads;
    for (int first = 0; first < heads; first += WARPS) {
        const float *const highest = sums + channels + first, *const totals = highest + heads;
        FOR_EACH_THREAD {
            MINE(most) = -FLT_MAX;
            MINE(total) = MINE(low) = MINE(high) = 0;
        }
        UNROLL(4)
        for (int tile = 0; tile < tiles; tile++) {
            FOR_THREADS_BELOW((heads - first) * LANES) {
                const float other = highest[tile * pitch + (int)threadIdx.y];
                MINE(most) = other > MINE(most) ? other : MINE(most);
            }
        }
        UNROLL(4)
        for (int tile = 0; tile < tiles; tile++) {
            FOR_THREADS_BELOW((heads - first) * LANES) {
                const int head = (int)threadIdx.y;
                const float *const from = sums + tile * pitch + (first + head) * HEAD + threadIdx.x;
                const float scale = exact_exp(highest[tile * pitch + head] - MINE(most));
                MINE(total) += scale * totals[tile * pitch + head];
                MINE(low) += scale * from[0];
                MINE(high) += scale * from[LANES];
            }
        }
        FOR_THREADS_BELOW((heads - first) * LANES) {
            float *const to = mean + (first + (int)threadIdx.y) * HEAD + threadIdx.x;
            to[0] = MINE(low) / MINE(total);
            to[LANES] = MINE(high) / MINE(total);
        }
    }
    SYNC_THREADS(); /* the mean is complete */
}

/* tokens[first + block] = the byte whose share of the softmax of logits / temperature holds a
 * random number; at temperature 0 the most probable byte.  logits: blocks x BYTES */
KERNEL(sample)
(float temperature, unsigned long long seed, int first, const float *RESTRICT logits,
 int *RESTRICT tokens)
{
    FOR_EACH_BLOCK(BYTES) {
        PRIVATE(float, most);
        PRIVATE(float, share);
        PRIVATE(float, sum);
        PRIVATE(float, total);
        PRIVATE(int, byte);
        const int position = first + (int)blockIdx.x;
        FOR_EACH_THREAD
            MINE(share) = logits[blockIdx.x * BYTES + threadIdx.x];
        BLOCK_REDUCE_MAX(most, share);
        FOR_EACH_THREAD {
            const float below = MINE(share) - MINE(most);
            MINE(share) = temperature > 0 ? exact_exp(below / temperature) : below == 0;
        }
        BLOCK_REDUCE_ADD(total, share);
        BLOCK_SCAN_ADD_INCLUSIVE(sum, share);
        FOR_EACH_THREAD {
            const float random = temperature > 0 ? random_share(seed, position) : 0;
            MINE(byte) = MINE(sum) > random * MINE(total) ? (int)threadIdx.x : BYTES - 1;
        }
        BLOCK_REDUCE_MIN(byte, byte);
        FOR_THREADS_BELOW(1)
            tokens[position] = MINE(byte);
    }
}
