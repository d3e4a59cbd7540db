// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: registers of 128 bits.
#include <cstdio>

typedef unsigned long long u64;
typedef unsigned __int128 u128;

__global__ void wide(u64 *out, u128 *memory)
{
    u64 low, high;
    u128 value;
    asm("mov.b128 %0, {%1, %2};" : "=q"(value) : "l"(0x123456789ull), "l"(~5ull));
    out[0] = static_cast<u64>(value);
    out[1] = static_cast<u64>(value >> 64);
    asm("mov.b128 {%0, %1}, %2;" : "=l"(low), "=l"(high) : "q"(value + 7));
    out[2] = low;
    out[3] = high;
    asm volatile(
        "{ .reg .b128 t; ld.global.b128 t, [%0]; st.global.b128 [%0+16], t; }" ::"l"(memory)
        : "memory");
    asm volatile("atom.global.exch.b128 %0, [%1], %2;"
                 : "=q"(value)
                 : "l"(memory), "q"(value)
                 : "memory");
    out[4] = static_cast<u64>(value >> 64);
    for (int k = 0; k < 2; k++) {
        asm volatile("atom.relaxed.gpu.global.cas.b128 %0, [%1], %2, %3;"
                     : "=q"(value)
                     : "l"(memory + 1), "q"(value), "q"(value * 3)
                     : "memory");
        out[5 + 2 * k] = static_cast<u64>(value);
        out[6 + 2 * k] = static_cast<u64>(value >> 64);
    }
    asm volatile("ld.relaxed.gpu.global.b128 %0, [%1];" : "=q"(value) : "l"(memory + 1) : "memory");
    out[9] = static_cast<u64>(value);
    out[10] = static_cast<u64>(value >> 64);
}

int main()
{
    u64 host[11], *out;
    u128 *memory;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&memory, 64);
    cudaMemset(memory, 0x5a, 64);
    wide<<<1, 1>>>(out, memory);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (const u64 word : host)
        printf("%llx\n", word);
    cudaFree(memory);
    cudaFree(out);
}
