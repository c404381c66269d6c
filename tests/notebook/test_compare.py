# SPDX-License-Identifier: MIT
"""Two images beside each other: the pictures, the difference and the figures."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtlpy_nb import ValidationError, compare
from mtlpy_nb.notebook.sheets import plan_sheet

from .preview_reference import Case, decoded


def tiles(preview, size, labels):
    pixels = decoded(preview)
    sheet = plan_sheet([size] * 3, labels)
    for fit, (row, column) in zip(sheet.fits, sheet.places, strict=True):
        height, width = fit.size(*size)
        yield pixels[row : row + height, column : column + width], fit


def psnr(a, b, peak) -> float:
    """By the definition."""
    return 10 * math.log10(peak**2 / np.mean((a.astype(np.float64) - b) ** 2))


@settings(max_examples=15)
@given(
    st.integers(0, 1000), st.sampled_from([(5, 7), (4, 6, 3), (3, 9, 4)]), st.sampled_from([1, 5, 60]), st.booleans()
)
def test_difference_and_figures(seed, shape, most, is_float):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 256, shape, np.uint8)
    b = np.clip(a.astype(int) + rng.integers(-most, most + 1, shape), 0, 255).astype(np.uint8)
    b.flat[0] = a.flat[0] ^ 1
    x, y = (np.float32(v) / 255 for v in (a, b))
    preview = compare(x, y) if is_float else compare(a, b)
    words = preview.text.splitlines()
    assert words[0].startswith("a: array(")
    assert words[1].startswith("b: array(")
    assert f"PSNR {psnr(x, y, 1):.2f} dB" in words
    gap = np.abs(a.astype(int) - b.astype(int))
    differing = int((gap != 0).reshape(*shape[:2], -1).any(axis=-1).sum())
    assert f"{differing} of {shape[0] * shape[1]} pixels differ" in words
    exact = np.abs(x.astype(np.float64) - y) if is_float else gap / 255
    row, column = np.argwhere(exact == exact.max())[0][:2]
    place = f"in row {row}, column {column}"
    amount = f"{exact.max():.6g}" + ("" if is_float else f" ({gap.max()} of 255)")
    assert any(w.startswith(f"the largest difference is {amount}") and w.endswith(place) for w in words)
    factor = 2 ** math.floor(math.log2(1 / exact.max()))
    assert words[-1] == f"difference x {factor}"
    left, right, middle = tiles(preview, shape[:2], ["a", "b", words[-1]])
    Case.of_array(x).check(left[0], enlarge=left[1].enlarge)
    Case.of_array(y).check(right[0], enlarge=right[1].enlarge)
    shown = np.minimum(exact * factor, 1)
    if len(shape) == 3 and shape[2] == 4:
        shown = np.maximum(shown[..., :3], shown[..., 3:])
    Case.of_array(shown).check(middle[0], enlarge=middle[1].enlarge)


def test_images_that_are_the_same(device, rng):
    image = rng.integers(0, 256, (4, 4, 4), np.uint8)
    words = compare(image, device.texture(image, "rgba8Unorm")).text.splitlines()
    assert words[2:] == ["no difference: PSNR infinite", "difference x 1"]
    special = np.float32([[np.nan, np.inf, -np.inf, 1]])
    assert "no difference" in compare(special, special).text


def test_numbers_in_one_image_only_are_counted():
    a, b = np.float32([[0, 0.25, np.nan, 1]]), np.float32([[0, 0.5, 0.5, np.inf]])
    preview = compare(a, b)
    words = preview.text.splitlines()
    assert "2 values are a finite number in one image only (magenta)" in words
    assert f"PSNR {10 * math.log10(1 / (0.25**2 / 2)):.2f} dB" in words
    *_, (drawn, fit) = tiles(preview, (1, 4), ["a", "b", words[-1]])
    seen = drawn[0, :: fit.enlarge[1]]
    np.testing.assert_array_equal(seen, [[0] * 3, [255] * 3, [255, 0, 255], [255, 0, 255]])


def test_a_photograph_and_its_texture(device, rng):
    """A texture has an opaque fourth channel that the photograph has not."""
    image = rng.integers(0, 256, (6, 5, 3), np.uint8)
    assert "no difference" in compare(image, device.texture(image)).text
    clear = np.dstack([image, np.full((6, 5), 9, np.uint8)])
    assert "the fourth channel is left out" in compare(image, clear).text


def test_values_far_apart_span_the_peak():
    a, b = np.float32([[0, 100]]), np.float32([[0, 50]])
    assert f"PSNR {psnr(a, b, 100):.2f} dB" in compare(a, b).text
    assert f"PSNR {psnr(a, b, 200):.2f} dB" in compare(a, b, range=(0, 200)).text
    assert "PSNR 3.01 dB" in compare(np.float32([[0, 1e30]]), np.float32([[0, -1e30]])).text
    assert compare(np.float64([[0, 1.7e308]]), np.float64([[0, -1.7e308]])).png()


def test_a_given_factor():
    a, b = np.zeros((1, 2), np.uint8), np.uint8([[0, 10]])
    assert compare(a, b, amplify=4).text.splitlines()[-1] == "difference x 4"
    *_, (drawn, _) = tiles(compare(a, b, amplify=4), (1, 2), ["a", "b", "difference x 4"])
    assert drawn[0, -1].tolist() == [40] * 3


def test_slices_levels_and_channels(device, rng):
    volume = rng.random((3, 4, 4), dtype=np.float32)
    texture = device.texture(volume, "r32Float", kind="3d")
    assert "no difference" in compare(texture, texture, slice=2).text
    with pytest.raises(ValidationError, match="which is several images; choose one with slice="):
        compare(texture, texture)
    image = rng.random((4, 4, 3), dtype=np.float32)
    other = image.copy()
    other[..., 2] = 0
    assert "no difference" in compare(image, other, channel="r").text
    assert "no difference" not in compare(image, other, channel="b").text
    mipped = device.texture(volume[0], "r32Float", mipmaps=True)
    assert "no difference" in compare(mipped, volume[0]).text
    assert "no difference" in compare(mipped, mipped.numpy(1), level=1).text


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        (np.zeros((2, 3)), np.zeros((3, 2)), {}, "the images have 3 x 2 and 2 x 3 pixels, must be of one size"),
        (np.zeros((2, 3)), np.zeros((2, 3, 3)), {}, "have 1 and 3 channels; choose one with channel="),
        (np.zeros(3), np.zeros(3), {}, "compare: a is array.*must be an image"),
        (np.zeros((2, 2)), np.zeros((2, 2)), {"amplify": 0}, "amplify is 0"),
        (np.zeros((2, 2)), np.zeros((2, 2)), {"amplify": "x"}, "amplify is 'x', must be a number"),
        (np.zeros((2, 2)), np.zeros((2, 2)), {"channel": "g"}, "channel is 'g'"),
        (np.zeros((3000, 3000)), np.zeros((3000, 3000)), {"zoom": 3}, "zoom makes a picture"),
    ],
)
def test_what_cannot_be_compared(a, b, options, message):
    with pytest.raises(ValidationError, match=message):
        compare(a, b, **options)
    with pytest.raises(TypeError, match="compare: expected an array"):
        compare(None, a)
