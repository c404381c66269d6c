# SPDX-License-Identifier: MIT
"""``%%metal_profile`` in a real shell."""

from __future__ import annotations

import signal
import threading

import pytest
from IPython.utils.capture import capture_output

from mtlpy_nb import _recording
from mtlpy_nb.profile import Profile

from .conftest import Notebook
from .shown import plain

SOURCE = """%%metal -o lib
kernel void add(device const float* a, device const float* b, device float* out, uint i [[thread_position_in_grid]])
{
    out[i] = a[i] + b[i];
}
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
kernel void forever(device float* x) { while (true) x[0] += 1; }
kernel void wild(device float* x, uint i [[thread_position_in_grid]]) { x[i + 1000000000000ul] = 1; }
"""


@pytest.fixture(scope="module")
def cells():
    made = Notebook()
    made.run(SOURCE)
    made.run("x = np.ones(256, np.float32)")
    return made


@pytest.fixture(autouse=True)
def nobody_looks_afterwards():
    before = _recording.recorders
    yield
    assert _recording.recorders == before


def seen(cells, cell):
    """Run a cell; gives what it displays, then what it prints, errors included."""
    with capture_output() as shown:
        cells.shell.run_cell(cell)
    tables = [item.data["text/plain"] for item in shown.outputs]
    return plain("\n".join([*tables, shown.stdout, shown.stderr]))


def test_the_value_is_the_profile(cells):
    profile = cells.run("%%metal_profile\nfor _ in range(3):\n    twice(x)\nadd(x, x, output.like(x))")
    assert isinstance(profile, Profile)
    assert {kernel.name: kernel.calls for kernel in profile.kernels} == {"twice": 3, "add": 1}
    assert cells.run("float(x[0])") == 8, "the lines ran once, in the notebook's names"


def test_the_table_is_shown(cells):
    bundle = cells.outputs("%%metal_profile\ntwice(x)")[-1]
    assert bundle["text/plain"].split()[:5] == ["kernel", "calls", "GPU", "time", "share"]
    assert "<table>" in bundle["text/html"]
    assert "kernel" not in cells.see("%%metal_profile\ntwice(x);")
    shown = seen(cells, "%%metal_profile\n1 + 1")
    assert "nothing ran on the device" in shown


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("%%metal_profile\n\n", "%%metal_profile profiles the lines below it, and there are none"),
        ("%%metal_profile --repeat 3\ntwice(x)", "%%metal_profile takes no options, got '--repeat 3'"),
        ("%%metal_profile\ntwice(x", "%%metal_profile takes lines of Python: '(' was never closed"),
        ("%%metal_profile\nawait twice(x, wait=False)", "instead of awaiting a call, write .wait()"),
    ],
)
def test_slips_are_one_message(cells, cell, words):
    shown = seen(cells, cell)
    assert words in shown
    assert ".py" not in shown


@pytest.mark.parametrize(
    ("line", "error"),
    [("1 / 0", "ZeroDivisionError"), ("add(x, x)", "ArgumentError"), ("wild(x)", "ExecutionError")],
)
def test_an_error_is_shown_once_below_the_table_of_what_ran(cells, line, error):
    shown = seen(cells, f"%%metal_profile\ntwice(x)\n{line}")
    assert f"----> 2 {line}" in shown
    assert "mtlpy_nb/" not in shown
    assert sum(shown_line.startswith(f"{error}: ") for shown_line in shown.splitlines()) == 1
    assert shown.index("twice       1") < shown.index(error)


def test_a_failure_that_nobody_waits_for_is_shown_once(cells):
    cells.run("pipeline = lib.device.compile(lib.source, 'wild'); buffer = lib.device.buffer(x)")
    shown = seen(cells, "%%metal_profile\ntwice(x)\npipeline.run([buffer], 8, wait=False)")
    assert "1 (1 failed)" in shown
    assert shown.count("ExecutionError: GPU execution failed") == 1
    assert "Error" not in cells.see("twice(buffer)")


def test_work_without_waiting_is_waited_for(cells):
    profile = cells.run("%%metal_profile\nhandles = [twice(x, wait=False) for _ in range(4)]")
    assert profile["twice"].calls == 4
    assert cells.run("all(handle.done() for handle in handles)")


def test_profiles_and_timings_within_a_profile(cells):
    profile = cells.run("%%metal_profile\n%metal_time -r 3 -w 1 twice(x)\ntwice(x)")
    assert profile["twice"].calls == 5
    inner = "inner = get_ipython().run_cell_magic('metal_profile', '', 'twice(x)')"
    profile = cells.run(f"%%metal_profile\n{inner}\nadd(x, x, output.like(x))")
    assert cells.run("[kernel.name for kernel in inner.kernels]") == ["twice"]
    assert {kernel.name: kernel.calls for kernel in profile.kernels} == {"twice": 1, "add": 1}


@pytest.mark.timeout(60)
def test_interrupt_stops_what_runs_and_shows_what_ran(cells):
    begun = cells.shell.user_ns["begun"] = threading.Event()

    def interrupt() -> None:
        begun.wait(30)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # it wakes a sleep, too

    thread = threading.Thread(target=interrupt)
    thread.start()
    lines = "twice(x)\nforever(x, grid=1, wait=False)\nbegun.set()\nimport time\nfor _ in range(3000): time.sleep(0.01)"
    shown = seen(cells, f"%%metal_profile\n{lines}")
    thread.join()
    assert "KeyboardInterrupt" in shown
    assert "1 (1 failed)" in shown
    assert cells.run("%%metal_profile\ntwice(x)")["twice"].calls == 1, "the device goes on"


def test_unloading_takes_it_away():
    notebook = Notebook()
    assert "metal_profile" in notebook.shell.magics_manager.magics["cell"]
    notebook.run("%unload_ext mtlpy_nb")
    assert "metal_profile" not in notebook.shell.magics_manager.magics["cell"]
