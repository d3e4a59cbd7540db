#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ncu.sh BUILD SCRATCH [CASE[:N]...]
#
# What accesscheck counts beside the counters of a GPU, which Nsight Compute reads: for each kernel of
# patterns.cu and of the gallery's cases, the average of its launches. Needs BUILD/nvcc
# (make portable-nvcc), nvcc and ncu and, for cases, BUILD/accesscheck/gallery (make accesscheck) and
# BUILD/cuda/gallery (make cuda). Each cell is ncu's number, and accesscheck's:
#
#     requests, sectors/request   of loads from global memory, and of stores
#     wavefronts                  of loads from shared memory, and of stores, for each instruction
#     threads                     ncu: of all instructions; accesscheck: of accesses
#
# A row ends in * if sectors or wavefronts differ by more than a twentieth. Exit status: 0 if none does
# in patterns.cu, 1 if one does, 77 without a GPU or its counters, 2 for wrong usage.
set -u
LC_ALL=C
export LC_ALL
unset PORTABLE_ACCESS_LIMITS

[ $# -ge 2 ] || {
    sed -n '3s/^# /usage: /p' "$0" >&2
    exit 2
}
build=$1 scratch=$2
shift 2
here=$(dirname "$0")
mkdir -p "$scratch"
for tool in nvcc ncu; do
    command -v $tool >/dev/null || PATH=$PATH:/usr/local/cuda/bin
    command -v $tool >/dev/null || {
        echo "skipped: there is no $tool"
        exit 77
    }
done
l1=l1tex__t_%s_pipe_lsu_mem_global_op_%s.sum
metrics=
for operation in ld st; do
    # shellcheck disable=SC2059 # the formats are those above
    metrics="$metrics$(printf "$l1,$l1," requests $operation sectors $operation)"
    metrics="${metrics}l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$operation.sum,smsp__inst_executed_op_shared_$operation.sum,"
done
metrics=${metrics}smsp__thread_inst_executed_per_inst_executed.ratio

# Lines KERNEL NAME VALUE, of each launch.
of_ncu()
{
    ncu --csv --page raw --print-kernel-base function --metrics "$metrics" "$@" >"$scratch/ncu.csv" 2>&1 || {
        grep -q ERR_NVGPUCTRPERM "$scratch/ncu.csv" && {
            echo "skipped: ncu may not read the counters of this GPU"
            exit 77
        }
        cat "$scratch/ncu.csv" >&2
        exit 1
    }
    sed -n 's/^"\(.*\)"$/\1/p' "$scratch/ncu.csv" | sed 's/","/\t/g' | awk -F '\t' '
        $1 == "ID" {
            for (k = 1; k <= NF; k++)
                name[k] = $k
            next
        }
        $1 ~ /^[0-9]+$/ {
            kernel = ""
            for (k = 1; k <= NF; k++)
                if (name[k] == "Kernel Name")
                    kernel = $k
            sub(/[<(].*/, "", kernel)
            print kernel, "launches", 1
            for (k = 1; k <= NF; k++)
                if (name[k] ~ /^(l1tex|smsp)__/) {
                    gsub(/,/, "", $k)
                    print kernel, name[k], $k
                }
        }'
}

# The same names, from a report of accesscheck: of all launches of a kernel.
of_accesscheck()
{
    PORTABLE_ACCESS_LINES=1000000 "$@" 2>&1 >"$scratch/output" | awk -v l1="$l1" '
        function add(what, value) { print kernel, what, value }
        function global(operation) {
            add(sprintf(l1, "requests", operation), requests)
            add(sprintf(l1, "sectors", operation), requests * each)
        }
        function in_shared(operation) {
            add("smsp__inst_executed_op_shared_" operation ".sum", requests)
            add("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" operation ".sum", requests * each)
        }
        /^accesscheck: kernel / {
            kernel = $3
            sub(/:$/, "", kernel)
            add("launches", $4)
            add("smsp__thread_inst_executed_per_inst_executed.ratio", $4 * $NF)
        }
        /^    .*: (global|shared) (load|store|atomic): / {
            match($0, /: (global|shared) (load|store|atomic): /)
            kind = substr($0, RSTART + 2, RLENGTH - 4)
            split(substr($0, RSTART + RLENGTH), word, " ")
            requests = word[1]
            each = word[3]
            if (kind == "global load") global("ld")
            if (kind == "global store") global("st")
            if (kind == "shared load") in_shared("ld")
            if (kind == "shared store") in_shared("st")
        }'
}

# compare: prints the rows of $scratch/ncu and $scratch/accesscheck
compare()
{
    awk -v l1="$l1" '
        function each(side, what, of,    below) {
            below = sum[side, kernel, of]
            return below > 0 ? sum[side, kernel, what] / below : 0
        }
        function cell(what, of, judged,    a, b) {
            a = each(1, what, of)
            b = each(2, what, of)
            wrong = wrong || (judged && (a > 1.05 * b || b > 1.05 * a))
            return sprintf(of == "launches" && what ~ /requests/ ? "%7d %7d" : "%5.2f %5.2f", a, b)
        }
        FNR == 1 { side++ }
        side == 1 && !($1 in seen) { seen[$1] = 1; kernels[++count] = $1 }
        { sum[side, $1, $2] += $3 }
        END {
            for (k = 1; k <= count; k++) {
                kernel = kernels[k]
                if (sum[2, kernel, "launches"] == 0)
                    continue
                wrong = 0
                row = sprintf("%-24s", kernel)
                for (o = 1; o <= 2; o++) {
                    operation = o == 1 ? "ld" : "st"
                    requests = sprintf(l1, "requests", operation)
                    row = row " | " cell(requests, "launches", 0)
                    row = row " | " cell(sprintf(l1, "sectors", operation), requests, 1)
                }
                for (o = 1; o <= 2; o++) {
                    operation = o == 1 ? "ld" : "st"
                    row = row " | " cell("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" operation ".sum",
                        "smsp__inst_executed_op_shared_" operation ".sum", 1)
                }
                row = row " | " cell("smsp__thread_inst_executed_per_inst_executed.ratio", "launches", 0)
                print row (wrong ? " *" : "")
                bad += wrong
            }
            exit bad > 0
        }' "$scratch/ncu" "$scratch/accesscheck"
}

nvcc -arch=native -O3 -std=c++17 "$here/patterns.cu" -o "$scratch/patterns.cuda" || exit 1
"$build/nvcc/bin/portable-nvcc" --check=accesscheck "$here/patterns.cu" -o "$scratch/patterns.check" || exit 1
printf '%-24s | %15s | %11s | %15s | %11s | %11s | %11s | %11s\n' "kernel: ncu, accesscheck" 'load requests' \
    'sectors' 'store requests' 'sectors' 'wavefronts' 'of stores' 'threads'
of_ncu "$scratch/patterns.cuda" >"$scratch/ncu"
status=$?
[ $status = 0 ] || {
    cat "$scratch/ncu"
    exit $status
}
of_accesscheck "$scratch/patterns.check" >"$scratch/accesscheck"
compare
status=$?
for name in "$@"; do
    n=${name#*:}
    [ "$n" != "$name" ] || n=4096
    echo "${name%:*}, n = $n:"
    of_ncu "$build/cuda/gallery" run "${name%:*}" --n "$n" >"$scratch/ncu" || continue
    of_accesscheck "$build/accesscheck/gallery" run "${name%:*}" --n "$n" >"$scratch/accesscheck"
    compare
done
exit $status
