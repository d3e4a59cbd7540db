/* SPDX-License-Identifier: BSD-3-Clause */
/* half and bfloat16, their conversions from every bit pattern, at every tie and next to it, and the
 * same on the device. */
#include "test.h"

#include <math.h> /* ldexp */

enum { PATTERNS = 65536 };

static unsigned bits_of(float f)
{
    unsigned bits;

    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float float_of(unsigned bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* A 16-bit format: a sign, an exponent, and `fraction` bits; and the header's functions for it. */
struct format {
    const char *name;
    int fraction, bias;
    unsigned infinity; /* without its sign */
    unsigned (*to_float)(unsigned bits);
    unsigned (*from_float)(unsigned bits);
};

static unsigned of_half(unsigned bits)
{
    return bits_of(half_to_float(half_from_bits((unsigned short)bits)));
}
static unsigned to_half(unsigned bits)
{
    return half_to_bits(float_to_half(float_of(bits)));
}
static unsigned of_bfloat16(unsigned bits)
{
    return bits_of(bfloat16_to_float(bfloat16_from_bits((unsigned short)bits)));
}
static unsigned to_bfloat16(unsigned bits)
{
    return bfloat16_to_bits(float_to_bfloat16(float_of(bits)));
}

static const struct format formats[2] = {
    {"half", 10, 15, 0x7c00, of_half, to_half},
    {"bfloat16", 7, 127, 0x7f80, of_bfloat16, to_bfloat16},
};

/* The value of a finite pattern, by the format's definition; for infinity, the next number if the
 * exponent had another bit. */
static double value_of(const struct format *format, unsigned bits)
{
    const int exponent = (int)((bits & 0x7fff) >> format->fraction);
    const int fraction = (int)(bits & ((1u << format->fraction) - 1));
    const double size = exponent == 0 ? ldexp(fraction, 1 - format->bias - format->fraction)
                                      : ldexp(fraction + (1 << format->fraction),
                                              exponent - format->bias - format->fraction);

    return bits & 0x8000 ? -size : size;
}

/* The pattern nearest to a float, ties to even, found by bisection of the patterns: independent of
 * the header's rounding. */
static unsigned nearest(const struct format *format, unsigned bits)
{
    const unsigned sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    unsigned below = 0, above = format->infinity;

    if (size > 0x7f800000)
        return 0x7fff;
    if (size == 0x7f800000)
        return sign | format->infinity;
    const double value = (double)float_of(size);
    if (value >= value_of(format, above))
        return sign | above;
    while (above - below > 1) {
        const unsigned middle = (below + above) / 2;

        if (value_of(format, middle) <= value)
            below = middle;
        else
            above = middle;
    }
    const double from_below = value - value_of(format, below);
    const double to_above = value_of(format, above) - value;
    if (from_below != to_above)
        return sign | (from_below < to_above ? below : above);
    return sign | (below % 2 == 0 ? below : above);
}

static void assert_rounds(const struct format *format, unsigned bits)
{
    const unsigned expected = nearest(format, bits), actual = format->from_float(bits);

    if (actual != expected)
        fail_msg("float_to_%s(0x%08x) is 0x%04x, expected 0x%04x", format->name, bits, actual,
                 expected);
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(sizeof(half), 2);
    assert_int_equal(sizeof(bfloat16), 2);
    for (unsigned bits = 0; bits < PATTERNS; bits++) {
        assert_int_equal(half_to_bits(half_from_bits((unsigned short)bits)), bits);
        assert_int_equal(bfloat16_to_bits(bfloat16_from_bits((unsigned short)bits)), bits);
    }
}

/* Each pattern has the format's value, and converts back to itself, except for NaNs. */
static void test_every_pattern(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++)
        for (unsigned bits = 0; bits < PATTERNS; bits++) {
            const struct format *format = &formats[f];
            const unsigned size = bits & 0x7fff, actual = format->to_float(bits);
            unsigned expected;

            if (size < format->infinity)
                expected = bits_of((float)value_of(format, bits));
            else if (size == format->infinity)
                expected = (bits & 0x8000) << 16 | 0x7f800000;
            else
                expected = f == 0 ? 0x7fffffff : bits << 16;
            if (actual != expected)
                fail_msg("%s_to_float(0x%04x) is 0x%08x, expected 0x%08x", format->name, bits,
                         actual, expected);
            if (format->from_float(actual) != (size > format->infinity ? 0x7fff : bits))
                fail_msg("%s 0x%04x does not survive the way to float and back", format->name,
                         bits);
        }
}

/* Each number, the midpoint to the next, and the floats on both sides of these. */
static void test_every_tie(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++)
        for (unsigned bits = 0; bits < formats[f].infinity; bits++) {
            const double low = value_of(&formats[f], bits), high = value_of(&formats[f], bits + 1);
            const unsigned at[2] = {bits_of((float)low), bits_of((float)(low + (high - low) / 2))};

            for (int k = 0; k < 2; k++)
                for (unsigned sign = 0; sign < 2; sign++) {
                    assert_rounds(&formats[f], at[k] | sign << 31);
                    assert_rounds(&formats[f], (at[k] + 1) | sign << 31);
                    if (at[k] > 0)
                        assert_rounds(&formats[f], (at[k] - 1) | sign << 31);
                }
        }
}

static void test_known_values(void **state)
{
    /* 2^-24 is the smallest half, 65504 the largest, and from 65520 on it is infinite. */
    static const struct {
        float from;
        unsigned half, bfloat;
    } known[] = {
        {0.0f, 0, 0},
        {-0.0f, 0x8000, 0x8000},
        {1.0f, 0x3c00, 0x3f80},
        {-2.0f, 0xc000, 0xc000},
        {65504.0f, 0x7bff, 0x4780},
        {65519.99609375f, 0x7bff, 0x4780},
        {65520.0f, 0x7c00, 0x4780},
        {5.9604644775390625e-8f, 0x0001, 0x3380},
        {2.98023223876953125e-8f, 0x0000, 0x3300},
        {2.98023259404e-8f, 0x0001, 0x3300},
        {6.103515625e-5f, 0x0400, 0x3880},
        {1.00390625f, 0x3c04, 0x3f80},
        {1.01171875f, 0x3c0c, 0x3f82},
        {FLT_MAX, 0x7c00, 0x7f80},
        {-FLT_MAX, 0xfc00, 0xff80},
        {FLT_MIN, 0, 0x0080},
    };

    (void)state;
    for (size_t k = 0; k < COUNT_OF(known); k++) {
        assert_int_equal(to_half(bits_of(known[k].from)), known[k].half);
        assert_int_equal(to_bfloat16(bits_of(known[k].from)), known[k].bfloat);
    }
}

/* Quiet and signalling NaNs with any sign and payload become the same NaN. */
static void test_nans(void **state)
{
    (void)state;
    for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned bit = 0; bit < 23; bit++)
            for (unsigned other = 0; other < 23; other++) {
                const unsigned nan = sign << 31 | 0x7f800000 | 1u << bit | 1u << other;

                assert_int_equal(to_half(nan), 0x7fff);
                assert_int_equal(to_bfloat16(nan), 0x7fff);
            }
}

/* Over the whole range of float. */
static void test_a_stride_of_floats(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++)
        for (unsigned long long bits = 0; bits <= 0xffffffff; bits += 16411)
            assert_rounds(&formats[f], (unsigned)bits);
}

/* ---- the device ---- */

KERNEL(unpack_patterns)(unsigned *halves, unsigned *bfloats)
{
    GRID_STRIDE_LOOP(i, PATTERNS) {
        const float h = half_to_float(half_from_bits((unsigned short)i));
        const float b = bfloat16_to_float(bfloat16_from_bits((unsigned short)i));
        memcpy(&halves[i], &h, sizeof h);
        memcpy(&bfloats[i], &b, sizeof b);
    }
}

static void test_the_device_unpacks_the_same(void **state)
{
    static unsigned out[2][PATTERNS];
    unsigned *device[2];

    (void)state;
    NEEDS_DEVICE();
    for (int f = 0; f < 2; f++)
        device[f] = (unsigned *)device_from(NULL, sizeof out[f]);
    assert_ok(KERNEL_LAUNCH(unpack_patterns, 64, 256, 0, 0, device[0], device[1]));
    for (int f = 0; f < 2; f++) {
        assert_ok(portable_copy_to_host(out[f], device[f], sizeof out[f]));
        for (unsigned bits = 0; bits < PATTERNS; bits++)
            if (out[f][bits] != formats[f].to_float(bits))
                fail_msg("%s 0x%04x is 0x%08x on the device and 0x%08x on the host",
                         formats[f].name, bits, out[f][bits], formats[f].to_float(bits));
    }
}

KERNEL(pack_floats)(int n, const float *floats, half *halves, bfloat16 *bfloats)
{
    GRID_STRIDE_LOOP(i, n) {
        halves[i] = float_to_half(floats[i]);
        bfloats[i] = float_to_bfloat16(floats[i]);
    }
}

/* Floats whose upper 16 bits are any pattern, and whose lower bits are at ties and next to them. */
static void test_the_device_packs_the_same(void **state)
{
    static const unsigned lows[] = {0,      1,      0x0fff, 0x1000, 0x1001,
                                    0x3000, 0x7fff, 0x8000, 0x8001, 0xffff};
    enum { LOWS = COUNT_OF(lows) };
    static unsigned floats[PATTERNS * LOWS];
    static unsigned short out[2][PATTERNS * LOWS];
    void *from, *device[2];

    (void)state;
    NEEDS_DEVICE();
    for (unsigned k = 0; k < PATTERNS * LOWS; k++)
        floats[k] = k / LOWS << 16 | lows[k % LOWS];
    from = device_from(floats, sizeof floats);
    for (int f = 0; f < 2; f++)
        device[f] = device_from(NULL, sizeof out[f]);
    assert_ok(KERNEL_LAUNCH(pack_floats, 64, 256, 0, 0, (int)(PATTERNS * LOWS), (float *)from,
                            (half *)device[0], (bfloat16 *)device[1]));
    for (int f = 0; f < 2; f++) {
        assert_ok(portable_copy_to_host(out[f], device[f], sizeof out[f]));
        for (unsigned k = 0; k < PATTERNS * LOWS; k++)
            if (out[f][k] != formats[f].from_float(floats[k]))
                fail_msg("float_to_%s(0x%08x) is 0x%04x on the device and 0x%04x on the host",
                         formats[f].name, floats[k], out[f][k], formats[f].from_float(floats[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_sizes),
        TEST(test_every_pattern),
        TEST(test_every_tie),
        TEST(test_known_values),
        TEST(test_nans),
        TEST(test_a_stride_of_floats),
        TEST(test_the_device_unpacks_the_same),
        TEST(test_the_device_packs_the_same),
    };

    return cmocka_run_group_tests_name("half/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
