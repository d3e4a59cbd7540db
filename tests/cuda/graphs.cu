// SPDX-License-Identifier: BSD-3-Clause
// Graphs node by node: memory of a graph, changed parameters, added dependencies, conditions.
#include <cstdio>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess)                                                                 \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(error_));                           \
    } while (0)

__global__ void fill(int *to, int value)
{
    to[threadIdx.x] = value + (int)threadIdx.x;
}
__global__ void add(int *to, const int *from)
{
    to[threadIdx.x] += from[threadIdx.x];
}
__global__ void twice(int *to)
{
    to[threadIdx.x] *= 2;
}
__global__ void count_down(int *counter, cudaGraphConditionalHandle handle)
{
    cudaGraphSetConditional(handle, (unsigned)--*counter);
}
__global__ void set_condition(cudaGraphConditionalHandle handle, unsigned value)
{
    cudaGraphSetConditional(handle, value);
}

static void show(const char *what, const int *memory)
{
    int host[4];
    CHECK(cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost));
    printf("%s: %d %d %d %d\n", what, host[0], host[1], host[2], host[3]);
}
static cudaKernelNodeParams kernel_of(void *function, void **arguments)
{
    cudaKernelNodeParams parameters = {};
    parameters.func = function;
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(4);
    parameters.kernelParams = arguments;
    return parameters;
}

static void memory_of_graph(int *out)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t allocated, filled, added, freed;
    cudaMemAllocNodeParams memory = {};
    int value = 10;
    unsigned long long used = 1;
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 4 * sizeof(int);
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
    void *fill_arguments[] = {&memory.dptr, &value}, *add_arguments[] = {&out, &memory.dptr};
    cudaKernelNodeParams parameters = kernel_of((void *)fill, fill_arguments);
    CHECK(cudaGraphAddKernelNode(&filled, graph, &allocated, 1, &parameters));
    parameters = kernel_of((void *)add, add_arguments);
    CHECK(cudaGraphAddKernelNode(&added, graph, &filled, 1, &parameters));
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, &added, 1, memory.dptr));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaMemset(out, 0, 4 * sizeof(int)));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    show("memory of a graph, two launches", out);
    value = 100;
    parameters = kernel_of((void *)fill, fill_arguments);
    CHECK(cudaGraphExecKernelNodeSetParams(executable, filled, &parameters));
    CHECK(cudaGraphLaunch(executable, 0));
    show("with another value", out);
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    printf("used: %s\n", used % 4 == 0 ? "whole words" : "no");
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaDeviceGraphMemTrim(0));
}

static void memory_of_capture(int *out)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    int *memory;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&memory, 4 * sizeof(int), stream));
    fill<<<1, 4, 0, stream>>>(memory, 5);
    add<<<1, 4, 0, stream>>>(out, memory);
    CHECK(cudaFreeAsync(memory, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaMemset(out, 0, 4 * sizeof(int)));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    show("memory of a capture", out);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}

// A node added by hand to the graph that a stream captures: the stream goes on behind it only when
// told so.
static void node_in_capture(int *out)
{
    cudaStream_t stream;
    cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t doubled;
    const cudaGraphNode_t *after;
    size_t count = 0;
    void *arguments[] = {&out};
    const cudaKernelNodeParams parameters = kernel_of((void *)twice, arguments);
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    fill<<<1, 4, 0, stream>>>(out, 5);
    CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &after, nullptr, &count));
    const cudaGraphNode_t filled = count == 1 ? after[0] : nullptr;
    CHECK(cudaGraphAddKernelNode(&doubled, graph, after, count, &parameters));
    CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &after, nullptr, &count));
    printf("behind %d node: %s\n", (int)count, after[0] == filled ? "the kernel" : "another");
    CHECK(cudaStreamUpdateCaptureDependencies(stream, &doubled, nullptr, 1,
                                              cudaStreamSetCaptureDependencies));
    twice<<<1, 4, 0, stream>>>(out);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    show("a node in a capture", out);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}

static void dependencies(int *out)
{
    cudaGraph_t graph, copy;
    cudaGraphExec_t executable;
    cudaGraphNode_t doubled, filled, found;
    int value = 3;
    void *fill_arguments[] = {&out, &value}, *twice_arguments[] = {&out};
    cudaKernelNodeParams parameters = kernel_of((void *)twice, twice_arguments);
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddKernelNode(&doubled, graph, nullptr, 0, &parameters));
    parameters = kernel_of((void *)fill, fill_arguments);
    CHECK(cudaGraphAddKernelNode(&filled, graph, nullptr, 0, &parameters));
    CHECK(cudaGraphAddDependencies(graph, &filled, &doubled, nullptr, 1));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    show("first the second node", out);
    value = 7;
    CHECK(cudaGraphKernelNodeSetParams(filled, &parameters));
    CHECK(cudaGraphKernelNodeGetParams(doubled, &parameters));
    printf("threads: %d\n", (int)parameters.blockDim.x);
    CHECK(cudaGraphClone(&copy, graph));
    CHECK(cudaGraphNodeFindInClone(&found, filled, copy));
    cudaGraphExecUpdateResultInfo result;
    CHECK(cudaGraphExecUpdate(executable, graph, &result));
    CHECK(cudaGraphLaunch(executable, 0));
    show("updated", out);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(copy));
    CHECK(cudaGraphDestroy(graph));
}

static void conditions(int *out, int *counter)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t chosen, checked, repeated, node;
    cudaGraphConditionalHandle is_wanted, goes_on;
    unsigned wanted = 1;
    int rounds = 3;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&is_wanted, graph, 0, 0));
    CHECK(cudaGraphConditionalHandleCreate(&goes_on, graph, 1, cudaGraphCondAssignDefault));
    void *set_arguments[] = {&is_wanted, &wanted}, *twice_arguments[] = {&out};
    void *count_arguments[] = {&counter, &goes_on};
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeKernel;
    parameters.kernel.func = (void *)set_condition;
    parameters.kernel.gridDim = parameters.kernel.blockDim = dim3(1);
    parameters.kernel.kernelParams = set_arguments;
    CHECK(cudaGraphAddNode(&chosen, graph, nullptr, nullptr, 0, &parameters));

    cudaGraphNodeParams condition = {};
    condition.type = cudaGraphNodeTypeConditional;
    condition.conditional.handle = is_wanted;
    condition.conditional.type = cudaGraphCondTypeIf;
    condition.conditional.size = 1;
    CHECK(cudaGraphAddNode(&checked, graph, &chosen, nullptr, 1, &condition));
    parameters.kernel.func = (void *)twice;
    parameters.kernel.blockDim = dim3(4);
    parameters.kernel.kernelParams = twice_arguments;
    CHECK(cudaGraphAddNode(&node, condition.conditional.phGraph_out[0], nullptr, nullptr, 0,
                           &parameters));

    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = goes_on;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    CHECK(cudaGraphAddNode(&repeated, graph, &checked, nullptr, 1, &loop));
    cudaGraph_t body = loop.conditional.phGraph_out[0];
    CHECK(cudaGraphAddNode(&node, body, nullptr, nullptr, 0, &parameters));
    parameters.kernel.func = (void *)count_down;
    parameters.kernel.blockDim = dim3(1);
    parameters.kernel.kernelParams = count_arguments;
    cudaGraphNode_t before = node;
    CHECK(cudaGraphAddNode(&node, body, &before, nullptr, 1, &parameters));

    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (int launch = 0; launch < 2; launch++) {
        const int ones[4] = {1, 1, 1, 1};
        CHECK(cudaMemcpy(out, ones, sizeof ones, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(counter, &rounds, sizeof rounds, cudaMemcpyHostToDevice));
        CHECK(cudaGraphLaunch(executable, 0));
        CHECK(cudaDeviceSynchronize());
        show("conditions", out);
    }
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
}

int main()
{
    int *out, *counter;
    CHECK(cudaMalloc(&out, 4 * sizeof(int)));
    CHECK(cudaMalloc(&counter, sizeof(int)));
    memory_of_graph(out);
    memory_of_capture(out);
    node_in_capture(out);
    dependencies(out);
    conditions(out, counter);
    CHECK(cudaFree(out));
    CHECK(cudaFree(counter));
    return 0;
}
