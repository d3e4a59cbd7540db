#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# self.sh CC: run.sh fails with a sentence for each mistake that is planted here in cases.
set -u

planted=$(mktemp -d) || exit 1
trap 'rm -rf "$planted"' EXIT
trap 'exit 1' HUP INT TERM
families=0

# plant SENTENCE LINES...: a family, and what run.sh must say of it
plant() {
    families=$((families + 1))
    echo "$1" >>"$planted/sentences"
    shift
    printf '%s\n' '#ifdef CORRECTED' '#define N 1' '#else' '#define N -1' '#endif' \
        "$@" >"$planted/$families.c"
}

plant 'FAIL message: does not say: no such message' '// case: good' '// expect: negative' \
    'char a[N];' '// case: message' '// expect: no such message' 'char b[N];'
plant 'FAIL silent: gives no error' '// case: neighbour' '// expect: negative' 'char a[N];' \
    '// case: silent' '// expect: negative' 'int b;'
plant 'FAIL many: gives 2 errors, not 1' '// case: many' '// expect: negative' '// errors: 1' \
    'char a[N];' 'char b[N];'
plant "FAIL $planted/4.c: does not compile cleanly with -DCORRECTED" '// case: warns' \
    '// expect: negative' 'char a[N];' 'int f(int unused) { return 0; }'
plant "FAIL $planted/5.c: an error in no case" 'char a[N];' '// case: x' '// expect: negative' \
    'char b[N];' '// case: y' '// expect: negative' 'char c[N];'
plant 'FAIL nothing: has no .// expect: MESSAGE' '// case: nothing' 'char a[N];'
plant 'FAIL own: has no .// flags: FLAGS' '// case: with' '// expect: x' '// flags: -DX' \
    '// case: own' '// expect: x'
plant "FAIL $planted/8.c: line 6: .// expct:. means nothing here" '// expct: x' '// case: z' \
    '// expect: x'
plant "FAIL $planted/9.c: has no .// case: NAME" 'int a;'
plant "FAIL $planted/10.c: line 9: .//case: lost. means nothing here" '// case: found' \
    '// expect: negative' 'char a[N];' '//case: lost' '// expect: no such message' 'char b[N];'
plant 'FAIL a case is there twice: good' '// case: good' '// expect: negative' 'char a[N];'

missed=0
if said=$(tests/compile_fail/run.sh --cases "$planted" "$1"); then
    echo "the mistakes pass"
    missed=1
fi
while read -r sentence; do
    printf '%s\n' "$said" | grep -q "^$sentence" && continue
    echo "run.sh does not say: $sentence"
    missed=$((missed + 1))
done <"$planted/sentences"
if [ $missed = 0 ]; then
    echo "$families mistakes in cases are noticed"
else
    printf '%s\n' "$said"
fi
[ $missed = 0 ]
