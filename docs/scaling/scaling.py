#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scaling.py RESULTS [TARGET [TRANSPORT]]

Prints strong and weak scaling, single operations, and a model's predictions for up to 16,384 ranks
from RESULTS, a table by gallery-ranks bench --results; later rows replace those of the same case,
size, ranks, target and transport. Draws strong-TARGET-TRANSPORT.svg, the speed-up, and
weak-TARGET-TRANSPORT.svg, the efficiency, beside RESULTS. docs/scaling.md has the model's formulas.
Its parameters are measured, assumed if they cannot be, or given in the environment:

  LATENCY      seconds of a short exchange
  BANDWIDTH    bytes per second of a rank's messages, sent and received at once
  SUM_LATENCY  seconds of one of the log2 P steps of an exact sum between hosts
"""
import csv
import math
import os
import signal
import sys
from itertools import groupby
from types import SimpleNamespace

# Each case's work in an iteration, and the power of n that it grows with.
WORK = {"jacobi": lambda n: n * n, "cg": lambda n: 5 * n * n - 4 * n, "nbody": lambda n: n * n,
        "scan": lambda n: n, "summa": lambda n: 2 * n ** 3}
POWER = {"jacobi": 2, "cg": 2, "nbody": 2, "scan": 1, "summa": 3}
TEXTS = "case scaling target transport device unit".split()
NUMBERS = ("n base_n ranks ranks_of_machine cores devices seconds_per_iteration rate "  # positive
           "communication_share messages bytes").split()  # or 0


def stop(sentence):
    print(sentence, file=sys.stderr)
    sys.exit(2)


def number(text, is_positive):
    value = float(text)
    if not 0 <= value < 1e30 or (is_positive and value == 0):
        raise ValueError(f"{text} is not {'above' if is_positive else 'at least'} 0 and below 1e30")
    return int(value) if value == int(value) else value


def result(fields):
    if None in fields or None in fields.values():
        raise ValueError("it has not one field for each column")
    row = SimpleNamespace(**{name: fields[name] for name in TEXTS})
    if row.scaling != "none" and not (row.scaling in ("strong", "weak") and row.case in WORK):
        raise ValueError(f"there is no case {row.case} with scaling {row.scaling}")
    if not (row.target + row.transport).isidentifier():  # they name plots
        raise ValueError(f"there is no target {row.target} with transport {row.transport}")
    for k, name in enumerate(NUMBERS):
        setattr(row, name, number(fields[name], k < 8))
    places = row.devices if row.target == "cuda" else row.cores
    row.at_once = min(row.ranks, row.ranks * places / row.ranks_of_machine)
    row.star = "*" if row.at_once < row.ranks else " "
    row.us = 1e6 * row.seconds_per_iteration
    return row


def read(path):
    rows, lines = {}, None
    try:
        with open(path, encoding="utf-8") as file:
            lines = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            for fields in lines:
                row = result(fields)
                rows[row.target, row.transport, row.scaling, row.case, row.base_n, row.ranks] = row
    except OSError:
        stop(f"{path}: cannot read")
    except KeyError as error:
        stop(f"{path}: not from gallery-ranks bench --results: it has no column {error}")
    except (ValueError, csv.Error) as error:
        stop(f"{path}:{lines.line_num}: not a row of gallery-ranks bench --results: {error}")
    return [rows[key] for key in sorted(rows)]


def print_scaling(scaling, rows, every):
    print(f"{rows[0].target} by {rows[0].transport}, {scaling} scaling:",
          "one problem" if scaling == "strong" else "work in proportion to the ranks")
    print("case              n  ranks   us/iteration         rate                  speed-up",
          "efficiency communication  messages        bytes")
    for row in rows:
        # Over one rank, by any transport, as it needs none; else over the fewest.
        base = min((r for r in every if (r.target, r.scaling, r.case, r.base_n) ==
                    (row.target, scaling, row.case, row.base_n)
                    and (r.ranks == 1 or r.transport == row.transport)),
                   key=lambda r: (r.ranks, r.transport != row.transport))
        row.gain = row.rate / base.rate * base.ranks
        print(f"{row.case:8} {row.n:10} {row.ranks:5}{row.star} {row.us:14.1f} {row.rate:12.4g}",
              f"{row.unit:16} {row.gain:8.2f} {100 * row.gain / row.ranks:9.0f}%",
              f"{100 * row.communication_share:12.1f}% {row.messages:9.4g} {row.bytes:12.10g}")
    if any(row.star == "*" for row in rows):
        print("* more ranks than cores or GPUs: they take turns, so these are not the times of so",
              "many")
    print()


def print_operations(rows):
    print(f"{rows[0].target} by {rows[0].transport}, single operations\n"
          "operation             n  ranks           us     10^6 n/s")
    for row in rows:
        print(f"{row.case:12} {row.n:10} {row.ranks:6} {row.us:12.2f} {1e-6 * row.rate:12.1f}")
    print()


class Model:
    """The time of an iteration as a sum of computation and messages, in microseconds."""

    def __init__(self, rows, every):
        first = rows[0]
        self.rows, self.overlap = rows, first.transport in ("nccl", "peer")
        print(f"{first.target} by {first.transport}, {first.device}")
        short, long, ranks = self.operation("exchange")
        self.latency = self.parameter("LATENCY", "latency of an exchange", "us", 1e6, ranks,
                                      short.us if ranks else 10)
        ranks *= ranks > 0 and long.us > short.us
        self.bandwidth = self.parameter("BANDWIDTH", "bandwidth of a rank", "GB/s", 1e-9, ranks,
                                        1e-3 * long.n / (long.us - short.us) if ranks else 25)
        short, _, ranks = self.operation("sum")
        self.step = self.parameter("SUM_LATENCY", "step of a sum", "us", 1e6, ranks * (ranks > 1),
                                   short.us / math.log2(ranks) if ranks > 1 else 2)
        short, _, ranks = self.operation("broadcast")
        self.collective = self.parameter("", "step of a broadcast", "us", 1e6, ranks, self.latency
                                         if not ranks else short.us / max(1, math.log2(ranks)))
        self.tiny, self.start, self.rate, self.left_out = {}, {}, {}, {}
        for name in dict.fromkeys(row.case for row in rows if row.scaling != "none"):
            alone = [row for row in every if (row.target, row.scaling, row.case, row.ranks)
                     == (first.target, "strong", name, 1)]
            self.measure(name, [r for r in alone if r.transport == first.transport] or alone)

    def operation(self, name):
        """The shortest and longest, of the fewest ranks, but of one only without others."""
        rows = [row for row in self.rows if row.case == name]
        ranks = min((row.ranks for row in rows), key=lambda p: (p == 1, p), default=0)
        rows = [row for row in rows if row.ranks == ranks]
        return (rows[0], rows[-1], ranks) if rows else (None, None, 0)

    @staticmethod
    def parameter(name, what, unit, scale, ranks, value):
        origin = f"measured, {ranks} ranks" if ranks > 1 else "measured, one rank to itself"
        origin = origin if ranks else "assumed"
        if os.environ.get(name):
            try:
                value, origin = scale * number(os.environ[name], True), "given"
            except ValueError:
                stop(f"{name}={os.environ[name]}: must be a positive number")
        print(f"  {what:22} {value:12.2f} {unit:5} {origin}")
        return value

    def measure(self, name, alone):
        """The time of a tiny problem, and the rate of the large one, on one rank."""
        if not alone:
            self.left_out[name] = "there is no strong scaling on one rank"
            return
        tiny, large = alone[0], alone[-1]
        self.tiny[name] = tiny.n if tiny is not large else 0
        self.start[name] = tiny.us if tiny is not large else 0
        rest = large.us - self.start[name]
        if name == "scan":  # Every rank scans the sums of all groups: 3.2 ns for each on an H200.
            self.sum = 3.2e-3 if large.target == "cuda" else large.us / large.n
            rest -= large.n / 65536 * self.sum
        if rest <= 0:
            self.left_out[name] = f"n = {tiny.n} takes as long as n = {large.n}"
            return
        self.rate[name] = WORK[name](large.n) / rest
        print(f"  {name:7} {self.start[name]:10.2f} us, and {1e6 * self.rate[name]:10.4g} of its",
              "work per second on one rank")

    def exact_sum(self, n, p, is_even):
        """An all-gather between hosts, and the tree of what came, `nodes` numbers from each rank:
        one where parts of a power of two begin at its multiples, else about 1.5 log2 of their
        length. A number is 4 bytes at 10 GB/s, and 16 ns for the tree."""
        if p == 1:
            return 0
        is_one = n <= p or is_even and n % p == 0 and (n // p) & (n // p - 1) == 0
        nodes = 1 if is_one else max(1, 1.5 * math.log2(n / p))
        return self.step * math.log2(p) + p * nodes * 16.4e-3

    def predict(self, name, n, p, at_once):
        """Of p ranks, of which so many compute at once."""
        start, compute = self.start[name], WORK[name](n) / (self.rate[name] * at_once)
        both = max if self.overlap else lambda a, b: a + b

        def message(size):
            return self.latency + 1e-3 * size / self.bandwidth if p > 1 else 0

        if name == "jacobi":
            return start + both(both(compute, message(8 * n)), self.exact_sum(n, p, True))
        if name == "cg":
            return start + compute + message(8 * n) + 2 * self.exact_sum(n * n, p, False)
        if name == "nbody":
            turn = both(compute / p, message(16 * n / p) * (p - 1) / p)
            return p * (start / 2 + turn) + start / 2
        if name == "scan":
            return start + compute + n / 65536 * self.sum + 2 * self.collective * math.log2(p)
        # summa: an owner sends its panel to each other rank of its row, and of its column.
        rows = next(r for r in range(math.isqrt(p), 0, -1) if p % r == 0)
        columns = p // rows
        steps = max(n / 48, columns)
        sent = 4 * n / steps * ((columns - 1) * n / rows + (rows - 1) * n / columns)
        return steps * (start / max(1, self.tiny[name] / 48) + both(compute / steps, message(sent)))

    def print(self):
        print("\ncase     scaling          n  ranks   predicted us    measured us    ratio ",
              "efficiency")
        rows = [row for row in self.rows if row.scaling != "none"]
        for (name, base, scaling), of in groupby(rows, lambda r: (r.case, r.base_n, r.scaling)):
            if name in self.left_out:
                print(f"{name:8} {scaling:7} left out: {self.left_out[name]}")
            elif base != self.tiny[name]:
                self.print_case(name, scaling, base, {row.ranks: row for row in of})
        print("* more ranks than cores or GPUs; the prediction lets as many compute at once as",
              "there are\nefficiency: predicted, each rank with a core or GPU of its own\n")

    def print_case(self, name, scaling, base, measured):
        def size(p):
            return int(base * p ** (1 / POWER[name]) + 0.5) if scaling == "weak" else base

        def efficiency(p):
            work = WORK[name](size(p)) / WORK[name](base)
            return self.predict(name, base, 1, 1) * work / (p * self.predict(name, size(p), p, p))

        for p in (1, 2, 4, 8, 16, 64, 1024, 16384):
            row = measured.get(p)
            us = self.predict(name, size(p), p, row.at_once if row else p)
            found = f"{row.us:14.1f} {row.us / us:8.2f}" if row else f"{'-':>14} {'-':>8}"
            print(f"{name:8} {scaling:7} {size(p):10} {p:5}{row.star if row else ' '} {us:14.1f}",
                  f"{found} {100 * efficiency(p):10.1f}%")
        end = next((2 ** k for k in range(1, 25) if efficiency(2 ** k) < 0.5), None)
        print(f"{name:8} {scaling:7} efficiency below 50%",
              f"from {end} ranks on" if end else f"nowhere up to {2 ** 24} ranks")


STYLE = """<style>.paper { color: #ffffff } .ink { color: #1c1f22 } .faint { color: #8a9096 }
.rule { color: #d9dde0 } .c0 { color: #b8500c } .c1 { color: #1b6ca8 } .c2 { color: #2a7f3f }
.c3 { color: #6f42a0 } text, rect, circle { fill: currentColor } .end { text-anchor: end }
.middle { text-anchor: middle } polyline { fill: none; stroke: currentColor }
@media (prefers-color-scheme: dark) { .paper { color: #14171a } .ink { color: #e8eaec }
.faint { color: #8f979e } .rule { color: #3a4046 } .c0 { color: #f5a15b } .c1 { color: #6cb4ee }
.c2 { color: #6fce86 } .c3 { color: #c3a0f0 } }</style>
<rect width="600" height="440" class="paper"/>"""


def draw(path, scaling, rows):
    """Curves against the ranks, with names at their ends; the title is what they show."""
    curves = [list(of) for _, of in groupby(rows, lambda row: (row.case, row.base_n))]
    curves = [curve for curve in curves if len(curve) > 1]
    if not curves:
        return []
    is_strong, most = scaling == "strong", max(curve[-1].ranks for curve in curves)
    for row in rows:
        row.value = row.gain if is_strong else 100 * row.gain / row.ranks
    values = [row.value for curve in curves for row in curve]
    low = min([0.9] + [v / 1.1 for v in values]) if is_strong else 0
    high = max([1.2 * most if is_strong else 108] + [1.05 * v for v in values])

    def x(ranks):
        return 78 + 342 * math.log(ranks / 0.95) / math.log(1.03 * most / 0.95)

    def y(v):
        return 374 - 326 * (math.log(v / low) / math.log(high / low) if is_strong else v / high)

    def text(at_x, at_y, words, style="ink middle", more=""):
        return f'<text x="{at_x:.1f}" y="{at_y:.1f}" class="{style}"{more}>{words}</text>'

    def line(points, style, more=""):
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        return f'<polyline points="{points}" class="{style}"{more}/>'

    ends = sorted(curve[-1].value for curve in curves if curve[-1].ranks == most)
    form = "{:.1f}" if is_strong else "{:.0f}%"
    ends = " to ".join(dict.fromkeys(form.format(v) for v in (ends[0], ends[-1])))
    finding = f"are {ends} times as fast as one" if is_strong else f"at {ends} efficiency"
    powers = [2 ** k for k in range(-10, 25)]
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 440" font-size="15" '
             'font-family="Helvetica, Arial, sans-serif">',
             f"<title>{os.path.basename(path)[:-4]}</title>", STYLE, text(249, 428, "ranks"),
             text(249, 24, f"{rows[0].target} by {rows[0].transport}: {most} ranks {finding}"),
             text(0, 0, "speed-up" if is_strong else "efficiency, %",
                  more=' transform="translate(32 211) rotate(-90)"')]
    for p in (p for p in powers if 1 <= p <= most):
        parts += [line([(x(p), 374), (x(p), 48)], "rule"), text(x(p), 396, p)]
    for v in (v for v in (powers if is_strong else range(0, 1000, 20)) if low <= v <= high):
        parts += [line([(78, y(v)), (420, y(v))], "rule"), text(70, y(v) + 5, f"{v:g}", "ink end")]
    parts += [line([(78, 48), (78, 374), (420, 374)], "faint"),
              line([(x(p), y(p if is_strong else 100)) for p in (1, most)], "faint",
                   ' stroke-dasharray="3 4"')]
    last = 0  # names that would overlap move down
    for k, curve in sorted(enumerate(curves), key=lambda pair: -pair[1][-1].value):
        style, end = f"c{k % 4}", curve[-1]
        points = [(x(row.ranks), y(row.value)) for row in curve]
        parts += [line(points, style, ' stroke-width="2"')]
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" class="{style}"/>' for a, b in points]
        last = max(y(end.value), last + 20)
        parts += [text(x(end.ranks) + 13, last + 5, f"{end.case}, n = {end.base_n}", style,
                       ' font-size="13"')]
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(parts + ["</svg>", ""]))
    except OSError:
        stop(f"{path}: cannot write")
    return [path]


def main(path, target="", transport=""):
    every, plots = read(path), []
    chosen = [r for r in every if target in ("", r.target) and transport in ("", r.transport)]
    if not chosen:
        stop(" ".join([path, "has no results", "of " + target if target else "",
                       "by " + transport if transport else ""]).rstrip())
    for _, of in groupby(chosen, lambda row: (row.target, row.transport)):
        rows = list(of)
        for scaling, part in groupby(rows, lambda row: row.scaling):
            part = list(part)
            if scaling == "none":
                print_operations(part)
            else:
                print_scaling(scaling, part, every)
                name = f"{scaling}-{part[0].target}-{part[0].transport}.svg"
                plots += draw(os.path.join(os.path.dirname(path), name), scaling, part)
        Model(rows, every).print()
    print("plots:", ", ".join(plots) or "none, as a curve needs two numbers of ranks")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        stop("usage: scaling.py RESULTS [TARGET [TRANSPORT]]")
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as in: scaling.py RESULTS | head
    main(*sys.argv[1:])
