#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# options.sh NVCC SCRATCH [CUDA_NVCC]
# The command line of portable-nvcc: what it refuses, what it passes on, what it writes. With CUDA's
# nvcc, each option of its help must be in the list here. Exit status: 0 if all is as expected, or
# 1.
set -u
LC_ALL=C
export LC_ALL
[ $# = 2 ] || [ $# = 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
rm -rf "$2" && mkdir -p "$2/tmp" "$2/folder" && cd "$2" || exit 1
TMPDIR=$PWD/tmp
export TMPDIR
unset PORTABLE_CHECK NVCC_CCBIN NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
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
    sed -n '/^#\$ [^A-Z]/p' err | grep -v '^#\$ translate' >commands
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

# Options that are refused.
says 1 'portable-nvcc [options] files'
says 0 '--check=memcheck|racecheck' --help
says 0 'nvcc: NVIDIA (R) Cuda compiler driver' --version
says 1 'unknown option --bogus; portable-nvcc --help' --bogus one.cu
says 1 '-cuda: there is no GPU code to write' -cuda one.cu
says 1 '-ptx with -o takes one source, not 2' -ptx one.cu one.cu -o two.ptx
: >empty.o
says 1 '-fatbin takes sources, not 0' -fatbin empty.o
says 1 '-lcudnn: this library' one.cu -lcudnn
says 1 '-Wall: give it to the host'"'"'s compiler: -Xcompiler -Wall' -Wall one.cu
says 1 '-x takes cu, c or c++, not fortran' -x fortran one.cu
says 1 '--warps takes lockstep or independent, not step' --warps=step one.cu
says 1 '--check takes memcheck, racecheck, initcheck, synccheck, streamcheck, ordercheck, accesscheck or fpcheck, not memory' --check=memory one.cu
says 1 'ordercheck, accesscheck or fpcheck, not ""' --check= one.cu
says 1 'fpcheck, not all' PORTABLE_CHECK=all one.cu
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

says 1 '-c takes no value' -c=1 one.cu
says 1 '-O takes a number, not fast' -Ofast one.cu
says 1 '-rdc takes true or false, not 1' -rdc=1 one.cu
for option in -arch -code; do
    for name in foo sm_9z 90 sm_; do
        says 1 "unknown architecture $name: $option takes sm_NN" $option=$name one.cu
    done
done
says 1 'unknown architecture "": -arch takes sm_NN' -arch= one.cu
says 1 '-code takes sm_NN' -code sm_80,foo one.cu
says 1 '-gencode takes arch=compute_NN,code=sm_NN, not ""' -gencode= one.cu
for setting in foo code=sm_80 arch=compute_80 arch=compute_80,code= 'arch=compute_80,code=[]'; do
    says 1 "-gencode takes arch=compute_NN,code=sm_NN, not $setting" -gencode "$setting" one.cu
done
says 1 'unknown architecture foo: -gencode' -gencode arch=foo,code=sm_80 one.cu
says 1 'unknown architecture foo: -gencode' -gencode arch=compute_80,code=foo one.cu
says 1 'unknown architecture foo: -gencode' -gencode 'arch=compute_80,code=[sm_80,foo]' one.cu
says 1 '-std takes c++03' -std=c99 one.cu
says 1 '-Werror does not take nothing' -Werror nothing one.cu
says 1 '-default-stream takes legacy, null or per-thread, not any' -default-stream any one.cu
says 1 '-o folder: this is a directory; -odir names one' -c one.cu -o folder
says 1 '-clean: remove the outputs by rm' -clean one.cu
says 1 '-r: link the objects by ld -r' -r one.cu
for input in ptx cubin fatbin; do
    : >of_gpu.$input
    says 1 "of_gpu.$input: GPU code does not run on the CPU" of_gpu.$input
done
says 1 'unknown option -foo' -foo one.cu
says 1 'cannot read bar' -forward-unknown-to-host-compiler -foo bar one.cu

# All options of nvcc 13, long, short, and a value for those that take one: each is accepted, or
# refused by name.
cat >all <<'END'
--cuda -cuda
--cubin -cubin
--fatbin -fatbin
--ptx -ptx
--optix-ir -optix-ir
--ltoir -ltoir
--preprocess -E
--generate-dependencies -M
--generate-nonsystem-dependencies -MM
--generate-dependencies-with-compile -MD
--generate-nonsystem-dependencies-with-compile -MMD
--dependency-output -MF x.d
--generate-dependency-targets -MP
--compile -c
--device-c -dc
--device-w -dw
--device-link -dlink
--link -link
--lib -lib
--run -run
--output-file -o x
--pre-include -include 1
--objdir-as-tempdir -objtemp
--library -l m
--define-macro -D 1
--undefine-macro -U 1
--include-path -I 1
--system-include -isystem 1
--library-path -L 1
--output-directory -odir 1
--compiler-bindir -ccbin bin
--allow-unsupported-compiler -allow-unsupported-compiler
--archiver-binary -arbin 1
--cudart -cudart static
--cudadevrt -cudadevrt static
--libdevice-directory -ldir 1
--target-directory -target-dir 1
--use-local-env -use-local-env
--force-cl-env-setup -force-cl-env-setup
--profile -pg
--debug -g
--device-debug -G
--generate-line-info -lineinfo
--optimization-info -opt-info 1
--optimize -O 1
--Ofast-compile -Ofc 1
--dopt -dopt 1
--dlink-time-opt -dlto
--lto -lto
--gen-opt-lto -gen-opt-lto
--ftemplate-backtrace-limit -ftemplate-backtrace-limit 1
--ftemplate-depth -ftemplate-depth 1
--no-exceptions -noeh
--shared -shared
--x -x cu
--std -std c++17
--no-host-device-initializer-list -nohdinitlist
--no-host-device-move-forward -nohdmoveforward
--expt-relaxed-constexpr -expt-relaxed-constexpr
--extended-lambda -extended-lambda
--expt-extended-lambda -expt-extended-lambda
--machine -m 64
--m64 -m64
--compiler-options -Xcompiler 1
--linker-options -Xlinker 1
--archive-options -Xarchive 1
--ptxas-options -Xptxas 1
--nvlink-options -Xnvlink 1
--static-global-template-stub -static-global-template-stub true
--device-entity-has-hidden-visibility -device-entity-has-hidden-visibility true
--forward-unknown-to-host-compiler -forward-unknown-to-host-compiler
--forward-unknown-to-host-linker -forward-unknown-to-host-linker
--forward-unknown-opts -forward-unknown-opts
--dont-use-profile -noprof
--dryrun -dryrun
--verbose -v
--threads -t 1
--split-compile -split-compile 1
--split-compile-extended -split-compile-extended 1
--fdevice-syntax-only -fdevice-syntax-only
--fdevice-time-trace -fdevice-time-trace 1
--keep -keep
--keep-dir -keep-dir 1
--save-temps -save-temps
--clean-targets -clean
--time -time 1
--run-args -run-args 1
--input-drive-prefix -idp 1
--dependency-drive-prefix -ddp 1
--drive-prefix -dp 1
--dependency-target-name -MT 1
--no-align-double --no-align-double
--no-device-link -nodlink
--gpu-architecture -arch sm_80
--gpu-code -code sm_80
--generate-code -gencode arch=compute_80,code=sm_80
--relocatable-device-code -rdc true
--entries -e 1
--maxrregcount -maxrregcount 1
--use_fast_math -use_fast_math
--ftz -ftz true
--prec-div -prec-div true
--prec-sqrt -prec-sqrt true
--fmad -fmad true
--extra-device-vectorization -extra-device-vectorization
--default-stream -default-stream legacy
--disable-warnings -w
--keep-device-functions -keep-device-functions
--source-in-ptx -src-in-ptx
--restrict -restrict
--Wreorder -Wreorder
--Wdefault-stream-launch -Wdefault-stream-launch
--Wmissing-launch-bounds -Wmissing-launch-bounds
--Wext-lambda-captures-this -Wext-lambda-captures-this
--Wno-deprecated-declarations -Wno-deprecated-declarations
--Wno-deprecated-gpu-targets -Wno-deprecated-gpu-targets
--Werror -Werror reorder
--resource-usage -res-usage
--extensible-whole-program -ewp
--no-compress -no-compress
--qpp-config -qpp-config 1
--compile-as-tools-patch -astoolspatch
--list-gpu-code -code-ls
--list-gpu-arch -arch-ls
--display-error-number -err-no
--no-display-error-number -no-err-no
--diag-error -diag-error 1
--diag-suppress -diag-suppress 1
--diag-warn -diag-warn 1
--host-linker-script -hls use-lcs
--augment-host-linker-script -aug-hls
--relocatable-link -r
--brief-diagnostics -brief-diag true
--jump-table-density -jtd 1
--relocatable-ptx -reloc-ptx
--device-stack-protector -device-stack-protector true
--compress-mode -compress-mode 1
--frandom-seed -frandom-seed 1
--sanitize -sanitize racecheck
--jobserver -jobserver
--help -h
--version -V
--options-file -optf given
END
printf '%s\n' '-DFROM_FILE=1 "-O1"' '--std=c++20' >given
mkdir -p bin && ln -sf "$(command -v g++ || command -v clang++)" bin/g++
while read -r longer shorter argument; do
    for option in "$longer" "$shorter"; do
        if [ -n "$argument" ]; then
            "$nvcc" --dryrun "$option" "$argument" one.cu >out 2>err &&
                "$nvcc" --dryrun "$option=$argument" one.cu >out 2>err
        else
            "$nvcc" --dryrun "$option" one.cu >out 2>err
        fi
        [ $? = 0 ] || [ "$(grep -v '^#' err | cut -d' ' -f1-2)" = "portable-nvcc: $shorter:" ]
        result $? "$option: neither accepted nor refused by name"
    done
done <all
if [ $# = 3 ]; then
    "$3" --help | sed -n 's/^\(--[A-Za-z0-9_-]*\) .*[ (]\(-[A-Za-z0-9_-]*\))\{0,1\} *$/\1 \2/p' >theirs
    [ "$(wc -l <theirs)" -gt 100 ] && ! cut -d' ' -f1,2 all | sort >ours
    sort theirs | comm -23 - ours >out && : >err && [ ! -s out ]
    result $? "options of $3 that are not in the list"
fi

# Options for the compilers and the linker.
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
has -Wall -fPIC -Xlinker -rpath /there -shared -lother -pg
lacks -Wno-unknown-pragmas -lcudart -lcublas
dry -maxrregcount 32 -Xptxas -v --use_fast_math -lineinfo -diag-suppress=20 -t 4
lacks 32 -v 4 -lineinfo --use_fast_math -maxrregcount
if "$nvcc" --check=racecheck --dryrun one.cu >out 2>err; then
    dry --check=racecheck
    has -fsanitize=thread -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset
    grep -q '/module-racecheck\.o .*/tmp/portable-nvcc.* [^ ]*/lib64/racecheck/libcudart\.so\.13 ' commands
    result $? \
        "the check's part of a module comes before the program's objects, the runtime after them"
    lacks -O2
    for compiler in g++ clang++; do
        command -v $compiler >/dev/null || continue
        dry -ccbin $compiler --check=racecheck -Xcompiler -flto -c
        [ "$(grep -x -e -flto -e -fno-lto words | tail -n 1)" = -fno-lto ]
        result $? "$compiler: -flto, which would leave kernels without instrumentation"
    done
    dry -sanitize racecheck
    has -fsanitize=thread
    PORTABLE_CHECK=initcheck dry
    grep -q '/initcheck/libcudart\.so\.13' words
    result $? "PORTABLE_CHECK=initcheck"
    PORTABLE_CHECK=initcheck dry --check=memcheck
    grep -q '/memcheck/libcudart\.so\.13' words
    result $? "--check=memcheck, in spite of PORTABLE_CHECK"
    # streamcheck sees what host files access, too.
    echo 'int first(const int *pinned) { return pinned[0]; }' >first.cpp
    cat >early.cu <<'END'
int first(const int *pinned);
int main()
{
    int *x, *pinned;
    cudaMalloc(&x, sizeof *x);
    cudaMallocHost(&pinned, sizeof *pinned);
    cudaMemsetAsync(x, 0, sizeof *x);
    cudaMemcpyAsync(pinned, x, sizeof *x, cudaMemcpyDeviceToHost);
    return first(pinned);
}
END
    for compiler in g++ clang++; do
        command -v $compiler >/dev/null || continue
        says 0 '' -ccbin $compiler --check=streamcheck early.cu first.cpp -o early
        ./early >out 2>err
        [ $? = 1 ] && grep -q 'a read at first.cpp:1$' err
        result $? "$compiler: streamcheck, in a host file"
    done
fi
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
    says 0 '' -ccbin clang++ -Xcompiler -iquote,folder one.cu -o program
    cat out err >printed && [ ! -s printed ]
    result $? "clang++ warns of an option for the preprocessor alone"
fi
# With neither, clang++ compiles kernels if it splits them and g++ the rest, links included.
splitter=
if "$nvcc" --dryrun -ccbin clang++ one.cu >out 2>err && grep -q ' -DPORTABLE_SPLIT_=' err; then
    clang=$(sed -n 's/^#\$ \([^ ]*\) .* -E .*/\1/p' err)
    dry -O0
    ! grep -qx g++ words || splitter=$clang
fi
if [ -n "$splitter" ]; then
    dry plain.c
    has "$splitter" g++ gcc
    for whole in -O0 -G --check=racecheck --warps=lockstep -ccbin=g++ -Xcompiler=-fopenmp \
        -Xcompiler=-flto -Xcompiler=-pg -g; do
        dry $whole
        lacks "$splitter"
    done
    printf '%s\n' '#include <cstdio>' '__global__ void name() {' '#ifdef __clang__' \
        '    printf("by clang\n");' '#else' '    printf("by g++\n");' '#endif' '}' \
        '#if defined GCC && defined __clang__' '#error not for clang' '#elif defined ERROR' \
        '#error for both' '#endif' '#pragma message "as it is"' \
        'int main() { name<<<1, 1>>>(); return cudaDeviceSynchronize(); }' >which.cu
    says 0 'by clang' -run which.cu
    says 0 'as it is' -c -Xcompiler -Wno-stringop-overflow,-fno-tree-vrp,-Werror=all which.cu
    says 0 'by g++' -DGCC -run which.cu
    ! grep -q 'not for clang' err
    result $? 'what clang says of a file that g++ compiles'
    says 0 'not for clang' PORTABLE_REPORT=1 -c -DGCC which.cu
    says 0 "which.cu: not by $splitter" PORTABLE_REPORT=1 -c -DGCC which.cu
    says 0 'which.cu: left to g++' PORTABLE_REPORT=1 -c -g which.cu
    printf '%s\n' '#include <cstdio>' '#ifdef __clang__' '#define NAME "clang"' '#else' \
        '#define NAME "g++"' '#endif' 'int main() { puts("host code by " NAME); }' >host.cu
    says 0 'host code by g++' PORTABLE_REPORT=1 -run host.cu
    [ ! -s err ]
    result $? "a report on a file without kernels: $(cat err)"
    says 1 'for both' -c -DERROR which.cu
    [ "$(grep -c 'error: #error for both' err)" = 1 ]
    result $? 'the messages of one compiler'
    # A pipe is read once.
    cat which.cu | "$nvcc" -x cu -run /dev/stdin >out 2>err
    grep -q 'by g++' out
    result $? 'a source in a pipe'
    # clang accepts, and has no warnings for, what g++ does.
    printf '%s\n' '#include <cstdio>' '#include <inttypes.h>' '__global__ void sum(int n) {' \
        '    register int total = 0;' '#define SAME(a, b) ((a) == (b))' '#pragma unroll' \
        '    for (int i = 0; i < n; i++) __syncthreads(), total += i;' \
        '    if (SAME(total, 4)) printf("four");' \
        '    printf("%"PRId64" by %d\n", int64_t(total), __clang_major__);' '}' \
        'int main(int count, char **) { sum<<<dim3{count}, 1>>>(3); return cudaDeviceSynchronize(); }' \
        >lenient.cu
    says 0 '3 by ' -run lenient.cu
    grep -v __clang_major__ lenient.cu >quiet.cu
    says 0 '' -c -Xcompiler -static-libstdc++,-Wall,-Wno-narrowing,-Wno-register quiet.cu
    [ ! -s err ]
    result $? "clang's warnings of what g++ accepts: $(cat err)"
    if command -v script >/dev/null; then
        for terminal in xterm dumb; do
            TERM=$terminal script -qc "'$nvcc' -c which.cu" /dev/null >out
            [ "$(grep -c "$(printf '\033')" out | sed 's/[1-9].*/xterm/; s/0/dumb/')" = $terminal ]
            result $? "colours on a terminal: $terminal"
        done
    else
        echo '# LEFT OUT colours on a terminal: there is no script'
    fi
fi
mkdir names
for name in gcc g++ gcc-99 g++-99 cc c++ clang-99 clang++-99; do
    ln -s "$(command -v g++ || command -v clang++)" names/$name
done
for pair in 'gcc g++' 'gcc-99 g++-99' 'cc c++' 'clang-99 clang++-99'; do
    dry -ccbin=names/${pair% *} plain.c
    has names/${pair#* } names/${pair% *}
done
dry -ccbin bin
has bin/g++

# Quotes, commas and backslashes, in each as nvcc has them. FindCUDA writes the first.
dry -Xcompiler ',"-fPIC","-g"' -Xcompiler='-DA=a\,b -DQ=\\\"q\\\"' -Xlinker '"-rpath","/a,b"'
has -fPIC -g -DA=a,b '-DQ="q"' /a,b
dry -DA=1,B=2 '-DC="x,y"' -DD='x\,y' -Iinc,inc2 -Lhere,there -lone,two -U E,F \
    -include stdio.h,stdlib.h
has -DA=1 -DB=2 '-DC="x,y"' -DD=x,y -Iinc -Iinc2 -Lhere -Lthere -lone -ltwo -UE -UF stdio.h stdlib.h
printf '%s\n' '-DA=1 -DB=\"text\"' '-DC="x"y -I"one,two" -DE=\\' >quoted
echo '-DG' >second
dry -optf quoted,second --options-file=given
has -DA=1 -DB=text -DC=xy -Ione -Itwo -DG -DFROM_FILE=1
NVCC_PREPEND_FLAGS='-DP="a,b" -O1' NVCC_APPEND_FLAGS='-DQ -O3' dry -DR -O2
has '-DP="a,b"' -DQ -DR -O3
lacks -O1 -O2
dry --forward-unknown-to-host-compiler -Wall -march=native -Wl,-z,now
has -Wall -march=native -Wl,-z,now
dry -forward-unknown-to-host-linker --no-undefined
has -Xlinker --no-undefined
dry -forward-unknown-opts -foo
has -foo -Xlinker
dry -gencode arch=compute_80,code=[sm_80,sm_90] -gencode=arch=compute_75,code=compute_75 -code sm_90
has -D__CUDA_ARCH__=800 -D__CUDA_ARCH_LIST__=800
dry -gencode 'arch=compute_80,code="sm_80,compute_80"' -code=sm_80,lto_80 -code=
has -D__CUDA_ARCH__=800
dry -arch=compute_90a -std=c++23
has -D__CUDA_ARCH__=900 -std=gnu++23
for architecture in native all all-major sm_35; do
    dry -arch=$architecture
    has -D__CUDA_ARCH__=750
done
dry -std=c++14 -c plain.cpp
has -std=gnu++17 -std=c++14
dry -G -default-stream=per-thread -Werror all-warnings,reorder -ftemplate-depth 100 -frandom-seed=5
has -g -O0 -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1 -Werror -ftemplate-depth=100 -frandom-seed=5
dry -Xarchive -q -arbin ar2 -lib
has ar2 -q
dry -c -odir folder
has folder/one.o
says 0 'compute_75' --list-gpu-arch
says 0 'arch=compute_90,code=sm_90' -arch-ls -code-ls

# The device is as new as what a program was compiled for.
cat >arch.cu <<'END'
#include <cstdio>
__global__ void kernel()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}
int main()
{
    cudaDeviceProp device;
    kernel<<<1, 1>>>();
    cudaFuncAttributes function;
    cudaGetDeviceProperties(&device, 0);
    cudaFuncGetAttributes(&function, kernel);
    printf("device %d.%d, kernel %d\n", device.major, device.minor, function.ptxVersion);
}
END
says 0 'device 7.5, kernel 75' -run arch.cu
says 0 'device 7.5, kernel 50' -arch=sm_50 -run arch.cu
says 0 'device 9.0, kernel 90' -arch=sm_90 -run arch.cu

# Outputs.
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
says 0 'value 8, other 0, 2: two' -run program -run-args two
says 0 'value 8, other 0, 1: ' -run '"./program"'
says 0 '' -O0 -c -keep -keep-dir folder one.cu -o kept.o
[ -s folder/one.cpp1.ii ] && [ -s folder/one.cu.cpp.ii ]
result $? '-keep'
says 0 '' -c -x c++ folder/one.cu.cpp.ii -o kept.o
says 0 'value 7, other 0, 1: ' -run kept.o
says 0 '' -c one.cu -objtemp -odir folder
says 0 'value 7, other 0, 1: ' -run folder/one.o
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
printf '%s\n' 'wrong.o : wrong.cu \' '    folder/given.h' | cmp - deps >out 2>err
result $? "-MM: nvcc's form of a rule, one file a line"
echo '#include "given.h"' >header.cu
says 0 '' -MMD -Ifolder -c header.cu -o folder/header.o
grep -q '^folder/header.o: .*folder/given.h' folder/header.d
result $? "-MMD: $(cat folder/header.d)"
says 0 '#$ translate ' -v -c -Ifolder header.cu
[ -z "$(ls tmp)" ]
result $? "files are left: $(ls tmp)"

# Whatever ends it, no file is left, and the compiler and its own processes end too.
mkdir slow
cat >slow/g++ <<'END'
#!/bin/sh
mktemp >/dev/null
sleep 600 &
echo $! $$ >started.new
mv started.new started
wait
END
chmod +x slow/g++
[ -z "$splitter" ] || ln slow/g++ "slow/$splitter"
# until COMMAND...: waits for it
until_true() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 6000 ] || return 1
        sleep 0.1
    done
}
no_files() {
    [ -z "$(ls tmp)" ]
}
ended() {
    [ ! -e "/proc/$1" ] || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null
}
# A signal that is ignored here, as under nohup, stays ignored.
ignored=0x$(sed -n 's/^SigIgn:[[:space:]]*//p' /proc/$$/status)
for number in 15 1 13 9 ${splitter:+split}; do
    with='-ccbin slow/g++'
    [ $number != split ] || number=9 with='' PATH=$PWD/slow:$PATH
    signal=$(kill -l $number)
    [ $((ignored >> (number - 1) & 1)) = 0 ] || continue
    rm -f started
    # shellcheck disable=SC2086 # words
    "$nvcc" $with -c one.cu >out 2>err &
    driver=$!
    until_true [ -s started ]
    result $? "the compiler has not started"
    [ -s started ] || break
    # shellcheck disable=SC2046 # words
    set -- $(cat started)
    [ "$(ls tmp)" ]
    result $? "there is no temporary file"
    kill -$signal $driver
    wait $driver 2>/dev/null
    until_true ended "$1" && until_true ended "$2" && until_true no_files
    result $? "SIG$signal leaves processes or files: $(ls tmp)"
    [ $failed = 0 ] || break
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
