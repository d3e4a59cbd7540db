#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# deps.sh [PACKAGE...]: installs the missing packages on Debian and Ubuntu; default: the packages
# that the tests need.
set -eu

[ $# != 0 ] || set -- gcc libc6-dev libcmocka-dev librandom123-dev gdb valgrind cmake pkg-config \
    libopenmpi-dev openmpi-bin meson libfftw3-dev liblapacke-dev $(
        for clang in clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
            command -v $clang >/dev/null && break
        done && $clang -dumpversion | sed 's/^\([0-9]*\).*/llvm-\1-dev/')
missing=
for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
        missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "already installed: $*"
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "tests/deps.sh installs on Debian and Ubuntu only; elsewhere, install the equivalent of these packages:$missing" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || {
        echo "installing needs root or sudo:$missing" >&2
        exit 1
    }
fi
echo "installing:$missing"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
