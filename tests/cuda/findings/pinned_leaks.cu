// SPDX-License-Identifier: BSD-3-Clause
// Pinned host memory and managed memory that are not freed are leaks, also if a pointer remains;
// LeakSanitizer does not report them again. An exit handler may free them.
#include <cstdlib>

static int *reachable, *freed_at_exit;

int main()
{
    const bool leaks = getenv("LEAKS") != nullptr;
    int *memory[3], *lost, *managed[2];

    for (int *&one : memory)
        cudaMallocHost(&one, 100);
    cudaHostAlloc(&lost, 200, cudaHostAllocMapped);
    cudaMallocHost(&reachable, 300);
    cudaMallocHost(&freed_at_exit, 400);
    atexit([] { cudaFreeHost(freed_at_exit); });
    for (int *&one : managed)
        cudaMallocManaged(&one, 500);
    cudaFree(managed[1]);
    if (leaks) {
        lost = nullptr;
        return 0;
    }
    for (int *one : memory)
        cudaFreeHost(one);
    cudaFreeHost(lost);
    cudaFreeHost(reachable);
    cudaFree(managed[0]);
    return 0;
}
// memcheck exits with 0:
//     memcheck: no errors, and no kernel was launched
// memcheck LEAKS=1 exits with 1:
//     memcheck: leak: pinned host memory of 100 bytes, allocated at pinned_leaks.cu:14, and 2 more there
//     memcheck: leak: pinned host memory of 200 bytes, allocated at pinned_leaks.cu:15
//     memcheck: leak: pinned host memory of 300 bytes, allocated at pinned_leaks.cu:16
//     memcheck: leak: managed memory of 500 bytes, allocated at pinned_leaks.cu:20
//     memcheck: 4 errors in host code
