# SPDX-License-Identifier: MIT
"""``%metal explain`` in a real shell."""

import re

import numpy as np
import pytest

CELL = """%%metal -o lib
kernel void pick(device const float* table, device const uint* index, device float* out,
                 uint i [[thread_position_in_grid]])
{
    out[i] = table[index[i]];
}
"""


@pytest.fixture
def cells(notebook):
    notebook.run(CELL)
    notebook.run("table = np.arange(100, dtype=np.float32); index = np.arange(50, dtype=np.uint32) * 2")
    return notebook


def test_a_name(cells):
    (shown,) = cells.outputs("%metal explain pick")
    assert shown["text/plain"].startswith("pick: vector code ")
    # Counted as the front end counts: the cell's first line is the magic's.
    assert "1 gather in line 5" in shown["text/plain"]
    assert "not measured" in shown["text/plain"]
    assert "pick.explain(...) with the arguments of a call" in shown["text/plain"]
    assert "<table" in shown["text/html"]
    # JupyterLab's own would be stripes with white boxes in them.
    for element in re.findall(r"<(?:tr|pre)\b[^>]*>", shown["text/html"]):
        assert "background:transparent" in element
    lines = [line.split("|")[0].split() for line in shown["text/plain"].splitlines() if "| " in line]
    assert ["vector", "5"] in lines


def test_an_expression_that_is_a_kernel(cells):
    (shown,) = cells.outputs("%metal explain lib['pick']")
    assert shown["text/plain"].startswith("pick: vector code ")


def test_a_call_runs_it_and_counts(cells):
    cells.run("result = np.zeros(50, np.float32)")
    (shown,) = cells.outputs("%metal explain pick(table, index, result)")
    assert "counted in one run" in shown["text/plain"]
    np.testing.assert_array_equal(cells.run("result"), np.arange(50, dtype=np.float32) * 2)


def test_a_wrong_call_says_what_is_wrong(cells):
    seen = cells.see("%metal explain pick(table, index)")
    assert "pick: takes 3 arguments, missing: out" in seen


def test_a_cell_with_other_lines_around(cells):
    cells.run("%%metal\n\n\n" + CELL.split("\n", 1)[1].replace("pick", "later"))
    (shown,) = cells.outputs("%metal explain later")
    assert "1 gather in line 7" in shown["text/plain"]
