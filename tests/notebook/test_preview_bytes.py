# SPDX-License-Identifier: MIT
"""Images of bytes are coloured by a table: the same picture as the longer way gives."""

import numpy as np
import pytest

from mtlpy_nb.notebook.images import images_of_array, images_of_texture
from mtlpy_nb.notebook.look import Look
from mtlpy_nb.notebook.pixels import pixels_of_bytes, render
from mtlpy_nb.notebook.scale import choose_scale

BYTES = np.random.default_rng(5).integers(0, 256, (37, 53, 4), np.uint8)


def both(images, look):
    (plane,) = images.planes
    scale, _ = choose_scale(images.planes, look)
    return pixels_of_bytes(plane, scale), render(plane, scale).pixels()


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "options", [{}, {"gamma": 2.2}, {"range": (30, 200)}, {"channel": "r"}, {"exposure": 1}], ids=lambda o: "".join(o)
)
def test_arrays(channels, options):
    look = Look(**options)
    pixels = BYTES[..., :channels].copy()
    pixels[..., 3:] = 255
    quick, long = both(images_of_array(pixels, "x", look), look)
    np.testing.assert_array_equal(quick, long)


@pytest.mark.parametrize("pixel_format", ["rgba8Unorm", "bgra8Unorm", "rgba8Unorm_srgb", "rg8Unorm", "r8Unorm"])
def test_textures(device, pixel_format):
    channels = 4 if "a8" in pixel_format else len(pixel_format.partition("8")[0])
    pixels = BYTES[..., :channels].copy()
    pixels[..., 3:] = 255
    texture = device.texture(pixels if channels > 1 else pixels[..., 0], pixel_format)
    quick, long = both(images_of_texture(texture, Look()), Look())
    np.testing.assert_array_equal(quick, long)


def test_what_is_none_of_those():
    for image, options in (
        (BYTES, {}),  # not opaque
        (BYTES[..., :3].astype(np.float32), {}),
        (BYTES[..., 0], {"colormap": "viridis"}),
    ):
        look = Look(**options)
        assert both(images_of_array(image, "x", look), look)[0] is None
