// SPDX-License-Identifier: BSD-3-Clause
// Graphs whose nodes use the same bytes and do not depend on each other. BUG names one mistake; with
// FIXED=1 it is corrected.
#include <cstdlib>
#include <cstring>

enum { N = 256, BYTES = N * sizeof(int) };
static const bool fixed = getenv("FIXED") != nullptr;
static cudaStream_t a, b;
static cudaEvent_t fork, join;
static cudaGraph_t graph;
static cudaGraphExec_t made;
static int *x, *y, *pinned;
int sum;

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}
__global__ void copy(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

static void launch()
{
    cudaGraphInstantiate(&made, graph, 0);
    cudaGraphLaunch(made, a);
}
// Two branches of a capture, of which one reads what the other writes.
static void branches()
{
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, a);
    cudaStreamWaitEvent(b, fork);
    fill<<<1, N, 0, a>>>(x, 1);
    if (fixed) {
        cudaEventRecord(fork, a);
        cudaStreamWaitEvent(b, fork);
    }
    copy<<<1, N, 0, b>>>(y, x);
    cudaEventRecord(join, b);
    cudaStreamWaitEvent(a, join);
    cudaStreamEndCapture(a, &graph);
    launch();
}
static void nodes()
{
    int *to = x, value = 1;
    void *arguments[] = {&to, &value};
    const cudaKernelNodeParams kernel = {(void *)fill, dim3(1), dim3(N), 0, arguments, nullptr};
    cudaGraphNode_t first, second;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel);
    cudaGraphAddMemcpyNode1D(&second, graph, &first, fixed, pinned, x, BYTES,
                             cudaMemcpyDeviceToHost);
    launch();
}
static void launch_is_not_waited_for()
{
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    fill<<<1, N, 0, a>>>(x, 1);
    cudaMemcpyAsync(pinned, x, BYTES, cudaMemcpyDeviceToHost, a);
    cudaStreamEndCapture(a, &graph);
    launch();
    if (fixed)
        cudaStreamSynchronize(a);
    sum = pinned[1];
}
// The whole graph comes before later work of its stream, and after earlier work.
static void launch_in_another_stream()
{
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    fill<<<1, N, 0, a>>>(x, 1);
    cudaStreamEndCapture(a, &graph);
    fill<<<1, N, 0, fixed ? a : b>>>(x, 2);
    launch();
}

#define RUN(name) (strcmp(getenv("BUG"), #name) == 0 ? name() : (void)0)
int main()
{
    cudaMalloc(&x, BYTES);
    cudaMalloc(&y, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMemset(x, 0, BYTES);
    cudaStreamCreate(&a);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    RUN(branches);
    RUN(nodes);
    RUN(launch_is_not_waited_for);
    RUN(launch_in_another_stream);
    if (fixed)
        cudaGraphLaunch(made, b); // comes after the launch in the other stream, without an event
    return cudaDeviceSynchronize();
}
// streamcheck BUG=branches exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at streams_graphs.cu:22, launched at streams_graphs.cu:41 in a graph launched at streams_graphs.cu:28
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_graphs.cu:18, launched at streams_graphs.cu:36 in a graph launched at streams_graphs.cu:28,
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_graphs.cu:83
//         missing between them: a dependency of the later node on the earlier one
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=branches FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// streamcheck BUG=nodes exits with 1:
//     streamcheck: missing wait in host code: a read by a copy node at streams_graphs.cu:55 in a graph launched at streams_graphs.cu:28
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_graphs.cu:18, launched at streams_graphs.cu:54 in a graph launched at streams_graphs.cu:28,
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_graphs.cu:83
//         missing between them: a dependency of the later node on the earlier one
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=nodes FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=launch_is_not_waited_for exits with 1:
//     streamcheck: missing wait in host code: a read at streams_graphs.cu:68
//         may come before the write by a copy node at streams_graphs.cu:63 in a graph launched at streams_graphs.cu:28,
//         4 bytes at byte 4 of pinned memory of 1024 bytes, allocated at streams_graphs.cu:85
//         missing between them: cudaStreamSynchronize of the graph's stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=launch_is_not_waited_for FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=launch_in_another_stream exits with 1:
//     streamcheck: missing wait in kernel fill: a write by block (0, 0, 0), thread (0, 0, 0) at streams_graphs.cu:18, launched at streams_graphs.cu:74 in a graph launched at streams_graphs.cu:28
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_graphs.cu:18, launched at streams_graphs.cu:76 in non-blocking stream 2 (streams_graphs.cu:88),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_graphs.cu:83
//         missing between them: an event, recorded in stream 2 (cudaEventRecord), for which the graph's stream waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=launch_in_another_stream FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
