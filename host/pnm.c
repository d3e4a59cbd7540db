/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/pnm.h"

#include <stdint.h> /* SIZE_MAX */
#include <stdio.h>  /* fprintf, fwrite */
#include <stdlib.h> /* free */
#include <string.h> /* memmove, memset */

enum { CHANNELS = 3 };

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Steps over blanks and comments, then reads a number. The magic and each number end in a blank. */
static int read_number(const char *path, const char *data, const char **next, const char *end,
                       const char *what, size_t *value, struct io_error *error)
{
    const char *c = *next;

    while (c < end && (is_blank(*c) || *c == '#')) {
        if (*c == '#') {
            while (c < end && *c != '\n' && *c != '\r')
                c++;
        } else {
            c++;
        }
    }
    if (c == *next || io_parse_size(&c, end, value) != 0 || *value == 0)
        return io_fail(error, "%s: byte %zu: expected a blank and the image's %s, from 1 to %zu",
                       path, (size_t)(c - data), what, SIZE_MAX);
    *next = c;
    return 0;
}

/* Fills all of *image but its data, which begin at data[*offset] and reach to the end. */
static int decode(const char *path, const char *data, size_t size, struct array *image,
                  size_t *offset, struct io_error *error)
{
    const char *end = data + size;
    const char *next = data + 2;
    size_t width, height, largest, data_bytes;

    if (size >= 2 && data[0] == 'P' && (data[1] == '2' || data[1] == '3'))
        return io_fail(error, "%s: the image is in the plain format P%c, expected raw P5 or P6",
                       path, data[1]);
    if (size < 2 || data[0] != 'P' || (data[1] != '5' && data[1] != '6'))
        return io_fail(error, "%s: expected a PGM or PPM image, which begins with P5 or P6", path);
    if (read_number(path, data, &next, end, "width", &width, error) != 0 ||
        read_number(path, data, &next, end, "height", &height, error) != 0 ||
        read_number(path, data, &next, end, "largest sample", &largest, error) != 0)
        return IO_BAD;
    if (largest > 255)
        return io_fail(error, "%s: 16-bit samples (up to %zu) are not supported, expected 255",
                       path, largest);
    if (next == end || !is_blank(*next))
        return io_fail(error, "%s: byte %zu: expected one blank before the samples", path,
                       (size_t)(next - data));
    next++;

    image->type = ARRAY_UINT8;
    image->rank = data[1] == '5' ? 2 : 3;
    image->shape[0] = height;
    image->shape[1] = width;
    image->shape[2] = data[1] == '5' ? 0 : CHANNELS;
    *offset = (size_t)(next - data);
    data_bytes = array_bytes(image->type, image->rank, image->shape);
    if (data_bytes == SIZE_MAX)
        return io_fail(error, "%s: an image of %zu x %zu does not fit in memory", path, width,
                       height);
    if (data_bytes != size - *offset)
        return io_fail(error, "%s: expected %zu bytes of samples for %zu x %zu, found %zu", path,
                       data_bytes, width, height, size - *offset);
    for (; next < end; next++) {
        if ((unsigned char)*next > largest)
            return io_fail(error, "%s: byte %zu: expected a sample up to %zu, found %d", path,
                           (size_t)(next - data), largest, (unsigned char)*next);
    }
    return 0;
}

int pnm_read(const char *path, struct array *image, struct io_error *error)
{
    char *data;
    size_t size, offset = 0;

    memset(image, 0, sizeof *image);
    if (io_read_file(path, &data, &size, error) != 0)
        return IO_BAD;
    if (decode(path, data, size, image, &offset, error) != 0) {
        free(data);
        memset(image, 0, sizeof *image);
        return IO_BAD;
    }
    /* The image takes over the file's memory: the header makes room. */
    memmove(data, data + offset, size - offset);
    image->data = data;
    return 0;
}

int pnm_write(const char *path, const struct array *image, struct io_error *error)
{
    struct io_writer writer;
    char shape[ARRAY_TEXT_SIZE];
    int is_grey = image->rank == 2;
    int is_colour = image->rank == 3 && image->shape[2] == CHANNELS;

    if (image->type != ARRAY_UINT8 || (!is_grey && !is_colour) || array_count(image) == 0) {
        array_shape_text(image->rank, image->shape, shape, sizeof shape);
        return io_fail(error,
                       "%s: cannot write: expected uint8 of shape (height, width) or "
                       "(height, width, 3), found %s of shape %s",
                       path, array_type_name(image->type), shape);
    }
    if (io_write_begin(&writer, path, error) != 0)
        return IO_BAD;
    fprintf(writer.stream, "P%c\n%zu %zu\n255\n", is_grey ? '5' : '6', image->shape[1],
            image->shape[0]);
    fwrite(image->data, 1, array_count(image), writer.stream);
    return io_write_commit(&writer, error);
}
