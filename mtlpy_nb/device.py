# SPDX-License-Identifier: MIT
"""The device: where everything else is made."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _copies, _sharing
from . import _native as mtl
from ._allocation import buffer_of, layout
from ._arrays import Array, bytes_of
from ._checks import check_same_device, check_type, path_text, text
from ._device_textures import TextureMaker
from ._mtlpy_names import MtlpyNames
from ._pending import Pending
from ._pipelines import Pipelines, default_cache_path
from .binary_archive import BinaryArchive, open_archive
from .buffer import Buffer
from .errors import ArgumentError, MetalError, ResourceError, ValidationError
from .heap import Heap
from .sync import Event, Fence, Queue, SharedEvent, SharedEventHandle
from .utils import StorageMode, storage_mode

if TYPE_CHECKING:
    from .capture import Capture, CaptureScope
    from .library import Library
    from .pipeline import CommandBuffer, Pipeline
    from .stage_input import StageBuffer
    from .surface import Surface

__all__ = ["Device", "list_devices"]

_STORAGE_SHIFT = 4  # storage mode's place in MTL::ResourceOptions

# mtlpy keeps it here.
_texture_buffer_layout = _copies.texture_buffer_layout


def list_devices() -> list[str]:
    """Names of all Metal devices; the position in the list is the `index` of :class:`Device`."""
    return [device.name for device in mtl.copy_all_devices()]


class Device(MtlpyNames, TextureMaker):
    """A Metal device with a queue of its own.

    Parameters
    ----------
    index : int, optional
        Place in :func:`list_devices`; None or a negative number means the system's default.
    cache_path : str or False, optional
        File that this device's pipelines are read from, and written to when it ends; False for none, and for nothing
        in the folder of compiled code either.

    Raises
    ------
    RuntimeError
        If there is no such device.
    TypeError
        If `cache_path` is True.
    """

    __slots__ = (
        "__weakref__",
        "_metal",
        "_pending",
        "_pipelines",
        "_process",
        "_queue",
        "_staging_heap",
        "_texture_to_buffer_pipelines",
    )

    def __init__(self, index: int | None = None, cache_path: str | os.PathLike[str] | bool | None = None) -> None:
        if cache_path is True:
            raise ArgumentError(
                "cache_path=True is not a valid value -- pass a path string for a custom location, False to disable "
                "on-disk caching, or omit it (or pass None) for the default location"
            )
        if not isinstance(cache_path, (str, os.PathLike, bool, type(None))):
            raise ArgumentError(f"Device: cache_path must be a path, False or None, got {type(cache_path).__name__}")
        if index is not None and (isinstance(index, bool) or not isinstance(index, (int, np.integer))):
            raise ArgumentError(f"Device: index must be an int or None, got {type(index).__name__}")
        self._metal = _find_device(index)
        self._process = os.getpid()
        self._queue = self._metal.new_command_queue()
        path = default_cache_path() if cache_path is None else "" if cache_path is False else str(cache_path)
        self._pipelines = Pipelines(self._metal, path)
        self._pending = Pending(self.is_software)
        self._staging_heap: Heap | None = None
        self._texture_to_buffer_pipelines: dict[Any, Pipeline] = {}

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.flush_cache()

    @property
    def _native(self) -> mtl.Device:
        """Metal's own object, unless this is a child process that only inherited it."""
        if self._process != os.getpid():
            raise MetalError("this Device was made before the process forked; make a new Device() in the child")
        return self._metal

    # ---- what it is ----

    @property
    def name(self) -> str:
        """Metal's name of the device."""
        return self._metal.name

    @property
    def is_software(self) -> bool:
        """Whether kernels run on the processor, through this package's own Metal, rather than on Apple's."""
        return mtl.is_software(self._metal)

    @property
    def max_threads_per_threadgroup(self) -> int:
        """Most threads that a threadgroup may have; a pipeline may allow fewer."""
        return int(self._native.max_threads_per_threadgroup.width)

    @property
    def max_buffer_length(self) -> int:
        """Bytes of the largest Buffer that can be made."""
        return int(self._native.max_buffer_length)

    @property
    def current_allocated_size(self) -> int:
        """Bytes that this device's buffers and textures hold at present."""
        return int(self._native.current_allocated_size)

    @property
    def metal(self) -> mtl.Device:
        """The same device as :mod:`mtlpy_nb.metal` has it."""
        return self._native

    @property
    def mtl_ptr(self) -> int:
        """Address of Metal's own object; valid while this Device lives."""
        return self._native.mtl_ptr

    def __repr__(self) -> str:
        return f"Device({self.name!r})"

    # ---- the cache of pipelines ----

    @property
    def pipeline_cache_size(self) -> int:
        """Number of pipelines that :meth:`compile` keeps in memory."""
        return len(self._pipelines)

    @property
    def pipeline_cache_path(self) -> str:
        """File of this device's pipelines; empty when caching is off."""
        return self._pipelines.path

    def flush_cache(self, path: str | None = None) -> None:
        """Write the pipelines made until now to a file that the next run begins with; never raises.

        The same happens at the end of ``with Device()``, when the device goes and when Python ends, and at no other
        time. The file saves the making of machine code; the source is still parsed in every process. (Elsewhere than
        on a Mac, a folder of compiled code, which ``mtlpy-nb doctor`` names, saves both on the machine where it is;
        the file is one that can be carried along.)

        Parameters
        ----------
        path : str, optional
            Write there this time; default :attr:`pipeline_cache_path`, if any pipeline was made.
        """
        self._pipelines.flush(None if path is None else os.fspath(path))

    def binary_archive(self, path: str | os.PathLike[str] | None = None) -> BinaryArchive:
        """Make an archive of pipelines of one's own, with what the file at `path` holds if there is one.

        Raises
        ------
        RuntimeError
            If the file is no archive, or damaged.
        """
        target = None if path is None else path_text(path, "Device.binary_archive: path")
        return BinaryArchive(open_archive(self._native, target), self, target)

    # ---- buffers ----

    def buffer(
        self,
        data: npt.ArrayLike | int,
        dtype: npt.DTypeLike | str | None = None,
        storage: StorageMode | int = StorageMode.SHARED,
        *,
        copy: bool = True,
    ) -> Buffer:
        """Make a Buffer: a copy of an array, or `data` elements of `dtype`.

        Parameters
        ----------
        data : array_like or int
            An array or list (float64 becomes float32, which is the widest that Metal has), or a number of elements.
        dtype : optional
            Type of the elements when `data` is a number; default float32.
        storage : StorageMode
        copy : bool
            False shares the array's memory, which Metal can if it is whole pages, such as an array over
            ``mmap.mmap(-1, length)`` has, or another Buffer's.

        Raises
        ------
        RuntimeError
            If it would have no elements, or there is no memory.
        TypeError
            If Metal cannot hold such elements.
        ValueError
            If ``copy=False`` and the memory cannot be shared.
        """
        if not copy:
            if storage_mode(storage, "Device.buffer") != StorageMode.SHARED:
                raise ValidationError("Device.buffer: memory that is not copied has SHARED storage")
            return _sharing.shared(self, data)
        copy_of = self._copy_of if storage == StorageMode.SHARED else None
        return buffer_of(data, dtype, "Device.buffer", partial(self.empty, storage=storage), copy_of)

    def _copy_of(self, array: Array) -> Buffer:
        """Make a Buffer of a contiguous array; Metal can then use memory again that was freed before."""
        element, shape, _ = layout(array.shape, array.dtype, self.max_buffer_length, "Device.empty")
        return Buffer(self._native.new_buffer_with_data(bytes_of(array)), element, shape, self)

    def buffer_from_dlpack(self, data: object) -> Buffer:
        """Make a Buffer in the memory of another library's array: of what has ``__dlpack__``, without a copy.

        The memory must be whole pages, another Buffer's, or on a Mac Metal's own.

        Raises
        ------
        TypeError
            If it has no ``__dlpack__``, or Metal cannot hold such elements.
        ValueError
            If the memory cannot be shared.
        BufferError
            If it is another device's memory.
        """
        return _sharing.from_dlpack(self, data)

    def empty(
        self, size: int | Sequence[int], dtype: npt.DTypeLike | str, storage: StorageMode | int = StorageMode.SHARED
    ) -> Buffer:
        """Make a Buffer whose elements have no particular value.

        Parameters
        ----------
        size : int or tuple of int
            Number of elements, or the shape.
        dtype : numpy.dtype or str
            A NumPy type, or a Metal type's name such as ``"half"``.
        storage : StorageMode

        Raises
        ------
        RuntimeError
            If it would have no elements, or there is no memory.
        """
        storage = storage_mode(storage, "Device.empty")
        element, shape, length = layout(size, dtype, self.max_buffer_length, "Device.empty")
        return Buffer(self._native.new_buffer(length, storage << _STORAGE_SHIFT), element, shape, self)

    def copy_buffer(
        self,
        src: Buffer,
        dst: Buffer,
        *,
        src_offset: int = 0,
        dst_offset: int = 0,
        size_bytes: int | None = None,
        wait: bool = True,
    ) -> None:
        """Copy bytes between two Buffers on the device.

        Parameters
        ----------
        src, dst : Buffer
            In any storage, of any types.
        src_offset, dst_offset : int
            Bytes to skip in each.
        size_bytes : int, optional
            Default: the rest of `src`.
        wait : bool
            Whether to return only when it is done.

        Raises
        ------
        ValueError
            If a Buffer is of another device.
        RuntimeError
            If the range does not fit.
        """
        _copies.copy_buffer(self, src, dst, src_offset, dst_offset, size_bytes, wait)

    # ---- code ----

    def library(
        self,
        source: str,
        *,
        options: Mapping[str, Any] | None = None,
        includes: Mapping[str, str] | Sequence[str | os.PathLike[str] | Mapping[str, str]] | None = None,
        constants: Mapping[str, Any] | None = None,
    ) -> Library:
        """Compile Metal source into a Library; ``library["name"]`` is then a function of it.

        Parameters
        ----------
        source : str
        options : dict, optional
            ``macros`` (dict of names and values), ``std`` (such as ``"3.1"``), ``math`` (``"safe"``, ``"relaxed"``
            or ``"fast"``), ``preserve_invariance`` (bool).
        includes : dict or list, optional
            Where ``#include "..."`` looks: names and their text, or folders, or a list of both.
        constants : dict, optional
            Values of function constants.

        Raises
        ------
        CompileError
            If the source is not valid.
        """
        from ._includes import split_includes
        from ._missing_headers import explained
        from .library import compile_library

        known, _ = split_includes(includes)
        with explained(known, "give its text, includes={'NAME': ...}, or its folder, includes=['...']"):
            return compile_library(self, source, options=options, includes=includes, constants=constants)

    def compile(
        self,
        source: str,
        function_name: str,
        archive: BinaryArchive | None = None,
        *,
        stage_input: Mapping[int, StageBuffer | npt.DTypeLike] | None = None,
        stage_indices: tuple[int, npt.DTypeLike] | None = None,
    ) -> Pipeline:
        """Compile Metal source and make one function of it ready to run; the same text is compiled once.

        Parameters
        ----------
        source, function_name : str
        archive : BinaryArchive, optional
            Where the pipeline is added, and looked for first.
        stage_input : dict, optional
            For a kernel with ``[[stage_in]]``: a structured dtype (or :class:`StageBuffer`) for each buffer that its
            attributes are fetched from, by the buffer's index.
        stage_indices : tuple, optional
            Index and dtype of the buffer of indices, where a step is ``"indexed x"`` or ``"indexed y"``.

        Raises
        ------
        CompileError
            If the source is not valid.
        PipelineError
            If it has no such function, or that cannot be made to run.
        """
        from .pipeline import Pipeline

        if archive is not None:
            check_type(archive, BinaryArchive, "Device.compile: archive")
        if archive is not None and archive._device is not self:
            raise ValidationError("Device.compile: the archive belongs to a different Device")
        text(function_name, "Device.compile: function_name")
        found = self._pipelines.compile(self, source, function_name, archive, stage_input, stage_indices)
        return Pipeline(found, self)

    # ---- order of work ----

    def command_buffer(self, queue: Queue | None = None) -> CommandBuffer:
        """Begin a batch: dispatches run with ``cb=`` go to the device together when it is committed.

        Parameters
        ----------
        queue : Queue, optional
            Where it is committed; default: the device's own queue, where all else runs.

        Raises
        ------
        ValueError
            If the queue is of another device.
        """
        from .pipeline import CommandBuffer

        self._check_queue(queue, "Device.command_buffer")
        return CommandBuffer((self._queue if queue is None else queue._queue).command_buffer(), self)

    def _check_queue(self, queue: Queue | None, where: str) -> None:
        if queue is None:
            return
        check_type(queue, Queue, f"{where}: queue")
        check_same_device(queue, self, "Queue")

    def queue(self) -> Queue:
        """Make a further queue: its command buffers run one after the other, and beside those of other queues."""
        return Queue(self._native.new_command_queue(), self)

    def event(self) -> Event:
        """Make an event, by which command buffers of this device's queues wait for each other."""
        return Event(self._native.new_event(), self)

    def shared_event(self) -> SharedEvent:
        """Make an event that Python too can signal and wait for."""
        return SharedEvent(self._native.new_shared_event(), self)

    def import_shared_event(self, handle: SharedEventHandle) -> SharedEvent:
        """Make the event again that a handle stands for, of this process or another.

        Raises
        ------
        TypeError
            If it is no handle.
        """
        if not isinstance(handle, SharedEventHandle):
            raise ArgumentError(
                f"import_shared_event: expected a SharedEventHandle, got {type(handle).__name__}; "
                "event.export_handle() gives one"
            )
        return SharedEvent(self._native.new_shared_event(handle._handle), self)

    def fence(self) -> Fence:
        """Make a fence, by which dispatches of one queue wait for each other."""
        return Fence(self._native.new_fence(), self)

    # ---- captures ----

    @property
    def is_capturing(self) -> bool:
        """Whether a capture is under way in this process."""
        return mtl.shared_capture_manager().is_capturing

    def start_capture(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        queue: Queue | None = None,
        scope: CaptureScope | None = None,
    ) -> Capture:
        """Record what command buffers do: those made from now on and committed before :meth:`stop_capture`.

        On the software device the file holds every command with the contents of all it may have touched, before and
        after; :func:`mtlpy_nb.capture.load` reads it. Captured commands run one at a time. On a Mac it is a
        ``.gputrace`` for Xcode, and Python must have been started with ``MTL_CAPTURE_ENABLED=1``.

        Parameters
        ----------
        path : str, optional
            The file, which replaces one of that name when the capture ends; missing folders are made. Default: on the
            software device a new ``capture-DATE-TIME.metalcapture`` in the current folder; on a Mac no file, but
            Xcode, if it is attached.
        queue, scope : optional
            Record that queue only, or only what happens between the scope's begin and its end.

        Returns
        -------
        Capture
            A context manager that stops the capture.

        Raises
        ------
        RuntimeError
            If another capture is under way, the file cannot be made, or this process may not capture.
        """
        from .capture._running import start_capture

        return start_capture(self, path, queue, scope)

    def stop_capture(self) -> None:
        """End the capture and finish its file; does nothing without one.

        Waits for captured command buffers to end, except for those that wait for an event which nothing that runs can
        signal, or are behind one that was enqueued and not committed: then a ``RuntimeWarning`` says that the capture
        is incomplete. Ctrl-C ends the waiting.

        Raises
        ------
        RuntimeError
            If the file could not be written; nothing of it stays then.
        """
        from .capture._running import stop_capture

        stop_capture()

    def capture_scope(self, label: str | None = None, queue: Queue | None = None) -> CaptureScope:
        """Make a scope: a context manager for a part of the program that captures show by its name.

        Parameters
        ----------
        label : str, optional
        queue : Queue, optional
            Whose command buffers belong to it; default: those of all queues.

        Raises
        ------
        ValueError
            If the queue is of another device.
        """
        from .capture._running import CaptureScope

        self._check_queue(queue, "Device.capture_scope")
        if label is not None and not isinstance(label, str):
            raise ArgumentError(f"capture_scope: label must be a str or None, got {type(label).__name__}")
        manager = mtl.shared_capture_manager()
        scope = (
            manager.new_capture_scope_with_device(self._native)
            if queue is None
            else manager.new_capture_scope_with_command_queue(queue._queue)
        )
        return CaptureScope(scope, self, label)

    # ---- showing ----

    def surface(self, view_ptr: int | None = None, **kwargs: Any) -> Surface:
        """Make a Surface, where textures are shown.

        Parameters
        ----------
        view_ptr : int, optional
            Address of the ``NSView`` on a Mac; without it pictures are shown in memory.
        **kwargs
            Options of :class:`Surface`.
        """
        from .surface import Surface

        return Surface(self, view_ptr, **kwargs)


def _find_device(index: int | None) -> mtl.Device:
    if index is None or index < 0:
        try:
            return mtl.create_system_default_device()
        except ResourceError:
            raise ResourceError("No Metal-capable device found") from None
    devices = mtl.copy_all_devices()
    if index >= len(devices):
        raise ResourceError(f"GPU index {index} out of range (see mtlpy_nb.list_devices(): {len(devices)} available)")
    return devices[index]
