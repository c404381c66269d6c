# SPDX-License-Identifier: MIT
import threading

import numpy as np
import pytest

import mtlpy_nb.metal as pm

from .conftest import ADD

PARAMETERS = """
#include <metal_stdlib>
using namespace metal;

struct Light { float3 place; half2 size; };
struct Parameters { float gain; uint counts[3]; Light light; float2x2 turn; };

kernel void shade(device const uchar4* source [[buffer(0)]], device float4* out [[buffer(1)]],
                  constant Parameters& p [[buffer(2)]], texture2d<half, access::sample> map [[texture(0)]],
                  sampler s [[sampler(1)]], threadgroup float* scratch [[threadgroup(0)]],
                  uint i [[thread_position_in_grid]])
{
    scratch[i] = p.gain;
    out[i] = float4(source[i]) * scratch[i] + float4(map.sample(s, p.turn * float2(i))) + p.counts[1] + p.light.place.x;
}
"""

CONSTANTS = """
#include <metal_stdlib>
using namespace metal;
constant float gain [[function_constant(0)]];
constant bool negate [[function_constant(1)]];
constant int3 offset [[function_constant(2)]];
kernel void scale(device float* x, uint i [[thread_position_in_grid]])
{
    x[i] = (negate ? -x[i] : x[i]) * gain + offset.z;
}
"""


def test_functions_by_name(device):
    library = device.new_library_with_source(ADD)
    assert library.function_names == ["add"]
    assert library.device is device
    assert library.diagnostics == ""
    function = library.new_function("add")
    assert function.name == "add"
    assert function.function_type is pm.FunctionType.Kernel
    assert library.new_function("subtract") is None


def test_source_that_does_not_compile(device):
    with pytest.raises(pm.CompileError, match="Metal shader compilation failed") as caught:
        device.new_library_with_source("kernel void f(device int* x) { x[0] = y; }")
    assert "program_source:1:" in caught.value.log
    assert "use of undeclared identifier 'y'" in caught.value.log
    assert isinstance(caught.value, RuntimeError)


@pytest.mark.parametrize("source", ["int a\0b;", "// \udcff"])
def test_source_that_is_no_text(device, source):
    with pytest.raises((pm.ValidationError, UnicodeError, TypeError)):
        device.new_library_with_source(source)


def test_warnings_are_kept(device):
    source = "kernel void f(device int* x) { int unused_one = 3; x[0] = 1; if (x[0] = 2) x[1] = 0; }"
    library = device.new_library_with_source(source)
    assert "warning:" in library.diagnostics


def test_options(device):
    options = pm.CompileOptions()
    options.preprocessor_macros = {"A": 3, "B": "4.5f", "C": True, "D": 0.25}
    options.language_version = pm.LanguageVersion.Version3_0
    options.math_mode = pm.MathMode.Safe
    options.fast_math_enabled = False
    assert options.language_version is pm.LanguageVersion.Version3_0
    assert options.math_mode is pm.MathMode.Safe
    assert options.preprocessor_macros["A"] == "3"
    source = 'static_assert(A == 3 && C == 1, ""); kernel void f(device float* x) { x[0] = B + D; }'
    library = device.new_library_with_source(source, options)
    pipeline = device.new_compute_pipeline_state(library.new_function("f"))
    buffer = device.new_buffer(4)
    pm.dispatch(device.new_command_queue(), pipeline, [buffer], grid=1, threadgroup=1)
    assert np.frombuffer(buffer, np.float32)[0] == 4.75


def test_headers_from_memory(device):
    if not device.is_software:
        pytest.skip("Apple's compiler takes no headers from memory")
    options = pm.CompileOptions()
    options.set_headers({"seven.h": "#define SEVEN 7\n"})
    library = device.new_library_with_source(
        '#include "seven.h"\nkernel void f(device int* x) { x[0] = SEVEN; }', options
    )
    assert library.function_names == ["f"]


def test_reflection(device, pipeline):
    arguments = {argument.name: argument for argument in pipeline(PARAMETERS, "shade").arguments}
    assert list(arguments) == ["source", "out", "p", "map", "s", "scratch"]
    source, out, p, image, sampler, scratch = arguments.values()
    assert (source.kind, source.index, source.access) == (pm.BindingType.Buffer, 0, pm.BindingAccess.ReadOnly)
    assert source.type.data_type is pm.DataType.UChar4
    assert (out.index, out.access) == (1, pm.BindingAccess.ReadWrite)
    assert (out.type.name, out.type.size, out.size, out.alignment) == ("float4", 16, 16, 16)
    assert (image.kind, image.texture_type) == (pm.BindingType.Texture, pm.TextureType.Type2D)
    assert (image.texture_data_type, image.array_length) == (pm.DataType.Half, 1)
    assert (sampler.kind, sampler.index) == (pm.BindingType.Sampler, 1)
    assert scratch.kind is pm.BindingType.ThreadgroupMemory
    assert p.type.data_type is pm.DataType.Struct
    assert [(m.name, m.offset) for m in p.type.members] == [("gain", 0), ("counts", 4), ("light", 16), ("turn", 48)]
    gain, counts, light, turn = (member.type for member in p.type.members)
    assert gain.data_type is pm.DataType.Float
    assert (counts.data_type, counts.array_length, counts.stride) == (pm.DataType.Array, 3, 4)
    assert counts.element.data_type is pm.DataType.UInt
    assert [(m.name, m.offset) for m in light.members] == [("place", 0), ("size", 16)]
    assert light.size == 32
    assert turn.data_type is pm.DataType.Float2x2
    assert p.size == 64


def test_what_the_software_device_adds(device):
    if not device.is_software:
        pytest.skip("Apple's reflection doesn't say")
    library = device.new_library_with_source(ADD + PARAMETERS.replace("using namespace metal;", ""))
    add, shade = library.functions
    assert add.comment == "Adds two vectors."
    assert add.signature.startswith("void add(")
    assert add.function_type is pm.FunctionType.Kernel
    assert [argument.name for argument in add.arguments] == ["a", "b", "c"]
    assert "const float" in add.arguments[0].type_text
    weigh = device.new_library_with_source("kernel void weigh(constant float (&weights [[buffer(0)]])[3]) {}")
    assert weigh.functions[0].arguments[0].type_text == "constant float (&)[3]"
    assert add.arguments[0].is_reference is False
    assert add.arguments[0].address_space == "device"
    p = shade.arguments[2]
    assert p.is_reference is True
    assert p.address_space == "constant"
    assert p.type.name == "Parameters"
    assert shade.line > add.line > 1
    assert library.new_function("add").info.signature == add.signature


def test_function_constants(device, queue):
    library = device.new_library_with_source(CONSTANTS)
    declared = library.new_function("scale").function_constants
    assert sorted((c.name, c.index) for c in declared.values()) == [("gain", 0), ("negate", 1), ("offset", 2)]
    assert declared["gain"].type is pm.DataType.Float
    assert declared["offset"].type is pm.DataType.Int3
    values = pm.FunctionConstantValues()
    values.set_constant_value(np.float32(2), pm.DataType.Float, 0)
    values.set_constant_value(b"\1", pm.DataType.Bool, "negate")
    values.set_constant_value(np.array([0, 0, 5, 0], np.int32), pm.DataType.Int3, "offset")
    for constants in (values, {"gain": 2.0, 1: True, "offset": (0, 0, 5)}):
        pipeline = device.new_compute_pipeline_state(library.new_function("scale", constants))
        buffer = device.new_buffer_with_data(np.arange(4, dtype=np.float32))
        pm.dispatch(queue, pipeline, [buffer], grid=4, threadgroup=4)
        assert np.frombuffer(buffer, np.float32).tolist() == [5, 3, 1, -1]


@pytest.mark.parametrize(
    ("constants", "message"),
    [
        ({"gian": 1.0}, "no constant 'gian'; the library declares gain, negate, offset"),
        ({7: 1.0}, "no constant 7"),
        ({"gain": "x"}, "constant gain is a float, got 'x'"),
        ({"offset": (1, 2)}, "constant offset is a int3"),
        ({"offset": (1, 2, 1 << 40)}, "constant offset is a int3"),
    ],
)
def test_bad_function_constants(device, constants, message):
    library = device.new_library_with_source(CONSTANTS)
    with pytest.raises(pm.ValidationError, match=message):
        library.new_function("scale", constants)


def test_bad_types_of_function_constants(device):
    library = device.new_library_with_source(CONSTANTS)
    with pytest.raises(TypeError):
        library.new_function("scale", [1])
    with pytest.raises(TypeError, match="named by a str or an int"):
        library.new_function("scale", {1.5: 1})


def test_missing_constants_fail_at_the_pipeline(device):
    library = device.new_library_with_source(CONSTANTS)
    with pytest.raises(pm.PipelineError):
        device.new_compute_pipeline_state(library.new_function("scale"))


def test_pipelines(device):
    function = device.new_library_with_source(ADD).new_function("add")
    descriptor = pm.ComputePipelineDescriptor()
    with pytest.raises(pm.ValidationError, match="no compute_function"):
        device.new_compute_pipeline_state(descriptor)
    descriptor.compute_function = function
    descriptor.thread_group_size_is_multiple_of_thread_execution_width = True
    descriptor.label = "adder"
    assert descriptor.compute_function is function
    pipeline = device.new_compute_pipeline_state(descriptor)
    assert pipeline.label == "adder"
    assert pipeline.name == "add"
    assert pipeline.thread_execution_width == 32
    assert pipeline.max_total_threads_per_threadgroup >= 256
    assert pipeline.device is device


def test_texts_of_a_kernel(device, pipeline):
    if not device.is_software:
        pytest.skip("a GPU shows no code")
    kernel = pipeline(ADD, "add")
    assert "define" in pm.intermediate_text(kernel)
    assert "ret" in pm.assembly_text(kernel)
    assert pm.compiler_information()["llvm_version"]


def test_compiling_from_eight_threads(device, queue):
    source = "kernel void f{0}(device int* x) {{ x[0] = {0}; }}"
    results = [None] * 8

    def run(i):
        function = device.new_library_with_source(source.format(i)).new_function(f"f{i}")
        buffer = device.new_buffer(4)
        pm.dispatch(queue, device.new_compute_pipeline_state(function), [buffer], grid=1, threadgroup=1)
        results[i] = int(np.frombuffer(buffer, np.int32)[0])

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == list(range(8))
