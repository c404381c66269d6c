# SPDX-License-Identifier: MIT
"""Argument buffers that a program describes itself, member by member."""

import numpy as np
import pytest

import mtlpy_nb.metal as pm

SOURCE = """
#include <metal_stdlib>
using namespace metal;
struct Scene {
    device float* values [[id(0)]];
    float3 shift [[id(1)]];
    array<texture2d<float>, 2> pictures [[id(2)]];
    sampler how [[id(4)]];
    char small [[id(5)]];
    float2x3 matrix [[id(6)]];
};
kernel void use(constant Scene& scene [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float4 colour = scene.pictures[i].sample(scene.how, float2(0.5));
    scene.values[i] += scene.shift[i] + colour.r + scene.small + scene.matrix[1][i];
}
"""


def argument(kind, index, length=0, **settings):
    made = pm.ArgumentDescriptor.argument_descriptor()
    made.data_type, made.index, made.array_length = kind, index, length
    for name, value in settings.items():
        setattr(made, name, value)
    return made


def members():
    return [
        argument(pm.DataType.Pointer, 0, access=pm.BindingAccess.ReadWrite),
        argument(pm.DataType.Float3, 1),
        argument(pm.DataType.Texture, 2, 2, texture_type=pm.TextureType.Type2D),
        argument(pm.DataType.Sampler, 4),
        argument(pm.DataType.Char, 5),
        argument(pm.DataType.Float2x3, 6),
    ]


@pytest.fixture(scope="module")
def function(device):
    return device.new_library_with_source(SOURCE).new_function("use")


def test_the_layout_is_that_of_the_struct(device, function):
    declared, described = function.new_argument_encoder(0), device.new_argument_encoder(list(reversed(members())))
    assert (described.encoded_length, described.alignment) == (declared.encoded_length, declared.alignment)
    assert described.device is device
    places = []
    for encoder in (declared, described):
        buffer = device.new_buffer(encoder.encoded_length)
        encoder.set_argument_buffer(buffer)
        places.append([encoder.constant_data(index) - buffer.data_ptr for index in range(7)])
    assert places[0] == places[1]


def test_a_kernel_reads_what_was_written(device, queue, function):
    values = device.new_buffer_with_data(np.float32([1, 2]))
    textures = []
    for level in (0, 255):
        texture = device.new_texture(pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R8Unorm, 1, 1, False))
        texture.replace_region(bytes([level]), 1, 0, 0, 1, 1)
        textures.append(texture)
    how = pm.SamplerDescriptor()
    how.support_argument_buffers = True
    encoder = device.new_argument_encoder(members())
    buffer = device.new_buffer(encoder.encoded_length)
    encoder.set_argument_buffer(buffer, 0)
    encoder.set_buffer(values, 0, 0)
    for index, texture in enumerate(textures):
        encoder.set_texture(texture, 2 + index)
    sampler = device.new_sampler_state(how)
    encoder.set_sampler_state(sampler, 4)
    for index, value in ((1, np.float32([10, 20, 0])), (5, np.int8([-1])), (6, np.float32([0] * 4 + [100, 200, 0, 0]))):
        offset = encoder.constant_data(index) - buffer.data_ptr
        np.frombuffer(buffer.contents(), value.dtype, len(value), offset)[:] = value
    commands = queue.command_buffer()
    with commands.compute_command_encoder() as compute:
        compute.set_compute_pipeline_state(device.new_compute_pipeline_state(function))
        compute.set_buffer(buffer, 0, 0)
        compute.use_resource(values, pm.ResourceUsage.Read | pm.ResourceUsage.Write)
        for texture in textures:
            compute.use_resource(texture, pm.ResourceUsage.Read)
        compute.dispatch_threads(2, 1, 1, 2, 1, 1)
    commands.commit()
    commands.wait_until_completed()
    assert np.frombuffer(values, np.float32).tolist() == [1 + 10 + 0 - 1 + 100, 2 + 20 + 1 - 1 + 200]


def test_a_constants_place_can_be_aligned_further(device):
    encoder = device.new_argument_encoder(
        [argument(pm.DataType.Float, 0), argument(pm.DataType.Float, 1, constant_block_alignment=64)]
    )
    buffer = device.new_buffer(encoder.encoded_length)
    encoder.set_argument_buffer(buffer)
    assert encoder.constant_data(1) - buffer.data_ptr == 64
    assert (encoder.alignment, encoder.encoded_length) == (64, 128)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (list, "arguments is empty"),
        (lambda: [argument(pm.DataType.Float, 0), None], r"arguments\[1\] is None"),
        (lambda: [pm.ArgumentDescriptor()], "index 0 has no data_type"),
        (lambda: [argument(pm.DataType.Struct, 0)], "which no argument buffer holds"),
        (lambda: [argument(pm.DataType.Float, 3), argument(pm.DataType.Texture, 2, 2)], "overlap"),
        (lambda: [argument(pm.DataType.Float, 0, constant_block_alignment=3)], "power of two"),
        (lambda: [argument(pm.DataType.Float, -1)], "index is -1"),
    ],
)
def test_what_no_struct_has_is_refused(device, make, error):
    with pytest.raises(pm.ValidationError, match=error):
        device.new_argument_encoder(make())


def test_settings_keep_what_they_are_told():
    made = argument(pm.DataType.Texture, 7, 3, texture_type=pm.TextureType.Type3D, access=pm.BindingAccess.WriteOnly)
    assert (made.data_type, made.index, made.array_length) == (pm.DataType.Texture, 7, 3)
    assert (made.texture_type, made.access) == (pm.TextureType.Type3D, pm.BindingAccess.WriteOnly)
    assert made.constant_block_alignment == 0
