# SPDX-License-Identifier: MIT
"""Beside what nbval compares of a cell, its pictures: whether they look like those that were stored.

`.ci/store_notebooks.py` stores them anew after a change that is meant.
"""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

import pytest

from tests.notebooks.perceptual import Look, differences, is_flat, look_at

_LOOKS = Path(__file__).parents[1] / "tests" / "notebooks" / "pictures.json"


def _pngs(outputs) -> list[str]:
    return [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Compare a cell's pictures once it has run."""
    result = yield
    cells = item.parent.nb.cells
    number = next(i for i, cell in enumerate(cells) if cell is item.cell)
    before = sum(len(_pngs(cell.get("outputs", []))) for cell in cells[:number])
    count = len(_pngs(item.cell.outputs))
    stored = [Look(**look) for look in json.loads(_LOOKS.read_text())[item.path.name][before : before + count]]
    now = [look_at(io.BytesIO(base64.b64decode(png))) for png in _pngs(item.test_outputs)]
    assert len(now) == len(stored) == count, (
        f"{len(now)} pictures where {count} are in the notebook, {len(stored)} stored"
    )
    found = {i: differences(*pair) for i, pair in enumerate(zip(now, stored, strict=True), 1)}
    found |= {i: ["it is flat"] for i, look in enumerate(now, 1) if is_flat(look)}
    assert not any(found.values()), f"pictures of the cell that look otherwise: {found}"
    return result
