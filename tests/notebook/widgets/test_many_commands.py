# SPDX-License-Identifier: MIT
"""A thousand commands are captured, opened and looked through; what one command left is drawn once."""

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb.notebook.texels import texels_of
from mtlpy_nb.notebook.widgets.capture import answers as module
from mtlpy_nb.notebook.widgets.capture.answers import Answers
from mtlpy_nb.notebook.widgets.capture.items import Image
from mtlpy_nb.notebook.widgets.capture.pictures import Part, Pictures

COUNT = 1000
SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void dot(texture2d<float, access::read_write> target, constant uint& n)
{
    target.write(float4(n % 256 / 255.0, n / 256 / 255.0, 0, 1), uint2(n % 16, n / 16 % 16));
}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    device = mtlpy_nb.Device(cache_path=False)
    dot, target = device.library(SOURCE)["dot"], device.texture(np.zeros((16, 16, 4), np.uint8))
    made = tmp_path_factory.mktemp("many") / "many.metalcapture"
    with device.start_capture(made):
        for n in range(COUNT):
            dot(target, n, grid=1)
    return made


@pytest.fixture
def answers(path):
    with mtlpy_nb.capture.load(path) as file:
        yield Answers(file)


def look(answers, number):
    said, _ = answers.answer({"ask": "command", "number": number})
    item = next(i for i, thing in enumerate(said["things"]) if thing["name"] == "target")
    said, pictures = answers.answer({"ask": "pictures", "number": number, "item": item, "side": 64})
    assert "error" not in said
    value, _ = answers.answer(
        {"ask": "value", "number": number, "item": item, "x": number % 16, "y": number // 16 % 16}
    )
    return said, pictures, value


def test_each_of_a_thousand_is_looked_at(answers):
    said, _ = answers.answer({"ask": "list"})
    assert sum("heading" not in row for row in said["rows"]) == COUNT
    for number in [*range(1, COUNT, 37), COUNT - 1]:
        said, pictures, value = look(answers, number)
        assert said["words"][0] == (f"1 of 256 pixels changed, in row {number // 16 % 16}, column {number % 16}")
        assert value["after"] == f"({number % 256}, {number // 256}, 0, 255)"
        assert len(pictures) == 3
    assert len(answers._pngs) <= module._KEPT_PICTURES


def test_a_pixels_history_over_all_of_them(path):
    with mtlpy_nb.capture.load(path) as file:
        history = list(file.history(file.dispatches[0].textures["target"], (2, 5)))
        assert [moment.command.number for moment in history if moment.is_changed] == [37, 293, 549, 805]


def test_what_one_command_left_is_drawn_once(answers, monkeypatch):
    drawn = []
    original = Pictures._drawn
    monkeypatch.setattr(Pictures, "_drawn", lambda self, *given: drawn.append(1) or original(self, *given))
    _, (_, first_after, _), _ = look(answers, 100)
    assert len(drawn) == 2
    _, (second_before, second_after, _), _ = look(answers, 101)
    assert len(drawn) == 3
    assert second_before == first_after != second_after


def image(before, after, texels=None):
    height, width = before.shape[:2]
    shape = before.shape[:2]
    return Image(before, after, height * width, shape, 0, texels, [], True, [(0, height)])


def test_rows_that_lie_otherwise_are_another_picture():
    pixels = np.arange(32, dtype=np.uint8).reshape(4, 8, 1)
    dense, spread = (Pictures(image(one, one)) for one in (pixels[:, :4].copy(), pixels[:, :4]))
    part = Part.all(dense.image)
    assert dense.key(1, part, 64) != spread.key(1, part, 64)
    assert dense.key(1, part, 64) == Pictures(image(*[pixels[:, :4].copy()] * 2)).key(1, part, 64)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
def test_the_largest_change_of_a_picture_of_several_bands(dtype):
    rng = np.random.default_rng(11)
    before = rng.integers(0, 100, (700, 300, 2)).astype(dtype)
    after = before.copy()
    after[5, 7] += 20
    after[650, 299, 1] += 27
    after[651, 0, 0] += 27
    pictures = Pictures(image(before, after))
    assert pictures._largest() == "the largest change is 27, at [650, 299]"


def test_a_number_that_came_counts_and_one_that_stayed_does_not():
    before = np.zeros((700, 300, 1), np.float32)
    before[3] = np.nan
    after = before.copy()
    after[10, 10] = 5
    assert Pictures(image(before, after))._largest() == "the largest change is 5, at [10, 10]"
    after[600, 20] = np.nan
    assert Pictures(image(before, after))._largest() == "a number came or went, at [600, 20]"


def test_a_change_is_told_as_kernels_see_it():
    before = np.zeros((4, 4, 4), np.uint8)
    after = before.copy()
    after[1, 2, 3] = 51
    assert Pictures(image(before, after, texels_of("rgba8Unorm")))._largest() == "the largest change is 0.2, at [1, 2]"
