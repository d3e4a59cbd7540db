/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#include "cublas_api.h"
#endif
