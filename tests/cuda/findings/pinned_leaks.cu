// SPDX-License-Identifier: BSD-3-Clause
// Pinned host memory that is not freed is a leak, also if a pointer to it remains; LeakSanitizer does
// not report it again. An exit handler may free it.
#include <cstdlib>

static int *reachable, *freed_at_exit;

int main()
{
    const bool leaks = getenv("LEAKS") != nullptr;
    int *memory[3], *lost;

    for (int *&one : memory)
        cudaMallocHost(&one, 100);
    cudaHostAlloc(&lost, 200, cudaHostAllocMapped);
    cudaMallocHost(&reachable, 300);
    cudaMallocHost(&freed_at_exit, 400);
    atexit([] { cudaFreeHost(freed_at_exit); });
    if (leaks) {
        lost = nullptr;
        return 0;
    }
    for (int *one : memory)
        cudaFreeHost(one);
    cudaFreeHost(lost);
    cudaFreeHost(reachable);
    return 0;
}
// memcheck exits with 0:
//     memcheck: no errors, and no kernel was launched
// memcheck LEAKS=1 exits with 1:
//     memcheck: leak: pinned host memory of 100 bytes, allocated at pinned_leaks.cu:14, and 2 more there
//     memcheck: leak: pinned host memory of 200 bytes, allocated at pinned_leaks.cu:15
//     memcheck: leak: pinned host memory of 300 bytes, allocated at pinned_leaks.cu:16
//     memcheck: 3 errors in host code
