# SPDX-License-Identifier: MIT
"""Everything that can be bound: samplers, threadgroup memory, constants, argument buffers, tables, attributes."""

import numpy as np
import pytest

import mtlpy_nb.metal as pm

from .conftest import SOURCE


def made(device, source, name, constants=None):
    library = device._native.new_library_with_source(source)
    return device._native.new_compute_pipeline_state(library.new_function(name))


def run(device, state, encode, grid=1):
    buffer = device._native.new_command_queue().command_buffer()
    encoder = buffer.compute_command_encoder()
    encoder.set_compute_pipeline_state(state)
    encode(encoder)
    encoder.dispatch_threads(pm.Size(grid, 1, 1), pm.Size(grid, 1, 1))
    encoder.end_encoding()
    buffer.commit()
    buffer.wait_until_completed()


def test_samplers(device, kernels, capturing):
    sampler = device.sampler(
        linear=True,
        address=("repeat", "clamp_to_zero", "mirrored_repeat"),
        mip_filter="linear",
        border_color="opaque_white",
        compare="less_equal",
        max_anisotropy=8,
        lod_clamp=(1.5, 3.25),
    )
    image = device.texture(np.ones((2, 2), np.float32))
    with capturing() as captured:
        kernels["sampled"](image, sampler, np.zeros((1, 4), np.float32))
        kernels["sampled"](image, device.sampler(linear=False), np.zeros((1, 4), np.float32))
    options = captured[0].samplers["how"]
    assert (options.name, options.index) == ("how", 0)
    assert options.min_filter == options.mag_filter == pm.SamplerMinMagFilter.Linear
    assert options.mip_filter == pm.SamplerMipFilter.Linear
    assert options.s_address_mode == pm.SamplerAddressMode.Repeat
    assert options.t_address_mode == pm.SamplerAddressMode.ClampToZero
    assert options.r_address_mode == pm.SamplerAddressMode.MirrorRepeat
    assert options.border_color == pm.SamplerBorderColor.OpaqueWhite
    assert options.compare_function == pm.CompareFunction.LessEqual
    assert options.max_anisotropy == 8
    assert (options.lod_min_clamp, options.lod_max_clamp) == (1.5, 3.25)
    assert options.normalized_coordinates
    plain = captured[1].samplers["how"]
    assert plain.min_filter == pm.SamplerMinMagFilter.Nearest
    assert plain.lod_max_clamp == float("inf")


def test_a_sampler_whose_state_is_compiled_into_the_code(device, capturing, monkeypatch):
    monkeypatch.setenv("MTLPY_BOUND_CODE", "now")
    sampled = device.library(f"// code for what is bound\n{SOURCE}")["sampled"]
    image = device.texture(np.ones((2, 2), np.float32))
    with capturing() as captured:
        sampled(image, device.sampler(linear=True), np.zeros((1, 4), np.float32))
    assert captured[0].samplers["how"].mag_filter == pm.SamplerMinMagFilter.Linear


def test_threadgroup_memory(device, kernels, capturing):
    x = np.arange(32, dtype=np.int32)
    with capturing() as captured:
        kernels["with_memory"](128, x, grid=32, threadgroup=32)
    (command,) = captured.commands
    assert command.threadgroup_memory == {"shared": 128}
    np.testing.assert_array_equal(command.buffers["x"].after, np.arange(32)[::-1])


def test_constants_and_options(device, capturing):
    library = device.library(
        '#include <metal_stdlib>\n#include "more.h"\n' + SOURCE,
        options={"macros": {"NUMBER": "4"}, "math": "safe"},
        includes={"more.h": "constant int four = NUMBER;"},
        constants={"amount": 3, "is_loud": True},
    )
    x = np.zeros(4, np.int32)
    with capturing() as captured:
        library["add_amount"](x)
        library["add_amount"].specialize(amount=5, is_loud=False)(x)
    first, second = captured.commands
    assert first.pipeline.constants == {"amount": 3, "is_loud": True}
    assert second.pipeline.constants == {"amount": 5, "is_loud": False}
    assert [int(command.buffers["x"].after[0]) for command in captured.commands] == [30, 35]
    options = first.pipeline.options
    assert options["macros"]["NUMBER"] == "4"
    assert "constant int four = NUMBER;" in first.source  # includes are in their places
    assert options["math_mode"] == "safe"


def test_arrays_of_textures(device, capturing):
    source = """
    #include <metal_stdlib>
    using namespace metal;
    kernel void sum(array<texture2d<float, access::read>, 3> images [[texture(2)]], device float* x)
    {
        x[0] = images[0].read(uint2(0)).x + images[1].read(uint2(0)).x + images[2].read(uint2(0)).x;
    }
    """
    images = [device.texture(np.full((1, 1), value, np.float32)) for value in (1, 2, 4)]
    x = device._native.new_buffer(4)

    def encode(encoder):
        for i, image in enumerate(images):
            encoder.set_texture(image._tex, 2 + i)
        encoder.set_buffer(x, 0, 0)

    state = made(device, source, "sum")
    with capturing() as captured:
        run(device, state, encode)
    (command,) = captured.commands
    assert list(command.textures) == ["images[0]", "images[1]", "images[2]"]
    assert [float(command.textures[i].before[0, 0]) for i in (2, 3, 4)] == [1, 2, 4]
    assert command.buffers["x"].after.tolist() == [7]


ARGUMENT_BUFFER = """
#include <metal_stdlib>
using namespace metal;
struct Item { device float* values [[id(0)]]; int count [[id(1)]]; };
struct Scene {
    device Item* items [[id(0)]];
    texture2d<float, access::read_write> canvas [[id(1)]];
    sampler how [[id(2)]];
    constant int* limits [[id(3)]];
};
kernel void draw(constant Scene& scene [[buffer(2)]])
{
    for (int i = 0; i < 2; ++i) scene.items[i].values[0] += scene.limits[0];
    scene.canvas.write(float4(9), uint2(1, 0));
}
"""


@pytest.mark.parametrize("is_used", [False, True])
def test_what_argument_buffers_point_at(device, capturing, is_used):
    metal = device._native
    library = metal.new_library_with_source(ARGUMENT_BUFFER)
    function = library.new_function("draw")
    state = metal.new_compute_pipeline_state(function)
    scene_encoder = function.new_argument_encoder(2)
    values = [metal.new_buffer_with_data(np.array([i, i, i], np.float32)) for i in range(2)]
    limits = metal.new_buffer_with_data(np.array([0, 5], np.int32))
    items = metal.new_buffer_with_data(
        np.array([(values[0].gpu_address + 4, 3), (values[1].gpu_address, 3)], np.dtype("u8, i8"))
    )
    canvas = device.texture(np.zeros((1, 2), np.float32))
    sampler = device.sampler(linear=True)
    scene = metal.new_buffer(64)
    scene_encoder.set_argument_buffer(scene, 0)
    scene_encoder.set_buffer(items, 0, 0)
    scene_encoder.set_texture(canvas._tex, 1)
    scene_encoder.set_sampler_state(sampler._sampler, 2)
    scene_encoder.set_buffer(limits, 4, 3)

    def encode(encoder):
        encoder.set_buffer(scene, 0, 2)
        if is_used:
            encoder.use_resource(items, pm.ResourceUsage.Read)
            for value in values:
                encoder.use_resource(value, pm.ResourceUsage.Read | pm.ResourceUsage.Write)

    with capturing() as captured:
        run(device, state, encode)
    (command,) = captured.commands
    assert list(command.buffers) == [
        "scene",
        "scene.items",
        "scene.items[0].values",
        "scene.items[1].values",
        "scene.limits",
    ]
    first = command.buffers["scene.items[0].values"]
    assert first.offset == 4
    assert first.dtype == np.float32
    assert (first.before[0], first.after[0]) == (0, 5)
    assert command.buffers["scene.items[1].values"].after.tolist() == [6, 1, 1]
    assert command.buffers["scene.limits"].before.tolist() == [5]
    assert command.buffers["scene.limits"].access == "read"
    assert command.textures["scene.canvas"].after.tolist() == [[0, 9]]
    assert command.samplers["scene.how"].mag_filter == pm.SamplerMinMagFilter.Linear
    assert {change.name for change in command.changed} == {
        "scene.items[0].values",
        "scene.items[1].values",
        "scene.canvas",
    }


def test_resources_that_a_kernel_was_told_of(device, capturing):
    x, hidden = (device._native.new_buffer_with_data(np.ones(4, np.float32)) for _ in range(2))

    def encode(encoder):
        encoder.set_buffer(x, 0, 0)
        encoder.use_resource(hidden, pm.ResourceUsage.Write)

    state = made(device, SOURCE, "twice")
    with capturing() as captured:
        run(device, state, encode)
    assert [(touched.resource.id, touched.is_written) for touched in captured[0].touched] == [(0, True), (1, True)]


def test_function_tables(device, capturing):
    source = """
    #include <metal_stdlib>
    using namespace metal;
    [[visible]] float half_of(float x) { return x / 2; }
    [[visible]] float third_of(float x) { return x / 3; }
    kernel void apply(visible_function_table<float(float)> table [[buffer(0)]], device float* x [[buffer(1)]])
    {
        x[0] = table[2](x[0]);
    }
    """
    metal = device._native
    library = metal.new_library_with_source(source)
    linked = pm.LinkedFunctions()
    linked.functions = [library.new_function("half_of"), library.new_function("third_of")]
    descriptor = pm.ComputePipelineDescriptor()
    descriptor.compute_function = library.new_function("apply")
    descriptor.linked_functions = linked
    state = metal.new_compute_pipeline_state(descriptor)
    table_descriptor = pm.VisibleFunctionTableDescriptor()
    table_descriptor.function_count = 3
    table = state.new_visible_function_table(table_descriptor)
    table.set_function(state.function_handle(linked.functions[0]), 0)
    table.set_function(state.function_handle(linked.functions[1]), 2)
    x = metal.new_buffer_with_data(np.array([6], np.float32))

    def encode(encoder):
        encoder.set_visible_function_table(table, 0)
        encoder.set_buffer(x, 0, 1)

    with capturing() as captured:
        run(device, state, encode)
    (command,) = captured.commands
    assert command.function_tables == {"table": ("half_of", None, "third_of")}
    assert command.pipeline.linked_functions == ("half_of", "third_of")
    assert command.buffers["x"].after.tolist() == [2]


def test_attributes(device, capturing):
    source = """
    #include <metal_stdlib>
    using namespace metal;
    struct In { float2 place [[attribute(0)]]; };
    kernel void place(In in [[stage_in]], device float* x [[buffer(0)]], uint i [[thread_position_in_grid]])
    {
        x[i] = in.place.x + in.place.y;
    }
    """
    places = np.array([[1, 2], [3, 4]], np.float32)
    dtype = np.dtype([("place", np.float32, 2)])
    kernel = device.compile(source, "place", stage_input={1: dtype})
    x, data = device.buffer(2), device.buffer(places)
    with capturing() as captured:
        kernel.run([x, data], 2)
    (command,) = captured.commands
    assert command.buffers["x"].after.tolist() == [3, 7]
    fed = command.buffers["stage_in(1)"]
    assert fed.access == "read"
    np.testing.assert_array_equal(fed.before.view(np.float32), places.ravel())


def test_a_pointer_into_a_long_buffer_of_a_heap_behind_a_shorter_one(device, capturing):
    descriptor = pm.HeapDescriptor()
    descriptor.size, descriptor.type, descriptor.storage_mode = 4096, pm.HeapType.Placement, pm.StorageMode.Shared
    heap = device._native.new_heap(descriptor)
    whole = heap.new_buffer(4096, offset=0)
    part = heap.new_buffer(256, offset=1024)
    address = device._native.new_buffer_with_data(np.array([whole.gpu_address + 2048], np.uint64))
    source = """
    struct Place { device float* values; };
    kernel void add(device const Place& place) { place.values[0] += 3; }
    """
    state = made(device, source, "add")
    with capturing() as captured:
        run(device, state, lambda encoder: encoder.set_buffer(address, 0, 0))
    values = captured[0].buffers["place.values"]
    assert (values.resource.length, values.offset) == (4096, 2048)
    assert values.after[0] - values.before[0] == 3
    assert part.length == 256


def test_indirect_command_buffers(device, capturing):
    pipeline = pm.ComputePipelineDescriptor()
    pipeline.compute_function = device._native.new_library_with_source(SOURCE).new_function("twice")
    pipeline.support_indirect_command_buffers = True
    indirect = device._native.new_compute_pipeline_state(pipeline)
    descriptor = pm.IndirectCommandBufferDescriptor()
    descriptor.command_types = pm.IndirectCommandTypeConcurrentDispatch
    descriptor.inherit_pipeline_state = descriptor.inherit_buffers = False
    descriptor.max_kernel_buffer_bind_count = 1
    commands = device._native.new_indirect_command_buffer(descriptor, 4, 0)
    buffers = [device._native.new_buffer_with_data(np.full(64, 3, np.float32)) for _ in range(3)]
    for buffer, label in zip(buffers, "xyz", strict=True):
        buffer.label = label
    for place, buffer in ((0, buffers[0]), (2, buffers[1])):
        command = commands.indirect_compute_command(place)
        command.set_compute_pipeline_state(indirect)
        command.set_kernel_buffer(buffer, 0, 0)
    commands.indirect_compute_command(0).concurrent_dispatch_threads((50, 1, 1), (32, 1, 1))
    commands.indirect_compute_command(2).concurrent_dispatch_threadgroups((2, 1, 1), (16, 1, 1))

    def encode(encoder):
        encoder.set_buffer(buffers[2], 0, 0)
        encoder.use_resource(commands, pm.ResourceUsage.Read)
        encoder.execute_commands_in_buffer(commands, (0, 3))

    with capturing() as captured:
        run(device, made(device, SOURCE, "twice"), encode)
    assert [command.kind for command in captured.commands] == ["execute", "dispatch"]
    executed = captured.commands[0]
    assert executed.title == "execute 2 indirect commands: twice"
    assert [(one.index, one.kernel, one.grid, one.threadgroup, one.threadgroups) for one in executed.executed] == [
        (0, "twice", (50, 1, 1), (32, 1, 1), (2, 1, 1)),
        (2, "twice", (32, 1, 1), (16, 1, 1), (2, 1, 1)),
    ]
    assert [(change.resource.label, change.count) for change in executed.changed] == [("x", 50), ("y", 32)]
    assert captured.commands[1].executed == ()
    assert "indirect_command_buffer" in {resource.kind for resource in captured.resources}


def test_indirect_commands_that_inherit(device, capturing):
    pipeline = pm.ComputePipelineDescriptor()
    pipeline.compute_function = device._native.new_library_with_source(SOURCE).new_function("twice")
    pipeline.support_indirect_command_buffers = True
    state = device._native.new_compute_pipeline_state(pipeline)
    descriptor = pm.IndirectCommandBufferDescriptor()
    descriptor.command_types = pm.IndirectCommandTypeConcurrentDispatch
    commands = device._native.new_indirect_command_buffer(descriptor, 2, 0)
    commands.indirect_compute_command(1).concurrent_dispatch_threads((5, 1, 1), (5, 1, 1))
    x = device._native.new_buffer_with_data(np.full(64, 3, np.float32))
    ranges = device._native.new_buffer_with_data(np.array([0, 2], np.uint32))

    def encode(encoder):
        encoder.set_buffer(x, 0, 0)
        encoder.execute_commands_in_buffer_indirect(commands, ranges, 0)

    with capturing() as captured:
        run(device, state, encode)
    executed = captured.commands[0]
    assert [(one.index, one.kernel, one.grid) for one in executed.executed] == [(1, "twice", (5, 1, 1))]
    assert [change.count for change in executed.changed] == [5]
    assert [touched.is_written for touched in executed.touched] == [False, True]
