#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# speed.sh DIRECTORY
# Draws docs/figures/speed.svg from the results of make bench in DIRECTORY/cuda.tsv and
# serial.tsv: the speed of a kernel on the GPU and on one core of a CPU, by that of the plain loop
# on this core. On the CPU it is the median of the ratios. Sizes differ between machines, so the
# GPU's speed is the declared bytes or operations per second, over those of the plain loop in its
# shortest run. Run it in the root of the repository.
set -eu

directory=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
awk -v rows="$scratch/rows" -v limits="$scratch/limits" -f host/bench/results.awk \
    "$directory/cuda.tsv" "$directory/serial.tsv"
fact() {
    sed -n "s/^# $2: //p" "$directory/$1.tsv"
}

# 480 units across, which is readable on a telephone. Bars begin at the plain loop; axis is
# logarithmic.
awk -v gpu="$(fact cuda device | sed 's/NVIDIA //')" -v cpu="$(fact serial CPU)" '
    FNR == NR { title[$1] = substr($0, length($1) + 2); order[++count] = $1; next }
    !($2 in title) || $3 < most[$1, $2] { next }
    {
        most[$1, $2] = $3
        work = 10 * $4 >= $5 ? $4 : $5
        speed[$1, $2] = work / $6
        if ($12 > 0) { plain[$2] = work / $12; ratio[$2] = $11 }
    }
    function x_of(times) { return left + (log(times) - log(0.5)) / (log(5e5) - log(0.5)) * (468 - left) }
    function figure(times,   digits) {
        if (times < 10) return sprintf("%.1f", times)
        digits = 10 ^ (int(log(times) / log(10) + 1e-9) - 1)
        times = int(times / digits + 0.5) * digits
        return times < 1000 ? times : sprintf("%d,%03d", times / 1000, times % 1000)
    }
    function put(x, y, class, text) { body = body sprintf("<text x=\"%.0f\" y=\"%.0f\" class=\"%s\">%s</text>\n", x, y, class, text) }
    function bar(y, class, times, name,   from, to) {
        from = x_of(1); to = x_of(times)
        if (to < from) { from = to; to = x_of(1) }
        body = body sprintf("<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"13\" class=\"%s\"/>\n", from, y, to - from, class)
        put(to + 6, y + 11, class, figure(times) (name == "" ? "" : " times: " name))
    }
    END {
        left = 12
        y = 84
        for (k = 1; k <= count; k++) {
            name = order[k]
            if (!(name in plain) || !(("cuda", name) in speed)) { print "speed.sh: no results of " name >"/dev/stderr"; exit 1 }
            on_gpu = speed["cuda", name] / plain[name]; on_cpu = 1 / ratio[name]
            if (k == 1 || on_gpu < least) least = on_gpu
            if (k == 1 || on_gpu > greatest) greatest = on_gpu
            put(x_of(1) + 6, y, "", title[name])
            bar(y + 6, "cpu", on_cpu, k == 1 ? "the kernel on one core" : "")
            bar(y + 21, "gpu", on_gpu, k == 1 ? "the kernel on an " gpu : "")
            y += 56
        }
        bottom = y - 14
        height = bottom + 56
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 480 %d\" width=\"600\" height=\"%d\" role=\"img\">\n", height, height * 1.25
        print "<!-- SPDX-License-Identifier: BSD-3-Clause; drawn by docs/figures/speed.sh -->"
        printf "<title>One source on the GPU and on a CPU, against the plain C loop on one core</title>\n"
        print "<style>"
        print "text { font: 14px Helvetica, Arial, sans-serif; fill: #1c1f22 } .title { font-weight: 600; font-size: 16px }"
        print ".mute { fill: #5a6370; font-size: 13px } .page { fill: #fff } .rule { stroke: #8a9096; stroke-width: 1.5 } .grid { stroke: #d9dde0 }"
        print "rect.gpu { fill: #d9752b } rect.cpu { fill: #3f9a55 } text.gpu { fill: #a3460a } text.cpu { fill: #22692f }"
        print "@media (prefers-color-scheme: dark) {"
        print "text { fill: #e8eaec } .mute { fill: #a2abb6 } .page { fill: #14171a } .rule { stroke: #8f979e } .grid { stroke: #3a4046 }"
        print "rect.gpu { fill: #f5a15b } rect.cpu { fill: #6fce86 } text.gpu { fill: #f5a15b } text.cpu { fill: #6fce86 }"
        print "}"
        print "</style>"
        printf "<rect class=\"page\" width=\"480\" height=\"%d\"/>\n", height
        printf "<text x=\"12\" y=\"24\" class=\"title\">One source: an %s is %s to %s times as fast</text>\n", gpu, figure(least), figure(greatest)
        print "<text x=\"12\" y=\"44\" class=\"title\">as a plain C loop on one core</text>"
        for (times = 10; times <= 1e5; times *= 10)
            printf "<path d=\"M%.1f 62V%d\" class=\"grid\"/><text x=\"%.1f\" y=\"%d\" class=\"mute\" text-anchor=\"middle\">%s</text>\n", x_of(times), bottom, x_of(times), bottom + 17, figure(times)
        printf "%s<path d=\"M%.1f 62V%d\" class=\"rule\"/>\n", body, x_of(1), bottom
        printf "<text x=\"%.1f\" y=\"%d\" class=\"mute\" text-anchor=\"middle\">1</text>\n", x_of(1), bottom + 17
        printf "<text x=\"12\" y=\"%d\" class=\"mute\">1 is the plain C loop, on one core of an %s</text>\n</svg>\n", bottom + 40, cpu
    }' - "$scratch/rows" >"$scratch/svg" <<END
saxpy y = a x + y: saxpy
sum_collective sum of an array: sum_collective
histogram_lanes histogram of bytes: histogram_lanes
csr_spmv_staged sparse matrix times vector: csr_spmv_staged
jacobi_tiled 20 sweeps of a stencil: jacobi_tiled
matmul_async matrix product: matmul_async
blur_words blur of an image: blur_words
END
mv "$scratch/svg" docs/figures/speed.svg
