/* SPDX-License-Identifier: BSD-3-Clause */
/* CUDA 12 has surface objects only, whose functions are here. */
#include "surface_indirect_functions.h"
