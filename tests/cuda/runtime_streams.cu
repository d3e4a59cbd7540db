/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams, events, host functions, and graphs: captured from two streams, and made by node. */
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess) {                                                               \
            printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error_));              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void add(int *x, int n, int value)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += value;
}
template <class T> __global__ void scale(T *x, int n, T factor)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= factor;
}
static void count_call(void *data)
{
    ++*(int *)data;
}
static void callback(cudaStream_t, cudaError_t status, void *data)
{
    *(int *)data += status == cudaSuccess ? 10 : 0;
}

int main()
{
    enum { N = 256 };
    int *x, *y, *host, calls = 0, least, greatest, priority;
    unsigned flags;
    cudaStream_t a, b, urgent;
    cudaEvent_t begin, end, forked, joined;

    CHECK(cudaMalloc(&x, N * sizeof *x));
    CHECK(cudaMalloc(&y, N * sizeof *y));
    CHECK(cudaMallocHost(&host, N * sizeof *host));
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaStreamCreateWithPriority(&urgent, cudaStreamDefault, greatest));
    CHECK(cudaStreamGetPriority(urgent, &priority));
    CHECK(cudaStreamGetFlags(b, &flags));
    printf("%d %d %u\n", least, priority == greatest, flags);
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));

    CHECK(cudaEventRecord(begin, a));
    CHECK(cudaMemsetAsync(x, 0, N * sizeof *x, a));
    add<<<1, N, 0, a>>>(x, N, 3);
    CHECK(cudaEventRecord(end, a));
    CHECK(cudaStreamWaitEvent(b, end));
    scale<<<1, N, 0, b>>>(x, N, 5);
    CHECK(cudaMemcpyAsync(host, x, N * sizeof *x, cudaMemcpyDeviceToHost, b));
    CHECK(cudaLaunchHostFunc(b, count_call, &calls));
    CHECK(cudaStreamAddCallback(b, callback, &calls, 0));
    CHECK(cudaStreamSynchronize(b));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventQuery(end));
    CHECK(cudaStreamQuery(a));
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    printf("%d %d %d %d\n", host[0], host[N - 1], calls, ms >= 0);

    /* A graph from two streams. */
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaStreamCaptureStatus status;
    size_t nodes = 0;
    CHECK(cudaMemset(y, 0, N * sizeof *y));
    CHECK(cudaMemset(x, 0, N * sizeof *x));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    add<<<1, N, 0, a>>>(x, N, 1);
    CHECK(cudaEventRecord(forked, a));
    CHECK(cudaStreamWaitEvent(b, forked, 0));
    add<<<1, N, 0, b>>>(y, N, 2);
    CHECK(cudaEventRecord(joined, b));
    scale<<<1, N, 0, a>>>(x, N, 2);
    CHECK(cudaStreamWaitEvent(a, joined, 0));
    CHECK(cudaMemcpyAsync(host, x, N / 2 * sizeof *x, cudaMemcpyDeviceToHost, a));
    CHECK(cudaMemcpyAsync(host + N / 2, y, N / 2 * sizeof *x, cudaMemcpyDeviceToHost, a));
    CHECK(cudaLaunchHostFunc(a, count_call, &calls));
    CHECK(cudaStreamIsCapturing(a, &status));
    printf("%d\n", status == cudaStreamCaptureStatusActive);
    CHECK(cudaStreamEndCapture(a, &graph));
    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    host[0] = host[N - 1] = -1;
    printf("nodes %zu, not yet run: %d %d\n", nodes, host[0], calls);
    for (int k = 0; k < 3; k++)
        CHECK(cudaGraphLaunch(run, a));
    CHECK(cudaStreamSynchronize(a));
    printf("%d %d %d\n", host[0], host[N - 1], calls);
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));

    /* A graph node by node. */
    cudaGraphNode_t clear, kernel, copy;
    cudaMemsetParams memset_parameters = {};
    memset_parameters.dst = x;
    memset_parameters.value = 7;
    memset_parameters.elementSize = 4;
    memset_parameters.width = N;
    memset_parameters.height = 1;
    int n = N, value = 4;
    void *arguments[] = {&x, &n, &value};
    cudaKernelNodeParams kernel_parameters = {};
    kernel_parameters.func = (void *)add;
    kernel_parameters.gridDim = dim3(2);
    kernel_parameters.blockDim = dim3(N / 2);
    kernel_parameters.kernelParams = arguments;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &memset_parameters));
    CHECK(cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &kernel_parameters));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, x, N * sizeof *x,
                                   cudaMemcpyDeviceToHost));
    value = 1000; /* the node has its copy */
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    CHECK(cudaGraphLaunch(run, 0));
    CHECK(cudaDeviceSynchronize());
    printf("%d %d\n", host[0], host[N - 1]);
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));

    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    CHECK(cudaStreamDestroy(urgent));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaEventDestroy(forked));
    CHECK(cudaEventDestroy(joined));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFreeHost(host));
    return 0;
}
