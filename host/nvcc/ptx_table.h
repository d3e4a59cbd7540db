/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instructions of inline PTX: PORTABLE_PTX_(form, operands, function, meaning).
 *
 * form       .a is a word of the opcode; <.a,.b> is one of several; {.a,.b} is one of them or none;
 *            [.a,.b] the same, of no effect; <class> and so on one of a class's. The words of < >
 *            and { } and the types are arguments of the function template; none_ is that of a word
 *            that is not there.
 * operands   types of the operands, in order. T: the last type of the form; T1: the first; W: twice
 *            as wide as T. =: written. T*4: {a, b, c, d}; T*v: as many as .v4 or .x4 says.
 *            T|pred: d|p. ?: may be left out. @: an address in the form's space; @shared: in that.
 *            -: of no effect. CC: the carry flag; HERE: the file and line.
 * function   of portable_cuda/ptx.h.
 * meaning    for docs/ptx.md.
 */

PORTABLE_PTX_CLASS_("integers", ".u16,.u32,.u64,.s16,.s32,.s64")
PORTABLE_PTX_CLASS_("signed", ".s16,.s32,.s64")
PORTABLE_PTX_CLASS_("words", ".u32,.s32,.u64,.s64")
PORTABLE_PTX_CLASS_("bits", ".b16,.b32,.b64")
PORTABLE_PTX_CLASS_("reals", ".f32,.f64")
PORTABLE_PTX_CLASS_("halves", ".f16,.f16x2,.bf16,.bf16x2")
PORTABLE_PTX_CLASS_("rounding", ".rn,.rz,.rm,.rp")
PORTABLE_PTX_CLASS_("comparison",
                    ".eq,.ne,.lt,.le,.gt,.ge,.lo,.ls,.hi,.hs,.equ,.neu,.ltu,.leu,.gtu,"
                    ".geu,.num,.nan")
PORTABLE_PTX_CLASS_("logic", ".and,.or,.xor")
PORTABLE_PTX_CLASS_("compared", ".b16,.b32,.b64,.u16,.u32,.u64,.s16,.s32,.s64,.f16,.bf16,.f32,.f64")
PORTABLE_PTX_CLASS_("converted", ".u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64,.f16,.bf16,.f32,.f64")
PORTABLE_PTX_CLASS_("moved", ".pred,.b16,.b32,.b64,.b128,.u16,.u32,.u64,.s16,.s32,.s64,.f32,.f64")
PORTABLE_PTX_CLASS_("selected", ".b16,.b32,.b64,.u16,.u32,.u64,.s16,.s32,.s64,.f32,.f64")
PORTABLE_PTX_CLASS_("loaded", ".b8,.b16,.b32,.b64,.b128,.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64,.f32,"
                              ".f64")
PORTABLE_PTX_CLASS_("space", ".global,.shared,.shared::cta,.shared::cluster,.local,.const,.param")
PORTABLE_PTX_CLASS_("shared", ".shared,.shared::cta,.shared::cluster")
PORTABLE_PTX_CLASS_("scope", ".cta,.cluster,.gpu,.sys")
PORTABLE_PTX_CLASS_("vector", ".v2,.v4")
PORTABLE_PTX_CLASS_("evict-1", ".L1::evict_normal,.L1::evict_unchanged,.L1::evict_first,"
                               ".L1::evict_last,.L1::no_allocate")
PORTABLE_PTX_CLASS_("evict-2", ".L2::evict_normal,.L2::evict_first,.L2::evict_last,"
                               ".L2::evict_unchanged")
PORTABLE_PTX_CLASS_("fetch", ".L2::64B,.L2::128B,.L2::256B")
PORTABLE_PTX_CLASS_("operation", ".add,.min,.max,.inc,.dec,.and,.or,.xor")
PORTABLE_PTX_CLASS_("reduced", ".f32,.f16,.f16x2,.bf16,.bf16x2")
PORTABLE_PTX_CLASS_("atomic", ".b32,.b64,.u32,.u64,.s32,.s64,.f32,.f64,.f16,.f16x2,.bf16,.bf16x2")

PORTABLE_PTX_SECTION_("Integers")
PORTABLE_PTX_("add<integers>", "=T T T", "add", "a + b")
PORTABLE_PTX_("add.sat.s32", "=T T T", "add_saturated", "a + b, clamped")
PORTABLE_PTX_("add.cc<words>", "=T T T CC", "add_carrying", "a + b; the carry is set")
PORTABLE_PTX_("addc{.cc}<words>", "=T T T CC", "add_with_carry", "a + b + carry")
PORTABLE_PTX_("sub<integers>", "=T T T", "subtract", "a - b")
PORTABLE_PTX_("sub.sat.s32", "=T T T", "subtract_saturated", "a - b, clamped")
PORTABLE_PTX_("sub.cc<words>", "=T T T CC", "subtract_carrying", "a - b; the borrow is set")
PORTABLE_PTX_("subc{.cc}<words>", "=T T T CC", "subtract_with_carry", "a - b - borrow")
PORTABLE_PTX_("mul.lo<integers>", "=T T T", "multiply_low", "the low half of a b")
PORTABLE_PTX_("mul.hi<integers>", "=T T T", "multiply_high", "the high half of a b")
PORTABLE_PTX_("mul.wide<.u16,.u32,.s16,.s32>", "=W T T", "multiply_wide", "a b, twice as wide")
PORTABLE_PTX_("mad.lo<integers>", "=T T T T", "multiply_low", "the low half of a b, + c")
PORTABLE_PTX_("mad.hi<integers>", "=T T T T", "multiply_high", "the high half of a b, + c")
PORTABLE_PTX_("mad.hi.sat.s32", "=T T T T", "multiply_high_saturated", "the same, clamped")
PORTABLE_PTX_("mad.wide<.u16,.u32,.s16,.s32>", "=W T T W", "multiply_wide", "a b + c")
PORTABLE_PTX_("mad<.lo,.hi>.cc<words>", "=T T T T CC", "multiply_carrying",
              "a half of a b, + c; the carry is set")
PORTABLE_PTX_("madc<.lo,.hi>{.cc}<words>", "=T T T T CC", "multiply_with_carry",
              "a half of a b, + c + carry")
PORTABLE_PTX_("mul24<.lo,.hi><.u32,.s32>", "=T T T", "multiply_24",
              "the low or the high 32 of the 48 bits of a b")
PORTABLE_PTX_("mad24<.lo,.hi><.u32,.s32>", "=T T T T", "multiply_24", "the same, + c")
PORTABLE_PTX_("mad24.hi.sat.s32", "=T T T T", "multiply_24_saturated", "the same, clamped")
PORTABLE_PTX_("sad<integers>", "=T T T T", "sum_of_difference", "abs(a - b) + c")
PORTABLE_PTX_("div<integers>", "=T T T", "divide", "a / b; the launch fails if b is 0")
PORTABLE_PTX_("rem<integers>", "=T T T", "remainder", "a % b; the launch fails if b is 0")
PORTABLE_PTX_("abs<signed>", "=T T", "absolute", "abs(a); of the smallest integer, itself")
PORTABLE_PTX_("neg<signed>", "=T T", "negative", "-a")
PORTABLE_PTX_("min<integers>", "=T T T", "smaller", "the lesser")
PORTABLE_PTX_("max<integers>", "=T T T", "larger", "the greater")
PORTABLE_PTX_("min.relu.s32", "=T T T", "smaller_relu", "the lesser, at least 0")
PORTABLE_PTX_("max.relu.s32", "=T T T", "larger_relu", "the greater, at least 0")
PORTABLE_PTX_("add<.u16x2,.s16x2>", "=T T T", "add_pairs", "of both halves")
PORTABLE_PTX_("min{.relu}<.u16x2,.s16x2>", "=T T T", "smaller_pairs", "of both halves")
PORTABLE_PTX_("max{.relu}<.u16x2,.s16x2>", "=T T T", "larger_pairs", "of both halves")
PORTABLE_PTX_("popc<.b32,.b64>", "=u32 T", "count_ones", "the number of ones")
PORTABLE_PTX_("clz<.b32,.b64>", "=u32 T", "count_leading_zeros", "the number of leading zeros")
PORTABLE_PTX_("bfind{.shiftamt}<words>", "=u32 T", "find_bit",
              "the place of the most significant bit, or all ones")
PORTABLE_PTX_("fns.b32", "=b32 b32 b32 s32", "find_nth_set", "the place of the n-th one")
PORTABLE_PTX_("brev<.b32,.b64>", "=T T", "reverse_bits", "the bits in reverse order")
PORTABLE_PTX_("bfe<words>", "=T T u32 u32", "extract_bits", "c bits from bit b")
PORTABLE_PTX_("bfi<.b32,.b64>", "=T T T u32 u32", "insert_bits", "b with d bits of a from bit c")
PORTABLE_PTX_("bmsk<.clamp,.wrap>.b32", "=b32 b32 b32", "mask_bits", "b ones from bit a")
PORTABLE_PTX_("szext<.clamp,.wrap><.u32,.s32>", "=T T u32", "extend_bits",
              "the low b bits, extended")
PORTABLE_PTX_("dp4a<.u32,.s32><.u32,.s32>", "=b32 b32 b32 b32", "dot_4",
              "c + the dot product of four bytes")
PORTABLE_PTX_("dp2a<.lo,.hi><.u32,.s32><.u32,.s32>", "=b32 b32 b32 b32", "dot_2",
              "c + the dot product of two halves and two bytes")
PORTABLE_PTX_("prmt.b32{.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}", "=b32 b32 b32 u32", "permute_bytes",
              "bytes of b:a")

PORTABLE_PTX_SECTION_("Bytes and halves")
#define PTX_VIDEO_(op, lanes, function, meaning)                                                   \
    PORTABLE_PTX_("v" op lanes "<.u32,.s32><.u32,.s32><.u32,.s32>{.sat}{.add}",                    \
                  "=b32 b32 b32 b32", "video_" function "_" lanes, meaning)
PTX_VIDEO_("add", "4", "add", "a + b, of each byte; add: c + their sum")
PTX_VIDEO_("add", "2", "add", "a + b, of each half; add: c + their sum")
PTX_VIDEO_("sub", "4", "subtract", "a - b, of each byte; add: c + their sum")
PTX_VIDEO_("sub", "2", "subtract", "a - b, of each half; add: c + their sum")
PTX_VIDEO_("avrg", "4", "average", "their mean, of each byte; add: c + their sum")
PTX_VIDEO_("avrg", "2", "average", "their mean, of each half; add: c + their sum")
PTX_VIDEO_("absdiff", "4", "difference", "abs(a - b), of each byte; add: c + their sum")
PTX_VIDEO_("absdiff", "2", "difference", "abs(a - b), of each half; add: c + their sum")
PTX_VIDEO_("min", "4", "smaller", "the lesser, of each byte; add: c + their sum")
PTX_VIDEO_("min", "2", "smaller", "the lesser, of each half; add: c + their sum")
PTX_VIDEO_("max", "4", "larger", "the greater, of each byte; add: c + their sum")
PTX_VIDEO_("max", "2", "larger", "the greater, of each half; add: c + their sum")
#undef PTX_VIDEO_
PORTABLE_PTX_("vset4<.u32,.s32><.u32,.s32><.eq,.ne,.lt,.le,.gt,.ge>{.add}", "=b32 b32 b32 b32",
              "video_compare_4", "1 or 0 of each byte; add: c + their number")
PORTABLE_PTX_("vset2<.u32,.s32><.u32,.s32><.eq,.ne,.lt,.le,.gt,.ge>{.add}", "=b32 b32 b32 b32",
              "video_compare_2", "1 or 0 of each half; add: c + their number")

PORTABLE_PTX_SECTION_("Logic, shifts, comparisons")
PORTABLE_PTX_("and<.pred,.b16,.b32,.b64>", "=T T T", "bits_and", "a & b")
PORTABLE_PTX_("or<.pred,.b16,.b32,.b64>", "=T T T", "bits_or", "a | b")
PORTABLE_PTX_("xor<.pred,.b16,.b32,.b64>", "=T T T", "bits_xor", "a ^ b")
PORTABLE_PTX_("not<.pred,.b16,.b32,.b64>", "=T T", "bits_not", "~a")
PORTABLE_PTX_("cnot<bits>", "=T T", "logical_not", "a == 0")
PORTABLE_PTX_("lop3.b32", "=b32 b32 b32 b32 u32", "logic_3",
              "the function of three bits by a table")
PORTABLE_PTX_("lop3<.or,.and>.b32", "=b32|pred b32 b32 b32 u32 pred", "logic_3_test",
              "the same, and whether it is not 0")
PORTABLE_PTX_("shf<.l,.r><.clamp,.wrap>.b32", "=b32 b32 b32 u32", "funnel_shift",
              "b:a shifted by c")
PORTABLE_PTX_("shl<bits>", "=T T u32", "shift_left", "a << b; 0 beyond the width")
PORTABLE_PTX_("shr<.b16,.b32,.b64,.u16,.u32,.u64,.s16,.s32,.s64>", "=T T u32", "shift_right",
              "a >> b; 0 or the sign beyond the width")
PORTABLE_PTX_("setp<comparison>{logic}{.ftz}<compared>", "=pred|pred T T pred?", "compare",
              "predicates of a comparison")
PORTABLE_PTX_("setp<comparison>{logic}{.ftz}<.f16x2,.bf16x2>", "=pred|pred T T pred?",
              "compare_pairs", "the same, one of each half")
PORTABLE_PTX_("set<comparison>{logic}{.ftz}<.u16,.s16,.u32,.s32,.f16,.bf16,.f32><compared>",
              "=T1 T T pred?", "compare_to_value", "all ones or 1.0, or 0")
PORTABLE_PTX_("selp<selected>", "=T T T pred", "select", "c ? a : b")
PORTABLE_PTX_("slct{.ftz}<selected><.s32,.f32>", "=T1 T1 T1 T", "select_by_sign", "c >= 0 ? a : b")

PORTABLE_PTX_SECTION_("Moves and conversions")
PORTABLE_PTX_("mov<moved>", "=T T", "move", "a; {a, b} packs and unpacks")
PORTABLE_PTX_("cvta[.to][space]<.u32,.u64>", "=T T", "move", "a: there is one address space")
PORTABLE_PTX_("isspacep<.global,.shared,.shared::cta,.shared::cluster,.local,.const,.param>",
              "=pred u64", "is_in_space", "whether a is in the space")
PORTABLE_PTX_("mapa[.shared::cluster]<.u32,.u64>", "=T T u32", "move", "a: a cluster is one block")
PORTABLE_PTX_("cvt{.rn,.rz,.rm,.rp,.rni,.rzi,.rmi,.rpi}{.ftz}{.sat}<converted><converted>", "=T1 T",
              "convert", "rounded and saturated as on a GPU")
PORTABLE_PTX_("cvt<.rn,.rz>.relu<.f16,.bf16>.f32", "=T1 T", "convert_relu", "the same, at least 0")
PORTABLE_PTX_("cvt<.rn,.rz>{.relu}<.f16x2,.bf16x2>.f32", "=T1 T T", "convert_pair", "of b:a")
PORTABLE_PTX_("cvt<.rn,.rz,.rna>{.relu}.tf32.f32", "=b32 f32", "convert_to_tf32",
              "10 bits of fraction")
PORTABLE_PTX_("cvt.rn.satfinite{.relu}<.e4m3x2,.e5m2x2>.f32", "=T1 T T", "convert_to_eight_bits",
              "of b:a")
PORTABLE_PTX_("cvt.rn.satfinite{.relu}<.e4m3x2,.e5m2x2>.f16x2", "=T1 T", "convert_to_eight_bits",
              "of both halves")
PORTABLE_PTX_("cvt.rn{.relu}.f16x2<.e4m3x2,.e5m2x2>", "=T1 T", "convert_from_eight_bits",
              "of both bytes")
PORTABLE_PTX_("cvt.pack.sat<.u16,.s16>.s32", "=b32 s32 s32", "convert_and_pack", "a:b, clamped")
PORTABLE_PTX_("cvt.pack.sat<.u8,.s8>.s32.b32", "=b32 s32 s32 b32", "convert_and_pack",
              "the low half of c, a, b, clamped")

PORTABLE_PTX_SECTION_("Floating point")
PORTABLE_PTX_("add{rounding}{.ftz}{.sat}<reals>", "=T T T", "real_add", "a + b")
PORTABLE_PTX_("sub{rounding}{.ftz}{.sat}<reals>", "=T T T", "real_subtract", "a - b")
PORTABLE_PTX_("mul{rounding}{.ftz}{.sat}<reals>", "=T T T", "real_multiply", "a b")
PORTABLE_PTX_("fma<.rn,.rz,.rm,.rp>{.ftz}{.sat}<reals>", "=T T T T", "real_fma",
              "a b + c, rounded once")
PORTABLE_PTX_("mad<.rn,.rz,.rm,.rp>{.ftz}{.sat}<reals>", "=T T T T", "real_fma", "as fma")
PORTABLE_PTX_("div<.approx,.full,.rn,.rz,.rm,.rp>{.ftz}<reals>", "=T T T", "real_divide",
              "a / b; approx and full within 2 ULP")
PORTABLE_PTX_("abs{.ftz}<reals>", "=T T", "real_absolute", "abs(a)")
PORTABLE_PTX_("neg{.ftz}<reals>", "=T T", "real_negative", "-a")
PORTABLE_PTX_("min{.ftz}{.NaN}{.xorsign}[.abs]<reals>", "=T T T", "real_smaller", "-0 < +0")
PORTABLE_PTX_("max{.ftz}{.NaN}{.xorsign}[.abs]<reals>", "=T T T", "real_larger", "-0 < +0")
PORTABLE_PTX_("rcp<.approx,.rn,.rz,.rm,.rp>{.ftz}<reals>", "=T T", "reciprocal",
              "1 / a; approx within 1 ULP, of f64 in 20 bits")
PORTABLE_PTX_("sqrt<.approx,.rn,.rz,.rm,.rp>{.ftz}<reals>", "=T T", "square_root",
              "approx within 1 ULP")
PORTABLE_PTX_("rsqrt.approx{.ftz}<reals>", "=T T", "reciprocal_root",
              "within 2 ULP, of f64 in 20 bits")
PORTABLE_PTX_("sin.approx{.ftz}.f32", "=T T", "sine", "within 2^-20.5 for -pi <= a <= pi")
PORTABLE_PTX_("cos.approx{.ftz}.f32", "=T T", "cosine", "within 2^-20.5 for -pi <= a <= pi")
PORTABLE_PTX_("lg2.approx{.ftz}.f32", "=T T", "logarithm", "within 2^-22 for .5 < a < 2, or 2 ULP")
PORTABLE_PTX_("ex2.approx{.ftz}.f32", "=T T", "exponential", "within 2 ULP")
PORTABLE_PTX_("tanh.approx.f32", "=T T", "hyperbolic_tangent", "within 2^-11, relative")
PORTABLE_PTX_("testp<.finite,.infinite,.number,.notanumber,.normal,.subnormal><reals>", "=pred T",
              "test_class", "whether a is in the class")
PORTABLE_PTX_("copysign<reals>", "=T T T", "copy_sign", "b with the sign of a")

PORTABLE_PTX_SECTION_("Floating point of 16 bits")
PORTABLE_PTX_("add{.rn}{.ftz}{.sat}<halves>", "=T T T", "small_add", "a + b")
PORTABLE_PTX_("sub{.rn}{.ftz}{.sat}<halves>", "=T T T", "small_subtract", "a - b")
PORTABLE_PTX_("mul{.rn}{.ftz}{.sat}<halves>", "=T T T", "small_multiply", "a b")
PORTABLE_PTX_("fma.rn{.ftz}{.sat,.relu}<halves>", "=T T T T", "small_fma", "a b + c")
PORTABLE_PTX_("abs{.ftz}<halves>", "=T T", "small_absolute", "abs(a)")
PORTABLE_PTX_("neg{.ftz}<halves>", "=T T", "small_negative", "-a")
PORTABLE_PTX_("min{.ftz}{.NaN}{.xorsign}[.abs]<halves>", "=T T T", "small_smaller", "-0 < +0")
PORTABLE_PTX_("max{.ftz}{.NaN}{.xorsign}[.abs]<halves>", "=T T T", "small_larger", "-0 < +0")
PORTABLE_PTX_("ex2.approx[.ftz]<halves>", "=T T", "small_exponential", "the nearest")
PORTABLE_PTX_("tanh.approx<halves>", "=T T", "small_hyperbolic_tangent", "the nearest")

PORTABLE_PTX_SECTION_("Memory")
PORTABLE_PTX_("ld{.weak,.volatile,.relaxed,.acquire}{scope}[.mmio][space][.ca,.cg,.cs,.lu,.cv][.nc]"
              "[evict-1][evict-2][fetch][vector]<loaded>",
              "=T*v @", "load",
              "a load at the user's line; cache operators and hints have no effect")
PORTABLE_PTX_("ld{.weak,.volatile,.relaxed,.acquire}{scope}[.mmio][space][.ca,.cg,.cs,.lu,.cv][.nc]"
              "[evict-1][evict-2][fetch][vector].L2::cache_hint<loaded>",
              "=T*v @ -b64", "load", "the same")
PORTABLE_PTX_("ldu[.global][.v2,.v4]<loaded>", "=T*v @", "load_uniform", "the same")
PORTABLE_PTX_("st{.weak,.volatile,.relaxed,.release}{scope}[.mmio][space][.wb,.cg,.cs,.wt][evict-1]"
              "[evict-2][vector]<loaded>",
              "@ T*v", "store", "a store at the user's line")
PORTABLE_PTX_("st{.weak,.volatile,.relaxed,.release}{scope}[.mmio][space][.wb,.cg,.cs,.wt][evict-1]"
              "[evict-2][vector].L2::cache_hint<loaded>",
              "@ T*v -b64", "store", "the same")
PORTABLE_PTX_("atom{.relaxed,.acquire,.release,.acq_rel}{scope}[space]<operation>[.noftz]<atomic>",
              "=T @ T", "atomic", "an atomic, of the scope for racecheck")
PORTABLE_PTX_("atom{.relaxed,.acquire,.release,.acq_rel}{scope}[space].exch<.b32,.b64,.b128>",
              "=T @ T", "atomic_exchange", "the same")
PORTABLE_PTX_("atom{.relaxed,.acquire,.release,.acq_rel}{scope}[space].cas<.b16,.b32,.b64,.b128>",
              "=T @ T T", "atomic_swap", "the same")
PORTABLE_PTX_("red{.relaxed,.release}{scope}[space]<operation>[.noftz]<atomic>", "@ T", "atomic",
              "an atomic without a result")
PORTABLE_PTX_("red{.relaxed,.release}{scope}[.global].add[.noftz][.v2,.v4,.v8]<reduced>",
              "HERE @ T*v", "atomic_add_each", "one for each element of a vector")
PORTABLE_PTX_("prefetch[.global,.local]<.L1,.L2,.L2::evict_last,.L2::evict_normal>", "@",
              "no_effect", "nothing")
PORTABLE_PTX_("prefetchu.L1", "@", "no_effect", "nothing")
PORTABLE_PTX_("discard[.global]<.L2>", "@ u32", "no_effect", "nothing")
PORTABLE_PTX_("applypriority[.global]<.L2::evict_normal>", "@ u32", "no_effect", "nothing")
PORTABLE_PTX_("createpolicy.fractional[evict-2].b64", "=b64 f32?", "no_policy", "0")
PORTABLE_PTX_("cp.async<.ca,.cg><.shared,.shared::cta>.global[fetch]", "@shared @global u32 u32?",
              "copy_later",
              "a copy that arrives at its wait: until then initcheck reports a read of it")
PORTABLE_PTX_("cp.async<.ca,.cg><.shared,.shared::cta>.global[fetch]", "@shared @global u32 pred",
              "copy_later_unless", "the same; zeroes if the predicate is true")
PORTABLE_PTX_("cp.async<.ca,.cg><.shared,.shared::cta>.global[fetch].L2::cache_hint",
              "@shared @global u32 -b64", "copy_later", "the same")
PORTABLE_PTX_("cp.async.commit_group", "", "commit_copies", "ends a group of copies")
PORTABLE_PTX_("cp.async.wait_group", "u32", "wait_for_copies", "all but the latest a groups arrive")
PORTABLE_PTX_("cp.async.wait_all", "", "wait_for_all_copies", "all copies arrive")
PORTABLE_PTX_("cp.async.mbarrier.arrive{.noinc}[shared].b64", "@shared", "copies_arrive",
              "all copies arrive; with noinc the thread too")

PORTABLE_PTX_("cp.async.bulk[.shared::cluster,.shared::cta].global.mbarrier::complete_tx::bytes",
              "@shared @global u32 @shared", "copy_bulk_to_shared",
              "a copy, made at once, whose bytes the barrier object counts")
PORTABLE_PTX_("cp.async.bulk[.shared::cluster,.shared::cta].global.mbarrier::complete_tx::bytes"
              ".L2::cache_hint",
              "@shared @global u32 @shared -b64", "copy_bulk_to_shared", "the same")
PORTABLE_PTX_("cp.async.bulk.global.shared::cta.bulk_group", "@global @shared u32", "copy_bulk",
              "a copy, made at once")
PORTABLE_PTX_("cp.async.bulk.prefetch.L2.global", "@global u32", "no_effect", "nothing")
PORTABLE_PTX_("cp.async.bulk.commit_group", "", "no_effect", "nothing")
PORTABLE_PTX_("cp.async.bulk.wait_group[.read]", "u32", "no_effect", "nothing")

PORTABLE_PTX_SECTION_("Barriers, fences, warps")
PORTABLE_PTX_("membar<.cta,.gl,.sys>", "", "fence", "`__threadfence()` and related functions")
PORTABLE_PTX_("fence[.sc,.acq_rel,.acquire,.release]<.cta,.cluster,.gpu,.sys>", "", "fence",
              "`__threadfence()` and related functions")
PORTABLE_PTX_("fence.proxy<.alias,.async>[.global,.shared::cta,.shared::cluster]", "", "no_effect",
              "nothing: there are no other proxies")
PORTABLE_PTX_("fence.mbarrier_init<.release>[.cluster]", "", "no_effect", "nothing")
PORTABLE_PTX_("bar[.cta].sync", "u32 u32?", "barrier",
              "`__syncthreads()` for barrier 0 and all threads")
PORTABLE_PTX_("barrier[.cta].sync[.aligned]", "u32 u32?", "barrier", "the same")
PORTABLE_PTX_("bar[.cta].arrive", "u32 u32", "barrier_arrive", "arrives without waiting")
PORTABLE_PTX_("barrier[.cta].arrive[.aligned]", "u32 u32", "barrier_arrive", "the same")
PORTABLE_PTX_("bar[.cta].red.popc.u32", "=u32 u32 pred", "barrier_count", "`__syncthreads_count()`")
PORTABLE_PTX_("bar[.cta].red<.and,.or>.pred", "=pred u32 pred", "barrier_vote",
              "`__syncthreads_and()`, `__syncthreads_or()`")
PORTABLE_PTX_("barrier[.cta].red.popc[.aligned].u32", "=u32 u32 pred", "barrier_count", "the same")
PORTABLE_PTX_("barrier[.cta].red<.and,.or>[.aligned].pred", "=pred u32 pred", "barrier_vote",
              "the same")
PORTABLE_PTX_("barrier.cluster.arrive[.release,.relaxed][.aligned]", "", "no_effect",
              "nothing: the wait is the barrier")
PORTABLE_PTX_("barrier.cluster.wait[.acquire][.aligned]", "", "cluster_barrier",
              "`__syncthreads()`: a cluster is one block")
PORTABLE_PTX_("bar.warp.sync", "b32", "warp_barrier", "`__syncwarp()`")
PORTABLE_PTX_("shfl[.sync]<.up,.down,.bfly,.idx>.b32", "=b32|pred b32 b32 b32 b32?", "shuffle",
              "`__shfl_sync()` and related functions, and whether the lane is in range")
PORTABLE_PTX_("vote[.sync]<.all,.any,.uni>.pred", "=pred pred b32?", "vote",
              "`__all_sync()`, `__any_sync()`, `__uni_sync()`")
PORTABLE_PTX_("vote[.sync].ballot.b32", "=b32 pred b32?", "ballot", "`__ballot_sync()`")
PORTABLE_PTX_("match.any.sync<.b32,.b64>", "=b32 T b32", "match", "`__match_any_sync()`")
PORTABLE_PTX_("match.all.sync<.b32,.b64>", "=b32|pred T b32", "match_all", "`__match_all_sync()`")
PORTABLE_PTX_("activemask.b32", "=b32", "active_lanes", "`__activemask()`")
PORTABLE_PTX_("redux.sync<.add,.min,.max><.u32,.s32>", "=T T b32", "reduce",
              "`__reduce_add_sync()` and related functions")
PORTABLE_PTX_("redux.sync<.and,.or,.xor>.b32", "=T T b32", "reduce", "the same")
PORTABLE_PTX_("elect.sync", "=b32|pred b32", "elect", "the lowest lane")
PORTABLE_PTX_("mbarrier.init[shared].b64", "@shared u32", "barrier_init",
              "a barrier object, as cuda::barrier")
PORTABLE_PTX_("mbarrier.inval[shared].b64", "@shared", "no_effect", "nothing")
PORTABLE_PTX_("mbarrier.arrive[.release,.relaxed][.cta,.cluster][shared]{.noComplete}.b64",
              "=b64 @shared u32?", "barrier_object_arrive", "arrives")
PORTABLE_PTX_("mbarrier.arrive_drop[.release,.relaxed][.cta,.cluster][shared]{.noComplete}.b64",
              "=b64 @shared u32?", "barrier_object_drop", "arrives, and is no longer expected")
PORTABLE_PTX_("mbarrier.expect_tx[.relaxed][.cta,.cluster][shared].b64", "@shared u32",
              "barrier_object_expect", "expects bytes of bulk copies")
PORTABLE_PTX_("mbarrier.arrive.expect_tx[.release,.relaxed][.cta,.cluster][shared].b64",
              "=b64 @shared u32", "barrier_object_arrive_expecting", "the same, and arrives")
PORTABLE_PTX_("mbarrier.test_wait[.acquire,.relaxed][.cta,.cluster][shared].b64",
              "=pred @shared b64", "barrier_object_test", "whether the phase is over")
PORTABLE_PTX_("mbarrier.test_wait.parity[.acquire,.relaxed][.cta,.cluster][shared].b64",
              "=pred @shared u32", "barrier_object_test_parity", "the same, by the parity")
PORTABLE_PTX_("mbarrier.try_wait[.acquire,.relaxed][.cta,.cluster][shared].b64",
              "=pred @shared b64 u32?", "barrier_object_try", "the same, giving way first")
PORTABLE_PTX_("mbarrier.try_wait.parity[.acquire,.relaxed][.cta,.cluster][shared].b64",
              "=pred @shared u32 u32?", "barrier_object_try_parity", "the same, by the parity")
PORTABLE_PTX_("mbarrier.pending_count.b64", "=u32 b64", "barrier_object_pending",
              "the threads that had not arrived")

PORTABLE_PTX_SECTION_("Control")
PORTABLE_PTX_("nanosleep.u32", "u32", "sleep", "`__nanosleep()`: gives way to other threads")
PORTABLE_PTX_("trap", "", "trap", "`__trap()`: the launch fails")
PORTABLE_PTX_("brkpt", "", "breakpoint", "`__brkpt()`: the launch fails")
PORTABLE_PTX_("exit", "", "exit", "the thread ends")
PORTABLE_PTX_("pmevent", "u32", "no_effect", "nothing")
PORTABLE_PTX_("griddepcontrol<.launch_dependents,.wait>", "", "no_effect",
              "nothing: launches run one after another")
PORTABLE_PTX_("setmaxnreg<.inc,.dec>.sync.aligned.u32", "u32", "no_effect", "nothing")

PORTABLE_PTX_SECTION_("Matrices")
PORTABLE_PTX_("ldmatrix.sync.aligned.m8n8<.x1,.x2,.x4>{.trans}[shared].b16", "=b32*v @shared",
              "load_matrix", "8x8 matrices of 16 bits, a row from each lane's address")
PORTABLE_PTX_("stmatrix.sync.aligned.m8n8<.x1,.x2,.x4>{.trans}[shared].b16", "@shared b32*v",
              "store_matrix", "the same, to memory")
PORTABLE_PTX_("movmatrix.sync.aligned.m8n8.trans.b16", "=b32 b32", "transpose_matrix",
              "an 8x8 matrix of 16 bits, transposed")
#define PTX_MMA_(shape, types, d, a, b, function)                                                  \
    PORTABLE_PTX_("mma.sync.aligned<" shape ">.row.col" types, "HERE =" d " " a " " b " " d,       \
                  function, "d = a b + c of a warp; sums from the first column on")
PTX_MMA_(".m16n8k8", ".f32<.f16,.bf16><.f16,.bf16>.f32", "f32*4", "b32*2", "b32*1", "multiply")
PTX_MMA_(".m16n8k16", ".f32<.f16,.bf16><.f16,.bf16>.f32", "f32*4", "b32*4", "b32*2", "multiply")
PTX_MMA_(".m16n8k8", ".f16.f16.f16.f16", "b32*2", "b32*2", "b32*1", "multiply")
PTX_MMA_(".m16n8k16", ".f16.f16.f16.f16", "b32*2", "b32*4", "b32*2", "multiply")
PTX_MMA_(".m16n8k4", ".f32.tf32.tf32.f32", "f32*4", "b32*2", "b32*1", "multiply")
PTX_MMA_(".m16n8k8", ".f32.tf32.tf32.f32", "f32*4", "b32*4", "b32*2", "multiply")
PTX_MMA_(".m8n8k16", "{.satfinite}.s32<.s8,.u8><.s8,.u8>.s32", "s32*2", "b32*1", "b32*1",
         "multiply_integers")
PTX_MMA_(".m16n8k16", "{.satfinite}.s32<.s8,.u8><.s8,.u8>.s32", "s32*4", "b32*2", "b32*1",
         "multiply_integers")
PTX_MMA_(".m16n8k32", "{.satfinite}.s32<.s8,.u8><.s8,.u8>.s32", "s32*4", "b32*4", "b32*2",
         "multiply_integers")
PTX_MMA_(".m8n8k4", ".f64.f64.f64.f64", "f64*2", "f64*1", "f64*1", "multiply")
PTX_MMA_(".m16n8k4", ".f64.f64.f64.f64", "f64*4", "f64*2", "f64*1", "multiply")
PTX_MMA_(".m16n8k8", ".f64.f64.f64.f64", "f64*4", "f64*4", "f64*2", "multiply")
PTX_MMA_(".m16n8k16", ".f64.f64.f64.f64", "f64*4", "f64*8", "f64*4", "multiply")
#undef PTX_MMA_
