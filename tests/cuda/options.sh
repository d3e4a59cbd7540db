#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# options.sh NVCC SCRATCH
# The command line of portable-nvcc: what it refuses, what it passes on, what it writes. Exit
# status: 0 if all is as expected, or 1.
set -u
LC_ALL=C
export LC_ALL
[ $# = 2 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
rm -rf "$2" && mkdir -p "$2/tmp" "$2/folder" && cd "$2" || exit 1
TMPDIR=$PWD/tmp
export TMPDIR
unset PORTABLE_CHECK NVCC_CCBIN
failed=0 passed=0

# result STATUS WHAT
result() {
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
        # Not as errors of this build, which a mutant must not have.
        head -n 8 out err | sed "s/^/    /; s/: undefined reference to /: undefined: /"
    fi
}
# says STATUS TEXT [VARIABLE=VALUE...] OPTION...: the exit status, and text in the output
says() {
    status=$1 text=$2
    shift 2
    env=
    while [ $# -gt 0 ]; do
        case $1 in
        -*) break ;;
        [A-Z]*=*) env="$env $1" && shift ;;
        *) break ;;
        esac
    done
    # shellcheck disable=SC2086 # words
    env $env "$nvcc" "$@" >out 2>err
    code=$?
    { [ -z "$text" ] || cat out err | grep -qF -- "$text"; } && [ $code = "$status" ]
    result $? "$*: status $code, expected $status and \"$text\""
}
# dry OPTION...: the commands that it would run, a word a line, in `words`
dry() {
    dried=$*
    "$nvcc" --dryrun "$@" one.cu >out 2>err
    result $? "--dryrun $*"
    sed -n '/^#\$ [a-z0-9/]*[+c-]/p' err | grep -v '^#\$ translate' >commands
    tr ' ' '\n' <commands | tr -d "'" >words
}
# has WORD..., lacks WORD...: the latest dry run
has() {
    for word; do
        grep -qxF -- "$word" words
        result $? "$dried: without $word"
    done
}
lacks() {
    for word; do
        ! grep -qxF -- "$word" words
        result $? "$dried: with $word"
    done
}

cat >one.cu <<'END'
#include <cstdio>
#include <cstdlib>
#ifndef VALUE
#define VALUE 7
#endif
__device__ int counter = VALUE;
__global__ void k(int *x)
{
    *x = counter++;
}
#ifdef WITH_OTHER
extern "C" int other(void);
#else
static int other(void) { return 0; }
#endif
int main(int count, char **arguments)
{
    int *x, host = 0;
    cudaMalloc(&x, sizeof *x);
    k<<<1, 1>>>(x);
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    printf("value %d, other %d, %d: %s\n", host, other(), count, count > 1 ? arguments[1] : "");
    return count > 2 ? atoi(arguments[2]) : 0;
}
END
cat >two.cu <<'END'
__device__ int counter = 1;
__global__ void adds(int *x) { atomicAdd(x, counter); }
extern "C" int other(void)
{
    int *x, host = 10;
    cudaMalloc((void **)&x, sizeof *x);
    cudaMemcpy(x, &host, sizeof host, cudaMemcpyHostToDevice);
#ifdef __CUDACC_RDC__
    adds<<<1, 2>>>(x);
#else
    adds<<<1, 1>>>(x);
#endif
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return host;
}
END
echo 'int other(void) { int class = 42; return class; }' >plain.c
echo 'extern "C" int other(void) { return 43; }' >plain.cpp
cp two.cu two.txt
printf '#include "given.h"\n__global__ void k() {}\nint broken = nothing;\n' >wrong.cu
echo '// nothing' >folder/given.h

# What it refuses.
says 1 'portable-nvcc [options] files'
says 0 '--check=memcheck|racecheck' --help
says 0 'nvcc: NVIDIA (R) Cuda compiler driver' --version
says 1 'unknown option --bogus; portable-nvcc --help' --bogus one.cu
says 1 '-ptx: there is no GPU code to write' -ptx one.cu
says 1 '-lcufft: this library' one.cu -lcufft
says 1 '-Wall: give it to the host'"'"'s compiler: -Xcompiler -Wall' -Wall one.cu
says 1 '-x takes cu, c or c++, not fortran' -x fortran one.cu
says 1 '--check takes memcheck, racecheck, initcheck or synccheck, not memory' --check=memory one.cu
says 1 'synccheck, not all' PORTABLE_CHECK=all one.cu
says 1 'no input files' -O2
says 1 'cannot read gone.cu' gone.cu
says 1 '-o needs a value' one.cu -o
says 1 '-I needs a value' one.cu -I
says 1 '-c with -o takes one source, not 2' -c one.cu two.cu -o both.o
says 1 '-ccbin: there is no compiler no-such' -ccbin no-such one.cu
says 1 'there is no compiler no-such' NVCC_CCBIN=no-such one.cu
says 1 'cannot read no-such' @no-such
says 1 'wrong.cu:3:' -c -Ifolder wrong.cu
printf '%s\n' '__global__ void k() {}' 'void f() { k<<<1, 1>>>; }' >launch.cu
says 1 'launch.cu:2: error: a launch is' -c launch.cu
[ "$(wc -l <err)" = 1 ]
result $? "an error of the translator is all there is"

# What it passes on.
dry
has -O2 -D__CUDA_ARCH__=750 -std=gnu++17 -Wno-unknown-pragmas a.out -lm -lpthread
lacks -D__CUDACC_RDC__=1 -fsanitize=thread -g
dry -arch=sm_90 -std=c++20 -O0 -g -w
has -D__CUDA_ARCH__=900 -std=gnu++20 -O0 -g -w
lacks -O2
dry -gencode arch=compute_90,code=sm_90 -gencode=arch=compute_80,code=sm_80 --std c++14 -O 3
has -D__CUDA_ARCH__=900 -std=gnu++17 -O3
dry -arch native --optimize 1 -o program
has -D__CUDA_ARCH__=750 -O1 program
lacks a.out
dry -rdc=true -I folder -Ifolder2 --include-path=folder3 -DA=1 -D B -U C --define-macro D -L there
has -D__CUDACC_RDC__=1 -Ifolder -Ifolder2 -Ifolder3 -DA=1 -DB -UC -DD -Lthere
dry -rdc=false -include first.h -isystem system --pre-include second.h
has -include first.h -isystem system second.h
lacks -D__CUDACC_RDC__=1
dry -Xcompiler -Wall,-fPIC -Xlinker -rpath,/there -shared -lcudart -lcublas -lother -pg
has -Wall -fPIC -Wl,-rpath,/there -shared -lother -pg
lacks -Wno-unknown-pragmas -lcudart -lcublas
dry -maxrregcount 32 -Xptxas -v --use_fast_math -lineinfo -diag-suppress=20 -t 4
lacks 32 -v 4 -lineinfo --use_fast_math -maxrregcount
if "$nvcc" --check=racecheck --dryrun one.cu >out 2>err; then
    dry --check=racecheck
    has -fsanitize=thread -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset
    grep -q '/module-racecheck\.o .*/tmp/portable-nvcc.* [^ ]*/lib64/racecheck/libcudart\.so\.13 ' commands
    result $? "the check's part of a module comes before the program's objects, the runtime after them"
    lacks -O2
    PORTABLE_CHECK=initcheck dry
    grep -q '/initcheck/libcudart\.so\.13' words
    result $? "PORTABLE_CHECK=initcheck"
    PORTABLE_CHECK=initcheck dry --check=memcheck
    grep -q '/memcheck/libcudart\.so\.13' words
    result $? "--check=memcheck, in spite of PORTABLE_CHECK"
fi
printf '%s\n' '-DFROM_FILE=1 "-O1"' '--std=c++20' >given
dry @given
has -DFROM_FILE=1 -O1 -std=gnu++20
dry -optf given
has -DFROM_FILE=1
dry -MD -MF named.d -MT target -c
has -MD -MF named.d -MT target -c one.o
dry -MMD -MP -c -o folder/object.o
has -MMD -MP folder/object.d folder/object.o
if command -v clang++ >/dev/null; then
    dry -ccbin clang++ plain.c
    has clang++ clang
    lacks g++ gcc
    printf '%s\n' '#include <cstdio>' '#include <cmath>' \
        '__global__ void convert(float x, float y) { printf("%d %d %u\n", (int)x, (int)y, (unsigned)-y); }' \
        'int main() { convert<<<1, 1>>>(NAN, 1e20f); cudaDeviceSynchronize(); }' >convert.cu
    says 0 '0 2147483647 0' -ccbin clang++ -run convert.cu
fi
mkdir bin && ln -s "$(command -v g++ || command -v clang++)" bin/g++
dry -ccbin bin
has bin/g++

# What it writes.
says 0 'value 7, other 0, 1: ' -run one.cu
# A release build; an assertion that stays is a condition of the host or of a kernel.
printf '%s\n' '#undef NDEBUG' '#include <assert.h>' 'int stays(int x) { assert(x > 0); return x; }' \
    'int main(int count, char **) { return stays(2 - count) - 1; }' >stays.cu
says 0 'value 7, other 0, 1: ' -DNDEBUG -run one.cu
says 0 '' -DNDEBUG stays.cu -o stays
./stays >out 2>err && ! ./stays 1 >out 2>err && grep -q "stays.cu:3: int stays(int): Assertion .x > 0' failed" err
result $? 'an assertion of a release build'
says 3 'value 8, other 0, 3: one' -DVALUE=8 -run -run-args one,3 one.cu -o program
./program >out && grep -qx 'value 8, other 0, 1: ' out
result $? 'the program that -o names'
[ -x a.out ]
result $? 'a.out'
says 0 '' -c -DWITH_OTHER one.cu two.cu
says 0 'value 7, other 11, 1: ' -run one.o two.o
says 0 'value 7, other 42, 1: ' -run one.o plain.c
says 0 'value 7, other 43, 1: ' -run one.o plain.cpp
says 0 '' -lib two.cu -o two.a
says 0 'value 7, other 11, 1: ' -run one.o two.a
says 0 '' -x cu -c two.txt -o txt.o
says 0 'value 7, other 11, 1: ' -run one.o txt.o
echo '__device__ int across = 5;' >three.cu
printf '%s\n' '#include <cstdio>' 'extern __device__ int across;' \
    '__global__ void read(int *x) { *x = across; }' \
    'int main() { int *x, h; cudaMalloc(&x, 4); read<<<1, 1>>>(x); cudaMemcpy(&h, x, 4, cudaMemcpyDefault); printf("across %d\n", h); }' \
    >four.cu
says 0 'across 5' -rdc=true -run three.cu four.cu
says 0 '' -dc three.cu four.cu
says 0 '' -dlink three.o four.o -o linked.o
says 0 'across 5' -run three.o four.o linked.o
says 1 'across' three.cu four.cu
says 0 'int broken = nothing;' -E -Ifolder wrong.cu
says 0 'folder/given.h' -M -Ifolder wrong.cu
says 0 '' -MM -Ifolder wrong.cu -o deps
grep -q '^wrong.o: .*folder/given.h' deps && ! grep -q cuda_runtime.h deps
result $? "-MM"
echo '#include "given.h"' >header.cu
says 0 '' -MMD -Ifolder -c header.cu -o folder/header.o
grep -q '^folder/header.o: .*folder/given.h' folder/header.d
result $? "-MMD: $(cat folder/header.d)"
says 0 '#$ translate ' -v -c -Ifolder header.cu
[ -z "$(ls tmp)" ]
result $? "files are left: $(ls tmp)"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
