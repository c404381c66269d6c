# SPDX-License-Identifier: MIT
"""Families whose kernels the wheel has only compiled, for which ours stand (families.metal), upon MLX's utils.h."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from .numbers import agree, empty, random

TOLERANCE = [("float", 2e-6), ("half", 4e-3), ("bfloat16_t", 3e-2)]


@pytest.fixture(scope="module")
def families(kernels):
    return kernels.compile((Path(__file__).parent / "families.metal").read_text())


@pytest.mark.parametrize("kind", ["float", "bfloat16_t", "int8_t", "uint32_t", "int64_t"])
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_place_of_the_largest_and_smallest(families, rng, record_property, name, kind):
    memory, values = random(rng, kind, (3, 1000))
    out = empty(3, "uint32_t")
    families[f"{name}_{kind}"](memory, out, 1000, grid=3 * 128, threadgroup=128)
    np.testing.assert_array_equal(out, getattr(np, name)(values, axis=1))
    record_property("mlx run", f"arg-reduce (ours):{name}_{kind}")


@pytest.mark.parametrize(("kind", "absolute"), TOLERANCE)
@pytest.mark.parametrize("name", ["rope", "rope_neighbours"])
def test_rotary_positions(families, rng, record_property, name, kind, absolute):
    memory, values = random(rng, kind, (2, 5, 16))
    out = empty(values.shape, kind)
    families[f"{name}_{kind}"](memory, out, 0.5, float(np.log2(10000)), 7, grid=(8, 5, 2))
    angles = 0.5 * (7 + np.arange(5))[:, None] * 10000.0 ** -(np.arange(8) / 8)
    wide = values.astype(np.float64)
    x, y = (wide[..., :8], wide[..., 8:]) if name == "rope" else (wide[..., ::2], wide[..., 1::2])
    turned = x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles)
    wanted = np.concatenate(turned, -1) if name == "rope" else np.stack(turned, -1).reshape(wide.shape)
    agree(out, wanted, kind, 2, absolute)
    if name == "rope" and kind == "float":
        back = empty(values.shape, kind)
        families["rope_back_float"](out, back, 0.5, float(np.log2(10000)), 7, grid=(8, 5, 2))
        agree(back, wide, kind, 4, absolute)
    record_property("mlx run", f"rope (ours):{name}_{kind}")


def threefry(key, counter):
    """The same in NumPy."""
    rotations = [[13, 15, 26, 6], [17, 29, 16, 24]]
    keys = [key[0], key[1], key[0] ^ key[1] ^ np.uint32(0x1BD11BDA)]
    x, y = counter[0] + keys[0], counter[1] + keys[1]
    for i in range(5):
        for turn in rotations[i % 2]:
            x = x + y
            y = ((y << np.uint32(turn)) | (y >> np.uint32(32 - turn))) ^ x
        x, y = x + keys[(i + 1) % 3], y + keys[(i + 2) % 3] + np.uint32(i + 1)
    return x, y


def test_random_bits(families, record_property):
    key = np.array([0x12345678, 0x9ABCDEF0], np.uint32)
    out = empty(2000, "uint32_t")
    families["random_bits"](tuple(int(word) for word in key), out, 2000, grid=1000)
    counter = np.arange(1000, dtype=np.uint32)
    np.testing.assert_array_equal(out, np.concatenate(threefry(key, (counter, counter + np.uint32(1000)))))
    record_property("mlx run", "random (ours):random_bits")


def test_random_bits_are_those_of_the_published_example(families):
    # Random123's known answer for a key and counter of zeros.
    out = empty(2, "uint32_t")
    families["random_bits"]((0, 0), out, 0, grid=1)
    assert out[0] in (0x6B200159, 0x99BA4EFE)


@pytest.mark.parametrize(("kind", "absolute"), TOLERANCE)
@pytest.mark.parametrize("name", ["rms_norm", "layer_norm"])
def test_norms(families, rng, record_property, name, kind, absolute):
    memory, values = random(rng, kind, (3, 200))
    weight, w = random(rng, kind, 200, 0.5, 1.5)
    out = empty(values.shape, kind)
    families[f"{name}_{kind}"](memory, weight, out, 1e-5, 200, grid=3 * 64, threadgroup=64)
    wide = values.astype(np.float64)
    centred = wide - wide.mean(1, keepdims=True) * (name == "layer_norm")
    agree(out, centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * w, kind, 8, absolute)
    record_property("mlx run", f"norms (ours):{name}_{kind}")
