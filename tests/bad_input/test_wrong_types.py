# SPDX-License-Identifier: MIT
"""Objects and numbers of the wrong kind: the message names the argument, what came and what was expected."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb

from .conftest import SOURCE


@pytest.fixture
def buffer(device):
    return device.buffer(np.ones(8, np.int32))


@pytest.fixture
def texture(device):
    return device.texture(np.zeros((8, 8, 4), np.float32))


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_numbers_of_elements(device, number):
    for make in (device.buffer, device.heap(4096).buffer):
        with pytest.raises(mtlpy_nb.ValidationError, match=r"buffer: data is -?(nan|inf), must be .*finite"):
            make(number)


def test_shapes_of_buffers(device):
    for size in (None, "3", (2, "3")):
        with pytest.raises(mtlpy_nb.ArgumentError, match=r"size must be .*int.*, got"):
            device.empty(size, np.float32)
    for size in (2.5, (2, 2.5), float("nan")):
        with pytest.raises(mtlpy_nb.ValidationError, match=r"size is (2.5|nan), must be a whole number"):
            device.empty(size, np.float32)
    assert device.empty((2.0, np.int8(3)), np.float32).shape == (2, 3)


def test_textures(device, texture):
    for shape in (None, 8, "88", (8, None)):
        with pytest.raises(mtlpy_nb.ArgumentError, match=r"Texture shape must be .*int.*, got"):
            device.empty_texture(shape, "r8Unorm")
    with pytest.raises(mtlpy_nb.ValidationError, match=r"Texture shape is 8.5, must be a whole number"):
        device.empty_texture((8.5, 8), "r8Unorm")
    with pytest.raises(mtlpy_nb.ArgumentError, match="mipmaps must be an int, got str"):
        device.empty_texture((8, 8), "r8Unorm", mipmaps="x")
    with pytest.raises(mtlpy_nb.ArgumentError, match="level must be an int, got str"):
        texture.download("a")
    with pytest.raises(mtlpy_nb.ValidationError, match="levels is range"):
        texture.view(levels=range(2**70))


def test_copies(device, buffer, texture):
    with pytest.raises(mtlpy_nb.ArgumentError, match="dst must be a Buffer, got Texture"):
        device.copy_buffer(buffer, texture)
    with pytest.raises(mtlpy_nb.ArgumentError, match="src_offset must be an int, got str"):
        device.copy_buffer(buffer, buffer, src_offset="a")
    with pytest.raises(mtlpy_nb.ValidationError, match=r"size_bytes is 1.5, must be a whole number"):
        device.copy_buffer(buffer, buffer, size_bytes=1.5)


def test_pipeline_arguments(device, buffer, texture):
    pipeline = device.compile(SOURCE, "twice")
    for wrong in (None, texture, np.ones(8, np.int32)):
        with pytest.raises(mtlpy_nb.ArgumentError, match=r"buffers\[0\] must be a Buffer, got"):
            pipeline.run([wrong], 8)
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"textures\[1\] must be a Texture, got Buffer"):
        pipeline.run([buffer], 8, textures=[texture, buffer])
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"samplers\[0\] must be a Sampler, got int"):
        pipeline.run([buffer], 8, samplers=[1])
    with pytest.raises(mtlpy_nb.ArgumentError, match="grid is None, must be an int"):
        pipeline.run([buffer], None)
    assert (buffer.numpy() == 1).all(), "nothing ran"


def test_order_of_work(device, texture):
    with pytest.raises(mtlpy_nb.ArgumentError, match="queue must be a Queue, got int"):
        device.command_buffer(3)
    with pytest.raises(mtlpy_nb.ArgumentError, match="queue must be a Queue, got int"):
        device.capture_scope(queue=3)
    with pytest.raises(mtlpy_nb.ArgumentError, match="event must be an Event, got int"):
        device.command_buffer().wait_for_event(3, 1)
    with pytest.raises(mtlpy_nb.ArgumentError, match="callback must be callable, got int"):
        device.command_buffer().add_completed_handler(3)
    with pytest.raises(mtlpy_nb.ArgumentError, match="archive must be a BinaryArchive, got int"):
        device.compile(SOURCE, "twice", 3)


def test_batches_and_fences(device, buffer):
    pipeline = device.compile(SOURCE, "twice")
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"Pipeline.run: cb must be a CommandBuffer, got int"):
        pipeline.run([buffer], 8, cb=3)
    for name in ("wait_fences", "signal_fences"):
        for wrong in (3, device.fence()):
            kind = type(wrong).__name__
            with pytest.raises(mtlpy_nb.ArgumentError, match=f"{name} must be a list of Fences, got {kind}"):
                pipeline.run([buffer], 8, **{name: wrong})
        with pytest.raises(mtlpy_nb.ArgumentError, match=rf"{name}\[1\] must be a Fence, got Event"):
            pipeline.run([buffer], 8, **{name: [device.fence(), device.event()]})
    assert (buffer.numpy() == 1).all(), "nothing ran"


@pytest.mark.parametrize("grid", [2**70, -(2**70), (8, 2**70), (8, -(2**70), 1)])
def test_grids_of_any_number(device, buffer, grid):
    with pytest.raises(mtlpy_nb.ValidationError, match=r"grid is .*, each size must be 1 to 4294967295"):
        device.compile(SOURCE, "twice").run([buffer], grid)


def test_values_of_events(device, texture):
    event, batch = device.shared_event(), device.command_buffer()
    surface = device.surface(size=(8, 8))
    for use, what in (
        (event.signal, "SharedEvent.signal: value"),
        (event.wait, "SharedEvent.wait: value"),
        (lambda value: event.notify(value, print), "SharedEvent.notify: value"),
        (lambda value: batch.wait_for_event(event, value), "CommandBuffer.wait_for_event: value"),
        (lambda value: batch.signal_event(event, value), "CommandBuffer.signal_event: value"),
        (lambda value: surface.present(texture, wait_for=(event, value)), "Surface.present: wait_for's value"),
    ):
        for value in ("1", None):
            with pytest.raises(mtlpy_nb.ArgumentError, match=f"{what} must be an int, got {type(value).__name__}"):
                use(value)
        with pytest.raises(mtlpy_nb.ValidationError, match=f"{what} is 1.5, must be a whole number"):
            use(1.5)
        for value in (-1, 2**63, -(2**70)):
            with pytest.raises(mtlpy_nb.ValidationError, match=f"{what} is {value}, must be 0 to 9223372036854775807"):
                use(value)
    with pytest.raises(mtlpy_nb.ArgumentError, match="timeout_ms must be an int, got str"):
        event.wait(1, "a")
    assert not event.wait(1, -(2**70))
    assert event.signaled_value == 0


def test_files_and_names_of_shared_events():
    make = mtlpy_nb.SharedEventHandle.from_fileno
    for descriptor in (-1, 2**31, 2**70):
        with pytest.raises(mtlpy_nb.ValidationError, match=f"descriptor is {descriptor}, must be 0 to 2147483647"):
            make(descriptor)
    with pytest.raises(mtlpy_nb.ValidationError, match=r"from_name: name is no valid Unicode: '\\udc80' at position 1"):
        mtlpy_nb.SharedEventHandle.from_name("a\udc80")


def test_labels(device, buffer):
    for labelled in (buffer, device.queue(), device.event(), device.fence(), device.command_buffer()):
        kind = type(labelled).__name__
        with pytest.raises(mtlpy_nb.ArgumentError, match=f"{kind}.label must be a str, got int"):
            labelled.label = 3
        with pytest.raises(mtlpy_nb.ValidationError, match=f"{kind}.label is no valid Unicode: .*half of a surrogate"):
            labelled.label = "a\ud800b"
        assert labelled.label == ""
        labelled.label = "\N{GRINNING FACE}"
        assert labelled.label == "\N{GRINNING FACE}"
    with pytest.raises(mtlpy_nb.ValidationError, match="capture_scope: label is no valid Unicode"):
        device.capture_scope("\ud800")


def test_names_of_functions(device):
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"Device.compile: function_name must be a str, got int"):
        device.compile(SOURCE, 3)
    with pytest.raises(mtlpy_nb.ValidationError, match=r"Device.compile: function_name is no valid Unicode"):
        device.compile(SOURCE, "\ud800")


def test_what_is_captured(device, tmp_path):
    path = tmp_path / "folder" / "c.metalcapture"
    with pytest.raises(mtlpy_nb.ArgumentError, match="start_capture: queue must be a Queue, got int"):
        device.start_capture(path, queue=3)
    with pytest.raises(mtlpy_nb.ArgumentError, match="start_capture: scope must be a CaptureScope, got Queue"):
        device.start_capture(path, scope=device.queue())
    assert not path.parent.exists()


def test_surfaces(device, texture):
    surface = device.surface(size=(8, 8))
    for wait_for in (3, (device.event(),)):
        with pytest.raises(mtlpy_nb.ArgumentError, match=r"wait_for must be \(event, value\), got"):
            surface.present(texture, wait_for=wait_for)
    with pytest.raises(mtlpy_nb.ArgumentError, match="wait_for must begin with an Event, got int"):
        surface.present(texture, wait_for=(3, 1))
    with pytest.raises(mtlpy_nb.ArgumentError, match="callback must be callable, got int"):
        surface.add_presented_handler(3)
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"size must be \(width, height\), got \(inf, 1\)"):
        device.surface(size=(float("inf"), 1))


def test_cache_path_that_is_no_path():
    with pytest.raises(TypeError, match="cache_path must be a path, False or None, got int"):
        mtlpy_nb.Device(cache_path=3)
