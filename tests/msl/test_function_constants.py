# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Function constants of every type, what is computed from them, and arguments that depend on them."""

from __future__ import annotations

import numpy as np
import pytest

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
    with pytest.raises(Exception, match=r"needs values for its function constants: use run.specialize\(n="):
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
