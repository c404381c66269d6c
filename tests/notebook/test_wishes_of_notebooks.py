# SPDX-License-Identifier: MIT
"""What users of other notebooks missed, where no other test holds it (docs/wishes.md)."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb


@pytest.mark.parametrize("value", ["picture", "show(picture)"])
def test_out_keeps_the_picture_and_not_the_memory(notebook, value):
    notebook.run("import mtlpy_nb\ndevice = mtlpy_nb.default_device()")
    device = mtlpy_nb.default_device()
    before = device.current_allocated_size
    notebook.run("picture = device.texture(np.zeros((1024, 1024, 4), np.uint8))")
    assert device.current_allocated_size >= before + 4 * 1024 * 1024
    notebook.shell.run_cell(value, store_history=True).raise_error()
    notebook.shell.run_cell("del picture", store_history=True).raise_error()
    for _ in range(3):  # `_`, `__` and `___` are the last three values themselves
        notebook.shell.run_cell("0", store_history=True).raise_error()
    assert device.current_allocated_size == before
    (kept,) = [out for out in notebook.shell.user_ns["Out"].values() if hasattr(out, "_repr_mimebundle_")]
    assert kept._repr_mimebundle_()[0]["image/png"]


def test_a_semicolon_keeps_a_value_out_of_out(notebook):
    device = mtlpy_nb.default_device()
    before = device.current_allocated_size
    notebook.shell.run_cell(
        '%%metal fill(output((512, 512), "float32"));\n'
        "kernel void fill(device float* x, uint i [[thread_position_in_grid]]) { x[i] = 1; }\n",
        store_history=True,
    ).raise_error()
    assert device.current_allocated_size == before


@pytest.mark.parametrize(
    "make",
    [
        lambda device: device.texture(np.zeros((4, 4, 4), np.uint8)),
        lambda device: device.buffer(np.zeros((4, 4), np.float32)),
        lambda device: mtlpy_nb.show(np.zeros((4, 4, 3), np.uint8)),
        lambda device: mtlpy_nb.show(np.full((4, 4), np.nan, np.float32)),
    ],
    ids=["texture", "matrix", "picture", "nan"],
)
def test_every_form_holds_the_picture(device, make):
    data, _ = make(device)._repr_mimebundle_()
    assert set(data) - {"text/html"} == {"text/plain", "image/png"}
    if "text/html" in data:
        assert f"data:image/png;base64,{data['image/png']}" in data["text/html"]
