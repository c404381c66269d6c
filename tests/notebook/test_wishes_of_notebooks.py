# SPDX-License-Identifier: MIT
"""What users of other notebooks missed, where no other test holds it (docs/wishes.md)."""

from __future__ import annotations

import pytest
from settling import settled_size

import mtlpy_nb


@pytest.mark.parametrize("value", ["picture", "show(picture)"])
def test_out_keeps_the_picture_and_not_the_memory(notebook, value):
    notebook.run("import mtlpy_nb\ndevice = mtlpy_nb.default_device()")
    device = mtlpy_nb.default_device()
    device.clear_staging_heap()  # it is kept for the next upload, and is no picture's
    before = settled_size(device)
    notebook.run("picture = device.texture(np.zeros((1024, 1024, 4), np.uint8))")
    assert device.current_allocated_size >= before + 4 * 1024 * 1024
    notebook.shell.run_cell(value, store_history=True).raise_error()
    notebook.shell.run_cell("del picture", store_history=True).raise_error()
    for _ in range(3):  # `_`, `__` and `___` are the last three values themselves
        notebook.shell.run_cell("0", store_history=True).raise_error()
    device.clear_staging_heap()
    assert device.current_allocated_size == before
    (kept,) = [out for out in notebook.shell.user_ns["Out"].values() if hasattr(out, "_repr_mimebundle_")]
    assert kept._repr_mimebundle_()[0]["image/png"]


def test_a_semicolon_keeps_a_value_out_of_out(notebook):
    device = mtlpy_nb.default_device()
    before = settled_size(device)
    notebook.shell.run_cell(
        '%%metal fill(output((512, 512), "float32"));\n'
        "kernel void fill(device float* x, uint i [[thread_position_in_grid]]) { x[i] = 1; }\n",
        store_history=True,
    ).raise_error()
    assert device.current_allocated_size == before
