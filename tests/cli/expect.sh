# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For scripts that run commands as a user does. They use the directory $scratch, and count failures
# in $failed.
failed=0

# expect STATUS TEXT COMMAND...: runs it, and expects this exit status and TEXT in the output
expect() {
    status=$1 text=$2
    shift 2
    "$@" >"$scratch/out" 2>&1 </dev/null
    code=$?
    if [ $code != "$status" ] || { [ -n "$text" ] && ! grep -qF -- "$text" "$scratch/out"; }; then
        fail "$*: exit status $code, expected $status and \"$text\"; it said:"
        cat "$scratch/out"
    fi
}

# said TEXT, said_not TEXT: whether the last output has the text
said() {
    grep -qF -- "$1" "$scratch/out" || fail "expected \"$1\" in: $(cat "$scratch/out")"
}
said_not() {
    grep -qF -- "$1" "$scratch/out" && fail "did not expect \"$1\" in: $(cat "$scratch/out")"
}

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}
