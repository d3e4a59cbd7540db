/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda_fp8.h: portable-nvcc does not have 8-bit floats: use cuda_fp16.h or cuda_bf16.h, or build this file with nvcc"
