# SPDX-License-Identifier: MIT
"""What a run should show, and whether it does."""

from __future__ import annotations

from typing import Any

from . import table
from .contest import NUMPY, OURS, POCL

_MEMORY_BOUND = ("copy", "saxpy", "saxpy4")
_FIRST_OUTSIDE_OF_CACHES = 1 << 24


def _ratio(record: table.Record, other: str) -> float:
    return float(record["seconds"][other] / record["seconds"][OURS])


def _largest(records: list[table.Record], other: str) -> dict[str, table.Record]:
    return {record["case"]: record for record in records if other in record["seconds"]}


def reached(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Each target that the run says something about: what, the figure, what it should be at least or at most."""
    records: list[table.Record] = report["kernels"]
    found: list[dict[str, Any]] = []

    def add(what: str, value: float, *, least: float | None = None, most: float | None = None) -> None:
        is_met = (least is None or value >= least) and (most is None or value <= most)
        found.append({"target": what, "value": value, "least": least, "most": most, "met": is_met})

    beside_pocl = [record for record in records if POCL in record["seconds"]]
    largest = _largest(records, POCL)
    if beside_pocl:
        least = min(beside_pocl, key=lambda record: _ratio(record, POCL))
        where = f"{least['case']}, {least['size']} {least['unit']}"
        add(f"times as fast as PoCL, least of all kernels and sizes ({where})", _ratio(least, POCL), least=1)
        mean = table.geometric_mean(_ratio(record, POCL) for record in largest.values())
        add("times as fast as PoCL, geometric mean at the largest sizes", mean, least=4)
    with_barriers = [record for record in largest.values() if record["barriers"]]
    if with_barriers:
        mean = table.geometric_mean(_ratio(record, POCL) for record in with_barriers)
        add("the same of kernels with barriers", mean, least=10)
    for record in records:
        if record["case"] in _MEMORY_BOUND and record["size"] >= _FIRST_OUTSIDE_OF_CACHES:
            add(f"{record['case']}, {record['size']} elements, of the copying rate", record["limit"], least=0.85)
    beside_numpy = _largest(records, NUMPY)
    for case, share in (("matrix product, tiled", 0.25), ("matrix product, simdgroup_matrix", 0.5)):
        if case in beside_numpy:
            add(f"{case}, of NumPy's rate", _ratio(beside_numpy[case], NUMPY), least=share)
    by_hand = _largest(records, "C++ by hand")
    if "Mandelbrot" in by_hand:
        add("Mandelbrot, times as long as C++ by hand", 1 / _ratio(by_hand["Mandelbrot"], "C++ by hand"), most=1.2)
    dispatches = report.get("empty dispatch (us)", {})
    for name, most in (("waited for, a Kernel's call", 8), ("one of 1,000 in a CommandBuffer", 1)):
        if name in dispatches:
            add(f"empty dispatch, {name} (us)", dispatches[name], most=most)
    return found


def text(targets: list[dict[str, Any]]) -> str:
    """A line a target, those that are not met marked."""
    lines = [["target", "is", "should be", ""]]
    for target in targets:
        bound = f">= {target['least']:g}" if target["least"] is not None else f"<= {target['most']:g}"
        lines.append([target["target"], f"{target['value']:.3g}", bound, "" if target["met"] else "NOT MET"])
    return table.text(lines)
