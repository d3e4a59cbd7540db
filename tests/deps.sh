#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the packages that the tests need and that are missing, on Debian and Ubuntu.
set -eu

missing=
for package in gcc libc6-dev libcmocka-dev librandom123-dev gdb valgrind cmake pkg-config; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
        missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "everything that the tests need is installed"
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "make deps knows Debian and Ubuntu; elsewhere install a C compiler, cmocka, Random123, gdb, valgrind, cmake and pkg-config" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || {
        echo "make deps needs root, or sudo, to install:$missing" >&2
        exit 1
    }
fi
echo "installing:$missing"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
