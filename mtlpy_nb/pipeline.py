# SPDX-License-Identifier: MIT
"""Functions ready to run, with arguments by position as Metal numbers them."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from . import _native as mtl
from . import _recording
from ._checks import check_callable, check_same_device, check_timeout, check_type, event_value, flag
from ._grid import MOST_THREADS, pad, rank, required_threadgroup, uniform_threadgroup
from ._labels import Labelled
from ._pending import failed
from .arguments import Argument
from .buffer import Buffer
from .errors import ArgumentError, ExecutionError, MetalError, ValidationError, interrupted
from .sampler import Sampler
from .sync import Event, Fence
from .texture import Texture

if TYPE_CHECKING:
    from types import TracebackType

    from .device import Device

__all__ = ["CommandBuffer", "Pipeline"]

_Item = TypeVar("_Item")

_WAIT_UNSET: Any = object()
_KINDS = (
    (mtl.BindingType.Buffer, "buffer", "buffers"),
    (mtl.BindingType.Texture, "texture", "textures"),
    (mtl.BindingType.Sampler, "sampler", "samplers"),
)


def _items(items: Any, kind: type[_Item], what: str) -> tuple[_Item, ...]:
    """Refuse what is no list of `kind`."""
    if isinstance(items, kind) or not isinstance(items, Collection):
        raise ArgumentError(f"{what} must be a list of {kind.__name__}s, got {type(items).__name__}")
    listed = []
    for i, item in enumerate(items):
        check_type(item, kind, f"{what}[{i}]")
        listed.append(item)
    return tuple(listed)


def _threads(grid: int | Sequence[int]) -> tuple[int, int, int]:
    x, y, z = _pad_dims(grid)
    for size in (x, y, z):
        if not 0 < size <= MOST_THREADS:
            raise ValidationError(f"grid is {grid!r}, each size must be 1 to {MOST_THREADS}")
    return x, y, z


def _pad_dims(spec: int | Sequence[int]) -> list[int]:
    return list(pad(spec, "grid"))


class Pipeline:
    """A function ready to run; made by :meth:`Device.compile`."""

    __slots__ = ("__weakref__", "_alignments", "_device", "_groups", "_pipeline", "_required", "_required_alone")

    def __init__(self, _pipeline: mtl.ComputePipelineState, device: Device) -> None:
        self._pipeline = _pipeline
        self._device = device
        # The highest index that the function uses in each of Metal's three numberings; -1 for none.
        self._required = tuple(
            max((a.index + a.array_length - 1 for a in _pipeline.arguments if a.kind == kind and a.is_used), default=-1)
            for kind, _, _ in _KINDS
        )
        # The first of them where there is no other, else more than can be given.
        self._required_alone = self._required[0] if max(self._required[1:]) < 0 else sys.maxsize
        self._alignments = {a.index: a.alignment for a in _pipeline.arguments if a.kind == mtl.BindingType.Buffer}
        # The threadgroup for a grid of each rank: asked for by each dispatch.
        width, limit = self.thread_execution_width, self.max_threads_per_threadgroup
        required = required_threadgroup(_pipeline)
        self._groups = [required or uniform_threadgroup(dimensions, width, limit) for dimensions in (1, 2, 3)]

    @property
    def thread_execution_width(self) -> int:
        """Threads that run in lockstep; threadgroups are a multiple of it."""
        return int(self._pipeline.thread_execution_width)

    @property
    def max_threads_per_threadgroup(self) -> int:
        """Most threads that a threadgroup of this function may have."""
        return int(self._pipeline.max_total_threads_per_threadgroup)

    def run(
        self,
        buffers: Sequence[Buffer],
        grid: int | Sequence[int],
        wait: bool = _WAIT_UNSET,
        textures: Sequence[Texture] | None = None,
        samplers: Sequence[Sampler] | None = None,
        cb: CommandBuffer | None = None,
        threadgroup: int | Sequence[int] | None = None,
        wait_fences: Sequence[Fence] | None = None,
        signal_fences: Sequence[Fence] | None = None,
    ) -> tuple[float, float]:
        """Run the function once per thread of `grid`.

        Parameters
        ----------
        buffers : list of Buffer
            The place in the list is Metal's index: ``[[buffer(0)]]`` is ``buffers[0]``.
        grid : int or tuple of int
            Threads in x, y, z.
        wait : bool
            Whether to return only when it is done; default True.
        textures, samplers : list, optional
            As `buffers`: ``[[texture(0)]]`` is ``textures[0]``.
        cb : CommandBuffer, optional
            Batch that it shall be part of; it then runs when that is committed.
        threadgroup : int or tuple of int, optional
            Threads per threadgroup, a multiple of :attr:`thread_execution_width`; default: a good size.
        wait_fences, signal_fences : list of Fence, optional
            Fences to wait for before it runs, and to signal when it has run.

        Returns
        -------
        tuple of float
            Start and end on the device in seconds; zeros with ``wait=False`` or `cb`.

        Raises
        ------
        RuntimeError
            If an argument is missing, a size is not allowed, or it fails while it runs.
        ValueError
            If both `wait` and `cb` are given.
        """
        if (
            type(cb) is CommandBuffer
            and wait is _WAIT_UNSET
            and not (wait_fences or signal_fences or _recording.recorders)
        ):
            # One of a batch of many: calling another method for it would add a third to what it costs.
            try:
                encoder = cb._encoder
                if encoder is None or cb._device is not self._device:
                    encoder = cb._encoder_for(self._device)
                bound: list[mtl.Buffer] | None = None
                if (
                    threadgroup is None
                    and not (textures or samplers)
                    and type(grid) is int
                    and 0 < grid <= MOST_THREADS
                ):
                    try:
                        if len(buffers) > self._required_alone:
                            bound = []
                            for buffer in buffers:
                                if buffer._offset:
                                    bound = None
                                    break
                                bound.append(buffer._buf)
                    except (AttributeError, TypeError):
                        bound = None  # _prepare() says what is wrong
                if bound is None:
                    work = self._prepare(buffers, grid, textures, samplers, threadgroup)
                    mtl.encode_dispatch(encoder, self._pipeline, *work)
                else:
                    mtl.encode_dispatch(encoder, self._pipeline, bound, (), (), (), grid, self._groups[0])
                cb._dispatches += 1
            except Exception:
                cb._poison()
                raise
            return 0.0, 0.0
        if cb is not None:
            check_type(cb, CommandBuffer, "Pipeline.run: cb")
            if wait is not _WAIT_UNSET:
                raise ValidationError(
                    "wait has no effect when cb is given -- control waiting via CommandBuffer.commit(wait) once, after "
                    "every dispatch you want batched together has been encoded, not per-dispatch"
                )
        waits = wait is _WAIT_UNSET or flag(wait, "Pipeline.run: wait")
        wait_fences = self._fences(wait_fences, "wait_fences") if wait_fences else ()
        signal_fences = self._fences(signal_fences, "signal_fences") if signal_fences else ()
        has_fences = bool(wait_fences or signal_fences)
        if cb is None and has_fences:
            with CommandBuffer(self._device._queue.command_buffer(), self._device) as alone:
                work = self._prepare(buffers, grid, textures, samplers, threadgroup)
                self._encode(alone, work, buffers, wait_fences, signal_fences)
                return alone.commit(wait=waits)
        if cb is None:
            work = self._prepare(buffers, grid, textures, samplers, threadgroup)
            return self._run_now(work, buffers, waits)
        try:
            work = self._prepare(buffers, grid, textures, samplers, threadgroup)
            self._encode(cb, work, buffers, wait_fences, signal_fences)
        except Exception:
            cb._poison()
            raise
        return 0.0, 0.0

    def _fences(self, fences: Collection[Fence], what: str) -> tuple[Fence, ...]:
        checked = _items(fences, Fence, f"Pipeline.run: {what}")
        for fence in checked:
            check_same_device(fence, self._device, "Fence")
        return checked

    def _encode(
        self,
        cb: CommandBuffer,
        work: tuple[Any, ...],
        buffers: Sequence[Buffer],
        wait_fences: Sequence[Fence],
        signal_fences: Sequence[Fence],
    ) -> None:
        encoder = cb._encoder_for(self._device)
        for fence in wait_fences:
            encoder.wait_for_fence(fence._fence)
        mtl.encode_dispatch(encoder, self._pipeline, *work)
        for fence in signal_fences:
            encoder.update_fence(fence._fence)
        if _recording.recorders:
            cb._encoded.append(self._told(buffers, work, cb._dispatches))
        cb._dispatches += 1
        if signal_fences:  # Metal signals a fence when the encoder's commands have ended
            cb._end_encoding()

    def _run_now(self, work: tuple[Any, ...], buffers: Sequence[Buffer], wait: bool) -> tuple[float, float]:
        try:
            done = mtl.dispatch(self._device._queue, self._pipeline, *work, wait=wait)
        except ExecutionError as error:
            raise failed("GPU execution", error) from None
        except KeyboardInterrupt:
            raise interrupted(f"{self._pipeline.label} was stopped") from None
        if _recording.recorders:
            _recording.submitted(self._device, done, [self._told(buffers, work)])
        if wait:
            self._device._pending.raise_failure()
        else:
            self._device._pending.add(done)
        return (done.gpu_start_time, done.gpu_end_time) if wait else (0.0, 0.0)

    def _told(self, buffers: Sequence[Buffer], work: tuple[Any, ...], number: int | None = None) -> _recording.Work:
        """Describe a dispatch to those who look; `work` is of :meth:`_prepare`."""
        arguments = [Argument.from_native(argument) for argument in self._pipeline.arguments]
        sizes = {i: buffer.nbytes for i, buffer in enumerate(buffers)}
        moved = _recording.traffic(arguments, work[0], work[1], sizes)
        return _recording.Work(self._pipeline.label, math.prod(work[4]), moved, number)

    def _prepare(
        self,
        buffers: Sequence[Buffer],
        grid: int | Sequence[int],
        textures: Sequence[Texture] | None,
        samplers: Sequence[Sampler] | None,
        threadgroup: int | Sequence[int] | None,
    ) -> tuple[Any, ...]:
        """Check everything and give the middle arguments of the native call."""
        textures, samplers = textures or (), samplers or ()
        required = self._required
        alignments = self._alignments
        try:
            if len(buffers) <= required[0] or len(textures) <= required[1] or len(samplers) <= required[2]:
                raise self._too_few(buffers, textures, samplers)
            threads = (grid, 1, 1) if type(grid) is int and 0 < grid <= MOST_THREADS else _threads(grid)
            return (
                [b._binding_aligned(alignments.get(i, 1)) for i, b in enumerate(buffers)] if buffers else (),
                [texture._tex for texture in textures] if textures else (),
                [sampler._sampler for sampler in samplers] if samplers else (),
                (),
                threads,
                self._groups[rank(threads) - 1] if threadgroup is None else self._threadgroup(threadgroup),
            )
        except (AttributeError, TypeError, OverflowError) as error:  # looked for only now, since most calls are right
            if isinstance(error, MetalError):
                raise
            _items(buffers, Buffer, "Pipeline.run: buffers")
            _items(textures, Texture, "Pipeline.run: textures")
            _items(samplers, Sampler, "Pipeline.run: samplers")
            raise

    def _too_few(self, *given: Sequence[Any]) -> ValidationError:
        (_, kind, plural), required, count = next(
            (kind, required, len(items))
            for kind, required, items in zip(_KINDS, self._required, given, strict=True)
            if len(items) <= required
        )
        return ValidationError(
            f"Kernel reads {kind} argument(s) up to index {required}, but only {count} {kind}(s) were passed to run() "
            f"-- {plural}[i] is what [[{kind}(i)]] names"
        )

    def _threadgroup(self, wanted: int | Sequence[int]) -> tuple[int, int, int]:
        width, limit = self.thread_execution_width, self.max_threads_per_threadgroup
        required = required_threadgroup(self._pipeline)
        size = pad(wanted, "threadgroup")
        if required is not None and size != required:
            raise ValidationError(f"threadgroup is {wanted}, this kernel requires {required}")
        total = size[0] * size[1] * size[2]
        if min(size) < 1:
            raise ValidationError(f"threadgroup is {wanted}, every size must be at least 1")
        if total > limit:
            raise ValidationError(f"threadgroup is {wanted}: {total} threads, this kernel allows {limit}")
        if total % width:
            raise ValidationError(
                f"threadgroup is {wanted}: {total} threads are not a multiple of the thread execution width, {width}"
            )
        return size


class CommandBuffer(Labelled):
    """A batch of dispatches that goes to the device as one; made by :meth:`Device.command_buffer`.

    As a context manager it commits at the end of the block, and is discarded when the block raises.
    """

    _labelled = "_buffer"
    __slots__ = (
        "__weakref__",
        "_buffer",
        "_committed",
        "_device",
        "_discarded",
        "_dispatches",
        "_encoded",
        "_encoder",
        "_poisoned",
    )

    def __init__(self, _cb: mtl.CommandBuffer, device: Device) -> None:
        self._buffer = _cb
        self._device = device
        self._encoder: mtl.ComputeCommandEncoder | None = None
        self._committed = False
        self._discarded = False
        self._poisoned = False
        self._encoded: list[_recording.Work] = []  # for those who look
        self._dispatches = 0

    def __enter__(self) -> CommandBuffer:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if exc_type is not None:
            self._end_encoding()
            self._committed = self._discarded = True
        elif not self._committed:
            self.commit()

    def commit(self, wait: bool = True) -> tuple[float, float]:
        """Send the batch to the device.

        Returns
        -------
        tuple of float
            Start and end on the device in seconds; zeros with ``wait=False``.

        Raises
        ------
        RuntimeError
            If it was committed before, a dispatch in it failed to encode, or it fails while it runs.
        """
        if self._committed:
            raise MetalError("CommandBuffer already committed")
        waits = flag(wait, "CommandBuffer.commit: wait")
        self._end_encoding()
        if self._poisoned:
            raise MetalError(
                "Cannot commit: a dispatch encoded into this CommandBuffer failed, so the batch is incomplete"
            )
        self._committed = True
        if self._encoded and self._dispatches > 1:
            mtl.keep_dispatch_times(self._buffer)
        if waits and not self._encoded:
            self._wait(None, commits=True)
            self._device._pending.raise_failure()
            return self._buffer.gpu_start_time, self._buffer.gpu_end_time
        self._buffer.commit()
        if self._encoded:
            _recording.submitted(self._device, self._buffer, self._encoded)
        if not waits:
            self._device._pending.add(self._buffer)
            return 0.0, 0.0
        self._wait(None)
        self._device._pending.raise_failure()
        return self._buffer.gpu_start_time, self._buffer.gpu_end_time

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end of a batch that was committed with ``wait=False``.

        Parameters
        ----------
        timeout : float, optional
            Seconds; None waits as long as it takes.

        Returns
        -------
        bool
            Whether it has ended; False if the time was up.

        Raises
        ------
        RuntimeError
            If it was not committed, or failed.
        """
        if not self._committed or self._discarded:
            raise MetalError("CommandBuffer.wait: it was not committed")
        check_timeout(timeout, "CommandBuffer.wait")
        self._device._pending.forget(self._buffer)
        ended = self._wait(timeout)
        if not ended:
            self._device._pending.add(self._buffer)
        return ended

    def done(self) -> bool:
        """Whether a committed batch has ended, well or badly; never waits."""
        return self._buffer.done()

    def add_completed_handler(self, callback: Callable[[CommandBuffer], object]) -> None:
        """Call ``callback(self)``, from another thread, when the batch has ended; at once if it has."""
        check_callable(callback, "CommandBuffer.add_completed_handler: callback")
        self._buffer.add_completed_handler(lambda _: callback(self))

    def _wait(self, timeout: float | None, *, commits: bool = False) -> bool:
        try:
            if commits:
                mtl.commit_and_wait(self._buffer)
                return True
            return self._buffer.wait(timeout)
        except ExecutionError as error:
            raise failed("GPU execution", error) from None
        except KeyboardInterrupt:
            raise interrupted("the command buffer was stopped") from None

    def wait_for_event(self, event: Event, value: int) -> None:
        """Hold what is encoded after this until the event has reached `value`.

        Parameters
        ----------
        event : Event
            Of the same device.
        value : int
            Whatever is this large or larger lets the work go on.

        Raises
        ------
        ValueError
            If the event is of another device.
        RuntimeError
            If it was committed before.
        """
        wanted = event_value(value, "CommandBuffer.wait_for_event: value")
        self._check_event(event)
        self._buffer.encode_wait_for_event(event._event, wanted)

    def signal_event(self, event: Event, value: int) -> None:
        """Set the event to `value` when what was encoded before this has ended.

        Parameters
        ----------
        event : Event
            Of the same device.
        value : int
            Larger than its value until then.

        Raises
        ------
        ValueError
            If the event is of another device.
        RuntimeError
            If it was committed before.
        """
        reached = event_value(value, "CommandBuffer.signal_event: value")
        self._check_event(event)
        self._buffer.encode_signal_event(event._event, reached)

    def _check_event(self, event: Event) -> None:
        check_type(event, Event, "CommandBuffer: event")
        check_same_device(event, self._device, "Event")
        if self._committed:
            raise MetalError("CommandBuffer already committed, cannot encode more work into it")
        self._end_encoding()

    def _encoder_for(self, device: Device) -> mtl.ComputeCommandEncoder:
        if device is not self._device:
            raise ValidationError(
                "CommandBuffer and Pipeline belong to different Device instances -- Metal does not allow sharing "
                "resources across MTLDevice objects"
            )
        if self._committed:
            raise MetalError("CommandBuffer already committed, cannot encode more work into it")
        if self._encoder is None:
            self._encoder = self._buffer.compute_command_encoder()
        return self._encoder

    def _poison(self) -> None:
        self._poisoned = True

    def _end_encoding(self) -> None:
        if self._encoder is not None:
            self._encoder.end_encoding()
            self._encoder = None
