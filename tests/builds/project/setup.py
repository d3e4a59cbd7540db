# SPDX-License-Identifier: BSD-3-Clause
"""A module whose .cu files nvcc compiles, by the commands of PyTorch's CUDAExtension. BUILD_TYPE is
Debug, Release or RelWithDebInfo; RDC=1 links device code."""
import os

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CUDA_HOME = os.environ.get('CUDA_HOME', '/usr/local/cuda')
NVCC = os.path.join(CUDA_HOME, 'bin', 'nvcc')
BUILD_TYPE = {'Debug': ['-g', '-O0'], 'Release': ['-O3', '-DNDEBUG'],
              'RelWithDebInfo': ['-O2', '-g', '-DNDEBUG']}[os.environ.get('BUILD_TYPE', 'Release')]
RDC = os.environ.get('RDC') == '1'
NVCC_FLAGS = ['-D__CUDA_NO_HALF_OPERATORS__', '-D__CUDA_NO_HALF_CONVERSIONS__',
              '--expt-relaxed-constexpr', '--compiler-options', "'-fPIC'",
              *BUILD_TYPE, '-DTORCH_API_INCLUDE_EXTENSION_H',
              '-gencode=arch=compute_80,code=sm_80', '-gencode=arch=compute_90,code=compute_90',
              '-gencode=arch=compute_90,code=sm_90', '-std=c++17']
if 'CC' in os.environ:
    NVCC_FLAGS += ['-ccbin', os.environ['CC']]


class BuildExtension(build_ext):
    def build_extensions(self):
        compile_host = self.compiler._compile
        self.compiler.src_extensions.append('.cu')

        def compile_one(obj, src, ext, cc_args, extra_postargs, pp_opts):
            if ext == '.cu':
                self.compiler.spawn([NVCC, *pp_opts, '-c', src, '-o', obj, *NVCC_FLAGS,
                                     *(['-rdc=true'] if RDC else [])])
            else:
                compile_host(obj, src, ext, cc_args, extra_postargs, pp_opts)

        self.compiler._compile = compile_one
        if RDC:
            self.compiler.link_shared_object = self.linked(self.compiler.link_shared_object)
        super().build_extensions()

    def linked(self, link):
        """The link with device code linked before it, as by CUDAExtension(dlink=True)."""
        def link_all(objects, *arguments, **options):
            device = os.path.join(self.build_temp, 'dlink.o')
            self.compiler.spawn([NVCC, *objects, '-o', device, '-dlink', *NVCC_FLAGS])
            link([*objects, device], *arguments, **options)
        return link_all


setup(name='smooth', version='1.0', cmdclass={'build_ext': BuildExtension}, ext_modules=[
    Extension('smooth', ['module.cpp', 'main.cpp', 'smooth.cu', 'total.cu'], language='c++',
              include_dirs=[os.path.join(CUDA_HOME, 'include')],
              library_dirs=[os.path.join(CUDA_HOME, 'lib64')], libraries=['cudart'],
              runtime_library_dirs=[os.path.join(CUDA_HOME, 'lib64')],
              extra_compile_args=['-std=c++17'])])
