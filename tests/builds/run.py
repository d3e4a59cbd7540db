#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run.py [--pairs] [-j N] TOOLKIT SCRATCH [WORD...]

Builds project/ by every build system, in every way that AXES has, with the nvcc in TOOLKIT/bin; runs
it, and under a check runs it with a mistake, which the check must find, in its line. A cell is one
value of each axis and perhaps a variant; WORDs select cells by their values: `cmake make racecheck` is
CMake and Make under racecheck. --pairs leaves as few cells as have every pair of values (of a system
and a check, those without a check, with memcheck and with one of the others), and the variants. The
files and the log of a cell are in SCRATCH/CELL.

Prints a line for each cell. TOOLKIT may be CUDA's own, for the cells without a check; without a GPU,
they are only built. Exit status: 0 if all is as expected; 1 if not; 2 for wrong usage; 77 if nothing
could run.
"""
import concurrent.futures
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent / 'project'
LIMIT = 600  # seconds, which only end a command that hangs

AXES = {
    'system': ('command', 'make', 'cmake', 'findcuda', 'meson', 'setuptools'),
    'type': ('Debug', 'Release', 'RelWithDebInfo'),
    'library': ('static', 'shared', 'rdc'),
    'compiler': ('g++', 'clang++'),
    'check': ('none', 'memcheck', 'racecheck', 'initcheck', 'synccheck', 'streamcheck'),
}
BUGS = {'memcheck': 'bounds', 'racecheck': 'race', 'initcheck': 'unwritten',
        'synccheck': 'barrier', 'streamcheck': 'stream'}

# The words for a value, in $TYPE and $LIBRARY of the commands.
WORDS = {
    'command': {'Debug': '-g -G -O0', 'Release': '-O3 -DNDEBUG',
                'RelWithDebInfo': '-O2 -g -lineinfo -DNDEBUG'},
    'make': {'Debug': 'DEBUG=1', 'Release': '', 'RelWithDebInfo': 'PROFILE=1',
             'static': '', 'shared': 'SHARED=1', 'rdc': 'RDC=1'},
    'cmake': {'static': '', 'shared': '-DBUILD_SHARED_LIBS=ON',
              'rdc': '-DCMAKE_CUDA_SEPARABLE_COMPILATION=ON'},
    'findcuda': {'static': '', 'shared': '-DBUILD_SHARED_LIBS=ON',
                 'rdc': '-DCUDA_SEPARABLE_COMPILATION=ON'},
    'meson': {'Debug': 'debug', 'Release': 'release -Db_ndebug=true',
              'RelWithDebInfo': 'debugoptimized -Db_ndebug=true',
              'static': '-Ddefault_library=static', 'shared': '', 'rdc': '-Dcuda_args=-rdc=true'},
    'setuptools': {'shared': '', 'rdc': '1'},
}

# sh's commands; $FLAGS are those of a variant.
COMMANDS = {
    'command static': '''
        nvcc $TYPE -std=c++17 $FLAGS -c smooth.cu total.cu
        nvcc -lib smooth.o total.o -o libsmooth.a
        $CXX $TYPE_OF_CXX -I$CUDA_HOME/include -c main.cpp
        nvcc main.o -L. -lsmooth -o main''',
    'command shared': '''
        nvcc $TYPE -std=c++17 $FLAGS -Xcompiler -fPIC -shared smooth.cu total.cu -o libsmooth.so
        nvcc $TYPE main.cpp -L. -lsmooth -Xlinker -rpath,$PWD -o main''',
    'command rdc': '''
        nvcc $TYPE -std=c++17 $FLAGS -arch=sm_80 -dc smooth.cu total.cu
        nvcc -arch=sm_80 -dlink smooth.o total.o -o device.o
        $CXX $TYPE_OF_CXX -I$CUDA_HOME/include -c main.cpp
        $CXX main.o smooth.o total.o device.o -L$CUDA_HOME/lib64 -lcudart_static -lpthread -ldl -lrt -o main''',
    'make': 'make CXX=$CXX $TYPE $LIBRARY $FLAGS main',
    'cmake': '''
        cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=$TYPE $LIBRARY $FLAGS
        cmake --build build''',
    'findcuda': '''
        cmake -G Ninja -Wno-dev -S findcuda -B build -DCMAKE_BUILD_TYPE=$TYPE $LIBRARY $FLAGS
        cmake --build build''',
    'meson': '''
        meson setup build --buildtype=$TYPE $LIBRARY $FLAGS
        ninja -C build''',
    'setuptools': 'BUILD_TYPE=$TYPE RDC=$LIBRARY python3 setup.py build_ext --inplace',
}
PROGRAMS = {'command': './main', 'make': './main', 'setuptools': 'python3 test.py'}  # or build/main
# The host's compiler links these. Under a check they need LD_PRELOAD, and say so.
LINKED_BY_HOST = ('command rdc', 'make', 'cmake', 'findcuda', 'meson shared', 'meson rdc', 'setuptools')

# What CMake, nvcc and the libraries have beside the axes: a variant of a cell, its $FLAGS, and
# further commands.
VARIANTS = {
    'native': ('cmake static none', '-DCMAKE_CUDA_ARCHITECTURES=native', ''),
    'all-major': ('cmake shared memcheck', '-DCMAKE_CUDA_ARCHITECTURES=all-major', ''),
    'cudart_static': ('cmake static none', '-DRUNTIME=CUDA::cudart_static', ''),
    'cuda_driver': ('cmake shared racecheck', '-DCMAKE_CUDA_RUNTIME_LIBRARY=Shared '
                    '-DRUNTIME=CUDA::cudart;CUDA::cuda_driver', ''),
    'cxx20': ('command static none', '-std=c++20', ''),
    'ccbin': ('command static none', '-ccbin $CXX --compiler-options=-Wall', ''),
    'options-file': ('command static none', '--options-file given', ''),
    'response-file': ('command static racecheck', '@given', ''),
    'dependencies': ('command static none', '-MD', '''
        grep '^smooth.o *:' smooth.d
        grep smooth.cuh smooth.d
        nvcc -M smooth.cu | grep '^smooth.o *:'
        nvcc -M -MT target -MF written smooth.cu
        grep '^target *:' written
        nvcc -MMD -MT target -MF written -c total.cu -o total.o
        grep '^target *:' written
        grep smooth.cuh written'''),
    'questions': ('command static none', '', '''
        nvcc --version | grep 'release [0-9]*[.][0-9]*, V[0-9.]*$'
        nvcc -V | grep '^nvcc: NVIDIA (R) Cuda compiler driver$'
        nvcc --list-gpu-arch | grep -x compute_80
        nvcc --list-gpu-code | grep -x sm_80'''),
}


def possible_cells():
    for values in itertools.product(*AXES.values()):
        if values[0] != 'setuptools' or values[2] != 'static':  # a module is a shared library
            yield values


def pairs_of(cell):
    """Its pairs. All checks but memcheck are one to a build system: each comes by one more library."""
    of_system = cell[4] if cell[4] in ('none', 'memcheck') else 'another check'
    return {(('system', cell[0]), ('check', of_system)), *(
        pair for pair in itertools.combinations(enumerate(cell), 2) if (pair[0][0], pair[1][0]) != (0, 4))}


def covering(cells):
    """As few of the cells as a greedy choice needs for every pair of values."""
    missing = set().union(*map(pairs_of, cells))
    while missing:
        best = max(cells, key=lambda cell: len(pairs_of(cell) & missing))
        missing -= pairs_of(best)
        yield best


def variant_cells():
    for name, (words, _, _) in VARIANTS.items():
        system, library, check = words.split()
        yield system, 'Release', library, 'g++', check, name


def selected(cells, words):
    wanted = [[word for word in words if word in axis] for axis in (*AXES.values(), VARIANTS)]
    for cell in cells:
        values = itertools.zip_longest(cell, wanted, fillvalue='')
        if all(not any_of or value in any_of for value, any_of in values):
            yield cell


class Toolkit:
    def __init__(self, path):
        self.path = path
        self.env = dict(os.environ, PATH=f'{path}/bin:{os.environ["PATH"]}', CUDA_HOME=path,
                        CUDA_PATH=path, CUDACXX=f'{path}/bin/nvcc', LC_ALL='C',
                        CCACHE_DISABLE='1')
        for name in ('PORTABLE_CHECK', 'NVCC_CCBIN', 'NVCC', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS', 'LD_PRELOAD',
                     'MAKEFLAGS', 'DESTDIR'):
            self.env.pop(name, None)
        said = subprocess.run([f'{path}/bin/nvcc', '--version'], env=self.env, capture_output=True,
                              text=True, check=True).stdout
        self.is_portable = said.startswith('portable-nvcc')
        self.can_run = self.is_portable or os.path.exists('/dev/nvidiactl')

    def missing(self, cell):
        """Why the cell cannot be built here, or None."""
        system, _, _, compiler, check = cell[:5]
        if check != 'none' and not self.is_portable:
            return 'the checks', 'this is CUDA\'s own nvcc'
        if not self.can_run and (system == 'findcuda' or 'native' in cell):
            return system, 'its configuration asks a GPU, and there is none'
        if not shutil.which(compiler):
            return compiler, f'there is no {compiler} (Debian: {compiler.replace("clang++", "clang")})'
        if system in ('cmake', 'findcuda', 'meson') and not shutil.which('ninja'):
            return system, 'there is no ninja (Debian: ninja-build)'
        if system in ('cmake', 'findcuda') and not shutil.which('cmake'):
            return system, 'there is no cmake (Debian: cmake)'
        if system == 'findcuda' and subprocess.run(
                ['cmake', '--help-module', 'FindCUDA'], capture_output=True, check=False).returncode:
            return system, 'this CMake has no FindCUDA any more'
        if system == 'meson' and not shutil.which('meson'):
            return system, 'there is no meson (Debian: meson)'
        if system == 'setuptools' and subprocess.run(
                ['python3', '-c', 'import setuptools'], capture_output=True, check=False).returncode:
            return system, 'there is no setuptools (Debian: python3-setuptools)'
        if system == 'setuptools' and not Path(sysconfig.get_path('include'), 'Python.h').exists():
            return system, 'there is no Python.h (Debian: python3-dev)'
        return None


class Failure(Exception):
    pass


class Cell:
    def __init__(self, cell, toolkit, scratch):
        self.system, self.type, self.library, self.compiler, self.check, *rest = cell
        self.variant = rest[0] if rest else ''
        self.toolkit = toolkit
        self.directory = scratch / '-'.join(cell)
        self.log = self.directory / 'log'
        words = WORDS.get(self.system, {})
        self.flags, self.more = VARIANTS[self.variant][1:] if self.variant else ('', '')
        self.env = dict(toolkit.env, TYPE=words.get(self.type, self.type),
                        LIBRARY=words.get(self.library, ''), FLAGS=self.flags.replace('$CXX', self.compiler),
                        CC={'g++': 'gcc', 'clang++': 'clang'}[self.compiler], CXX=self.compiler,
                        NVCC_CCBIN=self.compiler, CUDAHOSTCXX=self.compiler)
        self.env['TYPE_OF_CXX'] = self.env['TYPE'].replace('-G', '').replace('-lineinfo', '')
        if self.check != 'none':
            self.env['PORTABLE_CHECK'] = self.check

    def has(self, table):
        return next((name for name in (f'{self.system} {self.library}', self.system) if name in table), None)

    def execute(self, script, env, what):
        """Runs sh's commands and returns the exit status and the output, which is also in the log."""
        with self.log.open('a', errors='replace') as log:
            log.write(f'--- {what}\n')
            log.flush()
            start = log.tell()
            with subprocess.Popen(['sh', '-exc', script], cwd=self.directory, env=env, stdout=log,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                  start_new_session=True) as process:
                try:
                    process.wait(LIMIT)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    raise Failure(f'{what} did not end in {LIMIT} s') from None
        with self.log.open(errors='replace') as log:
            log.seek(start)
            return process.returncode, log.read()

    def build(self):
        shutil.rmtree(self.directory, ignore_errors=True)
        shutil.copytree(PROJECT, self.directory)
        (self.directory / 'given').write_text('-DNDEBUG -O1\n"--std=c++17" -Xcompiler=-Wall\n')
        status, said = self.execute(COMMANDS[self.has(COMMANDS)], self.env, 'building')
        if status != 0:
            raise Failure(f'the build ends with status {status}')
        if warning := re.search(r'^.*: warning: .*$', said, re.M):
            raise Failure(f'the build warns: {warning[0]}')
        if self.more and self.execute(self.more, self.env, self.variant)[0] != 0:
            raise Failure(f'{self.variant} is not as expected')

    def run(self):
        env = dict(self.env)
        program = 'exec ' + PROGRAMS.get(self.system, 'build/main')
        if self.check != 'none' and self.has(LINKED_BY_HOST):
            status, said = self.execute(program, env, 'without LD_PRELOAD')
            if f'{self.check}: no ' not in said and (status == 0 or 'LD_PRELOAD' not in said):
                raise Failure('without LD_PRELOAD the program is not checked, and does not say so')
            env['LD_PRELOAD'] = subprocess.run(
                ['nvcc', f'--check={self.check}', '--preload'], env=self.env, capture_output=True,
                text=True, check=True).stdout.strip()
        status, said = self.execute(program, env, 'without a mistake')
        expected = f'smooth, {"debug" if self.type == "Debug" else "release"}: the sum is 300\n'
        if status != 0 or expected not in said:
            raise Failure(f'without a mistake: status {status}, expected 0 and "{expected.strip()}"')
        if self.check == 'none':
            return
        if f'{self.check}: no ' not in said:
            raise Failure(f'without a mistake: the output is without "{self.check}: no "')
        status, said = self.execute(f'{program} {BUGS[self.check]}', env, 'with a mistake')
        lines = (PROJECT / 'smooth.cu').read_text().splitlines()
        place = next(f'smooth.cu:{number}' for number, line in enumerate(lines, 1)
                     if self.check in line.partition('//')[2])
        if status != 1 or not re.search(rf'{place}\b', said):
            raise Failure(f'with a mistake: status {status}, expected 1 and {place}')

    def test(self):
        """The end of the cell's line, and whether all is as expected."""
        start = time.monotonic()
        try:
            self.build()
            if self.toolkit.can_run:
                self.run()
        except Failure as failure:
            end = self.log.read_text(errors='replace').splitlines()[-15:]
            return False, '\n      '.join([f'{failure}; the log is {self.log}', *(line[:200] for line in end)])
        return True, f'{time.monotonic() - start:.1f} s' + ('' if self.toolkit.can_run else ', not run')


def main():
    arguments = sys.argv[1:]
    pairs = '--pairs' in arguments and not arguments.remove('--pairs')
    jobs = 1
    if '-j' in arguments[:-1]:
        at = arguments.index('-j')
        jobs = int(arguments[at + 1])
        del arguments[at:at + 2]
    if len(arguments) < 2 or not os.access(f'{arguments[0]}/bin/nvcc', os.X_OK):
        print('usage: run.py [--pairs] [-j N] TOOLKIT SCRATCH [WORD...], with TOOLKIT/bin/nvcc', file=sys.stderr)
        return 2
    path, scratch, *words = arguments
    known = [*itertools.chain(*AXES.values()), *VARIANTS]
    for word in words:
        if word not in known:
            print(f'run.py: no cell has {word}; the words are: {" ".join(known)}', file=sys.stderr)
            return 2
    toolkit = Toolkit(os.path.abspath(path))
    cells = list(possible_cells())
    total = len(cells)
    if pairs:
        cells = list(covering(cells))
    cells = list(selected([*cells, *variant_cells()], words))
    left_out, ready = {}, []
    for cell in cells:
        why = toolkit.missing(cell)
        if why:
            left_out.setdefault(why, []).append(cell)
        else:
            ready.append(Cell(cell, toolkit, Path(scratch).resolve()))
    for (what, why), those in left_out.items():
        print(f'# LEFT OUT {what}: {why}: {len(those)} cells')
    if cells and not ready:
        print(f'skipped: {"; ".join(why for _, why in left_out)}')
        return 77
    if 'setuptools' in (words or ['setuptools']) and not pairs:
        print('A Python module is a shared library, so setuptools has no static cells.')
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for cell, (ok, said) in zip(ready, pool.map(Cell.test, ready)):
            failed += not ok
            print(f'{"ok    " if ok else "FAILED"} {cell.directory.name.replace("-", " ", 4)}: {said}', flush=True)
    print(f'{len(ready) - failed} of {len(cells)} cells passed, {failed} failed, {len(cells) - len(ready)} could '
          f'not run; the whole matrix has {total}')
    return 1 if failed else 0


sys.exit(main())
