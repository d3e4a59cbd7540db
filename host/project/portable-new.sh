#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
set -eu
unset CDPATH

usage="usage: portable-new DIRECTORY
       portable-new --makefile

Writes a project into DIRECTORY, which must be new or empty: a kernel written with portable.h,
a case that checks it, a Makefile, a README and a workflow for continuous integration. \`make help\`
there lists the targets. --makefile prints the path of the make rules, portable.mk.

Exit status: 0 written, 2 bad input, 1 cannot write the project."

fail() {
    status=$1
    shift
    echo "portable-new: $*" >&2
    exit "$status"
}

case ${1:-} in
-h | --help)
    echo "$usage"
    exit 0
    ;;
--version | --makefile)
    query=$1
    ;;
-*) fail 2 "unknown option $1; see portable-new --help" ;;
esac
[ $# = 1 ] || fail 2 "expected one directory; see portable-new --help"

# The directory of portable.mk: in a checkout above this script, in an installation
# ../share/portable.
self=$(dirname "$(readlink -f "$0")")
portable=
for directory in "$self/.." "$self/../share/portable"; do
    [ -e "$directory/portable.mk" ] && portable=$(cd "$directory" && pwd) && break
done
[ -n "$portable" ] || fail 1 "there is no portable.mk that belongs to $self"
templates=$portable/project/new
[ -d "$templates" ] || templates=$portable/host/project/new
header=$portable/../portable.h
[ -e "$header" ] || header=$portable/../../include/portable.h
number() { sed -n "s/^#define PORTABLE_VERSION_$1 //p" "$header"; }
release=$(number MAJOR).$(number MINOR).$(number PATCH)
case ${query:-} in
--version) echo "portable-new $release" ;;
--makefile) echo "$portable/portable.mk" ;;
esac
[ -z "${query:-}" ] || exit 0

directory=$1
[ -n "$directory" ] || fail 2 "the directory's name is empty"
plain() {
    case $1 in
    *[!A-Za-z0-9_./+-]*) fail 2 "make cannot build in $1: a path may have only letters, digits and _ . - + /" ;;
    esac
}
plain "$directory"
parent=$(dirname -- "$directory")
mkdir -p -- "$parent" || fail 1 "cannot create $parent"
plain "$(cd -- "$parent" && pwd)"
if [ -e "$directory" ] || [ -L "$directory" ]; then
    [ -d "$directory" ] || fail 2 "$directory exists and is not a directory"
    [ -z "$(ls -A -- "$directory")" ] || fail 2 "$directory exists and is not empty"
    name=$(basename "$(cd -- "$directory" && pwd)")
else
    name=$(basename "$directory")
fi

# Where the workflow finds portable.h: the address noted by the installation, or the checkout's
# remote.
url=$(cat "$portable/url" 2>/dev/null || "$portable/project/url.sh" 2>/dev/null || true)

# Escapes text for the replacement in sed's s command.
quoted() { printf '%s' "$1" | sed 's/[&|\\]/\\&/g'; }

# All files or none.
scratch=$(mktemp -d "$parent/.portable-new.XXXXXX") || fail 1 "cannot write to $parent"
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/$name"
(cd "$templates" && find . -type f) | while read -r file; do
    to=$scratch/$name/$(echo "$file" | sed 's,/gitignore$,/.gitignore,')
    mkdir -p "$(dirname "$to")" || exit 1
    sed -e "s|@NAME@|$name|g" -e "s|@VERSION@|$release|g" -e "s|@URL@|$(quoted "$url")|g" \
        -e "s|@PORTABLE@|$(quoted "$portable")|g" "$templates/$file" >"$to" || exit 1
done || fail 1 "cannot write $directory"
[ -e "$scratch/$name/Makefile" ] || fail 1 "cannot write $directory"
if [ -d "$directory" ]; then
    cp -R "$scratch/$name/." "$directory" || fail 1 "cannot write $directory"
else
    mv "$scratch/$name" "$directory" || fail 1 "cannot write $directory"
fi
echo "$directory: kernels/smooth.c and cases/smooth.c are an example of a kernel; type"
echo "  cd $directory && make check"
[ -n "$url" ] || echo "Its workflow needs a variable PORTABLE_URL, with the address of a git repository of portable.h, in the
settings of the project's repository: this copy of portable-new did not come from one."
