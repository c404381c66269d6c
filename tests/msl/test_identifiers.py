# SPDX-License-Identifier: MIT
"""What public Metal code uses of the headers for numbers: each name is there and does what it should.

The list is ours: identifiers that three or more of the public projects we counted use, in the order of how many do.
(void_t and is_empty are not among them: those projects define them in namespace metal themselves.)
"""

from __future__ import annotations

import math

import numpy as np
import pytest

# An expression for each name, and its value; `x` is 0.3, `y` is 2.5, `n` is 5, `u` is 12u.
FUNCTIONS = {
    "max": ("max(x, y)", 2.5), "min": ("min(x, y)", 0.3), "dot": ("dot(float2(x, 1), float2(y, 2))", 2.75),
    "clamp": ("clamp(y, 0.0, 1.0)", 1), "sqrt": ("sqrt(y)", math.sqrt(2.5)), "pow": ("pow(y, 3)", 15.625),
    "mix": ("mix(x, y, 0.5)", 1.4), "exp": ("exp(x)", math.exp(0.3)), "abs": ("abs(-x) + abs(-n)", 5.3),
    "normalize": ("normalize(float2(3, 4)).y", 0.8), "sin": ("sin(x)", math.sin(0.3)),
    "cos": ("cos(x)", math.cos(0.3)), "length": ("length(float3(1, 2, 2))", 3), "floor": ("floor(-x)", -1),
    "step": ("step(x, y)", 1), "round": ("round(y)", 3), "saturate": ("saturate(y)", 1), "fract": ("fract(-x)", 0.7),
    "distance": ("distance(float2(1, 2), float2(4, 6))", 5), "log": ("log(y)", math.log(2.5)),
    "ceil": ("ceil(x)", 1), "as_type": ("as_type<uint>(1.0f) == 0x3f800000", 1), "rsqrt": ("rsqrt(y)", 2.5**-0.5),
    "select": ("select(x, y, true)", 2.5), "cross": ("cross(float3(1, 0, 0), float3(0, 1, 0)).z", 1),
    "sign": ("sign(-y)", -1), "transpose": ("transpose(float2x3(1, 2, 3, 4, 5, 6))[1].y", 5),
    "smoothstep": ("smoothstep(0.0, 1.0, x)", 0.216), "atan2": ("atan2(x, y)", math.atan2(0.3, 2.5)),
    "exp2": ("exp2(y)", 2**2.5), "powr": ("powr(y, x)", 2.5**0.3), "fabs": ("fabs(-y)", 2.5),
    "fmod": ("fmod(y, 1.0)", 0.5), "fma": ("fma(x, y, 1.0)", 1.75), "fmax": ("fmax(x, y)", 2.5),
    "tanh": ("tanh(x)", math.tanh(0.3)), "fmin": ("fmin(x, y)", 0.3), "acos": ("acos(x)", math.acos(0.3)),
    "tan": ("tan(x)", math.tan(0.3)), "log2": ("log2(y)", math.log2(2.5)), "asin": ("asin(x)", math.asin(0.3)),
    "atan": ("atan(x)", math.atan(0.3)), "reflect": ("reflect(float2(1, -1), float2(0, 1)).y", 1),
    "any": ("any(bool2(false, x < y))", 1), "all": ("all(float2(x, y) > 0)", 1), "clz": ("clz(u)", 28),
    "isnan": ("isnan(x - NAN)", 1), "max3": ("max3(x, y, 1.0)", 2.5), "min3": ("min3(x, y, 1.0)", 0.3),
    "trunc": ("trunc(-y)", -2), "refract": ("refract(float2(0, -1), float2(0, 1), 1.0).y", -1), "ctz": ("ctz(u)", 2),
    "ldexp": ("ldexp(y, 3)", 20), "isfinite": ("isfinite(x)", 1), "popcount": ("popcount(u)", 2),
    "rint": ("rint(y)", 2), "cosh": ("cosh(x)", math.cosh(0.3)), "mulhi": ("mulhi(0xf0000000u, 16u)", 15),
    "copysign": ("copysign(y, -x)", -2.5), "sinh": ("sinh(x)", math.sinh(0.3)),
    "reverse_bits": ("reverse_bits(0x20000000u)", 4), "isinf": ("isinf(INFINITY * y)", 1),
    "sinpi": ("sinpi(0.5)", 1), "determinant": ("determinant(float2x2(1, 2, 3, 4))", -2),
    "extract_bits": ("extract_bits(u, 2u, 2u)", 3), "divide": ("divide(y, 2.0)", 1.25),
    "median3": ("median3(x, y, 1.0)", 1), "acosh": ("acosh(y)", math.acosh(2.5)),
    "pack_float_to_unorm4x8": ("pack_float_to_unorm4x8(float4(1, 0, 0, 0))", 255),
    "asinh": ("asinh(x)", math.asinh(0.3)), "cospi": ("cospi(1.0)", -1),
    "pack_float_to_snorm4x8": ("pack_float_to_snorm4x8(float4(1, 0, 0, 0))", 127), "signbit": ("signbit(-y)", 1),
    "atanh": ("atanh(x)", math.atanh(0.3)), "nextafter": ("nextafter(1.0, y) > 1.0", 1),
    "insert_bits": ("insert_bits(u, 3u, 0u, 2u)", 15),
    "distance_squared": ("distance_squared(float2(1), float2(4))", 18), "log10": ("log10(y)", math.log10(2.5)),
    "unpack_snorm4x8_to_float": ("unpack_snorm4x8_to_float(127).x", 1),
    "unpack_unorm4x8_to_float": ("unpack_unorm4x8_to_float(255).x", 1), "exp10": ("exp10(2.0)", 100),
    "fdim": ("fdim(y, x)", 2.2), "fmax3": ("fmax3(x, y, 1.0)", 2.5), "fmedian3": ("fmedian3(x, y, 1.0)", 1),
    "fmin3": ("fmin3(x, y, 1.0)", 0.3), "tanpi": ("tanpi(0.25)", 1),
    "unpack_snorm2x16_to_float": ("unpack_snorm2x16_to_float(32767).x", 1),
    "precise::tanh": ("precise::tanh(x)", math.tanh(0.3)), "precise::sqrt": ("precise::sqrt(y)", math.sqrt(2.5)),
    "precise::exp": ("precise::exp(x)", math.exp(0.3)), "precise::rsqrt": ("precise::rsqrt(y)", 2.5**-0.5),
    "precise::atan2": ("precise::atan2(x, y)", math.atan2(0.3, 2.5)),
    "precise::sin": ("precise::sin(x)", math.sin(0.3)), "precise::cos": ("precise::cos(x)", math.cos(0.3)),
    "precise::acos": ("precise::acos(x)", math.acos(0.3)), "precise::log": ("precise::log(y)", math.log(2.5)),
    "fast::exp2": ("fast::exp2(y)", 2**2.5), "fast::exp": ("fast::exp(x)", math.exp(0.3)),
    "fast::max": ("fast::max(x, y)", 2.5), "fast::cos": ("fast::cos(x)", math.cos(0.3)),
    "fast::sin": ("fast::sin(x)", math.sin(0.3)), "fast::min": ("fast::min(x, y)", 0.3),
    "INFINITY": ("INFINITY > FLT_MAX", 1), "M_PI_F": ("M_PI_F", math.pi), "FLT_MAX": ("FLT_MAX / 2 < FLT_MAX", 1),
    "NAN": ("NAN != NAN", 1), "M_LOG2E_F": ("M_LOG2E_F", math.log2(math.e)), "MAXHALF": ("MAXHALF", 65504),
    "M_PI_2_F": ("M_PI_2_F", math.pi / 2), "UINT_MAX": ("UINT_MAX == ~0u", 1), "FLT_MIN": ("FLT_MIN > 0", 1),
    "numeric_limits": ("numeric_limits<int>::max() == 0x7fffffff", 1),
    "pair": ("pair<int, float>{1, y}.second", 2.5), "enable_if_t": ("is_same_v<enable_if_t<true, int>, int>", 1),
    "conditional_t": ("is_same_v<conditional_t<true, int, half>, int>", 1),
    "decay": ("is_same_v<decay<const int>::type, int>", 1),
    "integral_constant": ("integral_constant<int, 3>::value", 3),
    "is_convertible_v": ("is_convertible_v<int, float>", 1), "bool_constant": ("bool_constant<true>::value", 1),
    "is_integral_v": ("is_integral_v<ushort>", 1), "true_type": ("true_type::value", 1),
    "false_type": ("!false_type::value", 1), "is_integral": ("is_integral<int>::value", 1),
    "remove_cv_t": ("is_same_v<remove_cv_t<const half>, half>", 1),
    "is_signed_v": ("is_signed_v<char>", 1), "is_same": ("is_same<int, int32_t>::value", 1),
    "forward": ("forward<int>(3)", 3),
    "size_t": ("sizeof(size_t)", 8), "__METAL_VERSION__": ("__METAL_VERSION__ >= 300", 1),
    "__HAVE_BFLOAT__": ("__HAVE_BFLOAT__", 1), "__METAL__": ("__METAL__", 1),
    "__METAL_MACOS__": ("__METAL_MACOS__", 1),
}  # fmt: skip
SCALARS = ["uchar", "char", "ushort", "short", "uint", "int", "ulong", "long", "half", "float", "bool"]
TYPES = [
    "uint32_t",
    "uint8_t",
    "int32_t",
    "uint16_t",
    "uint64_t",
    "int64_t",
    "int8_t",
    "int16_t",
    "size_t",
    "bfloat",
    "vector_float2",
    "vector_float3",
    "vector_float4",
    "vector_uint2",
    "vector_int2",
    "matrix_float4x4",
    "matrix_float3x3",
    "simd_float2",
    "simd_float3",
    "simd_float4",
    "packed_float2",
    "packed_float3",
    "packed_float4",
    "packed_uint3",
    "packed_int3",
    "packed_half3",
    "packed_half2",
    "bfloat2",
    "bfloat4",
    "bfloat4x4",
    "float2x2",
    "float2x3",
    "float2x4",
    "float3x2",
    "float3x3",
    "float3x4",
    "float4x2",
    "float4x3",
    "float4x4",
    "half2x2",
    "half2x3",
    "half2x4",
    "half3x2",
    "half3x3",
    "half3x4",
    "half4x2",
    "half4x3",
    "half4x4",
    "simd_float4x4",
] + [f"{kind}{n}" for kind in SCALARS for n in (2, 3, 4)]


@pytest.fixture(scope="module")
def results(compiles):
    """The value of every expression, from one kernel."""
    lines = "\n".join(f"    out[{i}] = float({call});" for i, (call, _) in enumerate(FUNCTIONS.values()))
    library = compiles(
        "kernel void run(device float* out, constant float2& v, constant int& n, constant uint& u) {\n"
        f"    float x = v.x, y = v.y;\n{lines}\n}}\n"
    )
    out = np.full(len(FUNCTIONS), np.nan, np.float32)
    library["run"](out, np.array([0.3, 2.5], np.float32), 5, 12, grid=1)
    return dict(zip(FUNCTIONS, out.tolist(), strict=True))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_name_means_what_it_should(results, name):
    assert results[name] == pytest.approx(FUNCTIONS[name][1], rel=2e-6, abs=1e-6)


def test_every_type_has_a_size_and_values(compiles):
    lines = "\n".join(f"    {{ {name} value = {name}(); out[0] += sizeof(value); }}" for name in TYPES)
    compiles("#include <simd/simd.h>\nkernel void run(device uint* out) {\n" + lines + "\n}")


def test_functions_that_return_through_arguments(evaluate):
    x = np.array([0.3, 5.75], np.float32)
    mantissa, exponent = np.frexp(x)
    for body, want in (
        ("float c; r = sincos(a, c) + 2 * c;", np.sin(x) + 2 * np.cos(x)),
        ("int e; r = frexp(a, e) * 4 + e;", mantissa * 4 + exponent),
        ("float w; r = modf(a, w) + 9 * w;", x % 1 + 9 * np.floor(x)),
    ):
        np.testing.assert_allclose(evaluate("float", body, ("float", x)), want, rtol=1e-6, err_msg=body)


def test_metal_func_and_swap(compiles):
    library = compiles("""
        METAL_FUNC float twice(float x) { return x + x; }
        kernel void run(device float* out) {
            float a = 1, b = 2;
            swap(a, b);
            out[0] = twice(a);
            out[1] = static_cast<int>(b);
        }
    """)
    out = np.zeros(2, np.float32)
    library["run"](out, grid=1)
    assert out.tolist() == [4, 1]


def test_macros_of_the_program_stay_out_of_the_headers(shared_device):
    """Apple's headers use reserved names only: a program, or who compiles it, may define any other first."""
    text = """
        #define x 3
        #define N + 2
        #define min(a, b) ((a) < (b) ? (a) : (b))
        #define inline nothing
        #include <metal_stdlib>
        #include <metal_logging>
        using namespace metal;
        kernel void run(device T* out) { out[0] = min(x, 9 N); }
    """
    out = np.zeros(1, np.float32)
    for source in (text, text.replace("metal_stdlib", "metal_math")):
        shared_device.library(source, options={"macros": {"T": "float"}})["run"](out, grid=1)
        assert out[0] == 3


def test_arguments_of_indirect_commands(shared_device):
    library = shared_device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void run(device MTLDrawPrimitivesIndirectArguments& draw [[buffer(0)]],
                        device MTLDrawIndexedPrimitivesIndirectArguments& indexed [[buffer(1)]],
                        device MTLDrawPatchIndirectArguments& patch [[buffer(2)]],
                        device MTLDispatchThreadgroupsIndirectArguments& dispatch [[buffer(3)]],
                        device MTLTriangleTessellationFactorsHalf& triangle [[buffer(4)]],
                        device MTLQuadTessellationFactorsHalf& quad [[buffer(5)]]) {
            draw = {3, 2, 1, 5};
            indexed = {4, 3, 2, -1, 6};
            patch = {5, 4, 3, 7};
            for (uint i = 0; i < 3; ++i) {
                dispatch.threadgroupsPerGrid[i] = i + 1;
                triangle.edgeTessellationFactor[i] = half(i);
            }
            triangle.insideTessellationFactor = 9;
            for (uint i = 0; i < 4; ++i) quad.edgeTessellationFactor[i] = half(i);
            quad.insideTessellationFactor[0] = quad.insideTessellationFactor[1] = 8;
        }
    """)
    kernel = library["run"]
    arrays = [np.zeros(1, argument.element.dtype) for argument in kernel.arguments.values()]
    kernel(*arrays, grid=1)
    words = [array.view(np.int32).tolist() for array in arrays[:4]]
    assert words == [[3, 2, 1, 5], [4, 3, 2, -1, 6], [5, 4, 3, 7], [1, 2, 3]]
    halves = [array.view(np.float16).tolist() for array in arrays[4:]]
    assert halves == [[0, 1, 2, 9], [0, 1, 2, 3, 8, 8]]
