#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# root.sh SCRATCH TREE LOGS [MEMORY]
#
# The part of run.sh that runs as process 1 of new namespaces, so that its mounts and processes end
# with it. Builds a root in SCRATCH/root, in memory if MEMORY is not empty, copies the files of TREE
# into it, at TREE's path, and runs each line of SCRATCH/commands there. SCRATCH/sources has the apt sources,
# SCRATCH/apt.conf apt's settings, SCRATCH/environment proxies. Prints one line for each stage, with
# its seconds, and the errors and last lines of a stage that fails. Exit status: 1 after a failed
# stage, else 0.
set -u

scratch=$1 tree=$2 logs=$3 memory=${4:-}
root=$scratch/root

# stage NAME LOG COMMAND...
stage() {
    name=$1 log=$logs/$2.log
    shift 2
    echo "  ...      $name (log: $log)"
    start=$(date +%s)
    "$@" >"$log" 2>&1 </dev/null
    code=$?
    seconds=$(($(date +%s) - start))
    if [ $code != 0 ]; then
        echo "  FAILED   $name: exit status $code after $seconds s; its errors, and its last lines:"
        # Jobs run in parallel: the first error may be far from the end. A failed step of make check
        # is followed by its own last lines, which are indented.
        awk '/^ *FAILED +[0-9]+\// { step = 1; print NR ":" $0; next }
            step && /^      / { print; next }
            { step = 0 }
            /error: |\*\*\* |^E: |FAILED[: ]/ { print NR ":" $0 }' "$log" | head -n 60 | sed 's/^/      /'
        tail -n 20 "$log" | sed 's/^/      /'
        exit 1
    fi
    last=$(tail -n 1 "$log")
    echo "  ok       $name: $seconds s${last:+; its last line: $last}"
}

# Name resolution, certificates and apt's settings are the host's. Temporary files need not wait for
# the disk.
make_root() {
    set --
    while IFS= read -r option; do
        set -- "$@" --aptopt="$option"
    done <"$scratch/apt.conf"
    TMPDIR=$scratch mmdebstrap --mode=root --variant=minbase --format=directory \
        --dpkgopt=force-unsafe-io --include=gcc,make,libc6-dev,ca-certificates,git "$@" \
        bookworm "$root" "$scratch/sources" &&
        cp -L /etc/resolv.conf /etc/hosts "$root/etc" || return 1
    certificates=/etc/ssl/certs/ca-certificates.crt
    [ ! -e $certificates ] || cp -L $certificates "$root$certificates"
}

# Mounts the usual /proc, /sys and harmless devices.
mount_root() {
    mount -t proc -o nosuid,nodev,noexec proc "$root/proc" &&
        mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$root/sys" &&
        mount -t tmpfs -o nosuid,mode=755 tmpfs "$root/dev" &&
        mkdir "$root/dev/pts" "$root/dev/shm" &&
        mount -t devpts -o newinstance,ptmxmode=666,nosuid,noexec devpts "$root/dev/pts" &&
        mount -t tmpfs -o nosuid,nodev,mode=1777 tmpfs "$root/dev/shm" &&
        mknod -m 666 "$root/dev/null" c 1 3 && mknod -m 666 "$root/dev/zero" c 1 5 &&
        mknod -m 666 "$root/dev/full" c 1 7 && mknod -m 666 "$root/dev/random" c 1 8 &&
        mknod -m 666 "$root/dev/urandom" c 1 9 && mknod -m 666 "$root/dev/tty" c 5 0 &&
        ln -s pts/ptmx "$root/dev/ptmx" && ln -s /proc/self/fd "$root/dev/fd" &&
        ln -s fd/0 "$root/dev/stdin" && ln -s fd/1 "$root/dev/stdout" && ln -s fd/2 "$root/dev/stderr"
}

# inside COMMAND: as a user who has just logged in; in the clone, once there is one
inside() {
    directory=$tree
    [ -d "$root$directory" ] || directory=/root
    # shellcheck disable=SC2046 # NAME=VALUE without spaces
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        TERM="${TERM:-dumb}" LANG=C.UTF-8 $(cat "$scratch/environment") \
        chroot "$root" /bin/sh -c "cd '$directory' && $1"
}

# A clone of a clone, so that git has a remote in the root, as for a user.
clone() {
    git clone -q --bare "file://$tree" "$root/srv/portable.git" &&
        inside "git clone -q /srv/portable.git '$tree' && git -C '$tree' log -1 --oneline"
}

copy() {
    mkdir -p "$root$tree" &&
        tar -C "$tree" --exclude=./build --exclude=./config.mk -cf - . |
        tar -C "$root$tree" -xf - &&
        echo "a release without git"
}

if [ -n "$memory" ]; then
    mkdir "$root" && mount -t tmpfs -o mode=755,size=75% tmpfs "$root" || exit 1
fi
stage "a bare Debian 12" root make_root
stage "its mounts" mounts mount_root
if [ -e "$tree/.git" ]; then
    stage "git clone" clone clone
else
    stage "a copy of the files" clone copy
fi
# A root that already had cmocka, or an unnoticed failure, would prove nothing.
if (stage "a command that must fail" bare inside 'echo "#include <cmocka.h>" | gcc -E -') >"$scratch/bare"; then
    echo "  FAILED   the root has a cmocka.h before make deps, or a failing command passes"
    exit 1
fi
grep -q 'cmocka.h: No such file' "$logs/bare.log" || { cat "$scratch/bare"; exit 1; }
number=0
while IFS= read -r command <&3; do
    number=$((number + 1))
    stage "$command" "command-$number" inside "$command"
done 3<"$scratch/commands"
steps=$root$tree/build/check/steps
[ ! -d "$steps" ] || cp -R "$steps" "$logs/steps"
# What was compiled, for a host with the same compiler: its make finds each file and flag unchanged.
compiler=$(inside 'gcc -print-prog-name=cc1')
if cmp -s "$root$compiler" "$compiler"; then
    mkdir "$logs/objects"
    for flags in "$root$tree"/build/*/flags; do
        [ ! -e "$flags" ] || cp -a "${flags%/flags}" "$logs/objects"
    done
fi
