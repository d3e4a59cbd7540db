/* SPDX-License-Identifier: 0BSD */
/* Continues a text, byte by byte, by a transformer of GPT-2's shape: gpt2 --help */
#include "kernels/model.h"

#define NUMBER double
#define NAME(function) function##_in_double
#include "plain.h"

#include "host/line_plot.h"
#include "host/npy.h"
#include "host/program.h"
#include "host/timer.h"

static const char about[] =
    "Continues a text, byte by byte, by a transformer of heads of 64 channels. Its weights are "
    "random\n"
    "numbers, whose text is noise, or an array of floats in the order of kernels/model.h. The "
    "states\n"
    "of the prompt after each layer are compared with plain C in double precision.";

enum { MOST_LAYERS = 64, MOST_POSITIONS = 4096 };

/* The largest error of a layer's state, relative to the largest state: see README.md. */
static const double tolerance = 2e-6;

/* A random number in [0, 1). */
static double random_number(unsigned long long *state)
{
    return (double)(splitmix64(state) >> 11) * 0x1p-53;
}

static void fill(float *weights, size_t count, double middle, double deviation,
                 unsigned long long *state)
{
    for (size_t i = 0; i < count; i++)
        weights[i] = (float)(middle + deviation * sqrt(12.0) * (random_number(state) - 0.5));
}

/* Weights with the deviations that training begins with: 0.02, and less on the way back into the
 * state; here biases and gains are random too, so that an error in one shows. */
static void random_weights(const struct model *m, unsigned long long seed, float *weights)
{
    const size_t c = model_channels(m);
    unsigned long long state = seed;

    fill(weights, model_weights(m), 0, 0.02, &state);
    for (int number = 0; number < m->layers; number++) {
        const struct layer l = model_layer(m, weights, number);
        const double back = 0.02 / sqrt(2.0 * m->layers);

        fill(weights + (l.gain_1 - weights), c, 1, 0.02, &state);
        fill(weights + (l.gain_2 - weights), c, 1, 0.02, &state);
        fill(weights + (l.project - weights), c * c, 0, back, &state);
        fill(weights + (l.narrow - weights), 4 * c * c, 0, back, &state);
    }
    fill(weights + (model_last(m, weights) - weights), c, 1, 0.02, &state);
}

/* The weights of a file, or random ones; the caller frees them. */
static struct array get_weights(const struct model *m, const char *file, int seed)
{
    const size_t count = model_weights(m);
    struct array weights;
    struct io_error error;

    program_check(file ? npy_read(file, &weights, &error)
                       : array_allocate(&weights, ARRAY_FLOAT32, 1, &count, &error),
                  &error);
    if (weights.type != ARRAY_FLOAT32 || array_count(&weights) != count)
        program_fail("%s: expected %zu numbers of type float32, found %zu of type %s", file, count,
                     array_count(&weights), array_type_name(weights.type));
    if (!file)
        random_weights(m, (unsigned long long)seed, (float *)weights.data);
    return weights;
}

static void print_byte(int byte)
{
    if (byte >= ' ' && byte <= '~' && byte != '\\')
        putchar(byte);
    else
        printf("\\%03o", (unsigned)byte);
}

static void write_plot(const char *path, int layers, const double *errors)
{
    double x[MOST_LAYERS + 1], largest = 0;
    struct io_error error;
    char title[100];

    for (int k = 0; k <= layers; k++) {
        x[k] = k + 1;
        largest = fmax(largest, errors[k]);
    }
    snprintf(title, sizeof title, "The largest error of a layer is %.0f%% of the tolerance",
             100 * largest / tolerance);
    const struct line_plot plot = {.title = title,
                                   .x_label = "layer; the last is the logits",
                                   .y_label = "error relative to the largest state",
                                   .log_x = 0,
                                   .log_y = 10,
                                   .limit = tolerance,
                                   .limit_label = "tolerance",
                                   .series_count = 1,
                                   .series = {{"", (size_t)layers + 1, x, errors}}};
    program_check(line_plot_write(path, &plot, &error), &error);
}

/* The largest difference of `count` floats on the device from `exact`, over the largest of
 * those. */
static double distance(const float *device, const double *exact, size_t count, float *host)
{
    double worst = 0, largest = 0;

    PORTABLE_CHECK(portable_copy_to_host(host, device, count * sizeof *host));
    for (size_t i = 0; i < count; i++) {
        const double off = fabs((double)host[i] - exact[i]);

        worst = larger_error(worst, off);
        largest = fmax(largest, fabs(exact[i]));
    }
    return worst / largest;
}

/* The prompt through each layer, on the device and in plain C.  errors: layers + 1 */
static void compare_layers(const struct model *m, const float *host_weights, const float *weights,
                           struct pass pass, const int *text, const int *tokens, int rows,
                           double *errors)
{
    const size_t c = model_channels(m), count = (size_t)rows * c;
    double *const x = (double *)program_host(count, sizeof *x);
    double *const cache = (double *)program_host(3 * count, sizeof *cache), logits[BYTES];
    float *const host = (float *)program_host(count + BYTES, sizeof *host);

    for (size_t i = 0; i < count; i++)
        x[i] = (double)host_weights[(size_t)text[i / c] * c + i % c] +
               (double)model_places(m, host_weights)[i];
    for (int number = 0; number < m->layers; number++) {
        for (int row = 0; row < rows; row++)
            plain_layer_in_double(m, host_weights, number, row, cache, x + (size_t)row * c);
        PORTABLE_CHECK(model_run(m, weights, pass, tokens, 0, rows, number, number + 1));
        errors[number] = distance(pass.x, x, count, host);
        verify(errors[number] <= tolerance, "layer %d: within %.1e of double precision", number + 1,
               errors[number]);
    }
    plain_norm_in_double(c, x + count - c, model_last(m, host_weights),
                         model_last(m, host_weights) + c, cache);
    plain_linear_in_double(c, BYTES, STORE, cache, host_weights, NULL, logits);
    errors[m->layers] = distance(pass.logits, logits, BYTES, host);
    verify(errors[m->layers] <= tolerance, "logits: within %.1e of double precision",
           errors[m->layers]);
}

/* Continues the `rows` tokens, whose logits the pass has, by `count` more. */
static void continue_text(const struct model *m, const float *weights, struct pass pass,
                          int *tokens, int rows, int count, double temperature, int seed)
{
    const double begin = timer_seconds();

    for (int i = rows; i < rows + count; i++) {
        PORTABLE_CHECK(KERNEL_LAUNCH(sample, 1, BYTES, 0, 0, (float)temperature,
                                     (unsigned long long)seed + 1, i, pass.logits, tokens));
        PORTABLE_CHECK(model_run(m, weights, pass, tokens, i, 1, 0, m->layers));
    }
    PORTABLE_CHECK(portable_synchronize());
    if (count > 0)
        fprintf(stderr, "%s: %.1f bytes a second\n", PORTABLE_TARGET_NAME,
                count / (timer_seconds() - begin));
}

int main(int argc, char **argv)
{
    const char *prompt = "In the beginning the GPU was without kernels, and void;";
    const char *file = NULL, *save = NULL, *plot = NULL;
    struct model m = {6, 6, 256};
    int count = 200, seed = 1;
    double temperature = 1, errors[MOST_LAYERS + 1];
    const struct options_entry options[] = {
        options_whole("--layers N", &m.layers, 1, MOST_LAYERS, "of the model"),
        options_whole("--heads N", &m.heads, 1, 64, "of each layer"),
        options_whole("--context N", &m.context, 2, MOST_POSITIONS,
                      "positions that the model holds"),
        options_text("--weights FILE", &file, "a .npy of weights"),
        options_whole("--seed S", &seed, 0, 1000000000, "of the random weights and the text"),
        options_text("--prompt TEXT", &prompt, "the text to continue"),
        options_whole("--tokens N", &count, 0, MOST_POSITIONS, "bytes to generate"),
        options_number("--temperature T", &temperature, 0, 100,
                       "randomness; 0 takes the most probable byte"),
        options_text("--save FILE", &save, "write random weights as a .npy"),
        options_text("--svg FILE", &plot, "plot the errors"),
    };
    static int text[MOST_POSITIONS];
    struct io_error error;
    struct pass pass;

    program_begin("gpt2", about, options, sizeof options / sizeof *options, argc, argv);
    if (file && save)
        program_fail("--save writes random weights; it cannot be used with --weights");
    const int rows = (int)strlen(prompt);
    if (rows + count > m.context)
        program_fail("the prompt's %d bytes and %d more must be at most %d, the context", rows,
                     count, m.context);
    struct array host_weights = get_weights(&m, file, seed);
    if (save)
        program_check(npy_write(save, &host_weights, &error), &error);
    for (int i = 0; i < rows; i++)
        text[i] = (unsigned char)prompt[i];
    const size_t states = (size_t)rows * model_channels(&m);
    const float *const host = (const float *)host_weights.data;
    float *const weights = (float *)program_upload(host, model_weights(&m) * sizeof *host);
    int *const tokens = (int *)program_upload(text, (size_t)m.context * sizeof *tokens);
    PORTABLE_CHECK(model_blocks(&m, &pass.blocks));
    pass.cache = (float *)program_device((size_t)(3 * m.layers * m.context) * model_channels(&m),
                                         sizeof(float));
    pass.x = (float *)program_device(states, sizeof(float));
    pass.sums = (float *)program_device((size_t)rows * model_sums(&m, m.context), sizeof(float));
    pass.wide = (float *)program_device(4 * states, sizeof(float));
    pass.logits = (float *)program_device(BYTES, sizeof(float));

    printf("%d layers, %d heads, %zu channels: %zu weights\n", m.layers, m.heads,
           model_channels(&m), model_weights(&m));
    compare_layers(&m, host, weights, pass, text, tokens, rows, errors);
    continue_text(&m, weights, pass, tokens, rows, count, temperature, seed);
    PORTABLE_CHECK(portable_copy_to_host(text, tokens, (size_t)(rows + count) * sizeof *text));
    for (int i = 0; i < rows + count; i++)
        print_byte(text[i]);
    printf("\n");
    if (plot)
        write_plot(plot, m.layers, errors);
    array_free(&host_weights);
    return program_end("%d layers and the logits, within %g", m.layers, tolerance);
}
