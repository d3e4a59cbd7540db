#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make.sh PROGRAMS SCRATCH
# make as a user meets it: invalid input ends with one sentence and exit status 2; no variable is
# ignored; make removes no files of others; two builds of one tree do not collide. PROGRAMS is
# build/serial-exact; SCRATCH is a working directory.
set -u

programs=$1 scratch=$2
make=${MAKE:-make}
rm -rf "$scratch"
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd)
. "$(dirname "$0")/expect.sh"
# As typed by a user, not as a part of make check, and with the defaults that config.mk may change.
unset MAKELEVEL MFLAGS BUILD GOLDEN CASES SOURCES ORDER REQUIRE_GPU REPORT_INPUTS
MAKEFLAGS='TARGET=serial PRECISION=single ATOMICS=native MATH=fast ARGS='
export MAKEFLAGS

# Without a home directory, as in some containers.
expect 0 "make check" env -u HOME "$make" help

# Values that would be ignored, or misread.
for value in yes true 2 -1 "0 1"; do
    expect 2 "REQUIRE_GPU=$value: must be one of 0 1" env REQUIRE_GPU="$value" "$make" -n check
    expect 2 "REQUIRE_GPU=$value: must be one of 0 1" "$make" report REQUIRE_GPU="$value"
done
for value in banana shuffle: shuffle:x shuffle:1x "forward reverse" shuffle:1:2; do
    expect 2 "ORDER=$value: must be forward, reverse or shuffle:SEED, a number" env ORDER="$value" "$make" -n check
done
for value in forward reverse shuffle:0 shuffle:18446744073709551615 ""; do
    expect 0 "ORDER = $value" env ORDER="$value" "$make" -s print-ORDER
done
expect 2 "REPORT_INPUTS=nosuch does not exist" "$make" -n report REPORT_INPUTS=nosuch
expect 2 "REPORT_INPUTS=nosuch does not exist" env REPORT_INPUTS=nosuch "$make" -n report
expect 0 '--inputs "tests/data/img"' "$make" -n report REPORT_INPUTS=tests/data/img
said " serial="
expect 0 'report.sh' "$make" -n report REPORT_INPUTS=
said_not "--inputs"
for words in "PRECISION=double single" "MATH=fast exact" "TARGET=serial openmp" "ATOMICS=cas cas"; do
    expect 2 "$words: must be one of" "$make" -n serial "$words"
done
for words in "serial CC=" "info CC=" "serial CC= "; do
    # shellcheck disable=SC2086 # a list of words
    expect 2 "CC is empty: must be a C compiler" "$make" $words
done

# A GPU that nvidia-smi lists and CUDA cannot use.
gpu=$scratch/gpu
mkdir -p "$gpu/cuda-exact"
printf '%s\n' '#!/bin/sh' 'echo "gallery: the cuda target was not run: the driver is too old" >&2' 'exit 77' \
    >"$gpu/cuda-exact/gallery"
chmod +x "$gpu/cuda-exact/gallery"
for mode in "" golden; do
    cross() {
        expect "$1" "# SKIP the cuda target was compiled and NOT RUN: the driver is too old" env REQUIRE_GPU="$2" \
            BUILD="$gpu" CHECK="$gpu" HAVE_GPU=1 NO_CUDA= GOLDEN="$gpu" CASES= host/steps/cross_validate.sh cuda $mode
    }
    cross 77 ""
    cross 77 0
    cross 1 1
done

# Steps depend on their files; and variables of other goals do not reach a make inside a step.
# shellcheck disable=SC2016 # make's and the recipe's
expect 0 "[] []" "$make" --eval='show: ; @echo "[$${TARGET-}$${MATH-}] [$${ARGS-}]"' show TARGET=openmp MATH=exact ARGS=1

# cross-serial counts if it runs for another step.
expect 0 "check.sh cross-serial reverse-serial" "$make" -n check ONLY=reverse-serial BUILD="$scratch/b"
said "TOTAL=2"

# The number of orders.
for seeds in "" 0 -1 1e3 abc 1.5 "1 2" 08 99999999999; do
    expect 2 "SEEDS=$seeds: must be the number of shuffled orders" host/steps/orders.sh "$scratch" "$seeds" serial-exact
done
mkdir -p "$scratch/orders"
ln -s "$(cd "$programs" && pwd)" "$scratch/orders/serial-exact"
CASES=saxpy
export CASES
expect 0 "ORDER=shuffle:1" host/steps/orders.sh "$scratch/orders" 1 serial-exact
said_not "ORDER=shuffle:2"
unset CASES

# A record that the user names must exist in the requested precision.
for goal in check report; do
    expect 2 "GOLDEN=typo has no record in single precision" "$make" -n $goal GOLDEN=typo
    expect 2 "GOLDEN=typo has no record in" env GOLDEN=typo "$make" -n $goal
done
mkdir -p "$scratch/golden/device/single"
: >"$scratch/golden/device/single/manifest.txt"
expect 2 "has no record in double precision" "$make" -n check GOLDEN="$scratch/golden" PRECISION=double
expect 0 "GOLDEN=\"$scratch/golden\"" "$make" -n check GOLDEN="$scratch/golden"
expect 0 'GOLDEN=""' "$make" -n check GOLDEN=
said_not "golden-serial"
said_not "make record writes one"
mkdir -p "$scratch/project"
printf 'include %s/host/portable.mk\n' "$PWD" >"$scratch/project/Makefile"
expect 0 'GOLDEN = tests/golden' "$make" -C "$scratch/project" print-GOLDEN
echo 'GOLDEN = typo' >"$scratch/project/config.mk"
expect 2 "GOLDEN=typo has no record in" "$make" -n -C "$scratch/project" check

# make writes to, and removes, only directories that it made or that are empty.
cp -R tests/cli "$scratch/project/tests"
mkdir -p "$scratch/project/.git"
: >"$scratch/project/.git/HEAD"
ln -s tests "$scratch/project/link"
rm "$scratch/project/config.mk"
find "$scratch/project" >"$scratch/before"
for directory in tests ./tests/ "$scratch/project/tests" .git link tests/run.sh; do
    for goal in clean serial run; do
        expect 2 "holds files that make did not write" "$make" -C "$scratch/project" $goal BUILD="$directory"
    done
done
for directory in . .. / "$HOME" "$scratch/project"; do
    expect 2 "must be a directory for build output alone" "$make" -C "$scratch/project" clean BUILD="$directory"
done
# Characters with a meaning for make or the shell.
set -- clean run check
# shellcheck disable=SC2016 # make's
for directory in '*' 't*' 'test?' "q'q" '"tests"' 'a;b' 'a&b' 'a|b' 'a>b' '`b`' 'a$$b' '$$(b)' '(a)' \
    'a#b' 'a:b' 'a=b' 'a%b' '~' '~/a' '-a' '-' 'a,b' '[a]' '{a,b}' '!a' 'a\b' 'a^b'; do
    expect 2 "must be a plain path, without spaces" env HOME="$scratch/home" "$make" -C "$scratch/project" "$1" BUILD="$directory"
    set -- "$@" "$1" && shift
done
expect 2 "must be one directory" "$make" -C "$scratch/project" clean BUILD="a b"
expect 2 "must be one directory" "$make" -C "$scratch/project" clean BUILD=
expect 0 'rm -rf "a/b_1+c@2-d.e"' "$make" -C "$scratch/project" clean BUILD=a/b_1+c@2-d.e
# Another program's tag is not make's.
echo 'Signature: 8a477f597d28d172789f06886806bc55' >"$scratch/project/tests/CACHEDIR.TAG"
expect 2 "holds files that make did not write" "$make" -C "$scratch/project" clean BUILD=tests
rm "$scratch/project/tests/CACHEDIR.TAG"
find "$scratch/project" | cmp - "$scratch/before" || fail "make changed a directory that is not its own"
expect 0 "" "$make" -C "$scratch/project" clean
cp tests/cli/program.c "$scratch/project/program.c"
mkdir "$scratch/project/empty"
for directory in empty new; do
    expect 0 "84" "$make" -s -C "$scratch/project" run SOURCES=program.c ARGS=42 BUILD=$directory
    expect 0 "84" "$make" -s -C "$scratch/project" run SOURCES=program.c ARGS=42 BUILD=$directory
    expect 0 "" "$make" -C "$scratch/project" clean BUILD=$directory
    [ ! -e "$scratch/project/$directory" ] || fail "make clean leaves BUILD=$directory"
done

# A variable that no goal uses.
for words in "serial CASES=saxpy" "record CASES=saxpy" "check SOURCES=x.c" "check N=5" "checks N=5" \
    "bench SEEDS=3" "orders REPEATS=3" "bench GOLDEN=$scratch/golden" "serial LIMIT=5"; do
    # shellcheck disable=SC2086 # a list of words
    expect 2 "does not take" "$make" -n $words
done
# What is wrong in a command is said before anything is built.
refused() {
    text=$1
    shift
    expect 2 "$text" "$make" "$@" BUILD="$scratch/refused"
    [ ! -e "$scratch/refused" ] || { fail "make $* built something"; rm -rf "$scratch/refused"; }
}
for seeds in 0 -1 1e3 abc 1.5 "1 2" 08 99999999999; do
    refused "SEEDS=$seeds: must be a number of shuffled orders, 1 to 999999999" orders SEEDS="$seeds"
done
refused "N=1e6: must be a number of elements" bench N=1e6
refused "N=2000000000: must be a number of elements" bench N=2000000000
refused "REPEATS=0: must be at least 1" bench REPEATS=0
refused "BUDGET=-1: must be a whole number of seconds" bench BUDGET=-1
for seconds in -1 x 1.5 1000001 "1 2"; do
    refused "LIMIT=$seconds: must be a whole number of seconds, at most 1000000" check LIMIT="$seconds"
done
refused "RANKS=1 two: must be numbers of ranks" check RANKS="1 two"
refused "RANKS=1 two: must be numbers of ranks" bench-ranks RANKS="1 two"
refused "REPEATS=0: must be at least 1" bench-ranks REPEATS=0
refused "SOURCES: cannot read absent.c" run SOURCES="tests/cli/program.c absent.c"
refused "SOURCES: cannot read absent.c" memcheck SOURCES=absent.c
refused "CASES: there is no case saxpi" bench CASES="saxpy saxpi"
refused "CASES: there is no case saxpi" check CASES=saxpi
refused "CASES: there is no case int" check CASES=int
refused "CASES: there is no case it's" check CASES="it's"
# Names that need a compiler are left to the gallery.
for text in '"sax" "py"' 'NAME(saxpy)' '"saxpy" // "'; do
    printf '%s\n' "    {.name = $text," >"$scratch/case.c"
    expect 0 "gallery bench saxpy" "$make" -n bench CASES=saxpy CASE_SOURCES="$scratch/case.c" BUILD="$scratch/b"
done
expect 0 "gallery bench other" "$make" -n bench CASES=other CASE_SOURCES=tests/cli/program.c BUILD="$scratch/b"
# Blanks around a value do not matter.
expect 0 "--n 64" "$make" -n bench N=' 64 ' BUILD="$scratch/b"
expect 0 "" "$make" -n check RANKS="1  2 " BUILD="$scratch/b"
refused "PREFIX=here: must be an absolute path" install PREFIX=here
refused "PREFIX=/a\$(b): must be an absolute path" install PREFIX="/a\$\$(b)"
home=$(printf '/home/j\303\274rgen')
expect 0 "is in /stage$home" "$make" -n install DESTDIR=/stage PREFIX="$home" BUILD="$scratch/b"
refused "DESTDIR=/a b: must be an absolute path" install DESTDIR="/a b"
refused "make check has no step nothing" check ONLY="gdb nothing"
refused "EXCEPT=% leaves no step" check-all EXCEPT=%
expect 0 "" "$make" -n check orders CASES=saxpy SEEDS=1 BUILD="$scratch/b"
expect 0 "gallery bench saxpy square " "$make" -n bench CASES="saxpy
square" BUILD="$scratch/b"
said_not "awk:"
expect 2 "no step one two" "$make" check ONLY="one
two" BUILD="$scratch/b"
printf '.PHONY: mine\nmine: ; @echo $(CASES)\n' >>"$scratch/project/Makefile"
expect 0 "of mine" "$make" -s -C "$scratch/project" mine CASES="of mine"
expect 0 "run saxpy" "$make" -n debug CASES=saxpy BUILD="$scratch/b"
said_not "run sum_tree"

# CASES of make accuracy.
precision=$("$programs/gallery" info | sed -n 's/^precision: //p')
expect 0 "2 cases" "$programs/gallery" dump "$scratch/single" saxpy vector_add
[ -e "$scratch/single/sum_tree" ] && fail "gallery dump left a case that it was not asked for"
cp -R "$scratch/single" "$scratch/double"
for other in single double; do
    sed "s/^precision: $precision/precision: $other/" "$scratch/single/manifest.txt" >"$scratch/manifest.txt"
    cp "$scratch/manifest.txt" "$scratch/$other/manifest.txt"
    precision=$other
done
expect 0 "saxpy" "$programs/gallery" accuracy "$scratch/single" "$scratch/double" saxpy
said_not "vector_add"
expect 2 "there is no case nothing" "$programs/gallery" dump "$scratch/none" nothing
expect 2 "there is no case nothing" "$programs/gallery" accuracy "$scratch/single" "$scratch/double" nothing
expect 0 "gallery dump build/accuracy/single saxpy" "$make" -n accuracy CASES=saxpy

# A goal for which make leaves out rules may depend on one that needs them.
expect 0 "/openmp/gallery" "$make" -n serial --eval='serial: openmp' BUILD="$scratch/b"
expect 0 "check.sh names" "$make" -n clean --eval='clean: check' ONLY=names BUILD="$scratch/b"

# Concurrent `make run` of files whose programs have one name, or of one file with two sets of
# flags.
mkdir -p "$scratch/many/a" "$scratch/many/b"
for name in a b; do
    printf '#include <stdio.h>\nint main(void) { return puts("it is " WHICH "%s") < 0; }\n' $name \
        >"$scratch/many/$name/main.c"
done
for round in 1 2 3; do
    for name in a b; do
        for which in x y; do
            "$make" -s run SOURCES="$scratch/many/$name/main.c" CPPFLAGS="-DWHICH='\"$which\"'" \
                BUILD="$scratch/many/build" >"$scratch/many/$name$which" 2>&1 &
        done
    done
    wait
    for name in a b; do
        for which in x y; do
            [ "$(cat "$scratch/many/$name$which")" = "it is $which$name" ] ||
                fail "make run of four programs, round $round: $name$which: $(cat "$scratch/many/$name$which")"
        done
    done
done
[ "$(find "$scratch/many/build/run" -type f | wc -l)" = 4 ] || fail "make run leaves: $(ls "$scratch/many/build/run")"
[ -x "$scratch/many/build/run/serial" ] || fail "build/run/serial is not the last program"

# A change of the report's style sheet rebuilds the report.
page=$("$make" -s print-B BUILD="$scratch/page" | sed 's/.* = //')/neutral/host/report/page.o
expect 0 "cc    $page" "$make" BUILD="$scratch/page" "$page"
expect 0 "" "$make" BUILD="$scratch/page" "$page"
said_not "cc    $page"
expect 0 "cc    $page" "$make" BUILD="$scratch/page" -W "$PWD/host/report/page.css" "$page"

# The demo builds only targets that can run.
expect 0 "serial-exact/gallery" "$make" -n demo NVCC=/bin/true HAVE_GPU= BUILD="$scratch/b"
said_not "cuda-exact"
expect 0 "cuda was not run: no GPU was found; serial" host/demo/demo.sh "$scratch/orders" "no GPU was found"

# Files from outside the project: the error is not among warnings about their style, and names the
# CUDA function that emulate lacks.
if [ "$("$make" -s print-HAVE_EMULATE)" != "HAVE_EMULATE = " ]; then
    foreign=$(mktemp -d)
    printf '%s\n' '#include "portable.h"' '__global__ void probe(int *x, int unused)' '{' \
        '    int x_ = 1; { int x_ = 2; (void)x_; }' '    x[0] = __brev(x[0]);' '}' 'int main() { return 0; }' \
        >"$foreign/foreign.c"
    expect 2 "implicit declaration of function" "$make" -s run TARGET=emulate \
        SOURCES="$foreign/foreign.c" BUILD="$scratch/foreign"
    said "__brev"
    said_not "-Wunused-parameter"
    said_not "-Wshadow"
    said_not "-Wstrict-prototypes"
    rm -rf "$foreign"
fi

# A script prints a line for each part that it leaves out, for make check.
if [ "$("$make" -s print-HAVE_EMULATE)" != "HAVE_EMULATE = " ]; then
    expect 0 "# LEFT OUT the debugger: there is no nothing" env GDB=nothing tests/emulate/faults.sh "${CC:-cc}"
fi
printf '%s\n' '#!/bin/sh' 'case $* in *-fsanitize=*) exit 1 ;; esac' "exec ${CC:-cc} \"\$@\"" >"$scratch/plain-cc"
chmod +x "$scratch/plain-cc"
expect 0 "# LEFT OUT memcheck: $scratch/plain-cc has no AddressSanitizer here" \
    env LEVELS=' ' tests/bugs/levels.sh "$scratch/plain-cc" no-such-cc "$scratch/levels"
said "# LEFT OUT no-such-cc: it is not installed"
expect 0 "# LEFT OUT cuda: there is no nvcc" env NVCC= tests/install/project.sh left_out
expect 0 "" env NVCC=nvcc tests/install/project.sh left_out
said_not "LEFT OUT cuda"
mkdir "$scratch/bin"
for tool in sh dirname mktemp rm; do
    ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
expect 0 "# LEFT OUT pkg-config: it is not installed" env PATH="$scratch/bin" tests/install/project.sh left_out

echo "$failed failed"
[ $failed = 0 ]
