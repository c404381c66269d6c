# SPDX-License-Identifier: MIT
"""Pictures of textures of every pixel format, kind and storage, compared with the meaning of their bits."""

import itertools
import math
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mtlpy_nb
from mtlpy_nb import show
from mtlpy_nb.utils import PIXEL_FORMATS

from .preview_reference import Case, decoded


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


# ---- What the bits mean, written down once more ----


def half(bits: int) -> float:
    return struct.unpack("<e", struct.pack("<H", bits))[0]


def single(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def light(stored: float) -> float:
    size = abs(stored)
    size = size / 12.92 if size <= 0.04045 else ((size + 0.055) / 1.055) ** 2.4
    return math.copysign(size, stored)


def fields(word: int, *bits: int) -> list[int]:
    """From the lowest bit up."""
    out = []
    for count in bits:
        out.append(word & (2**count - 1))
        word >>= count
    return out


def unsigned_float(bits: int, fraction_bits: int) -> float:
    exponent, fraction = bits >> fraction_bits, bits % 2**fraction_bits / 2**fraction_bits
    if exponent == 31:
        return math.nan if fraction else math.inf
    return fraction * 2.0**-14 if exponent == 0 else (1 + fraction) * 2.0 ** (exponent - 15)


def shared_exponent(word: int) -> tuple:
    *parts, exponent = fields(word, 9, 9, 9, 5)
    return tuple(part * 2.0 ** (exponent - 24) for part in parts)


def unorm(values, *bits) -> tuple:
    return tuple(v / (2**b - 1) for v, b in zip(values, bits, strict=True))


def wide(stored: int) -> float:
    return (stored - 384) / 510


def reversed_fields(word: int, *bits: int) -> tuple:
    """Alpha or blue is lowest; red first."""
    return unorm(fields(word, *bits)[::-1], *bits[::-1])


def bgra(values: tuple) -> tuple:
    return (values[2], values[1], values[0], *values[3:])


PAIRS = ("gbgr422", "bgrg422")  # two pixels of a row have red and blue together
PACKED = {
    "b5g6r5Unorm": lambda w: reversed_fields(w, 5, 6, 5),
    "a1bgr5Unorm": lambda w: reversed_fields(w, 1, 5, 5, 5),
    "abgr4Unorm": lambda w: reversed_fields(w, 4, 4, 4, 4),
    "bgr5A1Unorm": lambda w: bgra(unorm(fields(w, 5, 5, 5, 1), 5, 5, 5, 1)),
    "rgb10a2Unorm": lambda w: unorm(fields(w, 10, 10, 10, 2), 10, 10, 10, 2),
    "bgr10a2Unorm": lambda w: bgra(unorm(fields(w, 10, 10, 10, 2), 10, 10, 10, 2)),
    "rgb10a2Uint": lambda w: tuple(fields(w, 10, 10, 10, 2)),
    "rg11b10Float": lambda w: tuple(
        unsigned_float(f, b) for f, b in zip(fields(w, 11, 11, 10), (6, 6, 5), strict=True)
    ),
    "rgb9e5Float": shared_exponent,
    "bgr10_xr": lambda w: bgra(tuple(wide(f) for f in fields(w, 10, 10, 10))),
    "bgr10_xr_srgb": lambda w: bgra(tuple(light(wide(f)) for f in fields(w, 10, 10, 10))),
    "bgra10_xr": lambda w: bgra(tuple(wide(f >> 6) for f in fields(w, 16, 16, 16, 16))),
    "bgra10_xr_srgb": lambda w: bgra(
        (*(light(wide(f >> 6)) for f in fields(w, 16, 16, 16)), wide(fields(w >> 48, 16)[0] >> 6))
    ),
    "depth32Float_stencil8": lambda w: (single(w & 0xFFFFFFFF),),
    "x32_stencil8": lambda w: (w >> 32 & 0xFF,),
    "depth24Unorm_stencil8": lambda w: ((w & 0xFFFFFF) / 0xFFFFFF,),
    "x24_stencil8": lambda w: (w >> 24,),
}


def meaning(pixel_format: str, stored: tuple) -> tuple:
    """What a kernel reads, red first; of 8-bit sRGB the light."""
    if pixel_format in PACKED:
        return PACKED[pixel_format](stored[0])
    info = PIXEL_FORMATS[pixel_format]
    values = bgra(stored) if pixel_format.startswith("bgra") else stored
    if "Snorm" in pixel_format:
        most = np.iinfo(info.dtype).max
        return tuple(max(v / most, -1.0) for v in values)
    if info.normalized:
        values = tuple(v / np.iinfo(info.dtype).max for v in values)
        return tuple(light(v) for v in values[:3]) + values[3:] if "srgb" in pixel_format else values
    return values


def case_of(pixel_format: str, raw: np.ndarray, **look) -> Case:
    info = PIXEL_FORMATS[pixel_format]
    stored = raw if raw.ndim == 3 else raw[..., None]
    kind = float if info.dtype.kind == "f" else int
    rows = [[meaning(pixel_format, tuple(kind(v) for v in pixel)) for pixel in row] for row in stored]
    is_integer = info.msl_scalar_type != "float"
    is_byte = info.normalized and info.dtype == np.uint8
    natural = (0, 1) if is_byte else (0, 255) if pixel_format == "rgba8Uint" else None
    opaque = 255 if pixel_format == "rgba8Uint" else None if is_integer else 1.0
    return Case(rows, not is_integer, natural, opaque, "srgb" in pixel_format, look)


@st.composite
def bits(draw, pixel_format: str, shape=None):
    """Any bits, as an array that the format's texture takes; NaN and infinities among floats."""
    info = PIXEL_FORMATS[pixel_format]
    spatial = shape or (draw(st.integers(1, 5)), draw(st.integers(1, 5)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    full = (*spatial, info.channels) if info.channels > 1 else spatial
    if info.dtype.kind == "f":
        array = (rng.random(full) * draw(st.sampled_from([1, 4])) - draw(st.sampled_from([0, 2]))).astype(info.dtype)
        for value in draw(st.lists(st.sampled_from([math.nan, math.inf, -math.inf]), max_size=2)):
            array[tuple(rng.integers(0, n) for n in full)] = value
        return array
    limits = np.iinfo(info.dtype)
    if pixel_format == "depth32Float_stencil8":
        depth = rng.random(full).astype(np.float32).view(np.uint32).astype(np.uint64)
        return depth | rng.integers(0, 256, full, np.uint64) << np.uint64(32)
    if pixel_format.startswith("bgra10"):  # the lowest six bits of each field mean nothing and are zero
        return rng.integers(0, limits.max, full, info.dtype, endpoint=True) & np.uint64(0xFFC0FFC0FFC0FFC0)
    return rng.integers(limits.min, limits.max, full, info.dtype, endpoint=True)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("pixel_format", [name for name in PIXEL_FORMATS if name not in PAIRS])
@settings(max_examples=20)
@given(data=st.data())
def test_every_format_is_shown_as_it_is_read(device, pixel_format, data):
    raw = data.draw(bits(pixel_format))
    look = data.draw(
        st.sampled_from([{}, {}, {"range": (0, 0.5)}, {"channel": "r"}, {"exposure": 1}, {"tone": "aces", "gamma": 2}])
    )
    texture = device.texture(raw, pixel_format, kind="2d")
    case_of(pixel_format, raw, **look).check(decoded(show(texture, zoom=1, **look)))


@pytest.mark.parametrize("pixel_format", ["rgba8Unorm", "bgra8Unorm_srgb", "r32Float", "rg16Uint", "b5g6r5Unorm"])
@settings(max_examples=5)
@given(data=st.data())
def test_private_memory_is_read_by_the_device(device, pixel_format, data):
    raw = data.draw(bits(pixel_format, (4, 8)))
    texture = device.empty_texture((4, 8), pixel_format, private=True)
    texture.upload(raw)
    case_of(pixel_format, raw).check(decoded(show(texture, zoom=1)))


def test_bytes_of_srgb_are_shown_as_they_are(device, rng):
    image = rng.integers(0, 256, (16, 16, 4), np.uint8)
    image[..., 3] = 255
    for pixel_format in ("rgba8Unorm_srgb", "bgra8Unorm_srgb"):
        red_first = image if pixel_format.startswith("rgba") else image[..., [2, 1, 0, 3]]
        pixels = decoded(show(device.texture(image, pixel_format), zoom=1))
        np.testing.assert_array_equal(pixels, red_first[..., :3])


@pytest.mark.parametrize("pixel_format", ["rgba8Unorm_srgb", "bgra8Unorm_srgb"])
def test_opacity_is_no_light(device, rng, pixel_format):
    image = rng.integers(0, 256, (8, 8, 4), np.uint8)
    pixels = decoded(show(device.texture(image, pixel_format), channel="a", zoom=1))
    np.testing.assert_array_equal(pixels, image[..., 3:].repeat(3, axis=2))


def test_what_is_not_shown_is_said(device):
    depth = device.empty_texture((2, 2), "depth32Float_stencil8")
    assert "the stencil is not shown" in show(depth).text
    numbers = device.empty_texture((2, 2), "rgba16Uint")
    assert "the fourth channel is not shown" in show(numbers).text.splitlines()
    assert "not shown" not in show(numbers, channel="a").text


KINDS = {
    "1d": (5,), "1d_array": (2, 5), "2d": (3, 5), "2d_array": (2, 3, 5), "3d": (2, 3, 5), "cube": (6, 3, 3),
    "cube_array": (2, 6, 3, 3), "buffer": (5,),
}  # fmt: skip


@pytest.mark.parametrize(("pixel_format", "kind"), list(zip(PIXEL_FORMATS, itertools.cycle(KINDS), strict=False)))
def test_every_kind_of_texture_has_a_picture(device, pixel_format, kind):
    if any(word in pixel_format for word in ("depth", "stencil")) and kind not in ("2d_array", "cube", "cube_array"):
        kind = "2d"  # Metal has no others of depths and stencils
    if pixel_format in PAIRS:
        data, metadata = device.empty_texture((3, 6), pixel_format)._repr_mimebundle_()
        assert metadata["image/png"]["width"] > 0
        return
    data, metadata = device.empty_texture(KINDS[kind], pixel_format, kind=kind)._repr_mimebundle_()
    assert metadata["image/png"]["width"] > 0
    assert data["text/plain"].startswith("Texture(shape=")


@pytest.mark.parametrize("pixel_format", PAIRS)
@pytest.mark.parametrize("width", [6, 3000])
@pytest.mark.parametrize("private", [False, True])
def test_pairs_have_red_and_blue_together(device, rng, pixel_format, width, private):
    stored = rng.integers(0, 256, (4, width, 2), np.uint8)
    green, other = (0, 1) if pixel_format == "gbgr422" else (1, 0)
    colours = np.empty((4, width, 3), np.uint8)
    colours[..., 1] = stored[..., green]
    colours[..., 0] = np.repeat(stored[:, 1::2, other], 2, axis=1)
    colours[..., 2] = np.repeat(stored[:, ::2, other], 2, axis=1)
    texture = device.texture(stored, pixel_format, private=private)
    if width == 6:
        np.testing.assert_array_equal(decoded(show(texture, zoom=1)), colours)
        return
    thinned = decoded(show(texture))
    as_array = decoded(show(colours))
    np.testing.assert_array_equal(thinned, as_array)


@pytest.mark.parametrize("swizzle", ["bgra", "rrr1", "g0b1", "1ar0"])
def test_views_are_shown_as_kernels_read_them(device, rng, swizzle):
    pixels = rng.integers(0, 256, (4, 5, 4), np.uint8)
    pixels[..., 3] = 255
    view = device.texture(pixels, "rgba8Unorm").view(swizzle=swizzle)
    columns = {"0": np.zeros_like(pixels[..., 0]), "1": np.full_like(pixels[..., 0], 255)}
    columns |= {letter: pixels[..., place] for place, letter in enumerate("rgba")}
    seen = np.stack([columns[letter] for letter in swizzle], axis=-1)
    np.testing.assert_array_equal(
        decoded(show(view, zoom=1)), decoded(show(device.texture(seen, "rgba8Unorm"), zoom=1))
    )


def test_a_view_of_one_level_and_of_one_slice(device, rng):
    texture = device.empty_texture((3, 8, 8), "r32Float", kind="2d_array", mipmaps=True)
    values = rng.random((3, 4, 4), dtype=np.float32)
    texture.upload(values, 1)
    preview = show(texture.view(levels=1, slices=2), zoom=1)
    Case.of_array(values[2]).check(decoded(preview))


def test_a_texture_on_a_buffer(device, rng):
    values = rng.random((4, 8), dtype=np.float32)
    buffer = device.buffer(values)
    Case.of_array(values).check(decoded(show(buffer.texture(), zoom=1)))
    row = device.buffer(values.reshape(-1)).texture(kind="buffer")
    assert show(row).png()


def test_levels_of_detail(device, rng):
    texture = device.texture(rng.integers(0, 256, (8, 16, 4), np.uint8), "rgba8Uint", mipmaps=True)
    for level in range(texture.levels):
        pixels = rng.integers(0, 256, texture.level_shape(level), np.uint8)
        texture.upload(pixels, level)
        preview = show(texture, level=level, zoom=1)
        case_of("rgba8Uint", pixels).check(decoded(preview))
        assert f"level {level} of 5: {pixels.shape[1]} x {pixels.shape[0]}" in preview.text
    with pytest.raises(mtlpy_nb.ValidationError, match="level is 5, must be 0 to 4"):
        show(texture, level=5)


@pytest.mark.parametrize(
    ("kind", "shape", "last"), [("3d", (5, 3, 4), 4), ("2d_array", (3, 3, 4), 2), ("cube", (6, 4, 4), 5),
                                ("cube_array", (2, 6, 4, 4), 11), ("1d_array", (3, 4), 2)]
)  # fmt: skip
def test_one_slice(device, rng, kind, shape, last):
    values = rng.random(shape, dtype=np.float32)
    texture = device.texture(values, "r32Float", kind=kind)
    images = values.reshape(last + 1, *(shape[-2:] if kind != "1d_array" else (1, 4)))
    for index in range(last + 1):
        Case.of_array(images[index]).check(decoded(show(texture, slice=index, zoom=1)))
    with pytest.raises(mtlpy_nb.ValidationError, match=f"slice is {last + 1}, must be 0 to {last}"):
        show(texture, slice=last + 1)
