/* SPDX-License-Identifier: BSD-3-Clause */
/* CCCL declares the host's function for the host's compilation only; here, both are one. */
#define __sub_overflow_host __sub_overflow_generic_impl
#include_next <cuda/__numeric/sub_overflow.h>
#undef __sub_overflow_host
