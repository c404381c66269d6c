# SPDX-License-Identifier: MIT
"""Kernels with [[stage_in]]: formats, step functions, regions and what is missing."""

from __future__ import annotations

import numpy as np
import pytest

pm = pytest.importorskip("mtlpy_nb.metal")

PRELUDE = "#include <metal_stdlib>\nusing namespace metal;\n"
POSITION = "uint i [[thread_position_in_grid]]"
SCALARS = {"float": np.float32, "int": np.int32, "uint": np.uint32}
STEP = pm.StepFunction
FORMAT = pm.AttributeFormat


def describe(attributes, layouts, index=None):
    """`attributes`: index to (format, buffer, offset); `layouts`: buffer to (stride, step function, rate)."""
    descriptor = pm.StageInputOutputDescriptor()
    for number, (form, buffer, offset) in attributes.items():
        attribute = descriptor.attributes[number]
        attribute.format, attribute.buffer_index, attribute.offset = form, buffer, offset
    for number, (stride, step, *rate) in layouts.items():
        layout = descriptor.layouts[number]
        layout.stride, layout.step_function = stride, step
        layout.step_rate = rate[0] if rate else 1
    if index is not None:
        descriptor.index_buffer_index, descriptor.index_type = index
    return descriptor


def make(device, source, descriptor, name="k"):
    pipeline = pm.ComputePipelineDescriptor()
    pipeline.compute_function = device.new_library_with_source(PRELUDE + source).new_function(name)
    pipeline.stage_input_descriptor = descriptor
    return device.new_compute_pipeline_state(pipeline)


def run(queue, pipeline, buffers, grid, group=(32, 1, 1), before=None):
    """`buffers`: index to buffer; `before`: more calls of the encoder."""
    commands = queue.command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline)
    for index, buffer in buffers.items():
        encoder.set_buffer(buffer, 0, index)
    if before:
        before(encoder)
    encoder.dispatch_threads(grid, group)
    encoder.end_encoding()
    commands.commit()
    commands.wait_until_completed()
    assert commands.error is None


def numbers(buffer, dtype, *shape):
    return np.frombuffer(buffer.contents(), dtype).reshape(shape or (-1,))


def integers(kind, bits):
    return np.dtype(f"{kind}{bits // 8}")


def reference(name, data):
    """The four components that a kernel sees of `data` (elements, components) in the named format."""
    real = name.endswith("Normalized") or "Half" in name or "Float" in name
    out = np.zeros((len(data), 4), np.float32 if real else data.dtype.kind + "4")
    out[:, 3] = 1
    values = data
    if name.endswith("Normalized"):
        values = np.maximum(data.astype(np.float32) / np.float32(np.iinfo(data.dtype).max), -1)
    out[:, : data.shape[1]] = values
    return out


PLAIN = [
    (base + ("" if count == 1 else str(count)) + suffix, dtype, count)
    for base, dtype in (("UChar", "u1"), ("Char", "i1"), ("UShort", "u2"), ("Short", "i2"))
    for suffix in ("", "Normalized")
    for count in (1, 2, 3, 4)
] + [
    (base + ("" if count == 1 else str(count)), dtype, count)
    for base, dtype in (("Half", "f2"), ("Float", "f4"), ("Int", "i4"), ("UInt", "u4"))
    for count in (1, 2, 3, 4)
]


@pytest.fixture(scope="module")
def readers(device):
    """A pipeline for each component type and format."""
    made = {}

    def reader(scalar, form, stride):
        key = scalar, form, stride
        if key not in made:
            source = (
                f"struct In {{ {scalar}4 v [[attribute(3)]]; }};"
                f"kernel void k(In in [[stage_in]], device {scalar}4* out [[buffer(0)]], {POSITION})"
                "{ out[i] = in.v; }"
            )
            made[key] = make(device, source, describe({3: (form, 5, 0)}, {5: (stride, STEP.ThreadPositionInGridX)}))
        return made[key]

    return reader


@pytest.mark.parametrize(("name", "dtype", "count"), PLAIN, ids=[name for name, _, _ in PLAIN])
def test_plain_formats(device, queue, filled, readers, name, dtype, count):
    threads, stride = 70, 20
    data = np.random.default_rng(4).integers(0, 256, (threads, count * np.dtype(dtype).itemsize), np.uint8)
    data = data.view(dtype)
    if dtype[0] == "f":
        data = np.random.default_rng(4).normal(size=(threads, count)).astype(dtype)
    raw = np.zeros((threads, stride), np.uint8)
    raw[:, : data.itemsize * count] = data.view(np.uint8).reshape(threads, -1)
    expected = reference(name, data)
    scalar = {"f": "float", "i": "int", "u": "uint"}[expected.dtype.kind]
    out = device.new_buffer(threads * 16)
    run(queue, readers(scalar, getattr(FORMAT, name), stride), {0: out, 5: filled(raw)}, threads)
    np.testing.assert_array_equal(numbers(out, SCALARS[scalar], -1, 4), expected)


def words(name):
    return {
        "UInt1010102Normalized": [(0, 0, 0, 0), (1023, 512, 1, 3)],
        "Int1010102Normalized": [(0, 511, 512, 1), (513, 1, 1023, 2)],
    }[name]


@pytest.mark.parametrize("name", ["UInt1010102Normalized", "Int1010102Normalized"])
def test_words_of_ten_bits(device, queue, filled, readers, name):
    fields = np.array(words(name), np.int64)
    packed = (fields << [0, 10, 20, 30]).sum(1).astype(np.uint32)
    most = np.array([1023, 1023, 1023, 3])
    if name.startswith("Int"):
        most = most // 2
        fields = np.where(fields > most, fields - 2 * (most + 1), fields)
    out = device.new_buffer(2 * 16)
    run(queue, readers("float", getattr(FORMAT, name), 4), {0: out, 5: filled(packed)}, 2)
    expected = np.maximum(fields.astype(np.float32) / most.astype(np.float32), -1)
    np.testing.assert_array_equal(numbers(out, np.float32, 2, 4), expected)


def test_blue_first_small_floats_and_shared_exponents(device, queue, filled, readers):
    out = device.new_buffer(16)
    for name, bytes_, expected in (
        ("UChar4Normalized_BGRA", [255, 0, 51, 255], [0.2, 0, 1, 1]),
        # 1.0, 2.0 and 0.5 of five bits of exponent, and six, six and five of mantissa.
        ("FloatRG11B10", list(np.uint32(15 << 6 | 16 << 17 | 14 << 27).tobytes()), [1, 2, 0.5, 1]),
        ("FloatRGB9E5", list(np.uint32(256 | 128 << 9 | 511 << 18 | 16 << 27).tobytes()), [1, 0.5, 1.99609375, 1]),
    ):
        run(queue, readers("float", getattr(FORMAT, name), 4), {0: out, 5: filled(np.array(bytes_, np.uint8))}, 1)
        np.testing.assert_allclose(numbers(out, np.float32), expected, rtol=1e-7, err_msg=name)


NARROW = """
struct In { half2 a [[attribute(0)]]; char3 b [[attribute(1)]]; ushort c [[attribute(2)]]; float d [[attribute(3)]]; };
kernel void k(In in [[stage_in]], device float4* out [[buffer(0)]], uint2 p [[thread_position_in_grid]],
              uint2 grid [[threads_per_grid]]) {
    out[p.y * grid.x + p.x] = float4(in.a.x + in.a.y, in.b.x + in.b.y * 2 + in.b.z * 4, in.c, in.d);
}
"""


def test_step_functions_and_rates(device, queue, filled):
    """Rows and columns, indices, an element for several threads, and one for all."""
    width, height = 37, 6
    random = np.random.default_rng(5)
    a, b = random.integers(0, 9, (width // 3 + 1, 2)).astype(np.float32), random.integers(-9, 9, (height, 4))
    c, indices = random.integers(0, 60000, 50).astype(np.uint32), random.integers(0, 50, width).astype(np.uint32)
    d = np.array([7, 2.5], np.float32)
    descriptor = describe(
        {0: (FORMAT.Float2, 1, 0), 1: (FORMAT.Char3, 2, 1), 2: (FORMAT.UInt, 3, 0), 3: (FORMAT.Float, 4, 4)},
        {
            1: (8, STEP.ThreadPositionInGridX, 3),
            2: (4, STEP.ThreadPositionInGridY),
            3: (4, STEP.ThreadPositionInGridXIndexed),
            4: (0, STEP.Constant, 0),
        },
        (6, pm.IndexType.UInt32),
    )
    out = device.new_buffer(width * height * 16)
    buffers = {0: out, 1: a, 2: b.astype(np.int8), 3: c, 4: d, 6: indices}
    buffers = {index: x if index == 0 else filled(x) for index, x in buffers.items()}
    run(queue, make(device, NARROW, descriptor), buffers, (width, height, 1), (8, 4, 1))
    got = numbers(out, np.float32, height, width, 4)
    x, y = np.arange(width), np.arange(height)
    np.testing.assert_array_equal(got[..., 0], np.broadcast_to(a.sum(1)[x // 3], (height, width)))
    np.testing.assert_array_equal(got[..., 1], np.broadcast_to((b[:, 1:] @ [1, 2, 4])[y][:, None], (height, width)))
    np.testing.assert_array_equal(got[..., 2], np.broadcast_to(c[indices[x]], (height, width)))
    assert (got[..., 3] == 2.5).all()


def test_indices_of_rows_in_16_bits_and_outside(device, queue, filled):
    source = (
        "struct In { uint v [[attribute(0)]]; };"
        "kernel void k(In in [[stage_in]], device uint* out [[buffer(0)]], uint2 p [[thread_position_in_grid]])"
        "{ out[p.y * 4 + p.x] = in.v; }"
    )
    descriptor = describe(
        {0: (FORMAT.UInt, 1, 0)}, {1: (4, STEP.ThreadPositionInGridYIndexed)}, (2, pm.IndexType.UInt16)
    )
    out = device.new_buffer(4 * 5 * 4)
    data, indices = np.array([10, 11, 12], np.uint32), np.array([2, 0, 60000, 1], np.uint16)
    run(queue, make(device, source, descriptor), {0: out, 1: filled(data), 2: filled(indices)}, (4, 5, 1), (4, 5, 1))
    rows = [12, 10, 0, 11, 0]  # an element that is not there is zero, as is one whose index is not there
    np.testing.assert_array_equal(numbers(out, np.uint32, 5, 4), np.repeat(np.array(rows)[:, None], 4, 1))


REGION = """
struct In { uint v [[attribute(0)]]; };
kernel void k(In in [[stage_in]], device uint4* out [[buffer(0)]], uint i [[thread_position_in_grid]],
              uint origin [[grid_origin]], uint size [[grid_size]]) {
    out[i] = uint4(in.v, i, origin, size);
}
"""


@pytest.mark.parametrize("is_indirect", [False, True])
def test_region(device, queue, filled, is_indirect):
    descriptor = describe({0: (FORMAT.UInt, 1, 0)}, {1: (4, STEP.ThreadPositionInGridX)})
    pipeline = make(device, REGION, descriptor)
    data = np.arange(100, 164, dtype=np.uint32)
    out = device.new_buffer(64 * 16)
    region = filled(np.array([10, 0, 0, 40, 1, 1], np.uint32))

    def set_region(encoder):
        if is_indirect:
            encoder.set_stage_in_region_indirect(region, 0)
        else:
            encoder.set_stage_in_region(((10, 0, 0), (40, 1, 1)))

    run(queue, pipeline, {0: out, 1: filled(data)}, 50, before=set_region)
    got = numbers(out, np.uint32, 64, 4)
    assert not got[:10].any()
    assert not got[60:].any()
    np.testing.assert_array_equal(got[10:60, 1:], [(i, 10, 40) for i in range(10, 60)])
    np.testing.assert_array_equal(got[10:50, 0], data[10:50])
    assert not got[50:60, 0].any()  # beyond the region


def test_function_constants_take_attributes_away(device, queue, filled):
    source = (
        "constant bool tinted [[function_constant(0)]];"
        "struct In { float v [[attribute(0)]]; float tint [[attribute(1), function_constant(tinted)]]; };"
        f"kernel void k(In in [[stage_in]], device float* out [[buffer(0)]], {POSITION})"
        "{ out[i] = tinted ? in.v * in.tint : in.v; }"
    )
    library = device.new_library_with_source(PRELUDE + source)
    x = np.arange(1, 41, dtype=np.float32)
    for tinted in (False, True):
        function = library.new_function("k", {"tinted": tinted})
        descriptor = pm.ComputePipelineDescriptor()
        descriptor.compute_function = function
        attributes = {0: (FORMAT.Float, 1, 0)}
        if tinted:
            attributes[1] = FORMAT.Float, 1, 0
        descriptor.stage_input_descriptor = describe(attributes, {1: (4, STEP.ThreadPositionInGridX)})
        out = device.new_buffer(160)
        run(queue, device.new_compute_pipeline_state(descriptor), {0: out, 1: filled(x)}, 40)
        np.testing.assert_array_equal(numbers(out, np.float32), x * x if tinted else x)


ONE = f"""
struct In {{ float3 place [[attribute(2)]]; }};
kernel void k(In in [[stage_in]], device float* out, {POSITION}) {{ out[i] = in.place.x; }}
"""


@pytest.mark.parametrize(
    ("attributes", "layouts", "message"),
    [
        (None, {}, "attribute place [[attribute(2)]] is missing in the stageInputDescriptor"),
        ({1: (FORMAT.Float3, 1, 0)}, {}, "attribute place [[attribute(2)]] is missing in the stageInputDescriptor"),
        (
            {2: (FORMAT.UChar4, 1, 0)},
            {},
            "attribute place [[attribute(2)]] is float3, which MTLAttributeFormat 3 does not give: that has unsigned "
            "integers",
        ),
        (
            {2: (FORMAT.Float3, 1, 0)},
            {1: (12, STEP.PerVertex)},
            "attribute place [[attribute(2)]] is in buffer 1, whose MTLStepFunction is 1: that of a compute pipeline "
            "must be Constant or ThreadPositionInGrid...",
        ),
        (
            {2: (FORMAT.Float3, 1, 4)},
            {1: (12, STEP.ThreadPositionInGridX)},
            "attribute place [[attribute(2)]] has offset(4) + size(12), must be <= the stride(12) of buffer 1",
        ),
        (
            {2: (FORMAT.Float3, 1, 0)},
            {1: (12, STEP.ThreadPositionInGridX, 0)},
            "attribute place [[attribute(2)]] is in buffer 1, whose stepRate is 0, must be > 0",
        ),
    ],
)
def test_a_descriptor_that_does_not_fit(device, attributes, layouts, message):
    with pytest.raises(pm.PipelineError) as caught:
        make(device, ONE, describe(attributes or {}, layouts))
    assert f"kernel 'k': {message}" in str(caught.value)


def test_no_descriptor(device):
    function = device.new_library_with_source(PRELUDE + ONE).new_function("k")
    with pytest.raises(pm.PipelineError, match=r"attribute place \[\[attribute\(2\)\]\] needs a stageInputDescriptor"):
        device.new_compute_pipeline_state(function)


def test_buffers_that_are_missing_or_too_short(device, queue, filled):
    pipeline = make(device, ONE, describe({2: (FORMAT.Float3, 1, 0)}, {1: (12, STEP.ThreadPositionInGridX)}))
    out = device.new_buffer(400)
    where = r"attribute place \[\[attribute\(2\)\]\] is fetched from Buffer\(1\)"
    with pytest.raises(pm.ValidationError, match=where + ", where none is set"):
        run(queue, pipeline, {0: out}, 10)
    short = filled(np.zeros(29, np.float32))
    with pytest.raises(pm.ValidationError, match=where + r".* space for 116 bytes, but the threads need 120"):
        run(queue, pipeline, {0: out, 1: short}, 10)
    indexed = make(
        device,
        ONE,
        describe({2: (FORMAT.Float3, 1, 0)}, {1: (12, STEP.ThreadPositionInGridXIndexed)}, (4, pm.IndexType.UInt16)),
    )
    with pytest.raises(pm.ValidationError, match=r"indices of its \[\[stage_in\]\] are in Buffer\(4\), where none"):
        run(queue, indexed, {0: out, 1: short}, 10)


def test_descriptors_are_copied(device):
    descriptor = describe({2: (FORMAT.Float3, 1, 0)}, {1: (12, STEP.ThreadPositionInGridX)})
    pipeline = pm.ComputePipelineDescriptor()
    pipeline.stage_input_descriptor = descriptor
    descriptor.attributes[2].format = FORMAT.Invalid
    assert pipeline.stage_input_descriptor.attributes[2].format == FORMAT.Float3
    other = pm.AttributeDescriptor()
    other.format, other.offset = FORMAT.Half, 6
    descriptor.attributes[4] = other
    other.offset = 8
    assert (descriptor.attributes[4].format, descriptor.attributes[4].offset) == (FORMAT.Half, 6)
    descriptor.reset()
    assert descriptor.attributes[4].format == FORMAT.Invalid
    assert descriptor.layouts[1].stride == 0
    with pytest.raises(pm.ValidationError, match="index"):
        descriptor.attributes[31]


@pytest.mark.parametrize("type_", ["float4x4", "bool", "array<float, 2>"])
def test_attributes_are_scalars_and_vectors(device, type_):
    source = f"struct In {{ {type_} v [[attribute(0)]]; }}; kernel void k(In in [[stage_in]], device float* out) {{}}"
    with pytest.raises(pm.CompileError, match="for attribute 'attribute': expected a scalar or vector"):
        device.new_library_with_source(PRELUDE + source)


def test_a_grid_too_large_to_fetch_for_is_an_error(device, queue, filled):
    descriptor = describe({2: (FORMAT.Float3, 1, 0)}, {1: (0, STEP.Constant, 0)})
    pipeline = make(device, ONE, descriptor)
    with pytest.raises(pm.ExecutionError, match=r"kernel k: no memory for what its \[\[stage_in\]\] is fetched into"):
        run(queue, pipeline, {0: device.new_buffer(16), 1: filled(np.zeros(3, np.float32))}, (1 << 30, 1 << 10, 1))


def test_many_threads_in_a_row(device, queue, filled):
    pipeline = make(device, ONE, describe({2: (FORMAT.Float3, 1, 0)}, {1: (12, STEP.ThreadPositionInGridX)}))
    x = np.arange(15000, dtype=np.float32).reshape(5000, 3)
    out = device.new_buffer(20000)
    run(queue, pipeline, {0: out, 1: filled(x)}, 5000)
    np.testing.assert_array_equal(numbers(out, np.float32), x[:, 0])
