# SPDX-License-Identifier: MIT
"""Arrays that are no picture, in a few words."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["describe_values"]

_FIRST = 8


def describe_values(array: np.ndarray[Any, np.dtype[Any]]) -> list[str]:
    """Give the first values, and for numbers the smallest, largest and mean and how many are no numbers."""
    if array.size == 0:
        return ["no elements"]
    if array.dtype.names is not None:
        return [", ".join(array.dtype.names), *(str(row) for row in array.reshape(-1)[:_FIRST]), *_rest(array.size)]
    flat = array.reshape(-1)
    first = np.array2string(flat[:_FIRST], separator=", ", threshold=_FIRST, precision=6)
    lines = [first[:-1] + ", ...]" if flat.size > _FIRST else first]
    if array.dtype.kind in "iuf":
        lines.append(_facts(flat))
    return lines


def _facts(flat: np.ndarray[Any, np.dtype[Any]]) -> str:
    values = flat.astype(np.float64)
    finite = values[np.isfinite(values)]
    facts = [f"min {finite.min():.6g}, max {finite.max():.6g}, mean {finite.mean():.6g}"] if finite.size else []
    for count, name in ((np.isnan(values).sum(), "NaN"), (np.isinf(values).sum(), "Inf")):
        if count:
            facts.append(f"{count} {name}")
    return ", ".join(facts)


def _rest(size: int) -> list[str]:
    return [f"... {size - _FIRST} more"] if size > _FIRST else []
