#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that portable.h costs nvcc little: it includes no CUDA header that an empty file does not
# include, and is short after preprocessing; and that CUDA's headers may be included before and
# after it.
#
#     tests/header/weight.sh NVCC DIRECTORY     builds in DIRECTORY; with a GPU, runs what it built
#
# Nothing is timed. The limit on the text is 1.5 times its length when nvcc took 0.15 s for the
# whole header: docs/decisions/017-a-light-header.md. orders.cu is compiled with each of
# cuda_fp16.h, cuda_bf16.h, mma.h and cooperative_groups.h alone, and with all four, before
# portable.h and after it; the two with all four make one program.
#
# Exit status: 0 if all is well; 1 if not; 2 usage; 77 without nvcc.

set -u
LC_ALL=C
export LC_ALL

most_bytes=185000

if [ $# -ne 2 ]; then
    echo "usage: weight.sh NVCC DIRECTORY" >&2
    exit 2
fi
nvcc=$1
if ! command -v "${nvcc%% *}" >/dev/null 2>&1; then
    echo "skipped: there is no ${nvcc%% *}"
    exit 77
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 1
mkdir -p "$2" && directory=$(CDPATH='' cd -- "$2" && pwd) || exit 1
cd "$directory" || exit 1
rm -f ./*.said ./*.failed ./all-?.o
failed=0
fail() {
    echo "FAIL $*"
    failed=1
}

: >empty.cu
echo '#include "portable.h"' >header.cu
for file in empty header; do
    # $nvcc is a list of words.
    # shellcheck disable=SC2086
    $nvcc -std=c++17 "-I$root" -M "$file.cu" >"$file.d" &&
        $nvcc -std=c++17 "-I$root" -E "$file.cu" >"$file.ii" || exit 1
    # One resolved path per line, none with blanks.
    tr -d '\\' <"$file.d" | tr ' ' '\n' | grep '^/' | xargs -n 1 readlink -f | sort -u \
        >"$file.headers"
    grep -v '^#' "$file.ii" | grep -v '^[[:space:]]*$' >"$file.text"
done

cuda=$(sed -n 's,/cuda_runtime\.h$,,p' empty.headers)
[ -n "$cuda" ] || fail "no cuda_runtime.h among the headers of an empty file"
grep -q '/portable\.h$' header.headers || fail "portable.h is not among the headers"
comm -13 empty.headers header.headers | grep "^$cuda/" >heavy &&
    fail "portable.h includes headers of CUDA that cost every file: $(tr '\n' ' ' <heavy)"

bytes=$(($(wc -c <header.text) - $(wc -c <empty.text)))
[ "$bytes" -le $most_bytes ] ||
    fail "portable.h is $bytes bytes after nvcc's preprocessor, and the limit is $most_bytes"

# orders NAME FLAGS...: orders.cu must compile without a warning
orders() {
    name=$1
    shift
    # shellcheck disable=SC2086
    $nvcc -std=c++17 -arch=sm_80 -Werror all-warnings -Xcompiler -Wall,-Wextra "-I$root" "$@" \
        "$here/orders.cu" -o "$name" >"$name.said" 2>&1 || echo "$*" >"$name.failed"
}
for first in 1 0; do
    {
        orders "all-$first.o" -c -DFIRST=$first -DFP16=1 -DBF16=1 -DMMA=1 -DGROUPS=1
        orders "fp16-$first.ptx" -ptx -DFIRST=$first -DFP16=1 -DBF16=0 -DMMA=0 -DGROUPS=0
        orders "bf16-$first.ptx" -ptx -DFIRST=$first -DFP16=0 -DBF16=1 -DMMA=0 -DGROUPS=0
        orders "mma-$first.ptx" -ptx -DFIRST=$first -DFP16=0 -DBF16=0 -DMMA=1 -DGROUPS=0
        orders "groups-$first.ptx" -ptx -DFIRST=$first -DFP16=0 -DBF16=0 -DMMA=0 -DGROUPS=1
    } &
done
wait
compiled=0
for said in *.said; do
    name=${said%.said}
    if [ -e "$name.failed" ] || [ -s "$said" ]; then
        fail "orders.cu does not compile without a warning: $(cat "$name.failed" 2>/dev/null)"
        sed -n '1,12s/^/    /p' "$said"
    else
        compiled=$((compiled + 1))
    fi
done
[ "$compiled" -eq 10 ] || fail "$compiled of 10 orders of headers compile"

note='there was nothing to run'
if [ -e all-0.o ] && [ -e all-1.o ]; then
    # shellcheck disable=SC2086
    if $nvcc -arch=sm_80 all-0.o all-1.o -o orders >link.said 2>&1; then
        ./orders >run.said 2>&1
        case $? in
        0)
            note='the program of both ran'
            ours=$(timeout 600 ./orders ours 2>&1) theirs=$(timeout 600 ./orders theirs 2>&1)
            { [ -n "$ours" ] && [ "$ours" = "$theirs" ]; } ||
                fail "SYNC_GRID without a cooperative launch: \"$ours\", and CUDA's barrier: \"$theirs\""
            ;;
        77) note="the program of both was not run: $(sed 's/^# SKIP orders: //' run.said)" ;;
        *) fail "the program of both: $(cat run.said)" ;;
        esac
    else
        fail "the two files do not link: $(cat link.said)"
    fi
fi

[ $failed -eq 0 ] &&
    echo "portable.h: $bytes bytes for nvcc; $compiled orders of CUDA's headers; $note"
exit $failed
