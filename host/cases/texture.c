/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/texture.c"

#include "host/case.h"
#include "host/pnm.h"

#include <math.h>   /* fabs, floor, fmax, fmin, ldexp */
#include <string.h> /* memcpy */

/* Every way to read outside of a texture, each with its output. The last two have coordinates in
 * texels, where wrap is clamp. */
static const struct {
    const char *name;
    portable_texture_address address;
    int normalised;
} ways[] = {
    {"clamp", PORTABLE_TEXTURE_CLAMP, 1},      {"wrap", PORTABLE_TEXTURE_WRAP, 1},
    {"mirror", PORTABLE_TEXTURE_MIRROR, 1},    {"border", PORTABLE_TEXTURE_BORDER, 1},
    {"wrap_texels", PORTABLE_TEXTURE_WRAP, 0}, {"border_texels", PORTABLE_TEXTURE_BORDER, 0},
};
enum { WAYS = sizeof ways / sizeof ways[0], MOST_TEXELS = 4096 };

/* Where results lie in the texture, in texels. Point sampling has steps whose fractions are exact,
 * and shifts that keep it 3/16 of a texel away from the line between two: no target rounds across
 * it. */
static affine line_map(const struct run *run, portable_texture_filter filter)
{
    const float half_way = (float)(run->columns / 2);
    const affine point = {3.25f, 0, 0.1875f - half_way, 0, 0, 0};
    const affine linear = {3.217f, 0, 0.37f - half_way, 0, 0, 0};

    return filter == PORTABLE_TEXTURE_POINT ? point : linear;
}

/* Turned by 34 degrees or by 30, and scaled by 1.8 or by 1.7. */
static affine plane_map(const struct run *run, portable_texture_filter filter)
{
    const float left = (float)(run->columns / 4), up = (float)(run->rows / 2);
    const affine point = {1.5f, -1, 0.1875f - left, 1, 1.5f, 0.1875f - up};
    const affine linear = {1.4722f, -0.85f, 0.37f - left, 0.85f, 1.4722f, 0.41f - up};

    return filter == PORTABLE_TEXTURE_POINT ? point : linear;
}

/* Turned by 30 degrees about the centre, and reduced to 4 fifths. */
static affine image_map(const struct run *run)
{
    const float x = (float)run->columns / 2, y = (float)run->rows / 2;
    const affine map = {1.0825f, -0.625f, 0, 0.625f, 1.0825f, 0};
    affine centred = map;

    centred.c = x - map.a * (x - 0.5f) - map.b * (y - 0.5f);
    centred.f = y - map.d * (x - 0.5f) - map.e * (y - 0.5f);
    return centred;
}

static affine in_units(affine map, int normalised, int columns, int rows)
{
    const float width = normalised ? (float)columns : 1, height = normalised ? (float)rows : 1;
    const affine scaled = {map.a / width,  map.b / width,  map.c / width,
                           map.d / height, map.e / height, map.f / height};

    return scaled;
}

static int prepare(struct run *run, struct io_error *error, portable_texture_filter filter,
                   int rank)
{
    const size_t shape[2] = {rank == 2 ? (size_t)(run->n - run->n / 3) : (size_t)run->n,
                             (size_t)run->n};

    run->columns = run->n < MOST_TEXELS ? run->n : MOST_TEXELS;
    run->rows = rank == 2 ? (int)shape[0] : 0;
    const size_t texels = (size_t)run->columns * (rank == 2 ? shape[0] : 1);
    const float *texture = run_input_float(run, "texels", texels);
    for (int k = 0; k < WAYS; k++) {
        portable_texture_settings settings = {filter, ways[k].address, ways[k].normalised,
                                              PORTABLE_TEXTURE_FLOAT};
        run_output_float(run, ways[k].name, rank, shape, rank == 2 ? OWNER_PLANE : OWNER_ELEMENT);
        run_texture(run, texture, run->columns, run->rows, &settings);
    }
    if (rank == 2)
        run_cover_plane(run, run->columns, run->rows);
    else
        run_stride(run, run->n);
    const double results = (double)shape[0] * (rank == 2 ? run->n : 1);
    run->bytes = WAYS * (results + (double)texels) * sizeof(float);
    run->flops = WAYS * results * (filter == PORTABLE_TEXTURE_POINT ? 2 : 5) * rank;
    return run_ready(run, error);
}

static int prepare_point_line(struct run *run, struct io_error *error)
{
    return prepare(run, error, PORTABLE_TEXTURE_POINT, 1);
}

static int prepare_linear_line(struct run *run, struct io_error *error)
{
    return prepare(run, error, PORTABLE_TEXTURE_LINEAR, 1);
}

static int prepare_point_plane(struct run *run, struct io_error *error)
{
    return prepare(run, error, PORTABLE_TEXTURE_POINT, 2);
}

static int prepare_linear_plane(struct run *run, struct io_error *error)
{
    return prepare(run, error, PORTABLE_TEXTURE_LINEAR, 2);
}

static portable_status launch_line(struct run *run, portable_texture_filter filter)
{
    portable_status status = PORTABLE_SUCCESS;

    for (int k = 0; k < WAYS && status == PORTABLE_SUCCESS; k++) {
        const affine map =
            in_units(line_map(run, filter), ways[k].normalised, run->columns, run->rows);
        status = KERNEL_LAUNCH(resample_line, run->grid, run->block, 0, 0, run->n, run->textures[k],
                               map.a, map.c, DEVICE_FLOATS(ways[k].name));
    }
    return status;
}

static portable_status launch_plane(struct run *run, portable_texture_filter filter)
{
    portable_status status = PORTABLE_SUCCESS;

    for (int k = 0; k < WAYS && status == PORTABLE_SUCCESS; k++) {
        const affine map =
            in_units(plane_map(run, filter), ways[k].normalised, run->columns, run->rows);
        status = KERNEL_LAUNCH(resample_plane, run->grid, run->block, 0, 0, run->columns, run->rows,
                               run->textures[k], map, DEVICE_FLOATS(ways[k].name));
    }
    return status;
}

static portable_status launch_point_line(struct run *run)
{
    return launch_line(run, PORTABLE_TEXTURE_POINT);
}

static portable_status launch_linear_line(struct run *run)
{
    return launch_line(run, PORTABLE_TEXTURE_LINEAR);
}

static portable_status launch_point_plane(struct run *run)
{
    return launch_plane(run, PORTABLE_TEXTURE_POINT);
}

static portable_status launch_linear_plane(struct run *run)
{
    return launch_plane(run, PORTABLE_TEXTURE_LINEAR);
}

/* A texture as the reference sees it: integer places, whatever repeats. */
struct texels {
    const float *floats;
    const unsigned char *bytes; /* instead */
    int rank, columns, rows;
    portable_texture_address address;
};

/* The place in [0, count) that stands for k, or -1. */
static int fold(portable_texture_address address, int k, int count)
{
    const int twice = (k % (2 * count) + 2 * count) % (2 * count);

    if (k >= 0 && k < count)
        return k;
    switch (address) {
    case PORTABLE_TEXTURE_CLAMP: return k < 0 ? 0 : count - 1;
    case PORTABLE_TEXTURE_WRAP: return twice % count;
    case PORTABLE_TEXTURE_MIRROR: return twice < count ? twice : 2 * count - 1 - twice;
    case PORTABLE_TEXTURE_BORDER: break;
    }
    return -1;
}

static double texel(const struct texels *texels, int i, int j)
{
    i = fold(texels->address, i, texels->columns);
    j = fold(texels->address, j, texels->rows);
    if (i < 0 || j < 0)
        return 0;
    const size_t at = (size_t)j * (size_t)texels->columns + (size_t)i;
    return texels->floats ? (double)texels->floats[at] : texels->bytes[at] / 255.0;
}

/* The value at (u, v) in texels, and how far from it a result may be: a coordinate may be off by
 * `slack`, and the fraction is in units of 1/256 and may be off by one unit in each dimension.
 * One dimension is one row, at v = 1/2. */
static double sample(const struct texels *texels, portable_texture_filter filter, double u,
                     double v, double slack, double *bound)
{
    *bound = 0;
    if (filter == PORTABLE_TEXTURE_POINT)
        return texel(texels, (int)floor(u), (int)floor(v));
    const int i = (int)floor(u - 0.5), j = (int)floor(v - 0.5), plane = texels->rank == 2;
    const double a = u - 0.5 - i, b = v - 0.5 - j;
    double least = texel(texels, i, j), most = least;
    for (int y = plane ? j - 1 : j; y <= (plane ? j + 2 : j); y++)
        for (int x = i - 1; x <= i + 2; x++) {
            least = fmin(least, texel(texels, x, y));
            most = fmax(most, texel(texels, x, y));
        }
    *bound = (plane ? 2 : 1) * (1.0 / 256 + slack) * (most - least) +
             8 * (double)FLT_EPSILON * fmax(fabs(least), fabs(most));
    return (1 - a) * (1 - b) * texel(texels, i, j) + a * (1 - b) * texel(texels, i + 1, j) +
           (1 - a) * b * texel(texels, i, j + 1) + a * b * texel(texels, i + 1, j + 1);
}

/* The roundings of a coordinate that is the sum of three terms. */
static double rounding_of(double a, double b, double c)
{
    return 4 * (double)FLT_EPSILON * (fabs(a) + fabs(b) + fabs(c));
}

static void reference_at(struct run *run, const char *name, const struct texels *texels,
                         portable_texture_filter filter, affine map, int x, int y, double scale)
{
    const double u = (double)map.a * x + (double)map.b * y + (double)map.c;
    const double v = (double)map.d * x + (double)map.e * y + (double)map.f;
    const double slack = rounding_of((double)map.a * x, (double)map.b * y, (double)map.c) +
                         rounding_of((double)map.d * x, (double)map.e * y, (double)map.f);
    double bound;
    const double value = sample(texels, filter, u, v, slack, &bound);

    /* Scaled results are rounded to integers. */
    run_expect(run, name, (size_t)y * (size_t)run->columns + (size_t)x, scale * value,
               scale * bound + (scale > 1 ? 0.5 + scale * (double)FLT_EPSILON : 0));
}

static void reference(struct run *run, portable_texture_filter filter, int rank)
{
    for (int k = 0; k < WAYS; k++) {
        const struct texels texels = {
            HOST_FLOATS("texels"),
            NULL,
            rank,
            run->columns,
            rank == 2 ? run->rows : 1,
            !ways[k].normalised && ways[k].address == PORTABLE_TEXTURE_WRAP ? PORTABLE_TEXTURE_CLAMP
                                                                            : ways[k].address};
        affine map = rank == 2 ? plane_map(run, filter) : line_map(run, filter);

        if (rank == 1) {
            map.f = 0.5f;
            for (int x = 0; x < run->n; x++)
                reference_at(run, ways[k].name, &texels, filter, map, x, 0, 1);
        }
        for (int y = 0; rank == 2 && y < run->rows; y++)
            for (int x = 0; x < run->columns; x++)
                reference_at(run, ways[k].name, &texels, filter, map, x, y, 1);
    }
}

static void reference_point_line(struct run *run)
{
    reference(run, PORTABLE_TEXTURE_POINT, 1);
}

static void reference_linear_line(struct run *run)
{
    reference(run, PORTABLE_TEXTURE_LINEAR, 1);
}

static void reference_point_plane(struct run *run)
{
    reference(run, PORTABLE_TEXTURE_POINT, 2);
}

static void reference_linear_plane(struct run *run)
{
    reference(run, PORTABLE_TEXTURE_LINEAR, 2);
}

/* An image of noise, n wide; or the one in the file. */
static int prepare_image(struct run *run, struct io_error *error)
{
    const portable_texture_settings settings = {PORTABLE_TEXTURE_LINEAR, PORTABLE_TEXTURE_BORDER, 0,
                                                PORTABLE_TEXTURE_BYTE};
    struct array image = {ARRAY_UINT8, 2, {0}, NULL};

    if (run->input) {
        if (pnm_read(run->input, &image, error) != 0)
            return IO_BAD;
        if (image.rank != 2) {
            array_free(&image);
            return io_fail(error, "%s: the image must be grey, and it has colours", run->input);
        }
    } else {
        image.shape[0] = (size_t)(run->n - run->n / 3);
        image.shape[1] = (size_t)run->n;
    }
    unsigned char *greys = run_input_bytes(run, "image", 2, image.shape);
    const size_t count = image.shape[0] * image.shape[1];
    if (greys && image.data)
        memcpy(greys, image.data, count);
    else
        RUN_FILL(greys, i, count)
            greys[i] =
                (unsigned char)((run_random(run, "image", i) & 252) + i % image.shape[1] % 2);
    run_output_bytes(run, "turned", 2, image.shape);
    if (!run->timing)
        run_output_bytes(run, "shifted", 2, image.shape);
    run->rows = (int)image.shape[0];
    run->columns = run->n = (int)image.shape[1];
    array_free(&image);
    run_texture(run, greys, run->columns, run->rows, &settings);
    run_cover_plane(run, run->columns, run->rows);
    run->bytes = 2.0 * (double)count;
    run->flops = 13.0 * (double)count;
    return run_ready(run, error);
}

/* A quarter of a texel to the right: a fraction that is exact in units of 1/256. */
static const affine shift = {1, 0, 0.75f, 0, 1, 0.5f};

static portable_status launch_image(struct run *run)
{
    const portable_status status =
        KERNEL_LAUNCH(resample_image, run->grid, run->block, 0, 0, run->columns, run->rows,
                      run->textures[0], image_map(run), DEVICE_BYTES("turned"));

    if (status != PORTABLE_SUCCESS || run->timing)
        return status;
    return KERNEL_LAUNCH(resample_image, run->grid, run->block, 0, 0, run->columns, run->rows,
                         run->textures[0], shift, DEVICE_BYTES("shifted"));
}

/* Three parts of a texel and one of the next, to the nearest grey; where that is half way,
 * either one. In the image of noise, whose columns alternate between 0 and 1 modulo 4, it never
 * is. */
static void expect_shifted(struct run *run, const struct texels *texels, int x, int y)
{
    const unsigned char *row = texels->bytes + (size_t)y * (size_t)texels->columns;
    const int quarters = 3 * row[x] + (x + 1 < texels->columns ? row[x + 1] : 0);
    const int half_way = quarters % 4 == 2;

    run_expect(run, "shifted", (size_t)y * (size_t)texels->columns + (size_t)x,
               half_way ? quarters / 4.0 : (double)((quarters + 2) / 4), half_way ? 0.5 : 0);
}

static void reference_image(struct run *run)
{
    const struct texels texels = {NULL,         HOST_BYTES("image"), 2,
                                  run->columns, run->rows,           PORTABLE_TEXTURE_BORDER};
    const affine map = image_map(run);

    for (int y = 0; y < run->rows; y++)
        for (int x = 0; x < run->columns; x++) {
            reference_at(run, "turned", &texels, PORTABLE_TEXTURE_LINEAR, map, x, y, 255);
            expect_shifted(run, &texels, x, y);
        }
}

/* clang-format off */
#define FRACTION "how a GPU rounds the fraction between two texels to 1/256 is not documented: "
static const struct gallery_case cases[] = {
    {.family = "texture", .name = "texture_point_1d",
     .summary = "the texel at a coordinate, inside and outside",
     .takes = CASE_LINES, .sizes = {1, 2, 31, 32, 33, 1000}, .timing_n = 1 << 20,
     .prepare = prepare_point_line, .launch = launch_point_line, .reference = reference_point_line},
    {.family = "texture", .name = "texture_linear_1d", .summary = "linear between texels",
     .policy = CASE_ABSREL(2.0 / 256 + 1e-6, 0, FRACTION "one unit of a difference of 2"),
     .takes = CASE_LINES, .sizes = {1, 2, 31, 32, 33, 1000}, .timing_n = 1 << 20,
     .prepare = prepare_linear_line, .launch = launch_linear_line,
     .reference = reference_linear_line},
    {.family = "texture", .name = "texture_point_2d",
     .summary = "an array turned and scaled, by the texel at each place",
     .takes = CASE_PLANES, .sizes = {1, 2, 31, 32, 33, 200}, .timing_n = 1024, .counts = CASE_EDGE,
     .prepare = prepare_point_plane, .launch = launch_point_plane,
     .reference = reference_point_plane},
    {.family = "texture", .name = "texture_linear_2d", .summary = "the same, linear between texels",
     .policy = CASE_ABSREL(4.0 / 256 + 2e-6, 0, FRACTION "one unit of a difference of 2 along each axis"),
     .takes = CASE_PLANES, .sizes = {1, 2, 31, 32, 33, 200}, .timing_n = 1024, .counts = CASE_EDGE,
     .prepare = prepare_linear_plane, .launch = launch_linear_plane,
     .reference = reference_linear_plane},
    {.family = "texture", .name = "texture_image",
     .summary = "an image of bytes turned by 30 degrees",
     .policy = CASE_ABSREL(2, 0, FRACTION "one unit of 255 greys along each axis, to whole greys"),
     .takes = CASE_PLANES, .sizes = {1, 2, 31, 32, 33, 200}, .timing_n = 2048, .counts = CASE_EDGE,
     .extension = ".pgm",
     .prepare = prepare_image, .launch = launch_image, .reference = reference_image},
};
/* clang-format on */
GALLERY_CASES(cases)
