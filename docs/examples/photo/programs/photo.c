/* SPDX-License-Identifier: 0BSD */
/* photo: the outlines in a photograph, by five kernels; each is checked against plain C. */
#include "pipeline.c"

#include "host/io.h"
#include "host/output.h"
#include "host/png.h"
#include "host/pnm.h"
#include "host/timer.h"

#include <stdio.h>  /* printf, fprintf, snprintf */
#include <stdlib.h> /* malloc, free, strtol */
#include <string.h> /* memcpy, strcmp */

/* Of a photograph: indices are ints. */
enum { MOST_PIXELS = 1 << 28, MOST_HELD = 32 };

static const char usage[] =
    "usage: photo [--low N] [--high N] [--out DIRECTORY] [IMAGE]\n"
    "\n"
    "Finds the outlines in a photograph: grey levels, histogram equalisation, bilateral filter,\n"
    "Canny's edges, connected components. Each stage is compared with plain C, byte for byte.\n"
    "\n"
    "  IMAGE              raw PGM or PPM (P5, P6); ../data/chelsea.ppm\n"
    "  --low N, --high N  gradients of weak and strong edges, 0 to 2040; 80 and 200\n"
    "  --out DIRECTORY    write before.png, smooth.png, edges.png and outlines.png there\n"
    "\n"
    "Exit status: 0 verified, 1 a stage differs, 2 bad input.\n";

static const char *const names[STAGES] = {"grey levels", "equalisation", "bilateral filter",
                                          "edge candidates", "components"};

/* Memory to be released at the end. */
static struct {
    void *memory;
    int on_device;
} held[MOST_HELD];
static int held_count;

static void *hold(void *memory, int on_device)
{
    held[held_count].memory = memory;
    held[held_count++].on_device = on_device;
    return memory;
}

static void release(void)
{
    while (held_count-- > 0) {
        if (held[held_count].on_device)
            PORTABLE_CHECK(portable_free(held[held_count].memory));
        else
            free(held[held_count].memory);
    }
}

/* `count` elements of host memory, or the end of the program. */
static void *host_memory(size_t count, size_t size)
{
    void *const memory = malloc(count * size);

    if (!memory) {
        fprintf(stderr, "photo: no memory for %zu elements of %zu bytes\n", count, size);
        exit(IO_BAD);
    }
    return hold(memory, 0);
}

static void *device_memory(size_t count, size_t size)
{
    void *memory;

    PORTABLE_CHECK(portable_malloc(&memory, count * size));
    return hold(memory, 1);
}

static struct photo photo_in(void *(*memory)(size_t, size_t), int width, int height, int colour)
{
    const size_t n = (size_t)width * (size_t)height;
    const struct photo photo = {width,
                                height,
                                0,
                                0,
                                colour ? (unsigned char *)memory(3 * n, 1) : NULL,
                                (unsigned char *)memory(n, 1),
                                (unsigned char *)memory(n, 1),
                                (unsigned char *)memory(n, 1),
                                (unsigned char *)memory(n, 1),
                                (int *)memory(n, sizeof(int)),
                                (unsigned *)memory(256, sizeof(unsigned)),
                                (unsigned *)memory(256, sizeof(unsigned)),
                                (unsigned char *)memory(256, 1),
                                (int *)memory(n, sizeof(int)),
                                (int *)memory(n, sizeof(int))};
    return photo;
}

/* The number of bytes that differ in the results of a stage. */
static size_t compare(int stage, const struct photo *device, const struct photo *host)
{
    const void *const results[STAGES][2] = {{device->grey, host->grey},
                                            {device->equal, host->equal},
                                            {device->smooth, host->smooth},
                                            {device->marks, host->marks},
                                            {device->kept, host->kept}};
    const size_t bytes =
        (size_t)host->width * (size_t)host->height * (stage == COMPONENTS ? sizeof *host->kept : 1);
    unsigned char *const fetched = (unsigned char *)host->strong; /* unused by plain C */
    size_t different = 0;

    PORTABLE_CHECK(portable_copy_to_host(fetched, results[stage][0], bytes));
    for (size_t i = 0; i < bytes; i++)
        different += fetched[i] != ((const unsigned char *)results[stage][1])[i];
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
static int write_picture(const char *directory, const char *name, const struct photo *p, int rank,
                         unsigned char *pixels, struct io_error *error)
{
    const struct array image = {
        ARRAY_UINT8, rank, {(size_t)p->height, (size_t)p->width, 3}, pixels};
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
    const char *path = "../data/chelsea.ppm", *out = NULL;
    int low = 80, high = 200, given = 0;
    struct array image;
    struct io_error error;
    size_t different = 0;

    output_begin();
    for (int k = 1; k < argc; k++) {
        const char *const value = k + 1 < argc ? argv[k + 1] : "";

        if (strcmp(argv[k], "--help") == 0) {
            fputs(usage, stdout);
            return output_end("photo", 0);
        }
        if (argv[k][0] != '-') {
            if (given++)
                return fail("expected one image; see photo --help");
            path = argv[k];
            continue;
        }
        if (strcmp(argv[k], "--low") == 0)
            low = gradient_of(value);
        else if (strcmp(argv[k], "--high") == 0)
            high = gradient_of(value);
        else if (strcmp(argv[k], "--out") == 0 && *value)
            out = value;
        else
            return fail("unknown or incomplete option; see photo --help");
        k++;
    }
    if (low < 0 || high < low)
        return fail("--low and --high must be gradients from 0 to 2040, low at most high");
    if (read_photo(path, &image, &error) != 0 || (out && io_make_directory(out, &error) != 0))
        return fail(error.text);

    const int width = (int)image.shape[1], height = (int)image.shape[0], colour = image.rank == 3;
    const size_t bytes = array_count(&image);
    struct photo host = photo_in(host_memory, width, height, colour);
    struct photo device = photo_in(device_memory, width, height, colour);
    device.low = host.low = low;
    device.high = host.high = high;
    memcpy(colour ? host.colour : host.grey, image.data, bytes);
    PORTABLE_CHECK(
        portable_copy_to_device(colour ? device.colour : device.grey, image.data, bytes));
    PORTABLE_CHECK(set_weights());
    PORTABLE_CHECK(portable_copy_to_device(device.like, like_table, sizeof like_table));

    printf("%s: %d x %d pixels, %s\n", path, width, height, colour ? "colour" : "grey");
    printf("%-17s %12s %12s   %s\n", "stage", PORTABLE_TARGET_NAME, "plain C", "results");
    for (int stage = 0; stage < STAGES; stage++) {
        double kernels = 1e9, start;

        for (int turn = 0; turn < 3; turn++) {
            start = timer_seconds();
            PORTABLE_CHECK(run_kernels(stage, &device));
            PORTABLE_CHECK(portable_synchronize());
            const double seconds = timer_seconds() - start;
            kernels = seconds < kernels ? seconds : kernels;
        }
        start = timer_seconds();
        run_plain(stage, &host);
        const double plain = timer_seconds() - start;
        const size_t wrong = compare(stage, &device, &host);
        different += wrong;
        printf("%-17s %9.3f ms %9.3f ms   ", names[stage], 1e3 * kernels, 1e3 * plain);
        if (wrong)
            printf("%zu bytes DIFFER\n", wrong);
        else
            puts("the same bytes");
    }

    unsigned char *const picture = (unsigned char *)host_memory((size_t)width * (size_t)height, 3);
    printf("%d outlines\n", colour_components(&host, picture));
    for (int i = 0; i < width * height; i++)
        host.marks[i] = host.kept[i] == BACKGROUND ? 0 : 255;
    if (out && (write_picture(out, "before.png", &host, image.rank, (unsigned char *)image.data,
                              &error) != 0 ||
                write_picture(out, "smooth.png", &host, 2, host.smooth, &error) != 0 ||
                write_picture(out, "edges.png", &host, 2, host.marks, &error) != 0 ||
                write_picture(out, "outlines.png", &host, 3, picture, &error) != 0))
        return fail(error.text);
    array_free(&image);
    release();
    if (different)
        printf("photo: FAILED: %zu bytes differ from plain C's\n", different);
    else
        printf("photo: verified: %d stages, the same bytes as plain C\n", STAGES);
    return output_end("photo", different != 0);
}
