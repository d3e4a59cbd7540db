/* SPDX-License-Identifier: BSD-3-Clause */
/* A texture's contents and ownership, point and linear fetches inside and outside of it in every
 * mode, and errors. */
#include "test.h"

#include <math.h> /* fabs, INFINITY, NAN */

KERNEL(fetch_line)(int n, portable_texture texture, const float *x, float *out)
{
    GRID_STRIDE_LOOP(i, n)
        out[i] = TEXTURE_1D(texture, x[i]);
}

KERNEL(fetch_plane)(int n, portable_texture texture, const float *x, const float *y, float *out)
{
    GRID_STRIDE_LOOP(i, n)
        out[i] = TEXTURE_2D(texture, x[i], y[i]);
}

static portable_texture_settings reading(portable_texture_filter filter,
                                         portable_texture_address address, int normalised)
{
    portable_texture_settings settings;

    memset(&settings, 0, sizeof settings);
    settings.filter = filter;
    settings.address = address;
    settings.normalised = normalised;
    return settings;
}

/* Fetches the texture at n places; it is one-dimensional if y is NULL. */
static void fetch(portable_texture texture, int n, const float *x, const float *y, float *out)
{
    const size_t bytes = (size_t)n * sizeof(float);
    float *on_device, *from_x, *from_y;

    assert_ok(portable_malloc(&on_device, bytes));
    assert_ok(portable_malloc(&from_x, bytes));
    assert_ok(portable_malloc(&from_y, bytes));
    assert_ok(portable_copy_to_device(from_x, x, bytes));
    assert_ok(portable_copy_to_device(from_y, y ? y : x, bytes));
    if (y)
        assert_ok(KERNEL_LAUNCH(fetch_plane, 3, 32, 0, 0, n, texture, from_x, from_y, on_device));
    else
        assert_ok(KERNEL_LAUNCH(fetch_line, 3, 32, 0, 0, n, texture, from_x, on_device));
    assert_ok(portable_copy_to_host(out, on_device, bytes));
    assert_ok(portable_free(on_device));
    assert_ok(portable_free(from_x));
    assert_ok(portable_free(from_y));
}

static void assert_close(const char *what, int k, float actual, float expected, double tolerance)
{
    if (!(fabs((double)actual - (double)expected) <= tolerance))
        fail_msg("%s, place %d: %.9g, expected %.9g", what, k, (double)actual, (double)expected);
}

/* ---- one dimension ---- */

/* Four texels at places inside and outside, in texels. Each row has the values of CUDA's
 * formulas. */
enum { PLACES = 14 };
static const float four[4] = {10, 20, 30, 40};
static const float places[PLACES] = {-5.25f, -4.25f, -1.25f, -0.25f, 0.25f, 0.75f, 1.25f,
                                     2.5f,   3.75f,  4.25f,  5.75f,  7.25f, 8.5f,  10.25f};
static const struct {
    const char *name;
    portable_texture_address address;
    int filter, only_normalised;
    float expected[PLACES];
} lines[] = {
    {"point, clamp",
     PORTABLE_TEXTURE_CLAMP,
     0,
     0,
     {10, 10, 10, 10, 10, 10, 20, 30, 40, 40, 40, 40, 40, 40}},
    {"point, border",
     PORTABLE_TEXTURE_BORDER,
     0,
     0,
     {0, 0, 0, 0, 10, 10, 20, 30, 40, 0, 0, 0, 0, 0}},
    {"point, wrap",
     PORTABLE_TEXTURE_WRAP,
     0,
     1,
     {30, 40, 30, 40, 10, 10, 20, 30, 40, 10, 20, 40, 10, 30}},
    {"point, mirror",
     PORTABLE_TEXTURE_MIRROR,
     0,
     1,
     {30, 40, 20, 10, 10, 10, 20, 30, 40, 40, 30, 10, 10, 30}},
    {"linear, clamp",
     PORTABLE_TEXTURE_CLAMP,
     1,
     0,
     {10, 10, 10, 10, 10, 12.5f, 17.5f, 30, 40, 40, 40, 40, 40, 40}},
    {"linear, border",
     PORTABLE_TEXTURE_BORDER,
     1,
     0,
     {0, 0, 0, 2.5f, 7.5f, 12.5f, 17.5f, 30, 30, 10, 0, 0, 0, 0}},
    {"linear, wrap",
     PORTABLE_TEXTURE_WRAP,
     1,
     1,
     {32.5f, 32.5f, 32.5f, 32.5f, 17.5f, 12.5f, 17.5f, 30, 32.5f, 17.5f, 22.5f, 37.5f, 10, 27.5f}},
    {"linear, mirror",
     PORTABLE_TEXTURE_MIRROR,
     1,
     1,
     {32.5f, 40, 17.5f, 10, 10, 12.5f, 17.5f, 30, 40, 40, 27.5f, 12.5f, 10, 27.5f}},
};

static void test_lines(void **state)
{
    (void)state;
    NEEDS_DEVICE();
    for (size_t l = 0; l < COUNT_OF(lines); l++)
        for (int normalised = lines[l].only_normalised; normalised < 2; normalised++) {
            const portable_texture_settings settings =
                reading(lines[l].filter ? PORTABLE_TEXTURE_LINEAR : PORTABLE_TEXTURE_POINT,
                        lines[l].address, normalised);
            portable_texture texture;
            float x[PLACES], out[PLACES];

            for (int k = 0; k < PLACES; k++)
                x[k] = normalised ? places[k] / 4 : places[k];
            assert_ok(portable_texture_create_1d(&texture, four, 4, &settings));
            fetch(texture, PLACES, x, NULL, out);
            assert_ok(portable_texture_destroy(texture));
            for (int k = 0; k < PLACES; k++)
                assert_close(lines[l].name, k, out[k], lines[l].expected[k],
                             lines[l].filter ? 1e-4 : 0);
        }
}

/* Without normalised coordinates wrap and mirror act as clamp, as on CUDA. */
static void test_wrap_needs_normalised_coordinates(void **state)
{
    static const portable_texture_address addresses[2] = {PORTABLE_TEXTURE_WRAP,
                                                          PORTABLE_TEXTURE_MIRROR};

    (void)state;
    NEEDS_DEVICE();
    for (int a = 0; a < 2; a++)
        for (int filter = 0; filter < 2; filter++) {
            const portable_texture_settings settings =
                reading(filter ? PORTABLE_TEXTURE_LINEAR : PORTABLE_TEXTURE_POINT, addresses[a], 0);
            portable_texture texture;
            float out[PLACES];

            assert_ok(portable_texture_create_1d(&texture, four, 4, &settings));
            fetch(texture, PLACES, places, NULL, out);
            assert_ok(portable_texture_destroy(texture));
            for (int k = 0; k < PLACES; k++)
                assert_close("wrap or mirror in texels", k, out[k], lines[4 * filter].expected[k],
                             filter ? 1e-4 : 0);
        }
}

/* The fraction has 256 steps. A value between two of them is rounded to the nearest on the CPU, and
 * to one of the two elsewhere. */
static void test_the_fraction(void **state)
{
    static const float step[2] = {0, 256};
    const portable_texture_settings settings =
        reading(PORTABLE_TEXTURE_LINEAR, PORTABLE_TEXTURE_CLAMP, 0);
    portable_texture texture;
    float x[257], out[257];

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_texture_create_1d(&texture, step, 2, &settings));
    for (int k = 0; k <= 256; k++)
        x[k] = 0.5f + (float)k / 256;
    fetch(texture, 257, x, NULL, out);
    for (int k = 0; k <= 256; k++)
        assert_close("a step of the fraction", k, out[k], (float)k, 1e-3);
    for (int k = 0; k < 256; k++)
        x[k] = 0.5f + ((float)k + (k % 2 ? 0.375f : 0.625f)) / 256;
    fetch(texture, 256, x, NULL, out);
    for (int k = 0; k < 256; k++)
        if (on_cuda())
            assert_close("between steps", k, out[k], (float)k + 0.5f, 0.501);
        else
            assert_close("between steps", k, out[k], (float)(k % 2 ? k : k + 1), 0);
    assert_ok(portable_texture_destroy(texture));
}

static void test_far_away(void **state)
{
    static const float far[6] = {-1e30f, -3e9f, -17e6f, 17e6f, 3e9f, 1e30f};
    portable_texture texture;
    float out[6];

    (void)state;
    NEEDS_DEVICE();
    for (int filter = 0; filter < 2; filter++)
        for (int border = 0; border < 2; border++) {
            const portable_texture_settings settings =
                reading(filter ? PORTABLE_TEXTURE_LINEAR : PORTABLE_TEXTURE_POINT,
                        border ? PORTABLE_TEXTURE_BORDER : PORTABLE_TEXTURE_CLAMP, 0);

            assert_ok(portable_texture_create_1d(&texture, four, 4, &settings));
            fetch(texture, 6, far, NULL, out);
            assert_ok(portable_texture_destroy(texture));
            for (int k = 0; k < 6; k++)
                assert_close("far away", k, out[k], border ? 0 : k < 3 ? 10 : 40, 0);
        }
}

#if !PORTABLE_TARGET_CUDA
/* CUDA does not define these; the CPU reads a texel, and never outside the texture. A NaN counts as
 * 0. */
static void test_no_coordinate_reads_outside(void **state)
{
    static const float odd[8] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, -0.0f, -FLT_MIN, 1};

    (void)state;
    for (int address = 0; address < 4; address++)
        for (int mode = 0; mode < 4; mode++) {
            const portable_texture_settings settings =
                reading(mode & 1 ? PORTABLE_TEXTURE_LINEAR : PORTABLE_TEXTURE_POINT,
                        (portable_texture_address)address, mode >> 1);
            portable_texture line, plane;
            float out[8];

            assert_ok(portable_texture_create_1d(&line, four, 4, &settings));
            assert_ok(portable_texture_create_2d(&plane, four, 2, 2, &settings));
            fetch(line, 8, odd, NULL, out);
            for (int k = 0; k < 8; k++)
                assert_true(out[k] >= 0 && out[k] <= 40);
            assert_true(out[0] == out[5]);
            fetch(plane, 8, odd, odd, out);
            for (int k = 0; k < 8; k++)
                assert_true(out[k] >= 0 && out[k] <= 40);
            assert_true(out[0] == out[5]);
            assert_ok(portable_texture_destroy(line));
            assert_ok(portable_texture_destroy(plane));
        }
}
#endif

/* ---- two dimensions ---- */

/* Three rows of four: texel (i, j) is 100 j + i. */
static void test_planes(void **state)
{
    enum { WIDE = 4, HIGH = 3, ACROSS = 16, DOWN = 12 };
    float texels[WIDE * HIGH], x[ACROSS * DOWN], y[ACROSS * DOWN], out[ACROSS * DOWN];

    (void)state;
    NEEDS_DEVICE();
    for (int k = 0; k < WIDE * HIGH; k++)
        texels[k] = (float)(k / WIDE * 100 + k % WIDE);
    for (int normalised = 0; normalised < 2; normalised++)
        for (int filter = 0; filter < 2; filter++) {
            const portable_texture_settings settings =
                reading(filter ? PORTABLE_TEXTURE_LINEAR : PORTABLE_TEXTURE_POINT,
                        PORTABLE_TEXTURE_CLAMP, normalised);
            portable_texture texture;

            /* In quarters of texels, from two texels before to two texels beyond. */
            for (int k = 0; k < ACROSS * DOWN; k++) {
                x[k] = -1.8125f + 0.5f * (float)(k % ACROSS);
                y[k] = -1.8125f + 0.5f * (float)(k / ACROSS);
            }
            if (normalised)
                for (int k = 0; k < ACROSS * DOWN; k++) {
                    x[k] /= WIDE;
                    y[k] /= HIGH;
                }
            assert_ok(portable_texture_create_2d(&texture, texels, WIDE, HIGH, &settings));
            fetch(texture, ACROSS * DOWN, x, y, out);
            assert_ok(portable_texture_destroy(texture));
            for (int k = 0; k < ACROSS * DOWN; k++) {
                float u = -1.8125f + 0.5f * (float)(k % ACROSS);
                float v = -1.8125f + 0.5f * (float)(k / ACROSS);

                /* The texels are a plane: linear filtering gives the plane between their
                 * centres. */
                u = u < 0.5f ? 0.5f : u > WIDE - 0.5f ? WIDE - 0.5f : u;
                v = v < 0.5f ? 0.5f : v > HIGH - 0.5f ? HIGH - 0.5f : v;
                if (filter)
                    assert_close("linear plane", k, out[k], 100 * (v - 0.5f) + u - 0.5f,
                                 normalised ? 101.0 / 256 : 1e-3);
                else
                    assert_close("point plane", k, out[k], (float)(100 * (int)v + (int)u), 0);
            }
        }
}

/* Each corner of the border: only the part of the texel that reaches it counts. */
static void test_the_corner_of_a_border(void **state)
{
    static const float one[1] = {64};
    static const float x[5] = {0, 1, 0, 1, 0.5f}, y[5] = {0, 0, 1, 1, 0.5f};
    const portable_texture_settings settings =
        reading(PORTABLE_TEXTURE_LINEAR, PORTABLE_TEXTURE_BORDER, 0);
    portable_texture texture;
    float out[5];

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_texture_create_2d(&texture, one, 1, 1, &settings));
    fetch(texture, 5, x, y, out);
    assert_ok(portable_texture_destroy(texture));
    for (int k = 0; k < 5; k++)
        assert_close("corner", k, out[k], k < 4 ? 16 : 64, 1e-3);
}

static void test_bytes(void **state)
{
    portable_texture_settings settings = reading(PORTABLE_TEXTURE_POINT, PORTABLE_TEXTURE_CLAMP, 0);
    unsigned char bytes[256];
    portable_texture texture;
    float x[256], out[256];
    size_t before, after;

    (void)state;
    NEEDS_DEVICE();
    for (int k = 0; k < 256; k++) {
        bytes[k] = (unsigned char)k;
        x[k] = (float)k + 0.5f;
    }
    settings.texel = PORTABLE_TEXTURE_BYTE;
    portable_memory_in_use(&before, NULL);
    assert_ok(portable_texture_create_1d(&texture, bytes, 256, &settings));
    portable_memory_in_use(&after, NULL);
    assert_int_equal(after - before, 256);
    fetch(texture, 256, x, NULL, out);
    assert_ok(portable_texture_destroy(texture));
    for (int k = 0; k < 256; k++)
        assert_close("byte", k, out[k], (float)k / 255, on_cuda() ? (double)FLT_EPSILON : 0);
}

/* ---- scopes ---- */

DEVICE float mean_of_two(portable_texture texture, float x, float y)
{
    return (TEXTURE_2D(texture, x, y) + TEXTURE_2D(texture, x + 1, y)) / 2;
}

KERNEL(fetch_in_threads)(portable_texture line, portable_texture plane, float *out)
{
    FOR_EACH_BLOCK(4) {
        FOR_EACH_THREAD {
            const float x = (float)threadIdx.x + 0.5f;
            out[threadIdx.x] = TEXTURE_1D(line, x) + mean_of_two(plane, x, 0.5f);
        }
    }
}

/* Two textures at once, at thread scope and in a function; both keep copies of their data. */
static void test_thread_scope(void **state)
{
    float values[4] = {10, 20, 30, 40}, out[4], *on_device;
    portable_texture line, plane;

    (void)state;
    NEEDS_DEVICE();
    on_device = (float *)device_from(NULL, sizeof out);
    assert_ok(portable_texture_create_1d(&line, values, 4, NULL));
    assert_ok(portable_texture_create_2d(&plane, values, 4, 1, NULL));
    memset(values, 0, sizeof values);
    assert_ok(KERNEL_LAUNCH(fetch_in_threads, 1, 4, 0, 0, line, plane, on_device));
    assert_ok(portable_copy_to_host(out, on_device, sizeof out));
    assert_ok(portable_texture_destroy(line));
    assert_ok(portable_texture_destroy(plane));
    for (int k = 0; k < 4; k++)
        assert_close("thread", k, out[k], four[k] + (four[k] + four[k < 3 ? k + 1 : 3]) / 2, 0);
}

/* ---- ownership and errors ---- */

static void test_ownership(void **state)
{
    size_t bytes_before, count_before, bytes, count;
    portable_texture textures[3];

    (void)state;
    NEEDS_DEVICE();
    portable_memory_in_use(&bytes_before, &count_before);
    for (int k = 0; k < 3; k++)
        assert_ok(portable_texture_create_2d(&textures[k], four, 2, 2, NULL));
    portable_memory_in_use(&bytes, &count);
    assert_int_equal(bytes - bytes_before, 3 * sizeof four);
    assert_int_equal(count - count_before, 3);
    assert_ok(portable_texture_destroy(textures[1]));
    assert_refused(portable_texture_destroy(textures[1]), PORTABLE_ERROR_INVALID_FREE,
                   "not a live texture");
    assert_ok(portable_texture_destroy(textures[2]));
    assert_ok(portable_texture_destroy(textures[0]));
    assert_ok(portable_texture_destroy(0));
    portable_memory_in_use(&bytes, &count);
    assert_int_equal(bytes, bytes_before);
    assert_int_equal(count, count_before);
}

static void test_creation_refuses(void **state)
{
    static const struct {
        size_t width, height;
    } sizes[] = {{0, 1}, {1, 0}, {131073, 1}, {1, 65537}, {(size_t)-1, 1}, {2, (size_t)-1}};
    portable_texture_settings settings;
    portable_texture texture;
    void *on_device;

    (void)state;
    NEEDS_DEVICE();
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        memset(&texture, 0xff, sizeof texture);
        assert_refused(
            portable_texture_create_2d(&texture, four, sizes[k].width, sizes[k].height, NULL),
            PORTABLE_ERROR_INVALID_VALUE, "1 by 1 to 131072 by 65536");
        assert_true(texture == 0);
    }
    assert_refused(portable_texture_create_1d(&texture, four, 0, NULL),
                   PORTABLE_ERROR_INVALID_VALUE, "portable_texture_create_1d: 0 texels");
    assert_refused(portable_texture_create_1d(&texture, four, 131073, NULL),
                   PORTABLE_ERROR_INVALID_VALUE, "131073 texels, and a texture has 1 to 131072");
    assert_refused(portable_texture_create_1d(NULL, four, 4, NULL), PORTABLE_ERROR_INVALID_VALUE,
                   "no place for the texture");
    assert_refused(portable_texture_create_1d(&texture, NULL, 4, NULL),
                   PORTABLE_ERROR_NOT_HOST_MEMORY, "the data");
    on_device = device_from(four, sizeof four);
    assert_refused(portable_texture_create_2d(&texture, on_device, 2, 2, NULL),
                   PORTABLE_ERROR_NOT_HOST_MEMORY, "device memory");
    for (int k = 0; k < 4; k++) {
        const int wrong[4] = {k == 0 ? 2 : 0, k == 1 ? 4 : 0, k == 2 ? 2 : 0, k == 3 ? -1 : 0};

        memcpy(&settings.filter, &wrong[0], sizeof settings.filter);
        memcpy(&settings.address, &wrong[1], sizeof settings.address);
        settings.normalised = wrong[2];
        memcpy(&settings.texel, &wrong[3], sizeof settings.texel);
        assert_refused(portable_texture_create_1d(&texture, four, 4, &settings),
                       PORTABLE_ERROR_INVALID_VALUE, "there is no filter");
    }
}

/* The largest one-dimensional texture is valid. */
static void test_the_widest(void **state)
{
    enum { WIDEST = 131072 };
    static const float x[3] = {0.5f, 65536.5f, WIDEST - 0.5f};
    static float texels[WIDEST];
    portable_texture texture;
    float out[3];

    (void)state;
    NEEDS_DEVICE();
    for (int k = 0; k < WIDEST; k++)
        texels[k] = (float)k;
    assert_ok(portable_texture_create_1d(&texture, texels, WIDEST, NULL));
    fetch(texture, 3, x, NULL, out);
    assert_ok(portable_texture_destroy(texture));
    assert_true(out[0] == 0 && out[1] == 65536 && out[2] == WIDEST - 1);
}

#if !PORTABLE_TARGET_CUDA
static void test_fetches_refuse(void **state)
{
    portable_texture line, plane;
    float *out, *x;

    (void)state;
    out = (float *)device_from(NULL, sizeof(float));
    x = (float *)device_from(NULL, sizeof(float));
    assert_ok(portable_texture_create_1d(&line, four, 4, NULL));
    assert_ok(portable_texture_create_2d(&plane, four, 2, 2, NULL));
    assert_refused(KERNEL_LAUNCH(fetch_line, 1, 1, 0, 0, 1, plane, x, out),
                   PORTABLE_ERROR_INVALID_VALUE,
                   "kernel fetch_line: TEXTURE_1D of a texture of 2 dimensions");
    assert_refused(KERNEL_LAUNCH(fetch_plane, 1, 1, 0, 0, 1, line, x, x, out),
                   PORTABLE_ERROR_INVALID_VALUE,
                   "kernel fetch_plane: TEXTURE_2D of a texture of 1 dimension");
    assert_refused(KERNEL_LAUNCH(fetch_line, 1, 1, 0, 0, 1, NULL, x, out),
                   PORTABLE_ERROR_INVALID_VALUE, "TEXTURE_1D of no texture");
    assert_ok(portable_texture_destroy(line));
    assert_ok(portable_texture_destroy(plane));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_lines),
        TEST(test_wrap_needs_normalised_coordinates),
        TEST(test_the_fraction),
        TEST(test_far_away),
        TEST(test_planes),
        TEST(test_the_corner_of_a_border),
        TEST(test_bytes),
        TEST(test_thread_scope),
        TEST(test_ownership),
        TEST(test_creation_refuses),
        TEST(test_the_widest),
#if !PORTABLE_TARGET_CUDA
        TEST(test_no_coordinate_reads_outside),
        TEST(test_fetches_refuse),
#endif
    };

    return cmocka_run_group_tests_name("textures/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
