// SPDX-License-Identifier: 0BSD
// The kernels of photo beside NPP's routines, on a GPU and on one image: random blocks of 16 x 16
// pixels with noise, which have edges and levels of every kind.
//   nvcc -O3 -std=c++17 -arch=native -I. -I../../.. compare/npp.cu -lnppc -lnppicc \
//        -lnppif -lnppist -lnppitc -o npp && ./npp 4096
#include "pipeline.c"

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
    const int edge = argc > 1 ? atoi(argv[1]) : 4096;
    const size_t n = (size_t)edge * (size_t)edge;
    const NppiSize size = {edge, edge};
    const NppiPoint origin = {0, 0};
    std::vector<unsigned char> image(3 * n);
    NppStreamContext context = {};
    cudaDeviceProp properties;

    cudaGetDeviceProperties(&properties, 0);
    context.nMultiProcessorCount = properties.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
    context.nSharedMemPerBlock = properties.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = properties.major;
    context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
    for (size_t i = 0; i < image.size(); i++) {
        const unsigned block =
            (unsigned)(i / 3 / edge / 16 * 4099 + i / 3 % edge / 16) * 2654435761u;
        const unsigned noise = ((unsigned)i ^ (unsigned)i >> 7) * 747796405u;
        image[i] = (unsigned char)((block >> 24) * 7 / 8 + (noise >> 27));
    }

    typedef unsigned char byte;
    const size_t words = (size_t)edge * words_of(edge);
    const photo p = {edge,
                     edge,
                     80,
                     200,
                     on_device<byte>(3 * n),
                     on_device<byte>(n),
                     on_device<byte>(n),
                     on_device<byte>(n),
                     on_device<unsigned>(words),
                     on_device<unsigned>(words),
                     on_device<int>(n),
                     on_device<unsigned>(256),
                     on_device<unsigned>(256),
                     on_device<byte>(256),
                     on_device<int>(rows_of(edge, edge)),
                     on_device<int>(rows_of(edge, edge) * ROW_RUNS),
                     nullptr};
    byte *const other = on_device<byte>(n), *const edges = on_device<byte>(n);
    unsigned *const labels = on_device<unsigned>(n);
    int canny_bytes, label_bytes, *const histogram = on_device<int>(256);
    size_t histogram_bytes;
    NPP(nppiFilterCannyBorderGetBufferSize(size, &canny_bytes));
    NPP(nppiLabelMarkersUFGetBufferSize_32u_C1R(size, &label_bytes));
    NPP(nppiHistogramEvenGetBufferSize_8u_C1R_Ctx(size, 257, &histogram_bytes, context));
    byte *const buffer =
        on_device<byte>(std::max({(size_t)canny_bytes, (size_t)label_bytes, histogram_bytes}));
    PORTABLE_CHECK(portable_copy_to_device(p.colour, image.data(), image.size()));
    PORTABLE_CHECK(set_weights());
    PORTABLE_CHECK(portable_copy_to_device(p.like, like_table, sizeof like_table));

    printf("%d x %d pixels\n", edge, edge);
    compare(
        "grey levels", [&] { run_kernels(GREY, &p); },
        [&] { NPP(nppiRGBToGray_8u_C3C1R_Ctx(p.colour, 3 * edge, other, edge, size, context)); });
    // NPP has no scan of a histogram: the table of levels is ours on both sides.
    compare(
        "equalisation", [&] { run_kernels(EQUALISE, &p); },
        [&] {
            NPP(nppiHistogramEven_8u_C1R_Ctx(p.grey, edge, size, histogram, 257, 0, 256, buffer,
                                             context));
            KERNEL_LAUNCH(spread_levels, 1, 256, 0, 0, (int)n, (unsigned *)histogram, p.levels);
            NPP(nppiLUTPalette_8u_C1R_Ctx(p.grey, edge, other, edge, size, p.levels, 8, context));
        });
    compare(
        "bilateral filter", [&] { run_kernels(BILATERAL, &p); },
        [&] {
            NPP(nppiFilterBilateralGaussBorder_8u_C1R_Ctx(p.equal, edge, size, origin, other, edge,
                                                          size, RADIUS, 1, 400, 9,
                                                          NPP_BORDER_REPLICATE, context));
        });
    std::vector<byte> a(n), b(n);
    int levels = 0, pixels = 0;
    PORTABLE_CHECK(portable_copy_to_host(a.data(), p.smooth, n));
    PORTABLE_CHECK(portable_copy_to_host(b.data(), other, n));
    for (size_t i = 0; i < n; i++)
        levels = std::max(levels, abs(a[i] - b[i]));
    // NPP's edges are whole after its filter, ours after the components: hysteresis is done there.
    compare(
        "Canny's edges",
        [&] {
            run_kernels(EDGES, &p);
            run_kernels(COMPONENTS, &p);
        },
        [&] {
            NPP(nppiFilterCannyBorder_8u_C1R_Ctx(
                p.smooth, edge, size, origin, edges, edge, size, NPP_FILTER_SOBEL,
                NPP_MASK_SIZE_3_X_3, 80, 200, nppiNormL1, NPP_BORDER_REPLICATE, buffer, context));
        });
    compare(
        "components", [&] { run_kernels(COMPONENTS, &p); },
        [&] {
            NPP(nppiLabelMarkersUF_8u32u_C1R_Ctx(edges, edge, labels, edge * (int)sizeof(int), size,
                                                 nppiNormInf, buffer, context));
        });
    std::vector<int> kept(n);
    PORTABLE_CHECK(portable_copy_to_host(b.data(), edges, n));
    PORTABLE_CHECK(portable_copy_to_host(kept.data(), p.kept, n * sizeof(int)));
    for (size_t i = 0; i < n; i++)
        pixels += (b[i] != 0) != (kept[i] != BACKGROUND);
    // NPP's edges need not be those of Canny's method as OpenCV defines it; ours are.
    printf("apart: the bilateral filter by at most %d levels, Canny's edges in %d pixels\n", levels,
           pixels);
    return 0;
}
