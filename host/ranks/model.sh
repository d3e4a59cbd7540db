#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# model.sh RESULTS [TARGET [TRANSPORT]]
# The time of an iteration of each case as a sum of computation and messages, from the results of
# make bench-ranks: beside the measured ones, and for 64, 1,024 and 16,384 ranks. docs/scaling.md
# has the formulas. Parameters are measured unless they are given here, and assumed if they cannot
# be:
#
#   LATENCY         seconds of a short exchange
#   BANDWIDTH       bytes per second of a rank's messages, sent and received at once
#   SUM_LATENCY     seconds of one of the log2 P steps of an exact sum between hosts
#   BLOCK_SUM       seconds of a sum of scan's last level, which every rank scans for all groups
#   OVERLAP=0, 1    whether messages move while kernels run; 1 for nccl and peer
set -eu

. "$(dirname "$0")/fields.sh"
[ $# -ge 1 ] || { echo "usage: model.sh RESULTS [TARGET [TRANSPORT]]" >&2; exit 2; }
results=$1
[ -r "$results" ] || { echo "$results: cannot read" >&2; exit 2; }
for parameter in LATENCY BANDWIDTH SUM_LATENCY BLOCK_SUM OVERLAP; do
    value=$(eval "echo \"\${$parameter:-0}\"")
    echo "$value" | grep -Eqx '([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?' ||
        { echo "$parameter=$value: must be a number" >&2; exit 2; }
done
awk -v results="$results" -v target="${2:-}" -v transport="${3:-}" -v latency="${LATENCY:-0}" -v bandwidth="${BANDWIDTH:-0}" \
    -v step="${SUM_LATENCY:-0}" -v block_sum="${BLOCK_SUM:-0}" -v overlap="${OVERLAP:-}" "$fields"'
function max(a, b) { return a > b ? a : b }
function rounded(x) { x += 0.5; return x - x % 1 }
function log2(x) { return x > 1 ? log(x) / log(2) : 0 }

# The grid of portable_partition_grid.
function grid_rows(p,   r) { for (r = int(sqrt(p)); p % r; r--); return r }

function work(name, n) {
    return name == "cg" ? 5 * n * n - 4 * n : name == "scan" ? n : name == "summa" ? 2 * n * n * n : n * n
}
function power(name) { return name == "scan" ? 1 : name == "summa" ? 3 : 2 }

# An exact sum of n elements: an all-gather between hosts, and the tree of what came, `nodes`
# numbers from each rank: one where parts of a power of two begin at its multiples, else about 1.5
# log2 of their length.
function exact_sum(n, p, is_even,   nodes) {
    if (p == 1)
        return 0
    nodes = is_even && n % p == 0 && log2(n / p) % 1 == 0 ? 1 : max(1, 1.5 * log2(n / p))
    return step * log2(p) + p * nodes * (4 / host_bandwidth + tree)
}
function message(bytes) { return latency + bytes / bandwidth }
# Computation and a message, one after the other or at once.
function both(a, b) { return overlap ? max(a, b) : a + b }

# Of one iteration; `cores` of p ranks compute at once.
function predict(name, n, p, cores,   compute, least, rows, columns, steps, sent) {
    least = start[name]
    compute = work(name, n) / (rate[name] * (p < cores ? p : cores))
    if (name == "jacobi")
        return least + both(both(compute, p > 1 ? message(2 * 4 * n) : 0), exact_sum(n, p, 1))
    if (name == "cg")
        return least + compute + (p > 1 ? message(2 * 4 * n) : 0) + 2 * exact_sum(n * n, p, 0)
    if (name == "nbody")
        return p * (least / 2 + both(compute / p, p > 1 ? message(16 * n / p) * (p - 1) / p : 0)) + least / 2
    if (name == "scan")
        return least + compute + n / 65536 * block_sum + (p > 1 ? 2 * collective * log2(p) : 0)
    # summa: an owner sends its panel to each other rank of its row, and of its column.
    rows = grid_rows(p)
    columns = p / rows
    steps = max(n / 48, columns)
    sent = 4 * n / steps * ((columns - 1) * n / rows + (rows - 1) * n / columns)
    return steps * (least / small_steps + both(compute / steps, p > 1 ? message(sent) : 0))
}

is_result() {
    if (target == "") target = text("target")
    if (text("target") != target) next
    if (transport == "") transport = text("transport")
    name = text("case"); p = number("ranks"); n = number("n"); seconds = number("seconds_per_iteration")
    if (text("transport") != transport) {
        # One rank needs no transport, so the results of another one will do.
        if (text("scaling") == "strong" && p == 1) other[name, n] = seconds
        next
    }
    shared = p > (target == "cuda" ? number("devices") : number("cores"))
    device = text("device")
    places = target == "cuda" ? number("devices") : number("cores")
    if (text("scaling") == "none") {
        # Of the fewest ranks, but one only where there is nothing else.
        if (!(name in of_ranks) || (of_ranks[name] == 1 && p > 1) || (p > 1 && p < of_ranks[name])) {
            of_ranks[name] = p
            delete least_n[name]; delete most_n[name]
        }
        if (p != of_ranks[name]) next
        if (!(name in least_n) || n < least_n[name]) { least_n[name] = n; short[name] = seconds }
        if (!(name in most_n) || n > most_n[name]) { most_n[name] = n; long_[name] = seconds }
        next
    }
    if (text("scaling") == "strong" && p == 1) {
        own[name] = 1
        if (!(name in small) || n < small[name]) { small[name] = n; at_small[name] = seconds }
        if (!(name in large) || n > large[name]) { large[name] = n; at_large[name] = seconds }
    }
    key = name FS text("scaling") FS number("base_n")
    if (!(key in known)) { known[key] = 1; keys[++count] = key }
    measured[key, p] = seconds
    is_shared[key, p] = shared
}
function origin(given, name) {
    return given ? "given" : !(name in of_ranks) ? "assumed" : of_ranks[name] == 1 ? "measured, one rank to itself" : \
        "measured, " of_ranks[name] " ranks"
}
END {
    if (!count) { print results " has no results" (target == "" ? "" : " of " target) (transport == "" ? "" : " by " transport) >"/dev/stderr"; exit 1 }
    for (key in other) {
        split(key, part, SUBSEP)
        name = part[1]; n = part[2] + 0
        if (name in own) continue
        if (!(name in small) || n < small[name]) { small[name] = n; at_small[name] = other[key] }
        if (!(name in large) || n > large[name]) { large[name] = n; at_large[name] = other[key] }
    }
    for (name in large) cases++
    if (!cases) { print results " has no strong scaling on one rank, which the model starts from" >"/dev/stderr"; exit 1 }
    host_bandwidth = 1e10
    tree = 16e-9
    if (overlap == "") overlap = transport == "nccl" || transport == "peer"
    from_latency = origin(latency, "exchange"); from_bandwidth = origin(bandwidth, "exchange")
    if (!latency) latency = "exchange" in short ? short["exchange"] : 1e-5
    if (!bandwidth) bandwidth = "exchange" in long_ ? most_n["exchange"] / (long_["exchange"] - short["exchange"]) : 2.5e10
    from_step = step ? "given" : ("sum" in of_ranks) && of_ranks["sum"] > 1 && short["sum"] > 0 ? origin(0, "sum") : "assumed"
    if (!step) step = from_step == "assumed" ? 2e-6 : short["sum"] / max(1, log2(of_ranks["sum"]))
    from_collective = ("broadcast" in of_ranks) ? origin(0, "broadcast") : "assumed"
    collective = "broadcast" in short ? short["broadcast"] / max(1, log2(of_ranks["broadcast"])) : latency
    printf "%s by %s, %s\n", target, transport, device
    printf "  latency of an exchange %12.2f us    %s\n", 1e6 * latency, from_latency
    printf "  bandwidth of a rank    %12.2f GB/s  %s\n", 1e-9 * bandwidth, from_bandwidth
    printf "  step of a sum          %12.2f us    %s\n", 1e6 * step, from_step
    printf "  step of a broadcast    %12.2f us    %s\n", 1e6 * collective, from_collective
    for (name in large) {
        start[name] = small[name] < large[name] ? at_small[name] : 0
        # On an H200 a block of 256 threads scans a sum in 3.2 ns.
        if (!block_sum && name == "scan") block_sum = target == "cuda" ? 3.2e-9 : at_large[name] / large[name]
        at_large[name] -= start[name] + (name == "scan" ? large[name] / 65536 * block_sum : 0)
        rate[name] = work(name, large[name]) / at_large[name]
        if (name == "summa") small_steps = max(1, small[name] / 48)
        printf "  %-7s %10.2f us, and %10.4g of its work per second on one rank\n", name, 1e6 * start[name], rate[name]
    }
    list = "1 2 4 8 16 64 1024 16384"
    total = split(list, numbers, " ")
    printf "\n%-8s %-7s %10s %6s %14s %14s %8s %11s\n", "case", "scaling", "n", "ranks", "predicted us", "measured us", "ratio", "efficiency"
    for (k = 1; k <= count; k++) {
        split(keys[k], part, FS)
        name = part[1]; base = part[3]
        if (!(name in large)) {
            printf "%-8s %-7s left out: there is no strong scaling on one rank\n", name, part[2]
            continue
        }
        if (base == small[name] && small[name] < large[name]) continue
        for (i = 1; i <= total; i++) {
            p = numbers[i]
            n = part[2] == "weak" ? rounded(base * p ^ (1 / power(name))) : base
            alone = predict(name, base, 1, 1)
            seconds = predict(name, n, p, (keys[k], p) in is_shared && is_shared[keys[k], p] ? places : p)
            ideal = predict(name, n, p, p)
            printf "%-8s %-7s %10.0f %5d%s %14.1f", name, part[2], n, p, is_shared[keys[k], p] ? "*" : " ", 1e6 * seconds
            if ((keys[k], p) in measured) printf " %14.1f %8.2f", 1e6 * measured[keys[k], p], measured[keys[k], p] / seconds
            else printf " %14s %8s", "-", "-"
            printf " %10.1f%%\n", 100 * alone * (work(name, n) / work(name, base)) / (p * ideal)
        }
        for (p = 2; p <= 2 ^ 24; p *= 2) {
            n = part[2] == "weak" ? rounded(base * p ^ (1 / power(name))) : base
            if (alone * (work(name, n) / work(name, base)) / (p * predict(name, n, p, p)) < 0.5) break
        }
        printf "%-8s %-7s efficiency below 50%% %s\n", name, part[2], p <= 2 ^ 24 ? "from " p " ranks on" : "nowhere up to " 2 ^ 24 " ranks"
    }
    print "* more ranks than cores or GPUs; the prediction lets as many compute at once as there are"
    print "efficiency: predicted, each rank with a core or GPU of its own"
}' "$results"
