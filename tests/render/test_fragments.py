# SPDX-License-Identifier: MIT
"""What fragment functions are run for, when they are tested, and how a pass ends when a function goes wrong."""

import numpy as np
import pytest

from .rasterising import SAMPLES, Rasteriser, coverage_of, pm, snapped

SIDE = 16
ALL = np.float32([[-1, -1, 0.5, 1], [3, -1, 0.5, 1], [-1, 3, 0.5, 1]])


@pytest.fixture(scope="module")
def rasteriser():
    return Rasteriser(SIDE)


@pytest.fixture(scope="module")
def triangle(rasteriser):
    return rasteriser.clip([[1.3, 0.7], [14.9, 4.2], [3.1, 15.2]])


def test_a_function_that_asks_for_the_sample_runs_for_each(rasteriser, triangle):
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, triangle, fragment="samples", samples=4)
    covered = coverage_of([snapped(corner, SIDE) for corner in triangle], SIDE, 4)
    np.testing.assert_array_equal(got[..., 0], covered / 4)


def test_a_pass_says_where_samples_lie(rasteriser, triangle, monkeypatch):
    assert rasteriser.device.are_programmable_sample_positions_supported
    sixteenths = [(0, 0), (15, 1), (8, 8), (3, 14)]
    monkeypatch.setitem(SAMPLES, 4, sixteenths)
    positions = [(x / 16, y / 16) for x, y in sixteenths]
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, triangle, fragment="samples", samples=4,
                                prepare=lambda descriptor: descriptor.set_sample_positions(positions))  # fmt: skip
    covered = coverage_of([snapped(corner, SIDE) for corner in triangle], SIDE, 4)
    np.testing.assert_array_equal(got[..., 0], covered / 4)


def test_the_mask_says_which_samples_are_covered(rasteriser, triangle):
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, triangle, fragment="covered", samples=4)
    covered = coverage_of([snapped(corner, SIDE) for corner in triangle], SIDE, 4)
    counts = np.array([[bits.bit_count() for bits in row] for row in covered.tolist()])
    np.testing.assert_array_equal(got[..., 0], covered * counts / 4)


def test_a_mask_takes_samples_away(rasteriser, triangle):
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, triangle, fragment="masked", samples=4)
    covered = coverage_of([snapped(corner, SIDE) for corner in triangle], SIDE, 4) & 5
    counts = np.array([[bits.bit_count() for bits in row] for row in covered.tolist()])
    np.testing.assert_array_equal(got[..., 0], counts / 4)


def depth_target(rasteriser):
    return rasteriser.painter.texture(pm.PixelFormat.Depth32Float, SIDE, SIDE, storage_mode=pm.StorageMode.Private)


def depth_state(rasteriser, compare, writes=True):
    descriptor = pm.DepthStencilDescriptor()
    descriptor.depth_compare_function = compare
    descriptor.depth_write_enabled = writes
    return rasteriser.device.new_depth_stencil_state(descriptor)


@pytest.mark.parametrize(("fragment", "runs"), [("counting", SIDE * SIDE), ("counting_early", 0)])
def test_tests_come_first_only_where_nothing_is_lost(rasteriser, fragment, runs):
    count = rasteriser.painter.buffer(np.uint32([0]))
    never = depth_state(rasteriser, pm.CompareFunction.Never)

    def state(encoder):
        encoder.set_fragment_buffer(count, 0, 0)
        encoder.set_depth_stencil_state(never)

    got = rasteriser.primitives(pm.PrimitiveType.Triangle, ALL, fragment=fragment, state=state,
                                depth=depth_target(rasteriser))  # fmt: skip
    np.testing.assert_array_equal(got, 0)
    assert np.frombuffer(count.contents(), np.uint32)[0] == runs


def test_discarded_fragments_leave_no_depth(rasteriser):
    less = depth_state(rasteriser, pm.CompareFunction.Less)
    depth = depth_target(rasteriser)
    holes, value = (rasteriser.pipeline(name, depth=depth.pixel_format) for name in ("holes", "value"))
    values = rasteriser.painter.buffer(np.full((3, 4), 9, np.float32))
    near = ALL.copy()
    near[:, 2] = 0.25

    def draw(encoder):
        encoder.set_depth_stencil_state(less)
        encoder.set_vertex_buffer(values, 0, 1)
        encoder.set_vertex_bytes(np.float32(1).tobytes(), 2)
        for pipeline, places in ((holes, near), (value, ALL)):
            encoder.set_render_pipeline_state(pipeline)
            encoder.set_vertex_bytes(places, 0)
            encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)

    got = rasteriser.draw(draw, depth=depth)
    np.testing.assert_array_equal(got[:, ::2], 9)
    np.testing.assert_array_equal(got[:, 1::2, 3], 1)


@pytest.mark.parametrize(
    ("bias", "slope", "clamp", "expected"),
    [(1 << 20, 0, 0, 0.0625), (0, 2, 0, 1 / 16), (0, 2, 0.01, 0.01), (0, -2, -0.02, -0.02), (0, 0, 0.5, 0)],
)
def test_depth_bias(rasteriser, bias, slope, clamp, expected):
    # Depth goes from 1/2 at the left border on by 1/32 a pixel; a unit of it is 2^-24.
    clip = rasteriser.clip([[0, -16], [0, 32], [15.5, 8]], z=[0.5, 0.5, 0.984375])
    plain = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, fragment="window")
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, fragment="window",
                                state=lambda encoder: encoder.set_depth_bias(bias, slope, clamp))  # fmt: skip
    seen = (plain[..., 3] == 1) & (plain[..., 2] < 0.85)
    assert seen.sum() > 50
    np.testing.assert_allclose((got - plain)[seen][:, 2], expected, atol=1e-6)


# ---- When a function goes wrong ----


def failed(rasteriser, fragment, vertex="place", buffers=()):
    """Run a draw over everything, and one that nothing is wrong with; return the command buffer's error."""
    pipeline = rasteriser.pipeline(fragment, vertex)
    commands = rasteriser.painter.queue.command_buffer()
    encoder = commands.render_command_encoder(rasteriser.painter.pass_on(rasteriser.target()))
    encoder.label = "everything"
    encoder.push_debug_group("a square")
    encoder.set_render_pipeline_state(pipeline)
    for index, data in enumerate((ALL, np.ones((3, 4), np.float32), np.float32(1).tobytes())):
        encoder.set_vertex_bytes(data, index)
    for set_buffer, buffer in buffers:
        getattr(encoder, set_buffer)(buffer, 0, 0)
    encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)
    encoder.pop_debug_group()
    encoder.push_debug_group("what follows")
    encoder.set_render_pipeline_state(rasteriser.pipeline())
    encoder.set_vertex_bytes(ALL, 0)
    encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)
    encoder.pop_debug_group()
    encoder.end_encoding()
    commands.commit()
    with pytest.raises(pm.ExecutionError) as raised:
        commands.wait_until_completed()
    assert commands.status == pm.CommandBufferStatus.Error
    return str(raised.value)


@pytest.mark.parametrize("stage", ["vertex", "fragment"])
def test_a_wild_pointer_is_the_command_buffers_error(rasteriser, stage):
    set_buffer = [(f"set_{stage}_buffer", rasteriser.painter.buffer(np.zeros(4, np.float32)))]
    if stage == "vertex":
        error = failed(rasteriser, "whole", "lost_vertex", set_buffer)
        where = "vertex function lost_vertex (pipeline 'whole of lost_vertex', in 'everything / a square'): "
    else:
        error = failed(rasteriser, "lost", buffers=set_buffer)
        where = "fragment function lost (pipeline 'lost of place', in 'everything / a square'): "
    assert where in error
    # The device goes on.
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, ALL)
    np.testing.assert_array_equal(got, 1)
