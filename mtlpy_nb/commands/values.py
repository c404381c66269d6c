# SPDX-License-Identifier: MIT
"""The words of a shell as the arguments of a kernel."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._advice import did_you_mean
from .._arrays import with_alpha
from .._elements import check_elements
from .._texture_kinds import KINDS, kind_of
from .._values import Mismatch
from ..arguments import Argument
from ..device import Device
from ..output import output
from ..sampler import Sampler
from .files import ARRAY_SUFFIXES, PICTURE_SUFFIXES, is_picture, read

__all__ = ["UsageError", "default_shape", "element_shape", "make_output", "parse_shape", "parse_value", "split_pair"]

Array = np.ndarray[Any, np.dtype[Any]]

_TRUTH = {"true": True, "false": False}
_FILTERS = {"linear": True, "nearest": False}
_ADDRESSES = ("clamp_to_edge", "mirror_clamp_to_edge", "repeat", "mirrored_repeat", "clamp_to_zero", "clamp_to_border")
_COORDINATES = {"normalized": True, "pixel": False}


class UsageError(Exception):
    """Words of the command that cannot be meant so."""


def split_pair(word: str, arguments: Mapping[str, Argument]) -> tuple[Argument, str]:
    """Take ``name=value`` apart.

    Raises
    ------
    UsageError
        If it is no such pair, or the kernel has no such argument.
    """
    name, equals, value = word.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"{word!r} is no argument of the kernel: write NAME=VALUE or NAME=FILE")
    return named(name, arguments), value


def named(name: str, arguments: Mapping[str, Argument]) -> Argument:
    """Find an argument by its name.

    Raises
    ------
    UsageError
        If the kernel has none of that name.
    """
    if name in arguments:
        return arguments[name]
    hint = did_you_mean(name, arguments) or f"; it has {', '.join(arguments) or 'none'}"
    raise UsageError(f"the kernel has no argument {name}{hint}")


def parse_value(argument: Argument, text: str, device: Device) -> Any:
    """Make what a kernel call takes for `argument` of what was written after its name.

    Raises
    ------
    UsageError
        If it is neither a file nor a value.
    FileError
        If the file cannot be read.
    """
    if argument.kind == "sampler":
        return _sampler(argument, text, device)
    if text.startswith("@") or Path(text).suffix.lower() in (*ARRAY_SUFFIXES, *PICTURE_SUFFIXES):
        path = Path(text.removeprefix("@")).expanduser()
        array = read(path)
        return _fitting_pixels(argument, array) if is_picture(path) else array
    value = _literal(argument, text)
    if argument.kind == "buffer" and not argument.takes_value and not isinstance(value, Mapping):
        return _array(argument, value, text)
    if argument.kind == "attribute" and isinstance(value, list):
        return _array(argument, value, text)
    return value


def _array(argument: Argument, value: object, text: str) -> Array:
    try:
        return np.atleast_1d(np.asarray(value, argument.element.scalar))
    except (ValueError, TypeError, OverflowError) as error:  # what NumPy raises of ragged lists, texts, large numbers
        raise UsageError(f"{argument.name}={text}: that makes no array of {argument.element.name}: {error}") from None


def _literal(argument: Argument, text: str) -> Any:
    if text.lower() in _TRUTH:
        return _TRUTH[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    try:
        numbers = [float(part) for part in text.split(",")]  # inf and nan are no literals of Python's
        return numbers if len(numbers) > 1 else numbers[0]
    except ValueError:
        raise UsageError(
            f"{argument.name}={text}: that is no number, no list of numbers such as 1,2,3, and no file "
            f"(.npy or a picture; @{text} reads a file of any name)"
        ) from None


def _fitting_pixels(argument: Argument, pixels: Array) -> Array:
    """Give a picture for a buffer the type and the channels that the kernel counts with."""
    element = argument.element
    if argument.kind != "buffer" or element.scalar is None:
        return pixels
    if element.shape and element.shape[-1] == 4:
        pixels = with_alpha(pixels)
    if element.scalar.kind == "f" and pixels.dtype.kind in "iub":
        top = 1 if pixels.dtype.kind == "b" else np.iinfo(pixels.dtype).max
        scaled: Array = (pixels / top).astype(element.scalar)
        return scaled
    return pixels


def _sampler(argument: Argument, text: str, device: Device) -> Sampler:
    linear, address, normalized = True, "clamp_to_edge", True
    for word in filter(None, text.split(",")):
        if word in _FILTERS:
            linear = _FILTERS[word]
        elif word in _ADDRESSES:
            address = word
        elif word in _COORDINATES:
            normalized = _COORDINATES[word]
        else:
            words = ", ".join([*_FILTERS, *_ADDRESSES, *_COORDINATES])
            raise UsageError(f"{argument.name} is a sampler: {word!r} must be one of {words}")
    return device.sampler(linear, address=address, normalized=normalized)


# ---- outputs ----


def parse_shape(text: str, what: str) -> tuple[int, ...]:
    """Read ``480,640``.

    Raises
    ------
    UsageError
        If it is no such list.
    """
    try:
        sizes = tuple(int(part) for part in text.split(","))
    except ValueError:
        sizes = ()
    if not sizes or min(sizes) < 1:
        raise UsageError(f"{what} is {text!r}, must be numbers with commas between them, such as 480,640")
    return sizes


def default_shape(values: Mapping[str, Any], arguments: Mapping[str, Argument]) -> tuple[tuple[int, ...], int] | None:
    """Find what an output looks like when nobody says it: like the first array or picture given.

    Returns
    -------
    tuple of int, int, or None
        What :func:`element_shape` gives of that.
    """
    for name, argument in arguments.items():
        value = values.get(name)
        if isinstance(value, np.ndarray) and value.ndim and value.size > 1:
            return element_shape(argument, value)
    return None


def element_shape(argument: Argument, array: Array) -> tuple[tuple[int, ...], int]:
    """Give an array's shape in elements as the kernel counts them, without channels; and the channels."""
    if argument.kind == "texture":
        kind = kind_of(argument.native.texture_type) or KINDS["2d"]
        return array.shape[: kind.axes], math.prod(array.shape[kind.axes :])
    try:
        shape = check_elements(argument.element, array.dtype, array.shape, argument.name)
    except Mismatch:  # the call will say it better
        return array.shape, 1
    channels = math.prod(argument.element.shape)
    if channels == 1 and len(shape) == 3 and shape[-1] <= 4:  # a picture of single numbers
        return shape[:-1], shape[-1]
    return shape, channels


def make_output(argument: Argument, shape: tuple[int, ...], channels: int, file: Path | None) -> output:
    """Stand for an output of `shape` elements.

    Parameters
    ----------
    channels : int
        Of a texture, if `shape` does not hold them.
    file : Path or None
        Where it will be written: a picture's file gets a texture of bytes where the kernel writes floats.
    """
    if argument.kind != "texture":
        return output(shape)
    kind = kind_of(argument.native.texture_type) or KINDS["2d"]
    if len(shape) == kind.axes and channels != 1:
        shape = (*shape, channels if channels == 2 else 4)
    is_float = "<float" in argument.type_text or "<half" in argument.type_text
    return output(shape, np.uint8 if is_float and file is not None and is_picture(file) else None)
