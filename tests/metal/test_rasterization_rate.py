# SPDX-License-Identifier: MIT
"""Rasterization rate maps: the host's mapping, and what functions read, against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

pm = pytest.importorskip("mtlpy_nb.metal")
mtlpy_nb = pytest.importorskip("mtlpy_nb")

# 400 columns: 0 ... 200 at half the rate, the rest at the full rate (each stretch has the higher of its two rates).
# 100 rows, all at a quarter.
COLUMNS, ROWS = [0.25, 0.5, 1.0], [0.25]
SCREEN = [(0, 0), (100, 50), (200, 100), (300, 10), (400, 80)]
PHYSICAL = [(0, 0), (50, 12.5), (100, 25), (200, 2.5), (300, 20)]

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void to_physical(constant rasterization_rate_map_data& data [[buffer(0)]],
                        device const float2* places [[buffer(1)]], constant uint& layer [[buffer(2)]],
                        device float2* out [[buffer(3)]],
                        device uint2* pixels [[buffer(4)]], uint i [[thread_position_in_grid]]) {
    rasterization_rate_map_decoder map(data);
    out[i] = map.map_screen_to_physical_coordinates(places[i], layer);
    pixels[i] = map.map_screen_to_physical_coordinates(uint2(places[i]), layer);
}
kernel void to_screen(constant rasterization_rate_map_data* data [[buffer(0)]],
                      device const float2* places [[buffer(1)]], constant uint& layer [[buffer(2)]],
                        device float2* out [[buffer(3)]],
                      device uint2* pixels [[buffer(4)]], uint i [[thread_position_in_grid]]) {
    const rasterization_rate_map_decoder map(*data);
    out[i] = map.map_physical_to_screen_coordinates(places[i], layer);
    pixels[i] = map.map_physical_to_screen_coordinates(uint2(places[i]), layer);
}
fragment float4 in_a_fragment(float4 position [[position]], constant rasterization_rate_map_data& data [[buffer(0)]]) {
    rasterization_rate_map_decoder map(data);
    return float4(map.map_screen_to_physical_coordinates(position.xy), 0, 1);
}
"""


@pytest.fixture
def rate_map(device):
    layers = [
        pm.RasterizationRateLayerDescriptor((3, 1), COLUMNS, ROWS),
        pm.RasterizationRateLayerDescriptor((1, 2), [1.0], [0.0, 0.0]),
    ]
    descriptor = pm.RasterizationRateMapDescriptor.rasterization_rate_map_descriptor((400, 100), layers)
    descriptor.label = "fovea"
    return device.new_rasterization_rate_map(descriptor)


def test_facts(device, rate_map):
    assert rate_map.device is device
    assert rate_map.label == "fovea"
    assert rate_map.layer_count == 2
    assert tuple(rate_map.screen_size) == (400, 100, 0)
    assert tuple(rate_map.physical_granularity) == (1, 1, 0)
    assert tuple(rate_map.physical_size(0)) == (300, 25, 0)
    assert tuple(rate_map.physical_size(1)) == (400, 13, 0)  # 100 rows at 1/8, the lowest rate, rounded up
    assert device.supports_rasterization_rate_map(2)
    assert not device.supports_rasterization_rate_map(0)


@pytest.mark.parametrize(("screen", "physical"), list(zip(SCREEN, PHYSICAL, strict=True)))
def test_the_hosts_mapping(rate_map, screen, physical):
    assert rate_map.map_screen_to_physical_coordinates(screen) == physical
    assert rate_map.map_physical_to_screen_coordinates(physical, 0) == screen


def test_outside_of_the_screen(rate_map):
    assert rate_map.map_screen_to_physical_coordinates((-5, 120)) == (0, 25)
    assert rate_map.map_physical_to_screen_coordinates((1000, -1)) == (400, 0)


def run(device, rate_map, name: str, places, layer: int, offset: int = 0):
    size, align = rate_map.parameter_buffer_size_and_align
    data = device.new_buffer(offset * align + size)
    rate_map.copy_parameter_data_to_buffer(data, offset * align)
    library = device.new_library_with_source(SOURCE)
    pipeline = device.new_compute_pipeline_state(library.new_function(name))
    given = device.new_buffer_with_data(np.array(places, np.float32))
    out, pixels = (device.new_buffer(8 * len(places)) for _ in range(2))
    commands = device.new_command_queue().command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline)
    encoder.set_buffer(data, offset * align, 0)
    encoder.set_buffer(given, 0, 1)
    encoder.set_bytes(np.uint32(layer).tobytes(), 2)
    encoder.set_buffer(out, 0, 3)
    encoder.set_buffer(pixels, 0, 4)
    encoder.dispatch_threads((len(places), 1, 1), (len(places), 1, 1))
    encoder.end_encoding()
    commands.commit()
    commands.wait_until_completed()
    return [np.frombuffer(b.contents(), t).reshape(-1, 2).tolist() for b, t in ((out, np.float32), (pixels, np.uint32))]


@pytest.mark.parametrize("offset", [0, 3])
def test_kernels_map_as_the_host_does(device, rate_map, offset):
    out, pixels = run(device, rate_map, "to_physical", [*SCREEN, (-5, 120)], 0, offset)
    np.testing.assert_allclose(out, [*PHYSICAL, (0, 25)], rtol=1e-6)
    assert pixels[:5] == [[int(x), int(y)] for x, y in PHYSICAL]
    out, pixels = run(device, rate_map, "to_screen", [*PHYSICAL, (1000, -1)], 0, offset)
    np.testing.assert_allclose(out, [*SCREEN, (400, 0)], rtol=1e-6)
    assert pixels[1] == [100, 48]  # of the pixel (50, 12)


def test_each_layer_has_its_own_map(device, rate_map):
    out, _ = run(device, rate_map, "to_physical", [(100, 80), (400, 100)], 1)
    np.testing.assert_allclose(out, [(100, 10), (400, 12.5)], rtol=1e-6)


def test_a_map_of_many_rates(device, rng):
    """Of 33 rates a kernel finds the stretch by bisection: back and forth comes to the same place."""
    rates = rng.uniform(0, 1, 33).astype(np.float32)
    layer = pm.RasterizationRateLayerDescriptor((33, 33), rates.tolist(), rates[::-1].tolist())
    descriptor = pm.RasterizationRateMapDescriptor.rasterization_rate_map_descriptor((640, 320), [layer])
    many = device.new_rasterization_rate_map(descriptor)
    higher = np.maximum(np.maximum(rates[:-1], rates[1:]), 0.125)
    edges = np.concatenate([[0], np.cumsum(higher * 20)])
    places = rng.uniform(0, 1, (500, 2)).astype(np.float32) * (640, 320)
    out, _ = run(device, many, "to_physical", places, 0)
    np.testing.assert_allclose(np.array(out)[:, 0], np.interp(places[:, 0], np.arange(33) * 20, edges), rtol=1e-4)
    back, _ = run(device, many, "to_screen", out, 0)
    np.testing.assert_allclose(back, places, rtol=1e-3, atol=1e-2)


def test_the_data_cannot_be_measured(device):
    with pytest.raises(mtlpy_nb.CompileError, match="incomplete type 'rasterization_rate_map_data'"):
        device.new_library_with_source(
            "#include <metal_stdlib>\nusing namespace metal;\n"
            "kernel void k(device uint* out) { out[0] = sizeof(rasterization_rate_map_data); }"
        )


def test_descriptors(device):
    layer = pm.RasterizationRateLayerDescriptor((4, 2))
    assert len(layer.horizontal) == 4
    assert len(layer.vertical) == 2
    assert list(layer.horizontal) == [0, 0, 0, 0]
    layer.horizontal[1] = 0.5
    assert layer.horizontal[1] == 0.5
    layer.sample_count = (2, 1)
    assert tuple(layer.sample_count) == (2, 1, 0)
    assert tuple(layer.max_sample_count) == (4, 2, 0)
    assert list(layer.horizontal) == [0, 0.5]
    assert len(layer.vertical) == 1
    descriptor = pm.RasterizationRateMapDescriptor()
    assert descriptor.layer_count == 0
    assert descriptor.layer(0) is None
    descriptor.set_layer(layer, 0)
    descriptor.layers[2] = layer
    assert descriptor.layer(0) is layer
    assert descriptor.layers[2] is layer
    assert descriptor.layer_count == 1
    descriptor.layers[1] = layer
    assert descriptor.layer_count == 3
    descriptor.set_layer(None, 0)
    assert descriptor.layer_count == 0
    descriptor.screen_size = (64, 32)
    assert tuple(descriptor.screen_size)[:2] == (64, 32)


def test_mistakes_are_told_at_once(device, rate_map):
    invalid = mtlpy_nb.ValidationError
    with pytest.raises(invalid, match=r"horizontal has 2 rates, sample_count says 3"):
        pm.RasterizationRateLayerDescriptor((3, 1), [1, 1], [1])
    with pytest.raises(invalid, match=r"vertical is 1\.5, must be 0 to 1"):
        pm.RasterizationRateLayerDescriptor((1, 1), [1], [1.5])
    with pytest.raises(invalid, match="sample_count is"):
        pm.RasterizationRateLayerDescriptor((0, 1))
    layer = pm.RasterizationRateLayerDescriptor((1, 1))
    with pytest.raises(invalid, match=r"rate is -1, must be 0 to 1"):
        layer.horizontal[0] = -1
    with pytest.raises(invalid, match=r"sample_count is \(1, 2, 1\), each must be 1 to 1"):
        layer.sample_count = (1, 2)
    with pytest.raises(IndexError):
        layer.vertical[1]
    empty = pm.RasterizationRateMapDescriptor()
    with pytest.raises(invalid, match="the descriptor has no screen_size"):
        device.new_rasterization_rate_map(empty)
    empty.screen_size = (1, 1)
    with pytest.raises(invalid, match="the device has no maps of 0 layers"):
        device.new_rasterization_rate_map(empty)
    with pytest.raises(invalid, match="layer_index is 2"):
        rate_map.physical_size(2)
    size, align = rate_map.parameter_buffer_size_and_align
    with pytest.raises(invalid, match="the buffer"):
        rate_map.copy_parameter_data_to_buffer(device.new_buffer(size), align)
    with pytest.raises(invalid, match=f"offset is {align - 1}, must be a multiple of {align}"):
        rate_map.copy_parameter_data_to_buffer(device.new_buffer(size + align), align - 1)
    with pytest.raises(invalid, match="storage mode must be Shared"):
        rate_map.copy_parameter_data_to_buffer(device.new_buffer(size, pm.ResourceStorageModePrivate), 0)
