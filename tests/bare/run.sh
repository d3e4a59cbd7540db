#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh [SCRATCH]
#
# Runs the README's first commands, those of its ```console bare block, on a bare Debian 12: a new
# root from the host's apt sources, with gcc, make, libc6-dev, ca-certificates, git and a clone of
# the last commit. BARE_README names another file with such a block. The root is in SCRATCH, a new
# directory that is removed at the end; by default in memory, if 12 GiB are free, or in a directory
# of mktemp. The logs stay: in BUILD/bare, as make check-bare runs it, or in a new directory; its
# steps/ has the results of the steps of make check, objects/ what was compiled.
#
# Needs root, the network and mmdebstrap (make deps-bare). root.sh puts all mounts and processes
# into new namespaces: none can outlive it, and removing SCRATCH cannot reach any other file. Exit
# status: 1 if a command fails or cannot be run, else 0.
set -u

cannot() {
    echo "check-bare: $*" >&2
    exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
cd "$tree" || exit 1
readme=${BARE_README:-README.md}

commands=$(awk '/^```/ { inside = $0 == "```console bare" } inside && sub(/^\$ /, "")' "$readme")
[ -n "$commands" ] || cannot "$readme shows no command in a block that begins with \`\`\`console bare"
[ "$(id -u)" = 0 ] || cannot "only root can build a root file system; run it as root"
command -v mmdebstrap >/dev/null || cannot "mmdebstrap is not installed; make deps-bare installs it"
unshare --mount --pid --fork --propagation private true 2>/dev/null ||
    cannot "this machine allows no mount namespace (unshare --mount); a container needs CAP_SYS_ADMIN for it"

# apt's own view of its sources covers both formats, and shows which are Debian's.
# shellcheck disable=SC2016 # apt's variables
sources=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages' |
    awk '$1 ~ /^(http|https|mirror\+.*):/ && $2 ~ /^bookworm(-updates|-security)?$/ && $3 == "main" &&
        ($4 == "Debian" || $4 ~ /^(\$|$)/) { print "deb", $1, $2, $3 }' | sort -u)
case $sources in
*" bookworm "*) ;;
*) cannot "apt has no sources of Debian 12 here (bookworm main, in /etc/apt)" ;;
esac

logs=${BUILD:-$(mktemp -d)}/bare
memory=
if [ $# -gt 0 ]; then
    mkdir "$1" || exit 1
    scratch=$(cd "$1" && pwd)
else
    scratch=$(mktemp -d)
    memory=$(awk '$1 == "MemAvailable:" && $2 >= 12 * 1048576 { print "yes" }' /proc/meminfo)
fi
namespaces=

# --one-file-system: does not descend into mounts. The processes of an interrupted root may take a
# moment to end.
clean_up() {
    [ -z "$namespaces" ] || kill -KILL "$namespaces" 2>/dev/null
    tries=0
    until rm -rf --one-file-system "$scratch" 2>"$logs/rm.log"; do
        tries=$((tries + 1))
        [ $tries -lt 20 ] || { cat "$logs/rm.log" >&2; break; }
        sleep 0.5
    done
}
rm -rf "$logs"
mkdir -p "$logs"
trap clean_up EXIT
trap 'echo "check-bare: interrupted" >&2; exit 1' HUP INT TERM

mirror=$(printf '%s\n' "$sources" | awk '$3 == "bookworm" { sub("/$", "", $2); print $2; exit }')
/usr/lib/apt/apt-helper download-file "$mirror/dists/bookworm/InRelease" "$scratch/InRelease" \
    >"$logs/network.log" 2>&1 ||
    cannot "apt cannot reach its mirror, and this test needs the network: $(grep -m 1 '^E: ' "$logs/network.log")"
printf '%s\n' "$commands" >"$scratch/commands"
printf '%s\n' "$sources" >"$scratch/sources"
# apt's proxies and the certificates it accepts.
apt-config dump | grep -E '^Acquire::(http|https|Retries|ForceIPv[46]|Check-[A-Za-z-]*|Languages)(::[^ ]*)? "[^"]' \
    >"$scratch/apt.conf"
env | grep -iE '^(http|https|ftp|all|no)_proxy=[^ ]*$' >"$scratch/environment"
if [ -e .git ] && ! git diff --quiet HEAD --; then
    echo "check-bare: uncommitted changes are left out"
fi

# In the background, so that a signal ends it at once; the death of unshare ends all processes in
# it.
start=$(date +%s)
unshare --mount --propagation private --pid --fork --kill-child --mount-proc \
    "$here/root.sh" "$scratch" "$tree" "$logs" "$memory" </dev/null &
namespaces=$!
wait "$namespaces"
code=$?
namespaces=
[ $code = 0 ] || cannot "the README's commands do not work on a bare Debian 12; the logs are in $logs"
echo "check-bare: the README's commands work on a bare Debian 12: $(($(date +%s) - start)) s"
