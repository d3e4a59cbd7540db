// expect: portable.h: this is C++ older than C++17; use -std=c++17
/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -x c++ -std=c++14
// needs: c++
// errors: 1
#ifndef CORRECTED
#include "portable.h"
#endif
int probe();
