# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Each pixel format's conversions: of every value stored in up to 16 bits, and of what rounds either way."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb._pixel_formats import SHARED_COMPONENTS, can_be_written
from mtlpy_nb.utils import PIXEL_FORMATS

SOURCE = """
#include <metal_stdlib>
using namespace metal;
#define ACCESS(name, T, vector) \
    kernel void read_##name(texture2d<T, access::read> t, device vector* out, uint2 p [[thread_position_in_grid]]) \
    { out[p.y * t.get_width() + p.x] = t.read(p); } \
    kernel void write_##name(texture2d<T, access::write> t, device const vector* in, uint2 p [[thread_position_in_grid]]) \
    { t.write(in[p.y * t.get_width() + p.x], p); } \
    kernel void copy_##name(texture2d<T, access::read> from, texture2d<T, access::write> to, \
                            uint2 p [[thread_position_in_grid]]) \
    { to.write(from.read(p), p); }
ACCESS(float, float, float4)
ACCESS(int, int, int4)
ACCESS(uint, uint, uint4)
kernel void depths(depth2d<float, access::read> t, device float* out, uint2 p [[thread_position_in_grid]])
{ out[p.y * t.get_width() + p.x] = t.read(p); }
"""
WIDTH = 256


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def library(device):
    return device.library(SOURCE)


# ---- What formats mean, written down a second time ----

F32 = np.float32


def unorm(bits):
    return lambda raw: raw.astype(F32) / F32(2**bits - 1)


def snorm(bits):
    return lambda raw: np.maximum(raw.astype(F32) / F32(2 ** (bits - 1) - 1), F32(-1))


def real(raw):
    with np.errstate(invalid="ignore"):
        return raw.astype(F32)


def light(raw):
    stored = raw / 255
    return np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4).astype(F32)


def small_float(fraction_bits):
    """An unsigned float with five bits of exponent."""

    def decode(raw):
        exponent, fraction = raw >> fraction_bits, (raw & (2**fraction_bits - 1)) / 2.0**fraction_bits
        finite = np.where(exponent == 0, fraction * 2.0**-14, (1 + fraction) * 2.0 ** (exponent.astype(float) - 15))
        return np.where(exponent == 31, np.where(fraction == 0, np.inf, np.nan), finite).astype(F32)

    return decode


def extended(raw):
    return (raw.astype(F32) - F32(384)) / F32(510)


# Of packed formats: each field's place (r, g, b, a), bits and meaning, from the lowest bit up.
PACKED = {
    "b5g6r5Unorm": [(2, 5, unorm(5)), (1, 6, unorm(6)), (0, 5, unorm(5))],
    "a1bgr5Unorm": [(3, 1, unorm(1)), (2, 5, unorm(5)), (1, 5, unorm(5)), (0, 5, unorm(5))],
    "abgr4Unorm": [(3, 4, unorm(4)), (2, 4, unorm(4)), (1, 4, unorm(4)), (0, 4, unorm(4))],
    "bgr5A1Unorm": [(2, 5, unorm(5)), (1, 5, unorm(5)), (0, 5, unorm(5)), (3, 1, unorm(1))],
    "rgb10a2Unorm": [(0, 10, unorm(10)), (1, 10, unorm(10)), (2, 10, unorm(10)), (3, 2, unorm(2))],
    "bgr10a2Unorm": [(2, 10, unorm(10)), (1, 10, unorm(10)), (0, 10, unorm(10)), (3, 2, unorm(2))],
    "rgb10a2Uint": [(0, 10, np.uint32), (1, 10, np.uint32), (2, 10, np.uint32), (3, 2, np.uint32)],
    "rg11b10Float": [(0, 11, small_float(6)), (1, 11, small_float(6)), (2, 10, small_float(5))],
    "bgr10_xr": [(2, 10, extended), (1, 10, extended), (0, 10, extended)],
    "bgra10_xr": [(c, 16, lambda raw: extended(raw >> 6)) for c in (2, 1, 0, 3)],
    "depth32Float_stencil8": [(0, 32, lambda raw: raw.astype(np.uint32).view(F32))],
    "x32_stencil8": [(None, 32, None), (0, 8, np.uint32)],
    "depth24Unorm_stencil8": [(0, 24, unorm(24))],
    "x24_stencil8": [(None, 24, None), (0, 8, np.uint32)],
}
PLAIN = {"Unorm": unorm, "Snorm": snorm}


def decode(name, raw):
    """Red, green, blue, alpha of stored texels: the last axis of `raw` is the channels."""
    info = PIXEL_FORMATS[name]
    kind = {"float": F32, "int": np.int32, "uint": np.uint32}[info.msl_scalar_type]
    out = np.zeros((len(raw), 4), kind)
    out[:, 3] = 1
    if name in SHARED_COMPONENTS:
        green, other = (0, 1) if name == "gbgr422" else (1, 0)
        out[:, 1] = raw[:, green] / F32(255)
        out[:, 0] = np.repeat(raw[1::2, other], 2) / F32(255)
        out[:, 2] = np.repeat(raw[::2, other], 2) / F32(255)
    elif name == "rgb9e5Float":
        word = raw[:, 0].astype(np.int64)
        for c in range(3):
            out[:, c] = ((word >> 9 * c) & 511) * 2.0 ** ((word >> 27) - 24)
    elif name in PACKED:
        word, shift = raw[:, 0].astype(np.uint64), 0
        for place, bits, meaning in PACKED[name]:
            if place is not None:
                out[:, place] = meaning((word >> np.uint64(shift)) & np.uint64(2**bits - 1))
            shift += bits
    else:
        bits = info.dtype.itemsize * 8
        for c in range(info.channels):
            place = 3 if name == "a8Unorm" else {0: 2, 2: 0}.get(c, c) if name.startswith("bgra") else c
            if name.endswith("_srgb") and c < 3:
                meaning = light
            elif "Snorm" in name:
                meaning = snorm(bits)
            elif "Unorm" in name:
                meaning = unorm(bits)
            else:
                meaning = real if info.dtype.kind == "f" else (lambda r, kind=kind: r.astype(kind))
            out[:, place] = meaning(raw[:, c])
    return out


def stored_values(name, rng):
    """All values of 8 and 16 bits in each channel; of others a good many, and those with all bits and none."""
    info = PIXEL_FORMATS[name]
    size = info.dtype.itemsize
    whole = np.dtype(f"u{size}")
    if size <= 2:
        column = np.arange(256**size, dtype=whole)
        raw = np.stack([np.roll(column, 77 * c) for c in range(info.channels)], -1)
    else:
        raw = rng.integers(0, 2 ** (8 * size), (WIDTH * 64, info.channels), np.uint64, endpoint=False).astype(whole)
        raw[0], raw[1] = 0, np.iinfo(whole).max
        if name in PACKED:  # every value of every field
            total = 0
            for _, bits, _ in PACKED[name]:
                if bits <= 11:
                    raw[: 2**bits, 0] &= whole.type(~(((2**bits - 1) << total) & (256**size - 1)) & (256**size - 1))
                    raw[: 2**bits, 0] |= np.arange(2**bits).astype(whole) << whole.type(total)
                total += bits
    return raw.view(info.dtype)


def texture_of(device, name, raw):
    info = PIXEL_FORMATS[name]
    shape = (len(raw) // WIDTH, WIDTH, info.channels) if info.channels > 1 else (len(raw) // WIDTH, WIDTH)
    return device.texture(raw.reshape(shape), name)


def same(got, want):
    """Equal bits but for the sign of zero and NaN's; denormals may be flushed."""
    if got.dtype.kind != "f":
        return got == want
    flushed = (got == 0) & (np.abs(want) < np.finfo(np.float32).tiny)
    return (got == want) | (np.isnan(got) & np.isnan(want)) | flushed


@pytest.mark.parametrize("name", PIXEL_FORMATS)
def test_every_stored_value_is_read(device, library, rng, name):
    raw = stored_values(name, rng)
    info = PIXEL_FORMATS[name]
    want = decode(name, raw) if not name.endswith("xr_srgb") else None
    out = np.zeros((len(raw), 4), {"float": F32, "int": np.int32, "uint": np.uint32}[info.msl_scalar_type])
    library[f"read_{info.msl_scalar_type}"](texture_of(device, name, raw), out, grid=(WIDTH, len(raw) // WIDTH))
    if name.endswith("xr_srgb"):
        linear = decode(name[:-5], raw)
        stored = np.abs(linear[:, :3].astype(np.float64))
        curve = np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)
        want = np.concatenate([np.copysign(curve, linear[:, :3]), linear[:, 3:]], axis=1)
        np.testing.assert_allclose(out, want, rtol=1e-6, atol=1e-7)
    elif name.endswith("_srgb"):
        np.testing.assert_allclose(out, want, rtol=2e-7)
    else:
        wrong = ~same(out, want)
        assert not wrong.any(), f"{raw[wrong.any(1)][:4]}: {out[wrong.any(1)][:4]}, expected {want[wrong.any(1)][:4]}"


@pytest.mark.parametrize("name", [n for n in PIXEL_FORMATS if can_be_written(n)])
def test_what_is_read_is_written_back(device, library, rng, name):
    """Reading and writing every stored value changes none, but for a second name of -1 and the bits without meaning."""
    raw = stored_values(name, rng)
    info = PIXEL_FORMATS[name]
    target = texture_of(device, name, np.zeros_like(raw))
    scalar = info.msl_scalar_type
    library[f"copy_{scalar}"](texture_of(device, name, raw), target, grid=(WIDTH, len(raw) // WIDTH))
    got, want = target.download().reshape(raw.shape), raw.copy()
    if "Snorm" in name:
        want = np.maximum(want, -np.iinfo(info.dtype).max)
    if name == "bgra10_xr" or name == "bgra10_xr_srgb":
        want &= np.uint64(0xFFC0FFC0FFC0FFC0)
    if name.startswith("bgr10_xr"):
        want &= np.uint32(0x3FFFFFFF)
    if name == "rgb9e5Float":  # many names for one color: compare the colors
        np.testing.assert_array_equal(decode(name, got), decode(name, want))
        return
    if info.dtype.kind == "f":
        equal = same(got.astype(F32), want.astype(F32))
    elif name == "rg11b10Float":
        equal = same(decode(name, got), decode(name, want))
    elif name.endswith("xr_srgb"):
        difference = [np.abs(a.astype(int) - b.astype(int)) for a, b in fields(name[:-5], got, want)]
        assert np.max(difference) <= 1  # a float has no room for the curve's inverse near its steep end
        return
    else:
        equal = got == want
    assert equal.all(), f"{want[~equal][:4]} became {got[~equal][:4]}"


def fields(name, *words):
    """Each field of packed texels, of every array given."""
    shift = 0
    for _, bits, _ in PACKED[name]:
        yield [(word >> word.dtype.type(shift)) & word.dtype.type(2**bits - 1) for word in words]
        shift += bits


def written(device, library, name, values):
    """What is stored when these colors are written."""
    count = len(values)
    values = np.resize(values, (-(-count // WIDTH) * WIDTH, 4))
    scalar = PIXEL_FORMATS[name].msl_scalar_type
    texture = device.empty_texture((len(values) // WIDTH, WIDTH), name)
    library[f"write_{scalar}"](texture, values, grid=(WIDTH, len(values) // WIDTH))
    return texture.download().reshape(len(values), -1)[:count]


def halves_and_odd(steps, low):
    """Values at and beside the middles between neighbours, where rounding decides, and those out of range."""
    middles = (np.arange(low * steps, steps) + 0.5) / steps
    near = np.concatenate([middles, np.nextafter(F32(middles), F32(2)), np.nextafter(F32(middles), F32(-2))])
    odd = [np.nan, np.inf, -np.inf, 2, -2, -0.0, 1e-45, 1, -1, 0.999999, 3e38]
    return np.concatenate([near, odd]).astype(F32)


@pytest.mark.parametrize(
    ("name", "bits", "low"),
    [("rgba8Unorm", 8, 0), ("bgra8Unorm", 8, 0), ("r8Unorm", 8, 0), ("rg16Unorm", 16, 0), ("depthless", 16, 0),
     ("rgba8Snorm", 8, -1), ("r16Snorm", 16, -1), ("a8Unorm", 8, 0)],
)  # fmt: skip
def test_normalised_values_are_rounded_to_the_nearest_even(device, library, name, bits, low):
    name = "r16Unorm" if name == "depthless" else name
    steps = 2 ** (bits + (low if low else 0)) - 1
    values = np.stack([np.roll(halves_and_odd(steps, low), 5 * c) for c in range(4)], -1)
    got = written(device, library, name, values)
    with np.errstate(invalid="ignore"):
        clipped = np.where(np.isnan(values), F32(0), np.clip(values, F32(low), F32(1)))
    want = np.rint(clipped * F32(steps)).astype(np.int64)
    order = {"bgra8Unorm": [2, 1, 0, 3], "a8Unorm": [3]}.get(name, list(range(got.shape[1])))
    np.testing.assert_array_equal(got.astype(np.int64), want[:, order])


@pytest.mark.parametrize("name", ["r16Float", "rgba16Float", "rg16Float"])
def test_halves_are_rounded_to_the_nearest_even(device, library, rng, name):
    bits = np.arange(0, 0x7C00, dtype=np.uint16)
    exact = bits.view(np.float16).astype(np.float64)
    middles = (exact[1:] + exact[:-1]) / 2
    values = np.concatenate([exact, middles, np.nextafter(F32(middles), F32(9e9)), np.nextafter(F32(middles), F32(0))])
    values = np.concatenate([values, -values, [65504, 65519.99, 65520, 1e9, np.inf, -np.inf, np.nan]]).astype(F32)
    values = np.where(np.abs(values) < np.finfo(F32).tiny, F32(0), values)
    got = written(device, library, name, np.stack([values] * 4, -1))
    with np.errstate(over="ignore"):
        want = values.astype(np.float16)
    for column in got.T:
        np.testing.assert_array_equal(column, want)


@pytest.mark.parametrize(("channel", "fraction_bits"), [(0, 6), (1, 6), (2, 5)])
def test_small_floats_are_rounded_to_the_nearest_even(device, library, channel, fraction_bits):
    raw = np.arange(31 << fraction_bits)
    exact = small_float(fraction_bits)(raw).astype(np.float64)
    middles = (exact[1:] + exact[:-1]) / 2
    values = np.concatenate([exact, middles, np.nextafter(F32(middles), F32(9e9)), np.nextafter(F32(middles), F32(0))])
    values = values.astype(F32)
    colors = np.zeros((len(values), 4), F32)
    colors[:, channel] = values
    word = written(device, library, "rg11b10Float", colors)[:, 0]
    got = (word >> (11 * channel)) & ((1 << (fraction_bits + 5)) - 1)
    above = np.clip(np.searchsorted(exact, values), 1, len(exact) - 1)
    below = above - 1
    to_below, to_above = values - exact[below], exact[above] - values
    want = np.where(to_below < to_above, below, np.where(to_below > to_above, above, np.where(below % 2, above, below)))
    np.testing.assert_array_equal(got, want)
    odd = np.zeros((6, 4), F32)
    odd[:, channel] = [-1, -np.inf, np.inf, np.nan, 1e9, -0.0]
    special = small_float(fraction_bits)(
        (written(device, library, "rg11b10Float", odd)[:, 0] >> (11 * channel)) & ((1 << (fraction_bits + 5)) - 1)
    )
    np.testing.assert_array_equal(special, [0, 0, np.inf, np.nan, np.inf, 0])


def test_shared_exponents(device, library, rng):
    colors = (rng.random((20000, 4)) * 2.0 ** rng.integers(-26, 18, (20000, 1))).astype(F32)
    colors[::3, 1] *= F32(1 / 64)
    colors[:8, :3] = [[-1, 2, 3], [np.nan, 1, 1], [np.inf, 1, 1], [65408, 0, 0], [1e9, 5, 5], [0, 0, 0], [511.75, 1, 1],
                      [0.5, 0.25, 0.125]]  # fmt: skip
    word = written(device, library, "rgb9e5Float", colors)[:, 0].astype(np.int64)
    clipped = np.clip(np.nan_to_num(colors[:, :3].astype(np.float64), nan=0, posinf=1e30), 0, 65408)
    largest = clipped.max(1)
    with np.errstate(divide="ignore"):
        exponent = np.maximum(-16, np.floor(np.log2(largest))) + 16
    exponent += np.rint(largest / 2.0 ** (exponent - 24)) == 512
    want = np.rint(clipped / 2.0 ** (exponent - 24)[:, None]).astype(np.int64)
    np.testing.assert_array_equal(word >> 27, exponent.astype(np.int64))
    for c in range(3):
        np.testing.assert_array_equal((word >> 9 * c) & 511, want[:, c])


@pytest.mark.parametrize("name", ["rgba8Unorm_srgb", "bgra8Unorm_srgb", "r8Unorm_srgb"])
def test_light_is_stored_as_the_nearest_byte(device, library, name):
    edges = np.asarray([((b + 0.5) / 255) for b in range(255)])
    middle = np.where(edges <= 0.04045, edges / 12.92, ((edges + 0.055) / 1.055) ** 2.4)
    values = np.concatenate([middle * (1 - 1e-6), middle * (1 + 1e-6), [-1, 2, np.nan, np.inf]]).astype(F32)
    got = written(device, library, name, np.stack([values] * 4, -1))
    want = np.concatenate([np.arange(255), np.arange(1, 256), [0, 255, 0, 255]])
    for column in got.T[:3]:
        np.testing.assert_array_equal(column, want)
    if got.shape[1] == 4:
        clipped = np.clip(np.nan_to_num(values, nan=0, posinf=1), 0, 1)
        np.testing.assert_array_equal(got[:, 3], np.rint(clipped * F32(255)))


@pytest.mark.parametrize(
    "name", [n for n, i in PIXEL_FORMATS.items() if i.msl_scalar_type != "float" and can_be_written(n)]
)
def test_integers_that_do_not_fit_are_clamped(device, library, name):
    info = PIXEL_FORMATS[name]
    kind = {"int": np.int32, "uint": np.uint32}[info.msl_scalar_type]
    limits = np.iinfo(kind)
    values = np.array([limits.min, limits.max, 0, 1, 127, 128, 255, 256, 1023, 1024, 32767, 32768, 65535, 65536], kind)
    if kind is np.int32:
        values = np.concatenate([values, -values[2:]])
    got = written(device, library, name, np.stack([values] * 4, -1))
    if name == "rgb10a2Uint":
        word = got[:, 0]
        for c, most in enumerate((1023, 1023, 1023, 3)):
            np.testing.assert_array_equal((word >> (10 * c)) & most, np.minimum(values, most))
        return
    stored = np.iinfo(info.dtype)
    for column in got.T:
        np.testing.assert_array_equal(column, np.clip(values.astype(np.int64), stored.min, stored.max))


@pytest.mark.parametrize("name", ["depth16Unorm", "depth32Float", "depth32Float_stencil8", "r32Float"])
def test_depth_textures_read_one_number(device, library, rng, name):
    raw = stored_values(name, rng)
    if PIXEL_FORMATS[name].dtype.kind == "f":
        raw = rng.random(raw.shape).astype(F32)
    out = np.zeros(len(raw), F32)
    library["depths"](texture_of(device, name, raw), out, grid=(WIDTH, len(raw) // WIDTH))
    assert same(out, decode(name, raw)[:, 0]).all()


def test_pixels_of_64_bits(device):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture2d<ulong, access::read_write> t, device ulong* out, uint2 p [[thread_position_in_grid]])
        { ulong4 v = t.read(p); out[p.x] = v.x; t.write(ulong4(v.x + 0x100000001ul), p); }
    """)
    rng = np.random.default_rng(8)
    pairs = rng.integers(0, 2**32, (1, 64, 2), np.uint32)
    texture = device.texture(pairs, "rg32Uint")
    out = np.zeros(64, np.uint64)
    library["f"](texture, out, grid=(64, 1))
    whole = pairs.view(np.uint64).ravel()
    np.testing.assert_array_equal(out, whole)
    np.testing.assert_array_equal(texture.download().view(np.uint64).ravel(), whole + np.uint64(0x100000001))
