# SPDX-License-Identifier: MIT
"""Blending against NumPy: every factor, operation and write mask, draw after draw."""

import numpy as np
import pytest

import mtlpy_nb.metal as pm

from .blending_reference import FORMATS, blended
from .painting import read

WIDTH, HEIGHT = 13, 9
CONSTANT = np.float32([0.3, 0.6, 0.9, 0.25])


def colors(random):
    return random.uniform(-0.3, 1.3, (HEIGHT, WIDTH, 4)).astype(np.float32)


def settings_of(random):
    factors, operations = list(pm.BlendFactor), list(pm.BlendOperation)
    chosen = {"blending_enabled": True, "write_mask": int(random.integers(1, 16))}
    for name in "rgb", "alpha":
        chosen[f"{name}_blend_operation"] = operations[random.integers(5)]
        for side in "source", "destination":
            chosen[f"{side}_{name}_blend_factor"] = factors[random.integers(len(factors))]
    return chosen


def expected_after(pixel_format, settings, source, second, texels):
    before = pixel_format.load(texels)
    clamp = pixel_format.clamped
    colors = blended(settings, clamp(source), clamp(second), before, clamp(CONSTANT))
    stored = pixel_format.store(colors)
    written = [bool(settings["write_mask"] & (8 >> channel)) for channel in range(4)]
    return np.where(written, stored, texels)


def assert_drawn(painter, pixel_format, draws, random):
    """Draw with one pipeline after the other in one pass, and compare the texels."""
    texels = pixel_format.store(random.uniform(-0.3, 1.3, (HEIGHT, WIDTH, 4)).astype(np.float32))
    target = painter.texture(pixel_format.pixel_format, WIDTH, HEIGHT)
    target.upload(texels)
    sources = [(colors(random), colors(random)) for _ in draws]

    def draw(encoder):
        encoder.set_blend_color(*CONSTANT.tolist())
        for settings, (source, second) in zip(draws, sources, strict=True):
            pipeline = painter.pipeline("paint_twice", [pixel_format.pixel_format], **settings)
            painter.cover(encoder, pipeline, source, second)

    painter.run(painter.pass_on(target), draw)
    for settings, (source, second) in zip(draws, sources, strict=True):
        texels = expected_after(pixel_format, settings, source, second, texels)
    np.testing.assert_array_equal(read(target, pixel_format.dtype, 4), texels)


@pytest.mark.parametrize("pixel_format", FORMATS, ids=repr)
def test_random_blending_in_one_pass(painter, pixel_format):
    random = np.random.default_rng(7)
    for _ in range(6):
        assert_drawn(painter, pixel_format, [settings_of(random) for _ in range(4)], random)


@pytest.mark.parametrize("factor", list(pm.BlendFactor), ids=lambda factor: factor.name)
def test_a_factor_on_either_side(painter, factor):
    random = np.random.default_rng(int(factor))
    sides = []
    for source, destination in (factor, pm.BlendFactor.One), (pm.BlendFactor.One, factor):
        settings = {"blending_enabled": True, "write_mask": 15}
        for name in "rgb", "alpha":
            settings[f"{name}_blend_operation"] = pm.BlendOperation.Add
            settings[f"source_{name}_blend_factor"] = source
            settings[f"destination_{name}_blend_factor"] = destination
        sides.append(settings)
    for pixel_format in FORMATS[0], FORMATS[5]:
        assert_drawn(painter, pixel_format, sides, random)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("RGBA8Uint", np.uint8), ("RGBA8Sint", np.int8), ("RGBA16Uint", np.uint16), ("RGBA32Sint", np.int32)],
)
def test_integers_are_written_without_blending_and_clamped(painter, name, dtype):
    random = np.random.default_rng(3)
    is_signed = np.dtype(dtype).kind == "i"
    wide = np.int32 if is_signed else np.uint32
    limits = np.iinfo(wide)
    values = random.integers(limits.min, limits.max, (HEIGHT, WIDTH, 4), wide, endpoint=True)
    values[:, ::2] >>= 25  # some that fit
    pixel_format = pm.PixelFormat[name]
    target = painter.texture(pixel_format, WIDTH, HEIGHT)
    before = random.integers(0, 100, (HEIGHT, WIDTH, 4)).astype(dtype)
    target.upload(before)
    fragment = "paint_signed" if is_signed else "paint_unsigned"
    pipeline = painter.pipeline(fragment, [pixel_format], write_mask=8 | 2 | 1)  # all but green
    painter.run(painter.pass_on(target), lambda encoder: painter.cover(encoder, pipeline, values))
    expected = np.clip(values, np.iinfo(dtype).min, np.iinfo(dtype).max).astype(dtype)
    expected[..., 1] = before[..., 1]
    np.testing.assert_array_equal(read(target, dtype, 4), expected)


def test_a_function_reads_what_is_there_and_adds_to_it(painter):
    random = np.random.default_rng(5)
    before = random.integers(0, 128, (HEIGHT, WIDTH, 4), np.uint8)
    target = painter.texture(pm.PixelFormat.RGBA8Unorm, WIDTH, HEIGHT)
    target.upload(before)
    pipeline = painter.pipeline("add_half", [pm.PixelFormat.RGBA8Unorm])

    def draw(encoder):
        for _ in range(2):
            painter.cover(encoder, pipeline)

    painter.run(painter.pass_on(target), draw)
    expected = before
    for _ in range(2):
        added = expected.astype(np.float32) / np.float32(255) + np.float32(0.5)
        expected = np.rint(np.minimum(added, 1) * np.float32(255)).astype(np.uint8)
    np.testing.assert_array_equal(read(target, np.uint8, 4), expected)


def test_a_function_that_reads_sees_what_a_dot_before_left(painter):
    # The last two dots are on one pixel, and come when as many others as are shaded at once are on their way.
    width, height, others = 64, 32, 256
    pixels = np.array([(2 * (i % 32), 2 * (i // 32)) for i in range(others)] + [(4, 20)] * 2, np.uint32)
    target = painter.texture(pm.PixelFormat.RGBA32Float, width, height)
    pipeline = painter.pipeline("add_half", [target.pixel_format], vertex="dots")

    def draw(encoder):
        encoder.set_render_pipeline_state(pipeline)
        encoder.set_vertex_buffer(painter.buffer(pixels), 0, 0)
        encoder.set_vertex_bytes(np.float32([width, height]).tobytes(), 1)
        encoder.draw_primitives(pm.PrimitiveType.Point, 0, len(pixels))

    descriptor = painter.pass_on(target, load=pm.LoadAction.Clear)
    descriptor.color_attachment(0).clear_color = pm.ClearColor(0, 0, 0, 0)
    painter.run(descriptor, draw)
    expected = np.zeros((height, width, 4), np.float32)
    for x, y in pixels:
        expected[y, x] += 0.5
    np.testing.assert_array_equal(read(target, np.float32, 4), expected)
