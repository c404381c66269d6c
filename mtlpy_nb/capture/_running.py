# SPDX-License-Identifier: MIT
"""Captures while they are under way, and the scopes of a program."""

from __future__ import annotations

import os
import warnings
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _native as mtl
from .._advice import counted
from .._checks import check_type, text
from ..errors import ArgumentError, MetalError, ResourceError, ValidationError
from ..sync import Queue

if TYPE_CHECKING:
    from ..device import Device
    from ._file import CaptureFile

__all__ = ["SUFFIX", "Capture", "CaptureScope"]

SUFFIX = ".metalcapture"


class Capture:
    """A capture that is under way; made by :meth:`Device.start_capture`. Leaving the ``with`` block stops it.

    Attributes
    ----------
    path : str or None
        Of the file, which is there when the capture has ended; None where it goes to Xcode.
    """

    __slots__ = ("__weakref__", "_device", "path")

    def __init__(self, device: Device, path: str | None = None) -> None:
        self._device = device
        self.path = path

    def stop(self) -> None:
        """Stop it; the same as :meth:`Device.stop_capture`."""
        self._device.stop_capture()

    def load(self) -> CaptureFile:
        """Read what was captured; after the end.

        Raises
        ------
        RuntimeError
            If it goes on still, or is Apple's, which Xcode reads.
        """
        from ._file import load

        if self._device.is_capturing:
            raise MetalError("Capture.load: the capture goes on; stop it first")
        if self.path is None or not self._device.is_software:
            raise MetalError("Capture.load: Apple's captures are read by Xcode")
        return load(self.path)

    def __enter__(self) -> Capture:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"Capture({self.path!r})"


class CaptureScope:
    """A named part of a program; made by :meth:`Device.capture_scope`.

    A capture shows which command buffers were made in it and committed before its end. Without a capture it does
    nothing.

    Attributes
    ----------
    label : str or None
    """

    __slots__ = ("__weakref__", "_device", "_scope", "label")

    def __init__(self, _scope: mtl.CaptureScope, device: Device, label: str | None = None) -> None:
        self._scope = _scope
        self._device = device
        self.label = label
        if label is not None:
            _scope.label = text(label, "capture_scope: label")

    def begin(self) -> None:
        """Command buffers made from now on belong to the scope."""
        self._scope.begin_scope()

    def end(self) -> None:
        """Command buffers committed from now on do not."""
        self._scope.end_scope()

    def __enter__(self) -> CaptureScope:
        self.begin()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.end()

    def __repr__(self) -> str:
        return f"CaptureScope({self.label!r})"


def start_capture(
    device: Device, path: str | os.PathLike[str] | None, queue: Queue | None, scope: CaptureScope | None
) -> Capture:
    """Do what :meth:`Device.start_capture` says."""
    if queue is not None and scope is not None:
        raise ValidationError("start_capture: give a queue or a scope, not both")
    for name, kind, part in (("queue", Queue, queue), ("scope", CaptureScope, scope)):
        if part is None:
            continue
        check_type(part, kind, f"start_capture: {name}")
        if part._device is not device:
            raise ValidationError(f"start_capture: the {name} belongs to a different Device")
    manager = mtl.shared_capture_manager()
    target = _target(device, path)
    destination = mtl.CaptureDestination.DeveloperTools if target is None else mtl.CaptureDestination.GPUTraceDocument
    if not manager.supports_destination(destination):
        raise ResourceError(
            "Metal capture is not available: set the environment variable MTL_CAPTURE_ENABLED=1 before Python starts"
            + ("" if target is not None else ", and attach Xcode or give a path")
        )
    descriptor = mtl.CaptureDescriptor()
    descriptor.destination = destination
    descriptor.output_url = target
    descriptor.capture_object = (
        scope._scope if scope is not None else queue._queue if queue is not None else device._native
    )
    manager.start_capture(descriptor)
    return Capture(device, target)


def stop_capture() -> None:
    """Do what :meth:`Device.stop_capture` says."""
    end: dict[str, Any] = mtl.shared_capture_manager().stop_capture()
    unfinished = end["unfinished"]
    if unfinished:
        buffers = counted(unfinished, "command buffer")
        warnings.warn(
            f"stop_capture: {buffers} had not ended, so {end['path']} is incomplete", RuntimeWarning, stacklevel=3
        )


def _target(device: Device, path: str | os.PathLike[str] | None) -> str | None:
    if path is None:
        return _fresh_path() if device.is_software else None
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError(f"start_capture: path must be a str or a path, got {type(path).__name__}")
    name = os.fspath(path)
    if not isinstance(name, str) or not name:
        raise ValidationError(f"start_capture: path is {name!r}, expected the name of a file")
    target = Path(name).absolute()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise ResourceError(f"start_capture: cannot make the folder of {name!r}: {error}") from None
    return str(target)


def _fresh_path() -> str:
    """Name a file in the current folder that is not there yet."""
    stem = f"capture-{datetime.now():%Y%m%d-%H%M%S}"
    candidates = [Path.cwd() / f"{stem}{SUFFIX}", *(Path.cwd() / f"{stem}-{i}{SUFFIX}" for i in range(2, 1000))]
    return str(next((path for path in candidates if not path.exists()), candidates[0]))
