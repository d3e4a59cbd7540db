/* SPDX-License-Identifier: BSD-3-Clause */
/* A case's expected values and bounds, the thread that wrote a result, and rows of tables. */
#define _POSIX_C_SOURCE 200809L
#include "host/case.h"

#include <math.h>   /* fabs, INFINITY */
#include <setjmp.h> /* cmocka.h needs it */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>    /* freopen */
#include <signal.h>   /* SIGABRT */
#include <string.h>   /* memset, strchr, strlen, strncmp */
#include <sys/wait.h> /* waitpid */
#include <unistd.h>   /* fork */

#include <cmocka.h>

static const struct gallery_case one = {.family = "family", .name = "one"};

static struct run run_of_one(size_t count, enum owner owner)
{
    struct run run;

    memset(&run, 0, sizeof run);
    run.test_case = &one;
    run.n = (int)count;
    run.block = DIM3(32, 1, 1);
    run.grid = DIM3(3, 1, 1);
    assert_non_null(run_output_real(&run, "y", count, owner));
    return run;
}

/* k u / (1 - k u), with 8 sqrt(k) in place of k from 64 on; twice that if the reference rounds as
 * coarsely. */
static void test_roundings(void **state)
{
    const double u = (double)REAL_EPSILON / 2, sides = sizeof(REAL) == sizeof(double) ? 2 : 1;
    const struct {
        double k, chain;
    } cases[] = {{0, 0}, {1, 1}, {10, 10}, {63, 63}, {64, 64}, {100, 80}, {10000, 800}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double expected = sides * cases[i].chain * u / (1 - cases[i].chain * u);

        assert_true(fabs(run_roundings(cases[i].k) - expected) <= 1e-12 * expected);
    }
}

static void test_expectations(void **state)
{
    struct run run = run_of_one(4, OWNER_ELEMENT);

    (void)state;
    for (size_t k = 0; k < 4; k++)
        run_expect(&run, "y", k, 10.0 + (double)k, 0.5 * (double)k);
    for (size_t k = 0; k < 4; k++) {
        assert_true(run.arrays[0].expected[k] == 10.0 + (double)k);
        assert_true(run.arrays[0].bound[k] == 0.5 * (double)k);
    }
    assert_int_equal(run.arrays[0].elsewhere, 0);
    run_expect_elsewhere(&run, "y");
    assert_int_equal(run.arrays[0].elsewhere, 1);
    run_release(&run);
}

/* A meaningless bound, or an unknown element or array, is a mistake in a case: the run fails. */
static void test_mistakes(void **state)
{
    const struct {
        const char *name;
        size_t index;
        double bound;
        const char *sentence; /* but for the line */
    } mistakes[] = {
        {"y", 0, INFINITY, "case one, n = 4: element 0 of y has the bound inf, which says nothing"},
        {"y", 0, -1, "case one, n = 4: element 0 of y has the bound -1, which says nothing"},
        {"y", 4, 0, "case one, n = 4: element 4 of y is beyond its end, 4"},
        {"z", 0, 0, "case one has no array z; it has y"}};

    (void)state;
    for (size_t k = 0; k < sizeof mistakes / sizeof mistakes[0]; k++) {
        struct run run = run_of_one(4, OWNER_ELEMENT);
        struct io_error error;

        run_expect(&run, mistakes[k].name, mistakes[k].index, 0, mistakes[k].bound);
        for (int times = 0; times < 2; times++) {
            assert_int_equal(run_ready(&run, &error), IO_BAD);
            assert_true(strncmp(error.text, __FILE__ ":", strlen(__FILE__ ":")) == 0);
            assert_string_equal(strchr(error.text, ' ') + 1, mistakes[k].sentence);
            run_expect(&run, "y", 0, 0, 0); /* too late */
        }
        run_release(&run);
    }
}

/* The functions behind the macros, which a case may pass on. */
static void test_pointers(void **state)
{
    void *(*const copies[])(const struct run *run, const char *name) = {run_device, run_host};
    void (*const expect)(struct run * run, const char *name, size_t index, double value,
                         double bound) = run_expect;
    struct run run = run_of_one(4, OWNER_ELEMENT);
    struct io_error error;

    (void)state;
    assert_ptr_equal(copies[0](&run, "y"), run.arrays[0].device);
    assert_ptr_equal(copies[1](&run, "y"), run.arrays[0].host.data);
    expect(&run, "y", 4, 0, 0);
    assert_int_equal(run_ready(&run, &error), IO_BAD);
    assert_string_equal(error.text, "case one, n = 4: element 4 of y is beyond its end, 4");
    run_release(&run);
}

static void take_unknown(struct run *run)
{
    (void)run_device(run, "z");
}

static void take_other_type(struct run *run)
{
    HOST_WORDS("y")[0] = 1;
}

static void make_two_of_a_name(struct run *run)
{
    run_input_real(run, "y", 1);
}

/* Where the case would go on with a pointer to nothing, the program ends. */
static void test_ends(void **state)
{
    void (*const mistakes[])(struct run * run) = {take_unknown, take_other_type,
                                                  make_two_of_a_name};

    (void)state;
    for (size_t k = 0; k < sizeof mistakes / sizeof mistakes[0]; k++) {
        const pid_t child = fork();
        int status;

        assert_true(child >= 0);
        if (child == 0) {
            struct run run = run_of_one(4, OWNER_ELEMENT);

            if (freopen("/dev/null", "w", stderr))
                mistakes[k](&run);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
}

/* The thread that writes element 200, of three blocks of 32. */
static void test_owners(void **state)
{
    static const struct {
        enum owner owner;
        size_t index;
        const char *text;
    } cases[] = {{OWNER_NONE, 200, ""},
                 {OWNER_ELEMENT, 70, "block (2, 0, 0) thread (6, 0, 0)"},
                 {OWNER_ELEMENT, 200, "block (0, 0, 0) thread (8, 0, 0)"},
                 {OWNER_BLOCK, 2, "block (2, 0, 0) thread (0, 0, 0)"},
                 {OWNER_WARP, 2, "block (2, 0, 0) thread (0, 0, 0)"}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct run run = run_of_one(256, cases[k].owner);
        char text[96];

        run_owner_text(&run, &run.arrays[0], cases[k].index, text, sizeof text);
        assert_string_equal(text, cases[k].text);
        run_release(&run);
    }
}

/* ---- rows of tables ---- */

static int prepare(struct run *run, struct io_error *error)
{
    return run_ready(run, error);
}

static portable_status launch(struct run *run)
{
    (void)run;
    return PORTABLE_SUCCESS;
}

/* A row that is as it should be. */
static struct gallery_case good_row(void)
{
    struct gallery_case row = {.family = "family",
                               .name = "row",
                               .summary = "",
                               .takes = CASE_LINES,
                               .timing_n = 1,
                               .prepare = prepare,
                               .launch = launch};

    return row;
}

static void expect_block(const struct gallery_case *test_case, int k, unsigned x, unsigned y,
                         unsigned z)
{
    const dim3 block = case_block(test_case, k);

    assert_true(block.x == x && block.y == y && block.z == z);
}

static void test_fields_left_out(void **state)
{
    struct gallery_case row = good_row();
    struct io_error error;

    (void)state;
    assert_int_equal(case_check(&row, &error), 0);
    assert_int_equal(row.policy.kind, POLICY_EXACT);
    assert_int_equal(row.counts, CASE_ELEMENTS);
    assert_int_equal(case_block_count(&row), 4);
    expect_block(&row, 0, 256, 1, 1);
    expect_block(&row, 3, 999, 1, 1);
    assert_int_equal(case_size_count(&row), 7);
    assert_int_equal(case_size(&row, 0), 0);
    assert_int_equal(case_size(&row, 6), 65537);
    assert_int_equal(case_timing_size(&row), 1);
    for (int takes = CASE_LINES; takes <= CASE_ANY_BLOCK; takes++) {
        row.takes = (enum case_takes)takes;
        assert_int_equal(case_check(&row, &error), 0);
        for (int k = 0; k < case_block_count(&row); k++)
            assert_int_equal(case_takes_block(&row, case_block(&row, k), &error), 0);
    }
}

/* Lists that are full, and lists of one. */
static void test_lists(void **state)
{
    struct gallery_case row = good_row();
    struct io_error error;

    (void)state;
    for (int k = 0; k < CASE_SIZES; k++)
        row.sizes[k] = k + 1;
    for (int k = 0; k < CASE_BLOCKS; k++)
        row.blocks[k][0] = 32 * (unsigned)(k + 1);
    row.timing_n = 100;
    assert_int_equal(case_check(&row, &error), 0);
    assert_int_equal(case_size_count(&row), CASE_SIZES);
    assert_int_equal(case_size(&row, CASE_SIZES - 1), CASE_SIZES);
    assert_int_equal(case_block_count(&row), CASE_BLOCKS);
    expect_block(&row, CASE_BLOCKS - 1, 32 * CASE_BLOCKS, 1, 1);

    row = good_row();
    row.takes = CASE_LISTED_BLOCKS;
    row.blocks[0][0] = row.blocks[0][1] = 16;
    row.sizes[0] = 5;
    row.timing_n = 5;
    assert_int_equal(case_check(&row, &error), 0);
    assert_int_equal(case_block_count(&row), 1);
    assert_int_equal(case_size_count(&row), 1);
    assert_int_equal(case_takes_block(&row, DIM3(16, 16, 1), &error), 0);
    assert_int_equal(case_takes_block(&row, DIM3(256, 1, 1), &error), IO_BAD);
    assert_string_equal(error.text, "case row does not take block 256; use 16x16");

    row = good_row();
    row.sizes[1] = 7;
    assert_int_equal(case_check(&row, &error), 0);
    assert_int_equal(case_size_count(&row), 2);
    assert_int_equal(case_size(&row, 1), 7);
}

static void expect_bad_row(const struct gallery_case *row, const char *sentence)
{
    struct io_error error;

    assert_int_equal(case_check(row, &error), IO_BAD);
    assert_string_equal(error.text, sentence);
}

/* A row that makes no sense is an error of one sentence. */
static void test_bad_rows(void **state)
{
    struct gallery_case row = good_row();

    (void)state;
    row.name = NULL;
    expect_bad_row(&row, "a case of family family has no .name");
    row = good_row();
    row.family = NULL;
    expect_bad_row(&row, "case row has no .family");
    row = good_row();
    row.summary = NULL;
    expect_bad_row(&row, "case row has no .summary");
    row = good_row();
    row.prepare = NULL;
    expect_bad_row(&row, "case row has no .prepare");
    row = good_row();
    row.launch = NULL;
    expect_bad_row(&row, "case row has no .launch");
    row = good_row();
    row.policy = policy_absrel(1, 0, "");
    expect_bad_row(&row, "case row: .policy has no reason for its tolerance");
    row = good_row();
    row.takes = CASE_LISTED_BLOCKS;
    expect_bad_row(&row, "case row has neither .takes nor .blocks: set one of them");
    row = good_row();
    row.blocks[0][0] = 256;
    row.blocks[2][0] = 32;
    expect_bad_row(&row,
                   "case row: .blocks has {32, 0, 0}, which is empty or follows an empty one");
    row = good_row();
    row.blocks[0][1] = 8;
    expect_bad_row(&row, "case row: .blocks has {0, 8, 0}, which is empty or follows an empty one");
    row = good_row();
    row.blocks[0][0] = row.blocks[0][1] = 8;
    expect_bad_row(&row, "case row: .blocks has 8x8, and .takes means one dimension");
    row = good_row();
    row.sizes[0] = 33;
    row.sizes[1] = 1;
    expect_bad_row(&row, "case row: .sizes has 1 after 33: sizes must rise from 0 or more");
    row = good_row();
    row.sizes[0] = 1;
    row.sizes[1] = -1;
    expect_bad_row(&row, "case row: .sizes has -1 after 1: sizes must rise from 0 or more");
    row = good_row();
    row.timing_n = 0;
    expect_bad_row(&row, "case row: .timing_n is 0: set a size to time, of 1 at least");
    row = good_row();
    row.sizes[0] = 32;
    expect_bad_row(&row, "case row: .timing_n is 1: set a size to time, of 32 at least");
}

/* Last, because rows stay registered. */
static void test_two_of_one_name(void **state)
{
    static struct gallery_case rows[2];
    struct io_error error;

    (void)state;
    rows[0] = rows[1] = good_row();
    rows[1].name = "other";
    case_register(rows, 2);
    assert_int_equal(case_check_all(&error), 0);
    rows[1].name = "row";
    assert_int_equal(case_check_all(&error), IO_BAD);
    assert_string_equal(error.text, "two cases have the name row");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roundings),       cmocka_unit_test(test_expectations),
        cmocka_unit_test(test_mistakes),        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_pointers),        cmocka_unit_test(test_owners),
        cmocka_unit_test(test_fields_left_out), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_bad_rows),        cmocka_unit_test(test_two_of_one_name),
    };

    return cmocka_run_group_tests_name("case", tests, NULL, NULL) != 0;
}
