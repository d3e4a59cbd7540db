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
#include <signal.h>       /* raise */
#include <stdio.h>        /* snprintf */
#include <stdlib.h>       /* abort, free, malloc, _Exit */
#include <string.h>       /* strchr */
#include <sys/resource.h> /* setrlimit */
#include <sys/wait.h>     /* waitpid */
#include <unistd.h>       /* fork, pipe, read */

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

static int in_summary_of_death(void)
{
    raise(SIGSEGV);
    return 1;
}

/* The program ends, or comes to an end of its own. */
static void end(char how)
{
    static volatile size_t far = 16;

    switch (how) {
    case '_': _exit(0);
    case 'e': exit(0);
    case 'a': abort();
    case 's': raise(SIGSEGV); break;
    case 'b': raise(SIGBUS); break;
    case 'f': raise(SIGFPE); break;
    case 't': raise(SIGTERM); break;
    case 'i': raise(SIGINT); break;
    case 'k': raise(SIGKILL); break;
    case 'd': /* it dies again while its death is reported */
        findings_before_summary(in_summary_of_death);
        abort();
    case 'h': free((char *)malloc(64) + far); break; /* of a damaged heap */
    }
}

/* A program as a string: a letter is a launch of the kernel with that name, an upper-case one a
 * finding in it, and ! one in host code; after ? the kernel is not checked to its end; after . it
 * runs; > is followed by an end, and | by the end of a child. */
static void act(const char *what)
{
    for (; *what; what++) {
        char kernel[2] = {(char)(*what | 0x20), '\0'};
        struct finding finding = {.kind = FINDING_RACE, .kernel = *what == '!' ? NULL : kernel};
        int status;

        switch (*what) {
        case '!': findings_add(&finding, "wrong %d", 1); break;
        case '.': emulate.kernel = *++what == 'a' ? "a" : "b"; break;
        case '>': end(*++what); break;
        case '|':
            what++;
            if (fork() == 0)
                end(*what);
            wait(&status);
            fprintf(stderr, "child %d\n",
                    WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
            break;
        case '?':
            emulate.kernel = *++what == 'a' ? "a" : "b";
            findings_given_up("why");
            emulate.kernel = NULL;
            break;
        default:
            if (*what >= 'a')
                findings_launch(kernel);
            else
                findings_add(&finding, "wrong %d", 2);
        }
    }
}

static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE};

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
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++)
            signal(signals[k], SIG_DFL); /* cmocka has handlers of its own */
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
    assert_string_equal(said, expected);
    assert_int_equal(WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended),
                     expected_status);
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

#define NOT_CHECKED(name) "tool: kernel " #name " is not checked to its end: why\n"
#define DIES_IN(name, of)                                                                          \
    "tool: kernel " #name " is not checked to its end: " of                                        \
    "\ntool: no fault found, 1 kernel not checked to its end: " of "\n"

/* They are no findings, but the program fails. */
static void kernels_without_their_end_are_counted_apart(void **state)
{
    (void)state;
    assert_ends("a?a", 0, 1,
                NOT_CHECKED(a) "tool: no fault found, 1 kernel not checked to its end\n");
    assert_ends("ab?a", 3, 3,
                NOT_CHECKED(a) "tool: no fault found, 1 kernel not checked to its end\n");
    assert_ends("aa?a?a", 0, 1,
                NOT_CHECKED(a)
                    NOT_CHECKED(a) "tool: no fault found, 1 kernel not checked to its end\n");
    assert_ends("ab?a?b", 0, 1,
                NOT_CHECKED(a)
                    NOT_CHECKED(b) "tool: no fault found, 2 kernels not checked to their end\n");
    assert_ends("abBB?a", 0, 1,
                "tool: wrong 2\ntool: wrong 2\n" NOT_CHECKED(
                    a) "tool: 2 faults in 1 kernel, 1 kernel not checked to its end\n");
    setenv("PORTABLE_FINDINGS_LIMIT", "1", 1);
    assert_ends("abBB?a", 0, 1,
                "tool: wrong 2\ntool: 1 more fault left out by PORTABLE_FINDINGS_LIMIT=1\n"
                "tool: 2 faults in 1 kernel, 1 kernel not checked to its end\n");
    assert_ends("a?a?a", 0, 1,
                NOT_CHECKED(a) "tool: no fault found, 1 kernel not checked to its end\n");
    unsetenv("PORTABLE_FINDINGS_LIMIT");
}

/* No last line says that a program was clean to its end if it did not come there. */
static void a_death_is_in_the_last_line(void **state)
{
    static const char *const names[] = {"Aborted", "Segmentation fault", "Bus error",
                                        "Floating point exception"};
    static const char ends[] = "asbf";
    char what[8], expected[200];

    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        snprintf(what, sizeof what, "ab>%c", ends[k]);
        snprintf(expected, sizeof expected,
                 "tool: no fault found, the program not checked to its end: %s\n", names[k]);
        assert_ends(what, 0, 128 + signals[k], expected);
        snprintf(what, sizeof what, ">%c", ends[k]);
        assert_ends(what, 0, 128 + signals[k], expected);
        snprintf(what, sizeof what, "aA>%c", ends[k]);
        snprintf(
            expected, sizeof expected,
            "tool: wrong 2\ntool: 1 fault in 1 kernel, the program not checked to its end: %s\n",
            names[k]);
        assert_ends(what, 0, 128 + signals[k], expected);
    }
    assert_ends("ab.b>a", 0, 128 + SIGABRT, DIES_IN(b, "Aborted"));
    assert_ends("ab.b>s", 0, 128 + SIGSEGV, DIES_IN(b, "Segmentation fault"));
    assert_ends("ab?a>a", 0, 128 + SIGABRT,
                NOT_CHECKED(a) "tool: no fault found, 1 kernel not checked to its end, the program "
                               "not checked to its end: Aborted\n");
    /* Killed: by a signal that can be caught, and then also if no lock may be taken. */
    assert_ends("aA>t", 0, 128 + SIGTERM,
                "tool: wrong 2\ntool: 1 fault in 1 kernel, the program not checked to its end: "
                "Terminated\n");
    assert_ends("a.a>i", 0, 128 + SIGINT,
                "tool: no fault found, 1 kernel not checked to its end: Interrupt\n");
    assert_ends("aA>k", 0, 128 + SIGKILL, "tool: wrong 2\n");
    assert_ends(">t", 0, 128 + SIGTERM, "");
    assert_ends("a>d", 0, 128 + SIGABRT,
                "tool: no fault found, the program not checked to its end: Aborted\n");
    assert_ends("a>h", 0, 128 + SIGABRT,
                "free(): invalid pointer\n"
                "tool: no fault found, the program not checked to its end: Aborted\n");
}

static void an_exit_in_a_kernel_is_no_end_of_it(void **state)
{
    const char *const said =
        "tool: kernel a is not checked to its end: the program exits during it\n"
        "tool: no fault found, 1 kernel not checked to its end\n";

    (void)state;
    assert_ends("a.a>e", 0, 1, said);
    assert_ends("a.a>_", 0, 1, said);
    assert_ends("a.a", 3, 3, said);
    assert_ends("a>_", 0, 0, "tool: no faults in 1 kernel\n");
    assert_ends(">_", 0, 0, "");
}

/* A child that launches nothing, as one whose exec fails, says nothing, and keeps its status. */
static void a_child_leaves_the_last_line_to_its_parent(void **state)
{
    (void)state;
    assert_ends("aA|e|_|a", 0, 1,
                "tool: wrong 2\nchild 0\nchild 0\nchild 134\ntool: 1 fault in 1 kernel\n");
    assert_ends("|ea", 0, 0, "child 0\ntool: no faults in 1 kernel\n");
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
        cmocka_unit_test(kernels_without_their_end_are_counted_apart),
        cmocka_unit_test(a_death_is_in_the_last_line),
        cmocka_unit_test(an_exit_in_a_kernel_is_no_end_of_it),
        cmocka_unit_test(a_child_leaves_the_last_line_to_its_parent),
        cmocka_unit_test(a_rank_is_named),
        cmocka_unit_test(an_address_of_no_program_has_no_line),
    };

    findings_open("findings", "finding", "findings");
    return cmocka_run_group_tests_name("findings", tests, NULL, NULL);
}
