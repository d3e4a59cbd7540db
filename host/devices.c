/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/devices.h"

enum { THREADS_OF_A_MULTIPROCESSOR = 2048 };

/* Operations per clock of one multiprocessor, by compute capability. Floats and doubles: CUDA
 * C++ Programming Guide, "Arithmetic Instructions", table of throughputs. Tensor cores: 4 cores
 * of 256 (8.0) and 512 (9.0) fused multiply-adds per clock, NVIDIA A100 and H100 Tensor Core GPU
 * Architecture white papers; 0 is unknown. */
static const struct {
    int major, minor;
    double of_float, of_double, tensor;
} gpus[] = {
    {7, 5, 128, 4, 0},      {8, 0, 128, 64, 2048}, {8, 6, 256, 4, 0},  {8, 9, 256, 4, 0},
    {9, 0, 256, 128, 4096}, {10, 0, 256, 128, 0},  {12, 0, 256, 4, 0},
};

struct device_rates device_rates(const struct portable_device *device)
{
    const double clocks = 1e6 * device->clock_mhz * device->multiprocessors;
    struct device_rates rates = {0, 0};

    for (size_t k = 0; k < sizeof gpus / sizeof gpus[0]; k++)
        if (gpus[k].major == device->major && gpus[k].minor == device->minor) {
            rates.real =
                clocks * (sizeof(REAL) == sizeof(double) ? gpus[k].of_double : gpus[k].of_float);
            rates.tensor = clocks * gpus[k].tensor;
        }
    return rates;
}

int device_timing_size(int n, int dimensions)
{
    static const struct {
        int gpu_factor, gpu_limit, emulate_divisor;
    } scales[] = {{1, 0, 1}, {16, 1 << 28, 16}, {8, 1 << 14, 4}, {2, 1 << 14, 4}};
    const int factor = scales[dimensions].gpu_factor, limit = scales[dimensions].gpu_limit;

    if (PORTABLE_TARGET_EMULATE)
        return n / scales[dimensions].emulate_divisor;
    if (!PORTABLE_TARGET_CUDA || n > limit)
        return n;
    return n > limit / factor ? limit : n * factor;
}

unsigned device_blocks(unsigned threads)
{
    struct portable_device device;

    if (portable_device_properties(&device) != PORTABLE_SUCCESS)
        return 1;
    return (unsigned)device.multiprocessors *
           (PORTABLE_TARGET_CUDA ? THREADS_OF_A_MULTIPROCESSOR / threads : 1);
}
