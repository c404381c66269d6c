# SPDX-License-Identifier: MIT
"""Depth and stencil tests against NumPy."""

import numpy as np
import pytest

import mtlpy_nb.metal as pm

from .painting import read

WIDTH, HEIGHT = 12, 7
BOTH = pm.PixelFormat.Depth32Float_Stencil8
COMPARED = {
    pm.CompareFunction.Never: lambda fresh, stored: np.zeros(stored.shape, bool),
    pm.CompareFunction.Less: np.less,
    pm.CompareFunction.Equal: np.equal,
    pm.CompareFunction.LessEqual: np.less_equal,
    pm.CompareFunction.Greater: np.greater,
    pm.CompareFunction.NotEqual: np.not_equal,
    pm.CompareFunction.GreaterEqual: np.greater_equal,
    pm.CompareFunction.Always: lambda fresh, stored: np.ones(stored.shape, bool),
}
OPERATED = {
    pm.StencilOperation.Keep: lambda stored, reference: stored,
    pm.StencilOperation.Zero: lambda stored, reference: 0 * stored,
    pm.StencilOperation.Replace: lambda stored, reference: 0 * stored + reference,
    pm.StencilOperation.IncrementClamp: lambda stored, reference: np.minimum(stored + 1, 255),
    pm.StencilOperation.DecrementClamp: lambda stored, reference: np.maximum(stored - 1, 0),
    pm.StencilOperation.Invert: lambda stored, reference: 255 - stored,
    pm.StencilOperation.IncrementWrap: lambda stored, reference: (stored + 1) % 256,
    pm.StencilOperation.DecrementWrap: lambda stored, reference: (stored - 1) % 256,
}


def depth_state(painter, compare=pm.CompareFunction.Always, writes=True, front=None, back=None):
    descriptor = pm.DepthStencilDescriptor()
    descriptor.depth_compare_function = compare
    descriptor.depth_write_enabled = writes
    if front is not None:
        descriptor.front_face_stencil = front
    if back is not None:
        descriptor.back_face_stencil = back
    return painter.device.new_depth_stencil_state(descriptor)


def stencil_face(**settings):
    face = pm.StencilDescriptor()
    for name, value in settings.items():
        setattr(face, name, value)
    return face


def fill_depth(painter, target, depths, *, format=None):
    """Set each pixel's depth by drawing it."""
    format = format or target.pixel_format
    values = np.repeat(depths[..., None], 4, -1).astype(np.float32)
    color = painter.texture(pm.PixelFormat.R8Unorm, WIDTH, HEIGHT)
    pipeline = painter.pipeline("paint_deep", [pm.PixelFormat.R8Unorm], depth=format)
    state = depth_state(painter)

    def draw(encoder):
        encoder.set_depth_stencil_state(state)
        painter.cover(encoder, pipeline, values)

    painter.run(painter.pass_on(color, depth=target), draw)


def some_depths(random):
    return (random.integers(0, 9, (HEIGHT, WIDTH)) / 8).astype(np.float32)


@pytest.mark.parametrize("name", ["Depth32Float", "Depth16Unorm", "Depth24Unorm_Stencil8"])
@pytest.mark.parametrize("compare", list(COMPARED), ids=lambda function: function.name)
def test_fragments_pass_as_their_depths_compare(painter, name, compare):
    random = np.random.default_rng(int(compare))
    pixel_format = pm.PixelFormat[name]
    depth = painter.texture(pixel_format, WIDTH, HEIGHT)
    before, drawn = some_depths(random), some_depths(random)
    fill_depth(painter, depth, before)
    color = painter.texture(pm.PixelFormat.RGBA32Float, WIDTH, HEIGHT)
    color.upload(np.full((HEIGHT, WIDTH, 4), -1, np.float32))
    pipeline = painter.pipeline("paint_deep", [color.pixel_format], depth=pixel_format)
    state = depth_state(painter, compare)

    def draw(encoder):
        encoder.set_depth_stencil_state(state)
        painter.cover(encoder, pipeline, np.repeat(drawn[..., None], 4, -1))

    painter.run(painter.pass_on(color, depth=depth), draw)
    passed = COMPARED[compare](drawn, before)
    np.testing.assert_array_equal(read(color, np.float32, 4)[..., 0], np.where(passed, drawn, -1))
    after = np.where(passed, drawn, before)
    if name == "Depth32Float":
        np.testing.assert_array_equal(read(depth, np.float32, 1)[..., 0], after)
    elif name == "Depth16Unorm":
        np.testing.assert_array_equal(read(depth, np.uint16, 1)[..., 0], np.rint(after * 65535.0).astype(np.uint16))
    else:
        stored = np.rint(after.astype(np.float64) * (2**24 - 1)).astype(np.uint32)
        np.testing.assert_array_equal(read(depth, np.uint32, 1)[..., 0] & 0xFFFFFF, stored)


@pytest.mark.parametrize("early", [True, False])
def test_depth_is_tested_but_not_written(painter, early):
    depth = painter.texture(pm.PixelFormat.Depth32Float, WIDTH, HEIGHT)
    random = np.random.default_rng(1)
    before = some_depths(random)
    fill_depth(painter, depth, before)
    color = painter.texture(pm.PixelFormat.RGBA32Float, WIDTH, HEIGHT)
    color.upload(np.zeros((HEIGHT, WIDTH, 4), np.float32))
    values = np.full((HEIGHT, WIDTH, 4), 0.5, np.float32)
    pipeline = painter.pipeline("paint" if early else "paint_deep", [color.pixel_format], depth=depth.pixel_format)
    state = depth_state(painter, pm.CompareFunction.Less, writes=False)

    def draw(encoder):
        encoder.set_depth_stencil_state(state)
        painter.cover(encoder, pipeline, values, depth=0.5)

    painter.run(painter.pass_on(color, depth=depth), draw)
    np.testing.assert_array_equal(read(color, np.float32, 4)[..., 0], np.where(before > 0.5, np.float32(0.5), 0))
    np.testing.assert_array_equal(read(depth, np.float32, 1)[..., 0], before)


def expected_stencil(face, depth_passes, stored, reference):
    """What becomes of stencils, and which fragments pass."""
    passes = COMPARED[face["stencil_compare_function"]](
        np.full(stored.shape, reference & face["read_mask"]), stored & face["read_mask"]
    )
    fresh = np.select(
        [~passes, ~depth_passes],
        [
            OPERATED[face["stencil_failure_operation"]](stored, reference),
            OPERATED[face["depth_failure_operation"]](stored, reference),
        ],
        OPERATED[face["depth_stencil_pass_operation"]](stored, reference),
    )
    return (stored & ~face["write_mask"]) | (fresh & face["write_mask"]), passes & depth_passes


def random_face(random):
    operations = list(OPERATED)
    return {
        "stencil_compare_function": list(COMPARED)[random.integers(8)],
        "stencil_failure_operation": operations[random.integers(8)],
        "depth_failure_operation": operations[random.integers(8)],
        "depth_stencil_pass_operation": operations[random.integers(8)],
        "read_mask": int(random.integers(256)),
        "write_mask": int(random.integers(256)),
    }


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("format", [BOTH, pm.PixelFormat.Depth24Unorm_Stencil8, None], ids=["32", "24", "two textures"])
def test_stencils_against_numpy(painter, seed, format):
    random = np.random.default_rng(seed)
    formats = (format, format) if format else (pm.PixelFormat.Depth16Unorm, pm.PixelFormat.Stencil8)
    depth = painter.texture(formats[0], WIDTH, HEIGHT)
    stencil = depth if format else painter.texture(formats[1], WIDTH, HEIGHT)
    face = random_face(random)
    winding = [pm.Winding.Clockwise, pm.Winding.CounterClockwise][seed % 2]
    is_front = seed % 2 == 1  # `cover` winds counter-clockwise on the screen, where y points down in pixels
    faces = {"front" if is_front else "back": stencil_face(**face)}
    state = depth_state(painter, pm.CompareFunction.Less, False, **faces)
    pipeline = painter.pipeline(None, depth=formats[0], stencil=formats[1])
    first, reference = (int(number) for number in random.integers(0, 256, 2))
    descriptor = painter.pass_on(depth=depth, stencil=stencil, load=pm.LoadAction.Clear)
    descriptor.depth_attachment.clear_depth = 0.5
    descriptor.stencil_attachment.clear_stencil = first
    # Depth 0.25 passes, 0.75 fails.
    depths = random.choice([0.25, 0.75], 3)

    def draw(encoder):
        encoder.set_depth_stencil_state(state)
        encoder.set_front_facing_winding(winding)
        if is_front:
            encoder.set_stencil_reference_values(reference, 1)
        else:
            encoder.set_stencil_reference_values(1, reference)
        for deep in depths:
            painter.cover(encoder, pipeline, depth=deep)

    painter.run(descriptor, draw)
    expected = np.full((HEIGHT, WIDTH), first)
    for deep in depths:
        expected, _ = expected_stencil(face, np.full((HEIGHT, WIDTH), deep < 0.5), expected, reference)
    bytes, place = {BOTH: (8, 4), pm.PixelFormat.Depth24Unorm_Stencil8: (4, 3), None: (1, 0)}[format]
    np.testing.assert_array_equal(read(stencil, np.uint8, bytes)[..., place], expected)


def test_visible_samples_are_counted(painter):
    depth = painter.multisampled(pm.PixelFormat.Depth32Float, WIDTH, HEIGHT, 4)
    descriptor = painter.pass_on(depth=depth, load=pm.LoadAction.Clear, store=pm.StoreAction.DontCare)
    descriptor.depth_attachment.clear_depth = 0.5
    counts = painter.buffer(np.full(4, 77, np.uint64))
    descriptor.visibility_result_buffer = counts
    state = depth_state(painter, pm.CompareFunction.Less, writes=False)
    pipeline = painter.pipeline(None, depth=depth.pixel_format, samples=4)
    modes = pm.VisibilityResultMode

    def draw(encoder):
        encoder.set_depth_stencil_state(state)
        for mode, offset, deep in (
            (modes.Counting, 0, 0.25),
            (modes.Boolean, 8, 0.25),
            (modes.Counting, 16, 0.75),
            (modes.Counting, 0, 0.3),
            (modes.Disabled, 0, 0.1),
        ):
            encoder.set_visibility_result_mode(mode, offset)
            painter.cover(encoder, pipeline, depth=deep)

    painter.run(descriptor, draw)
    result = np.frombuffer(bytes(counts.contents()), np.uint64)
    assert result[0] == 2 * 4 * WIDTH * HEIGHT
    assert result[1] != 0
    assert result[2] == 0
