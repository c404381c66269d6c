# SPDX-License-Identifier: MIT
"""Plays whole scenes with any values at all: passes, pipelines, argument buffers, commands in memory.

`python -m tests.render.fuzzing FIRST COUNT` plays that many from a seed on, in a process of its own.
"""

import sys
from collections import Counter

import numpy as np

import mtlpy_nb.metal as pm

from .dice import VERTICES, Dice
from .painting import Painter

SOURCE = f"""
#include <metal_stdlib>
using namespace metal;

constant uint last = {VERTICES - 1};
constant bool tints [[function_constant(0)]];

struct In {{
    float4 place [[attribute(0)]];
    float4 tint [[attribute(1)]];
}};
struct Out {{
    float4 position [[position]];
    float size [[point_size]];
    uint layer [[render_target_array_index]];
    uint viewport_index [[viewport_array_index]];
    float cut [[clip_distance]] [2];
    float4 tint;
    float4 steady [[sample_no_perspective]];
    uint whole [[flat]];
}};
Out made(float4 place, float4 tint, uint i, uint instance)
{{
    return {{place, tint.w, instance, i & 3, {{tint.x + 1, 4 - place.x}}, tint, tint, i}};
}}
vertex Out fetched(In in [[stage_in]], uint i [[vertex_id]], uint instance [[instance_id]])
{{
    return made(in.place, in.tint, i, instance);
}}
vertex Out pulled(device const float4* values [[buffer(0)]], uint i [[vertex_id]], uint instance [[instance_id]],
                  uint base [[base_vertex]])
{{
    const uint at = min(i, last) * 2;
    return made(values[at], values[at + 1] + base % 2, i, instance);
}}
struct Scene {{
    device const float4* values [[id(0)]];
    texture2d<float> picture [[id(1)]];
    sampler look [[id(2)]];
    float scale [[id(3)]];
}};
vertex Out described(constant Scene& scene [[buffer(2)]], uint i [[vertex_id]], uint instance [[instance_id]])
{{
    const uint at = min(i, last) * 2;
    return made(scene.values[at] * scene.scale, scene.values[at + 1], i, instance);
}}

fragment float4 shade(Out in [[stage_in]]) {{ return tints ? in.tint : in.steady; }}
fragment uint4 count(Out in [[stage_in]]) {{ return in.whole; }}
fragment float4 looked(Out in [[stage_in]], constant Scene& scene [[buffer(2)]])
{{
    return scene.picture.sample(scene.look, in.tint.xy) + dfdx(in.tint);
}}
fragment float4 sampled(Out in [[stage_in]], texture2d<float> picture [[texture(0)]], sampler look [[sampler(0)]],
                        uint sample [[sample_id]])
{{
    return picture.sample(look, in.tint.xy) * sample;
}}
struct Deep {{
    float4 color [[color(0)]];
    float4 other [[color(1)]];
    float depth [[depth(any)]];
    uint mask [[sample_mask]];
}};
fragment Deep deep(Out in [[stage_in]], float4 before [[color(0)]])
{{
    if (in.tint.y > 1.5) discard_fragment();
    return {{before + in.tint, in.steady, in.tint.z, in.whole}};
}}
fragment float4 kept(Out in [[stage_in]], device atomic_uint* counts [[buffer(3)]])
{{
    atomic_fetch_add_explicit(counts + uint(in.position.x) % 8, 1, memory_order_relaxed);
    return in.position;
}}
"""

# What is refused, and what a commit tells of later.
REFUSALS = (pm.MetalError, ValueError, TypeError)


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


class Player:
    def __init__(self, device):
        self.painter = Painter(device)
        self.device = device
        library = device.new_library_with_source(SOURCE)
        self.vertex = [library.new_function(name) for name in ("fetched", "fetched", "pulled", "described")]
        self.fragment = [library.new_function(name) for name in ("count", "looked", "sampled", "deep", "kept")]
        for tints in True, False:
            constants = pm.FunctionConstantValues()
            constants.set_constant_value(np.bool_(tints), pm.DataType.Bool, 0)
            self.fragment.append(library.new_function("shade", constants))
        self.sampler = device.new_sampler_state(self.sampler_of())

    @staticmethod
    def sampler_of():
        descriptor = pm.SamplerDescriptor()
        descriptor.support_argument_buffers = True
        descriptor.min_filter = pm.SamplerMinMagFilter.Linear
        return descriptor

    def pipeline(self, attached, dice):
        descriptor = pm.RenderPipelineDescriptor()
        descriptor.vertex_function = dice.random.choice(self.vertex)
        usual = self.fragment[-1]
        descriptor.fragment_function = dice.random.choice([*self.fragment, usual, usual, None])
        descriptor.support_indirect_command_buffers = dice.chance(0.3)
        descriptor.input_primitive_topology = dice.rarely(lambda: 0, dice.topology)
        layout = pm.VertexDescriptor.vertex_descriptor()
        for index in range(2):
            set_all(layout.attribute(index), dice.attribute(index))
        set_all(layout.layout(0), dice.layout())
        descriptor.vertex_descriptor = layout
        for place, texture in attached.items():
            if isinstance(place, str):
                set_all(descriptor, {f"{place}_attachment_pixel_format": texture.pixel_format})
            else:
                set_all(descriptor.color_attachment(place), {"pixel_format": texture.pixel_format, **dice.blending()})
            set_all(descriptor, {"raster_sample_count": texture.sample_count})
        set_all(descriptor, dice.some(alpha_to_coverage_enabled=lambda: True, alpha_to_one_enabled=lambda: True))
        return attempt(self.device.new_render_pipeline_state, descriptor)

    def pass_on(self, attached, dice):
        descriptor = pm.RenderPassDescriptor.render_pass_descriptor()
        for name in "render_target_width", "render_target_array_length", "default_raster_sample_count":
            set_all(descriptor, {name: dice.rarely(dice.small, 0)})
        for place, texture in attached.items():
            named = f"{place}_attachment"
            target = getattr(descriptor, named) if isinstance(place, str) else descriptor.color_attachment(place)
            set_all(target, {"texture": texture, **dice.attachment()})
        descriptor.visibility_result_buffer = self.painter.buffer(np.zeros(4, np.uint64))
        return descriptor

    def depth_stencil(self, attached, dice):
        descriptor = pm.DepthStencilDescriptor()
        if "depth" in attached:
            set_all(descriptor, {"depth_compare_function": dice.any(pm.CompareFunction), "depth_write_enabled": True})
        if "stencil" in attached:
            set_all(descriptor.front_face_stencil, dice.face())
            set_all(descriptor.back_face_stencil, dice.face())
        return attempt(self.device.new_depth_stencil_state, descriptor)

    def described(self, picture, points, dice):
        """An argument buffer, with most of what functions look for in it."""
        encoder = self.vertex[-1].new_argument_encoder(2)
        length = encoder.encoded_length + dice.rarely(dice.small, 0)
        buffer = attempt(self.device.new_buffer, max(length, 1), 0)
        attempt(encoder.set_argument_buffer, buffer, dice.rarely(dice.small, 0))
        attempt(encoder.set_buffer, points, dice.rarely(dice.small, 0), 0)
        attempt(encoder.set_texture, picture, dice.rarely(dice.small, 1))
        attempt(encoder.set_sampler_state, self.sampler, dice.rarely(dice.small, 2))
        return buffer

    def commands(self, pipeline, points, indices, dice):
        """Commands in memory; None where they were refused."""
        form = pm.IndirectCommandBufferDescriptor()
        set_all(form, dice.commands())
        commands = attempt(self.device.new_indirect_command_buffer, form, dice.rarely(dice.small, 4), 0)
        if commands is None:
            return None
        for index in range(3):
            command = attempt(commands.indirect_render_command, index)
            if command is None or dice.chance(0.2):
                continue
            if pipeline is not None:
                attempt(command.set_render_pipeline_state, pipeline)
            if not form.inherit_buffers:
                for place in range(3):
                    attempt(command.set_vertex_buffer, points, dice.rarely(dice.small, 0), place)
                attempt(command.set_fragment_buffer, points, 0, dice.rarely(dice.small, 3))
            for name, *values in (dice.state() for _ in range(2)):
                if hasattr(command, name):
                    attempt(getattr(command, name), *values)
            name, *arguments = dice.draw(indices, indices)
            if not name.endswith(("_indirect", "_instanced")):
                attempt(getattr(command, name), *arguments)
        return commands

    def encode(self, encoder, attached, picture, dice):
        pipeline = self.pipeline(attached, dice)
        points = self.painter.buffer(dice.points())
        indices, arguments = self.painter.buffer(dice.indices()), self.painter.buffer(dice.arguments())
        attempt(encoder.set_depth_stencil_state, self.depth_stencil(attached, dice))
        if pipeline is not None:
            attempt(encoder.set_render_pipeline_state, pipeline)
        attempt(encoder.set_vertex_buffer, points, dice.rarely(dice.small, 0), 0)
        if dice.chance(0.1):
            attempt(encoder.set_vertex_buffer, points, 0, dice.small(), 0)
        scene = self.described(picture, points, dice)
        for bind in encoder.set_vertex_buffer, encoder.set_fragment_buffer:
            attempt(bind, scene, 0, 2)
        attempt(encoder.set_fragment_buffers, [self.painter.buffer(np.zeros(8, np.uint32))], [0], (3, 1))
        attempt(encoder.set_fragment_texture, picture, 0)
        attempt(encoder.set_fragment_sampler_state, self.sampler, 0)
        attempt(encoder.use_resources, [points, picture], pm.ResourceUsage.Read)
        for _ in range(dice.random.randint(1, 10)):
            name, *arguments_of_call = dice.state() if dice.chance(0.5) else dice.draw(indices, arguments)
            attempt(getattr(encoder, name), *arguments_of_call)
        if dice.chance(0.4):
            commands = self.commands(pipeline, points, indices, dice)
            if commands is not None and dice.chance(0.8):
                span = dice.rarely(dice.small, 0), dice.rarely(dice.small, commands.size)
                attempt(encoder.execute_commands_in_buffer, commands, span)
            elif commands is not None:
                at = dice.rarely(dice.small, 0)
                attempt(encoder.execute_commands_in_buffer_indirect, commands, arguments, at)
        attempt(encoder.draw_primitives, dice.kind(), 0, 12)
        attempt(encoder.end_encoding)

    def play(self, seed):
        """The status of the commands; None when there were none."""
        dice = Dice(seed)
        width, height = dice.random.randint(1, 20), dice.random.randint(1, 20)
        samples = dice.random.choice([1, 1, 1, 4])
        places = dice.random.sample([0, 1, 7, "depth", "stencil"], dice.random.randint(1, 3))
        made = {place: attempt(self.painter.texture, **dice.texture(place, width, height, samples)) for place in places}
        attached = {place: texture for place, texture in made.items() if texture is not None}
        picture = next((texture for texture in attached.values() if texture.sample_count == 1), None)
        if dice.chance(0.7) or picture is None:
            picture = self.painter.texture(pm.PixelFormat.RGBA8Unorm, 4, 4)
        commands = self.painter.queue.command_buffer()
        begun = False
        for _ in range(dice.random.choice([1, 1, 2])):
            encoder = attempt(commands.render_command_encoder, self.pass_on(attached, dice))
            if encoder is not None:
                begun = True
                self.encode(encoder, attached, picture, dice)
        if not begun:
            return None
        attempt(commands.commit)
        attempt(commands.wait_until_completed)
        if commands.status == pm.CommandBufferStatus.Error:
            assert commands.error
        return commands.status


def main(first, count):
    """Play scenes one after the other; a line before each tells which one a crash was."""
    player = Player(pm.create_system_default_device())
    outcomes = Counter()
    for seed in range(first, first + count):
        print(f"\r{seed}", end="", file=sys.stderr, flush=True)
        outcomes[str(player.play(seed))] += 1
    print(f"\n{dict(outcomes)}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
