#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# self.sh SCRATCH
# Tests run.sh on a project of one line: mutants that are caught or survive, and mistakes in the
# list.
set -u
scratch=$1
rm -rf "$scratch"
mkdir -p "$scratch/project/tests/mutants"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli/expect.sh"
project=$scratch/project
cp "$here/run.sh" "$project/tests/mutants"
run=$project/tests/mutants/run.sh list=$project/tests/mutants/list.mutants

# Its checks: `sum` adds, `first` compares only the first line, `builds` needs a build that fails
# for "broken", `absent` is skipped.
cat >"$project/Makefile" <<'END'
.PHONY: check
check:
	@mkdir -p build/check/steps && ! grep -q broken code.txt
	@! test $(ONLY) = absent || { echo why >build/check/steps/absent.skipped; exit 1; }
	@sh $(ONLY).sh $(CASES) || { echo 1 >build/check/steps/$(ONLY).failed; exit 1; }
END
printf '%s\n' 'one  1' 'two  2' '' 'three  3' >"$project/code.txt"
echo 'awk "{ s += \$2 } END { exit s != 6 }" code.txt' >"$project/sum.sh"
echo 'head -n 1 code.txt | grep -q "one  1" && [ -z "$1" ]' >"$project/first.sh"
echo 'false' >"$project/never.sh"

# mutant NAME BEFORE AFTER STEP...: adds it to the list
mutant() {
    printf 'mutant  %s\nfile    code.txt\n' "$1"
    printf '%s\n' "$2" | sed 's/^/before  /'
    printf '%s\n' "$3" | sed 's/^/after  /'
    shift 3
    for step; do echo "step    $step"; done
    echo
} >>"$list"

echo '# A list.' >"$list"
mutant adds '3' '4' 'first' 'sum'
mutant lines 'two  2

three' 'two  3

three' 'sum'
expect 0 "2 caught, 0 survived, 0 equivalent, 0 wrong" "$run" "$scratch/work"
said "caught by sum"
grep -q 'three  3' "$scratch/work/tree/code.txt" || fail "the copy is not as it was"
mutant case 'one' 'eins' 'first CASES=x'
expect 0 "1 caught" "$run" "$scratch/work" case
mutant lives 'two' 'zwei' 'first' 'sum'
expect 1 "SURVIVED: first sum" "$run" "$scratch/work"
said "3 caught, 1 survived, 0 equivalent, 0 wrong"
said "lives "
printf '%s\n' 'mutant  same' 'file    code.txt' 'before  two' 'after   deux' 'equivalent  a word' '' >>"$list"
expect 0 "0 caught, 0 survived, 1 equivalent, 0 wrong" "$run" "$scratch/work" same
said "equivalent: a word"
mutant broken 'one' 'broken' 'first'
expect 1 "WRONG: it does not compile" "$run" "$scratch/work" broken
mutant twice 'e  ' 'x' 'sum'
expect 1 "WRONG: the text of before does not stand there once" "$run" "$scratch/work" twice
mutant fails 'one' 'uno' 'never'
expect 1 "WRONG: step never does not pass without a mutant" "$run" "$scratch/work" fails
mutant skipped 'one' 'un' 'absent'
expect 1 "left out: its steps are skipped here: absent" "$run" "$scratch/work" skipped
expect 0 "1 caught" "$run" "$scratch/work" adds
expect 2 "there is no mutant, and no file with mutants, nobody" "$run" "$scratch/work" nobody
expect 2 "usage" "$run" "$scratch/work" --seconds x
expect 1 "no time for" "$run" "$scratch/work" --seconds 0
printf 'nonsense\n' >>"$list"
expect 1 "is no part of a mutant: nonsense" "$run" "$scratch/work"
sed -i '$d' "$list"
mutant adds 'one' 'een' 'sum'
expect 1 "two mutants are named adds" "$run" "$scratch/work"

# Selected by changed files, if there is git.
if command -v git >/dev/null; then
    sed -i '/^mutant  adds$/,$d' "$list"
    mutant adds '3' '4' 'sum'
    mutant other 'one' 'een' 'first'
    sed -i '$!b' "$list"
    sed -i '/^mutant  other/,$s/code.txt/other.txt/' "$list"
    cp "$project/code.txt" "$project/other.txt"
    git init -q "$project" && git -C "$project" add -A &&
        git -C "$project" -c user.name=x -c user.email=x@localhost commit -qm x || fail "no repository"
    echo >>"$project/code.txt"
    expect 0 "1 caught, 0 survived" "$run" "$scratch/work" --changed HEAD
    said "adds "
    said_not "other "
fi

echo "$failed failed"
[ $failed = 0 ]
