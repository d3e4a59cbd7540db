/* SPDX-License-Identifier: BSD-3-Clause */
/* host/io.h: error messages, whole files, atomic writes, making directories. */
#define _POSIX_C_SOURCE 200809L

#include "host/io.h"

#include <dirent.h>       /* opendir, readdir */
#include <errno.h>        /* errno, EINTR */
#include <stdio.h>        /* fflush, fputc, fputs, snprintf */
#include <stdlib.h>       /* exit, free, mkdtemp */
#include <string.h>       /* memset, strlen, strncmp, strstr */
#include <sys/resource.h> /* setrlimit */
#include <sys/stat.h>     /* chmod, mkdir, mkfifo, stat, umask */
#include <sys/wait.h>     /* waitpid */
#include <unistd.h>       /* access, fork, geteuid, rmdir, setgid, setuid, unlink */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static char directory[] = "/tmp/test_io-XXXXXX";
static char file[64]; /* a path in the directory */

static int make_directory(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/file", directory);
    return chmod(directory, 0755); /* for the tests without root's rights, too */
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory); /* fails if a test left a file behind */
}

static int remove_file(void **state)
{
    (void)state;
    unlink(file);
    return 0;
}

/* Removes the file after the test, even if it failed. */
#define FILE_TEST(name) cmocka_unit_test_teardown(name, remove_file)

static void put(const char *text)
{
    struct io_error error;

    if (io_write_file(file, text, strlen(text), &error) != 0)
        fail_msg("%s", error.text);
}

static void assert_holds(const char *path, const char *text)
{
    struct io_error error;
    char *data;
    size_t size;

    if (io_read_file(path, &data, &size, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(size, strlen(text));
    assert_string_equal(data, text);
    free(data);
}

static size_t count_files(void)
{
    DIR *stream = opendir(directory);
    size_t count = 0;

    assert_non_null(stream);
    while (readdir(stream) != NULL)
        count++;
    closedir(stream);
    return count - 2; /* "." and ".." */
}

static void assert_says(const struct io_error *error, const char *path, const char *words)
{
    if (strstr(error->text, path) == NULL || strstr(error->text, words) == NULL)
        fail_msg("expected a sentence with '%s' and '%s', found '%s'", path, words, error->text);
}

static void assert_unreadable(const char *path, const char *words)
{
    struct io_error error;
    char *data = file;
    size_t size = 1;

    assert_int_equal(io_read_file(path, &data, &size, &error), IO_BAD);
    assert_says(&error, path, words);
    assert_null(data);
    assert_int_equal(size, 0);
}

/* Runs a test's body in a child process, whose limits and rights it may change. */
static void run_in_child(int (*body)(void))
{
    int status = 0;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(body());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Permissions do not stop root. */
static int drop_rights(void)
{
    return geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0);
}

static void test_fail_formats_one_line(void **state)
{
    struct io_error error;
    (void)state;
    assert_int_equal(io_fail(&error, "%s: line %d", "a.mtx", 3), IO_BAD);
    assert_string_equal(error.text, "a.mtx: line 3");
    io_fail(&error, "found '%s'", "a\nb\x7f\x1b[31m\xc3\xa9");
    assert_string_equal(error.text, "found 'a?b??[31m\xc3\xa9'");
}

static int begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

/* A long text loses its middle; the rest of the message stays. */
static void test_fail_keeps_the_cause(void **state)
{
    static char path[6000], word[3000], blanks[6000];
    struct io_error error;

    (void)state;
    memset(path, 'p', sizeof path - 1);
    memcpy(path, "/first", 6);
    memcpy(path + sizeof path - 6, "/last", 5);
    io_fail(&error, "%s: cannot read: File name too long", path);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_true(begins_with(error.text, "/firstppp"));
    assert_non_null(strstr(error.text, "ppp...ppp"));
    assert_true(io_ends_with(error.text, "ppp/last: cannot read: File name too long"));

    memset(word, '7', sizeof word - 1);
    io_fail(&error, "%s: line 3: expected a row, from 1 to 2, found '%s'", path, word);
    assert_true(strlen(error.text) < sizeof error.text);
    assert_true(begins_with(error.text, "/firstppp"));
    assert_non_null(strstr(error.text, "/last: line 3: expected a row, from 1 to 2, found '777"));
    assert_non_null(strstr(error.text, "777...777"));
    assert_true(io_ends_with(error.text, "777'"));

    memset(blanks, ' ', sizeof blanks - 1);
    io_fail(&error, "first%s: last", blanks);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_true(begins_with(error.text, "first  "));
    assert_true(io_ends_with(error.text, "  : last"));

    /* A text that fits is unchanged. */
    path[sizeof error.text - 1] = '\0';
    io_fail(&error, "%s", path);
    assert_string_equal(error.text, path);
}

static void test_read_whole_file(void **state)
{
    struct io_error error;
    char *data;
    size_t size;

    (void)state;
    put("two\nlines");
    assert_holds(file, "two\nlines");
    put("");
    assert_holds(file, "");
    assert_int_equal(io_write_file(file, "a\0b", 3, &error), 0);
    assert_int_equal(io_read_file(file, &data, &size, &error), 0);
    assert_int_equal(size, 3);
    assert_memory_equal(data, "a\0b", 4); /* with the terminating NUL */
    free(data);
}

static void test_read_text_without_zero_bytes(void **state)
{
    struct io_error error;
    char *text;
    size_t size;

    (void)state;
    assert_int_equal(io_write_file(file, "ab\0c", 4, &error), 0);
    assert_int_equal(io_read_text(file, &text, &size, &error), IO_BAD);
    assert_says(&error, file, ": byte 2: expected text, found a zero byte");
    assert_null(text);
    assert_int_equal(size, 0);
    put("two\nlines");
    assert_int_equal(io_read_text(file, &text, &size, &error), 0);
    assert_string_equal(text, "two\nlines");
    assert_int_equal(size, 9);
    free(text);
    assert_int_equal(io_read_text(directory, &text, &size, &error), IO_BAD);
    assert_says(&error, directory, "found a directory");
}

static void test_read_refuses_what_is_no_file(void **state)
{
    (void)state;
    assert_unreadable(file, "No such file");
    assert_unreadable(directory, "expected a file, found a directory");
    assert_unreadable("/dev/null", "expected a regular file");
    assert_int_equal(mkfifo(file, 0600), 0);
    assert_unreadable(file, "expected a regular file");
}

static int read_without_permission(void)
{
    struct io_error error;
    char *data;
    size_t size;

    return !(drop_rights() && io_read_file(file, &data, &size, &error) == IO_BAD &&
             strstr(error.text, file) != NULL && strstr(error.text, "Permission denied") != NULL);
}

static void test_read_needs_permission(void **state)
{
    (void)state;
    put("secret");
    assert_int_equal(chmod(file, 0), 0);
    run_in_child(read_without_permission);
}

static void test_parse_size(void **state)
{
    static const char digits[] = "120x";
    static const char largest[] = "18446744073709551615";
    static const char too_large[] = "18446744073709551616";
    const char *next = digits;
    size_t value = 7;

    (void)state;
    assert_int_equal(io_parse_size(&next, digits + 4, &value), 0);
    assert_int_equal(value, 120);
    assert_ptr_equal(next, digits + 3);
    assert_int_equal(io_parse_size(&next, digits + 4, &value), IO_BAD); /* no digit */
    assert_ptr_equal(next, digits + 3);
    assert_int_equal(value, 120);

    next = digits;
    assert_int_equal(io_parse_size(&next, digits + 2, &value), 0); /* not beyond the end */
    assert_int_equal(value, 12);
    assert_int_equal(io_parse_size(&next, digits + 2, &value), IO_BAD);

    if (sizeof(size_t) == 8) {
        next = largest;
        assert_int_equal(io_parse_size(&next, largest + 20, &value), 0);
        assert_true(value == SIZE_MAX);
        next = too_large;
        assert_int_equal(io_parse_size(&next, too_large + 20, &value), IO_BAD);
        assert_ptr_equal(next, too_large);
    }
}

static void test_write_appears_at_commit(void **state)
{
    struct io_writer writer;
    struct io_error error;

    (void)state;
    assert_int_equal(io_write_begin(&writer, file, &error), 0);
    fputs("first", writer.stream);
    fflush(writer.stream);
    assert_unreadable(file, "No such file");
    assert_int_equal(io_write_commit(&writer, &error), 0);
    assert_null(writer.stream);
    assert_null(writer.path);
    assert_null(writer.temporary);
    assert_holds(file, "first");
    assert_int_equal(count_files(), 1);

    assert_int_equal(io_write_begin(&writer, file, &error), 0);
    fputs("second", writer.stream);
    fflush(writer.stream);
    assert_holds(file, "first");
    assert_int_equal(io_write_commit(&writer, &error), 0);
    assert_holds(file, "second");
    assert_int_equal(count_files(), 1);
}

static void test_write_abort_leaves_nothing(void **state)
{
    struct io_writer writer;
    struct io_error error;

    (void)state;
    put("old");
    assert_int_equal(io_write_begin(&writer, file, &error), 0);
    fputs("new", writer.stream);
    io_write_abort(&writer);
    assert_null(writer.stream);
    assert_holds(file, "old");
    assert_int_equal(count_files(), 1);
    io_write_abort(&writer); /* nothing to do */
}

static int exit_while_writing(void)
{
    struct io_writer ours, committed, aborted;
    struct io_error error;
    char other[96];
    const int failed = io_write_begin(&ours, file, &error) != 0 ||
                       io_write_begin(&committed, file, &error) != 0 ||
                       io_write_begin(&aborted, file, &error) != 0;
    const pid_t child = fork();

    /* The child's exit leaves the parent's file alone. */
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
    snprintf(other, sizeof other, "%s", ours.temporary);
    if (failed || access(other, F_OK) != 0)
        return 1;
    io_write_abort(&aborted);
    if (io_write_commit(&committed, &error) != 0)
        return 2;
    exit(0);
}

static void test_exit_removes_what_is_not_committed(void **state)
{
    (void)state;
    run_in_child(exit_while_writing);
    assert_holds(file, "");
    assert_int_equal(count_files(), 1);
}

static void test_write_uses_a_name_of_its_own(void **state)
{
    struct io_writer first, second;
    struct io_error error;

    (void)state;
    assert_int_equal(io_write_begin(&first, file, &error), 0);
    assert_int_equal(io_write_begin(&second, file, &error), 0);
    assert_string_not_equal(first.temporary, second.temporary);
    assert_int_equal(strncmp(first.temporary, file, strlen(file)), 0); /* the same directory */
    fputs("first", first.stream);
    fputs("second", second.stream);
    assert_int_equal(io_write_commit(&first, &error), 0);
    assert_holds(file, "first");
    assert_int_equal(io_write_commit(&second, &error), 0);
    assert_holds(file, "second");
    assert_int_equal(count_files(), 1);
}

static void test_write_respects_umask(void **state)
{
    struct stat status;
    mode_t old = umask(027);

    (void)state;
    put("text");
    umask(old);
    assert_int_equal(stat(file, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static void assert_unwritable(const char *path, const char *words)
{
    struct io_writer writer;
    struct io_error error;

    assert_int_equal(io_write_begin(&writer, path, &error), IO_BAD);
    assert_says(&error, path, words);
    assert_null(writer.stream);
    assert_null(writer.path);
    assert_null(writer.temporary);
    assert_int_equal(io_write_file(path, "x", 1, &error), IO_BAD);
    assert_int_equal(count_files(), 0);
}

static void test_write_replaces_regular_files_only(void **state)
{
    char path[96];

    (void)state;
    assert_unwritable(directory, "it is a directory");
    assert_unwritable("/dev/full", "not a regular file");
    snprintf(path, sizeof path, "%s/missing/file", directory);
    assert_unwritable(path, "No such file");
}

/* The name may become a directory while the file is written. */
static void test_write_commit_fails_clean(void **state)
{
    struct io_writer writer;
    struct io_error error;

    (void)state;
    assert_int_equal(io_write_begin(&writer, file, &error), 0);
    fputs("text", writer.stream);
    assert_int_equal(mkdir(file, 0700), 0);
    assert_int_equal(io_write_commit(&writer, &error), IO_BAD);
    assert_says(&error, file, "cannot write");
    assert_null(writer.path);
    assert_int_equal(count_files(), 1);
    assert_int_equal(rmdir(file), 0);
}

/* The kernel refuses to let a file grow beyond the limit, like a full disk. */
static int fill_the_disk(void)
{
    static char block[1 << 20]; /* written at once, not buffered by stdio */
    struct io_error error;
    const struct rlimit limit = {4096, 4096};
    const size_t sizes[] = {4097, 1 << 20}; /* fails when the buffer is flushed, and before */

    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    for (int k = 0; k < 2; k++) {
        struct io_writer writer;

        if (io_write_begin(&writer, file, &error) != 0)
            return 2;
        for (size_t i = 0; i < sizes[k]; i++)
            fputc('x', writer.stream);
        errno = EINTR; /* from a later failure */
        if (io_write_commit(&writer, &error) != IO_BAD)
            return 3;
        if (strstr(error.text, file) == NULL ||
            strstr(error.text, "cannot write: File too large (ulimit -f") == NULL)
            return 4;
    }
    return io_write_file(file, block, sizeof block, &error) == IO_BAD ? 0 : 5;
}

static void test_write_survives_a_full_disk(void **state)
{
    (void)state;
    put("old");
    run_in_child(fill_the_disk);
    assert_holds(file, "old");
    assert_int_equal(count_files(), 1);
    unlink(file);
    run_in_child(fill_the_disk);
    assert_int_equal(count_files(), 0);
}

static int write_without_permission(void)
{
    struct io_error error;

    return !(drop_rights() && io_write_file(file, "x", 1, &error) == IO_BAD &&
             strstr(error.text, file) != NULL && strstr(error.text, "Permission denied") != NULL);
}

static void test_write_needs_permission(void **state)
{
    (void)state;
    assert_int_equal(chmod(directory, 0555), 0);
    run_in_child(write_without_permission);
    assert_int_equal(chmod(directory, 0755), 0);
}

static void test_make_directory(void **state)
{
    struct io_error error;
    struct stat status;
    char inner[96], path[128];

    (void)state;
    snprintf(inner, sizeof inner, "%s/a//b", directory);
    snprintf(path, sizeof path, "%s/c/", inner);
    assert_int_equal(io_make_directory(path, &error), 0);
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    assert_int_equal(io_make_directory(path, &error), 0); /* again */
    assert_int_equal(io_make_directory("/", &error), 0);

    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(inner), 0);
    snprintf(inner, sizeof inner, "%s/a", directory);
    assert_int_equal(rmdir(inner), 0);
}

static void test_make_directory_refusals(void **state)
{
    struct io_error error;
    char path[96];

    (void)state;
    put("in the way");
    assert_int_equal(io_make_directory(file, &error), IO_BAD);
    assert_says(&error, file, "cannot make the directory: File exists");
    snprintf(path, sizeof path, "%s/below", file);
    assert_int_equal(io_make_directory(path, &error), IO_BAD);
    assert_says(&error, file, "cannot make the directory: File exists");
    assert_int_equal(io_make_directory("", &error), IO_BAD);
    assert_holds(file, "in the way");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_formats_one_line),
        cmocka_unit_test(test_fail_keeps_the_cause),
        FILE_TEST(test_read_whole_file),
        FILE_TEST(test_read_text_without_zero_bytes),
        FILE_TEST(test_read_refuses_what_is_no_file),
        FILE_TEST(test_read_needs_permission),
        cmocka_unit_test(test_parse_size),
        FILE_TEST(test_write_appears_at_commit),
        FILE_TEST(test_write_abort_leaves_nothing),
        FILE_TEST(test_exit_removes_what_is_not_committed),
        FILE_TEST(test_write_uses_a_name_of_its_own),
        FILE_TEST(test_write_respects_umask),
        FILE_TEST(test_write_replaces_regular_files_only),
        FILE_TEST(test_write_commit_fails_clean),
        FILE_TEST(test_write_survives_a_full_disk),
        FILE_TEST(test_write_needs_permission),
        cmocka_unit_test(test_make_directory),
        FILE_TEST(test_make_directory_refusals),
    };

    return cmocka_run_group_tests_name("io", tests, make_directory, remove_directory) != 0;
}
