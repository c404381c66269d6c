# SPDX-License-Identifier: MIT
"""Colour maps and tone curves against what was published of them."""

import numpy as np
import pytest

from mtlpy_nb.notebook.colormaps import COLORMAPS, apply_colormap
from mtlpy_nb.notebook.tones import TONES, light_of_srgb, srgb_of_light

# Entries 0, 32, 64 ... 224 and 255 of the published tables of 256 colours.
PUBLISHED = {
    "viridis": "440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725",
    "magma": "000004 1d1147 51127c 832681 b73779 e75263 fc8961 fec488 fcfdbf",
    "inferno": "000004 210c4a 57106e 8a226a bc3754 e45a31 f98e09 f9cb35 fcffa4",
    "turbo": "30123b 466be3 28bceb 32f298 a4fc3c eecf3a fb7e21 d02f05 7a0403",
}


def colours_of(name: str, places) -> np.ndarray:
    return apply_colormap(np.asarray(places) / 255, name).astype(int)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_colours(name):
    published = np.array([list(bytes.fromhex(code)) for code in PUBLISHED[name].split()])
    made = colours_of(name, [0, 32, 64, 96, 128, 160, 192, 224, 255])
    assert np.abs(made - published).max() <= 4
    np.testing.assert_array_equal(made[[0, -1]], published[[0, -1]])


@pytest.mark.parametrize("name", COLORMAPS)
def test_neighbours_are_alike(name):
    colours = colours_of(name, np.arange(256))
    assert np.abs(np.diff(colours, axis=0)).max() <= 8
    assert len(np.unique(colours, axis=0)) > 250


@pytest.mark.parametrize("name", ["gray", "viridis", "magma", "inferno"])
def test_brightness_only_grows(name):
    brightness = colours_of(name, np.arange(256)) @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(brightness) > -0.5).all()


def test_plain_maps():
    np.testing.assert_array_equal(colours_of("gray", np.arange(256)), np.arange(256)[:, None].repeat(3, axis=1))
    assert colours_of("bwr", [0, 127.5, 255])[[0, 2]].tolist() == [[0, 0, 255], [255, 0, 0]]
    assert colours_of("bwr", [128])[0].min() >= 253


@pytest.mark.parametrize(
    ("tone", "light", "shown"),
    [
        ("reinhard", [0, 1, 3, 1e300, -1], [0, 0.5, 0.75, 1, 0]),
        # (2.51 + 0.03) / (2.43 + 0.59 + 0.14) at 1; the curve's limit is 2.51 / 2.43.
        ("aces", [0, 1, 1e9, -1], [0, 2.54 / 3.16, 2.51 / 2.43, 0]),
    ],
)
def test_tone_curves(tone, light, shown):
    np.testing.assert_allclose(TONES[tone](np.array(light, float)), shown, rtol=1e-6)
    many = TONES[tone](np.linspace(0, 50, 1000))
    assert (np.diff(many) > 0).all()


def test_srgb_there_and_back():
    stored = np.arange(256) / 255
    np.testing.assert_allclose(srgb_of_light(light_of_srgb(stored)), stored, atol=1e-7)
    np.testing.assert_allclose(
        light_of_srgb(np.array([0.5, -0.5, 0.04])), [0.2140411, -0.2140411, 0.04 / 12.92], rtol=1e-6
    )
