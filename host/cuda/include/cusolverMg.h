/* SPDX-License-Identifier: BSD-3-Clause */
#include "cusolverMg.h: portable-nvcc does not have cuSOLVER: use a CPU library such as LAPACK, or build this file with nvcc"
