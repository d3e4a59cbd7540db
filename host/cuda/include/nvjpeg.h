/* SPDX-License-Identifier: BSD-3-Clause */
#include "nvjpeg.h: portable-nvcc does not have nvJPEG: use a CPU library such as libjpeg, or build this file with nvcc"
