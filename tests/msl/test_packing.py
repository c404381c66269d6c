# SPDX-License-Identifier: MIT
"""Packing into and unpacking from normalised integers: exact, for every code."""

from __future__ import annotations

import numpy as np
import pytest

RNG = np.random.default_rng(565)
# name: the bits of each component, from the lowest
FIELDS = {
    "unorm4x8": (8, 8, 8, 8),
    "snorm4x8": (8, 8, 8, 8),
    "unorm2x16": (16, 16),
    "snorm2x16": (16, 16),
    "unorm10a2": (10, 10, 10, 2),
    "snorm10a2": (10, 10, 10, 2),
    "unorm565": (5, 6, 5),
}


def split(codes, name):
    """The components' codes; those of snorm have signs."""
    out, place = [], 0
    for bits in FIELDS[name]:
        field = (codes.astype(np.int64) >> place) & ((1 << bits) - 1)
        if name[0] == "s":
            field = np.where(field >> (bits - 1), field - (1 << bits), field)
        out.append(field)
        place += bits
    return np.stack(out, 1)


def largest(name):
    """The code that stands for 1, for each component."""
    return np.array([(1 << (bits - (name[0] == "s"))) - 1 for bits in FIELDS[name]])


def codes(name):
    """Codes in which every value of every component occurs."""
    count = 1 << max(FIELDS[name])
    run, out, place = np.arange(max(count, 1024)), 0, 0
    for bits in FIELDS[name]:
        out |= (RNG.permutation(run) & ((1 << bits) - 1)) << place
        place += bits
    return out.astype(np.uint16 if place == 16 else np.uint32)


@pytest.mark.parametrize("kind", ["float", "half"])
@pytest.mark.parametrize("name", FIELDS)
def test_unpacking_is_exact(evaluate, name, kind):
    code = codes(name)
    size = len(FIELDS[name])
    bits = "ushort" if code.dtype == np.uint16 else "uint"
    got = evaluate(f"{kind}{size}", f"unpack_{name}_to_{kind}(a)", (bits, code))
    got = got.reshape(len(code), -1)[:, :size]
    want = np.maximum(split(code, name) / largest(name), -1).astype(np.float32)
    np.testing.assert_array_equal(got, want.astype(got.dtype))


@pytest.mark.parametrize("kind", ["float", "half"])
@pytest.mark.parametrize("name", FIELDS)
def test_packing_rounds_to_the_nearest_code(evaluate, name, kind):
    size, lanes = len(FIELDS[name]), {2: 2, 3: 4, 4: 4}[len(FIELDS[name])]
    dtype = np.float32 if kind == "float" else np.float16
    v = RNG.uniform(-1.3, 1.3, (4096, lanes)).astype(dtype)
    v[:8, 0] = [np.nan, np.inf, -np.inf, 0, -0.0, 1, -1, 0.5]
    bits = "ushort" if sum(FIELDS[name]) == 16 else "uint"
    got = split(evaluate(bits, f"pack_{kind}_to_{name}(a)", (f"{kind}{size}", v.ravel())), name)
    bounded = np.clip(
        np.nan_to_num(v[:, :size].astype(np.float32), nan=0, posinf=9, neginf=-9), -1 if name[0] == "s" else 0, 1
    )
    want = np.rint(bounded * largest(name).astype(np.float32)).astype(int)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", FIELDS)
def test_packing_undoes_unpacking(evaluate, name):
    code = codes(name)
    bits = "ushort" if code.dtype == np.uint16 else "uint"
    got = split(evaluate(bits, f"pack_float_to_{name}(unpack_{name}_to_float(a))", (bits, code)), name)
    np.testing.assert_array_equal(got, np.maximum(split(code, name), -largest(name)))


def test_srgb(evaluate):
    code = np.arange(256, dtype=np.uint32) * 0x01010101
    got = evaluate("float4", "unpack_unorm4x8_srgb_to_float(a)", ("uint", code)).reshape(-1, 4)
    c = np.arange(256) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    np.testing.assert_allclose(got[:, :3], np.stack([linear] * 3, 1), rtol=3e-6)
    np.testing.assert_array_equal(got[:, 3], c.astype(np.float32))
    back = evaluate("uint", "pack_float_to_srgb_unorm4x8(unpack_unorm4x8_srgb_to_float(a))", ("uint", code))
    np.testing.assert_array_equal(back, code)
    half_back = evaluate("uint", "pack_half_to_srgb_unorm4x8(half4(unpack_unorm4x8_srgb_to_float(a)))", ("uint", code))
    np.testing.assert_array_equal(half_back & 0xFFFFFF, code & 0xFFFFFF)
