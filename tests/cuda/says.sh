# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154,SC2034 # variables of the caller
# What a script expects of compilers and programs, for shared.sh and modules.sh. A failure sets
# $failed; the latest output is in the file `said`.

fails() {
    echo "$compiler, $configuration: $1"
    sed 's/^/    /' said | head -n 20
    failed=1
}
# builds COMMAND...
builds() {
    timeout 600 "$@" >said 2>&1 && [ ! -s said ] && return
    fails "builds: $*"
}
# says STATUS TEXT COMMAND...: the TEXT is in the output
says() {
    wanted=$1 text=$2
    shift 2
    timeout 600 "$@" >said 2>&1
    status=$?
    [ $status = "$wanted" ] || fails "status $status, expected $wanted: $*"
    grep -qF -- "$text" said || fails "without \"$text\": $*"
}
# prints FILE COMMAND...: exactly its lines to stdout, and ends well
prints() {
    file=$1
    shift
    timeout 600 "$@" >said 2>errors || { cat errors >>said; fails "status: $*"; }
    cmp -s "$file" said || fails "prints something else: $*"
}
