# SPDX-License-Identifier: MIT
"""Arrays and pictures from files, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

__all__ = ["ARRAY_SUFFIXES", "PICTURE_SUFFIXES", "FileError", "is_picture", "read", "write"]

Array = np.ndarray[Any, np.dtype[Any]]

ARRAY_SUFFIXES = (".npy",)
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp", ".ppm", ".pgm")
_NO_ALPHA = (".jpg", ".jpeg", ".bmp", ".ppm", ".pgm")
_MODES = {"1": "L", "P": "RGBA", "PA": "RGBA", "CMYK": "RGB", "YCbCr": "RGB", "LAB": "RGB", "HSV": "RGB", "La": "LA"}


class FileError(Exception):
    """A file that cannot be read or written as asked."""


def is_picture(path: Path) -> bool:
    """Whether the name is one of a picture's file."""
    return path.suffix.lower() in PICTURE_SUFFIXES


def read(path: Path) -> Array:
    """Read an array (.npy), or a picture as (height, width) or (height, width, channels).

    Raises
    ------
    FileError
        If there is none, or it is neither.
    """
    if path.is_dir():
        raise FileError(f"{path} is a folder")
    if not path.exists():
        raise FileError(f"there is no file {path}")
    try:
        if path.suffix.lower() in ARRAY_SUFFIXES:
            array = np.load(path, allow_pickle=False)
            if not isinstance(array, np.ndarray):
                raise FileError(f"{path} holds several arrays; a .npy file holds one")
            return array
        return _picture(path)
    except UnidentifiedImageError:
        raise FileError(f"{path} is no picture that Pillow can read, and no .npy file") from None
    except (
        OSError,
        ValueError,
        EOFError,
        SyntaxError,
        Image.DecompressionBombError,
    ) as error:  # what NumPy and Pillow raise of damaged files
        raise FileError(f"{path} cannot be read: {error}") from None


def _picture(path: Path) -> Array:
    with Image.open(path) as picture:
        upright = ImageOps.exif_transpose(picture)
        if upright.mode == "LA":
            upright = upright.convert("RGBA")
        if upright.mode == "P" and "transparency" not in upright.info:
            upright = upright.convert("RGB")
        return np.array(upright.convert(_MODES[upright.mode]) if upright.mode in _MODES else upright)


def write(path: Path, array: Array) -> str:
    """Write an array, or a picture of it.

    Returns
    -------
    str
        What a person should know of values that a picture cannot hold; empty when there are none.

    Raises
    ------
    FileError
        If it is not the array of a picture, or the file cannot be written.
    """
    try:
        if path.suffix.lower() in ARRAY_SUFFIXES:
            np.save(path, array)
            return ""
        pixels, note = _pixels(array, path)
        Image.fromarray(pixels).save(path)
        return note
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror or error}") from None


def _pixels(array: Array, path: Path) -> tuple[Array, str]:
    shape = array.shape[:2] if array.ndim == 3 and array.shape[2] == 1 else array.shape
    array = array.reshape(shape)
    if array.size == 0 or not (array.ndim == 2 or (array.ndim == 3 and array.shape[2] in (3, 4))):
        raise FileError(
            f"an array of shape {array.shape} is no picture, which has (height, width), or 3 or 4 channels after them; "
            "write it to a .npy file"
        )
    pixels, note = _as_bytes(array)
    if array.ndim == 3 and array.shape[2] == 4 and (path.suffix.lower() in _NO_ALPHA or (pixels[..., 3] == 255).all()):
        pixels = pixels[..., :3]
    return np.ascontiguousarray(pixels), note


def _as_bytes(array: Array) -> tuple[Array, str]:
    """Turn values into bytes: 0 to 1 of floats, 0 to 255 of integers; 16 bits stay for a gray picture."""
    if array.dtype == np.uint8 or (array.dtype == np.uint16 and array.ndim == 2):
        return array, ""
    if array.dtype.kind == "b":
        return array.astype(np.uint8) * 255, ""
    if array.dtype.kind == "f":
        values, top, what = array.astype(np.float64), 1.0, "0 to 1"
    elif array.dtype.kind in "iu":
        values, top, what = array.astype(np.float64), 255.0, "0 to 255"
    else:
        raise FileError(f"elements of dtype {array.dtype} are no pixels; write them to a .npy file")
    outside = int(np.count_nonzero(~((values >= 0) & (values <= top))))
    clipped = np.nan_to_num(values, nan=0.0, posinf=top, neginf=0.0).clip(0, top)
    note = (
        f"{outside} of {array.size} values are not within {what} and were clipped; a .npy file keeps them"
        if outside
        else ""
    )
    return np.rint(clipped * (255 / top)).astype(np.uint8), note
