// SPDX-License-Identifier: BSD-3-Clause
// Programs with a missing wait, whose own tests pass as long as work is done when its call returns,
// and fail if it runs late: PORTABLE_STREAMS. BUG names one mistake; without it all run, corrected.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

enum { N = 64, BYTES = N * sizeof(int) };
static const char *const bug = getenv("BUG");
static const bool fixed = bug == nullptr;
static cudaStream_t a, b, apart; // the last one does not wait for the default stream
static cudaEvent_t event, before;
static int *x, *y, *pinned, *managed, result[N];

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}
__global__ void copy(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}
__global__ void add(int *p, int value)
{
    p[threadIdx.x] += value;
}
static void set(void *to)
{
    *(int *)to = 7;
}
static void set_in_callback(cudaStream_t, cudaError_t, void *to)
{
    *(int *)to = 7;
}
// What the test of the program looks at: what the device has there in the end.
static int on_device(const int *p)
{
    cudaDeviceSynchronize();
    cudaMemcpy(result, p, BYTES, cudaMemcpyDeviceToHost);
    return result[1];
}

static int event_is_missing()
{
    fill<<<1, N, 0, a>>>(x, 7);
    cudaEventRecord(event, a);
    if (fixed)
        cudaStreamWaitEvent(b, event);
    copy<<<1, N, 0, b>>>(y, x);
    return on_device(y);
}
static int event_is_too_early()
{
    if (!fixed)
        cudaEventRecord(event, a);
    fill<<<1, N, 0, a>>>(x, 7);
    if (fixed)
        cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event);
    copy<<<1, N, 0, b>>>(y, x);
    return on_device(y);
}
// The buffer is filled again before the kernel has read it.
static int buffer_is_reused()
{
    for (int turn = 0; turn < 3; turn++) {
        pinned[1] = turn;
        cudaMemcpyAsync(x, pinned, BYTES, cudaMemcpyHostToDevice, a);
        cudaEventRecord(event, a);
        cudaStreamWaitEvent(b, event);
        add<<<1, N, 0, b>>>(y, 0);
        copy<<<1, N, 0, b>>>(y + (turn == 1 ? 0 : N), x);
        cudaEventRecord(before, b);
        cudaStreamSynchronize(a);
        if (fixed)
            cudaStreamWaitEvent(a, before);
    }
    return on_device(y) == 1 ? 7 : result[1];
}
static int default_stream()
{
    cudaMemset(x, 7, BYTES);
    copy<<<1, N, 0, fixed ? b : apart>>>(y, x);
    return on_device(y) == 0x07070707 ? 7 : result[1];
}
static int pageable_memory()
{
    static int pageable[N];
    for (int &value : pageable)
        value = 7;
    cudaMemcpy(x, pageable, BYTES, cudaMemcpyHostToDevice);
    memset(pageable, 0, BYTES); // it is read
    if (fixed)
        cudaStreamSynchronize(0);
    copy<<<1, N, 0, apart>>>(y, x);
    return on_device(y);
}
static int copy_on_the_device()
{
    fill<<<1, N>>>(x, 7);
    cudaMemcpy(y, x, BYTES, cudaMemcpyDeviceToDevice);
    fill<<<1, N, 0, fixed ? a : apart>>>(x, 0);
    return on_device(y);
}
static int result_is_read_early()
{
    fill<<<1, N, 0, a>>>(x, 7);
    cudaMemcpyAsync(pinned, x, BYTES, cudaMemcpyDeviceToHost, a);
    if (fixed)
        cudaStreamSynchronize(a);
    return pinned[1];
}
static int source_is_written_early()
{
    pinned[1] = 7;
    cudaMemcpyAsync(x, pinned, BYTES, cudaMemcpyHostToDevice, a);
    if (fixed)
        cudaStreamSynchronize(a);
    pinned[1] = 0;
    return on_device(x);
}
static int managed_memory()
{
    fill<<<1, N>>>(managed, 7);
    if (fixed)
        cudaDeviceSynchronize();
    return managed[1];
}
static int query_is_not_asked_again()
{
    fill<<<1, N, 0, a>>>(managed, 7);
    while (cudaStreamQuery(a) == cudaErrorNotReady && fixed)
        continue;
    cudaGetLastError();
    return managed[1];
}
static int wait_for_another_event()
{
    cudaEventRecord(before, a);
    fill<<<1, N, 0, a>>>(managed, 7);
    cudaEventRecord(event, a);
    cudaEventSynchronize(fixed ? event : before);
    return managed[1];
}
static int host_function()
{
    cudaLaunchHostFunc(a, set, &pinned[1]);
    if (fixed)
        cudaStreamSynchronize(a);
    return pinned[1];
}
static int callback_in_another_stream()
{
    cudaStreamAddCallback(a, set_in_callback, &pinned[1], 0);
    cudaMemcpyAsync(x, pinned, BYTES, cudaMemcpyHostToDevice, fixed ? a : b);
    return on_device(x);
}
static int default_stream_of_a_thread()
{
    std::thread([] {
        fill<<<1, N, 0, cudaStreamPerThread>>>(managed, 7);
        if (fixed)
            cudaStreamSynchronize(cudaStreamPerThread);
    }).join();
    cudaStreamSynchronize(cudaStreamPerThread);
    return managed[1];
}
static int memory_is_freed_in_another_stream()
{
    int *temporary, *next;
    cudaMallocAsync(&temporary, BYTES, a);
    fill<<<1, N, 0, a>>>(temporary, 7);
    cudaEventRecord(event, a);
    if (fixed)
        cudaStreamWaitEvent(b, event);
    cudaMemcpyAsync(y, temporary, BYTES, cudaMemcpyDeviceToDevice, fixed ? b : a);
    cudaFreeAsync(temporary, b);
    cudaMallocAsync(&next, BYTES, b);
    cudaFreeAsync(next, b);
    return on_device(y);
}
// The copy is captured from a stream that does not wait for the kernel.
static int graph()
{
    cudaGraph_t made;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaEventRecord(before, a);
    fill<<<1, N, 0, a>>>(x, 7);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, fixed ? event : before);
    copy<<<1, N, 0, b>>>(y, x);
    cudaEventRecord(before, b);
    cudaStreamWaitEvent(a, before);
    cudaStreamEndCapture(a, &made);
    cudaGraphInstantiate(&executable, made, 0);
    cudaGraphLaunch(executable, a);
    cudaGraphDestroy(made);
    cudaGraphExecDestroy(executable); // it is done all the same
    return on_device(y);
}
static int kernel_in_the_default_stream()
{
    fill<<<1, N, 0, fixed ? a : apart>>>(x, 7);
    copy<<<1, N>>>(y, x);
    return on_device(y);
}

static int failures;
#define RUN(name)                                                                                  \
    if (fixed || strcmp(bug, #name) == 0) {                                                        \
        cudaDeviceSynchronize();                                                                   \
        cudaMemset(x, 0, BYTES);                                                                   \
        cudaMemset(y, 0, 2 * BYTES);                                                               \
        memset(pinned, 0, BYTES);                                                                  \
        cudaDeviceSynchronize();                                                                   \
        memset(managed, 0, BYTES);                                                                 \
        const int value = name();                                                                  \
        if (value != 7) {                                                                          \
            printf(#name ": %d, must be 7\n", value);                                              \
            failures++;                                                                            \
        }                                                                                          \
    }
// The end of the program does not wait.
static int end_of_program()
{
    add<<<1, N, 0, a>>>(x, 1);
    cudaLaunchHostFunc(
        a, [](void *) { puts("done"); }, nullptr);
    if (fixed)
        cudaStreamSynchronize(a);
    return 7;
}
int main()
{
    cudaMalloc(&x, BYTES);
    cudaMalloc(&y, 2 * BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMallocManaged(&managed, BYTES);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
    RUN(event_is_missing);
    RUN(event_is_too_early);
    RUN(buffer_is_reused);
    RUN(default_stream);
    RUN(pageable_memory);
    RUN(copy_on_the_device);
    RUN(result_is_read_early);
    RUN(source_is_written_early);
    RUN(managed_memory);
    RUN(query_is_not_asked_again);
    RUN(wait_for_another_event);
    RUN(host_function);
    RUN(callback_in_another_stream);
    RUN(default_stream_of_a_thread);
    RUN(memory_is_freed_in_another_stream);
    RUN(graph);
    RUN(kernel_in_the_default_stream);
    RUN(end_of_program);
    return failures > 0;
}
// emulate exits with 0:
//     done
// emulate BUG=event_is_missing exits with 0:
// emulate BUG=event_is_missing PORTABLE_STREAMS=late exits with 1:
//     event_is_missing: 0, must be 7
// emulate BUG=event_is_too_early exits with 0:
// emulate BUG=event_is_too_early PORTABLE_STREAMS=late exits with 1:
//     event_is_too_early: 0, must be 7
// emulate BUG=buffer_is_reused exits with 0:
// emulate BUG=buffer_is_reused PORTABLE_STREAMS=late exits with 1:
//     buffer_is_reused: 2, must be 7
// emulate BUG=default_stream exits with 0:
// emulate BUG=default_stream PORTABLE_STREAMS=late exits with 1:
//     default_stream: 0, must be 7
// emulate BUG=pageable_memory exits with 0:
// emulate BUG=pageable_memory PORTABLE_STREAMS=late exits with 1:
//     pageable_memory: 0, must be 7
// emulate BUG=copy_on_the_device exits with 0:
// emulate BUG=copy_on_the_device PORTABLE_STREAMS=late:7 exits with 1:
//     copy_on_the_device: 0, must be 7
// emulate BUG=result_is_read_early exits with 0:
// emulate BUG=result_is_read_early PORTABLE_STREAMS=late exits with 1:
//     result_is_read_early: 0, must be 7
//     PORTABLE_STREAMS=late: the program did not wait for its last work, which has not run: fill, the first of several
// emulate BUG=source_is_written_early exits with 0:
// emulate BUG=source_is_written_early PORTABLE_STREAMS=late exits with 1:
//     source_is_written_early: 0, must be 7
// emulate BUG=managed_memory exits with 0:
// emulate BUG=managed_memory PORTABLE_STREAMS=late exits with 1:
//     managed_memory: 0, must be 7
//     PORTABLE_STREAMS=late: the program did not wait for its last work, which has not run: fill
// emulate BUG=query_is_not_asked_again exits with 0:
// emulate BUG=query_is_not_asked_again PORTABLE_STREAMS=late exits with 1:
//     query_is_not_asked_again: 0, must be 7
//     PORTABLE_STREAMS=late: the program did not wait for its last work, which has not run: fill
// emulate BUG=wait_for_another_event exits with 0:
// emulate BUG=wait_for_another_event PORTABLE_STREAMS=late exits with 1:
//     wait_for_another_event: 0, must be 7
//     PORTABLE_STREAMS=late: the program did not wait for its last work, which has not run: fill
// emulate BUG=host_function exits with 0:
// emulate BUG=host_function PORTABLE_STREAMS=late exits with 1:
//     host_function: 0, must be 7
//     PORTABLE_STREAMS=late: the program did not wait for its last work, which has not run: cudaLaunchHostFunc
// emulate BUG=callback_in_another_stream exits with 0:
// emulate BUG=callback_in_another_stream PORTABLE_STREAMS=late exits with 1:
//     callback_in_another_stream: 0, must be 7
// emulate BUG=default_stream_of_a_thread exits with 0:
// emulate BUG=default_stream_of_a_thread PORTABLE_STREAMS=late exits with 1:
//     default_stream_of_a_thread: 0, must be 7
//     PORTABLE_STREAMS=late: the program did not wait for its last work, which has not run: fill
// emulate BUG=memory_is_freed_in_another_stream exits with 0:
// emulate BUG=graph exits with 0:
// emulate BUG=graph PORTABLE_STREAMS=late exits with 1:
//     graph: 0, must be 7
// emulate BUG=kernel_in_the_default_stream exits with 0:
// emulate BUG=kernel_in_the_default_stream PORTABLE_STREAMS=late exits with 1:
//     kernel_in_the_default_stream: 0, must be 7
// emulate BUG=end_of_program exits with 0:
//     done
// emulate BUG=end_of_program PORTABLE_STREAMS=late exits with 0:
//     PORTABLE_STREAMS=late: the program did not wait for its last work, which has not run: add, the first of several
// emulate PORTABLE_STREAMS=late exits with 0:
//     done
// emulate PORTABLE_STREAMS=late:1 exits with 0:
//     done
// emulate PORTABLE_STREAMS=late:2 exits with 0:
//     done
// emulate PORTABLE_STREAMS=late:3 exits with 0:
//     done
// emulate PORTABLE_STREAMS=late:18446744073709551615 exits with 0:
//     done
// emulate PORTABLE_STREAMS=early exits with 2:
//     PORTABLE_STREAMS=early: must be late, or late:SEED, a number
// emulate PORTABLE_STREAMS=late:x exits with 2:
//     PORTABLE_STREAMS=late:x: must be late, or late:SEED, a number
// memcheck BUG=memory_is_freed_in_another_stream PORTABLE_STREAMS=late exits with 1:
//     memcheck: error in kernel fill: a write of 4 bytes by block (0, 0, 0), thread (0, 0, 0) at streams_late.cu:18,
//         of device array temporary of 256 bytes, allocated at streams_late.cu:172 and freed at streams_late.cu:39
//     memcheck: error in host code: cudaMemcpyAsync: the source, 0x..., is no longer device memory when its stream gets there, at streams_late.cu:39
//     memory_is_freed_in_another_stream: 0, must be 7
//     memcheck: 2 errors in 1 kernel and host code
// streamcheck BUG=event_is_missing PORTABLE_STREAMS=late exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at streams_late.cu:22, launched at streams_late.cu:50 in stream 2 (streams_late.cu:242)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_late.cu:18, launched at streams_late.cu:46 in stream 1 (streams_late.cu:241),
//         4 bytes at byte 0 of device array x of 256 bytes, allocated at streams_late.cu:237
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// racecheck PORTABLE_STREAMS=late:1 exits with 0:
//     done
//     racecheck: no races in 3 kernels
