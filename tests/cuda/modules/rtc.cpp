// SPDX-License-Identifier: BSD-3-Clause
// Kernels that are compiled at run time. With an argument, one that has the bug of this check.
#define NVRTC_GET_TYPE_NAME 1
#include "expect.h"

#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define RTC_EXPECT(call, expected) EXPECT_OF(nvrtcResult, nvrtcGetErrorString, call, expected)
#define RTC(call) RTC_EXPECT(call, NVRTC_SUCCESS)

// No header of the host's, and none of CUDA's.
static const char source[] = R"(
#include "parts/scale.h"
#include <offset.h>
#ifndef __CUDACC_RTC__
#error
#endif
namespace n
{
__device__ int counter = START;
static __constant__ float weights[2] = {1, 2};
template <class T, int N> __global__ void add(T *x, T value)
{
    x[threadIdx.x] = scale(x[threadIdx.x]) + value + T(N) + T(OFFSET) + T(weights[1]);
    if (threadIdx.x == 0)
        atomicAdd(&counter, 1);
}
} // namespace n
extern "C" __global__ void plain(size_t *x)
{
    assert(threadIdx.x < blockDim.x);
    x[threadIdx.x] = threadIdx.x;
}
)";

static std::string log_of(nvrtcProgram program)
{
    size_t size = 0;
    RTC(nvrtcGetProgramLogSize(program, &size));
    std::vector<char> log(size + 1);
    RTC(nvrtcGetProgramLog(program, log.data()));
    return log.data();
}

static std::string ptx_of(nvrtcProgram program)
{
    size_t size = 0;
    RTC(nvrtcGetPTXSize(program, &size));
    std::vector<char> ptx(size);
    RTC(nvrtcGetPTX(program, ptx.data()));
    TRUE(strlen(ptx.data()) + 1 == size);
    return ptx.data();
}

static nvrtcProgram created(const char *text, const char *name)
{
    nvrtcProgram program = nullptr;
    RTC(nvrtcCreateProgram(&program, text, name, 0, nullptr, nullptr));
    return program;
}

static void launch(CUmodule module, const char *name, void **arguments)
{
    CUfunction kernel;
    OK(cuModuleGetFunction(&kernel, module, name));
    OK(cuLaunchKernel(kernel, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
    OK(cuCtxSynchronize());
}

static void versions()
{
    int major, minor, count = 0;
    RTC(nvrtcVersion(&major, &minor));
    TRUE(major >= 13);
    RTC(nvrtcGetNumSupportedArchs(&count));
    std::vector<int> all(count);
    RTC(nvrtcGetSupportedArchs(all.data()));
    TRUE(count > 3 && all[0] == 75);
    TRUE(strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION") == 0);
    std::string name;
    RTC(nvrtcGetTypeName<const int *>(&name));
    TRUE(name == "int const*");
}

static void compiles()
{
    const char *const headers[] = {
        "#include \"parts/more.h\"\n", "#define OFFSET 100\n",
        "template <class T> __device__ T scale(T x) { return 2 * x; }\n"};
    const char *const names[] = {"parts/scale.h", "offset.h", "parts/more.h"};
    const char *const options[] = {"--gpu-architecture=compute_75",
                                   "-DSTART=5",
                                   "-I",
                                   ".",
                                   "-std=c++17",
                                   "--use_fast_math",
                                   "-lineinfo"};
    static const char instance[] = "n::add<float, 3>", other[] = "&n::add<int, 7>",
                      variable[] = "&n::counter", weights[] = "&n::weights";
    const char *name;
    nvrtcProgram program;
    CUmodule module;
    CUdeviceptr x, counter;
    float host[4] = {1, 2, 3, 4}, value = 0.5f;
    int integer, integers[4] = {1, 2, 3, 4}, seven = 7;
    size_t size, indices[4];
    void *arguments[] = {&x, &value}, *integer_arguments[] = {&x, &seven},
         *plain_arguments[] = {&x};

    RTC(nvrtcCreateProgram(&program, source, "add.cu", 3, headers, names));
    RTC(nvrtcAddNameExpression(program, instance));
    RTC(nvrtcAddNameExpression(program, other));
    RTC(nvrtcAddNameExpression(program, variable));
    RTC(nvrtcAddNameExpression(program, weights));
    RTC_EXPECT(nvrtcGetLoweredName(program, instance, &name),
               NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    RTC(nvrtcCompileProgram(program, 7, options));
    TRUE(log_of(program).empty());
    RTC_EXPECT(nvrtcAddNameExpression(program, "plain"),
               NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    RTC_EXPECT(nvrtcGetLoweredName(program, "plain", &name), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    OK(cuModuleLoadDataEx(&module, ptx_of(program).c_str(), 0, nullptr, nullptr));
    RTC(nvrtcGetCUBINSize(program, &size));
    TRUE(size == 0); // of a virtual architecture

    OK(cuMemAlloc(&x, 64));
    OK(cuMemcpyHtoD(x, host, sizeof host));
    RTC(nvrtcGetLoweredName(program, instance, &name));
    launch(module, name, arguments);
    OK(cuMemcpyDtoH(host, x, sizeof host));
    TRUE(host[0] == 107.5f && host[3] == 113.5f);
    OK(cuMemcpyHtoD(x, integers, sizeof integers));
    RTC(nvrtcGetLoweredName(program, weights, &name));
    OK(cuModuleGetGlobal(&counter, &size, module, name));
    TRUE(size == 2 * sizeof(float));
    value = 3;
    OK(cuMemcpyHtoD(counter + sizeof value, &value, sizeof value));
    RTC(nvrtcGetLoweredName(program, other, &name));
    launch(module, name, integer_arguments);
    OK(cuMemcpyDtoH(integers, x, sizeof integers));
    TRUE(integers[0] == 2 + 7 + 7 + 100 + 3 && integers[3] == integers[0] + 6);
    RTC(nvrtcGetLoweredName(program, variable, &name));
    OK(cuModuleGetGlobal(&counter, nullptr, module, name));
    OK(cuMemcpyDtoH(&integer, counter, sizeof integer));
    TRUE(integer == 7);
    launch(module, "plain", plain_arguments);
    OK(cuMemcpyDtoH(indices, x, sizeof indices));
    TRUE(indices[3] == 3);
    OK(cuModuleUnload(module));
    OK(cuMemFree(x));
    RTC(nvrtcDestroyProgram(&program));
    TRUE(!program);
}

static void fails()
{
    const char *const unknown[] = {"--nothing"}, *const none[] = {"-arch"},
                      *const wrong[] = {"-arch=gpu"}, *const real[] = {"-arch=sm_80"};
    nvrtcProgram program =
        created("__global__ void k(int *x)\n{\n    *x = nothing;\n}\n", "wrong.cu");
    size_t size;
    RTC_EXPECT(nvrtcCompileProgram(program, 0, nullptr), NVRTC_ERROR_COMPILATION);
    TRUE(log_of(program).find("wrong.cu") != std::string::npos);
    TRUE(log_of(program).find("nothing") != std::string::npos);
    RTC(nvrtcDestroyProgram(&program));

    program =
        created("extern __device__ int f();\n__global__ void k(int *x) { *x = f(); }", nullptr);
    CUmodule module; // a GPU's driver is the one that misses the function
    TRUE(nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS ||
         cuModuleLoadData(&module, ptx_of(program).c_str()) != CUDA_SUCCESS);
    RTC(nvrtcDestroyProgram(&program));

    program = created("template <class T> __global__ void k(T *x) {}\n", nullptr);
    RTC(nvrtcAddNameExpression(program, "k<missing>"));
    TRUE(nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS);
    RTC(nvrtcDestroyProgram(&program));

    program = created("__global__ void k() {}\n", "k.cu");
    RTC_EXPECT(nvrtcCompileProgram(program, 1, unknown), NVRTC_ERROR_INVALID_OPTION);
    TRUE(log_of(program).find("--nothing") != std::string::npos);
    RTC_EXPECT(nvrtcCompileProgram(program, 1, none), NVRTC_ERROR_INVALID_OPTION);
    RTC_EXPECT(nvrtcCompileProgram(program, 1, wrong), NVRTC_ERROR_INVALID_OPTION);
    RTC(nvrtcCompileProgram(program, 1, real));
    RTC(nvrtcGetCUBINSize(program, &size));
    TRUE(size > 0);
    RTC_EXPECT(nvrtcGetCUBINSize(program, nullptr), NVRTC_ERROR_INVALID_INPUT);
    RTC(nvrtcDestroyProgram(&program));
    RTC_EXPECT(nvrtcDestroyProgram(&program), NVRTC_ERROR_INVALID_PROGRAM);
    RTC_EXPECT(nvrtcCompileProgram(nullptr, 0, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
}

static void run_linked(CUmodule module)
{
    CUfunction kernel;
    CUdeviceptr x;
    int host = 21;
    void *arguments[] = {&x};
    OK(cuMemAlloc(&x, sizeof host));
    OK(cuMemcpyHtoD(x, &host, sizeof host));
    OK(cuModuleGetFunction(&kernel, module, "k"));
    OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    OK(cuMemcpyDtoH(&host, x, sizeof host));
    TRUE(host == 42);
    OK(cuMemFree(x));
    OK(cuModuleUnload(module));
}

// Halves that are linked.
static void links()
{
    const char *const option = "--relocatable-device-code=true";
    static const char *const sources[] = {
        "extern __device__ int twice(int x);\n"
        "extern \"C\" __global__ void k(int *x) { *x = twice(*x); }\n",
        "__device__ int twice(int x) { return 2 * x; }\n"};
    std::vector<std::string> parts;
    CUlinkState state;
    CUmodule module;
    size_t size;
    void *image;
    OK(cuLinkCreate(0, nullptr, nullptr, &state));
    for (const char *text : sources) {
        nvrtcProgram program = created(text, "part.cu");
        RTC(nvrtcCompileProgram(program, 1, &option));
        parts.push_back(ptx_of(program));
        RTC(nvrtcDestroyProgram(&program));
        OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, &parts.back()[0], parts.back().size() + 1, "part",
                         0, nullptr, nullptr));
    }
    OK(cuLinkComplete(state, &image, &size));
    OK(cuModuleLoadData(&module, image));
    OK(cuLinkDestroy(state));
    run_linked(module);

    // The second way.
    nvJitLinkHandle handle;
    int major = 0, minor = 0;
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    OK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0));
    const std::string architecture = "-arch=sm_" + std::to_string(10 * major + minor);
    const char *const link_options[] = {architecture.c_str(), "-verbose"};
    TRUE(nvJitLinkCreate(&handle, 1, (const char **)link_options + 1) ==
         NVJITLINK_ERROR_MISSING_ARCH);
    TRUE(nvJitLinkCreate(&handle, 2, (const char **)link_options) == NVJITLINK_SUCCESS);
    for (const std::string &part : parts)
        TRUE(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, part.c_str(), part.size() + 1, "part") ==
             NVJITLINK_SUCCESS);
    TRUE(nvJitLinkComplete(handle) == NVJITLINK_SUCCESS);
    TRUE(nvJitLinkGetLinkedCubinSize(handle, &size) == NVJITLINK_SUCCESS);
    std::vector<char> cubin(size);
    TRUE(nvJitLinkGetLinkedCubin(handle, cubin.data()) == NVJITLINK_SUCCESS);
    TRUE(nvJitLinkDestroy(&handle) == NVJITLINK_SUCCESS);
    OK(cuModuleLoadData(&module, cubin.data()));
    run_linked(module);
    // Without the first, "twice" is missing.
    TRUE(nvJitLinkCreate(&handle, 2, (const char **)link_options) == NVJITLINK_SUCCESS);
    TRUE(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, parts[0].c_str(), parts[0].size() + 1,
                          "first") == NVJITLINK_SUCCESS);
    TRUE(nvJitLinkComplete(handle) != NVJITLINK_SUCCESS);
    TRUE(nvJitLinkGetErrorLogSize(handle, &size) == NVJITLINK_SUCCESS && size > 0);
    TRUE(nvJitLinkDestroy(&handle) == NVJITLINK_SUCCESS);
}
static void bug(char which)
{
    static const char text[] = "extern \"C\" __global__ void bug(int *x, char which)\n"
                               "{\n"
                               "    __shared__ int tile[4];\n"
                               "    if (which == 'm')\n"
                               "        x[threadIdx.x + 1] = 1;\n" // line 5
                               "    if (which == 'r')\n"
                               "        tile[0] = threadIdx.x;\n" // line 7
                               "    if (which == 'i')\n"
                               "        x[threadIdx.x] += 1;\n" // line 9
                               "    if (which == 's' && threadIdx.x < 3)\n"
                               "        __syncthreads();\n" // line 11
                               "    if (which == 't')\n"
                               "        x[threadIdx.x] = 2;\n" // line 13
                               "    if (which == 'r')\n"
                               "        x[threadIdx.x] = tile[0];\n"
                               "}\n";
    nvrtcProgram program = created(text, "bug.cu");
    CUmodule module;
    CUdeviceptr x;
    void *arguments[] = {&x, &which};
    RTC(nvrtcCompileProgram(program, 0, nullptr));
    OK(cuModuleLoadData(&module, ptx_of(program).c_str()));
    RTC(nvrtcDestroyProgram(&program));
    OK(cuMemAlloc(&x, 4 * sizeof(int)));
    if (which == 't') {
        CUstream stream;
        OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        OK(cuMemsetD8Async(x, 0, 4 * sizeof(int), stream));
    }
    launch(module, "bug", arguments);
    OK(cuMemFree(x));
}

int main(int count, char **arguments)
{
    CUcontext context;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    if (count > 1) {
        bug(strcmp(arguments[1], "streamcheck") == 0 ? 't' : arguments[1][0]);
        return failures > 0;
    }
    versions();
    compiles();
    fails();
    links();
    printf("%d failures\n", failures);
    return failures > 0;
}
