# SPDX-License-Identifier: MIT
"""The comparison of pictures itself: what it must tell apart, and what it must not."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from .perceptual import differences, is_flat, look_at


@pytest.fixture
def look(tmp_path):
    """Write pixels to a file and look at it."""

    def at(pixels):
        path = tmp_path / "picture.png"
        (pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)).save(path)
        return look_at(path)

    return at


@pytest.fixture
def photograph():
    from skimage.data import coffee

    return coffee()


def test_a_picture_looks_like_itself(look, photograph):
    assert differences(look(photograph), look(photograph)) == []
    assert not is_flat(look(photograph))


def test_rounding_and_few_colours_are_no_difference(look, photograph, rng):
    noisy = np.clip(photograph.astype(int) + rng.integers(-1, 2, photograph.shape), 0, 255).astype(np.uint8)
    assert differences(look(photograph), look(noisy)) == []
    assert differences(look(photograph), look(Image.fromarray(photograph).quantize(128))) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda x: np.zeros_like(x),
        lambda x: np.full_like(x, x.mean()),
        lambda x: 255 - x,
        lambda x: x[:, ::-1],
        lambda x: x[::-1],
        lambda x: x[..., ::-1],
        lambda x: np.roll(x, 40, axis=1),
        lambda x: (x * 0.9).astype(np.uint8),
        lambda x: np.where(np.arange(x.shape[1])[:, None] < x.shape[1] // 4, 0, x).astype(np.uint8),
        lambda x: x[:200],
        lambda x: np.random.default_rng(1).permutation(x.reshape(-1, 3)).reshape(x.shape),
    ],
    ids="black flat negative mirrored upside-down bgr moved darker quarter-missing cut shuffled".split(),
)
def test_another_picture_is_noticed(look, photograph, change):
    assert differences(look(photograph), look(np.ascontiguousarray(change(photograph)))) != []


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_picture_that_shows_nothing_is_flat(look, value):
    assert is_flat(look(np.full((30, 40, 3), value, np.uint8)))
