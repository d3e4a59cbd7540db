/* SPDX-License-Identifier: 0BSD */
/* heat: how heat spreads around the dark parts of a picture, and the steady state that it reaches. */
#include "solver.c"

#include "apng.h"
#include "host/output.h"
#include "host/png.h"
#include "host/pnm.h"
#include "host/timer.h"

#include <math.h>   /* fabs, log2, sin, sqrt */
#include <stdio.h>  /* printf, fprintf, snprintf */
#include <string.h> /* strcmp */

static const char usage[] =
    "usage: heat [--dark N] [--steps N] [--frames N] [--out DIRECTORY] IMAGE\n"
    "\n"
    "Heat flows from a hot disc to the cold frame of a plate, around insulators: the dark parts of\n"
    "an image. First time steps, then the steady state by multigrid. Both are checked on a plate\n"
    "whose temperatures are known, the steady state also by its balance of heat.\n"
    "\n"
    "  IMAGE            raw PGM or PPM (P5, P6)\n"
    "  --dark N         pixels darker than this, smoothed, insulate: 0 to 256; 80\n"
    "  --steps N        time steps before the steady state: 0 to 10000000; 6000\n"
    "  --frames N       pictures of them: 1 to 500; 24\n"
    "  --out DIRECTORY  write heat.png, an animation, and the pictures frame-NNN.png there\n"
    "\n"
    "Exit status: 0 verified, 1 a check failed, 2 bad input.\n";

enum { BLUR = 6, MULTIPLE = 64, MOST_EDGE = 16384, MOST_CYCLES = 200 };

/* The ratio of a time step. Up to 1/6 each new temperature is a mean of old ones with positive
 * weights, also in a corner, whose faces conduct 6; so no cell becomes hotter than it stays. */
static const double ratio = 1.0 / 6;

static int fail(const char *sentence)
{
    fprintf(stderr, "heat: %s\n", sentence);
    return IO_BAD;
}

static void *zeros(size_t count, size_t size)
{
    void *const memory = calloc(count, size);

    if (!memory)
        exit(fail("there is not enough memory"));
    return memory;
}

/* A plate on the host. */
struct host_plate {
    int width, height;
    unsigned char *conducts; /* 1 or 0; 0 in the frame */
    float *east, *south;
    double *heat, *u;
};

static struct host_plate host_plate(int width, int height)
{
    const size_t count = plate_count(width, height);
    const struct host_plate plate = {width,
                                     height,
                                     (unsigned char *)zeros(count, 1),
                                     (float *)zeros(count, sizeof(float)),
                                     (float *)zeros(count, sizeof(float)),
                                     (double *)zeros(count, sizeof(double)),
                                     (double *)zeros(count, sizeof(double))};
    return plate;
}

static void free_plate(struct host_plate *plate)
{
    free(plate->conducts);
    free(plate->east);
    free(plate->south);
    free(plate->heat);
    free(plate->u);
}

/* The place of cell (x, y), from (0, 0), in the arrays of a plate. */
static size_t place(const struct host_plate *plate, int x, int y)
{
    return (size_t)(y + 1) * (size_t)(plate->width + 2) + (size_t)x + 1;
}

/* The conductances of the faces, from the cells that conduct. */
static void set_faces(struct host_plate *plate)
{
    const unsigned char *const c = plate->conducts;

    for (int y = -1; y < plate->height; y++)
        for (int x = -1; x < plate->width; x++) {
            const size_t p = place(plate, x, y), below = place(plate, x, y + 1);
            const int at_side = x < 0 || x + 1 == plate->width;
            const int at_end = y < 0 || y + 1 == plate->height;

            if (y >= 0)
                plate->east[p] = (float)(at_side ? 2 * (c[p] | c[p + 1]) : c[p] & c[p + 1]);
            if (x >= 0)
                plate->south[p] = (float)(at_end ? 2 * (c[p] | c[below]) : c[p] & c[below]);
        }
}

static struct solver solver_of(const struct host_plate *plate)
{
    const size_t bytes = plate_count(plate->width, plate->height) * sizeof(double);
    struct solver solver;

    PORTABLE_CHECK(solver_make(&solver, plate->width, plate->height, plate->east, plate->south));
    PORTABLE_CHECK(portable_copy_to_device(solver.levels[0].heat, plate->heat, bytes));
    PORTABLE_CHECK(portable_copy_to_device(solver.levels[0].u, plate->u, bytes));
    return solver;
}

static void fetch(const struct solver *solver, const struct host_plate *plate)
{
    PORTABLE_CHECK(portable_copy_to_host(plate->u, solver->levels[0].u,
                                         plate_count(plate->width, plate->height) *
                                             sizeof(double)));
}

/* The largest error on a plate of edge 1 whose temperatures are known: n x n cells, and the quarter
 * x > 3/4 insulates. With s = sin(2 pi x / 3) sin(pi y) and k = (4/9 + 1) pi^2, a plate of
 * temperatures s without a source cools as s exp(-k t), and one with the source k s stays as s. */
static double known_error(int n, int steady)
{
    const double pi = 3.14159265358979323846, k = (4.0 / 9 + 1) * pi * pi, h = 1.0 / n;
    const int steps = n * n / 8;
    struct host_plate plate = host_plate(n, n);
    double error = 0, *const known = (double *)zeros(plate_count(n, n), sizeof *known);

    for (int y = 0; y < n; y++)
        for (int x = 0; x < 3 * n / 4; x++) {
            const size_t p = place(&plate, x, y);
            const double s = sin(2 * pi / 3 * (x + 0.5) * h) * sin(pi * (y + 0.5) * h);

            plate.conducts[p] = 1;
            plate.heat[p] = steady ? k * s * h * h : 0;
            plate.u[p] = steady ? 0 : s;
            known[p] = steady ? s : s * exp(-k * steps * ratio * h * h);
        }
    set_faces(&plate);
    struct solver solver = solver_of(&plate);
    for (int cycle = 0; steady && cycle < 30; cycle++)
        v_cycle(&solver, 0);
    PORTABLE_CHECK(solver_step(&solver, steady ? 0 : steps, ratio));
    fetch(&solver, &plate);
    for (size_t p = 0; p < plate_count(n, n); p++)
        error = fmax(error, fabs(plate.u[p] - known[p]));
    solver_free(&solver);
    free_plate(&plate);
    free(known);
    return error;
}

/* Whether the error falls with the square of the cells' edge, as it must: the order is 2. */
static int check_order(const char *what, int steady)
{
    const double coarse = known_error(64, steady), fine = known_error(128, steady);
    const double order = log2(coarse / fine);

    printf("%s: error %.2e with 64 x 64 cells, %.2e with 128 x 128: order %.3f\n", what, coarse,
           fine, order);
    return fabs(order - 2) <= 0.05;
}

/* Cells conduct where the mean of the pixels around is not dark, and around the image, which is in
 * the middle. The width and the height are multiples of MULTIPLE, so that there are coarse plates. */
static struct host_plate plate_of_image(const struct array *image, int dark)
{
    const int rows = (int)image->shape[0], columns = (int)image->shape[1];
    const int channels = image->rank == 3 ? 3 : 1;
    const unsigned char *const pixels = (const unsigned char *)image->data;
    struct host_plate plate = host_plate((columns + MULTIPLE - 1) / MULTIPLE * MULTIPLE,
                                         (rows + MULTIPLE - 1) / MULTIPLE * MULTIPLE);
    const int left = (plate.width - columns) / 2, top = (plate.height - rows) / 2;

    for (int y = 0; y < plate.height; y++)
        for (int x = 0; x < plate.width; x++) {
            long sum = 0, count = 0;

            for (int row = y - top - BLUR; row <= y - top + BLUR; row++)
                for (int column = x - left - BLUR; column <= x - left + BLUR; column++)
                    if (row >= 0 && row < rows && column >= 0 && column < columns)
                        for (int channel = 0; channel < channels; channel++, count++)
                            sum += pixels[((size_t)row * (size_t)columns + (size_t)column) *
                                              (size_t)channels +
                                          (size_t)channel];
            plate.conducts[place(&plate, x, y)] =
                x < left || x >= left + columns || y < top || y >= top + rows ||
                sum >= dark * count;
        }
    return plate;
}

/* Cells that nothing connects to the frame would never have a steady state: they insulate, too. */
static void close_pockets(struct host_plate *plate)
{
    const size_t count = plate_count(plate->width, plate->height);
    const size_t pitch = (size_t)plate->width + 2, around[4] = {1, pitch, (size_t)-1, 0 - pitch};
    size_t *const stack = (size_t *)zeros(count, sizeof *stack), top = 0;
    unsigned char *const c = plate->conducts;

    for (int y = 0; y < plate->height; y++)
        for (int x = 0; x < plate->width; x++) {
            const size_t p = place(plate, x, y);
            const int at_frame = x == 0 || y == 0 || x + 1 == plate->width || y + 1 == plate->height;
            if (at_frame && c[p] == 1) {
                c[p] = 2;
                stack[top++] = p;
            }
        }
    while (top > 0) {
        const size_t p = stack[--top];
        for (int k = 0; k < 4; k++)
            if (c[p + around[k]] == 1) {
                c[p + around[k]] = 2;
                stack[top++] = p + around[k];
            }
    }
    for (size_t p = 0; p < count; p++)
        c[p] /= 2;
    free(stack);
}

/* The hot disc, which gives off 1 altogether. Returns the number of its cells. */
static int set_source(struct host_plate *plate)
{
    const int x0 = plate->width * 3 / 4, y0 = plate->height * 3 / 10, r = plate->height / 20;
    int cells = 0;

    for (int turn = 0; turn < 2; turn++)
        for (int y = y0 - r; y <= y0 + r; y++)
            for (int x = x0 - r; x <= x0 + r; x++) {
                const size_t p = place(plate, x, y);
                if (!plate->conducts[p] || (x - x0) * (x - x0) + (y - y0) * (y - y0) > r * r)
                    continue;
                if (turn == 0)
                    cells++;
                else
                    plate->heat[p] = 1.0 / cells;
            }
    return cells;
}

/* The heat that leaves through the frame. */
static double lost(const struct host_plate *plate)
{
    double sum = 0;

    for (int y = 0; y < plate->height; y++) {
        const size_t first = place(plate, 0, y), last = place(plate, plate->width - 1, y);
        sum += (double)plate->east[first - 1] * plate->u[first] +
               (double)plate->east[last] * plate->u[last];
    }
    for (int x = 0; x < plate->width; x++) {
        const size_t first = place(plate, x, 0), last = place(plate, x, plate->height - 1);
        sum += (double)plate->south[place(plate, x, -1)] * plate->u[first] +
               (double)plate->south[last] * plate->u[last];
    }
    return sum;
}

/* Draws temperatures, as a share of the hottest, in 24 bands; insulators keep the image's pixels.
 * Every `every`-th cell is a pixel. */
static struct array picture(const struct host_plate *plate, const struct array *image, int every,
                            double hottest)
{
    static const unsigned char colours[6][3] = {{16, 18, 60},   {92, 20, 110}, {200, 40, 80},
                                                {250, 130, 40}, {255, 220, 90}, {255, 255, 235}};
    const size_t shape[3] = {(size_t)(plate->height / every), (size_t)(plate->width / every), 3};
    const int rows = (int)image->shape[0], columns = (int)image->shape[1];
    const int left = (plate->width - columns) / 2, top = (plate->height - rows) / 2;
    const size_t channels = image->rank == 3 ? 3 : 1;
    struct array drawn;
    struct io_error error;

    if (array_allocate(&drawn, ARRAY_UINT8, 3, shape, &error) != 0)
        exit(fail(error.text));
    unsigned char *pixel = (unsigned char *)drawn.data;
    for (size_t k = 0; k < shape[0] * shape[1]; k++, pixel += 3) {
        const int x = (int)(k % shape[1]) * every, y = (int)(k / shape[1]) * every;
        const size_t p = place(plate, x, y);
        const double share = sqrt(fmin(fmax(plate->u[p] / hottest, 0), 1));
        const double band = floor(share * 23.999) / 23 * 4.999;
        const unsigned char *const low = colours[(int)band];

        for (size_t c = 0; c < 3; c++)
            pixel[c] = (unsigned char)(low[c] + (band - floor(band)) * (low[c + 3] - low[c]));
        if (!plate->conducts[p] && x >= left && x < left + columns && y >= top && y < top + rows) {
            const size_t from = (size_t)(y - top) * (size_t)columns + (size_t)(x - left);
            for (size_t c = 0; c < 3; c++)
                pixel[c] = ((unsigned char *)image->data)[from * channels + c % channels];
        }
    }
    return drawn;
}

static int write_pictures(const char *directory, const struct array *frames, int count,
                          struct io_error *error)
{
    char path[IO_PATH_SIZE];
    int status = io_make_directory(directory, error);

    for (int k = 0; k <= count && status == 0; k++) {
        unsigned char *data;
        size_t size;
        char name[32] = "heat.png";

        if (k < count)
            snprintf(name, sizeof name, "frame-%03d.png", k);
        if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
            return io_fail(error, "%s: the path is too long", directory);
        if (k == count)
            return apng_write(path, frames, count, error);
        status = png_encode(&frames[k], &data, &size, error);
        if (status == 0) {
            status = io_write_file(path, data, size, error);
            free(data);
        }
    }
    return status;
}

static int read_image(const char *path, struct array *image, struct io_error *error)
{
    if (pnm_read(path, image, error) != 0)
        return IO_BAD;
    if (image->shape[0] == 0 || image->shape[1] == 0)
        return io_fail(error, "%s: the image is empty", path);
    if (image->shape[0] > MOST_EDGE || image->shape[1] > MOST_EDGE)
        return io_fail(error, "%s: %zu x %zu pixels; each way at most %d are allowed", path,
                       image->shape[1], image->shape[0], MOST_EDGE);
    return 0;
}

/* A number of a command line from `least` to `most`, or -1. */
static int number(const char *text, int least, int most)
{
    char *end;
    const long value = strtol(text, &end, 10);

    return end == text || *end || value < least || value > most ? -1 : (int)value;
}

int main(int argc, char **argv)
{
    const char *path = NULL, *out = NULL;
    int dark = 80, steps = 6000, count = 24, good = 1;
    struct array image;
    struct io_error error;

    output_begin();
    for (int k = 1; k < argc; k++) {
        const char *const value = k + 1 < argc ? argv[k + 1] : "";

        if (strcmp(argv[k], "--help") == 0) {
            fputs(usage, stdout);
            return output_end("heat", 0);
        }
        if (argv[k][0] != '-') {
            if (path)
                return fail("expected one image; see heat --help");
            path = argv[k];
            continue;
        }
        if (strcmp(argv[k], "--dark") == 0)
            dark = number(value, 0, 256);
        else if (strcmp(argv[k], "--steps") == 0)
            steps = number(value, 0, 10000000);
        else if (strcmp(argv[k], "--frames") == 0)
            count = number(value, 1, 500);
        else if (strcmp(argv[k], "--out") == 0 && *value)
            out = value;
        else
            return fail("unknown or incomplete option; see heat --help");
        k++;
    }
    if (!path)
        return fail("expected an image; see heat --help");
    if (dark < 0 || steps < 0 || count < 0)
        return fail("a number is missing or out of range; see heat --help");
    if (read_image(path, &image, &error) != 0)
        return fail(error.text);
    struct host_plate plate = plate_of_image(&image, dark);
    close_pockets(&plate);
    set_faces(&plate);
    if (set_source(&plate) == 0)
        return fail("the hot disc, at the right of the image, lies in an insulator; try --dark");

    printf("heat: on %s\n", PORTABLE_TARGET_NAME);
    good &= check_order("time steps", 0);
    good &= check_order("steady state", 1);

    /* The steady state, until rounding is all that is left. */
    const size_t cells = plate_count(plate.width, plate.height);
    struct solver solver = solver_of(&plate);
    double surplus, first, start = timer_seconds();
    int cycles = 0;
    PORTABLE_CHECK(solver_surplus(&solver, &first));
    for (surplus = first; surplus > 1e-10 * first && cycles < MOST_CYCLES; cycles++) {
        v_cycle(&solver, 0);
        PORTABLE_CHECK(solver_surplus(&solver, &surplus));
    }
    printf("%s: %d x %d cells, %d V-cycles in %.3f s\n", path, plate.width, plate.height, cycles,
           timer_seconds() - start);
    fetch(&solver, &plate);
    double *const steady = plate.u, hottest = 0;
    for (size_t p = 0; p < cells; p++)
        hottest = fmax(hottest, steady[p]);
    printf("heat lost through the frame: %.12f of 1\n", lost(&plate));
    good &= surplus <= 1e-10 * first && fabs(lost(&plate) - 1) <= 1e-7;

    /* From the cold plate. No cell ever becomes hotter than in the steady state. */
    struct array *const frames = (struct array *)zeros((size_t)count + 1, sizeof *frames);
    const int every = (plate.width + 511) / 512;
    frames[count] = picture(&plate, &image, every, hottest);
    plate.u = (double *)zeros(cells, sizeof *plate.u);
    PORTABLE_CHECK(portable_memset(solver.levels[0].u, 0, cells * sizeof(double)));
    double seconds = 0, reached = 0;
    size_t above = 0;
    for (int k = 0, done = 0; k < count; k++) {
        const int until = (int)((long long)steps * (k + 1) / count);

        start = timer_seconds();
        PORTABLE_CHECK(solver_step(&solver, until - done, ratio));
        PORTABLE_CHECK(portable_synchronize());
        seconds += timer_seconds() - start;
        done = until;
        fetch(&solver, &plate);
        frames[k] = picture(&plate, &image, every, hottest);
        for (size_t p = 0; p < cells; p++)
            above += plate.u[p] < -1e-12 * hottest || plate.u[p] > steady[p] + 1e-9 * hottest;
    }
    for (size_t p = 0; p < cells; p++)
        reached = fmax(reached, plate.u[p] / hottest);
    printf("%d time steps in %.3f s: the hottest cell is at %.1f%% of its steady temperature\n",
           steps, seconds, 100 * reached);
    good &= above == 0;
    if (out && write_pictures(out, frames, count + 1, &error) != 0)
        return fail(error.text);
    puts(good ? "heat: verified: order 2, heat is balanced, no cell is hotter than its steady state"
              : "heat: FAILED: the line above that is off tells why");
    return output_end("heat", !good);
}
