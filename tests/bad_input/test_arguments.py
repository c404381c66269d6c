# SPDX-License-Identifier: MIT
"""Kernels called with arguments that do not fit: what, which argument, what was got, what was expected."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb

from .conftest import SOURCE, floats

FLOATS, INTS = floats(), np.zeros(4, np.int32)


def refused(kernel, *arguments, **named) -> str:
    with pytest.raises(mtlpy_nb.ArgumentError) as caught:
        kernel(*arguments, **named)
    assert isinstance(caught.value, (TypeError, ValueError))
    message = str(caught.value)
    assert message.startswith(f"{kernel.name}: ")
    return message


def test_too_few(library):
    message = refused(library["add"], FLOATS, FLOATS)
    assert "takes 4 arguments, missing: factor, out" in message
    assert "device const float* a" in message, "the signature is shown"
    assert "takes 4 arguments, missing: a, b, factor, out" in refused(library["add"])
    assert "missing: b" in refused(library["add"], FLOATS, factor=1, out=FLOATS)


def test_too_many(library):
    assert "takes 1 argument, got 2" in refused(library["twice"], INTS, INTS)


def test_unknown_name(library):
    assert "no argument 'fctor'; did you mean 'factor'?" in refused(library["add"], FLOATS, FLOATS, fctor=1, out=FLOATS)


def test_given_twice(library):
    assert "a is given twice" in refused(library["add"], FLOATS, FLOATS, 1.0, FLOATS, a=FLOATS)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros(4, np.float64), ["float64", "astype(np.float32)"]),
        (np.zeros(4, np.int32), ["float", "int32"]),
        (np.zeros(4, np.float16), ["float", "float16"]),
        (np.zeros(4, bool), ["float", "bool"]),
        (np.zeros(4, [("a", np.float32)]), ["float", "plain numbers"]),
        (np.array([1, "a", None], object), ["objects"]),
        (np.array(["1", "2"]), ["text"]),
        (np.array(["2026-01-01"], "M8[D]"), ["dates"]),
        ([1.0, 2.0], ["list", "np.array"]),
        ("text", ["text"]),
        (1.0, ["1.0", "array"]),
        (None, ["None"]),
        (object(), ["object", "array or a Buffer"]),
        ({"a": 1}, ["dict"]),
    ],
    ids=lambda value: str(getattr(value, "dtype", type(value).__name__)),
)
def test_wrong_type_for_an_array(library, array, words):
    message = refused(library["add"], FLOATS, array, 1.0, np.zeros(4, np.float32))
    assert message.startswith("add: b ")
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("value", "words"),
    [("1", ["float", "the text '1'"]), (None, []), (1e300, ["at most", "1e+300"]), ([1, 2], []), (1j, ["1j"])],
)
def test_wrong_value_for_a_number(library, value, words):
    message = refused(library["add"], FLOATS, FLOATS, value, np.zeros(4, np.float32))
    assert message.startswith("add: factor ")
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("small", 256, ["uchar", "0 to 255", "256"]),
        ("small", -1, ["uchar", "0 to 255", "-1"]),
        ("whole", -1, ["uint", "0 to 4294967295"]),
        ("whole", 2.5, ["uint", "the float 2.5"]),
        ("whole", 1 << 40, ["uint", str(1 << 40)]),
        ("pair", (1, 2, 3), ["float2", "2 numbers"]),
        ("pair", 1.0, ["float2"]),
        ("flag", 2, ["bool", "True or False"]),
        ("flag", "yes", ["bool"]),
    ],
)
def test_wrong_value(library, name, value, words):
    values = {"small": 1, "whole": 1, "pair": (1, 2), "flag": True, name: value}
    message = refused(library["scalars"], **values, out=np.zeros(1, np.int32), grid=1)
    assert message.startswith(f"scalars: {name} ")
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"count": 1}, ["color"]),
        ({"count": 1, "color": (1, 2, 3), "size": 4}, ["'size'", "count, color"]),
        ({"count": 1, "color": (1, 2)}, ["color"]),
        ({"count": "one", "color": (1, 2, 3)}, ["count", "'one'"]),
        (5, ["Params", "dict"]),
        (np.zeros(3, np.float32), []),
    ],
    ids=["missing field", "unknown field", "short vector", "text", "number", "floats"],
)
def test_wrong_struct(library, value, words):
    kernel = library["records"]
    records = np.zeros(4, kernel.arguments["all"].dtype)
    message = refused(kernel, value, records, np.zeros((4, 4), np.float32))
    assert message.startswith("records: p")
    for word in words:
        assert word in message or word == "Params"


def test_wrong_size_of_records(library):
    kernel = library["records"]
    packed = np.zeros(4, [("count", np.int32), ("color", np.float32, 3)])
    message = refused(kernel, {"count": 1, "color": (1, 2, 3)}, packed, np.zeros((4, 4), np.float32))
    assert "records: all holds Params, 32 bytes each, but the array's records have 16" in message
    assert "dtype=records.arguments['all'].dtype" in message


@pytest.mark.parametrize("wait", ["no", None, 2, np.zeros(2)])
def test_a_wait_that_is_neither_true_nor_false(library, wait):
    array = np.ones(4, np.int32)
    with pytest.raises(mtlpy_nb.ArgumentError, match="twice: wait must be True or False, got"):
        library["twice"](array, wait=wait)
    assert array.tolist() == [1] * 4


def params(**places):
    """Records of as many bytes as a Params; `places` has each field's type and its first byte."""
    formats, offsets = zip(*places.values(), strict=True)
    return np.zeros(4, np.dtype({"names": [*places], "formats": formats, "offsets": offsets, "itemsize": 32}))


@pytest.mark.parametrize(
    ("records", "words"),
    [
        (params(color=("3f4", 0), count=("i4", 16)), "has count at byte 0, but the array's records at byte 16"),
        (params(count=("f4", 0), color=("3f4", 16)), "has count as int32, but the array's records as float32"),
        (params(count=("i4", 0), color=("3i4", 16)), "has color as float32, but the array's records as int32"),
        (params(count=("i4", 0), color=("2f8", 16)), "has color as float32, but the array's records as float64"),
    ],
    ids=["elsewhere", "a float for an int", "ints for floats", "wider"],
)
def test_records_of_the_right_size_with_other_fields(library, records, words):
    kernel = library["records"]
    message = refused(kernel, {"count": 1, "color": (1, 2, 3)}, records, np.zeros((4, 4), np.float32))
    assert f"records: all holds Params, which {words}" in message
    assert "dtype=records.arguments['all'].dtype" in message


@pytest.mark.parametrize(
    "records",
    [
        params(count=("u4", 0), color=("4f4", 16)),
        params(number=("i4", 0), red_green=("c8", 16)),
        params(count=("i4", 0), x=("f4", 16), y=("f4", 20), z=("f4", 24)),
        params(count=("V4", 0), color=("V16", 16)),
        params(count=(">i4", 0), color=("3>f4", 16)),
    ],
    ids=["padding named", "other names", "components by name", "bytes", "other byte order"],
)
def test_records_whose_fields_lie_as_metals_do(library, records):
    kernel = library["records"]
    kernel({"count": 1, "color": (1, 2, 3)}, records, np.zeros((4, 4), np.float32))


def test_one_record_with_fields_in_other_places(library):
    kernel = library["records"]
    value = params(color=("3f4", 0), count=("i4", 16))[:1]
    value["count"], value["color"] = 7, (1, 2, 3)
    out = np.zeros((4, 4), np.float32)
    every = np.ones(4, kernel.arguments["all"].dtype)
    kernel(value, every, out)
    assert out.tolist() == [[1, 2, 3, 7]] * 4


def test_wrong_size_of_vectors(library):
    kernel = library["records"]
    records = np.zeros(3, kernel.arguments["all"].dtype)
    message = refused(kernel, {"count": 1, "color": (1, 2, 3)}, records, np.zeros((3, 3), np.float32))
    assert "records: out holds float4" in message
    assert "(3, 3)" in message


def test_array_for_one_number(library):
    message = refused(library["add"], FLOATS, FLOATS, np.zeros(2, np.float32), np.zeros(4, np.float32))
    assert "factor is one float" in message


def test_array_of_another_device(library, device):
    other = mtlpy_nb.Device()
    foreign = other.buffer(FLOATS)
    message = refused(library["add"], FLOATS, foreign, 1.0, np.zeros(4, np.float32))
    assert "add: b is a Buffer of another Device" in message
    with pytest.raises(ValueError, match="different Device"):
        device.copy_buffer(foreign, device.buffer(FLOATS))


def test_freed_buffer(library, device):
    buffer = device.buffer(FLOATS)
    buffer.release()
    with pytest.raises(mtlpy_nb.MetalError, match="released"):
        library["add"](FLOATS, buffer, 1.0, np.zeros(4, np.float32))
    with pytest.raises(mtlpy_nb.MetalError, match="released"):
        buffer.numpy()


def test_buffer_freed_while_the_kernel_runs(library, device):
    buffer, out = device.buffer(np.ones(100_000, np.float32)), device.buffer(100_000)
    handle = library["add"](buffer, buffer, 1.0, out, wait=False)
    buffer.release()
    del buffer
    handle.wait()
    assert (out.numpy() == 2).all()


def test_output_for_what_is_only_read(library):
    message = refused(library["add"], mtlpy_nb.output(4), FLOATS, 1.0, mtlpy_nb.output(4))
    assert "add: a is only read" in message


def test_wrong_textures_and_memory(library, device):
    picture = np.zeros((4, 4, 4), np.float32)
    assert "picture: a is texture2d" in refused(library["picture"], 5, picture)
    assert "picture: a " in refused(library["picture"], device.buffer(picture), 7)
    unreadable = device.empty_texture((4, 4), "rgba32Float", readable=False)
    assert "readable=False" in refused(library["picture"], unreadable, picture)
    integers = device.empty_texture((4, 4), "rgba8Uint")
    assert "rgba8Uint" in refused(library["picture"], integers, picture)
    for size, words in (
        (0, "at least 1 byte"),
        (-16, "at least 1 byte"),
        ("16", "size in bytes"),
        (1.5, "size in bytes"),
    ):
        assert words in refused(library["shared"], np.zeros(8, np.int32), size)


def test_too_much_threadgroup_memory(library):
    with pytest.raises(mtlpy_nb.ValidationError, match=r"threadgroup.*(32768|32 KiB)"):
        library["shared"](np.zeros(8, np.int32), 1 << 20)


def test_pipeline_that_lacks_buffers(device):
    pipeline = device.compile(SOURCE, "add")
    with pytest.raises(
        RuntimeError, match=r"reads buffer argument\(s\) up to index 3, but only 1 buffer\(s\) were passed"
    ):
        pipeline.run([device.buffer(FLOATS)], 4)


def test_low_level_names_what_is_missing(library, device):
    metal = pytest.importorskip("mtlpy_nb.metal")
    low = metal.create_system_default_device()
    pipeline = low.new_compute_pipeline_state(low.new_library_with_source(SOURCE).new_function("twice"))
    command_buffer = low.new_command_queue().command_buffer()
    encoder = command_buffer.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline)

    def run() -> None:
        # Which of these calls notices is its own affair.
        encoder.dispatch_threads(4, 1, 1, 4, 1, 1)
        encoder.end_encoding()
        command_buffer.commit()
        command_buffer.wait_until_completed()

    with pytest.raises(metal.MetalError, match=r"buffer"):
        run()
