// SPDX-License-Identifier: BSD-3-Clause
// CUDA's version, as programs ask for it.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

int main()
{
    cudaError_t (*const ask)(int *) = cudaRuntimeGetVersion;
    int runtime = 0, pointer = 0, runtime_driver = 0, driver = 0;
    printf("%d %d %d %d.%d.%d %d.%d %d\n", CUDART_VERSION, CUDA_VERSION, __CUDART_API_VERSION,
           __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__, __CUDA_API_VER_MAJOR__,
           __CUDA_API_VER_MINOR__, __CUDA_ARCH__);
    if (cudaRuntimeGetVersion(&runtime) != cudaSuccess || ask(&pointer) != cudaSuccess ||
        cudaDriverGetVersion(&runtime_driver) != cudaSuccess ||
        cuDriverGetVersion(&driver) != CUDA_SUCCESS)
        return 1;
    printf("runtime %d\n", runtime);
    /* A driver runs programs of its own version and of older ones. */
    return runtime != pointer || driver != runtime_driver || driver < runtime ||
           cudaRuntimeGetVersion(nullptr) != cudaErrorInvalidValue;
}
