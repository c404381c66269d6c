# SPDX-License-Identifier: MIT
"""The zip file that a capture is. Nothing is unpacked to disk, and nothing is read that is larger than it may be."""

from __future__ import annotations

import io
import json
import os
import struct
import threading
import weakref
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, Any

from ..errors import ArgumentError, MetalError
from ._checked import damaged

__all__ = ["Archive", "MissingFileError", "Source"]

Source = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]

_MOST_JSON = 1 << 30
_MOST_SOURCE = 1 << 28
_STORED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# All that zipfile raises of files that were damaged.
_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)


class MissingFileError(FileNotFoundError, MetalError):
    """A path with no file, which a notebook shows as it shows any wrong call."""


class Archive:
    """A capture's file, open for reading.

    Parameters
    ----------
    source : path, bytes or binary file object

    Attributes
    ----------
    name : str
        For messages.
    close : callable
        Closes the file, if it was opened here.

    Raises
    ------
    OSError
        If there is no such file.
    ValueError
        If it is no zip file, or damaged.
    """

    def __init__(self, source: Source) -> None:
        self.name, stream = _opened(source)
        self._lock = threading.Lock()  # a zip file counts what is open of it, without one of its own
        self.close: Callable[[], object] = lambda: None
        if not hasattr(source, "read"):
            # What was opened here is closed when nobody holds the capture any more, if not before.
            self.close = weakref.finalize(self, stream.close)
        try:
            self._zip = zipfile.ZipFile(stream)
        except _ERRORS as error:
            self.close()
            raise damaged(f"{self.name} is no zip file ({error})") from None
        except BaseException:
            self.close()
            raise

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    def read(self, name: str, most: int) -> bytes:
        """Read one entry of at most `most` bytes."""
        info = self._zip.NameToInfo.get(name)
        if info is None:
            raise damaged(f"{name!r} is missing")
        if info.file_size > most:
            raise damaged(f"{name!r} has {info.file_size} bytes, may have {most}")
        if info.compress_type not in _STORED or info.flag_bits & 1:
            raise damaged(f"{name!r} is packed in another way than captures are")
        try:
            with self._lock:
                entry = self._zip.open(info)
            try:
                # What is packed in it may be more than it says. Several threads may unpack at once.
                data = entry.read(most + 1)
            finally:
                with self._lock:
                    entry.close()
        except _ERRORS as error:
            raise damaged(f"{name!r} cannot be read ({error})") from None
        if len(data) != info.file_size:
            raise damaged(f"{name!r} has {len(data)} bytes, should have {info.file_size}")
        return data

    def json(self, name: str) -> Any:
        """Read one entry as JSON."""
        text = self.read(name, _MOST_JSON)
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise damaged(f"{name!r} is no JSON ({type(error).__name__}: {str(error)[:80]})") from None

    def text(self, name: str) -> str:
        """Read one entry as text."""
        return self.read(name, _MOST_SOURCE).decode("utf-8", "replace")


def _opened(source: Source) -> tuple[str, IO[bytes]]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "the data", io.BytesIO(source)
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        try:
            return repr(path), open(path, "rb")
        except FileNotFoundError as error:
            raise MissingFileError(error.errno, "capture.load: there is no such file", error.filename) from None
    if hasattr(source, "read") and hasattr(source, "seek"):
        return repr(getattr(source, "name", "the file")), source
    raise ArgumentError(f"capture.load: expected a path, bytes or a file opened with 'rb', got {type(source).__name__}")
