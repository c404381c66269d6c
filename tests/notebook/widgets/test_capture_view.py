# SPDX-License-Identifier: MIT
"""The capture view's Python side: questions of the front end, and their answers."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

import mtlpy_nb
from mtlpy_nb.errors import ArgumentError, ResourceError, ValidationError
from mtlpy_nb.notebook.widgets.capture import answers as capture_answers
from mtlpy_nb.notebook.widgets.capture.answers import Answers
from mtlpy_nb.notebook.widgets.capture.view import CaptureView

SOURCE = """
#include <metal_stdlib>
using namespace metal;
struct Settings { float scale; int2 shift; };
kernel void add_scaled(device float* values, constant Settings& settings, uint i [[thread_position_in_grid]])
{
    values[i] += settings.scale;
}
kernel void one_pixel(texture2d<float, access::write> image, constant float4& colour)
{
    image.write(colour, uint2(3, 5));
}
kernel void one_slice(texture2d_array<float, access::write> image, uint2 p [[thread_position_in_grid]])
{
    image.write(0.5, p, 2);
}
kernel void move_all(device Settings* all, uint i [[thread_position_in_grid]]) { all[i].shift.x += 1; }
kernel void grid_of(device float* values, uint2 p [[thread_position_in_grid]], uint2 size [[threads_per_grid]])
{
    values[p.y * size.x + p.x] = p.x;
}
kernel void sampled(texture2d<float> image, sampler how, device float4* found) { found[0] = image.sample(how, 0.5); }
"""


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def kernels(device):
    return device.library(SOURCE)


@pytest.fixture
def captured(device, tmp_path):
    def run(work):
        with device.start_capture(tmp_path / "c.metalcapture"):
            work()
        return mtlpy_nb.capture.load(tmp_path / "c.metalcapture")

    return run


def write_pixel(device, kernels, pixel_format, colour=(1, 1, 1, 1)):
    kernels["one_pixel"](device.empty_texture((8, 6), pixel_format), colour, grid=1)


def ask(answers, kind, **rest):
    """Ask as a front end would: through JSON."""
    said, buffers = answers.answer(json.loads(json.dumps({"ask": kind, "id": "a", **rest})))
    assert said["id"] == "a"
    assert said["kind"] == kind
    return json.loads(json.dumps(said)), [np.asarray(Image.open(io.BytesIO(png)).convert("RGB")) for png in buffers]


def item_of(answers, name, number=0):
    said, _ = ask(answers, "command", number=number)
    return next(i for i, thing in enumerate(said["things"]) if thing["name"] == name)


def test_the_list(device, kernels, captured):
    values = device.buffer(np.zeros(4, np.float32))

    def work():
        with device.capture_scope("frame"):
            kernels["add_scaled"](values, {"scale": 2.0, "shift": (0, 0)}, grid=4)
        kernels["move_all"](np.zeros(3, [("scale", "f4"), ("pad", "i4"), ("shift", "i4", 2)]), grid=3)

    answers = Answers(captured(work))
    said, _ = ask(answers, "list")
    commands = [row for row in said["rows"] if "heading" not in row]
    assert commands[0]["title"] == "add_scaled 4"
    assert commands[0]["writes"] == "values"
    assert commands[0]["ms"] > 0
    assert commands[0]["threadgroup"]
    assert [row["number"] for row in commands] == list(range(len(answers.file.commands)))
    headings = [row["heading"] for row in said["rows"] if "heading" in row]
    assert headings[0].startswith("scope 'frame' · command buffer ")
    assert "compute encoder · queue 0" in headings[0]
    assert "scope" not in headings[-1]


def test_what_is_bound(device, kernels, captured):
    image = device.texture(np.zeros((4, 4), np.float32))
    found = device.buffer(np.zeros((1, 4), np.float32))
    answers = Answers(captured(lambda: kernels["sampled"](image, device.sampler(linear=True), found, grid=1)))
    said, _ = ask(answers, "command", number=0)
    things = {thing["name"]: thing for thing in said["things"]}
    assert things["image"]["text"] == "2d texture, 4 x 4, r32Float"
    assert things["image"]["access"] == "read"
    assert things["how"]["text"].startswith("sampler, Linear and Linear")
    assert "levels" not in things["how"]
    assert said["has_source"]
    text, _ = ask(answers, "source", number=0)
    assert "sampled" in text["html"]
    assert "&lt;metal_stdlib&gt;" in text["html"]


def test_small_values_are_told_at_once(device, kernels, captured):
    answers = Answers(captured(lambda: write_pixel(device, kernels, "rgba8Unorm", (1, 0, 0, 1))))
    said, _ = ask(answers, "command", number=0)
    assert said["things"][1]["value"] == "[1. 0. 0. 1.]"


def test_pictures_of_what_changed(device, kernels, captured):
    image = device.texture(np.full((8, 6, 4), (0, 0, 255, 255), np.uint8), pixel_format="bgra8Unorm")
    answers = Answers(captured(lambda: kernels["one_pixel"](image, (0, 0.5, 0, 1), grid=1)))
    said, (before, after, difference) = ask(answers, "pictures", number=0, item=item_of(answers, "image"), side=64)
    assert said["size"] == [6, 8]
    assert said["bounds"] == [3, 5, 1, 1]
    assert said["words"][0] == "1 of 48 pixels changed, in row 5, column 3"
    assert said["words"][1] == "the largest change is 1, at [5, 3]"
    assert before.shape == after.shape == difference.shape == (8, 6, 3)
    assert before[5, 3].tolist() == before[0, 0].tolist() == [255, 0, 0]  # as kernels see them: red first
    assert after[5, 3].tolist() == [0, 128, 0]
    brightness = difference.astype(int).sum(axis=-1)
    assert np.argwhere(brightness > 300).tolist() == [[5, 3]]
    part, (_, cut, _) = ask(answers, "pictures", number=0, item=0, view=[3, 5, 2, 2], side=64)
    assert part["view"] == [3, 5, 2, 2]
    assert cut.shape == (2, 2, 3)
    assert cut[0, 0].tolist() == [0, 128, 0]


def test_a_part_beyond_the_edge_is_moved_inside(device, kernels, captured):
    answers = Answers(captured(lambda: write_pixel(device, kernels, "rgba8Unorm")))
    said, _ = ask(answers, "pictures", number=0, item=0, view=[5, -3, 4, 400], side=64)
    assert said["view"] == [2, 0, 4, 8]


def test_one_changed_pixel_of_many_is_seen_in_a_small_picture(device, kernels, captured):
    image = device.empty_texture((900, 1100), "r8Unorm")
    answers = Answers(captured(lambda: kernels["one_pixel"](image, (1, 1, 1, 1), grid=1)))
    _, (before, _, difference) = ask(answers, "pictures", number=0, item=0, side=100)
    assert max(difference.shape) <= 100
    assert max(before.shape) <= 100
    assert (difference.astype(int).sum(axis=-1) > 300).sum() == 1


def test_what_did_not_change_is_pictured_once(device, kernels, captured):
    image = device.texture(np.zeros((4, 4), np.float32))
    found = device.buffer(np.zeros((1, 4), np.float32))
    answers = Answers(captured(lambda: kernels["sampled"](image, device.sampler(), found, grid=1)))
    said, pictures = ask(answers, "pictures", number=0, item=0, side=64)
    assert said["is_same"]
    assert said["shown"] == [True, False, False]
    assert len(pictures) == 1


def test_the_slice_that_changed_comes_first(device, kernels, captured):
    image = device.empty_texture((4, 5, 6), "r32Float", kind="2d_array")
    answers = Answers(captured(lambda: kernels["one_slice"](image, grid=(6, 5))))
    said, _ = ask(answers, "command", number=0)
    assert said["things"][0]["slices"] == 4
    shown, _ = ask(answers, "pictures", number=0, item=0, side=64)
    assert shown["slice"] == 2
    assert shown["words"][0].startswith("30 of 30 pixels changed")
    assert ask(answers, "pictures", number=0, item=0, slice=1, side=64)[0]["words"] == ["nothing changed"]
    value, _ = ask(answers, "value", number=0, item=0, slice=2, x=1, y=3)
    assert value["index"] == "2, 3, 1"
    assert (value["before"], value["after"]) == ("0.0", "0.5")
    history, _ = ask(answers, "history", number=0, item=0, slice=2, x=1, y=3)
    assert [row["after"] for row in history["rows"]] == ["0.5"]


def test_buffers_are_laid_out_as_the_grid(device, kernels, captured):
    values = device.buffer(np.full(35, 9, np.float32))
    answers = Answers(captured(lambda: kernels["grid_of"](values, grid=(7, 5))))
    said, _ = ask(answers, "pictures", number=0, item=0, side=64)
    assert said["size"] == [7, 5]
    assert said["changes"]["rows"][8] == ["8", "9.0", "1.0"]
    value, _ = ask(answers, "value", number=0, item=0, x=3, y=2)
    assert (value["index"], value["after"]) == ("17", "3.0")


def test_a_buffers_last_row_may_not_be_full(device, kernels, captured):
    values = device.buffer(np.zeros(100, np.float32))
    answers = Answers(captured(lambda: kernels["add_scaled"](values, {"scale": 1.0, "shift": (0, 0)}, grid=100)))
    said, _ = ask(answers, "pictures", number=0, item=0, side=64)
    assert said["size"] == [16, 7]
    assert said["words"][0] == "100 of 100 elements changed, in [0] to [99]"
    assert said["changes"]["more"] == 60
    assert "nothing at this place" in ask(answers, "value", number=0, item=0, x=5, y=6)[0]["error"]
    assert ask(answers, "value", number=0, item=0, x=3, y=6)[0]["index"] == "99"


def test_structs_are_told_in_words(device, kernels, captured):
    dtype = kernels["move_all"].arguments["all"].dtype
    answers = Answers(captured(lambda: kernels["move_all"](np.zeros(3, dtype), grid=3)))
    said, pictures = ask(answers, "pictures", number=0, item=0, side=64)
    assert said["shown"] == [False, False, True]
    assert pictures[0].shape == (1, 3, 3)
    index, before, after = said["changes"]["rows"][2]
    assert index == "2"
    assert before != after
    assert "Settings" in ask(answers, "command", number=0)[0]["things"][0]["text"]


def test_numbers_that_are_none(device, kernels, captured):
    values = device.buffer(np.array([np.nan, np.inf, 1, 2], np.float32))
    answers = Answers(captured(lambda: kernels["add_scaled"](values, {"scale": 1.0, "shift": (0, 0)}, grid=4)))
    said, (before, _, difference) = ask(answers, "pictures", number=0, item=0, side=64)
    assert said["words"] == ["2 of 4 elements changed, in [2] to [3]", "the largest change is 1, at [2]"]
    assert before[0, 0].tolist() == [255, 0, 255]
    assert (difference.astype(int).sum(axis=-1) > 200).tolist() == [[False, False, True, True]]


def test_a_history_comes_in_parts(device, kernels, captured, monkeypatch):
    monkeypatch.setattr(capture_answers, "_PATIENCE", 0)
    values = device.buffer(np.zeros(4, np.float32))
    add = kernels["add_scaled"]
    answers = Answers(captured(lambda: [add(values, {"scale": 1.0, "shift": (0, 0)}, grid=4) for _ in range(5)]))
    said, _ = ask(answers, "history", number=3, item=0, x=2, y=0)
    rows = list(said["rows"])
    for _ in range(10):
        if said["is_done"]:
            break
        said, _ = ask(answers, "more", of="a")
        rows += said["rows"]
    assert [row["after"] for row in rows] == ["1.0", "2.0", "3.0", "4.0", "5.0"]
    assert [row["number"] for row in rows] == [0, 1, 2, 3, 4]
    assert ask(answers, "more", of="another")[0]["rows"] == []


def test_histories_of_two_views_go_on_beside_each_other(device, kernels, captured, monkeypatch):
    monkeypatch.setattr(capture_answers, "_PATIENCE", 0)
    values = device.buffer(np.zeros(4, np.float32))
    add = kernels["add_scaled"]
    answers = Answers(captured(lambda: [add(values, {"scale": 1.0, "shift": (0, 0)}, grid=4) for _ in range(3)]))
    rows = {"one": [], "another": []}
    for name in rows:
        said, _ = answers.answer({"ask": "history", "id": name, "number": 0, "item": 0, "x": 0, "y": 0})
        rows[name] += said["rows"]
    for name in [*rows] * 3:
        rows[name] += ask(answers, "more", of=name)[0]["rows"]
    assert [[row["after"] for row in found] for found in rows.values()] == [["1.0", "2.0", "3.0"]] * 2


def test_histories_that_nobody_follows_are_let_go(device, kernels, captured, monkeypatch):
    monkeypatch.setattr(capture_answers, "_PATIENCE", 0)
    values = device.buffer(np.zeros(4, np.float32))
    add = kernels["add_scaled"]
    answers = Answers(captured(lambda: [add(values, {"scale": 1.0, "shift": (0, 0)}, grid=4) for _ in range(3)]))
    for name in range(100):
        answers.answer({"ask": "history", "id": name, "number": 0, "item": 0, "x": 0, "y": 0})
    assert len(answers._histories) < 20


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ({"ask": "nothing"}, "nothing answers 'nothing'"),
        ({"ask": "command", "number": 7}, "command 7 is none of the 1"),
        ({"ask": "command", "number": -1}, "number is -1"),
        ({"ask": "command", "number": "x"}, "number is 'x'"),
        ({"ask": "pictures", "number": 0, "item": 9}, "item 9"),
        ({"ask": "pictures", "number": 0, "item": 0, "level": 5}, "level 5"),
        ({"ask": "pictures", "number": 0, "item": 0, "slice": 5}, "slice is 5"),
        ({"ask": "value", "number": 0, "item": 0, "x": 6, "y": 0}, "nothing at this place"),
        ({"ask": "history", "number": 0, "item": 1, "x": 0, "y": 0}, "given with the command"),
    ],
)
def test_questions_that_cannot_be_answered(device, kernels, captured, question, problem):
    answers = Answers(captured(lambda: write_pixel(device, kernels, "r8Unorm")))
    said, buffers = answers.answer({"id": "a", **question})
    assert problem in said["error"]
    assert buffers == []
    assert "error" not in answers.answer({"ask": "list"})[0]


def test_what_is_no_question(device, captured):
    assert "a question is a dict" in Answers(captured(lambda: None)).answer([1])[0]["error"]


def test_only_so_much_is_kept(device, kernels, captured, monkeypatch):
    monkeypatch.setattr(capture_answers, "_KEPT_BYTES", 500)
    image = device.empty_texture((8, 6), "r32Float")

    answers = Answers(captured(lambda: [kernels["one_pixel"](image, (n, 0, 0, 0), grid=1) for n in range(1, 6)]))
    for number in range(5):
        ask(answers, "pictures", number=number, item=0, side=64)
    assert len(answers._seen) == 1
    assert ask(answers, "forget")[1] == []
    assert not answers._seen


# ---- the widget ----


class Front:
    """Hears what a view sends."""

    def __init__(self, view):
        self.view = view
        self.heard = []
        view.send = lambda content, buffers=None: self.heard.append((content, buffers))

    def ask(self, **question):
        self.view._handle_custom_msg({"id": "q", **question}, [])
        return self.heard[-1][0]


def test_a_view_answers(device, kernels, captured):
    file = captured(lambda: write_pixel(device, kernels, "r8Unorm"))
    view = CaptureView(file)
    front = Front(view)
    assert view.capture is file
    assert front.ask(ask="list")["rows"][1]["title"] == "one_pixel 1"
    assert not view.can_record
    preview = view.snapshot()
    assert preview.text.splitlines()[1].startswith("image: 1 of 48 pixels changed")
    assert preview.png() is not None
    with pytest.raises(ValidationError, match="command is 5, must be 0 to 0"):
        view.snapshot(5)
    with pytest.raises(ValidationError, match=r"CaptureView\(device\) records"):
        view.record()
    view.close()
    assert view.capture is None


def test_no_trait_holds_anything_of_a_device(device, kernels, captured):
    file = captured(lambda: write_pixel(device, kernels, "r8Unorm"))
    state = CaptureView(file).get_state()
    plain = {name: value for name, value in state.items() if not name.startswith("_")}
    assert json.loads(json.dumps({k: v for k, v in plain.items() if k not in ("layout", "tabbable", "tooltip")}))


def test_record_and_stop(device, kernels):
    view = CaptureView(device)
    assert repr(view) == "CaptureView: nothing is captured yet"
    front = Front(view)
    assert front.ask(ask="list")["error"] == "nothing was captured yet"
    assert "nothing is recorded" in front.ask(ask="stop")["error"]
    with pytest.raises(ValidationError, match="nothing was captured yet"):
        view.snapshot()
    assert "error" not in front.ask(ask="record")
    assert view.is_recording
    assert "under way" in front.ask(ask="record")["error"]
    with pytest.raises(ResourceError, match="a capture is under way"):
        CaptureView(device).record()
    kernels["one_pixel"](device.empty_texture((8, 6), "r8Unorm"), (1, 1, 1, 1), grid=1)
    assert "error" not in front.ask(ask="stop")
    assert not view.is_recording
    assert not device.is_capturing
    assert [command.kernel for command in view.capture.dispatches] == ["one_pixel"]
    assert view.captured == 1
    assert ask(view._answers, "pictures", number=0, item=0, side=64)[0]["words"][0].startswith("1 of 48")


def test_a_view_that_is_closed_ends_its_recording(device):
    view = CaptureView(device)
    view.record()
    view.close()
    assert not device.is_capturing


def test_wrong_sources(tmp_path):
    with pytest.raises(ArgumentError, match="expected a Device, a capture or its file, got int"):
        CaptureView(3)
    with pytest.raises(FileNotFoundError):
        CaptureView(tmp_path / "nowhere.metalcapture")
    assert mtlpy_nb.CaptureView is CaptureView


def test_nothing_is_imported_before_it_is_used():
    code = "import sys, mtlpy_nb; from mtlpy_nb import show; print([m for m in sys.modules if 'widget' in m])"
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert shown.strip() == "[]"


def test_without_anywidget_it_says_what_to_install():
    code = """
import sys
sys.modules["anywidget"] = None
import mtlpy_nb
try:
    mtlpy_nb.CaptureView
except ImportError as error:
    print(error)
"""
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert shown.strip() == "mtlpy_nb.CaptureView is a widget and needs anywidget: pip install 'mtlpy_nb[widgets]'"


def test_in_a_kernel_a_capture_is_a_view_and_a_page(jupyter):
    jupyter.run("import mtlpy_nb, numpy as np\nx = np.zeros(4, np.float32)")
    jupyter.run(
        "%%metal\nkernel void add_one(device float* values, uint i [[thread_position_in_grid]]) { values[i] += 1; }"
    )
    messages = jupyter.messages("%%metal_capture\nadd_one(x)")
    outputs = [content["data"] for kind, content in messages if kind in ("display_data", "execute_result")]
    assert [set(output) for output in outputs] == [
        {"application/vnd.jupyter.widget-view+json", "text/plain"},
        {"text/html", "text/plain"},
    ]
    assert outputs[0]["text/plain"] == ""
