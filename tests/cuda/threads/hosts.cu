// SPDX-License-Identifier: BSD-3-Clause
// hosts [race]: host threads that do the same things at once, each with its own memory: allocations,
// streams, events, graphs, copies, and kernels whose blocks run on several OS threads. Built with the
// thread sanitizer, so that a race of the runtime shows; or, with an argument, one of the program.
#include <assert.h>
#include <atomic>
#include <cuda_runtime.h>
#include <stdio.h>
#include <thread>
#include <vector>

enum { HOSTS = 4, ROUNDS = 4, BLOCKS = 24, THREADS = 64, N = BLOCKS * THREADS };
static std::atomic<int> wrong, ready;
__device__ unsigned total;
__constant__ int offset;

__device__ float work(int block)
{
    float v = threadIdx.x + block;
    for (int k = 0; k < (block % 5 == 0 ? 200 : 20); k++)
        v = v * .5f + 1;
    return v;
}
__global__ void plain(int *to)
{
    to[blockIdx.x * blockDim.x + threadIdx.x] = work(blockIdx.x) > 1 ? blockIdx.x + offset : 0;
}
__global__ void shares(int *to)
{
    __shared__ int tile[THREADS];
    __shared__ int sum;
    extern __shared__ int rotated[];
    if (threadIdx.x == 0)
        sum = 0;
    tile[threadIdx.x] = work(blockIdx.x) > 1 ? threadIdx.x : 0;
    __syncthreads();
    atomicAdd(&sum, __shfl_xor_sync(~0u, tile[threadIdx.x], 1));
    rotated[threadIdx.x] = tile[(threadIdx.x + 1) % THREADS];
    __syncthreads();
    to[blockIdx.x * blockDim.x + threadIdx.x] = rotated[threadIdx.x] + sum;
}
// The last block to arrive sums what all have written.
__global__ void last_block(int *to, unsigned *count)
{
    __shared__ bool is_last;
    to[blockIdx.x * blockDim.x + threadIdx.x] = work(blockIdx.x) > 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&total, 1);
        is_last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last || threadIdx.x > 0)
        return;
    int sum = 0;
    for (int k = 0; k < N; k++)
        sum += to[k];
    to[0] = sum;
}
// Earlier blocks wait for later ones.
__global__ void backwards(int *to, int *turn)
{
    const int mine = work(blockIdx.x) > 1 ? blockIdx.x : 0;
    if (threadIdx.x > 0)
        return;
    while (atomicAdd(turn, 0) != (int)(gridDim.x - 1 - blockIdx.x)) {
    }
    *to = *to * 2 + mine;
    atomicAdd(turn, 1);
}
__global__ void in_turn(int *to, volatile int *turn)
{
    const int mine = work(blockIdx.x) > 1 ? blockIdx.x : 0;
    if (threadIdx.x > 0)
        return;
    while (*turn != (int)blockIdx.x) {
    }
    *to = *to * 2 + mine;
    __threadfence();
    *turn = blockIdx.x + 1;
}
__global__ void child(int *to)
{
    atomicAdd(to, 1);
}
__global__ void parents(int *to)
{
    if (work(blockIdx.x) > 1 && threadIdx.x == 0)
        child<<<1, 2>>>(to);
}
__global__ void prints()
{
    if (work(blockIdx.x) > 1 && threadIdx.x == 0 && blockIdx.x % 8 == 0)
        printf("block %d\n", blockIdx.x);
}
__global__ void fails()
{
    assert(work(blockIdx.x) < 1 || blockIdx.x < BLOCKS / 2);
}

static void expect(bool is_right, const char *what)
{
    if (!is_right) {
        wrong++;
        printf("%s is wrong\n", what);
    }
}
#define EXPECT(condition) expect(condition, #condition)
#define DO(call) expect((call) == cudaSuccess, #call)

static void meet(int number)
{
    ready++;
    while (ready < number * HOSTS)
        std::this_thread::yield();
}

static void use(int round)
{
    std::vector<int> host(N);
    int *device, *managed, *pinned, *pooled, *captured;
    cudaStream_t stream;
    cudaEvent_t before, after;
    float milliseconds;
    size_t available, bytes;
    cudaFuncAttributes attributes;
    cudaMemPool_t pool;
    unsigned long long used;
    void *address;

    DO(cudaStreamCreate(&stream));
    DO(cudaEventCreate(&before));
    DO(cudaEventCreate(&after));
    DO(cudaMalloc(&device, N * sizeof *device));
    DO(cudaMallocManaged(&managed, N * sizeof *managed));
    DO(cudaMallocHost(&pinned, N * sizeof *pinned));
    DO(cudaMallocAsync(&pooled, N * sizeof *pooled, stream));
    DO(cudaHostRegister(host.data(), N * sizeof(int), 0));
    DO(cudaMemGetInfo(&available, &bytes));
    DO(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20));
    DO(cudaDeviceGetMemPool(&pool, 0));
    DO(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    DO(cudaFuncGetAttributes(&attributes, plain));
    DO(cudaFuncSetAttribute(shares, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024 << round));
    DO(cudaGetSymbolAddress(&address, total));
    DO(cudaMemsetAsync(device, 0, N * sizeof *device, stream));
    DO(cudaMemset(managed, 0, N * sizeof *managed));

    DO(cudaEventRecord(before, stream));
    plain<<<BLOCKS, THREADS, 0, stream>>>(device);
    DO(cudaMemcpyAsync(pinned, device, N * sizeof *device, cudaMemcpyDeviceToHost, stream));
    DO(cudaEventRecord(after, stream));
    DO(cudaEventSynchronize(after));
    DO(cudaEventElapsedTime(&milliseconds, before, after));
    EXPECT(pinned[N - 1] == BLOCKS - 1 + 7);

    shares<<<BLOCKS, THREADS, THREADS * sizeof(int), stream>>>(pooled);
    DO(cudaMemcpy(host.data(), pooled, N * sizeof *pooled, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 1 + THREADS * (THREADS - 1) / 2);

    last_block<<<BLOCKS, THREADS, 0, stream>>>(device, (unsigned *)managed);
    DO(cudaMemcpy(host.data(), device, sizeof *device, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == N && managed[0] == 0);

    backwards<<<4, THREADS, 0, stream>>>(&managed[1], &managed[2]);
    DO(cudaStreamSynchronize(stream));
    EXPECT(managed[1] == 3 * 8 + 2 * 4 + 1 * 2);

    in_turn<<<4, THREADS, 0, stream>>>(&managed[5], &managed[6]);
    DO(cudaStreamSynchronize(stream));
    EXPECT(managed[5] == 1 * 4 + 2 * 2 + 3);

    parents<<<BLOCKS, THREADS, 0, stream>>>(&managed[3]);
    DO(cudaDeviceSynchronize());
    EXPECT(managed[3] == 2 * BLOCKS);

    cudaGraph_t graph;
    cudaGraphExec_t runs;
    DO(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    DO(cudaMallocAsync(&captured, N * sizeof *captured, stream));
    plain<<<BLOCKS, THREADS, 0, stream>>>(captured);
    DO(cudaFreeAsync(captured, stream));
    parents<<<BLOCKS, THREADS, 0, stream>>>(&managed[4]);
    DO(cudaEventRecord(before, stream));
    DO(cudaStreamEndCapture(stream, &graph));
    DO(cudaGraphInstantiate(&runs, graph, 0));
    DO(cudaGraphLaunch(runs, stream));
    DO(cudaStreamSynchronize(stream));
    EXPECT(managed[4] == 2 * BLOCKS);
    DO(cudaGraphExecDestroy(runs));
    DO(cudaGraphDestroy(graph));

    prints<<<BLOCKS, THREADS, 0, stream>>>();
    plain<<<1, 2048, 0, stream>>>(device);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(pinned, device, 2 * N * sizeof *device, cudaMemcpyDeviceToHost) ==
           cudaErrorInvalidValue);
    cudaGetLastError();

    DO(cudaHostUnregister(host.data()));
    DO(cudaFree(device));
    DO(cudaFree(managed));
    DO(cudaFreeHost(pinned));
    DO(cudaFreeAsync(pooled, stream));
    DO(cudaEventDestroy(before));
    DO(cudaEventDestroy(after));
    DO(cudaStreamDestroy(stream));
}

// The calls that are short, often enough that they meet each other.
static void hurry()
{
    cudaStream_t stream;
    DO(cudaStreamCreate(&stream));
    for (int k = 0; k < 400; k++) {
        int *memory;
        cudaGraph_t graph;
        DO(cudaMalloc(&memory, 64));
        DO(cudaFree(memory));
        DO(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        DO(cudaStreamEndCapture(stream, &graph));
        DO(cudaGraphDestroy(graph));
    }
    DO(cudaStreamDestroy(stream));
}

static int raced;
static void race()
{
    meet(1);
    raced++;
}
static void run()
{
    meet(1);
    for (int round = 0; round < ROUNDS; round++)
        use(round);
    meet(2);
    hurry();
    meet(3);
    fails<<<BLOCKS, THREADS>>>();
    EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
    EXPECT(cudaGetLastError() == cudaErrorAssert);
}

int main(int arguments, char **)
{
    const int seven = 7;
    unsigned count = 0;
    std::vector<std::thread> hosts;
    DO(cudaMemcpyToSymbol(offset, &seven, sizeof seven));
    for (int k = 0; k < HOSTS; k++)
        hosts.emplace_back(arguments > 1 ? race : run);
    for (std::thread &host : hosts)
        host.join();
    if (arguments > 1)
        return raced == 0;
    cudaDeviceReset();
    DO(cudaMemcpyFromSymbol(&count, total, sizeof count));
    EXPECT(count == HOSTS * ROUNDS * BLOCKS);
    printf("%d wrong\n", wrong.load());
    return wrong > 0;
}
