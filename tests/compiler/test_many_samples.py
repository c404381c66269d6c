# SPDX-License-Identifier: MIT
"""Code that samples is there once for each kind of sampling, however often a kernel does it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

HEAD = """
#include <metal_stdlib>
using namespace metal;
constexpr sampler sharp(filter::nearest);
kernel void k(texture2d<float> t, texture2d<float> u, texture3d<float> volume, sampler s, device float4* a,
              uint i [[thread_position_in_grid]])
{ float2 p = a[i].xy; float4 v = 0;
"""


def code(run: Run, samples: list[str], *options: str) -> list[str]:
    """Make a kernel that adds the samples; its lines of IR."""
    result = run(HEAD + "".join(f"v += {sample};\n" for sample in samples) + "a[i] = v; }", "--show", "ir", *options)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def shared(lines: list[str]) -> int:
    """Count the functions that strips share."""
    return sum(line.startswith("define") and "strip_routine" in line for line in lines)


def places(count: int, texture: str = "t", sampler: str = "s") -> list[str]:
    return [f"{texture}.sample({sampler}, p + float2({n}, {2 * n}))" for n in range(count)]


@pytest.mark.parametrize("options", [(), ("--lanes", "8")], ids=["widest", "8 lanes"])
def test_many_samples_have_the_code_of_one(run: Run, options: tuple[str, ...]) -> None:
    one, few, many = (code(run, places(count), *options) for count in (1, 4, 32))
    assert (shared(one), shared(few), shared(many)) == (0, 0, 1)
    assert len(few) > 2 * len(one)  # each for itself, among what surrounds it
    assert len(many) < 2 * len(one)


def test_textures_share_code_and_samplers_in_the_code_have_their_own(run: Run) -> None:
    assert shared(code(run, places(4, "t") + places(4, "u"))) == 1
    both = code(run, places(8) + places(8, sampler="sharp"))
    assert shared(both) == 2
    volume = [f"volume.sample(s, float3(p, {n}))" for n in range(4)]
    assert shared(code(run, places(4) + volume)) == 2


def test_code_for_known_resources_is_made_for_each_place(run: Run) -> None:
    """It is short, and is made while the other runs."""
    rgba8, linear = "0=70", "0=1536"
    lines = code(run, places(16), "--texture", rgba8, "--sampler", linear)
    assert shared(lines) == 0
