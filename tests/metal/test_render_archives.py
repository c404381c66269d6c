# SPDX-License-Identifier: MIT
"""What is prepared before it is drawn: archives of pipelines, functions with constants, draws in memory."""

import numpy as np
import pytest

import mtlpy_nb.metal as pm

SOURCE = """
#include <metal_stdlib>
using namespace metal;

constant bool isRed [[function_constant(0)]];
constant float shade [[function_constant(1)]];
constant bool isWhole = !isRed;
constant int count [[function_constant(2)]];

struct Corner { float4 position [[position]]; float4 color; };

vertex Corner corner(uint i [[vertex_id]], uint instance [[instance_id]], device const float2* places [[buffer(0)]],
                     constant float4& tint [[buffer(1), function_constant(isWhole)]])
{
    const float4 color = isRed ? float4(1, 0, 0, 1) : tint;
    return {float4(places[i] + float2(instance * count, 0), 0, 1), color};
}
fragment float4 dyed(Corner in [[stage_in]]) { return float4(in.color.rgb * shade, 1); }
fragment float4 plain(Corner in [[stage_in]], constant float& factor [[buffer(2)]]) { return in.color * factor; }
"""
SIDE = 4
LEFT = np.float32([[-1, -1], [0, -1], [-1, 1], [-1, 1], [0, -1], [0, 1]])


@pytest.fixture(scope="module")
def library(device):
    return device.new_library_with_source(SOURCE)


@pytest.fixture(scope="module")
def function(library):
    def make(name, is_red=True, shade=0.5, count=1):
        constants = pm.FunctionConstantValues()
        constants.set_constant_value(np.bool_(is_red), pm.DataType.Bool, 0)
        constants.set_constant_value(np.float32(shade), pm.DataType.Float, "shade")
        constants.set_constant_value(np.int32(count), pm.DataType.Int, 2)
        return library.new_function(name, constants)

    return make


@pytest.fixture(scope="module")
def described(function):
    def make(fragment="dyed", in_memory=False, **constants):
        form = pm.RenderPipelineDescriptor()
        form.vertex_function, form.fragment_function = function("corner", **constants), function(fragment, **constants)
        form.color_attachment(0).pixel_format = pm.PixelFormat.RGBA8Unorm
        form.support_indirect_command_buffers = in_memory
        return form

    return make


@pytest.fixture
def draw(device, queue):
    """Draw into a small picture, and return it."""

    def run(encode):
        target = device.new_texture(
            pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, SIDE, SIDE, False)
        )
        render_pass = pm.RenderPassDescriptor()
        color = render_pass.color_attachment(0)
        color.texture, color.load_action, color.store_action = target, pm.LoadAction.Clear, pm.StoreAction.Store
        color.clear_color = (0, 0, 0, 1)
        commands = queue.command_buffer()
        with commands.render_command_encoder(render_pass) as encoder:
            encode(encoder)
        commands.commit()
        commands.wait_until_completed()
        out = np.empty((SIDE, SIDE, 4), np.uint8)
        target.download(out)
        return out

    return run


def halves(left, right):
    picture = np.empty((SIDE, SIDE, 4), np.uint8)
    picture[:, : SIDE // 2], picture[:, SIDE // 2 :] = left, right
    return picture


def test_constants_choose_what_a_stage_does_and_takes(device, draw, described):
    red, tinted = (device.new_render_pipeline_state(described(is_red=is_red)) for is_red in (True, False))
    assert [argument.name for argument in red.vertex_arguments if argument.is_used] == ["places"]
    assert {argument.name for argument in tinted.vertex_arguments if argument.is_used} == {"places", "tint"}

    def encode(encoder):
        encoder.set_vertex_bytes(LEFT, 0)
        encoder.set_render_pipeline_state(red)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
        encoder.set_render_pipeline_state(tinted)
        with pytest.raises(pm.ValidationError, match="uses tint, but no buffer is set at index 1"):
            encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
        encoder.set_vertex_bytes(np.float32([0, 1, 1, 1]), 1)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6, 1, 1)

    np.testing.assert_array_equal(draw(encode), halves([128, 0, 0, 255], [0, 128, 128, 255]))


def test_an_archive_has_the_pipelines_that_were_added(device, draw, described, tmp_path):
    path, only = str(tmp_path / "pipelines.bin"), pm.PipelineOption.FailOnBinaryArchiveMiss
    archive = device.new_binary_archive(pm.BinaryArchiveDescriptor())
    form = described(shade=0.25)
    form.binary_archives = [archive]
    with pytest.raises(pm.PipelineError, match="archive"):
        device.new_render_pipeline_state(form, only)
    archive.add_render_pipeline_functions(form)
    assert device.new_render_pipeline_state(form, only).device is device
    archive.serialize_to_url(path)

    again = pm.BinaryArchiveDescriptor()
    again.url = path
    kept = device.new_binary_archive(again)
    form.binary_archives = [kept]
    pipeline = device.new_render_pipeline_state(form, only)
    other = described(shade=0.75)  # other constants are other code
    other.binary_archives = [kept]
    with pytest.raises(pm.PipelineError, match="archive"):
        device.new_render_pipeline_state(other, only)
    device.new_render_pipeline_state(other)

    def encode(encoder):
        encoder.set_vertex_bytes(LEFT, 0)
        encoder.set_render_pipeline_state(pipeline)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6, 2)

    np.testing.assert_array_equal(draw(encode), halves([64, 0, 0, 255], [64, 0, 0, 255]))


def test_an_archive_of_kernels_may_be_all_there_is(device):
    library = device.new_library_with_source("kernel void nothing(device int* x [[buffer(0)]]) { x[0] = 1; }")
    form = pm.ComputePipelineDescriptor()
    form.compute_function = library.new_function("nothing")
    archive = device.new_binary_archive(pm.BinaryArchiveDescriptor())
    form.binary_archives = [archive]
    with pytest.raises(pm.PipelineError, match="archive"):
        device.new_compute_pipeline_state(form, pm.PipelineOption.FailOnBinaryArchiveMiss)
    archive.add_compute_pipeline_functions(form)
    assert device.new_compute_pipeline_state(form, pm.PipelineOption.FailOnBinaryArchiveMiss).device is device
    with pytest.raises(pm.ValidationError, match="options is 8"):
        device.new_compute_pipeline_state(form, 8)


@pytest.mark.parametrize("kind", [pm.ComputePipelineDescriptor, pm.RenderPipelineDescriptor])
def test_none_is_no_archive(kind):
    with pytest.raises(pm.ValidationError, match=r"binary_archives\[0\] is None"):
        kind().binary_archives = [None]


def commands_of(device, count, **settings):
    form = pm.IndirectCommandBufferDescriptor()
    form.command_types = pm.IndirectCommandTypeDraw | pm.IndirectCommandTypeDrawIndexed
    form.max_vertex_buffer_bind_count, form.max_fragment_buffer_bind_count = 2, 3
    for name, value in settings.items():
        setattr(form, name, value)
    return device.new_indirect_command_buffer(form, count, 0)


def test_draws_in_memory_inherit_pipeline_and_buffers(device, draw, described):
    pipeline = device.new_render_pipeline_state(described(in_memory=True))
    commands = commands_of(device, 3, inherit_buffers=True, inherit_pipeline_state=True)
    commands.indirect_render_command(0).draw_primitives(pm.PrimitiveType.Triangle, 0, 3)
    commands.indirect_render_command(2).draw_primitives(pm.PrimitiveType.Triangle, 3, 3, 1, 0)

    def encode(encoder):
        encoder.set_render_pipeline_state(pipeline)
        encoder.set_vertex_bytes(LEFT, 0)
        encoder.execute_commands_in_buffer(commands, pm.Range(0, 3))

    np.testing.assert_array_equal(draw(encode), halves([128, 0, 0, 255], [0, 0, 0, 255]))


def test_draws_in_memory_with_indices_state_and_a_range_in_a_buffer(device, draw, described):
    pipeline = device.new_render_pipeline_state(described("plain", in_memory=True, is_red=False))
    commands = commands_of(device, 4, inherit_buffers=False, inherit_pipeline_state=False)
    places, indices = device.new_buffer_with_data(LEFT), device.new_buffer_with_data(np.uint32([9, 0, 1, 2, 3, 4, 5]))
    tints = [device.new_buffer_with_data(np.float32(tint)) for tint in ([0, 1, 0, 1], [0, 0, 1, 1])]
    factor = device.new_buffer_with_data(np.float32([9, 0.5]))
    for index in range(4):
        command = commands.indirect_render_command(index)
        command.set_render_pipeline_state(pipeline)
        command.set_vertex_buffer(places, 0, 0)
        command.set_vertex_buffer(tints[index % 2], 0, 1)
        command.set_fragment_buffer(factor, 4, 2)
        command.draw_indexed_primitives(
            pm.PrimitiveType.Triangle, 6, pm.IndexType.UInt32, indices, 4, 1, 0, 1 if index == 2 else 0
        )
    commands.indirect_render_command(3).reset()  # the last one would hide what is below
    ranges = device.new_buffer_with_data(np.uint32([7, 1, 3]))

    def encode(encoder):
        encoder.use_resources([places, indices, factor, *tints], pm.ResourceUsage.Read)
        encoder.execute_commands_in_buffer_indirect(commands, ranges, 4)

    np.testing.assert_array_equal(draw(encode), halves([0, 0, 128, 128], [0, 128, 0, 128]))


def test_a_range_that_is_not_there_is_refused(device, draw, described):
    pipeline = device.new_render_pipeline_state(described(in_memory=True))
    commands = commands_of(device, 2, inherit_buffers=True, inherit_pipeline_state=True)

    def encode(encoder):
        with pytest.raises(pm.ValidationError, match=r"range is \(1, 2\), the buffer has 2 commands"):
            encoder.execute_commands_in_buffer(commands, pm.Range(1, 2))
        encoder.set_render_pipeline_state(pipeline)
        with pytest.raises(pm.ValidationError, match="multiple of 4"):
            encoder.execute_commands_in_buffer_indirect(commands, device.new_buffer(16), 2)
        encoder.execute_commands_in_buffer(commands, pm.Range(0, 2))  # both are empty

    np.testing.assert_array_equal(draw(encode), halves([0, 0, 0, 255], [0, 0, 0, 255]))
