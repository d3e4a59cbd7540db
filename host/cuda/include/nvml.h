/* SPDX-License-Identifier: BSD-3-Clause */
#include "nvml.h: portable-nvcc does not have the CUDA profiling tools: leave them out, or build this file with nvcc"
