# SPDX-License-Identifier: MIT
"""What is uploaded is downloaded, of every kind, format, level and region; NumPy's indexing is the model."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mtlpy_nb
from mtlpy_nb.utils import PIXEL_FORMATS

PAIRS = ("gbgr422", "bgrg422")
FLAT = tuple(name for name in PIXEL_FORMATS if name.startswith(("depth", "stencil", "x32", "x24")))

sides = st.integers(1, 7)


@st.composite
def shapes(draw, kind):
    """Without channels."""
    side = draw(sides)
    return {
        "1d": lambda: (draw(sides),),
        "1d_array": lambda: (draw(st.integers(1, 3)), draw(sides)),
        "2d": lambda: (draw(sides), draw(sides)),
        "2d_array": lambda: (draw(st.integers(1, 3)), draw(sides), draw(sides)),
        "3d": lambda: (draw(sides), draw(sides), draw(sides)),
        "cube": lambda: (6, side, side),
        "cube_array": lambda: (draw(st.integers(1, 2)), 6, side, side),
    }[kind]()


@st.composite
def textures(draw):
    """A kind, a shape, a format and whether it has levels."""
    kind = draw(st.sampled_from(["1d", "1d_array", "2d", "2d_array", "3d", "cube", "cube_array"]))
    names = [name for name in PIXEL_FORMATS if name not in PAIRS]
    if kind in ("1d", "1d_array", "3d"):
        names = [name for name in names if name not in FLAT]
    shape = draw(shapes(kind))
    return kind, shape, draw(st.sampled_from(names)), draw(st.booleans()) and not kind.startswith("1d")


@st.composite
def regions(draw, shape):
    """An index of ints and slices of an array of that shape, perhaps with an ellipsis or shorter."""
    index = []
    for length in shape:
        first = draw(st.integers(0, length - 1))
        last = draw(st.integers(first + 1, length))
        choice = draw(st.integers(0, 3))
        index.append([first, first - length, slice(first, last), slice(None)][choice])
    kept = draw(st.integers(0, len(index)))
    if draw(st.booleans()):
        return tuple(index[:kept])
    dots = [...] if kept < len(index) or draw(st.booleans()) else []
    return tuple(index[: kept // 2] + dots + index[len(index) - (kept - kept // 2) :])


def with_channels(region, texture):
    """The same index of an array whose last axis is that of the channels."""
    return (*region, slice(None)) if ... in region and texture.channels > 1 else region


def random_pixels(rng, shape, dtype):
    if dtype.kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0, 256, (*shape, dtype.itemsize), np.uint8).view(dtype)[..., 0]


@settings(max_examples=150)
@given(textures(), st.data())
def test_parts_are_replaced_as_those_of_an_array(device, made, data):
    kind, shape, name, has_levels = made
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    texture = device.empty_texture(
        shape,
        name,
        kind=kind,
        mipmaps=has_levels,
        private=data.draw(st.booleans()),
        format_views=data.draw(st.booleans()),
    )
    levels = [random_pixels(rng, texture.level_shape(level), texture.dtype) for level in range(texture.levels)]
    for level, pixels in enumerate(levels):
        texture.upload(pixels, level)
    for _ in range(3):
        level = data.draw(st.integers(0, texture.levels - 1))
        spatial = texture.level_shape(level)[: -1 if texture.channels > 1 else None]
        region = data.draw(regions(spatial))
        place = with_channels(region, texture)
        part = random_pixels(rng, levels[level][place].shape, texture.dtype)
        texture.upload(part, level, region=region)
        levels[level][place] = part
        seen = data.draw(regions(spatial))
        expected = levels[level][with_channels(seen, texture)]
        np.testing.assert_array_equal(texture.download(level, region=seen), expected)
    for level, pixels in enumerate(levels):
        np.testing.assert_array_equal(texture.download(level), pixels)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("private", [False, True])
def test_pairs_of_pixels(device, rng, name, private):
    pixels = rng.integers(0, 256, (5, 8, 2), np.uint8)
    texture = device.texture(pixels, name, private=private)
    assert not texture.writable
    np.testing.assert_array_equal(texture.download(), pixels)
    np.testing.assert_array_equal(texture.download(region=np.s_[1:3, 2:6]), pixels[1:3, 2:6])
    with pytest.raises(ValueError, match="must be even"):
        texture.download(region=np.s_[:, 1:3])
    with pytest.raises(ValueError, match="width is 5, must be even"):
        device.empty_texture((4, 5), name)


@pytest.mark.parametrize("private", [False, True])
def test_what_is_asked_for_in_order_is_seen(device, private):
    """An upload waits for the work before it, and work after it sees the pixels."""
    add = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void add(texture2d<float, access::read_write> t, uint2 p [[thread_position_in_grid]])
        {
            float sum = 0;
            for (int i = 0; i < 20000; ++i) sum += sin(float(i));
            t.write(t.read(p) + 1 + 0 * sum, p);
        }
    """)["add"]
    texture = device.texture(np.zeros((16, 16), np.float32), private=private)
    handles = [add(texture, grid=(16, 16), wait=False) for _ in range(3)]
    np.testing.assert_array_equal(texture.download(), np.full((16, 16), 3))
    handles.append(add(texture, grid=(16, 16), wait=False))
    texture.upload(np.full((16, 16), 10))
    np.testing.assert_array_equal(texture.download(), np.full((16, 16), 10))
    for handle in handles:
        handle.wait()


def test_casts_and_layouts(device):
    texture = device.empty_texture((3, 4), "r8Uint")
    texture.upload(np.arange(12).reshape(4, 3).T)
    np.testing.assert_array_equal(texture.download(), np.arange(12).reshape(4, 3).T)
    texture.upload(np.arange(12, dtype=">u2").reshape(3, 4)[::-1])
    np.testing.assert_array_equal(texture.download(), np.arange(12).reshape(3, 4)[::-1])
    texture.upload([[1, 2]], region=np.s_[1:2, 2:])
    np.testing.assert_array_equal(texture.download()[1], [7 - 3, 5, 1, 2])
    texture.upload(np.zeros((3, 4, 1)))
    assert not texture.numpy().any()


def test_what_is_refused(device):
    texture = device.empty_texture((3, 4, 5), "rg8Unorm", kind="2d_array")
    for shape in [(3, 4, 5), (3, 4, 5, 1), (4, 5, 2), (3, 4, 5, 2, 1), ()]:
        with pytest.raises(ValueError, match=r"Data shape .* does not match texture shape \(3, 4, 5, 2\)"):
            texture.upload(np.zeros(shape, np.uint8))
    with pytest.raises(ValueError, match=r"does not match region's shape \(4, 2, 2\)"):
        texture.upload(np.zeros((4, 5, 2), np.uint8), region=np.s_[0, :, 1:3])
    for region, error, message in [
        (np.s_[3], ValueError, "3 is outside of axis 0, which has 3"),
        (np.s_[:, ::2], ValueError, "axis 1 has a step of 2"),
        (np.s_[:, 3:1], ValueError, "axis 1 selects none of its 4"),
        (np.s_[0, 0, 0, 0], ValueError, "has 4 axes, the texture without channels has 3"),
        (np.s_[..., ...], TypeError, "more than one"),
        (np.s_["a"], TypeError, "axis 0 has str"),
        (True, TypeError, "axis 0 has a bool"),
        (None, TypeError, "axis 0 has NoneType"),
    ]:
        with pytest.raises(error, match=message):
            texture.download(region=region)
    with pytest.raises(TypeError, match="pixels are numbers"):
        texture.upload(np.full((3, 4, 5, 2), "a"))
    for level in (-1, 1):
        with pytest.raises(ValueError, match=f"level is {level}, must be 0 to 0"):
            texture.download(level)


def test_a_failed_upload_changes_nothing(device):
    texture = device.texture(np.ones((2, 2), np.float32))
    with pytest.raises(mtlpy_nb.ValidationError):
        texture.upload(np.zeros((2, 3), np.float32))
    np.testing.assert_array_equal(texture.download(), np.ones((2, 2)))
