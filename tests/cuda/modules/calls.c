/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modules of the driver API, from C: calls FILE... with images of kernels.cu. With FILE and PART1
 * PART2, after -l, those of parts.cu are linked. With -b WHICH FILE, a bug in a module.
 */
#include "expect.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 32 };

/* As programs read images: into a string, with nothing after a zero byte in it. */
static char *read_text(const char *name, size_t *bytes)
{
    FILE *const file = fopen(name, "rb");
    char *const text = (char *)calloc(1, 10 << 20);
    *bytes = file && text ? fread(text, 1, (10 << 20) - 1, file) : 0;
    if (file)
        fclose(file);
    TRUE(*bytes > 0);
    return text;
}

static CUfunction function(CUmodule module, const char *name)
{
    CUfunction found = NULL;
    OK(cuModuleGetFunction(&found, module, name));
    return found;
}

static void launch(CUfunction kernel, unsigned shared_bytes, void **arguments, void **extra)
{
    OK(cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, shared_bytes, NULL, arguments, extra));
    OK(cuCtxSynchronize());
}

static void variables(CUmodule module, CUmodule other)
{
    CUdeviceptr memory;
    size_t bytes;
    int value;

    OK(cuModuleGetGlobal(&memory, &bytes, module, "counter"));
    OK(cuMemcpyDtoH(&value, memory, sizeof value));
    TRUE(bytes == sizeof value && value == THREADS);
    OK(cuModuleGetGlobal(&memory, NULL, other, "counter")); /* each module has its own */
    OK(cuMemcpyDtoH(&value, memory, sizeof value));
    TRUE(value == 0);
    OK(cuModuleGetGlobal(NULL, &bytes, module, "_ZN1n5tableE"));
    TRUE(bytes == 4 * sizeof(float));
    EXPECT(cuModuleGetGlobal(&memory, &bytes, module, "scale"), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuModuleGetGlobal(&memory, &bytes, module, "none"), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleGetGlobal(NULL, NULL, module, "counter"), CUDA_ERROR_INVALID_VALUE);
    OK(cuModuleGetGlobal(&memory, NULL, module, "factor"));
    value = 7;
    OK(cuMemcpyHtoD(memory, &value, sizeof value));
}

static void kernels(const char *file)
{
    struct {
        CUdeviceptr x;
        char tag;
        double addend;
    } packed = {0, 1, 10.5};
    size_t size = sizeof packed, offset, bytes;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    void *arguments[] = {&packed.x, &packed.tag, &packed.addend};
    int host[THREADS], value;
    float reals[THREADS], number = 1.5f;
    void *reals_arguments[] = {&packed.x, &number};
    CUmodule module, other;
    CUfunction scale, kernel;

    OK(cuModuleLoad(&module, file));
    OK(cuModuleLoad(&other, file));
    scale = function(module, "scale");
    OK(cuMemAlloc(&packed.x, sizeof host));
    for (int k = 0; k < THREADS; k++)
        host[k] = k;
    OK(cuMemcpyHtoD(packed.x, host, sizeof host));
    launch(scale, sizeof host, NULL, extra);
    OK(cuMemcpyDtoH(host, packed.x, sizeof host));
    TRUE(host[0] == 3 * 31 + 11 && host[31] == 11);
    variables(module, other);
    launch(scale, sizeof host, arguments, NULL);
    OK(cuMemcpyDtoH(host, packed.x, sizeof host));
    TRUE(host[0] == 7 * 11 + 11 && host[31] == 7 * 104 + 11);
    EXPECT(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, extra),
           CUDA_ERROR_INVALID_VALUE);
    OK(cuFuncGetParamInfo(scale, 2, &offset, &bytes));
    TRUE(offset == 16 && bytes == sizeof(double));
    EXPECT(cuFuncGetParamInfo(scale, 3, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);

    kernel = function(module, "_Z4fillIfEvPT_S0_");
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel));
    TRUE(value == 64);
    CUlaunchConfig config;
    memset(&config, 0, sizeof config);
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = THREADS;
    config.blockDimY = config.blockDimZ = 1;
    OK(cuLaunchKernelEx(&config, kernel, reals_arguments, NULL));
    OK(cuMemcpyDtoH(reals, packed.x, sizeof reals));
    TRUE(reals[0] == 3.5f && reals[31] == 3.5f);
    EXPECT(cuModuleGetFunction(&kernel, module, "fill"), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleGetFunction(&kernel, module, "_Z6scaledi"), CUDA_ERROR_NOT_FOUND);
    OK(cuModuleUnload(other));
    OK(cuModuleUnload(module));
    EXPECT(cuModuleLoad(&module, "none.cubin"), CUDA_ERROR_FILE_NOT_FOUND);
    /* Each time at the same place, or another. */
    for (int k = 0; k < 5; k++) {
        OK(cuModuleLoad(&module, file));
        launch(function(module, "_Z5plainv"), 0, NULL, NULL);
        OK(cuModuleUnload(module));
    }
    OK(cuMemFree(packed.x));
}

/* The image as a string, in memory that ends with it. */
static void data(const char *file)
{
    size_t bytes, size;
    char *const text = read_text(file, &bytes);
    char log[64] = "?";
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER};
    void *values[] = {(void *)(size_t)sizeof log, log};
    CUmodule module;
    CUlibrary library;
    CUlibrary with_kernel;
    CUkernel kernel;
    CUfunction from_kernel;
    const char *name;
    CUdeviceptr memory;
    int value;

    OK(cuModuleLoadDataEx(&module, text, 2, options, values));
    TRUE(log[0] == '\0');
    launch(function(module, "_Z5plainv"), 0, NULL, NULL);
    OK(cuModuleUnload(module));
    OK(cuModuleLoadFatBinary(&module, text));
    OK(cuModuleUnload(module));

    OK(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "_Z5plainv"));
    EXPECT(cuLibraryGetKernel(&kernel, library, "none"), CUDA_ERROR_NOT_FOUND);
    OK(cuLibraryGetModule(&module, library));
    OK(cuKernelGetFunction(&from_kernel, kernel));
    OK(cuKernelGetLibrary(&with_kernel, kernel));
    TRUE(with_kernel == library);
    OK(cuKernelGetName(&name, kernel));
    TRUE(strstr(name, "plain") != NULL); /* on a GPU it is mangled */
    launch(from_kernel, 0, NULL, NULL);
    launch((CUfunction)(void *)kernel, 0, NULL, NULL);
    OK(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
    TRUE(value == 1024);
    OK(cuLibraryGetManaged(&memory, &size, library, "managed"));
    TRUE(size == sizeof(int) && *(int *)(size_t)memory == 5);
    OK(cuLibraryGetGlobal(&memory, &size, library, "counter"));
    OK(cuLibraryUnload(library));
    OK(cuLibraryLoadFromFile(&library, file, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryUnload(library));
    free(text);
}

static void link_parts(const char *first, const char *second)
{
    CUjit_option options[] = {CU_JIT_WALL_TIME, CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    char log[4096] = "";
    void *values[] = {NULL, log, (void *)(size_t)sizeof log};
    int host[THREADS] = {1, 2, 3};
    CUlinkState state;
    CUmodule module;
    CUdeviceptr x;
    void *image, *arguments[] = {&x};
    size_t bytes;
    char *const text = read_text(first, &bytes);

    OK(cuLinkCreate(3, options, values, &state));
    OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, text, bytes + 1, "first", 0, NULL, NULL));
    free(text);
    OK(cuLinkAddFile(state, CU_JIT_INPUT_PTX, second, 0, NULL, NULL));
    EXPECT(cuLinkAddFile(state, CU_JIT_INPUT_PTX, "none.ptx", 0, NULL, NULL),
           CUDA_ERROR_FILE_NOT_FOUND);
    OK(cuLinkComplete(state, &image, &bytes));
    OK(cuModuleLoadData(&module, image));
    OK(cuLinkDestroy(state));
    OK(cuMemAlloc(&x, sizeof host));
    OK(cuMemcpyHtoD(x, host, sizeof host));
    launch(function(module, "linked"), 0, arguments, NULL);
    OK(cuMemcpyDtoH(host, x, sizeof host));
    TRUE(host[0] == 102 && host[2] == 106 && host[31] == 100);
    OK(cuModuleUnload(module));
    OK(cuMemFree(x));

    /* What one refers to is missing. */
    values[2] = (void *)(size_t)sizeof log;
    OK(cuLinkCreate(3, options, values, &state));
    OK(cuLinkAddFile(state, CU_JIT_INPUT_PTX, first, 0, NULL, NULL));
    TRUE(cuLinkComplete(state, &image, &bytes) != CUDA_SUCCESS);
    TRUE(strstr(log, "twice") != NULL);
    OK(cuLinkDestroy(state));
}

static void bug(int which, const char *file)
{
    CUmodule module;
    CUstream stream;
    CUdeviceptr x;
    void *arguments[] = {&x, &which};

    OK(cuModuleLoad(&module, file));
    if (failures > 0)
        return;
    OK(cuMemAlloc(&x, THREADS * sizeof(int)));
    if (which == 't')
        OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    if (which == 't')
        OK(cuMemsetD8Async(x, 0, THREADS * sizeof(int), stream));
    OK(cuLaunchKernel(function(module, "bug"), 1, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL));
    OK(cuMemFree(x));
    OK(cuModuleUnload(module));
}

int main(int count, char **arguments)
{
    CUcontext context;

    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    if (count == 4 && strcmp(arguments[1], "-b") == 0) {
        bug(strcmp(arguments[2], "streamcheck") == 0 ? 't' : arguments[2][0], arguments[3]);
        return failures != 0;
    }
    if (count == 4 && strcmp(arguments[1], "-l") == 0)
        link_parts(arguments[2], arguments[3]);
    else
        for (int k = 1; k < count; k++) {
            kernels(arguments[k]);
            data(arguments[k]);
        }
    OK(cuCtxDestroy(context));
    printf("%d failures\n", failures);
    return failures != 0;
}
