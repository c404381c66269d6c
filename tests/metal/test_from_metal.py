# SPDX-License-Identifier: MIT
"""Objects of the low level as those of the high level, and back: they are the same memory."""

import numpy as np
import pytest

import mtlpy_nb
import mtlpy_nb.metal as pm
from mtlpy_nb import Buffer, Texture


@pytest.fixture(scope="module")
def owner():
    return mtlpy_nb.default_device()


def make(device, format=pm.PixelFormat.RGBA8Unorm, width=4, height=3):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(format, width, height, False)
    descriptor.usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite
    return device.new_texture(descriptor)


def test_a_texture_is_shared_both_ways(owner):
    native = make(owner.metal)
    texture = Texture.from_metal(native)
    assert texture.metal is native
    assert (texture.shape, texture.pixel_format) == ((3, 4, 4), "rgba8Unorm")
    pixels = np.arange(48, dtype=np.uint8).reshape(3, 4, 4)
    native.replace_region(pixels.tobytes(), 16, 0, 0, 4, 3)
    assert np.array_equal(texture.numpy(), pixels)
    texture.upload(255 - pixels)
    read = bytearray(48)
    native.get_bytes(read, 16, pm.Origin(), pm.Size(4, 3), 0)
    assert bytes(read) == (255 - pixels).tobytes()


def test_a_texture_of_the_high_level_is_one_of_the_low_level(owner):
    texture = owner.texture(np.full((2, 2, 4), 7, np.uint8), "rgba8Unorm")
    assert isinstance(texture.metal, pm.Texture)
    assert texture.metal.width == 2
    assert texture.metal.device is owner.metal


def test_a_buffer_is_shared_both_ways(owner):
    native = owner.metal.new_buffer(64)
    buffer = Buffer.from_metal(native, np.float32, (4, 4))
    buffer.contents[:] = np.arange(16)
    assert buffer.metal is native
    assert np.array_equal(np.frombuffer(native.contents(), np.float32), np.arange(16))
    assert Buffer.from_metal(native).shape == (64,)
    assert Buffer.from_metal(native, "half", np.int64(8)).shape == (8,)
    assert float(mtlpy_nb.operators.sum(buffer)) == 120


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda owner: Buffer.from_metal(owner.metal.new_buffer(8), np.float32, 3), "takes 12 bytes"),
        (lambda owner: Buffer.from_metal(owner.metal.new_buffer(8), np.float32, (-1, 2)), "must not be negative"),
        (lambda owner: Buffer.from_metal(owner.metal.new_buffer(8), object), "dtype is object"),
        (lambda owner: Buffer.from_metal(b"1234"), "must be a metal.Buffer"),
        (lambda owner: Texture.from_metal(owner.metal.new_buffer(8)), "must be a metal.Texture"),
        (lambda owner: Texture.from_metal(make(owner.metal), device=owner.metal), "device must be a Device"),
    ],
)
def test_what_does_not_fit_is_refused(owner, call, error):
    with pytest.raises(pm.ValidationError, match=error):
        call(owner)
