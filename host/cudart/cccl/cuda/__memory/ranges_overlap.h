/* SPDX-License-Identifier: BSD-3-Clause */
/* CCCL declares the host's function for the host's compilation only; here, both are one. */
#define __ptr_ranges_overlap_host __ptr_ranges_overlap_device
#include_next <cuda/__memory/ranges_overlap.h>
#undef __ptr_ranges_overlap_host
