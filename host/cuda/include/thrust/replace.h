/* SPDX-License-Identifier: BSD-3-Clause */
#include "thrust/replace.h: portable-nvcc does not have Thrust: use kernels and cudaMalloc, or build this file with nvcc"
