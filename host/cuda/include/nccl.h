/* SPDX-License-Identifier: BSD-3-Clause */
#include "nccl.h: portable-nvcc does not have NCCL, as there is one device: leave out its calls, or build this file with nvcc"
