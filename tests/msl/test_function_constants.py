# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Function constants of every type, what is computed from them, and arguments that depend on them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mtlpy_nb

PRELUDE = "#include <metal_stdlib>\nusing namespace metal;\n"

VALUES = {
    "bool": True, "char": -5, "uchar": 200, "short": -3000, "ushort": 60000, "int": -70000, "uint": 4000000000,
    "long": -(2**40), "ulong": 2**63 + 5, "half": 1.5, "float": -2.25,
    "bool2": (True, False), "char3": (1, -2, 3), "uchar4": (1, 2, 3, 255), "short2": (-1, 2), "ushort3": (1, 2, 65535),
    "int4": (1, -2, 3, -4), "uint2": (1, 4000000000), "long2": (1, -(2**40)), "half3": (0.5, 1.5, -2),
    "float2": (0.25, 8), "float3": (1, 2, 3), "float4": (1, 2, 3, 4),
}  # fmt: skip


@pytest.mark.parametrize("kind", VALUES)
def test_types(shared_device, kind: str) -> None:
    value = VALUES[kind]
    parts = value if isinstance(value, tuple) else (value,)
    letters = [".x", ".y", ".z", ".w"][: len(parts)] if isinstance(value, tuple) else [""]
    body = "".join(f"    out[{i}] = double_of(k{letter});\n" for i, letter in enumerate(letters))
    element = "long" if kind.startswith(("long", "ulong")) else "float"
    library = shared_device.library(
        PRELUDE
        + f"constant {kind} k [[function_constant(7)]];\n"
        + f"template <typename T> {element} double_of(T v) {{ return {element}(v); }}\n"
        + f"kernel void run(device {element}* out) {{\n{body}}}\n",
        constants={"k": value},
    )
    out = np.zeros(len(parts), np.int64 if element == "long" else np.float32)
    library["run"](out, grid=1)
    expected = (
        np.array(parts).astype(np.float32)
        if element == "float"
        else np.array([p - 2**64 if p >= 2**63 else p for p in parts])
    )
    np.testing.assert_array_equal(out, expected)


SOURCE = (
    PRELUDE
    + """
constant int n [[function_constant(0)]];
constant bool hasBias [[function_constant(1)]];
constant float scale [[function_constant(2)]];
constant int width = is_function_constant_defined(n) ? n : 3;
constant bool noBias = !hasBias;
constant float steps[2] = {scale, scale * 2};
constant float half_scale = scale / 2;
template <int N> struct Power { static float of(float x) { return x * Power<N - 1>::of(x); } };
template <> struct Power<0> { static float of(float) { return 1; } };
kernel void run(device float* out [[buffer(0)]],
                constant float& bias [[buffer(1), function_constant(hasBias)]],
                constant float* other [[buffer(1), function_constant(noBias)]],
                uint i [[thread_position_in_grid]]) {
    float local[8];
    for (int k = 0; k < width; ++k) local[k] = k + i;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += local[k];
    if (hasBias) sum += bias; else sum += other[i];
    if (is_function_constant_defined(scale)) sum = sum * steps[1] + half_scale;
    out[i] = sum + Power<2>::of(width);
}
"""
)


def expected(width: int, scale: float | None, added: np.ndarray) -> np.ndarray:
    i = np.arange(10)
    total = width * (width - 1) / 2 + width * i + added
    return (total if scale is None else total * 2 * scale + scale / 2) + width**2


@pytest.mark.parametrize(
    ("n", "scale", "has_bias"), [(None, None, True), (5, 0.5, False), (2, None, False), (None, 3.0, True)]
)
def test_computed_constants_and_conditional_arguments(shared_device, n, scale, has_bias) -> None:
    constants = {"hasBias": has_bias}
    constants |= {} if n is None else {"n": n}
    constants |= {} if scale is None else {"scale": scale}
    run = shared_device.library(SOURCE, constants=constants)["run"]
    out = np.zeros(10, np.float32)
    other = np.arange(10, dtype=np.float32) * 7
    run(out=out, **({"bias": 1.5} if has_bias else {"other": other}), grid=10)
    np.testing.assert_allclose(out, expected(n or 3, scale, np.full(10, 1.5) if has_bias else other))


def test_a_constant_without_a_value_is_named(shared_device) -> None:
    library = shared_device.library(
        PRELUDE + "constant int n [[function_constant(0)]];\nkernel void run(device int* out) { out[0] = n; }\n"
    )
    with pytest.raises(Exception, match=r"needs a value for its function constant n \(int\)"):
        library["run"](np.zeros(1, np.int32), grid=1)


def test_constants_that_a_kernel_does_not_use_need_no_value(shared_device) -> None:
    library = shared_device.library(
        PRELUDE
        + "constant int n [[function_constant(0)]];\nconstant int m = n * 2;\nkernel void run(device int* out) { out[0] = 4; }\n"
        "kernel void uses(device int* out) { out[0] = m; }\n"
    )
    out = np.zeros(1, np.int32)
    library["run"](out, grid=1)
    assert out[0] == 4


DEPENDENT = """
constant uint a_tmp [[function_constant(0)]];
constant uint a = is_function_constant_defined(a_tmp) ? a_tmp : 1u;
constant uint b [[function_constant(1)]];
constant uint3 size [[maybe_unused]] = uint3(a, b, 1u);
constant uint3 scaled = size * uint3(1, 2, 3);
constant float3x3 turned = float3x3(float(a)) * float3x3(2, 0, 1, 0, 3, 0, 0, 0, 1);
constant uint lanes[3] = {a, min(b, 4u), popcount(a)};
constant array<half, 2> halves = {half(a) * 0.5h, half(b)};
struct Settings { float x; half3 tint[2]; bool wide; };
constant Settings settings = {float(a) / 3, {half3(1, 2, 3), half3(b)}, scaled.y > 8};
constexpr float factorial(uint n) { float r = 1; for (uint i = 2; i <= n; ++i) r *= i; return r; }
constant float product = factorial(a) + dot(float3(size), float3(1, 10, 100));
constant float root = sqrt(float(b)) + exp2(float(a));
kernel void f(device float* out) {
    const float r[] = {float(size.x), float(size.z), float(scaled.y), turned[0][2], turned[1][1], float(lanes[1]),
                       float(lanes[2]), float(halves[0]), settings.x, float(settings.tint[1].z), float(settings.wide),
                       product, root};
    for (uint i = 0; i < 13; ++i) out[i] = r[i];
}
"""


@pytest.mark.parametrize(("a", "b"), [(5, 9), (None, 2), (3, 4)])
def test_program_scope_values_of_any_type_follow_from_constants(compiles, a, b):
    out = np.zeros(13, np.float32)
    given = {"b": b} | ({} if a is None else {"a_tmp": a})
    compiles(DEPENDENT)["f"].specialize(**given)(out, grid=1)
    a = 1 if a is None else a
    wanted = [a, 1, 2 * b, a, 3 * a, min(b, 4), a.bit_count(), a / 2, np.float32(a) / 3, b, 2 * b > 8]
    wanted += [math.factorial(a) + a + 10 * b + 100, math.sqrt(b) + 2**a]
    np.testing.assert_allclose(out, wanted, rtol=1e-6)


def test_a_value_that_never_ends_is_an_error(compiles):
    library = compiles(
        """
        constant uint a [[function_constant(0)]];
        constexpr uint endless(uint n) { uint r = n; while (r != 0) r = r * 2 + 1; return r; }
        constant uint value = endless(a);
        kernel void f(device uint* out) { out[0] = value; }"""
    )
    with pytest.raises(mtlpy_nb.PipelineError, match="initial value of a program scope variable cannot be computed"):
        library["f"].specialize(a=3)(np.zeros(1, np.uint32), grid=1)


BINDINGS = (
    PRELUDE
    + """
constant int a [[function_constant(0)]];
constant int b = a + 2;
constant uint where [[function_constant(1)]];
constant bool isSet = is_function_constant_defined(where);
constant int last = isSet ? int(where) : (1 << 4) - 13;
constant bool odd = (a & 1) != 0;
struct Images { texture2d<float> image [[texture(b * 3 - 1)]]; };
kernel void run(constant float& scale [[buffer(a)]], device float* out [[buffer(b)]], device const float* x,
                Images images, device const float* more [[buffer(last), function_constant(odd)]],
                uint i [[thread_position_in_grid]]) {
    out[i] = scale * x[i] + images.image.read(uint2(0)).x + (odd ? more[i] : 0);
}
"""
)


def places(kernel):
    return {name: (argument.kind, argument.index) for name, argument in kernel.arguments.items()}


def test_indices_follow_from_function_constants(shared_device) -> None:
    kernel = shared_device.library(BINDINGS)["run"]
    assert "device const float*  [[buffer(0)]]" in kernel.__doc__
    assert "constant float&  [[buffer(...)]]" in kernel.__doc__
    image = shared_device.texture(np.full((1, 1, 4), 0.5, np.float32))
    x = np.arange(4, dtype=np.float32)
    for constants, expected in [
        ({"a": 1}, {"scale": 1, "out": 3, "image": 8, "more": 3}),
        ({"a": 4, "where": 9}, {"scale": 4, "out": 6, "image": 17, "more": 9}),
        ({"a": 5, "where": 9}, {"scale": 5, "out": 7, "image": 20, "more": 9}),
    ]:
        if constants == {"a": 1}:  # `more` is there, at the index of `out`
            with pytest.raises(mtlpy_nb.PipelineError, match="'out' and 'more' of function 'run' have the same index"):
                kernel.specialize(**constants)(2.0, x.copy(), x, image, x, grid=4)
            continue
        special = kernel.specialize(**constants)
        out = np.zeros(4, np.float32)
        more = {"more": x} if constants["a"] % 2 else {}
        special(2.0, out, x, image, grid=4, **more)
        np.testing.assert_array_equal(out, 2 * x + 0.5 + (x if more else 0))
        assert {name: index for name, (_, index) in places(special).items()} == {**expected, "x": 0}


@pytest.mark.parametrize(
    ("constants", "problem"),
    [
        ({"a": -1, "where": 9}, r"argument 'scale' of function 'run': \[\[buffer\(-1\)\]\] is out of bounds: must be "
                                r"between 0 and 30"),
        ({"a": 30, "where": 9}, r"'out' .*\[\[buffer\(32\)\]\] is out of bounds"),
        ({"a": 0, "where": 9}, r"arguments 'x' and 'scale' of function 'run' have the same index: \[\[buffer\(0\)\]\]"),
        ({"a": 5, "where": 5}, r"arguments 'scale' and 'more' of function 'run' have the same index"),
    ],
)  # fmt: skip
def test_indices_that_no_argument_can_have(shared_device, constants, problem) -> None:
    kernel = shared_device.library(BINDINGS)["run"].specialize(**constants)
    with pytest.raises(mtlpy_nb.PipelineError, match=problem):
        kernel.max_threads_per_threadgroup  # noqa: B018


# What C++ makes of each with a = 13 and n = 7u, computed here by hand.
EXPRESSIONS = {
    "a - 4 * 2": 5, "a / 3 + a % 3": 5, "(a << 2) >> 3": 6, "~a & 15": 2, "a ^ 6": 11, "a | 16": 29,
    "-a + 20": 7, "a > 5 ? 3 : 4": 3, "!(a == 13) + 2": 2, "int(f * 4)": 6, "int(n - 8u > 100u) + 1": 2,
    "uchar(a * 20) - 1": 3, "char(a * 20) + 1": 5, "a / 0 + 2": 15, "(a >= 13 && f < 2) ? 9 : 8": 9,
    "(a != 13 || n < 7) ? 9 : 8": 8, "int(n) << 34": 28, "a < 14": 1, "short(a + 65536)": 13, "f > 1.25f ? 10 : 11": 10,
}  # fmt: skip


def test_the_host_computes_as_the_language_does(shared_device) -> None:
    names = list(EXPRESSIONS)
    source = PRELUDE + (
        "constant int a [[function_constant(0)]];\nconstant uint n [[function_constant(1)]];\n"
        "constant float f [[function_constant(2)]];\n"
    )
    for i, text in enumerate(names):
        source += (
            f"constant int at{i} = {text};\n"
            f"kernel void run{i}(device int* out [[buffer(at{i})]]) {{ out[0] = at{i}; }}\n"
        )
    library = shared_device.library(source, constants={"a": 13, "n": 7, "f": 1.5})
    for i, text in enumerate(names):
        out = np.zeros(1, np.int32)
        kernel = library[f"run{i}"]
        kernel(out, grid=1)
        # What the kernel computed, and where the host looked for its argument.
        assert (out[0], kernel.arguments["out"].index) == (EXPRESSIONS[text] % 32,) * 2, text


def test_colour_attachments_and_raster_order_groups_may_be_function_constants(shared_device) -> None:
    source = PRELUDE + (
        "constant int first [[function_constant(0)]];\nconstant int group [[function_constant(1)]];\n"
        "struct Out { float4 a [[color(first)]]; float4 b [[color(first + 1), raster_order_group(group)]]; };\n"
        "fragment Out shade() { return Out{0, 1}; }\n"
    )
    native = shared_device.library(source)._code.native
    assert native.new_function("shade", {"first": 2, "group": 1}).name == "shade"
    with pytest.raises(
        mtlpy_nb.PipelineError, match=r"'b': \[\[color\(8\)\]\] is out of bounds: must be between 0 and 7"
    ):
        native.new_function("shade", {"first": 7, "group": 1})


@pytest.mark.parametrize(
    ("declaration", "argument"),
    [
        ("constant float a [[function_constant(0)]];", "device float* p [[buffer(a)]]"),
        ("constant bool a [[function_constant(0)]];", "device float* p [[buffer(a)]]"),
        ("constant int2 a [[function_constant(0)]];", "device float* p [[buffer(a.x)]]"),
        ("constant int a [[function_constant(0)]];", "threadgroup float* p [[threadgroup(a)]]"),
    ],
)
def test_other_constants_are_no_indices(shared_device, declaration, argument) -> None:
    with pytest.raises(mtlpy_nb.CompileError, match="requires a non-negative integral constant expression"):
        shared_device.library(PRELUDE + f"{declaration}\nkernel void run({argument}) {{ p[0] = 1; }}\n")
