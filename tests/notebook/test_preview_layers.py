# SPDX-License-Identifier: MIT
"""Layers and drawables in a notebook: the picture that is shown, in the notebook's colours."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb.metal as pm
from mtlpy_nb import show

from .preview_reference import decoded

if not pm.is_software(pm.create_system_default_device()):
    pytest.skip("what a Mac's display shows is not to be seen", allow_module_level=True)

FORMATS = {
    "BGRA8Unorm": np.array([[[20, 100, 250, 255]]], np.uint8),
    "BGRA8Unorm_sRGB": np.array([[[20, 100, 250, 255]]], np.uint8),
    "RGBA16Float": np.array([[[250 / 255, 100 / 255, 20 / 255, 1]]], np.float16),
}


@pytest.fixture(scope="module")
def device():
    return pm.create_system_default_device()


def layer_of(device, **properties):
    layer = pm.MetalLayer.layer()
    layer.device = device
    layer.drawable_size = (6, 4)
    layer.display_sync_enabled = False
    for name, value in properties.items():
        setattr(layer, name, value)
    return layer


def fill(device, texture, pixel):
    """Fill a texture with one pixel's bytes, as a blit can whatever it may be used for."""
    rows = np.ascontiguousarray(np.broadcast_to(pixel, (4, 6, 4)))
    commands = device.new_command_queue().command_buffer()
    with commands.blit_command_encoder() as encoder:
        source = device.new_buffer_with_data(rows)
        row = rows.nbytes // 4
        encoder.copy_from_buffer_to_texture(source, 0, row, rows.nbytes, (6, 4, 1), texture, 0, 0, (0, 0, 0))
    commands.commit()
    commands.wait_until_completed()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("framebuffer_only", [True, False])
def test_shows_what_was_presented(device, name, framebuffer_only):
    layer = layer_of(device, pixel_format=pm.PixelFormat[name], framebuffer_only=framebuffer_only)
    drawable = layer.next_drawable()
    fill(device, drawable.texture, FORMATS[name])
    expected = np.array([250, 100, 20])
    assert (np.abs(decoded(show(drawable))[..., :3].astype(int) - expected) <= 1).all()
    drawable.present()
    second = layer.next_drawable()  # not presented: not shown
    fill(device, second.texture, FORMATS[name] * 0)
    assert (np.abs(decoded(show(layer))[..., :3].astype(int) - expected) <= 1).all()


def test_a_linear_colour_space_is_turned_into_the_notebooks(device):
    layer = layer_of(device, colorspace="linear_srgb")
    drawable = layer.next_drawable()
    fill(device, drawable.texture, np.array([[[0, 55, 255, 255]]], np.uint8))
    drawable.present()
    red, green, blue = (int(n) for n in decoded(show(layer))[0, 0, :3])
    assert (red, blue) == (255, 0)
    assert green == round(255 * (1.055 * (55 / 255) ** (1 / 2.4) - 0.055))


def test_says_that_nothing_was_presented(device):
    layer = layer_of(device)
    assert repr(layer) == "<MetalLayer of 6 x 4>"
    assert repr(layer.next_drawable()).endswith(" of 6 x 4>")
    with pytest.raises(pm.ResourceError, match="nothing has been presented yet"):
        show(layer)


def test_a_cells_last_value_is_shown(notebook, device):
    layer = layer_of(device)
    notebook.shell.user_ns["layer"] = layer
    formatter = notebook.shell.display_formatter
    data, _ = formatter.format(layer)
    assert data["text/plain"] == "<MetalLayer of 6 x 4>\nnothing has been presented yet"
    drawable = layer.next_drawable()
    fill(device, drawable.texture, FORMATS["BGRA8Unorm"])
    drawable.present()
    assert "image/png" in formatter.format(layer)[0]
    assert "image/png" in formatter.format(drawable)[0]
