# SPDX-License-Identifier: MIT
"""What to write instead: the sentences that end the messages of wrong calls."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._types import metal_name

if TYPE_CHECKING:
    from .arguments import Argument

__all__ = [
    "KERNEL",
    "counted",
    "did_you_mean",
    "how_to_give",
    "read_the_file",
    "struct_example",
    "value_example",
    "wide_enough",
]

# Stands for the kernel's name, which the places that find the mistake do not know.
KERNEL = "\N{BULLET}kernel\N{BULLET}"

_INTEGERS = ("int", "uint", "long", "ulong")
_DTYPES: dict[str, Any] = {"int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64}


def counted(n: int, noun: str) -> str:
    """Write ``"1 argument"``, ``"2 arguments"``."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Give ``"; did you mean 'blur'?"``, or nothing where no name is near."""
    names = list(known)
    text = str(name)
    lower = {n.lower(): n for n in reversed(names)}
    close = difflib.get_close_matches(text, names, n=1) or [
        lower[n] for n in difflib.get_close_matches(text.lower(), lower, n=1)
    ]
    longer = [n for n in names if len(text) > 2 and n.startswith(text)]
    return f"; did you mean {(longer or close)[0]!r}?" if longer or close else ""


def how_to_give(argument: Argument) -> str:
    """Say what a call that left `argument` out, or gave None for it, shall give."""
    name = argument.name
    if argument.kind == "texture":
        made = ", or output.like(...)" if argument.is_writable else ""
        return f"add {name}=..., a picture: an array or a Texture{made}"
    if argument.kind == "sampler":
        return f"add {name}={KERNEL}.device.sampler()"
    if argument.kind == "threadgroup":
        return f"add {name}=..., its size in bytes"
    if argument.kind == "function_table":
        return "dispatch it with mtlpy_nb.metal: set_visible_function_table(table, index)"
    element = argument.element
    if argument.native.is_reference and element.is_struct:
        return f"add {name}=..., a dict: {struct_example(element.dtype)}"
    if argument.native.is_reference:
        plain = element.dtype if element.scalar is None else np.dtype((element.scalar, element.components))
        return f"add {name}={value_example(plain)}, or another {element.name}"
    if argument.is_writable:
        return f"add {name}=..., an array to write to, or output.like(...)"
    return f"add {name}=..., an array of {element.scalar.name if element.scalar is not None else element.name}"


def read_the_file(value: object, *, is_picture: bool) -> str:
    """Say how to read a file whose name was given where its contents are wanted; empty for other values."""
    if not isinstance(value, (str, os.PathLike)):
        return ""
    name = os.fspath(value)
    if len(name) > 60:
        return ""
    reading = f"np.asarray(PIL.Image.open({name!r}))" if is_picture else f"np.load({name!r})"
    return f"read the file first: {reading}"


def struct_example(dtype: np.dtype[Any] | None) -> str:
    """Write a dict with all fields of a struct."""
    if dtype is None or dtype.names is None:
        return "{...}"
    return "{" + ", ".join(f"{name!r}: {value_example(dtype[name])}" for name in dtype.names) + "}"


def value_example(dtype: np.dtype[Any] | None) -> str:
    """Write a value of a type: ``0``, ``(0, 0, 0)``, ``True``."""
    if dtype is None:
        return "..."
    if dtype.names is not None:
        return struct_example(dtype)
    if len(dtype.shape) > 1:
        return "..."
    one = "True" if dtype.base.kind == "b" else "0"
    return f"({', '.join([one] * dtype.shape[0])})" if dtype.shape and dtype.shape[0] <= 16 else one


def wide_enough(value: int, dtype: np.dtype[Any]) -> str:
    """Say which type would hold `value`, which `dtype` does not."""
    if value < 0 and dtype.kind == "u":
        signed = metal_name(np.dtype(f"i{dtype.itemsize}"))
        return f"pass a number that is not negative, or declare it as {signed}"
    fits = [n for n in _INTEGERS if np.iinfo(_DTYPES[n]).min <= value <= np.iinfo(_DTYPES[n]).max]
    return f"pass a smaller number, or declare it as {fits[0]}" if fits else "pass a smaller number"
