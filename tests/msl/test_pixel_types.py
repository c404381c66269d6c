# SPDX-License-Identifier: MIT
"""The types of <metal_pixel>: what is stored for each value, exactly, and what each code is read as."""

from __future__ import annotations

import numpy as np
import pytest

RNG = np.random.default_rng(270)


def unorm(bits):
    """Give the conversions from floats to codes and back of unsigned normalised integers."""
    most = (1 << bits) - 1
    return (
        lambda v: np.rint(np.clip(np.nan_to_num(v, nan=0), 0, 1) * np.float32(most)).astype(np.int64),
        lambda c: (c / most).astype(np.float32),
    )


def snorm(bits):
    """The same of signed ones, whose least code is -1, too."""
    most = (1 << (bits - 1)) - 1
    return (
        lambda v: np.rint(np.clip(np.nan_to_num(v, nan=0), -1, 1) * np.float32(most)).astype(np.int64),
        lambda c: np.maximum(c / most, -1).astype(np.float32),
    )


def srgb_light(c):
    c = c / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def srgb():
    bounds = srgb_light(np.arange(256) - 0.5).astype(np.float32)
    return (
        lambda v: np.where(np.isnan(v), 0, np.clip(np.searchsorted(bounds, v, "right") - 1, 0, 255)),
        lambda c: srgb_light(c).astype(np.float32),
    )


# name: the integer it is stored in, how many components, which floats, the conversions of red, green, blue and alpha
PARTS = {
    "r8unorm": (np.uint8, 1, "half float", [unorm(8)]),
    "r8snorm": (np.int8, 1, "half float", [snorm(8)]),
    "r16unorm": (np.uint16, 1, "float", [unorm(16)]),
    "r16snorm": (np.int16, 1, "float", [snorm(16)]),
    "rg8unorm": (np.uint8, 2, "half float", [unorm(8)] * 2),
    "rg8snorm": (np.int8, 2, "half float", [snorm(8)] * 2),
    "rg16unorm": (np.uint16, 2, "float", [unorm(16)] * 2),
    "rg16snorm": (np.int16, 2, "float", [snorm(16)] * 2),
    "rgba8unorm": (np.uint8, 4, "half float", [unorm(8)] * 4),
    "srgba8unorm": (np.uint8, 4, "half float", [srgb()] * 3 + [unorm(8)]),
    "rgba8snorm": (np.int8, 4, "half float", [snorm(8)] * 4),
    "rgba16unorm": (np.uint16, 4, "float", [unorm(16)] * 4),
    "rgba16snorm": (np.int16, 4, "float", [snorm(16)] * 4),
}
CASES = [(name, scalar) for name, (_, _, scalars, _) in PARTS.items() for scalar in scalars.split()]


def typed(scalar, count):
    return scalar + (str(count) if count > 1 else "")


def values(shape, scalar):
    """Random numbers around the range, with halves between codes, the ends and what is no number."""
    v = RNG.uniform(-1.2, 1.2, shape)
    v[: len(v) // 2] = np.rint(v[: len(v) // 2] * 510) / 510
    v.flat[:8] = [np.nan, np.inf, -np.inf, 0, -0.0, 1, -1, 0.5]
    return v.astype(np.float16 if scalar == "half" else np.float32)


@pytest.mark.parametrize(("name", "scalar"), CASES)
def test_each_value_is_stored_as_its_nearest_code(compiles, name, scalar):
    integer, count, _, conversions = PARTS[name]
    kind = f"{name}<{typed(scalar, count)}>"
    v = values((4096, count), scalar)
    out = np.zeros((len(v), count), integer)
    compiles(
        f"kernel void run(device const packed_{scalar}{max(count, 2)}* v, device {kind}* out, "
        f"uint i [[thread_position_in_grid]]) {{ out[i] = {typed(scalar, count)}(v[i]{'.x' if count == 1 else ''}); }}"
    )["run"](v if count > 1 else np.repeat(v, 2, 1), out, grid=len(v))
    want = np.stack([conversions[c][0](v[:, c].astype(np.float32)) for c in range(count)], 1)
    np.testing.assert_array_equal(out, want)


@pytest.mark.parametrize(("name", "scalar"), CASES)
def test_each_code_is_read_as_its_value(compiles, name, scalar):
    integer, count, _, conversions = PARTS[name]
    kind = typed(scalar, count)
    info = np.iinfo(integer)
    every = np.arange(info.min, info.max + 1)
    codes = np.stack([RNG.permutation(every) for _ in range(count)], 1).astype(integer)
    out = np.zeros((len(codes), max(count, 2)), np.float16 if scalar == "half" else np.float32)
    compiles(
        f"kernel void run(device const {name}<{kind}>* pixels, device packed_{scalar}{max(count, 2)}* out, "
        f"uint i [[thread_position_in_grid]]) {{ {kind} value = pixels[i]; "
        f"out[i] = {'value' if count > 1 else scalar + '2(value, 0)'}; }}"
    )["run"](codes, out, grid=len(codes))
    want = np.stack([conversions[c][1](codes[:, c].astype(np.int64)) for c in range(count)], 1)
    np.testing.assert_array_equal(out[:, :count], want.astype(out.dtype))


PACKED = {"rgb10a2": 4, "rg11b10f": 3, "rgb9e5": 3}


def small_float(code, kept):
    exponent, fraction = code >> kept, code & ((1 << kept) - 1)
    size = np.where(exponent == 0, fraction * 2.0 ** (-14 - kept), (1 + fraction / 2**kept) * 2.0 ** (exponent - 15.0))
    return np.where(exponent == 31, np.where(fraction, np.nan, np.inf), size)


def unpacked(name, word):
    """The components of each word, in float64."""
    word = word.astype(np.int64)
    if name == "rgb10a2":
        return np.stack([(word >> 10 * c & (1023 if c < 3 else 3)) / (1023 if c < 3 else 3) for c in range(4)], 1)
    if name == "rg11b10f":
        return np.stack([small_float(word & 2047, 6), small_float(word >> 11 & 2047, 6), small_float(word >> 22, 5)], 1)
    unit = 2.0 ** ((word >> 27) - 24.0)
    return np.stack([(word >> 9 * c & 511) * unit for c in range(3)], 1)


@pytest.mark.parametrize("scalar", ["half", "float"])
@pytest.mark.parametrize("name", PACKED)
def test_words_are_read_exactly(compiles, name, scalar):
    count = PACKED[name]
    words = RNG.integers(0, 1 << 32, 1 << 15, np.uint32, endpoint=False)
    out = np.zeros((len(words), count), np.float16 if scalar == "half" else np.float32)
    compiles(
        f"kernel void run(device const {name}<{scalar}{count}>* pixels, device packed_{scalar}{count}* out, "
        f"uint i [[thread_position_in_grid]]) {{ {scalar}{count} value = pixels[i]; out[i] = value; }}",
        "safe",
    )["run"](words, out, grid=len(words))
    with np.errstate(over="ignore"):
        want = unpacked(name, words).astype(np.float32).astype(out.dtype)
    np.testing.assert_array_equal(out, want)


@pytest.mark.parametrize("name", PACKED)
def test_words_round_to_the_nearest_value(compiles, name):
    count = PACKED[name]
    v = np.exp2(RNG.uniform(-20, 16.5, (1 << 14, count))).astype(np.float32)
    v[:4096] = RNG.uniform(-0.2, 1.2, (4096, count))
    v.flat[:8] = [np.nan, np.inf, -np.inf, 0, -0.0, 1, -1, 65504]
    words = np.zeros(len(v), np.uint32)
    library = compiles(
        f"kernel void run(device const packed_float{count}* v, device {name}<float{count}>* out, "
        f"uint i [[thread_position_in_grid]]) {{ out[i] = float{count}(v[i]); }}",
        "safe",
    )
    library["run"](v, words, grid=len(v))
    got = unpacked(name, words)
    if name == "rgb10a2":
        want = np.clip(np.nan_to_num(v, nan=0), 0, 1) * np.float32([1023, 1023, 1023, 3])
        np.testing.assert_array_equal(got, np.rint(want) / [1023, 1023, 1023, 3])
    elif name == "rg11b10f":
        for c, kept in enumerate([6, 6, 5]):
            codes = np.arange(31 << kept)
            steps = small_float(codes, kept)
            middle = np.append((steps[1:] + steps[:-1]) / 2, steps[-1] + (steps[-1] - steps[-2]) / 2)
            x = np.maximum(v[:, c].astype(np.float64), 0)
            at = np.searchsorted(middle, x, "left")
            tie = (at < len(middle)) & (np.take(middle, np.minimum(at, len(middle) - 1)) == x)
            at = np.where(tie & (at & 1), at + 1, at)  # to the even code
            want = np.where(np.isnan(x), np.nan, np.append(steps, np.inf)[np.minimum(at, len(steps))])
            np.testing.assert_array_equal(got[:, c], want)
    else:
        bounded = np.clip(np.nan_to_num(v, nan=0, posinf=65408), 0, 65408).astype(np.float64)
        largest = bounded.max(1)
        exponent = np.maximum(np.floor(np.log2(np.maximum(largest, 2.0**-40))) + 1, -15)
        exponent += np.rint(largest * 2.0 ** (9 - exponent)) == 512
        want = np.rint(bounded * 2.0 ** (9 - exponent)[:, None]) * 2.0 ** (exponent - 9)[:, None]
        np.testing.assert_array_equal(got, want)


def test_pixels_live_in_every_space_and_compare_as_values(compiles):
    library = compiles(
        "struct S { r8unorm<float> a; rgba8unorm<half4> b; rgb10a2<float4> c; };\n"
        "constant float4 colour = float4(0.25, 0.5, 0.75, 1);\n"
        "kernel void run(device S* s, constant S& first, device uint* out, uint i [[thread_position_in_grid]]) {\n"
        "    threadgroup S shared[4];\n"
        "    shared[i] = s[i];\n"
        "    rgba8unorm<half4> copy = shared[i].b;\n"
        "    shared[i].b = half4(colour);\n"
        "    shared[i].a = 0.5f;\n"
        "    s[i] = shared[i];\n"
        "    s[i].c = float4(half4(s[i].b));\n"
        "    out[i] = uint(all(copy == first.b)) | uint(all(half4(first.b) == copy)) << 1 | \n"
        "             uint(any(s[i].b != copy)) << 2 | uint(first.a == float(first.a)) << 3 | \n"
        "             uint(s[i].a != 0.5f) << 4 | uint(sizeof(S)) << 8;\n"
        "}"
    )
    s = np.zeros(4, [("a", "u1"), ("b", "u1", 4), ("pad", "u1", 3), ("c", "u4")])
    s["b"] = [[255, 0, 0, 255], [1, 2, 3, 4], [64, 128, 191, 255], [255, 0, 0, 255]]
    out = np.zeros(4, np.uint32)
    library["run"](s, s[:1].copy(), out, grid=4)
    # 0.5 is stored as 128, which is read as 128 / 255.
    assert [bin(n & 255) for n in out] == ["0b11111", "0b11100", "0b11000", "0b11111"]
    assert set(out >> 8) == {12}
    np.testing.assert_array_equal(s["a"], 128)
    np.testing.assert_array_equal(s["b"], [[64, 128, 191, 255]] * 4)
    read = np.array([64, 128, 191, 255]) / 255
    np.testing.assert_array_equal(
        unpacked("rgb10a2", s["c"])[:, :3], [np.rint(read[:3].astype(np.float16).astype(float) * 1023) / 1023] * 4
    )


@pytest.mark.parametrize("kind", ["r8unorm<int>", "r16unorm<half>", "rgba8unorm<half3>", "rg11b10f<float4>"])
def test_other_value_types_are_refused(compiles, kind):
    from mtlpy_nb import CompileError

    with pytest.raises(CompileError, match=r"T must be"):
        compiles(f"kernel void run(device {kind}* p) {{ p[0] = p[1]; }}")


def test_reflection_names_and_lays_them_out(compiles):
    library = compiles(
        "struct S { rgba8unorm<half4> a; r16snorm<float> b; rg8unorm<float2> c; rgb9e5<float3> d; };\n"
        "kernel void run(device S* s, device r8snorm<half>* t) { s[0].b = float(t[0]); }"
    )
    dtype = library["run"].arguments["s"].dtype
    assert dtype == np.dtype([("a", "u1", 4), ("b", "i2"), ("c", "u1", 2), ("d", "u4")])
    assert library["run"].arguments["t"].dtype == np.dtype("i1")
    kinds = [member.type.data_type.name for member in library["run"].arguments["s"].native.type.members]
    assert kinds == ["RGBA8Unorm", "R16Snorm", "RG8Unorm", "RGB9E5Float"]
