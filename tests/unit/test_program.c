/* SPDX-License-Identifier: BSD-3-Clause */
/* host/program.h: exit statuses and output of small programs, each in a child process. */
#define _POSIX_C_SOURCE 200809L
#include "host/program.h"

#include <math.h>   /* isnan, NAN */
#include <stdlib.h> /* exit */
#include <string.h> /* strlen */
#include <sys/wait.h>
#include <unistd.h> /* dup2, fork, pipe, read */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

/* A program that checks N numbers, of which the first is wrong if --wrong. */
static int program(int argc, char **argv)
{
    struct io_error error;
    int n = 2, is_wrong = 0;
    const struct options_entry entries[] = {
        options_whole("--n N", &n, 0, 10, "numbers"),
        options_flag("--wrong", &is_wrong, "makes a mistake"),
    };

    program_begin("waves", "Waves.", entries, 2, argc, argv);
    if (n == 10)
        program_fail("%d numbers are too many", n);
    program_check(n == 9 ? io_fail(&error, "nine numbers are odd") : 0, &error);
    int *const host = (int *)program_host((size_t)n, sizeof *host);
    for (int k = 0; k < n; k++)
        host[k] += k;
    const int *const copy = (const int *)program_upload(host, (size_t)n * sizeof *host);
    const int *const zeros = (const int *)program_device((size_t)n, sizeof *zeros);
    for (int k = 0; k < n; k++) /* on serial, the host can read them */
        verify(copy[k] == k && zeros[k] == 0 && !(is_wrong && k == 0), "number %d", k);
    return program_end("%d numbers", n);
}

/* Runs it and returns its exit status, with all that it printed in `text`. */
static int status_of(char *text, size_t room, int argc, const char *const *argv)
{
    int ends[2], status = 0;
    size_t size = 0;
    ssize_t got;

    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        exit(program(argc, (char **)argv));
    }
    assert_true(child > 0);
    close(ends[1]);
    while ((got = read(ends[0], text + size, room - 1 - size)) > 0)
        size += (size_t)got;
    text[size] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_programs(void **state)
{
    static const struct {
        int argc;
        const char *argv[4];
        int status;
        const char *text;
    } runs[] = {
        {1, {"waves"}, 0, "  ok: number 0\n  ok: number 1\nwaves: verified: 2 numbers\n"},
        {2,
         {"waves", "--wrong"},
         1,
         "  WRONG: number 0\n  ok: number 1\nwaves: FAILED: 1 of 2 checks\n"},
        {3, {"waves", "--n", "0"}, 1, "waves: FAILED: 0 of 0 checks\n"},
        {3, {"waves", "--n", "10"}, 2, "waves: 10 numbers are too many\n"},
        {3, {"waves", "--n", "9"}, 2, "waves: nine numbers are odd\n"},
        {3,
         {"waves", "--n", "11"},
         2,
         "waves: --n takes an integer from 0 to 10, not 11; see waves --help\n"},
        {4,
         {"waves", "--n", "5", "--help"},
         0,
         "usage: waves [--n N] [--wrong]\n\nWaves.\n\n  --n N    numbers (0 to 10, default 2)\n"
         "  --wrong  makes a mistake\n"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        char text[1000];

        assert_int_equal(status_of(text, sizeof text, runs[k].argc, runs[k].argv), runs[k].status);
        assert_string_equal(text, runs[k].text);
    }
}

/* The first numbers from the seed 1234567, by S. Vigna's program. */
static void test_splitmix64(void **state)
{
    const unsigned long long expected[] = {6457827717110365317u, 3203168211198807973u,
                                           9817491932198370423u, 4593380528125082431u,
                                           16408922859458223821u};
    unsigned long long seed = 1234567;

    (void)state;
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++)
        assert_true(splitmix64(&seed) == expected[k]);
}

static void test_larger_error(void **state)
{
    (void)state;
    assert_true(larger_error(1, 2) == 2 && larger_error(2, 1) == 2);
    assert_true(isnan(larger_error(larger_error(0, NAN), 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs),
                                       cmocka_unit_test(test_splitmix64),
                                       cmocka_unit_test(test_larger_error)};

    return cmocka_run_group_tests_name("program", tests, NULL, NULL) != 0;
}
