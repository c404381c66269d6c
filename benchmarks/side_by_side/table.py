# SPDX-License-Identifier: MIT
"""The report of a run as text: a table of ratios, summaries, and what changed since an earlier run."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from .contest import OURS, POCL

Record = dict[str, Any]


def _size(n: int) -> str:
    for power, letter in ((20, "M"), (10, "K")):
        if n >= 1 << power:
            return f"{n / (1 << power):.4g} {letter}"
    return str(n)


def _time(seconds: float) -> str:
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} us"


def others(records: Iterable[Record]) -> list[str]:
    """The other contestants, in the order of their first appearance with PoCL in front."""
    names = dict.fromkeys(name for record in records for name in record["seconds"] if name != OURS)
    return sorted(names, key=lambda name: name != POCL)


def rows(records: list[Record]) -> list[list[str]]:
    """A line a record: the case, its size, our time, the others' times over ours, the share of the machine's limit."""
    names = others(records)
    lines = [["kernel", "size", OURS, *(f"{name} / ours" for name in names), "of the limit"]]
    for record in records:
        ours = record["seconds"][OURS]
        ratios = [f"{record['seconds'][name] / ours:.2f}" if name in record["seconds"] else "" for name in names]
        limit = f"{100 * record['limit']:.0f} % of {record['limited_by']}" if record["limit"] else ""
        lines.append([record["case"], f"{_size(record['size'])} {record['unit']}", _time(ours), *ratios, limit])
    return lines


def text(lines: list[list[str]]) -> str:
    """Columns side by side, words to the left and figures to the right."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]

    def cell(i: int, word: str) -> str:
        return word.ljust(widths[i]) if i in (0, len(widths) - 1) else word.rjust(widths[i])

    return "\n".join("  ".join(cell(i, word) for i, word in enumerate(line)).rstrip() for line in lines)


def geometric_mean(values: Iterable[float]) -> float:
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else float("nan")


def against_pocl(records: list[Record]) -> str:
    """How much faster than PoCL at the largest sizes: the mean, with barriers, the worst, and where it is slower."""
    largest: dict[str, Record] = {}
    for record in records:
        if POCL in record["seconds"]:
            largest[record["case"]] = record
    ratios = {case: record["seconds"][POCL] / record["seconds"][OURS] for case, record in largest.items()}
    if not ratios:
        return "PoCL: not installed"
    barriers = [ratios[case] for case, record in largest.items() if record["barriers"]]
    worst = min(ratios, key=lambda case: ratios[case])
    slower = [
        f"{record['case']} ({_size(record['size'])})"
        for record in records
        if POCL in record["seconds"] and record["seconds"][POCL] < record["seconds"][OURS]
    ]
    return (
        f"times as fast as PoCL, largest sizes: geometric mean {geometric_mean(ratios.values()):.2f}, "
        f"with barriers {geometric_mean(barriers):.2f}, least {ratios[worst]:.2f} ({worst}); "
        f"slower at: {', '.join(slower) or 'none'}"
    )


def compared(records: list[Record], earlier: list[Record]) -> str:
    """Our times against an earlier run's, both divided by PoCL's of their own run where it took part, largest change
    first."""
    before = {(record["case"], record["size"]): record["seconds"] for record in earlier}
    lines = []
    for record in records:
        then = before.get((record["case"], record["size"]))
        if then is None:
            continue
        now = record["seconds"]
        scale = then[POCL] / now[POCL] if POCL in then and POCL in now else 1.0
        lines.append((then[OURS] / (now[OURS] * scale), record))
    lines.sort(key=lambda line: abs(math.log(line[0])), reverse=True)
    table = [["kernel", "size", "times as fast as before"]]
    table += [[record["case"], f"{_size(record['size'])} {record['unit']}", f"{r:.2f}"] for r, record in lines]
    return text(table)
