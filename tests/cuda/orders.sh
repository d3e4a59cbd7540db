#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# orders.sh NVCC SCRATCH
#
# ordercheck proves the kernels of orders/proofs.cu. They give the same bits in reverse order and in
# SEEDS shuffled ones, 10 by default, and are proven in each; and it finds each of the five mistakes
# that -DDECIDES plants. NVCC_CCBIN in the environment is the compiler.
set -u

[ $# = 2 ] || {
    sed -n '3s/^# /usage: /p' "$0" >&2
    exit 2
}
nvcc=$1 scratch=$2
source=tests/cuda/orders/proofs.cu
failed=0
mkdir -p "$scratch"

# builds NAME OPTION...
builds() {
    name=$1
    shift
    "$nvcc" --check=ordercheck "$@" "$source" -o "$scratch/$name" >"$scratch/$name.log" 2>&1 || {
        cat "$scratch/$name.log"
        exit 1
    }
}

builds proofs
for order in forward reverse $(seq -f shuffle:%g "${SEEDS:-10}"); do
    ORDER=$order "$scratch/proofs" >"$scratch/said" 2>"$scratch/errors" || failed=1
    grep -q '^ordercheck: every schedule gives the same bits' "$scratch/errors" || failed=1
    [ "$order" != forward ] || cp "$scratch/said" "$scratch/first"
    cmp "$scratch/first" "$scratch/said" || failed=1
    [ $failed = 0 ] || {
        echo "ORDER=$order $scratch/proofs:"
        cat "$scratch/errors"
        exit 1
    }
done
[ "$(grep -c . "$scratch/first")" = 5 ] || failed=1
for mistake in '1 an atomic whose result is used' '2 a write by' '3 with no barrier between' \
    '4 whose sum is rounded differently' '5 an atomic whose result is used'; do
    number=${mistake%% *}
    builds "decides-$number" -DDECIDES="$number"
    "$scratch/decides-$number" >"$scratch/said" 2>"$scratch/errors"
    code=$?
    if [ $code != 1 ] || ! grep -q "${mistake#* }" "$scratch/errors"; then
        echo "-DDECIDES=$number: exit status $code, without \"${mistake#* }\":"
        cat "$scratch/errors"
        failed=1
    fi
done
# A search finds an order that shows it, and none for what is proven.
host/make/order_search.sh "$scratch/decides-2" >"$scratch/said" || failed=1
found=$(sed -n 's/^another output than in ascending order: ORDER=\([^ ]*\) .*/\1/p' "$scratch/said")
ORDER=$found "$scratch/decides-2" 2>"$scratch/errors" | cmp -s - "$scratch/first" && failed=1
SEEDS=2 host/make/order_search.sh "$scratch/proofs" >"$scratch/said" && failed=1
grep -qx 'the same output in ascending and reverse order and in 2 shuffled ones' "$scratch/said" ||
    failed=1
[ $failed = 0 ] || cat "$scratch/said"
exit $failed
