# SPDX-License-Identifier: MIT
"""Code for what is bound: the other formats' and samplers' code is not in it."""

from __future__ import annotations

import pytest

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void access(texture2d<float, access::read> from, texture2d<float, access::write> to,
                   uint2 p [[thread_position_in_grid]])
{
    to.write(from.read(p), p);
}
kernel void look(texture2d<float> from, sampler s, device float4* out, uint i [[thread_position_in_grid]])
{
    out[i] = from.sample(s, float2(i));
}
"""
# The bits of a sampler: linear filters, all edges clamped; the same with a border.
LINEAR, BORDERED = 3 << 9 | 0xFFF << 37, 3 << 9 | 0xFFF << 37 | 0o555


@pytest.mark.parametrize("number", [12, 25, 43, 65, 81, 90, 112])
def test_formats_are_decoded_in_place(run, number):
    def assembly(*options):
        done = run(SOURCE, "--kernel", "access", *options, "--show", "asm")
        assert done.returncode == 0, done.stderr
        return done.stdout

    general = assembly()
    assert "__metal_slow_load_f32" in general
    assert "__metal_slow_store_f32" in general
    bound = assembly("--texture", f"0={number}", "--texture", f"1={number}")
    assert "__metal_slow" not in bound


def test_a_swizzle_is_an_order(run):
    def assembly(swizzle):
        done = run(SOURCE, "--kernel", "access", "--texture", f"0={25 | swizzle}", "--texture", "1=55", "--show", "asm")
        return done.stdout

    green_to_red, as_they_are = 3 << 16 | 3 << 20 | 0 << 24 | 1 << 28, 2 << 16 | 3 << 20 | 4 << 24 | 5 << 28
    assert "__metal_slow_load" not in assembly(green_to_red)
    assert assembly(as_they_are) == assembly(0)


def test_sampler_states_are_constants(run):
    def assembly(*options):
        return run(SOURCE, "--kernel", "look", *options, "--show", "asm").stdout

    general, clamped = assembly("--texture", "0=55"), assembly("--texture", "0=55", "--sampler", f"0={LINEAR}")
    bordered = assembly("--texture", "0=55", "--sampler", f"0={BORDERED}")
    assert max(len(clamped), len(bordered)) < 0.8 * len(general)


@pytest.mark.parametrize("option", ["--texture", "--sampler"])
def test_options_that_are_no_numbers(run, option):
    for wrong in ("5", "a=5", "0=r32"):
        done = run(SOURCE, "--kernel", "access", option, wrong)
        assert done.returncode == 2
        assert option in done.stderr
