# SPDX-License-Identifier: MIT
"""Textures of another texture's pixels: other formats, kinds, levels, slices and swizzles."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from settling import settled_size

import mtlpy_nb
import mtlpy_nb.metal as pm
from mtlpy_nb.utils import PIXEL_FORMATS

DEPTHS = tuple(name for name in PIXEL_FORMATS if name.startswith(("depth", "stencil", "x32", "x24")))
PAIRS = ("gbgr422", "bgrg422")


def size_of(name):
    info = PIXEL_FORMATS[name]
    return info.channels * info.dtype.itemsize


COLOURS = [name for name in PIXEL_FORMATS if name not in DEPTHS and name not in PAIRS]


@settings(max_examples=80)
@given(st.sampled_from(COLOURS), st.sampled_from(COLOURS), st.integers(0, 2**32 - 1))
def test_colours_of_one_size_are_seen_as_each_other(device, of, seen, seed):
    rng = np.random.default_rng(seed)
    texture = device.empty_texture((2, 3), of, format_views=True)
    pixels = rng.integers(0, 256, (2, 3, size_of(of)), np.uint8)
    texture.upload(pixels.view(texture.dtype).reshape(texture.shape))
    if size_of(of) != size_of(seen):
        with pytest.raises(ValueError, match="not of the size of the texture's"):
            texture.view(seen)
        return
    view = texture.view(seen)
    assert (view.pixel_format, view.parent) == (seen, texture)
    np.testing.assert_array_equal(view.download().view(np.uint8).reshape(pixels.shape), pixels)


def test_bits_as_kernels_see_them(device, read):
    words = np.array([[0x01020304, 0xFFFE0001]], np.uint32)
    texture = device.empty_texture((1, 2), "r32Uint", format_views=True)
    texture.upload(words)
    np.testing.assert_array_equal(read(texture.view("rg16Uint"))[0, 0, :, :2], [[0x0304, 0x0102], [1, 0xFFFE]])
    bytes_seen = read(texture.view("rgba8Unorm"))[0, 0]
    np.testing.assert_allclose(bytes_seen, np.array([[4, 3, 2, 1], [1, 0, 254, 255]]) / 255, rtol=1e-6)
    texture.view("r32Sint").upload([[-1, 5]])
    np.testing.assert_array_equal(texture.download(), [[0xFFFFFFFF, 5]])


def test_which_formats_need_leave(device):
    plain = device.texture(np.zeros((2, 2, 4), np.uint8), "rgba8Unorm")
    for name in ("rgba8Unorm_srgb", "bgra8Unorm_srgb", "rgba8Uint", "rgba8Snorm"):
        assert plain.view(name).pixel_format == name
    for name in ("r32Float", "rg16Uint", "rgb10a2Unorm"):
        with pytest.raises(ValueError, match="needs a texture made with format_views=True"):
            plain.view(name)
    both = device.empty_texture((2, 2), "depth32Float_stencil8")
    assert both.view("x32_stencil8").msl_scalar_type == "uint"
    assert device.empty_texture((2, 2), "depth24Unorm_stencil8").view("x24_stencil8").msl_scalar_type == "uint"
    with pytest.raises(ValueError, match="depths and stencils are no colours"):
        device.empty_texture((2, 2), "depth24Unorm_stencil8", format_views=True).view("r32Uint")
    for of, seen in [("depth32Float", "r32Float"), ("r8Uint", "stencil8"), ("r16Unorm", "depth16Unorm")]:
        with pytest.raises(ValueError, match="depths and stencils are no colours"):
            device.empty_texture((2, 2), of, format_views=True).view(seen)
    with pytest.raises(ValueError, match="two texels share components"):
        device.empty_texture((2, 2), "gbgr422", format_views=True).view("rg8Unorm")


def test_srgb_is_read_as_light(device, read):
    texture = device.texture(np.full((1, 1, 4), 128, np.uint8), "rgba8Unorm")
    light = ((128 / 255 + 0.055) / 1.055) ** 2.4
    np.testing.assert_allclose(
        read(texture.view("rgba8Unorm_srgb"))[0, 0, 0], [light, light, light, 128 / 255], rtol=1e-5
    )


def test_levels_and_slices(device, rng, read):
    texture = device.empty_texture((5, 8, 8), "r32Float", kind="2d_array", mipmaps=True)
    levels = [rng.random(texture.level_shape(level), dtype=np.float32) for level in range(4)]
    for level, pixels in enumerate(levels):
        texture.upload(pixels, level)
    view = texture.view(levels=range(1, 3), slices=range(2, 5))
    assert (view.kind, view.shape, view.levels) == ("2d_array", (3, 4, 4), 2)
    for level in range(2):
        np.testing.assert_array_equal(view.download(level), levels[level + 1][2:5])
        np.testing.assert_array_equal(read(view, level)[..., 0], levels[level + 1][2:5])
    one = texture.view(levels=2, slices=3)
    assert (one.kind, one.shape) == ("2d", (2, 2))
    np.testing.assert_array_equal(one.numpy(), levels[2][3])
    inner = view.view(levels=1, slices=0)
    np.testing.assert_array_equal(inner.numpy(), levels[2][2])
    inner.upload(np.zeros((2, 2)))
    assert not texture.download(2, region=2).any()
    assert texture.download(2, region=3).any()


def test_cubes_are_arrays_and_the_other_way_round(device, rng, read):
    faces = rng.random((2, 6, 4, 4), dtype=np.float32)
    cubes = device.texture(faces, "r32Float", kind="cube_array")
    flat = cubes.view(kind="2d_array")
    assert flat.shape == (12, 4, 4)
    np.testing.assert_array_equal(read(flat)[..., 0], faces.reshape(12, 4, 4))
    cube = cubes.view(kind="cube", slices=range(6, 12))
    np.testing.assert_array_equal(read(cube)[..., 0], faces[1])
    np.testing.assert_array_equal(read(flat.view(kind="cube_array", slices=range(6)))[..., 0], faces[0])
    np.testing.assert_array_equal(cubes.view(slices=7).numpy(), faces[1, 1])
    for kind, slices, message in [
        ("cube", range(5), "must be 6"),
        ("cube_array", range(7), "must be a multiple of 6"),
        ("2d", range(2), "must be 1"),
        ("3d", None, "textureType is 7"),
    ]:
        with pytest.raises(ValueError, match=message):
            cubes.view(kind=kind, slices=slices)


@pytest.mark.parametrize("swizzle", ["bgra", "rrr1", "0a1g", "abgr", "gggg"])
def test_swizzles(device, rng, read, swizzle):
    pixels = rng.random((2, 3, 4), dtype=np.float32)
    view = device.texture(pixels).view(swizzle=swizzle)
    columns = {"0": np.zeros((2, 3)), "1": np.ones((2, 3)), **{c: pixels[..., n] for n, c in enumerate("rgba")}}
    np.testing.assert_array_equal(read(view)[0], np.stack([columns[letter] for letter in swizzle], axis=-1))
    assert view.swizzle == swizzle
    assert not view.writable
    assert repr(view) == f"Texture(shape=(2, 3, 4), pixel_format='rgba32Float', view=True, swizzle='{swizzle}')"
    np.testing.assert_array_equal(view.download(), pixels)  # what is stored


def test_swizzles_of_swizzles(device, read):
    texture = device.texture(np.float32([[[1, 2, 3, 4]]]))
    view = texture.view(swizzle="r11g").view(swizzle="rgab")
    assert view.swizzle == "r1g1"
    np.testing.assert_array_equal(read(view)[0, 0, 0], [1, 1, 2, 1])


def test_kernels_write_through_views(device):
    fill = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void fill(texture2d<float, access::write> t, uint2 p [[thread_position_in_grid]])
        {
            t.write(float4(p.x + 10 * p.y), p);
        }
    """)["fill"]
    texture = device.texture(np.zeros((3, 4, 4), np.float32), kind="2d_array", mipmaps=True)
    fill(texture.view(levels=1, slices=2), grid=(2, 2))
    np.testing.assert_array_equal(texture.download(1, region=2), [[0, 1], [10, 11]])
    assert not texture.download(1, region=np.s_[:2]).any()
    with pytest.raises(mtlpy_nb.ArgumentError, match="written by the kernel"):
        fill(device.texture(np.zeros((4, 4, 4), np.float32)).view(swizzle="bgra"), grid=(4, 4))


def test_what_is_refused(device):
    texture = device.empty_texture((4, 4), "r32Float", mipmaps=True)
    for options, error, message in [
        ({"levels": 3}, ValueError, "levels is 3, must be 0 to 2"),
        ({"levels": range(1, 4)}, ValueError, r"levels is range\(1, 4\)"),
        ({"levels": range(0, 3, 2)}, ValueError, "one after another"),
        ({"levels": range(0)}, ValueError, "one after another"),
        ({"levels": 1.0}, TypeError, "must be an int or a range, got float"),
        ({"slices": -1}, ValueError, "slices is -1, must be 0 to 0"),
        ({"swizzle": "rgb"}, ValueError, "must be four of the letters"),
        ({"swizzle": "xyzw"}, ValueError, "must be four of the letters"),
        ({"swizzle": 3}, TypeError, "swizzle must be a str"),
        ({"kind": "4d"}, ValueError, "texture kind is '4d'"),
        ({"pixel_format": "rgb8"}, ValueError, "Unknown pixel format: 'rgb8'"),
    ]:
        with pytest.raises(error, match=message):
            texture.view(**options)
    for kind, shape in (("1d", (4,)), ("1d_array", (2, 4)), ("3d", (2, 2, 2))):
        other = device.empty_texture(shape, "r32Float", kind=kind)
        assert other.view().kind == kind
        with pytest.raises(ValueError, match="cannot be seen"):
            other.view(kind="2d")


def test_a_view_keeps_the_pixels():
    gc.disable()
    try:
        device = mtlpy_nb.Device(cache_path=False)
        before = settled_size(device)
        texture = device.texture(np.ones((64, 64), np.float32))
        gone = weakref.ref(texture)
        view = texture.view(levels=0)
        del texture
        np.testing.assert_array_equal(view.numpy(), np.ones((64, 64)))
        assert view.parent is gone()
        del view
        assert gone() is None
        device.clear_staging_heap()
        assert device.current_allocated_size == before
    finally:
        gc.enable()


def test_views_in_metals_own_words(device):
    native = device._native
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, 4, 4, True)
    texture = native.new_texture(descriptor)
    view = texture.new_texture_view(pm.PixelFormat.RGBA8Unorm_sRGB, level_range=(1, 2))
    assert (view.parent_texture, view.parent_relative_level, view.mipmap_level_count) == (texture, 1, 2)
    with pytest.raises(pm.ValidationError, match=r"MTLPixelFormatR32Uint.*MTLTextureUsagePixelFormatView"):
        texture.new_texture_view(pm.PixelFormat.R32Uint)
