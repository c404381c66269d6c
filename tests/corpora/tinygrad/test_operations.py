# SPDX-License-Identifier: MIT
"""Each single operation: what tinygrad renders for it runs here and agrees with NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .operations import OPERATIONS, Operation


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_operation(tensor: Any, rng: np.random.Generator, operation: Operation) -> None:
    inputs = operation.inputs(rng)
    with np.errstate(all="ignore"):
        wanted = np.asarray(operation.eager(*inputs))
    got = operation.lazy(*(tensor(x) for x in inputs)).numpy()
    assert got.shape == wanted.shape
    np.testing.assert_allclose(
        got.astype(np.float64) if got.dtype.kind == "f" else got, wanted, operation.rtol, operation.atol
    )


NUMBERS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32"]


@pytest.mark.parametrize("source", NUMBERS)
def test_casts(tensor: Any, rng: np.random.Generator, source: str) -> None:
    """From one type to all others, of numbers that both can hold."""
    from tinygrad import dtypes

    x = rng.integers(0, 2 if source == "bool" else 120, 40)
    if source.startswith("float"):
        x = x + 0.625
    elif source.startswith("int"):
        x = np.where(rng.random(40) < 0.5, x, -x)
    x = x.astype(source)
    for name in NUMBERS:
        given = np.abs(x) if name.startswith("u") else x
        got = tensor(given).cast(getattr(dtypes, {"float16": "half", "float32": "float"}.get(name, name))).numpy()
        np.testing.assert_array_equal(got, given.astype(name))


@pytest.mark.parametrize("name", ["float32", "int32", "uint8", "bool"])
def test_casts_by_way_of_bfloat(tensor: Any, rng: np.random.Generator, name: str) -> None:
    """Round to nearest even, back and forth."""
    from tinygrad import dtypes

    x = rng.standard_normal(400).astype(np.float32) * 100
    x = np.abs(x) if name == "uint8" else x > 0 if name == "bool" else x
    x = x.astype(name)
    bits = x.astype(np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)
    np.testing.assert_array_equal(tensor(x).cast(dtypes.bfloat16).cast(dtypes.float).numpy(), rounded)


@pytest.mark.parametrize(
    ("source", "target"), [("float32", "int32"), ("uint32", "float32"), ("float16", "int16"), ("int64", "uint32")]
)
def test_bits_as_another_type(tensor: Any, rng: np.random.Generator, source: str, target: str) -> None:
    from tinygrad import dtypes

    x = rng.standard_normal(40).astype(np.float32) if source.startswith("float") else rng.integers(0, 2**30, 40)
    x = x.astype(source)
    got = tensor(x).bitcast(getattr(dtypes, {"float32": "float"}.get(target, target))).numpy()
    np.testing.assert_array_equal(got, x.view(target))


def test_matrices_are_multiplied_by_simdgroups(
    tensor: Any, made: list[tuple[str, str]], rng: np.random.Generator
) -> None:
    """The renderer uses simdgroup_matrix where sizes allow, for float, half and bfloat."""
    from tinygrad import dtypes

    a, b = (rng.standard_normal(shape).astype(np.float32) for shape in ((64, 96), (96, 128)))
    for dtype, tolerance in ((dtypes.float, 1e-4), (dtypes.half, 0.1), (dtypes.bfloat16, 0.8)):
        first = len(made)
        got = (tensor(a).cast(dtype).contiguous() @ tensor(b).cast(dtype).contiguous()).float().numpy()
        np.testing.assert_allclose(got, a @ b, atol=tolerance, rtol=1e-4)
        if dtype != dtypes.bfloat16 or any("simdgroup_bfloat8x8" in source for _, source in made[first:]):
            assert any("simdgroup_multiply_accumulate" in source for _, source in made[first:])


def test_random_numbers(tensor: Any) -> None:
    """The generator is integer arithmetic: the same numbers as on tinygrad's interpreter, which runs in Python."""
    for draw in ("rand", "randn"):
        tensor.manual_seed(1234)
        got = getattr(tensor, draw)(20, device="METAL").numpy()
        tensor.manual_seed(1234)
        wanted = getattr(tensor, draw)(20, device="PYTHON").numpy()
        np.testing.assert_allclose(got, wanted, atol=2e-6, rtol=2e-6)
    tensor.manual_seed(1)
    many = tensor.rand(4000).numpy()
    assert 0 <= many.min() < many.max() < 1
    assert abs(many.mean() - 0.5) < 0.02


def test_without_the_optimiser(tensor: Any, rng: np.random.Generator) -> None:
    """One thread for all of it: other loops than in the schedules above."""
    from tinygrad.helpers import Context

    a, b = (rng.standard_normal((17, 17)).astype(np.float32) for _ in range(2))
    with Context(NOOPT=1):
        got = (tensor(a) @ tensor(b)).relu().sum(1).softmax().numpy()
    rows = np.maximum(a @ b, 0).sum(1)
    e = np.exp(rows - rows.max())
    np.testing.assert_allclose(got, e / e.sum(), rtol=2e-4, atol=1e-6)
