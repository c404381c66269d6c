# SPDX-License-Identifier: MIT
"""Textures and samplers: shapes, formats, copies in and out, and what is refused."""

import numpy as np
import pytest

import mtlpy_nb as mtlpy

FORMATS = {
    "r8Unorm": (1, np.uint8), "rgba8Unorm": (4, np.uint8), "r8Uint": (1, np.uint8), "rgba8Uint": (4, np.uint8),
    "bgra8Unorm": (4, np.uint8), "bgra8Unorm_srgb": (4, np.uint8), "r16Uint": (1, np.uint16),
    "rgba16Uint": (4, np.uint16), "r16Float": (1, np.float16), "rgba16Float": (4, np.float16),
    "r32Float": (1, np.float32), "rgba32Float": (4, np.float32), "r32Uint": (1, np.uint32),
    "rgba32Uint": (4, np.uint32),
}  # fmt: skip
SHAPES = [(16,), (5, 7), (3, 5, 7)]


def pixels(rng, shape, name):
    channels, dtype = FORMATS[name]
    shape = shape if channels == 1 else (*shape, channels)
    if np.dtype(dtype).kind == "f":
        return rng.random(shape).astype(dtype)
    return rng.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", FORMATS)
def test_pixels_go_in_and_out(device, rng, name, shape):
    data = pixels(rng, shape, name)
    texture = device.texture(data, name)
    assert texture.dims == len(shape)
    assert (texture.depth, texture.height, texture.width) == (1, 1, *shape)[-3:] if len(shape) < 3 else shape
    assert texture.pixel_format == name
    assert texture.shape == data.shape
    assert (texture.channels, texture.dtype) == (FORMATS[name][0], FORMATS[name][1])
    assert texture.normalized == ("norm" in name)
    assert texture.msl_scalar_type == ("uint" if "Uint" in name else "float")
    assert (texture.readable, texture.writable, texture.is_private) == (True, True, False)
    assert isinstance(texture.mtl_ptr, int)
    for out in (texture.download(), texture.numpy(), np.asarray(texture)):
        assert out.dtype == data.dtype
        np.testing.assert_array_equal(out, data)


def test_downloads_are_independent(device):
    texture = device.texture(np.zeros((4, 4), np.float32), "r32Float")
    first = texture.download()
    first[:] = 5
    assert not texture.download().any()
    with pytest.raises(ValueError, match="copy=False"):
        np.array(texture, copy=False)
    with pytest.raises(ValueError, match="copy=False"):
        texture.__array__(copy=False)
    assert texture.__array__(np.float64).dtype == np.float64


def test_private_textures(device, rng):
    data = rng.random((6, 9), dtype=np.float32)
    texture = device.empty_texture((6, 9), "r32Float", private=True)
    assert texture.is_private
    texture.upload(data)
    np.testing.assert_array_equal(texture.download(), data)


def test_uploads_cast_and_check_shapes(device):
    texture = device.empty_texture((2, 3), "r32Float")
    texture.upload(np.arange(6, dtype=np.int64).reshape(2, 3))
    np.testing.assert_array_equal(texture.download(), np.arange(6).reshape(2, 3))
    with pytest.raises(ValueError, match="shape"):
        texture.upload(np.zeros((3, 2), np.float32))


@pytest.mark.parametrize("shape", [(), (1, 2, 3, 4)])
def test_shapes_that_there_are_not(device, shape):
    with pytest.raises(ValueError, match="Texture shape must have 1, 2, or 3 dims"):
        device.empty_texture(shape, "r32Float")


def test_textures_that_there_are_not(device):
    with pytest.raises(ValueError, match="A texture must be at least one of readable/writable"):
        device.empty_texture((4, 4), "r32Float", readable=False, writable=False)
    with pytest.raises(ValueError, match=r"Unknown pixel format: 'r32'.*Supported: "):
        device.empty_texture((4, 4), "r32")


def test_copies_with_buffers(device, other_device, rng):
    data = rng.integers(0, 255, (4, 6, 4), np.uint8)
    source = device.buffer(np.concatenate([np.zeros(8, np.uint8), data.reshape(-1)]))
    texture, target = device.empty_texture((4, 6), "rgba8Unorm"), device.buffer(np.zeros(104, np.uint8))
    texture.upload_from_buffer(source, offset=8)
    np.testing.assert_array_equal(texture.download(), data)
    texture.download_to_buffer(target, offset=8)
    np.testing.assert_array_equal(target.contents, source.contents)
    device.blit_upload_texture(target, texture, offset=4, wait=False)
    device.blit_download_texture(texture, target, offset=0, wait=True)
    np.testing.assert_array_equal(target.contents[:96], source.contents[4:100])

    for call in (device.blit_upload_texture, lambda b, t, **o: device.blit_download_texture(t, b, **o)):
        with pytest.raises(TypeError, match="Buffer dtype float32 doesn't match texture pixel_format 'rgba8Unorm'"):
            call(device.buffer(104), texture)
        with pytest.raises(ValueError, match=r"Buffer has 104 bytes, but offset=16 plus this .* needs 112"):
            call(target, texture, offset=16)
        with pytest.raises(ValueError, match="belong to different Device instances"):
            call(other_device.buffer(np.zeros(104, np.uint8)), texture)


def test_copies_between_textures(device, other_device, rng):
    data = rng.random((4, 6), dtype=np.float32)
    source, target = device.texture(data, "r32Float"), device.empty_texture((4, 6), "r32Float")
    source.copy_to(target)
    np.testing.assert_array_equal(target.download(), data)
    source.copy_to(device.empty_texture((4, 6), "r32Float"), wait=False)
    source.optimize_for_gpu_access()
    source.optimize_for_gpu_access(wait=False)
    np.testing.assert_array_equal(source.download(), data)
    with pytest.raises(TypeError, match="'r16Float' doesn't match source pixel_format 'r32Float'"):
        source.copy_to(device.empty_texture((4, 6), "r16Float"))
    with pytest.raises(ValueError, match=r"\(6, 4\) doesn't match source shape \(4, 6\)"):
        source.copy_to(device.empty_texture((6, 4), "r32Float"))
    with pytest.raises(ValueError, match="different Device instance"):
        source.copy_to(other_device.empty_texture((4, 6), "r32Float"))


def test_buffers_as_kernels_read_textures(device, other_device, rng):
    data = rng.integers(0, 255, (3, 5, 4), np.uint8)
    plain = device.buffer_from_texture(device.texture(data, "rgba8Unorm"))
    assert (plain.dtype, plain.shape) == (np.uint8, (3, 5, 4))
    np.testing.assert_array_equal(plain.numpy(), data)
    np.testing.assert_array_equal(device.texture(data, "rgba8Unorm").to_buffer().numpy(), data)
    swapped = device.buffer_from_texture(device.texture(data, "bgra8Unorm"))
    np.testing.assert_array_equal(swapped.numpy(), data[..., [2, 1, 0, 3]])
    value = data[..., [2, 1, 0]] / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4) * 255
    curved = device.buffer_from_texture(device.texture(data, "bgra8Unorm_srgb")).numpy()
    np.testing.assert_allclose(curved[..., :3], np.rint(linear), atol=1)
    with pytest.raises(ValueError, match="readable=False"):
        device.buffer_from_texture(device.empty_texture((4, 4), "r32Float", readable=False))
    with pytest.raises(ValueError, match="Texture belongs to a different Device instance"):
        device.buffer_from_texture(other_device.empty_texture((4, 4), "r32Float"))


def test_the_staging_heap(device):
    fresh = mtlpy.Device(cache_path=False)
    shared = fresh.empty_texture((64, 64), "r32Float")
    shared.upload(np.ones((64, 64), np.float32))
    np.testing.assert_array_equal(shared.download(), 1)
    assert fresh.clear_staging_heap() == 0  # the processor reaches it
    private = fresh.empty_texture((64, 64), "r32Float", private=True)
    private.upload(np.ones((64, 64), np.float32))
    assert fresh.clear_staging_heap() >= 64 * 64 * 4
    assert fresh.clear_staging_heap() == 0
    staging = fresh._staging_buffer(100, np.float32)
    assert (staging.size, staging.dtype) == (100, np.float32)


def test_samplers(device):
    sampler = device.sampler()
    assert (sampler.linear, sampler.repeat) == (True, False)
    other = device.sampler(linear=False, repeat=True)
    assert (other.linear, other.repeat) == (False, True)
    assert repr(sampler).startswith("Sampler(")


def test_text(device):
    assert repr(device.empty_texture((4, 6), "rgba8Unorm")).startswith(
        "Texture(shape=(4, 6, 4), pixel_format='rgba8Unorm'"
    )


def test_inner_checks(device, other_device):
    from mtlpy_nb.device import _texture_buffer_layout

    texture = device.empty_texture((3, 5), "rgba8Unorm")
    assert texture._bytes_per_row_and_image() == (20, 60)
    assert _texture_buffer_layout(texture, device.buffer(np.zeros(68, np.uint8)), 8) == (20, 60)
    with pytest.raises(ValueError, match=r"Buffer has 68 bytes, but offset=9 plus this \(3, 5, 4\) texture's 60 bytes"):
        _texture_buffer_layout(texture, device.buffer(np.zeros(68, np.uint8)), 9)
    texture._check_data_shape(np.zeros((3, 5, 4), np.uint8))
    with pytest.raises(ValueError, match="shape"):
        texture._check_data_shape(np.zeros((5, 3, 4), np.uint8))
    texture._check_same_device(device.empty_texture((3, 5), "r8Unorm"), "Texture")
    with pytest.raises(ValueError, match="Destination belongs to a different Device instance"):
        texture._check_same_device(other_device.empty_texture((3, 5), "rgba8Unorm"), "Destination")
