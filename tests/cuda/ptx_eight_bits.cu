// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: conversions of floating point of 8 bits.
#include "ptx_results.h"

__global__ void to_eight_bits(table *all)
{
    results to(all);
    const float x = (float)real_of(to.i, 0, true), y = (float)(to.i - 256) * 2.3f;
    /* halves around all numbers of 8 bits: a bit of fraction below theirs */
    const u32 halves = (u32)(to.i * 64 + to.i % 3) | (u32)(to.i * 128 + 0x8001) << 16;
    PTX_2("cvt.rn.satfinite.e4m3x2.f32", u16, "h", float, "f", x, float, "f", y)
    PTX_2("cvt.rn.satfinite.e5m2x2.f32", u16, "h", float, "f", x, float, "f", y)
    PTX_2("cvt.rn.satfinite.relu.e4m3x2.f32", u16, "h", float, "f", x, float, "f", y)
    PTX_2("cvt.rn.satfinite.relu.e5m2x2.f32", u16, "h", float, "f", x, float, "f", y)
    PTX_2("cvt.rn.satfinite.e4m3x2.f32", u16, "h", float, "f", y *y, float, "f", y / 1000)
    PTX_2("cvt.rn.satfinite.e5m2x2.f32", u16, "h", float, "f", y *y, float, "f", y / 1000)
    PTX_1("cvt.rn.satfinite.e4m3x2.f16x2", u16, "h", u32, "r", halves)
    PTX_1("cvt.rn.satfinite.e5m2x2.f16x2", u16, "h", u32, "r", halves)
    PTX_1("cvt.rn.satfinite.relu.e4m3x2.f16x2", u16, "h", u32, "r", halves)
    PTX_1("cvt.rn.satfinite.relu.e5m2x2.f16x2", u16, "h", u32, "r", halves)
}
__global__ void from_eight_bits(table *all)
{
    results to(all);
    const u16 bytes = (u16)(to.i % 256 | (to.i * 7 + 3) % 256 << 8);
    PTX_1("cvt.rn.f16x2.e4m3x2", u32, "r", u16, "h", bytes)
    PTX_1("cvt.rn.f16x2.e5m2x2", u32, "r", u16, "h", bytes)
    PTX_1("cvt.rn.relu.f16x2.e4m3x2", u32, "r", u16, "h", bytes)
    PTX_1("cvt.rn.relu.f16x2.e5m2x2", u32, "r", u16, "h", bytes)
}

int main()
{
    print(to_eight_bits);
    print(from_eight_bits);
}
