# SPDX-License-Identifier: MIT
"""What docs/moving-from-pymetal.md says is missing is missing: who adds one of those names takes it off the page."""

from __future__ import annotations

import re
from typing import Any

import mtlpy_nb.metal as metal

from .pages import ROOT

_PAGE = (ROOT / "docs" / "moving-from-pymetal.md").read_text(encoding="utf-8")


def _has(name: str) -> bool:
    thing: Any = metal
    for part in name.split("."):
        if not hasattr(thing, part):
            return False
        thing = getattr(thing, part)
    return True


def test_what_is_said_to_be_missing_is():
    section = _PAGE.split("## What is not there yet")[1].split("\n## ")[0]
    names = [
        name for row in re.findall(r"^\|(.*)\|$", section, re.MULTILINE) for name in re.findall(r"`([\w.]+)`", row)
    ]
    assert [name for name in names if _has(name)] == []
    # The owners of the methods are there: it is the methods that are not.
    assert all(_has(name.split(".")[0]) for name in names if "." in name)
