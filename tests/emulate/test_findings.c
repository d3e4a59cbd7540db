/* SPDX-License-Identifier: BSD-3-Clause */
/* How a check sums up, and the program's exit status: each case in its own process. */
#define _GNU_SOURCE /* fork, pipe */
#include "host/emulate/check.h"
#include "host/checks/findings.h"

#include <setjmp.h> /* cmocka.h needs these four */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>    /* snprintf */
#include <string.h>   /* strchr */
#include <sys/wait.h> /* waitpid */
#include <unistd.h>   /* fork, pipe, read */

struct emulate_state emulate;
__thread struct emulate_fault emulate_fault;
__thread int emulate_running;
struct emulate_uses emulate_uses;
char *emulate_file(const void *address, char *text, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", text, size - 1);

    (void)address;
    text[length > 0 ? length : 0] = '\0';
    return text;
}

/* A program as a string: a letter is a launch of the kernel with that name, an upper-case one a
 * finding in it, and ! one in host code. */
static void act(const char *what)
{
    for (; *what; what++) {
        const char kernel[2] = {(char)(*what | 0x20), '\0'};
        const struct finding finding = {.kind = FINDING_RACE,
                                        .kernel = *what == '!' ? NULL : kernel};

        if (*what == '!')
            findings_add(&finding, "wrong %d", 1);
        else if (*what >= 'a')
            findings_launch(kernel);
        else
            findings_add(&finding, "wrong %d", 2);
    }
}

static void assert_ends(const char *what, int status, int expected_status, const char *expected)
{
    char said[1024];
    size_t length = 0;
    ssize_t got;
    int ends[2], ended;

    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        findings_open("tool", "fault", "faults");
        act(what);
        exit(status);
    }
    close(ends[1]);
    while ((got = read(ends[0], said + length, sizeof said - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    waitpid(child, &ended, 0);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), expected_status);
    assert_string_equal(said, expected);
}

static void findings_are_summed_up(void **state)
{
    (void)state;
    assert_ends("", 0, 0, "tool: no faults, and no kernel was launched\n");
    assert_ends("a", 0, 0, "tool: no faults in 1 kernel\n");
    assert_ends("aabab", 0, 0, "tool: no faults in 2 kernels\n");
    assert_ends("ab", 5, 5, "tool: no faults in 2 kernels\n");
    assert_ends("aA", 0, 1, "tool: wrong 2\ntool: 1 fault in 1 kernel\n");
    assert_ends("abAA", 0, 1, "tool: wrong 2\ntool: wrong 2\ntool: 2 faults in 1 kernel\n");
    assert_ends("abAB", 0, 1, "tool: wrong 2\ntool: wrong 2\ntool: 2 faults in 2 kernels\n");
    assert_ends("abA", 7, 7, "tool: wrong 2\ntool: 1 fault in 1 kernel\n");
    assert_ends("a!", 0, 1, "tool: wrong 1\ntool: 1 fault in host code\n");
    assert_ends("a!A", 0, 1,
                "tool: wrong 1\ntool: wrong 2\ntool: 2 faults in 1 kernel and host code\n");
    setenv("ORDER", "shuffle:3", 1);
    assert_ends("aA", 0, 1,
                "tool: wrong 2\ntool: 1 fault in 1 kernel (to replay: ORDER=shuffle:3)\n");
    unsetenv("ORDER");
}

/* MPI's variables, of one rank alone too. */
static void a_rank_is_named(void **state)
{
    (void)state;
    setenv("OMPI_COMM_WORLD_RANK", "1", 1);
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    assert_ends("aA", 0, 1, "tool: rank 1 of 4: wrong 2\ntool: rank 1 of 4: 1 fault in 1 kernel\n");
    assert_ends("a", 0, 0, "tool: rank 1 of 4: no faults in 1 kernel\n");
    assert_ends("", 0, 0, "tool: rank 1 of 4: no faults, and no kernel was launched\n");
    setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    assert_ends("a", 0, 0, "tool: no faults in 1 kernel\n");
    unsetenv("OMPI_COMM_WORLD_SIZE");
    assert_ends("a", 0, 0, "tool: no faults in 1 kernel\n");
    unsetenv("OMPI_COMM_WORLD_RANK");
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "2", 1);
    assert_ends("a", 0, 0, "tool: rank 0 of 2: no faults in 1 kernel\n");
    unsetenv("PMI_RANK");
    unsetenv("PMI_SIZE");
}

static void an_address_of_no_program_has_no_line(void **state)
{
    (void)state;
    assert_string_equal(findings_line(NULL), "an unknown line");
    assert_string_equal(findings_line((const void *)(uintptr_t)16), "an unknown line");
}

static __attribute__((noinline)) const void *return_address(void)
{
    __asm__ volatile(""); /* a call like any other */
    return __builtin_return_address(0);
}

/* The line of the call itself, whichever was looked up first. */
static void a_return_address_has_the_line_of_its_call(void **state)
{
    const void *volatile of[3];
    char expected[sizeof __FILE__ + 16];
    const int first = __LINE__ + 1;
    of[0] = return_address();
    of[1] = return_address();
    of[2] = return_address();

    (void)state;
    for (int i = 3; i-- > 0;) {
        snprintf(expected, sizeof expected, "%s:%d", __FILE__, first + i);
        assert_string_equal(findings_line(of[i]), expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_return_address_has_the_line_of_its_call),
        cmocka_unit_test(findings_are_summed_up),
        cmocka_unit_test(a_rank_is_named),
        cmocka_unit_test(an_address_of_no_program_has_no_line),
    };

    findings_open("findings", "finding", "findings");
    return cmocka_run_group_tests_name("findings", tests, NULL, NULL);
}
