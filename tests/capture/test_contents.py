# SPDX-License-Identifier: MIT
"""What memory held before and after each command, as arrays of the right type."""

import itertools
import threading

import numpy as np
import pytest

import mtlpy_nb.metal as pm


def test_buffers_before_and_after(device, kernels, capturing, rng):
    a, b = rng.random(1000, np.float32), rng.random(1000, np.float32)
    total = np.zeros(1000, np.float32)
    with capturing() as captured:
        kernels["add"](a, b, total)
    (command,) = captured.commands
    np.testing.assert_array_equal(command.buffers["a"].before, a)
    np.testing.assert_array_equal(command.buffers["a"].after, a)
    np.testing.assert_array_equal(command.buffers[1].before, b)
    np.testing.assert_array_equal(command.buffers["sum"].before, np.zeros(1000))
    np.testing.assert_array_equal(command.buffers["sum"].after, a + b)
    assert command.buffers["sum"].after.dtype == np.float32
    assert [command.buffers[name].access for name in ("a", "b", "sum")] == ["read", "read", "read_write"]
    assert list(command.buffers) == ["a", "b", "sum"]
    with pytest.raises(ValueError, match="read-only"):
        command.buffers["a"].before[0] = 1
    with pytest.raises(KeyError, match="no buffer 'c' in this command; it has 'a', 'b', 'sum'"):
        command.buffers["c"]


def test_structs_have_fields(device, kernels, capturing):
    dtype = kernels["move_all"].arguments["particles"].dtype
    particles = np.zeros(5, dtype)
    particles["mass"] = np.arange(5)
    with capturing() as captured:
        kernels["move_all"](particles, {"scale": 2, "shift": (3, 4)})
    (command,) = captured.commands
    after = command.buffers["particles"].after
    assert after.dtype == dtype
    np.testing.assert_array_equal(after["position"], np.tile(np.float32([3, 4, 0]), (5, 1)))
    np.testing.assert_array_equal(after["mass"], np.arange(5))
    settings = command.buffers["settings"]
    assert settings.value["scale"] == 2
    assert settings.value["shift"].tolist() == [3, 4]
    assert settings.resource is None
    np.testing.assert_array_equal(settings.before, settings.after)
    (change,) = command.changed
    assert (change.name, change.count) == ("particles", 5)
    assert change.mask.shape == (5,)


def test_what_changed(device, kernels, capturing):
    x = np.zeros(100, np.float32)
    x[[3, 7]] = 5, np.nan
    x[8] = np.inf
    with capturing() as captured:
        kernels["twice"](x)
        kernels["twice"](np.zeros(10, np.float32))
    first, second = captured.commands
    (change,) = first.changed
    assert change.name == "x"
    assert change.indices.tolist() == [[3]]  # twice NaN is the same NaN, and twice infinity infinity
    assert change.count == 1
    assert change.bounds == (slice(3, 4),)
    assert (change.before[3], change.after[3]) == (5, 10)
    assert repr(change) == "<Change of x: 1 of 100 elements, in [3:4]>"
    assert first.writes == ("x",)
    assert second.changed == ()
    assert second.writes == ()
    assert second.buffers["x"].changed is None


def test_a_part_of_a_buffer(device, kernels, capturing):
    buffer = device.buffer(np.ones(100, np.float32))
    with capturing() as captured:
        kernels["twice"](buffer[40:60])
    (command,) = captured.commands
    bound = command.buffers["x"]
    assert bound.offset == 160
    assert bound.resource.length == 400
    np.testing.assert_array_equal(bound.after[:20], np.full(20, 2))
    np.testing.assert_array_equal(bound.after[20:], np.ones(40))
    assert bound.changed.count == 20
    assert bound.changed.bounds == (slice(0, 20),)


def test_textures_before_and_after(device, kernels, capturing, rng):
    image = rng.integers(0, 256, (20, 30, 4), dtype=np.uint8)
    source, result = device.texture(image), device.empty_texture((20, 30), "rgba8Unorm", private=True)
    with capturing() as captured:
        kernels["invert"](source, result)
    (command,) = captured.commands
    np.testing.assert_array_equal(command.textures["source"].before, image)
    np.testing.assert_array_equal(command.textures["result"].after, 255 - image)
    np.testing.assert_array_equal(command.textures[1].after, 255 - image)
    resource = command.textures["result"].resource
    assert (resource.pixel_format, resource.texture_type, resource.storage) == ("rgba8Unorm", "2d", "private")
    assert (resource.width, resource.height, resource.levels) == (30, 20, 1)
    assert command.textures["result"].access == "write"
    (change,) = command.changed
    assert change.mask.shape == (20, 30)


KINDS = {
    "1d": ("texture1d<float, access::read_write> t", "t.write(float4(i), i)", (5,)),
    "2d_array": ("texture2d_array<float, access::read_write> t", "t.write(float4(i), uint2(1, 0), i)", (3, 2, 4)),
    "3d": ("texture3d<float, access::read_write> t", "t.write(float4(i), uint3(1, 0, i))", (3, 2, 4)),
    "cube": ("texturecube<float, access::write> t", "t.write(float4(i), uint2(1, 0), i)", (6, 4, 4)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_textures(device, capturing, kind):
    argument, statement, shape = KINDS[kind]
    source = f"""
    #include <metal_stdlib>
    using namespace metal;
    kernel void write({argument}, uint i [[thread_position_in_grid]]) {{ {statement}; }}
    """
    texture = device.empty_texture(shape, "r32Float", kind=kind)
    texture.upload(np.full(shape, -1, np.float32))
    count = 5 if kind == "1d" else shape[0]
    with capturing() as captured:
        device.library(source)["write"](texture, grid=count)
    bound = captured[0].textures["t"]
    assert bound.resource.texture_type == kind
    np.testing.assert_array_equal(bound.before, np.full(shape, -1))
    np.testing.assert_array_equal(bound.after, texture.numpy())
    assert bound.changed.count == count


def test_views_of_textures(device, capturing):
    descriptor = pm.TextureDescriptor()
    descriptor.texture_type = pm.TextureType.Type2DArray
    descriptor.width = descriptor.height = 8
    descriptor.array_length = 4
    descriptor.mipmap_level_count = 3
    descriptor.pixel_format = pm.PixelFormat.R32Float
    descriptor.usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite | pm.TextureUsage.PixelFormatView
    texture = device._native.new_texture(descriptor)
    view = texture.new_texture_view(pm.PixelFormat.R32Uint, pm.TextureType.Type2D, pm.Range(1, 2), pm.Range(2, 1))
    source = """
    #include <metal_stdlib>
    using namespace metal;
    kernel void write(texture2d<uint, access::write> t, uint2 p [[thread_position_in_grid]])
    {
        t.write(uint4(p.y * 100 + p.x), p);
        if (p.x < 2 && p.y < 2) t.write(uint4(7), p, 1);
    }
    """
    state = device._native.new_compute_pipeline_state(
        device._native.new_library_with_source(source).new_function("write")
    )
    with capturing() as captured:
        pm.dispatch(device._queue, state, [], [view], grid=(4, 4, 1), threadgroup=(4, 4, 1), wait=True)
    (command,) = captured.commands
    bound = command.textures["t"]
    y, x = np.indices((4, 4))
    np.testing.assert_array_equal(bound.after, y * 100 + x)
    np.testing.assert_array_equal(bound.level_after(1), np.full((2, 2), 7))
    assert bound.after.dtype == np.uint32
    resource = bound.resource
    assert (resource.parent_level, resource.parent_slice) == (1, 2)
    assert resource.root.texture_type == "2d_array"
    assert [touched.level for touched in command.touched] == [1, 2]
    np.testing.assert_array_equal([moment.value for moment in captured.history(resource, (3, 2))], [302])
    root = captured.history(resource.root, (2, 3, 2), level=1)
    assert root[0].value.view(np.uint32) == 302


def test_a_texture_on_a_buffer(device, capturing, kernels):
    buffer = device._native.new_buffer(1024)
    descriptor = pm.TextureDescriptor()
    descriptor.width, descriptor.height = 5, 4
    descriptor.pixel_format = pm.PixelFormat.R8Unorm
    descriptor.usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite
    linear = buffer.new_texture(descriptor, 64, 32)
    source = device.texture(np.arange(20, dtype=np.uint8).reshape(4, 5), "r8Unorm")
    with capturing() as captured:
        pm.dispatch(
            device._queue,
            state_of(device, "invert"),
            [],
            [source._tex, linear],
            grid=(5, 4, 1),
            threadgroup=(5, 4, 1),
            wait=True,
        )
    bound = captured[0].textures["result"]
    np.testing.assert_array_equal(bound.after, 255 - np.arange(20).reshape(4, 5))
    assert bound.resource.buffer.length == 1024
    assert bound.changed.count == 20
    (change,) = captured[0].changed
    assert change.resource is bound.resource


def state_of(device, name):
    from .conftest import SOURCE

    return device._native.new_compute_pipeline_state(device._native.new_library_with_source(SOURCE).new_function(name))


def test_managed_memory_is_what_kernels_see(device, capturing):
    buffer = device._native.new_buffer(64, pm.ResourceStorageModeManaged)
    contents = buffer.contents()
    contents[:] = 1
    with capturing() as captured:
        pm.dispatch(
            device._queue, state_of(device, "twice"), [buffer], [], grid=(16, 1, 1), threadgroup=(16, 1, 1), wait=True
        )
        queue = device._native.new_command_queue()
        command_buffer = queue.command_buffer()
        encoder = command_buffer.blit_command_encoder()
        encoder.synchronize_resource(buffer)
        encoder.end_encoding()
        command_buffer.commit()
        command_buffer.wait_until_completed()
    run, synchronize = captured.commands
    assert run.buffers["x"].resource.storage == "managed"
    np.testing.assert_array_equal(run.buffers["x"].before, np.zeros(16))  # nobody said that it was modified
    assert synchronize.kind == "synchronize"
    assert synchronize.title == "synchronize x"


def test_equal_contents_are_kept_once(device, kernels, capturing, rng):
    import zipfile

    noise = rng.integers(0, 256, (1024, 1024, 4), dtype=np.uint8)  # four blocks, which do not become smaller
    source, result = device.texture(noise), device.empty_texture((1024, 1024), "rgba8Unorm")
    with capturing() as captured:
        for _ in range(10):
            kernels["invert"](source, result)
    with zipfile.ZipFile(captured.path) as file:
        names = [name for name in file.namelist() if name.startswith("blocks/")]
        assert file.testzip() is None
    assert len(names) == 4 + 4 + 1  # the noise, its inverse, zeros
    assert captured.path.stat().st_size < 10e6
    np.testing.assert_array_equal(captured[9].textures["result"].after, 255 - noise)
    assert captured[0].writes == ("result",)
    assert captured[1].writes == ()


def test_names_and_labels_of_resources(device, kernels, capturing):
    buffer = device.buffer(np.ones(16, np.float32))
    other = device.buffer(np.ones(16, np.float32))
    with capturing() as captured:
        kernels["add"](buffer, buffer, other)
        kernels["twice"](other)
        other._buf.label = "the sum"
        kernels["twice"](other)
    first, second = captured.resources
    assert first.names == ("a", "b")
    assert (second.label, second.names, second.name) == ("the sum", ("sum", "x"), "the sum")
    assert captured.resource("the sum") is second
    assert captured.resource("b") is first
    assert captured.resource(1) is second
    with pytest.raises(ValueError, match="no resource is called 'c'; there are 'a', 'the sum'"):
        captured.resource("c")
    with pytest.raises(ValueError, match="resource is 2, must be 0 to 1"):
        captured.resource(2)


def test_memory_that_is_used_again_is_another_resource(device, kernels, capturing):
    with capturing() as captured:
        for _ in range(3):
            kernels["twice"](device.buffer(np.ones(16, np.float32)))
    assert len(captured.resources) == 3
    with pytest.raises(ValueError, match="3 resources are called 'x'; name one by its number"):
        captured.resource("x")


def test_what_lies_in_a_heap(device, kernels, capturing):
    heap = device.heap(1 << 20)
    first, second = heap.buffer(np.full(100, 1, np.float32)), heap.buffer(np.full(100, 5, np.float32))
    texture = heap.empty_texture((4, 4), "r32Float")
    source = device.texture(np.zeros((4, 4), np.float32))
    with capturing() as captured:
        kernels["twice"](second)
        kernels["invert"](source, texture)
    twice, invert = captured.dispatches
    np.testing.assert_array_equal(twice.buffers["x"].after, np.full(100, 10))
    assert twice.buffers["x"].resource.length == 400
    np.testing.assert_array_equal(invert.textures["result"].after, np.ones((4, 4)))
    np.testing.assert_array_equal(first.numpy(), np.ones(100))


def test_what_the_program_writes_meanwhile_is_not_taken_for_what_was_there(device, kernels, capturing):
    """Every block has another pattern; a thread goes over them again and again, now with it and now with noise."""
    blocks, block = 24, 1 << 18  # of words
    pattern = np.repeat(np.arange(1, blocks + 1, dtype=np.uint32), block)
    watched = device.empty(blocks * block, np.uint32)
    words, first, over = watched.numpy(), device.empty(1, np.uint32), threading.Event()

    def write():
        for noise in itertools.count(1000):
            if over.is_set():
                break
            words[:] = pattern
            words[:] = noise

    with capturing() as captured:
        thread = threading.Thread(target=write)
        thread.start()
        try:
            for _ in range(20):
                kernels["look"](watched, first, grid=1)
        finally:
            over.set()
            thread.join()
        words[:] = pattern
        kernels["look"](watched, first, grid=1)
    np.testing.assert_array_equal(captured[20].buffers["x"].before, pattern)
