/* SPDX-License-Identifier: 0BSD */
/* photo: the outlines in a photograph, by five kernels; each is checked against plain C. */
#include "pipeline.c"

#include "host/png.h"
#include "host/pnm.h"
#include "host/program.h"
#include "host/timer.h"

#include <stdio.h>  /* printf, snprintf */
#include <string.h> /* memcpy */

enum { MOST_PIXELS = 1 << 28 }; /* of a photograph: indices, also those of runs, are ints */

static const char about[] =
    "Finds the outlines in a photograph: grey levels, histogram equalisation, bilateral filter,\n"
    "Canny's edges, connected components. Each stage is compared with plain C, byte for byte.";

static const char *const names[STAGES] = {"grey levels", "equalisation", "bilateral filter",
                                          "edge candidates", "components"};

static struct photo photo_in(void *(*memory)(size_t, size_t), int width, int height, int colour)
{
    const size_t n = (size_t)width * (size_t)height;
    const size_t words = (size_t)height * (size_t)words_of(width), rows = rows_of(width, height);
    const struct photo photo = {width,
                                height,
                                0,
                                0,
                                colour ? (unsigned char *)memory(3 * n, 1) : NULL,
                                (unsigned char *)memory(n, 1),
                                (unsigned char *)memory(n, 1),
                                (unsigned char *)memory(n, 1),
                                (unsigned *)memory(words, sizeof(unsigned)),
                                (unsigned *)memory(words, sizeof(unsigned)),
                                (int *)memory(n, sizeof(int)),
                                (unsigned *)memory(256, sizeof(unsigned)),
                                (unsigned *)memory(256, sizeof(unsigned)),
                                (unsigned char *)memory(256, 1),
                                (int *)memory(rows, sizeof(int)),
                                (int *)memory(rows * ROW_RUNS, sizeof(int)),
                                (int *)memory(n, sizeof(int))};
    return photo;
}

/* The number of bytes that differ in two arrays, of a device and of the host. */
static size_t compare(const void *device, const void *host, size_t bytes, int *unused)
{
    unsigned char *const fetched = (unsigned char *)unused;
    size_t different = 0;

    PORTABLE_CHECK(portable_copy_to_host(fetched, device, bytes));
    for (size_t i = 0; i < bytes; i++)
        different += fetched[i] != ((const unsigned char *)host)[i];
    return different;
}

/* That in the results of a stage. */
static size_t compare_stage(int stage, const struct photo *device, const struct photo *host)
{
    const size_t n = (size_t)host->width * (size_t)host->height;
    const size_t words = (size_t)host->height * (size_t)words_of(host->width);
    int *const unused = host->stack; /* between stages */

    switch (stage) {
    case GREY: return compare(device->grey, host->grey, n, unused);
    case EQUALISE: return compare(device->equal, host->equal, n, unused);
    case BILATERAL: return compare(device->smooth, host->smooth, n, unused);
    case EDGES:
        return compare(device->edges, host->edges, words * sizeof(unsigned), unused) +
               compare(device->strong, host->strong, words * sizeof(unsigned), unused);
    default: return compare(device->kept, host->kept, n * sizeof(int), unused);
    }
}

/* Runs a stage on the device and in plain C, and prints the times and the bytes that differ. */
static size_t run_stage(int stage, const struct photo *device, const struct photo *host)
{
    double kernels = 1e9, start;

    for (int turn = 0; turn < 3; turn++) {
        start = timer_seconds();
        PORTABLE_CHECK(run_kernels(stage, device));
        PORTABLE_CHECK(portable_synchronize());
        kernels = fmin(kernels, timer_seconds() - start);
    }
    start = timer_seconds();
    run_plain(stage, host);
    const double plain = timer_seconds() - start;
    const size_t different = compare_stage(stage, device, host);

    printf("%-17s %9.3f ms %9.3f ms   %zu bytes differ\n", names[stage], 1e3 * kernels, 1e3 * plain,
           different);
    return different;
}

/* Draws each component in another light colour, on black. Returns the number of components. */
static int colour_components(const struct photo *p, unsigned char *picture)
{
    int count = 0;

    for (int i = 0; i < p->width * p->height; i++) {
        const int label = p->kept[i];
        const unsigned hash = (unsigned)label * 2654435761u;

        count += label == i;
        for (int channel = 0; channel < 3; channel++)
            picture[3 * (size_t)i + (size_t)channel] =
                (unsigned char)(label == BACKGROUND ? 0 : 96 + (hash >> (8 + 8 * channel)) % 160);
    }
    return count;
}

/* Writes a grey image, of rank 2, or a colour image, of rank 3. */
static void write_picture(const char *directory, const char *name, const struct photo *p, int rank,
                          void *pixels)
{
    const struct array image = {
        ARRAY_UINT8, rank, {(size_t)p->height, (size_t)p->width, 3}, pixels};
    struct io_error error;

    program_check(png_write(directory, name, &image, &error), &error);
}

int main(int argc, char **argv)
{
    const char *path = "../data/chelsea.ppm", *out = NULL;
    int low = 80, high = 200;
    const struct options_entry options[] = {
        options_whole("--low N", &low, 0, 2040, "gradients of weak edges"),
        options_whole("--high N", &high, 0, 2040, "gradients of strong edges"),
        options_text("--out DIRECTORY", &out,
                     "write before.png, smooth.png, edges.png and outlines.png there"),
        options_text("IMAGE", &path, "raw PGM or PPM (P5, P6)"),
    };
    struct array image;
    struct io_error error;
    size_t different = 0;

    program_begin("photo", about, options, sizeof options / sizeof *options, argc, argv);
    if (high < low)
        program_fail("--low must be at most --high");
    program_check(pnm_read(path, &image, &error), &error);
    if (out)
        program_check(io_make_directory(out, &error), &error);
    if (image.shape[0] > MOST_PIXELS / ((image.shape[1] + 31) / 32 * 32))
        program_fail("%s: %zu x %zu pixels, in rows of a multiple of 32, are more than %d", path,
                     image.shape[1], image.shape[0], MOST_PIXELS);

    const int width = (int)image.shape[1], height = (int)image.shape[0], colour = image.rank == 3;
    const size_t bytes = array_count(&image);
    struct photo host = photo_in(program_host, width, height, colour);
    struct photo device = photo_in(program_device, width, height, colour);
    device.low = host.low = low;
    device.high = host.high = high;
    memcpy(colour ? host.colour : host.grey, image.data, bytes);
    PORTABLE_CHECK(
        portable_copy_to_device(colour ? device.colour : device.grey, image.data, bytes));
    PORTABLE_CHECK(set_weights());
    PORTABLE_CHECK(portable_copy_to_device(device.like, like_table, sizeof like_table));

    printf("%s: %d x %d pixels, %s\n", path, width, height, colour ? "colour" : "grey");
    printf("%-17s %12s %12s   results\n", "stage", PORTABLE_TARGET_NAME, "plain C");
    for (int stage = 0; stage < STAGES; stage++)
        different += run_stage(stage, &device, &host);
    unsigned char *const picture = (unsigned char *)program_host((size_t)(width * height), 3);
    printf("%d outlines\n", colour_components(&host, picture));
    verify(different == 0, "every stage has the same bytes as plain C");
    if (out) {
        for (int i = 0; i < width * height; i++)
            host.equal[i] = host.kept[i] == BACKGROUND ? 0 : 255;
        write_picture(out, "before.png", &host, image.rank, image.data);
        write_picture(out, "smooth.png", &host, 2, host.smooth);
        write_picture(out, "edges.png", &host, 2, host.equal);
        write_picture(out, "outlines.png", &host, 3, picture);
    }
    array_free(&image);
    return program_end("%d stages, the same bytes as plain C", STAGES);
}
