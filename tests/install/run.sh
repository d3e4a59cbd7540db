#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh [SCRATCH]
#
# Installs into SCRATCH, an empty or new directory (a new one) outside the checkout, and builds the
# consumer there for every target: with make and portable.mk, with pkg-config, with CMake. Each sees
# only the installed prefix and the compilers' directories: the environment is empty and, where the
# kernel allows it, an empty file system hides the checkout. Then uninstalls.
#
# Exit status: 0 if all was built and passed; 1 if not.
set -u

checkout=$(cd "$(dirname "$0")/../.." && pwd)
if [ $# -ge 1 ]; then
    mkdir -p "$1"
    scratch=$(cd "$1" && pwd)
else
    scratch=$(mktemp -d) || exit 1
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 1' HUP INT TERM
fi
prefix=$scratch/prefix
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# The make of the checkout, as a user would start it.
checkout_make() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$checkout" BUILD="$scratch/build" "$@"
}

. "$checkout/tests/install/built.sh"
checkout_make install PREFIX="$prefix" >"$scratch/install.log" 2>&1 || {
    cat "$scratch/install.log"
    exit 1
}

# The directories of the tools.
path=$prefix/bin
for tool in "${CC:-cc}" ${NVCC:+"$NVCC"} make pkg-config cmake ctest sh; do
    # shellcheck disable=SC2086 # CC may have options
    found=$(command -v ${tool%% *}) && path=$path:$(dirname "$found")
done

# alone DIRECTORY COMMAND...: with the prefix, and without the checkout
hide=
unshare -rm sh -c 'mount -t tmpfs none "$0"' "$checkout" 2>/dev/null && hide=1
[ -n "$hide" ] || echo "the checkout is not hidden: this system has no user namespaces"
alone() {
    (
        cd "$1" || exit 1
        shift
        # shellcheck disable=SC2016 # for the inner shell
        env -i PATH="$path" HOME="$scratch" CC="${CC:-cc}" PORTABLE="$prefix/share/portable" \
            PKG_CONFIG_PATH="$prefix/share/pkgconfig" CMAKE_PREFIX_PATH="$prefix" \
            ${CUDA_HOME:+CUDA_HOME="$CUDA_HOME"} ${HAVE_GPU:+HAVE_GPU=1} \
            ${hide:+unshare -rm sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$checkout"} "$@"
    )
}
if [ -n "$hide" ] && [ -n "$(alone "$scratch" ls "$checkout")" ]; then
    fail "the checkout is not hidden"
fi

targets="serial openmp emulate${NVCC:+ cuda}"
[ -n "${NVCC:-}" ] || echo "# LEFT OUT cuda: there is no nvcc"

# passes NAME TARGET DIRECTORY PROGRAM: the program prints its target and the sum
passes() {
    said=$(alone "$3" "$4" 2>&1)
    code=$?
    if [ "$2" = cuda ] && [ -z "${HAVE_GPU:-}" ]; then
        { [ $code = 77 ] && [ "$said" = "cuda: no device" ]; } || fail "$1, cuda: $code: $said"
    elif [ $code != 0 ] || [ "$said" != "$2: 5000050000" ]; then
        fail "$1, $2: exit status $code: $said"
    fi
    echo "$1: $said"
}

cp -r "$checkout/tests/install/consumer" "$scratch/make"
# shellcheck disable=SC2086 # a list of words
if alone "$scratch/make" make $targets CUDA_ARCH=sm_75 >"$scratch/make.log" 2>&1; then
    for target in $targets; do
        passes make "$target" "$scratch/make" "build/$target/main"
    done
    # Less optimisation of the checks' runtimes, which takes most of the time.
    traps=
    [ "$(uname -m)" != x86_64 ] || traps=fpcheck
    for check in memcheck racecheck initcheck synccheck streamcheck ordercheck accesscheck $traps; do
        alone "$scratch/make" make -s $check runtime_level=-O1 >"$scratch/$check.log" 2>&1 ||
            fail "make $check: $(cat "$scratch/$check.log")"
    done
else
    cat "$scratch/make.log"
    fail "make does not build the consumer"
fi

if command -v pkg-config >/dev/null; then
    cp -r "$checkout/tests/install/consumer" "$scratch/pkg-config"
    for target in $targets; do
        if alone "$scratch/pkg-config" make -s -f pkg-config.mk "$target" >"$scratch/pkg-config.log" 2>&1; then
            passes pkg-config "$target" "$scratch/pkg-config" "./$target"
        else
            cat "$scratch/pkg-config.log"
            fail "the consumer does not build with pkg-config for $target"
        fi
    done
else
    echo "# LEFT OUT pkg-config: it is not installed"
fi

if command -v cmake >/dev/null; then
    cp -r "$checkout/tests/install/consumer" "$scratch/cmake"
    {
        alone "$scratch/cmake" cmake -S . -B build && alone "$scratch/cmake" cmake --build build
    } >"$scratch/cmake.log" 2>&1 || {
        tail -n 30 "$scratch/cmake.log"
        fail "CMake does not build the consumer"
    }
    for target in $targets; do
        passes cmake "$target" "$scratch/cmake" "build/main_$target"
    done
    alone "$scratch/cmake/build" ctest >"$scratch/ctest.log" 2>&1 || {
        cat "$scratch/ctest.log"
        fail "ctest"
    }
    # A version that is too new and an unknown target are refused. Looking for CUDA takes long.
    sed 's/find_package(portable 0.1/find_package(portable 99.0/' \
        "$checkout/tests/install/consumer/CMakeLists.txt" >"$scratch/cmake/CMakeLists.txt"
    alone "$scratch/cmake" cmake -S . -B refused -DCMAKE_CUDA_COMPILER= >"$scratch/refused.log" 2>&1 &&
        fail "find_package(portable 99.0) succeeded"
    sed 's/set(whole serial emulate)/set(whole serial metal)/' \
        "$checkout/tests/install/consumer/CMakeLists.txt" >"$scratch/cmake/CMakeLists.txt"
    alone "$scratch/cmake" cmake -S . -B refused -DCMAKE_CUDA_COMPILER= >"$scratch/refused.log" 2>&1 &&
        fail "TARGETS metal was taken"
    # refused_by_cmake MESSAGE LINES...: the lines, appended to the consumer's project, fail with
    # the message
    refused_by_cmake() {
        message=$1
        shift
        {
            cat "$checkout/tests/install/consumer/CMakeLists.txt"
            printf '%s\n' "$@"
        } >"$scratch/cmake/CMakeLists.txt"
        rm -rf "$scratch/cmake/refused"
        alone "$scratch/cmake" cmake -S . -B refused -DCMAKE_CUDA_COMPILER= >"$scratch/mixed.log" 2>&1 && fail "CMake takes: $*"
        grep -q "$message" "$scratch/mixed.log" || fail "$*: $(cat "$scratch/mixed.log")"
    }
    refused_by_cmake 'PORTABLE_TARGET' 'add_executable(mixed main.c)' \
        'target_link_libraries(mixed sums_serial sums_emulate)'
    refused_by_cmake 'TARGETS names none' 'portable_add_library(none sums.c TARGETS)'
    refused_by_cmake 'there is no gone.c' 'portable_add_library(gone gone.c)'
    for range in 0.0...0.5 0.1...1; do
        echo "cmake_minimum_required(VERSION 3.19)
project(range C)
find_package(portable $range REQUIRED)" >"$scratch/cmake/CMakeLists.txt"
        alone "$scratch/cmake" cmake -S . -B range >"$scratch/range.log" 2>&1 || fail "find_package(portable $range)"
    done
    sed -i 's/portable .* REQ/portable 0...<0.1 REQ/' "$scratch/cmake/CMakeLists.txt"
    alone "$scratch/cmake" cmake -S . -B range >"$scratch/range.log" 2>&1 && fail "find_package(portable 0...<0.1)"
    grep -q 'no target metal' "$scratch/refused.log" || fail "TARGETS metal: $(cat "$scratch/refused.log")"
else
    echo "# LEFT OUT cmake: it is not installed"
fi

# The programs and their pages.
for program in portable-compare portable-new; do
    alone "$scratch" $program --help >/dev/null || fail "$program --help"
    [ "$(alone "$scratch" $program --version)" = "$program $(alone "$scratch" env \
        PKG_CONFIG_PATH="$prefix/share/pkgconfig" sed -n 's/^Version: //p' \
        "$prefix/share/pkgconfig/portable.pc")" ] || fail "$program --version"
done
pages='man1/portable-compare.1 man1/portable-new.1 man7/portable.h.7'
if [ -x "$prefix/bin/portable-nvcc" ]; then
    pages="$pages man1/portable-nvcc.1"
    for option in $(alone "$scratch" portable-nvcc --help | tr -s ' ,=:|' '\n' | grep '^-[a-zA-Z-]' | sort -u); do
        grep -Eq -- "Fl ${option#-}( |\$)" "$prefix/share/man/man1/portable-nvcc.1" ||
            fail "portable-nvcc.1 has no $option"
    done
elif [ -e "$prefix/share/man/man1/portable-nvcc.1" ]; then
    fail "there is a page of portable-nvcc, which is not installed"
fi
for page in $pages; do
    [ -s "$prefix/share/man/$page" ] || fail "there is no page $page"
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning "$prefix/share/man/$page" || fail "$page"
    fi
done

command -v mandoc >/dev/null || echo "# LEFT OUT the layout of the man pages: there is no mandoc"

# DESTDIR, for packagers: the same files, below it.
checkout_make install PREFIX=/usr DESTDIR="$scratch/stage" >/dev/null || fail "make install DESTDIR="
(cd "$prefix" && find . -type f | sort) >"$scratch/files"
(cd "$scratch/stage/usr" && find . -type f | sort) | diff "$scratch/files" - || fail "DESTDIR has other files"

checkout_make uninstall PREFIX="$prefix" >/dev/null || fail "make uninstall"
left=$(find "$prefix" -type f -o -type l)
[ -z "$left" ] || fail "uninstall left $left"
exit $failed
