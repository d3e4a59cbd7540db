/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checkpoints. Array u of generation 3 is in u.3.npy, and checkpoint.txt has
 *
 *     portable.h checkpoint 1
 *     generation 3
 *     step 200
 *     precision single
 *     problem jacobi, n = 203
 *     array u.3.npy float32 203 x 203
 *     end
 *
 * A new generation's files go to the disk under their own names; renaming the new checkpoint.txt
 * makes them the checkpoint. The next save removes files of other generations, which a crash may
 * leave.
 */
#define _POSIX_C_SOURCE 200809L /* fileno, fsync */
#include "internal.h"

#include "host/array.h"
#include "host/io.h"

#include <ctype.h>  /* isalnum, isdigit */
#include <dirent.h> /* opendir, readdir, closedir */
#include <errno.h>
#include <fcntl.h>    /* open */
#include <sys/file.h> /* flock */
#include <sys/stat.h> /* stat */
#include <unistd.h>   /* fsync, close, unlink */

#define MANIFEST "checkpoint.txt"

static portable_status from_io(const struct io_error *error)
{
    return portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s", error->text);
}

static portable_status from_errno(const char *path, const char *what)
{
    return portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s: cannot %s: %s", path, what,
                          strerror(errno));
}

/* path[IO_PATH_SIZE] = directory/name */
static portable_status join(char *path, const char *directory, const char *name)
{
    return (size_t)snprintf(path, IO_PATH_SIZE, "%s/%s", directory, name) < IO_PATH_SIZE
               ? PORTABLE_SUCCESS
               : portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "the path %.100s... is too long",
                                directory);
}

static portable_status array_path(char *path, const char *directory, const char *name,
                                  long long generation)
{
    char file[256];

    snprintf(file, sizeof file, "%s.%lld.npy", name, generation);
    return join(path, directory, file);
}

static portable_status check_arguments(const char *call, const char *problem, int count,
                                       const struct portable_ranks_array *arrays)
{
    portable_status status = ranks_ready(call);

    if (status != PORTABLE_SUCCESS)
        return status;
    if (count < 0 || strchr(problem, '\n'))
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: %d arrays, or a problem of several lines", call, count);
    for (int k = 0; k < count; k++) {
        const size_t length = strlen(arrays[k].name);
        size_t valid = 0;

        while (isalnum((unsigned char)arrays[k].name[valid]) || arrays[k].name[valid] == '_')
            valid++;
        if (length == 0 || length > 100 || valid < length)
            return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                                  "%s: the name \"%.100s\": must be up to 100 letters, digits "
                                  "and '_'",
                                  call, arrays[k].name);
        for (int other = 0; other < k; other++)
            if (strcmp(arrays[other].name, arrays[k].name) == 0)
                return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                                      "%s: two arrays have the name \"%s\"", call, arrays[k].name);
        if (ranks_type_size(arrays[k].type) == 0)
            return portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s: there is no type %d", call,
                                  (int)arrays[k].type);
    }
    return PORTABLE_SUCCESS;
}

/* The text of checkpoint.txt, which the caller frees. */
static char *manifest(const char *problem, long long step, long long generation, int count,
                      const struct portable_ranks_array *arrays)
{
    static const char *const types[] = {"int32", "uint32", "int64", "uint64", "float32", "float64"};
    const size_t size = strlen(problem) + 256 * ((size_t)count + 1);
    char *text = (char *)malloc(size);
    int at;

    if (!text)
        portable_ranks_stop(EXIT_FAILURE, "no memory for the checkpoint of %d arrays", count);
    at = snprintf(text, size,
                  "portable.h checkpoint 1\ngeneration %lld\nstep %lld\nprecision %s\n"
                  "problem %s\n",
                  generation, step, PORTABLE_PRECISION_DOUBLE ? "double" : "single", problem);
    for (int k = 0; k < count; k++)
        at += snprintf(text + at, size - (size_t)at, "array %s.%lld.npy %s %lld x %zu\n",
                       arrays[k].name, generation, types[arrays[k].type],
                       arrays[k].starts[ranks_here.count], arrays[k].columns);
    snprintf(text + at, size - (size_t)at, "end\n");
    return text;
}

/* Rank 0: the generation and the step of the checkpoint; both -1 if there is none. *text: the whole
 * file, which the caller frees, or NULL. */
static portable_status read_manifest(const char *path, long long *generation, long long *step,
                                     char **text)
{
    struct io_error error;
    struct stat found;
    size_t size;

    *generation = *step = -1;
    *text = NULL;
    if (stat(path, &found) != 0 && errno == ENOENT)
        return PORTABLE_SUCCESS;
    if (io_read_text(path, text, &size, &error) != 0)
        return from_io(&error);
    if (sscanf(*text, "portable.h checkpoint 1 generation %18lld step %18lld", generation, step) !=
            2 ||
        *generation < 0 || *step < 0) {
        free(*text);
        *text = NULL;
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: not a checkpoint of this version of portable.h, or damaged",
                              path);
    }
    return PORTABLE_SUCCESS;
}

/* Flushes a file to the disk, or the names in a directory. */
static portable_status flush(const char *path)
{
    const int file = open(path, O_RDONLY);
    portable_status status = PORTABLE_SUCCESS;

    if (file < 0)
        return from_errno(path, "open");
    /* Some file systems have no fsync of a directory. */
    if (fsync(file) != 0 && errno != EINVAL)
        status = from_errno(path, "write to the disk");
    close(file);
    return status;
}

/* Rank 0: locks the directory until *file is closed. Two programs that save at once would mix their
 * arrays. */
static portable_status lock(const char *directory, int *file)
{
    *file = open(directory, O_RDONLY | O_CLOEXEC);
    if (*file < 0)
        return from_errno(directory, "open");
    /* Some file systems have no locks. */
    if (flock(*file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: another program is saving a checkpoint here", directory);
    return PORTABLE_SUCCESS;
}

/* Rank 0: makes the arrays of the generation the checkpoint. */
static portable_status commit(const char *directory, const char *path, const char *text, int count,
                              const struct portable_ranks_array *arrays, long long generation)
{
    char of_array[IO_PATH_SIZE];
    struct io_writer writer;
    struct io_error error;
    portable_status status = PORTABLE_SUCCESS;

    for (int k = 0; k < count && status == PORTABLE_SUCCESS; k++) {
        status = array_path(of_array, directory, arrays[k].name, generation);
        if (status == PORTABLE_SUCCESS)
            status = flush(of_array);
    }
    if (status == PORTABLE_SUCCESS)
        status = flush(directory);
    if (status != PORTABLE_SUCCESS)
        return status;
    if (io_write_begin(&writer, path, &error) != 0)
        return from_io(&error);
    fputs(text, writer.stream);
    if (fflush(writer.stream) == 0 && fsync(fileno(writer.stream)) != 0) {
        status = from_errno(path, "write to the disk");
        io_write_abort(&writer);
        return status;
    }
    if (io_write_commit(&writer, &error) != 0)
        return from_io(&error);
    return flush(directory);
}

/* Whether a file of the array or of checkpoint.txt does not belong to `generation`:
 * NAME.digits.npy, or a temporary file. */
static int is_stale_file(const char *file, const char *name, long long generation)
{
    const size_t length = strlen(name);
    char current[256];
    size_t digits = length + 1;

    if (strncmp(file, name, length) != 0 || file[length] != '.')
        return 0;
    while (isdigit((unsigned char)file[digits]))
        digits++;
    snprintf(current, sizeof current, "%s.%lld.npy", name, generation);
    return digits > length + 1 && strcmp(file, current) != 0 &&
           (strcmp(file + digits, ".npy") == 0 || io_ends_with(file, ".tmp"));
}

/* Rank 0: removes files of other generations. The checkpoint does not need this, so failures are
 * ignored. */
static void remove_stale_files(const char *directory, int count,
                               const struct portable_ranks_array *arrays, long long generation)
{
    DIR *list = opendir(directory);
    const struct dirent *entry;
    char path[IO_PATH_SIZE];

    while (list && (entry = readdir(list))) {
        int is_stale = is_stale_file(entry->d_name, MANIFEST, generation);

        for (int k = 0; k < count && !is_stale; k++)
            is_stale = is_stale_file(entry->d_name, arrays[k].name, generation);
        if (is_stale && join(path, directory, entry->d_name) == PORTABLE_SUCCESS)
            unlink(path);
    }
    if (list)
        closedir(list);
}

portable_status portable_ranks_save(const char *directory, const char *problem, long long step,
                                    int count, const struct portable_ranks_array *arrays)
{
    char path[IO_PATH_SIZE], *old = NULL;
    struct io_error error;
    long long before, generation = -1;
    int locked = -1;
    portable_status status = check_arguments(__func__, problem, count, arrays);

    if (status == PORTABLE_SUCCESS && step < 0)
        status = portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s: step %lld", __func__, step);
    if (status != PORTABLE_SUCCESS)
        return status;
    const int is_writer = ranks_here.rank == 0;
    status = join(path, directory, MANIFEST);
    if (is_writer && status == PORTABLE_SUCCESS && io_make_directory(directory, &error) != 0)
        status = from_io(&error);
    if (is_writer && status == PORTABLE_SUCCESS)
        status = lock(directory, &locked);
    if (is_writer && status == PORTABLE_SUCCESS)
        status = read_manifest(path, &generation, &before, &old);
    free(old);
    generation++;
    status = ranks_agree(status);
    if (status == PORTABLE_SUCCESS)
        ranks_broadcast_host(&generation, sizeof generation);
    for (int k = 0; k < count && status == PORTABLE_SUCCESS; k++) {
        char of_array[IO_PATH_SIZE];

        status = array_path(of_array, directory, arrays[k].name, generation);
        if (status == PORTABLE_SUCCESS)
            status = portable_ranks_write_npy(of_array, arrays[k].type, arrays[k].data,
                                              arrays[k].starts, arrays[k].columns);
    }
    if (status == PORTABLE_SUCCESS && is_writer) {
        char *text = manifest(problem, step, generation, count, arrays);

        status = commit(directory, path, text, count, arrays, generation);
        if (status == PORTABLE_SUCCESS)
            remove_stale_files(directory, count, arrays, generation);
        free(text);
    }
    if (locked >= 0)
        close(locked);
    return ranks_agree(status);
}

/* Rank 0: whether the checkpoint is of this problem, with these arrays. */
static portable_status compare(const char *path, const char *text, const char *expected)
{
    int line = 1;

    for (;; line++) {
        const size_t here = strcspn(text, "\n"), there = strcspn(expected, "\n");

        if (here != there || memcmp(text, expected, here) != 0 || text[here] != expected[there])
            return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                                  "%s:%d: the checkpoint has \"%.*s\", expected \"%.*s\"", path,
                                  line, (int)(here < 200 ? here : 200), text,
                                  (int)(there < 200 ? there : 200), expected);
        if (!text[here])
            return PORTABLE_SUCCESS;
        text += here + 1;
        expected += there + 1;
    }
}

portable_status portable_ranks_restore(const char *directory, const char *problem, long long *step,
                                       int count, const struct portable_ranks_array *arrays)
{
    char path[IO_PATH_SIZE], *text = NULL;
    long long generation_and_step[2] = {-1, -1};
    portable_status status = check_arguments(__func__, problem, count, arrays);

    *step = -1;
    if (status != PORTABLE_SUCCESS)
        return status;
    status = join(path, directory, MANIFEST);
    if (ranks_here.rank == 0 && status == PORTABLE_SUCCESS) {
        status = read_manifest(path, &generation_and_step[0], &generation_and_step[1], &text);
        if (text) {
            char *expected =
                manifest(problem, generation_and_step[1], generation_and_step[0], count, arrays);

            status = compare(path, text, expected);
            free(expected);
            free(text);
        }
    }
    status = ranks_agree(status);
    if (status == PORTABLE_SUCCESS)
        ranks_broadcast_host(generation_and_step, sizeof generation_and_step);
    for (int k = 0; k < count && status == PORTABLE_SUCCESS && generation_and_step[0] >= 0; k++) {
        status = array_path(path, directory, arrays[k].name, generation_and_step[0]);
        if (status == PORTABLE_SUCCESS)
            status = ranks_read_rows(path, arrays[k].type, arrays[k].columns, arrays[k].starts,
                                     arrays[k].data);
    }
    if (status == PORTABLE_SUCCESS)
        *step = generation_and_step[1];
    return status;
}
