# SPDX-License-Identifier: MIT
"""The encoder of live pictures, read back by Pillow; and that a picture's file is made when it is asked for."""

import io

import numpy as np
import pytest
from PIL import Image

from mtlpy_nb import show
from mtlpy_nb.notebook.png import quick_png


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 7, 3), (9, 1, 4), (5, 6, 1), (64, 33, 3), (2, 4000, 3)])
@pytest.mark.parametrize("values", ["noise", "flat", "steps"])
def test_it_is_read_back_without_loss(rng, shape, values):
    pixels = {
        "noise": lambda: rng.integers(0, 256, shape),
        "flat": lambda: np.full(shape, 200),
        "steps": lambda: np.indices(shape).sum(axis=0) * 37 % 256,
    }[values]().astype(np.uint8)
    with Image.open(io.BytesIO(quick_png(pixels))) as read:
        assert read.mode == {1: "L", 3: "RGB", 4: "RGBA"}[shape[2]]
        read.load()
        np.testing.assert_array_equal(np.asarray(read).reshape(shape), pixels)


def test_a_part_of_an_array(rng):
    pixels = rng.integers(0, 256, (20, 30, 3)).astype(np.uint8)
    part = pixels[3:9, 4:20]
    with Image.open(io.BytesIO(quick_png(part))) as read:
        np.testing.assert_array_equal(np.asarray(read), part)


def test_a_preview_has_one_picture_in_both_files(rng):
    preview = show(rng.random((40, 50, 3)).astype(np.float32))
    quick = np.asarray(Image.open(io.BytesIO(preview._quick_png())))
    small = np.asarray(Image.open(io.BytesIO(preview.png())))
    np.testing.assert_array_equal(quick, small)
    assert preview._quick_png() is preview.png(), "the file that is there"
