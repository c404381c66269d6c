# SPDX-License-Identifier: MIT
"""Calls of kernels with [[stage_in]]: an array for each attribute, by the member's name."""

import inspect
import pickle

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import output

SOURCE = """
#include <metal_stdlib>
using namespace metal;
struct Particle { float3 place [[attribute(0)]]; half2 speed [[attribute(1)]]; uchar kind [[attribute(4)]]; };
kernel void step(Particle in [[stage_in]], constant float& time, device packed_float4* out,
                 uint i [[thread_position_in_grid]]) {
    out[i] = float4(in.place + time * float3(float2(in.speed), 0), in.kind);
}
struct Signed { int4 a [[attribute(2)]]; bfloat b [[attribute(3)]]; uint2 c [[attribute(7)]]; };
kernel void others(Signed in [[stage_in]], device int4* x, device float* y, device uint2* z,
                   uint i [[thread_position_in_grid]]) {
    x[i] = in.a; y[i] = float(in.b); z[i] = in.c;
}
struct One { float grid [[attribute(0)]]; };
kernel void option(One in [[stage_in]], device float* out) { out[0] = in.grid; }
struct Same { float out [[attribute(0)]]; };
kernel void clash(Same in [[stage_in]], device float* out) { out[0] = in.out; }
struct Scaled { float x [[attribute(0)]]; };
constant float factor [[function_constant(0)]];
kernel void scaled(Scaled in [[stage_in]], device float* out, uint i [[thread_position_in_grid]]) {
    out[i] = in.x * factor;
}
kernel void plane(Scaled in [[stage_in]], device float* out [[buffer(3)]], uint2 i [[thread_position_in_grid]],
                  uint2 n [[threads_per_grid]]) {
    out[i.y * n.x + i.x] = in.x + 10 * i.y;
}
kernel void silent(Scaled in [[stage_in]], device atomic_uint& count) {
    atomic_fetch_add_explicit(&count, uint(in.x), memory_order_relaxed);
}
"""
COUNT = 50


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def library(device):
    return device.library(SOURCE)


def particles():
    random = np.random.default_rng(8)
    place = random.normal(size=(COUNT, 3)).astype(np.float32)
    speed = random.normal(size=(COUNT, 2)).astype(np.float16)
    return {"place": place, "speed": speed, "kind": random.integers(0, 256, COUNT, np.uint8)}


def stepped(place, speed, kind, time):
    expected = np.zeros((COUNT, 4), np.float32)
    expected[:, :3] = place
    expected[:, :2] += np.float32(time) * np.asarray(speed, np.float32)
    expected[:, 3] = kind
    return expected


def test_each_thread_gets_its_elements(library):
    given = particles()
    result = library["step"](0.5, output((COUNT, 4)), **given)
    np.testing.assert_allclose(result.numpy(), stepped(**given, time=0.5), rtol=1e-6)


def test_one_value_is_for_all_threads(library):
    given = particles() | {"speed": (0.25, -2), "kind": 7}
    result = library["step"](time=2, out=output((COUNT, 4)), **given)
    np.testing.assert_allclose(result.numpy(), stepped(**given, time=2), rtol=1e-6)
    given["place"] = np.array([1, 2, 3], np.float32)
    result = library["step"](time=2, out=output((COUNT, 4)), **given)
    np.testing.assert_allclose(result.numpy(), stepped(**given, time=2), rtol=1e-6)


def test_buffers_views_and_fields_of_records(device, library):
    given = particles()
    records = np.zeros(COUNT, [("speed", ">f2", 2), ("mass", "f8"), ("kind", "u1")])
    records["speed"], records["kind"] = given["speed"], given["kind"]
    longer = device.buffer(np.concatenate([np.zeros((4, 3), np.float32), given["place"]]))
    result = library["step"](1, output((COUNT, 4)), place=longer[4:], speed=records["speed"], kind=records["kind"])
    np.testing.assert_allclose(result.numpy(), stepped(**given, time=1), rtol=1e-6)


@pytest.mark.parametrize(("signed", "unsigned", "real"), [("i1", "u1", "f2"), ("i2", "u2", "f4"), ("i4", "u4", "f4")])
def test_smaller_types_become_the_attributes(library, signed, unsigned, real):
    a = np.arange(-10, 10, dtype=signed).reshape(5, 4)
    b = np.linspace(-2, 2, 5).astype(real)
    c = np.arange(10, dtype=unsigned).reshape(5, 2)
    result = library["others"](output((5, 4)), output(5), output((5, 2)), a=a, b=b, c=c)
    np.testing.assert_array_equal(result.x.numpy(), a)
    np.testing.assert_array_equal(result.y.numpy(), b.astype(np.float32))
    np.testing.assert_array_equal(result.z.numpy(), c)


def test_every_row_of_a_grid_begins_with_the_first_element(library):
    result = library["plane"](output((3, 4)), x=np.array([1, 2, 3, 4], np.float32))
    np.testing.assert_array_equal(result.numpy(), np.arange(1, 5) + 10 * np.arange(3)[:, None])


def test_the_arrays_tell_the_grid_where_nothing_else_does(library):
    kernel = library["silent"]  # writes one number, which is no grid
    count = np.zeros(1, np.uint32)
    kernel(count, x=np.arange(9, dtype=np.float32))
    assert count[0] == 36


def test_nothing_runs_without_elements(library):
    result = library["scaled"].specialize(factor=2)(output(0), x=np.zeros(0, np.float32))
    assert result.shape == (0,)


def test_function_constants_time_and_pickling(library):
    kernel = library["scaled"].specialize(factor=3)
    x = np.arange(6, dtype=np.float32)
    np.testing.assert_array_equal(kernel(output(6), x=x).numpy(), 3 * x)
    assert kernel.time(output(6), x=x, repeat=5).n == 5
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(kernel))(output(6), x=x).numpy(), 3 * x)


def test_what_a_kernel_says_of_its_attributes(library):
    kernel = library["step"]
    assert list(kernel.arguments) == ["time", "out", "place", "speed", "kind"]
    place = kernel.arguments["place"]
    assert (place.kind, place.index, place.place, place.type_text) == ("attribute", 0, "[[attribute(0)]]", "float3")
    assert place.dtype == np.dtype((np.float32, 3))
    assert not place.is_writable
    assert repr(kernel).endswith("float3 place, half2 speed, uchar kind)>")
    kinds = {name: parameter.kind for name, parameter in inspect.signature(kernel).parameters.items()}
    assert kinds["place"] == inspect.Parameter.KEYWORD_ONLY
    assert kinds["out"] == inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert "[[attribute(4)]]" in kernel.__doc__
    assert "[[attribute(1)]]" in kernel._repr_mimebundle_()["text/html"]
    assert library["others"].arguments["b"].dtype == np.float32


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"place": None},
            r"(?s)place is needed, got None.*--> +float3 place.*pass an array with float3 for each thread",
        ),
        (
            {"place": np.zeros((COUNT, 3))},
            r"(?s)place is float3 of .* dtype float64.*convert it, place\.astype\(np\.float32",
        ),
        ({"place": np.zeros((COUNT, 4), "f4")}, r"shape is \(threads, 3\); got \(50, 4\)"),
        ({"kind": np.zeros((COUNT, 1), "u1")}, r"shape is \(threads,\); got \(50, 1\)"),
        ({"kind": np.zeros(COUNT, "i1")}, r"kind is uchar of each thread, got an array of dtype int8"),
        (
            {"place": [[1, 2, 3]]},
            r"(?s)place is float3 of each thread, got a list.*pass np\.array\(place, np\.float32\)",
        ),
        ({"speed": (1, 2, 3)}, r"speed .*3"),
        ({"kind": "text"}, r"kind is uchar of each thread, got "),
        ({"plaice": 3}, r"step: has no argument 'plaice'; did you mean 'place'"),
    ],
)
def test_wrong_values_are_named(library, change, message):
    with pytest.raises(mtlpy_nb.ArgumentError, match=message):
        library["step"](1, output((COUNT, 4)), **(particles() | change))


def test_what_is_missing_or_by_position(library):
    given = particles()
    place = given.pop("place")
    with pytest.raises(
        mtlpy_nb.ArgumentError, match=r"(?s)place is missing, the float3 of each thread.*add place=\.\.\."
    ):
        library["step"](1, output((COUNT, 4)), **given)
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"takes 2 arguments, got 3"):
        library["step"](1, output((COUNT, 4)), place, place=place, **given)


def test_too_few_elements_for_the_grid(library):
    given = particles()
    with pytest.raises(mtlpy_nb.ValidationError, match=r"step: the grid is 60 threads wide, but place has .* for 50"):
        library["step"](1, output((60, 4)), **given)


def test_buffers_of_another_device_or_released(library):
    other = mtlpy_nb.Device(cache_path=False)
    given = particles()
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"place is a Buffer of another Device"):
        library["step"](1, output((COUNT, 4)), **(given | {"place": other.buffer(given["place"])}))
    buffer = library.device.buffer(given["place"])
    buffer.release()
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"place is a Buffer that was released"):
        library["step"](1, output((COUNT, 4)), **(given | {"place": buffer}))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("option", r"an attribute of its \[\[stage_in\]\] is called grid, as an option of the call"),
        ("clash", r"both an argument and an attribute of its \[\[stage_in\]\] are called out"),
    ],
)
def test_names_that_a_call_cannot_tell_apart(library, name, message):
    with pytest.raises(mtlpy_nb.ValidationError, match=message):
        library[name](output(1), grid=1)
