# SPDX-License-Identifier: MIT
"""A wrong index in the second pass of a blur is found by looking at one pixel's history."""

import numpy as np
import pytest

BLUR = """
#include <metal_stdlib>
using namespace metal;
constant int radius = 2;
kernel void blur_rows(texture2d<float, access::read> source, texture2d<float, access::write> rows,
                      uint2 p [[thread_position_in_grid]])
{
    float sum = 0;
    for (int i = -radius; i <= radius; ++i)
        sum += source.read(uint2(clamp(int(p.x) + i, 0, int(source.get_width()) - 1), p.y)).x;
    rows.write(sum / (2 * radius + 1), p);
}
kernel void blur_columns(texture2d<float, access::read> rows, texture2d<float, access::write> result,
                         uint2 p [[thread_position_in_grid]])
{
    float sum = 0;
    for (int i = -radius; i <= radius; ++i)
        sum += rows.read(uint2(PLACE)).x;
    result.write(sum / (2 * radius + 1), p);
}
"""
RIGHT = "p.x, clamp(int(p.y) + i, 0, int(rows.get_height()) - 1)"
WRONG = "clamp(int(p.x) + i, 0, int(rows.get_width()) - 1), p.y"


def blurred(image, axis):
    padded = np.pad(image, [(2, 2) if i == axis else (0, 0) for i in range(2)], mode="edge")
    return np.mean([np.roll(padded, -i, axis)[: image.shape[0], : image.shape[1]] for i in range(5)], axis=0)


@pytest.fixture
def image(rng):
    return rng.random((60, 80), np.float32)


def capture_of(device, capturing, image, place):
    library = device.library(BLUR.replace("PLACE", place))
    source = device.texture(image)
    rows, result = (device.empty_texture(image.shape, "r32Float") for _ in range(2))
    with capturing() as captured:
        library["blur_rows"](source, rows, grid=(80, 60))
        library["blur_columns"](rows, result, grid=(80, 60))
    return captured


def test_the_first_pass_is_right_and_the_second_is_not(device, capturing, image):
    captured = capture_of(device, capturing, image, WRONG)
    rows, columns = captured.dispatches
    expected_rows = blurred(image, 1)
    np.testing.assert_allclose(rows.textures["rows"].after, expected_rows, rtol=1e-5)
    assert not np.allclose(columns.textures["result"].after, blurred(expected_rows, 0), rtol=1e-5)
    # What a person would ask: which neighbours does the pixel follow?
    at = (30, 40)
    history = captured.history("rows", at)
    assert [moment.command.kernel for moment in history] == ["blur_rows", "blur_columns"]
    assert [moment.is_written for moment in history] == [True, False]
    assert [moment.is_changed for moment in history] == [True, False]
    assert history[1].value == pytest.approx(expected_rows[at], rel=1e-5)
    (moment,) = captured.history("result", at)
    assert moment.command is columns
    assert moment.before == 0
    assert moment.value == pytest.approx(blurred(expected_rows, 1)[at], rel=1e-5)
    assert moment.value != pytest.approx(blurred(expected_rows, 0)[at], rel=1e-5)
    assert "rows.read(uint2(clamp(int(p.x) + i" in columns.source


def test_without_the_bug_both_are_right(device, capturing, image):
    captured = capture_of(device, capturing, image, RIGHT)
    result = captured.dispatches[1].textures["result"].after
    np.testing.assert_allclose(result, blurred(blurred(image, 1), 0), rtol=1e-5)


def test_a_history_is_printed_as_a_table(device, capturing, image):
    captured = capture_of(device, capturing, image, RIGHT)
    history = captured.history("rows", (0, 0))
    lines = str(history).splitlines()
    assert lines[0] == "rows[0, 0]"
    assert lines[1].startswith("  *    0 blur_rows 80 x 60")
    assert lines[2].startswith("       1 blur_columns 80 x 60")
    assert lines[1].endswith(f" {history.values[0]}")
    assert len(history.changes) == 1


def test_a_history_shows_what_the_host_wrote(device, kernels, capturing):
    x = device.buffer(np.ones(16, np.float32))
    with capturing() as captured:
        kernels["twice"](x)
        x.contents[5] = 100
        kernels["twice"](x)
    history = captured.history("x", 5)
    assert [(moment.before, moment.after) for moment in history] == [(1, 2), (100, 200)]
    assert str(history).splitlines()[2].split() == ["written", "by", "the", "host", "100.0"]


def test_histories_of_parts_and_of_other_types(device, kernels, capturing):
    x = device.buffer(np.ones(16, np.float32))
    with capturing() as captured:
        kernels["twice"](x[4:])
    bound = captured[0].buffers["x"]
    assert captured.history(bound, 0).values == [2]
    assert captured.history(bound, -1).values == [2]
    assert captured.history(bound.resource, 15, dtype=np.uint32).values == [0x40000000]
    assert captured.history("x", 3).values == [1]
    assert captured.history("x", 4).values == [2]


def test_histories_of_pixels_with_channels(device, kernels, capturing):
    source = device.texture(np.full((4, 4, 4), 10, np.uint8))
    result = device.empty_texture((4, 4), "rgba8Unorm")
    with capturing() as captured:
        kernels["invert"](source, result)
    (moment,) = captured.history("result", (1, 2))
    assert moment.after.tolist() == [245, 245, 245, 245]
    assert captured.history(captured[0].textures["source"], (1, 2)).values[0].tolist() == [10] * 4


@pytest.mark.parametrize(
    ("what", "index", "error", "message"),
    [
        ("x", 16, IndexError, r"index \(16,\) is outside of .*whose shape is \(16,\)"),
        ("x", (1, 2), IndexError, r"index \(1, 2\) has 2 numbers, .* has the axes \(16,\)"),
        ("x", -17, IndexError, "is outside"),
        ("y", 0, ValueError, "no resource is called 'y'; there are 'x'"),
        (3.5, 0, TypeError, "expected a name, a number, a resource or what a command has bound, got float"),
        ("x", 1.5, TypeError, "float"),
    ],
)
def test_places_that_are_not_there(device, kernels, capturing, what, index, error, message):
    with capturing() as captured:
        kernels["twice"](device.buffer(np.ones(16, np.float32)))
    with pytest.raises(error, match=message):
        captured.history(what, index)
    with pytest.raises(IndexError, match="level is 3"):
        captured.history(_texture(device, kernels, capturing), (0, 0), level=3)


def _texture(device, kernels, capturing):
    with capturing() as captured:
        kernels["invert"](device.texture(np.ones((4, 4), np.float32)), device.empty_texture((4, 4), "r32Float"))
    return captured.dispatches[0].textures["result"]


def test_an_index_that_is_none(device, capturing, image):
    captured = capture_of(device, capturing, image, RIGHT)
    for wrong in ("x", 1.5, (0, "x"), (0, 1.5)):
        with pytest.raises((TypeError, ValueError), match=r"history: index (must be|is 1.5)"):
            captured.history("rows", wrong)
