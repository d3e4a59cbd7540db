#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# math.sh NVCC SCRATCH COMPILER...
#
# Compares the program math/stores.cu with its exact build, by host/make/compare_math.sh, for the
# options and the macros in the comments at its end, and what is printed with those comments:
#
#     // -fmad=true FIXED=0
#     //     fpcheck: other values in kernel determinants: ...
#     //     exits with 1
#
# And a record that is cut off, or none at all, is refused. Exit status: 0 if all is as expected; 1 if
# not; 2 for wrong usage; 77 if no compiler can be used.
set -u
LC_ALL=C
export LC_ALL

[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) || exit 2
compare=$here/../../host/make/compare_math.sh
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2" && cd "$2" || exit 2
shift 2
if [ "$(uname -m)" != x86_64 ] || ! grep -qw fma /proc/cpuinfo; then
    echo "skipped: it needs an x86-64 processor with FMA"
    exit 77
fi
cp "$here/math/stores.cu" . || exit 2
failed=0 tried=0
# compare_math.sh calls --check=fpcheck --stores -o OUTPUT WORD... for the exact build, which is the
# same for each option: it is built once.
cat >once <<END
#!/bin/sh
[ "\$3" = -o ] || exec "$nvcc" "\$@"
output=\$4
shift 4
[ -e "exact \$*" ] || "$nvcc" --check=fpcheck --stores "\$@" -o "exact \$*" || exit
cp "exact \$*" "\$output"
END
chmod +x once
rm -f "exact "*
for compiler; do
    command -v "$compiler" >/dev/null || { echo "# LEFT OUT $compiler: it is not here"; continue; }
    sed -n 's,^// \(-[^ ]*\) \(FIXED=[01]\)$,\1 \2,p' stores.cu >wanted
    while read -r option macro; do
        awk -v head="// $option $macro" '
            $0 == head { on = 1; next }
            on && /^\/\/     / { print substr($0, 8); next }
            { on = 0 }' stores.cu >expected
        "$compare" ./once "$option" -ccbin "$compiler" "-D$macro" -w stores.cu >said 2>&1 </dev/null
        echo "exits with $?" >>said
        cmp -s expected said || {
            echo "$compiler $option $macro:"
            diff -u expected said
            failed=1
        }
        tried=$((tried + 1))
    done <wanted
done
[ $tried -gt 0 ] || { echo "skipped: there is none of $*"; exit 77; }
[ $((tried % 10)) = 0 ] || { echo "stores.cu expects something for $tried builds"; failed=1; }

# expects STATUS TEXT: what the program says
expects() {
    status=0
    PORTABLE_FP_COMPARE=stores ./exact >said 2>&1 || status=$?
    [ $status = "$1" ] || echo "exit status $status" >>said
    if [ $status != "$1" ] || ! grep -q "$2" said; then
        echo "without \"$2\":"
        cat said
        failed=1
    fi
}
"$nvcc" --check=fpcheck --stores -w stores.cu -o exact && PORTABLE_FP_RECORD=stores ./exact 2>said || failed=1
grep -qx 'fpcheck: [0-9]* stores are recorded in stores' said || failed=1
cp stores whole
expects 0 '^fpcheck: no differences in 9 kernels$'
head -c 8000 whole >stores
expects 0 '^fpcheck: [0-9]* stores were compared, and [0-9]* were not$'
head -c 10 whole >stores
expects 2 '^fpcheck: stores: is no record of stores$'
rm stores
expects 2 '^fpcheck: stores: No such file'
exit $failed
