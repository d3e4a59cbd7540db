// SPDX-License-Identifier: BSD-3-Clause
// SIMD within a word, and the minima and maxima of DPX: a hash of each function's results.
#include <cstdio>
#include <cuda_runtime.h>

enum { FUNCTIONS = 118 };

__device__ void add(unsigned long long *hash, unsigned value)
{
    *hash = (*hash ^ value) * 0x100000001b3ull;
}

// Operands: words of edge cases, then pseudo-random numbers.
__device__ unsigned operand(unsigned i, unsigned salt)
{
    const unsigned edges[] = {0u,          0xffffffffu, 0x7fffffffu, 0x80000000u,
                              0x7fff8000u, 0x80007fffu, 0x7f807f80u, 0x80808080u,
                              0x7f7f7f7fu, 0x0001ffffu, 0x01ff0180u, 0x12345678u,
                              0x80018001u, 0xff00ff00u, 0x81818181u, 0xfffe0002u};
    if (i < 256)
        return edges[salt % 2 ? i / 16 : i % 16];
    unsigned x = i * 2654435761u + salt * 40503u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

__global__ void hashes(unsigned long long *out)
{
    unsigned long long h[FUNCTIONS];
    for (int f = 0; f < FUNCTIONS; f++)
        h[f] = 0xcbf29ce484222325ull;
    for (unsigned i = 0; i < 1024; i++) {
        const unsigned x = operand(i, 0), y = operand(i, 1), z = operand(i, 2);
        bool p, q;
        unsigned r;
        add(&h[0], __vabs2(x));
        add(&h[1], __vabsss2(x));
        add(&h[2], __vneg2(x));
        add(&h[3], __vnegss2(x));
        add(&h[4], __vadd2(x, y));
        add(&h[5], __vaddss2(x, y));
        add(&h[6], __vaddus2(x, y));
        add(&h[7], __vsub2(x, y));
        add(&h[8], __vsubss2(x, y));
        add(&h[9], __vsubus2(x, y));
        add(&h[10], __vavgs2(x, y));
        add(&h[11], __vavgu2(x, y));
        add(&h[12], __vhaddu2(x, y));
        add(&h[13], __vabsdiffs2(x, y));
        add(&h[14], __vabsdiffu2(x, y));
        add(&h[15], __vmaxs2(x, y));
        add(&h[16], __vmaxu2(x, y));
        add(&h[17], __vmins2(x, y));
        add(&h[18], __vminu2(x, y));
        add(&h[19], __vsads2(x, y));
        add(&h[20], __vsadu2(x, y));
        add(&h[21], __vcmpeq2(x, y));
        add(&h[22], __vcmpne2(x, y));
        add(&h[23], __vcmpges2(x, y));
        add(&h[24], __vcmpgeu2(x, y));
        add(&h[25], __vcmpgts2(x, y));
        add(&h[26], __vcmpgtu2(x, y));
        add(&h[27], __vcmples2(x, y));
        add(&h[28], __vcmpleu2(x, y));
        add(&h[29], __vcmplts2(x, y));
        add(&h[30], __vcmpltu2(x, y));
        add(&h[31], __vseteq2(x, y));
        add(&h[32], __vsetne2(x, y));
        add(&h[33], __vsetges2(x, y));
        add(&h[34], __vsetgeu2(x, y));
        add(&h[35], __vsetgts2(x, y));
        add(&h[36], __vsetgtu2(x, y));
        add(&h[37], __vsetles2(x, y));
        add(&h[38], __vsetleu2(x, y));
        add(&h[39], __vsetlts2(x, y));
        add(&h[40], __vsetltu2(x, y));
        add(&h[41], __vabs4(x));
        add(&h[42], __vabsss4(x));
        add(&h[43], __vneg4(x));
        add(&h[44], __vnegss4(x));
        add(&h[45], __vadd4(x, y));
        add(&h[46], __vaddss4(x, y));
        add(&h[47], __vaddus4(x, y));
        add(&h[48], __vsub4(x, y));
        add(&h[49], __vsubss4(x, y));
        add(&h[50], __vsubus4(x, y));
        add(&h[51], __vavgs4(x, y));
        add(&h[52], __vavgu4(x, y));
        add(&h[53], __vhaddu4(x, y));
        add(&h[54], __vabsdiffs4(x, y));
        add(&h[55], __vabsdiffu4(x, y));
        add(&h[56], __vmaxs4(x, y));
        add(&h[57], __vmaxu4(x, y));
        add(&h[58], __vmins4(x, y));
        add(&h[59], __vminu4(x, y));
        add(&h[60], __vsads4(x, y));
        add(&h[61], __vsadu4(x, y));
        add(&h[62], __vcmpeq4(x, y));
        add(&h[63], __vcmpne4(x, y));
        add(&h[64], __vcmpges4(x, y));
        add(&h[65], __vcmpgeu4(x, y));
        add(&h[66], __vcmpgts4(x, y));
        add(&h[67], __vcmpgtu4(x, y));
        add(&h[68], __vcmples4(x, y));
        add(&h[69], __vcmpleu4(x, y));
        add(&h[70], __vcmplts4(x, y));
        add(&h[71], __vcmpltu4(x, y));
        add(&h[72], __vseteq4(x, y));
        add(&h[73], __vsetne4(x, y));
        add(&h[74], __vsetges4(x, y));
        add(&h[75], __vsetgeu4(x, y));
        add(&h[76], __vsetgts4(x, y));
        add(&h[77], __vsetgtu4(x, y));
        add(&h[78], __vsetles4(x, y));
        add(&h[79], __vsetleu4(x, y));
        add(&h[80], __vsetlts4(x, y));
        add(&h[81], __vsetltu4(x, y));
        add(&h[82], (unsigned)__vimax_s32_relu((int)x, (int)y));
        add(&h[83], __vimax_s16x2_relu(x, y));
        add(&h[84], (unsigned)__vimax3_s32((int)x, (int)y, (int)z));
        add(&h[85], (unsigned)__vimax3_s32_relu((int)x, (int)y, (int)z));
        add(&h[86], (unsigned)__viaddmax_s32((int)x, (int)y, (int)z));
        add(&h[87], (unsigned)__viaddmax_s32_relu((int)x, (int)y, (int)z));
        add(&h[88], __vimax3_u32(x, y, z));
        add(&h[89], __vimax3_s16x2(x, y, z));
        add(&h[90], __vimax3_u16x2(x, y, z));
        add(&h[91], __vimax3_s16x2_relu(x, y, z));
        add(&h[92], __viaddmax_u32(x, y, z));
        add(&h[93], __viaddmax_s16x2(x, y, z));
        add(&h[94], __viaddmax_u16x2(x, y, z));
        add(&h[95], __viaddmax_s16x2_relu(x, y, z));
        r = (unsigned)__vibmax_s32((int)x, (int)y, &p);
        add(&h[96], r + 7 * p);
        r = __vibmax_u32(x, y, &p);
        add(&h[97], r + 7 * p);
        r = __vibmax_s16x2(x, y, &p, &q);
        add(&h[98], r + 7 * p + 31 * q);
        r = __vibmax_u16x2(x, y, &p, &q);
        add(&h[99], r + 7 * p + 31 * q);
        add(&h[100], (unsigned)__vimin_s32_relu((int)x, (int)y));
        add(&h[101], __vimin_s16x2_relu(x, y));
        add(&h[102], (unsigned)__vimin3_s32((int)x, (int)y, (int)z));
        add(&h[103], (unsigned)__vimin3_s32_relu((int)x, (int)y, (int)z));
        add(&h[104], (unsigned)__viaddmin_s32((int)x, (int)y, (int)z));
        add(&h[105], (unsigned)__viaddmin_s32_relu((int)x, (int)y, (int)z));
        add(&h[106], __vimin3_u32(x, y, z));
        add(&h[107], __vimin3_s16x2(x, y, z));
        add(&h[108], __vimin3_u16x2(x, y, z));
        add(&h[109], __vimin3_s16x2_relu(x, y, z));
        add(&h[110], __viaddmin_u32(x, y, z));
        add(&h[111], __viaddmin_s16x2(x, y, z));
        add(&h[112], __viaddmin_u16x2(x, y, z));
        add(&h[113], __viaddmin_s16x2_relu(x, y, z));
        r = (unsigned)__vibmin_s32((int)x, (int)y, &p);
        add(&h[114], r + 7 * p);
        r = __vibmin_u32(x, y, &p);
        add(&h[115], r + 7 * p);
        r = __vibmin_s16x2(x, y, &p, &q);
        add(&h[116], r + 7 * p + 31 * q);
        r = __vibmin_u16x2(x, y, &p, &q);
        add(&h[117], r + 7 * p + 31 * q);
    }
    for (int f = 0; f < FUNCTIONS; f++)
        out[f] = h[f];
}

int main()
{
    static const char *const names[FUNCTIONS] = {"__vabs2",          "__vabsss2",
                                                 "__vneg2",          "__vnegss2",
                                                 "__vadd2",          "__vaddss2",
                                                 "__vaddus2",        "__vsub2",
                                                 "__vsubss2",        "__vsubus2",
                                                 "__vavgs2",         "__vavgu2",
                                                 "__vhaddu2",        "__vabsdiffs2",
                                                 "__vabsdiffu2",     "__vmaxs2",
                                                 "__vmaxu2",         "__vmins2",
                                                 "__vminu2",         "__vsads2",
                                                 "__vsadu2",         "__vcmpeq2",
                                                 "__vcmpne2",        "__vcmpges2",
                                                 "__vcmpgeu2",       "__vcmpgts2",
                                                 "__vcmpgtu2",       "__vcmples2",
                                                 "__vcmpleu2",       "__vcmplts2",
                                                 "__vcmpltu2",       "__vseteq2",
                                                 "__vsetne2",        "__vsetges2",
                                                 "__vsetgeu2",       "__vsetgts2",
                                                 "__vsetgtu2",       "__vsetles2",
                                                 "__vsetleu2",       "__vsetlts2",
                                                 "__vsetltu2",       "__vabs4",
                                                 "__vabsss4",        "__vneg4",
                                                 "__vnegss4",        "__vadd4",
                                                 "__vaddss4",        "__vaddus4",
                                                 "__vsub4",          "__vsubss4",
                                                 "__vsubus4",        "__vavgs4",
                                                 "__vavgu4",         "__vhaddu4",
                                                 "__vabsdiffs4",     "__vabsdiffu4",
                                                 "__vmaxs4",         "__vmaxu4",
                                                 "__vmins4",         "__vminu4",
                                                 "__vsads4",         "__vsadu4",
                                                 "__vcmpeq4",        "__vcmpne4",
                                                 "__vcmpges4",       "__vcmpgeu4",
                                                 "__vcmpgts4",       "__vcmpgtu4",
                                                 "__vcmples4",       "__vcmpleu4",
                                                 "__vcmplts4",       "__vcmpltu4",
                                                 "__vseteq4",        "__vsetne4",
                                                 "__vsetges4",       "__vsetgeu4",
                                                 "__vsetgts4",       "__vsetgtu4",
                                                 "__vsetles4",       "__vsetleu4",
                                                 "__vsetlts4",       "__vsetltu4",
                                                 "__vimax_s32_relu", "__vimax_s16x2_relu",
                                                 "__vimax3_s32",     "__vimax3_s32_relu",
                                                 "__viaddmax_s32",   "__viaddmax_s32_relu",
                                                 "__vimax3_u32",     "__vimax3_s16x2",
                                                 "__vimax3_u16x2",   "__vimax3_s16x2_relu",
                                                 "__viaddmax_u32",   "__viaddmax_s16x2",
                                                 "__viaddmax_u16x2", "__viaddmax_s16x2_relu",
                                                 "__vibmax_s32",     "__vibmax_u32",
                                                 "__vibmax_s16x2",   "__vibmax_u16x2",
                                                 "__vimin_s32_relu", "__vimin_s16x2_relu",
                                                 "__vimin3_s32",     "__vimin3_s32_relu",
                                                 "__viaddmin_s32",   "__viaddmin_s32_relu",
                                                 "__vimin3_u32",     "__vimin3_s16x2",
                                                 "__vimin3_u16x2",   "__vimin3_s16x2_relu",
                                                 "__viaddmin_u32",   "__viaddmin_s16x2",
                                                 "__viaddmin_u16x2", "__viaddmin_s16x2_relu",
                                                 "__vibmin_s32",     "__vibmin_u32",
                                                 "__vibmin_s16x2",   "__vibmin_u16x2"};
    unsigned long long hash[FUNCTIONS], *device;
    cudaMalloc(&device, sizeof hash);
    hashes<<<1, 1>>>(device);
    cudaMemcpy(hash, device, sizeof hash, cudaMemcpyDeviceToHost);
    for (int f = 0; f < FUNCTIONS; f++)
        printf("%-22s %016llx\n", names[f], hash[f]);
    cudaFree(device);
    return cudaDeviceSynchronize() != cudaSuccess;
}
