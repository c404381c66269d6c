# SPDX-License-Identifier: MIT
"""Kernels that torch's macros make of a functor: dense and strided, unary and binary; and reports of errors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

RNG = np.random.default_rng(99)
DTYPES = {"float": np.float32, "half": np.float16, "int": np.int32, "long": np.int64, "uchar": np.uint8}

UNARY = """
    DEFINE_UNARY_FLOATING_FUNCTOR(erf);
    DEFINE_UNARY_FLOATING_FUNCTOR(i0);
    struct twice_functor { template <typename T> inline T operator()(const T x) { return x + x; } };
    REGISTER_UNARY_OP(erf, float, float);
    REGISTER_UNARY_OP(erf, half, half);
    REGISTER_UNARY_OP(erf, bfloat, bfloat);
    REGISTER_UNARY_OP(erf, int, float);
    REGISTER_UNARY_OP(erf, uchar, float);
    REGISTER_UNARY_OP(i0, float, float);
    REGISTER_UNARY_OP(twice, long, long);
    REGISTER_UNARY_OP(twice, float2, float2);
"""
BINARY = """
    struct product_functor {
        template <typename T> inline T operator()(const T a, const T b) { return c10::metal::mul(a, b); }
    };
    struct xlogy_functor {
        template <typename T> inline T operator()(const T a, const T b) { return T(c10::metal::xlogy(a, b)); }
    };
    DEFINE_BINARY_COMPARISON_FUNCTOR(lt, <);
    REGISTER_BINARY_OP(product, float, float);
    REGISTER_BINARY_OP(product, half, half);
    REGISTER_BINARY_OP(product, bfloat, bfloat);
    REGISTER_BINARY_OP(product, long, long);
    REGISTER_BINARY_OP(product, float2, float2);
    REGISTER_BINARY_OP(xlogy, float, float);
    REGISTER_OPMATH_BINARY_OP(xlogy, half, half);
    REGISTER_BINARY_OP(lt, float, bool);
    REGISTER_BINARY_OP(lt, int, bool);
"""


@pytest.fixture(scope="module")
def unary(torch_library):
    """The library of unary kernels."""
    return torch_library(UNARY)


@pytest.fixture(scope="module")
def binary(torch_library):
    """The library of binary kernels."""
    return torch_library(BINARY)


@pytest.mark.parametrize(("name", "kinds", "reference"), [
    ("erf", ("float", "float"), special.erf), ("erf", ("half", "half"), special.erf),
    ("erf", ("float", "int"), special.erf), ("i0", ("float", "float"), special.i0),
    ("twice", ("long", "long"), lambda x: 2 * x),
])  # fmt: skip
def test_unary_kernels(unary, name, kinds, reference):
    result, kind = kinds
    x = RNG.uniform(-3, 3, 1003).astype(DTYPES[kind])
    want = reference(x.astype(float))
    out = np.zeros(len(x), DTYPES[result])
    unary[f"{name}_dense_{result}_{kind}"](out, x, np.uint32(len(x)), grid=(len(x) + 3) // 4)
    tolerance = {"rtol": 2e-3 if kind == "half" else 1e-5, "atol": 1e-6}
    np.testing.assert_allclose(out, want, **tolerance)
    out[:] = 0
    unary[f"{name}_dense_scalar_{result}_{kind}"](out, x, grid=len(x))
    np.testing.assert_allclose(out, want, **tolerance)


def test_strided_kernel(unary):
    x = RNG.uniform(-3, 3, (7, 5, 3)).astype(np.float32)
    view = x.transpose(2, 0, 1)  # inner dimension first, as torch counts them
    out = np.zeros(view.shape, np.float32)
    sizes = np.array(view.shape[::-1], np.int64)
    strides = np.array(view.strides[::-1], np.int64)
    out_strides = np.array(out.strides[::-1], np.int64)
    unary["erf_strided_float_float"](
        out, x, sizes, strides, out_strides, np.uint32(3), grid=(int(sizes[0]), int(sizes[1] * sizes[2]))
    )
    np.testing.assert_allclose(out, special.erf(view), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("name", "kinds", "reference"), [
    ("product", ("float", "float"), np.multiply), ("product", ("half", "half"), np.multiply),
    ("product", ("long", "long"), np.multiply), ("xlogy", ("float", "float"), special.xlogy),
    ("xlogy", ("half", "half"), special.xlogy),
])  # fmt: skip
def test_binary_kernels(binary, name, kinds, reference):
    result, kind = kinds
    a, b = (RNG.uniform(0.5, 9, 500).astype(DTYPES[kind]) for _ in range(2))
    out = np.zeros(len(a), DTYPES[result])
    binary[f"{name}_dense_{result}_{kind}"](out, a, b, grid=len(a))
    np.testing.assert_allclose(out, reference(a.astype(float), b.astype(float)), rtol=2e-3 if kind == "half" else 1e-5)


def test_comparison_kernel(binary):
    a, b = RNG.integers(0, 4, 500).astype(np.int32), RNG.integers(0, 4, 500).astype(np.int32)
    out = np.zeros(len(a), np.bool_)
    binary["lt_dense_bool_int"](out, a, b, grid=len(a))
    np.testing.assert_array_equal(out, a < b)


def test_errors_are_reported_in_a_buffer(torch_library):
    library = torch_library("""
        kernel void run(device c10::metal::ErrorMessages* errors, device const int* x,
                        uint i [[thread_position_in_grid]]) {
            if (x[i] < 0) TORCH_REPORT_ERROR(errors, "value ", x[i], " at ", i);
        }
    """)
    size = 4 + 30 * (128 + 128 + 250 + 6)
    errors = np.zeros(size, np.uint8)
    library["run"](errors, np.array([1, 2, -37, 4], np.int32), grid=4)
    assert errors[:4].view(np.uint32)[0] == 1
    assert b"value -37 at 2\0" in errors.tobytes()
    assert b"run\0" in errors.tobytes()
