/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
/*
 * Files: error sentences, reading a whole file, and writing that never leaves half a file behind.
 *
 * Everything that reads or writes a file returns 0, or IO_BAD with one sentence in *error that
 * names the file, the line or byte where there is one, and what was expected. After a failure the
 * outputs are zero and nothing stays allocated. `error` is never NULL.
 */
#ifndef PORTABLE_HOST_IO_H
#define PORTABLE_HOST_IO_H

#include <stddef.h> /* size_t */
#include <stdio.h>  /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

/* Bad input, as a return value and as a program's exit status: 1 means "the results differ". */
enum { IO_BAD = 2 };

struct io_error {
    char text[512];
};

/* A buffer of this size holds every path that the system takes, so a path that it cuts is
 * refused. */
enum { IO_PATH_SIZE = 4200 };

/*
 * Formats the sentence into *error and returns IO_BAD. Control characters, which may come from a
 * broken file, become '?', so that the sentence stays on one line. In a sentence that is too long,
 * the longest words (a path, a number of a thousand digits) lose their middles, so the cause stays.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int io_fail(struct io_error *error, const char *format, ...);

/*
 * Reads a whole regular file. *data holds *size bytes and a NUL after them; the caller frees it.
 * Refuses directories, devices and pipes.
 */
int io_read_file(const char *path, char **data, size_t *size, struct io_error *error);

/* The same for text, which has no zero byte: strings end at one, and what follows it would be
 * lost. */
int io_read_text(const char *path, char **text, size_t *size, struct io_error *error);

/*
 * Reads decimal digits at *next, not beyond `end`, and moves *next behind them. Returns IO_BAD,
 * and leaves *next alone, when there is no digit or the number does not fit. The sentence is the
 * caller's, who knows what the number was for.
 */
int io_parse_size(const char **next, const char *end, size_t *value);

/*
 * A file being written. It grows under a temporary name in the same directory and gets its own
 * name in io_write_commit, so that a full disk or a killed program leaves the old file, or none;
 * exit removes what was not committed.
 * Write to `stream` without checking each call: commit does. A program with this file in it ignores
 * SIGXFSZ, so that a file that outgrows `ulimit -f` is an error like a full disk.
 */
struct io_writer {
    FILE *stream;
    char *path;
    char *temporary;
};

/* The new file's mode is 0666 less the umask. Replaces regular files only. */
int io_write_begin(struct io_writer *writer, const char *path, struct io_error *error);

/* Either way the writer is closed and zeroed; on failure the temporary file is gone too. */
int io_write_commit(struct io_writer *writer, struct io_error *error);

/* Gives up: removes the temporary file. Does nothing to a zeroed writer. */
void io_write_abort(struct io_writer *writer);

/* Begin, write `size` bytes, commit. */
int io_write_file(const char *path, const void *data, size_t size, struct io_error *error);

/* A path without its directories. */
const char *io_base_name(const char *path);

/* Whether a text has the end, and something before it. */
int io_ends_with(const char *text, const char *end);

/* For scandir: entries that do not begin with a dot. */
struct dirent;
int io_is_visible(const struct dirent *entry);

/* Makes the directory and its parents, as `mkdir -p` does. An existing directory is fine. */
int io_make_directory(const char *path, struct io_error *error);

#ifdef __cplusplus
}
#endif

#endif
