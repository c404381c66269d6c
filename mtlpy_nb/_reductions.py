# SPDX-License-Identifier: MIT
"""Sums and extremes of a Buffer: blocks on the device, the few block results on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array
from ._elementwise import run
from .utils import to_metal

if TYPE_CHECKING:
    from .buffer import Buffer

# One SIMD-group takes a block. A lane adds _ROUND elements one after the other, then _ROUNDS such sums: the worst
# error of a block is that of _ROUND + _ROUNDS + 5 additions, and of all blocks' results NumPy's pairwise sum.
_LANES, _ROUND, _ROUNDS = 32, 16, 16
_BLOCK = _LANES * _ROUND * _ROUNDS

_SUM = """
#include <metal_stdlib>
using namespace metal;
kernel void sum_blocks(device const {t}* a [[buffer(0)]], device {result}* out [[buffer(1)]],
                       constant ulong& n [[buffer(2)]],
                       uint group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_threadgroup]])
{{
    device const {t}* block = a + ulong(group) * {block};
    ulong left = n - ulong(group) * {block};
    {result} total = 0;
    if (left >= {block}) {{
        for (uint i = 0; i < {block}; i += {lanes} * {round}) {{
            {result} part = 0;
            for (uint j = 0; j < {lanes} * {round}; j += {lanes}) part += {element};
            total += part;
        }}
    }} else {{
        for (uint i = 0; i < {block}; i += {lanes} * {round}) {{
            {result} part = 0;
            for (uint j = 0; j < {lanes} * {round}; j += {lanes})
                if (i + j + lane < left) part += {element};
            total += part;
        }}
    }}
    out[group * {lanes} + lane] = total;
}}
"""

_EXTREME = """
#include <metal_stdlib>
using namespace metal;
kernel void {name}_of_blocks(device const {t}* a [[buffer(0)]], device {t}* out [[buffer(1)]],
                             constant ulong& n [[buffer(2)]],
                             uint group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_threadgroup]])
{{
    device const {t}* block = a + ulong(group) * {block};
    ulong left = min(n - ulong(group) * {block}, ulong({block}));
    {t} found = block[0];
    for (uint i = 0; i < uint(left); i += {lanes})
        if (i + lane < left) found = {name}(found, block[i + lane]);
    out[group * {lanes} + lane] = found;
}}
"""


def total(buf: Buffer) -> int | float:
    """Add up all elements: exactly for integers; floats are added as float32."""
    element = to_metal(buf.dtype)
    if buf.dtype.itemsize == 8:
        # 64-bit numbers as two sums of 32-bit halves: neither can overflow for fewer than 2**32 elements.
        low = _sums(buf, element, "ulong", "block[i + j + lane] & 0xFFFFFFFF", np.uint64)
        result = "long" if buf.dtype.kind == "i" else "ulong"
        high = _sums(buf, element, result, "block[i + j + lane] >> 32", np.int64 if result == "long" else np.uint64)
        return sum(map(int, low)) + (sum(map(int, high)) << 32)
    if buf.dtype.kind == "f":
        return float(_sums(buf, element, "float", "float(block[i + j + lane])", np.float32).sum(dtype=np.float64))
    signed = buf.dtype.kind == "i"
    result, dtype = ("long", np.int64) if signed else ("ulong", np.uint64)
    return int(_sums(buf, element, result, f"{result}(block[i + j + lane])", dtype).sum())


def _sums(buf: Buffer, element: str, result: str, expression: str, dtype: type[np.generic]) -> Array:
    source = _SUM.format(t=element, result=result, element=expression, block=_BLOCK, lanes=_LANES, round=_ROUND)
    return _blocks(buf, source, "sum_blocks", np.dtype(dtype))


def extreme(buf: Buffer, name: str) -> np.generic:
    """Find the greatest (``"max"``) or least (``"min"``) element."""
    element = to_metal(buf.dtype)
    if element == "bool":  # Metal's max takes no bool
        element = "uchar"
    source = _EXTREME.format(t=element, name=name, block=_BLOCK, lanes=_LANES)
    found = _blocks(buf, source, f"{name}_of_blocks", buf.dtype)
    pick = {"max": np.fmax, "min": np.fmin}[name]
    value: np.generic = pick.reduce(found)
    return value


def in_rounds(buf: Buffer, source: str, kernel: str) -> Any:
    """Combine neighbours until one element is left, by a kernel such as those of :mod:`mtlpy_nb.shader`."""
    while buf.size > 1:
        half = buf._device.empty((buf.size + 1) // 2, buf.dtype)
        length = np.uint32(buf.size).tobytes()
        run(buf._device, source, kernel, [buf._binding, half._binding, length], half.size)
        buf = half
    return buf.contents[0].item()


def _blocks(buf: Buffer, source: str, kernel: str, dtype: np.dtype[Any]) -> Array:
    groups = -(-buf.size // _BLOCK)
    partial = buf._device.empty(groups * _LANES, dtype)
    length = np.uint64(buf.size).tobytes()
    run(buf._device, source, kernel, [buf._binding, partial._binding, length], groups * _LANES, _LANES)
    return partial.contents
