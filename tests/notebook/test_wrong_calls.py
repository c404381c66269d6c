# SPDX-License-Identifier: MIT
"""The wrong calls that learners make most, whole as a cell shows them: what, where, and what to write instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mtlpy_nb import MetalError

from .conftest import Notebook
from .shown import Expected, from_ansi, from_html, plain, trimmed

CALLS = Expected(Path(__file__).with_name("wrong_calls.txt"))

SOURCE = """%%metal -o lib
struct Particle { float3 position; float mass; };
struct Step { packed_float3 by; float speed; };
constant int steps [[function_constant(0)]];
constant bool loud [[function_constant(1)]];

kernel void add(device const float* a, device const float* b, device float* out, uint i [[thread_position_in_grid]])
{
    out[i] = a[i] + b[i];
}
kernel void scale(device float* x, constant float& gain, constant int& count, uint i [[thread_position_in_grid]])
{
    if (int(i) < count) x[i] *= gain;
}
kernel void fade(device float* x, constant uchar& level, uint i [[thread_position_in_grid]]) { x[i] *= level; }
kernel void swap(device float* x, device float* y, uint i [[thread_position_in_grid]])
{
    float kept = x[i];
    x[i] = y[i];
    y[i] = kept;
}
kernel void blur(texture2d<float> source, texture2d<float, access::write> result, constant float& radius,
                 uint2 p [[thread_position_in_grid]])
{
    result.write(source.read(p) * radius, p);
}
kernel void tint(device float4* colours, uint i [[thread_position_in_grid]]) { colours[i] *= 0.5; }
kernel void move(device float3* points, constant Step& step, uint i [[thread_position_in_grid]])
{
    points[i] += step.by * step.speed;
}
kernel void gather(device const Particle* particles, device float* mass, uint i [[thread_position_in_grid]])
{
    mass[i] = particles[i].mass;
}
kernel void look(device float* x, texture2d<float> t, sampler s, uint i [[thread_position_in_grid]])
{
    x[i] = t.sample(s, float2(0)).x;
}
kernel void repeat(device float* x, uint i [[thread_position_in_grid]])
{
    for (int k = 0; k < steps; ++k) x[i] += loud;
}
kernel void peek(device const float* x, uint i [[thread_position_in_grid]]) {}
kernel void sums(device float* x, threadgroup float* shared, uint i [[thread_position_in_grid]])
{
    shared[0] = x[i];
    x[i] = shared[0];
}
kernel void wild(device float* x, uint i [[thread_position_in_grid]]) { x[i + (1ul << 50)] = 1; }
vertex float4 corner(uint i [[vertex_id]]) { return float4(i); }
"""
SETUP = """
import mtlpy_nb
device = mtlpy_nb.default_device()
photo = np.zeros((8, 8, 4), np.uint8)
x = np.zeros(8, np.float32)
fixed = np.zeros(8, np.float32)
fixed.flags.writeable = False
released = device.buffer(x)
released.release()
"""


@pytest.fixture(scope="module")
def cells():
    made = Notebook()
    made.run(SOURCE)
    made.run(SETUP)
    return made


@pytest.mark.parametrize("name", CALLS.cells)
def test_wrong_call(cells, name):
    call = CALLS.cells[name]
    seen = cells.see(call)
    frames, shown = _parted(seen)
    assert f"----> 1 {call}" in frames, "the person's line"
    assert len(re.findall(r"^(?:Cell|File) ", frames, re.MULTILINE)) == 1, "and none of ours"
    CALLS.check(name, shown)
    with pytest.raises(MetalError) as caught:
        cells.run(call)
    assert trimmed(from_html(caught.value._repr_html_())) == re.sub(r"^(\w+)", r"<error>\1</>", trimmed(shown))
    assert str(caught.value).rstrip().endswith(caught.value.advice)


def _parted(seen: str) -> tuple[str, str]:
    """Part a traceback into its frames and the message with its looks."""
    marked = from_ansi(seen)
    start = max(m.start() for m in re.finditer(r"^(?:<\w+>)*\w+Error(?:</>)?: ", marked, re.MULTILINE))
    first, _, rest = marked[start:].partition("\n")
    return plain(marked[:start]), f"{plain(first)}\n{rest}"


def test_there_are_the_twenty_and_more():
    assert len(CALLS.cells) >= 20
