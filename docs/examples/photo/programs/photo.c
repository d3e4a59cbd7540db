/* SPDX-License-Identifier: 0BSD */
/* photo: the outlines in a photograph, by five kernels; each is checked against plain C. */
#include "kernels/bilateral.c"
#include "kernels/components.c"
#include "kernels/edges.c"
#include "kernels/equalise.c"
#include "kernels/grey.c"

#include "host/io.h"
#include "host/output.h"
#include "host/png.h"
#include "host/pnm.h"
#include "host/timer.h"
#include "plain.h"

#include <stdio.h>  /* printf, fprintf, snprintf */
#include <stdlib.h> /* malloc, free, strtol */
#include <string.h> /* memcpy, strcmp */

/* Of a photograph: indices are ints. */
enum { MOST_PIXELS = 1 << 28 };

static const char usage[] =
    "usage: photo [--low N] [--high N] [--out DIRECTORY] IMAGE\n"
    "\n"
    "Finds the outlines in a photograph: grey levels, histogram equalisation, bilateral filter,\n"
    "Canny's edges, connected components. Each stage is compared with plain C, byte for byte.\n"
    "\n"
    "  IMAGE              raw PGM or PPM (P5, P6)\n"
    "  --low N, --high N  gradients of weak and strong edges, 0 to 2040; 80 and 200\n"
    "  --out DIRECTORY    write before.png, smooth.png, edges.png and outlines.png there\n"
    "\n"
    "Exit status: 0 verified, 1 a stage differs, 2 bad input.\n";

enum { GREY, EQUALISE, BILATERAL, EDGES, COMPONENTS, STAGES };
static const char *const names[STAGES] = {"grey levels", "equalisation", "bilateral filter",
                                          "edge candidates", "components"};

/* What each stage makes: in device memory for the kernels, in host memory for plain C. */
struct images {
    unsigned char *colour; /* NULL if the photograph is grey */
    unsigned char *grey, *equal, *smooth, *marks;
    int *kept;
};

struct photo {
    int width, height, n, low, high;
    struct images device, host;
    /* On the device alone. */
    unsigned char *levels;
    unsigned *counts, *like;
    int *labels, *next, *changed;
    /* On the host alone. */
    int *stack;
    unsigned near_table[DIAMETER * DIAMETER], like_table[256];
};

/* Memory for `bytes` bytes, or the end of the program. */
static void *host_memory(size_t bytes)
{
    void *const memory = malloc(bytes);

    if (!memory) {
        fprintf(stderr, "photo: no memory for %zu bytes\n", bytes);
        exit(IO_BAD);
    }
    return memory;
}

static void *device_memory(size_t bytes)
{
    void *memory;

    PORTABLE_CHECK(portable_malloc(&memory, bytes));
    return memory;
}

static struct images make_images(const struct photo *p, int colour, void *(*memory)(size_t))
{
    const size_t n = (size_t)p->n;
    struct images images = {NULL, NULL, NULL, NULL, NULL, NULL};

    images.colour = colour ? (unsigned char *)memory(3 * n) : NULL;
    images.grey = (unsigned char *)memory(n);
    images.equal = (unsigned char *)memory(n);
    images.smooth = (unsigned char *)memory(n);
    images.marks = (unsigned char *)memory(n);
    images.kept = (int *)memory(n * sizeof(int));
    return images;
}

static void run_kernels(int stage, const struct photo *p)
{
    const struct images *d = &p->device;
    const dim3 tiles = DIM3((p->width + 31) / 32, (p->height + 7) / 8, 1), tile = DIM3(32, 8, 1);
    const int blocks = p->n / 4096 + 1 < 1024 ? p->n / 4096 + 1 : 1024;

    switch (stage) {
    case GREY:
        if (d->colour)
            PORTABLE_CHECK(KERNEL_LAUNCH_AUTO(grey_levels, p->n, p->n, d->colour, d->grey));
        break;
    case EQUALISE:
        PORTABLE_CHECK(portable_memset(p->counts, 0, 256 * sizeof *p->counts));
        PORTABLE_CHECK(KERNEL_LAUNCH(count_levels, blocks, 256, 0, 0, p->n, d->grey, p->counts));
        PORTABLE_CHECK(KERNEL_LAUNCH(spread_levels, 1, 256, 0, 0, p->n, p->counts, p->levels));
        PORTABLE_CHECK(KERNEL_LAUNCH_AUTO(look_up, p->n, p->n, p->levels, d->grey, d->equal));
        break;
    case BILATERAL:
        PORTABLE_CHECK(KERNEL_LAUNCH(bilateral, tiles, tile, 0, 0, p->width, p->height, p->like,
                                     d->equal, d->smooth));
        break;
    case EDGES:
        PORTABLE_CHECK(KERNEL_LAUNCH(mark_edges, tiles, tile, 0, 0, p->width, p->height, p->low,
                                     p->high, d->smooth, d->marks));
        break;
    case COMPONENTS:
        PORTABLE_CHECK(label_components(p->width, p->height, d->marks, p->labels, p->next,
                                        p->changed, d->kept));
    }
    PORTABLE_CHECK(portable_synchronize());
}

static void run_plain(int stage, const struct photo *p)
{
    const struct images *h = &p->host;

    switch (stage) {
    case GREY:
        if (h->colour)
            plain_grey(p->n, h->colour, h->grey);
        break;
    case EQUALISE: plain_equalise(p->n, h->grey, h->equal); break;
    case BILATERAL:
        plain_bilateral(p->width, p->height, p->near_table, p->like_table, h->equal, h->smooth);
        break;
    case EDGES:
        plain_mark_edges(p->width, p->height, p->low, p->high, h->smooth, h->marks);
        break;
    case COMPONENTS:
        plain_components(p->width, p->height, h->marks, p->stack, h->kept);
    }
}

/* Compares what a stage made on the device and on the host; returns how many bytes differ. */
static size_t compare_stage(int stage, const struct photo *p)
{
    const struct images *d = &p->device, *h = &p->host;
    const void *const results[STAGES][2] = {{d->grey, h->grey},
                                            {d->equal, h->equal},
                                            {d->smooth, h->smooth},
                                            {d->marks, h->marks},
                                            {d->kept, h->kept}};
    const size_t bytes = (size_t)p->n * (stage == COMPONENTS ? sizeof *h->kept : 1);
    unsigned char *const fetched = (unsigned char *)host_memory(bytes);
    size_t different = 0;

    PORTABLE_CHECK(portable_copy_to_host(fetched, results[stage][0], bytes));
    for (size_t i = 0; i < bytes; i++)
        different += fetched[i] != ((const unsigned char *)results[stage][1])[i];
    free(fetched);
    return different;
}

/* Each component in a colour of its own, a light one, on black. Returns the number of components. */
static int colour_components(const struct photo *p, unsigned char *picture)
{
    int count = 0;

    for (int i = 0; i < p->n; i++) {
        const int label = p->host.kept[i];
        const unsigned hash = (unsigned)label * 2654435761u;

        count += label == i;
        for (int channel = 0; channel < 3; channel++)
            picture[3 * (size_t)i + (size_t)channel] =
                (unsigned char)(label == BACKGROUND ? 0 : 96 + (hash >> (8 + 8 * channel)) % 160);
    }
    return count;
}

static int write_picture(const char *directory, const char *name, const struct photo *p,
                         int channels, unsigned char *pixels, struct io_error *error)
{
    const struct array image = {ARRAY_UINT8,
                                channels == 3 ? 3 : 2,
                                {(size_t)p->height, (size_t)p->width, (size_t)channels},
                                pixels};
    char path[IO_PATH_SIZE];
    unsigned char *data;
    size_t size;

    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
        return io_fail(error, "%s: the path is too long", directory);
    if (png_encode(&image, &data, &size, error) != 0)
        return IO_BAD;
    const int status = io_write_file(path, data, size, error);
    free(data);
    return status;
}

/* Reads a photograph into *image. Pixels are counted in int, on every target. */
static int read_photo(const char *path, struct array *image, struct io_error *error)
{
    if (pnm_read(path, image, error) != 0)
        return IO_BAD;
    if (image->shape[0] == 0 || image->shape[1] == 0)
        return io_fail(error, "%s: the image is empty", path);
    if (image->shape[0] > MOST_PIXELS / image->shape[1])
        return io_fail(error, "%s: %zu x %zu pixels are more than %d", path, image->shape[1],
                       image->shape[0], MOST_PIXELS);
    return 0;
}

/* A gradient of a command line, or -1. */
static int gradient_of(const char *text)
{
    char *end;
    const long value = strtol(text, &end, 10);

    return end == text || *end || value < 0 || value > 2040 ? -1 : (int)value;
}

static int fail(const char *sentence)
{
    fprintf(stderr, "photo: %s\n", sentence);
    return IO_BAD;
}

int main(int argc, char **argv)
{
    static struct photo photo;
    struct photo *const p = &photo;
    const char *path = NULL, *out = NULL;
    struct array image;
    struct io_error error;
    size_t different = 0;

    output_begin();
    p->low = 80;
    p->high = 200;
    for (int k = 1; k < argc; k++) {
        const char *const value = k + 1 < argc ? argv[k + 1] : "";

        if (strcmp(argv[k], "--help") == 0) {
            fputs(usage, stdout);
            return output_end("photo", 0);
        } else if (strcmp(argv[k], "--low") == 0) {
            p->low = gradient_of(value);
            k++;
        } else if (strcmp(argv[k], "--high") == 0) {
            p->high = gradient_of(value);
            k++;
        } else if (strcmp(argv[k], "--out") == 0 && *value) {
            out = value;
            k++;
        } else if (argv[k][0] == '-' || path) {
            return fail("expected one image and options; see photo --help");
        } else {
            path = argv[k];
        }
    }
    if (!path)
        return fail("expected an image; see photo --help");
    if (p->low < 0 || p->high < p->low)
        return fail("--low and --high must be gradients from 0 to 2040, low at most high");
    if (read_photo(path, &image, &error) != 0 || (out && io_make_directory(out, &error) != 0))
        return fail(error.text);

    const int colour = image.rank == 3;
    p->height = (int)image.shape[0];
    p->width = (int)image.shape[1];
    p->n = p->width * p->height;
    p->device = make_images(p, colour, device_memory);
    p->host = make_images(p, colour, host_memory);
    memcpy(colour ? p->host.colour : p->host.grey, image.data, array_count(&image));
    PORTABLE_CHECK(portable_copy_to_device(colour ? p->device.colour : p->device.grey, image.data,
                                           array_count(&image)));
    p->levels = (unsigned char *)device_memory(256);
    p->counts = (unsigned *)device_memory(256 * sizeof *p->counts);
    p->like = (unsigned *)device_memory(sizeof p->like_table);
    p->labels = (int *)device_memory((size_t)p->n * sizeof *p->labels);
    p->next = (int *)device_memory((size_t)p->n * sizeof *p->next);
    p->changed = (int *)device_memory(sizeof *p->changed);
    p->stack = (int *)host_memory((size_t)p->n * sizeof *p->stack);
    bilateral_weights(p->near_table, p->like_table);
    PORTABLE_CHECK(portable_copy_to_constant(near_weights, p->near_table, sizeof p->near_table));
    PORTABLE_CHECK(portable_copy_to_device(p->like, p->like_table, sizeof p->like_table));

    printf("%s: %d x %d pixels, %s\n", path, p->width, p->height, colour ? "colour" : "grey");
    printf("%-17s %12s %12s   %s\n", "stage", PORTABLE_TARGET_NAME, "plain C", "results");
    for (int stage = 0; stage < STAGES; stage++) {
        double start, kernels = 0, plain;

        for (int turn = 0; turn < 3; turn++) {
            start = timer_seconds();
            run_kernels(stage, p);
            const double seconds = timer_seconds() - start;
            kernels = turn == 0 || seconds < kernels ? seconds : kernels;
        }
        start = timer_seconds();
        run_plain(stage, p);
        plain = timer_seconds() - start;
        const size_t wrong = compare_stage(stage, p);
        different += wrong;
        printf("%-17s %9.3f ms %9.3f ms   ", names[stage], 1e3 * kernels, 1e3 * plain);
        printf(wrong ? "%zu bytes DIFFER\n" : "the same bytes\n", wrong);
    }

    unsigned char *const picture = (unsigned char *)host_memory(3 * (size_t)p->n);
    const int components = colour_components(p, picture);
    printf("%d outlines\n", components);
    if (out) {
        struct images *h = &p->host;

        for (int i = 0; i < p->n; i++)
            h->marks[i] = h->kept[i] == BACKGROUND ? 0 : 255;
        if (write_picture(out, "before.png", p, colour ? 3 : 1, colour ? h->colour : h->grey,
                          &error) != 0 ||
            write_picture(out, "smooth.png", p, 1, h->smooth, &error) != 0 ||
            write_picture(out, "edges.png", p, 1, h->marks, &error) != 0 ||
            write_picture(out, "outlines.png", p, 3, picture, &error) != 0)
            return fail(error.text);
    }
    if (different)
        printf("photo: FAILED: %zu bytes differ from plain C's\n", different);
    else
        printf("photo: verified: %d stages, the same bytes as plain C\n", STAGES);
    return output_end("photo", different != 0);
}
