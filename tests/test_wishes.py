# SPDX-License-Identifier: MIT
"""docs/wishes.md: every test that it names exists; and the wish that is about words."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb.notebook.magics import MetalMagics

_ROOT = Path(__file__).resolve().parents[1]
_ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in (_ROOT / "docs" / "wishes.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
][1:]
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row[0])
def test_each_wish_names_tests_that_exist(row):
    wish, issues, here, held_by = row
    assert wish
    assert all(re.fullmatch(r"[\w.-]+#\d+", issue) for issue in issues.split(", "))
    named = _TEST.findall(held_by)
    if here.startswith("not yet"):
        assert not held_by
        return
    assert named
    assert _TEST.sub("", held_by).strip(", ") == ""
    for file, name in named:
        tree = ast.parse((_ROOT / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, f"{file}::{name}"


def test_no_wish_is_there_twice():
    issues = [issue for row in _ROWS for issue in row[1].split(", ")]
    assert len(_ROWS) == 28
    assert len(issues) == len(set(issues)) == 41


def _with_grid():
    """Everything public that takes a grid."""
    for owner in (mtlpy_nb.Kernel, mtlpy_nb.Pipeline, mtlpy_nb.CommandBuffer, mtlpy_nb.Device, MetalMagics):
        for name, function in inspect.getmembers(owner, inspect.isfunction):
            public = not name.startswith("_") or name == "__call__"
            if public and "grid" in inspect.signature(function).parameters:
                yield pytest.param(function, id=f"{owner.__name__}.{name}")


@pytest.mark.parametrize("function", list(_with_grid()))
def test_its_docstring_says_that_a_grid_counts_threads(function):
    text = inspect.getdoc(function)
    entry = re.search(r"^(?:.*, )?grid\b.*\n((?: +.*\n?)+)", text, re.MULTILINE)
    assert entry, f"no words on grid in:\n{text}"
    assert re.match(r" *((Number of )?threads|As in a call)", entry[1], re.IGNORECASE)


def test_every_grid_counts_threads_and_says_so(device):
    """A grid of 100 is 100 threads, in whatever threadgroups, in either interface."""
    assert len(list(_with_grid())) >= 2
    source = """
    #include <metal_stdlib>
    using namespace metal;
    kernel void nothing() {}
    kernel void count(device atomic_uint* n) { atomic_fetch_add_explicit(n, 1, memory_order_relaxed); }
    """
    library = device.library(source)
    count = library["count"]
    for threadgroup in (None, 1, 7, 64):
        n = np.zeros(1, np.uint32)
        count(n, grid=100, threadgroup=threadgroup)
        assert n[0] == 100
    memory = device.buffer(np.zeros(1, np.uint32))
    device.compile(source, "count").run([memory], 100, threadgroup=32)
    assert memory.numpy()[0] == 100
    with pytest.raises(mtlpy_nb.ValidationError, match="the number of threads"):
        library["nothing"]()
