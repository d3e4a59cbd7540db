/* SPDX-License-Identifier: 0BSD */
/* heat: how heat spreads around the dark parts of a picture, and the steady state that it
 * reaches. */
#include "solver.c"

#include "host/png.h"
#include "host/pnm.h"
#include "host/program.h"
#include "host/timer.h"

#include <math.h>  /* fabs, log2, sin, sqrt */
#include <stdio.h> /* printf, snprintf */

static const char about[] =
    "Heat flows from a hot disc to the cold frame of a plate, around insulators, which are the\n"
    "dark parts of an image: the steady state by multigrid, and how the plate warms up by time\n"
    "steps. Both are checked on a plate whose temperatures are known, the steady state also by\n"
    "its balance of heat.";

enum { BLUR = 6, MULTIPLE = 64, MOST_EDGE = 16384, MOST_CYCLES = 200 };

/* The ratio of a time step. Up to 1/6 each new temperature is a mean of old ones with positive
 * weights, also in a corner, whose faces conduct 6; so no cell becomes hotter than it stays. */
static const double ratio = 1.0 / 6;

static struct plates make_plates(int width, int height, void *(*memory)(size_t, size_t))
{
    struct plates p = plates_of(width, height);

    p.east = (float *)memory(p.size, sizeof *p.east);
    p.south = (float *)memory(p.size, sizeof *p.south);
    p.heat = (double *)memory(p.size, sizeof *p.heat);
    p.u = (double *)memory(p.size, sizeof *p.u);
    p.next = (double *)memory(p.size, sizeof *p.next);
    p.largest = (double *)memory(1, sizeof *p.largest);
    return p;
}

/* Plates on the device, with the faces, the heat and the temperatures of those on the host. */
static struct plates upload(const struct plates *host)
{
    const struct plates p = make_plates(host->width[0], host->height[0], program_device);

    PORTABLE_CHECK(portable_copy_to_device(p.east, host->east, p.size * sizeof *p.east));
    PORTABLE_CHECK(portable_copy_to_device(p.south, host->south, p.size * sizeof *p.south));
    PORTABLE_CHECK(portable_copy_to_device(p.heat, host->heat, p.size * sizeof *p.heat));
    PORTABLE_CHECK(portable_copy_to_device(p.u, host->u, p.size * sizeof *p.u));
    return p;
}

static void fetch(const struct plates *device, double *u)
{
    PORTABLE_CHECK(portable_copy_to_host(u, device->u, device->size * sizeof *u));
}

/* Cell (x, y) of the first plate, from (0, 0), in the arrays. */
static size_t place(const struct plates *p, int x, int y)
{
    return (size_t)(y + 1) * (size_t)(p->width[0] + 2) + (size_t)x + 1;
}

/* The conductances of all faces, from the cells that conduct: 1 or 0, laid out as a plate. */
static void set_faces(const struct plates *p, const unsigned char *conducts)
{
    for (int y = -1; y < p->height[0]; y++)
        for (int x = -1; x < p->width[0]; x++) {
            const size_t at = place(p, x, y), below = place(p, x, y + 1);
            const int one = conducts[at], right = conducts[at + 1], under = conducts[below];

            if (y >= 0)
                p->east[at] =
                    (float)(x < 0 || x + 1 == p->width[0] ? 2 * (one | right) : one & right);
            if (x >= 0)
                p->south[at] =
                    (float)(y < 0 || y + 1 == p->height[0] ? 2 * (one | under) : one & under);
        }
    set_coarse_faces(p);
}

/* V-cycles until the surplus has fallen by 1e-10. Returns their number, MOST_CYCLES if it has
 * not. */
static int find_steady_state(const struct plates *p)
{
    double first, surplus;

    PORTABLE_CHECK(find_surplus(p));
    PORTABLE_CHECK(portable_copy_to_host(&first, p->largest, sizeof first));
    for (int cycle = 1; cycle < MOST_CYCLES; cycle++) {
        PORTABLE_CHECK(v_cycle(p, 0));
        PORTABLE_CHECK(find_surplus(p));
        PORTABLE_CHECK(portable_copy_to_host(&surplus, p->largest, sizeof surplus));
        if (surplus <= 1e-10 * first)
            return cycle;
    }
    return MOST_CYCLES;
}

/* The largest error on a plate of edge 1 whose temperatures are known: n x n cells, and the quarter
 * x > 3/4 insulates. With s = sin(2 pi x / 3) sin(pi y) and k = (4/9 + 1) pi^2, a plate of
 * temperatures s without a source cools as s exp(-k t), and with the source k s it stays as s. */
static double known_error(int n, int steady)
{
    const double pi = 3.14159265358979323846, k = (4.0 / 9 + 1) * pi * pi, h = 1.0 / n;
    const int steps = n * n / 8;
    struct plates host = make_plates(n, n, program_host);
    unsigned char *const conducts = (unsigned char *)program_host(host.size, 1);
    double error = 0, *const known = (double *)program_host(host.size, sizeof *known);

    for (int y = 0; y < n; y++)
        for (int x = 0; x < 3 * n / 4; x++) {
            const size_t p = place(&host, x, y);
            const double s = sin(2 * pi / 3 * (x + 0.5) * h) * sin(pi * (y + 0.5) * h);

            conducts[p] = 1;
            host.heat[p] = steady ? k * s * h * h : 0;
            host.u[p] = steady ? 0 : s;
            known[p] = steady ? s : s * exp(-k * steps * ratio * h * h);
        }
    set_faces(&host, conducts);
    struct plates device = upload(&host);
    if (steady)
        find_steady_state(&device);
    else
        PORTABLE_CHECK(time_steps(&device, steps, ratio));
    fetch(&device, host.u);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            error =
                larger_error(error, fabs(host.u[place(&host, x, y)] - known[place(&host, x, y)]));
    return error;
}

/* The error falls with the square of the cells' edge: the order is 2. */
static void check_order(const char *what, int steady)
{
    const double coarse = known_error(32, steady), fine = known_error(64, steady);
    const double order = log2(coarse / fine);

    verify(fabs(order - 2) <= 0.05,
           "%s: error %.2e with 32 x 32 cells, %.2e with 64 x 64: order %.3f", what, coarse, fine,
           order);
}

/* Sums the samples of the pixels around (column, row), and returns their number. */
static int sum_around(const struct array *image, int column, int row, long *sum)
{
    const int rows = (int)image->shape[0], columns = (int)image->shape[1];
    const int samples = image->rank == 3 ? 3 : 1;
    int count = 0;

    *sum = 0;
    for (int y = row - BLUR; y <= row + BLUR; y++)
        for (int x = samples * (column - BLUR); x < samples * (column + BLUR + 1); x++)
            if (y >= 0 && y < rows && x >= 0 && x < samples * columns) {
                *sum += ((unsigned char *)
                             image->data)[(size_t)y * (size_t)(samples * columns) + (size_t)x];
                count++;
            }
    return count;
}

/* Cells insulate where the mean of the pixels around is dark, and where nothing connects them to
 * the frame: those have no steady state. The image is in the middle of the plate. */
static unsigned char *conducting_cells(const struct plates *p, const struct array *image, int dark)
{
    const int width = p->width[0], height = p->height[0];
    const int left = (width - (int)image->shape[1]) / 2, top = (height - (int)image->shape[0]) / 2;
    const size_t pitch = (size_t)width + 2, around[4] = {1, pitch, (size_t)-1, 0 - pitch};
    unsigned char *const bright = (unsigned char *)program_host(p->size, 1);
    unsigned char *const conducts = (unsigned char *)program_host(p->size, 1);
    size_t *const stack = (size_t *)program_host(p->size, sizeof *stack), count = 0;

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t cell = place(p, x, y);
            long sum;
            const int samples = sum_around(image, x - left, y - top, &sum);

            bright[cell] = sum >= (long)dark * samples;
            if (bright[cell] && (x == 0 || y == 0 || x + 1 == width || y + 1 == height))
                conducts[stack[count++] = cell] = 1;
        }
    while (count > 0) {
        const size_t from = stack[--count];
        for (int k = 0; k < 4; k++) {
            const size_t to = from + around[k];
            if (bright[to] && !conducts[to])
                conducts[stack[count++] = to] = 1;
        }
    }
    return conducts;
}

/* A hot disc at the right of the plate, which gives off 1 in all. Returns the number of its
 * cells. */
static int set_source(const struct plates *p, const unsigned char *conducts)
{
    const int x0 = p->width[0] * 3 / 4, y0 = p->height[0] * 3 / 10;
    const int radius = (p->width[0] < p->height[0] ? p->width[0] : p->height[0]) / 20;
    int cells = 0;

    for (int y = y0 - radius; y <= y0 + radius; y++)
        for (int x = x0 - radius; x <= x0 + radius; x++)
            if ((x - x0) * (x - x0) + (y - y0) * (y - y0) <= radius * radius &&
                conducts[place(p, x, y)]) {
                p->heat[place(p, x, y)] = 1;
                cells++;
            }
    for (size_t i = 0; i < p->size; i++)
        p->heat[i] /= cells ? cells : 1;
    return cells;
}

/* The heat that leaves through the frame, whose faces lead to temperature 0. */
static double lost(const struct plates *p)
{
    const size_t pitch = (size_t)p->width[0] + 2;
    double sum = 0;

    for (int y = 0; y < p->height[0]; y++) {
        const size_t first = place(p, 0, y), last = place(p, p->width[0] - 1, y);
        sum += (double)p->east[first - 1] * p->u[first] + (double)p->east[last] * p->u[last];
    }
    for (int x = 0; x < p->width[0]; x++) {
        const size_t first = place(p, x, 0), last = place(p, x, p->height[0] - 1);
        sum += (double)p->south[first - pitch] * p->u[first] + (double)p->south[last] * p->u[last];
    }
    return sum;
}

/* Draws temperatures, as shares of the hottest, in 24 bands; insulators keep the image's pixels. */
static void write_picture(const char *directory, const char *name, const struct plates *p,
                          const unsigned char *conducts, const struct array *image, const double *u,
                          double hottest)
{
    static const unsigned char colours[6][3] = {{16, 18, 60},   {92, 20, 110},  {200, 40, 80},
                                                {250, 130, 40}, {255, 220, 90}, {255, 255, 235}};
    const size_t shape[3] = {(size_t)p->height[0], (size_t)p->width[0], 3};
    const int rows = (int)image->shape[0], columns = (int)image->shape[1];
    const int left = (p->width[0] - columns) / 2, top = (p->height[0] - rows) / 2;
    const size_t samples = image->rank == 3 ? 3 : 1;
    struct array drawn;
    struct io_error error;

    program_check(array_allocate(&drawn, ARRAY_UINT8, 3, shape, &error), &error);
    unsigned char *pixel = (unsigned char *)drawn.data;

    for (int y = 0; y < p->height[0]; y++)
        for (int x = 0; x < p->width[0]; x++, pixel += 3) {
            const double share = sqrt(fmin(fmax(u[place(p, x, y)] / hottest, 0), 1));
            const double band = floor(share * 23.999) / 23 * 4.999;
            const unsigned char *const low = colours[(int)band], *const high = low + 3;
            const int row = y - top, column = x - left;

            for (int k = 0; k < 3; k++)
                pixel[k] = (unsigned char)(low[k] + (band - floor(band)) * (high[k] - low[k]));
            if (!conducts[place(p, x, y)] && row >= 0 && row < rows && column >= 0 &&
                column < columns) {
                const size_t from = (size_t)row * (size_t)columns + (size_t)column;
                for (size_t k = 0; k < 3; k++)
                    pixel[k] = ((unsigned char *)image->data)[from * samples + k % samples];
            }
        }
    program_check(png_write(directory, name, &drawn, &error), &error);
    array_free(&drawn);
}

static struct array read_image(const char *path)
{
    struct array image;
    struct io_error error;

    program_check(pnm_read(path, &image, &error), &error);
    if (image.shape[0] > MOST_EDGE || image.shape[1] > MOST_EDGE)
        program_fail("%s: %zu x %zu pixels; each way at most %d are allowed", path, image.shape[1],
                     image.shape[0], MOST_EDGE);
    return image;
}

/* Cells along an axis of `pixels` pixels: a multiple of MULTIPLE, to allow coarse plates. */
static int rounded_up(size_t pixels)
{
    return (int)((pixels + MULTIPLE - 1) / MULTIPLE * MULTIPLE);
}

int main(int argc, char **argv)
{
    const char *path = "../data/camera.pgm", *out = NULL;
    int dark = 80, steps = 6000, count = 24;
    const struct options_entry options[] = {
        options_whole("--dark N", &dark, 0, 256, "pixels darker than this, smoothed, insulate"),
        options_whole("--steps N", &steps, 0, 10000000, "time steps, from the cold plate"),
        options_whole("--frames N", &count, 1, 500, "pictures of the time steps"),
        options_text("--out DIRECTORY", &out,
                     "write heat.png, the steady state, and the pictures frame-NNN.png there"),
        options_text("IMAGE", &path, "raw PGM or PPM (P5, P6)"),
    };
    struct io_error error;

    program_begin("heat", about, options, sizeof options / sizeof *options, argc, argv);
    struct array image = read_image(path);
    if (out)
        program_check(io_make_directory(out, &error), &error);
    struct plates host =
        make_plates(rounded_up(image.shape[1]), rounded_up(image.shape[0]), program_host);
    unsigned char *const conducts = conducting_cells(&host, &image, dark);
    set_faces(&host, conducts);
    if (set_source(&host, conducts) == 0)
        program_fail("the hot disc, at the right of the image, is inside an insulator; use a "
                     "smaller --dark");

    printf("heat: on %s\n", PORTABLE_TARGET_NAME);
    check_order("time steps", 0);
    check_order("steady state", 1);

    struct plates device = upload(&host);
    double start = timer_seconds(), seconds = 0, hottest = 0, reached = 0;
    const int cycles = find_steady_state(&device);
    seconds = timer_seconds() - start;
    fetch(&device, host.u);
    for (size_t i = 0; i < host.size; i++)
        hottest = fmax(hottest, host.u[i]);
    printf("%s: %d x %d cells\n", path, host.width[0], host.height[0]);
    printf("%d V-cycles in %.3f s: the hottest cell has %.9f\n", cycles, seconds, hottest);
    verify(cycles < MOST_CYCLES, "the V-cycles converge");
    verify(fabs(lost(&host) - 1) <= 1e-7, "the frame takes %.9f of 1", lost(&host));

    if (out)
        write_picture(out, "heat.png", &host, conducts, &image, host.u, hottest);

    /* From the cold plate: no cell ever becomes hotter than in the steady state. */
    PORTABLE_CHECK(portable_memset(device.u, 0, device.size * sizeof *device.u));
    int within = 1;
    seconds = 0;
    for (int k = 0, done = 0; k < count; k++) {
        const int until = (int)((long long)steps * (k + 1) / count);
        char name[32];

        start = timer_seconds();
        PORTABLE_CHECK(time_steps(&device, until - done, ratio));
        PORTABLE_CHECK(portable_synchronize());
        seconds += timer_seconds() - start;
        done = until;
        fetch(&device, host.next);
        snprintf(name, sizeof name, "frame-%03d.png", k);
        if (out)
            write_picture(out, name, &host, conducts, &image, host.next, hottest);
        for (size_t i = 0; i < host.size; i++) {
            within &= host.next[i] >= -1e-7 * hottest && host.next[i] <= host.u[i] + 1e-7 * hottest;
            reached = fmax(reached, host.next[i] / hottest);
        }
    }
    printf("%d time steps in %.3f s: the hottest cell is at %.1f%% of its steady temperature\n",
           steps, seconds, 100 * reached);
    verify(within, "no cell is colder than the frame, or hotter than in the steady state");
    array_free(&image);
    return program_end("order 2, balanced heat, no cell hotter than in the steady state");
}
