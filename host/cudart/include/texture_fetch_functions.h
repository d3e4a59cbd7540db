/* SPDX-License-Identifier: BSD-3-Clause */
/* CUDA 12 has texture objects only, whose functions are here. */
#include "texture_indirect_functions.h"
