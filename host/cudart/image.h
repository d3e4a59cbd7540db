/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Images, that is files of -ptx, -cubin and -fatbin and the results of nvrtc.h: what cuModuleLoad
 * and cuLinkAddData take. An image is a text, as PTX is, so that programs can treat it as a C
 * string, and its length is in it, so that they need not:
 *
 *     // portable-image 1 KIND BYTES CHECKSUM: WORDS
 *     //BASE64
 *     ...
 *
 * The file in base64 is a library with kernels, or an object that is still to be linked. With a +
 * after KIND another image follows, of the same module.
 */
#ifndef PORTABLE_HOST_CUDART_IMAGE_H
#define PORTABLE_HOST_CUDART_IMAGE_H

#include "host/cudart/include/driver_types.h" /* cudaError_t */

#include <stddef.h> /* size_t */
#include <stdint.h> /* uint64_t */

#define PORTABLE_IMAGE_MAGIC_ "// portable-image 1 "
#define PORTABLE_IMAGE_LIBRARY_ "library"
#define PORTABLE_IMAGE_OBJECT_ "object"
#define PORTABLE_IMAGE_DIGITS_ "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/* FNV-1a */
static inline uint64_t portable_image_checksum_(const unsigned char *data, size_t bytes)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t k = 0; k < bytes; k++)
        sum = (sum ^ data[k]) * 0x100000001b3u;
    return sum;
}

struct portable_image_ {
    size_t bytes, size; /* of the file, and of the image up to its last digit */
    uint64_t checksum;
    const char *digits; /* and what surrounds them */
    int is_object, is_followed;
};
/* Reads the first image of a text, which may be shorter than it says if it was cut off: no byte is
 * looked at beyond `size`, SIZE_MAX if that is not known, or beyond the first that is wrong.
 * Returns 0 if it is not an image as above; the checksum is not looked at. */
int portable_image_find_(const char *text, size_t size, struct portable_image_ *image);
/* Writes the image's file to data; returns 0 if the checksum is wrong. */
int portable_image_decode_(const struct portable_image_ *image, unsigned char *data);
/* Prints why a text is none, after the name of the call; returns the error. */
cudaError_t portable_image_refuse_(const char *call, const char *text, size_t size);

#endif
