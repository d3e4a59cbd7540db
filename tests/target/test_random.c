/* SPDX-License-Identifier: BSD-3-Clause */
/* Random123's published answers, in kernels and in host code, and the exact uniform numbers. */
#include "kernels/random.c" /* before cmocka.h, which makes a macro of the word fail */

#include "test.h"

/* From Random123's kat_vectors, "philox4x32 10": counter, key, answer. The last is digits of pi. */
static const struct known {
    uint32_t counter[4], key[2], answer[4];
} known[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

KERNEL(philox)(int n, const philox4x32_ctr_t *counters, const philox4x32_key_t *keys,
               philox4x32_ctr_t *answers)
{
    GRID_STRIDE_LOOP(i, n)
        answers[i] = philox4x32(counters[i], keys[i]);
}

KERNEL(units)(int n, const unsigned *words, REAL *numbers)
{
    GRID_STRIDE_LOOP(i, n)
        numbers[i] = random_unit(words[i]);
}

static void test_host_gives_the_published_answers(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(known); k++) {
        philox4x32_ctr_t counter, answer;
        philox4x32_key_t key;

        memcpy(counter.v, known[k].counter, sizeof counter);
        memcpy(key.v, known[k].key, sizeof key);
        answer = philox4x32(counter, key);
        assert_memory_equal(answer.v, known[k].answer, sizeof answer);
    }
    /* The first word of stream 0 under seed 0. */
    assert_int_equal(random_words(0, 0, 0).v[0], 0x6627e8d5);
}

static void test_kernel_gives_the_published_answers(void **state)
{
    philox4x32_ctr_t counters[COUNT_OF(known)], answers[COUNT_OF(known)];
    philox4x32_key_t keys[COUNT_OF(known)];
    void *device_counters, *device_keys, *device_answers;

    (void)state;
    NEEDS_DEVICE();
    for (size_t k = 0; k < COUNT_OF(known); k++) {
        memcpy(counters[k].v, known[k].counter, sizeof counters[k]);
        memcpy(keys[k].v, known[k].key, sizeof keys[k]);
    }
    device_counters = device_from(counters, sizeof counters);
    device_keys = device_from(keys, sizeof keys);
    device_answers = device_from(NULL, sizeof answers);
    assert_ok(KERNEL_LAUNCH(
        philox, 1, 32, 0, 0, (int)COUNT_OF(known), (const philox4x32_ctr_t *)device_counters,
        (const philox4x32_key_t *)device_keys, (philox4x32_ctr_t *)device_answers));
    assert_ok(portable_copy_to_host(answers, device_answers, sizeof answers));
    for (size_t k = 0; k < COUNT_OF(known); k++)
        assert_memory_equal(answers[k].v, known[k].answer, sizeof answers[k]);
}

/* [0, 1) ends before 1, and words that differ in the used bits give different numbers. */
static void test_units_are_exact(void **state)
{
    static const unsigned words[] = {0, 1, 0xff, 0x100, 0x1ff, 0x80000000, 0xfffffeff, 0xffffffff};
    const int lost = sizeof(REAL) == sizeof(float) ? 8 : 0;
    const double unit = 1.0 / (lost ? 16777216.0 : 4294967296.0);
    REAL numbers[COUNT_OF(words)];
    unsigned *device_words;
    REAL *device_numbers;

    (void)state;
    NEEDS_DEVICE();
    device_words = (unsigned *)device_from(words, sizeof words);
    device_numbers = (REAL *)device_from(NULL, sizeof numbers);
    assert_ok(KERNEL_LAUNCH(units, 1, 32, 0, 0, (int)COUNT_OF(words),
                            (const unsigned *)device_words, device_numbers));
    assert_ok(portable_copy_to_host(numbers, device_numbers, sizeof numbers));
    for (size_t k = 0; k < COUNT_OF(words); k++) {
        const double expected = (double)(words[k] >> lost) * unit;

        if (numbers[k] != (REAL)expected || random_unit(words[k]) != (REAL)expected ||
            (double)(REAL)expected != expected || expected >= 1)
            fail_msg("word %08x: %.17g in a kernel, %.17g in host code, expected %.17g", words[k],
                     (double)numbers[k], (double)random_unit(words[k]), expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_host_gives_the_published_answers),
        TEST(test_kernel_gives_the_published_answers),
        TEST(test_units_are_exact),
    };

    return cmocka_run_group_tests_name("random/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
