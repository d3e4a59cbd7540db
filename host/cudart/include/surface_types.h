/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of surfaces, for C and C++. */
#ifndef PORTABLE_CUDA_SURFACE_TYPES_H
#define PORTABLE_CUDA_SURFACE_TYPES_H
/* CUDA's own guard, which other code asks for. */
#define __SURFACE_TYPES_H__

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0c
#define cudaSurfaceType1DLayered 0xf1
#define cudaSurfaceType2DLayered 0xf2
#define cudaSurfaceTypeCubemapLayered 0xfc

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,  /* reads give 0, writes do nothing */
    cudaBoundaryModeClamp = 1, /* the nearest element */
    cudaBoundaryModeTrap = 2   /* the kernel fails */
};
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

typedef unsigned long long cudaSurfaceObject_t;

#endif
