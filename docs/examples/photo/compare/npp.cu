// SPDX-License-Identifier: 0BSD
// The kernels of photo beside NPP's routines, on a GPU and on one image: random blocks of 16 x 16
// pixels with noise, which have edges and levels of every kind.
//   nvcc -O3 -std=c++17 -arch=native -I. -I../../.. compare/npp.cu plain.c -lnppc -lnppicc \
//        -lnppif -lnppist -lnppitc -o npp && ./npp 4096
#include "kernels/bilateral.c"
#include "kernels/components.c"
#include "kernels/edges.c"
#include "kernels/equalise.c"
#include "kernels/grey.c"
#include "plain.h"

#include <algorithm>
#include <functional>
#include <nppi.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

static void npp_check(NppStatus status, const char *call)
{
    if (status != NPP_SUCCESS)
        fprintf(stderr, "%s: status %d\n", call, (int)status);
}
#define NPP(call) npp_check(call, #call)

template <typename Type> static Type *on_device(size_t count)
{
    Type *memory;
    PORTABLE_CHECK(portable_malloc(&memory, count * sizeof(Type)));
    return memory;
}

// Milliseconds of each of two, alternately: the medians of 31.
static void compare(const char *name, std::function<void()> ours, std::function<void()> theirs)
{
    std::vector<float> times[2];
    portable_event from, to;
    PORTABLE_CHECK(portable_event_create(&from));
    PORTABLE_CHECK(portable_event_create(&to));
    for (int k = 0; k < 2 * 34; k++) {
        float milliseconds;
        PORTABLE_CHECK(portable_event_record(from, 0));
        k % 2 ? theirs() : ours();
        PORTABLE_CHECK(portable_event_record(to, 0));
        PORTABLE_CHECK(portable_event_synchronize(to));
        PORTABLE_CHECK(portable_event_elapsed(&milliseconds, from, to));
        if (k >= 6)
            times[k % 2].push_back(milliseconds);
    }
    for (auto &t : times)
        std::sort(t.begin(), t.end());
    printf("%-28s %9.4f ms  NPP %9.4f ms\n", name, times[0][15], times[1][15]);
}

int main(int argc, char **argv)
{
    const int edge = argc > 1 ? atoi(argv[1]) : 4096, n = edge * edge;
    const NppiSize size = {edge, edge};
    const NppiPoint origin = {0, 0};
    const dim3 tiles((edge + 31) / 32, (edge + 7) / 8), tile(32, 8);
    std::vector<unsigned char> photo(3 * (size_t)n);
    unsigned near_table[DIAMETER * DIAMETER], like_table[256];
    NppStreamContext context = {};
    cudaDeviceProp properties;

    cudaGetDeviceProperties(&properties, 0);
    context.nMultiProcessorCount = properties.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
    context.nSharedMemPerBlock = properties.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = properties.major;
    context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
    for (size_t i = 0; i < photo.size(); i++) {
        const size_t x = i / 3 % edge, y = i / 3 / edge;
        unsigned block = (unsigned)(y / 16 * 4099 + x / 16) * 2654435761u, noise = (unsigned)i * 747796405u;
        noise = (noise ^ noise >> 15) * 2246822519u;
        photo[i] = (unsigned char)((block >> 24) * 7 / 8 + (noise >> 27));
    }

    unsigned char *colour = on_device<unsigned char>(3 * (size_t)n), *grey = on_device<unsigned char>(n);
    unsigned char *equal = on_device<unsigned char>(n), *smooth = on_device<unsigned char>(n);
    unsigned char *marks = on_device<unsigned char>(n), *levels = on_device<unsigned char>(256);
    unsigned char *other = on_device<unsigned char>(n), *edges = on_device<unsigned char>(n);
    unsigned *counts = on_device<unsigned>(256), *like = on_device<unsigned>(256);
    int *labels = on_device<int>(n), *next = on_device<int>(n), *kept = on_device<int>(n);
    int *changed = on_device<int>(1), *histogram = on_device<int>(256);
    int canny_bytes, label_bytes;
    size_t histogram_bytes;
    NPP(nppiFilterCannyBorderGetBufferSize(size, &canny_bytes));
    NPP(nppiLabelMarkersUFGetBufferSize_32u_C1R(size, &label_bytes));
    NPP(nppiHistogramEvenGetBufferSize_8u_C1R_Ctx(size, 257, &histogram_bytes, context));
    unsigned char *buffer = on_device<unsigned char>(
        std::max({(size_t)canny_bytes, (size_t)label_bytes, histogram_bytes}));

    PORTABLE_CHECK(portable_copy_to_device(colour, photo.data(), photo.size()));
    bilateral_weights(near_table, like_table);
    PORTABLE_CHECK(portable_copy_to_constant(near_weights, near_table, sizeof near_table));
    PORTABLE_CHECK(portable_copy_to_device(like, like_table, sizeof like_table));

    printf("%d x %d pixels\n", edge, edge);
    compare(
        "grey levels", [&] { KERNEL_LAUNCH_AUTO(grey_levels, n, n, colour, grey); },
        [&] { NPP(nppiRGBToGray_8u_C3C1R_Ctx(colour, 3 * edge, other, edge, size, context)); });
    // NPP has no scan of the histogram: the table of levels is ours on both sides.
    compare(
        "equalisation",
        [&] {
            portable_memset(counts, 0, 1024);
            KERNEL_LAUNCH(count_levels, std::min(n / 4096 + 1, 1024), 256, 0, 0, n, grey, counts);
            KERNEL_LAUNCH(spread_levels, 1, 256, 0, 0, n, counts, levels);
            KERNEL_LAUNCH_AUTO(look_up, n, n, levels, grey, equal);
        },
        [&] {
            NPP(nppiHistogramEven_8u_C1R_Ctx(grey, edge, size, histogram, 257, 0, 256, buffer, context));
            KERNEL_LAUNCH(spread_levels, 1, 256, 0, 0, n, (unsigned *)histogram, levels);
            NPP(nppiLUTPalette_8u_C1R_Ctx(grey, edge, other, edge, size, levels, 8, context));
        });
    compare(
        "bilateral filter",
        [&] { KERNEL_LAUNCH(bilateral, tiles, tile, 0, 0, edge, edge, like, equal, smooth); },
        [&] {
            NPP(nppiFilterBilateralGaussBorder_8u_C1R_Ctx(equal, edge, size, origin, other, edge,
                                                          size, RADIUS, 1, 400.0f, 9.0f,
                                                          NPP_BORDER_REPLICATE, context));
        });
    // NPP's filter ends with the edges, ours after the components of edge pixels.
    compare(
        "edges: Canny's method",
        [&] {
            KERNEL_LAUNCH(mark_edges, tiles, tile, 0, 0, edge, edge, 80, 200, smooth, marks);
            label_components(edge, edge, marks, labels, next, changed, kept);
        },
        [&] {
            NPP(nppiFilterCannyBorder_8u_C1R_Ctx(smooth, edge, size, origin, edges, edge, size,
                                                 NPP_FILTER_SOBEL, NPP_MASK_SIZE_3_X_3, 80, 200,
                                                 nppiNormL1, NPP_BORDER_REPLICATE, buffer, context));
        });
    compare(
        "components",
        [&] { label_components(edge, edge, marks, labels, next, changed, kept); },
        [&] {
            NPP(nppiLabelMarkersUF_8u32u_C1R_Ctx(edges, edge, (unsigned *)labels, (int)(edge * sizeof(int)),
                                                 size, nppiNormInf, buffer, context));
        });
    std::vector<unsigned char> a(n), b(n);
    std::vector<int> k(n);
    PORTABLE_CHECK(portable_copy_to_host(a.data(), smooth, n));
    NPP(nppiFilterBilateralGaussBorder_8u_C1R_Ctx(equal, edge, size, origin, other, edge, size, RADIUS, 1,
                                                  400.0f, 9.0f, NPP_BORDER_REPLICATE, context));
    PORTABLE_CHECK(portable_copy_to_host(b.data(), other, n));
    int largest = 0, differ = 0;
    for (int i = 0; i < n; i++)
        largest = std::max(largest, abs(a[i] - b[i]));
    PORTABLE_CHECK(portable_copy_to_host(b.data(), edges, n));
    label_components(edge, edge, marks, labels, next, changed, kept);
    PORTABLE_CHECK(portable_copy_to_host(k.data(), kept, n * sizeof(int)));
    for (int i = 0; i < n; i++)
        differ += (b[i] != 0) != (k[i] != BACKGROUND);
    printf("bilateral filter: at most %d levels apart; edges: %d of %d pixels differ\n", largest, differ, n);
    return 0;
}
