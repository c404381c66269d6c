# SPDX-License-Identifier: MIT
"""Kernels with [[stage_in]] from the high-level API: NumPy's structured types say where attributes lie."""

import numpy as np
import pytest

import mtlpy_nb

SOURCE = """
#include <metal_stdlib>
using namespace metal;
struct Particle { float3 place [[attribute(0)]]; half2 speed [[attribute(1)]]; float4 tint [[attribute(4)]]; };
kernel void step(Particle in [[stage_in]], device packed_float4* out [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
    out[i] = float4(in.place + float3(float2(in.speed), 0), in.tint.x);
}
"""
PARTICLE = np.dtype([("speed", "f2", 2), ("mass", "f8"), ("place", "f4", 3)])


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


def particles(count):
    random = np.random.default_rng(8)
    data = np.zeros(count, PARTICLE)
    data["place"], data["speed"] = random.normal(size=(count, 3)), random.normal(size=(count, 2))
    return data


def upload(device, data):
    return device.buffer(np.frombuffer(data.tobytes(), np.uint8))


@pytest.mark.parametrize(("step", "pick"), [("x", lambda i: i), ("constant", lambda i: i * 0)])
def test_fields_are_attributes(device, step, pick):
    count = 96
    data, tints = particles(count), np.random.default_rng(9).integers(0, 256, (count, 4), np.uint8)
    tint = mtlpy_nb.StageBuffer([("tint", "u1", 4)], step=step, normalized=True)
    pipeline = device.compile(SOURCE, "step", stage_input={1: PARTICLE, 2: tint})
    assert pipeline._pipeline is device.compile(SOURCE, "step", stage_input={1: PARTICLE, 2: tint})._pipeline
    out = device.empty((count, 4), np.float32)
    pipeline.run([out, upload(device, data), upload(device, tints)], count)
    expected = np.zeros((count, 4), np.float32)
    expected[:, :3] = data["place"]
    expected[:, :2] += data["speed"].astype(np.float32)
    expected[:, 3] = tints[pick(np.arange(count)), 0].astype(np.float32) / np.float32(255)
    np.testing.assert_allclose(out.numpy(), expected, rtol=1e-6)


def test_indices_choose_elements(device):
    data, indices = particles(7), np.array([6, 0, 3, 3, 1], np.uint16)
    tint = mtlpy_nb.StageBuffer([("tint", "f4", 4)], step="constant")
    pipeline = device.compile(
        SOURCE,
        "step",
        stage_input={1: mtlpy_nb.StageBuffer(PARTICLE, step="indexed x"), 2: tint},
        stage_indices=(3, np.uint16),
    )
    out = device.empty((5, 4), np.float32)
    buffers = [out, upload(device, data), device.buffer(np.ones(4, np.float32)), device.buffer(indices)]
    pipeline.run(buffers, 5)
    np.testing.assert_array_equal(out.numpy()[:, 2], data["place"][indices, 2])


@pytest.mark.parametrize(
    ("stage_input", "indices", "message"),
    [
        ({1: np.float32}, None, r'buffer 1 has dtype float32, which has no fields .* write it as \[\("name", "f4"\)\]'),
        ({31: PARTICLE}, None, "31 is no index of a buffer, 0 to 30"),
        ({1: [("place", "f8", 3)]}, None, "field 'place' has 3 x float64, an attribute has one to four native"),
        ({1: mtlpy_nb.StageBuffer(PARTICLE, step="z")}, None, "step of buffer 1 is 'z', must be one of x, y"),
        ({1: mtlpy_nb.StageBuffer(PARTICLE, step="indexed x")}, None, "needs stage_indices"),
        ({1: PARTICLE}, (3, np.int32), "indices are uint16 or uint32, got int32"),
    ],
)
def test_wrong_descriptions(device, stage_input, indices, message):
    with pytest.raises(mtlpy_nb.ValidationError, match=message):
        device.compile(SOURCE, "step", stage_input=stage_input, stage_indices=indices)


def test_what_is_missing_is_named(device):
    with pytest.raises(mtlpy_nb.PipelineError, match=r"attribute tint \[\[attribute\(4\)\]\] is missing"):
        device.compile(SOURCE, "step", stage_input={1: PARTICLE})
    with pytest.raises(mtlpy_nb.PipelineError, match=r"attribute place \[\[attribute\(0\)\]\] needs"):
        device.compile(SOURCE, "step")
