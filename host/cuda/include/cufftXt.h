/* SPDX-License-Identifier: BSD-3-Clause */
#include "cufftXt.h: portable-nvcc does not have cuFFT: use a CPU library such as FFTW, or build this file with nvcc"
