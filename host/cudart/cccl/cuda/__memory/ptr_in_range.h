/* SPDX-License-Identifier: BSD-3-Clause */
/* CCCL declares the host's function for the host's compilation only; here, both are one. */
#define __ptr_in_range_host __ptr_in_range_device
#include_next <cuda/__memory/ptr_in_range.h>
#undef __ptr_in_range_host
