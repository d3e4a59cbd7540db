/* SPDX-License-Identifier: BSD-3-Clause */
#include "cudnn.h: portable-nvcc does not have cuDNN: use a CPU library, or build this file with nvcc"
