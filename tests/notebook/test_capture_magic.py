# SPDX-License-Identifier: MIT
"""``%%metal_capture``, and captures as pages."""

import base64
import io
import re

import numpy as np
import pytest
from IPython.core.error import UsageError
from PIL import Image

import mtlpy_nb
from mtlpy_nb.notebook import capture_view

SOURCE = """
kernel void invert(texture2d<float, access::read> source, texture2d<float, access::write> result,
                   uint2 p [[thread_position_in_grid]]) { result.write(1 - source.read(p), p); }
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
"""
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


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
    assert re.search(r"result: \d+ of 3072 pixels changed, in rows 0 to 47, columns 0 to 63; ", page)
    assert page.count("data:image/png;base64,") == 6
    assert "x: 8 of 8 elements changed" in page
    assert not mtlpy_nb.default_device().is_capturing
    # The file is gone, what it held can be looked at still.
    assert found.history("x", 3).values == [2]


def test_a_path_keeps_the_file(prepared, tmp_path):
    path = tmp_path / "cell.metalcapture"
    prepared.run_cell_magic("metal_capture", str(path), "twice(x)")
    with mtlpy_nb.capture.load(path) as file:
        assert [command.kernel for command in file.dispatches] == ["twice"]


def test_a_cell_that_fails_ends_the_capture(prepared, capsys):
    result = prepared.run_cell("%%metal_capture\ntwice(x)\n1 / 0\n")
    assert isinstance(result.error_in_exec, ZeroDivisionError)  # "Run all" goes no further
    assert not mtlpy_nb.default_device().is_capturing
    shown = _ESCAPES.sub("", capsys.readouterr().out)
    assert "<CaptureFile 'this cell': 1 command in 1 command buffer>" in shown
    assert shown.count("ZeroDivisionError: division by zero") == 1
    assert "----> 2 1 / 0" in shown
    assert "mtlpy_nb/" not in shown


def test_a_kernel_that_fails_is_told_with_the_cells_line(notebook):
    notebook.run("%%metal\nkernel void wild(device float* x) { x[1ul << 60] = 1; }")
    shown = _ESCAPES.sub("", notebook.see("%%metal_capture\nx = np.ones(1, np.float32)\nwild(x)"))
    assert "----> 2 wild(x)" in shown
    assert "ExecutionError: kernel wild" in shown
    assert "mtlpy_nb/" not in shown


def test_what_is_before_and_after_has_one_scale(prepared):
    """All of one value before, all of another after: each on a scale of its own, they would look the same."""
    prepared.run_cell_magic(
        "metal",
        "",
        "kernel void fill(texture2d<float, access::write> t, uint2 p [[thread_position_in_grid]]) { t.write(9, p); }",
    )
    prepared.user_ns["level"] = mtlpy_nb.default_device().texture(np.full((48, 64), 3, np.float32))
    page = prepared.run_cell_magic("metal_capture", "", "fill(level)")._repr_html_()
    before, after, _ = (Image.open(io.BytesIO(base64.b64decode(png))) for png in re.findall(r"base64,([^\"]+)", page))
    assert before.convert("L").getextrema() == (0, 0)
    assert after.convert("L").getextrema() == (255, 255)
    assert "shown from 3 to 9" in page
    assert re.findall(r"<div>(before|after|difference)</div>", page) == ["before", "after", "difference"]


def test_all_columns_of_a_narrow_texture_are_on_the_scale(prepared):
    """Two images of four columns are no image of four channels, of which the fourth would be opacity."""
    a = np.zeros((6, 4), np.float32)
    a[:, 3] = 8
    device = mtlpy_nb.default_device()
    prepared.user_ns.update(a=device.texture(a), b=device.empty_texture((6, 4), "r32Float"))
    assert "shown from -7 to 1" in prepared.run_cell_magic("metal_capture", "", "invert(a, b)")._repr_html_()


@pytest.mark.parametrize(("size", "shown"), [((300, 20), (128, 9)), ((8, 16), (64, 128)), ((1, 1000), (4, 128))])
def test_a_picture_has_the_images_proportions(prepared, size, shown):
    device = mtlpy_nb.default_device()
    prepared.user_ns.update(a=device.texture(np.ones(size, np.float32)), b=device.empty_texture(size, "r32Float"))
    page = prepared.run_cell_magic("metal_capture", "", "invert(a, b)")._repr_html_()
    assert page.count(f"width: {shown[1]}px; height: {shown[0]}px") == page.count("<img ")


def test_an_empty_cell(prepared):
    with pytest.raises(UsageError, match="captures the lines below it, and there are none"):
        prepared.run_cell_magic("metal_capture", "", " \n")


def test_pictures_and_rows_have_a_limit(prepared, monkeypatch):
    monkeypatch.setattr(capture_view, "MOST_PICTURES", 5)
    monkeypatch.setattr(capture_view, "MOST_COMMANDS", 4)
    found = prepared.run_cell_magic(
        "metal_capture", "", "for i in range(6): invert(*((photo, result) if i % 2 else (result, photo)))"
    )
    page = found._repr_html_()
    assert page.count("data:image/png;base64,") == 3
    assert f"... and {len(found.commands) - 4} more" in page


def test_only_so_much_is_read_for_the_page(prepared, monkeypatch):
    """Of a thousand large textures a page would take minutes; the view reads what is looked at."""
    monkeypatch.setattr(capture_view, "MOST_BYTES", 1)
    page = prepared.run_cell_magic("metal_capture", "", "for i in range(3): invert(photo, result)")._repr_html_()
    assert page.count("data:image/png;base64,") == 3
    assert page.count("invert 64 x 48") == 3


def test_labels_are_no_html(prepared):
    shown = prepared.run_cell_magic(
        "metal_capture",
        "",
        "from mtlpy_nb import default_device\nwith default_device().capture_scope('<b>bold</b>'): twice(x)",
    )._repr_html_()
    assert "<b>" not in shown
    assert "&lt;b&gt;bold&lt;/b&gt;" in shown
