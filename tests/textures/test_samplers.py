# SPDX-License-Identifier: MIT
"""Samplers made by Device.sampler: what each option does to what a kernel sees, and what is refused.

How every address mode, filter, border and reduction samples is in tests/msl/test_textures_sampling.py, by the same
bound samplers; comparisons in test_textures_depth.py, levels and anisotropy in test_textures_lod.py.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mtlpy_nb
import mtlpy_nb.metal as pm

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void at_gradient(texture2d<float> t, sampler s, constant float2& place, constant float& step, device float* out)
{
    out[0] = t.sample(s, place, gradient2d(float2(step, 0), float2(0, step))).r;
}
kernel void at_level(texture2d<float> t, sampler s, constant float2& place, constant float& lod, device float* out)
{
    out[0] = t.sample(s, place, level(lod)).r;
}
struct Arguments {
    texture2d<float> t [[id(0)]];
    sampler s [[id(1)]];
};
kernel void indirect(constant Arguments& a [[buffer(0)]], device float* out [[buffer(1)]])
{
    out[0] = a.t.sample(a.s, float2(0.5)).r;
}
"""


@pytest.fixture(scope="module")
def library(device):
    return device.library(SOURCE)


def run(kernel, *arguments):
    out = np.zeros(1, np.float32)
    kernel(*arguments, out, grid=1)
    return out[0]


PLACE = np.float32([0.5, 0.5])


@pytest.fixture(scope="module")
def corner(device):
    """Four pixels, the mean of which is at the centre."""
    return device.texture(np.float32([[0, 1], [2, 3]]))


@pytest.fixture(scope="module")
def numbered(device):
    """A texture each of whose levels holds its number."""
    texture = device.empty_texture((16, 16), "r32Float", mipmaps=True)
    for level in range(texture.levels):
        texture.upload(np.full(texture.level_shape(level), level), level)
    return texture


@pytest.mark.parametrize("larger", ["nearest", "linear"])
@pytest.mark.parametrize("smaller", ["nearest", "linear"])
def test_filters_where_larger_and_where_smaller(device, library, corner, larger, smaller):
    sampler = device.sampler(mag_filter=larger, min_filter=smaller)
    seen = {"nearest": 3, "linear": 1.5}
    assert run(library["at_gradient"], corner, sampler, PLACE, np.float32(0.1)) == seen[larger]
    assert run(library["at_gradient"], corner, sampler, PLACE, np.float32(4)) == seen[smaller]
    assert repr(sampler) == (f"Sampler(linear=True, repeat=False, min_filter='{smaller}', mag_filter='{larger}')")


@settings(max_examples=60)
@given(
    st.floats(0, 6), st.floats(-8, 8), st.floats(0, 5), st.floats(0, 5), st.sampled_from(["none", "nearest", "linear"])
)
def test_level_of_detail(device, library, numbered, lod, bias, low, high, mip_filter):
    """Bias first, then the clamp, each a multiple of 1/256; the levels hold their numbers."""
    low, high = sorted((low, high))
    sampler = device.sampler(mip_filter=mip_filter, lod_bias=bias, lod_clamp=(low, high))
    seen = run(library["at_level"], numbered, sampler, PLACE, np.float32(lod))
    rounded = [np.rint(value * 256) / 256 for value in (bias, low, high)]
    chosen = np.clip(np.clip(lod + rounded[0], rounded[1], rounded[2]), 0, numbered.levels - 1)
    if mip_filter == "linear":
        assert abs(seen - chosen) <= 1 / 128
    elif mip_filter == "nearest":
        assert abs(seen - chosen) <= 0.5 + 1 / 128
    else:
        assert seen == 0


def test_averages_and_anisotropy_are_taken(device, library, numbered):
    for most in (1, 2, 16):
        sampler = device.sampler(mip_filter="linear", lod_average=True, max_anisotropy=most)
        assert run(library["at_level"], numbered, sampler, PLACE, np.float32(1.5)) == 1.5
    assert "lod_average=True" in repr(device.sampler(lod_average=True))
    descriptor = pm.SamplerDescriptor()
    assert descriptor.lod_average is False
    descriptor.lod_average = True
    assert descriptor.lod_average is True


def test_argument_buffers_hold_samplers(device, library, corner):
    native = device._native
    kernel = library["indirect"]
    arguments = (corner._tex.gpu_resource_id, device.sampler()._sampler.gpu_resource_id)
    assert run(kernel, np.array(arguments, kernel.arguments["a"].dtype)) == 1.5
    descriptor = pm.SamplerDescriptor()
    assert descriptor.support_argument_buffers is False
    with pytest.raises(pm.ValidationError, match="did not set supportArgumentBuffers"):
        _ = native.new_sampler_state(descriptor).gpu_resource_id


def test_what_is_refused(device):
    for options, error, message in [
        ({"address": "wrap"}, ValueError, "address is 'wrap', must be one of clamp_to_edge"),
        ({"address": ("repeat", "wrap")}, ValueError, "address is 'wrap'"),
        ({"address": ()}, ValueError, "address has 0 modes"),
        ({"address": ["repeat"] * 4}, ValueError, "address has 4 modes"),
        ({"address": 3}, TypeError, "address must be a str or a sequence"),
        ({"min_filter": "cubic"}, ValueError, "min_filter is 'cubic', must be one of nearest, linear"),
        ({"mag_filter": 1}, TypeError, "mag_filter must be a str, got int"),
        ({"mip_filter": "trilinear"}, ValueError, "mip_filter is 'trilinear'"),
        ({"border_color": "red"}, ValueError, "border_color is 'red'"),
        ({"compare": "more"}, ValueError, "compare is 'more'"),
        ({"reduction": "sum"}, ValueError, "reduction is 'sum'"),
        ({"max_anisotropy": 0}, ValueError, "max_anisotropy is 0, must be 1 to 16"),
        ({"max_anisotropy": 17}, ValueError, "max_anisotropy is 17, must be 1 to 16"),
        ({"max_anisotropy": 2.0}, TypeError, "max_anisotropy must be an int, got float"),
        ({"lod_clamp": 3}, TypeError, "lod_clamp must be a least and a greatest level"),
        ({"lod_clamp": (2, 1)}, ValueError, r"lod_clamp is \(2.0, 1.0\)"),
        ({"lod_clamp": (-1, 1)}, ValueError, r"lod_clamp is \(-1.0, 1.0\)"),
        ({"lod_clamp": (float("nan"), 1)}, ValueError, "lod_clamp is nan"),
        ({"lod_bias": float("inf")}, ValueError, "lod_bias is inf, must be finite"),
        ({"lod_bias": "1"}, TypeError, "lod_bias must be a number, got str"),
        ({"normalized": False, "repeat": True}, ValueError, "need address modes that clamp"),
        ({"normalized": False, "mip_filter": "linear"}, ValueError, "need one filter, without levels"),
        ({"normalized": False, "min_filter": "nearest"}, ValueError, "need one filter, without levels"),
    ]:
        with pytest.raises(error, match=message):
            device.sampler(**options)
    assert isinstance(device.sampler(max_anisotropy=np.int64(4), lod_bias=np.float32(1)), mtlpy_nb.Sampler)
