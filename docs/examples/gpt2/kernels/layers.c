/* SPDX-License-Identifier: 0BSD */
/* The layers of GPT-2: A. Radford et al., "Language Models are Unsupervised Multitask Learners",
 * 2019. Matrices are row-major. A position of the text is a row of `channels` floats; a matrix of
 * weights has one row for each output. Everything is float in every precision, and the same bits on
 * every target. */
#include "portable.h"

#include <math.h> /* sqrtf */

enum { HEAD = 64 /* channels of a head, as in all sizes of GPT-2 */, LANES = 32, WARPS = 4 };

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

/* The Gaussian error linear unit by its tanh, x (1 + tanh z) / 2 = x / (1 + e^(-2 z)).
 * D. Hendrycks and K. Gimpel, arXiv:1606.08415. */
DEVICE float gelu(float x)
{
    const float z = 0.7978845608f * (x + 0.044715f * x * x * x);

    return x / (1 + exact_exp(z > -40 ? -2 * z : 80));
}

/* x = the token's row of `bytes` + the position's row of `places`.  tokens: rows, 0 to 255;
 * x: rows x channels */
KERNEL(embed)(int rows, int first, int channels, const int *RESTRICT tokens,
              const float *RESTRICT bytes, const float *RESTRICT places, float *RESTRICT x)
{
    GRID_STRIDE_LOOP_2D(c, row, channels, rows)
        x[row * channels + c] =
            bytes[tokens[row] * channels + c] + places[(first + row) * channels + c];
}

/* Each row with mean 0 and variance 1, times gain, plus bias: J. L. Ba, J. R. Kiros and G. E.
 * Hinton, arXiv:1607.06450.  One row per block; gain, bias: channels */
KERNEL(layer_norm)(int channels, const float *RESTRICT x, const float *RESTRICT gain,
                   const float *RESTRICT bias, float *RESTRICT y)
{
    FOR_EACH_BLOCK(128) {
        PRIVATE(float, mean);
        PRIVATE(float, variance);
        const float *const from = x + (size_t)blockIdx.x * (size_t)channels;
        float *const to = y + (size_t)blockIdx.x * (size_t)channels;
        FOR_EACH_THREAD
            MINE(mean) = MINE(variance) = 0;
        for (int first = 0; first < channels; first += 128) {
            FOR_THREADS_BELOW(channels - first)
                MINE(mean) += from[first + (int)threadIdx.x];
        }
        BLOCK_REDUCE_ADD(mean, mean);
        FOR_EACH_THREAD
            MINE(mean) /= (float)channels;
        for (int first = 0; first < channels; first += 128) {
            FOR_THREADS_BELOW(channels - first) {
                const float off = from[first + (int)threadIdx.x] - MINE(mean);
                MINE(variance) += off * off;
            }
        }
        BLOCK_REDUCE_ADD(variance, variance);
        FOR_EACH_THREAD
            MINE(variance) = 1 / sqrtf(MINE(variance) / (float)channels + 1e-5f);
        for (int first = 0; first < channels; first += 128) {
            FOR_THREADS_BELOW(channels - first) {
                const int c = first + (int)threadIdx.x;
                to[c] = (from[c] - MINE(mean)) * MINE(variance) * gain[c] + bias[c];
            }
        }
    }
}

/* The last step of `linear`: y = the product; y = gelu(the product); y += the product */
enum finish { STORE, STORE_GELU, ADD };

/* y = x w^T + bias. A warp computes one element: its lanes read x and a row of w in step, and add
 * up their sums. Blocks that follow each other read the same rows of w, from the cache. The grid is
 * rows x outputs / WARPS; inputs is a multiple of 2 LANES, outputs of WARPS.
 * x: rows x inputs; w: outputs x inputs; bias: outputs, or NULL; y: rows of `pitch` floats */
KERNEL(linear)(int inputs, int pitch, int finish, const float *RESTRICT x, const float *RESTRICT w,
               const float *RESTRICT bias, float *RESTRICT y)
{
    FOR_EACH_BLOCK(LANES, WARPS) {
        SHARED(float, part, [LANES * WARPS]);
        PRIVATE(float, sum);
        const int first = (int)blockIdx.y * WARPS;
        const float *const row = x + (size_t)blockIdx.x * (size_t)inputs;
        const float *const weights = w + (size_t)first * (size_t)inputs;
        FOR_EACH_THREAD
            MINE(sum) = 0;
        UNROLL(4)
        for (int i = 0; i < inputs; i += 2 * LANES) {
            FOR_EACH_THREAD {
                const float *const a = row + i + threadIdx.x;
                const float *const b = weights + (int)threadIdx.y * inputs + i + threadIdx.x;
                MINE(sum) += a[0] * b[0] + a[LANES] * b[LANES];
            }
        }
        FOR_EACH_THREAD
            part[threadIdx.x * WARPS + threadIdx.y] = MINE(sum);
        for (unsigned half = LANES / 2; half > 0; half /= 2) {
            SYNC_THREADS(); /* the parts are complete */
            FOR_THREADS_BELOW(half *WARPS) {
                const unsigned t = threadIdx.y * LANES + threadIdx.x;
                part[t] += part[t + half * WARPS];
            }
        }
        SYNC_THREADS(); /* the sums are complete */
        FOR_THREADS_BELOW(WARPS) {
            const int output = first + (int)threadIdx.x;
            float *const to = y + (size_t)blockIdx.x * (size_t)pitch + output;
            const float value = part[threadIdx.x] + (bias ? bias[output] : 0);
            *to = finish == ADD ? *to + value : finish == STORE_GELU ? gelu(value) : value;
        }
    }
}

/* Attention of one head at one position to the positions up to it, itself included: the mean of
 * their values, weighted by the softmax of query . key / sqrt(HEAD). Positions are taken HEAD at a
 * time, so that no score is kept: the weights so far are relative to e^highest, and are scaled when
 * a higher score comes (M. Milakov and N. Gimelshein, "Online normalizer calculation for softmax",
 * arXiv:1805.02867). Thread t has position t of the tile first, and channel t of the mean after.
 * The grid is heads x rows; row r is position first + r.
 * qkv: for each position `channels` each of queries, keys and values; y: rows x channels */
KERNEL(attention)(int first, int channels, const float *RESTRICT qkv, float *RESTRICT y)
{
    FOR_EACH_BLOCK(HEAD) {
        SHARED(float, query, [HEAD]);
        SHARED(float, keys, [HEAD][HEAD + 1]);
        SHARED(float, weights, [HEAD]);
        PRIVATE(float, score);
        PRIVATE(float, tile);
        PRIVATE(float, highest);
        PRIVATE(float, total);
        PRIVATE(float, mean);
        const int position = first + (int)blockIdx.y;
        const size_t pitch = 3 * (size_t)channels;
        const float *const q = qkv + (size_t)position * pitch + blockIdx.x * HEAD;
        const float *k = qkv + channels + blockIdx.x * HEAD, *v = k + channels;
        FOR_EACH_THREAD {
            query[threadIdx.x] = q[threadIdx.x] * 0.125f; /* 1 / sqrt(HEAD) */
            MINE(highest) = -FLT_MAX;
            MINE(total) = MINE(mean) = 0;
        }
        for (int left = position + 1; left > 0; left -= HEAD) {
            const int count = left < HEAD ? left : HEAD;
            UNROLL(8)
            for (int i = 0; i < count; i++) {
                FOR_EACH_THREAD
                    keys[threadIdx.x][i] = k[(size_t)i * pitch + threadIdx.x];
            }
            SYNC_THREADS(); /* the keys are complete */
            FOR_EACH_THREAD
                MINE(score) = (int)threadIdx.x < count ? 0 : -FLT_MAX;
            for (int c = 0; c < HEAD; c++) {
                FOR_THREADS_BELOW(count)
                    MINE(score) += query[c] * keys[c][threadIdx.x];
            }
            BLOCK_REDUCE_MAX(tile, score);
            FOR_EACH_THREAD {
                const float next = MINE(tile) > MINE(highest) ? MINE(tile) : MINE(highest);
                const float scale = exact_exp(MINE(highest) - next);
                MINE(score) = (int)threadIdx.x < count ? exact_exp(MINE(score) - next) : 0;
                weights[threadIdx.x] = MINE(score);
                MINE(highest) = next;
                MINE(total) *= scale;
                MINE(mean) *= scale;
            }
            BLOCK_REDUCE_ADD(tile, score);
            FOR_EACH_THREAD
                MINE(total) += MINE(tile);
            SYNC_THREADS(); /* the weights are complete */
            UNROLL(8)
            for (int i = 0; i < count; i++) {
                FOR_EACH_THREAD
                    MINE(mean) += weights[i] * v[(size_t)i * pitch + threadIdx.x];
            }
            SYNC_THREADS(); /* keys and weights have been read */
            k += HEAD * pitch;
            v += HEAD * pitch;
        }
        FOR_EACH_THREAD
            y[(size_t)blockIdx.y * (size_t)channels + blockIdx.x * HEAD + threadIdx.x] =
                MINE(mean) / MINE(total);
    }
}
