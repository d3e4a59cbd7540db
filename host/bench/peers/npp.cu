/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/bench/peers/peer.h"

#include <nppi_filtering_functions.h>

#include <string.h> /* strcmp */

/* What NPP asks of its caller: the stream, and properties of the device. */
static NppStreamContext context;

static portable_status describe_device(void)
{
    cudaDeviceProp properties;
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, device);
    if (error != cudaSuccess)
        return portable_from_cuda_(error, "cudaGetDeviceProperties");
    context.nCudaDeviceId = device;
    context.nMultiProcessorCount = properties.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
    context.nSharedMemPerBlock = properties.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = properties.major;
    context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
    return PORTABLE_SUCCESS;
}

/* The blur of our case, separably: the taps of its rows and of its columns. */
static int prepare(struct run *run, struct io_error *error)
{
    static const float binomial[] = {1, 4, 6, 4, 1};
    enum { TAPS = sizeof binomial / sizeof binomial[0] };

    if (peer_prepare("blur", run, error) != 0)
        return IO_BAD;
    if (describe_device() != PORTABLE_SUCCESS)
        return io_fail(error, "case %s: %s", run->test_case->name, portable_last_message());
    float *taps = run_input_float(run, "taps", TAPS);
    for (int k = 0; taps && k < TAPS; k++)
        taps[k] = binomial[k] / 16;
    return run_ready(run, error);
}

static portable_status launch(struct run *run)
{
    const int bytes = run->columns * run->depth; /* from one row to the next */
    const NppiSize size = {run->columns, run->rows};
    const NppiPoint origin = {0, 0};
    const NppStatus status = (run->depth == 1 ? nppiFilterGaussAdvancedBorder_8u_C1R_Ctx
                                              : nppiFilterGaussAdvancedBorder_8u_C3R_Ctx)(
        DEVICE_BYTES("image"), bytes, size, origin, DEVICE_BYTES("blurred"), bytes, size, 5,
        DEVICE_FLOATS("taps"), NPP_BORDER_REPLICATE, context);

    if (status == NPP_SUCCESS)
        return PORTABLE_SUCCESS;
    return portable_fail_(PORTABLE_ERROR_DEVICE, "nppiFilterGaussAdvancedBorder: status %d",
                          (int)status);
}

/* That of our case, give or take one grey level, for the library's rounding. */
static void reference(struct run *run)
{
    case_find("blur")->reference(run);
    for (int k = 0; k < run->array_count; k++)
        if (strcmp(run->arrays[k].name, "blurred") == 0 && run->arrays[k].bound)
            for (size_t i = 0; i < array_count(&run->arrays[k].host); i++)
                run->arrays[k].bound[i] += 1;
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "stencil", .name = "npp:blur", .summary = "FilterGaussAdvancedBorder",
     .problem = "blur", .policy = CASE_ABSREL(1, 0, "the library's rounding"),
     .blocks = {{256}}, .sizes = {31, 32, 33, 200}, .timing_n = 2048, .counts = CASE_EDGE,
     .extension = ".pgm or .ppm",
     .prepare = prepare, .launch = launch, .reference = reference},
};
/* clang-format on */
GALLERY_CASES(cases)
