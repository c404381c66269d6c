# SPDX-License-Identifier: MIT
"""Metal's own textures, as the low-level API makes them: plain, private and multisampled."""

import numpy as np
import pytest

import mtlpy_nb
import mtlpy_nb.metal as pm
from mtlpy_nb import show

from .preview_reference import decoded


@pytest.fixture(scope="module")
def device():
    return pm.create_system_default_device()


def made(device, **properties):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, 6, 4)
    descriptor.usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite
    for name, value in properties.items():
        setattr(descriptor, name, value)
    return device.new_texture(descriptor)


def test_the_same_picture_as_the_high_level_one(device, rng):
    image = rng.integers(0, 256, (4, 6, 4), np.uint8)
    native = made(device)
    native.upload(image)
    preview = show(native)
    high = show(mtlpy_nb.default_device().texture(image, "rgba8Unorm"))
    np.testing.assert_array_equal(decoded(preview), decoded(high))
    assert preview.text == high.text


@pytest.mark.parametrize("pixel_format", ["RGBA8Unorm", "BGRA8Unorm_sRGB", "R32Uint", "RG16Float", "Depth32Float"])
@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("length", [None, 3])
def test_multisampled(device, pixel_format, count, length):
    """Only rendering fills them; new ones are zero."""
    kind = "Type2DMultisample" + ("Array" if length else "")
    native = made(
        device,
        usage=pm.TextureUsage.ShaderRead,
        texture_type=pm.TextureType[kind],
        sample_count=count,
        pixel_format=pm.PixelFormat[pixel_format],
        storage_mode=pm.StorageMode.Private,
        array_length=length or 1,
    )
    preview = show(native)
    shown = "the first" if pixel_format == "R32Uint" else "the mean"
    assert f"{shown} of {count} samples of {pixel_format[0].lower()}" in preview.text
    pixels = decoded(preview)
    if length is None:
        assert pixels.shape == (256, 384, 3)
        clear = pixels[..., 0]  # over a checkerboard, where there is an opacity
        assert (np.isin(clear, (153, 204)) if "A8" in pixel_format else clear == 0).all() or "Uint" in pixel_format


def test_the_samples_mean_is_what_the_kernel_takes():
    """The text of the kernel: nothing but rendering can give the samples different values."""
    from mtlpy_nb.notebook.native_textures import _source
    from mtlpy_nb.utils import PIXEL_FORMATS

    text = _source("rgba8Unorm", PIXEL_FORMATS["rgba8Unorm"], True)
    assert "texture2d_ms_array<float, access::read>" in text
    assert "source.read(place.xy, place.z, sample)" in text
    assert "depth2d_ms<float, access::read>" in _source("depth32Float", PIXEL_FORMATS["depth32Float"], False)


def test_a_cell_s_value_is_shown(notebook):
    (data,) = notebook.outputs(
        "import mtlpy_nb.metal as pm\n"
        "pm.create_system_default_device().new_texture(pm.TextureDescriptor.texture2d_descriptor(70, 6, 4))"
    )
    assert "image/png" in data
    assert data["text/plain"] == "Texture(shape=(4, 6, 4), pixel_format='rgba8Unorm')"
