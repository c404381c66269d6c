# SPDX-License-Identifier: MIT
"""Descriptors and calls with any values at all: a clear error or a picture, and the device goes on."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mtlpy_nb.metal as pm

from .painting import Painter, read

SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct In {
    float4 place [[attribute(0)]];
    float4 tint [[attribute(1)]];
};
struct Out {
    float4 position [[position]];
    float size [[point_size]];
    float4 tint;
};
vertex Out place(In in [[stage_in]])
{
    return {in.place, in.tint.w, in.tint};
}
fragment float4 shade(Out in [[stage_in]])
{
    return in.tint;
}
"""

# What is refused, and what a commit tells of later.
REFUSALS = (pm.MetalError, ValueError, TypeError)

COLORS = [pm.PixelFormat.RGBA8Unorm, pm.PixelFormat.RGBA16Float, pm.PixelFormat.R32Float, pm.PixelFormat.RG8Unorm]


class Dice:
    """Values that are mostly right, so that what comes behind them is reached."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def small(self):
        return self.random.randint(-2, 20)

    def number(self):
        odd = [float("nan"), float("inf"), -1e30, 0.0, 1e-40]
        return self.random.choice(odd) if self.random.random() < 0.3 else self.random.uniform(-20, 40)

    def any(self, enumeration):
        return self.random.choice(list(enumeration))

    def rarely(self, odd, usual):
        """`odd()` once in a while, else what is usual."""
        return odd() if self.random.random() < 0.06 else usual

    def some(self, **makers):
        """Settings, each there or not."""
        return {name: make() for name, make in makers.items() if self.random.random() < 0.4}

    def texture(self, place, width, height):
        usual = {"depth": pm.PixelFormat.Depth32Float, "stencil": pm.PixelFormat.Stencil8}
        settings = {
            "pixel_format": self.rarely(
                lambda: self.any(pm.PixelFormat), usual.get(place) or self.random.choice(COLORS)
            ),
            "width": self.rarely(self.small, width),
            "height": self.rarely(self.small, height),
        }
        odd = {
            "texture_type": lambda: self.any(pm.TextureType),
            "sample_count": lambda: self.random.choice([2, 3, 4, 8]),
            "mipmap_level_count": self.small,
            "array_length": self.small,
            "depth": self.small,
            "usage": lambda: self.random.randint(0, 31),
            "storage_mode": lambda: self.any(pm.StorageMode),
        }
        for name, make in odd.items():
            if self.random.random() < 0.03:
                settings[name] = make()
        return settings

    def attachment(self):
        actions = [pm.StoreAction.Store, pm.StoreAction.DontCare]
        settings = {
            "load_action": self.any(pm.LoadAction),
            "store_action": self.rarely(lambda: self.any(pm.StoreAction), self.random.choice(actions)),
        }
        for name in "level", "slice", "depth_plane":
            settings[name] = self.rarely(self.small, 0)
        return settings

    def blending(self):
        return self.some(
            blending_enabled=lambda: True,
            source_rgb_blend_factor=lambda: self.any(pm.BlendFactor),
            destination_alpha_blend_factor=lambda: self.any(pm.BlendFactor),
            rgb_blend_operation=lambda: self.any(pm.BlendOperation),
            write_mask=self.small,
        )

    def vertex(self, index):
        formats = [pm.VertexFormat.Float4, pm.VertexFormat.UChar4Normalized, pm.VertexFormat.Half4]
        return {
            "format": self.rarely(lambda: self.any(pm.VertexFormat), self.random.choice(formats)),
            "offset": self.rarely(lambda: self.random.choice([3, 20, 400]), 16 * index),
            "buffer_index": self.rarely(lambda: self.random.choice([1, 30, 31]), 0),
        }

    def layout(self):
        return {
            "stride": self.rarely(lambda: self.random.choice([0, 4, 7, 5000]), 32),
            "step_function": self.rarely(lambda: self.any(pm.VertexStepFunction), pm.VertexStepFunction.PerVertex),
            "step_rate": self.rarely(self.small, 1),
        }

    def call(self):
        number, small = self.number, self.small
        return self.random.choice(
            [
                lambda: ("set_viewport", number(), number(), number(), number(), number(), number()),
                lambda: ("set_scissor_rect", small(), small(), small(), small()),
                lambda: ("set_cull_mode", self.any(pm.CullMode)),
                lambda: ("set_front_facing_winding", self.any(pm.Winding)),
                lambda: ("set_triangle_fill_mode", self.any(pm.TriangleFillMode)),
                lambda: ("set_depth_clip_mode", self.any(pm.DepthClipMode)),
                lambda: ("set_depth_bias", number(), number(), number()),
                lambda: ("set_blend_color", number(), number(), number(), number()),
                lambda: ("set_stencil_reference_value", small()),
                lambda: ("set_visibility_result_mode", self.any(pm.VisibilityResultMode), 8 * small()),
                lambda: ("draw_primitives", self.any(pm.PrimitiveType), small(), small()),
                lambda: ("draw_primitives", self.any(pm.PrimitiveType), small(), small(), small(), small()),
            ]
        )()

    def points(self):
        """Places and colours of 32 vertices, some of them no places at all."""
        values = np.float32([[self.random.gauss(0, 1) for _ in range(8)] for _ in range(32)])
        values[:, 3] = [self.random.choice([1, 1, 1, 0, -1, 1e-30]) for _ in range(32)]
        for odd in np.nan, np.inf, -np.inf, 3e38, -1e20:
            if self.random.random() < 0.3:
                values[self.random.randrange(32), self.random.randrange(8)] = odd
        return values


@pytest.fixture(scope="module")
def fuzzed():
    device = pm.create_system_default_device()
    library = device.new_library_with_source(SOURCE)
    return Painter(device), library.new_function("place"), library.new_function("shade")


def attempt(call, *arguments, **settings):
    """What the call returns; None where it was refused, with a reason."""
    try:
        return call(*arguments, **settings)
    except REFUSALS as error:
        reason = str(error)
    assert reason
    return None


def set_all(descriptor, values):
    for name, value in values.items():
        attempt(setattr, descriptor, name, value)


def pipeline_of(painter, functions, attached, dice):
    descriptor = pm.RenderPipelineDescriptor()
    descriptor.vertex_function, descriptor.fragment_function = functions
    layout = pm.VertexDescriptor.vertex_descriptor()
    for index in range(2):
        set_all(layout.attribute(index), dice.vertex(index))
    set_all(layout.layout(0), dice.layout())
    descriptor.vertex_descriptor = layout
    for place, texture in attached.items():
        if isinstance(place, str):
            set_all(descriptor, {f"{place}_attachment_pixel_format": texture.pixel_format})
        else:
            set_all(descriptor.color_attachment(place), {"pixel_format": texture.pixel_format, **dice.blending()})
        set_all(descriptor, {"raster_sample_count": texture.sample_count})
    return attempt(painter.device.new_render_pipeline_state, descriptor)


def pass_of(painter, attached, dice):
    descriptor = pm.RenderPassDescriptor.render_pass_descriptor()
    for name in "render_target_width", "render_target_array_length", "default_raster_sample_count":
        set_all(descriptor, {name: dice.rarely(dice.small, 0)})
    for place, texture in attached.items():
        target = (
            getattr(descriptor, f"{place}_attachment") if isinstance(place, str) else descriptor.color_attachment(place)
        )
        set_all(target, {"texture": texture, **dice.attachment()})
    descriptor.visibility_result_buffer = painter.buffer(np.zeros(4, np.uint64))
    return descriptor


def play(painter, functions, dice):
    """The status of the commands; None when there were none."""
    width, height = dice.random.randint(1, 20), dice.random.randint(1, 20)
    places = dice.random.sample([0, 1, 7, "depth", "stencil"], dice.random.randint(1, 3))
    made = {place: attempt(painter.texture, **dice.texture(place, width, height)) for place in places}
    attached = {place: texture for place, texture in made.items() if texture is not None}
    descriptor = pass_of(painter, attached, dice)
    pipeline = pipeline_of(painter, functions, attached, dice)
    state = pm.DepthStencilDescriptor()
    if "depth" in attached:
        set_all(state, {"depth_compare_function": dice.any(pm.CompareFunction), "depth_write_enabled": True})
    commands = painter.queue.command_buffer()
    encoder = attempt(commands.render_command_encoder, descriptor)
    if encoder is None:
        return None
    attempt(encoder.set_depth_stencil_state, attempt(painter.device.new_depth_stencil_state, state))
    if pipeline is not None:
        attempt(encoder.set_render_pipeline_state, pipeline)
    attempt(encoder.set_vertex_buffer, painter.buffer(dice.points()), 0, 0)
    for name, *arguments in [dice.call() for _ in range(dice.random.randint(0, 6))]:
        attempt(getattr(encoder, name), *arguments)
    attempt(encoder.draw_primitives, dice.any(pm.PrimitiveType), 0, 12)
    attempt(encoder.end_encoding)
    attempt(commands.commit)
    attempt(commands.wait_until_completed)
    return commands.status


def test_any_scene_is_refused_or_drawn(fuzzed):
    painter, *functions = fuzzed
    outcomes = set()

    @settings(max_examples=80)
    @given(st.integers(0, 1 << 32))
    def test(seed):
        outcomes.add(play(painter, functions, Dice(seed)))

    test()
    assert pm.CommandBufferStatus.Completed in outcomes  # not all was refused


def test_the_device_draws_after_all_that(fuzzed, painter):
    target = painter.texture(pm.PixelFormat.RGBA8Unorm, 5, 3)
    pipeline = painter.pipeline("paint", [target.pixel_format])
    values = np.ones((3, 5, 4), np.float32)
    painter.run(painter.pass_on(target), lambda encoder: painter.cover(encoder, pipeline, values))
    assert (read(target, np.uint8, 4) == 255).all()
