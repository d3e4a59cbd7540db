/* SPDX-License-Identifier: BSD-3-Clause */
/* cuRAND's Mersenne Twister, which is not here. */
#error "curand_mtgp32_host.h: portable-nvcc has no MTGP32; use curandStatePhilox4_32_10_t or XORWOW"
