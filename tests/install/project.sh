#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# project.sh use|check|left_out [SCRATCH]
#
# Tests a project written by portable-new, in SCRATCH, an empty or new directory (a new one).
#
#   use     it builds for every target; a second kernel takes two files; make bench works; a library
#           beside the project is linked; names that are taken; a prefix that has moved
#   check   its workflow, or make check and make checks, passes; a wrong kernel fails; racecheck
#           finds a missing barrier; make record and the comparison with a record work
#   left_out  only prints the parts that cannot run on this machine, as the others do
#
# Exit status: 0 if all is well; 1 if not.
set -u

checkout=$(cd "$(dirname "$0")/../.." && pwd)
part=$1
[ -n "${NVCC:-}" ] || echo "# LEFT OUT cuda: there is no nvcc"
command -v pkg-config >/dev/null || echo "# LEFT OUT pkg-config: it is not installed"
[ "$part" != left_out ] || exit 0
if [ $# -ge 2 ]; then
    mkdir -p "$2"
    scratch=$(cd "$2" && pwd)
else
    scratch=$(mktemp -d) || exit 1
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 1' HUP INT TERM
fi
project=$scratch/project
failed=0
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD PORTABLE GOLDEN CASES

fail() {
    echo "FAILED: $*"
    failed=1
}

# in_project NAME COMMAND...: runs it in the project, with its output in NAME.log
in_project() {
    log=$scratch/$1.log
    shift
    (cd "$project" && "$@") >"$log" 2>&1
}

# says TEXT: the last log contains the text
says() {
    grep -qF -- "$1" "$log" || fail "expected \"$1\" in $log: $(tail -n 20 "$log")"
}

# edit FILE SCRIPT: edits by sed, which must change something
edit() {
    sed "$2" "$project/$1" >"$scratch/edited"
    cmp -s "$scratch/edited" "$project/$1" && fail "sed '$2' changes nothing in $1"
    cp "$project/$1" "$scratch/kept"
    cp "$scratch/edited" "$project/$1"
}
undo() { cp "$scratch/kept" "$project/$1"; }

. "$checkout/tests/install/built.sh"
make -s -C "$checkout" BUILD="$scratch/build" install PREFIX="$scratch/prefix" >"$scratch/install.log" 2>&1 || {
    cat "$scratch/install.log"
    exit 1
}
portable_new=$scratch/prefix/bin/portable-new

"$portable_new" "$project" >/dev/null || fail "portable-new"
[ "$(wc -l <"$project/Makefile")" -lt 10 ] || fail "its Makefile has ten lines or more"
[ -z "$(find "$project" -type f -exec grep -l '@[A-Z]*@' {} +)" ] || fail "a name was not filled in"

grep -q "$scratch" "$project/Makefile" && fail "its Makefile holds the prefix"
grep -q "^/config.mk$" "$project/.gitignore" || fail "git would keep the prefix"

use() {
    # Bad input: one sentence, exit status 2, nothing written.
    refused() {
        wanted=$1
        shift
        said=$("$portable_new" "$@" 2>&1)
        code=$?
        { [ $code = 2 ] && echo "$said" | grep -qF -- "$wanted"; } || fail "portable-new $*: $code: $said"
    }
    mkdir -p "$scratch/full/x"
    : >"$scratch/file"
    refused "expected one directory"
    refused "expected one directory" a b
    refused "not empty" "$scratch/full"
    refused "exists and is not a directory" "$scratch/file"
    refused "cannot build in" "$scratch/a b"
    refused "unknown option --nonsense" --nonsense
    mkdir "$scratch/own" && echo mine >"$scratch/own/README.md"
    refused "not empty" "$scratch/own/new/.."
    [ "$(cat "$scratch/own/README.md")" = mine ] || fail "a file was overwritten"
    [ ! -e "$scratch/a b" ] || fail "a refused name was made"

    # From a checkout, without an installation.
    make -s -C "$checkout" new NAME="$scratch/from-checkout" >"$scratch/new.log" 2>&1 || fail "make new: $(cat "$scratch/new.log")"
    make -s -C "$scratch/from-checkout" serial >>"$scratch/new.log" 2>&1 || fail "make new: $(cat "$scratch/new.log")"
    "$scratch/from-checkout/build/serial/gallery" check >>"$scratch/new.log" 2>&1 || fail "make new: $(cat "$scratch/new.log")"

    # On another machine, or after the prefix has moved: config.mk is wrong or missing.
    other=$scratch/other
    cp -R "$project" "$other"
    mv "$scratch/prefix" "$scratch/moved"
    found_by() {
        what=$1
        shift
        said=$(env -u PORTABLE -u PKG_CONFIG_PATH "$@" make -s -C "$other" print-PORTABLE_MK 2>&1)
        [ "$said" = "PORTABLE_MK = $scratch/moved/share/portable/portable.mk" ] || fail "$what: $said"
    }
    lost() {
        said=$(env -u PORTABLE -u PKG_CONFIG_PATH "$@" make -s -C "$other" help 2>&1) && fail "make without portable.mk: $said"
        case $said in
        *"There is no portable.mk"*"set PORTABLE in config.mk"*) ;;
        *) fail "make without portable.mk: $said" ;;
        esac
    }
    for config in stale none; do
        [ $config = stale ] || rm "$other/config.mk"
        found_by "portable-new, config.mk $config" PATH="$scratch/moved/bin:$PATH"
        found_by "PORTABLE, config.mk $config" PORTABLE="$scratch/moved/share/portable"
        if command -v pkg-config >/dev/null; then
            found_by "pkg-config, config.mk $config" PKG_CONFIG_PATH="$scratch/moved/share/pkgconfig"
        fi
        lost
    done
    [ "$("$scratch/moved/bin/portable-new" --makefile)" = "$scratch/moved/share/portable/portable.mk" ] ||
        fail "portable-new --makefile"
    mv "$scratch/moved" "$scratch/prefix"

    in_project targets make serial openmp emulate ${NVCC:+cuda} CUDA_ARCH=sm_75 ||
        fail "make serial openmp emulate cuda: $(tail -n 20 "$log")"
    in_project bench make bench N=65536 REPEATS=3 || fail "make bench: $(tail -n 20 "$log")"
    says "smooth"
    [ -s "$project/build/bench/part/serial.tsv" ] || fail "make bench left no results"
    in_project own make run SOURCES=kernels/smooth.c && fail "make run of a file without main succeeded"

    # The project's files take precedence over a checkout's of the same name; include directories
    # work with nvcc too.
    shadow=$scratch/from-checkout
    sed 's/smooth/other/g' "$checkout/host/project/new/cases/smooth.c" | sed 's,kernels/other.c,kernels/reduce.c,' >"$shadow/cases/reduce.c"
    sed 's/smooth/other/g; s/2 \* tile/3 * tile/' "$checkout/host/project/new/kernels/smooth.c" >"$shadow/kernels/reduce.c"
    mkdir -p "$shadow/host" && echo '#error the project' >"$shadow/host/html.h"
    make -s -C "$shadow" serial >"$scratch/shadow.log" 2>&1 || fail "files named as the gallery's and the harness's: $(cat "$scratch/shadow.log")"
    "$shadow/build/serial/gallery" check other >"$scratch/shadow.log" 2>&1 &&
        fail "kernels/reduce.c of the project was not used"

    # Sources beside the project, include directories, linker options.
    mkdir -p "$scratch/library" "$project/include"
    echo '#define WANTED 3' >"$project/include/wanted.h"
    cat >"$scratch/library/target.c" <<'END'
#include "portable.h"
const char *target_of_library(void);
const char *target_of_library(void) { return PORTABLE_TARGET_NAME; }
END
    cat >"$project/main.c" <<'END'
#include "kernels/smooth.c"
#include "wanted.h"
#include <stdio.h>
#ifdef __cplusplus
extern "C"
#endif
const char *target_of_library(void);
int main(void)
{
    printf("%s %s %d\n", PORTABLE_TARGET_NAME, target_of_library(), WANTED);
    return 0;
}
END
    in_project own make serial emulate ${NVCC:+cuda} CASE_SOURCES= PROGRAMS=main.c HOST_SOURCES=../library/target.c \
        BUILD=build-own CPPFLAGS=-Iinclude LDFLAGS=-Wl,-z,relro ${NVCC:+CUDA_ARCH=sm_75} ||
        fail "a program with a library beside it: $(tail -n 20 "$log")"
    for target in serial emulate ${NVCC:+cuda}; do
        in_project $target "build-own/$target/main"
        says "$target $target 3"
    done
    in_project taken make serial PROGRAMS=gallery.c && fail "a program named gallery"
    echo 'int main(void) { return 0; }' >"$project/gallery.c"
    in_project taken make serial PROGRAMS=gallery.c && fail "a program named gallery"
    says "cannot have the name gallery"
    in_project compare make compare SOURCES="main.c ../library/target.c" CPPFLAGS=-Iinclude ||
        fail "make compare of a program: $(tail -n 20 "$log")"
    says "compare: all targets print the same: serial, "
    in_project clean make clean BUILD=.. && fail "make clean BUILD=.."
    says "must be a directory for build output alone"
    rm -r "$project/include" "$project/main.c" "$project/gallery.c"

    # A second kernel takes two files and no change to the Makefile.
    sed 's/smooth/second/g' "$project/kernels/smooth.c" >"$project/kernels/second.c"
    sed 's/smooth/second/g' "$project/cases/smooth.c" >"$project/cases/second.c"
    in_project second make serial || fail "a second kernel does not build: $(tail -n 20 "$log")"
    in_project list build/serial/gallery list
    says "second"
    says "smooth"
    in_project second-check build/serial/gallery check second || fail "the second kernel's check"
    rm "$project/kernels/second.c" "$project/cases/second.c"
    in_project gone make serial || fail "without the second kernel: $(tail -n 20 "$log")"
    in_project list build/serial/gallery list
    grep -q second "$log" && fail "a kernel that is gone is still in the gallery"
}

check() {
    # The harness, the checks, and what the workflow installs are compiled with little optimisation,
    # because time matters and speed does not; the step install has portable-nvcc, which no C needs.
    MAKEFLAGS='QUICKLY=-O0\ -g1 runtime_level=-O1 NVCC_FILES= install_nvcc='
    export MAKEFLAGS
    # The workflow, step by step, as a runner would: from a repository of portable.h with its
    # release.
    if command -v git >/dev/null && git -C "$checkout" rev-parse HEAD >/dev/null 2>&1; then
        version=$(sed -n 's/^ *PORTABLE_VERSION: //p' "$project/.github/workflows/check.yml")
        git clone -q --no-hardlinks "$checkout" "$scratch/origin" &&
            (cd "$checkout" && git ls-files -z --cached --others --exclude-standard |
                tar --null --ignore-failed-read -cf - -T - 2>/dev/null) | tar -xf - -C "$scratch/origin" &&
            git -C "$scratch/origin" add -A &&
            git -C "$scratch/origin" -c user.name=test -c user.email=test@localhost commit -q --allow-empty -m test &&
            git -C "$scratch/origin" tag -f "$version" >/dev/null || fail "the checkout cannot be cloned"
        awk '/^ *run: [^|]/ { sub(/^ *run: /, ""); print }
            /^ *run: \|$/ { inside = 1; next }
            inside && /^          / { sub(/^          /, ""); print; next }
            { inside = 0 }' "$project/.github/workflows/check.yml" |
            sed 's/^make -C "\$RUNNER_TEMP.*/CPPFLAGS=-O0 &\nexport PORTABLE="$RUNNER_TEMP\/prefix\/share\/portable"/' >"$scratch/steps.sh"
        rm "$project/config.mk" # git does not keep it
        [ "$(wc -l <"$scratch/steps.sh")" -ge 6 ] || fail "the workflow has no steps"
        mkdir "$scratch/runner"
        in_project workflow env RUNNER_TEMP="$scratch/runner" GITHUB_ENV="$scratch/github.env" \
            PORTABLE_URL="$scratch/origin" PORTABLE_VERSION="$version" sh -e "$scratch/steps.sh" ||
            fail "the workflow: $(tail -n 20 "$log")"
        # The rest builds with this installation, in the same tree.
        PORTABLE=$scratch/runner/prefix/share/portable
        export PORTABLE
    else
        echo "# LEFT OUT the workflow: this is no git repository, or there is no git"
        in_project workflow sh -c 'make check && make checks' || fail "make check, make checks: $(tail -n 20 "$log")"
    fi
    says ", 0 failed"
    for target in serial openmp emulate; do
        says "smooth                    28  $target"
    done
    for verdict in "memcheck: no errors" "racecheck: no races" "initcheck: no errors" "synccheck: no divergences" "streamcheck: no missing waits"; do
        says "$verdict"
    done
    if [ -n "${HAVE_GPU:-}" ]; then
        in_project record make record || fail "make record: $(tail -n 20 "$log")"
        ls "$project"/tests/golden/*/single/* >/dev/null || fail "make record left nothing"
        in_project golden make check || fail "make check with a record"
        says "recorded results"
    else
        in_project record make record && fail "make record succeeded without a GPU"
        says "make record needs a GPU"
    fi
    # Without its barrier the kernel has a race, and racecheck reports it.
    edit kernels/smooth.c '/SYNC_THREADS/d'
    in_project race make racecheck && fail "make racecheck finds nothing without the barrier"
    says "race in kernel smooth"
    says "kernels/smooth.c:"
    says "with no barrier between them"
    undo kernels/smooth.c

    # A wrong result fails the check.
    edit kernels/smooth.c 's/2 \* tile/3 * tile/'
    in_project wrong make check && fail "make check passes a wrong kernel"
    says "NOT ALL AGREE"
    undo kernels/smooth.c

    if [ -n "${PORTABLE:-}" ]; then
        in_project without-url env PORTABLE_URL= sh -e "$scratch/steps.sh" && fail "a workflow without PORTABLE_URL goes on"
        says "Set the variable PORTABLE_URL, in this repository's settings"
        rm -rf "$scratch/runner/portable"
        in_project no-release env RUNNER_TEMP="$scratch/runner" PORTABLE_URL="$scratch/origin" PORTABLE_VERSION=v99 \
            sh -e "$scratch/steps.sh" && fail "a workflow without a release goes on"
        says "Set PORTABLE_VERSION, in this workflow"

        # The address of a checkout's remote, in a form that anybody can clone; without a remote,
        # portable-new asks.
        url_of() {
            git -C "$scratch/origin" remote | while read -r remote; do git -C "$scratch/origin" remote remove "$remote"; done
            [ -z "$1" ] || git -C "$scratch/origin" remote add "$2" "$1"
            "$scratch/origin/host/project/url.sh"
        }
        for address in https://example.org/a/b.git https://name:word@example.org/a/b.git git@example.org:a/b.git \
            ssh://git@example.org/a/b.git ssh://git@example.org:22/a/b.git; do
            for remote in origin upstream; do
                said=$(url_of "$address" $remote)
                [ "$said" = https://example.org/a/b.git ] || fail "url.sh of $address: $said"
            done
        done
        [ -z "$(url_of /a/directory origin)" ] || fail "url.sh of a directory"
        [ -z "$(url_of "")" ] || fail "url.sh without a remote"
        "$scratch/origin/host/project/portable-new.sh" "$scratch/no-remote" | grep -q "needs a variable PORTABLE_URL" ||
            fail "portable-new without a remote does not ask for the address"
        url_of https://example.org/a/b.git origin >/dev/null
        "$scratch/origin/host/project/portable-new.sh" "$scratch/remote" | grep -q PORTABLE_URL &&
            fail "portable-new with a remote asks for the address"
        grep -q "'https://example.org/a/b.git'" "$scratch/remote/.github/workflows/check.yml" ||
            fail "the workflow lacks the address"
    fi
}

$part
exit $failed
