# SPDX-License-Identifier: MIT
"""What the SIMD-group and quad-group functions compute, from what each lane that takes part brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from .integers import wrap
from .syntax import Scalar

Lanes = dict[int, tuple[Any, tuple]]  # lane: value, further arguments

_REDUCTIONS: dict[str, Callable[[int, int], int]] = {
    "sum": lambda a, b: a + b,
    "product": lambda a, b: a * b,
    "min": min,
    "max": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def each(change: Callable[..., int], *values: Any) -> Any:
    """`change` of scalars, or of vectors element by element."""
    return tuple(map(change, *values)) if isinstance(values[0], tuple) else change(*values)


def reduced(name: str, values: Iterable[Any], type_: Scalar) -> Any:
    operation = _REDUCTIONS[name]
    return reduce(lambda a, b: each(lambda p, q: wrap(operation(p, q), type_), a, b), values)


def exchange(operation: str, lanes: Lanes, type_: Scalar) -> dict[int, Any]:
    """Each lane's result. Reading from a lane that takes no part is an error (undefined in Metal)."""
    group, _, name = operation.partition("_")
    width = {"simd": 32, "quad": 4}[group]
    results: dict[int, Any] = {}
    for first in range(0, 32, width):
        part = {lane: pair for lane, pair in lanes.items() if first <= lane < first + width}
        if part:
            results |= _group(name, part, first, width, type_)
    return results


def _group(name: str, lanes: Lanes, first: int, width: int, type_: Scalar) -> dict[int, Any]:
    values = {lane: value for lane, (value, _) in lanes.items()}
    ordered = sorted(values)
    if name in _REDUCTIONS:
        return dict.fromkeys(values, reduced(name, (values[lane] for lane in ordered), type_))
    if name in ("all", "any"):
        return dict.fromkeys(values, (all if name == "all" else any)(values.values()))
    if name.startswith("prefix_"):
        _, kind, what = name.split("_")
        identity = 0 if what == "sum" else 1
        neutral = each(lambda _: identity, values[ordered[0]])
        results = {}
        for place, lane in enumerate(ordered):
            before = ordered[: place + (kind == "inclusive")]
            results[lane] = reduced(what, [neutral, *(values[other] for other in before)], type_)
        return results
    if name == "broadcast_first":
        return dict.fromkeys(values, values[ordered[0]])
    if name == "is_first":
        return {lane: lane == ordered[0] for lane in values}
    if name in ("ballot", "active_threads_mask"):
        return dict.fromkeys(values, sum(1 << lane - first for lane in values if name != "ballot" or values[lane]))

    if name.startswith("shuffle_and_fill_"):
        return {lane: _filled(name, lanes, lane, width) for lane in lanes}

    def source(lane: int, argument: int) -> int:
        inside = lane - first
        match name:
            case "broadcast" | "shuffle":
                return first + argument
            case "shuffle_xor":
                return first + (inside ^ argument)
            case "shuffle_up":
                return lane - argument if inside >= argument else lane
            case "shuffle_down":
                return lane + argument if inside + argument < width else lane
            case "shuffle_rotate_up":
                return first + (inside - argument) % width
            case "shuffle_rotate_down":
                return first + (inside + argument) % width
        raise ValueError(f"unknown SIMD-group function {name}")

    return {lane: values[source(lane, argument)] for lane, (_, (argument,)) in lanes.items()}


def _filled(name: str, lanes: Lanes, lane: int, width: int) -> Any:
    """From `distance` lanes further, in parts of `modulo` lanes, whose ends get filling data from their other end."""
    _, (_, distance, *given) = lanes[lane]
    modulo = given[0] if given else width
    inside = lane % modulo
    source = inside - distance if name.endswith("_up") else inside + distance
    value, (filling, *_) = lanes[lane - inside + source % modulo]
    return value if 0 <= source < modulo else filling
