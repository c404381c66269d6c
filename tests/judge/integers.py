# SPDX-License-Identifier: MIT
"""What Metal's integer operations compute, on Python integers that are always within their type's range."""

from __future__ import annotations

import math
from collections.abc import Callable

from .syntax import Scalar

# Real numbers are integers up to this, or quarters of them, so that products and sums of a few are exact in half, too,
# in whatever order they are added.
REAL_LIMIT = 32


class UndefinedError(ArithmeticError):
    """The kernel did what Metal leaves undefined; a generated kernel must not."""


def wrap(value: int, type_: Scalar) -> int:
    if type_.real:
        return value
    if type_.bits == 1:
        return int(value != 0)
    value &= (1 << type_.bits) - 1
    return value - (1 << type_.bits) if type_.signed and value >> (type_.bits - 1) else value


def limits(type_: Scalar) -> tuple[int, int]:
    if type_.real:
        return -REAL_LIMIT, REAL_LIMIT
    if type_.signed:
        return -(1 << (type_.bits - 1)), (1 << (type_.bits - 1)) - 1
    return 0, (1 << type_.bits) - 1


def saturate(value: int, type_: Scalar) -> int:
    low, high = limits(type_)
    return min(max(value, low), high)


def quotient(left: int, right: int, type_: Scalar) -> int:
    """Division that rounds towards zero."""
    if right == 0 or (type_.signed and right == -1 and left == limits(type_)[0]):
        raise UndefinedError(f"{left} / {right}")
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) == (right < 0) else -magnitude


def shift_count(count: int, type_: Scalar) -> int:
    # Narrow types shift as int in C++, so a count that is out of their range would mean something else there.
    if type_.bits < 32 and not 0 <= count < type_.bits:
        raise UndefinedError(f"{type_} shifted by {count}")
    return count & (type_.bits - 1)


def binary(operator: str, left: int, right: int, type_: Scalar) -> int:
    """`left operator right`, both of `type_`; comparisons and logical operators give 0 or 1."""
    match operator:
        case "+":
            return wrap(left + right, type_)
        case "-":
            return wrap(left - right, type_)
        case "*":
            return wrap(left * right, type_)
        case "/" if type_.real:
            return left / right
        case "/":
            return quotient(left, right, type_)
        case "%":
            return left - right * quotient(left, right, type_)
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<":
            return wrap(left << shift_count(right, type_), type_)
        case ">>":
            return left >> shift_count(right, type_)
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)
        case "&&":
            return left & right
        case "||":
            return left | right
    raise ValueError(f"unknown operator {operator}")


def bits_of(value: int, type_: Scalar) -> int:
    return value & ((1 << type_.bits) - 1)


def leading_zeros(value: int, type_: Scalar) -> int:
    return type_.bits - bits_of(value, type_).bit_length()


def trailing_zeros(value: int, type_: Scalar) -> int:
    bits = bits_of(value, type_)
    return (bits & -bits).bit_length() - 1 if bits else type_.bits


def reverse_bits(value: int, type_: Scalar) -> int:
    return wrap(int(format(bits_of(value, type_), f"0{type_.bits}b")[::-1], 2), type_)


def rotate(value: int, count: int, type_: Scalar) -> int:
    count &= type_.bits - 1
    bits = bits_of(value, type_)
    return wrap((bits << count) | (bits >> (type_.bits - count)), type_)


def extract_bits(value: int, offset: int, count: int, type_: Scalar) -> int:
    if offset + count > type_.bits:
        raise UndefinedError(f"extract_bits of {count} bits at {offset} from {type_}")
    if count == 0:
        return 0
    bits = (bits_of(value, type_) >> offset) & ((1 << count) - 1)
    return bits - (1 << count) if type_.signed and bits >> (count - 1) else bits


def insert_bits(base: int, insert: int, offset: int, count: int, type_: Scalar) -> int:
    if offset + count > type_.bits:
        raise UndefinedError(f"insert_bits of {count} bits at {offset} into {type_}")
    mask = ((1 << count) - 1) << offset
    return wrap((bits_of(base, type_) & ~mask) | ((bits_of(insert, type_) << offset) & mask), type_)


# name -> function of (operands ..., element type); vectors go element by element.
BUILTINS: dict[str, Callable[..., int]] = {
    "min": lambda a, b, t: min(a, b),
    "max": lambda a, b, t: max(a, b),
    "clamp": lambda x, low, high, t: min(max(x, low), high),
    "abs": lambda x, t: wrap(abs(x), t),
    "absdiff": lambda a, b, t: wrap(abs(a - b), t),
    "addsat": lambda a, b, t: saturate(a + b, t),
    "subsat": lambda a, b, t: saturate(a - b, t),
    "hadd": lambda a, b, t: (a + b) >> 1,
    "rhadd": lambda a, b, t: (a + b + 1) >> 1,
    "mulhi": lambda a, b, t: (a * b) >> t.bits,
    "madhi": lambda a, b, c, t: wrap(((a * b) >> t.bits) + c, t),
    "madsat": lambda a, b, c, t: saturate(a * b + c, t),
    "popcount": lambda x, t: bits_of(x, t).bit_count(),
    "clz": leading_zeros,
    "ctz": trailing_zeros,
    "reverse_bits": reverse_bits,
    "rotate": rotate,
    "extract_bits": extract_bits,
    "insert_bits": insert_bits,
    "min3": lambda a, b, c, t: min(a, b, c),
    "max3": lambda a, b, c, t: max(a, b, c),
    "median3": lambda a, b, c, t: sorted((a, b, c))[1],
    "select": lambda a, b, c, t: b if c else a,
    "floor": lambda x, t: float(math.floor(x)),
    "ceil": lambda x, t: float(math.ceil(x)),
    "trunc": lambda x, t: float(math.trunc(x)),
    "rint": lambda x, t: float(round(x)),
    "round": lambda x, t: math.copysign(math.floor(abs(x) + 0.5), x),
    "sign": lambda x, t: float((x > 0) - (x < 0)),
    "step": lambda edge, x, t: 0.0 if x < edge else 1.0,
}

ATOMICS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "min": min,
    "max": max,
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
    "xor": lambda a, b: a ^ b,
}
