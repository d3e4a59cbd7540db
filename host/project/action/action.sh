#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The steps of action.yml, in the environment of a GitHub runner.
#
#   action.sh key       the outputs `prefix`, where portable-nvcc goes, and `key`, for a cache of
#                       it: of these sources and the compilers
#   action.sh install   installs into PREFIX
#   action.sh use       for the steps that follow: its nvcc first in PATH, CUDA_HOME and the like
#   action.sh check     for each of INPUT_CHECKS: INPUT_BUILD, then INPUT_TEST, in a copy of the
#                       workspace; prints each finding as an annotation; the outputs `sarif`,
#                       `junit`, `findings`, `unchecked` and `failed`. Fails if one of them does
set -euo pipefail

source=$(cd "$(dirname "$0")/../../.." && pwd)

# refuse SENTENCE
refuse() {
    echo "::error::$1"
    exit 2
}

# absolute PATH: in the workspace
absolute() {
    case $1 in
    /*) echo "$1" ;;
    *) echo "$GITHUB_WORKSPACE/$1" ;;
    esac
}

key() {
    sources=$(cd "$source" && find portable.h Makefile host docs/man -type f | LC_ALL=C sort | xargs cat | cksum)
    compilers=$(for tool in gcc clang make ld; do "$tool" --version 2>/dev/null || true; done | cksum)
    echo "prefix=$RUNNER_TEMP/portable" >>"$GITHUB_OUTPUT"
    echo "key=portable-nvcc-$(uname -m)-$sources-$compilers" | tr ' ' - >>"$GITHUB_OUTPUT"
}

install() {
    make -s -j "$(nproc)" -C "$source" BUILD="$RUNNER_TEMP/portable-build" install PREFIX="$PREFIX" NVCC=
    rm -rf "$RUNNER_TEMP/portable-build"
}

use() {
    cuda=$PREFIX/lib/portable/cuda
    printf '%s\n' "$PREFIX/bin" "$cuda/bin" >>"$GITHUB_PATH"
    for name in CUDA_HOME CUDA_PATH CUDAToolkit_ROOT; do
        echo "$name=$cuda" >>"$GITHUB_ENV"
    done
    echo "CUDACXX=$cuda/bin/nvcc" >>"$GITHUB_ENV"
}

# The lines of a SARIF file that are findings and not suppressed.
findings_of() {
    grep '^,*{"ruleId"' "$1" | grep -v ',"suppressions":\[{"kind"' || true
}

# Each finding in the workspace as an annotation. The beginning of its line is always the same.
annotate() {
    local text='"(([^"\\]|\\.)*)"' file message
    local start='^,?\{"ruleId":'$text',"ruleIndex":[0-9]+,"level":'$text',"message":\{"text":'$text'\},"locations":\[\{'
    local place='"physicalLocation":\{"artifactLocation":\{"uri":'$text',"uriBaseId":"%SRCROOT%"\},"region":\{"startLine":([0-9]+)'
    while IFS= read -r result; do
        [[ $result =~ $start$place ]] || continue
        printf -v file '%b' "${BASH_REMATCH[7]//%/\\x}"
        file=${file//%/%25} file=${file//,/%2C} file=${file//:/%3A}
        message=$(sed 's/\[\([^][]*\)\]([0-9])/\1/g; s/\\\(["\\]\)/\1/g; s/%/%25/g' <<<"${BASH_REMATCH[5]}")
        echo "::${BASH_REMATCH[3]} file=$file,line=${BASH_REMATCH[9]},title=${BASH_REMATCH[1]}::$message"
    done
}

check() {
    INPUT_CHECKS=$(echo "$INPUT_CHECKS" | tr ",\n" "  ")
    directory=${INPUT_DIRECTORY:-.}
    sarif=$(absolute "${INPUT_SARIF:-portable.sarif}")
    junit=$(absolute "${INPUT_JUNIT:-portable.xml}")
    for name in $INPUT_CHECKS; do
        case $name in
        memcheck | racecheck | initcheck | synccheck | streamcheck | ordercheck | accesscheck | fpcheck) ;;
        *) refuse "checks: $name must be memcheck, racecheck, initcheck, synccheck, streamcheck, ordercheck, accesscheck or fpcheck" ;;
        esac
    done
    [ -n "$(echo $INPUT_CHECKS)" ] || refuse "checks: must name one at least"
    [ -d "$GITHUB_WORKSPACE/$directory" ] || refuse "working-directory: there is no $directory"
    suppressions=
    IFS=: read -ra files <<<"$INPUT_SUPPRESSIONS"
    for file in "${files[@]}"; do
        [ -r "$(absolute "$file")" ] || refuse "suppressions: there is no $file"
        suppressions=$suppressions${suppressions:+:}$(absolute "$file")
    done
    rm -f "$sarif" "$junit"
    failed=
    # A copy for each, because a build directory is for one check; the places in it are those in the
    # workspace.
    for name in $INPUT_CHECKS; do
        copy=$RUNNER_TEMP/portable-check/$name
        rm -rf "$copy"
        mkdir -p "$(dirname "$copy")"
        cp -a "$GITHUB_WORKSPACE" "$copy"
        [ -e "$copy/.git" ] || mkdir "$copy/.git"
        for step in "build:$INPUT_BUILD" "test:$INPUT_TEST"; do
            echo "::group::$name: ${step%%:*}"
            status=0
            (
                cd "$copy/$directory"
                export PORTABLE_CHECK="$name" PORTABLE_SARIF="$sarif" PORTABLE_JUNIT="$junit" \
                    PORTABLE_SUPPRESSIONS="$suppressions"
                exec bash -e -o pipefail -c "${step#*:}"
            ) || status=$?
            echo "::endgroup::"
            if [ $status != 0 ]; then
                echo "$name: the ${step%%:*} ended with exit status $status"
                failed="$failed${failed:+ }$name"
                break
            fi
        done
        rm -rf "$copy"
    done
    findings=0 unchecked=0
    if [ -e "$sarif" ]; then
        findings_of "$sarif" | annotate
        findings=$(findings_of "$sarif" | grep -vc '^,*{"ruleId":"not-checked"' || true)
        unchecked=$(($(findings_of "$sarif" | grep -c '^,*{"ruleId":"not-checked"' || true) +
            $(grep -c '"executionSuccessful":false' "$sarif" || true)))
    else
        echo "::warning::no program that was built with portable-nvcc ran"
    fi
    {
        echo "sarif=$sarif"
        echo "junit=$junit"
        echo "findings=$findings"
        echo "unchecked=$unchecked"
        echo "failed=$failed"
    } >>"$GITHUB_OUTPUT"
    [ -z "$failed" ]
}

case ${1:-} in
key | install | use | check) "$1" ;;
*) refuse "action.sh: key, install, use or check" ;;
esac
