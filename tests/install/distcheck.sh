#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# distcheck.sh ARCHIVE.tar.gz: unpacks a release into a new directory outside git, runs make check
# there, installs into an empty prefix, and uninstalls again.
set -eu

archive=$(readlink -f "$1")
name=$(basename "$archive" .tar.gz)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD
tar -xzf "$archive" -C "$scratch"
[ "$(ls "$scratch")" = "$name" ] || { echo "$archive does not hold one directory $name" >&2; exit 1; }
cd "$scratch/$name"
for file in portable.h Makefile README.md LICENSE CITATION.cff docs/CHANGELOG.md; do
    [ -s $file ] || { echo "$archive lacks $file" >&2; exit 1; }
done
make check
make -s install PREFIX="$scratch/prefix"
make -s uninstall PREFIX="$scratch/prefix"
[ -z "$(find "$scratch/prefix" -type f)" ] || { echo "uninstall left files" >&2; exit 1; }
make -s clean
echo "$name: ready"
