# SPDX-License-Identifier: MIT
"""What users of other notebooks missed, where no other test holds it (docs/wishes.md)."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb


def test_out_keeps_the_picture_and_not_the_memory(notebook):
    notebook.run("import mtlpy_nb\ndevice = mtlpy_nb.default_device()")
    device = mtlpy_nb.default_device()
    before = device.current_allocated_size
    notebook.run("picture = device.texture(np.zeros((1024, 1024, 4), np.uint8))")
    assert device.current_allocated_size >= before + 4 * 1024 * 1024
    shown = notebook.shell.run_cell("show(picture)", store_history=True).result
    assert shown in notebook.shell.user_ns["Out"].values()
    notebook.run("del picture")
    assert device.current_allocated_size == before
    assert shown._repr_mimebundle_()[0]["image/png"]


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
def test_a_picture_has_one_form_only(device, make):
    data, _ = make(device)._repr_mimebundle_()
    assert set(data) == {"text/plain", "image/png"}
