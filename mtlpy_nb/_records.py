# SPDX-License-Identifier: MIT
"""Whether records of NumPy's lie in memory as a struct of Metal's does."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["what_differs"]


def what_differs(given: np.dtype[Any], wanted: np.dtype[Any]) -> str | None:
    """Name the first field that both have and that is not the same in both; None if there is none.

    Fields of other names are the caller's own business: a struct may be laid out under any.
    """
    if given == wanted or given.fields is None or wanted.fields is None:
        return None
    for name in wanted.names or ():
        if name not in given.fields:
            continue
        (is_given, given_at), (is_wanted, wanted_at) = given.fields[name][:2], wanted.fields[name][:2]
        if given_at != wanted_at:
            return f"has {name} at byte {wanted_at}, but the array's records at byte {given_at}"
        inner = what_differs(is_given.base, is_wanted.base)
        if inner:
            return f"{inner}, in {name}"
        if not _may_be(is_given.base, is_wanted.base):
            return f"has {name} as {is_wanted.base}, but the array's records as {is_given.base}"
    return None


def _may_be(given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    if "V" in (given.kind, wanted.kind):  # bytes of any meaning, also NumPy's view of a bfloat
        return True
    if given.kind == "c":  # two floats
        given = np.dtype(f"f{given.itemsize // 2}")
    return given.itemsize == wanted.itemsize and (given.kind == "f") == (wanted.kind == "f")
