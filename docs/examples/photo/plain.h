/* SPDX-License-Identifier: 0BSD */
/* Each stage in plain C, for comparison: the same arguments as its kernels, in host memory. */
#ifndef PHOTO_PLAIN_H
#define PHOTO_PLAIN_H

#ifdef __cplusplus
extern "C" {
#endif

void plain_grey(int n, const unsigned char *colour, unsigned char *grey);
void plain_equalise(int n, const unsigned char *image, unsigned char *result);
void plain_bilateral(int width, int height, const unsigned *near_weights,
                     const unsigned *like_weights, const unsigned char *image,
                     unsigned char *smooth);
void plain_mark_edges(int width, int height, int low, int high, const unsigned char *image,
                      unsigned char *marks);

/* stack: scratch, one element for each pixel; kept: as label_components makes it */
void plain_components(int width, int height, const unsigned char *marks, int *stack, int *kept);

/* The bilateral filter's tables: gaussians of 3 pixels and of 20 levels, rounded to 1/256. */
void bilateral_weights(unsigned *near_weights, unsigned *like_weights);

#ifdef __cplusplus
}
#endif

#endif
