/* SPDX-License-Identifier: BSD-3-Clause */
/* cuRAND's Mersenne Twister, which is not here. */
#error "curand_mtgp32_kernel.h: portable-nvcc has no MTGP32; use the Philox or XORWOW state"
