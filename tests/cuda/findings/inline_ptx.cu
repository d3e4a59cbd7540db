// SPDX-License-Identifier: BSD-3-Clause
// Accesses and barriers of inline PTX are reported as those of C++ are, at the line of the asm.
#include <cstdio>
#include <cstdlib>

__global__ void beyond(unsigned *data, const unsigned *in)
{
    unsigned value;
    asm volatile("ld.global.u32 %0, [%1+16];" : "=r"(value) : "l"(in + threadIdx.x));
    asm volatile("st.global.u32 [%0], %1;" ::"l"(data + threadIdx.x), "r"(value) : "memory");
}
__global__ void races(unsigned *data)
{
    __shared__ unsigned tile[64];
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
    unsigned value;
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(threadIdx.x) : "memory");
    asm volatile("ld.shared.u32 %0, [%1];"
                 : "=r"(value)
                 : "r"(at + (threadIdx.x < 32 ? 128 : -128))
                 : "memory");
    data[threadIdx.x] = value;
}
__global__ void copies(unsigned *data, const unsigned *in)
{
    __shared__ unsigned tile[32];
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + threadIdx.x)
                 : "memory");
    asm volatile("cp.async.commit_group;");
    data[threadIdx.x] = tile[threadIdx.x];
    asm volatile("cp.async.wait_group 0;");
}
__global__ void diverges(unsigned *data)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 0;" ::: "memory");
    data[threadIdx.x] = 0;
}
__global__ void not_known(unsigned *data)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (!data)
        asm volatile("brkpt;");
    asm volatile("mov.u32 %0, %%laneid;\n frobnicate.b32 %0, 1;" : "=r"(data[threadIdx.x]));
}

int main()
{
    unsigned *data, *in;
    cudaMalloc(&data, 64 * sizeof *data);
    cudaMalloc(&in, 32 * sizeof *in);
    cudaMemset(in, 0, 32 * sizeof *in);
    void (*const of_two[])(unsigned *, const unsigned *) = {beyond, copies};
    for (auto kernel : of_two) {
        kernel<<<1, 32>>>(data, in);
        cudaDeviceSynchronize();
    }
    races<<<1, 64>>>(data);
    diverges<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    cudaFree(in);
    if (getenv("NOT_KNOWN")) {
        not_known<<<1, 1>>>(data);
        printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    }
    cudaFree(data);
}

// emulate NOT_KNOWN=1 exits with 0:
//     kernel not_known: block (0, 0, 0), thread (0, 0, 0): unknown PTX: frobnicate.b32 %0, 1, inline_ptx.cu:45
//     the provided PTX was compiled with an unsupported toolchain.
// memcheck exits with 1:
//     memcheck: error in kernel beyond: a read of 4 bytes by block (0, 0, 0), thread (28, 0, 0) at inline_ptx.cu:9,
//         0 bytes after device array in of 128 bytes, allocated at inline_ptx.cu:52
//     memcheck: 1 error in 1 kernel
// racecheck exits with 1:
//     racecheck: race in kernel races: a read by block (0, 0, 0), thread (0, 0, 0) at inline_ptx.cu:18
//         and a write by block (0, 0, 0), thread (32, 0, 0) at inline_ptx.cu:17,
//         4 bytes at byte 128 of shared array tile, with no barrier between them
//         and 63 similar races
//     racecheck: 1 race in 1 kernel
// initcheck exits with 1:
//     initcheck: uninitialised read in kernel copies: by block (0, 0, 0), thread (0, 0, 0) at inline_ptx.cu:31,
//         4 bytes at byte 0 of shared array tile
//     initcheck: uninitialised read in kernel races: by block (0, 0, 0), thread (0, 0, 0) at inline_ptx.cu:18,
//         4 bytes at byte 128 of shared array tile
//     initcheck: 2 errors in 2 kernels
// synccheck exits with 1:
//     synccheck: divergence in kernel diverges: block (0, 0, 0): some threads never reach a barrier
//         block (0, 0, 0), thread (0, 0, 0) and 31 more wait at bar.sync, inline_ptx.cu:37
//         block (0, 0, 0), thread (32, 0, 0) and 31 more have ended
//     synccheck: 1 divergence in 1 kernel
