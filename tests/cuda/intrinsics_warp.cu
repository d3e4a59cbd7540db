// SPDX-License-Identifier: BSD-3-Clause
// __match_*_sync, __reduce_*_sync and __uni_sync, of whole warps and of parts.
#include <cstdio>
#include <cuda_runtime.h>

enum { VALUES = 16 };

__global__ void whole(unsigned *out)
{
    const unsigned lane = threadIdx.x % 32, all = 0xffffffffu;
    unsigned *mine = out + threadIdx.x * VALUES;
    int alike;
    mine[0] = __match_any_sync(all, lane / 5);
    mine[1] = __match_any_sync(all, (int)(lane % 3) - 1);
    mine[2] = __match_any_sync(all, (unsigned long long)(lane % 2) << 40);
    mine[3] = __match_any_sync(all, lane < 4 ? 0.5f : 2.5f);
    mine[4] = __match_any_sync(all, (double)(lane / 16));
    mine[5] = __match_all_sync(all, 7u, &alike);
    mine[5] += (unsigned)alike;
    mine[6] = __match_all_sync(all, lane == 31 ? 1.0 : 2.0, &alike);
    mine[6] += (unsigned)alike;
    mine[7] = __reduce_add_sync(all, lane * lane);
    mine[8] = (unsigned)__reduce_add_sync(all, -(int)lane);
    mine[9] = __reduce_min_sync(all, 100u - lane) + (unsigned)__reduce_min_sync(all, 3 - (int)lane);
    mine[10] =
        __reduce_max_sync(all, 100u - lane) + (unsigned)__reduce_max_sync(all, (int)lane - 40);
    mine[11] = __reduce_and_sync(all, ~(1u << lane % 7));
    mine[12] = __reduce_or_sync(all, 1u << lane % 7);
    mine[13] = __reduce_xor_sync(all, lane * 2654435761u);
    mine[14] = (unsigned)__uni_sync(all, lane < 40) + 2 * (unsigned)__uni_sync(all, lane < 20);
    mine[15] = 0;
}

// The odd lanes and the even ones, each among themselves.
__global__ void parts(unsigned *out)
{
    const unsigned lane = threadIdx.x % 32;
    unsigned *mine = out + threadIdx.x * VALUES;
    int alike = 0;
    for (int k = 0; k < VALUES; k++)
        mine[k] = 0;
    if (lane % 2) {
        const unsigned odd = 0xaaaaaaaau;
        mine[0] = __match_any_sync(odd, lane / 8);
        mine[1] = __reduce_add_sync(odd, lane);
        mine[2] = __reduce_min_sync(odd, lane);
        mine[3] = __reduce_xor_sync(odd, 1u << lane);
    } else {
        const unsigned even = 0x55555555u;
        mine[0] = __match_any_sync(even, -1);
        mine[1] = (unsigned)__reduce_max_sync(even, (int)lane - 100);
        mine[2] = __reduce_and_sync(even, lane | 64);
        mine[3] = __match_all_sync(even, 3ll, &alike);
        mine[3] += (unsigned)alike;
    }
}

static void show(const char *name, void (*kernel)(unsigned *), int last)
{
    enum { THREADS = 64 };
    static unsigned out[THREADS][VALUES];
    unsigned *device;
    cudaMalloc(&device, sizeof out);
    kernel<<<1, THREADS>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t += 1 + t % 11) {
        printf("%s %d:", name, t);
        for (int k = 0; k < last; k++)
            printf(" %x", out[t][k]);
        printf("\n");
    }
    cudaFree(device);
}

int main()
{
    show("whole", whole, 15);
    show("parts", parts, 4);
    return cudaDeviceSynchronize() != cudaSuccess;
}
