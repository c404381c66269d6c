# SPDX-License-Identifier: MIT
"""What a cell's outputs are where a view is shown, and which views a cell that is run again leaves."""

import pytest

WIDGET = "application/vnd.jupyter.widget-view+json"
KERNELS = """%%metal
kernel void level(device float* o, constant float& mix, uint i [[thread_position_in_grid]]) { o[i] = mix; }"""
VIEWS = {
    "explore": "mtlpy_nb.explore(level, output((4, 4), 'float'), mix=(0.0, 1.0))",
    "animate": "mtlpy_nb.animate(lambda time: np.full((4, 4), time), size=(4, 4))",
    "TextureView": "mtlpy_nb.TextureView(np.zeros((4, 4), np.float32))",
    "TimingView": "mtlpy_nb.TimingView()",
    "CaptureView": "mtlpy_nb.CaptureView('one.metalcapture')",
    "capture": "mtlpy_nb.capture.load('one.metalcapture')",
}
CAPTURE = """with mtlpy_nb.default_device().start_capture('one.metalcapture'):
    level(np.zeros(4, np.float32), 1)"""
ALIVE = "print(view.widget.comm is not None)"


@pytest.fixture(scope="module")
def cells(jupyter, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    for cell in (f"%cd {folder}", KERNELS, CAPTURE):
        assert "Error" not in jupyter.run(cell)
    return jupyter


def outputs(jupyter, code, cell):
    """What a cell shows: the forms of each output."""
    messages = jupyter.messages(code, cell=cell)
    assert messages[-1][1]["status"] == "ok", messages[-1]
    return [content["data"] for kind, content in messages if kind in ("display_data", "execute_result")]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_alive_and_something_stays_below_it(cells, view):
    alive, kept = outputs(cells, VIEWS[view], "shown")
    assert alive.keys() == {WIDGET, "text/plain"}
    assert alive["text/plain"] == ""
    assert kept.keys() - {"image/png"} == {"text/html", "text/plain"}
    assert kept["text/plain"]
    assert ("image/png" in kept) == (view in ("explore", "animate", "TextureView"))
    assert kept["text/html"].count("<img") == (3 if "apture" in view else "image/png" in kept)


@pytest.mark.parametrize("view", ["explore", "animate", "TextureView", "TimingView"])
def test_a_closed_view_has_nothing_alive(cells, view):
    (kept,) = outputs(cells, f"view = {VIEWS[view]}\nview.close()\nview", "closed")
    assert WIDGET not in kept


@pytest.mark.parametrize("view", ["explore", "animate", "TextureView", "TimingView"])
def test_a_cell_that_is_run_again_closes_its_view(cells, view):
    outputs(cells, f"view = {VIEWS[view]}; view", "again")
    assert cells.run(ALIVE, cell="other") == "True\n"
    outputs(cells, "old = view", "other")
    outputs(cells, f"view = {VIEWS[view]}; view", "again")
    assert cells.run("print(old.widget.comm, view.widget.comm is not None)", cell="other") == "None True\n"
    outputs(cells, "1", "again")
    assert cells.run(ALIVE, cell="other") == "False\n"


def test_a_capture_view_too(cells):
    outputs(cells, f"view = {VIEWS['CaptureView']}; view", "captured")
    assert cells.run("print(view.comm is not None)", cell="other") == "True\n"
    outputs(cells, "1", "captured")
    assert cells.run("print(view.comm is not None)", cell="other") == "False\n"


def test_a_view_that_another_cell_shows_goes_on(cells):
    outputs(cells, f"view = {VIEWS['explore']}; view", "maker")
    outputs(cells, "view", "another")
    outputs(cells, "1", "maker")
    assert cells.run(ALIVE, cell="other") == "True\n"
    outputs(cells, "view", "another")
    assert cells.run(ALIVE, cell="other") == "True\n"
    outputs(cells, "view.close()", "other")


def test_a_view_in_a_layout_of_ones_own_goes_on(cells):
    outputs(cells, f"view = {VIEWS['explore']}", "maker")
    outputs(cells, "view.widget", "layout")
    outputs(cells, "1", "maker")
    assert cells.run(ALIVE, cell="other") == "True\n"
    outputs(cells, "view.close()", "other")


@pytest.mark.parametrize("view", ["explore", "animate", "TextureView", "TimingView", "CaptureView"])
def test_a_view_that_was_closed_already_is_no_trouble(cells, view):
    outputs(cells, f"from IPython.display import display\nview = {VIEWS[view]}; display(view); view.close()", "early")
    assert cells.run("view.close(); print('fine')", cell="early") == "fine\n"


def test_one_that_failed_is_no_trouble(cells):
    assert "division by zero" in cells.run("mtlpy_nb.explore(lambda x: 1 / 0, 3)", cell="failed")
    assert cells.run("print('fine')", cell="failed") == "fine\n"
