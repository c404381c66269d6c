# SPDX-License-Identifier: MIT
"""The pipelines of a device: kept while it lives, and in a file for the next run."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy.typing as npt
import platformdirs

from . import _native as mtl
from . import _recording
from .binary_archive import BinaryArchive, pipeline_archive
from .errors import PipelineError, interrupted
from .stage_input import StageBuffer, as_buffers, descriptor_of, key_of

if TYPE_CHECKING:
    from .device import Device

__all__ = ["Pipelines", "default_cache_path"]


class Pipelines:
    """What a device has compiled.

    Parameters
    ----------
    device : _native.Device
    path : str
        File that pipelines are read from, and written to when this goes or Python ends; empty for none.
    """

    def __init__(self, device: mtl.Device, path: str) -> None:
        self.path = path
        self._archive = pipeline_archive(device, path) if path else None
        if self._archive is not None:
            weakref.finalize(self, self._archive.flush)  # also when the interpreter ends
        # Metal's own objects: a Pipeline holds its Device, so keeping those here would make a cycle.
        self._compiled: dict[tuple[Any, ...], mtl.ComputePipelineState] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._compiled)

    def flush(self, path: str | None = None) -> None:
        """Write the file; never raises."""
        if self._archive is not None:
            self._archive.flush(path)

    def compile(
        self,
        device: Device,
        source: str,
        function_name: str,
        archive: BinaryArchive | None,
        stage_input: Mapping[int, StageBuffer | npt.DTypeLike] | None,
        stage_indices: tuple[int, npt.DTypeLike] | None,
    ) -> mtl.ComputePipelineState:
        """Compile one function of a source, unless it is here already; an `archive` gets it in any case."""
        buffers = as_buffers(stage_input or {})
        key = (source, function_name, *(key_of(buffers, stage_indices) if buffers else ()))
        with self._lock:
            found = self._compiled.get(key)
        if found is None or archive is not None:
            made = self._compile(device, source, function_name, archive, buffers, stage_indices)
            with self._lock:
                found = self._compiled.setdefault(key, made)
        return found

    def _compile(
        self,
        device: Device,
        source: str,
        function_name: str,
        archive: BinaryArchive | None,
        stage_buffers: Mapping[int, StageBuffer],
        stage_indices: tuple[int, npt.DTypeLike] | None,
    ) -> mtl.ComputePipelineState:
        from .library import compile_native

        library = compile_native(device, source)
        function = library.new_function(function_name)
        if function is None:
            raise PipelineError(f"Function not found in shader: {function_name}")
        try:
            stage_input = descriptor_of(function, stage_buffers, stage_indices) if stage_buffers else None
            return self.make(device._native, function, archive, whole_simdgroups=True, stage_input=stage_input)
        except PipelineError as error:
            renamed = PipelineError(f"Failed to create pipeline state: {error.log or error}")
            renamed.log = error.log
            raise renamed from None

    def make(
        self,
        device: mtl.Device,
        function: mtl.Function,
        archive: BinaryArchive | None = None,
        *,
        whole_simdgroups: bool = False,
        stage_input: mtl.StageInputOutputDescriptor | None = None,
    ) -> mtl.ComputePipelineState:
        """Make a function ready to run: from an archive if one has it; it is then in all of them."""
        descriptor = mtl.ComputePipelineDescriptor()
        descriptor.compute_function = function
        descriptor.label = function.name
        descriptor.thread_group_size_is_multiple_of_thread_execution_width = whole_simdgroups
        descriptor.stage_input_descriptor = stage_input
        if self._archive is not None:
            self._archive.attach(descriptor)
        if archive is not None:
            descriptor.binary_archives = [*descriptor.binary_archives, archive._archive]
        try:
            with _recording.compiling():
                pipeline = device.new_compute_pipeline_state(descriptor)
        except KeyboardInterrupt:
            raise interrupted(f"compiling {function.name} was stopped") from None
        if self._archive is not None:
            self._archive.add(descriptor)
        if archive is not None:
            archive._archive.add_compute_pipeline_functions(descriptor)
        return pipeline


def default_cache_path() -> str:
    """Name the file of pipelines that is used when none is named."""
    if sys.platform == "darwin":  # where mtlpy keeps it
        home = os.environ.get("HOME")
        base = Path(home) / "Library" / "Caches" if home else Path(tempfile.gettempdir())
        return str(base / "mtlpy" / "pipelines.metallib")
    folder = os.environ.get("MTLPY_CACHE_DIR") or platformdirs.user_cache_dir("mtlpy_nb")
    return str(Path(folder) / "pipelines.metallib")
