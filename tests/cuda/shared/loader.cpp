// SPDX-License-Identifier: BSD-3-Clause
// loader LIBRARY FUNCTION [CHECK]: loads the library from another directory than the current one at
// the end, calls the function twice, and once more after it was unloaded and loaded again.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <dlfcn.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int *memory = nullptr, result = 0;
    if (cudaMalloc((void **)&memory, sizeof *memory) != cudaSuccess)
        return 3;
    for (int round = 0; round < 2; round++) {
        void *const library = dlopen(arguments[1], RTLD_NOW);
        if (!library) {
            std::printf("%s\n", dlerror());
            return 3;
        }
        void *const function = dlsym(library, arguments[2]);
        if (count > 3) {
            if (chdir("/") != 0)
                return 3;
            ((void (*)(const char *))function)(arguments[3]);
            break;
        }
        result = ((int (*)())function)();
        dlclose(library);
    }
    if (count <= 3)
        std::printf("%d\n", result);
    return cudaFree(memory) != cudaSuccess;
}
