# SPDX-License-Identifier: MIT
"""`TimingView`: what is counted, and the files that it writes."""

import gc
import json
import threading
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import ArgumentError, TimingView, _recording, output
from mtlpy_nb.notebook.widgets import timing_view
from mtlpy_nb.notebook.widgets.timing_view import _Recorder


@pytest.fixture
def view(device):
    made = TimingView(device)
    yield made
    made.close()


def test_kernels_are_listed_while_it_looks(view, kernels, image):
    assert repr(view) == "nothing has run yet"
    for _ in range(5):
        kernels["blend"](image, output.like(image), 1.0, 2, False)
    kernels["invert"](image)
    seen = view.to_dict()
    assert {name: row["calls"] for name, row in seen.items()} == {"blend": 5, "invert": 1}
    blend = seen["blend"]
    assert 0 < blend["min"] <= blend["median"] <= blend["percentile_90"] <= blend["percentile_99"] <= blend["max"]
    assert blend["total"] == pytest.approx(sum(blend["last"]))
    assert blend["bytes"] == 5 * 2 * image.nbytes
    assert seen["invert"]["bytes"] == 2 * image.nbytes
    view.stop()
    kernels["invert"](image)
    assert view.to_dict()["invert"]["calls"] == 1
    view.start()
    kernels["invert"](image)
    assert view.to_dict()["invert"]["calls"] == 2
    view.reset()
    assert view.to_dict() == {}


def test_only_its_device(view, image):
    other = mtlpy_nb.Device(cache_path=False)
    source = "kernel void theirs(device float* x) { x[0] = 1; }"
    both = TimingView()
    other.library(source)["theirs"](image, grid=1)
    assert view.to_dict() == {}
    assert both.to_dict()["theirs"]["calls"] == 1
    both.close()


def test_batches(view, device, kernels):
    pipeline = device.compile(kernels["invert"].source, "invert")
    numbers = device.buffer(np.zeros(32, np.float32))
    with device.command_buffer() as commands:
        for _ in range(3):
            pipeline.run([numbers], 32, cb=commands)
    assert view.to_dict()["invert"]["calls"] == 3


def test_work_that_nobody_has_waited_for_yet(view, kernels, image):
    handle = kernels["invert"](image, wait=False)
    handle.wait()
    assert view.to_dict()["invert"]["calls"] == 1


def test_work_of_other_threads(view, kernels):
    def work():
        for _ in range(10):
            kernels["invert"](np.zeros(8, np.float32))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert view.to_dict()["invert"]["calls"] == 40


def test_what_is_under_way_is_counted_later():
    class Commands:
        def __init__(self, is_done):
            self.is_done = is_done

        def done(self):
            return self.is_done

    class Work:
        def __init__(self, is_done):
            self.command_buffer = Commands(is_done)

        def __eq__(self, other):
            raise AssertionError("thousands that are compared with each other take minutes")

        __hash__ = None

    counted = []
    recorder = _Recorder(counted.append, lambda: None)
    ended, slow, late = Work(True), Work(False), Work(True)
    recorder.submissions += [ended, slow, late]
    recorder.settle()
    assert list(map(id, counted)) == [id(ended), id(late)]
    slow.command_buffer.is_done = True
    recorder.settle()
    assert list(map(id, counted)) == [id(ended), id(late), id(slow)]


def test_it_is_emptied_while_kernels_run(view, device):
    text = "kernel void k{0}(device float* x) {{ x[0] = {0}; }}"
    kernels = device.library("".join(text.format(i) for i in range(20)))
    over = threading.Event()

    def look():
        while not over.is_set():
            view.reset()
            repr(view)

    thread = threading.Thread(target=look)
    thread.start()
    buffer = device.buffer(np.zeros(1, np.float32))
    for _ in range(5):
        for i in range(20):
            kernels[f"k{i}"](buffer, grid=1)
        view._recorder._after_cell(None)
    over.set()
    thread.join()


def test_buttons_and_files(view, kernels, image, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kernels["invert"](image)
    kernels["invert"](image)
    buttons = {widget.description: widget for widget in view.widget.children[0].children[:-1]}
    buttons["JSON"].click()
    buttons["Trace"].click()
    assert json.loads((tmp_path / "timing.json").read_text())["invert"]["calls"] == 2
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert [(event["name"], event["ph"]) for event in events] == [("invert", "X")] * 2
    assert events[0]["ts"] == 0
    assert events[1]["ts"] >= events[0]["dur"] > 0
    assert view._words.value == "written: trace.json"
    buttons["Stop"].value = False
    assert not view.is_looking
    buttons["Reset"].click()
    assert view.to_dict() == {}
    monkeypatch.setattr(
        "mtlpy_nb.notebook.widgets.timing_view._written", lambda *_: (_ for _ in ()).throw(OSError("full"))
    )
    buttons["JSON"].click()
    assert view._words.value == "full"


def test_what_is_shown(view, kernels, image):
    kernels["invert"](image)
    data, _ = view._repr_mimebundle_()
    assert data.keys() == {"text/html", "text/plain"}
    lines = data["text/plain"].splitlines()
    assert lines[0].split()[:3] == ["kernel", "calls", "last"]
    assert lines[1].split()[:2] == ["invert", "1"]
    assert "<svg" in data["text/html"]
    assert view._table.value in data["text/html"]


def test_it_is_drawn_after_a_cell(notebook):
    notebook.run("import mtlpy_nb\nview = mtlpy_nb.TimingView()")
    notebook.run("%%metal\nkernel void one(device float* x) { x[0] = 1; }")
    notebook.run("one(np.zeros(1, np.float32))")
    assert "<td" in notebook.shell.user_ns["view"]._table.value
    notebook.run("view.close()")


def test_a_long_cell_draws_it_ever_more_seldom(view, kernels, image, monkeypatch):
    now = 1000.0
    monkeypatch.setattr(timing_view, "time", SimpleNamespace(perf_counter=lambda: now))
    drawn = []
    view._table.observe(lambda change: drawn.append(change["new"]), "value")

    def call(count):
        nonlocal now
        drawn.clear()
        for _ in range(count):
            now += 0.26
            kernels["invert"](image)
            assert len(view._recorder.submissions) <= 1, "but what has ended is counted at once"
        return len(drawn)

    assert call(100) == 100
    assert 100 < call(1000) < 500
    view._recorder._after_cell(None)
    assert call(100) == 100


def test_closed_views_look_no_more(device):
    before = list(_recording.recorders)
    closed = TimingView(device)
    closed.close()
    assert _recording.recorders == before
    assert closed._repr_mimebundle_()[0].keys() == {"text/html", "text/plain"}
    gone = weakref.ref(closed)
    del closed
    gc.collect()
    assert gone() is None, "the buttons are closed, too"


def test_what_is_no_device():
    with pytest.raises(ArgumentError, match="TimingView: device must be a Device, got int"):
        TimingView(3)
