# SPDX-License-Identifier: BSD-3-Clause
# The cases of a family; run.sh explains its lines.
#
#     awk -v compiler=gcc -f cases.awk FAMILY                      CASE|FLAGS|CORRECTED of each run
#     awk -v compiler=gcc -v only=CASE -f cases.awk FAMILY SAID    judges what the compiler said
#
# CASE and only are empty if one run compiles every case. Prints PASS and FAIL lines; the errors of
# a case are those on its lines of FAMILY.

function fail(name, why) {
    print "FAIL " name ": " why
    broken = 1
}

function read_key(key, value) {
    if (key == "case") {
        name[++count] = value
        number[value] = count
        first[count] = FNR
    } else if (key == "flags") {
        flags[count + 0] = value
        own += count > 0
    } else if (!count && key == "again") {
        again = value
    } else if (count && key == "corrected") {
        corrected[count] = value
    } else if (count && key == "errors") {
        errors[count] = value
    } else if (count && (key == "expect" || key == "expect-gcc" || key == "expect-clang")) {
        if (key == "expect" || key == "expect-" compiler)
            expected[count] = value
    } else {
        fail(family, "line " FNR ": '// " key ":' means nothing here")
    }
}

# The case of an error, 0 if it is in none.
function case_of(text, line, i) {
    if (only != "")
        return number[only]
    if (count == 1)
        return 1
    if (index(text, family ":") != 1)
        return 0
    line = substr(text, length(family) + 2) + 0
    for (i = count; i > 0 && first[i] > line; i--)
        ;
    return i
}

function judge(i) {
    if (!said[i])
        fail(name[i], "gives no error")
    else if (!found[i])
        fail(name[i], "does not say: " expected[i] text[i])
    else if (i in errors && said[i] != errors[i])
        fail(name[i], "gives " said[i] " errors, not " errors[i] text[i])
    else
        print "PASS " name[i]
}

NR == 1 {
    family = FILENAME
}

FILENAME == family && /^ *\/\// {
    if (match($0, /^\/\/ [a-z-]+: ./))
        read_key(substr($2, 1, length($2) - 1), substr($0, RLENGTH))
    else
        fail(family, "line " FNR ": '" $0 "' means nothing here")
}

FILENAME != family && /: (fatal )?error: / {
    i = case_of($0)
    if (!i)
        fail(family, "an error in no case: " $0)
    said[i]++
    text[i] = text[i] "\n    " $0
    if (index($0, expected[i]))
        found[i] = 1
}

END {
    if (ARGC > 2) {
        for (i = 1; i <= count; i++)
            if (only == "" || only == name[i])
                judge(i)
        exit
    }
    if (!count)
        fail(family, "has no '// case: NAME'")
    for (i = 1; i <= count; i++)
        if (expected[i] == "")
            fail(name[i], "has no '// expect: MESSAGE' for " compiler)
        else if (own && !(i in flags))
            fail(name[i], "has no '// flags: FLAGS', as other cases of " family " have")
    if (broken)
        exit
    if (!own)
        print "|" flags[0] "|" flags[0]
    if (again != "")
        print "|" again "|" again
    for (i = 1; own && i <= count; i++)
        print name[i] "|" flags[i] "|" corrected[i]
}
