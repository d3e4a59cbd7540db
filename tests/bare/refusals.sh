#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# refusals.sh SCRATCH
# Where run.sh cannot run, it fails with one sentence: it never passes without a root file system of
# its own.
set -u

scratch=$1
rm -rf "$scratch"
mkdir -p "$scratch/bin"
failed=0

# refused MESSAGE [NAME=VALUE...]
refused() {
    message=$1
    shift
    said=$(env "$@" tests/bare/run.sh 2>&1)
    code=$?
    case $code:$said in
    1:"check-bare: $message"*) ;;
    *)
        echo "expected exit status 1 and \"check-bare: $message\", not $code and: $said"
        failed=1
        ;;
    esac
}

# tool NAME LINE: replaces a program by one that runs this line
tool() {
    printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}

for tool in sh dirname awk sort; do
    ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
# shellcheck disable=SC2016 # no expansion
printf '```console\n$ make demo\n```\n```console bare\n```\n' >"$scratch/page.md"
refused "$scratch/page.md shows no command" BARE_README="$scratch/page.md"
tool id 'echo 1000'
refused "only root can build a root file system" PATH="$scratch/bin"
tool id 'echo 0'
refused "mmdebstrap is not installed; make deps-bare installs it" PATH="$scratch/bin"
tool mmdebstrap 'exit 0'
tool unshare 'exit 1'
refused "this machine allows no mount namespace" PATH="$scratch/bin"
tool unshare 'exit 0'
tool apt-get 'echo "http://localhost/debian/ trixie main Debian"'
refused "apt has no sources of Debian 12 here" PATH="$scratch/bin"
[ $failed = 0 ] && echo "5 refusals"
