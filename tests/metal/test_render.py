# SPDX-License-Identifier: MIT
"""Drawing from Python: a pass from its descriptor to the pixels, and what an encoder refuses."""

import gc
import weakref

import numpy as np
import pytest

import mtlpy_nb.metal as pm

SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct Corner { float4 position [[position]]; float4 colour; };

vertex Corner corner(uint i [[vertex_id]], device const float2* places [[buffer(0)]],
                     constant float4* colours [[buffer(1)]])
{
    return {float4(places[i], 0.5, 1), colours[i]};
}

fragment float4 shade(Corner in [[stage_in]]) { return in.colour; }

fragment float4 tint(Corner in [[stage_in]], texture2d<float> picture [[texture(0)]], sampler s [[sampler(0)]],
                     constant float4& factor [[buffer(0)]])
{
    return picture.sample(s, in.position.xy / 8) * factor;
}

struct Fetched { float2 place [[attribute(0)]]; float4 colour [[attribute(1)]]; };

vertex Corner fetched(Fetched in [[stage_in]], uint instance [[instance_id]])
{
    return {float4(in.place + float2(instance, 0), 0.5, 1), in.colour};
}
"""
WIDTH = HEIGHT = 8
# All of the target, as two triangles.
SQUARE = np.float32([[-1, -1], [1, -1], [-1, 1], [-1, 1], [1, -1], [1, 1]])
# The lower left half: pixel (x, y) is inside where its centre is below the diagonal or on it.
HALF = np.float32([[-1, -1], [1, -1], [-1, 1]])
RED = np.float32([1, 0, 0, 1])


@pytest.fixture(scope="module")
def functions(device):
    library = device.new_library_with_source(SOURCE)
    return {name: library.new_function(name) for name in library.function_names}


@pytest.fixture(scope="module")
def make_pipeline(device, functions):
    made = {}

    def make(vertex="corner", fragment="shade", format=pm.PixelFormat.RGBA8Unorm):
        key = vertex, fragment, format
        if key not in made:
            descriptor = pm.RenderPipelineDescriptor.render_pipeline_descriptor()
            descriptor.vertex_function = functions[vertex]
            descriptor.fragment_function = functions[fragment] if fragment else None
            descriptor.color_attachment(0).pixel_format = format
            if vertex == "fetched":
                vertices = pm.VertexDescriptor.vertex_descriptor()
                vertices.attribute(0).format = pm.VertexFormat.Float2
                vertices.attribute(1).format = pm.VertexFormat.UChar4Normalized
                vertices.attribute(1).offset = 8
                vertices.layout(0).stride = 12
                descriptor.vertex_descriptor = vertices
            made[key] = device.new_render_pipeline_state(descriptor)
        return made[key]

    return make


@pytest.fixture
def target(device):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, WIDTH, HEIGHT, False)
    descriptor.usage = pm.TextureUsage.RenderTarget | pm.TextureUsage.ShaderRead
    return device.new_texture(descriptor)


@pytest.fixture
def render_pass(target):
    descriptor = pm.RenderPassDescriptor.render_pass_descriptor()
    colour = descriptor.color_attachment(0)
    colour.texture = target
    colour.load_action = pm.LoadAction.Clear
    colour.store_action = pm.StoreAction.Store
    colour.clear_color = pm.ClearColor(0, 0, 1, 1)
    return descriptor


@pytest.fixture
def encoder(queue, render_pass):
    commands = queue.command_buffer()
    encoder = commands.render_command_encoder(render_pass)
    yield encoder
    del encoder, commands


def pixels(target):
    out = np.empty((target.height, target.width, 4), np.uint8)
    target.download(out)
    return out


def finish(commands):
    commands.commit()
    commands.wait_until_completed()


def set_square(encoder, places=SQUARE, colour=RED):
    encoder.set_vertex_bytes(places, 0)
    encoder.set_vertex_bytes(np.tile(colour, (len(places), 1)), 1)


def test_a_triangle(queue, make_pipeline, render_pass, target):
    commands = queue.command_buffer()
    encoder = commands.render_command_encoder(render_pass)
    encoder.set_render_pipeline_state(make_pipeline())
    set_square(encoder, HALF)
    encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)
    encoder.end_encoding()
    finish(commands)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    # Centres on the diagonal are on a right edge, which belongs to the other side.
    inside = x < y
    expected = np.where(inside[..., None], [255, 0, 0, 255], [0, 0, 255, 255])
    assert np.array_equal(pixels(target), expected)


def test_indexed_instanced_and_fetched(device, queue, make_pipeline, render_pass, target):
    corners = np.zeros(4, [("place", np.float32, 2), ("colour", np.uint8, 4)])
    corners["place"] = [[-1, -1], [-0.5, -1], [-1, 1], [-0.5, 1]]
    corners["colour"] = [0, 255, 0, 255]
    indices = device.new_buffer_with_data(np.uint16([0, 0, 1, 2, 2, 1, 3]))
    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        encoder.set_render_pipeline_state(make_pipeline("fetched"))
        encoder.set_vertex_buffer(device.new_buffer_with_data(corners), 0, 0)
        encoder.draw_indexed_primitives_instanced(pm.PrimitiveType.Triangle, 6, pm.IndexType.UInt16, indices, 2, 2)
    finish(commands)
    expected = np.tile(np.uint8([0, 0, 255, 255]), (HEIGHT, WIDTH, 1))
    expected[:, 0:2] = expected[:, 4:6] = [0, 255, 0, 255]
    assert np.array_equal(pixels(target), expected)


def test_textured_with_bytes_for_a_constant(device, queue, make_pipeline, render_pass, target):
    picture = device.new_texture(pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, 2, 2, False))
    texels = np.uint8([[[255, 0, 0, 255], [0, 255, 0, 255]], [[0, 0, 255, 255], [255, 255, 255, 255]]])
    picture.replace_region(texels.tobytes(), 8, 0, 0, 2, 2)
    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        encoder.set_render_pipeline_state(make_pipeline(fragment="tint"))
        set_square(encoder)
        encoder.set_fragment_texture(picture, 0)
        encoder.set_fragment_sampler_state(device.new_sampler_state(pm.SamplerDescriptor()), 0)
        encoder.set_fragment_bytes(memoryview(np.float32([1, 0, 1, 1])), 0)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
    finish(commands)
    expected = texels.repeat(4, axis=0).repeat(4, axis=1) * np.uint8([1, 0, 1, 1])
    assert np.array_equal(pixels(target), expected)


def test_viewport_scissor_and_culling(queue, make_pipeline, render_pass, target):
    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        encoder.set_render_pipeline_state(make_pipeline())
        set_square(encoder)
        encoder.set_viewport(0, 0, 4, 4, 0, 1)
        encoder.set_scissor_rect(1, 0, 7, 8)
        encoder.set_cull_mode(pm.CullMode.None_)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
        encoder.set_viewport(pm.Viewport(4, 4, 4, 4))
        encoder.set_scissor_rect(pm.ScissorRect(0, 0, 8, 8))
        encoder.set_cull_mode(pm.CullMode.Front)
        encoder.set_front_facing_winding(pm.Winding.CounterClockwise)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
    finish(commands)
    expected = np.tile(np.uint8([0, 0, 255, 255]), (HEIGHT, WIDTH, 1))
    expected[0:4, 1:4] = [255, 0, 0, 255]
    assert np.array_equal(pixels(target), expected)


def test_a_stride_that_is_told_with_the_buffer(device, queue, functions, render_pass, target):
    descriptor = pm.RenderPipelineDescriptor()
    descriptor.vertex_function, descriptor.fragment_function = functions["fetched"], functions["shade"]
    descriptor.color_attachment(0).pixel_format = pm.PixelFormat.RGBA8Unorm
    vertices = descriptor.vertex_descriptor
    vertices.attribute(0).format = pm.VertexFormat.Float2
    vertices.attribute(1).format = pm.VertexFormat.UChar4Normalized
    vertices.attribute(1).offset = 8
    vertices.layout(0).stride = -1
    assert vertices.layout(0).stride == -1
    pipeline = device.new_render_pipeline_state(descriptor)
    corners = np.zeros(6, [("place", np.float32, 2), ("colour", np.uint8, 4), ("unused", np.uint8, 8)])
    corners["place"], corners["colour"] = SQUARE, [0, 255, 0, 255]
    buffer = device.new_buffer_with_data(corners)
    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        encoder.set_render_pipeline_state(pipeline)
        encoder.set_vertex_buffer(buffer, 0, 20, 0)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
    finish(commands)
    assert (pixels(target) == [0, 255, 0, 255]).all()

    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        encoder.set_render_pipeline_state(pipeline)
        encoder.set_vertex_buffer(buffer, 0, 0)
        with pytest.raises(pm.ValidationError, match="stride must be told with the buffer"):
            encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        ("set_viewport", (0, 0, -16, 4), r"viewport.width\(-16\) must be >= 0"),
        ("set_scissor_rect", (0, 0, 4, 1000), r"must be <= the render pass height"),
        ("draw_primitives", (pm.PrimitiveType.Triangle, 2**32 - 1, 3), r"vertexStart\(4294967295\)"),
        ("set_visibility_result_mode", (pm.VisibilityResultMode.Counting, 0), "visibilityResultBuffer"),
    ],
)
def test_what_metal_refuses_is_an_error_of_the_call_and_changes_nothing(
    queue, make_pipeline, render_pass, target, call, arguments, message
):
    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        encoder.set_render_pipeline_state(make_pipeline())
        set_square(encoder)
        with pytest.raises(pm.ValidationError, match=message):
            getattr(encoder, call)(*arguments)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
    finish(commands)
    assert (pixels(target) == [255, 0, 0, 255]).all()


def test_parts_of_a_pass_may_outlive_its_encoder(queue, make_pipeline, render_pass, target):
    """What goes without having been ended is ended, whichever goes first."""
    commands = queue.command_buffer()
    parallel = commands.parallel_render_command_encoder(render_pass)
    part = parallel.render_command_encoder()
    part.set_render_pipeline_state(make_pipeline())
    set_square(part)
    part.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
    del parallel
    gc.collect()
    del part
    gc.collect()
    finish(commands)
    assert (pixels(target) == [255, 0, 0, 255]).all()


def test_indirect_arguments(device, queue, make_pipeline, render_pass, target):
    arguments = device.new_buffer_with_data(np.uint32([0, 3, 1, 3, 0]))
    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        encoder.set_render_pipeline_state(make_pipeline())
        set_square(encoder)
        encoder.draw_primitives_indirect(pm.PrimitiveType.Triangle, arguments, 4)
    finish(commands)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    assert np.array_equal(pixels(target)[..., 0] == 255, x >= y)


def test_what_was_loaded_stays(queue, make_pipeline, render_pass, target):
    target.replace_region(np.full((HEIGHT, WIDTH, 4), 9, np.uint8).tobytes(), WIDTH * 4, 0, 0, WIDTH, HEIGHT)
    render_pass.color_attachment(0).load_action = pm.LoadAction.Load
    commands = queue.command_buffer()
    commands.render_command_encoder(render_pass).end_encoding()
    finish(commands)
    assert (pixels(target) == 9).all()


def test_several_encoders_of_one_pass(queue, make_pipeline, render_pass, target):
    commands = queue.command_buffer()
    parallel = commands.parallel_render_command_encoder(render_pass)
    parts = [parallel.render_command_encoder(), parallel.render_command_encoder()]
    for part, colour in zip(reversed(parts), ([0, 1, 0, 1], [1, 0, 0, 1]), strict=True):
        part.set_render_pipeline_state(make_pipeline())
        set_square(part, colour=np.float32(colour))
        part.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
    with pytest.raises(pm.ValidationError, match="an encoder of the pass is open"):
        parallel.end_encoding()
    for part in parts:
        part.end_encoding()
    with pytest.raises(pm.ValidationError, match="another encoder"):
        commands.blit_command_encoder()
    parallel.end_encoding()
    finish(commands)
    assert (pixels(target) == [0, 255, 0, 255]).all()  # the later one's, whichever was written first


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda p: setattr(p.color_attachment(0), "texture", None), "the pass has no attachment"),
        (lambda p: setattr(p.color_attachment(0), "level", 1), r"colorAttachments\[0\].level\(1\) must be <"),
        (lambda p: setattr(p.color_attachment(0), "store_action", 2), "its resolveTexture is nil"),
        (lambda p: setattr(p, "render_target_width", 9), r"renderTargetWidth\(9\) must be <= 8"),
    ],
)
def test_a_pass_that_cannot_be_says_why_and_changes_nothing(queue, render_pass, target, change, error):
    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass):
        pass
    change(render_pass)
    with pytest.raises(pm.ValidationError, match=error):
        commands.render_command_encoder(render_pass)
    finish(commands)
    assert (pixels(target) == [0, 0, 255, 255]).all()


REFUSED = [
    (lambda e, p, b: e.draw_primitives(pm.PrimitiveType.Triangle, 0, 3), "no render pipeline state is set"),
    (lambda e, p, b: (e.set_render_pipeline_state(p()), e.draw_primitives(3, 0, 3)), "uses places, but no buffer"),
    (lambda e, p, b: e.set_vertex_buffer(b, 0, 32), "index is 32"),
    (lambda e, p, b: e.set_fragment_buffer(b, 64, 0), "offset is 64"),
    (lambda e, p, b: e.set_fragment_texture(None, 128), "index is 128"),
    (lambda e, p, b: e.set_vertex_sampler_state(None, 16), "index is 16"),
    (lambda e, p, b: e.set_vertex_bytes(b"", 0), "data has 0 bytes"),
    (lambda e, p, b: e.set_fragment_bytes(bytes(4097), 0), "data has 4097 bytes"),
    (lambda e, p, b: e.set_vertex_bytes(np.zeros((4, 4))[:, 1], 0), "C-contiguous"),
    (lambda e, p, b: e.set_vertex_buffer_offset(0, 3), "no buffer is set at index 3"),
    (lambda e, p, b: e.set_scissor_rect(0, 0, -1, 1), "width is -1"),
    (lambda e, p, b: e.set_viewport(0, 0, float("nan"), 1, 0, 1), "width is nan"),
    (lambda e, p, b: e.set_viewports([]), "0 are given"),
    (lambda e, p, b: e.set_stencil_reference_value(-1), "value is -1"),
    (lambda e, p, b: e.set_visibility_result_mode(pm.VisibilityResultMode.Counting, 4), "multiple of 8"),
    (lambda e, p, b: e.use_resource(b, 0), "usage is 0"),
    (lambda e, p, b: e.set_color_store_action(pm.StoreAction.Unknown, 0), "Unknown"),
    (lambda e, p, b: (ready(e, p), e.draw_primitives(3, 0, 0)), "vertex_count is 0"),
    (lambda e, p, b: (ready(e, p), e.draw_primitives(3, 0, 3, 0)), "instance_count is 0"),
    (lambda e, p, b: (ready(e, p), e.draw_indexed_primitives(3, 33, pm.IndexType.UInt16, b, 0)), "66 bytes"),
    (lambda e, p, b: (ready(e, p), e.draw_indexed_primitives(3, 3, pm.IndexType.UInt32, b, 2)), "multiple of 4"),
    (lambda e, p, b: (ready(e, p), e.draw_primitives_indirect(3, b, 56)), "16 bytes at offset 56"),
    (lambda e, p, b: (e.end_encoding(), e.set_cull_mode(pm.CullMode.Back)), "the encoder has ended"),
]


def ready(encoder, make):
    encoder.set_render_pipeline_state(make())
    set_square(encoder)


@pytest.mark.parametrize(("call", "error"), REFUSED, ids=lambda value: value if isinstance(value, str) else "")
def test_what_an_encoder_refuses(device, encoder, make_pipeline, call, error):
    with pytest.raises(pm.ValidationError, match=error):
        call(encoder, make_pipeline, device.new_buffer(64))


def test_none_unbinds(device, encoder, make_pipeline):
    ready(encoder, make_pipeline)
    encoder.set_vertex_buffer(None, 0, 0)
    with pytest.raises(pm.ValidationError, match="uses places, but no buffer"):
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)


def test_the_index_after_the_last_is_let_through_as_pymetal_does(device, encoder):
    encoder.set_vertex_buffer(device.new_buffer(4), 0, 31)
    encoder.set_fragment_buffer(device.new_buffer(4), 0, 31)


def test_pipelines_that_cannot_be_made_say_why(device, functions):
    descriptor = pm.RenderPipelineDescriptor()
    with pytest.raises(pm.ValidationError, match="no vertex_function"):
        device.new_render_pipeline_state(descriptor)
    descriptor.vertex_function = functions["shade"]
    with pytest.raises(pm.PipelineError, match="shade isn't a vertex function"):
        device.new_render_pipeline_state(descriptor)


def test_a_pipeline_tells_what_it_takes(device, make_pipeline):
    pipeline = make_pipeline(fragment="tint")
    assert [argument.name for argument in pipeline.vertex_arguments] == ["places", "colours"]
    assert {argument.name for argument in pipeline.fragment_arguments} == {"picture", "s", "factor"}
    assert pipeline.device is device
    assert "corner and tint" in repr(pipeline)


def test_objects_are_freed_without_the_cyclic_collector(queue, functions, device, render_pass):
    gc.collect()
    gc.disable()
    try:
        descriptor = pm.RenderPipelineDescriptor()
        descriptor.vertex_function, descriptor.fragment_function = functions["corner"], functions["shade"]
        descriptor.color_attachment(0).pixel_format = pm.PixelFormat.RGBA8Unorm
        pipeline = device.new_render_pipeline_state(descriptor)
        commands = queue.command_buffer()
        encoder = commands.render_command_encoder(render_pass)
        encoder.set_render_pipeline_state(pipeline)
        set_square(encoder)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
        encoder.end_encoding()
        finish(commands)
        gone = [weakref.ref(thing) for thing in (descriptor, pipeline, encoder, commands)]
        del descriptor, pipeline, encoder, commands
        assert [reference() for reference in gone] == [None] * 4
    finally:
        gc.enable()


def test_draws_of_an_indirect_command_buffer(device, queue, functions, render_pass, target):
    descriptor = pm.RenderPipelineDescriptor()
    descriptor.vertex_function, descriptor.fragment_function = functions["corner"], functions["shade"]
    descriptor.color_attachment(0).pixel_format = pm.PixelFormat.RGBA8Unorm
    descriptor.support_indirect_command_buffers = True
    pipeline = device.new_render_pipeline_state(descriptor)
    form = pm.IndirectCommandBufferDescriptor()
    form.command_types = pm.IndirectCommandTypeDraw
    form.inherit_buffers = form.inherit_pipeline_state = False
    form.max_vertex_buffer_bind_count = 2
    commands = device.new_indirect_command_buffer(form, 2, 0)
    places = device.new_buffer_with_data(SQUARE)
    colours = [device.new_buffer_with_data(np.tile(np.float32(c), (6, 1))) for c in ([1, 0, 0, 1], [0, 1, 0, 1])]
    for index, colour in enumerate(colours):
        command = commands.indirect_render_command(index)
        command.set_render_pipeline_state(pipeline)
        command.set_vertex_buffer(places, 0, 0)
        command.set_vertex_buffer(colour, 0, 1)
        command.draw_primitives(pm.PrimitiveType.Triangle, 3 * index, 3)
    work = queue.command_buffer()
    with work.render_command_encoder(render_pass) as encoder:
        for buffer in (places, *colours):
            encoder.use_resource(buffer, pm.ResourceUsage.Read)
        encoder.execute_commands_in_buffer(commands, pm.Range(0, 2))
    finish(work)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    expected = np.where((x < y)[..., None], [255, 0, 0, 255], [0, 255, 0, 255])
    assert np.array_equal(pixels(target), expected)


def test_a_pipeline_that_commands_cannot_use_is_refused(device, make_pipeline):
    form = pm.IndirectCommandBufferDescriptor()
    form.command_types = pm.IndirectCommandTypeDraw
    form.inherit_buffers = form.inherit_pipeline_state = False
    commands = device.new_indirect_command_buffer(form, 1, 0)
    with pytest.raises(pm.ValidationError, match="support_indirect_command_buffers"):
        commands.indirect_render_command(0).set_render_pipeline_state(make_pipeline())


def test_a_binary_archive_keeps_render_functions(device, functions, tmp_path):
    descriptor = pm.RenderPipelineDescriptor()
    with pytest.raises(pm.ValidationError, match="no vertex_function"):
        device.new_binary_archive(pm.BinaryArchiveDescriptor()).add_render_pipeline_functions(descriptor)
    descriptor.vertex_function, descriptor.fragment_function = functions["corner"], functions["shade"]
    descriptor.color_attachment(0).pixel_format = pm.PixelFormat.RGBA8Unorm
    archive = device.new_binary_archive(pm.BinaryArchiveDescriptor())
    archive.add_render_pipeline_functions(descriptor)
    archive.serialize_to_url(str(tmp_path / "render.bin"))
    again = pm.BinaryArchiveDescriptor()
    again.url = str(tmp_path / "render.bin")
    descriptor.binary_archives = [device.new_binary_archive(again)]
    assert device.new_render_pipeline_state(descriptor).label == descriptor.label


def test_the_picture_of_a_pass_is_a_texture_of_the_high_level(queue, make_pipeline, render_pass, target):
    from mtlpy_nb import Texture

    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        ready(encoder, make_pipeline)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
    finish(commands)
    assert (Texture.from_metal(target).numpy() == [255, 0, 0, 255]).all()
