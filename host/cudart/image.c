/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/cudart/image.h"

#include <stdio.h>
#include <string.h> /* strchr */

/* A text of which the end may not be known. */
struct reader {
    const char *at;
    size_t left;
};

static int peek(const struct reader *reader)
{
    return reader->left > 0 ? (unsigned char)*reader->at : 0;
}

/* Not beyond a zero byte, which ends it, too. */
static int next(struct reader *reader)
{
    const int c = peek(reader);
    reader->at += c != 0;
    reader->left -= c != 0;
    return c;
}

static int skip(struct reader *reader, const char *text)
{
    struct reader after = *reader;
    for (; *text; text++)
        if (next(&after) != (unsigned char)*text)
            return 0;
    *reader = after;
    return 1;
}

static int digit_of(int c, const char *digits)
{
    const char *const found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Returns 0 if there is none, or if it is too large. */
static int number(struct reader *reader, unsigned base, uint64_t *value)
{
    static const char digits[] = "0123456789abcdef";
    int digit, count = 0;
    for (*value = 0; (digit = digit_of(peek(reader), digits)) >= 0 && digit < (int)base; count++) {
        if (*value > (UINT64_MAX - (unsigned)digit) / base)
            return 0;
        *value = *value * base + (unsigned)digit;
        next(reader);
    }
    return count > 0;
}

/* The next digit's value; -1 where there is none. */
static int next_digit(struct reader *reader)
{
    while (peek(reader) == '\r' || peek(reader) == '\n')
        if (next(reader) == '\n' && !skip(reader, "//"))
            return -1;
    return digit_of(next(reader), PORTABLE_IMAGE_DIGITS_);
}

/* Three bytes at a time; with data == NULL only looks whether they are there. */
static int decode(struct reader *reader, size_t bytes, unsigned char *data)
{
    for (size_t k = 0; k < bytes; k += 3) {
        unsigned three = 0;
        for (int i = 0; i < 4; i++) {
            const int digit = next_digit(reader);
            if (digit < 0)
                return 0;
            three = three << 6 | (unsigned)digit;
        }
        for (size_t i = k; data && i < k + 3 && i < bytes; i++)
            data[i] = (unsigned char)(three >> (16 - 8 * (i - k)));
    }
    return 1;
}

int portable_image_find_(const char *text, size_t size, struct portable_image_ *image)
{
    struct reader reader = {text, size};
    uint64_t bytes;
    if (!skip(&reader, PORTABLE_IMAGE_MAGIC_))
        return 0;
    image->is_object = skip(&reader, PORTABLE_IMAGE_OBJECT_);
    if (!image->is_object && !skip(&reader, PORTABLE_IMAGE_LIBRARY_))
        return 0;
    image->is_followed = next(&reader) == '+';
    if (!number(&reader, 10, &bytes) || bytes == 0 || bytes > INT32_MAX || next(&reader) != ' ' ||
        !number(&reader, 16, &image->checksum))
        return 0;
    image->bytes = (size_t)bytes;
    while (peek(&reader) != '\n' && peek(&reader) != '\0')
        next(&reader);
    image->digits = reader.at;
    if (!decode(&reader, image->bytes, NULL))
        return 0;
    image->size = size - reader.left;
    return 1;
}

int portable_image_decode_(const struct portable_image_ *image, unsigned char *data)
{
    struct reader reader = {image->digits, SIZE_MAX};
    return decode(&reader, image->bytes, data) &&
           portable_image_checksum_(data, image->bytes) == image->checksum;
}

static int begins(struct reader reader, const char *text)
{
    return skip(&reader, text);
}

/* PTX begins with .version, after comments and blanks. */
static int is_ptx(struct reader reader)
{
    for (int c; (c = peek(&reader)) == '/' || c == ' ' || (c >= '\t' && c <= '\r');)
        if (skip(&reader, "/*"))
            while (peek(&reader) && !skip(&reader, "*/"))
                next(&reader);
        else if (skip(&reader, "//"))
            while (peek(&reader) && peek(&reader) != '\n')
                next(&reader);
        else
            next(&reader);
    return begins(reader, ".version");
}

cudaError_t portable_image_refuse_(const char *call, const char *text, size_t size)
{
    /* A cubin, the two forms of a fatbin, and PTX */
    const struct reader reader = {text, size};
    const int is_binary = begins(reader, "\x7f"
                                         "ELF") ||
                          begins(reader, "\x50\xed\x55\xba") || begins(reader, "\xb1\x43\x62\x46");
    const char *sentence = "this is no image of kernels by portable-nvcc";
    cudaError_t error = cudaErrorInvalidKernelImage;
    if (begins(reader, PORTABLE_IMAGE_MAGIC_)) {
        sentence = "the image is damaged, or cut off";
    } else if (is_binary || is_ptx(reader)) {
        sentence = "GPU code does not run on the CPU: compile its source by portable-nvcc -ptx, "
                   "-cubin or -fatbin, or by the nvrtc.h that comes with it";
        error = is_binary ? cudaErrorNoKernelImageForDevice : cudaErrorInvalidPtx;
    }
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", call, sentence);
    return error;
}
