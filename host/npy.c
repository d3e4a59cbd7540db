/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/npy.h"

#include <stdint.h> /* SIZE_MAX */
#include <stdio.h>  /* fprintf, fwrite, snprintf */
#include <stdlib.h> /* free */
#include <string.h> /* memchr, memcmp, memcpy, memmove, memset, strcmp, strlen */

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "npy.c copies little-endian data as they are: it needs a little-endian machine"
#endif

static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

enum {
    PRELUDE_SIZE = 10, /* magic, version and the length of a 1.0 header */
    ALIGNMENT = 64     /* of the data in the files that we write */
};

/* In the order of enum array_type. */
static const char *const dtypes[] = {"|u1", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8"};

/* A cursor over the header's text. */
struct header {
    const char *path;
    const char *file; /* where the file begins, so that errors can name a byte of it */
    const char *next;
    const char *end;
    struct io_error *error;
};

static int expected(const struct header *header, const char *what)
{
    return io_fail(header->error, "%s: NPY header, byte %zu: expected %s", header->path,
                   (size_t)(header->next - header->file), what);
}

/* The next character that is not blank, or NUL at the end. */
static char peek(struct header *header)
{
    while (header->next < header->end && (*header->next == ' ' || *header->next == '\n'))
        header->next++;
    return header->next < header->end ? *header->next : '\0';
}

/* Steps over `text` if it comes next. */
static int take(struct header *header, const char *text)
{
    size_t length = strlen(text);

    peek(header);
    if ((size_t)(header->end - header->next) < length || memcmp(header->next, text, length) != 0)
        return 0;
    header->next += length;
    return 1;
}

/* Longer strings than `text` holds are cut: none that we know is that long. */
static int read_string(struct header *header, const char *what, char *text, size_t size)
{
    char quote = peek(header);
    const char *close;
    size_t length;

    if (quote != '\'' && quote != '"')
        return expected(header, what);
    header->next++;
    close = (const char *)memchr(header->next, quote, (size_t)(header->end - header->next));
    if (close == NULL)
        return expected(header, "a closing quote");
    length = (size_t)(close - header->next);
    if (memchr(header->next, '\0', length) != NULL)
        return expected(header, "a string without zero bytes");
    if (length >= size)
        length = size - 1;
    memcpy(text, header->next, length);
    text[length] = '\0';
    header->next = close + 1;
    return 0;
}

static int read_dtype(struct header *header, enum array_type *type)
{
    char text[32];

    if (read_string(header, "a plain dtype such as '<f4'", text, sizeof text) != 0)
        return IO_BAD;
    for (int t = ARRAY_UINT8; t <= ARRAY_FLOAT64; t++) {
        if (strcmp(text, dtypes[t]) == 0) {
            *type = (enum array_type)t;
            return 0;
        }
    }
    if (text[0] == '>')
        return io_fail(header->error, "%s: dtype '%s' is big-endian, expected little-endian",
                       header->path, text);
    return io_fail(header->error,
                   "%s: dtype '%s' is not supported, expected |u1, <i4, <u4, <i8, <u8, <f4 or <f8",
                   header->path, text);
}

static int read_order(struct header *header)
{
    if (take(header, "True"))
        return io_fail(header->error,
                       "%s: the array is in Fortran order, expected C order "
                       "(numpy.ascontiguousarray makes it so)",
                       header->path);
    return take(header, "False") ? 0 : expected(header, "True or False");
}

/* A tuple: "()", "(3,)", "(3, 4)". As in Python, "(3)" is none. */
static int read_shape(struct header *header, struct array *array)
{
    if (!take(header, "("))
        return expected(header, "'(' before the shape");
    array->rank = 0;
    while (!take(header, ")")) {
        int comma;

        if (array->rank == ARRAY_MAX_RANK)
            return io_fail(header->error, "%s: expected a shape of at most %d dimensions",
                           header->path, ARRAY_MAX_RANK);
        peek(header);
        if (io_parse_size(&header->next, header->end, &array->shape[array->rank]) != 0)
            return expected(header, "a size of 0 or more that fits in memory");
        array->rank++;
        comma = take(header, ",");
        if (!comma && (array->rank == 1 || peek(header) != ')'))
            return expected(header, "',' after a size");
    }
    return 0;
}

static int read_header(struct header *header, struct array *array)
{
    int found_dtype = 0, found_order = 0, found_shape = 0;

    if (!take(header, "{"))
        return expected(header, "'{'");
    while (!take(header, "}")) {
        char key[32];
        int result;

        if (read_string(header, "a key in quotes", key, sizeof key) != 0)
            return IO_BAD;
        if (!take(header, ":"))
            return expected(header, "':' after a key");
        if (strcmp(key, "descr") == 0) {
            found_dtype = 1;
            result = read_dtype(header, &array->type);
        } else if (strcmp(key, "fortran_order") == 0) {
            found_order = 1;
            result = read_order(header);
        } else if (strcmp(key, "shape") == 0) {
            found_shape = 1;
            result = read_shape(header, array);
        } else {
            return io_fail(header->error,
                           "%s: key '%s' is not known, expected descr, fortran_order and shape",
                           header->path, key);
        }
        if (result != 0)
            return result;
        if (!take(header, ",") && peek(header) != '}')
            return expected(header, "',' or '}'");
    }
    peek(header);
    if (header->next != header->end)
        return expected(header, "nothing but blanks after '}'");
    if (!found_dtype || !found_order || !found_shape)
        return expected(header, "the keys descr, fortran_order and shape");
    return 0;
}

/* Fills all of *array but its data, which begin at data[*offset] and reach to the end. */
static int decode(const char *path, const char *data, size_t size, struct array *array,
                  size_t *offset, struct io_error *error)
{
    const unsigned char *bytes = (const unsigned char *)data;
    struct header header;
    char shape[ARRAY_TEXT_SIZE];
    size_t prelude, length, data_bytes;

    if (size < sizeof magic || memcmp(data, magic, sizeof magic) != 0)
        return io_fail(error, "%s: expected an NPY file, which begins with \\x93NUMPY", path);
    if (size < PRELUDE_SIZE)
        return io_fail(error, "%s: truncated: expected at least %d bytes, found %zu", path,
                       PRELUDE_SIZE, size);
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return io_fail(error, "%s: NPY version %d.%d is not supported, expected 1.0, 2.0 or 3.0",
                       path, bytes[6], bytes[7]);
    prelude = PRELUDE_SIZE;
    length = bytes[8] + ((size_t)bytes[9] << 8);
    if (bytes[6] > 1) { /* since 2.0 the length has four bytes */
        prelude += 2;
        if (size < prelude)
            return io_fail(error, "%s: truncated: expected at least %zu bytes, found %zu", path,
                           prelude, size);
        length += ((size_t)bytes[10] << 16) + ((size_t)bytes[11] << 24);
    }
    if (length > size - prelude)
        return io_fail(error, "%s: truncated: expected %zu bytes of NPY header, found %zu", path,
                       length, size - prelude);

    header.path = path;
    header.file = data;
    header.next = data + prelude;
    header.end = header.next + length;
    header.error = error;
    if (read_header(&header, array) != 0)
        return IO_BAD;

    *offset = prelude + length;
    array_shape_text(array->rank, array->shape, shape, sizeof shape);
    data_bytes = array_bytes(array->type, array->rank, array->shape);
    if (data_bytes == SIZE_MAX)
        return io_fail(error, "%s: shape %s of %s does not fit in memory", path, shape,
                       array_type_name(array->type));
    if (data_bytes != size - *offset)
        return io_fail(error, "%s: expected %zu bytes of data for shape %s of %s, found %zu", path,
                       data_bytes, shape, array_type_name(array->type), size - *offset);
    return 0;
}

int npy_read(const char *path, struct array *array, struct io_error *error)
{
    char *data;
    size_t size, offset = 0;

    memset(array, 0, sizeof *array);
    if (io_read_file(path, &data, &size, error) != 0)
        return IO_BAD;
    if (decode(path, data, size, array, &offset, error) != 0) {
        free(data);
        memset(array, 0, sizeof *array);
        return IO_BAD;
    }
    /* The array takes over the file's memory: the header makes room. */
    memmove(data, data + offset, size - offset);
    array->data = data;
    return 0;
}

int npy_write(const char *path, const struct array *array, struct io_error *error)
{
    struct io_writer writer;
    char shape[ARRAY_TEXT_SIZE];
    char header[ARRAY_TEXT_SIZE + 64];
    int length;

    array_shape_text(array->rank, array->shape, shape, sizeof shape);
    length =
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                 dtypes[array->type], shape);
    /* Padded with blanks and ended by a newline, so that the data begin at a multiple of 64. */
    length = (PRELUDE_SIZE + length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - PRELUDE_SIZE;

    if (io_write_begin(&writer, path, error) != 0)
        return IO_BAD;
    fwrite(magic, 1, sizeof magic, writer.stream);
    fprintf(writer.stream, "%c%c%c%c%-*s\n", 1, 0, length & 0xff, length >> 8, length - 1, header);
    fwrite(array->data, array_type_size(array->type), array_count(array), writer.stream);
    return io_write_commit(&writer, error);
}
