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
    for mipmaps in (-1, 2**70):
        with pytest.raises(mtlpy_nb.ValidationError, match=f"mipmaps is {mipmaps}, must be 1 to {2**63 - 1}"):
            device.empty_texture((8, 8), "r8Unorm", mipmaps=mipmaps)
    with pytest.raises(mtlpy_nb.ValidationError, match=r"Texture shape is \(8, \d+\), which is too large"):
        device.empty_texture((8, 2**70), "r8Unorm")
    with pytest.raises(mtlpy_nb.ArgumentError, match="level must be an int, got str"):
        texture.download("a")
    with pytest.raises(mtlpy_nb.ValidationError, match="levels is range"):
        texture.view(levels=range(2**70))


def test_heaps_name_themselves(device):
    heap = device.heap(4096)
    for make, message in (
        (lambda: heap.empty(-1, np.float32), "Heap.empty: size is -1, must not be negative"),
        (lambda: heap.empty(1, np.complex128), "Heap.empty: dtype is complex128"),
        (lambda: heap.buffer(np.array(["a"])), "Heap.buffer: the array's dtype is <U1"),
    ):
        with pytest.raises(mtlpy_nb.ValidationError, match=f"^{message}"):
            make()


def test_storage(device, buffer):
    for call, make in (
        ("Device.empty", lambda storage: device.empty(4, np.float32, storage)),
        ("Device.buffer", lambda storage: device.buffer(np.ones(4), storage=storage, copy=False)),
        ("Device.heap", lambda storage: device.heap(4096, storage)),
        ("Buffer.to_storage", buffer.to_storage),
    ):
        for wrong in (7, "private"):
            with pytest.raises(
                mtlpy_nb.ValidationError, match=f"^{call}: storage: {wrong!r} is not a valid StorageMode"
            ):
                make(wrong)


def test_shapes_of_views(device, buffer):
    for shape, message in (
        ("ab", "must be an int, got str"),
        (None, "must be an int, got NoneType"),
        (2.5, "is 2.5, must be a whole"),
    ):
        with pytest.raises(mtlpy_nb.ValidationError, match=f"Buffer.reshape: shape {message}"):
            buffer.reshape(shape)
    with pytest.raises(TypeError, match=r"a Buffer of shape \(\) cannot be iterated over"):
        list(device.empty((), np.float32))


def test_released_textures_have_no_views(texture):
    texture.release()
    with pytest.raises(mtlpy_nb.ResourceError, match="this Texture was released"):
        texture.view()


def test_sizes_without_an_end(device, buffer):
    endless = range(2**70)
    pipeline, kernel = device.compile(SOURCE, "twice"), device.library(SOURCE)["twice"]
    for message, call in (
        ("Device.empty: size has more than 64 sizes", lambda: device.empty(endless, np.float32)),
        ("Texture shape has more than 64 sizes", lambda: device.empty_texture(endless, "r32Float")),
        ("output: shape has more than 64 sizes", lambda: mtlpy_nb.output(endless)),
        ("grid is range.*must be a number or 1 to 3", lambda: pipeline.run([buffer], endless)),
        ("grid is range.*must have 1 to 3 sizes", lambda: kernel(buffer, grid=endless)),
        (r"buffers\[0\] must be a Buffer, got int", lambda: pipeline.run(endless, 8)),
    ):
        with pytest.raises(mtlpy_nb.ValidationError, match=message):
            call()
    with pytest.raises(IndexError, match=r"index \d+ is out of range of a Buffer of shape \(8,\)"):
        buffer[2**63]


def test_libraries(device):
    library = device.library(SOURCE)
    for name in (3, None, [], "a\ud800"):
        with pytest.raises(mtlpy_nb.FunctionNotFoundError):
            library[name]
    for option in ("options", "constants"):
        with pytest.raises(mtlpy_nb.ArgumentError, match=f"{option} must be a dict, got int"):
            device.library(SOURCE, **{option: 3})
    for includes, message in (
        (3, "includes must be a list of folders or a dict of texts, got int"),
        ([None], "includes must hold folders and dicts of texts, got NoneType"),
    ):
        with pytest.raises(mtlpy_nb.ArgumentError, match=message):
            device.library(SOURCE, includes=includes)
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"stage_input must be a dict of .*, got list"):
        device.compile(SOURCE, "twice", stage_input=[1])
    for ask in (mtlpy_nb.complete, mtlpy_nb.signatures):
        for arguments, message in (
            ((None, 1, 1), "source must be a str, got NoneType"),
            (("a\ud800", 1, 1), "source is no valid Unicode: .* half of a surrogate"),
            ((SOURCE, "1", 1), "line must be an int, got str"),
            ((SOURCE, 1, None), "column must be an int, got NoneType"),
        ):
            with pytest.raises(mtlpy_nb.ValidationError, match=message):
                ask(*arguments)


def test_paths(device):
    for make in (device.binary_archive, device.binary_archive().save):
        with pytest.raises(mtlpy_nb.ArgumentError, match="path must be a path, got int"):
            make(3)
        with pytest.raises(mtlpy_nb.ValidationError, match="path is no valid Unicode: "):
            make("a\ud800")


def test_values_of_elements(device, buffer):
    for value in (None, "x", 2**31, [1, 2]):
        with pytest.raises(mtlpy_nb.ArgumentError, match=r"Buffer\.fill: value must be one int32, got"):
            buffer.fill(value)
    assert (buffer.numpy() == 1).all()
    for dtype in ("a\ud800", "nonsense"):
        with pytest.raises(mtlpy_nb.ArgumentError, match=r"such as np\.uint8"):
            device.empty(4, dtype)
    with pytest.raises(mtlpy_nb.ValidationError, match="warmup is None, must be an int"):
        device.library(SOURCE)["twice"].time(buffer, warmup=None)


@pytest.mark.parametrize("name", mtlpy_nb.operators.__all__)
def test_operators(name):
    operator = getattr(mtlpy_nb.operators, name)
    with pytest.raises(mtlpy_nb.ArgumentError, match=rf"operators\.{name}: buf must be a Buffer, got NoneType$"):
        operator(None)
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"got ndarray; device\.buffer\(array\) makes one"):
        operator(np.ones(3, np.float32))


def test_time_outs_of_handles(device, buffer):
    handle = device.library(SOURCE)["twice"](buffer, wait=False)
    with pytest.raises(mtlpy_nb.ArgumentError, match="wait: timeout must be seconds or None, got str"):
        handle.wait("1")
    handle.wait(60)


def test_copies(device, buffer, texture):
    with pytest.raises(mtlpy_nb.ArgumentError, match="dst must be a Buffer, got Texture"):
        device.copy_buffer(buffer, texture)
    with pytest.raises(mtlpy_nb.ArgumentError, match="src_offset must be an int, got str"):
        device.copy_buffer(buffer, buffer, src_offset="a")
    with pytest.raises(mtlpy_nb.ValidationError, match=r"size_bytes is 1.5, must be a whole number"):
        device.copy_buffer(buffer, buffer, size_bytes=1.5)


@pytest.mark.parametrize("wait", ["no", None, np.zeros(2)])
def test_a_wait_that_is_neither_true_nor_false(device, buffer, wait):
    pipeline = device.compile("kernel void one(device float* x) { x[0] = 1; }", "one")
    texture = device.empty_texture((4, 4), "r32Float", mipmaps=True)
    batch, surface = device.command_buffer(), device.surface(size=(4, 4))
    for call in (
        lambda: pipeline.run([buffer], 1, wait=wait),
        lambda: batch.commit(wait=wait),
        lambda: device.copy_buffer(buffer, buffer, size_bytes=4, dst_offset=4, wait=wait),
        lambda: texture.generate_mipmaps(wait=wait),
        lambda: texture.upload_from_buffer(device.buffer(16), wait=wait),
        lambda: texture.copy_to(texture, wait=wait),
        lambda: surface.present(device.empty_texture((4, 4), "rgba8Unorm"), wait=wait),
    ):
        with pytest.raises(mtlpy_nb.ArgumentError, match="wait must be True or False, got"):
            call()
    batch.commit()


def test_pipeline_arguments(device, buffer, texture):
    pipeline = device.compile(SOURCE, "twice")
    for wrong in (None, texture, np.ones(8, np.int32)):
        with pytest.raises(mtlpy_nb.ArgumentError, match=r"buffers\[0\] must be a Buffer, got"):
            pipeline.run([wrong], 8)
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"textures\[1\] must be a Texture, got Buffer"):
        pipeline.run([buffer], 8, textures=[texture, buffer])
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"samplers\[0\] must be a Sampler, got int"):
        pipeline.run([buffer], 8, samplers=[1])
    for name, kind, wrong in (
        ("buffers", "Buffer", buffer),
        ("buffers", "Buffer", None),
        ("buffers", "Buffer", (each for each in [buffer])),
        ("textures", "Texture", texture),
        ("samplers", "Sampler", 3),
    ):
        with pytest.raises(
            mtlpy_nb.ArgumentError, match=f"{name} must be a list of {kind}s, got {type(wrong).__name__}"
        ):
            pipeline.run(**{"buffers": [buffer], "grid": 8, name: wrong})
    with pytest.raises(mtlpy_nb.ArgumentError, match="grid is None, must be an int"):
        pipeline.run([buffer], None)
    for grid in (2**70, (1, 2**64), 0, (4, -1), -(2**70)):
        with pytest.raises(mtlpy_nb.ValidationError, match=r"grid is .*, each size must be 1 to 4294967295"):
            pipeline.run([buffer], grid)
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
    frame = surface.next_frame()
    for value, problem in (
        ("1", "must be an int, got str"),
        (-1, "is -1, must be 0 to"),
        (2**63, f"is {2**63}, must be 0 to"),
    ):
        with pytest.raises(mtlpy_nb.ValidationError, match=f"wait_for's value {problem}"):
            surface.present(frame, wait_for=(device.event(), value))
    assert not frame.presented, "a call that failed took nothing"
    for wrong in (None, 3):
        with pytest.raises(mtlpy_nb.ArgumentError, match="Surface: device must be a Device, got"):
            mtlpy_nb.Surface(wrong)
    for option in ("pixel_format", "colorspace", "scaling", "filter"):
        with pytest.raises(mtlpy_nb.ArgumentError, match=f"Surface: {option} must be a str, got list"):
            device.surface(**{option: []})
    with pytest.raises(mtlpy_nb.ValidationError, match="view_ptr must be a non-null"):
        device.surface(2**64)
    with pytest.raises(mtlpy_nb.ArgumentError, match="callback must be callable, got int"):
        surface.add_presented_handler(3)
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"size must be \(width, height\), got \(inf, 1\)"):
        device.surface(size=(float("inf"), 1))


def test_cache_path_that_is_no_path():
    with pytest.raises(TypeError, match="cache_path must be a path, False or None, got int"):
        mtlpy_nb.Device(cache_path=3)


@pytest.mark.parametrize("name", ["readable", "writable", "private", "format_views"])
def test_textures_take_true_or_false(device, name):
    with pytest.raises(mtlpy_nb.ArgumentError, match=f"{name} must be True or False, got str"):
        device.empty_texture((4, 4), "r32Float", **{name: "no"})


@pytest.mark.parametrize("name", ["linear", "repeat"])
def test_samplers_take_true_or_false(device, name):
    with pytest.raises(mtlpy_nb.ArgumentError, match=f"Device.sampler: {name} must be True or False, got str"):
        device.sampler(**{name: "no"})
