# SPDX-License-Identifier: MIT
"""``%%metal_capture``, and captures as pages."""

import re

import numpy as np
import pytest
from IPython.core.error import UsageError

import mtlpy_nb
from mtlpy_nb.notebook import capture_view

SOURCE = """
kernel void invert(texture2d<float, access::read> source, texture2d<float, access::write> result,
                   uint2 p [[thread_position_in_grid]]) { result.write(1 - source.read(p), p); }
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
"""


@pytest.fixture
def prepared(notebook):
    shell = notebook.shell
    device = mtlpy_nb.default_device()
    shell.run_cell_magic("metal", "", SOURCE)
    shell.user_ns["photo"] = device.texture(np.linspace(0, 1, 64 * 48, dtype=np.float32).reshape(48, 64))
    shell.user_ns["result"] = device.empty_texture((48, 64), "r32Float")
    shell.user_ns["x"] = np.ones(8, np.float32)
    return shell


def test_a_cell_is_captured_and_shown(prepared, capsys):
    found = prepared.run_cell_magic("metal_capture", "", "invert(photo, result)\ntwice(x)\n")
    assert repr(found) == "<CaptureFile 'this cell': 2 commands in 2 command buffers>"
    assert capsys.readouterr().out == ""  # the value of the last line is not shown besides
    assert [command.kernel for command in found.dispatches] == ["invert", "twice"]
    assert prepared.user_ns["x"].tolist() == [2] * 8
    page = found._repr_html_()
    assert "invert 64 x 48" in page
    assert re.search(r"Change of result: \d+ of 3072 pixels", page)
    assert page.count("data:image/png;base64,") == 2
    assert "Change of x: 8 of 8 elements" in page
    assert not mtlpy_nb.default_device().is_capturing
    # The file is gone, what it held can be looked at still.
    assert found.history("x", 3).values == [2]


def test_a_path_keeps_the_file(prepared, tmp_path):
    path = tmp_path / "cell.metalcapture"
    prepared.run_cell_magic("metal_capture", str(path), "twice(x)")
    with mtlpy_nb.capture.load(path) as file:
        assert [command.kernel for command in file.dispatches] == ["twice"]


def test_a_cell_that_fails_ends_the_capture(prepared, capsys):
    found = prepared.run_cell_magic("metal_capture", "", "twice(x)\n1 / 0\n")
    assert "ZeroDivisionError" in capsys.readouterr().out
    assert [command.kernel for command in found.dispatches] == ["twice"]
    assert not mtlpy_nb.default_device().is_capturing


def test_an_empty_cell(prepared):
    with pytest.raises(UsageError, match="captures the lines below it, and there are none"):
        prepared.run_cell_magic("metal_capture", "", " \n")


def test_pictures_and_rows_have_a_limit(prepared, monkeypatch):
    monkeypatch.setattr(capture_view, "MOST_PICTURES", 3)
    monkeypatch.setattr(capture_view, "MOST_COMMANDS", 4)
    found = prepared.run_cell_magic(
        "metal_capture", "", "for i in range(6): invert(*((photo, result) if i % 2 else (result, photo)))"
    )
    page = found._repr_html_()
    assert page.count("data:image/png;base64,") <= 2
    assert f"... and {len(found.commands) - 4} more" in page


def test_labels_are_no_html(prepared):
    shown = prepared.run_cell_magic(
        "metal_capture",
        "",
        "from mtlpy_nb import default_device\nwith default_device().capture_scope('<b>bold</b>'): twice(x)",
    )._repr_html_()
    assert "<b>" not in shown
    assert "&lt;b&gt;bold&lt;/b&gt;" in shown
