# SPDX-License-Identifier: MIT
"""ggml's blocks of quantised weights, made from numbers drawn at random: what a block says and the block itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Array = np.ndarray
Random = np.random.Generator


def _scale(rng: Random, shape: tuple[int, ...]) -> Array:
    return rng.uniform(0.01, 0.1, shape).astype(np.float16)


def _packed(fields: list[Array]) -> Array:
    """Join the fields of each block, bytes on the last axis."""
    return np.concatenate([np.ascontiguousarray(f).view(np.uint8).reshape(*f.shape[:2], -1) for f in fields], -1)


def _nibbles(q: Array) -> Array:
    """Pack 32 numbers below 16: byte j holds number j and, above it, number j + 16."""
    return (q[..., :16] | q[..., 16:] << 4).astype(np.uint8)


def _high_bits(q: Array) -> Array:
    """Bit 4 of 32 numbers as one little-endian word of bits."""
    return np.packbits((q >> 4).astype(bool), axis=-1, bitorder="little")


def q4_0(rng: Random, rows: int, blocks: int) -> tuple[Array, Array]:
    """Make x = d (q - 8)."""
    d, q = _scale(rng, (rows, blocks, 1)), rng.integers(0, 16, (rows, blocks, 32))
    return _packed([d, _nibbles(q)]), d.astype(np.float32) * (q - 8)


def q4_1(rng: Random, rows: int, blocks: int) -> tuple[Array, Array]:
    """Make x = d q + m."""
    d, m = _scale(rng, (rows, blocks, 1)), -_scale(rng, (rows, blocks, 1)) * np.float16(8)
    q = rng.integers(0, 16, (rows, blocks, 32))
    return _packed([d, m, _nibbles(q)]), d.astype(np.float32) * q + m.astype(np.float32)


def q5_0(rng: Random, rows: int, blocks: int) -> tuple[Array, Array]:
    """Make x = d (q - 16), the fifth bits apart."""
    d, q = _scale(rng, (rows, blocks, 1)), rng.integers(0, 32, (rows, blocks, 32))
    return _packed([d, _high_bits(q), _nibbles(q & 15)]), d.astype(np.float32) * (q - 16)


def q5_1(rng: Random, rows: int, blocks: int) -> tuple[Array, Array]:
    """Make x = d q + m, the fifth bits apart."""
    d, m = _scale(rng, (rows, blocks, 1)), -_scale(rng, (rows, blocks, 1)) * np.float16(16)
    q = rng.integers(0, 32, (rows, blocks, 32))
    return _packed([d, m, _high_bits(q), _nibbles(q & 15)]), d.astype(np.float32) * q + m.astype(np.float32)


def q8_0(rng: Random, rows: int, blocks: int) -> tuple[Array, Array]:
    """Make x = d q."""
    d, q = _scale(rng, (rows, blocks, 1)), rng.integers(-127, 128, (rows, blocks, 32)).astype(np.int8)
    return _packed([d, q]), d.astype(np.float32) * q


def q4_k(rng: Random, rows: int, blocks: int) -> tuple[Array, Array]:
    """Make x = d s q - e m for each 32 of 256, s and m of six bits."""
    d, e = _scale(rng, (rows, blocks, 1)), _scale(rng, (rows, blocks, 1))
    s, m = rng.integers(0, 64, (rows, blocks, 8)), rng.integers(0, 64, (rows, blocks, 8))
    q = rng.integers(0, 16, (rows, blocks, 8, 32))
    scales = np.zeros((rows, blocks, 12), np.uint8)
    scales[..., :4] = s[..., :4] | (s[..., 4:] >> 4) << 6
    scales[..., 4:8] = m[..., :4] | (m[..., 4:] >> 4) << 6
    scales[..., 8:] = (s[..., 4:] & 15) | (m[..., 4:] & 15) << 4
    pairs = (q[..., 0::2, :] | q[..., 1::2, :] << 4).astype(np.uint8).reshape(rows, blocks, 128)
    x = (d.astype(np.float32) * s)[..., None] * q - (e.astype(np.float32) * m)[..., None]
    return _packed([d, e, scales, pairs]), x.reshape(rows, blocks, 256)


def q6_k(rng: Random, rows: int, blocks: int) -> tuple[Array, Array]:
    """Make x = d s (q - 32) for each 16 of 256, the upper two bits of q apart."""
    d, s = _scale(rng, (rows, blocks, 1)), rng.integers(-60, 61, (rows, blocks, 16)).astype(np.int8)
    q = rng.integers(0, 64, (rows, blocks, 2, 4, 32))  # two halves of four rows
    low = np.concatenate(
        [q[..., 0, :] & 15 | (q[..., 2, :] & 15) << 4, q[..., 1, :] & 15 | (q[..., 3, :] & 15) << 4], -1
    )
    high = sum((q[..., i, :] >> 4) << 2 * i for i in range(4))
    x = (d.astype(np.float32) * s)[..., None] * (q.reshape(rows, blocks, 16, 16) - 32)
    parts = [
        low.astype(np.uint8).reshape(rows, blocks, 128),
        np.asarray(high).astype(np.uint8).reshape(rows, blocks, 64),
    ]
    return _packed([*parts, s, d]), x.reshape(rows, blocks, 256)


def whole(rng: Random, rows: int, blocks: int) -> tuple[Array, Array]:
    """Make plain floats, as blocks of 32."""
    x = rng.standard_normal((rows, blocks, 32)).astype(np.float32)
    return _packed([x]), x


def halves(rng: Random, rows: int, blocks: int) -> tuple[Array, Array]:
    """Make halves, as blocks of 32."""
    x = rng.standard_normal((rows, blocks, 32)).astype(np.float16)
    return _packed([x]), x.astype(np.float32)


def bfloats(rng: Random, rows: int, blocks: int) -> tuple[Array, Array]:
    """Make bfloats, as blocks of 32: floats whose lower half is empty."""
    x = (rng.standard_normal((rows, blocks, 32)).astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32)
    return _packed([(x.view(np.uint32) >> 16).astype(np.uint16)]), x


FORMATS: dict[str, Callable[[Random, int, int], tuple[Array, Array]]] = {
    "f32": whole,
    "f16": halves,
    "bf16": bfloats,
    "q4_0": q4_0,
    "q4_1": q4_1,
    "q5_0": q5_0,
    "q5_1": q5_1,
    "q8_0": q8_0,
    "q4_K": q4_k,
    "q6_K": q6_k,
}
