// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: operations of the bytes and halves of a word.
#include "ptx_results.h"

#define OPERANDS                                                                                   \
    results to(all);                                                                               \
    const u32 x = (u32)(integer_of(to.i, 0) * 0x01030507), y = (u32)random_bits((u64)to.i),        \
              z = (u32)integer_of(to.i, 2);
#define WORD(op) PTX_3(op, u32, "r", u32, "r", x, u32, "r", y, u32, "r", z)
#define TYPES(op, more)                                                                            \
    WORD(op ".u32.u32.u32" more)                                                                   \
    WORD(op ".s32.s32.s32" more)                                                                   \
    WORD(op ".s32.u32.u32" more)                                                                   \
    WORD(op ".u32.s32.u32" more)
#define ALL(op)                                                                                    \
    TYPES(op, "")                                                                                  \
    TYPES(op, ".sat")                                                                              \
    TYPES(op, ".add")

__global__ void sums(table *all){OPERANDS ALL("vadd4") ALL("vadd2") ALL("vsub4") ALL("vsub2")
                                     ALL("vavrg4") ALL("vavrg2")} __global__
    void choices(table *all){OPERANDS ALL("vabsdiff4") ALL("vabsdiff2") ALL("vmin4") ALL("vmin2")
                                 ALL("vmax4") ALL("vmax2")}
#define COMPARED(op)                                                                               \
    WORD("vset4.u32.u32." op)                                                                      \
    WORD("vset4.s32.s32." op ".add")                                                               \
    WORD("vset4.s32.u32." op)                                                                      \
    WORD("vset2.u32.u32." op ".add")                                                               \
    WORD("vset2.s32.s32." op)
__global__ void comparisons(table *all)
{
    OPERANDS
    COMPARED("eq")
    COMPARED("ne")
    COMPARED("lt")
    COMPARED("le")
    COMPARED("gt")
    COMPARED("ge")
}

int main()
{
    print(sums);
    print(choices);
    print(comparisons);
}
