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
