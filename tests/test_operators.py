# SPDX-License-Identifier: MIT
import operator

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp
from settling import settled_size

import mtlpy_nb
from mtlpy_nb import operators
from mtlpy_nb.utils import StorageMode

TYPES = [np.float32, np.float16, np.int32, np.uint32, np.int16, np.uint16, np.int64, np.uint64]
ARITHMETIC = [operator.add, operator.sub, operator.mul]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device()


def numbers(dtype, size=1000, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return rng.normal(size=size).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, size, dtype=dtype, endpoint=True)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("op", ARITHMETIC)
def test_arithmetic_of_two_buffers(device, op, dtype):
    x, y = numbers(dtype), numbers(dtype, seed=1)
    result = op(device.buffer(x), device.buffer(y))
    assert result.dtype == dtype
    np.testing.assert_array_equal(result.numpy(), op(x, y))


@pytest.mark.parametrize("dtype", TYPES)
def test_division_is_metals(device, dtype):
    x, y = numbers(dtype), numbers(dtype, seed=1)
    y[y == 0] = 1
    result = (device.buffer(x) / device.buffer(y)).numpy()
    if np.dtype(dtype).kind == "f":
        np.testing.assert_allclose(result, x / y, rtol=4 * np.finfo(dtype).eps)
    else:
        towards_zero = [
            abs(int(a)) // abs(int(b)) * (1 if (a < 0) == (b < 0) else -1) for a, b in zip(x, y, strict=True)
        ]
        np.testing.assert_array_equal(result, np.array(towards_zero).astype(dtype))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("op", COMPARISONS)
def test_comparisons(device, op, dtype):
    x, y = numbers(dtype), numbers(dtype, seed=1)
    y[::3] = x[::3]
    result = op(device.buffer(x), device.buffer(y))
    assert result.dtype == bool
    np.testing.assert_array_equal(result.numpy(), op(x, y))
    np.testing.assert_array_equal(op(device.buffer(x), x[7]).numpy(), op(x, x[7]))


@pytest.mark.parametrize("dtype", TYPES)
def test_numbers_on_either_side(device, dtype):
    x = numbers(dtype)
    a = device.buffer(x)
    seven = dtype(7)
    np.testing.assert_array_equal((a + 7).numpy(), x + seven)
    np.testing.assert_array_equal((7 + a).numpy(), x + seven)
    np.testing.assert_array_equal((a - 7).numpy(), x - seven)
    np.testing.assert_array_equal((7 - a).numpy(), seven - x)
    np.testing.assert_array_equal((a * 3).numpy(), x * dtype(3))
    np.testing.assert_array_equal((np.float32(3) * a).numpy(), x * dtype(3))
    x[x == 0] = 1
    a = device.buffer(x)
    expected = (7 / x.astype(np.float64)).astype(dtype)
    np.testing.assert_allclose((7 / a).numpy(), expected, rtol=0 if np.dtype(dtype).kind in "iu" else 4e-3)


def test_comparison_with_a_number_on_the_left(device):
    a = device.buffer(np.arange(5, dtype=np.int32))
    np.testing.assert_array_equal((2 < a).numpy(), [False, False, False, True, True])  # noqa: SIM300
    np.testing.assert_array_equal((np.int32(2) >= a).numpy(), [True, True, True, False, False])


def test_a_fraction_is_cut_off_for_integers(device):
    a = device.buffer(np.arange(3, dtype=np.int32))
    np.testing.assert_array_equal((a + 2.9).numpy(), [2, 3, 4])


def test_negation(device):
    for dtype in TYPES:
        x = numbers(dtype)
        np.testing.assert_array_equal((-device.buffer(x)).numpy(), -x)


def test_in_place_takes_no_new_memory(device):
    x = numbers(np.float32)
    a, b = device.buffer(x), device.buffer(x)
    same, before = a, settled_size(device)
    a += b
    a *= 3
    a -= 1
    a /= 2
    assert a is same
    assert device.current_allocated_size == before
    np.testing.assert_allclose(a.numpy(), ((x + x) * 3 - 1) / 2, rtol=1e-6, atol=1e-6)


def test_an_array_is_an_operand(device):
    x = numbers(np.float32).reshape(10, 100)
    a = device.buffer(x)
    for result in (a + x, x + a):
        assert isinstance(result, mtlpy_nb.Buffer)
        assert result.shape == (10, 100)
        np.testing.assert_array_equal(result.numpy(), x + x)
    np.testing.assert_array_equal((x[:, ::-1] - a).numpy(), x[:, ::-1] - x)


def test_the_result_has_the_first_operands_shape_and_storage(device):
    x = numbers(np.float32, 12)
    a = device.buffer(x, storage=StorageMode.PRIVATE).reshape(3, 4)
    result = a + device.buffer(x)
    assert result.shape == (3, 4)
    assert result.storage == StorageMode.PRIVATE
    np.testing.assert_array_equal(result.numpy().ravel(), x + x)
    assert operators.sqrt(a * a).storage == StorageMode.SHARED


def test_operands_that_do_not_fit(device):
    a = device.buffer(np.arange(4, dtype=np.float32))
    with pytest.raises(ValueError, match="Buffer size mismatch: 4 != 5"):
        a + device.buffer(np.arange(5, dtype=np.float32))
    with pytest.raises(TypeError, match="Buffer dtype mismatch: float32 != int32"):
        a + device.buffer(np.arange(4, dtype=np.int32))
    with pytest.raises(TypeError, match="Buffer dtype mismatch: float32 != float64"):
        a + np.arange(4.0)
    with pytest.raises(ValueError, match="different Device instances"):
        a + mtlpy_nb.Device().buffer(np.arange(4, dtype=np.float32))
    with pytest.raises(TypeError, match="No Metal equivalent for dtype: uint8"):
        device.buffer(np.arange(4, dtype=np.uint8)) + 1
    with pytest.raises(TypeError, match="unsupported operand"):
        a + "text"
    with pytest.raises(TypeError, match="expected a real number"):
        a + np.complex64(1j)
    with pytest.raises(ValueError, match="it holds -2147483648 to 2147483647"):
        device.buffer(np.arange(4, dtype=np.int32)) + 2**31
    with pytest.raises(ValueError, match="integers have no such value"):
        device.buffer(np.arange(4, dtype=np.int32)) + float("nan")
    np.testing.assert_array_equal(a.numpy(), np.arange(4, dtype=np.float32))


def test_a_buffer_is_not_equal_to_what_is_no_number(device):
    a = device.buffer(np.arange(4, dtype=np.float32))
    assert (a == None) is False  # noqa: E711
    assert a != "text"
    with pytest.raises(TypeError, match="unhashable"):
        hash(a)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("other", [*TYPES, np.bool_, np.int8, np.uint8])
def test_astype(device, dtype, other):
    x = np.arange(100).astype(dtype)
    result = device.buffer(x).astype(other)
    assert result.dtype == other
    np.testing.assert_array_equal(result.numpy(), x.astype(other))
    assert device.buffer(x, storage=StorageMode.PRIVATE).astype(other).storage == StorageMode.PRIVATE


def test_astype_takes_metals_names_and_refuses_what_metal_lacks(device):
    a = device.buffer(np.arange(3, dtype=np.int32))
    assert a.astype("half").dtype == np.float16
    assert a.astype(np.float64).dtype == np.float32
    with pytest.raises(TypeError, match="complex64"):
        a.astype(np.complex64)


@pytest.mark.parametrize("name", ["sqrt", "cos", "sin", "tan", "exp", "log"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_functions(device, name, dtype):
    x = np.linspace(0.1, 3, 500).astype(dtype)
    result = getattr(operators, name)(device.buffer(x))
    expected = getattr(np, name)(x.astype(np.float64))
    np.testing.assert_allclose(
        result.numpy(), expected, rtol=2e-6 if dtype is np.float32 else 4e-3, atol=1e-3 if dtype is np.float16 else 1e-6
    )


@pytest.mark.parametrize("dtype", [*TYPES, np.bool_])
@pytest.mark.parametrize("size", [1, 31, 33, 8191, 8192, 8193, 100_000])
def test_reductions(device, dtype, size):
    x = numbers(np.uint16, size).astype(dtype) if dtype is np.bool_ else numbers(dtype, size)
    a = device.buffer(x)
    assert operators.max(a) == x.max()
    assert operators.min(a) == x.min()
    if np.dtype(dtype).kind == "f":
        exact = x.sum(dtype=np.float64)
        assert operators.sum(a) == pytest.approx(exact, rel=1e-3 if dtype is np.float16 else 1e-5, abs=1e-3 * size)
        assert operators.mean(a) == pytest.approx(x.mean(dtype=np.float64), rel=1e-3, abs=1e-4)
    else:
        exact = sum(int(n) for n in x)
        assert operators.sum(a) == exact
        assert operators.mean(a) == exact / size


def test_sums_keep_their_precision(device):
    x = np.full(1 << 22, 0.1, np.float32)
    exact = float(np.float32(0.1)) * x.size
    assert operators.sum(device.buffer(x)) == pytest.approx(exact, rel=3e-6)


def test_extremes_pass_nan_over_as_metal_does(device):
    x = np.array([np.nan, 3, -np.inf, np.nan], np.float32)
    a = device.buffer(x)
    assert operators.max(a) == 3
    assert operators.min(a) == -np.inf
    assert np.isnan(operators.max(device.buffer(np.full(5, np.nan, np.float32))))


@given(
    hnp.arrays(np.int32, st.integers(1, 300)),
    st.integers(-(2**31), 2**31 - 1),
)
def test_any_integers(x, number):
    device = mtlpy_nb.default_device()
    a = device.buffer(x)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal((a * number - a).numpy(), x * np.int32(number) - x)
    assert operators.sum(a) == sum(map(int, x))


def test_operators_are_compiled_once():
    device = mtlpy_nb.Device(cache_path=False)
    a = device.buffer(np.ones(8, np.float32))
    a + a
    known = device.pipeline_cache_size
    for _ in range(3):
        a + a
    assert device.pipeline_cache_size == known
