/* SPDX-License-Identifier: BSD-3-Clause */
/* NVTX at its old place. */
#include "nvtx3/nvToolsExt.h"
