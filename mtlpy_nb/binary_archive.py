# SPDX-License-Identifier: MIT
"""Files that keep the machine code of pipelines, so that another run of a program need not make it again.

What an archive saves is the second half of the work: from the parsed function to the processor's instructions. The
source is still parsed in every process, since that tells which function is meant. What is in a file and does not fit
(another processor, another version of the compiler, changed source) is not used, and does no harm.
"""

from __future__ import annotations

import os
import threading
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

from . import _native as mtl
from ._checks import path_text
from ._labels import Labelled
from .errors import ResourceError

if TYPE_CHECKING:
    from .device import Device

__all__ = ["BinaryArchive"]


class BinaryArchive(Labelled):
    """Machine code of pipelines in a file of one's own; made by :meth:`Device.binary_archive`.

    Pipelines are added with ``device.compile(source, name, archive=archive)``.
    """

    _labelled = "_archive"
    __slots__ = ("__weakref__", "_archive", "_device", "_path")

    def __init__(self, _archive: mtl.BinaryArchive, device: Device, path: str | None = None) -> None:
        self._archive = _archive
        self._device = device
        self._path = path

    def save(self, path: str | os.PathLike[str] | None = None) -> None:
        """Write the archive to a file.

        Parameters
        ----------
        path : str, optional
            Default: the path given to :meth:`Device.binary_archive`.

        Raises
        ------
        RuntimeError
            If there is no path, or it cannot be written.
        """
        target = self._path if path is None else path_text(path, "BinaryArchive.save: path")
        if target is None:
            raise ResourceError(
                "BinaryArchive has no path to save to -- give one to save(), or to Device.binary_archive()"
            )
        self._archive.serialize_to_url(target)


def open_archive(device: mtl.Device, path: str | None) -> mtl.BinaryArchive:
    """Make an archive with what the file at `path` holds; an empty one when there is none."""
    descriptor = mtl.BinaryArchiveDescriptor()
    if path is not None and os.path.exists(path):
        descriptor.set_url(path)
    return device.new_binary_archive(descriptor)


def _is_trusted(path: str) -> bool:
    """Whether a file that nobody named for this run may be used: code that another user may have put there may not."""
    try:
        owner = os.stat(path).st_uid
    except OSError:
        return False
    return owner in (os.geteuid(), 0)


class PipelineArchive:
    """The archive at one path that devices keep their pipelines in.

    Read when the first pipeline is made, written only by :meth:`flush`. Nothing here raises: without the file
    everything works, only slower.
    """

    def __init__(self, device: mtl.Device, path: str) -> None:
        self.path = path
        self._device = device
        self._process = os.getpid()
        self._archive: mtl.BinaryArchive | None = None
        self._is_used = False
        self._lock = threading.Lock()

    def _opened(self) -> mtl.BinaryArchive | None:
        with self._lock:
            if self._archive is None:
                self._archive = self._read()
            return self._archive

    def _read(self) -> mtl.BinaryArchive | None:
        for path in (self.path if _is_trusted(self.path) else None, None):
            try:
                return open_archive(self._device, path)
            except Exception:
                continue
        return None

    def attach(self, descriptor: mtl.ComputePipelineDescriptor) -> None:
        """Have the pipeline's code looked for here before it is compiled."""
        archive = self._opened()
        if archive is not None:
            descriptor.binary_archives = [archive]

    def add(self, descriptor: mtl.ComputePipelineDescriptor) -> None:
        """Add a pipeline that was made from `descriptor`."""
        archive = self._opened()
        if archive is None:
            return
        try:
            archive.add_compute_pipeline_functions(descriptor)
        except ResourceError:
            return
        self._is_used = True

    def flush(self, path: str | None = None) -> None:
        """Write the file, unless there is nothing to write. In a forked child nothing is written.

        What another process has written meanwhile stays in it.
        """
        if self._process != os.getpid() or (path is None and not self._is_used):
            return
        archive = self._opened()
        target = Path(self.path if path is None else path)
        if archive is None:
            return
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if not mtl.serialize_together(archive, str(target)):
                archive.serialize_to_url(str(target))
        except Exception:
            return


_shared: weakref.WeakValueDictionary[str, PipelineArchive] = weakref.WeakValueDictionary()
_shared_lock = threading.Lock()


def pipeline_archive(device: mtl.Device, path: str) -> PipelineArchive:
    """Find the archive of `path`: one for all devices of the process, or the last to write would win."""
    key = f"{device.registry_id}:{os.path.abspath(path)}"
    with _shared_lock:
        found = _shared.get(key)
        if found is None or found._process != os.getpid():
            found = _shared[key] = PipelineArchive(device, path)
        return found
