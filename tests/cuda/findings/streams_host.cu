// SPDX-License-Identifier: BSD-3-Clause
// Host code that does not wait for work on the same bytes. BUG names one mistake; with FIXED=1 it is
// corrected.
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include <semaphore.h>

enum { N = 256, BYTES = N * sizeof(int) };
static const bool fixed = getenv("FIXED") != nullptr;
static cudaStream_t a, b;
static cudaEvent_t event, other;
static int *x, *pinned, *managed, pageable[N], sum;

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}
static void add_up(void *)
{
    for (int i = 0; i < N; i++)
        sum += pinned[i];
}
static void set(void *)
{
    pinned[0] = 1;
}
static void set_in_callback(cudaStream_t, cudaError_t, void *)
{
    pinned[0] = 1;
}

static void result_is_read_early()
{
    cudaMemcpyAsync(pinned, x, BYTES, cudaMemcpyDeviceToHost, a);
    if (fixed)
        cudaStreamSynchronize(a);
    sum = pinned[10];
}
static void source_is_written_early()
{
    cudaMemcpyAsync(x, pinned, BYTES, cudaMemcpyHostToDevice, a);
    cudaEventRecord(event, a);
    if (fixed)
        cudaEventSynchronize(event);
    memset(pinned, 0, BYTES);
}
static void wait_for_another_event()
{
    cudaEventRecord(other, b);
    cudaMemcpyAsync(pinned, x, BYTES, cudaMemcpyDeviceToHost, a);
    cudaEventRecord(event, a);
    while (cudaEventQuery(fixed ? event : other) != cudaSuccess)
        continue;
    sum = pinned[0];
}
static void managed_memory()
{
    fill<<<1, N, 0, a>>>(managed, 1);
    if (fixed)
        cudaDeviceSynchronize();
    managed[1]++;
}
static void mapped_memory()
{
    fill<<<1, N>>>(pinned, 1);
    while (fixed && cudaStreamQuery(0) != cudaSuccess)
        continue;
    sum = pinned[N - 1];
}
static void pageable_result()
{
    cudaMemcpyAsync(pageable, x, BYTES, cudaMemcpyDeviceToHost, a);
    if (fixed)
        cudaStreamSynchronize(a);
    sum = pageable[5];
}
static void pinned_memory_is_freed_early()
{
    int *staging;
    cudaMallocHost(&staging, BYTES);
    memset(staging, 0, BYTES);
    cudaMemcpyAsync(x, staging, BYTES, cudaMemcpyHostToDevice, a);
    if (fixed)
        cudaStreamSynchronize(a);
    cudaFreeHost(staging);
}
static void function_in_another_stream()
{
    cudaMemcpyAsync(pinned, x, BYTES, cudaMemcpyDeviceToHost, a);
    cudaLaunchHostFunc(fixed ? a : b, add_up, nullptr);
}
static void copy_of_what_a_function_sets()
{
    cudaLaunchHostFunc(a, set, nullptr);
    cudaMemcpyAsync(x, pinned, BYTES, cudaMemcpyHostToDevice, fixed ? a : b);
}
static void function_is_not_waited_for()
{
    cudaStreamAddCallback(a, set_in_callback, nullptr, 0);
    if (fixed)
        cudaStreamSynchronize(a);
    sum = pinned[0];
}
// Each thread has its own default stream, and a wait for one is none for another.
static void default_stream_of_another_thread()
{
    std::thread([] {
        cudaMemcpyAsync(pinned, x, BYTES, cudaMemcpyDeviceToHost, cudaStreamPerThread);
        if (fixed)
            cudaStreamSynchronize(cudaStreamPerThread);
    }).join();
    cudaStreamSynchronize(cudaStreamPerThread);
    sum = pinned[0];
}
// A host function may tell the host that it runs: what comes before it is done, but not the rest.
static std::atomic<bool> is_told;
static std::mutex mutex;
static std::condition_variable condition;
static bool is_notified;
static sem_t semaphore;
static std::thread started;
static void copy_and_tell(void (*tell)(void *), void *data)
{
    if (!fixed)
        cudaLaunchHostFunc(a, tell, data);
    cudaMemcpyAsync(pinned, x, BYTES, cudaMemcpyDeviceToHost, a);
    if (fixed)
        cudaLaunchHostFunc(a, tell, data);
}
static void function_sets_a_flag()
{
    copy_and_tell([](void *) { is_told = true; }, nullptr);
    while (!is_told)
        continue;
    sum = pinned[0];
}
static void function_notifies()
{
    copy_and_tell(
        [](void *) {
            const std::lock_guard<std::mutex> lock(mutex);
            is_notified = true;
            condition.notify_one();
        },
        nullptr);
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [] { return is_notified; });
    sum = pinned[0];
}
static void function_posts()
{
    sem_init(&semaphore, 0, 0);
    copy_and_tell([](void *) { sem_post(&semaphore); }, nullptr);
    sem_wait(&semaphore);
    sum = pinned[0];
}
static void function_starts_a_thread()
{
    copy_and_tell([](void *) { started = std::thread([] { sum = fixed ? pinned[0] : 0; }); },
                  nullptr);
    started.join();
    sum += pinned[0];
}

#define RUN(name) (strcmp(getenv("BUG"), #name) == 0 ? name() : (void)0)
int main()
{
    cudaMalloc(&x, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMallocManaged(&managed, BYTES);
    memset(pinned, 0, BYTES);
    cudaMemset(x, 0, BYTES);
    cudaStreamCreate(&a);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&other, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    RUN(result_is_read_early);
    RUN(source_is_written_early);
    RUN(wait_for_another_event);
    RUN(managed_memory);
    RUN(mapped_memory);
    RUN(pageable_result);
    RUN(pinned_memory_is_freed_early);
    RUN(function_in_another_stream);
    RUN(copy_of_what_a_function_sets);
    RUN(function_is_not_waited_for);
    RUN(default_stream_of_another_thread);
    RUN(function_sets_a_flag);
    RUN(function_notifies);
    RUN(function_posts);
    RUN(function_starts_a_thread);
    return cudaDeviceSynchronize();
}
// streamcheck BUG=result_is_read_early exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:42
//         may come before the write by cudaMemcpyAsync at streams_host.cu:39 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 40 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=result_is_read_early FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=source_is_written_early exits with 1:
//     streamcheck: missing wait in host code: a write at streams_host.cu:50
//         may come before the read by cudaMemcpyAsync at streams_host.cu:46 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=source_is_written_early FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=wait_for_another_event exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:59
//         may come before the write by cudaMemcpyAsync at streams_host.cu:55 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=wait_for_another_event FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=managed_memory exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:66
//         may come before the write by kernel fill, block (0, 0, 0), thread (1, 0, 0) at streams_host.cu:21, launched at streams_host.cu:63 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 4 of managed memory of 1024 bytes, allocated at streams_host.cu:175
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=managed_memory FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=mapped_memory exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:73
//         may come before the write by kernel fill, block (0, 0, 0), thread (255, 0, 0) at streams_host.cu:21, launched at streams_host.cu:70 in the default stream,
//         4 bytes at byte 1020 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=mapped_memory FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=pageable_result exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:80
//         may come before the write by cudaMemcpyAsync at streams_host.cu:77 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 20 of variable pageable
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=pageable_result FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=pinned_memory_is_freed_early exits with 1:
//     streamcheck: missing wait in host code: a free by cudaFreeHost at streams_host.cu:90
//         may come before the read by cudaMemcpyAsync at streams_host.cu:87 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:85
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=pinned_memory_is_freed_early FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=function_in_another_stream exits with 1:
//     streamcheck: missing wait in host code: a read by a host function at streams_host.cu:26, enqueued by cudaLaunchHostFunc at streams_host.cu:95 in non-blocking stream 2 (streams_host.cu:179)
//         may come before the write by cudaMemcpyAsync at streams_host.cu:94 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=function_in_another_stream FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=copy_of_what_a_function_sets exits with 1:
//     streamcheck: missing wait in host code: a read by cudaMemcpyAsync at streams_host.cu:100 in non-blocking stream 2 (streams_host.cu:179)
//         may come before the write by a host function at streams_host.cu:30, enqueued by cudaLaunchHostFunc at streams_host.cu:99 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=copy_of_what_a_function_sets FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=function_is_not_waited_for exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:107
//         may come before the write by a host function at streams_host.cu:34, enqueued by cudaStreamAddCallback at streams_host.cu:104 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=function_is_not_waited_for FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=default_stream_of_another_thread exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:118
//         may come before the write by cudaMemcpyAsync at streams_host.cu:113 in a thread's default stream,
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: cudaStreamSynchronize of a thread's default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=default_stream_of_another_thread FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=function_sets_a_flag exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:140
//         may come before the write by cudaMemcpyAsync at streams_host.cu:131 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=function_sets_a_flag FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=function_notifies exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:153
//         may come before the write by cudaMemcpyAsync at streams_host.cu:131 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=function_notifies FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=function_posts exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:160
//         may come before the write by cudaMemcpyAsync at streams_host.cu:131 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=function_posts FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=function_starts_a_thread exits with 1:
//     streamcheck: missing wait in host code: a read at streams_host.cu:167
//         may come before the write by cudaMemcpyAsync at streams_host.cu:131 in stream 1 (streams_host.cu:178),
//         4 bytes at byte 0 of pinned memory of 1024 bytes, allocated at streams_host.cu:174
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=function_starts_a_thread FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
