# SPDX-License-Identifier: MIT
"""Argument buffers: addresses and resource ids that the host writes, or an encoder."""

from __future__ import annotations

import numpy as np
import pytest
from settling import settled_size

pm = pytest.importorskip("mtlpy_nb.metal")

SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct Inner { texture2d<float> picture [[id(0)]]; float weight [[id(1)]]; };
struct Node { constant Node* next; int value; };
struct Arguments {
    device float* out [[id(0)]];
    constant float* scale [[id(1)]];
    texture2d<float> picture [[id(2)]];
    sampler look [[id(3)]];
    array<texture2d<float>, 2> more [[id(4)]];
    array<device int*, 2> lists [[id(6)]];
    Inner inner [[id(8)]];
    constant Node* first [[id(10)]];
    device float* device* rows [[id(11)]];
    float2 offset [[id(12)]];
};

kernel void gather(constant Arguments& a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    float value = a.scale[i] * a.picture.sample(a.look, float2(0.75, 0.25)).x;
    value += a.more[i & 1].read(uint2(0)).x + a.lists[1][i] + a.inner.picture.read(uint2(1, 0)).x * a.inner.weight;
    int sum = 0;
    for (constant Node* node = a.first; node; node = node->next) sum += node->value;
    a.out[i] = value + sum + a.rows[i % 2][0] + a.offset.y;
}
kernel void each(device Arguments* all [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    device Arguments& a = all[i];
    a.out[i] = a.scale[i] + a.offset.x;
}
"""


@pytest.fixture(scope="module")
def device():
    return pm.create_system_default_device()


@pytest.fixture(scope="module")
def library(device):
    return device.new_library_with_source(SOURCE)


def buffer_of(device, array):
    array = np.ascontiguousarray(array)
    made = device.new_buffer(array.nbytes, pm.ResourceStorageModeShared)
    made.contents()[:] = array.view(np.uint8).reshape(-1)
    return made


def texture_of(device, rows):
    rows = np.asarray(rows, np.float32)
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R32Float, rows.shape[1], rows.shape[0], False)
    made = device.new_texture(descriptor)
    made.replace_region(pm.Region.make_2d(0, 0, rows.shape[1], rows.shape[0]), 0, 0, rows, rows.strides[0])
    return made


class Scene:
    """The resources, and what the kernel is to find."""

    def __init__(self, device):
        self.out = buffer_of(device, np.zeros(8, np.float32))
        self.scale = buffer_of(device, np.arange(8, dtype=np.float32))
        self.picture = texture_of(device, [[1, 2], [3, 4]])
        look = pm.SamplerDescriptor()
        look.support_argument_buffers = True
        self.look = device.new_sampler_state(look)
        self.more = [texture_of(device, [[10]]), texture_of(device, [[20]])]
        self.lists = [buffer_of(device, np.zeros(8, np.int32)), buffer_of(device, np.arange(8, dtype=np.int32) * 100)]
        self.inner = texture_of(device, [[0, 5]])
        self.last = buffer_of(device, np.array([(0, 1000)], [("next", "u8"), ("value", "i8")]))
        self.first = buffer_of(device, np.array([(self.last.gpu_address, 2000)], [("next", "u8"), ("value", "i8")]))
        self.row = [buffer_of(device, np.float32([n])) for n in (0.25, 0.5)]
        self.rows = buffer_of(device, np.array([row.gpu_address for row in self.row], np.uint64))
        i = np.arange(8)
        self.expected = i * 2.0 + np.where(i % 2, 20, 10) + i * 100 + 5 * 3 + 3000 + np.where(i % 2, 0.5, 0.25) + 7


def run(device, library, name, bind, count=8):
    state = device.new_compute_pipeline_state(library.new_function(name))
    commands = device.new_command_queue().command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(state)
    bind(encoder)
    encoder.dispatch_threads((count, 1, 1), (count, 1, 1))
    encoder.end_encoding()
    commands.commit()
    commands.wait_until_completed()


def arguments_dtype():
    return np.dtype(
        [
            ("out", "u8"), ("scale", "u8"), ("picture", "u8"), ("look", "u8"), ("more", "u8", 2), ("lists", "u8", 2),
            ("inner", [("picture", "u8"), ("weight", "f4"), ("gap", "u4")]), ("first", "u8"), ("rows", "u8"),
            ("offset", "f4", 2),
        ]
    )  # fmt: skip


def filled(scene):
    value = np.zeros((), arguments_dtype())
    value["out"], value["scale"] = scene.out.gpu_address, scene.scale.gpu_address
    value["picture"], value["look"] = scene.picture.gpu_resource_id, scene.look.gpu_resource_id
    value["more"] = [texture.gpu_resource_id for texture in scene.more]
    value["lists"] = [buffer.gpu_address for buffer in scene.lists]
    value["inner"] = (scene.inner.gpu_resource_id, 3, 0)
    value["first"], value["rows"], value["offset"] = scene.first.gpu_address, scene.rows.gpu_address, (6, 7)
    return value


def test_addresses_and_ids_written_by_the_host(device, library):
    scene = Scene(device)
    arguments = buffer_of(device, filled(scene))
    run(device, library, "gather", lambda encoder: encoder.set_buffer(arguments, 0, 0))
    np.testing.assert_allclose(scene.out.contents().view(np.float32), scene.expected)


def test_an_encoder_writes_the_same(device, library):
    scene = Scene(device)
    encoder = library.new_function("gather").new_argument_encoder(0)
    assert (encoder.encoded_length, encoder.alignment) == (arguments_dtype().itemsize, 8)
    arguments = buffer_of(device, np.zeros(256 + encoder.encoded_length, np.uint8))
    encoder.set_argument_buffer(arguments, 256)
    encoder.set_buffer(scene.out, 0, 0)
    encoder.set_buffer(scene.scale, 0, 1)
    encoder.set_texture(scene.picture, 2)
    encoder.set_sampler_state(scene.look, 3)
    encoder.set_texture(scene.more[0], 4)
    encoder.set_texture(scene.more[1], 5)
    encoder.set_buffer(scene.lists[0], 0, 6)
    encoder.set_buffer(scene.lists[1], 0, 7)
    encoder.set_texture(scene.inner, 8)
    encoder.set_buffer(scene.first, 0, 10)
    encoder.set_buffer(scene.rows, 0, 11)
    written = arguments.contents()[256:].view(arguments_dtype())[0]
    wanted = filled(scene)
    for name in ("out", "scale", "picture", "look", "more", "lists", "first", "rows"):
        assert np.array_equal(written[name], wanted[name]), name
    assert written["inner"]["picture"] == wanted["inner"]["picture"]
    written["inner"]["weight"], written["offset"] = 3, (6, 7)
    run(device, library, "gather", lambda kernel: kernel.set_buffer(arguments, 256, 0))
    np.testing.assert_allclose(scene.out.contents().view(np.float32), scene.expected)


def test_an_array_of_argument_structs(device, library):
    scene = Scene(device)
    values = np.stack([filled(scene) for _ in range(8)])
    values["offset"][:, 0] = np.arange(8) * 10
    arguments = buffer_of(device, values)
    run(device, library, "each", lambda encoder: encoder.set_buffer(arguments, 0, 0))
    np.testing.assert_array_equal(scene.out.contents().view(np.float32), np.arange(8) * 11)


def test_reflection_of_the_members(device, library):
    state = device.new_compute_pipeline_state(library.new_function("gather"))
    (argument,) = state.arguments
    members = {member.name: member for member in argument.type.members}
    assert [members[name].offset for name in arguments_dtype().names] == [
        arguments_dtype().fields[name][1] for name in arguments_dtype().names
    ]
    kinds = {name: member.type.data_type for name, member in members.items()}
    assert kinds["out"] == pm.DataType.Pointer
    assert kinds["picture"] == pm.DataType.Texture
    assert kinds["look"] == pm.DataType.Sampler
    assert (kinds["more"], members["more"].type.array_length) == (pm.DataType.Array, 2)
    assert kinds["inner"] == pm.DataType.Struct
    assert members["rows"].argument_index == 11
    assert members["out"].type.element.data_type == pm.DataType.Float


def test_an_encoder_needs_a_struct(device, library):
    source = "kernel void f(device float* a [[buffer(0)]]) {}"
    function = device.new_library_with_source(source).new_function("f")
    with pytest.raises(pm.ValidationError, match=r"buffer 0 of function .f. is device float., which is no struct"):
        function.new_argument_encoder(0)


@pytest.mark.parametrize("is_texture", [False, True])
def test_a_used_resource_lives_until_the_end(device, is_texture):
    gate = device.new_shared_event()
    commands = device.new_command_queue().command_buffer()
    commands.encode_wait_for_event(gate, 1)
    before = settled_size(device)
    numbers = np.zeros((512, 512), np.float32)
    resource = texture_of(device, numbers) if is_texture else buffer_of(device, numbers)
    encoder = commands.compute_command_encoder()
    encoder.use_resource(resource, pm.ResourceUsage.Read | pm.ResourceUsage.Write)
    encoder.end_encoding()
    with pytest.raises(pm.ValidationError, match="use_resource"):
        encoder.use_resource(resource, pm.ResourceUsage.Read)
    del resource
    commands.commit()
    assert device.current_allocated_size >= before + numbers.nbytes
    gate.signaled_value = 1
    commands.wait_until_completed()
    del encoder, commands
    assert device.current_allocated_size < before + numbers.nbytes


def test_a_resource_of_another_kind_is_refused(device):
    encoder = device.new_command_queue().command_buffer().compute_command_encoder()
    with pytest.raises(TypeError):
        encoder.use_resource(device.new_sampler_state(pm.SamplerDescriptor()), pm.ResourceUsage.Read)
    encoder.end_encoding()
