// SPDX-License-Identifier: BSD-3-Clause
// A program that ends without exit handlers, or by a signal, sums up what was found, and says
// whether it died in a kernel. A child that launches nothing does not.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__global__ void kernel(int *p)
{
    p[threadIdx.x / 2] = threadIdx.x;
}

__global__ void dies()
{
    raise(SIGABRT);
}

int main()
{
    const char *end = getenv("END");
    int *p;
    cudaMalloc(&p, 128);
    cudaMemset(p, 0, 128);
    kernel<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    if (fork() == 0)
        _exit(0);
    wait(NULL);
    switch (end ? end[0] : 'e') {
    case 'q': quick_exit(0);
    case 'Q': quick_exit(3);
    case '_': _exit(0);
    case 'E': _Exit(3);
    case 'a': abort();
    case 's': *(volatile int *)8 = 1; break;
    case 'k': dies<<<1, 1>>>();
    }
    return 0;
}
// racecheck END=q exits with 1:
//     racecheck: race in kernel kernel: a write by block (0, 0, 0), thread (0, 0, 0) at early_end.cu:12
//         and a write by block (0, 0, 0), thread (1, 0, 0) at early_end.cu:12,
//         4 bytes at byte 0 of device array p of 128 bytes, allocated at early_end.cu:24, with no barrier between them
//         and 15 similar races
//     racecheck: 1 race in 1 kernel
// racecheck END=Q exits with 3:
//     racecheck: race in kernel kernel: a write by block (0, 0, 0), thread (0, 0, 0) at early_end.cu:12
//         and a write by block (0, 0, 0), thread (1, 0, 0) at early_end.cu:12,
//         4 bytes at byte 0 of device array p of 128 bytes, allocated at early_end.cu:24, with no barrier between them
//         and 15 similar races
//     racecheck: 1 race in 1 kernel
// racecheck END=_ exits with 1:
//     racecheck: race in kernel kernel: a write by block (0, 0, 0), thread (0, 0, 0) at early_end.cu:12
//         and a write by block (0, 0, 0), thread (1, 0, 0) at early_end.cu:12,
//         4 bytes at byte 0 of device array p of 128 bytes, allocated at early_end.cu:24, with no barrier between them
//         and 15 similar races
//     racecheck: 1 race in 1 kernel
// racecheck END=E exits with 3:
//     racecheck: race in kernel kernel: a write by block (0, 0, 0), thread (0, 0, 0) at early_end.cu:12
//         and a write by block (0, 0, 0), thread (1, 0, 0) at early_end.cu:12,
//         4 bytes at byte 0 of device array p of 128 bytes, allocated at early_end.cu:24, with no barrier between them
//         and 15 similar races
//     racecheck: 1 race in 1 kernel
// racecheck END=a exits with 134:
//     racecheck: race in kernel kernel: a write by block (0, 0, 0), thread (0, 0, 0) at early_end.cu:12
//         and a write by block (0, 0, 0), thread (1, 0, 0) at early_end.cu:12,
//         4 bytes at byte 0 of device array p of 128 bytes, allocated at early_end.cu:24, with no barrier between them
//         and 15 similar races
//     racecheck: 1 race in 1 kernel, the program not checked to its end: Aborted
// racecheck END=s exits with 139:
//     racecheck: race in kernel kernel: a write by block (0, 0, 0), thread (0, 0, 0) at early_end.cu:12
//         and a write by block (0, 0, 0), thread (1, 0, 0) at early_end.cu:12,
//         4 bytes at byte 0 of device array p of 128 bytes, allocated at early_end.cu:24, with no barrier between them
//         and 15 similar races
//     racecheck: 1 race in 1 kernel, the program not checked to its end: Segmentation fault
// memcheck END=q exits with 0:
//     memcheck: no errors in 1 kernel
// memcheck END=Q exits with 3:
//     memcheck: no errors in 1 kernel
// memcheck END=_ exits with 0:
//     memcheck: no errors in 1 kernel
// memcheck END=E exits with 3:
//     memcheck: no errors in 1 kernel
// memcheck END=a exits with 134:
//     memcheck: error in host code: at early_end.cu:36: Aborted
//     memcheck: 1 error in host code, the program not checked to its end: Aborted
// memcheck END=s exits with 139:
//     memcheck: error in host code: at early_end.cu:37: Segmentation fault, address 0x...
//     memcheck: 1 error in host code, the program not checked to its end: Segmentation fault
// racecheck END=k exits with 134:
//     racecheck: race in kernel kernel: a write by block (0, 0, 0), thread (0, 0, 0) at early_end.cu:12
//         and a write by block (0, 0, 0), thread (1, 0, 0) at early_end.cu:12,
//         4 bytes at byte 0 of device array p of 128 bytes, allocated at early_end.cu:24, with no barrier between them
//         and 15 similar races
//     racecheck: kernel dies is not checked to its end: Aborted
//     racecheck: 1 race in 1 kernel, 1 kernel not checked to its end: Aborted
// memcheck END=k exits with 134:
//     memcheck: error in kernel dies: block (0, 0, 0), thread (0, 0, 0) at early_end.cu:17: Aborted
//     memcheck: 1 error in 1 kernel, 1 kernel not checked to its end: Aborted
