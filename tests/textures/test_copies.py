# SPDX-License-Identifier: MIT
"""Copies on the device: between Buffers and Textures, between Textures, and by a kernel."""

import numpy as np
import pytest

import mtlpy_nb
import mtlpy_nb.metal as pm
from mtlpy_nb import StorageMode
from mtlpy_nb.utils import PACKED_FORMATS, PIXEL_FORMATS

KINDS = {
    "1d": (7,), "1d_array": (3, 7), "2d": (4, 5), "2d_array": (3, 4, 5), "3d": (2, 4, 5), "cube": (6, 4, 4),
    "cube_array": (2, 6, 4, 4),
}  # fmt: skip


def random_texture(device, rng, kind, name="rgba8Uint", **options):
    texture = device.empty_texture(KINDS[kind], name, kind=kind, **options)
    for level in range(texture.levels):
        texture.upload(rng.integers(0, 100, texture.level_shape(level)).astype(texture.dtype), level)
    return texture


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("storage", [StorageMode.SHARED, StorageMode.PRIVATE])
def test_buffers_of_pixels(device, rng, kind, storage):
    pixels = rng.integers(0, 200, (*KINDS[kind], 4)).astype(np.uint8)
    padded = np.concatenate([np.zeros(8, np.uint8), pixels.reshape(-1)])
    texture = device.empty_texture(KINDS[kind], "rgba8Unorm", kind=kind, private=storage == StorageMode.PRIVATE)
    texture.upload_from_buffer(device.buffer(padded, storage=storage), offset=8)
    np.testing.assert_array_equal(texture.numpy(), pixels)
    target = device.empty(padded.shape, np.uint8, storage)
    target.fill(9)
    device.blit_download_texture(texture, target, offset=4)
    np.testing.assert_array_equal(target.contents[4:-4], pixels.reshape(-1))
    np.testing.assert_array_equal(target.contents[[0, 1, 2, 3, -4, -3, -2, -1]], 9)


def test_a_copy_that_is_not_waited_for(device):
    texture = device.texture(np.ones((64, 64), np.float32))
    buffer = device.empty((64, 64), np.float32)
    texture.download_to_buffer(buffer, wait=False)
    texture.upload_from_buffer(buffer, wait=False)
    other = device.empty_texture((64, 64), "r32Float")
    texture.copy_to(other, wait=False)
    texture.optimize_for_gpu_access(wait=False)
    np.testing.assert_array_equal(other.download(), np.ones((64, 64)))
    np.testing.assert_array_equal(buffer.numpy(), np.ones((64, 64)))


def test_uploads_and_downloads_come_after_work_that_is_not_waited_for(device):
    slowly = device.library("""
#include <metal_stdlib>
using namespace metal;
kernel void slowly(texture2d<uint, access::write> out, device uint* rounds, uint2 p [[thread_position_in_grid]])
{
    uint x = p.x;
    for (uint i = 0; i < rounds[0]; ++i) x = x * 1664525 + 1013904223;
    out.write(x == 12345 ? 8 : 7, p);
}
""")["slowly"]
    texture = device.empty_texture((64, 64), "r32Uint")
    rounds = np.uint32([100_000])
    slowly(texture, rounds, wait=False)
    np.testing.assert_array_equal(texture.download(), 7)
    slowly(texture, rounds, wait=False)
    texture.upload(np.full((64, 64), 5, np.uint32))
    np.testing.assert_array_equal(texture.download(), 5)


def test_managed_textures_are_read_as_kernels_left_them(device):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R32Uint, 8, 4)
    descriptor.storage_mode = pm.StorageMode.Managed
    descriptor.usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite
    texture = mtlpy_nb.Texture.from_metal(device.metal.new_texture(descriptor), device)
    texture.upload(np.full((4, 8), 5, np.uint32))
    device.library("""
#include <metal_stdlib>
using namespace metal;
kernel void increase(texture2d<uint, access::read_write> t, uint2 p [[thread_position_in_grid]])
{
    t.write(t.read(p).x + 1, p);
}
""")["increase"](texture)
    np.testing.assert_array_equal(texture.download(), 6)


def test_parts_of_shared_and_private_textures_are_the_same(device, rng):
    pixels = rng.integers(0, 200, (3, 9, 7, 4)).astype(np.uint8)
    part = np.s_[1:3, 2:8, 3:6]
    for private in (False, True):
        texture = device.empty_texture((3, 9, 7), "rgba8Unorm", kind="2d_array", private=private)
        texture.upload(np.zeros_like(pixels))
        texture.upload(pixels[part], region=part)
        expected = np.zeros_like(pixels)
        expected[part] = pixels[part]
        np.testing.assert_array_equal(texture.download(), expected)
        np.testing.assert_array_equal(texture.download(region=part), pixels[part])


@pytest.mark.parametrize("kind", KINDS)
def test_textures_into_textures(device, rng, kind):
    levels = not kind.startswith("1d")
    source = random_texture(device, rng, kind, mipmaps=levels)
    target = device.empty_texture(KINDS[kind], "rgba8Uint", kind=kind, mipmaps=levels, private=True)
    source.copy_to(target)
    for level in range(source.levels):
        np.testing.assert_array_equal(target.download(level), source.download(level))
    source.optimize_for_gpu_access()
    np.testing.assert_array_equal(source.download(), target.download())


def test_what_copies_refuse(device):
    texture, other = device.empty_texture((4, 4), "r32Float"), mtlpy_nb.Device(cache_path=False)
    message = "Destination pixel_format 'r8Unorm' doesn't match source pixel_format 'r32Float'"
    with pytest.raises(TypeError, match=message):
        texture.copy_to(device.empty_texture((4, 4), "r8Unorm"))
    with pytest.raises(ValueError, match=r"Destination shape \(4, 5\) doesn't match source shape \(4, 4\)"):
        texture.copy_to(device.empty_texture((4, 5), "r32Float"))
    with pytest.raises(TypeError, match="expected a Texture, got Buffer"):
        texture.copy_to(device.buffer(16))
    different = "belongs? to (a )?different Device"
    with pytest.raises(ValueError, match=different):
        texture.copy_to(other.empty_texture((4, 4), "r32Float"))
    with pytest.raises(ValueError, match=different):
        device.blit_upload_texture(other.buffer(16), texture)
    with pytest.raises(ValueError, match=different):
        device.blit_download_texture(other.empty_texture((4, 4), "r32Float"), device.buffer(16))
    with pytest.raises(ValueError, match=different):
        device.buffer_from_texture(other.empty_texture((4, 4), "r32Float"))
    with pytest.raises(
        ValueError, match=r"Buffer has 64 bytes, but offset=4 plus this \(4, 4\) texture's 64 bytes needs 68"
    ):
        texture.upload_from_buffer(device.buffer(16), offset=4)
    with pytest.raises(ValueError, match="offset=-4"):
        texture.download_to_buffer(device.buffer(32), offset=-4)
    with pytest.raises(TypeError, match="Buffer dtype int32 doesn't match texture pixel_format 'r32Float'"):
        texture.download_to_buffer(device.buffer(np.zeros(16, np.int32)))
    with pytest.raises(TypeError, match="expected a Buffer and a Texture, got ndarray and Texture"):
        texture.upload_from_buffer(np.zeros(16, np.float32))
    with pytest.raises(TypeError, match="expected a Texture, got ndarray"):
        device.buffer_from_texture(np.zeros(16, np.float32))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["r32Float", "rgba8Uint", "rg16Sint"])
def test_pixels_by_a_kernel(device, rng, kind, name):
    texture = random_texture(device, rng, kind, name)
    buffer = texture.to_buffer()
    assert (buffer.shape, buffer.dtype, buffer.storage) == (texture.shape, texture.dtype, StorageMode.SHARED)
    np.testing.assert_array_equal(buffer.numpy(), texture.numpy())


@pytest.mark.parametrize("name", [name for name in PIXEL_FORMATS if name not in PACKED_FORMATS])
def test_a_kernel_reads_what_is_meant(device, rng, name):
    """Colours red first, and light; all else comes back as it is stored."""
    info = PIXEL_FORMATS[name]
    shape = (4, 6, info.channels) if info.channels > 1 else (4, 6)
    if info.dtype.kind == "f":
        stored = rng.standard_normal(shape).astype(info.dtype)
    else:
        limits = np.iinfo(info.dtype)
        stored = rng.integers(limits.min, limits.max, shape, info.dtype, endpoint=True)
    expected = stored.astype(np.float64)
    if name.endswith("_srgb"):
        coded = expected / 255
        light = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4) * 255
        colours = np.s_[..., :3] if info.channels > 1 else ...
        expected[colours] = light[colours]
    if name.startswith("bgra"):
        expected = expected[..., [2, 1, 0, 3]]
    if "Snorm" in name:
        expected = np.maximum(expected, -np.iinfo(info.dtype).max)
    got = device.texture(stored, name).to_buffer().numpy()
    if name == "a8Unorm":
        expected[:] = 0  # its red
    np.testing.assert_allclose(got.astype(np.float64), np.rint(expected) if info.normalized else expected, atol=1e-12)


def test_formats_of_one_number_are_copied_as_stored(device, rng):
    words = rng.integers(0, 2**32, (3, 4), np.uint32)
    np.testing.assert_array_equal(device.texture(words, "rgb10a2Unorm").to_buffer().numpy(), words)


def test_its_pipelines_are_kept(device):
    device = mtlpy_nb.Device(cache_path=False)
    assert device._texture_to_buffer_pipelines == {}
    texture = device.texture(np.ones((4, 4), np.float32))
    device.buffer_from_texture(texture)
    texture.to_buffer()
    assert len(device._texture_to_buffer_pipelines) == 1
    device.buffer_from_texture(device.texture(np.ones((4, 4), np.uint8), "r8Uint"))
    assert len(device._texture_to_buffer_pipelines) == 2


def test_a_texture_that_kernels_may_not_read(device):
    texture = device.empty_texture((4, 4), "r32Float", readable=False)
    with pytest.raises(ValueError, match=r"Texture was created with readable=False \(see Device.empty_texture\(\)\)"):
        texture.to_buffer()
    texture.upload(np.ones((4, 4)))
    np.testing.assert_array_equal(texture.download(), np.ones((4, 4)))


def test_arrays_of_a_texture(device):
    texture = device.texture(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert np.asarray(texture).dtype == np.float32
    assert np.array(texture, dtype=np.int16).dtype == np.int16
    with pytest.raises(ValueError, match="Texture data isn't directly addressable from the CPU"):
        np.asarray(texture, copy=False)
    copy = texture.numpy()
    copy[:] = 9
    assert texture.numpy()[0, 0] == 0


def test_texture_buffers_wider_than_other_textures(device):
    values = np.arange(40000, dtype=np.float32)
    texture = device.texture(values, "r32Float", kind="buffer")
    np.testing.assert_array_equal(texture.download(), values)
    np.testing.assert_array_equal(texture.download(region=np.s_[100:30000]), values[100:30000])
    np.testing.assert_array_equal(texture.to_buffer().numpy(), values)
    texture.upload(-values[:20000], region=np.s_[20000:])
    values[20000:] = -values[:20000]
    copy = device.empty_texture((40000,), "r32Float", kind="buffer")
    texture.copy_to(copy)
    np.testing.assert_array_equal(copy.download(), values)
