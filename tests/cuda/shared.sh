#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shared.sh NVCC SCRATCH CONFIGURATION COMPILER...
#
# Shared libraries of CUDA C++, tests/cuda/shared, by each COMPILER as -ccbin: a program with two of
# them, a program that loads one, and Python; and libcuda, by a program in C, tests/cuda/driver.
# CONFIGURATION is emulate or a check; its bug in a library must be found by each, and a process
# with another runtime refused in a sentence. NVCC's toolkit must be in its final place, a build
# tree or an installation.
#
# Exit status: 0 if all is as expected; 1 if not; 77 if no compiler can be used; 2 for wrong usage.
set -u
LC_ALL=C
export LC_ALL
[ $# -ge 4 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
toolkit=$(cd "$(dirname "$nvcc")/../lib/portable/cuda" && pwd)
sources=$(cd "$(dirname "$0")" && pwd)
scratch=$2 configuration=$3
shift 3
unset PORTABLE_CHECK NVCC_CCBIN LD_PRELOAD LD_LIBRARY_PATH ASAN_OPTIONS UBSAN_OPTIONS
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch" || exit 1
cp "$sources"/shared/* "$sources"/driver/* .
failed=0
check=
[ "$configuration" = emulate ] || check=--check=$configuration
# The interpreter itself: it may be a script's.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
[ -n "$python" ] || echo "# LEFT OUT Python: there is no python3"

# shellcheck source=tests/cuda/says.sh
. "$sources/says.sh"
# The line of library.cu, or of another file, with this comment.
line() {
    file=${2:-library.cu}
    echo "$file:$(grep -n "// $1\$\|/\* $1 \*/\$" "$file" | cut -d : -f 1)"
}
cat >program.out <<'END'
34 61
35 62
2022 2084
cudaErrorInvalidValue
cudaSuccess
END
# The second time, because a library stays loaded with a check, but not without one.
echo 34 | tee plain.out >once.out
[ -z "$check" ] || echo 35 >once.out
cat >load.py <<'END'
import ctypes, sys
first, second = (ctypes.CDLL("./lib%s.so" % name) for name in ("first", "second"))
if len(sys.argv) > 1:
    second.second_bug(sys.argv[1].encode())
else:
    print(first.first_reversed(), second.second_reversed())
    second.second_fail()
    print(ctypes.CDLL("libcudart.so.13").cudaPeekAtLastError()) # the one that both have
    print(first.first_error())
END
printf '34 61\n1\n1\n' >python.out
echo '0 failures' >calls.out
echo '#include <cuda.h>
CUresult create(CUcontext *context) { return cuCtxCreate(context, 0, 0); }' >create.cpp
case $configuration in
memcheck) place=$(line 'beyond shared') ;;
racecheck) place=$(line race) ;;
initcheck) place=$(line unwritten) ;;
synccheck) place=$(line divergence) ;;
streamcheck) place=$(line early) ;;
esac

used=0
for compiler; do
    command -v "$compiler" >/dev/null || continue
    if [ "$configuration" = memcheck ]; then
        echo 'int main() { return 0; }' >sanitized.cpp
        "$compiler" -fsanitize=address,undefined sanitized.cpp -o sanitized 2>said || {
            echo "# LEFT OUT $compiler: it has no AddressSanitizer"
            continue
        }
    fi
    used=1
    rm -f ./*.so ./*.o program loader host
    # In two steps, with the options that build systems use, and in one.
    # shellcheck disable=SC2086 # $check is an option or nothing
    {
        builds "$nvcc" -ccbin "$compiler" $check -g -rdc=true -DNAME=first -DSTART=1 \
            -Xcompiler -fPIC -c library.cu -o first.o
        builds "$nvcc" -ccbin "$compiler" $check -shared -Xlinker -z,defs first.o -o libfirst.so
        builds "$nvcc" -ccbin "$compiler" $check -g -rdc=true -DNAME=second -DSTART=10 -shared \
            library.cu -o libsecond.so
        builds "$nvcc" -ccbin "$compiler" $check program.cu -L. -lfirst -lsecond -Xlinker -rpath,. \
            -o program
        builds "$nvcc" -ccbin "$compiler" $check loader.cpp -ldl -o loader
    }
    # A program of another linker: it has the runtime without a check, by its absolute path.
    for library in "$toolkit/lib64/libcudart_static.a" "-L$toolkit/lib64 -lcudart -Wl,-rpath,$toolkit/lib64"; do
        # shellcheck disable=SC2086 # words
        builds "$compiler" -I"$toolkit/include" loader.cpp $library -ldl -lrt -lpthread -o host
        [ -n "$check" ] || prints once.out ./host ./libfirst.so first_reversed
        [ -z "$check" ] || says 2 \
            "./libfirst.so was built with $check: run the program with LD_PRELOAD=$toolkit/lib64/$configuration/libcudart.so.13" \
            ./host ./libfirst.so first_reversed
    done
    # The driver API, whose library comes along with -lcuda, or by its absolute path.
    # shellcheck disable=SC2086 # $check is an option or nothing
    builds "$nvcc" -ccbin "$compiler" $check kernels.cu calls.c -lcuda -o calls
    prints calls.out ./calls
    if [ -z "$check" ]; then
        builds "$nvcc" -ccbin "$compiler" -c kernels.cu -o kernels.o
        builds "$nvcc" -ccbin "$compiler" -c calls.c -o calls.o
        builds "$compiler" kernels.o calls.o "$toolkit/lib64/libcudart_static.a" \
            -L"$toolkit/lib64/stubs" -lcuda -o calls
        prints calls.out ./calls
        # As before CUDA 13.
        builds "$compiler" -Wall -Wextra -Werror -I"$toolkit/include" -c create.cpp -o create.o
    fi
    preload=$("$nvcc" -ccbin "$compiler" ${check:+"$check"} --preload)

    prints program.out ./program
    prints once.out ./loader ./libfirst.so first_reversed
    prints once.out env LD_PRELOAD="$preload" ./host ./libfirst.so first_reversed
    [ -z "$python" ] || prints python.out env LD_PRELOAD="$preload" "$python" load.py
    [ -n "$check" ] || continue

    # The sentence names what --preload prints.
    case $configuration-$compiler in
    memcheck-*clang*) ;;
    memcheck-*) # CMake's g++ also links with what portable-nvcc links with
        builds "$compiler" -I"$toolkit/include" -Wl,--no-as-needed loader.cpp ./libfirst.so \
            "$toolkit/lib64/libcudart_static.a" -lasan -lubsan -o listed
        says 2 "LD_PRELOAD=$preload" ./listed ./libfirst.so first_reversed
        ;;
    esac
    says 2 "LD_PRELOAD=$preload" ./host ./libfirst.so first_reversed
    says 1 "$place" ./program "$configuration"
    says 1 "$place" ./loader ./libsecond.so second_bug "$configuration"
    says 1 "$place" env LD_PRELOAD="$preload" ./host ./libsecond.so second_bug "$configuration"
    [ -z "$python" ] || says 1 "$place" env LD_PRELOAD="$preload" "$python" load.py "$configuration"
    [ "$configuration" != memcheck ] || says 1 "$(line 'too long' calls.c)" ./calls long
    # Without it: memcheck needs its libraries from the start; another check's runtime comes along.
    if [ -n "$python" ] && [ "$configuration" = memcheck ]; then
        says 2 "LD_PRELOAD=$preload" "$python" load.py
    elif [ -n "$python" ]; then
        prints python.out "$python" load.py
    fi
    # A program that starts others says nothing for them.
    builds env LD_PRELOAD="$preload" sh -c true
    # A library without a check in a checked program.
    builds "$nvcc" -ccbin "$compiler" -DNAME=first -DSTART=1 -shared library.cu -o libplain.so
    prints plain.out ./loader ./libplain.so first_reversed
    # Objects of a check, linked by another compiler.
    builds "$nvcc" -ccbin "$compiler" "$check" -DNAME=second -DSTART=10 -c library.cu -o second.o
    builds "$nvcc" -ccbin "$compiler" "$check" -DNAME=first -DSTART=1 -c library.cu -o first.o
    builds "$nvcc" -ccbin "$compiler" "$check" -c program.cu -o program.o
    builds "$compiler" program.o first.o second.o "$toolkit/lib64/libcudart_static.a" -o host
    case $configuration in
    racecheck | initcheck) says 2 "the program was built with $check: " ./host ;;
    memcheck) says 1 'after shared array tile' env LD_PRELOAD="$preload" ./host memcheck ;;
    esac
    says 1 "$place" env LD_PRELOAD="$preload" ./host "$configuration"
    # Objects of two checks in one program.
    other=racecheck
    [ "$configuration" != racecheck ] || other=synccheck
    builds "$nvcc" -ccbin "$compiler" --check=$other -DNAME=second -DSTART=10 -c library.cu -o other.o
    builds "$compiler" program.o first.o other.o "$toolkit/lib64/libcudart_static.a" -o mixed
    says 2 "the program has objects with $check and others with --check=$other: build all with one" \
        ./mixed
done
[ $used = 1 ] || { echo "skipped: none of the compilers can be used"; exit 77; }
exit $failed
