# SPDX-License-Identifier: MIT
"""``Out[]`` keeps what was shown, not the device's memory."""

import numpy as np
import pytest
from settling import settled_size

import mtlpy_nb
from mtlpy_nb.notebook.picture import Preview

SIZE = 1 << 20


@pytest.fixture
def shell(notebook):
    notebook.run("import mtlpy_nb, gc; device = mtlpy_nb.Device(cache_path=False)")
    return notebook


def allocated(notebook) -> int:
    return settled_size(notebook.shell.user_ns["device"])


@pytest.mark.parametrize(
    "cell",
    [
        "device.empty_texture((1024, 1024), 'r8Unorm')",
        "device.empty((1024, 1024), np.uint8)",
        "device.empty(2**20, np.uint8)",
    ],
)
def test_a_shown_value_is_let_go(shell, cell):
    before = allocated(shell)
    shell.shell.run_cell(cell, store_history=True)
    assert allocated(shell) >= before
    shell.shell.run_cell("1", store_history=True)
    assert allocated(shell) == before


def test_a_named_value_stays(shell):
    shell.run("kept = device.buffer(np.ones(8, np.float32)); kept")
    kept = shell.shell.user_ns["kept"]
    assert isinstance(kept, mtlpy_nb.Buffer)
    assert kept.numpy().sum() == 8


def test_out_has_the_picture(shell):
    shell.shell.run_cell("x = device.buffer(np.eye(4, dtype=np.float32)); x", store_history=True)
    outputs = shell.shell.user_ns["Out"]
    kept = outputs[max(outputs)]
    assert isinstance(kept, Preview)
    assert kept.png()
    assert kept.text == mtlpy_nb.show(shell.shell.user_ns["x"]).text
    assert shell.shell.user_ns["_"] is shell.shell.user_ns["x"]
    assert shell.shell.user_ns[f"_{max(outputs)}"] is kept


def test_other_values_are_left_alone(shell):
    shell.shell.run_cell("np.arange(3)", store_history=True)
    outputs = shell.shell.user_ns["Out"]
    np.testing.assert_array_equal(outputs[max(outputs)], np.arange(3))


def test_nothing_stays_after_unloading(shell):
    formatter = shell.shell.display_formatter.mimebundle_formatter
    assert mtlpy_nb.Texture in formatter.type_printers
    shell.shell.run_line_magic("unload_ext", "mtlpy_nb")
    assert mtlpy_nb.Texture not in formatter.type_printers
    shell.shell.run_cell("x = device.empty(4, np.uint8); x", store_history=True)
    outputs = shell.shell.user_ns["Out"]
    assert outputs[max(outputs)] is shell.shell.user_ns["x"]


@pytest.mark.alone
def test_a_loop_that_shows_many_holds_none(shell):
    shell.run(
        "from IPython.display import display\n"
        "most = 0\n"
        "for _n in range(5):\n"
        "    display(device.empty((1024, 1024), np.uint8))\n"
        "    most = max(most, device.current_allocated_size)\n"
    )
    assert shell.shell.user_ns["most"] <= allocated(shell) + 2 * SIZE
