/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lnccl
/* NCCL with one rank: each collective call, messages in groups, what it refuses. */
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>
#include <vector>

enum { N = 6 };
static float *x, *y;

static void fill()
{
    std::vector<float> numbers;
    for (int i = 0; i < N; i++)
        numbers.push_back((float)(i + 1) / 2);
    cudaMemcpy(x, numbers.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(y, 0, N * sizeof(float));
}
static void show(const char *name, ncclResult_t result)
{
    float numbers[N];
    cudaDeviceSynchronize();
    cudaMemcpy(numbers, y, sizeof numbers, cudaMemcpyDeviceToHost);
    printf("%s %d:", name, result);
    for (float number : numbers)
        printf(" %g", number);
    puts("");
    fill();
}

int main()
{
    ncclComm_t comm, other, part;
    ncclUniqueId id;
    cudaStream_t stream;
    int count = -1, device = -1, rank = -1;
    cudaMalloc(&x, N * sizeof(float));
    cudaMalloc(&y, N * sizeof(float));
    cudaStreamCreate(&stream);
    fill();
    const int devices[] = {0};
    printf("init %d", ncclCommInitAll(&comm, 1, devices));
    printf(" %d", ncclGetUniqueId(&id));
    printf(" %d", ncclCommInitRank(&other, 1, id, 0));
    printf(" %d\n", ncclCommSplit(comm, 0, 0, &part, nullptr));
    ncclCommCount(comm, &count);
    ncclCommCuDevice(comm, &device);
    ncclCommUserRank(part, &rank);
    printf("count %d, device %d, rank %d\n", count, device, rank);

    show("AllReduce", ncclAllReduce(x, y, N, ncclFloat, ncclSum, comm, stream));
    show("Reduce", ncclReduce(x, y, N, ncclFloat, ncclMax, 0, comm, stream));
    show("Broadcast", ncclBroadcast(x, y, N, ncclFloat, 0, part, stream));
    show("AllGather", ncclAllGather(x, y, N, ncclFloat, other, stream));
    show("ReduceScatter", ncclReduceScatter(x, y, N, ncclFloat, ncclAvg, comm, stream));
    show("Bcast", ncclBcast(y, N, ncclFloat, 0, comm, stream));
    ncclGroupStart();
    ncclSend(x, 2, ncclFloat, 0, comm, stream);
    ncclRecv(y + 4, 2, ncclFloat, 0, comm, stream);
    ncclGroupStart();
    ncclRecv(y, 3, ncclFloat, 0, comm, stream);
    ncclSend(x + 3, 3, ncclFloat, 0, comm, stream);
    ncclGroupEnd();
    show("messages", ncclGroupEnd());

    printf("no communicator: %d\n", ncclAllReduce(x, y, N, ncclFloat, ncclSum, nullptr, stream));
    printf("root: %d\n", ncclReduce(x, y, N, ncclFloat, ncclSum, 1, comm, stream));
    printf("peer: %d\n", ncclSend(x, N, ncclFloat, 3, comm, stream));
    printf("type: %d\n", ncclAllReduce(x, y, N, (ncclDataType_t)77, ncclSum, comm, stream));
    printf("rank: %d\n", ncclCommInitRank(&other, 1, id, 1));
    printf("%s\n", ncclGetErrorString(ncclSuccess));
    ncclCommDestroy(part);
    ncclCommDestroy(other);
    ncclCommDestroy(comm);
    cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
