# SPDX-License-Identifier: MIT
"""Previews, decoded again and compared pixel for pixel."""

import base64
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

from mtlpy_nb import ValidationError, show
from mtlpy_nb.notebook.preview import Preview, is_image

DTYPES = [np.uint8, np.int8, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float16, np.float32, np.bool_]
SHAPES = st.one_of(
    hnp.array_shapes(min_dims=2, max_dims=2, max_side=40),
    st.tuples(st.integers(1, 20), st.integers(1, 20), st.integers(1, 4)),
)


def decoded(preview: Preview) -> np.ndarray:
    assert preview.png is not None
    return np.asarray(Image.open(io.BytesIO(preview.png)))


def test_bytes_are_shown_as_they_are(rng):
    image = rng.integers(0, 256, (30, 40, 3), np.uint8)
    preview = show(image, zoom=1)
    np.testing.assert_array_equal(decoded(preview), image)
    assert repr(preview) == "array(shape=(30, 40, 3), dtype=uint8)"


def test_floats_within_0_and_1_are_shown_as_they_are():
    image = np.array([[0, 0.5, 1]], np.float32)
    np.testing.assert_array_equal(decoded(show(image, zoom=1))[0, :, 0], [0, 128, 255])


def test_other_floats_are_scaled_and_the_range_is_said():
    preview = show(np.array([[-1, 0, 3]], np.float32), zoom=1)
    np.testing.assert_array_equal(decoded(preview)[0, :, 0], [0, 64, 255])
    assert "shown from -1 to 3" in preview.text


def test_special_values_have_their_colours_and_are_counted():
    preview = show(np.array([[np.nan, np.inf, -np.inf, 0.5, np.nan]], np.float32), zoom=1)
    expected = [(255, 0, 255), (255, 255, 255), (0, 0, 255), (128, 128, 128), (255, 0, 255)]
    assert [tuple(p) for p in decoded(preview)[0]] == expected
    assert preview.text.splitlines()[1:] == ["2 NaN (magenta)", "1 +Inf (white)", "1 -Inf (blue)"]


def test_a_given_range_clamps_and_never_wraps():
    preview = show(np.array([[-1000, 0, 5, 10, 1000]], np.int16), range=(0, 10), zoom=1)
    np.testing.assert_array_equal(decoded(preview)[0, :, 0], [0, 0, 128, 255, 255])


def test_small_images_are_enlarged_by_a_whole_factor(rng):
    image = rng.integers(0, 256, (60, 100), np.uint8)
    pixels = decoded(show(image))
    assert pixels.shape == (300, 500, 3)
    np.testing.assert_array_equal(pixels[::5, ::5, 0], image)
    np.testing.assert_array_equal(pixels[4::5, 4::5, 0], image)


def test_large_images_are_reduced_and_the_true_size_is_said():
    preview = show(np.zeros((3000, 1500), np.uint8))
    assert decoded(preview).shape == (512, 256, 3)
    assert "reduced from 1500 x 3000 to 256 x 512 pixels" in preview.text


def test_transparency_shows_a_checkerboard():
    image = np.zeros((16, 16, 4), np.uint8)
    pixels = decoded(show(image, zoom=1))
    assert {tuple(p) for p in pixels.reshape(-1, 3)} == {(204, 204, 204), (153, 153, 153)}


def test_options_of_show():
    image = np.array([[[0.25, 0.5, 1.0]]], np.float32)
    assert decoded(show(image, channel="g", zoom=1))[0, 0].tolist() == [128, 128, 128]
    assert decoded(show(image, exposure=1, zoom=1))[0, 0].tolist() == [128, 255, 255]
    assert decoded(show(image, gamma=2, zoom=1))[0, 0, 0] == 128
    assert decoded(show(np.float32([[7, 7.5, 8]]), colormap="viridis", zoom=1))[0, 0].tolist() == [0x44, 0x01, 0x54]
    assert decoded(show(image * 100, tone="reinhard", zoom=1)).max() <= 255


@pytest.mark.parametrize(
    "options",
    [
        {"range": (1, 1)},
        {"range": (0, np.inf)},
        {"tone": "filmic"},
        {"channel": "x"},
        {"gamma": 0},
        {"zoom": 0},
        {"zoom": 1000},
    ],
)
def test_bad_options_are_refused_by_name(options):
    with pytest.raises(ValidationError, match=next(iter(options))):
        show(np.zeros((4, 4), np.float32), **options)


@given(st.data())
def test_every_image_gives_a_valid_png(data):
    dtype = data.draw(st.sampled_from(DTYPES))
    image = data.draw(hnp.arrays(dtype, data.draw(SHAPES)))
    preview = show(image)
    pixels = decoded(preview)
    height, width = image.shape[:2]
    assert pixels.shape[0] % height == 0
    assert pixels.shape[:2] == (preview.height, preview.width)
    assert pixels.shape[0] // height == pixels.shape[1] // width
    assert pixels.shape[2] == 3


@given(st.data())
def test_no_array_makes_a_preview_fail(data):
    dtype = data.draw(st.sampled_from([*DTYPES, np.float64, np.complex64, np.dtype([("a", "f4"), ("b", "i4", (2,))])]))
    array = data.draw(hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)))
    preview = show(array)
    assert (preview.png is not None) == is_image(array)
    assert preview.text


def test_arrays_that_are_no_picture_are_described():
    assert show(np.arange(10, dtype=np.float32)).text.splitlines() == [
        "array(shape=(10,), dtype=float32)",
        "[0., 1., 2., 3., 4., 5., 6., 7., ...]",
        "min 0, max 9, mean 4.5",
    ]
    assert show(np.zeros(0, np.int32)).text.splitlines()[1] == "no elements"


def test_buffer_and_texture_have_pictures(device, rng):
    image = rng.integers(0, 256, (8, 16, 4), np.uint8)
    image[..., 3] = 255
    for shown in (device.buffer(image), device.texture(image, "rgba8Unorm")):
        data, metadata = shown._repr_mimebundle_()
        pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data["image/png"]))))
        np.testing.assert_array_equal(pixels[::32, ::32], image[..., :3])
        assert metadata["image/png"] == {"width": 512, "height": 256}
        assert data["text/plain"] == repr(shown)


def test_matrix_is_a_heat_map(device):
    data, _ = device.buffer(np.float32([[0, 1], [2, 3]]))._repr_mimebundle_()
    assert "shown from 0 to 3" in data["text/plain"]
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data["image/png"]))))
    assert pixels[0, 0].tolist() == [0x44, 0x01, 0x54]
    assert pixels[-1, -1].tolist() == [0xFD, 0xE7, 0x25]


def test_preview_holds_no_memory_of_the_device(device):
    texture = device.empty_texture((64, 64), "rgba8Unorm")
    preview = show(texture)
    before = device.current_allocated_size
    texture.release()
    assert device.current_allocated_size < before
    assert preview.png
    data, _ = texture._repr_mimebundle_()
    assert "was released" in data["text/plain"]
