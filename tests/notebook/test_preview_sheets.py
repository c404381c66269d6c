# SPDX-License-Identifier: MIT
"""Sheets of several images: each where the plan says, with its name, and readable."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

import mtlpy_nb
from mtlpy_nb import show
from mtlpy_nb.notebook.fit import fit
from mtlpy_nb.notebook.sheets import plan_sheet

from .preview_reference import Case, decoded

BACKGROUND = (64, 64, 64)


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


def drawn(label):
    """A name in light gray on the ground, as high as the room above an image."""
    font = ImageFont.load_default(22)
    picture = Image.new("RGB", (round(font.getlength(label)), 30), BACKGROUND)
    ImageDraw.Draw(picture).text((0, 15), label, (240, 240, 240), font, anchor="lm")
    return np.asarray(picture)


def check_sheet(preview, images, labels, **plan):
    """Each image on one scale, at its place; nothing but names between them."""
    pixels = decoded(preview)
    sheet = plan_sheet([image.shape[:2] for image in images], labels, **plan)
    assert pixels.shape == (sheet.height, sheet.width, 3)
    assert (preview.height, preview.width) == (-(-sheet.height // 2), -(-sheet.width // 2))
    everything = np.concatenate([image.reshape(-1, *image.shape[2:]) for image in images])[None]
    ends = Case.of_array(everything).ends()
    rest = np.ones(pixels.shape[:2], bool)
    for image, label, fit_, (row, column) in zip(images, labels, sheet.fits, sheet.places, strict=True):
        height, width = fit_.size(*image.shape[:2])
        place = slice(row, row + height), slice(column, column + width)
        case = Case.of_array(image)
        case.ends = lambda: ends
        assert rest[place].all(), "images overlap"
        case.check(pixels[place], fit_.block, fit_.enlarge)
        rest[place] = False
        name = drawn(label)
        np.testing.assert_array_equal(pixels[row - 30 : row, column : column + name.shape[1]], name)
    between = pixels[rest]
    assert (between == between[:, :1]).all(), "the ground and the names are gray"
    assert (between == BACKGROUND).all(axis=1).mean() > 0.5


def test_depths_of_a_volume(device, rng):
    volume = rng.normal(size=(7, 9, 5)).astype(np.float32)
    preview = show(device.texture(volume, "r32Float", kind="3d"))
    check_sheet(preview, list(volume), [f"z {n}" for n in range(7)])
    assert f"shown from {volume.min():.6g} to {volume.max():.6g}" in preview.text


def test_slices_of_an_array(device, rng):
    images = rng.random((3, 6, 8), dtype=np.float32)
    check_sheet(
        show(device.texture(images, "r32Float", kind="2d_array")), list(images), [f"slice {n}" for n in range(3)]
    )


def test_faces_of_a_cube(device, rng):
    faces = rng.random((6, 4, 4), dtype=np.float32)
    check_sheet(show(device.texture(faces, "r32Float", kind="cube")), list(faces), ["+x", "-x", "+y", "-y", "+z", "-z"])


def test_cubes_of_an_array_have_a_row_each(device, rng):
    cubes = rng.random((3, 6, 4, 4), dtype=np.float32)
    labels = [f"{n} {face}" for n in range(3) for face in ("+x", "-x", "+y", "-y", "+z", "-z")]
    preview = show(device.texture(cubes, "r32Float", kind="cube_array"))
    check_sheet(preview, list(cubes.reshape(18, 4, 4)), labels, columns=6)


def test_rows_of_a_1d_array(device, rng):
    rows = rng.random((4, 30), dtype=np.float32)
    preview = show(device.texture(rows, "r32Float", kind="1d_array"))
    check_sheet(preview, [row[None] for row in rows], [f"slice {n}" for n in range(4)])


@pytest.mark.parametrize("size", [(16, 16), (12, 40), (1, 9), (300, 140)])
def test_levels_side_by_side(device, rng, size):
    texture = device.texture(rng.random(size, dtype=np.float32), "r32Float", mipmaps=True)
    levels = [texture.numpy(level) for level in range(texture.levels)]
    labels = [f"level {n}: {level.shape[1]} x {level.shape[0]}" for n, level in enumerate(levels)]
    check_sheet(show(texture), levels, labels, is_halving=True)


@settings(max_examples=25)
@given(
    st.integers(1, 5), st.integers(1, 40), st.integers(1, 40), st.sampled_from([(), (3,), (4,)]), st.integers(0, 1000)
)
def test_several_images_in_one_array(count, height, width, channels, seed):
    shape = (count, height, width if channels else max(width, 5), *channels)
    images = np.random.default_rng(seed).integers(0, 256, shape, np.uint8)
    check_sheet(show(images), list(images), [str(n) for n in range(count)])


def test_one_of_several(rng):
    images = rng.random((3, 5, 6), dtype=np.float32)
    preview = show(images, slice=1, zoom=1)
    Case.of_array(images[1]).check(decoded(preview))
    with pytest.raises(mtlpy_nb.ValidationError, match="slice is 3, must be 0 to 2"):
        show(images, slice=3)


def test_of_very_many_some_are_shown(device):
    preview = show(device.empty_texture((300, 2, 2), "r8Unorm"))
    assert "60 of 300 images, each 5 after the one before" in preview.text
    assert max(preview.width, preview.height) <= 512


@given(st.integers(1, 20000), st.integers(1, 20000), st.booleans())
def test_any_size_fits_the_screen_and_can_be_seen(height, width, is_thinned):
    chosen, (down, across) = fit(height, width, is_thinned=is_thinned)
    rows, columns = chosen.size(height, width)
    assert max(down, across) <= 512
    assert min(down, across) >= 1
    assert max(rows, columns) <= 1024
    if max(height, width) >= 16:
        assert min(down, across) >= 8
    if max(height, width) <= 512:
        assert chosen.block == (1, 1)
    if min(height, width) * 15 > max(height, width):
        assert chosen.block[0] == chosen.block[1]
        assert chosen.enlarge[0] == chosen.enlarge[1]


@given(st.integers(1, 64), st.integers(1, 3000), st.integers(1, 3000))
def test_any_number_of_images_fits_the_screen(count, height, width):
    sheet = plan_sheet([(height, width)] * count, [str(n) for n in range(count)])
    assert sheet.width <= 1024
    assert sheet.height <= 1024
    drawn = sheet.fits[0].size(height, width)
    for row, column in sheet.places:
        assert row + drawn[0] <= sheet.height
        assert column + drawn[1] <= sheet.width
