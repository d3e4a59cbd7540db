#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh CC SCRATCH: the checker of the documentation finds the mistakes in the sections of
# cases.md, and no others.
set -u

command -v python3 >/dev/null || { echo "skipped: there is no python3 (Debian: python3)"; exit 77; }
cc=$1 scratch=$2 failed=0 passed=0
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$scratch"
mkdir -p "$scratch/source/build" "$scratch/source/host/emulate"
cp portable.h "$scratch/source"
cp host/emulate/target.h host/emulate/protocol.h host/emulate/calls.h "$scratch/source/host/emulate"
: >"$scratch/source/build/not-copied"
cd "$scratch" || exit 1

sections=$(grep -c '^## ' "$here/cases.md")
for n in $(seq "$sections"); do
    awk -v n="$n" '/^## / { section++ } section == n' "$here/cases.md" >page.md
    awk '/^<!-- wrong \+/ { line = NR + $3; sub(/.*\+[0-9]+: /, ""); sub(/ -->$/, "")
        print "page.md:" line ": " $0 }' page.md >expected
    sed -n 's/^<!-- shows: \(.*\) -->$/\1/p' page.md >shown
    # shellcheck disable=SC2046 # assignments, or none
    env -u REQUIRE_GPU CC="$cc" NVCC= HAVE_GPU= $(sed -n 's/^<!-- with: \(.*\) -->$/\1/p' page.md) \
        python3 "$here/check_docs.py" source tree page.md >said 2>&1
    status=$? code=0
    [ ! -s expected ] || code=1
    missing=$(while IFS= read -r text; do grep -qF -- "$text" said || echo "$text"; done <shown)
    if [ $status = $code ] && [ -z "$missing" ] && grep '^page.md:' said | cmp -s expected -; then
        passed=$((passed + 1))
    else
        echo "$(head -n 1 page.md): exit status $status, expected $code, with:"
        cat expected shown
        echo "the checker said:"
        sed 's/^/    /' said
        failed=$((failed + 1))
    fi
done
echo "$passed sections passed, $failed failed"
[ $failed = 0 ] && [ $passed -ge 10 ]
