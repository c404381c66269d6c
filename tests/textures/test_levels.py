# SPDX-License-Identifier: MIT
"""Smaller levels, of every kind and format that has them: each pixel is the mean of those it covers."""

import numpy as np
import pytest

from mtlpy_nb._pixel_formats import can_be_filtered
from mtlpy_nb.utils import PIXEL_FORMATS

KINDS = {
    "2d": (12, 20), "2d_array": (3, 8, 4), "3d": (4, 6, 8), "cube": (6, 8, 8), "cube_array": (2, 6, 4, 4),
}  # fmt: skip
FILTERABLE = [name for name, info in PIXEL_FORMATS.items() if can_be_filtered(name, info.msl_scalar_type)]


def mean_of(images, dims):
    """Of (images, rows, columns, 4); an odd last row or column is left out, a lone one kept."""
    for axis in (0, 1, 2) if dims == 3 else (1, 2):
        length = images.shape[axis]
        if length > 1:
            images = np.take(images, range(length // 2 * 2), axis)
            pairs = (*images.shape[:axis], length // 2, 2, *images.shape[axis + 1 :])
            images = images.reshape(pairs).mean(axis + 1)
    return images


def random_stored(rng, info, shape):
    if info.dtype.kind == "f":
        return rng.random(shape).astype(info.dtype)
    limits = np.iinfo(info.dtype)
    return rng.integers(limits.min, limits.max, shape, info.dtype, endpoint=True)


def coded(light):
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def step_of(name):
    """How far apart the numbers are that the format holds, near 1."""
    if "32Float" in name:
        return 1e-6
    if "16Float" in name:
        return 2**-11
    if name == "rg11b10Float":
        return 2**-5
    if name == "rgb9e5Float":
        return 2**-8
    bits = {"b5g6r5Unorm": 5, "a1bgr5Unorm": 1, "abgr4Unorm": 4, "bgr5A1Unorm": 1, "rgb10a2Unorm": 2,
            "bgr10a2Unorm": 2}  # fmt: skip
    if name in bits:
        return 1 / (2 ** bits[name] - 1)
    if "_xr" in name:
        return 1 / 200
    return 1 / 60 if name.endswith("srgb") else 1 / 127 if "8Snorm" in name else 1 / 255


@pytest.mark.parametrize("name", FILTERABLE)
def test_every_format(device, rng, read, name):
    info = PIXEL_FORMATS[name]
    texture = device.empty_texture((8, 12), name, mipmaps=True)
    assert texture.levels == 4
    stored = random_stored(rng, info, texture.shape)
    if name in ("rg11b10Float", "rgb9e5Float"):
        stored &= np.uint32(0x1F0F83E0 if name == "rgb9e5Float" else 0x1E0F03C0)  # no large and no odd numbers
        if name == "rgb9e5Float":
            stored = (stored & np.uint32(0x07FFFFFF)) | np.uint32(16 << 27)
    texture.upload(stored)
    texture.generate_mipmaps()
    for level in range(1, texture.levels):
        above = read(texture, level - 1).astype(np.float64)
        got = read(texture, level)
        atol = step_of(name) * (0.5 if "Float" not in name and "srgb" not in name else 1) * 1.02
        if name.endswith("_srgb") and "xr" not in name:
            # The nearest stored byte: half a step of the curve there.
            np.testing.assert_allclose(coded(got[..., :3]), coded(mean_of(above, 2)[..., :3]), atol=0.51 / 255)
            np.testing.assert_allclose(got[..., 3], mean_of(above, 2)[..., 3], atol=0.51 / 255)
            continue
        np.testing.assert_allclose(got, mean_of(above, 2), atol=atol, rtol=step_of(name))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["r32Float", "rgba8Unorm", "rg16Float"])
@pytest.mark.parametrize("private", [False, True])
def test_every_kind(device, rng, read, kind, name, private):
    texture = device.empty_texture(KINDS[kind], name, kind=kind, mipmaps=True, private=private)
    texture.upload(random_stored(rng, PIXEL_FORMATS[name], texture.shape))
    texture.generate_mipmaps()
    for level in range(1, texture.levels):
        expected = mean_of(read(texture, level - 1).astype(np.float64), texture.dims)
        np.testing.assert_allclose(read(texture, level), expected, atol=step_of(name) * 0.51)


@pytest.mark.parametrize("shape", [(1, 9), (9, 1), (5, 3), (1, 1), (7, 7)])
def test_odd_sizes(device, rng, read, shape):
    texture = device.texture(rng.random(shape, dtype=np.float32), mipmaps=True)
    assert texture.levels == max(shape).bit_length()
    for level in range(1, texture.levels):
        expected = mean_of(read(texture, level - 1).astype(np.float64), 2)
        np.testing.assert_allclose(read(texture, level), expected, rtol=1e-6)


def test_through_a_view(device, rng):
    pictures = rng.random((3, 8, 8), dtype=np.float32)
    texture = device.empty_texture((3, 8, 8), "r32Float", kind="2d_array", mipmaps=True)
    for level in range(texture.levels):
        texture.upload(np.zeros(texture.level_shape(level)), level)
    texture.upload(pictures)
    texture.view(levels=range(0, 3), slices=1).generate_mipmaps()
    np.testing.assert_allclose(texture.download(1, region=1), pictures[1].reshape(4, 2, 4, 2).mean((1, 3)), rtol=1e-6)
    assert not texture.download(1, region=0).any()
    assert not texture.download(3).any()


def test_what_has_no_levels(device):
    for shape, kind in (((8,), "1d"), ((2, 8), "1d_array")):
        with pytest.raises(ValueError, match="mipmapLevelCount is 4, must be 1 to 1"):
            device.empty_texture(shape, "r32Float", kind=kind, mipmaps=4)
    with pytest.raises(ValueError, match="mipmapLevelCount is 5, must be 1 to 4"):
        device.empty_texture((8, 8), "r32Float", mipmaps=5)
    for name in ("r8Uint", "depth32Float", "stencil8"):
        with pytest.raises(ValueError, match=f"pixels that can be filtered; .* of {name}"):
            device.empty_texture((8, 8), name, mipmaps=True).generate_mipmaps()
    with pytest.raises(ValueError, match="has 1 of r32Float"):
        device.empty_texture((8, 8), "r32Float").generate_mipmaps()
    # With levels asked for, those that can't be made are left as they are.
    assert device.texture(np.ones((4, 4), np.uint8), "r8Uint", mipmaps=True).levels == 3
    assert device.texture(np.ones((4, 4), np.float32), "depth32Float", mipmaps=True).levels == 3
