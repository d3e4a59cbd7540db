#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# costs.sh FILE
# Writes the CPU seconds of each step of `make check` to tests/costs, and to the table in
# docs/CONTRIBUTING.md, with one row for steps of one kind. FILE is build/check/costs after a run of
# all steps.
set -eu

page=docs/CONTRIBUTING.md
{
    echo '# SPDX-License-Identifier: BSD-3-Clause'
    LC_ALL=C sort "$1"
} >tests/costs
awk '
    !/^#/ {
        kind = $1
        sub(/-.*/, "", kind)
        if (!(kind in count))
            order[++kinds] = kind
        count[kind]++
        name[kind] = $1
        sum[kind] += $2
        if ($2 > most[kind])
            most[kind] = $2
        all += $2
    }
    END {
        for (i = 1; i <= kinds; i++)
            for (j = i + 1; j <= kinds; j++)
                if (sum[order[j]] > sum[order[i]]) {
                    t = order[i]; order[i] = order[j]; order[j] = t
                }
        print "| step | steps | CPU seconds | longest |"
        print "|---|---|---|---|"
        for (i = 1; i <= kinds; i++) {
            k = order[i]
            printf "| `%s` | %d | %.1f | %.1f |\n", count[k] > 1 ? k "-%" : name[k], count[k], sum[k], most[k]
        }
        printf "| all | %d | %.0f | |\n", NR - 1, all
    }' tests/costs >tests/costs.tmp
awk '
    /^\| step \| steps \|/ { while ((getline row < "tests/costs.tmp") > 0) print row; inside = 1; found = 1; next }
    inside && /^\|/ { next }
    { inside = 0; print }
    END { exit !found }' $page >$page.tmp && mv $page.tmp $page
rm -f tests/costs.tmp
