/* SPDX-License-Identifier: BSD-3-Clause */
#include "cub/device/device_adjacent_difference.cuh: portable-nvcc does not have CUB: use cooperative groups and warp functions, or build this file with nvcc"
