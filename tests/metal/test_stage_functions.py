# SPDX-License-Identifier: MIT
"""What Metal's objects tell of vertex, fragment and visible functions."""

from __future__ import annotations

import pytest

pm = pytest.importorskip("mtlpy_nb.metal")

SOURCE = """
#include <metal_stdlib>
using namespace metal;
struct Point { float3 place [[attribute(0)]]; };
struct In { patch_control_point<Point> points; half2 uv [[attribute(2)]]; };
struct Flat { float4 place [[attribute(1)]]; uchar4 tint [[attribute(4)]]; };
[[patch(triangle, 3)]] vertex float4 tessellated(In in [[stage_in]]) { return float4(in.points[0].place, in.uv.x); }
vertex float4 project(Flat in [[stage_in]], uint i [[vertex_id]]) { return in.place * float4(in.tint) + i; }
fragment half4 shade(float4 p [[position]]) { return half4(p); }
[[visible]] float twice(float x) { return 2 * x; }
kernel void staged(Flat in [[stage_in]], device float4* out, uint i [[thread_position_in_grid]]) { out[i] = in.place; }
"""


@pytest.fixture(scope="module")
def device():
    return pm.create_system_default_device()


@pytest.fixture(scope="module")
def library(device):
    return device.new_library_with_source(SOURCE)


def test_kinds(library):
    kinds = {name: library.new_function(name).function_type.name for name in library.function_names}
    assert kinds == {
        "tessellated": "Vertex", "project": "Vertex", "shade": "Fragment", "twice": "Visible", "staged": "Kernel",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("project", [("place", 1, "Float4", False), ("tint", 4, "UChar4", False)]),
        ("tessellated", [("place", 0, "Float3", True), ("uv", 2, "Half2", False)]),
        ("staged", [("place", 1, "Float4", False), ("tint", 4, "UChar4", False)]),
        ("shade", []),
    ],
)
def test_stage_input_attributes(library, name, expected):
    attributes = library.new_function(name).stage_input_attributes
    assert [(a.name, a.index, a.type.name, a.is_patch_control_point_data) for a in attributes] == expected


def test_a_pipeline_needs_a_kernel(device, library):
    with pytest.raises(pm.PipelineError, match="function shade isn't a kernel"):
        device.new_compute_pipeline_state(library.new_function("shade"))


def test_a_kernel_with_stage_in_says_what_it_lacks(device, library):
    with pytest.raises(pm.PipelineError, match="needs a stageInputDescriptor"):
        device.new_compute_pipeline_state(library.new_function("staged"))
