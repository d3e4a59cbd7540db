/* SPDX-License-Identifier: BSD-3-Clause */
#include "npps.h: portable-nvcc does not have NPP: write the filter as a kernel, or build this file with nvcc"
