#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# try.sh TOOLKIT SCRATCH REPO [CHECK...]
#
# Builds the CUDA project in the directory REPO with the nvcc in TOOLKIT/bin, and runs its tests:
# without a check, then with each CHECK. Each time it does so in a new copy of the files that git
# knows or does not ignore, or without git of all; REPO is only read. Prints a table. The copy is
# SCRATCH/NAME/CHECK/source, where NAME is REPO's, and the logs are beside it.
#
# Commands for CMake, Meson, Make and setup.py, in that order, are below. Environment, for others;
# each is a command of sh, which runs in the copy:
#
#   CONFIGURE, BUILD_COMMAND, TEST
#   TIMEOUT         the seconds after which one is ended (600)
#   JOBS            of the build (the cores)
#
# Exit status: 0 if all passed and each check reported on a program; 1 if not; 2 for wrong usage.
set -u

wrong() {
    echo "try-cuda: $*" >&2
    exit 2
}

[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
[ -n "$3" ] || wrong "REPO=directory names the CUDA project"
[ -d "$3" ] || wrong "REPO=$3 is not a directory"
[ -x "$1/bin/nvcc" ] || wrong "there is no $1/bin/nvcc"
toolkit=$(cd "$1" && pwd)
repo=$(cd "$3" && pwd)
mkdir -p "$2" || exit 1
scratch=$(cd "$2" && pwd)
shift 3
case $repo/ in
"$scratch"/*) wrong "REPO=$repo is in $scratch, which is for copies" ;;
esac
scratch=$scratch/$(basename "$repo" | tr -c 'A-Za-z0-9._\n-' _)
limit=${TIMEOUT:-600}
case $limit in
*[!0-9]* | 0*) wrong "TIMEOUT=$limit must be a number of seconds" ;;
esac
jobs=${JOBS:-$(nproc)}

cd "$repo" || exit 1
if [ -e CMakeLists.txt ]; then
    system=cmake
elif [ -e meson.build ]; then
    system=meson
elif [ -e Makefile ] || [ -e makefile ] || [ -e GNUmakefile ]; then
    system='make'
elif [ -e setup.py ]; then
    system=python3
else
    system=
    [ -n "${BUILD_COMMAND:-}" ] ||
        wrong "REPO=$repo has no CMakeLists.txt, meson.build, Makefile or setup.py; BUILD_COMMAND=command builds it"
fi
if [ -z "${BUILD_COMMAND:-}" ] && ! command -v $system >/dev/null; then
    wrong "$repo is built by $system, which is not installed"
fi

configure='' build='' test=''
case $system in
cmake)
    configure='cmake -S . -B ../build -DCMAKE_BUILD_TYPE=RelWithDebInfo'
    build="cmake --build ../build -j $jobs"
    test='ctest --test-dir ../build -V'
    ;;
meson)
    configure='meson setup ../build --buildtype=debugoptimized'
    build="meson compile -C ../build -j $jobs"
    test='meson test -C ../build --verbose'
    ;;
make)
    # make's command line overrides a Makefile's variables. NVCC may have options, which are kept.
    places="CUDA_HOME='$toolkit' CUDA_PATH='$toolkit'"
    ! grep -Eqs '^[[:space:]]*NVCC[[:space:]]*:*=[[:space:]]*/' GNUmakefile makefile Makefile ||
        places="$places NVCC='$toolkit/bin/nvcc'"
    build="make -j $jobs $places"
    for goal in check test; do
        ! grep -Eqs "^([^#:=]*[[:space:]])?$goal([[:space:]][^:=]*)?:([^=]|\$)" GNUmakefile makefile Makefile ||
            test="make $places $goal"
    done
    ;;
python3)
    build='python3 setup.py build_ext --inplace'
    ;;
esac
configure=${CONFIGURE-$configure}
build=${BUILD_COMMAND:-$build}
test=${TEST-$test}
[ -n "$test" ] || echo "try-cuda: no tests were found; TEST=command runs them"

# A make inside must behave as if a user had started it.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES BUILD TARGET REPO CONFIGURE BUILD_COMMAND TEST TIMEOUT JOBS
PATH=$toolkit/bin:$PATH
CUDA_HOME=$toolkit CUDA_PATH=$toolkit CUDAToolkit_ROOT=$toolkit CUDA_TOOLKIT_ROOT_DIR=$toolkit
CUDACXX=$toolkit/bin/nvcc NVCC=$toolkit/bin/nvcc
LD_LIBRARY_PATH=$toolkit/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# Its key has no PORTABLE_CHECK.
CCACHE_DISABLE=1
export CCACHE_DISABLE PATH CUDA_HOME CUDA_PATH CUDAToolkit_ROOT CUDA_TOOLKIT_ROOT_DIR CUDACXX NVCC LD_LIBRARY_PATH

copy() {
    mkdir -p source || return
    if [ "$(git -C "$repo" rev-parse --show-toplevel 2>git.log)" = "$(cd "$repo" && pwd -P)" ]; then
        (cd "$repo" && git ls-files -z --cached --others --exclude-standard) >files
        tar -C "$repo" --null --ignore-failed-read -T files -cf - 2>tar.log | tar -C source -xf -
    else
        cp -a "$repo/." source
    fi
}

# step NAME COMMAND: runs it in the copy, with its output in NAME.log; $result is its result
step() {
    result=-
    [ -n "$2" ] || return 0
    echo "$2" >"$1.log"
    (cd source && exec timeout -k 10 "$limit" sh -c "$2") >>"$1.log" 2>&1 </dev/null
    case $? in
    0) result=ok ;;
    124 | 137) result="over $limit s" ;;
    *) result=FAILED ;;
    esac
    [ "$result" = ok ]
}

# found: the sum of the findings in the programs' last lines, such as racecheck: 1 race in 1 kernel; with a
# + if not all was checked to its end
found() {
    sed -n "s/^.*$check: \(rank [0-9]* of [0-9]*: \)*\([0-9]*\|no\) [A-Za-z ]* \(in\|found\)\([ ,].*\)/\2 \4/p" test.log |
        awk '{ sum += $1; if (/ not checked to /) more = "+" }
            END { print NR ? sum + 0 more : "no report" }'
}

# shown LOG: the end of a log, or the beginning of its findings
shown() {
    echo "  $PWD/$1:"
    { grep -E "^([0-9]+: )?$check: " "$1" | grep -vE "$check: no .*( in [0-9]+ kernels?| launched)" || tail -n 8 "$1"; } | head -n 8 |
        cut -c 1-160 | sed 's/^/    /'
}

printf '%-11s %-10s %-10s %-10s %-9s %s\n' check configure build test findings time
failed=0 notes=$scratch/notes
mkdir -p "$scratch" && : >"$notes" || exit 1
for check in none "$@"; do
    if [ "$failed" = builds ]; then
        printf '%-11s %s\n' "$check" "not run, as the build without a check fails"
        continue
    fi
    rm -rf "${scratch:?}/$check" && mkdir -p "$scratch/$check" && cd "$scratch/$check" || exit 1
    start=$(date +%s) configured=- built=- tested=- findings=-
    copy || exit 1
    unset PORTABLE_CHECK
    [ "$check" = none ] || export PORTABLE_CHECK="$check"
    if step configure "$configure"; then
        configured=$result
        step build "$build"
        built=$result
    else
        configured=$result
    fi
    if [ "$built" != ok ]; then
        last=configure.log
        [ "$built" = - ] || last=build.log
        shown $last >>"$notes"
        [ "$check" = none ] && failed=builds || failed=1
    elif [ -n "$test" ]; then
        step test "$test"
        [ "$check" = none ] || findings=$(found)
        # What the host's compiler linked needs the check's runtime.
        if { [ "$findings" = "no report" ] || grep -q 'LD_PRELOAD=' test.log; } &&
            preload=$(nvcc --check="$check" --preload 2>preload.log); then
            mv test.log test.without-preload.log
            step test "LD_PRELOAD='$preload'; export LD_PRELOAD; $test"
            findings=$(found)
        fi
        tested=$result
        if [ "$tested" != ok ] || { [ "$findings" != 0 ] && [ "$findings" != - ]; }; then
            failed=1
            [ "$findings" != "no report" ] || echo "  $check: no kernel ran, or the tests hide what their programs print" >>"$notes"
            shown test.log >>"$notes"
        fi
    fi
    printf '%-11s %-10s %-10s %-10s %-9s %s\n' "$check" "$configured" "$built" "$tested" "$findings" "$(($(date +%s) - start)) s"
done
cat "$notes"
echo "logs: $scratch"
[ "$failed" = 0 ]
