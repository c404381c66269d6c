# SPDX-License-Identifier: MIT
"""Textures whose pixels are a Buffer's elements."""

import numpy as np
import pytest

import mtlpy_nb.metal as pm
from mtlpy_nb import StorageMode


def test_both_see_what_is_written(device, read):
    buffer = device.buffer(np.arange(32, dtype=np.float32).reshape(4, 8))
    texture = buffer.texture()
    assert (texture.shape, texture.pixel_format, texture.writable) == ((4, 8), "r32Float", True)
    np.testing.assert_array_equal(read(texture)[0, :, :, 0], buffer.numpy())
    texture.upload(np.full((2, 3), -1), region=np.s_[1:3, 5:])
    assert (buffer.numpy()[1:3, 5:] == -1).all()
    buffer.numpy()[0, 0] = 99
    assert texture.numpy()[0, 0] == 99
    with pytest.raises(ValueError, match="has 1 of r32Float"):
        texture.generate_mipmaps()


@pytest.mark.parametrize("storage", [StorageMode.SHARED, StorageMode.PRIVATE])
def test_a_part_of_a_buffer(device, storage):
    buffer = device.buffer(np.arange(3 * 4 * 8, dtype=np.float32).reshape(3, 4, 8), storage=storage)
    picture = buffer[1].texture()
    assert picture.is_private == (storage == StorageMode.PRIVATE)
    np.testing.assert_array_equal(picture.numpy(), buffer.numpy()[1])


def test_a_format_that_kernels_only_read(device, read):
    words = device.buffer(np.array([[0xF800, 0x07E0, 0x001F, 0, 0, 0, 0, 0]], np.uint16))
    texture = words.texture("b5g6r5Unorm")
    assert not texture.writable
    np.testing.assert_array_equal(read(texture)[0, 0, :3, :3], np.eye(3))


def test_the_buffer_may_go(device):
    texture = device.buffer(np.ones((4, 4), np.float32)).texture()
    np.testing.assert_array_equal(texture.numpy(), np.ones((4, 4)))


def test_one_long_row(device):
    sums = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void next(texture_buffer<uint, access::read> t, device uint* out, uint i [[thread_position_in_grid]])
        {
            out[i] = t.read(i).r + 1;
        }
    """)["next"]
    values = np.arange(100000, dtype=np.uint32)
    out = np.zeros_like(values)
    sums(device.buffer(values).texture("r32Uint", kind="buffer"), out)
    np.testing.assert_array_equal(out, values + 1)


def test_what_is_refused(device):
    buffer = device.buffer(np.zeros((4, 6), np.uint8))
    with pytest.raises(ValueError, match=r"bytesPerRow\(6\) must be a multiple of 16"):
        buffer.texture("r8Unorm")
    with pytest.raises(ValueError, match="r16Uint holds uint16, this Buffer uint8"):
        buffer.texture("r16Uint")
    with pytest.raises(ValueError, match="kind is '3d', must be '2d' or 'buffer'"):
        buffer.texture(kind="3d")
    with pytest.raises(ValueError, match=r"offset\(4\) must be a multiple of 16"):
        device.buffer(np.zeros(64, np.float32))[1:17].reshape(4, 4).texture()


def linear(width, height, name="R32Float", **others):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat[name], width, height)
    for key, value in others.items():
        setattr(descriptor, key, value)
    return descriptor


def test_the_rules_in_metals_own_words(device):
    native = device._native
    buffer = native.new_buffer(1024)
    step = native.minimum_linear_texture_alignment(pm.PixelFormat.R32Float)
    assert native.minimum_texture_buffer_alignment(pm.PixelFormat.R32Float) == step == 16
    texture = buffer.new_texture(linear(3, 4), step, 2 * step)
    texture.upload(np.arange(12, dtype=np.float32))
    stored = buffer.contents().view(np.float32)
    np.testing.assert_array_equal(stored[4:36].reshape(4, 8)[:, :3], np.arange(12).reshape(4, 3))
    assert texture.buffer is buffer
    for descriptor, offset, row, message in [
        (linear(3, 4), 8, 32, r"offset\(8\) must be a multiple of 16"),
        (linear(3, 4), 0, 24, r"bytesPerRow\(24\) must be a multiple of 16"),
        (linear(8, 4), 0, 16, r"bytesPerRow\(16\) must be >= the width in bytes\(32\)"),
        (linear(64, 4), 16, 256, "does not fit into the buffer, whose length is 1024"),
        (linear(4, 4, mipmap_level_count=2), 0, 16, "of one level"),
        (linear(4, 4, texture_type=pm.TextureType.Type2DArray), 0, 16, "2D or a texture buffer"),
        (linear(4, 4, "Depth32Float"), 0, 16, "MTLPixelFormatDepth32Float, which no texture on a buffer"),
        (linear(4, 4, storage_mode=pm.StorageMode.Private), 0, 16, "storageMode is 2, the buffer's is 0"),
    ]:
        with pytest.raises(pm.ValidationError, match=message):
            buffer.new_texture(descriptor, offset, row)
