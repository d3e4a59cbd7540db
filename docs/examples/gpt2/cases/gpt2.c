/* SPDX-License-Identifier: 0BSD */
#include "kernels/model.h"

#include "host/case.h"

#define NUMBER double
#define NAME(function) function##_in_double
#include "plain.h"

#define NUMBER float
#define NAME(function) function##_in_float
#include "plain.h"

/* The layers one by one: of rows, or for `linear` of a row for each y of the grid. */
KERNEL(norm_rows)
(int channels, const float *RESTRICT x, const float *RESTRICT gain, const float *RESTRICT bias,
 float *RESTRICT y)
{
    FOR_EACH_BLOCK(LANES, WARPS)
        BLOCK_CALL(layer_norm, channels, x + (int)blockIdx.x * channels, gain, bias,
                   y + (int)blockIdx.x * channels);
}

KERNEL(linear_rows)
(int inputs, int parts, int outputs, int finish, const float *RESTRICT x, const float *RESTRICT w,
 const float *RESTRICT bias, float *RESTRICT y)
{
    FOR_EACH_BLOCK(LANES, WARPS)
        BLOCK_CALL(linear, inputs, parts, outputs, finish, x + (int)blockIdx.y * inputs, w, bias,
                   y + (int)blockIdx.y * outputs);
}

/* A head in x, a position, `first` or a later one, in y.  qkv: positions x 3 channels;
 * sums: rows x heads x tiles x (HEAD + 2); y: rows x channels */
KERNEL(attention_rows)
(int first, int channels, int most_tiles, const float *RESTRICT qkv, float *sums, float *RESTRICT y)
{
    FOR_EACH_BLOCK(LANES, WARPS) {
        const int positions = first + (int)blockIdx.y + 1, tiles = model_tiles(positions);
        const float *const head = qkv + blockIdx.x * HEAD;
        float *const first_sum =
            sums + (int)(blockIdx.y * gridDim.x + blockIdx.x) * most_tiles * (HEAD + 2);
        for (int tile = 0; tile < tiles; tile++) {
            const int left = positions - tile * HEAD;
            float *const sum = first_sum + tile * (HEAD + 2);
            BLOCK_CALL(attend, left < HEAD ? left : HEAD, channels,
                       head + (positions - 1) * 3 * channels, head + tile * HEAD * 3 * channels,
                       sum, sum + HEAD, sum + HEAD + 1);
        }
        BLOCK_CALL(combine, 1, tiles, first_sum,
                   y + (int)blockIdx.y * channels + (int)blockIdx.x * HEAD);
    }
}

/* As run_roundings, in single precision, the precision of the kernels in every build. */
static double roundings(double k)
{
    return (k < 64 ? k : 8 * sqrt(k)) * 0x1p-24;
}

/* Copies floats for the loops in double precision; the caller frees them. */
static double *doubles(const float *from, size_t count)
{
    double *const to = (double *)malloc((count + 1) * sizeof *to);

    RUN_FILL(to, i, count)
        to[i] = (double)from[i];
    return to;
}

static void random_floats(struct run *run, const char *name, size_t count, float middle,
                          float scale)
{
    float *const x = run_input_float(run, name, count);

    RUN_FILL(x, i, count)
        x[i] = middle + scale * x[i];
}

static float *output_floats(struct run *run, const char *name, size_t count, enum owner owner)
{
    return run_output_float(run, name, 1, &count, owner);
}

enum { CHANNELS = 192, HEADS = CHANNELS / HEAD };

static int prepare_norm(struct run *run, struct io_error *error)
{
    run->columns = run->timing ? 768 : CHANNELS + 64 + 8;
    random_floats(run, "x", (size_t)run->n * (size_t)run->columns, 0.5f, 2);
    random_floats(run, "gain", (size_t)run->columns, 1, 0.5f);
    random_floats(run, "bias", (size_t)run->columns, 0, 1);
    output_floats(run, "y", (size_t)run->n * (size_t)run->columns, OWNER_NONE);
    run->grid = DIM3((unsigned)run->n, 1, 1);
    run->bytes = 8.0 * run->n * run->columns;
    return run_ready(run, error);
}

static portable_status launch_norm(struct run *run)
{
    return KERNEL_LAUNCH(norm_rows, run->grid, run->block, 0, 0, run->columns, DEVICE_FLOATS("x"),
                         DEVICE_FLOATS("gain"), DEVICE_FLOATS("bias"), DEVICE_FLOATS("y"));
}

/* The mean is off by 16 roundings of numbers below 2.5, the variance, about 1.3, by twice that. */
static void reference_norm(struct run *run)
{
    const size_t c = (size_t)run->columns, count = (size_t)run->n * c;
    double *const x = doubles(HOST_FLOATS("x"), count), *const y = doubles(HOST_FLOATS("x"), count);

    for (size_t i = 0; i < count; i++) {
        if (i % c == 0)
            plain_norm_in_double(c, x + i, HOST_FLOATS("gain"), HOST_FLOATS("bias"), y + i);
        run_expect(run, "y", i, y[i], roundings(16) * (fabs(y[i]) + 2.5));
    }
    free(x);
    free(y);
}

static void plain_norm(struct run *run)
{
    const size_t c = (size_t)run->columns;

    for (size_t row = 0; row < (size_t)run->n; row++)
        plain_norm_in_float(c, HOST_FLOATS("x") + row * c, HOST_FLOATS("gain"), HOST_FLOATS("bias"),
                            HOST_FLOATS("y") + row * c);
}

/* n outputs; more inputs than outputs to check, and one row of GPT-2's size to time. */
static int prepare_linear(struct run *run, struct io_error *error)
{
    run->rows = run->timing ? 1 : 3;
    run->columns = run->timing ? 768 : 256;
    random_floats(run, "x", (size_t)run->rows * (size_t)run->columns, 0, 1);
    random_floats(run, "w", (size_t)run->n * (size_t)run->columns, 0, 1);
    random_floats(run, "bias", (size_t)run->n, 0, 1);
    run_update_float(run, "y", (size_t)run->rows * (size_t)run->n, OWNER_NONE);
    run->grid = DIM3(run->timing ? (unsigned)run->n / WARPS : 2, (unsigned)run->rows, 1);
    run->bytes = 4.0 * run->n * run->columns;
    run->flops = 2.0 * run->n * run->columns * run->rows;
    return run_ready(run, error);
}

static portable_status launch_linear(struct run *run, int parts, int finish)
{
    return KERNEL_LAUNCH(linear_rows, run->grid, run->block, 0, 0, run->columns, parts, run->n,
                         finish, DEVICE_FLOATS("x"), DEVICE_FLOATS("w"), DEVICE_FLOATS("bias"),
                         DEVICE_FLOATS("y"));
}

static portable_status launch_add(struct run *run)
{
    return launch_linear(run, 4, ADD);
}

static portable_status launch_gelu(struct run *run)
{
    return launch_linear(run, 1, STORE_GELU);
}

/* A chain of inputs / LANES + 5 additions of products, whose sizes add up to less than the inputs;
 * the slope of GELU is below 1.2. */
static void reference_linear(struct run *run, int finish)
{
    const size_t in = (size_t)run->columns, out = (size_t)run->n, rows = (size_t)run->rows;
    double *const x = doubles(HOST_FLOATS("x"), rows * in);
    double *const y = doubles(HOST_FLOATS("y"), rows * out);

    for (size_t row = 0; row < rows; row++)
        plain_linear_in_double(in, out, finish, x + row * in, HOST_FLOATS("w"), HOST_FLOATS("bias"),
                               y + row * out);
    for (size_t i = 0; i < rows * out; i++) {
        double size = 2;

        for (size_t k = 0; k < in; k++)
            size += fabs(x[i / out * in + k] * (double)HOST_FLOATS("w")[i % out * in + k]);
        run_expect(run, "y", i, y[i], roundings((double)in / LANES + 6) * 1.2 * size);
    }
    free(x);
    free(y);
}

static void reference_add(struct run *run)
{
    reference_linear(run, ADD);
}

static void reference_gelu(struct run *run)
{
    reference_linear(run, STORE_GELU);
}

static void plain_add(struct run *run)
{
    plain_linear_in_float((size_t)run->columns, (size_t)run->n, ADD, HOST_FLOATS("x"),
                          HOST_FLOATS("w"), HOST_FLOATS("bias"), HOST_FLOATS("y"));
}

static void plain_gelu(struct run *run)
{
    plain_linear_in_float((size_t)run->columns, (size_t)run->n, STORE_GELU, HOST_FLOATS("x"),
                          HOST_FLOATS("w"), HOST_FLOATS("bias"), HOST_FLOATS("y"));
}

/* n positions, of which the last 3 look back; the scores are large enough for their maximum to
 * matter. */
static int prepare_attention(struct run *run, struct io_error *error)
{
    run->rows = run->timing || run->n < 3 ? 1 : 3;
    random_floats(run, "qkv", (size_t)run->n * 3 * CHANNELS, 0, 4);
    run_scratch_array(run, "sums", ARRAY_FLOAT32,
                      (size_t)(run->rows * HEADS * model_tiles(run->n) * (HEAD + 2)));
    output_floats(run, "y", (size_t)run->rows * CHANNELS, OWNER_NONE);
    run->grid = DIM3(HEADS, (unsigned)run->rows, 1);
    run->bytes = 8.0 * run->n * CHANNELS;
    run->flops = 4.0 * run->n * CHANNELS;
    return run_ready(run, error);
}

static portable_status launch_attention(struct run *run)
{
    return KERNEL_LAUNCH(attention_rows, run->grid, run->block, 0, 0, run->n - run->rows, CHANNELS,
                         model_tiles(run->n), DEVICE_FLOATS("qkv"), DEVICE_FLOATS("sums"),
                         DEVICE_FLOATS("y"));
}

/* A score is a sum of 64 products in order, of up to 16 / 8 each; its error is the relative one of
 * its weight. Values are below 4. */
static void reference_attention(struct run *run)
{
    double *const qkv = doubles(HOST_FLOATS("qkv"), (size_t)run->n * 3 * CHANNELS);
    double y[CHANNELS];

    for (int row = 0; row < run->rows; row++) {
        plain_attention_in_double(HEADS, run->n - run->rows + row + 1, qkv, y);
        for (size_t c = 0; c < CHANNELS; c++)
            run_expect(run, "y", (size_t)row * CHANNELS + c, y[c], 4 * roundings(64) * 16);
    }
    free(qkv);
}

static void plain_attention(struct run *run)
{
    plain_attention_in_float(HEADS, run->n, HOST_FLOATS("qkv"), HOST_FLOATS("y"));
}

/* The whole model: n positions at once to check, and to time position n - 1 alone, as for one byte
 * of text. */
static struct model model_of(const struct run *run)
{
    const struct model small = {2, HEADS, 130}, large = {6, 6, 256};

    return run->timing ? large : small;
}

static int prepare_model(struct run *run, struct io_error *error)
{
    const struct model m = model_of(run);
    const size_t c = model_channels(&m), count = model_weights(&m);
    int *const tokens = run_input_int(run, "tokens", (size_t)run->n);
    float *weights;

    run->rows = run->timing ? 1 : run->n;
    RUN_FILL(tokens, i, run->n)
        tokens[i] = (int)(run_random(run, "tokens", i) % BYTES);
    weights = run_input_float(run, "weights", count);
    RUN_FILL(weights, i, count)
        weights[i] = 0.15f * weights[i];
    for (int number = 0; number < m.layers && weights; number++) {
        const struct layer l = model_layer(&m, weights, number);

        for (size_t i = 0; i < c; i++) {
            weights[(size_t)(l.gain_1 - weights) + i] += 1;
            weights[(size_t)(l.gain_2 - weights) + i] += 1;
            weights[count - 2 * c + i] = 1;
        }
    }
    run_update_float(run, "cache", (size_t)m.layers * (size_t)m.context * 3 * c, OWNER_NONE);
    run_scratch_array(run, "sums", ARRAY_FLOAT32, (size_t)run->rows * model_sums(&m, m.context));
    run_scratch_array(run, "wide", ARRAY_FLOAT32, 4 * (size_t)run->rows * c);
    output_floats(run, "x", (size_t)run->rows * c, OWNER_NONE);
    output_floats(run, "logits", BYTES, OWNER_NONE);
    run->bytes = 4.0 * (double)count;
    run->flops = 2.0 * (double)count * run->rows;
    return run_ready(run, error);
}

static portable_status launch_model(struct run *run)
{
    const struct model m = model_of(run);
    const float *const weights = DEVICE_FLOATS("weights");
    const int first = run->n - run->rows;
    struct pass pass = {DEVICE_FLOATS("cache"), DEVICE_FLOATS("x"),      DEVICE_FLOATS("sums"),
                        DEVICE_FLOATS("wide"),  DEVICE_FLOATS("logits"), 3};
    portable_status status = run->timing ? model_blocks(&m, &pass.blocks) : PORTABLE_SUCCESS;

    if (status == PORTABLE_SUCCESS)
        status = model_run(&m, weights, pass, DEVICE_INTS("tokens"), first, run->rows, 0, 1);
    return status == PORTABLE_SUCCESS
               ? model_run(&m, weights, pass, DEVICE_INTS("tokens"), first, run->rows, 1, m.layers)
               : status;
}

/* The states and the logits are below 12. A layer adds 8 sums to the chain, each with two roundings
 * of the largest number: chains of independent roundings grow no faster. */
static void reference_model(struct run *run)
{
    const struct model m = model_of(run);
    const size_t c = model_channels(&m), rows = (size_t)run->rows, row_of_cache = 3 * c;
    const float *const weights = HOST_FLOATS("weights");
    double *const cache =
        doubles(HOST_FLOATS("cache"), (size_t)m.layers * (size_t)m.context * row_of_cache);
    double *const x = doubles(weights, rows * c), logits[BYTES];
    const double bound = 16 * m.layers * roundings(1);

    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < c; i++)
            x[row * c + i] = (double)weights[(size_t)HOST_INTS("tokens")[row] * c + i] +
                             (double)model_places(&m, weights)[row * c + i];
        for (int number = 0; number < m.layers; number++)
            plain_layer_in_double(&m, weights, number, (int)row,
                                  cache + (size_t)number * (size_t)m.context * row_of_cache,
                                  x + row * c);
    }
    for (size_t i = 0; i < rows * c; i++)
        run_expect(run, "x", i, x[i], bound * 12);
    for (size_t i = 0; i < (size_t)m.layers * (size_t)m.context * row_of_cache; i++)
        run_expect(run, "cache", i, cache[i],
                   i / row_of_cache % (size_t)m.context < rows ? bound * 12 : 0);
    plain_norm_in_double(c, x + rows * c - c, model_last(&m, weights), model_last(&m, weights) + c,
                         x);
    plain_linear_in_double(c, BYTES, STORE, x, weights, NULL, logits);
    for (size_t b = 0; b < BYTES; b++)
        run_expect(run, "logits", b, logits[b], bound * 12);
    free(cache);
    free(x);
}

static void plain_model(struct run *run)
{
    const struct model m = model_of(run);
    const size_t c = model_channels(&m), last = (size_t)run->n - 1;
    const float *const weights = HOST_FLOATS("weights");
    float *const x = HOST_FLOATS("x"), *const normed = HOST_FLOATS("wide");

    for (size_t i = 0; i < c; i++)
        x[i] = weights[(size_t)HOST_INTS("tokens")[last] * c + i] +
               model_places(&m, weights)[last * c + i];
    for (int number = 0; number < m.layers; number++)
        plain_layer_in_float(&m, weights, number, (int)last,
                             HOST_FLOATS("cache") + (size_t)number * (size_t)m.context * 3 * c, x);
    plain_norm_in_float(c, x, model_last(&m, weights), model_last(&m, weights) + c, normed);
    plain_linear_in_float(c, BYTES, STORE, normed, weights, NULL, HOST_FLOATS("logits"));
}

/* Draws for n positions. */
enum { SEED = 5 };
static const float temperature = 0.8f;

static int prepare_sample(struct run *run, struct io_error *error)
{
    const size_t count = (size_t)run->n;

    random_floats(run, "logits", count * BYTES, 0, 6);
    run_output_array(run, "tokens", ARRAY_INT32, count, OWNER_NONE);
    run->grid = DIM3((unsigned)run->n, 1, 1);
    run->bytes = 4.0 * run->n * BYTES;
    return run_ready(run, error);
}

static portable_status launch_sample(struct run *run)
{
    return KERNEL_LAUNCH(sample, run->grid, run->block, 0, 0, temperature, SEED, 0,
                         DEVICE_FLOATS("logits"), DEVICE_INTS("tokens"));
}

/* Where the random number is within the roundings of a sum from the share of another byte, that
 * byte may be the answer too. */
static void reference_sample(struct run *run)
{
    for (int k = 0; k < run->n; k++) {
        const float *const logits = HOST_FLOATS("logits") + k * BYTES;
        const double close = BYTES * roundings(2);
        double share[BYTES], total = 0, left = (double)random_share(SEED, k);
        int byte = 0;

        for (int b = 0; b < BYTES; b++)
            total += share[b] = exp((double)logits[b] / (double)temperature);
        while (left >= share[byte] / total && byte < BYTES - 1)
            left -= share[byte++] / total;
        run_expect(run, "tokens", (size_t)k, byte,
                   left < close || share[byte] / total - left < close ? 1 : 0);
    }
}

static void plain_sample(struct run *run)
{
    for (int k = 0; k < run->n; k++) {
        const float *const logits = HOST_FLOATS("logits") + k * BYTES;
        float share[BYTES], total = 0, left;
        int byte = 0;

        for (int b = 0; b < BYTES; b++)
            total += share[b] = expf(logits[b] / temperature);
        left = random_share(SEED, k) * total;
        while (left >= share[byte] && byte < BYTES - 1)
            left -= share[byte++];
        HOST_INTS("tokens")[k] = byte;
    }
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "gpt2", .name = "layer_norm", .summary = "rows with mean 0 and variance 1",
     .blocks = {{LANES, WARPS}}, .sizes = {1, 3}, .timing_n = 1024,
     .prepare = prepare_norm, .launch = launch_norm, .reference = reference_norm,
     .baseline = plain_norm},
    {.family = "gpt2", .name = "linear_add", .summary = "y += x w^T + bias",
     .blocks = {{LANES, WARPS}}, .sizes = {16, 48, 256}, .timing_n = 3072, .counts = CASE_FIXED,
     .prepare = prepare_linear, .launch = launch_add, .reference = reference_add,
     .baseline = plain_add},
    {.family = "gpt2", .name = "linear_gelu", .summary = "y = gelu(x w^T + bias)",
     .blocks = {{LANES, WARPS}}, .sizes = {16, 48, 256}, .timing_n = 3072, .counts = CASE_FIXED,
     .prepare = prepare_linear, .launch = launch_gelu, .reference = reference_gelu,
     .baseline = plain_gelu},
    {.family = "gpt2", .name = "attention", .summary = "attention by tiles of 64 positions",
     .blocks = {{LANES, WARPS}}, .sizes = {1, 2, 63, 64, 65, 130, 300}, .timing_n = 1024, .counts = CASE_FIXED,
     .prepare = prepare_attention, .launch = launch_attention, .reference = reference_attention,
     .baseline = plain_attention},
    {.family = "gpt2", .name = "sample", .summary = "bytes by their share of a softmax",
     .blocks = {{BYTES}}, .sizes = {1, 100}, .timing_n = 1024,
     .prepare = prepare_sample, .launch = launch_sample, .reference = reference_sample,
     .baseline = plain_sample},
    {.family = "gpt2", .name = "gpt2", .summary = "the whole model; to time, one byte of text",
     .blocks = {{LANES, WARPS}}, .sizes = {1, 2, 66, 130}, .timing_n = 128, .counts = CASE_FIXED,
     .prepare = prepare_model, .launch = launch_model, .reference = reference_model,
     .baseline = plain_model},
};
/* clang-format on */
GALLERY_CASES(cases)
