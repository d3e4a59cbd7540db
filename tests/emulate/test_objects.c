/* SPDX-License-Identifier: BSD-3-Clause */
/* The emulate target finds the program's objects by their symbols: SHARED and CONSTANT ones, other
 * variables, and callers of portable.h's functions. */
#include "host/emulate/check.h"
#include "tests/target/test.h"

CONSTANT(int, weights, [5]);
CONSTANT(double, scale, );
static int plain[7] = {1, 2, 3, 4, 5, 6, 7};
static char *tile_of[2], *pairs_at;
/* Names of static variables in functions, as compilers form them. */
static int named_by_gcc __asm__("value.12") = 1, named_by_clang __asm__("function.value") = 2;
static int named_by_clang_again __asm__("function.value.3") = 3;

struct pair {
    short first, second;
};

KERNEL(first_kernel)(int *out)
{
    SHARED(int, tile, [33]);
    SHARED(struct pair, pairs, [3]);

    tile[threadIdx.x] = (int)threadIdx.x;
    pairs[threadIdx.x % 3].first = 2;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x] + pairs[0].first + weights[0] + (int)scale;
    tile_of[0] = (char *)tile;
    pairs_at = (char *)pairs;
}

/* An object with the same name and another size. */
KERNEL(second_kernel)(int *out)
{
    SHARED(char, tile, [10]);

    tile[threadIdx.x] = (char)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
    tile_of[1] = tile;
}

static void assert_object(int found, const struct emulate_object *object, const char *name,
                          const void *address, size_t bytes)
{
    assert_true(found);
    assert_string_equal(object->name, name);
    assert_ptr_equal(object->address, address);
    assert_int_equal(object->bytes, bytes);
}

static void objects_of_sections(void **state)
{
    int *const device = (int *)device_from(NULL, 64 * sizeof(int));
    struct emulate_object object;
    const struct emulate_range *ranges;
    char *begin, *end, *last = NULL;
    size_t count = 0, names[4] = {0};

    (void)state;
    assert_ok(KERNEL_LAUNCH(first_kernel, 1, 32, 0, 0, device));
    assert_ok(KERNEL_LAUNCH(second_kernel, 1, 10, 0, 0, device));
    assert_int_equal(emulate_ranges(EMULATE_SHARED, &ranges), 1);
    begin = ranges[0].begin;
    end = ranges[0].end;
    assert_true(begin < end);
    for (int k = 0; k < 2; k++) {
        const size_t bytes = k == 0 ? 33 * sizeof(int) : 10;

        assert_true(tile_of[k] >= begin && tile_of[k] + bytes <= end);
        for (size_t at = 0; at < bytes; at++)
            assert_object(emulate_object_at(EMULATE_SHARED, tile_of[k] + at, &object), &object,
                          "tile", tile_of[k], bytes);
    }
    assert_object(emulate_object_at(EMULATE_SHARED, pairs_at, &object), &object, "pairs", pairs_at,
                  3 * sizeof(struct pair));
    for (; emulate_object(EMULATE_SHARED, count, &object); count++) {
        assert_true(object.address >= begin && object.address + object.bytes <= end);
        assert_true(object.address > last);
        last = object.address;
        names[strcmp(object.name, "tile") == 0 ? 0 : strcmp(object.name, "pairs") == 0 ? 1 : 2]++;
    }
    assert_int_equal(names[0], 2);
    assert_int_equal(names[1], 1);
    assert_int_equal(names[2], 0);
    /* Between objects there is no object. */
    for (char *at = begin; at < end; at++)
        if (emulate_object_at(EMULATE_SHARED, at, &object))
            assert_true(at >= object.address && at < object.address + object.bytes);
        else
            assert_true(at < tile_of[0] || at >= tile_of[0] + 33 * sizeof(int));
    assert_false(emulate_object_at(EMULATE_SHARED, tile_of[1] + 10, &object) &&
                 object.address == tile_of[1]);
    assert_false(emulate_object_at(EMULATE_SHARED, weights, &object));

    assert_int_equal(emulate_ranges(EMULATE_CONSTANT, &ranges), 1);
    assert_true((char *)&weights >= ranges[0].begin && (char *)&scale < ranges[0].end);
    assert_object(emulate_object_at(EMULATE_CONSTANT, (char *)&weights + 19, &object), &object,
                  "weights", &weights, 20);
    assert_object(emulate_object_at(EMULATE_CONSTANT, &scale, &object), &object, "scale", &scale,
                  sizeof(double));
    assert_false(emulate_object_at(EMULATE_CONSTANT, tile_of[0], &object));
}

static void objects_of_no_section(void **state)
{
    struct emulate_object object;
    int local = 0;

    (void)state;
    assert_object(emulate_variable_at(plain, &object), &object, "plain", plain, sizeof plain);
    assert_object(emulate_variable_at((char *)plain + sizeof plain - 1, &object), &object, "plain",
                  plain, sizeof plain);
    assert_false(emulate_variable_at((char *)plain + sizeof plain, &object) &&
                 object.address == (char *)plain);
    assert_object(emulate_variable_at(&named_by_gcc, &object), &object, "value", &named_by_gcc, 4);
    assert_object(emulate_variable_at(&named_by_clang, &object), &object, "value", &named_by_clang,
                  4);
    assert_object(emulate_variable_at(&named_by_clang_again, &object), &object, "value",
                  &named_by_clang_again, 4);
    assert_false(emulate_variable_at(&local, &object));
    assert_false(emulate_variable_at(tile_of[0], &object));
    assert_false(emulate_variable_at(NULL, &object));
}

/* Functions with the names of portable.h's and the scheduler's are skipped. */
__attribute__((noinline)) const void *emulate_asks(void);
__attribute__((noinline)) const void *emulate_asks(void)
{
    const void *volatile const caller = emulate_caller(NULL);

    return caller;
}
__attribute__((noinline)) const void *portable_asks(void);
__attribute__((noinline)) const void *portable_asks(void)
{
    const void *volatile const caller = emulate_asks();

    return caller;
}
__attribute__((noinline)) const void *user_asks(void);
__attribute__((noinline)) const void *user_asks(void)
{
    const void *volatile const caller = portable_asks();

    return caller;
}

static void the_caller_is_the_users(void **state)
{
    const char *const caller = (const char *)user_asks();
    const char *const function = (const char *)(uintptr_t)user_asks;

    (void)state;
#if defined(__GLIBC__)
    assert_true(caller > function && caller < function + 128);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(objects_of_sections),
        TEST(objects_of_no_section),
        TEST(the_caller_is_the_users),
    };

    return cmocka_run_group_tests_name("objects", tests, NULL, NULL);
}
