#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run every kernel side by side with PoCL, NumPy, Numba, OpenCV and SciPy, and print a table of ratios.

    pip install -e .[bench]; apt install pocl-opencl-icd     # what is not there is left out
    python benchmarks/run.py [--only WORD] [--most N] [--seconds S] [--json FILE] [--baseline FILE] [--chart FILE]

A ratio is the other's time divided by ours: above 1 we are faster. Results are compared before anything is timed.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from side_by_side import chart, compiling, elementwise, groups, images, latency, native, table, targets
from side_by_side.contest import OURS, Case
from side_by_side.machines import Machines


def cases(word: str | None) -> list[Case]:
    every = [*elementwise.CASES, *images.CASES, *groups.CASES]
    return [case for case in every if word is None or word.lower() in case.name.lower()]


def measure(
    machines: Machines, chosen: list[Case], seconds: float, most: int, limits: dict[str, float]
) -> list[dict[str, Any]]:
    """A record for each case and each of its sizes up to ``most``."""
    records = []
    rates: dict[int, float] = {}
    for case in chosen:
        for size in (size for size in case.sizes if size <= most):
            contest = case.make(machines, size)
            contest.check()
            times = contest.time(seconds)
            limit, limited_by = 0.0, ""
            if contest.moved:
                # The rate of copying as many bytes as are moved here, since caches decide it.
                copied = 1 << max(12, (int(contest.moved) // 2).bit_length() - 1)
                if copied not in rates:
                    rates[copied] = native.copy_rate(copied)
                limit, limited_by = contest.moved / times[OURS] / rates[copied], "copying"
            if contest.operations:
                share = contest.operations / times[OURS] / limits["multiply_adds"]
                if share > limit:
                    limit, limited_by = share, "multiply-adds"
            records.append(
                {
                    "case": case.name,
                    "size": size,
                    "unit": case.unit,
                    "barriers": case.barriers,
                    "seconds": times,
                    "limit": limit,
                    "limited_by": limited_by,
                }
            )
            progress(f"{case.name} {size}")
    progress("")
    return records


def progress(words: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{words:60}\r", end="", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="WORD", help="kernels whose name has this word; no latencies")
    parser.add_argument("--most", type=int, default=1 << 40, metavar="N", help="sizes up to this one")
    parser.add_argument("--seconds", type=float, default=0.3, help="time for each contestant at each size")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything here")
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="compare with an earlier --json")
    parser.add_argument("--chart", type=Path, metavar="FILE", help="write an SVG of the ratios to PoCL")
    options = parser.parse_args()

    machines = Machines()
    limits = {"copying": native.copy_rate(1 << 28), "multiply_adds": native.multiply_add_rate()}
    report: dict[str, Any] = {
        "machine": {**machines.facts(), "threads": native.THREADS, "python": platform.python_version()},
        "limits": limits,
        "kernels": measure(machines, cases(options.only), options.seconds, options.most, limits),
    }
    if options.only is None:
        report["empty dispatch (us)"] = latency.empty_dispatches(machines.metal, machines.opencl)
        report["first dispatch (ms)"] = latency.first_dispatches()
        report["4K frames (of one thread's copying rate)"] = latency.transfers(machines.metal)
        report["scaling (times as fast)"] = latency.scaling()
        report["compiling (ms, and the others' time over ours)"] = compiling.figures()

    for name, value in report["machine"].items():
        print(f"{name}: {value}")
    print(
        f"limits: copying {limits['copying'] / 1e9:.1f} GB/s (read and written), "
        f"multiply-adds {limits['multiply_adds'] / 1e9:.0f} GFLOP/s\n"
    )
    records = report["kernels"]
    print(table.text(table.rows(records)))
    print("\n" + table.against_pocl(records))
    report["targets"] = targets.reached(report)
    print("\n" + targets.text(report["targets"]))
    for section, figures in report.items():
        if section in ("machine", "limits", "kernels", "targets"):
            continue
        print(f"\n{section}")
        for name, value in figures.items():
            print(f"  {name:44} {value:9.3g}")
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    if options.baseline:
        print("\n" + table.compared(records, json.loads(options.baseline.read_text())["kernels"]))
    if options.chart:
        options.chart.write_text(chart.svg(records))


if __name__ == "__main__":
    main()
