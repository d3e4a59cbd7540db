/* SPDX-License-Identifier: BSD-3-Clause */
#include "cusparse_v2.h: portable-nvcc does not have cuSPARSE: write the product as a kernel, or build this file with nvcc"
