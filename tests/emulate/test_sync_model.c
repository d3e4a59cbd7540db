/* SPDX-License-Identifier: BSD-3-Clause */
/* Synccheck reports a divergence once: divergences of one kernel at the same source lines are
 * equal, whatever their blocks and threads are. */
#include "host/checks/synccheck.c"

#include <malloc.h> /* malloc_usable_size */
#include <setjmp.h> /* cmocka.h needs these four */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

struct emulate_state emulate;
__thread struct emulate_fault emulate_fault;
struct emulate_uses emulate_uses;
char *emulate_file(const void *address, char *text, size_t size)
{
    (void)address;
    (void)text;
    (void)size;
    return NULL;
}
#include "tests/emulate/kept_findings.h"

static char opened[64];

void findings_open(const char *tool, const char *one, const char *many)
{
    snprintf(opened, sizeof opened, "%s %s %s", tool, one, many);
}
void findings_launch(const char *kernel)
{
    assert_ptr_equal(kernel, emulate.kernel);
}
void findings_given_up(const char *message)
{
    (void)message;
}
const char *findings_call(const char *file, const void *const *return_addresses, int count)
{
    (void)file;
    (void)return_addresses;
    (void)count;
    return NULL;
}
void findings_diverged(const char *message)
{
    const struct finding about = {.kind = FINDING_DIVERGENCE, .kernel = emulate.kernel};

    findings_add(&about, "divergence in kernel %s: %s", emulate.kernel, message);
}

/* The number of findings that a divergence adds. */
static int diverges(const char *kernel, const char *message)
{
    const int before = found;

    emulate.kernel = kernel;
    emulate_check.launch_begin();
    emulate_check.diverged(message);
    assert_true(!seen || strlen(seen->places) < malloc_usable_size(seen) - sizeof *seen);
    return found - before;
}

#define AT(thread, line) "\n    block (0, 0, 0), thread (" thread ", 0, 0) waits at SYNC, a.c:" line

static void each_is_reported_once(void **state)
{
    (void)state;
    assert_string_equal(opened, "synccheck divergence divergences");
    assert_int_equal(emulate_check.goes_on, 1);
    assert_int_equal(diverges("one", "apart" AT("0", "1") AT("1", "2")), 1);
    assert_string_equal(finding, "divergence in kernel one: apart" AT("0", "1") AT("1", "2"));
    assert_int_equal(diverges("one", "apart" AT("0", "1") AT("1", "2")), 0);
    assert_int_equal(diverges("one", "apart" AT("9", "1") AT("3", "2")), 0);
    assert_int_equal(diverges("one", "apart" AT("0", "1") AT("1", "3")), 1);
    assert_int_equal(diverges("one", "apart" AT("0", "2") AT("1", "1")), 1);
    assert_int_equal(diverges("one", "apart" AT("0", "1")), 1);
    assert_int_equal(diverges("two", "apart" AT("0", "1")), 1);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(diverges("one", "apart" AT("0", "1")), 0);
        assert_int_equal(diverges("one", "apart" AT("5", "1") AT("7", "3")), 0);
        assert_int_equal(diverges("two", "apart" AT("0", "1")), 0);
    }
}

/* A path may contain the word before it. */
static void paths_may_look_like_sentences(void **state)
{
    char message[2048] = "apart", other[2048];

    (void)state;
    for (int k = 0; k < 12; k++) {
        strcat(message, AT("1", "1"));
        for (int word = 0; word < 6; word++)
            strcat(message, " at x");
    }
    strcpy(other, message);
    assert_int_equal(diverges("three", message), 1);
    assert_int_equal(diverges("three", message), 0);
    other[strlen(other) - 1] = 'y';
    assert_int_equal(diverges("three", other), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_reported_once),
        cmocka_unit_test(paths_may_look_like_sentences),
    };

    return cmocka_run_group_tests_name("sync model", tests, NULL, NULL);
}
