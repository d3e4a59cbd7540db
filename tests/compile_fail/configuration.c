/* SPDX-License-Identifier: BSD-3-Clause */
/* Flags that the header refuses: by one error, although a kernel follows. */
#include "portable.h"

REAL one(void);
REAL one(void)
{
    return 1;
}

#ifndef __cplusplus
KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}
#endif

// case: emulate_flag_is_2
// expect: portable.h: PORTABLE_TARGET_EMULATE is 0 or 1
// errors: 1
// flags: -DPORTABLE_TARGET_EMULATE=2
// corrected: -DPORTABLE_TARGET_EMULATE=1

// case: emulate_not_on_linux
// expect: portable.h: the emulate target needs Linux; use the serial target on this system
// errors: 1
// flags: -DPORTABLE_TARGET_EMULATE=1 -U__linux__
// corrected: -U__linux__

// case: emulate_on_another_machine
// expect: portable.h: the emulate target needs x86-64 or aarch64; use the serial target here
// errors: 1
// flags: -DPORTABLE_TARGET_EMULATE=1 -U__x86_64__ -U__aarch64__

// case: flag_of_atomics_is_2
// expect: PORTABLE_PRECISION_DOUBLE, _ATOMICS_CAS, _CHECKS and _CLONES are 0 or 1
// flags: -DPORTABLE_ATOMICS_CAS=2
// corrected: -DPORTABLE_ATOMICS_CAS=1

// case: flag_of_checks_is_2
// expect: PORTABLE_PRECISION_DOUBLE, _ATOMICS_CAS, _CHECKS and _CLONES are 0 or 1
// flags: -DPORTABLE_CHECKS=2
// corrected: -DPORTABLE_CHECKS=1

// case: flag_of_clones_is_2
// expect: PORTABLE_PRECISION_DOUBLE, _ATOMICS_CAS, _CHECKS and _CLONES are 0 or 1
// flags: -DPORTABLE_CLONES=2
// corrected: -DPORTABLE_CLONES=1

// case: flag_of_precision_is_2
// expect: PORTABLE_PRECISION_DOUBLE, _ATOMICS_CAS, _CHECKS and _CLONES are 0 or 1
// flags: -DPORTABLE_PRECISION_DOUBLE=2
// corrected: -DPORTABLE_PRECISION_DOUBLE=1

// case: macro_of_the_user
// expect: a name of 'Warps, collectives and fragments', above this line, is a macro before this header
// errors: 1
// flags: -DANY(a,b)=(a+b)

// case: wrong_compiler
// expect: portable.h: the compiler must be gcc, clang, or nvcc on top of one of them
// errors: 1
// flags: -U__GNUC__

// case: wrong_language_c99
// expect: portable.h: this is C older than C11; use cc -std=c11
// errors: 1
// flags: -std=c99
// corrected: -std=c11

// case: wrong_language_cpp14
// expect: portable.h: this is C++ older than C++17; use -std=c++17
// errors: 1
// flags: -x c++ -std=c++14
// corrected: -x c++ -std=c++17
