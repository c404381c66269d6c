# SPDX-License-Identifier: MIT
"""Kernels as Python callables: arguments, outputs, grids, constants, handles, pickles."""

import array
import asyncio
import gc
import pickle
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import mtlpy_nb
from mtlpy_nb import ArgumentError, Buffer, FunctionNotFoundError, Texture, ValidationError, output

SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct Light { float3 position; float power; int2 cell; bool on; half4 tint; };

// Multiplies by a factor.
kernel void scale(device const float* source, device float* result, constant float& factor,
                  uint i [[thread_position_in_grid]]) { result[i] = factor * source[i]; }
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
kernel void both(device const int* x, device int* plus, device int* minus, uint i [[thread_position_in_grid]])
{ plus[i] = x[i]; minus[i] = -x[i]; }
kernel void place(device uint2* out, uint2 p [[thread_position_in_grid]], uint2 n [[threads_per_grid]])
{ out[p.y * n.x + p.x] = p; }
kernel void place3(device int* out, uint3 p [[thread_position_in_grid]], uint3 n [[threads_per_grid]])
{ out[(p.z * n.y + p.y) * n.x + p.x] = p.x + 10 * p.y + 100 * p.z; }
kernel void lit(constant Light& light, device const Light* all, device float4* out, uint i [[thread_position_in_grid]])
{ out[i] = float4(light.position * all[i].power, light.cell.y + all[i].cell.x + all[i].on) + float4(light.tint); }
kernel void shapes(constant float2& a, constant float3& b, constant float2x3& m, constant uchar& c, device float* out)
{ out[0] = a.y; out[1] = b.z; out[2] = m[1][2]; out[3] = c; }
kernel void meet(device int* out, threadgroup int* shared [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]],
                 uint n [[threads_per_threadgroup]])
{ shared[i] = i; threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = shared[n - 1 - i]; }
kernel void invert(texture2d<float, access::read> source, texture2d<float, access::write> result,
                   uint2 p [[thread_position_in_grid]])
{ float4 c = source.read(p); result.write(float4(1 - c.rgb, c.a), p); }
kernel void darken(texture2d<float, access::read_write> image, uint2 p [[thread_position_in_grid]])
{ image.write(image.read(p) * float4(0.5, 0.5, 0.5, 1), p); }
kernel void shrink(texture2d<float> source, texture2d<float, access::write> result, sampler s,
                   uint2 p [[thread_position_in_grid]], uint2 n [[threads_per_grid]])
{ result.write(source.sample(s, (float2(p) + 0.5) / float2(n)), p); }
constant int N [[function_constant(0)]];
kernel void constants(device int* out, uint i [[thread_position_in_grid]]) { out[i] = N; }
"""


@pytest.fixture(scope="module")
def library():
    return mtlpy_nb.Device().library(SOURCE)


# ---- what it is ----


def test_library_knows_its_functions(library):
    assert "scale" in library
    assert library.scale is library["scale"]
    assert set(library) == set(library.functions)
    assert library.diagnostics == ()
    with pytest.raises(
        FunctionNotFoundError, match=r"no function 'scael' in this library; did you mean 'scale'\? It has: "
    ):
        library["scael"]
    with pytest.raises(KeyError):
        library["scael"]
    with pytest.raises(AttributeError):
        library.scael  # noqa: B018


def test_kernel_describes_itself(library):
    scale = library["scale"]
    assert list(scale.arguments) == ["source", "result", "factor"]
    assert [a.access for a in scale.arguments.values()] == ["read", "read_write", "read"]
    assert "Multiplies by a factor." in scale.__doc__
    assert repr(scale).startswith(
        "<kernel scale(device const float* source, device float* result, constant float& factor)"
    )
    assert str(scale.__signature__) == "(source, result, factor, *, grid=None, threadgroup=None, wait=True)"


def test_struct_dtype_has_metals_layout(library):
    dtype = library["lit"].arguments["light"].dtype
    assert dtype.itemsize == 48
    assert {name: place[1] for name, place in dtype.fields.items()} == {
        "position": 0,
        "power": 16,
        "cell": 24,
        "on": 32,
        "tint": 40,
    }
    assert dtype["position"] == np.dtype((np.float32, (3,)))


# ---- arguments ----


def test_by_position_and_by_name(library):
    x, result = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
    assert library["scale"](x, result, 3) is result
    np.testing.assert_array_equal(result, 3 * x)
    library["scale"](factor=np.float64(0.5), source=x, result=result)
    np.testing.assert_array_equal(result, x / 2)


def test_outputs_are_made_and_returned(library):
    x = np.arange(5, dtype=np.float32)
    for wanted in (output(5, "float32"), output((5,), np.float32), output(5), output(5, "float"), output.like(x)):
        result = library["scale"](x, wanted, 2)
        assert isinstance(result, Buffer)
        np.testing.assert_array_equal(result, 2 * x)
    chained = library["scale"](result, output.like(result), 10)
    np.testing.assert_array_equal(chained, 20 * x)


def test_several_outputs_are_a_named_tuple(library):
    result = library["both"](np.arange(4, dtype=np.int32), output(4), output(4))
    assert result._fields == ("plus", "minus")
    np.testing.assert_array_equal(result.minus, [0, -1, -2, -3])


@pytest.mark.parametrize("name", ["pass", "two results"])
def test_the_outputs_of_a_kernel_whose_name_is_no_name_in_python(device, name):
    kernel = device.library(f'''
        [[host_name("{name}")]] kernel void run(device int* a, device int* b, uint i [[thread_position_in_grid]]) {{
            a[i] = 1; b[i] = 2;
        }}
    ''')[name]
    result = kernel(output(2), output(2), grid=2)
    assert (result.a.numpy().tolist(), result.b.numpy().tolist()) == ([1, 1], [2, 2])


def test_struct_arguments(library):
    lit = library["lit"]
    lights = np.zeros(2, lit.arguments["all"].dtype)
    lights["power"], lights["cell"], lights["on"] = [2, 3], [[5, 0], [7, 0]], [False, True]
    light = {"position": (1, 2, 3), "power": 0, "cell": (0, 100), "on": True, "tint": [0, 0, 0, 0.5]}
    expected = [[2, 4, 6, 105.5], [3, 6, 9, 108.5]]
    np.testing.assert_array_equal(lit(light, lights, output(2)), expected)
    record = np.zeros((), lit.arguments["light"].dtype)
    for name, value in light.items():
        record[name] = value
    np.testing.assert_array_equal(lit(record, lights, output((2, 4), "float32")), expected)


def test_vectors_and_matrices_as_values(library):
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    result = library["shapes"]((1, 2), [3, 4, 5], matrix, 200, output(4), grid=1)
    np.testing.assert_array_equal(result, [2, 5, 5, 200])


def test_threadgroup_memory_is_given_in_bytes(library):
    np.testing.assert_array_equal(library["meet"](output(64), 256, grid=64, threadgroup=64), np.arange(64)[::-1])


@pytest.mark.parametrize("make", [lambda x: x, memoryview, lambda x: array.array("f", x)])
def test_anything_with_a_buffer_protocol(library, make):
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(library["scale"](make(x), output(4), 1), x)


@given(data=st.data())
def test_any_layout_of_an_array_arrives_and_returns_right(library, data):
    base = data.draw(
        hnp.arrays(np.float32, hnp.array_shapes(max_dims=3, max_side=7), elements=st.integers(-1000, 1000))
    )
    index = data.draw(hnp.basic_indices(base.shape, allow_newaxis=False, allow_ellipsis=False))
    view = base[index]
    if not isinstance(view, np.ndarray) or view.ndim == 0:
        return
    if data.draw(st.booleans()):
        view = view.T
    if data.draw(st.booleans()):
        view = view.astype(view.dtype.newbyteorder(">"))
    before = np.array(view, np.float32)
    assert library["twice"](view) is view
    np.testing.assert_array_equal(view, 2 * before)


def test_nothing_but_the_view_is_written(library):
    base = np.arange(12, dtype=np.float32).reshape(3, 4)
    library["twice"](base[:, 1::2])
    np.testing.assert_array_equal(base, [[0, 2, 2, 6], [4, 10, 6, 14], [8, 18, 10, 22]])


# ---- textures ----


def test_textures_from_pictures(library, rng):
    photo = rng.integers(0, 256, (6, 9, 3), np.uint8)
    result = library["invert"](photo, output.like(photo))
    assert isinstance(result, Texture)
    np.testing.assert_array_equal(result.numpy()[..., :3], 255 - photo)
    again = library["invert"](result, output.like(result))
    np.testing.assert_array_equal(again.numpy()[..., :3], photo)
    gray = np.float32([[0, 0.25], [0.5, 1]])
    np.testing.assert_array_equal(library["invert"](gray, output.like(gray)), 1 - gray)


def test_picture_is_updated_in_place(library):
    picture = np.full((4, 5, 4), 1, np.float32)
    assert library["darken"](picture) is picture
    np.testing.assert_array_equal(picture[2, 3], [0.5, 0.5, 0.5, 1])


def test_sampler(library):
    device = library.device
    image = np.float32([[0, 1, 0, 1], [1, 0, 1, 0]])
    half = library["shrink"](image, output((1, 2), "r32Float"), device.sampler(linear=True))
    np.testing.assert_allclose(half, [[0.5, 0.5]])


# ---- grids ----


@pytest.mark.parametrize(("shape", "grid"), [((3, 5, 2), (5, 3)), ((15, 2), 15)])
def test_default_grid_is_the_outputs_shape_turned_round(library, shape, grid):
    result = library["place"](output(shape, "uint32")).numpy()
    np.testing.assert_array_equal(result, library["place"](output(shape, "uint32"), grid=grid).numpy())
    assert result.reshape(-1, 2)[-1].tolist() == [shape[-2] - 1, shape[0] - 1 if len(shape) == 3 else 0]


def test_single_position_counts_all_elements(library):
    image = np.ones((3, 4, 5), np.float32)
    library["twice"](image)
    assert (image == 2).all()


def test_three_dimensions(library):
    result = library["place3"](output((2, 3, 4))).numpy()
    assert result[1, 2, 3] == 123


@given(st.integers(1, 70), st.integers(1, 9), st.integers(1, 40), st.integers(1, 25))
def test_any_grid_and_threadgroup(library, width, height, group_width, group_height):
    out = np.full((height, width, 2), 99, np.uint32)
    library["place"](out, grid=(width, height), threadgroup=(np.int64(group_width), group_height))
    y, x = np.indices((height, width))
    np.testing.assert_array_equal(out, np.stack([x, y], -1))


def test_array_without_elements_does_nothing(library):
    empty = np.zeros((0, 4), np.float32)
    assert library["twice"](empty) is empty
    assert library["scale"](empty, output.like(empty), 2).shape == (0, 4)


@pytest.mark.parametrize(
    "options",
    [{"grid": 0}, {"grid": -1}, {"threadgroup": 0}, {"threadgroup": 4096}, {"grid": (1, 2, 3, 4)}, {"grid": 2.5}],
)
def test_sizes_that_are_refused(library, options):
    with pytest.raises(ValidationError, match=next(iter(options))):
        library["twice"](np.ones(4, np.float32), **options)


# ---- messages ----


def test_message_shows_the_signature_with_the_argument_marked(library):
    with pytest.raises(ArgumentError) as caught:
        library["scale"](np.zeros(4), output(4, "float32"), 1)
    assert (
        str(caught.value)
        == """\
scale: source holds float (float32), got elements of dtype float64, which Metal does not have

    scale(
-->     device const float* source,
        device float* result,
        constant float& factor
    )

    cast it: source.astype(np.float32)"""
    )


# ---- function constants, pickles, life ----


def test_specialize(library):
    kernel = library["constants"]
    with pytest.raises(
        ValidationError, match=r"needs a value for its function constant N \(int\)\s+use constants.specialize\(N=0\)"
    ):
        kernel(output(1))
    np.testing.assert_array_equal(kernel.specialize(N=7)(output(3)), [7, 7, 7])
    with pytest.raises(ValidationError, match="has no function constant 'M'"):
        kernel.specialize(M=1)
    assert "N=7" in repr(kernel.specialize(N=7))


def test_pickle_compiles_where_it_arrives(library):
    kernel = pickle.loads(pickle.dumps(library["constants"].specialize(N=5)))
    np.testing.assert_array_equal(kernel(output(2)), [5, 5])


def test_handle(library):
    x = np.arange(4, dtype=np.float32)
    handle = library["twice"](x, wait=False)
    assert handle.wait() is x
    assert handle.done()
    assert handle.gpu_time >= 0
    np.testing.assert_array_equal(x, [0, 2, 4, 6])

    async def twice_twice():
        await library["twice"](x, wait=False)
        return await library["twice"](x, wait=False)

    np.testing.assert_array_equal(asyncio.run(twice_twice()), [0, 8, 16, 24])


def test_everything_goes_with_its_last_reference():
    gc.disable()
    try:
        device = mtlpy_nb.Device()
        library = device.library(SOURCE)
        kernel = library["twice"]
        buffer = kernel(device.buffer(np.ones(3, np.float32)))
        view = buffer.contents
        watched = [weakref.ref(thing) for thing in (device, library, kernel, buffer)]
        del device, library, kernel, buffer
        assert [ref() for ref in watched] == [None] * 4
        np.testing.assert_array_equal(view, [2, 2, 2])
    finally:
        gc.enable()
