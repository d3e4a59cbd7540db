// SPDX-License-Identifier: BSD-3-Clause
// libraries FILE: the runtime API's libraries, of kernels.cu.
#include <cstdio>

int main(int, char **arguments)
{
    int host[32], *x, *counter;
    char tag = 1;
    double addend = 10.5;
    void *values[] = {&x, &tag, &addend};
    size_t bytes;
    cudaLibrary_t library;
    cudaKernel_t kernel;

    printf("%s\n", cudaGetErrorName(cudaLibraryLoadFromFile(&library, arguments[1], nullptr,
                                                            nullptr, 0, nullptr, nullptr, 0)));
    printf("%s\n", cudaGetErrorName(cudaLibraryGetKernel(&kernel, library, "none")));
    printf("%s\n", cudaGetErrorName(cudaLibraryGetKernel(&kernel, library, "scale")));
    for (int k = 0; k < 32; k++)
        host[k] = k;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaGetLastError();
    printf("%s\n", cudaGetErrorName(cudaLaunchKernel((const void *)kernel, 1, 32, values,
                                                     sizeof host, nullptr)));
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[31]);
    cudaLibraryGetGlobal((void **)&counter, &bytes, library, "counter");
    cudaMemcpy(host, counter, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %zu\n", host[0], bytes);
    printf("%s\n", cudaGetErrorName(cudaLibraryUnload(library)));
    printf("%s\n", cudaGetErrorName(cudaLibraryUnload(library)));
    cudaFree(x);
    return 0;
}
