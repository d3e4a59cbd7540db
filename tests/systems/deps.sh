#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs the tools of tests/systems/run.sh: Debian's compilers for Windows and musl, wine and
# qemu, and, in a virtual environment, the compiler of the PyPI package ziglang for macOS, Windows
# and musl. `make check` needs none of them.
#
#     tests/systems/deps.sh [DIRECTORY]     the virtual environment (build/zig)
set -eu

directory=${1:-build/zig}
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    gcc-mingw-w64-x86-64 musl-tools wine wine64 qemu-user llvm python3-venv
python3 -m venv "$directory"
"$directory/bin/pip" install -q ziglang
echo "now: ZIG='$directory/bin/python -m ziglang' tests/systems/run.sh"
