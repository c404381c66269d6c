# SPDX-License-Identifier: MIT
"""Render passes: what they drew into, and each draw with what it had bound."""

import contextlib

import numpy as np
import pytest

import mtlpy_nb
import mtlpy_nb.metal as pm

PASSES = """
#include <metal_stdlib>
using namespace metal;

struct Corner { float4 position [[position]]; };
struct Vertex { float2 place [[attribute(2)]]; };
vertex Corner fetched(Vertex in [[stage_in]], constant float& depth [[buffer(1)]])
{
    return {float4(in.place, depth, 1)};
}
vertex Corner plain(uint i [[vertex_id]], device const float2* places [[buffer(0)]])
{
    return {float4(places[i], 0.5, 1)};
}

struct Paint { constant float4* colour [[id(0)]]; };
fragment float4 shade(constant Paint& paint [[buffer(0)]], texture2d<float> picture [[texture(0)]])
{
    return *paint.colour * picture.read(uint2(0));
}
fragment float4 fill(constant float4& colour [[buffer(0)]]) { return colour; }
"""
WIDTH, HEIGHT = 8, 4
SQUARE = np.float32([[-1, -1], [1, -1], [-1, 1], [1, 1]])
GREEN = np.float32([0, 1, 0, 1])


class Scene:
    """Makes what the passes of this file are drawn with."""

    def __init__(self, device):
        self.device = device._native
        self.queue = self.device.new_command_queue()
        library = self.device.new_library_with_source(PASSES)
        self.functions = {name: library.new_function(name) for name in library.function_names}

    def buffer(self, label, array):
        made = self.device.new_buffer_with_data(np.ascontiguousarray(array).tobytes())
        made.label = label
        return made

    def texture(self, label, samples=1, usage=pm.TextureUsage.RenderTarget | pm.TextureUsage.ShaderRead):
        descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, WIDTH, HEIGHT, False)
        descriptor.usage = usage
        if samples > 1:
            descriptor.texture_type = pm.TextureType.Type2DMultisample
            descriptor.sample_count = samples
            descriptor.storage_mode = pm.StorageMode.Private
        made = self.device.new_texture(descriptor)
        made.label = label
        return made

    def pipeline(self, vertex, fragment, **settings):
        descriptor = pm.RenderPipelineDescriptor()
        descriptor.vertex_function, descriptor.fragment_function = self.functions[vertex], self.functions[fragment]
        descriptor.color_attachment(0).pixel_format = pm.PixelFormat.RGBA8Unorm
        if vertex == "fetched":
            descriptor.vertex_descriptor.attribute(2).format = pm.VertexFormat.Float2
            descriptor.vertex_descriptor.layout(0).stride = 8
        for name, value in settings.items():
            setattr(descriptor, name, value)
        return self.device.new_render_pipeline_state(descriptor)

    def finish(self, commands):
        commands.commit()
        commands.wait_until_completed()


def pixels(texture):
    out = np.empty((HEIGHT, WIDTH, 4), np.uint8)
    texture.download(out)
    return out


@contextlib.contextmanager
def captured_to(device, path):
    found = []
    with device.start_capture(path):
        yield found
    found.append(mtlpy_nb.capture.load(path))


@pytest.fixture(scope="module")
def scene(device):
    return Scene(device)


@pytest.fixture(scope="module")
def drawn(device, scene, tmp_path_factory):
    """A capture of one pass with draws of several kinds, and the pixels that it left."""
    target, picture = scene.texture("target"), scene.texture("picture", usage=pm.TextureUsage.ShaderRead)
    target.replace_region(bytes([9]) * 4 * WIDTH * HEIGHT, 4 * WIDTH, 0, 0, WIDTH, HEIGHT)
    picture.replace_region(bytes([255]) * 4 * WIDTH * HEIGHT, 4 * WIDTH, 0, 0, WIDTH, HEIGHT)
    colour, counts = scene.buffer("colour", GREEN), scene.buffer("counts", np.uint64([7, 7]))
    places = scene.buffer("places", SQUARE)
    indices = scene.buffer("indices", np.uint16([9, 9, 0, 1, 2, 2, 1, 3]))
    range_ = scene.buffer("range", np.uint32([0, 3, 1, 0, 0]))
    encoder = scene.functions["shade"].new_argument_encoder(0)
    paint = scene.buffer("paint", np.zeros(encoder.encoded_length, np.uint8))
    encoder.set_argument_buffer(paint, 0)
    encoder.set_buffer(colour, 0, 0)
    shade, fill = scene.pipeline("fetched", "shade"), scene.pipeline("plain", "fill", label="filling")

    with captured_to(device, tmp_path_factory.mktemp("passes") / "drawn.metalcapture") as captured:
        descriptor = pm.RenderPassDescriptor()
        colours = descriptor.color_attachment(0)
        colours.texture, colours.clear_color = target, pm.ClearColor(0, 0, 1, 1)
        colours.load_action, colours.store_action = pm.LoadAction.Clear, pm.StoreAction.Store
        descriptor.visibility_result_buffer = counts
        commands = scene.queue.command_buffer()
        with commands.render_command_encoder(descriptor) as encoder:
            encoder.label = "main"
            encoder.use_resource(colour, pm.ResourceUsage.Read)
            encoder.push_debug_group("squares")
            encoder.set_render_pipeline_state(shade)
            encoder.set_vertex_buffer(places, 0, 0)
            encoder.set_vertex_bytes(np.float32(0.25).tobytes(), 1)
            encoder.set_fragment_buffer(paint, 0, 0)
            encoder.set_fragment_texture(picture, 0)
            encoder.set_viewport(0, 0, 4, 4, 0, 1)
            encoder.set_visibility_result_mode(pm.VisibilityResultMode.Counting, 8)
            encoder.draw_indexed_primitives(pm.PrimitiveType.Triangle, 6, pm.IndexType.UInt16, indices, 4)
            encoder.pop_debug_group()
            encoder.insert_debug_signpost("half way")
            encoder.set_render_pipeline_state(fill)
            encoder.set_fragment_bytes(np.float32([1, 0, 0, 1]), 0)
            encoder.set_scissor_rect(4, 0, 4, 4)
            encoder.set_cull_mode(pm.CullMode.Back)
            encoder.draw_primitives_indirect(pm.PrimitiveType.Triangle, range_, 4)
        scene.finish(commands)
    return captured[0], pixels(target)


def test_what_a_pass_drew_into(drawn):
    capture, after = drawn
    # Counts of visible samples are cleared by a command of its own.
    assert [command.kind for command in capture.commands] == ["fill", "render"]
    (command,) = capture.passes
    assert (command.title, command.encoder.kind, command.encoder.label) == ("render 8 x 4: 2 draws", "render", "main")
    (colours,) = command.attachments
    assert (colours.name, colours.load, colours.store) == ("color0", "clear", "store")
    assert (colours.clear, colours.level, colours.slice, colours.resolve) == ((0, 0, 1, 1), 0, 0, None)
    assert colours.resource.label == "target"
    assert (colours.before == 9).all()
    assert np.array_equal(colours.after, after)
    assert (after[:, :4] == [0, 255, 0, 255]).all()
    counts = command.buffers["visibility"]
    assert counts.before.view(np.uint64).tolist() == [7, 0]
    assert counts.after.view(np.uint64).tolist() == [7, 16]


def test_a_draw_has_what_it_was_drawn_with(drawn):
    (command,) = drawn[0].passes
    assert [draw.kind for draw in command.draws] == ["use", "draw", "signpost", "draw"]
    assert command.draws[2].text == "half way"
    first, last = command.draws[1], command.draws[3]
    assert (first.label, first.groups, last.groups) == ("main", ("squares",), ())
    assert (first.pipeline.name, last.pipeline.name) == ("fetched + shade", "filling")
    assert first.pipeline.color_formats[:2] == ("rgba8Unorm", "")
    assert (first.pipeline.vertex.stage, first.pipeline.fragment.stage) == ("vertex", "fragment")
    assert (first.primitive, first.count, first.instances, first.base_vertex) == ("triangle", 6, 1, 0)
    assert first.title == "fetched + shade: triangle, 6 indices"
    assert first.indices.before.view(np.uint16).tolist() == [0, 1, 2, 2, 1, 3]
    assert (first.index_size, first.indices.resource.label) == (2, "indices")
    assert np.array_equal(first.attributes[0].before.view(np.float32), SQUARE.ravel())
    (attribute,) = first.layout
    assert (attribute["name"], attribute["attribute"], attribute["stride"], attribute["step"]) == (
        "place", 2, 8, "vertex",
    )  # fmt: skip
    assert first.vertex.buffers["depth"].value == 0.25
    assert first.fragment.textures["picture"].resource.label == "picture"
    assert first.fragment.buffers["paint.colour"].resource.label == "colour"
    assert np.array_equal(first.fragment.buffers["paint.colour"].before.ravel(), GREEN)
    assert first.state["viewports"] == [[0, 0, 4, 4, 0, 1]]
    assert (first.state["cull"], last.state["cull"]) == ("none", "back")
    assert (first.state["scissors"], last.state["scissors"]) == ([], [[4, 0, 4, 4]])
    assert (first.is_indirect, last.is_indirect, last.count) == (False, True, None)
    assert last.title == "filling: triangle, indirect"


def test_parts_of_a_pass_and_indirect_commands(device, scene, tmp_path):
    samples, resolved = scene.texture("samples", 4), scene.texture("resolved")
    places, colour = scene.buffer("places", SQUARE), scene.buffer("colour", GREEN)
    pipeline = scene.pipeline("plain", "fill", raster_sample_count=4, support_indirect_command_buffers=True)
    form = pm.IndirectCommandBufferDescriptor()
    form.command_types = pm.IndirectCommandTypeDraw
    form.inherit_buffers = form.inherit_pipeline_state = False
    form.max_vertex_buffer_bind_count = form.max_fragment_buffer_bind_count = 1
    commands = scene.device.new_indirect_command_buffer(form, 3, 0)
    for index in (0, 2):
        command = commands.indirect_render_command(index)
        command.set_render_pipeline_state(pipeline)
        command.set_vertex_buffer(places, 0, 0)
        command.set_fragment_buffer(colour, 0, 0)
        command.draw_primitives(pm.PrimitiveType.TriangleStrip, 0, 4, 1 + index)

    with captured_to(device, tmp_path / "c.metalcapture") as captured:
        descriptor = pm.RenderPassDescriptor()
        colours = descriptor.color_attachment(0)
        colours.texture, colours.resolve_texture = samples, resolved
        colours.load_action, colours.store_action = pm.LoadAction.Clear, pm.StoreAction.MultisampleResolve
        work = scene.queue.command_buffer()
        with work.parallel_render_command_encoder(descriptor) as parallel:
            for label in ("first", "second"):
                with parallel.render_command_encoder() as encoder:
                    encoder.label = label
                    encoder.insert_debug_signpost(label)
                    if label == "second":
                        encoder.execute_commands_in_buffer(commands, pm.Range(0, 3))
        scene.finish(work)

    (command,) = captured[0].passes
    assert [(draw.kind, draw.label) for draw in command.draws] == [
        ("signpost", "first"),
        ("signpost", "second"),
        ("execute", "second"),
    ]
    executed = command.draws[2].executed
    assert [(draw.index, draw.primitive, draw.count, draw.instances) for draw in executed] == [
        (0, "triangle_strip", 4, 1),
        (2, "triangle_strip", 4, 3),
    ]
    assert {draw.pipeline.samples for draw in executed} == {4}
    assert {touched.resource.label for touched in command.touched} >= {"places", "colour", "samples", "resolved"}
    (colours,) = command.attachments
    assert (colours.store, colours.resolve.name, colours.resolve.resource.label) == (
        "resolve", "color0 resolve", "resolved",
    )  # fmt: skip
    assert np.array_equal(colours.resolve.after, pixels(resolved))
    assert (colours.resolve.after == [0, 255, 0, 255]).all()
