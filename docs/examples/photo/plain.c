/* SPDX-License-Identifier: 0BSD */
/* The stages in plain C: the same arguments as the kernels', in host memory. Included, as kernels
 * are. */
#include "kernels/pixels.h"

#include <stdlib.h> /* abs */
#include <string.h> /* memset */

static void plain_grey(int n, const unsigned char *colour, unsigned char *grey)
{
    for (int i = 0; i < n; i++, colour += 3)
        grey[i] = (unsigned char)((77 * colour[0] + 150 * colour[1] + 29 * colour[2] + 128) >> 8);
}

static void plain_equalise(int n, const unsigned char *image, unsigned char *result)
{
    long long counts[256] = {0}, lowest = 0, upto = 0;
    unsigned char levels[256] = {0};

    for (int i = 0; i < n; i++)
        counts[image[i]]++;
    for (int v = 0; v < 256; v++) {
        upto += counts[v];
        if (lowest == 0)
            lowest = upto;
        levels[v] = (unsigned char)(n == lowest ? v
                                                : (255 * (upto - lowest) + (n - lowest) / 2) /
                                                      (n - lowest));
    }
    for (int i = 0; i < n; i++)
        result[i] = levels[image[i]];
}

/* The pixel at (x, y), or the nearest to it. */
static int at(const unsigned char *image, int width, int height, int x, int y)
{
    x = x < 0 ? 0 : x < width ? x : width - 1;
    y = y < 0 ? 0 : y < height ? y : height - 1;
    return image[y * width + x];
}

static void plain_bilateral(int width, int height, const unsigned *nearness,
                            const unsigned *likeness, const unsigned char *image,
                            unsigned char *smooth)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int centre = image[y * width + x];
            const int inside =
                x >= RADIUS && x < width - RADIUS && y >= RADIUS && y < height - RADIUS;
            unsigned sum = 0, weights = 0;

            for (int v = -RADIUS; v <= RADIUS; v++)
                for (int u = -RADIUS; u <= RADIUS; u++) {
                    const int level = inside ? image[(y + v) * width + x + u]
                                             : at(image, width, height, x + u, y + v);
                    const unsigned weight = nearness[(v + RADIUS) * DIAMETER + u + RADIUS] *
                                            likeness[abs(level - centre)];
                    sum += weight * (unsigned)level;
                    weights += weight;
                }
            smooth[y * width + x] = (unsigned char)((sum + weights / 2) / weights);
        }
}

static int2 sobel(const unsigned char *image, int width, int height, int x, int y)
{
    int2 g = {0, 0};

    for (int k = -1; k <= 1; k++) {
        const int weight = k == 0 ? 2 : 1;
        g.x += weight *
               (at(image, width, height, x + 1, y + k) - at(image, width, height, x - 1, y + k));
        g.y += weight *
               (at(image, width, height, x + k, y + 1) - at(image, width, height, x + k, y - 1));
    }
    return g;
}

static int magnitude_at(const unsigned char *image, int width, int height, int x, int y)
{
    if (x < 0 || x >= width || y < 0 || y >= height)
        return 0;
    const int2 g = sobel(image, width, height, x, y);
    return abs(g.x) + abs(g.y);
}

static void plain_mark_edges(int width, int height, int low, int high, const unsigned char *image,
                             unsigned *edges, unsigned *strong)
{
    const int words = words_of(width);

    memset(edges, 0, (size_t)height * (size_t)words * sizeof *edges);
    memset(strong, 0, (size_t)height * (size_t)words * sizeof *strong);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int2 g = sobel(image, width, height, x, y);
            const int size = abs(g.x) + abs(g.y);
            const int flat = 32768 * abs(g.y) < 13573 * abs(g.x);
            const int steep = 32768 * abs(g.y) > (13573 + 65536) * abs(g.x);
            const int dx = steep ? 0 : 1, dy = flat ? 0 : steep || (g.x ^ g.y) >= 0 ? 1 : -1;
            int first, second;

            if (size <= low)
                continue;
            first = magnitude_at(image, width, height, x - dx, y - dy);
            second = magnitude_at(image, width, height, x + dx, y + dy);
            if (size > first && (flat || steep ? size >= second : size > second)) {
                edges[y * words + x / 32] |= 1u << x % 32;
                strong[y * words + x / 32] |= (unsigned)(size > high) << x % 32;
            }
        }
}

/* Flood fill from the first pixel of each component, in the order of the image. */
static void plain_components(int width, int height, const unsigned *edges, const unsigned *strong,
                             int *stack, int *kept)
{
    const int n = width * height, words = words_of(width);

    for (int i = 0; i < n; i++)
        kept[i] = edges[i / width * words + i % width / 32] >> i % width % 32 & 1 ? -1 : BACKGROUND;
    for (int first = 0; first < n; first++) {
        int filled = 0;
        unsigned is_strong = 0;

        if (kept[first] != -1)
            continue;
        kept[stack[filled++] = first] = first;
        for (int k = 0; k < filled; k++) {
            const int x = stack[k] % width, y = stack[k] / width;

            is_strong |= strong[y * words + x / 32] >> x % 32 & 1;
            for (int row = y - 1; row <= y + 1; row++)
                for (int column = x - 1; column <= x + 1; column++)
                    if (row >= 0 && row < height && column >= 0 && column < width &&
                        kept[row * width + column] == -1)
                        kept[stack[filled++] = row * width + column] = first;
        }
        for (int k = 0; !is_strong && k < filled; k++)
            kept[stack[k]] = BACKGROUND;
    }
}
