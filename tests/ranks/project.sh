#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# project.sh CC SCRATCH
# A project's program for many ranks: make builds it, and initcheck finds the read of elements whose
# exchange has not been waited for.
set -u

cc=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/mpi.sh"
. "$here/../cli/expect.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD GOLDEN CASES SOURCES ORDER

PORTABLE=$(cd "$here/../../host" && pwd)
export PORTABLE
project=$scratch/project
cp -R "$here/project" "$project"

expect 0 "build/serial/corrected build/serial/early" make -s -C "$project" CC="$cc" CFLAGS=-O1 serial
expect 0 "rank 1 of 3: 1" ranks 3 "$project/build/serial/corrected"
said "rank 0 of 3: 2"
said "rank 2 of 3: 3"
expect 0 "" make -s -C "$project" CC="$cc" build/initcheck/corrected build/initcheck/early
expect 0 "initcheck: rank 1 of 2: no " ranks 2 "$project/build/initcheck/corrected"
expect 1 "early.c:10" ranks 2 "$project/build/initcheck/early"
said "initcheck: rank 1 of 2: uninitialised read in kernel add_neighbour"
expect 2 "Nothing to build: there is no MPI" make -C "$project" CC="$cc" MPI_LIBS=" " serial

echo "$failed failed"
[ $failed = 0 ]
