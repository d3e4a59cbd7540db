/* SPDX-License-Identifier: BSD-3-Clause */
/* CCCL declares the host's function for the host's compilation only; here, both are one. */
#define __add_overflow_host __add_overflow_generic_impl
#include_next <cuda/__numeric/add_overflow.h>
#undef __add_overflow_host
