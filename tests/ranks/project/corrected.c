/* SPDX-License-Identifier: BSD-3-Clause */
#define CORRECTED
#include "early.c"
