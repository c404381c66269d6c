# SPDX-License-Identifier: MIT
"""Operators and functions where mtlpy's rules are not NumPy's: a program may count on them."""

import operator

import numpy as np
import pytest

import mtlpy_nb as mtlpy
from mtlpy_nb import operators, shader

PRIVATE = mtlpy.StorageMode.PRIVATE
DTYPES = [np.float32, np.float16, np.int32, np.uint32, np.int16, np.uint16, np.int64, np.uint64]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv"])
def test_operators_with_buffers_and_numbers(device, dtype, name):
    a, b = np.array([12, 7, 40], dtype), np.array([4, 2, 5], dtype)
    x, y, op = device.buffer(a), device.buffer(b), getattr(operator, name)

    def expected(p, q):
        value = op(p.astype(np.float64), q)
        return (np.trunc(value) if np.dtype(dtype).kind in "iu" else value).astype(dtype)

    np.testing.assert_allclose(op(x, y).contents, expected(a, b), rtol=1e-3)
    np.testing.assert_allclose(op(x, 2).contents, expected(a, 2), rtol=1e-3)
    np.testing.assert_allclose(op(50, x).contents, expected(np.full(3, 50), a), rtol=1e-3)
    assert op(x, y).dtype == dtype
    address = x.mtl_ptr
    result = getattr(operator, f"i{name}")(x, y)
    assert result is x
    assert x.mtl_ptr == address
    np.testing.assert_allclose(x.contents, expected(a, b), rtol=1e-3)


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_comparisons_give_bool(device, name):
    a, b, op = np.array([1, 2, 3], np.int32), np.array([2, 2, 2], np.int32), getattr(operator, name)
    for other in (device.buffer(b), 2):
        result = op(device.buffer(a), other)
        assert result.dtype == np.bool_
        np.testing.assert_array_equal(result.contents, op(a, b))


def test_a_number_becomes_the_buffers_type(device):
    assert (device.buffer(np.array([1, 2], np.int32)) + 2.5).contents.tolist() == [3, 4]
    assert (device.buffer(np.array([1, 2], np.float32)) + np.int64(2)).dtype == np.float32


def test_integers_divide_towards_zero(device):
    result = device.buffer(np.array([7, -7], np.int32)) / 2
    assert (result.dtype, result.contents.tolist()) == (np.int32, [3, -3])


def test_only_sizes_must_agree(device):
    a, b = device.buffer(np.zeros((2, 3), np.float32)), device.buffer(np.ones((3, 2), np.float32))
    assert (a + b).shape == (2, 3)
    assert (b + a).shape == (3, 2)


def test_operands_that_do_not_fit(device, other_device, buffer):
    a = buffer(1, 2)
    with pytest.raises(ValueError, match="Buffer size mismatch: 2 != 3"):
        a + buffer(1, 2, 3)
    with pytest.raises(TypeError, match="Buffer dtype mismatch: float32 != int32"):
        a == device.buffer(np.zeros(2, np.int32))  # noqa: B015
    with pytest.raises(ValueError, match="Buffers belong to different Device instances"):
        a * other_device.buffer(np.zeros(2, np.float32))
    for dtype in (np.uint8, np.int8):
        stored = device.buffer(np.zeros(2, dtype))
        with pytest.raises(TypeError, match=f"No Metal equivalent for dtype: {np.dtype(dtype)}"):
            stored + stored
        with pytest.raises(TypeError, match="No Metal equivalent for dtype"):
            operators.sum(stored)


def test_a_buffer_is_no_key(buffer):
    with pytest.raises(TypeError, match="unhashable"):
        hash(buffer(1))


def test_truth_is_length(buffer):
    assert buffer(0.0)


def test_storage_of_results(device):
    a = device.buffer(np.ones(3, np.float32), storage=PRIVATE)
    assert (a + a).storage == (a + 1).storage == (-a).storage == a.astype(np.int32).storage == PRIVATE
    assert (a < a).storage == PRIVATE
    for name in ("sqrt", "cos", "sin", "tan", "exp", "log"):
        assert getattr(operators, name)(a).storage == mtlpy.StorageMode.SHARED


def test_functions(device):
    values = np.array([0.25, 0.5, 1.5], np.float32)
    a = device.buffer(values.reshape(3, 1))
    for name in ("sqrt", "cos", "sin", "tan", "exp", "log"):
        result = getattr(operators, name)(a)
        assert result.shape == (3, 1)
        np.testing.assert_allclose(result.contents, getattr(np, name)(values), rtol=2e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions_give_pythons_numbers(device, dtype):
    a = device.buffer(np.array([3, 1, 2], dtype))
    kind = float if np.dtype(dtype).kind == "f" else int
    for name, value in (("sum", 6), ("max", 3), ("min", 1)):
        result = getattr(operators, name)(a)
        assert (type(result), result) == (kind, value)
    assert operators.mean(a) == 2.0
    assert type(operators.mean(a)) is float


def test_rounds_of_a_reduction_of_ones_own(device, rng):
    values = rng.integers(1, 4, 37).astype(np.int64)

    def multiply(t):
        return shader._reduce_pair("multiply", "a[first] * a[second]", t)

    result = operators._reduce(device.buffer(values), multiply, "multiply")
    assert result == int(np.prod(values))


def test_inner_operations(device, buffer):
    a, b = buffer(1, 2), buffer(3, 5)
    out = device.empty(2, np.float32)
    assert device._binary_op("add", shader.add_kernel, a, b, out=out) is out
    assert out.contents.tolist() == [4, 7]
    assert device._binary_op("mul", shader.mul_kernel, a, b).contents.tolist() == [3, 10]
    assert device._scalar_op("rsub_scalar", shader.rsub_scalar_kernel, a, 10).contents.tolist() == [9, 8]
    assert device._negate_op(a).contents.tolist() == [-1, -2]
    assert device._compare_op("lt", shader.lt_kernel, a, b).contents.tolist() == [True, True]
    assert device._compare_scalar_op("ge_scalar", shader.ge_scalar_kernel, a, 2).contents.tolist() == [False, True]
    assert operators._unary(buffer(4, 9), shader.sqrt_kernel, "sqrt_op").contents.tolist() == [2, 3]
    with pytest.raises(ValueError, match="Buffer size mismatch: 2 != 3"):
        device._compare_op("lt", shader.lt_kernel, a, buffer(1, 2, 3))
