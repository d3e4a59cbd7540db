/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L

#include "host/io.h"

#include <dirent.h>   /* struct dirent */
#include <errno.h>    /* errno, EEXIST, EFBIG */
#include <signal.h>   /* sigaction, SIGXFSZ */
#include <stdarg.h>   /* va_list */
#include <stdint.h>   /* SIZE_MAX */
#include <stdlib.h>   /* malloc, free */
#include <string.h>   /* memmove, memset, strcspn, strdup, strerror, strlen */
#include <sys/stat.h> /* stat, mkdir */
#include <unistd.h>   /* getpid */

/* Before main, because stdout may be the file that is too large. A parent's choice is kept. */
__attribute__((constructor)) static void ignore_file_size_signal(void)
{
    struct sigaction action;

    if (sigaction(SIGXFSZ, NULL, &action) == 0 && action.sa_handler == SIG_DFL) {
        action.sa_handler = SIG_IGN;
        sigaction(SIGXFSZ, &action, NULL);
    }
}

/* Takes bytes out of the middle of text[*length] at `begin`, which has `size`: `kept` are left. */
static void cut_middle(char *text, size_t *length, size_t begin, size_t size, size_t remaining)
{
    static const char gap[] = "...";
    const size_t head = (remaining - strlen(gap)) / 2, tail = remaining - strlen(gap) - head;

    memcpy(text + begin + head, gap, strlen(gap));
    memmove(text + begin + remaining - tail, text + begin + size - tail,
            *length - (begin + size - tail) + 1);
    *length -= size - remaining;
}

/* Cuts the longest words, then the sentence, to at most `limit` bytes. */
static void shorten(char *text, size_t length, size_t limit)
{
    enum { SHORTEST = 80 }; /* of a word that was cut: it can still be recognized */

    while (length > limit) {
        size_t longest = 0, begin = 0, remaining;

        for (size_t k = 0, size; k < length; k += size + 1) {
            size = strcspn(text + k, " ");
            if (size > longest) {
                longest = size;
                begin = k;
            }
        }
        if (longest <= SHORTEST) {
            cut_middle(text, &length, 0, length, limit);
            return;
        }
        remaining = longest - SHORTEST > length - limit ? longest - (length - limit) : SHORTEST;
        cut_middle(text, &length, begin, longest, remaining);
    }
}

int io_fail(struct io_error *error, const char *format, ...)
{
    va_list arguments;
    char *whole = NULL;
    int length;

    va_start(arguments, format);
    length = vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof error->text)
        whole = (char *)malloc((size_t)length + 1);
    if (whole != NULL) {
        va_start(arguments, format);
        vsnprintf(whole, (size_t)length + 1, format, arguments);
        va_end(arguments);
        shorten(whole, (size_t)length, sizeof error->text - 1);
        strcpy(error->text, whole);
        free(whole);
    }
    for (char *c = error->text; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;

        if (byte < ' ' || byte == 127)
            *c = '?';
    }
    return IO_BAD;
}

int io_read_file(const char *path, char **data, size_t *size, struct io_error *error)
{
    struct stat status;
    FILE *stream;
    char *buffer;
    size_t expected;
    int complete;

    *data = NULL;
    *size = 0;
    /* Looked at before it is opened, because opening a pipe waits for a writer. */
    if (stat(path, &status) != 0)
        return io_fail(error, "%s: cannot read: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return io_fail(error, "%s: expected a file, found a directory", path);
    if (!S_ISREG(status.st_mode))
        return io_fail(error, "%s: expected a regular file, found a device or a pipe", path);
    stream = fopen(path, "rb");
    if (stream == NULL)
        return io_fail(error, "%s: cannot read: %s", path, strerror(errno));

    expected = (size_t)status.st_size;
    buffer = (char *)malloc(expected + 1);
    if (buffer == NULL) {
        fclose(stream);
        return io_fail(error, "%s: not enough memory for %zu bytes", path, expected);
    }
    complete = fread(buffer, 1, expected, stream) == expected && getc(stream) == EOF;
    complete = !ferror(stream) && complete;
    fclose(stream);
    if (!complete) {
        free(buffer);
        return io_fail(error, "%s: expected %zu bytes, but reading failed or the file changed",
                       path, expected);
    }
    buffer[expected] = '\0';
    *data = buffer;
    *size = expected;
    return 0;
}

int io_read_text(const char *path, char **text, size_t *size, struct io_error *error)
{
    const int result = io_read_file(path, text, size, error);
    const size_t length = result == 0 ? strlen(*text) : 0;

    if (result != 0 || length == *size)
        return result;
    free(*text);
    *text = NULL;
    *size = 0;
    return io_fail(error, "%s: byte %zu: expected text, found a zero byte", path, length);
}

int io_parse_size(const char **next, const char *end, size_t *value)
{
    const char *c = *next;
    size_t sum = 0;

    for (; c < end && *c >= '0' && *c <= '9'; c++) {
        size_t digit = (size_t)(*c - '0');

        if (sum > (SIZE_MAX - digit) / 10)
            return IO_BAD;
        sum = 10 * sum + digit;
    }
    if (c == *next)
        return IO_BAD;
    *next = c;
    *value = sum;
    return 0;
}

/* Files that were begun and have no name yet, for a program that exits meanwhile. */
static struct unfinished {
    struct unfinished *next;
    const char *temporary;
    pid_t process; /* a child of it leaves the file alone */
} * unfinished;

static void remove_unfinished(void)
{
    for (const struct unfinished *u = unfinished; u != NULL; u = u->next)
        if (u->process == getpid())
            remove(u->temporary);
}

static int remember(const char *temporary)
{
    static int registered;
    struct unfinished *const added = (struct unfinished *)malloc(sizeof *added);

    if (added == NULL)
        return IO_BAD;
    if (!registered)
        registered = atexit(remove_unfinished) == 0;
    added->next = unfinished;
    added->temporary = temporary;
    added->process = getpid();
    unfinished = added;
    return 0;
}

static void forget(const char *temporary)
{
    for (struct unfinished **link = &unfinished; *link != NULL; link = &(*link)->next)
        if ((*link)->temporary == temporary) {
            struct unfinished *const found = *link;

            *link = found->next;
            free(found);
            return;
        }
}

static void release(struct io_writer *writer)
{
    forget(writer->temporary);
    free(writer->path);
    free(writer->temporary);
    memset(writer, 0, sizeof *writer);
}

int io_write_begin(struct io_writer *writer, const char *path, struct io_error *error)
{
    struct stat status;
    size_t size = strlen(path) + 64; /* room for the process number and the attempt */

    memset(writer, 0, sizeof *writer);
    /* The rename at the end would replace a device as readily as a file. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return io_fail(error, "%s: cannot write: it is %s", path,
                       S_ISDIR(status.st_mode) ? "a directory" : "not a regular file");
    writer->path = strdup(path);
    writer->temporary = (char *)malloc(size);
    if (writer->path == NULL || writer->temporary == NULL || remember(writer->temporary) != 0) {
        release(writer);
        return io_fail(error, "%s: cannot write: not enough memory", path);
    }
    for (unsigned attempt = 0; writer->stream == NULL; attempt++) {
        snprintf(writer->temporary, size, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
        writer->stream = fopen(writer->temporary, "wbx"); /* x: never somebody else's file */
        if (writer->stream == NULL && errno != EEXIST) {
            int cause = errno;

            release(writer);
            return io_fail(error, "%s: cannot write: %s", path, strerror(cause));
        }
    }
    return 0;
}

int io_write_commit(struct io_writer *writer, struct io_error *error)
{
    const int failed = ferror(writer->stream);
    int cause = 0;

    errno = 0;
    /* errno of a write that failed earlier is lost; another write fails with the same. */
    if (failed) {
        putc('\n', writer->stream);
        fflush(writer->stream);
        cause = errno;
    }
    if (fclose(writer->stream) != 0 && cause == 0)
        cause = errno;
    if (!failed && cause == 0 && rename(writer->temporary, writer->path) != 0)
        cause = errno;
    if (failed || cause != 0) {
        io_fail(error, "%s: cannot write: %s%s", writer->path,
                cause != 0 ? strerror(cause) : "a write failed",
                cause == EFBIG ? " (ulimit -f shows the limit)" : "");
        remove(writer->temporary);
    }
    release(writer);
    return failed || cause != 0 ? IO_BAD : 0;
}

void io_write_abort(struct io_writer *writer)
{
    if (writer->stream != NULL) {
        fclose(writer->stream);
        remove(writer->temporary);
    }
    release(writer);
}

int io_write_file(const char *path, const void *data, size_t size, struct io_error *error)
{
    struct io_writer writer;

    if (io_write_begin(&writer, path, error) != 0)
        return IO_BAD;
    fwrite(data, 1, size, writer.stream);
    return io_write_commit(&writer, error);
}

static int make_one_directory(const char *path, struct io_error *error)
{
    struct stat status;
    int cause;

    if (mkdir(path, 0777) == 0)
        return 0;
    cause = errno;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return 0;
    return io_fail(error, "%s: cannot make the directory: %s", path, strerror(cause));
}

int io_make_directory(const char *path, struct io_error *error)
{
    char *parent = strdup(path);
    int result = 0;

    if (parent == NULL)
        return io_fail(error, "%s: cannot make the directory: not enough memory", path);
    for (char *c = parent; *c != '\0' && result == 0; c++) {
        if (*c == '/' && c > parent) {
            *c = '\0';
            result = make_one_directory(parent, error);
            *c = '/';
        }
    }
    free(parent);
    return result == 0 ? make_one_directory(path, error) : result;
}

const char *io_base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

int io_ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);

    return length > tail && strcmp(text + length - tail, end) == 0;
}

int io_is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}
