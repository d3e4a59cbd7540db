#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cross_validate.sh TARGET            every case on a target, against references and serial
# cross_validate.sh TARGET golden     against the results of GPUs recorded in GOLDEN
# cross_validate.sh openmp THREADS    with that number of OS threads
#
# A step of `make check`. Environment: BUILD, the build tree of this combination of options; CHECK,
# its directory for make check; CASES, default all; ORDERED_ARGS, further arguments of gallery check
# on a number of threads; NO_CUDA, why the cuda target cannot be built, or
# empty; HAVE_GPU; REQUIRE_GPU=1 makes a missing GPU a failure. Exit status: 0 if they agree, 77 if
# the target cannot run here or has no record, else another.
set -u

target=$1
gallery=$BUILD/$target-exact/gallery

# not_run WHY: ends without a device
not_run() {
    echo "# SKIP the cuda target was $1"
    [ "${REQUIRE_GPU:-}" != 1 ] || exit 1
    exit 77
}
if [ "$target" = cuda ] && [ -z "$HAVE_GPU" ]; then
    [ -z "$NO_CUDA" ] || not_run "NOT BUILT and NOT RUN: $NO_CUDA"
    reason=$("$gallery" check 2>&1 >/dev/null | sed 's/.*was not run: //')
    not_run "compiled and NOT RUN: ${reason:-no GPU was found}"
fi

# agree OPTIONS...: prints the table; exits unless the results agree
agree() {
    # shellcheck disable=SC2086 # a list of words
    table=$("$gallery" check $CASES "$@" 2>&1)
    code=$?
    printf '%s\n' "$table"
    if [ $code = 77 ]; then
        # nvidia-smi can list a GPU that CUDA cannot use.
        reason=$(printf '%s\n' "$table" | sed -n 's/.*was not run: //p')
        [ -z "$reason" ] || not_run "compiled and NOT RUN: $reason"
        [ "$1" = --golden ] || exit 1
        echo "skipped: none of these cases is recorded"
    fi
    [ $code = 0 ] || exit $code
}

case $target,${2:-} in
*,golden)
    echo "recorded results"
    agree --golden "$GOLDEN"
    ;;
openmp,[1-9]*)
    OMP_NUM_THREADS=$2
    export OMP_NUM_THREADS
    # shellcheck disable=SC2086 # a list of words
    agree --against serial="$CHECK/serial" ${ORDERED_ARGS:-}
    ;;
*)
    rm -rf "${CHECK:?}/$target"
    if [ "$target" = serial ]; then
        agree --dump "$CHECK/serial"
    else
        agree --dump "$CHECK/$target" --against serial="$CHECK/serial"
    fi
    ;;
esac
