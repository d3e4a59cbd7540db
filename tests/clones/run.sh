#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh SCRATCH COMPILER [OBJECT...]
#
# Kernels are compiled for several instruction sets. A program of one file, of two, with a shared
# library, static, by link-time optimisation and with each sanitizer gives the same bits, and runs
# the clone for the best instruction set of this machine; flags that leave no choice make no clones. A
# compiler that makes none builds only the first programs, or all with WIDE=1 in the environment.
# Contraction must be noticed. With the objects of a gallery, links it once for each set of clones,
# and compares every result of every case byte for byte.
set -u
LC_ALL=C
export LC_ALL

scratch=$1 compiler=$2
shift 2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 1
mkdir -p "$scratch" || exit 1
failed=0
passed=0

# fail WHAT: counts it
fail() {
    failed=$((failed + 1))
    echo "FAIL $*"
}

has() { grep -q "^flags.*[ 	]$1\( \|\$\)" /proc/cpuinfo; }

# The clone of multiply_add that the program ran, by the address that it printed; none without.
ran() {
    main=$(nm "$1" | sed -n 's/ [Tt] main$//p')
    at=$(($2 + 0x$main))
    nm "$1" | grep ' [Tt] multiply_add' | sort | while read -r address _ name; do
        [ $((0x$address)) -gt $at ] || echo "$name"
    done | sed -n '$s/^multiply_add//p' | sed 's/\.[0-9]*$//; s/^\.//; s/^$/none/'
}

# program CLONE WHAT FILES FLAGS...: builds it, with FILES as one word, and runs it
program() {
    expected=$1 what="$2: ${4:-}" files=$3
    shift 3
    # shellcheck disable=SC2086
    if ! said=$($compiler -std=c11 -Wall -Wextra -I"$root" -I"$here" "$@" $files -o "$scratch/program" 2>&1) ||
        [ -n "$said" ]; then
        fail "$what does not build: $said"
    elif ! said=$("$scratch/program" 2>&1); then
        fail "$what does not run: $said"
    else
        clone=$(ran "$scratch/program" "${said% *}")
        [ "${bits:=${said#* }}" = "${said#* }" ] || fail "$what: the bits are ${said#* }, not $bits"
        [ "$expected" = any ] || [ "$clone" = "$expected" ] || fail "$what: ran $clone, not $expected"
        passed=$((passed + 1))
    fi
}

# Whether this compiler makes clones, and by which name.
echo 'int main(void) { return 0; }' >"$scratch/empty.c"
version=$("$compiler" -dM -E -x c /dev/null | sed -n 's/^#define __clang_major__ //p')
why=
case $("$compiler" -dumpmachine) in
x86_64*linux-gnu) [ "${version:-18}" -ge 18 ] || why="clang $version: clones need clang 18" ;;
*) why="no x86-64 with glibc" ;;
esac
all='default avx2'
[ -n "$version" ] || all="$all avx512f" # not by clang
levels=
for level in $all; do
    if [ $level = default ] || has $level; then levels="$levels${levels:+ }$level"; fi
done
best=${levels##* }
best_gnu=$best
[ "$best" != avx512f ] || best_gnu=avx2
[ -z "$why" ] || best=none best_gnu=none

one="$here/main.c" two="$here/main.c $here/kernel.c"
program "$best" 'one file' "$one" -O3 -DONE_FILE
program "$best" 'two files' "$two" -O3
# Without clones there is nothing else to choose wrongly.
if [ -z "$why" ] || [ -n "${WIDE:-}" ]; then
    program "$best" 'two files' "$two" -O1 -g -fPIC
    program "$best_gnu" 'two files' "$two" -O3 -std=gnu17
    program none 'no optimisation' "$two" -O0
    program none 'for size' "$two" -Os
    program none 'no clones' "$two" -O3 -DPORTABLE_CLONES=0
    program "$best" 'undefined behaviour' "$two" -O2 -fsanitize=undefined
    program "$best" 'addresses' "$two" -O2 -fsanitize=address
    program none 'threads' "$two" -O2 -fsanitize=thread
    program none 'stack protector' "$two" -O2 -fstack-protector-all
    has avx2 && program none 'AVX2 by flags' "$two" -O3 -mavx2
    sh "$root/host/make/openmp.sh" "$compiler" && program "$best" 'openmp' "$two" -O3 -fopenmp
    for flag in -static -flto; do
        if "$compiler" $flag "$scratch/empty.c" -o "$scratch/empty" 2>/dev/null; then
            program "$best" 'two files' "$two" -O3 $flag
        else
            echo "# LEFT OUT a program with $flag: $compiler cannot link one here"
        fi
    done

    # A launch knows nothing of how its kernel was compiled.
    for flags in "-O3 -O0" "-O0 -O3" "-O3 -O3;-DPORTABLE_CLONES=0" "-O3;-fopenmp -O3;-fopenmp"; do
        of_main=$(echo "${flags% *}" | tr ';' ' ') of_kernel=$(echo "${flags#* }" | tr ';' ' ')
        case $flags in *openmp*) sh "$root/host/make/openmp.sh" "$compiler" || continue ;; esac
        # shellcheck disable=SC2086
        $compiler -std=c11 -I"$root" $of_main -c "$here/main.c" -o "$scratch/main.o" &&
            $compiler -std=c11 -I"$root" $of_kernel -c "$here/kernel.c" -o "$scratch/kernel.o" || fail "$flags"
        program any "main by $of_main, kernels by $of_kernel" "$scratch/main.o $scratch/kernel.o" ${of_main#-O?}
    done
    if $compiler -std=c11 -O3 -I"$root" -fPIC -shared "$here/kernel.c" -o "$scratch/libkernels.so"; then
        program any 'shared library' "$here/main.c $scratch/libkernels.so" -O3 "-Wl,-rpath,$scratch"
    else
        fail 'the shared library'
    fi
fi

# The comparison of bits can fail: FMA rounds once where the default clone rounds twice.
if [ "$best" = avx512f ]; then
    before=$failed
    program any 'with contraction' "$two" -O3 -ffp-contract=fast >"$scratch/contraction"
    if [ "$failed" = $((before + 1)) ] && grep -q 'the bits are' "$scratch/contraction"; then
        failed=$before
    else
        fail 'contraction is not noticed'
    fi
fi

# Each set of clones of the gallery.
if [ $# -gt 0 ] && [ -z "$why" ]; then
    for level in $levels; do
        rm -rf "$scratch/gallery" && mkdir -p "$scratch/gallery" || exit 1
        names=
        for object in "$@"; do
            copy="$scratch/gallery/$(echo "$object" | tr / _)"
            kernels=$(nm "$object" | sed -n 's/^[0-9a-f]* i \(.*\)$/\1/p' | grep -v '\.ifunc$')
            edits=
            for kernel in $kernels; do
                clone=$(nm "$object" | sed -n "s/^[0-9a-f]* [Tt] \($kernel\.$level\(\.[0-9]*\)*\)\$/\1/p")
                edits="$edits --globalize-symbol=$clone --weaken-symbol=$kernel"
                names="$names -Wl,--defsym=$kernel=$clone"
            done
            # shellcheck disable=SC2086
            objcopy $edits "$object" "$copy" || exit 1
        done
        # shellcheck disable=SC2086
        "$compiler" "$scratch"/gallery/*.o $names -lm -o "$scratch/gallery-$level" || exit 1
        rm -rf "$scratch/results-$level"
        if ! "$scratch/gallery-$level" check --dump "$scratch/results-$level" >"$scratch/log" 2>&1; then
            fail "the gallery by clones $level: $(tail -n 1 "$scratch/log")"
        fi
        clones=$(echo "$names" | wc -w)
        echo "gallery: $clones kernels by clone $level, $(find "$scratch/results-$level" -name '*.npy' | wc -l) arrays"
        [ "$clones" -gt 50 ] || fail "only $clones kernels have a clone $level"
        diff -r "$scratch/results-default" "$scratch/results-$level" >"$scratch/log" ||
            fail "results of $level differ from the default's: $(sed -n 1,3p "$scratch/log")"
        [ "$level" = default ] || rm -rf "$scratch/results-$level"
    done
    rm -rf "$scratch/results-default" "$scratch/gallery"
fi

[ -z "$why" ] || echo "# LEFT OUT the clones of $compiler: $why"
[ "$levels" = "$all" ] || echo "# LEFT OUT clones that this processor cannot run: it has $levels"
echo "$passed programs, $failed failed"
[ $failed = 0 ]
