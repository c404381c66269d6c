# SPDX-License-Identifier: MIT
"""Queues, and what orders work between them: events and fences."""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _native as mtl
from ._checks import check_callable, event_value, text, whole
from ._labels import Labelled
from .errors import ArgumentError, MetalError, ValidationError

if TYPE_CHECKING:
    from .device import Device

__all__ = ["Event", "Fence", "Queue", "SharedEvent", "SharedEventHandle"]


class Queue(Labelled):
    """A queue of command buffers, made by :meth:`Device.queue`.

    Its command buffers run in the order of their commits; those of different queues at the same time.
    """

    _labelled = "_queue"
    __slots__ = ("__weakref__", "_device", "_queue")

    def __init__(self, _queue: mtl.CommandQueue, device: Device) -> None:
        self._queue = _queue
        self._device = device


class Fence(Labelled):
    """Orders dispatches of one queue: :meth:`Pipeline.run` takes fences to wait for and to signal."""

    _labelled = "_fence"
    __slots__ = ("__weakref__", "_device", "_fence")

    def __init__(self, _fence: mtl.Fence, device: Device) -> None:
        self._fence = _fence
        self._device = device


class Event(Labelled):
    """A number that grows, by which command buffers of one device's queues wait for each other.

    See :meth:`CommandBuffer.signal_event` and :meth:`CommandBuffer.wait_for_event`.
    """

    _labelled = "_event"
    __slots__ = ("__weakref__", "_device", "_event")

    def __init__(self, _event: mtl.Event, device: Device) -> None:
        self._event = _event
        self._device = device


class SharedEventHandle:
    """Stands for a :class:`SharedEvent`, also in another process of this machine.

    :meth:`Device.import_shared_event` makes the event of it again. It gets to another process as an argument of
    ``multiprocessing`` or ``concurrent.futures`` with any start method, by ``fork``, as :attr:`name`, by its
    :meth:`fileno`, or in a pickle, which holds the name. The event's value lives in memory that belongs to no folder,
    and is gone with the last process that has it.
    """

    __slots__ = ("__weakref__", "_handle")

    def __init__(self, _handle: mtl.SharedEventHandle) -> None:
        self._handle = _handle

    @property
    def label(self) -> str:
        """The label that the event had when the handle was made."""
        return str(self._handle.label or "")

    def fileno(self) -> int:
        """Give a file descriptor that stands for the event; it is the handle's own, and closed with it.

        Hand it to a program with ``subprocess.Popen(..., pass_fds=[handle.fileno()])``, or over a Unix socket.
        """
        return mtl.shared_event_descriptor(self._handle)

    @property
    def name(self) -> str:
        """A word for the event, for other processes of this user while this one has the event or the handle."""
        return mtl.shared_event_name(self._handle)

    @classmethod
    def from_fileno(cls, descriptor: int) -> SharedEventHandle:
        """Make the handle of a file descriptor that this process was given; the descriptor stays open.

        Raises
        ------
        ResourceError
            If it is not a shared event's.
        """
        if isinstance(descriptor, bool) or not isinstance(descriptor, int):
            raise ArgumentError(f"from_fileno: descriptor must be an int, got {type(descriptor).__name__}")
        if not 0 <= descriptor < 2**31:
            raise ValidationError(f"from_fileno: descriptor is {descriptor}, must be 0 to {2**31 - 1}")
        return _arrived(mtl.shared_event_handle_of_descriptor(descriptor))

    @classmethod
    def from_name(cls, name: str) -> SharedEventHandle:
        """Make the handle again that has this :attr:`name`.

        Raises
        ------
        ResourceError
            If no process has that event under this name any more, or it is another user's.
        """
        return _arrived(mtl.shared_event_handle_of_name(text(name, "from_name: name")))

    def __reduce__(self) -> tuple[Callable[[str], SharedEventHandle], tuple[str]]:
        return SharedEventHandle.from_name, (self.name,)

    def __repr__(self) -> str:
        try:
            return f"<SharedEventHandle {self.name}>"
        except MetalError:
            return "<SharedEventHandle of this process>"


def _arrived(handle: mtl.SharedEventHandle) -> SharedEventHandle:
    _teach_multiprocessing()  # it may be sent on
    return SharedEventHandle(handle)


def _teach_multiprocessing() -> None:
    """Have multiprocessing send the file itself: it arrives even when the sender has let go of it by then."""
    from multiprocessing.reduction import ForkingPickler

    ForkingPickler.register(SharedEventHandle, _reduce_with_file)


def _reduce_with_file(handle: SharedEventHandle) -> tuple[Callable[[str, Any], SharedEventHandle], tuple[str, Any]]:
    from multiprocessing.reduction import DupFd

    return _rebuild_with_file, (handle.name, DupFd(handle.fileno()))


def _rebuild_with_file(name: str, sent: Any) -> SharedEventHandle:
    try:
        descriptor = sent.detach()
    except (OSError, EOFError, KeyError):  # taken out before, or the sender has ended
        return SharedEventHandle.from_name(name)
    try:
        return SharedEventHandle.from_fileno(descriptor)
    finally:
        with contextlib.suppress(OSError):
            os.close(descriptor)


class SharedEvent(Event):
    """An event that Python too can signal and wait for; made by :meth:`Device.shared_event`."""

    __slots__ = ()

    _event: mtl.SharedEvent

    def signal(self, value: int) -> None:
        """Set it to `value`, which must not be negative; work that waits for that goes on."""
        self._event.signaled_value = event_value(value, "SharedEvent.signal: value")

    @property
    def signaled_value(self) -> int:
        """The value it has reached."""
        return int(self._event.signaled_value)

    def wait(self, value: int, timeout_ms: int = 5000) -> bool:
        """Wait until it has reached `value`.

        Parameters
        ----------
        value : int
        timeout_ms : int
            Longest wait, in milliseconds.

        Returns
        -------
        bool
            Whether it has; False if the time was up.
        """
        wanted = event_value(value, "SharedEvent.wait: value")
        longest = whole(timeout_ms, "SharedEvent.wait: timeout_ms")
        return self._event.wait_until_signaled_value(wanted, min(max(longest, 0), 2**62))

    def notify(self, value: int, callback: Callable[[SharedEvent, int], object]) -> None:
        """Have ``callback(event, reached)`` called once it has reached `value`; at once when it has.

        It runs on another thread, which all callbacks share, and is called for a value of another process too. A value
        that never comes keeps the event no longer than others do; the callback is let go of with the event.

        Parameters
        ----------
        value : int
        callback : callable
            Gets this event and the value that it has reached, which may be larger than `value`.
        """
        check_callable(callback, "SharedEvent.notify: callback")
        wanted = event_value(value, "SharedEvent.notify: value")
        device, this = self._device, weakref.ref(self)

        def call(native: mtl.SharedEvent, reached: int) -> None:
            callback(this() or SharedEvent(native, device), reached)

        self._event.notify(wanted, call)

    def export_handle(self) -> SharedEventHandle:
        """Give what stands for this event elsewhere: for another Device, or another process of this machine.

        From the first call on the value is in memory that processes share.
        """
        return _arrived(self._event.new_shared_event_handle())
