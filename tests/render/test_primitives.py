# SPDX-License-Identifier: MIT
"""From vertices to primitives: indices, strips, instances, clipping, culling, viewports, layers."""

import numpy as np
import pytest

from .rasterising import Rasteriser, coverage_of, pm, read, snapped

SIDE = 16
ALL = np.float32([[-1, -1, 0.5, 1], [3, -1, 0.5, 1], [-1, 3, 0.5, 1]])


@pytest.fixture(scope="module")
def rasteriser():
    return Rasteriser(SIDE)


def row_of_squares(rasteriser, count, top):
    """A strip's vertices: squares of one pixel from the left on."""
    places = [(x, top + y) for x in range(count + 1) for y in (0, 1)]
    return rasteriser.clip(places)


@pytest.mark.parametrize("dtype", [np.uint16, np.uint32])
def test_strips_restart(rasteriser, dtype):
    clip = np.concatenate([row_of_squares(rasteriser, 5, 1), row_of_squares(rasteriser, 9, 4)])
    restart = np.iinfo(dtype).max
    indices = np.array([*range(12), restart, restart, 3, restart, *range(12, 32)], dtype)
    values = np.arange(len(clip))[:, None] * np.ones(4)
    got = rasteriser.primitives(pm.PrimitiveType.TriangleStrip, clip, values, indices=indices, counts=True,
                                fragment="facts")  # fmt: skip
    expected = np.zeros((SIDE, SIDE))
    expected[1, :5] = expected[4, :9] = 1
    np.testing.assert_array_equal(got[..., 3], expected)
    # Every second triangle of a strip is turned round, so that all show the same side.
    assert len(np.unique(got[..., 0][expected == 1])) == 1
    # Numbers of primitives go on behind a restart: ten triangles, then eighteen; each square's upper left one is seen.
    ids = got[..., 1]
    np.testing.assert_array_equal(np.diff(ids[1, :5]), 2)
    assert ids[4, 0] == 10 + ids[1, 0]


def test_without_indices_strips_share_vertices(rasteriser):
    got = rasteriser.primitives(pm.PrimitiveType.TriangleStrip, row_of_squares(rasteriser, 16, 7), counts=True)
    expected = np.zeros((SIDE, SIDE))
    expected[7] = 1
    np.testing.assert_array_equal(got[..., 0], expected)


def test_indices_outside_of_their_buffer_count_as_zero(rasteriser):
    clip = np.concatenate([ALL, ALL])
    values = np.arange(6)[:, None] * np.ones(4)
    pipeline = rasteriser.pipeline("kinds")
    indices = rasteriser.painter.buffer(np.uint16([3, 1, 2]))
    buffers = [rasteriser.painter.buffer(array.astype(np.float32)) for array in (clip, values)]

    def draw(encoder):
        encoder.set_render_pipeline_state(pipeline)
        for index, buffer in enumerate(buffers):
            encoder.set_vertex_buffer(buffer, 0, index)
        encoder.set_vertex_bytes(np.float32(1).tobytes(), 2)
        encoder.draw_indexed_primitives(pm.PrimitiveType.Triangle, 3, pm.IndexType.UInt16, indices, 0)

    assert rasteriser.draw(draw)[3, 3, 2] == 3  # the provoking vertex


def test_vertex_and_instance_numbers(rasteriser):
    pipeline = rasteriser.pipeline("numbers", "number")
    indices = rasteriser.painter.buffer(np.uint32([9, 0, 1, 2]))

    def draw_from(*, indexed):
        def draw(encoder):
            encoder.set_render_pipeline_state(pipeline)
            encoder.set_vertex_bytes(ALL, 0)
            if indexed:
                encoder.draw_indexed_primitives(pm.PrimitiveType.Triangle, 3, pm.IndexType.UInt32, indices, 4, 3, 6, 2)
            else:
                encoder.draw_primitives(pm.PrimitiveType.Triangle, 12, 3, 2, 7)

        return rasteriser.draw(draw)[5, 5].tolist()

    assert draw_from(indexed=True) == [6, 4, 6, 2]  # the last instance is on top
    assert draw_from(indexed=False) == [12, 8, 12, 7]


def test_indirect_draws(rasteriser):
    pipeline = rasteriser.pipeline("numbers", "number")
    range_ = rasteriser.painter.buffer(np.uint32([0, 3, 2, 15, 4]))
    indexed = rasteriser.painter.buffer(np.uint32([3, 2, 1, 9, 5]))
    indices = rasteriser.painter.buffer(np.uint16([7, 0, 1, 2]))

    def draw(encoder):
        encoder.set_render_pipeline_state(pipeline)
        encoder.set_vertex_bytes(ALL, 0)
        encoder.draw_primitives_indirect(pm.PrimitiveType.Triangle, range_, 4)

    def draw_indexed(encoder):
        encoder.set_render_pipeline_state(pipeline)
        encoder.set_vertex_bytes(ALL, 0)
        encoder.draw_indexed_primitives_indirect(pm.PrimitiveType.Triangle, pm.IndexType.UInt16, indices, 0, indexed, 0)

    assert rasteriser.draw(draw)[5, 5].tolist() == [15, 5, 15, 4]
    assert rasteriser.draw(draw_indexed)[5, 5].tolist() == [9, 6, 9, 5]


# ---- Clipping ----


def test_clip_distances_cut(rasteriser):
    # The distances are x - 4 and 11 - y, in pixels.
    corners = np.float64([[0, 0], [32, 0], [0, 32]])
    values = np.stack([corners[:, 0] - 4, 11 - corners[:, 1], corners[:, 0], np.ones(3)], -1)
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, rasteriser.clip(corners), values, vertex="cut",
                                fragment="whole", counts=True)  # fmt: skip
    y, x = np.mgrid[:SIDE, :SIDE]
    np.testing.assert_array_equal(got[..., 3], (x >= 4) & (y < 11))
    np.testing.assert_allclose(got[..., 2], np.where((x >= 4) & (y < 11), x + 0.5, 0), atol=1e-4)


def test_an_infinite_clip_distance_leaves_all_on_its_side(rasteriser):
    corners = np.float64([[0, 0], [32, 0], [0, 32]])
    _, x = np.mgrid[:SIDE, :SIDE]
    nothing = np.zeros((SIDE, SIDE))
    for first, second, seen in (
        ([np.inf, -1, -1], [1, 1, 1], nothing + 1),
        ([1, -np.inf, -np.inf], [1, 1, 1], nothing),
        (corners[:, 0] - 4, [np.inf, np.inf, 1], x >= 4),
        ([np.inf, -np.inf, np.inf], corners[:, 0] - 4, None),  # undefined, but neither lost nor doubled
    ):
        values = np.stack([first, second, corners[:, 0], np.ones(3)], -1)
        got = rasteriser.primitives(pm.PrimitiveType.Triangle, rasteriser.clip(corners), values, vertex="cut",
                                    fragment="whole", counts=True)  # fmt: skip
        if seen is None:
            assert set(np.unique(got[..., 3])) == {0, 1}
            assert (got[:, :4, 3] == 0).all()
        else:
            np.testing.assert_array_equal(got[..., 3], seen)
            np.testing.assert_allclose(got[..., 2], np.where(seen, x + 0.5, 0), atol=1e-4)


@pytest.mark.parametrize("mode", [pm.DepthClipMode.Clip, pm.DepthClipMode.Clamp])
def test_near_and_far(rasteriser, mode):
    # Depth goes from -1 at the left border to 2 at the right one.
    corners = np.float64([[0, -16], [0, 32], [16, 8]])
    clip = rasteriser.clip(corners, z=[-1, -1, 2])
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, fragment="window",
                                state=lambda encoder: encoder.set_depth_clip_mode(mode))  # fmt: skip
    covered = coverage_of([snapped(corner, SIDE) for corner in clip], SIDE) == 1
    depth = np.broadcast_to(-1 + 3 * (np.arange(SIDE) + 0.5) / 16, (SIDE, SIDE))
    seen = got[..., 3] == 1
    if mode == pm.DepthClipMode.Clip:
        np.testing.assert_array_equal(seen, covered & (depth > 0) & (depth < 1))
    else:
        np.testing.assert_array_equal(seen, covered)
    # Where it is cut, positions are rounded: 1/512 pixel, 3/16 a pixel.
    np.testing.assert_allclose(got[..., 2][seen], depth.clip(0, 1)[seen], atol=5e-4)


def test_what_is_behind_the_eye_is_cut(rasteriser):
    clip = np.float32([[-4, -1, 0.5, 1], [4, -1, 0.5, 1], [0, -1, 0.5, -1]])
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, counts=True)
    # It lies in the plane y = -1 below the eye: all that is seen is below the horizon, which is its vanishing line.
    assert set(np.unique(got[..., 0])) <= {0.0, 1.0}
    assert got[:8].sum() == 0


def test_positions_that_are_no_numbers_are_left_out(rasteriser):
    clip = np.concatenate([ALL, ALL]).copy()
    clip[0, 0] = np.nan
    clip[4, 3] = np.inf
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, counts=True)
    np.testing.assert_array_equal(got, 0)


# ---- Sides ----


@pytest.mark.parametrize("winding", [pm.Winding.Clockwise, pm.Winding.CounterClockwise])
@pytest.mark.parametrize("cull", [pm.CullMode.Front, pm.CullMode.Back])
@pytest.mark.parametrize("is_clipped", [False, True])
def test_culling(rasteriser, winding, cull, is_clipped):
    clockwise = rasteriser.clip([[0, 0], [6, 0], [0, 6]], z=0.5)
    other = rasteriser.clip([[10, 10], [10, 16], [16, 10]], z=0.5)
    clip = np.concatenate([clockwise, other])
    if is_clipped:
        clip[[0, 3], 2] = -0.5

    def state(encoder):
        encoder.set_front_facing_winding(winding)
        encoder.set_cull_mode(cull)

    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, fragment="facts", state=state)
    front, back = (got[1, 2, 0], got[11, 13, 0]) if winding == pm.Winding.Clockwise else (got[11, 13, 0], got[1, 2, 0])
    assert (front, back) == ((0, 2) if cull == pm.CullMode.Front else (1, 0))


def test_fill_mode_lines_draws_the_edges(rasteriser):
    clip = rasteriser.clip([[2.5, 2.5], [12.5, 2.5], [2.5, 12.5]])

    def state(encoder):
        encoder.set_triangle_fill_mode(pm.TriangleFillMode.Lines)

    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, counts=True, state=state)
    lines = rasteriser.primitives(pm.PrimitiveType.LineStrip, clip[[0, 1, 2, 0]], counts=True)
    np.testing.assert_array_equal(got, lines)
    assert 25 < lines[..., 0].sum() < 40


# ---- Where it is drawn ----


def test_viewports_and_scissors(rasteriser):
    def state(encoder):
        encoder.set_viewport(pm.Viewport(2, 3, 8, 8, 0.25, 0.75))
        encoder.set_scissor_rect(pm.ScissorRect(0, 5, 6, 20 - 9))

    got = rasteriser.primitives(pm.PrimitiveType.Triangle, ALL, fragment="window", state=state)
    y, x = np.mgrid[:SIDE, :SIDE]
    inside = (x >= 2) & (x < 6) & (y >= 5) & (y < 11)
    np.testing.assert_array_equal(got[..., 3] == 1, inside)
    assert (got[inside][:, 2] == 0.5).all()


def test_each_instance_chooses_its_layer_and_viewport(rasteriser):
    layers = 3
    target = rasteriser.target(texture_type=pm.TextureType.Type2DArray, array_length=layers)
    choices = rasteriser.painter.buffer(np.uint32([[0, 1], [2, 0], [7, 9]]))
    pipeline = rasteriser.pipeline("chosen", "choose", topology=pm.PrimitiveTopologyClass.Triangle, counts=True)

    def prepare(descriptor):
        descriptor.render_target_array_length = layers

    def draw(encoder):
        encoder.set_render_pipeline_state(pipeline)
        encoder.set_vertex_bytes(ALL, 0)
        encoder.set_vertex_buffer(choices, 0, 1)
        encoder.set_viewports([pm.Viewport(0, 0, 4, 4, 0, 1), pm.Viewport(8, 8, 8, 8, 0, 1)])
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3, 3)

    rasteriser.draw(draw, target=target, prepare=prepare)
    y, x = np.mgrid[:SIDE, :SIDE]
    small, large = (x < 4) & (y < 4), (x >= 8) & (y >= 8)
    got = [read(target, slice=layer)[..., 3] for layer in range(layers)]
    # What does not exist counts as 0.
    np.testing.assert_array_equal(got[0], large.astype(float) + small)
    np.testing.assert_array_equal(got[1], 0)
    np.testing.assert_array_equal(got[2], small)
