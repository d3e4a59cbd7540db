// SPDX-License-Identifier: BSD-3-Clause
// Missing waits that others have published, written anew: docs/checks.md has the threads. BUG names
// one; with FIXED=1 it is corrected. The program's own test fails only if work is late.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda.h>

// link: -lcuda
enum { N = 64, BYTES = N * sizeof(int) };
static const bool fixed = getenv("FIXED") != nullptr;
static cudaStream_t stream, other; // neither waits for the default stream
static cudaEvent_t event;

__global__ void fill(int *to, int value)
{
    to[threadIdx.x] = value;
}
__global__ void copy(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}
__global__ void add_up(int *sum, const int *x)
{
    atomicAdd(sum, x[threadIdx.x]);
}
static int *zeros(int count)
{
    int *x;
    cudaMalloc(&x, count * sizeof(int));
    cudaMemset(x, 0, count * sizeof(int));
    cudaDeviceSynchronize();
    return x;
}
static void first_waits_for(cudaStream_t first, cudaStream_t second)
{
    cudaEventRecord(event, second);
    cudaStreamWaitEvent(first, event);
}
static int value_of(const int *x)
{
    int value;
    cudaDeviceSynchronize();
    cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

// An allocator hands out a block that its last owner's stream may still read, and the decoder writes
// to it on a stream of its own.
static bool decoder_gets_a_block_in_use()
{
    int *const block = zeros(N), *const sum = zeros(1);
    fill<<<1, N, 0, stream>>>(block, 1);
    cudaStreamSynchronize(stream);
    add_up<<<1, N, 0, stream>>>(sum, block);
    int *const frame = block; // freed by the caller and allocated again
    if (fixed)
        first_waits_for(other, stream);
    cudaMemsetAsync(frame, 0, BYTES, other);
    return value_of(sum) == N;
}
// The event is recorded before the work that the other stream is to wait for.
static bool event_before_the_decoder()
{
    int *const frame = zeros(N), *const out = zeros(N);
    if (!fixed)
        cudaEventRecord(event, stream);
    fill<<<1, N, 0, stream>>>(frame, 7);
    if (fixed)
        cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event);
    copy<<<1, N, 0, other>>>(out, frame);
    return value_of(out) == 7;
}
// The colours of a frame are converted on another stream than the one that decodes it.
static bool conversion_on_another_stream()
{
    int *const frame = zeros(N), *const picture = zeros(N);
    fill<<<1, N, 0, stream>>>(frame, 7);
    if (fixed)
        first_waits_for(other, stream);
    copy<<<1, N, 0, other>>>(picture, frame);
    return value_of(picture) == 7;
}
// A test stages its inputs by cudaMemcpy, and replays a graph on the engine's stream.
static bool inputs_are_staged()
{
    int *const x = zeros(N), *const y = zeros(N);
    std::vector<int> inputs(N, 7);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    copy<<<1, N, 0, stream>>>(y, x);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaMemcpy(x, inputs.data(), BYTES, cudaMemcpyHostToDevice);
    if (fixed)
        cudaStreamSynchronize(nullptr);
    cudaGraphLaunch(executable, stream);
    return value_of(y) == 7;
}
// A blocking queue copies a kernel's result by cudaMemcpy, which waits for the default stream alone.
static bool blocking_queue()
{
    int *const x = zeros(N), result[N];
    fill<<<1, N, 0, stream>>>(x, 7);
    if (fixed)
        cudaStreamSynchronize(stream);
    cudaMemcpy(result, x, BYTES, cudaMemcpyDeviceToHost);
    return result[0] == 7;
}
// cudaMemset returns before the memory is set.
static bool blocking_memset()
{
    int *const x = zeros(N), *const y = zeros(N);
    cudaMemset(x, 1, BYTES);
    if (fixed)
        cudaStreamSynchronize(nullptr);
    copy<<<1, N, 0, stream>>>(y, x);
    return value_of(y) == 0x01010101;
}
// The product of two matrices is copied to pageable memory, and used.
static bool product_is_not_waited_for()
{
    int *const product = zeros(N);
    std::vector<int> matrix(N);
    fill<<<1, N, 0, stream>>>(product, 7);
    cudaMemcpyAsync(matrix.data(), product, BYTES, cudaMemcpyDeviceToHost, stream);
    if (fixed)
        cudaStreamSynchronize(stream);
    const bool is_right = matrix[0] == 7;
    cudaStreamSynchronize(stream);
    return is_right;
}
// An operator copies a number on the device by cudaMemcpy, and goes on in its own stream.
static bool operator_copies_in_the_default_stream()
{
    int *const x = zeros(N), *const out = zeros(N), *const sum = zeros(1);
    fill<<<1, N>>>(x, 7);
    cudaDeviceSynchronize();
    if (fixed)
        cudaMemcpyAsync(out, x, sizeof(int), cudaMemcpyDeviceToDevice, stream);
    else
        cudaMemcpy(out, x, sizeof(int), cudaMemcpyDeviceToDevice);
    add_up<<<1, N, 0, stream>>>(sum, out);
    return value_of(sum) == 7;
}
// A function copies from a buffer of a pool of pinned memory, and returns it to the pool.
static int *pool;
static void view_of(int *view, int column)
{
    int *const staging = pool;
    for (int i = 0; i < N; i++)
        staging[i] = column;
    cudaMemcpyAsync(view, staging, BYTES, cudaMemcpyHostToDevice, stream);
    if (fixed)
        cudaStreamSynchronize(stream);
}
static bool staging_is_returned()
{
    int *const first = zeros(N), *const second = zeros(N);
    cudaMallocHost(&pool, BYTES);
    view_of(first, 7);
    view_of(second, 8);
    return value_of(first) == 7;
}
// Pieces are read on the streams of a pool, which the user's stream does not join.
static bool pool_is_not_joined()
{
    int *const text = zeros(2 * N), *const sum = zeros(1);
    cudaStream_t streams[2];
    for (int k = 0; k < 2; k++) {
        cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking);
        fill<<<1, N, 0, streams[k]>>>(text + k * N, 1);
    }
    for (int k = 0; k < (fixed ? 2 : 1); k++)
        first_waits_for(stream, streams[k]);
    add_up<<<1, 2 * N, 0, stream>>>(sum, text);
    return value_of(sum) == 2 * N;
}
// A batch of copies reads pageable memory when the stream gets there: cudaMemcpyAsync reads it first.
static bool source_of_a_batch()
{
    int *const x = zeros(N);
    std::vector<int> source(N, 7);
    CUdeviceptr to = (CUdeviceptr)x, from = (CUdeviceptr)source.data();
    size_t bytes = BYTES, first = 0;
    CUmemcpyAttributes attributes = {};
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    cuMemcpyBatchAsync(&to, &from, &bytes, 1, &attributes, &first, 1, stream);
    if (fixed)
        cudaStreamSynchronize(stream);
    source.assign(N, 0); // its next use
    return value_of(x) == 7;
}

#define RUN(name)                                                                                  \
    if (strcmp(getenv("BUG"), #name) == 0 && !name()) {                                            \
        puts(#name ": wrong");                                                                     \
        return 1;                                                                                  \
    }
int main()
{
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    RUN(decoder_gets_a_block_in_use);
    RUN(event_before_the_decoder);
    RUN(conversion_on_another_stream);
    RUN(inputs_are_staged);
    RUN(blocking_queue);
    RUN(blocking_memset);
    RUN(product_is_not_waited_for);
    RUN(operator_copies_in_the_default_stream);
    RUN(staging_is_returned);
    RUN(pool_is_not_joined);
    RUN(source_of_a_batch);
    return 0;
}
// streamcheck BUG=decoder_gets_a_block_in_use exits with 1:
//     streamcheck: missing wait in host code: a write by cudaMemsetAsync at published_streams.cu:61 in non-blocking stream 2 (published_streams.cu:207)
//         may come before the read by kernel add_up, block (0, 0, 0), thread (0, 0, 0) at published_streams.cu:27, launched at published_streams.cu:57 in non-blocking stream 1 (published_streams.cu:206),
//         4 bytes at byte 0 of device array x of 256 bytes, allocated at published_streams.cu:32
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=decoder_gets_a_block_in_use FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// emulate BUG=decoder_gets_a_block_in_use exits with 0:
// emulate BUG=decoder_gets_a_block_in_use PORTABLE_STREAMS=late exits with 1:
//     decoder_gets_a_block_in_use: wrong
// emulate BUG=decoder_gets_a_block_in_use FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=decoder_gets_a_block_in_use FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
// streamcheck BUG=event_before_the_decoder exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at published_streams.cu:23, launched at published_streams.cu:74 in non-blocking stream 2 (published_streams.cu:207)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at published_streams.cu:19, launched at published_streams.cu:70 in non-blocking stream 1 (published_streams.cu:206),
//         4 bytes at byte 0 of device array x of 256 bytes, allocated at published_streams.cu:32
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=event_before_the_decoder FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// emulate BUG=event_before_the_decoder exits with 0:
// emulate BUG=event_before_the_decoder PORTABLE_STREAMS=late exits with 1:
//     event_before_the_decoder: wrong
// emulate BUG=event_before_the_decoder FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=event_before_the_decoder FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
// streamcheck BUG=conversion_on_another_stream exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at published_streams.cu:23, launched at published_streams.cu:84 in non-blocking stream 2 (published_streams.cu:207)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at published_streams.cu:19, launched at published_streams.cu:81 in non-blocking stream 1 (published_streams.cu:206),
//         4 bytes at byte 0 of device array x of 256 bytes, allocated at published_streams.cu:32
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=conversion_on_another_stream FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// emulate BUG=conversion_on_another_stream exits with 0:
// emulate BUG=conversion_on_another_stream PORTABLE_STREAMS=late exits with 1:
//     conversion_on_another_stream: wrong
// emulate BUG=conversion_on_another_stream FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=conversion_on_another_stream FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
// streamcheck BUG=inputs_are_staged exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at published_streams.cu:23, launched at published_streams.cu:95 in a graph launched at published_streams.cu:101
//         may come before the write by cudaMemcpy at published_streams.cu:98 in the default stream,
//         4 bytes at byte 0 of device array x of 256 bytes, allocated at published_streams.cu:32
//         missing between them: an event, recorded in the default stream (cudaEventRecord), for which the graph's stream waits (cudaStreamWaitEvent)
//         a copy from pageable memory, or on the device, may go on after the call, and a non-blocking
//         stream does not wait for the default stream
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=inputs_are_staged FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// emulate BUG=inputs_are_staged exits with 0:
// emulate BUG=inputs_are_staged PORTABLE_STREAMS=late exits with 1:
//     inputs_are_staged: wrong
// emulate BUG=inputs_are_staged FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=inputs_are_staged FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
// streamcheck BUG=blocking_queue exits with 1:
//     streamcheck: missing wait in host code: a read by cudaMemcpy at published_streams.cu:111 in the default stream
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at published_streams.cu:19, launched at published_streams.cu:108 in non-blocking stream 1 (published_streams.cu:206),
//         4 bytes at byte 0 of device array x of 256 bytes, allocated at published_streams.cu:32
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which the default stream waits (cudaStreamWaitEvent)
//         a non-blocking stream and the default stream do not wait for each other
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=blocking_queue FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// emulate BUG=blocking_queue exits with 0:
// emulate BUG=blocking_queue PORTABLE_STREAMS=late exits with 1:
//     blocking_queue: wrong
//     PORTABLE_STREAMS=late: the program did not wait for its last work, which has not run: fill
// emulate BUG=blocking_queue FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=blocking_queue FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
// streamcheck BUG=blocking_memset exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at published_streams.cu:23, launched at published_streams.cu:121 in non-blocking stream 1 (published_streams.cu:206)
//         may come before the write by cudaMemset at published_streams.cu:118 in the default stream,
//         4 bytes at byte 0 of device array x of 256 bytes, allocated at published_streams.cu:32
//         missing between them: an event, recorded in the default stream (cudaEventRecord), for which stream 1 waits (cudaStreamWaitEvent)
//         a non-blocking stream and the default stream do not wait for each other
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=blocking_memset FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// emulate BUG=blocking_memset exits with 0:
// emulate BUG=blocking_memset PORTABLE_STREAMS=late exits with 1:
//     blocking_memset: wrong
// emulate BUG=blocking_memset FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=blocking_memset FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
// streamcheck BUG=product_is_not_waited_for exits with 1:
//     streamcheck: missing wait in host code: a read at published_streams.cu:133
//         may come before the write by cudaMemcpyAsync at published_streams.cu:130 in non-blocking stream 1 (published_streams.cu:206),
//         4 bytes of pageable memory
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=product_is_not_waited_for FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// emulate BUG=product_is_not_waited_for exits with 0:
// emulate BUG=product_is_not_waited_for PORTABLE_STREAMS=late exits with 1:
//     product_is_not_waited_for: wrong
// emulate BUG=product_is_not_waited_for FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=product_is_not_waited_for FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
// streamcheck BUG=operator_copies_in_the_default_stream exits with 1:
//     streamcheck: missing wait in kernel add_up: a read by block (0, 0, 0), thread (0, 0, 0) at published_streams.cu:27, launched at published_streams.cu:147 in non-blocking stream 1 (published_streams.cu:206)
//         may come before the write by cudaMemcpy at published_streams.cu:146 in the default stream,
//         4 bytes at byte 0 of device array x of 256 bytes, allocated at published_streams.cu:32
//         missing between them: an event, recorded in the default stream (cudaEventRecord), for which stream 1 waits (cudaStreamWaitEvent)
//         a copy from pageable memory, or on the device, may go on after the call, and a non-blocking
//         stream does not wait for the default stream
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=operator_copies_in_the_default_stream FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// emulate BUG=operator_copies_in_the_default_stream exits with 0:
// emulate BUG=operator_copies_in_the_default_stream PORTABLE_STREAMS=late exits with 1:
//     operator_copies_in_the_default_stream: wrong
// emulate BUG=operator_copies_in_the_default_stream FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=operator_copies_in_the_default_stream FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
// streamcheck BUG=staging_is_returned exits with 1:
//     streamcheck: missing wait in host code: a write at published_streams.cu:156
//         may come before the read by cudaMemcpyAsync at published_streams.cu:157 in non-blocking stream 1 (published_streams.cu:206),
//         4 bytes at byte 0 of pinned memory of 256 bytes, allocated at published_streams.cu:164
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=staging_is_returned FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// emulate BUG=staging_is_returned exits with 0:
// emulate BUG=staging_is_returned PORTABLE_STREAMS=late exits with 1:
//     staging_is_returned: wrong
// emulate BUG=staging_is_returned FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=staging_is_returned FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
// streamcheck BUG=pool_is_not_joined exits with 1:
//     streamcheck: missing wait in kernel add_up: a read by block (0, 0, 0), thread (64, 0, 0) at published_streams.cu:27, launched at published_streams.cu:180 in non-blocking stream 1 (published_streams.cu:206)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at published_streams.cu:19, launched at published_streams.cu:176 in non-blocking stream 4 (published_streams.cu:175),
//         4 bytes at byte 256 of device array x of 512 bytes, allocated at published_streams.cu:32
//         missing between them: an event, recorded in stream 4 (cudaEventRecord), for which stream 1 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=pool_is_not_joined FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// emulate BUG=pool_is_not_joined exits with 0:
// emulate BUG=pool_is_not_joined PORTABLE_STREAMS=late exits with 1:
//     pool_is_not_joined: wrong
// emulate BUG=pool_is_not_joined FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=pool_is_not_joined FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
// streamcheck BUG=source_of_a_batch exits with 1:
//     streamcheck: missing wait in host code: a write at published_streams.cu:195
//         may come before the read by cuMemcpyBatchAsync at published_streams.cu:192 in non-blocking stream 1 (published_streams.cu:206),
//         4 bytes of pageable memory
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=source_of_a_batch FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// emulate BUG=source_of_a_batch exits with 0:
// emulate BUG=source_of_a_batch PORTABLE_STREAMS=late exits with 1:
//     source_of_a_batch: wrong
// emulate BUG=source_of_a_batch FIXED=1 PORTABLE_STREAMS=late exits with 0:
// emulate BUG=source_of_a_batch FIXED=1 PORTABLE_STREAMS=late:1 exits with 0:
