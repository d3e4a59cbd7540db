/* SPDX-License-Identifier: BSD-3-Clause */
/* Continues a text, byte by byte, by a transformer of GPT-2's shape: gpt2 --help */
#include "kernels/model.h"

#define NUMBER double
#define NAME(function) function##_in_double
#include "plain.h"

#include "host/npy.h"
#include "host/output.h"
#include "host/timer.h"

static const char *const usage =
    "usage: gpt2 [--layers N] [--heads N] [--context N] [--weights FILE.npy | --seed S]\n"
    "            [--prompt TEXT] [--tokens N] [--temperature T] [--save FILE.npy] [--svg FILE]\n"
    "\n"
    "Continues the prompt by N bytes, default 200. The model has 6 layers of 6 heads of 64 "
    "channels\n"
    "and a context of 256 positions by default. Its weights are an array of floats in a file, in "
    "the\n"
    "order of kernels/model.h, or random numbers of a seed, whose text is noise; --save writes "
    "them.\n"
    "The states of the prompt after each layer are compared with plain C in double precision; "
    "--svg\n"
    "plots the errors.\n"
    "\n"
    "Exit status: 0 verified, 1 a layer is wrong, 2 bad input.\n";

/* The largest error of a layer's state, relative to the largest state: see README.md. */
static const double tolerance = 2e-6;

/* A random number in [0, 1), and the next state: S. Vigna's splitmix64, prng.di.unimi.it. */
static double random_number(unsigned long long *state)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
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

static int get_weights(const struct model *m, const char *file, double seed, const char *save,
                       struct array *weights, struct io_error *error)
{
    const size_t count = model_weights(m);

    if (file) {
        if (npy_read(file, weights, error))
            return IO_BAD;
        if (weights->type != ARRAY_FLOAT32 || array_count(weights) != count)
            return io_fail(error, "%s: expected %zu numbers of type float32, found %zu of type %s",
                           file, count, array_count(weights), array_type_name(weights->type));
        return 0;
    }
    if (array_allocate(weights, ARRAY_FLOAT32, 1, &count, error))
        return IO_BAD;
    random_weights(m, (unsigned long long)seed, (float *)weights->data);
    return save ? npy_write(save, weights, error) : 0;
}

/* The byte whose share of the softmax of logits / temperature holds the random number; the most
 * probable one at temperature 0. */
static int sample(const float *logits, double temperature, unsigned long long *state)
{
    double share[BYTES], total = 0, left = random_number(state);
    int best = 0;

    for (int b = 0; b < BYTES; b++)
        best = logits[b] > logits[best] ? b : best;
    if (!(temperature > 0))
        return best;
    for (int b = 0; b < BYTES; b++)
        total += share[b] = exp(((double)logits[b] - (double)logits[best]) / temperature);
    for (int b = 0; b < BYTES; b++)
        if ((left -= share[b] / total) < 0)
            return b;
    return best;
}

static void print_byte(int byte)
{
    if (byte >= ' ' && byte <= '~' && byte != '\\')
        putchar(byte);
    else
        printf("\\%03o", (unsigned)byte);
}

/* Bars of log10 of the errors, one for each layer, and the tolerance. */
static int write_plot(const char *path, int layers, const double *errors, struct io_error *error)
{
    const double left = 80, top = 50, bottom = 330, across = 560.0 / (layers + 1);
    const double down = (bottom - top) / 4;
    struct io_writer writer;

    if (io_write_begin(&writer, path, error))
        return IO_BAD;
    fprintf(
        writer.stream,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 380\">\n"
        "<title>The error of the state after each layer</title>\n"
        "<style>text{font:14px "
        "sans-serif;fill:#333}path{stroke:#888;stroke-opacity:.4}.bar{fill:#0969da}"
        ".limit{stroke:#c45500;stroke-width:2;stroke-opacity:1}@media(prefers-color-scheme:dark)"
        "{text{fill:#ddd}.bar{fill:#58a6ff}.limit{stroke:#f0883e}}</style>\n"
        "<text x=\"20\" y=\"28\">error after each layer against double precision, relative to "
        "the largest state</text>\n");
    for (int power = -8; power <= -4; power++)
        fprintf(writer.stream,
                "<path d=\"M%g %gH640\"/><text x=\"%g\" y=\"%g\" text-anchor=\"end\">1e%d</text>\n",
                left, bottom - (power + 8) * down, left - 8, bottom - (power + 8) * down + 5,
                power);
    for (int k = 0; k <= layers; k++) {
        const double height = down * fmin(4, fmax(0.02, log10(errors[k] + 1e-9) + 8));

        fprintf(writer.stream,
                "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%d</text>\n",
                left + k * across + 0.2 * across, bottom - height, 0.6 * across, height,
                left + (k + 0.5) * across, bottom + 20, k + 1);
    }
    fprintf(
        writer.stream,
        "<path class=\"limit\" d=\"M%g %.1fH640\"/><text x=\"644\" y=\"%.1f\">tolerance</text>\n"
        "<text x=\"360\" y=\"%g\" text-anchor=\"middle\">layer; the last is the logits</text>\n"
        "</svg>\n",
        left, bottom - (log10(tolerance) + 8) * down, bottom - (log10(tolerance) + 8) * down + 5,
        bottom + 42);
    return io_write_commit(&writer, error);
}

/* The largest difference of `count` floats on the device from `exact`, over the largest of those. */
static double distance(const float *device, const double *exact, size_t count, float *host)
{
    double worst = 0, largest = 0;

    PORTABLE_CHECK(portable_copy_to_host(host, device, count * sizeof *host));
    for (size_t i = 0; i < count; i++) {
        const double off = fabs((double)host[i] - exact[i]);

        worst = off <= worst ? worst : off; /* a NaN stays */
        largest = fmax(largest, fabs(exact[i]));
    }
    return worst / largest;
}

/* The prompt through each layer, on the device and in plain C; errors: layers + 1 */
static void compare_layers(const struct model *m, const float *host_weights, const float *weights,
                           struct pass pass, const int *host_tokens, const int *tokens, int rows,
                           double *errors)
{
    const size_t c = model_channels(m), count = (size_t)rows * c;
    double *const x = (double *)malloc((4 * count + BYTES) * sizeof *x), *const cache = x + count;
    double *const logits = cache + 3 * count;
    float *const host = (float *)malloc((count + BYTES) * sizeof *host);

    if (!x || !host) {
        fprintf(stderr, "gpt2: no memory to compare with\n");
        exit(1);
    }
    for (size_t i = 0; i < count; i++)
        x[i] = (double)host_weights[(size_t)host_tokens[i / c] * c + i % c] +
               (double)model_places(m, host_weights)[i];
    PORTABLE_CHECK(model_embed(m, weights, pass, tokens, 0, rows));
    for (int number = 0; number < m->layers; number++) {
        for (int row = 0; row < rows; row++)
            plain_layer_in_double(m, host_weights, number, row, cache, x + (size_t)row * c);
        PORTABLE_CHECK(model_run_layer(m, weights, pass, number, 0, rows));
        errors[number] = distance(pass.x, x, count, host);
    }
    plain_norm_in_double(c, x + count - c, model_last(m, host_weights),
                         model_last(m, host_weights) + c, cache);
    plain_linear_in_double(c, BYTES, STORE, cache, host_weights, NULL, logits);
    PORTABLE_CHECK(model_finish(m, weights, pass, rows));
    errors[m->layers] = distance(pass.logits, logits, BYTES, host);
    free(x);
    free(host);
}

static int generate(const struct model *m, const float *host_weights, const char *prompt, int count,
                    double temperature, double seed, const char *plot, struct io_error *error)
{
    const size_t c = model_channels(m);
    const int rows = (int)strlen(prompt);
    unsigned long long state = (unsigned long long)seed + 1;
    float *weights, *floats, logits[BYTES];
    int *tokens, text[4096], failures = 0;
    double errors[65], begin;
    struct pass pass;

    for (int i = 0; i < rows; i++)
        text[i] = (unsigned char)prompt[i];
    PORTABLE_CHECK(portable_malloc(&weights, model_weights(m) * sizeof *weights));
    PORTABLE_CHECK(portable_malloc(
        &floats, ((size_t)m->layers * (size_t)m->context * 3 * c + 7 * (size_t)rows * c + BYTES) *
                     sizeof *floats));
    PORTABLE_CHECK(portable_malloc(&tokens, (size_t)rows * sizeof *tokens));
    PORTABLE_CHECK(
        portable_copy_to_device(weights, host_weights, model_weights(m) * sizeof *weights));
    PORTABLE_CHECK(portable_copy_to_device(tokens, text, (size_t)rows * sizeof *tokens));
    pass.cache = floats;
    pass.x = pass.cache + (size_t)m->layers * (size_t)m->context * 3 * c;
    pass.normed = pass.x + (size_t)rows * c;
    pass.mixed = pass.normed + (size_t)rows * c;
    pass.wide = pass.mixed + (size_t)rows * c;
    pass.logits = pass.wide + 4 * (size_t)rows * c;

    printf("%d layers, %d heads, %zu channels: %zu weights\n", m->layers, m->heads, c,
           model_weights(m));
    compare_layers(m, host_weights, weights, pass, text, tokens, rows, errors);
    for (int k = 0; k <= m->layers; k++) {
        const int holds = errors[k] <= tolerance;

        failures += !holds;
        if (k < m->layers)
            printf("layer %d", k + 1);
        else
            printf("logits");
        printf(": within %.1e of double precision%s\n", errors[k], holds ? "" : ", WRONG");
    }

    begin = timer_seconds();
    for (int i = rows; i < rows + count; i++) {
        PORTABLE_CHECK(portable_copy_to_host(logits, pass.logits, sizeof logits));
        text[i] = sample(logits, temperature, &state);
        PORTABLE_CHECK(portable_copy_to_device(tokens, &text[i], sizeof *tokens));
        PORTABLE_CHECK(model_embed(m, weights, pass, tokens, i, 1));
        for (int number = 0; number < m->layers; number++)
            PORTABLE_CHECK(model_run_layer(m, weights, pass, number, i, 1));
        PORTABLE_CHECK(model_finish(m, weights, pass, 1));
    }
    PORTABLE_CHECK(portable_synchronize());
    if (count > 0)
        fprintf(stderr, "%s: %.1f bytes a second\n", PORTABLE_TARGET_NAME,
                count / (timer_seconds() - begin));
    for (int i = 0; i < rows + count; i++)
        print_byte(text[i]);
    printf("\n");
    PORTABLE_CHECK(portable_free(weights));
    PORTABLE_CHECK(portable_free(floats));
    PORTABLE_CHECK(portable_free(tokens));
    if (plot && write_plot(plot, m->layers, errors, error))
        return IO_BAD;
    if (failures)
        printf("gpt2: FAILED: %d of %d results are wrong\n", failures, m->layers + 1);
    else
        printf("gpt2: verified: %d layers and the logits, within %g\n", m->layers, tolerance);
    return failures ? 1 : 0;
}

int main(int argc, char **argv)
{
    const char *prompt = "In the beginning the GPU was without kernels, and void;";
    const char *file = NULL, *save = NULL, *plot = NULL;
    struct {
        const char *name;
        double value, least, most;
    } numbers[] = {{"--layers", 6, 1, 64},     {"--heads", 6, 1, 64}, {"--context", 256, 2, 4096},
                   {"--tokens", 200, 0, 4096}, {"--seed", 1, 0, 1e9}, {"--temperature", 1, 0, 100}};
    struct {
        const char *name, **value;
    } texts[] = {{"--prompt", &prompt}, {"--weights", &file}, {"--save", &save}, {"--svg", &plot}};
    struct array weights = {ARRAY_FLOAT32, 0, {0}, NULL};
    struct model m;
    struct io_error error;
    int status = 0, devices;

    output_begin();
    for (int i = 1; i < argc && !status; i += 2) {
        int known = 0;

        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            return output_end("gpt2", 0);
        }
        for (int k = 0; k < 10 && !known; k++) {
            known = strcmp(argv[i], k < 6 ? numbers[k].name : texts[k - 6].name) == 0;
            if (!known)
                continue;
            if (i + 1 == argc) {
                status = io_fail(&error, "%s needs a value", argv[i]);
            } else if (k >= 6) {
                *texts[k - 6].value = argv[i + 1];
            } else {
                char *end;

                numbers[k].value = strtod(argv[i + 1], &end);
                if (end == argv[i + 1] || *end != '\0' ||
                    !(numbers[k].value >= numbers[k].least &&
                      numbers[k].value <= numbers[k].most) ||
                    (k < 5 && numbers[k].value != floor(numbers[k].value)))
                    status =
                        io_fail(&error, "%s %s: expected a%s from %g to %g", argv[i], argv[i + 1],
                                k < 5 ? "n integer" : " number", numbers[k].least, numbers[k].most);
            }
        }
        if (!known)
            status = io_fail(&error, "unknown option %s; see gpt2 --help", argv[i]);
    }
    m.layers = (int)numbers[0].value;
    m.heads = (int)numbers[1].value;
    m.context = (int)numbers[2].value;
    if (!status && (!*prompt || strlen(prompt) + numbers[3].value > m.context))
        status = io_fail(&error, "the prompt's %zu bytes and %g more must be 1 to %d, the context",
                         strlen(prompt), numbers[3].value, m.context);
    if (!status && portable_device_count(&devices) != PORTABLE_SUCCESS)
        status = io_fail(&error, "%s", portable_last_message());
    if (!status)
        status = get_weights(&m, file, numbers[4].value, save, &weights, &error);
    if (!status)
        status = generate(&m, (const float *)weights.data, prompt, (int)numbers[3].value,
                          numbers[5].value, numbers[4].value, plot, &error);
    array_free(&weights);
    if (status == IO_BAD)
        fprintf(stderr, "gpt2: %s\n", error.text);
    return output_end("gpt2", status);
}
