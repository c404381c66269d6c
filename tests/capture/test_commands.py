# SPDX-License-Identifier: MIT
"""Which commands a capture holds, and what it says of each."""

import numpy as np
import pytest

import mtlpy_nb
import mtlpy_nb.metal as pm


@pytest.fixture
def queue(device):
    queue = device._native.new_command_queue()
    queue.label = "side queue"
    return queue


def pipeline(device, name):
    from .conftest import SOURCE

    library = device._native.new_library_with_source(SOURCE)
    return device._native.new_compute_pipeline_state(library.new_function(name))


def test_a_dispatch(device, kernels, capturing):
    from .conftest import SOURCE

    x = np.arange(100, dtype=np.float32)
    with capturing() as captured:
        kernels["twice"](x, grid=(10, 10), threadgroup=(4, 2))
    (command,) = captured.commands
    assert (command.number, command.kind, command.kernel) == (0, "dispatch", "twice")
    assert command.source == SOURCE
    assert command.grid == (10, 10, 1)
    assert command.threadgroup == (4, 2, 1)
    assert command.threadgroups == (3, 5, 1)
    assert captured.started <= command.start <= command.end <= captured.stopped
    assert command.duration == command.end - command.start
    assert not command.error
    assert command.is_finished
    assert command.command_buffer.status == "completed"
    assert command.command_buffer.start <= command.start <= command.end <= command.command_buffer.end
    assert command.encoder.kind == "compute"
    assert command.title == "twice 10 x 10"
    kernel = command.pipeline
    assert kernel.signature.startswith("void twice(device float* x")
    assert SOURCE.splitlines()[kernel.line - 1].startswith("kernel void twice")
    (argument,) = kernel.arguments
    assert (argument.declaration, argument.index, argument.access) == ("device float* x", 0, "read_write")
    assert repr(command) == "<Command 0: twice 10 x 10>"


def test_facts_of_device_and_process(device, capturing):
    import os

    with capturing() as captured:
        pass
    assert captured.device.name == device.name
    assert captured.device.threads == pm.thread_count()
    assert captured.process.id == os.getpid()
    assert captured.process.system.startswith(os.uname().sysname)
    assert captured.of == "device"
    assert captured.is_complete
    assert len(captured.file) == 0
    assert abs(captured.date.timestamp() - os.stat(captured.path).st_mtime) < 3600


def test_a_batch_is_one_command_buffer(device, capturing):
    from .conftest import SOURCE

    twice = device.compile(SOURCE, "twice")
    x = device.buffer(np.ones(64, np.float32))
    with capturing() as captured:
        with device.command_buffer() as batch:
            for _ in range(3):
                twice.run([x], 64, cb=batch)
        twice.run([x], 64)
    assert [command.command_buffer.id for command in captured.commands] == [0, 0, 0, 1]
    assert [buffer.encoded for buffer in captured.command_buffers] == [3, 1]
    assert [float(command.buffers["x"].after[0]) for command in captured.commands] == [2, 4, 8, 16]
    ends = [command.end for command in captured.commands]
    starts = [command.start for command in captured.commands]
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))


def test_a_copy_of_a_part_of_texels_says_which(device, capturing, queue):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.Depth32Float_Stencil8, 4, 4)
    descriptor.usage = pm.TextureUsage.RenderTarget
    texture, buffer = device._native.new_texture(descriptor), device._native.new_buffer(64)
    whole = pm.Origin(0, 0, 0), pm.Size(4, 4, 1)
    depths, stencils = pm.BlitOption.DepthFromDepthStencil, pm.BlitOption.StencilFromDepthStencil
    with capturing() as captured:
        commands = queue.command_buffer()
        with commands.blit_command_encoder() as encoder:
            encoder.fill_buffer(buffer, pm.Range(0, 64), 1)
            encoder.copy_from_buffer_to_texture(buffer, 0, 16, 64, whole[1], texture, 0, 0, whole[0], options=depths)
            encoder.copy_from_texture_to_buffer(texture, 0, 0, *whole, buffer, 0, 4, 16, options=stencils)
        commands.commit()
        commands.wait_until_completed()
    assert [command.options for command in captured.commands] == [0, depths, stencils]


def test_copies_fills_and_mipmaps(device, capturing, queue):
    metal = device._native
    a = metal.new_buffer_with_data(np.arange(64, dtype=np.uint8))
    b = metal.new_buffer(64)
    a.label, b.label = "from", "to"
    descriptor = pm.TextureDescriptor()
    descriptor.width = descriptor.height = 4
    descriptor.mipmap_level_count = 3
    descriptor.pixel_format = pm.PixelFormat.RGBA8Unorm
    texture = metal.new_texture(descriptor)
    other = metal.new_texture(descriptor)
    texture.label, other.label = "image", "other image"
    texture.upload(bytes(64))
    with capturing() as captured:
        buffer = queue.command_buffer()
        encoder = buffer.blit_command_encoder()
        encoder.label = "copies"
        encoder.copy_from_buffer_to_buffer(a, 8, b, 16, 24)
        encoder.fill_buffer(b, pm.Range(60, 4), 9)
        encoder.copy_from_buffer_to_texture(a, 0, 16, 64, pm.Size(4, 4, 1), texture, 0, 0, pm.Origin(0, 0, 0))
        encoder.generate_mipmaps(texture)
        encoder.copy_from_texture_to_buffer(texture, 0, 1, pm.Origin(0, 0, 0), pm.Size(2, 2, 1), b, 0, 8, 16)
        encoder.copy_from_texture_to_texture(
            texture, 0, 0, pm.Origin(1, 1, 0), pm.Size(2, 2, 1), other, 0, 0, pm.Origin(0, 2, 0)
        )
        encoder.end_encoding()
        buffer.commit()
        buffer.wait_until_completed()
    copy, fill, upload, mipmaps, download, between = captured.commands
    assert {command.label for command in captured.commands} == {"copies"}
    assert {command.encoder.kind for command in captured.commands} == {"blit"}
    assert copy.queue.label == "side queue"
    assert copy.kind == "copy"
    assert copy.title == "copy from to to"
    assert copy.size == 24
    assert copy.places == {"source": {"offset": 8}, "destination": {"offset": 16}}
    expected = np.zeros(64, np.uint8)
    expected[16:40] = np.arange(8, 32)
    np.testing.assert_array_equal(copy.buffers["destination"].after, expected)
    np.testing.assert_array_equal(copy.buffers["destination"].before, np.zeros(64, np.uint8))
    np.testing.assert_array_equal(copy.buffers["source"].before, np.arange(64))
    assert (fill.kind, fill.value, fill.size) == ("fill", 9, 4)
    expected[60:] = 9
    np.testing.assert_array_equal(fill.buffers["destination"].after, expected)
    assert fill.title == "fill to with 9"
    assert (upload.size, upload.places["source"]["bytes_per_row"]) == ((4, 4, 1), 16)
    assert upload.textures["destination"].resource.label == "image"
    np.testing.assert_array_equal(upload.textures["destination"].after.ravel(), np.arange(64))
    assert (mipmaps.kind, mipmaps.title) == ("generate_mipmaps", "generate mipmaps of image")
    image = mipmaps.textures["resource"]
    assert [image.level_after(level).shape for level in range(image.levels)] == [(4, 4, 4), (2, 2, 4), (1, 1, 4)]
    assert [change.level for change in mipmaps.changed] == [1, 2]
    np.testing.assert_array_equal(download.buffers["destination"].after[:16], image.level_after(1).ravel())
    assert download.places["source"] == {"slice": 0, "level": 1, "origin": [0, 0, 0]}
    assert between.places["destination"]["origin"] == [0, 2, 0]
    np.testing.assert_array_equal(
        between.textures["destination"].after[2:, :2], between.textures["source"].before[1:3, 1:3]
    )


def test_signals_and_waits(device, capturing, queue):
    event = device._native.new_shared_event()
    event.label = "ready"
    with capturing() as captured:
        buffer = queue.command_buffer()
        buffer.label = "waiting"
        buffer.encode_wait_for_event(event, 3)
        buffer.encode_signal_event(event, 5)
        buffer.commit()
        event.signaled_value = 3
        buffer.wait_until_completed()
    wait, signal = captured.commands
    assert (wait.kind, wait.event, wait.value) == ("wait", "ready", 3)
    assert (signal.kind, signal.event, signal.value) == ("signal", "ready", 5)
    assert wait.label == "waiting"
    assert wait.start <= wait.end <= signal.start
    assert signal.title == "signal ready = 5"


def test_debug_groups_and_signposts(device, capturing, queue):
    state = pipeline(device, "twice")
    data = device._native.new_buffer(256)
    with capturing() as captured:
        buffer = queue.command_buffer()
        buffer.push_debug_group("frame")
        encoder = buffer.compute_command_encoder()
        encoder.set_compute_pipeline_state(state)
        encoder.set_buffer(data, 0, 0)
        encoder.push_debug_group("first pass")
        encoder.dispatch_threads(pm.Size(64, 1, 1), pm.Size(32, 1, 1))
        encoder.pop_debug_group()
        encoder.insert_debug_signpost("half way")
        encoder.push_debug_group("left open")
        encoder.dispatch_threads(pm.Size(64, 1, 1), pm.Size(32, 1, 1))
        encoder.end_encoding()
        blit = buffer.blit_command_encoder()
        blit.fill_buffer(data, pm.Range(0, 4), 1)
        blit.end_encoding()
        buffer.pop_debug_group()
        blit = buffer.blit_command_encoder()
        blit.fill_buffer(data, pm.Range(0, 4), 2)
        blit.end_encoding()
        buffer.commit()
        buffer.wait_until_completed()
    assert [command.groups for command in captured.commands] == [
        ("frame", "first pass"),
        ("frame",),
        ("frame", "left open"),
        ("frame",),
        (),
    ]
    assert (captured[1].kind, captured[1].text) == ("signpost", "half way")
    assert [command.encoder.id for command in captured.commands] == [0, 0, 0, 1, 2]


def test_a_group_that_was_not_pushed(device, queue):
    buffer = queue.command_buffer()
    encoder = buffer.compute_command_encoder()
    with pytest.raises(ValueError, match="pop_debug_group: no debug group was pushed"):
        encoder.pop_debug_group()
    encoder.end_encoding()
    with pytest.raises(ValueError, match="pop_debug_group: no debug group was pushed"):
        buffer.pop_debug_group()


def test_an_indirect_dispatch(device, capturing, queue):
    state = pipeline(device, "twice")
    data = device._native.new_buffer_with_data(np.ones(96, np.float32))
    sizes = device._native.new_buffer_with_data(np.array([9, 3, 1, 1], np.uint32))
    with capturing() as captured:
        buffer = queue.command_buffer()
        encoder = buffer.compute_command_encoder()
        encoder.set_compute_pipeline_state(state)
        encoder.set_buffer(data, 0, 0)
        encoder.dispatch_threadgroups_indirect(sizes, 4, pm.Size(32, 1, 1))
        encoder.end_encoding()
        buffer.commit()
        buffer.wait_until_completed()
    (command,) = captured.commands
    assert command.is_indirect
    assert (command.grid, command.threadgroups) == ((96, 1, 1), (3, 1, 1))
    assert len(command.touched) == 2


def test_scopes(device, kernels, capturing):
    x = np.ones(8, np.float32)
    frame = device.capture_scope("frame")
    with capturing() as captured:
        kernels["twice"](x)
        with frame:
            kernels["twice"](x)
            with device.capture_scope("inner"):
                kernels["twice"](x)
        with frame:
            kernels["twice"](x)
    assert [[scope.label for scope in command.scopes] for command in captured.commands] == [
        [],
        ["frame"],
        ["frame", "inner"],
        ["frame"],
    ]
    assert [scope.label for scope in captured.scopes] == ["frame", "inner", "frame"]
    assert captured[1].scopes[0] is not captured[3].scopes[0]
    assert all(scope.begin <= scope.end for scope in captured.scopes)


def test_a_scope_of_a_queue_that_began_before_the_capture(device, capturing):
    from .conftest import SOURCE

    twice = device.compile(SOURCE, "twice")
    x = device.buffer(np.ones(64, np.float32))
    queue = device.queue()
    with device.capture_scope("of one queue", queue), capturing() as captured:
        with device.command_buffer(queue) as batch:
            twice.run([x], 64, cb=batch)
        twice.run([x], 64)
    assert [[scope.label for scope in command.scopes] for command in captured.commands] == [["of one queue"], []]
    assert captured.scopes[0].end is None
    assert captured.scopes[0].queue is captured[0].queue


def test_a_command_buffer_that_reaches_out_of_a_scope_is_not_in_it(device, capturing):
    from .conftest import SOURCE

    twice = device.compile(SOURCE, "twice")
    x = device.buffer(np.ones(64, np.float32))
    with capturing() as captured:
        with device.capture_scope("scope"):
            batch = device.command_buffer()
            twice.run([x], 64, cb=batch)
        batch.commit()
    assert captured[0].scopes == ()


def test_boundaries(device, capturing, queue):
    with capturing() as captured:
        queue.insert_debug_capture_boundary()
    ((where, time),) = captured.boundaries
    assert where.label == "side queue"
    assert captured.started <= time <= captured.stopped


def test_command_buffers_made_before_or_committed_after_are_not_captured(device, capturing):
    from .conftest import SOURCE

    twice = device.compile(SOURCE, "twice")
    x = device.buffer(np.ones(64, np.float32))
    early, late = device.command_buffer(), None
    twice.run([x], 64, cb=early)
    with capturing() as captured:
        early.commit()
        late = device.command_buffer()
        twice.run([x], 64, cb=late)
        with device.command_buffer() as inside:
            twice.run([x], 64, cb=inside)
    late.commit()
    assert len(captured.commands) == 1
    np.testing.assert_array_equal(captured[0].buffers["x"].before, np.full(64, 2))
    np.testing.assert_array_equal(x.numpy(), np.full(64, 8))


def test_the_text_of_a_capture(device, kernels, capturing):
    x = np.ones(8, np.float32)
    with capturing() as captured, device.capture_scope("frame"):
        kernels["twice"](x)
    lines = str(captured.file).splitlines()
    assert lines[0].startswith(f"Capture of {device.name}, ")
    assert lines[1].startswith("1 command in 1 command buffer of 1 queue, 1 resource, ")
    assert lines[2] == "command buffer 0 on queue 0 [frame]"
    assert lines[3].startswith("     0  twice 8, threadgroup ")
    assert lines[3].endswith(" ms, changes x")
    assert repr(captured.file) == f"<CaptureFile {str(captured.path)!r}: 1 command in 1 command buffer>"
    assert "<BoundBuffer x [[buffer(0)]] read_write: buffer 0, 32 bytes of float32>" in str(captured[0])


def test_a_second_capture_begins_anew(device, kernels, capturing):
    x = np.ones(8, np.float32)
    for _ in range(2):
        with capturing() as captured:
            kernels["twice"](x)
        assert len(captured.commands) == 1
    assert float(captured[0].buffers["x"].before[0]) == 2
    assert mtlpy_nb.capture.load(captured.path).commands[0].kernel == "twice"
