#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No cost on the GPU: compares kernels/FAMILY.c with its hand-written twin FAMILY.cu, both compiled
# to PTX, kernel by kernel, with nvcc's default flags, and the families matmul, stencil and vector, or
# with WIDE=1 in the environment all, with -fmad=false.
#
#     sh compare.sh NVCC ARCH BUILD_DIR FAMILY...        sh compare.sh nvcc sm_90 build/ptx vector
#     sh compare.sh --self-test NVCC ARCH BUILD_DIR      must fail: see twin_fail.cu
#
# Exit status: 0 if no kernel of ours has more instructions than its twin; 1 if one has, or exists
# on one side only; 2 usage; 3 if nothing could be compared, or the self-test found nothing wrong.
#
# Machine code (SASS) is counted too, if there is cuobjdump, for information only; SASS=0 leaves it
# out.

usage()
{
    echo "usage: compare.sh NVCC ARCH BUILD_DIR FAMILY..." >&2
    echo "       compare.sh --self-test NVCC ARCH BUILD_DIR" >&2
    exit 2
}

stop()
{
    echo "compare.sh: $*" >&2
    exit 3
}

self_test=0
if [ "$1" = --self-test ]; then
    self_test=1
    shift
    [ $# -eq 3 ] || usage
    set -- "$@" vector
fi
[ $# -ge 4 ] || usage
nvcc=$1 arch=$2 build=$3
shift 3
here=$(dirname "$0")
root=$here/../..

command -v "${nvcc%% *}" >/dev/null || stop "no compiler $nvcc: set NVCC to nvcc of a CUDA toolkit"
mkdir -p "$build" || stop "cannot make $build"
cuobjdump=$(dirname "$(command -v "${nvcc%% *}")")/cuobjdump
[ -x "$cuobjdump" ] || cuobjdump=$(command -v cuobjdump)

# compile SOURCE NAME FLAGS...: BUILD_DIR/NAME.ptx, and BUILD_DIR/NAME.count with "kernel count".
compile()
{
    source=$1 name=$build/$2
    shift 2
    $nvcc -x cu -std=c++17 -arch="$arch" -O3 "$@" -ptx "$source" -o "$name.ptx" ||
        stop "$source does not compile"
    awk -f "$here/count_ptx.awk" "$name.ptx" >"$name.count" || stop "cannot read $name.ptx"
    [ -s "$name.count" ] || stop "no kernel in $name.ptx"
}

# disassemble NAME: BUILD_DIR/NAME.sass with "kernel count", empty without a disassembler. Padding
# at a kernel's end does not count.
disassemble()
{
    name=$build/$1
    : >"$name.sass"
    { [ -n "$cuobjdump" ] && [ "${SASS:-1}" = 1 ]; } || return
    $nvcc -arch="sm_${arch##*_}" $rdc -cubin "$name.ptx" -o "$name.cubin" &&
        "$cuobjdump" -sass "$name.cubin" | awk '
            /Function :/ { name = $NF }
            /^[ \t]*\/\*[0-9a-f]+\*\/[ \t]/ && !/ NOP *;/ { count[name]++ }
            END { for (name in count) print name, count[name] }' >"$name.sass"
}

print_row='%-10s %-24s %5s %5s   %5s %5s   %5s %5s   %s\n'
printf "$print_row" '' '' PTX '' PTX 'no fma' SASS '' ''
printf "$print_row" family kernel ours twin ours twin ours twin verdict
: >"$build/verdicts"
for family; do
    # Where a product and a sum are most of the work, or everywhere.
    fma=${WIDE:-}
    case $family in matmul | stencil | vector) fma=1 ;; esac
    kernels=$root/kernels/$family.c twin=$here/$family.cu
    [ $self_test -eq 0 ] || twin=$here/twin_fail.cu
    [ -f "$kernels" ] || stop "there is no $kernels"
    [ -f "$twin" ] || stop "$kernels has no hand-written twin: write $twin"
    # Kernels that launch kernels are relocatable device code.
    rdc=-rdc=false
    ! grep -q DEVICE_LAUNCH "$kernels" || rdc=-rdc=true
    compile "$kernels" "$family.ours" -I"$root" $rdc
    compile "$twin" "$family.twin" $rdc
    if [ -n "$fma" ]; then
        compile "$kernels" "$family.ours-no-fma" -I"$root" -fmad=false $rdc
        compile "$twin" "$family.twin-no-fma" -fmad=false $rdc
    else
        : | tee "$build/$family.ours-no-fma.count" >"$build/$family.twin-no-fma.count"
    fi
    disassemble "$family.ours"
    disassemble "$family.twin"
    for column in ours.count twin.count ours-no-fma.count twin-no-fma.count ours.sass twin.sass; do
        sed "s/^/$column /" "$build/$family.$column"
    done | awk -v family="$family" -v row="$print_row" '
        { count[$1, $2] = $3 }
        $1 ~ /count$/ && !($2 in seen) { seen[$2]; kernel[++kernels] = $2 }
        function of(column, k) { return (column, k) in count ? count[column, k] : "-" }
        function more(ours, twin, k) { return of(ours, k) + 0 > of(twin, k) + 0 }
        END {
            for (i = 1; i <= kernels; i++) {
                k = kernel[i]
                verdict = "ok"
                if (of("ours.count", k) == "-")
                    verdict = "FAILED: only the twin has it"
                else if (of("twin.count", k) == "-")
                    verdict = "FAILED: it has no twin"
                else if (more("ours.count", "twin.count", k) ||
                         more("ours-no-fma.count", "twin-no-fma.count", k))
                    verdict = "FAILED: ours has more"
                printf row, family, k, of("ours.count", k), of("twin.count", k),
                       of("ours-no-fma.count", k), of("twin-no-fma.count", k),
                       of("ours.sass", k), of("twin.sass", k), verdict
            }
        }' | tee -a "$build/verdicts"
done

if [ $self_test -eq 1 ]; then
    for verdict in ' ok$' 'only the twin has it' 'it has no twin' 'ours has more'; do
        grep -q "$verdict" "$build/verdicts" || stop "the self-test gave no verdict \"$verdict\""
    done
fi
failed=$(grep -c FAILED "$build/verdicts")
[ "$failed" -eq 0 ] && exit 0
echo "compare.sh: $failed of $(grep -c . "$build/verdicts") kernels cost more than CUDA by hand," \
    "or have nothing to compare with; the PTX is in $build" >&2
exit 1
