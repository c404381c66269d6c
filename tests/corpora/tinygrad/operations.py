# SPDX-License-Identifier: MIT
"""tinygrad's single operations, each beside what NumPy makes of the same arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

Array = np.ndarray
SHAPE = (13, 37)


@dataclass(frozen=True)
class Operation:
    """`lazy` on tensors and `eager` on arrays take the same arguments, which `inputs` makes."""

    family: str
    name: str
    lazy: Callable[..., Any]
    eager: Callable[..., Any]
    inputs: Callable[[np.random.Generator], tuple[Array, ...]]
    rtol: float = 2e-5
    atol: float = 2e-6

    def __str__(self) -> str:
        return f"{self.family}-{self.name}"


def _floats(low: float = -3, high: float = 3, shape: tuple[int, ...] = SHAPE, count: int = 1) -> Any:
    return lambda rng: tuple(rng.uniform(low, high, shape).astype(np.float32) for _ in range(count))


def _normal(*shapes: tuple[int, ...]) -> Any:
    return lambda rng: tuple(rng.standard_normal(shape).astype(np.float32) for shape in shapes)


def _integers(dtype: Any, low: int, high: int, shape: tuple[int, ...] = SHAPE, count: int = 2) -> Any:
    return lambda rng: tuple(rng.integers(low, high, shape).astype(dtype) for _ in range(count))


_erf = np.vectorize(math.erf)


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def _softplus(x: Array) -> Array:
    return np.logaddexp(x, 0)


def _softmax(x: Array, axis: int = -1) -> Array:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def _odd(rng: np.random.Generator) -> tuple[Array, ...]:
    """Ordinary numbers with infinities, NaNs and signed zeros among them."""
    x = rng.uniform(-3, 3, SHAPE).astype(np.float32)
    x.flat[::7], x.flat[1::11], x.flat[2::13], x.flat[3::17] = np.nan, np.inf, -np.inf, -0.0
    return (x,)


def unary() -> list[Operation]:
    anywhere, positive, inside = _floats(), _floats(0.01, 5), _floats(-0.95, 0.95)
    table: list[tuple[str, Any, Any, Any]] = [
        ("neg", lambda t: -t, np.negative, anywhere),
        ("abs", lambda t: t.abs(), np.abs, anywhere),
        ("sign", lambda t: t.sign(), np.sign, anywhere),
        ("square", lambda t: t.square(), np.square, anywhere),
        ("reciprocal", lambda t: t.reciprocal(), np.reciprocal, positive),
        ("sqrt", lambda t: t.sqrt(), np.sqrt, positive),
        ("rsqrt", lambda t: t.rsqrt(), lambda x: 1 / np.sqrt(x), positive),
        ("exp", lambda t: t.exp(), np.exp, anywhere),
        ("exp2", lambda t: t.exp2(), np.exp2, anywhere),
        ("log", lambda t: t.log(), np.log, positive),
        ("log2", lambda t: t.log2(), np.log2, positive),
        ("sin", lambda t: t.sin(), np.sin, _floats(-30, 30)),
        ("cos", lambda t: t.cos(), np.cos, _floats(-30, 30)),
        ("tan", lambda t: t.tan(), np.tan, _floats(-1.2, 1.2)),
        ("asin", lambda t: t.asin(), np.arcsin, inside),
        ("acos", lambda t: t.acos(), np.arccos, inside),
        ("atan", lambda t: t.atan(), np.arctan, anywhere),
        ("sinh", lambda t: t.sinh(), np.sinh, anywhere),
        ("cosh", lambda t: t.cosh(), np.cosh, anywhere),
        ("tanh", lambda t: t.tanh(), np.tanh, anywhere),
        ("asinh", lambda t: t.asinh(), np.arcsinh, positive),
        ("acosh", lambda t: t.acosh(), np.arccosh, _floats(1.1, 5)),
        ("atanh", lambda t: t.atanh(), np.arctanh, inside),
        ("erf", lambda t: t.erf(), _erf, anywhere),
        ("sigmoid", lambda t: t.sigmoid(), _sigmoid, anywhere),
        ("relu", lambda t: t.relu(), lambda x: np.maximum(x, 0), anywhere),
        ("relu6", lambda t: t.relu6(), lambda x: np.clip(x, 0, 6), _floats(-10, 10)),
        ("leaky_relu", lambda t: t.leaky_relu(0.1), lambda x: np.where(x < 0, 0.1 * x, x), anywhere),
        ("elu", lambda t: t.elu(), lambda x: np.where(x > 0, x, np.expm1(x)), anywhere),
        ("celu", lambda t: t.celu(2.0), lambda x: np.where(x > 0, x, 2 * np.expm1(x / 2)), anywhere),
        ("selu", lambda t: t.selu(), lambda x: 1.0507010 * np.where(x > 0, x, 1.6732632 * np.expm1(x)), anywhere),
        ("gelu", lambda t: t.gelu(), lambda x: 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))), anywhere),
        ("quick_gelu", lambda t: t.quick_gelu(), lambda x: x * _sigmoid(1.702 * x), anywhere),
        ("silu", lambda t: t.silu(), lambda x: x * _sigmoid(x), anywhere),
        ("mish", lambda t: t.mish(), lambda x: x * np.tanh(_softplus(x)), anywhere),
        ("softplus", lambda t: t.softplus(), _softplus, anywhere),
        ("softsign", lambda t: t.softsign(), lambda x: x / (1 + np.abs(x)), anywhere),
        ("logsigmoid", lambda t: t.logsigmoid(), lambda x: -_softplus(-x), anywhere),
        ("hardswish", lambda t: t.hardswish(), lambda x: x * np.clip(x + 3, 0, 6) / 6, _floats(-5, 5)),
        ("hardsigmoid", lambda t: t.hardsigmoid(), lambda x: np.clip(x + 3, 0, 6) / 6, _floats(-5, 5)),
        ("hardtanh", lambda t: t.hardtanh(), lambda x: np.clip(x, -1, 1), anywhere),
        ("floor", lambda t: t.floor(), np.floor, _floats(-9, 9)),
        ("ceil", lambda t: t.ceil(), np.ceil, _floats(-9, 9)),
        ("trunc", lambda t: t.trunc(), np.trunc, _floats(-9, 9)),
        ("round", lambda t: t.round(), np.round, lambda rng: ((rng.integers(-20, 20, SHAPE) / 2).astype(np.float32),)),
        ("isnan", lambda t: t.isnan(), np.isnan, _odd),
        ("isinf", lambda t: t.isinf(), np.isinf, _odd),
        ("isfinite", lambda t: t.isfinite(), np.isfinite, _odd),
        ("relu of odd numbers", lambda t: t.relu(), lambda x: np.where(x > 0, x, 0), _odd),
        ("logical_not", lambda t: t.logical_not(), lambda x: x == 0, _integers(np.int32, -1, 2, count=1)),
        ("bitwise_not", lambda t: ~t, np.invert, _integers(np.int32, -(2**31), 2**31, count=1)),
        ("bitwise_not of uchar", lambda t: ~t, np.invert, _integers(np.uint8, 0, 256, count=1)),
        ("neg of short", lambda t: -t, np.negative, _integers(np.int16, -(2**15), 2**15, count=1)),
        ("abs of long", lambda t: t.abs(), np.abs, _integers(np.int64, -(2**62), 2**62, count=1)),
    ]
    return [Operation("unary", *row) for row in table]


def binary() -> list[Operation]:
    two, positive = _floats(count=2), _floats(0.1, 4, count=2)
    table: list[tuple[str, Any, Any, Any]] = [
        ("add", lambda a, b: a + b, np.add, two),
        ("sub", lambda a, b: a - b, np.subtract, two),
        ("mul", lambda a, b: a * b, np.multiply, two),
        ("div", lambda a, b: a / b, np.divide, positive),
        ("pow", lambda a, b: a**b, np.power, positive),
        ("pow of a constant", lambda a: a**3, lambda a: a**3, _floats()),
        ("constant to the power", lambda a: 2.5**a, lambda a: np.float32(2.5) ** a, _floats()),
        ("floor division", lambda a, b: a // b, lambda a, b: np.floor(a / b), _floats(1, 9, count=2)),
        ("mod", lambda a, b: a % b, lambda a, b: a - np.floor(a / b) * b, _floats(1, 9, count=2)),
        ("maximum", lambda a, b: a.maximum(b), np.maximum, two),
        ("minimum", lambda a, b: a.minimum(b), np.minimum, two),
        ("less", lambda a, b: a < b, np.less, two),
        ("greater", lambda a, b: a > b, np.greater, two),
        ("less or equal", lambda a, b: a <= b, np.less_equal, two),
        ("equal", lambda a, b: a == b, np.equal, _integers(np.int32, 0, 4)),
        ("not equal", lambda a, b: a != b, np.not_equal, _integers(np.float32, 0, 4)),
        ("copysign", lambda a, b: a.copysign(b), np.copysign, two),
        ("rows with a column", lambda a, b: a + b, np.add, _normal((13, 37), (13, 1))),
        ("and with bool", lambda a, b: (a > 0) & (b > 0), lambda a, b: (a > 0) & (b > 0), two),
    ]
    for dtype, low, high in [
        (np.int8, -128, 128),
        (np.uint8, 0, 256),
        (np.int16, -(2**15), 2**15),
        (np.uint16, 0, 2**16),
        (np.int32, -(2**31), 2**31),
        (np.uint32, 0, 2**32),
        (np.int64, -(2**62), 2**62),
        (np.uint64, 0, 2**63),
    ]:
        name = np.dtype(dtype).name
        both = _integers(dtype, low, high)
        table += [
            (f"add {name}", lambda a, b: a + b, np.add, both),
            (f"mul {name}", lambda a, b: a * b, np.multiply, both),
            (f"xor {name}", lambda a, b: a ^ b, np.bitwise_xor, both),
            (f"and {name}", lambda a, b: a & b, np.bitwise_and, both),
            (f"or {name}", lambda a, b: a | b, np.bitwise_or, both),
            (f"maximum {name}", lambda a, b: a.maximum(b), np.maximum, both),
            (f"less {name}", lambda a, b: a < b, np.less, both),
        ]
    for dtype, low in [(np.int32, -1000), (np.uint32, 0), (np.int64, -1000), (np.int8, -100), (np.uint16, 0)]:
        name = np.dtype(dtype).name
        pair = _divisible(dtype, low)
        table += [
            (f"floor division {name}", lambda a, b: a // b, np.floor_divide, pair),
            (f"mod {name}", lambda a, b: a % b, np.mod, pair),
        ]
    for dtype in (np.int32, np.uint32, np.uint8):
        name = np.dtype(dtype).name
        pair = _integers(dtype, 0, 7)
        table += [
            (f"shift left {name}", lambda a, b: a << b, np.left_shift, pair),
            (f"shift right {name}", lambda a, b: a >> b, np.right_shift, pair),
        ]
    return [Operation("binary", *row) for row in table]


def _divisible(dtype: Any, low: int) -> Any:
    return lambda rng: (rng.integers(low, 100, SHAPE).astype(dtype), rng.integers(1, 20, SHAPE).astype(dtype))


def ternary() -> list[Operation]:
    three = _floats(count=3)
    table: list[tuple[str, Any, Any, Any]] = [
        ("where", lambda a, b, c: (a > 0).where(b, c), lambda a, b, c: np.where(a > 0, b, c), three),
        (
            "where with a number",
            lambda a, b: (a > 0).where(b, 2.0),
            lambda a, b: np.where(a > 0, b, 2),
            _floats(count=2),
        ),
        ("lerp", lambda a, b, c: a.lerp(b, c), lambda a, b, c: a + (b - a) * c, three),
        ("clip", lambda a: a.clip(-1, 0.5), lambda a: np.clip(a, -1, 0.5), _floats()),
        ("multiply and add", lambda a, b, c: a * b + c, lambda a, b, c: a * b + c, three),
        ("masked_fill", lambda a, b: a.masked_fill(b > 1, 7), lambda a, b: np.where(b > 1, 7, a), _floats(count=2)),
    ]
    return [Operation("ternary", *row) for row in table]


def reductions() -> list[Operation]:
    one, small = _normal((13, 37)), _floats(0.8, 1.2, (5, 7, 9))
    table: list[tuple[str, Any, Any, Any]] = [
        ("sum", lambda t: t.sum(), np.sum, one),
        ("sum of rows", lambda t: t.sum(1), lambda x: x.sum(1), one),
        ("sum of columns", lambda t: t.sum(0), lambda x: x.sum(0), one),
        ("sum of many", lambda t: t.sum(), np.sum, _normal((300, 200))),
        ("sum of two axes", lambda t: t.sum((0, 2)), lambda x: x.sum((0, 2)), small),
        ("sum of int8", lambda t: t.sum(1), lambda x: x.sum(1, dtype=np.int32), _integers(np.int8, -9, 9, count=1)),
        ("mean", lambda t: t.mean(1), lambda x: x.mean(1), one),
        ("max", lambda t: t.max(1), lambda x: x.max(1), one),
        ("max of all", lambda t: t.max(), np.max, one),
        ("max of int64", lambda t: t.max(0), lambda x: x.max(0), _integers(np.int64, -(2**60), 2**60, count=1)),
        ("min", lambda t: t.min(0), lambda x: x.min(0), one),
        ("prod", lambda t: t.prod(1), lambda x: x.prod(1), small),
        ("any", lambda t: (t > 2.5).any(1), lambda x: (x > 2.5).any(1), one),
        ("all", lambda t: (t > -2).all(1), lambda x: (x > -2).all(1), one),
        ("var", lambda t: t.var(1), lambda x: x.var(1, ddof=1), one),
        ("std", lambda t: t.std(1), lambda x: x.std(1, ddof=1), one),
        ("logsumexp", lambda t: t.logsumexp(1), lambda x: np.log(np.exp(x).sum(1)), one),
        ("softmax", lambda t: t.softmax(1), _softmax, one),
        ("softmax over columns", lambda t: t.softmax(0), lambda x: _softmax(x, 0), one),
        ("log_softmax", lambda t: t.log_softmax(1), lambda x: np.log(_softmax(x)), one),
        ("argmax", lambda t: t.argmax(1), lambda x: x.argmax(1), one),
        ("argmax of all", lambda t: t.argmax(), np.argmax, one),
        ("argmin", lambda t: t.argmin(0), lambda x: x.argmin(0), one),
        ("cumsum", lambda t: t.cumsum(1), lambda x: x.cumsum(1), one),
        ("cumsum over columns", lambda t: t.cumsum(0), lambda x: x.cumsum(0), one),
        ("long cumsum", lambda t: t.cumsum(0), lambda x: x.cumsum(0), _integers(np.int32, -9, 9, (1500,), 1)),
        ("cumprod", lambda t: t.cumprod(1), lambda x: x.cumprod(1), small),
        ("cummax", lambda t: t.cummax(1)[0], lambda x: np.maximum.accumulate(x, 1), one),
        ("layernorm", lambda t: t.layernorm(), lambda x: _normalised(x, -1), one),
        ("dot product", lambda a, b: (a * b).sum(), np.vdot, _normal((4000,), (4000,))),
    ]
    return [Operation("reduction", *row, rtol=1e-4, atol=2e-5) for row in table]


def _normalised(x: Array, axis: Any, eps: float = 1e-5) -> Array:
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + eps)


def movement() -> list[Operation]:
    one, two, cube = _normal((13, 37)), _normal((13, 37), (13, 37)), _normal((4, 6, 8))
    table: list[tuple[str, Any, Any, Any]] = [
        ("transpose", lambda t: t.T + 0, lambda x: x.T, one),
        ("permute", lambda t: t.permute(2, 0, 1) + 0, lambda x: x.transpose(2, 0, 1), cube),
        ("reshape", lambda t: t.reshape(8, 24) + 0, lambda x: x.reshape(8, 24), cube),
        ("transpose, then reshape", lambda t: t.T.reshape(13, 37) + 0, lambda x: x.T.reshape(13, 37), one),
        ("expand", lambda t: t.reshape(1, 13, 37).expand(3, 13, 37) + 0, lambda x: np.stack([x] * 3), one),
        (
            "pad",
            lambda t: t.pad(((1, 2), (3, 0)), value=1.5),
            lambda x: np.pad(x, ((1, 2), (3, 0)), constant_values=1.5),
            one,
        ),
        (
            "pad by reflection",
            lambda t: t.pad((2, 3), mode="reflect"),
            lambda x: np.pad(x, ((0, 0), (2, 3)), "reflect"),
            one,
        ),
        (
            "pad by the edge",
            lambda t: t.pad((2, 3), mode="replicate"),
            lambda x: np.pad(x, ((0, 0), (2, 3)), "edge"),
            one,
        ),
        ("shrink", lambda t: t.shrink(((2, 9), (5, 30))) + 0, lambda x: x[2:9, 5:30], one),
        ("flip", lambda t: t.flip((0, 1)) + 0, lambda x: x[::-1, ::-1], one),
        ("slice with steps", lambda t: t[::2, 1::3] + 0, lambda x: x[::2, 1::3], one),
        ("slice backwards", lambda t: t[::-2, 5] + 0, lambda x: x[::-2, 5], one),
        ("cat", lambda a, b: a.cat(b, dim=1), lambda a, b: np.concatenate([a, b], 1), two),
        ("stack", lambda a, b: a.stack(b, dim=1), lambda a, b: np.stack([a, b], 1), two),
        ("repeat", lambda t: t.repeat((2, 3)) + 0, lambda x: np.tile(x, (2, 3)), one),
        ("repeat_interleave", lambda t: t.repeat_interleave(3, 0) + 0, lambda x: x.repeat(3, 0), one),
        ("roll", lambda t: t.roll(5, 1) + 0, lambda x: np.roll(x, 5, 1), one),
        ("tril", lambda t: t.tril(), np.tril, one),
        ("triu", lambda t: t.triu(2), lambda x: np.triu(x, 2), one),
        ("diagonal", lambda t: t.diagonal() + 0, np.diagonal, _normal((9, 9))),
        ("unfold", lambda t: t.unfold(1, 5, 2) + 0, lambda x: sliding_window_view(x, 5, 1)[:, ::2], one),
        (
            "meshgrid",
            lambda a, b: a.meshgrid(b)[0] * 2,
            lambda a, b: np.meshgrid(a, b, indexing="ij")[0] * 2,
            _normal((5,), (7,)),
        ),
        ("split and add", lambda t: sum(t.chunk(4, 0)), lambda x: x.sum(0, keepdims=True), cube),
    ]
    return [Operation("movement", *row) for row in table]


def indexing() -> list[Operation]:
    def picks(rng: np.random.Generator) -> tuple[Array, ...]:
        return rng.standard_normal((13, 37)).astype(np.float32), rng.integers(0, 13, (5, 37)).astype(np.int32)

    def rows(rng: np.random.Generator) -> tuple[Array, ...]:
        return rng.standard_normal((13, 37)).astype(np.float32), rng.integers(0, 13, 20).astype(np.int32)

    def scattered(x: Array, i: Array, reduce: Any) -> Array:
        result = np.zeros((13, 37), np.float32)
        reduce(result, (i, np.arange(37)), x[:5])
        return result

    table: list[tuple[str, Any, Any, Any]] = [
        ("gather", lambda t, i: t.gather(0, i), lambda x, i: np.take_along_axis(x, i, 0), picks),
        ("rows by number", lambda t, i: t[i], lambda x, i: x[i], rows),
        ("elements by numbers", lambda t, i: t[i, i], lambda x, i: x[i, i], rows),
        (
            "scatter with add",
            lambda t, i: t.zeros_like().contiguous().scatter_reduce(0, i, t[:5], "sum"),
            lambda x, i: scattered(x, i, np.add.at),
            picks,
        ),
        (
            "scatter with max",
            lambda t, i: t.zeros_like().contiguous().scatter_reduce(0, i, t[:5], "amax"),
            lambda x, i: scattered(x, i, np.maximum.at),
            picks,
        ),
        ("one_hot", lambda t, i: i.one_hot(13), lambda x, i: np.eye(13, dtype=np.int32)[i], rows),
        ("sort", lambda t: t.sort(1)[0], lambda x: np.sort(x, 1), _normal((5, 37))),
        (
            "sort of integers",
            lambda t: t.sort(0, descending=True)[0],
            lambda x: -np.sort(-x, 0),
            _integers(np.int32, -99, 99, (50, 3), 1),
        ),
        ("argsort", lambda t: t.argsort(1), lambda x: np.argsort(x, 1), _normal((5, 37))),
        ("topk", lambda t: t.topk(6)[0], lambda x: -np.sort(-x, 1)[:, :6], _normal((5, 37))),
        ("masked_select", lambda t: t.masked_select(t > 0.5), lambda x: x[x > 0.5], _normal((9, 17))),
        ("nonzero", lambda t: (t > 0.5).nonzero(), lambda x: np.argwhere(x > 0.5), _normal((9, 17))),
    ]
    return [Operation("indexing", *row) for row in table]


def products() -> list[Operation]:
    def halves(*shapes: tuple[int, ...]) -> Any:
        return lambda rng: tuple(rng.standard_normal(shape).astype(np.float16) for shape in shapes)

    def in_single(a: Array, b: Array) -> Array:
        return a.astype(np.float32) @ b.astype(np.float32)

    small = _integers(np.int32, -9, 9, (24, 24))
    table: list[tuple[str, Any, Any, Any]] = [
        ("matmul", lambda a, b: a @ b, np.matmul, _normal((13, 37), (37, 19))),
        ("matmul 64", lambda a, b: a @ b, np.matmul, _normal((64, 64), (64, 64))),
        ("matmul 128x96x160", lambda a, b: a @ b, np.matmul, _normal((128, 96), (96, 160))),
        ("matmul of transposed", lambda a, b: a.T @ b.T, lambda a, b: a.T @ b.T, _normal((64, 32), (48, 64))),
        ("matmul of batches", lambda a, b: a @ b, np.matmul, _normal((3, 16, 24), (3, 24, 40))),
        ("matrix by vector", lambda a, b: a @ b, np.matmul, _normal((64, 96), (96,))),
        ("vector by matrix", lambda a, b: a @ b, np.matmul, _normal((1, 256), (256, 64))),
        ("matmul of integers", lambda a, b: a @ b, np.matmul, small),
        (
            "einsum",
            lambda a, b: a.einsum("bij,bkj->bik", a, b),
            lambda a, b: np.einsum("bij,bkj->bik", a, b),
            _normal((2, 9, 7), (2, 11, 7)),
        ),
        ("linear", lambda a, b, c: a.linear(b, c), lambda a, b, c: a @ b + c, _normal((16, 32), (32, 24), (24,))),
        (
            "attention",
            lambda q, k, v: q.scaled_dot_product_attention(k, v),
            lambda q, k, v: _softmax(q @ k.transpose(0, 1, 3, 2) / math.sqrt(q.shape[-1])) @ v,
            _normal((2, 2, 10, 16), (2, 2, 12, 16), (2, 2, 12, 16)),
        ),
    ]
    found = [Operation("product", *row, rtol=2e-4, atol=1e-4) for row in table]
    half: list[tuple[str, Any, Any, Any]] = [
        ("matmul of halves", lambda a, b: a @ b, in_single, halves((13, 37), (37, 19))),
        ("matmul of halves 64", lambda a, b: a @ b, in_single, halves((64, 64), (64, 64))),
        (
            "matmul of halves to float",
            lambda a, b: a.matmul(b, dtype=a.float().dtype),
            in_single,
            halves((64, 64), (64, 64)),
        ),
    ]
    return found + [Operation("product", *row, rtol=5e-3, atol=5e-2) for row in half]


def convolutions() -> list[Operation]:
    image, kernel = _normal((2, 4, 11, 13), (6, 4, 3, 3)), _normal((2, 4, 9, 9), (4, 1, 3, 3))
    table: list[tuple[str, Any, Any, Any]] = [
        ("conv2d", lambda x, w: x.conv2d(w), convolve, image),
        ("conv2d padded", lambda x, w: x.conv2d(w, padding=1), lambda x, w: convolve(x, w, padding=1), image),
        ("conv2d with stride", lambda x, w: x.conv2d(w, stride=2), lambda x, w: convolve(x, w, stride=2), image),
        ("conv2d dilated", lambda x, w: x.conv2d(w, dilation=2), lambda x, w: convolve(x, w, dilation=2), image),
        ("conv2d in groups", lambda x, w: x.conv2d(w, groups=4), lambda x, w: convolve(x, w, groups=4), kernel),
        (
            "conv1d",
            lambda x, w: x.conv2d(w),
            lambda x, w: convolve(x[:, :, None], w[:, :, None])[:, :, 0],
            _normal((2, 4, 30), (6, 4, 5)),
        ),
        (
            "conv_transpose2d",
            lambda x, w: x.conv_transpose2d(w, stride=2),
            _transposed,
            _normal((2, 4, 5, 6), (4, 3, 3, 3)),
        ),
        ("max_pool2d", lambda x: x.max_pool2d((2, 2)), lambda x: pool(x, 2).max((-1, -2)), _normal((2, 3, 8, 10))),
        (
            "max_pool2d overlapping",
            lambda x: x.max_pool2d((3, 3), stride=2),
            lambda x: pool(x, 3, 2).max((-1, -2)),
            _normal((2, 3, 9, 11)),
        ),
        ("avg_pool2d", lambda x: x.avg_pool2d((2, 2)), lambda x: pool(x, 2).mean((-1, -2)), _normal((2, 3, 8, 10))),
        (
            "interpolate",
            lambda x: x.interpolate((16, 20), mode="nearest"),
            lambda x: x.repeat(2, 2).repeat(2, 3),
            _normal((2, 3, 8, 10)),
        ),
        ("batchnorm", lambda x, m: x.batchnorm(m, m, m, (m * m + 1)), _batchnorm, _normal((2, 5, 4, 4), (5,))),
    ]
    return [Operation("convolution", *row, rtol=1e-4, atol=5e-5) for row in table]


def pool(x: Array, size: int, stride: int | None = None) -> Array:
    """Windows of an image, on two more axes."""
    stride = stride or size
    return sliding_window_view(x, (size, size), (2, 3))[:, :, ::stride, ::stride]


def convolve(x: Array, w: Array, stride: int = 1, padding: int = 0, dilation: int = 1, groups: int = 1) -> Array:
    """Correlate images (N, C, H, W) with kernels (O, C / groups, h, w)."""
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    reach = [(n - 1) * dilation + 1 for n in w.shape[2:]]
    windows = sliding_window_view(x, reach, (2, 3))[:, :, ::stride, ::stride, ::dilation, ::dilation]
    windows = windows.reshape(x.shape[0], groups, -1, *windows.shape[2:])
    kernels = w.reshape(groups, -1, *w.shape[1:])
    result = np.einsum("ngchwij,gocij->ngohw", windows, kernels, optimize=True)
    return result.reshape(x.shape[0], -1, *result.shape[3:])


def _transposed(x: Array, w: Array) -> Array:
    result = np.zeros((x.shape[0], w.shape[1], x.shape[2] * 2 + 1, x.shape[3] * 2 + 1), np.float32)
    for i in range(x.shape[2]):
        for j in range(x.shape[3]):
            result[:, :, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3] += np.einsum("nc,cohw->nohw", x[:, :, i, j], w)
    return result


def _batchnorm(x: Array, m: Array) -> Array:
    m = m.reshape(-1, 1, 1)
    return (x - m) * (m * m + 1) * m + m


OPERATIONS = unary() + binary() + ternary() + reductions() + movement() + indexing() + products() + convolutions()
