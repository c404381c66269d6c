# SPDX-License-Identifier: MIT
"""A capture of many dispatches on a picture of 3840 x 2160: what is written, what is read of it, and what is kept.

Nothing here is timed: ``benchmarks/capture.py`` does that. What is counted decides about the times.
"""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb.capture import _contents
from mtlpy_nb.capture._archive import Archive
from mtlpy_nb.notebook.widgets.capture.answers import Answers

HEIGHT, WIDTH, COUNT, SIDE = 2160, 3840, 24, 128
SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void brush(texture2d<float, access::read_write> target, constant int& n, uint2 p [[thread_position_in_grid]])
{
    target.write(float4(n / 255.0, 0.5, p.x / 128.0, 1), uint2(n * 37, n * 53) + p);
}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    device = mtlpy_nb.Device(cache_path=False)
    kernel = device.library(SOURCE)["brush"]
    pixels = np.full((HEIGHT, WIDTH, 4), 255, np.uint8)
    pixels[..., 0], pixels[..., 1] = np.arange(WIDTH) % 256, (np.arange(HEIGHT) % 256)[:, np.newaxis]
    picture = device.texture(pixels)
    made = tmp_path_factory.mktemp("large") / "large.metalcapture"
    with device.start_capture(made):
        for n in range(COUNT):
            kernel(picture, n, grid=(SIDE, SIDE))
    return made


@pytest.fixture
def read(monkeypatch):
    """Names of the blocks of the picture that are read from the file."""
    found = []
    original = Archive.read

    def noted(self, name, most):
        data = original(self, name, most)
        if name.startswith("blocks/") and len(data) > 4:  # not the number that each command was given
            found.append(name)
        return data

    monkeypatch.setattr(Archive, "read", noted)
    return found


def look(answers, number):
    """What the view in a browser asks of a command."""
    said, _ = answers.answer({"ask": "command", "number": number})
    item = next(i for i, thing in enumerate(said["things"]) if thing["name"] == "target")
    said, pictures = answers.answer({"ask": "pictures", "number": number, "item": item, "side": 320})
    assert "error" not in said
    return said, pictures


def test_what_did_not_change_is_written_once(path):
    raw = HEIGHT * WIDTH * 4
    assert path.stat().st_size < 2 * raw
    with mtlpy_nb.capture.load(path) as file:
        assert len(file.dispatches) == COUNT


def test_nothing_is_read_before_it_is_looked_at(path, read):
    with mtlpy_nb.capture.load(path) as file:
        answers = Answers(file)
        said, _ = answers.answer({"ask": "list"})
        assert sum("heading" not in row for row in said["rows"]) == COUNT
        for number in range(COUNT):
            answers.answer({"ask": "command", "number": number})
        assert read == []


def test_a_step_reads_only_what_changed(path, read):
    with mtlpy_nb.capture.load(path) as file:
        answers = Answers(file)
        look(answers, 0)
        for number in range(1, COUNT):
            read.clear()
            said, pictures = look(answers, number)
            touched = SIDE * WIDTH * 4 // (1 << 20) + 2  # blocks that 128 rows can lie in
            assert 0 < len(read) <= touched
            assert said["words"][0].startswith(f"{SIDE * SIDE} of {HEIGHT * WIDTH} pixels changed")
            assert said["bounds"] == (number * 37, number * 53, SIDE, SIDE)
            assert len(pictures) == 3


def test_a_pixels_history_reads_one_block_of_each_content(path, read):
    with mtlpy_nb.capture.load(path) as file:
        last = file.dispatches[-1].textures["target"]
        history = file.history(last, (COUNT * 53, COUNT * 37))
        assert len(history) == COUNT
        assert len(read) <= COUNT + 1


def test_only_so_much_is_kept(path, monkeypatch):
    monkeypatch.setattr(_contents, "_KEPT_BYTES", 40 << 20)
    monkeypatch.setattr(_contents, "_KEPT_JOINED", 70 << 20)
    monkeypatch.setattr("mtlpy_nb.notebook.widgets.capture.answers._KEPT_BYTES", 100 << 20)
    with mtlpy_nb.capture.load(path) as file:
        answers = Answers(file)
        for number in range(0, COUNT, 3):
            look(answers, number)
            assert sum(map(len, file._contents._kept.values())) <= 40 << 20
            assert sum(array.nbytes for array in file._contents._arrays.values()) <= 70 << 20
            assert sum(seen.image.nbytes for seen in answers._seen.values()) <= 100 << 20


def test_what_is_kept_is_not_what_was_before(path):
    with mtlpy_nb.capture.load(path) as file, mtlpy_nb.capture.load(path) as fresh:
        for number in (0, 1, 5, 1):
            one, two = (source.dispatches[number].textures["target"] for source in (file, fresh))
            np.testing.assert_array_equal(one.after[:2000:7, ::5], two.after[:2000:7, ::5])
            changed = file.dispatches[number].changed[0]
            said, _ = look(Answers(file), number)
            assert said["words"][0].startswith(f"{changed.count} of")
            assert not one.after.flags.writeable
